"""The facts of an attack, and what follows from them before any die falls: range, dice, who may shoot, who may evade.

A mirrored board tells the facts itself; a table on the real board and a look-up type them in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from companion.games.two_cities.components import KINDS, MOST_DICE, CardRule, Ground, Kind, Side, UnitKind, rule_of
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import Mode, State, Unit
from companion.kit.counts import squares
from companion.kit.game import Frozen
from companion.kit.ruling import Reason, Refusal, refuse, total
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, numbered, say

ATTACKER = "attacker"
DEFENDER = "defender"
CLOSEST_SHOT = 2
"""The distance of the nearest enemy that is not in contact (TTC-93)."""


class Facts(Frozen, frozen=True, kw_only=True):
    """All that one attack depends on.

    ``card`` is the card that activated the attacker. ``distance`` is the shortest clear path (or, where there is
    none, through sides) and ``path`` whether one is clear; from a hill always. ``contact`` is whether the attacker
    touches any enemy. ``neighbour``: the target has a friend beside it on its rank. ``behind`` counts the free
    squares straight behind the target. ``used`` are protections the target has no longer this turn.
    """

    mode: Mode
    attacker: Kind
    target: Kind
    attacking: str = ATTACKER
    defending: str = DEFENDER
    card: str | None = None
    moved: bool = False
    attacker_terrain: Ground = "open"
    target_terrain: Ground = "open"
    distance: int = 1
    path: bool = True
    contact: bool = False
    neighbour: bool = False
    behind: int = 0
    hits: int = 0
    used: tuple[str, ...] = ()

    @property
    def kind(self) -> UnitKind:
        """Return the attacker's row of the table of units."""
        return KINDS[self.attacker]

    @property
    def target_kind(self) -> UnitKind:
        """Return the target's row of the table of units."""
        return KINDS[self.target]

    @property
    def bonus(self) -> CardRule:
        """Return what the card gives the attacker: only to units that it activates (TTC-52)."""
        card = rule_of(self.card)
        return card if self.attacker in card.who else rule_of(None)

    @property
    def city(self) -> bool:
        """Tell whether a city is attacked."""
        return self.target == "city"

    def terms(self, printed: Reason, ground: Mapping[Ground, tuple[str, int]], bonus: int) -> tuple[Reason, ...]:
        """List what a number of the attack is made of: the printed one, what the attacker's terrain and its card add.

        ``ground`` maps terrain -> (clause, what it adds).
        """
        terms = [printed]
        if self.attacker_terrain in ground:
            clause, added = ground[self.attacker_terrain]
            terms.append(Reason(Text(self.attacker_terrain), clause, added))
        if bonus:
            terms.append(Reason(Text(f"card.{self.bonus.code}"), self.bonus.clause, bonus))
        return tuple(terms)


def melee_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what a melee's dice are made of: unit (TTC-87), forest (TTC-88), hill (TTC-89), card (TTC-90)."""
    printed = Reason(Text(facts.attacker), "TTC-87", facts.kind.melee)
    return facts.terms(printed, {"forest": ("TTC-88", 1), "hill": ("TTC-89", -1)}, facts.bonus.melee)


def shot_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what a shot's dice are made of: standing or moved (TTC-92), terrain (TTC-96, TTC-99), card (TTC-101)."""
    printed = Reason(say("{unit}, stationary", unit=Text(facts.attacker)), "TTC-92", facts.kind.ranged_stationary)
    if facts.moved:
        printed = Reason(say("{unit} after moving", unit=Text(facts.attacker)), "TTC-92", facts.kind.ranged_moved)
    return facts.terms(printed, {"hill": ("TTC-96", 1), "forest": ("TTC-99", -1)}, facts.bonus.ranged)


def dice_terms(facts: Facts, rules: Options) -> tuple[Reason, ...]:
    """List what the attack's dice are made of, the cap of six last (TTC-51, TTC-90)."""
    terms = melee_terms(facts) if facts.mode == "melee" else shot_terms(facts)
    capped = not rules.heavy_cap_phalanx_only or (facts.attacker == "heavy_infantry" and facts.bonus.contact)
    if capped and total(terms) > MOST_DICE:
        limit = numbered("never more than [most_dice written]", most_dice=MOST_DICE)
        terms = (*terms, Reason(limit, "TTC-51", MOST_DICE - total(terms)))
    return terms


def range_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what the range is made of: printed (TTC-91), hill (TTC-96), card (TTC-101)."""
    printed = Reason(Text(facts.attacker), "TTC-91", facts.kind.range)
    return facts.terms(printed, {"hill": ("TTC-96", 1)}, facts.bonus.range)


def range_of(facts: Facts) -> int:
    """Return the range in squares through sides; 0 for a unit without one, whatever its bonuses (TTC-53)."""
    return total(range_terms(facts)) if facts.kind.range else 0


def movement_of(kind: Kind, code: str | None) -> int:
    """Return how far a unit may move this turn, its card included (TTC-42, TTC-44, TTC-45, TTC-72)."""
    card, printed = rule_of(code), KINDS[kind].movement
    return (card.movement_set or printed) + card.movement if kind in card.who else printed


def check_attack(facts: Facts) -> None:
    """Refuse an attack that the rules do not allow; the clause says why."""
    if facts.attacker == "city":
        raise Refusal(say("A city never attacks."), "TTC-07", "unit")
    if facts.mode == "melee":
        return
    if not facts.kind.range:
        unit = Text(facts.attacker)
        rangeless = say("{unit}: cannot shoot; no bonus gives it a range ({see}).", unit=unit, see="TTC-53")
        raise Refusal(rangeless, "TTC-91", "mode")
    if facts.contact:
        held = say("A unit in contact with an enemy may not shoot: it must fight hand to hand ({see}).", see="TTC-77")
        raise Refusal(held, "TTC-78", "mode")
    refuse(hidden(facts), "target")
    _check_path(facts)
    refuse(no_die(facts), "target")


def hidden(facts: Facts) -> Reason | None:
    """Say why terrain keeps the target from being shot; None when it does not (TTC-97, TTC-98)."""
    if facts.target_terrain == "forest":
        return Reason(say("A unit in a forest cannot be shot."), "TTC-97")
    if facts.target_terrain == "hill" and facts.attacker_terrain != "hill":
        return Reason(say("A unit on a hill can be shot only from another hill."), "TTC-98")
    return None


def no_die(facts: Facts) -> Reason | None:
    """Say why no die is left for a shot; None when there is one (TTC-99, TTC-100)."""
    if total(shot_terms(facts)) > 0:
        return None
    return Reason(say("A shooter that moved into a forest has no die left ({see}).", see="TTC-99"), "TTC-100")


def _check_path(facts: Facts) -> None:
    """Refuse a shot that is too far (TTC-93) or whose every path is closed (TTC-94)."""
    reach, far = range_of(facts), squares(facts.distance)
    if facts.distance < CLOSEST_SHOT:
        raise Refusal(say("The closest possible shot is at distance {far}.", far=CLOSEST_SHOT), "TTC-93", "distance")
    if facts.distance > reach:
        too_far = say("The target is {far} away and the range is {reach}.", far=far, reach=reach)
        if facts.path:
            too_far = say(
                "The target is {far} away along a clear path and the range is {reach} ({see}).",
                far=far,
                reach=reach,
                see="TTC-94",
            )
        raise Refusal(too_far, "TTC-93", "target")
    if not facts.path:
        raise Refusal(say("A unit, a forest or a hill closes every path to the target."), "TTC-94", "target")


def no_evasion(facts: Facts, rules: Options) -> Reason | None:
    """Say why the target may not evade; None when it may (TTC-118 to TTC-121)."""
    if facts.city:
        return Reason(say("A city never evades: it is faster than nobody ({see}).", see="TTC-118"), "TTC-07")
    if rules.evasion_melee_only and facts.mode == "ranged":
        return Reason(say("At this table a shot cannot be evaded."), "TTC-120")
    mine = facts.target_kind.movement
    theirs = movement_of(facts.attacker, None if rules.evasion_printed_speed else facts.card)
    if mine <= theirs:
        too_slow = say(
            "Only a faster unit may evade, and equal is not faster ({see}): {target} {mine}, {attacker} {theirs}.",
            see="TTC-119",
            target=Text(facts.target),
            mine=mine,
            attacker=Text(facts.attacker),
            theirs=theirs,
        )
        return Reason(too_slow, "TTC-118")
    if facts.behind < 1:
        return Reason(say("There is no free square directly behind the unit."), "TTC-121")
    return None


def no_terrain(facts: Facts) -> Reason | None:
    """Say why terrain does not protect the target; None when it does (TTC-102)."""
    if facts.target_terrain == "open":
        return Reason(say("Only a unit in a forest or on a hill is protected by terrain."), "TTC-102")
    return _used_up(facts, "terrain")


def no_formation(facts: Facts, rules: Options) -> Reason | None:
    """Say why no formation protects the target; None when one does (TTC-103, TTC-105)."""
    if facts.city and not rules.city_formation:
        return Reason(say("At this table a city takes no part in a formation."), "TTC-105")
    if not facts.neighbour:
        return Reason(say("No friendly unit ({see}) stands directly to the left or right.", see="TTC-105"), "TTC-103")
    return _used_up(facts, "formation")


def _used_up(facts: Facts, protection: str) -> Reason | None:
    if protection in facts.used:
        return Reason(say("At this table each protection works once a turn, and it has been used."), "TTC-107")
    return None


def way_back(side: Side, attacker: str, target: str, rules: Options) -> tuple[int, int]:
    """Return the direction of a retreat as (files right, ranks up): along the file, homewards (TTC-02, TTC-112).

    Where the table says so, straight away from the attacker instead; then the file wins over the rank at a corner.
    """
    if not rules.retreat_away:
        return (0, -1) if side == "white" else (0, 1)
    (file, rank), (from_file, from_rank) = CHESSBOARD.place(target), CHESSBOARD.place(attacker)
    across, up = file - from_file, rank - from_rank
    if abs(up) >= abs(across):
        return (0, 1) if up > 0 else (0, -1)
    return (1, 0) if across > 0 else (-1, 0)


def squares_behind(state: State, attacker: Unit, target: Unit) -> tuple[str, ...]:
    """List the free squares straight behind the target, nearest first, up to a unit or the edge (TTC-112, TTC-113)."""
    if attacker.square is None or target.square is None:
        return ()
    occupied = state.occupied()
    back = CHESSBOARD.ray(target.square, *way_back(target.side, attacker.square, target.square, state.options))
    return tuple(takewhile(lambda square: square not in occupied, back))


def facts_anywhere(state: State, attacker: Unit, target: Unit, mode: Mode) -> Facts:
    """Return what two units and the card in play say of an attack, wherever they stand."""
    return Facts(
        mode=mode,
        attacker=attacker.kind,
        target=target.kind,
        attacking=attacker.side,
        defending=target.side,
        card=state.card,
        moved=attacker.moved,
        hits=target.hits,
        used=target.used if state.options.protection_per_turn else (),
    )


def facts_of(state: State, attacker: Unit, target: Unit, mode: Mode) -> Facts:
    """Derive the facts of an attack from a mirrored board."""
    start, goal = attacker.square, target.square
    if start is None or goal is None:
        raise Refusal(say("A unit off the board takes no part."), field="unit")
    facts = facts_anywhere(state, attacker, target, mode).but(
        attacker_terrain=state.ground(start),
        target_terrain=state.ground(goal),
        distance=CHESSBOARD.apart(start, goal),
        contact=bool(state.touching(attacker)),
        neighbour=state.in_formation(target),
        behind=len(squares_behind(state, attacker, target)),
    )
    if mode == "melee" or facts.attacker_terrain == "hill":
        return facts  # from a hill nothing ever closes a path (TTC-95)
    length = CHESSBOARD.shortest(start, goal, state.occupied() | state.terrain.keys())
    if length is None or length > max(range_of(facts), facts.distance):
        return facts.but(path=False)
    return facts.but(distance=length)


def mode_of(unit: Unit, target: Unit) -> Mode:
    """Return how a unit would attack a target: hand to hand where their squares share a side."""
    if unit.square is None or target.square is None or not KINDS[unit.kind].range:
        return "melee"
    return "melee" if CHESSBOARD.apart(unit.square, target.square) == 1 else "ranged"


def targets(state: State, unit: Unit) -> tuple[Unit, ...]:
    """List whom a unit could attack from where it stands on a mirrored board: with enemies in contact only those."""
    enemies = state.touching(unit)
    if unit.attacks >= rule_of(state.card).shots or (enemies and unit.attacks):
        return ()
    return enemies or tuple(enemy for enemy, refused in shots(state, unit) if refused is None)


def shots(state: State, unit: Unit) -> Iterator[tuple[Unit, Refusal | None]]:
    """List the enemies within range of a unit, each with what forbids the shot."""
    for enemy in state.in_play() if KINDS[unit.kind].range else ():
        if enemy.side == unit.side or enemy.square is None or unit.square is None:
            continue
        facts = facts_of(state, unit, enemy, "ranged")
        if CHESSBOARD.apart(unit.square, enemy.square) > range_of(facts):
            continue
        try:
            check_attack(facts)
        except Refusal as refused:
            yield enemy, refused
        else:
            yield enemy, None


def check_contact(attacker: Unit, target: Unit) -> None:
    """Refuse a melee without contact (TTC-76), and across a corner (TTC-79)."""
    if attacker.square is None or target.square is None or CHESSBOARD.apart(attacker.square, target.square) == 1:
        return
    if CHESSBOARD.share_a_corner(attacker.square, target.square):
        raise Refusal(say("There is no melee across a corner."), "TTC-79", "target")
    raise Refusal(say("Units fight hand to hand only when their squares share a side."), "TTC-76", "target")

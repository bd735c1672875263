"""A fight: evasion, dice, protection, hits and retreat, out of the facts of an attack; and its exact odds.

(TTC-76 to TTC-127; protection TTC-102 to TTC-109, retreat TTC-110 to TTC-114.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from companion.games.two_cities import combat
from companion.games.two_cities.combat import Facts
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import Mode, Result
from companion.kit.asking import Ask
from companion.kit.clash import Effect
from companion.kit.counts import dice, squares
from companion.kit.odds import Bar, Chart, odds
from companion.kit.questions import NO, YES, Choose, Foretold, Option
from companion.kit.ruling import Reason, taken_away, total
from companion.kit.text import Text, numbered, say

STRIKES: Mapping[Mode, tuple[int, ...]] = {"melee": (1, 2), "ranged": (1,)}
"""Faces that are hits (TTC-81, TTC-82)."""
DRIVES = 6
"""The face that is a retreat hit (TTC-84)."""
FAILS = (1, 2, 3)
SUCCEEDS = (4, 5, 6)
FARTHEST = 2
"""Squares that an evader goes back at most (TTC-126)."""
WHAT_HAPPENS = say("What happens")


def fight(
    facts: Facts,
    rules: Options,
    ask: Ask,
    shown: Callable[[Result], None] | None = None,
    behind: Sequence[str] = (),
) -> Result:
    """Resolve one attack: dice, evasion, faces, protection, hits, retreat; raise Refusal or Pending.

    ``shown`` is told what the target came to before the attacker is asked whether it takes its square. ``behind``
    names the free squares straight behind the target, where a board tells them.
    """
    combat.check_attack(facts)
    reach = combat.range_of(facts) if facts.mode == "ranged" else 0
    if facts.mode == "ranged":
        range_said = say("range {reach}; distance {far}", reach=reach, far=facts.distance)
        ask.tell(range_said, "TTC-93", reach, terms=combat.range_terms(facts))
    count = _tell_dice(combat.dice_terms(facts, rules), _does(facts, evaded=False), ask)
    evaded = _try_evasion(facts, rules, ask)
    if evaded is not None:
        whole = Reason(say("dice of the attack"), None, count)
        half = (taken_away(say("half, rounded up"), "TTC-124", count // 2),) if evaded else ()
        count = _tell_dice((whole, *half), _does(facts, evaded=evaded), ask)
    why, alike = say("Attack: {dice}", dice=dice(count)), groups_alike(facts, evaded=bool(evaded))
    does = _does(facts, evaded=bool(evaded))
    faces = ask.throw(count, 6, "attack", why, by=facts.attacking, clause="TTC-86", alike=alike, does=does)
    ask.show(faces)
    struck, driven = _read_faces(facts, faces, evaded=bool(evaded), ask=ask)
    result = Result(facts.mode, count, faces, struck, driven, evaded, range=reach, distance=facts.distance)
    guard = _protect(facts, rules, struck, driven, ask, evaded=bool(evaded))
    ignored = "hit" if guard.hits else "retreat" if guard.retreats else "none"
    result = result.but(ignored=ignored, used=guard.used, hits_taken=struck - guard.hits)
    result = _suffer(facts, result, driven - guard.retreats, behind, ask)
    if shown is not None:
        shown(result)
    return result.but(advances=result.destroyed and _advances(facts, rules, result.steps, ask))


def _tell_dice(terms: tuple[Reason, ...], does: tuple[Effect, ...], ask: Ask) -> int:
    count = total(terms)
    ask.tell(dice(count), None, count, terms=terms)
    ask.expect(does)
    return count


def groups_alike(facts: Facts, *, evaded: bool) -> tuple[tuple[int, ...], ...]:
    """Group the faces of the combat die that do the same in this attack (TTC-81 to TTC-84, TTC-08, TTC-125)."""
    struck = STRIKES[facts.mode]
    rest = tuple(face for face in range(1, 7) if face not in struck)
    if evaded or facts.city:
        return (struck, rest)
    return (struck, tuple(face for face in rest if face != DRIVES), (DRIVES,))


def _does(facts: Facts, *, evaded: bool) -> tuple[Effect, ...]:
    """Say what the faces of the combat die do in this attack, as they are grouped."""
    struck = Effect(STRIKES[facts.mode], say("hit"))
    return (struck,) if evaded or facts.city else (struck, Effect((DRIVES,), say("retreat"), harm=True))


def cancels(facts: Facts, rules: Options) -> tuple[tuple[Text, str], ...]:
    """Say what may still save the target of an attack, each with the question that settles it.

    That is terrain, a formation, an evasion (TTC-102, TTC-103, TTC-118).
    """
    ground = Text(f"the_{facts.target_terrain}")
    ways = (
        (say("{terrain}: may ignore a hit", terrain=ground), "protection", combat.no_terrain(facts)),
        (say("Formation: may ignore a hit or a retreat"), "protection", combat.no_formation(facts, rules)),
        (say("May evade on 4, 5 or 6: half the dice"), "evasion", combat.no_evasion(facts, rules)),
    )
    return tuple((said, key) for said, key, barred in ways if barred is None)


def _read_faces(facts: Facts, faces: tuple[int, ...], *, evaded: bool, ask: Ask) -> tuple[int, int]:
    ones, twos, sixes = (faces.count(face) for face in (1, 2, DRIVES))
    if twos and facts.mode == "ranged":
        ask.tell(say("A 2 does nothing at range"), "TTC-82", 0)
        twos = 0
    if ones:
        ask.tell(say("A 1 is a hit: {hits}", hits=hits(ones)), "TTC-81", ones)
    if twos:
        ask.tell(say("A 2 is a hit in melee: {hits}", hits=hits(twos)), "TTC-82", twos)
    if sixes and facts.city:
        ask.tell(say("Retreat hits do nothing to a city"), "TTC-08", 0)
    elif sixes and evaded:
        ask.tell(say("Retreat hits are void after an evasion"), "TTC-125", 0)
    elif sixes:
        ask.tell(numbered("A [drives] is a retreat hit: {count}", drives=DRIVES, count=sixes), "TTC-84", sixes)
    return ones + twos, 0 if facts.city or evaded else sixes


def _try_evasion(facts: Facts, rules: Options, ask: Ask) -> bool | None:
    """Ask the defender (TTC-122), then the die (TTC-123); None when nobody tries."""
    options = (Option("no", say("Stand and fight")), Option("yes", say("Evade"), combat.no_evasion(facts, rules)))
    why = say("Evade? On 4, 5 or 6 the attacker rolls half the dice and retreat hits are void")

    def foretold() -> Foretold:
        return Foretold({value: threat(chances(facts, rules, evade=value == "yes")) for value in ("no", "yes")})

    if ask.choose_foretold(facts.defending, options, "evasion", why, foretold, clause="TTC-118") == "no":
        return None
    ask.tell(say("{unit}: declares an evasion", unit=Text(facts.target)), "TTC-118")
    return roll_evasion(facts, ask)


def roll_evasion(facts: Facts, ask: Ask) -> bool:
    """Throw the evasion die: 4 to 6 succeeds (TTC-123), else it is an ordinary attack (TTC-127)."""
    why, of = say("Evasion: 4, 5 or 6 succeeds"), say("evasion")
    alike, does = (FAILS, SUCCEEDS), (Effect(SUCCEEDS, say("evades")), Effect(FAILS, say("fails"), harm=True))
    (face,) = ask.throw(1, 6, "evasion_die", why, by=facts.defending, clause="TTC-86", alike=alike, does=does, of=of)
    fails = say("The evasion fails: an ordinary attack ({see})", see="TTC-127")
    ask.tell(fails if face in FAILS else say("The evasion succeeds"), "TTC-123", faces=(face,))
    return face in SUCCEEDS


class Protection(NamedTuple):
    """What a target protects itself with (``terrain``, ``formation`` or nothing), and what that ignores."""

    used: str = ""
    hits: int = 0
    retreats: int = 0


PROTECTIONS = {
    "none": Protection(),
    "terrain": Protection("terrain", hits=1),
    "formation_hit": Protection("formation", hits=1),
    "formation_retreat": Protection("formation", retreats=1),
}


def _protect(facts: Facts, rules: Options, struck: int, driven: int, ask: Ask, *, evaded: bool) -> Protection:
    """Ask the defender which protection to use, if any (TTC-106, TTC-108).

    A protection that has nothing to ignore is no choice; one that the unit has no right to is barred.
    """
    if not struck and not driven and "protection" not in ask.intended:
        return PROTECTIONS["none"]
    ground = say("Terrain") if facts.target_terrain == "open" else Text(f"the_{facts.target_terrain}")
    formation = combat.no_formation(facts, rules)
    wishes = (
        ("terrain", say("{terrain}: ignore one hit", terrain=ground), combat.no_terrain(facts), struck),
        ("formation_hit", say("Formation: ignore one hit"), formation, struck),
        ("formation_retreat", say("Formation: ignore one retreat hit"), formation, driven),
    )
    options = [Option("none", say("No protection"))]
    options += [Option(key, label, barred) for key, label, barred, rolled in wishes if barred or rolled]
    why = say("{unit}: only one protection against each attack. Which?", unit=Text(facts.target))

    def foretold() -> Foretold:
        free = [option.value for option in options if option.barred is None]
        return _aftermaths(facts, struck, driven, free, evaded=evaded)

    guard = PROTECTIONS[ask.choose_foretold(facts.defending, options, "protection", why, foretold, clause="TTC-106")]
    if guard.used == "terrain":
        ask.tell(say("{terrain}: one hit ignored", terrain=ground), "TTC-102", -1)
    elif guard.hits:
        ask.tell(say("Formation: one hit ignored"), "TTC-103", -1)
    elif guard.retreats:
        ask.tell(say("Formation: one retreat hit ignored"), "TTC-104", -1)
    return guard


def _aftermaths(facts: Facts, struck: int, driven: int, keys: list[str], *, evaded: bool) -> Foretold:
    """Say what becomes of the target with each protection, first the one that costs it least."""
    after = {
        key: _aftermath(facts, struck - guard.hits, driven - guard.retreats, evaded=evaded)
        for key, guard in PROTECTIONS.items()
    }
    said = {}
    order = sorted(keys, key=lambda key: after[key][:2])
    for key in order:
        vain = key != "none" and after[key] == after["none"]
        said[key] = say("{after}: nothing gained", after=after[key].said) if vain else after[key].said
    best, *others = (after[key] for key in order)
    clear = any(other != best for other in others) and all(best.spares_as_much_as(other) for other in others)
    return Foretold(said, order[0] if clear else None)


class Aftermath(NamedTuple):
    """What becomes of a target: all its hits, a closed retreat's too, and squares gone back."""

    hits: int
    steps: int
    said: Text
    destroyed: bool = False

    def spares_as_much_as(self, other: Aftermath) -> bool:
        """Tell whether nobody would rather have the other: it is worse in nothing."""
        if self.destroyed or other.destroyed:
            return other.destroyed
        return self.hits <= other.hits and self.steps <= other.steps


def _aftermath(facts: Facts, struck: int, driven: int, *, evaded: bool) -> Aftermath:
    """Foretell what becomes of a target that suffers these hits and retreat hits (TTC-04, TTC-110 to 113, TTC-128)."""
    strength = facts.target_kind.strength
    steps = min(driven, facts.behind)
    suffered = min(facts.hits + struck, strength)
    if suffered < strength:
        suffered = min(suffered + driven - steps, strength)
    if suffered == strength:
        lost = say("the city falls and the game is lost") if facts.city else say("destroyed")
        return Aftermath(suffered, 0, lost, destroyed=True)
    count = say("{hits} of {strength}", hits=hits(suffered), strength=strength)
    if steps:
        return Aftermath(suffered, steps, say("{hits}, {back}", hits=count, back=say("back {far}", far=squares(steps))))
    said = count if evaded or facts.city else say("{hits}, stays", hits=count)
    return Aftermath(suffered, 0, said)


def _suffer(facts: Facts, result: Result, retreats: int, behind: Sequence[str], ask: Ask) -> Result:
    """Apply the hits first; what survives them goes back, and may die of a closed square (TTC-04, TTC-110)."""
    strength, suffered = facts.target_kind.strength, facts.hits + result.hits_taken
    steps = blocked = 0
    if suffered < strength:
        steps, blocked = (_fall_back(facts, behind, ask), 0) if result.evaded else _retreat(facts, retreats, ask)
    suffered = min(suffered + blocked, strength)
    destroyed = suffered == strength
    said = say("{hits} of {strength}", hits=hits(suffered), strength=strength)
    if destroyed:
        said = say("{hits} of {strength}: destroyed", hits=hits(suffered), strength=strength)
    ask.tell(said, "TTC-04")
    return result.but(steps=steps, blocked=blocked, hits_after=suffered, destroyed=destroyed)


def _retreat(facts: Facts, retreats: int, ask: Ask) -> tuple[int, int]:
    """Go one square back for each retreat hit (TTC-111); each that is prevented is one hit (TTC-113).

    Returns (squares gone back, hits from closed squares).
    """
    steps = min(retreats, facts.behind)
    blocked = retreats - steps
    if steps:
        ask.tell(say("Retreat: {far} back", far=squares(steps)), "TTC-111", steps)
    if blocked:
        ask.tell(say("The retreat is closed: {hits}", hits=hits(blocked)), "TTC-113", blocked)
    return steps, blocked


def _fall_back(facts: Facts, behind: Sequence[str], ask: Ask) -> int:
    """Ask how far the surviving evader goes back: 1 or 2 free squares (TTC-126)."""
    room = min(FARTHEST, facts.behind)
    barred = Reason(say("Only free squares count: there is {room} behind.", room=squares(room)), "TTC-126")
    options = tuple(
        Option(str(steps), squares(steps), None if steps <= room else barred) for steps in range(1, FARTHEST + 1)
    )
    why = say("How far back does the evader go?")

    def foretold() -> Foretold:
        return Foretold({str(far): say("to {square}", square=to) for far, to in enumerate(behind[:FARTHEST], 1)})

    steps = int(ask.choose_foretold(facts.defending, options, "evasion_steps", why, foretold, clause="TTC-126"))
    ask.tell(say("The evader goes back {far}", far=squares(steps)), "TTC-126")
    return steps


def _advances(facts: Facts, rules: Options, steps: int, ask: Ask) -> bool:
    """Tell whether the attacker takes the square: after melee (TTC-116), unless the target fell back (TTC-117)."""
    if facts.mode == "ranged" or steps:
        return False
    if rules.advance_optional and not facts.city:
        options = (Option("yes", YES), Option("no", NO))
        if ask.choose(facts.attacking, options, "advance", say("Take the emptied square?"), clause="TTC-116") == "no":
            return False
    ask.tell(say("The attacker takes the square"), "TTC-115")
    return True


def hits(count: int) -> Text:
    """Say a number of hits."""
    return say("{count} hit|{count} hits", count=count)


def harm(result: Result, count: int, back: Text | None) -> Text | None:
    """Say new hits and the way back, whichever there are, else what kept the target from both; None without any."""
    if count and back:
        return say("{hits}, {back}", hits=hits(count), back=back)
    if count or back:
        return hits(count) if count else back
    match result.used:
        case "terrain":
            return say("^terrain shields it")
        case "formation":
            return say("^formation holds")
    return None


class Fate(NamedTuple):
    """What becomes of a target: new hits, whether it is destroyed, squares gone back, protection used."""

    hits: int = 0
    destroyed: bool = False
    steps: int = 0
    used: str = ""


def worth(fates: Mapping[Fate, Fraction]) -> tuple[Fraction, Fraction]:
    """Return how likely a target is destroyed, and how many new hits it has on average."""
    dead = sum((chance for fate, chance in fates.items() if fate.destroyed), Fraction(0))
    return dead, sum((chance * fate.hits for fate, chance in fates.items()), Fraction(0))


def _pick(_: Choose, ways: Mapping[str, dict[Fate, Fraction]]) -> str:
    """Protect as the defender would: stay alive, then fewest new hits, then the protection that is offered first."""
    return min(ways, key=lambda protection: worth(ways[protection]))


def _settled(question: Choose, *, evade: bool) -> str | None:
    """Settle what changes no odds, or is asked for: the evasion, as far back as it can go, the advance."""
    if question.key == "protection":
        return None
    if question.key == "evasion":
        return "yes" if evade else "no"
    return max(option.value for option in question.options if option.barred is None)


@lru_cache(maxsize=4096)
def chances(facts: Facts, rules: Options, *, evade: bool) -> dict[Fate, Fraction]:
    """Work out the distribution of a target's fate; ``evade`` when it declares an evasion if it may."""

    def fate(ask: Ask) -> Fate:
        result = fight(facts, rules, ask)
        return Fate(result.hits_after - facts.hits, result.destroyed, result.steps, result.used)

    return odds(fate, _pick, lambda question: _settled(question, evade=evade))


def threat(fates: Mapping[Fate, Fraction]) -> Text:
    """Say how likely a target is hit, and destroyed if that is worth a word."""
    hit = round(100 * sum((chance for fate, chance in fates.items() if fate.hits), Fraction(0)))
    lost = round(100 * sum((chance for fate, chance in fates.items() if fate.destroyed), Fraction(0)))
    return say("hit {hit}%, destroyed {lost}%", hit=hit, lost=lost) if lost else say("hit {hit}%", hit=hit)


def charts_of(facts: Facts, rules: Options) -> tuple[Chart, ...]:
    """Show the odds of one attack: with and without evasion where the defender may evade."""
    stands = chances(facts, rules, evade=False)
    if combat.no_evasion(facts, rules) is not None:
        return charts(stands)
    evades = chances(facts, rules, evade=True)
    return (*charts(stands, say("if it stands")), *charts(evades, say("if it evades")))


def charts(fates: Mapping[Fate, Fraction], case: Text | None = None) -> tuple[Chart, Chart]:
    """Show a distribution in two ways, each of which adds up to one: what becomes of the target, how many new hits."""

    def chance(event: Callable[[Fate], bool]) -> Fraction:
        return sum((part for fate, part in fates.items() if event(fate)), Fraction(0))

    def titled(what: Text) -> Text:
        return what if case is None else say("{what} {case}", what=what, case=case)

    happens = (
        Bar(say("Destroyed"), chance(lambda fate: fate.destroyed)),
        Bar(say("Driven back"), chance(lambda fate: not fate.destroyed and fate.steps > 0)),
        Bar(say("Hits only"), chance(lambda fate: not fate.destroyed and fate.steps == 0 and fate.hits > 0)),
        Bar(say("No effect"), chance(lambda fate: not fate.destroyed and fate.steps == 0 and fate.hits == 0)),
    )
    struck = tuple(
        Bar(hits(count), sum((part for fate, part in fates.items() if fate.hits == count), Fraction(0)))
        for count in range(max(fate.hits for fate in fates) + 1)
    )
    return Chart(titled(WHAT_HAPPENS), happens), Chart(titled(say("How many hits")), struck)

"""Raising an army behind the screen, and what is set by hand there (CW-11 to CW-18, CW-180)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from companion.games.chesswar import speech
from companion.games.chesswar.armies import ARMIES, BOUGHT, TYPES, Army, ArmyId, Piece, UnitType
from companion.games.chesswar.options import DEPTH, Options, Side, home
from companion.games.chesswar.state import BEFORE, INITIALS, LETTERS, Number, Phase, State, Unit
from companion.kit.action import Action, Budget, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction, Group
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

raising = Chapter[State, Side]()

NEAREST_FIRST: tuple[Piece, ...] = ("pawn", "knight", "bishop", "rook", "queen", "king")
SPENT = "{count} point is left, and lost|{count} points are left, and lost"


class ChooseArmy(Action, frozen=True, tag="choose_army"):
    """Say which army you lead, for all to hear (CW-11)."""

    army: ArmyId


class RaiseArmy(Action, frozen=True, tag="raise_army"):
    """Buy an army: how many of each piece, beside the general (CW-13 to CW-16)."""

    army: ArmyId
    queen: Number = 0
    rook: Number = 0
    bishop: Number = 0
    knight: Number = 0
    pawn: Number = 0

    @property
    def counts(self) -> dict[Piece, int]:
        """Return how many of each piece are bought."""
        return dict(zip(BOUGHT, (self.queen, self.rook, self.bishop, self.knight, self.pawn), strict=True))


@raising.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer to choose an army, and to raise it (CW-11 to CW-17)."""
    if state.phase == "choosing" and side not in state.armies and side not in state.ready:
        yield ChooseArmy.offer(say("Choose my army"), _which(state, ARMIES.values()), main=True, clause="CW-11")
    elif state.phase == "raising" and side not in state.ready:
        yield from _raise(state, side)
        if side in state.kept:
            others = (army for army in ARMIES.values() if army.id != state.armies[side])
            yield ChooseArmy.offer(say("Lead another army"), _which(state, others), aside=True, clause="CW-11")


def _which(state: State, armies: Iterable[Army]) -> Field:
    options = (Option(army.id, Text(army.id), note=_about(state.options, army), sheet=army.id) for army in armies)
    return Field("army", say("Army"), "choice", tuple(options))


def _about(options: Options, army: Army) -> Text:
    """Say in two sentences what an army is like, and what it can buy for how much."""
    units = speech.listed(tuple(Text(kind.id) for kind in army.unit if not kind.general))
    about, points = Text(f"about.{army.id}"), budget(options, army)
    return say("{about} {points} points: {units}.", about=about, points=points, units=units)


def _raise(state: State, side: Side) -> Iterator[Offer]:
    raised = any(unit.side == side for unit in state.units)
    known, have = state.armies.get(side), bought(state, side)
    armies = [ARMIES[known]] if state.options.race == "declared" and known else list(ARMIES.values())
    listed = tuple(Option(army.id, Text(army.id)) for army in armies)
    for army in armies:
        about, fields = Text(f"about.{army.id}"), []
        for piece in BOUGHT:
            if kind := army.of(piece):
                most, count = kind.max * times(state.options), have[piece] if army.id == known else 0
                does = Text(f"does.{kind.id}")
                fields.append(Field(piece, Text(kind.id), "number", (), count, high=most, cost=kind.cost, hint=does))
        yield RaiseArmy.offer(
            say("Change my army") if raised else say("Raise my army"),
            *fields,
            army=army.id,
            main=not raised,
            clause="CW-14",
            budget=Budget(budget(state.options, army), say("Army")),
            keeps="army",
            among=Field("army", say("Army"), "choice", listed, army.id, hint=about) if len(armies) > 1 else None,
            sheet=army.id,
            advice=(_general(state.options, army),),
        )


def _general(options: Options, army: Army) -> Reason:
    """Say what the general can do, who comes with every army (CW-13, CW-180)."""
    general, does = Text(army.general.id), Text(f"does.{army.general.id}")
    if times(options) > 1:
        return Reason(say("Two generals, free: {general}. {does}.", general=general, does=does), "CW-180")
    return Reason(say("{general}, free. {does}.", general=general, does=does), "CW-13")


def times(options: Options) -> int:
    """Return how many times the points, the maxima and the general an army has (CW-180)."""
    return 2 if options.extended else 1


def budget(options: Options, army: Army) -> int:
    """Return the points of an army (CW-14, CW-180)."""
    return army.points * times(options)


def price(army: Army, counts: Mapping[Piece, int]) -> int:
    """Add up what units cost (CW-14)."""
    return sum(count * kind.cost for piece, count in counts.items() if (kind := army.of(piece)) is not None)


def check(options: Options, army: Army, counts: Mapping[Piece, int]) -> None:
    """Refuse an army that may not be raised, naming what is wrong (CW-13 to CW-16)."""
    name = Text(army.id)
    for piece, count in counts.items():
        if kind := army.of(piece):
            if count > (most := kind.max * times(options)):
                said = say("{unit}: {count} of at most {most}.", unit=Text(kind.id), count=count, most=most)
                raise Refusal(said, "CW-15", piece)
        elif count:
            said = say("{army}: there is no {piece} in this army.", army=name, piece=Text(piece))
            raise Refusal(said, "CW-16", piece)
    spent, points = price(army, counts), budget(options, army)
    if spent > points:
        said = say("That costs {spent} points; the army ({army}) has {points}.", spent=spent, army=name, points=points)
        dearest = max(BOUGHT, key=lambda piece: price(army, {piece: counts.get(piece, 0)}))
        raise Refusal(said, "CW-14", dearest)


def check_before(state: State, *phases: Phase) -> None:
    """Refuse what belongs to the time before the game, or to other ``phases`` of it (CW-11, CW-20, CW-23)."""
    if state.phase not in (*BEFORE, "redeploying"):
        raise Refusal(say("The game has begun: the armies stand as they were deployed."), "CW-20")
    if state.phase in phases:
        return
    if state.phase == "choosing":
        raise Refusal(say("First everybody says which army it is."), "CW-11")
    if state.phase == "redeploying":
        raise Refusal(say("The armies are raised: they may only be rearranged."), "CW-23")
    raise Refusal(say("The armies are chosen, or kept secret."), "CW-11")


def leads(_state: State, side: Side, action: ChooseArmy) -> Text:
    """Say which army a side leads."""
    return say("{side} leads {army}", side=Text(side), army=Text(f"the_{action.army}"))


@raising.rule(ChooseArmy, says=leads)
def choose_army(state: State, side: Side, action: ChooseArmy, ask: Ask) -> State:
    """Say which army a side leads, before anybody buys units (CW-11); at a rematch instead of the one it led."""
    another = side in state.kept and side not in state.ready and action.army != state.armies[side]
    check_before(state, "choosing", *(("raising",) if another else ()))
    if side in state.armies and not another:
        raise Refusal(say("You have chosen already."), "CW-11", "army")
    ask.tell(leads(state, side, action), "CW-11")
    if action.army in state.armies.values():
        ask.tell(say("Two of the same army: different ones are recommended"), "CW-12")
    state = state.but(
        armies={**state.armies, side: action.army},
        units=tuple(unit for unit in state.units if unit.side != side),
        kept=tuple(other for other in state.kept if other != side),
    )
    return state.but(phase="raising") if len(state.armies) == len(state.sides) else state


def again(fresh: State, before: State, there: Mapping[Side, Side]) -> State:
    """Begin a rematch with the army that each side had raised, lined up anew (CW-11 to CW-20)."""
    declared, led = fresh.options.race == "declared", {there[side]: army for side, army in before.armies.items()}
    armies = {side: led[side] for side in fresh.sides if side in led}
    state = fresh.but(armies=armies, kept=tuple(armies) if declared else ())
    if declared and len(armies) < len(fresh.sides):
        return state
    state = state.but(phase="raising")
    for side in before.sides:
        counts = before.lists.get(side) or bought(before, side)
        if there[side] in armies and any(unit.side == side for unit in before.units):
            army = ARMIES[armies[there[side]]]
            units = (*state.units, *_line_up(state, there[side], army, counts))
            state = state.but(units=units) if may_raise(state.options, army, counts) else state
    return state


def may_raise(options: Options, army: Army, counts: Mapping[Piece, int]) -> bool:
    """Tell whether an army may be raised (CW-13 to CW-16)."""
    try:
        check(options, army, counts)
    except Refusal:
        return False
    return True


@raising.rule(RaiseArmy, says=lambda _, side, _action: say("{side} raises an army", side=Text(side)))
def raise_army(state: State, side: Side, action: RaiseArmy, ask: Ask) -> State:
    """Buy an army, and line it up on the home squares until its player changes that (CW-13 to CW-18)."""
    check_before(state, "raising")
    if side in state.ready:
        raise Refusal(say("Your army is deployed."), "CW-18")
    if state.options.race == "declared" and state.armies.get(side) != action.army:
        raise Refusal(say("You said that you lead another army."), "CW-11", "army")
    army = ARMIES[action.army]
    check(state.options, army, action.counts)
    left = budget(state.options, army) - price(army, action.counts)
    units = _enlist(state, side, army, action.counts)
    said = say("{army}: {count} unit|{army}: {count} units", army=Text(army.id), count=len(units))
    ask.tell(said, "CW-14", seat=side)
    if left:
        ask.tell(say(SPENT, count=left), "CW-17", seat=side)
    others = tuple(unit for unit in state.units if unit.side != side)
    return state.but(armies={**state.armies, side: action.army}, units=(*others, *units))


def _enlist(state: State, side: Side, army: Army, counts: Mapping[Piece, int]) -> tuple[Unit, ...]:
    """Make the units and line them up; in an army that is changed, those placed by hand stay where they are."""
    made = _line_up(state, side, army, counts)
    before = tuple(unit for unit in state.units if unit.side == side)
    if not state.mirrored or not before:
        return made
    if before == _line_up(state, side, ARMIES[state.armies[side]], bought(state, side)):
        return made
    kinds = {unit.id: unit.type for unit in made}
    stay = {unit.id: unit.square for unit in before if kinds.get(unit.id) == unit.type}
    free = [square for square in _spread(home(state.options, side)) if square not in stay.values()]
    others = dict(zip((name for name in kinds if name not in stay), free, strict=False))
    return tuple(replace(unit, square={**others, **stay}.get(unit.id)) for unit in made)


def _line_up(state: State, side: Side, army: Army, counts: Mapping[Piece, int]) -> tuple[Unit, ...]:
    """Put basic troops in front and the general behind, spread over the files."""
    whole: dict[Piece, int] = {**counts, "king": times(state.options)}
    units = [
        Unit(f"{INITIALS[side]}{LETTERS[piece]}{count}", side, kind.id)
        for piece in NEAREST_FIRST
        if (kind := army.of(piece)) is not None
        for count in range(1, whole[piece] + 1)
    ]
    squares = _spread(home(state.options, side)) if state.mirrored else [None] * len(units)
    return tuple(replace(unit, square=square) for unit, square in zip(units, squares, strict=False))


def _spread(squares: tuple[str, ...]) -> tuple[str, ...]:
    """Order home squares rank by rank from the front, from the middle of each rank outwards."""
    width = len(squares) // DEPTH
    outwards = sorted(range(width), key=lambda at: (abs(at - (width - 1) / 2), at))
    return tuple(squares[rank * width + at] for rank in range(DEPTH) for at in outwards)


def bought(state: State, side: Side) -> dict[Piece, int]:
    """Return how many of each piece a side has bought so far."""
    pieces = [unit.kind.piece for unit in state.units if unit.side == side]
    return {piece: pieces.count(piece) for piece in BOUGHT}


def points_left(state: State, side: Side) -> int:
    """Return the points that a side has left for its army (CW-17)."""
    army = ARMIES[state.armies[side]]
    return budget(state.options, army) - price(army, bought(state, side))


def spend_hint(state: State, side: Side) -> tuple[Reason, ...]:
    """Remind of points that are left (CW-17)."""
    left = points_left(state, side) if any(unit.side == side for unit in state.units) else 0
    return (Reason(say(SPENT, count=left), "CW-17"),) if left > 0 else ()


ARMY = Group("army.", say("Armies"))
UNKNOWN = "none"


def corrections(state: State) -> Iterator[Correction[State]]:
    """Declare which army each side leads, and before all have deployed what stands behind each screen.

    Whether a side has chosen its army is known to all; which one may be a secret. Behind the screen armies are listed
    alike whatever they are, square by square or by piece. Nothing that is set there is ever refused: a refusal would
    tell others what stands there (CW-18, CW-20).
    """
    open_race = state.options.race == "declared" or state.phase not in BEFORE
    none = (Option(UNKNOWN, say("none yet")),) if open_race and state.phase in BEFORE else ()
    options = (*none, *(Option(army, Text(army)) for army in ARMIES))
    for side in state.sides:
        if none or side in state.armies:
            field = Field("value", Text(side), "choice", options, value=state.armies.get(side, UNKNOWN))
            yield ARMY.value(side, field, partial(_lead, state, side), secret_of=None if open_race else side)
    if state.phase == "raising":
        behind = _squares if state.mirrored else _pieces
        for side in state.sides:
            if side in state.armies:
                yield from behind(state, side, Group(f"screen.{side}.", say("{side}'s deployment", side=Text(side))))


def _squares(state: State, side: Side, screen: Group) -> Iterator[Correction[State]]:
    """Declare what stands on each home square: a unit of the army, of any army where it is a secret which one it is."""
    kinds = TYPES.values() if state.options.race == "secret" else ARMIES[state.armies[side]].unit
    options = (Option(UNKNOWN, say("nobody")), *(Option(kind.id, Text(kind.id)) for kind in kinds))
    there = {unit.square: unit.type for unit in state.units if unit.side == side}
    for square in home(state.options, side):
        field = Field("value", say("{square}", square=square), "choice", options, value=there.get(square, UNKNOWN))
        yield screen.value(square, field, partial(_stand, state, side, square), secret_of=side)


def _pieces(state: State, side: Side, screen: Group) -> Iterator[Correction[State]]:
    secret = state.options.race == "secret"
    armies = tuple(ARMIES.values()) if secret else (ARMIES[state.armies[side]],)
    mine = [unit.kind.piece for unit in state.units if unit.side == side]
    for piece in ("king", *BOUGHT):
        if kinds := [kind for army in armies if (kind := army.of(piece)) is not None]:
            label, high = Text(piece if secret else kinds[0].id), max(kind.max for kind in kinds) * times(state.options)
            field = Field("value", label, "number", value=mine.count(piece), high=high)
            yield screen.value(piece, field, partial(_count, state, side, piece), secret_of=side)


def _lead(state: State, side: Side, army: str, _ask: Ask) -> State:
    """Say which army a side leads; what it has raised already becomes the like of that army, piece by piece."""
    known = {**state.armies, side: ARMIES[army].id if army in ARMIES else None}
    # In the order of the sides: who was corrected last is nobody's business.
    led = {other: leads for other in state.sides if (leads := known.get(other))}
    if state.phase not in BEFORE:
        return state.but(armies=led)
    units = tuple(new for unit in state.units if (new := _like(unit, side, ARMIES.get(army))) is not None)
    ready = state.ready if army in ARMIES else tuple(other for other in state.ready if other != side)
    state = state.but(armies=led, units=units, ready=ready)
    if state.options.race == "secret":
        return state
    return state.but(phase="raising" if len(led) == len(state.sides) else "choosing")


def _like(unit: Unit, side: Side, army: Army | None) -> Unit | None:
    if unit.side != side:
        return unit
    kind = army.of(unit.kind.piece) if army else None
    return replace(unit, type=kind.id) if kind else None


def _stand(state: State, side: Side, square: str, kind: str, _ask: Ask) -> State:
    state = state.but(units=tuple(unit for unit in state.units if unit.side != side or unit.square != square))
    return state if kind == UNKNOWN else _join(state, side, TYPES[kind], square)


def _count(state: State, side: Side, piece: str, sent: str, _ask: Ask) -> State:
    count, kind = int(sent), ARMIES[state.armies[side]].of(piece)
    mine = [unit.id for unit in state.units if unit.side == side and unit.kind.piece == piece]
    state = state.but(units=tuple(unit for unit in state.units if unit.id not in mine[count:]))
    for _ in range(count - len(mine)):
        state = _join(state, side, kind, None) if kind else state
    return state


def _join(state: State, side: Side, kind: UnitType, square: str | None) -> State:
    return state.but(units=(*state.units, Unit(state.new_id(side, kind), side, kind.id, square)))

"""Corrections of what lies on the table: units and lost ones, headquarters, terrain cards, natural features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, get_args

from msgspec.structs import replace

from companion.games.tactics_2gm import fire, players, speech, start, terrain
from companion.games.tactics_2gm.cards import Class, Feature, UnitCard
from companion.games.tactics_2gm.options import SIDES, Seat, Side, grid, in_line, other, seats_of, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Ground, Headquarters, Natural, State, Token, Unit
from companion.kit.asking import Ask
from companion.kit.correction import OFF, Correction, Group, choice
from companion.kit.decks.entries import but
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

ON, NOTHING = "on", "none"
OUT, GONE = Option(OFF, say("out of play")), Option(OFF, say("removed"))
OF_SIDES: dict[Side, Text] = {side: Text(side) for side in SIDES}
PARTS: dict[Side, Text] = {"allies": say("Units of the Allies"), "axis": say("Units of the Axis")}
TERRAIN_CARDS = Group("ground.", say("Terrain"))
NATURAL = Group("natural.", say("Natural features"))
FEATURES: tuple[Feature, ...] = get_args(Feature)
CLASSES: dict[Class, Text] = {class_: Text(class_) for class_ in get_args(Class)}
Carried = Literal["none", "ready", "fresh", "grey", "works"]
CARRIED: dict[Carried, Text] = {
    "none": say("it has none"),
    "ready": say("ready to use"),
    "fresh": say("grey since this turn"),
    "grey": say("grey since before"),
    "works": say("in use"),
}
"""What there is to say of a token: grey ones turn back in the flip phase, those of this turn do not (G2-120)."""


def corrections(state: State) -> Iterator[Correction[State]]:
    """Declare every value of what lies on the table, and what can be brought back or laid anew."""
    places = square_options(grid(state.options).squares()) if state.mirrored else ()
    for side in SIDES:
        for unit in state.of(side):
            yield from _unit(state, unit, places)
    back = Group("back.", say("A unit that was lost"))
    for seat in state.seats:
        if lost := _lost(state, seat):
            named = (Option(str(at), players.card_name(state, seat, code)) for at, code in lost)
            options = (Option(NOTHING, say("nobody")), *named)
            yield back.choice(seat, Text(seat), options, NOTHING, partial(_bring_back, state, seat))
    for hq in state.headquarters:
        yield from _headquarters(state, hq)
    yield from _terrain(state)
    if state.mirrored and state.headquarters:
        yield from _natural(state)


def _lost(state: State, seat: Seat) -> tuple[tuple[int, str], ...]:
    """List the discarded unit cards of a player that can be in play again, by their place: bombers never stay."""
    cards = ((at, code, state.find_card(seat, code)) for at, code in enumerate(state.deck(seat).discard))
    return tuple((at, code) for at, code, card in cards if isinstance(card, UnitCard) and card.subtype != "bomber")


def _unit(state: State, unit: Unit, places: tuple[Option, ...]) -> Iterator[Correction[State]]:
    card = state.card(unit)
    values = Group(f"unit.{unit.id}.", speech.unit(state, unit), part=PARTS[unit.side])
    change = partial(state.with_unit, unit.id)
    label, options, place = _place(state, unit, places)
    yield values.choice("square", label, options, place, partial(_put, state, unit))
    if card.wounds > 1:
        yield values.number("wounds", say("Wounds"), unit.wounds, lambda n: change(wounds=n), high=card.wounds - 1)
    for slot in _slots(card):
        yield _carried(state, unit, slot, values)
    if unit.cards:
        names = [players.card_name(state, laid.seat, laid.code) for laid in unit.cards]
        yield _staying(values, "cards", say("Cards on it"), names, partial(_uncover, state, unit))
    if unit.marks:
        names = [say("{name}", name=mark.name) for mark in unit.marks]
        yield _staying(values, "marks", say("Effects on it"), names, partial(_unmark, state, unit))
    if any(option.pins for _, option in state.equipment(unit)) or unit.set_up:
        label = say("Its heavy weapon is set up")
        yield values.yes_no("set_up", label, lambda up: change(set_up=up), value=unit.set_up)
    if state.begun:
        yield from _this_turn(state, unit, values)


def _place(state: State, unit: Unit, places: tuple[Option, ...]) -> tuple[Text, tuple[Option, ...], str]:
    """Return what a unit's place is called, where it may be, and where it is."""
    if state.flies(unit):
        return say("Place"), (Option(ON, say("beside its headquarters")), OUT), ON
    if state.mirrored:
        return say("Square"), (*places, OUT), unit.square or OFF
    inside = tuple(Option(ground.id, speech.ground(state, ground)) for ground in state.grounds)
    return say("Place"), (Option(ON, say("in the open")), *inside, OUT), unit.inside or ON


def _put(state: State, unit: Unit, place: str) -> State:
    """Put a unit on another square or in another terrain, or take it out of play (G2-85, G2-125)."""
    if place == OFF:
        return fire.leave(state, unit)
    if not state.mirrored or state.flies(unit):
        inside = None if place == ON else place
        ground = state.ground(inside)
        if ground is not None and state.occupant(ground) not in {None, unit}:
            raise Refusal(say("Somebody stands there."), "G2-85", "value")
        return state.with_unit(unit.id, inside=inside)
    if state.at(place) not in {None, unit}:
        raise Refusal(say("{square} is occupied.", square=place), "G2-85", "value")
    return state.with_unit(unit.id, square=place, came_from=None)


def _slots(card: UnitCard) -> tuple[str, ...]:
    """List the tokens that a unit may have: its equipment, and weapons of its card that flip (G2-67, G2-71)."""
    printed = (f"w{at}" for at, weapon in enumerate(card.weapon) if weapon.flips)
    return (*(option.slot_id for option in card.option), *printed)


def _carried(state: State, unit: Unit, slot: str, values: Group) -> Correction[State]:
    """Declare the state of a token: whether it is there, which side is up, and since when (G2-69, G2-70)."""
    option = next((each for each in state.card(unit).option if each.slot_id == slot), None)
    label = called(state.weapons(unit)[slot].name) if option is None else called(slot)
    ways: list[Carried] = ["ready"] if option is None else ["none", "ready"]
    if option is None or option.flips or (option.weapon is not None and option.weapon.flips):
        ways += ["fresh", "grey"]
    if option is not None and option.flips and option.weapon is None:
        ways.append("works")
    now = _way(state, unit.token(slot), "ready" if option is None else "none")
    known = {way: CARRIED[way] for way in dict.fromkeys((*ways, now))}
    return values.one_of(f"token.{slot}", label, known, now, partial(_carry, state, unit, slot))


def _way(state: State, token: Token | None, missing: Carried) -> Carried:
    if token is None:
        return missing
    if token.works:
        return "works"
    return "ready" if token.used is None else "fresh" if token.used == state.turn else "grey"


def _carry(state: State, unit: Unit, slot: str, way: Carried) -> State:
    others = tuple(token for token in unit.tokens if token.slot != slot)
    if way == "none":
        return state.with_unit(unit.id, tokens=others)
    token = unit.token(slot) or Token(slot)
    since = {
        "ready": None,
        "fresh": state.turn,
        "grey": max(0, state.turn - 1),
        "works": state.turn if token.used is None else token.used,
    }
    token = replace(token, used=since[way], works=way == "works")
    return state.with_unit(unit.id, tokens=(*others, token))


def _staying(
    values: Group, name: str, label: Text, names: Sequence[Text], put: Callable[[tuple[str, ...]], State]
) -> Correction[State]:
    """Declare which of what there is stays."""
    options = tuple(Option(str(at), text) for at, text in enumerate(names))
    return values.many(name, label, options, [option.value for option in options], put)


def _uncover(state: State, unit: Unit, staying: tuple[str, ...]) -> State:
    """Leave only some of the cards on a unit; the others go to the discard piles of whose they are."""
    for at, card in enumerate(unit.cards):
        if str(at) not in staying:
            state = players.bury(state, card.seat, card.code)
    return state.with_unit(unit.id, cards=tuple(card for at, card in enumerate(unit.cards) if str(at) in staying))


def _unmark(state: State, unit: Unit, staying: tuple[str, ...]) -> State:
    return state.with_unit(unit.id, marks=tuple(mark for at, mark in enumerate(unit.marks) if str(at) in staying))


def _this_turn(state: State, unit: Unit, values: Group) -> Iterator[Correction[State]]:
    """Declare what a unit did or suffered in this turn, where something depends on it."""
    change = partial(state.with_unit, unit.id)
    if weapons := state.weapons(unit):
        options = [Option(name, called(weapon.name)) for name, weapon in weapons.items()]
        fired = [name for name in weapons if name in unit.fired]
        yield values.many("fired", say("Fired in this turn"), options, fired, lambda names: change(fired=names))
    if state.flies(unit):
        return
    if unit.side == state.active:
        label, new = say("Deployed in this turn"), unit.deployed == state.turn
        yield values.yes_no("deployed", label, lambda now: change(deployed=state.turn if now else 0), value=new)
        label = say("Moved in this turn")
        yield values.yes_no("moved", label, lambda moved: change(moved=moved, came_from=None), value=unit.moved)
        if state.card(unit).family == "infantry":
            label = say("Assaulted in this turn")
            yield values.yes_no("assaulted", label, lambda done: change(assaulted=done), value=unit.assaulted)
    elif state.phase == "fire":
        foes = {foe.id: foe for foe in state.of(state.active)}
        options = [Option(name, speech.unit(state, foe)) for name, foe in foes.items()]
        by = [name for name in foes if name in unit.shot_by]
        label = say("Who shot at it in this phase")
        yield values.many("shot_by", label, options, by, lambda names: change(shot_by=names))
    label, by_whom = say("Under suppressive fire"), other(unit.side)
    suppressed = unit.suppressed is not None
    yield values.yes_no("suppressed", label, lambda now: change(suppressed=by_whom if now else None), value=suppressed)


def _bring_back(state: State, seat: Seat, which: str) -> State:
    """Take a unit off the discards and put it on the deployment line, from where it can be put elsewhere."""
    if which == NOTHING:
        return state
    at, discard, square = int(which), state.deck(seat).discard, None
    card = state.find_card(seat, discard[at])
    if state.mirrored and isinstance(card, UnitCard) and card.family != "aircraft":
        line = in_line(state.options, side_of(seat), 1)
        square = next((place for place in (*line, *grid(state.options).squares()) if state.at(place) is None), None)
        if square is None:
            raise Refusal(say("There is no free square left."), "G2-85", "value")
    return players.enter(state.with_deck(seat, discard=but(discard, at)), seat, discard[at], square=square)[0]


def _headquarters(state: State, hq: Headquarters) -> Iterator[Correction[State]]:
    """Declare the values of a headquarters; in a pitched battle one without impact points has lost (G2-32)."""
    values, change = Group(f"hq.{hq.id}.", speech.hq(state, hq)), partial(state.with_hq, hq.id)
    low = 0 if state.options.mode == "scenario" else 1
    high = max(hq.card.pi, hq.pi)
    yield values.number("pi", say("Impact points"), hq.pi, lambda pi: change(pi=pi), low=low, high=high)
    if hq.general is not None:
        yield values.yes_no("led", say("A general is on it"), lambda _: change(general=None), value=True)
    rosters = (state.rosters[seat] for seat in seats_of(state.options, hq.side) if seat in state.rosters)
    known = [general.name for roster in rosters for general in roster.general]
    names = dict.fromkeys((*known, *((hq.general,) if hq.general else ())))
    if names:
        options = (Option(NOTHING, say("none")), *(Option(f"is.{name}", called(name)) for name in names))
        asked = choice(say("General"), options, f"is.{hq.general}" if hq.general else NOTHING)
        # Which generals a side has brought is no business of its enemy.
        yield values.value("general", asked, partial(_lead, state, hq), only=state.leader(hq.side))


def _lead(state: State, hq: Headquarters, sent: str, _ask: Ask) -> State:
    return state.with_hq(hq.id, general=None if sent == NOTHING else sent.removeprefix("is."))


def _terrain(state: State) -> Iterator[Correction[State]]:
    """Declare the terrain on the battlefield, and another one for each side."""
    board = square_options(grid(state.options).squares())
    for ground in state.grounds:
        yield from _ground(state, ground, board)
    if state.headquarters:
        kinds = (Option(str(at), called(card.name)) for at, card in enumerate(state.terrain_deck.terrain))
        options = (Option(NOTHING, say("none")), *kinds)
        laying = Group("laying.", TERRAIN_CARDS.title)
        for side in SIDES:
            label = say("More terrain of the {side}", side=Text(side))
            yield laying.choice(side, label, options, NOTHING, partial(_lay, state, side))


def _ground(state: State, ground: Ground, board: tuple[Option, ...]) -> Iterator[Correction[State]]:
    values = Group(f"ground.{ground.id}.", speech.ground(state, ground), part=TERRAIN_CARDS.title)
    card, change = state.terrain(ground), partial(state.with_ground, ground.id)
    label, options = say("Square"), (*board, GONE)
    if ground.square is None:
        label, options = say("Place"), (Option(ON, say("on the battlefield")), GONE)
    yield values.choice("square", label, options, ground.square or ON, partial(_lay_on, state, ground))
    yield values.one_of("owner", say("Whose it is"), OF_SIDES, ground.owner, lambda owner: change(owner=owner))
    if card.building:
        label = say("It is a ruin")
        yield values.yes_no("ruin", label, lambda now: change(ruin=now, pi=0 if now else card.pi), value=ground.ruin)
    if state.is_building(ground):
        high = max(card.pi, ground.pi)
        yield values.number("pi", say("Impact points"), ground.pi, lambda pi: change(pi=pi), low=1, high=high)


def _lay_on(state: State, ground: Ground, place: str) -> State:
    """Put terrain on another square, or remove it."""
    if place == OFF:
        return terrain.remove(state, ground)
    if place == ON:
        return state
    if state.ground_at(place) not in {None, ground}:
        raise Refusal(say("Terrain lies on {square} already.", square=place), "G2-A13", "value")
    return state.with_ground(ground.id, square=place)


def _lay(state: State, side: Side, kind: str) -> State:
    """Lay a terrain card: on the first free square of the side's second and third line, to be put elsewhere."""
    if kind == NOTHING:
        return state
    square = None
    if len(state.grounds) >= len(grid(state.options).squares()):
        raise Refusal(say("There is no free square left."), "G2-A13", "value")
    if state.mirrored:
        every = (*terrain.zone(state, side), *grid(state.options).squares())
        square = next(place for place in every if state.ground_at(place) is None)
    return terrain.lay(state, side, int(kind), square)


def _natural(state: State) -> Iterator[Correction[State]]:
    """Declare the natural features of the tiles, and one more (G2-129)."""
    for place, natural in state.natural.items():
        known = [each for each in FEATURES if start.dry(state, each) is None or each == natural.feature]
        features: dict[Feature | Literal["none"], Text] = {"none": say("none"), **{each: Text(each) for each in known}}
        label, show = say("{square}: feature", square=place), partial(_show, state, place, natural)
        yield NATURAL.one_of(f"{place}.feature", label, features, natural.feature, show)
        label, enter = say("{square}: to move there", square=place), partial(_enter, state, place, natural)
        yield NATURAL.one_of(f"{place}.class", label, CLASSES, natural.class_, enter)
    free = square_options(place for place in grid(state.options).squares() if place not in state.natural)
    label = say("Another square with a forest")
    yield NATURAL.choice("new", label, (Option(NOTHING, say("none")), *free), NOTHING, partial(_grow, state))


def _show(state: State, place: str, natural: Natural, feature: Feature | Literal["none"]) -> State:
    """Set the natural feature of a square (G2-129)."""
    return start.with_natural(state, place, None if feature == "none" else replace(natural, feature=feature))


def _enter(state: State, place: str, natural: Natural, class_: Class) -> State:
    """Set how it is to move to a square (G2-127)."""
    return start.with_natural(state, place, replace(natural, class_=class_))


def _grow(state: State, place: str) -> State:
    return state if place == NOTHING else start.with_natural(state, place, Natural("forest"))

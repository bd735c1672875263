"""Corrections of headquarters, terrain cards and natural features."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.tactics_2gm import speech, tiles
from companion.games.tactics_2gm.pieces import Ground, Natural
from companion.games.tactics_2gm.sides import SIDES, grid, in_line, seats_of
from companion.games.tactics_2gm.terrain import LINES, remove
from companion.kit.asking import Option
from companion.kit.corrected import OFF, choice, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Class, Feature
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.pieces import Headquarters
    from companion.games.tactics_2gm.state import State

NOTHING = "none"
ON = "on"
TERRAIN = say("Terrain")
NATURAL = say("Natural features")
GONE = Option(OFF, say("removed"))
FEATURES: tuple[Feature, ...] = ("forest", "hedge", "river", "sea")
CLASSES: tuple[Class, ...] = ("normal", "difficult", "impassable")


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about headquarters, terrain and tiles."""
    # Which generals a side has brought is no business of its enemy.
    quarters = (
        Tracked(
            f"hq.{one.id}.{part}",
            speech.hq(state, one),
            field,
            only=state.leader(one.side) if part == "general" else None,
        )
        for one in state.headquarters
        for part, field in _quarters(state, one).items()
    )
    return (*quarters, *_terrain(state), *_natural(state))


def _quarters(state: State, one: Headquarters) -> dict[str, Field]:
    """List the values of a headquarters; in a pitched battle one without impact points has lost (G2-32)."""
    low = 0 if state.options.mode == "scenario" else 1
    high = max(one.card.pi, one.pi)
    fields = {"pi": Field("value", say("Impact points"), "number", value=one.pi, low=low, high=high)}
    known = [
        general.name
        for seat in seats_of(state.options, one.side)
        if seat in state.rosters
        for general in state.rosters[seat].general
    ]
    if one.general is not None:
        fields["led"] = yes_no(say("A general is on it"), value=True)
    names = tuple(dict.fromkeys((*known, *((one.general,) if one.general else ()))))
    if names:
        options = (Option(NOTHING, say("none")), *(Option(f"is.{name}", speech.called(name)) for name in names))
        fields["general"] = choice(say("General"), options, f"is.{one.general}" if one.general else NOTHING)
    return fields


def _terrain(state: State) -> list[Tracked]:
    """List the terrain on the battlefield, and another one for each side."""
    found = []
    board = speech.squares(grid(state.options).squares())
    for one in state.grounds:
        card = state.terrain(one)
        fields = {
            "square": choice(say("Square"), (*board, GONE), one.square)
            if one.square is not None
            else choice(say("Place"), (Option(ON, say("on the battlefield")), GONE), ON),
            "owner": choice(say("Whose it is"), tuple(Option(side, Text(side)) for side in SIDES), one.owner),
        }
        if card.building:
            fields["ruin"] = yes_no(say("It is a ruin"), value=one.ruin)
        if card.building and not one.ruin:
            high = max(card.pi, one.pi)
            fields["pi"] = Field("value", say("Impact points"), "number", value=one.pi, low=1, high=high)
        name = speech.ground(state, one)
        found += [Tracked(f"ground.{one.id}.{part}", name, field, part=TERRAIN) for part, field in fields.items()]
    if state.headquarters:
        kinds = tuple(Option(str(at), speech.called(one.name)) for at, one in enumerate(state.terrain_deck.terrain))
        options = (Option(NOTHING, say("none")), *kinds)
        for side in SIDES:
            label = say("More terrain of the {side}", side=Text(side))
            found.append(Tracked(f"laying.{side}", TERRAIN, choice(label, options, NOTHING)))
    return found


def _natural(state: State) -> list[Tracked]:
    """List the natural features of the tiles, and one more (G2-129)."""
    if not state.mirrored or not state.headquarters:
        return []
    found = []
    classes = tuple(Option(one, Text(one)) for one in CLASSES)
    for place, one in state.natural.items():
        known = tuple(each for each in FEATURES if tiles.dry(state, each) is None or each == one.feature)
        options = (Option(NOTHING, say("none")), *(Option(each, Text(each)) for each in known))
        label = say("{square}: feature", square=place)
        found.append(Tracked(f"natural.{place}.feature", NATURAL, choice(label, options, one.feature)))
        label = say("{square}: to move there", square=place)
        found.append(Tracked(f"natural.{place}.class", NATURAL, choice(label, classes, one.class_)))
    free = speech.squares(place for place in grid(state.options).squares() if place not in state.natural)
    new = choice(say("Another square with a forest"), (Option(NOTHING, say("none")), *free), NOTHING)
    found.append(Tracked("natural.new", NATURAL, new))
    return found


def correct(state: State, group: str, rest: str, value: str) -> State:
    """Set a value of a headquarters, of terrain or of a square, or lay another terrain card."""
    name, _, part = rest.partition(".")
    match group:
        case "hq" if part == "led":
            return state.with_hq(name, general=None)
        case "hq" if part == "general":
            return state.with_hq(name, general=None if value == NOTHING else value.removeprefix("is."))
        case "hq":
            return state.with_hq(name, pi=int(value))
        case "laying":
            return state if value == NOTHING else _lay(state, cast("Side", name), int(value))
        case "natural":
            return _show(state, name, part, value)
    one = next(ground for ground in state.grounds if ground.id == name)
    match part:
        case "square":
            return _put(state, one, value)
        case "ruin":
            ruin = value == "true"
            return state.with_ground(name, ruin=ruin, pi=0 if ruin else state.terrain(one).pi)
        case "pi":
            return state.with_ground(name, pi=int(value))
    return state.with_ground(name, owner=cast("Side", value))


def _put(state: State, one: Ground, value: str) -> State:
    """Put terrain on another square, or remove it."""
    if value == OFF:
        return remove(state, one)
    if value == ON:
        return state
    if state.ground_at(value) not in {None, one}:
        raise Refusal(say("Terrain lies on {square} already.", square=value), "G2-A13", "value")
    return state.with_ground(one.id, square=value)


def _lay(state: State, side: Side, kind: int) -> State:
    """Lay a terrain card: on the first free square of the side's second and third line, to be put elsewhere."""
    square = None
    if len(state.grounds) >= len(grid(state.options).squares()):
        raise Refusal(say("There is no free square left."), "G2-A13", "value")
    if state.mirrored:
        zone = tuple(one for line in LINES for one in in_line(state.options, side, line))
        every = (*zone, *grid(state.options).squares())
        square = next(one for one in every if state.ground_at(one) is None)
    card, made = state.terrain_deck.terrain[kind], state.made + 1
    laid = Ground(f"g{made}", kind, side, square, card.pi if card.building else 0)
    return state.but(grounds=(*state.grounds, laid), laid=(*state.laid, kind), made=made)


def _show(state: State, place: str, part: str, value: str) -> State:
    """Set the natural feature of a square, or how it is to move there (G2-127, G2-129)."""
    natural = dict(state.natural)
    if place == "new":
        if value != NOTHING:
            natural[value] = Natural("forest")
    elif value == NOTHING:
        del natural[place]
    elif part == "feature":
        natural[place] = Natural(cast("Feature", value), natural[place].class_)
    else:
        natural[place] = Natural(natural[place].feature, cast("Class", value))
    return state.but(natural=dict(sorted(natural.items())))

"""The start: headquarters, the bid, who begins, and the first hands (G2-27 to G2-37, G2-42 to G2-56, G2-159)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta, field

from companion.games.tactics_2gm import decks, income, players, terrain, turn
from companion.games.tactics_2gm.cards import HAND, START_AP, Class, Feature, HeadquartersCard
from companion.games.tactics_2gm.options import SIDES, Seat, Side, grid, other, side_of
from companion.games.tactics_2gm.players import Square
from companion.games.tactics_2gm.shooting import FACES
from companion.games.tactics_2gm.speech import called, does
from companion.games.tactics_2gm.state import Headquarters, Natural, Phase, State
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.contest import highest
from companion.kit.questions import Choice, Choose, Option, Throw, square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, listed, say

start = Chapter[State, Seat]()
FIRST_HAND = say("first hand")
OPEN: tuple[Phase, ...] = ("decks", "terrain")
"""Phases in which the battlefield is laid out, by anybody."""
WAYS = ("A↑", "A↓", "B↑", "B↓")
"""How a tile may come: with either of its sides up, either way round."""
WET: tuple[Feature, ...] = ("river", "sea")
NOTHING = say("none")


class Ready(Action, frozen=True, tag="ready"):
    """Say that your deck is as you want it (``on`` false: not yet after all), or that you lay no more terrain."""

    phase: Phase | None = None
    stands: bool = field(default=True, name="on")


class Mulligan(Action, frozen=True, tag="mulligan"):
    """Return the whole first hand and draw another, once (G2-53, G2-54)."""


class Keep(Action, frozen=True, tag="keep"):
    """Begin with the hand that you hold (G2-53)."""


class SetNatural(Action, frozen=True, tag="set_natural"):
    """Say which natural feature the tile shows on a square, or that it shows none (G2-127, G2-129)."""

    to: Square
    feature: Feature | Literal["none"]
    kind: Class = "normal"


class LayTiles(Action, frozen=True, tag="lay_tiles"):
    """Shuffle the battlefield tiles and lay them as they come (G2-41)."""

    count: Annotated[int, Meta(ge=1, le=32)]


@start.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to say that the deck is ready, that the terrain is laid, and to keep or change the first hand."""
    side = side_of(seat)
    if state.phase == "decks" and seat in state.ready:
        yield Ready.offer(say("Not ready yet after all"), phase="decks", stands=False, clause="G2-06")
    elif state.phase == "decks" and decks.not_ready(state, seat) is None:
        yield Ready.offer(say("Ready: this is my deck"), phase="decks", main=True, clause="G2-06")
    elif state.phase == "terrain" and state.laying[:1] == (side,) and seat == state.leader(side):
        yield _terrain_lies(state.budget.get(side, 0))
    elif state.phase == "mulligan" and not state.deck(seat).kept:
        yield Keep.offer(say("Keep this hand"), main=True, clause="G2-53")
        yield Mulligan.offer(say("Change the whole hand, once"), clause="G2-53")


def _terrain_lies(lost: int) -> Offer:
    """Offer to end the laying; whoever would lose some of the bid is told first (G2-A13)."""
    if not lost:
        return Ready.offer(say("Ready: the terrain is laid"), phase="terrain", ends=True, main=True, clause="G2-46")
    advice = (Reason(say("What is not spent on terrain now is lost: {left}", left=lost), "G2-A13"),)
    left = say("{count} AP left for terrain|{count} AP left for terrain", count=lost)
    no_more = say("Ready: no more terrain")
    return Ready.offer(no_more, phase="terrain", ends=True, left=left, clause="G2-A13", advice=advice)


def _said(before: State, after: State, seat: Seat, _action: Ready | Keep) -> Text:
    """Say who is ready, or that it begins."""
    if seat in before.ready and after.phase == "decks":
        return say("{seat}: not ready yet", seat=Text(seat))
    if before.phase == "decks" and after.phase != "decks":
        return say("First turn: {side}", side=Text(after.first))
    if after.begun:
        return say("The battle begins: {side}", side=Text(after.active))
    return say("{seat}: ready", seat=Text(seat))


@start.rule(Ready, headline=_said)
def ready(state: State, seat: Seat, action: Ready, ask: Ask) -> State:
    """Take a player at his word that his deck stands, or that his terrain lies."""
    if action.phase is not None and action.phase != state.phase:
        raise Refusal(say("That page is old: now it is time for something else."), "G2-77", "phase")
    if state.phase == "terrain" and action.stands:
        return _deal_when_laid(terrain.end_laying(state, seat, ask), ask)
    if state.phase != "decks":
        raise Refusal(say("There is nothing to get ready for now."), "G2-77")
    if (seat in state.ready) == action.stands:
        raise Refusal(say("You have said so already."), "G2-06")
    if not action.stands:
        ask.tell(say("{seat}: the deck is looked at again", seat=Text(seat)), "G2-06")
        return state.but(ready=tuple(player for player in state.ready if player != seat))
    refuse(decks.not_ready(state, seat))
    ask.tell(say("{seat}: the deck is ready", seat=Text(seat)), "G2-06")
    state = state.but(ready=tuple(player for player in state.seats if player == seat or player in state.ready))
    if len(state.ready) < len(state.seats):
        return state
    for player in state.seats:
        if decks.not_ready(state, player) is not None:
            raise Refusal(say("{seat}: the deck has to be changed first", seat=Text(player)), "G2-11")
    # Questions are open until the terrain is laid: meanwhile everybody sees that the last one is ready too.
    ask.progress(state)
    state = who_starts(take_generals(lay_headquarters(state), ask), ask)
    return _deal_when_laid(terrain.begin(state, ask), ask)


def lay_headquarters(state: State) -> State:
    """Lay every side's headquarters behind the middle of its line 1; two copies have two of each (G2-27, G2-159)."""
    laid = []
    for side in SIDES:
        leader = state.leader(side)
        card = _card(state, leader)
        laid.append(Headquarters(f"hq_{side}", side, card, card.pi))
        if state.options.two_copies:
            card = _card(state, state.partner(leader) or leader)
            laid.append(Headquarters(f"hq_{side}_2", side, card, card.pi, 1))
    return state.but(headquarters=tuple(laid))


def _card(state: State, seat: Seat) -> HeadquartersCard:
    """Return a player's headquarters card; who brings none plays an ordinary one (G2-31)."""
    roster = state.rosters.get(seat)
    return (roster and roster.headquarters) or HeadquartersCard()


def take_generals(state: State, ask: Ask) -> State:
    """Put a general on each headquarters where the scenario says that they are there from the start (G2-37)."""
    if state.scenario is None or not state.scenario.generals:
        return state
    for side in SIDES:
        leader = state.leader(side)
        known = state.rosters[leader].general
        if not known:
            continue
        options = tuple(
            Option(str(at), called(general.name), note=does(general.text) if general.text else None)
            for at, general in enumerate(known)
        )
        why = say("{side}: the general", side=Text(side))
        chosen = known[int(ask.choose(leader, options, f"general_{side}", why, clause="G2-37"))]
        ask.tell(say("{side}: {general} takes command", side=Text(side), general=called(chosen.name)), "G2-37")
        state = state.with_hq(f"hq_{side}", general=chosen.name)
    return state


def who_starts(state: State, ask: Ask) -> State:
    """Settle who starts and with how many AP: by the bid, or as the scenario says (G2-42 to G2-51)."""
    scenario = state.scenario
    points = START_AP if scenario is None else scenario.start_ap
    if scenario is not None and not scenario.bid:
        ask.tell(say("{side}: starts, as the scenario says", side=Text(scenario.first)), "G2-51")
        state = state.but(first=scenario.first)
        spent: dict[Side, int] = dict.fromkeys(SIDES, 0)
    else:
        spent = _secret(state, points, ask)
        winner = contest(spent, {side: state.leader(side) for side in SIDES}, ask)
        state = state.but(bids=spent, budget=spent, first=_choice(state, winner, ask))
    for side in SIDES:
        state = _share_out(state, side, points - spent[side], ask)
    return state


def _secret(state: State, points: int, ask: Ask) -> dict[Side, int]:
    """Ask both leaders at once what they spend (G2-43, G2-151, G2-A11, G2-A33)."""
    why = say("How many of your {count} AP do you spend on the start? As many are yours for terrain", count=points)
    asking: dict[str, Throw | Choose] = {
        state.leader(side): Choose(f"bid_{side}", why, state.leader(side), _bids(state, side, points), "G2-43")
        for side in SIDES
    }
    sealed = ask.together(asking, "bid", say("Bid for the start"))
    bids: dict[Side, int] = {}
    for side in SIDES:
        answer = sealed[state.leader(side)]
        if isinstance(answer, Choice):
            bids[side] = int(answer.value)
            spent = say("{side}: {count} AP spent on the start", side=Text(side), count=bids[side])
            ask.tell(spent, "G2-43", bids[side])
    return bids


def _bids(state: State, side: Side, points: int) -> tuple[Option, ...]:
    """List what a side may spend on the start, each with what it has to begin with then."""
    most = _most(state, side, points)
    paired = state.partner(state.leader(side)) is not None
    left = "{count} AP to begin with, between the two of you" if paired else "{count} AP to begin with"
    return tuple(
        Option(str(bid), say("{count} AP", count=bid), note=say(left, count=min(points - bid, most)))
        for bid in range(points + 1)
    )


def _most(state: State, side: Side, left: int) -> int:
    """Return how many AP a side may have at the start: what is left, where no maximum holds yet (G2-34, G2-A09)."""
    return players.cap(state, side) if state.options.cap_scope == "always" else left


def contest(bids: Mapping[Side, int], throwers: Mapping[Side, str], ask: Ask) -> Side:
    """Return who decides: 1D10 and what was spent, the higher total; a tie is rolled again (G2-44, G2-45, G2-A11)."""
    best = highest(
        SIDES,
        lambda side, _again: _total(side, bids[side], throwers[side], ask),
        lambda: ask.tell(say("A tie: both roll again, with the same bids"), "G2-45"),
    )
    ask.tell(say("{side}: the higher total", side=Text(best)), "G2-44")
    return best


def _total(side: Side, bid: int, thrower: str, ask: Ask) -> int:
    why = say("{side}: 1D10 for the start", side=Text(side))
    faces = ask.throw(1, FACES, "start_roll", why, by=thrower, clause="G2-03")
    terms = (Reason(say("the die"), "G2-44", faces[0]), Reason(say("AP spent"), "G2-44", bid))
    ask.tell(Text(side), "G2-44", faces[0] + bid, terms=terms, faces=faces)
    return faces[0] + bid


def _choice(state: State, winner: Side, ask: Ask) -> Side:
    """Ask the winner who starts (G2-A12)."""
    options = tuple(Option(side, Text(side)) for side in (winner, other(winner)))
    value = ask.choose(state.leader(winner), options, "first", say("Who starts?"), clause="G2-A12")
    first: Side = winner if value == winner else other(winner)
    ask.tell(say("{side}: the first turn", side=Text(first)), "G2-A12")
    return first


def _share_out(state: State, side: Side, left: int, ask: Ask) -> State:
    """Give a side the AP that it did not spend; a pair divides them (G2-34, G2-50, G2-152, G2-153, G2-A09)."""
    most = _most(state, side, left)
    if left > most:
        players.tell_lost(left - most, most, ask)
    amount, leader = min(left, most), state.leader(side)
    partner = state.partner(leader)
    shares = zip((leader, partner), income.shares(amount), strict=True) if partner else ((leader, amount),)
    for seat, ap in shares:
        given = say("{seat}: {count} AP to begin with", seat=Text(seat), count=ap)
        ask.tell(given, "G2-152" if partner else "G2-50", ap)
        state = state.with_ap(seat, ap)
    return state


def _deal_when_laid(state: State, ask: Ask) -> State:
    """Deal the first hands as soon as all terrain lies (G2-52, G2-55, G2-A35)."""
    if state.laying:
        return state
    state = state.but(phase="mulligan")
    for seat in state.seats:
        state = _deal(state, seat, ask)
    return state


def _deal(state: State, seat: Seat, ask: Ask) -> State:
    """Shuffle a player's whole deck and draw a first hand from it: five cards, or the scenario's number."""
    count, clause = (HAND, "G2-52") if state.scenario is None else (state.scenario.hand, "G2-55")
    return players.draw(players.shuffled(state, seat), seat, count, FIRST_HAND, ask, clause=clause)


def _check_looking(state: State, seat: Seat) -> None:
    if state.phase != "mulligan":
        raise Refusal(say("First hands are kept or changed before the first turn."), "G2-53")
    if state.deck(seat).kept:
        raise Refusal(say("You have settled your first hand."), "G2-54" if state.deck(seat).mulligan else "G2-53")


@start.rule(Mulligan, says=lambda _, seat, _action: say("{seat}: another first hand", seat=Text(seat)))
def mulligan(state: State, seat: Seat, _action: Mulligan, ask: Ask) -> State:
    """Return a whole first hand, shuffle and draw as many again, once: that hand is kept (G2-53, G2-54, G2-A14)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand goes back, and the deck is shuffled", seat=Text(seat)), "G2-53")
    return _begin_when_all_keep(_deal(state, seat, ask).with_deck(seat, mulligan=True, kept=True), ask)


@start.rule(Keep, headline=_said)
def keep(state: State, seat: Seat, _action: Keep, ask: Ask) -> State:
    """Begin with the hand that one holds (G2-53)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand is kept", seat=Text(seat)), "G2-53")
    return _begin_when_all_keep(state.with_deck(seat, kept=True), ask)


def _begin_when_all_keep(state: State, ask: Ask) -> State:
    return turn.begin(state, ask) if all(state.deck(seat).kept for seat in state.seats) else state


@start.offers
def tile_offers(state: State, _seat: Seat) -> Iterator[Offer]:
    """Offer to lay the tiles out, and to say what they show (G2-41, G2-129)."""
    if state.phase not in OPEN:
        return
    count = Field("count", say("How many tiles, without rivers and the sea"), "number", value=16, low=1, high=32)
    yield LayTiles.offer(say("Shuffle the tiles of the battlefield"), count, clause="G2-41", aside=True)
    if not state.mirrored:
        return
    features = tuple(Option(feature, Text(feature), dry(state, feature)) for feature in get_args(Feature))
    kinds = tuple(Option(kind, Text(kind)) for kind in get_args(Class))
    yield SetNatural.offer(
        say("Note what a tile shows"),
        Field("feature", say("Natural feature"), "choice", features),
        Field("to", say("Square"), "choice", square_options(grid(state.options).squares())),
        Field("kind", say("Kind of terrain"), "choice", kinds, value="normal"),
        clause="G2-129",
        aside=True,
    )
    if state.natural:
        where = Field("to", say("Square"), "choice", square_options(state.natural))
        yield SetNatural.offer(say("Note that a square is plain"), where, feature="none", clause="G2-129", aside=True)


def dry(state: State, feature: str) -> Reason | None:
    """Say why a feature can not be there: in a pitched battle tiles of rivers and the sea are taken out (G2-41)."""
    out = feature in WET and state.options.mode == "pitched"
    return Reason(say("In a pitched battle the tiles of rivers and the sea are taken out."), "G2-41") if out else None


def _noted(_state: State, _seat: Seat, action: SetNatural) -> Text:
    if action.feature == "none":
        return say("No natural feature on {square}", square=action.to)
    return say("{what} on {square}", what=Text(action.feature), square=action.to)


@start.rule(SetNatural, says=_noted)
def set_natural(state: State, _seat: Seat, action: SetNatural, ask: Ask) -> State:
    """Note the natural feature of a square, or that it has none (G2-127, G2-129)."""
    _check_open(state)
    if not state.mirrored:
        raise Refusal(say("At this table only the real battlefield knows where things are."), "G2-38", "to")
    if action.to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the battlefield.", square=action.to), "G2-38", "to")
    if action.feature == "none":
        ask.tell(say("{square}: no natural feature", square=action.to), "G2-129")
        return with_natural(state, action.to, None)
    refuse(dry(state, action.feature), "feature")
    said = say("{square}: {feature}, {kind}", square=action.to, feature=Text(action.feature), kind=Text(action.kind))
    ask.tell(said, "G2-129")
    return with_natural(state, action.to, Natural(action.feature, action.kind))


def with_natural(state: State, place: str, natural: Natural | None) -> State:
    """Return the state with the natural feature of a square, or (None) without one (G2-129)."""
    others = {square: feature for square, feature in state.natural.items() if square != place}
    return state.but(natural=dict(sorted({**others, place: natural}.items())) if natural else others)


@start.rule(LayTiles, says=lambda _state, _seat, _action: say("The tiles are shuffled and laid"))
def lay_tiles(state: State, seat: Seat, action: LayTiles, ask: Ask) -> State:
    """Shuffle the tiles and lay them in the order, with the side and the way round, as they come (G2-41)."""
    _check_open(state)
    numbers = tuple(str(number) for number in range(1, action.count + 1))
    why = say("The tiles of the battlefield")
    order = ask.draw(numbers, action.count, "tiles", why, by=seat)
    ways = (ask.draw(WAYS, 1, f"tile_{number}", why, by=seat)[0] for number in order)
    laid = tuple(f"{number}{way}" for number, way in zip(order, ways, strict=True))
    shown = listed([say("{tile}", tile=tile) for tile in laid], NOTHING)
    ask.tell(say("The tiles as they come: {tiles}", tiles=shown), "G2-41")
    return state.but(tiles=laid)


def _check_open(state: State) -> None:
    if state.phase not in OPEN:
        raise Refusal(say("The battlefield is laid out before the battle."), "G2-41")

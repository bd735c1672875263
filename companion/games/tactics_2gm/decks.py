"""Decks taken and shared, who leads, which terrain deck and scenario (G2-05 to G2-11, G2-146 to G2-150)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm import cards
from companion.games.tactics_2gm.cards import DECKS, HeadquartersCard, Roster, SupportCard, UnitCard
from companion.games.tactics_2gm.options import Seat, Side, paired, seats_of, side_of
from companion.games.tactics_2gm.players import Number
from companion.games.tactics_2gm.shooting import FACES
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import State
from companion.kit.action import Action, Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.contest import highest
from companion.kit.decks import offers as deck_offers
from companion.kit.decks import samples
from companion.kit.decks.entries import MOST_CARDS, MOST_COPIES, MOST_KINDS, Copies, File, file, put
from companion.kit.decks.offers import Building, LoadDeck, UseSample
from companion.kit.decks.samples import Brought, brought, written
from companion.kit.files import GameFile
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

first_deck, decks = Chapter[State, Seat](), Chapter[State, Seat]()


class SetMarshal(Action, frozen=True, tag="set_marshal"):
    """Say who of a pair is the field marshal; ``die``: throw for it (G2-150)."""

    marshal: Seat | Literal["die"]


class LoadTerrain(Action, frozen=True, tag="load_terrain"):
    """Take the terrain deck of a file (G2-05)."""

    text: File


class LoadScenario(Action, frozen=True, tag="load_scenario"):
    """Take the scenario of a file (G2-09)."""

    text: File


class Share(Action, frozen=True, tag="share"):
    """Hand copies of a card to your partner's deck (G2-149)."""

    card: Number
    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]


class SetCount(Action, frozen=True, tag="set_count"):
    """Say how many of a card are in your deck (G2-06)."""

    card: Number
    count: Copies


def limit(state: State) -> int:
    """Return the points limit of a side: the scenario's where it has one (G2-08, G2-09)."""
    return (state.scenario and state.scenario.limit) or state.options.limit


def shared(state: State, side: Side) -> bool:
    """Tell whether two players spend the points of their side together (G2-149)."""
    return paired(state.options, side) and state.options.pair_decks == "shared"


def limit_of(state: State, seat: Seat) -> int:
    """Return the points that a player's deck may cost; sharing partners' decks may together (G2-148, G2-A36)."""
    side, whole = side_of(seat), limit(state)
    if not paired(state.options, side) or shared(state, side):
        return whole
    return whole - whole // 2 if seat == state.leader(side) else whole // 2


def points_of(state: State, seat: Seat) -> int:
    """Return what counts against a player's limit: his deck, or those of both who share (G2-10, G2-149)."""
    side = side_of(seat)
    counted = seats_of(state.options, side) if shared(state, side) else (seat,)
    return sum(state.rosters[player].points for player in counted if player in state.rosters)


def not_ready(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not begin with the deck that he has; None when he can (G2-06, G2-11, G2-26)."""
    if seat not in state.rosters:
        return Reason(say("Take or build a deck first."), "G2-06")
    if not state.rosters[seat].size:
        return Reason(say("There is no card in your deck."), "G2-26")
    if state.rosters[seat].size > MOST_CARDS:
        return Reason(say("A deck has at most {most} cards.", most=MOST_CARDS), "G2-06")
    points, most = points_of(state, seat), limit_of(state, seat)
    if points > most:
        return Reason(say("The deck costs {points} points; the limit is {limit}.", points=points, limit=most), "G2-11")
    return None


@first_deck.offers
def first_offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer who has no deck yet a ready one, and to bring one."""
    if may_build(state, seat) and seat not in state.rosters:
        side = side_of(seat)
        yield from deck_offers.samples(_samples(side), "G2-06", main=True)
        yield deck_offers.load(DECKS[f"{side}_sample"], "G2-06", aside=False)


def _samples(side: Side) -> list[str]:
    return [name for name, deck in DECKS.items() if deck.side == side]


@decks.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer another deck, to share the own one, and what all may do about marshal, terrain deck and scenario."""
    if not may_build(state, seat):
        return
    side, roster = side_of(seat), state.rosters.get(seat)
    if roster is not None:
        yield deck_offers.load(roster, "G2-06", aside=True)
        yield from deck_offers.samples(_samples(side), "G2-06", main=False)
        yield from _sharing(state, seat, roster) if shared(state, side) else ()
    if paired(state.options, side):
        pair = tuple(Option(player, Text(player)) for player in seats_of(state.options, side))
        options = (*pair, Option("die", say("Let a die decide")))
        field = Field("marshal", say("Field marshal"), "choice", options, state.leader(side))
        yield SetMarshal.offer(say("Choose the field marshal"), field, aside=True, clause="G2-150")
    label, use = say("Terrain deck from a file"), say("Use this terrain deck")
    yield _from_file(LoadTerrain, label, state.terrain_deck, "G2-05", use)
    if state.options.mode == "scenario":
        label, use = say("Scenario from a file"), say("Use this scenario")
        yield _from_file(LoadScenario, label, state.scenario, "G2-09", use)


def _from_file(action: type[Action], label: Text, played: Brought | None, clause: str, use: Text) -> Offer:
    """Offer to take something out of a file; what is played now is filled in."""
    filled_in = file(written(played) if played else "")
    return action.offer(label, filled_in, loose=True, aside=True, clause=clause, button=use)


def _sharing(state: State, seat: Seat, roster: Roster) -> Iterator[Offer]:
    """Offer to hand copies of a card to the partner (G2-149)."""
    options = tuple(Option(str(number), called(card.name)) for number, card in enumerate(roster.cards) if card.count)
    if options:
        most = max(card.count for card in roster.cards)
        yield Share.offer(
            say("Hand cards to {partner}", partner=Text(state.partner(seat) or seat)),
            Field("card", say("Card"), "choice", options, options[0].value),
            number_field("count", say("How many"), 1, 1, most),
            on=deck_offers.DECK,
            loose=True,
            clause="G2-149",
        )


def files(state: State, seat: Seat | None) -> Iterator[GameFile]:
    """Write a player's deck, and the terrain deck and scenario of all, where they are no samples, as files."""
    yield from samples.files(LoadDeck, called, state.rosters.get(seat) if seat else None)
    yield from samples.files(LoadTerrain, called, state.terrain_deck)
    yield from samples.files(LoadScenario, called, state.scenario)


def again(fresh: State, before: State, there: Mapping[Seat, Seat]) -> State:
    """Begin a rematch with what was brought: each player's deck, who leads, terrain deck, scenario (G2-05, G2-06)."""
    state = fresh.but(terrain_deck=before.terrain_deck, scenario=before.scenario)
    state = state.but(marshal={side_of(there[seat]): there[seat] for seat in before.marshal.values()})
    moved = {there[seat]: roster for seat, roster in before.rosters.items()}
    return state.but(rosters={seat: _fit_for(state, seat, roster) for seat, roster in moved.items()})


def _fit_for(state: State, seat: Seat, roster: Roster) -> Roster:
    """Let a deck fight for the side of its player now, who has the sample of that one instead of the other's."""
    side = side_of(seat)
    if roster.side in {None, side}:
        return roster
    return within(DECKS[f"{side}_sample"], limit_of(state, seat)) if roster.sample else replace(roster, side=side)


def owned(roster: Roster) -> Roster:
    """Make a deck one's own: what somebody has changed is no sample any more."""
    return samples.owned(roster, DECKS)


def own(state: State, seat: Seat) -> Roster:
    """Return a player's deck as one that he changes: at first one with no card in it."""
    begun = Roster(name=samples.OWN, side=side_of(seat), headquarters=HeadquartersCard())
    return owned(state.rosters.get(seat) or begun)


def check_open(state: State) -> None:
    """Refuse what is done with decks once they stand (G2-06)."""
    if state.phase != "decks":
        raise Refusal(say("The decks stand: the battle has been set up."), "G2-06")


def with_roster(state: State, seat: Seat, roster: Roster) -> State:
    """Put a deck before a player; who had said to be ready is so no more."""
    ready = tuple(player for player in state.ready if player != seat)
    return state.but(rosters={**state.rosters, seat: roster}, ready=ready)


def taken(state: State, seat: Seat, roster: Roster, ask: Ask) -> State:
    """Put a deck before a player, and tell him alone what it comes to (G2-10)."""
    state = with_roster(state, seat, roster)
    points, most = points_of(state, seat), limit_of(state, seat)
    said = say("The deck costs {points} points; the limit is {limit}.", points=points, limit=most)
    ask.tell(said, "G2-10", seat=seat)
    return state


def changed(_state: State, seat: Seat, _action: Action) -> Text:
    """Say that somebody has changed his deck."""
    return say("{seat}: changes to the deck", seat=Text(seat))


def card_at(roster: Roster, number: int, field: str = "card") -> UnitCard | SupportCard:
    """Return a card by its number; raise Refusal when there is none."""
    if number >= len(roster.cards):
        raise Refusal(say("There is no such card in your deck."), field=field)
    return roster.cards[number]


def with_count(roster: Roster, number: int, count: int) -> Roster:
    """Return the deck with so many copies of a card (G2-06)."""
    return with_card(roster, number, replace(card_at(roster, number), count=count))


def with_card(roster: Roster, number: int | None, card: UnitCard | SupportCard) -> Roster:
    """Put a card in the place of another, or (None) behind those of its kind."""
    if isinstance(card, UnitCard):
        return replace(roster, unit=put(roster.unit, number, card, MOST_KINDS))
    at = None if number is None else number - len(roster.unit)
    return replace(roster, support=put(roster.support, at, card, MOST_KINDS))


def may_build(state: State, seat: Seat) -> bool:
    """Tell whether a player still builds his deck."""
    return state.phase == "decks" and seat not in state.ready


building = Building(decks, check=lambda state, _seat: check_open(state), own=own, taken=taken, says=changed)


@building.brings(UseSample)
def use_sample(state: State, seat: Seat, action: UseSample) -> Roster:
    """Take a sample deck, or so much of it as fits the limit; each of two partners half of it (G2-148)."""
    side = side_of(seat)
    deck = DECKS.get(action.sample)
    if deck is None or deck.side != side:
        raise Refusal(say("There is no such sample deck for the {side}.", side=Text(side)), "G2-06", "sample")
    return within(deck, limit(state) // 2 if shared(state, side) else limit_of(state, seat))


@lru_cache(maxsize=64)
def within(roster: Roster, limit: int) -> Roster:
    """Take so many copies of each card of a deck that they cost no more than a limit, as they are among each other."""
    counts = samples.shares([card.count for card in roster.cards], [card.cost for card in roster.cards], limit)
    units = len(roster.unit)
    return replace(
        roster,
        unit=tuple(replace(card, count=count) for card, count in zip(roster.unit, counts[:units], strict=True)),
        support=tuple(replace(card, count=count) for card, count in zip(roster.support, counts[units:], strict=True)),
    )


@building.brings(LoadDeck)
def load_deck(_state: State, seat: Seat, action: LoadDeck) -> Roster:
    """Take the deck of a file, which may cost more than the limit until its player is ready (G2-06).

    Raises Refusal naming its row and field, or because it is the enemy's.
    """
    roster, side = brought(action.text, Roster, DECKS.values()), side_of(seat)
    if roster.side not in {None, side}:
        raise Refusal(say("This deck is for the {side}.", side=Text(str(roster.side))), "G2-06", "text")
    return replace(roster, side=side, headquarters=roster.headquarters or HeadquartersCard())


@building.edits(SetCount)
def set_count(roster: Roster, action: SetCount) -> Roster:
    """Change how many copies there are of a card."""
    return with_count(roster, action.card, action.count)


@decks.rule(LoadTerrain, says=lambda _state, _seat, _action: say("Another terrain deck lies ready"))
def load_terrain(state: State, _seat: Seat, action: LoadTerrain, ask: Ask) -> State:
    """Take another terrain deck, so that everybody looks at the deck again (G2-05)."""
    check_open(state)
    deck = brought(action.text, cards.TerrainDeck, (cards.TERRAIN,))
    ask.tell(say("Terrain deck: {name}", name=called(deck.name)), "G2-05", len(deck.terrain))
    return state.but(terrain_deck=deck, ready=())


@decks.rule(LoadScenario, says=lambda _state, _seat, _action: say("Another scenario is played"))
def load_scenario(state: State, _seat: Seat, action: LoadScenario, ask: Ask) -> State:
    """Play another scenario: it brings its own limit, so everybody looks at the deck again (G2-09)."""
    check_open(state)
    if state.options.mode != "scenario":
        raise Refusal(say("This is a pitched battle, not a scenario."), "G2-09", "text")
    scenario = brought(action.text, cards.Scenario, cards.SCENARIOS.values())
    ask.tell(say("Scenario: {name}", name=called(scenario.name)), "G2-09")
    return state.but(scenario=scenario, ready=())


@decks.rule(SetMarshal, says=lambda _state, _seat, _action: say("The field marshal is chosen"))
def set_marshal(state: State, seat: Seat, action: SetMarshal, ask: Ask) -> State:
    """Say who of two is the field marshal; without agreement a die decides (G2-150)."""
    check_open(state)
    side = side_of(seat)
    pair = seats_of(state.options, side)
    if not paired(state.options, side):
        raise Refusal(say("Only of two who play together one is the field marshal."), "G2-150", "marshal")
    if action.marshal not in ("die", *pair):
        raise Refusal(say("That player is on the other side."), "G2-150", "marshal")
    marshal = _thrown(pair, ask) if action.marshal == "die" else action.marshal
    ask.tell(say("{seat} is the field marshal", seat=Text(marshal)), "G2-150")
    return led_by(state, side, marshal)


def led_by(state: State, side: Side, marshal: Seat) -> State:
    """Say who leads a pair; both look at their decks again, whose limits it may change (G2-150)."""
    ready = tuple(seat for seat in state.ready if side_of(seat) != side)
    return state.but(marshal={**state.marshal, side: marshal}, ready=ready)


def _thrown(pair: tuple[Seat, ...], ask: Ask) -> Seat:
    """Let both throw a die until one of them throws more."""

    def throws(seat: Seat, again: int) -> int:
        why = say("Who is the field marshal")
        faces = ask.throw(1, FACES, f"marshal.{seat}.{again}", why, by=seat, clause="G2-150")
        ask.tell(say("{seat} rolls for field marshal", seat=Text(seat)), "G2-150", faces[0], faces=faces)
        return faces[0]

    return highest(pair, throws)


@decks.rule(Share, says=changed)
def share(state: State, seat: Seat, action: Share, ask: Ask) -> State:
    """Hand copies of a card to the partner with whom a deck is built (G2-149)."""
    check_open(state)
    partner = state.partner(seat)
    if partner is None or not shared(state, side_of(seat)):
        raise Refusal(say("Only two who build one deck together share its cards out."), "G2-149")
    roster = state.rosters.get(seat)
    if roster is None:
        raise Refusal(say("There is no such card in your deck."), "G2-149", "card")
    card = card_at(roster, action.card)
    if action.count > card.count:
        raise Refusal(say("There are not so many of them in your deck."), "G2-149", "count")
    partner_deck = state.rosters.get(partner) or replace(owned(roster), unit=(), support=())
    count, name = action.count, called(card.name)
    given = _with_copies(partner_deck, card, count)
    ask.tell(say("You hand over {count} × {card}", count=count, card=name), "G2-149", seat=seat)
    ask.tell(say("You are handed {count} × {card}", count=count, card=name), "G2-149", seat=partner)
    left = with_count(owned(roster), action.card, card.count - count)
    return with_roster(with_roster(state, seat, left), partner, given)


def _with_copies(roster: Roster, card: UnitCard | SupportCard, count: int) -> Roster:
    """Add copies of a card to a deck; raise Refusal where another card is called so."""
    roster = owned(roster)
    for at, known in enumerate(roster.cards):
        if known.name.casefold() == card.name.casefold():
            if replace(known, count=0) != replace(card, count=0):
                text = say("Your partner has another card called {card}.", card=called(card.name))
                raise Refusal(text, "G2-149", "card")
            if known.count + count > MOST_COPIES:
                raise Refusal(say("There may be {most} of these, no more.", most=MOST_COPIES), "G2-149", "count")
            return with_count(roster, at, known.count + count)
    return with_card(roster, None, replace(card, count=count))

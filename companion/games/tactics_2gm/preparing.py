"""Before the battle: decks are built, loaded and shared (G2-05 to G2-11, G2-146 to G2-150)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import editing, preparing_offers, rosterfiles
from companion.games.tactics_2gm.cards import Roster, SupportCard, UnitCard
from companion.games.tactics_2gm.limits import limit, limit_of, points_of, shared
from companion.games.tactics_2gm.sample import DECKS
from companion.games.tactics_2gm.sides import paired, seats_of, side_of
from companion.games.tactics_2gm.speech import called
from companion.kit.decks.written import MOST_COPIES
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.kit.throwing_off import highest

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return preparing_offers.offers(state, seat) if state.phase == "decks" and seat not in state.ready else []


def rule(state: State, seat: Seat, action: do.Preparing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    if state.phase != "decks":
        raise Refusal(say("The decks stand: the battle has been set up."), "G2-06")
    match action:
        case do.SetMarshal():
            return _marshal(state, seat, action, ask)
        case do.LoadTerrain():
            deck = rosterfiles.terrain(action.text)
            ask.tell(say("Terrain deck: {name}", name=called(deck.name)), "G2-05", len(deck.terrain))
            return state.but(terrain_deck=deck, ready=())
        case do.LoadScenario():
            return _scenario(state, action, ask)
        case do.Share():
            return _share(state, seat, action, ask)
        case do.UseSample():
            roster = _sample(state, seat, action)
        case do.LoadDeck():
            roster = rosterfiles.deck(action.text, side_of(seat))
        case _:
            roster = editing.edit(state, seat, action)
    return _told(_with_roster(state, seat, roster), seat, ask)


def _with_roster(state: State, seat: Seat, roster: Roster) -> State:
    """Put a deck before a player; who had said to be ready is so no more."""
    ready = tuple(one for one in state.ready if one != seat)
    return state.but(rosters={**state.rosters, seat: roster}, ready=ready)


def _told(state: State, seat: Seat, ask: Ask) -> State:
    """Tell a player alone what his deck comes to (G2-10)."""
    points, most = points_of(state, seat), limit_of(state, seat)
    ask.tell(
        say("The deck costs {points} points; the limit is {limit}.", points=points, limit=most), "G2-10", seat=seat
    )
    return state


def _sample(state: State, seat: Seat, action: do.UseSample) -> Roster:
    """Take a sample deck, or so much of it as fits the limit; each of two partners half of it (G2-148)."""
    side = side_of(seat)
    found = DECKS.get(action.sample)
    if found is None or found.side != side:
        raise Refusal(say("There is no such sample deck for the {side}.", side=Text(side)), "G2-06", "sample")
    most = limit(state) // 2 if shared(state, side) else limit_of(state, seat)
    return rosterfiles.within(found, most)


def _scenario(state: State, action: do.LoadScenario, ask: Ask) -> State:
    """Play another scenario: it brings its own limit, so everybody looks at the deck again (G2-09)."""
    if state.options.mode != "scenario":
        raise Refusal(say("This is a pitched battle, not a scenario."), "G2-09", "text")
    found = rosterfiles.scenario(action.text)
    ask.tell(say("Scenario: {name}", name=called(found.name)), "G2-09")
    return state.but(scenario=found, ready=())


def _marshal(state: State, seat: Seat, action: do.SetMarshal, ask: Ask) -> State:
    """Say who of two is the field marshal; without agreement a die decides (G2-150)."""
    side = side_of(seat)
    pair = seats_of(state.options, side)
    if not paired(state.options, side):
        raise Refusal(say("Only of two who play together one is the field marshal."), "G2-150", "marshal")
    if action.marshal == "die":
        marshal = _thrown(pair, ask)
    elif action.marshal in pair:
        marshal = action.marshal
    else:
        raise Refusal(say("That player is on the other side."), "G2-150", "marshal")
    ask.tell(say("{seat} is the field marshal", seat=Text(marshal)), "G2-150")
    ready = tuple(one for one in state.ready if one not in pair)
    return state.but(marshal={**state.marshal, side: marshal}, ready=ready)


def _thrown(pair: tuple[Seat, ...], ask: Ask) -> Seat:
    """Let both throw a die until one of them throws more."""

    def throws(seat: Seat, again: int) -> int:
        why = say("Who is the field marshal")
        faces = ask.throw(1, 10, f"marshal.{seat}.{again}", why, by=seat, clause="G2-150")
        ask.tell(say("{seat} throws for field marshal", seat=Text(seat)), "G2-150", faces[0], faces=faces)
        return faces[0]

    return highest(pair, throws)


def _share(state: State, seat: Seat, action: do.Share, ask: Ask) -> State:
    """Hand copies of a card to the partner with whom a deck is built (G2-149)."""
    partner = state.partner(seat)
    if partner is None or not shared(state, side_of(seat)):
        raise Refusal(say("Only two who build one deck together share its cards out."), "G2-149")
    mine = state.rosters.get(seat)
    if mine is None:
        raise Refusal(say("There is no such card in your deck."), "G2-149", "card")
    card = editing.card_at(mine, action.card)
    if action.count > card.count:
        raise Refusal(say("There are not so many of them in your deck."), "G2-149", "count")
    theirs = state.rosters.get(partner) or replace(editing.owned(mine), unit=(), support=())
    count, name = action.count, called(card.name)
    given = _with_copies(theirs, card, count)
    ask.tell(say("You hand over {count} × {card}", count=count, card=name), "G2-149", seat=seat)
    ask.tell(say("You are handed {count} × {card}", count=count, card=name), "G2-149", seat=partner)
    left = editing.owned(editing.with_count(mine, action.card, card.count - count))
    return _with_roster(_with_roster(state, seat, left), partner, given)


def _with_copies(roster: Roster, card: UnitCard | SupportCard, count: int) -> Roster:
    """Add copies of a card to a deck; raise Refusal where another card is called so."""
    roster = editing.owned(roster)
    for at, known in enumerate(roster.cards):
        if known.name.casefold() == card.name.casefold():
            if replace(known, count=0) != replace(card, count=0):
                text = say("Your partner has another card called {card}.", card=called(card.name))
                raise Refusal(text, "G2-149", "card")
            if known.count + count > MOST_COPIES:
                raise Refusal(say("There may be {most} of these, no more.", most=MOST_COPIES), "G2-149", "count")
            return editing.with_count(roster, at, known.count + count)
    return editing.with_card(roster, None, replace(card, count=count))

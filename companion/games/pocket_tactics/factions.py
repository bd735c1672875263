"""Before the game: each takes or brings a faction and says that it stands; who is first (PT-11, PT-12, PT-A46)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.games.pocket_tactics import bag as bags
from companion.games.pocket_tactics import initial_deployment, map_building
from companion.games.pocket_tactics.cards import FACTIONS, MOST_UNITS, Faction, UnitCard, called, faction_file, within
from companion.games.pocket_tactics.combatants import glyph, sign
from companion.games.pocket_tactics.state import SEATS, Seat, State, other
from companion.games.pocket_tactics.turn import check_phase, preparing
from companion.games.pocket_tactics.unit_editor import WORDS, building
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.contest import highest
from companion.kit.decks import offers as of_decks
from companion.kit.decks import samples, tracker
from companion.kit.decks.entries import called as called_field
from companion.kit.decks.offers import LoadDeck, NameDeck, UseSample
from companion.kit.files import GameFile
from companion.kit.panels import Card, Facts, Panel, Picture, Row, Tracker
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

factions = Chapter[State, Seat]()
beginning = Chapter[State, Seat]()


class Ready(Action, frozen=True, tag="ready"):
    """Say that your faction is as you want it (``on`` false: not yet after all)."""

    stands: bool = msgspec.field(default=True, name="on")


@factions.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the ways to come to a faction: either sample is for either player (PT-11)."""
    if not preparing(state, seat):
        return
    if faction := state.factions.get(seat):
        yield of_decks.load(faction, "PT-11", aside=True, words=WORDS)
        yield from of_decks.samples(FACTIONS, "PT-11", main=False, words=WORDS)
        return
    mine_first = list(FACTIONS) if seat == SEATS[0] else list(FACTIONS)[::-1]
    yield from of_decks.samples(mine_first, "PT-11", main=True, words=WORDS)
    yield of_decks.load(FACTIONS[mine_first[0]], "PT-11", aside=False, words=WORDS)
    label = say("Begin a faction of your own")
    yield NameDeck.offer(label, called_field(), on=of_decks.DECK, loose=True, clause="PT-11")


@building.brings(UseSample)
def use_sample(state: State, _seat: Seat, action: UseSample) -> Faction:
    """Take a sample faction, or so much of it as fits the limit; both may take the same (PT-11, PT-A46)."""
    faction = FACTIONS.get(action.sample)
    if faction is None:
        raise Refusal(say("There is no such sample faction."), "PT-11", "sample")
    return within(faction, state.options.army_limit)


@building.brings(LoadDeck)
def load(_state: State, _seat: Seat, action: LoadDeck) -> Faction:
    """Take the faction of a file."""
    return faction_file(action.text)


@beginning.offers
def offers_to_begin(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to say that the faction and the bag stand, where a game can begin with them, and to take that back."""
    if seat in state.ready and state.phase == "factions":
        yield Ready.offer(say("Not ready yet after all"), stands=False, clause="PT-11")
    elif preparing(state, seat) and unready(state, seat) is None:
        yield Ready.offer(say("Ready: this is my faction"), main=True, clause="PT-11")


def files(state: State, seat: Seat | None) -> Iterator[GameFile]:
    """Write a player's faction, and the bag of both, where they are no samples, as files."""
    yield from samples.files(LoadDeck, called, state.factions.get(seat) if seat else None)
    yield from samples.files(bags.LoadBag, called, state.bag)


def again(fresh: State, before: State, there: Mapping[Seat, Seat]) -> State:
    """Begin a rematch with the faction that each player had, and the bag of both (PT-11, PT-13)."""
    return fresh.but(factions={there[seat]: faction for seat, faction in before.factions.items()}, bag=before.bag)


def unready(state: State, seat: Seat) -> Refusal | None:
    """Say why no game can begin with a player's faction, or with the bag (PT-02, PT-06, PT-13, PT-A46)."""
    faction, limit = state.factions.get(seat), state.options.army_limit
    if faction is None:
        return Refusal(say("Take a faction first, or write one."), "PT-11")
    if not faction.size:
        return Refusal(say("There is no unit in your faction."), "PT-02")
    if faction.size > MOST_UNITS:
        return Refusal(say("A faction has at most {most} units.", most=MOST_UNITS), "PT-02")
    if faction.cost > limit:
        text = say("Your faction costs {points} points: {limit} are the limit.", points=faction.cost, limit=limit)
        return Refusal(text, "PT-A46")
    return bags.unusable(state.bag) if state.mirrored else None


def _said_ready(_before: State, after: State, seat: Seat, action: Ready) -> Text:
    if after.phase != "factions":
        return say("{side} is the first player", side=Text(after.first))
    return say("{side}: ready" if action.stands else "{side}: not ready yet", side=Text(seat))


@beginning.rule(Ready, headline=_said_ready)
def ready(state: State, seat: Seat, action: Ready, ask: Ask) -> State:
    """Take a player at his word that the faction and the bag stand (PT-11).

    When both are ready it is seen who is first; then the map is built, or units are put on the one that lies on the
    table (PT-12 to PT-14).
    """
    check_phase(state)
    if (seat in state.ready) == action.stands:
        raise Refusal(say("You have said so already."), "PT-11")
    side = Text(seat)
    if not action.stands:
        ask.tell(say("{side}: the faction is looked at again", side=side), "PT-11")
        return state.but(ready=tuple(who for who in state.ready if who != seat))
    if why := unready(state, seat):
        raise why
    ask.tell(say("{side}: the faction is ready", side=side), "PT-11")
    if not state.ready:
        return state.but(ready=(seat,))
    state = state.but(ready=SEATS)
    # Questions are open until it is seen who is first: meanwhile everybody sees that the last one is ready too.
    ask.progress(state)
    state = state.but(first=_first_player(ask)).mustered()
    return map_building.begin(state, ask) if state.mirrored else initial_deployment.begin(state, ask)


def _first_player(ask: Ask) -> Seat:
    """Let both throw a die: the higher one is first, equal ones are thrown again (PT-12, PT-A44)."""

    def throws(seat: Seat, _again: int) -> int:
        faces = ask.throw(1, 6, "start_roll", say("{side}: who is first", side=Text(seat)), by=seat, clause="PT-12")
        ask.tell(say("{side} rolls for the first turn", side=Text(seat)), "PT-12", faces[0], faces=faces)
        return faces[0]

    first = highest(SEATS, throws, lambda: ask.tell(say("Equal: both roll again"), "PT-A44"))
    ask.tell(say("{side} is the first player", side=Text(first)), "PT-12")
    return first


def panels(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Show the own faction line by line, the other one, the bag last; ``seat`` None is somebody who only looks on."""
    facts = Facts(say("The factions"), tuple(tracker.readiness(SEATS, state.ready)))
    bag = (bags.tracker(state.bag),) if state.mirrored else ()
    if seat is None:
        return (*(_theirs(state, each) for each in SEATS), *bag, facts)
    return (_own(state, seat), _theirs(state, other(seat)), *bag, facts)


def _own(state: State, seat: Seat) -> Tracker:
    faction = state.factions.get(seat)
    title = say("Your faction: {name}", name=called(faction.name)) if faction else say("Your faction")
    return _tracker(state, of_decks.DECK, title, faction, "u")


def _theirs(state: State, seat: Seat) -> Tracker:
    faction, side = state.factions.get(seat), Text(seat)
    name = called(faction.name) if faction else None
    title = say("{side}: {name}", side=side, name=name) if name else say("{side}: no faction yet", side=side)
    return _tracker(state, seat, title, faction, seat)


def _tracker(state: State, name: str, title: Text, faction: Faction | None, letter: str) -> Tracker:
    """Show a faction: what it costs of what it may (PT-06, PT-A46), and each kind of unit."""
    if faction is None:
        return Tracker(name, title, (), glyph="cards")
    count = say("{count} unit|{count} units", count=faction.size)
    points = tracker.points(faction.cost, state.options.army_limit, count)
    rows = (points, *(_row(f"{letter}{at}", card) for at, card in enumerate(faction.unit)))
    note = tracker.SAMPLE if faction.sample else None
    return Tracker(name, title, rows, glyph="cards", note=note, prints=name == of_decks.DECK)


def _row(on: str, card: UnitCard) -> Row:
    what, shown = say("{cost} points: {what}", cost=card.cost, what=card.said()), _card(on, card)
    return tracker.line(on, shown.name, card.copies, what, shown)


def _card(on: str, card: UnitCard) -> Card:
    """Show a stat card, with all that stands on it: what its unit is, its skills, and its cost in the corner."""
    numbers = tuple((sign(card, skill.slot), skill.stat) for skill in card.skills)
    drawn = Picture(glyphs=(glyph(card),), numbers=numbers, corner=str(card.cost), photo=card.picture)
    cost = say("{count} point|{count} points", count=card.cost)
    return Card(on, "", None, called(card.name), say("{one}, {two}", one=cost, two=card.said()), picture=drawn)


def cards(state: State, seat: Seat, _tracker: str) -> Iterator[tuple[Card, int]]:
    """List the stat cards of a player's own faction, and how many units there are of each."""
    faction = state.factions.get(seat)
    for at, card in enumerate(faction.unit) if faction else ():
        yield _card(f"u{at}", card), card.copies

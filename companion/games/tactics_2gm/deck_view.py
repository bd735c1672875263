"""A player's deck before the battle, line by line and card by card, and what everybody may know of it (ledger 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics_2gm import decks, speech
from companion.games.tactics_2gm.cards import GeneralCard, HeadquartersCard, Roster, SupportCard, UnitCard
from companion.games.tactics_2gm.options import SIDES, Seat, paired, side_of
from companion.games.tactics_2gm.speech import called, does
from companion.games.tactics_2gm.state import State
from companion.games.tactics_2gm.table_view import picture
from companion.kit.decks import tracker as shown
from companion.kit.panels import Card, Facts, Panel, Picture, Row, Tracker
from companion.kit.text import Text, listed, say


def deck_panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player his deck before the battle, and what everybody may know of the others (ledger 5.2)."""
    return (_own(state, seat), _all(state))


def _own(state: State, seat: Seat) -> Tracker:
    roster = state.rosters.get(seat)
    points = _points(state, seat)
    if roster is None:
        return shown.deck(None, (points,), sample=False)
    rows = (points, *_cards(roster), _hq_row(roster.headquarters or HeadquartersCard()), *_generals(roster))
    return shown.deck(called(roster.name), rows, sample=roster.sample)


def _points(state: State, seat: Seat) -> Row:
    """Show what the deck comes to, of what it may (G2-10, G2-11)."""
    roster = state.rosters.get(seat)
    notes = [say("{count} card|{count} cards", count=roster.size if roster else 0)]
    if decks.shared(state, side_of(seat)):
        notes.append(say("points of both partners"))
    return shown.points(decks.points_of(state, seat), decks.limit_of(state, seat), *notes)


def _cards(roster: Roster) -> Iterator[Row]:
    for number, card in enumerate(roster.cards):
        note, shown_card = say("{cost} AP: {what}", cost=card.cost, what=speech.describe(card)), _card(number, card)
        yield shown.line(shown_card.code, shown_card.name, card.count, note, shown_card)


def _hq_row(card: HeadquartersCard) -> Row:
    note = say("armour {armour}, income {income}", armour=card.armour, income=card.income)
    note = say("{one}, {two}", one=note, two=say("{most} AP at most", most=card.ap_cap))
    shown_card = _headquarters(card)
    return Row(shown_card.code, shown_card.name, say("{pi} PI", pi=card.pi), note=note, card=shown_card)


def _generals(roster: Roster) -> Iterator[Row]:
    for number, general in enumerate(roster.general):
        shown_card = _general(number, general)
        yield Row(shown_card.code, shown_card.name, note=shown_card.does, card=shown_card)


def _card(number: int, card: UnitCard | SupportCard) -> Card:
    """Show a card of a deck, with all that stands on it."""
    does = say("{one}, {two}", one=say("{count} AP", count=card.cost), two=speech.describe(card))
    return Card(f"c{number}", str(card.cost), None, called(card.name), does, picture=picture(card))


def _headquarters(card: HeadquartersCard) -> Card:
    """Show the headquarters card, with all that stands on it (G2-28, G2-31, G2-34)."""
    parts = (
        say("{pi} PI", pi=card.pi),
        say("armour {armour}", armour=card.armour),
        say("+{count} AP each turn", count=card.income),
        say("{most} AP at most", most=card.ap_cap),
    )
    printed = (("hearts", card.pi), ("shield", card.armour), ("coins", card.income))
    numbers = tuple((sign, str(count)) for sign, count in printed if count)
    does, drawn = listed(parts, speech.NOTHING), Picture(glyphs=("flag",), numbers=numbers)
    return Card("hq", "", None, say("Headquarters"), does, picture=drawn)


def _general(number: int, card: GeneralCard) -> Card:
    """Show a general, with the bonus that he gives (G2-35)."""
    return Card(f"g{number}", "", None, called(card.name), _bonus(card), picture=Picture(glyphs=("command",)))


def _bonus(general: GeneralCard) -> Text:
    title = Text("general")
    return say("{what}: {how}", what=title, how=does(general.text)) if general.text else title


def cards(state: State, seat: Seat, _tracker: str) -> Iterator[tuple[Card, int]]:
    """List the cards of a player's own deck, and how many there are of each."""
    roster = state.rosters.get(seat)
    if roster is None:
        return
    for number, card in enumerate(roster.cards):
        yield _card(number, card), card.count
    yield _headquarters(roster.headquarters or HeadquartersCard()), 1
    for number, general in enumerate(roster.general):
        yield _general(number, general), 1


def _all(state: State) -> Facts:
    """Show what is public: who is ready, who leads, which terrain deck and scenario are played."""
    rows = shown.readiness(state.seats, state.ready)
    rows += [
        (say("Field marshal: {side}", side=Text(side)), Text(state.leader(side)))
        for side in SIDES
        if paired(state.options, side)
    ]
    rows.append((say("Terrain deck"), _labelled(state.terrain_deck.name, sample=state.terrain_deck.sample)))
    if state.scenario is not None:
        rows.append((say("Scenario"), _labelled(state.scenario.name, sample=state.scenario.sample)))
    return Facts(say("The decks"), tuple(rows))


def _labelled(name: str, *, sample: bool) -> Text:
    return say("{one}, {two}", one=called(name), two=shown.SAMPLE) if sample else called(name)

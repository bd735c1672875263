"""What a seat sees of the decks before the battle: its own with everything in it, of the others who is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import describing, speech
from companion.games.tactics_2gm.cards import HeadquartersCard
from companion.games.tactics_2gm.limits import limit_of, points_of, shared
from companion.games.tactics_2gm.preparing_offers import DECK
from companion.games.tactics_2gm.sides import SIDES, paired, side_of
from companion.kit.panels import Facts, Row, Tracker
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import GeneralCard, Roster
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.panels import Panel

SAMPLE = say("sample, not official")


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player his deck before the battle, and what everybody may know of the others (ledger 5.2)."""
    return (_own(state, seat), _all(state))


def _own(state: State, seat: Seat) -> Tracker:
    roster = state.rosters.get(seat)
    points = _points(state, seat)
    if roster is None:
        return Tracker(DECK, say("Your deck"), (points,), glyph="cards")
    rows = (points, *_cards(roster), _headquarters(roster.headquarters or HeadquartersCard()), *_generals(roster))
    title = say("Your deck: {name}", name=speech.called(roster.name))
    return Tracker(DECK, title, rows, glyph="cards", note=SAMPLE if roster.sample else None)


def _points(state: State, seat: Seat) -> Row:
    """Show what the deck comes to, of what it may (G2-10, G2-11)."""
    points, most = points_of(state, seat), limit_of(state, seat)
    roster = state.rosters.get(seat)
    note = say("{count} card|{count} cards", count=roster.size if roster else 0)
    if shared(state, side_of(seat)):
        note = say("{one}, {two}", one=note, two=say("points of both partners"))
    if points > most:
        note = say("{one}, {two}", one=note, two=say("{count} too many", count=points - most))
    value = say("{points} / {limit}", points=points, limit=most)
    return Row("points", say("Points"), value, note=note, level=min(points, most), most=most)


def _cards(roster: Roster) -> tuple[Row, ...]:
    return tuple(
        Row(
            f"c{number}",
            speech.called(card.name),
            say("× {count}", count=card.count),
            note=say("{cost} AP: {what}", cost=card.cost, what=describing.card(card)),
            spent=not card.count,
        )
        for number, card in enumerate(roster.cards)
    )


def _headquarters(card: HeadquartersCard) -> Row:
    note = say("armour {armour}, income {income}", armour=card.armour, income=card.income)
    note = say("{one}, {two}", one=note, two=say("{most} AP at most", most=card.ap_cap))
    return Row("hq", say("Headquarters"), say("{pi} PI", pi=card.pi), note=note)


def _generals(roster: Roster) -> tuple[Row, ...]:
    return tuple(Row(f"g{at}", speech.called(one.name), note=_bonus(one)) for at, one in enumerate(roster.general))


def _bonus(one: GeneralCard) -> Text:
    if one.text:
        return say("{what}: {how}", what=Text("general"), how=speech.does(one.text))
    return Text("general")


def _all(state: State) -> Facts:
    """Show what is public: who is ready, who leads, which terrain deck and scenario are played."""
    rows = [(Text(one), say("has said ready") if one in state.ready else say("still building")) for one in state.seats]
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
    return say("{one}, {two}", one=speech.called(name), two=SAMPLE) if sample else speech.called(name)

"""What a seat sees of the decks before the battle: its own with everything in it, of the others who is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import describing, speech
from companion.games.tactics_2gm.cards import HeadquartersCard
from companion.games.tactics_2gm.limits import limit_of, points_of, shared
from companion.games.tactics_2gm.sides import SIDES, paired, side_of
from companion.kit.decks import shown
from companion.kit.panels import Facts, Row
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import GeneralCard, Roster
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.panels import Panel, Tracker


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player his deck before the battle, and what everybody may know of the others (ledger 5.2)."""
    return (_own(state, seat), _all(state))


def _own(state: State, seat: Seat) -> Tracker:
    roster = state.rosters.get(seat)
    points = _points(state, seat)
    if roster is None:
        return shown.deck(None, (points,), sample=False)
    rows = (points, *_cards(roster), _headquarters(roster.headquarters or HeadquartersCard()), *_generals(roster))
    return shown.deck(speech.called(roster.name), rows, sample=roster.sample)


def _points(state: State, seat: Seat) -> Row:
    """Show what the deck comes to, of what it may (G2-10, G2-11)."""
    roster = state.rosters.get(seat)
    notes = [say("{count} card|{count} cards", count=roster.size if roster else 0)]
    if shared(state, side_of(seat)):
        notes.append(say("points of both partners"))
    return shown.points(points_of(state, seat), limit_of(state, seat), *notes)


def _cards(roster: Roster) -> tuple[Row, ...]:
    return tuple(
        shown.line(
            f"c{number}",
            speech.called(card.name),
            card.count,
            say("{cost} AP: {what}", cost=card.cost, what=describing.card(card)),
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
    return say("{one}, {two}", one=speech.called(name), two=shown.SAMPLE) if sample else speech.called(name)

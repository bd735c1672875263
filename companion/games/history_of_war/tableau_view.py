"""The five rows of cards between the players, and the flag board (HW-16 to HW-19, HW-88 to HW-91)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import card_view, conquest, speech
from companion.games.history_of_war.sides import SEATS, other
from companion.kit.contest import Contest
from companion.kit.panels import Tableau, Zone
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war import contests
    from companion.games.history_of_war.pieces import Territory
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.panels import Piece


def tableau(state: State, seat: Seat | None) -> tuple[Tableau, ...]:
    """Show what lies on the table, a player's own cards nearest; nothing before there are territories."""
    if not state.territories:
        return ()
    near = seat or "red"
    far = other(near)
    territories = tuple(_territory(state, one, near) for one in state.open)
    conquered = tuple(_conquered(state, one) for one in state.territories if one.conqueror is not None)
    folded = seat is not None
    rows: tuple[tuple[Zone, ...], ...] = (
        _laid(state, seat) if seat else (),
        (_base(state, far, folded=folded), _deployment(state, far, folded=folded)),
        territories,
        (_deployment(state, near), _base(state, near)),
    )
    rows = (*rows, conquered) if conquered else rows
    return (Tableau(say("The table"), tuple(row for row in rows if row), card_view.LEGEND),)


def _base(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    ta = sum(state.ta(card) for card in state.of(seat) if not card.locked)
    points = say("{have} / {most} VP", have=state.victory_points(seat), most=state.options.to_win)
    return Zone(
        f"base.{seat}",
        say("Base area"),
        _pieces(state, seat, "base"),
        seat,
        glyph="factory",
        value=say("{count} TA", count=ta),
        note=points,
        folded=folded,
    )


def _deployment(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    pieces = (*_pieces(state, seat, "deployment"), *_pieces(state, seat, "laid"))
    return Zone(
        f"deployment.{seat}", say("Deployment area"), pieces, seat, hidden=len(state.plan(seat).laid), folded=folded
    )


def _laid(state: State, seat: Seat) -> tuple[Zone, ...]:
    """Show a player what he has laid face down himself (HW-43)."""
    plan = state.plan(seat)
    if not plan.laid:
        return ()
    pieces = tuple(card_view.face_down(state, seat, laid) for laid in plan.laid)
    cost = sum(card_view.cost(state, seat, laid.code) for laid in plan.laid)
    return (
        Zone(
            "laid",
            say("Face down"),
            pieces,
            seat,
            note=say("only you see what it is"),
            value=say("{count} TA", count=cost),
        ),
    )


def _pieces(state: State, seat: Seat, place: str) -> tuple[Piece, ...]:
    return tuple(card_view.piece(state, card) for card in state.of(seat, place))


def _territory(state: State, one: Territory, near: Seat) -> Zone:
    pieces = (*_pieces(state, near, one.id), *_pieces(state, other(near), one.id))
    found = conquest.contest(state, one)
    land = state.land(one)
    note = say("{count} flag needed|{count} flags needed", count=found.needed)
    if land.text:
        note = say("{one}, {two}", one=note, two=speech.does(land.text))
    return Zone(
        one.id,
        speech.territory(state, one),
        pieces,
        glyph="flag",
        note=note,
        value=say("{count} VP", count=land.victory_points),
        contest=_contest(found, near),
    )


def _conquered(state: State, one: Territory) -> Zone:
    pieces = tuple(card_view.piece(state, card) for card in state.cards if card.place == one.id)
    name = say("{territory}: conquered", territory=speech.territory(state, one))
    return Zone(
        one.id,
        name,
        pieces,
        str(one.conqueror),
        glyph="flag",
        value=say("{count} VP", count=state.land(one).victory_points),
        folded=True,
    )


def _contest(found: contests.Contest, near: Seat) -> Contest:
    """Draw who leads, by how much, and what would flip it: the player's own side on the left."""
    far = other(near)
    return Contest(
        ((near, found.totals[near]), (far, found.totals[far])),
        found.needed,
        _says(found),
        (*_flips(found), *_locked(found, near)),
        (found.locked[near], found.locked[far]),
    )


def _says(found: contests.Contest) -> Text:
    if found.leader is None:
        return say("Level.")
    side = Text(found.leader)
    if found.conqueror is not None:
        return say("{side} conquers: ahead by {count}.", side=side, count=found.difference)
    if found.enough:
        return say("{side} is ahead by {count}, but has not the flags to occupy it.", side=side, count=found.difference)
    return say("{side} is ahead by {count}.", side=side, count=found.difference)


def _flips(found: contests.Contest) -> tuple[Text, ...]:
    """Say what would change who leads or who conquers, in flags."""
    if found.leader is None:
        return (
            say(
                "Whoever gets {count} flag more conquers it.|Whoever gets {count} flags more conquers it.",
                count=found.needed,
            ),
        )
    leader, behind = found.leader, other(found.leader)
    if found.conqueror is not None:
        return (say("{side}: +{count} stops it.", side=Text(behind), count=found.to_stop(behind)),)
    said = []
    if not found.enough:
        said.append(say("{side}: +{count} conquers.", side=Text(leader), count=found.to_conquer(leader)))
    said.append(
        say(
            "{side}: +{lead} takes the lead, +{count} conquers.",
            side=Text(behind),
            lead=found.to_lead(behind),
            count=found.to_conquer(behind),
        )
    )
    return tuple(said)


def _locked(found: contests.Contest, near: Seat) -> tuple[Text, ...]:
    """Say which flags do not count because their cards are locked (HW-88)."""
    order = (near, other(near))
    if not any(found.locked[seat] for seat in SEATS):
        return ()
    parts = [say("{side} {count}", side=Text(seat), count=found.locked[seat]) for seat in order if found.locked[seat]]
    both = parts[0] if len(parts) == 1 else say("{one}, {two}", one=parts[0], two=parts[1])
    return (say("Locked: {flags}.", flags=both),)

"""The ways in which a piece fights, read as its table shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.kit.panels import Board, Roster, Tableau
from tests.support.watch import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.kit.panels import Piece, View


def pieces(view: View) -> Iterator[Piece]:
    for panel in view.panels:
        if isinstance(panel, Board | Roster):
            yield from panel.pieces
        if isinstance(panel, Tableau):
            yield from (piece for zone in panel.zones for piece in zone.pieces)


def armed(game: Any, state: Any, seat: str, unit: str) -> dict[str, dict[str, str]]:
    """The numbers of each weapon by what they are called, and what is said of it."""
    piece = next(piece for piece in pieces(game.view(state, seat)) if piece.id == unit)
    return {read(game, weapon.name, "en"): dict(_row(game, weapon)) for weapon in piece.weapons}


def _row(game: Any, weapon: Any) -> Iterator[tuple[str, str]]:
    for stat in weapon.numbers:
        yield read(game, stat.name, "en"), read(game, stat.value, "en")
    if weapon.notes:
        yield "notes", ", ".join(read(game, note, "en") for note in weapon.notes)
    if weapon.spent:
        yield "spent", read(game, weapon.why, "en") if weapon.why else ""


def made_of(game: Any, state: Any, seat: str, unit: str) -> dict[str, list[tuple[str | None, int | None]]]:
    """What the numbers that are not the printed ones are made of: clauses and what each adds."""
    piece = next(piece for piece in pieces(game.view(state, seat)) if piece.id == unit)
    return {
        f"{read(game, weapon.name, 'en')}: {read(game, stat.name, 'en')}": [
            (term.clause, term.value) for term in stat.terms
        ]
        for weapon in piece.weapons
        for stat in weapon.numbers
        if stat.terms
    }

"""Corrections that begin at a piece of a view: those that its game declares, with the same value and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.kit.panels import Board, Roster, Tableau

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.kit.panels import Piece, View


def begin_soundly(game: Any, state: Any, view: View, seat: str) -> None:
    """Each path at a piece is a value that this seat may correct, and every square that is tapped a choice."""
    declared = {one.path: one.field for one in game.tracked(state) if {one.only, one.secret_of} <= {None, seat}}
    for board, piece in pieces(view) if not view.over else ():
        at = piece.corrections
        if at is None:
            continue
        assert at.count or at.square, f"{piece.id} names no correction"
        if at.count:
            field = declared[at.count]
            assert (field.kind, field.value, field.low, field.high) == ("number", at.value, at.low, at.most), at.count
        if at.square:
            field = declared[at.square]
            assert board is not None
            assert field.value == piece.square, at.square
            choices = {option.value for option in field.options if option.place == option.value}
            assert tapped(board) <= choices, at.square


def tapped(board: Board) -> set[str]:
    """The squares that a tap may choose for a piece that stands elsewhere."""
    if board.hexes:
        squares = {ground.square for ground in board.terrain}
    else:
        squares = {file + rank for file in board.files for rank in board.ranks}
    return squares.difference(board.closed, (piece.square for piece in board.pieces))


def pieces(view: View) -> Iterator[tuple[Board | None, Piece]]:
    """Every piece of a view, with the board that it stands on."""
    for panel in view.panels:
        match panel:
            case Board():
                yield from ((panel, piece) for piece in panel.pieces if piece.square)
            case Roster():
                yield from ((None, piece) for piece in panel.pieces)
            case Tableau():
                yield from ((None, piece) for zone in panel.zones for piece in zone.pieces)

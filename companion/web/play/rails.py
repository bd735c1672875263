"""How the two sides of a board stand, at a glance: a rail above the board and one beneath it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.kit.panels import Board, Panel, Piece, Row, Tracker
from companion.kit.text import Text
from companion.table.view_models import Seen
from companion.web.play.board import BoardView
from companion.web.play.turn import called


class Rail(msgspec.Struct, frozen=True):
    """Tell how a side stands: the hits of its main piece, how many others are left, or else what it has to spend."""

    side: str
    who: Text
    units: int | None
    hits: int
    strength: int
    values: tuple[Text, ...]


def main_piece(pieces: Sequence[Piece]) -> Piece | None:
    """Find the piece that stands more hits than any other of its side; None where none does."""
    strongest = sorted(pieces, key=lambda piece: -piece.strength)[:2]
    return next((piece for piece in strongest[:1] if piece.strength > strongest[-1].strength), None)


def rails(seen: Seen, panels: Sequence[tuple[str, Panel | BoardView]]) -> tuple[Rail, Rail] | None:
    """Return how the side above and the side beneath a board stand; None where there is no board of two sides."""
    boards = [panel for _, panel in panels if isinstance(panel, BoardView)]
    sides = [person.seat for person in seen.people if any(_is_on(view.board, person.seat) for view in boards)]
    if len(boards) != 1 or len(sides) != 2 or boards[0].many or not _is_low(boards[0]):
        return None
    rows = [row for _, panel in panels if isinstance(panel, Tracker) for row in panel.rows]
    above, beneath = sides if boards[0].board.turned else reversed(sides)
    return _rail(seen, boards[0].board, above, rows), _rail(seen, boards[0].board, beneath, rows)


def own_values(seen: Seen, panels: Sequence[tuple[str, Panel | BoardView]]) -> tuple[Text, ...]:
    """List what a seat has to spend or to lose, where a board leaves what is counted to the sheet."""
    if not any(isinstance(panel, BoardView) for _, panel in panels):
        return ()
    return _values((row for _, panel in panels if isinstance(panel, Tracker) for row in panel.rows), seen.seat)


def _values(rows: Iterable[Row], side: str) -> tuple[Text, ...]:
    return tuple(row.value for row in rows if row.value and row.side == side)


def _is_low(view: BoardView) -> bool:
    return not view.board.hexes and len(view.board.ranks) <= len(view.board.files)


def _of(board: Board, side: str) -> list[Piece]:
    return [piece for piece in board.pieces if piece.side == side and piece.square]


def _fallen(board: Board, side: str) -> list[Piece]:
    return [piece for piece in board.fallen if piece.side == side]


def _is_on(board: Board, side: str) -> bool:
    return bool(_of(board, side) or _fallen(board, side))


def _rail(seen: Seen, board: Board, side: str, rows: Sequence[Row]) -> Rail:
    who = called(seen.people, side)
    if values := _values(rows, side):
        return Rail(side, who, None, 0, 0, values)
    pieces = _of(board, side)
    main = main_piece((*pieces, *_fallen(board, side)))
    hits, strength = (main.hits, main.strength) if main else (0, 0)
    return Rail(side, who, len(pieces) - (main in pieces), hits, strength, ())

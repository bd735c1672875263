"""The board of a play page: its squares as the seat sees them, what can be picked there, the squares that answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.kit.asking import Choose
from companion.kit.game import Offer
from companion.kit.panels import Board, Piece
from companion.kit.text import Text
from companion.web.ways import Way, Ways, parted


class Pick(msgspec.Struct, frozen=True):
    """Show what can be picked: a piece where it stands, or an offer of its own (no ``piece``) that is sent to a place.

    ``on_board`` is what it may do on the board, ``others`` what else; a piece that may do nothing is picked to learn
    what it is. ``own`` pieces are the seat's, ``foes`` are the squares of those that it fights with.
    """

    id: str
    name: Text
    piece: Piece | None
    column: int
    row: int
    on_board: tuple[Ways, ...] = ()
    others: tuple[Offer, ...] = ()
    own: bool = False
    foes: tuple[str, ...] = ()

    @property
    def acts(self) -> bool:
        """Tell whether there is anything that it may do."""
        return bool(self.on_board or self.others)


class BoardShown(msgspec.Struct, frozen=True):
    """Show a board: squares as (column, row) from the top left, 1-based, in the seat's own view of it."""

    board: Board
    columns: int
    rows: int
    places: Mapping[str, tuple[int, int]]
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    picks: tuple[Pick, ...]
    answers: tuple[Way, ...]

    @property
    def linked(self) -> Mapping[str, list[str]]:
        """List for each square those that its piece fights with, in the order of the links."""
        return _linked(self.board)

    @property
    def legend(self) -> tuple[tuple[str, Text], ...]:
        """List the signs that are on the board now, with what they mean."""
        now = {sign for piece in self.board.pieces for sign in piece.signs}
        return tuple((sign, words) for sign, words in self.board.legend if sign in now)


def _linked(board: Board) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, other in board.links:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def lay_out(
    board: Board,
    by_piece: Mapping[str, Sequence[Offer]],
    loose: Mapping[str, Iterable[Offer]],
    question: Choose | None,
    seat: str,
) -> BoardShown:
    """Lay a board out for a seat, with what its pieces may do, and the squares that answer.

    ``loose`` are offers that start from no piece, by what their picks are called.
    """
    files = board.files[::-1] if board.turned else board.files
    ranks = board.ranks if board.turned else board.ranks[::-1]
    places = {file + rank: (column, row) for row, rank in enumerate(ranks, 1) for column, file in enumerate(files, 1)}
    held = {piece.square: piece.side for piece in board.pieces}
    fights = _linked(board)

    def pick(piece: Piece) -> Pick:
        assert piece.square is not None
        foes = [at for at, side in held.items() if side != piece.side]
        on_board, others = parted(by_piece.get(piece.id, ()), places, foes)
        return Pick(piece.id, piece.name, piece, *places[piece.square], on_board, others,
                    piece.side == seat, tuple(fights.get(piece.square, ())))  # fmt: skip

    standing = [piece for piece in board.pieces if piece.square in places]
    picks = [pick(piece) for piece in standing if piece.id in by_piece]
    picks += [
        Pick(f"{called}-{at}", offer.label, None, 0, 0, *parted([offer], places, ()))
        for called, offers in loose.items()
        for at, offer in enumerate(offers)
    ]
    picks += [pick(piece) for piece in standing if piece.id not in by_piece]
    answers = tuple(
        Way(option.label, option.value, place=option.place, column=places[option.place][0], row=places[option.place][1])
        for option in (question.options if question else ())
        if option.place in places and option.barred is None
    )
    return BoardShown(board, len(files), len(ranks), places, files, ranks, tuple(picks), answers)


def marked(board: Board, marks: Mapping[str, str]) -> Board:
    """Mark what a pending question is about instead of what was done last."""
    if not marks:
        return board
    found = tuple((piece.square, marks[piece.id]) for piece in board.pieces if piece.square and piece.id in marks)
    return msgspec.structs.replace(board, tint=found)

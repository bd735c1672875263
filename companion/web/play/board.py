"""The board of a play page: where its squares lie, what can be picked there, the squares that answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import msgspec

from companion.kit.action import Offer
from companion.kit.panels import Board, Piece, Terrain
from companion.kit.questions import Choose, Throw
from companion.kit.text import Text
from companion.web.play.drawing import HEXAGON, SQUARE, Caption, Figure, Shapes, caption, plain
from companion.web.play.targets import Tap, Targets, offer_id, split_by_place

WIDTH, HEIGHT = 12, 10.4
"""A hexagon that lies on a side; its columns overlap by a quarter of its width."""
SIDES = ((0, -5.2), (4.5, -2.6), (4.5, 2.6), (0, 5.2), (-4.5, 2.6), (-4.5, -2.6))
"""The middle of each side of a hexagon as seen from its own, from the upper one clockwise."""
CHANNELS = ("M0 0V-5.2", "M0 0l4.5-2.6", "M0 0l4.5 2.6", "M0 0V5.2", "M0 0l-4.5 2.6", "M0 0l-4.5-2.6")
WALLS = (
    "M-2.6-4.6h5.2",
    "M2.7-4.5l2.6 4.5",
    "M5.3 0l-2.6 4.5",
    "M2.6 4.6h-5.2",
    "M-2.7 4.5l-2.6-4.5",
    "M-5.3 0l2.6-4.5",
)


class SquarePosition(msgspec.Struct, frozen=True):
    """Where a square lies: its centre in the drawing, and the classes of what lies over it (column and row)."""

    x: float
    y: float
    cell: str


class Coordinate(msgspec.Struct, frozen=True):
    """The name of a file or a rank in a corner of a ``square``, and whether that one is ``dark``."""

    name: str
    x: float
    y: float
    square: str
    dark: bool


class BoardGeometry(msgspec.Struct, frozen=True):
    """Where every square lies in a seat's own view of a board, whose drawing is ``across`` wide and ``down`` high.

    ``files`` and ``ranks`` begin at the top left; the files that are ``low`` lie half a hexagon lower than the others.
    """

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    low: tuple[str, ...]
    across: float
    down: float
    at: Mapping[str, SquarePosition]
    turned: bool

    @property
    def coordinates(self) -> list[Coordinate]:
        """List the names of files, each at the foot of its lowest square, and of ranks at the head of the left one."""
        lowest, left, rows = self.ranks[-1], self.files[0], len(self.ranks)
        files = [
            Coordinate(file, column * 10 - 9.5, plain(self.down - 0.6), file + lowest, (column + rows) % 2 == 1)
            for column, file in enumerate(self.files, 1)
        ]
        ranks = [
            Coordinate(rank, 0.5, plain(row * 10 - 7.3), left + rank, row % 2 == 0)
            for row, rank in enumerate(self.ranks, 1)
        ]
        return files + ranks

    def side(self, number: int) -> int:
        """Return where a side of a hexagon is seen, from 0 (up) clockwise."""
        return (number + (2 if self.turned else -1)) % 6

    def beyond(self, square: str, number: int) -> str | None:
        """Name the hexagon across a side of another, None where the board ends."""
        if square not in self.at:
            return None
        (dx, dy), here = SIDES[self.side(number)], self.at[square]
        x, y = here.x + 2 * dx, here.y + 2 * dy
        return next((name for name, at in self.at.items() if abs(at.x - x) + abs(at.y - y) < 1), None)


def geometry(board: Board) -> BoardGeometry:
    """Find where every square of a board lies."""
    return _geometry(board.files, board.ranks, board.turned, board.raised if board.hexes else None)


@lru_cache(maxsize=64)
def _geometry(
    files: tuple[str, ...], ranks: tuple[str, ...], turned: bool, raised: tuple[str, ...] | None
) -> BoardGeometry:
    """Lay out hexagons, of which some files are ``raised``, or squares (None)."""
    hexes = raised is not None
    files = files[::-1] if turned else files
    ranks = ranks if turned else ranks[::-1]
    low = tuple(file for file in files if raised is not None and (file in raised) == turned)
    low = () if len(low) == len(files) else low

    def position(column: int, row: int, is_low: bool) -> SquarePosition:
        if not hexes:
            return SquarePosition(column * 10 - 5, row * 10 - 5, f"f{column} r{row}")
        y = round(HEIGHT * (row if is_low else row - 0.5), 1)
        return SquarePosition(column * 9 - 3, y, f"f{column} r{row}{' low' if is_low else ''}")

    columns, rows = tuple(enumerate(files, 1)), tuple(enumerate(ranks, 1))
    at = {file + rank: position(column, row, file in low) for row, rank in rows for column, file in columns}
    across = len(files) * 9 + WIDTH - 9 if hexes else len(files) * 10
    down = round(HEIGHT * (len(ranks) + (0.5 if low else 0)), 1) if hexes else len(ranks) * 10
    return BoardGeometry(files, ranks, low, across, down, at, turned)


OTHER = "other"
"""The colour of what belongs to no seat of the game."""
PICTURES = {"water": "river", "base": "castle"}
"""The pictures of terrains that are called otherwise."""


class Pick(msgspec.Struct, frozen=True):
    """What can be picked: a piece where it stands, or an offer of its own (no ``piece``) that is sent to a place.

    ``cell`` are the classes of what lies over its square. ``on_board`` is what it may do on the board, ``others`` what
    else; a piece that may do nothing is picked to learn what it is, and on which ``ground`` it stands. ``own`` pieces
    are the seat's, ``foes`` are the squares of those that it fights with. What ``begins`` is what most would do next.
    """

    id: str
    name: Text
    piece: Piece | None
    cell: str = ""
    ground: Text | None = None
    on_board: tuple[Targets, ...] = ()
    others: tuple[Offer, ...] = ()
    own: bool = False
    foes: Sequence[str] = ()
    begins: bool = False

    @property
    def acts(self) -> bool:
        """Tell whether there is anything that it may do."""
        return bool(self.on_board or self.others)

    @property
    def quiet(self) -> bool:
        """Tell whether nothing that it may do can succeed: it is not pointed at."""
        hopeful = any(targets.places or targets.named or targets.apart for targets in self.on_board)
        return bool(self.on_board) and not self.others and not hopeful


class BoardView(msgspec.Struct, frozen=True, dict=True):
    """A board in the seat's own view of it; ``gaps`` are hexagons without terrain where something may be sent.

    ``ground`` is what the terrain of each square is called; ``linked`` are the squares that the piece on a square
    fights with, in the order of the links. ``colours`` are those of the sides.
    """

    board: Board
    geometry: BoardGeometry
    ground: Mapping[str, Text]
    linked: Mapping[str, Sequence[str]]
    picks: tuple[Pick, ...]
    answers: tuple[Tap, ...]
    colours: Mapping[str, str]
    gaps: tuple[str, ...] = ()

    @property
    def places(self) -> Mapping[str, SquarePosition]:
        """Return where each square lies."""
        return self.geometry.at

    @property
    def shapes(self) -> Shapes:
        """Return what its squares and pieces are drawn with."""
        return HEXAGON if self.board.hexes else SQUARE

    @cached_property
    def orientation(self) -> tuple[Any, ...]:
        """Tell the squares that it has and how they lie, without anything on them."""
        return (self.board.files, self.board.ranks, self.board.hexes, self.board.raised, self.board.turned)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """List what is drawn of each piece that stands somewhere."""
        places = self.places
        return tuple(
            Figure(one.id, at.x, at.y, colour, one.glyph, one.spent, one.down, one.signs[:4], one.hits, one.photo)
            for one in self.board.pieces
            if one.square is not None and (at := places.get(one.square))
            for colour in (self.colours.get(one.side, OTHER),)
        )

    @cached_property
    def pictured(self) -> bool:
        """Tell whether a piece on it has a picture of somebody's own."""
        return any(figure.photo for figure in self.figures)

    @cached_property
    def grounds(self) -> tuple[tuple[str, str, str, Sequence[int] | None], ...]:
        """List what is drawn of the terrain of each square: its place, kind and colour, and the ways through it."""
        return tuple(
            (ground.square, ground.kind, self.colours.get(ground.side, OTHER) if ground.side else "", ground.grooves)
            for ground in self.board.terrain
            if ground.square in self.places
        )

    @cached_property
    def drawn(self) -> tuple[Any, ...]:
        """Return all that its drawing shows: none of it is words, or seen by one seat alone."""
        return (self.orientation, self.figures, self.grounds, self.gaps, self.board.tint, self.board.links)

    @cached_property
    def links(self) -> list[tuple[float, float]]:
        """Find the middle between every two squares that are linked."""
        pairs = ((self.places.get(one), self.places.get(other)) for one, other in self.board.links)
        return [(plain((one.x + other.x) / 2), plain((one.y + other.y) / 2)) for one, other in pairs if one and other]

    @property
    def many(self) -> bool:
        """Tell whether it is so large that a phone shows a part of it."""
        return len(self.board.files) > 9 or (self.board.hexes and len(self.board.ranks) > 12)

    @cached_property
    def standing(self) -> Mapping[str, list[Piece]]:
        """List the pieces on each square."""
        standing: dict[str, list[Piece]] = {}
        for piece in self.board.pieces:
            if piece.square is not None:
                standing.setdefault(piece.square, []).append(piece)
        return standing

    @cached_property
    def told(self) -> tuple[tuple[Piece, Text | None, Sequence[str]], ...]:
        """List each piece that stands somewhere with what its ground is called, and the squares that it fights with."""
        standing = [(piece, piece.square) for piece in self.board.pieces if piece.square]
        return tuple((piece, self.ground.get(at), self.linked.get(at, ())) for piece, at in standing)

    @cached_property
    def kinds(self) -> tuple[Terrain, ...]:
        """List each terrain once, to say what its picture means; none on a board of squares, which names no tiles."""
        kinds: list[Terrain] = []
        for ground in self.board.terrain if self.board.hexes else ():
            kind = msgspec.structs.replace(ground, square="", grooves=None)
            if kind not in kinds:
                kinds.append(kind)
        return tuple(kinds)

    @cached_property
    def tiles(self) -> tuple[tuple[Terrain, list[str], Sequence[Piece]], ...]:
        """List the terrain as it is told, that of a board of hexagons file by file.

        Each with the hexagons towards which a tunnel is open, and the pieces on it.
        """
        terrain: Iterable[Terrain] = self.board.terrain
        if self.board.hexes:
            order = {file + rank: at for at, (file, rank) in enumerate(product(self.board.files, self.board.ranks))}
            terrain = sorted(terrain, key=lambda ground: order.get(ground.square, len(order)))
        standing = self.standing
        return tuple((ground, self._through(ground), standing.get(ground.square, ())) for ground in terrain)

    def picture(self, ground: Terrain) -> str:
        """Name the picture of a terrain."""
        return PICTURES.get(ground.kind, ground.kind)

    def caption(self, ground: Terrain, drawn: bool) -> Caption:
        """Find where the name of a hexagon stands, with its picture beside it where one is ``drawn``."""
        return caption(ground.square, drawn)

    def channels(self, ground: Terrain) -> str:
        """Draw the ways through a tunnel."""
        return "".join(CHANNELS[self.geometry.side(number)] for number in ground.grooves or ())

    def walls(self, ground: Terrain) -> str:
        """Draw the sides of a tunnel that are closed."""
        closed = (number for number in range(1, 7) if number not in (ground.grooves or ()))
        return "".join(WALLS[self.geometry.side(number)] for number in closed)

    def _through(self, ground: Terrain) -> list[str]:
        """List the hexagons towards which a tunnel is open."""
        beyond = (self.geometry.beyond(ground.square, number) for number in ground.grooves or ())
        return [square for square in beyond if square is not None]

    @cached_property
    def closed(self) -> list[str]:
        """List where no correction puts a piece: squares that the game names, and hexagons without terrain."""
        named = set(self.board.closed)
        return [place for place in self.places if place in named or (self.board.hexes and place not in self.ground)]

    @cached_property
    def common_signs(self) -> tuple[bool, bool, bool, bool]:
        """Tell which signs of any game are to be seen: who fights whom, hits, what is faded, where one came from."""
        pieces, tint = self.board.pieces, self.board.tint
        return (
            bool(self.board.links),
            any(piece.hits for piece in pieces),
            any(piece.spent for piece in pieces),
            any(kind == "came_from" for _, kind in tint),
        )

    @cached_property
    def legend(self) -> tuple[tuple[str, Text], ...]:
        """List the signs that are on the board now, or on squares of what may be picked, with what they mean."""
        now = {sign for piece in self.board.pieces for sign in piece.signs}
        named = (option for pick in self.picks for targets in pick.on_board for option in targets.named)
        now |= {option.badge.sign for option in named if option.badge}
        return tuple((sign, words) for sign, words in self.board.legend if sign in now)

    @cached_property
    def explained(self) -> tuple[Any, ...]:
        """Return all whose meaning is said beside the board, empty where that is nothing."""
        signs = (self.legend, self.heads, self.kinds, self.common_signs)
        return signs if any(signs[:3]) or any(self.common_signs) else ()

    @cached_property
    def heads(self) -> tuple[tuple[str, Text], ...]:
        """List the signs over the numbers of weapons of its pieces, with what they mean."""
        heads = (head for piece in self.board.pieces for head in piece.heads)
        return tuple({(head.sign, head.name.say): (head.sign, head.name) for head in heads}.values())


def plain_board(board: Board, colours: Mapping[str, str]) -> BoardView:
    """Lay a board out to be looked at alone: nothing starts from it."""
    ground = {ground.square: ground.name for ground in board.terrain}
    return BoardView(board, geometry(board), ground, {}, (), (), colours)


def board_view(
    board: Board,
    by_piece: Mapping[str, Sequence[Offer]],
    loose: Mapping[str, Iterable[Offer]],
    question: Throw | Choose | None,
    seat: str,
    colours: Mapping[str, str],
) -> BoardView:
    """Lay a board out for a seat, with what its pieces may do, and the squares that answer.

    ``colours`` are those of the sides. ``loose`` are offers that start from no piece, by what their picks are called:
    each after what it does, so that none is taken for another one that comes in its place.
    """
    laid_out = geometry(board)
    places, ground = laid_out.at, {ground.square: ground.name for ground in board.terrain}
    linked: dict[str, list[str]] = {}
    for square, other in board.links:
        linked.setdefault(square, []).append(other)
        linked.setdefault(other, []).append(square)
    standing = [piece for piece in board.pieces if piece.square in places]

    def pick(piece: Piece) -> Pick:
        assert piece.square is not None
        cell, on_ground = places[piece.square].cell, ground.get(piece.square)
        fought, is_own = linked.get(piece.square, ()), piece.side == seat
        if piece.id not in by_piece:
            return Pick(piece.id, piece.name, piece, cell, on_ground, own=is_own, foes=fought)
        foes = {other.square for other in standing if other.side != piece.side}
        friends = (other for other in standing if other.side == seat and other.id != piece.id)
        own = {other.square: other.name for other in friends if other.square and other.square not in foes}
        on_board, others = split_by_place(by_piece[piece.id], places, foes, own)
        return Pick(piece.id, piece.name, piece, cell, on_ground, on_board, others, is_own, fought)

    picks = [pick(piece) for piece in standing if piece.id in by_piece]
    for prefix, offers in loose.items():
        for offer in offers:
            on_board, others = split_by_place([offer], places, (), {})
            name = f"{prefix}-{offer_id(offer)}"
            picks.append(Pick(name, offer.label, None, on_board=on_board, others=others, begins=offer.main))
    picks += [pick(piece) for piece in standing if piece.id not in by_piece]
    answers = tuple(
        Tap(option.label, option.value, place=option.place, cell=places[option.place].cell)
        for option in (question.options if isinstance(question, Choose) else ())
        if option.place is not None and option.place in places and option.barred is None
    )
    targets = {tap.place for tap in answers}.union(*(target.squares for pick in picks for target in pick.on_board))
    gaps = tuple(place for place in places if place in targets and place not in ground) if board.hexes else ()
    return BoardView(board, laid_out, ground, linked, tuple(picks), answers, colours, gaps)


def mark_board(board: Board, marks: Mapping[str, str]) -> Board:
    """Mark what a pending question is about instead of what was done last."""
    if not marks:
        return board
    pieces = ((piece.square, marks[piece.id]) for piece in board.pieces if piece.square and piece.id in marks)
    ground = ((ground.square, marks[ground.square]) for ground in board.terrain if ground.square in marks)
    return msgspec.structs.replace(board, tint=(*pieces, *ground))

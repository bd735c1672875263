"""What should lie on the table by what a seat sees, in lines that one compares with it, each with its corrections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from companion.kit.correction import Tracked
from companion.kit.panels import (
    Board,
    Card,
    Hand,
    Panel,
    Piece,
    Piles,
    Roster,
    Row,
    Tableau,
    Terrain,
    Tracker,
    View,
    Zone,
)
from companion.kit.text import Text, say

SEPARATOR = re.compile("[.:]")
"""What stands between the words of a path."""
MOST_OF_A_LINE = 4
"""Corrections of a line of a tracker, at most: one that has more is no count."""
CARDS = "cards."
"""What the paths of values begin with that say which cards lie in the piles of a game."""


class Thing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that should lie on the table: a piece, a ground, a count.

    ``id`` tells it from others of its kind. ``place`` is where it lies: a square, else nothing is said of it. ``count``
    is what a count says, ``hits`` and ``suffered`` are those of a piece, ``notes`` say what else there is to it (what
    lies on it, what it has done), ``cards`` are those that lie face up.
    ``corrections`` are the open values that say what it is and where.
    """

    id: str
    kind: str
    name: Text
    place: str = ""
    side: str = ""
    glyph: str = ""
    hits: int = 0
    suffered: Text | None = None
    down: bool = False
    count: Text | int | None = None
    notes: tuple[Text, ...] = ()
    cards: tuple[Card, ...] = ()
    corrections: tuple[Tracked, ...] = ()

    @property
    def known_by(self) -> bytes:
        """Return what tells it from others, whoever looks: a piece by its name, anything else by all that it says."""
        if self.kind == "piece":
            return msgspec.json.encode(("piece", self.id))
        return msgspec.json.encode(msgspec.structs.replace(self, id="", corrections=()))


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is compared in one go: a rank of a board, a zone, a list, some piles, a tracker.

    ``name`` is what it is called, empty where the part's title says it; ``side`` is whose it is. ``elsewhere`` are
    values of its cards, the first of each group: they are set card by card.
    """

    id: str
    name: Text | None
    things: tuple[Thing, ...]
    side: str = ""
    elsewhere: tuple[Tracked, ...] = ()

    @property
    def corrections(self) -> tuple[tuple[Thing, tuple[Tracked, ...]], ...]:
        """List what can be corrected of it, with what that belongs to."""
        return tuple((thing, thing.corrections) for thing in self.things if thing.corrections)


class Stock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table: a board, a tableau, a list of pieces, piles, a tracker."""

    id: str
    title: Text
    lines: tuple[Line, ...]
    kind: str


def stock(view: View, tracked: Iterable[Tracked] = (), lying: Collection[str] = ()) -> tuple[Stock, ...]:
    """List what should lie on the table by a view, and nothing else, with what of ``tracked`` can be set there.

    ``lying`` are the words of paths by which a game knows how a piece lies (``Game.lying_values``).
    """
    return _Taking(view, tuple(tracked), lying).stock


def beyond(own: Iterable[Stock], public: Iterable[Stock]) -> tuple[Stock, ...]:
    """Return what one list has and another one has not: what a seat alone sees."""
    known = {thing.known_by for part in public for line in part.lines for thing in line.things}
    replace = msgspec.structs.replace
    found = []
    for part in own:
        left = ((line, tuple(one for one in line.things if one.known_by not in known)) for line in part.lines)
        lines = tuple(replace(line, things=things) for line, things in left if things)
        if lines:
            found.append(replace(part, lines=lines))
    return tuple(found)


def away(view: View, tracked: Sequence[Tracked], lying: Collection[str] = ()) -> tuple[Tracked, ...]:
    """List the places of what is known and lies nowhere that a view shows: it may lie there after all."""
    shown = {value.path for value in _listed(view, tracked, lying)}
    first: dict[str, Tracked] = {}
    for value in tracked:
        first.setdefault(_group(value), value)
    boards = [panel for panel in view.panels if isinstance(panel, Board)]
    squares = {file + rank for board in boards for file in board.files for rank in board.ranks}
    return tuple(
        value
        for value in first.values()
        if value.path not in shown and _is_open(value) and _is_place(value) and value.field.value not in squares
    )


def settable(view: View, tracked: Sequence[Tracked], lying: Collection[str] = ()) -> tuple[Tracked, ...]:
    """List all that a stock-take can set: what stands beside what it lists, and the places of what lies nowhere."""
    return (*_listed(view, tracked, lying), *away(view, tracked, lying))


def _listed(view: View, tracked: Sequence[Tracked], lying: Collection[str]) -> Iterator[Tracked]:
    for part in stock(view, tracked, lying):
        for line in part.lines:
            yield from chain.from_iterable(values for _, values in line.corrections)


def _group(value: Tracked) -> str:
    """Name the group of a value by its path."""
    return re.sub(r"[^.:]*$", "", value.path)


def _is_open(value: Tracked) -> bool:
    return value.secret_of is None and value.only is None and not value.reveals


def _is_place(value: Tracked) -> bool:
    """Tell whether a value says on which square something lies."""
    return value.field.kind == "choice" and any(option.place for option in value.field.options)


def _is_count(value: Tracked) -> bool:
    return value.field.kind in {"number", "yes_no", "choice"}


def _named_in(path: str) -> Iterator[str]:
    """List what a path may be about: whatever it begins with, and what stands after its first word."""
    for part in (path, path[match.end() :] if (match := SEPARATOR.search(path)) else ""):
        yield from (part[: at.start()] for at in SEPARATOR.finditer(part))
        yield part


def _pieces_of(view: View) -> Iterator[Piece]:
    for panel in view.panels:
        match panel:
            case Board() | Roster():
                yield from panel.pieces
            case Tableau():
                yield from chain.from_iterable(zone.pieces for zone in panel.zones)


class _Taking:
    """Take stock of one view."""

    def __init__(self, view: View, tracked: Sequence[Tracked], lying: Collection[str]) -> None:
        self._tracked, self._lying = tracked, frozenset(lying)
        self._by_path = {value.path: value for value in tracked if _is_open(value)}
        self._by_id: defaultdict[str, list[Tracked]] = defaultdict(list)
        for value in self._by_path.values():
            for id_ in dict.fromkeys(_named_in(value.path)):
                self._by_id[id_].append(value)
        self._pieces = {piece.id for piece in _pieces_of(view)}
        self._groups_of_pieces = {_group(value) for id_ in self._pieces for value in self._by_id.get(id_, ())}
        self._face_up = [
            (panel.of, pile.name) for panel in view.panels if isinstance(panel, Piles) for pile in panel.piles
        ]
        self._listed: set[str] = set()
        self._named: set[str] = set()
        # Pieces are listed where they can be seen best.
        panels = sorted(enumerate(view.panels), key=lambda one: isinstance(one[1], Roster))
        self.stock = tuple(part for number, panel in panels for part in self._part(str(number), panel) if part.lines)

    def _part(self, number: str, panel: Panel) -> Iterator[Stock]:
        match panel:
            case Board():
                yield Stock(number, panel.title, tuple(self._ranks(panel)), "board")
            case Roster():
                yield Stock(number, panel.title, tuple(self._list(panel)), "list")
            case Tableau():
                yield Stock(number, panel.title, tuple(map(self._zone, panel.zones)), "zones")
            case Piles():
                things = (
                    Thing(str(at), "pile", pile.name, count=pile.count, cards=pile.cards)
                    for at, pile in enumerate(panel.piles)
                )
                yield Stock(number, panel.title, tuple(_whole(number, things, self._cards(CARDS))), "piles")
            case Hand(whose="open"):
                lying = Thing(number, "pile", say("Face up"), count=len(panel.cards), cards=panel.cards)
                yield Stock(number, panel.title, tuple(_whole(number, (lying,))), "piles")
            case Tracker(past=False):
                rows = [row for row in panel.rows if self._is_counted(panel, row)]
                elsewhere = self._cards(f"{panel.id}.") if any(row.stack for row in rows) else ()
                yield Stock(number, panel.title, tuple(_whole(number, map(self._count, rows), elsewhere)), "tracker")

    def _cards(self, begin: str) -> tuple[Tracked, ...]:
        """List the first value of each group whose path begins so."""
        first: list[Tracked] = []
        for value in self._tracked:
            if value.path.startswith(begin) and all(value.group != other.group for other in first):
                first.append(value)
        return tuple(first)

    def _is_counted(self, panel: Tracker, row: Row) -> bool:
        """Tell whether a line counts what lies there: no piece, which is listed, and no pile that is listed face up."""
        if row.stack is None:
            return not panel.prints and row.id not in self._pieces and _counts_something(row)
        return row.stack.top is None and not (row.stack.held and (panel.id, row.name) in self._face_up)

    def _ranks(self, board: Board) -> Iterator[Line]:
        """List the ranks of a board as they are seen, from above, each from left to right."""
        ranks = board.ranks if board.turned else board.ranks[::-1]
        files = board.files[::-1] if board.turned else board.files
        pieces: defaultdict[str, list[Thing]] = defaultdict(list)
        for piece in board.pieces:
            if piece.square:
                pieces[piece.square].append(self._piece(piece))
        ground = {one.square: one for one in board.terrain}
        for rank in ranks:
            squares = [file + rank for file in files]
            standing = [piece for square in squares for piece in pieces.get(square, ())]
            lying = [self._ground(ground[square]) for square in squares if square in ground]
            if not board.hexes:
                lying = _joined(lying, squares)
            if standing or lying:
                yield Line(f"rank-{rank}", Text(rank), (*standing, *lying))

    def _list(self, roster: Roster) -> Iterator[Line]:
        things = (self._piece(piece) for piece in roster.pieces if piece.id not in self._listed)
        return _whole(f"list-{roster.side}", things)

    def _zone(self, zone: Zone) -> Line:
        # A card that lies turned says in its own words what that means.
        things = [self._piece(msgspec.structs.replace(piece, down=False)) for piece in zone.pieces]
        if zone.hidden:
            things.append(Thing(zone.id, "hidden", say("Face down"), count=zone.hidden))
        corrections = self._once(self._of(zone.id))
        if zone.value is not None or corrections:
            things.append(Thing(zone.id, "zone", zone.name, count=zone.value, corrections=corrections))
        return Line(f"zone-{zone.id}", zone.name, tuple(things), zone.side)

    def _count(self, row: Row) -> Thing:
        value = row.value if row.value is not None or row.stack is None else row.stack.down
        # Which cards a pile has, and how many, is set card by card.
        own = () if row.stack else self._once(self._of(row.id))
        return Thing(row.id, "count", row.name, side=row.side, count=value, corrections=own)

    def _piece(self, piece: Piece) -> Thing:
        self._listed.add(piece.id)
        at = piece.corrections
        first = [value for value in self._by_id.get(piece.id, ())[:1] if value.field.kind == "choice"]
        named = [self._by_path.get(path) for path in ((at.square, at.count) if at else ())]
        lying = [value for value in self._by_id.get(piece.id, ()) if _is_count(value) and self._lying_so(value)]
        values = {value.path: value for value in (*first, *named, *lying) if value is not None}
        return Thing(
            piece.id,
            "piece",
            piece.name,
            piece.square or "",
            piece.side,
            piece.glyph,
            piece.hits,
            piece.suffered,
            piece.down,
            notes=(*piece.badges, *_untold(piece, lying)),
            corrections=self._once(values.values()),
        )

    def _lying_so(self, value: Tracked) -> bool:
        return not self._lying.isdisjoint(SEPARATOR.split(value.path))

    def _ground(self, ground: Terrain) -> Thing:
        lying = (value for value in self._by_path.values() if _is_place(value) and value.field.value == ground.square)
        values = {value.path: value for value in (*self._of(ground.square), *lying)}
        own = self._once(value for value in values.values() if _group(value) not in self._groups_of_pieces)
        return Thing(ground.square, "ground", ground.name, ground.square, ground.side, ground.kind, corrections=own)

    def _once(self, values: Iterable[Tracked]) -> tuple[Tracked, ...]:
        """Name each value in one place only."""
        fresh = tuple(value for value in values if value.path not in self._named)
        self._named.update(value.path for value in fresh)
        return fresh

    def _of(self, id_: str) -> tuple[Tracked, ...]:
        """List the values of something that is no piece; none where it has more than a count has."""
        values = tuple(value for value in self._by_id.get(id_, ()) if _is_count(value))
        return values if len(values) <= MOST_OF_A_LINE else ()


def _joined(lying: Sequence[Thing], squares: Sequence[str]) -> list[Thing]:
    """Say of ground that is printed on neighbouring squares once from where to where it goes."""
    joined: list[list[Thing]] = []
    for thing in lying:
        last = joined[-1][-1] if joined else None
        goes_on = last is not None and squares.index(thing.place) == squares.index(last.place) + 1
        if goes_on and last is not None and _is_printed_alike(last, thing):
            joined[-1].append(thing)
        else:
            joined.append([thing])
    return [
        one if one is last else msgspec.structs.replace(one, place=f"{one.place}–{last.place}")
        for one, *_, last in ([*run, run[-1]] for run in joined)
    ]


def _untold(piece: Piece, lying: Iterable[Tracked]) -> Iterator[Text]:
    """Say what lies on a piece, of several ways, where its badges do not: not the first way, which is the plain one."""
    told = [text for badge in piece.badges for text in (badge, *badge.places.values())]
    for value in lying:
        field = value.field
        if field.kind == "choice" and field.label not in told:
            yield from (
                say("{piece}: {what}", piece=field.label, what=option.label)
                for option in field.options[1:]
                if option.value == field.value
            )


def _is_printed_alike(one: Thing, other: Thing) -> bool:
    printed = not (one.corrections or other.corrections)
    return printed and (one.name, one.side, one.glyph) == (other.name, other.side, other.glyph)


def _counts_something(row: Row) -> bool:
    return row.clock is None and row.card is None and row.value is not None


def _whole(id_: str, things: Iterable[Thing], elsewhere: tuple[Tracked, ...] = ()) -> Iterator[Line]:
    """Compare some things in one go; nothing where there are none."""
    found = tuple(things)
    if found:
        yield Line(id_, None, found, elsewhere=elsewhere)

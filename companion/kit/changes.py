"""What became other between two views of a seat: pieces, cards and counts, as people find it on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from companion.kit.panels import Board, Card, Hand, Piece, Piles, Roster, Row, Tableau, Tracker, View
from companion.kit.text import Text, say, speak

ChangeKind = Literal[
    "moved", "came", "gone", "became", "hits", "down", "up", "ground", "count", "pile", "drawn", "played"
]
"""What happened: a piece (moved, came, is gone, became another one, has other hits, lies down, is set upright), a
square that is other ground, a count that is another one, a pile of more or fewer cards, cards that came to the own
hand or left it."""
ON_THE_TABLE = frozenset(get_args(ChangeKind)) - {"pile", "drawn", "played"}
"""Those that somebody does with what lies on the table for all; who drew or played a card has moved it himself."""


_MARKS: Mapping[ChangeKind, str] = {"came": "acting", "became": "acting", "gone": "target", "hits": "target"}
_OTHER_PIECE, _OTHER_SIDE = say("another piece"), say("another side's")


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that became other: of the piece, card, square or count that is called ``name``.

    ``id`` is the piece's, ``side`` and ``glyph`` how it is drawn. ``start`` and ``end`` are where it was and where it
    is (a square, or the name of a zone), None where it was or is nowhere. ``before`` and ``after`` are hits, what a
    count said, or what a piece was and is that became another one; ``note`` says the hits in the game's words.
    ``squares`` are those of a board that it is about; ``path`` is the value by which a piece is set right, if any.
    """

    kind: ChangeKind
    name: Text
    id: str = ""
    side: str = ""
    glyph: str = ""
    start: Text | str | None = None
    end: Text | str | None = None
    before: Text | int | None = None
    after: Text | int | None = None
    note: Text | None = None
    squares: tuple[str, ...] = ()
    path: str = ""

    @property
    def said(self) -> Text:
        """Say what became other, in a few words."""
        match self.kind:
            case "moved" | "came" | "gone":
                return self._said_of_a_place()
            case "became":
                return say("{piece}: now {other}", piece=self._placed, other=self.after or "")
            case "hits":
                return self._said_of_hits()
            case "down":
                return say("{piece}: laid down", piece=self._placed)
            case "up":
                return say("{piece}: set upright", piece=self._placed)
            case "drawn":
                return say("To your hand: {card}", card=self.name)
            case "played":
                return say("From your hand: {card}", card=self.name)
            case "ground" if self.before is None and self.after is not None:
                return say("{piece}: to {end}", piece=self.after, end=self.name)
            case "ground" if self.after is None and self.before is not None:
                return say("{piece}: off {start}", piece=self.before, start=self.name)
        before, after = ("—" if value is None else value for value in (self.before, self.after))
        return say("{name}: {before} → {after}", name=self.name, before=before, after=after)

    def _said_of_a_place(self) -> Text:
        if self.start is not None and self.end is not None:
            return say("{piece}: {start} → {end}", piece=self.name, start=self.start, end=self.end)
        if self.end is not None:
            return say("{piece}: to {end}", piece=self.name, end=self.end)
        if self.start is not None:
            return say("{piece}: off {start}", piece=self.name, start=self.start)
        if self.kind == "came":
            return say("{piece}: onto the table", piece=self.name)
        return say("{piece}: off the table", piece=self.name)

    def _said_of_hits(self) -> Text:
        if self.note is not None:
            return say("{piece}: {what}", piece=self._placed, what=self.note)
        more = self.hits
        if more > 0:
            return say("{piece}: {count} hit more|{piece}: {count} hits more", piece=self._placed, count=more)
        return say("{piece}: {count} hit less|{piece}: {count} hits less", piece=self._placed, count=-more)

    @property
    def hits(self) -> int:
        """Return how many hits a piece has more than before, negative for less; 0 where it is about something else."""
        before, after = self.before, self.after
        return after - before if isinstance(before, int) and isinstance(after, int) and self.kind == "hits" else 0

    @property
    def _placed(self) -> Text:
        return self.name if self.end is None else say("{piece} ({place})", piece=self.name, place=self.end)


class _Placed(NamedTuple):
    """A piece with where it is: on a square of a board, in a zone, or only in a list."""

    piece: Piece
    place: Text | str | None
    square: str | None


def changes(before: View, after: View) -> tuple[Change, ...]:
    """List what became other from one view of a seat to a later one of the same seat: nothing else is known of it."""
    return (*_pieces(before, after), *_ground(before, after), *_counts(before, after), *_hand(before, after))


def marked(view: View, found: tuple[Change, ...]) -> View:
    """Return a view whose boards show what became other: where pieces came from, where they are, who was hit."""
    tint: dict[str, str] = {}
    for change in found:
        if change.kind == "moved" and len(change.squares) == 2:
            tint.setdefault(change.squares[0], "came_from")
            tint[change.squares[1]] = "acting"
        else:
            tint |= dict.fromkeys(change.squares, _MARKS.get(change.kind, "came_from"))
    panels = tuple(replace(one, tint=tuple(tint.items())) if isinstance(one, Board) else one for one in view.panels)
    return replace(view, panels=panels)


def _placed(view: View) -> dict[str, _Placed]:
    """Find every piece of a view, where it can be seen best."""
    found: dict[str, _Placed] = {}
    for panel in view.panels:
        for piece, place in _pieces_of(panel):
            known = found.get(piece.id)
            if known is None or known.place is None:
                square = piece.square if isinstance(panel, Board) else None
                found[piece.id] = _Placed(piece, place, square)
    return found


def _pieces_of(panel: object) -> Iterator[tuple[Piece, Text | str | None]]:
    match panel:
        case Board(pieces=pieces):
            yield from ((piece, piece.square) for piece in pieces)
        case Roster(pieces=pieces):
            yield from ((piece, piece.square) for piece in pieces)
        case Tableau(zones=zones):
            yield from ((piece, zone.name) for zone in zones for piece in zone.pieces)


def _pieces(before: View, after: View) -> Iterator[Change]:
    was, now = _placed(before), _placed(after)
    for key, old in was.items():
        if key not in now:
            yield _change("gone", old, start=old.place, squares=_squares(old))
    for key, new in now.items():
        old_one = was.get(key)
        if old_one is None:
            yield _change("came", new, end=new.place, squares=_squares(new))
            continue
        if old_one.place != new.place:
            yield _of_a_move(old_one, new)
        if (old_one.piece.side, old_one.piece.glyph) != (new.piece.side, new.piece.glyph):
            yield _of_another(old_one, new)
        if old_one.piece.hits != new.piece.hits:
            change = _change("hits", new, end=new.place, squares=_squares(new))
            yield replace(change, before=old_one.piece.hits, after=new.piece.hits, note=new.piece.suffered)
        if old_one.piece.down != new.piece.down:
            yield _change("down" if new.piece.down else "up", new, end=new.place, squares=_squares(new))


def _of_a_move(old: _Placed, new: _Placed) -> Change:
    if old.place is None:
        return _change("came", new, end=new.place, squares=_squares(new))
    if new.place is None:
        return _change("gone", new, start=old.place, squares=_squares(old))
    return _change("moved", new, start=old.place, end=new.place, squares=(*_squares(old), *_squares(new)))


def _of_another(old: _Placed, new: _Placed) -> Change:
    was, now = old.piece, new.piece
    other = now.name if now.name != was.name else _OTHER_PIECE if now.side == was.side else _OTHER_SIDE
    change = _change("became", new, end=new.place, squares=_squares(new))
    return replace(change, name=was.name, before=was.name, after=other)


def _squares(placed: _Placed) -> tuple[str, ...]:
    return () if placed.square is None else (placed.square,)


def _change(
    kind: ChangeKind,
    placed: _Placed,
    *,
    start: Text | str | None = None,
    end: Text | str | None = None,
    squares: tuple[str, ...] = (),
) -> Change:
    piece, path = placed.piece, ""
    if piece.corrections is not None:
        path = piece.corrections.count if kind == "hits" else piece.corrections.square
    return Change(kind, piece.name, piece.id, piece.side, piece.glyph, start, end, squares=squares, path=path)


def _ground(before: View, after: View) -> Iterator[Change]:
    """Squares of a board that are another ground."""
    was, now = (
        {one.square: one for panel in view.panels if isinstance(panel, Board) for one in panel.terrain}
        for view in (before, after)
    )
    for square in {**was, **now}:
        old, new = was.get(square), now.get(square)
        if old is None or new is None or (old.kind, old.side) != (new.kind, new.side):
            change = Change("ground", Text(square), side=new.side if new else "", squares=(square,))
            yield replace(change, before=old.name if old else None, after=new.name if new else None)


def _counts(before: View, after: View) -> Iterator[Change]:
    was, now = _counted(before), _counted(after)
    for key, (kind, name, side, value) in now.items():
        old = was.get(key)
        if old is None or old[-1] != value:
            yield Change(kind, name, side=side, before=None if old is None else old[-1], after=value)
    for key, (kind, name, side, value) in was.items():
        if key not in now:
            yield Change(kind, name, side=side, before=value)


_Counted = tuple[ChangeKind, Text, str, Text | int | None]


def _counted(view: View) -> Mapping[bytes, _Counted]:
    """Find every count of a view by what it is called: of piles, of the lines of trackers, of cards face down."""
    return {msgspec.json.encode(key, order="deterministic"): counted for key, counted in _all_counted(view)}


def _all_counted(view: View) -> Iterator[tuple[object, _Counted]]:
    trackers = [panel for panel in view.panels if isinstance(panel, Tracker) and not panel.past]
    lines = Counter(speak(row.name, str) for tracker in trackers for row in tracker.rows if _is_count(row))
    for panel in view.panels:
        match panel:
            case Piles(title=title, piles=piles):
                for pile in piles:
                    yield ("pile", title, pile.name), ("pile", pile.name, "", pile.count)
            case Tracker(id=tracker, rows=rows, past=False):
                of_people = _is_of_people(panel)
                for row in filter(_is_count, rows):
                    names_it = (not of_people and lines[speak(row.name, str)] == 1) or row.name == panel.title
                    name = row.name if names_it else say("{one}, {two}", one=panel.title, two=row.name)
                    yield ("row", tracker, row.id, row.name), ("count", name, row.side, row.value)
            case Tableau(zones=zones):
                for zone in zones:
                    if zone.hidden:
                        yield ("hidden", zone.id), ("count", zone.name, zone.side, zone.hidden)


def _is_count(row: Row) -> bool:
    return row.clock is None and row.value is not None


def _is_of_people(tracker: Tracker) -> bool:
    """Tell whether the lines of a tracker are called as those whose they are: alone they do not say what is counted."""
    sides = [row.side for row in tracker.rows]
    return all(sides) and len({*sides}) == len(sides)


def _hand(before: View, after: View) -> Iterator[Change]:
    was, now = _own_cards(before), _own_cards(after)
    cards = {card.code: card for one in (was, now) for card in one}
    held_before, held_now = (Counter(card.code for card in one) for one in (was, now))
    for code, card in cards.items():
        more = held_now[code] - held_before[code]
        for _ in range(abs(more)):
            yield Change("drawn" if more > 0 else "played", card.name, code)


def _own_cards(view: View) -> list[Card]:
    return [card for one in view.panels if isinstance(one, Hand) and one.whose == "own" for card in one.cards]

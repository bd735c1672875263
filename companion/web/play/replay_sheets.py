"""What lies on a table, drawn as fragments of HTML in both languages, of which a file holds each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec
from markupsafe import Markup, escape
from msgspec.structs import replace

from companion.kit.panels import (
    Board,
    Card,
    Facts,
    Hand,
    Panel,
    Phases,
    Piece,
    Piles,
    Roster,
    Row,
    Tableau,
    Tracker,
    View,
    Zone,
)
from companion.kit.text import Speak, Text, say
from companion.web.language import LANGUAGES
from companion.web.play.board import OTHER, BoardGeometry, BoardView, geometry, plain_board
from companion.web.play.drawing import Box, Figure, plain

_SPAN = Markup("<i lang={}>{}</i>")
T = TypeVar("T", bound=msgspec.Struct)
HINTS = frozenset({"acting", "target", "came_from"})
"""Highlights that say what an entry did; what the board shows of itself stays where nothing was done."""


class Slot(NamedTuple):
    """A place of the file: whose it is (empty: everybody's), what it is, and the fragments that fill it.

    The first fragment is its head. Of a ``board`` they are a drawing, else the lines of a list.
    """

    key: str
    owner: str
    kind: str
    items: tuple[str, ...]


class Both:
    """Speak texts in both languages at once, as HTML that says in which it is."""

    def __init__(self, speakers: Sequence[Speak]) -> None:
        self.speakers = speakers

    def __call__(self, text: Text | str) -> Markup:
        """Say a text in each language, once where that is the same."""
        if isinstance(text, str):
            return escape(text)
        return spans([speak(text) for speak in self.speakers])

    def each(self, said: Callable[[Speak], str]) -> Markup:
        """Say what is made of several texts, in each language."""
        return spans([said(speak) for speak in self.speakers])


def spans(said: Sequence[str]) -> Markup:
    """Write the same words in each language as HTML, once where they do not differ."""
    if len(set(said)) == 1:
        return escape(said[0])
    marked = (_SPAN.format(*one) for one in zip(LANGUAGES, said, strict=True))
    return Markup().join(marked)


class Drawer:
    """Draw views: ``symbols`` are the pictures that there are, ``colours`` those of the seats."""

    def __init__(self, both: Both, symbols: Mapping[str, str], colours: Mapping[str, str]) -> None:
        self._both, self._symbols, self._colours = both, symbols, colours
        self._panels: dict[bytes, tuple[str, ...]] = {}
        self._said: dict[bytes, str] = {}

    def slots(self, view: View, seats: Mapping[str, View], names: Mapping[str, Text]) -> list[Slot]:
        """Draw what everybody saw, then of each seat what it alone did."""
        slots = [*self._slots(view.panels, "")]
        public = self._lines(view)
        for seat, seen in seats.items():
            who = names.get(seat, Text(seat))
            for slot in self._slots(self._hidden(seen, public, who), seat):
                head = slot.items[0].replace(">", f">{self._token(seat)}", 1)
                slots.append(Slot(f"{seat}/{slot.key}", seat, slot.kind, (head, *slot.items[1:])))
        return slots

    def _lines(self, view: View) -> set[str]:
        """Name the zones and lines that everybody saw, by what lies in them: what is said beside is each seat's own."""
        zones = (self._plain(zone) for panel in view.panels if isinstance(panel, Tableau) for zone in panel.zones)
        rows = (self._plain(row) for panel in view.panels if isinstance(panel, Tracker) for row in panel.rows)
        return {*zones, *rows}

    def _plain(self, line: Zone | Row) -> str:
        if isinstance(line, Zone):
            return self._remembered(replace(line, note=None, contest=None), self._zone)
        return self._remembered(replace(line, note=None), self._row)

    def _hidden(self, view: View, public: set[str], who: Text) -> Iterator[Panel]:
        """List what a seat had that is not public: its hand, and zones and lines that hold something else for it."""
        for panel in view.panels:
            owned = say("{who}: {what}", who=who, what=panel.title)
            match panel:
                case Hand(cards=cards, whose="own") if cards:
                    yield replace(panel, title=say("{who}'s hand", who=who))
                case Hand(cards=cards, whose=whose) if cards and whose != "open":
                    yield replace(panel, title=owned)
                case Tableau(zones=zones):
                    if more := tuple(zone for zone in zones if self._plain(zone) not in public):
                        yield replace(panel, title=owned, rows=(more,))
                case Tracker(rows=rows):
                    if lines := tuple(row for row in rows if self._plain(row) not in public):
                        yield replace(panel, title=owned, rows=lines)

    def _slots(self, panels: Iterable[Panel], owner: str) -> Iterator[Slot]:
        counts: dict[str, int] = {}
        for panel in panels:
            kind = str(panel.__struct_config__.tag)
            if isinstance(panel, Phases):
                continue  # the story is told by them
            if isinstance(panel, Tracker):
                kind = f"tracker {panel.id}"
            number = counts[kind] = counts.get(kind, -1) + 1
            key = f"{kind} {number}"
            if isinstance(panel, Board):
                yield Slot(key, owner, "board", self._once(panel, self._board))
                if panel.pieces:
                    yield Slot(f"pieces {number}", owner, "pieces", self._once((panel.title, panel.pieces), self._told))
            else:
                yield Slot(key, owner, "list", self._once(panel, self._list))

    def _once(self, what: object, draw: Callable[..., Iterator[str]]) -> tuple[str, ...]:
        """Draw what was not drawn yet."""
        key = draw.__name__.encode() + msgspec.json.encode(what)
        found = self._panels.get(key)
        if found is None:
            found = self._panels[key] = tuple(draw(what))
        return found

    def _remembered(self, what: T, say_it: Callable[[T], str]) -> str:
        """Say what was not said yet: most of what lies there lay there before."""
        key = say_it.__name__.encode() + msgspec.json.encode(what)
        said = self._said.get(key)
        if said is None:
            said = self._said[key] = say_it(what)
        return said

    def _board(self, board: Board) -> Iterator[str]:
        """Draw a board; the first fragment opens the drawing."""
        view = plain_board(replace(board, turned=False), self._colours)
        spots, shapes = view.geometry, view.shapes
        yield f'<svg viewBox="0 0 {spots.across} {spots.down}" aria-hidden="true">' + (
            "" if board.hexes else _chequers(spots.across, spots.down)
        )
        for ground in board.terrain:
            if (at := spots.at.get(ground.square)) is not None:
                side = f" side-{self._colours.get(ground.side, OTHER)}" if ground.side else ""
                ways = ""
                if ground.grooves is not None:
                    ways = (
                        f'<path class=channel d="{view.channels(ground)}"/><path class=wall d="{view.walls(ground)}"/>'
                    )
                drawn = view.picture(ground)
                picture = self._use(drawn, Box(-4.4, -4.4, 8.8, 8.8)) if drawn in self._symbols else ""
                name = f"<text class=place y=4.6>{escape(ground.square)}</text>" if board.hexes else ""
                yield (
                    f'<g class="ground ground-{ground.kind}{side}" transform="translate({at.x} {at.y})">'
                    f'<path d="{shapes.outline}"/>{picture}{ways}{name}</g>'
                )
        if not board.hexes:
            yield _coordinates(board.files, board.ranks)
        for square, kind in board.tint:
            if kind in HINTS and (at := spots.at.get(square)) is not None:
                yield f'<path class="tint tint-{kind}" transform="translate({at.x} {at.y})" d="{shapes.within}"/>'
        for figure in view.figures:
            yield self._figure(figure, view)
        for x, y in view.links:
            yield f'<g class=link transform="translate({x} {y})"><circle r=1.5 />{self._use("fight", _LINK)}</g>'

    def _figure(self, one: Figure, view: BoardView) -> str:
        shapes = view.shapes
        glyph, emblem = one.glyph if one.glyph in self._symbols else "piece", f"side-{one.colour}"
        turned = ' transform="rotate(90)"' if one.down else ""
        drawn = self._use(glyph, shapes.figure, f"class=figure{turned} ")
        if emblem in self._symbols:
            drawn += self._use(emblem, shapes.figure, f"class=emblem{turned} ")
        for sign, x, y, box in shapes.placed([sign for sign in one.signs if sign in self._symbols]):
            drawn += f'<g class=sign><circle cx={x} cy={y} r="1.3"/>{self._use(sign, box)}</g>'
        coins = [*shapes.hits(one)]
        drawn += "".join(f'<circle class=coin cx={x} cy={y} r="{shapes.coin}"/>' for x, y in coins)
        if coins:
            x, y = coins[-1]
            drawn += f'<text class=hits-of x={x} y="{y}">{one.hits}</text>'
        spent = " spent" if one.spent else ""
        return f'<g class="piece side-{one.colour}{spent}" transform="translate({one.x} {one.y})">{drawn}</g>'

    def _use(self, name: str, box: Box, more: str = "") -> str:
        return f'<use {more}href="#{name}" x={box.x} y={box.y} width={box.width} height="{box.height}"/>'

    def _told(self, what: tuple[Text, Sequence[Piece]]) -> Iterator[str]:
        """Say which pieces stand where."""
        yield ""
        for piece in what[1]:
            yield f"<li>{self._remembered(piece, self._placed)}</li>"

    def _placed(self, piece: Piece) -> str:
        return self._piece(piece, piece.square)

    def _piece(self, piece: Piece, square: str | None = None) -> str:
        where = f" <b>{escape(square)}</b>" if square else ""
        notes = [self._both(badge) for badge in (*((piece.suffered,) if piece.suffered else ()), *piece.badges)]
        if piece.hits and not piece.suffered:
            more = f"{piece.hits}/{piece.strength}" if piece.strength else str(piece.hits)
            notes.insert(0, self._both(say("hits: {count}", count=more)))
        if piece.down:
            notes.append(self._both(say("lies on its side")))
        stats = [f"{self._both(stat.name)} {self._both(stat.value)}" for stat in piece.stats]
        said = ", ".join(notes + stats)
        return f"{self._token(piece.side)}{self._both(piece.name)}{where}" + (f" <small>{said}</small>" if said else "")

    def _token(self, side: str) -> str:
        return f"<b class='whose side-{self._colours[side]}'></b>" if side in self._colours else ""

    def _list(self, panel: Panel) -> Iterator[str]:
        """Write a panel as the lines of a list; the first fragment is its title."""
        yield f"<h3>{self._both(panel.title)}</h3>"
        match panel:
            case Roster(pieces=pieces):
                yield from (f"<li>{self._remembered(piece, self._placed)}</li>" for piece in pieces)
            case Hand(cards=cards):
                yield from (f"<li>{self._card(card)}</li>" for card in cards)
            case Piles(piles=piles):
                for pile in piles:
                    top = f" <small>{self._card(pile.top)}</small>" if pile.top else ""
                    yield f"<li>{self._both(pile.name)} <b>{pile.count}</b>{top}</li>"
            case Facts(rows=rows):
                yield from (f"<li>{self._both(label)} <b>{self._both(value)}</b></li>" for label, value in rows)
            case Tracker(rows=rows):
                yield from (f"<li>{self._row(row)}</li>" for row in rows)
            case Tableau(zones=zones):
                yield from (f"<li>{self._remembered(zone, self._zone)}</li>" for zone in zones)

    def _row(self, row: Row) -> str:
        said = f"{self._token(row.side)}{self._both(row.name)}"
        if row.value is not None:
            said += f" <b>{self._both(row.value)}</b>"
        elif row.clock is not None and row.clock.since is None:
            said += f" <b>{row.clock.says}</b>"
        return said + (f" <small>{self._both(row.note)}</small>" if row.note else "")

    def _zone(self, zone: Zone) -> str:
        said = f"{self._token(zone.side)}{self._both(zone.name)}"
        said += f" <b>{self._both(zone.value)}</b>" if zone.value is not None else ""
        notes = [self._both(note) for note in (zone.note, zone.contest.says if zone.contest else None) if note]
        if zone.hidden:
            notes.append(self._both(say("{count} card face down|{count} cards face down", count=zone.hidden)))
        said += f" <small>{' · '.join(notes)}</small>" if notes else ""
        pieces = "".join(f"<li>{self._remembered(piece, self._piece)}</li>" for piece in zone.pieces)
        return said + (f"<ul>{pieces}</ul>" if pieces else "")

    def _card(self, card: Card) -> str:
        suit = self._use(card.suit, _SUIT) if card.suit and card.suit in self._symbols else ""
        face = f'<svg class="suit {card.suit}" viewBox="0 0 24 24" aria-hidden="true">{suit}</svg>' if suit else ""
        return f"{self._token(card.side)}<b>{escape(card.rank)}</b>{face} {self._both(card.name)}"


_LINK = Box(-1.1, -1.1, 2.2, 2.2)
_SUIT = Box(0, 0, 24, 24)


@lru_cache(maxsize=16)
def _chequers(across: float, down: float) -> str:
    dark = "".join(
        f"M{column * 10} {row * 10}h10v10h-10z"
        for row in range(int(down) // 10)
        for column in range(int(across) // 10)
        if (row + column) % 2
    )
    return f'<rect class=light width={across} height="{down}"/><path class=dark d="{dark}"/>'


def _coordinates(files: Sequence[str], ranks: Sequence[str]) -> str:
    spots: BoardGeometry = geometry(Board(Text(""), tuple(files), tuple(ranks), ()))
    return "".join(
        f'<text class="coord" x={plain(one.x)} y="{plain(one.y)}">{escape(one.name)}</text>'
        for one in spots.coordinates
    )

"""What a seat sees, as data: one set of templates draws these panels for every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion.kit import counts
from companion.kit.card_numbers import CardNumbers
from companion.kit.contest import Contest
from companion.kit.ruling import Reason, total
from companion.kit.text import Text

Suit = Literal["spades", "clubs", "hearts", "diamonds", "coins", "cups", "swords", "batons"]

COLOURS = ("white", "black", "red", "blue")
"""Sides of these names are shown in their own colour; others get those that are left, in the order of their seats."""


COLOURS_OF_TRACKERS = ("red", "amber", "green", "blue", "violet", "grey")


class Stat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number of a piece as it is now: ``sign`` names its small picture, ``name`` says what it is.

    ``terms`` are what it is made of where it is not the printed one, which comes first.
    """

    sign: str
    value: Text
    name: Text
    terms: tuple[Reason, ...] = ()

    @property
    def sum(self) -> int:
        """Add up what it is made of."""
        return total(self.terms)


def summed(sign: str, name: Text, terms: tuple[Reason, ...], says: Callable[[int], Text] = counts.number) -> Stat:
    """Return the number that its terms come to, the printed one first; one that is still that needs no terms."""
    now = total(terms)
    return Stat(sign, says(now), name, () if not terms or now == terms[0].value else terms)


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way in which a piece fights, such as a weapon, a skill or a spell, with its ``numbers`` of this moment.

    ``notes`` are short words such as special rules. One that can not be used now is ``spent``; ``why`` says it unless
    a note does.
    """

    name: Text
    numbers: tuple[Stat, ...] = ()
    notes: tuple[Text, ...] = ()
    spent: bool = False
    why: Text | None = None

    def number(self, head: Stat) -> Stat | None:
        """Return the number of that sign and name; None where it has none."""
        return next((stat for stat in self.numbers if (stat.sign, stat.name) == (head.sign, head.name)), None)


class PieceCorrections(msgspec.Struct, frozen=True, omit_defaults=True):
    """The corrections that begin at a piece, by their paths: of its ``count``, of its ``square``.

    The count is of hits, wounds or points: ``value`` is what it is now, from ``low`` to ``most``.
    """

    count: str = ""
    value: int = 0
    low: int = 0
    most: int = 0
    square: str = ""


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece on a board: ``glyph`` names its picture, ``hits`` are drawn as coins on it.

    ``badges`` are short words on its state ("activated"); ``signs`` name small pictures for what should be seen at a
    glance, at most four (``shield``, ``skull``, ``wing``, ``plague``, ``bow``, ``lock``, ``clock``, ``flag``...): say
    the same in a badge; of a piece in a zone the first badges do, in their order. ``spent`` dims it; ``down`` says that
    it lies knocked over. ``hint`` tells whoever picks it what it can do. ``suffered`` says its hits in the game's words
    ("1 of 4 wounds"). ``stats`` are its numbers, shown where it lies in a zone. ``now`` are the numbers that are not
    the printed ones at this moment, each as a sum: what is printed, and what changes it. ``weapons`` are the ways in
    which it fights, each with its own numbers: a stat of a weapon's name is the same number, told short.
    ``corrections`` begin at it. ``photo`` names a picture of somebody's own, which lies over its glyph.
    """

    id: str
    side: str
    glyph: str
    name: Text
    square: str | None = None
    hits: int = 0
    strength: int = 0
    badges: tuple[Text, ...] = ()
    spent: bool = False
    down: bool = False
    signs: tuple[str, ...] = ()
    hint: Text | None = None
    suffered: Text | None = None
    stats: tuple[Stat, ...] = ()
    now: tuple[Reason, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    corrections: PieceCorrections | None = None
    photo: str = ""

    @property
    def heads(self) -> tuple[Stat, ...]:
        """List a number of each kind that its weapons have, in the order of the one that has most of them."""
        fullest_first = sorted(self.weapons, key=lambda weapon: -len(weapon.numbers))
        heads: list[Stat] = []
        for stat in (number for weapon in fullest_first for number in weapon.numbers):
            if not any((head.sign, head.name) == (stat.sign, stat.name) for head in heads):
                heads.append(stat)
        return tuple(heads)


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """The terrain of one square: ``kind`` names its picture and colour.

    ``forest``, ``hill``, ``hedge``, ``river``, ``sea``, ``house``, ``wall``, ``fence``, ``trench``, ``ruin``,
    ``field``, ``village``, ``water``, ``cave``, ``ice``, ``labyrinth``, ``swamp``, ``mountain`` and ``base`` have them;
    any other kind is drawn plain. A ``base`` has the colour of its ``side``. ``grooves`` are the sides of a tunnel's
    hexagon that are open, 1 (up in the unturned view) to 6 clockwise; None where it is no tunnel.
    """

    square: str
    kind: str
    name: Text
    side: str = ""
    grooves: tuple[int, ...] | None = None


class Board(msgspec.Struct, frozen=True, tag="board", omit_defaults=True):
    """A board: files left to right, ranks bottom to top (``turned``: seen from the other side).

    With ``hexes`` its squares are hexagons that lie on a side; the files that are ``raised`` lie half a hexagon higher
    in the unturned view. Only those with ``terrain`` are drawn, the others are gaps that a piece may be sent to.
    """

    title: Text
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    pieces: tuple[Piece, ...]
    terrain: tuple[Terrain, ...] = ()
    turned: bool = False
    hexes: bool = False
    raised: tuple[str, ...] = ()
    tint: tuple[tuple[str, str], ...] = ()
    """Squares with a highlight: (square, ``acting`` | ``target`` | ``came_from`` | ``home``)."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of squares whose pieces fight each other: a mark across their common border or corner."""
    legend: tuple[tuple[str, Text], ...] = ()
    """What the signs of pieces mean, each a sign and its words; shown for those that are on the board."""
    closed: tuple[str, ...] = ()
    """Squares where no correction puts a piece."""
    fallen: tuple[Piece, ...] = ()
    """Pieces off the board with which their side fell: they tell how it stands, as its main piece did."""


class Roster(msgspec.Struct, frozen=True, tag="roster", omit_defaults=True):
    """Pieces in words, for tables whose board is not mirrored and for those who listen; ``fallen`` ones are last."""

    title: Text
    side: str
    pieces: tuple[Piece, ...]
    fallen: tuple[Piece, ...] = ()


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a card shows at a glance; its words say the same.

    ``parts`` are those of the own board side by side, each with so many tokens; ``glyphs`` name pictures, and ``more``
    stands beside them ("+1"). ``numbers`` are those printed on it, each behind a small picture. ``corner`` stands where
    other cards have a rank, such as a cost. ``photo`` names a picture of somebody's own, which lies over the others.
    """

    parts: tuple[int, ...] = ()
    glyphs: tuple[str, ...] = ()
    more: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    corner: str = ""
    photo: str = ""


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card face up: ``rank`` and ``suit`` as printed (None: a card without a suit), its name, what it does.

    ``side`` is the seat that laid it where everybody sees it. ``barred`` says why it can not be played; of several
    that are alike the first may say it for all.
    """

    code: str
    rank: str
    suit: Suit | None
    name: Text
    does: Text
    clause: str | None = None
    barred: Reason | None = None
    side: str = ""
    picture: Picture | None = None


class Hand(msgspec.Struct, frozen=True, tag="hand", omit_defaults=True):
    """Cards that a seat can do something with, one or several at once.

    ``whose``: its ``own``, others that it alone sees for a while (``looked_at``), or those that lie ``open`` before
    everybody. Offers that start from ``id`` and choose among the cards are done with those that are picked. ``first``:
    it is what the seat looks at just now.
    """

    title: Text
    cards: tuple[Card, ...]
    id: str = ""
    whose: Literal["own", "looked_at", "open"] = "own"
    first: bool = False


class Pile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pile and how many it has; ``cards`` are those that everybody may see, ``top`` is the one of them on top."""

    name: Text
    count: int
    cards: tuple[Card, ...] = ()
    top: Card | None = None


class Piles(msgspec.Struct, frozen=True, tag="piles"):
    """The piles of the table; ``of`` is the tracker that counts them too, where one does."""

    title: Text
    piles: tuple[Pile, ...]
    of: str = ""


class Phases(msgspec.Struct, frozen=True, tag="phases"):
    """Where in the turn the table is; a number ``round`` or ``turn`` in the ``title`` is what the game counts."""

    title: Text
    steps: tuple[Text, ...]
    current: int


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """Short facts as pairs of label and value."""

    title: Text
    rows: tuple[tuple[Text, Text], ...]


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clock: ``left`` milliseconds that it has (negative once they are used up), at the moment ``since``.

    ``since`` is in milliseconds of the epoch while it runs, None while it stands. ``upward`` counts what was used.
    """

    left: int
    since: int | None = None
    upward: bool = False

    @property
    def says(self) -> str:
        """Return what it shows where it stands: minutes and seconds, with hours where there are any.

        A second that has begun counts as one that is left, and not yet as one that was used.
        """
        shown = -self.left if self.upward else self.left
        seconds = -(-shown // 1000) if shown > 0 and not self.upward else abs(shown) // 1000
        minutes, sign = seconds // 60, "−" if shown < 0 and seconds else ""
        if minutes < 60:
            return f"{sign}{minutes}:{seconds % 60:02}"
        return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds % 60:02}"


class Stack(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards that lie somewhere: how many face ``down``, and the ``top`` one where everybody sees it.

    ``held`` ones are in a hand. What is empty keeps its place.
    """

    down: int = 0
    top: Card | None = None
    held: bool = False


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a tracker: its name, its value large, and what is said beside; offers may start from ``id``.

    ``side`` is the seat whose colour marks it. ``most`` is drawn as a bar with ``level`` of it. ``current`` marks the
    line whose turn it is, ``spent`` dims one that is out. ``steps`` are the labels of what starts from it in order,
    each with why it can not be done when it is not on offer: it keeps its place. ``stack`` draws the cards it counts.
    A line of a deck shows its ``card``, which says its name; what that does is read on a tap, the note where no card is
    drawn.
    """

    id: str
    name: Text
    value: Text | None = None
    side: str = ""
    note: Text | None = None
    level: int = 0
    most: int = 0
    clock: Clock | None = None
    current: bool = False
    spent: bool = False
    steps: tuple[tuple[Text, Text], ...] = ()
    stack: Stack | None = None
    card: Card | None = None


class Tracker(msgspec.Struct, frozen=True, tag="tracker", omit_defaults=True):
    """Something that is kept track of as lines; offers may start from the tracker (``id``) and from its lines.

    ``colour`` is one of ``COLOURS_OF_TRACKERS``, ``glyph`` names a picture. The ``score`` says who is ahead in the
    game: a line of each side, whose value is its points. Of one that ``prints`` the game has cards for paper
    (``Game.cards``), for whoever sees it. The lines of one that is ``past`` say what happened: none of it lies there.
    """

    id: str
    title: Text
    rows: tuple[Row, ...]
    colour: str = ""
    glyph: str = ""
    note: Text | None = None
    score: bool = False
    prints: bool = False
    past: bool = False


class Zone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the table with the pieces that lie in it; offers start from it (``id``) and from its pieces.

    ``side`` is whose it is; without one the pieces of each side stand together. ``value`` is what it is worth, shown
    large. ``hidden`` counts cards that lie face down. A ``folded`` one is opened by who wants to see it. ``photo``
    names a picture of somebody's own, which lies over its glyph.
    """

    id: str
    name: Text
    pieces: tuple[Piece, ...] = ()
    side: str = ""
    glyph: str = ""
    value: Text | None = None
    note: Text | None = None
    contest: Contest | None = None
    hidden: int = 0
    folded: bool = False
    photo: str = ""


class Tableau(msgspec.Struct, frozen=True, tag="tableau", omit_defaults=True):
    """What lies on the table in rows of zones, as they lie between the players: the last row is the nearest.

    Beside a board, where nothing lies between them, what is wanted first comes first. ``legend`` says what the small
    pictures of stats are, ``numbers`` where they stand on pieces that are cards.
    """

    title: Text
    rows: tuple[tuple[Zone, ...], ...]
    legend: tuple[tuple[str, Text], ...] = ()
    numbers: CardNumbers | None = None

    @property
    def zones(self) -> tuple[Zone, ...]:
        """List the zones of all rows."""
        return tuple(zone for row in self.rows for zone in row)


Panel = Board | Roster | Hand | Piles | Phases | Facts | Tracker | Tableau


class View(msgspec.Struct, frozen=True):
    """What one seat sees: what to do now in a sentence, whose move it is, and the panels in reading order.

    ``to_move`` are the seats that the game waits for (empty when it is over); ``note`` is what is in force just now
    (a card in play); ``advice`` are hints that never block; ``sheet`` names the player aid that is this seat's own.
    """

    headline: Text
    to_move: tuple[str, ...]
    panels: tuple[Panel, ...]
    advice: tuple[Reason, ...] = ()
    over: bool = False
    note: Reason | None = None
    sheet: str | None = None

    @property
    def timed(self) -> bool:
        """Tell whether a clock runs."""
        return any(
            row.clock is not None and row.clock.since is not None
            for panel in self.panels
            if isinstance(panel, Tracker)
            for row in panel.rows
        )

"""The cards of a deck: their codes, what is printed on them, and the lists of cards that people type or paste."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.free_table.names import LONGEST_NAME, tidy, typed
from companion.kit.game import Frozen
from companion.kit.panels import Card, Picture, Suit
from companion.kit.pictures import DIGEST, CardGlyph, Photo, Sign, check_room
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

Which = Literal["52", "32", "24", "24_cities", "40", "48", "own"]

SIGNS: dict[Suit, str] = {"spades": "♠", "hearts": "♥", "clubs": "♣", "diamonds": "♦"}
SPANISH: tuple[Suit, ...] = ("coins", "cups", "swords", "batons")
OF_CITIES = "10S JS QS KS 6S JD QD KD AS AH AC AD 2S 2H 2C 2D 3S 3H 3C 3D 4S 4H 4C 4D"
LETTERS: dict[Suit, str] = {"spades": "S", "hearts": "H", "clubs": "C", "diamonds": "D"}
RANKS: dict[Which, str] = {
    "52": "A 2 3 4 5 6 7 8 9 10 J Q K",
    "32": "7 8 9 10 J Q K A",
    "24": "9 10 J Q K A",
    "40": "1 2 3 4 5 6 7 10 11 12",
    "48": "1 2 3 4 5 6 7 8 9 10 11 12",
}
NOTHING = typed("")
IN_MEMORY = 64
"""Packs in memory: people make up their own, one after the other."""
LONGEST_LIST = 6000
LONGEST_SENT = 2 * LONGEST_LIST
"""Letters of a list as it is sent: a line may end with two, and not each has to be kept."""
CardList = Annotated[
    str,
    Meta(
        title="My own list",
        description="One card a line, or names separated by commas; or name, count, text: “Goblin, 3, Bites”.",
        max_length=LONGEST_SENT,
        extra={"high": LONGEST_LIST},
    ),
]
"""What ``read_list`` reads."""
LONGEST_CARD = 120
MOST_CARDS = 400
MOST_ALIKE = 99
SEPARATORS = "\t;,"
"""What parts the cells of a line: the first of these that stands in the line, as spreadsheets write them."""
QUOTED = re.compile(r'(?:^|(?<=[\t;,]))\s*"(?:[^"]|"")*"')
"""A cell between quotation marks: what stands in it parts nothing."""
COLUMNS = {
    "name": ("name", "nombre", "card", "carta"),
    "count": ("count", "cantidad", "number", "número", "numero", "copies", "copias"),
    "text": ("text", "texto"),
    "glyph": ("glyph", "sign", "símbolo", "simbolo"),
    "picture": ("picture", "imagen"),
}
HEADS = {head: column for column, heads in COLUMNS.items() for head in heads}


class Own(msgspec.Struct, frozen=True, array_like=True):
    """One kind of card of a list: what it is called, how many there are, what stands on it, and how it looks."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    count: int = 1
    text: Annotated[str, Meta(max_length=LONGEST_CARD)] = ""
    glyph: Sign = ""
    picture: Photo = ""

    @property
    def drawn(self) -> Picture | None:
        """Return what it shows at a glance; None where that is nothing but its words."""
        if not (self.glyph or self.picture):
            return None
        return Picture(glyphs=(self.glyph or "cards",), photo=self.picture)

    @property
    def plain(self) -> Own:
        """Return it without what only changes its look."""
        return replace(self, glyph="", picture="")


class Face(Frozen, frozen=True):
    """What is printed on a card; ``short`` names it where there is little room, ``at`` is its place in order."""

    rank: str
    suit: Suit | None
    name: Text
    short: Text
    does: Text = NOTHING
    at: int = 0
    picture: Picture | None = None


class Pack(msgspec.Struct, frozen=True):
    """All cards of one deck: their faces and an option for each, by code, in order."""

    faces: dict[str, Face]
    options: dict[str, Option]

    def ordered(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Put cards in order: by suit and rank, or as listed."""
        return tuple(sorted(codes, key=lambda code: self.faces[code].at))

    def card(self, code: str, side: str = "") -> Card:
        """Show a card face up; ``side`` is the seat that laid it."""
        face = self.faces[code]
        return Card(code, face.rank, face.suit, face.name, face.does, side=side, picture=face.picture)


@lru_cache(maxsize=IN_MEMORY)
def pack(deck: str, which: Which, own: tuple[Own, ...], jokers: int, copies: int) -> Pack:
    """Return the cards of a deck; their codes begin with the deck's identifier, copies end with their number."""
    joker = Face("★", None, Text("joker"), Text("joker"))
    printed = _printed(which, own) | {f"joker{number}": joker for number in range(1, jokers + 1)}
    faces: dict[str, Face] = {}
    for code, face in printed.items():
        for copy in range(1, copies + 1):
            mark = "" if copy == 1 else f"'{copy}"
            faces[f"{deck}:{code}{mark}"] = face.but(at=len(faces))
    return Pack(faces, {code: Option(code, face.short) for code, face in faces.items()})


def _printed(which: Which, own: tuple[Own, ...]) -> dict[str, Face]:
    match which:
        case "own":
            return _listed(own)
        case "24_cities":
            return {code: face for code, face in _french(RANKS["52"]).items() if code in OF_CITIES.split()}
        case "40" | "48":
            return _spanish(RANKS[which])
        case _:
            return _french(RANKS[which])


def _french(ranks: str) -> dict[str, Face]:
    words = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
    return {
        f"{rank}{LETTERS[suit]}": Face(rank, suit, _named(rank, suit, words), say("{rank}{sign}", rank=rank, sign=sign))
        for suit, sign in SIGNS.items()
        for rank in ranks.split()
    }


def _spanish(ranks: str) -> dict[str, Face]:
    words = {"1": "ace", "10": "sota", "11": "caballo", "12": "king"}
    names = {(rank, suit): _named(rank, suit, words) for suit in SPANISH for rank in ranks.split()}
    return {f"{rank}{suit}": Face(rank, suit, name, name) for (rank, suit), name in names.items()}


def _named(rank: str, suit: Suit, words: Mapping[str, str]) -> Text:
    return say("{rank} of {suit}", rank=Text(words[rank]) if rank in words else rank, suit=Text(suit))


def _listed(own: tuple[Own, ...]) -> dict[str, Face]:
    """Give the cards of a list codes: their numbers, and of a card that is there several times each its own."""
    faces = [Face("", None, typed(card.name), typed(card.name), typed(card.text), picture=card.drawn) for card in own]
    return {
        f"{at}" if number == 1 else f"{at}.{number}": face
        for at, (card, face) in enumerate(zip(own, faces, strict=True), 1)
        for number in range(1, card.count + 1)
    }


def read_list(sent: str) -> tuple[Own, ...]:
    """Read a list of cards.

    A line is a card, several names separated by commas, or ``name,count,text``; a first line that names its columns
    puts these in any order, and may have columns for signs and pictures. Raises Refusal, naming the line.
    """
    lines = [(at, _cells(line)) for at, line in enumerate(sent.splitlines(), 1) if line.strip()]
    heads = _heads(lines[0][1]) if lines else None
    cards: list[Own] = []
    for at, cells in lines[1:] if heads else lines:
        cards += [_by_heads(heads, cells, at)] if heads else _by_itself(cells, at)
    if not cards:
        raise _unfit(say("Write at least one card."))
    if len(write_list(tuple(cards))) > LONGEST_LIST:
        raise _unfit(say("The list has more than {most} letters.", most=LONGEST_LIST))
    check_size(sum(card.count for card in cards), "own")
    check_room((card.picture for card in cards), "own")
    return tuple(cards)


def check_size(cards: int, field: str) -> None:
    """Raise Refusal for more cards than a deck has."""
    if cards > MOST_CARDS:
        raise Refusal(say("A deck has {most} cards at most.", most=MOST_CARDS), field=field)


def _unfit(text: Text) -> Refusal:
    return Refusal(text, field="own")


def _cells(line: str) -> list[str]:
    separator = next((sign for sign in SEPARATORS if sign in QUOTED.sub("", line)), ",")
    plain = "".join(letter if letter.isprintable() or letter == separator else " " for letter in line)
    (cells,) = csv.reader([plain.strip(" ")], delimiter=separator, skipinitialspace=True)
    return [cell.strip() for cell in cells]


def _heads(cells: list[str]) -> list[str] | None:
    heads = [HEADS.get(cell.lower(), "") for cell in cells]
    return heads if len(cells) > 1 and "name" in heads and all(heads) and len(set(heads)) == len(heads) else None


def _by_heads(heads: list[str], cells: list[str], at: int) -> Own:
    card = dict(zip(heads, cells, strict=False))
    rest = cells[len(heads) :] if heads[-1] == "text" else []
    made = _card(card.get("name", ""), card.get("count", ""), ", ".join([card.get("text", ""), *rest]), at)
    return _with_look(made, card.get("glyph", "").lower(), card.get("picture", "").lower(), at)


def _with_look(card: Own, glyph: str, picture: str, at: int) -> Own:
    if glyph not in get_args(CardGlyph):
        raise _unfit(say("Line {line}: there is no sign called “{sign}”.", line=at, sign=tidy(glyph[:LONGEST_NAME])))
    if picture and not re.fullmatch(DIGEST, picture):
        raise _unfit(say("Line {line}: a picture is named by its SHA-256, 64 letters and figures.", line=at))
    return replace(card, glyph=glyph, picture=picture)


def _by_itself(cells: list[str], at: int) -> list[Own]:
    if len(cells) > 1 and _is_number(cells[1]):
        return [_card(cells[0], cells[1], ", ".join(cells[2:]), at)]
    return [_card(name, "", "", at) for name in cells if name]


def _card(name: str, count: str, text: str, at: int) -> Own:
    called = tidy(name, LONGEST_NAME + 1)
    if not called:
        raise _unfit(say("Line {line}: the card has no name.", line=at))
    if len(called) > LONGEST_NAME:
        raise _unfit(say("Line {line}: a name has {most} letters at most.", line=at, most=LONGEST_NAME))
    if count and not (_is_number(count) and len(count) < 4 and 1 <= int(count) <= MOST_ALIKE):
        raise _unfit(say("Line {line}: of one card there are 1 to {most}.", line=at, most=MOST_ALIKE))
    return Own(called, int(count or 1), tidy(text, LONGEST_CARD))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


@lru_cache(maxsize=IN_MEMORY)
def write_list(cards: tuple[Own, ...]) -> str:
    """Write a list as it is read; how cards look has columns of its own, where any of them looks like something."""
    if not any(card.drawn for card in cards):
        return "\n".join(map(_line, cards))
    lines = (_cells_of(card.name, str(card.count), card.text, card.glyph, card.picture) for card in cards)
    return "\n".join(("name,count,text,glyph,picture", *lines))


def _cells_of(*cells: str) -> str:
    return ",".join(map(_quoted, cells)).rstrip(",")


def _line(card: Own) -> str:
    name = _quoted(card.name)
    if card.text:
        return f"{name},{card.count},{_quoted(card.text)}"
    return f"{name},{card.count}" if card.count > 1 else name


def _quoted(cell: str) -> str:
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if set(cell) & set('",;') else cell

"""Lists of cards that people type or paste: any text gives a list, or a sentence that names the line."""

from __future__ import annotations

import csv
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.look import LONGEST_NAME, tidy
from companion.kit.ruling import Refusal
from companion.kit.text import say

LONGEST_LIST = 6000
LONGEST_SENT = 2 * LONGEST_LIST
"""Letters of a list as it is sent: a line may end with two, and not each has to be kept."""
LONGEST_CARD = 120
MOST_CARDS = 400
MOST_ALIKE = 99
SEPARATORS = "\t;,"
"""What parts the cells of a line: the first of these that stands in the line, as spreadsheets write them."""
QUOTED = re.compile(r'(?:^|(?<=[\t;,]))\s*"(?:[^"]|"")*"')
"""A cell between quotation marks: what stands in it parts nothing."""
HEADS = {
    "name": "name",
    "nombre": "name",
    "card": "name",
    "carta": "name",
    "count": "count",
    "cantidad": "count",
    "number": "count",
    "número": "count",
    "numero": "count",
    "copies": "count",
    "copias": "count",
    "text": "text",
    "texto": "text",
}


class Own(msgspec.Struct, frozen=True, array_like=True):
    """Hold one kind of card of a list: what it is called, how many there are, and what stands on it."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    count: int = 1
    text: Annotated[str, Meta(max_length=LONGEST_CARD)] = ""


def read_list(sent: str, field: str = "own") -> tuple[Own, ...]:
    """Read a list of cards.

    A line is a card, several names separated by commas, or ``name,count,text``; a first line that names its columns
    puts these in any order. Raises Refusal, naming the line.
    """
    lines = [(at, _cells(line)) for at, line in enumerate(sent.splitlines(), 1) if line.strip()]
    heads = _heads(lines[0][1]) if lines else None
    found: list[Own] = []
    for at, cells in lines[1:] if heads else lines:
        found += _by_heads(heads, cells, at, field) if heads else _by_itself(cells, at, field)
    if not found:
        raise Refusal(say("Write at least one card."), field=field)
    if len(write_list(tuple(found))) > LONGEST_LIST:
        raise Refusal(say("The list has more than {most} letters.", most=LONGEST_LIST), field=field)
    if sum(card.count for card in found) > MOST_CARDS:
        raise Refusal(say("A deck has {most} cards at most.", most=MOST_CARDS), field=field)
    return tuple(found)


def _cells(line: str) -> list[str]:
    bare = QUOTED.sub("", line)
    separator = next((one for one in SEPARATORS if one in bare), ",")
    plain = "".join(letter if letter.isprintable() or letter == separator else " " for letter in line)
    (cells,) = csv.reader([plain.strip(" ")], delimiter=separator, skipinitialspace=True)
    return [cell.strip() for cell in cells]


def _heads(cells: list[str]) -> list[str] | None:
    heads = [HEADS.get(cell.lower(), "") for cell in cells]
    return heads if len(cells) > 1 and "name" in heads and all(heads) and len(set(heads)) == len(heads) else None


def _by_heads(heads: list[str], cells: list[str], at: int, field: str) -> list[Own]:
    found = dict(zip(heads, cells, strict=False))
    rest = cells[len(heads) :] if heads[-1] == "text" else []
    text = ", ".join([found.get("text", ""), *rest]) if rest else found.get("text", "")
    return [_card(found.get("name", ""), found.get("count", ""), text, at, field)]


def _by_itself(cells: list[str], at: int, field: str) -> list[Own]:
    if len(cells) > 1 and _is_number(cells[1]):
        return [_card(cells[0], cells[1], ", ".join(cells[2:]), at, field)]
    return [_card(name, "", "", at, field) for name in cells if name]


def _card(name: str, count: str, text: str, at: int, field: str) -> Own:
    called = tidy(name, LONGEST_NAME + 1)
    if not called:
        raise Refusal(say("Line {line}: the card has no name.", line=at), field=field)
    if len(called) > LONGEST_NAME:
        raise Refusal(say("Line {line}: a name has {most} letters at most.", line=at, most=LONGEST_NAME), field=field)
    if count and not (_is_number(count) and len(count) < 4 and 1 <= int(count) <= MOST_ALIKE):
        raise Refusal(say("Line {line}: of one card there are 1 to {most}.", line=at, most=MOST_ALIKE), field=field)
    return Own(called, int(count or 1), tidy(text, LONGEST_CARD))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def write_list(cards: tuple[Own, ...]) -> str:
    """Write a list as it is read."""
    return "\n".join(_written(card) for card in cards)


def _written(card: Own) -> str:
    name = _quoted(card.name)
    if card.text:
        return f"{name},{card.count},{_quoted(card.text)}"
    return f"{name},{card.count}" if card.count > 1 else name


def _quoted(cell: str) -> str:
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if set(cell) & set('",;') else cell

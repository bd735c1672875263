"""Rulebooks as data: clauses, rulings on unclear points, worked examples, trials, terms and player aids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec
import tomli

from companion.kit.forms import InvalidField, invalid_field
from companion.kit.text import Text, Words, fill_in, say, speak

T = TypeVar("T")
NO_NUMBERS: Mapping[str, int] = MappingProxyType({})
SPANISH = re.compile(r"(es|es_\w+|sentences)$")
"""The keys of a file whose values are Spanish."""
SAID = frozenset({"title", "columns", "cells", "more", "remark"})
"""The keys of a player aid that say something."""

Role = Literal["enforced", "computed", "told"]
Sure = Literal["stated", "inferred", "ruling", "app"]
Chessman = Literal["king", "queen", "rook", "bishop", "knight", "pawn"]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of packaged data: unknown keys are refused."""


class Chapter(Strict, frozen=True):
    """A chapter of the rulebook."""

    id: str
    es: str
    en: str


class Trial(Strict, frozen=True):
    """A rule at work: what one of the game's lookups is told, and what it then answers.

    ``facts`` are those that are not as usual; ``dice`` are faces in the order thrown, ``choices`` option values by the
    question's key. ``outcome`` holds fields of the answer, ``refused`` the clause by which there is none, ``throws``
    how many dice are asked for where no faces are given. ``es`` and ``en`` name it where an entry has several.
    """

    lookup: str
    facts: Mapping[str, Any] = {}
    dice: tuple[int, ...] = ()
    choices: Mapping[str, str] = {}
    outcome: Mapping[str, Any] = {}
    refused: str | None = None
    throws: int | None = None
    es: str = ""
    en: str = ""


class Clause(Strict, frozen=True):
    """One rule: what Companion does with it (``role``) and how sure it is (``sure``)."""

    id: str
    chapter: str
    role: Role
    sure: Sure
    es: str
    en: str
    ruling: str | None = None
    trial: tuple[Trial, ...] = ()


class RulingNote(Strict, frozen=True):
    """The answer adopted where the rulebook is unclear, and the table options that change it."""

    id: str
    es_question: str
    en_question: str
    es: str
    en: str
    options: tuple[str, ...] = ()


class Example(Strict, frozen=True):
    """One worked example in words, and in numbers as far as lookups can work it out."""

    id: str
    clauses: tuple[str, ...]
    es_title: str
    en_title: str
    es: str
    en: str
    trial: tuple[Trial, ...] = ()


class Term(Strict, frozen=True):
    """A term of the game in every language."""

    id: str
    es: str
    en: str


class Line(Strict, frozen=True):
    """A row of a listing: its cells, what is said below them, and the chess piece drawn before the first."""

    cells: tuple[Text, ...]
    more: Text | None = None
    piece: Chessman | None = None


class Listing(Strict, frozen=True):
    """A small table of facts: a title, a name for every column, the rows, and a remark.

    ``quotes`` are clauses whose own words stand below the rows; a listing of nothing else has no columns and no rows.
    """

    title: Text
    columns: tuple[Text, ...] = ()
    line: tuple[Line, ...] = ()
    clause: str | None = None
    remark: Text | None = None
    quotes: tuple[str, ...] = ()


Tables = Mapping[str, Listing]
"""The tables of a rulebook by name."""


class Sheet(Strict, frozen=True):
    """A player aid: what somebody wants to have at hand, on a page that can be printed."""

    id: str
    title: Text
    listing: tuple[Listing, ...]
    remark: Text | None = None


class Credit(Strict, frozen=True):
    """Whose game it is, and what they allow, in every language."""

    es: str
    en: str


class Rulebook(Strict, frozen=True):
    """A game's rulebook in reading order, and its player aids.

    ``sheet`` are aids for one purpose each, such as an army; ``aid`` is everything on one sheet of paper, a side each;
    ``listing`` are tables by name, from which a game makes aids of its own.
    """

    credit: Credit | None = None

    chapter: tuple[Chapter, ...] = ()
    clause: tuple[Clause, ...] = ()
    ruling: tuple[RulingNote, ...] = ()
    example: tuple[Example, ...] = ()
    term: tuple[Term, ...] = ()
    sheet: tuple[Sheet, ...] = ()
    aid: tuple[Sheet, ...] = ()
    listing: Tables = {}

    def ids(self) -> frozenset[str]:
        """Return every identifier that a reason may cite."""
        return frozenset(entry.id for part in (self.clause, self.ruling, self.example) for entry in part)

    def look_up(self, name: str) -> Clause | RulingNote | Example:
        """Find a clause, a ruling or an example by its identifier; raise KeyError when there is none."""
        for part in (self.clause, self.ruling, self.example):
            for entry in part:
                if entry.id == name:
                    return entry
        raise KeyError(name)


class WrongData(ValueError):
    """A packaged file that is wrong: which, and where."""

    def __init__(self, text: Text) -> None:
        super().__init__(speak(text, str))
        self.text = text


def load(package: str, name: str, kind: type[T], numbers: Mapping[str, int] = NO_NUMBERS) -> T:
    """Load a TOML file of a game's ``data`` folder into a struct; raise WrongData naming the file and the field.

    Wherever it says a number of the game's rules by its name (``[reach]``) the ``numbers`` are filled in.
    """
    text = (files(package) / "data" / name).read_text(encoding="utf-8")
    return read(text, name, kind, numbers)


def read(text: str, name: str, kind: type[T], numbers: Mapping[str, int] = NO_NUMBERS) -> T:
    """Read TOML text into a struct, with the numbers filled in; raise WrongData naming the file and the field.

    In the player aids of a rulebook a sentence may stand as it is, and so may a number.
    """
    try:
        raw: dict[str, Any] = tomli.loads(text)
        raw = _with_numbers(raw, numbers) if numbers else raw
        if kind is Rulebook:
            raw |= {part: _with_texts(raw[part]) for part in ("sheet", "aid", "listing") if part in raw}
        return msgspec.convert(raw, kind)
    except tomli.TOMLDecodeError as wrong:
        raise WrongData(say("{file} is not TOML: {why}", file=name, why=str(wrong))) from wrong
    except msgspec.ValidationError as wrong:
        raise WrongData(unfit(name, invalid_field(wrong))) from wrong


def _with_numbers(raw: Any, numbers: Mapping[str, int], language: str = "en") -> Any:
    match raw:
        case str():
            return fill_in(raw, numbers, language)
        case dict():
            return {
                fill_in(key, numbers): _with_numbers(value, numbers, "es" if SPANISH.match(key) else language)
                for key, value in raw.items()
            }
        case list():
            return [_with_numbers(value, numbers, language) for value in raw]
        case _:
            return raw


def _with_texts(raw: Any, name: str = "") -> Any:
    """Make texts of the sentences and numbers in player aids; ``raw`` is what the file says of ``name``."""
    match raw:
        case dict() if "say" not in raw:
            return {key: _with_texts(value, key) for key, value in raw.items()}
        case list():
            return [_with_texts(value, name) for value in raw]
        case str() if name in SAID and any(letter.isalpha() for letter in raw):
            return {"say": raw}
        case str() | int() if name in SAID:
            return {"say": "{count}", "places": {"count": raw}}
        case _:
            return raw


def unfit(file: str, invalid: InvalidField) -> Text:
    """Say which field of a file, or of an entry in it, is wrong."""
    field = ".".join(part for part in (invalid.place, invalid.field) if part)
    match invalid.how:
        case "missing":
            return say("{file}: {field} is missing.", file=file, field=field)
        case "unknown":
            return say("{file}: there is no field called {field}.", file=file, field=field)
        case "wrong":
            return say("{file}: {field} is not what belongs there.", file=file, field=field)


WORDS = "words.toml"
RETIRED = "retired.toml"


class _WordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: Mapping[str, Mapping[str, str]] = {}
    sentences: Mapping[str, str] = {}


@cache
def shared_words() -> Words:
    """Load the words that several games share, once for all of them."""
    said, retired = _said_and_retired("companion.kit", NO_NUMBERS)
    return Words(said.names, _in_spanish({**retired.sentences, **said.sentences}))


def _said_and_retired(package: str, numbers: Mapping[str, int]) -> tuple[_WordsFile, _WordsFile]:
    retires = (files(package) / "data" / RETIRED).is_file()
    return load(package, WORDS, _WordsFile, numbers), load(package, RETIRED, _WordsFile) if retires else _WordsFile()


def _in_spanish(sentences: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {english: {"es": spanish} for english, spanish in sentences.items()}


def load_words(package: str, rulebook: Rulebook, numbers: Mapping[str, int] = NO_NUMBERS) -> Words:
    """Load a game's ``words.toml``; the rulebook's terms are names too.

    ``[names]`` maps identifier to ``{en, es}``; ``[sentences]`` maps the English sentence to the Spanish one. A
    ``retired.toml`` of the same kind holds those that nothing says any more, for older logs. Beneath all of these are
    the words that several games share. The ``numbers`` are filled in wherever a sentence names one in brackets.
    """
    said, retired = _said_and_retired(package, numbers)
    terms = {term.id: {"es": term.es, "en": term.en} for term in rulebook.term}
    return Words(
        {**retired.names, **terms, **said.names}, _in_spanish({**retired.sentences, **said.sentences}), shared_words()
    )

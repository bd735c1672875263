"""Full-text search over all rulebooks: accents folded, words by their beginning, any text safe."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Literal

import msgspec
from sqlite_utils import Database

from companion.kit.rulebook import Rulebook

Kind = Literal["clause", "ruling", "example", "term"]
Marked = tuple[tuple[str, bool], ...]
"""A text in pieces, in order: each piece, and whether it is what was searched for."""

MOST_WORDS = 12
MOST_HITS = 50
_LONGEST_WORD = 40
_ON, _OFF = "\x02", "\x03"
_LANGUAGES = ("es", "en")
_COLUMNS = ("name", "title", "text")
_FIND = """
    select entries.*, highlight(entries_fts, 0, :on, :off) as m_name,
           highlight(entries_fts, 1, :on, :off) as m_title, highlight(entries_fts, 2, :on, :off) as m_text
    from entries_fts join entries on entries.id = entries_fts.rowid
    where entries_fts match :query and entries.language = :language
    order by upper(entries.name) = upper(:typed) desc, bm25(entries_fts, 8.0, 4.0, 1.0), entries.id
    limit :most
"""


class Hit(msgspec.Struct, frozen=True):
    """Hold one find: where it stands and its words with what was searched for marked.

    ``about`` is the identifier to open; ``language`` is the language of the words, which is not the
    reader's when nothing was found in that.
    """

    game: str
    kind: Kind
    about: str
    language: str
    name: Marked
    title: Marked
    text: Marked


class Search:
    """Find words in rulebooks; one index in memory, shared by all threads."""

    def __init__(self, rulebooks: Mapping[str, Rulebook]) -> None:
        self._lock = Lock()
        self._db = Database(sqlite3.connect(":memory:", check_same_thread=False), execute_plugins=False)
        table = self._db.table("entries")
        table.insert_all({"id": number, **row} for number, row in enumerate(_rows(rulebooks), start=1))
        if table.exists():
            table.enable_fts(_COLUMNS, tokenize="unicode61 remove_diacritics 2")

    def find(self, typed: str, language: str) -> tuple[Hit, ...]:
        """Find everything that holds all the words typed, best first.

        Words count by their beginning. Looks in the reader's language, then for shortened words, then in
        the other languages.
        """
        given = words(typed)[:MOST_WORDS]
        if not given or not self._db.table("entries").exists():
            return ()
        for tongue in (language, *(other for other in _LANGUAGES if other != language)):
            for wanted in (given, [_shortened(word) for word in given]):
                if hits := self._hits(wanted, tongue, typed):
                    return hits
        return ()

    def _hits(self, wanted: list[str], language: str, typed: str) -> tuple[Hit, ...]:
        query = " ".join(f'"{word}"*' for word in wanted)
        with self._lock:
            rows = list(
                self._db.query(
                    _FIND,
                    {
                        "query": query,
                        "language": language,
                        "typed": typed.strip()[:_LONGEST_WORD],
                        "on": _ON,
                        "off": _OFF,
                        "most": MOST_HITS,
                    },
                )
            )
        return tuple(
            Hit(
                row["game"], row["kind"], row["about"], language,
                _marked(row["m_name"]), _marked(row["m_title"]), _marked(row["m_text"]),
            )
            for row in rows
        )  # fmt: skip


def words(typed: str) -> list[str]:
    """Split what was typed into words, dropping all but letters and figures (``abc12`` is two)."""
    spaced = re.sub(r"\b([^\W\d_]{2,5})(\d{1,3})\b", r"\1 \2", typed[:2000])
    return [word[:_LONGEST_WORD] for word in re.findall(r"[^\W_]+", spaced)]


def _shortened(word: str) -> str:
    """Cut a word's ending, so that a plural finds the singular in either language."""
    return word if len(word) < 5 or word.isdecimal() else word[:-1] if len(word) == 5 else word[:-2]


def _marked(text: str) -> Marked:
    pieces = re.split(f"({_ON}.*?{_OFF})", text, flags=re.DOTALL)
    return tuple((piece.strip(_ON + _OFF), piece.startswith(_ON)) for piece in pieces if piece)


def _rows(rulebooks: Mapping[str, Rulebook]) -> Iterator[dict[str, str]]:
    for game, rulebook in rulebooks.items():
        for language in _LANGUAGES:
            for kind, about, title, text in _entries(rulebook, language):
                yield {
                    "game": game, "language": language, "kind": kind, "about": about,
                    "name": "" if kind == "term" else about, "title": title, "text": text,
                }  # fmt: skip


def _entries(rulebook: Rulebook, language: str) -> Iterator[tuple[Kind, str, str, str]]:
    chapters = {chapter.id: chapter for chapter in rulebook.chapter}
    for clause in rulebook.clause:
        yield "clause", clause.id, getattr(chapters[clause.chapter], language), getattr(clause, language)
    for ruling in rulebook.ruling:
        yield "ruling", ruling.id, getattr(ruling, f"{language}_question"), getattr(ruling, language)
    for example in rulebook.example:
        yield "example", example.id, getattr(example, f"{language}_title"), getattr(example, language)
    for term in rulebook.term:
        other = next(tongue for tongue in _LANGUAGES if tongue != language)
        yield "term", term.id, getattr(term, language), getattr(term, other)

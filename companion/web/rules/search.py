"""Full-text search over all rulebooks: accents folded, words by their beginning, misspelt ones found, any text safe."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from threading import Lock
from typing import Literal

import msgspec
from sqlite_utils import Database

from companion.kit.rulebook import Rulebook
from companion.kit.text import Text, Words, speak

SUITS = "♠♥♦♣"
"""Signs that belong to a word: a card is called ``10♠``."""

_LONGEST_WORD = 40
_SHORTEST_MISSPELT = 5
_FURTHEST = 2
"""Letters that a misspelt word may have too many or too few."""
_ALIKE = 0.8


def words(typed: str) -> list[str]:
    """Split what was typed into words, dropping all but letters, figures and suits (``abc12`` is two)."""
    spaced = re.sub(r"\b([^\W\d_]{2,5})(\d{1,3})\b", r"\1 \2", typed[:2000])
    return [word[:_LONGEST_WORD] for word in re.findall(rf"(?:[^\W_]|[{SUITS}])+", spaced)]


def shortened(word: str) -> str:
    """Cut a word's ending, so that a plural finds the singular in either language."""
    if len(word) < 5 or word.isdecimal():
        return word
    return word[:-3] if word.lower().endswith("ies") else word[:-1] if len(word) == 5 else word[:-2]


def folded(word: str) -> str:
    """Write a word in small letters without accents."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


class Spelling:
    """Every word of some texts, as it is spelt."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._spelt: dict[str, str] = {}
        for text in texts:
            for word in words(text):
                self._spelt.setdefault(folded(word), word.casefold())
        self._sorted = sorted(self._spelt)

    def knows(self, word: str) -> bool:
        """Tell whether a word begins like one of them, its own ending left aside; figures are never misspelt."""
        stem = folded(shortened(word))
        at = bisect_left(self._sorted, stem)
        return word.isdecimal() or (at < len(self._sorted) and self._sorted[at].startswith(stem))

    def nearest(self, word: str) -> str | None:
        """Find the word that is most like a misspelt one; None where none is."""
        typed = folded(word)
        if len(typed) < _SHORTEST_MISSPELT:
            return None
        near = [known for known in self._sorted if abs(len(known) - len(typed)) <= _FURTHEST and not known.isdecimal()]
        return next((self._spelt[match] for match in get_close_matches(typed, near, n=1, cutoff=_ALIKE)), None)


Kind = Literal["clause", "ruling", "example", "term", "sheet"]
_Row = tuple[Kind, str, str, str, str]
"""The kind of an entry, the identifier that it opens, its name, title and text (``_PARTS``)."""
Marked = tuple[tuple[str, bool], ...]
"""A text in pieces, in order: each piece, and whether it is what was searched for."""

MOST_WORDS = 12
MOST_HITS = 50
MOST_OF_EACH = 20
"""Hits of each game, where several are searched."""

_LONGEST_NAME = 40
_SHORTEST = 3
"""Letters of a word that is looked for although others are not found with it: ``of`` and ``de`` stand everywhere."""
_ON, _OFF = "\x02", "\x03"
_LANGUAGES = ("es", "en")
_COLUMNS = ("name", "title", "text")
_PARTS = ("kind", "about", *_COLUMNS)
_FIND = """
    select entries.*, highlight(entries_fts, 0, :on, :off) as m_name,
           highlight(entries_fts, 1, :on, :off) as m_title, highlight(entries_fts, 2, :on, :off) as m_text,
           bm25(entries_fts, 8.0, 4.0, 1.0) as rank
    from entries_fts join entries on entries.id = entries_fts.rowid
    where entries_fts match :query and entries.language = :language and entries.game = :game
    order by entries.kind = 'example', entries.kind = 'sheet', rank, entries.id
    limit :most
"""
_NAMED = """
    select entries.*, :on || name || :off as m_name, title as m_title, text as m_text, 0 as rank
    from entries
    where language = :language and game = :game and (key = :key or short = :key)
    order by key <> :key, entries.id
"""


class Hit(msgspec.Struct, frozen=True):
    """One hit of a search: where it stands and its words with what was searched for marked.

    ``about`` is the identifier to open, of a line of a player aid the aid's; ``language`` is the language of the
    words, which is not the reader's when nothing was found in that.
    """

    game: str
    kind: Kind
    about: str
    language: str
    name: Marked
    title: Marked
    text: Marked


class Search:
    """An index of the words of rulebooks, in memory, shared by all threads."""

    def __init__(self, rulebooks: Mapping[str, Rulebook], spoken: Mapping[str, Words] | None = None) -> None:
        """Read rulebooks by the games' slugs; ``spoken`` are the words of those games, which player aids speak."""
        self._lock = Lock()
        self._games = tuple(rulebooks)
        rows = list(_rows(rulebooks, spoken or {}))
        self._spelling = {
            language: Spelling(_own_words(row) for row in rows if row["language"] == language)
            for language in _LANGUAGES
        }
        self._db = Database(sqlite3.connect(":memory:", check_same_thread=False), execute_plugins=False)
        table = self._db.table("entries")
        table.insert_all(({"id": number, **row} for number, row in enumerate(rows, start=1)), pk="id")
        if table.exists():
            table.enable_fts(_COLUMNS, tokenize=f"unicode61 remove_diacritics 2 tokenchars {SUITS}")

    def find(
        self, typed: str, language: str, *, first: str = "", only: str = "", some: bool = False
    ) -> tuple[Hit, ...]:
        """Find everything that holds all the words typed: game by game, and in each the best first.

        An identifier is found before all else, however it is typed; player aids and examples come after the rules. The
        game ``first`` comes first, or else the one with the best hit; ``only`` is the one game to look in. Words count
        by their beginning. Looks in the reader's language, then for shortened words, then in the other languages.
        With ``some`` not all words need to be there, and short ones are left aside.
        """
        search_words = words(typed)[:MOST_WORDS]
        if not search_words or not self._db.table("entries").exists():
            return ()
        games = tuple(game for game in self._games if only in {"", game})
        by_name = {game: self._by_name(typed, language, game) for game in games}
        wanted = [word for word in search_words if len(word) >= _SHORTEST] if some else search_words
        by_words = self._by_words(wanted, language, games, " OR " if some else " ") if wanted else {}
        best = {game: rank for game, (rank, _) in by_words.items()}
        hits: list[Hit] = []
        for game in sorted(games, key=lambda game: (not by_name[game], game != first, best.get(game, 0))):
            named = {hit.about for hit in by_name[game]}
            hits += by_name[game]
            hits += [hit for hit in by_words[game][1] if hit.about not in named] if game in by_words else []
        return tuple(hits)

    def meant(self, typed: str, language: str) -> str | None:
        """Replace words that stand nowhere by those nearest to them; None where there is nothing to replace."""
        search_words = words(typed)[:MOST_WORDS]
        nearest = self._spelling[language].nearest
        spellings = self._spelling.values()
        meant = [word if any(s.knows(word) for s in spellings) else nearest(word) or word for word in search_words]
        return None if meant == search_words else " ".join(meant)

    def _by_name(self, typed: str, language: str, game: str) -> tuple[Hit, ...]:
        key = _key(typed[:_LONGEST_NAME])
        return self._hits(_NAMED, language, game, key=key)[1] if key else ()

    def _by_words(
        self, search_words: list[str], language: str, games: tuple[str, ...], between: str
    ) -> dict[str, tuple[float, tuple[Hit, ...]]]:
        most = MOST_HITS if len(games) == 1 else MOST_OF_EACH
        for tongue in (language, *(other for other in _LANGUAGES if other != language)):
            for wanted in (search_words, [shortened(word) for word in search_words]):
                query = between.join(f'"{word}"*' for word in wanted)
                hits = {game: self._hits(_FIND, tongue, game, query=query, most=most) for game in games}
                if any(of_game for _, of_game in hits.values()):
                    return {game: ranked for game, ranked in hits.items() if ranked[1]}
        return {}

    def _hits(self, sql: str, language: str, game: str, **rest: str | int) -> tuple[float, tuple[Hit, ...]]:
        places = {"language": language, "game": game, "on": _ON, "off": _OFF, **rest}
        with self._lock:
            rows = list(self._db.query(sql, places))
        hits = tuple(
            Hit(game, row["kind"], row["about"], language, *(_marked(row[f"m_{column}"]) for column in _COLUMNS))
            for row in rows
        )
        return min((row["rank"] for row in rows), default=0), hits


def _own_words(row: Mapping[str, str]) -> str:
    """Return the words of an entry in its own language: beside a term stands what the other one calls it."""
    return row["title"] if row["kind"] == "term" else f"{row['title']} {row['text']}"


def _key(name: str) -> str:
    """Write an identifier as people may type it, ``TTC-04``, ``ttc4`` or ``ttc 04``, in one way; empty: it is none."""
    match = re.fullmatch(r"([^\W\d_]{0,12})0*(\d{1,4})", re.sub(r"[\s_.–-]+", "", name).casefold())
    return "" if match is None else match[1] + match[2]


def _marked(text: str) -> Marked:
    pieces = re.split(f"({_ON}.*?{_OFF})", text, flags=re.DOTALL)
    return tuple((piece.strip(_ON + _OFF), piece.startswith(_ON)) for piece in pieces if piece)


def _rows(rulebooks: Mapping[str, Rulebook], spoken: Mapping[str, Words]) -> Iterator[dict[str, str]]:
    for game, rulebook in rulebooks.items():
        for language in _LANGUAGES:
            lines = _lines(rulebook, spoken.get(game, Words()), language)
            for row in chain(_entries(rulebook, language), lines):
                entry = dict(zip(_PARTS, row, strict=True))
                id_ = "" if entry["kind"] == "sheet" else entry["name"]
                keys = {"key": _key(id_), "short": _key(id_.partition("-")[2])}
                yield {"game": game, "language": language, **entry, **keys}


def _lines(rulebook: Rulebook, spoken: Words, language: str) -> Iterator[_Row]:
    """List the lines of the player aids: the aid and its title, what a line is about, the rest with its columns."""

    def translated(text: Text) -> str:
        return speak(text, lambda key: spoken.find(key, language) or key)

    for sheet in rulebook.sheet:
        for listing in sheet.listing:
            columns = [translated(column) for column in listing.columns[1:]]
            for line in listing.line:
                cells = [f"{column}: {translated(cell)}" for column, cell in zip(columns, line.cells[1:], strict=True)]
                more = [translated(line.more)] if line.more else []
                yield "sheet", sheet.id, translated(sheet.title), translated(line.cells[0]), " · ".join([*cells, *more])


def _entries(rulebook: Rulebook, language: str) -> Iterator[_Row]:
    chapters = {chapter.id: chapter for chapter in rulebook.chapter}
    for clause in rulebook.clause:
        yield "clause", clause.id, clause.id, getattr(chapters[clause.chapter], language), getattr(clause, language)
    for ruling in rulebook.ruling:
        yield "ruling", ruling.id, ruling.id, getattr(ruling, f"{language}_question"), getattr(ruling, language)
    for example in rulebook.example:
        yield "example", example.id, example.id, getattr(example, f"{language}_title"), getattr(example, language)
    for term in rulebook.term:
        other = next(tongue for tongue in _LANGUAGES if tongue != language)
        yield "term", term.id, "", getattr(term, language), getattr(term, other)

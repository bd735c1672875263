"""The entries of a rulebook in one language, with what belongs together and what opens a look-up from there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, TypeVar
from urllib.parse import urlencode

import msgspec

from companion.kit.game import Game, Lookup, trials
from companion.kit.questions import Throw
from companion.kit.rulebook import Clause, Example, Role, Rulebook, RulingNote, Sure, Trial
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from companion.web.language import LANGUAGES, Language
from companion.web.quick.lookups import consult, query_of
from companion.web.rules.search import folded

Pieces = tuple[tuple[str, str | None], ...]
"""A text in pieces, in order: the words, and the identifier that they open where they are one."""

E = TypeVar("E")


class Entry(msgspec.Struct, frozen=True):
    """One entry; ``title`` is a clause's chapter, a ruling's question, an example's title."""

    kind: Literal["clause", "ruling", "example"]
    id: str
    title: str
    text: Pieces
    role: Role | None = None
    sure: Sure | None = None
    options: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """One entry with all that belongs to it, and its neighbours in reading order."""

    entry: Entry
    before: str | None
    after: str | None
    chapter: str | None = None
    rulings: tuple[Entry, ...] = ()
    examples: tuple[Entry, ...] = ()
    clauses: tuple[Entry, ...] = ()


class ChapterShown(msgspec.Struct, frozen=True):
    """A chapter: its name and its clauses in order."""

    id: str
    name: str
    clauses: tuple[Entry, ...]


class TermShown(msgspec.Struct, frozen=True):
    """A term in the reader's language and in the other one."""

    id: str
    term: str
    other: str


class LocalRulebook:
    """One rulebook in one language."""

    def __init__(self, rulebook: Rulebook, language: Language) -> None:
        self.rulebook = rulebook
        self.language = language
        self._chapters = {chapter.id: self._local(chapter) for chapter in rulebook.chapter}
        known = sorted(rulebook.ids(), key=len, reverse=True)
        self._known = re.compile(rf"\b({'|'.join(map(re.escape, known))})\b")

    @property
    def credit(self) -> str | None:
        """Say whose game it is; None where the rulebook does not."""
        return self._local(self.rulebook.credit) if self.rulebook.credit else None

    def chapters(self) -> tuple[ChapterShown, ...]:
        """List the chapters with their clauses."""
        clauses: dict[str, list[Entry]] = {chapter: [] for chapter in self._chapters}
        for clause in self.rulebook.clause:
            clauses[clause.chapter].append(self.entry(clause))
        return tuple(ChapterShown(id_, name, tuple(clauses[id_])) for id_, name in self._chapters.items())

    def quoted(self, names: tuple[str, ...]) -> tuple[Entry, ...]:
        """List some entries in the order of their names; raise KeyError when there is none of a name."""
        return tuple(self.entry(self.rulebook.look_up(name)) for name in names)

    def glossary(self) -> tuple[TermShown, ...]:
        """List the terms in the order of the reader's alphabet."""
        other = "en" if self.language == "es" else "es"
        terms = (TermShown(term.id, self._local(term), getattr(term, other)) for term in self.rulebook.term)
        return tuple(sorted(terms, key=lambda term: folded(term.term)))

    def page(self, name: str) -> Page:
        """Show an entry with all that belongs to it; raise KeyError when there is none of that name."""
        source, book = self.rulebook.look_up(name), self.rulebook
        entry = self.entry(source)
        match source:
            case Clause():
                rulings = tuple(self.entry(note) for note in book.ruling if note.id == source.ruling)
                examples = tuple(self.entry(example) for example in book.example if name in example.clauses)
                return Page(entry, *_beside(book.clause, name), source.chapter, rulings, examples)
            case RulingNote():
                clauses = tuple(self.entry(clause) for clause in book.clause if clause.ruling == name)
                return Page(entry, *_beside(book.ruling, name), clauses=clauses)
            case Example():
                clauses = tuple(self.entry(clause) for clause in book.clause if clause.id in source.clauses)
                return Page(entry, *_beside(book.example, name), clauses=clauses)

    def entry(self, source: Clause | RulingNote | Example) -> Entry:
        """Show one entry by itself."""
        text = self.linked(self._local(source), source.id)
        match source:
            case Clause():
                return Entry("clause", source.id, self._chapters[source.chapter], text, source.role, source.sure)
            case RulingNote():
                return Entry("ruling", source.id, self._local(source, "_question"), text, options=source.options)
            case Example():
                return Entry("example", source.id, self._local(source, "_title"), text)

    def linked(self, text: str, itself: str = "") -> Pieces:
        """Split a text where it names an entry of this rulebook."""
        pieces = self._known.split(text)
        return tuple((piece, piece if at % 2 and piece != itself else None) for at, piece in enumerate(pieces) if piece)

    def _local(self, entry: object, suffix: str = "") -> str:
        return str(getattr(entry, self.language + suffix))


def neighbours(entries: Sequence[E], entry: E) -> tuple[E | None, E | None]:
    """Return what stands before and after an entry; None at the ends."""
    at = entries.index(entry)
    return entries[at - 1] if at else None, entries[at + 1] if at + 1 < len(entries) else None


def _beside(entries: Sequence[Clause | RulingNote | Example], name: str) -> tuple[str | None, str | None]:
    return neighbours([entry.id for entry in entries], name)


class LookupLink(msgspec.Struct, frozen=True):
    """A link into a look-up: with the facts ``filled`` in, and with the dice ``thrown`` where they are told.

    ``names`` maps language -> what tells it from the others of its entry. Of several with the same facts only the
    first is ``filled`` in, and only their throws go by their names. ``dice`` are the faces thrown, on dice of so many
    ``sides``.
    """

    lookup: str
    title: Text
    names: Mapping[str, str]
    alone: bool
    filled: str | None
    thrown: str | None
    dice: tuple[int, ...]
    sides: int


def lookup_links(game: Game[Any]) -> Mapping[str, tuple[LookupLink, ...]]:
    """List the links into look-ups of a game's rulebook, by the entry that they belong to."""
    links = {}
    for name, of_entry in groupby(trials(game), itemgetter(0)):
        listed = [(trial, facts) for _, trial, facts in of_entry]
        every = [facts for _, facts in listed]
        links[name] = tuple(
            LookupLink(
                trial.lookup,
                game.lookups[trial.lookup].title,
                {language: getattr(trial, language) for language in LANGUAGES},
                alone=every.count(facts) == 1,
                filled=urlencode(query_of(facts, {}, (), None)) if facts not in every[:at] else None,
                thrown=urlencode(query_of(facts, trial.choices, trial.dice, "type")) if trial.dice else None,
                dice=trial.dice,
                sides=_sides(game.lookups[trial.lookup], facts, trial) if trial.dice else 6,
            )
            for at, (trial, facts) in enumerate(listed)
        )
    return links


def _sides(lookup: Lookup, facts: msgspec.Struct, trial: Trial) -> int:
    """Find out how many sides the dice of a trial have, by what the look-up asks for first."""
    with suppress(Refusal):
        question = consult(lookup, facts, trial.choices, (), "ask").question
        if isinstance(question, Throw):
            return question.sides
    return 6

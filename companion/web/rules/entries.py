"""The entries of a rulebook in one language, with what belongs together, ready to be shown."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from companion.kit.rulebook import Clause, Example, Role, Rulebook, RulingNote, Sure

Language = Literal["es", "en"]
Pieces = tuple[tuple[str, str | None], ...]
"""A text in pieces, in order: the words, and the identifier that they open where they are one."""


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
    rulings: tuple[Entry, ...]
    examples: tuple[Entry, ...]
    clauses: tuple[Entry, ...]
    chapter: str | None
    before: str | None
    after: str | None


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
        self.language: Language = language
        self._chapters = {chapter.id: self._local(chapter) for chapter in rulebook.chapter}
        known = sorted(rulebook.ids(), key=len, reverse=True)
        self._known = re.compile(rf"\b({'|'.join(map(re.escape, known))})\b") if known else None

    @property
    def credit(self) -> str | None:
        """Say whose game it is; None where the rulebook does not."""
        credit = self.rulebook.credit
        return None if credit is None else self._local(credit)

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
        return tuple(sorted(terms, key=lambda term: _plain(term.term)))

    def page(self, name: str) -> Page:
        """Show an entry with all that belongs to it; raise KeyError when there is none of that name."""
        source, book = self.rulebook.look_up(name), self.rulebook
        chapter: str | None = None
        rulings: tuple[RulingNote, ...] = ()
        examples: tuple[Example, ...] = ()
        clauses: tuple[Clause, ...] = ()
        siblings: tuple[Clause | RulingNote | Example, ...]
        match source:
            case Clause():
                chapter, siblings = source.chapter, book.clause
                rulings = tuple(note for note in book.ruling if note.id == source.ruling)
                examples = tuple(example for example in book.example if name in example.clauses)
            case RulingNote():
                siblings = book.ruling
                clauses = tuple(clause for clause in book.clause if clause.ruling == name)
            case Example():
                siblings = book.example
                clauses = tuple(clause for clause in book.clause if clause.id in source.clauses)
        ids = [sibling.id for sibling in siblings]
        at = ids.index(name)
        return Page(
            self.entry(source),
            tuple(map(self.entry, rulings)),
            tuple(map(self.entry, examples)),
            tuple(map(self.entry, clauses)),
            chapter,
            ids[at - 1] if at else None,
            ids[at + 1] if at + 1 < len(ids) else None,
        )

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
        if self._known is None:
            return ((text, None),)
        pieces = self._known.split(text)
        return tuple((piece, piece if at % 2 and piece != itself else None) for at, piece in enumerate(pieces) if piece)

    def _local(self, entry: object, suffix: str = "") -> str:
        return str(getattr(entry, self.language + suffix))


def _plain(word: str) -> str:
    return word.casefold().translate(str.maketrans("áéíóúüñ", "aeiouun"))

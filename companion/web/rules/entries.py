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
    """Show one entry; ``title`` is a clause's chapter, a ruling's question, an example's title."""

    kind: Literal["clause", "ruling", "example"]
    id: str
    title: str
    text: Pieces
    role: Role | None = None
    sure: Sure | None = None
    options: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """Show one entry with all that belongs to it, and its neighbours in reading order."""

    entry: Entry
    rulings: tuple[Entry, ...]
    examples: tuple[Entry, ...]
    clauses: tuple[Entry, ...]
    chapter: str | None
    before: str | None
    after: str | None


class ChapterShown(msgspec.Struct, frozen=True):
    """Show a chapter: its name and its clauses in order."""

    id: str
    name: str
    clauses: tuple[Entry, ...]


class TermShown(msgspec.Struct, frozen=True):
    """Show a term in the reader's language and in the other one."""

    id: str
    term: str
    other: str


class Reading:
    """Read one rulebook in one language."""

    def __init__(self, rulebook: Rulebook, language: Language) -> None:
        self.rulebook = rulebook
        self.language: Language = language
        self._chapters = {chapter.id: self._said(chapter) for chapter in rulebook.chapter}
        known = sorted(rulebook.ids(), key=len, reverse=True)
        self._known = re.compile(rf"\b({'|'.join(map(re.escape, known))})\b") if known else None

    @property
    def credit(self) -> str | None:
        """Say whose game it is; None where the rulebook does not."""
        credit = self.rulebook.credit
        return None if credit is None else credit.es if self.language == "es" else credit.en

    def chapters(self) -> tuple[ChapterShown, ...]:
        """List the chapters with their clauses."""
        return tuple(
            ChapterShown(
                chapter,
                name,
                tuple(self.entry(clause) for clause in self.rulebook.clause if clause.chapter == chapter),
            )
            for chapter, name in self._chapters.items()
        )

    def rulings(self) -> tuple[Entry, ...]:
        """List the rulings on unclear points."""
        return tuple(map(self.entry, self.rulebook.ruling))

    def examples(self) -> tuple[Entry, ...]:
        """List the worked examples."""
        return tuple(map(self.entry, self.rulebook.example))

    def quoted(self, names: tuple[str, ...]) -> tuple[Entry, ...]:
        """List some entries in the order of their names; raise KeyError when there is none of a name."""
        return tuple(self.entry(self.rulebook.look_up(name)) for name in names)

    def glossary(self) -> tuple[TermShown, ...]:
        """List the terms in the order of the reader's alphabet."""
        terms = (
            TermShown(term.id, term.es, term.en) if self.language == "es" else TermShown(term.id, term.en, term.es)
            for term in self.rulebook.term
        )
        return tuple(sorted(terms, key=lambda term: _plain(term.term)))

    def page(self, name: str) -> Page:
        """Show an entry with all that belongs to it; raise KeyError when there is none of that name."""
        found = self.rulebook.look_up(name)
        book = self.rulebook
        rulings: tuple[RulingNote, ...] = ()
        examples: tuple[Example, ...] = ()
        clauses: tuple[Clause, ...] = ()
        match found:
            case Clause():
                rulings = tuple(note for note in book.ruling if note.id == found.ruling)
                examples = tuple(example for example in book.example if name in example.clauses)
            case RulingNote():
                clauses = tuple(clause for clause in book.clause if clause.ruling == name)
            case Example():
                clauses = tuple(clause for clause in book.clause if clause.id in found.clauses)
        beside = [entry.id for entry in self._beside(found)]
        at = beside.index(name)
        return Page(
            self.entry(found),
            tuple(map(self.entry, rulings)),
            tuple(map(self.entry, examples)),
            tuple(map(self.entry, clauses)),
            found.chapter if isinstance(found, Clause) else None,
            beside[at - 1] if at else None,
            beside[at + 1] if at + 1 < len(beside) else None,
        )

    def entry(self, found: Clause | RulingNote | Example) -> Entry:
        """Show one entry by itself."""
        text = self.linked(self._said(found), found.id)
        match found:
            case Clause():
                return Entry("clause", found.id, self._chapters[found.chapter], text, found.role, found.sure)
            case RulingNote():
                question = found.es_question if self.language == "es" else found.en_question
                return Entry("ruling", found.id, question, text, options=found.options)
            case Example():
                title = found.es_title if self.language == "es" else found.en_title
                return Entry("example", found.id, title, text)

    def linked(self, text: str, itself: str = "") -> Pieces:
        """Split a text where it names an entry of this rulebook."""
        if self._known is None:
            return ((text, None),)
        pieces = self._known.split(text)
        return tuple((piece, piece if at % 2 and piece != itself else None) for at, piece in enumerate(pieces) if piece)

    def _beside(self, found: Clause | RulingNote | Example) -> tuple[Clause | RulingNote | Example, ...]:
        match found:
            case Clause():
                return self.rulebook.clause
            case RulingNote():
                return self.rulebook.ruling
            case Example():
                return self.rulebook.example

    def _said(self, entry: object) -> str:
        return str(getattr(entry, self.language))


def _plain(word: str) -> str:
    return word.casefold().translate(str.maketrans("áéíóúüñ", "aeiouun"))

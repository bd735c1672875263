"""A game whose rules have another number: a copy of its folder in which a constant is another one."""

from __future__ import annotations

import importlib
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

import companion.games
from companion.kit.forms import declared
from companion.kit.text import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    import pytest

    from companion.kit.game import Game

GAMES = Path(companion.games.__file__).parent


def altered(slug: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *changes: tuple[str, str, str]) -> Game[Any]:
    """Load a copy of a game in which lines are others: ``(module, what it says, what it says instead)``."""
    package = f"altered_{slug}"
    shutil.copytree(GAMES / slug, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / package).glob("*.py"):
        source = path.read_text(encoding="utf-8").replace(f"companion.games.{slug}", package)
        path.write_text(source, encoding="utf-8")
    for module, now, then in changes:
        path = folder / package / f"{module}.py"
        source = path.read_text(encoding="utf-8")
        assert source.count(now) == 1, (module, now)
        path.write_text(source.replace(now, then), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        del sys.modules[name]
    game: Game[Any] = importlib.import_module(f"{package}.game").GAME
    return game


def changed(game: Game[Any], other: Game[Any], *, sheets: bool = True) -> dict[str, str]:
    """Map what one game says otherwise than another to what that says: words, rulebook, sheets and options."""
    return {now: then for now, then in zip(_strings(game, sheets), _strings(other, sheets), strict=True) if now != then}


def _strings(game: Game[Any], sheets: bool) -> Iterator[str]:
    for english, words in game.words.sentences.items():
        yield english
        yield words["es"]
    yield game.summary.say
    book = to_builtins(game.rulebook)
    yield from _within(book if sheets else {part: book[part] for part in book if part not in {"sheet", "aid"}})
    for kind in (game.options, *(lookup.facts for lookup in game.lookups.values())):
        for field in declared(kind):
            yield field.hint.say if field.hint else ""


def _within(raw: Any) -> Iterator[str]:
    match raw:
        case str():
            yield raw
        case dict():
            for value in raw.values():
                yield from _within(value)
        case list() | tuple():
            for value in raw:
                yield from _within(value)


def clauses_changed(game: Game[Any], other: Game[Any]) -> set[str]:
    """Name the clauses that say something else in both languages."""
    pairs = zip(game.rulebook.clause, other.rulebook.clause, strict=True)
    return {one.id for one, two in pairs if one.en != two.en and one.es != two.es}


def check_said(
    game: Game[Any],
    other: Game[Any],
    change: tuple[str, str],
    said: tuple[AbstractSet[str], AbstractSet[str]],
    *,
    sheets: bool = True,
) -> None:
    """Check that what another game says otherwise is a number: in some sentences, in both languages, and some clauses.

    ``change`` is a line of the rules now and then, with that number at its end, ``said`` the sentences and clauses. A
    cell of a table may be the number alone. The ``sheets`` are left out where they have other rows then.
    """
    now, then = (int(re.findall(r"\d+", line)[-1]) for line in change)
    sentences, clauses = said
    others = changed(game, other, sheets=sheets)
    assert game.words.sentences.keys() & others.keys() - {str(now)} == sentences
    assert clauses_changed(game, other) == clauses
    for sentence in sentences:
        assert other.words.find(others[sentence], "es") == others[game.words.sentences[sentence]["es"]]
    for old, new in others.items():
        assert re.fullmatch(_either(old, now, then), new), (old, new)


def _either(text: str, now: int, then: int) -> str:
    either = {str(now): str(then)}
    for words in WRITTEN.values():
        written = dict(enumerate(words, start=2))
        if now in written:
            either[written[now]] = written.get(then, str(then))

    def both(found: re.Match[str]) -> str:
        word = either[found[0].lower()]
        return f"({found[0]}|{word.capitalize() if found[0][0].isupper() else word})"

    return re.sub(rf"(?<!\w)({'|'.join(either)})(?!\w)", both, re.escape(text), flags=re.IGNORECASE)

"""Watch what a game says: Spanish for every text, its places filled, every clause known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.kit.game import SCREEN
from companion.kit.questions import Choose, Together
from companion.kit.ruling import Reason
from companion.kit.text import Text, speak
from tests.support.catalogue import committed

PLACE = re.compile(r"{(\w+)}")
PLAIN = {str, int, bool, type(None)}
"""Most parts of a value, and none of them says anything."""


def walk(value: Any) -> Iterator[Text | Reason | str]:
    """Every text and reason in a value, from the first to the last."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        parts: Iterable[Any] = ()
        if isinstance(one, Text):
            yield one
            parts = one.places.values()
        elif isinstance(one, msgspec.Struct):
            if isinstance(one, Reason):
                yield one
            parts = msgspec.structs.astuple(one)
        elif isinstance(one, tuple | list):
            parts = one
        elif isinstance(one, dict):
            parts = one.values()
        waiting += [part for part in reversed(tuple(parts)) if part.__class__ not in PLAIN]


KIT: dict[str, str] = {
    str(message.id): str(message.string)
    for message in committed()
    if any(path.startswith("companion/kit/") for path, _ in message.locations)
}
"""The sentences that all games share, in Spanish."""


def worded(game: Any, key: str, language: str) -> str | None:
    """The words for a key as a page finds them: the game's own, or those that all games share."""
    found: str | None = game.words.find(key, language)
    return found if found is not None or key not in KIT else key if language == "en" else KIT[key]


def read(game: Any, text: Text, language: str) -> str:
    """A text as it is read in the words of a game."""
    return speak(text, lambda key: worded(game, key, language) or key)


def twice(words: Iterable[str]) -> list[str]:
    """Words that stand more than once."""
    found = list(words)
    return sorted({one for one in found if found.count(one) > 1})


class Watch:
    """What has been said, checked once each: Spanish for every text, its places filled, every clause known."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.known = game.rulebook.ids()
        self.said: set[tuple[str, tuple[str, ...]]] = set()

    def texts(self, value: Any) -> None:
        self.answers(value)
        for found in walk(value):
            if isinstance(found, Reason):
                summed = (found, *found.terms) if found.terms else ()
                assert all(one.value is not None for one in summed), f"{found.text.say}: what is no number is no result"
                total = sum(one.value or 0 for one in found.terms)
                assert not found.terms or total == found.value, f"{found.text.say}: {total} is not {found.value}"
                assert found.clause is None or found.clause in self.known, f"{found.clause} is no clause"
                assert found.seat is None or not found.faces, "dice are thrown before everybody's eyes"
            elif isinstance(found, Text) and (key := (found.say, tuple(found.places))) not in self.said:
                self.said.add(key)
                self.sentence(found)

    def sentence(self, text: Text) -> None:
        if not any(map(str.isalpha, text.say)):
            return  # a number is the same in every language
        for language in ("en", "es"):
            words = worded(self.game, text.say, language)
            assert words is not None, f"{text.say!r} has no words in {language}"
            assert set(PLACE.findall(words)) <= set(text.places), f"{words!r} has places that are not filled"
        assert not PLACE.search(read(self.game, text, "es"))

    def progress(self, state: Any) -> None:
        """What an action has come to by now can be shown and stored, as what it comes to in the end can."""
        if state is not None:
            assert msgspec.json.decode(msgspec.json.encode(state), type=self.game.state) == state
            self.texts(self.game.view(state, SCREEN))

    def answers(self, asked: Any) -> None:
        """No two answers to a question say the same."""
        for part in asked.questions.values() if isinstance(asked, Together) else (asked,):
            for language in ("en", "es") if isinstance(part, Choose) else ():
                again = twice(read(self.game, option.label, language) for option in part.options)
                assert not again, f"{part.key}, {language}: {again}"

    def clause(self, clause: str | None) -> None:
        assert clause is None or clause in self.known, f"{clause} is no clause"

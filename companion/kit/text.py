"""Sentences as data: said in English in the code, spoken in the reader's language on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_QUOTED = 40


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """An English sentence with ``{named}`` places, and what stands in them.

    The sentence (or, for a name, its identifier) is the key of its translations. ``one die|{count} dice`` is
    a sentence with a singular and a plural, chosen by the place ``count``.
    """

    say: str
    places: Mapping[str, Text | str | int] = {}


def say(sentence: str, /, **places: Text | str | int) -> Text:
    """Make a text out of an English sentence and what stands in its places."""
    return Text(sentence, places)


def listed(parts: Sequence[Text], nothing: Text) -> Text:
    """Say several things in a row; ``nothing`` where there are none. A game says ``{one}, {two}`` in its languages."""
    if not parts:
        return nothing
    return reduce(lambda said, part: say("{one}, {two}", one=said, two=part), parts)


def tidied(sent: str) -> str:
    """Take line ends, doubled blanks and what can not be seen out of typed words."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in sent).split())


def quoted(written: object) -> str:
    """Return what was written as a sentence can show it: printable, and not all of it where it is long."""
    plain = "".join(letter for letter in str(written)[: 2 * LONGEST_QUOTED] if letter.isprintable()).strip()
    return plain if len(plain) <= LONGEST_QUOTED else f"{plain[: LONGEST_QUOTED - 1]}…"


def did_you_mean(what: Text, written: str, known: Iterable[str]) -> Text:
    """Add the word that was meant, where what was written is a slip of it."""
    meant = get_close_matches(written[:LONGEST_QUOTED].lower(), list(known), n=1)
    return say("{what} Did you mean “{word}”?", what=what, word=meant[0]) if meant else what


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game's words: ``names`` are identifiers in every language, ``sentences`` English to other languages.

    ``names`` maps identifier -> language -> word; ``sentences`` maps English sentence -> language -> sentence.
    ``shared`` are the words of several games: those that this one has of its own come first.
    """

    names: Mapping[str, Mapping[str, str]] = {}
    sentences: Mapping[str, Mapping[str, str]] = {}
    shared: Words | None = None

    def find(self, key: str, language: str) -> str | None:
        """Look up the words for a key in a language (``es``, ``en``); None when this game has none."""
        if key in self.names:
            return self.names[key].get(language)
        if key in self.sentences:
            return key if language == "en" else self.sentences[key].get(language)
        return self.shared.find(key, language) if self.shared else None


def speak(text: Text, translate: Callable[[str], str]) -> str:
    """Speak a text: translate the sentence and everything in its places, and fill the places in."""
    spoken: dict[str, Any] = {
        name: speak(place, translate) if isinstance(place, Text) else place for name, place in text.places.items()
    }
    sentence = translate(text.say)
    if "|" in sentence:
        singular, plural = sentence.split("|", 1)
        sentence = singular if spoken.get("count") == 1 else plural
    return sentence.format_map(spoken) if spoken else sentence

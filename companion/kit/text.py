"""Sentences as data: said in English in the code, spoken in the reader's language on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from typing import Any, Protocol

import msgspec

LONGEST_QUOTED = 40
SMALL = "^"
"""What begins, in a file of words, with a capital only where it begins a sentence: ``^blancas``, ``^empieza``."""
_SMALL = "\x02"
"""The same while a sentence is put together: nobody can type it."""
_BEGINS = re.compile(rf"(^|[.!?] |[¿¡]){_SMALL}(.)")
NUMBER = re.compile(r"\[(\+?)([a-z_]+)( [Ww]ritten)?(?:\|([^][|]+)\|([^][|]+))?\]")
"""Where a rule's number is said: ``[reach]``, ``[+save]`` with its sign, ``[reach|square|squares]`` with a noun.

``[reach written]`` is in words, where there are any, and ``[reach Written]`` begins a sentence.
"""
WRITTEN = {
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "es": ("dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"),
}
"""Numbers in words, from 2: a 1 would have to agree with what is counted."""


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


def numbered(sentence: str, /, **said: Text | str | int) -> Text:
    """Make a text out of a sentence that says numbers of rules, in brackets, beside what stands in its places.

    ``numbered("{unit} heals within [reach|square|squares]", reach=2, unit=name)``. The numbers become part of the
    sentence, so that a log keeps those that held when it was written. Raises KeyError where one is not given.
    """
    names = numbers_of(sentence)
    numbers = {name: number for name in names if isinstance(number := said[name], int)}
    return Text(fill_in(sentence, numbers), {name: place for name, place in said.items() if name not in names})


def numbers_of(sentence: str) -> frozenset[str]:
    """Name the numbers of rules that a sentence has a place for."""
    return frozenset(found[2] for found in NUMBER.finditer(sentence))


def fill_in(sentence: str, numbers: Mapping[str, int], language: str = "en") -> str:
    """Fill the numbers of rules into a sentence; brackets with another name in them stay as they are."""

    def filled(found: re.Match[str]) -> str:
        sign, name, in_words, one, many = found.groups()
        if (number := numbers.get(name)) is None:
            return found[0]
        said = with_sign(number) if sign else str(number)
        if in_words and 2 <= number < 2 + len(WRITTEN[language]):
            said = WRITTEN[language][number - 2]
            said = said.capitalize() if in_words == " Written" else said
        return f"{said} {one if number == 1 else many}" if one else said

    return NUMBER.sub(filled, sentence)


def with_sign(number: int) -> str:
    """Write a number with its sign, as it is added to something."""
    sign = "+" if number > 0 else "−" if number < 0 else ""
    return f"{sign}{abs(number)}"


def listed(parts: Sequence[Text], nothing: Text) -> Text:
    """Say several things in a row; ``nothing`` where there are none. A game says ``{one}, {two}`` in its languages."""
    if not parts:
        return nothing
    return reduce(lambda said, part: say("{one}, {two}", one=said, two=part), parts)


def parts(said: Text) -> tuple[Text, ...]:
    """Return the several things that were said in a row (``listed``), one by one."""
    one, two = said.places.get("one"), said.places.get("two")
    if said.say == "{one}, {two}" and isinstance(one, Text) and isinstance(two, Text):
        return (*parts(one), *parts(two))
    return (said,)


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


class Speak(Protocol):
    """What speaks texts in one language: as a sentence of its own, or ``within`` one."""

    def __call__(self, text: Text, *, within: bool = False) -> str:
        """Speak a text."""


def speak(text: Text, translate: Callable[[str], str], *, within: bool = False) -> str:
    """Speak a text: translate the sentence and everything in its places, and fill the places in.

    What is said ``within`` a sentence of somebody else does not begin it.
    """
    said = _put_together(text, translate)
    if _SMALL not in said:
        return said
    said = said.removeprefix(_SMALL) if within else said
    return _BEGINS.sub(lambda found: found[1] + found[2].upper(), said).replace(_SMALL, "")


def _put_together(text: Text, translate: Callable[[str], str]) -> str:
    spoken: dict[str, Any] = {
        name: _put_together(place, translate) if isinstance(place, Text) else place
        for name, place in text.places.items()
    }
    sentence = translate(text.say)
    if sentence.startswith(SMALL):
        sentence = _SMALL + sentence[1:]
    if "|" in sentence:
        singular, plural = sentence.split("|", 1)
        sentence = singular if spoken.get("count") == 1 else plural
    return sentence.format_map(spoken) if spoken else sentence


def mentions(words: str, name: str) -> bool:
    """Tell whether a name stands in some words, as a word of its own."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words, re.IGNORECASE) is not None

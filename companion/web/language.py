"""The words of the pages: the reader's language, gettext for the pages and the table, each game's own words first."""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

import msgspec
from flask import Flask, g, has_request_context, request
from markupsafe import Markup, escape

from companion.kit.game import Game
from companion.kit.text import Speak, Text, speak
from companion.web.page_variables import of_page
from companion.web.state import AppState, app_state

Language = Literal["en", "es"]

LANGUAGES: tuple[Language, ...] = get_args(Language)
NAMES = {"en": "English", "es": "Español"}
COOKIE = "lang"

_set_language: ContextVar[Language | None] = ContextVar("language", default=None)


def language() -> Language:
    """Tell the language being spoken: set with ``speaking``, else chosen by the reader, else by the browser."""
    chosen = _set_language.get()
    if chosen is not None:
        return chosen
    if not has_request_context():
        return "en"
    if "language" not in g:
        g.language = _requested_language()
    return cast("Language", g.language)


def _requested_language() -> Language:
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return wish
    return cast("Language", request.accept_languages.best_match(LANGUAGES) or "en")


@contextmanager
def speaking(code: Language) -> Iterator[None]:
    """Speak a language inside the block, whoever asked."""
    token = _set_language.set(code)
    try:
        yield
    finally:
        _set_language.reset(token)


@cache
def _catalogue(code: Language) -> catalogues.NullTranslations:
    if code == "en":
        return catalogues.NullTranslations()
    folder = files("companion.web") / "locale" / code / "LC_MESSAGES"
    with (folder / "messages.mo").open("rb") as compiled:
        return catalogues.GNUTranslations(compiled)


def gettext(message: str) -> str:
    """Translate a sentence of the pages or the table; the empty sentence stays empty."""
    return _catalogue(language()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a sentence with a count."""
    return _catalogue(language()).ngettext(singular, plural, count)


def speaker(game: str | None = None, code: str | None = None) -> Speak:
    """Return what speaks texts: the words of the game (its slug) first, then those of the pages and the table."""
    return _cached_speaker(app_state(), game, code or language())


def _cached_speaker(state: AppState, game: str | None, code: str) -> Speak:
    speak = state.speakers.get((game, code))
    if speak is None:
        known = (game if game in state.games else None, code if code in LANGUAGES else language())
        speak = state.speakers[known] = _speaker(state, *known)
    return speak


def _speaker(state: AppState, game: str | None, code: Language) -> Speak:
    catalogue, words = _catalogue(code), state.games[game].words if game is not None else None

    def translate(sentence: str) -> str:
        translated = words.find(sentence, code) if words else None
        return translated if translated is not None else catalogue.gettext(sentence) if sentence else ""

    def spoken(text: Text, *, within: bool = False) -> str:
        return speak(text, translate, within=within)

    return spoken


@cache
def _markup(message: str, code: Language) -> Markup:
    return escape(_catalogue(code).gettext(message))


def translate_markup(message: str, /, **places: object) -> Markup:
    """Say a sentence of a template: what stands in its ``%(named)s`` places is escaped."""
    sentence = _markup(message, language())
    return sentence % places if places else sentence


def install(app: Flask, state: AppState) -> None:
    """Give the templates their words: ``_``, ``ngettext``, and the filter ``say`` for texts."""

    def say(text: Text, game: Game[Any] | None = None, *, within: bool = False) -> str:
        """Speak a text in the words of a game: the one given, else the page's ``game``.

        What stands in a place of a page's sentence, elsewhere than at its beginning, is said ``within`` it.
        """
        about = game if game is not None else of_page("game")
        # A page speaks hundreds of texts: to look the state up for each would take a tenth longer.
        return _cached_speaker(state, about.slug if about is not None else None, language())(text, within=within)

    env = app.jinja_env
    env.filters["say"] = say
    env.add_extension("jinja2.ext.i18n")
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.globals["_"] = translate_markup


_PLAIN = frozenset({str, int, bool, float, type(None)})


def json_values(value: Any, speak: Speak) -> Any:
    """Turn a value into plain JSON values: texts spoken, fractions exact (``1/3``), tagged structs tagged."""
    if type(value) in _PLAIN:
        return value
    match value:
        case Text():
            return speak(value)
        case msgspec.Struct():
            names, tag = _shape(type(value))
            return tag | {name: json_values(getattr(value, name), speak) for name in names}
        case tuple() | list():
            return [json_values(part, speak) for part in value]
        case set() | frozenset():
            return sorted((json_values(part, speak) for part in value), key=repr)
        case Fraction():
            return str(value)
        case Mapping():
            return {str(name): json_values(part, speak) for name, part in value.items()}
        case Enum():
            return json_values(value.value, speak)
        case _:
            return value


@cache
def _shape(kind: type[msgspec.Struct]) -> tuple[tuple[str, ...], dict[str, Any]]:
    config = kind.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return kind.__struct_fields__, tag

"""How the product speaks: one word for one thing, in every sentence of both languages."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.kit.rulebook import NO_NUMBERS, RETIRED
from companion.kit.text import fill_in
from tests.games.test_game_words import literals, phrases, said
from tests.support.catalogue import committed
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# What is said instead stands behind each. Spells are cast (se lanzan), rocks are hurled: dice are rolled.
NOT_IN_ENGLISH = {
    r"\b(throw(s|n|ing)?|threw)\b": "roll",
    r"\b(take|takes|taken|taking|took) (it |that |this )?back\b": "undo",
    r"\breports?\b": "game log",
    r"^Set the table": "Create the table",
    r"\basks for (a|the) seat|\bsomebody asks": "A new phone wants",
    r"kh1$": "Advantage",
    r"\bleave out the lowest": "Drop the lowest",
    r"\bones again": "Reroll 1s",
    r"^At once, for": "Ready-made, for any game",
    r"\bwhat came up$": "Use this roll",
    r"\bwhen you are content": "Continue when ready",
    r"\buntil I am needed": "Call me on my turn",
    r"\beverybody may act": "Anyone can act",
    r"\bcan not\b": "cannot",
}
NOT_IN_SPANISH = {
    r"^(?!.*(hechizo|mago|zap)).*(\blanz\w+\b[^.:;]*\bdados?\b|\bdados?\b[^.:;]*\blanz\w+)": "tirar",
    r"\blanzamientos?\b|^lanzar$|\b(no|ya) se lanzan\b|\bNunca lanza\b": "tirada, repetición",
    r"\b(un|el|este|ese|tu|mi|ningún|otro|los|qué|al|del) puestos?\b|^puestos?\b": "asiento",
    r"\bteléfonos?\b": "móvil",
    r"\bcrónicas?\b": "registro",
    r"\bponer la mesa\b": "crear la mesa",
    r"\bquitar los más bajos\b": "quitar el más bajo",
    r"\bal momento, para\b": "Listo para cualquier juego",
    r"\blo que ha salido$": "Usar esta tirada",
    r"\bcuando te parezca bien\b": "Continúa cuando quieras",
    r"\bhasta que me toque\b": "Avísame cuando me toque",
    r"\btodos pueden actuar\b": "cualquiera puede actuar",
    r"\baumenta(miento|ción)\b": "ampliación",
    r"(?-i:\b(Blanco|Negro)s?\b)": "blancas, negras: the sides of a chess set",
    r"^[^¿]*\?": "¿",
    r"^[^¡]*!": "¡",
}
NOTATION = re.compile(r"\d*d\d+!\S*")
"""Dice that explode are written with a mark."""
GAMES = discover()
LONG = 12
"""Letters of a sentence that can be nothing else, such as a name or the key of a chart."""


def written(language: str) -> Iterator[tuple[str, str]]:
    """Yield every sentence that the product says in a language today, with where it stands."""
    for message in committed():
        if not message.id:
            continue
        said = message.id if language == "en" else message.string
        yield from (("the pages", one) for one in (said if isinstance(said, tuple | list) else (said,)))
    for path in sorted((ROOT / "companion").rglob("data/*.toml")):
        if path.name != RETIRED:
            named = path.relative_to(ROOT / "companion").as_posix()
            yield from ((named, said) for said in texts(tomllib.loads(path.read_text("utf-8")), language))


def texts(part: Any, language: str, key: str = "") -> Iterator[str]:
    """Yield what a file of words, rules or cards says: ``en`` and ``es`` and what begins so, and whole sentences."""
    if isinstance(part, dict):
        for name, one in part.items():
            if key == "sentences":
                yield name if language == "en" else one
            else:
                yield from texts(one, language, name)
    elif isinstance(part, list):
        for one in part:
            yield from texts(one, language, key)
    elif isinstance(part, str) and re.match(rf"{language}(_|$)", key):
        yield part


@pytest.mark.parametrize(("language", "words"), [("en", NOT_IN_ENGLISH), ("es", NOT_IN_SPANISH)])
def test_one_word_means_one_thing(language: str, words: dict[str, str]) -> None:
    said = list(written(language))
    assert len(said) > 4000
    wrong = [
        f"{where}: {one!r}: rather {better!r}"
        for where, one in said
        for pattern, better in words.items()
        if re.search(pattern, NOTATION.sub("", one), re.IGNORECASE)
    ]
    assert wrong == []


def test_what_is_retired_is_said_no_more() -> None:
    """What the words' own tests read are the sentences that have words today: an old one still has its Spanish."""
    now = {one for _, one in written("en")}
    files = (tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "companion").rglob(f"data/{RETIRED}"))
    retired = {one for file in files for one in file.get("sentences", {}) if len(one) > LONG} - now
    assert len(retired) > 50
    said = {
        node.value
        for path in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert said & retired == set()


CALLED = re.compile(r"<(h[1-4]|button|summary|legend)\b.*?</\1>|<a class=\"[^\"]*\bbutton\b.*?</a>", re.DOTALL)
"""Headings and buttons of the pages, with all that stands in them."""
WORDED = re.compile(r"\b(?:_|ngettext)\((\s*\"[^\"]*\"(?:,\s*\"[^\"]*\")?)")
STOPPED = re.compile(r"(?<!\.)\.$")
TITLES = {
    **dict.fromkeys(("offer", "Chart", "WhoseTurn"), 0),
    **dict.fromkeys(("Option", "Field", "Start", "menu", "Throw", "Choose"), 1),
    **dict.fromkeys(("throw", "choose", "choose_foretold", "draw"), 3),
    "together": 2,
}
"""What stands on a button or as a heading: the argument of what makes it. A question heads what it asks for."""
AT_LEISURE = {
    "options.py": "what a table option means is read before the game",
    "game.py": "what a game is like is read where games are chosen",
}
SHORT = 120
"""Letters that are read at a glance, in play, beside a board and other people."""


def drawn_as_titles(source: str) -> Iterator[str]:
    """Yield the sentences of a module that are drawn as headings or on buttons, also by way of a name."""
    for scope in ast.walk(ast.parse(source)):
        if not isinstance(scope, ast.FunctionDef | ast.Module):
            continue
        named: dict[str, list[ast.expr]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(scope):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                at = TITLES.get(called, len(node.args))
                parts = node.args[at : at + 1]
                parts += [one.value for one in node.keywords if one.arg in {"title", "label"}]
                for part in parts:
                    yield from (words for one in named.get(getattr(part, "id", ""), [part]) for words in said_by(one))


def said_by(part: ast.expr) -> Iterator[str]:
    """Yield what an expression says, whichever way it goes."""
    match part:
        case ast.Call(func=ast.Name(id="say" | "numbered" | "Text"), args=[first, *_]):
            yield from literals(first)
        case ast.IfExp(body=one, orelse=other):
            yield from (*said_by(one), *said_by(other))
        case ast.Constant():
            yield from literals(part)


@cache
def of_the_pages() -> dict[str, str]:
    """Read what the pages and the table say, with the Spanish; the plural stands behind its singular."""
    found: dict[str, str] = {}
    for message in committed():
        english, spanish = (one if isinstance(one, tuple | list) else (one,) for one in (message.id, message.string))
        found |= dict.fromkeys(english, "|".join(spanish))
    return found


def numbers_in(path: Path) -> Mapping[str, int]:
    """Read the numbers of the rules that a module may say."""
    slug = game_of(path)
    return GAMES[slug].numbers if slug else NO_NUMBERS


def both(sentence: str, path: Path) -> tuple[str, ...]:
    """Say a sentence of a module as it is read in English and in Spanish, singular and plural."""
    slug = game_of(path)
    spanish = GAMES[slug].words.find(sentence, "es") if slug else of_the_pages().get(sentence)
    return (*sentence.split("|"), *(spanish or "").split("|"))


def game_of(path: Path) -> str | None:
    """Name the game that a module belongs to; None where it is of the kit, the table or the pages."""
    parts = path.relative_to(ROOT / "companion").parts
    return parts[1] if parts[0] == "games" and len(parts) == 3 else None


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / "companion" / folder).rglob("*.py"))


def test_no_heading_and_no_button_of_a_page_ends_in_a_full_stop() -> None:
    drawn = [
        (path.name, one)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for called in CALLED.finditer(path.read_text("utf-8"))
        for worded in WORDED.findall(called[0])
        for one in re.findall(r'"([^"]*)"', worded)
    ]
    assert len(drawn) > 150
    spoken = [(where, words) for where, one in drawn for words in (one, *of_the_pages().get(one, "").split("|"))]
    assert [found for found in spoken if STOPPED.search(found[1])] == []


def test_no_question_and_no_choice_ends_in_a_full_stop() -> None:
    drawn = [(path, one) for path in modules("") for one in drawn_as_titles(path.read_text("utf-8"))]
    assert len(drawn) > 1000
    assert [(path.name, one) for path, one in drawn if any(map(STOPPED.search, both(one, path)))] == []


def test_what_is_read_in_play_is_short() -> None:
    """Counted in both languages, with the numbers of the rules filled in."""
    spoken = [
        (path, words)
        for path in modules("kit", "table", "games")
        if path.name not in AT_LEISURE
        for source in [path.read_text("utf-8")]
        for numbers in [numbers_in(path)]
        for words in sorted(said(source, numbers) | {fill_in(one, numbers) for one in phrases(source)})
    ]
    assert len(spoken) > 3000
    assert [(path.name, one) for path, words in spoken for one in both(words, path) if len(one) > SHORT] == []


def test_a_stop_on_a_button_is_found_also_by_way_of_a_name() -> None:
    source = """
def offered(ask, holds):
    label = say("One.") if holds else say("Two")
    why, note = say("Three."), say("Four.")
    question = say("Five?")
    ask.choose(seat, (Option("a", label, note=note), Option("b", say("Six."))), "key", question)
"""
    assert set(drawn_as_titles(source)) == {"One.", "Two", "Five?", "Six."}

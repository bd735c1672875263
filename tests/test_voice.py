"""How the product speaks: one word for one thing, in every sentence of both languages."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from companion.kit.rulebook import RETIRED
from tests.support.catalogue import committed
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    r"^[^¿]*\?": "¿",
    r"^[^¡]*!": "¡",
}
NOTATION = re.compile(r"\d*d\d+!\S*")
"""Dice that explode are written with a mark."""
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

"""The words of every game: each sentence that its code says has its Spanish, with the same places in it."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from companion.games import discover
from companion.kit.rulebook import RETIRED
from companion.web.forms import fields

GAMES = Path(__file__).parent.parent / "companion" / "games"
SAYING = {"say", "Text"}
TITLED = {"Meta", "_ticked"}
PLAIN = re.compile(r"[a-p]?\d+")
"""A number or a square, the same in every language."""


def literals(node: ast.expr) -> list[str]:
    """List the words that an expression may be: both sides of a condition, every value of a dictionary."""
    match node:
        case ast.Constant(value=str(words)):
            return [words]
        case ast.IfExp(body=one, orelse=other):
            return literals(one) + literals(other)
        case ast.Dict(values=values):
            return [words for value in values for words in literals(value)]
        case _:
            return []


def said(source: str) -> set[str]:
    """List the sentences that a module says: in texts, in titles and labels of facts and options."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id in SAYING and node.args:
            found += literals(node.args[0])
        if node.func.id in TITLED:
            found += [words for part in node.args for words in literals(part)]
            found += [
                words
                for keyword in node.keywords
                if keyword.arg in {"title", "description", "extra"}
                for words in literals(keyword.value)
            ]
    return {words for words in found if words}


def modules(slug: str) -> list[Path]:
    return sorted((GAMES / slug).glob("*.py"))


SLUGS = sorted(slug for slug in discover() if modules(slug))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_sentence_of_a_game_is_said_in_spanish(slug: str) -> None:
    words = discover()[slug].words
    missing = {
        (module.name, sentence)
        for module in modules(slug)
        for sentence in said(module.read_text(encoding="utf-8"))
        if words.find(sentence, "es") is None
    }
    assert missing == set()


@pytest.mark.parametrize("path", sorted(GAMES.glob(f"*/data/{RETIRED}")), ids=lambda path: path.parts[-3])
def test_what_is_retired_is_said_by_nobody(path: Path) -> None:
    retired = tomllib.loads(path.read_text(encoding="utf-8"))["sentences"]
    slug = path.parts[-3]
    assert retired
    assert (
        retired.keys() & {one for module in modules(slug) for one in said(module.read_text(encoding="utf-8"))} == set()
    )
    assert (
        retired.keys() & tomllib.loads((path.parent / "words.toml").read_text(encoding="utf-8"))["sentences"].keys()
        == set()
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_every_field_of_an_option_or_a_lookup_is_named_in_spanish(slug: str) -> None:
    game = discover()[slug]
    for kind in (game.options, *(lookup.facts for lookup in game.lookups.values())):
        for field in fields(kind):
            texts = [field.label, *(option.label for option in field.options), *((field.hint,) if field.hint else ())]
            unknown = [text.say for text in texts if game.words.find(text.say, "es") is None]
            assert [word for word in unknown if not PLAIN.fullmatch(word)] == [], (kind.__name__, field.name)


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sentence_has_the_same_places_in_spanish(slug: str) -> None:
    for english, spanish in discover()[slug].words.sentences.items():
        assert places(spanish["es"]) == places(english), english
        assert ("|" in spanish["es"]) == ("|" in english), english


@pytest.mark.parametrize("slug", SLUGS)
def test_a_name_is_a_word_in_both_languages(slug: str) -> None:
    for name, words in discover()[slug].words.names.items():
        assert set(words) == {"en", "es"}, name
        assert all(words.values()), name


def test_the_sentences_of_a_module_are_found() -> None:
    source = """
say("one" if holds else "two")
Text("three", places)
Meta(title="four", extra={"labels": {"x": "five"}}, ge=1)
other("six")
"""
    assert said(source) == {"one", "two", "three", "four", "five"}


ENGLISH_VERB = re.compile(r"(?<!of )\{(?:unit|enemy|army|mage)\} (?:is|are|was|were|has|have|do|does|needs?|\w+s)\b")
SPANISH_VERB = re.compile(
    r"(?<!de )\{(?:unit|enemy|army|mage)\}:? (?:no )?(?:se )?(?:es|está|ha|tiene|puede|mueve|vuelve|entra|"
    r"sale|carga (?!contra)|dispara|lanza|acierta|falla|"
    r"ataca|vuela|cae|cura|queda|salva|levanta|necesita|atreve|sigue|deshace|va|llega)\b"
)
BRAVE = re.compile(r"\{(?:spells?|what)\}\.")


@pytest.mark.parametrize("slug", ["chesswar"])
def test_what_is_one_or_many_is_followed_by_no_verb_that_would_have_to_agree(slug: str) -> None:
    """Elite archers are many in their name and one on the board: neither "shoots" nor "shoot" would be right."""
    clashes = [
        sentence
        for english, spoken in discover()[slug].words.sentences.items()
        for sentence, verb in ((english, ENGLISH_VERB), (spoken["es"], SPANISH_VERB))
        if verb.search(sentence)
    ]
    assert clashes == []


@pytest.mark.parametrize("slug", ["chesswar"])
def test_a_name_that_ends_in_an_exclamation_mark_is_followed_by_no_full_stop(slug: str) -> None:
    sentences = discover()[slug].words.sentences
    assert [s for english, spoken in sentences.items() for s in (english, spoken["es"]) if BRAVE.search(s)] == []

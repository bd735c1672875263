"""The words of every game: each sentence that its code says has its Spanish in one place, with all that it names."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins

from companion.games import discover
from companion.kit.rulebook import NO_NUMBERS, RETIRED, WORDS, shared_words
from companion.kit.text import fill_in, numbers_of
from companion.web.forms import fields
from tests.support.catalogue import committed
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.kit.text import Words

KIT = ROOT / "companion" / "kit"
GAMES = KIT.parent / "games"
SAYING = {"say", "Text"}
NUMBERED = "numbered"
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


def phrases(source: str) -> set[str]:
    """List what a module writes that must be a sentence, wherever it stands: with a place, or a capital and a blank."""
    nodes = list(ast.walk(ast.parse(source)))
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    parts |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    written = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    }
    return {words for words in written if re.fullmatch(r"(?=.*[a-z]{2}).*\{[a-z].*|[A-Z].* .*[a-z]{2}.*", words)}


def templates(source: str) -> dict[str, set[str]]:
    """List the sentences of a module that say numbers of rules, as they are written, and what each is given."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return {
        words: {keyword.arg for keyword in call.keywords if keyword.arg}
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == NUMBERED
        for words in literals(call.args[0])
    }


def said(source: str, numbers: Mapping[str, int] = NO_NUMBERS) -> set[str]:
    """List the sentences that a module says: in texts, in titles and labels of facts and options."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id in SAYING and node.args:
            found += literals(node.args[0])
        if node.func.id == NUMBERED:
            found += [fill_in(words, numbers) for words in literals(node.args[0])]
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
ALL = [*SLUGS, "kit"]


def words_of(name: str) -> Words:
    return shared_words() if name == "kit" else discover()[name].words


def entries(folder: Path) -> dict[tuple[str, str], Any]:
    """List what a folder's file has words for: kind and key, and its words."""
    written = tomllib.loads((folder / "data" / WORDS).read_text(encoding="utf-8"))
    return {(kind, key): words for kind, part in written.items() for key, words in part.items()}


MEANT_ANEW = {"companion", "distance", "kind", "none", "path", "real", "table", "to"}
"""What options and the parts of actions are called: the next game means something else by it, and has to say what."""


def twice(shared: dict[tuple[str, str], Any], games: list[dict[tuple[str, str], Any]]) -> set[str]:
    """List what stands in two places with the same words."""
    counted = Counter((key, repr(words)) for file in (shared, *games) for (_, key), words in file.items())
    return {key for (key, _), count in counted.items() if count > 1} - MEANT_ANEW


def test_what_several_games_say_alike_is_translated_in_one_place() -> None:
    assert twice(entries(KIT), [entries(GAMES / slug) for slug in SLUGS]) == set()
    assert {key for _, key in entries(KIT)} & MEANT_ANEW == set()


def test_words_in_two_places_are_found() -> None:
    one, other = {("sentences", "A draw"): "Empate"}, {("sentences", "A draw"): "Tablas"}
    assert (twice(one, [other]), twice(one, [one, other]), twice({}, [other, other])) == (set(), {"A draw"}, {"A draw"})


def strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from chain.from_iterable(map(strings, value.values()))
        case list():
            yield from chain.from_iterable(map(strings, value))


def mentioned(folder: Path) -> tuple[set[str], tuple[str, ...]]:
    """List every string in the modules and the data of a folder, and how those begin that are put together."""
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    whole = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    begun = [literals(node.values[0]) for node in nodes if isinstance(node, ast.JoinedStr) and node.values]
    data = (path for path in (folder / "data").glob("*.toml") if path.name not in {WORDS, RETIRED})
    told = {one for path in data for one in strings(tomllib.loads(path.read_text(encoding="utf-8")))}
    return whole | told, tuple(one for part in begun for one in part if one.endswith("_"))


def test_what_the_kit_has_words_for_is_said_by_the_kit_or_by_several_games() -> None:
    kit, games = mentioned(KIT), [mentioned(GAMES / slug) for slug in SLUGS]

    def says(found: tuple[set[str], tuple[str, ...]], key: str) -> bool:
        return key in found[0] or key.startswith(found[1])

    lonely = {key for _, key in entries(KIT) if not says(kit, key) and sum(1 for game in games if says(game, key)) < 2}
    assert lonely == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_the_words_that_are_shared(slug: str) -> None:
    assert words_of(slug).shared is shared_words()
    assert words_of(slug).find("Victory", "es") == "Victoria"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_sentence_of_a_game_is_said_in_spanish(slug: str) -> None:
    game = discover()[slug]
    words = game.words
    missing = {
        (module.name, sentence)
        for module in modules(slug)
        for source in [module.read_text(encoding="utf-8")]
        for sentence in said(source, game.numbers) | {fill_in(each, game.numbers) for each in phrases(source)}
        if words.find(sentence, "es") is None
    }
    assert missing == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_sentence_that_a_game_has_spanish_for_is_said(slug: str) -> None:
    """By its own code or data, or by the kit, which leaves some to the words of each game."""
    said_somewhere = mentioned(GAMES / slug)[0] | mentioned(KIT)[0]
    unsaid = {key for kind, key in entries(GAMES / slug) if kind == "sentences"} - said_somewhere
    assert unsaid == set(), "delete it, or move it to retired.toml where a log may hold it"


def test_a_sentence_is_found_in_a_table_too() -> None:
    source = '''"""A module that says something."""
DOES = {"cave": "back on 1–{face}", "water": "It drowns."}
KEY = f"does {DOES} The end."
'''
    assert phrases(source) == {"back on 1–{face}", "It drowns."}


@pytest.mark.parametrize("path", sorted(GAMES.glob(f"*/data/{RETIRED}")), ids=lambda path: path.parts[-3])
def test_what_is_retired_is_said_by_nobody(path: Path) -> None:
    retired = tomllib.loads(path.read_text(encoding="utf-8"))["sentences"]
    slug = path.parts[-3]
    assert retired
    numbers = discover()[slug].numbers
    now = {one for module in modules(slug) for one in said(module.read_text(encoding="utf-8"), numbers)}
    assert retired.keys() & now == set()
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


@pytest.mark.parametrize("slug", SLUGS)
def test_a_number_of_a_rule_has_the_same_name_wherever_it_is_said(slug: str) -> None:
    numbers = discover()[slug].numbers
    written = (GAMES / slug / "data" / WORDS).read_text(encoding="utf-8")
    spoken = {english: spanish for english, spanish in tomllib.loads(written)["sentences"].items() if "[" in english}
    given = {words: names for module in modules(slug) for words, names in templates(module.read_text("utf-8")).items()}
    book = tomllib.loads((GAMES / slug / "data" / "rulebook.toml").read_text(encoding="utf-8"))
    given = {words: numbers_of(words) for words in strings(book) if words in spoken} | given
    assert given.keys() == spoken.keys()
    for english, spanish in spoken.items():
        names = numbers_of(english)
        assert names, english
        assert names <= given[english] & numbers.keys(), english
        assert numbers_of(spanish) == names, english


@pytest.mark.parametrize("slug", SLUGS)
def test_no_name_of_a_number_is_left_in_what_is_read(slug: str) -> None:
    game = discover()[slug]
    shown = [*strings(to_builtins(game.rulebook)), *strings(dict(game.words.names)), *game.words.sentences]
    shown += [words["es"] for words in game.words.sentences.values()]
    assert [words for words in shown if numbers_of(words)] == []


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("name", ALL)
def test_a_sentence_has_the_same_places_in_spanish(name: str) -> None:
    for english, spanish in words_of(name).sentences.items():
        assert spanish["es"].strip()
        assert places(spanish["es"]) == places(english), english
        assert ("|" in spanish["es"]) == ("|" in english), english


@pytest.mark.parametrize("name", ALL)
def test_a_name_is_a_word_in_both_languages(name: str) -> None:
    for identifier, words in words_of(name).names.items():
        assert set(words) == {"en", "es"}, identifier
        assert all(words.values()), identifier


def test_the_sentences_of_a_module_are_found() -> None:
    source = """
say("one" if holds else "two")
Text("three", places)
Meta(title="four", extra={"labels": {"x": "five"}}, ge=1)
other("six")
"""
    assert said(source) == {"one", "two", "three", "four", "five"}


def test_the_numbers_in_sentences_of_a_module_are_found() -> None:
    source = """
numbered("within [reach|square|squares] of {unit}" if near else "on [needed]", reach=REACH, unit=unit)
Meta(description=numbered("at least [most]", most=MOST).say)
"""
    filled = {"within 2 squares of {unit}", "on [needed]", "at least 8"}
    assert said(source, {"reach": 2, "most": 8}) == filled
    assert templates(source) == {
        "within [reach|square|squares] of {unit}": {"reach", "unit"},
        "on [needed]": {"reach", "unit"},
        "at least [most]": {"most"},
    }


ENGLISH_VERB = re.compile(r"(?<!of )\{(?:unit|enemy|army|mage)\} (?:is|are|was|were|has|have|do|does|needs?|\w+s)\b")
SPANISH_VERB = re.compile(
    r"(?<!de )\{(?:unit|enemy|army|mage)\}:? (?:no )?(?:se )?(?:es|está|ha|tiene|puede|mueve|vuelve|entra|"
    r"sale|carga (?!contra)|dispara|lanza|acierta|falla|"
    r"ataca|vuela|cae|cura|queda|salva|levanta|necesita|atreve|sigue|deshace|va|llega)\b"
)
BRAVE = re.compile(r"\{(?:spells?|what)\}\.")


@pytest.mark.parametrize("name", ["chesswar", "kit"])
def test_what_is_one_or_many_is_followed_by_no_verb_that_would_have_to_agree(name: str) -> None:
    """Elite archers are many in their name and one on the board: neither "shoots" nor "shoot" would be right."""
    clashes = [
        sentence
        for english, spoken in words_of(name).sentences.items()
        for sentence, verb in ((english, ENGLISH_VERB), (spoken["es"], SPANISH_VERB))
        if verb.search(sentence)
    ]
    assert clashes == []


WHOSE = r"(?:\{(?:who|side|seat|before)\}|%\((?:who|role|seat|side)\)s)"
ONE = (
    r"(?:es|está|estaba|ha|tiene|puede|debe|quiere|dice|elige|juega|descarta|roba|recibe|mira|tira|responde|corrige|deshace|"
    r"releva|toma|lleva|forma|recoloca|rinde|levanta|llama|sienta|lucha|gana|ganó|pierde|empieza|actúa|espera|queda)"
)
AGREEING = re.compile(
    rf"(?<!de ){WHOSE} (?:ya |aún |también |ahora |no |se |solo )*{ONE}\b|\b{ONE} {WHOSE}", re.IGNORECASE
)
"""Whoever is named, and a verb in the singular beside it."""
CHESS_SETS = ("chesswar", "two_cities")


def test_what_is_said_of_a_side_of_a_chess_set_agrees_with_it() -> None:
    """They are many in Spanish; who fills a place of the pages may as well be one person, so no verb stands there."""
    own = {words["es"] for name in CHESS_SETS for words in words_of(name).sentences.values()}
    pages = {one.string for one in committed() if isinstance(one.string, str)}
    assert [sentence for sentence in sorted(own | pages) if AGREEING.search(sentence)] == []


@pytest.mark.parametrize(
    "sentence", ["{who} responde", "Gana {side}.", "%(who)s quiere deshacer:", "{side} no tiene general"]
)
def test_a_verb_that_would_have_to_agree_is_found(sentence: str) -> None:
    assert AGREEING.search(sentence)


@pytest.mark.parametrize("name", ["chesswar", "kit"])
def test_a_name_that_ends_in_an_exclamation_mark_is_followed_by_no_full_stop(name: str) -> None:
    sentences = words_of(name).sentences
    assert [s for english, spoken in sentences.items() for s in (english, spoken["es"]) if BRAVE.search(s)] == []

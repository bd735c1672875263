"""What has to hold for every game that is found; ``python -m tests.support.conformance N`` plays thousands."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from msgspec import inspect

from companion.games import discover
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text
from tests.support.conformance import Sitting, play
from tests.support.leaking_games import Drawing
from tests.support.sizes import first
from tests.support.twins import Spy
from tests.support.watch import PLACE as PLACES
from tests.support.watch import Watch

GAMES = discover()
GAMES_IN_A_CHUNK = 6


@pytest.mark.parametrize("chunk", first(*range(40)))
@pytest.mark.parametrize("name", GAMES)
def test_random_legal_games_come_to_an_end_and_nothing_offered_is_refused(name: str, chunk: int) -> None:
    watch = Watch(GAMES[name])
    for seed in range(chunk * GAMES_IN_A_CHUNK, (chunk + 1) * GAMES_IN_A_CHUNK):
        play(GAMES[name], seed, watch, most=70, every=12)
    assert watch.said


@pytest.mark.parametrize("leak", ["", "headline", "reason", "view"])
def test_a_game_that_tells_what_was_drawn_is_found_out(leak: str) -> None:
    sitting = Sitting(Drawing(leak), 0, Spy())
    found = nullcontext() if leak == "" else pytest.raises(AssertionError, match="what was drawn")
    with found:
        steps(sitting, 30)


def steps(sitting: Sitting, count: int) -> None:
    for _ in range(count):
        sitting.step()


@pytest.mark.parametrize("name", GAMES)
def test_everything_a_form_asks_for_has_words(name: str) -> None:
    game, watch = GAMES[name], Watch(GAMES[name])
    watch.texts((game.name, game.summary))
    structs = [game.options, *(lookup.facts for lookup in game.lookups.values())]
    for struct in structs:
        described = inspect.type_info(struct)
        assert isinstance(described, inspect.StructType)
        for field in described.fields:
            for text in written(field.type):
                watch.sentence(Text(text))
            for choice in choices(field.type):
                if choice not in CHESSBOARD:
                    watch.sentence(Text(choice))
    watch.texts([lookup.title for lookup in game.lookups.values()])


def written(kind: inspect.Type) -> list[str]:
    if not isinstance(kind, inspect.Metadata):
        return []
    schema = kind.extra_json_schema or {}
    return [schema[key] for key in ("title", "description") if key in schema]


def choices(kind: inspect.Type) -> list[str]:
    if isinstance(kind, inspect.Metadata):
        labels = (kind.extra or {}).get("labels", {})
        return [labels.get(value, value) for value in choices(kind.type)]
    if isinstance(kind, inspect.VarTupleType):
        return choices(kind.item_type)
    return [str(value) for value in kind.values] if isinstance(kind, inspect.LiteralType) else []


@pytest.mark.parametrize("name", GAMES)
def test_the_rulebook_is_whole_in_both_languages(name: str) -> None:
    book = GAMES[name].rulebook
    chapters = {chapter.id for chapter in book.chapter}
    listed = [entry.id for part in (book.clause, book.ruling, book.example) for entry in part]
    assert len(listed) == len(set(listed))
    for clause in book.clause:
        assert clause.chapter in chapters
        assert clause.es.strip()
        assert clause.en.strip()
        assert clause.es != clause.en
        assert clause.ruling is None or clause.ruling in book.ids()
    for example in book.example:
        assert set(example.clauses) <= book.ids()


@pytest.mark.parametrize("name", GAMES)
def test_every_option_that_a_ruling_names_is_an_option_of_the_table(name: str) -> None:
    game = GAMES[name]
    named = {option for ruling in game.rulebook.ruling for option in ruling.options}
    assert named <= set(game.options.__struct_fields__)


@pytest.mark.parametrize("name", GAMES)
def test_words_keep_their_places_and_plurals(name: str) -> None:
    words = GAMES[name].words
    for english, others in words.sentences.items():
        spanish = others["es"]
        assert spanish.strip()
        assert set(PLACES.findall(english)) == set(PLACES.findall(spanish)), english
        assert english.count("|") == spanish.count("|"), english
    assert all({"en", "es"} <= set(names) for names in words.names.values())

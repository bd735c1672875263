"""Golden playthroughs come to what they came to when they were recorded: facts and words, step by step."""

from __future__ import annotations

import lzma
from difflib import unified_diff
from functools import cache

import pytest

from companion.games import discover
from tests.golden.playthroughs import FOLDER, FULL, Playthrough, differences, languages, stored, text
from tests.support.sizes import first

GAMES = discover()


@cache
def played(name: str) -> tuple[Playthrough, ...]:
    return stored(name)


def test_every_game_has_its_playthroughs() -> None:
    assert {path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.json.xz")} == set(GAMES)
    assert {len(played(name)) for name in GAMES} == {40}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 5_000_000


@pytest.mark.parametrize("number", first(*range(40)))
@pytest.mark.parametrize("name", GAMES)
def test_a_stored_game_comes_to_the_same(name: str, number: int) -> None:
    assert list(differences(GAMES[name], played(name)[number])) == []


@pytest.mark.parametrize("number", range(FULL))
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.long
def test_a_stored_game_reads_the_same(name: str, number: int) -> None:
    before = lzma.decompress((FOLDER / f"{name}-{number}.txt.xz").read_bytes()).decode()
    now = text(GAMES[name], played(name)[number], languages()[number])
    assert "\n".join(unified_diff(before.splitlines(), now.splitlines(), "recorded", "now", lineterm="")) == ""

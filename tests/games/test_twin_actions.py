"""Whatever a seat does in secret, everybody else gets the same bytes; and a game that leaks is found out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.kit.action import Field
from companion.kit.correction import Tracked
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.support.leaking_games import Planning
from tests.support.sizes import some
from tests.support.twin_actions import play, until
from tests.support.twin_search import Census

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.asking import Ask

GAMES = discover()
ANSWERS = 100
KINDS: dict[str, set[str]] = {
    "chesswar": {"action raise_army", "action deploy", "entry army.@", "entry screen.@.#"},
    "free_table": {"entry #.hand.@"},
    "history_of_war": {"action load_deck", "action lay_down", "question territories", "entry cards.@.hand"},
    "tactics_2gm": {"action load_deck", "question bid", "entry cards.@.hand"},
    "two_cities": {"entry cards.@"},
}
"""What must be among the secrets that are found, in the games of today, when all of them are looked for (--long)."""
SEEDS = {"chesswar": 1, "history_of_war": 400, "tactics_2gm": 511, "two_cities": 32}
"""Where all of a game's secrets come about early; from any other seed it takes longer."""


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_nobody_else_gets_another_byte_of_what_is_done_in_secret(name: str, tmp_path: Path, full: bool) -> None:
    kinds = KINDS.get(name, set()) if full else None
    census = until(GAMES[name], SEEDS.get(name, 0), tmp_path, answers=ANSWERS, kinds=kinds)
    assert census.compared >= ANSWERS or not census.secret()
    if kinds is not None:
        assert not census.unreached(), f"nothing is known of {sorted(census.unreached())}"
        assert census.kinds() >= kinds


def test_a_game_that_keeps_its_plans_is_played_through(tmp_path: Path) -> None:
    census = until(Planning(), 0, tmp_path, answers=ANSWERS, kinds=())
    assert not census.unreached()
    assert census.kinds() >= {"action plan", "question bids", "correction plan.@", "correction hand.@", "entry plan.@"}


@pytest.mark.parametrize("leak", some(["view", "blue", "screen", "refusal", "headline", "reason", "offers"], every=3))
def test_a_game_that_leaks_is_found_out(leak: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="differs"):
        until(Planning(leak), 0, tmp_path, answers=10**6)


class Vault(Planning):
    """A game with a secret that nothing changes."""

    def tracked(self, state: Any) -> tuple[Tracked, ...]:
        vault = Field("value", say("Vault"), "number", value=7, high=9)
        return (*super().tracked(state), Tracked("vault.red", say("Vault"), vault, "red"))

    def correct(self, state: Any, path: str, value: str, ask: Ask) -> Any:
        if path == "vault.red":
            raise Refusal(say("It stays shut."))
        return super().correct(state, path, value, ask)


def test_a_secret_that_no_twins_reach_is_told(tmp_path: Path) -> None:
    census = Census()
    list(play(Vault(), 0, tmp_path, census, tables=6))
    assert census.unreached() == {"entry vault.@"}

"""What was hidden is shown to all when the game is over: no seat comes to that by itself and then plays on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.table.problem import Problem
from companion.table.tables import Tables
from tests.support.random_game import RandomGame
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = discover()
SECRETIVE = ("history_of_war", "tactics_2gm", "two_cities")
KEY = "a key that nobody guesses"


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path, **GAMES) as tables:
        yield tables


def sat(tables: Tables, name: str) -> RandomGame:
    """A game some way on, with a player in every seat, that a correction can end."""
    for seed in range(20):
        game = RandomGame(tables, GAMES[name], seed)
        game.play(0 if game.alone else 40)
        while tables.seen(game.table, SCREEN).waiting:
            game.step()
        values = {value.path for value in tables.tracked(game.table, RULEKEEPER)}
        if "game.winner" in values and not (game.alone or game.over()):
            return game
    raise AssertionError("every game was over")


def shut(tables: Tables, game: RandomGame) -> None:
    """Whatever a player asks for, nobody's secrets are in it."""
    one, other = game.seats[:2]
    for asked in (
        lambda: tables.look_back(game.table, one, 2, other),
        lambda: tables.stage(game.table, one, 2, "everybody"),
        lambda: tables.try_from(game.table, one, 2, "", KEY),
        lambda: tables.copy(game.table, one, KEY),
        lambda: tables.state_after(game.table, one, 2),
        lambda: tables.state_after(game.table, SCREEN, 2),
    ):
        with pytest.raises(Problem) as wrong:
            asked()
        assert wrong.value.status in {403, 409}
    assert not tables.stage(game.table, one, 2).open
    assert tables.story(game.table, one, lambda about, scenes: not about.open and not any(s.seats for s in scenes))


@pytest.mark.parametrize("name", SECRETIVE)
def test_a_correction_alone_opens_nothing(name: str, tables: Tables) -> None:
    game = sat(tables, name)
    one, other = game.seats[:2]
    shut(tables, game)
    values = {value.path: value for value in tables.tracked(game.table, one)}
    winner = next(option.value for option in values["game.winner"].field.options if option.value != "none")
    tables.correct(game.table, one, "game.winner", winner, "it is won")
    tables.pause(game.table, RULEKEEPER, on=True, key="a pause")
    assert tables.summary(game.table).over
    shut(tables, game)
    tables.end(game.table, RULEKEEPER, "all agree", own=tuple(game.tokens))
    assert tables.stage(game.table, one, 2).open
    assert tables.look_back(game.table, one, 2, other).view == tables.look_back(game.table, other, 2).view


def test_who_gives_up_goes_on_with_another_ones_yes(tables: Tables) -> None:
    game = sat(tables, "history_of_war")
    one, other = game.seats[:2]
    tables.act(game.table, one, {"action": "concede"}, "enough")
    assert tables.stage(game.table, one, 2).open
    tables.take_back(game.table, one, "after all")
    assert tables.summary(game.table).over, "what the other one holds may have been looked at"
    tables.consent(game.table, other, yes=True, key="go on")
    assert not tables.summary(game.table).over
    shut(tables, game)


def test_nobody_goes_on_alone_by_a_correction(tables: Tables) -> None:
    game = sat(tables, "history_of_war")
    one, other = game.seats[:2]
    tables.act(game.table, one, {"action": "concede"}, "enough")
    for seat in (one, other):
        with pytest.raises(Problem) as wrong:
            tables.correct(game.table, seat, "game.winner", "none", "after all")
        assert (wrong.value.status, wrong.value.field) == (409, "value")
    assert tables.summary(game.table).over
    tables.correct(game.table, RULEKEEPER, "game.winner", "none", "a slip")
    assert not tables.summary(game.table).over


def test_where_nothing_is_secret_the_end_is_taken_back_freely(tables: Tables) -> None:
    game = sat(tables, "pocket_tactics")
    tables.act(game.table, game.seats[0], {"action": "concede"}, "enough")
    assert tables.summary(game.table).over
    tables.take_back(game.table, game.seats[0], "after all")
    assert not tables.summary(game.table).over
    tables.act(game.table, game.seats[0], {"action": "concede"}, "enough of it")
    tables.correct(game.table, game.seats[0], "game.winner", "none", "once more")
    assert not tables.summary(game.table).over


def test_a_correction_that_is_there_again_opens_nothing(tables: Tables) -> None:
    game = sat(tables, "two_cities")
    one = game.seats[0]
    values = {value.path: value for value in tables.tracked(game.table, one)}
    winner = next(option.value for option in values["game.winner"].field.options if option.value != "none")
    tables.correct(game.table, one, "game.winner", winner, "it is won")
    tables.correct(game.table, one, "game.winner", "none", "it is not")
    tables.take_back(game.table, one, "it is, after all")
    assert tables.summary(game.table).over
    shut(tables, game)

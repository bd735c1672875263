"""A look at a table from all of its seats: each is shown what it would be shown alone, and no less hidden."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import say
from companion.table.session import PositionCache
from companion.table.views import Look
from tests.support.random_game import RandomGame
from tests.support.toy_game import Toy
from tests.support.toy_tables import Clock, open_tables, sit

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.asking import Ask
    from companion.table.tables import Tables
    from companion.table.view_models import Seen
    from tests.support.toy_tables import Sitting


def written(seen: dict[str, Seen]) -> dict[str, bytes]:
    return {seat: msgspec.json.encode(one) for seat, one in seen.items()}


def alone(tables: Tables, code: str, seat: str) -> Seen:
    """What a seat sees of a position that nobody has looked at before."""
    tables._positions = PositionCache()
    return tables.seen(code, seat)


@pytest.mark.parametrize("slug", discover())
def test_a_look_that_has_read_needs_nothing_of_the_file(tmp_path: Path, slug: str) -> None:
    with open_tables(tmp_path, clock=Clock(), **{slug: discover()[slug]}) as tables:
        game = RandomGame(tables, discover()[slug], 2)
        seats = [*game.seats, RULEKEEPER, SCREEN]
        for _ in range(12):
            tables._positions = PositionCache()
            with tables._look(game.table) as session:
                look = Look(session)
                look.read()
                session.db = None
            assert written({seat: look.seen(seat) for seat in seats}) == written(tables.seen_all(game.table, seats))
            game.play(2)


@pytest.mark.parametrize("slug", discover())
def test_each_seat_is_shown_what_it_would_be_shown_alone(tmp_path: Path, slug: str) -> None:
    game, clock = discover()[slug], Clock()
    with open_tables(tmp_path, clock=clock, **{slug: game}) as tables:
        table, rng = RandomGame(tables, game, 1), random.Random(1)
        code, seats = table.table, [*table.seats, RULEKEEPER, SCREEN]
        for _ in range(24):
            rng.shuffle(seats)
            assert written(tables.seen_all(code, seats)) == written({seat: alone(tables, code, seat) for seat in seats})
            if table.over() or not table.step():
                break


def test_what_goes_on_at_a_table_is_shown_to_each_seat_as_if_alone(tmp_path: Path) -> None:
    with open_tables(tmp_path, clock=Clock()) as tables:
        table = sit(tables)
        tables.knock(table.id, "blue", "Zoe")
        for go_on in (
            lambda: table.act("red", "draw", count=3),
            lambda: table.take_back("red"),
            lambda: table.consent("blue", yes=False),
            lambda: table.act("red", "bid"),
            lambda: table.pause(on=True),
            lambda: table.pause(on=False),
            lambda: [table.dice(mode) for mode in ("typed", "app") * 13],
            lambda: tables.release(table.id, RULEKEEPER, "blue", table.key()),
            table.end,
        ):
            go_on()
            seats = ("red", "blue", RULEKEEPER, SCREEN)
            seen = tables.seen_all(table.id, seats)
            assert written(seen) == written({seat: table.seen(seat) for seat in seats})
        assert seen[RULEKEEPER].knocks
        assert not seen["red"].knocks


class Blind(Toy):
    """Toy that shows blue nothing, but a mistake of its own."""

    def view(self, state: Any, seat: str) -> Any:
        assert seat != "blue"
        return super().view(state, seat)


def test_a_seat_that_can_not_be_shown_takes_nobody_with_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with open_tables(tmp_path, toy=Blind()) as tables:
        table = sit(tables)
        seen = tables.seen_all(table.id, ("nobody", "blue", "red", SCREEN))
        assert written(seen) == written({seat: table.seen(seat) for seat in ("red", SCREEN)})
        assert f"what blue sees of table {table.id} can not be shown" in caplog.text


class Telling(Toy):
    """Toy that tells each seat something of its own in every ruling."""

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        ruling = super().rule(state, seat, action, ask)
        own = tuple(Reason(say(f"only for {one}"), seat=one) for one in ("red", "blue"))
        return msgspec.structs.replace(ruling, reasons=(*ruling.reasons, Reason(say("for all"), terms=own)))


def told(table: Sitting, seat: str) -> set[str]:
    seen = table.tables.seen_all(table.id, ("blue", "red", SCREEN))[seat]
    return {one for one in ("red", "blue") if f"only for {one}" in msgspec.json.encode(seen).decode()}


def test_what_one_seat_is_told_is_not_in_what_the_others_see_by_the_same_look(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=Telling()) as tables:
        table = sit(tables)
        table.act("red", "add", points=1)
        for _ in range(2):
            assert [told(table, seat) for seat in ("red", "blue", SCREEN)] == [{"red"}, {"blue"}, set()]
            for mode in ("typed", "app") * 13:  # now the ruling is further back than the log is shown
                table.dice(mode)
        seen = tables.seen_all(table.id, ("red",))["red"]
        assert seen.last is not None
        assert seen.last.seq not in {line.seq for line in seen.log}

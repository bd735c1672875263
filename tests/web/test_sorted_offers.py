"""What seats are offered is sorted once for all that are shown and offered the same, and for each that is not alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Tracker
from companion.web.play.layout import Layout, lay_out
from companion.web.play.sorted_offers import SharedSorting
from companion.web.state import NAME
from tests.support.random_game import RandomGame
from tests.support.sizes import first

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.tables import Tables
    from companion.table.view_models import Seen

GAMES = discover()
STATES = 6


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    found: Tables = create_app(tmp_path).extensions[NAME].tables
    return found


@pytest.fixture
def two(tables: Tables) -> tuple[Seen, Seen]:
    """What two people see of a free table with a counter for each."""
    made = tables.create("free_table", "", {"seats": 2}, {RULEKEEPER: "Ruth"}, "app")
    for seat in ("player_1", "player_2"):
        tables.join(made.table, seat, seat)
    counter = {"name": "Life", "each": "player", "names": "", "start": 20, "low": 0, "high": 99}
    tables.act(made.table, RULEKEEPER, {"action": "set_counter", **counter}, "a-counter-for-each")
    seen = tables.seen_all(made.table, ["player_1", "player_2"])
    return seen["player_1"], seen["player_2"]


def lines(layout: Layout) -> Any:
    (tracker,) = [panel for panel in layout.seen.view.panels if isinstance(panel, Tracker)]
    return layout.with_steps(tracker)


def test_who_is_shown_and_offered_the_same_shares_lines_and_what_starts_from_them(two: tuple[Seen, Seen]) -> None:
    sorting = SharedSorting()
    one, other = (lay_out(seen, None, sorting) for seen in two)
    assert lines(one) is lines(other)
    assert [len(line.steps) for line in lines(one)] == [3, 3]


def test_who_is_offered_less_shares_nothing(two: tuple[Seen, Seen]) -> None:
    sorting = SharedSorting()
    one, other = two
    less = msgspec.structs.replace(other, offers=tuple(offer for offer in other.offers if not offer.on))
    assert [len(line.steps) for line in lines(lay_out(one, None, sorting))] == [3, 3]
    assert [len(line.steps) for line in lines(lay_out(less, None, sorting))] == [0, 0]


def test_who_is_shown_another_line_shares_nothing(two: tuple[Seen, Seen]) -> None:
    sorting = SharedSorting()
    one, other = two
    (tracker,) = other.view.panels
    assert isinstance(tracker, Tracker)
    fewer = msgspec.structs.replace(tracker, rows=tracker.rows[:1])
    view = msgspec.structs.replace(other.view, panels=(fewer,))
    assert len(lines(lay_out(one, None, sorting))) == 2
    shorter = lay_out(msgspec.structs.replace(other, view=view), None, sorting)
    assert len(lines(shorter)) == 1
    assert tracker.rows[1].id in {offer.on for offer in shorter.offers}, "what starts from no line stands elsewhere"


def test_the_next_step_at_the_foot_is_left_out_of_the_lines_of_whose_it_is_alone(two: tuple[Seen, Seen]) -> None:
    one, other = two
    first_step, *rest = [offer for offer in one.offers if offer.on and not offer.fields and not offer.grave]
    main = msgspec.structs.replace(first_step, main=True)
    offers = tuple(main if offer is first_step else offer for offer in one.offers)
    sorting = SharedSorting()
    both = [lay_out(msgspec.structs.replace(seen, offers=offers), None, sorting) for seen in two]
    assert rest
    assert [layout.at_foot for layout in both] == [main, main]
    assert main not in [step for line in lines(both[0]) for step in line.steps]
    plain = lay_out(other, None, sorting)
    assert first_step in [step for line in lines(plain) for step in line.steps]


@pytest.mark.parametrize("seed", first(1, 2, 3))
@pytest.mark.parametrize("slug", GAMES)
def test_seats_laid_out_together_are_laid_out_as_each_alone(tables: Tables, slug: str, seed: int) -> None:
    game = RandomGame(tables, GAMES[slug], seed)
    for _ in range(STATES):
        for _ in range(8):
            if not game.over():
                game.step()
        sorting = SharedSorting()
        for seen in tables.seen_all(game.table, [*game.seats, RULEKEEPER, SCREEN]).values():
            together, alone = lay_out(seen, None, sorting), lay_out(seen)
            fields = (name for name in Layout.__struct_fields__ if name != "known_steps")
            assert [name for name in fields if getattr(together, name) != getattr(alone, name)] == []

"""Parts of pages that are kept: the same bytes for whoever sees the same, and never for anybody else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from flask import Flask, render_template, render_template_string

from companion import create_app
from companion.kit.text import Text, say
from companion.web.language import Language, speaking
from companion.web.lru_cache import LruCache
from companion.web.parts import Parts
from companion.web.play.layout import lay_out
from tests.support.phones import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PART = "{% call cached('part', shown) %}{{ count() }} {{ shown }} {{ _('Seats') }}{% endcall %}"


class Counting:
    """Count how often a part is rendered."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path)


@pytest.fixture
def part(app: Flask) -> Callable[..., str]:
    count = Counting()
    app.jinja_env.globals["cached"] = Parts(100, 1_000_000).cached

    def render(shown: Any, tongue: Language = "en", game: Any = None) -> str:
        with app.test_request_context(), speaking(tongue):
            return render_template_string(PART, shown=shown, count=count, game=game)

    return render


def test_what_shows_the_same_is_rendered_once(part: Callable[..., str]) -> None:
    assert part(("a", 1)) == part(("a", 1))


def test_other_data_another_language_and_another_game_are_other_parts(part: Callable[..., str], app: Flask) -> None:
    game = next(iter(app.extensions["companion"].games.values()))
    rendered = [part("a"), part("b"), part("a", "es"), part("a", game=game)]
    assert [int(one.split()[0]) for one in rendered] == [1, 2, 3, 4]
    assert rendered[2].endswith("Puestos")


def test_a_text_with_other_places_is_another_part(part: Callable[..., str]) -> None:
    assert part(say("{count} die", count=1)) != part(say("{count} die", count=2))


def test_the_parts_that_nobody_sees_any_more_are_forgotten(part: Callable[..., str], app: Flask) -> None:
    app.jinja_env.globals["cached"] = Parts(2, 1_000_000).cached
    first, second = part("a"), part("b")
    assert part("a") == first
    part("c")
    assert part("a") == first
    assert part("b") != second


def test_the_parts_that_are_kept_have_room_for_so_many_bytes(app: Flask) -> None:
    parts, count = Parts(4096, 100_000), Counting()
    app.jinja_env.globals["cached"] = parts.cached

    def part(shown: str) -> str:
        with app.test_request_context(), speaking("en"):
            return render_template_string(PART, shown=shown, count=count, game=None)

    for number in range(200):
        part(f"{number}" * 1000)
        assert part("small").startswith("2"), "what is used stays"
        assert parts.size <= 100_000
    assert parts.size == sum(sys.getsizeof(key) + sys.getsizeof(thing) for key, (thing, _) in parts._things.items())
    assert len(parts) > 10
    part("x" * 100_000)
    assert (len(parts), parts.size) == (0, 0)


def test_what_is_put_again_counts_once() -> None:
    recent: LruCache[str, int] = LruCache(2, 100)
    for size in (10, 20, 5):
        recent.put("a", size, size)
    recent.put("b", 1, 50)
    assert (recent.size, recent.get("a"), len(recent)) == (55, 5, 2)
    recent.put("c", 1, 50)
    assert (recent.size, recent.get("a"), recent.get("b")) == (55, 5, None)


def test_a_board_in_words_names_the_sides_of_its_own_table(app: Flask) -> None:
    table = Table(app, "two_cities")
    seen = table.tables.seen(table.id, "screen")

    def sides(*names: str) -> str:
        people = [msgspec.structs.replace(one, role=Text(name)) for one, name in zip(seen.people, names, strict=True)]
        other = msgspec.structs.replace(seen, people=tuple(people))
        game = app.extensions["companion"].games[seen.game]
        with app.test_request_context():
            shown = lay_out(other)
            page = render_template("play/_table.html", shown=shown, seen=other, game=game, problem=None, typed={})
        return page.partition('id="board-words"')[2].partition("</details>")[0]

    assert "North: " in sides("North", "East", "Keeper")
    assert "South: " in sides("South", "East", "Keeper")

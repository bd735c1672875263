"""Parts of pages that are kept: the same bytes for whoever sees the same, and never for anybody else."""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from itertools import chain, pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from flask import Flask, render_template, render_template_string

from companion import create_app
from companion.games import discover
from companion.kit.action import Option
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Card, Hand, Picture, Piles, Roster
from companion.kit.questions import Choose
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.view_models import Asked, Consent, Waiting
from companion.web.fragments import render
from companion.web.language import LANGUAGES, Language, speaking
from companion.web.lru_cache import LruCache
from companion.web.parts import BYTES_EACH, PageOf, Part, Parts, take_apart
from companion.web.play.layout import Layout, lay_out
from companion.web.play.targets import action_query
from tests.support.phones import Table
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from companion.kit.panels import Panel
    from companion.kit.ruling import Reason

OF = PageOf(1, "TABLE", "seat")
PART = "{% call cached('part', shown) %}{{ count() }} {{ shown }} {{ _('Seats') }}{% endcall %}"
EACH = "{% call(one) each('part', shown, about) %}<b>{{ count() }} {{ one }} {{ about }}</b>{% endcall %}"
NOTED = """{% call part('outer') %}<p id='outer'>
  {% call part('inner', shown) %}<b id='inner'>{{ shown }}</b>{% endcall %} </p>{% endcall %}"""


AT_RANDOM = 10
"""So many more things are altered at random, each time."""


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


def keep(app: Flask, parts: Parts) -> Parts:
    """Let an app keep the parts that it renders there."""
    app.jinja_env.globals.update(cached=parts.cached, each=parts.each, part=parts.part)
    return parts


@pytest.fixture
def page(app: Flask) -> Callable[..., Part]:
    count = Counting()
    keep(app, Parts(100, 1_000_000))

    def render(template: str, tongue: Language = "en", **shown: Any) -> Part:
        with app.test_request_context(), speaking(tongue):
            return take_apart(lambda: render_template_string(template, count=count, **{"game": None, **shown}))

    return render


@pytest.fixture
def part(page: Callable[..., Part]) -> Callable[..., str]:
    return lambda shown, tongue="en", game=None: page(PART, tongue, shown=shown, game=game).html(OF)


def test_what_shows_the_same_is_rendered_once(part: Callable[..., str]) -> None:
    assert part(("a", 1)) == part(("a", 1))


def test_other_data_another_language_and_another_game_are_other_parts(part: Callable[..., str], app: Flask) -> None:
    game = next(iter(app.extensions["companion"].games.values()))
    rendered = [part("a"), part("b"), part("a", "es"), part("a", game=game)]
    assert [int(one.split()[0]) for one in rendered] == [1, 2, 3, 4]
    assert rendered[2].endswith("Asientos")


def test_what_is_drawn_without_words_is_the_same_in_every_language(page: Callable[..., Part]) -> None:
    drawn = PART.replace("shown)", "shown, words=false)")
    assert page(drawn, "en", shown="a") == page(drawn, "es", shown="a")
    assert page(drawn, "en", shown="a") != page(drawn, "en", shown="b")


def test_of_several_things_only_the_new_ones_are_rendered(page: Callable[..., Part]) -> None:
    assert page(EACH, shown=["a", "b"], about=0).html(OF) == "<b>1 a 0</b><b>2 b 0</b>"
    assert page(EACH, shown=["b", "c", "a"], about=0).html(OF) == "<b>2 b 0</b><b>3 c 0</b><b>1 a 0</b>"
    assert page(EACH, shown=["b"], about=1).html(OF) == "<b>4 b 1</b>", "what is said of all of them is another thing"


def test_parts_lie_in_parts_without_the_space_between(page: Callable[..., Part]) -> None:
    (outer,) = page(NOTED, shown="1").parts
    assert (outer.id, outer.texts) == ("outer", ("<p id='outer'>", "</p>"))
    (inner,) = outer.parts
    assert (inner.id, inner.html(OF)) == ("inner", "<b id='inner'>1</b>")
    assert page(NOTED, shown="1").parts[0].parts[0] is inner, "what shows the same is the same part"
    assert (outer.size, outer.own) == (len(outer.html(OF)), len("".join(outer.texts)))


def test_what_somebody_types_is_never_taken_for_a_part(page: Callable[..., Part]) -> None:
    assert page("{{ shown }}{% call part('a') %}<b></b>{% endcall %}", shown="\x02=0;").html(OF) == "\x02=0;<b></b>"


def test_a_page_that_is_not_taken_apart_is_rendered_as_it_is_each_time(app: Flask) -> None:
    count = Counting()
    with app.test_request_context():
        shown = {"shown": "ab", "about": 1, "count": count, "game": None}
        assert [render_template_string(PART, **shown) for _ in range(2)] == ["1 ab Seats", "2 ab Seats"]
        assert render_template_string(EACH, **shown) == "<b>3 a 1</b><b>4 b 1</b>"
        assert render_template_string(NOTED, **shown) == "<p id='outer'>\n<b id='inner'>ab</b> </p>"


def test_a_text_with_other_places_is_another_part(part: Callable[..., str]) -> None:
    assert part(say("{count} die", count=1)) != part(say("{count} die", count=2))


def test_the_parts_that_nobody_sees_any_more_are_forgotten(part: Callable[..., str], app: Flask) -> None:
    keep(app, Parts(2, 1_000_000))
    first, second = part("a"), part("b")
    assert part("a") == first
    part("c")
    assert part("a") == first
    assert part("b") != second


def test_the_parts_that_are_kept_have_room_for_so_many_bytes(part: Callable[..., str], app: Flask) -> None:
    parts = keep(app, Parts(4096, 100_000))
    for number in range(200):
        part(f"{number}" * 1000)
        assert part("small").startswith("2 "), "what is used stays"
        assert parts.size <= 100_000
    assert parts.size == sum(len(key) + BYTES_EACH * thing.size for key, (thing, _) in parts._things.items())
    assert len(parts) > 10
    part("x" * 100_000)
    assert (len(parts), parts.size) == (0, 0)


def altered(value: Any, luck: Random) -> Any:
    """Alter one thing in a value, whatever it is: a number, a text, one of several things, or that it is there."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case Text():
            return Text("Another one")
        case tuple() if value:
            at = luck.randrange(len(value))
            one = value[at]
            gone = isinstance(one, msgspec.Struct) and not isinstance(one, Text) and luck.random() < 0.3
            return (*value[:at], *(() if gone else (altered(one, luck),)), *value[at + 1 :])
        case msgspec.Struct():
            name = luck.choice(value.__struct_fields__)
            return msgspec.structs.replace(value, **{name: altered(getattr(value, name), luck)})
    return value


def fought_with(reasons: Sequence[Reason], photo: str) -> tuple[Reason, ...]:
    """Put a picture on whoever began a fight."""
    replace = msgspec.structs.replace
    return tuple(
        replace(one, clash=replace(one.clash, by=replace(one.clash.by, photo=photo))) if one.clash else one
        for one in reasons
    )


def with_pictures(panel: Panel, photo: str) -> Panel:
    """Put a picture on every piece that stands or is listed somewhere, and on the cards of piles."""
    match panel:
        case Board() | Roster():
            pieces = tuple(msgspec.structs.replace(piece, photo=photo) for piece in panel.pieces)
            return msgspec.structs.replace(panel, pieces=pieces)
        case Piles():
            card = Card("", "", None, say("Ace"), say("Nothing"), picture=Picture(glyphs=("tank",), photo=photo))
            piles = tuple(msgspec.structs.replace(pile, cards=(card, card), top=card) for pile in panel.piles)
            return msgspec.structs.replace(panel, piles=piles)
    return panel


def variants(layout: Layout, luck: Random) -> Iterator[Layout]:
    """Change one thing of what a seat sees at a time: each part that shows it is another one then."""
    seen = layout.seen
    yield layout
    renamed = tuple(msgspec.structs.replace(one, role=Text(f"The {one.seat}"), name="Zoe") for one in seen.people)
    question = Asked(Choose("x", say("Why?"), seen.seat, (Option("a", say("A")),)), (), seat=seen.seat)
    awaited = (Waiting(RULEKEEPER, say("Why?")),)
    for change in (
        {"paused": not seen.paused},
        {"ended": not seen.ended},
        {"people": renamed},
        {"offers": seen.offers[::2], "take_back": None},
        {"waiting": () if seen.waiting else awaited},
        {"asked": None if seen.asked else question, "waiting": awaited},
        {"consent": Consent(RULEKEEPER, 1, say("Why?"), mine_to_give=False)},
        {"undo_ended": say("Why?")},
        {"view": msgspec.structs.replace(seen.view, over=not seen.view.over)},
        {"table": "OTHER"},
    ):
        yield lay_out(msgspec.structs.replace(seen, **change))
    for changed in (
        {"name": say("Ace")},
        {"rank": "9"},
        {"suit": "hearts"},
        {"does": say("Nothing")},
        {"picture": None},
    ):
        if hands := [panel for panel in seen.view.panels if isinstance(panel, Hand) and panel.cards]:
            with_cards = msgspec.structs.replace(
                hands[0], cards=tuple(msgspec.structs.replace(card, **changed) for card in hands[0].cards)
            )
            panels = tuple(with_cards if panel is hands[0] else panel for panel in seen.view.panels)
            yield lay_out(msgspec.structs.replace(seen, view=msgspec.structs.replace(seen.view, panels=panels)))
    for board in (panel for panel in seen.view.panels if isinstance(panel, Board)):
        places = [piece.square for piece in board.pieces if piece.square]
        ground = tuple(msgspec.structs.replace(one, name=say("Swamp")) for one in board.terrain)
        for otherwise in ({"terrain": ground}, {"links": tuple(pairwise(places[:3]))}):
            other = msgspec.structs.replace(board, **otherwise)
            panels = tuple(other if panel is board else panel for panel in seen.view.panels)
            yield lay_out(msgspec.structs.replace(seen, view=msgspec.structs.replace(seen.view, panels=panels)))
    for photo in ("a" * 64, "b" * 64):
        pictured = tuple(with_pictures(panel, photo) for panel in seen.view.panels)
        told = seen.last and msgspec.structs.replace(seen.last, reasons=fought_with(seen.last.reasons, photo))
        view = msgspec.structs.replace(seen.view, panels=pictured)
        drawn = lay_out(msgspec.structs.replace(seen, view=view, last=told))
        yield drawn
        yield msgspec.structs.replace(drawn, colours=dict.fromkeys(layout.colours, "other"))
    for _ in range(AT_RANDOM):
        with suppress(ValueError):  # what can not be
            yield lay_out(msgspec.structs.replace(seen, view=altered(seen.view, luck)))
    offers = [*layout.offers, *chain.from_iterable([*layout.on_trackers.values(), *layout.on_rosters.values()])]
    named = [piece.id for _, panel in layout.panels for piece in getattr(getattr(panel, "board", panel), "pieces", ())]
    zones = [zone for _, panel in layout.panels for zone in getattr(panel, "zones", ())]
    named += [piece.id for zone in zones for piece in zone.pieces]
    for differently in (
        {"colours": dict.fromkeys(layout.colours, "other")},
        {"marks": dict.fromkeys(named[::2], "acting")},
        *({"primary": offer} for offer in offers[:2]),
        *({"left": [(offer, say("Why?"))]} for offer in offers[:2]),
        {"order": "" if layout.order else "action=sort"},
        {"cards": {}},
    ):
        yield msgspec.structs.replace(layout, **differently)


@pytest.mark.sized
@pytest.mark.parametrize("slug", sorted(discover()))
def test_what_is_kept_is_what_would_be_rendered_now(app: Flask, slug: str, full: bool) -> None:
    """A part names all that it shows: with parts of other versions, seats and tables it is as if nothing were kept."""
    # Files of macros are made once, with what they call: the app's own parts.
    parts, luck = app.jinja_env.globals["cached"].__self__, Random(5)
    parts.most, parts.room = 100_000, 1_000_000_000
    game = RandomGame(app.extensions["companion"].tables, discover()[slug], 3)
    count = 0

    def page(layout: Layout, refused: str) -> Part:
        return render(layout, Refusal(say("Why?")) if refused else None, refused).page

    def page_anew(layout: Layout, refused: str) -> Part:
        kept, parts._things = parts._things, OrderedDict()
        try:
            return page(layout, refused)
        finally:
            parts._things = kept

    looks = (4, 4, 4, 14, 14, 14) if full else (6, 30)
    for steps in looks:
        game.play(steps)
        for seat in luck.sample([*game.seats[:3], RULEKEEPER, SCREEN], 2):
            for layout in variants(lay_out(game.tables.seen(game.table, seat)), luck):
                loose = [offer for offer in layout.offers if offer.fields or offer.grave]
                refused = luck.choice(["", *map(action_query, loose)])
                with app.test_request_context(), speaking(luck.choice(LANGUAGES)):
                    assert page(layout, refused) == page_anew(layout, refused)
                count += 1
    assert count > 33 * len(looks)


def within(part: Part) -> list[Part]:
    return [*part.parts, *chain.from_iterable(map(within, part.parts))]


@pytest.mark.parametrize("slug", sorted(discover()))
def test_a_part_is_one_element_that_is_called_as_no_other(app: Flask, slug: str) -> None:
    game = RandomGame(app.extensions["companion"].tables, discover()[slug], 4)
    for _ in range(12):
        game.play(3)
        for seat in (*game.seats[:2], RULEKEEPER, SCREEN):
            with app.test_request_context():
                fragment = render(lay_out(game.tables.seen(game.table, seat)))
            names = re.findall(r'<[^<>]*?\sid="([^"]*)"', fragment.html)
            assert sorted(set(names)) == sorted(names), "two of one name can not be told apart"
            parts = within(fragment.page)
            assert len(parts) > 10
            for part in parts:
                first = re.match(r'\s*<[a-z]+[^<>]*?\sid="([^"]*)"[^<>]*>', part.html(fragment.of))
                assert first, part.texts[0]
                assert first[1] == part.id
                assert part.texts[-1].rstrip().endswith(">")


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

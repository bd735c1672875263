"""Pictures of people's own where pieces stand and fight: whoever sees a piece is sent its picture, nobody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import create_app
from companion.games.history_of_war import game as history_of_war
from companion.games.pocket_tactics import game as pocket_tactics
from companion.games.tactics_2gm import game as tactics_2gm
from companion.kit.clash import Clash, Combatant, Meeting
from companion.kit.game import SCREEN
from companion.kit.questions import Choose
from companion.kit.ruling import Reason
from companion.kit.text import say
from companion.table.pictures import seen_in
from companion.table.view_models import Asked, Line
from tests.support.export_files import export, opened
from tests.support.phones import Table
from tests.support.picture_positions import FOE, OPEN, PICTURES, SECRET, battle, on_hexagons, struck
from tests.support.pictures import changing, kept, name_of, png, put_on
from tests.support.plain_games import posed
from tests.support.tactics_2gm_positions import code
from tests.web.test_turn import seen

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.game import Game

WATCHING = ("rulekeeper", SCREEN)
NAMED = re.compile(r'="(/t/[^"]+/picture/[0-9a-f]{64})"')


def seated(folder: Path, game: Game[Any], laid: Any, **options: Any) -> Table:
    """A table that begins in a position."""
    app = create_app(folder, games={game.slug: posed(game, laid)})
    app.testing = True
    table = Table(app, game.slug, "typed", **options)
    kept(table.tables, *PICTURES)
    return table


def shown(table: Table, seat: str) -> set[bytes]:
    """The pictures that the page of a seat asks for, each of which it is sent."""
    phone = table.phones.get(seat, table.app.test_client())
    answers = [phone.get(address) for address in set(NAMED.findall(table.get(seat).text))]
    assert all(answer.status_code == 200 for answer in answers)
    return {answer.data for answer in answers}


def may_fetch(table: Table, seat: str, data: bytes) -> bool:
    return table.get(seat, f"/picture/{name_of(data)}").status_code == 200


def test_a_fight_of_before_is_read_without_pictures_and_one_with_them_keeps_them() -> None:
    one = Combatant("a1", "allies", say("infantry"), "infantry")
    written = msgspec.json.encode(one)
    assert b"photo" not in written
    assert msgspec.json.decode(written, type=Combatant) == one
    drawn = replace(one, photo="ab" * 32)
    assert msgspec.json.decode(msgspec.json.encode(drawn), type=Combatant) == drawn


def test_the_pictures_of_all_who_meet_in_a_fight_are_seen_wherever_it_is_read() -> None:
    def one(letter: str) -> Combatant:
        return Combatant(letter, "allies", say("infantry"), "infantry", photo=letter * 64)

    several = Clash("melee", one("a"), None, beside=(Meeting(one("b"), one("c")), Meeting(one("d"))))
    told = Line(7, "2026-01-01T00:00:00Z", "action", "allies", "Ana", say("hit"), (Reason(say("hit"), clash=several),))
    everybody = {letter * 64 for letter in "abcd"}
    assert seen_in(seen(last=told)) == everybody
    assert seen_in(seen(story=told.reasons)) == everybody
    assert seen_in(seen(log=(told,))) == everybody
    assert seen_in(seen(asked=Asked(Choose("k", say("?"), "white", ()), told.reasons))) == everybody
    assert seen_in(seen()) == frozenset()


@pytest.mark.parametrize("seat", ["allies", "axis", *WATCHING])
def test_whoever_sees_a_fight_of_2gm_tactics_is_shown_both_pictures(tmp_path: Path, seat: str) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle())
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    scenes = table.get(seat).text.split('class="opponents"')[1].split('class="trays"')[0]
    assert re.findall(r'class="photo side-(\w+)" src="[^"]+/([0-9a-f]{64})"', scenes) == [
        ("blue", name_of(OPEN)),
        ("red", name_of(FOE)),
    ]
    assert {OPEN, FOE} <= shown(table, seat)
    table.tables.answer(table.id, "allies", {"faces": [10]}, "thrown")
    assert {OPEN, FOE} <= shown(table, seat)
    # What its player holds stays his, whatever has been told.
    for other in ("axis", *WATCHING):
        assert not may_fetch(table, other, SECRET)
    assert may_fetch(table, "allies", SECRET)
    assert SECRET in shown(table, "allies")


@pytest.mark.parametrize("seat", ["blue", "red", *WATCHING])
def test_whoever_sees_a_fight_of_history_of_war_is_shown_both_pictures(tmp_path: Path, seat: str) -> None:
    table = seated(tmp_path, history_of_war.GAME, struck())
    table.act("blue", action="strike")
    scene = table.get(seat).text.split('class="opponents"')[1].split("</div>\n")[0]
    assert name_of(OPEN) in scene
    assert name_of(FOE) in table.get(seat).text.split('class="opponents"')[1]
    assert {OPEN, FOE} <= shown(table, seat)
    assert may_fetch(table, seat, SECRET) == (seat == "blue")


def test_a_card_that_is_played_at_a_unit_shows_its_picture_in_the_fight_and_to_nobody_before(tmp_path: Path) -> None:
    state = battle("x1 tiger f5", hands={"allies": "anti_tank_mine"}, phase="deployment", turn=3, ap=9)
    table = seated(tmp_path, tactics_2gm.GAME, state)
    for seat in ("axis", *WATCHING):
        assert not may_fetch(table, seat, SECRET)
    table.act("allies", action="play_card", card=code(state, "allies", "anti_tank_mine"), unit="x1")
    for seat in ("axis", "rulekeeper"):
        scene = table.get(seat).text.split('class="opponents"')[1].split("</div>\n")[0]
        assert name_of(SECRET) in scene
    for seat in ("allies", "axis", *WATCHING):
        assert may_fetch(table, seat, SECRET)


def test_a_fight_that_is_told_keeps_its_picture_when_the_piece_is_gone(tmp_path: Path) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle("a1 light_infantry d3, x1 heavy_infantry d4 2w"))
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    table.tables.answer(table.id, "allies", {"faces": [10]}, "thrown")
    seen = table.tables.seen(table.id, "allies")
    assert seen.last is not None
    assert all(harm.fate == "gone" for reason in seen.last.reasons for harm in reason.harm)
    for seat in ("allies", "axis", *WATCHING):
        assert FOE in shown(table, seat)
    pictures = opened(export(table.tables, table.id))["contents"]["pictures"]
    assert {one["digest"] for one in pictures} == {name_of(data) for data in (OPEN, FOE, SECRET)}


def test_an_export_has_what_only_a_fight_that_waits_names(tmp_path: Path) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle())
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    contents = opened(export(table.tables, table.id))["contents"]
    assert name_of(FOE) in str(contents["held"])
    assert {one["digest"] for one in contents["pictures"]} >= {name_of(OPEN), name_of(FOE)}


@pytest.mark.parametrize("seat", ["allies", "axis", *WATCHING])
def test_a_piece_on_the_board_of_2gm_tactics_shows_the_picture_of_its_card(tmp_path: Path, seat: str) -> None:
    units = "a1 light_infantry d3 1w, x1 heavy_infantry d4, a2 half_track a1"
    table = seated(tmp_path, tactics_2gm.GAME, battle(units))
    page = table.get(seat).text
    for piece, data, side in (("a1", OPEN, "blue"), ("x1", FOE, "red")):
        drawn = page.split(f'<g id="stands-{piece}"')[1].split("</g></g>")[0]
        assert f"side-{side}" in drawn
        assert f'<image href="/t/{table.id}/{seat}/picture/{name_of(data)}"' in drawn
        order = [drawn.index(mark) for mark in ('"figure"', "<image", '"rim"', '"emblem"')]
        assert order == sorted(order), "the side is told above the picture"
        assert ('"hits-of"' in drawn) == (piece == "a1")
        assert may_fetch(table, seat, data)
    assert "<image" not in page.split('<g id="stands-a2"')[1].split("</g></g>")[0]
    assert "photos.css" in page
    assert may_fetch(table, seat, SECRET) == (seat == "allies")


def test_a_board_without_pictures_loads_no_styles_for_them(tmp_path: Path) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle("a1 half_track d3, x1 half_track d4", hands={}))
    assert "photos.css" not in table.get("axis").text


@pytest.mark.parametrize("seat", ["allies", "axis", *WATCHING])
def test_a_line_of_a_roster_shows_the_picture_too(tmp_path: Path, seat: str) -> None:
    state = battle("a1 light_infantry, x1 heavy_infantry", board="table")
    table = seated(tmp_path, tactics_2gm.GAME, state, board="table")
    assert {OPEN, FOE} <= shown(table, seat)
    line = table.get(seat).text.split('id="lying-a1"' if seat == SCREEN else 'id="unit-a1"')[1].split("</li>")[0]
    assert name_of(OPEN) in line
    assert may_fetch(table, seat, SECRET) == (seat == "allies")


LOST = ("u{medium_tank}.7", "u{heavy_tank}.7")
OF_PILES = {
    "tactics_2gm": (tactics_2gm.GAME, battle, ("axis", "allies"), "discard", ("0.7", "1.7")),
    "history_of_war": (history_of_war.GAME, struck, ("red", "blue"), "scrapyard", LOST),
}
"""A position, whose pile and who holds the picture that is secret, and on that pile two cards with pictures."""


@pytest.mark.parametrize("which", OF_PILES)
def test_the_open_pile_has_the_pictures_of_its_cards_and_the_top_one_beside_its_name(
    tmp_path: Path, which: str
) -> None:
    game, position, (whose, holder), pile, cards = OF_PILES[which]
    state: Any = position()
    units = {card.name: at for at, card in enumerate(state.rosters[whose].unit)}
    table = seated(tmp_path, game, state.with_deck(whose, **{pile: tuple(card.format(**units) for card in cards)}))
    for seat in (whose, holder, "rulekeeper"):
        summary, inside = table.get(seat).text.split('-open">')[1].split("</details>")[0].split("</summary>")
        assert re.findall(r"/([0-9a-f]{64})", summary) == [name_of(FOE)], "the one that was laid last is on top"
        assert re.findall(r"/([0-9a-f]{64})", inside) == [name_of(OPEN), name_of(FOE)]
        assert may_fetch(table, seat, OPEN)
        assert may_fetch(table, seat, SECRET) == (seat == holder)


@pytest.mark.parametrize("seat", ["blue", "red", *WATCHING])
def test_units_of_pocket_tactics_show_their_pictures_on_the_map_and_in_fights(tmp_path: Path, seat: str) -> None:
    table = seated(tmp_path, pocket_tactics.GAME, on_hexagons())
    page = table.get(seat).text
    for piece, data in (("b3.1", OPEN), ("r2.1", FOE)):
        drawn = page.split(f'<g id="stands-{piece}"')[1].split("</g></g>")[0]
        assert f'<image href="/t/{table.id}/{seat}/picture/{name_of(data)}"' in drawn
    assert {OPEN, FOE} <= shown(table, seat)
    table.act("blue", action="assault", unit="b3.1", target="r2.1", kind="melee", skill="melee")
    scene = table.get(seat).text.split('class="opponents"')[1].split('class="trays"')[0]
    assert re.findall(r'class="photo side-\w+" src="[^"]+/([0-9a-f]{64})"', scene) == [name_of(OPEN), name_of(FOE)]
    assert {OPEN, FOE} <= shown(table, seat)


def test_a_picture_comes_to_a_unit_of_pocket_tactics_by_its_form(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"pocket_tactics": pocket_tactics.GAME})
    table = Table(app, "pocket_tactics")
    table.act("blue", action="use_sample", sample="bannermen_sample")
    first, second = png(seed=7), png(seed=8)
    put_on(table.tables, table.id, "blue", "u0", first)
    put_on(table.tables, table.id, "blue", "u0", second)
    field = next(one for one in changing(table.tables, table.id, "blue", "u0").fields if one.kind == "picture")
    assert field.value == name_of(second)
    for seat in ("blue", "red", *WATCHING):  # what factions are made of is no secret
        assert second in shown(table, seat)
        assert not may_fetch(table, seat, first), "it has been replaced"
    assert name_of(second) in table.get("blue", "/print/deck").text

"""Pictures of people's own where pieces stand and fight: whoever sees a piece is sent its picture, nobody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import create_app
from companion.games.history_of_war import game as history_of_war
from companion.games.history_of_war.cards import DECKS
from companion.games.tactics_2gm import game as tactics_2gm
from companion.kit.clash import Combatant
from companion.kit.game import SCREEN
from companion.kit.text import say
from tests.support import history_of_war_positions as war
from tests.support import tactics_2gm_positions as battles
from tests.support.export_files import export, opened
from tests.support.phones import Table
from tests.support.pictures import drawn_on, kept, name_of, png
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.game import Game

INFANTRY, TANK, UNSEEN = (png(seed=seed) for seed in (1, 2, 3))
WATCHING = ("rulekeeper", SCREEN)
NAMED = re.compile(r'="(/t/[^"]+/picture/[0-9a-f]{64})"')


def seated(folder: Path, game: Game[Any], laid: Any, dice: str = "typed") -> Table:
    """A table that begins in a position."""
    app = create_app(folder, games={game.slug: posed(game, laid)})
    app.testing = True
    table = Table(app, game.slug, dice)
    kept(table.tables, INFANTRY, TANK, UNSEEN)
    return table


def battle(units: str = "a1 light_infantry d3, x1 heavy_infantry d4", **more: Any) -> Any:
    """A battle in which the infantry of both sides has pictures, and a tank that the Allies hold."""
    pictures = {"light_infantry": name_of(INFANTRY), "heavy_infantry": name_of(TANK), "m4_sherman": name_of(UNSEEN)}
    state = battles.battle(units, hands={"allies": "m4_sherman"}, **more)
    rosters = {seat: replace(deck, unit=drawn_on(deck.unit, **pictures)) for seat, deck in state.rosters.items()}
    return state.but(rosters=rosters)


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


@pytest.mark.parametrize("seat", ["allies", "axis", *WATCHING])
def test_whoever_sees_a_fight_of_2gm_tactics_is_shown_both_pictures(tmp_path: Path, seat: str) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle())
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    scenes = table.get(seat).text.split('class="opponents"')[1].split('class="trays"')[0]
    assert re.findall(r'class="photo side-(\w+)" src="[^"]+/([0-9a-f]{64})"', scenes) == [
        ("blue", name_of(INFANTRY)),
        ("red", name_of(TANK)),
    ]
    assert {INFANTRY, TANK} <= shown(table, seat)
    table.tables.answer(table.id, "allies", {"faces": [10]}, "thrown")
    assert {INFANTRY, TANK} <= shown(table, seat)
    # What its player holds stays his, whatever has been told.
    for other in ("axis", *WATCHING):
        assert not may_fetch(table, other, UNSEEN)
    assert may_fetch(table, "allies", UNSEEN)
    assert UNSEEN in shown(table, "allies")


def struck() -> Any:
    """History of War, where Blue's tank is about to strike Red's; what both hold has pictures too."""
    pictures = {"medium_tank": name_of(INFANTRY), "heavy_tank": name_of(TANK), "rifle_company": name_of(UNSEEN)}
    rosters = {seat: DECKS[f"{seat}_sample"] for seat in ("blue", "red")}
    decks = {seat: replace(deck, unit=drawn_on(deck.unit, **pictures)) for seat, deck in rosters.items()}
    written, *attacks = ("b medium_tank t1, r heavy_tank t1", "b medium_tank")
    return war.fought(written, *attacks, rosters=decks, hands={"blue": "rifle_company"})


@pytest.mark.parametrize("seat", ["blue", "red", *WATCHING])
def test_whoever_sees_a_fight_of_history_of_war_is_shown_both_pictures(tmp_path: Path, seat: str) -> None:
    table = seated(tmp_path, history_of_war.GAME, struck())
    table.act("blue", action="strike")
    scene = table.get(seat).text.split('class="opponents"')[1].split("</div>\n")[0]
    assert name_of(INFANTRY) in scene
    assert name_of(TANK) in table.get(seat).text.split('class="opponents"')[1]
    assert {INFANTRY, TANK} <= shown(table, seat)
    assert may_fetch(table, seat, UNSEEN) == (seat == "blue")


def test_a_fight_that_is_told_keeps_its_picture_when_the_piece_is_gone(tmp_path: Path) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle("a1 light_infantry d3, x1 heavy_infantry d4 2w"))
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    table.tables.answer(table.id, "allies", {"faces": [10]}, "thrown")
    seen = table.tables.seen(table.id, "allies")
    assert seen.last is not None
    assert all(harm.fate == "gone" for reason in seen.last.reasons for harm in reason.harm)
    for seat in ("allies", "axis", *WATCHING):
        assert TANK in shown(table, seat)
    pictures = opened(export(table.tables, table.id))["contents"]["pictures"]
    assert {one["digest"] for one in pictures} == {name_of(data) for data in (INFANTRY, TANK, UNSEEN)}


def test_an_export_has_what_only_a_fight_that_waits_names(tmp_path: Path) -> None:
    table = seated(tmp_path, tactics_2gm.GAME, battle())
    table.act("allies", action="fire", unit="a1", weapon="w0", target="x1")
    contents = opened(export(table.tables, table.id))["contents"]
    assert name_of(TANK) in str(contents["held"])
    assert {one["digest"] for one in contents["pictures"]} >= {name_of(INFANTRY), name_of(TANK)}

"""A defender decides without opening anything: ten situations of each game, on the smallest phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.sync_api import expect

from companion.games import discover
from companion.games.history_of_war.strike import Strike
from companion.games.tactics_2gm.air import Bomb, Sortie
from companion.kit.questions import Choose
from tests.browser.phones import Sitting, serving
from tests.browser.walk import RandomTable, measured
from tests.support import tactics_2gm_positions as tactics
from tests.support.answers import noted, unsaid
from tests.support.defenders import OF_EACH, PLAYED, defends, situations
from tests.support.history_of_war_positions import fought
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.action import Action
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
FEW = 2
STRUCK = (
    ("b medium_tank t1, r heavy_tank t1", "b medium_tank"),
    ("b heavy_tank t1, r medium_tank t1", "b heavy_tank"),
    ("b rifle_company t1, r rifle_company t1", "b rifle_company"),
    ("b medium_tank t1, r heavy_tank t1 2d", "b medium_tank"),
    ("b medium_tank t2, r motorised_company t2, r heavy_tank t3", "b medium_tank"),
    ("b medium_tank t1, b rifle_company t1, r motorised_company t1", "b medium_tank", "b rifle_company"),
    ("b rifle_company t1, b fighter_wing t1, r motorised_company t1", "b rifle_company", "b fighter_wing"),
    (
        "b medium_tank t1, b fighter_wing t1, b rifle_company t1, r flak_battery t1",
        "b rifle_company < r flak_battery",
        "b fighter_wing",
        "b medium_tank",
    ),
    ("b medium_tank t1, r heavy_tank t1 +veteran_crews", "b medium_tank"),
    ("b heavy_tank t1, b medium_tank t1, r heavy_tank t1", "b heavy_tank", "b medium_tank"),
)
"""What lies in territories of History of War, and which of Blue attack; then damage is dealt, and Red may answer."""
BOMBED = (
    ("x1 light_infantry d4, x2 flak_gun h4", "x1"),
    ("x1 light_infantry d4, x2 flak_gun h4, x3 flak_gun h3", "x1"),
    ("x1 heavy_infantry d4, x2 flak_gun d5", "x1"),
    ("x1 light_infantry d4, x2 fighter_plane", "x1"),
    ("x1 light_infantry d4, x2 fighter_plane, x3 flak_gun d5", "x1"),
    ("x1 tiger h6, x2 flak_gun h5", "x2"),
)
FLOWN = (
    "a1 fighter_plane, a2 fighter_plane, x1 light_infantry d4, x2 flak_gun d5, x3 flak_gun d6",
    "a1 fighter_plane, x1 light_infantry d4, x2 fighter_plane",
    "a1 fighter_plane, x1 heavy_infantry d4, x2 fighter_plane, x3 flak_gun d5",
    "a1 fighter_plane, x1 light_infantry d4 2w, x2 flak_gun h4",
)
"""Battles of 2GM Tactics in which the Allies bomb or send a fighter at x1, and the Axis defend what they can reach."""


def struck() -> list[tuple[Any, str, Action]]:
    return [(fought(*one), "blue", Strike()) for one in STRUCK]


def flown_at() -> list[tuple[Any, str, Action]]:
    found: list[tuple[Any, str, Action]] = []
    for written, target in BOMBED:
        state = tactics.battle(written, hands={"allies": "bomber_plane"}, phase="deployment")
        found.append((state, "allies", Bomb(tactics.code(state, "allies", "bomber_plane"), target)))
    return found + [(tactics.battle(written), "allies", Sortie("a1", "x1")) for written in FLOWN]


STAGED = {"history_of_war": struck, "tactics_2gm": flown_at}


def look(phones: Phones, sitting: Sitting, game: str, seat: str, which: object) -> None:
    """Look at what a defender sees: who meets whom, the question, and each answer with what follows."""
    seen = sitting.tables.seen(sitting.table, seat)
    assert seen.asked is not None, which
    question = seen.asked.question
    assert isinstance(question, Choose), which
    assert unsaid(game, question) == set(), which
    phone = phones("es", viewport=SMALL, reduced_motion="reduce").open(sitting.link(seat))
    phone.sees(sitting.version())
    phone.answered()
    expect(phone.at("form[inert]")).to_have_count(0)
    scene = phone.at("#clash-now")
    expect(scene).to_be_attached()
    if scene.get_attribute("open") is not None:  # where squares are asked for, the board is seen
        expect(scene.locator(".fighter").first).to_be_in_viewport(ratio=1)
    expect(phone.asked.first).to_be_visible()
    assert [found for _, found in measured(phone, str(which), set(), noted(question))] == [], which
    phone.context.close()


def decide(served: Serving, phones: Phones, game: str, which: slice) -> None:
    for one in situations(game)[which]:
        table = RandomTable(served, discover()[game], one.seed)
        table.play(one.steps)
        seen = defends(table)
        assert seen is not None
        assert seen.asked is not None
        assert (seen.seat, seen.asked.question.key) == (one.seat, one.key), "record them anew"
        look(phones, table.sitting, game, one.seat, one)


def decide_staged(folder: Path, phones: Phones, game: str, which: slice) -> None:
    made = discover()[game]
    for at, (state, seat, action) in list(enumerate(STAGED[game]()))[which]:
        with serving(folder / str(at), {game: posed(made, state)}) as served:
            table = served.tables.create(game, "", {}, {"rulekeeper": "Ruth"}, "app")
            seats = [role.id for role in made.roles(state.options)]
            tokens = {one: served.tables.join(table.table, one, one) for one in seats}
            sitting = Sitting(served, table.table, {**table.tokens, **tokens})
            sent = msgspec.to_builtins(action)
            sitting.act(seat, sent.pop("action"), **sent)
            look(phones, sitting, game, next(one for one in seats if one != seat), at)


@pytest.mark.parametrize("game", PLAYED)
def test_a_defender_decides_without_opening_anything(served: Serving, phones: Phones, game: str) -> None:
    decide(served, phones, game, slice(FEW))


@pytest.mark.parametrize("game", STAGED)
def test_a_defender_of_a_position_decides_without_opening_anything(tmp_path: Path, phones: Phones, game: str) -> None:
    decide_staged(tmp_path, phones, game, slice(FEW))


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYED)
def test_defenders_decide_in_ten_situations(served: Serving, phones: Phones, game: str) -> None:
    assert len(situations(game)) == OF_EACH
    decide(served, phones, game, slice(FEW, None))


@pytest.mark.long
@pytest.mark.parametrize("game", STAGED)
def test_defenders_decide_in_ten_positions(tmp_path: Path, phones: Phones, game: str) -> None:
    assert len(STAGED[game]()) == OF_EACH
    decide_staged(tmp_path, phones, game, slice(FEW, None))

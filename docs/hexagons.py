"""The pictures of Pocket-Tactics: building the map, the odds of an assault, the dice, a screen for all."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import State
from docs.camera import keep, on_three_sizes, phone
from tests.browser.phones import WIDE, Sitting, serving
from tests.support.plain_games import posed
from tests.support.pocket_tactics_positions import game

if TYPE_CHECKING:
    from playwright.sync_api import Browser


GROUND = (
    "m2 forest, l2 hills, n2 field, m3 village, l3 forest, n3 water, m4 cave, l4 ice, n4 forest, m5 hills, l5 swamp, "
    "n5 field, m6 labyrinth, k3 forest, k4 village"
)
UNITS = (
    "b spear_guard m2, b blade_guard l3, b bowman l2, b levy k3, b ember_mage m3, r bulwark l4, r prowler m4, "
    "r ravager n4, r outrider n5, r hedge_witch m6"
)
DICE = {
    "attacker_offence": [6, 4, 2],
    "attacker_defence": [5, 3],
    "defender_offence": [5, 2, 1],
    "defender_defence": [6, 3, 3],
}
"""What comes up in the picture of an assault."""


def _set(folder: str, state: State) -> Any:
    """Serve tables that are set up as the picture needs it."""

    return serving(Path(folder), {GAME.slug: posed(GAME, state)})


def _sit(served: Any) -> Sitting:
    made = served.tables.create(GAME.slug, "", {}, {"rulekeeper": "Ruth"}, "ask")
    tokens = dict(made.tokens)
    for seat, name in (("blue", "Ana"), ("red", "Ben")):
        tokens[seat] = served.tables.join(made.table, seat, name)
    return Sitting(served, made.table, tokens)


def shoot_hexagons(browser: Browser, tongue: str, folder: Path) -> None:
    """Take the pictures of Pocket-Tactics in one language."""
    laid = game(UNITS, ground=GROUND, bases="m1 m7")
    tiles = [tile for tile in laid.tiles if tile.at not in {"m6", "n5", "l5", "m5"}]
    building = game(ground=GROUND, bases="m1 m7").but(
        tiles=tuple(tiles), bases={"blue": "m1"}, phase="tiles", drawn=7, left=(0, 2, 3)
    )
    with tempfile.TemporaryDirectory() as kept, _set(kept, building) as served:
        ana = phone(browser, tongue).open(_sit(served).link("blue"))
        keep(ana, folder, "tiles-phone", tongue)
        ana.context.close()
    with tempfile.TemporaryDirectory() as kept, _set(kept, laid) as served:
        sitting = _sit(served)
        ana = phone(browser, tongue).open(sitting.link("blue"))
        ana.pick("b3.1")
        ana.at(".reach a.fight").first.click()
        expect(ana.at("#plan .main")).to_be_visible()
        keep(ana, folder, "assault-phone", tongue)
        if tongue == "en":
            on_three_sizes(browser, sitting.link("blue"), folder, "pocket-tactics", "b3.1")
        sitting.act("blue", "assault", unit="b3.1", target="r2.1", kind="melee", skill="melee")
        for faces in DICE.values():
            asked = sitting.tables.seen(sitting.table, "blue").asked or sitting.tables.seen(sitting.table, "red").asked
            sitting.answer(asked.seat, faces=faces)
        ana.open(sitting.link("blue"))
        keep(ana, folder, "duel-phone", tongue)
        screen = phone(browser, tongue, "dark", viewport=WIDE, device_scale_factor=1).open(sitting.link("screen"))
        keep(screen, folder, "hexes", tongue)
        for one in (ana, screen):
            one.context.close()

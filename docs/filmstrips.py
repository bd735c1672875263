"""Take a filmstrip of a fight of each game, on a phone and on the shared screen: ``python docs/filmstrips.py``.

Eight frames: before, what is asked, the roll as it falls, what came of it, and the table after it.
"""

from __future__ import annotations

import sys
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import msgspec  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

from companion.games.chesswar.combat import Attack as Melee  # noqa: E402
from companion.games.chesswar.game import GAME as CHESSWAR  # noqa: E402
from companion.games.history_of_war.game import GAME as HISTORY_OF_WAR  # noqa: E402
from companion.games.history_of_war.strike import Strike  # noqa: E402
from companion.games.pocket_tactics.assault import Assault  # noqa: E402
from companion.games.pocket_tactics.game import GAME as POCKET_TACTICS  # noqa: E402
from companion.games.tactics_2gm.fire import Fire  # noqa: E402
from companion.games.tactics_2gm.game import GAME as TACTICS_2GM  # noqa: E402
from companion.games.two_cities.attack import Attack  # noqa: E402
from companion.games.two_cities.game import GAME as TWO_CITIES  # noqa: E402
from companion.kit.questions import Throw  # noqa: E402
from docs.camera import phone  # noqa: E402
from docs.hexagons import GROUND, UNITS  # noqa: E402
from tests.browser.phones import ARGUMENTS, WIDE, Sitting, installed, serving  # noqa: E402
from tests.support import (  # noqa: E402
    chesswar_positions,
    history_of_war_positions,
    pocket_tactics_positions,
    tactics_2gm_positions,
    two_cities_positions,
)
from tests.support.plain_games import posed  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, Page

    from companion.kit.action import Action
    from companion.kit.game import Game

MOMENTS = (60, 180, 320, 600)
"""Milliseconds after the last roll at which it is seen."""
BLOW = (60, 180, 320, 450, 600)
"""Milliseconds after a blow without dice."""
AT = "(at) => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = at; })"
GO_ON = "() => document.getAnimations().forEach((one) => one.finish())"


class Fight(NamedTuple):
    """A fight: the position, who does what with whom watching, and the dice and choices in the order asked."""

    game: Game[Any]
    state: Any
    seats: tuple[str, str]
    watched: str
    action: Action
    dice: Sequence[Sequence[int]] = ()
    choices: Sequence[str] = ()


def fights() -> dict[str, Fight]:
    """Return a fight of each game, by the name of its pictures."""
    cities = "w1 hi d4, w2 lc c3, w3 ar e2, w4 li f4, b1 lc d5 1, b2 hi e5, b3 ar c7, b4 li g5 1, wc ci d1, bc ci d8"
    war = "w1 hp d4, w2 hn e4, w3 hb c3, b1 op d5, b2 on f5, b3 or c7, w1>b1"
    front = "a1 light_infantry d3, a2 m4_sherman e2, x1 light_infantry d4, x2 tiger e6, x3 flak_gun c6"
    laid = pocket_tactics_positions.game(UNITS, ground=GROUND, bases="m1 m7")
    struck = history_of_war_positions.fought(
        "b medium_tank t1, b rifle_company t2, r motorised_company t1, r heavy_tank t3",
        "b medium_tank < r motorised_company",
    )
    battle = tactics_2gm_positions.battle(front, hands={"axis": "medic"})
    black_and_white = ("white", "black")
    return {
        "two-cities": Fight(
            TWO_CITIES,
            two_cities_positions.playing(cities, "10S"),
            black_and_white,
            "black",
            Attack("w1", "b1"),
            [[1, 4, 2, 6, 3, 4]],
            ["no", "formation_hit"],
        ),
        "chesswar": Fight(
            CHESSWAR,
            chesswar_positions.position(f"{chesswar_positions.KINGS}, {war}", phase="combat"),
            black_and_white,
            "black",
            Melee("w1", "b1"),
            [[5], [2]],
        ),
        "tactics-2gm": Fight(TACTICS_2GM, battle, ("allies", "axis"), "allies", Fire("a1", "w0", "x1"), [[9]]),
        "pocket-tactics": Fight(
            POCKET_TACTICS,
            laid,
            ("blue", "red"),
            "red",
            Assault(unit="b3.1", target="r2.1", kind="melee", skill="melee"),
            [[6, 4, 2], [5, 3], [5, 2, 1], [6, 3, 3], [5]],
            ["pass"] * 4,
        ),
        "history-of-war": Fight(HISTORY_OF_WAR, struck, ("blue", "red"), "red", Strike()),
    }


def film(browser: Browser, name: str, fight: Fight, folder: Path) -> None:
    """Keep a filmstrip of a fight on a phone, and one on the shared screen."""
    with tempfile.TemporaryDirectory() as data:
        games = {fight.game.slug: posed(fight.game, fight.state)}
        with serving(Path(data), games) as served:
            made = served.tables.create(fight.game.slug, "", {}, {"rulekeeper": "Ruth"}, "typed")
            tokens = dict(made.tokens)
            for seat, person in zip(fight.seats, ("Ana", "Ben"), strict=True):
                tokens[seat] = served.tables.join(made.table, seat, person)
            sitting = Sitting(served, made.table, tokens)
            moving = {"reduced_motion": "no-preference", "device_scale_factor": 1}
            shown = (
                phone(browser, "en", **moving).open(sitting.link(fight.watched)),
                phone(browser, "en", "dark", viewport=WIDE, **moving).open(sitting.link("screen")),
            )
            frames = Film(sitting, fight, shown).take()
            for one, size, pictures in zip(("phone", "screen"), ("195px", "480px"), frames, strict=True):
                _join(browser, pictures, size, folder / f"clash-{name}-{one}.png")
            for one in shown:
                one.context.close()


class Film:
    """Take the frames of a fight, from a phone and from the shared screen."""

    def __init__(self, sitting: Sitting, fight: Fight, shown: Sequence[Any]) -> None:
        self.sitting, self.fight, self.shown = sitting, fight, shown
        self.frames: tuple[list[bytes], ...] = ([], [])

    def look(self) -> None:
        """Take a frame of what is seen once nothing moves."""
        for taken, one in zip(self.frames, self.shown, strict=True):
            one.sees(self.sitting.version())
            one.page.evaluate(GO_ON)
            taken.append(one.page.screenshot())

    def fall(self) -> None:
        """Take frames of what moves."""
        for taken, one in zip(self.frames, self.shown, strict=True):
            one.sees(self.sitting.version())
            for moment in MOMENTS if self.fight.dice else BLOW:
                one.page.evaluate(AT, moment)
                taken.append(one.page.screenshot())

    def asked(self) -> Any:
        """Return what is asked now, of whom, and None where nothing is."""
        seens = (self.sitting.tables.seen(self.sitting.table, seat) for seat in self.fight.seats)
        return next((seen.asked for seen in seens if seen.asked), None)

    def take(self) -> tuple[list[bytes], ...]:
        """Take all of them."""
        sitting, fight = self.sitting, self.fight
        self.look()
        sent = msgspec.to_builtins(fight.action)
        sitting.act(_acting(sitting, fight), sent.pop("action"), **sent)
        if self.asked():
            self.look()
        rolls, choices = [*fight.dice], iter(fight.choices)
        while asked := self.asked():
            if isinstance(asked.question, Throw):
                for one in self.shown:
                    one.sees(sitting.version())
                sitting.answer(asked.seat, faces=rolls.pop(0))
                if not rolls:
                    self.fall()
            else:
                free = [option.value for option in asked.question.options if option.barred is None]
                sitting.answer(asked.seat, value=next(choices, free[0]))
        if not fight.dice:
            self.fall()
        self.look()
        expect(self.shown[0].at(".is-fresh")).to_have_count(0)
        self.look()
        return self.frames


def _acting(sitting: Sitting, fight: Fight) -> str:
    """Name who does it: the seat to which it is offered."""
    kind = msgspec.to_builtins(fight.action)["action"]
    return next(
        seat
        for seat in fight.seats
        if any(offer.action == kind for offer in sitting.tables.seen(sitting.table, seat).offers)
    )


def _join(browser: Browser, frames: Sequence[bytes], width: str, to: Path) -> None:
    page: Page = browser.new_page(viewport={"width": 8 * 201 if width == "195px" else 4 * 486, "height": 100})
    pictures = "".join(f'<img src="data:image/png;base64,{b64encode(one).decode()}">' for one in frames)
    style = f"body {{ margin: 0; display: flex; flex-wrap: wrap; gap: 6px; background: #888 }} img {{ width: {width} }}"
    page.set_content(f"<style>{style}</style>{pictures}", wait_until="load")
    page.screenshot(path=to, full_page=True)
    page.close()


def main() -> None:
    """Take all filmstrips."""
    folder = HERE / "screenshots"
    path = installed()
    if path is None:
        sys.exit("No browser is installed.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name, fight in fights().items():
            film(browser, name, fight, folder)
        browser.close()


if __name__ == "__main__":
    main()

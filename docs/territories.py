"""The pictures of History of War: the flag board, building face down, sharing damage out, the shared screen."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from companion.games.history_of_war.cards import DECKS
from docs.camera import keep, on_three_sizes, phone, settle, sit
from tests.browser.phones import WIDE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving, Sitting

LAID = {
    "blue": {"medium_tank": "t4", "rifle_company": "t4", "bomber_wing": "t2", "battleship": "t1", "fighter_wing": ""},
    "red": {
        "flak_battery": "t4",
        "heavy_tank": "t2",
        "destroyer": "t1",
        "motorised_company": "t4",
        "field_workshop": "",
    },
}
"""Cards in play, and the territories that they lie in."""
BASES = ("steel_works", "power_plant")
HAND = ("medium_tank", "rifle_company", "bunker_line", "veteran_crews", "sudden_storm")


def opened(served: Serving) -> Sitting:
    """Set a table of History of War up, up to its first round."""
    sitting = sit(served, "history_of_war", *LAID)
    for seat in LAID:
        sitting.act(seat, "ready")
    settle(sitting, tuple(LAID), -1)
    for seat in LAID:
        sitting.act(seat, "keep")
    return sitting


def lay(sitting: Sitting) -> dict[str, str]:
    """Put the cards of the picture into play; returns them by name, Blue's hand too."""
    found, ids = {}, count(1)
    for seat, cards in LAID.items():
        numbers = {card.name: number for number, card in DECKS[f"{seat}_sample"].numbered.items()}
        hand = ",".join(f"{numbers[name]}.1" for name in HAND)
        sitting.tables.correct(sitting.table, seat, f"cards.{seat}.hand", hand, sitting.serving.key())
        for name, territory in (cards | dict.fromkeys(BASES, "")).items():
            code = f"{numbers[name]}.0"
            sitting.tables.correct(sitting.table, seat, f"cards.{seat}.enter", code, sitting.serving.key())
            # The table calls cards in the order in which they come into play.
            found[f"{seat} {name}"] = card = f"c{next(ids)}"
            if territory:
                sitting.correct(f"card.{card}.place", territory)
        if seat == "blue":
            found |= {f"hand {name}": f"{numbers[name]}.1" for name in HAND}
    return found


def shoot_territories(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take the pictures of History of War in one language."""
    sitting = opened(served)
    cards = lay(sitting)
    if sitting.tracked()["game.attacker"] != "blue":
        sitting.correct("game.attacker", "blue")
    sitting.correct("game.phase", "construction")
    sitting.act("blue", "lay_down", card=cards["hand rifle_company"])
    ana = phone(browser, tongue).open(sitting.link("blue"))
    ana.at(f"label[for^='card-'][for$='-{cards['hand bunker_line']}']").click()
    keep(ana, folder, "build-phone", tongue)
    if tongue == "en":
        on_three_sizes(browser, sitting.link("blue"), folder, "history-of-war")
    sitting.correct("game.phase", "attacker_attack")
    sitting.act("blue", "attack", unit=cards["blue battleship"])
    screen = phone(browser, tongue, "dark", viewport=WIDE, device_scale_factor=1).open(sitting.link("screen"))
    keep(screen, folder, "territories", tongue)
    ana.open(sitting.link("blue"))
    keep(ana, folder, "flags-phone", tongue)
    sitting.act("blue", "attack", unit=cards["blue medium_tank"])
    sitting.act("blue", "done")
    for name in ("flak_battery", "motorised_company"):
        sitting.act("red", "block", unit=cards[f"red {name}"], attacker=cards["blue medium_tank"])
    sitting.act("red", "done")
    ana.open(sitting.link("blue"))
    ana.at(f"[id='lying-{cards['blue medium_tank']}'] > summary").click()
    ana.at(f"[id='lying-{cards['blue medium_tank']}'] a.button").first.click()
    expect(ana.at("#plan [name='f.to_1']")).to_be_visible()
    keep(ana, folder, "damage-phone", tongue)
    for one in (ana, screen):
        one.context.close()

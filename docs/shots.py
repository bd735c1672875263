"""Take the pictures of the documentation from the running product: ``python docs/shots.py``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from playwright.sync_api import expect, sync_playwright  # noqa: E402

from companion.games.tactics_2gm.cards import DECKS  # noqa: E402
from docs.camera import keep, on_three_sizes, phone, settle, sit  # noqa: E402
from docs.hexagons import shoot_hexagons  # noqa: E402
from docs.past import shoot_past  # noqa: E402
from docs.territories import shoot_territories  # noqa: E402
from tests.browser.phones import ARGUMENTS, WIDE, Sitting, installed, serving  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.phones import Serving

POSITION = {
    "wa": "b4",
    "wb": "c6",
    "wc": "d5",
    "we": "e3",
    "wf": "f4",
    "wg": "g2",
    "wh": "h3",
    "ba": "a7",
    "bb": "d6",
    "bc": "b7",
    "be": "e7",
    "bf": "f7",
    "bg": "g6",
}
TERRAIN = {"forest.1": "c3", "forest.2": "f6", "hill.1": "e3", "hill.2": "b6"}
HITS = {"wa": 1, "bc": 2, "bb": 1, "bd": 1, "bg": 1}


def middle(served: Serving) -> Sitting:
    """Set a table up in the middle of a game."""
    sitting = served.sit(dice="app").begin()
    for unit, square in POSITION.items():
        sitting.correct(f"unit.{unit}.square", square)
    for place, square in TERRAIN.items():
        sitting.correct(f"terrain.{place}", square)
    for unit, hits in HITS.items():
        sitting.correct(f"unit.{unit}.hits", str(hits))
    sitting.correct("cards.white", "10S,3H,AH")
    for seat, card in (("white", "AH"), ("black", "AS")):
        sitting.act(seat, "play_card", card=card)
        sitting.act(seat, "end_turn")
    return sitting


def shoot(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take every picture in one language."""
    sitting = middle(served)
    ana = phone(browser, tongue).open(sitting.link("white"))
    sitting.act("white", "play_card", card="10S")
    ana.sees(sitting.version())
    ana.pick("wc")
    keep(ana, folder, "play-phone", tongue)
    if tongue == "en":
        on_three_sizes(browser, sitting.link("white"), folder, "two-cities", "wc")
    ana.odds("wc")
    screen = phone(browser, tongue, viewport=WIDE, device_scale_factor=1).open(sitting.link("screen"))
    ana.at("#plan button.main").click()
    ben = phone(browser, tongue, "dark").open(sitting.link("black"))
    while ben.asked.count():
        before = str(sitting.version())
        ben.asked.first.click()
        expect(ben.at("#state")).not_to_have_attribute("data-version", before)
    keep(screen, folder, "screen", tongue)
    for one in (ana, ben, screen):
        one.context.close()


ARMIES = {
    "white": {"army": "orcs", "queen": 1, "rook": 2, "bishop": 3, "knight": 2, "pawn": 4},
    "black": {"army": "humans", "queen": 2, "rook": 2, "bishop": 4, "knight": 3, "pawn": 1},
}
FRONT = {"wp1": "d4", "wp2": "e4", "wn1": "g4", "wr1": "c4", "bn1": "d5", "bn2": "g5", "bp1": "f5"}


def shoot_war(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take the pictures of the second game in one language: an army raised, a battle, and where a stone may fall."""
    sitting = served.sit(game="chesswar", race="secret")
    ana = phone(browser, tongue).open(sitting.link("white"))
    ana.planned("action%3Draise_army").first.click()
    ana.at("#plan [name='f.army'][value='orcs'] + label").click()
    expect(ana.at("#plan [name='f.army'][value='orcs']")).to_be_checked()
    for piece, count in {"queen": 1, "rook": 2, "bishop": 3}.items():
        for _ in range(count):
            ana.at(f"#plan .steps:has([name='f.{piece}']) [data-step='1']").click()
    keep(ana, folder, "army-phone", tongue)
    for seat, army in ARMIES.items():
        sitting.act(seat, "raise_army", **army)
        sitting.act(seat, "ready")
    sitting.act("white", "ready")
    for unit, square in FRONT.items():
        sitting.correct(f"unit.{unit}.square", square)
    sitting.act("black", "charge", unit="bn1", target="wp1")
    for _ in range(3):
        sitting.act("black", "end_phase")
    ana.open(sitting.link("white"))
    ana.pick("wn1")
    keep(ana, folder, "march-phone", tongue)
    if tongue == "en":
        on_three_sizes(browser, sitting.link("white"), folder, "chesswar", "wn1")
    sitting.act("white", "end_phase")
    ana.open(sitting.link("white"))
    ana.pick("wr1")
    ana.at(".reach a[href*='%26square%3De5']:visible").click()
    expect(ana.at("#plan .heat").first).to_be_visible()
    keep(ana, folder, "heat-phone", tongue)
    ana.context.close()


HANDS = {
    "allies": (
        "m4_sherman",
        "heavy_infantry",
        "light_infantry",
        "command_group",
        "half_track",
        "bomber_plane",
        "medic",
    ),
    "axis": ("tiger", "heavy_infantry", "light_infantry", "anti_tank_gun", "flak_gun"),
}
LINES = {
    "allies": {"m4_sherman": "d1", "heavy_infantry": "e1", "light_infantry": "c1", "command_group": "f1"},
    "axis": {"tiger": "d6", "heavy_infantry": "e6", "light_infantry": "g6", "anti_tank_gun": "b6"},
}
FORWARD = {"u1": "d5", "u2": "e4", "u6": "d3"}
AP = 8


def begin_battle(sitting: Sitting) -> None:
    """Bid nothing, let the Axis begin, and keep the first hands."""
    for seat in LINES:
        sitting.act(seat, "ready")
    settle(sitting, tuple(LINES), first="axis")
    for seat in LINES:
        sitting.act(seat, "keep")


def take(sitting: Sitting, seat: str) -> dict[str, str]:
    """Take the income of a turn and the cards of the picture in hand; returns them by name."""
    sitting.act(seat, "income")
    names = [card.name for card in DECKS[f"{seat}_sample"].cards]
    cards = {name: f"{names.index(name)}.0" for name in HANDS[seat]}
    sitting.tables.correct(sitting.table, seat, f"cards.{seat}.hand", ",".join(cards.values()), sitting.serving.key())
    return cards


def deploy(sitting: Sitting, seat: str, cards: dict[str, str]) -> None:
    """Deploy the units of the picture."""
    for name, square in LINES[seat].items():
        if name not in cards:
            continue
        if sitting.tracked()[f"game.ap.{seat}"] != AP:
            sitting.correct(f"game.ap.{seat}", str(AP))
        slots = ["hmg"] if name == "heavy_infantry" else []
        sitting.act(seat, "deploy", card=cards[name], to=square, equipment=slots)


PAPER = {"width": 734, "height": 1063}
"""A sheet of A4 without its margins."""


def shoot_sheet(browser: Browser, sitting: Sitting, folder: Path) -> None:
    """Take the picture of a sheet of printed cards: one where several kinds of them lie."""
    ana = phone(browser, "en", viewport=PAPER, device_scale_factor=1).open(sitting.link("allies"))
    ana.open(sitting.page("allies", "/print/deck"))
    ana.page.emulate_media(media="print")
    ana.at(".card-sheet").nth(3).screenshot(path=folder / "printed-cards-en.png")
    ana.context.close()


def shoot_front(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take the pictures of 2GM Tactics in one language: a deck, the hand when it is deployed, a shot and its odds."""
    sitting = sit(served, "tactics_2gm", *LINES)
    ana = phone(browser, tongue).open(sitting.link("allies"))
    keep(ana, folder, "deck-phone", tongue)
    if tongue == "en":
        shoot_sheet(browser, sitting, folder)
    begin_battle(sitting)
    deploy(sitting, "axis", take(sitting, "axis"))
    while sitting.tables.seen(sitting.table, "axis").view.to_move == ("axis",):
        sitting.act("axis", "end_phase")
    cards = take(sitting, "allies")
    sitting.act("allies", "deploy", card=cards.pop("light_infantry"), to=LINES["allies"]["light_infantry"])
    ana.open(sitting.link("allies"))
    ana.at(f"label[for^='card-'][for$='-{cards['m4_sherman']}']").click()
    keep(ana, folder, "deploy-phone", tongue)
    if tongue == "en":
        on_three_sizes(browser, sitting.link("allies"), folder, "tactics-2gm")
    deploy(sitting, "allies", cards)
    for unit, square in FORWARD.items():
        sitting.correct(f"unit.{unit}.square", square)
    sitting.act("allies", "end_phase")
    ana.open(sitting.link("allies"))
    ana.pick("u6")
    ana.at(".reach a[href*='%26target%3Du2']:visible").first.click()
    expect(ana.at("#plan button.main")).to_be_visible()
    keep(ana, folder, "shot-phone", tongue)
    screen = phone(browser, tongue, "dark", viewport=WIDE, device_scale_factor=1).open(sitting.link("screen"))
    keep(screen, folder, "front", tongue)
    for one in (ana, screen):
        one.context.close()


def shoot_tools(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take the pictures of what needs no game: dice, a comparison, cards on a phone, a free table."""
    ana = phone(browser, tongue).open(f"{served.address}/dice?n=4d6kh3")
    keep(ana, folder, "dice-phone", tongue)
    ana.open(f"{served.address}/quick/two_cities/melee/compare?b.attacker_terrain=forest")
    keep(ana, folder, "compare-phone", tongue)
    cards = served.free("Ana", "Ben", "Eva", begin="cards")
    cards.act("player_1", "deal", tracker="t1", count=8, to=["player_1", "player_2", "player_3"])
    cards.act("player_2", "turn_up", tracker="t1")
    ana.open(cards.link("player_1"))
    ana.at(".spread label.card").nth(2).click()
    keep(ana, folder, "cards-phone", tongue)
    free = served.free("Ana", "Ben", "Eva", begin="wargame")
    for seat, spent in (("player_1", 2), ("player_2", 1)):
        free.act(seat, "income", tracker="t2", line=seat)
        free.act(seat, "spend", tracker="t2", line=seat, points=spent)
        free.act(seat, "count", tracker="t3", line=seat, by=spent)
        free.act(seat, "claim", tracker="t4", place=str(spent), owner=seat)
    free.act("player_3", "roll", tracker="t5", dice="4d6kh3")
    ben = phone(browser, tongue, "dark", viewport=WIDE, device_scale_factor=1).open(free.link("player_2"))
    keep(ben, folder, "free-table", tongue)
    if tongue == "en":
        on_three_sizes(browser, free.link("player_2"), folder, "free-table")
    for one in (ana, ben):
        one.context.close()


def shoot_ways_in(browser: Browser, tongue: str, folder: Path) -> None:
    """Take the pictures of how people come in, where there is one table: the laptop's first page, and a phone's."""
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as served:
        _shoot_ways_in(browser, served, tongue, folder)


def _shoot_ways_in(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    sitting = served.sit().begin()
    sitting.tables.retitle(sitting.table, "rulekeeper", {"en": "Saturday", "es": "El sábado"}[tongue], served.key())
    laptop = phone(browser, tongue, viewport=WIDE, device_scale_factor=1).open(served.host_link)
    laptop.open(f"{served.address}/host/wifi")
    laptop.at("[name='name']").fill({"en": "Home", "es": "Casa"}[tongue])
    laptop.at("[name='password']").fill("dice;and,cards")
    laptop.at("form .button.main").first.click()
    laptop.open(served.address)
    keep(laptop, folder, "laptop-first", tongue)
    ana = phone(browser, tongue).open(sitting.link("white")).open(served.address)
    keep(ana, folder, "first-phone", tongue)
    ana.open(sitting.page("white", "/mine"))
    keep(ana, folder, "my-seat-phone", tongue)
    for one in (laptop, ana):
        one.context.close()


def main() -> None:
    """Take all pictures in both languages."""
    folder = HERE / "screenshots"
    folder.mkdir(exist_ok=True)
    path = installed()
    if path is None:
        sys.exit("No browser is installed.")
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for tongue in ("en", "es"):
            shoot(browser, served, tongue, folder)
            shoot_war(browser, served, tongue, folder)
            shoot_front(browser, served, tongue, folder)
            shoot_territories(browser, served, tongue, folder)
            shoot_hexagons(browser, tongue, folder)
            shoot_tools(browser, served, tongue, folder)
            shoot_ways_in(browser, tongue, folder)
            shoot_past(browser, middle(served), tongue, folder)
        browser.close()


if __name__ == "__main__":
    main()

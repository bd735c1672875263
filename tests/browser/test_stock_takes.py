"""Taking stock on a phone: a tap for each line that is right, and what lies otherwise is set at once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games import discover
from companion.kit.correction import written
from companion.kit.game import SCREEN
from companion.kit.panels import Hand, Phases, Piles, Tracker
from companion.kit.stock_take import settable
from tests.browser.finger import SMALL
from tests.browser.walk import RandomTable
from tests.support.real_tables import MOST, compared, differing
from tests.support.sizes import first

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

DIFFERENCES = 20
LINES = ".stock-line"
MID_GAME: dict[str, tuple[int, int, dict[str, Any]]] = {
    "chesswar": (4, 80, {"board": "mirrored"}),
    "free_table": (6, 140, {}),
    "history_of_war": (7, 80, {"cards": "companion"}),
    "pocket_tactics": (0, 80, {"map": "companion"}),
    "tactics_2gm": (1, 140, {"board": "mirrored"}),
    "two_cities": (1, 80, {"board": "mirrored"}),
}
"""Of each game a seed, the steps of it that were played at random, and its options."""


def real_table(sitting: Sitting) -> dict[str, str]:
    """How twenty things lie on the real table that Companion believes elsewhere: pieces have changed places, hits."""
    rng = random.Random(7)
    known = sitting.tracked("white")
    units = [path for path, value in known.items() if path.endswith(".square") and value != "off"]
    moved = rng.sample(units, DIFFERENCES // 2)
    places = [known[path] for path in moved]
    real = dict(zip(moved, places[1:] + places[:1], strict=True))
    hurt = rng.sample([path for path in known if path.endswith(".hits")], DIFFERENCES // 2)
    return real | {path: "1" if known[path] == 0 else "0" for path in hurt}


def repair(phone: Phone, real: dict[str, str], *, steps: bool) -> int:
    """Go through the lines as somebody does who has the real table before him; return the taps on what is right."""
    right = 0
    for line in phone.at(LINES).all():
        wrong = [name for name in named_in(line) if name in real]
        if not wrong:
            line.locator("label.right").tap() if steps else line.locator("label.right").click()
            right += 1
            continue
        line.locator(".not-so > summary").click()
        for name in wrong:
            put(line.locator(f"[name='v.{name}']"), real[name], steps=steps)
    lost = phone.at(".away-from")
    found = [name for name in named_in(lost) if name in real] if lost.count() else []
    if found:
        lost.locator("summary").click()
    for name in found:
        put(lost.locator(f"[name='v.{name}']"), real[name], steps=steps)
    return right


def named_in(part: Locator) -> list[str]:
    """The paths of what can be set there."""
    names = part.locator("[name^='v.']").evaluate_all("all => all.map((one) => one.name)")
    return [name.removeprefix("v.") for name in names]


def put(field: Locator, value: str, *, steps: bool) -> None:
    """Say how it is: choose it, or with − and + or in digits count it."""
    if field.evaluate("(one) => one.matches('select')"):
        field.select_option({"true": "1", "false": "0"}.get(value, value))
        return
    by = int(value) - int(field.input_value())
    if not steps or abs(by) > 2:
        field.fill(value)
        return
    button = field.locator(f"xpath={'following' if by > 0 else 'preceding'}-sibling::button")
    for _ in range(abs(by)):
        button.click()


OTHERS = [
    *((name, True) for name in MID_GAME if name != "chesswar"),
    *((name, False) for name in MID_GAME if name != "two_cities"),
]


@pytest.mark.parametrize(("name", "scripts"), [("two_cities", False), *first(("chesswar", True), *OTHERS)])
def test_twenty_random_differences_of_any_game_are_found_and_repaired(
    name: str, scripts: bool, served: Serving, phones: Phones
) -> None:
    seed, played, options = MID_GAME[name]
    game, table = discover()[name], RandomTable(served, discover()[name], seed, **options)
    table.play(played)
    sitting, seat = table.sitting, table.seats[0]
    before, log, kept = state_of(sitting), sitting.log(), rests(game, table)
    real = dict(differing(game, before, seat, random.Random(seed)))
    listed = settable(game.view(before, seat), game.tracked(before), game.lying_values)
    believed = {value.path: written(value.field) for value in listed}
    assert len(real) == MOST
    ana = phones("en", scripts=scripts, **SMALL).open(sitting.link(seat)).open(sitting.page(seat, "/stock-take"))
    right = repair(ana, real, steps=scripts)
    if scripts:
        expect(ana.at(".so-far")).to_have_text(f"{right} of {ana.at(LINES).count()} right · {len(real)} different")
        assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beside the page"
    ana.at(".foot > .button").click()
    ana.page.wait_for_url(sitting.page(seat))
    after = {value.path: written(value.field) for value in game.tracked(state_of(sitting))}
    now, on_the_table = compared(after, believed, real)
    assert now == on_the_table, "all lies as it does on the real table, and nothing else has moved"
    assert rests(game, table) == kept
    assert sitting.log() == [*log, "correction"]


def test_it_is_done_with_keys_alone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    known, log = sitting.tracked("white"), sitting.log()
    ana = phones("en", **SMALL).open(sitting.link("white")).open(sitting.page("white", "/stock-take"))
    keys, focused = ana.page.keyboard, "document.activeElement.matches"

    def tab_to(what: str) -> None:
        for _ in range(40):
            keys.press("Tab")
            if ana.page.evaluate(f"{focused}({what!r})"):
                return
        raise AssertionError(f"no key leads to {what}")

    tab_to(".stock-line:nth-child(1) > .not-so > summary")
    keys.press("Enter")
    tab_to("[name$='.square']")
    moved = ana.page.evaluate("document.activeElement.name").removeprefix("v.")
    keys.type("e5")
    tab_to("[name$='.hits']")
    hurt = ana.page.evaluate("document.activeElement.name").removeprefix("v.")
    keys.press("ArrowUp")
    tab_to(".stock-line:nth-child(2) > input")
    keys.press("Enter")
    keys.press("Space")
    expect(ana.at(".so-far")).to_have_text(f"1 of {ana.at(LINES).count()} right · 2 different")
    ana.at(".foot > .button").focus()
    keys.press("Enter")
    ana.page.wait_for_url(sitting.page("white"))
    assert sitting.tracked("white") == {**known, moved: "e5", hurt: known[hurt] + 1}
    assert sitting.log() == [*log, "correction"]


def state_of(sitting: Sitting) -> Any:
    with sitting.tables._look(sitting.table) as session:
        return session.state


def rests(game: Any, table: RandomTable) -> list[Any]:
    """What a stock-take leaves alone: whose turn it is and at what, what everybody holds, every pile."""
    state = state_of(table.sitting)
    views = [game.view(state, seat) for seat in (*table.seats, SCREEN)]
    panels = [panel for view in views for panel in view.panels]
    held = [[card.code for card in panel.cards] for panel in panels if isinstance(panel, Hand)]
    phases = [panel for panel in panels if isinstance(panel, Phases)]
    piles = [panel for panel in panels if isinstance(panel, Piles)]
    counted = [row for panel in panels if isinstance(panel, Tracker) for row in panel.rows if row.stack or row.current]
    return [views[-1].to_move, views[-1].over, held, phases, piles, [(row.id, row.stack) for row in counted]]


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_twenty_differences_are_found_and_repaired(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    real, before = real_table(sitting), stays(sitting)
    known = sitting.tracked("white")
    assert len(real) == DIFFERENCES
    ana = phones(tongue, **SMALL).open(sitting.link("white")).open(sitting.page("white", "/stock-take"))
    right = repair(ana, real, steps=True)
    lines = ana.at(LINES).count()
    assert lines <= 12, "a few seconds each"
    expect(ana.at(".so-far")).to_contain_text(f"{right} " if tongue == "en" else f"{right} de {lines}")
    expect(ana.at(".so-far")).to_contain_text(str(DIFFERENCES))
    log = len(sitting.log())
    ana.at(".foot > .button").click()
    ana.page.wait_for_url(sitting.page("white"))
    assert {path: str(sitting.tracked("white")[path]) for path in real} == real
    assert stays(sitting) == before
    assert sitting.log()[log:] == ["correction"]
    expect(ana.recap).to_contain_text("20 correcciones" if tongue == "es" else "20 corrections")
    ana.at("#back button").click()
    ana.settled(sitting.version)
    assert sitting.tracked("white") == known, "one tap takes all of it back"


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_the_sheet_keeps_the_own_hand_folded_on_paper_too(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    ana = phones(tongue, **SMALL).open(sitting.link("white")).open(sitting.page("white", "/pack-up"))
    hand = ana.at("#sealed .in-hand")
    expect(ana.at(".drawn-board .figure").first).to_be_visible()
    expect(ana.at(".is-piece")).to_have_count(16)
    expect(hand).to_be_hidden()
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.page.emulate_media(media="print")
    expect(ana.at("#sealed")).to_be_hidden()
    expect(ana.at(".drawn-board svg")).to_be_visible()
    ana.page.emulate_media(media="screen")
    ana.at("#sealed > summary").tap()
    expect(hand.locator("li")).to_have_count(len(sitting.hand("white")))
    ana.page.emulate_media(media="print")
    expect(hand).to_be_visible()


def stays(sitting: Sitting) -> list[Any]:
    return [sitting.hand("white"), sitting.hand("black"), sitting.tables.seen(sitting.table, "screen").view.to_move]

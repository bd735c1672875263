"""Clocks in a browser: they go by the table's time, whatever the phone's own clock says, and warn near their end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE, Sitting, serving
from tests.browser.test_axe import inspect, unfold
from tests.support.toy_tables import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

ANA, BEN = "[data-clock='t1.player_1']", "[data-clock='t1.player_2']"
BUZZING = "() => { window.buzzed = 0; navigator.vibrate = () => { window.buzzed += 1; }; }"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Serving]:
    """Serve tables on a clock that only a test moves on."""
    with serving(tmp_path_factory.mktemp("tables")) as running:
        running.tables._now = clock
        yield running


def sit(served: Serving, **timer: Any) -> Sitting:
    """Set a free table for Ana and Ben, with a clock."""
    made = served.tables.create("free_table", "", {"seats": 2}, {"rulekeeper": "Ruth"})
    tokens = dict(made.tokens)
    for seat, name in (("player_1", "Ana"), ("player_2", "Ben")):
        tokens[seat] = served.tables.join(made.table, seat, name)
    sitting = Sitting(served, made.table, tokens)
    if timer:
        sitting.act("player_1", "set_timer", **timer)
    return sitting


class Wrist:
    """A phone whose own clock is wrong by some seconds, and stands unless a test moves it on."""

    def __init__(self, phone: Phone, clock: Clock, wrong: float) -> None:
        self.phone, self.clock, self.wrong = phone, clock, wrong
        self.passed(0)

    def passed(self, seconds: float) -> None:
        """Let time pass for this phone; it does not know that the table's clock did not move with it."""
        self.phone.page.clock.set_fixed_time(self.clock.time + timedelta(seconds=self.wrong + seconds))

    def opened(self, address: str) -> Wrist:
        """Open a page, and wait until it knows the table's time."""
        self.phone.open(address)
        expect(self.phone.at("html.on-time")).to_have_count(1)
        return self

    def shows(self, where: str, words: str) -> None:
        expect(self.phone.at(f"{where} time")).to_have_text(words)


def go(clock: Clock, seconds: float, *wrists: Wrist) -> None:
    clock.wait(seconds)
    for wrist in wrists:
        wrist.passed(0)


def test_every_phone_shows_what_is_left_whatever_its_own_clock_says(
    served: Serving, phones: Phones, clock: Clock
) -> None:
    sitting = sit(served, how="chess", minutes=1)
    hers = phones("en")
    hers.context.add_init_script("localStorage.setItem('buzz', 'on')")
    ana = Wrist(hers, clock, -3600).opened(sitting.link("player_1"))
    expect(hers.at("[data-sounds]")).not_to_have_attribute("hidden", "")
    ben = Wrist(phones("es"), clock, 86_400.5).opened(sitting.link("player_2"))
    screen = Wrist(phones("en", viewport=WIDE), clock, 0).opened(sitting.link("screen"))
    everybody = (ana, ben, screen)
    for wrist in everybody:
        wrist.phone.page.evaluate(BUZZING)
    ana.phone.do("action=run_clock").click()
    # Between two looks at the table's clock a phone counts by itself.
    for wrist in everybody:
        wrist.shows(ANA, "1:00")
        wrist.passed(2)
        wrist.shows(ANA, "0:58")
    # Asleep for a while, or set right: the table's clock counts.
    go(clock, 40, *everybody)
    for wrist in everybody:
        wrist.shows(ANA, "0:20")
        wrist.shows(BEN, "1:00")
    # A phone's own clock may be set while it looks.
    ana.wrong, ben.wrong = 0, -7200
    for wrist in (ana, ben):
        with wrist.phone.page.expect_response("**/now"):
            wrist.passed(0)
        wrist.phone.page.evaluate("fetch('/now').then((answer) => answer.text())")
    told = ana.phone.at("body > div[role=status]")
    expect(told).to_have_text("Ana: the clock runs")
    go(clock, 5, *everybody)
    for wrist in everybody:
        wrist.shows(ANA, "0:15")
    go(clock, 5, *everybody)
    expect(told).to_have_text("Ana: 10 seconds left")
    expect(ana.phone.at(ANA)).to_have_class("clock is-soon")
    expect(ben.phone.at("body > div[role=status]")).to_have_text("Ana: quedan 10 segundos")
    for wrist in everybody:
        wrist.shows(ANA, "0:10")
    go(clock, 11, *everybody)
    expect(told).to_have_text("Ana: time is up")
    for wrist in everybody:
        wrist.shows(ANA, "−0:01")
    expect(ana.phone.at(f"{ANA} .up")).to_be_visible()
    expect(screen.phone.at(f"{ANA} .up")).to_be_visible()
    # Ten seconds, the end; that it is her turn she knows, who has set the clock going.
    ana.phone.comes_to("window.buzzed === 2", "the phone does not warn")
    assert [wrist.phone.page.evaluate("window.buzzed") for wrist in everybody] == [2, 0, 0]
    ben.phone.do("action=press_clock").click()
    for wrist in everybody:
        wrist.passed(2)
        wrist.shows(BEN, "0:58")
        wrist.shows(ANA, "−0:01")
    expect(ben.phone.at("#dock")).to_have_class("dock is-mine")
    assert ana.phone.page.evaluate("window.buzzed") == 2


def test_the_second_tap_of_a_double_one_does_not_give_the_turn_back(
    served: Serving, phones: Phones, clock: Clock
) -> None:
    sitting = sit(served, how="chess", each="player")
    sitting.act("player_1", "run_clock", tracker="t1")
    ana = phones("en")
    ana.page.clock.install(time=clock.time)
    ana.open(sitting.link("player_1"))
    expect(ana.at("html.on-time")).to_have_count(1)
    ana.page.clock.pause_at(clock.time + timedelta(seconds=60))
    ana.do("action=press_clock").click()
    expect(ana.do("action=press_clock")).to_have_text("Next: Ana")
    version = sitting.version()
    ana.page.clock.run_for(400)
    ana.do("action=press_clock").click()
    ana.page.clock.run_for(200)
    expect(ana.do("action=press_clock")).to_have_text("Next: Ana")
    assert sitting.version() == version
    ana.do("action=press_clock").click()
    expect(ana.do("action=press_clock")).to_have_text("Next: Ben")


def test_a_clock_that_comes_later_runs_too(served: Serving, phones: Phones, clock: Clock) -> None:
    sitting = sit(served)
    ana = Wrist(phones("en"), clock, 500)
    ana.phone.open(sitting.link("player_1"))
    sitting.act("player_2", "set_timer", how="stopwatch")
    sitting.act("player_2", "run_clock", tracker="t1")
    ana.shows("[data-clock='t1.all']", "0:00")
    expect(ana.phone.at("html.on-time")).to_have_count(1)
    go(clock, 65, ana)
    ana.shows("[data-clock='t1.all']", "1:05")


@pytest.mark.parametrize(
    ("tongue", "words"), [("en", "left at {at}, running"), ("es", "quedaban a las {at}, en marcha")]
)
def test_without_scripts_a_page_says_what_was_left_since_when(
    served: Serving, phones: Phones, clock: Clock, tongue: str, words: str
) -> None:
    sitting = sit(served, how="countdown", minutes=5)
    phone = phones(tongue, scripts=False).open(sitting.link("player_1"))
    expect(phone.at("[data-clock]")).to_have_text("5:00", use_inner_text=True)
    phone.do("action=run_clock").click()
    at = clock.time.astimezone().strftime("%H:%M:%S")
    expect(phone.at("[data-clock]")).to_have_text(f"5:00 {words.format(at=at)}", use_inner_text=True)


def test_a_pause_says_that_it_stops_no_clock(served: Serving, phones: Phones) -> None:
    sitting = sit(served, how="countdown", minutes=5)
    keeper = phones("en").open(sitting.link("rulekeeper")).open(sitting.page("rulekeeper", "/settings"))
    expect(keeper.at(".note")).to_have_count(0)
    sitting.act("player_1", "run_clock", tracker="t1")
    keeper.page.reload()
    expect(keeper.at(".note")).to_contain_text("A pause does not stop it")
    keeper.at("button[name=pause]").click()
    expect(keeper.at("button[name=pause]")).to_have_text("Go on")
    phone = phones("es").open(sitting.link("player_1"))
    expect(phone.dock).to_contain_text("no para ningún reloj")


def test_a_turn_order_is_played_on_phones(served: Serving, phones: Phones) -> None:
    sitting = sit(served)
    sitting.act("player_1", "set_order", names="Goblin +2")
    ana, ben = phones("en").open(sitting.link("player_1")), phones("es").open(sitting.link("player_2"))
    ana.do("action=roll_order", "tracker=t1").last.click()
    expect(ana.at(".track .value")).to_have_count(3)
    for who, score in (("player_1", 5), ("player_2", 30), ("n1", 10)):
        sitting.act("player_1", "score_order", tracker="t1", who=who, score=score)
    ana.do("action=round_in_order").first.click()
    expect(ben.at(".track [aria-current=true]")).to_contain_text("Ben")
    expect(ben.dock).to_have_class("dock is-mine")
    ben.do("action=next_in_order").click()
    expect(ana.at(".track [aria-current=true]")).to_contain_text("Goblin")
    ana.do("action=stand_in_order", "how=skips").first.click()
    expect(ben.at(".track")).to_contain_text("se le salta una vez")


@pytest.mark.sized
@pytest.mark.parametrize("tongue", ["en", pytest.param("es", marks=pytest.mark.long)])
def test_nothing_that_axe_finds_wrong(served: Serving, phones: Phones, clock: Clock, tongue: str) -> None:
    sitting = sit(served, how="chess", minutes=1, increment=5)
    sitting.act("player_1", "set_order", names="Goblin 1 +2, Ogre")
    sitting.act("player_1", "round_in_order", tracker="t2", round=0)
    sitting.act("player_1", "stand_in_order", tracker="t2", who="n2", how="out")
    sitting.act("player_1", "run_clock", tracker="t1")
    for at, seconds in enumerate((5, 47, 12)):
        clock.wait(seconds)
        for seat in ("player_1", "screen"):
            phone = phones(tongue).open(sitting.link(seat))
            expect(phone.at(ANA)).to_be_visible()
            if seat != "screen" and at == 0:
                unfold(phone)
            inspect(phone, f"clocks-{tongue}-{seat}-{at}")

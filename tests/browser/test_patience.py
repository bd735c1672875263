"""A question that waits only for a while: the seconds run down, and a phone that sees their end says so by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Sitting, serving
from tests.browser.test_axe import inspect
from tests.support.toy_game import RANGE
from tests.support.toy_tables import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Serving]:
    """Serve a game with spells, on a clock that only a test moves on."""
    with serving(tmp_path_factory.mktemp("tables"), {"range": RANGE}) as running:
        running.tables._now = clock
        yield running


@pytest.fixture
def sitting(served: Serving) -> Sitting:
    made = served.tables.create("range", "", {}, {"rulekeeper": "Ruth"})
    tokens = dict(made.tokens)
    for seat in ("red", "blue"):
        tokens[seat] = served.tables.join(made.table, seat, seat.capitalize())
    return Sitting(served, made.table, tokens)


STANDS = """
let at = 0;
performance.now = () => at;
globalThis.passed = (more) => { at += more; };
"""


class Wrist:
    """A phone for which time stands unless a test moves it on, however long the test takes."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        phone.context.add_init_script(STANDS)

    def passed(self, seconds: float) -> None:
        """Move the phone's time on, once it counts: the script that does may come after the question."""
        expect(self.phone.at(".hurry[data-until]")).to_have_count(1)
        self.phone.page.evaluate(f"passed({seconds * 1000})")


def sit(sitting: Sitting, phone: Phone, seat: str) -> Wrist:
    """Open a seat on a phone whose own clock a test can move on."""
    wrist = Wrist(phone)
    with phone.page.expect_response("**/live?*"):
        phone.open(sitting.link(seat))
    return wrist


def test_the_seconds_run_down_and_the_page_goes_on_by_itself(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    first = sit(sitting, phones("en"), "red")
    red = first.phone
    blue, screen = (sit(sitting, phones(how), seat).phone for how, seat in (("es", "blue"), ("en", "screen")))
    sitting.act("red", "spell")
    expect(red.dock).to_contain_text("may answer for")
    expect(blue.dock).to_contain_text("Después cuenta como: No")
    expect(screen.dock).to_contain_text("may answer for")
    expect(red.at("[data-count]")).to_have_text("5")
    first.passed(3)
    expect(red.at("[data-count]")).to_have_text("2")
    expect(red.at(".time-up")).to_be_hidden()
    clock.wait(5)
    first.passed(2)
    for phone in (red, blue, screen):
        expect(phone.at("#last")).to_contain_text("red acts")
        expect(phone.at(".hurry")).to_have_count(0)
    assert sitting.log().count("action") == 1
    red.at("#last summary").click()
    expect(red.at("#last")).to_contain_text("Blue did not answer in time.")


@pytest.mark.parametrize("hour", [13, 11])
def test_a_phone_whose_clock_is_set_counts_the_seconds_that_pass(
    sitting: Sitting, phones: Phones, clock: Clock, hour: int
) -> None:
    phone = phones("en")
    phone.page.clock.set_fixed_time(datetime(2026, 7, 1, 12, tzinfo=UTC))
    red = sit(sitting, phone, "red")
    sitting.act("red", "spell")
    expect(phone.at("[data-count]")).to_have_text("5")
    phone.page.clock.set_fixed_time(datetime(2026, 7, 1, hour, tzinfo=UTC))
    red.passed(3)
    expect(phone.at("[data-count]")).to_have_text("2")
    assert not [one for one in phone.requests if one.endswith("/silence")]
    clock.wait(5)
    red.passed(2)
    expect(phone.at("#last")).to_contain_text("red acts")


def test_the_phone_that_is_asked_says_it_too(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    blue = sit(sitting, phones("en"), "blue")
    sitting.act("red", "spell")
    expect(blue.phone.asked).to_have_count(2)
    clock.wait(5)
    blue.passed(6)
    expect(blue.phone.at("#last")).to_contain_text("red acts")


def test_what_is_read_meanwhile_stays_open(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    wrist = sit(sitting, phones("en"), "red")
    red = wrist.phone
    red.at("a[data-sheet][href*='shoot']").click()
    expect(red.at("#sheet .chart")).to_be_visible()
    sitting.act("red", "spell")
    expect(red.at(".hurry")).to_have_count(1)
    clock.wait(5)
    wrist.passed(6)
    expect(red.at("#last")).to_contain_text("red acts")
    expect(red.at("#sheet .chart")).to_be_visible()


def test_it_is_said_again_until_the_table_hears_it(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    wrist = sit(sitting, phones("en"), "red")
    red = wrist.phone
    sitting.act("red", "spell")
    expect(red.at(".hurry")).to_have_count(1)
    with red.page.expect_response("**/silence") as early:
        wrist.passed(5)
    assert early.value.status == 409
    expect(red.at(".wrong")).to_have_count(0)
    clock.wait(5)
    wrist.passed(3)
    expect(red.at("#last")).to_contain_text("red acts")


def test_who_comes_back_late_finds_the_seconds_that_are_left(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    sitting.act("red", "spell")
    clock.wait(3.5)
    red = sit(sitting, phones("en"), "red")
    expect(red.phone.at("[data-count]")).to_have_text("2")
    clock.wait(5)
    red.passed(2)
    expect(red.phone.at("#last")).to_contain_text("red acts")


def test_without_scripts_a_button_goes_on(sitting: Sitting, phones: Phones, clock: Clock) -> None:
    sitting.act("red", "spell")
    red, blue = phones("es", scripts=False), phones("en", scripts=False)
    red.open(sitting.link("red"))
    blue.open(sitting.link("blue"))
    expect(blue.at(".time-up")).to_be_hidden()
    # Without scripts a page comes anew by itself, which a tap may meet.
    red.page.route("**/t/*/red", lambda route: route.fulfill(status=204))
    clock.wait(4)
    red.at(".time-up button").click()
    expect(red.at("#dock .wrong")).to_contain_text("1 s")
    clock.wait(1)
    red.at(".time-up button").click()
    expect(red.at("#last")).to_contain_text("red acts")
    assert red.at("#dock .wrong").count() == 0


@pytest.mark.sized
def test_the_countdown_is_nothing_that_axe_finds_wrong(sitting: Sitting, phones: Phones) -> None:
    sitting.act("red", "spell")
    for seat in ("red", "blue"):
        inspect(phones("es").open(sitting.link(seat)), f"patience-{seat}")

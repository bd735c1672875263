"""While a seat is held and in sight the screen stays on: by the lock of the browser, elsewhere by a film of ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.test_board import held
from tests.browser.test_called import AWAY, look_away, ready
from tests.support.sizes import first

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

LONG = 30 * 60_000
LOCKS = """
window.locks = [];
window.mayLock = true;
Object.defineProperty(navigator, "wakeLock", { value: { async request() {
  if (!mayLock) throw new DOMException("no", "NotAllowedError");
  const lock = new EventTarget();
  lock.released = false;
  lock.release = async () => {
    lock.released = true;
    lock.dispatchEvent(new Event("release"));
  };
  locks.push(lock);
  return lock;
} } });
"""
NO_LOCK = "delete Navigator.prototype.wakeLock;"
NO_FILM = """
window.whyNot = "NotAllowedError";
HTMLMediaElement.prototype.play = async () => { throw new DOMException("no", whyNot); };
"""
HIGH = """
window.high = [];
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (...all) {
  high.push(document.getElementById("state").offsetHeight);
  return play.apply(this, all);
};
"""
HELD = "locks.filter((lock) => !lock.released).length"
PLAYS = "document.querySelector('.awake-film')?.paused === false"


def with_scripts(phones: Phones, *scripts: str, tongue: str = "en", **how: object) -> Phone:
    phone = phones(tongue, **how)
    for script in scripts:
        phone.context.add_init_script(script)
    return phone


def says(phone: Phone, words: str) -> None:
    expect(phone.at("#awake-says")).to_have_text(words)


def pause(sitting: Sitting, on: bool) -> None:
    sitting.tables.pause(sitting.table, "rulekeeper", on=on, key=sitting.serving.key())


def test_by_the_lock_of_the_browser_and_let_go_where_nobody_plays(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = with_scripts(phones, LOCKS, AWAY)
    ana.page.clock.install()
    ready(ana.open(sitting.link("white")))
    ana.comes_to(f"{HELD} === 1", "the screen may go dark")
    says(ana, "It works here: your browser keeps the screen on.")
    for rest in (True, False):
        pause(sitting, on=rest)
        ana.comes_to(f"{HELD} === {int(not rest)}", "a pause lets go, and what follows takes up again")
    look_away(ana, away=True)
    ana.comes_to(f"{HELD} === 0", "out of sight it is let go")
    look_away(ana, away=False)
    ana.comes_to(f"{HELD} === 1", "in sight it is taken up again")
    ana.page.clock.fast_forward(LONG - 60_000)
    assert ana.page.evaluate(HELD) == 1
    ana.page.clock.fast_forward(120_000)
    ana.comes_to(f"{HELD} === 0", "nothing has changed for half an hour")
    says(ana, "The screen may go dark while the table rests.")
    ana.at("#turn h2").click()
    assert ana.page.evaluate(HELD) == 0
    sitting.act("white", "play_card", card="AH")
    ana.comes_to(f"{HELD} === 1", "something has changed")
    sitting.tables.end(sitting.table, "rulekeeper", sitting.serving.key())
    sitting.tables.consent_to_end(sitting.table, "black", yes=True, key=sitting.serving.key())
    ana.comes_to(f"{HELD} === 0", "the end lets go")
    expect(ana.at(".awake-film")).to_have_count(0)


def test_a_lock_that_the_browser_takes_away_is_asked_for_with_the_next_tap(served: Serving, phones: Phones) -> None:
    ana = with_scripts(phones, LOCKS).open(served.sit().begin().link("white"))
    ready(ana)
    ana.comes_to(f"{HELD} === 1", "the screen may go dark")
    ana.page.evaluate("locks.at(-1).release()")
    says(ana, "It begins with your next tap.")
    ana.at("#turn h2").click()
    ana.comes_to(f"{HELD} === 1", "a tap takes it up again")


@pytest.mark.parametrize(
    ("tongue", "name", "on", "off"),
    first(
        (
            "es", "Mantener la pantalla encendida", "Aquí funciona: tu navegador mantiene la pantalla encendida.",
            "La pantalla se apaga según los ajustes del dispositivo.",
        ),
        (
            "en", "Keep the screen on", "It works here: your browser keeps the screen on.",
            "The screen goes dark as the device is set.",
        ),
    ),
)  # fmt: skip
@pytest.mark.parametrize("look", first("light", "dark"))
def test_the_switch_is_kept_on_the_device(
    served: Serving, phones: Phones, tongue: str, name: str, on: str, off: str, look: str
) -> None:
    sitting = served.sit().begin()
    ana = with_scripts(phones, LOCKS, tongue=tongue, viewport={"width": 360, "height": 640}, color_scheme=look)
    ready(ana.open(sitting.link("white")))
    ana.at("#menu summary").click()
    switch = ana.page.get_by_role("button", name=name)
    expect(switch).to_have_attribute("aria-pressed", "true")
    says(ana, on)
    switch.scroll_into_view_if_needed()
    ana.save(f"awake-{tongue}-{look}")
    box = switch.bounding_box()
    assert box
    assert box["height"] >= 44
    assert violations(ana) == []
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    says(ana, off)
    ana.comes_to(f"{HELD} === 0", "it is off")
    ready(ana.open(sitting.link("white")))
    ana.at("#turn h2").click()
    ana.at("#menu summary").click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert ana.page.evaluate("locks.length") == 0
    switch.click()
    ana.comes_to(f"{HELD} === 1", "it is on")
    says(ana, on)


def test_elsewhere_by_a_film_that_plays_on_and_hides_nothing(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = with_scripts(phones, NO_LOCK, AWAY)
    ana.page.clock.install()
    ready(ana.open(sitting.link("white")))
    ana.at("#turn h2").click()
    ana.comes_to(PLAYS, "no film plays")
    says(ana, "A silent video is playing to keep the screen on.")
    assert ana.page.evaluate(
        "(({ muted, loop, currentSrc }) => [muted, loop, currentSrc.endsWith('.webm')])"
        "(document.querySelector('.awake-film'))"
    ) == [True, False, True]
    film = ana.at(".awake-film")
    film.evaluate("(film) => new Promise((then) => { film.addEventListener('ended', then); film.currentTime = 3.9; })")
    ana.comes_to(f"{PLAYS} && document.querySelector('.awake-film').currentTime < 3", "it does not begin again")
    ana.play("2H")
    ana.settled(sitting.version)
    for rest in (True, False):
        pause(sitting, on=rest)
        ana.comes_to(f"({PLAYS}) === {str(not rest).lower()}", "a pause lets go, and what follows takes up again")
    look_away(ana, away=True)
    ana.comes_to(f"!({PLAYS})", "out of sight it is let go")
    look_away(ana, away=False)
    ana.comes_to(PLAYS, "in sight it is taken up again")
    ana.page.clock.fast_forward(LONG + 1_000)
    ana.comes_to(f"!({PLAYS})", "nothing has changed for half an hour")
    sitting.act("white", "end_turn")
    ana.comes_to(PLAYS, "something has changed")
    assert violations(ana) == []


def test_a_film_whose_look_comes_late_takes_no_room(served: Serving, phones: Phones) -> None:
    ana = with_scripts(phones, NO_LOCK, HIGH, viewport={"width": 932, "height": 430})
    with held(ana, "**/call.css"):
        ana.open(served.sit().begin().link("white"))
        expect(ana.at("link[data-called]")).to_be_attached()
        ana.at("#turn h2").click()
    expect(ana.at("#awake")).to_be_attached()
    ana.at("#turn h2").click()
    ana.comes_to(PLAYS, "the film plays")
    assert set(ana.page.evaluate("high")) == {ana.at("#state").evaluate("(it) => it.offsetHeight")}


def test_the_film_of_who_needs_one_with_sound_could_be_heard(served: Serving, phones: Phones) -> None:
    ana = with_scripts(
        phones, NO_LOCK, "Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' });"
    )
    ready(ana.open(served.sit().begin().link("white")))
    ana.at("#turn h2").click()
    expect(ana.at(".awake-film")).to_have_attribute("src", re.compile(r"/awake\.mp4$"))
    assert ana.at(".awake-film").evaluate("(film) => [film.muted, film.playsInline]") == [False, True]


def test_a_device_that_allows_neither_says_so_after_a_tap(served: Serving, phones: Phones) -> None:
    ana = with_scripts(phones, LOCKS, NO_FILM, "mayLock = false;", tongue="es")
    ready(ana.open(served.sit().begin().link("white")))
    says(ana, "Empezará con tu próximo toque.")
    ana.at("#turn h2").click()
    says(ana, "Este dispositivo no lo permite.")


def test_where_the_words_do_not_come_they_are_asked_for_again(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = with_scripts(phones, LOCKS)
    ana.page.route("**/awake", lambda route: route.abort())
    ana.open(sitting.link("white"))
    ana.comes_to(f"{HELD} === 1", "the screen may go dark")
    ana.page.unroute("**/awake")
    sitting.act("white", "play_card", card="AH")
    ready(ana)
    says(ana, "It works here: your browser keeps the screen on.")

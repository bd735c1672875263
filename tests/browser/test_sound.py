"""Sound and vibration: off until a phone has been asked once, and then one short sound for each thing that happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PHONE, WIDE, serving
from tests.browser.staged import STAGED, THROWN, begun, fought

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

# What is started, and when: each time that a page looks at the clock, ten seconds have passed.
STUDIO = """
window.heard = [];
window.felt = [];
window.studios = 0;
navigator.vibrate = (pattern) => felt.push(pattern);
{
  let now = 0;
  const set = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
  const node = () => ({ connect: (to) => to, gain: set(), frequency: set() });
  const starting = () => ({ ...node(), type: "noise", start(at) { heard.push([this.type, at]); }, stop() {} });
  window.AudioContext = class {
    constructor() { studios += 1; }
    state = "suspended";
    sampleRate = 8000;
    destination = {};
    createGain = node;
    createBiquadFilter = node;
    createOscillator = starting;
    createBufferSource = starting;
    createBuffer = () => ({ getChannelData: () => new Float32Array(8) });
    get currentTime() { return now += 10; }
    async resume() { this.state = "running"; }
  };
}
"""
SOUNDS = {
    ("noise",) * 5: "dice",
    ("noise", "triangle"): "hit",
    ("noise",): "card",
    ("sine", "sine"): "turn",
}


# To ask a page anything counts as a touch.
UNTOUCHED = "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } });"


def kept(**values: str) -> str:
    """Return a script that keeps what was chosen on a phone before."""
    return "".join(f"localStorage.setItem('{name}', '{value}');" for name, value in values.items())


def heard(phone: Phone) -> list[str]:
    """Name what was heard, half a second for half a second."""
    halves: dict[int, list[str]] = {}
    for kind, at in phone.page.evaluate("heard"):
        halves.setdefault(int(at * 2 + 0.001), []).append(kind)
    return [SOUNDS[tuple(sorted(kinds))] for _, kinds in sorted(halves.items())]


def hears(phone: Phone, *sounds: str) -> None:
    """Wait until as much was heard, and see that it is this."""
    parts = sum(len(kinds) for sound in sounds for kinds, name in SOUNDS.items() if name == sound)
    phone.comes_to(f"heard.length >= {parts}", f"{heard(phone)} instead of {sounds}")
    assert heard(phone) == list(sounds)


def phone_with(phones: Phones, *scripts: str, tongue: str = "en", **how: Any) -> Phone:
    phone = phones(tongue, **how)
    for script in (STUDIO, *scripts):
        phone.context.add_init_script(script)
    return phone


def tapped(phone: Phone, link: str) -> Phone:
    """Open a page on a phone that was asked before, and touch it where nothing is."""
    phone.open(link)
    expect(phone.at("[data-sounds]")).not_to_have_attribute("hidden", "")
    phone.at("#turn h2").click()
    return phone


ON = {"sound": "on", "buzz": "on"}
QUESTION = ".sound-question"


@pytest.fixture(scope="module")
def assaults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), STAGED) as running:
        yield running


def test_a_card_and_ones_turn_are_heard_once_by_who_wants_it(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = tapped(phone_with(phones, kept(**ON)), sitting.link("black"))
    ana = phone_with(phones, kept(sound="off", buzz="off")).open(sitting.link("white"))
    ana.at("#turn h2").click()
    sitting.act("white", "play_card", card="AH")
    hears(ben, "card")
    sitting.act("white", "end_turn")
    hears(ben, "card", "card", "turn")  # a card is drawn at the end of a turn
    sitting.correct("unit.wc.hits", "1")
    ben.settled(sitting.version)
    hears(ben, "card", "card", "turn")
    for phone in (ana, ben):
        phone.sees(sitting.version())
    assert ana.page.evaluate("[heard.length, felt.length, studios]") == [0, 0, 0]
    assert ben.page.evaluate("[felt.length, studios]") == [2, 1]


def fight(table: Sitting) -> None:
    """Let the bulwark be captured; nobody rolls a die again."""
    fought(table, *THROWN)
    while asked := next(filter(None, (table.tables.seen(table.table, seat).asked for seat in ("blue", "red"))), None):
        table.answer(asked.seat, value="pass")


@pytest.mark.parametrize(("seat", "how"), [("blue", PHONE), ("screen", WIDE)], ids=["phone", "shared screen"])
def test_dice_are_heard_before_the_hit_that_comes_of_them(
    assaults: Serving, phones: Phones, seat: str, how: dict[str, int]
) -> None:
    table = begun(assaults)
    looking = tapped(phone_with(phones, kept(**ON), viewport=how), table.link(seat))
    fight(table)
    looking.settled(table.version)
    looking.comes_to("heard.some(([kind]) => kind === 'triangle')", "no hit is heard")
    told = heard(looking)
    assert told.count("hit") == 1
    assert "dice" in told[: told.index("hit")]
    # Both at once where they are seen at once; else each by itself.
    assert looking.page.evaluate("felt.map((pattern) => pattern.at(-1)).filter((last) => last === 60)") == [60]


def test_nothing_is_heard_before_a_tap_nor_afterwards_what_was(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phone_with(phones, UNTOUCHED, kept(**ON)).open(sitting.link("black"))
    expect(ben.at("[data-sounds]")).not_to_have_attribute("hidden", "")
    sitting.act("white", "play_card", card="AH")
    ben.settled(sitting.version)
    assert ben.page.evaluate("[heard.length, felt.length, studios]") == [0, 0, 0]
    ben.at("#turn h2").click()
    assert ben.page.evaluate("[heard.length, studios]") == [0, 1]
    sitting.act("white", "end_turn")
    ben.comes_to("heard.some(([kind]) => kind === 'sine')", "the turn is not heard")


def test_where_nothing_can_sound_nothing_goes_wrong(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = tapped(phone_with(phones, "delete window.AudioContext;", kept(**ON)), sitting.link("black"))
    sitting.act("white", "play_card", card="AH")
    ben.comes_to("felt.length === 1", "the card is not felt")


UNCOVERED = ["#turn .words", "#back", "#menu", ".board .squares", ".open-more", "#hands", "#dock"]
PLACES = """(places) => places.map((place) => {
  const { x, y, width, height } = document.querySelector(place).getBoundingClientRect();
  return [x, y, width, height];
})"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1280, 800)], ids=str)
def test_a_phone_is_asked_once_and_nothing_moves_or_is_covered(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    sitting = served.sit().begin()
    where = {"width": size[0], "height": size[1]}
    ana = phone_with(phones, tongue="es", viewport=where).open(sitting.link("white"))
    expect(ana.at(QUESTION)).to_have_count(0)
    there = ["#back", "#menu", ".board", "#dock", "#hands", ".open-more"]
    before = ana.page.evaluate(PLACES, there)
    ana.at("#turn h2").click()
    question = ana.at(QUESTION)
    expect(question).to_be_visible()
    expect(question).to_have_text("¿Sonido y vibración en este móvil?ActivarDejar sin sonido")
    assert ana.page.evaluate(PLACES, there) == before, "something moved"
    ana.save(f"sound-{size[0]}")
    (left, top, width, height), *others = ana.page.evaluate(PLACES, [QUESTION, *UNCOVERED])
    for x, y, wide, high in others:
        assert x >= left + width or x + wide <= left or y > top + height - 1 or y + high < top + 1, (
            "something is covered"
        )
    question.get_by_text("Activar").click()
    expect(question).to_have_count(0)
    hears(ana, "turn")
    assert ana.page.evaluate("felt") == [[30, 90, 30]]
    tapped(ana, sitting.link("white"))
    assert ana.page.evaluate("localStorage.getItem('sound/asked')") == "1"
    expect(ana.at(QUESTION)).to_have_count(0)
    ana.at("#menu summary").click()
    for name in ("Sonido", "Vibración"):
        expect(ana.page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    ana.page.get_by_role("button", name="Sonido").click()
    assert ana.page.evaluate("localStorage.getItem('sound')") == "off"


def test_a_hand_that_is_dealt_is_not_covered_by_the_question(served: Serving, phones: Phones) -> None:
    sitting = served.sit().clear()
    ana = phone_with(phones, tongue="es", viewport={"width": 360, "height": 640}).open(sitting.link("white"))
    ana.at("#turn h2").click()
    ana.at(f"{QUESTION} button").first.focus()  # it stays as long as somebody is at it
    sitting.agree()
    ana.sees(sitting.version())
    expect(ana.at("#hands .card")).to_have_count(3)
    edges = f"[['{QUESTION}', 'bottom'], ['#hands', 'top']]"
    below = "(([one, edge]) => document.querySelector(one).getBoundingClientRect()[edge])"
    ana.comes_to(f"{edges}.map({below}).reduce((foot, top) => foot <= top + 1)", "the hand is covered")


def test_who_leaves_it_off_hears_nothing_and_is_not_asked_again(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phone_with(phones, "delete Navigator.prototype.vibrate; delete navigator.vibrate;").open(
        sitting.link("black")
    )
    ben.at("#turn h2").click()
    expect(ben.at(QUESTION)).to_have_text("Sound on this phone?Turn onLeave off")
    ben.at(f"{QUESTION} [value=off]").click()
    expect(ben.at(QUESTION)).to_have_count(0)
    sitting.act("white", "play_card", card="AH")
    ben.settled(sitting.version)
    assert ben.page.evaluate("[heard.length, studios]") == [0, 0]
    ben.requests.clear()
    ben.open(sitting.link("black"))
    ben.at("#turn h2").click()
    ben.at("#menu summary").click()
    expect(ben.page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    expect(ben.page.get_by_role("button", name="Vibration")).to_be_hidden()
    expect(ben.at(QUESTION)).to_have_count(0)


def test_who_does_not_answer_is_asked_three_times(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phone_with(phones)
    ana.page.clock.install()
    for _ in range(3):
        ana.open(sitting.link("white"))
        # A second of a slow machine is none of the question's.
        ana.page.clock.pause_at(ana.page.evaluate("Date.now()") / 1000 + 1)
        ana.at("#turn h2").click()
        expect(ana.at(QUESTION)).to_be_visible()
        ana.page.clock.run_for(7900)
        expect(ana.at(QUESTION)).to_be_visible()
        ana.page.clock.run_for(200)
        expect(ana.at(QUESTION)).to_have_count(0)
        ana.page.clock.resume()
    ana.open(sitting.link("white"))
    ana.at("#turn h2").click()
    ana.comes_to("localStorage.getItem('sound') === 'off'", "it is not off")
    expect(ana.at(QUESTION)).to_have_count(0)


def test_who_plays_on_reads_what_happened(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phone_with(phones)
    ana.page.clock.install()
    ana.open(sitting.link("white"))
    ana.page.clock.pause_at(ana.page.evaluate("Date.now()") / 1000 + 1)
    ana.at("#turn h2").click()
    expect(ana.at(QUESTION)).to_be_visible()
    ana.at(".hand .card").first.click()
    expect(ana.at(QUESTION)).to_have_count(0)


def test_where_a_story_is_told_the_question_waits(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    ben = phone_with(phones).open(sitting.link("black"))
    ben.aside()
    expect(ben.at("[data-sounds]")).not_to_have_attribute("hidden", "")
    ben.at("#turn h2").click()
    ben.asked.first.click()
    expect(ben.at("#last .headline")).to_be_visible()
    expect(ben.at(QUESTION)).to_have_count(0)
    ben.folded()
    ben.at("#turn h2").click()
    expect(ben.at(QUESTION)).to_be_visible()


def test_the_shared_screen_is_asked_as_a_screen(served: Serving, phones: Phones) -> None:
    screen = phone_with(phones, viewport=WIDE).open(served.sit().begin().link("screen"))
    screen.at("#turn h2").click()
    expect(screen.at(QUESTION)).to_have_text("Sound on this screen?Turn onLeave off")
    screen.at(f"{QUESTION} [value=on]").click()
    hears(screen, "turn")


def test_the_tray_is_heard(served: Serving, phones: Phones) -> None:
    phone = phone_with(phones, kept(**ON)).open(f"{served.address}/dice?n=2d6")
    phone.at("#tray .button.main").click()
    expect(phone.at("#result")).to_be_visible()
    hears(phone, "dice")

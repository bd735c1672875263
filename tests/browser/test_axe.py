"""No page has anything that axe finds wrong: in light and dark, on a phone and on a laptop, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import COLOURS, violations
from tests.browser.phones import PHONE, WIDE
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = [pytest.mark.browser, pytest.mark.sized]

SMALL = """
() => [...document.querySelectorAll("main :is(button, .button, summary, .chips label, input[type=number])")]
  .filter((one) => one.checkVisibility() && !one.closest(".away"))
  .map((one) => [one.getBoundingClientRect(), one.textContent.trim()])
  .filter(([box]) => box.width > 0 && Math.min(box.width, box.height) < 44)
  .map(([box, words]) => `${words}: ${box.width} x ${box.height}`)
"""


LOOKS = (
    ("phone", "light", []),
    ("laptop", "dark", COLOURS),
    ("phone", "dark", COLOURS),
    ("laptop", "light", []),
)
"""Where a page is looked at, and what for; the first always, the others at full size."""
SIZES = {"phone": PHONE, "laptop": WIDE}


def inspect(phone: Phone, name: str) -> None:
    """Look at a page in light and dark, on a phone and on a laptop."""
    found: list[str] = []
    for where, look, rules in LOOKS if phone.full else LOOKS[:1]:
        phone.page.set_viewport_size(SIZES[where])
        phone.page.emulate_media(color_scheme=look, reduced_motion="reduce")
        phone.save(f"{name}-{where}-{look}")
        found += [f"{name}, {where}, {look}: {one}" for one in violations(phone, rules)]
    assert not found, "\n".join(found)


def is_usable(phone: Phone, name: str, words: Iterable[str]) -> None:
    """A page says what it should, does not move sideways, has nothing too small to be tapped, and no axe violation."""
    phone.page.wait_for_load_state("load")  # the words of a page are there before its look
    for said in words:
        expect(phone.page.get_by_text(said).locator("visible=true").first).to_be_visible()
    wide = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] == wide[1], "the page is moved sideways"
    assert phone.page.evaluate(SMALL) == []
    inspect(phone, name)


def unfold(phone: Phone) -> None:
    """Open everything that can be opened on a page."""
    phone.page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")


PAGES: dict[str, str] = {
    "lobby": "/",
    "lobby-no-table": "/go?code=AAAAAA",
    "import": "/import",
    "create": "/new/two_cities",
    "shelf": "/rules",
    "rulebook": "/rules/two_cities",
    "clause": "/rules/two_cities/TTC-87",
    "player-aid": "/rules/chesswar/sheet/undead",
    "one-sheet": "/rules/chesswar/aid",
    "one-sheet-of-cards": "/rules/two_cities/aid",
    "qr-cards": "/rules/two_cities/qr-cards",
    "clause-with-ruling": "/rules/two_cities/TTC-119",
    "search": "/rules/search?q=heavy",
    "search-nothing": "/rules/search?q=zzzz",
    "search-mended": "/rules/search?q=catapluta",
    "clause-to-try": "/rules/two_cities/TTC-104",
    "examples": "/rules/chesswar/examples",
    "lookups": "/quick",
    "nothing-there": "/nothing/here",
    "no-table": "/t/AAAAAA",
}


@pytest.mark.parametrize("name", some(PAGES, every=3))
def test_a_page_without_a_table(served: Serving, phones: Phones, name: str) -> None:
    served.sit()
    inspect(phones("es" if len(name) % 2 else "en").open(served.address + PAGES[name]), name)


def every_link(phone: Phone, start: str) -> list[str]:
    """List the addresses under one that a page links to."""
    links = phone.at(f"main a[href^='{start}']").all()
    return sorted({link.get_attribute("href") or "" for link in links} - {start})


@pytest.mark.long
def test_every_lookup(served: Serving, phones: Phones) -> None:
    phone = phones("en").open(f"{served.address}/quick")
    lookups = every_link(phone, "/quick/")
    assert lookups
    for at, lookup in enumerate(lookups):
        phone.open(served.address + lookup)
        inspect(phone, f"lookup-{at}")
        thrown = phone.at(".quick-dock .button.main")
        if thrown.count():
            thrown.click()
            expect(phone.at("#result")).to_be_visible()
            inspect(phone, f"lookup-{at}-done")
        else:
            expect(phone.at("#odds .quick-outcome")).to_be_visible()
            expect(phone.at(".glance")).to_contain_text(phone.at("#odds .quick-outcome").inner_text())


def test_the_chapters_of_a_rulebook(served: Serving, phones: Phones) -> None:
    phone = phones("es").open(f"{served.address}/rules/two_cities")
    links = [link for link in every_link(phone, "/rules/two_cities/") if "TTC-" not in link]
    assert len(links) >= 3
    for at, link in enumerate(links[:3] + links[-3:]):
        inspect(phone.open(served.address + link), f"chapter-{at}")


def set_up(sitting: Sitting, phone: Phone) -> None:
    phone.open(sitting.link("white"))


def choose_card(sitting: Sitting, phone: Phone) -> None:
    sitting.begin()
    phone.open(sitting.link("white"))
    phone.at("label[for^='card-']").first.click()


def moving(sitting: Sitting, phone: Phone) -> None:
    sitting.face_to_face().act("white", "play_card", card="2H")
    phone.open(sitting.link("white"))
    phone.pick("wc")


def plan(sitting: Sitting, phone: Phone) -> None:
    moving(sitting, phone)
    phone.odds("wc")
    expect(phone.at("#sheet .chart").first).to_be_visible()


def question(sitting: Sitting, phone: Phone) -> None:
    sitting.attack()
    phone.open(sitting.link("black"))
    expect(phone.asked).to_have_count(2)


def waiting(sitting: Sitting, phone: Phone) -> None:
    sitting.attack()
    phone.open(sitting.link("white"))


def typing(sitting: Sitting, phone: Phone) -> None:
    sitting.attack().answer("black", value="no")
    phone.open(sitting.link("white"))
    phone.tap(2, 6)


def refused(sitting: Sitting, phone: Phone) -> None:
    typing(sitting, phone)
    phone.at(".typing > button").click()
    expect(phone.at("#dock .wrong")).to_be_visible()


def consent(sitting: Sitting, phone: Phone) -> None:
    typing(sitting, phone)
    sitting.answer("white", faces=[2, 6, 6, 3, 1])
    sitting.tables.take_back(sitting.table, "white", sitting.serving.key())
    phone.open(sitting.link("black"))
    expect(phone.at("#dock .ask")).to_be_visible()


def knock(sitting: Sitting, phone: Phone) -> None:
    sitting.begin()
    sitting.tables.knock(sitting.table, "white", "Eva")
    phone.open(sitting.link("rulekeeper"))
    expect(phone.at("#dock .ask")).to_be_visible()


def over(sitting: Sitting, phone: Phone) -> None:
    question(sitting, phone)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=[2, 6, 6, 3, 1])
    sitting.act("black", "surrender")
    phone.open(sitting.link("black"))


def clause(sitting: Sitting, phone: Phone) -> None:
    question(sitting, phone)
    phone.aside()
    phone.at(".recap .rule-sign").first.click()
    expect(phone.at("#sheet-body")).to_contain_text("TTC-")


def searching(sitting: Sitting, phone: Phone) -> None:
    question(sitting, phone)
    phone.at("#menu > summary").click()
    phone.at(".seek-too").click()
    phone.at("#q-sheet").fill("TTC")
    expect(phone.at("#hits-sheet a").first).to_be_visible()


def tried(sitting: Sitting, phone: Phone) -> None:
    searching(sitting, phone)
    phone.at("#q-sheet").fill("TTC-104")
    phone.at("#hits-sheet a[href*='TTC-104']").first.click()
    expect(phone.at("#sheet .trying").first).to_be_visible()


def menu(sitting: Sitting, phone: Phone) -> None:
    phone.open(sitting.link("rulekeeper"))
    phone.at("#menu summary").click()


def screen(sitting: Sitting, phone: Phone) -> None:
    sitting.attack()
    phone.open(sitting.link("screen"))


def unfolded(seat: str, part: str) -> Callable[[Sitting, Phone], None]:
    def show(sitting: Sitting, phone: Phone) -> None:
        sitting.attack().answer("black", value="no")
        phone.open(sitting.link(seat))
        phone.open(sitting.page(seat, part))
        unfold(phone)

    return show


def report(sitting: Sitting, phone: Phone) -> None:
    over(sitting, phone)
    phone.open(f"{sitting.serving.address}/t/{sitting.table}/report")


def statistics(sitting: Sitting, phone: Phone) -> None:
    over(sitting, phone)
    phone.open(f"{sitting.serving.address}/t/{sitting.table}/statistics")
    unfold(phone)


def join(sitting: Sitting, phone: Phone) -> None:
    sitting.tables.release(sitting.table, "rulekeeper", "black", sitting.serving.key())
    phone.open(f"{sitting.serving.address}/t/{sitting.table}")
    phone.at("main details > summary").click()


def join_a_seat(sitting: Sitting, phone: Phone) -> None:
    sitting.tables.release(sitting.table, "rulekeeper", "black", sitting.serving.key())
    phone.open(f"{sitting.serving.address}/t/{sitting.table}?seat=black")


def back_to_a_seat(sitting: Sitting, phone: Phone) -> None:
    phone.open(sitting.link("white"))
    phone.open(sitting.serving.address)


def first_page_of_the_host(sitting: Sitting, phone: Phone) -> None:
    phone.open(sitting.serving.host_link)


def knocking(sitting: Sitting, phone: Phone) -> None:
    phone.open(f"{sitting.serving.address}/t/{sitting.table}")
    phone.at("button[name='seat'][value='black']").click()
    expect(phone.at("main [role=status]")).to_be_visible()


SCENES: dict[str, Callable[[Sitting, Phone], None]] = {
    "set-up": set_up,
    "choose-card": choose_card,
    "moving": moving,
    "plan": plan,
    "question": question,
    "waiting": waiting,
    "typing": typing,
    "refused": refused,
    "consent": consent,
    "knock": knock,
    "over": over,
    "clause-sheet": clause,
    "search-sheet": searching,
    "clause-tried": tried,
    "menu": menu,
    "shared-screen": screen,
    "rulekeeper": unfolded("rulekeeper", ""),
    "play-unfolded": unfolded("white", ""),
    "invitation": unfolded("rulekeeper", "/invite"),
    "private-link": unfolded("white", "/mine"),
    "corrections": unfolded("rulekeeper", "/corrections"),
    "stock-take": unfolded("white", "/stock-take"),
    "pack-up": unfolded("white", "/pack-up"),
    "recap": unfolded("white", "/recap"),
    "replay": unfolded("white", "/replay"),
    "settings": unfolded("rulekeeper", "/settings"),
    "log": unfolded("white", "/log"),
    "report": report,
    "statistics": statistics,
    "back-to-a-seat": back_to_a_seat,
    "first-page-of-the-host": first_page_of_the_host,
    "join": join,
    "join-a-seat": join_a_seat,
    "qr-cards-of-a-table": unfolded("white", "/cards"),
    "knocking": knocking,
}


TYPED = {"typing", "refused", "consent", "over", "report", "statistics"}
"""Scenes in which dice are typed."""


@pytest.mark.parametrize("name", some(SCENES, every=5))
def test_a_page_of_a_table(served: Serving, phones: Phones, name: str) -> None:
    options: dict[str, Any] = {"dice": "typed"} if name in TYPED else {}
    phone = phones("es" if len(name) % 2 else "en")
    SCENES[name](served.sit(**options), phone)
    inspect(phone, name)


@pytest.mark.parametrize("name", first("moving", "choose-card"))
def test_a_table_without_a_board_and_with_real_cards(served: Serving, phones: Phones, name: str) -> None:
    sitting = served.sit(board="table", cards="real")
    for seat in ("white", "black"):
        sitting.act(seat, "ready")
    if name == "moving":
        sitting.act("white", "play_card", card="2H")
    phone = phones("es").open(sitting.link("white"))
    unfold(phone)
    inspect(phone, f"table-{name}")


@pytest.mark.parametrize("tongue", first("es", "en"))
def test_a_deck_of_cards(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.free("Ana", "Ben")
    sitting.act("player_1", "set_deck", name="A", which="40", peek="everyone")
    sitting.act("player_1", "set_deck", name="B", which="own", own="Goblin,5,Bites")
    sitting.act("player_1", "set_deck", name="C", real=True)
    for deck in ("t1", "t2", "t3"):
        sitting.act("player_1", "deal", tracker=deck, count=2, to=["player_1", "player_2"])
    for _ in range(2):
        sitting.act("player_2", "turn_up", tracker="t1")
    sitting.act("player_1", "peek", tracker="t1", count=2)
    phone = phones(tongue).open(sitting.link("player_1"))
    phone.at(".spread-own label.card").first.click()
    phone.at(".spread-own .more-ways > summary").first.click()
    inspect(phone, f"cards-{tongue}")

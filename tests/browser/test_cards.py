"""Cards on a phone: a deck from the first page, hands dealt before anybody scans, each on its own phone only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.kit.panels import Hand
from tests.browser.test_secrets import Ear

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

ON_TOP = """(one) => {
  const { left, top, bottom, width } = one.getBoundingClientRect();
  return [top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint(left + width / 2, y)));
}"""
LOUD = "(one) => getComputedStyle(one).backgroundImage !== 'none'"


def hand(phone: Phone) -> Locator:
    return phone.at(".spread-own label.card")


def codes(phone: Phone) -> list[str]:
    return [one.get_attribute("value") or "" for one in phone.at(".spread-own input.pick-of-many").all()]


def pick(phone: Phone, *cards: str) -> None:
    for card in cards:
        phone.at(f"label[for$='-{card}']").click()


def deal(phone: Phone, count: int, *seats: str) -> None:
    phone.answered()  # only with all scripts there, what is tapped opens in the sheet
    phone.at("#tracker-t1 .near a[href*='action%3Ddeal']").click()
    form = phone.at("#sheet form[action$='/act']")
    form.locator("[name='f.count']").fill(str(count))
    for box in form.locator("[name='f.to']").all():
        if box.is_checked() != (box.get_attribute("value") in seats):
            form.locator(f"label[for='{box.get_attribute('id')}']").click()
    expect(form.locator("button.main")).to_have_text("Deal")
    form.locator("button.main").click()
    expect(form).to_be_hidden()


def test_hands_are_dealt_by_qr_and_each_is_on_its_own_phone_only(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(served.address)
    ana.page.get_by_role("button", name="Cards on a phone").click()
    code = ana.at(".invite .code").inner_text()
    ana.at("a.button.main.big").click()
    deal(ana, 13, "player_1", "player_2", "player_3")
    expect(hand(ana)).to_have_count(13)

    ben, eva = phones("es"), phones("en")
    ears = {}
    for phone, name in ((ben, "Ben"), (eva, "Eva")):
        phone.open(f"{served.address}/t/{code}")
        phone.at("#name").fill(name)
        phone.page.get_by_role("button", name=re.compile("Sit down|Sentarse")).click()
        expect(hand(phone)).to_have_count(13)
        ears[phone] = Ear(phone)
        phone.page.reload()
        expect(hand(phone)).to_have_count(13)
    hands = {phone: codes(phone) for phone in (ana, ben, eva)}
    assert len({card for cards in hands.values() for card in cards}) == 39

    one, two, three = hands[ben][:3]
    pick(ben, one, two)
    ben.at(".spread-own .spread-ways button.main").click()
    for phone in (ana, ben, eva):
        expect(phone.at(".spread-open .card")).to_have_count(2)
        expect(phone.at("#tracker-t1 li:has-text('Ben')").locator(".value")).to_have_text("11")
    pick(ben, three)
    ben.at(".spread-own .spread-ways").get_by_role("button", name="Descartar").click()
    expect(ana.at("#tracker-t1 li:has-text('Discard pile')").locator(".value")).to_have_text("1")
    expect(hand(ben)).to_have_count(10)

    ben.at("#turn form[action$='/undo'] button").click()
    eva.at("#dock form[action$='/consent'] button[value='1']").click()
    expect(hand(ben)).to_have_count(11)
    expect(ana.at("#tracker-t1 li:has-text('Discard pile')").locator(".value")).to_have_text("0")

    ana.at("#dock").get_by_role("button", name="Draw: Deck").click()
    expect(hand(ana)).to_have_count(14)
    expect(eva.at("#tracker-t1 li").first.locator(".value")).to_have_text("12")
    others = {ben: {*hands[eva], *codes(ana)}, eva: {*hands[ben][3:], *codes(ana)}}
    for phone, hidden in others.items():
        heard = ears[phone].heard()
        assert "data: " in heard, "the live stream was not heard"
        assert [card for card in hidden if card in re.findall(r"t1:[\w']+", heard)] == []


def test_a_hand_is_hidden_from_neighbours_and_stays_so_while_others_play(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", begin="cards")
    sitting.act("player_1", "deal", tracker="t1", count=20, to=["player_1", "player_2"])
    ana = phones("en").open(sitting.link("player_1"))
    expect(hand(ana)).to_have_count(20)
    ana.at(".spread-own h2 label").click()
    expect(hand(ana).first.locator(".corner")).to_be_hidden()
    sitting.act("player_2", "turn_up", tracker="t1")
    expect(ana.at(".spread-open .card")).to_have_count(1)
    expect(hand(ana).first.locator(".corner")).to_be_hidden()
    ana.at(".spread-own h2 label").click()
    expect(hand(ana).first.locator(".corner")).to_be_visible()


def test_looking_into_the_deck_is_seen_by_all_and_what_is_there_by_one(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben")
    sitting.act("player_1", "set_deck", which="40", peek="everyone")
    ana, ben = phones("en").open(sitting.link("player_1")), phones("es").open(sitting.link("player_2"))
    ana.at("#tools-t1 > summary").click()
    ana.at("#tools-t1").get_by_role("button", name="Search the deck").click()
    expect(ana.at(".spread-looked_at label.card")).to_have_count(40)
    expect(ben.at("#tracker-t1 h2")).to_contain_text("Ana busca en el mazo")
    expect(ben.at(".spread")).to_have_count(0)
    expect(ben.at("#tracker-t1").get_by_role("button", name="Robar")).to_have_count(0)
    pick(ana, "t1:12batons")
    ana.at(".spread-looked_at .spread-ways button.main").click()
    expect(hand(ana)).to_have_count(1)
    ana.at(".spread-looked_at").get_by_role("button", name="Done: shuffle").click()
    expect(ana.at(".spread-looked_at")).to_have_count(0)
    expect(ben.at("#dock").get_by_role("button", name="Robar: Mazo")).to_be_visible()


def test_without_scripts_cards_are_picked_played_and_drawn(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana")
    sitting.act("player_1", "set_deck", which="own", own="Goblin,3,Bites\nDragon,1,Burns everything")
    ana = phones("en", scripts=False).open(sitting.link("player_1"))
    for count in (1, 2):
        ana.at("#dock").get_by_role("button", name="Draw: Deck").click()
        expect(hand(ana)).to_have_count(count)
    hand(ana).first.click()
    ana.at(".spread-own .spread-ways button.main").click()
    expect(hand(ana)).to_have_count(1)
    expect(ana.at(".spread-open .card")).to_have_count(1)
    expect(ana.at(".spread-open .card")).to_contain_text(re.compile("Bites|Burns"))


def test_piles_and_hands_lie_there_as_cards_of_which_only_open_ones_are_read(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", begin="cards")
    sitting.act("player_1", "deal", tracker="t1", count=3, to=["player_1", "player_2"])
    for phone in (
        phones("en").open(sitting.link("player_1")),
        phones("en", viewport={"width": 1280, "height": 800}).open(sitting.link("screen")),
    ):
        piles = phone.at("#tracker-t1 .is-pile")
        expect(piles.locator(".stack")).to_have_count(2)
        expect(piles.first.locator(".card-back")).to_be_visible()
        expect(piles.nth(1).locator(".stack > *")).to_have_count(0)
        expect(phone.at("#tracker-t1 .held")).to_have_count(2)
        expect(phone.at("#tracker-t1 .held").first.locator("i")).to_have_count(3)
    hand = sitting.tables.seen(sitting.table, "player_2").view.panels
    held = next(panel.cards for panel in hand if isinstance(panel, Hand) and panel.whose == "own")
    sitting.act("player_2", "put", tracker="t1", to="discard", cards=[card.code for card in held[:2]])
    expect(piles.nth(1).locator(".card-face .corner b")).to_have_text(held[1].rank)
    expect(phone.at("#tracker-t1 .held").nth(1).locator("i")).to_have_count(1)
    backs = phone.at("#tracker-t1 .card-back, #tracker-t1 .held").all()
    assert [back.inner_text() for back in backs] == ["", "", ""]


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_what_a_picked_card_may_do_is_the_next_step_and_in_sight(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    sitting = served.free("Ana", begin="cards")
    sitting.act("player_1", "deal", tracker="t1", count=8, to=["player_1"])
    ana = phones("es", viewport={"width": size[0], "height": size[1]}).open(sitting.link("player_1"))
    expect(ana.dock.get_by_role("button", name="Robar: Mazo")).not_to_have_css("background-image", "none")
    hand(ana).nth(2).click()
    for way in ana.at(".spread-own .spread-ways > *").all():
        assert way.evaluate(ON_TOP), "nothing lies over it"
    loud = ana.dock.locator(".button.main:visible").all()
    assert [one.inner_text() for one in loud if one.evaluate(LOUD)] == ["Jugar"]


# Whether a hand lies hidden at the moment when its first card comes.
AT_FIRST = """new MutationObserver(() => {
  if (document.querySelector(".spread-own .card")) window.atFirst ??= document.querySelector(".hide-cards").checked;
}).observe(document, { childList: true, subtree: true })"""


def test_a_hand_that_was_hidden_lies_hidden_on_that_phone_until_its_owner_shows_it(
    served: Serving, phones: Phones
) -> None:
    sitting, other = served.free("Ana", "Ben", begin="cards"), served.free("Ana", begin="cards")
    sitting.act("player_1", "deal", tracker="t1", count=3, to=["player_1", "player_2"])
    other.act("player_1", "deal", tracker="t1", count=3, to=["player_1"])
    ana, hides = phones("en"), ".hide-cards"
    ana.page.add_init_script(AT_FIRST)
    ana.open(sitting.link("player_1")).at(".spread-own h2 label").click()
    expect(ana.at(hides)).to_be_checked()
    ana.page.reload()
    assert ana.page.evaluate("window.atFirst"), "no card was seen meanwhile"
    expect(ana.at(".spread-own .is-hidden")).to_be_visible()
    expect(ana.at(".spread-own .card-face .corner").first).to_be_hidden()
    for address in (other.link("player_1"), sitting.link("player_2")):
        ana.open(address)
        expect(ana.at(hides)).not_to_be_checked()
    ana.open(sitting.page("player_1"))
    ana.answered()
    sitting.act("player_1", "put", tracker="t1", to="discard", cards=codes(ana))
    expect(ana.at(hides)).to_have_count(0)
    sitting.act("player_1", "draw", tracker="t1", count=2)
    expect(hand(ana)).to_have_count(2)
    expect(ana.at(hides)).to_be_checked()
    ana.at(".spread-own h2 label").click()
    expect(ana.at(hides)).not_to_be_checked()
    ana.page.reload()
    expect(ana.at(hides)).not_to_be_checked()
    assert not ana.page.evaluate("window.atFirst")

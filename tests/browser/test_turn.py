"""A turn on two phones and a shared screen: card, attack, the defender's question, the app's dice and real ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser


def everybody(sitting: Sitting, phones: Phones) -> tuple[Phone, Phone, Phone]:
    """Seat Ana (white, Spanish) and Ben (black, English), and light the shared screen."""
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    return phones("es").open(sitting.link("white")), phones("en").open(sitting.link("black")), screen


def test_the_question_is_on_the_defenders_phone_only_and_everybody_sees_who_is_waited_for(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit().face_to_face()
    ana, ben, screen = everybody(sitting, phones)
    ana.play("AH")
    expect(ben.at("#last .headline")).to_have_text("White plays One on the left")
    ana.attack("wc", "bb")
    expect(ben.asked).to_have_text([re.compile("^Stand and fight"), re.compile("^Evade")])
    for phone, words in ((ana, "Esperando a: Ben"), (screen, "Ben is answering")):
        expect(phone.dock).to_contain_text(words)
        expect(phone.asked).to_have_count(0)
    expect(ana.at("#sheet")).to_be_hidden()
    ben.asked.filter(has_text="Stand and fight").click()
    for phone in (ana, ben):
        expect(phone.at("#last .thrown .die")).to_have_count(5)
        expect(phone.at("#dock .waiting")).to_have_count(0)
    assert ana.faces() == ben.faces()
    expect(screen.at("#last .clash")).to_have_attribute("data-faces", " ".join(ana.faces()[0]))


def test_real_dice_are_tapped_by_whoever_throws_them(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").face_to_face()
    ana, ben, screen = everybody(sitting, phones)
    ana.play("AH")
    ana.attack("wc", "bb")
    ben.asked.filter(has_text="Evade").click()
    ben.tap(5)
    ben.dock.get_by_role("button", name="Use this roll").click()
    expect(ana.at(".typed")).to_have_count(3)
    expect(ben.dock).to_contain_text("Waiting for Ana")
    ana.tap(2, 6)
    before = sitting.version()
    ana.at(".typing > button").click()
    expect(ana.at("#dock .wrong")).to_contain_text("dado")
    expect(ana.at(".typed:is(button) .die")).to_have_count(2)
    assert sitting.version() == before
    ana.tap(3)
    ana.at(".typing > button").click()
    ben.asked.filter(has_text="2 squares").click()
    for phone in (ana, ben, screen):
        expect(phone.at("#dock .waiting")).to_have_count(0)
        expect(phone.at("#last .headline")).to_contain_text("d6")
    assert sitting.tracked()["unit.bb.square"] == "d6"
    ana.shows(["5"], ["2", "6", "3"])


def test_a_wrong_face_more_can_not_be_tapped_and_a_die_can_be_taken_up_again(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("en").open(sitting.link("white"))
    ana.tap(1, 1, 4, 4, 6)
    expect(ana.at(".pad-faces button:enabled")).to_have_count(0)
    ana.at("button.typed").last.click()
    ana.tap(2)
    ana.at(".typing > button").click()
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    ana.shows(["1", "1", "4", "4", "2"])


def test_that_faces_are_missing_is_said_until_one_is_tapped(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("en").open(sitting.link("white"))
    ana.at(".typing > button").click()
    expect(ana.at("#refused .wrong")).to_contain_text("Tap the face of every die.")
    ana.at(".pad-faces button").first.click()
    expect(ana.at("#refused .wrong")).to_have_count(0)


def test_taking_back_a_throw_needs_a_yes_on_the_other_phone_and_meets_the_same_faces(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit().attack()
    sitting.answer("black", value="no")
    ana, ben, screen = everybody(sitting, phones)
    faces = ana.faces()
    assert len(faces[0]) == 5
    ana.at("form[action$='/undo'] button").click()
    expect(ben.at("#dock form[action$='/consent'] button")).to_have_text(["Agree", "No"])
    expect(screen.at("#dock .ask")).to_be_visible()
    expect(screen.at("#dock .ask button")).to_have_count(0)
    expect(ana.at("#dock form[action$='/consent'] button")).to_have_count(1)
    ben.at("#dock form[action$='/consent'] button[value='1']").click()
    for phone in (ana, ben, screen):
        expect(phone.at(".log .undone")).to_have_count(1)
        expect(phone.at("#last .thrown")).to_have_count(0)
    ana.attack("wc", "bb")
    ben.asked.filter(has_text="Stand and fight").click()
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    ana.shows(*faces)
    expect(screen.at("#last .clash")).to_have_attribute("data-faces", " ".join(faces[0]))


def test_a_wish_to_take_back_can_be_refused(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    sitting.answer("black", value="no")
    ana, ben, _ = everybody(sitting, phones)
    faces = ana.faces()
    ana.at("form[action$='/undo'] button").click()
    ben.at("#dock form[action$='/consent'] button[value='0']").click()
    expect(ana.at("#dock .ask")).to_contain_text("No se deshace (Ben)")
    ana.at("#dock .ask button").click()
    for phone in (ana, ben):
        expect(phone.at("#dock .ask")).to_have_count(0)
        expect(phone.at(".log .undone")).to_have_count(0)
    assert sitting.log().count("action") == 4
    ben.shows(*faces)


def test_a_correction_by_the_rulekeeper_is_on_every_phone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana, ben, screen = everybody(sitting, phones)
    ruth = phones("en").open(sitting.link("rulekeeper"))
    ruth.at("#menu summary").click()
    ruth.at("#menu a[href$='/corrections']").click()
    ruth.at("details:has(#c-unit-wb-hits) > summary").click()
    ruth.at("#c-unit-wb-hits").fill("2")
    ruth.at("form:has(#c-unit-wb-hits) .save").click()
    expect(ruth.at(".note")).to_be_visible()
    for phone, words in ((ana, "2 de 3 impactos"), (ben, "2 of 3 hits"), (screen, "2 of 3 hits")):
        expect(phone.at(".board .coin")).to_have_count(2)
        expect(phone.at("#board-words")).to_contain_text(words)
        expect(phone.at(".log .line").first).to_contain_text("Ruth")
    assert sitting.tracked()["unit.wb.hits"] == 2


def test_a_hand_is_corrected_by_marking_its_cards_and_never_emptied_by_one_tap(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ruth = phones("en").open(sitting.link("rulekeeper"))
    ruth.open(sitting.page("rulekeeper", "/corrections"))
    ruth.at("details:has(#c-cards-white) > summary").first.click()
    ruth.at("#c-cards-white > summary").click()
    expect(ruth.at("#c-cards-white :checked")).to_have_count(0)
    ruth.at("form:has(#c-cards-white) .save").click()
    expect(ruth.at("form:has(#c-cards-white) .wrong")).to_be_in_viewport()
    assert sorted(sitting.hand("white")) == ["10S", "2H", "AH"]
    ruth.at("#c-cards-white > summary").click()
    for card in ("QS", "AS"):
        ruth.at(f"#c-cards-white input[value='{card}'] + label").click()
    ruth.at("form:has(#c-cards-white) .save").click()
    expect(ruth.at("form:has(#c-cards-white) .note")).to_be_in_viewport()
    assert sorted(sitting.hand("white")) == ["AS", "QS"]
    ruth.at("#c-cards-white > summary").click()
    ruth.at("#c-cards-white label[for$='-none']").click()
    ruth.at("form:has(#c-cards-white) .save").click()
    expect(ruth.at("form:has(#c-cards-white) .note")).to_be_visible()
    assert sitting.hand("white") == ()
    ruth.open(sitting.page("rulekeeper"))
    expect(ruth.at("#last .headline")).to_have_text("Ruth corrects: Cards · White's hand")


def test_a_double_click_sends_one_action(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    actions = sitting.log().count("action")
    ana.at("label[for$='-2H']").click()
    ana.do("action=play_card", "card=2H").dblclick()
    expect(ana.at("#last .headline")).to_have_text("White plays Two on the left")
    ana.do("action=end_turn").dblclick()
    expect(ana.at("#turn h2")).to_contain_text("choose a card")
    assert sitting.log().count("action") == actions + 2
    assert ana.at(".wrong").count() == 0


@pytest.mark.parametrize("scripts", [True, False])
def test_a_stale_page_is_answered_with_the_fresh_view_and_a_sentence(
    served: Serving, phones: Phones, scripts: bool
) -> None:
    sitting = served.sit().begin()
    ana = phones("en", scripts=scripts)
    ana.context.route("**/live?*", lambda route: route.abort())
    ana.open(sitting.link("white"))
    ana.at("label[for$='-2H']").click()
    sitting.act("white", "play_card", card="AH")
    ana.do("action=play_card", "card=2H").click()
    expect(ana.at("#dock .wrong")).to_contain_text("moved on")
    expect(ana.at("#last .headline")).to_have_text("White plays One on the left")
    expect(ana.do("action=end_turn")).to_be_visible()
    assert "2H" in sitting.hand("white")


def test_the_sheet_never_shows_what_it_held_before(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana = phones("en").open(sitting.link("white"))
    ana.odds("wc")
    expect(ana.at("#plan")).to_contain_text("light cavalry")
    ana.at("#sheet .close").click()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ana.page.route("**/plan?*", hold)
    with ana.page.expect_request("**/plan?*"):
        ana.at("#targets-wc .way.key-go:visible").click()
    expect(ana.at("#sheet")).to_be_visible()
    expect(ana.at("#plan")).to_have_count(0)
    held[0].continue_()
    expect(ana.at("#plan")).to_contain_text("Move: White heavy infantry")


def test_on_a_real_board_asking_for_the_odds_is_no_attack_and_an_attack_needs_its_target(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit(board="table", cards="real")
    sitting.agree()
    sitting.act("white", "play_card", card="2H")
    ana = phones("en").open(sitting.link("white"))
    before = sitting.version()
    ana.planned("unit%3Dwc", "mode%3Dmelee").click()
    ana.at("#plan button.main").click()
    ana.at("#plan label").filter(has_text="City").click()
    expect(ana.at("#plan .chart").first).to_be_visible()
    with ana.page.expect_response(lambda answer: "f.behind=1" in answer.url):
        ana.at("#plan label[for$='behind-1']").click()
    ana.at("#plan [name='f.behind']:checked").press("Enter")
    ana.at("#plan [data-plan]").click()
    expect(ana.at("#plan input:checked + label").first).to_contain_text("City")
    assert sitting.version() == before
    ana.at("#plan button.main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert sitting.version() > before


def test_whoever_throws_twice_in_a_row_begins_the_second_throw_with_no_faces(served: Serving, phones: Phones) -> None:
    sitting = served.alone(dice="typed", board="table", cards="real")
    for seat in ("white", "black"):
        sitting.act("rulekeeper", "ready", **{"for": seat})
    sitting.act("rulekeeper", "play_card", card="KS", **{"for": "white"})
    ruth = phones("en").open(sitting.link("rulekeeper"))
    ruth.planned("unit%3Dwe", "mode%3Dranged").click()
    ruth.at("#plan label").filter(has_text="Light cav. from b8").click()
    expect(ruth.at("#plan .chart")).to_have_count(4)
    expect(ruth.at("#plan button.main")).to_have_text("Shoot")
    ruth.at("#plan button.main").click()
    expect(ruth.dock).to_contain_text("Black: Evade?")
    ruth.asked.filter(has_text="Evade").click()
    ruth.tap(4)
    ruth.at(".typing > button").click()
    expect(ruth.recap).to_contain_text("The evasion succeeds")
    expect(ruth.at(".empty.typed, .slot.typed")).to_have_count(1)
    ruth.tap(6)
    ruth.at(".typing > button").click()
    expect(ruth.asked.first).to_have_text("1 square")


def test_a_shot_on_a_real_board_asks_where_the_shooter_is_and_bars_what_it_can_not_see(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit(board="table", cards="real")
    sitting.agree()
    sitting.act("white", "play_card", card="3H")
    ana = phones("en").open(sitting.link("white"))
    expect(ana.planned("unit%3Dwe")).to_have_text(["Fight", "Shoot"])
    ana.planned("unit%3Dwe", "mode%3Dranged").click()
    expect(ana.at("#plan [value='hill'][name='f.target_terrain']")).to_be_disabled()
    expect(ana.at("#plan .barred").get_by_role("link", name="Why: TTC-98")).not_to_have_count(0)
    ana.at("#plan label[for$='moved-2']").click()
    ana.at("#plan label[for$='attacker_terrain-2']").click()
    expect(ana.at("#plan [value='true'][name='f.moved']")).to_be_disabled()
    expect(ana.at("#plan [value='false'][name='f.moved']")).to_be_checked()
    ana.at("#plan label[for$='attacker_terrain-3']").click()
    ana.at("#plan label[for$='target_terrain-3']").click()
    ana.at("#plan label[for$='distance-4']").click()
    ana.at("#plan label").filter(has_text="Heavy inf. from c8").click()
    expect(ana.at("#plan .chart")).to_have_count(2)
    expect(ana.at("#plan .wrong")).to_have_count(0)
    before = sitting.version()
    ana.at("#plan button.main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert sitting.version() > before


def test_the_newest_of_several_quick_choices_is_the_one_that_the_odds_are_for(served: Serving, phones: Phones) -> None:
    sitting = served.sit(board="table", cards="real")
    sitting.agree()
    sitting.act("white", "play_card", card="3H")
    ana = phones("en").open(sitting.link("white"))
    ana.planned("unit%3Dwe", "mode%3Dranged").click()
    expect(ana.at("#plan label[for$='attacker_terrain-3']")).to_be_visible()
    ana.page.evaluate(
        "[2, 1, 3].forEach((at) => document.querySelector(`#plan label[for$='attacker_terrain-${at}']`).click())"
    )
    expect(ana.at("#plan [name='f.attacker_terrain'][checked]")).to_have_id(re.compile("attacker_terrain-3$"))


def test_a_card_of_a_real_deck_is_chosen_before_it_is_played(served: Serving, phones: Phones) -> None:
    sitting = served.sit(board="table", cards="real")
    sitting.agree()
    ana = phones("en").open(sitting.link("white"))
    play = ana.at("#dock form.offer")
    expect(play.locator("input[type='radio']")).to_have_count(24)
    expect(play.locator("input:checked")).to_have_count(0)
    before = sitting.version()
    play.locator("button").click()
    expect(play.locator("input:invalid").first).to_be_attached()
    ana.at("#dock summary").filter(has_text="Discard: I can play none").click()
    ana.at("#dock details[open] label").filter(has_text="2♦").click()
    expect(play.locator("input:checked")).to_have_count(0)
    assert sitting.version() == before
    play.locator("label").filter(has_text="10♠").click()
    play.locator("button").click()
    expect(ana.at("#last .headline")).to_have_text("White plays Wrath of God")
    expect(ana.dock).to_contain_text("Activate any 3 units: +1 movement, +1 range and +1 die.")


def test_the_result_of_an_attack_low_in_the_list_is_seen(served: Serving, phones: Phones) -> None:
    sitting = served.sit(board="table", cards="real")
    sitting.agree()
    sitting.act("white", "play_card", card="3H")
    ana = phones("en").open(sitting.link("white"))
    attack = ana.planned("unit%3Dwh", "mode%3Dmelee")
    attack.scroll_into_view_if_needed()
    ana.page.evaluate("scrollBy(0, 200)")
    attack.click()
    ana.at("#plan label").filter(has_text="City").click()
    ana.at("#plan button.main").click()
    expect(ana.at("#last .thrown")).to_be_in_viewport()

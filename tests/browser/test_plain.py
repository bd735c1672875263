"""Without JavaScript: a table is made, joined and played with plain forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Sitting

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


def take_in(served: Serving, address: str) -> Sitting:
    """Hold a table that was made in a browser."""
    table = address.rpartition("/t/")[2][:6]
    return Sitting(served, table, {"rulekeeper": served.tables.private_link(table, "rulekeeper")})


def test_a_turn_is_played_without_scripts(served: Serving, phones: Phones) -> None:
    ana, ben = phones("es", scripts=False), phones("en", scripts=False)
    ana.open(served.address)
    ana.at("a.tile.main").click()
    ana.at("a[href$='/new/two_cities']").click()
    ana.at("#name").fill("Ana")
    ana.at("label[for='seat-white']").click()
    ana.at("label[for='dice-typed']").click()
    ana.at("form .button.main.big").click()
    address = ana.at(".invite .address").inner_text().strip()
    ben.open(address)
    ben.at("#name").fill("Ben")
    ben.at("button[name='seat'][value='black']").click()
    ben.do("action=ready").click()
    expect(ben.at("#last .headline")).to_contain_text("Black")
    ana.at("a.button.main.big").click()
    ana.do("action=ready").click()
    expect(ana.dock).to_contain_text("Elige la carta")

    sitting = take_in(served, address)
    for path, value in (
        ("terrain.forest.1", "off"),
        ("terrain.forest.1", "off"),
        ("terrain.hill.1", "off"),
        ("terrain.hill.1", "off"),
        ("unit.wc.square", "d2"),
        ("unit.bb.square", "d4"),
        ("cards.white", "2H,AH,10S"),
    ):
        sitting.correct(path, value)
    ana.page.reload()
    ana.play("2H")
    expect(ana.at("#last .headline")).to_have_text("Las blancas juegan Dos a la izquierda")
    ana.pick("wc")
    ana.planned("action%3Dmove%26unit%3Dwc").click()
    ana.at("#plan label").filter(has_text="d3").click()
    ana.at("#plan button.main").click()
    expect(ana.at("#last .headline")).to_contain_text("d3")
    ana.pick("wc")
    ana.planned("action%3Dattack%26unit%3Dwc").click()
    ana.at("#plan label").first.click()
    ana.at("#plan [data-plan]").click()
    expect(ana.at(".chart").first).to_be_visible()
    ana.at("#plan button.main").click()
    expect(ana.dock).to_contain_text("Esperando a: Ben")
    ben.page.reload()
    ben.asked.filter(has_text="Stand and fight").click()
    expect(ben.dock).to_contain_text("Waiting for Ana")
    ana.page.reload()
    throw(ana, 1, 1, 6, 4)
    expect(ana.at("#dock .wrong")).to_be_visible()
    throw(ana, 1, 1, 6, 4, 4)
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    assert sitting.tracked()["unit.bb.square"] == "d5"
    ana.do("action=end_turn").click()
    expect(ana.at("#turn h2")).to_contain_text("elegir carta")
    ben.page.reload()
    expect(ben.dock).to_contain_text("Choose a card")


def throw(phone: Phone, *faces: int) -> None:
    """Tick a face for each die, and send them."""
    for die, face in enumerate(faces, 1):
        phone.at(f".die-row:nth-child({die}) label[for$='-{die}-{face}']").click()
    phone.at(".typing > button").click()


def test_a_refused_form_leads_back_to_the_table_without_scripts(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en", scripts=False).open(sitting.link("white"))
    sitting.act("white", "play_card", card="AH")
    ana.play("AH")
    expect(ana.at("#dock .wrong")).to_be_visible()
    assert ana.page.url == sitting.page("white", "/act")
    expect(ana.at("meta[http-equiv='refresh']")).to_have_count(0)
    ana.at("#menu summary").click()
    ana.at("#menu a[lang='es']").click()
    expect(ana.page).to_have_url(sitting.page("white"))
    expect(ana.dock).to_contain_text("Activa 1 unidad")
    ana.open(served.address)
    ana.open(sitting.page("white", "/act"))
    expect(ana.page).to_have_url(sitting.page("white"))
    expect(ana.dock).to_contain_text("Activa 1 unidad")


def test_seats_settings_and_taking_back_work_without_scripts(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.act("white", "play_card", card="AH")
    ruth = phones("en", scripts=False).open(sitting.link("rulekeeper"))
    ruth.at("form[action$='/undo'] button").click()
    expect(ruth.at(".log .undone")).to_have_count(1)
    ruth.open(sitting.page("rulekeeper", "/settings"))
    ruth.at("button[name='dice'][value='typed']").click()
    expect(ruth.at("button[name='dice'][value='typed']")).to_have_attribute("aria-current", "true")
    ruth.at("button[name='pause'][value='1']").click()
    expect(ruth.at("button[name='pause'][value='0']")).to_be_visible()
    ana = phones("es", scripts=False).open(sitting.link("white"))
    expect(ana.dock).to_contain_text("pausa")
    ruth.at("button[name='pause'][value='0']").click()
    ruth.open(sitting.page("rulekeeper", "/corrections"))
    ruth.at("details:has(#c-game-turn) > summary").click()
    ruth.at("#c-game-turn").fill("1")
    ruth.at("form:has(#c-game-turn) .save").click()
    expect(ruth.at(".wrong")).to_be_visible()
    ruth.at("#c-game-turn").fill("7")
    ruth.at("form:has(#c-game-turn) .save").click()
    ana.page.reload()
    expect(ana.at("#turn small")).to_contain_text("Turno 7")


def test_what_is_tapped_before_all_scripts_have_come_works_as_without_scripts(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    phone = phones("en")
    phone.page.route("**/htmx*.js", lambda route: None)
    phone.page.goto(sitting.link("rulekeeper"), wait_until="commit")
    expect(phone.at("html")).to_have_class(re.compile("scripted"))
    phone.aside()
    link = phone.at("a[data-sheet]:not([target]):visible").first
    address = link.get_attribute("href") or ""
    link.click()
    expect(phone.page).to_have_url(re.compile(re.escape(address)))
    phone.page.unroute_all(behavior="ignoreErrors")

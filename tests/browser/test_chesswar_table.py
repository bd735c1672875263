"""A turn of ChessWar on a real board, tapped by two phones: few taps, the facts of each deed, and ways back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.chesswar.game import GAME as CHESSWAR
from tests.browser.phones import WIDE, sitting_at
from tests.browser.test_axe import inspect
from tests.browser.test_chesswar import answer, says, set_up, submit
from tests.support.chesswar_positions import KINGS, position

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


def line(phone: Phone, name: str, badge: str = "") -> Locator:
    """Return the line of the own roster that stands under a name, with a badge."""
    named = (
        phone.at(".roster").first.locator(".units > li:visible").filter(has=phone.page.get_by_text(name, exact=True))
    )
    return named.filter(has_text=badge)


def chosen(phone: Phone, name: str) -> Locator:
    return phone.at(f"#plan [name='f.{name}']:checked")


@pytest.mark.sized
@pytest.mark.long
def test_a_turn_takes_few_taps_and_asks_the_facts(served: Serving, phones: Phones) -> None:
    sitting = set_up(served, "typed", board="table")
    ana, ben = phones("es").open(sitting.link("white")), phones("en").open(sitting.link("black"))
    expect(line(ana, "Arqueros", "×4")).to_have_count(1)
    expect(line(ana, "Infantería", "×2")).to_have_count(1)

    # A charge is three taps: who, at whom, yes. Units that do not charge are moved on the board and nowhere else.
    line(ana, "Infantería", "×2").get_by_text("Cargar", exact=True).click()
    ana.at("#plan label").get_by_text("Orcos ×4", exact=True).click()
    submit(ana)
    for phone, words in ((ana, "trabada con Orcos 1"), (ben, "in melee with Infantry 1")):
        expect(phone.at(".roster .badge").filter(has_text=words)).to_have_count(1)
    inspect(ana, "real board, movement")
    ana.do("action=end_phase").click()
    says(ana, "Fase de disparo")

    # A shot is four taps: who, at whom, how far, yes; nobody has to look for a distance that was filled in.
    line(ana, "Arqueros", "×4").get_by_text("Disparar", exact=True).click()
    expect(chosen(ana, "distance")).to_have_count(0)
    ana.at("#plan label").get_by_text("Orcos 1, trabada con Infantería 1", exact=True).wait_for()
    ana.at("#plan label").get_by_text("Jinetes lupinos ×2", exact=True).click()
    submit(ana)
    expect(ana.at("#plan")).to_be_visible()
    assert "hit" not in ana.dock.inner_text(), "without a distance nothing is sent"
    ana.at("#plan [name='f.distance'][value='2'] + label").click()
    inspect(ana, "real board, shot")
    submit(ana)
    ana.throw(3)
    ben.throw(1)
    says(ben, "Destroyed: Wolf riders 1 (Black)")
    for phone, label, kind in ((ana, "Bajas de las negras", "Jinetes lupinos"), (ben, "Black has lost", "Wolf riders")):
        expect(phone.at(".facts dl > div").filter(has_text=label)).to_contain_text(kind)
    expect(line(ana, "Arqueros", "×3")).to_have_count(1)

    # Whoever shoots next finds the target of the one before, if it still stands: then it is three.
    line(ana, "Arqueros", "×3").get_by_text("Disparar", exact=True).click()
    expect(chosen(ana, "target")).to_have_count(0)
    ana.at("#plan label").get_by_text("Arqueros ×3", exact=True).click()
    ana.at("#plan [name='f.distance'][value='3'] + label").click()
    submit(ana)
    ana.throw(1)
    line(ana, "Arqueros", "×2").get_by_text("Disparar", exact=True).click()
    expect(chosen(ana, "target")).to_have_attribute("value", "bb1")
    expect(chosen(ana, "distance")).to_have_count(0)
    ana.at("#sheet-close, #sheet .close").first.click()
    ana.do("action=end_phase").click()
    says(ana, "Fase de combate")

    # Each pair of a melee is one tap; who has nothing to do is folded away.
    expect(ana.at(".roster").first.locator("> .units > li")).to_have_count(1)
    line(ana, "Infantería 1").get_by_text("Atacar a Orcos 1", exact=True).click()
    ana.throw(6)
    answer(ana, "stay")
    says(ben, "Destroyed: Orcs 1 (Black)")
    expect(ana.at(".facts dl > div").filter(has_text="Bajas de las negras")).to_contain_text("Orcos, Jinetes lupinos")
    ana.do("action=end_phase").click()
    line(ben, "Orcs", "×3").get_by_text("Charge", exact=True).wait_for()
    expect(line(ana, "Infantería", "×2")).to_have_count(1)


def test_impossible_facts_are_refused_beside_their_field(served: Serving, phones: Phones) -> None:
    sitting = set_up(served, board="table")
    sitting.act("white", "end_phase")
    ana = phones("es").open(sitting.link("white"))
    line(ana, "Arqueros", "×4").get_by_text("Disparar", exact=True).click()
    ana.at("#plan label").get_by_text("Orcos ×4", exact=True).click()
    expect(ana.at("#sheet-body[aria-busy]")).to_have_count(0)
    far = ana.at("#plan [name='f.distance'][value='4']")
    far.evaluate("(one) => { one.value = '99'; one.checked = true; }")
    submit(ana)
    expect(ana.at("#plan .foot .wrong")).to_contain_text("Está a 99 casillas y el alcance es 4.")
    expect(ana.at("#plan .is-wrong")).to_contain_text("Distancia en casillas")
    expect(chosen(ana, "target")).to_have_attribute("value", "bp1")


def test_a_charge_is_taken_back_at_once_and_dice_with_a_yes_and_the_same_faces(served: Serving, phones: Phones) -> None:
    sitting = set_up(served, board="table")
    ana, ben = phones("es").open(sitting.link("white")), phones("en").open(sitting.link("black"))
    line(ana, "Infantería", "×2").get_by_text("Cargar", exact=True).click()
    ana.at("#plan label").get_by_text("Orcos ×4", exact=True).click()
    submit(ana)
    expect(ana.at(".roster .badge").filter(has_text="trabada")).to_have_count(2)
    ana.at(".back button").first.click()
    expect(ana.at(".roster .badge").filter(has_text="trabada")).to_have_count(0)
    ana.do("action=end_phase").click()
    says(ana, "Fase de disparo")
    thrown = []
    for tries in range(2):
        line(ana, "Arqueros", "×4").get_by_text("Disparar", exact=True).click()
        ana.at("#plan label").get_by_text("Orcos ×4", exact=True).click()
        ana.at("#plan [name='f.distance'][value='2'] + label").click()
        submit(ana)
        expect(line(ana, "Arqueros", "×3")).to_have_count(1)
        thrown.append(ana.faces())
        if not tries:
            ana.at(".back button").first.click()
            ben.at("form[action$='/consent'] button[value='1']").click()
            expect(line(ana, "Arqueros", "×4")).to_have_count(1)
    assert thrown[0] == thrown[1]


@pytest.mark.sized
def test_a_rulekeeper_finds_a_unit_and_saves_what_is_wrong_with_it_at_once(served: Serving, phones: Phones) -> None:
    sitting = set_up(served, board="table")
    ruth = phones("es").open(sitting.link("rulekeeper"))
    ruth.open(sitting.page("rulekeeper", "/corrections"))
    ruth.at("#find").fill("general")
    expect(ruth.at(".mending > details:visible")).to_have_count(1)
    ruth.at("#find").fill("no hay tal cosa")
    expect(ruth.at("#none-found")).to_be_visible()
    ruth.at("#find").fill("INFANTERIA 2")
    expect(ruth.at(".mending > details[open]:visible")).to_have_count(1)
    inspect(ruth, "corrections of a real board")
    ruth.at("label[for='c-unit-wp2-moved']").click()
    ruth.at("#c-unit-wp2-engaged_with > summary").click()
    ruth.at("#c-unit-wp2-engaged_with label").get_by_text("Orcos 3", exact=True).click()
    ruth.at("form:has(#c-unit-wp2-moved) .save").click()
    expect(ruth.at(".note:visible").first).to_be_in_viewport()
    now = sitting.tracked()
    assert (now["unit.wp2.moved"], now["unit.wp2.engaged_with"]) == (True, ("bp3",))
    assert sitting.log().count("correction") == 2
    expect(ruth.at("details:has(#c-unit-wp2-moved) > summary small")).to_contain_text("Trabada con: Orcos 3")


RING = """(unit) => {
  const { left, right } = unit.getBoundingClientRect(), { outlineWidth, outlineOffset } = getComputedStyle(unit);
  const [wide, far] = [outlineWidth, outlineOffset].map(parseFloat);
  const { left: from, right: to } = unit.closest(".pages").getBoundingClientRect();
  return [wide > 0, left - far - wide >= from, right + far + wide <= to];
}"""
"""Of a unit on the shared screen: whether a ring is around it, and within the pages that its list is turned on."""


def test_the_rings_of_those_who_meet_are_whole_on_the_shared_screen(tmp_path: Path, phones: Phones) -> None:
    state = position(f"w1 hb d4, b1 ob d5, {KINGS}, w1>b1", phase="combat", board="table")
    with sitting_at(tmp_path, CHESSWAR, state, ("white", "black"), "typed", board="table") as sitting:
        sitting.act("white", "attack", unit="w1", target="b1")
        screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
        for mark in ("acting", "target"):
            assert screen.at(f".marked-{mark} .unit").evaluate(RING) == [True, True, True], mark

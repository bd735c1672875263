"""Whose turn it is: the strip and the tab's title of two phones and the shared screen follow the table, unasked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from tests.browser.phones import WIDE, sitting_at
from tests.browser.test_large_letters import SMALL, enlarge
from tests.support import tactics_2gm_positions

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

WATCHED = """
new MutationObserver(() => { document.body.dataset.said = "again"; })
  .observe(document.querySelector("#turn h2"), { childList: true, characterData: true, subtree: true });
"""
LEAST = 3
"""Pixels between the words of the strip and the strokes beneath them."""


def says(phone: Phone, words: str, where: str) -> None:
    """The strip and the tab say the same, the tab with where it is, and with a mark where that calls."""
    expect(phone.at("#turn h2")).to_have_text(words)
    expect(phone.page).to_have_title(re.compile(rf"^(● )?{re.escape(words)} · {re.escape(where)}$"))


def below(words: Locator, strokes: Locator) -> float:
    """Pixels between the lower edge of some words and strokes."""
    above, beneath = words.bounding_box(), strokes.bounding_box()
    assert above
    assert beneath
    return beneath["y"] - above["y"] - above["height"]


def test_the_strip_and_the_tab_of_every_phone_follow_the_table(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    where = f"A Tale of Two Cities {sitting.table}"
    ana, ben = phones("es").open(sitting.link("white")), phones("en").open(sitting.link("black"))
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    says(ana, "Te toca: elegir carta", where)
    for phone in (ben, screen):
        says(phone, "Ana's turn: choose a card", where)
    loaded = [phone.page.evaluate("performance.timeOrigin") for phone in (ana, ben, screen)]
    for phone in (ana, ben):
        expect(phone.at("#turn li[aria-current]")).to_have_count(1)
        for words in ("#turn h2", "#turn small"):
            assert below(phone.at(words), phone.at("#turn ol")) >= LEAST
    sitting.act("white", "play_card", card="AH")
    says(ana, "Te toca: mover y combatir", where)
    says(ben, "Ana's turn: move and fight", where)
    sitting.act("white", "attack", unit="wc", target="bb")
    says(ana, "Respuesta de Ben", where)
    says(ben, "Your answer", where)
    says(screen, "Ben is answering", where)
    ben.asked.filter(has_text="Stand and fight").click()
    says(ana, "Te toca: descartar y robar", where)
    says(ben, "Ana's turn: discard and draw", where)
    says(screen, "Ana's turn: discard and draw", where)
    assert [phone.page.evaluate("performance.timeOrigin") for phone in (ana, ben, screen)] == loaded


def test_what_is_said_of_a_turn_is_announced_as_one_sentence_and_only_when_it_is_another(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ben = phones("en").open(sitting.link("black"))
    expect(ben.at("#turn h2[aria-live='polite'][aria-atomic='true']")).to_have_count(1)
    ben.page.evaluate(WATCHED)
    sitting.correct("cards.black", "2D,AS")
    ben.sees(sitting.version())
    assert ben.page.evaluate("document.body.dataset.said") is None
    sitting.act("white", "play_card", card="AH")
    expect(ben.at("#turn h2")).to_have_text("Ana's turn: move and fight")
    assert ben.page.evaluate("document.body.dataset.said")


def test_at_a_free_table_who_holds_the_order_and_the_phase_are_one_sentence(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", seats=2)
    where = f"Free table {sitting.table}"
    ana, ben = phones("en").open(sitting.link("player_1")), phones("en").open(sitting.link("player_2"))
    says(ana, "Anyone can act", where)
    sitting.act("player_1", "set_phases", steps="Move, Fire")
    says(ben, "Anyone can act: Move", where)
    sitting.act("player_1", "set_order", players=True, names="Goblin")
    for who, score in (("player_1", 9), ("player_2", 5), ("n1", 1)):
        sitting.act("player_1", "score_order", tracker="t2", who=who, score=score)
    sitting.act("player_1", "round_in_order", tracker="t2", round=0)
    says(ana, "Your turn: Move", where)
    says(ben, "Ana's turn: Move", where)
    sitting.act("player_1", "next", tracker="t1", round=1, step=0)
    says(ben, "Ana's turn: Fire", where)
    sitting.act("player_1", "next_in_order", tracker="t2", round=1, current="player_1")
    says(ana, "Ben's turn: Fire", where)
    says(ben, "Your turn: Fire", where)
    sitting.act("player_1", "next_in_order", tracker="t2", round=1, current="player_2")
    for phone in (ana, ben):
        says(phone, "Goblin's turn: Fire", where)


def test_without_scripts_the_title_is_right_when_the_page_comes(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en", scripts=False).open(sitting.link("white"))
    says(ana, "Your turn: choose a card", f"A Tale of Two Cities {sitting.table}")
    sitting.act("white", "play_card", card="AH")
    ana.page.reload()
    says(ana, "Your turn: move and fight", f"A Tale of Two Cities {sitting.table}")


READ = r"""
() => {
  const strip = document.querySelector("#turn .words");
  const box = strip.getBoundingClientRect();
  const walk = document.createTreeWalker(strip, NodeFilter.SHOW_TEXT);
  const whole = [];
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (text.parentElement.closest(".away")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\d]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const parts = [...range.getClientRects()]; // a first letter is one by itself
      const within = ({ right, top, bottom }) => right <= box.right + 1 && (top + 3 * bottom) / 4 <= box.bottom;
      if (parts.every((one) => within(one) && one.bottom > parts[0].top && one.top < parts[0].bottom)) whole.push(word);
    }
  }
  return whole.join(" ");
}
"""
"""The words of the strip that are read whole, on one line."""


@pytest.mark.parametrize("large", [False, True], ids=["small phone", "large letters"])
@pytest.mark.parametrize(
    ("tongue", "seat", "words"),
    [
        ("es", "allies", "Te toca Estado Mayor Ronda 2"),
        ("es", "axis", "Turno de allies Estado Mayor Ronda 2"),
        ("en", "allies", "Your turn headquarters Round 2"),
    ],
)
def test_the_words_of_the_strip_are_read_whole_on_a_small_phone(
    tmp_path: Path, phones: Phones, tongue: str, seat: str, words: str, large: bool
) -> None:
    state = tactics_2gm_positions.battle(phase="headquarters", turn=3)
    with sitting_at(tmp_path, TACTICS_2GM, state, ("allies", "axis")) as sitting:
        phone = phones(tongue, viewport=SMALL)
        if large:
            enlarge(phone)
        phone.open(sitting.link(seat))
        expect(phone.at("#turn small")).to_be_visible()
        assert phone.page.evaluate(READ) == words


def test_a_rulekeeper_who_plays_for_two_reads_all_of_their_letters(tmp_path: Path, phones: Phones) -> None:
    state = tactics_2gm_positions.battle(phase="deployment", turn=3, players="four")
    with sitting_at(tmp_path, TACTICS_2GM, state, (), players="four") as sitting:
        phone = phones("es", viewport=SMALL).open(sitting.link("rulekeeper"))
        words = phone.at("#turn .words")
        expect(words).to_contain_text("Juegas por Aliados 1 y por Aliados 2")
        assert phone.page.evaluate(READ).endswith("despliegue Ronda 2")
        assert words.evaluate("(one) => one.scrollHeight <= one.clientHeight"), "the foot of a letter is cut off"

"""The scene of a clash: in the place of the board while somebody is asked, then a moment, then in what happened."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games.history_of_war import damage
from tests.browser.finger import SMALL
from tests.browser.phones import PHONE, WIDE, sitting_at
from tests.browser.test_screen import is_read_from_afar
from tests.support import chesswar_positions, tactics_2gm_positions
from tests.support import history_of_war_positions as positions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.games.history_of_war.state import State
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

DESTROYED = (1, 2, 1, 3, 3)


def attacked(served: Serving, phones: Phones, dice: str = "typed") -> tuple[Sitting, Phone, Phone, Phone]:
    """Let White attack before three open pages: Black is asked whether it evades."""
    sitting = served.sit(dice=dice).face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana, ben = (phones("en").open(sitting.link(seat)) for seat in ("white", "black"))
    screen = phones("en", viewport={"width": 1280, "height": 800}).open(sitting.link("screen"))
    sitting.act("white", "attack", unit="wc", target="bb")
    for phone in (ana, ben, screen):
        phone.sees(sitting.version())
    return sitting, ana, ben, screen


def words(phone: Phone) -> str:
    """Return what the scene says; phones name the sides of pieces, and so does the screen."""
    return re.sub(r"\s+", " ", phone.at(".clash").inner_text())


def test_both_phones_and_the_screen_show_the_same_scene(served: Serving, phones: Phones) -> None:
    _, ana, ben, screen = attacked(served, phones)
    for phone in (ana, ben, screen):
        expect(phone.at(".clash")).to_have_count(1)
        expect(phone.at(".clash .fighter")).to_have_count(2)
        expect(phone.at(".clash .fighter").first).to_contain_text("heavy infantry")
        expect(phone.at(".clash .slot")).to_have_count(5)
        expect(phone.at(".clash .saves")).to_contain_text("May evade on 4, 5 or 6")
        expect(phone.at(".clash")).to_be_visible()
    assert words(ana) == words(ben)
    ben.save("clash-asked")


def test_the_scene_covers_the_board_and_no_button_until_it_is_put_away(served: Serving, phones: Phones) -> None:
    _, _, ben, _ = attacked(served, phones)
    expect(ben.at("#clash-now")).to_have_attribute("open", "")
    scene, stage = ben.at("#recap").bounding_box(), ben.at("#stage").bounding_box()
    assert scene
    assert stage
    assert scene["y"] <= stage["y"]
    assert scene["y"] + scene["height"] >= stage["y"] + stage["height"]
    for answer in ben.asked.all():
        expect(answer).to_be_in_viewport(ratio=1)
        box = answer.bounding_box()
        assert box
        assert box["y"] >= scene["y"] + scene["height"] - 1
    before = [answer.bounding_box() for answer in ben.asked.all()]
    ben.at("#clash-now > summary").click()
    expect(ben.at("#clash-now .clash")).to_be_hidden()
    assert ben.at("#board").is_visible()
    assert [answer.bounding_box() for answer in ben.asked.all()] == before
    ben.at("#clash-now > summary").click()
    expect(ben.at("#clash-now .clash")).to_be_visible()


def test_a_result_is_seen_for_a_moment_and_then_read_in_what_happened(served: Serving, phones: Phones) -> None:
    sitting, ana, ben, screen = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=list(DESTROYED))
    for phone in (ana, ben):
        phone.sees(sitting.version())
        expect(phone.at("#recap")).to_have_class(re.compile("is-fresh"))
        expect(phone.at("#recap .came-of")).to_be_visible()
        expect(phone.at("#recap .is-lit")).to_have_count(3)
        expect(phone.at("#recap .fighter.is-gone .marker")).to_have_text("3")
    expect(screen.at("#event .is-lit")).to_have_count(3)
    # It goes away by itself, and what it told is where everything is told.
    for phone in (ana, ben):
        expect(phone.at("#recap")).not_to_have_class(re.compile("is-fresh"))
        expect(phone.at("#last-why")).not_to_have_attribute("open", "")
        expect(phone.at("#last .headline")).to_be_visible()
    ana.at("#last summary").click()
    expect(ana.at("#last .clash")).to_be_visible()
    expect(ana.at("#last .reasons .clause").first).to_be_visible()


def test_whoever_taps_the_scene_has_the_board_back(served: Serving, phones: Phones) -> None:
    sitting, ana, ben, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=list(DESTROYED))
    for phone in (ana, ben):
        phone.sees(sitting.version())
    ana.at("#recap .came-of").click()
    ana.folded()
    assert sitting.tables.seen(sitting.table, "white").version == sitting.version()
    expect(ana.at("#board")).to_be_visible()


def test_a_page_that_is_loaded_anew_shows_no_scene_of_what_was(served: Serving, phones: Phones) -> None:
    sitting, ana, _, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=list(DESTROYED))
    ana.sees(sitting.version())
    ana.open(sitting.link("white"))
    expect(ana.at("#last .headline")).to_be_visible()
    expect(ana.at("#last .clash")).to_be_hidden()
    expect(ana.at("html")).to_have_class(re.compile("scripted"))
    ana.folded()


def test_real_dice_lie_in_the_tray_and_are_sent_by_themselves(served: Serving, phones: Phones) -> None:
    sitting, ana, ben, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    ana.sees(sitting.version())
    expect(ana.at(".clash .is-asked .slot")).to_have_count(5)
    expect(ana.at(".pad-thrown")).to_be_hidden()
    ana.touch(1, 1)
    expect(ana.at(".clash button.typed")).to_have_count(2)
    ana.touch(4, 4, 6)
    expect(ana.at("#last .headline")).to_contain_text("light cavalry")
    expect(ben.at("#last .headline")).to_contain_text("light cavalry")
    ana.shows(["1", "1", "4", "4", "6"])


def test_dice_that_are_touched_again_are_not_sent(served: Serving, phones: Phones) -> None:
    sitting, ana, _, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    ana.sees(sitting.version())
    before = sitting.version()
    ana.tap(1, 1, 4, 4)
    # Both in one go: however slow the machine is, the roll was not sent between.
    ana.page.evaluate(
        """() => {
          const press = (one) => one.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
          press(document.querySelector(".pad-faces button[aria-label='6']"));
          press([...document.querySelectorAll(".clash button.typed")].at(-1));
        }"""
    )
    expect(ana.at(".clash button.typed")).to_have_count(4)
    expect(ana.at(".is-sending")).to_have_count(0)
    ana.touch(2)
    ana.shows(["1", "1", "4", "4", "2"])
    assert sitting.version() == before + 1


def test_whoever_meant_to_send_does_not_tap_the_button_that_comes_instead(served: Serving, phones: Phones) -> None:
    sitting, ana, _, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    ana.sees(sitting.version())
    before = sitting.version()
    ana.page.clock.install()
    ana.page.clock.pause_at(ana.page.evaluate("Date.now()") / 1000 + 1)
    ana.touch(1, 3, 3, 3, 3)
    ana.page.clock.run_for(1500)
    ana.sees(before + 1)
    ends = ana.at("#dock [data-ends]").first
    expect(ends).to_be_visible()
    expect(ends).to_have_css("pointer-events", "none")
    ana.page.clock.run_for(700)
    expect(ends).to_have_css("pointer-events", "auto")


def test_by_keys_the_button_sends_the_roll(served: Serving, phones: Phones) -> None:
    sitting, ana, _, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    ana.sees(sitting.version())
    ana.tap(1, 1, 4, 4, 6)
    expect(ana.at(".typing .is-sending")).to_have_count(0)
    ana.dock.get_by_role("button", name="Use this roll").press("Enter")
    ana.shows(["1", "1", "4", "4", "6"])


def test_the_best_answer_is_the_one_that_stands_out(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").face_to_face()
    sitting.correct("unit.bd.square", "e4")
    sitting.act("white", "play_card", card="AH")
    ben = phones("en").open(sitting.link("black"))
    sitting.act("white", "attack", unit="wc", target="bb")
    sitting.answer("black", value="no")
    sitting.answer("white", faces=[1, 3, 3, 4, 4])
    ben.sees(sitting.version())
    expect(ben.at("#dock .options .main")).to_have_count(1)
    expect(ben.asked.first).to_have_class(re.compile("main"))
    expect(ben.at("#dock .options .main")).to_contain_text("Formation: ignore one hit")
    expect(ben.at("#dock .options .main small")).to_contain_text("0 hits of 3")


def test_what_is_undone_shows_no_older_fight(served: Serving, phones: Phones) -> None:
    sitting, ana, ben, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=[1, 3, 3, 3, 3])
    for phone in (ana, ben):
        phone.sees(sitting.version())
        phone.folded()
    sitting.act("white", "end_turn")
    for phone in (ana, ben):
        phone.sees(sitting.version())
    sitting.tables.take_back(sitting.table, "rulekeeper", sitting.serving.key())
    for phone in (ana, ben):
        phone.sees(sitting.version())
        expect(phone.at("#last .headline")).to_contain_text("1 hit")
        phone.folded()
        expect(phone.at("#last-why")).not_to_have_attribute("open", "")


def test_what_cannot_save_the_target_any_more_is_not_said(served: Serving, phones: Phones) -> None:
    sitting, ana, ben, screen = attacked(served, phones)
    expect(ben.at(".clash .saves")).to_contain_text("May evade")
    sitting.answer("black", value="no")
    for phone in (ana, ben, screen):
        phone.sees(sitting.version())
        expect(phone.at(".clash .slot")).to_have_count(5)
        expect(phone.at(".clash .saves")).to_have_count(0)


def test_what_is_tapped_beside_a_result_is_done(served: Serving, phones: Phones) -> None:
    sitting, ana, _, _ = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=[1, 3, 3, 3, 3])
    ana.sees(sitting.version())
    expect(ana.at("#recap")).to_have_class(re.compile("is-fresh"))
    before = sitting.version()
    ana.at("#dock [data-ends]").first.click()
    expect(ana.at("#state")).to_have_attribute("data-version", str(before + 1))


SEVERAL = {
    "en": (["evasion", "heavy infantry"], ["evasion", "dice of the attack"], "fails", "hit"),
    "es": (["evasión", "infantería pesada"], ["evasión", "dados del ataque"], "falla", "impacto"),
}
"""The names of the throws while the die of the evasion is asked for, and when all fell; what a face does in each."""


@pytest.mark.parametrize("size", [SMALL, {"viewport": PHONE}], ids=["small", "phone"])
@pytest.mark.parametrize("tongue", SEVERAL)
def test_the_die_of_an_evasion_is_told_from_those_of_the_attack(
    served: Serving, phones: Phones, tongue: str, size: dict[str, Any]
) -> None:
    sitting = served.sit(dice="typed").attack()
    asked, fallen, fails, hit = SEVERAL[tongue]
    phone = phones(tongue, **size).open(sitting.link("white"))
    screen = phones(tongue, viewport=WIDE).open(sitting.link("screen"))
    sitting.answer("black", value="yes")
    for seen, name in ((phone, f"{size['viewport']['width']}"), (screen, "screen")):
        seen.sees(sitting.version())
        expect(seen.at(".roll small:visible")).to_have_text(asked)
        expect(seen.at(".roll:first-child .is-asked .slot")).to_have_count(1)
        expect(seen.at(".does-of:visible")).to_have_count(1)
        expect(seen.at(".roll:first-child .does-of")).to_contain_text(fails)
        seen.save(f"evasion-asked-{tongue}-{name}")
    sitting.answer("black", faces=[1])
    sitting.answer("white", faces=[1, 5, 2, 1, 3])
    for seen, name in ((phone, f"{size['viewport']['width']}"), (screen, "screen")):
        seen.sees(sitting.version())
        seen.save(f"evasion-failed-{tongue}-{name}")
        expect(seen.at(".roll small:visible")).to_have_text(fallen)
        expect(seen.at(".roll:first-child .die:visible")).to_have_count(1)
        if seen is phone and size is not SMALL:
            expect(seen.at(".roll em:visible")).to_have_text([fails, hit, "–", hit, hit, "–"])
        else:
            expect(seen.at(".roll .does-of:visible")).to_have_text([f"123 {fails}", f"12 {hit}"])


ATTACKERS = ("medium_tank", "rifle_company", "motorised_company", "heavy_tank", "flak_battery")


@contextmanager
def struck(state: State, folder: Path, phones: Phones, **size: Any) -> Iterator[tuple[Sitting, Phone, Phone]]:
    """Let Blue deal its damage in History of War: the smallest phone, of Red, and the shared screen."""
    with sitting_at(folder, positions.GAME, state, ("blue", "red")) as sitting:
        ben = phones("es", **(size or SMALL)).open(sitting.link("red"))
        screen = phones("es", viewport=WIDE).open(sitting.link("screen"))
        sitting.act("blue", "strike")
        for phone in (ben, screen):
            phone.sees(sitting.version())
        yield sitting, ben, screen


def at_one() -> State:
    """All of them strike the same card, and no other one."""
    written = ", ".join(f"b {name} t1" for name in ATTACKERS)
    return positions.fought(f"{written}, r heavy_tank t1", *(f"b {name}" for name in ATTACKERS))


@pytest.mark.parametrize("size", [SMALL, {"viewport": {"width": 640, "height": 360}}], ids=["upright", "side"])
def test_who_strikes_the_same_card_is_seen_once_and_the_card_too(
    tmp_path: Path, phones: Phones, size: dict[str, Any]
) -> None:
    with struck(at_one(), tmp_path, phones, **size) as (sitting, ben, screen):
        for seen in (ben, screen):
            expect(seen.at(".clash .opponents")).to_have_count(5)
            expect(seen.at(".clash .fighter")).to_have_count(6)
            expect(seen.at(".joined .named")).to_have_text(
                ["compañía de fusileros", "compañía motorizada", "tanque pesado", "batería antiaérea"]
            )
        expect(ben.at(".clash .opponents").first).to_be_in_viewport(ratio=1)
        broken = "(names) => names.filter((one) => one.offsetHeight > 3.7 * parseFloat(getComputedStyle(one).fontSize))"
        assert ben.at(".joined .named").evaluate_all(f"(all) => ({broken})(all).map((one) => one.innerText)") == []
        is_read_from_afar(screen, sitting, "six-asked")
        ben.save("clash-several-asked")
        screen.save("clash-several-asked-screen")


def test_all_who_meet_at_once_are_seen_on_the_shared_screen(tmp_path: Path, phones: Phones) -> None:
    written = "b medium_tank t1, b motorised_company t1, b bomber_wing t2, b fighter_wing t2, r heavy_tank t1 locked"
    written += ", r rifle_company t1, r motorised_company t2 locked"
    attacks = ("b medium_tank", "b motorised_company < r rifle_company", "b bomber_wing base", "b fighter_wing")
    state = positions.fought(written, *attacks, hands={"red": "rifle_company"})
    aims = {"b medium_tank": "r heavy_tank", "b fighter_wing": "r motorised_company"}
    for unit, goal in aims.items():
        state = positions.after(state, damage.Aim(positions.named(state, unit), positions.named(state, goal)))
    state = positions.after(state, damage.Aim(positions.named(state, "b bomber_wing"), "hand"))
    with struck(state, tmp_path, phones) as (sitting, _, screen):
        met = screen.at(".event .opponents")
        expect(met).to_have_count(4)
        for one in met.all():
            expect(one).to_be_in_viewport(ratio=1)
        expect(met.first.locator(".is-gone .named")).to_have_text("compañía de fusileros")
        expect(met.nth(1)).to_contain_text("contra la base enemiga")
        is_read_from_afar(screen, sitting, "four-done")
        screen.save("clash-several-screen")


def test_the_numbers_of_a_shot_are_seen_on_the_shared_screen(tmp_path: Path, phones: Phones) -> None:
    state = tactics_2gm_positions.battle("a1 light_infantry d3, x1 light_infantry d4")
    with sitting_at(tmp_path, tactics_2gm_positions.GAME, state, ("allies", "axis"), "typed") as sitting:
        screen = phones("es", viewport=WIDE).open(sitting.link("screen"))
        sitting.act("allies", "fire", unit="a1", weapon="w0", target="x1")
        screen.sees(sitting.version())
        expect(screen.at(".event .slot")).to_have_count(1)
        expect(screen.at(".event .fights-with").first).to_be_visible()
        is_read_from_afar(screen, sitting, "shot")


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_three_answers_that_say_what_follows_are_read_whole(tmp_path: Path, phones: Phones, tongue: str) -> None:
    written = "wk hk a1, bk uk c8, w1 hq g4, b1 uq e8, b2 up e6"
    state = chesswar_positions.position(written, phase="shooting")
    with sitting_at(tmp_path, chesswar_positions.GAME, state, ("white", "black"), "typed") as sitting:
        sitting.act("white", "cast", unit="w1", spell="zap", target="b2")
        ben = phones(tongue, **SMALL).open(sitting.link("black"))
        answers = ben.at("#dock .options button")
        expect(answers).to_have_count(3)
        for scene in ("open", "put away"):
            for answer in answers.all():
                expect(answer).to_be_in_viewport(ratio=1)
            ben.save(f"clash-three-{tongue}-{scene.replace(' ', '-')}")
            ben.at("#clash-now > summary").click()


@pytest.mark.parametrize("size", [(360, 640), (360, 740), (390, 844)], ids=str)
def test_with_the_scene_put_away_three_answers_are_read_beneath_the_board(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    sitting = served.sit(dice="typed").begin()
    for unit, square in (("wc", "d3"), ("bc", "d4"), ("bb", "e4")):
        sitting.correct(f"unit.{unit}.square", square)
    sitting.act("white", "play_card", card="AH")
    sitting.act("white", "attack", unit="wc", target="bc")
    sitting.answer("white", faces=[1, 2, 6, 6, 3])
    ben = phones("es", viewport={"width": size[0], "height": size[1]}).open(sitting.link("black"))
    ana = phones("es").open(sitting.link("white"))
    expect(ana.at("#dock .waiting small")).to_have_text("Infantería pesada: solo una protección por ataque. ¿Cuál?")
    answers = ben.at("#dock .options button")
    expect(answers).to_have_count(3)
    expect(ben.at("html[data-scenes]")).to_have_count(1)
    ben.at("#clash-now > summary").click()
    expect(ben.at("#clash-now")).not_to_have_attribute("open", "")
    for answer in answers.all():
        expect(answer).to_be_in_viewport(ratio=1)
    ben.comes_to(
        "document.getElementById('newest').getBoundingClientRect().bottom"
        " <= document.getElementById('dock').getBoundingClientRect().top",
        "what happened lies on the question",
    )
    ben.save(f"clash-away-{size[1]}")


@pytest.mark.parametrize("size", [(360, 640), (390, 844)], ids=str)
def test_where_a_unit_is_driven_back_to_is_read_beside_the_dice(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    sitting = served.sit(dice="typed").begin()
    sitting.correct("unit.wb.square", "d3")
    sitting.correct("unit.bb.square", "d4")
    sitting.act("white", "play_card", card="AH")
    sitting.act("white", "attack", unit="wb", target="bb")
    sitting.answer("white", faces=[1, 6])
    ben = phones("es", viewport={"width": size[0], "height": size[1]}).open(sitting.link("black"))
    headline = ben.at("#last .headline")
    expect(headline).to_have_text("Caballería ligera negra d4: 1 impacto, retirada a d5")
    expect(ben.at("#last > .thrown .die")).to_have_count(2)
    ben.comes_to("document.querySelector('#last .headline').checkVisibility()", "it is not shown")
    assert headline.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    ben.save(f"headline-{size[0]}")


def test_a_sum_is_one_line_beneath_its_die_on_the_smallest_phone(tmp_path: Path, phones: Phones) -> None:
    state = chesswar_positions.position("wk hk a1, bk ok h8, w1 ep d4, b1 op d5, w1>b1", phase="combat")
    with sitting_at(tmp_path, chesswar_positions.GAME, state, ("white", "black"), "typed") as sitting:
        ben = phones("es", **SMALL).open(sitting.link("black"))
        sitting.act("white", "attack", unit="w1", target="b1")
        sitting.answer("white", faces=[2])
        ben.sees(sitting.version())
        total = ben.at("#clash-now .dice-from .sum").first
        expect(total).to_contain_text(re.compile(r"^2 .*= 1$"))
        lines = total.evaluate(
            "(one) => { const range = document.createRange(); range.selectNodeContents(one);"
            " return new Set([...range.getClientRects()].map((line) => Math.round(line.bottom))).size }"
        )
        assert lines == 1
        ben.save("clash-sum")


ROOM = """
() => [...document.querySelectorAll("#clash-now .lies:has(em)")].map((one) => {
  const [die, words] = [".die", "em"].map((part) => one.querySelector(part).getBoundingClientRect());
  return words.top - die.bottom;
})
"""
"""Pixels between dice, which lie askew, and the words beneath them."""
RING = 3
"""Pixels of the ring around a die that does something."""


def test_a_die_covers_no_letters(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="yes")
    sitting.answer("black", faces=[5])
    ana = phones("es").open(sitting.link("white"))
    expect(ana.at("#clash-now .lies em")).to_have_count(1)
    assert [room for room in ana.page.evaluate(ROOM) if room < RING] == []

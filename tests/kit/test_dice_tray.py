"""The tray: every tap makes another notation, and whatever is tapped can be read again or is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kit.dice.parser import Misread, read
from companion.kit.dice.tray import contents, tapped


@pytest.mark.parametrize(
    ("text", "taps", "after"),
    [
        ("", "add.6", "1d6"),
        ("", "add.6 add.6 add.8 add.6", "3d6+1d8"),
        ("2d6+3", "add.6", "3d6+3"),
        ("2d6+3", "add.8", "2d6+1d8+3"),
        ("(2d6)>=9", "add.6", "(3d6)>=9"),
        ("4d6kh3", "add.6", "5d6kh3"),
        ("3d10>=7", "add.6", "3d10>=7+1d6>=4"),
        ("2d6-1d6", "add.6", "3d6-1d6"),
        ("1000d6", "add.6", "1000d6"),
        ("2d6", "take.6", "1d6"),
        ("1d6", "take.6", ""),
        ("1d6+2", "take.6", ""),
        ("1d6+1d8", "take.6", "1d8"),
        ("1d6+1d8", "take.8", "1d6"),
        ("2d6", "take.8", "2d6"),
        ("4d6kh3", "take.6 take.6", "2d6kh2"),
        ("2d6dl1", "take.6", "1d6"),
        ("(1d6)>=4", "take.6", ""),
        ("2d6", "plus.1 plus.1", "2d6+2"),
        ("2d6+1", "plus.-1", "2d6"),
        ("2d6", "plus.-1", "2d6-1"),
        ("(2d6)>=9", "plus.1", "(2d6+1)>=9"),
        ("2d6+1d20", "kh.", "2d6+2d20kh1"),
        ("4d6", "kh. kh.1 kh.1", "4d6kh3"),
        ("4d6kh4", "kh.1", "4d6kh4"),
        ("4d6kh3", "kh.-1 kh.-1 kh.-1", "4d6kh1"),
        ("4d6kh3", "kh.", "4d6"),
        ("4d6kh3", "kl.", "4d6kl1"),
        ("4d6", "dl. dl.1 dl.1 dl.1", "4d6dl3"),
        ("5d10", "success.", "5d10>=6"),
        ("5d10>=6", "success.1", "5d10>=7"),
        ("2d6+1d8", "success.", "2d6>=4+1d8>=5"),
        ("5d10>=6f1", "success.", "5d10"),
        ("1d20", "advantage.", "2d20kh1"),
        ("2d20kh1", "advantage.", "1d20"),
        ("2d20kh1", "disadvantage.", "2d20kl1"),
        ("3d6", "explode.", "3d6!"),
        ("3d6!", "explode.", "3d6"),
        ("3d6", "again.", "3d6r1"),
        ("3d6ro1", "again.", "3d6"),
        ("2d6+1", "target. target.1", "(2d6+1)>=9"),
        ("(2d6)>=9", "target.-1", "(2d6)>=8"),
        ("(2d6)>=9", "target.", "2d6"),
        ("2d6+1", "clear.", ""),
        ("2d{1=hit}", "add.6", "2d{1=hit 2=}+1d6"),
    ],
)
def test_a_tap_makes_another_notation(text: str, taps: str, after: str) -> None:
    for tap in taps.split():
        text = tapped(text, tap)
    assert text == after


@pytest.mark.parametrize(
    ("text", "tap"),
    [
        ("", "kh."),
        ("2d6", "dance.1"),
        ("2d6", ""),
        ("", "add.1"),
        ("", "add.x"),
        ("2d", "add.6"),
        ("2d{1=a}", "kh."),
        ("2d{1=a}", "target."),
        ("999d6+1d8", "add.8"),
    ],
)
def test_a_tap_that_makes_no_sense_is_refused(text: str, tap: str) -> None:
    with pytest.raises(Misread):
        tapped(text, tap)


def test_the_tray_shows_what_is_held() -> None:
    shown = contents("(2d6+4d6kh3+2)>=9")
    assert shown.counts == {6: 6}
    assert (shown.keeps("kh"), shown.keeps("kl"), shown.bonus, shown.target) == (3, None, 2, 9)
    assert contents("3d10>=7-1").success == 7
    assert contents("3d10>=7-1").bonus == -1
    assert contents(" ").last is None


TAPS = [f"{what}.{step}" for what in ("kh", "kl", "dl", "success", "target") for step in ("", "1", "-1")]
TAPS += [f"{what}.{sides}" for what in ("add", "take") for sides in (2, 6, 20)]
TAPS += ["plus.1", "plus.-1", "explode.", "again.", "advantage.", "disadvantage."]


@given(
    st.sampled_from(["", "2d6", "4dF", "d20+5>=15", "1d6*2", "3d{1=a}", "2-1d6", "(2d6>=4)>=1"]),
    st.lists(st.sampled_from(TAPS), max_size=25),
)
def test_whatever_is_tapped_can_be_read(text: str, taps: list[str]) -> None:
    for tap in taps:
        with suppress(Misread):
            text = tapped(text, tap)
        if text:
            assert tapped(text, "plus.0") or read(text)
            assert contents(text).last

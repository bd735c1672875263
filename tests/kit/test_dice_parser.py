"""Dice notation: every operator, what binds first, the limits; any text is a throw, or is told where it is none."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.kit.dice.notation import (
    MOST_DICE,
    MOST_SIDES,
    Comparison,
    Dice,
    Keep,
    Number,
    Sum,
    Target,
    Test,
    every_dice,
)
from companion.kit.dice.notation import Throw as Parsed
from companion.kit.dice.parser import DEEPEST, LONGEST, Misread, read
from companion.kit.text import speak
from tests.support.paths import ROOT


def anywhere(parsed: Parsed) -> Parsed:
    """Forget where the dice stand in the text."""
    match parsed:
        case Dice():
            return dice(parsed)
        case Sum():
            return Sum(parsed.how, anywhere(parsed.left), anywhere(parsed.right))
        case Target():
            return Target(anywhere(parsed.inner), parsed.test)
        case Number():
            return parsed


def dice(parsed: Parsed) -> Dice:
    assert isinstance(parsed, Dice)
    kept = {name: getattr(parsed, name) for name in parsed.__struct_fields__ if name != "at"}
    return Dice(**kept)


HIGH = Keep("kh", 3)
SIX, ONE, SEVEN = Test("=", 6), Test("=", 1), Test(">=", 7)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("2d6", Dice(2, 1, 6)),
        ("d6", Dice(1, 1, 6)),
        (" 2 D 6 ", Dice(2, 1, 6)),
        ("d%", Dice(1, 1, 100)),
        ("4dF", Dice(4, -1, 1)),
        ("4df", Dice(4, -1, 1)),
        ("4d6kh3", Dice(4, 1, 6, keep=HIGH)),
        ("4d6k3", Dice(4, 1, 6, keep=HIGH)),
        ("4d6KH3", Dice(4, 1, 6, keep=HIGH)),
        ("4d6kl", Dice(4, 1, 6, keep=Keep("kl", 1))),
        ("4d6dl1", Dice(4, 1, 6, keep=Keep("dl", 1))),
        ("4d6d1", Dice(4, 1, 6, keep=Keep("dl", 1))),
        ("4d6dh2", Dice(4, 1, 6, keep=Keep("dh", 2))),
        ("2d6r1", Dice(2, 1, 6, again=ONE)),
        ("2d6r", Dice(2, 1, 6, again=ONE)),
        ("2d6ro<3", Dice(2, 1, 6, again=Test("<", 3), once=True)),
        ("4dFro", Dice(4, -1, 1, again=Test("=", -1), once=True)),
        ("2d6!", Dice(2, 1, 6, explode=SIX)),
        ("2d6x", Dice(2, 1, 6, explode=SIX)),
        ("2d6!>=5", Dice(2, 1, 6, explode=Test(">=", 5))),
        ("2d6!5", Dice(2, 1, 6, explode=Test("=", 5))),
        ("3d10>=7", Dice(3, 1, 10, success=SEVEN)),
        ("3d10≥7", Dice(3, 1, 10, success=SEVEN)),
        ("3d10>7", Dice(3, 1, 10, success=Test(">", 7))),
        ("3d10<=7", Dice(3, 1, 10, success=Test("<=", 7))),
        ("3d10≤7", Dice(3, 1, 10, success=Test("<=", 7))),
        ("3d10<7", Dice(3, 1, 10, success=Test("<", 7))),
        ("3d10=7", Dice(3, 1, 10, success=Test("=", 7))),
        ("3d10==7", Dice(3, 1, 10, success=Test("=", 7))),
        ("3d10cs>=7", Dice(3, 1, 10, success=SEVEN)),
        ("3d6cs", Dice(3, 1, 6, success=SIX)),
        ("3d10>=7f1", Dice(3, 1, 10, success=SEVEN, failure=ONE)),
        ("3d10>=7cf<=1", Dice(3, 1, 10, success=SEVEN, failure=Test("<=", 1))),
        ("3d10f1>=7", Dice(3, 1, 10, success=SEVEN, failure=ONE)),
        ("4dF>=-1", Dice(4, -1, 1, success=Test(">=", -1))),
        ("4d6kh3!6>=5", Dice(4, 1, 6, keep=HIGH, explode=SIX, success=Test(">=", 5))),
        ("4d6!6kh3>=5", Dice(4, 1, 6, keep=HIGH, explode=SIX, success=Test(">=", 5))),
        ("2d6[fire · bolt]", Dice(2, 1, 6, label="fire · bolt")),
        ("3d{1=hit 2=melee hit, 6=retreat}", Dice(3, 1, 6, ("hit", "melee hit", "", "", "", "retreat"))),
        ("d{1=hit}", Dice(1, 1, 2, ("hit", ""))),
        ("d{3=}", Dice(1, 1, 3, ("", "", ""))),
        ("2d6+3", Sum("+", Dice(2, 1, 6), Number(3))),
        ("2d6 − 3", Sum("-", Dice(2, 1, 6), Number(3))),
        ("2d6×3", Sum("*", Dice(2, 1, 6), Number(3))),
        ("2d6÷3", Sum("/", Dice(2, 1, 6), Number(3))),
        ("-d6", Sum("-", Number(0), Dice(1, 1, 6))),
        ("+d6", Dice(1, 1, 6)),
        ("1+d6*2", Sum("+", Number(1), Sum("*", Dice(1, 1, 6), Number(2)))),
        ("(1+d6)*2", Sum("*", Sum("+", Number(1), Dice(1, 1, 6)), Number(2))),
        ("d6-1-2", Sum("-", Sum("-", Dice(1, 1, 6), Number(1)), Number(2))),
        ("d6-(1-2)", Sum("-", Dice(1, 1, 6), Sum("-", Number(1), Number(2)))),
        ("d20+5>=15", Target(Sum("+", Dice(1, 1, 20), Number(5)), Test(">=", 15))),
        ("5+d20>=15", Sum("+", Number(5), Dice(1, 1, 20, success=Test(">=", 15)))),
        ("(5+d20)>=15", Target(Sum("+", Number(5), Dice(1, 1, 20)), Test(">=", 15))),
        ("(2d6)>=9", Target(Dice(2, 1, 6), Test(">=", 9))),
        ("(3d10>=7)>=2", Target(Dice(3, 1, 10, success=SEVEN), Test(">=", 2))),
        ("((2d6)>=9)+1", Sum("+", Target(Dice(2, 1, 6), Test(">=", 9)), Number(1))),
        ("3d10>=7+2", Sum("+", Dice(3, 1, 10, success=SEVEN), Number(2))),
        (f"{MOST_DICE}d{MOST_SIDES}", Dice(MOST_DICE, 1, MOST_SIDES)),
        ("007d006", Dice(7, 1, 6)),
    ],
)
def test_notation_is_read(text: str, read_as: Parsed) -> None:
    assert anywhere(read(text)) == read_as


def test_dice_know_where_they_stand() -> None:
    assert [one.at for one in every_dice(read("2d6kh1 + d8[x]*2"))] == [(0, 6), (9, 14)]


@pytest.mark.parametrize(
    ("text", "character", "sentence"),
    [
        ("", 1, "missing at the end"),
        ("   ", 4, "missing at the end"),
        ("2d6+", 5, "missing at the end"),
        ("7", 1, "no dice"),
        ("hello", 1, "“h” means nothing"),
        ("2d6 hits", 5, "“h” means nothing"),
        ("2d", 3, "How many faces?"),
        ("dx", 2, "How many faces?"),
        ("2d1", 3, "2 to 10000 faces"),
        ("d10001", 2, "2 to 10000 faces"),
        ("d0", 2, "2 to 10000 faces"),
        ("0d6", 1, "1 to 1000 dice"),
        ("1+1001d6", 3, "1 to 1000 dice"),
        ("600d6+600d6", 7, "at most 1000 dice"),
        ("d6+99999999999999999999", 4, "too large"),
        ("9" * 200 + "d6", 1, "too large"),
        ("2d6)", 4, "never opened"),
        ("(2d6", 5, "closing bracket"),
        ("(2d6 3", 6, "“3” is not expected"),
        ("2d6 3d6", 5, "“3” is not expected"),
        ("d{1=hit", 2, "never closed"),
        ("d6[fire", 3, "never closed"),
        ("2d6}", 4, "“}” means nothing"),
        ("d{hit}", 3, "Name the faces"),
        ("d{}", 3, "Name the faces"),
        ("d{1=a 1=b}", 7, "already has a name"),
        ("d{0=a}", 3, "from 1 to 100"),
        ("d{1=a 101=b}", 7, "from 1 to 100"),
        ("2d{1=a}kh1", 8, "named faces"),
        ("2d{1=a}>=1", 8, "named faces"),
        ("(2d{1=a})>=1", 10, "cannot be compared"),
        ("2d{1=a}*2", 8, "only be put together"),
        ("-2d{1=a}", 1, "only be put together"),
        ("4d6kh3kl1", 7, "already said"),
        ("4d6>=5>=2", 7, "already said"),
        ("4d6!!", 5, "already said"),
        ("4d6kh5", 4, "only 4 dice"),
        ("4d6kh0", 4, "leaves no die"),
        ("4d6dl4", 4, "leaves no die"),
        ("2d6>=9", 4, "No face can do that"),
        ("2d6f1", 6, "say what a success is"),
        ("2d6!<=6", 4, "explode again and again"),
        ("2d6!>=2", 4, "explode again and again"),
        ("2d6r<=6", 4, "rolled again and again"),
        ("2d6r>=2", 4, "rolled again and again"),
        ("1d4r<=2!>=3", 8, "explode again and again"),
        ("2d6/0", 4, "divided by a number"),
        ("2d6/d4", 4, "divided by a number"),
        ("3d6+3d6>=5", 4, "do not add up"),
        ("3d6>=5+2>=2", 9, "put what is to be compared in brackets"),
        ("d6>=", 5, "A number is missing"),
        ("d6[a][b]", 6, "“[b]” is not expected"),
        ("(" * 30 + "d6" + ")" * 30, DEEPEST + 1, "nested too deeply"),
        ("-" * 30 + "d6", DEEPEST + 1, "nested too deeply"),
        ("d6" + "+1" * 200, LONGEST + 1, "too long"),
        ("2d6\u00a0+ 1 ñ", 9, "“ñ” means nothing"),
        ("2d6\u212ah1", 4, "means nothing"),
        ("2d٦", 3, "means nothing"),
    ],
)
def test_what_is_no_throw_is_said_at_its_character(text: str, character: int, sentence: str) -> None:
    with pytest.raises(Misread) as wrong:
        read(text)
    assert sentence in speak(wrong.value.text, str)
    assert wrong.value.at + 1 == character
    assert wrong.value.field == "notation"


def tried(text: str) -> Parsed | Misread:
    try:
        return read(text)
    except Misread as wrong:
        return wrong


@settings(max_examples=4 * settings.default.max_examples)
@given(
    st.one_of(st.text(max_size=LONGEST + 5), st.text(alphabet="0123456789d+-*/()khlrox!><=cf%F{} []ab,", max_size=40))
)
@example("(" * 150 + "d6")
@example("-(" * 9 + "d6>=5" + ")" * 9)
@example("1d{1=1 2=2}")
def test_any_text_is_a_throw_or_points_at_a_character(text: str) -> None:
    parsed = tried(text)
    if isinstance(parsed, Misread):
        assert 0 <= parsed.at <= min(len(text), LONGEST)
        assert speak(parsed.text, str)
        return
    assert 1 <= sum(one.count for one in every_dice(parsed)) <= MOST_DICE
    if len(str(parsed)) <= LONGEST:
        assert anywhere(read(str(parsed))) == anywhere(parsed)


tests = st.builds(Test, st.sampled_from([">=", "<=", "=", ">", "<"]), st.integers(-2, 12))
words = st.text(alphabet="abc 12·,|", max_size=6).map(lambda text: text.strip(" ,"))
dice_alone = st.builds(
    Dice,
    st.integers(1, 20),
    st.just(1),
    st.integers(2, 12),
    again=st.none() | tests,
    once=st.booleans(),
    explode=st.none() | tests,
    keep=st.none() | st.builds(Keep, st.sampled_from(["kh", "kl", "dh", "dl"]), st.integers(0, 5)),
    success=st.none() | tests,
    failure=st.none() | tests,
    label=words,
)
whole = st.recursive(
    dice_alone | st.builds(Number, st.integers(0, 99)),
    lambda inner: st.builds(Sum, st.sampled_from(["+", "-", "*", "/"]), inner, inner) | st.builds(Target, inner, tests),
    max_leaves=5,
)


@settings(max_examples=4 * settings.default.max_examples)
@given(whole)
def test_what_is_written_is_read_back_the_same(parsed: Parsed) -> None:
    try:
        back = read(str(parsed))
    except Misread:
        return
    again = anywhere(read(str(back)))
    assert again == anywhere(back)
    assert str(back) == str(read(str(back)))


@given(
    st.sampled_from([">=", "<=", "=", ">", "<"]),
    st.integers(-3, 15),
    st.sampled_from([range(1, 7), range(-1, 2), range(1, 3)]),
)
def test_the_faces_that_pass_lie_side_by_side(how: Comparison, number: int, faces: range) -> None:
    test = Test(how, number)
    assert list(test.among(faces)) == [face for face in faces if test.holds(face)]


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_what_the_readme_shows_is_notation(name: str) -> None:
    told = (ROOT / name).read_text(encoding="utf-8")
    section = re.search(r"\n## (?:Dice|Dados)\n(.*?)\n## ", told, re.DOTALL)
    assert section
    shown = [code for code in re.findall(r"`([^`]+)`", section[1]) if re.search(r"d[\dF%{]", code)]
    assert len(shown) > 15
    for notation in shown:
        assert read(notation)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4d6!6>=5", "4d6!6>=5"),
        ("4d6!6kh3>=5", "4d6!kh3>=5"),
        ("d6x r kh >= 4 f", "1d6r1!kh1>=4f1"),
        ("4dFr!", "4dFr=-1!"),
        ("2d6-(1-(2+3))", "2d6-(1-(2+3))"),
        ("(2d6*2)+1", "2d6*2+1"),
        ("(2d6+1)*2>=5", "((2d6+1)*2)>=5"),
        ("-(-d6)", "--1d6"),
        ("d{2=b}[x]", "1d{2=b}[x]"),
    ],
)
def test_notation_is_written_as_people_write_it(text: str, written: str) -> None:
    parsed = read(text)
    assert str(parsed) == written
    assert anywhere(read(written)) == anywhere(parsed)

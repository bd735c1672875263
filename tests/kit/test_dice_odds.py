"""Exact odds of dice: those of every throw there is, those of many throws, and refused where they are too many."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kit.asking import Ask
from companion.kit.dice import combinatorics, odds, roll
from companion.kit.dice.combinatorics import MOST_ALTOGETHER, Abacus, _Rest
from companion.kit.dice.notation import every_dice
from companion.kit.dice.parser import LONGEST, Misread, read
from companion.kit.odds import odds as every_throw
from companion.kit.questions import Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import speak

if TYPE_CHECKING:
    from companion.kit.odds import Chart


def counted(notation: str) -> dict[int, Fraction]:
    return combinatorics.total(read(notation)).chances()


def thrown(notation: str) -> dict[int, Fraction]:
    """Throw every throw there is, and take the total of each; nothing here counts ways."""
    parsed = read(notation)

    def rule(ask: Ask) -> int:
        came = roll.throw(parsed, ask, by="me")
        return int(came.reached) if came.reached is not None else came.total or 0

    return every_throw(rule)


@pytest.mark.parametrize(
    "notation",
    [
        "2d6", "d2", "3d4", "4dF", "2d6+1d8-1", "3d6-2d4", "2d4*3", "1d4*1d6", "3d6/2", "-2d4", "(1d6+1)*2",
        "1d6+1d6+1d6",
        "2d4kh1", "4d6kh3", "4d6kl3", "4d6dl1", "4d6dh2", "3d6k2", "3d6d1", "2d20kh1", "2d20kl1", "5d4kh2", "4dFkh2",
        "4d6>=5", "4d6>4", "4d6<=2", "4d6<3", "4d6=6", "4d6cs", "4d6cs>=5", "4d6>=5f", "4d6>=4f<=2",
        "3d6>=5+2", "3d6>=5+2d4>=4",
        "2d6ro", "2d6ro1", "2d6ro<3", "3d4ro<=2", "3d4ro>=2kh2", "3d4ro1>=3", "3d6ro1>=5f1kl2",
        "1d2!", "1d3!", "2d3!", "1d6!", "1d4!>=3", "1d4x2", "2d4!1", "1d4!>=3>=4", "1d2!ro1", "2d3!>=3",
        "2d3!kh1", "2d3!kl1", "2d3!dl1", "2d3!dh1", "2d3!2kh1", "2d3!1kh1", "2d3!1kl1", "2d3!1dh1", "2d2!kh2",
        "2d3!kh1>=3", "2d3!3kh1>=3f1",
        "(2d6)>=9", "(2d6+1d8)>=9", "1d20+5>=15", "(4d6>=5)>=2", "(2d6)=7", "((2d6)>=9)*3", "(2d4)<4",
        "(2d4)>4", "(1d4)<=2",
    ],
)  # fmt: skip
def test_odds_are_those_of_every_throw(notation: str) -> None:
    assert counted(notation) == thrown(notation)


@pytest.mark.parametrize(
    ("notation", "alike"),
    [
        ("2d6r1", [range(2, 7)] * 2),
        ("2d6r", [range(2, 7)] * 2),
        ("3d4r>=3", [range(1, 3)] * 3),
        ("2d6r<5", [range(5, 7)] * 2),
        ("1d20r=7", [[face for face in range(1, 21) if face != 7]]),
    ],
)
def test_what_is_thrown_again_until_it_stays_is_a_die_without_those_faces(notation: str, alike: list[Any]) -> None:
    every = Counter(sum(faces) for faces in product(*alike))
    assert counted(notation) == {number: Fraction(ways, every.total()) for number, ways in every.items()}


@pytest.mark.parametrize(
    ("again", "without"), [("3d6r1kh2", range(2, 7)), ("3d6r<=2kl2", range(3, 7)), ("3d4r4dl1", range(1, 4))]
)
def test_dice_that_stay_are_kept_by_what_they_show(again: str, without: range) -> None:
    high = "kl" not in again
    every = Counter(sum(sorted(faces, reverse=high)[:2]) for faces in product(without, repeat=3))
    assert counted(again) == {number: Fraction(ways, every.total()) for number, ways in every.items()}


def test_a_die_thrown_again_explodes_by_the_face_that_stays() -> None:
    """Of 2, 3 and 4 the 4 explodes: a chain of thirds."""
    found = counted("1d4r1!")
    third = Fraction(1, 3)
    assert found[2] == third
    assert found[4 + 3] == third**2
    assert found[44] == third**11
    assert sum(found.values()) == 1


PARTS = ("", "kh1", "kl2", "dl1", "!", "!1", "ro1", "ro>=3", ">=2", ">2f1", "=3")


@settings(max_examples=3 * settings.default.max_examples // 2)
@given(
    st.integers(2, 3),
    st.integers(2, 3),
    st.lists(st.sampled_from(PARTS), max_size=3),
    st.sampled_from(["", "+2", "*2"]),
)
def test_odds_of_any_combination_are_those_of_every_throw(count: int, sides: int, parts: list[str], then: str) -> None:
    notation = f"{count}d{sides}{''.join(parts)}{then}"
    try:
        dice = next(every_dice(read(notation)))
    except Misread:
        return
    if count * sides > 6 and dice.explode and dice.again:
        return  # these are more throws than anybody lists
    assert counted(notation) == thrown(notation)


@settings(max_examples=3 * settings.default.max_examples // 2)
@given(st.text(alphabet="0123456789d+-*/()khlr!><=f%o[]", max_size=LONGEST))
def test_whatever_can_be_read_has_odds_or_says_that_they_are_too_many(text: str) -> None:
    try:
        parsed = read(text)
    except Misread:
        return
    shown: tuple[Chart, ...] = ()
    with suppress(Refusal):
        shown = odds.charts(parsed)
    for chart in shown:
        assert len(chart.bars) <= odds.MOST_BARS
        assert all(0 <= bar.chance <= 1 for bar in chart.bars)


LARGE = (
    "1000d10000",
    "1000d10000kh500",
    "1000d10000!",
    "1000d10000r<5000kl999>=17",
    "1000d6",
    "500d100dl100",
    "+".join(["30d10000"] * 30),
    "*".join(["2d10000"] * 30),
    "+".join(["((62d1000)>=9)"] * 16),
    "+".join(["d2!"] * 70),
    "+".join(["1d10000"] * 30),
    "1d6*1000000",
    "(" * 16 + "+9d999".join(["1d999", *[")"] * 16]),
    "+".join(["((99d9ro1)>=5)"] * 10),
    "1000d{1=a 100=b}",
    "9d10000!kh2",
    "+".join(["(9d9!dl3>4)"] * 20),
    "1000d6!kh3",
    "1000d6!>=3dl3",
    "1000d2kh500",
)


@pytest.mark.parametrize("notation", LARGE)
def test_what_would_take_long_is_refused_before_it_is_done(notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the work and not the seconds: the abacus never spends more than it has, and one step more."""
    most = []
    spend = Abacus.spend

    def spending(self: Abacus, length: int, whole: int, times: int = 1) -> int:
        width = spend(self, length, whole, times)
        most.append(length * width)
        return width

    monkeypatch.setattr(Abacus, "spend", spending)
    with pytest.raises(Refusal, match="too many"):
        odds.charts(read(notation))
    assert sum(most) <= MOST_ALTOGETHER


def test_few_steps_that_move_very_much_are_refused_too() -> None:
    with pytest.raises(Refusal, match="too many"):
        odds.charts(read("300d3kl150"))


def test_the_dice_that_are_left_over_are_counted_once_for_each_number_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    once = _Rest._count

    def counting(self: _Rest, *of: int) -> int:
        found.append(of)
        return once(self, *of)

    monkeypatch.setattr(_Rest, "_count", counting)
    assert odds.charts(read("40d6kh20>=5"))
    assert len(found) == len(set(found)) > 20


def test_what_people_throw_is_never_too_much() -> None:
    for notation in (
        "20d20",
        "100d20",
        "10d10kh5",
        "20d20kh10",
        "10d10>=7f1",
        "10d10r1",
        "10d10!",
        "10d10!>=8>=7",
        "6d6!kh3",
        "100d6kh3",
        "10d10!kh5",
        "10d10!10kl5>=7",
        "6d6!dl1",
        "2d100kh1",
        "300d6",
        "1000d2",
        "4d6kh3+4d6kh3",
        "10d{1=hit 6=miss}",
    ):
        assert odds.charts(read(notation))


def said(chart: Chart) -> list[tuple[str, Fraction]]:
    return [(speak(bar.label, str), bar.chance) for bar in chart.bars]


def test_a_chart_shows_each_total_and_at_least_it() -> None:
    exactly, at_least = odds.charts(read("2d4"))
    assert said(exactly)[:3] == [("2", Fraction(1, 16)), ("3", Fraction(1, 8)), ("4", Fraction(3, 16))]
    assert said(at_least)[:2] == [("3 or more", Fraction(15, 16)), ("4 or more", Fraction(13, 16))]
    assert [speak(reason.text, str) for reason in exactly.reasons] == ["on average 5"]


def test_many_totals_stand_in_groups_with_the_rare_ones_at_the_ends() -> None:
    exactly, at_least = odds.charts(read("20d20"))
    shown = said(exactly)
    assert len(shown) <= odds.MOST_BARS
    assert shown[0][0] == "139 or less"
    assert shown[1][0] == "140–149"
    assert shown[-1][0] == "280 or more"
    assert sum(chance for _, chance in shown) == 1
    every = counted("20d20")
    assert dict(shown)["200–209"] == sum(every[number] for number in range(200, 210))
    assert dict(said(at_least))["200 or more"] == sum(chance for number, chance in every.items() if number >= 200)


def test_a_target_shows_its_chance_first() -> None:
    first, *_ = odds.charts(read("(2d6)>=9"))
    assert said(first) == [("reached", Fraction(5, 18)), ("not reached", Fraction(13, 18))]


def test_named_faces_show_how_many_there_are() -> None:
    hit, miss = odds.charts(read("2d{1=hit 2=hit 6=miss}"))
    assert said(hit) == [("0", Fraction(4, 9)), ("1", Fraction(4, 9)), ("2", Fraction(1, 9))]
    assert said(miss)[2] == ("2", Fraction(1, 36))
    both = odds.charts(read("1d{1=hit}+1d{1=hit 6=miss}"))[0]
    assert said(both) == [("0", Fraction(5, 12)), ("1", Fraction(1, 2)), ("2", Fraction(1, 12))]
    (one,) = odds.charts(read("3d{1=a 2=b 3=c 4=d 5=e 6=f 7=g 8=h}"))
    assert said(one)[0] == ("a", 1 - Fraction(7, 8) ** 3)
    assert len(one.bars) == 8


class Lucky(Ask):
    """Throw with a seed."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.luck = luck

    def answer(self, question: Question) -> Faces:
        assert isinstance(question, Throw)
        return Faces(question.key, tuple(self.luck.choices(range(1, question.sides + 1), k=question.count)), "app")

    def tell(self, *_: object, **__: object) -> None:
        """Tell nobody."""

    leave_out = tell


def furthest(came: Counter[int], expected: dict[int, Fraction]) -> tuple[float, float]:
    """Return Pearson's chi-square, and the value that one in 100,000 exceeds if the odds are right."""
    throws = came.total()
    assert came.keys() <= expected.keys()
    common = {number: float(chance) * throws for number, chance in expected.items() if chance * throws >= 5}
    pairs = [(came[number], wanted) for number, wanted in common.items()]
    rest = (throws - sum(seen for seen, _ in pairs), throws - sum(wanted for _, wanted in pairs))
    chi = sum((seen - wanted) ** 2 / wanted for seen, wanted in [*pairs, rest] if wanted > 1e-6)
    free = len(pairs)
    deviations = 4.26  # of the normal distribution, beyond which one in 100,000 lies
    return chi, free * (1 - 2 / (9 * free) + deviations * (2 / (9 * free)) ** 0.5) ** 3  # Wilson and Hilferty


@pytest.mark.sized
@pytest.mark.parametrize("notation", ["d6", "2d6kh1", "1d4!", "1d6ro1", "2d6>=5", "1d8r<3"])
def test_odds_are_those_of_very_many_throws(notation: str, full: bool) -> None:
    """170,000 throws of each, a million in all, with a fixed seed."""
    parsed, luck = read(notation), random.Random(7)
    came = Counter(roll.throw(parsed, Lucky(luck), by="me").total or 0 for _ in range(170_000 if full else 20_000))
    chi, most = furthest(came, counted(notation))
    assert chi < most


def test_odds_are_those_of_a_million_dice() -> None:
    """A thousand throws of a thousand dice, thrown again as they have to be: every die by itself, with a fixed seed."""
    parsed, luck = read("1000d20ro<=3"), random.Random(7)
    came: Counter[int] = Counter()
    for _ in range(1000):
        (part,) = roll.throw(parsed, Lucky(luck), by="me").handfuls
        came.update(die.face for die in part.dice if die.standing == "counts")
    assert came.total() == 1_000_000
    chi, most = furthest(came, counted("1d20ro<=3"))
    assert chi < most
    wrong, _ = furthest(came, counted("1d20ro<=4"))
    assert wrong > most

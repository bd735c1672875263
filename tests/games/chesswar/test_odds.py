"""ChessWar's odds at a table: exact, and equal to every throw thrown out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

import pytest

from companion.games.chesswar import combat, odds
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import Options
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import Effect, State, Unit
from companion.games.chesswar.turn import EndPhase
from companion.kit.asking import Ask, Pending
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support.sizes import first

Fallen = frozenset[str]
FILES = "abcdefgh"


def battle(phase: Any, written: str, melees: str = "", **more: Any) -> State:
    """A state out of ``w1 human_knights d4`` (its first letter is the side) and of pairs ``w1-b1``."""
    units = []
    for entry in written.split(","):
        name, kind, *square = entry.split()
        side: Any = {"w": "white", "b": "black"}[name[0]]
        units.append(Unit(name, side, kind, square[0] if square else None))
    state = State(**({"options": Options(), "units": tuple(units), "phase": phase, "order": (0, 1)} | more))
    for pair in melees.split():
        one, _, other = pair.partition("-")
        state = state.engage(one, other)
    return state


def ways(rule: Callable[[Ask], Any], answers: tuple[Answer, ...] = ()) -> Iterator[tuple[Any, Fraction]]:
    """Run a rule over every ordered throw and every card; nobody casts, follows up or stands in a forest."""
    try:
        outcome = rule(Ask(answers))
    except Pending as pending:
        given = list(every(pending.question))
    else:
        yield outcome, Fraction(1)
        return
    for answer in given:
        for further, chance in ways(rule, (*answers, answer)):
            yield further, chance / len(given)


def every(question: Question) -> Iterator[Answer]:
    match question:
        case Throw():
            for faces in product(range(1, question.sides + 1), repeat=question.count):
                yield Faces(question.key, faces)
        case Draw():
            assert question.count == 1
            for card in question.pile:
                yield Cards(question.key, (card,))
        case Choose():
            values = {option.value for option in question.options}
            yield Choice(question.key, "stay" if "stay" in values else "no", question.seat)
        case _:
            raise AssertionError(question.key)


def standing(state: State) -> set[str]:
    return {unit.id for unit in state.units if unit.on_board and not unit.down}


def falls(state: State, action: Any, seat: str = "white") -> dict[Fallen, Fraction]:
    """Who falls, by the table's own rule, with its chance."""
    found: dict[Fallen, Fraction] = {}
    for after, chance in ways(lambda ask: GAME.rule(state, seat, action, ask).outcome):
        lost = frozenset(standing(state) - standing(after))
        found[lost] = found.get(lost, Fraction(0)) + chance
    return found


def charted(state: State, action: Any, seat: str = "white") -> dict[str, dict[str, Fraction]]:
    charts = GAME.foresee(state, seat, action)
    assert all(
        sum(bar.chance for bar in chart.bars) == 1 for chart in charts if "How likely" not in speak(chart.title, str)
    )
    return {speak(chart.title, str): {speak(bar.label, str): bar.chance for bar in chart.bars} for chart in charts}


def named(state: State, lost: Fallen) -> str:
    """What a chart calls units that fall."""
    units = [unit for unit in state.units if unit.id in lost]
    parts = []
    for word, lies in (("Destroyed", False), ("Knocked over", True)):
        names = [f"{unit.type} {unit.square}" for unit in units if (unit.type == "orc_trolls") is lies]
        if names:
            parts.append(f"{word}: {', '.join(names)}")
    return ". ".join(parts) or "Nobody falls"


def named_all(state: State, found: dict[Fallen, Fraction]) -> dict[str, Fraction]:
    return {named(state, lost): chance for lost, chance in found.items()}


# Charges


@pytest.mark.clause("CW-40", "CW-41", "CW-06")
@pytest.mark.parametrize(
    ("charger", "target", "dares"),
    [
        ("orc_infantry", "undead_zombies", 4),
        ("human_infantry", "chaos_lord", 3),
        ("human_general", "chaos_lord", 6),
        ("orc_infantry", "human_knights", 6),
        ("elf_archers", "undead_lich", 2),
    ],
)
def test_a_charge(charger: str, target: str, dares: int) -> None:
    state = battle("movement", f"w1 {charger} d4, b1 {target} e5")
    charts = charted(state, Charge("w1", "b1"))
    assert charts == {"The charge": {"It charges": Fraction(dares, 6), "It stays where it is": 1 - Fraction(dares, 6)}}
    table = battle("movement", f"w1 {charger}, b1 {target}", options=Options(board="table"))
    assert charted(table, Charge("w1", "b1")) == charts


# Attacks

DUELS = [
    ("w1 human_knights d4, b1 orc_infantry d5", "w1-b1", {}),
    ("w1 human_infantry d4, b1 undead_zombies d5", "w1-b1", {}),
    ("w1 undead_zombies d4, b1 dwarf_infantry d5, b2 dwarf_infantry e5", "w1-b1 w1-b2", {}),
    ("w1 rat_plague_monks d4, b1 orc_trolls d5, w2 rat_clanrats e5", "w1-b1 w2-b1", {}),
    ("w1 human_general d4, b1 undead_lich d5", "w1-b1", {}),
    ("w1 human_knights d4, b1 chaos_beastmen d5, w3 elf_mage c4", "w1-b1 w3-b1", {}),
    ("w1 chaos_beastmen d4, b1 human_knights d5, b2 dwarf_warlord c5", "w1-b1 w1-b2", {}),
    (
        "w1 orc_infantry d4, b1 human_knights d5, b9 rat_seer a8, w2 orc_archers e4",
        "w1-b1 w2-b1",
        {"effects": (Effect("contagion", "black", "b9"), Effect("fear", "black", "b9"))},
    ),
    (
        "w1 orc_infantry d4, b1 chaos_beastmen d5, w9 orc_shaman c3",
        "w1-b1",
        {"effects": (Effect("protection", "white", "w9"),)},
    ),
]


@pytest.mark.clause(
    "CW-86", "CW-88", "CW-89", "CW-90", "CW-91", "CW-92", "CW-93", "CW-94", "CW-111", "CW-112", "CW-114"
)
@pytest.mark.parametrize(("units", "melees", "more"), DUELS)
def test_an_attack_equals_every_throw(units: str, melees: str, more: dict[str, Any]) -> None:
    state = battle("combat", units, melees, **more)
    found = falls(state, Attack("w1", "b1"))
    charts = list(charted(state, Attack("w1", "b1")).values())
    blow, whole = charts[0], charts[-1]
    if len(charts) == 1:
        assert all(len(lost) <= 1 for lost in found)
        whole = {("Nobody falls" if label == "The melee goes on" else label): chance for label, chance in blow.items()}
    assert {label: chance for label, chance in whole.items() if chance} == named_all(state, found)


@pytest.mark.clause("CW-111", "CW-86")
def test_an_attack_is_shown_before_and_after_the_plague() -> None:
    state = battle("combat", "w1 human_knights d4, b1 chaos_beastmen d5", "w1-b1")
    charts = charted(state, Attack("w1", "b1"))
    # A 6 destroys; 5 asks two saves on 4+ of three (0+5: line 5), 4 one; 1 asks the knights for 3+.
    beaten = Fraction(1, 6) + Fraction(1, 6) * Fraction(3, 4) + Fraction(1, 6) * Fraction(1, 2)
    assert charts["The attack, before the plague"] == {
        "Destroyed: chaos_beastmen d5": beaten,
        "Destroyed: human_knights d4": Fraction(1, 6) * Fraction(1, 3),
        "The melee goes on": 1 - beaten - Fraction(1, 18),
    }
    both = "Destroyed: human_knights d4, chaos_beastmen d5"
    assert charts["The attack, with the plague"][both] == beaten * Fraction(1, 6)


def test_nobody_is_asked_for_instants_and_the_chart_says_so() -> None:
    state = battle(
        "combat", "w1 human_knights d4, b1 undead_archers d5, b2 undead_necromancers d7, w2 human_mage d3", "w1-b1"
    )
    charts = charted(state, Attack("w1", "b1"))
    assert list(charts) == ["The whole attack, dice and saves, without instant spells"]
    never = state.but(replies={"white": "never", "black": "never"})
    found = named_all(state, falls(never, Attack("w1", "b1")))
    assert (
        charts["The whole attack, dice and saves, without instant spells"]["Destroyed: undead_archers d5"]
        == found["Destroyed: undead_archers d5"]
    )


# Bows, Zap, Strike

SHOTS: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("w1 elf_archers a1, b1 orc_infantry a3", "", Shoot("w1", "b1"), {}),
    ("w1 human_archers a1, b1 undead_zombies a4", "", Shoot("w1", "b1"), {}),
    ("w1 human_archers a1, b1 human_infantry a4, w2 orc_infantry a3", "", Shoot("w1", "b1"), {}),
    (
        "w1 elf_elite_archers a1, b1 orc_trolls a4, b9 human_mage h8",
        "",
        Shoot("w1", "b1"),
        {"effects": (Effect("storm", "black", "b9"),)},
    ),
    (
        "w1 dwarf_crossbowmen c3, b1 chaos_archers c5, w2 human_infantry d5, w3 human_knights d4, w4 human_general b5",
        "w2-b1 w3-b1 w4-b1",
        Shoot("w1", "b1"),
        {},
    ),
    ("w1 chaos_archers c7, w2 chaos_beastmen e6, b1 human_knights e5", "w2-b1", Shoot("w1", "b1"), {}),
    ("w1 orc_shaman c3, b1 orc_infantry c5, w2 human_infantry d5", "w2-b1", Cast("w1", "zap", "b1"), {}),
    ("w1 orc_shaman c3, b1 orc_infantry c5", "", Cast("w1", "zap", "b1"), {}),
]


@pytest.mark.clause("CW-52", "CW-53", "CW-56", "CW-58", "CW-59", "CW-62", "CW-110", "CW-113", "CW-156", "CW-162")
@pytest.mark.parametrize(("units", "melees", "action", "more"), SHOTS)
def test_a_shot_equals_every_throw(units: str, melees: str, action: Any, more: dict[str, Any]) -> None:
    state = battle("shooting", units, melees, **more)
    charts = charted(state.but(replies={"white": "never", "black": "never"}), action)
    silent = state.but(replies={"white": "never", "black": "never"})
    (fates,) = (chart for title, chart in charts.items() if title.startswith("Who falls"))
    assert fates == named_all(state, falls(silent, action))


@pytest.mark.clause("CW-150", "CW-08")
def test_a_strike() -> None:
    state = battle("combat", "w1 orc_shaman d4, b1 elf_archers d5, b2 human_knights e5", "w1-b1 w1-b2")
    assert charted(state, Cast("w1", "strike", "b1")) == {"Who falls": {"Destroyed: elf_archers d5": Fraction(1)}}
    assert charted(state, Cast("w1", "strike", "b2"))["Who falls"] == {
        "Destroyed: human_knights e5": Fraction(2, 3),
        "Nobody falls": Fraction(1, 3),
    }


@pytest.mark.clause("CW-57", "CW-58", "CW-59")
def test_a_shot_on_the_table_takes_its_facts_with_it() -> None:
    table = Options(board="table")
    state = battle("shooting", "w1 human_archers, b1 orc_infantry, w2 human_infantry", "w2-b1", options=table)
    for distance, direct, moved in product((2, 4), (True, False), (True, False)):
        action = Shoot("w1", "b1", distance, direct, moved)
        needed = 3 + (distance > 2) + 2 * (not direct) + moved
        charts = charted(state, action)
        assert charts["The shot"]["It hits"] == Fraction(max(0, 7 - needed), 6)
        assert sorted(charts["Who falls"].values()) == sorted(falls(state, action).values())


@pytest.mark.clause("CW-170")
def test_odds_on_the_table_leave_forests_out_and_say_so() -> None:
    state = battle("shooting", "w1 human_archers, b1 orc_infantry", options=Options(board="table", terrain=True))
    charts = charted(state, Shoot("w1", "b1", 2))
    assert list(charts) == ["The shot, outside forests", "Who falls, outside forests"]
    assert charts["Who falls, outside forests"]["Nobody falls"] == 1 - Fraction(4, 6) * Fraction(2, 6)


# Throwers

WHITE_SHIFTS = {1: (0, 1), 2: (1, 0), 3: (0, -1), 4: (-1, 0), 5: (0, 0), 6: (0, 0)}


def landing(square: str, faces: tuple[int, ...], way: int) -> str | None:
    """Where a shot comes down, by table 2.3; ``way`` is 1 for White and -1 for Black."""
    file = FILES.index(square[0]) + way * sum(WHITE_SHIFTS[face][0] for face in faces)
    rank = int(square[1]) + way * sum(WHITE_SHIFTS[face][1] for face in faces)
    return f"{FILES[file]}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else None


THROWS: list[tuple[str, str, str, str, int, dict[str, Any]]] = [
    ("white", "w1 human_catapults c1, b1 orc_infantry c5, b2 elf_archers d6, b3 human_knights c8", "", "c5", 2, {}),
    ("white", "w1 human_catapults a2, w2 human_infantry b3, w3 elf_cavalry d4, b1 orc_infantry d6, b2 orc_archers e5",
     "", "d6", 3, {}),
    ("black", "b1 undead_catapults h8, w1 human_knights h2, w2 human_general g1, b2 undead_zombies g2", "w1-b2",
     "h2", 2, {}),
    ("white", "w1 chaos_giants d4, b1 orc_infantry d5, w2 human_infantry d6", "", "d6", 1, {}),
    ("white", "w1 rat_plague_monks d4, b1 orc_infantry d6, w2 human_infantry d7, b2 undead_zombies e6", "w2-b1",
     "d6", 1, {}),
    ("white", "w1 chaos_giants c4, b1 orc_trolls c6, b2 orc_infantry b6, w2 human_mage a1", "", "c6", 2,
     {"effects": (Effect("storm", "white", "w2"),)}),
    ("white", "w1 human_catapults c2, w3 human_infantry c3, w2 human_mage a1, b1 orc_infantry b6", "", "c6", 5,
     {"effects": (Effect("storm", "white", "w2"),)}),
]  # fmt: skip


@pytest.mark.clause("CW-69", "CW-70", "CW-71", "CW-72", "CW-73", "CW-74", "CW-77", "CW-78", "CW-157")
@pytest.mark.parametrize(("seat", "units", "melees", "square", "dice", "more"), THROWS)
def test_where_a_shot_comes_down(
    seat: str, units: str, melees: str, square: str, dice: int, more: dict[str, Any]
) -> None:
    way = 1 if seat == "white" else -1
    state = battle("shooting", units, melees, active=0 if way == 1 else 1, **more)
    chart = GAME.foresee(state, seat, Bombard(state.units[0].id, square))[0]
    found: dict[str | None, Fraction] = {}
    for faces in product(range(1, 7), repeat=dice):
        there = landing(square, faces, way)
        found[there] = found.get(there, Fraction(0)) + Fraction(1, 6**dice)
    assert {bar.place: bar.chance for bar in chart.bars} == found
    assert chart.map is not None
    assert chart.map.turned is (seat == "black")
    off = [bar for bar in chart.bars if bar.place is None]
    assert [speak(bar.label, str) for bar in off] == ["Off the board"] * (None in found)


@pytest.mark.clause("CW-75", "CW-76", "CW-79", "CW-80", "CW-81", "CW-158")
@pytest.mark.parametrize(("seat", "units", "melees", "square", "dice", "more"), THROWS[:-1])
def test_who_falls_where_a_shot_comes_down(
    seat: str, units: str, melees: str, square: str, dice: int, more: dict[str, Any]
) -> None:
    state = battle("shooting", units, melees, active=0 if seat == "white" else 1, **more)
    silent = state.but(replies={"white": "never", "black": "never"})
    action = Bombard(state.units[0].id, square)
    found = falls(silent, action, seat)
    charts = charted(state, action, seat)
    own = {unit.id for unit in state.units if unit.side == seat}
    (whose,) = (chart for title, chart in charts.items() if title.startswith("Who falls"))
    assert whose == {
        "Enemies only": total(found, lambda lost: bool(lost) and not lost & own),
        "Own units only": total(found, lambda lost: bool(lost) and lost <= own),
        "Enemies and own units": total(found, lambda lost: bool(lost & own) and bool(lost - own)),
        "Nobody falls": found.get(frozenset(), Fraction(0)),
    }
    (each,) = (chart for title, chart in charts.items() if title.startswith("How likely"))
    assert each == {
        named(state, frozenset({unit.id})): chance
        for unit in state.units
        if (chance := total(found, lambda lost, name=unit.id: name in lost))
    }


def total(found: dict[Fallen, Fraction], event: Callable[[Fallen], bool]) -> Fraction:
    return sum((chance for lost, chance in found.items() if event(lost)), Fraction(0))


@pytest.mark.clause("CW-157", "CW-158")
def test_many_scatter_dice_are_added_up() -> None:
    mage, storm = ", w2 human_mage", (Effect("storm", "white", "w2"),)
    state = battle(
        "shooting", "w1 human_catapults, b1 orc_infantry" + mage, options=Options(board="table", size=16), effects=storm
    )
    near = GAME.foresee(state, "white", Bombard("w1", distance=3, direct=False))[0]
    found: dict[str, Fraction] = {}
    for faces in product(range(1, 7), repeat=4):
        right, ahead = faces.count(2) - faces.count(4), faces.count(1) - faces.count(3)
        place = "".join(f"{line:+d}" if line else "0" for line in (right, ahead))
        found[place] = found.get(place, Fraction(0)) + Fraction(1, 6**4)
    assert {bar.place: bar.chance for bar in near.bars} == found
    assert {speak(bar.label, str) for bar in near.bars if bar.place == "+1-2"} == {"2 towards you, 1 to your right"}
    far = GAME.foresee(state, "white", Bombard("w1", distance=8, direct=False))[0]
    chances = {bar.place: bar.chance for bar in far.bars}
    assert (sum(chances.values()), len(chances)) == (1, 113)
    assert chances["0+7"] == Fraction(1, 6**7)
    stays = sum(
        factorial(7)
        * 2 ** (7 - 2 * ahead - 2 * aside)
        // (factorial(ahead) ** 2 * factorial(aside) ** 2 * factorial(7 - 2 * ahead - 2 * aside))
        for ahead in range(4)
        for aside in range(4 - ahead)
    )
    assert chances["00"] == Fraction(stays, 6**7)


# What has no odds, and what can not be done


def test_what_throws_no_dice_has_no_odds() -> None:
    state = battle("movement", "w1 human_mage d4, b1 orc_infantry e5")
    assert GAME.foresee(state, "white", EndPhase()) == ()
    assert GAME.foresee(state, "white", Cast("w1", "storm")) == ()
    assert GAME.foresee(state, "screen", Charge("w1", "b1")) == ()


REFUSED: list[tuple[str, Any, str]] = [
    ("movement", Charge("w1", "b2"), "white"),
    ("movement", Charge("b1", "w1"), "white"),
    ("movement", Charge("b1", "w1"), "black"),
    ("movement", Charge("w9", "b1"), "white"),
    ("movement", Shoot("w2", "b2"), "white"),
    ("shooting", Charge("w1", "b1"), "white"),
    ("shooting", Shoot("w1", "b2"), "white"),
    ("shooting", Shoot("w2", "b4"), "white"),
    ("shooting", Shoot("w4", "b2"), "white"),
    ("shooting", Bombard("w3", "a2"), "white"),
    ("shooting", Bombard("w3", "z9"), "white"),
    ("shooting", Bombard("w3"), "white"),
    ("shooting", Bombard("w2", "d6"), "white"),
    ("shooting", Attack("w4", "b3"), "white"),
    ("shooting", Cast("w5", "zap", "b4"), "white"),
    ("shooting", Cast("w5", "strike", "b4"), "white"),
    ("combat", Attack("w1", "b1"), "white"),
    ("combat", Attack("w4", "b1"), "white"),
    ("combat", Cast("w5", "strike", "b4"), "white"),
]


@pytest.mark.parametrize(("phase", "action", "seat"), REFUSED)
def test_what_can_not_be_done_is_refused_by_the_rule_itself(phase: str, action: Any, seat: str) -> None:
    state = battle(
        phase,
        "w1 human_infantry d4, w2 human_archers c3, w3 human_catapults a1, w4 human_knights f4, w5 human_mage a3, "
        "b1 orc_infantry d5, b2 orc_archers e6, b3 orc_infantry f5, b4 orc_wolf_riders h8",
        "w4-b3",
    )
    with pytest.raises(Refusal) as foreseen:
        GAME.foresee(state, seat, action)
    with pytest.raises(Refusal) as ruled:
        GAME.rule(state, seat, action, Ask())
    assert foreseen.value.reason == ruled.value.reason
    assert foreseen.value.field == ruled.value.field


@pytest.mark.clause("CW-36")
def test_a_unit_that_has_charged_is_offered_no_second_charge() -> None:
    state = battle("movement", "w1 human_knights d4, b1 orc_infantry d5, b2 orc_infantry e5")
    assert [offer.on for offer in GAME.offers(state, "white") if offer.action == "charge"] == ["w1"]
    for board in (state, state.but(options=Options(board="table"))):
        charged = board.with_unit("w1", charged="movement")
        assert not [offer for offer in GAME.offers(charged, "white") if offer.action == "charge"]
        with pytest.raises(Refusal) as refused:
            GAME.foresee(charged, "white", Charge("w1", "b2"))
        assert refused.value.clause == "CW-36"


# The plague among many


def marginals(state: State, found: dict[Fallen, Fraction]) -> dict[str, Fraction]:
    """How likely each unit is to fall, as a chart calls it."""
    each: dict[str, Fraction] = {}
    for lost, chance in found.items():
        for unit in lost:
            label = named(state, frozenset((unit,)))
            each[label] = each.get(label, Fraction(0)) + chance
    return each


THREE = "w2 human_knights c6, w3 human_infantry c7, w4 human_archers e7, b1 chaos_beastmen d6"
AMONG_THREE: list[Any] = first(
    ("combat", THREE, Attack("w2", "b1")),
    ("combat", f"{THREE}, w5 undead_zombies e6", Attack("w2", "b1")),
    ("shooting", f"{THREE}, w1 human_archers d3", Shoot("w1", "b1")),
    ("shooting", f"{THREE}, w1 orc_shaman d4", Cast("w1", "zap", "b1")),
    ("shooting", f"{THREE}, w1 chaos_giants d4", Bombard("w1", "d6")),
)


@pytest.mark.clause("CW-111", "CW-113")
@pytest.mark.parametrize(("phase", "units", "action"), AMONG_THREE)
def test_where_the_plague_may_catch_many_each_unit_has_its_own_bar(phase: Any, units: str, action: Any) -> None:
    state = battle(phase, units, "w2-b1 w3-b1 w4-b1")
    if state.find("w5"):
        state = state.engage("w5", "b1")
    charts = charted(state, action)
    assert charts["How likely each unit is to fall"] == marginals(state, falls(state, action))
    assert not any("Who falls" in title or "with the plague" in title for title in charts)


@pytest.mark.clause("CW-111")
def test_a_carrier_among_eight_takes_few_runs_of_the_rule() -> None:
    around = ("c4", "d4", "e4", "c5", "e5", "c6", "d6", "e6")
    units = ", ".join(f"w{number} human_infantry {square}" for number, square in enumerate(around, 1))
    state = battle("combat", f"{units}, b1 chaos_beastmen d5", " ".join(f"w{number}-b1" for number in range(1, 9)))
    charts = charted(state, Attack("w1", "b1"))
    assert list(charts) == ["The attack, before the plague", "How likely each unit is to fall"]
    assert len(charts["How likely each unit is to fall"]) == 9
    runs = []

    def attack(ask: Ask) -> tuple[None, odds.Fate]:
        runs.append(ask)
        return None, odds.fate(state, combat.fight(state, "w1", "b1", ask)[0])

    assert odds.falling(state, attack).many
    assert len(runs) < 1000, "every way in which nine can fall takes some 4,000"

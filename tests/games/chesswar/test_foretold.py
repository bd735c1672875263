"""What ChessWar says before dice are thrown and spells are cast: what they need, what they do, what they cost."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.chesswar import speech
from companion.games.chesswar.armies import TYPES
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack, foretold, read
from companion.games.chesswar.facts import ThrowFacts
from companion.games.chesswar.game import GAME
from companion.games.chesswar.lookups import throwing_charts
from companion.games.chesswar.options import Options, drift_between
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.traits import save_required
from companion.kit.questions import Choose
from companion.kit.text import Text
from tests.support.chesswar_positions import KINGS, acting, after, english, no, offered, on, position, rule
from tests.support.playing import clauses
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from companion.games.chesswar.state import State
    from companion.kit.ruling import Reason


def rests_on(state: State, action: Any) -> tuple[Reason, ...]:
    """What the odds of an action rest on."""
    found: tuple[Reason, ...] = GAME.foresee(state, acting(state), action)[0].reasons
    return found


def total(reason: Reason) -> int:
    return sum(term.value or 0 for term in reason.terms)


def notes(state: State, action: str) -> dict[str, str]:
    """What is noted of each target of the first offer of a kind."""
    (field, *_) = offered(state, action)[0].fields
    return {option.value: english(option.note) for option in field.options if option.barred is None}


def question(state: State, action: Any, key: str, *dice: int) -> Choose:
    ask = Plays(*dice)
    rule(state, acting(state), action, ask)
    return next(one for one in ask.asked if isinstance(one, Choose) and one.key == key)


def says(reason: Reason, *parts: str) -> bool:
    return all(part in english(reason.text) for part in parts)


# Shots


@pytest.mark.clause("CW-56", "CW-57", "CW-58", "CW-59", "CW-60", "CW-61", "CW-62")
def test_a_shot_says_the_face_that_it_needs_and_what_that_is_made_of() -> None:
    state = position(f"{KINGS}, w1 hb c3, w2 hp c6, b1 op c5, b2 op e7, b3 op g3", phase="shooting")
    assert notes(state, "shoot") == {"b1": "hits on 3+ (67%)", "b2": "hits on 4+ (50%)", "b3": "hits on 4+ (50%)"}
    assert notes(state.with_unit("w1", moved=True), "shoot")["b2"] == "hits on 5+ (33%)"
    moved = state.with_unit("w1", moved=True)
    needs, saves = rests_on(moved, Shoot("w1", "b2"))
    assert (needs.clause, clauses(needs.terms), total(needs)) == ("CW-56", [None, "CW-57", "CW-58"], 5)
    assert says(needs, "Archers c3", "5 or more")
    assert says(saves, "Orcs e7", "3 or more")


@pytest.mark.clause("CW-61")
def test_a_shot_that_no_face_hits_with_says_so() -> None:
    state = position(f"{KINGS}, w1 hb e2, w2 hp e4, b1 op e6", phase="shooting").with_unit("w1", moved=True)
    assert notes(state, "shoot") == {"b1": "cannot hit: needs 7"}
    (offer,) = offered(state, "shoot")
    (option,) = offer.fields[0].options
    assert (english(option.hopeless.text), option.hopeless.clause) == ("cannot hit: needs 7", "CW-61")
    assert offer.hopeless
    assert offered(state, "end_phase")[0].main, "what can not hit is nothing that one has to do first"
    assert not offered(state.with_unit("w1", moved=False), "end_phase")[0].main
    needs, _ = rests_on(state, Shoot("w1", "b1"))
    assert (needs.clause, total(needs)) == ("CW-61", 7)
    assert says(needs, "cannot", "7")


@pytest.mark.clause("CW-56", "CW-57", "CW-58", "CW-59")
def test_on_a_real_board_a_shot_says_it_when_its_facts_are_told() -> None:
    state = position("w1 hb, b1 op, w2 hp", phase="shooting", board="table")
    for distance, direct, moved in product((2, 4), (True, False), (True, False)):
        needs, _ = rests_on(state, Shoot("w1", "b1", distance, direct, moved))
        assert total(needs) in {0, 3 + (distance > 2) + 2 * (not direct) + moved}
        assert f"{3 + (distance > 2) + 2 * (not direct) + moved}" in english(needs.text)


@pytest.mark.clause("CW-69", "CW-157")
def test_a_catapult_says_how_many_dice_it_throws() -> None:
    state = position("wk hk h1, bk ok h8, w1 hr c1, b1 or c8, w9 hq a1, storm w9", phase="shooting")
    (needs,) = rests_on(state, Bombard("w1", "c8"))
    assert (english(needs.text), needs.value, clauses(needs.terms)) == ("5 dice to scatter", 5, ["CW-69", "CW-157"])


def bars(state: State, action: Any, title: str) -> dict[str, Fraction]:
    """The bars of the chart of that title."""
    charts = GAME.foresee(state, acting(state), action)
    return {english(bar.label): bar.chance for chart in charts if english(chart.title) == title for bar in chart.bars}


def drifts(dice: int) -> Counter[tuple[int, int]]:
    """How often each sum of scatter dice comes up: to the right, and away from the shooter."""
    return Counter(
        (faces.count(2) - faces.count(4), faces.count(1) - faces.count(3))
        for faces in product(range(1, 7), repeat=dice)
    )


@pytest.mark.clause("CW-67", "CW-69")
def test_a_catapult_s_targets_say_how_many_dice_scatter() -> None:
    state = position("wk dk h1, bk ok h8, w1 hr a4, w2 hp a5, b1 op a7, b2 op d4", phase="shooting")
    told = notes(state, "bombard")
    assert (told["a7"], told["d4"]) == ("3 dice to scatter", "2 dice to scatter")
    (field, *_) = offered(state, "bombard")[0].fields
    shown = {option.value: english(option.badge.value) for option in field.options if option.badge}
    assert {square: shown[square] for square in ("a7", "d4")} == {"a7": "3", "d4": "2"}


LIES = {
    "ahead": (0, 1),
    "right": (1, 0),
    "back": (0, -1),
    "left": (-1, 0),
    "ahead_left": (-1, 1),
    "back_right": (1, -1),
}


@pytest.mark.clause("CW-70", "CW-71", "CW-72", "CW-75")
@pytest.mark.parametrize("active", [0, 1])
def test_on_a_real_board_people_say_who_stands_where_a_stone_may_fall(active: int) -> None:
    state = position("w1 hr, w2 hp, w3 hn, b1 ur, b2 up", phase="shooting", board="table", active=active)
    shooter, target = (("w1", "b2"), ("b1", "w2"))[active]
    plain = Bombard(shooter, distance=4)
    assert bars(state, plain, "On whom it comes down") == {}
    told = Bombard(shooter, distance=4, target=target, enemies=("ahead", "ahead_left"), own=("back_right", "left"))
    found = bars(state, told, "On whom it comes down")
    counts, name = drifts(2), english(speech.name(state, state.unit(target)))
    assert found == {
        name: Fraction(counts[0, 0], 36),
        "Another enemy": Fraction(counts[LIES["ahead"]] + counts[LIES["ahead_left"]], 36),
        "An own unit": Fraction(counts[LIES["back_right"]] + counts[LIES["left"]], 36),
        "Nobody that was named": Fraction(36 - counts[0, 0] - 4 - 2 - 2 - 4, 36),
    }
    unsaved = Fraction(1) if active else Fraction(3, 6)
    assert bars(state, told, "How likely each unit is to fall") == {
        f"Destroyed: {name}": Fraction(counts[0, 0], 36) * unsaved
    }


@pytest.mark.clause("CW-72", "CW-75")
def test_who_was_aimed_at_is_not_asked_for_where_nothing_scatters() -> None:
    state = position("w1 hr, w2 hp, b1 op, b2 op, w2>b2", phase="shooting", board="table")
    shot = Bombard("w1", distance=4, target="b1")
    assert keys(state, shot, 2, 4, 1) == ["scatter", "save_b1"], "right and left again"
    assert keys(state, shot, 2, 6, impact="nobody") == ["scatter", "impact"]
    assert keys(state, Bombard("w1", distance=4, target="nobody"), 5, 6, impact="nobody") == ["scatter", "impact"]
    assert "b1" not in on(after(state, shot, 5, 5, 1))
    assert no(state, Bombard("w1", distance=4, target="w1")) == "CW-67"
    (offer,) = offered(state, "bombard")
    assert [field.name for field in offer.fields] == ["distance", "direct", "target", "enemies", "own"]


@pytest.mark.clause("CW-70", "CW-71", "CW-77")
@pytest.mark.parametrize(("edge", "ahead", "right"), [("south", "d6", "e5"), ("north", "d4", "c5")])
def test_a_lookup_is_told_who_stands_beside_the_target(edge: Any, ahead: str, right: str) -> None:
    facts = ThrowFacts(unit="orc_trolls", edge=edge, start="b5", square="d5", enemies=("ahead",), own=("right", "left"))
    charts = {english(chart.title): chart.bars for chart in throwing_charts(facts)}
    assert {english(bar.label): bar.chance for bar in charts["On whom it comes down"]} == {
        english(Text("orc_infantry")): Fraction(2, 6),
        "Another enemy": Fraction(1, 6),
        "An own unit": Fraction(2, 6),
        "Nobody that was named": Fraction(1, 6),
    }
    where = {bar.place: bar.chance for bar in charts["Where it comes down"]}
    assert (where[ahead], where[right]) == (Fraction(1, 6), Fraction(1, 6))
    south = drift_between(Options(), "white", "d5", ahead), drift_between(Options(), "white", "d5", right)
    north = drift_between(Options(), "black", "d5", ahead), drift_between(Options(), "black", "d5", right)
    assert (south if edge == "south" else north) == ((0, 1), (1, 0))
    alone = [english(chart.title) for chart in throwing_charts(replace(facts, enemies=(), own=()))]
    assert "On whom it comes down" not in alone


def keys(state: State, action: Any, *dice: int, **choices: Any) -> list[str]:
    ask = Plays(*dice, **choices)
    rule(state, acting(state), action, ask)
    return [question.key for question in ask.asked]


# Charges and attacks


@pytest.mark.clause("CW-40", "CW-06")
def test_a_charge_against_dread_says_the_save_that_it_needs() -> None:
    state = position(f"{KINGS}, w1 hp c3, b1 up c4, b2 op b3")
    assert notes(state, "charge") == {"b1": "save 4+ (50%)", "b2": ""}
    dread, saves = rests_on(state, Charge("w1", "b1"))
    assert dread.clause == "CW-40"
    assert says(dread, "Zombies c4", "Infantry c3")
    assert says(saves, "Infantry c3", "4 or more")
    assert rests_on(state, Charge("w1", "b2")) == ()


@pytest.mark.clause("CW-85", "CW-86", "CW-87", "CW-88", "CW-89", "CW-91", "CW-92", "CW-93", "CW-94")
@pytest.mark.parametrize("attacker", ["human_knights", "undead_zombies", "dwarf_warlord", "elf_mage"])
@pytest.mark.parametrize("defender", ["orc_infantry", "undead_zombies", "chaos_lord", "human_infantry"])
@pytest.mark.parametrize("charged", [False, True])
def test_an_attack_says_what_each_face_comes_to(attacker: str, defender: str, charged: bool) -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5", phase="combat")
    state = state.with_unit("w1", type=attacker, charged="movement" if charged else "").with_unit("b1", type=defender)
    state = state.engage("w1", "b1")
    one, other = state.unit("w1"), state.unit("b1")
    added, *lines = foretold(state, one, other)
    bonus = charged and "aggressive" in TYPES[attacker].traits
    assert total(added) == added.value == TYPES[attacker].combat + bonus - TYPES[defender].combat
    said = {face: line.clause for line in lines for face in line.faces}
    assert sorted(said) == [1, 2, 3, 4, 5, 6]
    least = min(face for face in said if read(state, one, other, face).line >= 4)
    assert notes(state, "attack") == {"b1": f"attack die {least}+ ({round(100 * (7 - least) / 6)}%), before saves"}
    for face, clause in said.items():
        blow = read(state, one, other, face)
        assert (
            clause
            in {
                6: {"CW-86", "CW-87"},
                5: {"CW-89", "CW-90", "CW-91"},
                4: {"CW-90", "CW-91"},
                3: {"CW-92"},
                1: {"CW-93", "CW-94"},
            }[blow.line]
        )
    saving = {read(state, one, other, face).saver for face in said} - {None}
    plain = [line for line in lines if not line.faces and line.clause != "CW-88"]
    assert plain == [save_required(state, unit, "melee") for unit in (other, one) if unit.id in saving]


# Spells


@pytest.mark.clause("CW-129", "CW-140", "CW-149", "CW-152", "CW-153", "CW-156", "CW-159", "CW-127")
@pytest.mark.parametrize("board", ["mirrored", "table"])
def test_every_spell_says_what_it_does_before_it_is_cast(board: Any) -> None:
    state = position(f"{KINGS}, w1 cq d4, w2 oq e4, w3 eq f4, b1 op h6, fear w1", board=board)
    told = {offer.given["spell"]: clauses(offer.advice) for offer in offered(state, "cast")}
    lasting = {"contagion": "CW-140", "fear": "CW-152", "protection": "CW-153", "storm": "CW-156"}
    assert {spell: told[spell] for spell in lasting} == {
        spell: [clause, "CW-129", "CW-127"] for spell, clause in lasting.items()
    }
    assert (told["dispel"], told["flight"]) == (["CW-149", "CW-127"], ["CW-159"])
    stays = state.with_unit("w1", settled=True)
    assert "CW-127" not in {
        clause for offer in offered(stays, "cast") if offer.on == "w1" for clause in clauses(offer.advice)
    }


@pytest.mark.clause("CW-150", "CW-162", "CW-153")
def test_a_target_of_a_spell_says_the_save_that_it_needs() -> None:
    state = position(f"{KINGS}, w1 oq d4, b1 hp d6, b2 hb e6, b9 hq f6, protection b9", phase="shooting")
    assert notes(state, "cast") == {"b1": "save 4+ (50%)", "b2": "save 4+ (50%)", "b9": "save 2+ (83%)"}
    (needs,) = rests_on(state, Cast("w1", "zap", "b2"))
    assert clauses(needs.terms) == [None, "CW-153"]
    assert says(needs, "Archers e6", "4 or more")
    state = position(f"{KINGS}, w1 oq d4, b1 hn d5, b2 ep e5, w1>b1, w1>b2", phase="combat")
    assert notes(state, "cast") == {"b1": "save 5+ (33%)", "b2": "save 7+ (impossible)"}
    (offer,) = offered(state, "cast")
    assert clauses(offer.advice) == ["CW-150", "CW-128"]
    (needs,) = rests_on(state, Cast("w1", "strike", "b2"))
    assert (needs.clause, total(needs)) == ("CW-08", 7)


@pytest.mark.clause("CW-122", "CW-123", "CW-145", "CW-141")
def test_an_instant_says_what_it_does_and_costs_before_it_is_answered() -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1, w2 hq c3", phase="combat", active=1)
    asked = question(state, Attack("b1", "w1"), "heal_w1", 6)
    assert [(option.value, english(option.note)) for option in asked.options] == [
        ("no", "no spell is spent"),
        ("w2", "works on 4+ (50%); no spell in his next turn"),
    ]
    assert clauses(asked.advice) == ["CW-145", "CW-145", "CW-123"]
    own = question(state.but(active=0), Attack("w1", "b1"), "heal_w1", 1, 1)
    assert english(own.options[1].note) == "works on 4+ (50%)"
    assert clauses(own.advice) == ["CW-145", "CW-145", "CW-122"]
    cast = after(state, Attack("b1", "w1"), 6, 4, heal_w1="w2").but(active=0, phase="shooting")
    assert cast.unit("w2").locked, "as it was said"
    assert no(cast.with_unit("w2", cast=False), Cast("w2", "zap", "b1")) == "CW-123"


@pytest.mark.clause("CW-131", "CW-132", "CW-123")
def test_raise_dead_says_what_the_unit_comes_back_as() -> None:
    state = position("wk hk a1, w1 hb d4, w2 hp d5, bk uk h8, b1 up d3, b2 uq c3, w1>b1", phase="combat", active=1)
    asked = question(state, Attack("b1", "w1"), "raise_w1", 6)
    assert english(asked.options[1].note).endswith("back as Archers")
    assert clauses(asked.advice) == ["CW-131", "CW-122"]
    turn = state.but(active=0)
    asked = question(turn, Attack("w1", "b1"), "raise_w1", 1, 1)
    assert english(asked.options[1].note).endswith("back as Archers; no spell in his next turn")
    assert clauses(asked.advice) == ["CW-131", "CW-123"]

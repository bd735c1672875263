"""The player aids of ChessWar: every army's units as its list has them, and tables that say what the rules do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.chesswar import combat, shooting
from companion.games.chesswar.armies import ARMIES, TYPES
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import Options, shift
from companion.games.chesswar.shooting import Aim
from companion.games.chesswar.state import Effect, State, Unit
from companion.kit.panels import Board
from companion.kit.rulebook import Listing, Sheet
from companion.kit.text import Text
from tests.support.armed import armed, made_of
from tests.support.chesswar_positions import KINGS, english, position

SHEETS: dict[str, Sheet] = {sheet.id: sheet for sheet in GAME.rulebook.sheet}


def listing(sheet: str, title: str) -> Listing:
    return next(part for part in SHEETS[sheet].listing if english(part.title).startswith(title))


def rows(sheet: str, title: str) -> dict[str, tuple[str, ...]]:
    return {
        english(line.cells[0]): tuple(english(cell) for cell in (*line.cells[1:], *((line.more,) if line.more else ())))
        for line in listing(sheet, title).line
    }


def test_there_is_one_for_each_army_and_one_for_all() -> None:
    assert list(SHEETS) == [*ARMIES, "all"]


@pytest.mark.clause("CW-05")
@pytest.mark.parametrize("army", sorted(ARMIES))
def test_an_army_has_all_its_units_with_their_values(army: str) -> None:
    units = listing(army, "Units")
    assert [line.piece for line in units.line] == [kind.piece for kind in ARMIES[army].unit]
    for line, kind in zip(units.line, ARMIES[army].unit, strict=True):
        shown = [english(cell).replace("−", "-") for cell in line.cells]
        assert shown[1:2] == [str(kind.max)]
        assert shown[2] == (str(kind.cost) if kind.cost else "–")
        assert (int(shown[3]), shown[4], int(shown[5])) == (kind.move, f"{kind.save}+", kind.combat)
        assert line.more is not None
        assert all(english(Text(spell)) in english(line.more) for spell in kind.spells)
        assert f"{kind.skill}+" in english(line.more) or not kind.skill


@pytest.mark.parametrize("army", sorted(ARMIES))
def test_an_army_has_what_its_units_can_do_and_nothing_else(army: str) -> None:
    units = ARMIES[army].unit
    assert set(rows(army, "Spells")) == {english(Text(spell)) for kind in units for spell in kind.spells}
    assert set(rows(army, "Weapons")) == {english(Text(kind.weapon)) for kind in units if kind.weapon}
    assert len(rows(army, "Special")) == len({trait for kind in units for trait in kind.traits})


ATTACKER = Unit("wn1", "white", "human_knights", "d4", engaged_with=("bp1",))
PLAIN, BRAVE, DREADFUL = "orc_infantry", "rat_plague_monks", "undead_zombies"


def blow(attacker: str, defender: str, total: int) -> combat.Blow:
    """Read a total of an attack, by a die that is no 6 where that can be."""
    one, other = replace(ATTACKER, type=attacker), Unit("bp1", "black", defender, "d5", engaged_with=("wn1",))
    state = State(options=Options(), units=(one, other), phase="combat", order=(0, 1))
    return combat.read(state, one, other, total - one.kind.combat + other.kind.combat)


@pytest.mark.clause("CW-86", "CW-88", "CW-89", "CW-90", "CW-91", "CW-92", "CW-93", "CW-94")
def test_the_table_of_the_melee_says_what_the_rule_does() -> None:
    told = rows("all", "Melee")
    assert list(told) == ["6 or more", "5", "4", "2 or 3", "1 or less"]
    assert told["6 or more"][0] == "The defender is destroyed."
    assert blow("human_knights", PLAIN, 6).line == 6
    assert "as a 5" in told["6 or more"][1]
    assert blow("human_knights", DREADFUL, 6).line == 5
    assert "two saves" in told["5"][0]
    assert "a brave one makes only one" in told["5"][0]
    assert [blow("human_knights", other, 5).saves for other in (PLAIN, BRAVE)] == [2, 1]
    assert "one save" in told["4"][0]
    assert blow("human_knights", PLAIN, 4).saves == 1
    assert told["2 or 3"] == ("Nothing happens: the melee goes on",)
    assert [blow("human_knights", PLAIN, total).saver for total in (2, 3)] == [None, None]
    assert "a dreadful one only if the defender is brave" in told["1 or less"][0]
    assert blow("human_knights", PLAIN, 1).saver == "wn1"
    assert [blow(DREADFUL, other, 1).saver for other in (PLAIN, BRAVE)] == [None, "wn1"]


@pytest.mark.clause("CW-57", "CW-58", "CW-59", "CW-156")
def test_the_table_of_the_bows_says_what_the_rule_does() -> None:
    told = rows("all", "Bows")
    state = State(options=Options())
    archer = Unit("wb1", "white", "human_archers", "d1")

    def modifier(aim: Aim, *, moved: bool = False, storm: bool = False) -> int:
        effects = (Effect("storm", "black", "bq1"),) if storm else ()
        return sum(
            term.value or 0
            for term in shooting.modifiers(state.but(effects=effects), replace(archer, moved=moved), aim)
        )

    assert told["The shooter moved"] == ("−1",)
    assert modifier(Aim(2), moved=True) == -1
    assert told["3 squares away or more"] == ("−1",)
    assert [modifier(Aim(distance)) for distance in (2, 3, 4)] == [0, -1, -1]
    assert told["The shooter does not see the target"] == ("−2",)
    assert modifier(Aim(2, direct=False)) == -2
    assert told["In a storm, instead of that for the distance"] == ("−1 a square",)
    assert [modifier(Aim(distance), storm=True) for distance in (2, 4)] == [-2, -4]


@pytest.mark.clause("CW-70", "CW-71")
def test_the_table_of_the_scatter_die_says_what_the_rule_does() -> None:
    told = rows("all", "Scatter die")
    arrows = {"↑": (0, 1), "→": (1, 0), "↓": (0, -1), "←": (-1, 0)}
    for face in range(1, 5):
        assert shift(Options(), "white", face) == arrows[told[str(face)][0][0]]
    assert told["5 or 6"] == ("no scatter",)
    assert shift(Options(), "white", 5) == shift(Options(), "white", 6) == (0, 0)


def now(state: State, unit: str) -> dict[str, tuple[int | None, list[str | None]]]:
    """The numbers of a unit that are not the printed ones: what each comes to, and the clauses of what changes it."""
    (board,) = [panel for panel in GAME.view(state, "white").panels if isinstance(panel, Board)]
    (piece,) = [one for one in board.pieces if one.id == unit]
    assert all(line.value == sum(term.value or 0 for term in line.terms) for line in piece.now)
    return {english(line.text): (line.value, [term.clause for term in line.terms[1:]]) for line in piece.now}


@pytest.mark.clause("CW-57", "CW-107", "CW-153", "CW-170")
def test_a_unit_on_the_board_says_which_of_its_numbers_are_others_now() -> None:
    state = position(f"{KINGS}, w1 eq d4, w2 hb d5, w3 hn e2, w4 hp f4, b1 op f6", terrain=True)
    state = state.but(terrain={"d5": "forest"})
    assert [now(state, unit) for unit in ("w1", "w3", "w4", "b1")] == [{}] * 4
    assert now(state, "w2") == {"Saving roll against shots": (4, ["CW-170"])}
    covered = position(f"{KINGS}, w1 eq d4, w2 hb d5, protection w1", terrain=True)
    covered = covered.but(terrain={"d5": "forest"})
    assert now(covered, "w2") == {
        "Saving roll": (4, ["CW-153"]),
        "Saving roll against shots": (3, ["CW-153", "CW-170"]),
    }
    moved = state.with_unit("w2", moved=True).with_unit("w3", charged="movement").with_unit("w4", moved=True)
    assert armed(GAME, state, "white", "w2")["bows"]["Hits on"] == "3+"
    assert armed(GAME, moved, "white", "w2")["bows"]["Hits on"] == "4+"
    assert made_of(GAME, moved, "white", "w2") == {"bows: Hits on": [(None, 3), ("CW-57", 1)]}
    assert now(moved, "w3") == {"Combat": (TYPES["human_knights"].combat + 1, ["CW-107"])}
    assert now(moved, "w4") == {}
    sure = position("wk dk a1, w1 dq b1, bk ok h8, protection w1")
    assert now(sure, "wk") == {}, "a 1 always fails: what saves on 2 saves on 2"


@pytest.mark.clause("CW-45", "CW-58", "CW-59", "CW-64", "CW-66", "CW-69", "CW-156", "CW-157")
def test_a_unit_says_how_far_it_shoots_and_what_that_needs() -> None:
    written = f"{KINGS}, w1 eb d4, w2 db c4, w3 hr a4, w4 rb f4, b1 op f5, w4>b1"
    state = position(written, phase="shooting")
    assert armed(GAME, state, "white", "w1") == {
        "longbows": {"Range": "5", "Hits on": "2+", "notes": "3+ from 3 squares on, 4+ without seeing it"}
    }
    assert armed(GAME, state, "white", "w2")["crossbows"]["notes"] == "4+ from 3 squares on", "it has to see its target"
    assert armed(GAME, state, "white", "w3") == {
        "catapult": {"Range": "7", "Scatter dice": "2", "notes": "from 2 squares on, 3 dice without seeing it"}
    }
    engaged = {"Range": "2", "Scatter dice": "1", "spent": "A unit in melee cannot shoot."}
    assert armed(GAME, state, "white", "w4") == {"plague bombs": engaged}
    shot = armed(GAME, state.with_unit("w1", shot=True), "white", "w1")["longbows"]
    assert shot["spent"] == "Each unit shoots once in a shooting phase."
    stormy = position(f"{written}, b2 oq h7, storm b2", phase="shooting")
    assert armed(GAME, stormy, "white", "w1")["longbows"]["Hits on"] == "3+"
    assert armed(GAME, stormy, "white", "w1")["longbows"]["notes"].startswith("storm: 1 more for each further square")
    assert armed(GAME, stormy, "white", "w3")["catapult"]["Scatter dice"] == "3"


@pytest.mark.clause("CW-122", "CW-126", "CW-128", "CW-141", "CW-145", "CW-162")
def test_a_mage_says_what_his_spells_need_and_which_he_can_not_cast_now() -> None:
    state = position(f"{KINGS}, w1 eq d4, b1 op f6", phase="shooting")
    spells = armed(GAME, state, "white", "w1")
    assert spells["Healing"] == {"Range": "2", "Works on": "4+", "notes": "instant"}
    assert spells["Zap"] == {"Range": "4", "notes": "shooting"}
    assert spells["Fear"] == {"notes": "movement", "spent": ""}, "its note says when"
    spent = armed(GAME, state.with_unit("w1", cast=True), "white", "w1")
    assert {row["spent"] for row in spent.values()} == {"Each mage casts one spell a turn."}

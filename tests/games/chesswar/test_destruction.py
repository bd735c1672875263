"""What follows a destruction: plague, generals, total massacre, the continuation move, and who stands up again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.turn import EndPhase
from companion.kit.asking import Ask, Pending
from companion.kit.game import SCREEN
from companion.kit.panels import Board
from companion.kit.questions import Faces
from tests.support.chesswar_positions import (
    KINGS,
    after,
    asked,
    by,
    campaign,
    end,
    english,
    fights,
    no,
    offered,
    on,
    position,
    refusal,
    ruled,
)
from tests.support.export_files import export
from tests.support.plain_games import posed
from tests.support.playing import clauses, options_of
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from pathlib import Path

HIT = Attack("w1", "b1")


def fight(written: str, **more: Any) -> Any:
    return position(written, phase=more.pop("phase", "combat"), **more)


@pytest.mark.clause("CW-52", "CW-53", "CW-62", "CW-54", "CW-105", "CW-96")
def test_two_who_are_struck_save_one_after_the_other_and_then_fall_together() -> None:
    state = fight(f"{KINGS}, w1 hb d2, b1 op d5, w2 hp e5, w3 hp e6, w2>b1, w3>b1", phase="shooting")
    shot = Shoot("w1", "b1")
    assert asked(state, shot, 6, 3, 1, 1) == ["hit", "melee", "opponent", "save_b1", "save_w2"]
    ruling = ruled(state, shot, 6, 3, 1, 1)
    assert set(on(ruling.outcome)) == {"wk", "bk", "w1", "w3"}
    assert english(ruling.headline) == "Destroyed: Orcs d5, Infantry e5"
    assert clauses(ruling.reasons) == ["CW-56", "CW-52", "CW-07", "CW-07", "CW-96", "CW-96"]
    only = ruled(state, shot, 6, 1, 1)
    assert set(on(state)) - set(on(only.outcome)) == {"w2"}
    assert fights(only.outcome) == {"w3>b1"}
    assert set(on(after(state, shot, 6, 3, 3, 1))) == {"wk", "bk", "w1", "w3", "b1"}


@pytest.mark.clause("CW-111", "CW-113", "CW-112", "CW-103", "CW-98")
def test_the_plague_of_one_spreads_to_all_it_fought() -> None:
    state = fight("wk hk a1, w1 hn d4, w2 hp c5, w3 up e5, bk ck h8, b1 cp d5, w1>b1, w2>b1, w3>b1")
    assert by(state, HIT, 6, 2, 2) == [
        ("attack", "white"),
        ("save_plague_w1", "white"),
        ("save_plague_w2", "white"),
        ("continuation", "white"),
    ]
    ruling = ruled(state, HIT, 6, 1, 1)
    assert set(on(ruling.outcome)) == {"wk", "bk", "w3"}
    assert english(ruling.headline) == "Destroyed: Knights d4, Infantry c5, Beastmen d5"
    assert clauses(ruling.reasons)[2:] == ["CW-96", "CW-111", "CW-07", "CW-111", "CW-07", "CW-112", "CW-96", "CW-96"]


@pytest.mark.clause("CW-111", "CW-145", "CW-148", "CW-96", "CW-Q15")
def test_a_victim_of_the_plague_may_be_healed_too_and_a_healed_carrier_spreads_none() -> None:
    state = fight("wk hk a1, w1 hn d4, w2 hq c3, bk rk h8, b1 rb d5, b2 rq f7, w1>b1")
    assert asked(state, HIT, 6, 1) == ["attack", "save_plague_w1", "heal_w1"]
    healed = after(state, HIT, 6, 1, 4, heal_w1="w2")
    assert set(on(healed)) == {"wk", "bk", "w1", "w2", "b2"}
    assert asked(state, HIT, 6, 1, 4, heal_w1="w2")[-1] == "continuation", "and then goes on"
    carrier = fight("wk hk a1, w1 hn d4, bk hk h8, b1 hq c6, b2 hp d5, b9 rq h6, contagion b9, w1>b2")
    kill = Attack("w1", "b2")
    assert asked(carrier, kill, 6, 2) == ["attack", "heal_b2", "save_plague_w1", "continuation"]
    assert asked(carrier, kill, 6, 4, heal_b2="b1") == ["attack", "heal_b2", "healing"]


@pytest.mark.clause("CW-164", "CW-165", "CW-96")
def test_the_game_ends_when_a_general_falls_unless_he_is_healed() -> None:
    state = fight("wk hk a1, w1 hn d4, bk hk d5, b1 hq e6, w1>bk")
    kill = Attack("w1", "bk")
    ruling = ruled(state, kill, 6)
    assert (ruling.outcome.winner, ruling.outcome.phase) == (("white",), "finished")
    assert english(ruling.headline).startswith("Destroyed: General")
    assert english(GAME.view(ruling.outcome, "screen").headline) == "Victory for White."
    assert clauses(ruling.reasons)[-3:] == ["CW-164", "CW-164", "CW-164"]
    assert asked(state, kill, 6) == ["attack", "heal_bk"], "and nobody goes on"
    saved = after(state, kill, 6, 4, heal_bk="b1")
    assert (saved.winner, on(saved)["bk"]) == ((), "d5")
    assert no(ruling.outcome, EndPhase()) == "CW-164"


@pytest.mark.clause("CW-166", "CW-164")
def test_the_first_general_to_fall_loses_though_the_other_dies_of_his_plague() -> None:
    state = fight("wk hk d4, bk ck d5, w1 hq h1, contagion b1, b1 cq h8, wk>bk")
    ruling = ruled(state, Attack("wk", "bk"), 6, 1)
    assert set(on(ruling.outcome)) == {"w1", "b1"}
    assert ruling.outcome.winner == ("white",)


@pytest.mark.clause("CW-131", "CW-164", "CW-Q15")
def test_raise_dead_does_not_save_a_general() -> None:
    state = fight("wk hk a1, w1 hn d4, bk uk d5, b1 uq e6, w1>bk")
    assert after(state, Attack("w1", "bk"), 5, 1, raise_bk="b1").winner == ("white",)


@pytest.mark.clause("CW-131", "CW-96")
def test_a_mage_who_falls_at_the_same_time_raises_nobody() -> None:
    state = fight("wk rk a1, w1 rb c2, bk uk h8, b1 uq c5, w2 rp c4, w3 rr b5, w2>b1, w3>b1", phase="shooting")
    bomb = Bombard("w1", "c4")
    assert "raise_w2" not in asked(state, bomb, 5, 1, 1)
    assert "raise_w2" in asked(state, bomb, 5, 1, 6), "as long as he stands he does"


@pytest.mark.clause("CW-173", "CW-174", "CW-176", "CW-177", "CW-181")
def test_in_a_massacre_an_army_fights_on_without_its_general() -> None:
    state = fight("wk hk a1, w1 hn d4, w2 hp c2, bk ok d5, b1 op e6, b2 on e4, w1>bk, w1>b2", massacre=True)
    ruling = ruled(state, Attack("w1", "bk"), 6)
    after_it = ruling.outcome
    assert (after_it.winner, after_it.leaderless) == ((), ("black",))
    assert "CW-174" in clauses(ruling.reasons)
    black = after_it.but(active=1, phase="movement")
    assert asked(black.disengage("b2"), Charge("b2", "w1"), 6) == ["save_b2"], "every enemy is dreadful to it"
    killed = black.but(phase="combat").with_unit("w1", type="human_infantry")
    assert asked(killed, Attack("b2", "w1"), 6, 1) == ["attack", "save_w1"], "and who wins goes no farther"
    last = after_it.with_unit("b1", on_board=False, square=None).with_unit("w1", attacked=False)
    assert after(last, Attack("w1", "b2"), 6).winner == ("white",)


@pytest.mark.clause("CW-177")
def test_an_army_without_its_general_shoots_at_nothing_that_the_shooter_does_not_see() -> None:
    written = "wk hk a1, w1 hb d2, w2 hr b2, w3 hp d3, w4 hp b4, bk ok h8, b1 op d5, b2 op b7"
    for leaderless, allowed in (((), True), (("white",), False)):
        state = fight(written, phase="shooting", massacre=True, leaderless=leaderless)
        for action in (Shoot("w1", "b1"), Bombard("w2", "b7")):
            if allowed:
                assert ruled(state, action, *([1] if action.unit == "w1" else [4, 4, 4])).outcome.unit(action.unit).shot
            else:
                assert no(state, action) == "CW-177"
        assert bool({"w1"} & {offer.on for offer in offered(state, "shoot")}) is allowed


@pytest.mark.clause("CW-173", "CW-166", "CW-111")
def test_when_both_armies_are_wiped_out_the_first_to_go_has_lost() -> None:
    state = fight("w1 hp d4, b1 cp d5, w1>b1", massacre=True)
    ruling = ruled(state, HIT, 6, 1)
    assert on(ruling.outcome) == {}
    assert ruling.outcome.winner == ("white",)


@pytest.mark.clause("CW-179", "CW-166")
def test_partners_win_at_once_when_both_enemy_generals_are_gone() -> None:
    state = fight("wk hk a1, w1 hn d4, rk ek l1, bk ok d5, b1 op e9, uk ck l12, w1>bk", sides="teams")
    first = after(state, Attack("w1", "bk"), 6)
    assert (first.winner, first.leaderless) == ((), ("black",))
    both = after(state.but(leaderless=("blue",)), Attack("w1", "bk"), 6)
    assert both.winner == ("white", "red"), "though both armies still have units"
    mutual = fight(
        "wk hk d4, w1 hp a1, rk ek l1, bk ck d5, b1 cp e9, uk ck l12, contagion b1, wk>bk",
        sides="teams",
        leaderless=("blue", "red"),
    )
    mutual = mutual.with_unit("uk", on_board=False, square=None).with_unit("rk", on_board=False, square=None)
    ended = after(mutual, Attack("wk", "bk"), 6, 1)
    assert ended.winner == ("white", "red"), "the plague that follows changes nothing"


@pytest.mark.clause("CW-181", "CW-180")
def test_an_army_with_two_generals_is_beaten_with_the_second() -> None:
    state = fight("wk hk a1, w1 hn d4, bk ok d5, b2 ok h8, w1>bk", extended_armies=True)
    ruling = ruled(state, Attack("w1", "bk"), 6)
    assert (ruling.outcome.winner, ruling.outcome.leaderless) == ((), ())
    assert "CW-181" in clauses(ruling.reasons)
    again = ruling.outcome.with_unit("b2", square="d5").with_unit("w1", attacked=False, square="d4").engage("w1", "b2")
    assert after(again, Attack("w1", "b2"), 6).winner == ("white",)


@pytest.mark.clause("CW-96", "CW-111")
def test_who_saves_against_a_plague_sees_the_board_without_its_carrier() -> None:
    state = position("wk hk a1, w1 hp d4, bk ck h8, b1 cp d5, w1>b1", phase="combat")
    with pytest.raises(Pending) as waits:
        GAME.rule(state, "white", Attack("w1", "b1"), Ask([Faces("attack", (6,), "typed")]))
    assert waits.value.question.key == "save_plague_w1"
    assert set(on(waits.value.progress)) == {"wk", "w1", "bk"}


@pytest.mark.clause("CW-96", "CW-97", "CW-103")
def test_who_is_asked_to_go_on_sees_the_board_without_whom_it_has_destroyed(tmp_path: Path) -> None:
    state = fight(f"{KINGS}, w1 hn d4, b1 op d5, b2 op e4, w1>b1")
    with open_tables(tmp_path, random.Random(1), chesswar=posed(CHESSWAR, state)) as tables:
        table = campaign(tables)

        def stands() -> set[str | None]:
            views = {seat: table.seen(seat).view for seat in ("white", "black", "rulekeeper", SCREEN)}
            found = [next(panel for panel in view.panels if isinstance(panel, Board)) for view in views.values()]
            return {next((piece.square for piece in board.pieces if piece.id == "b1"), None) for board in found}

        table.act("white", "attack", unit="w1", target="b1")
        assert stands() == {"d5"}, "nothing has happened yet"
        table.answer("white", faces=[6])
        assert [waited.seat for waited in table.seen(SCREEN).waiting] == ["white"]
        assert stands() == {None}
        copy = tables.import_(export(tables, table.id))
        brought = tables.seen(copy.table, SCREEN)
        assert "d5" not in {
            piece.square for panel in brought.view.panels if isinstance(panel, Board) for piece in panel.pieces
        }
        table.take_back("white")
        table.consent("black", yes=True)
        assert stands() == {"d5"}, "it is as it was before"


@pytest.mark.clause("CW-97", "CW-99", "CW-100", "CW-101", "CW-106", "CW-83", "CW-107", "CW-Q12", "CW-Q16")
def test_the_continuation_is_a_step_a_charge_or_nothing() -> None:
    state = fight(f"{KINGS}, w1 hn d4, b1 op d5, b2 op e4, b3 op c5, w1>b1")
    asked_for = by(state, HIT, 6)
    assert asked_for[-1] == ("continuation", "white")
    into = after(state, HIT, 6, continuation="move_in")
    assert on(into)["w1"] == "d5"
    charged = after(state, HIT, 6, continuation="b2")
    assert (on(charged)["w1"], fights(charged), charged.unit("w1").charged) == ("d4", {"w1>b2"}, "continuation")
    assert no(charged, Attack("w1", "b2")) == "CW-106"
    assert offered(charged, "attack") == []
    assert on(after(state, HIT, 6, continuation="stay"))["w1"] == "d4"
    assert asked(state.engage("w1", "b2"), HIT, 6) == ["attack"], "not while another one holds it"


@pytest.mark.clause("CW-99", "CW-100", "CW-102", "CW-38", "CW-Q16")
def test_why_one_does_not_move_in() -> None:
    corner = fight(f"{KINGS}, w1 hn d4, b1 op e5, b2 op e4, w1>b1")
    assert refusal(corner, HIT, 6, continuation="move_in").clause == "CW-100"
    catapult = fight(f"{KINGS}, w1 hr d4, b1 op d5, b2 op e4, w1>b1")
    assert refusal(catapult, HIT, 6, continuation="move_in").clause == "CW-102"
    assert fights(after(catapult, HIT, 6, continuation="b2")) == {"w1>b2"}
    strict = fight(f"{KINGS}, w1 hn d4, b1 op d5, b2 op d6, b3 op e4, w1>b1", continuation_strict=True)
    assert refusal(strict, HIT, 6, continuation="move_in").clause == "CW-Q16"


@pytest.mark.clause("CW-114", "CW-116", "CW-118", "CW-115", "CW-117", "CW-97")
def test_a_troll_that_is_knocked_over_stands_up_at_the_end_of_the_turn_or_never() -> None:
    state = fight(f"{KINGS}, w1 hn d4, b1 or d5, w1>b1")
    down = ruled(state, HIT, 6, 2, continuation="stay")
    assert english(down.headline) == "Knocked over: Trolls d5"
    assert ("b1" in on(down.outcome), fights(down.outcome)) == (False, set())
    assert down.outcome.find("b1").square == "d5"
    stood = ruled(down.outcome, EndPhase(), 3)
    assert on(stood.outcome)["b1"] == "d5"
    assert by(down.outcome, EndPhase(), 3) == [("regenerate_b1", "black")]
    assert stood.outcome.acting == ("black",)
    gone = ruled(down.outcome, EndPhase(), 2)
    assert (gone.outcome.find("b1").on_board, clauses(gone.reasons)[0]) == (False, "CW-116")
    trampled = after(state, HIT, 6, 2, continuation="move_in")
    assert (trampled.find("b1").on_board, on(trampled)["w1"]) == (False, "d5")
    assert asked(trampled, EndPhase()) == []


@pytest.mark.clause("CW-115", "CW-173", "CW-Q17")
def test_who_tramples_the_last_unit_of_an_army_has_won() -> None:
    state = fight("wk hk a1, w1 hn d4, b1 or d5, w1>b1", massacre=True, leaderless=("black",))
    ruling = ruled(state, HIT, 6, 2, continuation="move_in")
    assert ruling.outcome.winner == ("white",)
    assert english(ruling.headline) == "Destroyed: Trolls d5"
    waits = after(state, HIT, 6, 2, continuation="stay")
    assert waits.winner == (), "it may stand up again"
    assert after(waits, EndPhase(), 1).winner == ("white",)


@pytest.mark.clause("CW-118", "CW-115")
def test_on_a_real_board_players_say_who_was_trampled() -> None:
    state = fight(f"{KINGS}, w1 hn d4, b1 or d5", board="table").with_unit("b1", down=True)
    assert by(state, EndPhase(), 4, entered_b1="no") == [("entered_b1", "black"), ("regenerate_b1", "black")]
    assert "b1" in on(after(state, EndPhase(), 4, entered_b1="no"))
    entered = ruled(state, EndPhase(), entered_b1="yes")
    assert entered.outcome.find("b1").on_board is False
    assert clauses(entered.reasons)[0] == "CW-115"
    assert GAME.view(state, "white").panels
    assert options_of(offered(end(state, 4), "charge", "black")[0], "target")

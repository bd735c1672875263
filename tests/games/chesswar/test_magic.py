"""Instant spells that interrupt: who is asked what in which order, Counterspells, lock-outs, and how one is asked."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.destruction import HealEnemy
from companion.games.chesswar.game import GAME
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.chesswar.magic import Answering
from companion.games.chesswar.movement import Move
from companion.games.chesswar.spells import Cast
from companion.kit.asking import Ask
from companion.kit.game import SCREEN
from companion.kit.panels import Board
from companion.kit.questions import Choose
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
    told,
)
from tests.support.plain_games import posed
from tests.support.playing import clauses, options_of
from tests.support.toy_tables import Clock, Sitting, open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.games.chesswar.state import State

HIT = Attack("b1", "w1")
FIGHT = "w1 hp d4, b1 op d5, w1>b1"


def struck(written: str, **more: Any) -> State:
    """Black's turn to attack in a melee."""
    return position(f"{KINGS}, {FIGHT}, {written}", phase="combat", active=1, **more)


@contextmanager
def playing(folder: Path, state: State, clock: Clock | None = None, dice: str = "typed") -> Iterator[Sitting]:
    with open_tables(folder, random.Random(1), clock=clock or Clock(), chesswar=posed(CHESSWAR, state)) as tables:
        yield campaign(tables, dice)


def wait_for(table: Sitting) -> list[str]:
    return [waited.seat for waited in table.seen("screen").waiting]


@pytest.mark.clause("CW-145", "CW-146", "CW-126", "CW-27")
def test_only_the_seat_that_could_heal_is_asked(tmp_path: Path) -> None:
    with playing(tmp_path, struck("w2 hq c3, b2 oq h6")) as table:
        table.act("black", "attack", unit="b1", target="w1")
        table.answer("black", faces=[6])
        assert wait_for(table) == ["white"]
        assert table.seen("black").asked is None
        question = table.seen("white").asked
        assert question is not None
        assert isinstance(question.question, Choose)
        assert [option.value for option in question.question.options] == ["no", "w2"]
        assert english(question.question.why) == "Infantry d4, about to fall: Healing?"
        table.answer("white", value="w2")
        table.answer("white", faces=[4])
        assert wait_for(table) == ["black"], "who may counter it"
        table.answer("black", value="no")
        last = table.seen("screen").last
        assert last is not None
        assert clauses(last.reasons) == ["CW-85", "CW-86", "CW-145", "CW-145"], "and no continuation is asked for"


@pytest.mark.clause("CW-145", "CW-122", "CW-123", "CW-124")
@pytest.mark.parametrize(
    ("written", "marks"),
    [
        ("w2 hq a4", {}),
        ("w2 hq c3", {"cast": True}),
        ("w2 hb c3", {}),
        ("b2 uq e6", {}),
    ],
)
def test_who_could_not_heal_is_not_asked(written: str, marks: dict[str, bool]) -> None:
    state = struck(written).with_unit(written[:2], **marks)
    assert "heal_w1" not in asked(state, HIT, 6)
    assert "w1" not in on(after(state, HIT, 6))


@pytest.mark.clause("CW-123", "CW-122", "CW-Q19")
def test_an_instant_in_the_enemy_turn_costs_the_whole_next_own_one() -> None:
    state = struck("w2 hq c3, w3 hp a3, b3 op a4, w3>b3")
    state = after(state, HIT, 6, 4, heal_w1="w2")
    assert (state.unit("w2").cast, state.unit("w2").locked) == (True, True)
    again = Attack("b3", "w3")
    assert asked(state, again, 6) == ["attack", "continuation"], "one spell a turn"
    own = end(state)
    assert (own.acting, own.unit("w2").cast) == (("white",), False)
    assert no(own, Cast("w2", "storm")) == "CW-123"
    assert offered(own, "cast") == []
    fighting = own.but(phase="combat")
    assert "heal_w1" not in asked(fighting, Attack("w1", "b1"), 1, 1), "no instant either"
    later = end(fighting.but(phase="combat"))
    assert not later.unit("w2").locked
    assert "heal_w1" in asked(later.but(phase="combat"), HIT, 6), "and in the turn after that he is free again"
    healed = after(struck("w2 hq c3").but(active=0), Attack("w1", "b1"), 1, 1, 5, heal_w1="w2")
    assert (healed.unit("w2").cast, healed.unit("w2").locked) == (True, False), "in the own turn it costs nothing more"


@pytest.mark.clause("CW-147", "CW-129", "CW-Q21")
@pytest.mark.parametrize(("die", "lives"), [(4, True), (3, False)])
def test_a_mage_heals_himself_and_his_spells_go_on_with_him(die: int, lives: bool) -> None:
    state = position(f"{KINGS}, w1 hq d4, b1 op d5, w1>b1, storm w1, storm b1", phase="combat", active=1)
    ruling = ruled(state, HIT, 6, die, heal_w1="w1")
    assert ("w1" in on(ruling.outcome)) is lives
    assert [effect.caster for effect in ruling.outcome.effects] == (["w1", "b1"] if lives else ["b1"])
    assert ("CW-129" in clauses(ruling.reasons)) is not lives
    assert (fights(ruling.outcome) == {"w1>b1"}) is lives


@pytest.mark.clause("CW-145", "CW-147")
def test_a_mage_who_falls_at_the_same_time_heals_nobody_but_himself() -> None:
    state = position(f"{KINGS}, w1 hq d4, w2 hp c4, b1 op d5, b2 rb d7, w1>b1", phase="shooting", active=1)
    bomb = Bombard("b2", "d5")
    assert asked(state, bomb, 6, 1, 1) == ["scatter", "save_b1", "save_w1", "heal_w1"]
    both = position(
        "wk hk a1, w1 hq d4, w2 hp d5, bk ck h8, b1 op e5, b2 rb e7, w1>b1, w2>b1", phase="shooting", active=1
    )
    assert asked(both, Bombard("b2", "e5"), 6, 4, 1, 1) == [
        "scatter",
        "save_b1",
        "save_w1",
        "save_w2",
        "heal_w1",
    ]


def plague(**options: Any) -> State:
    """White's turn to attack beastmen, who carry the plague, with a mage beside it who might heal them."""
    return position("wk hk a1, w1 hp d4, w2 hq c3, bk ck h8, b1 cp d5, w1>b1", phase="combat", **options)


KILL = Attack("w1", "b1")


def badges(state: State, unit: str) -> list[str]:
    """What everybody is told of a unit on the board."""
    (board,) = (panel for panel in GAME.view(state, SCREEN).panels if isinstance(panel, Board))
    return [english(badge) for piece in board.pieces if piece.id == unit for badge in piece.badges]


@pytest.mark.clause("CW-145", "CW-Q30")
def test_healing_serves_own_units_and_nobody_is_asked_after_an_enemy_loss() -> None:
    state = plague()
    assert asked(state, KILL, 6, 6) == ["attack", "save_plague_w1", "continuation"]
    assert offered(state, "heal_enemy") == []
    refused = refusal(state, HealEnemy("w2", "b1"))
    assert (refused.clause, refused.field) == ("CW-145", "target")
    assert english(refused.text) == "At this table Healing is for units of the own side."


@pytest.mark.clause("CW-145", "CW-148", "CW-Q30")
def test_where_the_table_agreed_healing_an_enemy_is_offered_and_never_asked() -> None:
    state = plague(healing_any_side=True)
    assert asked(state, KILL, 6, 6) == ["attack", "save_plague_w1", "continuation"], "nobody is asked"
    (offer,) = offered(state, "heal_enemy")
    assert (offer.on, offer.aside, options_of(offer, "target")) == ("w2", True, ["nobody", "b1"])
    ahead = after(state, HealEnemy("w2", "b1"))
    assert offered(ahead, "heal_enemy")[0].fields[0].value == "b1"
    assert [badges(now, "w2") for now in (state, ahead)] == [[], ["heals Beastmen d5 if it falls"]], "everybody sees it"
    assert asked(ahead, KILL, 6, 4) == ["attack", "healing"], "neither the plague nor a continuation"
    healed = after(ahead, KILL, 6, 4)
    assert (set(on(healed)), healed.unit("w2").cast) == ({"wk", "w1", "w2", "bk", "b1"}, True)
    failed = after(ahead, KILL, 6, 3, 6)
    assert ("b1" in on(failed), failed.unit("w2").cast, failed.unit("w2").heals) == (False, True, None)
    ruling = ruled(ahead, HealEnemy("w2", "nobody"))
    assert asked(ruling.outcome, KILL, 6, 6) == ["attack", "save_plague_w1", "continuation"]
    assert english(ruling.headline) == "Mage c3: Healing for no enemy unit"


@pytest.mark.clause("CW-145", "CW-122", "CW-Q30")
def test_an_enemy_is_healed_only_by_a_mage_who_still_can() -> None:
    state = plague(healing_any_side=True)
    ahead = after(state, HealEnemy("w2", "b1"))
    away = ruled(ahead.with_unit("w2", square="c1"), KILL, 6, 6)
    assert "Mage c1: no Healing for Beastmen d5. Healing reaches 2 squares." in told(away.reasons)
    assert asked(ahead.with_unit("w2", cast=True), KILL, 6, 6) == ["attack", "save_plague_w1", "continuation"]
    for mark in ({"cast": True}, {"square": "c2"}):
        assert no(state.with_unit("w2", **mark), HealEnemy("w2", "b1")) in {"CW-122", "CW-145"}
    assert no(state, HealEnemy("w2", "w1")) == "CW-145", "own units are asked for"
    assert no(state, HealEnemy("w1", "b1")) == "CW-124"
    assert end(ahead, phases=1).unit("w2").heals is None, "it is over with the turn"


@pytest.mark.clause("CW-145", "CW-147", "CW-Q30")
def test_a_mage_who_falls_at_the_same_time_heals_no_enemy() -> None:
    state = position(f"{KINGS}, w1 hq d4, b1 op d5, b2 rb d7, w1>b1", phase="shooting", active=1, healing_any_side=True)
    ahead = after(state, HealEnemy("w1", "b1"), seat="white")
    assert ahead.unit("w1").heals == "b1"
    assert asked(ahead, Bombard("b2", "d5"), 6, 1, 1) == ["scatter", "save_b1", "save_w1", "heal_w1"]


@pytest.mark.clause("CW-145", "CW-Q30")
def test_odds_without_instant_spells_leave_out_whom_a_mage_is_to_heal() -> None:
    state = plague(healing_any_side=True)
    ahead = after(state, HealEnemy("w2", "b1"))
    assert GAME.foresee(ahead, "white", KILL) == GAME.foresee(state, "white", KILL)


@pytest.mark.clause("CW-145", "CW-Q30")
def test_whom_a_mage_heals_beforehand_can_be_corrected() -> None:
    state = after(plague(healing_any_side=True), HealEnemy("w2", "b1"))
    entry = next(one for one in GAME.tracked(state) if one.path == "unit.w2.heals")
    assert (entry.field.value, [one.value for one in entry.field.options]) == ("b1", ["none", "bk", "b1"])
    for value, then in (("none", None), ("bk", "bk")):
        assert GAME.correct(state, "unit.w2.heals", value, Ask()).unit("w2").heals == then
    renamed = GAME.correct(state, "unit.b1.type", "chaos_knights", Ask())
    assert renamed.find(renamed.unit("w2").heals or "") is not None, "it follows the unit"
    assert "unit.w2.heals" not in [one.path for one in GAME.tracked(plague())]


@pytest.mark.clause("CW-145")
def test_a_table_from_before_the_option_opens_without_it() -> None:
    raw = msgspec.json.encode(plague())
    assert b"heal" not in raw
    assert msgspec.json.decode(raw, type=GAME.state).options.healing_any_side is False


@pytest.mark.clause("CW-131", "CW-136", "CW-96", "CW-135", "CW-138", "CW-Q15", "CW-Q23")
def test_raise_dead_comes_after_any_healing() -> None:
    state = position(
        "wk hk a1, w1 hp d4, w2 hq c3, w3 hq e3, bk uk h8, b1 up d5, b2 uq d7, w1>b1", phase="combat", active=1
    )
    assert by(state, HIT, 6) == [
        ("attack", "black"),
        ("heal_w1", "white"),
        ("raise_w1", "black"),
        ("continuation", "black"),
    ]
    assert by(state, HIT, 6, 3, heal_w1="w2", raise_w1="b2") == [
        ("attack", "black"),
        ("heal_w1", "white"),
        ("healing", "white"),
        ("heal_w1", "white"),
        ("raise_w1", "black"),
        ("counter_b2", "white"),
    ]
    healed = after(state, HIT, 6, 4, heal_w1="w2")
    assert (on(healed)["w1"], healed.unit("b2").cast) == ("d4", False)
    raised = ruled(state, HIT, 6, raise_w1="b2")
    (new,) = raised.outcome.units[-1:]
    assert (new.id, new.type, new.side, new.square) == ("bp1", "undead_zombies", "black", "d4")
    assert (new.raised, new.engaged) == (True, False)
    assert (raised.outcome.unit("b2").cast, raised.outcome.unit("b2").locked) == (True, False)
    assert english(raised.headline) == "Infantry d4 fell and came back as Zombies (Black)"
    moved = raised.outcome.but(phase="movement")
    assert no(moved, Move("bp1", "d3")) == "CW-135"


@pytest.mark.clause("CW-131", "CW-132")
def test_a_unit_that_is_raised_is_said_to_fall_and_come_back() -> None:
    own = "wk dk a1, w1 dp d4, bk uk h8, b1 up d5, b2 uq d7, w1>b1"
    ruling = ruled(position(own, phase="combat"), Attack("w1", "b1"), 5, 1, raise_b1="b2")
    assert english(ruling.headline) == "Zombies d5 fell and came back as Zombies"
    plague = "wk hk a1, w1 ck d4, w2 cp c4, bk uk h8, b1 rb d5, b2 uq d7, w1>b1, w2>b1"
    state = position(plague, phase="combat")
    ruling = ruled(state, Attack("w1", "b1"), 6, 1, raise_b1="b2", raise_w1="no", continuation="stay")
    assert english(ruling.headline) == "Destroyed: Lord of Chaos d4. Plague monks d5 fell and came back as Zombies"
    table = position("wk dk, w1 dp, bk uk, b1 up, b2 uq, w1>b1", phase="combat", board="table")
    ruling = ruled(table, Attack("w1", "b1"), 5, 1, raise_b1="b2")
    assert english(ruling.headline) == "Zombies (Black) fell and came back as Zombies 1 (Black)"


@pytest.mark.clause("CW-138", "CW-135", "CW-83", "CW-Q23")
def test_an_own_unit_raised_out_of_its_melee_fights_on_there() -> None:
    state = position("wk dk a1, w1 dp d4, bk uk h8, b1 up d5, b2 uq d7, w1>b1", phase="combat")
    back = after(state, Attack("w1", "b1"), 5, 1, raise_b1="b2")
    assert fights(back) == {"w1>bp1"}
    assert back.unit("b2").locked
    chosen = by(state, Attack("w1", "b1"), 5, 1, raise_b1="b2")
    assert ("continuation", "white") not in chosen
    assert after(back.but(active=1), Attack("bp1", "w1"), 4).unit("bp1").attacked, "it may attack in its own phase"


@pytest.mark.clause("CW-141", "CW-142", "CW-143", "CW-144")
def test_a_chain_of_counterspells_across_two_phones(tmp_path: Path) -> None:
    state = struck("w2 hq c3, w3 hq a2, b2 oq h6, b3 oq h5")
    with playing(tmp_path, state) as table:
        table.act("black", "attack", unit="b1", target="w1")
        steps: list[tuple[str, dict[str, Any]]] = [
            ("black", {"faces": [6]}),
            ("white", {"value": "w2"}),
            ("white", {"faces": [5]}),
            ("black", {"value": "b2"}),
            ("black", {"faces": [4]}),
            ("white", {"value": "w3"}),
            ("white", {"faces": [4]}),
            ("black", {"value": "b3"}),
            ("black", {"faces": [3]}),
        ]
        for seat, answer in steps:
            assert wait_for(table) == [seat]
            table.answer(seat, **answer)
        last = table.seen("screen").last
        assert last is not None
        assert clauses(last.reasons) == [
            "CW-85",
            "CW-86",
            "CW-145",
            "CW-141",
            "CW-141",
            "CW-141",
            "CW-142",
            "CW-145",
        ]
        assert english(last.headline).endswith("the melee goes on")


@pytest.mark.clause("CW-141", "CW-142", "CW-144", "CW-Q22")
@pytest.mark.parametrize(
    ("dice", "choices", "keys", "healed"),
    [
        ((6, 4, 3), {"heal_w1": "w2", "counter_w2": "b2"}, ["counter_w2", "counter_w2"], True),
        ((6, 4, 4), {"heal_w1": "w2", "counter_w2": "b2"}, ["counter_w2", "counter_b2"], False),
        ((6, 3), {"heal_w1": "w2"}, [], False),
        (
            (6, 4, 4, 4),
            {"heal_w1": "w2", "counter_w2": "b2", "counter_b2": "w3"},
            ["counter_w2", "counter_b2", "counter_w3", "counter_w2"],
            True,
        ),
    ],
)
def test_whom_a_counterspell_is_offered_to(dice: Any, choices: Any, keys: list[str], healed: bool) -> None:
    state = struck("w2 hq c3, w3 hq a2, b2 oq h6, b3 oq h5")
    found = asked(state, HIT, *dice, **choices)
    assert [key for key in found if key.startswith("counter_")] == keys
    assert ("w1" in on(after(state, HIT, *dice, **choices))) is healed


@pytest.mark.clause("CW-141", "CW-125", "CW-122", "CW-128", "CW-149", "CW-150", "CW-159", "CW-162")
@pytest.mark.parametrize(
    ("phase", "action", "used"),
    [
        ("movement", Cast("w1", "storm"), "settled"),
        ("movement", Cast("w1", "protection"), "settled"),
        ("movement", Cast("w1", "dispel", effect="storm.b2"), "settled"),
        ("shooting", Cast("w1", "zap", target="b1"), "shot"),
    ],
)
def test_a_spell_that_is_countered_has_no_effect_and_is_spent(phase: Any, action: Any, used: str) -> None:
    state = position(f"{KINGS}, w1 hq d4, b1 op d6, b2 oq g7, storm b2", phase=phase)
    works = ruled(state, action, *((1,) if action.spell == "zap" else ()))
    spent = ruled(state, action, 4, counter_w1="b2")
    assert (spent.outcome.effects, set(on(spent.outcome))) == (state.effects, set(on(state)))
    assert (works.outcome.effects, set(on(works.outcome))) != (state.effects, set(on(state)))
    mage, counter = spent.outcome.unit("w1"), spent.outcome.unit("b2")
    assert (mage.cast, getattr(mage, used), mage.locked) == (True, True, False)
    assert (counter.cast, counter.locked) == (True, True)
    assert "CW-141" in clauses(spent.reasons)
    assert no(spent.outcome, action) == "CW-122"


@pytest.mark.clause("CW-149")
def test_dispel_names_the_spell_that_it_ends() -> None:
    state = position(f"{KINGS}, w1 hq d4, w2 hq c3, b2 oq g7, b3 oq g6, storm b2, storm b3, protection w2")
    (offer,) = (offer for offer in offered(state, "cast") if offer.given == {"unit": "w1", "spell": "dispel"})
    assert options_of(offer, "effect") == ["storm.b2", "storm.b3", "protection.w2"]
    labels = [english(option.label) for option in offer.fields[0].options]
    assert labels == ["Storm of Shaman g7", "Storm of Shaman g6", "Protection of Mage c3"]
    ended = after(state, Cast("w1", "dispel", effect="storm.b2"))
    assert [one.mark for one in ended.effects] == ["storm.b3", "protection.w2"]
    assert no(ended, Cast("w2", "dispel", effect="storm.b2")) == "CW-149"


@pytest.mark.clause("CW-141", "CW-150", "CW-151", "CW-161")
def test_a_countered_strike_and_a_countered_flight() -> None:
    state = position(f"{KINGS}, w1 oq d4, w2 op c3, b1 op d5, b2 oq g7, w1>b1", phase="combat")
    strike = Cast("w1", "strike", target="b1")
    spent = after(state, strike, 5, counter_w1="b2")
    assert ("b1" in on(spent), spent.unit("w1").attacked) == (True, True)
    assert no(spent, Attack("w1", "b1")) == "CW-83"
    assert asked(state, strike, 4) == ["counter_w1", "save_b1"], "it gives no continuation move"
    assert "b1" not in on(after(state, strike, 4))
    flying = position(f"{KINGS}, w1 oq d4, w2 op c3, b1 op d8, b2 oq g7")
    grounded = after(flying, Cast("w1", "flight", target="w2", to="d6"), 6, counter_w1="b2")
    assert on(grounded)["w2"] == "c3"
    assert after(grounded, Move("w2", "c4")).unit("w2").moved, "it still has its own move"
    assert no(grounded, Move("w1", "e4")) == "CW-35"


@pytest.mark.clause("CW-126", "CW-27")
@pytest.mark.parametrize("spell", ["healing", "counterspell", "raise_dead"])
def test_an_instant_is_an_answer_never_an_action(spell: Any) -> None:
    state = position("wk uk a1, w2 uq c3, bk uk h8, b2 uq f6")
    assert no(state, Cast("w2", spell)) == "CW-126"
    assert no(state, Cast("b2", spell), seat="black") == "CW-27"


@pytest.mark.clause("CW-126")
def test_each_side_says_how_it_likes_to_be_asked() -> None:
    state = struck("w2 hq c3")
    (offer,) = offered(state, "answering", "white")
    assert (offer.fields[0].value, [option.value for option in offer.fields[0].options]) == (
        "ask",
        ["ask", "wait", "never"],
    )
    assert english(offer.label) == "Instant spells: ask me each time"
    assert offer.aside, "a setting is no step of the game"
    assert offered(state, "answering", "black") == [], "who has no mage is never asked"
    ruling = ruled(state, Answering("never"), seat="white")
    assert english(ruling.headline) == "White says how to be asked for instant spells"
    assert ruling.quiet, "it is no step of the game"
    assert not ruled(state, HIT, 1, 6).quiet
    never = ruling.outcome
    assert "heal_w1" not in asked(never, HIT, 6)
    assert "heal_w1" in asked(never, HIT, 6, 4, heal_w1="w2"), "but what is said beforehand is heard"
    assert offered(never, "answering", "white")[0].fields[0].value == "never"
    assert "heal_w1" in asked(after(never, Answering("ask"), seat="white"), HIT, 6)


@pytest.mark.clause("CW-126", "CW-145")
def test_who_waits_only_five_seconds_says_no_by_silence(tmp_path: Path) -> None:
    clock = Clock()
    with playing(tmp_path, struck("w2 hq c3"), clock) as table:
        table.act("white", "answering", replies="wait")
        table.act("black", "attack", unit="b1", target="w1")
        table.answer("black", faces=[6])
        (waited,) = table.seen("black").waiting
        assert (waited.seat, waited.patience, waited.left) == ("white", 5, 5)
        clock.wait(5)
        table.silence("black")
        assert wait_for(table) == ["black"]
        table.answer("black", value="stay")
        last = table.seen("black").last
        assert last is not None
        assert english(last.headline) == "Destroyed: Infantry d4"

"""Corrections: every tracked value of ChessWar can be set by hand, and what comes of it can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.deployment import Ready
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move
from companion.games.chesswar.raising import ChooseArmy, RaiseArmy
from companion.games.chesswar.victory import Surrender
from companion.kit.game import RULEKEEPER, SCREEN
from companion.table.problem import Problem
from tests.support.chesswar_positions import acting, after, campaign, fights, offered, on, position
from tests.support.correction_tests import Mending
from tests.support.playing import options_of
from tests.support.toy_tables import open_tables
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.chesswar.state import State

KINGS = "wk1 hk a1, bk1 ok h8"
MELEE = f"{KINGS}, w1 hn d4, w2 hq b2, w3 hb c1, w4 hp e4, b1 ob d5, b2 op e5, b3 oq f7, b4 or c5, w1>b4, w1>b2"
GROUND = {"c3": "forest", "g7": "hill"}
SPELLS = "storm w2, protection b3"


def raising(**options: Any) -> State:
    """Both sides have an army behind their screens."""
    state = GAME.setup(GAME.options(**options), Plays()).outcome
    for side, army in (("white", "humans"), ("black", "dwarves")):
        if state.phase == "choosing":
            state = after(state, ChooseArmy(army), seat=side)
    state = after(state, RaiseArmy("humans", queen=1, knight=2, pawn=3), seat="white")
    return after(state, RaiseArmy("dwarves", rook=2, pawn=4), seat="black")


def redeploying(**options: Any) -> State:
    return after(after(raising(**options), Ready(), seat="white"), Ready(), seat="black")


BY_HAND = Mending(GAME, Plays)
correct, tracked, value_of, choices, no = (
    BY_HAND.correct,
    BY_HAND.tracked,
    BY_HAND.value_of,
    BY_HAND.choices,
    BY_HAND.no,
)

STATES: dict[str, Any] = {
    "choosing": lambda: GAME.setup(GAME.options(terrain=True), Plays()).outcome,
    "raising": raising,
    "secret": lambda: raising(race="secret", terrain=True),
    "on the table": lambda: raising(board="table"),
    "secret on the table": lambda: raising(board="table", race="secret"),
    "redeploying": redeploying,
    "movement": lambda: position(f"{MELEE}, {SPELLS}"),
    "shooting": lambda: position(f"{MELEE}, {SPELLS}", phase="shooting").but(terrain=GROUND),
    "combat": lambda: position(f"{MELEE}, {SPELLS}", phase="combat", massacre=True),
    "table": lambda: position(f"{MELEE}, {SPELLS} b1 b2", board="table", phase="combat"),
    "teams": lambda: position(
        f"{KINGS}, rk1 ck a3, uk1 uk h6, {SPELLS}, w2 hq b2, b3 oq g7, r1 rb c3, u1 up d4",
        sides="teams",
        size=12,
    ),
    "finished": lambda: position(MELEE, phase="finished", winner=("white",), leaderless=("black",)),
    "given up": lambda: after(raising(), Surrender(), seat="black"),
}


@pytest.mark.parametrize("name", STATES)
def test_setting_a_value_to_what_it_is_changes_nothing(name: str) -> None:
    BY_HAND.stays(STATES[name]())


@pytest.mark.sized
@pytest.mark.parametrize("name", STATES)
def test_any_sequence_of_corrections_leaves_a_table_that_can_be_shown_and_played(name: str, full: bool) -> None:
    for seed in range(35 if full else 3):
        BY_HAND.wander(STATES[name](), seed, check)


def check(state: State) -> None:
    """No two units stand on a square, and who fights stands and faces an enemy."""
    there = [unit.square for unit in state.units if unit.on_board and unit.square is not None]
    assert len(there) == len(set(there))
    for unit in state.units:
        assert all(unit.stands and foe.stands and state.enemies(unit, foe) for foe in state.opponents(unit))


def test_an_army_raised_again_after_a_correction_has_no_squares_where_only_the_real_board_knows_them() -> None:
    fewer = correct(raising(board="table"), "screen.white.king", "0")
    again = after(fewer, RaiseArmy("humans", queen=1, pawn=4), seat="white")
    assert [unit.square for unit in again.units] == [None] * len(again.units)


def test_a_unit_is_put_on_another_square_taken_off_and_put_back() -> None:
    state = position(MELEE)
    assert correct(state, "unit.w3.square", "c2").unit("w3").square == "c2"
    assert no(state, "unit.w3.square", "d4") == "CW-31"
    gone = correct(state, "unit.w3.square", "off")
    assert "w3" not in on(gone)
    assert value_of(gone, "unit.w3.square") == "off"
    assert [path for path in tracked(gone) if path.startswith("unit.w3.")] == ["unit.w3.square"]
    assert on(correct(gone, "unit.w3.square", "c3"))["w3"] == "c3"


def test_a_unit_that_moved_by_hand_is_not_taken_back_to_where_it_was() -> None:
    state = after(position(MELEE), Move("w3", "c3"))
    assert offered(state, "take_back")
    assert not offered(correct(state, "unit.w3.square", "b3"), "take_back")
    again = correct(correct(state, "unit.w3.settled", "false"), "unit.w3.moved", "false")
    assert "c4" in options_of(next(offer for offer in offered(again, "move") if offer.on == "w3"), "to")


@pytest.mark.clause("CW-44")
def test_who_fights_whom_is_always_mutual_and_between_enemies_side_by_side() -> None:
    state = position(MELEE, phase="combat")
    assert fights(state) == {"w1>b4", "w1>b2"}
    assert set(choices(state, "unit.w1.engaged_with")) == {"b1", "b2", "b4"}
    assert fights(correct(state, "unit.b1.engaged_with", "w1,w4")) == {"w1>b4", "w1>b2", "w1>b1", "w4>b1"}
    assert fights(correct(state, "unit.w1.engaged_with", "b1")) == {"w1>b1"}
    assert fights(correct(state, "unit.w1.engaged_with", "")) == set()
    assert fights(correct(state, "unit.w1.square", "e6")) == {"w1>b2"}
    assert fights(correct(state, "unit.w1.square", "off")) == set()
    assert fights(correct(state, "unit.b2.side", "white")) == {"w1>b4"}
    assert "unit.w3.engaged_with" not in tracked(state)


def test_on_a_real_board_anybody_may_fight_any_enemy() -> None:
    state = position(MELEE, board="table", phase="combat")
    assert choices(state, "unit.w3.engaged_with") == ["bk1", "b1", "b2", "b3", "b4"]
    assert choices(state, "unit.w3.square") == ["on", "off"]
    gone = correct(state, "unit.b2.square", "off")
    assert fights(gone) == {"w1>b4"}
    assert "b2" in on(correct(gone, "unit.b2.square", "on"))


def test_another_type_or_side_gives_a_unit_a_name_to_fit() -> None:
    state = position(f"{MELEE}, storm w2")
    assert choices(state, "unit.w2.type") == [kind.id for kind in ARMIES["humans"].unit]
    state = correct(state, "unit.w2.type", "human_catapults")
    new = state.units[3]
    assert (new.id, new.type, new.square, state.effects[0].caster) == ("wr1", "human_catapults", "b2", "wr1")
    state = correct(state, "unit.w1.type", "human_archers")
    assert fights(state) == {"wb1>b4", "wb1>b2"}
    state = correct(state, "unit.wr1.side", "black")
    assert (state.units[3].id, state.units[3].side, state.effects[0].side) == ("br1", "black", "black")


@pytest.mark.clause("CW-114", "CW-118")
def test_what_regenerates_is_knocked_over_and_put_on_its_feet() -> None:
    state = position(MELEE, phase="combat")
    assert "unit.b2.down" not in tracked(state)
    lying = correct(state, "unit.b4.down", "true")
    assert lying.find("b4").down
    assert fights(lying) == {"w1>b2"}
    assert no(lying, "unit.w3.square", "c5") == "CW-31"
    assert "b4" in on(correct(lying, "unit.b4.down", "false"))


@pytest.mark.parametrize(
    ("phase", "part", "value"),
    [
        ("movement", "settled", True),
        ("movement", "moved", True),
        ("movement", "charge_failed", True),
        ("movement", "raised", True),
        ("movement", "flying", True),
        ("movement", "cast", True),
        ("movement", "locked", True),
        ("shooting", "moved", True),
        ("shooting", "shot", True),
        ("shooting", "raised", True),
        ("combat", "attacked", True),
        ("combat", "charge_failed", True),
        ("combat", "charged", "movement"),
        ("combat", "charged", "continuation"),
    ],
)
def test_what_a_unit_did_this_turn_is_set_where_it_matters(phase: str, part: str, value: bool | str) -> None:
    state = position(MELEE, phase=phase)
    path = f"unit.w2.{part}"
    done = correct(state, path, value if isinstance(value, str) else "true")
    assert (getattr(done.unit("w2"), part), value_of(done, path)) == (value, value)
    assert correct(done, path, "no" if isinstance(value, str) else "false") == state
    assert (f"unit.b3.{part}" in tracked(state)) == (part in {"cast", "locked"})


def test_a_unit_that_is_missing_is_brought() -> None:
    state = correct(position(MELEE), "new.black", "orc_trolls")
    new = state.units[-1]
    assert (new.id, new.type, new.on_board) == ("br1", "orc_trolls", False)
    assert on(correct(state, "unit.br1.square", "g6"))["br1"] == "g6"
    assert value_of(state, "new.black") == "none"
    on_table = correct(position(MELEE, board="table"), "new.white", "human_knights")
    assert "wn1" in on(on_table)
    crowd = position(MELEE)
    while len(crowd.units) < 200:
        crowd = correct(crowd, "new.white", "human_infantry")
    assert no(crowd, "new.white", "human_infantry") == "CW-15"


@pytest.mark.clause("CW-129", "CW-130")
def test_spells_in_force_are_added_ended_and_given_to_another_mage() -> None:
    state = position(MELEE)
    assert choices(state, "spell.new") == ["none", "w2.protection", "w2.storm", "b3.protection"]
    state = correct(correct(state, "spell.new", "w2.storm"), "spell.new", "b3.protection")
    assert [(one.spell, one.side, one.caster) for one in state.effects] == [
        ("storm", "white", "w2"),
        ("protection", "black", "b3"),
    ]
    assert choices(state, "spell.1.caster") == ["w2", "b3", "over"]
    taken = correct(state, "spell.1.caster", "w2")
    assert (taken.effects[1].caster, taken.effects[1].side) == ("w2", "white")
    assert [one.spell for one in correct(state, "spell.0.caster", "over").effects] == ["protection"]
    assert [one.spell for one in correct(state, "unit.w2.square", "off").effects] == ["protection"]
    for _ in range(38):
        state = correct(state, "spell.new", "w2.storm")
    assert no(state, "spell.new", "w2.storm") == "CW-130"


@pytest.mark.clause("CW-153")
def test_on_a_real_board_it_is_said_whom_a_protection_covers() -> None:
    state = position(f"{MELEE}, protection b3", board="table")
    assert choices(state, "spell.0.covers") == ["bk1", "b1", "b2", "b4"]
    assert correct(state, "spell.0.covers", "b1,b2").effects[0].covers == ("b1", "b2")
    assert "spell.0.covers" not in tracked(position(f"{MELEE}, protection b3"))


@pytest.mark.clause("CW-174", "CW-181")
def test_who_is_without_a_general_follows_the_board_and_can_be_set() -> None:
    plain, total = position(MELEE), position(MELEE, massacre=True)
    assert correct(plain, "unit.wk1.square", "off").leaderless == ()
    lost = correct(total, "unit.wk1.square", "off")
    assert lost.leaderless == ("white",)
    assert correct(lost, "unit.wk1.square", "b1").leaderless == ()
    assert correct(lost, "unit.w3.type", "human_general").leaderless == ()
    assert correct(total, "game.leaderless.black", "true").leaderless == ("black",)
    assert correct(lost, "game.leaderless.white", "false").leaderless == ()
    assert "game.leaderless.white" not in tracked(plain)


def test_the_turn() -> None:
    state = after(position(MELEE), Move("w3", "c2"))
    assert correct(state, "game.round", "17").round == 17
    other = correct(state, "game.active", "black")
    assert (other.acting, other.phase, other.unit("w3").moved) == (("black",), "movement", False)
    assert (correct(state, "game.latest.white", "none").acted, state.acted) == ({"white": ()}, {"white": ("w3",)})
    flying = correct(state, "unit.w3.flying", "true")
    fight = correct(flying, "game.phase", "combat")
    assert (fight.phase, fight.unit("w3").moved, fight.unit("w3").flying) == ("combat", True, False)
    swapped = correct(state, "game.order", "10")
    assert (swapped.order, swapped.acting) == ((1, 0), ("white",))
    assert correct(state, "game.replies.black", "never").replies == {"black": "never"}
    assert correct(state, "army.white", "undead").armies["white"] == "undead"


def test_partners_end_a_phase_together() -> None:
    state = STATES["teams"]()
    done = correct(state, "game.done.red", "true")
    assert (done.done, GAME.view(done, SCREEN).to_move) == (("red",), ("white",))
    assert no(done, "game.done.white", "true") == "CW-25"
    assert correct(done, "game.done.red", "false").done == ()
    assert correct(state, "game.winner", "black").winner == ("black", "blue")
    assert "game.done.white" not in tracked(position(MELEE))


def test_who_won_and_that_nobody_did() -> None:
    won = correct(position(MELEE), "game.winner", "black")
    assert (won.winner, won.phase, list(tracked(won))) == (("black",), "finished", ["game.winner"])
    again = correct(STATES["finished"](), "game.winner", "none")
    assert (again.winner, again.leaderless, again.phase) == ((), (), "combat")
    early = correct(STATES["given up"](), "game.winner", "none")
    assert (early.phase, acting(early)) == ("raising", "white")


@pytest.mark.clause("CW-164", "CW-173")
def test_a_game_that_goes_on_after_its_end_says_who_has_to_be_put_back() -> None:
    fallen = position(KINGS).with_unit("bk1", on_board=False, square=None)
    again = correct(fallen.but(phase="finished", winner=("white",), leaderless=("black",)), "game.winner", "none")
    lacks = ["Black has no general and cannot lose: put one back by hand."]
    assert [BY_HAND.advised(again, seat) for seat in ("white", "black", RULEKEEPER, SCREEN)] == [lacks] * 4
    assert BY_HAND.advised(correct(again, "unit.bk1.square", "h7")) == []
    alone = fallen.but(options=GAME.options(massacre=True), leaderless=("black",), phase="finished")
    again = correct(alone.but(winner=("white",)), "game.winner", "none")
    assert BY_HAND.advised(again) == ["As the board stands White has won: to play on, put units back by hand."]
    assert BY_HAND.advised(correct(again, "unit.bk1.square", "h7")) == []
    assert BY_HAND.advised(position(MELEE)) == []


@pytest.mark.clause("CW-168")
def test_terrain() -> None:
    state = position(MELEE).but(terrain=GROUND)
    assert [path for path in tracked(state) if path.startswith("terrain.")] == [
        "terrain.forest.1",
        "terrain.forest.2",
        "terrain.hill.1",
        "terrain.hill.2",
    ]
    assert correct(state, "terrain.forest.1", "a5").terrain == {"a5": "forest", "g7": "hill"}
    assert correct(state, "terrain.hill.1", "off").terrain == {"c3": "forest"}
    assert correct(state, "terrain.hill.2", "b3").terrain == {"b3": "hill", "c3": "forest", "g7": "hill"}
    assert no(state, "terrain.hill.2", "c3") == "CW-168"
    assert not [path for path in tracked(position(MELEE)) if path.startswith("terrain.")]


@pytest.mark.clause("CW-20", "CW-23")
def test_who_is_ready() -> None:
    state = raising()
    ready = correct(state, "ready.white", "true")
    assert (ready.ready, GAME.view(ready, SCREEN).to_move) == (("white",), ("black",))
    assert no(ready, "ready.black", "true") == "CW-20"
    assert correct(ready, "ready.white", "false").ready == ()
    state = redeploying()
    first, second = state.ready[0], next(side for side in state.sides if side not in state.ready)
    begun = correct(state, f"ready.{second}", "true")
    assert (begun.phase, begun.acting, begun.ready) == ("movement", (first,), ())
    turned = correct(state, "game.order", "".join(map(str, reversed(state.order))))
    assert (turned.ready, turned.phase) == ((second,), "redeploying")
    assert correct(state, "game.phase", "combat").phase == "combat"


@pytest.mark.clause("CW-11", "CW-18")
def test_an_army_before_it_is_seen() -> None:
    chosen = correct(GAME.setup(GAME.options(), Plays()).outcome, "army.white", "orcs")
    assert (chosen.armies, chosen.phase) == ({"white": "orcs"}, "choosing")
    assert correct(chosen, "army.black", "elves").phase == "raising"
    back = correct(raising(), "army.white", "none")
    assert (back.phase, {unit.side for unit in back.units}) == ("choosing", {"black"})
    like = correct(raising(), "army.white", "dwarves")
    assert sorted(unit.type for unit in like.units if unit.side == "white") == [
        "dwarf_infantry",
        "dwarf_infantry",
        "dwarf_infantry",
        "dwarf_runelord",
        "dwarf_warlord",
    ]


@pytest.mark.clause("CW-18", "CW-20")
def test_what_stands_behind_a_screen_is_set_square_by_square_or_by_piece() -> None:
    state = raising()
    king = next(unit.square for unit in state.units if unit.type == "human_general")
    free = next(square for square in ("a1", "h1") if state.at(square) is None)
    state = correct(state, f"screen.white.{free}", "human_catapults")
    assert state.at(free).type == "human_catapults"
    state = correct(state, f"screen.white.{king}", "none")
    assert not any(unit.type == "human_general" for unit in state.units)
    state = raising(board="table")
    state = correct(state, "screen.black.pawn", "6")
    assert sum(unit.type == "dwarf_infantry" for unit in state.units) == 6
    state = correct(state, "screen.black.rook", "1")
    assert sum(unit.type == "dwarf_catapults" for unit in state.units) == 1
    secret = raising(board="table", race="secret")
    assert correct(secret, "screen.black.knight", "3") == secret


@pytest.mark.clause("CW-18", "CW-20")
def test_what_is_listed_before_the_armies_are_seen_does_not_depend_on_them() -> None:
    for options in ({}, {"race": "secret"}, {"board": "table"}, {"board": "table", "race": "secret"}):
        state = raising(**options)
        bare = state.but(units=tuple(unit for unit in state.units if unit.side == "black"))
        other = "elves" if options.get("race") == "secret" else "humans"
        bare = bare.but(armies={**state.armies, "white": other})
        assert public(bare) == public(state)
        secret = {entry.secret_of for entry in GAME.tracked(state) if entry.path.startswith("screen.white")}
        assert secret == {"white"}
        assert tracked(state)["army.white"].secret_of == ("white" if "race" in options else None)


def public(state: State) -> bytes:
    """What others get of the list: without the values that are a secret of White's."""
    return msgspec.json.encode(
        [
            msgspec.structs.replace(entry, field=msgspec.structs.replace(entry.field, value=None))
            if entry.secret_of == "white"
            else entry
            for entry in GAME.tracked(state)
        ]
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screen.white.a1", "orc_trolls"),
        ("screen.white.e4", "none"),
        ("army.white", "martians"),
        ("nothing", "1"),
        ("ready.red", "true"),
        ("unit.wk1.square", "e4"),
        ("game.round", "2"),
        ("", ""),
    ],
)
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, path: str, value: str) -> None:
    with open_tables(tmp_path, chesswar=GAME) as tables:
        sitting = campaign(tables)
        for side, army in (("white", "humans"), ("black", "orcs")):
            sitting.act(side, "choose_army", army=army)
        sitting.act("white", "raise_army", army="humans", pawn=3)
        before = sitting.seen("screen").version
        with pytest.raises(Problem) as refused:
            sitting.correct("rulekeeper", path, value)
        assert (refused.value.status, sitting.seen("screen").version) == (400, before)


def test_a_correction_does_not_touch_the_turn() -> None:
    state = after(position(MELEE), Move("w3", "c2"))
    corrected = correct(state, "unit.b1.square", "a6")
    assert (corrected.acting, corrected.round, corrected.phase) == (("white",), 1, "movement")
    assert corrected.unit("w3").settled

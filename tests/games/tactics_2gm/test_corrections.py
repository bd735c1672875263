"""Corrections: every tracked value of 2GM Tactics can be set by hand, and what comes of it can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.tactics_2gm import players, victory
from companion.games.tactics_2gm.deployment import Deploy
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.movement import Move
from companion.games.tactics_2gm.options import grid
from companion.games.tactics_2gm.start import Ready
from companion.games.tactics_2gm.state import Attached, Mark, Natural, State, Token
from companion.games.tactics_2gm.turn import EndPhase
from companion.games.tactics_2gm.victory import Surrender
from companion.kit.decks import FACE_DOWN, without
from companion.kit.game import SCREEN
from companion.table.problem import Problem
from tests.support.correction_tests import Mending
from tests.support.plain_games import posed
from tests.support.sizes import some
from tests.support.tactics_2gm_positions import Scripted, after, battle, battlefield, code, offered, table
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from pathlib import Path


UNITS = (
    "a1 light_infantry d1 +grenade +prone, a2 m4_sherman e2 1w +mg_1 +smoke_grenade, a3 fighter_plane, "
    "a4 heavy_infantry c2 +hmg, x1 tiger d6, x2 flak_gun e5 1w, x3 light_infantry d4, x4 command_group b6"
)
OFF_BOARD = (
    "a1 light_infantry +grenade, a2 m4_sherman 1w +mg_1, a3 fighter_plane, x1 tiger, x2 flak_gun, x3 light_infantry"
)
FOUR = "a1 light_infantry d1, b1 m4_sherman e2, x1 heavy_infantry d6 +mortar, y1 light_infantry e5 2w"
HELD = {"allies": "medic half_track bomber_plane shovel", "axis": "tiger medic shovel"}
GROUNDS = "house d4 axis, wall c2 allies"


def laid(**options: Any) -> State:
    """Decks are ready and the bids are made: the Allies start, both lay terrain."""
    state = table(**options)
    for seat in state.seats:
        last = seat == state.seats[-1]
        bids = {"bid_allies": "4", "bid_axis": "3", "first": "allies"}
        state = after(state, Ready(), *((9, 2) if last else ()), seat=seat, **(bids if last else {}))
    return state


def dealt(**options: Any) -> State:
    """The terrain lies, the first hands are dealt."""
    state = laid(**options)
    for side in ("allies", "axis"):
        state = after(state, Ready(), seat=state.leader(side))
    return state


def fighting(phase: Any = "fire", written: str = UNITS, **more: Any) -> State:
    """A battle in which much has happened: a tiger is lost, a shovel lies under a1, x3 is in the mud."""
    hands = HELD | more.pop("hands", {})
    state = battle(written, phase=phase, hands=hands, **({"grounds": GROUNDS} | more))
    if not state.real:
        tiger, shovel = code(state, "axis", "tiger"), code(state, "allies", "shovel")
        state = state.with_deck("axis", hand=without(state.deck("axis").hand, [tiger]), discard=(tiger,))
        state = state.with_deck("allies", hand=without(state.deck("allies").hand, [shovel]))
        state = state.with_unit("a1", cards=(Attached(shovel, "allies"),))
    return state.with_unit("x3", marks=(Mark("mud", "allies", (1, 0)),))


BY_HAND = Mending(GAME, Scripted)
correct, tracked, value_of, choices, no = (
    BY_HAND.correct,
    BY_HAND.tracked,
    BY_HAND.value_of,
    BY_HAND.choices,
    BY_HAND.no,
)

STATES: dict[str, Any] = {
    "decks": table,
    "decks of four": lambda: table(players="four"),
    "terrain": laid,
    "terrain of three": lambda: laid(players="three"),
    "first hands": dealt,
    "real first hands": lambda: dealt(cards="real", board="table"),
    "headquarters": lambda: fighting("headquarters"),
    "movement": lambda: fighting("movement"),
    "deployment": lambda: fighting("deployment"),
    "fire": lambda: fighting().with_unit("x1", shot_by=("a1",)).but(natural={"a3": Natural("forest", "difficult")}),
    "discard": lambda: fighting("discard", hands={"allies": "shovel medic medic" + " light_infantry" * 6}),
    "scenario": lambda: fighting(mode="scenario", time_limit_minutes=90),
    "table": lambda: fighting(
        written=OFF_BOARD,
        board="table",
        cards="real",
        grounds="house axis, wall allies",
    ),
    "four": lambda: battle(FOUR, players="four", phase="movement"),
    "two copies": lambda: battle(FOUR, players="four", copies="two", phase="fire"),
    "three": lambda: battle("a1 light_infantry d1, x1 light_infantry d6, y1 light_infantry e5", players="three"),
    "finished": lambda: fighting().with_hq("hq_axis", pi=0).but(phase="finished", winner="allies", how="headquarters"),
}


@pytest.mark.parametrize("name", STATES)
def test_setting_a_value_to_what_it_is_changes_nothing(name: str) -> None:
    BY_HAND.stays(STATES[name]())


@pytest.mark.sized
@pytest.mark.parametrize("name", some(STATES, every=3))
def test_every_value_can_be_set_to_each_that_it_may_have(name: str, full: bool) -> None:
    BY_HAND.each(STATES[name](), check, full=full)


@pytest.mark.sized
@pytest.mark.parametrize("name", STATES)
def test_any_sequence_of_corrections_leaves_a_table_that_can_be_shown_and_played(name: str, full: bool) -> None:
    for seed in range(4 if full else 1):
        BY_HAND.wander(STATES[name](), seed, check)


def check(state: State) -> None:
    """Every card is in one place."""
    for seat in state.decks:
        deck = state.deck(seat)
        held = [one.code for one in state.units if one.seat == seat]
        held += [card.code for one in state.units for card in one.cards if card.seat == seat]
        everywhere = [one for one in (*deck.pile, *deck.hand, *deck.discard, *held) if one != FACE_DOWN]
        assert len(set(everywhere)) == len(everywhere)
        assert state.real or len(everywhere) == state.rosters[seat].size or state.phase == "decks"


@pytest.mark.clause("G2-85", "G2-A32")
def test_a_unit_is_put_elsewhere_taken_out_of_play_and_brought_back() -> None:
    state = fighting("movement")
    assert correct(state, "unit.a1.square", "f3").unit("a1").square == "f3"
    assert no(state, "unit.a1.square", "d4") == "G2-85"
    gone = correct(state, "unit.a1.square", "off")
    assert (gone.find("a1"), gone.lost) == (None, {})
    assert set(gone.deck("allies").discard) == {state.unit("a1").code, state.unit("a1").cards[0].code}
    assert gone.deck("allies").discard[0] == state.unit("a1").code
    assert choices(gone, "back.allies") == ["none", "0"], "its code would tell where it stands in the roster"
    back = correct(gone, "back.allies", "0")
    new = back.units[-1]
    assert (new.code, new.square, new.seat) == (state.unit("a1").code, "a1", "allies")
    assert back.deck("allies").discard == (state.unit("a1").cards[0].code,)
    full = state.but(
        units=tuple(
            msgspec.structs.replace(state.unit("x3"), id=f"z{at}", square=square)
            for at, square in enumerate(grid(state.options).squares())
        )
    )
    assert no(full, "back.axis", choices(full, "back.axis")[1]) == "G2-85"


def test_a_unit_that_was_moved_by_hand_is_not_taken_back_to_where_it_was() -> None:
    state = after(fighting("movement"), Move("a1", "d2"))
    assert offered(state, "take_back")
    moved = correct(state, "unit.a1.square", "f3")
    assert not offered(moved, "take_back")
    again = correct(moved, "unit.a1.moved", "false")
    assert correct(state, "unit.a1.moved", "false").unit("a1").came_from is None
    assert any(offer.on == "a1" for offer in offered(again, "move"))


@pytest.mark.clause("G2-125")
def test_off_the_board_it_is_said_in_which_terrain_a_unit_stands() -> None:
    state = STATES["table"]()
    assert choices(state, "unit.a1.square") == ["on", "g1", "g2", "off"]
    inside = correct(state, "unit.a1.square", "g1")
    assert inside.occupant(inside.grounds[0]).id == "a1"
    assert no(inside, "unit.x3.square", "g1") == "G2-85"
    assert correct(inside, "ground.g1.square", "off").unit("a1").inside is None
    assert correct(inside, "unit.a1.square", "on").unit("a1").inside is None
    assert choices(state, "unit.a3.square") == ["on", "off"]


@pytest.mark.clause("G2-112", "G2-118")
def test_wounds_are_set_below_those_that_destroy() -> None:
    state = fighting()
    field = tracked(state)["unit.x1.wounds"].field
    assert (field.low, field.high) == (0, 4)
    assert correct(state, "unit.x1.wounds", "4").unit("x1").wounds == 4
    assert "unit.a3.wounds" not in tracked(state)


@pytest.mark.clause("G2-69", "G2-70", "G2-120")
def test_tokens_are_added_removed_turned_over_and_turned_back() -> None:
    state = fighting().but(turn=5)
    assert choices(state, "unit.a2.token.mg_1") == ["none", "ready", "fresh", "grey"]
    assert choices(state, "unit.a2.token.smoke_grenade") == ["none", "ready", "fresh", "grey", "works"]
    assert choices(state, "unit.a1.token.prone") == ["none", "ready"]
    assert value_of(state, "unit.a2.token.howitzer") == "none"
    assert correct(state, "unit.a2.token.howitzer", "ready").unit("a2").token("howitzer") == Token("howitzer")
    assert correct(state, "unit.a2.token.mg_1", "none").unit("a2").token("mg_1") is None
    fresh = correct(state, "unit.a2.token.mg_1", "fresh")
    assert (fresh.unit("a2").token("mg_1"), value_of(fresh, "unit.a2.token.mg_1")) == (Token("mg_1", 5), "fresh")
    grey = correct(state, "unit.a2.token.mg_1", "grey")
    assert (grey.unit("a2").token("mg_1"), value_of(grey, "unit.a2.token.mg_1")) == (Token("mg_1", 4), "grey")
    used = correct(state, "unit.a2.token.smoke_grenade", "works")
    assert used.unit("a2").token("smoke_grenade") == Token("smoke_grenade", 5, works=True)
    assert correct(used, "unit.a2.token.smoke_grenade", "ready") == state.with_unit(
        "a2", tokens=(Token("mg_1"), Token("smoke_grenade"))
    )
    # The flip phase turns back what was grey before, and leaves what turned grey in this turn.
    assert after(grey, EndPhase()).unit("a2").token("mg_1") == Token("mg_1")
    assert after(fresh, EndPhase()).unit("a2").token("mg_1") == Token("mg_1", 5)


def test_cards_and_effects_on_a_unit_are_removed() -> None:
    state = fighting()
    bare = correct(state, "unit.a1.cards", "")
    assert (bare.unit("a1").cards, bare.deck("allies").discard) == ((), (state.unit("a1").cards[0].code,))
    assert correct(state, "unit.x3.marks", "").unit("x3").marks == ()
    assert not [path for path in tracked(bare) if path == "unit.a1.cards"]


@pytest.mark.clause("G2-97", "G2-115", "G2-121", "G2-95")
def test_what_a_unit_did_in_this_turn() -> None:
    state = fighting()
    assert not [one for one in offered(correct(state, "unit.a2.fired", "w0,mg_1"), "fire") if one.on == "a2"]
    assert correct(state, "unit.x2.fired", "w0").unit("x2").fired == ("w0",)
    assert correct(state, "unit.x3.suppressed", "true").unit("x3").suppressed == "allies"
    shot = correct(state, "unit.x3.shot_by", "a2")
    assert after(shot, Fire("a2", "w0", "x3"), 1).unit("x3").suppressed is None
    assert after(correct(state, "unit.x3.shot_by", "a1"), Fire("a2", "w0", "x3"), 1).unit("x3").suppressed == "allies"
    assert correct(state, "unit.a4.set_up", "true").unit("a4").set_up
    assert "unit.a1.set_up" not in tracked(state)
    moving = fighting("movement")
    new = correct(moving, "unit.a1.deployed", "true")
    assert (new.unit("a1").deployed, [one for one in offered(new, "move") if one.on == "a1"]) == (1, [])
    assert correct(moving, "unit.a1.assaulted", "true").unit("a1").assaulted
    assert {path for path in tracked(moving) if path.startswith("unit.x3.")} == {
        "unit.x3.square",
        "unit.x3.wounds",
        "unit.x3.token.grenade",
        "unit.x3.token.prone",
        "unit.x3.marks",
        "unit.x3.fired",
        "unit.x3.suppressed",
    }


@pytest.mark.clause("G2-31", "G2-32", "G2-35")
def test_headquarters_and_generals() -> None:
    state = fighting()
    field = tracked(state)["hq.hq_axis.pi"].field
    assert (field.low, field.high) == (1, 10)
    assert correct(state, "hq.hq_axis.pi", "3").hq("hq_axis").pi == 3
    assert tracked(STATES["scenario"]())["hq.hq_axis.pi"].field.low == 0
    general = correct(state, "hq.hq_axis.general", "is.quartermaster")
    assert players.generals_income(general, "axis") == players.generals_income(state, "axis") + 1
    assert correct(general, "hq.hq_axis.general", "none") == state
    assert tracked(state)["hq.hq_axis.general"].only == "axis", "which generals he has brought is in his roster"


@pytest.mark.clause("G2-35")
def test_anybody_takes_a_general_off_whom_everybody_sees() -> None:
    state = fighting()
    assert "hq.hq_axis.led" not in tracked(state), "only its leader puts one there"
    general = correct(state, "hq.hq_axis.general", "is.quartermaster")
    entry = tracked(general)["hq.hq_axis.led"]
    assert (entry.only, entry.secret_of, entry.field.options) == (None, None, ())
    assert correct(general, "hq.hq_axis.led", "false") == state
    assert correct(general, "hq.hq_axis.led", "true") == general


@pytest.mark.clause("G2-133", "G2-137", "G2-129", "G2-41")
def test_terrain_and_natural_features() -> None:
    state = fighting()
    house = state.grounds[0]
    assert correct(state, "ground.g1.pi", "2").grounds[0].pi == 2
    ruin = correct(state, "ground.g1.ruin", "true")
    assert (ruin.grounds[0].ruin, ruin.grounds[0].pi, "ground.g1.pi" in tracked(ruin)) == (True, 0, False)
    assert correct(ruin, "ground.g1.ruin", "false").grounds[0] == house
    assert correct(state, "ground.g1.square", "h6").grounds[0].square == "h6"
    assert no(state, "ground.g1.square", "c2") == "G2-A13"
    assert [one.id for one in correct(state, "ground.g1.square", "off").grounds] == ["g2"]
    assert correct(state, "ground.g2.owner", "axis").grounds[1].owner == "axis"
    more = correct(state, "laying.axis", "3")
    assert (more.grounds[-1].square, more.grounds[-1].owner, more.grounds[-1].pi) == ("a5", "axis", 5)
    wood = correct(state, "natural.new", "b3")
    assert wood.natural == {"b3": Natural("forest")}
    assert choices(wood, "natural.b3.feature") == ["none", "forest", "hedge"]
    slow = correct(correct(wood, "natural.b3.feature", "hedge"), "natural.b3.class", "difficult")
    assert slow.natural == {"b3": Natural("hedge", "difficult")}
    assert correct(slow, "natural.b3.feature", "none") == state
    assert not [path for path in tracked(STATES["table"]()) if path.startswith("natural")]


@pytest.mark.clause("G2-A15", "G2-56")
def test_cards_are_moved_by_number_by_chance_or_face_up() -> None:
    state = fighting()
    deck = state.deck("axis")
    more = correct(state, "cards.axis.size", "3").deck("axis")
    assert (len(more.hand), len(more.pile), set(deck.hand) < set(more.hand)) == (3, len(deck.pile) - 1, True)
    fewer = correct(state, "cards.axis.size", "0").deck("axis")
    assert (fewer.hand, set(fewer.pile)) == ((), {*deck.pile, *deck.hand})
    (tiger,) = deck.discard
    assert correct(state, "cards.axis.take", "0").deck("axis").hand == tuple(sorted((*deck.hand, tiger)))
    back = correct(state, "cards.axis.discard", "").deck("axis")
    assert (back.discard, tiger in back.pile) == ((), True)
    chosen = correct(state, "cards.axis.hand", f"{deck.pile[0]},{deck.hand[0]}").deck("axis")
    assert (set(chosen.hand), deck.hand[1] in chosen.pile) == ({deck.pile[0], deck.hand[0]}, True)
    put = correct(state, "cards.axis.put", deck.hand[0]).deck("axis")
    assert (put.discard, put.hand) == ((tiger, deck.hand[0]), deck.hand[1:])
    assert correct(state, "cards.axis.put", deck.pile[0]).deck("axis").discard == (tiger, deck.pile[0])


@pytest.mark.clause("G2-122")
def test_who_has_discarded_and_is_given_more_cards_discards_again() -> None:
    state = correct(STATES["discard"](), "cards.allies.size", "6")
    assert offered(state, "end_phase")
    more = correct(state, "cards.allies.size", "9")
    assert offered(more, "discard")


def test_real_cards_are_counted_and_a_copy_that_comes_back_can_be_played_again() -> None:
    state = STATES["table"]()
    deck = state.deck("allies")
    assert correct(state, "cards.allies.size", "4").deck("allies").hand == (FACE_DOWN,) * 4
    assert len(correct(state, "cards.allies.pile", "7").deck("allies").pile) == 7
    assert correct(state, "cards.allies.nameless", "2").deck("allies").discard == (FACE_DOWN,) * 2
    assert {path for path in tracked(state) if path.startswith("cards.allies")} == {
        "cards.allies.size",
        "cards.allies.pile",
        "cards.allies.nameless",
    }
    state = state.but(phase="deployment", ap={"allies": 9, "axis": 0})
    tanks = [code(state, "allies", "light_infantry")] * 2
    for tank in tanks:
        state = after(state, Deploy(tank))
    first, second = state.units[-2:]
    lost = correct(correct(state, f"unit.{first.id}.square", "off"), "cards.allies.take", "0")
    again = after(lost, Deploy(tanks[0]))
    assert again.units[-1].code == first.code != second.code
    assert len(again.deck("allies").hand) == len(deck.hand) - 2


def test_the_turn_and_what_is_counted() -> None:
    state = fighting().with_unit("a2", tokens=(Token("mg_1", 1),)).with_unit("x3", tokens=(Token("prone", 0),))
    assert correct(state, "game.ap.allies", "42").ap == {"allies": 42, "axis": 5}
    assert correct(state, "game.phase", "headquarters").phase == "headquarters"
    assert "discard" not in choices(state, "game.phase")
    later = correct(state, "game.round", "4")
    assert (later.turn, later.unit("a2").tokens, later.unit("x3").tokens) == (
        7,
        (Token("mg_1", 7),),
        (Token("prone", 6),),
    )
    theirs = correct(state.with_unit("x2", fired=("w0",)), "game.active", "axis")
    assert (theirs.active, theirs.turn, theirs.phase, theirs.unit("x2").fired) == ("axis", 2, "headquarters", ())
    assert correct(theirs, "game.active", "allies").turn == 1
    assert correct(state, "game.lost.axis", "3").lost == {"axis": 3}
    scenario = STATES["scenario"]()
    assert correct(scenario, "game.goal.0", "true").goals == (0,)
    assert correct(scenario, "game.last_turns", "2").last_turns == 2


@pytest.mark.clause("G2-150", "G2-154", "G2-155")
def test_partners() -> None:
    state = STATES["four"]()
    assert correct(state, "game.marshal.axis", "axis_2").leader("axis") == "axis_2"
    assert correct(state, "game.ceded", "true").ceded
    done = correct(state, "game.done.allies_2", "true")
    assert (done.done, GAME.view(done, SCREEN).to_move) == (("allies_2",), ("allies_1",))
    assert no(done, "game.done.allies_1", "true") == "G2-77"
    assert correct(done, "game.done.allies_2", "false").done == ()
    assert "game.done.allies" not in tracked(fighting("movement"))


@pytest.mark.clause("G2-150")
def test_another_marshal_lets_his_pair_look_at_their_decks_again() -> None:
    """The odd point of the limit is the marshal's: a deck that was within it may be no more."""
    state = table(players="four", limit=121).but(ready=("allies_1", "allies_2", "axis_2"))
    changed = correct(state, "game.marshal.allies", "allies_2")
    assert (changed.leader("allies"), changed.ready) == ("allies_2", ("axis_2",))
    assert correct(state, "game.marshal.axis", "axis_2").ready == ("allies_1", "allies_2")


def test_who_won_and_that_nobody_did() -> None:
    won = correct(fighting(), "game.winner", "draw")
    assert (won.winner, won.phase, list(tracked(won))) == ("draw", "finished", ["game.winner"])
    again = correct(STATES["finished"](), "game.winner", "none")
    assert (again.winner, again.how, again.phase, again.hq("hq_axis").pi) == (None, None, "fire", 1)
    assert after(again, EndPhase()).winner is None
    timed = STATES["scenario"]().but(phase="finished", winner="draw", how="time", last_turns=0)
    assert correct(timed, "game.winner", "none").last_turns is None


@pytest.mark.clause("G2-24", "G2-26")
def test_a_battle_that_goes_on_after_its_end_says_what_would_end_it_again() -> None:
    state = fighting()
    state = state.with_deck("axis", pile=(), hand=())
    again = correct(state.but(phase="finished", winner="allies", how="cards"), "game.winner", "none")
    told = ["Axis: no cards left, so the battle ends. To play on, set some by hand."]
    assert [BY_HAND.advised(again, seat) for seat in ("allies", "axis", "rulekeeper", SCREEN)] == [told] * 4
    assert BY_HAND.advised(fighting()) == []
    scenario = STATES["scenario"]()
    scenario = scenario.but(goals=tuple(range(len(victory.goals(scenario)))))
    again = correct(scenario.but(phase="finished", winner="draw", how="goals"), "game.winner", "none")
    ends = "{}: all goals are reached, so the battle ends. To play on, set goals and losses by hand."
    assert BY_HAND.advised(again) == [ends.format("Allies"), ends.format("Axis")]
    for at in range(len(scenario.goals)):
        again = correct(again, f"game.goal.{at}", "false")
    assert BY_HAND.advised(again) == []
    assert scenario.scenario is not None
    passed = scenario.but(goals=(), turn=2 * scenario.scenario.turns, phase="finished", winner="draw", how="turns")
    again = correct(passed, "game.winner", "none")
    last = ["The last turn: the battle ends with it. To play on, set the round by hand."]
    assert [BY_HAND.advised(again, seat) for seat in ("allies", "axis", SCREEN)] == [last] * 3
    assert BY_HAND.advised(correct(again, "game.round", "3")) == []


@pytest.mark.parametrize("name", ["decks", "terrain", "first hands"])
def test_who_gave_up_before_the_first_turn_goes_on_where_it_stood(name: str) -> None:
    state = STATES[name]()
    given_up = after(state, Surrender(), seat="axis")
    assert given_up.phase == "finished"
    assert correct(given_up, "game.winner", "none") == state


def test_what_the_table_waits_for_before_the_first_turn() -> None:
    decks = after(table(), Ready(), seat="allies")
    assert correct(decks, "game.ready.allies", "false").ready == ()
    assert no(decks, "game.ready.axis", "true") == "G2-06"
    state = laid()
    assert (state.phase, state.laying, state.first) == ("terrain", ("allies", "axis"), "allies")
    assert correct(state, "game.lays.allies", "false").laying == ("axis",)
    assert no(correct(state, "game.lays.allies", "false"), "game.lays.axis", "false") == "G2-77"
    assert correct(state, "game.budget.axis", "9").budget["axis"] == 9
    turned = correct(state, "game.first", "axis")
    assert (turned.first, turned.laying) == ("axis", ("axis", "allies"))
    state = dealt()
    kept = correct(state, "game.hand.allies", "changed")
    assert (kept.deck("allies").kept, kept.deck("allies").mulligan) == (True, True)
    assert no(kept, "game.hand.axis", "kept") == "G2-77"
    assert correct(kept, "game.hand.allies", "looking") == state


@pytest.mark.parametrize("hidden", ["hand", "put"])
def test_what_could_be_in_a_hand_or_a_deck_only_its_player_is_shown(tmp_path: Path, hidden: str) -> None:
    path = f"cards.allies.{hidden}"
    with open_tables(tmp_path, tactics_2gm=posed(GAME, fighting())) as tables:
        sitting = battlefield(tables)
        shown = {
            seat: {entry.path for entry in tables.tracked(sitting.id, seat)}
            for seat in ("allies", "axis", "rulekeeper")
        }
        assert [seat for seat, paths in shown.items() if path in paths] == ["allies"]
        assert all("cards.allies.size" in paths for paths in shown.values())
        card = next(entry for entry in tables.tracked(sitting.id, "allies") if entry.path == path)
        value = card.field.options[1].value
        for other in ("axis", "rulekeeper"):
            with pytest.raises(Problem) as no_such:
                sitting.correct(other, path, value)
            assert (no_such.value.status, no_such.value.field) == (400, "path")
        sitting.correct("allies", path, value)

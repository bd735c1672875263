"""The turn order of the free table: who is next, who waits, who is out, and what a throw changes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import discover
from companion.games.free_table.initiative import Order
from companion.games.free_table.trackers import State
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Tracker
from companion.kit.questions import Faces
from companion.kit.ruling import Refusal
from companion.kit.text import speak

GAME: Any = discover()["free_table"]
PEOPLE = {"player_1": "Ana", "player_2": "Ben"}


def do(state: State, action: str, *faces: int, seat: str = "player_1", **rest: Any) -> State:
    """Do something, with the dice that come up one after another."""
    sent = msgspec.convert({"action": action, **rest}, GAME.actions)
    answers: list[Any] = []
    left = list(faces)
    while True:
        ask = Ask(answers)
        try:
            after: State = GAME.rule(state, seat, sent, ask).outcome
        except Pending as pending:
            if not left:
                raise
            answers.append(Faces(pending.question.key, (left.pop(0),)))
        else:
            assert not left
            return after


def table(names: str = "Goblin 1 +2, Ogre -1", **rest: Any) -> State:
    return do(State(4, people=PEOPLE), "set_order", names=names, **rest)


def named(state: State, who: str) -> str:
    """Find how a name is called in actions."""
    return {speak(row.name, str): row.id.partition(".")[2] for row in panel(state).rows}[who]


def act(state: State, action: str, who: str | None = None, *faces: int, **rest: Any) -> State:
    told = {} if who is None else {"who": named(state, who)}
    return do(state, action, *faces, tracker="t1", **told, **rest)


def panel(state: State) -> Tracker:
    found = GAME.view(state, "screen").panels[0]
    assert isinstance(found, Tracker)
    return found


def names(state: State) -> list[str]:
    return [speak(row.name, str) for row in panel(state).rows]


def order(state: State) -> Order:
    found = state.trackers[0]
    assert isinstance(found, Order)
    return found


def turn(state: State) -> tuple[int, str]:
    current = [speak(row.name, str) for row in panel(state).rows if row.current]
    return order(state).round, current[0] if current else ""


def following(state: State) -> State:
    return act(state, "next_in_order", round=order(state).round, current=order(state).current)


def begun(state: State, *, roll: bool = False, faces: tuple[int, ...] = ()) -> State:
    return act(state, "round_in_order", None, *faces, round=order(state).round, roll=roll)


def scored(**scores: int) -> State:
    """Set an order of Ana, Ben, the goblin and the ogre with scores that are typed."""
    state = table()
    for who, score in scores.items():
        state = act(state, "score_order", who.replace("_", " "), score=score)
    return state


FOUR = {"Ana": 12, "Ben": 18, "Goblin_1": 5, "Ogre": 15}


def test_players_and_typed_names_take_part_and_a_throw_for_all_puts_them_in_order() -> None:
    state = act(table(), "roll_order", None, 4, 20, 11, 11)
    # Who is typed throws first: Goblin 4 + 2, Ogre 20 - 1, Ana 11, Ben 11: a tie stands as it stood.
    assert [(one.id, one.score) for one in order(state).line] == [
        ("n2", 19),
        ("player_1", 11),
        ("player_2", 11),
        ("n1", 6),
    ]
    assert names(state) == ["Ogre", "Ana", "Ben", "Goblin 1"]


def test_of_equal_scores_the_higher_bonus_is_first() -> None:
    assert names(act(table("Slow -3, Quick +3", players=False), "roll_order", None, 16, 10)) == ["Quick", "Slow"]


def test_a_player_throws_his_own_dice_and_whoever_taps_those_of_typed_names() -> None:
    state = table()
    for who, by in (("Ben", "player_2"), ("Ogre", "player_1")):
        roll = msgspec.convert({"action": "roll_order", "tracker": "t1", "who": named(state, who)}, GAME.actions)
        with pytest.raises(Pending) as asked:
            GAME.rule(state, "player_1", roll, Ask())
        assert asked.value.question.by == by
        assert asked.value.reasons[0].text.places["who"]


def test_typed_dice_that_can_not_be_are_refused() -> None:
    roll = msgspec.convert({"action": "roll_order", "tracker": "t1", "who": "n1"}, GAME.actions)
    with pytest.raises(Refusal, match="A die shows"):
        GAME.rule(table(), "player_1", roll, Ask([Faces("dice.n1.1", (21,))]))


def test_any_dice_can_be_thrown() -> None:
    state = table("Elf", players=False, dice="d8+3")
    assert order(act(state, "roll_order", "Elf", 6)).line[0].score == 9


@pytest.mark.parametrize("dice", ["", "2x6", "3d{1=hit}", "0d6"])
def test_dice_that_give_no_number_are_refused_at_their_field(dice: str) -> None:
    with pytest.raises(Refusal) as refused:
        table(dice=dice)
    assert refused.value.field == "dice"


def test_turns_go_round_and_the_phone_of_whose_turn_it_is_knows() -> None:
    state = begun(scored(**FOUR))
    met = []
    for _ in range(5):
        met.append(turn(state))
        state = following(state)
    assert met == [(1, "Ben"), (1, "Ogre"), (1, "Ana"), (1, "Goblin 1"), (2, "Ben")]
    assert GAME.view(begun(scored(**FOUR)), "screen").to_move == ("player_2",)
    assert GAME.view(following(begun(scored(**FOUR))), "screen").to_move == ()
    assert GAME.view(scored(**FOUR), "screen").to_move == ()


def test_nobody_is_told_that_it_is_the_turn_of_a_seat_that_is_free() -> None:
    state = begun(do(State(2), "set_order"))
    assert order(state).current == "player_1"
    assert GAME.view(state, "rulekeeper").to_move == ()


def test_two_phones_at_once_go_on_once() -> None:
    state = begun(scored(**FOUR))
    with pytest.raises(Refusal, match="already there"):
        act(following(state), "next_in_order", round=1, current=order(state).current)
    with pytest.raises(Refusal, match="already there"):
        act(state, "round_in_order", round=0)


def test_who_waits_acts_when_he_likes_and_stays_there() -> None:
    state = act(begun(scored(**FOUR)), "stand_in_order", "Ben", how="waits")
    assert turn(state) == (1, "Ogre")
    state = act(following(state), "stand_in_order", "Ben", how="now")
    assert turn(state) == (1, "Ben")
    assert names(state) == ["Ogre", "Ana", "Ben", "Goblin 1"]
    assert turn(following(state)) == (1, "Goblin 1")


def test_who_waits_too_long_loses_the_turn_and_takes_part_in_the_next_round() -> None:
    state = act(begun(scored(**FOUR)), "stand_in_order", "Ben", how="waits")
    for _ in range(3):
        state = following(state)
    assert turn(state) == (2, "Ben")
    assert {one.standing for one in order(state).line} == {"in"}


def test_who_is_skipped_is_passed_over_once() -> None:
    state = following(act(begun(scored(**FOUR)), "stand_in_order", "Ogre", how="skips"))
    assert turn(state) == (1, "Ana")
    for _ in range(3):
        state = following(state)
    assert turn(state) == (2, "Ogre")


def test_who_is_out_is_dimmed_and_passed_over_until_back_in() -> None:
    state = act(begun(scored(**FOUR)), "stand_in_order", "Ben", how="out")
    assert turn(state) == (1, "Ogre")
    assert [row.spent for row in panel(state).rows] == [True, False, False, False]
    assert GAME.view(state, "screen").to_move == ()
    for _ in range(3):
        state = following(state)
    assert turn(state) == (2, "Ogre")
    back = act(state, "stand_in_order", "Ben", how="in")
    assert not any(row.spent for row in panel(back).rows)


def test_when_all_are_out_nobody_acts() -> None:
    state = begun(table("Elf", players=False))
    state = act(state, "stand_in_order", "Elf", how="out")
    assert turn(state) == (1, "")
    with pytest.raises(Refusal, match="Nobody is left"):
        following(state)
    assert {"next_in_order", "round_in_order"}.isdisjoint(offer.action for offer in GAME.offers(state, "player_1"))


def test_a_new_round_can_be_thrown_anew() -> None:
    state = following(begun(scored(**FOUR)))
    stands = begun(state)
    assert (turn(stands), names(stands)) == ((2, "Ben"), ["Ben", "Ogre", "Ana", "Goblin 1"])
    anew = begun(state, roll=True, faces=(1, 1, 20, 10))
    assert (turn(anew), names(anew)) == ((2, "Ana"), ["Ana", "Goblin 1", "Ben", "Ogre"])


def test_whoever_joins_in_play_comes_where_the_score_belongs() -> None:
    state = act(begun(scored(**FOUR)), "add_to_order", names="Wolf +1, Ben, Ogre")
    assert names(state) == ["Ben", "Ogre", "Ana", "Goblin 1", "Wolf", "Ben"]
    state = act(state, "roll_order", "Wolf", 13)
    assert names(state)[:4] == ["Ben", "Ogre", "Wolf", "Ana"]
    assert turn(state) == (1, "Ben")


def test_a_name_that_is_there_already_does_not_join() -> None:
    with pytest.raises(Refusal) as refused:
        act(table(), "add_to_order", names="Ogre +5")
    assert refused.value.field == "names"


def test_whoever_leaves_while_it_is_his_turn_hands_it_on() -> None:
    state = following(begun(scored(**FOUR)))
    state = act(state, "leave_order", "Ogre")
    assert (turn(state), names(state)) == ((1, "Ana"), ["Ben", "Ana", "Goblin 1"])
    with pytest.raises(Refusal, match="Players stay"):
        act(state, "leave_order", "Ana")


def test_hands_outrank_scores() -> None:
    state = act(scored(**FOUR), "move_in_order", "Goblin 1", way="up")
    assert names(state) == ["Ben", "Ogre", "Goblin 1", "Ana"]
    state = act(state, "score_order", "Ben", score=1)
    assert names(state) == ["Ogre", "Goblin 1", "Ana", "Ben"]
    with pytest.raises(Refusal, match="already"):
        act(state, "move_in_order", "Ben", way="down")


def test_a_player_who_goes_keeps_the_place_for_coming_back() -> None:
    state = begun(scored(**FOUR))
    away = GAME.rule(state, "player_1", msgspec.convert({"action": "sit", "name": None}, GAME.actions), Ask()).outcome
    assert names(away) == ["Ben", "Ogre", "Goblin 1"]
    away = following(following(away))
    assert turn(away) == (1, "Goblin 1")
    back = GAME.rule(away, "player_1", msgspec.convert({"action": "sit", "name": "Ana"}, GAME.actions), Ask()).outcome
    assert names(back) == ["Ben", "Ogre", "Ana", "Goblin 1"]


def test_changing_the_list_keeps_those_who_stay_as_they_are() -> None:
    state = do(begun(scored(**FOUR)), "set_order", tracker="t1", names="Ogre +4, Wolf")
    assert names(state) == ["Ben", "Ogre", "Ana", "Wolf"]
    assert [(one.bonus, one.score) for one in order(state).line if one.name == "Ogre"] == [(4, 15)]
    assert turn(state) == (1, "Ben")


def test_a_new_game_keeps_who_takes_part_and_forgets_what_they_threw() -> None:
    state = do(act(begun(scored(**FOUR)), "bonus_order", "Ana", bonus=3), "renew")
    assert turn(state) == (0, "")
    assert {one.score for one in order(state).line} == {None}
    assert {one.id: one.bonus for one in order(state).line} == {"player_1": 3, "n1": 2, "n2": -1}


def test_corrections_set_the_round_whose_turn_it_is_and_scores() -> None:
    state = begun(scored(**FOUR))
    for path, value in (("round", "7"), ("current", "n2"), ("player_1", "99")):
        assert f"t1.{path}" in {one.path for one in GAME.tracked(state)}
        state = GAME.correct(state, f"t1.{path}", value, Ask())
    assert turn(state) == (7, "Ogre")
    assert names(state) == ["Ben", "Ogre", "Ana", "Goblin 1"]


STEPS = st.tuples(
    st.sampled_from(["next", "waits", "now", "skips", "out", "in", "up", "down", "roll"]), st.integers(0, 3)
)


@given(st.lists(STEPS, max_size=30), st.integers(1, 20))
def test_whatever_is_done_nobody_is_lost_and_who_acts_is_not_out(steps: list[tuple[str, int]], face: int) -> None:
    state = begun(scored(**FOUR))
    for step, at in steps:
        who = sorted(names(state))[at]
        try:
            match step:
                case "next":
                    before = order(state).round
                    state = following(state)
                    assert order(state).round - before in {0, 1}
                case "up" | "down":
                    state = act(state, "move_in_order", who, way=step)
                case "roll":
                    state = act(state, "roll_order", who, face)
                case _:
                    state = act(state, "stand_in_order", who, how=step)
        except Refusal:
            continue
        assert sorted(names(state)) == ["Ana", "Ben", "Goblin 1", "Ogre"]
        assert all(not (row.current and row.spent) for row in panel(state).rows)

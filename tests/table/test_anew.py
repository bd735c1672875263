"""Rules that wait while people come and go, rules that never need to wait, and what only the table may say."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.free_table.game import GAME
from companion.kit.asking import Ask, Pending
from companion.kit.questions import Choose, Faces, Throw
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say, speak
from companion.table.problem import Problem
from companion.table.rule_run import RuleRun, fits
from tests.support.export_files import export
from tests.support.free_tables import Free
from tests.support.toy_game import TOY, YES_NO, Doing, Toy
from tests.support.toy_tables import Sitting, open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.tables import Tables

ANA, BEN, EVA, LEO = (f"player_{number}" for number in (1, 2, 3, 4))


class Sit(Doing, frozen=True, tag="sit"):
    """Tell who is here."""

    name: str | None = None


class Vote(Doing, frozen=True, tag="vote"):
    """Let everybody who is here choose in secret, and one of them throw first."""


class Club(Toy):
    """Toy for whoever is here: the notes of its state say who that is."""

    slug = "club"
    actions = Toy.actions | Sit | Vote

    def seated(self, _seat: str, name: str | None) -> Sit:
        return Sit(name)

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        match action:
            case Sit():
                others = {one for one in state.notes if one != seat}
                here = others if action.name is None else others | {seat}
                return Ruling(msgspec.structs.replace(state, notes=tuple(sorted(here))), say("here"), quiet=True)
            case Vote():
                questions: dict[str, Throw | Choose] = {
                    one: Choose(f"vote.{one}", say("Well?"), one, YES_NO) for one in state.notes
                }
                votes = ask.together(questions, "votes", say("Vote"))
                return Ruling(state, say("{votes}", votes=" ".join(getattr(v, "value", "") for v in votes.values())))
        ruled: Ruling[Any] = super().rule(state, seat, action, ask)
        return ruled


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path, free_table=GAME, club=Club(), toy=TOY) as found:
        yield found


@pytest.fixture
def table(tables: Tables) -> Sitting:
    """Ana, Eva and Leo throw real dice for their turn order; Ana has a 7, Eva is asked."""
    made = tables.create("free_table", "", {"seats": 5}, {}, "typed").table
    for seat, name in ((ANA, "Ana"), (EVA, "Eva"), (LEO, "Leo")):
        tables.join(made, seat, name)
    sitting = Sitting(tables, made, {})
    sitting.act(ANA, "set_order", dice="d20")
    sitting.act(ANA, "roll_order", tracker="t1")
    sitting.answer(ANA, faces=[7])
    assert asked(sitting) == {EVA}
    return sitting


def asked(table: Sitting) -> set[str]:
    return {one.seat for one in table.seen("screen").waiting}


def scores(table: Sitting) -> dict[str, Any]:
    (panel,) = table.seen("screen").view.panels
    return {row.name.places["words"]: row.value and row.value.places["count"] for row in panel.rows}


def told(table: Sitting) -> list[tuple[str, tuple[int, ...]]]:
    """What the newest line of the log tells, with its dice."""
    reasons = table.tables.report(table.id, "screen")[-1].reasons
    return [(speak(reason.text, str), reason.faces) for reason in reasons]


def release(table: Sitting, seat: str) -> None:
    table.tables.release(table.id, "rulekeeper", seat, table.key())


def test_who_joins_while_others_throw_throws_too_and_nobodys_dice_are_lost(table: Sitting) -> None:
    table.tables.join(table.id, BEN, "Ben")
    for seat, face in ((BEN, 11), (EVA, 19), (LEO, 3)):
        assert asked(table) == {seat}
        table.answer(seat, faces=[face])
    assert scores(table) == {"Eva": 19, "Ben": 11, "Ana": 7, "Leo": 3}


def test_dice_count_for_whoever_threw_them_however_many_are_asked_before(table: Sitting) -> None:
    table.answer(EVA, faces=[19])
    table.tables.join(table.id, BEN, "Ben")
    assert asked(table) == {BEN}
    table.answer(BEN, faces=[11])
    assert asked(table) == {LEO}, "Eva does not throw twice"
    table.answer(LEO, faces=[3])
    assert scores(table) == {"Eva": 19, "Ben": 11, "Ana": 7, "Leo": 3}


def test_the_dice_of_who_goes_are_told_and_count_for_nobody(table: Sitting) -> None:
    release(table, ANA)
    assert asked(table) == {EVA}
    table.answer(EVA, faces=[19])
    table.answer(LEO, faces=[3])
    assert scores(table) == {"Eva": 19, "Leo": 3}
    assert any(text.startswith("Not needed any more: the dice of") and dice == (7,) for text, dice in told(table))


def test_the_dice_of_who_comes_back_count_again(table: Sitting) -> None:
    release(table, ANA)
    table.tables.join(table.id, ANA, "Ana")
    assert asked(table) == {EVA}
    table.answer(EVA, faces=[19])
    table.answer(LEO, faces=[3])
    assert scores(table) == {"Eva": 19, "Ana": 7, "Leo": 3}
    assert not any("Not needed" in text for text, _ in told(table))


def test_when_everybody_left_to_throw_has_gone_the_throw_is_done(table: Sitting) -> None:
    release(table, EVA)
    assert asked(table) == {LEO}
    release(table, LEO)
    assert asked(table) == set()
    assert scores(table) == {"Ana": 7}
    table.act(ANA, "next_in_order", tracker="t1", round=0, current="")


def test_what_can_not_go_on_ends_with_a_line_in_the_log(table: Sitting) -> None:
    table.tables.withdraw(table.id, "rulekeeper", table.key())
    table.act(ANA, "roll_order", tracker="t1", who=EVA)
    release(table, EVA)
    assert asked(table) == set()
    line = table.tables.report(table.id, "screen")[-1]
    assert speak(line.headline, str) == "The action under way ends: That name is not on the list any more."
    assert (line.seat, line.kind) == (ANA, "undo")
    table.act(ANA, "roll_order", tracker="t1", who=LEO)
    assert asked(table) == {LEO}


def test_a_page_that_asks_the_same_as_before_may_still_answer(table: Sitting) -> None:
    page = table.seen(EVA).version
    table.tables.rename(table.id, LEO, "Leopold", table.key())
    table.tables.join(table.id, "player_5", "Uma")
    table.answer(EVA, faces=[19], seen=page)
    assert asked(table) == {LEO}


def test_the_story_so_far_tells_the_new_name_of_who_is_renamed(table: Sitting) -> None:
    table.tables.rename(table.id, EVA, "Evita", table.key())
    assert [reason.text.places["who"] for reason in table.seen("screen").story if "who" in reason.text.places] == [
        say("{words}", words="Ana"),
        say("{words}", words="Evita"),
    ]


def test_a_page_that_asks_something_else_may_not(table: Sitting) -> None:
    page = table.seen(EVA).version
    table.tables.join(table.id, BEN, "Ben")
    with pytest.raises(Problem, match="another question"):
        table.answer(BEN, faces=[19], seen=page)


def test_dice_that_were_thrown_are_not_withdrawn_alone_even_where_they_do_not_count(table: Sitting) -> None:
    release(table, ANA)
    table.tables.join(table.id, ANA, "Ana")
    release(table, ANA)
    table.tables.join(table.id, BEN, "Ben")
    with pytest.raises(Problem):
        table.tables.withdraw(table.id, ANA, table.key())
    table.tables.withdraw(table.id, "rulekeeper", table.key())
    assert any(text.startswith("Not needed any more") and dice == (7,) for text, dice in told(table))


def test_dice_laid_aside_are_taken_along_in_a_file(table: Sitting) -> None:
    release(table, ANA)
    taken = table.tables.import_(export(table.tables, table.id)).table
    again = Sitting(table.tables, taken, {})
    again.tables.join(taken, ANA, "Ana")
    for seat, face in ((EVA, 19), (LEO, 3)):
        again.answer("rulekeeper", seat=seat, faces=[face])
    assert scores(again) == {"Eva": 19, "Ana": 7, "Leo": 3}


def test_sealed_answers_stay_in_when_somebody_sits_down(tables: Tables) -> None:
    made = tables.create("club").table
    tables.join(made, "red", "Red")
    club = Sitting(tables, made, {})
    tables.join(made, "blue", "Blue")
    club.act("red", "vote")
    club.answer("red", value="no")
    release(club, "blue")
    assert speak(club.tables.report(made, "screen")[-1].headline, str) == "no", "nobody else is left to vote"
    tables.join(made, "blue", "Blue")
    club.act("red", "vote")
    club.answer("blue", value="yes")
    version = club.seen("red").version
    tables.rename(made, "blue", "Azure", club.key())
    assert asked(club) == {"red"}
    club.answer("red", value="no", seen=version)
    assert speak(club.tables.report(made, "screen")[-1].headline, str) == "yes no"


def test_a_rule_begins_once_where_companion_throws_and_is_played_again_from_its_answers() -> None:
    table = Free()
    table.do("player_1", "set_order", names=",".join(f"g{n}" for n in range(60)), dice="9d6!>2ro1", players=False)
    roll = msgspec.convert({"action": "roll_order", "tracker": "t1"}, GAME.actions)
    begun = []

    class Dice:
        """Give each throw of the action its own luck, as a table does."""

        asked: list[int]

        def __init__(self) -> None:
            self.asked = []

        def throw(self, nth: int, count: int, sides: int) -> tuple[int, ...]:
            self.asked.append(nth)
            return tuple(random.Random(nth).choices(range(1, sides + 1), k=count))

    def rule(ask: Ask) -> Ruling[Any]:
        begun.append(ask)
        ruled: Ruling[Any] = GAME.rule(table.state, "player_1", roll, ask)
        return ruled

    dice: Any = Dice()
    conversation = RuleRun(dice, "app", now=datetime(2026, 1, 1, tzinfo=UTC))
    ruled = conversation.run(rule)
    assert not isinstance(ruled, Pending)
    assert len(begun) == 1
    assert len(conversation.answers) > 200
    assert dice.asked == list(range(len(conversation.answers)))
    replay = Ask(conversation.answers)
    assert rule(replay) == ruled
    replay.finish()


@pytest.mark.parametrize(
    "other",
    [
        Throw("other", say("Roll"), ANA, 1, 6),
        Throw("roll", say("Roll"), BEN, 1, 6),
        Throw("roll", say("Roll"), ANA, 1, 20),
        Throw("roll", say("Roll"), ANA, 2, 6),
        Choose("roll", say("Roll"), ANA, YES_NO),
    ],
)
def test_dice_answer_no_other_question(other: Throw | Choose) -> None:
    dice = Faces("roll", (4,), "typed", ANA, 6)
    assert fits(Throw("roll", say("Again"), ANA, 1, 6), dice)
    assert not fits(other, dice)


def test_each_throw_of_a_turn_order_has_a_key_of_its_own() -> None:
    table = Free("Ana", "Ben")
    table.do(ANA, "set_order", dice="d20")
    roll = msgspec.convert({"action": "roll_order", "tracker": "t1"}, GAME.actions)
    with pytest.raises(Pending) as first:
        GAME.rule(table.state, ANA, roll, Ask())
    no_chance: Any = None
    conversation = RuleRun(no_chance, "typed", now=datetime(2026, 1, 1, tzinfo=UTC))
    conversation.sent = [{"faces": [7]}]
    conversation.may_answer = lambda seat: seat == ANA
    second = conversation.run(lambda ask: GAME.rule(table.state, ANA, roll, ask))
    assert isinstance(second, Pending)
    assert first.value.question.key != second.question.key
    gone = table.do(ANA, "sit", name=None).state
    with pytest.raises(Refusal, match="does not fit"):
        GAME.rule(gone, ANA, roll, Ask(conversation.answers))


@pytest.mark.parametrize(
    ("seat", "rest"), [(ANA, {"name": "Evil"}), (ANA, {"name": None}), ("rulekeeper", {"for": BEN, "name": "Ghost"})]
)
def test_who_sits_where_is_not_for_anybody_to_say(tables: Tables, seat: str, rest: dict[str, Any]) -> None:
    made = tables.create("free_table", "", {"seats": 3}).table
    tables.join(made, ANA, "Ana")
    table = Sitting(tables, made, {})
    table.act(ANA, "set_counter", each="player")
    with pytest.raises(Problem) as refused:
        table.act(seat, "sit", **rest)
    assert (refused.value.status, refused.value.field) == (403, "action")
    (panel,) = table.seen("screen").view.panels
    assert [row.name for row in panel.rows] == [say("{words}", words="Ana")]


def test_a_game_that_does_not_want_to_know_has_an_action_called_anything(tables: Tables) -> None:
    made = tables.create("toy").table
    tables.join(made, "red", "Red")
    assert Sitting(tables, made, {}).act("red", "add").headline.places == {"who": Text("red")}

"""The end of a game: who won, when it turned, what did most, whose dice were unusual; and its rematch."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.luck import luck_of_sum
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.ending import FEW_DICE, UNUSUAL, Course, Ending
from companion.table.problem import Problem
from companion.table.statistics import GameCount
from companion.table.tables import Tables
from tests.support.played_out import TableContest, play_out
from tests.support.toy_game import Toy
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.view_models import Line

POINTS = "history_of_war"
LOSSES = "two_cities"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    with open_tables(tmp_path_factory.mktemp("games"), random.Random(1), **discover()) as tables:
        yield tables


@pytest.fixture(scope="module")
def battle(games: Tables) -> TableContest:
    """A game that is won by destroying a city."""
    return play_out(games, LOSSES, 0)


@pytest.fixture(scope="module")
def war(games: Tables) -> TableContest:
    """A game that is won by points, over several rounds."""
    return play_out(games, POINTS, 1)


def ended(contest: TableContest) -> Ending:
    ending = contest.tables.ending(contest.table)
    assert ending is not None
    return ending


def went(contest: TableContest) -> Course:
    return contest.tables.course(contest.table)


def done(contest: TableContest) -> list[Line]:
    """What was done, oldest first, without what ended the game."""
    report = contest.tables.report(contest.table, SCREEN)
    return [line for line in report if line.kind == "action" and not line.undone][:-1]


def lost(line: Line) -> Counter[str]:
    """What each side lost by an entry: hits, and each unit that is gone once more."""
    harms = [harm for reason in line.reasons for harm in reason.harm]
    return Counter(side for harm in harms for side in [harm.to.side] * (harm.hits + (harm.fate == "gone")))


def test_it_says_who_won_and_by_which_clause(battle: TableContest, war: TableContest) -> None:
    for contest, clause in ((battle, "TTC-128"), (war, "HW-100")):
        ending, last = ended(contest), contest.tables.report(contest.table, SCREEN)[-1]
        assert ending.winners == (contest.state.winner,)
        assert (ending.last, ending.clause) == (last.headline, clause)
        assert ending.headline == contest.tables.seen(contest.table, SCREEN).view.headline


def test_a_battle_turns_where_one_side_lost_most_before_its_end(battle: TableContest) -> None:
    turning = went(battle).turning
    assert turning is not None
    apart = {line.seq: abs(lost(line)["white"] - lost(line)["black"]) for line in done(battle)}
    assert apart[turning.seq] == max(apart.values()) > 0
    line = next(line for line in done(battle) if line.seq == turning.seq)
    assert (turning.headline, turning.points) == (line.headline, 0)
    assert turning.side not in ended(battle).winners, "of several, one that the winners won"
    assert turning.hits + turning.units == lost(line)[turning.side]


def test_a_war_of_points_turns_where_one_side_won_most_of_them(war: TableContest) -> None:
    course = went(war)
    assert course.turning is not None
    assert course.turning.points > 0
    assert course.turning.side in SEATS_OF_WAR
    assert (course.turning.hits, course.turning.units) == (0, 0)
    won = war.state
    lead = won.victory_points(won.winner) - won.victory_points(next(s for s in SEATS_OF_WAR if s != won.winner))
    assert course.lead[-1][1] == lead


def test_how_long_it_took_is_what_the_game_counts_itself(battle: TableContest, war: TableContest) -> None:
    for contest, played in ((battle, GameCount("turn", battle.state.turn)), (war, GameCount("round", war.state.round))):
        assert contest.tables.statistics(contest.table).played == played
        assert went(contest).played == played


SEATS_OF_WAR = ("blue", "red")


def test_the_course_is_what_the_other_side_lost_more(battle: TableContest) -> None:
    course, report = went(battle).lead, battle.tables.report(battle.table, SCREEN)
    losses: Counter[str] = Counter()
    for line in report:
        losses += lost(line) if line.kind == "action" and not line.undone else Counter()
    (winner,) = ended(battle).winners
    assert course[0] == (0, 0)
    assert course[-1] == (
        sum(line.kind == "action" and not line.undone for line in report),
        losses["black" if winner == "white" else "white"] - losses[winner],
    )
    assert [at for at, _ in course] == sorted({at for at, _ in course})


def test_no_unit_did_more(battle: TableContest) -> None:
    units = battle.tables.statistics(battle.table).units
    best = went(battle).unit
    assert best in units
    assert best is not None
    assert best.dealt + best.knocked_down + best.destroyed == max(
        one.dealt + one.knocked_down + one.destroyed for one in units
    )


def test_no_dice_of_one_entry_were_less_likely(battle: TableContest) -> None:
    surprise = went(battle).surprise
    assert surprise is not None
    line = next(line for line in done(battle) if line.seq == surprise.seq)
    told = [face for reason in line.reasons for face in reason.faces]
    assert Counter(surprise.faces) <= Counter(told), "they are those that everybody read"
    sums = Counter(sum(faces) for faces in product(range(1, 7), repeat=len(surprise.faces)))
    middle = 7 * len(surprise.faces) / 2
    off = abs(sum(surprise.faces) - middle)
    as_far = sum(ways for total, ways in sums.items() if abs(total - middle) >= off)
    assert surprise.chance == Fraction(as_far, 6 ** len(surprise.faces)) <= UNUSUAL


def test_the_dice_of_one_entry_are_looked_at_together(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    for faces in ([1, 1], [6, 6, 6], [3, 4, 3, 4]):
        table.act("red", "roll", dice=len(faces), answers=[{"faces": faces}])
    table.end()
    surprise = tables.course(table.id).surprise
    assert surprise is not None
    assert (surprise.seat, surprise.faces, surprise.chance) == ("red", (6, 6, 6), Fraction(2, 216))


def test_dice_as_they_often_come_surprise_nobody(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "roll", dice=2, answers=[{"faces": [6, 5]}])
    table.end()
    assert tables.course(table.id).surprise is None


def test_what_ends_a_game_is_no_turning_point(games: Tables) -> None:
    contest = play_out(games, POINTS, 0)
    course = went(contest)
    assert [lead > 0 for _, lead in course.lead][-1], "all points came with the last step"
    assert course.turning is None


class Telling(Toy):
    """A game whose last ruling tells one seat more than everybody."""

    def rule(self, state: Any, seat: str, action: Any, ask: Any) -> Any:
        ruling = super().rule(state, seat, action, ask)
        told = (Reason(say("It is over."), "TOY-9"), Reason(say("You have it"), "TOY-1", seat="red"))
        return msgspec.structs.replace(ruling, reasons=told)


def test_what_one_seat_was_told_is_not_in_it(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=Telling()) as tables:
        table = sit(tables)
        table.act("red", "stop")
        ending = tables.ending(table.id)
        assert ending is not None
        assert ending.clause == "TOY-9"


def test_a_game_that_goes_on_again_has_no_end(games: Tables) -> None:
    contest = play_out(games, "chesswar", 0)
    assert ended(contest).winners
    games.take_back(contest.table, RULEKEEPER, contest.key())
    if games.seen(contest.table, SCREEN).consent:
        for seat in contest.roles:
            if (consent := games.seen(contest.table, seat).consent) and consent.mine_to_give:
                games.consent(contest.table, seat, yes=True, key=contest.key())
    assert not games.seen(contest.table, SCREEN).over
    assert games.ending(contest.table) is None
    with pytest.raises(Problem) as refused:
        games.course(contest.table)
    assert refused.value.status == 409


def test_nothing_that_was_taken_back_is_a_turning_point(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "roll", dice=6, answers=[{"faces": [6] * 6}])
    table.take_back("red")
    table.consent("blue", yes=True)
    table.end()
    course = tables.course(table.id)
    assert (course.turning, course.surprise, course.dice, course.rolled) == (None, None, None, False)


def test_a_table_that_was_ended_has_no_winner(table: Sitting) -> None:
    assert table.tables.ending(table.id) is None
    table.end()
    ending = table.tables.ending(table.id)
    assert ending is not None
    assert (ending.headline, ending.winners, ending.last, ending.clause) == (
        Text("This table has ended."), (), None, None,
    )  # fmt: skip
    table.end(on=False)
    assert table.tables.ending(table.id) is None


def test_dice_that_are_far_off_are_somebodys_luck(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "roll", dice=6, answers=[{"faces": [6, 6, 6, 6, 6, 5]}])
    table.end()
    course = tables.course(table.id)
    assert course.dice is not None
    assert (course.dice.seat, course.dice.count, course.dice.luck) == ("red", 6, luck_of_sum(6, 6, 35))


def test_of_two_seats_each_has_to_be_twice_as_far_off(tables: Tables) -> None:
    faces = [4, 5, 5, 5, 5, 5]
    chance = luck_of_sum(6, 6, sum(faces)).as_far
    assert UNUSUAL / 2 < chance <= UNUSUAL
    table = sit(tables, dice="typed")
    table.act("red", "roll", dice=6, answers=[{"faces": faces}])
    table.act("red", "pass")
    table.act("blue", "roll", dice=6, answers=[{"faces": [1, 2, 3, 4, 5, 6]}])
    table.end()
    assert tables.course(table.id).dice is None


@pytest.mark.parametrize(
    ("faces", "rolled"), [([1, 2, 3, 4, 5, 6], True), ([6] * (FEW_DICE - 1), False)], ids=["usual", "few"]
)
def test_usual_dice_and_few_are_nobodys(tables: Tables, faces: list[int], rolled: bool) -> None:
    assert luck_of_sum(6, 6, 21).as_far > Fraction(1, 2)
    table = sit(tables, dice="typed")
    table.act("red", "roll", dice=len(faces), answers=[{"faces": faces}])
    table.end()
    course = tables.course(table.id)
    assert (course.dice, course.rolled) == (None, rolled)


# rematches


def test_a_rematch_is_a_table_of_the_same_kind_with_the_same_people(games: Tables) -> None:
    contest = play_out(games, "pocket_tactics", 1)
    there = games.rematch(contest.table, "blue")
    assert there.seat == "blue"
    assert games.seat_of(there.table, there.token) == "blue"
    old, new = games.summary(contest.table), games.summary(there.table)
    assert [(one.seat, one.name, one.taken) for one in new.people] == [
        (one.seat, one.name, one.taken) for one in old.people
    ]
    assert games.options_now(there.table) == games.options_now(contest.table)
    assert not games.seen(there.table, SCREEN).over
    with open_tables(games.store.path.parent, random.Random(1), **discover()) as again:
        assert again.rematch(contest.table, "blue") == there, "it is remembered for good"


def test_two_requests_make_one_table_whoever_comes_first(games: Tables, war: TableContest) -> None:
    first, second = games.rematch(war.table, "blue", swap=True), games.rematch(war.table, "red")
    assert first.table == second.table
    assert games.rematch(war.table, "blue") == first
    assert games.rematch(war.table, RULEKEEPER).seat == RULEKEEPER
    told = [line for line in games.report(war.table, SCREEN) if line.headline.say == "Rematch at table {table}"]
    assert len(told) == 1


def test_swapped_people_change_places_and_their_tokens_open_nothing_else(games: Tables, war: TableContest) -> None:
    blue, red = (games.rematch(war.table, seat, swap=True) for seat in SEATS_OF_WAR)
    assert (blue.seat, red.seat) == ("red", "blue")
    names = {one.seat: one.name for one in games.summary(war.table).people}
    swapped = {one.seat: one.name for one in games.summary(blue.table).people}
    assert (swapped["red"], swapped["blue"]) == (names["blue"], names["red"])
    assert games.seats_of(blue.table, [*war.tokens.values()]) == {}, "who left his old seat has no new one"
    ending = games.ending(war.table)
    assert ending is not None
    assert ending.rematch is not None
    assert (ending.rematch.table, ending.rematch.swapped) == (blue.table, True)


def test_a_seat_that_was_handed_on_there_is_not_given_again(table: Sitting) -> None:
    table.end()
    there = table.tables.rematch(table.id, "red")
    table.tables.release(there.table, RULEKEEPER, "red", "k1")
    with pytest.raises(Problem) as refused:
        table.tables.rematch(table.id, "red")
    assert refused.value.status == 409
    table.tables.join(there.table, "red", "Zoe")
    with pytest.raises(Problem):
        table.tables.rematch(table.id, "red")


def test_whoever_sits_here_later_is_not_taken_along(table: Sitting) -> None:
    table.end()
    there = table.tables.rematch(table.id, RULEKEEPER)
    ending = table.tables.ending(table.id)
    assert ending is not None
    assert ending.rematch is not None
    assert "red" in dict(ending.rematch.seats)
    table.end(on=False)
    table.tables.release(table.id, RULEKEEPER, "red", "k1")
    table.tables.join(table.id, "red", "Mallory")
    table.end()
    with pytest.raises(Problem) as refused:
        table.tables.rematch(table.id, "red")
    assert refused.value.status == 409
    ending = table.tables.ending(table.id)
    assert ending is not None
    assert ending.rematch is not None
    assert (ending.rematch.table, "red" in dict(ending.rematch.seats)) == (there.table, False)


def test_a_seat_that_nobody_took_stays_free(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    table.end()
    there = tables.rematch(table.id, "red")
    assert {one.seat: one.taken for one in tables.summary(there.table).people}["blue"] is False
    with pytest.raises(Problem):
        tables.rematch(table.id, "blue")


def test_only_two_who_sit_there_can_swap(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    table.end()
    with pytest.raises(Problem) as refused:
        tables.rematch(table.id, "red", swap=True)
    assert (refused.value.status, refused.value.field) == (409, "swap")
    assert tables.ending(table.id).rematch is None  # type: ignore[union-attr]


@pytest.mark.parametrize(("seat", "status"), [(SCREEN, 403), ("nobody", 404)])
def test_the_shared_screen_and_who_is_no_seat_begin_none(table: Sitting, seat: str, status: int) -> None:
    table.end()
    with pytest.raises(Problem) as refused:
        table.tables.rematch(table.id, seat)
    assert refused.value.status == status


def test_a_game_that_goes_on_has_no_rematch(table: Sitting) -> None:
    with pytest.raises(Problem) as refused:
        table.tables.rematch(table.id, "red")
    assert refused.value.status == 409

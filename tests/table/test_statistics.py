"""The statistics of a table: what counts, for whom, for how long; nothing hidden, nothing that was taken back."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.luck import luck_of_face, luck_of_sum
from companion.kit.panels import Board, Phases, Piece, View
from companion.kit.ruling import Fighter, Harm, Ruling
from companion.kit.text import Text, say
from companion.table.log_chain import BEGINNING, path
from companion.table.statistics import Fought, Statistics
from companion.table.tables import Tables
from tests.support.chesswar_positions import KINGS, position
from tests.support.export_files import export
from tests.support.toy_game import Add, Bid, Hit, Toy
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.asking import Ask


def seen(table: Sitting) -> Statistics:
    return table.tables.statistics(table.id)


def dice(table: Sitting) -> dict[tuple[str | None, str | None, int], dict[int, int]]:
    """Faces that came up and how often, by seat, source and sides."""
    return {
        (one.seat, one.source, one.sides): {face.face: face.seen for face in one.faces if face.seen}
        for one in seen(table).dice
    }


def typed(table: Sitting, seat: str, action: str, *faces: list[int], **rest: Any) -> None:
    table.act(seat, action, answers=[{"faces": one} for one in faces], **rest)


# throws


def test_a_table_without_dice_has_none(table: Sitting) -> None:
    table.act("red", "add", points=3)
    found = seen(table)
    assert (found.dice, found.untold, found.units, found.steps) == ((), 0, (), 1)


def test_dice_are_counted_with_what_is_expected_exactly(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    typed(table, "red", "roll", [1, 2, 6], dice=3)
    typed(table, "red", "roll", [6, 6], dice=2)
    whole, red = seen(table).dice
    assert (whole.seat, whole.source, whole.sides, whole.count, whole.total) == (None, None, 6, 5, 21)
    assert whole.expected == Fraction(35, 2)
    assert whole.luck == luck_of_sum(5, 6, 21)
    assert [(face.face, face.seen) for face in whole.faces] == [(1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (6, 3)]
    assert {face.expected for face in whole.faces} == {Fraction(5, 6)}
    assert whole.faces[5].as_far == luck_of_face(5, 6, 3).as_far
    assert red == msgspec.structs.replace(whole, seat="red")


def test_dice_belong_to_who_threw_them_whoever_acts(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    table.answer("blue", faces=[2])
    table.answer("red", faces=[3, 4, 4])
    assert dice(table)["blue", None, 6] == {2: 1}
    assert dice(table)["red", None, 6] == {3: 1, 4: 2}
    assert dice(table)[None, None, 6] == {2: 1, 3: 1, 4: 2}


def test_the_rulekeeper_throws_for_a_free_seat(tables: Tables) -> None:
    table = sit(tables, dice="typed", seats=("blue",))
    typed(table, "rulekeeper", "roll", [5, 5], **{"for": "red"})
    assert dice(table)["red", None, 6] == {5: 2}


def test_typed_dice_and_rolled_ones_are_told_apart(tables: Tables) -> None:
    table = sit(tables, dice="ask")
    typed(table, "red", "roll", [1, 1])
    assert [(one.seat, one.source) for one in seen(table).dice] == [(None, None), ("red", None)]
    table.act("red", "roll", answers=[{"roll": True}])
    found = {(one.seat, one.source): one.count for one in seen(table).dice}
    assert found == {(None, None): 4, ("red", None): 4, (None, "app"): 2, (None, "typed"): 2}
    assert dice(table)[None, "typed", 6] == {1: 2}


def test_kinds_of_dice_are_told_apart(tmp_path: Path) -> None:
    with open_tables(tmp_path, random.Random(1)) as tables:
        table = sit(tables, mood="wild", dice="typed")
        seat = table.seen("screen").view.to_move[0]
        typed(table, seat, "roll", [4], dice=1)
        assert {one.sides: one.count for one in seen(table).dice if one.seat is None} == {2: 1, 6: 1}


def test_what_was_taken_back_does_not_count_and_what_is_repeated_does_once(table: Sitting) -> None:
    table.act("red", "roll", dice=3)
    first = dice(table)
    table.take_back("red")
    table.consent("blue", yes=True)
    assert dice(table) == {}
    assert (seen(table).undone, seen(table).steps) == (1, 0)
    table.act("red", "roll", dice=3)
    assert dice(table) == first
    assert [(spent.seat, spent.undone) for spent in seen(table).seats] == [("red", 1), ("blue", 0)]


def test_a_wish_that_is_refused_takes_nothing_back(table: Sitting) -> None:
    table.act("red", "roll", dice=3)
    table.take_back("red")
    table.consent("blue", yes=False)
    assert (seen(table).undone, seen(table).dice[0].count) == (0, 3)


def test_an_action_under_way_does_not_count_and_neither_does_one_given_up(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    table.answer("blue", faces=[2])
    assert dice(table) == {}
    tables.withdraw(table.id, "rulekeeper", table.key())
    assert dice(table) == {}
    assert (seen(table).undone, [one.undone for one in seen(table).seats]) == (1, [0, 0, 1])


def test_sealed_throws_count_when_they_are_opened(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    table.act("red", "race")
    before = seen(table)
    table.answer("red", faces=[6])
    assert msgspec.structs.replace(seen(table), version=before.version) == before
    table.answer("blue", faces=[1])
    table.answer("red", faces=[5])
    assert dice(table) == {}
    table.answer("blue", faces=[2])
    assert dice(table)["red", None, 6] == {5: 1, 6: 1}
    assert dice(table)["blue", None, 6] == {1: 1, 2: 1}


def test_a_correction_is_counted_and_throws_nothing(table: Sitting) -> None:
    table.correct("blue", "points.red", "30")
    found = seen(table)
    assert (found.corrected, found.steps, found.dice) == (1, 0, ())
    assert [(one.seat, one.corrected) for one in found.seats] == [("red", 0), ("blue", 1)]
    table.take_back("blue")
    assert seen(table).corrected == 0


def strip(tables: Tables, table: str, **instead: Any) -> None:
    """Make the log say less, or something else, of every throw."""
    with tables._store.write() as books:
        for seq, answers in books._run("select seq, answers from entries where table_id = ?", (table,)).fetchall():
            kept = [
                {**{name: value for name, value in one.items() if name not in {"by", "sides"}}, **instead}
                for one in msgspec.json.decode(answers)
            ]
            sql = "update entries set answers = ? where table_id = ? and seq = ?"
            books._run(sql, (msgspec.json.encode(kept).decode(), table, seq))
        paths, links = {0: BEGINNING}, books.links(table, 1, None)
        for link, entry in zip(links, books.entries(table, 1, len(links)), strict=True):
            came = (entry.seat, entry.action or {}, entry.answers)
            paths[link.seq] = path(paths[link.base], *came) if link.steps else paths[link.base]
            books._run("update entries set path = ? where table_id = ? and seq = ?", (paths[link.seq], table, link.seq))


@pytest.mark.parametrize(
    "instead",
    [{}, {"by": "red"}, {"sides": 6}, {"by": "red", "sides": 2}, {"by": "x", "sides": 6}, {"by": "", "sides": 6}],
)
def test_a_log_that_does_not_tell_is_told_to_do_so(tmp_path: Path, instead: dict[str, Any]) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables, dice="typed")
        typed(table, "red", "roll", [3, 4, 5], dice=3)
        strip(tables, table.id, **instead)
        assert (seen(table).dice, seen(table).untold) == ((), 3)
        assert tables.log(table.id, "red")[0].typed


def test_a_log_with_more_dice_than_can_be_worked_out_is_still_counted(tables: Tables) -> None:
    table = sit(tables, dice="typed")
    typed(table, "red", "roll", [3, 4, 5], dice=3)
    strip(tables, table.id, faces=[1] * 6000, by="red", sides=6)
    found = seen(table).dice[0]
    assert (found.count, found.total, found.luck, found.faces[0].seen) == (6000, 6000, None, 6000)
    assert {face.as_far for face in found.faces} == {None}


# hidden things


def hidden(folder: Path, seed: int) -> bytes:
    """Play the same game with other cards: hands are drawn, and one of them is bid in secret."""
    with open_tables(folder / str(seed), random.Random(seed), clock=Clock()) as tables:
        table = sit(tables, dice="typed")
        for seat in ("red", "blue"):
            table.act(seat, "draw", count=3)
            table.act(seat, "pass")
        table.act("red", "peek")
        table.act("red", "bid")
        table.answer("red", value=table.hand("red")[0])
        return msgspec.json.encode(seen(table), enc_hook=str)


def test_other_cards_change_nothing(tmp_path: Path) -> None:
    assert len({hidden(tmp_path, seed) for seed in range(4)}) == 1


class Brawl(Toy):
    """Toy where Hit wounds the other's champion, unseen by all but the striker where ``secret`` is noted.

    Add with the note ``quiet`` is what a seat sets for itself.
    """

    slug = "brawl"

    def do(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        ruling = super().do(state, seat, action, ask)
        if isinstance(action, Add) and action.note == "quiet":
            return msgspec.structs.replace(ruling, quiet=True)
        if not isinstance(action, Hit | Bid):
            return ruling
        foe = "blue" if seat == "red" else "red"
        one, other = (Fighter(f"{side}1", side, Text("champion"), "a1") for side in (seat, foe))
        gone = isinstance(action, Bid)
        told = ask.reasons[-1]
        harm = (Harm(other, 2, "gone" if gone else "hit", one),)
        told = msgspec.structs.replace(told, harm=harm, seat=seat if "secret" in state.notes else None)
        return msgspec.structs.replace(ruling, reasons=(*ruling.reasons[:-1], told))

    def view(self, state: Any, seat: str) -> View:
        shown = super().view(state, seat)
        pieces = (Piece("blue1", "blue", "king", Text("champion"), "b2"),)
        phases = Phases(say("Turn"), (Text("first"), Text("second")), int(state.turn == "blue"))
        panels = (phases, Board(say("Board"), ("a", "b"), ("1", "2"), pieces))
        return msgspec.structs.replace(shown, panels=panels)


BRAWL: Any = Brawl()


def brawl(tables: Tables) -> Sitting:
    made = tables.create("brawl", dice="typed")
    return Sitting(tables, made.table, {seat: tables.join(made.table, seat, seat) for seat in ("red", "blue")})


def strike(table: Sitting, seat: str, foe: str) -> None:
    table.act(seat, "hit")
    table.answer(foe, value="no")
    table.answer(seat, faces=[1, 1, 1])


def test_what_units_did_and_suffered_is_added_up(tmp_path: Path) -> None:
    with open_tables(tmp_path, brawl=BRAWL) as tables:
        table = brawl(tables)
        strike(table, "red", "blue")
        strike(table, "red", "blue")
        strike(table, "blue", "red")
        assert seen(table).units == (
            Fought("red1", "red", Text("champion"), "a1", "hit", dealt=4, taken=2),
            Fought("blue1", "blue", Text("champion"), "b2", "hit", dealt=2, taken=4),
        )
        table.take_back("rulekeeper")
        assert [(one.id, one.dealt, one.taken) for one in seen(table).units] == [("red1", 4, 0), ("blue1", 0, 4)]


def test_who_is_gone_is_told_unless_it_is_seen_again(tmp_path: Path) -> None:
    with open_tables(tmp_path, brawl=BRAWL) as tables:
        table = brawl(tables)
        table.act("blue", "bid")
        for seat in ("red", "blue"):
            if table.seen(seat).asked:
                table.answer(seat, value="none")
        red, blue = seen(table).units
        assert (red.id, red.taken, red.fate, red.place) == ("red1", 2, "gone", "a1")
        assert (blue.id, blue.dealt, blue.destroyed) == ("blue1", 2, 1)
        table.act("red", "bid")
        for seat in ("red", "blue"):
            if table.seen(seat).asked:
                table.answer(seat, value="none")
        assert [(one.fate, one.place) for one in seen(table).units] == [("gone", "a1"), ("hit", "b2")]


def test_what_only_one_seat_is_told_is_not_counted(tmp_path: Path) -> None:
    with open_tables(tmp_path, brawl=BRAWL) as tables:
        table = brawl(tables)
        table.act("red", "add", points=1, note="secret")
        strike(table, "red", "blue")
        assert seen(table).units == ()
        assert any(reason.harm for line in table.seen("red").log for reason in line.reasons)


# turns and time


def times(table: Sitting) -> dict[str, tuple[int, int]]:
    return {one.seat: (one.seconds, one.longest) for one in seen(table).seats}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(tmp_path: Path, clock: Clock) -> Any:
    with open_tables(tmp_path, clock=clock, brawl=BRAWL) as tables:
        yield brawl(tables)


def test_time_belongs_to_whom_the_table_waited_for(timed: Sitting, clock: Clock) -> None:
    clock.wait(60)
    timed.act("red", "add")
    clock.wait(30)
    timed.act("red", "pass")
    clock.wait(200)
    timed.act("blue", "add")
    clock.wait(10)
    timed.act("red", "hit")  # out of turn: the table waited for blue
    clock.wait(40)
    timed.answer("blue", value="no")
    timed.answer("red", faces=[1, 1, 1])
    assert times(timed) == {"red": (90, 60), "blue": (250, 200)}
    found = seen(timed)
    assert found.seconds == 340
    assert [(one.seat, one.turns, one.steps) for one in found.seats] == [("red", 1, 3), ("blue", 1, 1)]
    assert [(phase.name.say, phase.seconds) for phase in found.phases] == [("first", 90), ("second", 250)]
    assert found.stage == say("Turn")


def test_the_time_before_anybody_plays_does_not_count(timed: Sitting, clock: Clock) -> None:
    clock.wait(500)
    timed.tables.release(timed.id, "rulekeeper", "blue", timed.key())
    clock.wait(7)
    assert seen(timed).seconds == 0
    timed.act("red", "add")
    assert seen(timed).seconds == 7


def test_pauses_and_absences_are_counted_apart(timed: Sitting, clock: Clock) -> None:
    timed.act("red", "add")
    clock.wait(20)
    timed.pause(on=True)
    clock.wait(300)
    timed.dice("typed")
    clock.wait(300)
    timed.pause(on=False)
    clock.wait(15)
    timed.act("red", "add")
    assert times(timed)["red"] == (35, 35)
    assert (seen(timed).breaks, seen(timed).away) == (1, 600)
    clock.wait(9 * 3600)
    timed.act("red", "add")
    assert times(timed)["red"] == (35, 35)
    assert (seen(timed).breaks, seen(timed).away) == (2, 9 * 3600 + 600)
    clock.wait(5)
    timed.end()
    clock.wait(100)
    timed.end(on=False)
    timed.act("red", "add")
    assert (times(timed)["red"], seen(timed).breaks, seen(timed).away) == ((40, 35), 3, 9 * 3600 + 700)


def test_a_pause_counts_whatever_the_log_calls_it(timed: Sitting, clock: Clock) -> None:
    timed.act("red", "add")
    for halt in (timed.pause, timed.end):
        halt(on=True)
        clock.wait(60)
        halt(on=False)
        timed.act("red", "add")
    with timed.tables._store.write() as books:
        books._run("update entries set headline = '{\"say\":\"A rest.\"}' where kind = 'setting'", ())
    assert (seen(timed).breaks, seen(timed).away) == (2, 120)


def test_time_that_was_spent_is_not_taken_back_but_turns_are(timed: Sitting, clock: Clock) -> None:
    clock.wait(10)
    timed.act("red", "pass")
    clock.wait(10)
    timed.take_back("rulekeeper")
    clock.wait(10)
    timed.act("red", "pass")
    found = seen(timed)
    assert times(timed) == {"red": (20, 10), "blue": (10, 10), "rulekeeper": (0, 0)}
    assert [(one.seat, one.turns, one.steps, one.undone) for one in found.seats] == [
        ("red", 1, 1, 0),
        ("blue", 1, 0, 0),
        ("rulekeeper", 0, 0, 1),
    ]


def test_what_a_seat_set_after_a_step_that_was_taken_back_makes_no_turn(timed: Sitting) -> None:
    timed.act("red", "pass")
    timed.act("blue", "add", note="quiet")
    assert [(one.seat, one.turns) for one in seen(timed).seats] == [("red", 1), ("blue", 1)]
    timed.take_back("red")
    assert [(one.seat, one.turns, one.steps) for one in seen(timed).seats] == [("red", 1, 0), ("blue", 0, 0)]


def test_a_clock_that_was_set_back_takes_no_time(timed: Sitting, clock: Clock) -> None:
    clock.wait(100)
    timed.act("red", "add")
    clock.wait(-50)
    timed.act("red", "add")
    assert times(timed)["red"] == (100, 100)


def test_no_time_passes_when_the_game_is_over(timed: Sitting, clock: Clock) -> None:
    clock.wait(10)
    timed.act("red", "stop")
    clock.wait(500)
    timed.take_back("rulekeeper")
    assert seen(timed).seconds == 10


# other ways to come to a table


def test_what_is_read_step_by_step_is_what_is_read_at_once(tmp_path: Path) -> None:
    rng = random.Random(5)
    with open_tables(tmp_path, random.Random(6), brawl=BRAWL) as tables:
        table = brawl(tables)
        tables.set_dice(table.id, "rulekeeper", "app", table.key())
        for _ in range(60):
            seat = table.seen("screen").view.to_move[0]
            match rng.randrange(6):
                case 0:
                    table.act(seat, "pass")
                case 1:
                    table.correct(seat, "points.red", str(rng.randrange(1000)))
                case 2 if table.seen("rulekeeper").take_back:
                    table.take_back("rulekeeper")
                case 3:
                    table.act(seat, "hit")
                    table.answer("blue" if seat == "red" else "red", value="no")
                case _:
                    table.act(seat, "roll", dice=rng.randint(1, 6))
            fresh = Tables(tables._store, {"brawl": BRAWL})
            assert seen(table) == fresh.statistics(table.id)


def test_an_imported_table_has_the_same(tmp_path: Path, clock: Clock) -> None:
    with open_tables(tmp_path, clock=clock, brawl=BRAWL) as tables:
        table = brawl(tables)
        strike(table, "red", "blue")
        clock.wait(33)
        typed(table, "red", "roll", [1, 2])
        table.take_back("rulekeeper")
        again = tables.import_(export(tables, table.id)).table
        assert seen(table).units
        assert msgspec.structs.replace(tables.statistics(again), version=0) == msgspec.structs.replace(
            seen(table), version=0
        )


def test_a_table_whose_game_is_not_installed_still_tells_what_its_log_does(tmp_path: Path, clock: Clock) -> None:
    with open_tables(tmp_path, clock=clock, brawl=BRAWL) as tables:
        table = brawl(tables)
        clock.wait(12)
        strike(table, "red", "blue")
        with_game = seen(table)
        without = Tables(tables._store, {}, now=clock).statistics(table.id)
        assert (without.dice, without.stage, without.seconds) == (with_game.dice, None, 12)
        assert {one.id: (one.dealt, one.place) for one in without.units} == {"red1": (2, "a1"), "blue1": (0, "a1")}
        assert [(one.seat, one.seconds) for one in without.seats if one.seconds] == [("red", 12)]


# the games


def begun(tables: Tables, game: Any, state: Any) -> Sitting:
    """A table that begins with a position."""
    options = msgspec.to_builtins(state.options)
    made = tables.create(game.slug, options=options, dice="typed")
    with tables._store.write() as books:
        text = msgspec.json.encode(state, order="deterministic").decode()
        books._run("update entries set state = ?, state_change = null where table_id = ?", (text, made.table))
    return Sitting(tables, made.table, {seat: tables.join(made.table, seat, seat) for seat in ("white", "black")})


def by_unit(table: Sitting) -> dict[str, tuple[str, int, int, int, str]]:
    return {one.id: (one.side, one.dealt, one.taken, one.destroyed, one.fate) for one in seen(table).units}


def test_hits_of_two_cities_are_told_by_unit(tmp_path: Path) -> None:
    with open_tables(tmp_path, **{TWO_CITIES.slug: TWO_CITIES}) as tables:
        made = tables.create(TWO_CITIES.slug, dice="typed")
        table = Sitting(tables, made.table, {seat: tables.join(made.table, seat, seat) for seat in ("white", "black")})
        for kind in ("forest", "hill"):
            for _ in range(2):
                table.correct("rulekeeper", f"terrain.{kind}.1", "off")
        for place, square in (("forest.1", "a5"), ("forest.2", "a6"), ("hill.1", "h5"), ("hill.2", "h6")):
            table.correct("rulekeeper", f"terrain.{place}", square)
        for seat in ("white", "black"):
            table.act(seat, "ready")
        for path, value in (
            ("cards.white", "2H,AH,10S"),
            ("cards.black", "2D,AS,QS"),
            ("unit.wc.square", "d3"),
            ("unit.bb.square", "d4"),
        ):
            table.correct("rulekeeper", path, value)
        corrected = seen(table).corrected
        assert corrected >= 6
        table.act("white", "play_card", card="AH")
        table.act("white", "attack", unit="wc", target="bb")
        table.answer("black", value="no")
        table.answer("white", faces=[1, 3, 3, 3, 3])
        assert by_unit(table) == {"wc": ("white", 1, 0, 0, "hit"), "bb": ("black", 0, 1, 0, "hit")}
        striker, struck = seen(table).units
        assert (striker.name, striker.place, struck.place) == (Text("heavy_infantry"), "d3", "d4")
        assert dice(table)["white", None, 6] == {1: 1, 3: 4}
        table.correct("rulekeeper", "unit.bb.hits", "0")
        assert by_unit(table)["bb"][2] == 1


def test_the_fallen_of_chesswar_are_told_by_unit(tmp_path: Path) -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1, w2 hp f4, b2 op f5, w2>b2", phase="combat")
    with open_tables(tmp_path, **{CHESSWAR.slug: CHESSWAR}) as tables:
        table = begun(tables, CHESSWAR, state)
        table.act("white", "attack", unit="w1", target="b1", answers=[{"faces": [6]}])
        if table.seen("white").asked:
            table.answer("white", value="stay")
        assert by_unit(table) == {"w1": ("white", 0, 0, 1, "hit"), "b1": ("black", 0, 0, 0, "gone")}
        table.act("white", "attack", unit="w2", target="b2", answers=[{"faces": [1]}, {"faces": [1]}])
        assert by_unit(table)["b2"] == ("black", 0, 0, 1, "hit")
        assert by_unit(table)["w2"] == ("white", 0, 0, 0, "gone")
        places = {one.id: one.place for one in seen(table).units}
        assert places == {"w1": "d4", "b1": "d5", "w2": "f4", "b2": "f5"}

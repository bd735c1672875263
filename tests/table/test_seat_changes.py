"""Seats are people's: handing over, leaving, moving, swapping, the rulekeeper's seat given away, and a PIN."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from companion.kit.text import speak
from companion.table.pin import WrongPin
from companion.table.problem import Problem
from tests.support.export_files import export
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.table.tables import Tables
    from companion.table.view_models import Proposal


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(tmp_path: Path, clock: Clock) -> Iterator[Tables]:
    with open_tables(tmp_path, clock=clock) as tables:
        yield tables


@pytest.fixture
def table(tables: Tables) -> Sitting:
    return sit(tables)


def refused(do: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(Problem) as raised:
        do()
    return raised.value.status, speak(raised.value.text, str)


def newest(table: Sitting, lines: int = 1) -> list[str]:
    return [speak(line.headline, str) for line in table.seen("screen").log[:lines]][::-1]


def offer(table: Sitting, seat: str) -> str:
    table.tables.hand_over(table.id, seat, on=True, key=table.key())
    given = table.tables.handed_over(table.id, seat)
    assert given is not None
    return given.secret


def wish(table: Sitting, seat: str) -> Proposal:
    (one,) = table.seen(seat).proposals
    return one


def sits(table: Sitting) -> dict[str, str | None]:
    """Say which seat the token opens that each seat had at first."""
    return {seat: table.tables.seat_of(table.id, token) for seat, token in table.tokens.items()}


def test_a_seat_is_handed_over_once_with_all_that_is_hidden_there(table: Sitting) -> None:
    table.act("red", "draw", count=3)
    hand, secret = table.hand("red"), offer(table, "red")
    shown = table.tables.offered(table.id, secret)
    assert (shown.seat, shown.name) == ("red", "Red")
    token = table.tables.take_over(table.id, secret, "Eva")
    assert token != table.tokens["red"]
    assert table.tables.seat_of(table.id, token) == "red"
    assert sits(table)["red"] is None
    assert table.hand("red") == hand
    assert newest(table) == ["Eva takes over from Red: red"]
    assert table.tables.handed_over(table.id, "red") is None
    for do in (table.tables.offered, lambda *link: table.tables.take_over(*link, "Max")):
        assert refused(lambda do=do: do(table.id, secret)) == (409, "This link has been used: Eva sits there now.")


def test_whoever_takes_a_seat_without_a_name_does_not_bear_the_one_before(table: Sitting) -> None:
    table.tables.take_over(table.id, offer(table, "red"), " ")
    assert [person.name for person in table.seen("red").people if person.seat == "red"] == [""]


@pytest.mark.parametrize(
    ("held", "name", "told"),
    [
        ((), "Eva", "Eva takes over: Rulekeeper"),
        (("rulekeeper", "blue"), "Eva", "Eva takes over from Blue: Rulekeeper"),
        (("rulekeeper", "blue"), " ", "Somebody takes over from Blue: Rulekeeper"),
    ],
)
def test_whose_a_seat_without_a_name_was_is_said_by_his_other_seat(
    table: Sitting, held: tuple[str, ...], name: str, told: str
) -> None:
    table.tables.rename(table.id, "rulekeeper", "", table.key())
    table.tables.hand_over(table.id, "rulekeeper", on=True, key=table.key(), held=held)
    given = table.tables.handed_over(table.id, "rulekeeper")
    assert given is not None
    assert table.tables.offered(table.id, given.secret).name == ("Blue" if held else "")
    table.tables.take_over(table.id, given.secret, name)
    assert newest(table) == [told]


def test_of_two_who_open_a_link_at_once_one_sits_there(table: Sitting) -> None:
    secret = offer(table, "red")

    def take(name: str) -> str:
        try:
            return table.tables.take_over(table.id, secret, name, f"a key of twenty letters {name}")
        except Problem as problem:
            return str(problem.status)

    with ThreadPoolExecutor(4) as people:
        came = [*people.map(take, ("Eva", "Max", "Ida", "Tom"))]
    assert came.count("409") == 3
    (token,) = (one for one in came if one != "409")
    assert table.tables.seat_of(table.id, token) == "red"


def test_a_second_tap_gives_the_same_seat_again(table: Sitting) -> None:
    secret = offer(table, "red")
    first, second = (table.tables.take_over(table.id, secret, "Eva", "a key of twenty letters") for _ in range(2))
    assert first == second
    assert len([line for line in newest(table, 9) if "takes over" in line]) == 1


def test_a_link_is_good_for_ten_minutes_and_only_the_newest_one(table: Sitting, clock: Clock) -> None:
    old = offer(table, "red")
    secret = offer(table, "red")
    assert refused(lambda: table.tables.offered(table.id, old))[0] == 404
    clock.wait(599)
    assert table.tables.offered(table.id, secret).seat == "red"
    clock.wait(2)
    late = (409, "This link is older than 10 minutes. Ask Red for a new one.")
    assert refused(lambda: table.tables.take_over(table.id, secret, "Eva")) == late
    assert table.tables.handed_over(table.id, "red") is None
    assert sits(table)["red"] == "red"


def test_a_link_that_was_taken_back_or_made_for_another_opens_nothing(table: Sitting) -> None:
    secret = offer(table, "red")
    table.tables.hand_over(table.id, "red", on=False, key=table.key())
    assert refused(lambda: table.tables.take_over(table.id, secret, "Eva"))[0] == 404
    secret = offer(table, "red")
    table.tables.release(table.id, "rulekeeper", "red", table.key())
    table.tables.join(table.id, "red", "Ida")
    assert refused(lambda: table.tables.take_over(table.id, secret, "Eva"))[0] == 409
    other = sit(table.tables)
    assert refused(lambda: table.tables.take_over(other.id, offer(table, "blue"), "Eva"))[0] == 404


def test_who_leaves_frees_the_seat_and_the_rulekeeper_can_not(table: Sitting) -> None:
    table.tables.leave(table.id, "red", table.key())
    assert sits(table)["red"] is None
    assert newest(table) == ["Red gets up: red is free"]
    assert refused(lambda: table.tables.leave(table.id, "rulekeeper", table.key()))[0] == 409


def test_who_moves_takes_his_token_along_and_what_lies_at_the_other_seat(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    table.act("red", "draw", count=2)
    hand = table.hand("red")
    table.tables.change_seats(table.id, "red", "blue", table.key())
    assert sits(table)["red"] == "blue"
    assert newest(table, 2) == ["Red gets up: red is free", "Red changes seats: blue"]
    assert table.hand("red") == hand, "it stays where it lay"
    assert refused(lambda: table.tables.change_seats(table.id, "red", "blue", table.key()))[0] == 409
    assert refused(lambda: table.tables.change_seats(table.id, "rulekeeper", "red", table.key()))[0] == 403
    assert refused(lambda: table.tables.change_seats(table.id, "blue", "nobody", table.key()))[0] == 404


def test_two_swap_seats_when_the_other_says_yes(table: Sitting) -> None:
    table.act("red", "draw", count=2)
    hands = {seat: table.hand(seat) for seat in ("red", "blue")}
    table.tables.change_seats(table.id, "red", "blue", table.key())
    assert (wish(table, "red").may, wish(table, "blue").may) == ("withdraw", "answer")
    assert table.seen("rulekeeper").proposals == table.seen("screen").proposals == ()
    asked = wish(table, "blue").id
    assert refused(lambda: table.tables.answer_wish(table.id, "red", asked, yes=True, key=table.key()))[0] == 403
    assert refused(lambda: table.tables.answer_wish(table.id, "rulekeeper", asked, yes=True, key=table.key()))[0] == 403
    table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key())
    assert sits(table) == {"red": "blue", "blue": "red", "rulekeeper": "rulekeeper"}
    assert newest(table, 2) == ["Red swaps seats with Blue: blue", "Blue swaps seats with Red: red"]
    assert {seat: table.hand(seat) for seat in hands} == hands, "what lies at a seat stays there"
    assert table.seen("red").proposals == table.seen("blue").proposals == ()
    gone = (409, "Nobody waits for that any more.")
    assert refused(lambda: table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key())) == gone


def test_who_asks_to_take_something_back_and_moves_can_not_agree_to_himself(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    table.act("red", "roll", dice=1)
    table.take_back("red")
    tables.change_seats(table.id, "red", "blue", table.key())
    assert refused(lambda: table.consent("blue", yes=True)) == (403, "Somebody else has to agree to that.")
    tables.join(table.id, "red", "Rita")
    tables.change_seats(table.id, "blue", "red", table.key())
    tables.answer_wish(table.id, "red", wish(table, "red").id, yes=True, key=table.key())
    asked = {seat: one.mine_to_give for seat in ("red", "blue", "rulekeeper") if (one := table.seen(seat).consent)}
    assert asked == {"red": False, "blue": True, "rulekeeper": True}, "also after a swap"
    table.consent("blue", yes=True)
    assert newest(table) == ["Red undoes: red acts"], "in the name of whoever asked"


@pytest.mark.parametrize("who", ["red", "blue"])
def test_a_swap_that_is_not_wanted_changes_nothing(table: Sitting, who: str) -> None:
    table.tables.change_seats(table.id, "red", "blue", table.key())
    table.tables.answer_wish(table.id, who, wish(table, who).id, yes=False, key=table.key())
    assert sits(table)["red"] == "red"
    assert table.seen("blue").proposals == ()


def test_a_wish_is_void_when_somebody_else_sits_there(table: Sitting) -> None:
    table.tables.change_seats(table.id, "red", "blue", table.key())
    asked = wish(table, "blue").id
    table.tables.take_over(table.id, offer(table, "red"), "Eva")
    assert table.seen("blue").proposals == ()
    assert refused(lambda: table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key()))[0] == 409
    assert refused(lambda: table.tables.change_seats(table.id, "red", "red", table.key()))[0] == 409
    assert refused(lambda: table.tables.change_seats(table.id, "red", "rulekeeper", table.key()))[0] == 403


@pytest.mark.parametrize("other", ["red", "blue"])
def test_two_players_give_the_rulekeepers_seat_away(table: Sitting, other: str) -> None:
    table.tables.propose_rulekeeper(table.id, "red", other, table.key())
    named = other.capitalize()
    assert newest(table) == [f"Red proposes: {named} keeps the rules from now on"]
    assert [wish(table, seat).may for seat in ("red", "blue", "rulekeeper")] == ["withdraw", "answer", "refuse"]
    asked = wish(table, "blue").id
    for held in (("red", "blue"), {"red"}):
        agreed = refused(
            lambda held=held: table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key(), held=held)
        )
        assert agreed == (403, "Another phone has to agree: this one made the proposal.")
    assert refused(lambda: table.tables.claim(table.id, other, asked))[0] == 403, "it is only proposed"
    table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key(), held={"blue"})
    assert newest(table) == [f"Blue agrees: {named} keeps the rules"]
    assert sits(table)["rulekeeper"] == "rulekeeper", "until it is taken"
    assert table.seen("rulekeeper").proposals == ()
    assert wish(table, other).may == "take"
    stranger = {"red": "blue", "blue": "red"}[other]
    assert refused(lambda: table.tables.claim(table.id, stranger, asked))[0] == 403
    token = table.tables.claim(table.id, other, asked)
    assert table.tables.seat_of(table.id, token) == "rulekeeper"
    assert sits(table) == {"red": "red", "blue": "blue", "rulekeeper": None}
    assert newest(table) == [f"{named} takes over from Keeper: Rulekeeper"]
    assert refused(lambda: table.tables.claim(table.id, other, asked))[0] == 409


def test_who_plays_and_keeps_the_rules_has_his_name_as_a_player(table: Sitting) -> None:
    table.tables.give_rulekeeper(table.id, "red", table.key())
    table.tables.claim(table.id, "red", wish(table, "red").id)
    table.correct("red", "points.red", "8")
    table.correct("rulekeeper", "points.red", "9")
    as_player, as_rulekeeper = newest(table, 2)
    assert as_player.startswith("Red corrects")
    assert as_rulekeeper.startswith("Red (Rulekeeper) corrects")


def test_a_rulekeeper_who_is_there_ends_the_proposal(table: Sitting) -> None:
    table.tables.propose_rulekeeper(table.id, "red", "blue", table.key())
    asked = wish(table, "rulekeeper").id
    table.tables.answer_wish(table.id, "rulekeeper", asked, yes=False, key=table.key())
    assert newest(table) == ["Keeper says no: the rulekeeper stays"]
    assert refused(lambda: table.tables.answer_wish(table.id, "blue", asked, yes=True, key=table.key()))[0] == 409


def test_with_nobody_else_there_only_the_laptop_gives_the_seat_away(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    status, said = refused(lambda: table.tables.propose_rulekeeper(table.id, "red", "red", table.key()))
    assert (status, "laptop" in said) == (409, True)
    assert refused(lambda: table.tables.give_rulekeeper(table.id, "blue", table.key()))[0] == 409
    assert refused(lambda: table.tables.give_rulekeeper(table.id, "rulekeeper", table.key()))[0] == 403
    table.tables.give_rulekeeper(table.id, "red", table.key())
    assert newest(table) == ["The laptop gives the rulekeeper's seat to Red"]
    token = table.tables.claim(table.id, "red", wish(table, "red").id)
    assert table.tables.seat_of(table.id, token) == "rulekeeper"


def test_a_proposal_ends_when_the_rulekeeper_hands_over_himself(table: Sitting) -> None:
    table.tables.propose_rulekeeper(table.id, "red", "blue", table.key())
    token = table.tables.take_over(table.id, offer(table, "rulekeeper"), "Eva")
    assert table.tables.seat_of(table.id, token) == "rulekeeper"
    assert table.seen("red").proposals == table.seen("blue").proposals == ()


def test_seats_are_changed_while_a_game_waits_for_an_answer(table: Sitting) -> None:
    table.act("red", "hit")
    waiting = table.seen("screen").waiting
    assert waiting
    table.tables.change_seats(table.id, "red", "blue", table.key())
    table.tables.answer_wish(table.id, "blue", wish(table, "blue").id, yes=True, key=table.key())
    assert table.seen("screen").waiting == waiting
    assert {seat for seat, sat in sits(table).items() if sat is not None} == {"red", "blue", "rulekeeper"}


def test_a_table_is_locked_with_a_pin_that_nobody_can_read(table: Sitting, tmp_path: Path) -> None:
    assert table.tables.lets_in(table.id, "")
    table.tables.lock(table.id, " 48 1516 ", table.key())
    assert newest(table) == ["The table is locked with a PIN."]
    assert not table.tables.lets_in(table.id, "")
    for wrong in ("481515", "4815160", "٤٨١٥١٦", "\ud800", "9" * 4000):
        with pytest.raises(WrongPin):
            table.tables.admit(table.id, wrong)
    assert refused(lambda: table.tables.admit(table.id, " "))[0] == 403
    admission = table.tables.admit(table.id, "4815 16")
    assert table.tables.lets_in(table.id, admission)
    assert not table.tables.lets_in(sit_locked(table.tables), admission)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    assert b"481516" not in stored
    version = table.tables.version(table.id)
    table.tables.lock(table.id, "481516", table.key())
    assert table.tables.version(table.id) == version, "it is that already"
    table.tables.lock(table.id, "1234", table.key())
    assert not table.tables.lets_in(table.id, admission), "who sat down nowhere is asked again"
    table.tables.lock(table.id, "", table.key())
    assert table.tables.lets_in(table.id, "")
    assert newest(table) == ["The table has no PIN any more."]


def sit_locked(tables: Tables) -> str:
    other = sit(tables)
    tables.lock(other.id, "481516", other.key())
    return other.id


@pytest.mark.parametrize("wrong", ["123", "123456789", "12a4", "٤٨١٥", "-1234", "\ud800234"])
def test_what_can_be_no_pin_is_refused(table: Sitting, wrong: str) -> None:
    assert refused(lambda: table.tables.lock(table.id, wrong, table.key())) == (400, "A PIN has 4 to 8 digits.")
    assert not table.tables.is_locked(table.id)


def test_a_rematch_is_locked_as_its_table_was(table: Sitting) -> None:
    table.tables.lock(table.id, "4815", table.key())
    table.end()
    there = table.tables.rematch(table.id, "red")
    assert table.tables.is_locked(there.table)
    assert table.tables.admit(there.table, "4815")


def test_a_table_whose_seats_were_changed_is_exported_and_taken_in_again(table: Sitting) -> None:
    table.tables.change_seats(table.id, "red", "blue", table.key())
    table.tables.answer_wish(table.id, "blue", wish(table, "blue").id, yes=True, key=table.key())
    table.tables.propose_rulekeeper(table.id, "red", "blue", table.key())
    table.tables.answer_wish(table.id, "blue", wish(table, "blue").id, yes=True, key=table.key())
    table.tables.claim(table.id, "blue", wish(table, "blue").id)
    table.tables.take_over(table.id, offer(table, "red"), "Eva")
    table.tables.lock(table.id, "4815", table.key())
    table.tables.leave(table.id, "red", table.key())
    table.tables.change_seats(table.id, "blue", "red", table.key())
    made = table.tables.import_(export(table.tables, table.id))
    assert table.tables.damage(table.id) is table.tables.damage(made.table) is None
    assert not table.tables.is_locked(made.table)
    assert newest(Sitting(table.tables, made.table, {}), 2)[0] == "Red changes seats: red"


def test_what_opens_a_seat_or_a_table_is_in_no_copy_and_no_other_seats_view(table: Sitting) -> None:
    secret = offer(table, "red")
    table.tables.lock(table.id, "4815162", table.key())
    admission = table.tables.admit(table.id, "4815162")
    table.tables.change_seats(table.id, "red", "blue", table.key())
    told = [export(table.tables, table.id).decode(), *(str(table.seen(seat)) for seat in (*table.tokens, "screen"))]
    for word in (secret, admission, "4815162", *table.tokens.values()):
        assert all(word not in one for one in told), word

"""A clash as it is drawn: from what everybody may read, the same for all, dice above where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import create_app
from companion.kit.asking import Ask
from companion.kit.clash import Clash, Combatant, Effect, Meeting
from companion.kit.counts import DIE
from companion.kit.panels import Board, Piece
from companion.kit.questions import Choose, Faces, Option, Throw
from companion.kit.ruling import Duel, Fighter, Harm, Pair, Reason
from companion.kit.text import Text, say
from companion.table.view_models import Asked, Line, Waiting
from companion.web.play.clash import Die, Group, clash_view, roll
from tests.support.phones import Table
from tests.web.test_turn import seen

if TYPE_CHECKING:
    from pathlib import Path


HIT, BACK = Effect((1, 2), say("hit")), Effect((6,), say("retreat"), harm=True)
KNIGHT = Combatant("wb", "white", say("Knight"), "knight", "c6", hits=1, strength=3)
BISHOP = Combatant("bc", "black", say("Bishop"), "bishop", "c7", strength=4)
BEGINS = Reason(say("Melee"), clash=Clash("melee", KNIGHT, BISHOP, (say("May evade"),)))
COUNTED = Reason(
    say("{count} dice", count=3),
    None,
    3,
    (Reason(say("cavalry"), None, 2), Reason(say("charge"), None, 1)),
    does=(HIT,),
)
THROW = Throw("attack", say("Attack"), "white", 3, 6, does=(HIT,))
EVADE = Choose("evade", say("Evade?"), "black", (Option("no", say("No")), Option("yes", say("Yes"))))


EVASION = Effect((4, 5, 6), say("evades")), Effect((1, 2, 3), say("fails"), harm=True)


def waiting(*story: Reason, throw: Throw | None = None, **rest: Any) -> Any:
    return seen(story=story, waiting=(Waiting("black", say("Evade?"), throw=throw),), **rest)


def done(*reasons: Reason) -> Any:
    return seen(last=Line(7, "2026-01-01T00:00:00Z", "action", "white", "Ana", say("2 hits"), reasons))


def drawn(looked: Any) -> Any:
    view = clash_view(looked)
    assert view is not None
    return view


def does(view: Any) -> list[tuple[bool, list[str]]]:
    """Say of every throw whether it fell, and what its faces do."""
    return [(roll.fell, [effect.text.say for effect in roll.does]) for roll in view.rolls]


def lying(group: Group) -> tuple[Any, ...]:
    return (group.of and group.of.say, [(die.face, die.does and die.does.text.say) for die in group.dice])


def test_dice_that_will_be_thrown_are_places_above_where_they_come_from() -> None:
    view = drawn(waiting(BEGINS, COUNTED))
    assert [lying(group) for group in view.groups] == [
        ("cavalry", [(None, None), (None, None)]),
        ("charge", [(None, None)]),
    ]
    assert does(view) == [(False, ["hit"])]
    assert not any(group.asked for group in view.groups)
    assert view.under_way


def test_the_dice_that_are_waited_for_are_marked_before_those_that_follow() -> None:
    evasion = Throw("evasion", say("Evasion"), "black", 1, 6, does=(Effect((4, 5, 6), say("evades")),))
    view = drawn(waiting(BEGINS, COUNTED, throw=evasion))
    assert [(len(group.dice), group.asked) for group in view.groups] == [(1, True), (2, False), (1, False)]
    assert does(view) == [(False, ["evades"]), (False, [])]
    assert [group.asked for group in drawn(waiting(BEGINS, COUNTED, throw=THROW)).groups] == [True, True]


def test_faces_lie_where_their_dice_came_from_and_say_what_they_did() -> None:
    ask = Ask((Faces("attack", (1, 4, 6)),))
    ask.tell(BEGINS.text)
    ask.clash(Clash("melee", KNIGHT, BISHOP))
    ask.tell(COUNTED.text, None, 3, terms=COUNTED.terms)
    ask.expect((HIT, BACK))
    ask.show(ask.throw(3, 6, "attack", say("Attack"), by="white", does=(HIT, BACK)))
    view = drawn(done(*ask.reasons))
    assert [lying(group) for group in view.groups] == [
        ("cavalry", [(1, "hit"), (4, None)]),
        ("charge", [(6, "retreat")]),
    ]
    assert view.faces == "1 4 6"
    assert does(view) == [(True, ["hit", "retreat"])]
    assert (view.under_way, view.open) == (False, False)


def test_of_several_throws_each_has_its_name_and_what_its_own_faces_do() -> None:
    """An evasion that failed on a 1, and an attack in which a 1 hits."""
    ask = Ask((Faces("evasion", (1,)), Faces("attack", (1, 5, 1))))
    ask.tell(BEGINS.text)
    ask.clash(Clash("melee", KNIGHT, BISHOP))
    faces = ask.throw(1, 6, "evasion", say("Evade"), by="black", does=EVASION, of=say("evasion"))
    ask.tell(say("The evasion fails"), faces=faces)
    ask.tell(say("{count} dice", count=3), None, 3, terms=(Reason(say("dice of the attack"), None, 3),))
    ask.show(ask.throw(3, 6, "attack", say("Attack"), by="white", does=(HIT, BACK)))
    view = drawn(done(*ask.reasons))
    assert [[lying(group) for group in roll.groups] for roll in view.rolls] == [
        [("evasion", [(1, "fails")])],
        [("dice of the attack", [(1, "hit"), (5, None), (1, "hit")])],
    ]
    assert does(view) == [(True, ["fails"]), (True, ["hit"])]
    assert not any(group.sentence for group in view.groups), "its name is no sentence"


def test_a_lone_die_of_the_attack_is_not_taken_for_that_of_the_evasion() -> None:
    """Both are one die: what their faces do tells them apart."""
    attack = Reason(say("1 die"), None, 1, (Reason(say("archers"), None, 1),), does=(HIT,))
    evasion = Throw("evasion", say("Evade"), "black", 1, 6, does=EVASION, of=say("evasion"))
    view = drawn(waiting(BEGINS, attack, throw=evasion))
    assert [(group.of and group.of.say, group.asked) for group in view.groups] == [
        ("evasion", True),
        ("archers", False),
    ]
    assert does(view) == [(False, ["evades", "fails"]), (False, [])]


def test_effects_that_no_face_has_are_not_kept() -> None:
    ask = Ask((Faces("attack", (1, 1)),))
    faces = ask.throw(2, 6, "attack", say("Attack"), by="white", does=(HIT, BACK))
    ask.tell(say("Two hits"), faces=faces)
    assert ask.reasons[-1].does == (HIT,)


def test_dice_that_are_taken_away_leave_one_heap() -> None:
    """It comes from the only thing that brings dice; of several nobody can tell whose are left."""
    halved = (Reason(say("dice of the attack"), None, 3), Reason(say("half"), None, -1))
    counted = Reason(say("2 dice"), None, 2, halved, does=(HIT,))
    assert [lying(group) for group in drawn(waiting(BEGINS, counted)).groups] == [
        ("dice of the attack", [(None, None)] * 2)
    ]
    several = replace(COUNTED, value=2, terms=(*COUNTED.terms, Reason(say("hill"), None, -1)))
    assert [lying(group) for group in drawn(waiting(BEGINS, several)).groups] == [(None, [(None, None)] * 2)]


def test_what_is_added_to_a_die_is_a_sum_beneath_it() -> None:
    added = (Reason(say("combat"), None, 2), Reason(say("nothing"), None, 0), Reason(say("defence"), None, -1))
    rolled = Reason(say("Attack: 4"), None, 4, (Reason(DIE, None, 3), *added), (3,))
    (group,) = drawn(done(BEGINS, rolled)).groups
    assert group == Group((Die(3),), 6, sum=(3, 2, -1))
    alone = Reason(say("Attack: 3"), None, 3, (Reason(DIE, None, 3), added[1]), (3,))
    assert drawn(done(BEGINS, alone)).groups == (Group((Die(3),), 6),)


def test_a_number_that_is_needed_is_no_sum_of_the_die_that_shows_it() -> None:
    needed = (Reason(say("skill"), None, 3), Reason(say("cover"), None, 1))
    (group,) = drawn(done(BEGINS, Reason(say("Missed"), None, 4, needed, (3,)))).groups
    assert group == Group((Die(3),), 6, say("Missed"), sentence=True)


def test_who_was_harmed_is_marked() -> None:
    harm = Harm(Fighter("bc", "black", say("Bishop")), 2, "gone", Fighter("wb", "white", say("Knight")))
    view = drawn(done(BEGINS, Reason(say("destroyed"), harm=(harm,))))
    (met,) = view.met
    assert (met.by.hits, met.by.fate) == (0, None)
    assert (met.against.hits, met.against.fate) == (2, "gone")
    assert view.came_of
    assert not drawn(done(BEGINS)).came_of


def test_all_who_meet_at_once_are_drawn_with_what_became_of_them() -> None:
    rook, pawn = replace(KNIGHT, id="wr"), replace(BISHOP, id="bp")
    clash = Clash("melee", KNIGHT, BISHOP, beside=(Meeting(rook, pawn), Meeting(rook)))
    harm = Harm(Fighter("bp", "black", say("Pawn")), 2, "gone", Fighter("wr", "white", say("Rook")))
    view = drawn(done(Reason(say("Melee"), clash=clash), Reason(say("destroyed"), harm=(harm,))))
    assert [(met.by.one.id, met.against and (met.against.one.id, met.against.fate)) for met in view.met] == [
        ("wb", ("bc", None)),
        ("wr", ("bp", "gone")),
        ("wr", None),
    ]
    assert view.came_of, "one of them was harmed"


def test_whoever_joins_in_is_drawn_with_what_it_suffered_itself_and_the_struck_piece_once() -> None:
    rook, pawn = replace(KNIGHT, id="wr"), replace(BISHOP, id="bp")
    clash = Clash("melee", KNIGHT, BISHOP, beside=(Meeting(rook, BISHOP), Meeting(rook, pawn)))
    who = {one.id: Fighter(one.id, one.side, one.name) for one in (KNIGHT, BISHOP, rook, pawn)}
    harms = (
        Harm(who["bc"], 1, "hit", who["wr"]),
        Harm(who["bc"], 3, "gone", who["wb"]),
        Harm(who["wr"], 2, "hit", who["bp"]),
    )
    first, joins, other = drawn(done(Reason(say("Melee"), clash=clash), Reason(say("destroyed"), harm=harms))).met
    assert [first.joins, joins.joins, other.joins] == [False, True, False]
    assert (first.against.hits, first.against.fate) == (4, "gone"), "the whole of it"
    assert (joins.by.hits, joins.by.fate) == (0, None), "the struck one did nothing to it"
    assert (other.by.hits, other.against.hits) == (2, 0)


ROLLED = Reason(say("One hit"), None, 1, faces=(1, 4), does=(HIT,))
FALLEN = Reason(say("destroyed"), harm=(Harm(Fighter("bc", "black", say("Bishop")), 2, "gone"),))
PAWN = replace(BISHOP, id="bp")
GOES_ON = Reason(say("It goes on"), clash=Clash("charge", KNIGHT, PAWN))


def met(view: Any) -> list[tuple[str, str | None]]:
    """Who is met, and what became of them."""
    return [(one.against.one.id, one.against.fate) for one in view.met]


@pytest.mark.parametrize(
    ("told", "faces", "who"),
    [
        ((BEGINS, ROLLED, FALLEN, GOES_ON), "1 4", [("bc", "gone")]),
        ((BEGINS, FALLEN, GOES_ON, ROLLED), "1 4", [("bp", None), ("bc", "gone")]),
        ((BEGINS, GOES_ON), "", [("bp", None)]),
        ((BEGINS, ROLLED, BEGINS, ROLLED), "1 4", [("bc", None)]),
        ((BEGINS, FALLEN, GOES_ON, replace(ROLLED, seat="white")), None, []),
        ((BEGINS, replace(FALLEN, seat="white"), GOES_ON, ROLLED), "1 4", [("bp", None)]),
    ],
)
def test_of_several_fights_in_a_ruling_the_newest_that_came_to_something_is_drawn_and_the_others_beneath(
    told: tuple[Reason, ...], faces: str | None, who: list[tuple[str, str | None]]
) -> None:
    view = clash_view(done(*told))
    assert (view and view.faces, view and met(view)) == (faces, who or None)


def test_while_somebody_is_asked_only_the_fight_that_it_is_about_is_drawn() -> None:
    assert met(drawn(waiting(BEGINS, FALLEN, GOES_ON))) == [("bp", None)]


def test_the_newest_clash_of_a_ruling_is_drawn() -> None:
    later = Reason(say("Shot"), clash=Clash("shot", BISHOP, KNIGHT))
    view = drawn(done(BEGINS, Reason(say("rolled"), faces=(5,)), later, Reason(say("rolled"), faces=(2,))))
    assert (view.clash.way, view.faces) == ("shot", "2")


def test_a_question_about_squares_leaves_the_board_in_sight() -> None:
    mage = Board(say("Board"), ("a",), ("1",), (Piece("wq", "white", "queen", say("Mage"), "a1"),))
    by_whom = Choose("spell", say("Counter it?"), "white", (Option("wq", say("Mage"), place="a1"),))
    assert drawn(waiting(BEGINS, asked=Asked(by_whom, ()), panels=(mage,))).open
    squares = Choose("to", say("Where?"), "white", (Option("e4", Text("e4"), place="e4"), Option("stay", say("Stay"))))
    assert not drawn(waiting(BEGINS, asked=Asked(squares, ()))).open
    assert drawn(waiting(BEGINS, asked=Asked(EVADE, ()))).open
    assert drawn(waiting(BEGINS)).open


@pytest.mark.parametrize("stopped", ["paused", "ended"])
def test_a_table_that_stopped_shows_what_was_ruled_last(stopped: str) -> None:
    assert clash_view(waiting(BEGINS, COUNTED, **{stopped: True})) is None


def test_what_one_seat_alone_may_read_is_not_drawn() -> None:
    assert clash_view(done(BEGINS, Reason(say("Secret"), faces=(3,), seat="white"))) is None
    assert clash_view(done(Reason(say("No clash"), faces=(3,)))) is None


def test_every_seat_and_the_screen_see_the_same_scene(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    table = Table(app, "two_cities", dice="app")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    for path, value in (("unit.wc.square", "d3"), ("unit.bb.square", "d4"), ("cards.white", "2H,AH,10S")):
        table.tables.correct(table.id, "rulekeeper", path, value, path)
    table.act("white", action="play_card", card="AH")
    table.act("white", action="attack", unit="wc", target="bb")
    views = [clash_view(table.tables.seen(table.id, seat)) for seat in ("white", "black", "rulekeeper", "screen")]
    assert views[0] is not None
    assert views[0].clash.cancels
    assert all(view == views[0] for view in views)


def rolled(*faces: int) -> Reason:
    return Reason(say("Rolled"), faces=faces)


def test_a_roll_is_told_from_others_by_its_action_and_its_faces() -> None:
    before = done(rolled(3)).last
    assert roll(seen()) == ""
    assert roll(seen(last=before)) == "7:3"
    # Nothing is rolled yet, and what was rolled before is nothing new.
    assert roll(waiting(BEGINS, last=before)) == "7:3"
    assert roll(waiting(BEGINS, rolled(4, 2), last=before)) == "7.5:4.2"
    assert roll(waiting(BEGINS, rolled(4, 2))) == "0.5:4.2"
    after = msgspec.structs.replace(before, seq=9, reasons=(BEGINS, rolled(4, 2)))
    assert roll(seen(last=after)) == "9:4.2"
    duel = Duel(say("Left"), say("Right"), (Pair(6, 3, "left"), Pair(2, None, "left")))
    assert roll(done(Reason(say("Attack"), duel=duel))) == "7:6.3.2"

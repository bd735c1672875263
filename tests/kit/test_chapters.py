"""A game of chapters: actions reach their rules, offers are made from their structs, corrections set what they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from msgspec import field

from companion.games import discover
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction, Group
from companion.kit.game import SCREEN, Frozen, Game
from companion.kit.odds import Chart
from companion.kit.panels import View
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say

Seat = Literal["red", "blue"]
SEATS: tuple[Seat, ...] = ("red", "blue")


class State(Frozen, frozen=True):
    count: int = 0
    settled: int = 0
    over: bool = False


class Add(Action, frozen=True, tag="add"):
    by: int
    twice: bool = field(default=False, name="on")


class Wish(Action, frozen=True, tag="wish"):
    pass


class Sit(Action, frozen=True, tag="sit"):
    pass


adding = Chapter[State, Seat]()
wishing = Chapter[State, Seat]()


@adding.offers
def offers(state: State, seat: Seat) -> list[Offer]:
    return [Add.offer(say("Add"), by=1)] if seat == "red" else []


@adding.rule(
    Add,
    headline=lambda before, after, seat, action: say("{seat} {count}", seat=Text(seat), count=after.count),
    odds=lambda state, seat, action: (Chart(Text(seat), ()),),
    reveals=lambda before, after: after.count > 5,
)
def add(state: State, seat: Seat, action: Add, ask: Ask) -> State:
    ask.tell(say("added"), None, action.by)
    return state.but(count=state.count + action.by * (2 if action.twice else 1))


@wishing.rule(Wish, headline=lambda *_: say("wished"), quiet=lambda state: state.count == 0, settles=False)
def wish(state: State, seat: Seat, action: Wish, ask: Ask) -> State:
    return state


@wishing.ruling(Sit, ended=True)
def sit(state: State, seat: Seat, action: Sit, ask: Ask) -> Ruling[State]:
    return Ruling(state, say("sat"), quiet=True)


def corrections(state: State) -> list[Correction[State]]:
    group = Group("game.", say("The game"), part=say("All"))
    less = Group("game.", say("The game"), part=say("All"), rough=True)
    names = {seat: Text(seat) for seat in SEATS}
    return [
        group.number("count", say("Count"), state.count, lambda count: state.but(count=count), high=9),
        less.number("rough", say("Rough"), min(state.count, 3), lambda count: state.but(count=count), high=3),
        group.yes_no("over", say("Over"), lambda over: state.but(over=over), value=state.over),
        group.one_of("who", say("Who"), names, "red", lambda seat: state.but(count=SEATS.index(seat))),
        group.many("all", say("All"), (), (), lambda sent: state.but(count=len(sent))),
        group.value(
            "note", Field("value", say("Note"), "text"), lambda sent, _: state.but(count=len(sent)), reveals=True
        ),
    ]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("packages")
    return made(folder, pytest.MonkeyPatch())


def made(folder: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Any:
    data = folder / "kit_chapters" / "data"
    data.mkdir(parents=True, exist_ok=True)
    (data.parent / "__init__.py").write_text("", "utf-8")
    (data / "rulebook.toml").write_text("", "utf-8")
    (data / "words.toml").write_text("", "utf-8")
    with monkeypatch.context() as patch:
        patch.syspath_prepend(folder)
        return Game(
            slug="counting",
            name=say("Counting"),
            summary=say("Count."),
            package="kit_chapters",
            state=State,
            seats=SEATS,
            setup=lambda options, ask: Ruling(State(), say("Ready")),
            view=lambda state, seat: View(say("{seat}", seat=seat or "nobody"), (), ()),
            over=lambda state: state.over,
            chapters=(adding, wishing),
            corrections=corrections,
            settle=lambda state, ask: state.but(settled=state.settled + 1),
            headline=lambda before, after, seat: say("full") if after.count > 8 else None,
            strangers=Reason(say("Not you."), "K-1"),
            finished=Reason(say("Done."), "K-2"),
            **more,
        )


def refused(game: Any, state: State, seat: str, action: Action) -> str | None:
    with pytest.raises(Refusal) as no:
        game.rule(state, seat, action, Ask())
    return no.value.clause


def test_an_action_reaches_the_rule_of_its_struct_and_what_follows_follows(game: Any) -> None:
    ruling = game.rule(State(), "red", Add(2), Ask())
    assert (ruling.outcome.count, ruling.outcome.settled) == (2, 1)
    assert ruling.headline == say("{seat} {count}", seat=Text("red"), count=2)
    assert [reason.value for reason in ruling.reasons] == [2]
    assert (ruling.reveals, ruling.quiet) == (False, False)


def test_a_wish_settles_nothing_and_is_quiet_only_when_it_says_so(game: Any) -> None:
    assert game.rule(State(), "red", Wish(), Ask()).quiet
    later = game.rule(State(count=1), "red", Wish(), Ask())
    assert (later.quiet, later.outcome.settled) == (False, 0)


def test_what_was_shown_and_who_has_won_are_told_by_both_states(game: Any) -> None:
    assert game.rule(State(count=5), "red", Add(1), Ask()).reveals
    assert game.rule(State(count=8), "red", Add(1), Ask()).headline == say("full")


def test_strangers_and_whoever_comes_after_the_end_are_refused_with_the_clause(game: Any) -> None:
    assert refused(game, State(), SCREEN, Add(1)) == "K-1"
    assert refused(game, State(over=True), "red", Add(1)) == "K-2"
    assert game.rule(State(over=True), "red", Sit(), Ask()).headline == say("sat")
    with pytest.raises(Refusal):
        game.foresee(State(over=True), "red", Add(1))


def test_only_a_player_is_offered_something_and_only_while_the_game_lasts(game: Any) -> None:
    assert [offer.given for offer in game.offers(State(), "red")] == [{"by": 1}]
    assert game.offers(State(), "blue") == game.offers(State(), SCREEN) == game.offers(State(over=True), "red") == ()


def test_only_a_player_sees_as_one_and_looks_at_odds(game: Any) -> None:
    assert [game.view(State(), seat).headline.places["seat"] for seat in ("red", SCREEN)] == ["red", "nobody"]
    assert game.foresee(State(), "red", Add(1)) == (Chart(Text("red"), ()),)
    assert game.foresee(State(), SCREEN, Add(1)) == game.foresee(State(), "red", Wish()) == ()


def test_the_seats_are_the_roles_where_nothing_else_is_said(game: Any) -> None:
    assert [role.id for role in game.roles(game.options())] == ["red", "blue"]


def test_an_offer_holds_the_names_that_are_stored() -> None:
    offer = Add.offer(say("Add"), Field("by", say("By"), "number", high=9), twice=True, on="b1")
    assert (offer.action, offer.given, offer.on, [asked.name for asked in offer.fields]) == (
        "add",
        {"on": True},
        "b1",
        ["by"],
    )
    assert msgspec.convert({"action": "add", "by": 3, **offer.given}, Add) == Add(3, twice=True)


@pytest.mark.parametrize(
    ("fields", "given", "what"),
    [
        ((), {"by": 1, "of": 2}, "of"),
        ((Field("much", say("Much"), "number"),), {"by": 1}, "much"),
        ((), {}, "by"),
    ],
)
def test_what_an_action_does_not_have_is_not_offered(fields: tuple[Field, ...], given: Any, what: str) -> None:
    with pytest.raises(TypeError, match=f"an offer of Add and {what}"):
        Add.offer(say("Add"), *fields, **given)


def test_an_action_has_one_rule() -> None:
    with pytest.raises(TypeError, match="two rules for Add"):
        adding.rule(Add)(add)
    other = Chapter[State, Seat]()
    other.rule(Add)(add)
    with pytest.raises(TypeError, match="two chapters rule on"):
        Game(
            slug="twice",
            name=say("Twice"),
            summary=say("Twice."),
            package="companion.games.free_table",
            state=State,
            seats=SEATS,
            setup=lambda options, ask: Ruling(State(), say("Ready")),
            view=lambda state, seat: View(say("Ready"), (), ()),
            over=lambda state: state.over,
            chapters=(adding, other),
            corrections=corrections,
        )


def test_corrections_are_listed_with_their_group_and_set_what_they_name(game: Any) -> None:
    state = State(count=2)
    assert [value.path for value in game.tracked(state)] == [
        "game.count",
        "game.rough",
        "game.over",
        "game.who",
        "game.all",
        "game.note",
    ]
    assert all(value.part == say("All") for value in game.tracked(state))
    assert [value.reveals for value in game.tracked(state)] == [False, False, False, False, False, True]
    assert game.correct(state, "game.count", "7", Ask()).count == 7
    assert game.correct(state, "game.over", "true", Ask()).over
    assert game.correct(state, "game.who", "blue", Ask()).count == 1
    assert game.correct(state, "game.all", "a,b,a", Ask()).count == 2
    assert game.correct(state, "game.note", "abc", Ask()).count == 3


def test_what_is_there_already_is_left_alone_but_where_the_field_shows_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = made(tmp_path, monkeypatch, corrected=lambda state, ask: state.but(settled=9))
    assert counting.correct(State(count=2), "game.count", "2", Ask()) == State(count=2)
    assert counting.correct(State(count=2), "game.count", "3", Ask()) == State(count=3, settled=9)
    assert counting.correct(State(count=7), "game.rough", "3", Ask()).count == 3


LIMITS = [
    ("tactics_2gm", {"action": "edit_headquarters", "armour": 1}, False),
    ("tactics_2gm", {"action": "edit_headquarters", "pi": 10, "income": 3, "ap_cap": 8}, True),
    ("pocket_tactics", {"action": "edit_unit", "name": "x", "cost": 1, "types": "a" * 200}, True),
    ("pocket_tactics", {"action": "edit_unit", "name": "x", "cost": 1, "types": "a" * 201}, False),
]


@pytest.mark.parametrize(("slug", "sent", "fits"), LIMITS)
def test_what_may_be_sent_is_no_less_and_no_more_than_before(slug: str, sent: dict[str, Any], fits: bool) -> None:
    """A card's form is made of its action: what the form asks for has not changed what may be sent."""
    if fits:
        assert msgspec.convert(sent, discover()[slug].actions)
        return
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, discover()[slug].actions)

"""Set-up: armies chosen and raised, deployed behind the screen, who moves first, and the second one's last word."""

from __future__ import annotations

import random
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.chesswar.armies import ARMIES, Army
from companion.games.chesswar.deployment import Deploy, PlaceTerrain, Ready
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move
from companion.games.chesswar.options import Options, grid, home, sides
from companion.games.chesswar.raising import ChooseArmy, RaiseArmy
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast, Cover
from companion.games.chesswar.state import State
from companion.games.chesswar.victory import Surrender
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Board, Facts
from companion.kit.questions import Faces, Sealed, Together
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from tests.support.chesswar_positions import after, campaign, english, no, offered, refusal, rule, ruled
from tests.support.playing import clauses, options_of
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.ruling import Ruling

ORCS = RaiseArmy("orcs", queen=1, pawn=13)


def many(battle: Any) -> Options:
    return Options(sides=battle)


def start(**options: Any) -> State:
    state: State = GAME.setup(Options(**options), Ask()).outcome
    return state


def chosen(*armies: Any, **options: Any) -> State:
    """A table that has chosen its armies openly."""
    state = start(**options)
    for side, army in zip(state.sides, armies, strict=True):
        state = after(state, ChooseArmy(army), seat=side)
    return state


def raised(*armies: Any, **options: Any) -> State:
    """A table on which every army has been raised: its general and three of its basic troops."""
    state = chosen(*armies, **options)
    for side, army in zip(state.sides, armies, strict=True):
        state = after(state, RaiseArmy(army, pawn=3), seat=side)
    return state


def shown(*armies: Any, rolls: tuple[tuple[int, ...], ...] = (), **options: Any) -> Ruling[State]:
    """The ruling that ends the deployment; ``rolls`` are the dice of those who share the lowest initiative."""
    state = raised(*armies, **options)
    for side in state.sides[:-1]:
        state = after(state, Ready(), seat=side)
    tied = [side for side, army in zip(state.sides, armies, strict=True) if armies.count(army) > 1]
    answers = []
    for faces in rolls:
        thrown = {side: Faces("first", (face,)) for side, face in zip(tied, faces, strict=True) if face}
        answers.append(Sealed("first", dict(thrown)))
    return rule(state, state.sides[-1], Ready(), Ask(answers))


@pytest.mark.clause("CW-11", "CW-12", "CW-01")
def test_armies_are_chosen_openly_by_everybody_before_anybody_buys() -> None:
    state = start()
    assert (state.phase, GAME.view(state, "screen").to_move) == ("choosing", ("white", "black"))
    assert no(state, ORCS) == "CW-11"
    state = after(state, ChooseArmy("orcs"), seat="black")
    assert no(state, ChooseArmy("elves"), seat="black") == "CW-11"
    assert offered(state, "choose_army", "black") == []
    assert options_of(offered(state, "choose_army", "white")[0], "army") == list(ARMIES)
    assert "orcs" in repr(GAME.view(state, "white")), "everybody hears it"
    ruling = ruled(state, ChooseArmy("orcs"), seat="white")
    assert clauses(ruling.reasons) == ["CW-11", "CW-12"], "the same army again is only advised against"
    assert ruling.outcome.phase == "raising"
    assert no(ruling.outcome, RaiseArmy("elves", pawn=2), seat="white") == "CW-11"
    assert [offer.given["army"] for offer in offered(ruling.outcome, "raise_army", "white")] == ["orcs"]
    assert no(state, Ready(), seat="screen") == "CW-01"


@pytest.mark.clause("CW-11", "CW-18", "CW-20")
def test_in_secret_nobody_learns_an_army_before_all_are_deployed() -> None:
    state = start(race="secret")
    assert state.phase == "raising"
    assert [offer.given["army"] for offer in offered(state, "raise_army", "white")] == list(ARMIES)
    assert no(state, ChooseArmy("orcs"), seat="white") == "CW-11"
    ruling = ruled(state, ORCS, seat="white")
    assert {reason.seat for reason in ruling.reasons} == {"white"}
    assert english(ruling.headline) == "White raises an army"
    for army in (RaiseArmy("elves", pawn=2), RaiseArmy("humans", rook=4)):
        other = after(state, army, seat="white")
        for seat in ("black", "screen", "rulekeeper"):
            assert GAME.view(other, seat) == GAME.view(ruling.outcome, seat)
            assert GAME.offers(other, seat) == GAME.offers(ruling.outcome, seat)
    assert not ruling.reveals
    state = after(ruling.outcome, RaiseArmy("humans", pawn=2), seat="black")
    state = after(state, Ready(), seat="white")
    both = ruled(state, Ready(), seat="black")
    assert both.reveals
    assert len(_pieces(both.outcome, "black")) == 14 + 1 + 2 + 1


def _pieces(state: State, seat: str) -> tuple[Any, ...]:
    return next(panel.pieces for panel in GAME.view(state, seat).panels if isinstance(panel, Board))


@pytest.mark.parametrize("options", [{}, {"extended_armies": True}])
def test_nobody_chooses_an_army_blind(options: dict[str, Any]) -> None:
    aids = {sheet.id for sheet in GAME.rulebook.sheet}
    (offer,) = offered(start(**options), "choose_army", "white")
    for option in offer.fields[0].options:
        army = ARMIES[option.value]
        assert option.note is not None
        said = english(option.note)
        points = army.points * (2 if options else 1)
        assert f"{points} points: " in said
        assert all(english(Text(kind.id)) in said for kind in army.unit if not kind.general)
        assert said.index(". ") > 30, "a sentence of character comes first"
        assert option.sheet in aids


@pytest.mark.clause("CW-13", "CW-180")
def test_who_buys_reads_what_the_generals_and_every_unit_can_do() -> None:
    for offer in offered(start(race="secret"), "raise_army", "white"):
        army = ARMIES[offer.given["army"]]
        assert [clauses(offer.advice), offer.sheet] == [["CW-13"], army.id]
        assert english(offer.advice[0].text).startswith(f"{english(Text(army.general.id))}, free. Moves ")
        assert all(field.hint is not None for field in offer.fields)
        assert offer.among is not None
        assert offer.among.hint == Text(f"about.{army.id}")
    (extended,) = offered(chosen("orcs", "elves", extended_armies=True), "raise_army", "white")
    assert english(extended.advice[0].text).startswith("Two generals, free: Warlord. Moves ")


@pytest.mark.clause("CW-14", "CW-19")
def test_units_placed_by_hand_stay_where_they_are_when_the_army_is_changed() -> None:
    state = after(chosen("orcs", "elves"), RaiseArmy("orcs", queen=1, pawn=2), seat="white")
    lined_up = after(state, RaiseArmy("orcs", pawn=3), seat="white")
    assert lined_up == after(chosen("orcs", "elves"), RaiseArmy("orcs", pawn=3), seat="white")
    state = after(state, Deploy("wp1", "a1"), seat="white")
    before = {unit.id: unit.square for unit in state.units}
    changed = {unit.id: unit.square for unit in after(state, RaiseArmy("orcs", rook=1, pawn=3), seat="white").units}
    assert {name: changed[name] for name in ("wk1", "wp1", "wp2")} == {
        name: before[name] for name in ("wk1", "wp1", "wp2")
    }
    assert set(changed) == {"wk1", "wr1", "wp1", "wp2", "wp3"}
    assert len(set(changed.values())) == len(changed)
    assert set(changed.values()) <= set(home(state.options, "white"))


@pytest.mark.clause("CW-18", "CW-20", "CW-27")
@pytest.mark.parametrize(
    "action",
    [Deploy("bp1", "a1"), Cover("bp1"), Move("bp1", "a2"), Cast("bp1", "storm"), Shoot("bp1", "bk1")],
)
def test_nobody_finds_out_by_trying_which_units_the_other_has(action: Any) -> None:
    few = raised("orcs", "elves", race="declared")
    none = after(few, RaiseArmy("elves", knight=1), seat="black")
    one, other = (refusal(state, action, seat="white") for state in (few, none))
    assert (one.text, one.clause, one.field) == (other.text, other.clause, other.field)


@pytest.mark.clause("CW-13", "CW-14", "CW-17", "CW-18")
def test_an_army_is_its_general_and_what_its_points_buy() -> None:
    state = after(chosen("orcs", "elves"), ORCS, seat="white")
    assert [unit.type for unit in state.units if unit.side == "white"].count("orc_warlord") == 1
    assert len(state.units) == 15
    assert english(GAME.view(state, "white").panels[-1].rows[-1][1]) == "0"
    (offer,) = offered(state, "raise_army", "white")
    assert {field.name: field.value for field in offer.fields} == {
        "queen": 1,
        "rook": 0,
        "bishop": 0,
        "knight": 0,
        "pawn": 13,
    }
    assert offer.budget is not None
    assert offer.budget.points == 16
    less = ruled(state, RaiseArmy("orcs", pawn=1), seat="white")
    assert clauses(less.reasons) == ["CW-14", "CW-17"]
    assert less.reasons[1].text.places["count"] == 15
    assert len(less.outcome.units) == 2, "a new army stands in the old one's place"
    assert [reason.clause for reason in GAME.view(less.outcome, "white").advice] == ["CW-17"]
    assert no(chosen("orcs", "elves"), Ready(), seat="white") == "CW-13"


@pytest.mark.clause("CW-14", "CW-15", "CW-16", "CW-04")
@pytest.mark.parametrize(
    ("army", "counts", "clause", "field"),
    [
        ("orcs", {"pawn": 17}, "CW-15", "pawn"),
        ("elves", {"knight": 3}, "CW-15", "knight"),
        ("orcs", {"queen": 2, "pawn": 11}, "CW-14", "pawn"),
        ("elves", {"queen": 2, "knight": 2, "bishop": 4}, "CW-14", "queen"),
        ("dwarves", {"knight": 1}, "CW-16", "knight"),
        ("ratmen", {"knight": 1, "pawn": 99}, "CW-16", "knight"),
    ],
)
def test_an_army_that_may_not_be_is_refused_and_the_one_before_is_kept(
    army: Any, counts: dict[str, int], clause: str, field: str
) -> None:
    state = after(chosen(army, "orcs"), RaiseArmy(army, pawn=2), seat="white")
    refused = refusal(state, RaiseArmy(army, **counts), seat="white")
    assert (refused.clause, refused.field) == (clause, field)
    assert sum(unit.side == "white" for unit in state.units) == 3


@pytest.mark.clause("CW-180")
def test_extended_armies_have_double_points_maxima_and_generals() -> None:
    state = chosen("elves", "orcs", extended_armies=True, size=16)
    state = after(state, RaiseArmy("elves", queen=4, bishop=8, knight=2), seat="white")
    assert sum(unit.kind.general for unit in state.units) == 2
    assert len(state.units) == 16
    assert no(state, RaiseArmy("elves", queen=5), seat="white") == "CW-15"
    assert no(state, RaiseArmy("elves", queen=4, bishop=8, knight=3), seat="white") == "CW-14"


@pytest.mark.clause("CW-19")
@pytest.mark.parametrize("options", [Options(), Options(extended_armies=True), *map(many, ("three", "four", "teams"))])
def test_the_largest_army_finds_room_on_its_home_squares(options: Options) -> None:
    bought = (takewhile(army.points.__ge__, accumulate(prices(army))) for army in ARMIES.values())
    largest = max(1 + len(list(units)) for units in bought)
    assert all(len(home(options, side)) >= largest * (2 if options.extended else 1) for side in sides(options))


def prices(army: Army) -> list[int]:
    return sorted(kind.cost for kind in army.unit for _ in range(kind.max) if not kind.general)


@pytest.mark.clause("CW-19", "CW-167", "CW-178", "CW-179")
@pytest.mark.parametrize("battle", ["two", "three", "four", "teams"])
@pytest.mark.parametrize("size", range(8, 17))
def test_home_squares_are_three_ranks_of_its_own_for_every_army(battle: Any, size: int) -> None:
    options = Options(sides=battle, size=size)
    board, homes = grid(options), {side: home(options, side) for side in sides(options)}
    assert options.squares == (size if battle == "two" else max(size, 14))
    every = [square for squares in homes.values() for square in squares]
    assert len(every) == len(set(every))
    assert all(square in board for square in every)
    width = options.squares
    for side, squares in homes.items():
        files, ranks = {square[0] for square in squares}, {int(square[1:]) for square in squares}
        assert len(squares) == len(files) * len(ranks)
        assert 3 in {len(files), len(ranks)}
        far = side == "black" or (side == "blue" and battle == "teams")
        if side in {"white", "black"} or battle == "teams":
            assert ranks == ({width - 2, width - 1, width} if far else {1, 2, 3})
            shared = width // 2 if side in {"white", "black"} else width - width // 2
            assert len(files) == (shared if battle == "teams" else width)
            assert int(squares[0][1:]) == (width - 2 if far else 3), "the front rank first"
        else:
            assert files == (set(board.files[:3]) if side == "red" else set(board.files[-3:]))
            assert ranks == set(range(4, width - 2)), "the corners are the others'"


@pytest.mark.clause("CW-19", "CW-20")
def test_units_are_placed_on_home_squares_and_change_places() -> None:
    state = raised("orcs", "elves")
    places = [unit.square for unit in state.units if unit.side == "white"]
    assert places == ["d3", "e3", "c3", "f3"], "the pawns in front, from the middle outwards"
    assert {unit.square[1:] for unit in state.units if unit.side == "black" and unit.square} == {"6"}
    moved = ruled(state, Deploy("wp1", "a1"), seat="white")
    assert moved.outcome.unit("wp1").square == "a1"
    assert [reason.seat for reason in moved.reasons] == ["white"]
    swapped = after(moved.outcome, Deploy("wk1", "a1"), seat="white")
    assert (swapped.unit("wk1").square, swapped.unit("wp1").square) == ("a1", "f3")
    assert no(state, Deploy("wp1", "a4"), seat="white") == "CW-19"
    assert no(state, Deploy("wp1", "z9"), seat="white") == "CW-19"
    offers = offered(state, "deploy", "white")
    assert {offer.given["unit"] for offer in offers} == {"wk1", "wp1", "wp2", "wp3"}
    place, change = (offer for offer in offers if offer.on == "wp1")
    assert (english(place.label), english(change.label)) == ("Place: Orcs d3", "Swap places: Orcs d3")
    assert set(options_of(place, "to")) == set(home(state.options, "white")) - set(places)
    assert set(options_of(change, "to")) == set(places) - {"d3"}
    assert change.given["swaps"]
    assert after(state, Deploy("wp1", "e3", swaps=True), seat="white").unit("wp2").square == "d3"
    assert no(moved.outcome, Deploy("wp2", "d3", swaps=True), seat="white") == "CW-19", "said of a page before"
    lonely = state.but(units=tuple(unit for unit in state.units if unit.id in {"wp1", "bk1"}))
    assert [english(offer.label) for offer in offered(lonely, "deploy", "white")] == ["Place: Orcs d3"]
    ready = after(state, Ready(), seat="white")
    assert no(ready, Deploy("wp1", "a1"), seat="white") == "CW-20"
    assert no(ready, RaiseArmy("orcs", pawn=1), seat="white") == "CW-18"
    assert no(ready, Ready(), seat="white") == "CW-20"
    table = raised("orcs", "elves", board="table")
    assert no(table, Deploy("wp1", "a1"), seat="white") == "CW-19"
    assert offered(table, "deploy", "white") == []


@pytest.mark.clause("CW-21", "CW-23", "CW-18", "CW-20")
@pytest.mark.parametrize(
    "armies", [("humans", "undead"), ("undead", "elves"), ("ratmen", "orcs"), ("dwarves", "chaos")]
)
def test_the_lower_initiative_moves_first_and_the_other_may_rearrange(armies: Any) -> None:
    ruling = shown(*armies)
    quick = min(armies, key=lambda army: list(ARMIES).index(army))
    first, second = ("white", "black") if quick == armies[0] else ("black", "white")
    assert english(ruling.headline) == f"The armies are seen: the first turn is for {first.capitalize()}"
    state = ruling.outcome
    assert (state.phase, GAME.view(state, "screen").to_move) == ("redeploying", (second,))
    assert len(_pieces(state, first)) == 8, "everybody sees everything"
    assert no(state, Deploy(f"{first[0]}k1", "a1"), seat=first) == "CW-23"
    assert no(state, RaiseArmy("orcs", pawn=1), seat=second) == "CW-23"
    assert no(state, Move(f"{first[0]}p1", "d4"), seat=first) == "CW-20"
    assert {offer.action for offer in GAME.offers(state, first)} <= {"surrender"}
    moved = ruled(state, Deploy(f"{second[0]}k1", home(state.options, second)[-1]), seat=second)
    assert (clauses(moved.reasons), moved.reasons[0].seat) == (["CW-23"], None)
    begun = ruled(moved.outcome, Ready(), seat=second)
    assert english(begun.headline) == f"Now it is {first.capitalize()}'s turn"
    assert (begun.outcome.phase, begun.outcome.round, begun.outcome.acting) == ("movement", 1, (first,))
    assert no(begun.outcome, Deploy("wp1", "a1"), seat=second) == "CW-20"
    assert no(begun.outcome, Ready(), seat=second) == "CW-20"
    assert no(state, Ready("raising"), seat=second) == "CW-25", "said of the deployment, on an old page"
    assert after(state, Ready("redeploying"), seat=second).phase == "movement"


@pytest.mark.clause("CW-22", "CW-10")
def test_who_chose_the_same_army_rolls_for_it_and_ties_roll_again() -> None:
    assert shown("orcs", "orcs", rolls=((2, 5),)).outcome.order == (1, 0)
    ruling = shown("orcs", "orcs", rolls=((3, 3), (6, 6), (4, 1)))
    assert ruling.outcome.order == (0, 1)
    assert clauses(ruling.reasons).count("CW-22") == 6
    with pytest.raises(Pending) as pending:
        shown("orcs", "orcs", rolls=((3, 3),))
    question = pending.value.question
    assert isinstance(question, Together)
    assert set(question.questions) == {"white", "black"}
    with pytest.raises(Refusal) as refused:
        shown("orcs", "orcs", rolls=((7, 3),))
    assert refused.value.clause == "CW-10"


@pytest.mark.clause("CW-22", "CW-21", "CW-178")
def test_of_four_armies_only_those_roll_that_share_an_initiative() -> None:
    armies = ("orcs", "elves", "orcs", "orcs")
    ruling = shown(*armies, sides="four", rolls=((2, 4, 2), (5, 0, 6)))
    assert ruling.outcome.order == (1, 2, 3, 0)
    assert GAME.view(ruling.outcome, "screen").to_move == ("white", "red", "blue")
    state = ruling.outcome
    for side in ("blue", "white"):
        state = after(state, Ready(), seat=side)
        assert state.phase == "redeploying"
    assert after(state, Ready(), seat="red").acting == ("black",)


@pytest.mark.clause("CW-21", "CW-179")
def test_partners_move_when_the_quicker_of_them_does() -> None:
    seen = shown("undead", "humans", "elves", "orcs", sides="teams")
    assert english(seen.headline) == "The armies are seen: the first turn is for White and Red"
    state = seen.outcome
    assert state.order == (0, 1)
    assert state.ready == ("white", "red")
    begun = ruled(after(state, Ready(), seat="blue"), Ready(), seat="black")
    assert english(begun.headline) == "Now it is White and Red's turn"
    assert begun.outcome.acting == ("white", "red")
    facts = next(panel for panel in GAME.view(begun.outcome, "screen").panels if isinstance(panel, Facts))
    allies = [english(value) for label, value in facts.rows if english(label) == "Allies"]
    assert allies == ["White and Red against Black and Blue"], "said once"


@pytest.mark.clause("CW-22")
@pytest.mark.parametrize("dice", ["typed", "app"])
def test_the_roll_off_at_a_table(tmp_path: Path, dice: str) -> None:
    with open_tables(tmp_path, random.Random(4), chesswar=GAME) as tables:
        table = campaign(tables, dice, race="secret")
        for seat in ("white", "black"):
            table.act(seat, "raise_army", army="elves", pawn=5)
            table.act(seat, "ready")
        if dice == "typed":
            assert {waited.seat for waited in table.seen("screen").waiting} == {"white", "black"}
            table.answer("black", faces=[4])
            assert table.seen("white").asked is not None
            table.answer("white", faces=[4])
            table.answer("white", faces=[3])
            table.answer("black", faces=[5])
        last = table.seen("screen").last
        assert last is not None
        assert last.typed == (dice == "typed")
        thrown = [reason.faces[0] for reason in last.reasons if reason.clause == "CW-22"]
        winner = "White" if thrown[-2] > thrown[-1] else "Black"
        assert english(last.headline) == f"The armies are seen: the first turn is for {winner}"
        if dice == "typed":
            assert (thrown, winner) == ([4, 4, 3, 5], "Black")


@pytest.mark.clause("CW-168", "CW-01")
def test_terrain_is_placed_by_agreement() -> None:
    state = raised("orcs", "elves", terrain=True)
    state = after(state, Ready(), seat="black")
    placed = after(state, PlaceTerrain("d4", "forest"), seat="black")
    assert (placed.terrain, placed.ready) == ({"d4": "forest"}, ()), "everybody looks again"
    placed = after(placed, PlaceTerrain("d4", "hill"), seat="white")
    assert placed.terrain == {"d4": "hill"}
    assert after(placed, PlaceTerrain("d4", "open"), seat="white").terrain == {}
    assert no(placed, PlaceTerrain("i4", "hill"), seat="white") == "CW-01"
    assert len(options_of(offered(placed, "place_terrain", "white")[0], "to")) == 64
    bare = raised("orcs", "elves")
    assert no(bare, PlaceTerrain("d4", "hill"), seat="white") == "CW-168"
    assert offered(bare, "place_terrain", "white") == []
    for side in ("white", "black"):
        placed = after(placed, Ready(), seat=side)
    assert no(placed, PlaceTerrain("d4", "open"), seat="white") == "CW-23"


@pytest.mark.clause("CW-164")
def test_one_of_two_may_give_up_before_the_first_move() -> None:
    state = raised("orcs", "elves")
    assert after(state, Surrender(), seat="white").winner == ("black",)
    more = raised("orcs", "elves", "humans", sides="three")
    assert no(more, Surrender(), seat="white") == "CW-20"
    assert all(offered(one, "surrender", "white") for one in (state, shown("orcs", "elves").outcome))
    assert not offered(more, "surrender", "white")

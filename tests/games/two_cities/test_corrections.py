"""Corrections: every tracked value can be set by hand, and nothing else changes."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.games.two_cities.components import CARDS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.movement import Move
from companion.games.two_cities.turn import EndTurn
from companion.kit.correction import written
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from tests.support.conformance import any_value, settle
from tests.support.correction_tests import Mending
from tests.support.toy_tables import Sitting, open_tables
from tests.support.two_cities_positions import CITIES, Plays, after, choosing, fresh, offered, playing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POSITION = f"{CITIES}, w1 li a2 1, w2 ar e2, b1 hi a5, b2 lc f7"


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Sitting]:
    """A table at which White has to choose a card."""
    with open_tables(tmp_path, two_cities=GAME) as tables:
        made = tables.create("two_cities", "", {}, {})
        for side in ("white", "black"):
            made.tokens[side] = tables.join(made.table, side, side.capitalize())
        sitting = Sitting(tables, made.table, made.tokens)
        sitting.act("white", "ready")
        sitting.act("black", "ready")
        yield sitting


def correct(state, path: str, value: str, *drawn: str):
    return GAME.correct(state, path, value, Plays(drawn=drawn))


def value_of(state, path: str):
    return next(entry.field.value for entry in GAME.tracked(state) if entry.path == path)


def everywhere(state) -> Counter[str]:
    in_play = (state.card,) if state.card else ()
    hands = [code for hand in state.hands.values() for code in hand]
    return Counter([*state.draw_pile, *state.discard_pile, *state.removed, *in_play, *hands])


def running_out(left: int):
    """White chooses a card, and only so many are left to draw."""
    state = choosing(POSITION, ("AH", "4C", "QS"))
    return state.but(draw_pile=state.draw_pile[:left], discard_pile=state.draw_pile[left:])


STATES = {
    "choosing": choosing(POSITION, ("AH", "4C", "QS")),
    "playing": playing(POSITION, "2H"),
    "set_up": fresh().but(phase="set_up", hands={}, draw_pile=()),
    "real": fresh(cards="real"),
    "table": fresh(board="table"),
    "last_card": running_out(1),
    "none_to_draw": running_out(0),
    "finished": playing(POSITION, "2H").but(phase="finished", winner="black"),
}


@pytest.mark.parametrize("name", STATES)
def test_setting_a_value_to_what_it_is_changes_nothing(name: str) -> None:
    state = STATES[name]
    tracked = GAME.tracked(state)
    assert len({entry.path for entry in tracked}) == len(tracked)
    for entry in tracked:
        if name == "finished" and entry.path == "game.phase":
            continue
        same = correct(state, entry.path, written(entry.field))
        assert msgspec.json.encode(same) == msgspec.json.encode(state), entry.path


@pytest.mark.sized
@pytest.mark.parametrize("name", STATES)
def test_any_sequence_of_corrections_leaves_a_table_that_can_be_played(name: str, full: bool) -> None:
    for seed in range(60 if full else 15):
        rng, state = random.Random(seed), STATES[name]
        for _ in range(12):
            entry = rng.choice(GAME.tracked(state))
            state = corrected(state, entry.path, any_value(entry.field, rng), rng)
            assert msgspec.json.decode(msgspec.json.encode(state), type=GAME.state) == state
            for seat in ("white", "black", "screen"):
                view, offers = GAME.view(state, seat), GAME.offers(state, seat)
                if seat in view.to_move and state.phase != "set_up":
                    assert [offer for offer in offers if not offer.grave], state
            if name in {"choosing", "playing", "finished", "last_card", "none_to_draw"}:
                assert everywhere(state) == Counter(dict.fromkeys(CARDS, 1))
            if name in {"real", "table"}:
                assert sum(everywhere(state).values()) == len(CARDS)


def corrected(state, path: str, value: str, rng: random.Random):
    """The state after a correction; where it is refused, in words of both languages, the state as it was."""
    try:
        return settle(lambda ask: GAME.correct(state, path, value, ask), rng)[0]
    except Refusal as refused:
        said = refused.text.say
    assert GAME.words.find(said, "es"), said
    return state


def test_units() -> None:
    state = STATES["choosing"]
    assert correct(state, "unit.w1.hits", "3").unit("w1").hits == 3
    assert correct(state, "unit.w1.square", "h4").unit("w1").square == "h4"
    gone = correct(state, "unit.w1.square", "off")
    assert gone.at("a2") is None
    assert correct(gone, "unit.w1.square", "a3").unit("w1").square == "a3"
    assert correct(state, "unit.w1.kind", "archers").unit("w1").piece == "king"
    assert correct(state, "unit.w1.side", "black").unit("w1").side == "black"
    assert correct(state, "unit.w1.mercenary", "true").unit("w1").mercenary
    with pytest.raises(Refusal) as refused:
        correct(state, "unit.w1.square", "e2")
    assert refused.value.clause == "TTC-73"
    with pytest.raises(Refusal):
        correct(state, "unit.w1.kind", "city")


def test_the_units_of_this_turn() -> None:
    state = STATES["playing"]
    assert correct(state, "unit.w1.done", "true").unit("w1").done
    assert correct(state, "unit.w1.moved", "true").unit("w1").moved
    assert correct(state, "unit.w1.attacks", "1").unit("w1").attacks == 1
    assert correct(state, "unit.w2.activated", "left").unit("w2").activated == "left"
    assert not correct(state, "unit.w1.activated", "no").unit("w1").activated


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("unit.wc.hits", "5"),
        ("unit.wa.hits", "-1"),
        ("unit.wa.hits", "two"),
        ("unit.wa.hits", "٣"),
        ("unit.wa.square", "z9"),
        ("unit.wa.mercenary", "perhaps"),
        ("cards.white", "AH,5H"),
        ("nothing", "1"),
        ("unit.nobody.hits", "1"),
        ("game.active", "red"),
        ("game.turn", "0"),
        ("", ""),
        ("terrain.forest.3", "a4"),
    ],
)
def test_a_value_that_cannot_be_is_refused(begun: Sitting, path: str, value: str) -> None:
    before = begun.seen("screen").version
    with pytest.raises(Problem) as refused:
        begun.correct("rulekeeper", path, value)
    assert (refused.value.status, begun.seen("screen").version) == (400, before)


def test_terrain() -> None:
    state = STATES["choosing"].but(terrain={"a4": "forest", "c4": "forest", "d5": "hill", "h5": "hill"})
    assert correct(state, "terrain.forest.2", "g7").terrain == {
        "a4": "forest",
        "d5": "hill",
        "g7": "forest",
        "h5": "hill",
    }
    assert correct(state, "terrain.hill.1", "off").terrain == {"a4": "forest", "c4": "forest", "h5": "hill"}
    with pytest.raises(Refusal):
        correct(state, "terrain.hill.1", "a4")


def test_a_hand_is_exchanged_with_where_its_new_cards_were() -> None:
    state = STATES["choosing"]
    pile_card, other_card = state.draw_pile[0], state.hands["black"][0]
    drawn = correct(state, "cards.white", f"AH,4C,{pile_card}")
    assert drawn.hands["white"] == ("AH", "4C", pile_card)
    assert "QS" in drawn.draw_pile
    assert drawn.hands["black"] == state.hands["black"]
    swapped = correct(state, "cards.white", f"AH,4C,{other_card}", pile_card)
    assert (swapped.hands["white"], swapped.hands["black"][2]) == (("AH", "4C", other_card), pile_card)
    assert "QS" in swapped.draw_pile
    fewer = correct(state, "cards.white", "AH")
    assert {"4C", "QS"} <= set(fewer.draw_pile)
    more = correct(state, "cards.white", f"AH,4C,QS,{other_card}")
    assert len(more.hands["black"]) == 3


def test_hands_are_secret_and_public_piles_are_not() -> None:
    secret = {entry.path: entry.secret_of for entry in GAME.tracked(STATES["choosing"])}
    assert (secret["cards.white"], secret["cards.black"]) == ("white", "black")
    assert {secret[path] for path in secret if path not in {"cards.white", "cards.black"}} == {None}


def test_the_choices_of_a_secret_hand_tell_nothing() -> None:
    state = STATES["choosing"]
    fields = {entry.path: entry.field for entry in GAME.tracked(state)}
    listed = {option.value for option in fields["cards.black"].options}
    assert listed == set(CARDS) - set(state.discard_pile) - set(state.removed)


def test_piles_and_the_card_in_play() -> None:
    state = STATES["choosing"]
    state = correct(state, "cards.discard_pile", "KS,4H")
    assert set(state.discard_pile) == {"KS", "4H"}
    state = correct(state, "cards.removed", "KS")
    assert (state.discard_pile, state.removed) == (("4H",), ("KS",))
    state = correct(state, "cards.card_in_play", "AH")
    assert (state.phase, state.card) == ("activations", "AH")
    assert state.hands["white"] == ("4C", "QS")
    assert [offer.on for offer in offered(state, "move")] == ["w1"]
    state = correct(state, "cards.card_in_play", "none")
    assert (state.phase, state.card) == ("choose_card", None)
    assert set(state.hands["white"]) == {"AH", "4C", "QS"}


def test_a_real_deck_is_corrected_by_counts_and_faces() -> None:
    state = STATES["real"]
    state = correct(state, "cards.white", "2")
    assert (len(state.hands["white"]), len(state.draw_pile)) == (2, 19)
    state = correct(state, "cards.discard_pile", "AH,KS")
    assert (state.discard_pile, len(state.draw_pile)) == (("AH", "KS"), 17)
    state = correct(state, "cards.removed", "KS")
    assert (state.discard_pile, state.removed, len(state.draw_pile)) == (("AH",), ("KS",), 17)
    state = correct(state, "cards.card_in_play", "2H")
    assert (state.card, len(state.hands["white"])) == ("2H", 1)


@pytest.mark.parametrize("name", ["choosing", "real"])
def test_a_hand_emptied_by_hand_still_has_a_turn_to_end(name: str) -> None:
    state = correct(STATES[name], "cards.white", "" if name == "choosing" else "0")
    (end, surrender) = GAME.offers(state, "white")
    assert (end.action, end.main, surrender.action) == ("end_turn", True, "surrender")
    state = after(state, EndTurn())
    assert (state.active, len(state.hands["white"])) == ("black", 1)


def test_whose_turn_and_which_step() -> None:
    state = STATES["playing"]
    other = correct(state, "game.active", "black")
    assert (other.active, other.phase, other.card) == ("black", "choose_card", None)
    assert "2H" in other.hands["white"]
    back = correct(state, "game.phase", "choose_card")
    assert (back.phase, back.card, back.active) == ("choose_card", None, "white")
    with pytest.raises(Refusal):
        correct(STATES["choosing"], "game.phase", "activations")
    assert correct(state, "game.turn", "17").turn == 17
    assert correct(state, "purchases.black", "2").purchases["black"] == 2


def test_who_won() -> None:
    over = correct(STATES["playing"], "game.winner", "black")
    assert (over.winner, over.phase) == ("black", "finished")
    assert GAME.view(over, "white").over
    again = correct(over, "game.winner", "none")
    assert (again.winner, again.phase) == (None, "activations")


@pytest.mark.clause("TTC-128")
@pytest.mark.parametrize("mirrored", [True, False])
def test_a_game_that_goes_on_after_its_end_says_whose_city_has_to_be_put_back(mirrored: bool) -> None:
    state = playing("wc ci d1, bc ci d8 3, w1 li d7, b1 hi a5", "2H")
    if not mirrored:
        units = tuple(msgspec.structs.replace(unit, square=None) for unit in state.units)
        state = state.but(units=units, options=GAME.options(board="table"))
    fallen = state.with_unit("bc", on_board=False, square=None).but(phase="finished", winner="white")
    again = correct(fallen, "game.winner", "none")
    by_hand = Mending(GAME, Plays)
    for seat in ("white", "black", "rulekeeper", "screen"):
        assert "Black has no city and cannot lose: put it back by hand." in by_hand.advised(again, seat)
        assert not [line for line in by_hand.advised(state, seat) if "no city" in line]
    back = correct(again, "unit.bc.square", "d8" if mirrored else "on")
    assert not [line for line in by_hand.advised(back) if "no city" in line]
    assert (back.phase, GAME.view(back, "white").to_move) == ("activations", ("white",))
    assert back.city("black") is not None


def test_a_correction_does_not_touch_the_turn() -> None:
    state = after(STATES["playing"], Move("w1", "a3"))
    corrected = correct(state, "unit.b1.hits", "2")
    assert (corrected.active, corrected.turn, corrected.phase, corrected.card) == ("white", 1, "activations", "2H")

"""What a seat sees: what to do next in a sentence, the board, the hand, advice."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from companion.games.two_cities.attack import Attack
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.turn import Surrender
from companion.kit.panels import Board, Facts, Hand, Phases
from companion.kit.text import speak
from companion.web.play import action_plan
from tests.support.armed import armed, made_of
from tests.support.playing import options_of
from tests.support.two_cities_positions import CITIES, after, choosing, fresh, offered, playing
from tests.support.watch import worded

POSITION = f"{CITIES}, w1 li a2 1, w2 ar e2, b1 hi a5, b2 lc f7"


def spoken(state: Any, seat: str, language: str = "en") -> str:
    return speak(GAME.view(state, seat).headline, lambda key: worded(GAME, key, language) or key)


def panel(state: Any, seat: str, kind: Any) -> Any:
    return next(panel for panel in GAME.view(state, seat).panels if isinstance(panel, kind))


def test_the_headline_says_what_to_do_next() -> None:
    state = choosing(POSITION, ("AH", "4C", "3H"))
    assert spoken(state, "white") == "Choose a card to play."
    assert spoken(state, "black") == "White chooses a card."
    assert spoken(state, "screen", "es") == "Las blancas eligen una carta."
    state = after(state, PlayCard("3H"))
    assert spoken(state, "white") == "Move and fight with your 2 active units."
    assert spoken(state, "black") == "White plays One on each side."
    state = after(state, Move("w2", "e3"))
    assert spoken(state, "white") == "Move and fight with your active unit."
    state = after(state, Move("w1", "a4"))
    assert spoken(state, "white") == "Fight with the unit that moved: it is in contact with an enemy."
    state = after(state, Attack("w1", "b1"), 3, 3)
    assert spoken(state, "white") == "Nothing is left to do: end the turn."
    assert spoken(after(state, Surrender(), seat="black"), "screen", "es") == "Ganan las blancas."


def test_the_headline_lets_a_unit_that_moved_hold_its_fire() -> None:
    state = after(choosing(f"{CITIES}, w1 ar e2, b1 lc f6", ("AS", "4C", "3H")), PlayCard("AS"))
    state = after(state, Move("w1", "e4"))
    assert spoken(state, "white") == "Fight with the unit that moved, or leave it as it is."


def test_the_headline_counts_the_units_to_choose() -> None:
    many = f"{POSITION}, w3 li b2, w4 li c2, w5 li f2"
    assert spoken(playing(many, "2H"), "white") == "Move or fight with 2 units on the left."
    assert spoken(playing(many, "AS"), "white") == "Move or fight with a unit on the right."
    assert spoken(playing(many, "10S"), "white") == "Move or fight with 3 units."
    assert (
        spoken(playing(many, "3H"), "white", "es")
        == "Mueve o combate con una unidad de la izquierda y otra de la derecha."
    )
    assert spoken(choosing(f"{CITIES}, b1 li a8", ("AH", "2S", "3D")), "white") == (
        "None of your cards can be played: discard one."
    )


def test_set_up_is_explained() -> None:
    state = fresh().but(phase="set_up", ready=("white",), hands={})
    assert spoken(state, "white") == "Black looks at the position."
    assert spoken(state, "black").startswith("Look at the position")
    assert spoken(state.but(ready=()), "screen") == "Both players look at the position."


@pytest.mark.clause("TTC-03")
def test_every_unit_says_what_it_can_do() -> None:
    state = playing("wc ci d1, bc ci d8, w1 hi c2, b1 ar c7", "2H")
    hints = {piece.id: piece.hint for piece in panel(state, "black", Board).pieces}

    def said(unit: str, tongue: str) -> str:
        return speak(hints[unit], lambda key: worded(GAME, key, tongue) or key)

    assert said("w1", "en") == "Moves 1 square"
    assert armed(GAME, state, "black", "w1") == {"Melee": {"Dice": "5"}}
    assert said("b1", "es") == "Mueve 2 casillas"
    assert armed(GAME, state, "black", "b1") == {
        "Melee": {"Dice": "2"},
        "Shot": {"Range": "3", "Dice": "2"},
        "Shot after moving": {"Dice": "1"},
    }
    assert said("wc", "en") == "Neither moves nor attacks"
    assert armed(GAME, state, "black", "wc") == {}


def test_the_board_is_turned_for_black_only() -> None:
    state = choosing(POSITION, ("AH", "4C", "3H"), terrain={"c4": "forest"})
    boards = {seat: panel(state, seat, Board) for seat in ("white", "black", "screen")}
    assert [boards[seat].turned for seat in ("white", "black", "screen")] == [False, True, False]
    piece = next(piece for piece in boards["screen"].pieces if piece.id == "w1")
    assert (piece.square, piece.hits, piece.strength, piece.side) == ("a2", 1, 4, "white")
    assert [(square.square, square.kind) for square in boards["screen"].terrain] == [("c4", "forest")]


def test_units_say_what_they_did() -> None:
    state = playing(f"{POSITION}, w3 li b2, w4 li c2", "2H")
    state = after(state, Move("w3", "b3"))
    badges = {piece.id: [badge.say for badge in piece.badges] for piece in panel(state, "black", Board).pieces}
    assert badges["w3"] == ["has moved", "finished"]
    assert badges["w4"] == ["to act"]
    assert badges["b1"] == []
    assert ("b3", "acting") not in panel(state, "black", Board).tint


def test_the_newest_attack_is_marked_on_the_board() -> None:
    state = playing(f"{CITIES}, w1 ar d3, b1 hi d5, w2 li a1", "2H")
    state = after(state, Attack("w1", "b1"), 3, 3)
    assert set(panel(state, "screen", Board).tint) == {("d3", "came_from"), ("d5", "target")}


@pytest.mark.clause("TTC-37", "TTC-65")
def test_the_hand_shows_what_cannot_be_played_and_why() -> None:
    state = choosing(f"{CITIES}, w1 li f3, b1 li c1, b2 hi e1, b3 li d2", ("AH", "JD", "AS"))
    cards = {card.code: card for card in panel(state, "white", Hand).cards}
    assert {code: card.barred and card.barred.clause for code, card in cards.items()} == {
        "AH": "TTC-37",
        "JD": "TTC-65",
        "AS": None,
    }
    assert (cards["AH"].rank, cards["AH"].suit, cards["AH"].clause) == ("A", "hearts", "TTC-29")
    assert all(card.barred is None for card in panel(state, "black", Hand).cards), "only in the own turn"


def test_phases_and_the_card_in_play() -> None:
    state = playing(POSITION, "10S")
    assert panel(state, "white", Phases).current == 1
    assert panel(choosing(POSITION, ("AH", "4C", "3H")), "white", Phases).current == 0
    rows = [label.say for label, _ in panel(state, "screen", Facts).rows]
    assert rows[0] == "Card in play"


def test_what_the_card_in_play_does_stays_in_sight_of_whom_it_addresses() -> None:
    state = playing(POSITION, "3H")
    note = GAME.view(state, "white").note
    assert (note.text.say, note.clause) == ("does.3H", "TTC-33")
    assert [GAME.view(state, seat).note for seat in ("black", "screen", "rulekeeper")] == [None] * 3
    nothing_left = replace(state, units=tuple(one for one in state.units if one.side == "black"))
    assert GAME.view(nothing_left, "white").headline.say == "Nothing is left to do: end the turn."
    assert GAME.view(nothing_left, "white").note is None
    assert GAME.view(choosing(POSITION, ("AH", "4C", "3H")), "white").note is None
    assert GAME.view(after(state, Surrender(), seat="white"), "white").note is None


@pytest.mark.clause("TTC-70", "TTC-133", "TTC-134", "TTC-135", "TTC-136")
def test_hints_when_they_apply() -> None:
    def clauses(state: Any, seat: str = "white") -> list[str | None]:
        return [reason.clause for reason in GAME.view(state, seat).advice]

    assert clauses(choosing(POSITION, ("4H", "4C", "3H"))) == ["TTC-70"]
    assert clauses(choosing(POSITION, ("4H", "4C", "4D"))) == []
    assert clauses(choosing(POSITION, ("4H", "4C", "3H")), "black") == []
    hills = {"e4": "hill", "a3": "forest"}
    assert clauses(playing(POSITION, "AH", terrain=hills)) == ["TTC-134"]
    assert clauses(playing(POSITION, "AS", terrain=hills)) == ["TTC-133"]
    assert clauses(playing(POSITION, "10S", terrain=hills)) == [], "nobody knows which of the two acts"
    assert clauses(playing(POSITION, "AS", terrain={"h8": "hill"})) == []
    assert clauses(playing(f"{CITIES}, w1 hi c4, b1 li c5", "AH")) == ["TTC-135"]
    assert clauses(playing(f"{CITIES}, w1 li d5", "AS")) == []
    assert clauses(playing(f"{CITIES}, w1 li d5", "AH")) == ["TTC-136"]


@pytest.mark.clause("TTC-135")
def test_a_closed_retreat_is_pointed_out_before_the_attack_on_that_unit_and_on_no_other() -> None:
    state = playing("wq hi e1, bq ci d8, bk hi b8, w1 lc c8", "AH")
    (attack,) = offered(state, "attack")
    advice = {option.value: [reason.clause for reason in option.advice] for option in attack.fields[0].options}
    assert advice == {"bk": ["TTC-135"], "bq": []}

    def told(**chosen: str) -> list[str]:
        sent = {"do": [urlencode({"action": "attack", "unit": "w1", "mode": "melee", **chosen})]}
        planned = action_plan.plan(GAME.actions, [attack], sent)
        assert planned is not None
        return [speak(reason.text, str) for reason in planned.advice]

    (closed,) = told(target="bk")
    assert closed == "black_heavy_infantry b8: its retreat is closed, so each 6 is a hit"
    assert told(target="bq") == []
    assert told() == [closed], "where nobody is chosen yet, what is true of any of them is said"


def sums(state: Any, unit: str) -> dict[str, list[tuple[str | None, int | None]]]:
    """The numbers of a unit that are not the printed ones, each with what it is made of."""
    shown = {piece.id: piece for piece in panel(state, "white", Board).pieces}[unit]
    assert all(line.value == sum(term.value or 0 for term in line.terms) for line in shown.now)
    own = {line.text.say: [(term.clause, term.value) for term in line.terms] for line in shown.now}
    return own | made_of(GAME, state, "white", unit)


@pytest.mark.clause("TTC-45", "TTC-42", "TTC-52", "TTC-72", "TTC-96")
def test_a_units_sheet_says_what_the_card_and_the_ground_change_now() -> None:
    state = playing(f"{CITIES}, w1 lc c4, w2 hi e2, b1 lc c8", "QS", terrain={"c4": "hill"})
    assert sums(state, "w1") == {
        "Movement": [("TTC-72", 4), ("TTC-45", 1)],
        "Shot: Range": [("TTC-91", 2), ("TTC-96", 1), ("TTC-45", 1)],
        "Shot: Dice": [("TTC-92", 2), ("TTC-96", 1), ("TTC-45", 1)],
        "Shot after moving: Dice": [("TTC-92", 1), ("TTC-96", 1), ("TTC-45", 1)],
    }, "the card and the hill leave its melee dice as they are"
    assert armed(GAME, state, "white", "w1")["Shot"] == {"Range": "4", "Dice": "4"}
    assert sums(state, "w2") == sums(state, "b1") == sums(state, "bc") == {}, "the card is for others"
    assert sums(playing(f"{CITIES}, w1 lc c4", "AH"), "w1") == {}


@pytest.mark.clause("TTC-78", "TTC-92", "TTC-99", "TTC-100")
def test_a_shot_that_a_unit_can_not_make_now_is_dimmed() -> None:
    state = playing(f"{CITIES}, w1 ar c4, w2 ar e4, w3 ar h3, b1 li e5", "2H", terrain={"h3": "forest"})
    state = state.with_unit("w1", moved=True).with_unit("w3", moved=True)
    assert armed(GAME, state, "white", "w1")["Shot"] == {"Range": "3", "Dice": "2", "spent": "it has moved"}
    assert armed(GAME, state, "white", "w1")["Shot after moving"] == {"Dice": "1"}
    assert armed(GAME, state, "white", "w2")["Shot"]["spent"] == "in contact"
    assert armed(GAME, state, "white", "w2")["Shot after moving"]["spent"] == "in contact"
    wasted = armed(GAME, state, "white", "w3")["Shot after moving"]
    assert (wasted["Dice"], wasted["spent"][:40]) == ("0", "A shooter that moved into a forest has n")


def test_offers_start_from_pieces_and_name_squares() -> None:
    state = playing(f"{CITIES}, w1 hi c4, b1 li d5", "AH")
    (move,) = offered(state, "move")
    assert move.on == "w1"
    assert options_of(move, "to") == ["b4", "c3", "c5", "d4"]
    assert [option.place for option in move.fields[0].options] == ["b4", "c3", "c5", "d4"]


def test_a_table_option_changes_what_is_offered() -> None:
    position = f"{CITIES}, w1 ar c4, b1 hi c5"
    assert not offered(playing(position, "6S", options=Options(phalanx_hold=True)), "move")
    assert not offered(playing(position, "KS", options=Options(double_rain_stationary=True)), "move")
    assert offered(playing(position, "6S"), "move")


def test_other_seats_have_nothing_to_do() -> None:
    state = playing(POSITION, "10S")
    assert GAME.offers(state, "screen") == GAME.offers(state, "rulekeeper") == ()
    assert [offer.action for offer in GAME.offers(state, "black")] == ["surrender"]


@pytest.mark.clause("TTC-94", "TTC-97", "TTC-98")
def test_who_cannot_be_shot_within_range_is_barred_with_its_clause() -> None:
    units = f"{CITIES}, w1 ar d4, b1 li d6, b2 li b4, b3 hi f4, b4 lc e6, b5 ar d7, b6 li h8"
    state = playing(units, "AH", terrain={"b4": "forest", "f4": "hill", "d5": "hill"})
    (attack,) = offered(state, "attack")
    options = {option.value: option.barred and option.barred.clause for option in attack.fields[0].options}
    assert options == {"b1": "TTC-94", "b2": "TTC-97", "b3": "TTC-98", "b4": None, "b5": "TTC-94"}

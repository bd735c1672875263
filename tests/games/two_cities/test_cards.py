"""The cards: what a real deck shows, what is drawn from where, and reinforcements in a game."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.games.two_cities.components import CARDS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.turn import EndTurn
from companion.kit.panels import Facts, Piles
from companion.kit.questions import Choose, Draw
from tests.support.playing import options_of
from tests.support.two_cities_positions import (
    CITIES,
    Plays,
    after,
    choosing,
    fresh,
    offered,
    playing,
    refusal,
    rule,
)
from tests.support.watch import read

DOWN = ("?",)


def piles(state, seat: str) -> dict[str, int]:
    (panel,) = (panel for panel in GAME.view(state, seat).panels if isinstance(panel, Piles))
    return {pile.name.say: pile.count for pile in panel.piles}


@pytest.mark.clause("TTC-26")
def test_the_24_cards() -> None:
    classes = Counter(card.card_class for card in CARDS.values())
    assert classes == {"sector": 16, "special": 5, "reinforcement": 3}


def test_a_real_deck_is_only_counted() -> None:
    state = fresh(cards="real")
    assert state.hands == {"white": DOWN * 3, "black": DOWN * 3}
    assert state.draw_pile == DOWN * 18
    assert not [panel for panel in GAME.view(state, "white").panels if type(panel).__name__ == "Hand"]
    (play,) = offered(state, "play_card")
    assert set(options_of(play, "card")) == set(CARDS), "any card that nobody has seen"


SORTED = "AS 2S 3S 4S 6S 10S JS QS KS AH 2H 3H 4H AC 2C 3C 4C AD 2D 3D 4D JD QD KD"


def test_the_cards_of_a_real_deck_are_listed_as_a_hand_is_sorted() -> None:
    state = fresh(cards="real")
    (play,) = offered(state, "play_card")
    assert " ".join(options_of(play, "card")) == SORTED
    lists = {one.path: one.field.options for one in GAME.tracked(state) if one.path.startswith("cards.")}
    for path in ("cards.discard_pile", "cards.removed", "cards.card_in_play"):
        assert " ".join(option.value for option in lists[path] if option.value != "none") == SORTED
    units = tuple(unit if unit.kind == "city" else unit.but(on_board=False, square=None) for unit in state.units)
    (throw,) = offered(state.but(units=units), "throw_away")
    thrown = options_of(throw, "card")
    assert thrown == [code for code in SORTED.split() if code in thrown], "also where none can be played"


@pytest.mark.clause("TTC-67", "TTC-68", "TTC-69")
def test_a_real_deck_is_followed_by_what_is_seen() -> None:
    state = fresh(cards="real")
    state = after(state, PlayCard("4H"))
    assert (len(state.hands["white"]), state.card) == (2, "4H")
    ruling = rule(state, "white", EndTurn())
    state = ruling.outcome
    assert (len(state.hands["white"]), len(state.draw_pile), state.discard_pile) == (3, 17, ("4H",))
    assert "{side}: draw a card" in [reason.text.say for reason in ruling.reasons]
    assert refusal(state, PlayCard("4H")).clause == "TTC-17"
    state = state.but(draw_pile=(), discard_pile=("4H", "4C"))
    state = after(state, PlayCard("4D"))
    ruling = rule(state, "black", EndTurn())
    state = ruling.outcome
    assert "TTC-69" in [reason.clause for reason in ruling.reasons]
    assert (len(state.draw_pile), state.discard_pile, len(state.hands["black"])) == (2, (), 3)


@pytest.mark.clause("TTC-54")
def test_a_special_of_a_real_deck_rolls() -> None:
    state = after(fresh(cards="real"), PlayCard("QS"))
    for unit in state.in_play("white"):
        state = state.with_unit(unit.id, done=True)
    state = after(state, EndTurn(), 2)
    assert state.removed == ("QS",)
    assert "QS" not in options_of(offered(state, "play_card")[0], "card")


@pytest.mark.clause("TTC-41", "TTC-38")
def test_a_card_of_a_real_hand_is_judged_by_itself() -> None:
    state = fresh(cards="real")
    for unit in state.in_play("white"):
        if unit.mobile:
            state = state.with_unit(unit.id, on_board=False, square=None)
    (throw,) = offered(state, "throw_away")
    sector = {code for code, card in CARDS.items() if card.left + card.right}
    assert set(options_of(throw, "card")) == sector
    assert set(options_of(offered(state, "play_card")[0], "card")) == set(CARDS) - sector
    assert refusal(state, ThrowAway("4H")).clause == "TTC-38"
    assert refusal(state, ThrowAway("QS")).clause == "TTC-39"


@pytest.mark.clause("TTC-14", "TTC-69", "TTC-Q04")
def test_both_draw_from_one_pile_and_the_discards_of_both_come_back() -> None:
    state = choosing(f"{CITIES}, w1 li a2", ("AH", "4C", "2H"))
    state = after(state, PlayCard("4C"))
    state = after(state, EndTurn())
    state = state.but(draw_pile=(), hands={**state.hands, "black": ("4S", *state.hands["black"][1:])})
    state = after(state, PlayCard("4S"))
    ask = Plays()
    state = rule(state, "black", EndTurn(), ask).outcome
    (draw,) = ask.asked
    assert isinstance(draw, Draw)
    assert draw.pile == ("4C", "4S")
    assert (len(state.draw_pile), state.discard_pile) == (1, ())


@pytest.mark.clause("TTC-68")
def test_with_nothing_to_draw_the_game_goes_on() -> None:
    state = playing(f"{CITIES}, w1 li a2", "JD").but(draw_pile=(), discard_pile=())
    ruling = rule(state, "white", EndTurn())
    assert len(ruling.outcome.hands["white"]) == 2
    assert ruling.outcome.active == "black"


@pytest.mark.clause("TTC-15", "TTC-68")
def test_a_hand_is_never_more_than_three_cards() -> None:
    state = playing(f"{CITIES}, w1 li a2", "4H")
    full = state.but(hands={**state.hands, "white": ("AH", "AS", "2H")}, draw_pile=("3S",))
    ask = Plays()
    after_it = rule(full, "white", EndTurn(), ask).outcome
    assert ask.asked == []
    assert after_it.hands["white"] == ("AH", "AS", "2H")


@pytest.mark.clause("TTC-56", "TTC-57", "TTC-58", "TTC-66")
@pytest.mark.parametrize("card", CARDS)
def test_everybody_reads_of_a_side_what_its_card_does(card: str) -> None:
    """Whose city or sector it is, only the player can be told as "your"."""
    others = {"AH", "2S", "4C"} - {card}
    state = choosing(f"{CITIES}, b1 li a7, b2 li g7", (card, *others), side="black")
    ruling = rule(state, "black", PlayCard(card, place="c8" if CARDS[card].buys else None))
    (rows,) = (panel.rows for panel in GAME.view(ruling.outcome, "screen").panels if isinstance(panel, Facts))
    label, glance = rows[0]
    assert label.say == "Card in play"
    for said in (ruling.reasons[0].text, glance):
        english, spanish = read(GAME, said, "en"), read(GAME, said, "es")
        assert "Black" in english
        assert "las negras" in spanish.lower()
        assert not re.search(r"\byour?\b", english, re.IGNORECASE), english
        assert not re.search(r"\btus?\b|\bhaces\b", spanish, re.IGNORECASE), spanish


@pytest.mark.parametrize(("card", "kind"), [("JD", "light_infantry"), ("QD", "light_cavalry"), ("KD", "archers")])
def test_a_reinforcement_appears_and_waits(card: str, kind: str) -> None:
    state = choosing(f"{CITIES}, w1 hi d2", (card, "2S", "4C"))
    ask = Plays(place="c1")
    state = rule(state, "white", PlayCard(card), ask).outcome
    new = state.units[-1]
    assert (new.kind, new.square, new.hits, new.mercenary) == (kind, "c1", 0, True)
    assert refusal(state, Move(new.id, "c2")).clause == "TTC-66"
    assert refusal(state, Move("w1", "d3")).clause == "TTC-66"
    assert {offer.action for offer in GAME.offers(state, "white")} == {"end_turn", "surrender"}
    assert offered(state, "end_turn")[0].main
    (place,) = ask.asked
    assert isinstance(place, Choose)
    barred = {option.value: option.barred and option.barred.clause for option in place.options}
    assert barred == {"d2": "TTC-59", "e1": None, "c1": None}


@pytest.mark.clause("TTC-63", "TTC-64", "TTC-59", "TTC-Q11")
def test_a_second_purchase_asks_for_the_unit_first() -> None:
    position = f"{CITIES}, w1 li c1, w2 hi e1, w3 lc d2, w4 ar h5"
    state = choosing(position, ("JD", "2S", "4C"), purchases={"white": 1, "black": 0})
    ask = Plays(remove="w3")
    state = rule(state, "white", PlayCard("JD"), ask).outcome
    (remove,) = (question for question in ask.asked if isinstance(question, Choose))
    barred = {option.value: option.barred and option.barred.clause for option in remove.options}
    assert barred == {"wc": "TTC-64", "w1": None, "w2": None, "w3": None, "w4": "TTC-65"}
    assert state.units[-1].square == "d2", "the only square that is free then"
    assert state.purchases == {"white": 2, "black": 0}


@pytest.mark.clause("TTC-64", "TTC-Q11")
def test_a_table_may_pay_after_placing() -> None:
    later = Options(remove_after_placing=True)
    state = choosing(f"{CITIES}, w1 li c1", ("JD", "2S", "4C"), purchases={"white": 1, "black": 0}, options=later)
    ask = Plays(place="d2", remove="w1")
    state = rule(state, "white", PlayCard("JD"), ask).outcome
    assert [question.key for question in ask.asked] == ["place", "remove"]
    assert state.find("w1").on_board is False
    assert state.units[-1].on_board


@pytest.mark.clause("TTC-63", "TTC-Q04")
def test_purchases_are_counted_for_each_player() -> None:
    state = choosing(f"{CITIES}, b1 li a8", ("JD", "2S", "4C"), side="black", purchases={"white": 2, "black": 0})
    ask = Plays(place="c8")
    state = rule(state, "black", PlayCard("JD"), ask).outcome
    assert [question.key for question in ask.asked] == ["place"]
    assert state.purchases == {"white": 2, "black": 1}


@pytest.mark.clause("TTC-61", "TTC-Q02")
@pytest.mark.parametrize(("piece_map", "spare"), [("coin", "coin"), ("rook", "rook"), ("other_set", "other_set")])
def test_what_stands_for_a_unit_without_a_piece_is_suggested(piece_map: str, spare: str) -> None:
    state = choosing(CITIES, ("QD", "2S", "4C"), options=Options(piece_map=piece_map))
    ruling = rule(state, "white", PlayCard("QD"), Plays(place="c1"))
    said = [reason.text for reason in ruling.reasons if "piece" in reason.text.places]
    assert said[0].places["spare"].say == f"stand_in.{spare}"


@pytest.mark.clause("TTC-15")
def test_what_is_unseen_is_counted_by_class_from_ones_own_side() -> None:
    state = choosing(f"{CITIES}, w1 li a2", ("AH", "10S", "JD")).but(discard_pile=("KS",), removed=("QD",))
    state = state.but(draw_pile=tuple(code for code in state.draw_pile if code not in {"KS", "QD"}))
    mine, screen = piles(state, "white"), piles(state, "screen")
    assert [mine[f"unseen_{kind}"] for kind in ("sector", "special", "reinforcement")] == [15, 3, 1]
    assert not [pile for pile in screen if pile.startswith("unseen_")], "a screen holds no hand to count against"
    assert mine["hand_of_black"] == 3

"""Cards moved by hand: the sizes that everybody sees tell nothing of where a card was, and no hand is read."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.two_cities.game import GAME
from companion.kit.asking import Ask
from companion.kit.questions import Answer, Cards, Draw, Question
from companion.kit.ruling import Refusal
from tests.support.sizes import some
from tests.support.toy_tables import Sitting, open_tables
from tests.support.two_cities_positions import CITIES, Plays, choosing, fresh, playing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POSITION = f"{CITIES}, w1 li a2, w2 ar e2, b1 hi a5, b2 lc f7"
HAND = ("AH", "4C", "QS")
SEATS = ("white", "black", "rulekeeper", "screen")
PLACES = ("discard_pile", "removed", "card_in_play", "white", "black")


def left_to_draw(state: Any, count: int) -> Any:
    return state.but(draw_pile=state.draw_pile[:count], discard_pile=state.draw_pile[count:])


STATES = {
    f"{name}, {count} to draw": left_to_draw(state, count)
    for name, state in (("choosing", choosing(POSITION, HAND)), ("playing", playing(POSITION, "2H")))
    for count in (18, 2, 1, 0)
}


class Chance(Ask):
    """Draw by one seed; ``swap`` tells which two cards have changed places."""

    def __init__(self, seed: int, swap: dict[str, str]) -> None:
        super().__init__()
        self.rng, self.swap = random.Random(seed), swap
        self.drawn: dict[str, list[str]] = {"white": [], "black": []}

    def answer(self, question: Question) -> Answer:
        assert isinstance(question, Draw)
        assert question.secret
        pile = sorted(self.swap.get(card, card) for card in question.pile)
        drawn = tuple(self.swap.get(card, card) for card in self.rng.sample(pile, question.count))
        self.drawn[question.by] += drawn
        return Cards(question.key, drawn, question.by)


def swapped(state: Any, swap: dict[str, str]) -> Any:
    hands = {side: tuple(swap.get(card, card) for card in hand) for side, hand in state.hands.items()}
    return state.but(hands=hands, draw_pile=tuple(sorted(swap.get(card, card) for card in state.draw_pile)))


def sent(state: Any, seat: str) -> bytes:
    shown = GAME.view(state, seat), GAME.offers(state, seat)
    public = [(one.path, one.field) for one in GAME.tracked(state) if one.secret_of in {None, seat}]
    return msgspec.json.encode((shown, public))


def sizes(state: Any) -> tuple[int, ...]:
    hands = (len(state.hands[side]) for side in ("white", "black"))
    return (len(state.draw_pile), len(state.discard_pile), len(state.removed), bool(state.card), *hands)


def values(state: Any, place: str, swap: dict[str, str], rng: random.Random) -> Iterator[str]:
    """What somebody could set a place to: each of the two cards and a third, alone, with others, and beside what lies
    there already.
    """
    field = next(one.field for one in GAME.tracked(state) if one.path == f"cards.{place}")
    could = [option.value for option in field.options]
    third = rng.choice([card for card in could if card not in {*swap, "none"}])
    for card in (*swap, third):
        yield card
        if place != "card_in_play":
            more = [one for one in rng.sample(could, 2) if one != card]
            yield ",".join([card, *more])
            held = {"discard_pile": state.discard_pile, "removed": state.removed}.get(place, ())
            yield ",".join([*(one for one in held if one != card), card])


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("place", some(PLACES, every=3))
def test_where_a_card_was_shows_nowhere_but_in_the_hands_it_went_through(name: str, place: str) -> None:
    state, rng = STATES[name], random.Random(name + place)
    hidden = (*state.draw_pile, *state.hands["white"], *state.hands["black"])
    compared = set()
    for number, (one, two) in enumerate(rng.sample(list(combinations(hidden, 2)), 6)):
        swap = {one: two, two: one}
        there = swapped(state, swap)
        for value in values(state, place, swap, rng):
            this, that = Chance(number, {}), Chance(number, swap)
            afters = [
                GAME.correct(before, f"cards.{place}", value, ask) for before, ask in ((state, this), (there, that))
            ]
            assert sizes(afters[0]) == sizes(afters[1]), (place, value, swap)
            for seat in SEATS:
                held = {card for each in (state, there, *afters) for card in each.hands.get(seat, ())}
                if not held & swap.keys() and this.drawn.get(seat) == that.drawn.get(seat):
                    compared.add(seat)
                    assert sent(afters[0], seat) == sent(afters[1], seat), (seat, place, value, swap)
    assert {"rulekeeper", "screen"} <= compared
    assert state.draw_pile == () or {"white", "black"} & compared


@pytest.mark.parametrize("place", PLACES)
def test_no_card_goes_straight_from_one_hand_into_the_other(place: str) -> None:
    """But for the one that was set: whoever sets the other hand knows what it holds from then on."""
    state = STATES["choosing, 18 to draw"]
    hands = {side: set(hand) for side, hand in state.hands.items()}
    for card in (card for side in hands for card in state.hands[side]):
        after = GAME.correct(state, f"cards.{place}", card, Chance(1, {}))
        for side, other in (("white", "black"), ("black", "white")):
            assert not set(after.hands[side]) & hands[other] - {card}, (place, card)


def test_a_card_in_play_always_costs_its_player_a_card() -> None:
    state = STATES["choosing, 18 to draw"]
    for card in (state.hands["white"][1], state.hands["black"][1], state.draw_pile[3]):
        after = GAME.correct(state, "cards.card_in_play", card, Plays())
        assert (sizes(after), after.card) == ((18, 0, 0, True, 2, 3), card)
        after = GAME.correct(state, "cards.discard_pile", card, Plays())
        assert sizes(after) == (17, 1, 0, False, 3, 3)


def test_what_a_hand_gives_away_is_drawn_again() -> None:
    state = STATES["choosing, 18 to draw"]
    for place in ("discard_pile", "removed", "card_in_play"):
        after = GAME.correct(state, f"cards.{place}", state.hands["black"][0], Plays(drawn=(state.draw_pile[7],)))
        assert after.hands["black"] == (*state.hands["black"][1:], state.draw_pile[7])
    assert "AH" in after.draw_pile


def test_without_a_card_to_draw_the_player_whose_turn_it_is_has_one_fewer() -> None:
    state = STATES["choosing, 0 to draw"]
    for card in (state.hands["white"][1], state.hands["black"][1]):
        for place in ("removed", "card_in_play"):
            after = GAME.correct(state, f"cards.{place}", card, Plays())
            assert (len(after.hands["white"]), len(after.hands["black"])) == (2, 3)
    more = GAME.correct(state, "cards.white", ",".join([*HAND, state.hands["black"][0]]), Plays())
    assert (len(more.hands["white"]), len(more.hands["black"])) == (4, 2)


@pytest.mark.parametrize("left", [18, 1, 0])
def test_a_real_deck_counts_the_same_cards(left: int) -> None:
    state = fresh(cards="real")
    seen = tuple(STATES[f"choosing, {left} to draw"].discard_pile)
    state = state.but(draw_pile=state.draw_pile[:left], discard_pile=seen)
    unseen = next(card for card in HAND if card not in seen)
    played = GAME.correct(state, "cards.card_in_play", unseen, Ask())
    assert sizes(played) == (left, 18 - left, 0, True, 2, 3)
    assert sizes(GAME.correct(played, "cards.card_in_play", "none", Ask())) == sizes(state)
    other = next(card for card in HAND if card not in {unseen, *seen})
    assert sizes(GAME.correct(played, "cards.card_in_play", other, Ask())) == sizes(played)
    gone = GAME.correct(state, "cards.removed", unseen, Ask())
    assert sizes(gone) == ((left - 1, 18 - left, 1, False, 3, 3) if left else (0, 18, 1, False, 2, 3))
    back = GAME.correct(gone, "cards.removed", "", Ask())
    assert sizes(back) == ((left, 18 - left, 0, False, 3, 3) if left else (1, 18, 0, False, 2, 3))


def test_a_card_that_is_nowhere_cannot_be_set() -> None:
    state = STATES["choosing, 18 to draw"]
    lacking = state.but(draw_pile=state.draw_pile[1:])
    with pytest.raises(Refusal) as refused:
        GAME.correct(lacking, "cards.removed", state.draw_pile[0], Plays())
    assert refused.value.field == "value"


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sitting]:
    """A table at which White has to choose a card."""
    with open_tables(tmp_path, two_cities=GAME) as tables:
        made = tables.create("two_cities", "", {"cards": request.param}, {})
        tokens = {side: tables.join(made.table, side, side) for side in ("white", "black")}
        sitting = Sitting(tables, made.table, tokens)
        sitting.act("white", "ready")
        sitting.act("black", "ready")
        yield sitting


@pytest.mark.parametrize("table", ["dealt"], indirect=True)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seat", ["white", "black", "rulekeeper"])
def test_cards_set_by_hand_are_not_taken_back_without_a_yes(table: Sitting, seat: str, place: str) -> None:
    table.correct(seat, "unit.wa.hits", "1")
    table.take_back(seat)
    done = table.correct(seat, f"cards.{place}", "AH")
    table.take_back(seat)
    newest = table.seen("screen").log[0]
    assert (newest.kind == "undo") == (seat == "rulekeeper")
    if seat != "rulekeeper":
        assert newest.headline == done.headline
        table.consent("black" if seat == "white" else "white", yes=True)
        assert table.seen("screen").log[0].kind == "undo"


@pytest.mark.parametrize("table", ["real"], indirect=True)
def test_a_real_deck_hides_nothing_from_companion(table: Sitting) -> None:
    table.correct("white", "cards.card_in_play", "AH")
    table.take_back("white")
    assert table.seen("screen").log[0].kind == "undo"

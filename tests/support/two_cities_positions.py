"""Positions, games and answers written short, for the tests of A Tale of Two Cities."""

from __future__ import annotations

from typing import Any

from companion.games.two_cities.activation import begin
from companion.games.two_cities.components import CARDS, SIDES, other
from companion.games.two_cities.components import KINDS as ROWS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import Ready, set_up
from companion.games.two_cities.state import State, Unit
from companion.kit.decks import pile, without
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Question, Throw
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, speak

KINDS: dict[str, Any] = {
    "li": "light_infantry",
    "hi": "heavy_infantry",
    "ar": "archers",
    "lc": "light_cavalry",
    "ci": "city",
}
CITIES = "wc ci d1, bc ci d8"


class Plays(PreparedAnswers):
    """Answer dice in order, choices by key, and draws with the first card of the pile or those named."""

    def __init__(self, *dice: int, drawn: tuple[str, ...] = (), **choices: str) -> None:
        super().__init__(choices, dice, self._other)
        self.wanted = list(drawn)
        self.asked: list[Question] = []

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return super().answer(question)

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Draw):
            cards = tuple(self.wanted[: question.count]) or question.pile[: question.count]
            del self.wanted[: question.count]
            return Cards(question.key, cards, question.by if question.secret else None)
        if isinstance(question, Choose):
            return Choice(question.key, next(o.value for o in question.options if o.barred is None), question.seat)
        return Faces(question.key, ()) if isinstance(question, Throw) else None


def units(written: str) -> tuple[Unit, ...]:
    """Units out of ``w1 li d4 2``: id (its first letter is the side), kind, square and hits."""
    found = []
    for entry in filter(None, (part.strip() for part in written.split(","))):
        name, kind, square, *hits = entry.split()
        side: Any = {"w": "white", "b": "black"}[name[0]]
        found.append(
            Unit(
                name, side, KINDS[kind], square, int(hits[0]) if hits else 0, home=square, piece=ROWS[KINDS[kind]].piece
            )
        )
    return tuple(found)


def choosing(written: str, hand: tuple[str, ...], *, side: Any = "white", **more: Any) -> State:
    """A position in which a side has to choose a card out of a hand."""
    rest = without(pile(CARDS), hand)
    hands = {side: hand, other(side): rest[:3]}
    fields = {
        "options": Options(),
        "units": units(written),
        "phase": "choose_card",
        "active": side,
        "hands": hands,
        "draw_pile": rest[3:],
        "purchases": dict.fromkeys(SIDES, 0),
    }
    return State(**(fields | more))


def playing(written: str, card: str, *, side: Any = "white", **more: Any) -> State:
    """A position in which a card has just been played."""
    two = tuple(code for code in CARDS if code != card)[:2]
    state = choosing(written, (card, *two), side=side, **more)
    hands = {**state.hands, side: two}
    return begin(state.but(hands=hands, card=card, phase="activations"))


def fresh(*dice: int, **options: Any) -> State:
    """A table with its options, both players ready, White to choose a card."""
    state = set_up(Options(**options), Plays()).outcome
    for side in SIDES:
        state = rule(state, side, Ready(), Plays(*dice)).outcome
    return state


def rule(state: State, seat: str, action: Any, ask: Any = None) -> Ruling[State]:
    """Rule through the game's contract; answers that are not used are refused."""
    ask = ask if ask is not None else Plays()
    ruling: Ruling[State] = GAME.rule(state, seat, action, ask)
    ask.finish("TTC-86")
    return ruling


def after(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> State:
    """The state after an action of the active player (or of the seat named)."""
    return rule(state, seat or state.active, action, Plays(*dice, **choices)).outcome


def refusal(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> Refusal:
    """The refusal of an action; fails when it is not refused."""
    try:
        rule(state, seat or state.active, action, Plays(*dice, **choices))
    except Refusal as refused:
        return refused
    raise AssertionError(f"{action} was not refused")


def offered(state: State, action: str, seat: str | None = None) -> list[Any]:
    """The offers of one kind."""
    return [offer for offer in GAME.offers(state, seat or state.active) if offer.action == action]


def english(text: Text | None) -> str:
    """A sentence in English."""
    return speak(text, lambda key: GAME.words.find(key, "en") or key) if text is not None else ""

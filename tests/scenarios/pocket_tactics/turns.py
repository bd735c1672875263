"""Scenarios of the course of a game: who is first, what a turn is, and who has won."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.pocket_tactics import turn
from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.cards import Faction, UnitCard
from companion.games.pocket_tactics.factions import Ready
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.movement import Deploy, Move, Pass
from companion.games.pocket_tactics.state import SEATS, Seat, State, Unit
from companion.kit.asking import Ask
from companion.kit.questions import Answer, Choice, Choose, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, mapping, one_of, sequence
from tests.scenarios.pocket_tactics.answers import Script
from tests.scenarios.pocket_tactics.cards import no_dice
from tests.scenarios.pocket_tactics.fields import options_of, usually
from tests.scenarios.runner import Given, Unfit
from tests.support.pocket_tactics_positions import GROUND, game

TURN = {"player", "active_player", "actions", "legal_actions"}
VICTORY = {"armies", "base_taken_by", "active_player"}
FIRST = {"players"}
SIDE_BY_SIDE = "b levy m2, r prowler m3"
ALONE = "b levy m5, r prowler c5"
"""Nobody is near anybody else, nor near a base."""
DOES: dict[str, tuple[Any, Any]] = {
    "move": (Move("b0.1", "l2"), Move("r0.1", "l3")),
    "assault": tuple(
        Assault(unit=f"{one}0.1", target=f"{other}0.1", kind="melee", skill="melee") for one, other in ("br", "rb")
    ),
    "deploy": (Deploy("b1.1", "n1"), Deploy("r1.1", "m4")),
    "pass": (Pass(), Pass()),
}


class Ones(Ask):
    """Throw ones, and keep them."""

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Throw):
            return Faces(question.key, (1,) * question.count)
        assert isinstance(question, Choose)
        return Choice(question.key, question.options[-1].value, question.seat)


def play_turn(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Let a player act on a table where everything can be done, or nothing."""
    no_dice(dice)
    active = given.get("active_player", given["player"])
    seat: Seat = "blue" if given["player"] == active else "red"
    legal = usually("legal_actions", given.get("legal_actions"))
    state = game(SIDE_BY_SIDE, ground=f"{GROUND}, n1 field") if legal else _stuck()
    state = state.but(options=replace(options_of(given), map="companion"))
    for one in sequence("actions", given["actions"]):
        does = DOES[one_of("actions", one, DOES)][SEATS.index(seat)]
        state = GAME.rule(state, seat, does, Ones()).outcome
    return {"turn_over": state.active != "blue"}


def _stuck() -> State:
    """Blue has one unit, on a tile that nothing leads away from, and none in reserve."""
    state = game(ALONE, ground="m5 field, c5 field", bases="m1 m9")
    for unit in state.of("blue", "reserve"):
        state = state.gone(unit.id, "captured")
    return state


def victory(given: Given, dice: list[Any]) -> dict[str, Any]:
    """End an action when the armies are so large, or a base was taken."""
    no_dice(dice)
    armies = mapping("armies", given["armies"])
    if len(armies) > 2:
        raise Refusal(say("There are two players."), "PT-A45", "armies")
    if len(armies) < 2:
        raise Unfit("armies: those of both players are needed")
    seats = dict(zip(armies, SEATS, strict=True))
    options = options_of(given)
    state = State(
        options=options,
        factions={seat: _faction(seat) for seat in SEATS},
        phase="play",
        turn=1,
        units=tuple(unit for name, seat in seats.items() for unit in _army(seat, armies[name])),
    )
    if given.get("active_player") is not None:
        state = state.but(active=seats[one_of("active_player", given["active_player"], seats)])
    elif options.double_elimination != "draw" and not any(state.alive(seat) for seat in SEATS):
        raise Unfit("missing field 'active_player'")
    taken = one_of("base_taken_by", given.get("base_taken_by"), (None, *seats))
    state = turn.spent(state, Ask()) if taken is None else turn.ended(state, seats[taken], "base")
    return {"winner": next((name for name, seat in seats.items() if seat == state.winner), state.winner)}


def _faction(seat: Seat) -> Faction:
    return Faction(name=seat, unit=(UnitCard(name="unit", affinities=("forest",), cost=0),))


def _army(seat: Seat, said: Any) -> list[Unit]:
    """The units of an army, told by their number or one by one."""
    army = mapping("armies", said, "on_board", "reserve", "captured")
    parts = {part: army[part] for part in ("on_board", "reserve")}
    many = {part: len(told) if isinstance(told, list) else count(part, told, "PT-A01") for part, told in parts.items()}
    names = [f"{seat[0]}0.{at}" for at in range(1, sum(many.values()) + 1)]
    cut = many["on_board"]
    return [
        *(Unit(id=name, seat=seat, where="tile", terrain="field") for name in names[:cut]),
        *(Unit(id=name, seat=seat) for name in names[cut:]),
    ]


def first_player(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Let both say that they are ready, and throw for the first turn."""
    players = sequence("players", given["players"])
    if len(players) != 2:
        raise Refusal(say("There are two players."), "PT-A45", "players")
    ask = Script(dice)
    state = State(options=options_of(given), factions={seat: _faction(seat) for seat in SEATS})
    for seat in SEATS:
        state = GAME.rule(state, seat, Ready(), ask).outcome
    ask.finish("PT-12")
    return {"first_player": players[SEATS.index(state.first)]}

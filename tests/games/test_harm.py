"""What pieces suffer is said where it happens: in random games nothing is struck without it, and by the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.turn import EndPhase, crumble
from companion.games.chesswar.victory import Surrender
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.asking import Ask
from companion.kit.questions import Choice
from companion.kit.ruling import Harm, Ruling
from companion.kit.text import say
from tests.support import chesswar_positions as warband
from tests.support.chesswar_positions import KINGS, position, ruled
from tests.support.conformance import Sitting
from tests.support.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterable


def harm(ruling: Ruling[Any]) -> list[Harm]:
    return [one for reason in ruling.reasons for one in reason.harm]


def told(ruling: Ruling[Any]) -> list[tuple[str, str, str | None]]:
    """Who suffered, what became of it, and by whom."""
    return [(one.to.id, one.fate, one.by.id if one.by else None) for one in harm(ruling)]


class Silent(Watch):
    """Nobody looks at the words of these games."""

    def __init__(self) -> None:
        pass

    def texts(self, value: Any) -> None:
        pass

    def clause(self, clause: str | None) -> None:
        pass

    def progress(self, state: Any) -> None:
        pass


class Watched(Sitting):
    """A random game of which every ruling is kept, with the positions before it."""

    def __init__(self, game: Any, seed: int) -> None:
        self.rulings: list[tuple[Any, Any, Ruling[Any]]] = []
        super().__init__(Kept(game, self.rulings), seed, Silent())

    def redraw(self, seat: str, action: Any, answers: Any) -> None:
        pass

    def foresee(self, seat: str, action: Any) -> None:
        pass


class Kept:
    """Be a game, and keep its rulings."""

    def __init__(self, game: Any, into: list[tuple[Any, Any, Ruling[Any]]]) -> None:
        self._game, self._into = game, into

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def rule(self, state: Any, seat: str, action: Any, ask: Any) -> Ruling[Any]:
        ruling: Ruling[Any] = self._game.rule(state, seat, action, ask)
        self._into.append((state, action, ruling))
        return ruling


def played(game: Any, seeds: Iterable[int]) -> list[tuple[Any, Any, Ruling[Any]]]:
    found: list[tuple[Any, Any, Ruling[Any]]] = []
    for seed in seeds:
        watched = Watched(game, seed)
        for _ in range(120):
            if watched.over():
                break
            watched.step()
        found += watched.rulings
    return found


def test_every_hit_of_two_cities_is_told() -> None:
    struck = 0
    for before, _, ruling in played(TWO_CITIES, range(12)):
        hits = {unit.id: unit.hits for unit in before.units}
        new = {unit.id: more for unit in ruling.outcome.units if (more := unit.hits - hits.get(unit.id, 0)) > 0}
        assert {one.to.id: one.hits for one in harm(ruling)} == new
        for one in harm(ruling):
            unit = ruling.outcome.find(one.to.id)
            assert (one.fate == "gone") == (not unit.on_board)
            assert one.by is not None
            assert one.by.side != one.to.side
        struck += len(new)
    assert struck > 40


@pytest.mark.sized
def test_every_destruction_of_chesswar_is_told(full: bool) -> None:
    struck = 0
    for before, action, ruling in played(CHESSWAR, range(12 if full else 4)):
        if before.phase in {"choosing", "raising", "redeploying"} or isinstance(action, Surrender):
            assert harm(ruling) == []
            continue
        on = {unit.id for unit in before.units if unit.on_board}
        left = on - {unit.id for unit in ruling.outcome.units if unit.on_board}
        assert {one.to.id for one in harm(ruling) if one.fate == "gone"} == left
        down = {unit.id for unit in ruling.outcome.units if unit.down and unit.on_board}
        assert {one.to.id for one in harm(ruling) if one.fate == "down"} >= down - {
            u.id for u in before.units if u.down
        }
        struck += len(left)
    assert struck > (40 if full else 12)


@pytest.mark.sized
@pytest.mark.parametrize("name", discover())
def test_whoever_is_told_of_harm_is_a_piece_of_a_seat(name: str, full: bool) -> None:
    game = discover()[name]
    for _, _, ruling in played(game, range(3 if full else 1)):
        for one in harm(ruling):
            seats = {role.id for role in game.roles(ruling.outcome.options)}
            assert {who.side for who in (one.to, one.by) if who} <= seats
            assert one.hits >= 0
            assert one.hits or one.fate != "hit"


def test_who_did_it_is_told_for_every_way_to_fall() -> None:
    melee = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1", phase="combat")
    assert told(ruled(melee, Attack("w1", "b1"), 6)) == [("b1", "gone", "w1")]
    backlash = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1", phase="combat")
    assert told(ruled(backlash, Attack("w1", "b1"), 1, 1)) == [("w1", "gone", "b1")]
    shot = position(f"{KINGS}, w1 hb d2, b1 op d5", phase="shooting")
    assert told(ruled(shot, Shoot("w1", "b1"), 6, 1)) == [("b1", "gone", "w1")]
    plague = position("wk hk a1, w1 hn d4, bk ck h8, b1 cp d5, w1>b1", phase="combat")
    assert told(ruled(plague, Attack("w1", "b1"), 6, 1))[:2] == [("b1", "gone", "w1"), ("w1", "gone", "b1")]

    troll = position(f"{KINGS}, w1 hn d4, b1 or d5, w1>b1", phase="combat")
    down = ruled(troll, Attack("w1", "b1"), 6, 2, continuation="stay")
    assert told(down) == [("b1", "down", "w1")]
    assert told(ruled(down.outcome, EndPhase(), 3)) == []
    assert told(ruled(down.outcome, EndPhase(), 2)) == [("b1", "gone", None)]
    trampled = ruled(troll, Attack("w1", "b1"), 6, 2, continuation="move_in")
    assert told(trampled) == [("b1", "down", "w1"), ("b1", "gone", "w1")]
    listed = position(f"{KINGS}, w1 hn d4, b1 or d5", phase="combat", board="table").with_unit("b1", down=True)
    assert told(ruled(listed, EndPhase(), entered_b1="yes")) == [("b1", "gone", None)]


@pytest.mark.parametrize("down", [False, True])
def test_a_unit_that_crumbles_falls_to_nobody(down: bool) -> None:
    state = position("wk hk a1, bk uk h8, b1 up d6, b2 un e5", massacre=True, leaderless=("black",)).with_unit(
        "b2", down=down
    )
    ask = Ask([Choice("crumble_black", "b2", "black")])
    crumble(state, "black", ask)
    assert told(Ruling(None, say("x"), tuple(ask.reasons))) == [("b2", "gone", None)]


def test_a_unit_is_called_what_it_is_and_where_it_stood() -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1", phase="combat")
    (one,) = harm(ruled(state, Attack("w1", "b1"), 6))
    assert (one.to.side, warband.english(one.to.name), one.to.place) == ("black", "Orcs", "d5")
    assert one.by is not None
    assert (one.by.side, one.by.place) == ("white", "d4")

"""Two tables that differ in hidden cards only answer everybody else alike; and a game that leaks is found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games import discover
from companion.kit.game import Offer
from companion.kit.panels import View
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import say
from tests.toy import Draw, Toy, other
from tests.twins import play

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.asking import Ask

GAMES = discover()
SEATS = ("red", "blue")


@dataclass
class Drawing(Toy):
    """Toy with drawing and bidding on offer; ``leak`` is the way in which it tells what it should not."""

    leak: str = ""

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        if state.over or seat not in SEATS:
            return ()
        found = (
            [Offer("pass", say("Pass")), Offer("draw", say("Draw"), {"count": 2}, main=True)]
            if state.turn == seat
            else []
        )
        found.append(Offer("bid", say("Bid")))
        if self.leak == "offers" and state.hands[other(seat)]:
            found.append(Offer("add", say("Add"), {"note": " ".join(state.hands[other(seat)])}))
        return tuple(found)

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        hand = " ".join(state.hands.get(other(seat), ())) if seat in SEATS else ""
        if self.leak == "refusal" and hand:
            raise Refusal(say("Not you: {hand}", hand=hand), "TOY-1")
        ruling = super().rule(state, seat, action, ask)
        drawn = " ".join(ruling.outcome.hands[seat])
        if self.leak == "headline":
            return msgspec.structs.replace(ruling, headline=say("{drawn}", drawn=drawn))
        if self.leak == "reason" and isinstance(action, Draw):
            told = (*ruling.reasons, Reason(say("{drawn}", drawn=drawn)))
            return msgspec.structs.replace(ruling, reasons=told)
        return ruling

    def view(self, state: Any, seat: str) -> View:
        shown = super().view(state, seat)
        if self.leak == "view" and seat == "screen":
            return msgspec.structs.replace(shown, headline=say("{pile}", pile=" ".join(state.pile)))
        return shown

    def tracked(self, state: Any) -> tuple[Any, ...]:
        if self.leak != "corrections":
            return super().tracked(state)
        hint = say("{pile}", pile=" ".join(state.pile))
        return tuple(
            msgspec.structs.replace(one, field=msgspec.structs.replace(one.field, hint=hint))
            for one in super().tracked(state)
        )


def play_some(game: Drawing, folder: Path) -> None:
    for seed in range(6):
        play(game, seed, folder / str(seed), most=6)


@pytest.mark.parametrize("name", GAMES)
def test_nobody_else_gets_another_byte(name: str, tmp_path: Path) -> None:
    found = (play(GAMES[name], seed, tmp_path / str(seed), most=12) for seed in range(40))
    assert next((answers for answers in found if answers), 201) > 200


def test_a_game_that_keeps_its_secrets_is_played_through(tmp_path: Path) -> None:
    assert play(Drawing(), 0, tmp_path, most=10) > 200


@pytest.mark.parametrize("leak", ["offers", "refusal", "headline", "reason", "view", "corrections"])
def test_a_game_that_leaks_is_found_out(leak: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="differs"):
        play_some(Drawing(leak), tmp_path)

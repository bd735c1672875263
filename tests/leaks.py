"""A game that tells what it should not, to see that it is found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.game import Offer
from companion.kit.panels import View
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import say
from tests.toy import Draw, Toy, other

if TYPE_CHECKING:
    from companion.kit.asking import Ask

SEATS = ("red", "blue")


@dataclass
class Drawing(Toy):
    """Toy with drawing and bidding on offer; ``leak`` is the way in which it tells what it should not."""

    leak: str = ""

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        if state.over or seat not in SEATS:
            return ()
        found = [Offer("pass", say("Pass"))] if state.turn == seat else []
        if state.turn == seat and len(state.pile) > 1:
            found.append(Offer("draw", say("Draw"), {"count": 2}, main=True))
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

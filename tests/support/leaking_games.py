"""Games that tell what they should not, to see that they are found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from companion.kit.action import Field, Offer
from companion.kit.correction import Tracked
from companion.kit.panels import View
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say
from tests.support.toy_game import Bid, Doing, Draw, Pass, State, Toy, gained, other

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


class Plan(Doing, frozen=True, tag="plan"):
    """Plan for how many points to go; the other is not told."""

    points: Annotated[int, Meta(ge=0, le=9)] = 1


class Go(Doing, frozen=True, tag="go"):
    """Gain as many points as were planned, before everybody's eyes."""


class Plans(State, frozen=True):
    plans: Mapping[str, int] = msgspec.field(default_factory=dict)


@dataclass
class Planning(Toy):
    """Toy with plans, made in secret and carried out in the open; ``leak`` is the way in which it tells one."""

    leak: str = ""
    state = Plans
    actions = Plan | Go | Pass | Bid

    def setup(self, options: Any, ask: Ask) -> Ruling[Any]:
        plans = Plans(options.goal, dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, ("1x", "2x")), ("3x", "4x", "1y"))
        return Ruling(msgspec.structs.replace(plans, plans=dict.fromkeys(SEATS, 0)), say("Ready"))

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        if seat not in SEATS or state.over:
            return ()
        points = Field("points", say("Points"), "number", value=1, high=9)
        found = [Offer("plan", say("Plan"), fields=(points,)), Offer("bid", say("Bid"))]
        if state.turn == seat:
            found += [Offer("go", say("Go")), Offer("pass", say("Pass"))]
        if self.leak == "offers":
            found.append(Offer("plan", say("Plan"), {"points": state.plans[other(seat)]}))
        return tuple(found)

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        if seat not in SEATS:
            raise Refusal(say("You do not play."), "TOY-1", "seat")
        planned = state.plans[seat]
        match action:
            case Plan(points=points):
                if self.leak == "refusal" and points == state.plans[other(seat)]:
                    raise Refusal(say("Both can not plan the same."), "TOY-1")
                ask.tell(say("You plan {count}", count=points), seat=None if self.leak == "reason" else seat)
                after = msgspec.structs.replace(state, plans={**state.plans, seat: points})
                told = say("{count}", count=points) if self.leak == "headline" else say("{who} plans", who=Text(seat))
                return Ruling(after, told, tuple(ask.reasons))
            case Go():
                return Ruling(gained(state, seat, planned), say("{who} goes", who=Text(seat)), tuple(ask.reasons))
        return self.do(state, seat, action, ask)

    def view(self, state: Any, seat: str) -> View:
        shown = super().view(state, seat)
        seats = SEATS if self.leak in {"view", seat} else (seat,)
        told = say("{plans}", plans=" ".join(str(state.plans.get(one, "")) for one in seats))
        return msgspec.structs.replace(shown, headline=told)

    def tracked(self, state: Any) -> tuple[Any, ...]:
        number = {seat: Field("value", Text(seat), "number", value=state.plans[seat], high=9) for seat in SEATS}
        return (*super().tracked(state), *(Tracked(f"plan.{seat}", say("Plan"), number[seat], seat) for seat in SEATS))

    def correct(self, state: Any, path: str, value: str, ask: Ask) -> Any:
        part, _, seat = path.partition(".")
        if part == "plan":
            return msgspec.structs.replace(state, plans={**state.plans, seat: int(value)})
        return super().correct(state, path, value, ask)

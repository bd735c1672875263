"""Band: the toy with bands to raise: points to spend, a choice that decides what else there is, lists to keep."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.kit.action import Budget, Field, Offer
from companion.kit.asking import Ask
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say
from tests.support.toy_game import SEATS, Add, Doing, State, Stop, Toy, gained

Count = Annotated[int, Meta(ge=0, le=16)]

BANDS: dict[str, tuple[int, dict[str, tuple[int, int]]]] = {
    "elves": (18, {"mages": (4, 2), "archers": (2, 4), "spears": (1, 16)}),
    "dwarves": (12, {"mages": (3, 1), "spears": (1, 12)}),
}
"""For each band its points, and for each kind what one costs and how many there may be."""


class Raise(Doing, frozen=True, tag="raise"):
    """Raise a band."""

    band: str
    mages: Count = 0
    archers: Count = 0
    spears: Count = 0


class Camp(Doing, frozen=True, tag="camp"):
    """Spend points without a choice before."""

    tents: Count = 0
    flag: bool = False


def offered(band: str) -> Offer:
    points, kinds = BANDS[band]
    options = tuple(Option(name, Text(name.capitalize())) for name in BANDS)
    return Offer(
        "raise",
        say("Raise a band"),
        {"band": band},
        tuple(
            Field(name, Text(name.capitalize()), "number", value=0, high=most, cost=cost)
            for name, (cost, most) in kinds.items()
        ),
        among=Field("band", say("Band"), "choice", options, band),
        budget=Budget(points, say("Band")),
        keeps="band",
    )


class Band(Toy):
    slug = "band"
    name = say("Band")
    actions = Add | Stop | Raise | Camp

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        if state.over or seat not in SEATS:
            return ()
        tents = Field("tents", say("Tents"), "number", value=0, high=16, cost=3)
        camp = Offer(
            "camp", say("Camp"), fields=(tents, Field("flag", say("Flag"), "yes_no")), budget=Budget(10, say("Wood"))
        )
        return (*map(offered, BANDS), camp, Offer("stop", say("Stop"), grave=True, asks=say("Does the game stop?")))

    def do(self, state: State, seat: str, action: Any, ask: Ask) -> Ruling[State]:
        match action:
            case Raise(band=band):
                points, kinds = BANDS.get(band, (0, {}))
                counts = {name: getattr(action, name) for name in ("mages", "archers", "spears")}
                for name, count in counts.items():
                    if count > kinds.get(name, (0, 0))[1]:
                        raise Refusal(say("There are not so many."), "BAND-1", name)
                if sum(count * kinds[name][0] for name, count in counts.items() if count) > points:
                    raise Refusal(say("That costs too much."), "BAND-2")
                notes = (*state.notes, f"{seat}: {band} {counts}")
                return Ruling(msgspec.structs.replace(state, notes=notes), say("{who} raises a band", who=Text(seat)))
            case Camp(tents=tents):
                if tents * 3 > 10:
                    raise Refusal(say("That costs too much."), "BAND-2")
                return Ruling(gained(state, seat, tents), say("{who} camps", who=Text(seat)))
        return super().do(state, seat, action, ask)


BAND: Any = Band()

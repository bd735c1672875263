"""Muster: the toy with a list that each side brings as a file, and that can be corrected."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.kit import rosters
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.correction import Tracked
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say
from tests.support.toy_game import SEATS, Add, Doing, State, Stop, Toy

MOST = 100_000
Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[Name, rosters.ONCE]
    strength: Annotated[int, Meta(ge=1, le=6)]
    family: Literal["foot", "horse"] = "foot"


class Company(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    fighter: tuple[Fighter, ...] = ()


OURS = Company("Ours", (Fighter("Guard", 3), Fighter("Rider", 4, "horse")))


class Camped(State, frozen=True):
    companies: dict[str, Company] = msgspec.field(default_factory=lambda: dict.fromkeys(SEATS, OURS))


class Bring(Doing, frozen=True, tag="bring"):
    """Bring a company."""

    company: Annotated[str, Meta(max_length=MOST)]


def company(value: Company) -> Field:
    return Field("company", say("Our company"), "file", value=rosters.write(value), high=MOST)


class Muster(Toy):
    slug = "muster"
    name = say("Muster")
    state = Camped
    actions = Add | Stop | Bring

    def setup(self, options: Any, ask: Ask) -> Ruling[Any]:
        return Ruling(Camped(options.goal, dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, ())), say("Ready"))

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        if state.over or seat not in SEATS:
            return ()
        bring = Offer("bring", say("Bring a company"), fields=(company(state.companies[seat]),), loose=True)
        return (bring, Offer("stop", say("Stop"), grave=True, asks=say("Does the game stop?")))

    def do(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        if isinstance(action, Bring):
            read = rosters.read(action.company, Company, most=MOST, field="company")
            after = msgspec.structs.replace(state, companies={**state.companies, seat: read})
            return Ruling(after, say("{who} brings {name}", who=Text(seat), name=read.name))
        return super().do(state, seat, action, ask)

    def tracked(self, state: Any) -> tuple[Tracked, ...]:
        return tuple(
            Tracked(
                f"company.{seat}", say("Company"), company(state.companies[seat]), "blue" if seat == "blue" else None
            )
            for seat in SEATS
        )

    def correct(self, state: Any, path: str, value: str, ask: Ask) -> Any:
        read = rosters.read(value, Company, most=MOST, field="value")
        return msgspec.structs.replace(state, companies={**state.companies, path.removeprefix("company."): read})


MUSTER: Any = Muster()

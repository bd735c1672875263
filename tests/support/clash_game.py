"""Clash: the toy with opposed dice, an attack and then a counter-attack, at a table and as a look-up."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from companion.kit.action import Offer
from companion.kit.asking import Ask
from companion.kit.duels import duel
from companion.kit.game import Lookup
from companion.kit.ruling import Ruling
from companion.kit.text import Text, Words, say
from tests.support.toy_game import YES_NO, Doing, State, Toy, other

SPANISH = {
    "Attack of {who}": "Ataque de {who}",
    "Defence of {who}": "Defensa de {who}",
    "The attack": "El ataque",
    "The counter-attack": "El contraataque",
    "Fight": "Lucha",
    "It is fought out": "Se ha luchado",
    "It may be answered": "Se puede responder",
    "Throw": "Lanza",
    "Strike back?": "¿Contraatacas?",
    "Clash": "Choque",
}
NAMES = {"red": {"en": "the Reds", "es": "los Rojos"}, "blue": {"en": "the Blues", "es": "los Azules"}}


class Facts(msgspec.Struct, frozen=True):
    attack: Annotated[int, Meta(title="Attack", ge=0, le=8)] = 2
    defence: Annotated[int, Meta(title="Defence", ge=0, le=8)] = 2
    attack_kicker: Annotated[int, Meta(title="Kicker of the attack", ge=0, le=6)] = 0
    defence_kicker: Annotated[int, Meta(title="Kicker of the defence", ge=0, le=6)] = 0


class Fight(Doing, frozen=True, tag="fight"):
    """Attack; whoever is attacked may strike back, with the same dice."""

    facts: Facts = Facts()
    warned: bool = False


def clash(facts: Facts, seat: str, key: str, what: Text, ask: Ask) -> None:
    """Throw both pools and tell of them."""
    foe = other(seat)
    ours = ask.throw(facts.attack, 6, f"{key}_attack", say("Roll"), by=seat) if facts.attack else ()
    theirs = ask.throw(facts.defence, 6, f"{key}_defence", say("Roll"), by=foe) if facts.defence else ()
    attack, defence = say("Attack of {who}", who=Text(seat)), say("Defence of {who}", who=Text(foe))
    kickers = facts.attack_kicker, facts.defence_kicker
    ask.tell(what, "TOY-1")
    ask.oppose(duel(attack, defence, ours, theirs, *kickers, seat, foe))


def fought(facts: Facts, ask: Ask) -> Ruling[Facts]:
    clash(facts, "red", "first", say("The attack"), ask)
    return Ruling(facts, say("It is fought out"), tuple(ask.reasons))


class Clash(Toy):
    slug = "clash"
    name = say("Clash")
    words = Words(NAMES, {english: {"es": spanish} for english, spanish in SPANISH.items()})
    actions = Toy.actions | Fight
    lookups: ClassVar[dict[str, Lookup]] = {"clash": Lookup("clash", say("Clash"), Facts, fought)}

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        mine = (Offer("fight", say("Fight"), {"facts": {}}, chancy=True, main=True),) if state.turn == seat else ()
        return (*mine, *super().offers(state, seat))

    def do(self, state: State, seat: str, action: Any, ask: Ask) -> Ruling[State]:
        if not isinstance(action, Fight):
            return super().do(state, seat, action, ask)
        clash(action.facts, seat, "first", say("The attack"), ask)
        if action.warned:
            ask.tell(say("It may be answered"))
        if ask.choose(other(seat), YES_NO, "back", say("Strike back?")) == "yes":
            clash(action.facts, other(seat), "back", say("The counter-attack"), ask)
            return Ruling(state, say("It is fought out"), tuple(ask.reasons))
        return Ruling(state, say("The attack"), tuple(ask.reasons))


CLASH: Any = Clash()

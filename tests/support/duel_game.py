"""Duel: a small game with a rulebook and lookups, for tests that need no table."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.kit.asking import Ask
from companion.kit.game import Lookup, Role
from companion.kit.odds import Bar, Chart, odds
from companion.kit.questions import Option
from companion.kit.rulebook import Rulebook, read
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, Words, say
from tests.support.plain_games import PlainGame

RULEBOOK = read(
    """
    [[chapter]]
    id = "fighting"
    en = "Fighting"
    es = "Pelea"

    [[clause]]
    id = "DUEL-1"
    chapter = "fighting"
    role = "computed"
    sure = "stated"
    en = "Throw one die for each <sword>; a 6 wounds."
    es = "Lanza un dado por cada <espada>; un 6 hiere al dragón."
    ruling = "DUEL-Q1"

    [[clause]]
    id = "DUEL-2"
    chapter = "fighting"
    role = "enforced"
    sure = "ruling"
    en = "Nobody dodges in armour."
    es = "Nadie esquiva con armadura."

    [[ruling]]
    id = "DUEL-Q1"
    en_question = "Do two sixes wound twice?"
    es_question = "¿Dos seises hieren dos veces?"
    en = "Yes."
    es = "Sí, así lo jugamos."

    [[example]]
    id = "DUEL-E1"
    clauses = ["DUEL-1"]
    en_title = "Two swords"
    es_title = "Dos espadas"
    en = "6 and 2: one wound."
    es = "6 y 2: una herida."

    [[term]]
    id = "sword"
    en = "sword"
    es = "espada"
    """,
    "duel.toml",
    Rulebook,
)
SENTENCES = {
    "Duel": "Duelo",
    "Two swords.": "Dos espadas.",
    "Strike": "Golpe",
    "Swords": "Espadas",
    "Armour": "Armadura",
    "Strike with your swords": "Golpea con tus espadas",
    "Dodge?": "¿Esquivas?",
    "Shield?": "¿Escudo?",
    "No": "No",
    "Yes": "Sí",
    "No dodging in armour.": "No se esquiva con armadura.",
    "wounds": "heridas",
    "swords": "espadas",
    "{count} wound|{count} wounds": "{count} herida|{count} heridas",
    "Wounds": "Heridas",
    "Nothing was thrown.": "No se ha lanzado nada.",
}
NAMES = {
    "none": {"en": "no armour", "es": "sin armadura"},
    "mail": {"en": "mail", "es": "cota de malla"},
    "striker": {"en": "Striker", "es": "Quien golpea"},
    "struck": {"en": "Struck", "es": "Golpeado"},
    "sword": {"en": "sword", "es": "espada"},
}


class Facts(msgspec.Struct, frozen=True):
    swords: Annotated[int, Meta(title="Swords", ge=1, le=3)] = 2
    armour: Annotated[Literal["none", "mail"], Meta(title="Armour")] = "none"


class Outcome(msgspec.Struct, frozen=True):
    wounds: int
    dodged: bool


def strike(facts: Facts, ask: Ask) -> Ruling[Outcome]:
    barred = Reason(say("No dodging in armour."), "DUEL-2") if facts.armour == "mail" else None
    ways = (Option("no", say("No")), Option("yes", say("Yes"), barred=barred))
    dodged = ask.choose("struck", ways, "dodge", say("Dodge?")) == "yes"
    terms = (Reason(say("swords"), "DUEL-1", facts.swords),)
    faces = ask.throw(facts.swords, 6, "strike", say("Strike with your swords"), by="striker", clause="DUEL-1")
    wounds = faces.count(6)
    ask.tell(say("wounds"), "DUEL-1", wounds, terms=terms, faces=faces)
    if wounds and not dodged:
        both = Option("both", say("Dodge?"), barred=Reason(say("No dodging in armour."), "DUEL-2"))
        shield = (Option("no", say("No")), Option("yes", say("Yes")), both)
        wounds -= ask.choose("struck", shield, "shield", say("Shield?")) == "yes"
    return Ruling(Outcome(wounds, dodged), say("{count} wound|{count} wounds", count=wounds), tuple(ask.reasons))


def strike_charts(facts: Facts) -> tuple[Chart, ...]:
    def count(ask: Ask) -> int:
        return ask.throw(facts.swords, 6, "strike", say("Strike with your swords"), by="striker").count(6)

    chances = odds(count, lambda choose, ways: "no")
    bars = tuple(
        Bar(say("{count} wound|{count} wounds", count=wounds), chances.get(wounds, Fraction(0)))
        for wounds in range(facts.swords + 1)
    )
    return (Chart(say("Wounds"), bars),)


class Nothing(msgspec.Struct, frozen=True):
    pass


def rest(facts: Nothing, ask: Ask) -> Ruling[Nothing]:
    return Ruling(facts, say("Nothing was thrown."))


def forbid(facts: Nothing, ask: Ask) -> Ruling[Nothing]:
    raise Refusal(say("No dodging in armour."), "DUEL-2", "armour")


LOOKUPS = {
    "strike": Lookup("strike", say("Strike"), Facts, strike, strike_charts),
    "rest": Lookup("rest", say("Nothing was thrown."), Nothing, rest),
    "forbid": Lookup("forbid", say("No dodging in armour."), Nothing, forbid),
}


class Duel(PlainGame):
    slug = "duel"
    name = say("Duel")
    summary = say("Two swords.")
    words = Words(NAMES, {english: {"es": spanish} for english, spanish in SENTENCES.items()})
    rulebook = RULEBOOK
    options = Nothing
    state = Nothing
    actions = Nothing
    lookups = LOOKUPS

    def roles(self, options: Nothing) -> tuple[Role, ...]:
        return (Role("striker", Text("striker")), Role("struck", Text("struck")))


GAME: Any = Duel()


def draws(facts: Nothing, ask: Ask) -> Ruling[Nothing]:
    ask.draw(("a",), 1, "card", Text("card"), by="striker")
    return Ruling(facts, Text("card"))

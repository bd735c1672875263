"""Lookups: combat, evasion and the discard roll without a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.two_cities.combat import dice_terms, fight
from companion.games.two_cities.deck import card_face
from companion.games.two_cities.evasion import SUCCEEDS, no_evasion, roll_evasion
from companion.games.two_cities.facts import DEFENDER, Facts
from companion.games.two_cities.hand import LEAVES, STAYS
from companion.games.two_cities.odds import charts_of
from companion.games.two_cities.options import Options
from companion.games.two_cities.speech import harm, hits
from companion.games.two_cities.state import Mode, Result
from companion.games.two_cities.units import KINDS, Ground, Kind, Mobile, Shooter
from companion.kit.asking import Ask
from companion.kit.chart import Bar, Chart
from companion.kit.counts import dice, squares
from companion.kit.game import Lookup
from companion.kit.odds import throws
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

CombatCard = Literal["none", "10S", "JS", "QS", "KS", "6S"]
SpecialCard = Literal["10S", "JS", "QS", "KS", "6S"]
RULES = Options()

_ATTACKER = Meta(title="Attacker")
_TARGET = Meta(title="Target")
_CARD = Meta(title="Card", description="The special card that activated the attacker.")
_FROM = Meta(title="Where the attacker is")
_ON = Meta(title="Where the target is")
_HITS = Meta(title="Hits it already has", ge=0, le=4)
_NEIGHBOUR = Meta(title="The target has a friend beside it", description="On its rank, directly to the left or right.")
_BEHIND = Meta(
    title="Free squares behind the target", description="Straight back, up to a unit or the edge.", ge=0, le=7
)


class MeleeFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a melee."""

    attacker: Annotated[Mobile, _ATTACKER] = "heavy_infantry"
    attacker_terrain: Annotated[Ground, _FROM] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    target: Annotated[Kind, _TARGET] = "light_infantry"
    target_terrain: Annotated[Ground, _ON] = "open"
    hits: Annotated[int, _HITS] = 0
    neighbour: Annotated[bool, _NEIGHBOUR] = False
    behind: Annotated[int, _BEHIND] = 2


class ShootingFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a shot."""

    attacker: Annotated[Shooter, Meta(title="Shooter")] = "archers"
    moved: Annotated[bool, Meta(title="It moved this turn")] = False
    attacker_terrain: Annotated[Ground, Meta(title="Where the shooter is")] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    distance: Annotated[
        int,
        Meta(
            title="Distance",
            description="In squares through sides, along a clear path.",
            ge=2,
            le=14,
        ),
    ] = 2
    target: Annotated[Kind, _TARGET] = "light_infantry"
    target_terrain: Annotated[Ground, _ON] = "open"
    hits: Annotated[int, _HITS] = 0
    neighbour: Annotated[bool, _NEIGHBOUR] = False
    behind: Annotated[int, _BEHIND] = 2


class EvasionFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of an evasion."""

    attacker: Annotated[Mobile, _ATTACKER] = "heavy_infantry"
    mode: Annotated[Mode, Meta(title="Kind of attack")] = "melee"
    moved: Annotated[bool, Meta(title="It shoots after moving")] = False
    attacker_terrain: Annotated[Ground, _FROM] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    target: Annotated[Mobile, _TARGET] = "light_infantry"
    behind: Annotated[int, _BEHIND] = 2


class DiscardFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a discard roll."""

    card: Annotated[SpecialCard, Meta(title="Special card")] = "10S"


class Evasion(msgspec.Struct, frozen=True):
    """Hold how an evasion went: whether it succeeded, and the dice the attacker rolls."""

    evaded: bool
    dice: int
    most_steps: int


class Discarded(msgspec.Struct, frozen=True):
    """Hold where a special card goes."""

    to: Literal["discard_pile", "removed"]


def _facts(given: Any, mode: Mode) -> Facts:
    typed = msgspec.structs.asdict(given)
    typed["card"] = None if given.card == "none" else given.card
    typed["mode"] = mode
    if typed.get("hits", 0) >= KINDS[given.target].strength:
        raise Refusal(
            say(
                "It would be destroyed already: {hits} of {strength}.",
                hits=hits(typed["hits"]),
                strength=KINDS[given.target].strength,
            ),
            "TTC-04",
            "hits",
        )
    return Facts(**typed)


def _headline(result: Result) -> Text:
    if result.destroyed:
        return say("Destroyed")
    back = say("back {far}", far=squares(result.steps)) if result.steps else None
    return harm(result.hits_taken + result.blocked, back) or say("No effect")


def melee(given: MeleeFacts, ask: Ask) -> Ruling[Result]:
    """Rule on a melee."""
    result = fight(_facts(given, "melee"), RULES, ask)
    return Ruling(result, _headline(result), tuple(ask.reasons))


def shooting(given: ShootingFacts, ask: Ask) -> Ruling[Result]:
    """Rule on a shot."""
    result = fight(_facts(given, "ranged"), RULES, ask)
    return Ruling(result, _headline(result), tuple(ask.reasons))


def evasion(given: EvasionFacts, ask: Ask) -> Ruling[Evasion]:
    """Rule on an evasion: who may (TTC-118), the die (TTC-123), and the dice that are left (TTC-124)."""
    facts = _facts(given, given.mode)
    barred = no_evasion(facts, RULES)
    if barred is not None:
        raise Refusal(barred.text, barred.clause, "target")
    terms = dice_terms(facts, RULES)
    whole = sum(term.value or 0 for term in terms)
    ask.tell(dice(whole), None, whole, terms=terms)
    evaded = roll_evasion(facts, ask)
    left = (whole + 1) // 2 if evaded else whole
    ask.tell(say("The attacker rolls {dice}", dice=dice(left)), "TTC-124" if evaded else "TTC-127", left)
    text = say("Evaded: {dice}", dice=dice(left)) if evaded else say("Not evaded: {dice}", dice=dice(left))
    return Ruling(Evasion(evaded, left, min(2, facts.behind) if evaded else 0), text, tuple(ask.reasons))


def discard_roll(given: DiscardFacts, ask: Ask) -> Ruling[Discarded]:
    """Rule on the die of a discarded special card (TTC-54)."""
    why = say("Discard roll for {card}: 1 or 2 and it leaves the game", card=card_face(given.card))
    face = ask.throw(1, 6, "discard", why, by=DEFENDER, clause="TTC-86")[0]
    leaves = face in LEAVES
    text = (
        say("{card} leaves the game for good", card=card_face(given.card))
        if leaves
        else say("{card} goes to the discard pile", card=card_face(given.card))
    )
    ask.tell(text, "TTC-54", faces=(face,))
    return Ruling(Discarded("removed" if leaves else "discard_pile"), text, tuple(ask.reasons))


def _halves(title: Text, good: Text, bad: Text, lucky: int, sides: int = 6) -> Chart:
    chance = sum((weight for faces, weight in throws(1, sides) if faces[0] > sides - lucky), Fraction(0))
    return Chart(title, (Bar(good, chance), Bar(bad, 1 - chance)))


def evasion_charts(given: EvasionFacts) -> tuple[Chart, ...]:
    """Show the odds of the evasion die."""
    barred = no_evasion(_facts(given, given.mode), RULES)
    if barred is not None:
        raise Refusal(barred.text, barred.clause, "target")
    return (_halves(say("The evasion"), say("It succeeds"), say("It fails"), len(SUCCEEDS)),)


def discard_charts(_given: DiscardFacts) -> tuple[Chart, ...]:
    """Show the odds of the discard roll."""
    return (
        _halves(say("The discard roll"), say("It goes to the discard pile"), say("It leaves the game"), len(STAYS)),
    )


LOOKUPS = {
    lookup.slug: lookup
    for lookup in (
        Lookup(
            "melee",
            say("Melee"),
            MeleeFacts,
            melee,
            lambda given: charts_of(_facts(given, "melee"), RULES),
            say("An attack on a unit beside it: how many dice, hits, who goes back."),
        ),
        Lookup(
            "shooting",
            say("Shooting"),
            ShootingFacts,
            shooting,
            lambda given: charts_of(_facts(given, "ranged"), RULES),
            say("Archers or light cavalry from a distance: range, how many dice, hits."),
        ),
        Lookup(
            "evasion",
            say("Evasion"),
            EvasionFacts,
            evasion,
            evasion_charts,
            say("Who may evade, whether it succeeds, and the dice that are left."),
        ),
        Lookup(
            "discard",
            say("Discard roll"),
            DiscardFacts,
            discard_roll,
            discard_charts,
            say("Whether a special card stays in the game."),
        ),
    )
}

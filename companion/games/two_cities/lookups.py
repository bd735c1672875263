"""Lookups: combat, evasion and the discard roll without a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.two_cities.attack import BEHIND, NEIGHBOUR
from companion.games.two_cities.combat import CLOSEST_SHOT, DEFENDER, Facts, dice_terms, no_evasion
from companion.games.two_cities.components import KINDS, Ground, Kind, Mobile, Shooter
from companion.games.two_cities.fight import FARTHEST, SUCCEEDS, charts_of, fight, harm, hits, roll_evasion
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import Mode, Result
from companion.games.two_cities.turn import STAYS, discard_roll, say_where
from companion.kit.asking import Ask
from companion.kit.counts import dice, squares
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.ruling import Refusal, Ruling, refuse, total
from companion.kit.text import Text, say

CombatCard = Literal["none", "10S", "JS", "QS", "KS", "6S"]
SpecialCard = Literal["10S", "JS", "QS", "KS", "6S"]
RULES = Options()

_ATTACKER = Meta(title="Attacker")
_TARGET = Meta(title="Target")
_CARD = Meta(title="Card", description="The special card that activated the attacker.")
_FROM = Meta(title="Where the attacker is")
_ON = Meta(title="Where the target is")
_DISTANCE = Meta(title="Distance", description="In squares through sides, along a clear path.", ge=CLOSEST_SHOT, le=14)
_HITS = Meta(title="Hits it already has", ge=0, le=max(kind.strength for kind in KINDS.values()) - 1)


class _Typed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts as they are typed; what a look-up does not ask for is as usual."""

    def facts(self, mode: Mode) -> Facts:
        """Return the facts of the attack; refuse a target that had been destroyed before (TTC-04)."""
        typed = {**msgspec.structs.asdict(self), "mode": mode}
        card = typed.pop("card")
        facts = Facts(**typed, card=None if card == "none" else card)
        strength = facts.target_kind.strength
        if facts.hits >= strength:
            gone = say("It would be destroyed already: {hits} of {strength}.", hits=hits(facts.hits), strength=strength)
            raise Refusal(gone, "TTC-04", "hits")
        return facts


class MeleeFacts(_Typed, frozen=True):
    """The facts of a melee."""

    attacker: Annotated[Mobile, _ATTACKER] = "heavy_infantry"
    attacker_terrain: Annotated[Ground, _FROM] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    target: Annotated[Kind, _TARGET] = "light_infantry"
    target_terrain: Annotated[Ground, _ON] = "open"
    hits: Annotated[int, _HITS] = 0
    neighbour: Annotated[bool, NEIGHBOUR] = False
    behind: Annotated[int, BEHIND] = FARTHEST


class ShootingFacts(_Typed, frozen=True):
    """The facts of a shot."""

    attacker: Annotated[Shooter, Meta(title="Shooter")] = "archers"
    moved: Annotated[bool, Meta(title="It moved this turn")] = False
    attacker_terrain: Annotated[Ground, Meta(title="Where the shooter is")] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    distance: Annotated[int, _DISTANCE] = CLOSEST_SHOT
    target: Annotated[Kind, _TARGET] = "light_infantry"
    target_terrain: Annotated[Ground, _ON] = "open"
    hits: Annotated[int, _HITS] = 0
    neighbour: Annotated[bool, NEIGHBOUR] = False
    behind: Annotated[int, BEHIND] = FARTHEST


class EvasionFacts(_Typed, frozen=True):
    """The facts of an evasion."""

    attacker: Annotated[Mobile, _ATTACKER] = "heavy_infantry"
    mode: Annotated[Mode, Meta(title="Kind of attack")] = "melee"
    moved: Annotated[bool, Meta(title="It shoots after moving")] = False
    attacker_terrain: Annotated[Ground, _FROM] = "open"
    card: Annotated[CombatCard, _CARD] = "none"
    target: Annotated[Mobile, _TARGET] = "light_infantry"
    behind: Annotated[int, BEHIND] = FARTHEST


class DiscardFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of a discard roll."""

    card: Annotated[SpecialCard, Meta(title="Special card")] = "10S"


class Evasion(msgspec.Struct, frozen=True):
    """How an evasion went: whether it succeeded, and the dice the attacker rolls."""

    evaded: bool
    dice: int
    most_steps: int


class Discarded(msgspec.Struct, frozen=True):
    """Where a special card goes."""

    to: Literal["discard_pile", "removed"]


def _headline(result: Result) -> Text:
    if result.destroyed:
        return say("Destroyed")
    back = say("back {far}", far=squares(result.steps)) if result.steps else None
    return harm(result, result.hits_taken + result.blocked, back) or say("No effect")


def _attack(slug: str, mode: Mode, title: Text, kind: type[_Typed]) -> Lookup:
    def ruled(given: _Typed, ask: Ask) -> Ruling[Result]:
        result = fight(given.facts(mode), RULES, ask)
        return Ruling(result, _headline(result), tuple(ask.reasons))

    return Lookup(slug, title, kind, ruled, lambda given: charts_of(given.facts(mode), RULES), NOTES[slug])


def _evadable(given: EvasionFacts) -> Facts:
    facts = given.facts(given.mode)
    refuse(no_evasion(facts, RULES), "target")
    return facts


def evasion(given: EvasionFacts, ask: Ask) -> Ruling[Evasion]:
    """Rule on an evasion: who may (TTC-118), the die (TTC-123), and the dice that are left (TTC-124)."""
    facts = _evadable(given)
    terms = dice_terms(facts, RULES)
    whole = total(terms)
    ask.tell(dice(whole), None, whole, terms=terms)
    evaded = roll_evasion(facts, ask)
    left = (whole + 1) // 2 if evaded else whole
    ask.tell(say("The attacker rolls {dice}", dice=dice(left)), "TTC-124" if evaded else "TTC-127", left)
    text = say("Evaded: {dice}" if evaded else "Not evaded: {dice}", dice=dice(left))
    return Ruling(Evasion(evaded, left, min(FARTHEST, facts.behind) if evaded else 0), text, tuple(ask.reasons))


def discard(given: DiscardFacts, ask: Ask) -> Ruling[Discarded]:
    """Rule on the die of a discarded special card (TTC-54)."""
    leaves = discard_roll(given.card, DEFENDER, ask)
    goes = Discarded("removed" if leaves else "discard_pile")
    return Ruling(goes, say_where(given.card, leaves=leaves), tuple(ask.reasons))


def _die(title: Text, good: Text, bad: Text, lucky: tuple[int, ...]) -> tuple[Chart, ...]:
    chance = Fraction(len(lucky), 6)
    return (Chart(title, (Bar(good, chance), Bar(bad, 1 - chance))),)


def evasion_charts(given: EvasionFacts) -> tuple[Chart, ...]:
    """Show the odds of the evasion die."""
    _evadable(given)
    return _die(say("The evasion"), say("It succeeds"), say("It fails"), SUCCEEDS)


def discard_charts(_given: DiscardFacts) -> tuple[Chart, ...]:
    """Show the odds of the discard roll."""
    return _die(say("The discard roll"), say("It goes to the discard pile"), say("It leaves the game"), STAYS)


NOTES = {
    "melee": say("An attack on a unit beside it: how many dice, hits, who goes back."),
    "shooting": say("Archers or light cavalry from a distance: range, how many dice, hits."),
    "evasion": say("Who may evade, whether it succeeds, and the dice that are left."),
    "discard": say("Whether a special card stays in the game."),
}
"""What each look-up answers."""
LOOKUPS = (
    _attack("melee", "melee", say("Melee"), MeleeFacts),
    _attack("shooting", "ranged", say("Shooting"), ShootingFacts),
    Lookup("evasion", say("Evasion"), EvasionFacts, evasion, evasion_charts, NOTES["evasion"]),
    Lookup("discard", say("Discard roll"), DiscardFacts, discard, discard_charts, NOTES["discard"]),
)

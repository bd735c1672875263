"""Stateless rulings from typed-in facts: fights, shots, saves and spells, each by the rule that a table uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.chesswar import actions as do
from companion.games.chesswar import bows, catapults, charge, combat, landing, movement, odds, saves, spellbook, spells
from companion.games.chesswar.around import Around, drift_between
from companion.games.chesswar.facts import (
    BowFacts,
    ChargeFacts,
    CounterFacts,
    MeleeFacts,
    RegenerationFacts,
    SaveFacts,
    SpellFacts,
    StrikeFacts,
    ThrowFacts,
    ZapFacts,
    scene,
    unit,
)
from companion.games.chesswar.outcomes import Charged, Fallen, Landed, Melee, Risen, Saved, Shot
from companion.games.chesswar.shooting import Aim
from companion.games.chesswar.sides import BLACK, WHITE, grid
from companion.games.chesswar.speech import ALONE
from companion.games.chesswar.turn import regenerate
from companion.kit import odds as exact
from companion.kit.chart import Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.around import Drift
    from companion.games.chesswar.catapults import Impact
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

SAVED = say("Saved")
NOT_SAVED = say("Not saved")
RISES = say("It stands up again")
REMOVED = say("It is removed")


def _melee(given: MeleeFacts) -> State:
    white = unit("attacker", WHITE, given.attacker, "d4", given.attacker_under)
    black = unit("defender", BLACK, given.defender, "d5", given.defender_under)
    if given.charged:
        white = replace(white, charged="movement")
    units = ((white, given.attacker_under), (black, given.defender_under))
    return scene("combat", units, WHITE, forest="d5" if given.forest else None).engage("attacker", "defender")


def melee(given: MeleeFacts, ask: Ask) -> Ruling[Melee]:
    """Rule on an attack in melee."""
    state = _melee(given)
    after, _, blow = combat.fight(state, "attacker", "defender", ask)
    found = odds.fate(state, after)
    text = odds.fallen(state, found) if found.everybody else odds.GOES_ON
    result = Melee(
        destroyed=found.destroyed,
        knocked_down=found.knocked_down,
        total=blow.total,
        line=blow.line,
        saver=blow.saver,
        saves=blow.saves,
    )
    return Ruling(result, text, tuple(ask.reasons))


def _charge(given: ChargeFacts) -> State:
    white = unit("charger", WHITE, given.unit, "d4", given.unit_under)
    black = unit("target", BLACK, given.target, "d5", given.target_under)
    return scene("movement", ((white, given.unit_under), (black, given.target_under)), WHITE)


def charging(given: ChargeFacts, ask: Ask) -> Ruling[Charged]:
    """Rule on a charge: dread may hold it back."""
    state = _charge(given)
    need = charge.dread_save(state, state.unit("charger"), state.unit("target"))
    engaged = charge.charge(state, "charger", "target", ask).unit("charger").engaged
    return Ruling(Charged(need, engaged), odds.CHARGES if engaged else odds.STAYS, tuple(ask.reasons))


def _shot_at(given: BowFacts | ZapFacts | ThrowFacts, shooter: Unit, square: str, beside: str | None) -> State:
    """Set up a shooter, and the target, in melee with somebody or not."""
    side: Side = shooter.side
    foe: Side = BLACK if side == WHITE else WHITE
    alone = not isinstance(given, ZapFacts) and given.leaderless
    units: list[tuple[Unit, tuple[str, ...]]] = [(shooter, ("leaderless",) if alone else ())]
    if given.target != "none":
        units.append((unit("target", foe, given.target, square), given.target_under))
        if given.melee_with != "none":
            units.append((unit("opponent", side, given.melee_with, beside), given.opponent_under))
    state = scene(
        "shooting",
        tuple(units),
        side,
        storm=not isinstance(given, ZapFacts) and given.storm,
        forest=square if given.forest else None,
    )
    return state.engage("target", "opponent") if len(units) > 2 else state


def _bow(given: BowFacts) -> State:
    shooter = replace(unit("shooter", WHITE, given.unit, "a1"), moved=given.moved)
    return _shot_at(given, shooter, f"a{given.distance + 1}", f"b{given.distance + 1}")


def _shoot(given: BowFacts, state: State, ask: Ask) -> State:
    shooter, target = state.unit("shooter"), state.unit("target")
    aim = bows.checked(state, shooter, Aim(given.distance, given.direct))
    return bows.shoot(state, shooter, target, aim, ask)[0]


def bow(given: BowFacts, ask: Ask) -> Ruling[Shot]:
    """Rule on a shot with a bow."""
    state = _bow(given)
    found = odds.fate(state, _shoot(given, state, ask))
    need = bows.needed(state, state.unit("shooter"), Aim(given.distance, given.direct))
    result = Shot(destroyed=found.destroyed, knocked_down=found.knocked_down, needed=need)
    return Ruling(result, odds.fallen(state, found), tuple(ask.reasons))


def bow_charts(given: BowFacts) -> tuple[Chart, ...]:
    """Show the odds of a shot with a bow."""
    state = _bow(given)
    to_hit = bows.required(state, state.unit("shooter"), Aim(given.distance, given.direct))
    needs = (to_hit, saves.required(state, state.unit("target"), "bow"))
    return odds.shooting(state, lambda ask: _shoot(given, state, ask), needs)


def _thrower(given: ThrowFacts) -> State:
    return _shot_at(
        given, unit("thrower", WHITE if given.edge == "south" else BLACK, given.unit, given.start), given.square, None
    )


def _aim(given: ThrowFacts, state: State) -> Aim:
    distance = grid(state.options).moves_apart(given.start, given.square)
    return catapults.checked(state, state.unit("thrower"), Aim(distance, given.direct))


def _bombard(given: ThrowFacts, state: State, ask: Ask) -> tuple[State, Toll, Impact]:
    return catapults.bombard(state, state.unit("thrower"), given.square, _aim(given, state), ask)


def throwing(given: ThrowFacts, ask: Ask) -> Ruling[Landed]:
    """Rule on where a shot comes down, and on who is struck there."""
    state = _thrower(given)
    after, _, impact = _bombard(given, state, ask)
    found = odds.fate(state, after)
    result = Landed(
        destroyed=found.destroyed, knocked_down=found.knocked_down, square=impact.square, result=impact.result
    )
    text = odds.fallen(state, found) if found.everybody else landing.spot(state, impact)
    return Ruling(result, text, tuple(ask.reasons))


def throwing_charts(given: ThrowFacts) -> tuple[Chart, ...]:
    """Show where a shot may come down, and who may fall."""
    state = _thrower(given)
    thrower = state.unit("thrower")
    needs = catapults.required(state, thrower, _aim(given, state))
    found = landing.explored(state, lambda ask: _bombard(given, state, ask))
    where, _, *danger = landing.bombarding(state, thrower.side, found, (needs,))
    if not (given.enemies or given.own):
        return (where, *danger)
    drifts = odds.gathered(found.ways, lambda outcome: _drift(given, state, outcome[0]))
    around = Around(None if given.target == "none" else Text(given.target), given.enemies, given.own)
    return (where, *landing.on_whom(drifts, around), *danger)


def _drift(given: ThrowFacts, state: State, impact: Impact) -> Drift | None:
    """Return how far from its square a shot comes down; None off the board and on the shooter."""
    if impact.square is None or impact.result == "own_square":
        return None
    return drift_between(state.options, state.unit("thrower").side, given.square, impact.square)


def _zap(given: ZapFacts) -> State:
    return _shot_at(given, unit("mage", WHITE, given.unit, "a1"), f"a{given.distance + 1}", f"b{given.distance + 1}")


def _strike(given: StrikeFacts) -> State:
    mage = unit("mage", WHITE, given.unit, "d4")
    target = unit("target", BLACK, given.target, "d5")
    return scene("combat", ((mage, given.unit_under), (target, given.target_under)), WHITE).engage("mage", "target")


ZAP = do.Cast("mage", "zap", "target")
STRIKE = do.Cast("mage", "strike", "target")


def _cast(state: State, action: do.Cast, ask: Ask) -> Ruling[Fallen]:
    found = odds.fate(state, spells.cast(state, action, ask))
    result = Fallen(destroyed=found.destroyed, knocked_down=found.knocked_down)
    return Ruling(result, odds.fallen(state, found), tuple(ask.reasons))


def _save(given: SaveFacts) -> State:
    under = ("protection",) if given.protection else ()
    one = unit(ALONE, WHITE, given.unit, "d4")
    return scene("combat", ((one, under),), WHITE, forest="d4" if given.forest else None)


def saving(given: SaveFacts, ask: Ask) -> Ruling[Saved]:
    """Rule on a saving roll."""
    state = _save(given)
    one = state.unit(ALONE)
    passed = saves.save(state, one, given.against, ask)
    result = Saved(saves.needed(state, one, given.against), passed)
    return Ruling(result, SAVED if passed else NOT_SAVED, tuple(ask.reasons))


def saving_charts(given: SaveFacts) -> tuple[Chart, ...]:
    """Show the odds of a saving roll."""
    state = _save(given)
    one = state.unit(ALONE)
    chances = odds.explored(state, lambda ask: saves.save(state, one, given.against, ask))
    needs = (saves.required(state, one, given.against),)
    return (Chart(say("The saving roll"), odds.bars_of(chances, ((True, SAVED), (False, NOT_SAVED))), reasons=needs),)


def _regenerate(given: RegenerationFacts, ask: Ask) -> bool:
    """Let somebody enter the square of a unit that lies knocked over (CW-115), or the turn end (CW-116)."""
    one = replace(unit(ALONE, WHITE, given.unit, "d4"), down=True)
    state = scene("combat", ((one, ()), (unit("enemy", BLACK, "orc_infantry", "d5"), ())), WHITE)
    if given.entered:
        movement.enter(state, state.unit("enemy"), ("d4",), ask)
        return False
    return regenerate(state, one, ask).find(ALONE) == replace(one, down=False)


def regeneration(given: RegenerationFacts, ask: Ask) -> Ruling[Risen]:
    """Rule on whether a knocked-over unit stands up again."""
    stands = _regenerate(given, ask)
    return Ruling(Risen(stands), RISES if stands else REMOVED, tuple(ask.reasons))


def regeneration_charts(given: RegenerationFacts) -> tuple[Chart, ...]:
    """Show the odds of a knocked-over unit."""
    chances = exact.odds(lambda ask: _regenerate(given, ask))
    return (Chart(say("At the end of the turn"), odds.bars_of(chances, ((True, RISES), (False, REMOVED)))),)


LOOKUPS = {
    lookup.slug: lookup
    for lookup in (
        Lookup("melee", say("Melee"), MeleeFacts, melee,
               lambda given: odds.attacking(_melee(given), "attacker", "defender"),
               say("Who falls in an attack: the blow, the saving rolls and the plague.")),
        Lookup("charge", say("Charge"), ChargeFacts, charging,
               lambda given: odds.charging(_charge(given), "charger", "target"),
               say("Whether a unit dares to charge a dreadful one.")),
        Lookup("bow", say("Bows"), BowFacts, bow, bow_charts,
               say("A shot with bows or crossbows: what it takes to hit, who falls.")),
        Lookup("catapult", say("Catapults and the like"), ThrowFacts, throwing, throwing_charts,
               say("Where a stone, a rock or a plague bomb comes down, and who falls.")),
        Lookup("zap", Text("zap"), ZapFacts, lambda given, ask: _cast(_zap(given), ZAP, ask),
               lambda given: odds.casting(_zap(given), ZAP),
               say("Who falls to a Zap, in melee too.")),
        Lookup("strike", Text("strike"), StrikeFacts, lambda given, ask: _cast(_strike(given), STRIKE, ask),
               lambda given: odds.casting(_strike(given), STRIKE),
               say("Whether a Strike destroys its target.")),
        Lookup("save", say("Saving roll"), SaveFacts, saving, saving_charts,
               say("What a unit needs to be saved, whatever strikes it.")),
        Lookup("spell", say("Spells"), SpellFacts, spellbook.spell, spellbook.spell_charts,
               say("What a spell does, how long it lasts, what it takes to work.")),
        Lookup("counterspell", Text("counterspell"), CounterFacts, spellbook.counter, spellbook.counter_charts,
               say("Whether a spell gets through when enemy mages counter it.")),
        Lookup("regeneration", say("Regeneration"), RegenerationFacts, regeneration, regeneration_charts,
               say("Whether a unit stands up again at the end of the turn.")),
    )
}  # fmt: skip

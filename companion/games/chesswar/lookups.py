"""Stateless rulings from typed-in facts: fights, shots, saves and spells, each by the rule that a table uses."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.games.chesswar import catapults, charge, combat, facts, magic, movement, odds, shooting, spells, traits
from companion.games.chesswar.armies import INSTANT, PHASE_OF, TEMPORARY, TYPES
from companion.games.chesswar.destruction import Toll
from companion.games.chesswar.options import BLACK, WHITE, Around, Drift, Impact, Options, Side, drift_between, grid
from companion.games.chesswar.shooting import Aim
from companion.games.chesswar.speech import ALONE
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import State, Unit
from companion.games.chesswar.turn import regenerate
from companion.kit import odds as exact
from companion.kit.asking import Ask
from companion.kit.game import Lookup
from companion.kit.odds import Chart
from companion.kit.questions import Answer, Choice, Choose, Question
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

SAVED = say("Saved")
NOT_SAVED = say("Not saved")
RISES = say("It stands up again")
REMOVED = say("It is removed")
HOLDS = say("It works")
NO_EFFECT = say("It has no effect")
CASTER = "wq1"


def _fallen(state: State, after: State) -> tuple[dict[str, tuple[str, ...]], Text | None]:
    """Return who has fallen as a look-up answers it, and that in words; None where nobody has."""
    fate = odds.fate(state, after)
    return fate._asdict(), odds.fallen(state, fate) if fate.everybody else None


def _melee(given: facts.MeleeFacts) -> State:
    attacker = Unit("attacker", WHITE, given.attacker, "d4", charged="movement" if given.charged else "")
    defender = Unit("defender", BLACK, given.defender, "d5")
    units = ((attacker, given.attacker_under), (defender, given.defender_under))
    return facts.scene("combat", units, WHITE, forest="d5" if given.forest else None).engage("attacker", "defender")


def melee(given: facts.MeleeFacts, ask: Ask) -> Ruling[facts.Blow]:
    """Rule on an attack in melee."""
    state = _melee(given)
    after, _, blow = combat.fight(state, "attacker", "defender", ask)
    fallen, said = _fallen(state, after)
    result = facts.Blow(**fallen, total=blow.total, line=blow.line, saver=blow.saver, saves=blow.saves)
    return Ruling(result, said or combat.GOES_ON, tuple(ask.reasons))


def melee_charts(given: facts.MeleeFacts) -> tuple[Chart, ...]:
    """Show the odds of an attack in melee."""
    return combat.charts(_melee(given), "attacker", "defender")


def _charge(given: facts.ChargeFacts) -> State:
    white, black = Unit("charger", WHITE, given.unit, "d4"), Unit("target", BLACK, given.target, "d5")
    return facts.scene("movement", ((white, given.unit_under), (black, given.target_under)), WHITE)


def charging(given: facts.ChargeFacts, ask: Ask) -> Ruling[facts.Dared]:
    """Rule on a charge: dread may hold it back."""
    state = _charge(given)
    need = charge.dread_save(state, state.unit("charger"), state.unit("target"))
    engaged = charge.go_in(state, "charger", "target", ask).unit("charger").engaged
    return Ruling(facts.Dared(need, engaged), charge.CHARGES if engaged else charge.STAYS, tuple(ask.reasons))


def charge_charts(given: facts.ChargeFacts) -> tuple[Chart, ...]:
    """Show the odds of a charge."""
    return charge.charts(_charge(given), "charger", "target")


def _shot_at(
    given: facts.BowFacts | facts.ZapFacts | facts.ThrowFacts, shooter: Unit, square: str, beside: str | None
) -> State:
    side: Side = shooter.side
    foe: Side = BLACK if side == WHITE else WHITE
    alone, storm = (False, False) if isinstance(given, facts.ZapFacts) else (given.leaderless, given.storm)
    units: list[tuple[Unit, tuple[str, ...]]] = [(shooter, ("leaderless",) if alone else ())]
    if given.target != "none":
        units.append((Unit("target", foe, given.target, square), given.target_under))
        if given.melee_with != "none":
            units.append((Unit("opponent", side, given.melee_with, beside), given.opponent_under))
    state = facts.scene("shooting", tuple(units), side, storm=storm, forest=square if given.forest else None)
    return state.engage("target", "opponent") if len(units) > 2 else state


def _bow(given: facts.BowFacts) -> State:
    shooter = Unit("shooter", WHITE, given.unit, "a1", moved=given.moved)
    return _shot_at(given, shooter, f"a{given.distance + 1}", f"b{given.distance + 1}")


def _shoot(given: facts.BowFacts, state: State, ask: Ask) -> State:
    shooter, target = state.unit("shooter"), state.unit("target")
    aim = shooting.checked(state, shooter, Aim(given.distance, given.direct))
    return shooting.shoot_bow(state, shooter, target, aim, ask)[0]


def bow(given: facts.BowFacts, ask: Ask) -> Ruling[facts.Hit]:
    """Rule on a shot with a bow."""
    state = _bow(given)
    fallen, said = _fallen(state, _shoot(given, state, ask))
    need = shooting.needed(state, state.unit("shooter"), Aim(given.distance, given.direct))
    return Ruling(facts.Hit(**fallen, needed=need), said or odds.NOBODY, tuple(ask.reasons))


def bow_charts(given: facts.BowFacts) -> tuple[Chart, ...]:
    """Show the odds of a shot with a bow."""
    state = _bow(given)
    to_hit = shooting.required(state, state.unit("shooter"), Aim(given.distance, given.direct))
    needs = (to_hit, traits.save_required(state, state.unit("target"), "bow"))
    return shooting.charts(state, lambda ask: _shoot(given, state, ask), needs)


def _thrower(given: facts.ThrowFacts) -> State:
    side = WHITE if given.edge == "south" else BLACK
    return _shot_at(given, Unit("thrower", side, given.unit, given.start), given.square, None)


def _aim(given: facts.ThrowFacts, state: State) -> Aim:
    distance = grid(state.options).moves_apart(given.start, given.square)
    return catapults.checked(state, state.unit("thrower"), Aim(distance, given.direct))


def _bombard(given: facts.ThrowFacts, state: State, ask: Ask) -> tuple[State, Toll, Impact]:
    return catapults.throw(state, state.unit("thrower"), given.square, _aim(given, state), ask)


def throwing(given: facts.ThrowFacts, ask: Ask) -> Ruling[facts.Landed]:
    """Rule on where a shot comes down, and on who is struck there."""
    state = _thrower(given)
    after, _, impact = _bombard(given, state, ask)
    fallen, said = _fallen(state, after)
    landed = facts.Landed(**fallen, square=impact.square, result=impact.result)
    return Ruling(landed, said or odds.spot(state, impact), tuple(ask.reasons))


def throwing_charts(given: facts.ThrowFacts) -> tuple[Chart, ...]:
    """Show where a shot may come down, and who may fall."""
    state = _thrower(given)
    thrower = state.unit("thrower")
    needs = catapults.required(state, thrower, _aim(given, state))
    falls = catapults.falls(state, lambda ask: _bombard(given, state, ask))
    where, _, *danger = odds.landing(state, thrower.side, falls, (needs,))
    if not (given.enemies or given.own):
        return (where, *danger)

    def drift(impact: Impact) -> Drift | None:
        if impact.square is None or impact.result == "own_square":
            return None
        return drift_between(state.options, thrower.side, given.square, impact.square)

    drifts = odds.gathered(falls.ways, lambda outcome: drift(outcome[0]))
    around = Around(None if given.target == "none" else Text(given.target), given.enemies, given.own)
    return (where, *odds.on_whom(drifts, around), *danger)


def _cast(given: facts.ZapFacts | facts.StrikeFacts) -> tuple[State, Cast]:
    if isinstance(given, facts.ZapFacts):
        mage, rank = Unit("mage", WHITE, given.unit, "a1"), given.distance + 1
        return _shot_at(given, mage, f"a{rank}", f"b{rank}"), Cast("mage", "zap", "target")
    mage, target = Unit("mage", WHITE, given.unit, "d4"), Unit("target", BLACK, given.target, "d5")
    state = facts.scene("combat", ((mage, given.unit_under), (target, given.target_under)), WHITE)
    return state.engage("mage", "target"), Cast("mage", "strike", "target")


def cast(given: facts.ZapFacts | facts.StrikeFacts, ask: Ask) -> Ruling[facts.Fallen]:
    """Rule on a Zap or a Strike."""
    state, action = _cast(given)
    fallen, said = _fallen(state, spells.cast(state, action, ask))
    return Ruling(facts.Fallen(**fallen), said or odds.NOBODY, tuple(ask.reasons))


def cast_charts(given: facts.ZapFacts | facts.StrikeFacts) -> tuple[Chart, ...]:
    """Show the odds of a Zap or a Strike."""
    return spells.charts(*_cast(given))


def _save(given: facts.SaveFacts) -> State:
    under = ("protection",) if given.protection else ()
    unit = Unit(ALONE, WHITE, given.unit, "d4")
    return facts.scene("combat", ((unit, under),), WHITE, forest="d4" if given.forest else None)


def saving(given: facts.SaveFacts, ask: Ask) -> Ruling[facts.Saved]:
    """Rule on a saving roll."""
    state = _save(given)
    unit = state.unit(ALONE)
    passed, needed = traits.save(state, unit, given.against, ask), traits.save_needed(state, unit, given.against)
    return Ruling(facts.Saved(needed, passed), SAVED if passed else NOT_SAVED, tuple(ask.reasons))


def saving_charts(given: facts.SaveFacts) -> tuple[Chart, ...]:
    """Show the odds of a saving roll."""
    state = _save(given)
    unit = state.unit(ALONE)
    chances = odds.explored(state, lambda ask: traits.save(state, unit, given.against, ask))
    needs = (traits.save_required(state, unit, given.against),)
    return (Chart(say("The saving roll"), odds.bars_of(chances, ((True, SAVED), (False, NOT_SAVED))), reasons=needs),)


def _regenerate(given: facts.RegenerationFacts, ask: Ask) -> bool:
    """Let somebody enter the square of a unit that lies knocked over (CW-115), or the turn end (CW-116)."""
    troll = Unit(ALONE, WHITE, given.unit, "d4", down=True)
    state = facts.scene("combat", ((troll, ()), (Unit("enemy", BLACK, "orc_infantry", "d5"), ())), WHITE)
    if given.entered:
        movement.enter(state, state.unit("enemy"), ("d4",), ask)
        return False
    return regenerate(state, troll, ask).find(ALONE) == replace(troll, down=False)


def rise(given: facts.RegenerationFacts, ask: Ask) -> Ruling[facts.Risen]:
    """Rule on whether a knocked-over unit stands up again."""
    stands = _regenerate(given, ask)
    return Ruling(facts.Risen(stands), RISES if stands else REMOVED, tuple(ask.reasons))


def rise_charts(given: facts.RegenerationFacts) -> tuple[Chart, ...]:
    """Show the odds of a knocked-over unit."""
    chances = exact.odds(lambda ask: _regenerate(given, ask))
    return (Chart(say("At the end of the turn"), odds.bars_of(chances, ((True, RISES), (False, REMOVED)))),)


class Countering(Ask):
    """The answers of mages who all counter, one after the other; the dice are asked for as ever."""

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self.ask = ask
        self.reasons = ask.reasons

    def answer(self, question: Question) -> Answer:
        """Choose the first mage; pass every other question on."""
        if isinstance(question, Choose):
            mage = next(option.value for option in question.options if option.value != magic.NO_SPELL)
            return Choice(question.key, mage, question.seat)
        return self.ask.answer(question)


def _mages(given: facts.CounterFacts) -> State:
    knows = next(kind.id for kind in TYPES.values() if given.spell in kind.spells)
    own = tuple(Unit(f"wq{number}", "white", knows) for number in range(1, 2 + given.support))
    enemy = tuple(Unit(f"bq{number}", "black", knows) for number in range(1, 1 + given.against))
    return State(options=Options(board="table"), units=(*own, *enemy), phase="movement", order=(0, 1))


def _works(given: facts.CounterFacts, ask: Ask) -> bool:
    """Cast a spell, with its own roll (CW-143), and let it be countered (CW-141 to CW-144)."""
    state, spell = _mages(given), given.spell
    mage = state.unit(CASTER)
    state = magic.spend(state, mage)
    works = spell not in magic.ROLLED or magic.roll(state, mage, spell, magic.CLAUSES[spell], ask)
    return magic.stands(state, mage, spell, Countering(ask), works=works)[1]


def described(given: facts.SpellFacts, ask: Ask) -> Ruling[facts.Described]:
    """Say what a spell does."""
    spell = given.spell
    when = "instant" if spell in INSTANT else PHASE_OF[spell]
    ask.tell(*magic.WHEN[when])
    if spell in TEMPORARY:
        ask.tell(magic.LASTS, "CW-129")
    for line in (magic.effect(spell), *magic.rolls(spell)):
        ask.tell(line.text, line.clause)
    needed = magic.WORKS if spell in magic.ROLLED else None
    return Ruling(facts.Described(when, spell in TEMPORARY, needed), Text(spell), tuple(ask.reasons))


def spell_charts(given: facts.SpellFacts) -> tuple[Chart, ...]:
    """Show the odds of a spell's own roll, where it has one."""
    return counter_charts(facts.CounterFacts(spell=given.spell, against=0)) if given.spell in magic.ROLLED else ()


def counter(given: facts.CounterFacts, ask: Ask) -> Ruling[facts.Spelled]:
    """Rule on whether a spell holds against Counterspells."""
    works = _works(given, ask)
    return Ruling(facts.Spelled(works), HOLDS if works else NO_EFFECT, tuple(ask.reasons))


@lru_cache(maxsize=256)
def counter_charts(given: facts.CounterFacts) -> tuple[Chart, ...]:
    """Show the odds that a spell has its effect when everybody counters who can."""
    chances = odds.explored(_mages(given), lambda ask: _works(given, ask))
    return (Chart(Text(given.spell), odds.bars_of(chances, ((True, HOLDS), (False, NO_EFFECT)))),)


NOTES = {
    "melee": say("Who falls in an attack: the blow, the saving rolls and the plague."),
    "charge": say("Whether a unit dares to charge a dreadful one."),
    "bow": say("A shot with bows or crossbows: what it takes to hit, who falls."),
    "catapult": say("Where a stone, a rock or a plague bomb comes down, and who falls."),
    "zap": say("Who falls to a Zap, in melee too."),
    "strike": say("Whether a Strike destroys its target."),
    "save": say("What a unit needs to be saved, whatever strikes it."),
    "spell": say("What a spell does, how long it lasts, what it takes to work."),
    "counterspell": say("Whether a spell gets through when enemy mages counter it."),
    "regeneration": say("Whether a unit stands up again at the end of the turn."),
}
"""What each look-up answers."""
LOOKUPS = (
    Lookup("melee", say("Melee"), facts.MeleeFacts, melee, melee_charts, NOTES["melee"]),
    Lookup("charge", say("Charge"), facts.ChargeFacts, charging, charge_charts, NOTES["charge"]),
    Lookup("bow", say("Bows"), facts.BowFacts, bow, bow_charts, NOTES["bow"]),
    Lookup("catapult", say("Catapults and the like"), facts.ThrowFacts, throwing, throwing_charts, NOTES["catapult"]),
    Lookup("zap", Text("zap"), facts.ZapFacts, cast, cast_charts, NOTES["zap"]),
    Lookup("strike", Text("strike"), facts.StrikeFacts, cast, cast_charts, NOTES["strike"]),
    Lookup("save", say("Saving roll"), facts.SaveFacts, saving, saving_charts, NOTES["save"]),
    Lookup("spell", say("Spells"), facts.SpellFacts, described, spell_charts, NOTES["spell"]),
    Lookup("counterspell", Text("counterspell"), facts.CounterFacts, counter, counter_charts, NOTES["counterspell"]),
    Lookup("regeneration", say("Regeneration"), facts.RegenerationFacts, rise, rise_charts, NOTES["regeneration"]),
)

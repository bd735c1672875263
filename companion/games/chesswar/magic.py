"""Magic in general: what a spell does, who may cast it when, and Counterspells (CW-122 to CW-130, CW-141 to CW-144)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from companion.games.chesswar import speech, traits
from companion.games.chesswar.armies import INSTANT, PHASE_OF, TEMPORARY, Spell
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.state import TURN_PHASES, Replies, State, Unit
from companion.kit import counts
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text, numbered, say

magic = Chapter[State, Side]()

NO_SPELL = "no"
PATIENCE = 5
"""Seconds that a side has for an instant when its answers are not waited for."""
WORKS = 4
"""Face that Healing and Counterspell need (CW-141, CW-145)."""
REACH: dict[Spell, int] = {"raise_dead": 4, "healing": 2, "protection": 1, "flight": 4, "zap": 4}
"""How many squares from the mage, or from whom he lets fly, a spell reaches."""
STORM_SCATTERS = 2
"""A storm adds a scatter die for every so many squares of distance (CW-157)."""
CLAUSES: dict[Spell, str] = {
    "raise_dead": "CW-131",
    "contagion": "CW-140",
    "counterspell": "CW-141",
    "healing": "CW-145",
    "dispel": "CW-149",
    "strike": "CW-150",
    "fear": "CW-152",
    "protection": "CW-153",
    "storm": "CW-156",
    "flight": "CW-159",
    "zap": "CW-162",
}
"""By which clause each spell has its effect."""
ROLLED: tuple[Spell, ...] = ("healing", "counterspell")
"""Spells with a roll of their own."""
WHEN = {
    "instant": (say("At any moment, in the enemy's turn too: he then casts nothing in his own next turn"), "CW-126"),
    "movement": (say("In the movement phase, right after the mage has moved or stayed, not in melee"), "CW-127"),
    "shooting": (say("In the shooting phase, not in melee"), "CW-128"),
    "combat": (say("In the combat phase, in place of his attack"), "CW-128"),
}
LASTS = say("It lasts until the start of the caster's next turn, or until he falls")
LOCKED = Reason(say("Cast in the enemy's turn it costs him his spell of his own next turn"), "CW-123")
SPENT = Reason(say("Each mage casts one spell a turn: he then casts no other in this one"), "CW-122")
MOVES_NO_MORE = Reason(say("He then moves no more this turn, but he may still charge"), "CW-127")
INSTEAD = Reason(say("It takes the place of his attack"), "CW-128")


def effect(spell: Spell) -> Reason:
    """Say what a spell does, and how far it reaches (section 2.6)."""
    squares = counts.squares(REACH.get(spell, 0))
    does: dict[Spell, Text] = {
        "raise_dead": say(
            "A unit just destroyed within {squares} comes back there undead: as cavalry, archers, a catapult or "
            "zombies",
            squares=squares,
        ),
        "contagion": say("All units of the caster's side carry the plague, and are immune to it"),
        "counterspell": say("Any spell just cast is dispersed, a Counterspell too; no range, no sight"),
        "healing": say("A unit just destroyed within {squares}, the mage too, survives and fights on", squares=squares),
        "dispel": say("One temporary spell in force ends"),
        "strike": numbered(
            "One opponent in his melee saves at [strike] or is destroyed; no continuation move",
            strike=traits.SAVES["strike"],
        ),
        "fear": say("All units of the caster's side are dreadful"),
        "protection": numbered(
            "Own units on his square and the 8 around it save at [+protection], are brave and immune to plague",
            protection=traits.SAVES["protection"],
        ),
        "storm": numbered(
            "Bows lose 1 for each square of distance; the others scatter one die more for every [storm|square|squares]",
            storm=STORM_SCATTERS,
        ),
        "flight": say(
            "An own unit that he sees, or he himself, lands within {squares} on a square he sees, "
            "and is brave until the phase ends",
            squares=squares,
        ),
        "zap": say("An enemy that he sees within {squares} saves or is destroyed", squares=squares),
    }
    return Reason(does[spell], CLAUSES[spell])


def rolls(spell: Spell) -> tuple[Reason, ...]:
    """Say the face that a spell needs, where it has a roll of its own."""
    return (Reason(say("It works on {needed} or more", needed=WORKS), CLAUSES[spell]),) if spell in ROLLED else ()


def before_casting(spell: Spell, *, settled: bool) -> tuple[Reason, ...]:
    """Say what a spell of the own turn does, how long it lasts and what it costs; a ``settled`` mage moves no more."""
    return (
        effect(spell),
        *((Reason(LASTS, "CW-129"),) if spell in TEMPORARY else ()),
        *((MOVES_NO_MORE,) if spell != "flight" and PHASE_OF[spell] == "movement" and not settled else ()),
        *((INSTEAD,) if PHASE_OF[spell] == "combat" else ()),
    )


def before_answering(spell: Spell, *, locks: bool) -> tuple[Reason, ...]:
    """Say what an instant spell does, whether it has to be rolled for, and what it costs."""
    return (effect(spell), *rolls(spell), LOCKED if locks else SPENT)


def within(state: State, mage: Unit, unit: Unit, spell: Spell) -> bool:
    """Tell whether a unit is near enough to a mage, seen or not; where no board tells, the players know."""
    if mage.square is None or unit.square is None:
        return True
    return grid(state.options).moves_apart(mage.square, unit.square) <= REACH[spell]


def barred(state: State, mage: Unit, spell: Spell) -> Reason | None:
    """Say why a mage can not cast a spell now; None when he can (CW-122 to CW-128)."""
    if spell not in mage.kind.spells:
        return Reason(say("A mage casts only the spells of his own list."), "CW-124")
    if mage.cast:
        return Reason(say("Each mage casts one spell a turn."), "CW-122")
    own = mage.side in state.acting
    if mage.locked and own:
        return Reason(say("He cast an instant in the enemy's turn: no spell in this one."), "CW-123")
    if spell in INSTANT:
        return None if state.phase in TURN_PHASES else Reason(say("The game has not begun."), "CW-126")
    clause = "CW-127" if PHASE_OF[spell] == "movement" else "CW-128"
    if not own:
        return Reason(say("In the enemy's turn only instant spells are cast."), clause)
    if state.phase != PHASE_OF[spell]:
        said = say("{spell} is cast in the {phase} phase.", spell=Text(spell), phase=Text(PHASE_OF[spell]))
        return Reason(said, clause)
    return _place_barred(state, mage, spell)


def _place_barred(state: State, mage: Unit, spell: Spell) -> Reason | None:
    if PHASE_OF[spell] == "movement":
        if mage.engaged and spell != "flight":
            return Reason(say("A mage in melee casts no movement spell."), "CW-127")
        if mage.charge_failed:
            return Reason(say("A movement spell is cast before the charge."), "CW-127")
        if mage.moved and not state.acted_last(mage):
            return Reason(say("A movement spell is cast right after the mage has moved."), "CW-127")
    if spell == "zap" and mage.engaged:
        return Reason(say("A mage in melee casts no shooting spell."), "CW-128")
    if spell == "strike" and not mage.engaged:
        return Reason(say("Strike is for a mage in melee."), "CW-150")
    if (spell == "zap" and mage.shot) or (spell == "strike" and mage.attacked):
        return Reason(say("The spell takes the place of his attack."), "CW-128")
    return None


def casters(state: State, side: Side, spell: Spell, fallen: Container[str] = ()) -> tuple[Unit, ...]:
    """List the mages of a side that may cast a spell now; those who are falling cast none."""
    return tuple(unit for unit in state.standing(side) if unit.id not in fallen and barred(state, unit, spell) is None)


def spend(state: State, mage: Unit) -> State:
    """Note that a mage has cast: in the enemy's turn it costs him the spell of his own next one (CW-122, CW-123)."""
    return state.with_unit(mage.id, cast=True, locked=mage.locked or mage.side not in state.acting)


def volunteer(
    state: State,
    side: Side,
    mages: tuple[Unit, ...],
    spell: Spell,
    key: str,
    why: Text,
    ask: Ask,
    works: Text | None = None,
) -> tuple[State, Unit | None]:
    """Ask a side which of its mages casts an instant spell; he has spent his spell then.

    None when nobody does, or nobody is asked: there are no such mages, or the side does not wish it; a choice declared
    ahead is always heard. ``works`` says what comes of it; without it, the face that the spell needs.
    """
    reply = state.replies.get(side, "ask")
    if not mages or (reply == "never" and key not in ask.intended):
        return state, None
    locks = side not in state.acting
    works = works or say("works on {chance}", chance=speech.chance(WORKS))
    note = say("{works}; no spell in his next turn", works=works) if locks else works
    options = [Option(NO_SPELL, say("No spell"), note=say("no spell is spent"))]
    for mage in mages:
        label = say("{spell}: {unit}", spell=Text(spell), unit=speech.name(state, mage))
        options.append(Option(mage.id, label, place=mage.square, note=note))
    clause, costs = CLAUSES[spell], before_answering(spell, locks=locks)
    patience, silence = (PATIENCE, NO_SPELL) if reply == "wait" else (0, None)
    chosen = ask.choose(side, options, key, why, clause=clause, patience=patience, silence=silence, advice=costs)
    caster = next((mage for mage in mages if mage.id == chosen), None)
    return (state, None) if caster is None else (spend(state, caster), caster)


def roll(state: State, mage: Unit, spell: Spell, clause: str, ask: Ask) -> bool:
    """Roll whether a spell with a roll of its own works (CW-141, CW-145)."""
    who, named = speech.name(state, mage), Text(spell)
    why = numbered("{unit} cast {spell}: [works] or more for it to work", works=WORKS, unit=who, spell=named)
    # The scene names who cast the spell that is countered, not this one: the faces say whose die it is.
    does = traits.effects(WORKS, say("{spell} works", spell=named), say("{spell} fails", spell=named))
    alike = traits.alike(WORKS)
    face = ask.throw(1, 6, spell, why, by=mage.side, clause="CW-10", alike=alike, does=does)[0]
    works = face >= WORKS
    said = say("{unit} cast {spell}: it worked" if works else "{unit} cast {spell}: it failed", unit=who, spell=named)
    ask.tell(said, clause, faces=(face,), marks=((mage.id, "acting"),))
    return works


def stands(
    state: State,
    caster: Unit,
    spell: Spell,
    ask: Ask,
    *,
    works: bool = True,
    fallen: Container[str] = (),
    owner: Side | None = None,
) -> tuple[State, bool]:
    """Let a spell be countered, the Counterspell too, and so on; tell whether it has its effect (CW-141 to CW-144).

    ``works`` is what its own roll said: a spell that failed anyway is not worth a question. Those who are ``fallen``
    counter nothing; the ``owner`` of the spell that this one counters answers first (CW-Q22).
    """
    foes = (side for side in state.in_turn if side not in state.team(caster.side))
    key, who = f"counter_{caster.id}", speech.name(state, caster)
    why = say("{unit} cast {spell}: Counterspell?", unit=who, spell=Text(spell))
    for side in sorted(foes, key=lambda side: side != owner) if works or key in ask.intended else ():
        while True:
            mages = casters(state, side, "counterspell", fallen)
            state, mage = volunteer(state, side, mages, "counterspell", key, why, ask)
            if mage is None:
                break
            dispersed = roll(state, mage, "counterspell", "CW-141", ask)
            owner = caster.side
            state, dispersed = stands(state, mage, "counterspell", ask, works=dispersed, fallen=fallen, owner=owner)
            if dispersed:
                clause = "CW-142" if spell == "counterspell" else "CW-141"
                ask.tell(say("{spell} is dispersed", spell=Text(spell)), clause)
                return state, False
    return state, works


REPLIES: dict[Replies, Text] = {
    "ask": say("^ask me each time"),
    "wait": numbered("^ask me, but wait only [patience] seconds", patience=PATIENCE),
    "never": say("^never ask me"),
}


class Answering(Action, frozen=True, tag="answering"):
    """Say how you like to be asked for instant spells: each time, for some seconds, or never."""

    replies: Replies


@magic.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer to change how a side with instant spells likes to be asked (CW-126)."""
    mages = (unit for unit in state.units if unit.on_board and unit.side == side)
    if state.phase in TURN_PHASES and any(set(INSTANT) & set(mage.kind.spells) for mage in mages):
        options = tuple(Option(reply, label) for reply, label in REPLIES.items())
        now = state.replies.get(side, "ask")
        field = Field("replies", say("When an instant spell could be cast"), "choice", options, value=now)
        label, button = say("Instant spells: {now}", now=REPLIES[now]), say("Ask me like this")
        yield Answering.offer(label, field, aside=True, button=button, clause="CW-126")


def asks_anew(_state: State, side: Side, _action: Answering) -> Text:
    """Say who answers otherwise from now on."""
    return say("{side} says how to be asked for instant spells", side=Text(side))


@magic.rule(Answering, says=asks_anew, quiet=True)
def answer(state: State, side: Side, action: Answering, ask: Ask) -> State:
    """Set how a side likes to be asked."""
    state.check_begun()
    ask.tell(asks_anew(state, side, action), "CW-126")
    return state.but(replies={**state.replies, side: action.replies})

"""An attack at a table: facts, fight, and what becomes of the two units (TTC-24, TTC-25, TTC-46 to TTC-48)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.two_cities import speech
from companion.games.two_cities.activation import activate, finish, may_act
from companion.games.two_cities.combat import check_attack, dice_terms, fight
from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.facts import Facts
from companion.games.two_cities.movement import allowance_terms
from companion.games.two_cities.position import check_contact, facts_of, squares_behind, touching
from companion.games.two_cities.shooting import range_of, range_terms
from companion.games.two_cities.state import Last, Mode, Result, State, Unit
from companion.games.two_cities.units import KINDS
from companion.kit import counts
from companion.kit.ruling import Harm, Reason, Refusal, changed
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.two_cities.actions import Attack
    from companion.games.two_cities.units import Ground
    from companion.kit.asking import Ask

HIDES = ("TTC-94", "TTC-97", "TTC-98")


def prepare(state: State, action: Attack) -> tuple[State, Facts]:
    """Activate the attacker and gather the facts of the attack; raise Refusal when it is not allowed."""
    unit = state.unit(action.unit)
    state = activate(state, unit)
    unit = state.unit(action.unit)
    _check_typed(state, action)
    try:
        target = _enemy(state, unit, action.target)
        mode = action.mode or mode_of(unit, target)
        check_order(state, unit, mode)
        if mode == "melee":
            check_contact(unit, target)
        facts = (
            facts_of(state, unit, target, mode) if state.mirrored else typed_facts(state, unit, target, action, mode)
        )
        check_attack(facts)
    except Refusal as refusal:
        raise _under_double_rain(refusal, state, unit) from refusal
    return state, facts


def _check_typed(state: State, action: Attack) -> None:
    typed = ("moved", "attacker_terrain", "target_terrain", "distance", "neighbour", "behind")
    given = next((field for field in typed if getattr(action, field) is not None), None)
    if state.mirrored and given is not None:
        raise Refusal(say("On a mirrored board Companion knows that itself."), field=given)


def _enemy(state: State, unit: Unit, name: str) -> Unit:
    target = state.unit(name, "target")
    if target.side == unit.side:
        raise Refusal(say("Only enemy units may be attacked."), "TTC-85", "target")
    return target


def _under_double_rain(refusal: Refusal, state: State, unit: Unit) -> Refusal:
    """Add what Double rain says on it: one melee in contact (TTC-47), a second shot checked afresh (TTC-48)."""
    if rule_of(state.card).shots < 2:
        return refusal
    if unit.attacks == 1:
        text = say("{why} The second shot is checked afresh ({see}).", why=refusal.text, see="TTC-48")
    elif refusal.clause == "TTC-78":
        text = say("{why} Double rain changes nothing about that ({see}).", why=refusal.text, see="TTC-47")
    else:
        return refusal
    return Refusal(text, refusal.clause, refusal.field)


def mode_of(unit: Unit, target: Unit) -> Mode:
    """Return how a unit would attack a target: hand to hand where their squares share a side."""
    if unit.square is None or target.square is None or not KINDS[unit.kind].range:
        return "melee"
    return "melee" if CHESSBOARD.apart(unit.square, target.square) == 1 else "ranged"


def check_order(state: State, unit: Unit, mode: Mode) -> None:
    """Refuse a second attack, but for a second shot under Double rain (TTC-24, TTC-46)."""
    shots = rule_of(state.card).shots
    if unit.attacks >= shots or (unit.attacks and mode == "melee"):
        clause = "TTC-46" if shots > 1 else "TTC-24"
        raise Refusal(say("{unit}: has made its attack already.", unit=speech.name(state, unit)), clause, "unit")


def typed_facts(state: State, unit: Unit, target: Unit, action: Attack, mode: Mode) -> Facts:
    """Take the facts of an attack as the players typed them."""
    return Facts(
        mode=mode,
        attacker=unit.kind,
        target=target.kind,
        attacking=unit.side,
        defending=target.side,
        card=state.card,
        moved=unit.moved if action.moved is None else action.moved,
        attacker_terrain=action.attacker_terrain or "open",
        target_terrain=action.target_terrain or "open",
        distance=action.distance or (1 if mode == "melee" else 2),
        contact=mode == "melee",
        neighbour=bool(action.neighbour),
        behind=action.behind or 0,
        hits=target.hits,
        used=target.used if state.options.protection_per_turn else (),
    )


def attack(state: State, action: Attack, ask: Ask) -> State:
    """Attack: fight it out, then move, mark or remove the units; one unit's only attack, or one of two shots."""
    state, facts = prepare(state, action)
    unit, target = state.unit(action.unit), state.unit(action.target)
    behind = squares_behind(state, unit, target)
    names = {"attacker": speech.name(state, unit), "target": speech.name(state, target)}
    marks = ((unit.id, "acting"), (target.id, "target"))
    if facts.mode == "melee":
        ask.tell(say("Melee: {attacker} against {target}", **names), "TTC-76", marks=marks)
    else:
        ask.tell(say("Shot: {attacker} at {target}", **names), "TTC-91", marks=marks)
    before = state
    result = fight(facts, state.options, ask, lambda found: ask.progress(strike(before, target, found, behind)))
    last = Last(unit.id, target.id, unit.square, target.square, result)
    new = result.hits_after - target.hits
    if new:
        struck, by = speech.fighter(state, target), speech.fighter(state, unit)
        ask.harm(Harm(struck, new, "gone" if result.destroyed else "hit", by))
    state = strike(state, target, result, behind)
    state = state.with_unit(unit.id, attacks=unit.attacks + 1, moved=facts.moved)
    if result.advances:
        state = state.with_unit(unit.id, square=target.square)
    state = state.but(last=last)
    if result.destroyed and not target.mobile:
        ask.tell(say("{side} wins: the enemy city is destroyed", side=Text(unit.side)), "TTC-128")
        return state.but(winner=unit.side, phase="finished", acting=None)
    return rest(state) if facts.mode == "ranged" else finish(state, state.unit(unit.id))


def rest(state: State) -> State:
    """Finish the acting unit when it has nothing left to do: it attacked as often as it may, or sees no target."""
    unit = state.unit(state.acting or "")
    spent = unit.attacks >= rule_of(state.card).shots
    blind = state.mirrored and unit.moved and not unit.attacks and not targets(state, unit)
    return finish(state, unit) if spent or blind else state


def able(state: State) -> tuple[Unit, ...]:
    """List the units that may act now, but for one that shot once and sees no second target."""
    return tuple(unit for unit in may_act(state) if not (state.mirrored and unit.attacks and not targets(state, unit)))


def strike(state: State, target: Unit, result: Result, behind: tuple[str, ...]) -> State:
    """Mark the hits, go back or leave the board (TTC-04, TTC-05, TTC-111, TTC-126)."""
    used = target.used if not result.used or result.used in target.used else (*target.used, result.used)
    if result.destroyed:
        return state.with_unit(target.id, on_board=False, square=None, hits=result.hits_after, used=used)
    square = behind[result.steps - 1] if result.steps and behind else target.square
    return state.with_unit(target.id, square=square, hits=result.hits_after, used=used)


def headline(state: State, before: State) -> Text:
    """Say what the newest attack did, short and large."""
    last = state.last
    assert last is not None
    target = before.unit(last.target)
    result, who = last.result, speech.name(before, target)
    if state.winner:
        return say("{side} wins: the enemy city is destroyed", side=Text(state.winner))
    what = _gone(state, last) if result.destroyed else _harm(state, last, result.hits_after - target.hits)
    if result.evaded:
        return say("{unit}, evading: {what}", unit=who, what=what)
    return say("{unit}: {what}", unit=who, what=what)


def _gone(state: State, last: Last) -> Text:
    """Say that a unit is destroyed; where only the real board knows the squares, also what to do there (TTC-115)."""
    if state.mirrored:
        if last.result.advances:
            return say("destroyed; the attacker takes {square}", square=last.target_square or "?")
        return say("destroyed")
    if last.result.advances:
        return say("destroyed, take it off the board; the attacker takes its square")
    return say("destroyed, take it off the board")


def _harm(state: State, last: Last, new: int) -> Text:
    square = state.unit(last.target).square
    steps = last.result.steps
    back = say("back to {square}", square=square) if square else say("back {far}", far=counts.squares(steps))
    return speech.harm(new, back if steps else None) or say("no effect")


def targets(state: State, unit: Unit) -> tuple[tuple[Unit, Mode], ...]:
    """List whom a unit could attack from where it stands on a mirrored board, and how."""
    enemies = touching(state, unit)
    card = rule_of(state.card)
    if unit.attacks >= card.shots:
        return ()
    if enemies:
        return tuple((enemy, "melee") for enemy in enemies) if not unit.attacks else ()
    return tuple((enemy, "ranged") for enemy, refused in _shots(state, unit) if refused is None)


def out_of_sight(state: State, unit: Unit) -> tuple[tuple[Unit, Reason], ...]:
    """List the enemies that a unit could reach with a shot, were they not in cover or every path closed, and why."""
    return tuple(
        (enemy, refused.reason) for enemy, refused in _shots(state, unit) if refused and refused.clause in HIDES
    )


def _shots(state: State, unit: Unit) -> Iterator[tuple[Unit, Refusal | None]]:
    if not KINDS[unit.kind].range:
        return
    for enemy in state.in_play():
        if enemy.side == unit.side or enemy.square is None or unit.square is None:
            continue
        facts = facts_of(state, unit, enemy, "ranged")
        if CHESSBOARD.apart(unit.square, enemy.square) > range_of(facts):
            continue
        try:
            check_attack(facts)
        except Refusal as refused:
            yield enemy, refused
        else:
            yield enemy, None


def values_now(state: State, unit: Unit, *, acts: bool) -> tuple[Reason, ...]:
    """List the numbers of a unit that the card in play or the ground changes (TTC-52, TTC-72, TTC-90, TTC-101)."""
    if not unit.mobile:
        return ()
    card = state.card if acts and state.phase == "activations" else None
    kind, ground = unit.kind, cast("Ground", state.ground(unit.square))
    melee, shot = (
        Facts(mode=mode, attacker=kind, target=kind, card=card, moved=unit.moved, attacker_terrain=ground)
        for mode in ("melee", "ranged")
    )
    found = [
        *changed(say("Movement"), allowance_terms(kind, card)),
        *changed(say("Melee dice"), dice_terms(melee, state.options)),
    ]
    if not KINDS[kind].range:
        return tuple(found)
    shooting = dice_terms(shot, state.options)
    return (*found, *changed(say("Range"), range_terms(shot)), *changed(say("Shooting dice"), shooting))

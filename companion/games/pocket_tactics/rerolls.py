"""Re-rolls: window after window the owner is asked which die is rolled again (PT-46 to PT-51, PT-A13, PT-A14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics import parties
from companion.games.pocket_tactics.standing import Choice, Standing
from companion.games.pocket_tactics.windows import Window, after
from companion.kit.asking import Choose, Option, Pending
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.parties import Facts, Party
    from companion.games.pocket_tactics.standing import Dice
    from companion.games.pocket_tactics.windows import Pool
    from companion.kit.asking import Ask

Foretold = Callable[[Standing, tuple[Window, ...]], Mapping[Choice | None, Text]]
"""Says what follows from each choice in the first window that is left; None is to pass. Nothing: it is too much."""
TOO_MANY = say("There are too many dice and re-rolls to work out how they are used best.")
KEEP = "pass"
POOLS: tuple[Pool, Pool] = ("offence", "defence")


def taken(facts: Facts, standing: Standing, left: tuple[Window, ...], ask: Ask, foretold: Foretold | None) -> Standing:
    """Let both sides use their re-rolls, window after window; returns the dice as they then lie."""
    times = 0
    while left:
        choice = _chosen(facts, standing, left, times, ask, foretold)
        if choice is None:
            left, times = left[1:], 0
            continue
        standing = _again(facts, standing, left[0], choice, ask)
        further = after(left, choice.pool)
        left, times = further, times + 1 if len(further) == len(left) else 0
    return standing


def source(party: Party, left: tuple[Window, ...]) -> str:
    """Name what the first window is for: a side's abilities come before its situation (PT-48, PT-49)."""
    further = any(window.side == left[0].side for window in left[1:])
    return "ability" if further or not party.rerolls.situational else "situational"


def _chosen(
    facts: Facts, standing: Standing, left: tuple[Window, ...], times: int, ask: Ask, foretold: Foretold | None
) -> Choice | None:
    """Ask which die is rolled again; None: the rest of the window is given up (PT-50, PT-A13).

    Of dice of a pool that show the same the first stands for all.
    """
    party = _party(facts, left[0])
    pools = {pool: _pool(standing, left[0], pool).faces for pool in POOLS if left[0].may(pool)}
    dice = {
        f"{pool}.{at}": Choice(pool, at)
        for pool, faces in pools.items()
        for at, face in enumerate(faces)
        if face not in faces[:at]
    }
    if not dice:
        return None
    options = [Option(value, _die(standing, left[0], choice)) for value, choice in dice.items()]
    options.append(Option(KEEP, say("Keep the dice")))
    of, count = source(party, left), left[0].total
    if of == "ability":
        why = say("{unit}: a re-roll by its ability ({count} left)", unit=party.name, count=count)
    else:
        why = say("{unit}: a re-roll by where it stands ({count} left)", unit=party.name, count=count)
    try:
        value = ask.choose(party.seat, options, f"reroll_{left[0].side}_{of}_{times + 1}", why, clause="PT-50")
    except Pending as waits:
        raise _waiting(waits, facts, standing, left, dice, foretold) from None
    if value == KEEP:
        ask.tell(say("{unit} keeps the dice.", unit=party.name), "PT-A13")
    return dice.get(value)


def _waiting(
    waits: Pending,
    facts: Facts,
    standing: Standing,
    left: tuple[Window, ...],
    dice: Mapping[str, Choice],
    foretold: Foretold | None,
) -> Pending:
    """Show everybody how the dice lie as long as the question waits, and what follows from each choice."""
    attack = Reason(say("Attack"), "PT-40", duel=parties.attack(facts, standing))
    counter = parties.counter(facts, standing)
    back = (Reason(say("Counter-attack"), "PT-39", duel=counter),) if counter else ()
    question = waits.question
    if foretold and isinstance(question, Choose):
        notes = foretold(standing, left)
        noted = (replace(option, note=notes.get(dice.get(option.value))) for option in question.options)
        question = replace(question, options=tuple(noted), advice=() if notes else (Reason(TOO_MANY, "PT-46"),))
    return Pending(question, (*waits.reasons, attack, *back), waits.progress)


def _again(facts: Facts, standing: Standing, window: Window, choice: Choice, ask: Ask) -> Standing:
    """Roll one die again: the new face stays, whatever it is (PT-A14)."""
    party, pool = _party(facts, window), _pool(standing, window, choice.pool)
    was = pool.faces[choice.die]
    face = ask.throw(1, 6, "reroll", party.pool(choice.pool), by=party.seat, clause="PT-50")[0]
    faces = (*pool.faces[: choice.die], face, *pool.faces[choice.die + 1 :])
    ask.tell(say("{pool}: {was} is rolled again, {face}", pool=party.pool(choice.pool), was=was, face=face), "PT-50")
    return standing._replace(**{f"{window.side}_{choice.pool}": pool._replace(faces=faces)})


def _party(facts: Facts, window: Window) -> Party:
    return facts.attacker if window.side == "attacker" else facts.defender


def _pool(standing: Standing, window: Window, pool: Pool) -> Dice:
    dice: Dice = getattr(standing, f"{window.side}_{pool}")
    return dice


def _die(standing: Standing, window: Window, choice: Choice) -> Text:
    face = _pool(standing, window, choice.pool).faces[choice.die]
    offence = say("Offence: {face}", face=face)
    return offence if choice.pool == "offence" else say("Defence: {face}", face=face)

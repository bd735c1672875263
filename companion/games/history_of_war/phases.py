"""The fifteen phases of a round: who acts in them, and whether action cards are allowed (HW-27, HW-31, ledger 2.4)."""

from __future__ import annotations

from typing import Literal, NamedTuple

Phase = Literal[
    "decks",
    "mulligan",
    "draw",
    "base_expansion",
    "construction",
    "attacker_deployment",
    "attacker_attack",
    "defender_block",
    "damage_1",
    "defender_deployment",
    "defender_attack",
    "attacker_block",
    "damage_2",
    "attacker_retreat",
    "defender_retreat",
    "victory",
    "final",
    "finished",
]
Acts = Literal["both", "attacker", "defender"]
Half = Literal[1, 2]


class Step(NamedTuple):
    """Hold one phase of a round: who acts, whether action cards may be played, which half of the battle it is of."""

    id: Phase
    acts: Acts
    action_cards: bool = True
    half: Half | None = None


ROUND: tuple[Step, ...] = (
    Step("draw", "both"),
    Step("base_expansion", "both"),
    Step("construction", "both"),
    Step("attacker_deployment", "attacker"),
    Step("attacker_attack", "attacker", action_cards=False, half=1),
    Step("defender_block", "defender", action_cards=False, half=1),
    Step("damage_1", "both", half=1),
    Step("defender_deployment", "defender"),
    Step("defender_attack", "defender", action_cards=False, half=2),
    Step("attacker_block", "attacker", action_cards=False, half=2),
    Step("damage_2", "both", half=2),
    Step("attacker_retreat", "attacker"),
    Step("defender_retreat", "defender"),
    Step("victory", "both"),
    Step("final", "both"),
)
STEPS: dict[Phase, Step] = {step.id: step for step in ROUND}
BEFORE: tuple[Phase, ...] = ("decks", "mulligan")
"""Phases before the first round."""


def number(phase: Phase) -> int:
    """Return the number of a phase in the round, 1 to 15; raise ValueError for one that is not of a round."""
    return ROUND.index(STEPS[phase]) + 1 if phase in STEPS else _none(phase)


def _none(phase: Phase) -> int:
    raise ValueError(phase)


def following(phase: Phase) -> Phase:
    """Return the next phase; after the last the next round begins with the first (HW-31, HW-101)."""
    return ROUND[number(phase) % len(ROUND)].id

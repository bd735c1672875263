"""Answer the questions of the rules of Pocket-Tactics as a scenario says: dice by their label, re-rolls, choices."""

from __future__ import annotations

from typing import Any

from companion.kit.asking import Ask
from companion.kit.questions import Answer, Choice, Choose, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import objects, one_of, sequence
from tests.scenarios.runner import Given, Unfit

POOLS = ("offence", "defence")
LABELS = (
    *POOLS,
    "attacker_offence",
    "attacker_defence",
    "defender_offence",
    "defender_defence",
    "reroll",
    "hazard_exit",
    "hazard_entry",
    "hazard_after",
    "direction",
    "test",
    "start_roll",
)
"""What dice are for (ledger 5.5)."""


class Script(Ask):
    """Answer throws with the scenario's dice of that label, in their order, and choices as they are written.

    ``rerolls`` are taken in the window that is theirs, or never; ``owner`` is which of two friends goes to reserve.
    """

    def __init__(self, dice: list[Any] | None = None, rerolls: list[Given] | None = None, owner: Any = None) -> None:
        super().__init__()
        self.dice = [entry for one in objects("dice", dice, "roll", "values") for entry in _entries(one)]
        self.rerolls = list(rerolls or [])
        self.owner = one_of("owner_choice", owner, (None, "mover", "resident"))
        self.clause: str | None = None
        self.asked: list[str] = []
        self.told: dict[str, list[Any]] = {}
        self.lying: dict[str, list[Any]] = {}
        self.again = ("", 0, 0)

    def answer(self, question: Question) -> Answer:
        match question:
            case Throw():
                return self._thrown(question)
            case Choose():
                return Choice(question.key, self._chosen(question), question.seat)
        raise Unfit(f"nobody answers {question.key}")

    def _thrown(self, question: Throw) -> Faces:
        self.asked.append(question.key)
        self.clause = question.clause
        found = next((entry for entry in self.dice if entry[0] == question.key), (question.key, []))
        if found in self.dice:
            self.dice.remove(found)
        if any(type(face) is not int for face in found[1]):
            raise Refusal(say("A die shows a whole number."), question.clause, "faces")
        self._lie(question.key, found[1])
        return Faces(question.key, tuple(found[1]))

    def _lie(self, key: str, faces: list[Any]) -> None:
        """Remember the dice as the scenario numbers them, and as the rule does: of equal ones it takes the first."""
        if key != "reroll":
            self.told[key], self.lying[key] = list(faces), list(faces)
        elif len(faces) == 1:
            pool, told, lying = self.again
            self.told[pool][told] = self.lying[pool][lying] = faces[0]

    def _die(self, pool: str, die: Any) -> Any:
        """The die that the rule offers for one of the scenario; one that was never rolled is left for it to refuse."""
        told = self.told.get(pool, [])
        if type(die) is not int or not 0 <= die < len(told):
            return die
        self.again = pool, die, self.lying[pool].index(told[die])
        return self.again[2]

    def _chosen(self, question: Choose) -> str:
        self.asked.append(question.key)
        word, *window = question.key.split("_")
        if word == "reroll":
            wanted = self.rerolls[0] if self.rerolls else Given(by=None, source=None)
            if [wanted["by"], wanted["source"]] != window[:2]:
                return "pass"
            del self.rerolls[0]
            pool = str(wanted["pool"])
            return f"{pool}.{self._die(f'{window[0]}_{pool}', wanted['die'])}"
        if question.key == "owner_choice":
            if self.owner is None:
                raise Refusal(say("The owner chooses which of the two goes to reserve."), question.clause)
            return str(self.owner)
        return question.options[0].value

    def finish(self, clause: str | None = None) -> None:
        """Refuse re-rolls that no window had room for, and dice that nobody asked for."""
        if self.rerolls:
            raise Refusal(say("There is no such re-roll, or its window is over."), "PT-A13", "rerolls")
        if any(values for _, values in self.dice):
            raise Refusal(say("More dice were given than you roll."), clause or self.clause, "dice")


def _entries(one: Given) -> list[tuple[str, list[Any]]]:
    """The throws of one entry: a start roll is written as the pair of both players."""
    label, values = one_of("roll", one["roll"], LABELS), sequence("values", one["values"])
    if label == "start_roll" and len(values) == 2:
        return [(label, [face]) for face in values]
    return [(label, values)]


def rerolls(listed: Any) -> list[Given]:
    """Re-rolls in the order in which they are taken."""
    found = objects("rerolls", listed, "by", "source", "pool", "die")
    for one in found:
        one_of("by", one["by"], ("attacker", "defender"))
        one_of("source", one["source"], ("ability", "situational"))
        one_of("pool", one["pool"], POOLS)
        if type(one["die"]) is not int and one["die"] != "kicker":
            raise Unfit(f"unknown die {one['die']!r}")
    return found

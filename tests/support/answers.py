"""Which answers have to say what follows from them, and which need no more words than their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.questions import NO, YES, Choose

if TYPE_CHECKING:
    from companion.kit.questions import Question

NEEDLESS = {
    "chesswar": ("continuation", "crumble_", "entered_", "forest_", "impact"),
    "free_table": (),
    "history_of_war": ("territories_",),
    "pocket_tactics": ("beyond", "opponent_choice", "owner_choice"),
    "tactics_2gm": ("escort_", "fate", "first", "general", "headquarters", "intercept_"),
    "two_cities": ("evasion_steps",),
}
"""How questions begin whose answers are facts of the real table, or say themselves what will be."""


def unsaid(game: str, question: Question) -> set[str]:
    """Name the answers that do not say what follows: neither in a note nor by the square where they lead."""
    if not isinstance(question, Choose) or question.key.startswith(NEEDLESS[game]):
        return set()
    # Yes and no answer a question that says what is agreed to.
    open_ones = [option for option in question.options if option.barred is None and option.label not in (YES, NO)]
    return {option.value for option in open_ones if option.note is None and option.place is None}


def noted(question: Question) -> list[str]:
    """Name the answers that say in a note what follows."""
    if not isinstance(question, Choose):
        return []
    return [option.value for option in question.options if option.barred is None and option.note is not None]

"""What follows from a position is worked out once, for all who look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple, Unpack

S = TypeVar("S")
"""The state of a game: a frozen struct with ``dict=True``, which is where its results are kept."""
Given = TypeVarTuple("Given")
R = TypeVar("R")

_KEPT = "_once"


def once(work_out: Callable[[S, Unpack[Given]], R]) -> Callable[[S, Unpack[Given]], R]:
    """Work out what follows from a state once, for whoever asks: it is kept as long as that very state is.

    What else is ``given`` is hashable, and whose eyes it is for is among it unless it is the same for all. The result
    is frozen, or nobody changes it; an exception is not kept. Threads may work the same thing out at the same time.
    """

    @wraps(work_out)
    def kept(state: S, *given: *Given) -> R:
        known: dict[Any, R] = vars(state).setdefault(_KEPT, {})
        key = (work_out, given)
        if key not in known:
            known[key] = work_out(state, *given)
        return known[key]

    return kept

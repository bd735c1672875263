"""What is told rests on clauses that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from companion.kit.ruling import Reason


def grounded(reasons: Iterable[Reason], known: Container[str]) -> None:
    """Check that every reason, and what it is made of, cites a clause that there is, or none."""
    for reason in reasons:
        assert reason.clause is None or reason.clause in known, reason
        grounded(reason.terms, known)

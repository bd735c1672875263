"""Stored positions with values that are others of their kind, and whether what is read of them can be gone on with."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.table.session import decoded
from tests.support.conformance import filled, settle

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def read(game: Any, stored: dict[str, Any]) -> Any:
    """Read a stored position; raise Problem when it can not be."""
    return decoded(game, msgspec.json.encode(stored).decode())


def unread(game: Any, stored: Any, place: tuple[str | int, ...], value: Any) -> None:
    """Put one value into a stored position, and check that it is not read any more."""
    inside = stored
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    with pytest.raises(Problem) as refused:
        read(game, stored)
    assert refused.value.status == 409


def shown(game: Any, stored: dict[str, Any], words: list[Any], rounds: int, rng: random.Random) -> int:
    """Spoil a stored position so often, and go on with whatever is read of it; returns how many could be read."""
    found = 0
    for _ in range(rounds):
        try:
            state = read(game, spoilt(stored, words, rng))
        except Problem:
            continue
        found += 1
        for seat in (*(role.id for role in game.roles(state.options)), RULEKEEPER, SCREEN):
            game.view(state, seat)
            go_on(game, state, seat, rng)
        correct(game, state, rng)
    return found


def leaves(inside: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in a stored position: what holds it, and where in it."""
    for at in list(inside) if isinstance(inside, dict) else range(len(inside)) if isinstance(inside, list) else ():
        yield inside, at
        yield from leaves(inside[at])


def spoilt(stored: dict[str, Any], words: list[Any], rng: random.Random) -> dict[str, Any]:
    """A stored position in which a few values are others of their kind."""
    pool = [container[at] for container, at in leaves(stored)] + words
    stored = copy.deepcopy(stored)
    for _ in range(rng.randint(1, 4)):
        container, at = rng.choice(list(leaves(stored)))
        container[at] = copy.deepcopy(rng.choice([one for one in pool if type(one) is type(container[at])] or [None]))
    return stored


def go_on(game: Any, state: Any, seat: str, rng: random.Random) -> None:
    """Do a few things that a seat is offered."""
    offers = game.offers(state, seat)
    for offer in rng.sample(offers, min(2, len(offers))):
        if all(field.kind != "choice" or any(not one.barred for one in field.options) for field in offer.fields):
            action = msgspec.convert(filled(offer, rng), game.actions, strict=False)
            with suppress(Refusal):
                settle(lambda ask, action=action: game.rule(state, seat, action, ask), rng)


def correct(game: Any, state: Any, rng: random.Random) -> None:
    """Correct a few values by hand."""
    tracked = game.tracked(state)
    for entry in rng.sample(tracked, min(3, len(tracked))):
        plain = "true" if entry.field.kind == "yes_no" else str(entry.field.low)
        value = rng.choice([one.value for one in entry.field.options] or [plain])
        with suppress(Refusal):
            settle(lambda ask, path=entry.path, value=value: game.correct(state, path, value, ask), rng)

"""A stored position that can not be is not read: what is read can be shown, played on and corrected."""

from __future__ import annotations

import copy
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.two_cities import GAME
from companion.games.two_cities import actions as do
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.table.sitting import decoded
from tests.conformance import filled, settle
from tests.positions import CITIES, after, playing

if TYPE_CHECKING:
    from collections.abc import Iterator

POSITION = f"{CITIES}, w1 hi a4 1, w2 ar e2, b1 li a5, b2 lc f7"
ROUNDS = 1500
SEATS = ("white", "black", RULEKEEPER, SCREEN)


def fought() -> dict[str, Any]:
    """A position in the middle of a turn, as it is stored."""
    state = after(playing(POSITION, "3H", terrain={"c3": "hill"}), do.Attack("w1", "b1"), 1, 2, 3, 4, 5)
    stored = msgspec.to_builtins(state)
    assert isinstance(stored, dict)
    return stored


def read(stored: dict[str, Any]) -> Any:
    return decoded(GAME, msgspec.json.encode(stored).decode())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("card",), "XX"), (("card",), "10S\n"), (("card",), "?"), (("discard_pile",), ["XX"]), (("removed",), ["?"]),
        (("draw_pile",), ["AH"] * 25), (("hands", "white"), ["11H"]), (("hands", "red"), ["AH"]),
        (("units", 0, "square"), "z9"), (("units", 0, "square"), "a9"), (("units", 0, "hits"), 400_000),
        (("units", 0, "hits"), 6), (("units", 0, "hits"), -1), (("units", 0, "kind"), "dragon"),
        (("units", 0, "id"), "w1"), (("units", 0, "id"), "a.b"), (("units", 0, "home"), "x" * 41),
        (("terrain",), {"z9": "hill"}), (("terrain",), {"a4": "lake"}), (("acting",), "w9"), (("turn",), 0),
        (("turn",), 10**30), (("purchases", "white"), -1), (("last", "target"), "w9"),
        (("last", "target_square"), "z9"),
    ],
)  # fmt: skip
def test_what_can_not_be_is_not_read(place: tuple[str | int, ...], value: Any) -> None:
    stored: Any = fought()
    assert msgspec.to_builtins(read(stored)) == stored
    inside = stored
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    with pytest.raises(Problem) as refused:
        read(stored)
    assert refused.value.status == 409


def leaves(inside: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in a stored position: what holds it, and where in it."""
    for at in list(inside) if isinstance(inside, dict) else range(len(inside)) if isinstance(inside, list) else ():
        yield inside, at
        yield from leaves(inside[at])


def spoilt(stored: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A stored position in which a few values are others of their kind."""
    pool = [container[at] for container, at in leaves(stored)] + ["AH", "a1", "?", "", 0, 5, True, [], {}]
    stored = copy.deepcopy(stored)
    for _ in range(rng.randint(1, 4)):
        container, at = rng.choice(list(leaves(stored)))
        container[at] = copy.deepcopy(rng.choice([one for one in pool if type(one) is type(container[at])] or [None]))
    return stored


def test_what_is_read_can_be_shown_and_gone_on_with() -> None:
    rng, first, shown = random.Random(1), fought(), 0
    for _ in range(ROUNDS):
        try:
            state = read(spoilt(first, rng))
        except Problem:
            continue
        shown += 1
        for seat in SEATS:
            GAME.view(state, seat)
            go_on(state, seat, rng)
        correct(state, rng)
    assert shown > ROUNDS // 10


def go_on(state: Any, seat: str, rng: random.Random) -> None:
    offers = GAME.offers(state, seat)
    for offer in rng.sample(offers, min(2, len(offers))):
        if all(field.kind != "choice" or any(not one.barred for one in field.options) for field in offer.fields):
            action = msgspec.convert(filled(offer, rng), GAME.actions, strict=False)
            with suppress(Refusal):
                settle(lambda ask, action=action: GAME.rule(state, seat, action, ask), rng)


def correct(state: Any, rng: random.Random) -> None:
    for entry in rng.sample(GAME.tracked(state), 3):
        plain = "true" if entry.field.kind == "yes_no" else str(entry.field.low)
        value = rng.choice([one.value for one in entry.field.options] or [plain])
        with suppress(Refusal):
            settle(lambda ask, path=entry.path, value=value: GAME.correct(state, path, value, ask), rng)

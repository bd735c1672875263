"""Real tables on which up to twenty things lie otherwise than Companion believes."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion.kit.correction import OFF, Tracked, written
from companion.kit.stock_take import settable
from companion.table.stock_take import Difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST = 20
BY_PLACE = ("terrain.", "tile.")
"""What the paths of things begin with that are alike: they are numbered, or called, by where they lie."""
FOLLOWS = ("game.points.",)
"""Counts that follow from what lies there, unless somebody says otherwise."""


def differing(game: Any, state: Any, seat: str, rng: random.Random) -> list[Difference]:
    """Let things lie otherwise: pieces stand where others stood, and are turned or hit; counts are others."""
    values = settable(game.view(state, seat), game.tracked(state), game.lying_values)
    values = tuple({value.path: value for value in values if not value.path.endswith(".new")}.values())
    placed = [value for value in values if any(option.place == value.field.value for option in value.field.options)]
    others = [value for value in values if value not in placed]
    changes = ((value.path, another(value, others, rng)) for value in rng.sample(others, len(others)))
    counted = [(path, other) for path, other in changes if other is not None]
    most = min(len(placed), max(MOST // 2, MOST - len(counted)))
    chosen = sorted(rng.sample(placed, most), key=kind_of)
    targets = {value.path: place for _, alike in groupby(chosen, kind_of) for value, place in moved([*alike])}
    targets |= dict(counted[: MOST - len(targets)])
    return [Difference(path, sent) for path, sent in targets.items()]


def kind_of(value: Tracked) -> str:
    return value.path.partition(".")[0]


def moved(pieces: list[Tracked]) -> list[tuple[Tracked, str]]:
    """Let each piece stand where the next one stood: those that may."""
    while pieces:
        ring = [(one, str(other.field.value)) for one, other in zip(pieces, pieces[1:] + pieces[:1], strict=True)]
        stays = [one for one, to in ring if to == one.field.value or to not in open_to(one)]
        if not stays:
            return ring
        pieces = [one for one in pieces if one is not stays[0]]
    return []


def another(value: Tracked, others: Sequence[Tracked], rng: random.Random) -> str | None:
    """Another value of a field: of places one where something else lies already; None where there is none."""
    field, last = value.field, value.path.rpartition(".")[2]
    if field.kind == "number":
        now = int(written(field))
        near = [at for at in (now - 2, now - 1, now + 1, now + 2) if field.low <= at <= field.high]
        return str(rng.choice(near)) if near else None
    if field.kind == "yes_no":
        return "false" if field.value else "true"
    alike = {one.field.value for one in others if one.path.rpartition(".")[2] == last} - {OFF}
    known = sorted(open_to(value) & (alike if last == "place" else open_to(value)) - {field.value, OFF, "none"})
    return rng.choice(known) if known and not any(option.place in known for option in field.options) else None


def open_to(value: Tracked) -> set[str]:
    return {option.value for option in value.field.options if option.barred is None}


def lies(values: Mapping[str, str]) -> Counter[Any]:
    """How things lie, by their paths: each by its name, and of those that are alike how many lie how."""
    things: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for path, value in values.items():
        head, _, last = (path, "", "") if path.startswith(BY_PLACE[0]) else path.rpartition(".")
        if not (path.startswith(BY_PLACE) and value == OFF):
            things[head][last] = value
    return Counter(
        (head.rpartition(".")[0] if head.startswith(BY_PLACE) else head, frozenset(thing.items()))
        for head, thing in things.items()
    )


def compared(after: Mapping[str, str], believed: Mapping[str, str], real: Mapping[str, str]) -> tuple[Any, Any]:
    """Return how all lies that was compared, and how it lies on the real table."""
    follows = {path for path in believed if path.startswith(FOLLOWS) and path not in real}
    names = {path.rpartition(".")[2] for path in believed if path.startswith(BY_PLACE[1])}
    alike = {
        path
        for path in after
        if path.startswith(BY_PLACE[0]) or (path.startswith(BY_PLACE[1]) and path.rpartition(".")[2] in names)
    }
    listed = {path for path in believed if not path.startswith(BY_PLACE)} - follows
    now = {path: after[path] for path in after if path in listed | alike}
    wanted = {path: value for path, value in {**believed, **real}.items() if path not in follows}
    return lies(now), lies(wanted)

"""The trials of a rulebook: what its entries give to the game's look-ups to show a rule at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.kit.game import Game
from companion.kit.rulebook import Trial, WrongData, unfit
from companion.kit.text import say
from companion.kit.validation import InvalidField, invalid_field


def trials(game: Game[Any]) -> Iterator[tuple[str, Trial, msgspec.Struct]]:
    """List every trial of a game's rulebook: the entry it belongs to, the trial, the facts made of it.

    Raises WrongData naming the entry whose trial fits no look-up.
    """
    for part in (game.rulebook.clause, game.rulebook.example):
        for entry in part:
            for trial in entry.trial:
                yield entry.id, trial, _facts(game, entry.id, trial)


def _facts(game: Game[Any], name: str, trial: Trial) -> msgspec.Struct:
    if trial.lookup not in game.lookups:
        raise WrongData(say("{entry}: there is no look-up called {lookup}.", entry=name, lookup=trial.lookup))
    kind = game.lookups[trial.lookup].facts
    known = set(kind.__struct_encode_fields__)
    for field in trial.facts:
        if field not in known:
            raise WrongData(unfit(name, InvalidField("unknown", field, "")))
    try:
        return msgspec.convert(dict(trial.facts), kind)
    except msgspec.ValidationError as wrong:
        raise WrongData(unfit(name, invalid_field(wrong))) from wrong

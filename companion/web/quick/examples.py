"""What opens a look-up as a rule or a worked example has it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

import msgspec

from companion.kit.asking import Throw
from companion.kit.game import Game, Lookup, trials
from companion.kit.rulebook import Trial
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from companion.web.language import LANGUAGES
from companion.web.quick.lookups import consult, query_of


class LookupLink(msgspec.Struct, frozen=True):
    """A link into a look-up: with the facts ``filled`` in, and with the dice ``thrown`` where they are told.

    ``names`` maps language -> what tells it from the others of its entry. Of several with the same facts only the
    first is ``filled`` in, and only their throws go by their names. ``dice`` are the faces thrown, on dice of so many
    ``sides``.
    """

    lookup: str
    title: Text
    names: Mapping[str, str]
    alone: bool
    filled: str | None
    thrown: str | None
    dice: tuple[int, ...]
    sides: int


def lookup_links(game: Game[Any]) -> Mapping[str, tuple[LookupLink, ...]]:
    """List the links into look-ups of a game's rulebook, by the entry that they belong to."""
    links = {}
    for name, of_entry in groupby(trials(game), itemgetter(0)):
        listed = [(trial, facts) for _, trial, facts in of_entry]
        every = [facts for _, facts in listed]
        links[name] = tuple(
            _link(game, trial, facts, filled=facts not in every[:at], alone=every.count(facts) == 1)
            for at, (trial, facts) in enumerate(listed)
        )
    return links


def _link(game: Game[Any], trial: Trial, facts: msgspec.Struct, *, filled: bool, alone: bool) -> LookupLink:
    return LookupLink(
        trial.lookup,
        game.lookups[trial.lookup].title,
        {language: getattr(trial, language) for language in LANGUAGES},
        alone,
        urlencode(query_of(facts, {}, (), None)) if filled else None,
        urlencode(query_of(facts, trial.choices, trial.dice, "type")) if trial.dice else None,
        trial.dice,
        _sides(game.lookups[trial.lookup], facts, trial) if trial.dice else 6,
    )


def _sides(lookup: Lookup, facts: msgspec.Struct, trial: Trial) -> int:
    """Find out how many sides the dice of a trial have, by what the look-up asks for first."""
    try:
        question = consult(lookup, facts, trial.choices, (), "ask").question
    except Refusal:
        return 6
    return question.sides if isinstance(question, Throw) else 6

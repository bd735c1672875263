"""The rulebooks' worked examples: what they say is what the look-ups answer, and a clause's trial shows that clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games import discover
from companion.kit.game import trials
from companion.kit.questions import Throw
from companion.kit.rulebook import Rulebook, Trial, WrongData, read
from companion.kit.ruling import Reason, Refusal
from companion.web.quick.lookups import LookupResult, consult
from tests.support.duel_game import GAME as DUEL
from tests.support.duel_game import Duel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.kit.odds import Chart

GAMES = {"duel": DUEL, **discover()}
TRIALS = {
    f"{name}-{number}": (game, name, trial, facts)
    for game in GAMES.values()
    for number, (name, trial, facts) in enumerate(trials(game))
}
OF_EXAMPLES = [
    name for name, (game, entry, *_) in TRIALS.items() if entry in {example.id for example in game.rulebook.example}
]


def cited(reasons: Iterable[Reason]) -> set[str]:
    """Collect the clauses that reasons rest on, their terms included."""
    return {one.clause for reason in reasons for one in (reason, *reason.terms) if one.clause}


def worked_out(game: Any, trial: Trial, facts: msgspec.Struct) -> LookupResult:
    return consult(game.lookups[trial.lookup], facts, trial.choices, trial.dice, "ask")


def charts(game: Any, trial: Trial, facts: msgspec.Struct) -> tuple[Chart, ...]:
    work_out = game.lookups[trial.lookup].charts
    return work_out(facts) if work_out else ()


@pytest.mark.parametrize("name", TRIALS)
def test_what_an_example_says_comes_out(name: str) -> None:
    game, _, trial, facts = TRIALS[name]
    if trial.refused:
        with pytest.raises(Refusal) as refused:
            worked_out(game, trial, facts)
        assert refused.value.clause == trial.refused
        return
    said = worked_out(game, trial, facts)
    assert said.unused == ()
    if said.ruling is None:
        assert (trial.dice, trial.outcome) == ((), {}), "the dice are not all that it asks for"
        assert isinstance(said.question, Throw)
        assert said.question.count == trial.throws
        return
    assert said.faces == trial.dice
    answered = {field: getattr(said.ruling.outcome, field) for field in trial.outcome}
    assert msgspec.json.decode(msgspec.json.encode(answered)) == trial.outcome


def shown(game: Any, trial: Trial, facts: msgspec.Struct) -> set[str]:
    """Collect the clauses that the page of a trial cites."""
    try:
        said = worked_out(game, trial, facts)
    except Refusal as refused:
        return {refused.clause or ""}
    return cited(said.reasons) | cited(reason for chart in charts(game, trial, facts) for reason in chart.reasons)


@pytest.mark.parametrize("name", [name for name in TRIALS if name not in OF_EXAMPLES])
def test_a_trial_of_a_clause_rests_on_that_clause(name: str) -> None:
    game, entry, trial, facts = TRIALS[name]
    assert entry in shown(game, trial, facts)


@pytest.mark.parametrize("name", OF_EXAMPLES)
def test_a_trial_of_an_example_states_what_comes_out(name: str) -> None:
    _, _, trial, _ = TRIALS[name]
    assert trial.outcome or trial.refused or trial.throws


@pytest.mark.parametrize("slug", sorted({game.slug for game, *_ in TRIALS.values()}))
def test_what_look_ups_rest_on_can_be_tried(slug: str) -> None:
    game = GAMES[slug]
    tried = {name for name, *_ in trials(game)}
    tried |= {clause for example in game.rulebook.example if example.trial for clause in example.clauses}
    usual = [(Trial(lookup=name), lookup.facts()) for name, lookup in game.lookups.items()]
    written = [(trial, facts) for _, trial, facts in trials(game)]
    rested = {clause for trial, facts in (*usual, *written) for clause in shown(game, trial, facts)}
    clauses = {clause.id for clause in game.rulebook.clause}
    assert sorted((rested & clauses) - tried) == []


def book(trial: str) -> Any:
    """Make the duel's game with a rulebook whose one example has a trial."""

    class Written(Duel):
        rulebook = read(EXAMPLE + trial, "duel.toml", Rulebook)

    return Written()


EXAMPLE = """
[[example]]
id = "DUEL-E1"
clauses = []
es_title = "Dos espadas"
en_title = "Two swords"
es = "6 y 2: una herida."
en = "6 and 2: one wound."
[[example.trial]]
"""


@pytest.mark.parametrize(
    ("trial", "why"),
    [
        ('lookup = "chess"', "DUEL-E1: there is no look-up called chess."),
        ('lookup = "strike"\nfacts = { spears = 2 }', "DUEL-E1: there is no field called spears."),
        ('lookup = "strike"\nfacts = { swords = 9 }', "DUEL-E1: swords is not what belongs there."),
    ],
)
def test_a_trial_that_fits_no_look_up_is_named(trial: str, why: str) -> None:
    with pytest.raises(WrongData) as wrong:
        list(trials(book(trial)))
    assert str(wrong.value) == why


def test_a_trial_without_a_look_up_is_no_data() -> None:
    with pytest.raises(WrongData):
        book("dice = [1]")


def test_facts_that_are_left_out_are_as_usual() -> None:
    ((_, trial, facts),) = trials(book('lookup = "strike"\nfacts = { armour = "mail" }'))
    assert trial.facts == {"armour": "mail"}
    assert msgspec.to_builtins(facts) == {"swords": 2, "armour": "mail"}

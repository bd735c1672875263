"""Every clause and every ruling that Companion enforces or works out is proved by a test or a scenario."""

from __future__ import annotations

import ast
import json
from functools import cache
from importlib.util import find_spec

import pytest

from companion.games import discover
from tests.support.paths import TESTS

GAMES = {slug: game for slug, game in discover().items() if find_spec(f"companion.games.{slug}")}
"""Those of this house: a package of its own is proved by tests of its own."""


@cache
def cited_by_tests() -> set[str]:
    """The clauses named in ``@pytest.mark.clause(...)`` or ``pytestmark``."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                found |= {
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                }
    return found


def cited_by_scenarios() -> set[str]:
    """The clauses that the scenario files list."""
    return {
        clause
        for path in (TESTS / "scenarios").glob("*.json")
        for scenario in json.loads(path.read_text(encoding="utf-8"))
        for clause in scenario["clauses"]
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_enforced_or_computed_clause_is_proved(name: str) -> None:
    cited = cited_by_tests() | cited_by_scenarios()
    missing = [
        clause.id
        for clause in GAMES[name].rulebook.clause
        if clause.role in {"enforced", "computed"} and clause.id not in cited
    ]
    assert missing == [], f"no test or scenario cites {', '.join(missing)}"


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_that_decides_something_is_proved(name: str) -> None:
    """Left out are those that no clause rests on but such as Companion only tells."""
    cited = cited_by_tests() | cited_by_scenarios()
    book = GAMES[name].rulebook
    decides = {clause.ruling for clause in book.clause if clause.role in {"enforced", "computed"}}
    missing = [ruling.id for ruling in book.ruling if ruling.id in decides and ruling.id not in cited]
    assert missing == [], f"no test or scenario cites {', '.join(missing)}"


def test_what_is_cited_exists() -> None:
    known = {clause for game in GAMES.values() for clause in game.rulebook.ids()}
    assert sorted((cited_by_tests() | cited_by_scenarios()) - known) == []

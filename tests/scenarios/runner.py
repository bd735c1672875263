"""Run scenarios: find the game's adapter, let the real rules answer, compare only what is expected.

A scenario is ``{"id", "clauses", "given", "dice", "expect"}``. An adapter is a module or package beside this one, named
like its game, with two names: ``GAME``, and ``run(given, dice)`` that reads ``given`` and ``dice`` as that game's
ledger writes them, lets the rules answer and returns what may be expected, by key. It lets a Refusal of the rules
through, and raises Unfit for a kind, a field or a value that it does not know. A value may be a Fraction, or a OneOf.
"""

from __future__ import annotations

import json
import pkgutil
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from companion.kit.ruling import Refusal
from companion.kit.text import Text

HERE = Path(__file__).parent
KEYS = {"id", "clauses", "given", "dice", "expect", "why", "game", "title", "note"}


class Outcome(NamedTuple):
    """What came of a scenario: its id and, where it failed, in what."""

    name: str
    problems: list[str]


class OneOf:
    """An answer that a scenario may write in several ways."""

    def __init__(self, *ways: Any) -> None:
        self.ways = ways

    def __repr__(self) -> str:
        return repr(self.ways[0])


class Unfit(Exception):
    """A scenario that cannot be run: a field or a kind that nobody knows."""


class Given(dict[str, Any]):
    """The given fields; one that is needed and missing makes the scenario unfit."""

    def __missing__(self, field: str) -> Any:
        raise Unfit(f"missing field {field!r}")


class InAnyOrder:
    """A list that a scenario may write in any order."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and sorted(map(str, other)) == sorted(map(str, self.items))

    def __hash__(self) -> int:
        return hash(tuple(self.items))

    def __repr__(self) -> str:
        return repr(self.items)


def adapters() -> dict[str, Any]:
    """Every adapter beside this module, by name."""
    found = {}
    for module in pkgutil.iter_modules([str(HERE)]):
        if module.name not in {"runner", "__main__"}:
            loaded = import_module(f"tests.scenarios.{module.name}")
            if hasattr(loaded, "GAME") and hasattr(loaded, "run"):
                found[module.name] = loaded
    return found


def load(path: Path) -> tuple[str | None, list[Any]]:
    """The game a file names, if it does, and its scenarios; the file is a list or an object that holds one."""
    whole = json.loads(path.read_text(encoding="utf-8-sig"))
    if isinstance(whole, list):
        return None, whole
    if isinstance(whole, dict):
        if "given" in whole:
            return whole.get("game"), [whole]
        lists = [part for part in whole.values() if isinstance(part, list)]
        if len(lists) == 1:
            return whole.get("game"), lists[0]
    raise Unfit("a scenario file is a list of scenarios, or an object that holds one list of them")


def adapter_for(scenario: dict[str, Any], game: str | None, stem: str) -> Any:
    """The adapter that a scenario's game, its file's name, its id or the clauses it cites point to."""
    known = adapters()
    for name in (scenario.get("game"), game):
        if name is not None:
            if name not in known:
                raise Unfit(f"no adapter for the game {name!r}")
            return known[name]
    for name in sorted(known, key=len, reverse=True):
        if stem.startswith(name):
            return known[name]
    cited = [clause for clause in scenario.get("clauses") or () if isinstance(clause, str)]
    for said in (str(scenario.get("id", "")), *cited):
        for adapter in known.values():
            if said.split("-")[0] in {clause.split("-")[0] for clause in adapter.GAME.rulebook.ids()}:
                return adapter
    if cited:
        raise Unfit(f"no adapter for a game with the clause {cited[0]}")
    if len(known) == 1:
        return next(iter(known.values()))
    raise Unfit("no adapter: neither the file nor the scenario says which game this is")


def run_file(path: Path) -> list[Outcome]:
    """Run every scenario of a file; a file that cannot be read is one failure."""
    try:
        game, scenarios = load(path)
    except (OSError, ValueError, Unfit) as wrong:
        return [Outcome(str(path), [str(wrong) or type(wrong).__name__])]
    return [run(scenario, game, path.stem) for scenario in scenarios]


def run(scenario: Any, game: str | None = None, stem: str = "") -> Outcome:
    """Run one scenario; whatever goes wrong is its failure, never a crash."""
    if not isinstance(scenario, dict) or not isinstance(scenario.get("given"), dict):
        return Outcome(str(scenario)[:60], ["not a scenario: an object with id, given, dice and expect"])
    name, expected = str(scenario.get("id", "(no id)")), scenario.get("expect")
    if unknown := scenario.keys() - KEYS:
        return Outcome(name, [f"unknown key {', '.join(sorted(unknown))}"])
    if not isinstance(expected, dict) or not expected:
        return Outcome(name, ["nothing is expected"])
    try:
        adapter = adapter_for(scenario, game, stem)
        found = answer(adapter, scenario["given"], scenario.get("dice") or [])
    except Unfit as unfit:
        return Outcome(name, [str(unfit)])
    except Exception as broken:  # noqa: BLE001
        return Outcome(name, [f"broke: {type(broken).__name__}: {broken}"])
    return Outcome(name, differences(expected, found))


def answer(adapter: Any, given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """What the rules say, as a flat dictionary; a refusal is an answer too."""
    try:
        return {"allowed": True, "refused": False, **adapter.run(given, dice)}
    except Refusal as refusal:
        return refused(refusal, adapter.GAME)


def refused(refusal: Refusal, game: Any) -> dict[str, Any]:
    """A refusal as an answer: with every clause that it names."""
    return {
        "refused": True,
        "allowed": False,
        "refused_by": named(refusal, game.rulebook.ids()),
        "because": refusal.text.say,
    }


def named(refusal: Refusal, known: frozenset[str]) -> list[str]:
    """The clauses that a refusal names: its own first, then those its sentence points to."""
    found = [refusal.clause] if refusal.clause else []

    def walk(text: Text) -> None:
        for place in text.places.values():
            if isinstance(place, Text):
                walk(place)
            elif isinstance(place, str) and place in known:
                found.append(place)

    walk(refusal.text)
    return found


def differences(expected: dict[str, Any], found: dict[str, Any], where: str = "") -> list[str]:
    """Every expected key whose value differs."""
    problems = []
    for key, value in expected.items():
        path = f"{where}{key}"
        if key not in found:
            what = found.get("because") and f"refused by {found['refused_by']} ({found['because']})"
            problems.append(f"{path}: expected {value!r}, but {what or 'the rules say nothing of the kind'}")
        elif key == "refused_by":
            wanted = [value] if isinstance(value, str) else value
            if not set(wanted) & set(found[key]):
                problems.append(f"refused by {found[key]} ({found.get('because')}), expected one of {value}")
        else:
            problems += compare(value, found[key], path)
    return problems


def compare(expected: Any, found: Any, path: str) -> list[str]:
    """Compare one value: objects by the keys expected, lists item by item, fractions as fractions."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return differences(expected, found, f"{path}.")
    if isinstance(expected, list) and isinstance(found, list | tuple):
        if len(expected) != len(found):
            return [f"{path}: expected {expected!r}, found {list(found)!r}"]
        return [
            problem
            for number, (one, other) in enumerate(zip(expected, found, strict=True))
            for problem in compare(one, other, f"{path}[{number}]")
        ]
    return [] if same(expected, found) else [f"{path}: expected {expected!r}, found {found!r}"]


def same(expected: Any, found: Any) -> bool:
    """Whether two single values say the same."""
    if isinstance(found, OneOf):
        return any(same(expected, way) for way in found.ways)
    if isinstance(found, Fraction):
        try:
            return Fraction(str(expected)) == found
        except (ValueError, ZeroDivisionError):
            return False
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    return bool(expected == found)

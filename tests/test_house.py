"""The house: imports point one way, the pure part stays pure, nothing outside a game's folder names it."""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from jinja2 import nodes

import companion
from companion.games import discover
from companion.web.assets import shipped

if TYPE_CHECKING:
    from collections.abc import Iterable

PACKAGE = Path(companion.__file__).parent
ALLOWED = {
    "kit": {"kit"},
    "games": {"games", "kit"},
    "table": {"table", "kit"},
    "web": {"web", "table", "kit", "games"},
}
WORLD = {
    "flask", "sqlite3", "sqlite_utils", "random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket",
    "threading", "asyncio", "uvicorn", "qrcode", "jinja2", "werkzeug", "urllib", "subprocess", "tempfile",
}  # fmt: skip


def modules(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py"))


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in found if isinstance(node, ast.Import | ast.ImportFrom))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{path}: a relative import hides where it points"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("room", ALLOWED)
def test_imports_point_one_way(room: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules(room)
        for name in imports(path)
        if f"{name}.".startswith("companion.") and f"{name}.".split(".")[1] not in ALLOWED[room]
    ]
    assert wrong == []


def test_what_runs_the_rooms_imports_no_game() -> None:
    wrong = [
        f"{path.name} imports {name}"
        for path in PACKAGE.glob("*.py")
        for name in imports(path)
        if name.startswith("companion.games.")
    ]
    assert wrong == []


def test_a_game_imports_no_other_game() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules("games")
        for name in imports(path)
        if name.startswith("companion.games.") and name.split(".")[2] != path.relative_to(PACKAGE / "games").parts[0]
    ]
    assert wrong == []


@pytest.mark.parametrize("room", ["kit", "games"])
def test_the_pure_part_does_not_import_the_world(room: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules(room)
        for name in imports(path)
        if name.split(".")[0] in WORLD
    ]
    assert wrong == []


def test_only_the_store_and_the_search_touch_sqlite() -> None:
    touching = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(name.split(".")[0] in {"sqlite3", "sqlite_utils"} for name in imports(path))
    }
    assert touching <= {"table/store.py", "web/rules/search.py"}


def naming(slugs: Iterable[str]) -> re.Pattern[str]:
    """What names a game: an import, a word of its own between quotes or slashes; not the same letters in a sentence."""
    return re.compile(rf"""(?:["'`/=]|games\.|games import )(?:{"|".join(map(re.escape, slugs))})(?![\w-])""")


def test_a_game_is_named_by_an_import_or_a_word_of_its_own() -> None:
    names = naming(["dash", "two_cities"])
    for line in (
        "from companion.games.dash import GAME",
        "from companion.games import dash",
        "games.two_cities.state",
        'if game.slug == "dash":',
        "'two_cities'",
        '<a href="/new/dash">',
        "[data-game=dash]",
        "`dash`",
        "/rules/dash?q=",
    ):
        assert names.search(line), line
    for line in ("a dashed line", "the dashes", "between two cities", "a dash of salt", "'dash-line'", "'dashed'"):
        assert not names.search(line), line


def test_nothing_outside_its_folder_names_a_game() -> None:
    slugs = discover()
    assert slugs
    names = naming(slugs)
    wrong = [
        path.relative_to(PACKAGE.parent).as_posix()
        for path in (*PACKAGE.rglob("*"), *shipped("templates").rglob("*"), *shipped("static").rglob("*"))
        if path.suffix in {".py", ".html", ".js", ".css", ".md"}
        and "games" not in path.relative_to(PACKAGE.parent).parts
        and names.search(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_pages_ask_the_network_for_nothing() -> None:
    address = re.compile(r"https?://(?!www\.w3\.org)")
    wrong = [
        path.relative_to(PACKAGE.parent).as_posix()
        for folder in ("templates", "static")
        for path in shipped(folder).rglob("*")
        if path.suffix in {".html", ".js", ".css", ".svg"}
        and "vendor" not in path.parts
        and address.search(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(("folder", "kinds", "most"), [("static", {".js", ".css"}, 120), ("templates", {".html"}, 160)])
def test_lines_of_what_pages_are_written_with_can_be_read(folder: str, kinds: set[str], most: int) -> None:
    wide = [
        f"{path.relative_to(shipped(folder)).as_posix()}:{number}"
        for path in shipped(folder).rglob("*")
        if path.suffix in kinds and "vendor" not in path.parts
        for number, line in enumerate(path.read_bytes().splitlines(), 1)
        if len(line) > most
    ]
    assert wide == []


def test_a_template_imports_the_macros_that_it_uses(tmp_path: Path) -> None:
    """It leans on no import of whoever includes or imports it, and brings nothing that it does not use."""
    parse, folder = companion.create_app(tmp_path).jinja_env.parse, shipped("templates")
    paths = folder.rglob("*.html")
    trees = {path.relative_to(folder).as_posix(): parse(path.read_text(encoding="utf-8")) for path in paths}
    macros = {macro.name for tree in trees.values() for macro in tree.find_all(nodes.Macro)}
    wrong = []
    for name, tree in trees.items():
        called = {call.node.name for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}
        brought = {macro for line in tree.find_all(nodes.FromImport) for macro in line.names}
        own = {macro.name for macro in tree.find_all(nodes.Macro)}
        wrong += [f"{name} lacks {macro}" for macro in (called & macros) - brought - own]
        wrong += [f"{name} does not use {macro}" for macro in brought - called]
    assert wrong == []


def test_no_room_is_too_crowded_to_find_a_rule_in() -> None:
    long = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


@pytest.mark.parametrize(("kind", "most"), [("js", 400), ("css", 600)])
def test_no_static_file_is_too_long_to_find_a_subject_in(kind: str, most: int) -> None:
    long = {
        path.name: lines
        for path in shipped("static").glob(f"*.{kind}")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > most
    }
    assert long == {}


def pieces(folder: Path) -> dict[str, set[str]]:
    """Name the modules of a package, each with those of them that it imports, be it for its types only."""
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in folder.rglob("*.py")}
    named = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    found: dict[str, set[str]] = {}
    for name, path in named.items():
        met: set[str] = set()
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom):
                within = {f"{node.module}.{alias.name}" for alias in node.names}
                met |= within if within & named.keys() else {node.module or ""}
            else:
                met |= {alias.name for alias in node.names}
        found[name] = met & named.keys() - {name}
    return found


def test_no_module_imports_in_a_circle() -> None:
    try:
        TopologicalSorter(pieces(PACKAGE)).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))


def test_an_action_is_read_in_its_chapter() -> None:
    """The struct of an action is named in the module that it is declared in, and seldom in another one."""
    named: dict[str, int] = {}
    for slug, game in discover().items():
        sources = [path.read_text(encoding="utf-8") for path in (PACKAGE / "games" / slug).glob("*.py")]
        for action in get_args(game.actions):
            name = re.compile(rf"\b{action.__name__}\b")
            named[f"{slug}.{action.__name__}"] = sum(name.search(source) is not None for source in sources)
    assert sum(named.values()) / len(named) <= 2, sorted(name for name, count in named.items() if count > 2)

"""The documentation is true: the game of docs/adding-a-game.md is built from its text and played, commands exist."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import create_app
from companion.kit.rulebook import shared_words
from tests.support.conformance import Watch, play
from tests.support.guide_game import build
from tests.support.phones import words

ROOT = Path(__file__).parent.parent
PAGES = [path.relative_to(ROOT).as_posix() for path in sorted((*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")))]


@pytest.fixture
def dash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    build(tmp_path / "dash_of_the_docs")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("dash_of_the_docs").GAME
    del sys.modules["dash_of_the_docs"]


def test_the_game_of_the_docs_is_played_to_its_end(dash: Any) -> None:
    watch = Watch(dash)
    actions = [play(dash, seed, watch, most=120, every=5) for seed in range(20)]
    assert max(actions) > 4


def test_the_words_of_the_docs_are_none_that_the_kit_has(dash: Any) -> None:
    assert dash.words.find("{count}", "es") == "{count}"
    assert [one for one, words in dash.words.sentences.items() if shared_words().sentences.get(one) == words] == []


def test_the_runners_of_the_docs_can_be_corrected_wherever_they_get_to(dash: Any) -> None:
    furthest = dash.state({"north": 25, "south": 3}, "south", "north")
    for entry in dash.tracked(furthest):
        assert entry.field.low <= entry.field.value <= entry.field.high
    behind = dash.correct(furthest, "steps.north", "19", None)
    assert behind.winner is None
    assert dash.correct(behind, "steps.south", "20", None).winner == "south"


def test_the_game_of_the_docs_has_its_sheet_of_paper_by_data_alone(dash: Any, tmp_path: Path) -> None:
    phone = create_app(tmp_path / "tables", games={dash.slug: dash}).test_client()
    english, spanish = (
        words(phone.get(f"/rules/{dash.slug}/aid", headers={"Accept-Language": language}).text)
        for language in ("en", "es")
    )
    assert "Rolls Die Steps First What it shows Second What it shows; 1: back to the start" in english
    assert "Victory Whoever reaches 20 steps wins. DASH-3" in english
    assert "Tiradas Dado Pasos Primero Los que salgan Segundo Los que salgan; con 1, a la salida" in spanish
    assert "Victoria Gana quien llega a 20 pasos. DASH-3" in spanish


def test_the_trial_of_the_docs_is_that_of_a_rulebook() -> None:
    (block,) = re.findall(
        r"```toml\n( +\[\[example\]\].*?)```", (ROOT / "docs/adding-a-game.md").read_text("utf-8"), re.DOTALL
    )
    book = (ROOT / "companion/games/two_cities/data/rulebook.toml").read_text("utf-8")
    lines = [line.strip() for line in block.splitlines() if line.strip() and "#" not in line]
    assert len(lines) > 6
    written = book.partition('id = "TTC-E08"')[2].partition("[[example]]")[0]
    assert [line for line in lines[2:] if line not in written] == []


@pytest.mark.parametrize("document", PAGES)
def test_links_between_the_pages_lead_somewhere(document: str) -> None:
    source = ROOT / document
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", source.read_text("utf-8"))
    assert [link for link in links if not link.startswith("http") and not (source.parent / link).exists()] == []


def test_every_script_stands_in_the_list_of_them() -> None:
    listed = (ROOT / "docs/how-it-is-built.md").read_text("utf-8").partition("\n## Static files\n")[2]
    listed = listed.partition("\n## ")[0]
    assert [path.name for path in sorted(ROOT.glob("static/*.js")) if f"`{path.name}`" not in listed] == []


def test_every_picture_is_shown_in_a_document() -> None:
    shown = "".join((ROOT / document).read_text("utf-8") for document in PAGES)
    assert [
        path.name for path in sorted(ROOT.glob("docs/screenshots/*")) if f"screenshots/{path.name})" not in shown
    ] == []


@pytest.mark.parametrize("document", ["README.md", "README.es.md"])
def test_every_command_of_the_readme_exists(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    commands = set(re.findall(r"^(python .+)$", text, re.MULTILINE))
    file = {"README.md": "FILE", "README.es.md": "ARCHIVO"}[document]
    assert commands == {"python run.py", "python run.py doctor", "python run.py test", f"python run.py backup {file}"}
    options = set(re.findall(r"`(--[\w-]+)", text))
    helped = subprocess.run(
        [sys.executable, "-m", "companion", "--help"], capture_output=True, encoding="utf-8", cwd=ROOT, check=True
    )
    assert options
    assert [option for option in options if option not in helped.stdout] == []


def test_every_file_and_function_of_how_it_is_built_exists() -> None:
    text = (ROOT / "docs/how-it-is-built.md").read_text("utf-8")
    folders = ("bench", "companion", "docs", "static", "templates", "tests")
    files = [ROOT / "run.py", *(path for folder in folders for path in (ROOT / folder).rglob("*.*"))]
    kinds = {"css", "html", "js", "py", "toml"}
    sources: dict[str, str] = {}
    for path in files:
        if path.suffix == ".py":
            sources[path.stem] = sources.get(path.stem, "") + path.read_text("utf-8")
    dotted = set(re.findall(r"`(\w[\w/]*)\.(\w+)(?:\(\))?`", text))
    lacking = [
        f"{file}.{kind}"
        for file, kind in sorted(dotted)
        if kind in kinds and not any(path.as_posix().endswith(f"/{file}.{kind}") for path in files)
    ]
    for module, name in sorted(dotted):
        made = rf"^ *(?:(?:class|def) {name}\b|(?:self\.)?{name}(?::|\b.* =))"
        if name not in {*kinds, "json", "mp4", "webm"} and not re.search(
            made, sources.get(module, f"class {name}"), re.MULTILINE
        ):
            lacking.append(f"{module}.{name}")
    assert lacking == []

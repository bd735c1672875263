"""Games are found: in folders, and in packages that are installed, of which a broken one stops nobody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import create_app
from companion.games import GROUP, OtherContract, discover

BUNDLED = set(discover())
GAME = """
from companion.kit.rulebook import Example, Rulebook, Trial
from tests.support.plain_games import PlainGame
class Leap(PlainGame):
    slug = {slug!r}
    lookups = {{}}
    rulebook = {rulebook}
GAME = Leap()
"""
RIGHT = GAME.format(slug="leap", rulebook="Rulebook()")
TAKEN = GAME.format(slug=min(BUNDLED), rulebook="Rulebook()")
MISFIT = GAME.format(
    slug="leap",
    rulebook="Rulebook(example=(Example(id='LEAP-E1', clauses=(), es_title='', en_title='', es='', en='',"
    " trial=(Trial(lookup='jump'),)),))",
)


@pytest.fixture(params=["en_GB.UTF-8", "es_ES.UTF-8"])
def tongue(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LC_ALL", request.param)
    return str(request.param)[:2]


def install(folder: Path, name: str, source: str, group: str = GROUP) -> None:
    """Lay a package with a game down as an installer does."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}:GAME\n", encoding="utf-8")


def test_a_game_of_an_installed_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "leap_found", RIGHT)
    assert set(discover()) == BUNDLED | {"leap"}


@pytest.mark.parametrize(
    ("name", "source", "why"),
    [
        ("leap_fileless", "open('/nowhere/rulebook.toml')", "/nowhere/rulebook.toml"),
        ("leap_importless", "import nothing_like_it", "nothing_like_it"),
        ("leap_gameless", "", "GAME"),
        ("leap_plain", "class GAME:\n    slug = 'leap'\n", "leap_plain:GAME is no companion.kit.game.Game"),
        ("leap_taken", TAKEN, f"two games are called {min(BUNDLED)}"),
        ("leap_misfit", MISFIT, "LEAP-E1"),
        ("leap_wrong", "class Bad(ValueError): ...\nraise Bad('rulebook.toml:\\n  no')", "rulebook.toml: no"),
    ],
)
def test_a_package_that_can_not_be_used_is_named_in_one_sentence_and_the_rest_goes_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tongue: str,
    name: str,
    source: str,
    why: str,
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, name, source)
    app = create_app(tmp_path)
    page = app.test_client().get("/rules").text.partition("<main")[2]
    assert set(re.findall(r'href="/rules/(\w+)"', page)) == BUNDLED
    said = capsys.readouterr().err
    assert said.startswith(
        {"en": f"The game of the package {name} is", "es": f"El juego del paquete {name} se"}[tongue]
    )
    assert why in said
    assert said.count("\n") == 1
    with pytest.raises((OSError, ImportError, AttributeError, TypeError, ValueError)):
        discover()


@pytest.mark.parametrize("group", ["companion.games", "companion.games.1", "companion.games.999"])
def test_a_package_made_for_another_contract_is_left_out_with_a_sentence_and_nothing_of_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tongue: str, group: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "leap_other", "raise SystemExit('run')", group)
    page = create_app(tmp_path).test_client().get("/rules").text.partition("<main")[2]
    assert set(re.findall(r'href="/rules/(\w+)"', page)) == BUNDLED
    said = {
        "en": "The game of the package leap_other is left out: it was made for another Companion. "
        "Its tables are kept, and can be read and exported; install a package made for this one.\n",
        "es": "El juego del paquete leap_other se queda fuera: está hecho para otro Companion. "
        "Sus mesas se conservan, y se pueden leer y exportar; instala un paquete hecho para este.\n",
    }
    assert capsys.readouterr().err == said[tongue]
    with pytest.raises(OtherContract):
        discover()

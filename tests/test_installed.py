"""An installed Companion: the wheel holds templates and static files once, and serves them far from the repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path
from zipfile import ZipFile

import pytest

import run
from companion.web import assets
from companion.web.api.openapi import VERSION
from companion.web.assets import Assets, shipped
from tests.test_run import served

ROOT = Path(run.HERE)
KINDS = ("templates", "static")
PARTS = [path for kind in KINDS for path in (ROOT / kind).rglob("*") if path.is_file()]


def call(*command: str | Path, cwd: Path) -> str:
    """Run a command that sees nothing of the repository; return what it says."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )
    if done.returncode and run.NO_NETWORK.search(done.stdout):
        pytest.skip("there is no network to fetch what builds a package")
    assert done.returncode == 0, done.stdout
    return done.stdout


def environment(folder: Path, *install: str | Path) -> Path:
    """Make an environment with what pip is told to install; return the folder of its commands."""
    call(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    call(sys.executable, "-m", "pip", "--python", commands / "python", "install", "-q", *install, cwd=folder.parent)
    return commands


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both kinds of package from the repository, and unpack the sources."""
    place = tmp_path_factory.mktemp("build")
    commands = environment(place / "builder", "hatchling>=1.27")
    call(commands / "python", "-m", "hatchling", "build", "-d", place, cwd=ROOT)
    (packed,) = place.glob("*.tar.gz")
    call(sys.executable, "-m", "tarfile", "-e", packed, place / "unpacked", cwd=place)
    (unpacked,) = (place / "unpacked").iterdir()
    call(commands / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", place / "unpacked", cwd=unpacked)
    return unpacked


@pytest.fixture(scope="module", params=["checkout", "sdist"])
def wheel(request: pytest.FixtureRequest, sdist: Path) -> Path:
    """Build a wheel from the repository or from the sdist."""
    (found,) = (sdist.parent if request.param == "sdist" else sdist.parents[1]).glob("*.whl")
    return found


@pytest.mark.long
def test_the_sources_have_the_tree_of_the_repository_and_no_tables(sdist: Path) -> None:
    assert [path.name for path in (sdist / "instance").iterdir()] == ["README.md"]
    for path in PARTS:
        assert (sdist / path.relative_to(ROOT)).read_bytes() == path.read_bytes()


@pytest.mark.long
def test_a_wheel_holds_what_pages_are_written_with_once_and_in_its_package(wheel: Path) -> None:
    with ZipFile(wheel) as file:
        held = {name: file.read(name) for name in file.namelist()}
        assert len(held) == len(file.namelist())
    assert {name.split("/")[0] for name in held} == {"companion", f"companion_table-{VERSION}.dist-info"}
    found = {name: data for name, data in held.items() if re.search("(^|/)(templates|static)/", name)}
    assert found == {f"companion/web/{path.relative_to(ROOT).as_posix()}": path.read_bytes() for path in PARTS}


@pytest.mark.long
def test_an_installed_companion_serves_its_pages_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    commands = environment(tmp_path / "fresh", "--no-index", "--no-deps", wheel)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(call(commands / "python", "-c", where, cwd=elsewhere).strip())
    (packages / "parts.pth").write_text(sysconfig.get_path("purelib"), "utf-8")  # what it needs is here already
    for kind in KINDS:
        (packages / kind).mkdir()  # as packages of others leave them there
    # pipx and uvx run the command that is called as the package is.
    for command in ("companion", "companion-table"):
        assert call(commands / command, "--version", cwd=elsewhere) == f"Companion {VERSION}\n"
        assert "--public-url" in call(commands / command, "--help", cwd=elsewhere)
    with subprocess.Popen(
        [commands / "companion", "--no-browser", "--host", "127.0.0.1", "--port", "0", "--data", tmp_path / "tables"],
        cwd=elsewhere,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            address, _ = served(process)
            page = get(address).decode()
            here = Assets()
            for name in ("pages/lobby.css", "companion.js", "sprite.svg"):
                assert here.address(name) in page
            for name in ("pages/lobby.css", "companion.js", "sprite.svg", "icon-192.png", "install.js"):
                assert get(address + here.address(name).lstrip("/")) == here.assets[name].plain
            assert here.assets["worker.js"].plain in get(f"{address}sw.js")
            assert b'"start_url"' in get(f"{address}manifest.webmanifest")
            backup = call(commands / "companion", "backup", "tables.bak", "--data", tmp_path / "tables", cwd=elsewhere)
            assert "tables.bak" in backup
            assert (elsewhere / "tables.bak").is_file()
            examined = subprocess.run(
                [commands / "companion", "doctor", "--data", tmp_path / "tables"],
                cwd=elsewhere,
                env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert address in examined.stdout
            assert (examined.returncode, examined.stderr) == (1, ""), "it listens to this computer only"
        finally:
            process.terminate()


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        body: bytes = answer.read()
    return body


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["static/companion.css"], "static"),
        (["static/companion.css", "companion/web/static/companion.css"], "static"),
        (["companion/web/static/companion.css"], "companion/web/static"),
        (["static/another.css", "companion/web/static/companion.css"], "companion/web/static"),
    ],
    ids=["checkout", "checkout-over-an-old-one", "installed", "installed-beside-another"],
)
def test_static_files_are_found_in_a_checkout_and_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], found: str
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(assets, "TOP", tmp_path)
    monkeypatch.setattr(assets, "HERE", tmp_path / "companion" / "web")
    assert shipped("static") == tmp_path / found

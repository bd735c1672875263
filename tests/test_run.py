"""The two commands: an environment that makes itself, and one clear sentence for whatever stands in the way."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from importlib import metadata
from pathlib import Path
from threading import Event, Timer

import pytest

import run
from companion import __main__ as start
from companion import create_app, network, terminal
from companion.folder import lock
from companion.kit.rulebook import Rulebook, read
from companion.kit.text import say
from companion.table.problem import Problem
from companion.terminal import Unready
from companion.web.api.openapi import VERSION
from companion.web.state import NAME

ROOT = Path(run.HERE)
LOCK = "parts.lock"
OFFLINE = (
    "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(\"Failed to establish a new "
    "connection: [Errno -3] Temporary failure in name resolution\")'\n"
    "ERROR: Could not find a version that satisfies the requirement blinker==1.9.0\n"
    "ERROR: No matching distribution found for blinker==1.9.0\n"
)


class Installer:
    """Stand in for the commands that make an environment; ``fails`` maps ``venv`` or ``pip`` to what it says."""

    def __init__(self, **fails: str) -> None:
        self.fails = fails
        self.ran: list[str] = []
        self.commands: list[list[str]] = []

    def __call__(self, command, hear):
        what = command[2]
        self.ran.append(what)
        self.commands.append(command)
        if what == "venv":
            for python in ("bin/python", "Scripts/python.exe"):
                (Path(command[3]) / python).parent.mkdir(parents=True)
                (Path(command[3]) / python).touch()
        for line in ("Collecting one==1 (from -r parts.lock)\n", "Installing collected packages: one\n"):
            hear(line)
        return (1, self.fails[what]) if what in self.fails else (0, "")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "HERE", str(tmp_path))
    (tmp_path / LOCK).write_text("one==1 \\\n    --hash=sha256:00\n")
    return tmp_path


@pytest.fixture(params=["en_GB.UTF-8", "es_ES.UTF-8"])
def tongue(request, monkeypatch):
    monkeypatch.setenv("LC_ALL", request.param)
    return request.param[:2]


def make(monkeypatch, installer):
    monkeypatch.setattr(run, "run", installer)
    return run.environment(".env", LOCK)


def test_an_environment_is_made_once(place, monkeypatch):
    first = Installer()
    python = make(monkeypatch, first)
    assert first.ran == ["venv", "pip"]
    assert Path(python).is_relative_to(place / ".env")
    second = Installer()
    assert make(monkeypatch, second) == python
    assert second.ran == []


def test_the_pip_beside_python_fills_an_environment_that_has_none(place, monkeypatch):
    monkeypatch.setattr(run, "has_pip", lambda: True)
    installer = Installer()
    python = make(monkeypatch, installer)
    empty, install = installer.commands
    assert empty[3:] == [str(place / ".env"), "--without-pip"]
    assert install[:6] == [sys.executable, "-m", "pip", "--python", python, "install"]
    assert "--require-hashes" in install


def test_where_no_pip_stands_beside_python_the_environment_gets_one(place, monkeypatch):
    monkeypatch.setattr(run, "has_pip", lambda: False)
    installer = Installer()
    python = make(monkeypatch, installer)
    assert installer.commands[0][3:] == [str(place / ".env")]
    assert installer.commands[1][:4] == [python, "-m", "pip", "install"]


def test_an_environment_that_the_pip_beside_python_can_not_fill_gets_one_of_its_own(place, monkeypatch):
    class Unable(Installer):
        def __call__(self, command, hear):
            super().__call__(command, hear)
            return ("--python" in command, "ERROR: unknown option --python")

    monkeypatch.setattr(run, "has_pip", lambda: True)
    installer = Unable()
    python = make(monkeypatch, installer)
    assert installer.ran == ["venv", "pip", "venv", "pip"]
    assert installer.commands[-1][0] == python


@pytest.mark.parametrize(
    ("version", "able"), [("22.2.2", False), ("22.3", True), ("23.2.1", True), ("26.0.dev0", True), ("?", False)]
)
def test_a_pip_fills_other_environments_since_22_3(monkeypatch, version, able):
    monkeypatch.setattr(metadata, "version", lambda name: version)
    assert run.has_pip() is able


def test_a_python_may_have_no_pip(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert run.has_pip() is False


@pytest.mark.parametrize("changed", ["lock", "stamp", "python"])
def test_an_environment_that_does_not_fit_is_made_again(place, monkeypatch, changed):
    python = make(monkeypatch, Installer())
    if changed == "lock":
        (place / LOCK).write_text("one==2 --hash=sha256:00\n")
    elif changed == "stamp":
        (place / ".env" / run.STAMP).unlink()
    else:
        Path(python).unlink(missing_ok=True)
    again = Installer()
    make(monkeypatch, again)
    assert again.ran == ["venv", "pip"]


def test_an_environment_that_stopped_half_way_is_made_again(place, monkeypatch):
    class Interrupted(Installer):
        def __call__(self, command, hear):
            super().__call__(command, hear)
            if command[2] == "pip":
                raise KeyboardInterrupt
            return 0, ""

    with pytest.raises(KeyboardInterrupt):
        make(monkeypatch, Interrupted())
    left = place / ".env" / "leftover"
    left.touch()
    again = Installer()
    make(monkeypatch, again)
    assert again.ran == ["venv", "pip"]
    assert not left.exists()


@pytest.mark.parametrize(
    ("fails", "words"),
    [
        ({"pip": OFFLINE}, {"en": "no network", "es": "No hay red"}),
        ({"pip": "ERROR: No matching distribution found for one==1\n"}, {"en": "no ready-made", "es": "ya hechas"}),
        ({"pip": "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\n"}, {"en": "MATCH THE HASHES", "es": "HASHES"}),
        (
            {"venv": "not created successfully because ensurepip is not\navailable"},
            {"en": "sudo apt install python3-venv", "es": "sudo apt install python3-venv"},
        ),
        ({"venv": "/usr/bin/python: No module named venv"}, {"en": "python3-venv", "es": "python3-venv"}),
        ({"venv": "Error: [Errno 28] No space left on device"}, {"en": "No space left", "es": "No space left"}),
    ],
)
def test_what_stands_in_the_way_is_said_in_one_sentence(place, monkeypatch, capsys, tongue, fails, words):
    monkeypatch.setattr(run, "run", Installer(**fails))
    monkeypatch.setattr(run, "PLAY", (".env", LOCK))
    assert run.main([]) == 2
    said = capsys.readouterr().err
    assert words[tongue] in said
    assert said.count("\n") == 1
    assert not (place / ".env").exists()


def test_a_folder_that_can_not_be_written_is_named(tmp_path, monkeypatch, capsys, tongue):
    (tmp_path / LOCK).touch()
    monkeypatch.setattr(run, "HERE", str(tmp_path))
    monkeypatch.setattr(run, "PLAY", (f"{LOCK}/.env", LOCK))
    assert run.main([]) == 2
    said = capsys.readouterr().err
    assert str(tmp_path) in said
    assert {"en": "copy Companion to a folder of yours", "es": "copia Companion a una carpeta tuya"}[tongue] in said
    assert said.count("\n") == 1


def test_an_old_python_is_told_so(monkeypatch, capsys, tongue):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert run.main([]) == 2
    said = capsys.readouterr().out
    assert said.startswith({"en": "Companion needs Python 3.11", "es": "Companion necesita Python 3.11"}[tongue])
    assert "3.9" in said


def test_an_old_python_can_read_the_starter():
    tree = ast.parse((ROOT / "run.py").read_text("utf-8"), feature_version=(3, 7))
    for part in ast.walk(tree):
        assert not isinstance(part, ast.JoinedStr | ast.AnnAssign | ast.Nonlocal | ast.NamedExpr)
        assert not (isinstance(part, ast.Raise) and part.cause)
        if isinstance(part, ast.FunctionDef):
            assert not part.args.kwonlyargs
            assert not part.returns
            assert not any(one.annotation for one in part.args.args)
        if isinstance(part, ast.Call):
            assert sum(isinstance(one, ast.Starred) for one in part.args) <= 1
    assert (ROOT / "run.py").read_text("utf-8").startswith("# -*- coding: utf-8 -*-")


def test_each_command_has_its_environment(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "environment", lambda name, lock: f"{name} {lock}")
    monkeypatch.chdir(tmp_path)
    command, env = run.command_for(["--port", "80"])
    assert command[0] == ".venv requirements.lock"
    assert command[command.index("companion") + 1 :] == ["--data", str(ROOT / "instance"), "--port", "80"]
    assert env["PYTHONPATH"].split(os.pathsep)[:2] == [str(ROOT), str(ROOT / "packages")]
    command, _ = run.command_for(["backup", "new.sqlite"])
    assert command[command.index("companion") + 1 :] == ["--data", str(ROOT / "instance"), "backup", "new.sqlite"]
    command, _ = run.command_for(["--data=here"])
    assert command[command.index("companion") + 1 :] == ["--data=here"]
    command, tested = run.command_for(["test", "-k", "dice"])
    assert tested["PYTHONPATH"] == env["PYTHONPATH"]
    assert command[:3] == [".venv-test requirements-test.lock", "-m", "pytest"]
    assert command[3:] == ["-n", "auto", "--dist", "worksteal", "-k", "dice"]
    assert Path.cwd() == ROOT


def test_locks_hold_hashes_and_name_no_place():
    for file in ROOT.glob("requirements*.lock"):
        text = file.read_text("utf-8")
        assert "://" not in text
        assert len(re.findall(r"^\w", text, re.MULTILINE)) == len(
            re.findall(r"^\w.*\\\n    --hash=sha256:", text, re.MULTILINE)
        )


def companion(*arguments: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "--no-browser", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        **options,
    )


def test_a_taken_port_is_said_in_one_sentence(tmp_path, tongue):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with companion("--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)) as process:
            said = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert said.startswith({"en": f"Port {port} is taken", "es": f"El puerto {port} está ocupado"}[tongue])
    assert said.count("\n") == 1


def served(process: subprocess.Popen[str]) -> tuple[str, list[str]]:
    """Wait until it serves; return its address and the lines before."""
    assert process.stdout is not None
    assert process.stderr is not None
    lines: list[str] = []
    while not (found := re.search(r"http://127\.0\.0\.1:\d+/", lines[-1] if lines else "")):
        lines.append(process.stdout.readline())
        assert lines[-1], process.stderr.read()
    return found[0], lines


def test_it_starts_says_where_it_is_and_stops_cleanly(tmp_path, tongue):
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as process:
        address, lines = served(process)
        assert not any("▄" in line for line in lines)
        assert {"en": "for this computer only", "es": "solo para este ordenador"}[tongue] in "".join(lines)
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert b"Companion" in answer.read()
        own = f"  {address}host/{(tmp_path / 'host.key').read_text()}\n"
        while process.stdout.readline() != own:
            assert process.poll() is None, "the link of the host was not printed"
        if sys.platform == "win32":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)
            rest, wrong = process.communicate(timeout=60)
            assert process.returncode == 0
            assert {"en": "the tables are kept", "es": "las mesas quedan guardadas"}[tongue] in rest
            assert wrong == ""
    assert (tmp_path / "tables.sqlite").exists()


def test_a_second_companion_on_the_same_folder_says_where_the_first_is(tmp_path, tongue):
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as first:
        address, _ = served(first)
        link = tmp_path.parent / f"{tmp_path.name}-link"
        link.symlink_to(tmp_path)
        with companion("--host", "127.0.0.1", "--port", "0", "--data", str(link)) as second:
            assert second.stdout is not None
            started = second.stdout.readline()
            second.kill()  # where it did not stop by itself
            said = second.communicate(timeout=60)[1]
        first.kill()
        first.wait(60)
        assert started == ""
        assert second.returncode == 2
        runs = {"en": "Companion already runs on this folder", "es": "Companion ya está en marcha con esta carpeta"}
        assert said.startswith(f"{runs[tongue]}: {address} (")
        assert said.count("\n") == 1
    with lock(tmp_path) as again:
        assert not again.exists()


def test_the_lock_of_a_folder_ends_with_its_companion_and_not_with_a_backup(tmp_path, tongue):
    with lock(tmp_path) as address:
        with pytest.raises(Unready) as wrong, lock(tmp_path):
            pass
        assert str(tmp_path) in str(wrong.value)
        address.write_text("http://192.168.1.20:8000/")
        with pytest.raises(Unready) as wrong, lock(tmp_path):
            pass
        assert "http://192.168.1.20:8000/ " in str(wrong.value)
        create_app(tmp_path).extensions[NAME].tables.store.close()
        assert start.main(["--data", str(tmp_path), "backup", str(tmp_path / "backup.sqlite")]) == 0
        assert address.exists()
    with lock(tmp_path) as address:
        assert not address.exists()


@pytest.fixture
def hears(request):
    """What these tests were told to ignore (``nohup``) would be ignored by what they start."""
    number = getattr(signal, request.param)
    before = signal.signal(number, signal.SIG_DFL if request.param != "SIGINT" else signal.default_int_handler)
    yield request.param
    signal.signal(number, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without telling it")
@pytest.mark.parametrize("hears", ["SIGINT", "SIGTERM", "SIGHUP"], indirect=True)
def test_after_a_stop_the_one_file_holds_every_table(tmp_path, hears):
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as process:
        address, _ = served(process)
        made = urllib.request.Request(
            f"{address}api/tables",
            json.dumps({"game": "two_cities", "key": "a key that is long"}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(made, timeout=30) as answer:
            code = json.load(answer)["table"]
        process.send_signal(getattr(signal, hears))
        rest, wrong = process.communicate(timeout=60)
    assert (process.returncode, wrong) == (0, "")
    assert rest.endswith(("kept.\n", "guardadas.\n"))
    assert {path.name for path in tmp_path.glob("tables*")} == {"tables.sqlite"}
    copied = tmp_path / "copied"
    shutil.copy(tmp_path / "tables.sqlite", copied)
    with closing(sqlite3.connect(copied)) as copy:
        assert copy.execute("select id from tables").fetchall() == [(code,)]


def test_a_backup_is_made_by_a_command(capsys, tongue, tmp_path):
    kept = tmp_path / "backup.sqlite"
    app = create_app(tmp_path / "data")
    tables = app.extensions[NAME].tables
    assert start.main(["--data", str(tmp_path / "data"), "backup", str(kept)]) == 0
    assert capsys.readouterr().out == {"en": f"{kept} holds 0 tables.\n", "es": f"{kept} contiene 0 mesas.\n"}[tongue]
    tables.create("two_cities")
    assert start.main(["backup", str(kept), "--data", str(tmp_path / "data")]) == 2
    there = {"en": "exists already: choose another name.", "es": "ya existe: elige otro nombre."}
    assert capsys.readouterr().err == f"{kept} {there[tongue]}\n"
    kept.unlink()
    assert start.main(["backup", "--data", str(tmp_path / "data"), str(kept)]) == 0
    assert capsys.readouterr().out == {"en": f"{kept} holds 1 table.\n", "es": f"{kept} contiene 1 mesa.\n"}[tongue]
    tables.store.close()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["backup"], "FILE|ARCHIVO"),
        (["backup", "one", "two"], "FILE|ARCHIVO"),
        (["backup", ""], "FILE|ARCHIVO"),
        (["backup", "new", "--port", "80"], "--port: (this option is not used like that|esta opción no se usa así)"),
        (["backup", "new", "--lan-address", "10.0.0.1", "--no-browser"], "--lan-address --no-browser: "),
        (["backup", "new", "--data", "nowhere"], "nowhere"),
        (["backup", "new", "--dta", "nowhere"], "--dta"),
    ],
)
def test_a_backup_that_can_not_be_made_is_said_in_one_sentence(capsys, tongue, tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    assert start.main(arguments) == 2
    said = capsys.readouterr().err
    assert re.search(named, said)
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--prot", "80"], "--prot"),
        (["--port"], "--port"),
        (["--port", "many"], "many"),
        (["--port", "65536"], "65536"),
        (["--port", "-1"], "--port"),
        (["--lan-address", "http://here:80"], "--lan-address"),
        (["--lan-address", ""], "--lan-address"),
        (["--host", "192.0.2.77"], "192.0.2.77"),
        (["--data", str(ROOT / "run.py")], "--data"),
        (["test"], "test"),
    ],
)
def test_what_is_not_understood_is_named(capsys, tongue, tmp_path, arguments, named):
    port = [] if "--port" in arguments else ["--port", "0"]
    data = [] if "--data" in arguments else ["--data", str(tmp_path)]
    assert start.main(["--no-browser", *port, *data, *arguments]) == 2
    said = capsys.readouterr().err
    assert named in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, {"en": "the disk is full", "es": "el disco está lleno"}),
        (errno.EACCES, {"en": "that is not allowed there", "es": "ahí no está permitido"}),
        (errno.EROFS, {"en": "can only be read", "es": "solo se puede leer"}),
        (errno.ENOENT, {"en": "there is no such folder", "es": "no hay tal carpeta"}),
        (
            errno.ENOTDIR,
            {"en": "a file is where a folder should be", "es": "hay un archivo donde debería haber una carpeta"},
        ),
        (errno.EIO, {"en": "as this {computer} says it", "es": "as this {computer} says it"}),
    ],
)
def test_why_a_folder_or_a_file_can_not_be_written_is_said_in_words(
    capsys, tongue, tmp_path, monkeypatch, number, said
):
    def refuse(*_, **__):
        raise OSError(number, "as this {computer} says it")

    create_app(tmp_path, games={}).extensions[NAME].tables.store.close()
    for broken, arguments in (
        ("touch", ["--no-browser", "--port", "0", "--data", str(tmp_path)]),
        ("rename", ["backup", "--data", str(tmp_path), str(tmp_path / "kept")]),
    ):
        with monkeypatch.context() as full:
            full.setattr(Path, broken, refuse)
            assert start.main(arguments) == 2
        heard = capsys.readouterr().err
        assert said[tongue] in heard
        assert heard.count("\n") == 1


def test_tables_that_can_not_be_opened_are_said_in_one_sentence(capsys, tmp_path, tongue):
    (tmp_path / "tables.sqlite").write_bytes(b"this is no database" * 1000)
    assert start.main(["--no-browser", "--port", "0", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert {"en": "is damaged", "es": "está dañado"}[tongue] in said


def test_damage_that_is_found_after_the_start_is_told_in_the_terminal(capsys, tmp_path, tongue):
    tables = create_app(tmp_path, games={}).extensions[NAME].tables
    stopping = Event()
    stopping.set()
    start.look_after(tables.store, stopping)
    assert capsys.readouterr().err == ""
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.execute("drop table entries")
    start.look_after(tables.store, stopping)
    said = capsys.readouterr().err
    damaged = {"en": "is damaged", "es": "está dañado"}[tongue]
    assert said.startswith(f"{tmp_path / 'tables.sqlite'} {damaged}. ")
    assert said.count("\n") == 1
    tables.store.close()


def test_house_is_kept_now_and_then_until_companion_stops(monkeypatch):
    monkeypatch.setattr(start, "KEEP_HOUSE_EVERY", 0)
    stopping, times = Event(), []

    class Kept:
        def keep_house(self, wait):
            times.append(wait)
            if len(times) == 1:
                raise Problem(409, say("The disk is full."), passing=True)
            stopping.set()

    start.keep_house(Kept(), stopping)
    assert times == [stopping.wait] * 2, "what could not be done is done the next time"


@pytest.mark.parametrize("heard", [True, False], ids=["a terminal", "nobody reads it"])
def test_a_companion_that_has_started_looks_for_damage(tmp_path, tongue, heard):
    tables = create_app(tmp_path).extensions[NAME].tables
    tables.create("two_cities")
    tables.store.close()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as connection:
        connection.execute("update tables set head = 999")
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as process:
        if heard:
            served(process)
        else:
            process.stdout.close()
        assert process.stderr is not None
        given_up = Timer(60, process.kill)  # where it looks for none, nothing is ever said
        given_up.start()
        said = process.stderr.readline()
        given_up.cancel()
        process.kill()
    assert {"en": "is damaged", "es": "está dañado"}[tongue] in said


def test_a_game_whose_data_are_wrong_is_said_in_one_sentence(capsys, monkeypatch, tmp_path, tongue):
    monkeypatch.setattr(start, "create_app", lambda *_, **__: read("colour = 1", "rulebook.toml", Rulebook))
    assert start.main(["--no-browser", "--port", "0", "--data", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err
        == {
            "en": "rulebook.toml: there is no field called colour.\n",
            "es": "rulebook.toml: no hay ningún campo llamado colour.\n",
        }[tongue]
    )


def test_help_is_in_both_languages_and_the_same_without_an_environment(capsys, monkeypatch, tongue):
    monkeypatch.setattr(run, "environment", lambda *_: pytest.fail("an environment is made"))
    with pytest.raises(SystemExit) as left:
        start.main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert {"en": "the folder of the tables", "es": "la carpeta de las mesas"}[tongue] in said
    for arguments in (["--help"], ["-h"], ["backup", "--help"], ["--port", "80", "-h"]):
        assert run.main(arguments) == 0
        assert capsys.readouterr().out == said


def test_the_version_is_told_without_an_environment(capsys, monkeypatch):
    monkeypatch.setattr(run, "environment", lambda *_: pytest.fail("an environment is made"))
    with pytest.raises(SystemExit) as left:
        start.main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"Companion {VERSION}\n"
    assert run.main(["--version"]) == 0
    assert capsys.readouterr().out == f"Companion {VERSION}\n"


def test_the_help_tells_of_every_option_and_command_and_of_no_other(monkeypatch):
    parsers = []
    make = start.Options.__init__

    def watched(parser, **how):
        make(parser, **how)
        parsers.append(parser)

    monkeypatch.setattr(start.Options, "__init__", watched)
    start.options([])
    known = {name for parser in parsers for action in parser._actions for name in action.option_strings}
    for language in ("en", "es"):
        text = (ROOT / "companion" / f"help.{language}.txt").read_text("utf-8")
        assert set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)) == known | {"-h", "--help", "--version"}
        assert set(re.findall(r"^python run.py (\w+)", text, re.MULTILINE)) == {"backup", "doctor", "test"}


def test_the_tests_have_a_help_of_their_own(monkeypatch):
    started = []
    monkeypatch.setattr(run, "environment", lambda name, lock: name)
    monkeypatch.setattr(run, "start", lambda command, env: started.append(command) or 0)
    monkeypatch.chdir(ROOT)
    assert run.main(["test", "--help"]) == 0
    assert [(command[0], command[-1]) for command in started] == [(".venv-test", "--help")]


def test_the_installer_tries_again_whatever_this_computer_says_for_only_then_it_names_the_network(monkeypatch):
    monkeypatch.setenv("PIP_RETRIES", "0")
    asked = [sys.executable, "-c", "import os; print(os.environ['PIP_RETRIES'])"]
    assert run.run(asked, lambda line: None) == (0, "2\n")


def test_phones_are_given_an_address_they_can_reach(monkeypatch):
    monkeypatch.setattr(network, "lan_addresses", lambda: ["192.168.1.20", "10.0.0.3"])
    assert network.hosts_for("0.0.0.0", None) == ["192.168.1.20", "10.0.0.3"]
    assert network.hosts_for("192.168.1.7", None) == ["192.168.1.7"]
    assert network.hosts_for("0.0.0.0", "laptop.local") == ["laptop.local"]
    assert network.hosts_for("0.0.0.0", "fd00::7") == ["fd00::7"]
    monkeypatch.setattr(network, "lan_addresses", list)
    assert network.hosts_for("0.0.0.0", None) == ["127.0.0.1"]
    assert network.url("192.168.1.20", 8000) == "http://192.168.1.20:8000/"
    assert network.url("fd00::7", 80) == "http://[fd00::7]:80/"


def test_own_addresses_are_of_a_network():
    for address in network.lan_addresses():
        assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", address)
        assert not address.startswith(("127.", "169.254.", "0."))


def test_all_addresses_are_shown(capsys):
    terminal.show(["http://192.168.1.20:8000/", "http://10.0.0.3:8000/"], "http://192.168.1.20:8000/host/key")
    said = capsys.readouterr().out
    assert "  http://192.168.1.20:8000/host/key\n" in said
    assert "http://192.168.1.20:8000/\n" in said
    assert "http://10.0.0.3:8000/\n" in said
    assert "▄" in said


@pytest.mark.parametrize(
    ("chosen", "ways"),
    [
        ((), {"en": "There is no network", "es": "No hay red"}),
        (("--host", "127.0.0.1"), {"en": "without --host.", "es": "sin --host."}),
        (("--lan-address", "127.0.0.1"), {"en": "without --lan-address.", "es": "sin --lan-address."}),
        (("--host", "127.0.0.1", "--lan-address", "localhost"), {"en": "without --host.", "es": "sin --host."}),
    ],
)
def test_a_phone_is_not_told_to_scan_what_it_can_not_reach(capsys, tongue, chosen, ways):
    without = start.kept_by(start.options(chosen))
    terminal.show(["http://127.0.0.1:8000/"], "http://127.0.0.1:8000/host/key", local=True, without=without)
    said = capsys.readouterr().out
    assert "▄" not in said
    assert {"en": "scan", "es": "QR"}[tongue] not in said
    for way in ("There is no network", "No hay red", "--host", "--lan-address"):
        assert (way in said) == (way in ways[tongue])


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("localhost", True),
        ("192.168.1.20", False),
        ("laptop.local", False),
        ("fd00::7", False),
    ],
)
def test_what_only_this_computer_reaches_is_known(host, local):
    assert network.is_local(host) == local


@pytest.mark.parametrize(("screen", "opened"), [(":0", ["http://here/"]), ("", [])])
def test_a_browser_opens_only_where_there_is_a_screen(monkeypatch, screen, opened):
    seen = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(start.webbrowser, "open", seen.append)
    thread = start.open_browser("http://here/")
    if thread:
        thread.join()
    assert seen == opened


def test_the_tables_of_the_installed_command_belong_to_the_user(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert start.data_folder(None) == tmp_path / "companion"
    assert (tmp_path / "companion").is_dir()

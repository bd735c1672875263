"""The two commands: an environment that makes itself, and one clear sentence for whatever stands in the way."""

from __future__ import annotations

import ast
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import run
from companion import __main__ as start
from companion import network, terminal
from companion.kit.rulebook import Rulebook, read

HOUSE = Path(run.HERE)
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

    def __call__(self, command, hear):
        what = command[2]
        self.ran.append(what)
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
    tree = ast.parse((HOUSE / "run.py").read_text("utf-8"), feature_version=(3, 7))
    for part in ast.walk(tree):
        assert not isinstance(part, ast.JoinedStr | ast.AnnAssign | ast.Nonlocal | ast.NamedExpr)
        assert not (isinstance(part, ast.Raise) and part.cause)
        if isinstance(part, ast.FunctionDef):
            assert not part.args.kwonlyargs
            assert not part.returns
            assert not any(one.annotation for one in part.args.args)
        if isinstance(part, ast.Call):
            assert sum(isinstance(one, ast.Starred) for one in part.args) <= 1
    assert (HOUSE / "run.py").read_text("utf-8").startswith("# -*- coding: utf-8 -*-")


def test_each_command_has_its_environment(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "environment", lambda name, lock: f"{name} {lock}")
    monkeypatch.chdir(tmp_path)
    command, env = run.command_for(["--port", "80"])
    assert command[0] == ".venv requirements.lock"
    assert command[command.index("companion") + 1 :] == ["--data", str(HOUSE / "instance"), "--port", "80"]
    assert env["PYTHONPATH"].split(os.pathsep)[:2] == [str(HOUSE), str(HOUSE / "packages")]
    command, _ = run.command_for(["--data=here"])
    assert command[command.index("companion") + 1 :] == ["--data=here"]
    command, tested = run.command_for(["test", "-k", "dice"])
    assert tested["PYTHONPATH"] == env["PYTHONPATH"]
    assert command == [".venv-test requirements-test.lock", "-m", "pytest", "-k", "dice"]
    assert Path.cwd() == HOUSE
    command, _ = run.command_for(["test"])
    assert command[3:] == ["-n", "auto", "--dist", "loadfile"]


def test_locks_hold_hashes_and_name_no_place():
    for lock in HOUSE.glob("requirements*.lock"):
        text = lock.read_text("utf-8")
        assert "://" not in text
        assert len(re.findall(r"^\w", text, re.MULTILINE)) == len(
            re.findall(r"^\w.*\\\n    --hash=sha256:", text, re.MULTILINE)
        )


def companion(*arguments: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "--no-browser", *arguments],
        cwd=HOUSE,
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


def test_it_starts_says_where_it_is_and_stops_cleanly(tmp_path, tongue):
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = []
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/", lines[-1] if lines else "")):
            lines.append(process.stdout.readline())
            assert lines[-1], process.stderr.read()
        assert any("▄" in line for line in lines)
        with urllib.request.urlopen(found[0], timeout=30) as answer:
            assert b"Companion" in answer.read()
        if sys.platform == "win32":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)
            rest, wrong = process.communicate(timeout=60)
            assert process.returncode == 0
            assert {"en": "the tables are kept", "es": "las mesas quedan guardadas"}[tongue] in rest
            assert wrong == ""
    assert (tmp_path / "tables.sqlite").exists()


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
        (["--data", str(HOUSE / "run.py")], "--data"),
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


def test_tables_that_can_not_be_opened_are_said_in_one_sentence(capsys, tmp_path, tongue):
    (tmp_path / "tables.sqlite").write_bytes(b"this is no database" * 1000)
    assert start.main(["--no-browser", "--port", "0", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
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


def test_help_is_in_both_languages(capsys, tongue):
    with pytest.raises(SystemExit) as left:
        start.main(["--help"])
    assert left.value.code == 0
    assert {"en": "the folder of the tables", "es": "la carpeta de las mesas"}[tongue] in capsys.readouterr().out


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
    terminal.show(["http://192.168.1.20:8000/", "http://10.0.0.3:8000/"])
    said = capsys.readouterr().out
    assert "http://192.168.1.20:8000/\n" in said
    assert "http://10.0.0.3:8000/\n" in said


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

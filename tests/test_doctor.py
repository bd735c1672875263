"""``companion doctor``: what it says of the network, with a Companion and without one, and how it ends."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion import __main__ as start
from companion import doctor
from companion.folder import LOCK, lock, running_at
from companion.web.network.adapters import Address
from companion.web.network.surroundings import Around
from companion.web.wifi import Wifi, keep_wifi
from tests.test_hosting import TLS
from tests.test_run import ROOT, companion, served

HOME = Address("192.168.1.20", "wlan0")
DOCKER = Address("172.17.0.1", "docker0", "virtual")


@pytest.fixture(params=["en_GB.UTF-8", "es_ES.UTF-8"])
def tongue(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LC_ALL", request.param)
    return str(request.param[:2])


@pytest.fixture
def port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def around(monkeypatch: pytest.MonkeyPatch, *addresses: Address) -> None:
    monkeypatch.setattr(doctor, "Surroundings", lambda: lambda: Around(addresses, "Casa", "linux"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


def until_it_says_where(process: subprocess.Popen[str], folder: Path) -> str:
    """Wait until a Companion has written where it is."""
    while not (where := running_at(folder)):
        assert process.poll() is None
    return where


def test_it_runs_without_a_companion_and_makes_nothing(tmp_path: Path, tongue: str, port: int) -> None:
    folder = tmp_path / "missing"
    done = run("-m", "companion", "doctor", "--data", str(folder), "--port", str(port))
    says = {"en": "No Companion runs on the folder", "es": "Ningún Companion está en marcha con la carpeta"}
    assert done.stdout.startswith(f"{says[tongue]} {folder}.\n")
    assert done.stderr == ""
    assert done.returncode in {0, 1}  # this computer may be in no network
    assert f"{port}/tcp" in done.stdout
    assert not folder.exists()
    lan = re.search(rf"(?m)^  http://\d+\.\d+\.\d+\.\d+:{port}/  \S+$", done.stdout)
    assert (done.returncode == 0) == (lan is not None)


def test_it_says_where_a_companion_runs_and_that_it_answers(tmp_path: Path, tongue: str) -> None:
    with companion("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)) as process:
        address, _ = served(process)
        while not running_at(tmp_path):
            assert process.poll() is None
        done = run("-m", "companion", "doctor", "--data", str(tmp_path))
        again = running_at(tmp_path)
        process.kill()
        process.communicate()
    assert address in done.stdout.splitlines()[0]
    answers = {"en": f"✓ Companion answers at {address}.", "es": f"✓ Companion responde en {address}."}
    assert answers[tongue] in done.stdout
    assert {"en": "! Companion listens to this computer only", "es": "! Companion solo escucha"}[tongue] in done.stdout
    assert done.returncode == 1
    assert again == address, "the doctor took the lock"


def test_the_page_knows_where_a_companion_that_was_started_listens(tmp_path: Path) -> None:
    """Its codes may lead elsewhere: what was chosen counts."""
    chosen = ("--host", "127.0.0.1", "--lan-address", "192.168.1.20", "--port", "0")
    with companion(*chosen, "--data", str(tmp_path), env={**os.environ, "LC_ALL": "C"}) as process:
        assert process.stdout is not None
        own = next(line for line in process.stdout if "/host/" in line)
        port, key = re.findall(r":(\d+)/host/(\S+)", own)[0]
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/host/phones", headers={"Cookie": f"host={key}"})
        with urllib.request.urlopen(asked, timeout=30) as answer:
            page = answer.read().decode()
        process.kill()
        process.communicate()
    assert "Companion listens to this computer only" in page


def test_phones_can_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    around(monkeypatch, HOME, DOCKER)
    keep_wifi(tmp_path, Wifi("Torre", "open sesame"))
    assert start.main(["doctor", "--data", str(tmp_path), "--port", str(port)]) == 0
    said = capsys.readouterr().out
    assert "✓ Phones can come to 192.168.1.20 (wlan0).\n" in said
    assert "! The Wi-Fi code leads to “Torre”, but this computer is in “Casa”.\n" in said
    assert f"    - With ufw: sudo ufw allow {port}/tcp\n" in said
    assert said.endswith(f"  http://192.168.1.20:{port}/  wlan0\n  http://172.17.0.1:{port}/  docker0 (virtual)\n")
    assert "sesame" not in said


@pytest.mark.parametrize("addresses", [(), (DOCKER,), (Address("169.254.1.1", "wlan0", "unassigned"),)])
def test_phones_can_not_come(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int, addresses: tuple[Address, ...]
) -> None:
    around(monkeypatch, *addresses)
    assert start.main(["doctor", "--data", str(tmp_path), "--port", str(port)]) == 1


def test_a_port_that_is_taken_and_a_host_for_this_computer_only_keep_phones_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    around(monkeypatch, HOME)
    with socket.create_server(("0.0.0.0", 0)) as other:
        taken = str(other.getsockname()[1])
        assert start.main(["doctor", "--data", str(tmp_path), "--port", taken]) == 1
        assert f"! Port {taken} is taken" in capsys.readouterr().out
    assert start.main(["doctor", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", str(port)]) == 1
    assert "start it without --host" in capsys.readouterr().out


def test_a_companion_that_does_not_answer_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    around(monkeypatch, HOME)
    with lock(tmp_path) as address:
        assert start.main(["doctor", "--data", str(tmp_path)]) == 0, "it does not know where it is"
        address.write_text(f"http://127.0.0.1:{port}/", "utf-8")
        assert start.main(["doctor", "--data", str(tmp_path)]) == 1
        assert f"! Companion does not answer at http://127.0.0.1:{port}/." in capsys.readouterr().out
    assert running_at(tmp_path) is None
    assert (tmp_path / LOCK).exists()


def test_a_companion_that_speaks_https_is_offered_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    around(monkeypatch, HOME)
    assert start.main(["doctor", "--data", str(tmp_path), "--port", str(port), *TLS]) == 0
    assert capsys.readouterr().out.endswith(f"  https://192.168.1.20:{port}/  wlan0\n")
    with companion("--port", "0", "--data", str(tmp_path), *TLS, env={**os.environ, "LC_ALL": "C"}) as process:
        address = until_it_says_where(process, tmp_path)
        assert start.main(["doctor", "--data", str(tmp_path)]) == 0
        process.kill()
        process.communicate()
    runs_at = address.rpartition(":")[2]
    assert capsys.readouterr().out.endswith(f"  https://192.168.1.20:{runs_at}  wlan0\n")


def test_a_companion_with_a_public_address_is_asked_for_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, tongue: str, port: int
) -> None:
    around(monkeypatch, HOME)
    asked: list[tuple[str, int]] = []

    def connect(place: tuple[str, int], patience: float) -> socket.socket:
        asked.append(place)
        return socket.socket()

    chosen = ("--host", "127.0.0.1", "--public-url", "https://table.example.org", "--port")
    says = {"en": "Phones come by", "es": "Los móviles entran por"}[tongue]
    assert start.main(["doctor", "--data", str(tmp_path), *chosen, str(port)]) == 0
    assert f"✓ {says} https://table.example.org," in capsys.readouterr().out
    with companion(*chosen, "0", "--data", str(tmp_path)) as process:
        until_it_says_where(process, tmp_path)
        monkeypatch.setattr(doctor.socket, "create_connection", connect)
        assert start.main(["doctor", "--data", str(tmp_path)]) == 0
        process.kill()
        process.communicate()
    said = capsys.readouterr().out
    assert asked == [("table.example.org", 443)]
    assert f"✓ {says} https://table.example.org," in said
    assert said.endswith("\n  https://table.example.org/\n")
    assert HOME.ip not in said


def test_the_doctor_takes_no_other_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["doctor", "please"]) == 2
    assert "please" in capsys.readouterr().err


def test_the_doctor_runs_in_the_environment_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    import run as starter

    monkeypatch.setattr(starter, "environment", lambda name, lock: name)
    command, _ = starter.command_for(["doctor"])
    assert command[-3:] == ["--data", str(Path(starter.HERE) / "instance"), "doctor"]

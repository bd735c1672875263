"""The code of the Wi-Fi: read as phones read it, typed by the host alone, and shown to nobody else."""

from __future__ import annotations

import stat
import sys
from html import unescape
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import create_app
from companion.folder import make_backup
from companion.table.problem import Problem
from companion.web import wifi
from companion.web.address_qr import qr_svg
from companion.web.network.surroundings import Around
from companion.web.state import NAME
from companion.web.wifi import WIFI_FILE, Wifi, checked, keep_wifi, read_wifi
from tests.support.barcodes import drawn
from tests.support.duel_game import GAME as DUEL
from tests.support.phones import Table, words
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

ADDRESS = "http://192.168.7.7:8000"
CAFE = Wifi("Café Zwölf", "open sesame, twice")
PRINTED = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
SPECIAL = st.sampled_from('\\;,:"')
NAMES = st.text(SPECIAL | PRINTED | st.sampled_from("0Af"), min_size=1).filter(
    lambda name: name.strip() and len(name.encode()) <= 32 and name.isprintable()
)
PASSWORDS = st.text(SPECIAL | st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63) | st.text(
    "0123456789abcdefABCDEF", min_size=64, max_size=64
)


def fields(code: str) -> dict[str, str]:
    """Read a code as its standard says: fields end at a semicolon, a backslash takes the next letter as it is.

    Quotes that are not escaped, around all of a field, are none of it: they say that it is no number.
    """
    assert code.startswith("WIFI:")
    assert code.endswith(";;")
    found: dict[str, str] = {}
    value, raw = "", ""
    letters = iter(code.removeprefix("WIFI:").removesuffix(";"))
    for letter in letters:
        raw += letter
        if letter == "\\":
            escaped = next(letters)
            raw += escaped
            value += escaped
        elif letter == ";":
            name, _, rest = value.partition(":")
            inner = raw[:-1].partition(":")[2]
            quoted = len(inner) > 1 and inner[0] == '"' and inner[-1] == '"'
            found[name] = rest[1:-1] if quoted else rest
            value, raw = "", ""
        else:
            value += letter
    assert value == ""
    return found


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, games={"toy": TOY, "duel": DUEL}, address=ADDRESS)
    app.testing = True
    app.extensions[NAME].surroundings = lambda: Around((), "Home of “Zoe”", "linux")
    yield app
    app.extensions[NAME].tables.store.close()


def holder(app: Flask, phone: FlaskClient | None = None) -> FlaskClient:
    """Give a browser the key of the host."""
    phone = phone or app.test_client()
    phone.get(f"/host/{app.extensions[NAME].host_key}")
    return phone


@given(name=NAMES, password=PASSWORDS, security=st.sampled_from(["WPA", "SAE"]), hidden=st.booleans())
def test_a_camera_reads_the_name_and_the_password_as_they_were_typed(
    name: str, password: str, security: str, *, hidden: bool
) -> None:
    typed = checked(name, password, security, hidden=hidden)
    (code,) = drawn(qr_svg(typed.code))
    assert code == typed.code
    expected = {"T": security, "S": name, "P": password} | ({"H": "true"} if hidden else {})
    assert fields(code) == expected


@given(name=NAMES)
def test_a_wifi_without_a_password_says_so(name: str) -> None:
    (code,) = drawn(qr_svg(checked(name, "what was typed before", "nopass", hidden=False).code))
    assert fields(code) == {"T": "nopass", "S": name}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (Wifi("home", "12345678"), "WIFI:T:WPA;S:home;P:12345678;;"),
        (Wifi('a\\b;c,d:e"f', '\\;,:"xxx'), r"WIFI:T:WPA;S:a\\b\;c\,d\:e\"f;P:\\\;\,\:\"xxx;;"),
        (Wifi("CAFE", "12345678", hidden=True), 'WIFI:T:WPA;S:"CAFE";P:12345678;H:true;;'),
        (Wifi("42", "", "nopass"), 'WIFI:T:nopass;S:"42";;'),
        (Wifi("Ñandú 5G", "abcde", "WEP"), "WIFI:T:WEP;S:Ñandú 5G;P:abcde;;"),
    ],
)
def test_a_code_is_written_as_android_and_ios_read_it(typed: Wifi, code: str) -> None:
    assert typed.code == code


@pytest.mark.parametrize(
    ("name", "password", "security", "field", "said"),
    [
        ("", "12345678", "WPA", "name", "Type the name"),
        ("   ", "12345678", "WPA", "name", "Type the name"),
        ("ab\x00c", "12345678", "WPA", "name", "cannot be seen"),
        ("ñ" * 17, "12345678", "WPA", "name", "32"),
        ("home", "", "WPA", "password", "Type the password"),
        ("home", "1234567", "WPA", "password", "8"),
        ("home", "x" * 64, "WPA", "password", "63"),
        ("home", "x" * 64, "SAE", "password", "63"),
        ("home", "ñ" * 32, "WPA", "password", "63"),
        ("home", "1234\n5678", "WPA", "password", "cannot be seen"),
        ("home", "123456", "WEP", "password", "5 or 13"),
        ("home", "ñandu", "WEP", "password", "5 or 13"),
        ("home", "12345678", "WPS", "security", "protected"),
    ],
)
def test_what_no_wifi_can_have_is_refused_with_its_sentence(
    app: Flask, name: str, password: str, security: str, field: str, said: str
) -> None:
    with pytest.raises(Problem) as wrong:
        checked(name, password, security, hidden=False)
    assert (wrong.value.status, wrong.value.field) == (400, field)
    typed = {"name": name, "password": password, "security": security}
    for tongue in ("en", "es"):
        answer = holder(app).post("/host/wifi", data=typed, headers={"Accept-Language": tongue})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        if tongue == "en":
            assert said in words(answer.text)
    assert read_wifi(app.config["COMPANION_FOLDER"]) is None


def test_longest_and_shortest_are_taken() -> None:
    for name, password in (("x", "12345678"), ("ñ" * 16, "p" * 63), (" x ", "f" * 64)):
        assert checked(name, password, "WPA", hidden=False).password == password
    for key in ("abcde", "abcdefghijklm", "0123456789", "0123456789abcdefABCDEF0123"):
        assert checked("x", key, "WEP", hidden=False).password == key


def test_the_host_types_it_once_and_can_delete_it(app: Flask, tmp_path: Path) -> None:
    laptop = holder(app)
    assert 'value="Home of “Zoe”"' in unescape(laptop.get("/host/wifi").text)
    answer = laptop.post("/host/wifi", data={"name": CAFE.name, "password": CAFE.password, "security": "WPA"})
    assert (answer.status_code, answer.location) == (303, "/host")
    assert drawn(laptop.get("/host").text) == [CAFE.code, ADDRESS]
    filled_in = unescape(laptop.get("/host/wifi").text)
    assert f'value="{CAFE.name}"' in filled_in
    assert f'value="{CAFE.password}"' in filled_in
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / WIFI_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if "wifi" in path.name] == [WIFI_FILE]
    assert laptop.post("/host/wifi/forget").status_code == 303
    assert not (tmp_path / WIFI_FILE).exists()
    assert laptop.post("/host/wifi/forget").status_code == 303
    assert drawn(laptop.get("/host").text) == [ADDRESS]


def test_the_invitation_of_the_host_shows_both_codes_in_their_order(app: Flask, tmp_path: Path) -> None:
    keep_wifi(tmp_path, CAFE)
    table = Table(app, "toy")
    holder(app, table.phones["rulekeeper"])
    page = table.get("rulekeeper", "/invite").text
    assert drawn(page) == [CAFE.code, f"{ADDRESS}/t/{table.id}"]
    assert "/host/phones" in page


@pytest.mark.parametrize("damage", [b"", b"no json", b'{"name": 3}', b'{"name": "x", "security": "?"}', b"\xff"])
def test_a_damaged_file_is_as_none(app: Flask, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / WIFI_FILE).write_bytes(damage)
    assert read_wifi(tmp_path) is None
    assert holder(app).get("/host").status_code == 200
    assert holder(app).get("/host/wifi").status_code == 200


def test_a_folder_that_can_not_be_written_is_said_in_words(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    keep_wifi(tmp_path, CAFE)
    laptop = holder(app)
    monkeypatch.setattr(wifi.msgspec.json, "encode", refuse)
    answer = laptop.post("/host/wifi", data={"name": "other", "password": "12345678", "security": "WPA"})
    assert answer.status_code == 409
    assert "the disk may be full" in words(answer.text)
    assert 'value="other"' in answer.text
    assert read_wifi(tmp_path) == CAFE
    assert [path.name for path in tmp_path.iterdir() if "wifi" in path.name] == [WIFI_FILE]


@pytest.mark.parametrize(
    ("method", "path"),
    [("get", ""), ("get", "/wifi"), ("get", "/phones"), ("post", "/wifi"), ("post", "/wifi/forget")],
)
def test_nobody_else_sees_or_changes_it(app: Flask, tmp_path: Path, method: str, path: str) -> None:
    keep_wifi(tmp_path, CAFE)
    phone = app.test_client()
    phone.set_cookie("host", "A" * 43)
    for tongue, said in (("en", "open there the link that its terminal shows"), ("es", "abre")):
        sent = {"data": {"name": "mine", "password": "12345678", "security": "WPA"}} if method == "post" else {}
        answer = getattr(phone, method)(f"/host{path}", headers={"Accept-Language": tongue}, **sent)
        assert answer.status_code == 403
        assert said in words(answer.text).lower()
    assert read_wifi(tmp_path) == CAFE


def test_a_page_that_draws_the_code_for_everybody_draws_it_for_the_host_alone(app: Flask, tmp_path: Path) -> None:
    keep_wifi(tmp_path, CAFE)
    with app.test_request_context("/", headers={"Cookie": f"host={'A' * 43}"}):
        assert wifi.wifi_qr() is None
        assert wifi.kept_wifi() is None
    with app.test_request_context("/", headers={"Cookie": f"host={app.extensions[NAME].host_key}"}):
        assert wifi.wifi_qr() == qr_svg(CAFE.code)


def test_no_page_tells_a_phone_without_the_key(app: Flask, tmp_path: Path) -> None:
    """Every address that is read is opened by phones at the table, with all it can name filled in."""
    keep_wifi(tmp_path, CAFE)
    table = Table(app, "toy")
    laptop = holder(app)
    code = qr_svg(CAFE.code).partition(' d="')[2][:200]
    shown = laptop.get("/host").text
    assert all(secret in unescape(shown) for secret in (CAFE.name, code))
    told = {"table": table.id, "game": "toy", "seat": "red", "token": table.tokens["red"], "name": "qr.svg"}
    opened = 0
    urls = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()):
            continue
        for seat in table.phones:
            values = {name: told.get(name, "toy") for name in rule.arguments} | {"seat": seat}
            address = urls.build(rule.endpoint, {name: values[name] for name in rule.arguments}, method="GET")
            answer = table.phones[seat].get(address, headers={"Accept-Encoding": "identity"})
            assert answer.status_code < 500, address
            opened += answer.status_code == 200
            sent = unescape(answer.get_data(as_text=True)) + str(answer.headers)
            for secret in (CAFE.name, CAFE.password, code, "Home of", "WIFI:"):
                assert secret not in sent, f"{address} tells {seat} {secret}"
            assert address.startswith("/host") or 'href="/host' not in sent, (
                f"{address} leads {seat} to the host's pages"
            )
    assert opened > 40


def test_no_backup_no_export_and_no_database_holds_it(app: Flask, tmp_path: Path) -> None:
    table = Table(app, "toy")
    laptop = holder(app, table.phones["rulekeeper"])
    laptop.post("/host/wifi", data={"name": CAFE.name, "password": CAFE.password, "security": "WPA"})
    laptop.get(f"/t/{table.id}/rulekeeper/invite")
    exported = laptop.post(f"/t/{table.id}/export.json", data={"key": "a key that is long"})
    assert exported.mimetype == "application/json"
    make_backup(tmp_path, tmp_path / "kept.sqlite")
    holds = [exported.data] + [path.read_bytes() for path in tmp_path.glob("*.sqlite*")]
    assert len(holds) > 2
    for secret in (CAFE.name, CAFE.password):
        assert not any(secret.encode() in one for one in holds)
        assert secret in (tmp_path / WIFI_FILE).read_text("utf-8")

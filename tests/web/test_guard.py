"""What guards every page: origins, hosts, sizes, the policy, the vendored scripts, and what a page weighs."""

from __future__ import annotations

import gzip
import re
import shutil
import tempfile
from graphlib import CycleError
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse, create_environ, run_wsgi_app

from companion import create_app
from companion.table.store import Store
from companion.web import guard, state
from companion.web.assets import JOINED, Assets, shipped
from companion.web.guard import FIELDS, LARGEST_BODY
from companion.web.state import NAME
from tests.support.phones import Table
from tests.support.toy_game import TOY

STATIC = shipped("static")
VENDORED = {
    "htmx-4.0.1.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse-4.0.1.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY}, hosts=("table.example",))
    app.testing = True
    return app


@pytest.mark.parametrize("name", VENDORED)
def test_vendored_scripts_are_what_was_published(name: str) -> None:
    assert sha256((STATIC / "vendor" / name).read_bytes()).hexdigest() == VENDORED[name]


def test_nothing_else_is_vendored_and_the_licences_are_beside() -> None:
    assert {path.name for path in (STATIC / "vendor").iterdir()} == {*VENDORED, "LICENSE-htmx.txt", "LICENSE-mdi.txt"}


@pytest.mark.parametrize(
    "headers",
    [
        *({"Origin": origin} for origin in ("http://evil.example", "null", "http://localhost:81", "x", "http://[", "")),
        {"Origin": "https://localhost"},
        {"Origin": "localhost"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_what_another_site_sends_is_not_done(app: Flask, headers: dict[str, str]) -> None:
    table = Table(app, "toy")
    for path, data in (
        (f"/t/{table.id}/red/act", {"do": "action=add"}),
        (f"/t/{table.id}/join", {"seat": "red"}),
        ("/new/toy", {}),
        ("/import", {}),
        ("/api/tables", {}),
    ):
        refused = table.phones["red"].post(path, data=data, headers=headers)
        assert refused.status_code == 403, path
    assert table.tables.seen(table.id, "red").log[0].kind != "action"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://LapTop.local:8000", "Host": "laptop.local:8000"},
    ],
)
def test_what_this_site_sends_is_done(app: Flask, headers: dict[str, str]) -> None:
    table = Table(app, "toy")
    red = {"Authorization": f"Bearer {table.tokens['red']}", **headers}
    act = {"action": {"action": "add"}, "key": "k"}
    assert app.test_client().post(f"/api/tables/{table.id}/actions", json=act, headers=red).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["localhost:8000", "192.168.1.20:8000", "[fe80::1]:8000", "laptop.local", "laptop", "table.example", "127.0.0.1"],
)
def test_hosts_of_the_local_network_are_answered(app: Flask, host: str) -> None:
    assert app.test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("named", ["Laptop.Example.org", "laptop.example.org."])
def test_a_name_is_answered_however_it_was_written_at_the_start(tmp_path: Path, named: str) -> None:
    app = create_app(tmp_path, games={"toy": TOY}, hosts=(named,))
    assert app.test_client().get("/", headers={"Host": "laptop.example.org:8000"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "1.2.3.4.evil.example"]
)
def test_a_foreign_name_that_points_here_is_not_answered(app: Flask, host: str) -> None:
    answer = app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "lobby.css" in answer.text


@pytest.mark.parametrize(
    "host",
    [
        "a..local",
        ".local",
        "..localhost",
        "x" * 64,
        "x" * 64 + ".local",
        "x." * 200 + "local",
        "xn--.local",
        "xn--a.local:8000",
        "a b.local",
        "[::1",
        "a:b",
        "",
        ":80",
        ".",
        "é.local",
        "a.local:99999",
    ],
)
@pytest.mark.parametrize("path", ["/", "/nowhere", "/t/K7QF22", "/api/games", "/dice?notation=2d6"])
def test_a_name_that_can_be_none_is_refused_with_a_sentence(app: Flask, host: str, path: str) -> None:
    for method in ("GET", "POST"):
        # The test client itself can not go to some of these.
        said, status, _ = run_wsgi_app(app, create_environ(path, method=method, headers={"Host": host}), buffered=True)
        assert status.startswith("400")
        assert "Companion does not go by this name." in b"".join(said).decode()


@pytest.mark.parametrize("path", ["/", "/new/toy", "/nowhere", "/api/games", "/quick", "/rules"])
def test_every_answer_carries_the_policy(app: Flask, path: str) -> None:
    headers = app.test_client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_no_page_has_a_style_or_a_script_of_its_own() -> None:
    inline = re.compile(r"\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)|hx-on|javascript:", re.IGNORECASE)
    # The file of a story stands alone, and is sent to be kept: a browser never opens it from here.
    alone = shipped("templates") / "replay" / "file.html"
    pages = (path for path in shipped("templates").rglob("*.html") if path != alone)
    assert [path.name for path in pages if inline.search(path.read_text(encoding="utf-8"))] == []


def test_too_much_is_refused_before_it_is_read(app: Flask) -> None:
    table = Table(app, "toy")
    body = b"do=" + b"x" * (LARGEST_BODY + 1)
    for path in (f"/t/{table.id}/red/act", "/new/toy", "/api/tables"):
        answer = table.phones["red"].post(path, data=body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 413, path


def test_a_form_of_thousands_of_fields_is_refused_before_it_is_taken_apart(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app, "toy")
    form = {"content_type": "application/x-www-form-urlencoded"}

    def act(fields: int) -> int:
        body = "&".join(["do=action%3Dadd", f"key=k{fields}", *(f"more{n}=1" for n in range(fields - 2))])
        return table.phones["red"].post(f"/t/{table.id}/red/act", data=body, **form).status_code

    assert act(FIELDS) == 303

    def taken_apart(typed: str, **_: object) -> list[tuple[str, str]]:
        assert not typed
        return []

    monkeypatch.setattr("werkzeug.formparser.parse_qsl", taken_apart)
    monkeypatch.setattr("werkzeug.sansio.request.parse_qsl", taken_apart)
    assert act(FIELDS + 1) == 413
    assert act(50_000) == 413
    query = "&".join(f"n{n}=1" for n in range(FIELDS + 1))
    said, status, _ = run_wsgi_app(app, {**create_environ("/quick/"), "QUERY_STRING": query}, buffered=True)
    assert status.startswith("413")
    assert b"too large" in b"".join(said)


def upload(app: Flask, size: int, language: str = "en") -> TestResponse:
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="table.json"\r\n\r\n'
    return app.test_client().post(
        "/import",
        data=head + b"x" * size + b"\r\n--cut--\r\n",
        content_type="multipart/form-data; boundary=cut",
        headers={"Accept-Language": language},
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "This file is too large: 64 MB at most."), ("es", "Este archivo es demasiado grande: 64 MB como mucho.")],
)
def test_a_file_may_be_larger_than_anything_else_but_not_huge(
    app: Flask, monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    assert guard.largest("/import") == 64 * 1024 * 1024
    monkeypatch.setattr(guard, "LARGEST", 3 * LARGEST_BODY)
    taken = upload(app, 2 * LARGEST_BODY)
    assert taken.status_code == 400
    assert "not an exported table" in taken.text
    refused = upload(app, 3 * LARGEST_BODY, language)
    assert refused.status_code == 413
    assert sentence in refused.text
    assert 'type="file"' in refused.text


def test_a_file_is_taken_in_without_room_on_the_disk(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert upload(app, LARGEST_BODY).status_code == 400


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "POST", "TRACE"])
def test_no_method_makes_a_page_fail(app: Flask, method: str) -> None:
    table = Table(app, "toy")
    for path in ("/", "/new/toy", f"/t/{table.id}", f"/t/{table.id}/screen", "/rules", "/quick", "/static/x/y"):
        assert app.test_client().open(path, method=method).status_code < 500


@pytest.mark.parametrize(
    "path",
    ["/%00", "/%ff%fe", "/t/%F0%9F%8E%B2", "/" + "x" * 5000, "/t/../..", "/static/../x", "/static/x/../../y", "//evil"],
)
def test_no_address_makes_a_page_fail(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code < 500


def test_a_phone_without_a_seat_locks_nobody_out_of_theirs(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table, other = Table(app, "toy"), Table(app, "toy")
    lost = table.phone()
    assert [lost.get(f"/t/{table.id}/knock/red").status_code for _ in range(21)] == [404] * 20 + [429]
    assert lost.get(f"/t/{table.id}").status_code == 429
    assert table.get("red").status_code == 200
    assert table.post("red", "/act", do="action=add").status_code == 303
    assert table.phones["red"].get(f"/t/{other.id}").status_code == 429
    gone = app.test_client()
    gone.set_cookie("seat-red", table.tokens["red"], path="/t/K7QF22")
    assert gone.get("/t/K7QF22/red").status_code == 429
    forged = app.test_client()
    forged.set_cookie("seat-red", "x" * 43, path=f"/t/{table.id}")
    assert forged.get(f"/t/{table.id}/red").status_code == 429


def test_whoever_shows_a_token_of_the_table_is_not_limited_by_what_others_guess(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table = Table(app, "toy")
    knocking = table.phone()
    assert knocking.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eve"}).status_code == 303
    guessing = app.test_client()
    assert [guessing.get("/t/K7QF22").status_code for _ in range(21)] == [404] * 20 + [429]
    red = {"Authorization": f"Bearer {table.tokens['red']}"}
    api, code = f"/api/tables/{table.id}", app.test_client()
    assert [code.get(api + path, headers=red).status_code for path in ("", "/log", "/events")] == [200] * 3
    assert code.post(api + "/actions", json={"action": {"action": "add"}, "key": "k"}, headers=red).status_code == 200
    assert table.phones["red"].get(f"/t/{table.id}").status_code == 200
    assert app.test_client().get(f"/s/{table.id}/red/{table.tokens['red']}").status_code == 303
    assert knocking.get(f"/t/{table.id}/knock/red").status_code == 200
    assert knocking.get(f"/t/{table.id}").status_code == 200
    for wrong in ("", "Bearer", "Bearer x", f"Basic {table.tokens['red']}", f"Bearer {table.tokens['red']}x"):
        assert code.get(api, headers={"Authorization": wrong}).status_code == 429, wrong
    assert code.get(f"/s/{table.id}/red/{table.tokens['red']}x").status_code == 429
    assert code.get(f"/t/{table.id}").status_code == 429, "who shows nothing would learn that there is such a table"
    forged = app.test_client()
    forged.set_cookie("knock-red", "x" * 43, path=f"/t/{table.id}")
    assert forged.get(f"/t/{table.id}").status_code == 429


@pytest.mark.parametrize("kind", ["seat", "knock"])
@pytest.mark.parametrize("guesses", [0, 20])
def test_thousands_of_tokens_are_compared_at_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, guesses: int
) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table = Table(app, "toy")
    phone = app.test_client(use_cookies=False)
    for _ in range(guesses):
        phone.get("/t/K7QF22")
    looks: list[Store] = []
    read = Store.read
    monkeypatch.setattr(Store, "read", lambda store: looks.append(store) or read(store))
    counts = []
    for shown in (1, 5000):
        looks.clear()
        cookies = "; ".join(f"{kind}-s{number}=x" for number in range(shown))
        assert phone.get(f"/t/{table.id}", headers={"Cookie": cookies}).status_code == (429 if guesses else 200)
        counts.append(len(looks))
    assert counts[0] == counts[1] > 0


def test_a_phone_with_a_seat_guesses_nothing_at_its_table(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table = Table(app, "toy")
    knocked = f"/t/{table.id}/knock/blue"
    assert [table.phones["red"].get(knocked).status_code for _ in range(25)] == [404] * 25
    assert app.test_client().get(f"/t/{table.id}").status_code == 200


def test_static_files_are_kept_for_good_under_their_own_address(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/").text
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    assert addresses
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        packed = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed.data) == answer.data
    css = next(address for address in addresses if address.endswith("lobby.css"))
    old = client.get(re.sub(r"/static/\w+/", "/static/0123456789ab/", css))
    assert old.status_code == 200
    assert old.headers["Cache-Control"] == "no-cache"
    assert client.get("/static/x/nothing.css").status_code == 404


COMMENT = re.compile(rb"\s*/[*]([^*]|[*](?!/))*[*]/")
SPACE = re.compile(rb"\s+")


def test_files_are_sent_without_their_comments_and_joined_in_order() -> None:
    sent = {name: asset.plain for name, asset in Assets().assets.items()}
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}
    for name, data in files.items():
        if name.endswith(".css") and name not in JOINED:
            assert SPACE.sub(b"", sent[name]) == SPACE.sub(b"", COMMENT.sub(b"", data))
        elif name not in JOINED and not (name.endswith(".js") and "/" not in name):
            assert sent[name] == data
    for name, parts in JOINED.items():
        if name.endswith(".css"):
            assert SPACE.sub(b"", sent[name]) == b"".join(
                SPACE.sub(b"", COMMENT.sub(b"", files[part])) for part in parts
            )
        else:
            assert sent[name] == b"\n".join(files[part] for part in parts)


def test_what_is_no_comment_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = shutil.copytree(STATIC, tmp_path / "static")
    monkeypatch.setattr("companion.web.assets.shipped", tmp_path.joinpath)
    script = 'const at = "https://a/*";\nsay("a // b");\n/* Two\n   lines. */\n\n  // One.\ngo(at); // here\n'
    (static / "print.js").write_text(script, "utf-8")
    assert Assets().assets["print.js"].plain.decode() == 'const at="https://a/*";say("a // b");go(at);'


def test_what_a_module_imports_comes_inside_it_but_for_what_every_page_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = shutil.copytree(STATIC, tmp_path / "static")
    monkeypatch.setattr("companion.web.assets.shipped", tmp_path.joinpath)
    written = {
        "dice.js": 'import "./two.js";\nimport { get } from "./companion.js";\nimport { of } from "./one.js";\nof();\n',
        "one.js": 'import { get, make } from "./companion.js";\nconst own = 1;\nexport const of = make(own);\nget();\n',
        "two.js": 'import { of } from "./one.js";\nconst own = 2;\nof(own);\n',
    }
    for name, text in written.items():
        (static / name).write_text(text, "utf-8")
    made = Assets()
    assert made.assets["dice.js"].plain.decode() == (
        f'import{{get,make}}from "{made.address("companion.js")}";'
        "const{of}=(()=>{const own=1;const of=make(own);get();return{of};})();"
        "(()=>{const own=2;of(own);})();"
        "of();"
    )
    (static / "one.js").write_text('import "./two.js";\n', "utf-8")
    with pytest.raises(CycleError):
        Assets()


def test_a_module_imports_by_address_and_changes_with_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = shutil.copytree(STATIC, tmp_path / "static")
    monkeypatch.setattr("companion.web.assets.shipped", tmp_path.joinpath)
    before = Assets()
    modules = [path.name for path in static.glob("*.js")]
    brought = ["`${unsent.dataset.brings}#${tries}`", "sounds", "swipes", "calls", "scenes", "install"]
    later = {"companion.js": brought, "later.js": brought, "unsent.js": ["brings"]}
    for name in modules:
        sent = before.assets[name].plain.decode()
        assert '"./' not in sent
        # What comes later comes from an address that the page names.
        assert re.findall(r"import\((.*?)\)", sent) == later.get(name, [])
        assert set(re.findall(r'import[{][^}]*[}]from "(.+?)"', sent)) <= {before.address("companion.js")}
    assert before.address("companion.js") in before.assets["board.js"].plain.decode()
    with (static / "companion.js").open("a", encoding="utf-8") as file:
        file.write("void 0;\n")
    after = Assets()
    address = before.address("companion.js")
    importing = {name for name in modules if address in before.assets[name].plain.decode()}
    assert {"board.js", "panels.js"} <= importing
    changed = {name for name in before.assets if before.address(name) != after.address(name)}
    assert changed == {"companion.js", *importing}


def test_a_page_brings_at_most_three_modules(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    games = app.extensions["companion"].games
    paths = ["/", "/new", "/dice", "/dice?n=2d6&by=type", "/rules", "/rules/search", "/quick", "/import"]
    for slug, game in games.items():
        paths += [f"/new/{slug}", f"/rules/{slug}", f"/rules/{slug}/aid"]
        paths += [f"/quick/{slug}/{lookup}{more}" for lookup in game.lookups for more in ("", "/compare", "?_by=type")]
    clients = dict.fromkeys(paths, app.test_client())
    for slug in games:
        table = Table(app, slug)
        for seat, client in table.phones.items():
            clients[f"/t/{table.id}/{seat}"] = clients[f"/t/{table.id}/{seat}/corrections"] = client
    for path, client in clients.items():
        html = client.get(path, follow_redirects=True).text
        modules = {address.rpartition("/")[2] for address in re.findall(r'<script type="module" src="([^"]+)"', html)}
        assert "companion.js" in modules, path
        assert len(modules) <= 3, (path, modules)


def test_a_file_of_another_kind_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    for name in ("notes", ".DS_Store", "font.woff2"):
        (tmp_path / "static" / name).write_bytes(b"\0\1")
    monkeypatch.setattr("companion.web.assets.shipped", tmp_path.joinpath)
    client = create_app(tmp_path).test_client()
    for name in ("notes", ".DS_Store", "font.woff2"):
        answer = client.get(Assets().address(name))
        assert (answer.status_code, answer.content_type, answer.data) == (200, "application/octet-stream", b"\0\1")


def test_words_are_compressed_and_said_to_vary(app: Flask) -> None:
    client = app.test_client()
    plain, packed = client.get("/rules"), client.get("/rules", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Cookie" in packed.headers["Vary"]


def test_the_first_play_page_is_light(tmp_path: Path) -> None:
    """60 kB and 8 requests, the live stream and the icon counted; what a module imports comes inside it."""
    app = create_app(tmp_path)
    game = next(iter(app.extensions["companion"].games))
    table = Table(app, game)
    seat = next(seat for seat in table.phones if seat != "rulekeeper")
    client = table.phones[seat]
    packed = {"Accept-Encoding": "gzip"}
    page = client.get(f"/t/{table.id}/{seat}", headers=packed)
    text = gzip.decompress(page.data).decode()
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', text))
    weight = len(page.data) + sum(len(client.get(address, headers=packed).data) for address in addresses)
    assert weight <= 60_000
    assert 2 + len(addresses) <= 8


def test_what_makes_sounds_is_small_and_comes_with_no_page(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    table = Table(app, next(iter(app.extensions["companion"].games)))
    assets = Assets()
    assert sum(len(assets.assets[name].plain) for name in ("sound.js", "sound.css")) <= 20_000
    for seat, client in table.phones.items():
        page = client.get(f"/t/{table.id}/{seat}").text
        assert f'data-sounds="{assets.address("sound.js")}"' in page
        assert f'data-styles="{assets.address("sound.css")}"' in page
        assert not re.search(r'(?:href|src)="[^"]+/sound\.(?:js|css)"', page)


@pytest.mark.parametrize(
    ("unread", "status", "language", "sentence"),
    [
        ("busy", 429, "en", "Too much is being sent at once. Try again in a moment."),
        ("busy", 429, "es", "Se está enviando demasiado a la vez. Prueba otra vez en un momento."),
        ("full", 409, "en", "The disk is full"),
        ("full", 409, "es", "El disco está lleno"),
    ],
)
@pytest.mark.parametrize("address", ["/import", "/api/tables"])
def test_a_body_that_was_not_read_is_told_why(
    app: Flask, address: str, unread: str, status: int, language: str, sentence: str
) -> None:
    answer = app.test_client().post(
        address, headers={"Accept-Language": language}, environ_overrides={guard.UNREAD: unread}
    )
    assert answer.status_code == status
    assert sentence in (answer.json["detail"] if answer.is_json else answer.text)


def test_only_a_file_may_be_large(app: Flask) -> None:
    for kind in ("application/x-www-form-urlencoded", "application/json"):
        answer = app.test_client().post("/import", data=b"a=1&" * (LARGEST_BODY // 4) + b"b", content_type=kind)
        assert answer.status_code in {400, 413}
        assert "Choose the file" in answer.text or "too large" in answer.text


def test_a_form_that_brings_a_file_has_few_parts(app: Flask) -> None:
    many = {f"file{number}": (BytesIO(b"{}"), "t.json") for number in range(guard.PARTS + 1)}
    assert app.test_client().post("/import", data=many).status_code == 413


def test_tables_and_files_come_at_a_bearable_rate(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    app_state = app.extensions[NAME]
    for rate, most in ((app_state.create_rate, state.MOST_CREATED), (app_state.import_rate, state.MOST_IMPORTED)):
        assert rate.most == most
        rate.most, rate.clock = 3, lambda: 100.0
    phone = app.test_client()

    def statuses() -> list[int]:
        return [
            phone.post("/new/toy").status_code,
            phone.post("/api/tables", json={"game": "toy"}).status_code,
            phone.post("/new/toy", headers={"Accept-Language": "es"}).status_code,
            phone.post("/import", data={"file": (BytesIO(b"{}"), "t.json")}).status_code,
        ]

    assert statuses() == [303, 201, 303, 400]
    assert statuses() == [429, 429, 429, 400]
    assert len(app_state.tables.summaries()) == 3
    refused = phone.post("/new/toy", headers={"Accept-Language": "es"})
    assert "Espera un poco" in refused.text
    assert "Wait a little" in phone.post("/api/tables", json={"game": "toy"}).json["detail"]
    assert statuses()[-1] == 400
    assert statuses()[-1] == 429
    other = {"REMOTE_ADDR": "10.0.0.7"}
    assert phone.post("/new/toy", environ_overrides=other).status_code == 303
    app_state.create_rate.clock = lambda: 161.0
    assert statuses()[:3] == [303, 201, 303]

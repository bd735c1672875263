"""One file of a table's set-up, of what people wrote for it, and of what a phone keeps: sent, shown, taken, refused."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.games.history_of_war.cards import DECKS as HISTORY
from companion.games.pocket_tactics.cards import BAG, FACTIONS
from companion.games.tactics_2gm.cards import DECKS as TACTICS
from companion.games.tactics_2gm.cards import TERRAIN
from companion.kit.decks.samples import written
from companion.kit.game import RULEKEEPER, SCREEN
from companion.web.play import bundle as bundles
from companion.web.state import NAME
from tests.support.phones import Table, words
from tests.support.pictures import png
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

PHOTO = png()
DIGEST = sha256(PHOTO).hexdigest()
ARMY = {"game": "chesswar", "list": "army", "name": "Horde", "values": {"army": "orcs", "goblin": 3}}
KEPT = {
    "files": [{"game": "pocket_tactics", "action": "load_deck", "name": "Other", "text": 'name = "Other"'}],
    "lists": [ARMY],
    "favourites": [{"name": "Charge", "n": "4d6kh3"}],
}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path)


def faction(name: str) -> str:
    sample = FACTIONS["bannermen_sample"]
    units = (msgspec.structs.replace(sample.unit[0], picture=DIGEST), *sample.unit[1:])
    return written(msgspec.structs.replace(sample, sample=False, name=name, unit=units))


@pytest.fixture
def pocket(app: Flask) -> Table:
    table = Table(app, "pocket_tactics")
    first, second = (seat for seat in table.tokens if seat != RULEKEEPER)
    tables = app.extensions[NAME].tables
    tables.act(table.id, first, {"action": "load_deck", "text": faction("Mis tropas")}, "one")
    tables.act(table.id, second, {"action": "load_deck", "text": faction("Las otras")}, "two")
    tables.keep_pictures([bundles.check(PHOTO)])
    return table


def seats(table: Table) -> tuple[str, str]:
    first, second = (seat for seat in table.tokens if seat != RULEKEEPER)
    return first, second


def sent(table: Table, seat: str, kept: Any = None) -> dict[str, Any]:
    answer = table.post(seat, "/another/bundle.json", kept=json.dumps(kept) if kept else "")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    found: dict[str, Any] = json.loads(answer.data)
    return found


def parts(name: str, holds: bytes) -> tuple[bytes, str]:
    """Write a form of one field that is too large for a test client's own memory."""
    begins = f'--cut\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
    return begins + holds + b"\r\n--cut--\r\n", "multipart/form-data; boundary=cut"


def opened(app: Flask, file: Any, tongue: str = "en") -> TestResponse:
    data = file if isinstance(file, bytes) else json.dumps(file).encode()
    sends = {"file": (BytesIO(data), "all.json"), "key": "a" * 20}
    return app.test_client().post(
        "/import", data=sends, content_type="multipart/form-data", headers={"Accept-Language": tongue}
    )


def test_a_bundle_holds_the_set_up_the_own_deck_with_its_picture_and_what_the_phone_keeps(pocket: Table) -> None:
    first, _ = seats(pocket)
    file = sent(pocket, first, KEPT)
    assert next(iter(file)) == "companion"
    assert (file["companion"], file["edition"], file["template"]["game"]) == ("bundle", 1, "pocket_tactics")
    assert [(one["action"], one["name"]) for one in file["files"]] == [
        ("load_deck", "Mis tropas"),
        ("load_deck", "Other"),
    ]
    assert file["pictures"] == [{"digest": DIGEST, "data": b64encode(PHOTO).decode()}]
    assert (file["lists"], file["favourites"]) == (KEPT["lists"], KEPT["favourites"])


def test_nobody_gets_what_others_wrote(pocket: Table) -> None:
    first, second = seats(pocket)
    assert "Las otras" not in json.dumps(sent(pocket, first))
    assert "Mis tropas" not in json.dumps(sent(pocket, second))
    for seat in (RULEKEEPER, SCREEN):
        phone = pocket.phones.get(seat, pocket.app.test_client())
        file = phone.post(f"/t/{pocket.id}/{seat}/another/bundle.json", data={"kept": ""})
        assert file.json["files"] == [] if "files" in file.json else True
    stranger = pocket.app.test_client().post(f"/t/{pocket.id}/{first}/another/bundle.json", data={"kept": ""})
    assert stranger.status_code == 403
    for token in pocket.tokens.values():
        assert token not in json.dumps(sent(pocket, first, KEPT))


def test_samples_are_found_everywhere(app: Flask) -> None:
    table = Table(app, "history_of_war")
    first, _ = seats(table)
    table.act(first, action="use_sample", sample=f"{first}_sample")
    assert "files" not in sent(table, first)


def test_another_laptop_shows_what_is_in_it_and_keeps_its_pictures(pocket: Table, tmp_path: Path) -> None:
    file = sent(pocket, seats(pocket)[0], KEPT)
    other = create_app(tmp_path / "other")
    assert other.extensions[NAME].tables.picture(DIGEST) is None
    answer = opened(other, file, "es")
    assert answer.status_code == 200
    shown = words(answer.text)
    for said in (
        "Lo que trae este archivo",
        "Mis tropas",
        "Horde",
        "Charge",
        "Guardarlo todo en este móvil",
        "Pocket-Tactics",
    ):
        assert said in shown
    assert 'href="/new/pocket_tactics?' in answer.text
    assert "data-take=" in answer.text
    assert other.extensions[NAME].tables.picture(DIGEST) == ("image/png", PHOTO)


def test_the_trackers_of_a_free_table_come_along(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1",), begin="wargame")
    file = sent(table, "player_1")
    answer = opened(app, file)
    assert "template=" in answer.text
    assert file["template"]["options"]["template"]


def test_what_is_for_a_game_that_is_not_installed_is_said(pocket: Table, tmp_path: Path) -> None:
    other = create_app(tmp_path / "other", games={"toy": TOY})
    answer = opened(other, sent(pocket, seats(pocket)[0], KEPT))
    assert answer.status_code == 200
    assert "The game pocket_tactics is not installed here" in words(answer.text)
    assert "The game chesswar is not installed here" in words(answer.text)


GOOD: dict[str, Any] = {"companion": "bundle", "edition": 1}
FILE = {"game": "pocket_tactics", "action": "load_deck", "name": "A", "text": "x"}
UNFIT = "this is not what belongs here"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b'{"companion": "bundle", "edition": 1', "damaged"),
        (b'{"companion": "bundle", "edition": 1, "lists": [' + b"[" * 5000, ""),
        (GOOD | {"edition": 2}, "newer Companion"),
        ({"companion": "bundle"}, "newer Companion"),
        (GOOD | {"more": 1}, "There is no field called more"),
        (GOOD | {"files": [FILE | {"name": ""}]}, UNFIT),
        (GOOD | {"files": [FILE | {"action": "resign"}]}, "“A” is no file"),
        (GOOD | {"files": [FILE | {"text": "x" * 60_001}]}, UNFIT),
        (GOOD | {"lists": [ARMY | {"values": {"a": "x" * 5000}}]}, "“Horde” cannot be read"),
        (GOOD | {"lists": [ARMY | {"name": ""}]}, "cannot be read"),
        (GOOD | {"favourites": [{"name": "Bad", "n": "4q"}]}, "“Bad” is no roll"),
        (GOOD | {"pictures": [{"digest": DIGEST, "data": b64encode(PHOTO).decode()}]}, "damaged"),
        (GOOD | {"pictures": [{"digest": DIGEST, "data": "!"}]}, UNFIT),
    ],
)
def test_a_bad_file_gets_a_sentence_and_nothing_is_taken_from_it(app: Flask, file: Any, said: str) -> None:
    answer = opened(app, file)
    assert answer.status_code == 400
    assert said in words(answer.text)
    assert "data-take" not in answer.text
    assert app.extensions[NAME].tables.picture(DIGEST) is None


def test_a_picture_that_is_another_than_it_says_is_refused(pocket: Table, tmp_path: Path) -> None:
    file = sent(pocket, seats(pocket)[0])
    file["pictures"] = [{"digest": DIGEST, "data": b64encode(png(seed=2)).decode()}]
    assert opened(create_app(tmp_path / "other"), file).status_code == 400


def test_a_set_up_that_can_not_be_leaves_the_lists(app: Flask) -> None:
    template = {"companion": "template", "game": "pocket_tactics", "options": {"army_limit": "many"}}
    answer = opened(app, GOOD | {"template": template, "lists": [ARMY]})
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text
    assert "Horde" in answer.text


def test_a_file_that_is_too_large_is_told_so(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "LARGEST", 1000)
    assert opened(app, GOOD | {"favourites": [{"name": "x", "n": "1d6"}] * 100}).status_code == 413


def test_what_fills_a_phone_goes_into_one_file_and_comes_out_of_it(pocket: Table) -> None:
    first, _ = seats(pocket)
    text = 'name = "ñ"\n' + "# " * 12_000
    files = [{"game": "pocket_tactics", "action": "load_deck", "name": f"Deck {n}", "text": text} for n in range(200)]
    page = pocket.get(first, "/another").text
    assert 'enctype="multipart/form-data"' in page[: page.index("data-bundle")].rpartition("<form")[2]
    kept = json.dumps({"files": files}, ensure_ascii=False).encode()
    data, kind = parts("kept", kept)
    phone = pocket.phones[first]
    answer = phone.post(f"/t/{pocket.id}/{first}/another/bundle.json", data=data, content_type=kind)
    assert answer.status_code == 200
    assert len(json.loads(answer.data)["files"]) == 201, "those of the table come on top"
    data, kind = parts('file"; filename="all.json', answer.data)
    taken = pocket.app.test_client().post("/import", data=data, content_type=kind)
    assert taken.status_code == 200
    assert "Deck 199" in taken.text


@pytest.mark.parametrize("kept", ["no", "[]", '{"files": 1}', '{"favourites": [{"name": "x", "n": "q"}]}', '{"a": 1}'])
def test_what_a_phone_says_that_it_keeps_is_looked_at(pocket: Table, kept: str) -> None:
    answer = pocket.post(seats(pocket)[0], "/another/bundle.json", kept=kept)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "Another table like this" in words(answer.text)


def renamed(what: Any) -> str:
    return written(msgspec.structs.replace(what, sample=False, name="Of our own"))


@pytest.mark.parametrize(
    ("game", "action", "text"),
    [
        ("history_of_war", "load_deck", renamed(HISTORY["blue_sample"])),
        ("tactics_2gm", "load_deck", renamed(TACTICS["allies_sample"])),
        ("tactics_2gm", "load_terrain", renamed(TERRAIN)),
        ("pocket_tactics", "load_deck", renamed(FACTIONS["wildkin_sample"])),
        ("pocket_tactics", "load_bag", renamed(BAG)),
    ],
)
def test_what_each_game_takes_as_a_file_comes_along_and_is_taken_again(
    app: Flask, game: str, action: str, text: str
) -> None:
    table = Table(app, game)
    first, _ = seats(table)
    table.act(first, action=action, text=text)
    (file,) = sent(table, first)["files"]
    assert (file["game"], file["action"], file["name"]) == (game, action, "Of our own")
    other = Table(app, game)
    other.act(seats(other)[0], action=action, text=file["text"])
    assert sent(other, seats(other)[0])["files"] == [file]

"""Pictures of people's own: they come with a form, and are sent to a seat whose view names them and to nobody else."""

from __future__ import annotations

import random
import re
import shutil
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games.free_table.game import GAME as FREE
from companion.games.history_of_war.game import GAME
from companion.kit.game import SCREEN
from companion.kit.pictures import LARGEST
from companion.table.pictures import header
from companion.table.store import Store
from companion.table.tables import Tables
from companion.web.guard import LARGEST_BODY, LARGEST_PHOTO, largest
from companion.web.play.targets import action_query
from tests.support.phones import Table, words
from tests.support.pictures import changing, name_of, naming, png, put_on
from tests.support.twins import MOMENT, OF_THE_API, PAGES, Luck, Twin

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from companion.kit.action import Offer

CHOSEN = {"blue": "t0,t2", "red": "t1,t3"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"history_of_war": GAME, "free_table": FREE})
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    table = Table(app, "history_of_war")
    for seat in CHOSEN:
        table.act(seat, action="use_sample", sample=f"{seat}_sample")
    return table


def filled(offer: Offer) -> dict[str, Any]:
    """What a browser sends of a form in which nothing was changed."""
    values = {f"f.{field.name}": field.value for field in offer.fields if field.value not in (None, ())}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def change(
    table: Table, file: bytes | None, called: str = "photo.png", /, *, htmx: bool = False, **more: str
) -> TestResponse:
    """Send the form of Blue's first unit, with a picture or without one."""
    offer = changing(table.tables, table.id, "blue", "u0")
    fields = filled(offer) | {
        "do": action_query(offer),
        "planned": "1",
        **{f"f.{name}": value for name, value in more.items()},
    }
    return sent(table, fields, file, called, htmx=htmx)


def sent(
    table: Table, fields: dict[str, Any], file: bytes | None = None, called: str = "", *, htmx: bool = False
) -> TestResponse:
    """Send a form as browsers do that holds a file; the client of Flask leaves a large one open."""
    pairs = [(name, one) for name, value in fields.items() for one in (value if isinstance(value, list) else [value])]
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in [*pairs, ("key", name_of(file or b"")[:9])]]
    if file is not None:
        parts.append(f'name="photo.picture"; filename="{called}"\r\nContent-Type: image/png\r\n\r\n'.encode() + file)
    body = b"".join(b"--a-part\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--a-part--"
    return table.phones["blue"].post(
        f"/t/{table.id}/blue/act",
        data=body,
        content_type="multipart/form-data; boundary=a-part",
        headers={"HX-Request": "true"} if htmx else {},
    )


def picture_of(table: Table, seat: str = "blue", on: str = "u0") -> str:
    offer = changing(table.tables, table.id, seat, on)
    return str(next(field.value for field in offer.fields if field.kind == "picture"))


def test_a_picture_comes_with_the_form_and_stands_in_it_again(table: Table) -> None:
    assert picture_of(table) == ""
    assert change(table, png()).status_code == 303
    name = name_of(png())
    assert picture_of(table) == name
    page = table.get("blue", "/plan?do=action%3Dedit_unit%26card%3Du0").text
    assert f'<img src="/t/{table.id}/blue/picture/{name}"' in page
    assert 'enctype="multipart/form-data"' in page
    assert 'accept="image/*"' in page
    # Nothing chosen keeps it, as a browser sends that: a file without a name.
    change(table, b"", "")
    assert picture_of(table) == name
    change(table, png(seed=2))
    assert picture_of(table) == name_of(png(seed=2))


def test_a_picture_is_taken_away_by_its_tick(table: Table) -> None:
    change(table, png())
    offer = changing(table.tables, table.id, "blue", "u0")
    page = table.get("blue", "/plan?do=action%3Dedit_unit%26card%3Du0").text
    assert re.search(r'<input type="checkbox" id="[^"]*-away" name="f.picture" value="">', page)
    fields = filled(offer) | {"f.picture": [picture_of(table), ""], "do": action_query(offer), "planned": "1"}
    assert sent(table, fields, b"").status_code == 303
    assert picture_of(table) == ""


@pytest.mark.parametrize("htmx", [True, False])
def test_what_no_phone_has_made_small_is_refused_in_words_and_the_form_stays(table: Table, htmx: bool) -> None:
    answer = change(table, png(1200, 900, noisy=True), htmx=htmx, text="Half written")
    assert answer.status_code == 413
    size = -(-len(png(1200, 900, noisy=True)) // 1000)
    assert size > LARGEST_BODY // 1000
    assert f"This picture has {size} kB: choose one of 40 kB at most" in words(answer.text)
    assert "Half written" in answer.text
    assert 'class="field brought is-wrong"' in answer.text
    assert picture_of(table) == ""


def test_it_is_refused_in_spanish_too(table: Table) -> None:
    table.phones["blue"].get("/?lang=es")
    answer = change(table, b"GIF89a" + b"\0" * 20)
    assert answer.status_code == 400
    assert "Esto no es una imagen: elige un archivo PNG, JPEG o WebP." in words(answer.text)
    answer = change(table, png() + b"\0" * LARGEST)
    assert "o un móvil cuyo navegador la reduzca." in words(answer.text)


def test_only_where_a_picture_may_come_more_is_read(table: Table) -> None:
    assert largest(f"/t/{table.id}/blue/act") == LARGEST_PHOTO
    for path in ("/t/x/blue/answer", "/t/x/act", "/t/x/blue/act/", "/act", "/t/x/blue/y/act"):
        assert largest(path) == LARGEST_BODY
    typed = table.post("blue", "/act", do="x" * (LARGEST_BODY + 1))
    assert typed.status_code == 413
    assert change(table, b"\0" * (LARGEST_PHOTO + 1)).status_code == 413


def test_a_picture_is_sent_for_good_as_what_it_is(table: Table) -> None:
    change(table, png())
    answer = table.get("blue", f"/picture/{name_of(png())}")
    assert (answer.status_code, answer.data, answer.content_type) == (200, png(), "image/png")
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    again = table.get("blue", f"/picture/{name_of(png())}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def nobody_sees(table: Table, name: str, *seats: str) -> None:
    """These seats are told the same of a picture as of one that there is not."""
    for seat in seats:
        there, none = (table.get(seat, f"/picture/{digest}") for digest in (name, "0" * 64))
        assert (there.status_code, none.status_code) == (404, 404), seat
        assert there.text.replace(name, "") == none.text.replace("0" * 64, ""), seat
        assert [*there.headers] == [*none.headers]


def test_a_picture_is_shown_to_whose_view_names_it(table: Table) -> None:
    name = put_on(table.tables, table.id, "blue", "u0", png())
    assert table.get("blue", f"/picture/{name}").status_code == 200
    nobody_sees(table, name, "red", "rulekeeper", SCREEN)
    stranger = table.app.test_client()
    refused = [stranger.get(f"/t/{table.id}/blue/picture/{digest}") for digest in (name, "0" * 64)]
    assert [one.status_code for one in refused] == [404, 404]
    assert refused[0].text.replace(name, "") == refused[1].text.replace("0" * 64, "")
    # Another table names it too, and that changes nothing here.
    other = Table(table.app, "history_of_war")
    other.act("red", action="use_sample", sample="red_sample")
    put_on(other.tables, other.id, "red", "u0", png())
    nobody_sees(table, name, "red", "rulekeeper", SCREEN)
    assert table.get("blue", f"/picture/{'z' * 64}").status_code == 404


def test_where_a_picture_that_is_seen_is_missing_nothing_lies_over_the_sign(table: Table) -> None:
    name = put_on(table.tables, table.id, "blue", "u0", png())
    with table.tables.store.write() as db:
        db._run("delete from pictures where digest = ?", (name,))
    answer = table.get("blue", f"/picture/{name}")
    assert (answer.status_code, answer.content_type, answer.headers["Cache-Control"]) == (404, "image/png", "no-store")
    size = header(answer.data)
    assert size is not None
    assert (size.width, size.height) == (1, 1)
    nobody_sees(table, name, "red", "rulekeeper", SCREEN)
    assert table.get("red", f"/picture/{name}").content_type != "image/png"
    token = {"Authorization": f"Bearer {table.tokens['blue']}"}
    told = table.app.test_client().get(f"/api/tables/{table.id}/pictures/{name}", headers=token)
    assert (told.status_code, told.is_json) == (404, True), "a script is told so"


def begun(table: Table) -> None:
    for seat in CHOSEN:
        table.act(seat, action="ready")
    for seat, chosen in CHOSEN.items():
        table.tables.answer(table.id, seat, {"value": chosen}, f"chosen-{seat}")
    for seat in CHOSEN:
        table.act(seat, action="keep")


def enter(tables: Tables, table: str, seat: str, number: str) -> None:
    """Put a card into play."""
    path = f"cards.{seat}.enter"
    field = next(one.field for one in tables.tracked(table, seat) if one.path == path)
    code = next(option.value for option in field.options if option.value.startswith(f"{number}."))
    tables.correct(table, seat, path, code, f"enter-{seat}-{number}")


def test_a_picture_is_seen_by_all_once_its_card_lies_open(table: Table) -> None:
    name = put_on(table.tables, table.id, "blue", "u0", png())
    unseen = put_on(table.tables, table.id, "blue", "u1", png(seed=2))
    begun(table)
    for seat in ("red", "rulekeeper", SCREEN):
        assert name not in table.get(seat).text
    nobody_sees(table, name, "red", "rulekeeper", SCREEN)
    enter(table.tables, table.id, "blue", "u0")
    for seat in ("blue", "red", "rulekeeper", SCREEN):
        assert f'src="/t/{table.id}/{seat}/picture/{name}"' in table.get(seat).text
        assert table.get(seat, f"/picture/{name}").data == png()
    nobody_sees(table, unseen, "red", "rulekeeper", SCREEN)


def test_twins_that_differ_in_a_hidden_picture_look_the_same_to_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "1" / "tables.sqlite")
    tables = Tables(store, {"history_of_war": GAME}, random.Random(1), now=lambda: MOMENT)
    made = tables.create("history_of_war", "", {}, {})
    tokens = {**made.tokens, **{seat: tables.join(made.table, seat, seat) for seat in CHOSEN}}
    for seat in CHOSEN:
        tables.act(made.table, seat, {"action": "use_sample", "sample": f"{seat}_sample"}, f"deck-{seat}")
    store.close()
    shutil.copytree(tmp_path / "1", tmp_path / "2")
    pictures, both = (png(seed=1), png(60, 50, seed=2)), []
    for folder, data in zip(("1", "2"), pictures, strict=True):
        luck = Luck(1)
        luck.swap, luck.soon, luck.late, luck.wait = {}, "", "", 99
        both.append(twin := Twin(GAME, tmp_path / folder, made.table, tokens, luck))
        put_on(twin.tables, twin.id, "blue", "u0", data, key="photo")
    names = [name_of(data) for data in pictures]

    def alike() -> None:
        for seat in ("red", "rulekeeper", SCREEN):
            for tongue in ("es", "en"):
                asked = [*PAGES, *(f"/picture/{name}" for name in names)]
                for path in asked:
                    one, two = (twin.page(seat, path, tongue) for twin in both)
                    assert one == two, (seat, path)
                    assert path.startswith("/picture/") or not any(name in one for name in names)
            for path in OF_THE_API:
                one, two = (twin.api(seat, path) for twin in both)
                assert one == two, (seat, path)

    alike()
    for twin in both:
        for seat in CHOSEN:
            twin.tables.act(twin.id, seat, {"action": "ready"}, f"ready-{seat}")
        for seat, chosen in CHOSEN.items():
            twin.tables.answer(twin.id, seat, {"value": chosen}, f"chosen-{seat}")
    alike()
    for seat in CHOSEN:
        both[0].tables.act(both[0].id, seat, {"action": "keep"}, f"keep-{seat}")
    enter(both[0].tables, both[0].id, "blue", "u0")
    answers = [both[0].phones["red"].get(f"/t/{both[0].id}/red/picture/{name}") for name in names]
    assert [answer.status_code for answer in answers] == [200, 404]


SEEN = re.compile(r'src="(/t/[^"]+/picture/[0-9a-f]{64})"')


def test_at_the_free_table_a_picture_goes_where_its_card_goes(app: Flask) -> None:
    table = Table(app, "free_table", seats=2)
    table.act("rulekeeper", action="set_deck", which="own", own="Goblin")
    name, seats = name_of(png()), ("player_1", "player_2", "rulekeeper", SCREEN)
    draw = {"action": "set_look", "tracker": "t1", "card": "1", "picture": name}
    table.tables.act(table.id, "player_1", draw, "a-picture", photos=(png(),))

    def who_sees() -> list[str]:
        """Who is shown the picture: it stands in the page of those seats, and is sent to them, and to nobody else."""
        for seat in seats:
            shown = {
                table.phones.get(seat, app.test_client()).get(one).data for one in SEEN.findall(table.get(seat).text)
            }
            assert shown <= {png()}
            paper = table.get(seat, "/print/t1").text  # which cards there are is no secret, of those on paper either
            assert (table.get(seat, f"/picture/{name}").status_code == 200) == bool(shown or SEEN.search(paper)), seat
        return [seat for seat in seats if SEEN.search(table.get(seat).text)]

    assert who_sees() == []
    assert SEEN.findall(table.get("player_2", "/print/t1").text) == [f"/t/{table.id}/player_2/picture/{name}"]
    assert table.get(SCREEN, f"/picture/{name}").status_code == 404
    table.act("player_1", action="draw", tracker="t1", count=1)
    assert who_sees() == ["player_1"]
    (code,) = table.tables.seen(table.id, "player_1").view.panels[1].cards  # type: ignore[union-attr]
    table.act("player_1", action="put", tracker="t1", cards=[code.code], to="table")
    assert who_sees() == [*seats]
    table.act("player_1", action="put", tracker="t1", cards=[code.code], to="discard")
    assert who_sees() == [*seats]
    table.act("player_1", action="gather", tracker="t1")
    assert who_sees() == []


def test_a_script_brings_and_sees_pictures(table: Table) -> None:
    client = table.app.test_client()

    def ask(path: str, seat: str, **sent: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {table.tokens[seat]}"} if seat in table.tokens else {}
        how: dict[str, Any] = {"json": sent, "method": "POST"} if sent else {}
        return client.open(f"/api/tables/{table.id}{path}", headers=headers, **how)

    name, photo = name_of(png()), b64encode(png()).decode()
    action = naming(changing(table.tables, table.id, "blue", "u0"), name)
    wrong = ask("/actions", "blue", action=action, key="wrong", pictures=[b64encode(png(seed=2)).decode()])
    assert (wrong.status_code, wrong.json["field"]) == (400, "pictures")
    wide = ask("/actions", "blue", action=action, key="wide", pictures=[b64encode(png(2000, 8)).decode()])
    assert (wide.status_code, wide.json["field"]) == (400, "picture")
    assert ask("/actions", "blue", action=action, key="none", pictures=["no base64"]).status_code == 400
    done = ask("/actions", "blue", action=action, key="right", pictures=[photo])
    assert done.status_code == 200, done.text
    fields = [field for offer in ask("", "blue").json["offers"] for field in offer["fields"]]
    assert {field["value"] for field in fields if field["kind"] == "picture" and "value" in field} == {"", name}
    shown = ask(f"/pictures/{name}", "blue")
    assert (shown.status_code, shown.data, shown.content_type) == (200, png(), "image/png")
    for seat in ("red", "rulekeeper", SCREEN):
        refused = [ask(f"/pictures/{digest}", seat) for digest in (name, "0" * 64)]
        assert [one.status_code for one in refused] == [404, 404]
        assert refused[0].data == refused[1].data

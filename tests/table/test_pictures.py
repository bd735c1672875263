"""Pictures of people's own: told by their bytes, kept once and with what names them, and no more of them than fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.history_of_war.game import GAME
from companion.kit.pictures import LARGEST, MOST_PICTURES
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table.pictures import WIDEST, check, header, named_in
from companion.table.problem import Problem
from companion.table.store import copy_tables
from tests.support.pictures import changing, damage_pictures, jpeg, name_of, naming, png, put_on, webp
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.tables import Tables

KINDS = {
    "png": png(40, 30),
    "jpeg": jpeg(40, 30),
    "progressive": jpeg(40, 30, 0xC2),
    "lossy": webp("VP8 ", 40, 30),
    "lossless": webp("VP8L", 40, 30),
    "extended": webp("VP8X", 40, 30),
}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path, history_of_war=GAME) as found:
        yield found


def begun(tables: Tables) -> str:
    made = tables.create("history_of_war")
    for seat in ("blue", "red"):
        tables.join(made.table, seat, seat)
        tables.act(made.table, seat, {"action": "use_sample", "sample": f"{seat}_sample"}, f"deck-{seat}")
    return made.table


def rows(tables: Tables) -> int:
    with tables.store.read() as db:
        return int(db._run("select count(*) from pictures", ()).fetchone()[0])


@pytest.mark.parametrize(("name", "kind"), [(name, f"image/{name}") for name in ("png", "jpeg")])
def test_a_picture_is_what_its_bytes_say(name: str, kind: str) -> None:
    assert check(KINDS[name]) == (name_of(KINDS[name]), kind, KINDS[name])


@pytest.mark.parametrize("name", KINDS)
def test_the_size_stands_in_the_header(name: str) -> None:
    found = header(KINDS[name])
    assert found is not None
    assert (found.width, found.height) == (40, 30)


LIES = {
    "words": b"this is no picture",
    "nothing": b"",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "gif": b"GIF89a\x01\0\x01\0" + b"\0" * 30,
    "a page called a PNG": b"\x89PNG\r\n\x1a\n<script>alert(1)</script>" + b" " * 40,
    "a PNG without a size": png(40, 30).replace((40).to_bytes(4, "big"), b"\0\0\0\0", 1),
    "a JPEG without a frame": jpeg(40, 30)[:20] + b"\xff\xd9",
    "a JPEG of codes alone": jpeg(40, 30, 0xC4),
    "sound in a RIFF": b"RIFF" + (60).to_bytes(4, "little") + b"WAVEfmt " + b"\0" * 60,
    "a WebP that is cut": webp("VP8 ")[:-1],
    "a WebP that says it is longer": b"RIFF" + (999).to_bytes(4, "little") + webp("VP8 ")[8:],
    "a WebP of another kind": webp("VP8 ").replace(b"VP8 ", b"ALPH"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_is_no_picture_is_refused(lie: str) -> None:
    with pytest.raises(Problem) as refused:
        check(LIES[lie], "picture")
    assert (refused.value.status, refused.value.field) == (400, "picture")
    assert "PNG, JPEG" in speak(refused.value.text, str)


@pytest.mark.parametrize("data", [*KINDS.values(), png(600, 300), jpeg(600, 300), webp("VP8 ", 600, 300)])
def test_a_picture_that_is_cut_anywhere_has_its_size_or_none(data: bytes) -> None:
    assert {header(data[:at]) for at in range(len(data))} <= {None, header(data)}


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF"]), st.binary(max_size=60))
def test_whatever_follows_a_signature_is_taken_with_a_size_that_may_be_or_refused(begins: bytes, data: bytes) -> None:
    size = header(begins + data)
    if size is not None and 0 < size.width <= WIDEST and 0 < size.height <= WIDEST:
        assert check(begins + data, "picture")
    else:
        with pytest.raises(Problem):
            check(begins + data, "picture")


def test_what_is_too_large_is_told_how_large_it_may_be() -> None:
    data = jpeg() + b"\0" * LARGEST
    assert check(data[:LARGEST])
    with pytest.raises(Problem) as refused:
        check(data[: LARGEST + 1])
    assert refused.value.status == 413
    said = speak(refused.value.text, str)
    assert said == "This picture has 41 kB: choose one of 40 kB at most, or a phone whose browser makes it small."
    for size in ((WIDEST + 1, 8), (8, WIDEST + 1)):
        with pytest.raises(Problem) as wide:
            check(png(*size))
        assert f"{size[0]} × {size[1]}" in speak(wide.value.text, str)
    assert check(png(WIDEST, 8))


def test_a_picture_is_kept_once_however_many_cards_and_tables_name_it(tables: Tables) -> None:
    one, other = begun(tables), begun(tables)
    data = png()
    for table in (one, other):
        for on in ("u0", "u1"):
            assert put_on(tables, table, "blue", on, data) == name_of(data)
    assert (rows(tables), tables.picture(name_of(data))) == (1, ("image/png", data))
    put_on(tables, one, "red", "u0", png(seed=2))
    assert rows(tables) == 2


def test_a_state_holds_the_name_alone(tables: Tables) -> None:
    table = begun(tables)
    with tables.store.read() as db:
        before = db.state(table, tables.version(table)) or ""
    name = put_on(tables, table, "blue", "u0", png(300, 300, noisy=False))
    with tables.store.read() as db:
        after = db.state(table, tables.version(table)) or ""
    assert name in after
    assert len(after) - len(before) < 120


def test_what_is_refused_keeps_no_picture(tables: Tables) -> None:
    table, data = begun(tables), png()
    action = naming(changing(tables, table, "blue", "u0"), name_of(data))
    with pytest.raises(Refusal, match="name"):
        tables.act(table, "blue", action | {"name": " "}, "no-name", photos=(data,))
    with pytest.raises(Problem, match="nothing here names"):
        tables.act(table, "blue", action, "another", photos=(png(seed=2),))
    with pytest.raises(Problem, match="no picture"):
        tables.act(table, "blue", action, "none", photos=(b"no picture",))
    assert rows(tables) == 0


def drawn(name: str, letter: str) -> str:
    """An action card of a roster file with a picture."""
    return f'[[action]]\nname = "{name}"\npicture = "{letter * 64}"'


def test_a_deck_has_so_many_pictures_that_differ_and_no_more(tables: Tables) -> None:
    table = begun(tables)
    assert MOST_PICTURES * LARGEST <= 2_500_000
    units = [
        f'[[unit]]\nname = "U{at}"\ncategory = "air"\ndv = 2\npicture = "{at:064x}"' for at in range(MOST_PICTURES - 2)
    ]
    text = "\n".join(['name = "Full"', *units, drawn("A", "a"), drawn("B", "b")])
    tables.act(table, "blue", {"action": "load_deck", "text": text}, "full")
    again = f"{text}\n{drawn('C', 'b')}"
    tables.act(table, "blue", {"action": "load_deck", "text": again}, "one-twice")
    too_many = f"{again}\n{drawn('D', 'd')}"
    with pytest.raises(Refusal, match="different pictures") as refused:
        tables.act(table, "blue", {"action": "load_deck", "text": too_many}, "too-many")
    assert f"A deck has {MOST_PICTURES} different pictures at most" in speak(refused.value.text, str)
    data = png()
    action = {"action": "edit_action", "name": "E", "picture": name_of(data)}
    with pytest.raises(Refusal) as one_more:
        tables.act(table, "blue", action, "one-more", photos=(data,))
    assert (one_more.value.field, rows(tables)) == ("picture", 0)


def test_a_backup_has_the_pictures(tables: Tables, tmp_path: Path) -> None:
    name = put_on(tables, begun(tables), "blue", "u0", png())
    copy_tables(tmp_path / "tables.sqlite", tmp_path / "copy.sqlite")
    (tmp_path / "there").mkdir()
    (tmp_path / "copy.sqlite").rename(tmp_path / "there" / "tables.sqlite")
    with open_tables(tmp_path / "there", history_of_war=GAME) as others:
        assert others.picture(name) == ("image/png", png())


def test_a_picture_that_was_damaged_is_not_shown_and_can_be_brought_again(tables: Tables) -> None:
    name = put_on(tables, begun(tables), "blue", "u0", png())
    damage_pictures(tables)
    assert tables.picture(name) is None
    assert put_on(tables, begun(tables), "blue", "u0", png()) == name
    assert (tables.picture(name), rows(tables)) == (("image/png", png()), 1)


@pytest.mark.parametrize("written", [f"Orc,1,x,,{'ab' * 32}", f"picture = '{'ab' * 32}'", "ab" * 32])
def test_a_list_names_its_pictures_however_it_is_written(written: str) -> None:
    assert named_in(msgspec.json.encode({"own": written})) == {"ab" * 32}


def test_a_longer_number_names_no_picture() -> None:
    assert named_in(msgspec.json.encode({"own": "ab" * 33})) == frozenset()

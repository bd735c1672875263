"""Texts as long as a file, on a phone: opened from a file of any program, saved as one, and without scripts typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.kit import rosters
from tests.browser.phones import serving
from tests.browser.test_axe import inspect
from tests.support.muster_game import MOST, MUSTER, OURS
from tests.support.sizes import first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

AREA = "#plan [name='f.company']"
HELD = """
const bytes = Blob.prototype.arrayBuffer;
const free = new Promise((go) => { window.free = go; });
Blob.prototype.arrayBuffer = function () { return free.then(() => bytes.call(this)); };
"""
"""Makes the reading of a file wait until the page says ``free()``."""
TABLE = "record;name;strength;family\nroster;Compañía;;\nfighter;Señor;2;\nfighter;Peón;1;foot\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {"muster": MUSTER}) as running:
        yield running


def begin(served: Serving, phone: Phone) -> str:
    """Take a seat at a table of its own, and begin to bring a company; returns the table."""
    table = served.tables.create("muster", "", {}, {}, "app").table
    token = served.tables.join(table, "red", "Ana")
    phone.open(f"{served.address}/s/{table}/red/{token}")
    phone.planned("action%3Dbring").click()
    expect(phone.at(AREA)).to_have_value(rosters.write(OURS))
    return table


def ready(phone: Phone) -> None:
    """Wait until files can be opened: what shows the button may come before its program, or after it."""
    expect(phone.at("html.opens-files")).to_have_count(1)
    expect(phone.at("#plan .of-file")).to_be_visible()


def bring(phone: Phone, name: str, content: bytes) -> None:
    """Choose a file as people can: once the button is there."""
    ready(phone)
    choose(phone, name, content)


def choose(phone: Phone, name: str, content: bytes) -> None:
    phone.at("#plan input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def company(served: Serving, table: str) -> str:
    (field,) = (field for offer in served.tables.seen(table, "red").offers for field in offer.fields)
    return str(field.value)


@pytest.mark.parametrize("coding", first("cp1252", "utf-8", "utf-8-sig", "utf-16"))
def test_a_spreadsheet_is_opened_whatever_its_letters_and_brought(served: Serving, phones: Phones, coding: str) -> None:
    ana = phones("es")
    table = begin(served, ana)
    bring(ana, "Compañía $& 1.csv", TABLE.replace("\n", "\r\n").encode(coding))
    expect(ana.at(AREA)).to_have_value(TABLE)
    expect(ana.at("#plan .field [role=status]")).to_have_text("Compañía $& 1.csv: ya está rellenado.")
    ana.at("#plan .main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert 'name = "Peón"' in company(served, table)


def test_a_file_chosen_before_its_program_came_is_opened_too(served: Serving, phones: Phones) -> None:
    ana = phones("es")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ana.page.route("**/panels.js", hold)
    with ana.page.expect_request("**/panels.js"):
        begin(served, ana)
    expect(ana.at("#plan .of-file")).to_be_hidden()
    choose(ana, "Compañía.csv", TABLE.encode())
    while not held:
        ana.page.evaluate("1")
    for route in held:
        route.continue_()
    expect(ana.at(AREA)).to_have_value(TABLE)
    expect(ana.at("#plan .of-file")).to_be_visible()


def test_what_is_refused_stays_and_can_be_mended(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    table = begin(served, ana)
    bring(ana, "x.csv", TABLE.replace("Peón;1", "Peón;9").encode())
    ana.at("#plan .main").click()
    expect(ana.at("#plan .wrong")).to_contain_text(
        "Row 4 (fighter “Peón”), column “strength”: a whole number from 1 to 6."
    )
    expect(ana.at(AREA)).to_have_value(TABLE.replace("Peón;1", "Peón;9"))
    assert company(served, table) == rosters.write(OURS)
    ana.at(AREA).fill(TABLE)
    ana.at("#plan .main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert 'name = "Peón"' in company(served, table)


def test_what_is_sent_while_its_file_is_read_waits_for_it(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    ana.context.add_init_script(HELD)
    table = begin(served, ana)
    bring(ana, "x.csv", TABLE.encode())
    ana.at("#plan .main").dblclick()
    ana.page.evaluate("free()")
    expect(ana.at("#sheet")).to_be_hidden()
    assert 'name = "Peón"' in company(served, table)
    assert sum(one.startswith("POST") and one.endswith("/act") for one in ana.requests) == 1


def test_a_file_that_can_not_be_read_is_said_and_sends_nothing(served: Serving, phones: Phones) -> None:
    ana = phones("es")
    ana.context.add_init_script(
        "const free = new Promise((_, go) => { window.free = go; });Blob.prototype.arrayBuffer = () => free;"
    )
    table = begin(served, ana)
    before = served.tables.seen(table, "red").version
    bring(ana, "x.csv", TABLE.encode())
    ana.at("#plan .main").click()
    ana.page.evaluate("free()")
    expect(ana.at("#plan .field [role=status]")).to_have_text(
        "x.csv no se puede leer: nada ha cambiado. Guárdalo en otro sitio y ábrelo otra vez."
    )
    expect(ana.at(AREA)).to_have_value(rosters.write(OURS))
    assert served.tables.seen(table, "red").version == before


def test_a_form_that_is_closed_while_its_file_is_read_is_not_sent(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    ana.context.add_init_script(HELD)
    table = begin(served, ana)
    bring(ana, "x.csv", TABLE.encode())
    ana.at("#plan .main").click()
    expect(ana.at("#plan .field [role=status]")).to_have_text("x.csv is being read.")
    ana.at("#sheet .close").click()
    expect(ana.at("#sheet")).to_be_hidden()
    ana.page.evaluate("free()")
    ana.planned("action%3Dbring").click()
    expect(ana.at(AREA)).to_have_value(rosters.write(OURS))
    assert [one for one in ana.requests if one.startswith("POST")] == []
    assert company(served, table) == rosters.write(OURS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (None, "Our-company.toml"),
        (TABLE, "Our-company.csv"),
        ('{"name": "x"}', "Our-company.json"),
        ("record = 1", "Our-company.toml"),
    ],
)
def test_it_is_saved_as_a_file_of_its_kind(served: Serving, phones: Phones, text: str | None, name: str) -> None:
    ana = phones("en")
    begin(served, ana)
    if text is not None:
        ana.at(AREA).fill(text)
    ready(ana)
    with ana.page.expect_download() as saved:
        ana.at("#plan [data-file]").click()
    assert saved.value.suggested_filename == name
    assert saved.value.path().read_text(encoding="utf-8") == (text or rosters.write(OURS))


def test_no_more_of_a_file_is_read_than_the_field_can_hold(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    ana.context.add_init_script(
        "window.read = 0; const bytes = Blob.prototype.arrayBuffer;"
        "Blob.prototype.arrayBuffer = function () { window.read += this.size; return bytes.call(this); };"
    )
    begin(served, ana)
    bring(ana, "huge.txt", b"x" * 5_000_000)
    expect(ana.at(AREA)).to_have_value("x" * (MOST + 1))
    assert ana.page.evaluate("read") == 4 * (MOST + 1)
    ana.at("#plan .main").click()
    expect(ana.at("#plan .wrong")).to_be_visible()


@pytest.mark.sized
def test_both_buttons_are_large_enough_and_nothing_is_wrong_with_the_form(served: Serving, phones: Phones) -> None:
    ana = phones("es")
    begin(served, ana)
    ready(ana)
    buttons = ana.at("#plan .of-file .button").all()
    assert len(buttons) == 2
    for button in buttons:
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    inspect(ana, "file")
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_it_is_typed(served: Serving, phones: Phones) -> None:
    ana = phones("en", scripts=False)
    table = begin(served, ana)
    expect(ana.at(".of-file")).to_be_hidden()
    ana.at(AREA).fill("name = 3")
    ana.at("#plan .main").click()
    expect(ana.at("#plan .wrong")).to_contain_text("Field “name”: words, in quotation marks.")
    ana.at(AREA).fill('name = "Typed"')
    ana.at("#plan .main").click()
    expect(ana.at("#last .headline")).to_contain_text("brings Typed")
    assert company(served, table) == 'name = "Typed"\n'

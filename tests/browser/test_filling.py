"""Long forms on a phone: points are counted, a refusal loses nothing, lists go to other tables and as files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.phones import serving
from tests.browser.test_axe import inspect
from tests.browser.test_board import held, reached
from tests.support.band_game import BAND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {"band": BAND}) as running:
        yield running


def sit(served: Serving, phone: Phone) -> str:
    """Take a seat at a table of its own with a phone; returns the table."""
    table = served.tables.create("band", "", {}, {}, "app").table
    token = served.tables.join(table, "red", "Ana")
    phone.open(f"{served.address}/s/{table}/red/{token}")
    return table


def begin(served: Serving, phone: Phone) -> str:
    """Take a seat, and begin to raise a band."""
    table = sit(served, phone)
    phone.planned("action%3Draise").click()
    expect(phone.at("#plan [name='f.spears']")).to_be_visible()
    return table


def step(phone: Phone, field: str, by: int = 1) -> None:
    phone.at(f".steps:has([name='f.{field}']) [data-step='{by}']").click()


def filled(phone: Phone) -> dict[str, str]:
    boxes = phone.at("#plan .steps input").all()
    band = phone.at("#plan [name='f.band']:checked").input_value()
    return {"band": band} | {(box.get_attribute("name") or "")[2:]: box.input_value() for box in boxes}


def band(phone: Phone, name: str) -> None:
    """Choose another band, and wait for its fields."""
    phone.at(f"#plan [name='f.band'][value='{name}'] + label").click()
    expect(phone.at("#plan output")).to_contain_text({"elves": "18", "dwarves": "12"}[name])


def keep(phone: Phone, name: str) -> None:
    phone.at("#keeping summary").click()
    phone.at("#kept-name").fill(name)
    phone.at("[data-keep]").click()
    expect(phone.at("#keeping [role=status]")).to_have_text(f"{name} is kept on this phone.")


def bring(phone: Phone, content: Any) -> None:
    """Take in a file."""
    text = content if isinstance(content, str) else json.dumps(content)
    with phone.page.expect_file_chooser() as chosen:
        phone.at("#keeping label.button").click()
    chosen.value.set_files({"name": "list.json", "mimeType": "application/json", "buffer": text.encode()})


def notes(served: Serving, table: str) -> list[str]:
    """What was raised at a table, in its log."""
    return [line.headline.say for line in served.tables.report(table, "screen") if line.kind == "action"]


def test_points_are_counted_and_a_refusal_loses_nothing(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    table = begin(served, ana)
    left, over = ana.at("#plan output"), ana.at("#plan .budget .icon")
    expect(left).to_have_text("18 of 18 points left")
    for field in ("mages", "mages", "mages", "archers"):
        step(ana, field)
    expect(left).to_have_text("8 of 18 points left")
    step(ana, "archers", -1)
    step(ana, "archers", -1)
    expect(left).to_have_text("10 of 18 points left")
    expect(over).to_be_hidden()
    ana.at("#plan [name='f.spears']").fill("13")
    expect(left).to_contain_text("\u22123 of 18 points left")
    expect(over).to_be_visible()
    for button in ana.at("#plan [data-step]").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    ana.at("#plan .main").click()
    expect(ana.at("#plan .wrong")).to_contain_text("That costs too much.")
    assert filled(ana) == {"band": "elves", "mages": "2", "archers": "0", "spears": "13"}
    expect(left).to_contain_text("\u22123 of 18")
    assert notes(served, table) == []
    for _ in range(3):
        step(ana, "spears", -1)
    expect(left).to_have_text("0 of 18 points left")
    ana.at("#plan .main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert len(notes(served, table)) == 1


def test_what_is_tapped_while_an_answer_is_on_its_way_is_not_lost(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    table = begin(served, ana)
    with held(ana, "**/plan?*") as waiting:
        ana.at("#plan [name='f.band'][value='dwarves'] + label").click()
        expect(ana.at("#sheet-body")).to_have_attribute("aria-busy", "true")
        for field in ("mages", "spears", "spears"):
            step(ana, field)
    expect(ana.at("#plan output")).to_have_text("7 of 12 points left")
    assert filled(ana) == {"band": "dwarves", "mages": "1", "spears": "2"}
    reached(ana, waiting)
    assert len(waiting) == 1
    ana.at("#plan .main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    assert len(notes(served, table)) == 1


def test_a_list_is_kept_and_chosen_at_another_table(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    begin(served, ana)
    band(ana, "dwarves")
    ana.at("#plan [name='f.spears']").fill("7")
    step(ana, "mages")
    ana.at("#keeping summary").click()
    ana.at("[data-keep]").click()
    expect(ana.at("#keeping [role=status]")).to_have_text("Give it a name first.")
    ana.at("#kept-name").fill("Under the mountain")
    ana.at("#kept-name").press("Enter")
    expect(ana.at("[data-use]")).to_have_text("Under the mountain")

    begin(served, ana)
    ana.at("#plan [name='f.archers']").fill("4")
    step(ana, "spears")
    ana.at("#keeping summary").click()
    ana.at("[data-use]").click()
    expect(ana.at("#keeping [role=status]")).to_have_text("Under the mountain is filled in.")
    assert filled(ana) == {"band": "dwarves", "mages": "1", "spears": "7"}
    expect(ana.at("#plan output")).to_have_text("2 of 12 points left")
    band(ana, "elves")
    assert filled(ana) == {"band": "elves", "mages": "1", "archers": "0", "spears": "7"}

    ana.at("[data-forget]").click()
    expect(ana.at("[data-use]")).to_have_count(1)
    ana.at("[data-forget]").click()
    expect(ana.at("[data-use]")).to_have_count(0)


def test_a_list_goes_to_another_phone_as_a_file(served: Serving, phones: Phones, tmp_path: Path) -> None:
    ana, ben = phones("en"), phones("es")
    begin(served, ana)
    ana.at("#plan [name='f.spears']").fill("7")
    step(ana, "mages")
    keep(ana, "Tall/ones")
    with ana.page.expect_download() as saved:
        ana.at("[data-save]").click()
    assert saved.value.suggested_filename == "Tall-ones.json"
    text = saved.value.path().read_text(encoding="utf-8")
    values = {"band": "elves", "mages": 1, "archers": 0, "spears": 7}
    assert json.loads(text) == {"game": "band", "list": "band", "name": "Tall/ones", "values": values}

    begin(served, ben)
    band(ben, "dwarves")
    ben.at("#keeping summary").click()
    bring(ben, text)
    expect(ben.at("#keeping [role=status]")).to_have_text("Tall/ones: ya está rellenado.")
    assert filled(ben) == {"band": "elves", "mages": "1", "archers": "0", "spears": "7"}
    ben.at("[data-keep]").click()
    expect(ben.at("[data-use]")).to_have_text("Tall/ones")


@pytest.mark.sized
def test_a_file_that_does_not_fit_is_told_and_nothing_is_lost(served: Serving, phones: Phones) -> None:
    ana = phones("es")
    begin(served, ana)
    ana.at("#plan [name='f.spears']").fill("7")
    step(ana, "mages")
    ana.at("#keeping summary").click()
    right = {"game": "band", "list": "band", "name": "x", "values": {}}
    for content, said in (
        (right | {"game": "chess"}, "Esta lista es de otro juego."),
        (right | {"values": {"spears": 99}}, "Spears: un número entero de 0 a 16."),
        (right | {"values": {"dragons": 1}}, "No hay ningún campo llamado dragons."),
        ("no list at all", "Esto no es una lista guardada aquí."),
        ("x" * 100_000, "Esto no es una lista guardada aquí."),
    ):
        bring(ana, content)
        expect(ana.at("#keeping .wrong")).to_have_text(said)
        assert filled(ana) == {"band": "elves", "mages": "1", "archers": "0", "spears": "7"}
    step(ana, "mages")
    expect(ana.at("#plan output")).to_have_text("quedan 3 de 18 puntos")
    inspect(ana, "filling")


def test_no_more_of_a_file_is_read_than_a_list_can_hold(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    ana.context.add_init_script(
        "window.read = 0; const text = Blob.prototype.text;"
        "Blob.prototype.text = function () { window.read += this.size; return text.call(this); };"
    )
    begin(served, ana)
    ana.at("#keeping summary").click()
    longest = {"game": "band", "list": "band", "name": "€" * 3900, "values": {"spears": 7}}
    bring(ana, json.dumps(longest, ensure_ascii=False))
    expect(ana.at("#plan [name='f.spears']")).to_have_value("7")
    bring(ana, "x" * 1_000_000)
    expect(ana.at("#keeping .wrong")).to_be_visible()
    assert 0 < ana.page.evaluate("read") < 40_000


@pytest.mark.parametrize("name", ["Dollars $& more", "$$ and $`"])
def test_a_list_is_called_as_it_was_named_whatever_signs_are_in_its_name(
    served: Serving, phones: Phones, name: str
) -> None:
    ana = phones("en")
    begin(served, ana)
    keep(ana, name)
    expect(ana.at("[data-use]")).to_have_text(name)
    expect(ana.at("[data-forget]")).to_have_attribute("aria-label", f"Forget {name}")
    for _ in range(2):
        ana.at("[data-forget]").click()
    expect(ana.at("#keeping [role=status]")).to_have_text(f"{name} is no longer kept on this phone.")


def test_a_phone_that_keeps_nothing_says_so(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    ana.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    begin(served, ana)
    ana.at("#keeping summary").click()
    ana.at("#kept-name").fill("Mine")
    ana.at("[data-keep]").click()
    expect(ana.at("#keeping [role=status]")).to_contain_text("Save it as a file.")


def test_what_is_typed_in_a_form_of_the_page_outlasts_a_refusal_and_a_change(served: Serving, phones: Phones) -> None:
    ana = phones("en")
    table = sit(served, ana)
    ana.at(".offer > summary").filter(has_text="Camp").click()
    for _ in range(4):
        step(ana, "tents")
    expect(ana.at("#dock output")).to_contain_text("\u22122 of 10")
    ana.at("#dock .offer[open] .main").click()
    expect(ana.at("#refused .wrong")).to_contain_text("That costs too much.")
    served.tables.join(table, "blue", "Ben")
    served.tables.act(table, "blue", {"action": "camp"}, served.key())
    ana.sees(served.tables.version(table))
    expect(ana.at("#dock [name='f.tents']")).to_have_value("4")
    expect(ana.at("#dock output")).to_contain_text("\u22122 of 10")


def test_without_scripts_a_band_is_raised_with_plain_forms(served: Serving, phones: Phones) -> None:
    ana = phones("en", scripts=False)
    table = begin(served, ana)
    expect(ana.at("#plan output")).to_have_text("18 points")
    for away in ("[data-step]", "#keeping"):
        expect(ana.at(away).first).to_be_hidden()
    ana.at("#plan [name='f.band'][value='dwarves'] + label").click()
    ana.at("#plan [name='f.spears']").fill("9")
    ana.page.get_by_text("Show what goes with it").click()
    assert filled(ana) == {"band": "dwarves", "mages": "0", "spears": "9"}
    ana.at("#plan [name='f.spears']").fill("11")
    ana.at("#plan [name='f.mages']").fill("1")
    ana.at("#plan .main").click()
    expect(ana.at("#plan .wrong")).to_contain_text("That costs too much.")
    assert filled(ana) == {"band": "dwarves", "mages": "1", "spears": "11"}
    ana.at("#plan [name='f.spears']").fill("9")
    ana.at("#plan .main").click()
    expect(ana.at("#last .headline")).to_contain_text("raises a band")
    assert len(notes(served, table)) == 1


def test_what_unfolds_at_the_end_of_a_form_comes_out_from_under_its_foot(served: Serving, phones: Phones) -> None:
    phone = phones("en", viewport={"width": 390, "height": 520})
    begin(served, phone)
    phone.at("#keeping summary").click()
    expect(phone.at("#keeping [data-keep]")).to_be_in_viewport()
    foot = "document.querySelector('#plan .foot').getBoundingClientRect().top"
    kept = "document.querySelector('#kept-name').getBoundingClientRect().bottom"
    phone.page.wait_for_function(f"{kept} < {foot}")

"""House-keeping by phone and laptop: a deleted table is told at once and comes back, an end needs two, a file moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from playwright.sync_api import expect

from companion.games.pocket_tactics.cards import FACTIONS
from companion.kit.decks.samples import written
from tests.browser.phones import serving
from tests.browser.test_axe import is_usable, unfold
from tests.browser.test_large_letters import OUT_OF_THE_PAGE, SMALL, enlarge

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

WORDS = {
    "en": {
        "deleted": "This table was deleted",
        "back": "Bring it back",
        "again": "Is it back?",
        "tables": "All tables",
        "wants": "wants to end the table",
        "brings": "What this file brings",
        "text": "Open a file",
    },
    "es": {
        "deleted": "Esta mesa se borró",
        "back": "Recuperarla",
        "again": "¿Ha vuelto ya?",
        "tables": "Todas las mesas",
        "wants": "quiere terminar la mesa",
        "brings": "Lo que trae este archivo",
    },
}
TONGUES = pytest.mark.parametrize("tongue", ["en", "es"])


def fits(phone: Phone) -> None:
    """A page with letters twice as large moves downwards only."""
    enlarge(phone)
    phone.page.reload()
    assert phone.page.evaluate(OUT_OF_THE_PAGE) == []


@TONGUES
def test_phones_of_a_deleted_table_are_told_at_once_and_come_back(served: Serving, phones: Phones, tongue: str) -> None:
    said = WORDS[tongue]
    sitting = served.sit()
    keeper = phones(tongue, viewport=SMALL).open(sitting.link("rulekeeper"))
    ana = phones(tongue, viewport=SMALL, color_scheme="dark").open(sitting.link("white"))
    screen = phones(tongue).open(sitting.page("screen"))
    for phone in (ana, screen):
        expect(phone.at("#state")).to_be_visible()
    keeper.open(sitting.page("rulekeeper", "/settings"))
    keeper.at(
        "summary",
    ).filter(has_text=re.compile("Delete|Borrar")).click()
    is_usable(keeper, f"settings-{tongue}", ())
    keeper.page.set_viewport_size(SMALL)
    keeper.at("button[name='delete']").click()
    for phone in (keeper, ana, screen):
        expect(phone.at("h1")).to_have_text(said["deleted"])
    expect(ana.page.get_by_text(said["back"], exact=True)).to_have_count(0)
    is_usable(ana, f"deleted-{tongue}", (said["deleted"], said["again"]))
    is_usable(keeper, f"deleted-keeper-{tongue}", (said["back"],))
    keeper.page.get_by_text(said["back"], exact=True).click()
    expect(keeper.at("#state")).to_be_visible()
    ana.page.get_by_text(said["again"]).click()
    expect(ana.at("h1")).not_to_have_text(said["deleted"])
    ana.open(sitting.page("white"))
    expect(ana.at("#state")).to_be_visible()


@TONGUES
def test_the_laptop_keeps_house(tmp_path: Path, phones: Phones, tongue: str) -> None:
    said = WORDS[tongue]
    with serving(tmp_path) as served:
        sitting, other = served.sit(), served.free("Ana")
        host = phones(tongue, viewport=SMALL).open(served.host_link)
        host.open(f"{served.address}/tables")
        expect(host.at("h1")).to_have_text(said["tables"])
        unfold(host)
        is_usable(host, f"tables-{tongue}", ())
        host.page.set_viewport_size(SMALL)
        host.at(f"#title-{sitting.table}").fill("La batalla de las Termópilas, tercera noche")
        host.at(f"form:has(#title-{sitting.table}) button").click()
        expect(host.at(f"li:has([href='/t/{sitting.table}']) b").first).to_have_text(re.compile("Termópilas"))
        unfold(host)
        host.at(f"form[action='/tables/{other.table}'] button[name='delete']").click()
        expect(host.at(f"[href='/t/{other.table}']")).to_have_count(0)
        host.at("nav.switch a").nth(2).click()
        expect(host.at(f"form[action^='/tables/{other.table}']")).to_be_visible()
        is_usable(host, f"bin-{tongue}", ())
        host.page.set_viewport_size(SMALL)
        fits(host)
        host.at(f"form[action^='/tables/{other.table}'] button").click()
        expect(host.at(f"form[action^='/tables/{other.table}']")).to_have_count(0)
        host.at("nav.switch a").first.click()
        expect(host.at(f"[href='/t/{other.table}']")).to_be_visible()
        unfold(host)
        assert host.page.evaluate(OUT_OF_THE_PAGE) == []
        guest = phones(tongue, viewport=SMALL).open(f"{served.address}/tables")
        expect(guest.at("main form")).to_have_count(0)
        is_usable(guest, f"tables-guest-{tongue}", (said["tables"],))
        guest.open(f"{served.address}/t/ZZZZZZ")
        is_usable(guest, f"no-table-{tongue}", ())
        guest.at("#code").fill(sitting.table.lower())
        guest.at(".join-code button").click()
        expect(guest.page).to_have_url(f"{served.address}/t/{sitting.table}")


@TONGUES
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_end_of_a_table_needs_another_players_yes(
    served: Serving, phones: Phones, tongue: str, scripts: bool
) -> None:
    said = WORDS[tongue]
    sitting = served.sit().begin()
    keeper = phones(tongue, viewport=SMALL, scripts=scripts).open(sitting.link("rulekeeper"))
    ana = phones(tongue, viewport=SMALL, scripts=scripts).open(sitting.link("white"))
    for answer, ended in (("0", False), ("1", True)):
        keeper.open(sitting.page("rulekeeper", "/settings"))
        keeper.at("details:has(button[name='end']) summary").click()
        keeper.at("button[name='end']").click()
        expect(keeper.at("button[name='end-wish']")).to_be_visible()
        if not scripts:
            ana.open(sitting.page("white"))
        expect(ana.dock.get_by_text(said["wants"])).to_be_visible()
        asks = ana.dock.locator(".ask")
        ana.save(f"end-wish-{tongue}-{scripts}")
        expect(asks.locator("button")).to_have_count(2)
        for button in asks.locator("button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= SMALL["width"]
        asks.locator(f"button[value='{answer}']").click()
        expect(ana.dock.locator(".ask")).to_have_count(0)
        assert sitting.tables.seen(sitting.table, "white").ended == ended


@TONGUES
def test_a_tables_things_go_to_another_laptop_as_one_file(
    tmp_path: Path, served: Serving, phones: Phones, tongue: str
) -> None:
    said = WORDS[tongue]
    made = served.tables.create("pocket_tactics", "Viernes", {}, {}, "app").table
    seat = served.tables.summary(made).people[0].seat
    token = served.tables.join(made, seat, "Ana")
    text = written(msgspec.structs.replace(FACTIONS["bannermen_sample"], sample=False, name="Mis tropas"))
    served.tables.act(made, seat, {"action": "load_deck", "text": text}, "mine")
    ana = phones(tongue, viewport=SMALL).open(f"{served.address}/s/{made}/{seat}/{token}")
    ana.page.evaluate(
        "localStorage.setItem('kept/chesswar/army', JSON.stringify({Horda: {army: 'orcs'}}));"
        "localStorage.setItem('dice/favourites', JSON.stringify([{name: 'Carga', n: '4d6kh3'}]));"
    )
    ana.open(f"{served.address}/t/{made}/{seat}/another")
    is_usable(ana, f"another-{tongue}", ())
    with ana.page.expect_download() as saved:
        ana.at("[data-bundle] button").click()
    file = saved.value.path()
    with serving(tmp_path) as there:
        ben = phones(tongue, viewport=SMALL).open(f"{there.address}/import")
        ben.page.evaluate("localStorage.setItem('kept/chesswar/army', JSON.stringify({Horda: {army: 'goblins'}}))")
        ben.at("#file").set_input_files(file)
        ben.at("form[enctype] button").click()
        expect(ben.at("h1")).to_have_text(said["brings"])
        is_usable(ben, f"bundle-{tongue}", ("Mis tropas", "Horda", "Carga", "Viernes"))
        ben.at("[data-take]").click()
        expect(ben.page).to_have_url(re.compile("/new/pocket_tactics"))
        kept = ben.page.evaluate("JSON.parse(localStorage.getItem('kept/chesswar/army'))")
        assert kept == {"Horda": {"army": "goblins"}, "Horda (2)": {"army": "orcs"}}
        assert ben.page.evaluate("JSON.parse(localStorage.getItem('dice/favourites'))") == [
            {"name": "Carga", "n": "4d6kh3"}
        ]
        # At a table the deck that came along is one tap away.
        table = there.tables.create("pocket_tactics", "", {}, {}, "app").table
        ben.open(f"{there.address}/s/{table}/{seat}/{there.tables.join(table, seat, 'Ben')}")
        ben.planned("action%3Dload_deck").first.click()
        ben.at("#plan .kept-files .kept-lists button").first.click()
        expect(ben.at("#plan textarea")).to_have_value(text)
        ben.save(f"kept-file-{tongue}")
        ben.at("#plan .kept-files > .buttons button").click()
        expect(ben.at("#plan .kept-lists li")).to_have_count(1)


def test_without_scripts_the_file_has_what_the_table_knows(served: Serving, phones: Phones) -> None:
    sitting = served.sit()
    ana = phones("es", scripts=False).open(sitting.link("white"))
    ana.open(sitting.page("white", "/another"))
    with ana.page.expect_download() as saved:
        ana.at("[data-bundle] button").click()
    ana.open(f"{served.address}/import")
    ana.at("#file").set_input_files(saved.value.path())
    ana.at("form[enctype] button").click()
    expect(ana.at("h1")).to_have_text("Lo que trae este archivo")
    ana.at("[data-take]").click()
    expect(ana.page).to_have_url(re.compile("/new/two_cities"))


@pytest.mark.parametrize(("tongue", "words"), [("en", "Saved to your downloads"), ("es", "Guardada en tus descargas")])
def test_whoever_takes_a_copy_reads_what_was_saved(served: Serving, phones: Phones, tongue: str, words: str) -> None:
    sitting = served.sit()
    keeper = phones(tongue, viewport=SMALL).open(sitting.link("rulekeeper"))
    keeper.open(f"{served.address}/t/{sitting.table}/export.json")
    expect(keeper.at("#saved")).to_be_hidden()
    with keeper.page.expect_download() as saved:
        keeper.at("form .button.main").click()
    name = f"companion-{sitting.table}.json"
    assert saved.value.suggested_filename == name
    assert served.tables.import_(saved.value.path().read_bytes()).table != sitting.table
    expect(keeper.at("#saved")).to_be_visible()
    expect(keeper.at("#saved")).to_have_text(f"{words}: {name}")
    keeper.save(f"copy-{tongue}")
    is_usable(keeper, f"copy-{tongue}", ())


@TONGUES
def test_what_is_changed_about_a_table_shows_where_it_was_tapped(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.free()
    keeper = phones(tongue, viewport=SMALL).open(sitting.link("rulekeeper"))
    keeper.open(sitting.page("rulekeeper", "/settings"))
    for name, section in (("pause", "#on-or-off"), ("archive", "#put-away"), ("end", "#on-or-off")):
        if name == "end":
            keeper.at("details:has(button[name='end']) summary").click()
        keeper.at(f"button[name='{name}']").click()
        expect(keeper.at(f"{section} .note")).to_be_in_viewport(ratio=1)
        expect(keeper.at(f"{section} h2")).to_be_in_viewport(ratio=1)
        bar, heading = keeper.at(".top").bounding_box(), keeper.at(f"{section} h2").bounding_box()
        assert bar
        assert heading
        assert heading["y"] > bar["y"] + bar["height"], "it lies under the bar"
        keeper.save(f"settings-{name}-{tongue}")

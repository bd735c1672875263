"""A picture from a phone's camera: made small there, seen on the card, by the others once it lies open."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from companion.games.history_of_war.cards import DECKS
from companion.games.history_of_war.pieces import SEATS
from companion.kit.pictures import LARGEST
from companion.table.pictures import header
from companion.web.play.targets import action_query
from tests.browser.phones import PHONE
from tests.browser.test_axe import is_usable
from tests.browser.test_board import held
from tests.browser.test_history_of_war import CHOSEN, bring, hold, sit
from tests.support.pictures import changing, name_of, png, put_on

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

CAMERA = png(1600, 1200, noisy=True)
"""As large as what a phone's camera takes."""
FIRST, SECOND = DECKS["blue_sample"].unit[:2]


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of what a camera took."""
    path = tmp_path_factory.mktemp("camera") / "IMG_2041.png"
    path.write_bytes(CAMERA)
    return path


def building(served: Serving) -> Sitting:
    """Set a table at which both build their decks."""
    table = sit(served)
    for seat in SEATS:
        table.act(seat, "use_sample", sample=f"{seat}_sample")
    return table


def form(phone: Phone, table: Sitting, on: str) -> Phone:
    """Open the form of a card of Blue's deck, on a page of its own."""
    offer = changing(table.tables, table.table, "blue", on)
    return phone.open(table.page("blue", f"/plan?do={quote(action_query(offer))}"))


def named(table: Sitting, on: str) -> str:
    offer = changing(table.tables, table.table, "blue", on)
    return str(next(field.value for field in offer.fields if field.kind == "picture"))


def is_shown(picture: Locator) -> None:
    """A picture has come, and has been drawn."""
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", value=True)
    expect(picture).not_to_have_js_property("naturalWidth", value=0)


def play(table: Sitting) -> None:
    """Let the game begin, Blue holding two units of which one comes into play."""
    for seat in SEATS:
        table.act(seat, "ready")
    for seat in SEATS:
        table.answer(seat, value=CHOSEN[seat])
    for seat in SEATS:
        table.act(seat, "keep")
    if table.tracked()["game.attacker"] != "blue":
        table.correct("game.attacker", "blue")
    hold(table, "blue", FIRST.name, SECOND.name)
    bring(table, "blue", SECOND.name)


def test_what_a_camera_took_is_made_small_and_seen_on_the_card(served: Serving, phones: Phones, taken: Path) -> None:
    table = building(served)
    ana, ben, screen = phones("en", viewport=PHONE), phones("es", viewport=PHONE), phones("es")
    ana.open(table.link("blue"))
    for on in ("u0", "u1"):
        form(ana, table, on).at("[data-shrink]").set_input_files(taken)
        small = ana.at(".chosen canvas")
        expect(small).to_have_js_property("width", value=480)
        expect(small).to_have_js_property("height", value=360)
        ana.at("#plan button.main").click()
        expect(ana.at("#plan")).to_have_count(0)
    name = named(table, "u0")
    kind, data = table.tables.picture(name) or ("", b"")
    assert kind in {"image/webp", "image/jpeg"}
    assert len(data) <= LARGEST < len(CAMERA)
    made = header(data)
    assert made is not None
    assert max(made.width, made.height) <= 480
    is_shown(form(ana, table, "u0").at(".chosen img"))

    play(table)
    is_shown(ana.open(table.page("blue")).at(".hand .photo").first)
    is_shown(ana.at(".lying .photo").first)
    is_usable(ana, "pictures", ["Deployment area"])
    for phone, seat in ((ben, "red"), (screen, "screen")):
        phone.open(table.link(seat))
        expect(phone.at(".card-face .photo")).to_have_count(0)
        folded = phone.at(".zone.fold:has(.photo)")
        if folded.count():
            folded.locator("summary").first.click()
        is_shown(phone.at(".photo").first)


def test_the_form_in_the_sheet_shows_the_picture_and_changes_it(served: Serving, phones: Phones, taken: Path) -> None:
    table, ana = building(served), phones("es", viewport=PHONE, color_scheme="dark")
    put_on(table.tables, table.table, "blue", "u0", png())
    ana.open(table.link("blue"))
    ana.planned("edit_unit%26card%3Du0").first.click()
    is_shown(ana.at("#sheet .chosen img"))
    is_usable(ana, "picture-form", ["Imagen de la carta"])
    with held(ana, "**/picture.js"):
        ana.open(table.link("blue"))
        ana.planned("edit_unit%26card%3Du0").first.click()
        ana.at("#sheet [data-shrink]").set_input_files(taken)  # before its script has come
    expect(ana.at("#sheet .chosen canvas")).to_be_visible()
    ana.at("#sheet button.main").click()
    expect(ana.at("#sheet #plan")).to_be_hidden()
    ana.answered()
    assert named(table, "u0") not in {"", name_of(png())}


def test_a_picture_is_taken_away_again(served: Serving, phones: Phones) -> None:
    table, ana = building(served), phones()
    put_on(table.tables, table.table, "blue", "u0", png())
    ana.open(table.link("blue"))
    form(ana, table, "u0").at("label[for$='-away']").click()
    ana.at("#plan button.main").click()
    expect(ana.at("#plan")).to_have_count(0)
    assert named(table, "u0") == ""


def test_without_scripts_it_is_told_what_would_do_and_what_is_small_is_taken(
    served: Serving, phones: Phones, taken: Path, tmp_path: Path
) -> None:
    table, ana = building(served), phones("es", scripts=False)
    ana.open(table.link("blue"))
    form(ana, table, "u0").at("[name='f.text']").fill("Escrito a medias")
    ana.at("[type='file']").set_input_files(taken)
    ana.at("#plan button.main").click()
    size = -(-len(CAMERA) // 1000)
    expect(ana.at("#plan .foot")).to_contain_text(f"Esta imagen tiene {size} kB: elige una de 40 kB como máximo")
    expect(ana.at("[name='f.text']")).to_have_value("Escrito a medias")
    assert named(table, "u0") == ""
    (tmp_path / "small.png").write_bytes(png())
    ana.at("[type='file']").set_input_files(tmp_path / "small.png")
    ana.at("#plan button.main").click()
    expect(ana.at("#plan")).to_have_count(0)
    assert named(table, "u0") == name_of(png())


def test_what_no_browser_can_draw_is_refused_in_words(served: Serving, phones: Phones, tmp_path: Path) -> None:
    table, ana = building(served), phones()
    (tmp_path / "words.png").write_bytes(b"this is no picture")
    ana.open(table.link("blue"))
    form(ana, table, "u0").at("[data-shrink]").set_input_files(tmp_path / "words.png")
    expect(ana.at("#plan button.main")).to_be_enabled()
    ana.at("#plan button.main").click()
    expect(ana.at("#plan .foot")).to_contain_text("This is no picture: choose a PNG, JPEG or WebP file.")


def test_where_a_picture_is_missing_its_sign_is_seen(served: Serving, phones: Phones) -> None:
    table = building(served)
    put_on(table.tables, table.table, "blue", "u0", png())
    put_on(table.tables, table.table, "blue", "u1", png(seed=2))
    play(table)
    with table.tables.store.write() as db:
        db._run("delete from pictures where digest in (?, ?)", (name_of(png()), name_of(png(seed=2))))
    ana = phones()
    ana.open(table.link("blue"))
    for photo in (ana.at(".hand .photo").first, ana.at(".lying .photo").first):
        photo.scroll_into_view_if_needed()
        expect(photo).to_have_js_property("complete", value=True)
        expect(photo).to_have_js_property("naturalWidth", value=1)  # a point of nothing: no frame lies over the sign
    ana.wrong[:] = [wrong for wrong in ana.wrong if "404" not in wrong and "picture/" not in wrong]


def test_a_picture_stays_where_the_form_is_refused_for_something_else(
    served: Serving, phones: Phones, taken: Path
) -> None:
    table = building(served)
    ana = form(phones("en", viewport=PHONE).open(table.link("blue")), table, "u0")
    ana.at("[data-shrink]").set_input_files(taken)
    expect(ana.at(".chosen canvas")).to_be_visible()
    other = SECOND if named_card(ana) != SECOND.name else FIRST
    ana.at("[name='f.name']").fill(other.name)
    ana.at("#plan button.main").click()
    expect(ana.at("#plan .wrong").first).to_be_visible()
    expect(ana.at(".chosen canvas")).to_be_visible()
    ana.at("[name='f.name']").fill("A card of my own")
    ana.at("#plan button.main").click()
    expect(ana.at("#plan")).to_have_count(0)
    assert named(table, "u0") != ""


def named_card(phone: Phone) -> str:
    return phone.at("[name='f.name']").input_value()

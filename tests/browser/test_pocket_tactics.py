"""Pocket-Tactics in the browser: whole games of two phones and a shared screen, with the map drawn and on the table."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.gathering import gathered
from tests.browser.phones import WIDE, Sitting
from tests.browser.test_board import middle
from tests.browser.test_hexagons import tile
from tests.browser.test_history_of_war import lying, tap
from tests.browser.test_tactics_2gm import submit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

BAG = 'name = "Meadows"\n[[tile]]\nterrain = "campo"\ncount = 9\n'
"""A bag of one kind: whatever is drawn, the map is the same."""
TILES = ("l1", "n1", "m2", "l2", "n2", "m3", "l3", "n3", "m4")
"""Where the tiles go, one after the other."""
RUNNERS = 'name = "Two"\n[[unit]]\nname = "Runner"\ncopies = 2\naffinities = ["village"]\ncost = 5\nmelee = "2/1"\n'
KEEPER = 'name = "One"\n[[unit]]\nname = "Keeper"\naffinities = ["village"]\ncost = 5\nmelee = "1/1"\n'


def place(state: Sitting, unit: str) -> str:
    """Return where a unit is: a tile or its terrain, the reserve, captured."""
    return str(state.tracked()[f"unit.{unit}:place"]).removeprefix("on.")


@contextmanager
def step(table: Sitting, *phones: Phone) -> Iterator[None]:
    """Let one thing happen at a table, and wait until all these phones show it."""
    for phone in phones:
        phone.settled(table.version)
    before = str(table.version())
    yield
    for phone in phones:
        expect(phone.at("#state")).not_to_have_attribute("data-version", before)
    for phone in phones:
        phone.settled(table.version)


def tap_at(phone: Phone, square: str) -> None:
    """Tap a hexagon in its middle, whatever lies over it."""
    hexagon = tile(phone, square)
    hexagon.scroll_into_view_if_needed()
    phone.page.mouse.click(*middle(hexagon))


def bring(phone: Phone, way: str, name: str, text: str) -> None:
    """Open the form that reads a file, and choose the file."""
    phone.planned(way).first.click()
    phone.at("#plan input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/toml", "buffer": text.encode()}
    )
    expect(phone.at("#plan textarea")).to_have_value(text)
    phone.at("#plan button.main").click()


def answer(phone: Phone, value: str) -> None:
    """Answer a question with one of its buttons."""
    phone.at(f"#dock form[action$='/answer'] button[value='{value}']").click()


def two_phones(
    served: Serving, phones: Phones, map_at: str = "companion", dice: str = "typed"
) -> tuple[Sitting, Phone, Phone, Phone]:
    """Let a laptop make a table, and two phones join by its link; returns both and a shared screen."""
    ruth = phones("en", viewport=WIDE).open(f"{served.address}/new/pocket_tactics")
    ruth.at(f"label[for='dice-{dice}']").click()
    if map_at != "companion":
        ruth.at(f"[name$='map'][value='{map_at}'] + label").click()
    return gathered(served, phones, ruth)


@pytest.mark.long
def test_two_phones_play_from_the_link_to_a_taken_base(served: Serving, phones: Phones) -> None:
    table, ana, ben, screen = two_phones(served, phones)
    take_factions(table, ana, ben)
    build(table, ana, ben, screen)
    set_out(table, ana, ben)
    advance(table, ana, ben, screen)
    fight(table, ana, ben, screen)
    take_the_base(table, ana, ben, screen)


def take_factions(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Take a sample each, bring a bag of one kind, say that both are ready, and throw for who is first."""
    for phone, sample in ((ana, "bannermen_sample"), (ben, "wildkin_sample")):
        with step(table, ana, ben):
            phone.do("action=use_sample", f"sample={sample}").first.click()
        expect(phone.do("action=ready")).to_be_visible()
    ana.at("#tools-bag > summary").click()
    with step(table, ana, ben):
        bring(ana, "action%3Dload_bag", "bag.toml", BAG)
    expect(ben.at("#tracker-bag")).to_contain_text("Meadows")
    for phone in (ana, ben):
        with step(table, ana, ben):
            phone.do("action=ready").click()
    for phone, face in ((ana, 6), (ben, 1)):
        with step(table, ana, ben):
            phone.throw(face)
    assert table.tracked()["game.first"] == "blue"


def build(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Place tile after tile by tapping its hexagon, in turns, and the second base as far away as can be."""
    for at, square in enumerate(TILES):
        placing = (ana, ben)[at % 2]
        with step(table, ana, ben, screen):
            tap_at(placing, square)
        assert f"tile.{square}.terrain" in table.tracked()
        assert table.tracked()[f"tile.{square}.terrain"] == "field"
    with step(table, ana, ben, screen):
        tap_at(ben, "m5")
    assert table.tracked()["base.red"] == "m5"
    for phone in (ana, ben, screen):
        expect(phone.at(".squares .ground")).to_have_count(len(TILES) + 2)


def set_out(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Put three units each as close to the base as can be."""
    for phone, starting in (
        (ana, {"b3.1": "m2", "b2.1": "l1", "b4.1": "n1"}),
        (ben, {"r2.1": "m4", "r0.1": "l3", "r1.1": "n3"}),
    ):
        for unit, square in starting.items():
            with step(table, ana, ben):
                tap(phone, unit, "action=set_out", f"to={square}")
            assert place(table, unit) == square
    assert table.tracked()["game.phase"] == "play"


def advance(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Move a unit of each side, and deploy one."""
    with step(table, ana, ben, screen):
        ana.pick("b3.1")
        tap_at(ana, "m3")
    assert place(table, "b3.1") == "m3"
    for phone in (ana, ben, screen):
        assert middle(phone.at("[id='at-b3.1']"))[0] == pytest.approx(middle(tile(phone, "m3"))[0], abs=1)
    with step(table, ana, ben):
        ben.move("r0.1", "l2")
    assert place(table, "r0.1") == "l2"
    with step(table, ana, ben):
        tap(ana, "b0.1", "action=deploy", "to=m2")
    assert place(table, "b0.1") == "m2"
    with step(table, ana, ben):
        ben.move("r0.1", "l3")


def fight(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Assault from m3 to m4; both sides have re-rolls, by where they stand, and use them one after the other."""
    ana.pick("b3.1")
    tap_at(ana, "m4")
    expect(ana.at("#plan .chart").first).to_be_visible()
    with step(table, ana, ben, screen):
        submit(ana)
    for phone, faces in ((ana, (5, 3, 1)), (ana, (4, 4)), (ben, (6, 2, 1)), (ben, (5, 3, 2))):
        with step(table, ana, ben, screen):
            phone.throw(*faces)
    for phone in (ana, ben, screen):
        expect(phone.at(".duel").locator("visible=true")).to_have_count(2)
    expect(ben.asked).to_have_count(0)
    with step(table, ana, ben, screen):
        answer(ana, "offence.2")
    with step(table, ana, ben, screen):
        ana.throw(6)
    expect(ana.asked).to_have_count(0)
    with step(table, ana, ben, screen):
        answer(ben, "offence.0")
    with step(table, ana, ben, screen):
        ben.throw(1)
    with step(table, ana, ben, screen):
        answer(ben, "pass")
    assert (place(table, "b3.1"), place(table, "r2.1")) == ("m4", "captured")
    expect(screen.at("[id='at-r2.1']")).to_have_count(0)


def take_the_base(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Assault the base from beside it; it defends with three dice."""
    with step(table, ana, ben, screen):
        ben.move("r1.1", "n2")
    ana.pick("b3.1")
    tap_at(ana, "m5")
    with step(table, ana, ben, screen):
        submit(ana)
    with step(table, ana, ben, screen):
        ana.throw(6, 2, 1)
    with step(table, ana, ben, screen):
        ben.throw(5, 4, 3)
    assert table.tracked()["game.winner"] == "blue"
    expect(ana.at("#last .headline")).to_contain_text("Azul")
    for phone in (ben, screen):
        expect(phone.at(".won")).to_contain_text("Blue")
    for phone in (ana, ben):
        expect(phone.do("action=")).to_have_count(0)
    ben.at("#dock a[href$='/report']").click()
    expect(ben.at(".report > li").last).to_contain_text("Blue")


def choose(phone: Phone, unit: str, action: str, **chosen: str) -> None:
    """Open a unit that lies on the table, choose what it does, and fill in the form."""
    lying(phone, unit).locator("summary").first.click()
    lying(phone, unit).locator(f"a[href*='action%3D{action}']").first.click()
    for name, value in chosen.items():
        field = phone.at(f"#plan [name='f.{name}']")
        if field.first.get_attribute("type") == "radio":
            phone.at(f"#plan [name='f.{name}'][value='{value}'] + label").click()
        else:
            field.fill(value)
    submit(phone)


@pytest.mark.long
def test_with_the_map_on_the_table_people_say_where_units_stand(served: Serving, phones: Phones) -> None:
    table, ana, ben, screen = two_phones(served, phones, "table")
    for phone, text in ((ana, RUNNERS), (ben, KEEPER)):
        expect(phone.at("#tracker-bag")).to_have_count(0)
        with step(table, ana, ben):
            bring(phone, "action%3Dload_deck", "army.toml", text)
        with step(table, ana, ben):
            phone.do("action=ready").click()
    for phone, face in ((ana, 6), (ben, 1)):
        with step(table, ana, ben):
            phone.throw(face)
    for phone, unit, terrain in ((ana, "b0.1", "field"), (ana, "b0.2", "hills"), (ben, "r0.1", "village")):
        with step(table, ana, ben, screen):
            choose(phone, unit, "set_out", to=terrain)
        assert place(table, unit) == terrain
    slide(table, ana, ben)
    with step(table, ana, ben):
        choose(ben, "r0.1", "move", to="field")
    win(table, ana, ben, screen)


def slide(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Move onto ice, slip, and say what lies where the unit slides."""
    with step(table, ana, ben):
        choose(ana, "b0.1", "move", to="ice")
    for face in (2, 3):
        with step(table, ana, ben):
            ana.throw(face)
    expect(ben.asked).to_have_count(0)
    with step(table, ana, ben):
        answer(ana, "empty.forest")
    assert place(table, "b0.1") == "forest"
    assert table.tracked()["game.active"] == "red"


def win(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Assault the last enemy unit with a friend beside it, and capture it."""
    with step(table, ana, ben, screen):
        choose(ana, "b0.1", "assault", target="r0.1", attacker_assists="1")
    for phone, faces in ((ana, (4, 2)), (ana, (3,)), (ben, (5,)), (ben, (4,))):
        with step(table, ana, ben, screen):
            phone.throw(*faces)
    with step(table, ana, ben, screen):
        answer(ana, "offence.0")
    with step(table, ana, ben, screen):
        ana.throw(6)
    assert table.tracked()["game.winner"] == "blue"
    expect(ana.at(".won")).to_contain_text("Azul")
    for phone in (ben, screen):
        expect(phone.at(".won h2")).to_have_text("Blue wins")
        expect(phone.at(".won")).to_contain_text("Red's whole army is captured")

"""The sheet to put a game away: whoever has nothing else builds the same position from its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from companion.games import discover
from companion.games.chesswar.armies import ARMIES
from companion.kit.text import Text, speak
from tests.browser.finger import SMALL
from tests.browser.test_stock_takes import MID_GAME, state_of
from tests.browser.walk import RandomTable

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

AREAS = {"Base area": "base", "Deployment area": "deployment"}
READ = """
all => all.flatMap((line) => [...line.querySelectorAll(".thing")].map((thing) => {
  const said = (part, what) => part.querySelector(what)?.textContent.trim().replace(/\\s+/g, " ") ?? "";
  const name = thing.querySelector(".grow")?.cloneNode(true);
  const beside = (what) => {
    const words = name ? said(name, what) : "";
    name?.querySelector(what)?.remove();
    return words;
  };
  const [whose, notes, badge] = [beside(".away"), beside(".noted"), beside(".badge")];
  return [said(line, ".line-name"), said(thing, ".where"), name?.textContent.trim() ?? "", whose.replace(/^, /, ""),
    notes, badge, said(thing, ".hurt"), said(thing, ".how-many")];
}))
"""


class Told(NamedTuple):
    """What a sheet says of one thing, in its words: where it lies, what and whose it is, what else there is to it."""

    line: str
    where: str
    name: str
    whose: str
    notes: str
    badge: str
    hurt: str
    count: str


def sheet(phone: Phone) -> list[Told]:
    """Read the words of a sheet, those of pictures left out."""
    return [Told(*told) for told in phone.at("main > .stock-part .stock-line").evaluate_all(READ)]


def english(game: Any, name: str) -> str:
    said = speak(Text(name), lambda key: game.words.find(key, "en") or key)
    return said[:1].upper() + said[1:]


def laid_out(served: Serving, phones: Phones, name: str, more: int = 0) -> tuple[Any, Any, Any, dict[str, Phone]]:
    seed, played, options = MID_GAME[name]
    game = discover()[name]
    table = RandomTable(served, game, seed, **options)
    table.play(played + more)
    pages = {}
    for seat in table.seats[:2]:
        phone = phones("en", **SMALL).open(table.sitting.link(seat))
        pages[seat] = phone.open(table.sitting.page(seat, "/pack-up"))
    return game, table, state_of(table.sitting), pages


def test_chesswar_is_built_again_from_its_sheet(served: Serving, phones: Phones) -> None:
    game, table, state, pages = laid_out(served, phones, "chesswar")
    page = pages[table.seats[0]]
    sides = {english(game, side): side for side in state.sides}
    armies = {english(game, army): {english(game, kind.id): kind.id for kind in ARMIES[army].unit} for army in ARMIES}
    facts = dict(
        page.at(".facts-of > div").evaluate_all(
            "all => all.map((one) => [...one.children].map((part) => part.textContent.trim()))"
        )
    )
    told = sheet(page)
    built = {
        (one.where, armies[facts[one.whose]][one.name], sides[one.whose], one.badge == "knocked over")
        for one in told
        if one.whose
    }
    assert built == {(unit.square, unit.type, unit.side, unit.down) for unit in state.units if unit.on_board}
    ground = {(square, english(game, kind)) for square, kind in state.terrain.items()}
    assert {(one.where, one.name) for one in told if not one.whose} == ground
    words = page.at("main").inner_text()
    assert f"Round {state.round}" in words
    assert page.at(".phases-of [aria-current]").inner_text().lower() == english(game, state.phase).lower()
    people = {one.seat: one.name for one in table.tables.seen(table.table, "screen").people}
    assert f"{people[state.acting[0]]}'s turn" in words
    for unit in state.units:
        (notes,) = [one.notes for one in told if one.where == unit.square and one.whose] or [""]
        assert "knocked over" not in notes, "that is said already"
        assert ("no spell" in notes) == (unit.locked and unit.on_board), unit


def test_history_of_war_is_built_again_from_its_sheet_but_for_hands(served: Serving, phones: Phones) -> None:
    game, table, state, pages = laid_out(served, phones, "history_of_war", 60)
    page = pages[table.seats[0]]
    told = sheet(page)
    sides = {english(game, seat): seat for seat in table.seats}
    names = {one.id: english(game, state.land(one).name) for one in state.territories}
    built, lying = [], []
    for one in told:
        place, _, side = one.line.partition(" · ")
        if place and one.name and one.name != "nothing" and not one.name.endswith((" TA", " VP")):
            where = AREAS.get(place) or unnumbered(place).removesuffix(": conquered")
            whose = sides[one.whose or side]
            built.append((where, whose, unnumbered(one.name), "locked" in one.notes, markers(one.notes)))
    for card in state.cards:
        name, where = english(game, state.card(card).name), names.get(card.place, card.place)
        lying.append((where, card.seat, name, card.locked, card.markers))
    assert sorted(built) == sorted(lying)
    worth = sorted(
        (unnumbered(one.line).removesuffix(": conquered"), one.name) for one in told if one.name.endswith(" VP")
    )
    assert worth == sorted((names[one.id], f"{state.land(one).victory_points} VP") for one in state.territories)
    counts = {one.name: int(one.count) for one in told if one.count.isdigit()}
    for seat in table.seats:
        deck = state.deck(seat)
        piles = {"depot": deck.depot, "hand": deck.hand, "scrapyard": deck.scrapyard}
        assert all(counts[f"{english(game, seat)}: {pile}"] == len(cards) for pile, cards in piles.items())
    hands = {
        seat: sorted(english(game, state.find_card(seat, code).name) for code in state.deck(seat).hand)
        for seat in table.seats
    }
    for seat, phone in pages.items():
        phone.at("#sealed > summary").tap()
        held = phone.at("#sealed .in-hand li").all_inner_texts()
        assert sorted(text.strip().splitlines()[-1] for text in held) == hands[seat], "one's own, and no other"


def unnumbered(name: str) -> str:
    """A name without what tells it from others that are called so: a number, or whose it is."""
    return re.sub(r" (?:\d+|\(\w+\))(?=$|:)", "", name)


def markers(notes: str) -> int:
    found = re.search(r"entrenched(?: × (\d+))?", notes)
    return int(found[1] or 1) if found else 0

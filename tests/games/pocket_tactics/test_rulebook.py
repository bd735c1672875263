"""The rulebook of Pocket-Tactics is whole, in both languages, and its player aids say what the game does."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from companion.games.pocket_tactics import terrain
from companion.games.pocket_tactics.cards import BAG, FACTIONS, MOST_TYPES, PACKAGE
from companion.games.pocket_tactics.dice import BASE_DICE, MOST_KICKER, Rerolls, hits, windows
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.hazard_lookup import HazardFacts
from companion.games.pocket_tactics.initial_deployment import STARTING
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.sheets import aid, sheets
from companion.games.pocket_tactics.terrain import HAZARDS
from companion.kit.hexes import Hex
from companion.kit.rulebook import Line, Listing, Rulebook, Sheet, load
from companion.kit.text import Text, speak
from tests.support.playing import Scripted

if TYPE_CHECKING:
    from collections.abc import Iterable

BOOK: Rulebook = GAME.rulebook
SHEETS = {sheet.id: sheet for sheet in BOOK.sheet}
LANGUAGES = ("es", "en")


def spoken(text: Text, language: str) -> str:
    return speak(text, lambda key: GAME.words.find(key, language) or key)


def english(text: Text) -> str:
    return spoken(text, "en")


def cells(line: Line) -> tuple[str, ...]:
    return tuple(map(english, line.cells))


def titled(listings: Iterable[Listing], title: str) -> list[tuple[str, ...]]:
    """Read the rows of a listing in English."""
    found = next(part for part in listings if english(part.title) == title)
    return [cells(line) for line in found.line]


@pytest.mark.parametrize(
    ("entries", "ids"),
    [
        (BOOK.clause, [f"PT-{number:02}" for number in range(1, 99)]),
        (BOOK.ruling, [f"PT-A{number:02}" for number in range(1, 48)]),
        (BOOK.example, [f"PT-W{number:02}" for number in range(1, 16)]),
    ],
    ids=["clauses", "rulings", "examples"],
)
def test_every_clause_ruling_and_example_is_told_once(entries: tuple[object, ...], ids: list[str]) -> None:
    assert sorted(entry.id for entry in entries) == ids


def test_everything_is_told_in_both_languages_and_nothing_twice() -> None:
    told = [
        *((entry.es, entry.en) for part in (BOOK.chapter, BOOK.clause, BOOK.ruling, BOOK.example) for entry in part),
        *((one.es_question, one.en_question) for one in BOOK.ruling),
        *((one.es_title, one.en_title) for one in BOOK.example),
    ]
    for es, en in told:
        assert es.strip()
        assert en.strip()
        assert es != en
    for language in zip(*told, strict=True):
        assert [words for words, times in Counter(language).items() if times > 1] == []


def test_what_an_entry_names_is_there() -> None:
    clauses, rulings = ({entry.id for entry in part} for part in (BOOK.clause, BOOK.ruling))
    assert {clause.chapter for clause in BOOK.clause} == {chapter.id for chapter in BOOK.chapter}
    assert {clause.ruling for clause in BOOK.clause} - {None} <= rulings
    assert {clause for example in BOOK.example for clause in example.clauses} <= clauses


def test_every_ruling_is_read_beside_a_clause() -> None:
    beside = {clause.ruling for clause in BOOK.clause}
    named = {ruling.id for ruling in BOOK.ruling for clause in BOOK.clause if ruling.id in clause.es + clause.en}
    assert {ruling.id for ruling in BOOK.ruling} - beside - named == set()


def test_both_languages_name_the_same_clauses() -> None:
    for entry in (*BOOK.clause, *BOOK.ruling, *BOOK.example):
        for name in BOOK.ids():
            assert (name in entry.es) == (name in entry.en), (entry.id, name)


def test_every_option_but_the_map_is_named_by_a_ruling() -> None:
    named = [option for ruling in BOOK.ruling for option in ruling.options]
    assert sorted(named) == sorted(set(Options.__struct_fields__) - {"map"})


def test_what_only_cards_say_is_told() -> None:
    told = {clause.id for clause in BOOK.clause if clause.role == "told"}
    assert {"PT-05", "PT-29", "PT-69"} <= told


def test_a_term_stands_once_and_means_what_the_game_calls_it() -> None:
    terms = {term.id: term for term in BOOK.term}
    assert len(terms) == len(BOOK.term)
    for name in ("forest", "hills", *HAZARDS, "arcane", "ballistic", "magetech", "reserve", "void"):
        es, en = (GAME.words.find(name, language) for language in LANGUAGES)
        assert (es or "?") in terms[name].es
        assert (en or "?") in terms[name].en


def parts(found: object) -> list[Text]:
    """List every text of an aid, those inside others too."""
    match found:
        case Text():
            return [found, *(text for place in found.places.values() for text in parts(place))]
        case tuple():
            return [text for one in found for text in parts(one)]
        case Sheet() | Listing() | Line():
            return [text for name in found.__struct_fields__ for text in parts(getattr(found, name))]
    return []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_an_aid_is_said(language: str) -> None:
    said = {text.say for text in parts((*BOOK.sheet, *BOOK.aid))}
    assert {one for one in said if GAME.words.find(one, language) is None} == set()


@pytest.mark.clause("PT-40", "PT-41")
def test_the_aid_says_which_die_beats_which() -> None:
    told = dict(titled(BOOK.aid[0].listing, "Which die beats which"))
    assert told.pop("Equal") == "Both are taken away: on to the next pair."
    shown = {
        "Red is higher, or left alone": (((5, 4), (5, 3)), ((4, 4), (4,))),
        "Blue is higher, or left alone": (((5, 2), (5, 3)), ((4,), (4, 1))),
        "Nothing is left": (((4,), (4,)), ((6, 2), (6, 2))),
    }
    assert told.keys() == shown.keys()
    for pair, cases in shown.items():
        for red, blue in cases:
            assert told[pair] == ("A hit." if hits(red, blue) else "No hit.")


@pytest.mark.clause("PT-47", "PT-48", "PT-49")
def test_the_aid_has_the_re_rolls_in_the_order_of_the_rules() -> None:
    told = titled(BOOK.aid[0].listing, "Re-rolls in their order")
    both = Rerolls(("defence",), 1)
    order = [
        (window.side, "special abilities" if window.defence else "affinity and assists")
        for window in windows(both, both)
    ]
    assert told == [(str(at), *step) for at, step in enumerate(order, 1)]


@pytest.mark.parametrize("place", ["aid", "sheet"])
def test_the_hazards_are_all_there_with_what_fails(place: str) -> None:
    part = BOOK.aid[0] if place == "aid" else SHEETS["hazards"]
    fails = {tile: faces for tile, faces, _ in titled(part.listing, "Hazard tiles")}
    assert fails == {"cave": "1 to 3", "ice": "1 to 2", "labyrinth": "1 to 3", "swamp": "1 to 3", "water": "1 to 3"}


@pytest.mark.parametrize("tile", HAZARDS)
def test_what_fails_a_hazard_is_one_number_wherever_it_is_said(tile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number in the table, and odds, question, ruling, warning and player aid say that one."""
    assert GAME.numbers[tile] == terrain.TESTS[tile].fails_to
    monkeypatch.setitem(terrain.TESTS, tile, terrain.TESTS[tile]._replace(fails_to=5))
    inside = tile in ("labyrinth", "swamp")
    facts = HazardFacts(here=tile if inside else "harmless", there="harmless" if inside else tile)
    ask = Scripted(6)
    ruling, (tests, *_) = GAME.lookups["hazard"].rule(facts, ask), GAME.lookups["hazard"].charts(facts)
    assert tests.bars[0].chance == Fraction(1, 6)
    assert english(ask.asked[0].why).endswith("6 or more")
    assert english(ruling.reasons[0].text).endswith("(needed: 6 or more)")
    assert all(words in english(tests.reasons[0].text) for words in ("1–5", "83%"))
    assert english(terrain.badge(tile, later=inside).value) == "83%"
    tables = load(PACKAGE, "rulebook.toml", Rulebook, {**GAME.numbers, tile: 5}).listing
    for sheet in (*aid(tables), *sheets(tables)):
        if sheet.id in ("all", "hazards"):
            assert [row[1] for row in titled(sheet.listing, "Hazard tiles") if row[0] == tile] == ["1 to 5"]


def test_the_numbers_of_the_rulebook_are_those_of_the_rules() -> None:
    def says(*ids: str) -> str:
        return " ".join(BOOK.look_up(name).en for name in ids)

    for test in terrain.TESTS.values():
        *first, last = map(str, range(1, test.fails_to + 1))
        assert f"n {', '.join(first)} or {last} " in says(test.clause, test.failed)
    words = dict(enumerate(("no", "one", "two", "three", "four")))
    assert f"{words[BASE_DICE]} dice" in says("PT-67")
    assert f"{words[STARTING]} units" in says("PT-21")
    assert f"{words[MOST_TYPES]} types" in says("PT-03")
    assert f"above {MOST_KICKER}." in says("PT-94")


@pytest.mark.clause("PT-83")
def test_the_directions_are_those_of_the_die_for_both_players() -> None:
    told = titled(SHEETS["hazards"].listing, "Directions")
    here = Hex(0, 0)
    for number, (face, name, first, second) in enumerate(told, 1):
        across, up = here.beyond(number).q, here.beyond(number).height
        assert face == str(number)
        assert name == {0: "", 1: "east", -1: "west"}[across].join(("North" if up > 0 else "South", ""))
        for seen, turned in ((first, 1), (second, -1)):
            assert ("ahead" in seen) == (up * turned > 0)
            assert ("right" in seen, "left" in seen) == (across * turned > 0, across * turned < 0)
    assert len(told) == 6


@pytest.mark.parametrize("name", FACTIONS)
def test_a_sample_faction_has_a_sheet_with_every_unit_and_its_values(name: str) -> None:
    rows = titled(SHEETS[name].listing, "Units")
    assert [row[:4] + row[5:] for row in rows] == [
        (english(Text(card.name)), str(card.cost), card.melee, card.ballistic, str(card.copies))
        for card in FACTIONS[name].unit
    ]
    thirds = [row[4] for row in rows]
    assert thirds == [
        f"{english(Text(card.third))} {card.third_skill}" if card.third else "–" for card in FACTIONS[name].unit
    ]


def test_the_sheet_of_a_faction_says_what_is_written_on_a_card() -> None:
    lines = {cells(line)[0]: line.more for name in FACTIONS for line in SHEETS[name].listing[0].line}
    more = {name: english(text) for name, text in lines.items() if text}
    assert more["Ember mage"] == "reach 2 with arcane, affinity: hills, human, mage"
    assert more["Shield captain"].startswith("affinity: village, human, leader, Cover: ")
    assert more["Blade guard"] == "affinity: field, hills, human, soldier"


def test_the_sheet_of_the_tiles_counts_the_sample_bag() -> None:
    rows = titled(SHEETS[BAG.name].listing, "Terrain")
    assert {name: int(count) for name, count in rows} == {english(Text(tile.terrain)): tile.count for tile in BAG.tile}
    assert sum(int(count) for _, count in rows) == 20

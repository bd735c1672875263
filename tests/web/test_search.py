"""The search over the rulebooks: what people type finds what they mean and can not break it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kit.rulebook import Chapter, Clause, Example, Line, Listing, Rulebook, Sheet
from companion.kit.text import Text, Words, say
from companion.web.rules import search
from companion.web.rules.search import Hit, Search, words
from tests.support.duel_game import RULEBOOK

SEARCH = Search({"duel": RULEBOOK})


def about(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.about for hit in hits]


@pytest.mark.parametrize("typed", ["dragón", "DRAGON", "drag", "hiere dragon", "dragones", '"dragon', "<dragon>"])
def test_words_are_found_by_their_beginning_with_or_without_accents(typed: str) -> None:
    assert about(SEARCH.find(typed, "es")) == ["DUEL-1"]


def test_an_identifier_finds_its_entry_first() -> None:
    assert about(SEARCH.find("DUEL-1", "es"))[0] == "DUEL-1"
    assert about(SEARCH.find(" duel-q1 ", "en"))[0] == "DUEL-Q1"
    assert about(SEARCH.find("duel2", "en"))[0] == "DUEL-2"
    assert set(about(SEARCH.find("duel", "en"))) == {"DUEL-1", "DUEL-2", "DUEL-Q1", "DUEL-E1"}


def test_a_letter_that_stands_everywhere_is_found_without_reading_all_entries_for_each() -> None:
    asked = {"query": '"a"*', "language": "en", "game": "duel", "on": "<", "off": ">", "most": 20}
    plan = [row["detail"] for row in SEARCH._db.query(f"explain query plan {search._FIND}", asked)]
    assert any(detail.startswith("SEARCH entries USING INTEGER PRIMARY KEY") for detail in plan)


def test_all_words_must_be_there() -> None:
    assert about(SEARCH.find("nobody armour", "en")) == ["DUEL-2"]
    assert SEARCH.find("nobody sixes", "en") == ()


def test_the_other_language_is_searched_when_the_readers_has_nothing() -> None:
    (hit,) = SEARCH.find("nobody", "es")
    assert (hit.about, hit.language) == ("DUEL-2", "en")
    assert SEARCH.find("espada", "es")[0].language == "es"


def test_what_was_found_is_marked_and_the_words_stay_whole() -> None:
    (hit,) = SEARCH.find("dragon hiere", "es")
    assert "".join(piece for piece, _ in hit.text) == RULEBOOK.clause[0].es
    assert [piece for piece, found in hit.text if found] == ["hiere", "dragón"]


def test_terms_are_found() -> None:
    hits = SEARCH.find("espada", "es")
    assert hits[0].kind == "term"
    assert hits[0].title == (("espada", True),)


@pytest.mark.parametrize("typed", ["", "   ", "🐉", '"', "'; drop table entries; --", "*", "(((", "\0", "x" * 10_000])
def test_odd_words_find_nothing_and_break_nothing(typed: str) -> None:
    assert SEARCH.find(typed, "es") == ()


@given(st.text())
def test_any_text_can_be_searched(typed: str) -> None:
    SEARCH.find(typed, "es")


def test_no_more_than_two_thousand_letters_are_read() -> None:
    assert words("x " * 1000 + "king") == ["x"] * 1000


@given(st.lists(st.sampled_from(['"', "*", "^", "NEAR(", ")", "AND", "NOT", ":", "-", "+", "{", "}", "a", "Ж", "1"])))
def test_the_language_of_the_index_is_not_spoken(typed: list[str]) -> None:
    SEARCH.find(" ".join(typed), "en")
    SEARCH.find("".join(typed), "en")


def test_no_rulebooks_find_nothing() -> None:
    assert Search({}).find("dragon", "es") == ()
    assert Search({"empty": Rulebook()}).find("dragon", "es") == ()


def book(prefix: str, *texts: tuple[str, str]) -> Rulebook:
    """Write a rulebook of clauses, numbered, with their English and Spanish texts."""
    clauses = (
        Clause(id=f"{prefix}-{at:02}", chapter="all", role="told", sure="stated", en=english, es=spanish)
        for at, (english, spanish) in enumerate(texts, start=1)
    )
    return Rulebook(chapter=(Chapter(id="all", en="All", es="Todo"),), clause=tuple(clauses))


SHELF = Search(
    {
        "land": book(
            "LAND",
            ("Cities stop a formation, as in SEA-02 and LAND-02.", "La ciudad corta una formación."),
            ("A city has walls.", "La ciudad tiene murallas y un árbol."),
        ),
        "sea": book(
            "SEA",
            ("A harbour; a harbour may be a city.", "Un puerto, y otro puerto; un puerto puede ser ciudad."),
            ("Walls do not float: LAND-01.", "Las murallas no flotan."),
        ),
    }
)


@pytest.mark.parametrize("typed", ["LAND-02", "land-2", "Land 2", "land2", " land_02 ", "LAND02", "LAND - 02"])
def test_an_identifier_is_found_first_however_it_is_typed(typed: str) -> None:
    for first in ("land", "sea"):
        assert about(SHELF.find(typed, "en", first=first))[0] == "LAND-02"
        assert SHELF.find(typed, "en")[0].name == (("LAND-02", True),)


def test_a_number_finds_the_rule_of_that_number_in_every_game_the_readers_own_first() -> None:
    assert [hit.about for hit in SHELF.find("2", "es", first="sea") if hit.name[0][1]] == ["SEA-02", "LAND-02"]
    assert [hit.about for hit in SHELF.find("02", "es", first="land") if hit.name[0][1]] == ["LAND-02", "SEA-02"]


def test_hits_come_game_by_game_the_readers_own_first() -> None:
    assert about(SHELF.find("city", "en", first="land"))[0].startswith("LAND")
    assert about(SHELF.find("city", "en", first="sea"))[0] == "SEA-01"
    games = [hit.game for hit in SHELF.find("ciudad", "es", first="sea")]
    assert games == sorted(games, reverse=True)
    assert set(games) == {"land", "sea"}


def test_without_a_game_of_ones_own_that_of_the_best_hit_comes_first() -> None:
    assert about(SHELF.find("puerto", "es"))[0] == "SEA-01"
    assert about(SHELF.find("harbour city", "en")) == ["SEA-01"]
    assert SHELF.find("walls", "en")[0].game == "land"


def test_one_game_alone_can_be_searched() -> None:
    assert {hit.game for hit in SHELF.find("city", "en", only="sea")} == {"sea"}
    assert SHELF.find("puerto", "es", only="land") == ()
    assert about(SHELF.find("land-01", "en", only="sea")) == ["SEA-02"]
    assert SHELF.find("city", "en", only="air") == ()


def test_no_entry_is_found_twice() -> None:
    found = about(SHELF.find("LAND-02", "en"))
    assert sorted(found) == ["LAND-01", "LAND-02", "SEA-02"]


@pytest.mark.parametrize(
    ("typed", "tongue", "meant"),
    [
        ("fomation", "en", "formation"),
        ("formasion", "es", "formación"),
        ("FORMACOIN", "es", "formación"),
        ("una formasión", "es", "una formación"),
        ("harbuor", "en", "harbour"),
        ("murayas", "es", "murallas"),
    ],
)
def test_a_misspelt_word_is_replaced_by_the_nearest_one(typed: str, tongue: str, meant: str) -> None:
    assert SHELF.find(typed, tongue) == ()
    assert SHELF.meant(typed, tongue) == meant
    assert SHELF.find(meant, tongue)


@pytest.mark.parametrize(
    "typed",
    ["formation", "form", "arbol", "murallas", "walls", "cities", "xyzzyx", "zz", "99", "", "ñ", "harbuor", "cty"],
)
def test_words_that_are_known_or_like_none_stay_as_they_are(typed: str) -> None:
    assert SHELF.meant(typed, "es") is None


def test_plurals_find_the_singular() -> None:
    assert "SEA-01" in about(SHELF.find("cities", "en", only="sea"))
    assert about(SHELF.find("harbours", "en")) == ["SEA-01"]
    assert about(SHELF.find("puertos", "es")) == ["SEA-01"]


def test_examples_come_after_what_they_show() -> None:
    example = Example(id="DUEL-E9", clauses=(), en_title="Sword", es_title="", en="Sword, sword, sword.", es="")
    shelf = Search({"duel": msgspec.structs.replace(RULEBOOK, example=(example,))})
    assert about(shelf.find("sword", "en"))[-1] == "DUEL-E9"


def test_some_of_the_words_are_enough_when_asked_for() -> None:
    assert SHELF.find("harbour walls", "en") == ()
    assert set(about(SHELF.find("harbour walls", "en", some=True))) == {"SEA-01", "SEA-02", "LAND-02"}
    assert about(SHELF.find("puerto de la luna", "es", some=True)) == ["SEA-01"]
    assert SHELF.find("de la", "es", some=True) == ()


def test_a_card_is_found_by_its_suit() -> None:
    shelf = Search({"cards": book("CARD", ("Ten hearts.", "Diez."), ("The ten (10♠) wins.", "El diez (10♠) gana."))})
    for typed in ("10♠", "(10♠)"):
        assert about(shelf.find(typed, "es")) == ["CARD-02"]
    assert shelf.find("10♥", "es") == ()


SHEET = Sheet(
    id="fleet",
    title=say("Fleet"),
    listing=(
        Listing(
            title=say("Ships"),
            columns=(say("Ship"), say("Guns")),
            line=(Line(cells=(Text("galleon"), say("20")), more=say("Slow.")), Line(cells=(say("Sloop"), say("8")))),
        ),
    ),
)
WORDS = Words({"galleon": {"en": "Galleon", "es": "Galeón"}}, {"Fleet": {"es": "Flota"}, "Guns": {"es": "Cañones"}})


@pytest.mark.parametrize(
    ("typed", "language", "name", "title", "text"),
    [
        ("galeon", "es", "Flota", "Galeón", "Cañones: 20 · Slow."),
        ("galleons", "en", "Fleet", "Galleon", "Guns: 20 · Slow."),
        ("fleet sloop", "en", "Fleet", "Sloop", "Guns: 8"),
    ],
)
def test_a_line_of_a_player_aid_is_found(typed: str, language: str, name: str, title: str, text: str) -> None:
    shelf = Search({"sea": Rulebook(sheet=(SHEET,))}, {"sea": WORDS})
    (hit,) = shelf.find(typed, language)
    assert (hit.kind, hit.about) == ("sheet", "fleet")
    said = ["".join(piece for piece, _ in part) for part in (hit.name, hit.title, hit.text)]
    assert said == [name, title, text]


@given(st.text(max_size=300))
def test_any_text_can_be_corrected(typed: str) -> None:
    SHELF.meant(typed, "es")

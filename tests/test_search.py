"""The search over the rulebooks: what people type finds what they mean and can not break it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kit.rulebook import Rulebook
from companion.web.search import Hit, Search
from tests.duel import RULEBOOK

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


@given(st.lists(st.sampled_from(['"', "*", "^", "NEAR(", ")", "AND", "NOT", ":", "-", "+", "{", "}", "a", "Ж", "1"])))
def test_the_language_of_the_index_is_not_spoken(typed: list[str]) -> None:
    SEARCH.find(" ".join(typed), "en")
    SEARCH.find("".join(typed), "en")


def test_no_rulebooks_find_nothing() -> None:
    assert Search({}).find("dragon", "es") == ()
    assert Search({"empty": Rulebook()}).find("dragon", "es") == ()

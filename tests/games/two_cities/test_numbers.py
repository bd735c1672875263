"""A number of the rules stands in one place, and every sentence and clause that says it says that one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.two_cities import combat, hand
from companion.games.two_cities.combat import CLOSEST_SHOT, Facts, check_attack, dice_terms
from companion.games.two_cities.components import CARDS, MOST_DICE, TERRAIN
from companion.games.two_cities.fight import DRIVES, FAILS, FARTHEST, STRIKES, SUCCEEDS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import BESIDE_A_CITY
from companion.games.two_cities.state import HAND
from companion.games.two_cities.turn import LEAVES, STAYS
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support.altered_games import altered, check_said
from tests.support.two_cities_positions import CITIES, choosing

if TYPE_CHECKING:
    from pathlib import Path


SPELT = {
    "en": {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    "es": {"dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6},
}
SAID = {
    "hand": (
        (HAND,),
        ("{side} is dealt three cards", "Shuffle and deal three cards each"),
        ("TTC-13", "TTC-15", "TTC-68"),
    ),
    "deck": ((HAND, len(CARDS)), ("Shuffle the 24 cards and deal three to each player, White first",), ()),
    "cards": ((len(CARDS),), (), ("TTC-26",)),
    "dice": (
        (MOST_DICE,),
        (
            "never more than six",
            "Limit of six dice under Phalanx only",
            "Only heavy infantry under Phalanx stops at six dice.",
        ),
        ("TTC-51", "TTC-Q17"),
    ),
    "evasion": (
        SUCCEEDS,
        (
            "Evasion: 4, 5 or 6 succeeds",
            "Evade? On 4, 5 or 6 the attacker rolls half the dice and retreat hits are void",
        ),
        (),
    ),
    "evasion die": ((*SUCCEEDS, *FAILS), (), ("TTC-123",)),
    "evader": ((FARTHEST,), (), ("TTC-126",)),
    "discard roll": (LEAVES, ("Discard roll for {card}: 1 or 2 and it leaves the game",), ()),
    "discard die": ((*LEAVES, *STAYS), (), ("TTC-54",)),
    "terrain": (
        (TERRAIN.count("forest"), TERRAIN.count("hill")),
        (
            "Terrain: two forests and two hills",
            "There are two forests and two hills, no more.",
            "Two forests and two hills are placed before the first turn.",
        ),
        ("TTC-11",),
    ),
    "city": (
        (BESIDE_A_CITY,),
        ("{side}'s city should stand on the edge but not in a corner, beside three squares.",),
        ("TTC-10",),
    ),
    "shot": ((CLOSEST_SHOT,), (), ("TTC-93",)),
    "hit": (
        STRIKES["melee"],
        ("A 1 is a hit: {hits}", "A 2 is a hit in melee: {hits}", "A 2 does nothing at range"),
        (),
    ),
    "retreat hit": (
        (DRIVES,),
        (
            "A 6 is a retreat hit: {count}",
            "{unit}: its retreat is closed, so each 6 is a hit",
            "{unit}: cut off its retreat first, and each 6 is a hit.",
        ),
        ("TTC-84",),
    ),
}


def numbers(text: str, language: str) -> list[int]:
    """The numbers that a text says, in digits or in words."""
    words = re.findall(r"\w+", re.sub(r"\{\w+\}", "", text).lower())
    spelt = SPELT[language]
    return [int(word) if word.isdecimal() else spelt[word] for word in words if word.isdecimal() or word in spelt]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("what", SAID)
def test_a_number_is_said_as_the_rule_has_it(what: str, language: str) -> None:
    meant, sentences, clauses = SAID[what]
    for sentence in sentences:
        told = numbers(GAME.words.find(sentence, language) or "", language)
        assert told, sentence
        assert set(told) <= set(meant), sentence
    for name in clauses:
        clause: Any = GAME.rulebook.look_up(name)
        assert set(meant) <= set(numbers(clause.es if language == "es" else clause.en, language)), name


def test_a_limit_of_dice_that_is_another_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat, "MOST_DICE", 4)
    facts = Facts(mode="melee", attacker="heavy_infantry", target="archers")
    assert [term.value for term in dice_terms(facts, Options())] == [5, -1]


def test_a_closest_shot_that_is_another_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat, "CLOSEST_SHOT", 3)
    with pytest.raises(Refusal) as refused:
        check_attack(Facts(mode="ranged", attacker="archers", target="archers", distance=2))
    assert speak(refused.value.text, str) == "The closest possible shot is at distance 3."


def test_a_deck_says_how_many_cards_it_has() -> None:
    barred = hand.unplayable(choosing(CITIES, ("AH",)), "white", "7H")
    assert barred is not None
    assert speak(barred.text, str) == f"Only the {len(CARDS)} cards of the game are used."


ANOTHER: dict[str, tuple[tuple[str, str, str], set[str], set[str]]] = {
    "hand": (
        ("state", "HAND = 3", "HAND = 4"),
        {
            "{side} is dealt three cards",
            "Shuffle and deal three cards each",
            "Shuffle the 24 cards and deal three to each player, White first",
        },
        {"TTC-13", "TTC-15", "TTC-68"},
    ),
    "dice": (
        ("components", "MOST_DICE = 6", "MOST_DICE = 5"),
        {
            "never more than six",
            "Limit of six dice under Phalanx only",
            "Only heavy infantry under Phalanx stops at six dice.",
        },
        {"TTC-51"},
    ),
    "city": (
        ("setup", "BESIDE_A_CITY = 3", "BESIDE_A_CITY = 2"),
        {"{side}'s city should stand on the edge but not in a corner, beside three squares."},
        {"TTC-10"},
    ),
    "shot": (("combat", "CLOSEST_SHOT = 2", "CLOSEST_SHOT = 3"), set(), {"TTC-93"}),
    "retreat hit": (
        ("fight", "DRIVES = 6", "DRIVES = 5"),
        {
            "A 6 is a retreat hit: {count}",
            "{unit}: its retreat is closed, so each 6 is a hit",
            "{unit}: cut off its retreat first, and each 6 is a hit.",
        },
        {"TTC-84"},
    ),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_another_number_is_said_wherever_it_is_said(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, sentences, clauses = ANOTHER[what]
    other = altered("two_cities", tmp_path, monkeypatch, change)
    check_said(GAME, other, change[1:], (sentences, clauses), sheets=what != "retreat hit")

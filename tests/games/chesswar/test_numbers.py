"""The numbers of ChessWar: another one beside its rule is another one in every text, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.chesswar import magic, sheets, shooting, turn
from companion.games.chesswar.armies import PACKAGE
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.destruction import HealEnemy
from companion.games.chesswar.facts import SpellFacts
from companion.games.chesswar.game import GAME
from companion.games.chesswar.magic import REACH
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.turn import EndPhase
from companion.kit.rulebook import Rulebook, load, load_words
from tests.support.altered_games import altered, check_said
from tests.support.chesswar_positions import KINGS, english, offered, position, questions, refusal, ruled, told
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.chesswar.armies import Spell

SAID = {
    "healing": (("magic", '"healing": 2', '"healing": 3'), ("Healing reaches 2 squares.",), {"CW-145"}),
    "raise dead": (("magic", '"raise_dead": 4', '"raise_dead": 5'), ("Raise dead reaches 4 squares.",), {"CW-131"}),
    "flight": (
        ("magic", '"flight": 4', '"flight": 6'),
        (
            "The mage sees no free square within 4 of it.",
            "A flying unit lands within 4 squares.",
            (
                "An own unit that has not moved goes to a free square within 4 that the mage sees, and is brave "
                "until the end of the phase."
            ),
        ),
        {"CW-159"},
    ),
    "zap": (("magic", '"zap": 4', '"zap": 5'), ("4, in sight",), {"CW-162"}),
    "works": (
        ("magic", "WORKS = 4", "WORKS = 5"),
        ("{unit} cast {spell}: 4 or more for it to work",),
        {"CW-141", "CW-145"},
    ),
    "patience": (("magic", "PATIENCE = 5", "PATIENCE = 8"), ("^ask me, but wait only 5 seconds",), set()),
    "storm": (
        ("magic", "STORM_SCATTERS = 2", "STORM_SCATTERS = 3"),
        (
            "storm: one for every 2 of {squares}",
            "Bows: −1 for every square. Catapults and the like: a scatter die more for every 2 squares.",
            "In a storm one die more for every 2 squares, rounded down.",
            "Bows lose 1 for each square of distance; the others scatter one die more for every 2 squares",
        ),
        {"CW-157"},
    ),
    "strike": (
        ("traits", '"strike": -2', '"strike": -3'),
        (
            "One opponent in his melee saves at -2 or is destroyed; no continuation move",
            "Instead of an attack: an opponent saves at −2 or is destroyed.",
        ),
        {"CW-150"},
    ),
    "protection": (
        ("traits", '"protection": 1', '"protection": 2'),
        (
            "The mage and own units around him: +1 on saves, brave, immune to plague.",
            "Own units on his square and the 8 around it save at +1, are brave and immune to plague",
        ),
        {"CW-153"},
    ),
    "undead": (
        ("traits", '"undead": 1', '"undead": 2'),
        ("Brave and dreadful, immune to plague, +1 on saves against bows and crossbows.",),
        {"CW-110"},
    ),
    "plague": (
        ("traits", '"plague": 1', '"plague": 2'),
        ("If it is destroyed in melee its opponents save at +1 or are destroyed. Immune to plague.",),
        {"CW-111"},
    ),
    "bomb": (
        ("traits", '"bomb": 1', '"bomb": 2'),
        ("As rocks; saves at +1, no harm to those immune to plague; in a melee all are struck.",),
        {"CW-79"},
    ),
    "forest": (("traits", '"forest": 1', '"forest": 2'), (), {"CW-170"}),
    "moved": (("shooting", '"moved": -1', '"moved": -2'), (), {"CW-57"}),
    "unseen": (("shooting", '"unseen": -2', '"unseen": -3'), (), {"CW-59"}),
    "far": (("shooting", "FAR = 3", "FAR = 4"), ("3 squares away or more",), {"CW-58"}),
    "stands up": (
        ("turn", "STANDS_UP = 3", "STANDS_UP = 4"),
        (
            "{unit}: 3 or more to stand up again",
            (
                "Knocked over, not destroyed: it stands up at the end of the turn on 3 or more, unless another unit "
                "entered its square."
            ),
        ),
        {"CW-116"},
    ),
    "enough": (
        ("options", "ENOUGH_FOR_MORE = 14", "ENOUGH_FOR_MORE = 12"),
        (
            "More than two play on a board of at least 14 squares a side, as total massacre.",
            "Two armies with double points, double maxima and two generals each, on at least 14 squares a side.",
        ),
        set(),
    ),
}
"""A line of the rules and another one, which sentences change with it, and which clauses."""


@pytest.mark.parametrize("what", SAID)
def test_another_number_is_said_by_words_rulebook_sheets_and_options(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, sentences, clauses = SAID[what]
    other = altered("chesswar", tmp_path, monkeypatch, change)
    check_said(GAME, other, change[1:], (set(sentences), clauses))


def looked_up(spell: Spell) -> list[str]:
    """What the look-up of the spells says of one."""
    return told(GAME.lookups["spell"].rule(SpellFacts(spell=spell), Plays()).reasons)


def aid(title: str, line: str, **numbers: int) -> tuple[str, ...]:
    """A line of a table on the sheet for every army, as it would be made now, with these numbers of the rules."""
    tables = load(PACKAGE, "rulebook.toml", Rulebook, {**GAME.numbers, **numbers}).listing
    listing = next(part for part in sheets.sheets(tables)[-1].listing if english(part.title) == title)
    found = next(row for row in listing.line if english(row.cells[0]) == line)
    return tuple(english(cell) for cell in (*found.cells[1:], *((found.more,) if found.more else ())))


@pytest.mark.parametrize("reach", [1, 3])
@pytest.mark.clause("CW-145", "CW-Q30")
def test_another_reach_of_healing_is_said_at_the_table(monkeypatch: pytest.MonkeyPatch, reach: int) -> None:
    monkeypatch.setitem(REACH, "healing", reach)
    squares = {1: "1 square", 3: "3 squares"}[reach]
    does = f"A unit just destroyed within {squares}, the mage too, survives and fights on"
    near = position(
        f"{KINGS}, w1 hn d4, w2 hq {'defgh'[reach]}5, b1 op d5, w1>b1", phase="combat", healing_any_side=True
    )
    assert ruled(near, HealEnemy("w2", "b1")).outcome.unit("w2").heals == "b1"
    assert told(offered(near, "heal_enemy")[0].advice)[0] == does
    away = near.with_unit("w2", square=f"{'defgh'[reach + 1]}5")
    refused = refusal(away, HealEnemy("w2", "b1"))
    assert (refused.clause, english(refused.text)) == ("CW-145", f"Healing reaches {squares}.")
    words = load_words(PACKAGE, GAME.rulebook, {**GAME.numbers, "healing": reach})
    spanish = {1: "La curación llega a 1 casilla.", 3: "La curación llega a 3 casillas."}[reach]
    assert words.find(refused.text.say, "es") == spanish
    table = position(f"{KINGS}, w1 hn, w2 hq, b1 op, w1>b1", phase="combat", active=1, board="table")
    question = next(each for each in questions(table, Attack("b1", "w1"), 6) if each.key == "heal_w1")
    assert english(question.why).endswith(f"Only a mage within {squares}")
    assert told(question.advice)[0] == does
    assert does in looked_up("healing")
    assert aid("Spells", "Healing", healing=reach)[1] == str(reach)


@pytest.mark.clause("CW-159", "CW-131", "CW-162")
def test_another_reach_of_flight_raise_dead_and_zap_is_said_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for spell in ("flight", "raise_dead", "zap"):
        monkeypatch.setitem(REACH, spell, 3)
        assert any("within 3 squares" in line for line in looked_up(spell))
    flying = position(f"{KINGS}, w1 oq a2")
    refused = refusal(flying, Cast("w1", "flight", None, "a6"))
    assert english(refused.text) == "A flying unit lands within 3 squares."
    assert "within 3 that" in aid("Spells", "Flight", flight=3)[-1]
    assert (aid("Spells", "Raise dead", raise_dead=3)[1], aid("Spells", "Zap", zap=3)[1]) == ("3", "3, in sight")


@pytest.mark.clause("CW-145", "CW-141", "CW-116", "CW-156", "CW-157")
def test_another_face_or_number_of_dice_is_said_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magic, "WORKS", 5)
    assert "It works on 5 or more" in looked_up("healing")
    assert aid("Spells", "Counterspell")[2] == "5+"
    monkeypatch.setattr(turn, "STANDS_UP", 4)
    lying = position(f"{KINGS}, b1 or d5", phase="combat", active=0).with_unit("b1", down=True)
    (question,) = questions(lying, EndPhase(), 4)
    assert english(question.why) == "Trolls d5: 4 or more to stand up again"
    assert "on 4 or more" in aid("Special attributes", "regeneration", stands_up=4)[-1]
    monkeypatch.setattr(magic, "STORM_SCATTERS", 3)
    assert any("for every 3 squares" in line for line in looked_up("storm"))
    assert "for every 3 squares" in aid("Spells", "Storm", storm=3)[-1]
    monkeypatch.setattr(shooting, "FAR", 4)
    assert aid("Bows: die + modifiers against the skill", "4 squares away or more", far=4) == ("−1",)

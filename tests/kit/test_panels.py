"""What panels work out of what they hold."""

from __future__ import annotations

from companion.kit.panels import Piece, Stat, Weapon
from companion.kit.text import say


def number(sign: str, name: str) -> Stat:
    return Stat(sign, say("{count}", count=3), say(name))


def test_weapons_share_the_columns_of_what_is_called_alike() -> None:
    bow = Weapon(say("Bow"), (number("target", "Range"), number("die", "Hits on")))
    spell = Weapon(say("Spell"), (number("target", "Range"), number("die", "Works on")))
    piece = Piece("w1", "white", "pawn", say("Mage"), weapons=(bow, spell))
    assert [head.name.say for head in piece.heads] == ["Range", "Hits on", "Works on"]
    assert [bool(spell.number(head)) for head in piece.heads] == [True, False, True]

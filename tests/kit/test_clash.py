"""What a clash keeps while its questions are answered, and what faces do."""

from __future__ import annotations

import pytest

from companion.kit.asking import Ask, Pending
from companion.kit.clash import Clash, Combatant, Effect, effect_of, of_faces
from companion.kit.questions import NO_YES, Choice, Faces
from companion.kit.text import say

ONE, OTHER = (Combatant(name, name, say("Somebody"), "pawn") for name in ("one", "other"))
CLASH = Clash("melee", ONE, OTHER, (say("evades"), say("heals"), say("saves")), ("evade", "heal"))


@pytest.mark.parametrize(
    ("answered", "left", "until"),
    [
        ((), ["evades", "heals", "saves"], ("evade", "heal")),
        (("attack",), ["evades", "heals", "saves"], ("evade", "heal")),
        (("evade",), ["heals", "saves"], ("heal",)),
        (("heal_white", "attack"), ["evades", "saves"], ("evade",)),
        (("evade", "heal"), ["saves"], ()),
    ],
)
def test_what_was_asked_can_save_nobody_any_more(
    answered: tuple[str, ...], left: list[str], until: tuple[str, ...]
) -> None:
    after = CLASH.after(answered)
    assert ([text.say for text in after.cancels], after.until) == (left, until)


def test_whoever_is_asked_next_is_told_what_is_left() -> None:
    ask = Ask((Choice("evade", "no", "other"),))
    ask.tell(say("Melee"))
    ask.clash(CLASH)
    assert ask.choose("other", NO_YES, "evade", say("Evade?")) == "no"
    with pytest.raises(Pending) as waits:
        ask.choose("other", NO_YES, "heal", say("Heal?"))
    (line,) = waits.value.reasons
    assert line.clash is not None
    assert [text.say for text in line.clash.cancels] == ["heals", "saves"]


def test_faces_do_what_the_first_effect_that_names_them_says() -> None:
    hit, back = Effect((1, 2), say("hit")), Effect((6,), say("retreat"), harm=True)
    assert [effect_of(face, (hit, back)) for face in (1, 2, 3, 6)] == [hit, hit, None, back]
    assert of_faces((6, 6, 3), (hit, back)) == (back,)
    assert of_faces((), (hit, back)) == ()


def test_dice_that_are_counted_say_what_they_will_do_and_then_what_they_did() -> None:
    hit, back = Effect((1,), say("hit")), Effect((6,), say("retreat"), harm=True)
    ask = Ask((Faces("attack", (1, 3)),))
    ask.tell(say("2 dice"), None, 2)
    ask.expect((hit, back))
    assert ask.reasons[-1].does == (hit, back)
    ask.show(ask.throw(2, 6, "attack", say("Attack"), by="one", does=(hit, back)))
    assert (ask.reasons[-1].faces, ask.reasons[-1].does) == ((1, 3), (hit,))

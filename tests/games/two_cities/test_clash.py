"""Who meets whom in an attack, what the faces of its dice do, and what may still save the target."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.two_cities.attack import Attack
from companion.kit.asking import Ask, Pending
from companion.kit.clash import effect_of
from companion.kit.questions import Choice, Choose, Faces, Throw
from tests.support.two_cities_positions import CITIES, english, playing, rule

MELEE = "w1 hi d4, b1 lc d5 1"
SHOT = "w1 ar d4, b1 lc d6"


def waits(written: str, *answers: Any, card: str = "10S", **more: Any) -> Pending:
    """What the attack of w1 on b1 waits for, after some answers."""
    with pytest.raises(Pending) as pending:
        rule(playing(f"{written}, {CITIES}", card, **more), "white", Attack("w1", "b1"), Ask(answers))
    return pending.value


def clash(pending: Pending) -> Any:
    (found,) = [reason.clash for reason in pending.reasons if reason.clash is not None]
    return found


def no(key: str) -> Choice:
    return Choice(key, "no", "black")


@pytest.mark.parametrize(("written", "way"), [(MELEE, "melee"), (SHOT, "shot")])
def test_who_meets_whom_is_told_before_anything_is_asked(written: str, way: str) -> None:
    meets = clash(waits(written))
    assert meets.way == way
    assert (meets.by.id, meets.by.side, meets.by.place) == ("w1", "white", "d4")
    assert (meets.against.id, meets.against.side) == ("b1", "black")
    assert meets.against.strength == 3
    assert meets.against.hits == (1 if way == "melee" else 0)
    assert waits(written).reasons[0].clash == meets


def test_the_dice_are_counted_with_what_each_face_will_do_before_the_defender_answers() -> None:
    pending = waits(MELEE)
    assert isinstance(pending.question, Choose)
    counted = pending.reasons[-1]
    assert counted.value == sum(term.value or 0 for term in counted.terms) == 6
    assert [(effect.faces, english(effect.text), effect.harm) for effect in counted.does] == [
        ((1, 2), "hit", False),
        ((6,), "retreat", True),
    ]


@pytest.mark.parametrize("written", [MELEE, SHOT, "w1 hi d7, b1 ci d8", "w1 ar d6, b1 ci d8"])
@pytest.mark.parametrize("face", range(1, 7))
def test_every_face_does_what_it_says(written: str, face: int) -> None:
    state = playing(f"{written}, wc ci d1" + ("" if "ci d8" in written else ", bc ci d8"), "10S")
    with pytest.raises(Pending) as pending:
        rule(state, "white", Attack("w1", "b1"), Standing())
    throw = pending.value.question
    assert isinstance(throw, Throw)
    effect = effect_of(face, throw.does)
    last = rule(state, "white", Attack("w1", "b1"), Standing(face)).outcome.last
    assert last is not None
    does = "hit" if last.result.hits else "retreat" if last.result.retreats else None
    assert (english(effect.text) if effect else None) == does


class Standing(Ask):
    """The defender stands and protects itself with nothing; all dice show one face, and without one they are asked."""

    def __init__(self, face: int = 0) -> None:
        super().__init__()
        self.face = face

    def answer(self, question: Any) -> Any:
        if isinstance(question, Choose):
            return Choice(question.key, "none" if question.key == "protection" else "no", question.seat)
        if not self.face:
            raise self.pending(question)
        return Faces(question.key, (self.face,) * question.count)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_evasion_die_says_what_comes_of_it(face: int) -> None:
    question = waits(MELEE, Choice("evasion", "yes", "black")).question
    assert isinstance(question, Throw)
    effect = effect_of(face, question.does)
    assert effect is not None
    told = waits(MELEE, Choice("evasion", "yes", "black"), Faces("evasion_die", (face,))).reasons
    succeeded = any("succeeds" in english(reason.text) for reason in told)
    assert (english(effect.text), effect.harm) == (("evades", False) if succeeded else ("fails", True))


def test_the_evasion_die_has_its_name() -> None:
    question = waits(MELEE, Choice("evasion", "yes", "black")).question
    assert isinstance(question, Throw)
    assert question.of is not None
    assert english(question.of) == "evasion"
    told = waits(MELEE, Choice("evasion", "yes", "black"), Faces("evasion_die", (1,))).reasons
    (shown,) = [reason for reason in told if reason.faces]
    assert shown.of == question.of
    attack = waits(MELEE, Choice("evasion", "yes", "black"), Faces("evasion_die", (1,))).question
    assert isinstance(attack, Throw)
    assert attack.of is None, "it is told what its dice come from"


def test_after_an_evasion_a_six_does_nothing() -> None:
    question = waits(MELEE, Choice("evasion", "yes", "black"), Faces("evasion_die", (6,))).question
    assert isinstance(question, Throw)
    assert effect_of(6, question.does) is None


@pytest.mark.parametrize(
    ("written", "saves"),
    [
        ("w1 hi d4, b1 hi d5", []),
        ("w1 hi d4, b1 hi d5, b2 hi e5", ["Formation: may ignore a hit or a retreat"]),
        (MELEE, ["May evade on 4, 5 or 6: half the dice"]),
    ],
)
def test_what_may_save_the_target_is_what_it_has_a_right_to(written: str, saves: list[str]) -> None:
    assert [english(text) for text in clash(waits(written)).cancels] == saves


def test_ground_may_save_the_target() -> None:
    terrain = {"terrain": {"d5": "forest"}}
    assert "Forest: may ignore a hit" in [
        english(text) for text in clash(waits("w1 hi d4, b1 hi d5", **terrain)).cancels
    ]


def test_an_evasion_that_was_declined_saves_nobody() -> None:
    assert clash(waits(MELEE, no("evasion"))).cancels == ()


@pytest.mark.parametrize(
    ("faces", "best"),
    [
        ((1, 1, 3, 3, 3, 3), ["formation_hit"]),
        ((6, 3, 3, 3, 3, 3), ["formation_retreat"]),
        ((1, 6, 3, 3, 3, 3), []),
    ],
    ids=["hits", "a retreat", "a hit or the place"],
)
def test_the_best_answer_is_one_that_nobody_would_rather_not_have(faces: tuple[int, ...], best: list[str]) -> None:
    question = waits("w1 hi d4, b1 hi d5 1, b2 hi e5", Faces("attack", faces)).question
    assert isinstance(question, Choose)
    assert [option.value for option in question.options if option.best] == best
    assert all(option.note for option in question.options if option.barred is None)


def test_of_two_that_cost_as_little_the_first_is_best() -> None:
    terrain = {"d5": "forest"}
    question = waits("w1 hi d4, b1 hi d5 1, b2 hi e5", Faces("attack", (1, 3, 3, 3, 3, 3)), terrain=terrain).question
    assert isinstance(question, Choose)
    assert [option.value for option in question.options if option.best] == ["terrain"]

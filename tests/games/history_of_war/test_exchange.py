"""The arithmetic of a battle in History of War: who strikes whom, for how much, and who is destroyed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.games.history_of_war.exchange import (
    Answer,
    Clash,
    Combatant,
    Outcome,
    Split,
    barred,
    check_share,
    destroys,
    exchange,
    power,
    splits,
)
from companion.kit.ruling import Refusal
from companion.kit.text import Text


def card(name: str, category: Any = "ground", dv: int | None = 3, **more: Any) -> Combatant:
    """A card that fights: its attack values are ``ground``, ``air`` and ``naval``."""
    av = {kind: more.pop(kind) for kind in ("ground", "air", "naval") if kind in more}
    return Combatant(id=name, name=Text(name), category=category, dv=dv, av=av, **more)


def fight(cards: list[Combatant], *clashes: Clash, answers: tuple[tuple[str, str], ...] = ()) -> Outcome:
    return exchange({one.id: one for one in cards}, clashes, [Answer(*one) for one in answers])


def clause_of(cards: list[Combatant], *clashes: Clash, answers: tuple[tuple[str, str], ...] = ()) -> str | None:
    with pytest.raises(Refusal) as refused:
        fight(cards, *clashes, answers=answers)
    return refused.value.clause


TANK = card("tank", dv=3, ground=4, locked=True)


@pytest.mark.clause("HW-63", "HW-65", "HW-73", "HW-78", "HW-A19")
def test_attacker_and_blocker_strike_each_other_at_once() -> None:
    gun = card("gun", dv=2, ground=3, locked=True, blocked=True, used=("ground",))
    found = fight([TANK, gun], Clash("tank", ("gun",), {"gun": 4}))
    assert found.damage == {"gun": 4, "tank": 3}
    assert sorted(found.destroyed) == ["gun", "tank"]


@pytest.mark.clause("HW-60", "HW-66", "HW-67")
def test_blockers_add_up_and_the_attacker_splits() -> None:
    cards = [card("heavy", dv=6, ground=5), card("one", dv=2, ground=2), card("two", dv=4, ground=3)]
    found = fight(cards, Clash("heavy", ("one", "two"), {"one": 2, "two": 3}))
    assert found.damage == {"one": 2, "two": 3, "heavy": 5}
    assert found.destroyed == ("one",)
    assert {blow.clause for blow in found.blows} == {"HW-66", "HW-67"}


@pytest.mark.clause("HW-66", "HW-A18")
def test_nobody_deals_more_than_the_attack_value() -> None:
    cards = [card("heavy", dv=6, ground=5, air=2), card("one"), card("two", category="air")]
    assert clause_of(cards, Clash("heavy", ("one", "two"), {"one": 4, "two": 2})) == "HW-A18"
    assert clause_of(cards, Clash("heavy", ("one", "two"), {"one": 2, "two": 3})) == "HW-A18"
    assert fight(cards, Clash("heavy", ("one", "two"), {"one": 3, "two": 2})).damage == {"one": 3, "two": 2}
    assert fight(cards, Clash("heavy", ("one", "two"), {"one": 1, "two": 0})).damage == {"one": 1}
    assert power(cards[0], cards[1:]) == 5
    assert power(cards[0], cards[2:]) == 2


@pytest.mark.clause("HW-A16", "HW-A17")
def test_the_value_is_that_against_the_category_of_who_is_struck() -> None:
    flak = card("flak", ground=1, air=3)
    assert fight([flak, card("wing", "air")], Clash("flak", (), {"wing": 3})).destroyed == ("wing",)
    assert clause_of([flak, card("ship", "naval")], Clash("flak", (), {"ship": 1})) == "HW-A16"
    with pytest.raises(Refusal) as refused:
        check_share(flak, [card("wing", "air"), card("ship", "naval")], (1, 1))
    assert (refused.value.clause, refused.value.field) == ("HW-A18", "to_2")
    silent = card("mute")
    assert fight([TANK, silent], Clash("tank", ("mute",), {"mute": 4})).damage == {"mute": 4}


@pytest.mark.clause("HW-68", "HW-70", "HW-71")
def test_an_unlocked_target_answers_with_the_value_against_the_attacker() -> None:
    fighter = card("fighter", "air", 2, ground=1, air=3, locked=True)
    flak = card("flak", dv=3, ground=1, air=2)
    clash = Clash("fighter", (), {"flak": 1})
    found = fight([fighter, flak], clash, answers=(("flak", "fighter"),))
    assert (found.damage, found.destroyed, found.locked) == ({"flak": 1, "fighter": 2}, ("fighter",), ("flak",))
    assert [blow.clause for blow in found.blows] == ["HW-68", "HW-70"]
    silent = fight([fighter, flak], clash)
    assert (silent.damage, silent.locked) == ({"flak": 1}, ())


@pytest.mark.clause("HW-69")
def test_a_locked_target_that_did_not_block_can_not_answer() -> None:
    recon = card("recon", dv=4, ground=3, locked=True)
    assert clause_of([TANK, recon], Clash("tank", (), {"recon": 4}), answers=(("recon", "tank"),)) == "HW-69"
    assert fight([TANK, recon], Clash("tank", (), {"recon": 4})).destroyed == ("recon",)


@pytest.mark.clause("HW-70", "HW-A16")
def test_the_only_target_of_a_value_of_0_answers_but_not_one_that_was_left_out() -> None:
    cards = [card("weak", ground=0), card("strong", ground=1), card("guns", ground=3), card("more", ground=3)]
    assert fight(cards, Clash("weak", (), {"guns": 0}), answers=(("guns", "weak"),)).destroyed == ("weak",)
    shared = Clash("strong", (), {"guns": 0, "more": 1})
    assert clause_of(cards, shared, answers=(("guns", "strong"),)) == "HW-70"


@pytest.mark.clause("HW-72", "HW-A22")
def test_a_blocker_answers_only_with_a_value_that_it_has_not_used() -> None:
    bomber = card("bomber", "air", 2, ground=3, locked=True)
    guns = card("guns", dv=6, ground=3, air=2, locked=True, blocked=True, used=("ground",))
    clashes = (Clash("tank", ("guns",), {"guns": 2}), Clash("bomber", (), {"guns": 3}))
    found = fight([TANK, bomber, guns], *clashes, answers=(("guns", "bomber"),))
    assert (found.damage, found.locked) == ({"guns": 5, "tank": 3, "bomber": 2}, ())
    assert [blow.clause for blow in found.blows if blow.by == "guns"] == ["HW-65", "HW-72"]
    second = card("second", dv=3, ground=2)
    again = (Clash("tank", ("guns",), {"guns": 2}), Clash("second", (), {"guns": 2}))
    assert clause_of([TANK, second, guns], *again, answers=(("guns", "second"),)) == "HW-72"


@pytest.mark.clause("HW-A21")
def test_each_value_answers_one_attacker() -> None:
    one, two, wing = card("one", ground=2), card("two", ground=2), card("wing", "air", 2, ground=1)
    guns = card("guns", dv=9, ground=3, air=2)
    clashes = tuple(Clash(name, (), {"guns": 1}) for name in ("one", "two", "wing"))
    cards = [one, two, wing, guns]
    assert clause_of(cards, *clashes, answers=(("guns", "one"), ("guns", "two"))) == "HW-A21"
    found = fight(cards, *clashes, answers=(("guns", "two"), ("guns", "wing")))
    assert (found.destroyed, found.locked) == (("two", "wing"), ("guns",))
    spent = card("guns", dv=9, ground=3, used=("ground",))
    why = barred(spent, one)
    assert why is not None
    assert why.clause == "HW-A21"


@pytest.mark.clause("HW-70")
def test_only_who_is_struck_unblocked_answers() -> None:
    guns, idle = card("guns", dv=9, ground=3), card("idle", ground=3)
    assert clause_of([TANK, guns, idle], Clash("tank", (), {"guns": 4}), answers=(("idle", "tank"),)) == "HW-70"
    assert clause_of([TANK, guns], Clash("tank", ("guns",), {"guns": 4}), answers=(("guns", "tank"),)) == "HW-70"


@pytest.mark.clause("HW-A16")
def test_a_value_that_a_card_does_not_have_answers_nothing() -> None:
    rifles = card("rifles", ground=1)
    wing = card("wing", "air", ground=1)
    assert clause_of([wing, rifles], Clash("wing", (), {"rifles": 1}), answers=(("rifles", "wing"),)) == "HW-A16"


@pytest.mark.clause("HW-68", "HW-73")
def test_damage_of_several_attackers_adds_up() -> None:
    cards = [card("t1", ground=2), card("t2", ground=2), card("inf", dv=4, ground=3)]
    found = fight(cards, Clash("t1", (), {"inf": 2}), Clash("t2", (), {"inf": 2}), answers=(("inf", "t2"),))
    assert found.damage == {"inf": 4, "t2": 3}
    assert sorted(found.destroyed) == ["inf", "t2"]


@pytest.mark.clause("HW-73", "HW-A16")
def test_nothing_is_destroyed_without_damage_or_without_a_defence_value() -> None:
    assert not destroys(0, 0)
    assert destroys(1, 0)
    assert destroys(3, 3)
    assert not destroys(2, 3)
    assert not destroys(9, None)


def brute(attacker: Combatant, targets: list[Combatant]) -> set[tuple[bool, ...]]:
    """Who is destroyed in each way to use the whole value, by trying all."""
    most = [attacker.av.get(one.category, 0) for one in targets]
    whole = power(attacker, targets)
    ways = (way for way in product(*(range(top + 1) for top in most)) if sum(way) == whole)
    return {tuple(destroys(amount, one.dv) for amount, one in zip(way, targets, strict=True)) for way in ways}


@pytest.mark.clause("HW-66", "HW-A18")
@pytest.mark.parametrize("value", range(8))
@pytest.mark.parametrize("dvs", [(1, 1, 1), (2, 4, 3), (5, 1, 2), (6, 6, 6), (3, 8, 1)])
def test_splits_are_all_that_can_be(value: int, dvs: tuple[int, ...]) -> None:
    kinds = ("ground", "air", "ground")
    targets = [card(f"c{at}", kind, dv) for at, (kind, dv) in enumerate(zip(kinds, dvs, strict=True))]
    attacker = card("a", ground=value, air=max(0, value - 2))
    found = splits(attacker, targets)
    for split in found:
        check_share(attacker, targets, split.amounts)
        assert sum(split.amounts) == value
        assert split.destroyed == tuple(map(destroys, split.amounts, dvs))
    assert {split.destroyed for split in found} == brute(attacker, targets)
    worth = [sum(split.destroyed) for split in found]
    assert worth == sorted(worth, reverse=True)


@pytest.mark.clause("HW-66")
def test_the_best_split_destroys_the_most_and_then_the_strongest() -> None:
    targets = [card("small", dv=1), card("large", dv=4), card("middle", dv=2)]
    assert splits(card("a", ground=4), targets)[0] == Split((1, 1, 2), (True, False, True))
    pair = [card("small", dv=1), card("large", dv=4)]
    assert splits(card("a", ground=4), pair)[0] == Split((0, 4), (False, True))
    assert splits(card("a", ground=4), pair)[-1].destroyed == (True, False)
    assert splits(card("a"), []) == (Split((), ()),)


@pytest.mark.clause("HW-66")
def test_a_value_shared_out_among_many_is_worked_out_once() -> None:
    def among(name: str) -> list[Combatant]:
        return [card(f"{name}{at}", dv=2) for at in range(12)]

    first = splits(card("one", ground=9), among("a"))
    assert (first[0].amounts, sum(first[0].destroyed), len(first)) == ((2, 2, 2, 2, 1, *[0] * 7), 4, 794)
    assert splits(card("two", ground=9), among("b")) is first, "the same battle, looked at again"
    assert splits(card("one", ground=8), among("a")) is not first

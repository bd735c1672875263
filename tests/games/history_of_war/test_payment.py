"""Payment in History of War: what yields TA, what a set of cards comes to, which wastes least, and the look-up."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from companion.games.history_of_war import payment
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.payment import Paid, PaymentFacts, Source
from companion.games.history_of_war.pieces import Laid
from companion.games.history_of_war.state import State
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say
from companion.web.forms import fields
from tests.support.history_of_war_positions import check, english, game, lying, named
from tests.support.playing import clauses

BASE = "b steel_works, b power_plant, b field_workshop, b railhead t1, b medium_tank"


def sources(*written: str) -> tuple[Source, ...]:
    """Sources out of ``b1 2`` or ``w 1 locked dear``: name, TA, locked, rather kept."""
    found = []
    for entry in written:
        name, ta, *rest = entry.split()
        found.append(Source(name, say("{name}", name=name), int(ta), "locked" in rest, 2 if "dear" in rest else 0))
    return tuple(found)


def refused(state: State, *lock: str, cost: int = 1, **more: Any) -> tuple[str | None, str | None]:
    """The clause and the field that a payment of Blue's is refused with."""
    with pytest.raises(Refusal) as no:
        payment.check(state, "blue", lock, cost, **more)
    check((no.value.reason,))
    return no.value.clause, no.value.field


@pytest.mark.clause("HW-40", "HW-45")
def test_what_is_unlocked_yields_its_ta() -> None:
    assert payment.available(sources("b1 2", "b2 1", "b3 2 locked")) == 3
    assert payment.available(()) == 0


@pytest.mark.clause("HW-A05", "HW-45")
def test_the_set_that_pays_wastes_least() -> None:
    assert payment.best(sources("b1 2", "b2 1", "b3 3"), 3) == ("b3",), "one card rather than two"
    assert payment.best(sources("b1 2", "b2 2", "b3 5"), 3) == ("b1", "b2"), "one lost rather than two"
    assert payment.best(sources("w 1 dear", "b1 1"), 1) == ("b1",), "a base expansion rather than a unit"
    assert payment.best(sources("b1 1", "w 2 dear"), 2) == ("w",), "less waste counts before that"
    assert payment.best(sources("b1 3 locked", "b2 4"), 3) == ("b2",), "a locked card pays nothing"
    assert payment.best(sources("b1 2", "b2 0"), 0) == (), "nothing is paid for nothing"
    assert payment.best(sources("b1 2", "b2 0"), 3) is None
    assert payment.best((), 1) is None


@pytest.mark.clause("HW-A05")
def test_the_best_set_is_that_of_all_sets() -> None:
    chance = random.Random(7)
    for _ in range(60):
        pool = tuple(
            Source(str(at), say("x"), chance.randint(1, 5), chance.random() < 0.2, chance.choice((0, 1, 2)))
            for at in range(7)
        )
        cost, free = chance.randint(0, 16), [one for one in pool if not one.locked]
        every = [
            (sum(one.ta for one in some), len(some), sum(one.dear for one in some))
            for count in range(len(free) + 1)
            for some in combinations(free, count)
        ]
        enough = [one for one in every if one[0] >= cost]
        found = payment.best(pool, cost)
        if found is None:
            assert not enough
            continue
        chosen = [one for one in pool if one.id in found]
        assert (sum(one.ta for one in chosen), len(chosen), sum(one.dear for one in chosen)) == min(enough)


@pytest.mark.clause("HW-A05", "HW-45")
def test_all_is_paid_together_and_the_excess_is_lost() -> None:
    paid = payment.settle(sources("b1 2", "b2 1", "f 1", "b3 2 locked"), ("b1", "f"), 3)
    assert (paid.cost, paid.paid, paid.wasted, paid.lock) == (3, 3, 0, ("b1", "f"))
    assert payment.settle(sources("b1 2", "b2 2"), ("b1", "b2"), 3).wasted == 1
    assert payment.settle((), (), 0).wasted == 0


@pytest.mark.clause("HW-36", "HW-40", "HW-45", "HW-A05")
def test_a_set_that_can_not_pay_is_refused() -> None:
    pool = sources("b1 2", "b2 1", "b3 2 locked", "tank 0")

    def why(*lock: str, cost: int = 2) -> str | None:
        with pytest.raises(Refusal) as no:
            payment.settle(pool, lock, cost)
        assert no.value.field == "lock"
        return no.value.clause

    assert why("b2") == "HW-45", "short"
    assert why() == "HW-45"
    assert why("b1", "b2", cost=4) == "HW-45"
    assert why("b3") == "HW-36", "locked"
    assert why("tank", "b1") == "HW-40", "no source"
    assert why("nobody", "b1") == "HW-40"
    assert why("b1", "b1") == "HW-A05", "each source once"


@pytest.mark.clause("HW-07", "HW-08", "HW-40")
def test_base_expansions_units_and_developments_with_the_symbol_are_sources() -> None:
    found = {one.id: one for one in payment.sources(game(BASE + ", r steel_works"), "blue")}
    state = game(BASE)
    written = ("b steel_works", "b power_plant", "b field_workshop", "b railhead")
    assert list(found) == [named(state, one) for one in written], "the tank yields nothing, Red's works are Red's"
    assert [one.ta for one in found.values()] == [2, 1, 1, 1]
    assert [one.dear for one in found.values()] == [0, 0, 2, 1], "a base expansion is rather locked"


@pytest.mark.clause("HW-45", "HW-40", "HW-36", "HW-A05", "HW-A39", "HW-12")
def test_only_own_unlocked_sources_in_play_pay() -> None:
    state = game(
        BASE + ", b steel_works locked, r steel_works, b field_workshop t2", lands="b coastal_province, b river_line b"
    )
    works, plant, shop = (named(state, f"b {name}") for name in ("steel_works", "power_plant", "field_workshop"))
    assert payment.check(state, "blue", (works, plant), 3).paid == 3
    assert refused(state, works, cost=3) == ("HW-45", "lock")
    assert refused(state, named(state, "b steel_works 2")) == ("HW-36", "lock")
    assert refused(state, works, works) == ("HW-A05", "lock")
    assert refused(state, named(state, "r steel_works")) == ("HW-45", "lock")
    assert refused(state, named(state, "b medium_tank")) == ("HW-40", "lock")
    assert refused(state, named(state, "b field_workshop 2")) == ("HW-A39", "lock")
    assert refused(state, "c99")[1] == "lock"
    assert refused(state, shop, reserved={shop}) == ("HW-12", "lock"), "it gets an upgrade"
    assert refused(state, works, reserved={works}) == ("HW-A05", "lock"), "it pays for something else"


@pytest.mark.clause("HW-45", "HW-A05")
def test_what_pays_is_locked_and_told() -> None:
    state, ask = game(BASE), Ask()
    works, plant = named(state, "b steel_works"), named(state, "b power_plant")
    after = payment.pay(state, "blue", payment.check(state, "blue", (works, plant), 2), ask)
    assert {card.id for card in after.cards if card.locked} == {works, plant}
    assert not lying(after, "b field_workshop").locked
    assert [(reason.clause, reason.value) for reason in ask.reasons] == [("HW-45", 3), ("HW-A05", -1)]
    assert [term.value for term in ask.reasons[0].terms] == [2, 1]
    exact = Ask()
    payment.pay(state, "blue", payment.check(state, "blue", (works,), 2), exact)
    assert clauses(exact.reasons) == ["HW-45"], "nothing is lost"
    assert payment.pay(state, "blue", payment.check(state, "blue", (), 0), exact) == state


@pytest.mark.clause("HW-36", "HW-A05", "HW-12")
def test_the_form_has_the_best_set_filled_in_and_says_why_a_card_does_not_pay() -> None:
    state = game(BASE + ", b steel_works locked")
    shop = named(state, "b field_workshop")
    field = payment.field(state, "blue", 3, {shop})
    assert field.value == (named(state, "b steel_works"), named(state, "b power_plant"))
    barred = {option.value: option.barred.clause for option in field.options if option.barred}
    assert barred == {named(state, "b steel_works 2"): "HW-36", shop: "HW-12"}
    assert [english(option.note) for option in field.options] == ["2 TA", "1 TA", "1 TA", "1 TA", "2 TA"]


@pytest.mark.clause("HW-45", "HW-12")
def test_who_has_finished_building_has_promised_what_pays_and_what_is_upgraded() -> None:
    state = game(BASE, phase="construction")
    works, tank = named(state, "b steel_works"), named(state, "b medium_tank")
    plan: dict[str, Any] = {"laid": (Laid("u0.0"), Laid("g0.0", tank)), "lock": (works,)}
    assert payment.promised(state.with_plan("blue", **plan), "blue") == set(), "nothing is settled yet"
    settled = state.with_plan("blue", built=True, **plan)
    assert payment.promised(settled, "blue") == {works, tank}
    assert payment.promised(settled.but(phase="final"), "blue") == set(), "the table went on by hand"


def answer(**facts: Any) -> Ruling[Paid]:
    """What the look-up answers; cards and sources that are not named are not there."""
    nothing = {field.name: 0 for field in fields(PaymentFacts) if field.kind == "number"}
    ruling: Ruling[Paid] = GAME.lookups["payment"].rule(PaymentFacts(**(nothing | facts)), Ask())
    check(ruling.reasons)
    return ruling


@pytest.mark.clause("HW-40", "HW-45", "HW-A05")
def test_the_look_up_says_what_to_lock() -> None:
    ruling = answer(card_1=2, card_6=1, source_1=2, source_2=2, source_8=1, locked=("2",))
    assert ruling.outcome == Paid(cost=3, available=3, possible=True, lock=(1, 8), paid=3, wasted=0)
    assert english(ruling.headline) == "Lock: source 1, source 8. 0 TA wasted"
    assert clauses(ruling.reasons) == ["HW-41", "HW-40", "HW-36", "HW-45"]
    assert [reason.value for reason in ruling.reasons] == [3, 3, None, 3]
    wasting = answer(card_1=1, source_4=3)
    assert wasting.outcome == Paid(cost=1, available=3, possible=True, lock=(4,), paid=3, wasted=2)
    assert [reason.value for reason in wasting.reasons][-1] == -2


@pytest.mark.clause("HW-45", "HW-36")
def test_the_look_up_says_what_is_missing() -> None:
    ruling = answer(card_1=4, source_1=2, source_2=3, locked=("2",))
    assert ruling.outcome == Paid(cost=4, available=2, possible=False)
    assert english(ruling.headline) == "2 TA missing"
    assert answer().outcome == Paid(cost=0, available=0, possible=True, paid=0, wasted=0), "nothing costs nothing"

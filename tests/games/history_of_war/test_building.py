"""Building in History of War: base expansions, construction in secret, the turning up, placing, and action cards."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.history_of_war import construction, developments, hands, rounds, view
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import ROUND, Last, Phase
from companion.games.history_of_war.state import State
from companion.kit.action import Offer
from companion.kit.decks import FACE_DOWN
from companion.kit.ruling import Reason
from tests.support import history_of_war_positions as front
from tests.support.history_of_war_positions import after, code, english, lying, named, no, offered, refusal, ruled, told
from tests.support.playing import clauses, options_of

BASE = "b steel_works, b power_plant, b field_workshop, r steel_works, r steel_works"
HAND = "medium_tank rifle_company rifle_company bunker_line veteran_crews sudden_storm steel_works"
DECLARATIONS: dict[Phase, str] = {
    "attacker_attack": "HW-54",
    "defender_block": "HW-61",
    "defender_attack": "HW-54",
    "attacker_block": "HW-61",
}


def game(written: str = BASE, **more: Any) -> State:
    """A construction in which Blue and Red hold such cards; no phase passes by itself."""
    fields = {"hands": {"blue": HAND, "red": HAND}, "phase": "construction", "step_by_step": True}
    return front.game(written, **(fields | more))


def expanding(**more: Any) -> State:
    """A base expansion phase."""
    return game(
        hands={"blue": "steel_works power_plant rifle_company", "red": "steel_works"}, phase="base_expansion", **more
    )


def ids(state: State, *written: str) -> tuple[str, ...]:
    return tuple(named(state, one) for one in written)


def laid(state: State, *names: str, seat: Any = "blue") -> State:
    """The state after those cards are laid down."""
    for name in names:
        state = after(state, construction.LayDown(code(state, seat, name)), seat=seat)
    return state


def upgraded(state: State, unit: str) -> State:
    """The state after Blue has laid an upgrade down for a unit."""
    return after(state, construction.LayUpgrade(code(state, "blue", "veteran_crews"), named(state, unit)), seat="blue")


def built(state: State, *lock: str, seat: str = "blue") -> State:
    return after(state, construction.Build(ids(state, *lock)), seat=seat)


def seen(state: State, seat: str) -> bytes:
    """All that a seat is shown: view and offers."""
    return msgspec.json.encode((GAME.view(state, seat), GAME.offers(state, seat)))


def offers(state: State, seat: Any = "blue") -> list[Offer]:
    """What these chapters offer a seat."""
    chapters = (hands.base_offers, construction.offers, developments.offers, hands.action_offers)
    return [offer for chapter in chapters for offer in chapter(state, seat)]


def own(state: State, seat: Any = "blue") -> list[str]:
    return [offer.action for offer in offers(state, seat)]


def spoken(reasons: tuple[Reason, ...]) -> list[str | None]:
    """The clauses of what everybody hears."""
    return clauses(one for one in reasons if one.seat is None)


@pytest.mark.clause("HW-17", "HW-38", "HW-39")
def test_a_base_expansion_comes_into_the_base_unlocked() -> None:
    state = expanding()
    held = code(state, "blue", "power_plant")
    ruling = ruled(state, hands.PlayBase(held), seat="blue")
    new = ruling.outcome.cards[-1]
    assert (new.id, new.code, new.place, new.locked) == (f"c{state.made + 1}", held, "base", False)
    assert held not in ruling.outcome.deck("blue").hand
    assert ruling.outcome.deck("blue").scrapyard == ()
    assert clauses(ruling.reasons) == ["HW-38"]
    assert ruling.outcome.last == Last((new.id,))
    assert ruling.outcome.ta(new) == 1


@pytest.mark.clause("HW-38")
def test_each_player_puts_one_down_in_a_round() -> None:
    state = expanding()
    state = after(state, hands.PlayBase(code(state, "blue", "power_plant")), seat="blue")
    assert no(state, hands.PlayBase(code(state, "blue", "steel_works")), seat="blue") == "HW-38"
    assert "play_base" not in own(state)
    assert own(state, "red") == ["play_base"], "Red has one of its own"
    state = after(state, hands.PlayBase(code(state, "red", "steel_works")), seat="red")
    later = state.but(round=2)
    assert after(later, hands.PlayBase(code(later, "blue", "steel_works")), seat="blue").expanded == {
        "blue": 2,
        "red": 1,
    }


@pytest.mark.clause("HW-31", "HW-37", "HW-38", "HW-76")
def test_only_base_expansions_of_the_hand_and_in_their_phase() -> None:
    state = expanding()
    plant = hands.PlayBase(code(state, "blue", "power_plant"))
    for step in ROUND:
        if step.id != "base_expansion":
            assert no(state.but(phase=step.id), plant, seat="blue") == "HW-31"
            assert "play_base" not in own(state.but(phase=step.id))
    assert no(state.but(phase="mulligan"), plant, seat="blue") == "HW-27"
    assert no(state, hands.PlayBase(code(state, "blue", "rifle_company")), seat="blue") == "HW-38"
    assert no(state, hands.PlayBase("b0.4"), seat="blue") == "HW-37", "it is in the depot"
    lost = state.with_deck("blue", scrapyard=("b0.4",))
    assert no(lost, hands.PlayBase("b0.4"), seat="blue") == "HW-76"
    assert [(offer.on, english(offer.label)) for offer in offered(state, "play_base", "blue")] == [
        (code(state, "blue", "steel_works"), "Put steelworks into your base: 2 TA"),
        (code(state, "blue", "power_plant"), "Put power plant into your base: 1 TA"),
    ]


@pytest.mark.clause("HW-41", "HW-43")
def test_a_card_is_laid_face_down_out_of_the_hand() -> None:
    state = game()
    held = code(state, "blue", "medium_tank")
    ruling = ruled(state, construction.LayDown(held), seat="blue")
    assert [one.code for one in ruling.outcome.plan("blue").laid] == [held]
    assert held not in ruling.outcome.deck("blue").hand
    assert ruling.outcome.cards == state.cards, "it is not in play yet"
    assert ruling.quiet
    assert [(reason.clause, reason.seat) for reason in ruling.reasons] == [("HW-43", "blue")], "only Blue hears which"
    assert told(ruling.reasons) == ["You lay medium tank face down: 3 TA, 1 left"]


@pytest.mark.clause("HW-31", "HW-A07", "HW-11", "HW-76", "HW-05")
def test_what_is_not_built_is_not_laid_down() -> None:
    state = game()
    for name in ("steel_works", "sudden_storm"):
        assert no(state, construction.LayDown(code(state, "blue", name)), seat="blue") == "HW-A07"
    assert no(state, construction.LayDown("t0"), seat="blue") is not None, "a territory is no card of the hand"
    assert no(state, construction.LayDown(code(state, "blue", "veteran_crews")), seat="blue") == "HW-11"
    tank = construction.LayUpgrade(code(state, "blue", "medium_tank"), named(state, "b field_workshop"))
    assert no(state, tank, seat="blue") == "HW-11"
    assert no(state, construction.LayDown("u2.3"), seat="blue") == "HW-37", "it is in the depot"
    lost = state.with_deck("blue", scrapyard=("u2.3",))
    assert no(lost, construction.LayDown("u2.3"), seat="blue") == "HW-76"
    for step in ROUND:
        if step.id != "construction":
            assert (
                no(state.but(phase=step.id), construction.LayDown(code(state, "blue", "medium_tank")), seat="blue")
                == "HW-31"
            )
            assert not {"lay_down", "lay_upgrade", "build"} & set(own(state.but(phase=step.id)))


@pytest.mark.clause("HW-42", "HW-A06")
def test_nobody_lays_down_more_than_he_can_pay() -> None:
    state = laid(game(), "medium_tank")
    assert construction.left(state, "blue") == 1
    bunker = construction.LayDown(code(state, "blue", "bunker_line"))
    assert refusal(state, bunker, seat="blue").clause == "HW-A06"
    assert refusal(state, bunker, seat="blue").field == "card"
    assert [offer.on for offer in offered(state, "lay_down", "blue")] == [code(state, "blue", "rifle_company")]
    full = laid(state, "rifle_company")
    assert offered(full, "lay_down", "blue") == []
    locked = state.with_card(named(state, "b power_plant"), locked=True)
    assert no(locked, construction.LayDown(code(state, "blue", "rifle_company")), seat="blue") == "HW-A06", (
        "nothing is left"
    )


@pytest.mark.clause("HW-43", "HW-44")
def test_a_card_is_taken_back_until_building_is_finished() -> None:
    state = laid(game(), "medium_tank", "rifle_company")
    tank = state.plan("blue").laid[0].code
    ruling = ruled(state, construction.TakeUp(tank), seat="blue")
    assert tank in ruling.outcome.deck("blue").hand
    assert [one.code for one in ruling.outcome.plan("blue").laid] == [state.plan("blue").laid[1].code]
    assert [reason.seat for reason in ruling.reasons] == ["blue"]
    assert no(ruling.outcome, construction.TakeUp(tank), seat="blue") == "HW-43"
    assert no(state, construction.TakeUp(tank), seat="red") == "HW-43"
    assert own(state)[-4:-2] == ["take_up", "take_up"]
    done = built(state, "b steel_works", "b power_plant", "b field_workshop")
    for action in (
        construction.TakeUp(tank),
        construction.LayDown(code(state, "blue", "rifle_company")),
        construction.Build(),
    ):
        assert no(done, action, seat="blue") == "HW-44"
    assert own(done) == [], "the rest of its TA is promised"


@pytest.mark.clause("HW-45", "HW-A06", "HW-36", "HW-40")
def test_what_pays_is_checked_before_anything_is_turned_up() -> None:
    state = laid(game(BASE + ", b steel_works locked, b rifle_company"), "medium_tank")

    def why(*lock: str) -> str | None:
        return no(state, construction.Build(ids(state, *lock)), seat="blue")

    assert why() == "HW-45"
    assert why("b steel_works") == "HW-45"
    assert why("b steel_works", "r steel_works") == "HW-45"
    assert why("b steel_works", "b steel_works 2") == "HW-36"
    assert why("b steel_works", "b rifle_company") == "HW-40"
    done = built(state, "b steel_works", "b field_workshop")
    assert done.plan("blue").built
    assert done.cards == state.cards, "nothing is locked before both have finished"
    assert not construction.finished(done)


@pytest.mark.clause("HW-45", "HW-A05", "HW-36")
def test_to_finish_is_offered_with_what_wastes_least() -> None:
    state = game(BASE + ", b steel_works locked")
    (nothing,) = offered(state, "build", "blue")
    assert (english(nothing.label), nothing.fields, nothing.main) == ("Build nothing", (), False)
    state = laid(state, "medium_tank")
    (offer,) = offered(state, "build", "blue")
    assert offer.main
    assert offer.fields[0].value == ids(state, "b steel_works", "b power_plant")
    assert named(state, "b steel_works 2") not in options_of(offer, "lock")
    assert [(english(line.text), line.value) for line in offer.advice] == [("medium tank", 3)]
    poor = state.with_card(named(state, "b steel_works"), locked=True)
    assert own(poor) == ["take_up", "play_action"], "what can not be paid is taken back first"


@pytest.mark.clause("HW-44", "HW-45", "HW-47", "HW-18", "HW-41", "HW-42")
def test_when_both_have_finished_all_is_turned_up_and_paid() -> None:
    state = laid(laid(game(), "medium_tank"), "rifle_company", seat="red")
    tank, rifles = state.plan("blue").laid[0].code, state.plan("red").laid[0].code
    first = ruled(state, construction.Build(ids(state, "r steel_works")), seat="red")
    assert spoken(first.reasons) == ["HW-44"], "nobody hears what, nor what pays"
    assert told(first.reasons)[0] == "Red has finished building: 1 card lies face down"
    assert not first.reveals
    ruling = ruled(first.outcome, construction.Build(ids(state, "b steel_works", "b power_plant")), seat="blue")
    now = ruling.outcome
    new = {card.code: card for card in now.cards[-2:]}
    assert [(new[one].seat, new[one].place, new[one].locked) for one in (tank, rifles)] == [
        ("blue", "deployment", True),
        ("red", "deployment", True),
    ]
    assert {card.id for card in state.cards if now.played(card.id).locked} == set(
        ids(state, "b steel_works", "b power_plant", "r steel_works")
    )
    assert now.last == Last((new[tank].id, new[rifles].id))
    assert ruling.reveals, "it is not taken back without the other's yes"
    assert construction.finished(now)
    public = [reason for reason in ruling.reasons if reason.seat is None]
    assert [(reason.clause, reason.value) for reason in public[:7]] == [
        ("HW-44", None),
        ("HW-41", 3),
        ("HW-45", 3),
        ("HW-47", None),
        ("HW-41", 1),
        ("HW-45", 2),
        ("HW-A05", -1),
    ]
    assert [english(reason.text) for reason in public[1:5]] == [
        "Blue builds",
        "Blue locks for TA",
        "medium tank: into play, locked",
        "Red builds",
    ]
    assert told(public[1].terms) == ["medium tank"]
    assert told(public[2].terms) == ["steelworks", "power plant"]


@pytest.mark.clause("HW-44", "HW-46")
def test_the_cards_of_the_attacker_are_told_first() -> None:
    state = laid(laid(game(attacker="red"), "rifle_company"), "rifle_company", seat="red")
    state = built(state, "b power_plant")
    lines = told(ruled(state, construction.Build(ids(state, "r steel_works")), seat="red").reasons)
    assert lines.index("Red builds") < lines.index("Blue builds")


@pytest.mark.clause("HW-44", "HW-41")
def test_nobody_has_to_build() -> None:
    state = built(game())
    ruling = ruled(state, construction.Build(), seat="red")
    assert ruling.outcome.cards == state.cards
    assert {"Blue builds nothing", "Red builds nothing"} <= set(told(ruling.reasons))
    assert construction.finished(ruling.outcome)
    assert not ruling.reveals, "nothing lay face down"
    assert not construction.finished(game())


@pytest.mark.clause("HW-10", "HW-12", "HW-A08")
def test_an_upgrade_stays_with_its_unit_and_locks_it() -> None:
    for place in ("deployment", "base"):
        state = upgraded(game(BASE + f", b rifle_company {place}"), "b rifle_company")
        (plan,) = state.plan("blue").laid
        assert not lying(state, "b rifle_company").locked, "not before it is turned up"
        ruling = ruled(built(state, seat="red"), construction.Build(ids(state, "b power_plant")), seat="blue")
        unit = lying(ruling.outcome, "b rifle_company")
        assert (unit.upgrades, unit.locked, unit.place) == ((plan.code,), True, place)
        assert ruling.outcome.value(unit, "ground") == 2
        assert {"HW-10", "HW-12"} <= set(spoken(ruling.reasons))
        assert len(ruling.outcome.cards) == len(state.cards)


@pytest.mark.clause("HW-A38")
def test_the_upgrades_of_a_lost_unit_follow_it() -> None:
    state = upgraded(game(BASE + ", b rifle_company"), "b rifle_company")
    state = built(built(state, "b power_plant"), seat="red")
    unit = lying(state, "b rifle_company")
    assert hands.bury(state, unit).deck("blue").scrapyard == (unit.code, *unit.upgrades)


@pytest.mark.clause("HW-11", "HW-12", "HW-A08")
def test_upgrades_are_for_own_unlocked_units_at_home() -> None:
    written = "b steel_works, b heavy_tank locked, b rifle_company t1, b railhead t1, b destroyer base, b medium_tank"
    state = game(f"{written}, r rifle_company", hands={"blue": "veteran_crews veteran_crews"})

    def why(unit: str) -> str | None:
        return no(state, construction.LayUpgrade(code(state, "blue", "veteran_crews"), named(state, unit)), seat="blue")

    assert why("b heavy_tank") == "HW-11", "locked"
    assert why("b rifle_company") == "HW-11", "in a territory"
    assert why("b railhead") == "HW-11", "no unit"
    assert why("b steel_works") == "HW-11"
    assert why("r rifle_company") == "HW-11", "not its own"
    (offer,) = offered(state, "lay_upgrade", "blue")
    assert options_of(offer, "unit") == list(ids(state, "b destroyer", "b medium_tank"))
    assert {option.barred.clause for option in offer.fields[0].options if option.barred} == {"HW-11"}
    state = upgraded(state, "b medium_tank")
    assert why("b medium_tank") == "HW-12", "it will be locked by the first"
    assert why("b railhead") == "HW-11"
    (offer,) = offered(state, "lay_upgrade", "blue")
    assert offer.fields[0].value == named(state, "b destroyer"), "the only one left"
    alone = game("b steel_works, b medium_tank t1")
    assert offered(alone, "lay_upgrade", "blue") == []
    why_not = view.not_playable(alone, "blue", code(alone, "blue", "veteran_crews"))
    assert why_not is not None
    assert why_not.clause == "HW-11"


@pytest.mark.clause("HW-12", "HW-36", "HW-40", "HW-A06")
def test_a_unit_that_gets_an_upgrade_does_not_pay() -> None:
    state = upgraded(game("b field_workshop, b power_plant"), "b field_workshop")
    assert construction.left(state, "blue") == 0
    assert no(state, construction.Build(ids(state, "b field_workshop")), seat="blue") == "HW-12"
    assert no(state, construction.LayDown(code(state, "blue", "rifle_company")), seat="blue") == "HW-A06"
    (offer,) = offered(state, "build", "blue")
    assert offer.fields[0].value == ids(state, "b power_plant")
    poor = game("b field_workshop")
    assert no(
        poor, construction.LayUpgrade(code(poor, "blue", "veteran_crews"), named(poor, "b field_workshop")), seat="blue"
    ) == ("HW-A06"), "the workshop can not pay for its own"
    assert offered(poor, "lay_upgrade", "blue") == []


@pytest.mark.clause("HW-A06")
def test_a_plan_that_can_not_be_any_more_is_made_anew() -> None:
    for changed in ({"locked": True}, {"place": "t1"}):
        state = upgraded(game("b power_plant, b rifle_company"), "b rifle_company")
        state = built(state, "b power_plant").with_card(named(state, "b rifle_company"), **changed)
        ruling = ruled(state, construction.Build(), seat="red")
        assert not construction.finished(ruling.outcome)
        assert not ruling.reveals
        assert ruling.outcome.cards == state.cards
        assert spoken(ruling.reasons)[-1] == "HW-A06"
        assert ruling.outcome.plan("red").built
        assert ruling.outcome.plan("blue").laid == state.plan("blue").laid
        again = after(ruling.outcome, construction.TakeUp(state.plan("blue").laid[0].code), seat="blue")
        assert construction.finished(built(again))
    state = built(laid(game(), "rifle_company"), "b power_plant")
    state = state.with_card(named(state, "b power_plant"), locked=True)
    assert not after(state, construction.Build(), seat="red").plan("blue").built, "what was to pay is locked"


@pytest.mark.clause("HW-14", "HW-19", "HW-46", "HW-47")
def test_the_attacker_places_developments_and_then_the_defender() -> None:
    state = laid(laid(game(), "bunker_line", "rifle_company"), "bunker_line", seat="red")
    ruling = ruled(
        built(state, "r steel_works", seat="red"),
        construction.Build(ids(state, "b steel_works", "b power_plant")),
        seat="blue",
    )
    assert told(ruling.reasons)[-1] == "Blue puts developments into territories"
    state = ruling.outcome
    blue, red = lying(state, "b bunker_line"), lying(state, "r bunker_line")
    assert (blue.place, blue.locked, red.place, red.locked) == ("laid", True, "laid", True)
    assert developments.to_place(state) == "blue"
    assert not construction.finished(state)
    assert no(state, developments.Place(red.id, "t1"), seat="red") == "HW-46", "Blue goes first"
    assert own(state, "red") == ["play_action"]
    (offer,) = offered(state, "place", "blue")
    assert (offer.on, options_of(offer, "to")) == (blue.id, ["t1", "t2", "t3", "t4"])
    placed = ruled(state, developments.Place(blue.id, "t2"), seat="blue")
    assert (lying(placed.outcome, "b bunker_line").place, placed.outcome.last) == ("t2", Last((blue.id,), ("t2",)))
    assert lying(placed.outcome, "b bunker_line").locked
    assert clauses(placed.reasons) == ["HW-46"]
    assert developments.to_place(placed.outcome) == "red"
    state = after(placed.outcome, developments.Place(red.id, "t2"), seat="red")
    assert construction.finished(state)
    assert developments.to_place(state) is None


@pytest.mark.clause("HW-46", "HW-95", "HW-31")
def test_a_development_goes_into_a_territory_that_is_still_to_conquer() -> None:
    state = game(
        "b bunker_line laid, b railhead t1, b rifle_company, r bunker_line laid",
        lands="b coastal_province, b river_line, r capital_region b",
    )
    bunker = named(state, "b bunker_line")
    assert no(state, developments.Place(bunker, "t3"), seat="blue") == "HW-95"
    assert no(state, developments.Place(bunker, "t9"), seat="blue") == "HW-46"
    assert no(state, developments.Place(bunker, "base"), seat="blue") == "HW-46"
    assert no(state, developments.Place(named(state, "b railhead"), "t2"), seat="blue") == "HW-46", (
        "it lies where it is for good"
    )
    assert no(state, developments.Place(named(state, "b rifle_company"), "t2"), seat="blue") == "HW-46"
    assert no(state, developments.Place(named(state, "r bunker_line"), "t2"), seat="blue") == "HW-46"
    assert no(state.but(phase="damage_1"), developments.Place(bunker, "t1"), seat="blue") == "HW-31"
    assert "place" not in own(state.but(phase="damage_1"))
    (offer,) = offered(state, "place", "blue")
    assert options_of(offer, "to") == ["t1", "t2"]
    one = state.but(territories=(state.territories[0], state.territories[2]))
    assert offered(one, "place", "blue")[0].fields[0].value == "t1", "the only one"
    none = game("b bunker_line laid", lands="b coastal_province b")
    assert developments.to_place(none) is None


@pytest.mark.clause("HW-43", "HW-44")
def test_a_construction_begins_with_nothing_laid_down() -> None:
    for cards in ("companion", "real"):
        state = built(laid(game(cards=cards), "medium_tank"), "b steel_works", "b power_plant")
        left = state.but(phase="base_expansion", done=("blue",))
        again = after(left, rounds.Done(), seat="red")
        assert (again.phase, again.plans) == ("construction", {})
        assert again.deck("blue") == game(cards=cards).deck("blue"), "what lay there is back in the hand"
        assert "lay_down" in own(again)


@pytest.mark.clause("HW-43", "HW-44")
def test_nobody_else_learns_what_lies_face_down() -> None:
    state = game(BASE + ", b rifle_company")
    tank, bunker = laid(state, "medium_tank"), laid(state, "bunker_line")
    crews = upgraded(state, "b rifle_company")
    settled = [
        built(tank, "b steel_works", "b power_plant"),
        built(bunker, "b steel_works"),
        built(crews, "b field_workshop"),
    ]
    for seat in ("red", "screen", "rulekeeper"):
        assert len({seen(one, seat) for one in (tank, bunker, crews)}) == 1
        assert len({seen(one, seat) for one in settled}) == 1
    assert len({seen(one, "blue") for one in (tank, bunker, crews)}) == 3
    assert GAME.offers(tank, "red") == GAME.offers(state, "red")
    finishing = ((tank, ("b steel_works", "b power_plant")), (bunker, ("b steel_works",)))
    rulings = [ruled(plan, construction.Build(ids(plan, *lock)), seat="blue") for plan, lock in finishing]
    said = {msgspec.json.encode([one for one in ruling.reasons if one.seat is None]) for ruling in rulings}
    assert len(said) == 1, "nor by what is told"


@pytest.mark.clause("HW-43")
def test_the_other_sees_how_many_cards_lie_face_down_and_nothing_more() -> None:
    def parts(value: Any, path: str = "") -> dict[str, Any]:
        if isinstance(value, dict):
            return {name: it for key, one in value.items() for name, it in parts(one, f"{path}.{key}").items()}
        if isinstance(value, list | tuple):
            return {name: it for at, one in enumerate(value) for name, it in parts(one, f"{path}.{at}").items()}
        return {path: value}

    state = game()
    before, now = (
        parts(msgspec.json.decode(msgspec.json.encode(GAME.view(one, "red"))))
        for one in (state, laid(state, "medium_tank"))
    )
    changed = {
        path.rpartition(".")[2]: (before.get(path), now.get(path))
        for path in before | now
        if before.get(path) != now.get(path)
    }
    assert changed == {"count": (7, 6), "hidden": (None, 1)}, "one card less in the hand, one face down"


@pytest.mark.clause("HW-A09", "HW-54", "HW-61")
def test_action_cards_are_played_in_any_phase_but_the_declarations() -> None:
    for step in ROUND:
        state = game(phase=step.id)
        for seat in ("blue", "red"):
            storm = hands.PlayAction(code(state, seat, "sudden_storm"), ids(state, f"{seat[0]} steel_works"))
            if step.id in DECLARATIONS:
                assert no(state, storm, seat=seat) == DECLARATIONS[step.id]
                assert "play_action" not in own(state, seat)
            else:
                assert after(state, storm, seat=seat).deck(seat).scrapyard == (storm.card,)
                assert "play_action" in own(state, seat)
    early = game(phase="mulligan")
    assert no(early, hands.PlayAction(code(early, "blue", "sudden_storm")), seat="blue") == "HW-A09"


@pytest.mark.clause("HW-13", "HW-A09", "HW-45", "HW-A05")
def test_an_action_card_is_paid_for_told_and_gone() -> None:
    state = game(phase="draw")
    card = code(state, "blue", "sudden_storm")
    ruling = ruled(state, hands.PlayAction(card, ids(state, "b steel_works")), seat="blue")
    now = ruling.outcome
    assert lying(now, "b steel_works").locked
    assert (now.deck("blue").scrapyard, card in now.deck("blue").hand) == ((card,), False)
    assert clauses(ruling.reasons) == ["HW-A09", "HW-45", "HW-A05", "HW-13", "HW-A09"]
    assert told(ruling.reasons)[0] == "Blue plays sudden storm: 1 TA"
    by_hand = "Do what it says by hand, in the menu under “Correct something”; the card goes to the scrapyard"
    assert told(ruling.reasons)[-1] == by_hand
    assert english(ruling.headline) == "Blue plays sudden storm. By hand: Unlock one of your units."
    (offer,) = offered(state, "play_action", "blue")
    (advice,) = offer.advice
    assert english(advice.text) == "Unlock one of your units. Do that by hand, in the menu under “Correct something”"
    assert now.cards == state.with_card(named(state, "b steel_works"), locked=True).cards, "the table does the rest"
    assert no(now, hands.PlayAction(card, ids(state, "b power_plant")), seat="blue") == "HW-76"
    red = ruled(state, hands.PlayAction(code(state, "red", "sudden_storm"), ids(state, "r steel_works")), seat="red")
    assert told(red.reasons)[-1] == "If both want to play one now, Blue goes first"


@pytest.mark.clause("HW-A09", "HW-45", "HW-36", "HW-37")
def test_an_action_card_that_can_not_be_played_is_refused() -> None:
    state = game(BASE + ", b railhead t1 locked", phase="final")
    card = code(state, "blue", "sudden_storm")
    assert no(state, hands.PlayAction(card), seat="blue") == "HW-45"
    assert no(state, hands.PlayAction(card, ids(state, "b railhead")), seat="blue") == "HW-36"
    assert no(
        state, hands.PlayAction(code(state, "blue", "medium_tank"), ids(state, "b steel_works")), seat="blue"
    ) == ("HW-A09")
    assert no(state, hands.PlayAction("a0.1", ids(state, "b steel_works")), seat="blue") == "HW-37"
    (offer,) = offered(state, "play_action", "blue")
    assert (offer.on, offer.fields[0].value) == (card, ids(state, "b power_plant"))
    poor = game("r steel_works", phase="final")
    assert offered(poor, "play_action", "blue") == []
    why_not = view.not_playable(poor, "blue", code(poor, "blue", "sudden_storm"))
    assert why_not is not None
    assert why_not.clause == "HW-45"


@pytest.mark.clause("HW-A09", "HW-45", "HW-12")
def test_what_is_promised_to_construction_pays_for_no_action_card() -> None:
    state = built(laid(game(), "medium_tank"), "b steel_works", "b power_plant")
    storm = code(state, "blue", "sudden_storm")
    assert no(state, hands.PlayAction(storm, ids(state, "b power_plant")), seat="blue") == "HW-A05"
    (offer,) = offered(state, "play_action", "blue")
    assert offer.fields[0].value == ids(state, "b field_workshop")
    state = after(state, hands.PlayAction(storm, ids(state, "b field_workshop")), seat="blue")
    assert construction.finished(built(state, seat="red")), "and the rest is built as planned"
    state = built(upgraded(game(), "b field_workshop"), "b power_plant")
    assert no(state, hands.PlayAction(storm, ids(state, "b field_workshop")), seat="blue") == "HW-12"


@pytest.mark.clause("HW-31", "HW-38", "HW-44", "HW-45", "HW-A06")
def test_why_a_card_of_the_hand_can_not_be_played_is_said() -> None:
    def why(state: State, name: str) -> str | None:
        found = view.not_playable(state, "blue", code(state, "blue", name))
        return found.clause if found else None

    state = game()
    assert (why(state, "medium_tank"), why(state, "veteran_crews"), why(state, "sudden_storm")) == (None, None, None)
    assert why(state, "steel_works") == "HW-31"
    assert why(laid(state, "bunker_line"), "medium_tank") == "HW-A06"
    assert why(built(state), "medium_tank") == "HW-44"
    assert why(state.but(phase="damage_1"), "medium_tank") == "HW-31"
    expanded = expanding(expanded={"blue": 1})
    assert why(expanded, "steel_works") == "HW-38"
    poor = upgraded(
        game("b power_plant, b rifle_company, b medium_tank", hands={"blue": "veteran_crews veteran_crews"}),
        "b rifle_company",
    )
    assert why(poor, "veteran_crews") == "HW-A06", "there is a unit, and no TA"


@pytest.mark.clause("HW-38", "HW-43", "HW-47", "HW-A09")
def test_real_cards_are_named_when_they_are_played() -> None:
    state = game(cards="real")
    works = hands.PlayBase(code(state, "blue", "steel_works"))
    base = after(state.but(phase="base_expansion"), works, seat="blue")
    assert (base.cards[-1].code, base.cards[-1].place) == ("b0.1", "base"), "the first copy is in play"
    assert len(base.deck("blue").hand) == 6
    state = laid(state, "medium_tank", "rifle_company")
    assert state.deck("blue").hand == (FACE_DOWN,) * 5
    state = after(state, construction.TakeUp("u2.0"), seat="blue")
    assert (len(state.deck("blue").hand), "u2.0" in state.deck("blue").out) == (6, False)
    assert [one.code for one in state.plan("blue").laid] == ["u0.0"]
    state = built(built(state, "b power_plant"), seat="red")
    assert (state.cards[-1].code, state.cards[-1].locked) == ("u0.0", True)
    storm = hands.PlayAction("a0.0", ids(state, "b steel_works"))
    state = after(state, storm, seat="blue")
    assert state.deck("blue").scrapyard == ("a0.0",)
    again = after(state, hands.PlayAction("a0.0", ids(state, "b field_workshop")), seat="blue")
    assert again.deck("blue").scrapyard == ("a0.0", "a0.1"), "there are two of them"
    assert no(again, hands.PlayAction("a0.0"), seat="blue") == "HW-76"


@pytest.mark.clause("HW-43", "HW-45", "HW-46")
def test_what_is_offered_is_done_as_it_is_filled_in() -> None:
    states = [
        game(),
        laid(game(), "medium_tank"),
        expanding(),
        game("b bunker_line laid", lands="b coastal_province"),
        upgraded(game(), "b field_workshop"),
        game(cards="real"),
    ]
    for state in states:
        for offer in offers(state):
            chosen = {
                field.name: field.value if field.value is not None else options_of(offer, field.name)[0]
                for field in offer.fields
            }
            action = msgspec.convert({"action": offer.action, **offer.given, **chosen}, GAME.actions)
            assert after(state, action, seat="blue") != state, offer


@pytest.mark.clause("HW-31", "HW-44")
def test_an_old_page_builds_nothing_in_a_later_round() -> None:
    state = game(round=4)
    (offer,) = offered(state, "build", "blue")
    assert offer.given == {"round": 4}
    refused = refusal(state, construction.Build(round=3), seat="blue")
    assert (refused.clause, refused.field, english(refused.text)) == ("HW-31", "round", "That phase is over already.")
    assert after(state, construction.Build(round=4), seat="blue").plan("blue").built


@pytest.mark.clause("HW-09", "HW-A16")
def test_an_upgrade_that_changes_a_value_its_unit_has_not_says_so() -> None:
    state = game("b steel_works, b field_workshop, b medium_tank")
    (offer,) = offered(state, "lay_upgrade", "blue")
    assert [english(option.note) for option in offer.fields[0].options] == [
        "1 TA left with it; it has no such attack value to change: ground",
        "2 TA left with it",
    ]
    line = "field workshop has no such attack value to change: ground. If the card gives it one, tick it by hand."
    on_shop = construction.LayUpgrade(code(state, "blue", "veteran_crews"), named(state, "b field_workshop"))
    laying = [(english(one.text), one.clause, one.seat) for one in ruled(state, on_shop, seat="blue").reasons]
    assert (line, "HW-A16", "blue") in laying
    built_it = after(after(state, on_shop, seat="blue"), construction.Build(), seat="red")
    turned = ruled(built_it, construction.Build(ids(state, "b steel_works")), seat="blue").reasons
    assert (line, "HW-A16", None) in [(english(one.text), one.clause, one.seat) for one in turned]
    on_tank = construction.LayUpgrade(code(state, "blue", "veteran_crews"), named(state, "b medium_tank"))
    assert "HW-A16" not in clauses(ruled(state, on_tank, seat="blue").reasons)

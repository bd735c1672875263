"""Deployment: units from the hand, their equipment, what it costs, where they may stand, paratroopers and fighters."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import deployment
from companion.games.tactics_2gm.cards import Equipment, UnitCard, Weapon
from companion.games.tactics_2gm.deployment import Deploy
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.state import Last, Natural, Phase, State, Token
from companion.kit import decks
from companion.kit.panels import Card, Hand
from companion.kit.ruling import Refusal
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, battle, code, english, no, offered, refusal, ruled

HAND = "light_infantry heavy_infantry m4_sherman"
RIFLE = Weapon(name="rifle", range=2, hit=5, crit=10, penetration=2, damage=1)


def deploying(written: str = "x1 tiger d6", hand: str = HAND, **more: Any) -> Any:
    """A battle in the deployment phase of the Allies, who hold those cards."""
    return battle(written, **({"hands": {"allies": hand}, "phase": "deployment", "turn": 3, "ap": 9} | more))


def deploy(state: Any, name: str, to: str | None = "d1", *equipment: str) -> Deploy:
    return Deploy(code(state, "allies", name), to, equipment)


def landings(state: Any, name: str) -> set[str]:
    (offer, *_) = [one for one in offered(state, "deploy") if one.on == code(state, "allies", name)]
    return set(options_of(offer, "to"))


@pytest.mark.clause("G2-57", "G2-89", "G2-90")
def test_a_unit_goes_from_the_hand_to_the_deployment_line_for_its_ap() -> None:
    state = deploying()
    held = code(state, "allies", "m4_sherman")
    ruling = ruled(state, deploy(state, "m4_sherman", "c1"))
    now = ruling.outcome
    unit = now.unit("u51")
    assert (unit.seat, unit.code, unit.square, unit.deployed, unit.tokens) == ("allies", held, "c1", 3, ())
    assert (now.ap["allies"], now.made, now.last) == (5, 51, Last(None, "c1"))
    assert held not in now.deck("allies").hand
    assert held in now.deck("allies").out
    assert now.deck("allies").discard == ()
    assert clauses(ruling.reasons) == ["G2-90", "G2-89"]
    assert ruling.reasons[0].value == -4


@pytest.mark.clause("G2-77", "G2-89", "G2-155")
def test_units_are_deployed_in_the_own_deployment_phase_out_of_the_own_hand() -> None:
    state = deploying(hands={"allies": HAND, "axis": "tiger"})
    for phase in ("headquarters", "movement", "fire", "discard"):
        assert no(state.but(phase=phase), deploy(state, "m4_sherman")) == "G2-77"
        assert offered(state.but(phase=phase), "deploy") == []
    assert no(state, Deploy(code(state, "axis", "tiger"), "d6"), seat="axis") == "G2-02"
    assert no(state.but(done=("allies",)), deploy(state, "m4_sherman")) == "G2-77"
    assert no(state, Deploy("99.0", "d1")) == "G2-89"
    lying = next(one for one in state.deck("allies").pile if isinstance(state.find_card("allies", one), UnitCard))
    assert no(state, Deploy(lying, "d1")) == "G2-89", "it is in the deck"
    both = deploying(hand="", hands={"allies_1": "light_infantry"}, players="three", pair="allies")
    mine = Deploy(code(both, "allies_1", "light_infantry"), "d1")
    assert after(both, mine, seat="allies_1").units[-1].seat == "allies_1"


@pytest.mark.clause("G2-39", "G2-72", "G2-85", "G2-89")
def test_any_free_square_of_the_own_first_line_will_do() -> None:
    state = deploying("a1 half_track b1, x1 tiger c1, x2 tiger d6", natural={"h1": Natural("river", "impassable")})
    assert landings(state, "m4_sherman") == {"a1", "d1", "e1", "f1", "g1"}
    assert no(state, deploy(state, "m4_sherman", "b1")) == "G2-85"
    assert no(state, deploy(state, "m4_sherman", "c1")) == "G2-85"
    assert no(state, deploy(state, "m4_sherman", "h1")) == "G2-127"
    assert no(state, deploy(state, "m4_sherman", "d2")) == "G2-89"
    assert no(state, deploy(state, "m4_sherman", "d6")) == "G2-89"
    for nowhere in (None, "i1", "d7"):
        assert no(state, deploy(state, "m4_sherman", nowhere)) == "G2-38"
    axis = battle("a1 half_track b1", hands={"axis": "tiger"}, phase="deployment", turn=4, active="axis", ap=9)
    (offer, *_) = offered(axis, "deploy")
    assert options_of(offer, "to") == [f"{file}6" for file in "abcdefgh"], "their first line is our sixth"
    full = deploying(", ".join(f"a{at} light_infantry {file}1" for at, file in enumerate("abcdefgh")))
    assert offered(full, "deploy") == []


@pytest.mark.clause("G2-162")
def test_partners_with_two_copies_deploy_along_the_whole_joint_line() -> None:
    state = deploying(hand="", players="four", copies="two", hands={"allies_2": "light_infantry"})
    action = Deploy(code(state, "allies_2", "light_infantry"), "p1")
    (offer, *_) = offered(state, "deploy", "allies_2")
    assert options_of(offer, "to") == [f"{file}1" for file in "abcdefghijklmnop"]
    assert after(state, action, seat="allies_2").unit("u51").square == "p1"
    one = deploying(hand="", players="four", copies="one", hands={"allies_2": "light_infantry"})
    assert no(one, action, seat="allies_2") == "G2-38"


@pytest.mark.clause("G2-30", "G2-90", "G2-92")
def test_nobody_deploys_what_he_can_not_pay_for() -> None:
    state = deploying(ap=4)
    assert no(state, deploy(state, "m4_sherman", "d1", "mg_1")) == "G2-90"
    assert refusal(state, deploy(state, "m4_sherman", "d1", "mg_1")).field == "card"
    assert after(state, deploy(state, "m4_sherman")).ap["allies"] == 0
    assert after(state, deploy(state, "m4_sherman", "d1", "mg_2")).ap["allies"] == 0, "the other MG costs nothing"
    poor = state.with_ap("allies", 1)
    assert no(poor, deploy(poor, "m4_sherman")) == "G2-90"
    assert {offer.on for offer in offered(poor, "deploy")} == {code(poor, "allies", "light_infantry")}


@pytest.mark.clause("G2-90")
def test_cards_of_the_hand_that_can_not_be_paid_for_are_marked() -> None:
    state = deploying(hands={"allies": "light_infantry m4_sherman bomber_plane impact_card medic"}, ap=1)
    dear = {code(state, "allies", name) for name in ("m4_sherman", "bomber_plane", "impact_card")}
    assert {card.code for card in cards_of(state) if card.barred and card.barred.clause in {"G2-90", "G2-138"}} == dear


HELD = "light_infantry m4_sherman fighter_plane bomber_plane impact_card medic mechanic shovel ammunition"
FULL = ", ".join(f"a{at} heavy_infantry {file}1" for at, file in enumerate("abcdefgh", 1))


def why_not(state: State, name: str) -> tuple[str, str] | None:
    """Why a card of the Allies' hand can not be played, with its clause."""
    own = code(state, "allies", name)
    (why,) = (card.barred for card in cards_of(state) if card.code == own)
    return why and (english(why.text), why.clause or "")


@pytest.mark.clause("G2-77", "G2-91")
@pytest.mark.parametrize("phase", ["headquarters", "movement", "deployment", "fire"])
@pytest.mark.parametrize("units", ["", "a1 heavy_infantry d1 1w, x1 tiger e6", FULL])
def test_each_card_of_the_hand_can_be_played_in_the_own_turn_or_says_why_not(phase: Phase, units: str) -> None:
    state = battle(units, hands={"allies": HELD}, phase=phase, turn=3, ap=4)
    playable = {offer.on for offer in GAME.offers(state, "allies")}
    for card in cards_of(state):
        assert (card.code in playable) is (card.barred is None), english(card.name)
    assert not any(card.barred for card in cards_of(state.but(active="axis"))), "a hand that waits is read as it is"


@pytest.mark.parametrize(
    ("name", "units", "phase", "said"),
    [
        ("medic", "a1 heavy_infantry d1 1w", "fire", ("That is done in the deployment phase.", "G2-91")),
        ("fighter_plane", "", "fire", ("That is done in the deployment phase.", "G2-89")),
        ("mechanic", "a1 heavy_infantry d1 1w", "deployment", ("There is no unit on which it can be played.", "G2-18")),
        ("medic", "a1 heavy_infantry d1", "deployment", ("No unit that it is for has wounds.", "G2-118")),
        ("light_infantry", FULL, "deployment", ("No square is free for it.", "G2-89")),
        ("medic", "a1 heavy_infantry d1 1w", "deployment", None),
    ],
)
def test_a_card_says_why_it_can_not_be_played(
    name: str, units: str, phase: Phase, said: tuple[str, str] | None
) -> None:
    assert why_not(battle(units, hands={"allies": HELD}, phase=phase, turn=3, ap=9), name) == said


@pytest.mark.clause("G2-122")
def test_cards_are_barred_by_nothing_while_they_are_discarded_or_before_the_battle() -> None:
    state = battle(hands={"allies": HELD}, phase="discard", turn=3)
    assert not any(card.barred for card in cards_of(state))
    assert not any(card.barred for card in cards_of(state.but(phase="mulligan")))


def cards_of(state: State) -> tuple[Card, ...]:
    """The cards of the Allied hand as their player sees them."""
    (hand,) = (panel for panel in GAME.view(state, "allies").panels if isinstance(panel, Hand))
    return hand.cards


# Equipment


@pytest.mark.clause("G2-67", "G2-68", "G2-92", "G2-94")
def test_equipment_is_bought_with_the_unit_and_tanks_take_all_they_like() -> None:
    state = deploying()
    ruling = ruled(state, deploy(state, "m4_sherman", "d1", "mg_1", "mg_2", "howitzer", "smoke_grenade"))
    assert ruling.outcome.ap["allies"] == 0
    assert ruling.outcome.unit("u51").tokens == tuple(
        Token(slot) for slot in ("mg_1", "mg_2", "howitzer", "smoke_grenade")
    )
    assert clauses(ruling.reasons) == ["G2-90", "G2-89", "G2-92", "G2-92", "G2-92", "G2-92"]
    assert no(state, deploy(state, "m4_sherman", "d1", "bazooka")) == "G2-67"
    assert no(state, deploy(state, "m4_sherman", "d1", "mg_1", "mg_1")) == "G2-92"


@pytest.mark.clause("G2-93")
def test_infantry_takes_one_offensive_and_one_defensive_equipment() -> None:
    state = deploying()
    assert after(state, deploy(state, "heavy_infantry", "d1", "mortar", "prone")).ap["allies"] == 5
    assert no(state, deploy(state, "heavy_infantry", "d1", "mortar", "hmg")) == "G2-93"
    armoured = [Equipment(slot_id=slot, cost=0, kind="defensive") for slot in ("vest", "prone")]
    men = UnitCard(name="guards", family="infantry", cost=1, wounds=2, weapon=(RIFLE,), option=tuple(armoured))
    with pytest.raises(Refusal) as two:
        deployment.chosen(men, ("vest", "prone"))
    assert two.value.clause == "G2-93"
    for family in ("transport", "artillery", "tank"):
        found = deployment.chosen(replace(men, family=family), ("vest", "prone"))
        assert deployment.cost(men, found) == 1


@pytest.mark.clause("G2-92", "G2-93")
def test_offers_say_what_equipment_costs_and_mark_what_is_too_dear() -> None:
    state = deploying(ap=5)
    (equipped,) = [one for one in offered(state, "deploy") if one.on == code(state, "allies", "m4_sherman")]
    assert ([field.name for field in equipped.fields], equipped.loose) == (["to", "equipment"], True)
    assert options_of(equipped, "equipment") == ["mg_1", "mg_2", "smoke_grenade"]
    barred = next(option for option in equipped.fields[1].options if option.value == "howitzer")
    assert barred.barred is not None
    assert barred.barred.clause == "G2-92"
    assert equipped.fields[1].hint is None
    notes = {option.value: english(option.note) for option in equipped.fields[1].options}
    card = state.find_card("allies", str(equipped.on))
    assert isinstance(card, UnitCard)
    whole = deployment.cost(card, ()) + 1
    assert notes["mg_1"] == f"+1 AP, offensive: {whole} AP with it"
    assert notes["smoke_grenade"] == f"+1 AP, defensive: {whole} AP with it"
    (men,) = [one for one in offered(state, "deploy") if one.on == code(state, "allies", "heavy_infantry")]
    assert men.fields[1].hint is not None, "how much infantry may take"
    (poor,) = offered(state.with_ap("allies", 1), "deploy")
    assert (len(poor.fields), poor.loose) == (1, False), "nothing is left for equipment"


@pytest.mark.clause("G2-89")
def test_each_kind_of_card_is_offered_once() -> None:
    state = deploying(hand="light_infantry light_infantry light_infantry")
    assert len(offered(state, "deploy")) == 1
    assert decks.one_each(("1.2", "1.0", "0.3", "12.1")) == ("1.2", "0.3", "12.1")


# Paratroopers and aircraft


@pytest.mark.clause("G2-144")
def test_paratroopers_land_anywhere_without_enemies_and_buildings() -> None:
    sea = {"h6": Natural("sea", "impassable")}
    state = deploying(
        "a1 half_track b2, x1 tiger d6, x2 tiger c4",
        hand="paratrooper_squad",
        natural=sea,
        grounds="house e4 axis, trench f4 axis",
    )
    board = {f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 7)}
    assert landings(state, "paratrooper_squad") == board - {"b2", "d6", "c4", "e4", "h6"}
    assert after(state, deploy(state, "paratrooper_squad", "d5")).unit("u51").square == "d5"
    assert after(state, deploy(state, "paratrooper_squad", "f4")).unit("u51").square == "f4"
    assert no(state, deploy(state, "paratrooper_squad", "c4")) == "G2-144"
    assert no(state, deploy(state, "paratrooper_squad", "e4")) == "G2-144"
    assert no(state, deploy(state, "paratrooper_squad", "b2")) == "G2-85"
    assert no(state, deploy(state, "paratrooper_squad", "h6")) == "G2-127"
    ruin = state.with_ground("g1", ruin=True, pi=0)
    assert after(ruin, deploy(state, "paratrooper_squad", "e4")).unit("u51").square == "e4"


@pytest.mark.clause("G2-142", "G2-144")
def test_anti_aircraft_fires_at_paratroopers_before_they_land() -> None:
    state = deploying("x1 flak_gun d5", hand="paratrooper_squad")
    hit = after(state, deploy(state, "paratrooper_squad", "d3"), 10)
    assert hit.find("u51") is None
    assert hit.lost == {"allies": 1}
    assert hit.deck("allies").discard == (code(state, "allies", "paratrooper_squad"),)
    assert hit.ap["allies"] == 6, "paid for all the same"


@pytest.mark.clause("G2-138", "G2-139", "G2-141")
def test_a_fighter_waits_beside_the_headquarters_and_a_bomber_is_not_deployed() -> None:
    state = deploying(hand="fighter_plane bomber_plane")
    now = after(state, deploy(state, "fighter_plane", None))
    assert (now.unit("u51").square, now.ap["allies"]) == (None, 6)
    assert no(state, deploy(state, "fighter_plane", "d1")) == "G2-139"
    assert no(state, deploy(state, "bomber_plane", None)) == "G2-141"
    assert [offer.on for offer in offered(state, "deploy")] == [code(state, "allies", "fighter_plane")]


# The real battlefield, real cards


@pytest.mark.clause("G2-38", "G2-89")
def test_on_the_table_units_are_deployed_without_a_square() -> None:
    state = deploying("x1 tiger", board="table", hand="light_infantry paratrooper_squad")
    now = after(state, deploy(state, "light_infantry", None, "grenade"))
    assert (now.unit("u51").square, now.ap["allies"]) == (None, 7)
    assert no(state, deploy(state, "light_infantry", "d1")) == "G2-38"
    assert after(state, deploy(state, "paratrooper_squad", None)).unit("u51").deployed == 3
    men, air = offered(state, "deploy")
    assert ([field.name for field in men.fields], air.fields) == (["equipment"], ())


@pytest.mark.clause("G2-89")
def test_real_cards_are_played_by_their_kind_as_long_as_a_copy_may_be_held() -> None:
    state = deploying(cards="real", hand="light_infantry light_infantry", ap=9)
    once = after(state, deploy(state, "command_group"))
    assert once.unit("u51").code == "2.0"
    twice = after(once, deploy(state, "command_group", "e1"))
    assert twice.unit("u52").code == "2.1", "the second copy"
    assert twice.deck("allies").hand == ()
    assert no(twice, deploy(state, "light_infantry", "f1")) == "G2-89", "the hand is empty"
    assert offered(twice, "deploy") == []


@pytest.mark.clause("G2-89")
def test_support_cards_are_not_deployed() -> None:
    state = deploying(hand="medic")
    assert no(state, deploy(state, "medic")) == "G2-89"
    assert offered(state, "deploy") == []


def test_as_many_units_are_in_play_as_there_are_cards() -> None:
    state = battle("a3 fighter_plane", board="table")
    (plane,) = state.units
    swarm = state.but(units=tuple(replace(plane, id=f"u{at}") for at in range(1000)))
    assert msgspec.json.decode(msgspec.json.encode(swarm), type=State) == swarm, "such a table can be stored and read"

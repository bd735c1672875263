"""2GM Tactics in the air: bombers, fighters, interception and escort, anti-aircraft (G2-138 to G2-144)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import aiming
from companion.games.tactics_2gm.air import Bomb, Sortie
from companion.games.tactics_2gm.deployment import Deploy
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.state import Ground, State, Token
from companion.games.tactics_2gm.turn import EndPhase
from companion.kit.panels import Board
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Refusal
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, asked, battle, code, english, no, offered, refusal, ruled, told

BOMBER = {"allies": "bomber_plane"}


def bombing(written: str = "x1 light_infantry d4", **more: Any) -> State:
    """The Allies hold a bomber in their deployment phase."""
    return battle(written, **({"hands": BOMBER, "phase": "deployment"} | more))


def bomb(state: State, target: str = "x1") -> Bomb:
    return Bomb(code(state, state.acting[0], "bomber_plane"), target)


def by(state: State, action: Any, *dice: int, **choices: Any) -> list[tuple[str, str]]:
    """What an action asks of whom, in order."""
    return [
        (one.key, one.by if isinstance(one, Throw) else one.seat)
        for one in asked(state, action, *dice, **choices)
        if isinstance(one, Throw | Choose)
    ]


@pytest.mark.clause("G2-138", "G2-141")
def test_a_bomber_is_paid_for_attacks_at_once_and_is_discarded() -> None:
    state = bombing(ap=6)
    card = code(state, "allies", "bomber_plane")
    ruling = ruled(state, bomb(state), 4)
    done = ruling.outcome
    assert (done.ap["allies"], done.deck("allies").hand, done.deck("allies").discard) == (2, (), (card,))
    assert (done.find("x1"), len(done.units)) == (None, 0)
    assert done.deck("axis").discard == (state.unit("x1").code,)
    assert told(ruling.reasons)[-1].endswith("discarded after its use")
    assert clauses(ruling.reasons)[0] == "G2-138"
    assert after(bombing(fighter_after_use="stays", ap=6), bomb(state), 4).units == (), "only fighters stay"


@pytest.mark.clause("G2-138", "G2-30")
def test_a_bomber_that_can_not_be_paid_for_stays_in_the_hand() -> None:
    poor = bombing(ap=3)
    assert no(poor, bomb(poor)) == "G2-138"
    assert not offered(poor, "bomb")
    assert offered(poor.but(ap={"allies": 4, "axis": 0}), "bomb")


@pytest.mark.clause("G2-91", "G2-141")
def test_a_bomber_is_played_like_a_support_card_in_the_deployment_phase() -> None:
    for phase in ("headquarters", "movement", "fire"):
        state = bombing(phase=phase)
        assert no(state, bomb(state)) == "G2-77"
        assert not offered(state, "bomb")
    state = bombing()
    assert no(state, bomb(state), seat="axis") == "G2-02"
    assert no(state, Bomb(state.deck("allies").pile[0], "x1")) == "G2-89"
    tank = bombing(hands={"allies": "m4_sherman"})
    assert no(tank, Bomb(code(tank, "allies", "m4_sherman"), "x1")) == "G2-141"


@pytest.mark.clause("G2-141", "G2-101")
def test_an_aircraft_attacks_at_any_distance_with_its_own_numbers() -> None:
    state = bombing("a1 light_infantry d1, x1 tiger h6, x2 light_infantry a6", grounds="house h6 axis, wall a6 axis")
    offer = offered(state, "bomb")[0]
    assert [(one.value, english(one.note)) for one in offer.fields[0].options] == [
        ("x1", "0 harm: penetration 6, armour 7"),
        ("x2", "5+/10"),
        ("g1", "4+"),
        ("hq_axis", "4+"),
    ]
    assert offer.chancy
    assert after(state, bomb(state, "hq_axis"), 9).hq("hq_axis").pi == 7
    assert after(state, bomb(state, "g1"), 4).grounds[0].pi == 2
    assert after(state, bomb(state, "x1"), 10).unit("x1").wounds == 0
    assert after(state, bomb(state, "x2"), 4).unit("x2").wounds == 0
    assert after(state, bomb(state, "x2"), 5).find("x2") is None


@pytest.mark.clause("G2-140", "G2-99")
def test_only_what_is_the_enemys_and_on_the_ground_is_attacked() -> None:
    state = bombing("a1 light_infantry d1, x1 light_infantry d4, x2 fighter_plane", grounds="wall c3 axis")
    assert no(state, bomb(state, "a1")) == "G2-99"
    assert no(state, bomb(state, "hq_allies")) == "G2-99"
    assert no(state, bomb(state, "x2"), intercept_axis="nobody") == "G2-139"
    assert no(state, bomb(state, "g1")) == "G2-133"
    assert set(options_of(offered(state, "bomb")[0], "target")) == {"x1", "hq_axis"}
    assert state.ap["allies"] == 5


@pytest.mark.clause("G2-139", "G2-140", "G2-A30")
def test_a_fighter_attacks_in_the_deployment_or_the_fire_phase_and_is_discarded() -> None:
    for phase in ("deployment", "fire"):
        state = battle("a1 fighter_plane, x1 light_infantry d4 2w", phase=phase)
        assert options_of(offered(state, "sortie")[0], "target") == ["x1", "hq_axis"]
        done = after(state, Sortie("a1", "x1"), 5)
        assert (done.find("x1"), done.find("a1"), done.ap) == (None, None, state.ap)
        assert done.deck("allies").discard == (state.unit("a1").code,)
    for phase in ("headquarters", "movement"):
        assert no(battle("a1 fighter_plane, x1 light_infantry d4", phase=phase), Sortie("a1", "x1")) == "G2-77"
    state = battle("a1 fighter_plane, a2 light_infantry d1, x1 light_infantry d4, x2 fighter_plane")
    assert no(state, Sortie("a2", "x1")) == "G2-140"
    assert no(state, Sortie("x2", "a2")) == "G2-155"
    assert no(state, Sortie("a1", "a2")) == "G2-99"


@pytest.mark.clause("G2-140", "G2-A30")
def test_where_fighters_stay_each_flies_once_a_turn() -> None:
    state = battle("a1 fighter_plane, x1 light_infantry d4", fighter_after_use="stays")
    flown = after(state, Sortie("a1", "x1"), 5)
    assert flown.unit("a1").fired == ("w0",)
    assert flown.unit("x1").wounds == 1
    assert no(flown, Sortie("a1", "x1")) == "G2-140"
    assert not offered(flown, "sortie")
    assert flown.deck("allies").discard == ()


@pytest.mark.clause("G2-142", "G2-143", "G2-A31")
def test_anti_aircraft_within_range_of_the_attacked_square_fires_before_the_attack() -> None:
    state = bombing("x1 light_infantry d4, x2 flak_gun h4, x3 flak_gun h3")
    assert by(state, bomb(state), 6, 4, flak_x2="w0") == [
        ("flak_x2", "axis"),
        ("flak_die_x2", "axis"),
        ("shot_w0", "allies"),
    ]
    down = after(state, bomb(state), 10, flak_x2="w0")
    assert (down.unit("x1").wounds, down.lost, len(down.deck("allies").discard)) == (0, {"allies": 1}, 1)
    assert by(state, bomb(state), 10, flak_x2="w0") == [("flak_x2", "axis"), ("flak_die_x2", "axis")]
    assert by(state, bomb(state), 3, flak_x2="hold") == [("flak_x2", "axis"), ("shot_w0", "allies")]


@pytest.mark.clause("G2-142", "G2-A31", "G2-97")
def test_each_anti_aircraft_unit_fires_once_a_turn_and_still_has_its_own_turn() -> None:
    state = battle("a1 fighter_plane, a2 fighter_plane, x1 light_infantry d4, x2 flak_gun d5, x3 flak_gun d6")
    first = after(state, Sortie("a1", "x1"), 5, 5, 1, flak_x2="w0", flak_x3="w0")
    assert (first.unit("x2").fired, first.unit("x3").fired) == (("w0",), ("w0",))
    assert by(first, Sortie("a2", "x1"), 1) == [("shot_w0", "allies")]
    one = after(state, Sortie("a1", "x1"), 5, 1, flak_x2="w0", flak_x3="hold")
    assert by(one, Sortie("a2", "x1"), 1, flak_x3="hold") == [("flak_x3", "axis"), ("shot_w0", "allies")]
    turned = first.but(phase="discard")
    for seat in turned.acting:
        turned = after(turned, EndPhase(), seat=seat) if turned.active == "allies" else turned
    assert (turned.active, turned.unit("x2").fired) == ("axis", ())


@pytest.mark.clause("G2-142", "G2-A31")
def test_an_anti_aircraft_unit_named_again_is_refused() -> None:
    state = battle("a1 fighter_plane, a2 fighter_plane, x1 light_infantry d4, x2 flak_gun d5, x3 flak_gun h1")
    fired = after(state, Sortie("a1", "x1"), 5, 1, flak_x2="w0")
    again = refusal(fired, Sortie("a2", "x1"), 1, flak_x2="w0")
    assert (again.clause, again.field) == ("G2-142", "answers")
    assert english(again.text) == "Each fires once a turn, and this one has: anti-aircraft gun d5"
    far = refusal(state, Sortie("a1", "x1"), 1, flak_x2="hold", flak_x3="w0")
    assert far.clause == "G2-142"
    assert by(fired, Sortie("a2", "x1"), 1, flak_x2="hold") == [("shot_w0", "allies")], "to hold its fire it may"


@pytest.mark.clause("G2-142", "G2-A31")
def test_range_to_an_attacked_headquarters_is_counted_to_it() -> None:
    for near, far in (("a6", "a5"), ("h6", "g4"), ("d3", "c3")):
        state = bombing(f"x1 flak_gun {near}, x2 flak_gun {far}")
        assert [key for key, _ in by(state, bomb(state, "hq_axis"), 4, flak_x1="hold")] == ["flak_x1", "shot_w0"]


@pytest.mark.clause("G2-142", "G2-143")
def test_anti_aircraft_that_is_attacked_fires_too() -> None:
    state = bombing("x1 flak_gun d4")
    assert after(state, bomb(state), 10, flak_x1="w0").unit("x1").wounds == 0


@pytest.mark.clause("G2-142", "G2-106", "G2-116")
def test_the_shot_of_anti_aircraft_counts_its_wounds_and_nothing_covers_a_plane() -> None:
    state = bombing("x1 light_infantry d4 +prone, x2 flak_gun d5 1w", grounds="wall d4 axis")
    question = asked(state, bomb(state), 7, 3, flak_x2="w0")[0]
    assert isinstance(question, Choose)
    assert (question.options[0].value, english(question.options[0].note)) == ("w0", "10% to shoot it down")
    assert clauses(question.advice) == ["G2-103", "G2-63", "G2-104", "G2-142"]
    assert [term.value for term in question.advice[0].terms] == [6, 1]
    hurt = ruled(state, bomb(state), 7, 7, flak_x2="w0")
    # 4+ of the bombs, +1 for the wound, +1 for the wall, +1 for prone.
    assert hurt.outcome.find("x1") is None
    assert ruled(state, bomb(state), 7, 6, flak_x2="w0").outcome.find("x1") is not None
    assert ruled(state, bomb(state), 6, 6, flak_x2="w0").outcome.find("x1") is None


@pytest.mark.clause("G2-142")
def test_grey_and_other_guns_do_not_fire_at_aircraft() -> None:
    state = bombing("x1 light_infantry d4, x2 anti_tank_gun d5, x3 flak_gun e5")
    assert [key for key, _ in by(state, bomb(state), 1, flak_x3="hold")] == ["flak_x3", "shot_w0"]
    grey = state.with_unit("x3", tokens=(Token("w0", used=0),))
    assert [key for key, _ in by(grey, bomb(grey), 1)] == ["shot_w0"]


@pytest.mark.clause("G2-142", "G2-A31")
def test_where_only_the_real_battlefield_knows_the_owner_says_whether_it_is_within_range() -> None:
    state = bombing("x1 light_infantry, x2 flak_gun", board="table")
    question = asked(state, bomb(state), 4, flak_x2="hold")[0]
    assert isinstance(question, Choose)
    assert [one.value for one in question.options] == ["w0", "hold"]
    assert told(question.advice)[0] == "only if that is no more than 4 squares away"
    down = after(state, bomb(state), 10, flak_x2="w0")
    assert down.lost == {"allies": 1}
    headquarters = after(state, bomb(state, "hq_axis"), 4, flak_x2="hold")
    assert headquarters.headquarters[1].pi == 7


@pytest.mark.clause("G2-140", "G2-A30")
def test_an_enemy_with_a_fighter_is_asked_whether_it_intercepts_and_says_what_came_of_it() -> None:
    state = bombing("x1 light_infantry d4, x2 fighter_plane, x3 flak_gun d5")
    passed = [("intercept_axis", "axis"), ("flak_x3", "axis"), ("shot_w0", "allies")]
    assert by(state, bomb(state), 1, intercept_axis="nobody", flak_x3="hold") == passed
    settled = [("intercept_axis", "axis"), ("fate", "axis"), ("fate_x2", "axis")]
    assert by(state, bomb(state), intercept_axis="x2", fate="shot_down", fate_x2="home") == settled
    down = after(state, bomb(state), intercept_axis="x2", fate="shot_down", fate_x2="home")
    assert (down.lost, len(down.deck("allies").discard)) == ({"allies": 1}, 1)
    assert (down.find("x2"), down.deck("axis").discard) == (None, (state.unit("x2").code,))
    back = ruled(state, bomb(state), intercept_axis="x2", fate="turns_back", fate_x2="shot_down")
    assert (back.outcome.lost, back.outcome.unit("x1").wounds) == ({"axis": 1}, 0)
    assert len(back.outcome.deck("allies").discard) == 1
    assert any(line.startswith("Axis: ") and line.endswith("turns back") for line in told(back.reasons))
    on = after(state, bomb(state), 5, intercept_axis="x2", fate="goes_on", fate_x2="home", flak_x3="hold")
    assert on.find("x1") is None


@pytest.mark.clause("G2-140", "G2-A30")
def test_another_fighter_of_the_attacker_may_escort() -> None:
    state = bombing("a1 fighter_plane, x1 light_infantry d4, x2 fighter_plane", fighter_after_use="stays")
    fates = {"fate": "goes_on", "fate_x2": "shot_down", "fate_a1": "home"}
    assert by(state, bomb(state), 1, intercept_axis="x2", escort_allies="a1", **fates) == [
        ("intercept_axis", "axis"),
        ("escort_allies", "allies"),
        ("fate", "axis"),
        ("fate_x2", "axis"),
        ("fate_a1", "axis"),
        ("shot_w0", "allies"),
    ]
    flown = after(state, bomb(state), 1, intercept_axis="x2", escort_allies="a1", **fates)
    assert (flown.lost, flown.find("x2"), flown.unit("a1").fired) == ({"axis": 1}, None, ("w0",))
    assert no(flown, Sortie("a1", "x1")) == "G2-140"
    # A fighter that attacks is no escort of its own, and one that stays is asked again.
    lone = battle("a1 fighter_plane, x1 light_infantry d4, x2 fighter_plane", fighter_after_use="stays")
    flight = by(lone, Sortie("a1", "x1"), 1, intercept_axis="x2", fate="goes_on", fate_x2="home")
    assert [key for key, _ in flight] == ["intercept_axis", "fate", "fate_x2", "shot_w0"]
    home = after(lone, Sortie("a1", "x1"), 1, intercept_axis="x2", fate="goes_on", fate_x2="home")
    assert (home.unit("x2").fired, home.unit("a1").fired) == (("w0",), ("w0",))


@pytest.mark.clause("G2-142", "G2-144", "G2-A31")
def test_anti_aircraft_fires_at_paratroopers_where_they_land() -> None:
    state = battle("x1 flak_gun d5, x2 flak_gun a1", hands={"allies": "paratrooper_squad"}, phase="deployment")
    drop = Deploy(code(state, "allies", "paratrooper_squad"), "d3")
    assert by(state, drop, 6, flak_x1="w0") == [("flak_x1", "axis"), ("flak_die_x1", "axis")]
    landed = after(state, drop, 6, flak_x1="w0")
    assert [(one.square, one.wounds) for one in landed.of("allies")] == [("d3", 1)]
    assert (landed.unit("x1").fired, landed.unit("x2").fired) == (("w0",), ())
    shot = after(state, drop, 10, flak_x1="w0")
    assert (shot.of("allies"), shot.lost) == ((), {"allies": 1})
    assert after(state, drop, flak_x1="hold").of("allies")[0].wounds == 0
    infantry = battle("x1 flak_gun d2", hands={"allies": "light_infantry"}, phase="deployment")
    assert by(infantry, Deploy(code(infantry, "allies", "light_infantry"), "d1")) == []


@pytest.mark.clause("G2-142", "G2-144")
def test_on_a_real_battlefield_the_owner_says_whether_paratroopers_land_within_range() -> None:
    state = battle("x1 flak_gun", hands={"allies": "paratrooper_squad"}, phase="deployment", board="table")
    drop = Deploy(code(state, "allies", "paratrooper_squad"))
    assert after(state, drop, 6, flak_x1="w0").of("allies")[0].wounds == 1
    assert after(state, drop, flak_x1="hold").of("allies")[0].wounds == 0


@pytest.mark.clause("G2-109", "G2-140")
def test_an_attack_is_hopeless_where_no_weapon_of_an_aircraft_can_hit() -> None:
    state = battle("a1 fighter_plane, x1 light_infantry d4 +prone", natural_ten="hard", grounds="house d4 axis")
    hurt = state.with_unit("a1", wounds=3)
    hopeless = [
        {option.value: option.hopeless and english(option.hopeless.text) for option in offer.fields[0].options}["x1"]
        for now in (state, hurt)
        for offer in offered(now, "sortie")
    ]
    assert hopeless == [None, "cannot hit: needs 11"]


@pytest.mark.clause("G2-98")
def test_an_aircraft_fires_all_its_weapons_until_the_target_is_destroyed() -> None:
    state = battle("a1 fighter_plane, x1 light_infantry d4")
    roster = state.rosters["allies"]
    kind = int(state.unit("a1").code.partition(".")[0])
    guns = roster.unit[kind].weapon
    twin = replace(roster.unit[kind], weapon=(*guns, replace(guns[0], name="rockets")))
    units = tuple(twin if at == kind else one for at, one in enumerate(roster.unit))
    state = state.but(rosters={**state.rosters, "allies": replace(roster, unit=units)})
    assert english(offered(state, "sortie")[0].fields[0].options[0].note) == "5+/10, 5+/10"
    assert after(state, Sortie("a1", "x1"), 5, 5).unit("x1").wounds == 2
    assert by(state, Sortie("a1", "x1"), 10) == [("shot_w0", "allies")]


@pytest.mark.clause("G2-155", "G2-140", "G2-142")
def test_partners_fly_and_fire_each_with_their_own() -> None:
    state = battle(
        "a1 fighter_plane, b1 light_infantry d1, x1 light_infantry d4, y1 fighter_plane, x2 flak_gun d5", players="four"
    )
    assert no(state, Sortie("a1", "x1"), seat="allies_2") == "G2-155"
    assert not offered(state, "sortie", seat="allies_2")
    assert by(state, Sortie("a1", "x1"), 1, intercept_axis_2="nobody", flak_x2="hold", seat="allies_1") == [
        ("intercept_axis_2", "axis_2"),
        ("flak_x2", "axis_1"),
        ("shot_w0", "allies_1"),
    ]


@pytest.mark.clause("G2-141")
def test_a_real_bomber_card_leaves_a_hand_that_is_only_counted() -> None:
    state = bombing(cards="real")
    assert [offer.given["card"] for offer in offered(state, "bomb")] == [code(state, "allies", "bomber_plane")]
    done = after(state, bomb(state), 1)
    assert (len(done.deck("allies").hand), len(done.deck("allies").discard)) == (0, 1)
    again = bombing("x1 light_infantry d4", cards="real", hands={"allies": "bomber_plane m4_sherman"})
    used = after(again, bomb(again), 1)
    assert no(used.but(ap={"allies": 9, "axis": 0}), bomb(used)) == "G2-89"


@pytest.mark.clause("G2-A07", "G2-115")
def test_an_aircraft_counts_among_those_who_fire_in_the_fire_phase() -> None:
    state = battle("a1 fighter_plane, a2 light_infantry d3, x1 light_infantry d4")
    both = after(after(state, Sortie("a1", "x1"), 1), Fire("a2", "w0", "x1"), 1)
    assert both.unit("x1").suppressed == "allies"
    assert after(state, Fire("a2", "w0", "x1"), 1).unit("x1").suppressed is None


@pytest.mark.clause("G2-142", "G2-143", "G2-110")
def test_the_odds_of_an_attack_from_the_air_and_of_being_shot_down() -> None:
    state = bombing("x1 light_infantry d4, x2 flak_gun d5, x3 flak_gun a1, x4 tiger e4")
    attack, way = GAME.foresee(state, "allies", bomb(state))
    # 4+ with damage 3 against 3 wounds; penetration 6. The flak is within range once: 10 destroys, one wound of two is
    # not enough.
    assert [bar.chance for bar in attack.bars] == [Fraction(3, 10), Fraction(5, 10), Fraction(2, 10)]
    assert [bar.chance for bar in way.bars] == [Fraction(1, 10), Fraction(9, 10)]
    house = state.but(grounds=(Ground("g1", 3, "axis", "e4", 5),))
    bounced, _ = GAME.foresee(house, "allies", bomb(house, "x4"))
    assert [bar.chance for bar in bounced.bars] == [Fraction(5, 10), Fraction(5, 10)]
    both = state.with_unit("x3", square="d6")
    assert GAME.foresee(both, "allies", bomb(both))[1].bars[0].chance == 1 - Fraction(9, 10) ** 2 + Fraction(16, 100)
    with pytest.raises(Refusal) as refused:
        GAME.foresee(state, "allies", bomb(state, "hq_allies"))
    assert refused.value.clause == "G2-99"
    table = bombing("x1 light_infantry, x2 flak_gun", board="table")
    assert len(GAME.foresee(table, "allies", bomb(table))) == 1


@pytest.mark.clause("G2-143", "G2-A31", "G2-112")
def test_what_is_shot_down_is_fired_at_no_more_and_wounds_add_up() -> None:
    state = bombing("x1 light_infantry d4, x2 flak_gun d5, x3 flak_gun d6")
    first = by(state, bomb(state), 10, flak_x2="w0", flak_x3="w0")
    assert first == [("flak_x2", "axis"), ("flak_die_x2", "axis")]
    both = after(state, bomb(state), 6, 6, flak_x2="w0", flak_x3="w0")
    assert (both.lost, both.unit("x1").wounds) == ({"allies": 1}, 0)


@pytest.mark.clause("G2-101", "G2-142")
def test_no_distance_is_told_that_nobody_knows() -> None:
    state = bombing("x1 light_infantry, x2 flak_gun", board="table")
    assert "G2-101" not in clauses(ruled(state, bomb(state), 10, flak_x2="w0").reasons)
    near = bombing("x1 light_infantry d4, x2 flak_gun d5")
    assert "G2-101" in clauses(ruled(near, bomb(near), 10, flak_x2="w0").reasons)


@pytest.mark.clause("G2-140", "G2-70")
def test_a_fighter_that_has_flown_or_can_not_fire_stays_where_it_is() -> None:
    state = bombing("a1 fighter_plane, x1 light_infantry d4, x2 fighter_plane", fighter_after_use="stays")
    flown = state.with_unit("x2", fired=("w0",))
    assert by(flown, bomb(flown), 1) == [("shot_w0", "allies")]
    assert not offered(state, "sortie", seat="axis")
    grey = state.with_unit("a1", tokens=(Token("w0", used=0),))
    assert no(grey, Sortie("a1", "x1")) == "G2-140"
    assert not offered(grey, "sortie")


@pytest.mark.clause("G2-139")
def test_waiting_aircraft_are_drawn_on_squares_of_their_own_beside_the_headquarters() -> None:
    state = battle("a1 fighter_plane")
    (plane,) = state.units
    many = state.but(units=tuple(replace(plane, id=f"a{at}") for at in range(1, 8)))
    (drawn,) = (panel for panel in GAME.view(many, "axis").panels if isinstance(panel, Board))
    assert {piece.square for piece in drawn.pieces if piece.square and piece.square[1:] == "0"} == {
        f"{file}0" for file in "abcdefgh"
    }


@pytest.mark.clause("G2-142", "G2-159", "G2-A31")
def test_anti_aircraft_counts_to_the_headquarters_of_the_copy_that_is_attacked() -> None:
    state = battle("x1 flak_gun l6", players="four", copies="two")
    away = {hq.id: aiming.apart(state.unit("x1"), hq) for hq in state.headquarters if hq.side == "axis"}
    assert away == {"hq_axis": 8, "hq_axis_2": 1}

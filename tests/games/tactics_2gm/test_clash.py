"""Fights of 2GM Tactics as they are drawn: who meets whom, what the faces do, what may still save the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm.air import Bomb, Sortie
from companion.games.tactics_2gm.assault import Assault
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.deployment import Deploy, PlayCard
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.options import hq_place
from companion.games.tactics_2gm.state import Mark, Natural, State
from companion.kit.asking import Pending
from companion.kit.clash import effect_of
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Throw
from tests.support.armed import pieces
from tests.support.tactics_2gm_positions import acting, battle, code, english, ruled, unit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.kit.clash import Clash, Combatant
    from companion.kit.ruling import Reason

DUEL = "a1 light_infantry d3, x1 light_infantry d4"
SHOT = Fire("a1", "w0", "x1")
RAID = "a1 fighter_plane, x1 light_infantry d4"


def clashes(reasons: Iterable[Reason]) -> list[Clash]:
    return [reason.clash for reason in reasons if reason.clash is not None]


def waiting(state: State, action: Any, *dice: int, **choices: str) -> Pending:
    """The question that an action waits for, with what everybody reads meanwhile."""
    with pytest.raises(Pending) as waits:
        GAME.rule(state, acting(state), action, PreparedAnswers(choices, dice))
    return waits.value


def drawn(state: State, action: Any, *dice: int, **choices: str) -> Clash:
    """The clash that is in sight while a question of an action waits."""
    return clashes(waiting(state, action, *dice, **choices).reasons)[-1]


def stats(one: Combatant | None) -> dict[str, str]:
    assert one is not None
    return {sign: english(number) for sign, number in one.stats}


def pair(clash: Clash) -> tuple[str, str, str | None]:
    return clash.by.id, clash.way, clash.against and clash.against.id


def bombing(written: str, **more: Any) -> tuple[State, Bomb]:
    state = battle(written, hands={"allies": "bomber_plane"}, phase="deployment", **more)
    return state, Bomb(code(state, "allies", "bomber_plane"), "x1")


def assaulting(mode: str, **more: Any) -> State:
    return battle(DUEL, phase="movement", assault_mode=mode, **more)


# Who meets whom


def test_a_shot_shows_both_before_its_die_is_thrown() -> None:
    state = battle("a1 light_infantry d3 1w, x1 heavy_infantry d4 2w", grounds="wall d4 axis")
    waits = waiting(state, SHOT)
    assert isinstance(waits.question, Throw)
    (line,) = waits.reasons
    assert english(line.text) == "light infantry d3: 7 or more to hit"
    assert line.marks == (("a1", "acting"), ("x1", "target"))
    (clash,) = clashes(waits.reasons)
    by, against = clash.by, clash.against
    assert against is not None
    assert (pair(clash), clash.cancels) == (("a1", "shot", "x1"), ())
    assert (by.side, english(by.name), by.glyph, by.place) == ("allies", "light infantry", "infantry", "d3")
    assert (by.hits, by.strength, by.ground, by.note) == (1, 3, "", None)
    assert stats(by) == {"die": "7+", "skull": "10+", "bolt": "2", "hearts": "1"}
    assert (against.side, english(against.name), against.glyph, against.place) == (
        "axis",
        "heavy infantry",
        "heavy",
        "d4",
    )
    assert (against.hits, against.strength, against.ground, english(against.note)) == (2, 3, "wall", "wall")
    assert stats(against) == {"shield": "1"}


def test_the_ruling_of_a_shot_shows_the_same_clash_and_who_was_harmed() -> None:
    state = battle(DUEL)
    reasons = ruled(state, SHOT, 5).reasons
    assert clashes(reasons) == [drawn(state, SHOT)]
    begins = next(at for at, reason in enumerate(reasons) if reason.clash is not None)
    assert reasons[begins].faces == (5,)
    (harm,) = [harm for reason in reasons[begins:] for harm in reason.harm]
    assert (harm.to.id, harm.hits) == ("x1", 1)


def test_what_stands_on_natural_ground_or_in_a_building_shows_it() -> None:
    natural = battle(DUEL).but(natural={"d4": Natural("forest")})
    building = battle(DUEL, grounds="house d4 axis")
    ruin = building.with_ground("g1", ruin=True, pi=0)
    for state, kind, armour in ((natural, "forest", 1), (building, "house", None), (ruin, "ruin", 1)):
        against = drawn(state, SHOT).against
        assert against is not None
        assert (against.ground, against.note is not None) == (kind, True)
        inside = building.terrain(building.grounds[0]).armour_bonus
        assert stats(against) == {"shield": str(1 + inside if armour is None else armour)}


def test_a_headquarters_and_a_building_are_shown_with_the_points_they_have_left() -> None:
    state = battle("a1 m4_sherman d5, x1 light_infantry d4", grounds="house c5 axis, house d4 axis")
    state = state.with_hq("hq_axis", pi=4).with_ground("g1", pi=1)
    hq = drawn(state, Fire("a1", "w0", "hq_axis"))
    assert hq.against is not None
    assert (hq.against.id, hq.against.side, hq.against.glyph) == ("hq_axis", "axis", "flag")
    assert (english(hq.against.name), english(hq.against.note)) == ("Headquarters", "4 of 10 PI")
    assert "skull" not in stats(hq.by), "a headquarters is immune to criticals"
    most = state.terrain(state.grounds[0]).pi
    for name, side, left in (("g1", "", 1), ("g2", "axis", most)):
        house = drawn(state, Fire("a1", "w0", name)).against
        assert house is not None
        assert (house.side, house.glyph, english(house.note)) == (side, "house", f"{left} of {most} PI")


@pytest.mark.parametrize("number", [1, 2])
def test_two_headquarters_of_a_side_are_told_apart(number: int) -> None:
    state = battle(players="four", copies="two")
    (hq,) = [hq for hq in state.headquarters if hq.side == "axis" and hq.board == number - 1]
    near = f"{hq_place(hq.side, hq.board)[0]}6"
    clash = drawn(state.but(units=(unit(state, f"a1 m4_sherman {near}"),)), Fire("a1", "w0", hq.id))
    assert clash.against is not None
    assert english(clash.against.name) == f"Headquarters {number}"


def test_on_a_real_battlefield_nobody_has_a_place() -> None:
    state = battle("a1 light_infantry, x1 light_infantry", board="table")
    clash = drawn(state, Fire("a1", "w0", "x1", distance=1))
    assert (clash.by.place, clash.against and clash.against.place) == (None, None)


def test_an_assault_shows_a_melee_by_hand_or_by_a_shot() -> None:
    by_hand = ruled(assaulting("manual"), Assault("a1", "x1", harm=1, own_harm=1)).reasons
    assert [pair(one) for one in clashes(by_hand)] == [("a1", "melee", "x1")]
    assert by_hand[0].clash is not None
    assert {harm.to.id for reason in by_hand for harm in reason.harm} == {"a1", "x1"}
    by_shot = assaulting("fire")
    assert pair(drawn(by_shot, Assault("a1", "x1"))) == ("a1", "melee", "x1")
    reasons = ruled(by_shot, Assault("a1", "x1"), 5).reasons
    assert [pair(one) for one in clashes(reasons)] == [("a1", "melee", "x1")], "its die lies in the tray of the assault"
    assert stats(clashes(reasons)[0].by)["die"] == "5+"


# In the air


def test_an_aircraft_shows_whom_it_flies_at_before_anybody_is_asked() -> None:
    state, action = bombing(f"{DUEL}, x2 fighter_plane, x3 flak_gun d5")
    waits = waiting(state, action)
    clash = clashes(waits.reasons)[-1]
    plane = clash.by
    assert waits.question.key == "intercept_axis"
    assert (english(plane.name), plane.glyph, plane.side, plane.place) == ("bomber", "bomb", "allies", None)
    assert pair(clash)[1:] == ("shot", "x1")
    assert [english(one) for one in clash.cancels] == ["A fighter may intercept", "Anti-aircraft may fire first"]
    alone = drawn(battle(RAID), Sortie("a1", "x1"))
    assert (pair(alone), alone.cancels) == (("a1", "shot", "x1"), ())
    assert stats(alone.by) == {"die": "5+", "skull": "10+", "bolt": "2", "hearts": "1"}


def test_an_interception_shows_the_fighter_against_the_aircraft() -> None:
    state = battle(f"{RAID}, x2 fighter_plane, a2 fighter_plane")
    clash = drawn(state, Sortie("a1", "x1"), intercept_axis="x2")
    assert (pair(clash), [english(one) for one in clash.cancels]) == (
        ("x2", "block", "a1"),
        ["A fighter may escort it"],
    )
    fate = drawn(state, Sortie("a1", "x1"), intercept_axis="x2", escort_allies="a2")
    assert pair(fate) == ("x2", "block", "a1")
    lone = drawn(battle(f"{RAID}, x2 fighter_plane"), Sortie("a1", "x1"), intercept_axis="x2")
    assert lone.cancels == ()
    choices = {"intercept_axis": "x2", "escort_allies": "nobody", "fate": "shot_down", "fate_x2": "home"}
    down = ruled(state, Sortie("a1", "x1"), **choices).reasons
    assert pair(clashes(down)[-1]) == ("x2", "block", "a1")
    assert [(harm.to.id, harm.fate) for reason in down for harm in reason.harm] == [("a1", "gone")]


def test_anti_aircraft_shows_its_shot_while_it_is_asked_and_nothing_where_it_holds_its_fire() -> None:
    state, sortie = battle(f"{RAID}, x3 flak_gun d5 1w"), Sortie("a1", "x1")
    asked = drawn(state, sortie)
    assert (pair(asked), asked.by.hits, stats(asked.by)["die"]) == (("x3", "shot", "a1"), 1, "7+")
    assert asked.against is not None
    assert (asked.against.glyph, stats(asked.against)) == ("plane", {"shield": "1"})
    assert pair(drawn(state, sortie, flak_x3="w0")) == ("x3", "shot", "a1")
    fired = ruled(state, sortie, 1, 5, flak_x3="w0").reasons
    assert [pair(one) for one in clashes(fired)] == [("a1", "shot", "x1"), ("x3", "shot", "a1"), ("a1", "shot", "x1")]
    held = ruled(state, sortie, 5, flak_x3="hold").reasons
    assert {pair(one) for one in clashes(held)} == {("a1", "shot", "x1")}
    assert clashes(held)[-1].cancels == (), "what did not fire saves nobody any more"


def test_anti_aircraft_shows_paratroopers_in_the_air() -> None:
    state = battle("x1 flak_gun d5", hands={"allies": "paratrooper_squad"}, phase="deployment")
    drop = Deploy(code(state, "allies", "paratrooper_squad"), "d3")
    clash = drawn(state, drop)
    assert (clash.by.id, clash.against and clash.against.glyph) == ("x1", "parachute")
    assert not clashes(ruled(state, drop, flak_x1="hold").reasons), "nobody fired"
    assert len(clashes(ruled(state, drop, 5, flak_x1="w0").reasons)) == 1


def test_the_dice_of_all_weapons_of_an_aircraft_lie_in_one_tray() -> None:
    state = battle(RAID)
    roster = state.rosters["allies"]
    second = Weapon(name="rockets", hit=6, crit=10, penetration=4, damage=1)
    cards = (
        replace(card, weapon=(*card.weapon, second)) if card.name == "fighter_plane" else card for card in roster.unit
    )
    state = state.but(rosters={**state.rosters, "allies": replace(roster, unit=tuple(cards))})
    reasons = ruled(state, Sortie("a1", "x1"), 5, 6).reasons
    (clash,) = clashes(reasons)
    assert stats(clash.by) == {}, "they are not those of one of them alone"
    begins = next(at for at, reason in enumerate(reasons) if reason.clash is not None)
    assert [reason.faces for reason in reasons[begins:] if reason.faces] == [(5,), (6,)]


# What the faces do


def outcome(before: State, after: State, target: str) -> str | None:
    """What became of a target, in the words of a die; None where nothing did."""
    if (stood := before.find(target)) is not None:
        now = after.find(target)
        wounds = now.wounds - stood.wounds if now else 0
        return "destroyed" if now is None else (f"{wounds} wound{'s' * (wounds > 1)}" if wounds else None)
    if (ground := before.ground(target)) is not None:
        still = after.ground(target)
        assert still is not None
        return "ruin" if still.ruin else (f"−{ground.pi - still.pi} PI" if still.pi < ground.pi else None)
    old, new = before.hq(target), after.hq(target)
    assert old is not None
    assert new is not None
    return "destroyed" if not new.pi else (f"−{old.pi - new.pi} PI" if new.pi < old.pi else None)


GUN = "a1 m4_sherman d5, x1 light_infantry c5"
HOUSE = "house d4 axis"
FACES: dict[str, tuple[State, Any, str]] = {
    "wounds": (battle(DUEL), SHOT, "x1"),
    "last wound": (battle(f"{DUEL} 2w"), SHOT, "x1"),
    "covered": (battle("a1 light_infantry d3 1w, x1 light_infantry d4 +prone", grounds="wall d4 axis"), SHOT, "x1"),
    "armoured": (battle("a1 light_infantry d3, x1 tiger d4"), SHOT, "x1"),
    "hidden": (
        battle(DUEL, natural_ten="hard").with_unit("x1", marks=(Mark("fog", "axis", cover=(6, 6)),)),
        SHOT,
        "x1",
    ),
    "headquarters": (battle(GUN), Fire("a1", "w0", "hq_axis"), "hq_axis"),
    "last point": (battle(GUN).with_hq("hq_axis", pi=1), Fire("a1", "w0", "hq_axis"), "hq_axis"),
    "building": (battle(GUN, grounds=HOUSE), Fire("a1", "w0", "g1"), "g1"),
    "ruin": (battle(GUN, grounds=HOUSE).with_ground("g1", pi=1), Fire("a1", "w0", "g1"), "g1"),
    "assault": (assaulting("fire"), Assault("a1", "x1"), "x1"),
    "flight": (battle(RAID), Sortie("a1", "x1"), "x1"),
}


@pytest.mark.parametrize("case", FACES)
def test_every_face_does_what_it_says(case: str) -> None:
    state, action, target = FACES[case]
    question = waiting(state, action).question
    assert isinstance(question, Throw)
    for face in range(1, 11):
        ruling = ruled(state, action, face)
        does = effect_of(face, question.does)
        word = english(does.text) if does else None
        assert word == outcome(state, ruling.outcome, target), face
        (line,) = [reason for reason in ruling.reasons if reason.faces]
        assert line.does == ((does,) if does else ())


def test_every_face_of_anti_aircraft_does_what_it_says() -> None:
    state, action = bombing(f"{DUEL}, x3 flak_gun d5")
    question = waiting(state, action, flak_x3="w0").question
    assert isinstance(question, Throw)
    harms = {"": [], "1 wound": [(1, "hit")], "destroyed": [(2, "gone")]}
    words = []
    for face in range(1, 11):
        does = effect_of(face, question.does)
        words.append(english(does.text) if does else "")
        misses = () if words[-1] == "destroyed" else (1,)
        reasons = ruled(state, action, face, *misses, flak_x3="w0").reasons
        harm = [(harm.hits, harm.fate) for reason in reasons for harm in reason.harm]
        assert harm == harms[words[-1]], face
    assert set(words) == set(harms)


def test_a_shot_that_can_do_nothing_says_why() -> None:
    assert [english(one) for one in drawn(*FACES["armoured"][:2]).cancels] == ["armour 6: penetration 2 does no harm"]
    assert [english(one) for one in drawn(*FACES["hidden"][:2]).cancels] == [
        "light infantry d3 cannot hit: that takes 11"
    ]


@pytest.mark.clause("G2-18", "G2-112")
def test_a_card_that_harms_meets_its_unit_and_one_that_heals_meets_nobody() -> None:
    front = "a1 light_infantry d2 1w, x1 tiger f5"
    state = battle(front, phase="deployment", turn=3, hands={"allies": "anti_tank_mine medic"}, ap=9)
    reasons = ruled(state, PlayCard(code(state, "allies", "anti_tank_mine"), "x1")).reasons
    (clash,) = clashes(reasons)
    assert (clash.by.side, english(clash.by.name), stats(clash.by)) == ("allies", "Anti-tank mine", {"bomb": "3"})
    assert clash.against is not None
    assert (clash.against.id, clash.against.place) == ("x1", "f5")
    told = next(at for at, reason in enumerate(reasons) if reason.clash)
    assert [harm.to.id for reason in reasons[told:] for harm in reason.harm] == ["x1"]
    assert clashes(ruled(state, PlayCard(code(state, "allies", "medic"), "a1")).reasons) == []


# What everybody may see


def test_a_clash_shows_no_more_than_the_board_shows_to_everybody() -> None:
    state = battle("a1 heavy_infantry d3 1w +mortar, x1 tiger d4, x2 flak_gun d5")
    clash = drawn(state, SHOT)
    board = {piece.id: piece for piece in pieces(GAME.view(state, "screen"))}
    for one in (clash.by, clash.against):
        assert one is not None
        piece = board[one.id]
        assert (one.side, one.glyph, one.place, one.hits, one.strength) == (
            piece.side,
            piece.glyph,
            piece.square,
            piece.hits,
            piece.strength,
        )
        assert one.name == piece.name


def test_a_clash_is_the_same_whatever_hands_and_decks_hold() -> None:
    state, action = bombing(f"{DUEL}, x2 fighter_plane, x3 flak_gun d5")
    axis = state.deck("axis")
    other = state.with_deck("axis", hand=axis.pile[:3], pile=axis.pile[3:])
    for choices in ({}, {"intercept_axis": "x2"}, {"intercept_axis": "nobody"}):
        assert drawn(state, action, **choices) == drawn(other, action, **choices)
    waits = waiting(state, action)
    assert all(reason.seat is None for reason in waits.reasons)

"""Clashes of Pocket-Tactics as they are told: who meets whom, what the faces of dice do, who is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics import fight
from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.dice import Value
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.movement import Move
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.skill_tests import SKILL_TEST, SkillFacts, TestSkill, Trial, passed
from companion.games.pocket_tactics.state import Shift, State
from companion.kit.asking import Ask, Pending
from companion.kit.clash import Clash, Combatant, Effect, effect_of
from companion.kit.game import SCREEN
from companion.kit.panels import Board
from companion.kit.questions import Choose, Throw
from companion.kit.text import Text
from tests.support.playing import Scripted
from tests.support.pocket_tactics_assaults import facts, fought, party
from tests.support.pocket_tactics_positions import P, code, game

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.kit.ruling import Reason

FACES = range(1, 7)


def waiting(state: State, action: Any, *dice: int, **choices: str) -> Pending:
    """What waits once these dice are thrown."""
    ask = Scripted(*dice, **choices)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as pending:
        P.rule(state, state.active, action, ask)
    return pending.value


def clash(reasons: Iterable[Reason]) -> Clash:
    """The only clash that lines tell; everybody may read it."""
    (found,) = [(one.clash, one.seat) for one in reasons if one.clash]
    assert found[1] is None
    return found[0]


def throw(waits: Pending) -> Throw:
    assert isinstance(waits.question, Throw)
    return waits.question


def does(face: int, effects: tuple[Effect, ...]) -> str:
    """What a face does, in English; a dash before what is not wanted, empty where it does nothing."""
    effect = effect_of(face, effects)
    return f"{'-' if effect.harm else ''}{P.english(effect.text)}" if effect else ""


def assaults(unit: str = "b0.1", target: str = "r0.1", kind: Any = "melee", skill: Any = "melee") -> Assault:
    return Assault(unit=unit, target=target, kind=kind, skill=skill)


# Who meets whom


@pytest.mark.parametrize(
    ("unit", "kind", "skill", "way"),
    [
        ("ember_mage", "melee", "melee", "melee"),
        ("ember_mage", "melee", "arcane", "melee"),
        ("ember_mage", "ranged", "arcane", "spell"),
        ("bowman", "ranged", "ballistic", "shot"),
    ],
)
def test_who_assaults_whom_is_told_before_anything_is_asked(unit: str, kind: Any, skill: Any, way: str) -> None:
    state = game(f"b {unit} m2, r grove_elder m3", ground="m2 hills, m3 field, m4 field")
    attacker, defender = code(state, f"b {unit}"), code(state, "r grove_elder")
    waits = waiting(state, assaults(attacker, defender, kind, skill))
    told = clash(waits.reasons)
    assert told.against
    assert (told.way, told.by.id, told.against.id) == (way, attacker, defender)
    assert waits.reasons[0].clash is told


def test_a_technological_assault_from_afar_is_a_shot() -> None:
    state = game("r grove_elder m2, b levy m3", active="red")
    ruling = P.ruled(state, assaults(code(state, "r grove_elder"), "b0.1", "ranged", "tech"), 1, 1)
    assert clash(ruling.reasons).way == "shot"


def test_combatants_are_what_the_board_shows_to_everybody() -> None:
    state = game("b shield_captain m2, r prowler m3", ground="m2 hills, m3 forest, m4 field")
    told = clash(waiting(state, assaults("b4.1", "r0.1")).reasons)
    (board,) = (panel for panel in GAME.view(state, SCREEN).panels if isinstance(panel, Board))
    pieces, ground = {piece.id: piece for piece in board.pieces}, {one.square: one.kind for one in board.terrain}
    for one in (told.by, told.against):
        assert isinstance(one, Combatant)
        piece = pieces[one.id]
        assert (one.side, one.name, one.glyph, one.place) == (piece.side, piece.name, piece.glyph, piece.square)
        assert one.ground == ground[piece.square or ""]
    assert P.english(told.by.note) == "hills"


def test_where_the_map_lies_on_the_table_the_ground_is_known_and_no_place() -> None:
    state = game("b levy hills", map="table").standing("r0.1", "Moon dust")
    told = clash(waiting(state, assaults()).reasons)
    assert told.against
    assert [(one.place, one.ground, P.english(one.note)) for one in (told.by, told.against)] == [
        (None, "hill", "hills"),
        (None, "other", "Moon dust"),
    ]


def stats(one: Combatant | None) -> list[tuple[str, str]]:
    return [(sign, P.english(number)) for sign, number in one.stats] if one else []


@pytest.mark.clause("PT-37", "PT-38", "PT-A04")
def test_both_show_what_counts_of_the_skill_that_is_declared() -> None:
    state = game("b ember_mage m2, r bulwark m3")
    told = clash(waiting(state, assaults("b5.1", "r2.1", "melee", "arcane")).reasons)
    assert (stats(told.by), stats(told.against)) == ([("fight", "2(4)"), ("shield", "2")], [])
    plain = game("b ember_mage m2, r bulwark m3", kicker_in_assault=False).with_unit(
        "r2.1", shifts=(Shift("third", "offence", 3),)
    )
    told = clash(waiting(plain, assaults("b5.1", "r2.1", "melee", "arcane")).reasons)
    assert (stats(told.by), stats(told.against)) == ([("fight", "2"), ("shield", "2")], [])


@pytest.mark.clause("PT-66", "PT-67")
def test_a_base_is_drawn_as_what_it_is_marked_by() -> None:
    mirrored = waiting(game("b levy m4, r prowler l2"), assaults(target="base"))
    table = waiting(game("b levy hills, r prowler field", map="table"), assaults(target="base"))
    for waits, place in ((mirrored, "m5"), (table, None)):
        base = clash(waits.reasons).against
        assert base
        assert (base.id, base.side, base.place, base.ground, stats(base)) == (
            place or "base",
            "red",
            place,
            "",
            [("shield", "3")],
        )
        assert (base.id, "target") in waits.reasons[0].marks


@pytest.mark.clause("PT-71", "PT-48", "PT-51")
def test_what_may_save_the_target_is_the_ground_and_its_re_rolls() -> None:
    state = game("b levy m2, r prowler m3, r ravager n3", ground="m2 swamp, m3 water, n3 field")
    saves = clash(waiting(state, assaults()).reasons).cancels
    assert [P.english(one) for one in saves] == [
        "swamp: stuck on 1–3 (50%)",
        "water: drowns on 1–3 (50%)",
        "1 re-roll of Prowler 1",
    ]
    afar = game("b bowman m2, r prowler m3", ground="m2 field, m3 water, m4 field")
    assert clash(waiting(afar, assaults("b1.1", kind="ranged", skill="ballistic")).reasons).cancels == ()


@pytest.mark.clause("PT-48")
@pytest.mark.parametrize(("pool", "saves"), [("any", 1), ("defence", 1), ("offence", 0)])
def test_only_re_rolls_of_dice_that_defend_save(pool: Any, saves: int) -> None:
    state = game("b shield_captain m2, r prowler m3", active="red")
    captain = state.card(state.unit("b4.1"))
    (ability,) = captain.ability
    cards = tuple(
        replace(card, ability=(replace(ability, pool=pool),)) if card is captain else card
        for card in state.factions["blue"].unit
    )
    state = state.but(factions={**state.factions, "blue": replace(state.factions["blue"], unit=cards)})
    assert len(clash(waiting(state, assaults("r0.1", "b4.1")).reasons).cancels) == saves


@pytest.mark.clause("PT-42", "PT-43", "PT-79")
def test_who_is_captured_is_one_of_the_two() -> None:
    state = game("b levy m2, r prowler m3")
    both = P.ruled(state, assaults(), 6, 1, 6, 1, 1).reasons
    told = clash(both)
    assert told.against
    assert {harm.to.id for one in both for harm in one.harm} == {told.by.id, told.against.id}
    drowned = P.ruled(game("b levy m2, r prowler m3", ground="m2 field, m3 water"), assaults(), 1).reasons
    assert [harm.to.id for one in drowned for harm in one.harm] == [clash(drowned).by.id]


# What the dice of an assault do


def asked(ask: Scripted, key: str) -> Throw:
    return next(one for one in ask.asked if isinstance(one, Throw) and one.key == key)


@pytest.mark.clause("PT-39", "PT-40", "PT-42")
@pytest.mark.parametrize("struck", FACES)
@pytest.mark.parametrize("face", FACES)
def test_a_die_against_dice_that_lie_says_what_it_comes_to(face: int, struck: int) -> None:
    ask = Scripted(struck, 4, face, face)
    outcome = fight.fight(facts("1/1", "1/1"), Options(), ask)
    defends, counters = asked(ask, "defender_defence"), asked(ask, "defender_offence")
    assert does(face, defends.does) == ("-hit" if outcome.attack_hits else "no hit")
    assert does(face, counters.does) == ("hit" if outcome.counter_hits else "")
    assert asked(ask, "attacker_offence").does == asked(ask, "attacker_defence").does == ()


@pytest.mark.clause("PT-95", "PT-A05")
@pytest.mark.parametrize("face", FACES)
def test_a_kicker_lies_before_anybody_rolls(face: int) -> None:
    ask = Scripted(face, face)
    outcome = fight.fight(facts("1/1", "0(3)/0(2)"), Options(), ask)
    assert does(face, asked(ask, "attacker_offence").does) == ("hit" if outcome.attack_hits else "")
    assert does(face, asked(ask, "attacker_defence").does) == ("-hit" if outcome.counter_hits else "no hit")


def test_of_several_dice_no_single_face_decides() -> None:
    ask = Scripted(6, 6, 1, 1, 1, 1)
    fight.fight(facts("1/1", "2/2"), Options(), ask)
    assert [one.does for one in ask.asked if isinstance(one, Throw)] == [()] * 4


@pytest.mark.clause("PT-50", "PT-A14")
@pytest.mark.parametrize("choice", ["offence.0", "offence.1", "defence.0"])
@pytest.mark.parametrize("face", FACES)
def test_a_die_that_is_rolled_again_says_what_it_comes_to(choice: str, face: int) -> None:
    ask = Scripted(3, 5, 3, 3, 5, face, reroll_attacker_situational_1=choice)
    outcome = fight.fight(facts(party("2/1", assists=1), "1/1"), Options(), ask)
    effects = asked(ask, "reroll").does
    if choice.startswith("offence"):
        assert does(face, effects) == ("hit" if outcome.attack_hits else "")
    else:
        assert does(face, effects) == ("-hit" if outcome.counter_hits else "no hit")


@pytest.mark.clause("PT-46", "PT-50")
def test_dice_that_were_thrown_are_seen_while_others_are() -> None:
    state = game("b bowman m2, r bulwark m3", ground="m2 hills, m3 forest")
    action = assaults("b1.1", "r2.1", "ranged", "ballistic")
    first, second = waiting(state, action), waiting(state, action, 6, 2)
    assert (throw(first).key, [one.faces for one in first.reasons if one.faces]) == ("attacker_offence", [])
    assert throw(second).key == "defender_defence"
    assert [(P.english(one.text), one.faces) for one in second.reasons if one.faces] == [
        ("Offence of Bowman 1 (Blue)", (6, 2))
    ]
    again = waiting(state, action, 6, 2, 6, reroll_attacker_situational_1="offence.0")
    assert throw(again).key == "reroll"
    duels = [one.duel for one in again.reasons if one.duel]
    assert [[(pair.left, pair.right) for pair in duel.pairs] for duel in duels] == [[(6, 6), (2, None)]]
    assert clash(again.reasons).by.id == "b1.1"


def test_the_dice_of_a_pool_carry_what_they_do_while_others_are_thrown() -> None:
    ask = Scripted(5, 4, 6)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as pending:
        fight.fight(facts("1/1", "1/1"), Options(), ask)
    lying = [(one.faces, [P.english(effect.text) for effect in one.does]) for one in pending.value.reasons if one.faces]
    assert lying == [((5,), []), ((4,), []), ((6,), ["hit"])]


@pytest.mark.clause("PT-46")
def test_where_there_is_nothing_to_gain_keeping_the_dice_is_best() -> None:
    def best(*dice: int) -> list[str]:
        told = facts(party("1/1", assists=1), party("1/1", "red"))
        ask = Scripted(*dice)
        ask.otherwise = lambda _: None
        with pytest.raises(Pending) as pending:
            fight.fight(told, Options(), ask, fight.notes(told))
        assert isinstance(pending.value.question, Choose)
        return [option.value for option in pending.value.question.options if option.best]

    assert best(6, 6, 1, 1) == ["pass"]
    assert best(1, 6, 1, 3) == ["offence.0"]
    assert fought("1/1", "1/1", 6, 6, 1, 1).asked == []


# What the ground does


@pytest.mark.clause("PT-70", "PT-73", "PT-74", "PT-76", "PT-78", "PT-79")
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("ground", "fails"),
    [
        ("m2 field, m3 cave", "-lost"),
        ("m2 field, m3 water", "-drowns"),
        ("m2 field, m3 ice", "-slips"),
        ("m2 ice, m3 field, m1 field", "-slips"),
        ("m2 labyrinth, m3 field, l2 field", "-lost"),
        ("m2 swamp, m3 field", "-stuck"),
    ],
)
def test_a_test_says_what_each_face_does(ground: str, fails: str, face: int) -> None:
    state, action = game("b levy m2", ground=ground, bases="x9 k9"), Move(unit="b0.1", to="m3")
    waits = waiting(state, action)
    # A unit that slips slides south, one that is lost is sent away where that is the opponent's to say.
    slides = (4,) if fails == "-slips" and face <= 2 else ()
    sent = {"opponent_choice": "l2"} if "labyrinth" in ground and face <= 3 else {}
    ruling = P.ruled(state, action, face, *slides, **sent)
    arrives = ruling.outcome.unit("b0.1").at == "m3"
    assert does(face, throw(waits).does) == ("passed" if arrives else fails)
    (line,) = [one for one in ruling.reasons if one.faces == (face,) and "needed" in one.text.say]
    assert does(face, line.does) == does(face, throw(waits).does)


@pytest.mark.parametrize("ground", ["m2 swamp, m3 field", "m2 field, m3 water", "m2 swamp, m3 water"])
@pytest.mark.parametrize("mirrored", [True, False])
def test_a_unit_that_is_tested_alone_is_drawn_from_the_first_question_on(ground: str, mirrored: bool) -> None:
    here, there = (tile.split()[1] for tile in ground.split(", "))
    state = game("b levy m2", ground=ground) if mirrored else game(f"b levy {here}", map="table")
    action = Move(unit="b0.1", to="m3" if mirrored else there)
    told = clash(waiting(state, action).reasons)
    assert (told.by.id, told.by.place, P.english(told.by.note)) == ("b0.1", "m2" if mirrored else None, here)
    assert (told.against, told.cancels) == (None, ())
    tests = (here == "swamp") + (there == "water")
    assert clash(P.ruled(state, action, *[6] * tests).reasons) == told


def test_a_move_over_harmless_ground_is_no_clash() -> None:
    state = game("b levy m2")
    assert [one.clash for one in P.ruled(state, Move(unit="b0.1", to="m3")).reasons] == [None]


@pytest.mark.clause("PT-71", "PT-A24")
def test_in_an_assault_the_ground_begins_no_clash_of_its_own() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 swamp, m3 ice, m4 field")
    first = waiting(state, assaults())
    assert (throw(first).key, clash(first.reasons).against is None) == ("hazard_exit", False)
    last = waiting(state, assaults(), 6, 6, 6, 1, 1, 1)
    assert throw(last).key == "hazard_after"
    assert clash(last.reasons) == clash(first.reasons)


@pytest.mark.clause("PT-83", "PT-84", "PT-85", "PT-86", "PT-87", "PT-A32", "PT-A34")
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("walls", "bases"), [("stay", "n3 x9"), ("ignore", "x9 n3")])
def test_each_face_of_a_direction_says_where_it_leads(face: int, walls: str, bases: str) -> None:
    # Around the ice, clockwise from north: an enemy, a base, a tunnel wall, the tile that was left, a gap, a friend.
    ground = "m2 field, m3 ice, m4 field, n2 complex 1, l3 field"
    state = game("b levy m2, r prowler m4, b bowman l3", ground=ground, bases=bases, random_move_walls=walls)
    action = Move(unit="b0.1", to="m3")
    waits = waiting(state, action, 1)
    slides = throw(waits)
    assert (slides.key, clash(waits.reasons).by.id) == ("direction", "b0.1")
    friend = {"owner_choice": "resident"} if face == 6 else {}
    unit = P.after(state, action, 1, face, **friend).unit("b0.1")
    on_map = "wall" if unit.at == "m3" else unit.at
    assert does(face, slides.does) == (on_map if unit.where == "tile" else f"-{unit.where}")


def test_where_the_map_lies_on_the_table_a_face_is_a_direction() -> None:
    state = game("b levy field", map="table")
    slides = throw(waiting(state, Move(unit="b0.1", to="ice"), 1))
    assert [does(face, slides.does) for face in FACES] == [
        "North",
        "Northeast",
        "Southeast",
        "South",
        "Southwest",
        "Northwest",
    ]


@pytest.mark.clause("PT-86", "PT-84")
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("terrain", "takes"), [("water", "drowns on 1–3 (50%)"), ("swamp", "takes the tile, no test")])
def test_who_slides_onto_a_friend_is_told_what_waits_there(terrain: str, takes: str, mirrored: bool) -> None:
    if mirrored:
        state = game("b levy m2, b bowman m4", ground=f"m2 field, m3 ice, m4 {terrain}")
        waits = waiting(state, Move(unit="b0.1", to="m3"), 1, 1)
    else:
        state = game(f"b levy field, b bowman {terrain}", map="table")
        waits = waiting(state, Move(unit="b0.1", to="ice"), 1, 1, beyond="b1.1")
    assert isinstance(waits.question, Choose)
    assert (waits.question.key, waits.question.seat) == ("owner_choice", "blue")
    told = {option.value: P.english(option.note) for option in waits.question.options}
    assert told == {"mover": "the friend stays there", "resident": takes}
    assert not any(option.best for option in waits.question.options)


# Skill tests


@pytest.mark.clause("PT-91", "PT-92", "PT-93")
@pytest.mark.parametrize("target", FACES)
@pytest.mark.parametrize("face", FACES)
def test_a_die_that_is_enough_says_so(face: int, target: int) -> None:
    ask = Scripted(face)
    success = passed(Trial("blue", Text("blue"), Text("melee"), Value(1), target), ask)
    assert does(face, asked(ask, "test").does) == ("passed" if success else "")
    assert [does(face, one.does) for one in ask.reasons] == ["passed" if success else ""]


def test_a_skill_test_draws_the_unit_and_what_it_rolls() -> None:
    state = game("b ember_mage m2, r prowler m3", ground="m2 hills, m3 field")
    action = TestSkill(unit="b5.1", slot="third", pool="offence", target=5)
    told = clash(waiting(state, action).reasons)
    assert (told.by.id, told.by.place, told.by.ground, stats(told.by)) == ("b5.1", "m2", "hill", [("fight", "2(4)")])
    assert told.against is None
    assert clash(P.ruled(state, action, 1, 5).reasons) == told
    levy = TestSkill(unit="b0.1", slot="ballistic", pool="offence", target=5)
    in_reserve = clash(P.ruled(state, levy).reasons).by
    assert (in_reserve.id, in_reserve.place, in_reserve.ground, in_reserve.note) == ("b0.1", None, "", None)


def test_a_look_up_draws_nobody() -> None:
    reasons = SKILL_TEST.rule(SkillFacts(dice=0), Ask()).reasons
    assert [one.clash for one in reasons] == [None, None]

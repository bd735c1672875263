"""Who meets whom in History of War, as it is drawn: attacks, blocks, aims, and the damage of one half of the battle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.history_of_war import battle, damage, strike
from companion.games.history_of_war.pieces import Bonus
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Tableau
from companion.kit.questions import Choice, Choose
from tests.support.history_of_war_positions import GAME, after, asked, english, fought, game, named, ruled, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.history_of_war.state import State
    from companion.kit.clash import Clash, Combatant
    from companion.kit.ruling import Reason

DUEL = ("b medium_tank t1, r motorised_company t1", "b medium_tank < r motorised_company")
STRUCK = ("b medium_tank t1, r heavy_tank t1", "b medium_tank")
BOMBER = "b bomber_wing t1, r steel_works, r power_plant"


def clash_of(reasons: Sequence[Reason]) -> Clash:
    """The one clash that is told, from the first line on."""
    (clash,) = [reason.clash for reason in reasons if reason.clash is not None]
    assert reasons[0].clash is clash
    return clash


def meets(clash: Clash) -> tuple[str, str, str]:
    """How, who and whom."""
    return clash.way, clash.by.id, clash.against.id if clash.against else ""


def beside(clash: Clash) -> list[tuple[str, str]]:
    """Who and whom, of those who meet at the same time."""
    return [(meeting.by.id, meeting.against.id if meeting.against else "") for meeting in clash.beside]


def waits(state: State, *answers: Choice) -> Pending:
    """What the strike waits for first, after some answers."""
    with pytest.raises(Pending) as pending:
        GAME.rule(state, "blue", strike.Strike(), Ask(answers))
    return pending.value


def numbers(combatant: Combatant) -> list[tuple[str, str]]:
    return [(sign, english(number)) for sign, number in combatant.stats]


@pytest.mark.parametrize("base", [False, True])
def test_who_attacks_is_drawn_alone(base: bool) -> None:
    state = game("b bomber_wing t1, r rifle_company t1", phase="attacker_attack", step_by_step=True)
    attacker = named(state, "b bomber_wing")
    clash = clash_of(ruled(state, battle.DeclareAttack(attacker, base=base)).reasons)
    assert meets(clash) == ("melee", attacker, "")
    assert clash.by.glyph == "plane"


def test_a_blocker_meets_whom_it_blocks() -> None:
    state = replace(fought(*STRUCK), phase="defender_block")
    blocker, attacker = named(state, "r heavy_tank"), named(state, "b medium_tank")
    clash = clash_of(ruled(state, battle.DeclareBlock(blocker, attacker), seat="red").reasons)
    assert meets(clash) == ("block", blocker, attacker)


def test_an_attacker_meets_what_it_aims_at() -> None:
    state = fought("b medium_tank t1, r rifle_company t1, r bunker_line t1", "b medium_tank")
    attacker, bunkers = named(state, "b medium_tank"), named(state, "r bunker_line")
    clash = clash_of(ruled(state, damage.Aim(attacker, bunkers)).reasons)
    assert meets(clash) == ("melee", attacker, bunkers)
    assert clash.against is not None
    assert clash.against.glyph == "castle"


@pytest.mark.parametrize(("target", "drawn"), [("hand", True), ("depot", True), ("nothing", False)])
def test_the_enemy_base_has_no_picture_and_nothing_is_no_clash(target: str, drawn: bool) -> None:
    state = fought(BOMBER, "b bomber_wing base", hands={"red": "rifle_company"})
    attacker = named(state, "b bomber_wing")
    for reasons in (
        ruled(state, damage.Aim(attacker, target)).reasons,
        ruled(after(state, damage.Aim(attacker, target)), strike.Strike()).reasons,
    ):
        if drawn:
            assert meets(clash_of(reasons)) == ("melee", attacker, "")
        else:
            assert [reason.clash for reason in reasons if reason.clash] == []


def test_who_shares_its_damage_out_meets_who_takes_most_of_it() -> None:
    state = fought(
        "b medium_tank t1, r rifle_company t1, r motorised_company t1",
        "b medium_tank < r rifle_company + r motorised_company",
    )
    attacker = named(state, "b medium_tank")
    for shares, most in (((3, 1), "r rifle_company"), ((1, 3), "r motorised_company")):
        action = damage.Share(attacker, to_1=shares[0], to_2=shares[1])
        assert meets(clash_of(ruled(state, action).reasons)) == ("melee", attacker, named(state, most))


def test_both_that_meet_suffer_after_the_clash_has_begun() -> None:
    state = fought(*DUEL)
    reasons = ruled(state, strike.Strike()).reasons
    tank, foe = named(state, "b medium_tank"), named(state, "r motorised_company")
    clash = clash_of(reasons)
    assert meets(clash) == ("melee", tank, foe)
    suffered = {harm.to.id: (harm.hits, harm.fate) for reason in reasons for harm in reason.harm}
    assert suffered == {tank: (2, "hit"), foe: (4, "gone")}
    assert (clash.by.hits, clash.against and clash.against.hits) == (0, 0), "as they were when it began"


@pytest.mark.parametrize(("dv", "stats"), [(None, []), (4, [("shield", "4")])])
def test_a_base_expansion_is_struck_like_other_cards(dv: int | None, stats: list[tuple[str, str]]) -> None:
    state = fought(BOMBER, "b bomber_wing base")
    roster = state.rosters["red"]
    walls = tuple(replace(card, dv=dv) for card in roster.base_expansion)
    state = state.but(rosters={**state.rosters, "red": replace(roster, base_expansion=walls)})
    attacker, works = named(state, "b bomber_wing"), named(state, "r steel_works")
    clash = clash_of(ruled(after(state, damage.Aim(attacker, works)), strike.Strike()).reasons)
    assert meets(clash) == ("melee", attacker, works)
    assert clash.against is not None
    assert (clash.against.glyph, english(clash.against.note)) == ("factory", "base area")
    assert numbers(clash.against) == stats


def test_of_several_fights_the_one_that_destroys_most_comes_first_though_it_deals_less() -> None:
    written = "b medium_tank t1, b motorised_company t1, r heavy_tank t1 locked, r rifle_company t1"
    state = fought(written, "b medium_tank", "b motorised_company < r rifle_company")
    tank, motorised = named(state, "b medium_tank"), named(state, "b motorised_company")
    state = after(state, damage.Aim(tank, named(state, "r heavy_tank")))
    reasons = ruled(state, strike.Strike()).reasons
    suffered = {harm.to.id: (harm.hits, harm.fate) for reason in reasons for harm in reason.harm}
    heavy, rifles = named(state, "r heavy_tank"), named(state, "r rifle_company")
    assert suffered == {heavy: (4, "hit"), rifles: (2, "gone"), motorised: (1, "hit")}
    assert meets(clash_of(reasons)) == ("melee", motorised, rifles)
    assert beside(clash_of(reasons)) == [(tank, heavy)]


def test_of_several_fights_that_destroy_nothing_the_one_with_most_damage_comes_first() -> None:
    written = "b rifle_company t1, b medium_tank t1, r heavy_tank t1 locked, r heavy_tank t1 locked"
    state = fought(written, "b rifle_company", "b medium_tank")
    rifles, tank = named(state, "b rifle_company"), named(state, "b medium_tank")
    first, second = named(state, "r heavy_tank 1"), named(state, "r heavy_tank 2")
    aimed = after(after(state, damage.Aim(rifles, first)), damage.Aim(tank, second))
    clash = clash_of(ruled(aimed, strike.Strike()).reasons)
    assert (meets(clash), beside(clash)) == (("melee", tank, second), [(rifles, first)])


def test_a_card_that_the_base_loses_weighs_more_than_damage() -> None:
    written = "b bomber_wing t1, b medium_tank t1, r heavy_tank t1 locked"
    state = fought(written, "b medium_tank", "b bomber_wing base", hands={"red": "rifle_company"})
    bomber = named(state, "b bomber_wing")
    clash = clash_of(ruled(after(state, damage.Aim(bomber, "hand")), strike.Strike()).reasons)
    assert meets(clash) == ("melee", bomber, "")
    assert english(clash.by.name) == "bomber wing, at the enemy base"
    assert beside(clash) == [(named(state, "b medium_tank"), named(state, "r heavy_tank"))]


def test_everybody_who_meets_a_blocker_of_his_is_drawn() -> None:
    state = fought(
        "b medium_tank t1, r rifle_company t1, r motorised_company t1",
        "b medium_tank < r rifle_company + r motorised_company",
    )
    tank = named(state, "b medium_tank")
    shared = after(state, damage.Share(tank, to_1=1, to_2=3))
    clash = clash_of(ruled(shared, strike.Strike()).reasons)
    assert meets(clash) == ("melee", tank, named(state, "r motorised_company"))
    assert beside(clash) == [(tank, named(state, "r rifle_company"))]


def test_who_strikes_is_seen_before_the_struck_one_answers_and_no_line_is_left_of_it() -> None:
    state = fought(*STRUCK)
    tank, heavy = named(state, "b medium_tank"), named(state, "r heavy_tank")
    pending = waits(state)
    assert meets(clash_of(pending.reasons)) == ("melee", tank, heavy)
    assert told(pending.reasons) == ["medium tank (Blue) strikes heavy tank (Red)"]
    assert [reason.seat for reason in pending.reasons] == [None]
    key = pending.question.key
    reasons = ruled(state, strike.Strike(), **{key: tank}).reasons
    assert meets(clash_of(reasons)) == ("melee", tank, heavy)
    assert "medium tank (Blue) strikes heavy tank (Red)" not in told(reasons)


def test_every_question_shows_whom_it_is_about() -> None:
    written = "b medium_tank t1, b rifle_company t1, b fighter_wing t1, r motorised_company t1"
    state = fought(written, "b medium_tank", "b rifle_company", "b fighter_wing")
    foe = named(state, "r motorised_company")
    first = waits(state)
    assert meets(clash_of(first.reasons)) == ("melee", named(state, "b medium_tank"), foe)
    assert beside(clash_of(first.reasons)) == [(named(state, "b rifle_company"), foe)]
    assert told(first.reasons) == [
        "medium tank (Blue) strikes motorised company (Red)",
        "rifle company (Blue) strikes motorised company (Red)",
    ]
    second = waits(state, Choice(first.question.key, "no", "red"))
    assert meets(clash_of(second.reasons)) == ("melee", named(state, "b fighter_wing"), foe)


def test_a_card_is_drawn_as_every_seat_sees_it_on_the_table() -> None:
    written = "b medium_tank t1 +veteran_crews 1d, b medium_tank t1, r motorised_company t1, r railhead t2"
    state = fought(written, "b medium_tank < r motorised_company")
    clash = clash_of(ruled(state, strike.Strike()).reasons)
    assert clash.against is not None
    for seat in ("blue", "red", "rulekeeper", "screen"):
        pieces = {piece.id: piece for piece in pieces_of(state, seat)}
        for one in (clash.by, clash.against):
            piece = pieces[one.id]
            assert (one.side, one.name, one.glyph, one.hits) == (piece.side, piece.name, piece.glyph, piece.hits)
            assert one.stats == tuple((stat.sign, stat.value) for stat in piece.stats)
    assert english(clash.by.name) == "medium tank 1"
    assert numbers(clash.by) == [("flag", "3"), ("tank", "5"), ("anchor", "1"), ("shield", "4")]
    assert [english(one.note) for one in (clash.by, clash.against)] == [
        "coastal province, damage before: 1",
        "coastal province",
    ]


def test_what_a_card_yields_is_nothing_that_it_fights_with() -> None:
    state = fought("b medium_tank t1, r railhead t1", "b medium_tank")
    rails = next(piece for piece in pieces_of(state, "red") if piece.id == named(state, "r railhead"))
    clash = clash_of(ruled(state, strike.Strike()).reasons)
    assert clash.against is not None
    assert "nut" in {stat.sign for stat in rails.stats}
    assert {sign for sign, _ in clash.against.stats} == {stat.sign for stat in rails.stats} - {"nut"}


def pieces_of(state: State, seat: str) -> list[Any]:
    tables = (panel for panel in GAME.view(state, seat).panels if isinstance(panel, Tableau))
    return [piece for table in tables for row in table.rows for zone in row for piece in zone.pieces]


def test_where_nobody_may_answer_no_question_waits() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1 locked", "b medium_tank")
    assert asked(state, strike.Strike()) == []
    clash = clash_of(ruled(state, strike.Strike()).reasons)
    assert meets(clash) == ("melee", named(state, "b medium_tank"), named(state, "r heavy_tank"))


def answers(state: State, *given: Choice) -> list[tuple[str, str, bool]]:
    """The answers that the first question offers, with what follows from them and whether it is clearly best."""
    question = waits(state, *given).question
    assert isinstance(question, Choose)
    return [(option.value, english(option.note), option.best) for option in question.options]


def test_who_is_destroyed_anyhow_does_best_to_answer() -> None:
    state = fought("b heavy_tank t1, r medium_tank t1", "b heavy_tank")
    heavy = named(state, "b heavy_tank")
    assert answers(state) == [
        (heavy, "deals 4 of 6, takes 6 of 4", True),
        ("no", "deals nothing, and is not locked", False),
    ]
    silent = after(state, strike.Strike(), **{waits(state).question.key: "no"})
    assert silent.find(named(state, "r medium_tank")) is None


def test_no_answer_is_clearly_best_where_the_struck_card_lives_or_may_choose_its_foe() -> None:
    lives = fought(*STRUCK)
    assert [best for _, _, best in answers(lives)] == [False, False]
    two = fought("b heavy_tank t1, b medium_tank t1, r medium_tank t1", "b heavy_tank", "b medium_tank")
    assert [best for _, _, best in answers(two)] == [False, False, False]


def test_an_answer_that_deals_nothing_is_clearly_worse_than_none() -> None:
    state = fought("b heavy_tank t1, r medium_tank t1", "b heavy_tank")
    weak = state.with_card(named(state, "r medium_tank"), bonus=Bonus(ground=-9))
    assert answers(weak) == [
        ("no", "deals nothing, and is not locked", True),
        (named(state, "b heavy_tank"), "deals 0 of 6, takes 6 of 4", False),
    ]

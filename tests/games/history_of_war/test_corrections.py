"""Corrections: every tracked value of History of War can be set by hand, and what comes of it can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.history_of_war import damage, rounds, start
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import Attack, Bonus, Hit, Laid
from companion.kit.decks import FACE_DOWN
from companion.kit.game import SCREEN
from tests.support.correction_tests import Mending
from tests.support.history_of_war_positions import after, code, game, lying, named, offered, table
from tests.support.playing import Scripted
from tests.support.sizes import some

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State

FIELD = (
    "b medium_tank t1 +veteran_crews, b heavy_tank t1 locked, b bomber_wing t1, b rifle_company locked 1m, "
    "b steel_works, b bunker_line t1, b field_workshop t3, r motorised_company t1, r flak_battery t1 blocked ground, "
    "r rifle_company t1 locked, r fighter_wing, r power_plant locked, r bunker_line t2"
)
LANDS = "b coastal_province, b river_line, r industrial_basin b, r capital_region"
HANDS = {"blue": "medium_tank steel_works bunker_line sudden_storm", "red": "rifle_company steel_works"}


def standing(phase: Any = "attacker_deployment", **more: Any) -> State:
    """A game in which much has happened: t3 is conquered and held by Blue, a tank and an upgrade of Red are lost."""
    state = game(FIELD, phase=phase, lands=LANDS, hands=HANDS, **more)
    if state.real:
        lost = (f"{code(state, 'red', 'medium_tank')[:-2]}.0", FACE_DOWN)
        return state.with_deck("red", scrapyard=lost, out=(*state.deck("red").out, lost[0]))
    deck = state.deck("red")
    gone = tuple(
        next(one for one in deck.depot if one.startswith(f"{number(state, name)}."))
        for name in ("medium_tank", "veteran_crews")
    )
    return state.with_deck("red", depot=tuple(one for one in deck.depot if one not in gone), scrapyard=gone)


def number(state: State, name: str) -> str:
    return next(at for at, card in state.rosters["red"].numbered.items() if card.name == name)


def fighting(phase: Any = "damage_1", **more: Any) -> State:
    """Blue's heavy tank is blocked by two, the medium tank and the bomber came through."""
    state = standing(phase, **more)
    heavy, medium, bomber = (named(state, f"b {name}") for name in ("heavy_tank", "medium_tank", "bomber_wing"))
    foes = (named(state, "r motorised_company"), named(state, "r flak_battery"))
    return state.but(attacks=(Attack(heavy, blockers=foes), Attack(medium), Attack(bomber, base=True)))


def building() -> State:
    """Blue has laid two cards face down, Red has finished."""
    state = standing("construction")
    tank = code(state, "blue", "medium_tank")
    hand = tuple(one for one in state.deck("blue").hand if one != tank)
    return state.with_deck("blue", hand=hand).with_plan("blue", laid=(Laid(tank),)).with_plan("red", built=True)


def dealt(**options: Any) -> State:
    """Both are ready, and look at their first hands."""
    state = after(table(**options), start.Ready(), seat="blue")
    return after(state, start.Ready(), 2, seat="red")


def unplaced(state: State) -> State:
    """A development of Blue waits to be placed."""
    return state.with_card(named(state, "b bunker_line"), place="laid")


def hit(state: State) -> State:
    """The guns of Red are hit."""
    return state.with_card(named(state, "r flak_battery"), damage=1)


BY_HAND = Mending(GAME, Scripted)
correct, tracked, value_of, choices, no = (
    BY_HAND.correct,
    BY_HAND.tracked,
    BY_HAND.value_of,
    BY_HAND.choices,
    BY_HAND.no,
)

STATES: dict[str, Any] = {
    "decks": table,
    "first hands": dealt,
    "real first hands": lambda: dealt(cards="real"),
    "base expansion": lambda: standing("base_expansion", expanded={"red": 1}),
    "construction": building,
    "placing": lambda: unplaced(standing("construction")),
    "deployment": standing,
    "attack": lambda: fighting("attacker_attack"),
    "block": lambda: fighting("defender_block"),
    "damage": fighting,
    "second damage": lambda: standing("damage_2"),
    "struck": lambda: hit(fighting(struck=True)),
    "shared": lambda: fighting(unblocked_split=True),
    "retreat": lambda: standing("defender_retreat", content=("blue",)),
    "victory": lambda: standing("victory"),
    "final": lambda: standing("final", step_by_step=True),
    "real": lambda: standing(cards="real"),
    "real damage": lambda: fighting(cards="real"),
    "finished": lambda: standing().but(phase="finished", winner="red", how="points"),
}


@pytest.mark.parametrize("name", some(STATES, every=5))
def test_setting_a_value_to_what_it_is_changes_nothing(name: str) -> None:
    BY_HAND.stays(STATES[name]())


ALL_DIFFERENT = ("decks", "real first hands", "base expansion", "construction", "placing", "damage", "shared", "real")


@pytest.mark.sized
@pytest.mark.parametrize("name", some(ALL_DIFFERENT, every=4))
def test_every_value_can_be_set_to_each_that_it_may_have(name: str, full: bool) -> None:
    BY_HAND.each(STATES[name](), check, full=full)


@pytest.mark.sized
@pytest.mark.parametrize("name", some(STATES, every=3))
def test_any_sequence_of_corrections_leaves_a_table_that_can_be_shown_and_played(name: str, full: bool) -> None:
    for seed in range(4 if full else 1):
        BY_HAND.wander(STATES[name](), seed, check)


def check(state: State) -> None:
    """Every card is in one place."""
    for seat in state.decks:
        deck = state.deck(seat)
        lies = [code for one in state.cards if one.seat == seat for code in (one.code, *one.upgrades)]
        lies += [one.code for one in state.plan(seat).laid]
        everywhere = [one for one in (*deck.depot, *deck.hand, *deck.scrapyard, *lies) if one != FACE_DOWN]
        assert len(set(everywhere)) == len(everywhere)
        assert state.real or len(everywhere) == state.rosters[seat].size
        if state.real:
            assert {*lies} <= {*deck.out}
            assert not set(deck.scrapyard) - {FACE_DOWN} - {*deck.out}


@pytest.mark.clause("HW-76", "HW-A38")
def test_a_card_is_put_elsewhere_and_leaves_play_with_what_is_on_it() -> None:
    state = standing()
    tank = lying(state, "b medium_tank")
    path = f"card.{tank.id}.place"
    assert choices(state, path) == ["deployment", "base", "t1", "t2", "t3", "t4", "hand", "depot", "scrapyard"]
    assert correct(state, path, "base").played(tank.id) == replace(tank, place="base")
    lost = correct(state, path, "scrapyard")
    assert (lost.find(tank.id), lost.deck("blue").scrapyard) == (None, (tank.code, *tank.upgrades))
    held = correct(state, path, "hand").deck("blue")
    assert (tank.code in held.hand, held.scrapyard) == (True, tank.upgrades)
    assert tank.code in correct(state, path, "depot").deck("blue").depot
    works = named(state, "b steel_works")
    assert choices(state, f"card.{works}.place") == ["base", "hand", "depot", "scrapyard"]
    bunker = named(state, "b bunker_line")
    assert choices(state, f"card.{bunker}.place")[:2] == ["t1", "t2"]


def test_a_real_card_that_goes_back_is_face_down_and_can_be_played_again() -> None:
    state = standing(cards="real")
    tank = lying(state, "b medium_tank")
    deck = state.deck("blue")
    for where in ("hand", "depot"):
        now = correct(state, f"card.{tank.id}.place", where).deck("blue")
        assert getattr(now, where) == (*getattr(deck, where), FACE_DOWN)
        assert set(deck.out) - set(now.out) == {tank.code}
        assert now.scrapyard == tank.upgrades


@pytest.mark.clause("HW-A39")
def test_of_what_is_set_aside_only_the_place_can_be_changed() -> None:
    state = standing()
    shop = named(state, "b field_workshop")
    assert {path for path in tracked(state) if path.startswith(f"card.{shop}")} == {f"card.{shop}.place"}
    back = correct(state, f"card.{shop}.place", "deployment")
    assert f"card.{shop}.locked" in tracked(back)


@pytest.mark.clause("HW-33", "HW-36", "HW-72", "HW-75", "HW-103")
def test_what_a_card_is_and_did() -> None:
    state = fighting()
    flak = named(state, "r flak_battery")
    assert correct(state, f"card.{flak}.locked", "true").played(flak).locked
    assert correct(state, f"card.{flak}.markers", "3").played(flak).markers == 3
    assert correct(state, f"card.{flak}.damage", "2").played(flak).damage == 2
    assert not correct(state, f"card.{flak}.blocked", "false").played(flak).blocked
    assert correct(state, f"card.{flak}.used", "air").played(flak).used == ("air",)
    assert correct(state, f"card.{flak}.used", "").played(flak).used == ()
    assert f"card.{flak}.damage" not in tracked(standing()), "damage wears off at the end of its phase"


@pytest.mark.clause("HW-09", "HW-63", "HW-88")
def test_values_are_changed_by_hand_and_stay_changed() -> None:
    state = standing()
    tank = lying(state, "b medium_tank")
    assert value_of(state, f"card.{tank.id}.ground") == 5, "the upgrade counts"
    more = correct(correct(state, f"card.{tank.id}.ground", "7"), f"card.{tank.id}.flags", "0")
    assert more.played(tank.id).bonus == Bonus(ground=2, flags=-3)
    assert (more.value(more.played(tank.id), "ground"), more.flags(more.played(tank.id))) == (7, 0)
    weak = correct(more, f"card.{tank.id}.dv", "1")
    assert weak.dv(weak.played(tank.id)) == 1
    assert correct(weak, f"card.{tank.id}.dv", "4") == more
    assert f"card.{tank.id}.air" not in tracked(state), "a value that is not printed is none"
    assert tracked(state)[f"card.{tank.id}.dv"].field.low == 1


@pytest.mark.clause("HW-10", "HW-A38")
def test_upgrades_are_taken_off_and_put_on_again() -> None:
    state = standing()
    tank = lying(state, "b medium_tank")
    bare = correct(state, f"card.{tank.id}.upgrades", "")
    assert (bare.played(tank.id).upgrades, bare.deck("blue").scrapyard) == ((), tank.upgrades)
    rifles = named(state, "b rifle_company")
    assert choices(bare, f"card.{rifles}.upgrades") == ["found.0"], "its code would tell where it stands in the roster"
    there = correct(bare, f"card.{rifles}.upgrades", "found.0")
    assert (there.played(rifles).upgrades, there.deck("blue").scrapyard) == (tank.upgrades, ())


@pytest.mark.clause("HW-92", "HW-94", "HW-95")
def test_a_territory_is_given_and_taken_by_hand() -> None:
    state = fighting()
    red = correct(state, "territory.t1.conqueror", "red")
    assert (red.victory_points("red"), red.attacks) == (4, ())
    blue = [one for one in red.cards if one.seat == "blue" and one.id in {card.id for card in state.of("blue", "t1")}]
    assert {(one.place, one.locked) for one in blue} == {("deployment", True)}
    assert state.find(named(state, "b bunker_line")) not in red.cards
    assert red.of("red", "t1") == ()
    assert {one.place for one in red.cards if one.code in {"u1.0", "u4.0"} and one.seat == "red"} == {"t1"}
    open_again = correct(red, "territory.t1.conqueror", "none")
    assert (open_again.victory_points("red"), len(open_again.of("red", "t1"))) == (0, 3)


@pytest.mark.clause("HW-50", "HW-57", "HW-60", "HW-A14")
def test_attacks_and_blocks_are_declared_and_withdrawn_by_hand() -> None:
    state = fighting()
    heavy, medium, bomber = (attack.unit for attack in state.attacks)
    assert correct(state, f"attack.{heavy}.stands", "false").attack(heavy) is None
    shop = named(state, "b rifle_company")
    more = correct(state, "battle.new", shop)
    assert (more.attack(shop), more.played(shop).locked) == (Attack(shop), True)
    base = correct(correct(state, f"attack.{bomber}.stands", "false"), "battle.new", f"base.{bomber}")
    assert base.attack(bomber) == Attack(bomber, base=True)
    mob, flak = state.attacks[0].blockers
    fewer = correct(state, f"attack.{heavy}.blockers", flak)
    assert fewer.attack(heavy) == Attack(heavy, blockers=(flak,))
    rifles = named(state, "r rifle_company")
    two = correct(fewer, f"attack.{medium}.blockers", f"{mob},{rifles}")
    assert two.attack(medium) == Attack(medium, blockers=(mob, rifles))
    assert (two.played(rifles).blocked, two.played(rifles).locked, two.played(rifles).used) == (True, True, ("ground",))
    assert no(fewer, f"attack.{medium}.blockers", flak) == "HW-A14"
    assert not correct(state, f"attack.{bomber}.base", "false").attacks[2].base
    assert not [path for path in tracked(standing()) if path.startswith(("attack", "battle"))]


@pytest.mark.clause("HW-66", "HW-68", "HW-A18")
def test_what_is_struck_and_how_much_is_settled_by_hand() -> None:
    state = fighting()
    heavy, medium, _ = (attack.unit for attack in state.attacks)
    mob, flak = state.attacks[0].blockers
    rifles = named(state, "r rifle_company")
    assert choices(state, f"attack.{medium}.target") == ["none", mob, flak, rifles, "nothing"]
    assert correct(state, f"attack.{medium}.target", rifles).attack(medium) == Attack(medium, target=rifles)
    amounts = {card: value_of(state, f"attack.{heavy}.hit.{card}") for card in (mob, flak)}
    assert sum(amounts.values()) == 6
    less = correct(state, f"attack.{heavy}.hit.{flak}", "0")
    assert less.attacks[0].hits == (Hit(mob, amounts[mob]), Hit(flak, 0))
    assert (damage.hits(less, less.attacks[0]) or {}).get(mob) == amounts[mob]
    assert no(state, f"attack.{heavy}.hit.{flak}", "6") == "HW-A18"
    dealt_now = correct(state, "battle.struck", "true")
    assert dealt_now.struck
    assert f"attack.{heavy}.blockers" not in tracked(dealt_now)


def test_who_is_put_elsewhere_fights_no_more() -> None:
    state = fighting()
    heavy = state.attacks[0].unit
    mob, flak = state.attacks[0].blockers
    gone = correct(state, f"card.{flak}.place", "scrapyard")
    assert gone.attack(heavy) == Attack(heavy, blockers=(mob,))
    assert correct(state, f"card.{heavy}.place", "deployment").attack(heavy) is None


@pytest.mark.clause("HW-76", "HW-97")
def test_cards_are_moved_by_number_by_chance_or_face_up() -> None:
    state = standing()
    deck = state.deck("red")
    more = correct(state, "cards.red.size", "4").deck("red")
    assert (len(more.hand), len(more.depot), set(deck.hand) < set(more.hand)) == (4, len(deck.depot) - 2, True)
    fewer = correct(state, "cards.red.size", "0").deck("red")
    assert (fewer.hand, set(fewer.depot)) == ((), {*deck.depot, *deck.hand})
    tank, crews = deck.scrapyard
    assert tank in correct(state, "cards.red.take", "0").deck("red").hand
    back = correct(state, "cards.red.discard", "1").deck("red")
    assert (back.scrapyard, tank in back.depot) == ((crews,), True)
    put = correct(state, "cards.red.put", deck.hand[0]).deck("red")
    assert (put.scrapyard, put.hand) == ((*deck.scrapyard, deck.hand[0]), deck.hand[1:])
    chosen = correct(state, "cards.red.hand", deck.depot[0]).deck("red")
    assert (chosen.hand, set(deck.hand) < set(chosen.depot)) == ((deck.depot[0],), True)


@pytest.mark.clause("HW-14", "HW-18", "HW-39")
def test_cards_come_into_play_by_hand() -> None:
    state = standing()
    tank = state.deck("red").scrapyard[0]
    assert choices(state, "cards.red.back") == ["none", "0"], "an upgrade does not lie in play by itself"
    back = correct(state, "cards.red.back", "0")
    assert (back.cards[-1].code, back.cards[-1].place, back.cards[-1].locked) == (tank, "deployment", False)
    assert tank not in back.deck("red").scrapyard
    works, bunker = (code(state, "blue", name) for name in ("steel_works", "bunker_line"))
    assert correct(state, "cards.blue.enter", works).cards[-1].place == "base"
    assert correct(state, "cards.blue.enter", bunker).cards[-1].place == "t1"
    assert not [one for one in choices(state, "cards.blue.enter") if one.startswith(("a", "g"))]
    nowhere = state.but(territories=tuple(replace(one, conqueror="blue") for one in state.territories))
    assert no(nowhere, "cards.blue.enter", bunker) == "HW-14"
    real = standing(cards="real")
    entered = correct(real, "cards.blue.enter", code(real, "blue", "medium_tank"))
    assert entered.cards[-1].code == "u2.1", "the first copy is in play already"
    assert len(entered.deck("blue").hand) == len(real.deck("blue").hand) - 1
    assert "u2.1" in entered.deck("blue").out


@pytest.mark.clause("HW-A33")
def test_another_territory_is_laid_by_its_owner() -> None:
    state = standing()
    assert choices(state, "cards.red.land") == ["none", "t0", "t1"], "two of the four lie on the table"
    more = correct(state, "cards.red.land", "t1").territories[-1]
    assert (more.id, more.seat, more.card) == ("t5", "red", "t1")


def test_real_cards_are_counted() -> None:
    state = standing(cards="real")
    assert {path.rpartition(".")[2] for path in tracked(state) if path.startswith("cards.red")} == {
        "size",
        "pile",
        "nameless",
        "discard",
        "take",
        "back",
        "enter",
        "land",
    }
    assert correct(state, "cards.red.size", "5").deck("red").hand == (FACE_DOWN,) * 5
    assert correct(state, "cards.red.pile", "5").deck("red").depot == (FACE_DOWN,) * 5
    assert correct(state, "cards.red.nameless", "3").deck("red").scrapyard.count(FACE_DOWN) == 3
    deck, taken = state.deck("red"), correct(state, "cards.red.take", "0").deck("red")
    assert (len(taken.hand), taken.scrapyard) == (len(deck.hand) + 1, (FACE_DOWN,))
    assert set(deck.out) - set(taken.out) == {deck.scrapyard[0]}, "it can be played again"


@pytest.mark.clause("HW-28", "HW-31", "HW-32", "HW-100")
def test_the_round_and_what_is_counted() -> None:
    state = fighting(expanded={"red": 1})
    assert (choices(state, "game.phase")[0], len(choices(state, "game.phase"))) == ("draw", 15)
    block = correct(state, "game.phase", "defender_block")
    assert (block.attacks, block.done) == (state.attacks, ())
    assert correct(state, "game.phase", "victory").attacks == ()
    tank = named(state, "b medium_tank")
    again = correct(state.but(struck=True).with_card(tank, damage=2), "game.phase", "attacker_attack")
    assert (again.attacks, again.struck, again.played(tank).damage) == ((), False, 0)
    swapped = correct(state, "game.attacker", "red")
    assert (swapped.attacker, swapped.attacks, swapped.striker) == ("red", (), "red")
    later = correct(state, "game.round", "7")
    assert (later.round, later.expanded) == (7, {"red": 7})
    richer = correct(state, "game.points.blue", "12")
    assert (richer.victory_points("blue"), richer.points) == (12, {"blue": 5})
    assert correct(richer, "game.points.blue", "7").victory_points("blue") == 7


@pytest.mark.clause("HW-32")
def test_who_is_content_with_the_phase() -> None:
    state = standing()
    done = correct(state, "game.done.red", "true")
    assert (done.done, GAME.view(done, SCREEN).to_move) == (("red",), ("blue",))
    assert no(done, "game.done.blue", "true") == "HW-32"
    assert no(done, "game.content.blue", "true") == "HW-32"
    assert correct(done, "game.done.red", "false").done == ()
    assert correct(state, "game.content.red", "true").content == ("red",)
    assert "game.done.red" not in tracked(standing("attacker_attack")), "who declares ends it alone"


@pytest.mark.clause("HW-38", "HW-43", "HW-44")
def test_what_is_done_once_in_a_round_can_be_done_again() -> None:
    state = STATES["base expansion"]()
    assert value_of(state, "game.expanded.red") is True
    assert not offered(state, "play_base", "red")
    assert offered(correct(state, "game.expanded.red", "false"), "play_base", "red")
    assert correct(state, "game.expanded.blue", "true").expanded == {"blue": 1, "red": 1}
    state = building()
    assert not offered(state, "build", "red")
    assert offered(correct(state, "game.built.red", "false"), "build", "red")
    assert no(state, "game.built.blue", "true") == "HW-44"


@pytest.mark.clause("HW-43")
def test_what_lies_face_down_goes_back_when_the_phase_is_left_by_hand() -> None:
    state = building()
    left = correct(state, "game.phase", "attacker_deployment")
    assert left.plans == {}
    assert set(left.deck("blue").hand) == {*state.deck("blue").hand, state.plan("blue").laid[0].code}


def test_who_won_and_that_nobody_did() -> None:
    won = correct(standing(), "game.winner", "draw")
    assert (won.winner, won.phase, list(tracked(won))) == ("draw", "finished", ["game.winner"])
    again = correct(STATES["finished"](), "game.winner", "none")
    assert (again.winner, again.how, again.phase) == (None, None, "final")


@pytest.mark.clause("HW-100", "HW-A33")
def test_a_game_that_goes_on_after_its_end_says_what_would_end_it_again() -> None:
    won = standing("final", step_by_step=True).but(points={"red": 15})
    again = correct(won.but(phase="finished", winner="red", how="points"), "game.winner", "none")
    ends = ["Red has 15 victory points: the game ends with this round, unless they are set by hand."]
    assert [BY_HAND.advised(again, seat) for seat in ("blue", "red", "rulekeeper", SCREEN)] == [ends] * 4
    said = after(again, rounds.Done("final"), seat="red")
    assert after(said, rounds.Done("final"), seat="blue").winner == "red"
    fewer = correct(said, "game.points.red", "14")
    assert BY_HAND.advised(fewer) == []
    assert after(fewer, rounds.Done("final"), seat="blue").round == 2
    both = won.but(points={"blue": 8, "red": 15})  # 7 of Blue lie on the table
    for tie, lines in (("draw", 2), ("play_on", 0)):
        assert len(BY_HAND.advised(both.but(options=replace(both.options, tie_at_15=tie)))) == lines, tie
    taken = standing(step_by_step=True)
    for one in taken.territories:
        taken = taken.with_territory(one.id, conqueror="red" if one.seat == "blue" else "blue")
    taken = taken.but(options=replace(taken.options, to_win=40))
    again = correct(taken.but(phase="finished", winner="draw", how="no_territory"), "game.winner", "none")
    (told,) = BY_HAND.advised(again)
    assert told == "All territories are conquered: the game ends with this round, unless one is set free by hand."
    assert BY_HAND.advised(correct(again, f"territory.{again.territories[0].id}.conqueror", "none")) == []
    goes_on = again.but(options=replace(again.options, no_territory_left="add_one_each"))
    assert BY_HAND.advised(goes_on) == [], "each lays another one"


@pytest.mark.clause("HW-43")
def test_who_gave_up_over_cards_that_lie_face_down_goes_on_building() -> None:
    state = building()
    given_up = after(state, rounds.Concede(), seat="red")
    assert correct(given_up, "game.winner", "none") == state


@pytest.mark.parametrize("name", ["decks", "first hands"])
def test_who_gave_up_before_the_first_round_goes_on_where_it_stood(name: str) -> None:
    state = STATES[name]()
    given_up = after(state, rounds.Concede(), seat="red")
    assert given_up.phase == "finished"
    assert correct(given_up, "game.winner", "none") == state


@pytest.mark.clause("HW-20", "HW-26", "HW-30")
def test_what_the_table_waits_for_before_the_first_round() -> None:
    decks = after(table(), start.Ready(), seat="blue")
    assert correct(decks, "game.ready.blue", "false").ready == ()
    assert no(decks, "game.ready.red", "true") == "HW-20"
    state = dealt()
    assert correct(state, "game.attacker", "red").attacker == "red"
    kept = correct(state, "game.hand.blue", "changed")
    assert (kept.deck("blue").kept, kept.deck("blue").mulligan) == (True, True)
    assert no(kept, "game.hand.red", "kept") == "HW-25"
    assert correct(kept, "game.hand.blue", "looking") == state


@pytest.mark.parametrize("hidden", ["hand", "put", "enter", "land"])
def test_what_could_be_in_a_hand_or_a_depot_only_its_player_is_shown(hidden: str) -> None:
    entry = tracked(standing())[f"cards.blue.{hidden}"]
    assert entry.only == "blue"
    assert (entry.secret_of == "blue") == (hidden == "hand")
    assert entry.reveals == (hidden != "hand")


@pytest.mark.clause("HW-32")
def test_whose_word_holds_no_more_after_a_correction_is_asked_again() -> None:
    content = after(standing("damage_1", step_by_step=True), rounds.Done(), seat="blue")
    attacked = correct(content, "battle.new", named(content, "b medium_tank"))
    assert attacked.done == ()
    assert offered(attacked, "aim", "blue")
    surplus = standing("final", content=("blue", "red"))
    nine = surplus.deck("blue").hand + surplus.deck("blue").depot[:5]
    state = surplus.with_deck("blue", hand=nine, depot=surplus.deck("blue").depot[5:])
    assert rounds.awaited(state) == ("blue",)
    enough = correct(state, "cards.blue.hand", ",".join(state.deck("blue").hand[:8]))
    assert rounds.awaited(enough) == ("blue", "red")


@pytest.mark.clause("HW-09", "HW-A16")
def test_an_attack_value_that_is_not_printed_is_given_by_hand() -> None:
    state = standing().with_card(named(standing(), "b field_workshop"), place="t1", upgrades=("g0.1",))
    shop = named(state, "b field_workshop")
    path = f"card.{shop}.given"
    assert choices(state, path) == ["ground", "air", "naval"]
    assert choices(state, f"card.{named(state, 'b bunker_line')}.given") == ["ground", "air", "naval"]
    assert choices(state, f"card.{named(state, 'b medium_tank')}.given") == ["air"]
    assert f"card.{named(state, 'b steel_works')}.given" not in tracked(state)
    assert f"card.{shop}.ground" not in tracked(state)
    assert state.values(state.played(shop)) == {}
    bare = state.with_card(shop, bonus=Bonus(ground=2))
    assert bare.values(bare.played(shop)) == {}, "what is added changes only a value that is there"
    given = correct(state, path, "ground,air")
    assert given.values(given.played(shop)) == {"ground": 1, "air": 0}, "now the upgrade has something to change"
    more = correct(given, f"card.{shop}.ground", "4")
    assert (more.value(more.played(shop), "ground"), more.played(shop).bonus) == (4, Bonus(ground=3))
    left = correct(more, path, "air")
    assert (left.values(left.played(shop)), left.played(shop).bonus) == ({"air": 0}, Bonus())


@pytest.mark.clause("HW-32", "HW-44", "HW-63", "HW-97")
def test_nobody_is_made_content_with_a_phase_in_which_something_has_to_be_done_first() -> None:
    assert no(building(), "game.done.blue", "true") == "HW-44"
    assert no(fighting(), "game.done.red", "true") == "HW-63"
    surplus = standing("final")
    deck = surplus.deck("red")
    many = surplus.with_deck("red", hand=(*deck.hand, *deck.depot[:9]), depot=deck.depot[9:])
    assert no(many, "game.done.blue", "true") == "HW-97"

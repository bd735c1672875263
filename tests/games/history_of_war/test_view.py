"""How History of War is shown: rows of cards, the flag board, what is hidden, and what to do now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, render_template
from msgspec.structs import replace

from companion import create_app
from companion.games.history_of_war.pieces import SEATS, Attack, Bonus, Laid, Plan
from companion.kit.contest import Contest
from companion.kit.panels import Hand, Phases, Piece, Piles, Tableau, Tracker, View, Zone
from companion.kit.text import say
from companion.web.language import speaking
from companion.web.play.layout import lay_out
from tests.support.armed import armed, made_of
from tests.support.history_of_war_positions import GAME, code, english, game, named, table
from tests.support.phones import Table, tidy, words

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State

FRONT = "b medium_tank t1, b rifle_company t1 locked, r flak_battery t1, b heavy_tank locked, r destroyer,b steel_works"


def panel(state: State, seat: str, kind: type[Any]) -> Any:
    """The one panel of that kind that a seat sees."""
    (found,) = [one for one in GAME.view(state, seat).panels if isinstance(one, kind)]
    return found


def zones(state: State, seat: str = "blue") -> dict[str, Zone]:
    tableau: Tableau = panel(state, seat, Tableau)
    return {zone.id: zone for zone in tableau.zones}


def piece(state: State, written: str, seat: str = "blue") -> Piece:
    """How a card in play is shown."""
    name = named(state, written)
    return next(one for zone in zones(state, seat).values() for one in zone.pieces if one.id == name)


def board(state: State, territory: str = "t1", seat: str = "blue") -> tuple[str, list[str]]:
    """What the flag board says of a territory: who leads, and what would flip it."""
    contest = zones(state, seat)[territory].contest
    assert contest is not None
    return english(contest.says), [english(flip) for flip in contest.flips]


@pytest.mark.clause("HW-16", "HW-17", "HW-18", "HW-19")
def test_cards_lie_in_rows_between_the_players_ones_own_nearest() -> None:
    state = game(FRONT)
    for near, far in (("blue", "red"), ("red", "blue")):
        rows = [[zone.id for zone in row] for row in panel(state, near, Tableau).rows]
        assert rows == [
            [f"base.{far}", f"deployment.{far}"],
            ["t1", "t2", "t3", "t4"],
            [f"deployment.{near}", f"base.{near}"],
        ]
    found = zones(state)
    assert [one.id for one in found["base.blue"].pieces] == [named(state, "b steel_works")]
    assert [one.id for one in found["deployment.red"].pieces] == [named(state, "r destroyer")]
    assert len(found["t1"].pieces) == 3
    assert found["base.red"].folded, "the enemy's areas are folded"
    assert not zones(state, "screen")["base.red"].folded


@pytest.mark.parametrize(
    ("lands", "called"),
    [
        ("b coastal_province, b river_line, r river_line, r capital_region", ["river line (Blue)", "river line (Red)"]),
        ("b river_line, b river_line, r coastal_province, r capital_region", ["river line 1", "river line 2"]),
        (
            "b river_line, b river_line, r river_line, r capital_region",
            ["river line 1 (Blue)", "river line 2 (Blue)", "river line (Red)"],
        ),
    ],
)
@pytest.mark.clause("HW-22")
def test_territories_of_one_name_are_told_apart(lands: str, called: list[str]) -> None:
    rivers = [english(zone.name) for zone in zones(game(FRONT, lands=lands)).values() if "river" in english(zone.name)]
    assert rivers == called


@pytest.mark.clause("HW-33", "HW-34")
def test_a_locked_card_lies_on_its_side_and_says_so() -> None:
    state = game(FRONT)
    locked, upright = piece(state, "b heavy_tank"), piece(state, "b medium_tank")
    assert locked.down
    assert locked.spent
    assert [badge.say for badge in locked.badges] == ["locked"]
    assert not upright.down
    assert not upright.badges


@pytest.mark.clause("HW-02")
def test_a_card_shows_its_numbers_with_what_was_added() -> None:
    state = game("b medium_tank t1 +veteran_crews 3d, r field_workshop, r steel_works")
    tank = piece(state, "b medium_tank")
    shown = [(one.sign, one.value.places["count"]) for one in tank.stats]
    assert shown == [("flag", 3), ("tank", 5), ("anchor", 1), ("shield", 4)]
    assert english(tank.suffered) == "damage 3 of 4"
    assert tank.hits == 3
    assert [one.sign for one in piece(state, "r field_workshop").stats] == ["flag", "shield", "nut"]
    assert [one.sign for one in piece(state, "r steel_works").stats] == ["nut"]


@pytest.mark.clause("HW-10", "HW-72")
def test_a_card_says_what_its_values_are_made_of_and_which_it_has_used() -> None:
    state = game("b medium_tank t1 +veteran_crews, b fighter_wing t2 air")
    tank, wing = (named(state, written) for written in ("b medium_tank", "b fighter_wing"))
    played = state.played(tank)
    (crews,) = state.upgrades(played)
    printed, now = state.printed(played, "ground"), state.value(played, "ground")
    assert printed is not None
    assert now == printed + crews.av_ground
    assert armed(GAME, state, "blue", tank)["attack, ground"] == {"Value": str(now)}
    assert made_of(GAME, state, "blue", tank)["attack, ground: Value"] == [(None, printed), ("HW-10", crews.av_ground)]
    by_hand = state.with_card(tank, bonus=Bonus(ground=-99, dv=2))
    assert armed(GAME, by_hand, "blue", tank)["attack, ground"] == {"Value": "0"}
    assert sum(by or 0 for _, by in made_of(GAME, by_hand, "blue", tank)["attack, ground: Value"]) == 0
    (defence,) = (line for line in piece(by_hand, "b medium_tank").now if english(line.text) == "defence")
    assert defence.value == by_hand.dv(by_hand.played(tank))
    assert sum(term.value or 0 for term in defence.terms) == defence.value
    assert armed(GAME, state, "red", wing)["attack, air"]["spent"] == "used in this round"
    assert all("spent" not in row for name, row in armed(GAME, state, "red", wing).items() if name != "attack, air")


@pytest.mark.clause("HW-88", "HW-89", "HW-90")
def test_the_flag_board_says_who_leads_by_how_much_and_what_would_flip_it() -> None:
    state = game("b medium_tank t2, r flak_battery t2, r rifle_company t2 locked")
    says, flips = board(state, "t2")
    assert says == "You lead by 2 of 4"
    assert flips == ["Blue: +2 conquers.", "Red: +3 takes the lead, +6 conquers.", "Locked: Red 2."]
    assert board(state, "t1") == ("Level", [])
    contest = zones(state, "red")["t2"].contest
    assert contest is not None
    assert contest.totals == (("red", 1), ("blue", 3)), "one's own side stands on the left"
    assert contest.coming == (2, 0)


@pytest.mark.clause("HW-90", "HW-91", "HW-A28")
def test_the_flag_board_says_when_a_territory_would_be_conquered_or_could_not_be_held() -> None:
    won = game("b medium_tank t1, r bomber_wing t1")
    assert board(won) == ("You conquer: ahead by 3", ["Red: +1 stops it."])
    for seat in ("red", "screen"):
        assert board(won, "t1", seat)[0] == "Blue conquers: ahead by 3"
    lands = "b coastal_province"
    built = game("b bunker_line t1, b bunker_line t1, b bunker_line t1", lands=lands)
    says, flips = board(built)
    assert says == "You lead by 3, but lack the flags to occupy it"
    assert flips == ["Red: +4 takes the lead, +6 conquers."]


def test_the_bar_of_a_contest_has_room_for_what_is_needed_and_twice_of_it_at_most() -> None:
    def contest(left: int, right: int, needed: int, coming: tuple[int, int] = (0, 0)) -> Contest:
        return Contest((("blue", left), ("red", right)), needed, say("–"), coming=coming)

    assert (contest(3, 1, 4).lead, contest(3, 1, 4).most, contest(3, 1, 4).decided) == (2, 4, False)
    assert (contest(1, 6, 4).lead, contest(1, 6, 4).most, contest(1, 6, 4).decided) == (-5, 5, True)
    assert contest(30, 0, 4).most == 8
    assert contest(3, 1, 4, (4, 0)).most == 6
    assert contest(0, 0, 0).most == 1
    assert not contest(0, 0, 0).decided, "nobody leads: nothing is decided"
    assert contest(3, 1, 4).bars == (("lead", "blue", -2, 2),)
    assert contest(1, 3, 4, (1, 2)).bars == (("coming", "blue", 1, 1), ("coming", "red", 2, 2), ("lead", "red", 0, 2))
    assert contest(30, 0, 4, (3, 0)).bars == (("lead", "blue", -8, 8),), "nothing is drawn beyond the ends"
    assert contest(0, 30, 4, (28, 9)).bars == (("coming", "blue", 2, 6), ("lead", "red", 0, 8))


@pytest.mark.clause("HW-43")
def test_who_lays_cards_face_down_sees_them_and_the_other_only_their_number() -> None:
    state = game("", hands={"blue": "medium_tank rifle_company"}, phase="construction")
    tank = code(state, "blue", "medium_tank")
    laid = state.but(plans={"blue": Plan((Laid(tank),))})
    own = zones(laid)
    assert [one.id for one in own["laid"].pieces] == [tank]
    assert english(own["laid"].value) == "3 TA"
    for seat in ("red", "screen"):
        assert "laid" not in zones(laid, seat)
        assert zones(laid, seat)["deployment.blue"].hidden == 1


@pytest.mark.clause("HW-20", "HW-25", "HW-76")
def test_a_hand_is_its_owners_and_the_scrapyard_lies_open() -> None:
    state = game("", hands={"blue": "medium_tank sudden_storm"})
    state = state.with_deck("red", scrapyard=("u1.0",))
    hand = panel(state, "blue", Hand)
    assert sorted(english(card.name) for card in hand.cards) == ["medium tank", "sudden storm"]
    assert "attack 4/–/1" in {part for card in hand.cards for part in english(card.does).split(", ")}
    for seat in ("red", "screen"):
        assert not [one for one in GAME.view(state, seat).panels if isinstance(one, Hand)]
    piles = panel(state, "screen", Piles).piles
    assert [pile.count for pile in piles[:3]] == [len(state.deck("blue").depot), 2, 0]
    assert [english(card.name) for card in piles[5].cards] == ["motorised company"]


@pytest.mark.clause("HW-01", "HW-06", "HW-95")
def test_conquered_territories_are_set_aside_and_count() -> None:
    state = game("b medium_tank t1", lands="b coastal_province b, r capital_region")
    found = zones(state)["t1"]
    assert found.folded
    assert found.side == "blue"
    assert found.contest is None
    rows = panel(state, "blue", Tracker).rows
    assert [(english(row.name), english(row.value)) for row in rows] == [("Blue", "4 / 15"), ("Red", "0 / 15")]


@pytest.mark.clause("HW-27", "HW-29", "HW-31")
def test_the_head_of_the_page_says_which_of_the_fifteen_phases_it_is() -> None:
    phases = panel(game(phase="damage_1", round=3), "blue", Phases)
    assert (len(phases.steps), phases.current) == (15, 6)
    assert english(phases.title) == "Round 3: 7/15"
    assert len(panel(table(), "blue", Phases).steps) == 2


@pytest.mark.clause("HW-54", "HW-61")
def test_declarations_say_that_no_action_cards_are_played() -> None:
    notes = {
        phase: GAME.view(game(phase=phase), "blue").note
        for phase in ("attacker_attack", "defender_block", "damage_1", "defender_attack", "attacker_block")
    }
    cited = [note and note.clause for note in notes.values()]
    assert cited == ["HW-54", "HW-61", None, "HW-54", "HW-61"]


@pytest.mark.clause("HW-29", "HW-32")
def test_the_table_waits_for_whoever_still_has_to_decide() -> None:
    def waits(state: State) -> tuple[str, ...]:
        view: View = GAME.view(state, "screen")
        return view.to_move

    assert waits(table()) == SEATS
    assert waits(game(phase="base_expansion", done=("blue",))) == ("red",)
    assert waits(game(phase="attacker_attack")) == ("blue",)
    assert waits(game(phase="attacker_attack", attacker="red")) == ("red",)
    assert waits(game(phase="construction", plans={"blue": Plan(built=True)})) == ("red",)
    built = {seat: Plan(built=True) for seat in SEATS}
    laid = game("r bunker_line laid", phase="construction", plans=built)
    assert waits(laid) == ("red",)
    assert waits(game("b bunker_line laid, r bunker_line laid", phase="construction", plans=built)) == ("blue",)
    fight = game("b medium_tank t1 locked, r flak_battery t1", phase="damage_2")
    struck = fight.but(attacks=(Attack(named(fight, "b medium_tank")),))
    assert waits(struck) == ("red",), "the defender strikes in the second half"
    assert waits(struck.but(struck=True)) == SEATS
    assert waits(game("b medium_tank t1", phase="victory")) == ("blue",)
    assert waits(game(phase="finished")) == ()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"), games={"history_of_war": GAME})


def page(app: Flask, state: State, seat: str = "blue", tongue: Any = "en") -> str:
    """A seat's page in a state, as it is sent."""
    table = Table(app, "history_of_war")
    seen = replace(table.tables.seen(table.id, seat), view=GAME.view(state, seat), offers=GAME.offers(state, seat))
    with app.test_request_context(), speaking(tongue):
        return render_template("play/_table.html", shown=lay_out(seen), seen=seen, game=GAME, problem=None, refused="")


def test_a_tableau_is_drawn_with_its_bars_and_what_each_card_may_do(app: Flask) -> None:
    state = game("b medium_tank, b heavy_tank t1, r flak_battery t1 locked")
    made = tidy(page(app, state))
    assert 'class="contest' in made
    bar = re.search(r'<rect class="lead side-blue" x="(\S+)" y="0" width="(\S+)"', made)
    assert bar is not None
    assert bar.groups() == ("-3", "3"), "a lead of three, from the middle to the left"
    tank = made[made.index(f'id="lying-{named(state, "b medium_tank")}"') :].split("</li>")[0]
    assert tank.count('name="do"') == 4, "a button for each territory"
    assert "Río" not in made
    assert "Zona de Despliegue" in words(page(app, state, tongue="es"))


def lies(made: str, card: str) -> str:
    """What a page shows of a card in play at a glance."""
    return made[made.index(f'id="lies-{card}"') :].split("</summary>", maxsplit=1)[0]


def numbers(made: str) -> list[tuple[str, str]]:
    """The numbers that a page shows, in their order: what each is of, and what it is."""
    found = re.findall(
        r'<span class="stat".*?href="[^#]*#(\w+)".*?</svg>(?:<span class="away">[^<]*</span>)?([^<]+)', made
    )
    return [*found]


@pytest.mark.clause("HW-02")
def test_ones_own_card_has_its_numbers_in_their_places_and_the_enemys_only_what_counts_there(app: Flask) -> None:
    state = game("b medium_tank t1, b field_workshop t1, r flak_battery t1, b steel_works")
    tank, shop, flak = (named(state, one) for one in ("b medium_tank", "b field_workshop", "r flak_battery"))
    made = tidy(page(app, state))
    own = lies(made, tank)
    assert "as-card" in own
    head, foot = (own.split(f'class="{place}">')[1].split("\n")[0] for place in ("unit-head", "unit-foot"))
    assert numbers(head) == [("flag", "3"), ("shield", "4")]
    assert numbers(foot) == [("tank", "4"), ("plane", "–"), ("anchor", "1")]
    assert numbers(lies(made, shop))[2:] == [("tank", "–"), ("plane", "–"), ("anchor", "–"), ("nut", "1")]
    assert "as-card" not in lies(made, flak)
    assert numbers(lies(made, flak)) == [("flag", "1"), ("shield", "2")]
    theirs = tidy(page(app, state, "red"))
    assert numbers(lies(theirs, tank)) == [("flag", "3"), ("shield", "4")]
    assert numbers(lies(theirs, flak))[2:] == [("tank", "1"), ("plane", "3"), ("anchor", "–")]
    base = lies(made, named(state, "b steel_works"))
    assert "as-card" not in base
    assert numbers(base) == [("nut", "2")]


@pytest.mark.clause("HW-33", "HW-34")
@pytest.mark.parametrize("seat", ["blue", "red"])
def test_a_locked_card_has_a_lock_whose_word_is_said(app: Flask, seat: str) -> None:
    state = game("b medium_tank t1 locked, b heavy_tank t1")
    made = tidy(page(app, state, seat))
    locked, upright = (lies(made, named(state, one)) for one in ("b medium_tank", "b heavy_tank"))
    assert "is-spent" in locked
    assert re.search(r'class="signs-of"><svg class="drawn-lock"', locked)
    assert '<span class="away">locked</span>' in locked
    for sign in ("is-spent", "signs-of", "locked"):
        assert sign not in upright


@pytest.mark.clause("HW-19", "HW-89")
def test_a_territory_in_which_nothing_of_ones_own_lies_is_a_line(app: Flask) -> None:
    state = game("b medium_tank t1, r flak_battery t2")

    def folded(seat: str) -> list[str]:
        return re.findall(r'<details class="panel zone fold" id="zone-(t\d)"', page(app, state, seat))

    assert folded("blue") == ["t2", "t3", "t4"]
    assert folded("red") == ["t1", "t3", "t4"]
    assert folded("rulekeeper") == ["t3", "t4"], "who has no side looks at what lies there"
    line = tidy(page(app, state)).split('id="zone-t2"')[1].split("</summary>")[0]
    assert "Red leads by 1 of 4" in words(line)
    assert "5 VP" in words(line)
    assert "+1" in words(line)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("c3", "at anti-aircraft battery"),
        ("c99", "attacks"),
        ("hand", "at the enemy hand"),
        (None, "attacks"),
    ],
)
def test_whom_an_attacker_strikes_is_named_while_it_is_there(target: Any, said: str) -> None:
    state = game(FRONT, phase="damage_1", attacks=(Attack("c1", target=target),))
    assert said in [english(badge) for badge in piece(state, "b medium_tank").badges]


def says(state: State, seat: str = "blue") -> str:
    """The sentence that tells a seat what to do now."""
    return english(GAME.view(state, seat).headline)


MANY = " ".join(["power_plant"] * 6 + ["medium_tank"] * 3)


def test_a_player_reads_what_is_left_to_do_and_whose_word_is_missing() -> None:
    assert says(table().but(ready=("blue",))) == "Red still prepares the deck."
    both = {"blue": "medium_tank", "red": "medium_tank"}
    hands = game(phase="mulligan", round=0, hands=both).with_deck("red", kept=False)
    assert says(hands) == "Red still looks at the first hand."
    assert panel(hands, "red", Hand).first, "who looks at a hand finds it above the table"
    assert not panel(hands, "blue", Hand).first
    expanded = game(phase="base_expansion", expanded={"blue": 1})
    assert says(expanded).startswith("Your base expansion is in play.")
    assert says(expanded, "red").startswith("Put a base expansion into play")
    building = game("b steel_works, b power_plant locked", phase="construction", hands={"blue": "rifle_company"})
    assert says(building).endswith("You have 2 TA left.")
    laid = building.but(plans={"blue": Plan((Laid(code(building, "blue", "rifle_company")),))})
    assert says(laid).endswith("You have 1 TA left.")
    built = {seat: Plan(built=True) for seat in SEATS}
    placing = game("r bunker_line laid", phase="construction", plans=built)
    assert says(placing, "red") == "Tap your developments to put them into territories."
    assert says(placing) == "construction: waiting for Red."
    assert says(game(phase="construction", plans=built, step_by_step=True)).startswith("All is built.")
    assert says(game("b medium_tank t1, r medium_tank t1", phase="attacker_attack")) == "Tap the units that attack."
    alone = game("b medium_tank t1", phase="attacker_attack", step_by_step=True)
    assert "none of your units can do that now" in says(alone)
    for phase, told in (("mulligan", "Shuffle, and draw eight cards."), ("base_expansion", "Draw a card. Then put")):
        assert says(game(phase=phase, cards="real").with_deck("blue", kept=False)).startswith(told)
    assert says(game(phase="draw", cards="real", step_by_step=True)).startswith("Draw the top card")
    many = game(", ".join(["b rifle_company"] * 6), phase="final", hands={"blue": " ".join(["power_plant"] * 6)})
    assert says(many) == "Tap what goes to the scrapyard: 1 unit."
    cards = game(phase="final", hands={"blue": MANY})
    assert says(cards).startswith("Tap what goes to the scrapyard: ")
    assert says(cards).endswith(" of your hand.")
    both = game(", ".join(["b rifle_company"] * 6), phase="final", hands={"blue": MANY})
    assert says(both).endswith("units: 1.")


def test_of_several_cards_of_a_kind_the_first_says_why_it_can_not_be_played() -> None:
    state = game("", hands={"blue": "heavy_tank heavy_tank power_plant"}, phase="construction")
    barred = [english(card.name) for card in panel(state, "blue", Hand).cards if card.barred is not None]
    assert sorted(barred) == ["heavy tank", "power plant"]

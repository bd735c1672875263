"""What ends a phase or a turn, passes or skips is marked in every game, and says what is left while something is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.games.two_cities.options import Options
from companion.web.play.layout import lay_out
from tests.support import chesswar_positions as chesswar
from tests.support import history_of_war_positions as history
from tests.support import pocket_tactics_positions as pocket
from tests.support import tactics_2gm_positions as tactics
from tests.support import two_cities_positions as cities
from tests.support.button_labels import seen
from tests.support.conformance import Sitting
from tests.support.endings import NO_REASON, still
from tests.support.sizes import some
from tests.support.watch import Watch, read

if TYPE_CHECKING:
    from companion.kit.action import Offer
    from companion.web.play.layout import Layout

GAMES = discover()
GOES_ON = {
    "chesswar": {"choose_army", "raise_army", "ready"},
    "free_table": {"draw", "put", "roll_order", "round_in_order", "run_clock"},
    "history_of_war": {
        "aim", "discard", "keep", "lay_down", "occupy", "place", "play_base", "ready", "scrap", "strike", "use_sample",
    },
    "pocket_tactics": {"place_base", "place_tile", "ready", "use_sample"},
    "tactics_2gm": {"discard", "income", "keep", "ready", "use_sample"},
    "two_cities": {"play_card", "ready", "throw_away"},
}  # fmt: skip
"""What most people would do next and what ends nothing that could still be done, action by action."""
ENDS = {
    "chesswar": {"end_phase"},
    "free_table": {"next", "next_in_order", "press_clock"},
    "history_of_war": {"build", "done"},
    "pocket_tactics": {"pass"},
    "tactics_2gm": {"end_phase"},
    "two_cities": {"end_turn", "stand"},
}
"""What always ends something; ``done`` may also take that back."""


def left(name: str, state: Any, action: str, seat: str) -> list[str | None]:
    """What is left to do by each offer that would end it, in both languages."""
    game = GAMES[name]
    found: list[Offer] = [offer for offer in game.offers(state, seat) if offer.action == action and offer.ends]
    assert found
    return [offer.left and f"{read(game, offer.left, 'en')} / {read(game, offer.left, 'es')}" for offer in found]


@pytest.mark.parametrize("seed", some(range(4), every=4))
@pytest.mark.parametrize("name", GAMES)
def test_what_ends_is_marked_and_is_the_next_step_only_when_nothing_is_left(name: str, seed: int) -> None:
    assert GAMES.keys() == GOES_ON.keys() == NO_REASON.keys() == ENDS.keys(), "a new game is looked at too"
    sitting = Sitting(GAMES[name], seed, Watch(GAMES[name]))
    for _ in range(90):
        for seat in sitting.roles if not sitting.over() else ():
            offers = tuple(sitting.game.offers(sitting.state, seat))
            looked_at(name, lay_out(seen(sitting.game.view(sitting.state, seat), offers, seat, ())), offers)
        if sitting.over():
            return
        sitting.step()


def looked_at(name: str, shown: Layout, offers: tuple[Offer, ...]) -> None:
    for offer in offers:
        if offer.action in ENDS[name]:
            assert offer.ends or offer.given.get("on") is False, f"{offer.action} is not marked"
        elif offer.main and not offer.ends:
            assert offer.action in GOES_ON[name], f"does {offer.action} end something?"
    if any(offer.ends and shown.is_primary(offer) for offer in shown.steps):
        assert still(name, offers) == set()


def test_two_cities_counts_what_the_card_still_lets_act() -> None:
    four = f"{cities.CITIES}, w1 hi d2, w2 hi e4, w3 hi f4, w4 li a1, b1 hi h8"
    state = cities.playing(four, "2H")
    assert left("two_cities", state, "end_turn", "white") == ["2 units could still act / 2 unidades aún pueden actuar"]
    assert left("two_cities", state, "stand", "white") == [None, None], "only two of the four are on the left"
    one = cities.playing(f"{cities.CITIES}, w1 hi d2, w2 hi e4, b1 hi h8", "2H")
    assert left("two_cities", one, "end_turn", "white") == ["1 unit could still act / 1 unidad aún puede actuar"]
    real = cities.playing(four, "2H", options=Options(board="table"))
    assert left("two_cities", real, "end_turn", "white") == ["2 units could still act / 2 unidades aún pueden actuar"]


def test_a_unit_that_can_neither_move_nor_fight_is_not_left() -> None:
    state = cities.playing(f"{cities.CITIES}, w1 ar a1, w2 hi a2, w3 hi b1, b1 hi h8", "KS")
    assert left("two_cities", state, "end_turn", "white") == [None]
    game = GAMES["two_cities"]
    shown = lay_out(seen(game.view(state, "white"), offers := tuple(game.offers(state, "white")), "white", ()))
    assert [offer.action for offer in offers if shown.is_primary(offer)] == ["end_turn"]


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("movement", "2 units could still act / 2 unidades aún pueden actuar"),
        ("shooting", "1 unit could still act / 1 unidad aún puede actuar"),
        ("combat", "1 unit could still act / 1 unidad aún puede actuar"),
    ],
)
def test_chesswar_counts_what_has_a_chance(phase: str, said: str) -> None:
    state = chesswar.position(f"{chesswar.KINGS}, w1 hb d3, w2 hn e4, b1 ob d6, b2 op e5, w2>b2", phase=phase)
    assert left("chesswar", state, "end_phase", "white") == [said]
    assert left("chesswar", state.with_unit("w2", attacked=True), "end_phase", "white") == [
        None if phase == "combat" else said
    ]


@pytest.mark.parametrize(
    ("phase", "mirrored", "table"),
    [
        (
            "movement",
            "2 units could still move / 2 unidades aún pueden moverse",
            "Once your units have moved / Cuando hayas movido tus unidades",
        ),
        ("deployment", None, None),
        (
            "fire",
            "1 unit could still fire / 1 unidad aún puede disparar",
            "2 units could still fire / 2 unidades aún pueden disparar",
        ),
    ],
)
def test_tactics_counts_what_the_phase_is_for(phase: str, mirrored: str | None, table: str | None) -> None:
    hands = {"allies": "light_infantry"}
    on_squares = tactics.battle(
        "a1 light_infantry d1, a2 light_infantry e1, x1 light_infantry d3", hands=hands, phase=phase
    )
    assert left("tactics_2gm", on_squares, "end_phase", "allies") == [mirrored]
    written = "a1 light_infantry, a2 light_infantry, x1 light_infantry"
    told = tactics.battle(written, hands=hands, phase=phase, board="table")
    assert left("tactics_2gm", told, "end_phase", "allies") == [table]


def test_tactics_says_what_real_cards_may_cost_and_what_terrain_may() -> None:
    state = tactics.battle(hands={"allies": "light_infantry"}, phase="deployment", cards="real")
    assert left("tactics_2gm", state, "end_phase", "allies") == ["5 AP left for cards / Te quedan 5 PA para cartas"]
    laying = tactics.table().but(phase="terrain", laying=("allies",), budget={"allies": 1})
    assert left("tactics_2gm", laying, "ready", "allies") == ["1 AP left for terrain / Te queda 1 PA para terreno"]
    assert left("tactics_2gm", laying.but(budget={"allies": 0}), "ready", "allies") == [None]


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("attacker_deployment", "2 units could still deploy / 2 unidades aún pueden desplegarse"),
        ("attacker_attack", "2 units could still attack / 2 unidades aún pueden atacar"),
        ("attacker_retreat", "2 units could still retreat / 2 unidades aún pueden retirarse"),
    ],
)
def test_history_of_war_says_what_the_phase_is_for_once(phase: str, said: str) -> None:
    place = "" if phase == "attacker_deployment" else " t1"
    state = history.game(f"b medium_tank{place}, b rifle_company{place}, r medium_tank t1", phase=phase)
    assert left("history_of_war", state, "done", "blue") == [said, None]
    assert left("history_of_war", state, "done", "red")[-1] is None, "it is not for the other to act"


def test_history_of_war_counts_what_can_be_built() -> None:
    hands = {"blue": "medium_tank rifle_company"}
    state = history.game("b steel_works, b power_plant", phase="construction", hands=hands)
    assert left("history_of_war", state, "build", "blue") == [
        "2 cards could still be built / Aún puedes construir 2 cartas"
    ]
    assert left("history_of_war", state, "build", "red") == [None]
    real = history.game("b steel_works, b power_plant", phase="construction", hands=hands, cards="real")
    assert left("history_of_war", real, "build", "blue") == ["3 TA left / Te quedan 3 TA"]
    base = history.game("", phase="base_expansion", hands={"blue": "steel_works"})
    assert left("history_of_war", base, "done", "blue")[0] == "Your base could still grow / Tu base aún puede crecer"


def test_passing_in_pocket_tactics_is_marked_and_kept_out_of_the_way() -> None:
    (offer,) = pocket.P.offered(pocket.game("b levy m2", allow_pass="always"), "pass")
    assert (offer.ends, offer.main, offer.aside) == (True, False, True)

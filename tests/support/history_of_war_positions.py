"""Tables, games and answers of History of War written short: ``b medium_tank t1 locked`` is Blue's tank in t1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from companion.games.history_of_war import battle
from companion.games.history_of_war.cards import DECKS, Category
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.hands import kinds
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import SEATS, Deck, Played, Seat, Territory
from companion.games.history_of_war.state import State
from companion.kit import decks
from companion.kit.decks import without
from tests.support.playing import Playing, Scripted, picked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SEAT: dict[str, Seat] = {"b": "blue", "r": "red"}
LANDS = "b coastal_province, b river_line, r industrial_basin, r capital_region"
"""The territories to conquer where a test does not say others: t1 to t4."""


def table(**options: Any) -> State:
    """A table in the phase ``decks``; both have a sample deck."""
    return State(options=Options(**options), rosters={seat: DECKS[f"{seat}_sample"] for seat in SEATS})


def number(state: State, seat: Seat, name: str) -> str:
    """The number of a player's card of that name: ``u2``; of a territory ``t1``."""
    roster = state.rosters[seat]
    lands = {card.name: f"t{at}" for at, card in enumerate(roster.territory)}
    return lands.get(name) or next(at for at, card in roster.numbered.items() if card.name == name)


def game(written: str = "", *, hands: Mapping[str, str] | None = None, lands: str = LANDS, **more: Any) -> State:
    """A game in its first round, Blue its attacker, in the attacker's deployment; other options and fields by name.

    ``written`` are cards in play separated by commas: whose, card, place and ``locked``, ``blocked``, ``+upgrade``,
    ``2m`` (markers), ``3d`` (damage, by hand), ``air`` (that attack value is used). ``hands`` are card names by seat,
    ``lands`` the territories t1, t2 ..: whose card, which, and who has conquered it. The rest is in the depots.
    """
    state = table(**{name: more.pop(name) for name in Options.__struct_fields__ if name in more})
    rosters = {**state.rosters, **more.pop("rosters", {})}
    state = state.but(rosters=rosters)
    for at, entry in enumerate(filter(None, (part.strip() for part in lands.split(",")))):
        whose, name, *conqueror = entry.split()
        seat = SEAT[whose]
        found = Territory(f"t{at + 1}", seat, number(state, seat, name), SEAT[conqueror[0]] if conqueror else None)
        state = state.but(territories=(*state.territories, found))
    for entry in filter(None, (part.strip() for part in written.split(","))):
        state = entered(state, entry)
    for seat in SEATS:
        state = state.but(decks={**state.decks, seat: _dealt(state, seat, (hands or {}).get(seat, ""))})
    return state.but(**({"phase": "attacker_deployment", "round": 1} | more))


def entered(state: State, written: str) -> State:
    """The state with a card more in play, out of ``b medium_tank t1 locked +veteran_crews``.

    Without a place it lies in the deployment area, a base expansion in the base.
    """
    whose, name, *rest = written.split()
    seat = SEAT[whose]
    places = {"base", "deployment", "laid", *(one.id for one in state.territories)}
    code = _next(state, seat, name)
    area = "base" if _card(state, seat, code).kind == "base_expansion" else "deployment"
    place = next((word for word in rest if word in places), area)
    fields: dict[str, Any] = {
        "locked": "locked" in rest,
        "blocked": "blocked" in rest,
        "upgrades": tuple(_next(state, seat, word[1:]) for word in rest if word[0] == "+"),
        "markers": next((int(word[:-1]) for word in rest if word[:-1].isdecimal() and word.endswith("m")), 0),
        "damage": next((int(word[:-1]) for word in rest if word[:-1].isdecimal() and word.endswith("d")), 0),
        "used": tuple(word for word in get_args(Category) if word in rest),
    }
    state = state.with_entering(seat, code, place)
    return state.with_card(state.cards[-1].id, **fields, by_hand=fields["damage"])


def named(state: State, written: str) -> str:
    """The id of a card in play out of ``b medium_tank``, or ``b medium_tank 2`` for the second of them."""
    whose, name, *at = written.split()
    kind = number(state, SEAT[whose], name)
    found = [one.id for one in state.cards if one.seat == SEAT[whose] and decks.kind_of(one.code) == kind]
    return found[int(at[0]) - 1 if at else 0]


def lying(state: State, written: str) -> Played:
    """The card in play that is written so."""
    return state.played(named(state, written))


def code(state: State, seat: Seat, name: str) -> str:
    """The code by which a player plays a card of that name: one that he holds, or with real cards its kind."""
    kind = number(state, seat, name)
    return f"{kind}.0" if state.real else next(one for one in state.deck(seat).hand if decks.kind_of(one) == kind)


def _card(state: State, seat: Seat, code: str) -> Any:
    card = state.find_card(seat, code)
    assert card is not None
    return card


def _next(state: State, seat: Seat, name: str) -> str:
    """The first copy of a card that is not in play."""
    return decks.next_copy(_in_play(state, seat), number(state, seat, name))


def _in_play(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(code for one in state.cards if one.seat == seat for code in (one.code, *one.upgrades))


def _dealt(state: State, seat: Seat, names: str) -> Deck:
    """A player's cards: what is in play is out of his depot, what is named in his hand."""
    out = _in_play(state, seat)
    left = without(decks.codes(kinds(state.rosters[seat])), out)
    hand = picked(left, names, lambda code: _card(state, seat, code).name)
    depot, hand = (decks.face_down(cards, real=state.real) for cards in (without(left, hand), hand))
    return Deck(depot, hand, out=out if state.real else (), kept=True)


def fought(written: str, *attacks: str, phase: str = "damage_1", **more: Any) -> State:
    """A game in a damage phase; ``b heavy_tank < r rifle_company + r rifle_company 2`` attacked and is blocked so."""
    state = game(written, phase=phase, **({"step_by_step": True} | more))
    for entry in attacks:
        attacker, _, blockers = entry.partition(" < ")
        unit = state.played(named(state, attacker.removesuffix(" base")))
        state = battle.attacking(state, unit, base=attacker.endswith(" base"))
        for blocker in filter(None, blockers.split(" + ")):
            attack = state.attack(unit.id)
            assert attack is not None
            state = battle.blocking(state, state.played(named(state, blocker)), attack)
    return state


def able(may: Callable[[State, Played], object], state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may do it."""
    return any(may(state, unit) for unit in state.units(seat))


def acting(state: State) -> str:
    """The seat that acts: of two Blue."""
    return state.acting[0] if state.acting else "blue"


P = Playing(GAME, Scripted, acting, "HW-30")
rule, ruled, after, refusal, no = P.rule, P.ruled, P.after, P.refusal, P.no
asked, offered, check, english, told = P.questions, P.offered, P.check, P.english, P.told

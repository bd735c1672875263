"""Who starts: the secret bid, the dice, the winner's choice, and the AP that are left (G2-42 to G2-46, G2-50)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import income
from companion.games.tactics_2gm.points import tell_lost
from companion.games.tactics_2gm.sides import SIDES, other, paired
from companion.kit.asking import Choice, Choose, Option, Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.kit.throwing_off import highest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

START_AP = 5
"""What a side may spend on the start, or keep (G2-42)."""
DIE = 10


def who_starts(state: State, ask: Ask) -> State:
    """Settle who starts and with how many AP: by the bid, or as the scenario says (G2-42 to G2-51)."""
    scenario = state.scenario
    points = START_AP if scenario is None else scenario.start_ap
    if scenario is not None and not scenario.bid:
        ask.tell(say("{side}: starts, as the scenario says", side=Text(scenario.first)), "G2-51")
        state = state.but(first=scenario.first)
        spent: dict[Side, int] = dict.fromkeys(SIDES, 0)
    else:
        spent = _secret(state, points, ask)
        winner = contest(spent, {side: state.leader(side) for side in SIDES}, ask)
        state = state.but(bids=spent, budget=spent, first=_choice(state, winner, ask))
    for side in SIDES:
        state = _share_out(state, side, points - spent[side], ask)
    return state


def _secret(state: State, points: int, ask: Ask) -> dict[Side, int]:
    """Ask both leaders at once what they spend (G2-43, G2-151, G2-A11, G2-A33)."""
    why = say("How many of your {count} AP do you spend on the start? As many are yours for terrain.", count=points)
    options = tuple(Option(str(bid), say("{count} AP", count=bid)) for bid in range(points + 1))
    asking: dict[str, Throw | Choose] = {
        state.leader(side): Choose(f"bid_{side}", why, state.leader(side), options, "G2-43") for side in SIDES
    }
    sealed = ask.together(asking, "bid", say("Bid for the start"))
    bids: dict[Side, int] = {}
    for side in SIDES:
        answer = sealed[state.leader(side)]
        if isinstance(answer, Choice):
            bids[side] = int(answer.value)
            ask.tell(say("{side}: AP spent on the start", side=Text(side)), "G2-43", bids[side])
    return bids


def contest(bids: Mapping[Side, int], throwers: Mapping[Side, str], ask: Ask) -> Side:
    """Return who decides: 1D10 and what was spent, the higher total; a tie is rolled again (G2-44, G2-45, G2-A11)."""
    best = highest(
        SIDES,
        lambda side, _again: _total(side, bids[side], throwers[side], ask),
        lambda: ask.tell(say("A tie: both roll again, with the same bids"), "G2-45"),
    )
    ask.tell(say("{side}: the higher total", side=Text(best)), "G2-44")
    return best


def _total(side: Side, bid: int, thrower: str, ask: Ask) -> int:
    why = say("{side}: 1D10 for the start", side=Text(side))
    faces = ask.throw(1, DIE, "start_roll", why, by=thrower, clause="G2-03")
    terms = (Reason(say("the die"), "G2-44", faces[0]), Reason(say("AP spent"), "G2-44", bid))
    ask.tell(Text(side), "G2-44", faces[0] + bid, terms=terms, faces=faces)
    return faces[0] + bid


def _choice(state: State, winner: Side, ask: Ask) -> Side:
    """Ask the winner who starts (G2-A12)."""
    options = tuple(Option(side, Text(side)) for side in (winner, other(winner)))
    value = ask.choose(state.leader(winner), options, "first", say("Who starts?"), clause="G2-A12")
    first: Side = winner if value == winner else other(winner)
    ask.tell(say("{side}: the first turn", side=Text(first)), "G2-A12")
    return first


def _share_out(state: State, side: Side, left: int, ask: Ask) -> State:
    """Give a side the AP that it did not spend; a pair divides them (G2-34, G2-50, G2-152, G2-A09)."""
    most = state.cap(side) if state.options.cap_scope == "always" else left
    if left > most:
        tell_lost(left - most, most, ask)
    for seat, ap in divided(state, side, min(left, most)).items():
        clause = "G2-152" if paired(state.options, side) else "G2-50"
        ask.tell(say("{seat}: AP to begin with", seat=Text(seat)), clause, ap)
        state = state.with_ap(seat, ap)
    return state


def divided(state: State, side: Side, amount: int) -> dict[Seat, int]:
    """Divide AP between the players of a side; an odd one is the marshal's (G2-152, G2-153)."""
    leader = state.leader(side)
    partner = state.partner(leader)
    if partner is None:
        return {leader: amount}
    most, rest = income.shares(amount)
    return {leader: most, partner: rest}

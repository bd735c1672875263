"""Whose turn it is: one action a turn, turn about; and how the game ends (PT-24, PT-25, PT-64, PT-65)."""

from __future__ import annotations

from companion.games.pocket_tactics.state import SEATS, Ending, Seat, State, Unit, other
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

giving_up = Chapter[State, Seat]()

WON: dict[Ending | None, str] = {
    "base": "{side} wins: {enemy}'s base is taken.",
    "conceded": "{side} wins: {enemy} has given up.",
    "both_gone": "{side} wins: both armies are gone, and it was that player's turn.",
    "army": "{side} wins: {enemy}'s whole army is captured.",
    None: "{side} wins.",
}
"""How somebody has won; None: that was set by hand."""


class Concede(Action, frozen=True, tag="concede"):
    """Give up; the opponent wins."""


@giving_up.offers
def offers(_state: State, _seat: Seat) -> list[Offer]:
    """Offer it at any time."""
    question, answer = say("Do you give up?"), say("I give up")
    return [Concede.offer(say("Give up"), grave=True, aside=True, asks=question, button=answer)]


@giving_up.rule(Concede)
def concede(state: State, seat: Seat, _action: Concede, _ask: Ask) -> State:
    """Give up."""
    return ended(state, other(seat), "conceded")


def acts(state: State, seat: Seat) -> bool:
    """Tell whether it is a player's turn."""
    return state.phase == "play" and seat == state.active


def check_acting(state: State, seat: Seat) -> None:
    """Raise Refusal when it is not a player's turn (PT-24)."""
    if state.phase != "play":
        raise Refusal(say("The game has not begun yet."), "PT-24")
    if seat != state.active:
        raise Refusal(say("It is {side}'s turn.", side=Text(state.active)), "PT-24")


def check(state: State, seat: Seat, name: str) -> Unit:
    """Return the unit that acts; raise Refusal when it is not its player's turn, or not his unit (PT-24, PT-25)."""
    check_acting(state, seat)
    return own(state, seat, name, "PT-25")


def own(state: State, seat: Seat, name: str, clause: str) -> Unit:
    """Return a player's unit; raise Refusal when it is not his."""
    unit = state.unit(name)
    if unit.seat != seat:
        raise Refusal(say("{unit} is not yours.", unit=state.name(unit)), clause, "unit")
    return unit


def preparing(state: State, seat: Seat) -> bool:
    """Tell whether a player may still change the faction and the bag."""
    return state.phase == "factions" and seat not in state.ready


def check_phase(state: State) -> None:
    """Raise Refusal once the game has begun (PT-11)."""
    if state.phase != "factions":
        raise Refusal(say("The factions stand: the game has begun."), "PT-11")


def check_preparing(state: State, seat: Seat) -> None:
    """Raise Refusal where a player may change nothing before the game (PT-11)."""
    check_phase(state)
    if seat in state.ready:
        raise Refusal(say("You have said that you are ready: undo that first."), "PT-11")


def spent(state: State, ask: Ask) -> State:
    """End the turn of the active player: see whether somebody has won, and let the other one act (PT-24, PT-64)."""
    lost = [seat for seat in SEATS if not state.alive(seat)]
    if len(lost) == 2:
        ask.tell(say("Nobody has a unit left."), "PT-A43")
        active_wins = state.options.double_elimination == "active_player_wins"
        return ended(state, state.active if active_wins else "draw", "both_gone")
    if lost:
        ask.tell(say("{side} has no unit left, neither on the map nor in reserve.", side=Text(lost[0])), "PT-64")
        return ended(state, other(lost[0]), "army")
    return state.but(active=other(state.active), turn=state.turn + 1)


def ended(state: State, winner: Seat | str, how: Ending) -> State:
    """Return the state of a game that is over."""
    return state.but(phase="finished", winner=winner, how=how)


def over(state: State) -> Text:
    """Say how the game ended (PT-64, PT-65, PT-A43)."""
    if state.winner is None or state.winner == "draw":
        return say("The game ends in a draw: both armies are gone." if state.how else "The game ends in a draw.")
    said, sides = WON[state.how], {"side": Text(state.winner), "enemy": Text(other(state.winner))}
    return say(said, **{name: side for name, side in sides.items() if f"{{{name}}}" in said})

"""The end of a round: surplus cards go, somebody may have won, the roles swap, all is unlocked (HW-97 to HW-103)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.history_of_war import conquest, contests, hands, speech, territories, waiting
from companion.games.history_of_war.sides import SEATS, other
from companion.games.history_of_war.turn import check_phase
from companion.kit.cards import FACE_DOWN
from companion.kit.decks import discarding
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war import actions as do
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def look_at_territories(state: State, ask: Ask) -> None:
    """Tell the flags in each territory in which somebody has one (HW-87 to HW-90)."""
    for one in state.open:
        found = conquest.contest(state, one)
        if any(found.totals.values()):
            sum_up = contests.added_up(found)
            text = say("{territory}: {what}", territory=speech.territory(state, one), what=sum_up.text)
            ask.tell(text, sum_up.clause, sum_up.value, terms=sum_up.terms)


def discard(state: State, seat: Seat, action: do.Discard, ask: Ask) -> State:
    """Put surplus cards of the hand on the scrapyard, those that their owner chooses (HW-97, HW-99, HW-A35)."""
    check_phase(state, seat, "final")
    cards = discarding.going(
        action.cards, action.count, lambda code: getattr(state.find_card(seat, code), "name", ""), real=state.real
    )
    _check_count(len(cards), waiting.hand_surplus(state, seat), "HW-97", "cards")
    for code in cards:
        if not state.real or code != FACE_DOWN:
            hands.check_held(state, seat, code)
        name = speech.code(state, seat, code)
        ask.tell(say("{seat}: {card} from the hand to the scrapyard", seat=Text(seat), card=name), "HW-99")
        state = hands.leave_hand(state, seat, code, to_scrapyard=True)
    return state


def scrap(state: State, seat: Seat, action: do.Scrap, ask: Ask) -> State:
    """Put surplus units of the deployment area on the scrapyard, with their upgrades (HW-98, HW-99, HW-A36, HW-A38)."""
    check_phase(state, seat, "final")
    _check_count(len(action.units), waiting.unit_surplus(state, seat), "HW-98", "units")
    for name in action.units:
        unit = state.played(name, "units")
        if unit not in state.units(seat, "deployment"):
            raise Refusal(say("Only units of your own deployment area go to the scrapyard now."), "HW-98", "units")
        ask.tell(
            say("{unit}: to the scrapyard", unit=speech.unit(state, unit)), "HW-99", harm=(speech.gone(state, unit),)
        )
        state = hands.bury(state, unit)
    return state


def _check_count(count: int, surplus: int, clause: str, field: str) -> None:
    """Refuse to give up more than what is too many, or nothing."""
    if not surplus:
        raise Refusal(say("You have no more than you may keep."), clause)
    if not 0 < count <= surplus:
        raise Refusal(say("Choose {most} at the most, and one at least.", most=surplus), clause, field)


def first_round(state: State, ask: Ask) -> State:
    """Begin to count the rounds (HW-27)."""
    return _tell_round(state.but(round=1), ask)


def end_round(state: State, ask: Ask) -> State:
    """See who has won, then swap the roles, unlock all cards and put markers on them (HW-A34)."""
    state = _out_of_territories(_won(state, ask), ask)
    if not state.begun:
        return state
    state = state.but(round=state.round + 1, attacker=other(state.attacker))
    ask.tell(say("Nobody has won: the roles swap"), "HW-101")
    state = _entrench(_unlock(state, ask), ask)
    return _tell_round(state, ask)


def _tell_round(state: State, ask: Ask) -> State:
    text = say("Round {round}: {side} attacks first", round=state.round, side=Text(state.attacker))
    ask.tell(text, "HW-28")
    return state


def _won(state: State, ask: Ask) -> State:
    """End the game when somebody has the victory points; of two the one with more wins (HW-100, HW-A32)."""
    reached = [seat for seat in SEATS if state.victory_points(seat) >= state.options.to_win]
    if not reached:
        return state
    if len(reached) == len(SEATS) and _leader(state) is None and state.options.tie_at_15 == "play_on":
        ask.tell(say("Both have as many victory points: play goes on"), "HW-A32")
        return state
    clause = "HW-100" if len(reached) == 1 else "HW-A32"
    return _finish(state, ask, clause).but(how="points")


def due(state: State) -> tuple[Reason, ...]:
    """Say that the game ends with this round, and what to set by hand in order to play on (HW-100, HW-A33)."""
    if not state.begun:
        return ()
    tied = _leader(state) is None and state.options.tie_at_15 == "play_on"
    reached = [seat for seat in SEATS if state.victory_points(seat) >= state.options.to_win]
    if reached and not (len(reached) == len(SEATS) and tied):
        return tuple(
            Reason(
                say(
                    "{side} has {count} victory points: the game ends with this round, unless they are set by hand.",
                    side=Text(seat),
                    count=state.victory_points(seat),
                ),
                "HW-100",
            )
            for seat in reached
        )
    if state.open or _may_add(state):
        return ()
    text = say("All territories are conquered: the game ends with this round, unless one is set free by hand.")
    return (Reason(text, "HW-A33"),)


def _may_add(state: State) -> bool:
    return state.options.no_territory_left == "add_one_each" and any(territories.unused(state, seat) for seat in SEATS)


def _out_of_territories(state: State, ask: Ask) -> State:
    """Go on with other territories when all are conquered, or end the game by what was won (HW-A33)."""
    if not state.begun or state.open:
        return state
    if _may_add(state):
        return territories.add(state, ask)
    ask.tell(say("No territory is left to conquer"), "HW-A33")
    return _finish(state, ask, "HW-A33").but(how="no_territory")


def _leader(state: State) -> Seat | None:
    """Return who has more victory points, None where both have as many."""
    blue, red = (state.victory_points(seat) for seat in SEATS)
    return None if blue == red else "blue" if blue > red else "red"


def _finish(state: State, ask: Ask, clause: str) -> State:
    """End the game: more victory points win, as many are a draw."""
    winner = _leader(state)
    for seat in SEATS:
        points = state.victory_points(seat)
        ask.tell(
            say("{seat}: {count} victory point|{seat}: {count} victory points", seat=Text(seat), count=points),
            "HW-06",
            points,
        )
    ask.tell(say("A draw") if winner is None else say("{side} wins", side=Text(winner)), clause)
    return state.but(phase="finished", winner=winner or "draw")


def _unlock(state: State, ask: Ask) -> State:
    """Unlock all cards in play; those set aside with a territory are out of play (HW-102, HW-A39)."""
    ask.tell(say("All cards in play are unlocked"), "HW-102")
    playing = {card.id for seat in SEATS for card in state.of(seat)}
    return state.but(
        cards=tuple(
            replace(card, locked=False, blocked=False, used=(), damage=0) if card.id in playing else card
            for card in state.cards
        )
    )


def _entrench(state: State, ask: Ask) -> State:
    """Put a marker on every card with entrenchment that has none, or on all of them (HW-103, HW-A37)."""
    for seat in SEATS:
        dug_in = [card for card in state.of(seat) if _digs_in(state, card)]
        if dug_in:
            names = listed([speech.card(state, card) for card in dug_in], say("no card"))
            clause = "HW-A37" if state.options.entrench_stack else "HW-103"
            ask.tell(say("{seat}: entrenchment markers on {units}", seat=Text(seat), units=names), clause, len(dug_in))
        for card in dug_in:
            state = state.with_card(card.id, markers=card.markers + 1)
    return state


def _digs_in(state: State, card: Played) -> bool:
    return state.can(card, "entrenchment") and (not card.markers or state.options.entrench_stack)

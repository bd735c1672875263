"""The final phase: what is too much goes, somebody may have won, the roles swap, all is unlocked (HW-97 to HW-103)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.history_of_war import hands, speech, start
from companion.games.history_of_war.pieces import SEATS, AnyCodes, Names, Number, Seat, other
from companion.games.history_of_war.state import State, check_phase
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import FACE_DOWN, discards
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, listed, say

final = Chapter[State, Seat]()

MOST_HAND = 8
"""Cards that a hand holds after the final phase (HW-97)."""
MOST_UNITS = 5
"""Units that a deployment area holds after the final phase (HW-98)."""


class Discard(Action, frozen=True, tag="discard"):
    """Put cards of the hand on the scrapyard in the final phase (HW-97, HW-99); real cards are only counted."""

    cards: AnyCodes = ()
    count: Number = 0


class Scrap(Action, frozen=True, tag="scrap"):
    """Put units of the deployment area on the scrapyard in the final phase (HW-98, HW-99)."""

    units: Names


def hand_surplus(state: State, seat: Seat) -> int:
    """Count the cards of the hand that are too many at the end of a round (HW-97)."""
    return max(0, len(state.deck(seat).hand) - MOST_HAND)


def unit_surplus(state: State, seat: Seat) -> int:
    """Count the units in the deployment area that are too many; upgrades do not count (HW-98, HW-A36)."""
    return max(0, len(state.units(seat, "deployment")) - MOST_UNITS)


@final.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the cards of the hand and the units that are too many: one by a tap, several together (HW-97, HW-98)."""
    if state.phase != "final":
        return
    hand = [(code, speech.code(state, seat, code)) for code in state.deck(seat).hand]
    yield from discards.offers(Discard, hand, hand_surplus(state, seat), "HW-97", real=state.real, at_once=False)
    count = unit_surplus(state, seat)
    if not count:
        return
    units = [(unit.id, speech.card(state, unit)) for unit in state.units(seat, "deployment")]
    for unit, name in units:
        yield Scrap.offer(say("To the scrapyard: {unit}", unit=name), on=unit, units=[unit], clause="HW-98")
    if count > 1:
        label = say("{count} unit to the scrapyard|{count} units to the scrapyard", count=count)
        field = Field("units", say("Units for the scrapyard"), "many", tuple(Option(*unit) for unit in units))
        yield Scrap.offer(label, field, main=True, loose=True, clause="HW-98")


def _discarded(before: State, after: State, seat: Seat, _action: Discard) -> Text:
    count = len(before.deck(seat).hand) - len(after.deck(seat).hand)
    return speech.phase_now(before, after) or say(
        "{seat}: {count} card discarded|{seat}: {count} cards discarded", seat=Text(seat), count=count
    )


@final.rule(Discard, headline=_discarded)
def discard(state: State, seat: Seat, action: Discard, ask: Ask) -> State:
    """Put surplus cards of the hand on the scrapyard, those that their owner chooses (HW-97, HW-99, HW-A35)."""
    check_phase(state, seat, "final")

    def called(code: str) -> str:
        card = state.find_card(seat, code)
        return card.name if card else ""

    cards = discards.going(action.cards, action.count, called, real=state.real)
    _check_count(len(cards), hand_surplus(state, seat), "HW-97", "cards")
    for code in cards:
        if not state.real or code != FACE_DOWN:
            hands.check_held(state, seat, code)
        name = speech.code(state, seat, code)
        ask.tell(say("{seat}: {card} from the hand to the scrapyard", seat=Text(seat), card=name), "HW-99")
        state = hands.discarded(state, seat, code)
    return state


def _scrapped(before: State, after: State, seat: Seat, action: Scrap) -> Text:
    return speech.phase_now(before, after) or say(
        "{seat}: {count} unit scrapped|{seat}: {count} units scrapped", seat=Text(seat), count=len(action.units)
    )


@final.rule(Scrap, headline=_scrapped)
def scrap(state: State, seat: Seat, action: Scrap, ask: Ask) -> State:
    """Put surplus units of the deployment area on the scrapyard, with their upgrades (HW-98, HW-99, HW-A36, HW-A38)."""
    check_phase(state, seat, "final")
    _check_count(len(action.units), unit_surplus(state, seat), "HW-98", "units")
    for name in action.units:
        unit = state.played(name, "units")
        if unit not in state.units(seat, "deployment"):
            raise Refusal(say("Only units of your own deployment area go to the scrapyard now."), "HW-98", "units")
        text = say("{unit}: to the scrapyard", unit=speech.unit(state, unit))
        ask.tell(text, "HW-99", harm=(speech.gone(state, unit),))
        state = hands.bury(state, unit)
    return state


def _check_count(count: int, surplus: int, clause: str, field: str) -> None:
    if not surplus:
        raise Refusal(say("You have no more than you may keep."), clause)
    if not 0 < count <= surplus:
        raise Refusal(say("Choose at least one, and at most {most}.", most=surplus), clause, field)


def end_round(state: State, ask: Ask) -> State:
    """See who has won, then swap the roles, unlock all cards and put markers on them (HW-A34)."""
    reached = _reached(state)
    if reached and not _plays_on(state, reached):
        return _finish(state, ask, "HW-100" if len(reached) == 1 else "HW-A32").but(how="points")
    if reached:
        ask.tell(say("Both have as many victory points: play goes on"), "HW-A32")
    if not state.open:
        if not _may_add(state):
            ask.tell(say("No territory is left to conquer"), "HW-A33")
            return _finish(state, ask, "HW-A33").but(how="no_territory")
        state = start.add_territories(state, ask)
    state = state.but(round=state.round + 1, attacker=other(state.attacker))
    ask.tell(say("Nobody has won: the roles swap"), "HW-101")
    state = _entrench(_unlock(state, ask), ask)
    ask.tell(speech.round_begins(state), "HW-28")
    return state


def due(state: State) -> tuple[Reason, ...]:
    """Say that the game ends with this round, and what to set by hand in order to play on (HW-100, HW-A33)."""
    if not state.begun:
        return ()
    reached = _reached(state)
    if reached and not _plays_on(state, reached):
        text = "{side} has {count} victory points: the game ends with this round, unless they are set by hand."
        scores = ((Text(seat), state.victory_points(seat)) for seat in reached)
        return tuple(Reason(say(text, side=side, count=points), "HW-100") for side, points in scores)
    if state.open or _may_add(state):
        return ()
    why = say("All territories are conquered: the game ends with this round, unless one is set free by hand.")
    return (Reason(why, "HW-A33"),)


def _reached(state: State) -> list[Seat]:
    """List who has the victory points that win (HW-100)."""
    return [seat for seat in SEATS if state.victory_points(seat) >= state.options.to_win]


def _plays_on(state: State, reached: list[Seat]) -> bool:
    """Tell whether nobody wins because both have as many points, as agreed on (HW-A32)."""
    return len(reached) == len(SEATS) and _leader(state) is None and state.options.tie_at_15 == "play_on"


def _may_add(state: State) -> bool:
    return state.options.no_territory_left == "add_one_each" and any(start.unused(state, seat) for seat in SEATS)


def _leader(state: State) -> Seat | None:
    return next((seat for seat in SEATS if state.victory_points(seat) > state.victory_points(other(seat))), None)


def _finish(state: State, ask: Ask, clause: str) -> State:
    """End the game: more victory points win, as many are a draw."""
    winner = _leader(state)
    for seat in SEATS:
        points = state.victory_points(seat)
        text = say("{seat}: {count} victory point|{seat}: {count} victory points", seat=Text(seat), count=points)
        ask.tell(text, "HW-06", points)
    ask.tell(say("A draw") if winner is None else say("{side} wins", side=Text(winner)), clause)
    return state.but(phase="finished", winner=winner or "draw")


def _unlock(state: State, ask: Ask) -> State:
    """Unlock all cards in play; those set aside with a territory are out of play (HW-102, HW-A39)."""
    ask.tell(say("All cards in play are unlocked"), "HW-102")
    playing = {card.id for seat in SEATS for card in state.of(seat)}
    cards = (
        replace(card, locked=False, blocked=False, used=(), damage=0, by_hand=0) if card.id in playing else card
        for card in state.cards
    )
    return state.but(cards=tuple(cards))


def _entrench(state: State, ask: Ask) -> State:
    """Put a marker on every card with entrenchment that has none, or on all of them (HW-103, HW-A37)."""
    stacks = state.options.entrench_stack
    for seat in SEATS:
        able = (card for card in state.of(seat) if state.can(card, "entrenchment"))
        dug_in = [card for card in able if stacks or not card.markers]
        if dug_in:
            names = listed([speech.card(state, card) for card in dug_in], say("no card"))
            clause = "HW-A37" if stacks else "HW-103"
            ask.tell(say("{seat}: entrenchment markers on {units}", seat=Text(seat), units=names), clause, len(dug_in))
        for card in dug_in:
            state = state.with_card(card.id, markers=card.markers + 1)
    return state

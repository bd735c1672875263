"""The start: decks are ready, territories, who attacks first, and the first hands (HW-20 to HW-26, HW-30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

from msgspec import field

from companion.games.history_of_war import decks, hands, speech
from companion.games.history_of_war.cards import START_POINTS, BaseCard, TerritoryCard
from companion.games.history_of_war.pieces import SEATS, Seat, with_seat, without_seat
from companion.games.history_of_war.state import State
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Choice, Choose, Option, Throw
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, numbered, say

start = Chapter[State, Seat]()

HAND = 8
"""Cards of a first hand (HW-25)."""
FEW = 2
"""Base expansions of a hand that nobody has to be content with (HW-26)."""


class Ready(Action, frozen=True, tag="ready"):
    """Say that your deck is as you want it (``on`` false: not yet after all)."""

    yes: bool = field(default=True, name="on")


class Keep(Action, frozen=True, tag="keep"):
    """Begin with the first hand that you have (HW-25)."""


class Mulligan(Action, frozen=True, tag="mulligan"):
    """Shuffle the first hand back and draw another, once (HW-26, HW-A03)."""


def unused(state: State, seat: Seat) -> dict[str, TerritoryCard]:
    """Return the kinds of a player's territory cards of which one is not on the table, by ``t0``, ``t1`` .."""
    lying = [territory.card for territory in state.territories if territory.seat == seat]
    cards = {f"t{at}": card for at, card in enumerate(state.rosters[seat].territory)}
    return {kind: card for kind, card in cards.items() if lying.count(kind) < card.count}


def pairs(state: State, seat: Seat) -> tuple[Option, ...]:
    """List the pairs of a player's own territory cards; those worth too little are barred (HW-22, HW-A02)."""
    cards = unused(state, seat)
    return tuple(
        _pair(f"{first},{second}", cards[first], cards[second])
        for first, second in combinations_with_replacement(cards, 2)
        if first != second or cards[first].count > 1
    )


def _pair(value: str, first: TerritoryCard, second: TerritoryCard) -> Option:
    points = first.victory_points + second.victory_points
    names = speech.called(first.name), speech.called(second.name)
    label = say("{one} and {other}: {count} VP", one=names[0], other=names[1], count=points)
    text = "Together they are worth {points} victory points; {least} are the least."
    barred = Reason(say(text, points=points, least=START_POINTS), "HW-22") if points < START_POINTS else None
    note = say("Flags needed: {one} and {other}", one=first.flags, other=second.flags)
    return Option(value, label, barred, note=note)


def choose_two(state: State, ask: Ask) -> State:
    """Let both choose two of their territory cards in secret, and reveal them at once (HW-22, HW-23, HW-24)."""
    why = say("Which two of your territories do you put into play?")
    asking: dict[str, Throw | Choose] = {
        seat: Choose(f"territories_{seat}", why, seat, pairs(state, seat), "HW-22") for seat in SEATS
    }
    return _reveal(state, asking, say("Both choose two territories"), "HW-23", ask)


def add_territories(state: State, ask: Ask) -> State:
    """Let each add another of the unused territory cards, chosen in secret; who has none adds none (HW-A33)."""
    why = say("Which of your territories do you add?")
    asking: dict[str, Throw | Choose] = {}
    for seat in SEATS:
        if options := tuple(Option(kind, _worth(card)) for kind, card in unused(state, seat).items()):
            asking[seat] = Choose(f"territories_{seat}", why, seat, options, "HW-A33")
        else:
            ask.tell(say("{seat}: no territory card is left", seat=Text(seat)), "HW-A33")
    return _reveal(state, asking, say("No territory is left: each adds another"), "HW-A33", ask)


def _worth(card: TerritoryCard) -> Text:
    return say(
        "{territory}: {count} victory point, flags needed {flags}|{territory}: {count} victory points, "
        "flags needed {flags}",
        territory=speech.called(card.name),
        count=card.victory_points,
        flags=card.flags,
    )


def _reveal(state: State, asking: Mapping[str, Throw | Choose], why: Text, clause: str, ask: Ask) -> State:
    """Ask for the choices and lay all chosen territories in the middle at once."""
    sealed = ask.together(dict(asking), "territories", why)
    for seat in SEATS:
        answer = sealed.get(seat)
        for kind in answer.value.split(",") if isinstance(answer, Choice) else ():
            state = state.with_another_territory(seat, kind)
            brought = _worth(state.land(state.territories[-1]))
            ask.tell(say("{seat} brings {territory}", seat=Text(seat), territory=brought), clause)
    return state


@start.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to be ready, and to keep or change the first hand."""
    if state.phase == "decks" and seat in state.ready:
        yield Ready.offer(say("Not ready yet after all"), yes=False, clause="HW-20")
    elif state.phase == "decks" and decks.not_ready(state, seat) is None:
        yield Ready.offer(say("Ready: this is my deck"), main=True, clause="HW-20")
    if state.phase == "mulligan" and not state.deck(seat).kept:
        yield Keep.offer(say("Keep this hand"), main=True, clause="HW-25")
        if _may_change(state, seat):
            yield Mulligan.offer(say("Change the whole hand, once"), clause="HW-26")


def _said_ready(before: State, after: State, seat: Seat, action: Ready) -> Text:
    if after.phase != before.phase:
        return say("{side} attacks first", side=Text(after.attacker))
    return say("{seat}: ready", seat=Text(seat)) if action.yes else say("{seat}: not ready yet", seat=Text(seat))


@start.rule(Ready, headline=_said_ready)
def ready(state: State, seat: Seat, action: Ready, ask: Ask) -> State:
    """Take a player at his word that his deck stands (HW-20); when both are ready the game is set up."""
    if state.phase != "decks":
        raise Refusal(say("The decks stand: the game has begun."), "HW-20")
    if (seat in state.ready) == action.yes:
        raise Refusal(say("You have said so already."), "HW-20")
    if not action.yes:
        ask.tell(say("{seat}: the deck is looked at again", seat=Text(seat)), "HW-20")
        return state.but(ready=without_seat(state.ready, seat))
    refuse(decks.not_ready(state, seat))
    ask.tell(say("{seat}: the deck is ready", seat=Text(seat)), "HW-20")
    state = state.but(ready=with_seat(state.ready, seat))
    if state.ready != SEATS:
        return state
    # Questions are open until the hands are dealt: meanwhile everybody sees that the last one is ready too.
    ask.progress(state)
    return _set_up(state, ask)


def _set_up(state: State, ask: Ask) -> State:
    """Reveal the territories, let a die say who attacks first, and deal (HW-20 to HW-25, HW-30)."""
    state = choose_two(state, ask)
    why = say("Who attacks first: 1 to 3 Blue, 4 to 6 Red")
    faces = ask.throw(1, 6, "first_attacker", why, by="blue", clause="HW-30", alike=((1, 2, 3), (4, 5, 6)))
    first: Seat = "blue" if faces[0] <= 3 else "red"
    ask.tell(say("{side} attacks first", side=Text(first)), "HW-30", faces=faces)
    state = state.but(attacker=first, phase="mulligan")
    for seat in SEATS:
        state = _deal(state, seat, ask)
    return state


def _deal(state: State, seat: Seat, ask: Ask) -> State:
    """Shuffle all cards of a player but the territories, and draw a first hand (HW-20, HW-21, HW-25)."""
    ask.tell(say("{seat}: the depot is shuffled", seat=Text(seat)), "HW-21")
    return hands.draw(hands.shuffled(state, seat), seat, HAND, say("first hand"), ask, clause="HW-25")


def _may_change(state: State, seat: Seat) -> bool:
    """Tell whether a hand may be changed; of real cards only their owner knows which they are (HW-26, HW-A03)."""
    cards = (state.find_card(seat, code) for code in state.deck(seat).hand)
    few = sum(isinstance(card, BaseCard) for card in cards) < FEW
    return state.options.mulligan == "any" or state.real or few


def _check_looking(state: State, seat: Seat) -> None:
    if state.phase != "mulligan":
        raise Refusal(say("First hands are kept or changed before the first round."), "HW-26")
    if state.deck(seat).kept:
        raise Refusal(say("You have settled your first hand."), "HW-A03")


def _hand_settled(_before: State, after: State, seat: Seat, action: Keep | Mulligan) -> Text:
    if after.begun:
        return speech.round_begins(after)
    another = isinstance(action, Mulligan)
    return say("{seat}: another first hand" if another else "{seat} keeps the hand", seat=Text(seat))


@start.rule(Mulligan, headline=_hand_settled)
def mulligan(state: State, seat: Seat, _action: Mulligan, ask: Ask) -> State:
    """Shuffle a whole first hand back and draw another, once: that hand is kept (HW-26, HW-A03)."""
    _check_looking(state, seat)
    if not _may_change(state, seat):
        text = numbered("A hand with [few written] base expansions or more is kept: so it was agreed on.", few=FEW)
        raise Refusal(text, "HW-A03")
    ask.tell(say("{seat}: the first hand goes back", seat=Text(seat)), "HW-26")
    return _deal(state, seat, ask).with_deck(seat, mulligan=True, kept=True)


@start.rule(Keep, headline=_hand_settled)
def keep(state: State, seat: Seat, _action: Keep, ask: Ask) -> State:
    """Begin with the hand that one holds (HW-25)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand is kept", seat=Text(seat)), "HW-25")
    return state.with_deck(seat, kept=True)

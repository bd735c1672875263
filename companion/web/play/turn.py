"""Whose turn it is, in words: the head of a seat's page and the title of its tab, from what that seat sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.panels import Phases, Tracker, View
from companion.kit.questions import Throw
from companion.kit.text import Text, say
from companion.table.view_models import Asked, Person, Seen, Summary

MANY = 3
"""So many people are counted, not named."""
COUNTED = ("number", "count")
"""Places of a turn's name that count its phases, such as in "Round 2: 7/15"."""
_ESSES = re.compile(r"(?<=[sS])'s(?=( turn)?$)")


class WhoseTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """Say whose turn it is: a ``headline``, the phase that it goes on ``about``, and what is said small beside it.

    ``seat`` is whose it is, empty where it is nobody's alone; ``mine`` tells that its reader is waited for. ``steps``
    are the phases of a turn in their order, ``current`` is the index of the one that is now.
    """

    headline: Text
    about: Text | None = None
    details: tuple[Text, ...] = ()
    seat: str = ""
    mine: bool = False
    steps: tuple[Text, ...] = ()
    current: int = 0


class Movers(NamedTuple):
    """Whom a table waits for: of ``seats`` that it waits for together those that somebody took, else all of them.

    ``taken`` are all seats that somebody took to play.
    """

    seats: tuple[str, ...]
    taken: frozenset[str]

    @property
    def free(self) -> bool:
        """Tell whether nobody sits where somebody is waited for."""
        return self.taken.isdisjoint(self.seats)

    @property
    def everyone(self) -> bool:
        """Tell whether all who play are waited for, and are too many to be named."""
        return len(self.seats) >= MANY and self.taken.issubset(self.seats)


def movers(people: Sequence[Person], waited_for: Sequence[str]) -> Movers:
    """Sort out whom a table waits for, of the seats that it waits for."""
    taken = frozenset(person.seat for person in people if person.taken and person.seat != RULEKEEPER)
    return Movers(tuple(seat for seat in waited_for if seat in taken) or tuple(waited_for), taken)


def whose_turn(seen: Seen) -> WhoseTurn:
    """Work out whose turn it is, and what of it the reader is to know."""
    if seen.over:
        return WhoseTurn(say("End of the game"))
    phases = next((panel for panel in seen.view.panels if isinstance(panel, Phases)), None)
    if phases is None:
        return _awaited(seen, None)
    step = phases.steps[phases.current] if 0 <= phases.current < len(phases.steps) else None
    turn = _awaited(seen, step)
    title = _title(seen.view, phases)
    details = (*turn.details, title) if title else turn.details
    return msgspec.structs.replace(turn, details=details, steps=phases.steps, current=phases.current)


def _title(view: View, phases: Phases) -> Text | None:
    """Say which round it is, without whose turn it is and without a count of its phases, of which each is a stroke.

    What a tracker is called is not said again: it stands there.
    """
    if any(isinstance(panel, Tracker) and panel.title == phases.title for panel in view.panels):
        return None
    return _without(phases.title, ("side", *COUNTED))


def spoken(turn: WhoseTurn, speak: Callable[[Text], str]) -> str:
    """Say it as one sentence: "Your turn: choose a card"."""
    headline, about = spoken_headline(turn, speak), spoken_about(turn, speak)
    return f"{headline}: {about}" if about else headline


def spoken_headline(turn: WhoseTurn, speak: Callable[[Text], str]) -> str:
    """Say whose it is: "Your turn"."""
    return speak_turn(turn.headline, speak)


def speak_turn(headline: Text, speak: Callable[[Text], str]) -> str:
    """Say whose turn it is, as a headline: "Luis' turn"."""
    return _ESSES.sub("'", speak(headline).rstrip("."))


def spoken_about(turn: WhoseTurn, speak: Callable[[Text], str]) -> str:
    """Say what it goes on about, as the rest of that sentence: "choose a card"."""
    if turn.about is None:
        return ""
    about = speak(turn.about)
    # What has a place was typed by somebody, and what has more capitals is a name: both stay as they are.
    if not turn.about.places and about[1:] == about[1:].lower():
        about = about[:1].lower() + about[1:]
    return about


def spoken_details(turn: WhoseTurn, speak: Callable[[Text], str]) -> str:
    """Say what stands small beside it: "seat free · Turn 9"."""
    return " · ".join(words for detail in turn.details if (words := spoken_name(detail, speak)))


def spoken_name(name: Text, speak: Callable[[Text], str]) -> str:
    """Say what a turn is called, without the signs that led to a place which is left empty: "Round 2"."""
    return speak(name).rstrip(": /")


def _awaited(seen: Seen, step: Text | None) -> WhoseTurn:
    if seen.paused:
        return WhoseTurn(say("Paused"))
    if seen.asked:
        return _asked(seen, seen.asked)
    if answering := list(dict.fromkeys(waited.seat for waited in seen.waiting)):
        return _answering(seen, answering)
    if seen.consent and seen.consent.mine_to_give:
        return WhoseTurn(say("Your answer"), seat=seen.seat, mine=True)
    moving = movers(seen.people, seen.view.to_move)
    free = [seat for seat in seen.view.to_move if seat not in moving.taken]
    if free and seen.seat == RULEKEEPER and seen.offers:
        return WhoseTurn(_played_for(seen, free), step, seat=_alone(free), mine=True)
    if not moving.taken and seen.seat != RULEKEEPER:
        return WhoseTurn(say("Waiting for players"))
    return _moving(seen, step, moving)


def _moving(seen: Seen, step: Text | None, moving: Movers) -> WhoseTurn:
    """Say whose turn it is where nobody has to answer."""
    if not moving.seats:
        line = _line(seen.view)
        return WhoseTurn(say("{who}'s turn", who=line) if line else say("Anyone can act"), step)
    if seen.seat in moving.seats:
        others = [seat for seat in moving.seats if seat != seen.seat]
        headline = say("Everyone's turn") if moving.everyone else _my_turn(seen, others)
        return WhoseTurn(headline, step, seat=seen.seat, mine=True)
    details = (say("seat free"),) if moving.free else ()
    return WhoseTurn(_their_turn(seen.people, moving), step, details, _alone(moving.seats))


def _my_turn(seen: Seen, others: Sequence[str]) -> Text:
    match others:
        case []:
            return say("Your turn")
        case [other]:
            return say("Your turn, and {who}'s", who=called(seen.people, other))
        case _:
            return say("Your turn, and {count} others'", count=len(others))


def _their_turn(people: Sequence[Person], moving: Movers) -> Text:
    match moving.seats:
        case _ if moving.everyone:
            return say("Everyone's turn")
        case [seat]:
            return say("{who}'s turn", who=called(people, seat))
        case [one, two]:
            return say("{one} and {two}'s turn", one=called(people, one), two=called(people, two))
        case _:
            return say("{count} players' turn", count=len(moving.seats))


def _played_for(seen: Seen, seats: Sequence[str]) -> Text:
    """Say to the rulekeeper who plays for seats that nobody took."""
    match seats:
        case [seat]:
            return say("You play for {who}", who=called(seen.people, seat))
        case [one, two]:
            return say("You play for {one} and {two}", one=called(seen.people, one), two=called(seen.people, two))
        case _:
            return say("You play for {count} seats", count=len(seats))


def _asked(seen: Seen, asked: Asked) -> WhoseTurn:
    """Say that the reader has to answer; the question itself stands where its answers are."""
    rolls = isinstance(asked.question, Throw)
    if asked.seat == seen.seat:
        headline = say("Your roll") if rolls else say("Your answer")
    else:
        who = called(seen.people, asked.seat)
        headline = say("You roll for {who}", who=who) if rolls else say("You answer for {who}", who=who)
    others = dict.fromkeys(waited.seat for waited in seen.waiting if waited.seat != asked.seat)
    details: tuple[Text, ...] = ()
    if len(others) == 1:
        details = (say("{who} is answering too", who=called(seen.people, *others)),)
    elif others:
        details = (say("{count} others are answering too", count=len(others)),)
    return WhoseTurn(headline, details=details, seat=asked.seat, mine=True)


def _answering(seen: Seen, seats: Sequence[str]) -> WhoseTurn:
    match seats:
        case [seat] if any(waited.throw is not None for waited in seen.waiting):
            return WhoseTurn(say("{who} is rolling", who=called(seen.people, seat)), seat=seat)
        case _:
            return WhoseTurn(_who_answers(seen.people, seats), seat=_alone(seats))


def _who_answers(people: Sequence[Person], seats: Sequence[str]) -> Text:
    match seats:
        case [seat]:
            return say("{who} is answering", who=called(people, seat))
        case [one, two]:
            return say("{one} and {two} are answering", one=called(people, one), two=called(people, two))
        case _:
            return say("{count} players are answering", count=len(seats))


def listed_turn(summary: Summary, mine: str = "") -> Text | None:
    """Say in a list of tables whose turn it is at one; None where there is nothing to say. ``mine`` is its reader's."""
    moving = movers(summary.people, summary.waits_for)
    if summary.over or not summary.playable:
        return None
    if summary.paused:
        return say("Paused")
    if mine in moving.seats:
        return say("Your answer") if summary.answering else say("Your turn")
    if not moving.taken:
        return say("Waiting for players")
    if not moving.seats:
        return None
    if summary.answering:
        return _who_answers(summary.people, moving.seats)
    return _their_turn(summary.people, moving)


def _alone(seats: Sequence[str]) -> str:
    return seats[0] if len(seats) == 1 else ""


def called(people: Sequence[Person], seat: str) -> Text:
    """Return what whoever sits there is called."""
    return names(people).get(seat, Text(seat))


def names(people: Sequence[Person]) -> dict[str, Text]:
    """Call who sits there by name, or as the seat is called: with nobody on it, and to tell two apart."""
    sitting = {person.seat: person.name.casefold() for person in people if person.taken and person.name}
    # Who plays may keep the rules too, and is one.
    players = Counter(name for seat, name in sitting.items() if seat != RULEKEEPER)
    alone = {seat for seat, name in sitting.items() if players[name] == (1 if seat != RULEKEEPER else 0)}
    return {person.seat: say("{name}", name=person.name) if person.seat in alone else person.role for person in people}


def uncounted(name: Text) -> Text:
    """Name a turn without counting its phases."""
    return _without(name, COUNTED)


def _without(name: Text, places: Sequence[str]) -> Text:
    """Leave places of a name empty."""
    return Text(name.say, {place: "" if place in places else is_ for place, is_ in name.places.items()})


def _line(view: View) -> Text | None:
    """Find what has its turn without a seat, as a typed name in an order or the one whose clock runs."""
    trackers = (panel for panel in view.panels if isinstance(panel, Tracker))
    lines = chain.from_iterable(((tracker, row) for row in tracker.rows if row.current) for tracker in trackers)
    for tracker, row in lines:
        stands = row.clock is not None and row.clock.since is None
        # A line that is called as its tracker is all there is of it.
        if not row.side and not stands and row.name != tracker.title:
            return row.name
    return None

"""Flags: territories or objectives, what each is worth, and whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.look import (
    LONGEST_NAME,
    LONGEST_NAMES,
    Base,
    Deed,
    Setting,
    fitting,
    followed,
    listed,
    look_fields,
    text,
    typed,
    written,
)
from companion.kit.asking import Option
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

NOBODY = "nobody"
MOST_WORTH = 999


class Flags(Base, frozen=True, tag="flags"):
    """Hold places with what they are worth, and the seats that own some of them, by the place's number."""

    places: tuple[tuple[str, int], ...] = ()
    owners: Mapping[str, str] = {}


class SetFlags(Setting, frozen=True, tag="set_flags"):
    """Add places to own, or change them."""

    places: Annotated[str, Meta(max_length=LONGEST_NAMES)]

    def made(self, old: Flags | None) -> Flags:
        """Make the flags: a place is worth 1 unless a number follows its name; raise Refusal without any place."""
        places = tuple(_place(name) for name in listed(self.places, "places", LONGEST_NAME + len(str(MOST_WORTH)) + 1))
        if not places:
            raise Refusal(say("Name at least one place."), field="places")
        before = old or Flags()
        owners = followed(before.owners, (name for name, _ in before.places), (name for name, _ in places))
        return Flags(**self.look(old), places=places, owners=owners)


def _place(sent: str) -> tuple[str, int]:
    name, _, worth = sent.rpartition(" ")
    if name and worth.isascii() and worth.isdigit() and int(worth) <= MOST_WORTH:
        return fitting(name, "places"), int(worth)
    return fitting(sent, "places"), 1


def _written(name: str, worth: int) -> str:
    return name if worth == 1 and _place(name) == (name, 1) else f"{name} {worth}"


class Claim(Deed, frozen=True, tag="claim"):
    """Say whose a place is now."""

    place: str
    owner: str


Action = Claim


def fields(old: Flags | None) -> tuple[Field, ...]:
    """Ask for what makes flags."""
    called, colour, glyph = look_fields(old)
    shown = written(_written(name, worth) for name, worth in old.places) if old else ""
    hint = say("Separated by commas; with a number, what it is worth: “Mill, Bridge 2”.")
    return (called, text("places", say("Places"), shown, LONGEST_NAMES, hint), colour, glyph)


def fresh(tracker: Flags) -> Flags:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, owners={})


def _owner(state: State, tracker: Flags, at: int) -> Text:
    owner = tracker.owners.get(str(at))
    return state.called(owner) if owner else Text(NOBODY)


def panels(state: State, tracker: Flags, _seat: str) -> tuple[Panel, ...]:
    """Show whose each place is, and what everybody's places are worth together."""
    rows = [
        Row(
            f"{tracker.id}.{at}",
            typed(name),
            _owner(state, tracker, at),
            side=tracker.owners.get(str(at), ""),
            note=say("worth {count}", count=worth) if worth != 1 else None,
        )
        for at, (name, worth) in enumerate(tracker.places)
    ]
    for owner in dict.fromkeys(tracker.owners[at] for at in sorted(tracker.owners, key=int)):
        sum_of = sum(tracker.places[int(at)][1] for at, held in tracker.owners.items() if held == owner)
        together = say("together: {who}", who=state.called(owner))
        rows.append(Row(f"{tracker.id}.sum.{owner}", together, say("{count}", count=sum_of), side=owner))
    return (Tracker(tracker.id, tracker.title, tuple(rows), tracker.colour, tracker.glyph or "flag"),)


def offers(state: State, tracker: Flags, seat: str) -> tuple[Offer, ...]:
    """Offer to change the owner of each place."""
    found = []
    for at in range(len(tracker.places)):
        now, on = tracker.owners.get(str(at), NOBODY), f"{tracker.id}.{at}"
        given = {"tracker": tracker.id, "place": str(at)}
        if seat in state.players and now != seat:
            found.append(Offer("claim", say("Mine"), {**given, "owner": seat}, on=on))
        options = (Option(NOBODY, Text(NOBODY)), *(Option(one, state.called(one)) for one in state.players))
        if now not in {option.value for option in options}:
            options = (*options, Option(now, state.called(now)))
        owner = Field("owner", say("Whose it is"), "choice", options, now)
        found.append(Offer("claim", say("Whose?"), given, (owner,), on=on))
    return tuple(found)


def rule(state: State, tracker: Flags, _seat: str, action: Action, _ask: Ask) -> Ruling[Flags]:
    """Change the owner of a place; raise Refusal for a place or a seat that is none."""
    if action.place not in {str(at) for at in range(len(tracker.places))}:
        raise Refusal(say("There is no such line any more."), field="place")
    made = _owned(state, tracker, action.place, action.owner)
    place = typed(tracker.places[int(action.place)][0])
    return Ruling(
        made, say("{what}, {place}: {who}", what=tracker.title, place=place, who=_owner(state, made, int(action.place)))
    )


def _owned(state: State, tracker: Flags, place: str, owner: str) -> Flags:
    if owner != NOBODY and owner not in state.roles:
        raise Refusal(say("Nobody plays on that seat."), field="owner")
    owners = {at: held for at, held in tracker.owners.items() if at != place}
    return msgspec.structs.replace(tracker, owners=owners if owner == NOBODY else {**owners, place: owner})


def tracked(state: State, tracker: Flags) -> tuple[Tracked, ...]:
    """List the owners."""
    options = (Option(NOBODY, Text(NOBODY)), *(Option(one, state.called(one)) for one in state.roles))
    return tuple(
        Tracked(
            f"{tracker.id}.{at}",
            tracker.title,
            Field("value", typed(name), "choice", options, tracker.owners.get(str(at), NOBODY)),
        )
        for at, (name, _) in enumerate(tracker.places)
    )


def correct(state: State, tracker: Flags, part: str, value: str, _ask: Ask) -> Flags:
    """Set an owner."""
    return _owned(state, tracker, part, value)

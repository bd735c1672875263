"""Flags: territories or objectives, what each is worth, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated

from msgspec import Meta

from companion.games.free_table.kinds import Deed, Kind, Setting, Table, Tracker, name_of
from companion.games.free_table.names import LONGEST_NAME, Listed, fitting, followed, listed, typed
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.once import once
from companion.kit.panels import Panel, Row
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

NOBODY = "nobody"
MOST_WORTH = 999


class Flags(Tracker, frozen=True, tag="flags"):
    """Places with what they are worth, and the seats that own some of them, by the place's number."""

    places: tuple[tuple[str, int], ...] = ()
    owners: Mapping[str, str] = {}

    def owner(self, at: int) -> str:
        """Return the seat that owns a place, or NOBODY."""
        return self.owners.get(str(at), NOBODY)


class SetFlags(Setting[Flags], frozen=True, tag="set_flags"):
    """Add places to own, or change them."""

    places: Annotated[
        Listed,
        Meta(title="Places", description="Separated by commas; with a number, what it is worth: “Mill, Bridge 2”."),
    ]

    def made(self, old: Flags) -> Flags:
        """Make the flags: a place is worth 1 unless a number follows its name; raise Refusal without any place."""
        places = tuple(_place(name) for name in listed(self.places, "places", LONGEST_NAME + len(f" {MOST_WORTH}")))
        if not places:
            raise Refusal(say("Name at least one place."), field="places")
        owners = followed(old.owners, (name for name, _ in old.places), (name for name, _ in places))
        return self.onto(old, places=places, owners=owners)


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


flags = Kind(
    Flags,
    SetFlags,
    fresh=lambda flags: flags.but(owners={}),
    typed=lambda flags: {"places": ", ".join(_written(name, worth) for name, worth in flags.places)},
)


def _called(table: Table, owner: str) -> Text:
    return Text(NOBODY) if owner == NOBODY else table.called(owner)


@once
def _owners(table: Table, seats: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(seat, _called(table, seat)) for seat in (NOBODY, *seats))


@flags.panels_for_all
def panels(table: Table, flags: Flags) -> Iterator[Panel]:
    """Show whose each place is, and what everybody's places are worth together."""
    rows = [
        Row(
            f"{flags.id}.{at}",
            typed(name),
            _called(table, flags.owner(at)),
            side=flags.owners.get(str(at), ""),
            note=say("worth {count}", count=worth) if worth != 1 else None,
        )
        for at, (name, worth) in enumerate(flags.places)
    ]
    for owner in dict.fromkeys(flags.owners[at] for at in sorted(flags.owners, key=int)):
        worth = sum(flags.places[int(at)][1] for at, other in flags.owners.items() if other == owner)
        together = say("together: {who}", who=table.called(owner))
        rows.append(Row(f"{flags.id}.sum.{owner}", together, say("{count}", count=worth), side=owner))
    yield flags.panel(rows, "flag")


@flags.offers
def offers(table: Table, flags: Flags, seat: str) -> Iterator[Offer]:
    """Offer to change the owner of each place."""
    for at in range(len(flags.places)):
        now, on = flags.owner(at), f"{flags.id}.{at}"
        if seat in table.players and now != seat:
            yield Claim.offer(say("Mine"), on=on, tracker=flags.id, place=str(at), owner=seat)
        gone = () if now in {NOBODY, *table.players} else (now,)
        owner = Field("owner", say("Whose it is"), "choice", _owners(table, (*table.players, *gone)), now)
        yield Claim.offer(say("Change owner"), owner, on=on, tracker=flags.id, place=str(at))


@flags.rule(Claim)
def claim(table: Table, flags: Flags, _seat: str, action: Claim, _ask: Ask) -> Ruling[Flags]:
    """Change the owner of a place; raise Refusal for a place or a seat that is none."""
    names = {str(at): typed(name) for at, (name, _) in enumerate(flags.places)}
    place = name_of(names, action.place, "place")
    after, who = owned(table, flags, action.place, action.owner), _called(table, action.owner)
    return Ruling(after, say("{what}, {place}: {who}", what=flags.title, place=place, who=who))


def owned(table: Table, flags: Flags, place: str, owner: str) -> Flags:
    """Set the owner of a place; raise Refusal for a seat that is none."""
    if owner not in {NOBODY, *table.roles}:
        raise Refusal(say("Nobody plays on that seat."), field="owner")
    owners = {at: other for at, other in flags.owners.items() if at != place}
    return flags.but(owners=owners if owner == NOBODY else {**owners, place: owner})


@flags.corrections
def corrections(table: Table, flags: Flags) -> Iterator[Correction[Flags]]:
    """List the owners."""
    options = _owners(table, table.roles)
    for at, (name, _) in enumerate(flags.places):
        put = partial(owned, table, flags, str(at))
        yield flags.corrections.choice(str(at), typed(name), options, flags.owner(at), put)

"""The dice tray: any dice, thrown where everybody sees them, favourites, and the last throws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.kinds import Deed, Kind, Setting, Table, Tracker
from companion.games.free_table.names import LONGEST_NAME, fitting, read_dice, text, tidy, typed
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.dice.odds import charts
from companion.kit.dice.parser import LONGEST, read
from companion.kit.dice.roll import throw
from companion.kit.panels import Panel, Row
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

SIDES = (4, 6, 8, 10, 12, 20, 100)
"""The usual dice."""
SHOWN = 8
"""Throws that are shown."""
MOST_FAVOURITES = 20
Notation = Annotated[str, Meta(max_length=LONGEST)]


class Cast(msgspec.Struct, frozen=True):
    """A throw that is remembered: whose it was, what was thrown, and what came."""

    seat: str
    dice: str
    came: Text


class Tray(Tracker, frozen=True, tag="tray"):
    """Favourites (name, notation) and the last throws, newest first."""

    favourites: tuple[tuple[str, str], ...] = ()
    casts: tuple[Cast, ...] = ()


class SetTray(Setting[Tray], frozen=True, tag="set_tray"):
    """Add a dice tray, or change its name."""


class Roll(Deed, frozen=True, tag="roll"):
    """Throw dice."""

    dice: Notation


class Keep(Deed, frozen=True, tag="keep"):
    """Keep a throw under a name, to be thrown by one tap."""

    dice: Notation
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""


class Forget(Deed, frozen=True, tag="forget"):
    """Keep a throw no longer."""

    favourite: str


tray = Kind(Tray, SetTray, fresh=lambda tray: tray.but(casts=()))


@tray.panels_for_all
def panels(table: Table, tray: Tray) -> Iterator[Panel]:
    """Show the last throws."""
    rows = (
        Row(f"{tray.id}.{at}", table.called(cast.seat), cast.came, side=cast.seat, current=at == 0)
        for at, cast in enumerate(tray.casts)
    )
    yield msgspec.structs.replace(tray.panel(rows, "die"), past=True)


@tray.offers_to_all
def offers(_table: Table, tray: Tray) -> Iterator[Offer]:
    """Offer the usual dice, the favourites, and any others."""
    names = {dice: _called(tray, name, dice) for name, dice in tray.favourites}
    for dice, name in names.items():
        yield Roll.offer(typed(name), on=tray.id, tracker=tray.id, dice=dice)
    for sides in SIDES:
        yield Roll.offer(say("d{sides}", sides=sides), on=tray.id, tracker=tray.id, dice=f"d{sides}")
    hint = say("Such as 4d6kh3, 3d10>=7, 2d6+1d8-1.")
    any_dice = Field("dice", say("Dice"), "dice", value="2d6", high=LONGEST, hint=hint)
    yield Roll.offer(say("Roll other dice"), any_dice, on=tray.id, chancy=True, tracker=tray.id)
    if len(tray.favourites) < MOST_FAVOURITES:
        called = text("name", say("Name"))
        yield Keep.offer(say("Keep a roll"), called, any_dice, on=tray.id, loose=True, aside=True, tracker=tray.id)
    for dice, name in names.items():
        label, asks = say("Forget: {what}", what=name), say("Forget this roll?")
        yield Forget.offer(label, on=tray.id, grave=True, aside=True, asks=asks, tracker=tray.id, favourite=dice)


def _called(tray: Tray, name: str, dice: str) -> str:
    """Call a favourite by its name, with its dice where another button has that name too."""
    called = name or dice
    names = [*(other or others_dice for other, others_dice in tray.favourites), *(f"d{sides}" for sides in SIDES)]
    return called if names.count(called) == 1 else f"{called}: {dice}"


@tray.rule(Roll, odds=lambda _table, _seat, action: charts(read(action.dice)))
def roll(_table: Table, tray: Tray, seat: str, action: Roll, ask: Ask) -> Ruling[Tray]:
    """Throw; raise Refusal for a notation that can not be read, pointing at the character."""
    thrown = throw(read_dice(action.dice), ask, by=seat)
    casts = (Cast(seat, thrown.text, thrown.headline), *tray.casts)
    return Ruling(tray.but(casts=casts[:SHOWN]), thrown.headline)


@tray.rule(Keep)
def keep(_table: Table, tray: Tray, _seat: str, action: Keep, _ask: Ask) -> Ruling[Tray]:
    """Keep a throw, in the place of the same dice; raise Refusal for too many."""
    name, dice = tidy(action.name), _kept(action.dice)
    others = tuple(favourite for favourite in tray.favourites if favourite[1] != dice)
    if len(others) == MOST_FAVOURITES:
        raise Refusal(say("{count} favourites at most, please.", count=MOST_FAVOURITES), field="dice")
    return Ruling(tray.but(favourites=(*others, (name, dice))), say("Kept: {what}", what=name or dice))


@tray.rule(Forget)
def forget(_table: Table, tray: Tray, _seat: str, action: Forget, _ask: Ask) -> Ruling[Tray]:
    """Keep a throw no longer."""
    left = tuple(favourite for favourite in tray.favourites if favourite[1] != action.favourite)
    if left == tray.favourites:
        raise Refusal(say("That is not kept any more."), field="favourite")
    return Ruling(tray.but(favourites=left), say("Forgotten: {what}", what=action.favourite))


def sound(favourites: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the favourites that can be thrown, not too many; raise Refusal for one that can not be read."""
    return tuple((tidy(name), _kept(dice)) for name, dice in favourites[:MOST_FAVOURITES])


def _kept(sent: str) -> str:
    """Write dice as they are kept; raise Refusal for those that can not be read, or would be too long to be thrown."""
    return fitting(str(read_dice(sent)), "dice", LONGEST)

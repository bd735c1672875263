"""The dice tray: any dice, thrown where everybody sees them, favourites, and the last throws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.look import LONGEST_NAME, Base, Deed, Setting, fitting, look_fields, text, tidy, typed
from companion.kit.correction import Tracked
from companion.kit.dice.reading import LONGEST, read
from companion.kit.dice.throwing import throw
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask
    from companion.kit.dice.notation import Throw

SIDES = (4, 6, 8, 10, 12, 20, 100)
KEPT = 8
"""Throws that are shown."""
MOST_FAVOURITES = 20
Notation = Annotated[str, Meta(max_length=LONGEST)]


class Cast(msgspec.Struct, frozen=True):
    """Remember a throw: whose it was, what was thrown, and what came."""

    seat: str
    dice: str
    came: Text


class Tray(Base, frozen=True, tag="tray"):
    """Hold favourites (name, notation) and the last throws, newest first."""

    favourites: tuple[tuple[str, str], ...] = ()
    casts: tuple[Cast, ...] = ()


class SetTray(Setting, frozen=True, tag="set_tray"):
    """Add a dice tray, or change its name."""

    def made(self, old: Tray | None) -> Tray:
        """Make the tray."""
        return Tray(**self.look(old), favourites=old.favourites if old else (), casts=old.casts if old else ())


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


Action = Roll | Keep | Forget


def fields(old: Tray | None) -> tuple[Field, ...]:
    """Ask for what makes a tray."""
    return look_fields(old)


def fresh(tracker: Tray) -> Tray:
    """Return it as at the start of a game: the favourites stay."""
    return msgspec.structs.replace(tracker, casts=())


def panels(state: State, tracker: Tray, _seat: str) -> tuple[Panel, ...]:
    """Show the last throws."""
    rows = tuple(
        Row(f"{tracker.id}.{at}", state.called(cast.seat), cast.came, side=cast.seat, current=at == 0)
        for at, cast in enumerate(tracker.casts)
    )
    return (Tracker(tracker.id, tracker.title, rows, tracker.colour, tracker.glyph or "die"),)


def offers(_state: State, tracker: Tray, _seat: str) -> tuple[Offer, ...]:
    """Offer the usual dice, the favourites, and any others."""
    given, on = {"tracker": tracker.id}, tracker.id
    called = {dice: _called(tracker, name, dice) for name, dice in tracker.favourites}
    found = [Offer("roll", typed(words), {**given, "dice": dice}, on=on) for dice, words in called.items()]
    found += [Offer("roll", say("d{sides}", sides=sides), {**given, "dice": f"d{sides}"}, on=on) for sides in SIDES]
    dice = Field(
        "dice", say("Dice"), "dice", value="2d6", high=LONGEST, hint=say("Such as 4d6kh3, 3d10>=7, 2d6+1d8-1.")
    )
    found.append(Offer("roll", say("Throw other dice"), given, (dice,), on=on, chancy=True))
    if len(tracker.favourites) < MOST_FAVOURITES:
        found.append(
            Offer("keep", say("Keep a throw"), given, (text("name", say("Name")), dice), on=on, loose=True, aside=True)
        )
    found += [
        Offer(
            "forget",
            say("Forget: {what}", what=words),
            {**given, "favourite": dice},
            on=on,
            grave=True,
            aside=True,
            asks=say("Forget this throw?"),
        )
        for dice, words in called.items()
    ]
    return tuple(found)


def _called(tracker: Tray, name: str, dice: str) -> str:
    """Call a favourite by its name, with its dice where another button has that name too."""
    called = name or dice
    names = [*(one or other for one, other in tracker.favourites), *(f"d{sides}" for sides in SIDES)]
    return called if names.count(called) == 1 else f"{called}: {dice}"


def rule(_state: State, tracker: Tray, seat: str, action: Action, ask: Ask) -> Ruling[Tray]:
    """Throw, keep or forget; raise Refusal for a notation that can not be read, pointing at the character."""
    match action:
        case Roll():
            thrown = throw(_read(action.dice), ask, by=seat)
            cast = Cast(seat, thrown.text, thrown.headline)
            after = msgspec.structs.replace(tracker, casts=(cast, *tracker.casts)[:KEPT])
            return Ruling(after, thrown.headline)
        case Keep():
            dice = _kept(action.dice)
            others = tuple(one for one in tracker.favourites if one[1] != dice)
            if len(others) == MOST_FAVOURITES:
                raise Refusal(say("{count} favourites at most, please.", count=MOST_FAVOURITES), field="dice")
            after = msgspec.structs.replace(tracker, favourites=(*others, (tidy(action.name), dice)))
            return Ruling(after, say("Kept: {what}", what=tidy(action.name) or dice))
        case Forget():
            left = tuple(one for one in tracker.favourites if one[1] != action.favourite)
            if left == tracker.favourites:
                raise Refusal(say("That is not kept any more."), field="favourite")
            after = msgspec.structs.replace(tracker, favourites=left)
            return Ruling(after, say("Forgotten: {what}", what=action.favourite))


def sound(favourites: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the favourites that can be thrown, not too many; raise Refusal for one that can not be read."""
    return tuple((tidy(name), _kept(dice)) for name, dice in favourites[:MOST_FAVOURITES])


def _kept(sent: str) -> str:
    """Write dice as they are kept; raise Refusal for those that can not be read, or would be too long to be thrown."""
    return fitting(str(_read(sent)), "dice", LONGEST)


def _read(sent: str) -> Throw:
    try:
        return read(sent)
    except Refusal as wrong:
        raise Refusal(wrong.text, field="dice") from wrong


def tracked(_state: State, _tracker: Tray) -> tuple[Tracked, ...]:
    """List nothing: what was thrown was thrown."""
    return ()


def correct(_state: State, _tracker: Tray, part: str, _value: str, _ask: Ask) -> Tray:
    """Refuse: there is nothing to set."""
    raise KeyError(part)

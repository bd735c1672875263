"""What all kinds of trackers have in common: a name and a look, a form, and what may be done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Annotated, Any, Generic, Literal, Self, TypeVar, cast

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from companion.games.free_table.names import LONGEST_NAME, tidy, typed
from companion.kit import forms, panels
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction, Group
from companion.kit.game import RULEKEEPER, Frozen
from companion.kit.odds import Chart
from companion.kit.once import once
from companion.kit.panels import Panel, Row
from companion.kit.pictures import Glyph
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

Colour = Literal["", "red", "amber", "green", "blue", "violet", "grey"]
MOST_SEATS = 100
MOST_TRACKERS = 40
ALL = "all"
"""The line of what there is only one of."""
OTHER_KIND = say("That is another kind of tracker.")
NO_LINE = say("There is no such line any more.")


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What people give a tracker: a name, a colour and a picture."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME, title="Name")] = ""
    colour: Annotated[Colour, Meta(title="Colour", extra={"labels": {"": "none"}})] = ""
    glyph: Annotated[Glyph, Meta(title="Picture", extra={"labels": {"": "none"}})] = ""


class Tracker(Look, Frozen, frozen=True, omit_defaults=True, kw_only=True, tag_field="kind"):
    """Something that is kept track of; ``called`` names it in both languages as long as nobody has typed a ``name``."""

    id: str = ""
    called: str = ""

    @property
    def title(self) -> Text:
        """Return what it is called."""
        return typed(self.name) if self.name else Text(self.called or str(self.__struct_config__.tag))

    @property
    def corrections(self) -> Group:
        """Return the heading that its values are corrected under."""
        return Group(f"{self.id}.", self.title)

    def ready(self, _table: Table) -> Self:
        """Return it as it is when something is done with it."""
        return self

    def panel(self, rows: Iterable[Row], glyph: str = "", note: Text | None = None) -> panels.Tracker:
        """Show it as some lines; ``glyph`` is its picture as long as nobody chose one."""
        return panels.Tracker(self.id, self.title, tuple(rows), self.colour, self.glyph or glyph, note)


T = TypeVar("T", bound=Tracker)


class Deed(Action, frozen=True, omit_defaults=False):
    """What is done with a tracker; it is stored as it always was, with all of its fields."""

    tracker: str


D = TypeVar("D", bound=Deed)
R = TypeVar("R")


class Setting(Action, Look, Generic[T], frozen=True, kw_only=True, omit_defaults=False):
    """What adds a tracker, or changes the one that is named; each kind says what else it is made of."""

    tracker: str | None = None

    def made(self, old: T) -> T:
        """Make the tracker of the ``old`` one; raise Refusal for what does not fit."""
        return self.onto(old)

    def onto(self, old: T, **read: Any) -> T:
        """Give a tracker all that has the same name here, and what was ``read`` out of typed words."""
        same = {name: value for name, value in asdict(self).items() if name in old.__struct_fields__}
        return old.but(**{**same, "name": tidy(self.name), **read})


@cache
def roles(seats: int) -> tuple[str, ...]:
    """Name so many seats."""
    return tuple(f"player_{number}" for number in range(1, seats + 1))


class Table(Frozen, frozen=True, omit_defaults=True, dict=True):
    """The seats, who sits on them by name, the trackers in their order, and how many there have been."""

    seats: int
    people: dict[str, str] = {}
    trackers: tuple[Tracker, ...] = ()
    made: int = 0
    keeper_composes: bool = False
    over: bool = False

    @property
    def roles(self) -> tuple[str, ...]:
        """List the seats of the players."""
        return roles(self.seats)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """List the seats that somebody took, in their order; while nobody sits there, all."""
        return tuple(seat for seat in self.roles if seat in self.people) or self.roles

    def called(self, seat: str) -> Text:
        """Return the name of whoever sits there, else what the seat is called; of two of a name both tell where."""
        name = self.people.get(seat)
        if not name:
            return Text(seat)
        alike = self._names[name.casefold()]
        return say("{name} ({seat})", name=name, seat=Text(seat)) if alike > 1 else typed(name)

    @cached_property
    def _names(self) -> Counter[str]:
        """How many people have each name."""
        return Counter(name.casefold() for name in self.people.values())

    def lines(self, each: str, title: Text, names: tuple[str, ...] = ()) -> dict[str, Text]:
        """Name the lines of what there is one of for the ``table``, each ``player`` or each ``name``, by their key."""
        match each:
            case "table":
                return {ALL: title}
            case "player":
                return {**self._called_players}
            case _:
                return {str(at): typed(name) for at, name in enumerate(names)}

    @cached_property
    def _called_players(self) -> dict[str, Text]:
        return {seat: self.called(seat) for seat in self.players}

    def tracker(self, name: str) -> Tracker:
        """Find a tracker by its identifier; raise Refusal when there is none any more."""
        for tracker in self.trackers:
            if tracker.id == name:
                return tracker
        raise Refusal(say("That is not on the table any more."), field="tracker")

    def put(self, made: Tracker) -> Self:
        """Put a tracker in the place of the one with its identifier."""
        return self.but(trackers=tuple(made if tracker.id == made.id else tracker for tracker in self.trackers))

    def add(self, tracker: Tracker) -> Self:
        """Put a new tracker at the end; raise Refusal when there are too many."""
        if len(self.trackers) == MOST_TRACKERS:
            raise Refusal(say("{count} trackers at most, please.", count=MOST_TRACKERS))
        made = self.made + 1
        return self.but(trackers=(*self.trackers, tracker.but(id=f"t{made}")), made=made)


def may_compose(table: Table, seat: str) -> bool:
    """Tell whether a seat may change what is kept track of."""
    return seat == RULEKEEPER or (seat in table.roles and not table.keeper_composes)


def check_composer(table: Table, seat: str) -> None:
    """Raise Refusal where only the rulekeeper changes what is kept track of."""
    if not may_compose(table, seat):
        raise Refusal(say("At this table the rulekeeper sets the trackers up."))


def name_of(lines: Mapping[str, Text], line: str, field: str = "line") -> Text:
    """Return what a line is called; raise Refusal at the field where there is none any more."""
    if line not in lines:
        raise Refusal(NO_LINE, field=field)
    return lines[line]


Offering = Callable[[Table, T, str], Iterable[Offer]]
Showing = Callable[[Table, T, str], Iterable[Panel]]
Correcting = Callable[[Table, T], Iterable[Correction[T]]]
Rule = Callable[[Table, T, str, D, Ask], Ruling[T]]


def _same(
    listing: Callable[[Table, T], Iterable[R]], made: Callable[[Table, T], T] = lambda _, tracker: tracker
) -> Callable[[Table, T, str], tuple[R, ...]]:
    """List something of a tracker once for all seats of a table, of the tracker as it is ``made`` for that."""

    @once
    def listed(table: Table, name: str) -> tuple[R, ...]:
        return tuple(listing(table, made(table, cast("T", table.tracker(name)))))

    return lambda table, tracker, _: listed(table, tracker.id)


class Play(Generic[T]):
    """What may be done with a kind of tracker: register its offers and rules with the decorators."""

    def __init__(self, tracker: type[T]) -> None:
        self.tracker = tracker
        self.chapter = Chapter[Table, str]()
        self.offering: list[Offering[T]] = []

    def offers(self, offers: Offering[T]) -> Offering[T]:
        """Offer a seat what ``offers`` lists for a tracker."""
        self.offering.append(offers)
        return offers

    def offers_to_all(self, offers: Callable[[Table, T], Iterable[Offer]]) -> Callable[[Table, T], Iterable[Offer]]:
        """Offer every seat the same: what ``offers`` lists for a tracker."""
        self.offering.append(_same(offers, lambda table, tracker: tracker.ready(table)))
        return offers

    def rule(
        self, deed: type[D], *, odds: Callable[[Table, str, D], tuple[Chart, ...]] | None = None
    ) -> Callable[[Rule[T, D]], Rule[T, D]]:
        """Rule on what is done with a tracker: returns a ruling on it, or raises Refusal or Pending."""

        def register(rule: Rule[T, D]) -> Rule[T, D]:
            def ruling(table: Table, seat: str, action: D, ask: Ask) -> Ruling[Table]:
                tracker = table.tracker(action.tracker)
                if not isinstance(tracker, self.tracker):
                    raise Refusal(OTHER_KIND, field="tracker")
                ruled = rule(table, tracker.ready(table), seat, action, ask)
                after = table.put(ruled.outcome)
                return Ruling(after, ruled.headline, tuple(ask.reasons), ruled.reveals, ruled.quiet)

            self.chapter.ruling(deed, odds=odds)(ruling)
            return rule

        return register


class Kind(Play[T]):
    """A kind of tracker: register what it shows and what of it may be corrected as well.

    Its form asks for what ``setting`` has a title for. It is filled in with what a tracker has under the same names, or
    where people type something else, with what ``typed`` returns. ``fresh`` returns a tracker as at the start of a
    game. ``plays`` are what may be done with it where that fills more than one module.
    """

    def __init__(
        self,
        tracker: type[T],
        setting: type[Setting[T]],
        *,
        fresh: Callable[[T], T],
        typed: Callable[[T], Mapping[str, Any]] = lambda _: {},
        plays: tuple[Play[T], ...] = (),
    ) -> None:
        super().__init__(tracker)
        self.setting, self.fresh, self.plays = setting, fresh, (*plays, self)
        self.name = str(tracker.__struct_config__.tag)
        self.blank = tracker()
        self._typed = typed
        self.shown: Showing[T] = lambda *_: ()
        self._corrections: Correcting[T] = lambda *_: ()

    def panels(self, panels: Showing[T]) -> Showing[T]:
        """Show a tracker to a seat as ``panels`` lists."""
        self.shown = panels
        return panels

    def panels_for_all(self, panels: Callable[[Table, T], Iterable[Panel]]) -> Callable[[Table, T], Iterable[Panel]]:
        """Show every seat the same of a tracker: what ``panels`` lists."""
        self.shown = _same(panels)
        return panels

    def corrections(self, corrections: Correcting[T]) -> Correcting[T]:
        """Let people correct of a tracker what ``corrections`` declares."""
        self._corrections = corrections
        return corrections

    def sent(self, tracker: T) -> Setting[T]:
        """Return the action that makes such a tracker, as its form sends it."""
        known = {**asdict(tracker), **self._typed(tracker)}
        return self.setting(**{name: known[name] for name in self.setting.__struct_fields__ if name in known})

    def fields(self, tracker: T) -> tuple[Field, ...]:
        """Ask for what makes such a tracker: its name first, and last how it looks."""
        *own, name, colour, glyph = forms.filled(self.sent(tracker))
        return (name, *own, colour, glyph)

    def offered(self, table: Table, tracker: T, seat: str) -> Iterator[Offer]:
        """Offer what a seat may do with a tracker."""
        ready = tracker.ready(table)
        for play in self.plays:
            for offers in play.offering:
                yield from offers(table, ready, seat)

    def corrected(self, table: Table, tracker: T) -> Iterator[Correction[Table]]:
        """List what of a tracker can be corrected by hand."""
        for correction in self._corrections(table, tracker):
            yield _of_table(table, correction)


def _of_table(table: Table, correction: Correction[T]) -> Correction[Table]:
    # A clock runs, points may not be set yet, a hand has an order: what is shown can be set too.
    return Correction(correction.tracked, lambda value, ask: table.put(correction.put(value, ask)), rough=True)

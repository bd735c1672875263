"""The contract of a game: everything that the table and the web know about one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter, Ruled
from companion.kit.correction import Correction, Tracked, written
from companion.kit.files import GameFile
from companion.kit.forms import InvalidField, invalid_field
from companion.kit.odds import Chart
from companion.kit.panels import Card, View
from companion.kit.rulebook import NO_NUMBERS, Rulebook, Sheet, Tables, Trial, WrongData, load, load_words, unfit
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, Words, say

CONTRACT = 2
"""The version of what a game has to be: one more when a package made for the last one could not be played any more."""
RULEKEEPER = "rulekeeper"
SCREEN = "screen"
"""Seats that every table has beside the game's own: the rulekeeper, and the shared screen that sees what is public."""


class Frozen(msgspec.Struct, frozen=True):
    """What states and pieces are made of: never changed, but made anew with something changed."""

    def but(self, **changes: Any) -> Self:
        """Return the same with some values changed."""
        return replace(self, **changes)


class Role(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of the game that a person takes: its identifier and what it is called.

    ``note`` is what to know before one sits down there, such as who plays together. ``alike`` seats differ in nothing:
    whoever comes is given the next free one of them. ``colour`` is one of ``panels.COLOURS``; without it a seat that is
    called by a colour has that one, and others get those that are left.
    """

    id: str
    name: Text
    note: Text | None = None
    alike: bool = False
    colour: str = ""


class Start(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way to set a table of the game at once, from the first page: ``options`` by name, and what it is for.

    ``main`` is what most people look for.
    """

    id: str
    name: Text
    note: Text
    glyph: str
    options: Mapping[str, Any] = {}
    main: bool = False


class Lookup(msgspec.Struct, frozen=True):
    """A ruling on typed-in facts, without a table.

    ``facts`` is the struct that the form and the API fill; ``rule`` answers with an outcome (a struct); ``charts``
    gives the exact odds of the facts, None where nothing is thrown. ``note`` says in a sentence what it answers.
    """

    slug: str
    title: Text
    facts: type[msgspec.Struct]
    rule: Callable[[Any, Ask], Ruling[Any]]
    charts: Callable[[Any], tuple[Chart, ...]] | None = None
    note: Text | None = None


S = TypeVar("S")
"""The state of the game."""
T = TypeVar("T", bound=msgspec.Struct)
"""The options of a table."""
P = TypeVar("P", bound=str)
"""The seats that play."""
STRANGERS = Reason(say("Only the players act."))
FINISHED = Reason(say("The game is over."))


class NoOptions(msgspec.Struct, frozen=True):
    """What a game has none of."""


class Game(Generic[S]):
    """A game: pure rules over a frozen state, found under ``companion.games`` or by entry point.

    ``package`` has the ``data`` with its rulebook and words, to which ``sheets`` and ``aid`` (made from the rulebook's
    tables) and ``names`` (made from the words) are added. Both say the ``numbers`` of the rules by name, and so does
    the code (``text.numbered``). ``seats`` are those that may act now, or all of them where that never changes;
    ``roles`` are the seats that people take, in turn order, where they are not the same. ``view`` shows what one of
    ``seats`` may see, and nothing else; None is anybody else, who sees what is public. ``over`` tells whether the game
    has ended: nothing is offered then, and ``finished`` says why not (None: the rules themselves do). ``strangers``
    says who may act.

    What follows of itself after every action ``settle`` does. ``headline`` says the result of an action where it
    matters more than what the action did, such as who won. ``corrected`` sees to what a correction changes beside.
    ``cards`` are those of a tracker that ``prints``, and how many there are of each. ``lying_values`` are words of the
    paths of values that say how a piece lies on the table beside where it is, such as knocked over: a stock-take sets
    them too, and says of a choice what it is unless that is the first of its options.
    ``starts`` are ways to set a table at once, ``options_now`` returns the options of a new table that is laid out as
    this one is now. ``again`` returns how a rematch begins: the state that was just set up with what people had brought
    to the table before (its state comes second; who sat where sits there now by the third), each person's own with that
    person. ``files`` are what one of ``seats`` has brought or written, and what all use, but for Companion's own.
    A game that wants to know who sits down on a seat of its own has ``seated``: the action that tells it (the
    name None: nobody any more).
    """

    def __init__(  # noqa: PLR0913 -- the whole contract, by name
        self,
        *,
        slug: str,
        name: Text,
        summary: Text,
        package: str,
        state: type[S],
        seats: tuple[P, ...] | Callable[[S], Sequence[P]],
        setup: Callable[[T, Ask], Ruling[S]],
        view: Callable[[S, P | None], View],
        over: Callable[[S], bool],
        chapters: Sequence[Chapter[S, P]],
        corrections: Callable[[S], Iterable[Correction[S]]],
        options: type[T | NoOptions] = NoOptions,
        roles: Callable[[T], tuple[Role, ...]] | None = None,
        lookups: Sequence[Lookup] = (),
        sheets: Callable[[Tables], tuple[Sheet, ...]] | None = None,
        aid: Callable[[Tables], tuple[Sheet, ...]] | None = None,
        names: Callable[[Words], Mapping[str, Mapping[str, str]]] | None = None,
        strangers: Reason = STRANGERS,
        finished: Reason | None = FINISHED,
        settle: Callable[[S, Ask], S] | None = None,
        headline: Callable[[S, S, P], Text | None] | None = None,
        reveals: Callable[[S, S], bool] | None = None,
        corrected: Callable[[S, Ask], S] | None = None,
        starts: tuple[Start, ...] = (),
        seated: Callable[[str, str | None], Action] | None = None,
        options_now: Callable[[S], T] | None = None,
        again: Callable[[S, S, Mapping[P, P]], S] | None = None,
        files: Callable[[S, P | None], Iterable[GameFile]] | None = None,
        cards: Callable[[S, P, str], Iterable[tuple[Card, int]]] | None = None,
        lying_values: Collection[str] = (),
        numbers: Mapping[str, int] = NO_NUMBERS,
    ) -> None:
        self.slug, self.name, self.summary = slug, name, summary
        self.numbers, self.lying_values = numbers, lying_values
        book = load(package, "rulebook.toml", Rulebook, numbers)
        self.rulebook = replace(
            book, sheet=sheets(book.listing) if sheets else book.sheet, aid=aid(book.listing) if aid else book.aid
        )
        words = load_words(package, self.rulebook, numbers)
        self.words = replace(words, names={**words.names, **names(words)}) if names else words
        self.options: type[msgspec.Struct] = options
        self.state = state
        if roles is None:
            assert isinstance(seats, tuple)
            alike = tuple(Role(seat, Text(seat)) for seat in seats)
        self.roles: Callable[[Any], tuple[Role, ...]] = roles or (lambda _: alike)
        self.setup: Callable[[Any, Ask], Ruling[S]] = setup
        self.lookups: Mapping[str, Lookup] = {lookup.slug: lookup for lookup in lookups}
        self.starts, self.seated, self.options_now = starts, seated, options_now
        self._again: Callable[[S, S, Mapping[Any, Any]], S] | None = again
        self._files: Callable[[S, Any], Iterable[GameFile]] | None = files
        self._seats: Callable[[S], Sequence[Any]] = (lambda _: seats) if isinstance(seats, tuple) else seats
        self._view: Callable[[S, Any], View] = view
        self._over, self._corrections, self._settle, self._corrected = over, corrections, settle, corrected
        self._headline: Callable[[S, S, Any], Text | None] | None = headline
        self._reveals = reveals
        self._cards: Callable[[S, Any, str], Iterable[tuple[Card, int]]] | None = cards
        self.prints = cards is not None
        """Whether it has cards for paper."""
        self._strangers, self._finished = strangers, finished
        self._offering = tuple(offers for chapter in chapters for offers in chapter.offering)
        self._rules: dict[type[Action], Ruled[S, Any]] = {}
        for chapter in chapters:
            if twice := self._rules.keys() & chapter.actions.keys():
                raise TypeError(f"two chapters rule on {twice}")
            self._rules |= chapter.actions
        self.actions: Any = reduce(or_, self._rules)
        """The tagged union of the action structs, for decoding."""

    def _player(self, state: S, seat: str) -> Any:
        return next((player for player in self._seats(state) if player == seat), None)

    def offers(self, state: S, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        player = self._player(state, seat)
        if player is None or self._over(state):
            return ()
        return tuple(offer for offers in self._offering for offer in offers(state, player))

    def rule(self, state: S, seat: str, action: Action, ask: Ask) -> Ruling[S]:
        """Rule on an action; raise Refusal or Pending."""
        player, ruled = self._player(state, seat), self._rules[type(action)]
        if player is None:
            raise Refusal(self._strangers.text, self._strangers.clause)
        self._check_going(state, ruled)
        after = ruled.rule(state, player, action, ask)
        if isinstance(after, Ruling):
            return after
        if self._settle and ruled.settles:
            after = self._settle(after, ask)
        said = self._headline(state, after, player) if self._headline else None
        if said is None and ruled.headline:
            said = ruled.headline(state, after, player, action)
        assert said is not None
        reveals = ruled.reveals or self._reveals
        return Ruling(
            after,
            said,
            tuple(ask.reasons),
            reveals=reveals is not None and reveals(state, after),
            quiet=ruled.quiet(state) if callable(ruled.quiet) else ruled.quiet,
        )

    def _check_going(self, state: S, ruled: Ruled[S, Any]) -> None:
        if self._finished and self._over(state) and not ruled.ended:
            raise Refusal(self._finished.text, self._finished.clause)

    def again(self, fresh: S, before: S, there: Mapping[str, str]) -> S:
        """Return how a rematch begins: ``fresh`` as it was set up, with what people had brought ``before``.

        ``there`` tells of each seat of the table before where its person sits now.
        """
        return self._again(fresh, before, there) if self._again else fresh

    def files(self, state: S, seat: str) -> tuple[GameFile, ...]:
        """List what a seat has brought to the table or written at it, as files; and what all use."""
        return tuple(self._files(state, self._player(state, seat))) if self._files else ()

    def view(self, state: S, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return self._view(state, self._player(state, seat))

    def cards(self, state: S, seat: str, tracker: str) -> tuple[tuple[Card, int], ...]:
        """List the cards of a tracker that a seat may print, and how many there are of each."""
        player = self._player(state, seat)
        return () if self._cards is None or player is None else tuple(self._cards(state, player, tracker))

    def foresee(self, state: S, seat: str, action: Action) -> tuple[Chart, ...]:
        """Work out the exact odds of an action before it is done; empty when it throws no dice.

        Raises Refusal where the action would be refused.
        """
        player, ruled = self._player(state, seat), self._rules[type(action)]
        if ruled.odds is None or player is None:
            return ()
        self._check_going(state, ruled)
        return ruled.odds(state, player, action)

    def tracked(self, state: S) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return tuple(correction.tracked for correction in self._corrections(state))

    def correct(self, state: S, path: str, value: str, ask: Ask) -> S:
        """Set one tracked value, which fits its field; raise Refusal when it can not be that."""
        correction = next(each for each in self._corrections(state) if each.tracked.path == path)
        if written(correction.tracked.field) == value and not correction.rough:
            return state
        after = correction.put(value, ask)
        return self._corrected(after, ask) if self._corrected else after


def trials(game: Game[Any]) -> Iterator[tuple[str, Trial, msgspec.Struct]]:
    """List every trial of a game's rulebook: the entry it belongs to, the trial, the facts made of it.

    Raises WrongData naming the entry whose trial fits no look-up.
    """
    for part in (game.rulebook.clause, game.rulebook.example):
        for entry in part:
            for trial in entry.trial:
                yield entry.id, trial, _facts(game, entry.id, trial)


def _facts(game: Game[Any], name: str, trial: Trial) -> msgspec.Struct:
    if trial.lookup not in game.lookups:
        raise WrongData(say("{entry}: there is no look-up called {lookup}.", entry=name, lookup=trial.lookup))
    kind = game.lookups[trial.lookup].facts
    known = set(kind.__struct_encode_fields__)
    for field in trial.facts:
        if field not in known:
            raise WrongData(unfit(name, InvalidField("unknown", field, "")))
    try:
        return msgspec.convert(dict(trial.facts), kind)
    except msgspec.ValidationError as wrong:
        raise WrongData(unfit(name, invalid_field(wrong))) from wrong

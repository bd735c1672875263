"""The free table as the table and the web know it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.free_table import actions as do
from companion.games.free_table import composing, templates, tray
from companion.games.free_table.clocks import all_stopped
from companion.games.free_table.kinds import chapter, rule
from companion.games.free_table.look import tidy
from companion.games.free_table.options import MOST_SEATS, Options
from companion.games.free_table.presets import PACKAGE, presets
from companion.games.free_table.state import State
from companion.games.free_table.view import view
from companion.kit.dice.odds import charts
from companion.kit.dice.reading import read
from companion.kit.game import RULEKEEPER, Chart, Lookup, Offer, Role, Start, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, Words, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask
    from companion.kit.panels import View


def _words(rulebook: Rulebook) -> Words:
    """Join the words of the file with the names of the seats."""
    found = load_words(PACKAGE, rulebook)
    players = found.names["seat"]
    seats = {
        f"player_{number}": {language: f"{word} {number}" for language, word in players.items()}
        for number in range(1, MOST_SEATS + 1)
    }
    return msgspec.structs.replace(found, names={**found.names, **seats})


END = Offer("end", say("End the game"), grave=True, asks=say("Has the game ended?"))


class FreeTable:
    """Be the game."""

    slug = "free_table"
    name = say("Free table")
    summary = say("Counters, cards, dice, clocks and notes for any other game: put together what you need.")
    rulebook = load(PACKAGE, "rulebook.toml", Rulebook)
    words = _words(rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = {}
    starts = (
        Start(
            "cards",
            say("Cards on a phone"),
            say("A deck for the room; everybody holds a secret hand."),
            "cards",
            {"begin": "cards"},
            main=True,
        ),
        Start("dice", say("Dice together"), say("Everybody throws, everybody sees it."), "die", {"begin": "dice"}),
        Start(
            "initiative",
            say("Turn order"),
            say("Who acts after whom, thrown or typed."),
            "bolt",
            {"begin": "initiative"},
        ),
        Start(
            "clock",
            say("Chess clock"),
            say("Time for two; one tap passes it on."),
            "clock",
            {"begin": "chess_clock", "seats": 2},
        ),
    )

    def roles(self, options: Options) -> tuple[Role, ...]:
        """Name the seats: they are alike."""
        return tuple(Role(f"player_{n}", Text(f"player_{n}"), alike=True) for n in range(1, options.seats + 1))

    def seated(self, _seat: str, name: str | None) -> do.Sit:
        """Want to know who sits where: cards are dealt to those who are there."""
        return do.Sit(name)

    def options_now(self, state: State) -> Options:
        """Return the options of a table with the same trackers."""
        compose: Any = "keeper" if state.keeper_composes else "everyone"
        return Options("nothing", state.seats, compose, templates.template(state) if state.trackers else "")

    def setup(self, options: Options, _ask: Ask) -> Ruling[State]:
        """Set the table up with what it begins with."""
        state = State(options.seats, keeper_composes=options.compose == "keeper")
        for tracker in presets().get(options.begin, ()):
            state = composing.add(state, tracker)
        if options.template:
            state = templates.from_template(state, options.template)
        return Ruling(state, say("The table is set: add, change and order what you keep track of."))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        if state.over or not _plays(state, seat):
            return ()
        doing = tuple(offer for one in state.trackers for offer in chapter(one).offers(state, one, seat))
        return (*doing, *composing.offers(state, seat), END)

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        if isinstance(action, do.Sit) and seat in state.roles:
            return _sat(state, seat, action)
        if not _plays(state, seat) or isinstance(action, do.Sit):
            raise Refusal(say("Only players and the rulekeeper act here."))
        if state.over:
            raise Refusal(say("The game is over."))
        if isinstance(action, do.End):
            return Ruling(all_stopped(state, ask).but(over=True), say("The game is over."))
        if isinstance(action, do.Composing):
            if not composing.may_compose(state, seat):
                raise Refusal(say("At this table the rulekeeper sets the trackers up."))
            return composing.compose(state, action)
        tracker = state.tracker(action.tracker)
        ruled = rule(state, tracker, seat, action, ask)
        return msgspec.structs.replace(ruled, outcome=state.put(ruled.outcome), reasons=tuple(ask.reasons))

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return view(state, seat)

    def foresee(self, _state: State, _seat: str, action: do.Action) -> tuple[Chart, ...]:
        """Work out the exact odds of a throw; empty for everything else."""
        return charts(read(action.dice)) if isinstance(action, tray.Roll) else ()

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return tuple(one for tracker in state.trackers for one in chapter(tracker).tracked(state, tracker))

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        name, _, part = path.partition(".")
        tracker = state.tracker(name)
        return state.put(chapter(tracker).correct(state, tracker, part, value, ask))


def _plays(state: State, seat: str) -> bool:
    return seat == RULEKEEPER or seat in state.roles


def _sat(state: State, seat: str, action: do.Sit) -> Ruling[State]:
    people = {one: name for one, name in state.people.items() if one != seat}
    if action.name is not None:
        people[seat] = tidy(action.name)
    return Ruling(state.but(people=people), say("{who} is here", who=Text(seat)), quiet=True)


GAME: Any = FreeTable()

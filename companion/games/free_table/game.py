"""The free table as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from companion.games.free_table import actions as do
from companion.games.free_table import composing, templates, tray
from companion.games.free_table.clocks import all_stopped
from companion.games.free_table.kinds import chapter, rule
from companion.games.free_table.look import tidy
from companion.games.free_table.options import MOST_SEATS, Options
from companion.games.free_table.presets import PACKAGE, presets
from companion.games.free_table.state import State, Tracker
from companion.games.free_table.view import view
from companion.kit.chapter import Chapter
from companion.kit.chart import Chart
from companion.kit.correction import Correction, Tracked
from companion.kit.dice.odds import charts
from companion.kit.dice.reading import read
from companion.kit.game import RULEKEEPER, Game, Role, Start
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, Words, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask


def _names(words: Words) -> dict[str, dict[str, str]]:
    """Name the seats."""
    return {
        f"player_{number}": {language: f"{word} {number}" for language, word in words.names["seat"].items()}
        for number in range(1, MOST_SEATS + 1)
    }


END = Offer("end", say("End the game"), grave=True, asks=say("Has the game ended?"))


STARTS = (
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


def _setup(options: Options, _ask: Ask) -> Ruling[State]:
    """Set the table up with what it begins with."""
    state = State(options.seats, keeper_composes=options.compose == "keeper")
    for tracker in presets().get(options.begin, ()):
        state = composing.add(state, tracker)
    if options.template:
        state = templates.from_template(state, options.template)
    return Ruling(state, say("The table is set: add, change and order what you keep track of."))


def _options_now(state: State) -> Options:
    """Return the options of a table with the same trackers."""
    compose: Literal["everyone", "keeper"] = "keeper" if state.keeper_composes else "everyone"
    return Options("nothing", state.seats, compose, templates.template(state) if state.trackers else "")


def _offers(state: State, seat: str) -> tuple[Offer, ...]:
    doing = tuple(offer for one in state.trackers for offer in chapter(one).offers(state, one, seat))
    return (*doing, *composing.offers(state, seat), END)


def _rule(state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
    """Rule on an action; raise Refusal or Pending."""
    if isinstance(action, do.Sit):
        if seat == RULEKEEPER:
            raise Refusal(say("Only players and the rulekeeper act here."))
        return _sat(state, seat, action)
    if isinstance(action, do.End):
        return Ruling(all_stopped(state, ask).but(over=True), say("The game is over."))
    if isinstance(action, do.Composing):
        if not composing.may_compose(state, seat):
            raise Refusal(say("At this table the rulekeeper sets the trackers up."))
        return composing.compose(state, action)
    tracker = state.tracker(action.tracker)
    ruled = rule(state, tracker, seat, action, ask)
    return msgspec.structs.replace(ruled, outcome=state.put(ruled.outcome), reasons=tuple(ask.reasons))


def _sat(state: State, seat: str, action: do.Sit) -> Ruling[State]:
    people = {one: name for one, name in state.people.items() if one != seat}
    if action.name is not None:
        people[seat] = tidy(action.name)
    return Ruling(state.but(people=people), say("{who} is here", who=Text(seat)), quiet=True)


def _odds(_state: State, _seat: str, action: tray.Roll) -> tuple[Chart, ...]:
    """Work out the exact odds of a throw."""
    return charts(read(action.dice))


def _correction(state: State, tracker: Tracker, value: Tracked) -> Correction[State]:
    part = value.path.partition(".")[2]
    return Correction(value, lambda sent, ask: state.put(chapter(tracker).correct(state, tracker, part, sent, ask)))


def _corrections(state: State) -> Iterator[Correction[State]]:
    for tracker in state.trackers:
        for value in chapter(tracker).tracked(state, tracker):
            yield _correction(state, tracker, value)


everything = Chapter[State, str]()
everything.offers(_offers)
for kind in get_args(do.Action):
    everything.ruling(kind, ended=kind is do.Sit, odds=_odds if kind is tray.Roll else None)(_rule)


GAME = Game(
    slug="free_table",
    name=say("Free table"),
    summary=say("Counters, cards, dice, clocks and notes for any other game: put together what you need."),
    package=PACKAGE,
    names=_names,
    options=Options,
    state=State,
    roles=lambda options: tuple(
        Role(f"player_{number}", Text(f"player_{number}"), alike=True) for number in range(1, options.seats + 1)
    ),
    seats=lambda state: (*state.roles, RULEKEEPER),
    setup=_setup,
    view=view,
    over=lambda state: state.over,
    chapters=(everything,),
    corrections=_corrections,
    strangers=Reason(say("Only players and the rulekeeper act here.")),
    finished=Reason(say("The game is over.")),
    starts=STARTS,
    seated=lambda _, name: do.Sit(name),
    options_now=_options_now,
)

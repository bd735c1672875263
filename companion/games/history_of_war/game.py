"""The game as the table and the web know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import (
    battle,
    building,
    conquest,
    corrections,
    lookups,
    movement,
    preparing,
    rounds,
    starting,
    view,
    waiting,
)
from companion.games.history_of_war.headlines import headline
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.sample import PACKAGE
from companion.games.history_of_war.sheets import sheets
from companion.games.history_of_war.sides import SEATS
from companion.games.history_of_war.state import State
from companion.kit.game import Chart, Lookup, Offer, Role, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.history_of_war.sides import Seat
    from companion.kit.asking import Ask
    from companion.kit.panels import View

QUIET = (
    do.UseSample,
    do.LoadDeck,
    do.NameDeck,
    do.SetCount,
    do.RemoveCard,
    do.EditTerritory,
    do.EditBase,
    do.EditUpgrade,
    do.EditAction,
    do.EditDevelopment,
    do.EditUnit,
    do.LayDown,
    do.LayUpgrade,
    do.TakeUp,
    do.Hold,
)
"""What a player does out of the other's sight, with the own deck before the game and face down in construction; and
what he wishes for himself."""


class HistoryOfWar:
    """Be the game."""

    slug = "history_of_war"
    name = say("History of War")
    summary = say(
        "A card game of territories: build, attack, block, and plant more flags than the enemy. First to 15 "
        "victory points."
    )
    rulebook = replace(load(PACKAGE, "rulebook.toml", Rulebook), sheet=sheets())
    words = load_words(PACKAGE, rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = lookups.LOOKUPS

    def roles(self, _options: Options) -> tuple[Role, ...]:
        """Name the seats."""
        return tuple(Role(seat, Text(seat)) for seat in SEATS)

    def setup(self, options: Options, _ask: Ask) -> Ruling[State]:
        """Set the table up: both take or build a deck."""
        return Ruling(State(options=options), say("Take a deck each: a ready one, a file, or one of your own."))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        mine = next((one for one in SEATS if one == seat), None)
        if mine is None or state.phase == "finished":
            return ()
        chapters = (preparing, starting, building, movement, battle, conquest, rounds)
        return tuple(offer for chapter in chapters for offer in chapter.offers(state, mine))

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        mine = next((one for one in SEATS if one == seat), None)
        if mine is None:
            raise Refusal(say("Only the players act."), "HW-29")
        if state.phase == "finished":
            raise Refusal(say("The game is over."), "HW-100")
        after = _rule(state, mine, action, ask)
        if not isinstance(action, do.Hold):
            after = rounds.go_on(after, ask)
        quiet = isinstance(action, QUIET) and (state.phase == "decks" or not isinstance(action, do.Preparing))
        said = headline(state, after, mine, action)
        return Ruling(after, said, tuple(ask.reasons), reveals=_turned_up(state, after, action), quiet=quiet)

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return view.view(state, seat)

    def foresee(self, _state: State, _seat: str, _action: do.Action) -> tuple[Chart, ...]:
        """Work out no odds: there are no dice in this game."""
        return ()

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return corrections.tracked(state)

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        return waiting.asked_again(corrections.correct(state, path, value, ask))


def _turned_up(before: State, after: State, action: do.Action) -> bool:
    """Tell whether cards that lay face down were turned up (HW-44)."""
    lay, lie = (any(state.plan(seat).laid for seat in SEATS) for state in (before, after))
    return isinstance(action, do.Build) and lay and not lie


def _rule(state: State, seat: Seat, action: do.Action, ask: Ask) -> State:
    """Hand an action to its chapter."""
    if isinstance(action, do.Preparing):
        return preparing.rule(state, seat, action, ask)
    if isinstance(action, do.Starting):
        return starting.rule(state, seat, action, ask)
    if isinstance(action, do.Turning):
        return rounds.rule(state, seat, action, ask)
    if isinstance(action, do.Building):
        return building.rule(state, seat, action, ask)
    if isinstance(action, do.Moving):
        return movement.rule(state, seat, action, ask)
    if isinstance(action, do.Fighting):
        return battle.rule(state, seat, action, ask)
    return conquest.rule(state, seat, action, ask)


GAME: Any = HistoryOfWar()

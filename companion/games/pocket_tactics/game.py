"""The game as the table and the web know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import (
    assaulting,
    corrections,
    foreseeing,
    lookups,
    mapping,
    movement,
    movement_offers,
    preparing,
    setting_out,
    testing,
    turn,
    view,
)
from companion.games.pocket_tactics.headlines import headline
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.sample import PACKAGE
from companion.games.pocket_tactics.sheets import aid, sheets
from companion.games.pocket_tactics.sides import SEATS, other
from companion.games.pocket_tactics.state import State
from companion.kit.game import Chart, Lookup, Offer, Role, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.pocket_tactics.sides import Seat
    from companion.kit.asking import Ask
    from companion.kit.panels import View


CONCEDE = Offer("concede", say("Give up"), grave=True, aside=True, asks=say("Do you give up?"), button=say("I give up"))


class PocketTactics:
    """Be the game."""

    slug = "pocket_tactics"
    name = say("Pocket-Tactics")
    summary = say(
        "Two small armies on a map of tiles that is new each time: opposed dice, dangerous ground, and a base to take."
    )
    rulebook = replace(load(PACKAGE, "rulebook.toml", Rulebook), sheet=sheets(), aid=aid())
    words = load_words(PACKAGE, rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = lookups.LOOKUPS

    def roles(self, _options: Options) -> tuple[Role, ...]:
        """Name the seats."""
        return tuple(Role(seat, Text(seat)) for seat in SEATS)

    def setup(self, options: Options, _ask: Ask) -> Ruling[State]:
        """Set the table up: both take or write a faction (PT-11)."""
        return Ruling(State(options=options), say("Take a faction each: a ready one, a file, or one of your own."))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        mine = next((one for one in SEATS if one == seat), None)
        if mine is None or state.over:
            return ()
        chapters = (preparing, mapping, setting_out, movement_offers, assaulting, testing)
        found = [offer for chapter in chapters for offer in chapter.offers(state, mine)]
        return (*found, CONCEDE)

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        mine = next((one for one in SEATS if one == seat), None)
        if mine is None:
            raise Refusal(say("Only the players act."), "PT-25")
        if state.over:
            raise Refusal(say("The game is over."), "PT-64")
        after = _rule(state, mine, action, ask)
        quiet = isinstance(action, do.Preparing)
        return Ruling(after, headline(state, after, mine, action), tuple(ask.reasons), quiet=quiet)

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see."""
        return view.view(state, seat)

    def foresee(self, state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
        """Work out the exact odds of an action before it is done."""
        return foreseeing.charts(state, seat, action)

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return corrections.tracked(state)

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        return corrections.correct(state, path, value, ask)


def _rule(state: State, seat: Seat, action: do.Action, ask: Ask) -> State:
    """Hand an action to its chapter."""
    if isinstance(action, do.Preparing | do.Ready):
        return preparing.rule(state, seat, action, ask)
    if isinstance(action, do.Mapping):
        return mapping.rule(state, seat, action, ask)
    if isinstance(action, do.Setting):
        return setting_out.rule(state, seat, action, ask)
    if isinstance(action, do.Moving):
        return movement.rule(state, seat, action, ask)
    if isinstance(action, do.Assault):
        return assaulting.rule(state, seat, action, ask)
    if isinstance(action, do.Testing):
        return testing.rule(state, seat, action, ask)
    return turn.ended(state, other(seat), "conceded")


GAME: Any = PocketTactics()

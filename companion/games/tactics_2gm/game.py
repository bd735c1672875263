"""The game as the table and the web know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import (
    air,
    corrections,
    deployment,
    fire,
    foresight,
    lookups,
    movement,
    preparing,
    starting,
    turn,
    turn_offers,
    victory,
    view,
)
from companion.games.tactics_2gm.headlines import headline
from companion.games.tactics_2gm.options import Options
from companion.games.tactics_2gm.sample import PACKAGE, SCENARIOS, TERRAIN
from companion.games.tactics_2gm.sheets import sheets
from companion.games.tactics_2gm.sides import paired, seats, side_of
from companion.games.tactics_2gm.state import State
from companion.kit.game import Chart, Lookup, Offer, Role, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.tactics_2gm.sides import Seat
    from companion.kit.asking import Ask
    from companion.kit.panels import View

COLOURS: dict[Seat, str] = {
    "allies": "blue",
    "axis": "red",
    "allies_1": "blue",
    "allies_2": "white",
    "axis_1": "red",
    "axis_2": "black",
}
QUIET = (
    do.UseSample,
    do.LoadDeck,
    do.NameDeck,
    do.SetCount,
    do.EditUnit,
    do.EditWeapon,
    do.EditEquipment,
    do.EditSupport,
    do.EditHeadquarters,
    do.EditGeneral,
    do.RemoveCard,
)
"""What a player does to his own deck before the battle: nobody else hears of it."""


class Tactics2GM:
    """Be the game."""

    slug = "tactics_2gm"
    name = say("2GM Tactics")
    summary = say(
        "The Second World War with cards: action points, supply, equipment and fire. Destroy the enemy headquarters."
    )
    rulebook = replace(load(PACKAGE, "rulebook.toml", Rulebook), sheet=sheets())
    words = load_words(PACKAGE, rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = lookups.LOOKUPS

    def roles(self, options: Options) -> tuple[Role, ...]:
        """Name the seats, and who plays together."""
        return tuple(Role(seat, Text(seat), _alongside(options, seat), colour=COLOURS[seat]) for seat in seats(options))

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        """Set the table up: everybody takes or builds a deck."""
        scenario = next(iter(SCENARIOS.values())) if options.mode == "scenario" else None
        state = State(options=options, scenario=scenario, terrain_deck=TERRAIN)
        return Ruling(state, say("Take a deck each: a ready one, a file, or one of your own."), tuple(ask.reasons))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        mine = next((one for one in state.seats if one == seat), None)
        if mine is None or state.phase == "finished":
            return ()
        chapters = (preparing, starting, movement, deployment, fire, air, turn_offers)
        return tuple(offer for chapter in chapters for offer in chapter.offers(state, mine))

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        mine = next((one for one in state.seats if one == seat), None)
        if mine is None:
            raise Refusal(say("Only the players act."), "G2-02")
        if state.phase == "finished":
            raise Refusal(say("The battle is over."), "G2-02")
        after = victory.check(_rule(state, mine, action, ask), ask)
        quiet = isinstance(action, QUIET)
        return Ruling(after, headline(state, after, mine, action), tuple(ask.reasons), quiet=quiet)

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return view.view(state, seat)

    def foresee(self, state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
        """Work out the exact odds of a shot, a bomb or a sortie before it is done."""
        mine = next((one for one in state.seats if one == seat), None)
        if mine is None or not isinstance(action, do.Fire | do.Bomb | do.Sortie):
            return ()
        return foresight.foresee(state, mine, action)

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return corrections.tracked(state)

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        return corrections.correct(state, path, value, ask)


def _alongside(options: Options, seat: Seat) -> Text | None:
    side = side_of(seat)
    return say("Plays with a partner for the {side}", side=Text(side)) if paired(options, side) else None


def _rule(state: State, seat: Seat, action: do.Action, ask: Ask) -> State:
    """Hand an action to its chapter."""
    if isinstance(action, do.Preparing):
        return preparing.rule(state, seat, action, ask)
    if isinstance(action, do.Starting):
        return starting.rule(state, seat, action, ask)
    if isinstance(action, do.Turning):
        return turn.rule(state, seat, action, ask)
    if isinstance(action, do.Moving):
        return movement.rule(state, seat, action, ask)
    if isinstance(action, do.Deploying):
        return deployment.rule(state, seat, action, ask)
    if isinstance(action, do.Fire):
        return fire.rule(state, seat, action, ask)
    return air.rule(state, seat, action, ask)


GAME: Any = Tactics2GM()

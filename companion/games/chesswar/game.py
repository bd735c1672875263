"""The game as the table and the web know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.chesswar import actions as do
from companion.games.chesswar import (
    charge,
    combat,
    corrections,
    deployment,
    foresight,
    lookups,
    movement,
    necromancy,
    offers,
    orders,
    raising,
    speech,
    spells,
    turn,
    view,
)
from companion.games.chesswar.armies import PACKAGE
from companion.games.chesswar.headlines import headline
from companion.games.chesswar.options import Options
from companion.games.chesswar.sheets import aid, sheets
from companion.games.chesswar.sides import partners, sides
from companion.games.chesswar.state import BEFORE, State
from companion.kit.game import Chart, Lookup, Offer, Role, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chesswar.sides import Side
    from companion.kit.asking import Ask
    from companion.kit.panels import View


class ChessWar:
    """Be the game."""

    slug = "chesswar"
    name = say("ChessWar")
    summary = say("Seven fantasy armies on a chessboard: move, shoot, fight, cast. Destroy the enemy general.")
    rulebook = replace(load(PACKAGE, "rulebook.toml", Rulebook), sheet=sheets(), aid=aid())
    words = load_words(PACKAGE, rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = lookups.LOOKUPS

    def roles(self, options: Options) -> tuple[Role, ...]:
        """Name the sides of the battle, White first, and who plays with whom."""
        return tuple(Role(side, Text(side), speech.allied(partners(options, side))) for side in sides(options))

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        """Set the table up: everybody chooses and raises an army."""
        state = deployment.set_up(options)
        return Ruling(state, say("Choose your armies, and deploy them in secret."), tuple(ask.reasons))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        return offers.offers(state, seat)

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        side = next((one for one in state.sides if one == seat), None)
        if side is None:
            raise Refusal(say("Only the players act."), "CW-01")
        after = turn.go_on(_rule(state, side, action, ask), ask)
        reveals = state.hidden and not after.hidden
        said = headline(state, after, side, action)
        quiet = isinstance(action, do.Answering)
        return Ruling(after, said, tuple(ask.reasons), reveals=reveals, quiet=quiet)

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return view.view(state, seat)

    def foresee(self, state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
        """Work out the exact odds of a charge, a shot, an attack or a spell before it is done."""
        side = next((one for one in state.sides if one == seat), None)
        if side is None or not isinstance(action, (do.Charge, do.Shoot, do.Bombard, do.Attack, do.Cast)):
            return ()
        return foresight.foresee(state, side, action)

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return corrections.tracked(state)

    def correct(self, state: State, path: str, value: str, _ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        return corrections.correct(state, path, value)


def _rule(state: State, side: Side, action: do.Action, ask: Ask) -> State:
    match action:
        case do.ChooseArmy() | do.RaiseArmy() | do.Deploy() | do.PlaceTerrain() | do.Ready():
            return _prepare(state, side, action, ask)
        case do.Move() | do.TakeBack() | do.Charge():
            turn.check_phase(state, side, "movement")
            turn.check_own(state, side, action.unit)
            return _move(state, action, ask)
        case do.Shoot():
            turn.check_phase(state, side, "shooting")
            return orders.shoot(state, turn.check_own(state, side, action.unit), action, ask)[0]
        case do.Bombard():
            turn.check_phase(state, side, "shooting")
            return orders.bombard(state, turn.check_own(state, side, action.unit), action, ask)[0]
        case do.Attack():
            turn.check_phase(state, side, "combat")
            turn.check_own(state, side, action.unit)
            return combat.attack(state, action.unit, action.target, ask)
        case do.Cast():
            turn.check_open(state, side)
            turn.check_own(state, side, action.unit)
            return spells.cast(state, action, ask)
        case do.Cover():
            turn.check_acting(state, side)
            turn.check_own(state, side, action.unit)
            return spells.covering(state, action.unit, action.covers, ask)
        case do.EndPhase():
            turn.check_meant(state, action.phase, action.round)
            return turn.end_phase(state, side, ask)
        case do.Answering():
            turn.check_begun(state)
            ask.tell(say("{side} says how to be asked for instant spells", side=Text(side)), "CW-126")
            return state.but(replies={**state.replies, side: action.replies})
        case do.HealEnemy():
            turn.check_begun(state)
            turn.check_own(state, side, action.unit)
            return necromancy.heal_ahead(state, action, ask)
        case do.Surrender():
            return turn.surrender(state, side, ask)


def _prepare(
    state: State, side: Side, action: do.ChooseArmy | do.RaiseArmy | do.Deploy | do.PlaceTerrain | do.Ready, ask: Ask
) -> State:
    if state.phase not in (*BEFORE, "redeploying"):
        raise Refusal(say("The game has begun: the armies stand as they were deployed."), "CW-20")
    if state.phase == "choosing" and not isinstance(action, (do.ChooseArmy, do.PlaceTerrain)):
        raise Refusal(say("First everybody says which army it is."), "CW-11")
    if state.phase == "redeploying" and not isinstance(action, (do.Deploy, do.Ready)):
        raise Refusal(say("The armies are raised: they may only be rearranged."), "CW-23")
    match action:
        case do.ChooseArmy():
            if state.phase != "choosing":
                raise Refusal(say("The armies are chosen, or kept secret."), "CW-11")
            return raising.choose_army(state, side, action.army, ask)
        case do.RaiseArmy():
            return raising.raise_army(state, side, action, ask)
        case do.Deploy():
            return deployment.deploy(state, side, action, ask)
        case do.PlaceTerrain():
            return deployment.place_terrain(state, action, ask)
        case do.Ready():
            turn.check_meant(state, action.phase)
            return deployment.get_ready(state, side, ask)


def _move(state: State, action: do.Move | do.TakeBack | do.Charge, ask: Ask) -> State:
    match action:
        case do.Move():
            return movement.move(state, action, ask)
        case do.TakeBack():
            return movement.take_back(state, action.unit, ask)
        case do.Charge():
            return charge.charge(state, action.unit, action.target, ask)


GAME: Any = ChessWar()

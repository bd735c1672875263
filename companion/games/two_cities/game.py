"""The game as the table and the web know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.two_cities import actions as do
from companion.games.two_cities import (
    attack,
    corrections,
    lookups,
    movement,
    odds,
    offers,
    setup,
    speech,
    turn,
    view,
)
from companion.games.two_cities.activation import activate, choose_units, finish
from companion.games.two_cities.deck import CARDS, card_names
from companion.games.two_cities.headlines import headline
from companion.games.two_cities.options import Options
from companion.games.two_cities.sheets import aid
from companion.games.two_cities.state import State
from companion.games.two_cities.units import SIDES, Side
from companion.kit.cards import face
from companion.kit.game import Chart, Lookup, Offer, Role, Tracked
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, Words, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.kit.asking import Ask
    from companion.kit.panels import View

PACKAGE = "companion.games.two_cities"
SIGNS = {"spades": "♠", "clubs": "♣", "hearts": "♥", "diamonds": "♦"}


def _words(rulebook: Rulebook) -> Words:
    """Join the words of the file with the names of the cards, which their own file holds."""
    found = load_words(PACKAGE, rulebook)
    faces = {f"face.{code}": f"{rank}{SIGNS[suit]}" for code in CARDS for rank, suit in [face(code)]}
    names = {key: {"es": sign, "en": sign} for key, sign in faces.items()}
    cards = {
        code: {language: f"{faces[f'face.{code}']} {names_[language]}" for language in names_}
        for code in CARDS
        for names_ in [card_names()[f"card.{code}"]]
    }
    return msgspec.structs.replace(found, names={**found.names, **names, **cards, **card_names()})


class TwoCities:
    """Be the game."""

    slug = "two_cities"
    name = say("A Tale of Two Cities")
    summary = say("Cards wake your units on a chessboard. Destroy the enemy city. Two players, 45 to 60 minutes.")
    rulebook = msgspec.structs.replace(load(PACKAGE, "rulebook.toml", Rulebook), aid=aid())
    words = _words(rulebook)
    options = Options
    state = State
    actions = do.Action
    lookups: Mapping[str, Lookup] = lookups.LOOKUPS

    def roles(self, _options: Options) -> tuple[Role, ...]:
        """Name the two sides, White first."""
        return tuple(Role(side, Text(side)) for side in SIDES)

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        """Set the table up: units, terrain, and time to change both."""
        state = setup.set_up(options, ask)
        return Ruling(
            state,
            say("The board is set up: look at it, change it if you like, and say when you are ready."),
            tuple(ask.reasons),
        )

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""
        return offers.offers(state, seat)

    def rule(self, state: State, seat: str, action: do.Action, ask: Ask) -> Ruling[State]:
        """Rule on an action; raise Refusal or Pending."""
        if seat not in SIDES:
            raise Refusal(say("Only the two players act."), "TTC-01")
        side: Side = seat
        match action:
            case do.Surrender():
                if state.phase == "finished":
                    raise Refusal(say("The game is over."), "TTC-128")
                after = turn.surrender(state, side, ask)
            case do.Place() | do.PlaceTerrain() | do.DrawTerrain() | do.Ready():
                turn.check_phase(state, seat, "set_up")
                after = _set_up(state, side, action, ask)
            case do.PlayCard() | do.ThrowAway():
                turn.check_phase(state, seat, "choose_card")
                after = (
                    turn.play_card(state, action, ask)
                    if isinstance(action, do.PlayCard)
                    else turn.throw_away(state, action.card, ask)
                )
            case _:
                turn.check_phase(state, seat, "activations")
                after = _act(state, action, ask)
        return Ruling(after, headline(state, after, side, action), tuple(ask.reasons), reveals=_reveals(state, action))

    def view(self, state: State, seat: str) -> View:
        """Show what a seat may see, and nothing else."""
        return view.view(state, seat)

    def foresee(self, state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
        """Work out the exact odds of an attack before it is made; empty when the action throws no combat dice."""
        if not isinstance(action, do.Attack) or seat not in SIDES:
            return ()
        turn.check_phase(state, seat, "activations")
        return odds.foresee(state, action)

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""
        return corrections.tracked(state)

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        """Set one tracked value; raise Refusal when the value can not be."""
        return corrections.correct(state, path, value, ask)


def _set_up(
    state: State, side: Side, action: do.Place | do.PlaceTerrain | do.DrawTerrain | do.Ready, ask: Ask
) -> State:
    match action:
        case do.Place():
            return setup.place(state, side, action, ask)
        case do.PlaceTerrain():
            return setup.place_terrain(state, action, ask)
        case do.DrawTerrain():
            return setup.draw_terrain(state, ask)
        case do.Ready():
            return setup.get_ready(state, side, ask)


def _act(state: State, action: do.Activate | do.Move | do.Attack | do.Stand | do.EndTurn, ask: Ask) -> State:
    match action:
        case do.Activate():
            after = choose_units(state, action.units)
            for listed in action.units:
                ask.tell(say("{unit}: activated", unit=speech.name(after, after.unit(listed))), "TTC-23")
            return after
        case do.Move():
            return attack.rest(movement.move(state, action, ask))
        case do.Attack():
            return attack.attack(state, action, ask)
        case do.Stand():
            unit = state.unit(action.unit)
            after = activate(state, unit)
            ask.tell(say("{unit}: stays where it is", unit=speech.name(state, unit)), "TTC-22")
            return finish(after, after.unit(action.unit))
        case do.EndTurn():
            turn.check_meant(state, action.turn)
            return turn.end_turn(state, ask)


def _reveals(state: State, action: do.Action) -> bool:
    return isinstance(action, (do.PlayCard, do.ThrowAway)) and state.dealt


GAME: Any = TwoCities()

"""The game as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

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
from companion.kit.chapter import Chapter
from companion.kit.chart import Chart
from companion.kit.correction import Correction
from companion.kit.game import Game
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Words, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

PACKAGE = "companion.games.two_cities"
SIGNS = {"spades": "♠", "clubs": "♣", "hearts": "♥", "diamonds": "♦"}


def _names(_words: Words) -> dict[str, dict[str, str]]:
    """Name the cards, which their own file describes."""
    faces = {f"face.{code}": f"{rank}{SIGNS[suit]}" for code in CARDS for rank, suit in [face(code)]}
    names = {key: {"es": sign, "en": sign} for key, sign in faces.items()}
    cards = {
        code: {language: f"{faces[f'face.{code}']} {names_[language]}" for language in names_}
        for code in CARDS
        for names_ in [card_names()[f"card.{code}"]]
    }
    return {**names, **cards, **card_names()}


def _setup(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: units, terrain, and time to change both."""
    state = setup.set_up(options, ask)
    return Ruling(
        state,
        say("The board is set up: look at it, change it if you like, and say when you are ready."),
        tuple(ask.reasons),
    )


def _odds(state: State, side: Side, action: do.Attack) -> tuple[Chart, ...]:
    turn.check_phase(state, side, "activations")
    return odds.foresee(state, action)


def _rule(state: State, side: Side, action: do.Action, ask: Ask) -> State:
    match action:
        case do.Surrender():
            return turn.surrender(state, side, ask)
        case do.Place() | do.PlaceTerrain() | do.DrawTerrain() | do.Ready():
            turn.check_phase(state, side, "set_up")
            return _set_up(state, side, action, ask)
        case do.PlayCard() | do.ThrowAway():
            turn.check_phase(state, side, "choose_card")
            return (
                turn.play_card(state, action, ask)
                if isinstance(action, do.PlayCard)
                else turn.throw_away(state, action.card, ask)
            )
        case _:
            turn.check_phase(state, side, "activations")
            return _act(state, action, ask)


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


everything = Chapter[State, Side]()
everything.offers(offers.offers)
for action in get_args(do.Action):
    everything.rule(
        action,
        headline=headline,
        odds=_odds if action is do.Attack else None,
        reveals=(lambda before, _: before.dealt) if action in (do.PlayCard, do.ThrowAway) else None,
    )(_rule)


def _corrections(state: State) -> Iterator[Correction[State]]:
    for value in corrections.tracked(state):
        path = value.path
        yield Correction(value, lambda sent, ask, path=path: corrections.correct(state, path, sent, ask))  # type: ignore[misc]


GAME = Game(
    slug="two_cities",
    name=say("A Tale of Two Cities"),
    summary=say("Cards wake your units on a chessboard. Destroy the enemy city. Two players, 45 to 60 minutes."),
    package=PACKAGE,
    aid=aid(),
    names=_names,
    options=Options,
    state=State,
    seats=SIDES,
    setup=_setup,
    view=view.view,
    over=lambda state: state.phase == "finished",
    chapters=(everything,),
    corrections=_corrections,
    lookups=tuple(lookups.LOOKUPS.values()),
    strangers=Reason(say("Only the two players act."), "TTC-01"),
    finished=Reason(say("The game is over."), "TTC-128"),
)

"""The game as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import (
    assaulting,
    corrections,
    foreseeing,
    hints,
    lookups,
    mapping,
    movement,
    movement_offers,
    preparing,
    setting_out,
    turn,
    view,
)
from companion.games.pocket_tactics.headlines import headline
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.sample import PACKAGE
from companion.games.pocket_tactics.sheets import aid, sheets
from companion.games.pocket_tactics.sides import SEATS, Seat
from companion.games.pocket_tactics.skill_tests import skill_tests
from companion.games.pocket_tactics.state import State
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction
from companion.kit.game import Game
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.kit.asking import Ask


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
    return assaulting.rule(state, seat, action, ask)


def _offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    chapters = (preparing, mapping, setting_out, movement_offers, assaulting)
    return tuple(offer for chapter in chapters for offer in chapter.offers(state, seat))


everything = Chapter[State, Seat]()
everything.offers(_offers)
for action in get_args(do.Action):
    everything.rule(action, headline=headline, odds=foreseeing.charts, quiet=issubclass(action, do.Preparing))(_rule)


def _corrections(state: State) -> Iterator[Correction[State]]:
    for value in corrections.tracked(state):
        path = value.path
        yield Correction(value, lambda sent, ask, path=path: corrections.correct(state, path, sent, ask))  # type: ignore[misc]


GAME = Game(
    slug="pocket_tactics",
    name=say("Pocket-Tactics"),
    summary=say(
        "Two small armies on a map of tiles that is new each time: opposed dice, dangerous ground, and a base to take."
    ),
    package=PACKAGE,
    sheets=sheets(),
    aid=aid(),
    options=Options,
    state=State,
    seats=SEATS,
    setup=lambda options, _: Ruling(
        State(options=options), say("Take a faction each: a ready one, a file, or one of your own.")
    ),
    view=view.view,
    over=lambda state: state.over,
    headline=lambda _before, after, _seat: hints.over(after) if after.over else None,
    chapters=(everything, skill_tests, turn.giving_up),
    corrections=_corrections,
    lookups=tuple(lookups.LOOKUPS.values()),
    strangers=Reason(say("Only the players act."), "PT-25"),
    finished=Reason(say("The game is over."), "PT-64"),
)

"""The free table as the table and the web know it."""

from __future__ import annotations

from companion.games.free_table.decks import cards
from companion.games.free_table.kinds import MOST_SEATS, roles
from companion.games.free_table.start import PACKAGE, STARTS, Options, again, options_now, setup
from companion.games.free_table.trackers import CHAPTERS, OVER, STRANGERS, Sit, State, corrections, view
from companion.kit.game import RULEKEEPER, Game, Role
from companion.kit.ruling import Reason
from companion.kit.text import Text, Words, say


def _names(words: Words) -> dict[str, dict[str, str]]:
    return {
        seat: {language: f"{word} {number}" for language, word in words.names["seat"].items()}
        for number, seat in enumerate(roles(MOST_SEATS), 1)
    }


GAME = Game(
    slug="free_table",
    name=say("Free table"),
    summary=say("Counters, cards, dice, clocks and notes for any other game: put together what you need."),
    package=PACKAGE,
    names=_names,
    options=Options,
    state=State,
    roles=lambda options: tuple(Role(seat, Text(seat), alike=True) for seat in roles(options.seats)),
    seats=lambda table: (*table.roles, RULEKEEPER),
    setup=setup,
    view=view,
    cards=cards,
    over=lambda table: table.over,
    chapters=CHAPTERS,
    corrections=corrections,
    strangers=STRANGERS,
    finished=Reason(OVER),
    starts=STARTS,
    seated=lambda _, name: Sit(name),
    options_now=options_now,
    again=again,
)

"""A game that is reopened after its end, by hand or by taking the end back, can be played on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.kit.game import SCREEN
from companion.kit.ruling import Refusal
from tests.support.conformance import Sitting, filled
from tests.support.toy_tables import open_tables, sit_at
from tests.support.twins import Spy

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.view_models import Seen

GAMES = discover()


class Ending(Sitting):
    """A random game that somebody gives up, which is reopened by hand where the game knows who won."""

    def reopened(self) -> bool:
        """Set by hand whatever lets the game go on; tell whether there is such a value."""
        for entry in self.game.tracked(self.state):
            for option in entry.field.options if entry.field.kind == "choice" else ():
                try:
                    after = self.corrected(entry.path, option.value)
                except Refusal:
                    continue
                if not self.game.view(after, SCREEN).over:
                    self.state = after
                    return True
        return False


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_given_up_is_played_on_from_where_it_is_reopened(name: str) -> None:
    for seed in range(5):
        sitting = Ending(GAMES[name], seed, Spy())
        for _ in range(4 * seed):
            if not sitting.over():
                sitting.step()
        while not sitting.over():
            sitting.step(ending=sitting.rng.random() < 0.8)
        if not sitting.reopened():
            continue
        waited_for = GAMES[name].view(sitting.state, SCREEN).to_move
        assert waited_for, "nobody is to move"
        for seat in waited_for:
            assert any(not offer.grave for offer in GAMES[name].offers(sitting.state, seat)), seat
        sitting.step()


def shown(seen: Seen) -> tuple[Any, ...]:
    return seen.view, seen.offers


@pytest.mark.parametrize("name", GAMES)
def test_an_end_that_is_taken_back_leaves_the_table_as_it_was(name: str, tmp_path: Path) -> None:
    game = GAMES[name]
    with open_tables(tmp_path, **{name: game}) as tables:
        roles = [role.id for role in game.roles(game.options())]
        table, rng = sit_at(tables, name, roles), random.Random(0)
        while not table.seen(SCREEN).view.over:
            before = {seat: shown(table.seen(seat)) for seat in roles}
            offered = [(seat, offer) for seat in roles for offer in table.seen(seat).offers]
            seat, offer = max(offered, key=lambda one: (one[1].grave and not one[1].fields, rng.random()))
            table.act(seat, **filled(offer, rng))
        table.take_back("rulekeeper")
        assert {seat: shown(table.seen(seat)) for seat in roles} == before

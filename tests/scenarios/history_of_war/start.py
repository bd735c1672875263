"""Scenarios of the start: territories, decks, first hands and the draw of a round."""

from __future__ import annotations

from typing import Any

from companion.games.history_of_war import start
from companion.games.history_of_war.cards import ActionCard, BaseCard, Card, Roster, TerritoryCard
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import SEATS, Deck
from companion.games.history_of_war.state import State
from companion.kit.decks import codes
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, number, one_of, sequence, truth
from tests.scenarios.history_of_war import fields
from tests.scenarios.history_of_war.fields import options_of
from tests.scenarios.history_of_war.tables import FILLER, Table, after, counted
from tests.scenarios.runner import Given, refused
from tests.support.playing import Scripted

LANDS = tuple(TerritoryCard(name=f"land {at}", flags=5, victory_points=5) for at in range(2))
HAND = 8


def begun(given: Given, lands: tuple[TerritoryCard, ...], cards: tuple[Card, ...], chosen: str) -> State:
    """Both are ready and have chosen their territories; the first hands are dealt."""
    parts: dict[str, Any] = {
        kind: tuple(card for card in cards if card.kind == kind)
        for kind in fields.KINDS
        if kind in Roster.__struct_fields__
    }
    mine = Roster(name="mine", **{**parts, "territory": lands})
    theirs = Roster(name="theirs", territory=LANDS, action=(FILLER,))
    state = State(options=options_of(given), rosters={"blue": mine, "red": theirs})
    state = after(state, start.Ready(), "blue")
    found: State = GAME.rule(state, "red", start.Ready(), Scripted(1, territories_blue=chosen)).outcome
    return found


def start_territories(given: Given) -> dict[str, Any]:
    """Choose these territory cards, of which the deck has no others."""
    points = [number("victory_points", one) for one in sequence("victory_points", given["victory_points"])]
    lands = tuple(TerritoryCard(name=f"land {at}", flags=5, victory_points=one) for at, one in enumerate(points))
    state = begun(given, lands, (FILLER,), ",".join(f"t{at}" for at in range(len(points))))
    return {"total": sum(state.land(one).victory_points for one in state.territories if one.seat == "blue")}


def deck(given: Given) -> dict[str, Any]:
    """Deal out of a deck of these cards, and look whether all of them are in the depot."""
    said = [
        one.get("kind", one.get("type")) if isinstance(one, dict) else one for one in sequence("depot", given["depot"])
    ]
    kinds = [fields.kind_of("depot", one) for one in said]
    cards = [fields.card(f"{kind} {at}", kind, Given(dv=1)) for at, kind in enumerate(kinds) if kind != "territory"]
    spare = tuple(
        TerritoryCard(name=f"in the depot {at}", flags=5, victory_points=5)
        for at, kind in enumerate(kinds)
        if kind == "territory"
    )
    # One card more, for a depot without any would be refused for that.
    state = begun(given, (*LANDS, *spare), (*cards, ActionCard(name="…")), "t0,t1")
    dealt = state.deck("blue")
    if len(dealt.depot) + len(dealt.hand) - 1 == len(kinds):
        return {"ok": True}
    no = Refusal(say("Territory cards are kept apart, and never belong in the depot."), "HW-05")
    return {**refused(no, GAME), "ok": False}


def mulligan(given: Given) -> dict[str, Any]:
    """Change a first hand with so many base expansions."""
    bases = count("base_expansions_in_hand", given.get("base_expansions_in_hand", 0), "HW-26")
    used = truth("already_used", given.get("already_used"))
    agreed = options_of(given)
    if given.get("option") is not None:
        agreed = options_of({**given, "mulligan": one_of("option", given["option"], fields.AGREED["mulligan"])})
    table = Table(agreed)
    works = table.print("blue", BaseCard(name="works", count=max(1, bases))).partition(".")[0]
    state = table.state("mulligan", round=0)
    for seat in SEATS:
        state = counted(state, seat, depot=30, hand=HAND).with_deck(seat, kept=False)
    held = (*codes({works: bases}), *state.deck("blue").hand)[:HAND]
    state = state.with_deck("blue", hand=held, mulligan=used, kept=used)
    state = after(state, start.Mulligan(), "blue")
    return {"hand": len(state.deck("blue").hand)}


def draw(given: Given) -> dict[str, Any]:
    """Begin a round: both draw in its first phase, which ends by itself."""
    many = {part: count(part, given[part], "HW-37") for part in ("depot", "hand")}
    state = Table(options_of(given)).state("mulligan", round=0)
    for seat in SEATS:
        state = counted(state, seat, **many)
    state = after(state.with_deck("red", kept=True).with_deck("blue", kept=False), start.Keep(), "blue")
    found: Deck = state.deck("blue")
    return {"depot": len(found.depot), "hand": len(found.hand)}

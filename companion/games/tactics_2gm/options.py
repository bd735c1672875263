"""What a table may agree on before it starts: players, cards, board, and the rulings on unclear points."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.kit.options import ticked

Side = Literal["allies", "axis"]


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Hold what the players agreed on; the defaults are the printed rules and the rulings adopted."""

    players: Annotated[
        Literal["two", "three", "four"],
        Meta(
            title="Players",
            description="Three: a side of one against a side of two. Four: two against two.",
            extra={"labels": {"two": "Two", "three": "Three", "four": "Four"}},
        ),
    ] = "two"
    board: Annotated[
        Literal["mirrored", "table"],
        Meta(
            title="The battlefield",
            description="Mirrored: Companion knows where every unit stands, and works distances and supply out. "
            "On the table: only the real battlefield knows; Companion keeps the units and asks for the facts.",
        ),
    ] = "mirrored"
    cards: Annotated[
        Literal["companion", "real"],
        Meta(
            title="The cards",
            description="Companion shuffles and deals: hands are on the phones. "
            "Real cards: you shuffle and hold them; Companion counts them, and you say which ones you play.",
        ),
    ] = "companion"
    mode: Annotated[
        Literal["pitched", "scenario"],
        Meta(
            title="The battle",
            description="Pitched battle: destroy the enemy headquarters. Scenario: with rules and goals of its own.",
            extra={"labels": {"pitched": "Pitched battle", "scenario": "Scenario"}},
        ),
    ] = "pitched"
    limit: Annotated[int, Meta(title="Points limit", description="80 or 100 make a shorter battle.", ge=10, le=500)] = (
        120
    )
    pair: Annotated[
        Side,
        Meta(title="Who are two", description="With three players: the side that two lead.", extra={"rare": True}),
    ] = "axis"
    pair_decks: Annotated[
        Literal["split", "shared"],
        Meta(
            title="Decks of two partners",
            description="Split: each builds a deck with half of the points. Shared: together they spend all the "
            "points, and share out the cards as they agree.",
            extra={"rare": True, "labels": {"split": "Split", "shared": "Shared"}},
        ),
    ] = "split"
    copies: Annotated[
        Literal["one", "two"],
        Meta(
            title="Copies of the game",
            description="With four players: two copies make a battlefield of twice the width, and two headquarters a "
            "side.",
            extra={"rare": True, "labels": {"one": "One", "two": "Two"}},
        ),
    ] = "one"
    novices: Annotated[
        tuple[Side, ...],
        Meta(title="Novices", description="These sides get one more AP every turn.", extra={"rare": True}),
    ] = ()
    natural_ten: Annotated[
        Literal["cap", "hard"],
        Meta(
            title="Numbers above 10",
            description="Limited to 10: a thrown 10 always hits. Kept: what needs more than 10 can not be done.",
            extra={"rare": True, "labels": {"cap": "Limited to 10", "hard": "Kept"}},
        ),
    ] = "cap"
    cap_scope: Annotated[
        Literal["always", "carry_only"],
        Meta(
            title="The maximum of AP",
            description="Always: no more than the maximum after income. Carried over: only what is kept from the turn "
            "before is limited.",
            extra={"rare": True, "labels": {"always": "Always", "carry_only": "On what is carried over"}},
        ),
    ] = "always"
    deckout_check: Annotated[
        Literal["immediate", "end_of_turn"],
        Meta(
            title="Out of cards",
            description="When a player without cards in deck and hand is defeated.",
            extra={"rare": True, "labels": {"immediate": "At once", "end_of_turn": "At the end of the turn"}},
        ),
    ] = "immediate"
    swap_allowed: Annotated[
        bool, ticked("Change places", "Two units of a side may move into each other's squares.")
    ] = True
    difficult_extra_cost: Annotated[
        int,
        Meta(
            title="Difficult terrain: extra movement",
            description="What it costs to enter beyond one square.",
            ge=0,
            le=3,
            extra={"rare": True},
        ),
    ] = 0
    suppression_hit: Annotated[
        int,
        Meta(
            title="Suppressive fire: to hit",
            description="Added to the hit number of a unit under suppressive fire.",
            ge=0,
            le=3,
            extra={"rare": True},
        ),
    ] = 0
    suppression_crit: Annotated[
        int,
        Meta(
            title="Suppressive fire: critical",
            description="Added to its critical number.",
            ge=0,
            le=3,
            extra={"rare": True},
        ),
    ] = 0
    advance_cover_hit: Annotated[
        int,
        Meta(
            title="Advance under cover: to hit",
            description="Added to the hit number against infantry behind a friendly armoured vehicle.",
            ge=0,
            le=3,
            extra={"rare": True},
        ),
    ] = 1
    advance_cover_crit: Annotated[
        int,
        Meta(
            title="Advance under cover: critical",
            description="Added to the critical number.",
            ge=0,
            le=3,
            extra={"rare": True},
        ),
    ] = 0
    assault_mode: Annotated[
        Literal["manual", "fire_at_range_1"],
        Meta(
            title="Assault",
            description="Its rules are not printed. By hand: the table says what comes of it. As fire: a shot at a "
            "neighbour in the movement phase.",
            extra={"rare": True, "labels": {"manual": "By hand", "fire_at_range_1": "As fire at a neighbour"}},
        ),
    ] = "manual"
    fighter_after_use: Annotated[
        Literal["discard", "stays"],
        Meta(
            title="A fighter after use",
            description="What becomes of it when it has flown.",
            extra={"rare": True, "labels": {"discard": "Is discarded", "stays": "Goes back to the headquarters"}},
        ),
    ] = "discard"
    time_limit_minutes: Annotated[
        int,
        Meta(
            title="Time limit in minutes",
            description="90 or 120 make a shorter battle: then each side has one last turn, and the headquarters with "
            "more harm loses. 0: none.",
            ge=0,
            le=600,
            extra={"rare": True},
        ),
    ] = 0

    @property
    def columns(self) -> int:
        """Return the width of the battlefield: two copies lie side by side (G2-72, G2-159)."""
        return 16 if self.two_copies else 8

    @property
    def two_copies(self) -> bool:
        """Tell whether two copies are in play: only four players use them (G2-159)."""
        return self.copies == "two" and self.players == "four"

"""What a table may agree on before it starts: where the map lies, and the rulings on unclear points (ledger 4)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.kit.forms import picked, seldom

Directions = Literal[
    "n_clockwise",
    "ne_clockwise",
    "se_clockwise",
    "s_clockwise",
    "sw_clockwise",
    "nw_clockwise",
    "n_counter",
    "ne_counter",
    "se_counter",
    "s_counter",
    "sw_counter",
    "nw_counter",
]
"""Where a 1 leads, and which way the other faces follow."""
Order = Literal["windows", "side_then_side"]
"""How the windows of re-rolls follow each other."""


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the players agreed on; the defaults are the printed rules and the rulings adopted."""

    map: Annotated[
        Literal["companion", "table"],
        picked(
            "The map",
            "Companion draws the tiles and keeps the map: it counts distances, assists and sight. "
            "On the table: you draw and place real tiles, and say what Companion cannot see.",
            companion="In Companion",
            table="On the table",
        ),
    ] = "companion"
    army_limit: Annotated[
        int, Meta(title="Points of an army", description="100 is the printed number.", ge=10, le=500)
    ] = 100
    kicker_in_assault: Annotated[
        bool, seldom("Kickers count in assaults", "Without it they only count in skill tests.")
    ] = True
    melee_assist_scope: Annotated[
        Literal["contested", "either_tile"],
        seldom(
            "Assists in melee",
            "From the tiles around the target, or also from those around the tile the attacker came from.",
            contested="Around the target",
            either_tile="Around either tile",
        ),
    ] = "contested"
    reroll_order: Annotated[
        Order,
        seldom(
            "Order of re-rolls",
            "Abilities of both, then situations of both; or everything of the attacker first.",
            windows="Abilities of both first",
            side_then_side="One side after the other",
        ),
    ] = "windows"
    hop_assault: Annotated[
        bool, seldom("Melee over a hop", "A unit may hop over a friend straight into a melee assault.")
    ] = False
    hop_straight_only: Annotated[bool, seldom("Hops go straight", "A hop leads straight on over the friend.")] = False
    contiguous_exit_terrain_is_one: Annotated[
        bool, seldom("Joined labyrinths and swamps are one", "No test towards a tile of the same terrain.")
    ] = True
    exit_hazard_applies_to_ranged: Annotated[
        bool,
        seldom("Ranged assaults test too", "An assault aimed out of a labyrinth or swamp is tested, ranged ones too."),
    ] = True
    labyrinth_entry_tests: Annotated[
        bool, seldom("Tests where the labyrinth leads", "A unit that the opponent puts on a hazard tile is tested.")
    ] = True
    favoured_terrain_ignores_hazard: Annotated[
        bool, seldom("Affinity protects", "A unit takes no hazard test on terrain of its affinity.")
    ] = False
    random_move_walls: Annotated[
        Literal["stay", "ignore"],
        seldom(
            "Sliding against a tunnel wall",
            "The unit stays where it is, or walls do not matter.",
            stay="It stays",
            ignore="Walls do not matter",
        ),
    ] = "stay"
    direction_map: Annotated[
        Directions,
        seldom(
            "Directions of the die",
            "Where a 1 leads, seen from the first player, and which way the others follow.",
            n_clockwise="1 is north, clockwise",
            ne_clockwise="1 is north-east, clockwise",
            se_clockwise="1 is south-east, clockwise",
            s_clockwise="1 is south, clockwise",
            sw_clockwise="1 is south-west, clockwise",
            nw_clockwise="1 is north-west, clockwise",
            n_counter="1 is north, counter-clockwise",
            ne_counter="1 is north-east, counter-clockwise",
            se_counter="1 is south-east, counter-clockwise",
            s_counter="1 is south, counter-clockwise",
            sw_counter="1 is south-west, counter-clockwise",
            nw_counter="1 is north-west, counter-clockwise",
        ),
    ] = "n_clockwise"
    alternate_initial_deploy: Annotated[
        bool, seldom("Starting units in turns", "The players put their starting units down one by one in turns.")
    ] = False
    allow_pass: Annotated[
        Literal["only_when_stuck", "always"],
        seldom(
            "Passing",
            "Only who can do nothing passes, or anybody may.",
            only_when_stuck="Only when stuck",
            always="Always",
        ),
    ] = msgspec.field(default="only_when_stuck")
    double_elimination: Annotated[
        Literal["draw", "active_player_wins"],
        seldom(
            "Both armies gone at once",
            "When the last units of both are captured in one assault.",
            draw="A draw",
            active_player_wins="Whoever's turn it is wins",
        ),
    ] = "draw"

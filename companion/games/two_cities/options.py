"""What a table may agree on before it starts (TTC-Q01 to TTC-Q31)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.games.two_cities.components import MOST_DICE
from companion.kit.forms import picked, seldom
from companion.kit.text import numbered


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the players agreed on; the defaults are the rulings of the rulebook."""

    board: Annotated[
        Literal["mirrored", "table"],
        picked(
            "The board",
            "Mirrored: Companion knows where every unit stands, and works everything out. "
            "On the table: only the real board knows; Companion asks for the facts of each attack.",
        ),
    ] = "mirrored"
    cards: Annotated[
        Literal["dealt", "real"],
        picked(
            "The cards",
            "Companion deals: each hand is on a phone. Real deck: you hold real cards and tap in the one you use.",
        ),
    ] = "dealt"
    layout: Annotated[
        Literal["usual", "own"],
        seldom(
            "Starting position", "Usual: every unit on its square, free to be changed. Your own: you place every unit."
        ),
    ] = "usual"
    city_square: Annotated[
        Literal["a", "b", "c", "d", "e", "f", "g", "h"],
        seldom("File of the cities", "The city changes places with the unit that stands there."),
    ] = "d"
    random_start: Annotated[
        bool, seldom("Random start", "Which square of its first rank each unit starts on is drawn at random.")
    ] = False
    random_mirror: Annotated[
        bool, seldom("Same random start for both", "Black gets the same drawn order as White, file by file.")
    ] = False
    piece_map: Annotated[
        Literal["coin", "rook", "other_set"],
        seldom("When you run out of chess pieces", "What stands for a unit whose own piece is already on the board."),
    ] = "coin"
    activation_optional: Annotated[
        bool, seldom("Activate fewer units", "A player may activate fewer units than the card says.")
    ] = False
    remove_after_placing: Annotated[
        bool,
        seldom("Place first, remove after", "The unit that a second purchase costs leaves after the new one comes."),
    ] = False
    pass_friends: Annotated[
        bool, seldom("Pass through friends", "A unit may pass through squares of its own side.")
    ] = False
    double_rain_stationary: Annotated[
        bool, seldom("Double rain stands still", "Units under Double rain may not move.")
    ] = False
    phalanx_hold: Annotated[bool, seldom("Phalanx holds", "Units under Phalanx may not move.")] = False
    heavy_cap_phalanx_only: Annotated[
        bool,
        seldom(
            numbered("Limit of [most_dice written] dice under Phalanx only", most_dice=MOST_DICE).say,
            numbered("Only heavy infantry under Phalanx stops at [most_dice written] dice.", most_dice=MOST_DICE).say,
        ),
    ] = False
    protection_per_turn: Annotated[
        bool, seldom("Protection once a turn", "A unit uses each protection once a turn, not against each attack.")
    ] = False
    city_formation: Annotated[
        bool, seldom("Cities count for formations", "A city protects its neighbour and is protected by one.")
    ] = True
    retreat_away: Annotated[
        bool, seldom("Retreat away from the attacker", "A retreat goes straight away from the attacker, not home.")
    ] = False
    advance_optional: Annotated[
        bool, seldom("Advance if you like", "Whoever destroys a unit in melee may stay instead of taking its square.")
    ] = False
    evasion_printed_speed: Annotated[
        bool, seldom("Evasion by printed speed", "Who is faster is judged without the movement a card adds.")
    ] = False
    evasion_melee_only: Annotated[bool, seldom("Evasion in melee only", "A shot cannot be evaded.")] = False

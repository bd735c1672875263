"""What a seat may do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.tactics_2gm.cards import Class, Feature, Slot
from companion.games.tactics_2gm.deck_actions import (
    EditEquipment,
    EditGeneral,
    EditHeadquarters,
    EditSupport,
    EditUnit,
    EditWeapon,
    LoadScenario,
    LoadTerrain,
    Preparing,
    RemoveCard,
    SetCount,
    SetMarshal,
    Share,
)
from companion.games.tactics_2gm.doing import Code, Line, Name, Number, Square
from companion.games.tactics_2gm.state import Phase
from companion.kit.action import Action as Doing
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample
from companion.kit.decks.written import Shift

__all__ = [
    "EditEquipment",
    "EditGeneral",
    "EditHeadquarters",
    "EditSupport",
    "EditUnit",
    "EditWeapon",
    "LoadDeck",
    "LoadScenario",
    "LoadTerrain",
    "NameDeck",
    "Preparing",
    "RemoveCard",
    "SetCount",
    "SetMarshal",
    "Share",
    "UseSample",
]
"""What is done with the decks has a module of its own."""


class Ready(Doing, frozen=True, tag="ready"):
    """Say that your deck is as you want it (``on`` false: not yet after all), or that you lay no more terrain."""

    phase: Phase | None = None
    on: bool = True


class PlaceTerrain(Doing, frozen=True, tag="place_terrain"):
    """Lay a terrain card of the terrain deck (G2-46 to G2-48); without a square on a table that is not mirrored."""

    terrain: Number
    to: Square | None = None


class TakeTerrain(Doing, frozen=True, tag="take_terrain"):
    """Take back a terrain card that you have just laid, before the battle begins."""

    ground: Name


class ClearTerrain(Doing, frozen=True, tag="clear_terrain"):
    """Say that a terrain card that is no building is destroyed, which takes it off the battlefield (G2-128)."""

    ground: Name


class SetNatural(Doing, frozen=True, tag="set_natural"):
    """Say which natural feature the tile shows on a square, or that it shows none (G2-127, G2-129)."""

    to: Square
    feature: Feature | Literal["none"]
    kind: Class = "normal"


class LayTiles(Doing, frozen=True, tag="lay_tiles"):
    """Shuffle the battlefield tiles and lay them as they come (G2-41)."""

    count: Annotated[int, Meta(ge=1, le=32)]


class Mulligan(Doing, frozen=True, tag="mulligan"):
    """Return the whole first hand and draw another, once (G2-53, G2-54)."""


class Keep(Doing, frozen=True, tag="keep"):
    """Begin with the hand that you hold (G2-53)."""


class Income(Doing, frozen=True, tag="income"):
    """Take the AP of the headquarters phase, and draw (G2-79 to G2-81).

    ``lines`` are those that hold units of the side, where only the real battlefield knows.
    """

    lines: tuple[Line, ...] = ()


class Cede(Doing, frozen=True, tag="cede"):
    """Give your general the one AP that a field marshal may give each turn (G2-154)."""


class Move(Doing, frozen=True, tag="move"):
    """Move a unit (G2-82 to G2-86); ``path`` lists the squares it enters, where the way matters.

    ``swap``: the friendly unit on that square moves to where this one came from. On a table whose battlefield is not
    mirrored there is no square to name.
    """

    unit: Name
    to: Square | None = None
    path: Annotated[tuple[Square, ...], Meta(min_length=1, max_length=32)] | None = None
    swap: bool = False


class TakeBack(Doing, frozen=True, tag="take_back"):
    """Put a unit back where it began its move of this phase."""

    unit: Name


class Assault(Doing, frozen=True, tag="assault"):
    """Assault an enemy unit or the terrain it holds with infantry (G2-87, G2-A26).

    The table says what came of it: ``harm``, ``own_harm``, and whether it may ``enter`` the square. Where assault is
    fire at a neighbour, ``weapon`` is what it fires.
    """

    unit: Name
    target: Name
    weapon: Name | None = None
    harm: Number = 0
    own_harm: Number = 0
    enter: bool = False


class Stand(Doing, frozen=True, tag="stand"):
    """Say in which terrain a unit stands, where only the real battlefield knows (G2-125)."""

    unit: Name
    ground: Name | None = None


class Deploy(Doing, frozen=True, tag="deploy"):
    """Deploy a unit card with equipment (G2-89 to G2-96), a fighter beside the headquarters (G2-139)."""

    card: Code
    to: Square | None = None
    equipment: Annotated[tuple[Slot, ...], Meta(max_length=8)] = ()


class PlayCard(Doing, frozen=True, tag="play_card"):
    """Play a support card, on a unit where it needs one (G2-18 to G2-21, G2-91, G2-96)."""

    card: Code
    unit: Name | None = None


class UseToken(Doing, frozen=True, tag="use_token"):
    """Use a token that fires nothing and flips, such as a smoke grenade (G2-69, G2-165)."""

    unit: Name
    slot: Slot


class SetUp(Doing, frozen=True, tag="set_up"):
    """Set a heavy weapon of infantry up, or pack it up (G2-121, G2-A29)."""

    unit: Name
    on: bool


class NoteEffect(Doing, frozen=True, tag="note_effect"):
    """Note on a unit what a card or a capability does to it, as its text says (G2-106, G2-164)."""

    unit: Name
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    aim_hit: Shift = 0
    aim_crit: Shift = 0
    cover_hit: Shift = 0
    cover_crit: Shift = 0
    armour: Shift = 0
    lasting: bool = False


class EndEffect(Doing, frozen=True, tag="end_effect"):
    """End an effect that was noted by hand; ``effect`` is its place on the unit."""

    unit: Name
    effect: Number


class Fire(Doing, frozen=True, tag="fire"):
    """Fire a weapon at an enemy unit, a headquarters or a building (G2-97 to G2-117).

    Where only the real battlefield knows, ``distance`` comes with it, and whether infantry advances under cover.
    """

    unit: Name
    weapon: Name
    target: Name
    distance: Annotated[int, Meta(ge=1, le=30)] | None = None
    behind: bool = False


class Bomb(Doing, frozen=True, tag="bomb"):
    """Play a bomber card at a target (G2-141)."""

    card: Code
    target: Name


class Sortie(Doing, frozen=True, tag="sortie"):
    """Use a fighter to attack a target (G2-140)."""

    unit: Name
    target: Name


class Spend(Doing, frozen=True, tag="spend"):
    """Spend AP on what a card or a capability says (G2-30, G2-165)."""

    amount: Annotated[int, Meta(ge=1, le=99)]
    why: Annotated[str, Meta(min_length=1, max_length=60)]


class Gain(Doing, frozen=True, tag="gain"):
    """Take AP that a card or a capability gives."""

    amount: Annotated[int, Meta(ge=1, le=99)]
    why: Annotated[str, Meta(min_length=1, max_length=60)]


class EndPhase(Doing, frozen=True, tag="end_phase"):
    """End the phase (G2-77).

    A page names the ``phase`` and the ``turn`` that it showed, so that an old one ends no other.
    """

    phase: Phase | None = None
    turn: Number | None = None


class Discard(Doing, frozen=True, tag="discard"):
    """Discard down to seven cards (G2-122); real cards by their number."""

    cards: Annotated[tuple[Code, ...], Meta(max_length=60)] = ()
    count: Number = 0


class ClaimGoal(Doing, frozen=True, tag="claim_goal"):
    """Say that a goal of the scenario is reached; the enemy agrees (G2-24)."""

    goal: Number


class Surrender(Doing, frozen=True, tag="surrender"):
    """Give up (G2-25)."""


Starting = Ready | PlaceTerrain | TakeTerrain | ClearTerrain | SetNatural | LayTiles | Mulligan | Keep
Turning = Income | Cede | EndPhase | Discard | Spend | Gain | ClaimGoal | Surrender
Moving = Move | TakeBack | Assault | Stand
Deploying = Deploy | PlayCard | UseToken | SetUp | NoteEffect | EndEffect
Firing = Fire | Bomb | Sortie
Action = Preparing | Starting | Turning | Moving | Deploying | Firing

"""The seven armies, their units and weapons, as the army lists print them (CW-05)."""

from __future__ import annotations

from typing import Literal

from companion.kit.rulebook import Strict, load

ArmyId = Literal["elves", "humans", "dwarves", "chaos", "orcs", "ratmen", "undead"]
Piece = Literal["king", "queen", "rook", "bishop", "knight", "pawn"]
WeaponId = Literal["bows", "longbows", "crossbows", "catapult", "terror_catapult", "rocks", "plague_bombs"]
Trait = Literal["aggressive", "brave", "dreadful", "undead", "plague", "regeneration", "teleport"]
Spell = Literal[
    "raise_dead",
    "contagion",
    "counterspell",
    "healing",
    "dispel",
    "strike",
    "fear",
    "protection",
    "storm",
    "flight",
    "zap",
]

PACKAGE = "companion.games.chesswar"


class Weapon(Strict, frozen=True):
    """What a weapon can do; ``reach`` and ``nearest`` are in squares, ``reach`` 0 has no end.

    ``scatter`` and ``scatter_indirect`` count the scatter dice of a thrower.
    """

    reach: int
    nearest: int = 0
    bow: bool = False
    indirect: bool = False
    after_moving: bool = False
    scatter: int = 0
    scatter_indirect: int = 0
    terror: bool = False
    plague: bool = False


class UnitType(Strict, frozen=True):
    """A row of an army list. ``save`` and ``skill`` are the numbers needed on a die."""

    id: str
    piece: Piece
    max: int
    cost: int
    move: int
    save: int
    combat: int
    weapon: WeaponId | None = None
    skill: int = 0
    traits: tuple[Trait, ...] = ()
    spells: tuple[Spell, ...] = ()

    @property
    def general(self) -> bool:
        """Tell whether the unit is a general (CW-13)."""
        return self.piece == "king"

    @property
    def undead(self) -> bool:
        """Tell whether the unit is undead (CW-110)."""
        return "undead" in self.traits

    @property
    def brave(self) -> bool:
        """Tell whether the unit is brave by itself (CW-108, CW-110)."""
        return "brave" in self.traits or self.undead

    @property
    def dreadful(self) -> bool:
        """Tell whether the unit is dreadful by itself (CW-109, CW-110)."""
        return "dreadful" in self.traits or self.undead


class Army(Strict, frozen=True):
    """An army list."""

    id: ArmyId
    initiative: int
    points: int
    unit: tuple[UnitType, ...]

    @property
    def general(self) -> UnitType:
        """Return the general."""
        return next(kind for kind in self.unit if kind.general)

    def of(self, piece: str) -> UnitType | None:
        """Return the type that a chess piece stands for; None where the army has none (CW-04)."""
        return next((kind for kind in self.unit if kind.piece == piece), None)


class _Armies(Strict, frozen=True):
    army: tuple[Army, ...]


ARMIES: dict[str, Army] = {army.id: army for army in load(PACKAGE, "armies.toml", _Armies).army}
TYPES: dict[str, UnitType] = {kind.id: kind for army in ARMIES.values() for kind in army.unit}
WEAPONS = load(PACKAGE, "weapons.toml", dict[str, Weapon])
BOUGHT: tuple[Piece, ...] = ("queen", "rook", "bishop", "knight", "pawn")
TEMPORARY: tuple[Spell, ...] = ("contagion", "fear", "protection", "storm")
INSTANT: tuple[Spell, ...] = ("raise_dead", "counterspell", "healing")
PHASE_OF: dict[Spell, Literal["movement", "shooting", "combat"]] = {
    "contagion": "movement",
    "dispel": "movement",
    "fear": "movement",
    "protection": "movement",
    "storm": "movement",
    "flight": "movement",
    "zap": "shooting",
    "strike": "combat",
}

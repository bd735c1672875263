"""Terrain by its name: hazards and tunnels go by it, in any language that people write it in (ledger 2.4)."""

from __future__ import annotations

from typing import Literal, get_args

Hazard = Literal["cave", "ice", "labyrinth", "swamp", "water"]
HAZARDS: tuple[Hazard, ...] = get_args(Hazard)

WORDS = {
    "bosque": "forest", "colina": "hills", "colinas": "hills", "hill": "hills", "campo": "field", "fields": "field",
    "pueblo": "village", "aldea": "village", "cueva": "cave", "hielo": "ice", "helada": "ice", "laberinto": "labyrinth",
    "pantano": "swamp", "agua": "water", "complejo": "complex", "montaña": "mountain", "montañas": "mountain",
    "ruina": "ruins", "ruinas": "ruins", "woods": "forest", "forests": "forest",
}  # fmt: skip
KNOWN = ("forest", "hills", "field", "village", "mountain", "ruins", "complex", *HAZARDS)
"""Terrains that Companion has words and pictures for; any other is called as it was written."""


def known_as(name: str) -> str:
    """Return the identifier of a terrain that Companion knows, in whatever language; others as they were written."""
    plain = name.strip().casefold()
    return plain if plain in KNOWN else WORDS.get(plain, name.strip())


def hazard(terrain: str) -> Hazard | None:
    """Return the hazard that a terrain is, None for a harmless one (ledger 2.5)."""
    return next((one for one in HAZARDS if one == terrain), None)


def affine(affinities: tuple[str, ...], terrain: str) -> bool:
    """Tell whether a terrain is one of a unit's affinities; no terrain (a base) never is (PT-52, PT-A10)."""
    return bool(terrain) and _same(terrain) in {_same(one) for one in affinities}


def _same(name: str) -> str:
    return known_as(name).casefold()

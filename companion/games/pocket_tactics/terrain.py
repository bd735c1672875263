"""Terrain by its name: hazards and tunnels go by it, in any language that people write it in (ledger 2.4)."""

from __future__ import annotations

from typing import Literal, get_args

Hazard = Literal["cave", "ice", "labyrinth", "swamp", "water"]
HAZARDS: tuple[Hazard, ...] = get_args(Hazard)

WORDS = {
    "bosque": "forest", "bosques": "forest", "forests": "forest", "woods": "forest", "colina": "hills",
    "colinas": "hills", "hill": "hills", "campo": "field", "campos": "field", "fields": "field", "pueblo": "village",
    "aldea": "village", "aldeas": "village", "villages": "village", "montaña": "mountain", "montañas": "mountain",
    "mountains": "mountain", "ruina": "ruins", "ruinas": "ruins", "ruin": "ruins", "complejo": "complex",
    "cueva": "cave", "cuevas": "cave", "caves": "cave", "hielo": "ice", "helada": "ice", "heladas": "ice",
    "laberinto": "labyrinth", "laberintos": "labyrinth", "labyrinths": "labyrinth", "pantano": "swamp",
    "pantanos": "swamp", "swamps": "swamp", "agua": "water", "waters": "water",
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

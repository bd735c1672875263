"""What all actions are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

UnitId = Annotated[str, Meta(pattern=r"^[br][0-9]{1,2}\.[0-9]{1,2}\Z")]
"""A unit: whose it is, the number of its card in the faction, and which copy (``b0.1``)."""
Place = Annotated[str, Meta(min_length=1, max_length=40)]
"""A tile of the map by its name (``m4``); where the map lies on the table a terrain; ``base`` is the own base."""
At = Annotated[str, Meta(pattern=r"^[a-y][0-9]{1,2}\Z")]
"""A tile of the map by its name."""
Few = Annotated[int, Meta(ge=0, le=20)]
Skill = Literal["melee", "ballistic", "arcane", "tech"]
"""What an assault is fought with; a mage-tech unit declares one of the last two (PT-35)."""
Slot = Literal["melee", "ballistic", "third"]
"""A skill of a stat card (PT-08, PT-10)."""
Pool = Literal["offence", "defence"]
Kind = Literal["melee", "ranged"]

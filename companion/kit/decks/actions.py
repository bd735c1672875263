"""How a player comes to a deck."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.kit.action import Action
from companion.kit.decks.written import Called, File


class UseSample(Action, frozen=True, tag="use_sample"):
    """Take a deck of the sample set, which is Companion's own."""

    sample: Annotated[str, Meta(min_length=1, max_length=20)]


class LoadDeck(Action, frozen=True, tag="load_deck"):
    """Take the deck of a roster file: TOML, JSON or CSV."""

    text: File


class NameDeck(Action, frozen=True, tag="name_deck"):
    """Give your deck another name."""

    name: Called

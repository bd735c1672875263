"""Ways: what of an offer is done by one tap, on a card or on a square, and what has to be looked at first."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any
from urllib.parse import quote_plus, urlencode

import msgspec

from companion.kit.asking import Option
from companion.kit.game import Field, Offer
from companion.kit.text import Text


class Way(msgspec.Struct, frozen=True):
    """Show one thing that can be done by one tap: ``do`` is the action as a query string.

    ``plan`` sends it to be looked at first: because of its odds, or because something is left to choose. ``main`` is
    what most people would do. ``pick`` is what is picked on the board instead, where its squares light up; ``cell`` are
    the classes of what lies over the square ``place``.
    """

    label: Text
    do: str
    plan: bool = False
    cell: str = ""
    place: str = ""
    main: bool = False
    pick: str = ""


class Ways(msgspec.Struct, frozen=True):
    """Show where one offer leads on a board: ``do`` is what is settled of it, ``field`` names what the place settles.

    ``places`` are squares that are chosen by their own name, ``named`` the options that have a value or words of their
    own. ``tone`` is ``go`` or ``fight``; ``plan`` sends each way to be looked at first.
    """

    label: Text
    do: str
    field: str
    tone: str
    plan: bool
    places: tuple[str, ...]
    named: tuple[Option, ...] = ()
    barred: tuple[Option, ...] = ()

    @property
    def noted(self) -> bool:
        """Tell whether anything is noted of the named options."""
        return any(option.note for option in self.named)

    @property
    def named_at(self) -> list[str]:
        """Return where each named option stands."""
        return [option.place or option.value for option in self.named]


def doing(offer: Offer) -> str:
    """Write an action as a query string: its tag and what is given."""
    return urlencode({"action": offer.action, **_plain(offer.given)}, doseq=True)


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: int(value) if isinstance(value, bool) else value for name, value in given.items() if value is not None
    }


def looked_at(offer: Offer, chosen: int = 0) -> bool:
    """Tell whether an offer is looked at first: it has odds or advice, or more to choose than the fields ``chosen``."""
    return offer.chancy or offer.loose or bool(offer.advice) or len(offer.fields) > chosen


def way_of(offer: Offer, pick: str = "") -> Way:
    """Make the one tap that an offer starts from; ``pick`` is what that picks on the board."""
    return Way(offer.label, doing(offer), looked_at(offer), main=offer.main, pick=pick)


def card_ways(offer: Offer, field: Field) -> tuple[Way, ...]:
    """Make the tap of each card that an offer may be done with."""
    begun = doing(offer)
    plan = looked_at(offer, 1)
    return tuple(
        Way(option.label, f"{begun}&{field.name}={quote_plus(option.value)}", plan, place=option.value, main=offer.main)
        for option in field.options
        if option.barred is None
    )


def _ways(offer: Offer, field: Field, places: Container[str], foes: Container[str | None]) -> Ways:
    free, named, barred = [], [], []
    for option in field.options:
        place = option.place or option.value
        if option.barred is not None:
            barred.append(option)
        elif place not in places:
            continue
        elif option.value == place and _only_names(option.label, place):
            free.append(place)
        else:
            named.append(option)
    fights = offer.chancy or any((option.place or option.value) in foes for option in named)
    tone, plan = "fight" if fights else "go", looked_at(offer, 1)
    return Ways(offer.label, doing(offer), field.name, tone, plan, tuple(free), tuple(named), tuple(barred))


def _only_names(label: Text, place: str) -> bool:
    """Tell whether a label is the name of a place and nothing else, in every language."""
    return label.say == place or (label.places.get(label.say[1:-1]) == place and f"{{{label.say[1:-1]}}}" == label.say)


def placed(offer: Offer) -> Field | None:
    """Find the first field of an offer that chooses a place on the board."""
    for field in offer.fields:
        if field.kind == "choice" and any(option.place for option in field.options):
            return field
    return None


def parted(
    offers: Iterable[Offer], places: Container[str], foes: Container[str | None]
) -> tuple[tuple[Ways, ...], tuple[Offer, ...]]:
    """Part offers into what is done by tapping a place, and the rest."""
    on_board, others = [], []
    for offer in offers:
        field = placed(offer)
        if field is None:
            others.append(offer)
            continue
        on_board.append(_ways(offer, field, places, foes))
    return tuple(on_board), tuple(others)

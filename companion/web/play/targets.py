"""What of an offer is done by one tap, on a card or on a square, and what has to be looked at first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from urllib.parse import quote_plus, urlencode

import msgspec

from companion.kit.action import Field, Offer
from companion.kit.questions import Option
from companion.kit.text import Text, say


class Tap(msgspec.Struct, frozen=True):
    """One thing that can be done by one tap: ``do`` is the action as a query string.

    ``plan`` sends it to be looked at first: because of its odds, or because something is left to choose. ``main`` is
    what most people would do. ``pick`` is what is picked on the board with it, where its squares light up, ``extra``
    what may be taken along then; ``cell`` are the classes of what lies over the square ``place``.
    """

    label: Text
    do: str
    plan: bool = False
    cell: str = ""
    place: str = ""
    main: bool = False
    pick: str = ""
    extra: Field | None = None


class Targets(msgspec.Struct, frozen=True):
    """Where one offer leads on a board: ``do`` is what is settled of it, ``field`` names what the place settles.

    ``places`` are squares that are chosen by their own name, ``named`` the options that have a value or words of their
    own. ``tone`` is ``go`` or ``fight``; ``plan`` sends each target to be looked at first, else those with a risk.
    ``apart`` are those that no tap on the board chooses: the squares of one's own pieces, which a tap picks, and what
    the game keeps aside. ``hopeless`` are those that can not succeed.
    """

    label: Text
    do: str
    field: str
    tone: str
    plan: bool
    places: Sequence[str]
    named: Sequence[Option] = ()
    barred: Sequence[Option] = ()
    apart: Sequence[Option] = ()
    hopeless: Sequence[Option] = ()

    def query(self, option: Option) -> str:
        """Write what one option of it does as a query string."""
        return _chosen(self.do, self.field, option)

    @property
    def squares(self) -> set[str]:
        """List every square that it leads to."""
        return {*self.places, *(option.at for option in (*self.named, *self.apart, *self.hopeless))}


def action_query(offer: Offer) -> str:
    """Write an action as a query string: its tag and what is given."""
    given = {name: value for name, value in offer.given.items() if value is not None}
    sent = {name: int(value) if isinstance(value, bool) else value for name, value in given.items()}
    return urlencode({"action": offer.action, **sent}, doseq=True)


def _chosen(query: str, field: str, option: Option) -> str:
    return f"{query}&{field}={quote_plus(option.value)}"


def offer_id(offer: Offer) -> str:
    """Name an offer by what it does, as an identifier of a page: it is another one where another thing is done."""
    return "-".join(re.findall(r"[A-Za-z0-9_.]+", action_query(offer)))


def needs_plan(offer: Offer, chosen: int = 0) -> bool:
    """Tell whether an offer is looked at first: it has odds or advice, or more to choose than the fields ``chosen``."""
    advised = bool(offer.advice) or any(option.advice for field in offer.fields for option in field.options)
    return offer.chancy or offer.loose or advised or len(offer.fields) > chosen


def extra_field(offer: Offer) -> Field | None:
    """Find what a card that goes to the board may take along: its one other field, of which nothing need be chosen."""
    others = [field for field in offer.fields if field is not place_field(offer)]
    return others[0] if len(others) == 1 and others[0].kind == "many" and not others[0].value else None


def without_extra(offer: Offer) -> Offer:
    """Leave out what is chosen at the card itself: a tap on a square does the rest."""
    extra = extra_field(offer)
    if extra is None:
        return offer
    return msgspec.structs.replace(offer, fields=tuple(one for one in offer.fields if one is not extra), loose=False)


def card_taps(offer: Offer, field: Field) -> tuple[Tap, ...]:
    """Make the tap of each card that an offer may be done with."""
    query, plan, main = action_query(offer), needs_plan(offer, 1), offer.main
    cards = (option for option in field.options if option.barred is None)
    return tuple(
        Tap(card.label, _chosen(query, field.name, card), plan or card.risk is not None, place=card.value, main=main)
        for card in cards
    )


def _targets(
    offer: Offer, field: Field, places: Container[str], foes: Container[str | None], own: Mapping[str, Text]
) -> Targets:
    free, named, barred, apart, hopeless = [], [], [], [], []
    for option in field.options:
        place = option.at
        bare = option.value == place and _only_names(option.label, place)
        if option.barred is not None:
            barred.append(option)
        elif place not in places:
            continue
        elif option.hopeless is not None:
            hopeless.append(option)
        elif option.aside or place in own:
            words = say("{piece} {square}", piece=own[place], square=place) if bare and place in own else option.label
            apart.append(msgspec.structs.replace(option, label=words))
        elif bare and option.risk is None:
            free.append(place)
        else:
            named.append(option)
    tone = "fight" if offer.chancy or any(option.at in foes for option in named) else "go"
    query, plan = action_query(offer), not offer.at_once and needs_plan(offer, 1)
    return Targets(offer.label, query, field.name, tone, plan, free, named, barred, apart, hopeless)


def _only_names(label: Text, place: str) -> bool:
    return label.say == place or (label.places.get(label.say[1:-1]) == place and f"{{{label.say[1:-1]}}}" == label.say)


def place_field(offer: Offer) -> Field | None:
    """Find the first field of an offer that chooses a place on the board."""
    choices = (field for field in offer.fields if field.kind == "choice")
    return next((field for field in choices if any(option.place for option in field.options)), None)


def split_by_place(
    offers: Iterable[Offer], places: Container[str], foes: Container[str | None], own: Mapping[str, Text]
) -> tuple[tuple[Targets, ...], tuple[Offer, ...]]:
    """Split offers into what is done by tapping a place, and the rest.

    ``own`` says what stands on the squares of the seat's other pieces, for an offer that starts from a piece.
    """
    fields = [(offer, place_field(offer)) for offer in offers]
    on_board = (_targets(offer, field, places, foes, own) for offer, field in fields if field is not None)
    return tuple(on_board), tuple(offer for offer, field in fields if field is None)

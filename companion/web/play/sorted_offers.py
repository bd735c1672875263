"""What a seat is offered, sorted by what it starts from: seats that are shown and offered the same share it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import Any, NamedTuple

from companion.kit.action import Field, Offer
from companion.kit.panels import Board, Hand, Panel, Roster, Tableau, Tracker
from companion.table.view_models import Seen
from companion.web.play.listed import RowWithSteps
from companion.web.play.targets import (
    Tap,
    action_query,
    card_taps,
    extra_field,
    needs_plan,
    offer_id,
    place_field,
    without_extra,
)


class SortedOffers(NamedTuple):
    """Hold offers by what they start from, and ``cards`` by what each card of a hand can do.

    ``on_pieces`` start from pieces on a board, ``on_rosters`` from those that are only listed or lie in a zone,
    ``on_trackers`` from a tracker, one of its lines or a zone, ``on_hands`` from cards. ``loose`` start from no piece
    and end on a board: from cards, or ``free``; ``rest`` from nothing on the page. ``order`` is the action that puts
    trackers in another order. ``pieces`` are all pieces that are shown. ``steps`` are lines of trackers with what
    starts from them, as they were asked for.
    """

    on_pieces: Mapping[str, Sequence[Offer]]
    on_rosters: Mapping[str, Sequence[Offer]]
    on_trackers: Mapping[str, Sequence[Offer]]
    on_hands: Mapping[str, Sequence[Offer]]
    loose: Mapping[str, Sequence[Offer]]
    cards: Mapping[str, Sequence[Tap]]
    rest: Sequence[Offer]
    order: str
    pieces: frozenset[str]
    steps: dict[Any, tuple[RowWithSteps, ...]]


class SharedSorting:
    """Sorts what several seats are offered at one moment: once for all that see the very same panels."""

    def __init__(self) -> None:
        self._known: list[tuple[Seen, SortedOffers]] = []

    def sort(self, seen: Seen) -> SortedOffers:
        """Sort what a seat is offered, unless it was for another one."""
        for other, known in self._known:
            if _same_panels(seen, other) and seen.offers == other.offers:
                return known
        known = sort_offers(seen.view.panels, seen.offers)
        self._known.append((seen, known))
        return known


def _same_panels(one: Seen, other: Seen) -> bool:
    """Tell whether two seats see the very same panels: to compare what is in them takes as long as to sort."""
    ours, theirs = one.view.panels, other.view.panels
    return len(ours) == len(theirs) and all(map(is_, ours, theirs))


def sort_offers(panels: Sequence[Panel], offers: Iterable[Offer]) -> SortedOffers:
    """Sort offers by what they start from among some panels."""
    boards = [panel for panel in panels if isinstance(panel, Board)]
    on_board = {piece.id for board in boards for piece in board.pieces if piece.square}
    listed = {piece.id for panel in panels if isinstance(panel, Roster) for piece in panel.pieces}
    zones = [zone for panel in panels if isinstance(panel, Tableau) for zone in panel.zones]
    listed |= {piece.id for zone in zones for piece in zone.pieces}
    hand = {card.code for panel in panels if isinstance(panel, Hand) and not panel.id for card in panel.cards}
    tracked = {panel.id for panel in panels if isinstance(panel, Tracker)} | {zone.id for zone in zones}
    tracked |= {row.id for panel in panels if isinstance(panel, Tracker) for row in panel.rows}
    hands = {panel.id for panel in panels if isinstance(panel, Hand) and panel.id}
    on_pieces, on_rosters, on_trackers, on_hands = (defaultdict[str, list[Offer]](list) for _ in range(4))
    loose, cards = defaultdict[str, list[Offer]](list, free=[]), defaultdict[str, list[Tap]](list)
    order, rest = "", []
    for offer in _first_of_each(offers):
        to_board = bool(boards) and place_field(offer) is not None
        card_field = _card_field(offer, hand) if hand else None
        if offer.on in on_board:
            on_pieces[offer.on].append(offer)
        elif offer.on in listed:
            on_rosters[offer.on].append(offer)
        elif offer.fields and any(field.kind == "order" for field in offer.fields):
            order = action_query(offer)
        elif offer.on in tracked:
            on_trackers[offer.on].append(offer)
        elif offer.on in hands:
            on_hands[offer.on].append(offer)
        elif offer.on in hand:
            pick = f"card-{offer.on}"
            picked = f"pick-{pick}-{offer_id(offer)}" if to_board else ""
            extra = extra_field(offer) if to_board else None
            tap = Tap(offer.label, action_query(offer), needs_plan(offer), main=offer.main, pick=picked, extra=extra)
            cards[offer.on].append(tap)
            loose[pick] += [without_extra(offer)] if to_board else []
        elif card_field is not None:
            for tap in card_taps(offer, card_field):
                cards[tap.place].append(tap)
        elif to_board and not offer.aside:
            loose["free"].append(offer)
        else:
            rest.append(offer)
    pieces = frozenset(on_board | listed)
    return SortedOffers(on_pieces, on_rosters, on_trackers, on_hands, loose, cards, rest, order, pieces, {})


def _first_of_each(offers: Iterable[Offer]) -> Iterator[Offer]:
    """Leave out the siblings of an offer that is told from them by a choice: that is made when it is planned."""
    siblings = []
    for offer in offers:
        if offer.among is None:
            yield offer
            continue
        sibling = (offer.action, offer.on, offer.label)
        if sibling not in siblings:
            siblings.append(sibling)
            yield offer


def _card_field(offer: Offer, hand: set[str]) -> Field | None:
    """Find the one field of an offer that chooses among the cards of the hand."""
    choices = (field for field in offer.fields if field.kind == "choice" and field.options)
    return next((field for field in choices if {option.value for option in field.options} <= hand), None)

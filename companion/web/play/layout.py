"""What a seat sees, sorted for its page by where it starts: a piece on the board, a card in the hand, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.kit.asking import Choose
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.offer import Field, Offer
from companion.kit.panels import COLOURS, Board, Card, Hand, Panel, Roster, Tableau, Tracker
from companion.kit.text import Text, say
from companion.table.seat_view import Person, Seen
from companion.web.play.board import BoardShown, Pick, lay_out, marked
from companion.web.play.targets import Way, card_ways, doing, named, placed, way_of


class Shown(msgspec.Struct, frozen=True):
    """Show what a seat sees: ``panels`` with their kind, in reading order; ``cards`` what each card of a hand can do.

    ``offers`` start from nothing on the page, ``on_rosters`` from pieces that are only listed or lie in a zone,
    ``free`` are picks that start from no piece. ``colours`` and ``roles`` of the seats are by seat. ``marks`` are the
    pieces that the pending question is about: ``acting`` or ``target``. ``on_trackers`` start from a tracker, one of
    its lines or a zone; ``order`` is the action that puts them in another order. ``on_hands`` start from cards, one or
    several at once.
    """

    seen: Seen
    panels: tuple[tuple[str, Panel | BoardShown], ...]
    cards: Mapping[str, tuple[Way, ...]]
    on_rosters: Mapping[str, tuple[Offer, ...]]
    offers: tuple[Offer, ...]
    free: tuple[Pick, ...]
    colours: Mapping[str, str]
    roles: Mapping[str, Text]
    marks: Mapping[str, str]
    on_trackers: Mapping[str, tuple[Offer, ...]]
    order: str = ""
    on_hands: Mapping[str, tuple[Offer, ...]] = {}

    @property
    def mine(self) -> bool:
        """Tell whether the table waits for this seat."""
        return self.seen.asked is not None or bool(self.seen.offers and self.seen.seat in self.seen.view.to_move)


def show(seen: Seen) -> Shown:
    """Sort what a seat sees for its page."""
    panels = seen.view.panels
    marks = dict(mark for reason in seen.story for mark in reason.marks)
    boards = {at: marked(panel, marks) for at, panel in enumerate(panels) if isinstance(panel, Board)}
    on_board = {piece.id: at for at, board in boards.items() for piece in board.pieces if piece.square}
    listed = {piece.id for panel in panels if isinstance(panel, Roster) for piece in panel.pieces}
    zones = [zone for panel in panels if isinstance(panel, Tableau) for zone in panel.zones]
    listed |= {piece.id for zone in zones for piece in zone.pieces}
    hand = {card.code for card in _hand(panels)}
    trackers = {panel.id for panel in panels if isinstance(panel, Tracker)}
    trackers |= {row.id for panel in panels if isinstance(panel, Tracker) for row in panel.rows}
    trackers |= {zone.id for zone in zones}
    hands = {panel.id for panel in panels if isinstance(panel, Hand) and panel.id}
    sorted_out = _Sorted()
    for offer in _first_of_each(seen.offers):
        carded = _carded(offer, hand)
        if offer.on in on_board:
            sorted_out.by_piece.setdefault(offer.on, []).append(offer)
        elif offer.on in listed:
            sorted_out.rosters.setdefault(offer.on, []).append(offer)
        elif any(field.kind == "order" for field in offer.fields):
            sorted_out.order = doing(offer)
        elif offer.on in trackers:
            sorted_out.trackers.setdefault(offer.on, []).append(offer)
        elif offer.on in hands:
            sorted_out.hands.setdefault(offer.on, []).append(offer)
        elif offer.on in hand:
            put = sorted_out.put.setdefault(f"card-{offer.on}", [])
            to_board = bool(boards) and placed(offer) is not None
            pick = f"pick-card-{offer.on}-{named(offer)}" if to_board else ""
            sorted_out.cards.setdefault(offer.on, []).append(way_of(offer, pick))
            put += [offer] if to_board else []
        elif carded is not None:
            for way in card_ways(offer, carded):
                sorted_out.cards.setdefault(way.place, []).append(way)
        elif boards and placed(offer) is not None and not offer.aside:
            sorted_out.loose.append(offer)
        else:
            sorted_out.rest.append(offer)
    question = seen.asked.question if seen.asked else None
    choose = question if isinstance(question, Choose) else None
    first = min(boards, default=-1)
    shown = {
        at: lay_out(
            board,
            sorted_out.by_piece,
            {"free": sorted_out.loose, **sorted_out.put} if at == first else {},
            choose,
            seen.seat,
        )
        for at, board in boards.items()
    }
    return Shown(
        seen,
        tuple((_tag(panel), shown.get(at, panel)) for at, panel in enumerate(panels)),
        {code: tuple(ways) for code, ways in sorted_out.cards.items()},
        {piece: tuple(offers) for piece, offers in sorted_out.rosters.items()},
        tuple(sorted_out.rest),
        tuple(pick for pick in (shown[first].picks if boards else ()) if pick.id.startswith("free-")),
        colours(seen.people),
        {person.seat: _called(person) for person in seen.people},
        marks,
        {name: tuple(offers) for name, offers in sorted_out.trackers.items()},
        sorted_out.order,
        {name: tuple(offers) for name, offers in sorted_out.hands.items()},
    )


def _called(person: Person) -> Text:
    """Return what a seat is called; where seats are alike, the name of whoever sits there says more."""
    return say("{name}", name=person.name) if person.alike and person.name else person.role


def colours(people: Iterable[Person]) -> dict[str, str]:
    """Give each seat of a game its colour: that of its role, else the one it is called by, else one that is left."""
    playing = [person for person in people if person.seat not in {RULEKEEPER, SCREEN}]
    known = {one.seat: one.colour or one.seat for one in playing if one.colour or one.seat in COLOURS}
    left = [colour for colour in COLOURS if colour not in known.values()]
    return {one.seat: known.get(one.seat) or (left.pop(0) if left else "other") for one in playing}


def _first_of_each(offers: Iterable[Offer]) -> Iterator[Offer]:
    """Leave out the siblings of an offer that is told from them by a choice: that is made when it is planned."""
    families = []
    for offer in offers:
        family = (offer.action, offer.on, offer.label)
        if offer.among is None:
            yield offer
        elif family not in families:
            families.append(family)
            yield offer


def _tag(panel: Panel) -> str:
    if isinstance(panel, Hand) and panel.id:
        return "spread"
    return str(panel.__struct_config__.tag)


class _Sorted:
    """Hold offers by what they start from."""

    def __init__(self) -> None:
        self.by_piece: dict[str, list[Offer]] = {}
        self.rosters: dict[str, list[Offer]] = {}
        self.cards: dict[str, list[Way]] = {}
        self.trackers: dict[str, list[Offer]] = {}
        self.hands: dict[str, list[Offer]] = {}
        self.order = ""
        self.loose: list[Offer] = []
        self.put: dict[str, list[Offer]] = {}
        self.rest: list[Offer] = []


def _hand(panels: Iterable[Panel]) -> Iterable[Card]:
    return (card for panel in panels if isinstance(panel, Hand) and not panel.id for card in panel.cards)


def _carded(offer: Offer, hand: set[str]) -> Field | None:
    """Find the one field of an offer that chooses among the cards of the hand."""
    for field in offer.fields:
        if field.kind == "choice" and field.options and {option.value for option in field.options} <= hand:
            return field
    return None

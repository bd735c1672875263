"""What a seat sees, sorted for its page by where it starts: a piece on the board, a card in the hand, or neither."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote_plus, urlencode

import msgspec

from companion.kit.asking import Choose, Option
from companion.kit.game import RULEKEEPER, SCREEN, Field, Offer
from companion.kit.panels import COLOURS, Board, Card, Hand, Panel, Piece, Roster
from companion.kit.text import Text
from companion.table.seen import Seen

Places = Mapping[str, tuple[int, int]]


class Way(msgspec.Struct, frozen=True):
    """Show one thing that can be done by one tap: ``do`` is the action as a query string.

    ``plan`` sends it to be looked at first: because of its odds, or because something is left to choose. ``main`` is
    what most people would do.
    """

    label: Text
    do: str
    plan: bool = False
    column: int = 0
    row: int = 0
    place: str = ""
    main: bool = False


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


class Pick(msgspec.Struct, frozen=True):
    """Show what can be picked: a piece where it stands, or an offer of its own (no ``piece``) that is sent to a place.

    ``on_board`` is what it may do on the board, ``others`` what else; a piece that may do nothing is picked to learn
    what it is. ``own`` pieces are the seat's, ``foes`` are the squares of those that it fights with.
    """

    id: str
    name: Text
    piece: Piece | None
    column: int
    row: int
    on_board: tuple[Ways, ...] = ()
    others: tuple[Offer, ...] = ()
    own: bool = False
    foes: tuple[str, ...] = ()

    @property
    def acts(self) -> bool:
        """Tell whether there is anything that it may do."""
        return bool(self.on_board or self.others)


class BoardShown(msgspec.Struct, frozen=True):
    """Show a board: squares as (column, row) from the top left, 1-based, in the seat's own view of it."""

    board: Board
    columns: int
    rows: int
    places: Mapping[str, tuple[int, int]]
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    picks: tuple[Pick, ...]
    answers: tuple[Way, ...]

    @property
    def linked(self) -> Mapping[str, list[str]]:
        """List for each square those that its piece fights with, in the order of the links."""
        return _linked(self.board)

    @property
    def legend(self) -> tuple[tuple[str, Text], ...]:
        """List the signs that are on the board now, with what they mean."""
        now = {sign for piece in self.board.pieces for sign in piece.signs}
        return tuple((sign, words) for sign, words in self.board.legend if sign in now)


class Shown(msgspec.Struct, frozen=True):
    """Show what a seat sees: ``panels`` with their kind, in reading order; ``cards`` what each card of a hand can do.

    ``offers`` start from nothing on the page, ``on_rosters`` from pieces that are only listed, ``free`` are picks that
    start from no piece. ``colours`` and ``roles`` of the seats are by seat. ``marks`` are the pieces that the pending
    question is about: ``acting`` or ``target``.
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

    @property
    def mine(self) -> bool:
        """Tell whether the table waits for this seat."""
        return self.seen.asked is not None or bool(self.seen.offers and self.seen.seat in self.seen.view.to_move)


def show(seen: Seen) -> Shown:
    """Sort what a seat sees for its page."""
    panels = seen.view.panels
    marks = dict(mark for reason in seen.story for mark in reason.marks)
    boards = {at: _marked(panel, marks) for at, panel in enumerate(panels) if isinstance(panel, Board)}
    on_board = {piece.id: at for at, board in boards.items() for piece in board.pieces if piece.square}
    listed = {piece.id for panel in panels if isinstance(panel, Roster) for piece in panel.pieces}
    hand = {card.code for card in _hand(panels)}
    sorted_out = _Sorted()
    for offer in _first_of_each(seen.offers):
        carded = _carded(offer, hand)
        if offer.on in on_board:
            sorted_out.by_piece.setdefault(offer.on, []).append(offer)
        elif offer.on in listed:
            sorted_out.rosters.setdefault(offer.on, []).append(offer)
        elif offer.on in hand:
            sorted_out.cards.setdefault(offer.on, []).append(_way(offer))
        elif carded is not None:
            for way in _card_ways(offer, carded):
                sorted_out.cards.setdefault(way.place, []).append(way)
        elif boards and _placed(offer) is not None:
            sorted_out.loose.append(offer)
        else:
            sorted_out.rest.append(offer)
    question = seen.asked.question if seen.asked else None
    choose = question if isinstance(question, Choose) else None
    first = min(boards, default=-1)
    shown = {at: _board(board, sorted_out, choose, seen.seat, first=at == first) for at, board in boards.items()}
    return Shown(
        seen,
        tuple((_tag(panel), shown.get(at, panel)) for at, panel in enumerate(panels)),
        {code: tuple(ways) for code, ways in sorted_out.cards.items()},
        {piece: tuple(offers) for piece, offers in sorted_out.rosters.items()},
        tuple(sorted_out.rest),
        tuple(pick for pick in (shown[first].picks if boards else ()) if pick.piece is None),
        colours(person.seat for person in seen.people),
        {person.seat: person.role for person in seen.people},
        marks,
    )


def colours(seats: Iterable[str]) -> dict[str, str]:
    """Give each seat of a game its colour: the one that it is called by, else one that is left."""
    playing = [seat for seat in seats if seat not in {RULEKEEPER, SCREEN}]
    left = [colour for colour in COLOURS if colour not in playing]
    return {seat: seat if seat in COLOURS else left.pop(0) if left else "other" for seat in playing}


def _marked(board: Board, marks: Mapping[str, str]) -> Board:
    """Mark what a pending question is about instead of what was done last."""
    if not marks:
        return board
    found = tuple((piece.square, marks[piece.id]) for piece in board.pieces if piece.square and piece.id in marks)
    return msgspec.structs.replace(board, tint=found)


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
    return str(panel.__struct_config__.tag)


class _Sorted:
    """Hold offers by what they start from."""

    def __init__(self) -> None:
        self.by_piece: dict[str, list[Offer]] = {}
        self.rosters: dict[str, list[Offer]] = {}
        self.cards: dict[str, list[Way]] = {}
        self.loose: list[Offer] = []
        self.rest: list[Offer] = []


def _hand(panels: Iterable[Panel]) -> Iterable[Card]:
    return (card for panel in panels if isinstance(panel, Hand) for card in panel.cards)


def _carded(offer: Offer, hand: set[str]) -> Field | None:
    """Find the one field of an offer that chooses among the cards of the hand."""
    for field in offer.fields:
        if field.kind == "choice" and field.options and {option.value for option in field.options} <= hand:
            return field
    return None


def _placed(offer: Offer) -> Field | None:
    """Find the first field of an offer that chooses a place on the board."""
    for field in offer.fields:
        if field.kind == "choice" and any(option.place for option in field.options):
            return field
    return None


def doing(offer: Offer) -> str:
    """Write an action as a query string: its tag and what is given."""
    return urlencode({"action": offer.action, **_plain(offer.given)}, doseq=True)


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: int(value) if isinstance(value, bool) else value for name, value in given.items() if value is not None
    }


def _way(offer: Offer) -> Way:
    return Way(offer.label, doing(offer), offer.chancy or bool(offer.fields), main=offer.main)


def _card_ways(offer: Offer, field: Field) -> tuple[Way, ...]:
    begun = doing(offer)
    plan = offer.chancy or len(offer.fields) > 1
    return tuple(
        Way(option.label, f"{begun}&{field.name}={quote_plus(option.value)}", plan, place=option.value, main=offer.main)
        for option in field.options
        if option.barred is None
    )


def _ways(offer: Offer, field: Field, places: Places, foes: Container[str | None]) -> Ways:
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
    tone, plan = "fight" if fights else "go", offer.chancy or len(offer.fields) > 1 or bool(offer.advice)
    return Ways(offer.label, doing(offer), field.name, tone, plan, tuple(free), tuple(named), tuple(barred))


def _only_names(label: Text, place: str) -> bool:
    """Tell whether a label is the name of a place and nothing else, in every language."""
    return label.say == place or (label.places.get(label.say[1:-1]) == place and f"{{{label.say[1:-1]}}}" == label.say)


def _linked(board: Board) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, other in board.links:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def _board(board: Board, offers: _Sorted, question: Choose | None, seat: str, *, first: bool) -> BoardShown:
    files = board.files[::-1] if board.turned else board.files
    ranks = board.ranks if board.turned else board.ranks[::-1]
    places = {file + rank: (column, row) for row, rank in enumerate(ranks, 1) for column, file in enumerate(files, 1)}
    held = {piece.square: piece.side for piece in board.pieces}
    fights = _linked(board)

    def pick(piece: Piece) -> Pick:
        assert piece.square is not None
        foes = [at for at, side in held.items() if side != piece.side]
        on_board, others = _sent(offers.by_piece.get(piece.id, ()), places, foes)
        return Pick(piece.id, piece.name, piece, *places[piece.square], on_board, others,
                    piece.side == seat, tuple(fights.get(piece.square, ())))  # fmt: skip

    standing = [piece for piece in board.pieces if piece.square in places]
    picks = [pick(piece) for piece in standing if piece.id in offers.by_piece]
    if first:
        picks += [
            Pick(f"free-{at}", offer.label, None, 0, 0, *_sent([offer], places, ()))
            for at, offer in enumerate(offers.loose)
        ]
    picks += [pick(piece) for piece in standing if piece.id not in offers.by_piece]
    answers = tuple(
        Way(option.label, option.value, place=option.place, column=places[option.place][0], row=places[option.place][1])
        for option in (question.options if question else ())
        if option.place in places and option.barred is None
    )
    return BoardShown(board, len(files), len(ranks), places, files, ranks, tuple(picks), answers)


def _sent(
    offers: Iterable[Offer], places: Places, foes: Container[str | None]
) -> tuple[tuple[Ways, ...], tuple[Offer, ...]]:
    """Part offers into what is done by tapping a place, and the rest."""
    on_board, others = [], []
    for offer in offers:
        field = _placed(offer)
        if field is None:
            others.append(offer)
            continue
        on_board.append(_ways(offer, field, places, foes))
    return tuple(on_board), tuple(others)

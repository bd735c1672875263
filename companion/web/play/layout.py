"""What a seat sees, sorted for its page by where it starts: a piece on the board, a card in the hand, or neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import msgspec

from companion.kit.action import Offer
from companion.kit.counts import cards_left, units_left
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import COLOURS, Board, Hand, Panel, Piece, Tracker, Zone
from companion.kit.text import Text, say
from companion.table.ending import Ending
from companion.table.pictures import seen_in
from companion.table.view_models import Line, Person, Seen
from companion.web.play.board import BoardView, Pick, board_view, mark_board
from companion.web.play.clash import ClashView, clash_view, roll
from companion.web.play.listed import Apart, Lying, PieceWithWays, RowWithSteps, lying
from companion.web.play.rails import Rail, own_values, rails
from companion.web.play.sorted_offers import SharedSorting, SortedOffers
from companion.web.play.targets import Tap, needs_plan
from companion.web.play.turn import WhoseTurn, names, whose_turn


class Layout(msgspec.Struct, frozen=True, dict=True):
    """What a seat sees, sorted for its page: ``panels`` with their kind, in reading order.

    ``cards`` are what each card of a hand can do. ``offers`` start from nothing on the page, ``on_rosters`` from pieces
    that are only listed or lie in a zone, ``free`` are picks that start from no piece. ``colours`` and ``roles`` of the
    seats are by seat. ``marks`` are the pieces that the pending question is about: ``acting`` or ``target``.
    ``on_trackers`` start from a tracker, one of its lines or a zone; ``order`` is the action that puts them in another
    order. ``on_hands`` start from cards, one or several at once. ``primary`` is the one next step, None where there is
    none or where there are several. ``left`` is what is left to do, by the offer that would end it. ``turn`` is whose
    turn it is, ``ending`` how the game ended, once it has. ``known_steps`` are lines of trackers with what starts from
    them, shared by whoever is shown and offered the same. Of what is ``past`` nothing can be corrected.
    """

    seen: Seen
    panels: tuple[tuple[str, Panel | BoardView], ...]
    cards: Mapping[str, Sequence[Tap]]
    on_rosters: Mapping[str, Sequence[Offer]]
    offers: Sequence[Offer]
    free: tuple[Pick, ...]
    colours: Mapping[str, str]
    roles: Mapping[str, Text]
    marks: Mapping[str, str]
    on_trackers: Mapping[str, Sequence[Offer]]
    turn: WhoseTurn
    order: str = ""
    on_hands: Mapping[str, Sequence[Offer]] = {}
    primary: Offer | None = None
    left: Sequence[tuple[Offer, Text]] = ()
    ending: Ending | None = None
    known_steps: dict[Any, tuple[RowWithSteps, ...]] = {}
    past: bool = False

    @cached_property
    def names(self) -> Mapping[str, Text]:
        """Call who sits at the table as the head of the page does."""
        return names(self.seen.people)

    @cached_property
    def photos(self) -> frozenset[str]:
        """Name the pictures of people's own that the seat sees."""
        return seen_in(self.seen)

    @property
    def printing(self) -> list[str]:
        """Name the trackers of which the seat may print the cards."""
        return [panel.id for panel in self.seen.view.panels if isinstance(panel, Tracker) and panel.prints]

    def is_primary(self, offer: Offer) -> bool:
        """Tell whether an offer is what most people would do next: no two of a page are."""
        return offer is self.primary

    def left_with(self, offer: Offer) -> Text | None:
        """Say what is left to do that an offer would end; None where that is nothing."""
        return next((words for ending, words in self.left if ending is offer), None)

    @cached_property
    def _apart(self) -> frozenset[int]:
        """Return the identities of all offers that look another way than they would alone."""
        return frozenset(id(offer) for offer in (self.primary, *(ending for ending, _ in self.left)))

    def apart(self, offers: Sequence[Offer]) -> tuple[Apart, ...]:
        """List which of some offers look another way than they would alone."""
        if self._apart.isdisjoint(map(id, offers)):
            return ()
        marked = (Apart(at, self.is_primary(offer), self.left_with(offer)) for at, offer in enumerate(offers))
        return tuple(one for one in marked if one.primary or one.left is not None)

    def with_ways(self, pieces: Iterable[Piece]) -> tuple[PieceWithWays, ...]:
        """List pieces that are only listed or lie in a zone, each with what starts from it and its mark."""
        known = self._with_ways.get(id(pieces))
        if known is None:
            known = self._with_ways[id(pieces)] = pieces, tuple(self._piece_with_ways(piece) for piece in pieces)
        return known[1]

    def _piece_with_ways(self, piece: Piece) -> PieceWithWays:
        ways = self.on_rosters.get(piece.id, ())
        return PieceWithWays(piece, ways, self.marks.get(piece.id, ""), self.apart(ways))

    @cached_property
    def _with_ways(self) -> dict[int, tuple[Iterable[Piece], tuple[PieceWithWays, ...]]]:
        """Remember what was listed, with what it was listed for: each language asks for the same."""
        return {}

    @cached_property
    def own(self) -> str:
        """Return the seat whose own the pieces of its colour are: none for who only looks on."""
        return self.seen.seat if self.seen.seat in self.colours else ""

    def lying(self, zone: Zone) -> Lying:
        """Sort what lies in a zone; of whoever has no side all is looked at alike."""
        known = self._lying.get(id(zone))
        if known is None:
            known = self._lying[id(zone)] = zone, lying(zone, self.with_ways(zone.pieces), self.own, self.on_trackers)
        return known[1]

    @cached_property
    def _lying(self) -> dict[int, tuple[Zone, Lying]]:
        """Remember what was sorted, as each language asks for the same."""
        return {}

    def with_steps(self, panel: Tracker) -> tuple[RowWithSteps, ...]:
        """List the lines of a tracker, each with what starts from it there: not what stands at the foot."""
        foot, starting = self.at_foot, self.on_trackers
        asked = id(panel), id(foot), self._apart
        if asked not in self.known_steps:
            rows = ((row, starting.get(row.id, ())) for row in panel.rows)
            if foot is not None:
                rows = ((row, [offer for offer in offers if offer is not foot]) for row, offers in rows)
            self.known_steps[asked] = tuple(RowWithSteps(row, offers, self.apart(offers)) for row, offers in rows)
        return self.known_steps[asked]

    @cached_property
    def by_kind(self) -> Mapping[str, Sequence[Any]]:
        """List the panels of each kind, in reading order."""
        kinds = defaultdict[str, list[Panel | BoardView]](list)
        for kind, panel in self.panels:
            kinds[kind].append(panel)
        return kinds

    @cached_property
    def clash(self) -> ClashView | None:
        """Draw the clash that is under way, else that of the newest ruling."""
        return clash_view(self.seen)

    @cached_property
    def roll(self) -> str:
        """Tell the newest roll from others."""
        return roll(self.seen)

    @property
    def dice_alone(self) -> Line | None:
        """Return the newest ruling where that is a roll by itself: dice, nobody whom they strike, and no name."""
        last = self.seen.last
        if last is None or self.clash is not None or not any(reason.faces for reason in last.reasons):
            return None
        about = any(reason.duel or reason.marks or reason.harm for reason in last.reasons)
        named = any(isinstance(place, Text) for place in last.headline.places.values())
        return None if about or named else last

    @cached_property
    def rails(self) -> tuple[Rail, Rail] | None:
        """Tell how both sides of a board stand: above it, and beneath it."""
        return rails(self.seen, self.panels)

    @cached_property
    def own_values(self) -> tuple[Text, ...]:
        """List what its reader has to spend or to lose, where that is counted out of sight."""
        return own_values(self.seen, self.panels)

    @cached_property
    def at_foot(self) -> Offer | None:
        """Find the next step that starts from a tracker: one tap at the foot does it, however long the table is."""
        one = self.primary
        if one is None or one.on is None or one.fields or needs_plan(one):
            return None
        return one if any(other is one for other in self.on_trackers.get(one.on, ())) else None

    @cached_property
    def foot_of(self) -> tuple[str, Text] | None:
        """Tell from which tracker the next step at the foot starts, and what that or its line is called."""
        foot = self.at_foot
        for panel in self.by_kind["tracker"] if foot is not None else ():
            for id_, name in ((panel.id, panel.title), *((row.id, row.name) for row in panel.rows)):
                if any(offer is foot for offer in self.on_trackers.get(id_, ())):
                    return panel.id, name
        return None

    @cached_property
    def steps(self) -> list[Offer]:
        """List the offers that bring the game on: what ends something keeps its place among them, primary or not."""
        return [offer for offer in self.offers if offer.main or (offer.ends and not offer.aside)]

    @cached_property
    def grave(self) -> list[Offer]:
        """List the offers that are not to be tapped by a slip."""
        return [offer for offer in self.offers if offer.grave]

    @cached_property
    def answering(self) -> Sequence[str]:
        """List the seats that have to answer something."""
        asked = (self.seen.asked.seat,) if self.seen.asked else ()
        return (*asked, *(waited.seat for waited in self.seen.waiting))

    @cached_property
    def is_open(self) -> bool:
        """Tell whether a seat is free."""
        return not all(person.taken for person in self.seen.people)

    @cached_property
    def signs(self) -> tuple[tuple[str, Text], ...]:
        """List the signs that are in tableaus, with what they mean."""
        return tuple(sign for panel in self.by_kind["tableau"] for sign in panel.legend)

    @cached_property
    def corrects(self) -> bool:
        """Tell whether corrections begin at pieces: not for who only looks on."""
        return not (self.past or self.seen.seat == SCREEN or self.seen.ended or self.seen.view.over)

    @property
    def waits(self) -> bool:
        """Tell whether corrections wait for an answer."""
        return self.corrects and bool(self.seen.waiting)

    @property
    def awaited(self) -> bool:
        """Tell whether the table waits for this seat."""
        return self.seen.asked is not None or bool(self.seen.offers and self.seen.seat in self.seen.view.to_move)


def lay_out(seen: Seen, ending: Ending | None = None, sorting: SharedSorting | None = None) -> Layout:
    """Sort what a seat sees for its page, with how the game ended; ``sorting`` is shared with others who look at it."""
    panels = seen.view.panels
    offered = (sorting or SharedSorting()).sort(seen)
    marks = dict(mark for reason in seen.story for mark in reason.marks)
    boards = {at: mark_board(panel, marks) for at, panel in enumerate(panels) if isinstance(panel, Board)}
    question = seen.asked.question if seen.asked else None
    of_seats = colours(seen.people)
    first = min(boards, default=-1)
    views = {
        at: board_view(board, offered.on_pieces, offered.loose if at == first else {}, question, seen.seat, of_seats)
        for at, board in boards.items()
    }
    # Where seats are alike, the name of whoever sits there says more.
    roles = {
        person.seat: say("{name}", name=person.name) if person.alike and person.name else person.role
        for person in seen.people
    }
    with_kinds = tuple((_kind(panel), views.get(at, panel)) for at, panel in enumerate(panels))
    free = tuple(pick for pick in (views[first].picks if boards else ()) if pick.id.startswith("free-"))
    left = _left(seen.offers, offered)
    moves = seen.seat in {*seen.view.to_move, RULEKEEPER}
    return Layout(
        seen,
        with_kinds,
        offered.cards,
        offered.on_rosters,
        offered.rest,
        free,
        of_seats,
        roles,
        marks,
        offered.on_trackers,
        whose_turn(seen),
        offered.order,
        offered.on_hands,
        _primary(offered, left, moves=moves),
        left,
        ending,
        offered.steps,
    )


def _left(offers: Iterable[Offer], offered: SortedOffers) -> list[tuple[Offer, Text]]:
    """Say what is left to do beside each offer that ends something: what the game says, else how much can be done.

    Where one of them is the next step for the game, nothing that is left counts. A rulekeeper who plays for a seat has
    its cards before him as a list.
    """
    rest, free, pieces = offered.rest, offered.loose["free"], offered.pieces
    endings = [offer for offer in rest if offer.ends]
    said = [(offer, offer.left) for offer in endings if offer.left is not None]
    if said or not endings or any(offer.main for offer in endings):
        return said
    able = [offer for offer in offers if _able(offer)]
    listed = {offer.on for offer in (*rest, *free) if offer.on is not None and offer.on not in pieces and _able(offer)}
    words = cards_left(len(offered.cards)) or units_left(len({offer.on for offer in able if offer.on in pieces}))
    words = words or cards_left(len(listed))
    return [(offer, words) for offer in endings[:1] if words is not None]


def _able(offer: Offer) -> bool:
    """Tell whether something of use can be done with an offer, and does not end what can."""
    return not (offer.ends or offer.aside or offer.grave or offer.hopeless)


def _primary(offered: SortedOffers, left: Iterable[tuple[Offer, Text]], *, moves: bool) -> Offer | None:
    """Find the one next step: what would end what can still be done is none.

    Where a seat that ``moves`` can do nothing else, it is to end that.
    """
    kept = [ending for ending, _ in left]
    starting = chain(offered.rest, *offered.on_trackers.values())
    main = [offer for offer in starting if offer.main and not any(offer is ending for ending in kept)]
    if moves and not main and not kept:
        main = [offer for offer in offered.rest if offer.ends and not offer.aside]
    return main[0] if len(main) == 1 else None


def colours(people: Iterable[Person]) -> dict[str, str]:
    """Give each seat of a game its colour: that of its role, else the one it is called by, else one that is left."""
    playing = [person for person in people if person.seat not in {RULEKEEPER, SCREEN}]
    known = {person.seat: person.colour or person.seat for person in playing if person.colour or person.seat in COLOURS}
    left = [colour for colour in COLOURS if colour not in known.values()]
    return {person.seat: known.get(person.seat) or (left.pop(0) if left else "other") for person in playing}


def _kind(panel: Panel) -> str:
    return "spread" if isinstance(panel, Hand) and panel.id else str(panel.__struct_config__.tag)

"""What the shared screen shows, to be read from three metres: whose turn it is, what happened last, who is ahead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.kit.counts import number
from companion.kit.game import RULEKEEPER
from companion.kit.panels import Board, Card, Facts, Hand, Panel, Pile, Piles, Roster, Tableau, Tracker, Zone
from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.table.view_models import Line, Person, Seen
from companion.web.pages import part_newest
from companion.web.play.board import BoardView
from companion.web.play.clash import ClashView
from companion.web.play.layout import Layout
from companion.web.play.rails import main_piece

WIDE = 1.3
"""A board that is so many times as wide as it is high leaves room beneath."""
FEW_DICE, SOME_DICE = 4, 8
"""More dice than these are drawn smaller, so that all of them lie beside each other."""
NOTHING = number(0)


class Event(msgspec.Struct, frozen=True):
    """Hold what happened last: its headline, the throws and opposed dice, the card in play, what came of it.

    While somebody is waited for there is no headline yet: the newest lines of the story are what came of it. A
    ``clash`` shows its dice itself. ``roll`` tells the newest roll from others. ``hits``: the ruling tells what pieces
    suffered.
    """

    headline: Text | None
    entry: int
    roll: str
    throws: tuple[Reason, ...] = ()
    duels: tuple[Reason, ...] = ()
    outcome: tuple[Reason, ...] = ()
    card: Card | None = None
    clash: ClashView | None = None
    hits: bool = False

    @property
    def dice(self) -> str:
        """Tell whether there are ``few`` dice, ``some`` or ``many``."""
        count = sum(len(reason.faces) for reason in self.throws)
        return "few" if count <= FEW_DICE else "some" if count <= SOME_DICE else "many"


class Standing(msgspec.Struct, frozen=True):
    """Tell how a side stands: what is said about it alone, its pieces that are drawn, and the hits of its main one."""

    side: str
    who: Text
    counted: tuple[tuple[Text, Text], ...]
    units: int | None
    hits: int
    strength: int


class ScreenView(msgspec.Struct, frozen=True):
    """Hold all that the shared screen shows, of the same panels that every seat sees.

    ``lobby``: seats are free and nothing has happened yet. A board that is ``wide`` has what is counted beneath it.
    ``picture`` is the board, the tableau or the trackers that are seen from afar, empty where the game lies on the
    table; then ``rosters`` say what stands there. ``beside`` are the trackers that tell who is ahead; where none does,
    ``standings`` do. ``waits`` names the seats that the table waits for, and who sits there.
    """

    lobby: bool
    wide: bool
    event: Event | None
    picture: tuple[tuple[str, Panel | BoardView], ...]
    rosters: tuple[Roster, ...]
    beside: tuple[Tracker, ...]
    standings: tuple[Standing, ...]
    facts: tuple[tuple[Text, Text], ...]
    piles: tuple[Pile, ...]
    zones: tuple[Zone, ...]
    signs: tuple[tuple[str, Text], ...]
    seats: tuple[Person, ...]
    free: int
    waits: tuple[tuple[str, Text], ...]

    @property
    def tells(self) -> bool:
        """Tell whether anything says who is ahead."""
        return bool(self.beside or self.standings)

    @property
    def counts(self) -> bool:
        """Tell whether anything else is counted."""
        held = any(zone.pieces or zone.hidden for zone in self.zones)
        return bool(held or self.facts or self.piles or self.signs)

    @property
    def roomy(self) -> bool:
        """Tell whether there is room for what happened before the last event."""
        return not self.lobby and (self.wide or (bool(self.picture) and not self.tells and not self.counts))


def screen_view(layout: Layout) -> ScreenView:
    """Sort what the shared screen sees by how far away it must be read."""
    seen, panels = layout.seen, layout.panels
    kinds = {kind for kind, _ in panels}
    apart = bool(kinds & {"board", "tableau", "roster"})
    picture = tuple(one for one in panels if _is_picture(one, kinds, apart=apart))
    trackers = tuple(panel for _, panel in panels if isinstance(panel, Tracker)) if apart else ()
    tells = any(row.side for tracker in trackers for row in tracker.rows)
    rows = [row for _, panel in panels if isinstance(panel, Facts) for row in panel.rows]
    # Once it is over nothing more will come of what came to nothing.
    rows = [row for row in rows if row[1] != NOTHING] if seen.view.over else rows
    standings = () if tells else _counted_once(_standings(layout, rows))
    told = [label for standing in standings for label, _ in standing.counted]
    piles = tuple(pile for _, panel in panels if isinstance(panel, Piles) for pile in panel.piles)
    free = [person for person in seen.people if not person.taken]
    alike = [person for person in free if person.alike and not person.name]
    lobby = _is_lobby(seen, free, trackers_only=bool(picture) and not apart)
    return ScreenView(
        lobby,
        any(_is_wide(panel) for _, panel in picture),
        _event(layout, piles),
        picture,
        tuple(panel for _, panel in panels if isinstance(panel, Roster)),
        trackers,
        standings,
        tuple(row for row in rows if row[0] not in told),
        tuple(pile for pile in piles if pile.count != len(pile.cards) or len(pile.cards) != 1),
        tuple(_zones_beside(panels, drawn="board" in kinds)),
        tuple(sign for _, panel in panels if isinstance(panel, BoardView) for sign in panel.legend),
        tuple(person for person in seen.people if person not in alike),
        len(alike),
        () if lobby else tuple((seat, layout.names.get(seat, Text(seat))) for seat in _awaited(layout)),
    )


def _awaited(layout: Layout) -> Iterator[str]:
    """List the seats that the table waits for now, of those that somebody took."""
    seen = layout.seen
    taken = {person.seat for person in seen.people if person.taken}
    if not (seen.stopped or seen.over):
        yield from (seat for seat in layout.answering or seen.view.to_move if seat in taken)


def _is_lobby(seen: Seen, free: Sequence[Person], *, trackers_only: bool) -> bool:
    """Tell whether people are still coming; trackers of a table at which seats stay free are looked at meanwhile."""
    return bool(free) and not trackers_only and seen.last is None and not (seen.view.over or seen.ended)


def _is_picture(one: tuple[str, Panel | BoardView], kinds: set[str], *, apart: bool) -> bool:
    kind, panel = one
    if kind == "board" or (kind == "tableau" and not kinds & {"board"}):
        return True
    return not apart and (kind == "tracker" or (kind == "spread" and isinstance(panel, Hand) and panel.whose == "open"))


def _is_wide(panel: Panel | BoardView) -> bool:
    return isinstance(panel, BoardView) and panel.geometry.across > WIDE * panel.geometry.down


def _event(layout: Layout, piles: Sequence[Pile]) -> Event | None:
    seen, clash = layout.seen, layout.clash
    if clash is not None and clash.under_way:
        return Event(None, seen.version, layout.roll, clash=clash)
    if clash is not None and seen.last:
        # Dice and harm are seen in a scene; what else came of it is said.
        said = () if clash.came_of else tuple(seen.last.reasons[-1:])
        hits = _marks_hits(seen.last)
        return Event(seen.last.headline, seen.last.seq, layout.roll, clash=clash, outcome=said, hits=hits)
    first = piles[0] if piles else None
    card = first.cards[0] if first and first.count == len(first.cards) == 1 and not seen.view.over else None
    if seen.under_way and seen.story:
        _, newest = part_newest(seen.story)
        throws = tuple(reason for reason in seen.story if reason.faces)
        duels = tuple(reason for reason in seen.story if reason.duel)
        plain = tuple(reason for reason in newest if not reason.duel)
        told = throws or duels or plain
        return Event(None, seen.version, layout.roll, throws, duels, plain, card) if told else None
    if seen.last is None:
        return None
    reasons = seen.last.reasons
    duels = tuple(reason for reason in reasons if reason.duel)
    throws = () if duels else tuple(reason for reason in reasons if reason.faces)
    # The headline of a correction says all of it.
    outcome = tuple(reason for reason in reasons[-1:] if not reason.duel and seen.last.kind != "correction")
    hits = _marks_hits(seen.last)
    return Event(seen.last.headline, seen.last.seq, layout.roll, throws, duels, outcome, card, hits=hits)


def _marks_hits(ruling: Line) -> bool:
    return any(reason.harm for reason in ruling.reasons)


def _standings(layout: Layout, rows: Sequence[tuple[Text, Text]]) -> Iterator[Standing]:
    """Tell how each side stands: by the facts about it alone, else by how many of its pieces are drawn."""
    boards = [panel.board for _, panel in layout.panels if isinstance(panel, BoardView)]
    rosters = [panel for _, panel in layout.panels if isinstance(panel, Roster)]
    zones = [zone for zone in _zones_beside(layout.panels, drawn=True) if not zone.folded]
    sided: tuple[Board | Roster, ...] = (*boards, *rosters)
    holders: tuple[Board | Roster | Zone, ...] = (*sided, *zones)
    standing = [piece for holder in holders for piece in holder.pieces]
    fallen = [piece for holder in sided for piece in holder.fallen]
    for person in layout.seen.people:
        pieces = {piece.id: piece for piece in standing if piece.side == person.seat}
        counted = tuple(row for row in rows if _about(row[0]) == person.seat)
        lost = [piece for piece in fallen if piece.side == person.seat]
        if person.seat == RULEKEEPER or not (pieces or lost or counted):
            continue
        main = main_piece((*pieces.values(), *lost))
        drawn = None if rosters or not (pieces or lost) else len(pieces) - (main in pieces.values())
        hits, strength = (main.hits, main.strength) if main else (0, 0)
        yield Standing(person.seat, layout.names[person.seat], counted, drawn, hits, strength)


def _counted_once(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Leave out how many pieces are drawn where a game counts them: a fact about each side that has some says it."""
    found = tuple(standings)
    if not all(_counts(one) for one in found):
        return found
    return tuple(msgspec.structs.replace(one, units=None) for one in found)


def _counts(one: Standing) -> bool:
    return one.units is None or any(one.units in value.places.values() for _, value in one.counted)


def _about(label: Text) -> str:
    """Name the seat that a fact is about: its own name, or the one name in it."""
    named = [place.say for place in label.places.values() if isinstance(place, Text)]
    return named[0] if len(named) == 1 else label.say if not label.places else ""


def _zones_beside(panels: Sequence[tuple[str, Panel | BoardView]], *, drawn: bool) -> Iterator[Zone]:
    """List the zones that are told in words: all of them beside a board, else those that are folded."""
    for _, panel in panels:
        if isinstance(panel, Tableau):
            yield from (zone for zone in panel.zones if drawn or zone.folded)

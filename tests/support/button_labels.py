"""What a seat can tap, place by place, in the words that it reads there: no two of one place may say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.kit.panels import Roster, Tableau, Tracker
from companion.table.view_models import Person, Seen
from companion.web.pages import without_piece
from companion.web.play.board import BoardView
from companion.web.play.layout import Layout, lay_out
from tests.support.watch import read, twice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.kit.action import Offer
    from companion.kit.game import Role
    from companion.kit.panels import View
    from companion.kit.text import Text
    from companion.web.play.board import Pick

    Say = Callable[[Text], str]

Place = tuple[str, list[str]]
"""Where buttons stand together, and what they say."""
CARDS = {"card", "cards"}
"""Two packs have two of each card, and it makes no difference which of them is meant."""


def seen(view: View, offers: tuple[Offer, ...], seat: str, roles: Iterable[Role]) -> Seen:
    """What a seat sees of a table where nothing but the game's own matters."""
    people = tuple(Person(role.id, role.name, "", taken=True, alike=role.alike) for role in roles)
    return Seen(
        table="AAAAAA", game="", title="", version=1, seat=seat, dice="app", paused=False, ended=False, people=people,
        view=view, offers=offers, asked=None, waiting=(), story=(), last=None, log=(), more_log=False, take_back=None,
        consent=None, knocks=(),
    )  # fmt: skip


def buttons(shown: Layout, say: Say) -> Iterator[Place]:
    """Each place of a page with what can be tapped there."""
    yield "the dock", [say(one.label) for one in shown.offers] + [say(pick.name) for pick in shown.free]
    names = dict(named(shown, say))
    for group in (shown.on_rosters, shown.on_trackers):
        for on, offers in group.items():
            yield on, [without_piece(say(offer.label), names[on]) for offer in offers]
    for on, offers in shown.on_hands.items():
        yield on, [say(offer.label) for offer in offers]
    for code, ways in shown.cards.items():
        yield f"the card {code}", [say(way.label) for way in ways]
    for _, panel in shown.panels:
        if isinstance(panel, BoardView):
            yield from on_board(panel, say)
    for offer in shown.seen.offers:
        for field in (offer.among, *offer.fields):
            if field is not None and field.kind in {"choice", "many"} and field.name not in CARDS:
                yield f"{offer.action}, {field.name}", [say(option.label) for option in field.options]


def named(shown: Layout, say: Say) -> Iterator[tuple[str, str]]:
    """What offers start from, and what it is called beside them."""
    for _, panel in shown.panels:
        match panel:
            case Roster():
                yield from ((piece.id, say(piece.name)) for piece in panel.pieces)
            case Tracker():
                yield from ((row.id, say(row.name)) for row in panel.rows)
                yield panel.id, say(panel.title)
            case Tableau():
                yield from ((piece.id, say(piece.name)) for zone in panel.zones for piece in zone.pieces)
                yield from ((zone.id, say(zone.name)) for zone in panel.zones)


def on_board(board: BoardView, say: Say) -> Iterator[Place]:
    """What is said of a piece that is picked, and on each square that it may be sent to."""
    for pick in board.picks:
        yield (
            pick.id,
            [label(pick, ways.label, say) for ways in pick.on_board if ways.places or ways.named or ways.apart]
            + [label(pick, offer.label, say) for offer in pick.others],
        )
        for ways in pick.on_board:
            yield f"{pick.id}, {ways.do}, own side", [say(option.label) for option in ways.apart]
        yield (
            f"{pick.id}, own side",
            [label(pick, ways.label, say) for ways in pick.on_board if ways.apart and (ways.places or ways.named)],
        )
        several = len(pick.on_board) > 1
        vain = [(label(pick, ways.label, say), say(option.label)) for ways in pick.on_board for option in ways.hopeless]
        yield f"{pick.id}, in vain", [f"{words}: {goal}" if several else goal for words, goal in vain]
        squares: dict[str, list[tuple[str, str]]] = {}
        for ways in pick.on_board:
            for place in ways.places:
                squares.setdefault(place, []).append((label(pick, ways.label, say), place))
            for option in ways.named:
                at = option.place or option.value
                squares.setdefault(at, []).append((label(pick, ways.label, say), say(option.label)))
        for square, leads in squares.items():
            one = len({goal for _, goal in leads}) == 1
            yield f"{pick.id} to {square}", [words if one else f"{words}: {goal}" for words, goal in leads]


def label(pick: Pick, text: Text, say: Say) -> str:
    """An offer as it is called beside its piece."""
    return without_piece(say(text), say(pick.name))


class Buttons:
    """Watch that nobody is offered two buttons in one place that say the same, in either language."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def look(self, view: View, offers: tuple[Offer, ...], seat: str, roles: Iterable[Role]) -> None:
        """Look at all that a seat can tap."""
        shown = lay_out(seen(view, offers, seat, roles))
        for language in ("en", "es"):
            for place, words in buttons(shown, lambda text, language=language: read(self.game, text, language)):
                again = twice(words)
                assert not again, f"{seat}, {language}, {place}: {again}"

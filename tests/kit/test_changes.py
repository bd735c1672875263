"""What became other between two views of a seat, as people find it on the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.kit.changes import ON_THE_TABLE, Change, changes, marked
from companion.kit.panels import (
    Board,
    Card,
    Clock,
    Hand,
    Panel,
    Piece,
    Pile,
    Piles,
    Roster,
    Row,
    Tableau,
    Terrain,
    Tracker,
    View,
    Zone,
)
from companion.kit.text import Text, speak

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTATION = Path(__file__).parents[2] / "docs" / "notation.md"
ARCHERS = Piece("w1", "white", "archer", Text("Archers"), "e8", strength=4)


def board(*pieces: Piece, terrain: tuple[Terrain, ...] = ()) -> Board:
    return Board(Text("Board"), ("e", "f"), ("7", "8"), pieces, terrain)


def zones(**pieces: tuple[Piece, ...]) -> Tableau:
    return Tableau(
        Text("Table"), (tuple(Zone(name, Text(name.capitalize()), lying) for name, lying in pieces.items()),)
    )


def card(code: str) -> Card:
    return Card(code, code[0], None, Text(code), Text(""))


def view(*panels: Panel) -> View:
    return View(Text("Go on."), (), panels)


def said(before: Panel, after: Panel) -> list[str]:
    return [speak(change.said, str) for change in changes(view(before), view(after))]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (board(ARCHERS), board(ARCHERS), []),
        (board(ARCHERS), board(replace(ARCHERS, square="e7")), ["Archers: e8 → e7"]),
        (board(ARCHERS), board(), ["Archers: off e8"]),
        (board(), board(ARCHERS), ["Archers: to e8"]),
        (board(replace(ARCHERS, square=None)), board(ARCHERS), ["Archers: to e8"]),
        (board(ARCHERS), board(replace(ARCHERS, square=None)), ["Archers: off e8"]),
        (board(ARCHERS), board(replace(ARCHERS, hits=1)), ["Archers (e8): 1 hit more"]),
        (board(replace(ARCHERS, hits=3)), board(replace(ARCHERS, hits=1)), ["Archers (e8): 2 hits less"]),
        (
            board(ARCHERS),
            board(replace(ARCHERS, hits=1, suffered=Text("1 of 4 wounds"))),
            ["Archers (e8): 1 of 4 wounds"],
        ),
        (board(ARCHERS), board(replace(ARCHERS, down=True)), ["Archers (e8): laid down"]),
        (board(replace(ARCHERS, down=True)), board(ARCHERS), ["Archers (e8): set upright"]),
        (board(ARCHERS), board(replace(ARCHERS, side="black")), ["Archers (e8): now another side's"]),
        (
            board(ARCHERS),
            board(replace(ARCHERS, square="e7", glyph="knight", name=Text("Knight"))),
            ["Knight: e8 → e7", "Archers (e7): now Knight"],
        ),
        (board(ARCHERS), board(replace(ARCHERS, glyph="pawn")), ["Archers (e8): now another piece"]),
        (board(ARCHERS), board(replace(ARCHERS, name=Text("Archers 1"))), []),
        (
            board(ARCHERS),
            board(replace(ARCHERS, square="f7", hits=1)),
            ["Archers: e8 → f7", "Archers (f7): 1 hit more"],
        ),
        (
            Roster(Text("White"), "white", (replace(ARCHERS, square=None),)),
            Roster(Text("White"), "white", ()),
            ["Archers: off the table"],
        ),
        (
            Roster(Text("White"), "white", ()),
            Roster(Text("White"), "white", (replace(ARCHERS, square=None),)),
            ["Archers: onto the table"],
        ),
        (
            board(terrain=(Terrain("e7", "forest", Text("Forest")),)),
            board(terrain=(Terrain("e7", "ruin", Text("Ruin")), Terrain("f7", "hill", Text("Hill")))),
            ["e7: Forest → Ruin", "Hill: to f7"],
        ),
        (board(terrain=(Terrain("e7", "forest", Text("Forest")),)), board(terrain=()), ["Forest: off e7"]),
        (
            zones(reserve=(ARCHERS,), front=()),
            zones(reserve=(), front=(ARCHERS,)),
            ["Archers: Reserve → Front"],
        ),
        (
            Piles(Text("Piles"), (Pile(Text("Draw pile"), 9), Pile(Text("Discards"), 1))),
            Piles(Text("Piles"), (Pile(Text("Draw pile"), 7), Pile(Text("Discards"), 1))),
            ["Draw pile: 9 → 7"],
        ),
        (
            Tracker("t", Text("Points"), (Row("a", Text("Ana"), Text("3")), Row("b", Text("Ben"), Text("1")))),
            Tracker("t", Text("Points"), (Row("a", Text("Ana"), Text("5")),)),
            ["Ana: 3 → 5", "Ben: 1 → —"],
        ),
        (
            Tracker("t", Text("Dice"), (Row("t.0", Text("Ana"), Text("3")),), past=True),
            Tracker(
                "t", Text("Dice"), (Row("t.0", Text("Ben"), Text("5")), Row("t.1", Text("Ana"), Text("3"))), past=True
            ),
            [],
        ),
        (
            Tracker("t", Text("Clocks"), (Row("a", Text("Ana"), Text("3:00"), clock=Clock(180000)),)),
            Tracker("t", Text("Clocks"), (Row("a", Text("Ana"), Text("2:00"), clock=Clock(120000)),)),
            [],
        ),
        (
            Hand(Text("Hand"), (card("7S"), card("7S"), card("KD"))),
            Hand(Text("Hand"), (card("7S"), card("AD"))),
            ["From your hand: 7S", "From your hand: KD", "To your hand: AD"],
        ),
        (
            Hand(Text("Hand"), (card("7S"),), whose="looked_at"),
            Hand(Text("Hand"), (), whose="looked_at"),
            [],
        ),
    ],
)
def test_what_became_other_is_said(before: Panel, after: Panel, told: list[str]) -> None:
    assert said(before, after) == told


def test_a_piece_is_where_it_is_seen_best() -> None:
    listed = Roster(Text("White"), "white", (replace(ARCHERS, square=None),))
    moved = board(replace(ARCHERS, square="f8"))
    (change,) = changes(view(listed, board(ARCHERS)), view(listed, moved))
    assert (change.kind, change.start, change.end, change.squares) == ("moved", "e8", "f8", ("e8", "f8"))


def tints(after: Board, found: Iterable[Change]) -> dict[str, str]:
    (shown,) = marked(view(after), tuple(found)).panels
    assert isinstance(shown, Board)
    return dict(shown.tint)


def test_a_board_shows_where_pieces_came_from_and_who_was_hit() -> None:
    knight = Piece("b1", "black", "knight", Text("Knight"), "f8")
    before = board(ARCHERS, knight)
    after = board(replace(ARCHERS, square="e7"), replace(knight, hits=1))
    assert tints(after, changes(view(before), view(after))) == {"e8": "came_from", "e7": "acting", "f8": "target"}
    gone = board(knight)
    assert tints(gone, changes(view(before), view(gone))) == {"e8": "target"}
    assert tints(before, changes(view(gone), view(before))) == {"e8": "acting"}
    turned = board(replace(ARCHERS, side="black"), knight)
    assert tints(turned, changes(view(before), view(turned))) == {"e8": "acting"}
    taken = board(replace(ARCHERS, square="f8"))
    assert tints(taken, changes(view(before), view(taken))) == {"e8": "came_from", "f8": "acting"}


def test_what_is_said_is_what_the_docs_state() -> None:
    stated = set(re.findall(r"`([^`\n]+)`", NOTATION.read_text(encoding="utf-8")))
    knight = Piece("b1", "black", "knight", Text("Knight"), "f6", hits=1)
    nowhere = replace(knight, square=None)
    wounded, forest = replace(knight, hits=2, suffered=Text("2 of 4 wounds")), Terrain("c6", "forest", Text("forest"))
    none, one = (Roster(Text("Black"), "black", pieces) for pieces in ((), (nowhere,)))
    pairs = (
        (board(replace(knight, square="g8")), board(knight)),
        (board(), board(knight)),
        (board(knight), board()),
        (none, one),
        (one, none),
        (board(knight), board(wounded)),
        (board(knight), board(replace(knight, hits=2))),
        (board(knight), board(replace(knight, down=True))),
        (board(replace(knight, down=True)), board(knight)),
        (board(knight), board(replace(knight, glyph="tower", name=Text("tower")))),
        (board(knight), board(replace(knight, side="white"))),
        (board(), board(terrain=(forest,))),
        (board(terrain=(forest,)), board()),
        (board(terrain=(forest,)), board(terrain=(Terrain("c6", "hill", Text("hill")),))),
    )
    kinds = set()
    for before, after in pairs:
        (change,) = changes(view(before), view(after))
        assert speak(change.said, str) in stated
        kinds.add(change.kind)
    assert kinds == ON_THE_TABLE - {"count"}


def test_a_counter_that_is_called_as_a_pile_is_told_from_it() -> None:
    """Whoever draws takes the card off the pile himself; a counter is set by whoever is told of it."""
    before, after = (
        view(Piles(Text("Piles"), (Pile(Text("Deck"), held),)), Tracker("t", Text("Counts"), (count,)))
        for held, count in ((9, Row("t.1", Text("Deck"), Text("2"))), (7, Row("t.1", Text("Deck"), Text("3"))))
    )
    found = changes(before, after)
    assert [(one.kind, one.after) for one in found] == [("pile", 7), ("count", Text("3"))]
    assert [one.after for one in found if one.kind in ON_THE_TABLE] == [Text("3")]


def test_a_count_says_which_it_is_where_several_lines_are_called_alike_or_as_people() -> None:
    def counted(each: str, count: str, *, plain: bool) -> Tracker:
        rows = tuple(Row(f"{each}.{at}", Text(who), Text(count), "" if plain else who) for at, who in enumerate("AB"))
        return Tracker(each, Text(each), rows)

    def alone(count: str) -> Tracker:
        return Tracker("t", Text("Round"), (Row("t.all", Text("Round"), Text(count)),))

    def two_of_each(count: str) -> Tracker:
        rows = [Row(f"{what}_{side}", Text(f"{what} of {side}"), Text(count), side) for side in "AB" for what in "xy"]
        return Tracker("u", Text("Units"), tuple(rows))

    for plain, begins, panels in (
        (False, ["Wood, A", "Wood, B"], ("Wood",)),
        (True, ["A", "B"], ("Wood",)),
        (True, ["Wood, A", "Wood, B", "Stone, A", "Stone, B"], ("Wood", "Stone")),
    ):
        before, after = (view(*(counted(each, count, plain=plain) for each in panels)) for count in "12")
        assert [speak(one.said, str) for one in changes(before, after)] == [f"{begin}: 1 → 2" for begin in begins]
    for of in (alone, two_of_each):
        for change in changes(view(of("1")), view(of("2"))):
            assert "," not in speak(change.said, str)

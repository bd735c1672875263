"""Boards of every size: what is drawn and said of them, and how little a page with many pieces needs."""

from __future__ import annotations

import gzip
import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from flask import Flask

from companion import create_app
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.kit.action import Field, Offer
from companion.kit.counts import or_more
from companion.kit.panels import COLOURS, Board, Card, Hand, Piece, Roster, Stat, View, Weapon, summed
from companion.kit.questions import Badge, Option
from companion.kit.ruling import Reason, changed
from companion.kit.text import Text, say
from companion.table.view_models import Person
from companion.web.assets import shipped
from companion.web.fragments import fragments
from companion.web.play.layout import colours, lay_out
from companion.web.play.targets import card_taps
from companion.web.publish import GONE, event_since
from tests.support.chesswar_positions import position
from tests.support.phones import Table, words
from tests.support.plain_games import posed
from tests.support.skirmish_game import SKIRMISH
from tests.support.skirmish_pages import page

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.panels import Panel
    from companion.table.view_models import Seen


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"), games={"skirmish": SKIRMISH})


def showing(app: Flask, *panels: Panel, offers: tuple[Offer, ...] = (), **options: Any) -> Seen:
    """Return what the first seat of a skirmish sees, with other panels and offers."""
    table = Table(app, "skirmish", **options)
    seat = next(iter(table.phones))
    seen = table.tables.seen(table.id, seat)
    return msgspec.structs.replace(seen, view=View(say("Play"), (seat,), panels), offers=offers)


def board(*pieces: Piece, size: int = 8, **rest: Any) -> Board:
    ranks = tuple(str(rank) for rank in range(1, size + 1))
    return Board(say("Board"), tuple("abcdefghijklmnop"[:size]), ranks, pieces, **rest)


LINK = r'<g class="link" transform="translate\(([\d.]+) ([\d.]+)\)"'


def pawn(name: str, square: str, side: str = "white", **rest: Any) -> Piece:
    return Piece(name, side, "pawn", say("Pawn"), square, **rest)


def drawing(html: str, piece: str) -> str:
    """Return how one piece is drawn."""
    found = re.search(
        rf'<g class="piece[^>]*id="at-{piece}">.*?(?=<g class="piece|<g class="link|</svg>)', html, re.DOTALL
    )
    assert found
    return found[0]


def in_words(html: str, square: str) -> str:
    lines = [words(line) for line in re.findall(r"(?s)<li[^>]*><b>.*?</li>", html.partition('id="board-words"')[2])]
    return next(line.strip() for line in lines if line.strip().startswith(f"{square} "))


def test_pieces_that_fight_are_linked_across_their_border_or_corner_and_in_words(app: Flask) -> None:
    pieces = (pawn("a", "c3"), pawn("b", "c4", "black"), pawn("c", "d4", "black"), pawn("d", "h8"))
    links = (("c3", "c4"), ("c3", "d4"), ("c3", "z9"))
    html = page(app, showing(app, board(*pieces, links=links)))
    centres = re.findall(LINK, html)
    assert centres == [("25", "50"), ("30", "50")]
    assert in_words(html, "c3").endswith("fights c4, d4, z9")
    assert in_words(html, "d4").endswith("fights c3")
    assert "fights" not in in_words(html, "h8")
    turned = page(app, showing(app, board(*pieces, links=links[:1], turned=True)))
    assert re.findall(LINK, turned) == [("55", "30")]
    assert "lucha con c3" in in_words(page(app, showing(app, board(*pieces, links=links)), "es"), "d4")


def test_a_piece_that_is_knocked_over_lies_and_is_said_to(app: Flask) -> None:
    pieces = (pawn("a", "c3", down=True, badges=(say("moved"),)), pawn("b", "c4"))
    html = page(app, showing(app, board(*pieces), Roster(say("Units"), "white", pieces)))
    assert 'transform="rotate(90)"' in drawing(html, "a")
    assert "rotate" not in drawing(html, "b")
    assert in_words(html, "c3").endswith("knocked over, moved")
    assert "knocked" not in in_words(html, "c4")
    listed = html.partition('class="units"')[2]
    assert listed.count('transform="rotate(90 12 12)"') == 1
    assert listed.partition("</ul>")[0].count("knocked over") == 1


def test_signs_of_several_states_stand_beside_each_other_and_are_said_as_badges(app: Flask) -> None:
    signs = ("shield", "skull", "wing", "plague", "bow")
    html = page(
        app, showing(app, board(pawn("a", "a8", signs=signs, hits=1, strength=3), pawn("b", "b8", signs=("none",))))
    )
    drawn = drawing(html, "a")
    places = [
        (float(x), float(y)) for x, y in re.findall(r'<g class="sign"><circle cx="([-\d.]+)" cy="([-\d.]+)"', drawn)
    ]
    assert len(places) == 4
    for at, (x, y) in enumerate(places):
        assert abs(x) <= 5 - 1.3
        assert abs(y) <= 5 - 1.3
        assert all(abs(x - a) + abs(y - b) > 2.6 for a, b in places[:at]), "signs cover each other"
        assert all((x - a) ** 2 + (y - b) ** 2 > 2.8**2 for a, b in ((5, 0), (-5, 0), (0, -5), (0, 5))), (
            "a link covers it"
        )
    assert 'class="coin"' in drawn
    assert 'class="sign"' not in drawing(html, "b"), "there is no such picture"


def people(*seats: str) -> tuple[Person, ...]:
    return tuple(Person(seat, Text(seat), "", taken=False) for seat in seats)


@pytest.mark.parametrize("seats", [("red", "blue"), ("white", "black"), ("athens", "sparta"), ("athens", "white")])
def test_every_side_has_its_colour_and_the_bright_ones_a_mark_too(seats: tuple[str, ...], app: Flask) -> None:
    found = colours(people(*seats, "rulekeeper"))
    assert set(found) == set(seats)
    assert len(set(found.values())) == len(seats)
    assert all(found[seat] == seat for seat in seats if seat in COLOURS)
    assert colours(people(*(f"s{n}" for n in range(5))))["s4"] == "other"


def test_a_role_may_have_a_colour_of_its_own() -> None:
    found = colours((msgspec.structs.replace(people("allies")[0], colour="blue"), *people("axis", "white", "third")))
    assert found == {"allies": "blue", "axis": "black", "white": "white", "third": "red"}


def test_bright_sides_are_told_apart_by_more_than_their_colour_everywhere(app: Flask) -> None:
    pieces = (pawn("r", "a1", "red"), pawn("b", "a2", "blue"))
    html = page(app, showing(app, board(*pieces), Roster(say("Units"), "red", pieces), sides="bright"))
    for side, piece in (("red", "r"), ("blue", "b")):
        assert f"side-{side}" in drawing(html, piece)
        assert f"#side-{side}" in drawing(html, piece)
        seats = html.partition('class="panel people"')[2].partition("</section>")[0]
        assert f'class="token side-{side}"' in seats
        assert f"#side-{side}" in seats
        listed = html.partition('class="units"')[2].partition("</ul>")[0]
        assert f"#side-{side}" in listed


def test_the_log_and_whom_the_table_waits_for_show_their_side(app: Flask) -> None:
    table = Table(app, "skirmish", sides="bright", pieces=16)
    table.act("red", action="move", unit="r8", to="a4")
    table.act("red", action="end")
    table.act("blue", action="shoot", unit="b0", target="r0")
    for path, part in (("", 'class="lines"'), ("/log", 'class="lines"')):
        html = table.get("red", path).text.partition(part)[2]
        lines = re.findall(r'<li class="line.*?</li>', html, re.DOTALL)
        said = {words(line).strip(): set(re.findall(r'class="token side-(\w+)"', line)) for line in lines}
        assert said["pawn goes to a4"] == {"red"}
        assert next(sides for line, sides in said.items() if line.startswith("A shot")) == {"blue"}
    asking = Table(app, "skirmish", sides="bright", dice="typed")
    asking.act("red", action="shoot", unit="r0", target="b0")
    dock = asking.get("blue").text.partition('id="dock"')[2].partition("</section>")[0]
    assert 'class="token side-red"' in dock


def luminance(colour: str) -> float:
    digits = colour * 2 if len(colour) == 3 else colour
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


GROUNDS = (
    "sq-light",
    "sq-dark",
    "forest",
    "hill",
    "field",
    "village",
    "water",
    "cave",
    "ice",
    "labyrinth",
    "swamp",
    "mountain",
    "built",
)


@pytest.mark.parametrize("side", COLOURS)
def test_pieces_of_every_side_stand_out_on_every_square_in_light_and_dark(side: str) -> None:
    static = shipped("static")
    css = (static / "companion.css").read_text("utf-8") + (static / "board.css").read_text("utf-8")
    squares = [
        colour
        for name in GROUNDS
        for pair in re.findall(rf"--{name}: var\(--light, #(\w+)\) var\(--dark, #(\w+)\)", css)
        for colour in pair
    ]
    assert len(squares) == 2 * len(GROUNDS)
    found = re.search(rf"\.side-{side} {{ --fill: #(\w+); --edge: #(\w+); }}", css)
    assert found
    fill, edge = found.groups()
    assert contrast(fill, edge) >= 4.5
    for square in squares:
        assert max(contrast(fill, square), contrast(edge, square)) >= 3, square


@pytest.mark.parametrize("look", ["light", "dark"])
def test_marks_stand_out_on_every_square_and_from_every_piece_in_light_and_dark(look: str) -> None:
    static = shipped("static")
    css = (static / "companion.css").read_text("utf-8") + (static / "board.css").read_text("utf-8")

    def colour(name: str) -> str:
        found = re.search(rf"--{name}: (?:#(\w+);|var\(--light, #(\w+)\) var\(--dark, #(\w+)\))", css)
        assert found, name
        one, light, dark = found.groups()
        return one or (light if look == "light" else dark)

    squares = [colour(name) for name in GROUNDS]
    named = [square for square in squares if square != colour("sq-dark")]
    assert min(contrast(colour("ground-ink"), square) for square in named) >= 4.5
    assert contrast(colour("coord"), colour("sq-dark")) >= 4.5
    pieces = re.findall(r"--fill: #(\w+); --edge", css)
    around = {"mark": "halo", "foe": "pale"}
    for mark, halo in ((colour(name), colour(around[name])) for name in around):
        assert contrast(mark, halo) >= 3
        for under in (*squares, *pieces):
            assert max(contrast(mark, under), contrast(halo, under)) >= 3, under
    ringed = re.findall(r"\n(\.overlay [^{]*\{[^}]*inset 0 0 0 [\d.]+px var\(--(mark|foe)\)[^}]*\})", css)
    assert len(ringed) >= 5
    assert all(f"px var(--{around[mark]})" in rule for rule, mark in ringed if ".sent" not in rule)


def card(html: str, piece: str) -> str:
    """Return what is said of a piece that is picked."""
    found = re.search(rf'id="pick-{piece}".*?<div class="about">(.*?)</div></div>', html, re.DOTALL)
    assert found
    return " ".join(words(found[1]).split())


def test_every_piece_can_be_picked_to_learn_what_it_is(app: Flask) -> None:
    hint = say("Moves 3")
    pieces = (
        pawn("b", "c4", "black", hits=1, strength=3, badges=(say("moved"),), hint=hint, down=True),
        pawn("x", "c5", "white"),
        pawn("a", "c3", hint=hint),
    )
    move = Field("to", say("To"), "choice", (Option("d3", Text("d3"), place="d3"),))
    offers = (Offer("move", say("Move"), {"unit": "a"}, (move,), on="a"),)
    seen = showing(app, board(*pieces, links=(("c3", "c4"),)), offers=offers)
    html = page(app, msgspec.structs.replace(seen, seat="white"))
    assert card(html, "b") == "Pawn c4 Black · 1 of 3 hits knocked over moved fights c3 Moves 3 Close"
    assert card(html, "x") == "Pawn c5 Close"
    assert card(html, "a") == "Pawn c3 fights c4 Move Moves 3 Close"
    assert re.findall(r'id="pick-(\w+)"', html) == ["a", "b", "x", "none"], "who can act comes first"
    assert re.findall(r'<label [^>]*class="([^"]*)" for="pick-[abx]"', html) == [
        "f3 r6 own",
        "f3 r5 look",
        "f3 r4 look own",
    ]


def test_every_piece_can_be_picked_while_a_question_waits_and_on_the_shared_screen(app: Flask) -> None:
    table = Table(app, "skirmish", dice="typed")
    table.act("white", action="shoot", unit="w0", target="b0")
    for seat in ("white", "black", "screen"):
        html = table.get(seat).text
        assert card(html, "b0").startswith("Rook a8 Black bow" if seat != "black" else "Rook a8 bow")
        assert "/plan?" not in html.partition('id="board"')[2].partition("</section>")[0]


def test_the_legend_names_the_signs_that_are_on_the_board_now(app: Flask) -> None:
    meanings = (("shield", say("protected")), ("wing", say("flying")), ("lock", say("no spells")))
    pieces = (pawn("a", "c3", signs=("wing",)), pawn("b", "c4", "black", spent=True, hits=1, strength=2))
    html = page(app, showing(app, board(*pieces, legend=meanings, links=(("c3", "c4"),))))
    legend = html.partition('id="signs"')[2].partition("</details>")[0]
    assert [words(line).strip() for line in re.findall(r"<li.*?</li>", legend, re.DOTALL)] == [
        "flying",
        "these two fight each other",
        "a hit",
        "faded: has done what it can",
    ]
    assert 'id="signs"' not in page(app, showing(app, board(pawn("a", "c3"), legend=meanings)))


def ways(html: str, piece: str) -> list[dict[str, str]]:
    targets = html.partition(f'for="pick-{piece}"')[2].partition('<input class="pick')[0]
    links = re.findall(r'<a class="way key[^>]*>', targets)
    return [
        {name: unescape(a or b) for name, a, b in re.findall(r"([\w-]+)=(?:\"([^\"]*)\"|'([^']*)')", link)}
        for link in links
    ]


def test_squares_are_only_named_and_what_has_words_of_its_own_brings_them(app: Flask) -> None:
    closed = Reason(say("Out of shooting."), "SK-9")
    squares = (
        Option("c4", say("{square}", square="c4"), place="c4"),
        Option("d4", Text("d4"), place="d4"),
        Option("e4", say("{square}", square="e4"), closed, "e4"),
        Option("z9", Text("z9"), place="z9"),
    )
    targets = (
        Option("b", say('{who}\'s "pawn" & co', who="Ben"), place="c4"),
        Option("h8", say("far {square}", square="h8"), place="h8"),
    )
    offers = (
        Offer("move", say("Move"), {"unit": "a"}, (Field("to", say("To"), "choice", squares),), on="a"),
        Offer("shoot", say("Shoot"), {"unit": "a"}, (Field("at", say("At"), "choice", targets),), on="a", chancy=True),
    )
    html = page(app, showing(app, board(pawn("a", "c3")), offers=offers))
    move, shoot = ways(html, "a")
    assert move["data-to"] == "c4 d4"
    assert "data-named" not in move
    assert move["data-field"] == "to"
    assert move["href"].endswith("/plan?do=action%3Dmove%26unit%3Da")
    assert "data-to" not in shoot
    assert json.loads(shoot["data-named"]) == [["b", "h8"], ["c4", "h8"], ['Ben\'s "pawn" & co', "far h8"]]
    assert "Out of shooting." in words(html)


def test_no_way_leads_to_the_square_of_an_own_piece_but_by_a_list_of_its_own(app: Flask) -> None:
    squares = tuple(Option(at, say("{square}", square=at), place=at) for at in ("b4", "c4", "d4"))
    friend = Option("x", Text("the friend of a friend"), place="b5", note=say("ally"), aside=True)
    pieces = (pawn("a", "c3"), pawn("b", "b4"), pawn("x", "b5", "black"), pawn("y", "d4", "black"), pawn("c", "d4"))
    given = {"unit": "a"}
    anywhere, to_friends, to_own = (
        (Field("to", say("To"), "choice", options),) for options in (squares, (*squares, friend), squares[:1])
    )
    offers = (
        Offer("move", say("Move"), given, to_friends, on="a"),
        Offer("swap", say("Swap: {who}", who=Text("Pawn")), given, to_own, on="a"),
        Offer("lay", say("Lay"), {}, anywhere),
    )
    html = page(app, msgspec.structs.replace(showing(app, board(*pieces), offers=offers), seat="white"))
    move, own, swap = ways(html, "a")
    assert (move["class"], move["data-to"]) == ("way key-go", "c4 d4")
    assert "apart" not in move["class"]
    assert own["class"] == "way key-go apart"
    assert json.loads(own["data-named"]) == [["b4", "x"], ["b4", "b5"], ["Pawn b4", "the friend of a friend"]]
    assert own["data-notes"] == "|ally"
    assert (swap["class"], json.loads(swap["data-named"])[0]) == ("way key-go apart", ["b4"])
    assert "Move: own side" in words(html)
    assert "Swap: own side" not in words(html), "it leads to nobody else"
    (lay,) = ways(html, "free-action-lay")
    assert lay["data-to"] == "b4 c4 d4", "what starts from no piece may be sent to any square"


def test_of_two_weapons_that_can_not_hit_each_is_told_apart(app: Flask) -> None:
    pieces = pawn("a", "a8"), pawn("x", "b7", "black")
    why = Reason(say("It is too far."))
    target = (Field("target", say("Target"), "choice", (Option("x", say("Pawn"), place="b7", hopeless=why),)),)
    offers = tuple(Offer("fire", say(words), {"weapon": words}, target, on="a") for words in ("Gun", "Bow"))
    for given, called in ((offers, ["Gun: Pawn", "Bow: Pawn"]), (offers[:1], ["Pawn"])):
        html = page(app, showing(app, board(*pieces), offers=given))
        found = re.findall(r'<ul class="barred vain">.*?<a [^>]*>([^<]*)</a>', html, re.DOTALL)
        assert found == called


def test_what_can_not_succeed_is_not_pointed_at_but_said_and_can_be_looked_at(tmp_path: Path) -> None:
    units = "wk hk a1, bk ok h8, w1 hb e2, w2 hp e4, b1 op e6, b2 op e5, w3 hb g4"
    start = position(units, phase="shooting").with_unit("w1", moved=True)
    playing = Table(create_app(tmp_path, games={"chesswar": posed(CHESSWAR, start)}), "chesswar")
    html = playing.get("white").text
    assert ways(html, "w1") == [], "no square is pointed at"
    assert re.search(r'<label [^>]*class="[^"]* quiet own" for="pick-w1">', html)
    assert json.loads(ways(html, "w3")[0]["data-named"])[0] == ["bk", "b1", "b2"], "another unit can hit them"
    said = html.partition('for="pick-w1"')[2].partition('class="let-go"')[0]
    assert "Orcs e6 , Orcs e5 : cannot hit: needs 7 Moves" in words(said)
    assert 'href="/rules/chesswar/CW-61" title="Why: CW-61"' in said
    (first, _) = re.findall(r'<ul class="barred vain">.*?</ul>', said, re.DOTALL)[0].split("</a>,")
    address = unescape(re.findall(r'href="([^"]+)"', first)[0])
    looked = playing.phones["white"].get(address).text
    assert "cannot hit: that takes a 7" in words(looked), "its arithmetic"
    assert "cannot hit: needs 7" in words(looked)
    plan = looked.partition('id="plan"')[2]
    assert 'class="button big"' in plan
    assert "button main" not in plan
    done = playing.post("white", "/act", do="action=shoot&unit=w1&target=b1")
    assert done.status_code == 303, "it stays legal"


def test_a_number_that_is_not_the_printed_one_stands_as_a_sum_with_what_changes_it(app: Flask) -> None:
    card = Reason(say("Cavalry charge"), "SK-4", 1)
    moves = changed(say("Movement"), (Reason(say("printed"), None, 4), card))
    weak = changed(say("Combat"), (Reason(say("printed"), None, -1), Reason(say("wounds"), None, -2)))
    assert changed(say("Range"), (Reason(say("printed"), None, 2),)) == ()
    piece = pawn("a", "c3", hint=say("Moves 4 squares"), now=(*moves, *weak))
    for panel in (board(piece), Roster(say("Units"), "white", (piece,))):
        said = words(page(app, showing(app, panel)))
        assert "Moves 4 squares Movement 4 + 1 · Combat −1 − 2 Movement: 4 + 1 Cavalry charge SK-4 = 5" in said
        assert "Combat: −1 − 2 wounds = −3" in said


def test_what_a_piece_fights_with_is_a_small_table_on_the_board_and_in_a_list(app: Flask) -> None:
    reach, die = say("Range"), say("Hits on")
    wounds = (Reason(say("printed"), None, 4), Reason(say("wounds"), "SK-4", 1))
    bow = Weapon(say("bow"), (Stat("target", say("5"), reach), summed("die", die, wounds, or_more)), (say("slow"),))
    fired = say("has fired")
    knife = Weapon(say("knife"), (summed("die", die, wounds[:1], or_more),), spent=True, why=fired)
    club = Weapon(say("club"), spent=True, why=fired)
    piece = pawn("a", "c3", hint=say("Moves 4 squares"), weapons=(knife, club, bow))
    for panel in (board(piece), Roster(say("Units"), "white", (piece,))):
        drawn = page(app, showing(app, panel))
        (table,) = re.findall(r'<table class="weapons.*?</table>', drawn, re.DOTALL)
        assert re.findall(r'aria-label="(.*?)"', table) == ["Pawn", "Range", "Hits on"], (
            "the columns of the fullest row"
        )
        rows = [words(row) for row in table.split("<tr")[2:]]
        assert [row.split(">", 1)[1].split() for row in rows] == [
            ["knife", "has", "fired", "4+"],
            ["club"],
            ["bow", "slow", "5", "5+"],
        ], "why is said once for both"
        assert table.count('class="spent"') == 2
        assert table.count('class="changed"') == 1
        assert "bow · Hits on: 4 printed + 1 wounds SK-4 = 5" in words(drawn)
        assert words(drawn).count("Moves 4 squares") == 1
    (legend,) = re.findall(r'id="signs">.*?</details>', page(app, showing(app, board(piece))), re.DOTALL)
    assert "Range Hits on" in words(legend)


def test_the_chances_of_a_melee_add_up_and_say_what_each_is_of(tmp_path: Path) -> None:
    start = position("wk hk a1, bk ok h8, w1 eq d4, b1 hr d5, w1>b1", phase="combat")
    playing = Table(create_app(tmp_path, games={"chesswar": posed(CHESSWAR, start)}), "chesswar")
    looked = words(playing.get("white", "/plan?do=action%3Dattack%26unit%3Dw1%26target%3Db1").text)
    assert "Catapults d5 attack die 4+ (50%), before saves" in looked
    assert "The whole attack, dice and saves" in looked
    assert "without instant spells Destroyed: Catapults d5 37 % " in looked, "3/8 of all"
    assert re.findall(r"(\d+) %", looked) == ["37", "6", "57"]


@pytest.mark.parametrize(
    ("size", "reach", "least", "most"),
    [(16, 3, 24 * 15, 8_000), (8, 7, 24 * 30, 20_000)],  # where all are in each other's way, all ways change
    ids=["large", "crowded"],
)
def test_a_page_of_many_pieces_with_many_squares_is_light(
    app: Flask, size: int, reach: int, least: int, most: int
) -> None:
    table = Table(app, "skirmish", size=size, pieces=24, reach=reach)
    client = table.phones["white"]
    seen = table.tables.seen(table.id, "white")
    assert sum(len(field.options) for offer in seen.offers for field in offer.fields) > least
    whole = client.get(f"/t/{table.id}/white", headers={"Accept-Encoding": "gzip"})
    text = gzip.decompress(whole.data).decode()
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', text))
    static = sum(len(client.get(address, headers={"Accept-Encoding": "gzip"}).data) for address in addresses)
    assert len(whole.data) < 8_000
    assert len(whole.data) + static < 60_000
    assert len(page(app, seen).encode()) < 42_000
    with app.test_request_context():
        before = fragments().get(table.id, "white", "en")
        move = next(offer for offer in seen.offers if offer.action == "move")
        table.act("white", **{"action": "move", **move.given, "to": move.fields[0].options[0].value})
        told = event_since(before, fragments().get(table.id, "white", "en"))
    assert len(told) < most, "that is what each change costs on the stream"
    assert text.count("<button") < 10
    assert text.count("<option") == 0


def test_a_phone_that_shows_the_newest_view_is_not_sent_it_again(app: Flask, tmp_path: Path) -> None:
    table = Table(app, "skirmish")
    version = table.tables.version(table.id)
    (live,) = re.findall(r'hx-sse:connect="[^"]*(/live[^"]*)"', table.get("white").text)
    live = unescape(live)
    assert table.get("white", live, headers={"Last-Event-ID": str(version)}).text == "event: ping\ndata: ping\n\n"
    for known in ({}, {"Last-Event-ID": str(version - 1)}, {"Last-Event-ID": ""}, {"Last-Event-ID": "x"}):
        assert f"id: {version}\n" in table.get("white", live, headers=known).text


def test_a_stream_speaks_the_language_of_its_page_and_sends_it_away_when_it_is_of_another_build(app: Flask) -> None:
    table = Table(app, "skirmish")
    (live,) = re.findall(r'hx-sse:connect="[^"]*(/live[^"]*)"', table.get("white").text)
    live = unescape(live)
    spanish = {"Accept-Language": "es"}
    assert table.get("white", live, headers=spanish).headers["X-Live-Channel"].split("/")[3] == "en"
    assert table.get("white", "/live", headers=spanish).headers["X-Live-Channel"].split("/")[3] == "es"
    for address, known in ((live.replace("build=", "build=0"), {}), ("/live", {"Last-Event-ID": "1"})):
        assert table.get("white", address, headers=known).data == GONE.event, "its page is loaded again"


def dashing(on: str) -> Offer:
    squares = tuple(Option(square, say("{square}", square=square), place=square) for square in ("a1", "b1"))
    return Offer("dash", say("Put down"), {"card": on}, (Field("to", say("Square"), "choice", squares),), on=on)


def test_a_card_that_goes_to_the_board_lights_its_squares_up_there(app: Flask) -> None:
    cards = tuple(Card(code, "1", None, say("Rifles"), say("They shoot.")) for code in ("0.1", "1.0"))
    seen = showing(app, board(pawn("a", "a8")), Hand(say("Hand"), cards), offers=(dashing("0.1"), dashing("1.0")))
    html = page(app, seen)
    picks = re.findall(r'data-pick="([^"]+)"', html)
    assert picks == ["pick-card-0.1-action-dash-card-0.1", "pick-card-1.0-action-dash-card-1.0"]
    for pick in picks:
        assert html.count(f'id="{pick}"') == 1
        assert 'data-to="a1 b1"' in html.partition(f'id="{pick}"')[2].partition("<input")[0]
    assert lay_out(seen).free == ()


def test_what_a_card_may_take_along_is_ticked_at_the_card(app: Flask) -> None:
    free, dear = (
        Option("g", say("Grenade"), note=say("costs 1")),
        Option("m", say("Mortar"), Reason(say("Too dear."), "X-1")),
    )
    along = Field("with", say("Equipment"), "many", (free, dear))
    offer = dashing("0.1")
    offer = msgspec.structs.replace(offer, fields=(*offer.fields, along), loose=True)
    hand = Hand(say("Hand"), (Card("0.1", "1", None, say("Rifles"), say("They shoot.")),))
    html = page(app, showing(app, board(pawn("a", "a8")), hand, offers=(offer,)))
    pick = "pick-card-0.1-action-dash-card-0.1"
    ticks = html.partition(f'data-with="{pick}"')[2].partition("</div>")[0]
    assert 'name="with" value="g"' in ticks
    assert "costs 1" in ticks
    assert 'value="m" disabled' in ticks
    assert "Too dear." in ticks
    way = html.partition(f'id="{pick}"')[2].partition('class="way')[2].partition("</a>")[0]
    assert "data-looked" not in way, "a tap on a square does it"
    asked = msgspec.structs.replace(offer, fields=(*offer.fields, msgspec.structs.replace(along, name="more")))
    html = page(app, showing(app, board(pawn("a", "a8")), hand, offers=(asked,)))
    assert "data-with" not in html
    assert "data-looked" in html.partition(f'id="{pick}"')[2].partition("</a>")[0]


def test_what_may_cost_a_piece_is_read_before_it_is_done(app: Flask) -> None:
    squares = (
        Option("a7", say("{square}", square="a7"), place="a7"),
        Option(
            "b7",
            say("{square}", square="b7"),
            place="b7",
            note=say("{square}", square="1-3"),
            risk=say("They shoot."),
            badge=Badge("skull", say("{square}", square="50%")),
        ),
    )
    walk = Offer("dash", say("Put down"), {"card": "x"}, (Field("to", say("Square"), "choice", squares),), on="a")
    lone = msgspec.structs.replace(
        walk, on=None, fields=(msgspec.structs.replace(walk.fields[0], options=squares[1:]),)
    )
    html = page(app, showing(app, board(pawn("a", "a8")), offers=(walk,)))
    way = html.partition('class="way')[2].partition("</a>")[0]
    assert 'data-risky="b7"' in way
    assert "data-looked" not in way, "the other square is one tap"
    assert '#skull", "50%"]' in way
    assert 'data-risky="b7"' in page(app, showing(app, board(pawn("a", "a8")), offers=(lone,)))
    assert [way.plan for way in card_taps(walk, walk.fields[0])] == [False, True]


def test_a_card_waits_in_its_form_where_there_is_no_board(app: Flask) -> None:
    seen = showing(
        app, Hand(say("Hand"), (Card("0.1", "1", None, say("Rifles"), say("They shoot.")),)), offers=(dashing("0.1"),)
    )
    assert "data-pick" not in page(app, seen)

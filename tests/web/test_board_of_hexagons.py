"""Boards of hexagons: where each of them lies, what is drawn and said of tiles, tunnels and gaps."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.kit.action import Field, Offer
from companion.kit.hexes import FILES, named
from companion.kit.panels import Board, Piece, Tableau, Terrain
from companion.kit.questions import Option
from companion.kit.text import Text, say
from companion.web.assets import shipped
from companion.web.play.board import HEIGHT, SIDES, geometry
from tests.support.islands_game import ISLANDS, KINDS
from tests.support.phones import Table, words
from tests.support.skirmish_game import SKIRMISH
from tests.support.skirmish_pages import page
from tests.web.test_board import drawing, pawn, showing

if TYPE_CHECKING:
    from flask import Flask

    from companion.web.play.board import SquarePosition

RAISED = tuple(FILES[1::2])


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    games = {"skirmish": SKIRMISH, "islands": ISLANDS}
    return create_app(tmp_path_factory.mktemp("data"), games=games)


def board(*pieces: Piece, wide: str = "lmn", high: int = 3, ground: str = "", **rest: Any) -> Board:
    """Return a board of those files; ``ground`` names its tiles and their terrain: ``m2 forest, n1 ice``."""
    tiles = tuple(
        Terrain(square, kind, Text(kind.capitalize()))
        for square, kind in (one.split() for one in ground.split(",") if one)
    )
    ranks = tuple(str(rank) for rank in range(1, high + 1))
    rest = {"terrain": tiles} | rest
    return Board(say("Map"), tuple(wide), ranks, pieces, hexes=True, raised=RAISED, **rest)


def going(on: str, *squares: str) -> Offer:
    options = tuple(Option(square, say("{square}", square=square), place=square) for square in squares)
    return Offer("move", say("Move"), {"unit": on}, (Field("to", say("To"), "choice", options),), on=on)


def apart(one: SquarePosition, other: SquarePosition) -> tuple[float, float]:
    return round(other.x - one.x, 1), round(other.y - one.y, 1)


@pytest.mark.parametrize("turned", [False, True])
def test_each_hexagon_lies_beside_its_six_neighbours_in_their_directions(turned: bool) -> None:
    seen = geometry(board(wide=FILES, high=42, turned=turned))
    assert len(seen.at) == 25 * 42
    for square, here in seen.at.items():
        for direction, (x, y) in enumerate(SIDES, 1):
            try:
                beyond = named(square).beyond(direction).name
            except ValueError:
                beyond = ""
            assert seen.beyond(square, direction) == (beyond if beyond in seen.at else None)
            if beyond in seen.at:
                there = apart(here, seen.at[beyond])
                assert there == (pytest.approx((-2 * x, -2 * y)) if turned else pytest.approx((2 * x, 2 * y)))
    edge = max(spot.x for spot in seen.at.values()) + 6, max(spot.y for spot in seen.at.values()) + HEIGHT / 2
    assert (seen.across, seen.down) == pytest.approx(edge)


def test_hexagons_are_regular() -> None:
    for x, y in SIDES:
        assert (x * x + y * y) ** 0.5 == pytest.approx(HEIGHT / 2, rel=0.002)


@pytest.mark.parametrize(
    ("wide", "turned", "low", "first"),
    [
        ("lmn", False, ("m",), "l3"),
        ("lmn", True, ("n", "l"), "n1"),
        ("lm", True, ("l",), "m1"),
        ("m", False, (), "m3"),
        ("m", True, (), "m1"),
        ("n", False, (), "n3"),
        ("n", True, (), "n1"),
    ],
)
def test_columns_are_low_beside_others_only(wide: str, turned: bool, low: tuple[str, ...], first: str) -> None:
    seen = geometry(board(wide=wide, turned=turned))
    assert seen.low == low
    assert seen.down == pytest.approx(HEIGHT * (3.5 if low else 3))
    for square, spot in seen.at.items():
        assert spot.cell.endswith(" low") == (square[0] in low)
    assert seen.files[0] + seen.ranks[0] == first
    assert seen.at[first].cell.startswith("f1 r1")


def tiles(html: str) -> dict[str, str]:
    """Return the kind of each tile that is drawn, by the name that stands in it."""
    at = {where: kind for kind, where in re.findall(r'<g class="ground ground-(\w+)[^"]*" transform="([^"]+)"', html)}
    captions = re.findall(r'<g class="caption[^"]*" transform="([^"]+)">.*?<text[^>]*>(\w+)</text>', html)
    assert len(captions) == len(at)
    return {square: at[where] for where, square in captions}


def gaps(html: str) -> list[str]:
    return re.findall(r'<g class="gap".*?<text[^>]*>(\w+)</text>', html)


def test_only_tiles_are_drawn_each_with_its_name_and_gaps_where_something_may_be_sent(app: Flask) -> None:
    ground = "m1 forest,m2 hill,n1 ice"
    shown = board(pawn("a", "m1"), ground=ground)
    html = page(app, showing(app, shown, offers=(going("a", "m2", "n1", "l2", "z9"),)))
    assert tiles(html) == {"m1": "forest", "m2": "hill", "n1": "ice"}
    assert gaps(html) == ["l2"]
    assert 'class="coord"' not in html
    assert "chequer" not in html
    assert gaps(page(app, showing(app, shown))) == [], "nothing is sent there"
    laid = going("", "l1", "m3")
    html = page(app, showing(app, shown, offers=(msgspec.structs.replace(laid, on=None),)))
    assert sorted(gaps(html)) == ["l1", "m3"], "an offer of its own leads there"


def test_pieces_stand_in_the_middle_of_their_hexagons_and_are_tapped_there(app: Flask) -> None:
    for turned, at, cell in ((False, "15 20.8", "f2 r2 low"), (True, "15 15.6", "f2 r2")):
        shown = board(pawn("a", "m2"), ground="m2 forest", turned=turned)
        html = page(app, showing(app, shown, offers=(going("a", "n2"),)))
        assert f'transform="translate({at})"><g class="piece side-white" id="at-a">' in " ".join(html.split())
        assert f'class="{cell}" for="pick-a">' in html
        assert f'data-low="{"n l" if turned else "m"}"' in html


def test_signs_and_coins_of_a_piece_hide_neither_each_other_nor_leave_its_hexagon(app: Flask) -> None:
    piece = pawn("a", "m2", signs=("shield", "skull", "wing", "plague"), hits=4, strength=4)
    drawn = drawing(page(app, showing(app, board(piece, ground="m2 forest"))), "a")
    found = [
        (float(x), float(y)) for x, y in re.findall(r'<circle (?:class="coin" )?cx="([-\d.]+)" cy="([-\d.]+)"', drawn)
    ]
    assert len(found) == 4 + 3
    signs, coins = found[:4], found[4:]
    assert re.search(r'class="hits-of"[^>]*>4<', drawn), "a stack of three says that there are four"
    for at, (x, y) in enumerate(signs):
        others = [*signs[:at], *coins]
        assert all((x - a) ** 2 + (y - b) ** 2 > 2.2**2 for a, b in others)
        assert all(x * a + y * b <= 5.2 * (5.2 - 1.1) for a, b in SIDES)


def path(html: str, kind: str) -> str:
    found = re.search(rf'<path class="{kind}" d="([^"]*)"', html)
    assert found
    return found[1]


@pytest.mark.parametrize("turned", [False, True])
def test_a_tunnel_has_channels_to_its_open_sides_and_walls_at_the_others(app: Flask, turned: bool) -> None:
    tunnel = Terrain("m2", "tunnel", say("Tunnel"), grooves=(1, 3))
    others = tuple(Terrain(one.name, "forest", say("Forest")) for one in named("m2").beside)
    shown = board(terrain=(tunnel, *others), turned=turned)
    html = page(app, showing(app, shown))
    ends = ["M0 0V5.2", "M0 0l-4.5-2.6"] if turned else ["M0 0V-5.2", "M0 0l4.5 2.6"]
    assert path(html, "channel") == "".join(ends)
    assert path(html, "wall").count("M") == 4
    assert html.count('class="channel"') == 1, "what is no tunnel has none"
    # No wall runs where a channel leaves: the middle of a wall lies on the same line from the centre as its side's.
    for wall in re.findall(r"M(-?[\d.]+)[ ]?(-?[\d.]+)(?:h(-?[\d.]+)|l(-?[\d.]+) ?(-?[\d.]+))", path(html, "wall")):
        x, y, across, dx, dy = (float(part or 0) for part in wall)
        middle = x + (across + dx) / 2, y + dy / 2
        side = min(range(6), key=lambda at: abs(SIDES[at][0] - middle[0]) + abs(SIDES[at][1] - middle[1]))
        assert side not in ({3, 5} if turned else {0, 2})
    said = [line for line in spoken(html) if line.startswith("m2 ")]
    assert said == [f"m2 Tunnel, open towards {named('m2').beyond(1).name}, {named('m2').beyond(3).name}"]


def test_a_tunnel_without_a_way_is_said_to_be_closed(app: Flask) -> None:
    shown = board(terrain=(Terrain("m2", "tunnel", say("Tunnel"), grooves=()),))
    assert "m2 Tunnel, closed on all sides" in spoken(page(app, showing(app, shown)))
    assert "m2 Tunnel, sin paso" in spoken(page(app, showing(app, shown), "es"))


def spoken(html: str) -> list[str]:
    lines = re.findall(r"<li[^>]*><b>.*?</li>", html.partition('id="board-words"')[2].partition("</ul>")[0], re.DOTALL)
    return [" ".join(words(line).replace(" ,", ",").replace(" ;", ";").split()) for line in lines]


def test_the_board_in_words_tells_the_ground_of_each_piece_and_every_tile(app: Flask) -> None:
    pieces = (pawn("a", "m3", hits=1, strength=2), pawn("b", "l1", "black"))
    html = page(app, showing(app, board(*pieces, ground="m3 water,m2 forest,l1 hill")))
    assert spoken(html) == [
        "m3 White: Pawn, Water, 1 of 2 hits",
        "l1 Black: Pawn, Hill",
        "l1 Hill; Black: Pawn",
        "m2 Forest",
        "m3 Water; White: Pawn",
    ]


def test_a_picked_piece_says_on_what_it_stands(app: Flask) -> None:
    html = page(app, showing(app, board(pawn("a", "m3"), pawn("b", "m2"), ground="m3 swamp")))
    about = {one: words(text) for one, text in re.findall(r'<p id="about-(\w)">(.*?)</p>', html, re.DOTALL)}
    assert "Swamp" in about["a"]
    assert "Swamp" not in about["b"]


def test_the_legend_names_each_terrain_once_with_its_picture(app: Flask) -> None:
    tower = Terrain("m1", "base", say("{side}'s base", side=Text("white")), "white")
    ground = (tower, *(Terrain(at, kind, Text(kind)) for at, kind in (("m2", "ice"), ("m3", "ice"), ("n1", "odd"))))
    html = page(app, showing(app, board(terrain=ground)))
    legend = html.partition('id="signs"')[2].partition("</details>")[0]
    assert [words(line).strip() for line in re.findall(r"<li.*?</li>", legend, re.DOTALL)] == [
        "White's base",
        "ice",
        "odd",
    ]
    assert "ground-base side-white" in legend
    assert "#castle" in legend
    assert "#ice" in legend
    assert 'id="signs"' not in page(app, showing(app, msgspec.structs.replace(board(terrain=ground), hexes=False)))


def test_one_fold_says_what_the_signs_of_a_map_and_of_a_tableau_beside_it_mean(app: Flask) -> None:
    shown = board(pawn("a", "m2"), ground="m2 ice")
    lying = Tableau(say("Reserve"), (), (("shield", say("Armour")),))
    html = page(app, showing(app, shown, lying))
    assert html.count("What the signs mean") == 1
    legend = html.partition('id="signs"')[2].partition("</details>")[0]
    assert [words(line).strip() for line in re.findall(r"<li.*?</li>", legend, re.DOTALL)] == ["Armour", "Ice"]


def test_a_base_has_the_colour_of_its_side(app: Flask) -> None:
    tower = Terrain("m1", "base", say("Base"), "black")
    html = page(app, showing(app, board(terrain=(tower, Terrain("m2", "field", say("Field"))))))
    assert re.findall(r'class="(?:ground|caption) ground-\w+( side-\w+)?"', html) == [
        " side-black",
        "",
        " side-black",
        "",
    ]


@pytest.mark.parametrize(("wide", "high", "many"), [(9, 12, False), (10, 4, True), (3, 13, True)])
def test_a_map_that_fits_no_phone_is_seen_in_parts(app: Flask, wide: int, high: int, many: bool) -> None:
    html = page(app, showing(app, board(wide=FILES[:wide], high=high)))
    section = re.search(r'<section class="([^"]*)" id="board"', html)
    assert section
    assert section[1] == f"board hexes{' many' if many else ''} f{wide} r{high}"
    assert ('id="board-view"' in html) == many


def test_there_is_a_class_for_every_column_and_row() -> None:
    css = (shipped("static") / "board.css").read_text("utf-8")
    for letter, most in (("f", 25), ("r", 42)):
        found = re.findall(rf"\.{letter}(\d+) {{ --{letter}: (\d+); }}", css)
        assert found == [(str(at), str(at)) for at in range(1, most + 1)]


def test_every_terrain_has_a_colour_and_a_picture_of_its_own(app: Flask) -> None:
    css = (shipped("static") / "board.css").read_text("utf-8")
    kinds = [kind for kind in KINDS if kind != "tunnel"] + ["base"]
    shown = board(wide=FILES, ground=",".join(f"{FILES[at]}1 {kind}" for at, kind in enumerate(kinds)))
    html = page(app, showing(app, shown))
    found = re.findall(r'<g class="caption ground-(\w+)[^"]*"[^>]*><use href="[^"#]*#(\w+)"', html)
    assert [kind for kind, _ in found] == kinds
    assert len({picture for _, picture in found}) == len(kinds)
    colours = [re.search(rf"\.ground-{kind}\b[^{{]*{{ --ground: var\(--(\w+)\)", css) for kind in kinds]
    assert len({one[1] for one in colours if one}) == len(kinds)


def test_rings_around_hexagons_have_a_halo() -> None:
    css = (shipped("static") / "hexes.css").read_text("utf-8")
    ringed = re.search(r"\.overlay :is\(\.pick \+ label, \.go, \.fight, \.sent\) {[^}]*}", css)
    assert ringed
    assert "drop-shadow(0 0 1px var(--halo))" in ringed[0]


def test_a_page_with_a_map_is_light(app: Flask) -> None:
    table = Table(app, "islands", wide=7, high=8, pieces=6)
    client = table.phones["red"]
    whole = client.get(f"/t/{table.id}/red", headers={"Accept-Encoding": "gzip"})
    text = gzip.decompress(whole.data).decode()
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', text))
    assert any(address.endswith("/hexes.css") for address in addresses)
    static = sum(len(client.get(address, headers={"Accept-Encoding": "gzip"}).data) for address in addresses)
    assert len(whole.data) + static < 60_000

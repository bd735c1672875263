"""A stock-take: whatever lies otherwise on the table is set at once, as one correction that touches nothing else."""

from __future__ import annotations

import random
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games import discover
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.free_table.game import GAME as FREE_TABLE
from companion.games.history_of_war.game import GAME as HISTORY_OF_WAR
from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from companion.games.tactics_2gm.state import Token
from companion.kit.correction import written
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Hand, Piles, Tableau
from companion.kit.ruling import Refusal
from companion.kit.stock_take import settable, stock
from companion.kit.text import speak
from companion.table.problem import Problem
from companion.table.session import encoded
from companion.table.stock_take import Difference
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support import history_of_war_positions
from tests.support.chesswar_positions import KINGS, campaign, position
from tests.support.export_files import contents, export, folded, opened
from tests.support.free_tables import Free, english
from tests.support.piece_corrections import pieces as placed
from tests.support.plain_games import posed
from tests.support.random_game import RandomGame
from tests.support.real_tables import another, differing
from tests.support.tactics_2gm_positions import battle, battlefield
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def state_of(tables: Tables, table: str) -> Any:
    with tables._look(table) as session:
        return session.state


def held(game: Any, state: Any, seats: list[str]) -> list[Any]:
    """Whose turn it is, and what everybody holds."""
    views = [game.view(state, seat) for seat in (*seats, SCREEN)]
    hands = [[card.code for card in one.cards] for view in views for one in view.panels if isinstance(one, Hand)]
    return [views[-1].to_move, hands]


@pytest.mark.sized
@pytest.mark.parametrize("name", discover())
def test_twenty_random_differences_are_one_entry_and_undone_at_once(name: str, tmp_path: Path, full: bool) -> None:
    games = discover()
    store = Store(tmp_path / "t.sqlite")
    tables = Tables(store, games)
    repaired, refused = 0, 0
    for seed in range(6 if full else 3):
        table = RandomGame(tables, games[name], seed)
        table.play(30 + seed * 10)
        game, rng = games[name], random.Random(seed)
        before = state_of(tables, table.table)
        seen = tables.seen(table.table, RULEKEEPER)
        wanted = differing(game, before, RULEKEEPER, rng)
        if not wanted or seen.waiting or seen.asked or seen.over:
            continue
        log = tables.seen(table.table, SCREEN).log[0].seq
        try:
            done = tables.set_right(table.table, RULEKEEPER, wanted, f"take-{seed}", seen.version)
        except (Refusal, Problem):
            refused += 1
            assert state_of(tables, table.table) == before
            continue
        repaired += len(wanted)
        after = state_of(tables, table.table)
        is_now = {value.path: written(value.field) for value in game.tracked(after)}
        for path, value in wanted:
            # Things that are alike, such as two hills, are numbered by where they lie; a tile is called by its place.
            alike = path.rpartition(".")[0] if path not in is_now or path.startswith("terrain.") else path
            found = [is_now[one] for one in is_now if one.startswith(alike)]
            assert value in found or path not in is_now, path
        assert held(game, after, table.seats) == held(game, before, table.seats)
        assert done.seq == log + 1, "one entry"
        assert tables.statistics(table.table).corrected == 1
        tables.take_back(table.table, RULEKEEPER, f"undo-{seed}")
        assert encoded(state_of(tables, table.table)) == encoded(before)
    assert repaired > refused
    store.close()


@pytest.mark.parametrize("name", discover())
def test_what_is_not_found_on_the_table_is_not_set(name: str, tmp_path: Path) -> None:
    games = discover()
    store = Store(tmp_path / "t.sqlite")
    tables = Tables(store, games)
    refused = 0
    for seed in range(3):
        table = RandomGame(tables, games[name], seed)
        table.play(30)
        seen = tables.seen(table.table, RULEKEEPER)
        if seen.waiting or seen.over:
            continue
        state, rng = state_of(tables, table.table), random.Random(seed)
        shown = settable(games[name].view(state, RULEKEEPER), games[name].tracked(state), games[name].lying_values)
        for value in games[name].tracked(state):
            if value in shown or value.only or value.field.kind not in {"number", "yes_no"}:
                continue
            other = another(value, (), rng)
            assert other is not None
            wanted = [Difference(value.path, other)]
            with pytest.raises((Refusal, Problem)):
                tables.set_right(table.table, RULEKEEPER, wanted, f"set {value.path}")
            refused += 1
        assert state_of(tables, table.table) == state
    assert refused
    store.close()


def test_pieces_that_changed_places_are_set_in_one_go(two_cities: RandomGame) -> None:
    tables, table = two_cities.tables, two_cities.table
    state = state_of(tables, table)
    units = {unit.square: unit.id for unit in state.units if unit.square}
    (one, first), (other, second), (third, last) = [*units.items()][:3]
    around = [
        Difference(f"unit.{first}.square", other),
        Difference(f"unit.{second}.square", third),
        Difference(f"unit.{last}.square", one),
    ]
    done = tables.set_right(table, "white", around, "a key")
    assert done.headline is not None
    assert speak(done.headline, str) == "Ana takes stock: 3 correction|Ana takes stock: 3 corrections".partition("|")[2]
    found = {unit.id: unit.square for unit in state_of(tables, table).units}
    assert (found[first], found[second], found[last]) == (other, third, one)
    assert tables.set_right(table, "white", around, "a key").seq == done.seq, "sent twice, done once"


def test_pieces_that_may_not_leave_the_table_change_places_too(tmp_path: Path) -> None:
    units = "a1 light_infantry c3 1w, a2 heavy_infantry e3 +mortar, x1 light_infantry d5"
    with open_tables(tmp_path, tactics_2gm=posed(TACTICS_2GM, battle(units))) as tables:
        table = battlefield(tables)
        before = {unit.id: unit for unit in state_of(tables, table.id).units}
        places = dict(zip(before, ("e3", "d5", "c3"), strict=True))
        around = [Difference(f"unit.{unit}.square", square) for unit, square in places.items()]
        seen = tables.seen(table.id, RULEKEEPER)
        tables.set_right(table.id, RULEKEEPER, around, "a key", seen.version)
        after = {unit.id: unit for unit in state_of(tables, table.id).units}
        assert after == {name: replace(unit, square=places[name]) for name, unit in before.items()}


def test_what_lies_on_a_piece_is_said_once() -> None:
    state = battle("a1 heavy_infantry e3 +mortar, a2 m4_sherman e2 +mg_1 +smoke_grenade, x1 light_infantry d5 +prone")
    grey = replace(state.unit("a1"), tokens=(Token("mortar", used=0),))
    state = state.but(units=tuple(grey if unit.id == "a1" else unit for unit in state.units))
    listed = stock(TACTICS_2GM.view(state, None), TACTICS_2GM.tracked(state), TACTICS_2GM.lying_values)
    said = {
        thing.id: [speak(note, lambda key: TACTICS_2GM.words.find(key, "en") or key) for note in thing.notes]
        for part in listed
        for line in part.lines
        for thing in line.things
        if thing.kind == "piece"
    }
    assert said["a1"] == ["mortar: grey since before"]
    assert said["a2"] == ["smoke grenade", "MG 1: ready to use"]
    assert said["x1"] == ["prone"]


def test_pieces_that_change_places_keep_how_they_lie_and_what_they_cast(tmp_path: Path) -> None:
    there = position(f"{KINGS}, w1 or d4, w2 or f4, w3 oq c2, storm w3 e6")
    down = there.with_unit("w1", down=True)
    places = {"w1": "f4", "w2": "c2", "w3": "d4"}
    with open_tables(tmp_path, chesswar=posed(CHESSWAR, down)) as tables:
        table = campaign(tables)
        around = [Difference(f"unit.{unit}.square", square) for unit, square in places.items()]
        tables.set_right(table.id, RULEKEEPER, [*around, Difference("unit.w2.down", "true")], "a key")
        after = state_of(tables, table.id)
        assert {name: after.find(name).square for name in places} == places
        assert [after.find(name).down for name in places] == [True, True, False]
        assert after.effects == down.effects


def test_how_a_piece_lies_is_set_where_it_is_seen() -> None:
    """A troll that lies knocked over, a card that lies on its side, markers on it, a token on a unit."""
    fallen = position(f"{KINGS}, w1 or d4, w2 or f4").with_unit("w1", down=True)
    cards = history_of_war_positions.game("b rifle_company t1 locked 2m")
    (unit,) = (piece.id for _, piece in placed(HISTORY_OF_WAR.view(cards, SCREEN)))
    armed = battle("a1 light_infantry c3 +grenade")
    for game, state, wanted in (
        (CHESSWAR, fallen, {"unit.w1.down", "unit.w2.down"}),
        (HISTORY_OF_WAR, cards, {f"card.{unit}.locked", f"card.{unit}.markers"}),
        (TACTICS_2GM, armed, {"unit.a1.token.grenade"}),
    ):
        assert wanted <= {
            value.path for value in settable(game.view(state, SCREEN), game.tracked(state), game.lying_values)
        }


def test_each_pile_is_counted_once_and_names_where_its_cards_are_set() -> None:
    """A deck is lines of a tracker, and what lies face up is a pile: for whoever may print it too."""
    for open_hands in (False, True):
        free = Free("Ana", "Ben").do("player_1", "set_deck", name="Poker", open=open_hands)
        for seat, count in (("player_1", 3), ("player_2", 2)):
            free.do(seat, "draw", tracker="t1", count=count)
        state = free.state
        for seat in ("player_1", "player_2", SCREEN):
            parts = stock(FREE_TABLE.view(state, seat), FREE_TABLE.tracked(state))
            lines = [line for part in parts for line in part.lines]
            counts = Counter(english(thing.name) for line in lines for thing in line.things)
            assert counts == {"Deck": 1, "Discard pile": 1, "Ana": 1, "Ben": 1}, (open_hands, seat)
            assert [one.path for one in lines[0].elsewhere] == ["t1.table"]
            assert not any(line.corrections for line in lines)


def test_hands_of_a_closed_deck_are_counted_beside_those_of_an_open_one() -> None:
    free = Free("Ana", "Ben").do("player_1", "set_deck", name="Open", open=True)
    free.do("player_1", "set_deck", name="Closed")
    for tracker in ("t1", "t2"):
        for seat in ("player_1", "player_2"):
            free.do(seat, "draw", tracker=tracker, count=2)
    for seat in ("player_1", SCREEN):
        parts = stock(FREE_TABLE.view(free.state, seat), FREE_TABLE.tracked(free.state))
        counts = Counter(english(thing.name) for part in parts for line in part.lines for thing in line.things)
        assert counts == {"Deck": 2, "Discard pile": 2, "Ana": 2, "Ben": 2}, seat


def test_all_or_nothing(two_cities: RandomGame) -> None:
    tables, table = two_cities.tables, two_cities.table
    before = state_of(tables, table)
    one, other = [unit for unit in before.units if unit.square][:2]
    wanted = [Difference(f"unit.{one.id}.hits", "1"), Difference(f"unit.{one.id}.square", other.square)]
    with pytest.raises(Refusal) as refusal:
        tables.set_right(table, "white", wanted, "a key")
    assert other.square in speak(refusal.value.text, str)
    assert state_of(tables, table) == before


def test_turns_and_hands_are_left_alone(two_cities: RandomGame) -> None:
    tables, table = two_cities.tables, two_cities.table
    before = state_of(tables, table)
    (unit, *_) = before.units
    hit = Difference(f"unit.{unit.id}.hits", "1")
    other = "black" if before.active == "white" else "white"
    for path, value in (("game.active", other), ("game.turn", "9"), ("cards.white", "AS"), ("cards.removed", "AS")):
        with pytest.raises((Refusal, Problem)):
            tables.set_right(table, "white", [hit, Difference(path, value)], f"key {path}")
        assert state_of(tables, table) == before
    for wrong in ([], [hit, hit], [Difference(hit.path, "0")], [Difference("unit.nobody.hits", "1")]):
        with pytest.raises(Problem):
            tables.set_right(table, "white", wrong, f"key {wrong}")


def test_what_somebody_else_changed_meanwhile_is_not_set_over(two_cities: RandomGame) -> None:
    tables, table = two_cities.tables, two_cities.table
    one, other = [unit.id for unit in state_of(tables, table).units if unit.square][:2]
    seen = tables.seen(table, "white").version
    both = [Difference(f"unit.{one}.hits", "1"), Difference(f"unit.{other}.hits", "1")]
    tables.set_right(table, "black", both, "black's")
    for path in (one, other):
        with pytest.raises(Problem) as wrong:
            tables.set_right(table, "white", [Difference(f"unit.{path}.hits", "2")], f"white's {path}", seen)
        assert "was changed in the meantime: now it is 1." in speak(wrong.value.text, str)
    assert [unit.hits for unit in state_of(tables, table).units if unit.id in {one, other}] == [1, 1]


def test_a_table_with_a_stock_take_is_copied_and_opened_again(two_cities: RandomGame) -> None:
    tables, table = two_cities.tables, two_cities.table
    one, other = [unit.id for unit in state_of(tables, table).units if unit.square][:2]
    wanted = [Difference(f"unit.{one}.hits", "1"), Difference(f"unit.{other}.hits", "1")]
    tables.set_right(table, "white", wanted, "a key")
    action = contents(export(tables, table))["log"][-1]["action"]
    assert action["corrections"] == [one._asdict() for one in wanted]
    assert (action["path"], action["value"]) == wanted[0], "an earlier Companion reads the first one"
    with tables._look(table) as session:
        assert session.db.corrected(table, 1) == {one.path for one in wanted}
    again = tables.import_(BytesIO(export(tables, table)))
    assert state_of(tables, again.table) == state_of(tables, table)
    spoilt = opened(export(tables, table))
    for corrections in ("unit", [{"value": "1"}], [1]):
        spoilt["contents"]["log"][-1]["action"]["corrections"] = corrections
        with pytest.raises(Problem):
            tables.import_(BytesIO(folded(spoilt)))


@pytest.mark.sized
@pytest.mark.parametrize("name", discover())
def test_what_is_listed_is_what_a_seat_sees_and_no_more(name: str, tmp_path: Path, full: bool) -> None:
    games = discover()
    store = Store(tmp_path / "t.sqlite")
    tables = Tables(store, games)
    for seed in range(4 if full else 1):
        table = RandomGame(tables, games[name], seed)
        for _ in range(8):
            table.play(8)
            state = state_of(tables, table.table)
            for seat in (*table.seats, RULEKEEPER, SCREEN):
                view = games[name].view(state, seat)
                listed = [
                    one
                    for part in stock(view, games[name].tracked(state), games[name].lying_values)
                    for line in part.lines
                    for one in line.things
                ]
                pieces = {piece.id for _, piece in placed(view)}
                found = [one.id for one in listed if one.kind == "piece"]
                assert sorted(found) == sorted(pieces), "each once"
                paths = [one.path for thing in listed for one in thing.corrections]
                assert len(paths) == len(set(paths)), "no value in two places"
                secrets = [
                    one for thing in listed for one in thing.corrections if one.secret_of or one.only or one.reveals
                ]
                assert not secrets
                piles = [
                    (pile.name, pile.count) for panel in view.panels if isinstance(panel, Piles) for pile in panel.piles
                ]
                assert [(one.name, one.count) for one in listed if one.kind == "pile"] == piles
                face_down = [zone.hidden for panel in view.panels if isinstance(panel, Tableau) for zone in panel.zones]
                assert sum(one.count for one in listed if one.kind == "hidden") == sum(face_down)
    store.close()


@pytest.fixture
def two_cities(tmp_path: Path) -> Iterator[RandomGame]:
    """A table of two people, some way into its game."""
    store = Store(tmp_path / "t.sqlite")
    table = RandomGame(Tables(store, discover()), discover()["two_cities"], 3, board="mirrored")
    table.play(60)
    yield table
    store.close()


def test_ground_that_is_printed_on_neighbouring_squares_is_one_line_and_what_is_laid_there_is_not() -> None:
    view = TACTICS_2GM.view(battle("a1 light_infantry d3"), SCREEN)
    printed = [one.place for part in stock(view) for line in part.lines for one in line.things if one.kind == "ground"]
    assert [place for place in printed if "–" in place]
    (board,) = (panel for panel in view.panels if isinstance(panel, Board))
    assert len(printed) < len(board.terrain)
    ground = {one.square: one.name for one in board.terrain}
    files = {rank: [file + rank for file in board.files] for rank in board.ranks}
    for place in printed:
        begin, _, end = place.partition("–")
        run = files[begin.lstrip("abcdefghijklmnopqrstuvwxyz")]
        squares = run[run.index(begin) : run.index(end or begin) + 1]
        names = [ground.pop(square) for square in squares]  # each square once
        assert names == [names[0]] * len(names)
    assert ground == {}

"""A rematch begins with what people had brought to the table before: each person's own, wherever they sit now."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from companion.games import discover
from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.questions import Throw
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table import seats, undo
from companion.table.session import decoded, encoded
from tests.support.brought_decks import alike_for_others, twins
from tests.support.conformance import filled
from tests.support.played_out import play_out
from tests.support.sizes import first
from tests.support.toy_tables import open_tables, sit_at
from tests.support.twin_actions import laid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.table.records import Entry
    from companion.table.tables import Tables
    from tests.support.toy_tables import Sitting
    from tests.support.twins import Twin

GAMES = discover()
MAP = 'name = "Marsh"\n[[tile]]\nterrain = "swamp"\ncount = 31\n'
GROUND = 'name = "Bocage"\n[[terrain]]\nname = "Hedge"\ncost = 1\ncount = 3\n'


class Bringing(NamedTuple):
    """A game to which people bring lists: what each of two does, and what of a state is the list of a seat."""

    options: dict[str, Any]
    deeds: dict[str, list[dict[str, Any]]]
    list_of: Callable[[Any, str], Any]
    common: Callable[[Any], Any] = lambda _: None


def sample(name: str) -> dict[str, Any]:
    return {"action": "use_sample", "sample": name}


def army(state: Any, seat: str) -> Any:
    """The army that a side leads, and what it has bought."""
    kinds = [unit.type for unit in state.units if unit.side == seat]
    return state.armies.get(seat), sorted(kinds)


HUMANS = {"action": "raise_army", "army": "humans", "queen": 1, "knight": 3, "pawn": 6}
ORCS = {"action": "raise_army", "army": "orcs", "rook": 2, "pawn": 5}
BROUGHT = {
    "history_of_war": Bringing(
        {},
        {
            "blue": [sample("blue_sample"), {"action": "set_count", "card": "u0", "count": 1}],
            "red": [sample("red_sample"), {"action": "name_deck", "name": "Iron"}],
        },
        lambda state, seat: state.rosters.get(seat),
    ),
    "tactics_2gm": Bringing(
        {},
        {
            "allies": [sample("allies_sample"), {"action": "set_count", "card": 0, "count": 1}],
            "axis": [
                sample("axis_sample"),
                {"action": "name_deck", "name": "Iron"},
                {"action": "load_terrain", "text": GROUND},
            ],
        },
        lambda state, seat: msgspec.structs.replace(state.rosters[seat], side=None) if seat in state.rosters else None,
        lambda state: state.terrain_deck,
    ),
    "pocket_tactics": Bringing(
        {},
        {
            "blue": [sample("bannermen_sample"), {"action": "name_deck", "name": "Ours"}],
            "red": [sample("bannermen_sample"), {"action": "load_bag", "text": MAP}],
        },
        lambda state, seat: state.factions.get(seat),
        lambda state: state.bag,
    ),
    "chesswar": Bringing({"race": "secret"}, {"white": [HUMANS], "black": [ORCS]}, army),
}
GOES_ON = tuple(BROUGHT)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path, random.Random(1), **GAMES) as opened:
        yield opened


def brought(tables: Tables, name: str) -> Sitting:
    """A table to which two people have brought their lists, and at which they end it."""
    one = BROUGHT[name]
    table = sit_at(tables, name, one.deeds, **one.options)
    for seat, deeds in one.deeds.items():
        for deed in deeds:
            tables.act(table.id, seat, deed, table.key())
    table.end()
    return table


def state_of(tables: Tables, table: str) -> Any:
    return laid(tables, table)[0]


def headlines(tables: Tables, table: str, seat: str = SCREEN) -> list[str]:
    return [speak(line.headline, str) for line in tables.report(table, seat)]


# the lists are there


@pytest.mark.parametrize("swap", [False, True], ids=["kept", "swapped"])
@pytest.mark.parametrize("name", BROUGHT)
def test_each_person_has_the_list_that_they_brought(tables: Tables, name: str, swap: bool) -> None:
    one, table = BROUGHT[name], brought(tables, name)
    here = [*one.deeds]
    there = {seat: tables.rematch(table.id, seat, swap=swap) for seat in here}
    assert [seated.seat for seated in there.values()] == (here[::-1] if swap else here)
    old, new = state_of(tables, table.id), state_of(tables, there[here[0]].table)
    for seat in here:
        assert one.list_of(old, seat), seat
        shown = one.list_of(new, there[seat].seat)
        assert shown == one.list_of(old, seat) or name == "chesswar"
    if name == "chesswar":
        assert [one.list_of(new, there[seat].seat) for seat in here] == [one.list_of(old, seat) for seat in here]
    assert one.common(new) == one.common(old)


@pytest.mark.parametrize("name", BROUGHT)
def test_a_list_can_still_be_changed_and_everybody_says_ready(tables: Tables, name: str) -> None:
    one, table = BROUGHT[name], brought(tables, name)
    new = tables.rematch(table.id, next(iter(one.deeds))).table
    assert state_of(tables, new).ready == ()
    for seat, deeds in one.deeds.items():
        offered = {offer.action for offer in tables.seen(new, seat).offers}
        assert "ready" in offered
        assert deeds[0]["action"] in offered
        tables.act(new, seat, deeds[0], f"again {seat}")
    for seat in one.deeds:
        tables.act(new, seat, {"action": "ready"}, f"ready {seat}")
    assert tables.seen(new, next(iter(one.deeds))).log


@pytest.mark.parametrize("name", BROUGHT)
def test_the_log_begins_with_where_it_comes_from(tables: Tables, name: str) -> None:
    table = brought(tables, name)
    new = tables.rematch(table.id, RULEKEEPER).table
    assert headlines(tables, new)[0] == f"Rematch of table {table.id}: same lists"
    again = tables.create(name, "", {}, {}).table
    tables.end(again, RULEKEEPER, "k")
    empty = tables.rematch(again, RULEKEEPER).table
    first_line = tables.report(empty, SCREEN)[0]
    assert speak(first_line.headline, str) == f"Rematch of table {again}", "nobody had brought anything"
    assert speak(first_line.reasons[0].text, str) == headlines(tables, again)[0]


def test_a_game_without_lists_begins_as_any_other(tables: Tables) -> None:
    table = sit_at(tables, "two_cities", ("white", "black"))
    table.end()
    new = tables.rematch(table.id, "white").table
    assert headlines(tables, new)[0] == f"Rematch of table {table.id}"
    assert state_of(tables, new).ready == ()


@pytest.mark.parametrize("name", first("pocket_tactics", "chesswar", "history_of_war", "tactics_2gm"))
def test_lists_outlive_a_whole_game(tables: Tables, name: str) -> None:
    contest = play_out(tables, name, 1)
    begun = next(
        state for _, state in states(tables, contest.table) if all(seat in lists(state) for seat in contest.roles)
    )
    swap = len(contest.roles) == 2
    there = {seat: tables.rematch(contest.table, seat, swap=swap) for seat in contest.roles}
    new = state_of(tables, next(iter(there.values())).table)
    for seat, seated in there.items():
        was, now = lists(contest.state)[seat], lists(new)[seated.seat]
        assert seat in lists(begun)
        assert same_list(was, now), (seat, was, now)


@pytest.mark.parametrize("name", first("chesswar", "pocket_tactics", "history_of_war", "tactics_2gm"))
def test_whenever_a_table_is_ended_something_can_be_begun_again(tables: Tables, name: str) -> None:
    contest, game = play_out(tables, name, 2), GAMES[name]
    fresh = game.setup(contest.options, Ask()).outcome
    here = contest.roles
    for _, state in states(tables, contest.table):
        new = game.again(fresh, state, dict(zip(here, here[::-1], strict=True)))
        assert decoded(game, encoded(new)) == new
        for seat in (*here, SCREEN):
            assert not game.view(new, seat).over
            game.offers(new, seat)


def lists(state: Any) -> dict[str, Any]:
    """What each seat brought: a deck, a faction; of an army what was bought of it."""
    found = getattr(state, "rosters", None) or getattr(state, "factions", None)
    if found is not None:
        return dict(found)
    bought = getattr(state, "lists", {})
    return {side: (led, bought.get(side)) for side, led in getattr(state, "armies", {}).items()}


def same_list(was: Any, now: Any) -> bool:
    if isinstance(was, tuple):
        return was[0] == now[0]
    of_a_side = hasattr(was, "side") and was.side != now.side
    if of_a_side and was.sample:
        return bool(now.sample)
    return bool(msgspec.structs.replace(was, side=now.side) == now) if of_a_side else bool(was == now)


def states(tables: Tables, table: str) -> list[tuple[Entry, Any]]:
    """The entries of a log that have a state, and that."""
    with tables._look(table) as session:
        return [(entry, decoded(session.game, entry.state)) for entry in session.log() if entry.state]


# armies


def test_an_army_is_as_it_was_raised_whoever_fell_and_rose_since(tables: Tables) -> None:
    contest, game = play_out(tables, "chesswar", 0), GAMES["chesswar"]
    raised = next(state for _, state in states(tables, contest.table) if state.lists)
    fallen = next(unit for unit in contest.state.units if not unit.on_board)
    risen = msgspec.structs.replace(fallen, id=contest.state.new_id(fallen.side, fallen.kind))
    before = contest.state.but(units=(*contest.state.units, risen))
    fresh = game.setup(before.options, Ask()).outcome
    new = game.again(fresh, before, {"white": "black", "black": "white"})
    for side, other in (("white", "black"), ("black", "white")):
        then = sorted(unit.type for unit in raised.units if unit.side == side)
        now = [unit for unit in new.units if unit.side == other]
        assert sorted(unit.type for unit in now) == then
        assert all(unit.square and unit.on_board and not unit.engaged for unit in now)


@pytest.mark.parametrize("race", ["declared", "secret"])
def test_another_army_may_be_led_this_time(tables: Tables, race: str) -> None:
    table = sit_at(tables, "chesswar", ("white", "black"), race=race)
    for side, led in (("white", HUMANS), ("black", ORCS)) if race == "declared" else ():
        tables.act(table.id, side, {"action": "choose_army", "army": led["army"]}, table.key())
    for side, led in (("white", HUMANS), ("black", ORCS)):
        tables.act(table.id, side, led, table.key())
    with pytest.raises(Refusal):
        tables.act(table.id, "white", {"action": "choose_army", "army": "elves"}, table.key())
    table.end()
    new = tables.rematch(table.id, "white").table
    if race == "declared":
        tables.act(new, "white", {"action": "choose_army", "army": "elves"}, "a1")
        state = state_of(tables, new)
        assert (army(state, "white"), army(state, "black")) == (
            ("elves", []),
            army(state_of(tables, table.id), "black"),
        )
        assert state.phase == "raising"
        with pytest.raises(Refusal):
            tables.act(new, "white", {"action": "choose_army", "army": "humans"}, "a2")
    tables.act(new, "white", {"action": "raise_army", "army": "elves", "pawn": 2}, "a3")
    assert army(state_of(tables, new), "white")[0] == "elves"
    tables.act(new, "black", {"action": "ready"}, "a4")
    with pytest.raises(Refusal):
        tables.act(new, "black", {"action": "choose_army", "army": "elves"}, "a5")


def test_an_army_that_only_one_had_chosen_is_led_again(tables: Tables) -> None:
    table = sit_at(tables, "chesswar", ("white", "black"))
    tables.act(table.id, "white", {"action": "choose_army", "army": "elves"}, "k1")
    table.end()
    new = state_of(tables, tables.rematch(table.id, "white", swap=True).table)
    assert (new.phase, new.armies, new.units) == ("choosing", {"black": "elves"}, ())


# sides of 2GM Tactics, partners


def test_whoever_had_the_sample_of_a_side_has_that_of_the_other(tables: Tables) -> None:
    table = sit_at(tables, "tactics_2gm", ("allies", "axis"))
    tables.act(table.id, "allies", sample("allies_sample"), "k1")
    tables.act(table.id, "axis", sample("axis_sample"), "k2")
    table.end()
    decks = state_of(tables, table.id).rosters
    assert state_of(tables, tables.rematch(table.id, "axis", swap=True).table).rosters == decks


def test_partners_keep_their_decks_and_who_leads(tables: Tables) -> None:
    four = ("allies_1", "allies_2", "axis_1", "axis_2")
    table = sit_at(tables, "tactics_2gm", four, players="four")
    tables.act(table.id, "axis_2", {"action": "set_marshal", "marshal": "axis_2"}, "k1")
    for seat in four:
        tables.act(table.id, seat, sample(f"{seat.split('_')[0]}_sample"), f"k {seat}")
    table.end()
    old, new = (state_of(tables, one) for one in (table.id, tables.rematch(table.id, "axis_1").table))
    assert (new.rosters, new.marshal) == (old.rosters, {"axis": "axis_2"})


# the free table


def test_a_free_table_keeps_its_trackers_and_its_own_decks(tables: Tables) -> None:
    table = sit_at(tables, "free_table", ("player_1", "player_2"), begin="cards")
    own = {"action": "set_deck", "name": "Omens", "which": "own", "own": "2 Sun\nMoon"}
    tables.act(table.id, "player_1", own, "k1")
    tables.act(table.id, "player_1", {"action": "set_counter", "name": "Life", "start": 20}, "k2")
    deck = next(one for one in state_of(tables, table.id).trackers if one.name == "Omens")
    tables.act(table.id, "player_2", {"action": "draw", "tracker": deck.id}, "k3")
    assert state_of(tables, table.id).trackers[-2].hands
    tables.act(table.id, "player_1", {"action": "end"}, "k4")
    new = tables.rematch(table.id, "player_2").table
    state = state_of(tables, new)
    assert [one.name for one in state.trackers] == [one.name for one in state_of(tables, table.id).trackers]
    again = state.trackers[-2]
    assert (again.own, again.hands, again.begun) == (deck.own, {}, False), "the hand of the old game is no hand here"
    assert state.people == {"player_1": "Player_1", "player_2": "Player_2"}
    assert not tables.seen(new, SCREEN).over


# nobody learns more by it


def begun_again(twin: Twin, players: list[str], swap: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rematch of a table, with the code and the tokens that its twin's has."""
    numbers = count()
    monkeypatch.setattr(seats.secrets, "choice", lambda signs: signs[next(numbers) % len(signs)])
    monkeypatch.setattr(seats.secrets, "token_urlsafe", lambda _: f"{next(numbers):043}")
    twin.tables.end(twin.id, RULEKEEPER, "end")
    twin.tables.consent_to_end(twin.id, players[0], yes=True, key="agreed")
    seated = [twin.tables.rematch(twin.id, seat, swap=swap) for seat in (*players, RULEKEEPER)]
    monkeypatch.undo()
    twin.sit(seated[0].table, {one.seat: one.token for one in seated})


SECRETS: dict[str, list[list[dict[str, Any]]]] = {
    "history_of_war": [
        BROUGHT["history_of_war"].deeds["blue"],
        [sample("red_sample"), {"action": "name_deck", "name": "X"}],
    ],
    "tactics_2gm": [
        BROUGHT["tactics_2gm"].deeds["allies"],
        [sample("allies_sample"), {"action": "name_deck", "name": "Mist"}],
    ],
    "chesswar": [[HUMANS], [ORCS]],
}
"""What one of two does whose list is a secret, at either of two tables."""


@pytest.mark.parametrize("swap", [False, True], ids=["kept", "swapped"])
@pytest.mark.parametrize("name", SECRETS)
def test_nobody_else_learns_what_a_list_is(
    name: str, swap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [*BROUGHT[name].deeds]
    both = twins(GAMES[name], tmp_path, players, SECRETS[name], BROUGHT[name].options)
    for twin in both:
        begun_again(twin, players, swap, monkeypatch)
    owner, other = players[::-1] if swap else players
    alike_for_others(*both, (other,))
    one, two = both
    assert one.page(owner, "", "es") != two.page(owner, "", "es"), "whose list it is sees it"


# replay, copies, steps that are undone


def plays_on(tables: Tables, name: str, table: str, rng: random.Random, steps: int) -> None:
    """Do so many things that are offered, at random, and take some of them back."""
    players, keys = [*BROUGHT[name].deeds], count()
    for _ in range(steps):
        asked = next(filter(None, (tables.seen(table, seat).asked for seat in players)), None)
        if asked is not None:
            able = (
                []
                if isinstance(asked.question, Throw)
                else [option.value for option in asked.question.options if option.barred is None]
            )
            given = {"value": rng.choice(able)} if able else {"roll": True}
            tables.answer(table, asked.seat, given, f"r{next(keys)}")
            continue
        seat = rng.choice(players)
        offers = [offer for offer in tables.seen(table, seat).offers if not offer.grave]
        if not offers:
            continue
        offer = rng.choice([offer for offer in offers if offer.main] * 2 + offers[:6])
        try:
            tables.act(table, seat, filled(offer, rng), f"r{next(keys)}")
        except Refusal:
            assert offer.loose
        if rng.random() < 0.2 and not tables.seen(table, RULEKEEPER).waiting and steps_left(tables, table):
            undone(tables, table, players)


@pytest.mark.parametrize("seed", first(1, 2, 3, 4))
@pytest.mark.parametrize("name", GOES_ON)
def test_it_is_replayed_carried_away_and_undone_as_any_table(
    tables: Tables, name: str, seed: int, tmp_path: Path
) -> None:
    rng, players = random.Random(seed), [*BROUGHT[name].deeds]
    new = tables.rematch(brought(tables, name).id, players[0], swap=seed % 2 == 1).table
    plays_on(tables, name, new, rng, 25)
    assert tables.damage(new) is None
    replayed(tables, name, new)
    (tmp_path / "other").mkdir()
    with open_tables(tmp_path / "other", random.Random(1), **GAMES) as others:
        copy = others.import_(tables.copy(new, RULEKEEPER, "copy")).table
        assert encoded(state_of(others, copy)) == encoded(state_of(tables, new))
        assert [encoded(state) for _, state in states(others, copy)] == [encoded(s) for _, s in states(tables, new)]
        assert headlines(others, copy)[0] == headlines(tables, new)[0]
        assert others.damage(copy) is None
    while steps_left(tables, new):
        undone(tables, new, players)
    assert state_of(tables, new).phase in {"decks", "factions", "raising"}
    assert all(BROUGHT[name].list_of(state_of(tables, new), seat) for seat in players), "to the lists, and no further"


def replayed(tables: Tables, name: str, table: str) -> None:
    """Every step comes to the same state again, from the first entry on."""
    by_seq: dict[int, Any] = {}
    game = GAMES[name]
    for entry, state in states(tables, table):
        if entry.kind == "action":
            action = msgspec.convert(entry.action, game.actions)
            ask = Ask(entry.answers)
            assert encoded(game.rule(by_seq[entry.base], entry.seat, action, ask).outcome) == entry.state
        by_seq[entry.seq] = state


def steps_left(tables: Tables, table: str) -> bool:
    with tables._look(table) as session:
        return session.row.held is not None or undo.newest_step(session) is not None


def undone(tables: Tables, table: str, players: list[str]) -> None:
    keys = count(tables.version(table) * 10)
    if tables.seen(table, SCREEN).waiting:
        tables.withdraw(table, RULEKEEPER, f"u{next(keys)}")
        return
    tables.take_back(table, RULEKEEPER, f"u{next(keys)}")
    for seat in players:
        if (consent := tables.seen(table, seat).consent) and consent.mine_to_give:
            tables.consent(table, seat, yes=True, key=f"u{next(keys)}")
            break

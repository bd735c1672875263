"""Armies stay hidden: two tables that differ in White's only answer everybody else alike until all have deployed."""

from __future__ import annotations

import random
import shutil
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
import pytest

from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.deployment import Deploy, Ready
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move
from companion.games.chesswar.raising import ChooseArmy, RaiseArmy
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast, Cover
from companion.games.chesswar.victory import Surrender
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Roster
from companion.kit.ruling import Refusal
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.chesswar_positions import rule
from tests.support.sizes import first
from tests.support.twins import MOMENT, OF_THE_API, OF_THE_TABLE, PAGES, Luck, Twin
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.games.chesswar.state import State

OTHERS = ("black", RULEKEEPER, SCREEN)
HUMANS = {"army": "humans", "queen": 1, "knight": 3, "pawn": 6}
OTHER_HUMANS = {"army": "humans", "rook": 4, "bishop": 2, "pawn": 9}
ORCS = {"army": "orcs", "rook": 2, "pawn": 5}
TABLES = {
    "open": ({}, HUMANS, OTHER_HUMANS),
    "secret": ({"race": "secret", "terrain": True}, HUMANS, ORCS),
    "on the table": ({"board": "table", "race": "secret"}, HUMANS, ORCS),
}
"""Options, and the two armies of White's."""
PLACES = ({"unit": "wp1", "to": "a1"}, {"unit": "wk1", "to": "h2"})
"""Where White puts what at either table."""


def sent(state: State, seat: str) -> bytes:
    """All that a game tells a seat by itself: what it sees, may do, and may set by hand."""
    tracked = [
        entry if entry.secret_of in {None, seat} else msgspec.structs.replace(entry, field=blank(entry.field))
        for entry in GAME.tracked(state)
    ]
    return msgspec.json.encode((GAME.view(state, seat), GAME.offers(state, seat), tracked))


def blank(field: Any) -> Any:
    return msgspec.structs.replace(field, value=None)


def raised(options: dict[str, Any], army: dict[str, Any]) -> State:
    """White has raised an army, Black another."""
    state: State = GAME.setup(GAME.options(**options), Plays()).outcome
    if state.phase == "choosing":
        for side, name in (("white", army["army"]), ("black", "dwarves")):
            state = rule(state, side, ChooseArmy(name)).outcome
    state = rule(state, "black", RaiseArmy("dwarves", rook=1, pawn=3)).outcome
    return rule(state, "white", RaiseArmy(**army)).outcome


@pytest.mark.clause("CW-11", "CW-18", "CW-20")
@pytest.mark.parametrize("name", TABLES)
def test_another_army_changes_no_byte_of_what_others_are_sent(name: str) -> None:
    options, army, other = TABLES[name]
    one, two = raised(options, army), raised(options, other)
    assert sent(one, "white") != sent(two, "white")
    for seat in OTHERS:
        assert sent(one, seat) == sent(two, seat)
    one, two = (rule(state, "white", Ready()).outcome for state in (one, two))
    for seat in OTHERS:
        assert sent(one, seat) == sent(two, seat)
    one, two = (rule(state, "black", Ready()).outcome for state in (one, two))
    assert all(sent(one, seat) != sent(two, seat) for seat in OTHERS)


@pytest.mark.clause("CW-18", "CW-20")
def test_only_its_owner_reads_what_was_raised_and_where_it_stands() -> None:
    state = raised({"race": "secret"}, ORCS)
    for army in ARMIES.values():
        names = [kind.id for kind in army.unit]
        for seat in OTHERS:
            view = msgspec.json.encode(GAME.view(state, seat)).decode()
            own = army.id == "dwarves" and seat == "black"
            assert any(f'"{name}"' in view for name in names) == own
    for action in (RaiseArmy("orcs", pawn=7), Deploy("wk1", "a1")):
        ruling = rule(state, "white", action)
        public = msgspec.json.encode([reason for reason in ruling.reasons if reason.seat is None])
        assert public == b"[]"
        assert b"orc" not in msgspec.json.encode(ruling.headline)
        assert not ruling.reveals
    state = rule(state, "white", Ready()).outcome
    assert rule(state, "black", Ready()).reveals


@pytest.mark.clause("CW-18")
@pytest.mark.parametrize("name", ["wq1", "wn1", "wr4", "wp1", "nobody", "bp9"])
def test_a_refusal_does_not_tell_whether_an_enemy_has_a_unit_of_that_name(name: str) -> None:
    state = raised({}, HUMANS)
    for action in (
        Deploy(name, "a8"),
        Move(name, "a3"),
        Charge(name, "bk1"),
        Shoot(name, "bk1"),
        Bombard(name, "a3"),
        Attack("bk1", name),
        Cast(name, "storm"),
        Cover(name),
        Cover("bk1", (name,)),
    ):
        told = {refused(one, action) for one in (state, raised({}, OTHER_HUMANS), raised({}, {"army": "humans"}))}
        assert len(told) == 1, action


def refused(state: State, action: Any) -> bytes:
    """How an action of Black's is refused, and what is said about its odds."""
    with pytest.raises(Refusal) as no:
        rule(state, "black", action)
    try:
        odds = GAME.foresee(state, "black", action)
    except Refusal as neither:
        odds = neither.text, neither.clause, neither.field
    return msgspec.json.encode((no.value.text, no.value.clause, no.value.field, odds))


class Screens:
    """Two tables that are the same but for what White has behind the screen."""

    def __init__(self, name: str, folder: Path) -> None:
        options, *self.armies = TABLES[name]
        self.mirrored = options.get("board") != "table"
        self.keys, self.compared, self.rng = count(1), 0, random.Random(name)
        store = Store(folder / "1" / "tables.sqlite")
        tables = Tables(store, {GAME.slug: GAME}, random.Random(1), now=lambda: MOMENT)
        made = tables.create(GAME.slug, "", options, {})
        tokens = {**made.tokens, **{seat: tables.join(made.table, seat, seat) for seat in ("white", "black")}}
        store.close()
        shutil.copytree(folder / "1", folder / "2")
        self.both = []
        for number in ("1", "2"):
            luck = Luck(1)
            luck.swap, luck.soon, luck.late, luck.wait = {}, "", "", 0
            self.both.append(Twin(GAME, folder / number, made.table, tokens, luck))
        if options.get("race") != "secret":
            self.act("white", {"action": "choose_army", "army": "humans"})
            self.act("black", {"action": "choose_army", "army": "dwarves"})

    def key(self) -> str:
        return f"key-{next(self.keys):03}"

    def act(self, seat: str, *actions: dict[str, Any]) -> None:
        """Do something at both tables, the same or not, that is allowed."""
        key = self.key()
        for twin, action in zip(self.both, actions * 2, strict=False):
            answer = twin.api(seat, "/actions", {"action": action, "key": key})
            assert answer.startswith("200"), answer

    def raise_army(self) -> None:
        self.act("white", *({"action": "raise_army", **army} for army in self.armies))

    def deploy(self) -> None:
        if self.mirrored:
            self.act("white", *({"action": "deploy", **place} for place in PLACES))

    def same(self, method: str, seat: str, /, *what: Any, **form: str) -> str:
        """Ask both tables the same; the answers are the same, byte by byte."""
        one, two = (getattr(twin, method)(seat, *what, **form) for twin in self.both)
        self.compared += 1
        if one != two:
            at = next(at for at, (this, that) in enumerate(zip(one, two, strict=False)) if this != that)
            raise AssertionError(
                f"{seat} {method} {what} {form}: {one[at - 80 : at + 40]!r}, {two[at - 80 : at + 40]!r}"
            )
        return str(one)

    def look(self) -> None:
        """Look at both tables in every way that is not White's."""
        for seat in OTHERS:
            for tongue in ("es", "en"):
                for path in PAGES:
                    self.same("page", seat, path, tongue)
            for path in OF_THE_API:
                self.same("api", seat, path)
            for path in OF_THE_TABLE:
                self.same("answered", seat, f"/t/{self.both[0].id}{path}")

    def pry(self) -> None:
        """Try what is White's to do, and what is nobody's, from every other seat."""
        for seat in OTHERS:
            for wanted in forgeries():
                self.same("page", seat, f"/plan?do={urlencode(wanted)}", "en")
                self.same("posted", seat, "/act", do=urlencode(wanted), key=self.key())
                if seat != SCREEN:
                    self.same("api", seat, "/actions", {"action": wanted, "key": self.key()})

    def meddle(self) -> None:
        """Set what is behind White's screen from every other seat, by page or API, look, and take it back."""
        entries = [
            entry for entry in self.both[0].tables.tracked(self.both[0].id, RULEKEEPER) if ".white" in entry.path
        ]
        assert {entry.secret_of for entry in entries} >= {"white"}
        for seat in ("black", RULEKEEPER):
            for entry in self.rng.sample(entries, min(6, len(entries))):
                before = self.both[0].tables.version(self.both[0].id)
                value = self.value(entry.field)
                if self.rng.random() < 0.5:
                    self.same("posted", seat, "/correct", key=self.key(), **{f"v.{entry.path}": value})
                else:
                    self.same("api", seat, "/corrections", {"path": entry.path, "value": value, "key": self.key()})
                if self.both[0].tables.version(self.both[0].id) > before:
                    self.same("page", seat, "", "es")
                    self.same("page", seat, "/corrections", "es")
                    self.same("api", seat, "/log")
                    self.same("api", seat, "/undo", {"key": self.key()})

    def value(self, field: Any) -> str:
        if field.kind == "number":
            return str(self.rng.randint(field.low, field.high))
        if field.kind == "yes_no":
            return "true"
        return str(self.rng.choice([option.value for option in field.options]))


def forgeries() -> Iterator[dict[str, Any]]:
    """What somebody could try in order to learn what White has."""
    for unit in ("wq1", "wr1", "wp1", "wp9", "bp1"):
        yield {"action": "deploy", "unit": unit, "to": "a1"}
        yield {"action": "move", "unit": unit, "to": "a4"}
        yield {"action": "shoot", "unit": "bp1", "target": unit, "distance": 2}
        yield {"action": "cover", "unit": unit}
    yield {"action": "cover", "unit": "bp1", "covers": "wp1"}
    yield {"action": "bombard", "unit": "br1", "square": "a1"}
    yield {"action": "raise_army", "army": "humans", "pawn": 2}
    yield {"action": "end_phase"}


@pytest.mark.clause("CW-11", "CW-18", "CW-20")
@pytest.mark.parametrize("name", first("secret", "open", "on the table"))
def test_nobody_else_gets_another_byte_before_all_have_deployed(name: str, tmp_path: Path) -> None:
    screens = Screens(name, tmp_path)
    screens.raise_army()
    screens.look()
    screens.act("black", {"action": "raise_army", "army": "dwarves", "rook": 1, "pawn": 4})
    screens.deploy()
    screens.pry()
    screens.meddle()
    screens.look()
    screens.act("white", {"action": "ready"})
    screens.pry()
    screens.meddle()
    screens.look()
    assert screens.compared > 400
    screens.act("black", {"action": "ready"})
    with pytest.raises(AssertionError, match="black page"):
        screens.look()


@pytest.mark.clause("CW-11", "CW-18", "CW-20")
@pytest.mark.parametrize("name", TABLES)
def test_who_gives_up_behind_the_screen_sees_no_army_and_none_is_seen_when_it_goes_on(name: str) -> None:
    options, army, other = TABLES[name]
    ends = [rule(raised(options, one), "black", Surrender()) for one in (army, other)]
    assert not any(ruling.reveals for ruling in ends), "nothing was shown"
    one, two = (ruling.outcome for ruling in ends)
    for seat in OTHERS:
        assert sent(one, seat) == sent(two, seat)
        assert b"wk1" not in sent(one, seat)
    before, after = (
        [panel.pieces for panel in GAME.view(state, "white").panels if isinstance(panel, Board | Roster)]
        for state in (raised(options, army), one)
    )
    assert before == after != [], "White still sees what is White's"
    again = [GAME.correct(state, "game.winner", "none", Plays()) for state in (one, two)]
    assert again == [raised(options, army), raised(options, other)]
    for seat in OTHERS:
        assert sent(again[0], seat) == sent(again[1], seat)


@pytest.mark.clause("CW-20", "CW-23")
def test_what_has_been_seen_is_raised_no_more() -> None:
    state = raised({}, HUMANS)
    for seat in ("white", "black"):
        state = rule(state, seat, Ready()).outcome
    assert state.phase == "redeploying"
    over = rule(state, "black", Surrender()).outcome
    assert b"wk1" in sent(over, "black")
    assert GAME.correct(over, "game.winner", "none", Plays()) == state

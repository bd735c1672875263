"""Hidden things stay hidden: what a seat gets does not depend on what it may not know."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.kit.ruling import Reason
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.views import readable
from tests.support.export_files import export, opened
from tests.support.toy_game import CARDS, Hit, Toy
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from companion.kit.asking import Ask
    from companion.kit.ruling import Ruling

OTHERS = ("blue", "rulekeeper", "screen")


def bytes_of(table: Sitting, seat: str, *, at: str = "") -> str:
    """Return everything that a seat can be told, as JSON without the times and the table's code."""
    tables = table.tables
    everything: list[Any] = [tables.seen(table.id, seat), tables.report(table.id, seat)]
    everything += [tables.tracked(table.id, seat), tables.log(table.id, seat), tables.summary(table.id)]
    text = msgspec.json.encode(everything).decode().replace(table.id, "-")
    for line in tables.report(table.id, seat):
        text = text.replace(line.at, at)
    return text.replace(tables.summary(table.id).updated_at, at)


class Rigged(Random):
    """Draw the cards that a test wants, in order, and throw as ever."""

    def __init__(self, cards: list[str]) -> None:
        super().__init__(7)
        self.cards = cards

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        drawn, self.cards = self.cards[:k], self.cards[k:]
        return drawn


def played(folder: Path, cards: list[str]) -> Iterator[Sitting]:
    with open_tables(folder, Rigged(cards)) as tables:
        table = sit(tables)
        yield table
        table.act("red", "draw", count=2)
        yield table
        table.act("red", "bid")
        yield table
        table.answer("red", value=cards[0])
        yield table
        with pytest.raises(Problem):
            table.act("blue", "add")
        yield table
        table.take_back("red")
        yield table


def test_changing_only_hidden_facts_leaves_the_bytes_of_others_identical(tmp_path: Path) -> None:
    one, two = (played(tmp_path / name, cards) for name, cards in (("1", ["1x", "2x"]), ("2", ["3y", "4z"])))
    steps = 0
    for this, that in zip(one, two, strict=True):
        for seat in OTHERS:
            assert bytes_of(this, seat) == bytes_of(that, seat)
        steps += 1
        if steps > 1:
            assert bytes_of(this, "red") != bytes_of(that, "red")
    assert steps == 6


def test_no_card_of_a_hand_or_the_pile_is_in_the_bytes_of_others(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        table.act("red", "draw", count=5)
        table.correct("red", "hand.red", "1x,2y")
        done = table.act("red", "bid")
        said = msgspec.json.encode(done).decode()
        assert not any(card in said for card in CARDS if card not in {"1x", "2y"})
        for seat in OTHERS:
            seen = msgspec.json.encode([tables.seen(table.id, seat), tables.report(table.id, seat)]).decode()
            assert not any(f'"{card}"' in seen for card in CARDS)


def test_what_an_action_answers_carries_no_secret_of_another_seat(tmp_path: Path) -> None:
    def told(name: str, cards: list[str]) -> list[str]:
        with open_tables(tmp_path / name, Rigged(cards)) as tables:
            table = sit(tables)
            table.act("red", "draw", count=2)
            steps: list[Callable[[], Any]] = [
                lambda: table.act("red", "pass"),
                lambda: table.act("blue", "bid"),
                lambda: table.answer("blue", value="1x"),
                lambda: table.answer("blue", value="none"),
                lambda: table.take_back("blue"),
                lambda: table.consent("rulekeeper", yes=True),
                lambda: table.correct("blue", "hand.red", "4x"),
            ]
            said = []
            for step in steps:
                try:
                    said.append(msgspec.json.encode(step()).decode())
                except Exception as wrong:  # noqa: BLE001
                    said.append(f"{wrong!r} {vars(wrong)}")
            return said

    assert told("1", ["1x", "2x"]) == told("2", ["3y", "4z"])


def test_secret_reasons_are_left_out_at_every_depth(tmp_path: Path) -> None:
    mine, yours = Reason(say("mine"), seat="red"), Reason(say("yours"), seat="blue")
    whole = Reason(say("sum"), terms=(mine, yours, Reason(say("all"), terms=(yours,))))
    (read,) = readable((whole,), "red")
    assert read.terms == (mine, Reason(say("all")))
    assert readable((yours,), "screen") == ()


class Whispering(Toy):
    """Toy whose hit tells the one who hits something that the other must not read."""

    def do(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        if isinstance(action, Hit):
            ask.tell(say("for everybody"))
            ask.tell(say("for the one who hits"), seat=seat)
        return super().do(state, seat, action, ask)


def test_the_story_of_an_action_under_way_is_told_without_what_is_for_one_seat(tmp_path: Path) -> None:
    def told(reasons: Iterable[Reason]) -> list[str]:
        return [reason.text.say for reason in reasons]

    with open_tables(tmp_path, toy=Whispering()) as tables:
        table = sit(tables, "typed")
        table.act("red", "hit")
        for seat in ("red", *OTHERS):
            assert told(table.seen(seat).story) == ["for everybody"]
        blue = table.seen("blue").asked
        assert blue is not None
        assert told(blue.reasons) == ["for everybody"]
        table.answer("blue", value="no")
        for seat in ("red", *OTHERS):
            assert told(table.seen(seat).story) == ["for everybody"]
        red = table.seen("red").asked
        assert red is not None
        assert told(red.reasons) == ["for everybody", "for the one who hits"]


def test_what_is_taken_away_while_the_game_goes_on_shows_no_hand(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        table.act("red", "draw", count=5)
        for seat in ("red", "blue", "screen"):
            with pytest.raises(Problem) as wrong:
                export(tables, table.id, seat)
            assert wrong.value.status == 403
        assert not any(f'"{card}"' in export(tables, table.id).decode() for card in CARDS)
        table.end()
        assert any(f'"{card}"' in json.dumps(opened(export(tables, table.id, "blue"))) for card in CARDS)
        with pytest.raises(Problem):
            export(tables, table.id, "screen")

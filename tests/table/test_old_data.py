"""What Companion wrote at 823fa96 opens, speaks, goes on, is undone, corrected and counted in every later one."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import sys
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.games import GROUP, OtherContract, discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.questions import Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from companion.table.problem import Problem
from companion.web.state import NAME
from tests.support.catalogue import committed
from tests.support.conformance import any_value, filled
from tests.support.guide_game import build
from tests.support.paths import TESTS
from tests.support.toy_tables import open_tables
from tests.support.watch import Watch, walk, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.tables import Tables

OLD = TESTS / "old" / "823fa96"
TOLD: list[dict[str, Any]] = json.loads(gzip.decompress((OLD / "told.json.gz").read_bytes()))
COMMON = {str(message.id) for message in committed() if message.string}
"""What is said at every table, where it has Spanish words."""
TABLES = pytest.mark.parametrize("told", TOLD, ids=[f"{told['game']}-{told['kind']}" for told in TOLD])


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """All games of today, and one of an installed package: the guide's, which no longer says what the old one said."""
    packages = tmp_path_factory.mktemp("packages")
    build(packages / "dash")
    shutil.copy(OLD / "packages/dash/data/words.toml", packages / "dash/data/retired.toml")
    shutil.copytree(OLD / "packages/dash-1.0.dist-info", packages / "dash-1.0.dist-info")
    (packages / "dash-1.0.dist-info/entry_points.txt").write_text(f"[{GROUP}]\ndash = dash:GAME\n", "utf-8")
    sys.path.insert(0, str(packages))
    yield discover()
    sys.path.remove(str(packages))
    del sys.modules["dash"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("old")
    (made / "tables.sqlite").write_bytes(gzip.decompress((OLD / "tables.sqlite.gz").read_bytes()))
    return made


@pytest.fixture(scope="module")
def old(folder: Path, games: dict[str, Any]) -> Iterator[Tables]:
    """The tables as they were; nothing is done at them."""
    with open_tables(folder, **games) as tables:
        yield tables


@contextmanager
def copied(folder: Path, to: Path, games: dict[str, Any]) -> Iterator[Tables]:
    shutil.copy(folder / "tables.sqlite", to / "tables.sqlite")
    with open_tables(to, random.Random(14), **games) as tables:
        yield tables


def exported(told: dict[str, Any]) -> bytes:
    return gzip.decompress((OLD / "exports" / f"{told['game']}-{told['kind']}.json.gz").read_bytes())


def is_as_told(tables: Tables, table: str, told: dict[str, Any], entries: int) -> None:
    """A table waits for the same people, offers the same, tracks the same and says the same of its past."""
    game = tables._games[told["game"]]
    watch = Watch(game)
    screen = tables.seen(table, SCREEN)
    assert [one.seat for one in screen.waiting] == told["waiting"]
    tracked = [[one.path, one.field.value] for one in tables.tracked(table, RULEKEEPER)]
    assert json.loads(msgspec.json.encode(tracked)) == told["tracked"]
    for seat, actions in told["offers"].items():
        seen = tables.seen(table, seat)
        assert sorted({offer.action for offer in seen.offers}) == actions
        watch.texts((seen.view, seen.offers, seen.story))
    report = tables.report(table, SCREEN)
    lines = [[line.kind, line.seat, line.who, line.undone, line.typed] for line in report]
    assert lines[:entries] == [line[:5] for line in told["log"]]
    for line in report:
        for text in walk((line.headline, line.reasons)):
            assert not isinstance(text, Text) or spoken(game, text), text.say


def spoken(game: Any, text: Text) -> bool:
    """Whether a sentence of a log has words in both languages, the game's or the table's; a number needs none."""
    return (
        not any(map(str.isalpha, text.say))
        or text.say in COMMON
        or all(worded(game, text.say, tongue) for tongue in ("en", "es"))
    )


def counted(tables: Tables, table: str) -> Any:
    """The statistics of a table, without what was not counted then."""
    now = json.loads(json.dumps(msgspec.to_builtins(tables.statistics(table), enc_hook=str)))
    return {name: value for name, value in now.items() if name != "played"}


def go_on(tables: Tables, table: str, seats: list[str], rng: random.Random) -> None:
    """Answer what waits, else do one thing that is offered."""
    for waiting in tables.seen(table, SCREEN).waiting:
        asked = tables.seen(table, waiting.seat).asked
        if asked is None:
            continue
        question = asked.question
        if isinstance(question, Throw):
            faces = [rng.randint(1, question.sides) for _ in range(question.count)]
            answer: dict[str, Any] = {"faces": faces} if asked.may_type else {"roll": True}
        else:
            answer = {"value": rng.choice([one.value for one in question.options if one.barred is None])}
        tables.answer(table, waiting.seat, answer, f"old {rng.random()}")
        return
    ways = [(seat, offer) for seat in seats for offer in tables.seen(table, seat).offers if not offer.grave]
    if ways:
        seat, offer = rng.choice(ways)
        with suppress(Refusal, Problem):
            tables.act(table, seat, filled(offer, rng), f"old {rng.random()}")


def test_every_game_has_tables_of_every_kind(games: dict[str, Any]) -> None:
    assert {(told["game"], told["kind"]) for told in TOLD} == {
        (game, kind) for game in games for kind in ("under_way", "waiting", "changed", "over")
    }
    assert all(told["waiting"] for told in TOLD if told["kind"] == "waiting")


def test_every_sentence_of_an_old_log_has_words(games: dict[str, Any]) -> None:
    """Also those that no table here was told: somebody's log holds them."""
    said: dict[str, list[str]] = json.loads((OLD / "sentences.json").read_bytes())
    assert said.keys() == games.keys() - {"dash"}
    lost = [(name, one) for name, all_ in said.items() for one in all_ if games[name].words.find(one, "es") is None]
    assert lost == []


@TABLES
def test_an_old_table_is_shown_and_counted_as_it_was(old: Tables, told: dict[str, Any]) -> None:
    is_as_told(old, told["table"], told, len(told["log"]))
    assert old.version(told["table"]) == told["version"]
    assert counted(old, told["table"]) == told["statistics"]


@TABLES
def test_an_old_export_opens_as_it_was_and_is_counted(
    tmp_path: Path, games: dict[str, Any], told: dict[str, Any]
) -> None:
    with open_tables(tmp_path, **games) as tables:
        table = tables.import_(exported(told)).table
        before, now = told["statistics"], counted(tables, table)
        since = {"version", "breaks", "away"}  # it was away until it was opened
        assert {name: now[name] for name in now if name not in since} == {
            name: before[name] for name in before if name not in since
        }
        for seat in told["offers"].keys() - {RULEKEEPER, SCREEN}:
            tables.join(table, seat, "Eva")
        is_as_told(tables, table, told, len(told["log"]))


@TABLES
def test_an_old_table_goes_on_is_undone_and_corrected(
    tmp_path: Path, folder: Path, games: dict[str, Any], told: dict[str, Any]
) -> None:
    rng = random.Random(told["table"])
    table, seats = told["table"], [seat for seat in told["offers"] if seat not in (RULEKEEPER, SCREEN)]
    with copied(folder, tmp_path, games) as tables:
        if tables.seen(table, SCREEN).ended:
            tables.end(table, RULEKEEPER, "open again", on=False)
        for _ in range(6):
            go_on(tables, table, seats, rng)
        while tables.seen(table, SCREEN).waiting:
            go_on(tables, table, seats, rng)
        before = tables.seen(table, SCREEN)
        if before.take_back is not None:
            tables.take_back(table, RULEKEEPER, "take back")
        entries = [one for one in tables.tracked(table, RULEKEEPER) if one.field.value is not None]
        done = 0
        for entry in rng.sample(entries, min(len(entries), 12)):
            with suppress(Refusal, Problem):
                tables.correct(table, RULEKEEPER, entry.path, any_value(entry.field, rng), f"correct {entry.path}")
                done += 1
        kinds = [line.kind for line in tables.report(table, SCREEN)[len(told["log"]) :]]
        assert kinds.count("correction") == done
        assert done or tables.seen(table, SCREEN).view.over
        watch = Watch(games[told["game"]])
        for seat in told["offers"]:
            watch.texts(tables.seen(table, seat).view)
        assert counted(tables, table) is not None


@pytest.mark.sized
def test_pages_of_old_tables_come_in_both_languages(
    tmp_path: Path, folder: Path, games: dict[str, Any], full: bool
) -> None:
    tongues = cycle(("en", "es"))
    shutil.copy(folder / "tables.sqlite", tmp_path / "tables.sqlite")
    app = create_app(tmp_path, games=games)
    tables: Tables = app.extensions[NAME].tables
    for told in TOLD:
        table = told["table"]
        client = app.test_client()
        token = tables.private_link(table, RULEKEEPER)
        assert client.get(f"/s/{table}/{RULEKEEPER}/{token}").status_code == 303
        for page in (f"{RULEKEEPER}", f"{RULEKEEPER}/log", f"{RULEKEEPER}/corrections", "report", "statistics"):
            for tongue in islice(tongues, 2 if full else 1):
                answer = client.get(f"/t/{table}/{page}", headers={"Accept-Language": tongue})
                assert answer.status_code == 200, (told["game"], told["kind"], page)
                assert f'lang="{tongue}"' in answer.text
        assert client.get(f"/t/{table}/{SCREEN}").status_code == 200


def test_a_package_of_then_is_left_out_and_its_tables_are_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(OLD / "packages")
    with pytest.raises(OtherContract):
        discover()
    shutil.copy(folder / "tables.sqlite", tmp_path / "tables.sqlite")
    app = create_app(tmp_path)
    assert "The game of the package dash is left out: it was made for another Companion." in capsys.readouterr().err
    tables: Tables = app.extensions[NAME].tables
    for told in (told for told in TOLD if told["game"] == "dash"):
        table, client = told["table"], app.test_client()
        token = tables.private_link(table, RULEKEEPER)
        client.get(f"/s/{table}/{RULEKEEPER}/{token}")
        assert "The game dash is not installed" in client.get(f"/t/{table}/{RULEKEEPER}").text
        assert len(tables.report(table, SCREEN)) == len(told["log"])
        assert client.get(f"/t/{table}/report").status_code == 200
        page = client.get(f"/t/{table}/export.json").text
        key = re.search(r'name="key" value="([^"]+)"', page)
        assert key
        copy = client.post(f"/t/{table}/export.json", data={"key": key[1]})
        assert json.loads(copy.data)["game"] == "dash"

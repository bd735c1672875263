"""Carrying a table away and taking it in again; a damaged file is refused whole."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.table import import_file, import_table, session
from companion.table.export import Kept
from companion.table.problem import Problem
from companion.table.store import Store
from tests.support.export_files import export, folded, opened, unfolded
from tests.support.sizes import some
from tests.support.toy_game import Toy
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.table.tables import Tables


def played(tables: Tables) -> Sitting:
    table = sit(tables, "ask", goal=42)
    table.act("red", "draw", count=3)
    table.act("red", "roll", answers=[{"faces": [6, 5]}])
    table.act("red", "add")
    table.take_back("red")
    table.correct("blue", "points.blue", "9")
    table.act("red", "roll", answers=[{"roll": True}])
    table.take_back("rulekeeper")
    table.act("red", "pass")
    return table


def seats_free(table: Sitting) -> Sitting:
    for seat in ("red", "blue"):
        table.tables.join(table.id, seat, "")
    return table


def taken_in(tables: Tables, data: bytes) -> Sitting:
    created = tables.import_(data)
    return seats_free(Sitting(tables, created.table, created.tokens))


def test_a_table_comes_back_as_it_was(tables: Tables, tmp_path: Path) -> None:
    table = played(tables)
    table.act("blue", "hit")
    data = export(tables, table.id)
    with open_tables(tmp_path / "elsewhere") as others:
        created = others.import_(data)
        assert set(created.tokens) == {"rulekeeper"}
        assert [one.name for one in others.summary(created.table).people if not one.taken] == ["Red", "Blue"]
        *report, opening = others.report(created.table, "red")
        assert tuple(report) == tables.report(table.id, "red")
        assert (opening.kind, opening.headline.say) == ("setting", "This table was opened from a copy")
        again = seats_free(Sitting(others, created.table, created.tokens))
        for seat in ("red", "blue", "rulekeeper", "screen"):
            here, there = table.seen(seat), again.seen(seat)
            assert (there.view, there.asked, there.waiting) == (here.view, here.asked, here.waiting)
            assert (there.last, there.dice, there.title) == (here.last, here.dice, here.title)
        again.answer("red", value="no")
        again.answer("blue", faces=[1, 1, 1])
        again.take_back("rulekeeper")
        again.take_back("rulekeeper")
        again.take_back("rulekeeper")
        assert again.points() == "11 to 0"


def test_what_comes_back_is_carried_away_the_same(tables: Tables) -> None:
    table = played(tables)
    table.end()
    data = opened(export(tables, table.id))
    again = opened(export(tables, tables.import_(export(tables, table.id)).table))
    assert again["contents"]["log"].pop()["headline"] == {"say": "This table was opened from a copy"}
    assert again | {"digest": ""} == data | {"digest": ""}


def test_what_comes_back_came_the_same_way(tables: Tables, tmp_path: Path) -> None:
    table = played(tables)
    again = tables.import_(export(tables, table.id)).table
    store = Store(tmp_path / "tables.sqlite")
    with store.read() as books:
        lasts = [row.last for one in (again, table.id) if (row := books.row(one))]
        assert books.entries(again, 1, lasts[0])[:-1] == books.entries(table.id, 1, lasts[1])
    store.close()


def test_a_table_in_play_comes_back_too(tables: Tables) -> None:
    table = played(tables)
    assert taken_in(tables, export(tables, table.id)).hand("red") == table.hand("red")


def test_what_was_played_while_the_clock_stood_at_its_beginning_comes_back(tmp_path: Path) -> None:
    clock = Clock()
    clock.time = datetime(1970, 1, 1, 0, 0, 12, tzinfo=UTC)
    with open_tables(tmp_path, clock=clock) as tables:
        table = played(tables)
        again = taken_in(tables, export(tables, table.id))
        assert again.seen("red").log[0].at == "1970-01-01T00:00:12+00:00"


def test_no_token_and_no_fate_is_carried_away(tables: Tables) -> None:
    table = played(tables)
    table.end()
    whole = opened(export(tables, table.id))
    assert not any(token in json.dumps(whole) for token in table.tokens.values())
    rolled = [answer for entry in whole["contents"]["log"] for answer in entry.get("answers", [])]
    assert {answer["type"] for answer in rolled} == {"cards", "faces"}
    assert set(whole["contents"]) == {"log"}


def damaged(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """Change an export, folded or not, and make its digest fit again."""

    def spoil(data: bytes) -> bytes:
        whole = opened(data)
        change(whole)
        return folded(whole) if isinstance(json.loads(data)["contents"], str) else unfolded(whole)

    return spoil


def swapped(data: bytes, change: Callable[[list[Any]], object]) -> bytes:
    """Change the log of an export and leave its digest as it was."""
    whole = opened(data)
    change(whole["contents"]["log"])
    write = folded if isinstance(json.loads(data)["contents"], str) else unfolded
    return json.dumps(json.loads(write(whole)) | {"digest": whole["digest"]}).encode()


def exchange(log: list[dict[str, Any]], one: int, other: int) -> None:
    """Let two entries stand in each other's place."""
    log[one], log[other] = log[other] | {"seq": one + 1}, log[one] | {"seq": other + 1}


def entry(number: int, **change: Any) -> Callable[[bytes], bytes]:
    return damaged(lambda whole: whole["contents"]["log"][number].update(change))


def corrected(**change: Any) -> Callable[[bytes], bytes]:
    """Change the entry of the correction."""
    return damaged(
        lambda whole: next(one for one in whole["contents"]["log"] if one["kind"] == "correction").update(change)
    )


def nested(deep: int, inner: Any, around: Callable[[Any], Any]) -> Any:
    for _ in range(deep):
        inner = around(inner)
    return inner


def sealed(seat: str, value: str, key: str = "bid") -> dict[str, Any]:
    return {seat: {"type": "choice", "key": key, "value": value, "seat": seat}}


def fighter(name: str) -> dict[str, Any]:
    return {"id": "1", "side": "red", "name": {"say": name, "places": {"a": 1}}}


def duel(left: str, right: str = "x", pairs: int = 1, verdict: str = "tie") -> dict[str, Any]:
    names = {side: {"say": name, "places": {"a": 1}} for side, name in (("left", left), ("right", right))}
    return {**names, "pairs": [{"left": 6, "right": 6, "verdict": verdict}] * pairs}


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str | None]] = {
    "nothing": (lambda _: b"", None),
    "no JSON": (lambda _: b"\xff\xfe\x00", None),
    "a part is missing": (lambda data: data[: len(data) // 2], None),
    "a list": (lambda _: b"[]", None),
    "deep": (lambda _: b"[" * 100_000, None),
    "another file": (lambda _: b'{"format": "pgn"}', "format"),
    "newer": (damaged(lambda whole: whole.update(edition=3)), "edition"),
    "another game": (damaged(lambda whole: whole.update(game="chess")), "game"),
    "an unknown field": (damaged(lambda whole: whole.update(tokens=[])), "tokens"),
    "no title": (damaged(lambda whole: whole.pop("title")), "title"),
    "a long title": (damaged(lambda whole: whole.update(title="x" * 81)), "title"),
    "options": (damaged(lambda whole: whole["options"].update(goal=-4)), "goal"),
    "dice": (damaged(lambda whole: whole.update(dice="loaded")), "dice"),
    "a seat less": (damaged(lambda whole: whole["seats"].pop()), "seats"),
    "a seat twice": (damaged(lambda whole: whole["seats"].append(whole["seats"][0])), "seats"),
    "a long name": (damaged(lambda whole: whole["seats"][0].update(name="x" * 99)), "seats"),
    "created": (damaged(lambda whole: whole.update(created="yesterday")), "created"),
    "an empty log": (damaged(lambda whole: whole["contents"].update(log=[])), "log"),
    "an entry less": (damaged(lambda whole: whole["contents"]["log"].pop(3)), "log 5"),
    "an entry less at the end": (lambda data: swapped(data, lambda log: log.pop()), "digest"),
    "an entry more at the end": (lambda data: swapped(data, lambda log: log.append(log[-1] | {"seq": 13})), "digest"),
    "two entries exchanged": (damaged(lambda whole: exchange(whole["contents"]["log"], 3, 4)), "log 4"),
    "entries in disorder": (damaged(lambda whole: whole["contents"]["log"].reverse()), "log 12"),
    "no beginning": (damaged(lambda whole: whole["contents"]["log"].pop(0)), "log 2"),
    "another number": (entry(4, seq=77), "log 77"),
    "a beginning that is none": (entry(0, kind="action"), "log 1"),
    "a second beginning": (entry(4, kind="start"), "log 5"),
    "another base": (entry(4, base=1), "log 5"),
    "an undo of nothing": (entry(6, undoes=2), "log 7"),
    "an undo that sets a state": (entry(6, state={"goal": 1}), "log 7"),
    "an action without a state": (entry(4, state=None), "log 5"),
    "a state of another game": (entry(4, state={"pawns": 8}), "log 5"),
    "a state that is none": (entry(4, state=7), "log 5"),
    "a position that can not be looked at": (
        damaged(lambda whole: whole["contents"]["log"][-2]["state"].update(points={})),
        "log",
    ),
    "a position before that can not be looked at": (
        damaged(lambda whole: whole["contents"]["log"][4]["state"].update(points={})),
        "log",
    ),
    "a position taken back that can not be looked at": (
        damaged(lambda whole: whole["contents"]["log"][3]["state"].update(points={})),
        "log",
    ),
    "a time": (entry(4, at="noon"), "log 5"),
    "a time nowhere": (entry(4, at="2026-01-01T12:00:00"), "log 5"),
    "a time before all times": (entry(4, at="0001-01-01T00:00:00+14:00"), "log 5"),
    "a time after all times": (entry(4, at="9999-12-31T23:59:59-14:00"), "log 5"),
    "made before all times": (damaged(lambda whole: whole.update(created="0001-01-01T00:00:00+14:00")), "created"),
    "a correction of nothing": (corrected(action=None), "log 8"),
    "a correction of something else": (corrected(action={"value": "9"}), "log 8"),
    "a correction of a number": (corrected(action={"path": 7, "value": "9"}), "log 8"),
    "a sentence with a dot": (entry(4, headline={"say": "{a.b}", "places": {"a.b": "x"}}), "log 5"),
    "a sentence with an index": (entry(4, headline={"say": "{a[0]}", "places": {"a[0]": "x"}}), "log 5"),
    "a sentence with no name": (entry(4, headline={"say": "{}", "places": {"": "x"}}), "log 5"),
    "a sentence with a number": (entry(4, headline={"say": "{0}", "places": {"0": "x"}}), "log 5"),
    "sentences without end": (
        entry(4, headline=nested(140, "x", lambda inner: {"say": "{a}", "places": {"a": inner}})),
        "log 5",
    ),
    "reasons without end": (
        entry(4, reasons=[nested(140, {"text": {"say": "x"}}, lambda inner: {"text": {"say": "x"}, "terms": [inner]})]),
        "log 5",
    ),
    "an action without end": (entry(4, action=nested(140, {}, lambda inner: {"action": [inner]})), "log 5"),
    "a sentence with an empty place": (entry(4, headline={"say": "{who} acts", "places": {"a": "b"}}), "log 5"),
    "a sentence that reaches inside": (
        entry(4, headline={"say": "{who.__class__}", "places": {"who": "b"}}),
        "log 5",
    ),
    "a sentence that does not end": (entry(4, reasons=[{"text": {"say": "{", "places": {"a": 1}}}]), "log 5"),
    "harm to what can not be named": (
        entry(4, reasons=[{"text": {"say": "x"}, "harm": [{"to": fighter("{"), "hits": 1}]}]),
        "log 5",
    ),
    "harm by what can not be named": (
        entry(4, reasons=[{"text": {"say": "x"}, "harm": [{"to": fighter("x"), "by": fighter("{")}]}]),
        "log 5",
    ),
    "dice of somebody that can not be named": (entry(4, reasons=[{"text": {"say": "x"}, "duel": duel("{")}]), "log 5"),
    "dice against somebody that can not be named": (
        entry(4, reasons=[{"text": {"say": "x"}, "duel": duel("x", "{")}]),
        "log 5",
    ),
    "more opposed dice than can be said": (
        entry(4, reasons=[{"text": {"say": "x"}, "duel": duel("x", pairs=2000)}]),
        "log 5",
    ),
    "opposed dice that neither win nor tie": (
        entry(4, reasons=[{"text": {"say": "x"}, "duel": duel("x", verdict="lost")}]),
        "contents.log[4].reasons[0].duel.pairs[0].verdict",
    ),
    "harm of no kind": (
        entry(4, reasons=[{"text": {"say": "x"}, "harm": [{"to": fighter("x"), "fate": "eaten"}]}]),
        "contents.log[4].reasons[0].harm[0].fate",
    ),
    "a kind": (entry(4, kind="miracle"), "contents.log[4].kind"),
    "answers": (
        entry(4, answers=[{"type": "faces", "key": "roll", "faces": "six"}]),
        "contents.log[4].answers[0].faces",
    ),
    "many answers": (entry(4, answers=[{"type": "instant", "key": "", "at": 1}] * 10_001), "contents.log[4].answers"),
    "folded badly": (damaged(lambda whole: whole.update(contents="eJw=")), "contents"),
    "folded not at all": (damaged(lambda whole: whole.update(contents="!")), "contents"),
    "one letter": (lambda data: data.replace(b"red acts", b"ted acts", 1).replace(b'"Red"', b'"Ted"', 1), "digest"),
    "no digest": (lambda data: data.replace(b'"digest"', b'"paused"', 1), None),
}


@pytest.mark.parametrize("write", [folded, unfolded])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_and_nothing_is_kept(
    tables: Tables, damage: str, write: Callable[[dict[str, Any]], bytes]
) -> None:
    table = played(tables)
    table.end()
    spoil, field = DAMAGES[damage]
    before = [one.table for one in tables.summaries()]
    with pytest.raises(Problem) as wrong:
        tables.import_(spoil(write(opened(export(tables, table.id)))))
    assert wrong.value.status == 400
    if field is not None:
        assert wrong.value.field == field
    assert [one.table for one in tables.summaries()] == before


SIZE = 2_000_000
HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a title": (damaged(lambda whole: whole.update(title="x" * SIZE)), "title"),
    "a field that is none": (damaged(lambda whole: whole.update(x="x" * SIZE)), "x"),
    "options": (damaged(lambda whole: whole.update(options=[[]] * (SIZE // 4))), "options"),
    "a sentence": (entry(4, headline={"say": "x" * SIZE}), "contents.log[4]"),
    "a state": (entry(4, state=[[]] * (SIZE // 4)), "contents.log[4]"),
    "a name": (entry(4, who="x" * 201), "contents.log[4].who"),
    "a log of small numbers": (
        damaged(lambda whole: whole["contents"].update(log=[1] * (SIZE // 3))),
        "contents.log[0]",
    ),
}


@pytest.mark.parametrize("write", [folded, unfolded])
@pytest.mark.parametrize("what", some(HOSTILE, every=2))
def test_a_file_made_to_fill_the_memory_is_refused_before_it_does(
    tables: Tables, what: str, write: Callable[[dict[str, Any]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played(tables)
    table.end()
    spoil, field = HOSTILE[what]
    monkeypatch.setattr(import_file, "MAX_PIECE_BYTES", SIZE // 20)
    file = BytesIO(spoil(write(opened(export(tables, table.id)))))
    tracemalloc.start()
    try:
        with pytest.raises(Problem) as wrong:
            tables.import_(file)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (wrong.value.status, wrong.value.field) == (400, field)
    assert most < SIZE


def test_a_log_waits_on_the_disk_until_all_of_it_is_checked(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played(tables)
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(import_table, "MAX_IN_MEMORY", 10)
    monkeypatch.setattr(session, "TOGETHER", 2)
    again = tables.import_(export(tables, table.id)).table
    assert tables.report(again, "screen")[:-1] == tables.report(table.id, "screen")
    assert sorted(tmp_path.iterdir()) == before


def test_a_log_that_finds_no_room_on_the_disk_is_refused(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = export(tables, played(tables).id)
    monkeypatch.setattr(import_table, "MAX_IN_MEMORY", 10)
    monkeypatch.setattr(tables._store, "path", tmp_path / "nowhere" / "tables.sqlite")
    with pytest.raises(Problem) as wrong:
        tables.import_(data)
    assert (wrong.value.status, wrong.value.passing) == (409, True)


def test_a_log_that_repeats_a_large_position_too_often_is_refused(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played(tables)
    data = export(tables, table.id)
    monkeypatch.setattr(import_table, "MAX_LOG_BYTES", 1000)
    with pytest.raises(Problem) as wrong:
        tables.import_(data)
    assert (wrong.value.status, wrong.value.field) == (413, "file")


@pytest.mark.parametrize(("limit", "most"), [("MAX_ENTRIES", 5), ("MAX_LOG_BYTES", 1000)])
def test_a_log_of_more_than_anybody_plays_is_refused(
    limit: str, most: int, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = export(tables, played(tables).id)
    monkeypatch.setattr(import_file, limit, most)
    with pytest.raises(Problem) as wrong:
        tables.import_(data)
    assert (wrong.value.status, wrong.value.field) == (413, "file")


def test_one_file_is_opened_at_a_time(tables: Tables) -> None:
    data = export(tables, played(tables).id)

    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            with pytest.raises(Problem) as wrong:
                tables.import_(data)
            assert (wrong.value.status, wrong.value.passing) == (429, True)
            return super().read(size)

    before = len(tables.summaries())
    tables.import_(Slow(data))
    with pytest.raises(Problem):
        tables.import_(Slow(b"no table"))
    tables.import_(data)
    assert len(tables.summaries()) == before + 2


def test_a_table_that_has_ended_is_folded_too(tables: Tables) -> None:
    table = played(tables)
    table.end()
    whole = json.loads(export(tables, table.id))
    assert isinstance(whole["contents"], str)
    assert len(whole["contents"]) < len(json.dumps(opened(export(tables, table.id))["contents"])) / 3


def test_what_is_wrong_with_a_position_is_written_down(tables: Tables, caplog: pytest.LogCaptureFixture) -> None:
    table = played(tables)
    table.end()
    spoil, _ = DAMAGES["a position that can not be looked at"]
    with pytest.raises(Problem):
        tables.import_(spoil(export(tables, table.id)))
    assert "KeyError" in caplog.text


def test_an_action_under_way_that_does_not_fit_is_refused(tables: Tables) -> None:
    table = sit(tables)
    table.act("red", "hit")
    table.end()
    for change in ({"seat": "green"}, {"action": {"action": "fly"}}, {"sealed": {}, "answers": 3}):
        spoil = damaged(lambda whole, change=change: whole["contents"]["held"].update(change))
        with pytest.raises(Problem) as wrong:
            tables.import_(spoil(export(tables, table.id)))
        assert wrong.value.status == 400


@pytest.mark.parametrize(
    "change",
    [
        {"action": {"action": "add"}},
        {"action": {"action": "roll"}, "answers": [{"type": "faces", "key": "roll", "faces": [6, 5]}]},
        {"answers": [{"type": "choice", "key": "dodge", "value": "perhaps", "seat": "blue"}]},
        {"answers": [{"type": "faces", "key": "dodge", "faces": [1]}]},
        {"seat": "rulekeeper"},
        {"action": {"action": "race"}},
        {"sealed": sealed("blue", "yes", "dodge")},
        {"action": {"action": "bid"}, "sealed": sealed("green", "none")},
        {"action": {"action": "bid"}, "sealed": sealed("blue", "9z")},
        {"action": {"action": "bid"}, "sealed": sealed("blue", "none") | sealed("red", "none")},
    ],
)
def test_an_action_under_way_that_its_rule_does_not_know_is_refused(tables: Tables, change: dict[str, Any]) -> None:
    table = sit(tables)
    table.act("red", "hit")
    table.end()
    spoil = damaged(lambda whole: whole["contents"]["held"].update(change))
    with pytest.raises(Problem) as wrong:
        tables.import_(spoil(export(tables, table.id)))
    assert (wrong.value.status, wrong.value.field) == (400, "held")


@pytest.mark.parametrize(
    "question",
    [
        {"type": "throw", "key": "x", "why": {"say": "w"}, "by": "blue", "count": 20_000, "sides": 6},
        {
            "type": "choose",
            "key": "dodge",
            "why": {"say": "w"},
            "seat": "blue",
            "options": [
                {"value": "a", "label": {"say": "a"}},
                {"value": "b", "label": {"say": "b"}, "barred": {"text": {"say": "{x}", "places": {"y": 1}}}},
            ],
        },
    ],
)
def test_an_action_under_way_asks_what_its_rule_asks(tables: Tables, question: dict[str, Any]) -> None:
    table = sit(tables)
    table.act("red", "hit")
    asked = table.seen("blue").asked
    table.end()
    lies = {"question": question, "reasons": [{"text": {"say": "{x}", "places": {"y": 1}}}]}
    data = damaged(lambda whole: whole["contents"]["held"].update(lies) or whole.update(ended=False))(
        export(tables, table.id)
    )
    again = taken_in(tables, data)
    assert again.seen("blue").asked == asked
    assert again.seen("screen").story == ()
    again.answer("blue", value="no")


class Hazy(Toy):
    """The same game when it can read a position and not show it."""

    def view(self, state: Any, seat: str) -> Any:
        return {}[seat]


def test_a_table_that_can_not_be_shown_hides_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with open_tables(tmp_path) as tables:
        table = played(tables)
    with open_tables(tmp_path, toy=Hazy()) as tables:
        (summary,) = tables.summaries()
        assert (summary.playable, summary.over) == (False, False)
        assert table.id in caplog.text
        assert export(tables, table.id)
        with pytest.raises(Problem) as wrong:
            export(tables, table.id, "red")
        assert wrong.value.status == 403


def test_the_digest_is_of_the_whole_file(tables: Tables) -> None:
    whole = msgspec.json.decode(export(tables, played(tables).id), type=Kept)
    blank = msgspec.json.encode(msgspec.structs.replace(whole, digest=""), order="deterministic")
    assert whole.digest == sha256(blank).hexdigest()


class Later(Toy):
    """The same game after somebody changed its rules: old states can not be read, old actions mean something else."""

    state: Any = msgspec.defstruct("State", [("lives", dict[str, int])], frozen=True)


def test_later_rules_do_not_change_a_stored_past(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = played(tables)
        report = tables.report(table.id, "red")
    with open_tables(tmp_path, toy=Later()) as tables:
        with pytest.raises(Problem) as wrong:
            tables.seen(table.id, "red")
        assert wrong.value.status == 409
        with pytest.raises(Problem):
            tables.act(table.id, "red", {"action": "add"}, "k")
        assert tables.report(table.id, "red") == report
        assert export(tables, table.id)
        (summary,) = tables.summaries()
        assert not summary.playable
    with open_tables(tmp_path) as tables:
        assert tables.seen(table.id, "red").log == report[:-21:-1]


def test_a_game_that_is_not_installed_leaves_its_log(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = played(tables)
        report = tables.report(table.id, "red")
    with open_tables(tmp_path, other=Later()) as tables:
        with pytest.raises(Problem) as wrong:
            tables.seen(table.id, "red")
        assert wrong.value.status == 409
        assert tables.report(table.id, "red") == report
        assert export(tables, table.id)
        assert [one.seat for one in tables.summary(table.id).people] == ["blue", "red", "rulekeeper"]

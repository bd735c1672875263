"""JSON read piece by piece: the same pieces come out however the bytes arrive, and none is longer than allowed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table import json_stream
from companion.table.json_stream import Broken, JsonStream, TooLong

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORT = st.text(max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | SHORT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(SHORT, inner, max_size=5),
    max_leaves=20,
)


def blocks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def stream(text: str, size: int = 3, most: int = 1000) -> JsonStream:
    return JsonStream(blocks(text.encode(), size), most)


@given(VALUES, st.integers(1, 7), st.sampled_from([None, 1]), st.booleans())
def test_a_piece_comes_out_as_it_was_written(value: Any, size: int, indent: int | None, plain: bool) -> None:
    read = stream(f" {json.dumps(value, indent=indent, ensure_ascii=plain)}\n", size, 100_000)
    assert json.loads(read.value()) == value
    read.end()


@given(st.dictionaries(SHORT, st.lists(VALUES, max_size=4), max_size=4), st.integers(1, 7))
def test_objects_and_lists_are_read_part_by_part(value: dict[str, Any], size: int) -> None:
    read = stream(json.dumps(value, indent=1), size, 100_000)
    assert {name: [json.loads(read.value()) for _ in read.elements()] for name in read.members()} == value
    read.end()


@given(st.text(st.characters(exclude_characters='"\\', exclude_categories=("Cc", "Cs"))), st.integers(1, 7))
def test_a_long_text_is_read_part_by_part(text: str, size: int) -> None:
    read = stream(json.dumps(text, ensure_ascii=False), size, 1)
    assert b"".join(read.text_chunks()).decode() == text
    read.end()


@pytest.mark.parametrize("text", ['"' + "x" * 99 + '"', "[" + "1," * 50 + "1]", "9" * 100, '{"a": ["', "[" * 100])
@pytest.mark.parametrize("size", [3, 1000])
def test_a_piece_that_is_too_long_is_not_waited_for(text: str, size: int) -> None:
    asked = 0

    def endless() -> Iterator[bytes]:
        nonlocal asked
        yield from blocks(text.encode(), size)
        while True:
            asked += 1
            yield b"x" * 10

    with pytest.raises(TooLong):
        JsonStream(endless(), 50).value()
    assert asked <= 6


def test_a_piece_of_too_many_lists_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_LISTS", 10)
    assert stream("[" + "[]," * 8 + "{}]").value()
    with pytest.raises(TooLong):
        stream("[" + "[]," * 9 + "{}]").value()


@pytest.mark.parametrize(
    "text", ["", "[", '"', '"\\"', "]", ",", '{"a": 1', '{"a" 1}', "{1: 2}", '{"a": 1 "b": 2}', "[1 2]"]
)
def test_what_is_no_json_is_noticed(text: str) -> None:
    def read() -> None:
        whole = stream(text)
        match whole.peek():
            case b"{":
                for _ in whole.members():
                    whole.value()
            case b"[":
                for _ in whole.elements():
                    whole.value()
            case _:
                whole.value()
        whole.end()

    with pytest.raises(Broken):
        read()


def test_a_text_with_an_escape_is_not_read_part_by_part() -> None:
    with pytest.raises(Broken):
        list(stream('"abc\\u0041"').text_chunks())

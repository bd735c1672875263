"""What a form of a table sends is read by the shape of the action it names, whatever name comes."""

from __future__ import annotations

import tracemalloc

import msgspec

from companion.web import forms


class March(msgspec.Struct, frozen=True, tag_field="action", tag="march"):
    units: tuple[str, ...]
    song: str | None = None


class Rest(msgspec.Struct, frozen=True, tag_field="action", tag="rest"):
    hours: int


def test_a_list_stays_a_list_and_what_may_be_open_is_left_out() -> None:
    sent = {"do": ["action=march"], "f.units": ["a", "", "b"], "f.song": [""]}
    assert forms.action(March | Rest, sent) == {"action": "march", "units": ["a", "b"]}
    assert forms.action(March, sent) == {"action": "march", "units": ["a", "b"]}
    assert forms.action(March | Rest, {"do": ["action=rest&hours="]}) == {"action": "rest", "hours": ""}
    assert forms.action(March | Rest, {"do": ["action=sing&units=a"]}) == {"action": "sing", "units": "a"}
    assert forms.action(March | Rest, {}) == {}


def test_invented_actions_leave_nothing_behind() -> None:
    forms.action(March | Rest, {"do": ["action=rest"]})
    tracemalloc.start()
    try:
        for number in range(500):
            forms.action(March | Rest, {"do": [f"action={number:03000}"]})
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 200_000

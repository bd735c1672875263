"""Decks that people bring to a table, in the tests of every game that has any."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from companion.kit import rosters
from companion.kit.decks.entries import LONGEST_FILE
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.conformance import filled, settle
from tests.support.twins import MOMENT, OF_THE_API, OF_THE_TABLE, PAGES, Luck, Twin
from tests.support.watch import Watch

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from tests.support.playing import Playing


def as_json(value: Any) -> str:
    return msgspec.json.encode(msgspec.to_builtins(value)).decode()


WRITERS: dict[str, Any] = {"toml": rosters.write, "csv": rosters.write_table, "json": as_json}
"""How a file of each kind is written."""


def twins(
    game: Any,
    folder: Path,
    seats: Sequence[str],
    deeds: Iterable[Sequence[Any]],
    options: Mapping[str, Any] | None = None,
) -> tuple[Twin, Twin]:
    """Two tables at which the first seat has done other deeds, each as many."""
    store = Store(folder / "1" / "tables.sqlite")
    tables = Tables(store, {game.slug: game}, now=lambda: MOMENT)
    made = tables.create(game.slug, "", options, {})
    tokens = {**made.tokens, **{seat: tables.join(made.table, seat, seat) for seat in seats}}
    store.close()
    shutil.copytree(folder / "1", folder / "2")
    found = []
    for name, done in zip(("1", "2"), deeds, strict=True):
        luck = Luck(1)
        luck.swap, luck.soon, luck.late, luck.wait = {}, "", "", 0
        twin = Twin(game, folder / name, made.table, tokens, luck)
        for number, deed in enumerate(done):
            assert twin.api(seats[0], "/actions", {"action": deed, "key": f"k{number}"}).startswith("200")
        found.append(twin)
    return found[0], found[1]


def alike_for_others(one: Twin, two: Twin, others: Iterable[str]) -> None:
    """Pages, streams, logs, statistics and the API of everybody else are alike to the byte."""
    for seat in (*others, RULEKEEPER, SCREEN):
        for twin in (one, two):
            assert "200 OK" in twin.page(seat, "", "es")
        for path in PAGES:
            assert one.page(seat, path, "es") == two.page(seat, path, "es"), (seat, path)
        for path in OF_THE_API:
            assert one.api(seat, path) == two.api(seat, path), (seat, path)
        for path in OF_THE_TABLE[:-1]:
            whole = f"/t/{one.id}{path}"
            assert one.answered(seat, whole) == two.answered(seat, whole), (seat, path)


def refused_whole(playing: Playing, state: Any, seat: str, text: str, place: str, *, action: str = "load_deck") -> None:
    """A damaged deck is refused with its place, and nothing is taken of it."""
    deed = msgspec.convert({"action": action, "text": text}, playing.game.actions)
    before = msgspec.json.encode(state)
    refused = playing.refusal(state, deed, seat=seat)
    said = playing.english(refused.text)
    assert place in said, said
    assert refused.field == "text"
    assert msgspec.json.encode(state) == before


def not_endless(playing: Playing, state: Any, seat: str, text: str, *, action: str = "load_deck") -> None:
    """A deck file of the greatest length is read, a longer one is refused in words, and by the shape of the action."""
    longest = "#" * (LONGEST_FILE - len(text)) + text
    kind = next(one for one in get_args(playing.game.actions) if one.__struct_config__.tag == action)
    assert playing.after(state, kind(longest), seat=seat) == playing.after(state, kind(text), seat=seat) != state
    assert "letters" in playing.english(playing.refusal(state, kind("#" + longest), seat=seat).text)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"action": action, "text": "#" + longest}, playing.game.actions)


def prepared(
    game: Any,
    state: Any,
    seats: Sequence[str],
    offers: Callable[[Any, Any], list[Any]],
    rng: random.Random,
    typed: Mapping[str, str] | None = None,
) -> set[str]:
    """Do what is offered at random, 150 times; returns what was done. Only what is loose may be refused, in words.

    ``typed`` is what is written into fields that take no other words.
    """
    watch, done = Watch(game), set()
    for _ in range(150):
        seat = rng.choice(seats)
        own = offers(state, seat)
        watch.texts((game.view(state, seat), own))
        offer = rng.choice(own)
        given = filled(offer, rng)
        if "name" in given:
            given["name"] = f"card {rng.randrange(40)}"
        given |= {name: words for name, words in (typed or {}).items() if name in given}
        action = msgspec.convert(given, game.actions, strict=False)
        before = state
        try:
            ruling, _ = settle(lambda ask, act=action, was=before, who=seat: game.rule(was, who, act, ask), rng)
        except Refusal as refused:
            assert offer.loose, offer
            watch.texts(refused.text)
            watch.clause(refused.clause)
        else:
            watch.texts(ruling)
            state = ruling.outcome
            done.add(offer.action)
    return done

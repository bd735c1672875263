"""What a tracker of the free table is set up with: its own form and its own template always fit, nothing is cut."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.free_table.deck_cards import LONGEST_LIST, Own, write_list
from companion.games.free_table.deck_draw import Deal
from companion.games.free_table.deck_moves import Give, Mark, Put
from companion.games.free_table.game import GAME
from companion.games.free_table.start import template
from companion.games.free_table.trackers import KINDS, Arrange, Stored, kind_of
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal
from tests.support.free_tables import Free

LETTERS = st.text(st.sampled_from("aZé,:;\"'+-−0129 \t\n’日😀"), max_size=44)
LISTS = st.one_of(st.lists(LETTERS, max_size=60).map(", ".join), LETTERS)
EACH = st.sampled_from(["player", "name"])
DICE = st.lists(st.sampled_from(["d6", "2d8!", "d%", "4d6k3", "d20"]), min_size=1, max_size=13).map("+".join)
LOOK: dict[str, st.SearchStrategy[Any]] = {"name": st.text(max_size=40), "colour": st.sampled_from(["", "red"])}
SENT: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "counter": {"each": EACH, "names": LISTS, "low": st.integers(-9, 0)},
    "pool": {"start": st.integers(0, 9), "cap": st.integers(9, 99), "fresh": st.booleans()},
    "flags": {"places": LISTS},
    "phases": {
        "steps": LISTS,
        "remind": st.lists(st.tuples(st.integers(1, 999), LETTERS), max_size=60).map(
            lambda pairs: ",".join(f"{at}:{words.replace(',', ' ')}" for at, words in pairs)
        ),
    },
    "order": {"names": LISTS, "dice": DICE, "players": st.booleans()},
    "timer": {"how": st.sampled_from(["turn", "chess", "stopwatch"]), "each": EACH, "names": LISTS},
    "deck": {"which": st.sampled_from(["own", "52"]), "own": LISTS},
    "tray": {},
    "notes": {},
}
DRAWN = st.sampled_from(sorted(SENT)).flatmap(
    lambda name: st.tuples(st.just(name), st.fixed_dictionaries({**LOOK, **SENT[name]}))
)


def used(table: Free, high: tuple[bool, ...]) -> Free:
    """Set what can be set by hand, so that the tracker holds more than at its start."""
    for one, most in zip(GAME.tracked(table.state), high, strict=False):
        if one.field.kind == "number":
            table.state = GAME.correct(table.state, one.path, str(one.field.high if most else one.field.low), Ask())
        elif one.field.kind == "choice":
            table.state = GAME.correct(table.state, one.path, one.field.options[-1 if most else 0].value, Ask())
    return table


def changed_by_its_own_form(table: Free, tracker: str = "t1") -> Any:
    """Send the form of a tracker as it is filled in; what is typed may not be longer than the page lets one type."""
    before = table.state.tracker(tracker)
    kind = kind_of(before)
    fields = kind.fields(before)
    assert all(len(str(field.value)) <= field.high for field in fields if field.kind in {"text", "dice"})
    sent = {field.name: field.value for field in fields}
    return table.do("player_1", f"set_{kind.name}", tracker=tracker, **sent).state.tracker(tracker)


def test_every_kind_of_tracker_is_tried() -> None:
    assert set(SENT) == {kind.name for kind in KINDS}


def test_a_table_keeps_trackers_of_every_kind() -> None:
    assert {kind.tracker for kind in KINDS} == set(get_args(Stored))


@given(DRAWN, st.lists(st.booleans(), max_size=20).map(tuple))
@example(("flags", {"places": "Mill, Mill"}), (True,))
@example(("counter", {"each": "name", "names": "Mill, Mill"}), (False, True))
@example(("order", {"names": "Ogre +2 +0, Elf -7 -0"}), ())
def test_a_form_that_is_sent_as_it_is_filled_in_changes_nothing(
    drawn: tuple[str, dict[str, Any]], high: tuple[bool, ...]
) -> None:
    name, sent = drawn
    table = Free("Ana", "Ben")
    try:
        table.do("player_1", f"set_{name}", **sent)
    except Refusal:
        return
    before = used(table, high).state.tracker("t1")
    assert changed_by_its_own_form(table) == before
    again = template(Free(template=template(table.state)).state)
    assert template(Free(template=again).state) == again


def names(count: int = 60, longest: int = 40) -> list[str]:
    return [f"{at:02}".ljust(longest, "😀") for at in range(count)]


FULL: dict[str, dict[str, Any]] = {
    "counter": {"each": "name", "names": ",".join(names())},
    "flags": {"places": ",".join(f"{name} 999" for name in names())},
    "phases": {
        "steps": ",".join(f"{name}:{'😀' * 80}" for name in names()),
        "remind": ",".join(f"{at}:{'😀' * 80}" for at in range(900, 960)),
        "rounds": 999,
    },
    "order": {"names": ",".join(f"{name} -99" for name in names())},
    "timer": {"each": "name", "names": ",".join(names())},
    "deck": {"which": "own", "own": ",".join(names(150, 39))},
}


@pytest.mark.parametrize("name", FULL)
def test_the_longest_lists_fit_the_form_and_the_template(name: str) -> None:
    table = used(Free("Ana").do("player_1", f"set_{name}", **FULL[name]), (True,) * 60)
    before = table.state.tracker("t1")
    assert changed_by_its_own_form(table) == before
    again = Free(template=template(table.state))
    kind = kind_of(before)
    assert kind.fields(again.state.tracker("t1")) == kind.fields(before)
    assert template(again.state) == template(table.state)


def test_a_table_full_of_the_longest_lists_fits_its_template() -> None:
    table = Free("Ana")
    for number in range(40):
        table.do("player_1", "set_phases", name=f"{number}", **FULL["phases"])
    assert template(Free(template=template(table.state)).state) == template(table.state)


def test_names_that_join_one_by_one_fit_the_form_with_any_bonus() -> None:
    table = Free("Ana").do("player_1", "set_order", players=False)
    for name in names():
        table.do("player_1", "add_to_order", tracker="t1", names=name)
    for number in range(1, 61):
        table.do("player_1", "bonus_order", tracker="t1", who=f"n{number}", bonus=-99)
    before = table.state.tracker("t1")
    assert changed_by_its_own_form(table) == before
    assert table.refused("player_1", "add_to_order", tracker="t1", names="x" * 41)[1] == "names"


def test_a_list_of_cards_that_would_be_too_long_for_its_form_is_refused() -> None:
    own = "\t".join(f'{at}"{at}' for at in range(1, 400))
    tight = Free("Ana").do("player_1", "set_deck", which="own", own=own)
    assert changed_by_its_own_form(tight) == tight.state.tracker("t1")
    longer = "\t".join(f'{at},"{"é" * 8}' for at in range(400))
    assert len(longer) < LONGEST_LIST
    assert Free("Ana").refused("player_1", "set_deck", which="own", own=longer)[1] == "own"


def test_a_list_of_cards_is_taken_as_browsers_send_it() -> None:
    """A line ends with two letters then, where the page counted one."""
    own = "\n".join(name[:14] for name in names(400, 40))
    assert len(own) <= LONGEST_LIST < len(own.replace("\n", "\r\n"))
    table = Free("Ana").do("player_1", "set_deck", which="own", own=own.replace("\n", "\r\n"))
    assert changed_by_its_own_form(table) == table.state.tracker("t1")


def test_dice_that_get_too_long_as_they_are_written_out_are_refused() -> None:
    dice = "+".join(["d6"] * 13)
    assert Free("Ana").refused("player_1", "set_order", dice=dice)[1] == "dice"
    longer = "+".join(["d6"] * 90)
    table = Free("Ana").do("player_1", "set_tray")
    assert table.refused("player_1", "keep", tracker="t1", dice=longer)[1] == "dice"


@pytest.mark.parametrize(
    ("made", "sent", "most"),
    [
        (Arrange, {"action": "arrange", "order": "t1"}, 40),
        (Deal, {"action": "deal", "tracker": "t1", "count": 1, "to": "player_1"}, 100),
        (Put, {"action": "put", "tracker": "t1", "to": "table", "cards": "t1:AS"}, 400),
        (Give, {"action": "give", "tracker": "t1", "to": "player_1", "cards": "t1:AS"}, 400),
        (Mark, {"action": "mark", "tracker": "t1", "cards": "t1:AS"}, 400),
    ],
)
def test_a_list_that_is_sent_is_no_longer_than_a_table_can_need(made: Any, sent: dict[str, Any], most: int) -> None:
    name = list(sent)[-1]
    assert len(getattr(msgspec.convert({**sent, name: [sent[name]] * most}, made), name)) == most
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**sent, name: [sent[name]] * (most + 1)}, made)


def test_a_note_that_is_too_long_for_a_correction_is_not_shown_cut_off() -> None:
    table = Free("Ana").do("player_1", "set_notes").do("player_1", "write", tracker="t1", words="x" * 200)
    assert [one.field.value for one in GAME.tracked(table.state)] == ["x" * 200]
    assert not GAME.tracked(table.do("player_1", "write", tracker="t1", words="x" * 201).state)


def test_what_people_wrote_into_lists_of_cards_is_not_remembered_for_good() -> None:
    for number in range(3000):
        write_list((Own(f"written {number}"),))
    assert write_list.cache_info().currsize <= 64

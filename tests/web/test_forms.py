"""Forms from declarations: fields out of structs, structs out of what people typed."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from companion.kit.action import Field
from companion.kit.forms import declared, filled, rare
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from companion.web.forms import fields, from_body, from_form


class Size(enum.Enum):
    small = "s"
    large = "l"


class Facts(msgspec.Struct, frozen=True):
    who: Annotated[Literal["horse", "foot"], Meta(title="Attacker", description="Who strikes")]
    free: Annotated[int, Meta(ge=0, le=7, title="Free squares")] = 2
    moved: Annotated[bool, Meta(title="Moved")] = False
    card: Annotated[Literal["rain", "rage"] | None, Meta(extra={"labels": {None: "no card", "rage": "Rage!"}})] = None
    dice: Literal[1, 2] = 1
    size: Size = Size.small
    flags: frozenset[Literal["a", "b"]] = frozenset({"a"})
    hits: Annotated[int, Meta(ge=-1, le=4)] | None = None
    note: Annotated[str, Meta(max_length=5, extra={"rare": True})] = ""


def test_a_struct_says_what_its_form_asks_for() -> None:
    assert fields(Facts) == (
        Field(
            "who",
            Text("Attacker"),
            "choice",
            (Option("horse", Text("horse")), Option("foot", Text("foot"))),
            "",
            hint=Text("Who strikes"),
        ),
        Field("free", Text("Free squares"), "number", value=2, high=7),
        Field("moved", Text("Moved"), "yes_no", value=False),
        Field(
            "card",
            Text("card"),
            "choice",
            (Option("", Text("no card")), Option("rain", Text("rain")), Option("rage", Text("Rage!"))),
            "",
        ),
        Field("dice", Text("dice"), "choice", (Option("1", Text("1")), Option("2", Text("2"))), "1"),
        Field("size", Text("size"), "choice", (Option("s", Text("s")), Option("l", Text("l"))), "s"),
        Field("flags", Text("flags"), "many", (Option("a", Text("a")), Option("b", Text("b"))), ("a",)),
        Field("hits", Text("hits"), "number", low=-1, high=4),
        Field("note", Text("note"), "text", value="", high=5),
    )


def test_what_was_typed_is_kept_in_the_form() -> None:
    shown = {
        field.name: field.value
        for field in fields(
            Facts,
            {
                "who": ["foot"],
                "free": ["many"],
                "moved": ["no", "yes"],
                "dice": ["2"],
                "flags": ["b", "a"],
                "card": [""],
                "hits": ["-1"],
            },
        )
    }
    assert shown == {
        "who": "foot",
        "free": "many",
        "moved": True,
        "dice": "2",
        "size": "s",
        "flags": ("b", "a"),
        "card": None,
        "hits": -1,
        "note": "",
    }


def test_rare_fields_are_named() -> None:
    assert rare(Facts) == {"note"}


def test_a_fact_says_with_which_others_it_counts() -> None:
    class Blocked(msgspec.Struct):
        blockers: Annotated[int, Meta(ge=0, le=3)] = 1
        second: Annotated[int, Meta(ge=0, le=9, extra={"when": ("blockers", (2, 3))})] = 0

    assert [field.when for field in declared(Blocked)] == [None, ("blockers", ("2", "3"))]


def test_words_say_whether_they_are_a_throw_and_how_many_letters_may_be_typed() -> None:
    class Thrown(msgspec.Struct):
        dice: Annotated[str, Meta(max_length=40, extra={"dice": True})] = "d20"
        lines: Annotated[str, Meta(max_length=20, extra={"high": 10})] = ""

    assert fields(Thrown) == (
        Field("dice", Text("dice"), "dice", value="d20", high=40),
        Field("lines", Text("lines"), "text", value="", high=10),
    )


def test_a_form_becomes_a_struct() -> None:
    sent = {
        "who": ["horse"],
        "free": ["7"],
        "moved": ["no", "yes"],
        "card": ["rain"],
        "dice": ["2"],
        "size": ["l"],
        "flags": ["", "b"],
        "hits": ["3"],
        "note": ["12"],
        "lang": ["es"],
    }
    assert from_form(Facts, sent) == Facts(
        "horse",
        7,
        moved=True,
        card="rain",
        dice=2,
        size=Size.large,
        flags=frozenset({"b"}),
        hits=3,
        note="12",
    )


def test_what_is_left_out_or_blank_keeps_its_default() -> None:
    assert from_form(Facts, {"who": ["foot"], "card": [""], "hits": [" "], "flags": [""]}) == Facts(
        "foot", flags=frozenset()
    )
    assert from_form(Facts, {"who": ["foot"], "moved": ["no"]}) == Facts("foot")


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("who", "elephant"),
        ("who", ""),
        ("who", "1"),
        ("free", "8"),
        ("free", "-1"),
        ("free", "two"),
        ("free", ""),
        ("free", "9" * 5000),
        ("free", "٣٣"),
        ("moved", "perhaps"),
        ("card", "sun"),
        ("dice", "3"),
        ("dice", "one"),
        ("size", "m"),
        ("flags", "c"),
        ("hits", "5"),
        ("hits", "1.5"),
        ("note", "longer"),
        ("note", "\0" * 9),
    ],
)
def test_a_wrong_field_of_a_form_is_named(field: str, typed: str) -> None:
    with pytest.raises(Refusal) as refused:
        from_form(Facts, {"who": ["foot"]} | {field: [typed]})
    assert refused.value.field == field
    assert isinstance(refused.value.text.places["field"], Text)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(Refusal, match="this is needed") as refused:
        from_form(Facts, {})
    assert refused.value.field == "who"


def test_a_body_becomes_a_struct() -> None:
    sent = {"who": "horse", "free": 7, "moved": True, "card": None, "flags": ["b"], "size": "l"}
    assert from_body(Facts, sent) == Facts("horse", 7, moved=True, size=Size.large, flags=frozenset({"b"}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("who", None),
        ("who", 1),
        ("who", ["foot"]),
        ("free", "7"),
        ("free", True),
        ("free", 1e99),
        ("free", 10**30),
        ("moved", 1),
        ("card", {}),
        ("flags", "a"),
        ("flags", [["a"]]),
        ("note", 5),
        ("surprise", 1),
        ("w" * 999, 1),
    ],
)
def test_a_wrong_field_of_a_body_is_named(field: str, value: Any) -> None:
    with pytest.raises(Refusal) as refused:
        from_body(Facts, {"who": "foot"} | {field: value})
    assert refused.value.field == field[:60]


class Picky(msgspec.Struct, frozen=True):
    low: Annotated[int, Meta(ge=0, le=9)] = 0
    high: Annotated[int, Meta(ge=0, le=9)] = 9

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low > high")


def test_facts_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(Refusal, match="fit together"):
        from_form(Picky, {"low": ["5"], "high": ["4"]})


class Unbounded(msgspec.Struct, frozen=True):
    count: int = 0


class Nested(msgspec.Struct, frozen=True):
    inside: Unbounded | None = None


class Lots(msgspec.Struct, frozen=True):
    words: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("kind", "where"), [(Unbounded, "Unbounded.count"), (Nested, "Nested.inside"), (Lots, "Lots.words")]
)
def test_a_declaration_that_no_form_can_ask_for_is_a_mistake_of_the_game(
    kind: type[msgspec.Struct], where: str
) -> None:
    with pytest.raises(TypeError, match=where):
        fields(kind)


def test_a_form_is_filled_in_with_what_a_struct_holds_and_with_what_only_the_moment_asks() -> None:
    class Card(msgspec.Struct):
        number: int
        name: Annotated[str, Meta(title="Name", max_length=9)]
        near: tuple[str, ...] = ()
        kind: Annotated[Literal["a", "b"], Meta(title="Kind")] = "a"

    name = Field("name", Text("Name"), "text", value="x", high=9)
    kind = Field("kind", Text("Kind"), "choice", (Option("a", Text("a")), Option("b", Text("b"))), "b")
    near = Field("near", Text("Near"), "many", (Option("c", Text("c")),), ("c",))
    assert filled(Card(1, "x", kind="b")) == (name, kind)
    assert filled(Card(1, "x", kind="b"), near=near) == (name, near, kind)

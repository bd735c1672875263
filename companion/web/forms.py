"""Forms: what they ask for, made of a struct, and what they send: a struct, an action or an answer, and its key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from secrets import token_hex, token_urlsafe
from typing import Any, TypeVar, get_args
from urllib.parse import parse_qs

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from companion.kit.action import Field, Offer
from companion.kit.forms import NONE, declared, number, parts, tick, typed, unwrapped, what_belongs
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem

DIGITS = 15
"""Digits of a number that an address names: no table comes to more."""
LONGEST = 4000
"""Letters of an action as a query string."""
_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.TupleType, inspect.SetType, inspect.FrozenSetType)

K = TypeVar("K", bound=msgspec.Struct)
Sent = Mapping[str, Sequence[str]]
_Shape = tuple[Collection[str], Collection[str]]


def fields(kind: type[msgspec.Struct], values: Sent | None = None) -> tuple[Field, ...]:
    """List the fields that a form asks for, filled in with ``values`` as typed, else with the defaults."""
    filled_in = values or {}
    return tuple(
        replace(field, value=shown(field, filled_in[field.name])) if field.name in filled_in else field
        for field in declared(kind)
    )


def from_form(kind: type[K], sent: Sent) -> K:
    """Make a struct out of a form; what is not sent keeps its default.

    A tick box sends ``no`` from a hidden field before its own ``yes``, so the last value counts. Raises
    Refusal naming the field.
    """
    by_name = {field.name: field for field in declared(kind)}
    return from_body(kind, {name: _read(by_name[name], typed) for name, typed in sent.items() if name in by_name})


def from_body(kind: type[K], sent: Mapping[str, Any]) -> K:
    """Make a struct out of a decoded JSON object; raise Refusal naming the field that does not fit."""
    by_name = {field.name: field for field in declared(kind)}
    for name in sent:
        if name not in by_name:
            raise Refusal(say("There is no field called {field}.", field=name[:60]), field=name[:60])
    types = typed(kind)
    values: dict[str, Any] = {}
    for part in parts(kind):
        field = by_name[part.encode_name]
        if part.encode_name in sent:
            try:
                values[part.name] = msgspec.convert(sent[part.encode_name], types[part.name])
            except (msgspec.ValidationError, OverflowError) as wrong:
                raise Refusal(what_belongs(field), field=field.name) from wrong
        elif part.required:
            raise Refusal(say("{field}: this is needed.", field=field.label), field=field.name)
    try:
        return kind(**values)
    except (TypeError, ValueError) as wrong:
        raise Refusal(say("These facts do not fit together.")) from wrong


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """Return a struct's fields as plain JSON values, those that have their default included."""
    return {part.encode_name: msgspec.to_builtins(getattr(struct, part.name)) for part in parts(type(struct))}


def shown(field: Field, typed: Sequence[str]) -> str | int | bool | tuple[str, ...] | None:
    """Return the value that a form shows for what was typed."""
    if field.kind == "many":
        return tuple(typed)
    read: str | int | bool | None = _read(field, typed)
    return str(read) if field.kind == "choice" and isinstance(read, int) else read


def _read(field: Field, typed: Sequence[str]) -> Any:
    last = typed[-1] if typed else NONE
    match field.kind:
        case "many" | "order":
            return [value for value in typed if value != NONE]
        case "yes_no":
            ticked = tick(last)
            return last if ticked is None else ticked
        case "choice" | "number" if last.strip() == NONE:
            return None
        case "number":
            return _number_or_words(last)
        case "choice" if _has_numbers(field):
            return _number_or_words(last)
        case _:
            return last


def _number_or_words(sent: str) -> int | str:
    read = number(sent)
    return sent if read is None else read


def _has_numbers(field: Field) -> bool:
    return all(option.value == NONE or option.value.removeprefix("-").isdecimal() for option in field.options)


def action(actions: Any, sent: Sent) -> dict[str, Any]:
    """Read an action: the query string in ``do``, then the form's own fields over it.

    A field of several values stays a list, an empty one is left out where the action may go without it. A line ends
    with one letter, whatever a browser sends. ``actions`` is the game's union of actions.
    """
    query = "".join(sent.get("do", ())[-1:])
    if len(query) > LONGEST:
        raise Refusal(say("This request cannot be understood."), field="do")
    pairs: dict[str, Sequence[str]] = dict(parse_qs(query, keep_blank_values=True))
    pairs |= {name.removeprefix("f."): values for name, values in sent.items() if name.startswith("f.")}
    lists, optional = _shapes(actions).get("".join(pairs.get("action", ())[-1:]), ((), ()))
    read: dict[str, Any] = {}
    for name, values in pairs.items():
        if name in lists:
            read[name] = [value for value in values if value != ""]
        elif values and (values[-1] != "" or name not in optional):
            read[name] = values[-1].replace("\r\n", "\n")
    return read


def correction(sent: Sent) -> tuple[str, str]:
    """Read a correction that begins at its piece: the path and the value in ``do``."""
    query = "".join(sent.get("do", ())[-1:])
    pairs = parse_qs(query, keep_blank_values=True) if len(query) <= LONGEST else {}
    path, value = ("".join(pairs.get(name, ())[-1:]) for name in ("path", "value"))
    return path, value


def find_offer(offers: Iterable[Offer], wanted: Mapping[str, Any]) -> Offer | None:
    """Find the offer that an action takes up, the one that settles most of it; None when nothing is like it."""
    alike = (
        offer
        for offer in offers
        if offer.action == wanted.get("action")
        and all(_same(value, wanted.get(name)) for name, value in offer.given.items() if value is not None)
    )
    return max(alike, key=lambda offer: sum(value is not None for value in offer.given.values()), default=None)


def _same(given: Any, sent: Any) -> bool:
    if isinstance(given, list | tuple):
        return isinstance(sent, list) and [str(value) for value in given] == sent
    return bool(str(int(given) if isinstance(given, bool) else given) == sent)


@cache
def _shapes(actions: Any) -> dict[str, _Shape]:
    """Name the fields of each action that hold several values, and those that may be left open."""
    return {
        kind.__struct_config__.tag: (
            frozenset(part.encode_name for part in parts(kind) if isinstance(unwrapped(part.type)[0], _LISTS)),
            frozenset(part.encode_name for part in parts(kind) if not part.required),
        )
        for kind in get_args(actions) or (actions,)
    }


def answer(sent: Sent) -> dict[str, Any]:
    """Read an answer: ``roll``, a ``value``, or faces in fields ``face.1``, ``face.2`` and so on.

    Raises Refusal (field ``faces``) for a die without a face.
    """
    if "roll" in sent:
        return {"roll": True}
    if "value" in sent:
        return {"value": "".join(sent["value"][-1:])}
    typed = [face for face in faces(sent, "face.") if face]
    if not typed:
        raise Refusal(say("Tap the face of every die."), field="faces")
    return {"faces": numbers(typed, "faces")}


def faces(sent: Sent, prefix: str) -> list[str]:
    """List the faces typed in fields ``<prefix>1``, ``<prefix>2`` and so on, in the order thrown."""
    places = [name.removeprefix(prefix) for name in sent if name.startswith(prefix)]
    in_order = sorted((place for place in places if place.isdecimal() and len(place) < 5), key=int)
    return ["".join(sent[prefix + place][-1:]).strip() for place in in_order]


def all_faces(sent: Sent, listed: str, prefix: str, most: int, field: str) -> list[int]:
    """Read the faces thrown so far, those in the field ``listed`` before those typed one by one.

    Raises Refusal naming ``field`` for more than ``most``, or for one that is no number.
    """
    typed = [face for several in sent.get(listed, ()) for face in several.split()] + faces(sent, prefix)
    if len(typed) > most:
        raise Refusal(say("More dice were given than you roll."), field=field)
    return numbers(typed, field)


def numbers(typed: Sequence[str], field: str) -> list[int]:
    """Read faces of dice; raise Refusal naming the field for one that is no number."""
    if not all(face.isdecimal() and len(face) < 6 for face in typed):
        raise Refusal(say("Every die needs its face, as a number."), field=field)
    return [int(face) for face in typed]


def key(sent: Sent, what: Any) -> str:
    """Name a request so that a second tap is the same one: the form's key, and what it does.

    A form without a key is a request of its own: the next such one is not taken for a second tap.
    """
    given = "".join(sent.get("key", ())[-1:]) or token_hex()
    return blake2b(msgspec.json.encode((given, what)), digest_size=12).hexdigest()


def new_key() -> str:
    """Make up the key of a form: sent twice, it is one request."""
    return token_urlsafe(24)


def version(sent: Sent) -> int | None:
    """Read the version that the form was made from; None when it does not say."""
    return whole("".join(sent.get("seen", ())[-1:]))


def whole(typed: str) -> int | None:
    """Read a whole number, such as that of a version or an entry; None where it is none, or longer than any of them."""
    return int(typed) if typed.isdecimal() and typed.isascii() and len(typed) <= DIGITS else None


def whole_number(name: str, typed: str) -> int:
    """Read a whole number that an address or a form has to name; raise Problem (400) where it is none."""
    number = whole(typed)
    if number is None:
        raise Problem(400, say("{field}: this has to be a whole number.", field=name), name)
    return number


def number_or_none(name: str, asked: Mapping[str, str]) -> int | None:
    """Read a whole number that an address or a form may leave out; raise Problem (400) where it names no number."""
    typed = asked.get(name, "")
    return whole_number(name, typed) if typed else None

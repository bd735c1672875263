"""What a form of a table sends: an action, an answer, its key and the version that it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from secrets import token_hex, token_urlsafe
from typing import Any, get_args
from urllib.parse import parse_qs

import msgspec
from msgspec import inspect

from companion.kit.action import Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

LONGEST = 4000
_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.TupleType, inspect.SetType, inspect.FrozenSetType)

Sent = Mapping[str, Sequence[str]]
_Shape = tuple[frozenset[str], frozenset[str]]
_SHAPELESS: _Shape = frozenset(), frozenset()


def action(actions: Any, sent: Sent) -> dict[str, Any]:
    """Read an action: the query string in ``do``, then the form's own fields over it.

    A field of several values stays a list, an empty one is left out where the action may go without it. A line ends
    with one letter, whatever a browser sends. ``actions`` is the game's union of actions.
    """
    query = "".join(sent.get("do", ())[-1:])
    if len(query) > LONGEST:
        raise Refusal(say("This request can not be understood."), field="do")
    pairs: dict[str, Sequence[str]] = dict(parse_qs(query, keep_blank_values=True))
    pairs |= {name.removeprefix("f."): typed for name, typed in sent.items() if name.startswith("f.")}
    lists, optional = _shapes(actions).get("".join(pairs.get("action", ())[-1:]), _SHAPELESS)
    read: dict[str, Any] = {}
    for name, typed in pairs.items():
        if name in lists:
            read[name] = [value for value in typed if value != ""]
        elif typed and (typed[-1] != "" or name not in optional):
            read[name] = typed[-1].replace("\r\n", "\n")
    return read


def find_offer(offers: Iterable[Offer], wanted: Mapping[str, Any]) -> Offer | None:
    """Find the offer that an action takes up, the one that settles most of it; None when nothing is like it."""
    closest, most = None, -1
    for offer in offers:
        if offer.action != wanted.get("action"):
            continue
        given = {name: value for name, value in offer.given.items() if value is not None}
        if len(given) > most and all(_same(value, wanted.get(name)) for name, value in given.items()):
            closest, most = offer, len(given)
    return closest


def _same(given: Any, sent: Any) -> bool:
    if isinstance(given, list | tuple):
        return isinstance(sent, list) and [str(value) for value in given] == sent
    return bool(str(int(given) if isinstance(given, bool) else given) == sent)


@cache
def _shapes(actions: Any) -> dict[str, _Shape]:
    """Name the fields of each action that hold several values, and those that may be left open."""
    shapes: dict[str, _Shape] = {}
    for kind in get_args(actions) or (actions,):
        described = inspect.type_info(kind)
        fields = described.fields if isinstance(described, inspect.StructType) else ()
        shapes[kind.__struct_config__.tag] = (
            frozenset(field.encode_name for field in fields if _is_list(field.type)),
            frozenset(field.encode_name for field in fields if not field.required),
        )
    return shapes


def _is_list(kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata(type=inner):
            return _is_list(inner)
        case inspect.UnionType(types=types):
            return any(map(_is_list, types))
        case _:
            return isinstance(kind, _LISTS)


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
        raise Refusal(say("More dice were given than are to be thrown."), field=field)
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
    typed = "".join(sent.get("seen", ())[-1:])
    return int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 15 else None

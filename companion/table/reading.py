"""Reading what people send: structs out of forms and bodies, names and keys fit to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.text import say, tidied
from companion.kit.validation import invalid_field
from companion.table.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.text import Text

NAME_LENGTH = 40
TITLE_LENGTH = 80
KEY_LENGTH = 128
YES = frozenset({"1", "on", "true", "yes"})
NO = frozenset({"", "0", "off", "false", "no"})
"""How a tick is sent, by a form or by hand."""


def plain(sent: str) -> str:
    """Shorten what somebody sent so that it can be shown in a sentence."""
    return "".join(letter for letter in sent[:60] if letter.isprintable())


def read(kind: Any, sent: Any, called: Callable[[str], Text | str] = plain) -> Any:
    """Make a value of a declared kind out of a decoded JSON object or a form; ``called`` gives a field's label.

    Raises Problem (400) naming the field that is missing, unknown or wrong.
    """
    if not isinstance(sent, dict):
        raise Problem(400, say("An object with named fields is expected."))
    try:
        made = msgspec.convert(sent, kind, strict=False)
        msgspec.json.encode(made)
    except msgspec.ValidationError as wrong:
        raise misfit(wrong, called) or Problem(400, say("That can not be read.")) from wrong
    except (OverflowError, RecursionError, UnicodeError) as wrong:
        raise Problem(400, say("That can not be read.")) from wrong
    config = made.__struct_config__
    unknown = sent.keys() - {*made.__struct_encode_fields__, config.tag_field}
    if unknown:
        raise _no_field(plain(str(min(unknown, key=str))))
    return made


def misfit(wrong: msgspec.ValidationError, called: Callable[[str], Text | str] = plain) -> Problem | None:
    """Say which field does not fit, by its label; None when no field is to blame."""
    invalid = invalid_field(wrong)
    field = plain(invalid.field)
    if not field:
        return None
    label = called(field.partition("[")[0])
    match invalid.how:
        case "unknown":
            return _no_field(field)
        case "missing":
            return Problem(400, say("{field}: this is needed.", field=label), field)
        case "wrong":
            return Problem(400, say("{field}: this is not what belongs here.", field=label), field)


def _no_field(field: str) -> Problem:
    return Problem(400, say("There is no field called {field}.", field=field), field)


def no_table(table: str) -> Problem:
    """Say that there is no such table."""
    return Problem(404, say("There is no table {table}.", table=plain(table)), "table")


def no_game(game: str, status: int = 404) -> Problem:
    """Say that there is no such game."""
    return Problem(status, say("There is no game called {game}.", game=plain(game)), "game")


def not_installed(game: str) -> Problem:
    """Say that a table's game is not installed any more."""
    text = say(
        "The game {game} is not installed: this table can not go on, but its log can be read and kept.", game=game
    )
    return Problem(409, text)


def no_seat(seat: str, status: int = 404, field: str = "seat") -> Problem:
    """Say that there is no such seat."""
    return Problem(status, say("There is no seat called {seat}.", seat=plain(seat)), field)


def name(sent: str, longest: int = NAME_LENGTH, field: str = "name") -> str:
    """Tidy up a name that a person typed; raise Problem (400) when it is too long."""
    tidy = tidied(sent)
    if len(tidy) > longest:
        raise Problem(400, say("{count} letters at most, please.", count=longest), field)
    return tidy


def key(sent: Any) -> str:
    """Check the key of a request; raise Problem (400) when it can not be one."""
    if not (isinstance(sent, str) and 0 < len(sent) <= KEY_LENGTH and sent.isascii() and sent.isprintable()):
        raise Problem(400, say("A request needs a key: 1 to {most} plain characters.", most=KEY_LENGTH), "key")
    return sent

"""What people send is read and checked: structs out of forms and bodies, names and keys, texts of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from string import Formatter
from typing import Any

import msgspec

from companion.kit.forms import invalid_field
from companion.kit.ruling import Reason
from companion.kit.text import Text, say, tidied
from companion.table.problem import Problem

NAME_LENGTH = 40
TITLE_LENGTH = 80
KEY_LENGTH = 128


def plain(sent: str) -> str:
    """Shorten what somebody sent so that it can be shown in a sentence."""
    return "".join(letter for letter in sent[:60] if letter.isprintable())


def to_struct(kind: Any, sent: Any, label: Callable[[str], Text | str] = plain) -> Any:
    """Make a struct out of a decoded JSON object or a form; ``label`` says what a field is called.

    Raises Problem (400) naming the field that is missing, unknown or wrong.
    """
    if not isinstance(sent, dict):
        raise Problem(400, say("An object with named fields is expected."))
    try:
        struct = msgspec.convert(sent, kind, strict=False)
        msgspec.json.encode(struct)
    except msgspec.ValidationError as error:
        raise field_problem(error, label) or Problem(400, say("That cannot be read.")) from error
    except (OverflowError, RecursionError, UnicodeError) as error:
        raise Problem(400, say("That cannot be read.")) from error
    unknown = sent.keys() - {*struct.__struct_encode_fields__, struct.__struct_config__.tag_field}
    if unknown:
        raise _no_field(plain(str(min(unknown, key=str))))
    return struct


def field_problem(error: msgspec.ValidationError, label: Callable[[str], Text | str] = plain) -> Problem | None:
    """Say which field does not fit, by its label; None when no field is to blame."""
    invalid = invalid_field(error)
    field = plain(invalid.field)
    if not field:
        return None
    if invalid.how == "unknown":
        return _no_field(field)
    name = label(field.partition("[")[0])
    if invalid.how == "missing":
        return Problem(400, say("{field}: this is needed.", field=name), field)
    return Problem(400, say("{field}: this is not what belongs here.", field=name), field)


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
        "The game {game} is not installed: this table cannot go on, but its log can be read and kept.", game=game
    )
    return Problem(409, text)


def no_seat(seat: str, status: int = 404, field: str = "seat") -> Problem:
    """Say that there is no such seat."""
    return Problem(status, say("There is no seat called {seat}.", seat=plain(seat)), field)


def only_shows() -> Problem:
    """Say that the shared screen does nothing."""
    return Problem(403, say("The shared screen only shows what is public."))


def tidy_name(sent: str, max_length: int = NAME_LENGTH, field: str = "name") -> str:
    """Tidy up a name that a person typed; raise Problem (400) when it is too long."""
    name = tidied(sent)
    if len(name) > max_length:
        raise Problem(400, say("{count} letters at most, please.", count=max_length), field)
    return name


def key(sent: Any) -> str:
    """Check the key of a request; raise Problem (400) when it can not be one."""
    if not (isinstance(sent, str) and 0 < len(sent) <= KEY_LENGTH and sent.isascii() and sent.isprintable()):
        raise Problem(400, say("A request needs a key: 1 to {most} plain characters.", most=KEY_LENGTH), "key")
    return sent


MAX_DEPTH = 16
"""Reasons within reasons, and lists within lists: no rule needs half of it."""
MAX_SENTENCES = 128
"""Sentences within sentences: a list (of opposed dice too) is said as one, and a hand can be as long as its deck."""
YEARS = range(1970, 3000)
"""Years that every system can turn into local time; a computer without a battery begins in the first one."""


def is_time(text: str) -> bool:
    """Tell whether this is a moment, with its time zone, that can be shown as local time anywhere."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.tzinfo is not None and moment.astimezone(UTC).year in YEARS
    except (ValueError, OverflowError):
        return False


def reasons_are_complete(reasons: Iterable[Reason], depth: int = MAX_DEPTH) -> bool:
    """Tell whether reasons can be told, at every depth."""
    return all(
        text_is_complete(reason.text)
        and all(text_is_complete(name) for name in _names(reason))
        and (not reason.duel or len(reason.duel.pairs) <= MAX_SENTENCES)
        and (not reason.terms or (depth > 0 and reasons_are_complete(reason.terms, depth - 1)))
        for reason in reasons
    )


def _names(reason: Reason) -> Iterator[Text]:
    """Name whose dice are opposed, and the pieces of which a reason says what they suffered, and by whom."""
    if reason.duel:
        yield from (reason.duel.left, reason.duel.right)
    for harm in reason.harm:
        yield from (fighter.name for fighter in (harm.to, harm.by) if fighter)


def text_is_complete(text: Text, depth: int = MAX_SENTENCES) -> bool:
    """Tell whether a sentence can be spoken: every place is a plain name and is filled."""
    if not text.places:
        return True
    try:
        places = [place for _, *place in Formatter().parse(text.say) if place[0] is not None]
    except ValueError:
        return False
    filled = all(name and name.isidentifier() and name in text.places and not any(how) for name, *how in places)
    inner = [part for part in text.places.values() if isinstance(part, Text)]
    return filled and (not inner or (depth > 0 and all(text_is_complete(part, depth - 1) for part in inner)))


def is_shallow(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether decoded JSON can be written again without end of the stack."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(is_shallow(part, depth - 1) for part in inner)

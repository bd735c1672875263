"""What people send is read and checked: structs out of forms and bodies, names and keys, texts of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from string import Formatter
from typing import Any

import msgspec

from companion.kit.ruling import Reason
from companion.kit.text import Text, say, tidied
from companion.kit.validation import invalid_field
from companion.table.problem import Problem

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
        raise field_problem(wrong, called) or Problem(400, say("That can not be read.")) from wrong
    except (OverflowError, RecursionError, UnicodeError) as wrong:
        raise Problem(400, say("That can not be read.")) from wrong
    config = made.__struct_config__
    unknown = sent.keys() - {*made.__struct_encode_fields__, config.tag_field}
    if unknown:
        raise _no_field(plain(str(min(unknown, key=str))))
    return made


def field_problem(wrong: msgspec.ValidationError, called: Callable[[str], Text | str] = plain) -> Problem | None:
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


NESTED = 16
"""Reasons within reasons, and lists within lists: no rule needs half of it."""
LISTED = 128
"""Sentences within sentences: a list (of opposed dice too) is said as one, and a hand can be as long as its deck."""
YEARS = range(1971, 3000)
"""Years that every system can turn into local time."""


def is_time(text: str) -> bool:
    """Tell whether this is a moment, with its time zone, that can be shown as local time anywhere."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.tzinfo is not None and moment.year in YEARS


def can_be_told(reasons: Iterable[Reason], left: int = NESTED) -> bool:
    """Tell whether reasons can be told, at every depth."""
    return all(
        can_be_spoken(one.text)
        and all(can_be_spoken(name) for name in _named(one))
        and (not one.duel or len(one.duel.pairs) <= LISTED)
        and (not one.terms or (left > 0 and can_be_told(one.terms, left - 1)))
        for one in reasons
    )


def _named(reason: Reason) -> Iterator[Text]:
    """Name whose dice are opposed, and the pieces of which a reason says what they suffered, and by whom."""
    if reason.duel:
        yield reason.duel.left
        yield reason.duel.right
    for harm in reason.harm:
        yield harm.to.name
        if harm.by:
            yield harm.by.name


def can_be_spoken(text: Text, left: int = LISTED) -> bool:
    """Tell whether a sentence can be spoken: every place is a plain name and is filled."""
    if not text.places:
        return True
    try:
        places = [place for _, *place in Formatter().parse(text.say) if place[0] is not None]
    except ValueError:
        return False
    plain = all(place and place.isidentifier() and place in text.places and not any(how) for place, *how in places)
    inner = [one for one in text.places.values() if isinstance(one, Text)]
    return plain and (not inner or (left > 0 and all(can_be_spoken(one, left - 1) for one in inner)))


def is_shallow(value: Any, left: int = NESTED) -> bool:
    """Tell whether decoded JSON can be written again without end of the stack."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left > 0 and all(is_shallow(one, left - 1) for one in inner)

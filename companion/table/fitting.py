"""Fitting: whether what stands in a file can be spoken and shown, wherever and however deep it stands."""

from __future__ import annotations

from datetime import datetime
from string import Formatter
from typing import TYPE_CHECKING, Any

from companion.kit.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.kit.ruling import Reason

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


def told(reasons: Iterable[Reason], left: int = NESTED) -> bool:
    """Tell whether reasons can be told, at every depth."""
    return all(
        spoken(one.text)
        and all(spoken(name) for name in _named(one))
        and (not one.duel or len(one.duel.pairs) <= LISTED)
        and (not one.terms or (left > 0 and told(one.terms, left - 1)))
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


def spoken(text: Text, left: int = LISTED) -> bool:
    """Tell whether a sentence can be spoken: every place is a plain name and is filled."""
    if not text.places:
        return True
    try:
        places = [place for _, *place in Formatter().parse(text.say) if place[0] is not None]
    except ValueError:
        return False
    plain = all(place and place.isidentifier() and place in text.places and not any(how) for place, *how in places)
    inner = [one for one in text.places.values() if isinstance(one, Text)]
    return plain and (not inner or (left > 0 and all(spoken(one, left - 1) for one in inner)))


def shallow(value: Any, left: int = NESTED) -> bool:
    """Tell whether decoded JSON can be written again without end of the stack."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left > 0 and all(shallow(one, left - 1) for one in inner)

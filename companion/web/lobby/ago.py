"""How long ago something was, by the clock of the tables and the time zone of this computer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from companion.kit.text import say
from companion.web.language import gettext, ngettext
from companion.web.state import app_state

MONTHS = (
    say("Jan"), say("Feb"), say("Mar"), say("Apr"), say("May"), say("Jun"),
    say("Jul"), say("Aug"), say("Sep"), say("Oct"), say("Nov"), say("Dec"),
)  # fmt: skip


def now() -> datetime:
    """Return what time it is by the clock of the tables, with which all that is stored of them was dated."""
    return datetime.fromtimestamp(app_state().tables.instant() / 1000, UTC)


def in_a_line(at: str, now: datetime, zone: tzinfo | None = None) -> str:
    """Say when something was (ISO 8601), for a line of a list: the time, yesterday, or the day."""
    if not at:
        return ""
    then, days = _days_ago(at, now, zone)
    if days == 0:
        return f"{then:%H:%M}"
    if days == 1:
        return gettext("yesterday %(time)s") % {"time": f"{then:%H:%M}"}
    day = f"{then.day} {gettext(MONTHS[then.month - 1].say)}"
    return day if then.year == now.astimezone(zone).year else f"{day} {then.year}"


def in_a_sentence(at: str, now: datetime, zone: tzinfo | None = None) -> str:
    """Say when something was (ISO 8601), as words within a sentence."""
    then, days = _days_ago(at, now, zone)
    clock = {"time": f"{then:%H:%M}"}
    if days <= 0:
        return gettext("today at %(time)s") % clock
    if days == 1:
        return gettext("yesterday at %(time)s") % clock
    return ngettext("%(num)d day ago", "%(num)d days ago", days) % {"num": days}


def _days_ago(at: str, now: datetime, zone: tzinfo | None) -> tuple[datetime, int]:
    """Return when something was by the clock on the wall of a zone (this computer's), and how many dates ago."""
    then = datetime.fromisoformat(at).astimezone(zone)
    return then, (now.astimezone(zone).date() - then.date()).days


def days_left(until: str, now: datetime) -> int:
    """Return how many days there are until something, begun ones too."""
    return -(-(datetime.fromisoformat(until) - now) // timedelta(days=1))

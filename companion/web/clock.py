"""Clocks: what time it is by the clock of the tables, for the clocks on the phones, and moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response

from companion.web.state import app_state

clock = Blueprint("clock", __name__)


@clock.get("/now")
def now() -> Response:
    """Tell what time it is, in milliseconds of the epoch: a phone's own clock may be wrong."""
    answer = Response(str(app_state().tables.instant()), mimetype="text/plain")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def time_of_day(milliseconds: int) -> str:
    """Say a moment as a clock on the wall here shows it, to the second."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone().strftime("%H:%M:%S")


def minute_of_day(at: str) -> str:
    """Say an ISO moment as a clock on the wall here shows it, to the minute."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def day_and_minute(at: str) -> str:
    """Say an ISO moment with its day: a file is read on other days too."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")

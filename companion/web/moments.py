"""Moments: what time it is by the clock of the tables, for the clocks on the phones, and how a moment is read."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response

from companion.web.state import app_state

moments = Blueprint("moments", __name__)


@moments.get("/now")
def now() -> Response:
    """Tell what time it is, in milliseconds of the epoch: a phone's own clock may be wrong."""
    answer = Response(str(app_state().tables.instant()), mimetype="text/plain")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def time_of_day(milliseconds: int) -> str:
    """Say a moment as a clock on the wall here shows it."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone().strftime("%H:%M:%S")

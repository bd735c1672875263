"""The switch that keeps a phone's screen on: it comes after the page of a seat, for its menu."""

from __future__ import annotations

from flask import Blueprint, render_template

awake = Blueprint("awake", __name__)


@awake.get("/awake")
def switch() -> str:
    """Show the switch, with all that may be said beside it."""
    return render_template("play/_awake.html")

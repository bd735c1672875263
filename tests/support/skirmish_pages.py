"""The page of a skirmish, drawn from what a seat sees without a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, render_template

from companion.web.language import Language, speaking
from companion.web.play.layout import lay_out
from tests.support.phones import tidy
from tests.support.skirmish_game import SKIRMISH

if TYPE_CHECKING:
    from companion.table.view_models import Seen


def page(app: Flask, seen: Seen, tongue: Language = "en") -> str:
    """The table of a seat, as its page shows it."""
    with app.test_request_context(), speaking(tongue):
        shown = lay_out(seen)
        return tidy(
            render_template("play/_table.html", shown=shown, seen=seen, game=SKIRMISH, problem=None, refused="")
        )

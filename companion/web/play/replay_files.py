"""The story of a table to be kept and sent: as one HTML file, as JSON, as text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import Blueprint
from werkzeug.wrappers import Response

from companion.kit.text import Speak
from companion.table.story import Scene, Subject
from companion.web import seat_cookies
from companion.web.assets import Assets
from companion.web.language import json_values, speaker
from companion.web.pages import attachment
from companion.web.play import ending as endings
from companion.web.play import replay_json, replay_story
from companion.web.play.replay_page import ReplayPage
from companion.web.state import app_state


class ReplayFiles:
    """The files of a story; ``assets`` are what the one that stands alone is made with."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets

    def blueprint(self) -> Blueprint:
        """Make the blueprint that sends them."""
        blueprint = Blueprint("replay_files", __name__, url_prefix="/t/<table>/<seat>")
        blueprint.add_url_rule("/replay.html", "html", self.html)
        blueprint.add_url_rule("/replay.json", "json", json)
        blueprint.add_url_rule("/replay.txt", "text", text)
        return blueprint

    def html(self, table: str, seat: str) -> Response:
        """Send the story of a table as one file that needs nothing else."""
        seat_cookies.check_seat(table, seat)

        def made(about: Subject, scenes: Iterator[Scene]) -> str:
            return ReplayPage(about, self._assets).made(scenes)

        return attachment(app_state().tables.story(table, seat, made), f"companion-{table}.html", "text/html")


def json(table: str, seat: str) -> Response:
    """Send the story of a table as data, its words in the reader's language."""
    seat_cookies.check_seat(table, seat)
    tables = app_state().tables
    speak = speaker(tables.game_of(table))
    made = tables.story(table, seat, lambda about, scenes: replay_json.data(about, scenes, speak))
    made["statistics"] = json_values(tables.statistics(table), speak)
    ending = tables.ending(table) if made["over"] else None
    made["ending"] = None if ending is None else replay_json.ending_data(ending, speak)
    return attachment(msgspec.json.encode(made), f"companion-{table}-replay.json")


def text(table: str, seat: str) -> Response:
    """Send the story of a table as text, turn by turn, in the reader's language."""
    seat_cookies.check_seat(table, seat)
    tables = app_state().tables
    speak = speaker(tables.game_of(table))

    def told(about: Subject, scenes: Iterator[Scene]) -> str:
        return "\n".join((*_head(about, speak), *replay_story.text(scenes, about.summary.roles, speak), ""))

    return attachment(tables.story(table, seat, told), f"companion-{table}.txt", "text/plain")


def _head(about: Subject, speak: Speak) -> list[str]:
    summary, tables = about.summary, app_state().tables
    game = app_state().games.get(summary.game)
    name = speak(game.name) if game else summary.game
    lines = [" · ".join(part for part in (name, summary.title) if part)]
    lines += [f"{speak(one.role)}: {one.name}" for one in summary.people if one.name]
    ending = tables.ending(summary.table) if summary.over else None
    if ending is not None:
        roles = summary.roles
        words = endings.result_words(ending, speak, roles)
        course = endings.course_words(tables.course(summary.table), speak, roles)
        lines += ["", f"{words.title}: {words.how}" if words.how else words.title, *endings.lines(course)]
    return lines

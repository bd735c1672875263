"""The story of a table as one HTML file: every position in it, in both languages, with nothing to be fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import msgspec
from flask import render_template
from markupsafe import Markup

from companion.kit.changes import marked
from companion.kit.ruling import Reason
from companion.kit.text import Speak, Text
from companion.table.ending import Course
from companion.table.story import Scene, Subject
from companion.web.assets import Assets
from companion.web.language import LANGUAGES, gettext, language, ngettext, speaker, speaking
from companion.web.pages import minute_of_day
from companion.web.play import ending as endings
from companion.web.play import replay_story, statistics
from companion.web.play.bookmarks import bookmarks
from companion.web.play.layout import colours
from companion.web.play.replay_film import Film
from companion.web.play.replay_sheets import Both, Drawer, spans
from companion.web.state import app_state

CHANGES_SHOWN = 8
"""What an entry made other, as far as it is told beside it: the board shows all of it."""
SYMBOL_OF = re.compile(r'href="(?:/static/[0-9a-f]+/sprite\w*\.svg)?#([\w-]+)"')
"""Where a picture of a sprite is drawn, by its address there or in the file itself."""


def in_each(said: Callable[[Speak], str], speakers: Sequence[Speak]) -> Markup:
    """Say something in each language while that is the page's, as HTML."""
    words = []
    for code, speak in zip(LANGUAGES, speakers, strict=True):
        with speaking(code):
            words.append(said(speak))
    return spans(words)


def _embedded(data: object) -> str:
    """Write data as JSON that can stand in a page: nothing in it ends the element."""
    return msgspec.json.encode(data).decode().replace("</", "<\\/").replace("<!", "\\u003c!")


class ReplayPage:
    """Make the file of a table."""

    def __init__(self, about: Subject, assets: Assets) -> None:
        self._about, self._assets = about, assets
        self._game = app_state().games.get(about.summary.game)
        self._speakers = [speaker(about.summary.game, code) for code in LANGUAGES]
        self._both = Both(self._speakers)
        self._names = about.summary.roles

    def made(self, scenes: Iterator[Scene]) -> str:
        """Return the file with all that happened."""
        about, film, story = self._about, Film(), _Story(self._both, self._names)
        drawer = Drawer(self._both, self._assets.symbols, colours(about.summary.people))
        last: Scene | None = None
        for scene in scenes:
            if last is not None and last.view is scene.view:
                film.same()
            else:
                film.add(drawer.slots(marked(scene.view, scene.changes), scene.seats, self._names))
            story.add(scene)
            last = scene
        body = render_template(
            "replay/file.html",
            about=about,
            language=language(),
            title=self._title,
            name=self._name,
            people=self._people,
            day=replay_story.day_of(story.days[0]) if story.days else "",
            both=self._labels(),
            result=self._result(),
            numbers=self._numbers(),
            bookmarks=self._bookmarks(),
            slots=film.shown,
            headline=self._both(last.view.headline) if last else "",
            turns=story.turns,
            count=len(story.seqs),
            styles=self._text("pages/replay.css"),
            script=self._text("replay_file.js"),
            data=_embedded(film.data(story.seqs)),
            game=self._game,
        )
        return self._with_pictures(body, [*film.fragments])

    def _text(self, name: str) -> str:
        return self._assets.assets[name].plain.decode()

    @property
    def _title(self) -> Markup:
        title = self._about.summary.title
        name = self._game.name if self._game else Text(self._about.summary.game)
        return self._both(title or name)

    @property
    def _name(self) -> str:
        summary = self._about.summary
        name = self._game.name if self._game else Text(summary.game)
        return summary.title or self._speakers[LANGUAGES.index(language())](name)

    @property
    def _people(self) -> Markup:
        named = [one for one in self._about.summary.people if one.name]
        return self._both.each(lambda speak: " · ".join(f"{speak(one.role)}: {one.name}" for one in named))

    @cached_property
    def _course(self) -> Course | None:
        summary = self._about.summary
        return app_state().tables.course(summary.table) if summary.over else None

    def _twice(self, made: Callable[[Speak], str]) -> str:
        """Make something in each language, each marked as such."""
        parts = []
        for code, speak in zip(LANGUAGES, self._speakers, strict=True):
            with speaking(code):
                parts.append(f"<div lang={code}>{made(speak)}</div>")
        return "".join(parts)

    def _result(self) -> str:
        """Draw who won and by what, and how it went; nothing while the game goes on."""
        ending, course = app_state().tables.ending(self._about.summary.table), self._course
        if ending is None or course is None:
            return ""
        people = self._about.summary.people
        winners = [one for one in people if one.seat in ending.winners and one.name]

        def drawn(speak: Speak) -> str:
            return render_template(
                "replay/_ending.html",
                ending=ending,
                result=endings.result_words(ending, speak, self._names),
                words=endings.course_words(course, speak, self._names),
                winners=winners,
                shown={"colours": colours(people)},
                game=self._game,
            )

        return self._twice(drawn)

    def _bookmarks(self) -> str:
        """Draw the entries that somebody may look for: the turns are the headings of the story."""
        booked = [mark for mark in app_state().tables.marks(self._about.summary.table) if mark.kind != "turn"]

        def drawn(speak: Speak) -> str:
            listed = [*bookmarks(booked, self._course, speak, self._names)]
            return render_template("replay/_bookmarks.html", marks=listed, game=self._game)

        return self._twice(drawn) if booked else ""

    def _numbers(self) -> str:
        """Draw the statistics."""
        summary = self._about.summary
        counted = app_state().tables.statistics(summary.table)

        def drawn(speak: Speak) -> str:
            sorted_ = statistics.sort_statistics(counted, summary, speak)
            values = {"sorted": sorted_, "counted": counted, "statistics": statistics, "speak": speak}
            return render_template("report/_numbers.html", summary=summary, game=self._game, **values)

        return self._twice(drawn)

    def _labels(self) -> dict[str, Markup]:
        """Say what stands on the page beside the game, in both languages."""
        said: dict[str, Callable[[Speak], str]] = {
            "first": lambda _: gettext("To the first entry"),
            "back": lambda _: gettext("Back"),
            "on": lambda _: gettext("Next"),
            "last": lambda _: gettext("To the last entry"),
            "entry": lambda _: gettext("Entry"),
            "pieces": lambda _: gettext("Pieces in words"),
            "story": lambda _: gettext("The whole story"),
            "bookmarks": lambda _: gettext("Bookmarks"),
            "numbers": lambda _: gettext("Statistics"),
            "all": lambda _: gettext("The game is over: everything is shown, hands too."),
            "some": lambda _: gettext("What the shared screen saw: hands stay hidden until the game is over."),
        }
        return {key: in_each(words, self._speakers) for key, words in said.items()}

    def _with_pictures(self, body: str, fragments: Iterable[str]) -> str:
        """Put the pictures that are drawn into the file, and nothing else of the sprites."""
        wanted = {found for text in (body, *fragments) for found in SYMBOL_OF.findall(text)}
        body = SYMBOL_OF.sub(r'href="#\1"', body)
        sprites = "".join(self._assets.assets[name].plain.decode() for name in sorted({*self._assets.symbols.values()}))
        symbols = re.findall(r'(?s)<symbol id="([^"]+)".*?</symbol>', sprites)
        drawn = re.findall(r"(?s)<symbol id=.*?</symbol>", sprites)
        kept = "".join(one for name, one in zip(symbols, drawn, strict=True) if name in wanted)
        return body.replace("<!--pictures-->", kept, 1)


class _Story:
    """The entries of a file in words, turn by turn."""

    def __init__(self, both: Both, names: replay_story.Names) -> None:
        self._both, self._names = both, names
        self.turns: list[tuple[Markup, list[str]]] = []
        self.seqs: list[int] = []
        self.days: list[str] = []
        self._shown: str | None = None

    def add(self, scene: Scene) -> None:
        """Add an entry."""
        now = replay_story.turn(scene.before, self._names)
        words = Markup() if now is None else self._both.each(lambda speak: replay_story.turn_words(now, speak))
        if words != self._shown:
            self._shown = words
            self.turns.append((words, []))
        self.turns[-1][1].append(self._entry(scene))
        self.seqs.append(scene.line.seq)
        self.days.append(scene.line.at)

    def _entry(self, scene: Scene) -> str:
        """Write an entry as HTML: whatever is said is escaped by ``Both``."""
        line, both = scene.line, self._both
        said = both.each(lambda speak: replay_story.headline(scene, speak))
        by = both.each(lambda speak: replay_story.who(scene, self._names, speak))
        notes = [by, minute_of_day(line.at)]
        notes += [in_each(lambda _: gettext("undone"), both.speakers)] if line.undone else []
        notes += [in_each(lambda _: gettext("dice from the real table"), both.speakers)] if line.typed else []
        more = replay_story.more(scene, both.speakers[0])
        reasons = "".join(f"<li>{self._why(reason)}</li>" for reason in more)
        other = zip(*([*replay_story.notation(scene, speak)] for speak in both.speakers), strict=True)
        changes = [spans(one) for one in other]
        if len(changes) > CHANGES_SHOWN:
            left = len(changes) - CHANGES_SHOWN
            counted = in_each(lambda _: ngettext("%(num)d more", "%(num)d more", left) % {"num": left}, both.speakers)
            changes = [*changes[:CHANGES_SHOWN], counted]
        head = f"<s>{said}</s>" if line.undone else f"<b>{said}</b>"
        return (
            f'<li id=e{line.seq}><a href="#e{line.seq}">{line.seq}</a><div><p>{head}</p>'
            f"<p class=soft>{' · '.join(note for note in notes if note)}</p>"
            + (f"<ul class=why>{reasons}</ul>" if reasons else "")
            + (f"<p class=other>{' · '.join(changes)}</p>" if changes else "")
            + "</div></li>"
        )

    def _why(self, reason: Reason) -> str:
        return in_each(lambda speak: replay_story.why(reason, self._names, speak), self._both.speakers)

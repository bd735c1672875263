"""The pages of the rulebooks: chapters, clauses, rulings, examples, glossary, player aids and the search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from itertools import groupby
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for

from companion.kit.game import Game
from companion.kit.offer import Field
from companion.web.address import origin
from companion.web.forms import fields
from companion.web.language import LANGUAGES, language
from companion.web.pages import fragment
from companion.web.quick.examples import Try, tries
from companion.web.rules.entries import Entry, Reading
from companion.web.rules.search import MOST_WORDS, Search, words

PARTS = ("rulings", "examples", "glossary")
SHEET = "-sheet"
"""What the identifiers of a search end with that stands in the sheet, beside those of the page under it."""


class Rules:
    """Serve the rulebooks of some games."""

    def __init__(self, games: Mapping[str, Game[Any]]) -> None:
        self.games = games
        self.tries = cache(lambda slug: tries(games[slug]))
        self.books = {
            (slug, tongue): Reading(game.rulebook, tongue) for slug, game in games.items() for tongue in LANGUAGES
        }

    @cached_property
    def searched(self) -> Search:
        """Everything that can be searched; putting it together takes longer than all the rest of a start."""
        spoken = {slug: game.words for slug, game in self.games.items()}
        return Search({slug: game.rulebook for slug, game in self.games.items()}, spoken)

    def prepare(self) -> None:
        """Have ready what the first reader would have to wait for."""
        for slug in self.games:
            self.tries(slug)
        _ = self.searched

    def blueprint(self) -> Blueprint:
        """Make the blueprint of the rulebooks' pages."""
        made = Blueprint("rules", __name__, url_prefix="/rules")
        made.add_app_template_global(self.tried, "tried")
        made.add_app_template_global(self.shelved, "shelved")
        made.add_url_rule("", "shelf", self.shelf)
        made.add_url_rule("/search", "search", self.search)
        made.add_url_rule("/<game>", "contents", self.contents)
        made.add_url_rule("/<game>/chapter/<chapter>", "chapter", self.chapter)
        made.add_url_rule("/<game>/sheet/<sheet>", "sheet", self.sheet)
        made.add_url_rule("/<game>/aid", "aid", self.aid)
        for part in PARTS:
            made.add_url_rule(f"/<game>/{part}", part, getattr(self, part))
        made.add_url_rule("/<game>/<clause>", "clause", self.clause)
        return made

    def tried(self, game: str, name: str) -> tuple[Try, ...]:
        """List what can be tried of an entry."""
        return self.tries(game).get(name, ())

    def shelved(self, first: str = "") -> tuple[Game[Any], ...]:
        """List the games that have rules to search, one of them first."""
        found = (game for game in self.games.values() if game.rulebook.clause)
        return tuple(sorted(found, key=lambda game: game.slug != first))

    def shelf(self) -> str:
        """Show all rulebooks."""
        return render_template("rules/shelf.html", games=self.games.values())

    def search(self) -> str:
        """Search all rulebooks or one: a whole page, for the sheet what stands in it, or only what was found."""
        asked = _asked()
        typed, first, only = (asked.get(name, "") for name in ("q", "first", "only"))
        given = words(typed)
        hits = self.searched.find(typed, language(), first=first, only=only)
        meant = None if hits else self.searched.meant(typed, language())
        if meant:
            hits = self.searched.find(meant, language(), first=first, only=only)
        some = () if hits else self.searched.find(typed, language(), first=first, only=only, some=True)
        into = request.headers.get("HX-Target", "")
        part = "rules/search_sheet.html" if into.endswith("#sheet-body") else "rules/_hits.html"
        return render_template(
            part if fragment() else "rules/search.html",
            asked=asked,
            given=given,
            found=[(self.games[slug], list(one)) for slug, one in groupby(hits or some, lambda hit: hit.game)],
            meant=meant if hits else None,
            some=bool(some),
            too_many=len(given) > MOST_WORDS,
            in_sheet=fragment() and into.endswith(("#sheet-body", SHEET)),
        )

    def contents(self, game: str) -> str:
        """Show a rulebook's contents."""
        return render_template("rules/contents.html", game=self._game(game), book=self._reading(game))

    def chapter(self, game: str, chapter: str) -> str:
        """Show a chapter with all its clauses."""
        chapters = self._reading(game).chapters()
        at = next((at for at, shown in enumerate(chapters) if shown.id == chapter), None)
        if at is None:
            abort(404)
        return render_template(
            "rules/chapter.html",
            game=self._game(game),
            options={},
            chapter=chapters[at],
            before=chapters[at - 1] if at else None,
            after=chapters[at + 1] if at + 1 < len(chapters) else None,
        )

    def sheet(self, game: str, sheet: str) -> str:
        """Show a player aid, which can be printed."""
        found = next((one for one in self._game(game).rulebook.sheet if one.id == sheet), None)
        if found is None:
            abort(404)
        return render_template("rules/aid.html", game=self._game(game), book=self._reading(game), sheet=found)

    def aid(self, game: str) -> str:
        """Show everything that players want at hand, which is printed on one sheet of paper."""
        found = self._game(game)
        if not found.rulebook.aid:
            abort(404)
        return render_template(
            "rules/one_sheet.html",
            game=found,
            book=self._reading(game),
            sides=found.rulebook.aid,
            address=f"{origin()}{url_for('rules.contents', game=game)}",
        )

    def rulings(self, game: str) -> str:
        """Show the rulings on unclear points."""
        return self._listed(game, "rulings", self._reading(game).rulings())

    def examples(self, game: str) -> str:
        """Show the worked examples."""
        return self._listed(game, "examples", self._reading(game).examples())

    def glossary(self, game: str) -> str:
        """Show the terms in both languages."""
        return render_template("rules/glossary.html", game=self._game(game), terms=self._reading(game).glossary())

    def clause(self, game: str, clause: str) -> str:
        """Show a clause, a ruling or an example: a whole page, or for a dialog only what stands in it."""
        found = self._game(game)
        ids = found.rulebook.ids()
        name = next((name for name in (clause, clause.upper()) if name in ids), None)
        if name is None:
            abort(404)
        page = self._reading(game).page(name)
        template = "rules/sheet.html" if fragment() else "rules/entry.html"
        return render_template(template, game=found, page=page, options=_options(found), asked=_asked())

    def _listed(self, slug: str, part: str, entries: tuple[Entry, ...]) -> str:
        game = self._game(slug)
        return render_template("rules/list.html", game=game, part=part, entries=entries, options=_options(game))

    def _game(self, slug: str) -> Game[Any]:
        if slug not in self.games:
            abort(404)
        return self.games[slug]

    def _reading(self, slug: str) -> Reading:
        self._game(slug)
        return self.books[slug, language()]


def _asked() -> dict[str, str]:
    """Read what is searched for: the words, the game whose hits come first, the only one that is looked in."""
    given = {name: request.args.get(name, "")[:2000] for name in ("q", "first", "only")}
    return {name: typed for name, typed in given.items() if typed.strip()}


def _options(game: Game[Any]) -> dict[str, Field]:
    return {field.name: field for field in fields(game.options)}

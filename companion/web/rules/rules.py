"""The pages of the rulebooks: chapters, clauses, rulings, examples, glossary, player aids and the search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property, partial
from itertools import groupby
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for

from companion.kit.action import Field
from companion.kit.game import Game
from companion.kit.rulebook import Example, RulingNote
from companion.web.address_qr import origin
from companion.web.forms import fields
from companion.web.language import LANGUAGES, language
from companion.web.pages import fragment
from companion.web.rules.entries import LocalRulebook, LookupLink, lookup_links, neighbours
from companion.web.rules.search import MOST_WORDS, Search, words

SHEET = "-sheet"
"""What the identifiers of a search end with that stands in the sheet, beside those of the page under it."""


class Rules:
    """The pages of the rulebooks of some games."""

    def __init__(self, games: Mapping[str, Game[Any]]) -> None:
        self.games = games
        self.links = cache(lambda slug: lookup_links(games[slug]))
        self.rulebooks = {
            (slug, tongue): LocalRulebook(game.rulebook, tongue) for slug, game in games.items() for tongue in LANGUAGES
        }

    @cached_property
    def index(self) -> Search:
        """Everything that can be searched; putting it together takes longer than all the rest of a start."""
        spoken = {slug: game.words for slug, game in self.games.items()}
        return Search({slug: game.rulebook for slug, game in self.games.items()}, spoken)

    def prepare(self) -> None:
        """Have ready what the first reader would have to wait for."""
        for slug in self.games:
            self.links(slug)
        _ = self.index

    def blueprint(self) -> Blueprint:
        """Make the blueprint of the rulebooks' pages."""
        blueprint = Blueprint("rules", __name__, url_prefix="/rules")
        blueprint.add_app_template_global(self.links_of, "lookup_links")
        blueprint.add_app_template_global(self.searchable_games)
        for path, view in (
            ("", self.rulebooks_page),
            ("/search", self.search),
            ("/<game>", self.contents),
            ("/<game>/chapter/<chapter>", self.chapter),
            ("/<game>/sheet/<sheet>", self.sheet),
            ("/<game>/aid", self.aid),
            ("/<game>/rulings", self.rulings),
            ("/<game>/examples", self.examples),
            ("/<game>/glossary", self.glossary),
            ("/<game>/<clause>", self.clause),
        ):
            blueprint.add_url_rule(path, view_func=view)
        return blueprint

    def links_of(self, game: str, name: str) -> tuple[LookupLink, ...]:
        """List the links into look-ups of an entry."""
        return self.links(game).get(name, ())

    def searchable_games(self, first: str = "") -> tuple[Game[Any], ...]:
        """List the games that have rules to search, one of them first."""
        games = (game for game in self.games.values() if game.rulebook.clause)
        return tuple(sorted(games, key=lambda game: game.slug != first))

    def rulebooks_page(self) -> str:
        """Show all rulebooks."""
        return render_template("rules/shelf.html", games=self.games.values())

    def search(self) -> str:
        """Search all rulebooks or one: a whole page, for the sheet what stands in it, or only what was found."""
        asked = _search_query()
        typed = asked.get("q", "")
        search_words = words(typed)
        find = partial(self.index.find, language=language(), first=asked.get("first", ""), only=asked.get("only", ""))
        hits = find(typed)
        meant = None if hits else self.index.meant(typed, language())
        hits = find(meant) if meant else hits
        some = () if hits else find(typed, some=True)
        by_game = groupby(hits or some, lambda hit: hit.game)
        into = request.headers.get("HX-Target", "")
        part = "rules/search_sheet.html" if into.endswith("#sheet-body") else "rules/_hits.html"
        return render_template(
            part if fragment() else "rules/search.html",
            asked=asked,
            search_words=search_words,
            hits_by_game=[(self.games[slug], list(of_game)) for slug, of_game in by_game],
            meant=meant if hits else None,
            some=bool(some),
            too_many=len(search_words) > MOST_WORDS,
            in_sheet=fragment() and into.endswith(("#sheet-body", SHEET)),
        )

    def contents(self, game: str) -> str:
        """Show a rulebook's contents."""
        return render_template("rules/contents.html", game=self._game(game), book=self._rulebook(game))

    def chapter(self, game: str, chapter: str) -> str:
        """Show a chapter with all its clauses."""
        chapters = self._rulebook(game).chapters()
        shown = next((each for each in chapters if each.id == chapter), None) or abort(404)
        before, after = neighbours(chapters, shown)
        return render_template(
            "rules/chapter.html", game=self._game(game), options={}, chapter=shown, before=before, after=after
        )

    def sheet(self, game: str, sheet: str) -> str:
        """Show a player aid, which can be printed."""
        aid = next((aid for aid in self._game(game).rulebook.sheet if aid.id == sheet), None) or abort(404)
        return render_template("rules/aid.html", game=self._game(game), book=self._rulebook(game), sheet=aid)

    def aid(self, game: str) -> str:
        """Show everything that players want at hand, which is printed on one sheet of paper."""
        sides, book = self._game(game).rulebook.aid or abort(404), self._rulebook(game)
        address = f"{origin()}{url_for('rules.contents', game=game)}"
        return render_template("rules/one_sheet.html", game=self._game(game), book=book, sides=sides, address=address)

    def rulings(self, game: str) -> str:
        """Show the rulings on unclear points."""
        return self._list(game, "rulings", self._game(game).rulebook.ruling)

    def examples(self, game: str) -> str:
        """Show the worked examples."""
        return self._list(game, "examples", self._game(game).rulebook.example)

    def glossary(self, game: str) -> str:
        """Show the terms in both languages."""
        return render_template("rules/glossary.html", game=self._game(game), terms=self._rulebook(game).glossary())

    def clause(self, game: str, clause: str) -> str:
        """Show a clause, a ruling or an example: a whole page, or for a dialog only what stands in it."""
        of_game = self._game(game)
        ids = of_game.rulebook.ids()
        name = next((name for name in (clause, clause.upper()) if name in ids), None) or abort(404)
        page = self._rulebook(game).page(name)
        template = "rules/sheet.html" if fragment() else "rules/entry.html"
        return render_template(template, game=of_game, page=page, options=_options(of_game), asked=_search_query())

    def _list(self, slug: str, part: str, sources: tuple[RulingNote, ...] | tuple[Example, ...]) -> str:
        game, entries = self._game(slug), tuple(map(self._rulebook(slug).entry, sources))
        return render_template("rules/list.html", game=game, part=part, entries=entries, options=_options(game))

    def _game(self, slug: str) -> Game[Any]:
        return self.games.get(slug) or abort(404)

    def _rulebook(self, slug: str) -> LocalRulebook:
        self._game(slug)
        return self.rulebooks[slug, language()]


def _search_query() -> dict[str, str]:
    """Read what is searched for: the words, the game whose hits come first, the only one that is looked in."""
    query = {name: request.args.get(name, "")[:2000] for name in ("q", "first", "only")}
    return {name: typed for name, typed in query.items() if typed.strip()}


def _options(game: Game[Any]) -> dict[str, Field]:
    return {field.name: field for field in fields(game.options)}

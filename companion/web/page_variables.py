"""What macro files see of the page being rendered: they are imported once, and each page brings its own variables."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial
from types import MappingProxyType
from typing import Any

from flask import Flask, before_render_template
from werkzeug.local import LocalProxy

from companion.web.page_templates import PageContext, PageTemplate

NAMES = ("book", "colours", "game", "of", "options", "problem", "refused", "seen", "shown")
"""The variables of pages that macro files may name; one that a page has not is as None."""

_page: ContextVar[Mapping[str, Any]] = ContextVar("page_variables", default=MappingProxyType({}))


class PageVariable(LocalProxy[Any]):
    """A variable of whichever page is being rendered, to a macro file that names it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        # as the proxy does, which takes twice as long: pages ask hundreds of times
        return getattr(self._get_current_object(), name)


def of_page(name: str) -> Any:
    """Return a variable of the page that is being rendered, None where it has none of that name."""
    return _page.get().get(name)


def seat_url(what: str) -> str:
    """Return an address beneath the page of the seat for which a page is being rendered."""
    whose = of_page("of") or of_page("seen")
    table, seat = (whose.table, whose.seat) if whose else (of_page("table"), of_page("seat"))
    return f"/t/{table}/{seat}/{what}"


def photo(digest: str) -> str:
    """Return the address of a picture of somebody's own, for the seat whose page is being rendered."""
    return seat_url(f"picture/{digest}")


def _forget(_wrong: BaseException | None) -> None:
    _page.set({})  # nothing of a page is left for the next one


def _rendering(_app: Flask, context: Mapping[str, Any], **_signal: Any) -> None:
    _page.set(context)


def install(app: Flask) -> None:
    """Let macro files name the page's variables, so that they need not be imported (and made) anew for each page."""
    before_render_template.connect(_rendering, app)
    app.teardown_appcontext(_forget)
    app.jinja_env.template_class = PageTemplate
    app.jinja_env.context_class = PageContext
    app.jinja_env.autoescape = True  # all are HTML: to ask of each file by its name takes longer than to make it
    app.jinja_env.globals.update(seat_url=seat_url, photo=photo)
    app.jinja_env.globals.update({name: PageVariable(partial(of_page, name)) for name in NAMES})

"""What macro files see of the page being rendered: they are imported once, and each page brings its own variables."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial
from types import MappingProxyType
from typing import Any

import jinja2
from flask import Flask, before_render_template
from jinja2.environment import TemplateModule
from werkzeug.local import LocalProxy

NAMES = ("book", "colours", "game", "of", "options", "problem", "refused", "seen", "shown")
"""The variables of pages that macro files may name; one that a page has not is as None."""

_page: ContextVar[Mapping[str, Any]] = ContextVar("page_variables", default=MappingProxyType({}))


class PageTemplate(jinja2.Template):
    """A template that is made once, when it is imported first.

    Jinja would look, at each import, for globals that the importer has alone: here it has none, and looking takes as
    long as a tenth of a page.
    """

    def _get_default_module(self, _ctx: jinja2.runtime.Context | None = None) -> TemplateModule:
        return super()._get_default_module()


def of_page(name: str) -> Any:
    """Return a variable of the page that is being rendered, None where it has none of that name."""
    return _page.get().get(name)


def photo(digest: str) -> str:
    """Return the address of a picture of somebody's own, for the seat whose page is being rendered."""
    whose = of_page("of") or of_page("seen")
    table, seat = (whose.table, whose.seat) if whose else (of_page("table"), of_page("seat"))
    return f"/t/{table}/{seat}/picture/{digest}"


def _forget(_wrong: BaseException | None) -> None:
    _page.set({})  # nothing of a page is left for the next one


def _rendering(_app: Flask, context: Mapping[str, Any], **_signal: Any) -> None:
    _page.set(context)


def install(app: Flask) -> None:
    """Let macro files name the page's variables, so that they need not be imported (and made) anew for each page."""
    before_render_template.connect(_rendering, app)
    app.teardown_appcontext(_forget)
    app.jinja_env.template_class = PageTemplate
    app.jinja_env.autoescape = True  # all are HTML: to ask of each file by its name takes longer than to make it
    app.jinja_env.globals["photo"] = photo
    app.jinja_env.globals.update({name: LocalProxy(partial(of_page, name)) for name in NAMES})

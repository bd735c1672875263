"""Macro files of pages: each imports what it uses, and is made once for a page however many import it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jinja2
from flask import Flask
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro

MADE = "macro_files"
"""What a page calls those that were made for it."""
SHARED = ("components/", "play/_")
"""Where those lie that use nothing but what a page is rendered with: no variable and no macro of who imports them."""


class MacroFiles:
    """The macro files that were made for one page, by name, and the variables that they see."""

    def __init__(self) -> None:
        self.modules: dict[str, TemplateModule] = {}
        self.variables: dict[str, Any] | None = None


class PageTemplate(jinja2.Template):
    """A template whose macro files are made once for a page: a second time would take longer than to render them."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - as Jinja calls them
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> TemplateModule:
        """Make what is imported "with context"; a shared file sees no macro of the one that imports it."""
        made: MacroFiles | None = (vars or {}).get(MADE)
        if vars is None or made is None or self.name is None or not self.name.startswith(SHARED):
            return super().make_module(vars, shared, locals)
        if self.name not in made.modules:
            if made.variables is None:
                made.variables = {name: value for name, value in vars.items() if not isinstance(value, Macro)}
            made.modules[self.name] = super().make_module(made.variables, shared)
        return made.modules[self.name]

    def _get_default_module(self, ctx: jinja2.runtime.Context | None = None) -> TemplateModule:  # noqa: ARG002
        """Give what is imported without a context: no template here has globals that another one has not."""
        return super()._get_default_module()


def install(app: Flask) -> None:
    """Let the pages of an app share the macro files that they are made of."""
    app.jinja_env.template_class = PageTemplate
    app.jinja_env.autoescape = True  # all are HTML: to ask of each file by its name takes longer than to make it
    app.context_processor(lambda: {MADE: MacroFiles()})

"""Templates as this app runs them: a page is made of hundreds of macros, and what Jinja checks at each takes time."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import partial
from types import CodeType
from typing import Any

import jinja2
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

_markup = partial(str.__new__, Markup)
"""Marks a text as HTML; Markup itself first asks it whether it is."""


def _escaped(thing: Any) -> str:
    """Escape what is put out; HTML stays the very object that it is."""
    return thing if type(thing) is Markup else escape(thing)


class PageMacro(Macro):
    """A macro that is called without asking what it is called by."""

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """Render it with what it is given, as HTML."""
        left = self._argument_count - len(args)
        if left < 0 or self.caller or self.catch_kwargs or self.catch_varargs:
            return super().__call__(*args, **kwargs)
        if left:
            args += tuple([kwargs.pop(name, missing) for name in self.arguments[-left:]])
        return super().__call__(*args, **kwargs) if kwargs else _markup(self._func(*args))


class PageContext(Context):
    """The variables of a template, which calls what takes none of Jinja's own arguments as Python does."""

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call what a template names."""
        if type(called) is not PageMacro and hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return called(*args, **kwargs)


class PageTemplate(jinja2.Template):
    """A template that is made once, when it is imported first.

    Jinja would look, at each import, for globals that the importer has alone: here it has none, and looking takes as
    long as a tenth of a page.
    """

    @classmethod
    def from_code(
        cls,
        environment: jinja2.Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],  # noqa: A002 Jinja calls it so
        uptodate: Any = None,
    ) -> jinja2.Template:
        """Make a template of what it was compiled to."""
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__.update(Macro=PageMacro, escape=_escaped)
        return template

    def _get_default_module(self, _ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()

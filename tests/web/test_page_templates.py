"""Templates as this app runs them: the pages are those that Jinja makes by itself, and macros take what they took."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import jinja2
import pytest
from flask import render_template_string
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.web.fragments import render
from companion.web.page_templates import PageMacro
from companion.web.play.layout import lay_out
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

BOX = """{% macro box(words, class="plain", note="") %}<p class="{{ class }}">{{ words }}{{ note }}</p>{% endmacro %}
{%- macro frame(title) %}<h2>{{ title }}</h2>{{ caller("<i>") }}{% endmacro %}
{%- macro any() %}{{ varargs|join("+") }}{{ kwargs.items()|list }}{% endmacro -%}
"""


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path)


@pytest.mark.parametrize("slug", sorted(discover()))
def test_pages_are_those_that_jinja_makes_by_itself(app: Flask, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = RandomGame(app.extensions["companion"].tables, discover()[slug], 3)
    game.play(25)
    seats = [*Random(7).sample(game.seats, min(2, len(game.seats))), RULEKEEPER, SCREEN]
    layouts = [lay_out(game.tables.seen(game.table, seat)) for seat in seats]
    parts = app.jinja_env.globals["cached"].__self__
    made, classes = [], []
    for template, context in (
        (app.jinja_env.template_class, app.jinja_env.context_class),
        (jinja2.Template, Context),
    ):
        monkeypatch.setattr(app.jinja_env, "template_class", template)
        monkeypatch.setattr(app.jinja_env, "context_class", context)
        for kept in (app.jinja_env.cache, parts._things):
            kept.clear()
        with app.test_request_context():
            made.append([render(layout).html for layout in layouts])
            classes.append(type(app.jinja_env.get_template("play/_turn.html").module.whose_turn))
    assert made[0] == made[1]
    assert classes == [PageMacro, Macro]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{{ box('<b>') }}", '<p class="plain">&lt;b&gt;</p>'),
        ("{{ box(html, 'large') }}", '<p class="large"><b></b></p>'),
        ("{{ box('A', note='B') }}", '<p class="plain">AB</p>'),
        ("{{ box(note=7, words='A') }}", '<p class="plain">A7</p>'),
        ("{{ box(box('A')) }}", '<p class="plain"><p class="plain">A</p></p>'),
        ("{% call(said) frame('A&B') %}{{ said }}{{ html }}{% endcall %}", "<h2>A&amp;B</h2>&lt;i&gt;<b></b>"),
        ("{{ any(1, 2, a=3) }}", "1+2[(&#39;a&#39;, 3)]"),
        ("{{ ngettext('%(num)d die', '%(num)d dice', 2) }}", "2 dice"),
        ("{{ name_in_context() }}", "table"),
        ("{% for one in 'ab' %}{{ box(one) }}{% endfor %}", '<p class="plain">a</p><p class="plain">b</p>'),
    ],
)
def test_macros_take_what_they_are_given(app: Flask, written: str, read: str) -> None:
    @jinja2.pass_context
    def name_in_context(context: Context) -> str:
        return str(context["name"])

    app.jinja_env.globals["name_in_context"] = name_in_context
    with app.test_request_context():
        assert render_template_string(BOX + written, html=Markup("<b></b>"), name="table") == read


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("{{ box('A', 'B', 'C', 'D') }}", "not more than 3 argument"),
        ("{{ box('A', colour='red') }}", "no keyword argument 'colour'"),
        ("{% call box('A') %}{% endcall %}", "two values for the special caller argument"),
        ("{{ box() }}", "parameter 'words' was not provided"),
    ],
)
def test_macros_refuse_what_they_can_not_take(app: Flask, written: str, wrong: str) -> None:
    with (
        app.test_request_context(),
        pytest.raises((TypeError, jinja2.UndefinedError), match=wrong),
    ):
        render_template_string(BOX + written)

"""The look: what is read stands out from what lies under it, by day and by night, and type comes in four sizes."""

from __future__ import annotations

import re
from itertools import product

import pytest

from companion.web.assets import shipped
from tests.web.test_board import contrast

CSS = (shipped("static") / "companion.css").read_text("utf-8")
GROUNDS = ("bg", "surface", "surface-lo", "sunk", "accent-soft", "warn-soft")
WRITTEN = ("ink", "soft", "accent", "warn", "red")
RAISED = (
    ("accent-ink", "accent"),
    ("accent-ink", "accent-hi"),
    ("gold-ink", "gold"),
    ("gold-ink", "gold-hi"),
)
"""What is written on buttons and on markers, which get lighter towards the light."""
ELSEWHERE = {"screen.css", "print.css"}
"""Styles of what is no page in the hand: the shared screen, and paper."""
LARGE = 2
"""From this many times the size of text what is written is a picture: a code, a total, a clock."""


def colour(name: str, look: int) -> str:
    """Return a colour of a look, 0 by day and 1 by night."""
    found = re.search(rf"--{name}: (?:#(\w+);|var\(--light, #(\w+)\) var\(--dark, #(\w+)\))", CSS)
    assert found, name
    return found[1] or found[2 + look]


@pytest.mark.parametrize("look", [0, 1], ids=["light", "dark"])
def test_what_is_written_stands_out_from_every_ground(look: int) -> None:
    pairs = [*product(WRITTEN, GROUNDS), *RAISED]
    ratios = {(text, ground): contrast(colour(text, look), colour(ground, look)) for text, ground in pairs}
    assert {pair: round(ratio, 1) for pair, ratio in ratios.items() if ratio < 4.5} == {}


def test_markers_are_not_taken_for_what_may_be_touched() -> None:
    for look in (0, 1):
        assert contrast(colour("gold", look), colour("accent", look)) >= 1.5


RULE = re.compile(r"^(?:  )?(?![ .}]*\.tv)\S.*font(?:-size)?: (?:\d+ )?([\d.]+)rem", re.MULTILINE)
"""A size that is none of the four, in a rule that is for every page or within one line."""


def test_text_has_one_of_four_sizes() -> None:
    assert re.findall(r"^  --(?:xs|s|m|l): ([\d.]+)rem;", CSS, re.MULTILINE) == [".75", ".875", "1", "1.7"]
    styles = [path for path in shipped("static").glob("*.css") if path.name not in ELSEWHERE]
    sizes = {f"{path.name}: {size}" for path in styles for size in RULE.findall(path.read_text("utf-8"))}
    assert {size for size in sizes if float(size.split()[1]) < LARGE} == set()


def test_no_text_of_a_script_goes_over_lines_which_begin_without_their_space() -> None:
    for path in shipped("static").glob("*.js"):
        odd = [line for line in path.read_text("utf-8").splitlines() if line.count("`") % 2]
        assert odd == [], path.name


def test_every_property_of_the_styles_is_read() -> None:
    kinds = {".css", ".html", ".js"}
    paths = [path for folder in ("static", "templates") for path in shipped(folder).rglob("*") if path.suffix in kinds]
    written = "\n".join(path.read_text("utf-8") for path in paths if "vendor" not in path.parts)
    named = set(re.findall(r"(?m)(?:^|[\s;{])(--[a-z][\w-]*):", CSS))
    assert len(named) > 40
    assert [name for name in sorted(named) if not re.search(rf"var\({name}[,)]", written)] == []

"""Our scripts come with what they import inside them, and without the space that means nothing."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.web import script_modules
from companion.web.assets import JOINED, Assets, shipped
from companion.web.script_modules import SHARED, imported, joined

RAW = {path.name: path.read_text("utf-8") for path in sorted(shipped("static").glob("*.js")) if path.name not in JOINED}
TOKEN = re.compile(r"[\w$]+|\+\+|--|[^\w\s]")
IMPORT = re.compile(r'(?m)^import (?:\{ (.+) \} from )?"\./([\w-]+\.js)";$')


def exports(name: str) -> set[str]:
    found = set(re.findall(r"(?m)^export const (\w+) ", RAW[name]))
    return found.union(*(names.split(", ") for names in re.findall(r"(?m)^export \{ (.+) \};$", RAW[name])))


def within(name: str) -> set[str]:
    """Name what comes inside a module."""
    met: set[str] = set()
    asked = [name]
    while asked:
        new = set(imported(RAW[asked.pop()].encode())) - met - {SHARED}
        met |= new
        asked += new
    return met


@pytest.mark.parametrize(
    "kept",
    [
        'say("a = b, c");',
        "say('a = b, c');",
        "say(`a = ${b ? ` : ${c}` : ''} (d)`);",
        "say(/a = (b) , /);",
        "say(a + +b - -c);",
        'say("a \\" = b");',
    ],
)
def test_what_is_said_keeps_its_space(kept: str) -> None:
    assert joined("a.js", {"a.js": f"{kept}\n".encode()}).decode() == kept


@pytest.mark.parametrize("name", RAW)
def test_nothing_but_space_is_left_out_of_a_script(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Assets().assets[name].plain.decode()
    monkeypatch.setattr(script_modules, "_tight", lambda source: source)
    roomy = Assets().assets[name].plain.decode()
    assert not re.search(r"(?<!http:)//|/[*]", roomy), "what comes after it would be hidden"
    assert sent.count("<!--") == roomy.count("<!--")
    lines = roomy.split("\n")
    assert not [line for line in lines if line.count("`") % 2], "a text over two lines"
    assert not [line for line in lines if line.count('"') % 2 and not re.search("['`/]", line)], "a text that was cut"
    assert not re.search(r"(?m)\\$", roomy), "a text over two lines"
    address = r"/static/\w+/"
    assert TOKEN.findall(re.sub(address, "", sent)) == TOKEN.findall(re.sub(address, "", roomy))


@pytest.mark.parametrize("name", RAW)
def test_what_comes_together_calls_nothing_alike_and_imports_what_there_is(name: str) -> None:
    parts = within(name)
    asked: set[str] = set()
    for module in (name, *parts):
        for names, other in IMPORT.findall(RAW[module]):
            wanted = set(names.split(", ")) if names else set()
            assert wanted <= exports(other), (module, other)
            asked |= wanted if other == SHARED else set()
    own = set(re.findall(r"(?m)^(?:export )?(?:const|let) (\w+) ", RAW[name]))
    shared = [one for part in parts for one in exports(part)]
    assert not {one: times for one, times in Counter([*shared, *asked, *own]).items() if times > 1}


@pytest.mark.parametrize("name", RAW)
def test_what_every_page_brings_comes_in_no_other_script(name: str) -> None:
    alone = {"reaches.js"}  # it keeps nothing, and the page without a network brings nothing else
    assert name == SHARED or not (within(name) | {name}) & (within(SHARED) - alone) or name in within(SHARED)

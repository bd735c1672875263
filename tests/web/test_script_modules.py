"""Our scripts come with what they import inside them, and without the space that means nothing."""

from __future__ import annotations

import re

import pytest

from companion.web import script_modules
from companion.web.assets import Assets, shipped
from companion.web.script_modules import joined

OWN = sorted(path.name for path in shipped("static").glob("*.js") if b'from "./' in path.read_bytes())


def test_a_name_is_exported_once_by_all_that_comes_together() -> None:
    twice = b"export const one = 1;\n"
    sources = {"a.js": b'import { one } from "./b.js";\nimport "./c.js";\none();\n', "b.js": twice, "c.js": twice}
    with pytest.raises(ValueError, match="one"):
        joined("a.js", sources)


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


@pytest.mark.parametrize("name", OWN)
def test_nothing_but_space_is_left_out_of_a_script(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Assets().assets[name].plain.decode()
    assert " // " not in sent, "the end of its line would hide the next"
    monkeypatch.setattr(script_modules, "_tight", lambda source: source)
    roomy = Assets().assets[name].plain.decode()
    assert len(sent) < len(roomy)
    assert re.sub(r"\s|/static/\w+/", "", sent) == re.sub(r"\s|/static/\w+/", "", roomy)

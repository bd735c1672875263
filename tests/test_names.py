"""What was ever stored or sent under a name still is: tags, fields, options, addresses, cookies, columns, keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.stored_names import names

HERE = Path(__file__).parent
OLD = HERE / "old" / "823fa96" / "names.txt"
STATIC = HERE.parent / "static"


def test_every_old_name_is_still_known() -> None:
    now, old = set(names()), set(OLD.read_text(encoding="utf-8").splitlines())
    assert len(old) > 4000
    assert sorted(old - now) == []


@pytest.mark.parametrize(
    "key", ["lookups", "dice/favourites", "dice/thrown", "dice/throwing", "kept/", "sound", "sound/asked", "buzz"]
)
def test_what_browsers_keep_is_found_under_its_key(key: str) -> None:
    programs = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))
    assert f'"{key}' in programs or f"`{key}" in programs

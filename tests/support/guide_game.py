"""The game of docs/adding-a-game.md, built from its text: ``python -m tests.support.guide_game FOLDER`` does it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.support.paths import ROOT

GUIDE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"`(?P<name>[\w/.]+)`\n\n```\w+\n(?P<text>.*?)```", re.DOTALL)


def build(folder: Path) -> None:
    """Write the files of the guide into a folder."""
    files = {found["name"]: found["text"] for found in BLOCK.finditer(GUIDE.read_text("utf-8"))}
    assert set(files) == {"data/rulebook.toml", "data/words.toml", "__init__.py"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))

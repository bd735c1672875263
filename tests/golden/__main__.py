"""Record golden playthroughs, play them again for their words, or read one.

``python -m tests.golden record [GAME]``, ``… reword [GAME]``, ``… show GAME NUMBER [es]``.
"""

from __future__ import annotations

import lzma
import sys

from companion.games import discover
from tests.golden.playthroughs import FOLDER, languages, reworded, store, stored, text
from tests.golden.recording import record


def main(what: str, *rest: str) -> None:
    games = discover()
    if what == "show":
        name, number, *language = rest
        sys.stdout.write(text(games[name], stored(name)[int(number)], *(language or ["en"])))
        return
    for name in rest or games:
        played = [reworded(games[name], one) for one in stored(name)] if what == "reword" else record(games[name])
        store(name, played)
        for number, language in enumerate(languages()):
            read = text(games[name], played[number], language)
            (FOLDER / f"{name}-{number}.txt.xz").write_bytes(lzma.compress(read.encode(), preset=9))
        print(f"{name}: {len(played)} games, {sum(len(one.steps) for one in played)} steps")


if __name__ == "__main__":
    main(*sys.argv[1:])

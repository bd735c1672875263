"""A play for BG Stats: the address that hands a game that is over to that app, which asks before it keeps anything.

Documented at https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import msgspec

from companion.kit.game import RULEKEEPER, Game
from companion.kit.text import Speak
from companion.table.view_models import Summary

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Companion"


class Play(msgspec.Struct, frozen=True):
    """Hold what a play was: when it ``ended`` (ISO 8601), how many ``seconds`` it took, and the seats that won."""

    summary: Summary
    ended: str
    seconds: int
    winners: Collection[str]


def play_data(play: Play, game: Game[Any], speak: Speak) -> dict[str, Any]:
    """Return a play as BG Stats reads it; what is not known is left out.

    The game is called by its English name: under that one it is in the lists that the app matches it with.
    """
    ended = datetime.fromisoformat(play.ended).astimezone(UTC)
    said: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{play.summary.table}-{ended:%Y%m%d%H%M%S}",
        "playDate": f"{ended:%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": game.words.find(game.name.say, "en") or game.name.say,
            "sourceGameId": game.slug,
            "noPoints": True,
        },
        "players": [*_players(play, speak)],
    }
    minutes = round(play.seconds / 60)
    return said | ({"durationMin": minutes} if minutes else {})


def _players(play: Play, speak: Speak) -> Iterator[dict[str, Any]]:
    for person in play.summary.people:
        if person.seat != RULEKEEPER and person.name:
            # The app remembers whom somebody is by this: at every table a player of that name is the same.
            known = {"name": person.name, "sourcePlayerId": person.name.casefold()}
            yield {**known, "role": speak(person.role), "winner": person.seat in play.winners}


def play_address(play: Play, game: Game[Any], speak: Speak) -> str:
    """Return the address that opens BG Stats with a play: as short as it can be written, for the QR code's sake."""
    return ADDRESS + quote(msgspec.json.encode(play_data(play, game, speak)), safe=":,")

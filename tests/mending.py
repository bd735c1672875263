"""Corrections of a game's state, as every game's tests make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.kit.ruling import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.asking import Ask
    from companion.kit.game import Tracked


class Mending:
    """Correct the states of one game; chance is asked as ``ask`` answers it."""

    def __init__(self, game: Any, ask: Callable[..., Ask]) -> None:
        self.game = game
        self.ask = ask

    def correct(self, state: Any, path: str, value: str, **more: Any) -> Any:
        return self.game.correct(state, path, value, self.ask(**more))

    def tracked(self, state: Any) -> dict[str, Tracked]:
        return {entry.path: entry for entry in self.game.tracked(state)}

    def value_of(self, state: Any, path: str) -> Any:
        return self.tracked(state)[path].field.value

    def choices(self, state: Any, path: str) -> list[str]:
        return [option.value for option in self.tracked(state)[path].field.options]

    def no(self, state: Any, path: str, value: str) -> str | None:
        """The clause by which a correction is refused."""
        with pytest.raises(Refusal) as refused:
            self.correct(state, path, value)
        assert refused.value.field == "value"
        return refused.value.clause

"""A chapter of a game: the actions of one part of the rulebook, who is offered them, and what rules on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.odds import Chart
from companion.kit.ruling import Ruling
from companion.kit.text import Text

S = TypeVar("S")
"""The state of the game."""
P = TypeVar("P", bound=str)
"""The seats that play: names of sides or players."""
A = TypeVar("A", bound=Action)


@dataclass(frozen=True)
class Ruled(Generic[S, P]):
    """How an action is ruled on, and what is said of it.

    ``rule`` has state, seat, action and conversation, and returns the state after it or, where only the rule knows its
    headline, a whole ruling. ``headline`` has the states before and after, seat and action; None: the game says it.
    ``odds`` are exact, from state, seat and action. ``reveals`` tells by both states whether somebody learnt something
    hidden. What is ``quiet`` is no step of the game. ``settles``: what follows of itself (``Game.settle``) follows it.
    ``ended``: it is also done when the game is over.
    """

    rule: Callable[[S, P, Any, Ask], S | Ruling[S]]
    headline: Callable[[S, S, P, Any], Text] | None
    odds: Callable[[S, P, Any], tuple[Chart, ...]] | None = None
    reveals: Callable[[S, S], bool] | None = None
    quiet: bool | Callable[[S], bool] = False
    settles: bool = True
    ended: bool = False


class Chapter(Generic[S, P]):
    """One part of a game: register its offers and rules with its decorators, and name it in ``Game.chapters``."""

    def __init__(self) -> None:
        self.actions: dict[type[Action], Ruled[S, P]] = {}
        self.offering: list[Callable[[S, P], Iterable[Offer]]] = []

    def offers(self, offers: Callable[[S, P], Iterable[Offer]]) -> Callable[[S, P], Iterable[Offer]]:
        """Offer a seat that plays what ``offers`` lists, as long as the game is not over."""
        self.offering.append(offers)
        return offers

    def rule(
        self,
        action: type[A],
        *,
        headline: Callable[[S, S, P, A], Text] | None = None,
        says: Callable[[S, P, A], Text] | None = None,
        odds: Callable[[S, P, A], tuple[Chart, ...]] | None = None,
        reveals: Callable[[S, S], bool] | None = None,
        quiet: bool | Callable[[S], bool] = False,
        settles: bool = True,
    ) -> Callable[[Callable[[S, P, A, Ask], S]], Callable[[S, P, A, Ask], S]]:
        """Rule on an action: returns the state after it, or raises Refusal or Pending.

        ``says`` is a headline for which the state before is enough. The rest is as in ``Ruled``.
        """

        def register(rule: Callable[[S, P, A, Ask], S]) -> Callable[[S, P, A, Ask], S]:
            said = headline if says is None else lambda before, _, seat, done: says(before, seat, done)
            self._add(action, Ruled(rule, said, odds, reveals, quiet, settles))
            return rule

        return register

    def ruling(
        self, action: type[A], *, odds: Callable[[S, P, A], tuple[Chart, ...]] | None = None, ended: bool = False
    ) -> Callable[[Callable[[S, P, A, Ask], Ruling[S]]], Callable[[S, P, A, Ask], Ruling[S]]]:
        """Rule on an action whose headline only the rule knows: returns the whole ruling."""

        def register(rule: Callable[[S, P, A, Ask], Ruling[S]]) -> Callable[[S, P, A, Ask], Ruling[S]]:
            self._add(action, Ruled(rule, None, odds, ended=ended))
            return rule

        return register

    def _add(self, action: type[Action], ruled: Ruled[S, P]) -> None:
        if action in self.actions:
            raise TypeError(f"two rules for {action.__name__}")
        self.actions[action] = ruled

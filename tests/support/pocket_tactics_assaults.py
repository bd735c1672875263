"""Assaults of Pocket-Tactics over facts, written short: ``fought("1/2", "2/1", 6, 6, 3, 6, 4, 1)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.pocket_tactics.cards import stat
from companion.games.pocket_tactics.dice import Facts, Party, base_party
from companion.games.pocket_tactics.fight import Course, Outcome, Result, run
from companion.games.pocket_tactics.fight import fight as fought_out
from companion.games.pocket_tactics.hazards import Mover
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.terrain import Land, Spot
from companion.kit.questions import Choose, Throw
from companion.kit.text import Text
from tests.support.playing import Scripted
from tests.support.pocket_tactics_lands import Script
from tests.support.pocket_tactics_positions import P

if TYPE_CHECKING:
    from companion.kit.ruling import Reason

ATTACKER, DEFENDER = Text("blue"), Text("red")
NOWHERE = Script()
PRINTED = Options()


class Fought(NamedTuple):
    """How an assault went, what was thrown, what was asked, and what was told."""

    outcome: Outcome
    thrown: list[Throw]
    asked: list[Choose]
    reasons: list[Reason]

    @property
    def end(self) -> str:
        return self.outcome.end

    @property
    def keys(self) -> list[str]:
        """The pools that were rolled, with their dice: ``attacker_offence 2``."""
        return [f"{one.key} {one.count}" for one in self.thrown]

    @property
    def duels(self) -> list[list[tuple[int | None, int | None, str]]]:
        """The pairs of dice that were told: the attack, then the counter-attack."""
        told = [reason.duel for reason in self.reasons if reason.duel]
        return [[(pair.left, pair.right, pair.verdict) for pair in duel.pairs] for duel in told]

    def told(self, clause: str) -> list[str]:
        return [P.english(reason.text) for reason in self.reasons if reason.clause == clause]


def party(written: str, seat: str = "blue", **more: Any) -> Party:
    """A side with a skill as it is printed: ``2(4)/1``."""
    offence, defence = stat(written)
    return Party(seat, ATTACKER if seat == "blue" else DEFENDER, offence, defence)._replace(**more)


def facts(attacker: Party | str, defender: Party | str, kind: Any = "melee", **more: Any) -> Facts:
    """Two that fight; the defender ``base`` is one."""
    ours = attacker if isinstance(attacker, Party) else party(attacker)
    if defender == "base":
        return Facts(kind, ours, base_party("red", DEFENDER, more.pop("assists", 0)), reached=False, base=True)
    theirs = defender if isinstance(defender, Party) else party(defender, "red")
    return Facts(kind, ours, theirs, **more)


def fought(
    attacker: Party | str,
    defender: Party | str,
    *dice: int,
    options: Options = PRINTED,
    kind: Any = "melee",
    choices: dict[str, str] | None = None,
    **more: Any,
) -> Fought:
    """Fight it out with these dice, and these answers by the question's key; dice that are left over are refused."""
    ask = Scripted(*dice, **(choices or {}))
    outcome = fought_out(facts(attacker, defender, kind, **more), options, ask)
    return _fought(outcome, ask)


def _fought(outcome: Outcome, ask: Scripted) -> Fought:
    ask.finish("PT-36")
    assert not ask.intended, f"never asked: {ask.intended}"
    P.check(ask.reasons)
    thrown = [question for question in ask.asked if isinstance(question, Throw)]
    asked = [question for question in ask.asked if isinstance(question, Choose)]
    return Fought(outcome, thrown, asked, ask.reasons)


def ran(
    fight: Facts,
    *dice: int,
    origin: str = "field",
    target: str = "field",
    land: Land = NOWHERE,
    won: Land = NOWHERE,
    options: Options = PRINTED,
    **choices: str,
) -> tuple[Result, Scripted]:
    """The whole course of an assault, from a terrain to a terrain (empty: a base)."""
    ask = Scripted(*dice, **choices)
    mover = Mover("blue", ATTACKER, fight.attacker.affinities, options)
    ours, theirs = Spot(origin, at="from"), Spot(target, at="to")
    result = run(Course(fight, mover, ours, theirs, land, won), options, ask)
    ask.finish("PT-36")
    P.check(ask.reasons)
    return result, ask

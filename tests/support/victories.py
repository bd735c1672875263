"""Play games to win until they are won, and check every ending: ``python -m tests.support.victories N SEED``."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.games import discover
from companion.games.history_of_war.pieces import SEATS
from companion.games.pocket_tactics.state import SEATS as FACTIONS
from companion.games.tactics_2gm.options import SIDES, other, seats_of
from companion.kit.game import SCREEN
from companion.kit.hexes import named
from tests.support.conformance import Sitting, chosen
from tests.support.watch import Watch
from tests.support.winning_players import NEVER, PLAYERS, Raw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.kit.action import Field, Offer
    from companion.kit.ruling import Reason, Ruling

MOST = 1500
"""Actions after which a game counts as one that does not end."""
MOST_WAYS = 12
WRITING = ("decks", "factions")
"""Phases in which cards could be written: nobody does, who plays to win takes what there is."""


class Won(NamedTuple):
    """How a game ended: the kind of ending, the clause that the ruling rests on, and how many actions it took."""

    kind: str
    clause: str
    actions: int


class Ending(NamedTuple):
    """One way to end: what is true of the state then, and the clauses of which the ruling cites one."""

    holds: Callable[[Any], bool]
    clauses: tuple[str, ...]


class Contest(Sitting):
    """One game between players who want to win."""

    def __init__(self, name: str, seed: int, watch: Watch) -> None:
        game = discover()[name]
        self.player, self.seed = PLAYERS[name], seed
        tables = self.player.tables
        super().__init__(game, seed, watch, game.options(**tables[seed % len(tables)]))

    def ways(self) -> Iterator[tuple[float, str, Offer | None, Raw]]:
        """What every seat may do, each with how much it is wanted; nobody gives up."""
        for seat in self.roles:
            first = self.player.begin(self.state, seat, self.seed)
            if first is not None:
                yield 1000, seat, None, first
                continue
            for offer in self.game.offers(self.state, seat):
                wanted = self.player.tags.get(offer.action, 0.0 if not offer.aside else NEVER)
                written = self.state.phase in WRITING and offer.action not in self.player.tags
                if offer.grave or wanted == NEVER or written:
                    continue
                for raw in self.filled(offer):
                    aimed = self.player.aim(self.state, seat, raw)
                    if aimed != NEVER:
                        yield wanted + offer.main + aimed + self.rng.random(), seat, offer, raw

    def filled(self, offer: Offer) -> Iterator[Raw]:
        """An offer with its choices made: each value of the first choice, of the rest what is filled in or any."""
        open_ = next((field for field in offer.fields if field.kind == "choice" and not offer.budget), None)
        options = [option.value for option in open_.options if option.barred is None] if open_ else [None]
        for value in self.rng.sample(options, MOST_WAYS) if len(options) > MOST_WAYS else options:
            raw: Raw = {"action": offer.action, **offer.given}
            left = offer.budget.points if offer.budget else 0
            for field in offer.fields:
                high = min(field.high, left // field.cost) if field.cost else field.high
                within = msgspec.structs.replace(field, high=high)
                raw[field.name] = value if field is open_ else self.value(within)
                left -= field.cost * raw[field.name] if field.cost else 0
            yield raw

    def value(self, field: Field) -> Any:
        """What is filled in beforehand, where it is; else anything."""
        if field.value is None or field.cost or field.kind in ("choice", "text"):
            return chosen(field, self.rng)
        return list(field.value) if isinstance(field.value, tuple) else field.value

    def turn(self) -> Ruling[Any] | None:
        """Do what is wanted most, now and then something else; the ruling, None where what was filled in is refused."""
        ways = sorted(self.ways(), key=lambda way: -way[0])
        assert ways, f"nobody has anything to do in the phase {self.state.phase}"
        _, seat, offer, raw = ways[0] if self.rng.random() < 0.9 else self.rng.choice(ways)
        return self.act(seat, raw, chancy=False, loose=offer is None or offer.loose)

    def finished(self) -> bool:
        """Whether the game says that it is over."""
        return bool(self.state.phase == "finished")


def cited(reasons: tuple[Reason, ...]) -> set[str]:
    """The clauses of reasons and of what they are made of."""
    return {one.clause for one in reasons if one.clause} | {c for one in reasons for c in cited(one.terms)}


def standing(state: Any, side: str) -> list[Any]:
    return [unit for unit in state.units if unit.side == side and unit.on_board]


def generals(state: Any, side: str) -> bool:
    return any(unit.kind.general for unit in standing(state, side))


def armies_left(state: Any) -> bool:
    """Of the armies on the board none is an enemy of the victors."""
    return bool(state.winner) and {unit.side for unit in state.units if unit.on_board} <= set(state.winner)


def inflicted(state: Any, side: str) -> int:
    """Impact points that the headquarters of the enemy have lost."""
    return sum(one.card.pi - one.pi for one in state.headquarters if one.side != side)


def fallen(state: Any, side: str) -> bool:
    return any(one.side == side and one.pi == 0 for one in state.headquarters)


def empty(state: Any, side: Any) -> bool:
    decks = [state.decks[seat] for seat in seats_of(state.options, side)]
    return not any(deck.hand or deck.pile for deck in decks)


def reached(state: Any, side: Any) -> bool:
    """All that a side had to do in the scenario: what Companion counts is counted again."""
    own = [(at, goal) for at, goal in enumerate(state.scenario.goal) if goal.side == side]
    destroyed = state.lost.get(other(side), 0)
    counted = all(destroyed >= goal.count for _, goal in own if goal.kind == "destroy_units")
    return bool(own) and counted and all(at in state.goals for at, _ in own)


def beats(state: Any, worth: Callable[[Any, str], int], sides: tuple[str, ...]) -> bool:
    """Whether the victor has more of something than the other one, or both as much in a draw."""
    one, two = (worth(state, side) for side in sides)
    return bool(state.winner == ("draw" if one == two else sides[0] if one > two else sides[1]))


def conquered(state: Any, seat: str) -> int:
    """The victory points printed on the territories that a player holds."""
    cards = [(one, state.rosters[one.seat].territory[int(one.card[1:])]) for one in state.territories]
    return sum(card.victory_points for one, card in cards if one.conqueror == seat)


def alive(state: Any, seat: str) -> int:
    return sum(unit.seat == seat and unit.where != "captured" for unit in state.units)


def reaches_base(state: Any) -> bool:
    """Whether the unit that assaulted was beside the base of the other one, or shot at it from within its reach."""
    (base,) = (named(place) for seat, place in state.bases.items() if seat != state.winner)
    unit = state.unit(state.last.unit)
    return named(state.last.came_from or unit.at).apart(base) <= state.card(unit).reach


ENDINGS: dict[str, dict[str, Ending]] = {
    "two_cities": {
        "city": Ending(
            lambda s: s.city(s.winner) is not None and s.city("black" if s.winner == "white" else "white") is None,
            ("TTC-128",),
        ),
    },
    "chesswar": {
        "general": Ending(
            lambda s: not s.options.total_massacre
            and [generals(s, side) for side in s.sides if side not in s.winner] == [False],
            ("CW-164",),
        ),
        "massacre": Ending(lambda s: s.options.total_massacre and armies_left(s), ("CW-173",)),
        "generals of a team": Ending(
            lambda s: s.options.sides == "teams"
            and [generals(s, side) for side in s.sides if side not in s.winner] == [False, False],
            ("CW-179",),
        ),
    },
    "tactics_2gm": {
        "headquarters": Ending(
            lambda s: s.options.mode == "pitched" and s.how == "headquarters" and fallen(s, other(s.winner)),
            ("G2-32", "G2-160"),
        ),
        "cards": Ending(
            lambda s: s.how == "cards" and all(empty(s, side) == (side != s.winner) for side in SIDES), ("G2-26",)
        ),
        "goals": Ending(lambda s: s.how == "goals" and reached(s, s.winner), ("G2-24",)),
        "turns": Ending(
            lambda s: s.how == "turns" and s.turn == 2 * s.scenario.turns and all(
                reached(s, side) == (side == s.winner or (s.winner == "draw" and reached(s, side))) for side in SIDES
            ),
            ("G2-24",),
        ),
        "time": Ending(
            lambda s: s.how == "time" and s.last_turns == 0 and beats(s, inflicted, SIDES),
            ("G2-A39",),
        ),
    },
    "history_of_war": {
        "points": Ending(
            lambda s: s.how == "points"
            and max(conquered(s, seat) for seat in SEATS) >= s.options.to_win and beats(s, conquered, SEATS),
            ("HW-100", "HW-A32"),
        ),
        "no territory": Ending(
            lambda s: s.how == "no_territory"
            and all(one.conqueror for one in s.territories) and beats(s, conquered, SEATS),
            ("HW-A33",),
        ),
    },
    "pocket_tactics": {
        "army": Ending(
            lambda s: s.how == "army" and {seat for seat in FACTIONS if alive(s, seat)} == {s.winner}, ("PT-64",)
        ),
        "base": Ending(
            lambda s: s.how == "base" and s.unit(s.last.unit).seat == s.winner and (not s.mirrored or reaches_base(s)),
            ("PT-65",),
        ),
        "both gone": Ending(
            lambda s: s.how == "both_gone" and not any(alive(s, seat) for seat in FACTIONS)
            and s.winner == ("draw" if s.options.double_elimination == "draw" else s.active),
            ("PT-A43",),
        ),
    },
}  # fmt: skip
"""Every way in which a game ends by itself, with what must be true then, worked out from what lies on the table."""


def ended(name: str, state: Any, ruling: Ruling[Any], actions: int) -> Won:
    """How a game that is over was won; fails where its state or its ruling does not say so."""
    found = cited(ruling.reasons)
    for kind, ending in ENDINGS[name].items():
        for clause in ending.clauses:
            if clause in found and state.winner and ending.holds(state):
                return Won(kind, clause, actions)
    raise AssertionError(f"{name} is over, but nobody has won: {sorted(found)} {getattr(state, 'how', '')}")


def play(name: str, seed: int, watch: Watch) -> Won | None:
    """Play a game until it is won; None where it has not ended."""
    contest = Contest(name, seed, watch)
    for actions in range(1, MOST + 1):
        ruling = contest.turn()
        if contest.finished():
            assert ruling is not None
            contest.look()
            assert contest.over()
            assert not contest.offers()
            return ended(name, contest.state, ruling, actions)
        assert not contest.game.view(contest.state, SCREEN).over
    return None


def main(games: int, seed: int, *names: str) -> None:
    for name in names or tuple(PLAYERS):
        watch, won = Watch(discover()[name]), list[Won]()
        unfinished = []
        for one in range(seed, seed + games):
            found = play(name, one, watch)
            if found is None:
                unfinished.append(one)
            else:
                won.append(found)
        ways = Counter(f"{one.kind} ({one.clause})" for one in won)
        mean = sum(one.actions for one in won) / len(won) if won else 0
        told = ", ".join(f"{kind} {count}" for kind, count in ways.most_common())
        print(
            f"{name}: {games} games, {len(won)} won: {told}; {mean:.0f} actions a game; not ended: {unfinished}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1, *sys.argv[3:])

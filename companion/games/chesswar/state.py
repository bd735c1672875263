"""What a table of ChessWar has to remember, and whose turn it is to act."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.chesswar.armies import TYPES, WEAPONS, ArmyId, Piece, Spell, UnitType, Weapon
from companion.games.chesswar.options import TEAM_OF, Options, Side, grid, named, sides, teams
from companion.kit.action import Action
from companion.kit.game import Frozen
from companion.kit.pieces import changed
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

Place = Annotated[str, Meta(pattern=r"^[a-p]([1-9]|1[0-6])\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,8}\Z")]
TypeId = Annotated[str, Meta(pattern=rf"^({'|'.join(TYPES)})\Z")]
Names = Annotated[tuple[Name, ...], Meta(max_length=99)]
UnitId = Annotated[str, Meta(min_length=1, max_length=40)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Number = Annotated[int, Meta(ge=0, le=99)]
"""What an action may call a unit, a square and a count: whether there is such a one its rule says."""
Phase = Literal["choosing", "raising", "redeploying", "movement", "shooting", "combat", "finished"]
Replies = Literal["ask", "wait", "never"]
Ground = Literal["forest", "hill"]
TURN_PHASES: tuple[Phase, ...] = ("movement", "shooting", "combat")
BEFORE: tuple[Phase, ...] = ("choosing", "raising")
"""Phases in which armies are hidden."""
INITIALS: dict[Side, str] = {"white": "w", "black": "b", "red": "r", "blue": "u"}
LETTERS = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"}


class Unit(Frozen, frozen=True, omit_defaults=True):
    """A unit of an army. ``square`` is None off the board, and always on a table whose board is not mirrored.

    ``on_board`` turns false when it is destroyed; ``down`` while it lies knocked over (CW-114). ``engaged_with`` are
    its opponents, in the order in which they met. The rest is about the turn: ``moved`` when it entered another square,
    ``came_from`` where it then started, ``settled`` when it has made its move, ``trampled`` when that move removed
    somebody, ``charged`` how it came into its newest melee, ``charge_failed`` when dread held it back; ``shot``,
    ``attacked``, ``raised`` from the dead, ``flying`` until the end of the movement phase; a mage's ``cast`` in this
    turn, ``locked`` out of its own next one (CW-123), and the enemy unit that he ``heals`` if it falls in this turn
    (CW-Q30).
    """

    id: Name
    side: Side
    type: TypeId
    square: Place | None = None
    on_board: bool = True
    down: bool = False
    engaged_with: Names = ()
    moved: bool = False
    came_from: Place | None = None
    settled: bool = False
    trampled: bool = False
    charged: Literal["", "movement", "continuation"] = ""
    charge_failed: bool = False
    shot: bool = False
    attacked: bool = False
    raised: bool = False
    flying: bool = False
    cast: bool = False
    locked: bool = False
    heals: Name | None = None

    @property
    def kind(self) -> UnitType:
        """Return the row of its army list."""
        return TYPES[self.type]

    @property
    def weapon(self) -> Weapon | None:
        """Return what it shoots with."""
        return WEAPONS[self.kind.weapon] if self.kind.weapon else None

    @property
    def engaged(self) -> bool:
        """Tell whether it is in a melee (CW-43)."""
        return bool(self.engaged_with)

    @property
    def stands(self) -> bool:
        """Tell whether it is on the board and on its feet."""
        return self.on_board and not self.down

    def rested(self) -> Unit:
        """Return the unit as it is when a turn is over."""
        where = (self.id, self.side, self.type, self.square, self.on_board, self.down, self.engaged_with)
        return Unit(*where, locked=self.locked)


class UnitAction(Action, frozen=True):
    """What a seat does with a unit of its own."""

    unit: UnitId


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """A temporary spell in force (CW-129). ``covers`` names whom a Protection covers where no board tells."""

    spell: Spell
    side: Side
    caster: Name
    covers: Names = ()

    @property
    def mark(self) -> str:
        """Return what tells it from every other spell in force: a mage has each of them in force once."""
        return f"{self.spell}.{self.caster}"


class Last(msgspec.Struct, frozen=True):
    """The newest deed, for those who look at the board: the squares it went from and to.

    Where no board tells, ``target`` is who was shot at.
    """

    from_square: Place | None
    to_square: Place | None
    target: Name | None = None


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """A table.

    ``order`` lists the teams in the order of their turns, by their places in ``teams``; ``active`` is the place in it.
    ``ready`` are the sides that have deployed, ``done`` those of a team that have finished the phase. ``acted`` lists
    each side's units in the order in which they last acted in this phase. ``leaderless`` are the sides without a
    general. ``lists`` are what each side had bought when the armies were seen, whoever falls and is raised since.
    ``kept`` are the sides that lead the army of the game before, and may still lead another one (CW-11).
    """

    options: Options
    units: Annotated[tuple[Unit, ...], Meta(max_length=4000)] = ()
    armies: dict[Side, ArmyId] = {}
    terrain: dict[Place, Ground] = {}
    phase: Phase = "raising"
    round: Annotated[int, Meta(ge=1, le=99_999)] = 1
    order: Annotated[tuple[int, ...], Meta(max_length=4)] = ()
    active: Annotated[int, Meta(ge=0, le=3)] = 0
    ready: tuple[Side, ...] = ()
    done: tuple[Side, ...] = ()
    effects: Annotated[tuple[Effect, ...], Meta(max_length=99)] = ()
    replies: dict[Side, Replies] = {}
    acted: dict[Side, Names] = {}
    leaderless: tuple[Side, ...] = ()
    winner: tuple[Side, ...] = ()
    last: Last | None = None
    lists: dict[Side, dict[Piece, Number]] = {}
    kept: tuple[Side, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError when the position can not be: units, teams or squares that there are not."""
        known = {unit.id: unit for unit in self.units}
        board, playing = grid(self.options), sides(self.options)
        if len(known) < len(self.units) or any(unit.side not in playing for unit in self.units):
            raise ValueError("units are not named as they should be")
        if self.phase in BEFORE and any(unit.side not in self.armies for unit in self.units):
            raise ValueError("units of an army that nobody has chosen")
        for unit in self.units:
            if unit.square is not None and unit.square not in board:
                raise ValueError("a unit stands beside the board")
            foes = [known[foe] for foe in unit.engaged_with if foe in known]
            if len(set(unit.engaged_with)) < len(unit.engaged_with) or len(foes) < len(unit.engaged_with):
                raise ValueError("a melee is of units in play, each of them once")
            if any(unit.id not in foe.engaged_with or not self.enemies(unit, foe) for foe in foes):
                raise ValueError("a melee has two sides")
        if any(unit.engaged for unit in self.units) and self.phase in (*BEFORE, "redeploying"):
            raise ValueError("a melee before the game")
        if any(side not in playing for side in (*self.ready, *self.done, *self.leaderless, *self.winner)):
            raise ValueError("a side that does not play")
        if self.phase in TURN_PHASES and not 0 <= self.active < len(self.order):
            raise ValueError("nobody's turn")
        if sorted(self.order) not in ([], list(range(len(teams(self.options))))):
            raise ValueError("every team has its turn")
        if any(square not in board for square in self.terrain):
            raise ValueError("terrain lies beside the board")

    @property
    def mirrored(self) -> bool:
        """Tell whether Companion knows where the units stand."""
        return self.options.board == "mirrored"

    @property
    def hidden(self) -> bool:
        """Tell whether armies are secret: before all have deployed, and for good where somebody gave up then (CW-18).

        The order of turns is settled when the armies are seen.
        """
        return self.phase in BEFORE or (self.phase == "finished" and not self.order)

    @property
    def sides(self) -> tuple[Side, ...]:
        """List the sides of the battle."""
        return sides(self.options)

    @property
    def acting(self) -> tuple[Side, ...]:
        """List the sides whose turn it is."""
        if self.phase not in (*TURN_PHASES, "redeploying") or not self.order:
            return ()
        return teams(self.options)[self.order[self.active]]

    @property
    def in_turn(self) -> tuple[Side, ...]:
        """List the sides in the order of their turns, from the present one."""
        order = (*self.order[self.active :], *self.order[: self.active])
        return tuple(side for team in order for side in teams(self.options)[team])

    @property
    def led(self) -> frozenset[Side]:
        """Return the sides that have a general on the board."""
        return frozenset(unit.side for unit in self.units if unit.on_board and unit.kind.general)

    def team(self, side: Side) -> tuple[Side, ...]:
        """List the sides that fight together with a side, itself included."""
        return TEAM_OF[self.options.sides][side]

    def enemies(self, one: Unit, other: Unit) -> bool:
        """Tell whether two units are enemies."""
        return other.side not in self.team(one.side)

    def find(self, name: str) -> Unit | None:
        """Return the unit of that id."""
        return self._by_id.get(name)

    @cached_property
    def _by_id(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    def alike(self, unit: Unit) -> frozenset[str]:
        """Name the units of its side that are of its type, it may be among them."""
        return self._alike.get((unit.side, unit.type), frozenset())

    @cached_property
    def _alike(self) -> dict[tuple[Side, str], frozenset[str]]:
        found = defaultdict[tuple[Side, str], set[str]](set)
        for unit in self.units:
            found[unit.side, unit.type].add(unit.id)
        return {kind: frozenset(ids) for kind, ids in found.items()}

    def unit(self, name: str, field: str = "unit") -> Unit:
        """Return the unit of that id that stands; raise Refusal naming the field."""
        unit = self.find(name)
        if unit is not None and unit.on_board and unit.down:
            raise Refusal(say("It lies knocked over until the end of the turn."), "CW-114", field)
        if unit is None or not unit.stands:
            raise Refusal(say("There is no unit called {name} in play.", name=name), "CW-28", field)
        return unit

    def standing(self, *of: Side) -> tuple[Unit, ...]:
        """List the units that stand, of those sides or of all."""
        return tuple(unit for unit in self.units if unit.stands and (not of or unit.side in of))

    def at(self, square: str | None) -> Unit | None:
        """Return the unit that stands on a square."""
        return None if square is None else self._by_square.get(square)

    @cached_property
    def _by_square(self) -> dict[str | None, Unit]:
        return {unit.square: unit for unit in reversed(self.units) if unit.stands}

    def occupied(self) -> frozenset[str]:
        """List the squares that hold a standing unit."""
        return frozenset(unit.square for unit in self.units if unit.stands and unit.square is not None)

    def opponents(self, unit: Unit) -> tuple[Unit, ...]:
        """List the units that a unit is paired with in melee (CW-44)."""
        return tuple(foe for name in unit.engaged_with if (foe := self.find(name)) is not None)

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(units=changed(self.units, name, **changes))

    def after_deed(self, unit: Unit) -> State:
        """Return the state with a unit as the one of its side that acted last in this phase."""
        order = self.order_without(unit)
        return self.but(acted={**order, unit.side: (*order.get(unit.side, ()), unit.id)})

    def order_without(self, unit: Unit) -> dict[Side, tuple[str, ...]]:
        """Return who acted in which order, a unit left out."""
        return {side: tuple(name for name in names if name != unit.id) for side, names in self.acted.items()}

    def acted_last(self, unit: Unit) -> bool:
        """Tell whether a unit is the one of its side that acted last in this phase."""
        return self.acted.get(unit.side, ())[-1:] == (unit.id,)

    def engage(self, one: str, other: str) -> State:
        """Return the state with two units paired in melee (CW-42)."""
        met = {one: other, other: one}

        def paired(unit: Unit) -> Unit:
            foe = met.get(unit.id, "")
            known = not foe or foe in unit.engaged_with
            return unit if known else replace(unit, engaged_with=(*unit.engaged_with, foe))

        return self.but(units=tuple(map(paired, self.units)))

    def disengage(self, name: str) -> State:
        """Return the state with a unit out of all its melees."""

        def parted(unit: Unit) -> Unit:
            foes = () if unit.id == name else tuple(foe for foe in unit.engaged_with if foe != name)
            return unit if foes == unit.engaged_with else replace(unit, engaged_with=foes)

        return self.but(units=tuple(map(parted, self.units)))

    def new_id(self, side: Side, kind: UnitType) -> str:
        """Return a name that no unit of a side had yet."""
        known = {unit.id for unit in self.units}
        stem = f"{INITIALS[side]}{LETTERS[kind.piece]}"
        return next(name for count in range(1, len(known) + 2) if (name := f"{stem}{count}") not in known)

    def check_begun(self) -> None:
        """Refuse what belongs to the game before it and after it."""
        if self.phase == "finished":
            raise Refusal(say("The game is over."), "CW-164")
        if self.phase not in TURN_PHASES:
            raise Refusal(say("The game has not begun: first all armies are deployed."), "CW-20")

    def check_acting(self, side: Side) -> None:
        """Refuse what is done out of turn (CW-24, CW-27), or before or after the game."""
        self.check_begun()
        if side not in self.acting:
            now = say("It is {side}'s turn: only instant spells interrupt it.", side=named(self.acting))
            raise Refusal(now, "CW-27")

    def check_open(self, side: Side) -> None:
        """Refuse what a side does out of turn, or when it has ended the phase (CW-25)."""
        self.check_acting(side)
        if side in self.done:
            raise Refusal(say("You have ended this phase."), "CW-25")

    def check_meant(self, phase: Phase | None, number: int | None = None) -> None:
        """Refuse to end another phase, or that of another round, than an old page shows (CW-25)."""
        if phase not in (None, self.phase) or number not in (None, self.round):
            raise Refusal(say("That phase is over already."), "CW-25")

    def own(self, side: Side, name: str) -> Unit:
        """Return a side's own unit; raise Refusal when it is not (CW-27)."""
        unit = self.unit(name)
        if unit.side != side:
            raise Refusal(say("Each player acts with his own units."), "CW-27", "unit")
        return unit

    def actor(self, side: Side, phase: Phase, name: str) -> Unit:
        """Return a side's own unit that acts in a phase; raise Refusal when it is another one's (CW-25, CW-27)."""
        self.check_acting(side)
        if self.phase != phase:
            raise Refusal(say("That is done in the {phase} phase.", phase=Text(phase)), "CW-25")
        self.check_open(side)
        return self.own(side, name)

"""Skirmish: a small game on a board of any size, where many pieces move in one turn, to test boards with."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.correction import Tracked
from companion.kit.game import Lookup, Role
from companion.kit.odds import Bar, Chart
from companion.kit.panels import Board, Piece, View
from companion.kit.questions import Option
from companion.kit.rulebook import Rulebook
from companion.kit.ruling import Refusal, Ruling
from companion.kit.squares import Grid
from companion.kit.text import Text, Words, say
from tests.support.plain_games import PlainGame

LETTERS = "abcdefghijklmnop"
GLYPHS = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
SIDES = {"chess": ("white", "black"), "bright": ("red", "blue")}


class Options(msgspec.Struct, frozen=True):
    size: Annotated[int, Meta(ge=6, le=16)] = 8
    pieces: Annotated[int, Meta(ge=1, le=32)] = 24
    sides: Literal["chess", "bright"] = "chess"
    reach: Annotated[int, Meta(ge=1, le=16)] = 2


class Unit(msgspec.Struct, frozen=True):
    id: str
    side: str
    glyph: str
    square: str
    moved: bool = False
    down: bool = False


class State(msgspec.Struct, frozen=True):
    size: int
    reach: int
    sides: tuple[str, ...]
    units: tuple[Unit, ...]
    links: tuple[tuple[str, str], ...] = ()
    turn: str = ""
    order: tuple[str, ...] = ()
    """The moves of the turn, as they came in."""

    @property
    def grid(self) -> Grid:
        return Grid(LETTERS[: self.size], self.size)

    def at(self, square: str) -> Unit | None:
        return next((unit for unit in self.units if unit.square == square), None)

    def find(self, unit: str) -> Unit:
        found = next((one for one in self.units if one.id == unit), None)
        if found is None:
            raise Refusal(say("There is no such piece."), "SK-1", "unit")
        return found

    def with_unit(self, unit: Unit) -> State:
        units = tuple(unit if one.id == unit.id else one for one in self.units)
        return msgspec.structs.replace(self, units=units)


class Doing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="action"):
    pass


class Move(Doing, frozen=True, tag="move"):
    unit: str
    to: str


class Push(Doing, frozen=True, tag="push"):
    """Move beside the other's piece and be linked with it."""

    unit: str
    to: str


class Shoot(Doing, frozen=True, tag="shoot"):
    unit: str
    target: str


class End(Doing, frozen=True, tag="end"):
    pass


def free_squares(state: State, unit: Unit) -> tuple[str, ...]:
    taken = {one.square for one in state.units}
    file, rank = state.grid.place(unit.square)
    near = ((other, state.grid.place(other)) for other in state.grid.squares())
    return tuple(
        other for other, (x, y) in near if other not in taken and max(abs(x - file), abs(y - rank)) <= state.reach
    )


def beside_enemies(state: State, unit: Unit) -> tuple[str, ...]:
    enemies = {one.square for one in state.units if one.side != unit.side}
    return tuple(to for to in free_squares(state, unit) if enemies & set(state.grid.beside(to)))


class Skirmish(PlainGame):
    slug = "skirmish"
    name = say("Skirmish")
    summary = say("A skirmish.")
    rulebook = Rulebook()
    words = Words(names={one: {"en": one.capitalize(), "es": one.capitalize()} for one in sum(SIDES.values(), ())})
    options = Options
    state = State
    actions = Move | Push | Shoot | End
    lookups: ClassVar[dict[str, Lookup]] = {}

    def roles(self, options: Options) -> tuple[Role, ...]:
        return tuple(Role(side, Text(side)) for side in SIDES[options.sides])

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        sides, size = SIDES[options.sides], options.size
        units = []
        for side in sides:
            for at in range(options.pieces if side == sides[0] else min(options.pieces, size)):
                row, file = divmod(at, size)
                rank = 1 + row if side == sides[0] else size - row
                glyph = GLYPHS[file % 8] if row == 0 else "pawn"
                units.append(Unit(f"{side[0]}{at}", side, glyph, f"{LETTERS[file]}{rank}"))
        return Ruling(State(size, options.reach, sides, tuple(units), turn=sides[0]), say("Ready"))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        if seat != state.turn:
            return ()
        found = [Offer("end", say("End the turn"), main=True)]
        for unit in state.units:
            if unit.side != seat or unit.moved:
                continue
            who = say("{glyph} {square}", glyph=Text(unit.glyph), square=unit.square)
            enemies = tuple(
                Option(one.id, say("{glyph} {square}", glyph=Text(one.glyph), square=one.square), place=one.square)
                for one in state.units
                if one.side != seat
            )
            for action, words, squares in (
                ("move", say("Move: {who}", who=who), free_squares(state, unit)),
                ("push", say("Push: {who}", who=who), beside_enemies(state, unit)),
            ):
                if squares:
                    options = tuple(Option(square, say("{square}", square=square), place=square) for square in squares)
                    to = Field("to", say("Square"), "choice", options)
                    found.append(Offer(action, words, {"unit": unit.id}, (to,), on=unit.id))
            if unit.glyph == "rook":
                target = Field("target", say("Target"), "choice", enemies)
                label = say("Shoot: {who}", who=who)
                found.append(Offer("shoot", label, {"unit": unit.id}, (target,), on=unit.id, chancy=True))
        return tuple(found)

    def rule(self, state: State, seat: str, action: Any, ask: Ask) -> Ruling[State]:
        if seat != state.turn:
            raise Refusal(say("It is not your turn."), "SK-2")
        if isinstance(action, End):
            other = state.sides[1 - state.sides.index(seat)]
            units = tuple(msgspec.structs.replace(unit, moved=False) for unit in state.units)
            after = msgspec.structs.replace(state, turn=other, units=units, order=())
            return Ruling(after, say("{side} ends the turn", side=Text(seat)))
        unit = state.find(action.unit)
        if isinstance(action, Shoot):
            target = state.find(action.target)
            faces = ask.throw(1, 6, "shot", say("Shoot"), by=seat)
            ask.tell(say("shot"), "SK-4", faces[0], faces=faces)
            after = state.with_unit(msgspec.structs.replace(target, down=faces[0] > 1))
            moved = msgspec.structs.replace(after.find(unit.id), moved=True)
            return Ruling(after.with_unit(moved), say("A shot at {square}", square=target.square), tuple(ask.reasons))
        if unit.moved or action.to not in free_squares(state, unit):
            raise Refusal(say("{glyph} can not go to {to}.", glyph=Text(unit.glyph), to=action.to), "SK-3", "to")
        after = state.with_unit(msgspec.structs.replace(unit, square=action.to, moved=True))
        order = (*state.order, f"{unit.id}-{action.to}")
        links = state.links
        if isinstance(action, Push):
            near = (one.square for one in state.units if one.side != seat)
            links = (*links, *((action.to, other) for other in near if other in state.grid.beside(action.to)))
        after = msgspec.structs.replace(after, order=order, links=links)
        return Ruling(after, say("{glyph} goes to {to}", glyph=Text(unit.glyph), to=action.to))

    def view(self, state: State, seat: str) -> View:
        ranks = tuple(str(rank) for rank in range(1, state.size + 1))
        pieces = tuple(self.piece(unit) for unit in state.units)
        files = tuple(state.grid.files)
        board = Board(say("Board"), files, ranks, pieces, turned=seat == state.sides[1], links=state.links)
        return View(say("Move your pieces."), (state.turn,), (board,))

    def piece(self, unit: Unit) -> Piece:
        marks = {"shield": unit.glyph == "king", "wing": unit.glyph == "knight", "bow": unit.glyph == "rook"}
        signs = tuple(sign for sign, shown in {**marks, "clock": unit.moved}.items() if shown)
        badges = tuple(Text(sign) for sign in signs)
        name = Text(unit.glyph)
        return Piece(
            unit.id,
            unit.side,
            unit.glyph,
            name,
            unit.square,
            badges=badges,
            spent=unit.moved,
            down=unit.down,
            signs=signs,
        )

    def foresee(self, state: State, seat: str, action: Any) -> tuple[Chart, ...]:
        return (Chart(Text("odds"), (Bar(say("any"), Fraction(1)),)),) if isinstance(action, Shoot) else ()

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        return tuple(
            Tracked(f"{unit.id}.square", Text(unit.side), Field("value", Text(unit.id), "text", value=unit.square))
            for unit in state.units
        )

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        return state.with_unit(msgspec.structs.replace(state.find(path.partition(".")[0]), square=value))


SKIRMISH: Any = Skirmish()

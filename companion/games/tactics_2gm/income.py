"""The headquarters phase: what a side's action points come to, and how two players share them.

G2-28, G2-34, G2-36, G2-73 to G2-76, G2-79, G2-80, G2-152, G2-153 and G2-163.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm.sides import LINES, paired, seats_of, side_of
from companion.kit.asking import Ask
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

Line = Literal["1", "2", "3", "4", "5", "6"]
_Stock = Annotated[int, Meta(ge=0, le=99)]
NOVICE = 1
"""AP that a side of novices gets more each turn (G2-163)."""


class IncomeFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a headquarters phase; of a pair, ``stored`` are the field marshal's AP."""

    stored: Annotated[_Stock, Meta(title="AP kept from before", description="Of two partners: the marshal's.")] = 0
    cap: Annotated[int, Meta(title="Maximum of AP", description="It stands on the headquarters.", ge=1, le=99)] = 8
    hq_income: Annotated[int, Meta(title="AP of the headquarters", ge=0, le=40)] = 3
    lines_with_units: Annotated[
        tuple[Line, ...],
        Meta(title="Lines that hold own units", description="1 is the deployment line. A gap cuts off what is beyond."),
    ] = ()
    command_bonus: Annotated[int, Meta(title="AP of command groups", ge=0, le=40)] = 0
    card_bonus: Annotated[int, Meta(title="AP of the general and other cards", ge=0, le=40)] = 0
    novice: Annotated[bool, Meta(title="Novices: one more")] = False
    pair: Annotated[bool, Meta(title="Two partners share the AP")] = False
    stored_general: Annotated[_Stock, Meta(title="The general's AP kept from before", description="Of a pair.")] = 0
    cap_scope: Annotated[
        Literal["always", "carry_only"],
        Meta(
            title="The maximum of AP",
            extra={"rare": True, "labels": {"always": "Always", "carry_only": "On what is carried over"}},
        ),
    ] = "always"


class Income(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a headquarters phase comes to: ``marshal`` and ``general`` only of a pair."""

    supply_ap: int
    ap_after: int
    added: int
    lost: int
    marshal: int | None = None
    general: int | None = None


def supply(lines: Collection[str]) -> int:
    """Count the lines of the supply line: from line 1 on, up to the first gap (G2-75, G2-A08)."""
    return next((line - 1 for line in range(1, LINES + 1) if str(line) not in lines), LINES)


def shares(amount: int) -> tuple[int, int]:
    """Divide AP between field marshal and general; an odd one is the marshal's (G2-152, G2-153)."""
    return amount - amount // 2, amount // 2


def produce(facts: IncomeFacts, ask: Ask) -> Income:
    """Add a headquarters phase up, cut it to the maximum, and share it (G2-79, G2-80, G2-A09, G2-A34)."""
    stored = facts.stored + (facts.stored_general if facts.pair else 0)
    lines = supply(facts.lines_with_units)
    novice = NOVICE if facts.novice else 0
    gained = facts.hq_income + facts.card_bonus + facts.command_bonus + lines + novice
    limited = stored if facts.cap_scope == "carry_only" else stored + gained
    lost = max(0, limited - facts.cap)
    added = max(0, gained - lost) if facts.cap_scope == "always" else gained
    given_up = lost - (gained - added)
    for value, text, clause in (
        (stored, say("kept from before"), "G2-79"),
        (facts.hq_income, say("from the headquarters"), "G2-28"),
        (facts.card_bonus, say("from the general and other cards"), "G2-36"),
        (facts.command_bonus, say("from command groups"), "G2-80"),
        (novice, say("for novices"), "G2-163"),
    ):
        if value:
            ask.tell(text, clause, value)
    _tell_supply(facts, lines, ask)
    if lost:
        ask.tell(say("above the maximum of {cap}: lost", cap=facts.cap), "G2-34", -lost)
    marshal, general = facts.stored, facts.stored_general
    if facts.pair:
        less = min(general, shares(given_up)[0])
        less = max(less, given_up - marshal)
        marshal, general = marshal - (given_up - less), general - less
        marshal, general = marshal + shares(added)[0], general + shares(added)[1]
    return Income(
        supply_ap=lines,
        ap_after=stored - given_up + added,
        added=added,
        lost=lost,
        marshal=marshal if facts.pair else None,
        general=general if facts.pair else None,
    )


def _tell_supply(facts: IncomeFacts, lines: int, ask: Ask) -> None:
    held = [int(line) for line in facts.lines_with_units]
    if lines:
        text = say("from the supply line: line 1|from the supply line: lines 1 to {count}", count=lines)
        ask.tell(text, "G2-76", lines)
    if held and max(held) > lines:
        ask.tell(say("line {line} holds no unit: what stands beyond it is cut off", line=lines + 1), "G2-75")
    elif not held:
        ask.tell(say("no unit holds line 1: no supply line"), "G2-75")


def held(state: State, side: Side) -> tuple[Line, ...]:
    """List the lines that hold ground units of a side, where Companion knows (G2-73 to G2-75, G2-A08)."""
    found = {state.line(unit) for unit in state.on_ground(side)}
    lines: tuple[Line, ...] = ("1", "2", "3", "4", "5", "6")
    return tuple(line for line in lines if int(line) in found)


def command(state: State, side: Side) -> int:
    """Add up what the command groups of a side on the battlefield give (G2-80)."""
    return sum(state.card(unit).command for unit in state.on_ground(side))


def facts_of(state: State, lines: tuple[Line, ...]) -> IncomeFacts:
    """Return the facts of the headquarters phase of the side whose turn it is."""
    side = state.active
    printed = sum(one.card.income for one in state.headquarters if one.side == side)
    pair = paired(state.options, side)
    marshal = state.leader(side)
    general = state.partner(marshal)
    return IncomeFacts(
        stored=state.ap.get(marshal, 0),
        pair=pair,
        stored_general=state.ap.get(general, 0) if general else 0,
        cap=state.cap(side),
        hq_income=printed,
        lines_with_units=lines,
        command_bonus=command(state, side),
        card_bonus=state.income(side) - printed,
        novice=side in state.options.novices,
        cap_scope=state.options.cap_scope,
    )


def forecast(state: State) -> Reason:
    """Say what the coming headquarters phase gives, as a sum, where Companion knows the lines (G2-79, G2-80)."""
    ask = Ask()
    found = produce(facts_of(state, held(state, state.active)), ask)
    said = say("{side}: {ap} AP after the headquarters phase", side=Text(state.active), ap=found.ap_after)
    terms = tuple(replace(reason, value=reason.value or 0) for reason in ask.reasons)  # a line that is cut off gives 0
    return Reason(said, "G2-79", found.ap_after, terms)


def take(state: State, seat: Seat, lines: tuple[Line, ...], ask: Ask) -> State:
    """Take the AP of the headquarters phase for the whole side (G2-79, G2-80, G2-155)."""
    side = side_of(seat)
    found = produce(facts_of(state, _lines(state, side, lines)), ask)
    shared = (found.ap_after,) if found.marshal is None else (found.marshal, found.general or 0)
    marshal = state.leader(side)
    order = sorted(seats_of(state.options, side), key=lambda one: one != marshal)
    for one, ap in zip(order, shared, strict=True):
        clause = "G2-79" if len(shared) == 1 else ("G2-153" if one == marshal else "G2-152")
        ask.tell(say("{seat}: {ap} AP", seat=Text(one), ap=ap), clause)
        state = state.with_ap(one, ap)
    return state


def _lines(state: State, side: Side, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines that a side holds: worked out, or as told by the table (G2-75)."""
    if state.mirrored:
        if lines:
            raise Refusal(say("Companion knows which lines you hold."), "G2-75", "lines")
        return held(state, side)
    if len(set(lines)) > len(state.on_ground(side)):
        count = len(state.on_ground(side))
        raise Refusal(
            say("{count} unit holds one line at the most.|{count} units hold {count} lines at the most.", count=count),
            "G2-75",
            "lines",
        )
    return lines

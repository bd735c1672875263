"""Action points: what the headquarters phase gives, how two share it, and what is spent and gained by hand.

G2-28, G2-30, G2-34, G2-36, G2-73 to G2-76, G2-79, G2-80, G2-152 to G2-154, G2-163 to G2-165.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm import players
from companion.games.tactics_2gm.options import LINES, Seat, Side, line_of, seats_of, side_of
from companion.games.tactics_2gm.players import Line
from companion.games.tactics_2gm.state import State
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

action_points = Chapter[State, Seat]()
LINE_NAMES: tuple[Line, ...] = get_args(Line)
_Stock = Annotated[int, Meta(ge=0, le=99)]
NOVICE = 1
"""AP that a side of novices gets more each turn (G2-163)."""
MOST_SPENT, MOST_GAINED = 99, 20
Amount = Annotated[int, Meta(ge=1, le=MOST_SPENT)]
Why = Annotated[str, Meta(min_length=1, max_length=60)]


class Cede(Action, frozen=True, tag="cede"):
    """Give your general the one AP that a field marshal may give each turn (G2-154)."""


class Spend(Action, frozen=True, tag="spend"):
    """Spend AP on what a card or a capability says (G2-30, G2-165)."""

    amount: Amount
    why: Why


class Gain(Action, frozen=True, tag="gain"):
    """Take AP that a card or a capability gives."""

    amount: Amount
    why: Why


class IncomeFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of a headquarters phase; of a pair, ``stored`` are the field marshal's AP."""

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
    """What a headquarters phase comes to: ``marshal`` and ``general`` only of a pair."""

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
    came = Income(supply_ap=lines, ap_after=stored - given_up + added, added=added, lost=lost)
    if not facts.pair:
        return came
    less = max(min(facts.stored_general, shares(given_up)[0]), given_up - facts.stored)
    more_for_marshal, more_for_general = shares(added)
    return replace(
        came,
        marshal=facts.stored - (given_up - less) + more_for_marshal,
        general=facts.stored_general - less + more_for_general,
    )


def _tell_supply(facts: IncomeFacts, lines: int, ask: Ask) -> None:
    numbers = [int(line) for line in facts.lines_with_units]
    if lines:
        text = say("from the supply line: line 1|from the supply line: lines 1 to {count}", count=lines)
        ask.tell(text, "G2-76", lines)
    if numbers and max(numbers) > lines:
        ask.tell(say("line {line} holds no unit: what stands beyond it is cut off", line=lines + 1), "G2-75")
    elif not numbers:
        ask.tell(say("no unit holds line 1: no supply line"), "G2-75")


def lines_held(state: State, side: Side) -> tuple[Line, ...]:
    """List the lines that hold ground units of a side, where Companion knows (G2-73 to G2-75, G2-A08)."""
    numbers = {line_of(side, unit.square) for unit in state.on_ground(side) if unit.square is not None}
    return tuple(line for line in LINE_NAMES if int(line) in numbers)


def facts_of(state: State, lines: tuple[Line, ...]) -> IncomeFacts:
    """Return the facts of the headquarters phase of the side whose turn it is (G2-79, G2-80)."""
    side = state.active
    marshal = state.leader(side)
    general = state.partner(marshal)
    return IncomeFacts(
        stored=state.ap.get(marshal, 0),
        pair=general is not None,
        stored_general=state.ap.get(general, 0) if general else 0,
        cap=players.cap(state, side),
        hq_income=sum(hq.card.income for hq in state.headquarters if hq.side == side),
        lines_with_units=lines,
        command_bonus=sum(state.card(unit).command for unit in state.on_ground(side)),
        card_bonus=players.generals_income(state, side),
        novice=side in state.options.novices,
        cap_scope=state.options.cap_scope,
    )


def forecast(state: State) -> Reason:
    """Say what the coming headquarters phase gives, as a sum, where Companion knows the lines (G2-79, G2-80)."""
    ask = Ask()
    came = produce(facts_of(state, lines_held(state, state.active)), ask)
    said = say("{side}: {ap} AP after the headquarters phase", side=Text(state.active), ap=came.ap_after)
    terms = tuple(replace(reason, value=reason.value or 0) for reason in ask.reasons)  # a line that is cut off gives 0
    return Reason(said, "G2-79", came.ap_after, terms)


def take(state: State, seat: Seat, lines: tuple[Line, ...], ask: Ask) -> State:
    """Take the AP of the headquarters phase for the whole side (G2-79, G2-80, G2-155)."""
    side = side_of(seat)
    came = produce(facts_of(state, _lines(state, side, lines)), ask)
    shared = (came.ap_after,) if came.marshal is None else (came.marshal, came.general or 0)
    marshal = state.leader(side)
    order = sorted(seats_of(state.options, side), key=lambda player: player != marshal)
    for player, ap in zip(order, shared, strict=True):
        clause = "G2-79" if len(shared) == 1 else ("G2-153" if player == marshal else "G2-152")
        ask.tell(say("{seat}: {ap} AP", seat=Text(player), ap=ap), clause)
        state = state.with_ap(player, ap)
    return state


def _lines(state: State, side: Side, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines that a side holds: worked out, or as told by the table (G2-75)."""
    if state.mirrored:
        if lines:
            raise Refusal(say("Companion knows which lines you hold."), "G2-75", "lines")
        return lines_held(state, side)
    if len(set(lines)) > (count := len(state.on_ground(side))):
        sentence = "{count} unit holds one line at the most.|{count} units hold {count} lines at the most."
        raise Refusal(say(sentence, count=count), "G2-75", "lines")
    return lines


@action_points.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer a marshal to give an AP, and everybody to spend and gain AP as a card or a capability says."""
    if not state.begun:
        return
    if seat in state.acting and why_not_cede(state, seat) is None:
        yield Cede.offer(say("Give the general 1 AP"), clause="G2-154")
    why = Field("why", say("What for"), "text", high=60)
    if have := state.ap.get(seat, 0):
        amount = Field("amount", say("AP"), "number", value=1, low=1, high=min(have, MOST_SPENT))
        yield Spend.offer(say("Spend AP by hand"), amount, why, aside=True, clause="G2-165")
    amount = Field("amount", say("AP"), "number", value=1, low=1, high=MOST_GAINED)
    yield Gain.offer(say("Gain AP by hand"), amount, why, aside=True, clause="G2-164")


def why_not_cede(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not give an AP to a partner now; None when he can (G2-154)."""
    if state.partner(seat) is None or state.leader(side_of(seat)) != seat:
        return Reason(say("Only a field marshal gives AP to the general."), "G2-154")
    if state.ceded:
        return Reason(say("The one AP of this turn has been given."), "G2-154")
    if not state.ap.get(seat, 0):
        return Reason(say("You have no AP to give."), "G2-154")
    return None


@action_points.rule(Cede, says=lambda _, seat, _action: say("{seat}: one AP for the general", seat=Text(seat)))
def cede(state: State, seat: Seat, _action: Cede, ask: Ask) -> State:
    """Give the general the one AP that the marshal may give each turn (G2-154)."""
    players.check_turn(state, seat)
    refuse(why_not_cede(state, seat))
    general = next(player for player in state.acting if player != seat)
    left, have = state.ap[seat] - 1, state.ap.get(general, 0) + 1
    ask.tell(say("{seat} gave one AP to the general: {left} AP left", seat=Text(seat), left=left), "G2-154", -1)
    ask.tell(say("{seat}: {ap} AP", seat=Text(general), ap=have), "G2-154", 1)
    return state.with_ap(seat, left).with_ap(general, have).but(ceded=True)


@action_points.rule(
    Spend,
    says=lambda _state, seat, action: say(
        "{seat}: −{count} AP, {why}", seat=Text(seat), count=action.amount, why=action.why
    ),
)
def spend(state: State, seat: Seat, action: Spend, ask: Ask) -> State:
    """Spend AP by hand."""
    players.check_begun(state)
    return players.spend(state, seat, action.amount, _reason(action.why), "G2-165", ask, "amount")


@action_points.rule(
    Gain,
    headline=lambda before, after, seat, action: say(
        "{seat}: +{count} AP, {why}",
        seat=Text(seat),
        why=action.why,
        count=after.ap.get(seat, 0) - before.ap.get(seat, 0),
    ),
)
def gain(state: State, seat: Seat, action: Gain, ask: Ask) -> State:
    """Gain AP by hand."""
    players.check_begun(state)
    return players.gain(state, seat, action.amount, _reason(action.why), "G2-164", ask)


def _reason(why: str) -> Text:
    """Return what AP are spent on or gained for, as typed; raise Refusal for nothing but blanks (G2-30)."""
    typed = " ".join(why.split())
    if not typed:
        raise Refusal(say("Say what for."), "G2-30", "why")
    return say("{name}", name=typed)

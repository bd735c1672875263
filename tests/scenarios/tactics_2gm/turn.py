"""Scenarios of the turn: income, supply, partners who share, phases, tokens that are turned back, discarding."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.tactics_2gm import players, turn, victory
from companion.games.tactics_2gm.cards import GeneralCard, HeadquartersCard, UnitCard, Weapon
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.income import Cede, Gain, Spend
from companion.games.tactics_2gm.options import LINES, Seat, seats_of, square
from companion.games.tactics_2gm.state import Phase, State, Token, Unit
from companion.games.tactics_2gm.turn import STEPS, Discard, EndPhase, Income
from companion.games.tactics_2gm.victory import Surrender
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, mapping, number, one_of, sequence, truth
from tests.scenarios.runner import Given, OneOf, Unfit
from tests.scenarios.tactics_2gm.answers import Script, after, ruled
from tests.scenarios.tactics_2gm.fields import options_of
from tests.scenarios.tactics_2gm.tables import TURN, WAITS, counted, state_of

MARSHAL: Seat = "allies_1"
GENERAL: Seat = "allies_2"
INCOME = {"cap", "hq_income", "command_bonus", "novice", "card_bonus", "lines_with_units"}


def supply(given: Given, ask: Script) -> dict[str, Any]:
    return {"supply_ap": hq_phase(given, ask)["supply_ap"]}


def hq_phase(given: Given, ask: Script) -> dict[str, Any]:
    stored = count("stored", given.get("stored", 0), "G2-79")
    return produced(quarters(given, {"allies": stored}), ask)


def team_hq_phase(given: Given, ask: Script) -> dict[str, Any]:
    stored = mapping("stored", given.get("stored"), "marshal", "general")
    pools: dict[Seat, int] = {
        MARSHAL: count("marshal", stored.get("marshal", 0), "G2-152"),
        GENERAL: count("general", stored.get("general", 0), "G2-152"),
    }
    found = quarters(given, pools, players="four")
    return produced(found, ask, count("marshal_gives", given.get("marshal_gives", 0), "G2-154"))


def quarters(given: Given, pools: dict[Seat, int], **more: Any) -> State:
    """The table in the headquarters phase: units in the lines told, one of them a command group, a general."""
    lines = sorted(set(sequence("lines_with_units", given.get("lines_with_units"))))
    if any(type(line) is not int for line in lines):
        raise Unfit("lines_with_units: numbers are needed")
    if any(not 1 <= line <= LINES for line in lines):
        raise Refusal(say("There is no such line on the battlefield."), "G2-75", "lines_with_units")
    novice = one_of("novice", given.get("novice", False), (False, True, 0, 1, None))
    command = count("command_bonus", given.get("command_bonus", 0), "G2-80")
    bonus = count("card_bonus", given.get("card_bonus", 0), "G2-36")
    # A command group that stands in none of the lines is one whose place only the real battlefield knows.
    board = "table" if command and not lines else "mirrored"
    options = options_of(given, board=board, novices=("allies",) if novice else (), **more)
    seat = seats_of(options, "allies")[0]
    group = UnitCard(name="command", family="infantry", cost=1, wounds=1, command=command)
    line_unit = UnitCard(name="rifles", family="infantry", cost=1, wounds=1)
    units = [Unit(f"a{line}", seat, "1.0", square(options, "allies", line, line)) for line in lines]
    if units:
        units[0] = replace(units[0], code="0.0")
    elif command:
        units = [Unit("a1", seat, "0.0")]
    card = HeadquartersCard(
        income=count("hq_income", given.get("hq_income", 0), "G2-28"),
        ap_cap=count("cap", given.get("cap", 10_000), "G2-34"),
    )
    state = state_of(options, *units, cards=(group, line_unit), headquarters=card, phase="headquarters")
    rosters = {
        one: replace(roster, general=(GeneralCard(name="general", income=bonus),))
        for one, roster in state.rosters.items()
    }
    return state.but(rosters=rosters, ap={**state.ap, **pools}).with_hq("hq_allies", general="general")


def produced(state: State, ask: Script, gives: int = 0) -> dict[str, Any]:
    """What the headquarters phase has brought, by the table and by the lines that were told."""
    ruling = ruled(state, Income(), ask)
    now: State = ruling.outcome
    values = [(reason.clause, reason.value or 0) for reason in ruling.reasons]
    found = {
        "supply_ap": sum(value for clause, value in values if clause == "G2-76"),
        "lost": -sum(value for clause, value in values if clause == "G2-34"),
        "ap_after": players.pool(now, "allies"),
        "added": players.pool(now, "allies") - players.pool(state, "allies"),
    }
    if now.partner(now.acting[0]) is None:
        return found
    for _ in range(gives):
        now = after(now, Cede(), seat=MARSHAL)
    return {**found, "marshal": now.ap[MARSHAL], "general": now.ap[GENERAL]}


def split_ap(given: Given, ask: Script) -> dict[str, Any]:
    """Take the AP as income, then let the marshal give."""
    amount = count("amount", given["amount"], "G2-152")
    gives = count("marshal_gives", given.get("marshal_gives", 0), "G2-154")
    card = HeadquartersCard(income=amount, ap_cap=10_000)
    state = state_of(options_of(given, players="four"), headquarters=card, phase="headquarters")
    state = after(state, Income(), ask)
    for _ in range(gives):
        state = after(state, Cede(), seat=MARSHAL)
    return {"marshal": state.ap[MARSHAL], "general": state.ap[GENERAL]}


def spend(given: Given, ask: Script) -> dict[str, Any]:
    cost, ap = count("cost", given["cost"], "G2-30"), count("ap", given["ap"], "G2-30")
    state = state_of(options_of(given), ap=ap, phase="deployment")
    if cost:
        state = after(state, Spend(cost, "march"), ask)
    return {"ap_after": state.ap["allies"]}


def turn_phase(given: Given, _: Script) -> dict[str, Any]:
    step = turn.following(one_of("after", given["after"], STEPS))
    return {"next": step, "player_changes": step == "start"}


def draw(given: Given, ask: Script) -> dict[str, Any]:
    """Take the income, after which the cards are drawn; a partner, where there is one, has no cards at all."""
    pile, hand = count("deck", given["deck"], "G2-81"), count("hand", given["hand"], "G2-81")
    many = count("draw", given.get("draw", 2), "G2-81")
    table = options_of(given, players="four" if many == 1 else "two")
    state = state_of(table, phase="headquarters")
    seat, *partner = state.acting
    for one in partner:
        state = counted(state, one, pile=0, hand=0)
    state = counted(state, seat, pile=pile, hand=hand)
    if many in {1, 2}:
        now: State = after(state, Income(), ask)
    else:
        now = victory.check(players.draw(state, seat, many, say("a card"), ask), ask)
    deck = now.deck(seat)
    return {"deck": len(deck.pile), "hand": len(deck.hand), "defeated": now.winner == "axis"}


def discard(given: Given, ask: Script) -> dict[str, Any]:
    hand = given["hand"]
    held = len(hand) if isinstance(hand, list) else count("hand", hand, "G2-122")
    state = counted(state_of(options_of(given), phase="discard"), "allies", pile=5, hand=held)
    surplus = turn.surplus(state, "allies")
    if "discarded" not in given:
        return {"must_discard": surplus}
    said = given["discarded"]
    many = len(said) if isinstance(said, list) else count("discarded", said, "G2-122")
    if many > held:
        raise Refusal(say("There are not so many cards in the hand."), "G2-122", "discarded")
    if many or surplus:
        cards = state.deck("allies").hand[:many]
        state = counted(state, "axis", pile=5, hand=5)
        state = after(state, Discard(cards), ask, "allies")
    return {"must_discard": surplus, "hand": len(state.deck("allies").hand)}


def defeat(given: Given, _: Script) -> dict[str, Any]:
    """Look after an action, of which nothing else comes, who is defeated; who surrenders does so then."""
    said = given["players"]
    listed = said if isinstance(said, dict) else {str(one.get("name", one.get("id"))): one for one in said}
    if len(listed) != 2:
        raise Unfit("players: two are needed")
    mode = one_of("mode", given.get("mode", "pitched"), ("pitched", "pitched_battle"))
    del mode
    names: dict[str, Any] = dict(zip(listed, ("allies", "axis"), strict=True))
    if set(names) == {"allies", "axis"}:
        names = {name: name for name in names}
    state = state_of(options_of(given), phase="deployment")
    active = given.get("active")
    if active is not None:
        state = state.but(active=names[one_of("active", active, names)])
    gives_up = []
    for name, one in listed.items():
        player = mapping("players", one, "deck", "hand", "hq_pi", "surrendered", "name", "id")
        seat = names[name]
        state = counted(
            state,
            seat,
            pile=count("deck", player.get("deck", 20), "G2-26"),
            hand=count("hand", player.get("hand", 5), "G2-26"),
        )
        state = state.with_hq(f"hq_{seat}", pi=count("hq_pi", player.get("hq_pi", 10), "G2-31"))
        if truth("surrendered", player.get("surrendered")):
            gives_up.append(seat)
    state = after(state, Gain(1, "march"))
    for seat in gives_up:
        if state.begun:
            state = after(state, Surrender(), seat=seat)
    if state.winner == "draw":
        return {"loser": OneOf(None, "draw", "both", list(names))}
    loser = next((name for name, side in names.items() if state.winner not in {None, side}), None)
    return {"loser": loser or OneOf(None, "none")}


def flip(given: Given, _: Script) -> dict[str, Any]:
    """Turn the token back in the phase told, by ending what leads to it; no other phase turns one."""
    token = mapping("token", given.get("token"), "state", "flipped_on_turn") or given
    grey = {"ready": False, "colour": False, "color": False, "flipped": True, "grey": True}
    is_grey = grey[one_of("state", token["state"], grey)]
    now = number("current_turn", given.get("current_turn", TURN))
    used = number("flipped_on_turn", token["flipped_on_turn"]) if is_grey else None
    step = one_of("phase", given.get("phase", "flip"), STEPS)
    state = shooting_table(options_of(given), now, "fire" if step == "flip" else WAITS[step])
    state = state.with_unit("a1", tokens=(Token("w0", used),))
    match step:
        case "headquarters" | "cards":
            state = after(state, Income())
        case "movement" | "deployment" | "flip":
            state = after(state, EndPhase())
        case _:
            state = after(state, Gain(1, "march"))
    found = state.unit("a1").token("w0")
    return {"state": "ready" if found is None or found.used is None else "flipped"}


def shooting_table(options: Any, now: int, phase: Phase, *, flips: bool = True) -> State:
    """A unit with one weapon, on a real battlefield."""
    arm = Weapon(name="mg", range=5, hit=2, crit=10, penetration=0, damage=1, flips=flips)
    card = UnitCard(name="gunner", family="infantry", cost=1, wounds=3, weapon=(arm,))
    options = replace(options, board="table")
    return state_of(options, Unit("a1", "allies", "0.0"), cards=(card,), turn=now, phase=phase)


def flip_timeline(given: Given, _: Script) -> dict[str, Any]:
    """Play turn after turn; in each the token's weapon fires if that is wanted and not refused."""
    wants = [truth("wants_fire", one) for one in sequence("wants_fire", given["wants_fire"])]
    state = shooting_table(options_of(given), 1, "fire", flips=truth("flips", given.get("flips", True)))
    fired = []
    for wish in wants:
        while state.active != "allies" or state.phase != "fire":
            state = after(state, go_on(state))
        shot = Fire("a1", "w0", "hq_axis", 1)
        try:
            if wish:
                state = after(state, shot, Script([{"roll": "d10", "values": [1]}]))
            fired.append(wish)
        except Refusal:
            fired.append(False)
        state = after(state, EndPhase())
    return {"fired": fired}


def go_on(state: State) -> Any:
    """What leads to the next phase."""
    match state.phase:
        case "headquarters":
            return Income()
        case "discard":
            seat = state.acting[0]
            return Discard(state.deck(seat).hand[: turn.surplus(state, seat)])
        case _:
            return EndPhase()

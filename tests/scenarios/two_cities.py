"""Read scenarios of A Tale of Two Cities and let its rules answer them through the game's public contract."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.two_cities.activation import Activate, Stand, begin
from companion.games.two_cities.attack import Attack
from companion.games.two_cities.components import CARDS, KINDS, SIDES, other, rule_of
from companion.games.two_cities.fight import WHAT_HAPPENS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway, piece_for
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import PlaceTerrain, Ready
from companion.games.two_cities.state import State, Unit
from companion.games.two_cities.turn import EndTurn, Surrender
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Hand, Piles
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say
from tests.scenarios.fields import objects, one_of
from tests.scenarios.runner import Given, OneOf, Unfit, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.ruling import Ruling

COMMON = {"kind", "player", "card", "units", "terrain", "options"}
ATTACK = {"attacker", "target", "mode", "moved"}
MODES = {None, "melee", "ranged"}
PROTECTIONS = {None, "none", "terrain", "formation_hit", "formation_retreat"}
ONE_ATTACK = (None, "if it stands", "if it evades")
BOTH_SHOTS = ("with both shots", "with both shots if it stands", "with both shots if it evades")
EVENTS = {"target_destroyed": "Destroyed", "target_driven_back": "Driven back", "no_effect": "No effect"}
NOTHING_FACE = 4
UNTRIED = (None, False)


class Script(PreparedAnswers):
    """Answer as the scenario says: its dice in order, its intentions, draws as they come."""

    def __init__(self, dice: list[Any], **intended: str) -> None:
        super().__init__(intended, dice, self._other)
        self.drawn: list[Draw] = []

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Choose) and question.key == "protection":
            values = [option.value for option in question.options]
            wish = self.intended.get("protection", "none")
            return Choice(question.key, wish if wish in values else "none", question.seat)
        if isinstance(question, Throw) and any(type(face) is not int for face in self.dice):
            raise Refusal(say("A die shows 1 to 6."), "TTC-86", "faces")
        return super().answer(question)

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Draw):
            self.drawn.append(question)
            return Cards(question.key, question.pile[: question.count], question.by if question.secret else None)
        if isinstance(question, Choose):
            return Choice(question.key, next(o.value for o in question.options if o.barred is None), question.seat)
        return Faces(question.key, ()) if isinstance(question, Throw) else None


class Probe(Ask):
    """Answer everything so that nothing happens, and remember how many dice each throw asked for."""

    def __init__(self, *, evade: bool = False, face: int = 1) -> None:
        super().__init__()
        self.intended = {"evasion": "yes" if evade else "no"}
        self.face = face
        self.counts: dict[str, int] = {}
        self.steps: list[str] = []

    def answer(self, question: Question) -> Answer:
        match question:
            case Throw():
                self.counts[question.key] = question.count
                face = self.face if question.key == "evasion_die" else NOTHING_FACE
                return Faces(question.key, (face,) * question.count)
            case Choose(key="evasion"):
                return Choice(question.key, self.intended["evasion"], question.seat)
            case Choose():
                open_values = [option.value for option in question.options if option.barred is None]
                if question.key == "evasion_steps":
                    self.steps = open_values
                return Choice(question.key, open_values[0], question.seat)
            case _:
                raise Pending(question, tuple(self.reasons))


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for a kind or a field that nobody knows, Refusal where the rules refuse."""
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in KINDS_OF_SCENARIO:
        raise Unfit(f"unknown kind {kind!r}")
    fields, answer = KINDS_OF_SCENARIO[kind]
    if unknown := given.keys() - COMMON - fields:
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    one_of("player", given.get("player", "white"), SIDES)
    one_of("mode", given.get("mode"), MODES)
    return answer(Given(given), dice)


def on_board(field: str, square: Any) -> None:
    if square not in CHESSBOARD:
        raise Refusal(say("There is no square {square} on the board.", square=str(square)), "TTC-01", field)


def player_of(given: dict[str, Any]) -> Any:
    return given.get("player", "white")


def units_of(given: dict[str, Any]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    for entry in objects("units", given.get("units"), "id", "side", "type", "square", "hits", "mercenary"):
        square = entry.get("square")
        one_of("side", entry["side"], SIDES)
        one_of("type", entry["type"], KINDS)
        if any(unit.id == str(entry["id"]) for unit in units):
            raise Unfit(f"two units are called {entry['id']!r}")
        if square is not None:
            on_board("units", square)
        before = State(options=Options(), units=tuple(units))
        units.append(
            Unit(
                str(entry["id"]),
                entry["side"],
                entry["type"],
                square,
                entry.get("hits") or 0,
                home=square or "",
                mercenary=bool(entry.get("mercenary")),
                piece=piece_for(before, entry["side"], entry["type"]),
            )
        )
    return tuple(units)


def terrain_of(given: dict[str, Any]) -> dict[str, str]:
    terrain = dict(given.get("terrain") or {})
    for square, ground in terrain.items():
        on_board("terrain", square)
        one_of("terrain", ground, ("forest", "hill"))
    return terrain


def state_of(given: dict[str, Any], **more: Any) -> State:
    # No rule lays such a card on the table, so no rule can refuse it there.
    if (card := more.get("card")) is not None and card not in list(CARDS):
        raise Refusal(say("Only the {count} cards of the game are used.", count=len(CARDS)), "TTC-26", "card")
    options = msgspec.convert(given.get("options") or {}, Options)
    bought = given.get("purchases_before") or 0
    player = player_of(given)
    fields: dict[str, Any] = {
        "options": options,
        "units": units_of(given),
        "terrain": terrain_of(given),
        "active": player,
        "purchases": {side: bought if side == player else 0 for side in SIDES},
        "hands": dict.fromkeys(SIDES, ()),
    }
    return State(**(fields | more))


def acting(given: dict[str, Any], unit: str | None) -> State:
    """The position with the card in play; ``unit`` has moved where it says so, or is activated where no card is."""
    state = begin(state_of(given, phase="activations", card=given.get("card")))
    there = state.find(unit) if unit is not None else None
    if there is None or there.side != state.active or not there.mobile:
        return state
    card = rule_of(state.card)
    if state.card is None:
        state = state.with_unit(there.id, activated="any")
    if given.get("moved"):
        # Where it stood when the card was played is not known: it counts as activated if the card fits its kind.
        fits = there.kind in card.who if card.card_class == "special" else bool(card.left + card.right)
        if fits and not there.activated:
            part = "any" if card.who else "left" if card.left else "right"
            state = state.with_unit(there.id, activated=part, phalanx=card.contact)
        state = state.with_unit(there.id, moved=True)
    return state


def all_done(state: State) -> State:
    """The position after every unit of the active player has acted."""
    for unit in state.in_play(state.active):
        state = state.with_unit(unit.id, activated="any", done=True, attacks=1)
    return state


def rule(state: State, action: Any, ask: Ask) -> Ruling[State]:
    return GAME.rule(state, state.active, action, ask)


def attack_action(given: dict[str, Any], **fields: Any) -> Attack:
    return Attack(given["attacker"], given["target"], given.get("mode"), **fields)


def intentions(entry: dict[str, Any]) -> dict[str, str]:
    """What the defender intends: evasion and its steps, protection."""
    evasion = entry.get("evasion")
    if isinstance(evasion, dict):
        if unknown := evasion.keys() - {"declared", "steps"}:
            raise Unfit(f"unknown field of an evasion {', '.join(sorted(unknown))}")
        declared, steps = bool(evasion.get("declared")), evasion.get("steps")
    else:
        declared, steps = bool(evasion), None
    one_of("protection", entry.get("protection"), PROTECTIONS)
    found = {"evasion": "yes" if declared else "no", "protection": str(entry.get("protection") or "none")}
    if declared and steps is not None:
        found["evasion_steps"] = str(steps)
    return found


def told(state: State, attacker: str, target: str) -> dict[str, Any]:
    """The result of the newest attack."""
    assert state.last is not None
    result = state.last.result
    unit, enemy = state.find(attacker), state.find(target)
    assert unit is not None
    assert enemy is not None
    return {
        "evaded": OneOf(*UNTRIED) if result.evaded is None else result.evaded,
        "dice_count": result.dice,
        "hits": result.hits,
        "retreats": result.retreats,
        "ignored": OneOf("none", None) if result.ignored == "none" else result.ignored,
        "hits_taken": result.hits_taken,
        "retreat_steps": 0 if result.evaded else result.steps,
        "blocked_hits": result.blocked,
        "destroyed": result.destroyed,
        "target_square": enemy.square,
        "target_hits": result.hits_after,
        "attacker_square": unit.square,
        "winner": state.winner,
        "range": result.range,
        "distance": result.distance,
    }


def attack_check(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    ask = Probe()
    after = rule(acting(given, given["attacker"]), attack_action(given), ask).outcome
    no_dice(dice)
    found = told(after, given["attacker"], given["target"])
    return {key: found[key] for key in ("dice_count", "range", "distance")}


def no_dice(dice: list[Any]) -> None:
    if dice:
        raise Refusal(say("More dice were given than you roll."), "TTC-86", "dice")


def attack(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    ask = Script(dice, **intentions(given))
    after = attempt(acting(given, given["attacker"]), attack_action(given), ask, given)
    ask.finish("TTC-86")
    return told(after, given["attacker"], given["target"])


def attempt(state: State, action: Attack, ask: Script, entry: dict[str, Any]) -> State:
    """Attack; where the dice are wrong but something else is too, that is what the refusal says."""
    dice = list(ask.dice or ())
    try:
        return rule(state, action, ask).outcome
    except Refusal as refusal:
        if refusal.clause != "TTC-86":
            raise
        plenty = [face for face in dice if type(face) is int and 1 <= face <= 6] + [6, 1] * 8
        try:
            rule(state, action, Script(plenty, **intentions(entry)))
        except Refusal as other_reason:
            raise other_reason from refusal
        raise


def double_rain(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    state, left, shots = acting(given, given["attacker"]), list(dice), []
    for entry in objects("shots", given["shots"], "target", "evasion", "protection", "mode"):
        one_of("mode", entry.get("mode"), MODES)
        ask = Script(left, **intentions(entry))
        action = Attack(given["attacker"], entry["target"], entry.get("mode") or "ranged")
        try:
            state = attempt(state, action, ask, entry)
        except Refusal as refusal:
            shots.append(refused(refusal, GAME))
            continue
        finally:
            left = ask.dice or []
        found = told(state, given["attacker"], entry["target"])
        shots.append({"allowed": True, "refused": False, **found})
    no_dice(left)
    wrong_dice = next((shot for shot in shots if shot.get("refused_by") == ["TTC-86"]), {})
    return {"winner": state.winner, **wrong_dice, "shots": shots}


def evasion_check(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state, action = acting(given, given["attacker"]), attack_action(given)
    good, bad = Probe(evade=True, face=6), Probe(evade=True, face=1)
    after = rule(state, action, good).outcome
    rule(state, action, bad)
    assert after.last is not None
    return {
        "max_steps": len(good.steps) or after.last.result.steps,
        "dice_if_evaded": good.counts["attack"],
        "dice_if_failed": bad.counts["attack"],
    }


def move(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting({**given, "moved": False}, given["unit"])
    path = given.get("path")
    if path is None and "to" not in given:
        raise Unfit("missing field 'to' or 'path'")
    action = Move(given["unit"], given.get("to"), None if path is None else tuple(path))
    ruling = rule(state, action, Script([]))
    line = next(reason for reason in ruling.reasons if reason.clause == "TTC-72")
    steps = line.text.places["far"]
    assert isinstance(steps, Text)
    unit = ruling.outcome.unit(given["unit"])
    return {"steps": steps.places["count"], "moved": unit.moved, "allowance": line.value, "square": unit.square}


def end_activation(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting({**given, "moved": False}, given["unit"])
    unit = state.find(given["unit"])
    if unit is not None and unit.side == state.active and unit.mobile:
        part = unit.activated or "any"
        state = state.with_unit(unit.id, activated=part, attacks=int(bool(given.get("fought")))).but(acting=unit.id)
    rule(state, Stand(given["unit"]), Script([]))
    return {}


def sector(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Ask the rules which ace wakes a unit on that square."""
    no_dice(dice)
    side = player_of(given)
    entry = {"id": "u", "side": side, "type": "archers", "square": given["square"], "hits": 0}
    for card, part in (("AH", "left"), ("AS", "right")):
        state = begin(state_of({**given, "units": [entry]}, phase="activations", card=card))
        if any(offer.on == "u" for offer in GAME.offers(state, side)):
            return {"sector": part}
    raise Unfit("in no sector")


def choosing(given: dict[str, Any], hand: list[str]) -> State:
    side = player_of(given)
    others = tuple(sorted(code for code in CARDS if code not in hand))
    hands = {side: tuple(hand), other(side): others[:3]}
    return state_of(given, phase="choose_card", hands=hands, draw_pile=others[3:])


def playable(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    hand = list(given["hand"])
    state = choosing(given, hand)
    for code in hand:
        if code not in CARDS:
            rule(state, PlayCard(code), Script([]))
    offered = GAME.offers(state, player_of(given))
    able = {offer.given["card"] for offer in offered if offer.action == "play_card"}
    waste = any(offer.action == "throw_away" for offer in offered)
    return {"playable": [code for code in hand if code in able], "throw_away_one": waste}


def choose_card(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    state, code = choosing({**given, "card": None}, list(given["hand"])), given["card"]
    if given.get("action", "play") not in {"play", "throw_away"}:
        raise Unfit(f"unknown action {given['action']!r}")
    play = given.get("action", "play") == "play"
    ask = Script(dice)
    rule(state, PlayCard(code) if play else ThrowAway(code), ask)
    ask.finish("TTC-86")
    return {}


def eligible(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting(given, None)
    able = sorted({str(offer.on) for offer in GAME.offers(state, state.active) if offer.on is not None})
    most = next(
        (
            count
            for count in range(len(able), -1, -1)
            if any(allowed(state, Activate(chosen)) for chosen in combinations(able, count))
        ),
        0,
    )
    return {"eligible": able, "number": most}


def allowed(state: State, action: Any) -> bool:
    try:
        rule(state, action, Script([]))
    except Refusal:
        return False
    return True


def activate(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    rule(acting(given, None), Activate(tuple(given["chosen"])), Script([]))
    return {}


def discard(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card = given["card"]
    if card is None:
        raise Unfit("missing field 'card'")
    rest = tuple(sorted(code for code in CARDS if code != card))
    ask = Script(dice)
    state = all_done(state_of(given, phase="activations", card=card, draw_pile=rest))
    after = rule(state, EndTurn(), ask).outcome
    ask.finish("TTC-86")
    return {"to": "removed" if card in after.removed else "discard_pile", "die_rolled": bool(ask.faces)}


def end_turn(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card, draw_pile = given["card_used"], list(given["draw_pile"])
    for code in [*draw_pile, *given["discard_pile"], *given["removed"]]:
        if code not in CARDS:
            raise Refusal(say("Only the {count} cards of the game are used.", count=len(CARDS)), "TTC-26", "card")
    state = state_of(
        given,
        phase="activations",
        card=card,
        draw_pile=tuple(sorted(draw_pile)),
        discard_pile=tuple(given["discard_pile"]),
        removed=tuple(given["removed"]),
    )
    ask = Script(dice)
    after = rule(all_done(state), EndTurn(), ask).outcome
    ask.finish("TTC-86")
    drawn_from = list(ask.drawn[0].pile) if ask.drawn else []
    return {
        "card_to": "removed" if card in after.removed else "discard_pile",
        "reshuffled": bool(ask.drawn) and sorted(draw_pile) != drawn_from,
        "drawn_from": drawn_from,
        "draw_pile_after": len(after.draw_pile),
        "discard_pile_after": len(after.discard_pile),
        "removed_after": sorted(after.removed),
    }


def reinforce(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card, side = given["card"], player_of(given)
    state = choosing({**given, "card": None}, [card])
    remove, place = given.get("remove"), given.get("place")
    # A question that the scenario leaves unanswered is answered with nothing at all.
    ask = Script(dice, **{key: "" for key, value in (("remove", remove), ("place", place)) if value is None})
    after = rule(state, PlayCard(card, remove, place), ask).outcome
    new = after.units[-1]
    over = rule(all_done(after), EndTurn(), Script([])).outcome
    ask.finish("TTC-86")
    return {
        "new_unit": {"id": new.id, "side": new.side, "type": new.kind, "square": new.square, "hits": new.hits},
        "piece": new.piece,
        "card_to": "removed" if card in over.removed else "discard_pile",
        "own_units_after": len(after.in_play(side)),
        "may_act_this_turn": any(offer.on == new.id for offer in GAME.offers(after, side)),
    }


def set_up(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options = {**(given.get("options") or {}), "random_start": bool(given.get("random_start"))}
    state = state_of({**given, "options": options, "terrain": {}})
    if "units" not in given:
        state = state.but(units=GAME.setup(state.options, Script([])).outcome.units)
    for entry in objects("terrain_list", given["terrain_list"], "type", "square"):
        one_of("terrain", entry["type"], ("forest", "hill"))
        state = GAME.rule(state, "white", PlaceTerrain(entry["type"], entry["square"]), Script([])).outcome
    warned = [reason.clause for reason in GAME.view(state, "white").advice]
    for side in SIDES:
        state = GAME.rule(state, side, Ready(), Script([])).outcome
    return {"warned_by": sorted({str(clause) for clause in warned})}


def view(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    one_of("viewer", given["viewer"], (*SIDES, "rulekeeper", "screen"))
    viewer, hands = given["viewer"], {side: tuple(cards) for side, cards in given["hands"].items()}
    state = state_of(
        {**given, "card": None},
        phase="activations" if given.get("card") else "choose_card",
        card=given.get("card"),
        hands={side: hands.get(side, ()) for side in SIDES},
        draw_pile=tuple(sorted(given["draw_pile"])),
        discard_pile=tuple(given["discard_pile"]),
        removed=tuple(given.get("removed") or ()),
    )
    seen, offered = GAME.view(state, viewer), GAME.offers(state, viewer)
    sent = msgspec.json.encode([seen, offered]).decode()
    known = [*given["draw_pile"], *given["discard_pile"], *(code for hand in hands.values() for code in hand)]
    shown = {code for code in known if f'"{code}"' in sent or f".{code}" in sent}
    own = [card.code for panel in seen.panels if isinstance(panel, Hand) for card in panel.cards]
    piles = {pile.name.say: pile for panel in seen.panels if isinstance(panel, Piles) for pile in panel.piles}
    return {
        "own_hand": own,
        "opponent_hand_size": piles[f"hand_of_{other(viewer) if viewer in SIDES else 'black'}"].count,
        "draw_pile_size": piles["draw_pile"].count,
        "discard_pile": [card.code for card in piles["discard_pile"].cards],
        "must_not_reveal": sorted(set(known) - shown),
    }


def deal(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state: State = GAME.setup(msgspec.convert(given.get("options") or {}, Options), Script([])).outcome
    for side in SIDES:
        state = GAME.rule(state, side, Ready(), Script([])).outcome
    everywhere = [*state.draw_pile, *state.discard_pile, *(code for hand in state.hands.values() for code in hand)]
    return {
        "white_hand_size": len(state.hands["white"]),
        "black_hand_size": len(state.hands["black"]),
        "draw_pile_size": len(state.draw_pile),
        "discard_pile_size": len(state.discard_pile),
        "distinct_cards": len(set(everywhere)),
    }


def surrender(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = state_of({**given, "card": None}, phase="choose_card")
    return {"winner": GAME.rule(state, player_of(given), Surrender(), Script([])).outcome.winner}


def _titled(case: str | None) -> Text:
    return WHAT_HAPPENS if case is None else say("{what} {case}", what=WHAT_HAPPENS, case=say(case))


def odds(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    one_of("event", given["event"], EVENTS)
    one_of("number of shots", given.get("shots", 1), (1, 2))
    evasion = given.get("evasion")
    evades = bool(evasion.get("declared")) if isinstance(evasion, dict) else bool(evasion)
    state, action = acting(given, given["attacker"]), attack_action(given)
    if evades:
        rule(state, action, Probe(evade=True))
    if given.get("shots", 1) == 2:
        rule(rule(state, action, Probe()).outcome, action, Probe())
    alone, stands, evading = BOTH_SHOTS if given.get("shots", 1) == 2 else ONE_ATTACK
    wanted = [_titled(evading)] if evades else [_titled(alone), _titled(stands)]
    for chart in GAME.foresee(state, state.active, action):
        if chart.title in wanted:
            chance: Fraction = next(bar.chance for bar in chart.bars if bar.label.say == EVENTS[given["event"]])
            return {"probability": chance}
    raise Unfit("there are no such odds")


KINDS_OF_SCENARIO: dict[str, tuple[set[str], Callable[[dict[str, Any], list[Any]], dict[str, Any]]]] = {
    "attack_check": (ATTACK, attack_check),
    "attack": (ATTACK | {"evasion", "protection"}, attack),
    "double_rain": ({"attacker", "moved", "shots"}, double_rain),
    "evasion_check": (ATTACK, evasion_check),
    "move": ({"unit", "to", "path"}, move),
    "end_activation": ({"unit", "fought", "moved"}, end_activation),
    "sector": ({"square"}, sector),
    "playable": ({"hand", "purchases_before"}, playable),
    "choose_card": ({"hand", "action", "purchases_before"}, choose_card),
    "eligible": (set(), eligible),
    "activate": ({"chosen"}, activate),
    "discard": (set(), discard),
    "end_turn": ({"card_used", "draw_pile", "discard_pile", "removed"}, end_turn),
    "reinforce": ({"purchases_before", "remove", "place"}, reinforce),
    "set_up": ({"terrain_list", "random_start"}, set_up),
    "view": ({"viewer", "hands", "draw_pile", "discard_pile", "removed"}, view),
    "deal": (set(), deal),
    "surrender": (set(), surrender),
    "odds": (ATTACK | {"event", "evasion", "shots"}, odds),
}

"""Scenarios of the air: anti-aircraft, attacks of aircraft, paratroopers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.tactics_2gm import air_defence
from companion.games.tactics_2gm.air import Bomb, Sortie
from companion.games.tactics_2gm.cards import TerrainCard, TerrainDeck, UnitCard, Weapon
from companion.games.tactics_2gm.deployment import Deploy
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.options import Options, distance, grid
from companion.games.tactics_2gm.state import Ground, Mark, Natural, State, Token, Unit
from companion.kit.questions import Faces, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, mapping, number, objects, one_of, truth
from tests.scenarios.runner import Given, InAnyOrder, OneOf, Unfit, refused
from tests.scenarios.tactics_2gm.answers import Script, after
from tests.scenarios.tactics_2gm.fields import UNIT, modifiers, options_of, unit_card, weapon
from tests.scenarios.tactics_2gm.shots import ENEMY, OWN, grey
from tests.scenarios.tactics_2gm.tables import TURN, held, state_of

if TYPE_CHECKING:
    from companion.kit.questions import Answer, Question

SHOT = (
    "id",
    "weapon",
    "distance",
    "wounds",
    "modifiers",
    "name",
    "range",
    "hit",
    "crit",
    "penetration",
    "damage",
    "flips",
    "token_state",
    "fired_this_phase",
    "fired_this_turn",
)


STAYS = ("stays", "headquarters", "hq", "in_play")
GONE = ("discard", "discarded", "discard_pile")


class Flak(Script):
    """Answer anti-aircraft with the dice told; the aircraft's own attack, if there is one, misses."""

    def __init__(self, dice: list[Any], named: tuple[str, ...]) -> None:
        super().__init__(dice, **{f"flak_{gunner}": "w0" for gunner in named})
        self.attacked = False

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Throw) and not question.key.startswith("flak"):
            self.attacked = True
            return Faces(question.key, (1,) * question.count)
        return super().answer(question)


def anti_air(given: Given, _: Script) -> dict[str, Any]:
    """Ask of each unit by itself whether it may fire at what flies to a square."""
    may = []
    for one in objects("aa_units", given["aa_units"], "id", "range", "distance", "fired_this_turn", "name"):
        away = count("distance", one["distance"], "G2-102")
        options = options_of(given) if away <= 12 else options_of(given, players="four", copies="two")
        spot, (there,) = spread(options, [away])
        seat: Any = "axis" if away <= 12 else "axis_1"
        reach = number("range", one["range"])
        if reach < 1:
            continue
        arm = Weapon(name="flak", range=reach, hit=6, crit=10, penetration=3, damage=1)
        fired = ("w0",) if truth("fired_this_turn", one.get("fired_this_turn")) else ()
        state = state_of(options, Unit("x1", seat, "0.0", there, fired=fired), cards=(gun(arm),))
        if air_defence.ready(state, "axis", Ground("target", 0, "axis", spot)):
            may.append(str(one["id"]))
    return {"may_fire": InAnyOrder(may)}


def gun(arm: Weapon, name: str = "flak") -> UnitCard:
    """The card of an anti-aircraft unit that has seen everything."""
    return UnitCard(name=name, family="artillery", subtype="anti_aircraft", cost=1, wounds=99, weapon=(arm,))


def spread(options: Options, far: list[int]) -> tuple[str, list[str]]:
    """A square, and others as far from it as wanted, none of them twice."""
    squares = grid(options).squares()
    for spot in squares:
        free, found = list(squares), []
        for away in far:
            there = next((one for one in free if distance(spot, one) == away), None)
            if there is None:
                break
            free.remove(there)
            found.append(there)
        else:
            return spot, found
    raise Unfit(f"distance: no battlefield has room for {far}")


def air_attack(given: Given, ask: Script) -> dict[str, Any]:
    """Send an aircraft at an enemy unit; every anti-aircraft unit in reach fires as soon as it may."""
    plane = mapping("plane", given["plane"], "kind", "armour", "wounds_max", "wounds", "name", "cost")
    kind = one_of("kind", plane["kind"], ("fighter", "bomber"))
    hurt = count("wounds", plane.get("wounds", 0), "G2-111")
    left = number("wounds_max", plane.get("wounds_max", 1)) - hurt
    if left < 1:
        raise Refusal(say("With that many wounds it is destroyed already."), "G2-112", "wounds")
    shots = [
        Given({**one, **mapping("weapon", one.get("weapon"))})
        for one in objects("aa_shots", given.get("aa_shots"), *SHOT)
    ]
    options = options_of(given)
    state, target = skies(options, shots, plane, kind, left)
    names = [str(one.get("id", f"shot {at}")) for at, one in enumerate(shots)]
    named = tuple(gunner.id for gunner in air_defence.guns(state, "axis"))
    dice = Flak([{"roll": "aa_d10", "values": [face]} for face in ask.dice], named)
    if any(not 1 <= face <= 10 for face in ask.dice) or len(ask.dice) > len(shots):
        raise Refusal(say("One die from 1 to 10 for each shot."), "G2-03", "dice")
    ask.dice.clear()
    action: Any = Sortie("p1", target) if kind == "fighter" else Bomb("0.0", target)
    now: State = GAME.rule(state, "allies", action, dice).outcome
    again = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if again is not None:
        spent = air_defence.barred(now, now.unit(f"x{1 + names.index(again)}"), Ground("target", 0, "axis"))
        if spent is not None:
            raise Refusal(spent.text, spent.clause, "aa_shots")
    lost = now.lost.get("allies", 0) > 0
    if not lost and (dice.dice or any(not gunner.fired for gunner in now.of("axis") if gunner.id != target)):
        raise Refusal(say("It is out of range, or its weapon can not be used."), "G2-142", "aa_shots")
    stays = any(state.flies(unit) for unit in now.of("allies"))
    return {
        "plane_destroyed": lost,
        "attack_happens": dice.attacked,
        "card_after": OneOf(*STAYS) if stays else OneOf(*GONE),
    }


def skies(options: Options, shots: list[Given], plane: Given, kind: str, left: int) -> tuple[State, str]:
    """The table: what is attacked, the guns at their distances from it, and the aircraft."""
    bombs = Weapon(name="bombs", hit=4, crit=9, penetration=6, damage=1)
    card = UnitCard(
        name="plane",
        family="aircraft",
        subtype="bomber" if kind == "bomber" else "fighter",
        cost=0,
        armour=number("armour", plane.get("armour", 0)),
        wounds=left,
        weapon=(bombs,),
    )
    far = [count("distance", one.get("distance", 1), "G2-102") for one in shots]
    spot, places = spread(options, far)
    cards, units = [card], []
    for at, (one, away) in enumerate(zip(shots, places, strict=True), 1):
        values = {
            name: one[name]
            for name in ("name", "range", "hit", "crit", "penetration", "damage", "flips")
            if name in one
        }
        cards.append(gun(weapon(Given(values), reach=max(1, far[at - 1])), f"flak {at}"))
        marks = tuple(Mark("modifier", "axis", added) for added in modifiers(one))
        used = truth("fired", one.get("fired_this_turn")) or truth("fired", one.get("fired_this_phase"))
        units.append(
            Unit(
                f"x{at}",
                "axis",
                f"{at}.0",
                away,
                wounds=number("wounds", one.get("wounds", 0)),
                marks=marks,
                fired=("w0",) if used else (),
                tokens=(Token("w0", TURN - 1),) if grey(one) else (),
            )
        )
    target = next((unit.id for unit in units if unit.square == spot), "y1")
    if target == "y1":
        cards.append(UnitCard(name="target", family="infantry", cost=1, wounds=9))
        units.append(Unit("y1", "axis", f"{len(cards) - 1}.0", spot))
    if kind == "fighter":
        units.append(Unit("p1", "allies", "0.0"))
    state = state_of(options, *units, cards=tuple(cards), phase="deployment")
    return held(state, "0.0") if kind == "bomber" else state, target


def paradrop(given: Given, _: Script) -> dict[str, Any]:
    """Deploy the unit on a square that is far from its own lines; that it can not is an answer."""
    options = options_of(given)
    said = mapping("unit", given.get("unit"), *UNIT)
    said.setdefault("paratrooper", given.get("paratrooper", False))
    there = "d4"
    by = given.get("occupied_by")
    units = []
    if by not in {None, "none", "nobody", "empty"}:
        one_of("occupied_by", by, OWN | ENEMY | {"axis", "allies"})
        units = [Unit("u1", "allies" if by in OWN | {"allies"} else "axis", "1.0", there)]
    fields: dict[str, Any] = {}
    building, ruin = truth("building", given.get("building")), truth("ruin", given.get("ruin"))
    if building or ruin:
        house = TerrainCard(name="house", cost=3, building=True, pi=5)
        fields["terrain_deck"] = TerrainDeck(name="terrain", terrain=(house,))
        fields["grounds"] = (Ground("g1", 0, "axis", there, 0 if ruin else 5, ruin),)
    if truth("impassable", given.get("impassable")):
        fields["natural"] = {there: Natural("river", "impassable")}
    cards = (unit_card(said), UnitCard(name="other", family="infantry", cost=1, wounds=1))
    state = state_of(options, *units, cards=cards, phase="deployment", ap=99, **fields)
    try:
        after(held(state, "0.0"), Deploy("0.0", there))
    except Refusal as refusal:
        return {"ok": False, "allowed": False, **refused(refusal, GAME)}
    return {"ok": True}

"""What look-ups are told and what they answer: the facts of a roll, and the few units and spells that they make up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.chesswar.armies import TEMPORARY, TYPES, WEAPONS, Spell, UnitType
from companion.games.chesswar.options import AROUND, BLACK, WHITE, Options, Place, Side, grid
from companion.games.chesswar.state import Effect, Phase, State, Unit
from companion.games.chesswar.traits import Against
from companion.kit.forms import picked


def _names(fits: Callable[[UnitType], bool]) -> tuple[str, ...]:
    return tuple(kind.id for kind in TYPES.values() if fits(kind))


BOARD = grid(Options())

if TYPE_CHECKING:
    Kind = str
    Perhaps = str
    Archer = str
    Thrower = str
    Zapper = str
    Striker = str
    Regenerating = str
    Square = str
else:
    Kind = Literal[tuple(TYPES)]
    Perhaps = Literal[("none", *TYPES)]
    Archer = Literal[_names(lambda kind: kind.weapon is not None and WEAPONS[kind.weapon].bow)]
    Thrower = Literal[_names(lambda kind: kind.weapon is not None and not WEAPONS[kind.weapon].bow)]
    Zapper = Literal[_names(lambda kind: "zap" in kind.spells)]
    Striker = Literal[_names(lambda kind: "strike" in kind.spells)]
    Regenerating = Literal[_names(lambda kind: "regeneration" in kind.traits)]
    Square = Literal[BOARD.squares()]

NAMED = {"labels": {kind: f"full.{kind}" for kind in TYPES}}
"""Units of all armies stand in one list, each with its army."""
LOST = "Its army has lost its general (total massacre)"
LABELS = {"leaderless": LOST, "flying": "It has just flown"}
ARROWS = {place: arrow.say for place, (_, arrow) in AROUND.items()}
InMelee = Literal["protection", "fear", "contagion", "leaderless"]
Charging = Literal["protection", "flying", "leaderless"]
Charged = Literal["protection", "fear"]
Shot = Literal["protection", "contagion"]
_TARGET = Meta(title="Target", extra=NAMED)
_UNDER = Meta(title="Affecting the target", extra={"labels": LABELS})
_FOREST = Meta(title="The target stands in a forest")
_MELEE = Meta(title="In melee with", description="A shot into a melee may strike either.", extra=NAMED)
_OPPONENT = Meta(title="Affecting its opponent", extra={"labels": LABELS})
_LEADERLESS = Meta(title=LOST)
_ENEMIES = Meta(title="Other enemies beside it", description="↑ is away from you.", extra={"labels": ARROWS})
_OWN = Meta(title="Own units beside it", extra={"labels": ARROWS})
_STORM = Meta(title="A storm is in force")
_DISTANCE = Meta(
    title="Distance", description="In squares, straight or across corners, as a chess king walks.", ge=1, le=7
)


class Facts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of a lookup."""


class MeleeFacts(Facts, frozen=True, kw_only=True):
    """The facts of a melee attack."""

    attacker: Annotated[Kind, Meta(title="Attacker", extra=NAMED)] = "human_knights"
    charged: Annotated[bool, Meta(title="It charged in this turn's movement phase")] = False
    attacker_under: Annotated[tuple[InMelee, ...], Meta(title="Affecting the attacker", extra={"labels": LABELS})] = ()
    defender: Annotated[Kind, Meta(title="Defender", extra=NAMED)] = "orc_infantry"
    defender_under: Annotated[tuple[InMelee, ...], Meta(title="Affecting the defender", extra={"labels": LABELS})] = ()
    forest: Annotated[bool, Meta(title="The defender stands in a forest")] = False


class ChargeFacts(Facts, frozen=True, kw_only=True):
    """The facts of a charge."""

    unit: Annotated[Kind, Meta(title="Who charges", extra=NAMED)] = "human_infantry"
    unit_under: Annotated[
        tuple[Charging, ...], Meta(title="Affecting the one who charges", extra={"labels": LABELS})
    ] = ()
    target: Annotated[Kind, _TARGET] = "undead_zombies"
    target_under: Annotated[tuple[Charged, ...], _UNDER] = ()


class BowFacts(Facts, frozen=True, kw_only=True):
    """The facts of a shot with a bow."""

    unit: Annotated[Archer, Meta(title="Shooter", extra=NAMED)] = "elf_archers"
    leaderless: Annotated[bool, _LEADERLESS] = False
    moved: Annotated[bool, Meta(title="It moved this turn")] = False
    distance: Annotated[int, _DISTANCE] = 2
    direct: Annotated[bool, Meta(title="The shooter sees the target")] = True
    storm: Annotated[bool, _STORM] = False
    target: Annotated[Kind, _TARGET] = "orc_infantry"
    target_under: Annotated[tuple[Shot, ...], _UNDER] = ()
    forest: Annotated[bool, _FOREST] = False
    melee_with: Annotated[Perhaps, _MELEE] = "none"
    opponent_under: Annotated[tuple[Shot, ...], _OPPONENT] = ()


class ThrowFacts(Facts, frozen=True, kw_only=True):
    """The facts of a catapult's shot, or of one like it."""

    unit: Annotated[Thrower, Meta(title="Who hurls", extra=NAMED)] = "human_catapults"
    leaderless: Annotated[bool, _LEADERLESS] = False
    edge: Annotated[
        Literal["south", "north"], picked("Its player sits at", south="the first rank", north="the eighth rank")
    ] = "south"
    start: Annotated[Square, Meta(title="Where it stands")] = "d1"
    square: Annotated[Square, Meta(title="Target square")] = "d6"
    direct: Annotated[bool, Meta(title="It sees the target square")] = True
    storm: Annotated[bool, _STORM] = False
    target: Annotated[Perhaps, Meta(title="Who stands on the target square", extra=NAMED)] = "orc_infantry"
    target_under: Annotated[tuple[Shot, ...], _UNDER] = ()
    forest: Annotated[bool, _FOREST] = False
    melee_with: Annotated[
        Perhaps,
        Meta(title="In melee with", description="Counted where the shot comes down on the target itself.", extra=NAMED),
    ] = "none"
    opponent_under: Annotated[tuple[Shot, ...], _OPPONENT] = ()
    enemies: Annotated[tuple[Place, ...], _ENEMIES] = ()
    own: Annotated[tuple[Place, ...], _OWN] = ()


class ZapFacts(Facts, frozen=True, kw_only=True):
    """The facts of a Zap."""

    unit: Annotated[Zapper, Meta(title="Mage", extra=NAMED)] = "human_mage"
    distance: Annotated[int, _DISTANCE] = 3
    target: Annotated[Kind, _TARGET] = "orc_infantry"
    target_under: Annotated[tuple[Shot, ...], _UNDER] = ()
    forest: Annotated[bool, _FOREST] = False
    melee_with: Annotated[Perhaps, _MELEE] = "none"
    opponent_under: Annotated[tuple[Shot, ...], _OPPONENT] = ()


class StrikeFacts(Facts, frozen=True, kw_only=True):
    """The facts of a Strike."""

    unit: Annotated[Striker, Meta(title="Mage", extra=NAMED)] = "orc_shaman"
    unit_under: Annotated[tuple[Shot, ...], Meta(title="Affecting the mage")] = ()
    target: Annotated[Kind, _TARGET] = "human_knights"
    target_under: Annotated[tuple[Shot, ...], _UNDER] = ()


class SaveFacts(Facts, frozen=True, kw_only=True):
    """The facts of a saving roll."""

    unit: Annotated[Kind, Meta(title="Unit", extra=NAMED)] = "human_infantry"
    against: Annotated[
        Against,
        picked(
            "Against",
            melee="a melee attack",
            bow="a bow, longbow or crossbow",
            shot="a catapult, rocks or Zap",
            plague="the plague of a destroyed unit",
            bomb="a plague bomb",
            strike="Strike",
            dread="dread, to charge",
        ),
    ] = "melee"
    protection: Annotated[bool, Meta(title="It is under Protection")] = False
    forest: Annotated[bool, Meta(title="It stands in a forest")] = False


class SpellFacts(Facts, frozen=True, kw_only=True):
    """Which spell is looked up."""

    spell: Annotated[Spell, Meta(title="Spell")] = "healing"


class CounterFacts(Facts, frozen=True, kw_only=True):
    """The facts of a spell that is countered: how many mages do, and how many counter those Counterspells."""

    spell: Annotated[Spell, Meta(title="Spell")] = "healing"
    against: Annotated[int, Meta(title="Enemy mages who counter it", ge=0, le=4)] = 1
    support: Annotated[int, Meta(title="Own mages who counter that", ge=0, le=4)] = 0


class RegenerationFacts(Facts, frozen=True, kw_only=True):
    """The facts of a unit that lies knocked over."""

    unit: Annotated[Regenerating, Meta(title="Unit", extra=NAMED)] = "orc_trolls"
    entered: Annotated[bool, Meta(title="Another unit has entered its square")] = False


class Fallen(msgspec.Struct, frozen=True, kw_only=True):
    """Who falls, by the part that it plays."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()


class Blow(Fallen, frozen=True, kw_only=True):
    """How an attack went: its total, the line read, who had to save and how often."""

    total: int
    line: int
    saver: str | None
    saves: int


class Dared(msgspec.Struct, frozen=True):
    """How a charge went: the save that dread asked for, and whether it came to a melee."""

    needed: int | None
    engaged: bool


class Hit(Fallen, frozen=True, kw_only=True):
    """How a shot with a bow went: the face that it needed."""

    needed: int


class Landed(Fallen, frozen=True, kw_only=True):
    """Where a shot came down, and on what."""

    square: str | None
    result: Literal["hit", "empty", "own_square", "off_board"]


class Saved(msgspec.Struct, frozen=True):
    """How a saving roll went: the face that it needed."""

    needed: int
    passed: bool


class Described(msgspec.Struct, frozen=True):
    """When a spell is cast, whether it lasts, and the face that its own roll needs, None without one."""

    when: str
    temporary: bool
    needed: int | None


class Spelled(msgspec.Struct, frozen=True):
    """Whether a spell has its effect."""

    works: bool


class Risen(msgspec.Struct, frozen=True):
    """Whether a knocked-over unit stands again."""

    stands: bool


def scene(
    phase: Phase,
    units: tuple[tuple[Unit, tuple[str, ...]], ...],
    acting: Side,
    *,
    storm: bool = False,
    forest: str | None = None,
) -> State:
    """Set up a board on which nothing but those units matters, each with what is in force for it.

    Each side has a unit in reserve, so that nobody is wiped out, and spells have a caster who is out of it.
    """
    reserves = (Unit("wreserve", WHITE, "human_infantry"), Unit("breserve", BLACK, "human_infantry"))
    effects = [
        Effect(spell, unit.side, f"{unit.side[0]}reserve", (unit.id,))
        for unit, under in units
        for spell in TEMPORARY
        if spell in under
    ]
    if storm:
        effects.append(Effect("storm", WHITE, "wreserve"))
    leaderless = tuple(dict.fromkeys(unit.side for unit, under in units if "leaderless" in under))
    return State(
        options=Options(massacre=bool(leaderless)),
        units=(*(replace(unit, flying="flying" in under) for unit, under in units), *reserves),
        phase=phase,
        order=(0, 1),
        active=0 if acting == WHITE else 1,
        effects=tuple(effects),
        leaderless=leaderless,
        terrain={forest: "forest"} if forest else {},
        replies={"white": "never", "black": "never"},
    )

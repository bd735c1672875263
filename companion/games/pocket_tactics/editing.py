"""The editor: a player's own faction, unit by unit (PT-02 to PT-10, PT-93, PT-94)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import rosterfiles
from companion.games.pocket_tactics.cards import MOST_ABILITIES, MOST_KINDS, AbilityText, Faction, UnitCard
from companion.games.pocket_tactics.sample import FACTIONS
from companion.kit.decks import samples
from companion.kit.decks.editing import but, put, tidy
from companion.kit.ruling import Refusal
from companion.kit.text import say, tidied

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

MOST_TYPES, MOST_AFFINITIES, MOST_LETTERS = 3, 6, 30
MOST_DICE, MOST_KICKER = 9, 6
_STAT = re.compile(r"([0-9]+)(?:\(([0-9]+)\))?[/|]([0-9]+)(?:\(([0-9]+)\))?")


def edit(state: State, seat: Seat, action: do.NameDeck | do.Written) -> Faction:
    """Change a player's faction; raise Refusal naming the field, with nothing changed."""
    faction = samples.owned(state.factions.get(seat) or Faction(name=samples.OWN), FACTIONS)
    match action:
        case do.NameDeck():
            return rosterfiles.known(replace(faction, name=tidy(action.name)))
        case do.SetCopies():
            return _with(faction, action.card, replace(_card(faction, action.card), copies=action.count))
        case do.EditUnit():
            return rosterfiles.known(_with(faction, action.card, _unit(faction, action)))
        case do.EditAbility():
            card = _card(faction, action.card)
            return _with(faction, action.card, replace(card, ability=_abilities(card, action)))
        case do.RemoveCard():
            return _without(faction, action.part)


def _with(faction: Faction, at: int | None, card: UnitCard) -> Faction:
    """Put a unit in the place of another, or (None) behind all."""
    return replace(faction, unit=put(faction.unit, at, card, MOST_KINDS))


def _card(faction: Faction, at: int, field: str = "card") -> UnitCard:
    if at >= len(faction.unit):
        raise Refusal(say("There is no such unit in your faction."), "PT-02", field)
    return faction.unit[at]


def _unit(faction: Faction, action: do.EditUnit) -> UnitCard:
    """Make a stat card out of what was typed (PT-03, PT-04, PT-08 to PT-10)."""
    abilities = () if action.card is None else _card(faction, action.card).ability
    types = _parted(action.types, "types")
    if len(types) > MOST_TYPES:
        raise Refusal(say("A unit has up to three types."), "PT-03", "types")
    ticked = dict.fromkeys(word for one in action.affinities if (word := tidied(one)))
    affinities = (*ticked, *_parted(action.more_affinities, "more_affinities"))
    if not 0 < len(affinities) <= MOST_AFFINITIES:
        text = say("A unit has one affinity terrain or more, up to {most}.", most=MOST_AFFINITIES)
        raise Refusal(text, "PT-04", "affinities")
    return UnitCard(
        name=tidy(action.name),
        faction=tidied(action.faction),
        types=types,
        affinities=affinities,
        cost=action.cost,
        copies=action.copies,
        melee=_stat(action.melee, "melee"),
        ballistic=_stat(action.ballistic, "ballistic"),
        third=None if action.third == "none" else action.third,
        third_skill=_stat(action.third_skill, "third_skill"),
        reach=action.reach,
        reach_with=None if action.reach_with == "any" else action.reach_with,
        ability=abilities,
    )


def _parted(typed: str, field: str) -> tuple[str, ...]:
    """Take words apart at their commas."""
    found = tuple(word for part in typed.split(",") if (word := tidied(part)))
    if any(len(word) > MOST_LETTERS for word in found):
        text = say("Put commas between them: none has more than {most} letters.", most=MOST_LETTERS)
        raise Refusal(text, field=field)
    return found


def _stat(typed: str, field: str) -> str:
    """Read a skill as it is printed, ``2(4)/2`` or a dash; raise Refusal for what no card shows (PT-09, PT-94)."""
    plain = "".join(typed.split())
    if plain in {"", "-", "–", "—"}:
        return "0/0"
    found = _STAT.fullmatch(plain)
    if found is None:
        raise Refusal(say("Write offence and defence as on the card, such as 2/1 or 2(4)/2."), "PT-09", field)
    numbers = [int(part or 0) for part in found.groups()]
    if max(numbers[1], numbers[3]) > MOST_KICKER:
        raise Refusal(say("A kicker, the number in brackets, is never above 6."), "PT-94", field)
    if max(numbers[0], numbers[2]) > MOST_DICE:
        raise Refusal(say("There is room for nine dice."), "PT-09", field)
    return "/".join(f"{dice}({kicker})" if kicker else str(dice) for dice, kicker in (numbers[:2], numbers[2:]))


def _abilities(card: UnitCard, action: do.EditAbility) -> tuple[AbilityText, ...]:
    """Change an ability of a unit, or add one: the players do what it says in words (PT-05, PT-29)."""
    if action.ability > len(card.ability):
        raise Refusal(say("There is no such ability on that card."), "PT-05", "ability")
    made = AbilityText(
        name=tidy(action.name),
        text=tidied(action.text),
        timing=action.timing,
        rerolls=action.rerolls,
        pool=action.pool,
        movement_effect=tidied(action.movement_effect),
    )
    return put(card.ability, action.ability if action.ability < len(card.ability) else None, made, MOST_ABILITIES)


def _without(faction: Faction, part: str) -> Faction:
    """Take a unit out of the faction, or an ability off it."""
    unit, _, ability = part.partition(".")
    at, card = int(unit), _card(faction, int(unit), "part")
    if not ability:
        return replace(faction, unit=but(faction.unit, at))
    if int(ability) >= len(card.ability):
        raise Refusal(say("There is no such ability on that card."), "PT-05", "part")
    return _with(faction, at, replace(card, ability=but(card.ability, int(ability))))

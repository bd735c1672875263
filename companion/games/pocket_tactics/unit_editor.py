"""The editor: a player's own faction, unit by unit (PT-02 to PT-10, PT-93, PT-94)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics.cards import (
    FACTIONS,
    MOST_ABILITIES,
    MOST_AFFINITIES,
    MOST_COPIES,
    MOST_KINDS,
    MOST_TYPES,
    AbilityText,
    Copies,
    Cost,
    Faction,
    Named,
    Origin,
    Printed,
    Reach,
    Short,
    Slot,
    UnitCard,
    called,
    had,
    known,
    terrain_name,
)
from companion.games.pocket_tactics.dice import MOST_KICKER, Value
from companion.games.pocket_tactics.state import Seat, State
from companion.games.pocket_tactics.terrain import KNOWN
from companion.games.pocket_tactics.turn import check_preparing, preparing
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import offers as of_decks
from companion.kit.decks import samples
from companion.kit.decks.entries import but, made, put, tidy
from companion.kit.forms import filled
from companion.kit.pictures import Photo, Sign
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, numbered, say, tidied

unit_editor = Chapter[State, Seat]()

WORDS = of_decks.Wording(
    sample=of_decks.OF_DECKS.sample,
    instead=say("Replace your faction with this one?"),
    file=say("Faction from a file"),
    use=say("Use this faction"),
    name=say("Name the faction"),
    take_out=say("Take out of the faction"),
)
MOST_PRINTED, MOST_LETTERS = 9, 30
_PRINTED = re.compile(r"([0-9]+)(?:\(([0-9]+)\))?[/|]([0-9]+)(?:\(([0-9]+)\))?")

Index = Annotated[int, Meta(ge=0, le=39)]
"""Which unit or ability in its list, from 0."""
Typed = Annotated[str, Meta(max_length=200, extra={"high": 120})]
"""Several words, separated by commas."""
Stat = Annotated[str, Meta(max_length=20)]
"""A skill as it is printed, such as ``2(4)/2``; nothing or a dash: there is none."""


class EditUnit(Action, frozen=True, kw_only=True, tag="edit_unit"):
    """Write a stat card, or (without ``card``) a new one; its abilities stay as they are (PT-02 to PT-10).

    ``affinities`` are terrains that were offered, ``more_affinities`` others in words. ``faction`` is where a mercenary
    comes from (PT-07).
    """

    card: Index | None = None
    name: Named
    cost: Cost
    copies: Copies = 1
    melee: Annotated[
        Stat, Meta(title="Melee", description="Offence/defence in dice, a kicker in brackets: 2/1, 2(4)/2. None: –")
    ] = ""
    ballistic: Annotated[Stat, Meta(title="Ballistic")] = ""
    third: Annotated[Literal["none", "arcane", "tech", "magetech"], Meta(title="Kind of the third skill")] = "none"
    third_skill: Annotated[Stat, Meta(title="Third skill")] = ""
    affinities: Annotated[tuple[Short, ...], Meta(max_length=60)] = ()
    more_affinities: Annotated[
        Typed, Meta(title="Other affinity terrains", description="With commas between them.")
    ] = ""
    types: Annotated[
        Typed,
        Meta(
            title="Types",
            description=numbered("Up to [most_types written], with commas between them.", most_types=MOST_TYPES).say,
        ),
    ] = ""
    reach: Annotated[Reach, Meta(description="1: only the next tile.")] = 1
    reach_with: Annotated[Literal["any", "ballistic", "third"], Meta(title="Reach with")] = "any"
    faction: Annotated[Origin, Meta(description="Blank: it belongs to the faction.")] = ""
    glyph: Sign = ""
    picture: Photo = ""

    @classmethod
    def form(cls, card: UnitCard, terrains: Collection[str]) -> tuple[Field, ...]:
        """Ask for the values of a card, filled in with what they are; ``terrains`` are those of the bag."""
        known = dict.fromkeys((*KNOWN, *terrains, *card.affinities))
        options = tuple(Option(terrain, terrain_name(terrain)) for terrain in known)
        now = made(
            cls,
            card,
            melee=_printed(card, "melee"),
            ballistic=_printed(card, "ballistic"),
            third=card.third or "none",
            third_skill=_printed(card, "third"),
            types=", ".join(card.types),
            reach_with=card.reach_with or "any",
        )
        return filled(now, affinities=Field("affinities", say("Affinity terrains"), "many", options, card.affinities))

    def card_of(self, abilities: tuple[AbilityText, ...]) -> UnitCard:
        """Make the stat card of what was typed (PT-03, PT-04, PT-08 to PT-10)."""
        types = _words(self.types, "types")
        if len(types) > MOST_TYPES:
            raise Refusal(
                numbered("A unit has up to [most_types written] types.", most_types=MOST_TYPES), "PT-03", "types"
            )
        ticked = dict.fromkeys(word for terrain in self.affinities if (word := tidied(terrain)))
        affinities = (*ticked, *_words(self.more_affinities, "more_affinities"))
        if not 0 < len(affinities) <= MOST_AFFINITIES:
            text = say("A unit has one affinity terrain or more, up to {most}.", most=MOST_AFFINITIES)
            raise Refusal(text, "PT-04", "affinities")
        return made(
            UnitCard,
            self,
            name=tidy(self.name),
            faction=tidied(self.faction),
            types=types,
            affinities=affinities,
            melee=_stat(self.melee, "melee"),
            ballistic=_stat(self.ballistic, "ballistic"),
            third=None if self.third == "none" else self.third,
            third_skill=_stat(self.third_skill, "third_skill"),
            reach_with=None if self.reach_with == "any" else self.reach_with,
            ability=abilities,
        )


class SetCopies(Action, frozen=True, tag="set_copies"):
    """Say how many of a unit your faction has."""

    card: Index
    count: Copies


class EditAbility(Action, AbilityText, frozen=True, kw_only=True, tag="edit_ability"):
    """Write a special ability of a unit (PT-05); the number after the last is a new one."""

    card: Index
    ability: Index


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a unit (``3``) out of your faction, or an ability off it (``3.0``)."""

    part: Annotated[str, Meta(pattern=r"^[0-9]{1,2}(\.[0-9])?\Z")]


FRESH = UnitCard(name="", affinities=("forest",), cost=5, melee="1/1", ballistic="0/1")
"""What the form of a new unit begins with; its name is still to be written."""


def _printed(card: UnitCard, slot: Slot) -> str:
    return "".join(skill.stat for skill in had([card.skill(slot)]))


@unit_editor.offers
def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Offer to change the lines of the own faction, to write new ones, and what is rarely wanted in its menu."""
    faction = state.factions.get(seat)
    if faction is None or not preparing(state, seat):
        return ()
    terrains = tuple(dict.fromkeys(tile.terrain for tile in state.bag.tile)) if state.mirrored else ()
    return _of_faction(faction, terrains, full=faction.cost > state.options.army_limit)


@lru_cache(maxsize=32)
def _of_faction(faction: Faction, terrains: tuple[str, ...], *, full: bool) -> tuple[Offer, ...]:
    return (
        *(offer for at, card in enumerate(faction.unit) for offer in _line(at, card, terrains, full=full)),
        EditUnit.offer(
            say("Add a unit"), *EditUnit.form(FRESH, terrains), on=of_decks.DECK, loose=True, clause="PT-02"
        ),
        of_decks.rename(faction, words=WORDS),
        *of_decks.take_out(RemoveCard, "part", tuple(_parts(faction)), words=WORDS),
    )


def _line(at: int, card: UnitCard, terrains: tuple[str, ...], *, full: bool) -> Iterator[Offer]:
    """Offer to change how many there are of a unit, its card, and its abilities."""
    on, name = f"u{at}", called(card.name)
    if card.copies == 1:
        yield RemoveCard.offer(say("Take out"), part=str(at), on=on)
    most, form = card.copies if full else MOST_COPIES, EditUnit.form(card, terrains)
    yield from of_decks.counts(SetCopies, on, card.copies, least=1, most=most, card=at)
    yield EditUnit.offer(of_decks.change(name), *form, card=at, on=on, loose=True, clause="PT-02")
    forms = [(Option(str(number), called(each.name)), filled(each)) for number, each in enumerate(card.ability)]
    if len(forms) < MOST_ABILITIES:
        forms.append((Option(str(len(forms)), say("another ability")), filled(AbilityText(name=""))))
    yield from of_decks.among(EditAbility, say("Abilities: {unit}", unit=name), "ability", forms, on=on, card=at)


def _parts(faction: Faction) -> Iterator[Option]:
    for at, card in enumerate(faction.unit):
        name = called(card.name)
        yield Option(str(at), name)
        for number, ability in enumerate(card.ability):
            yield Option(f"{at}.{number}", say("{unit}: {ability}", unit=name, ability=called(ability.name)))


def taken(state: State, seat: Seat, faction: Faction, ask: Ask) -> State:
    """Give a player another faction, and tell what it comes to (PT-06, PT-07)."""
    faction = known(faction)
    costs = "{side}: the faction costs {points} points; the limit is {limit}."
    ask.tell(say(costs, side=Text(seat), points=faction.cost, limit=state.options.army_limit), "PT-06")
    hired = sum(card.copies for card in faction.unit if card.faction)
    if hired:
        ask.tell(say("{count} of them is a mercenary|{count} of them are mercenaries", count=hired), "PT-07")
    return state.but(factions={**state.factions, seat: faction})


def _own(state: State, seat: Seat) -> Faction:
    """Return the faction that a player changes, which is no sample any more."""
    return samples.owned(state.factions.get(seat) or Faction(name=samples.OWN), FACTIONS)


building = of_decks.Building(
    unit_editor,
    check=check_preparing,
    own=_own,
    taken=taken,
    says=lambda _, seat, _action: say("{side}: changes to the faction", side=Text(seat)),
)


@building.edits(EditUnit)
def edit_unit(faction: Faction, action: EditUnit) -> Faction:
    """Write a stat card, or add one."""
    abilities = () if action.card is None else _card(faction, action.card).ability
    return _with(faction, action.card, action.card_of(abilities))


@building.edits(SetCopies)
def set_copies(faction: Faction, action: SetCopies) -> Faction:
    """Change how many there are of a unit."""
    return _with(faction, action.card, replace(_card(faction, action.card), copies=action.count))


@building.edits(EditAbility)
def edit_ability(faction: Faction, action: EditAbility) -> Faction:
    """Change an ability of a unit, or add one: the players do what it says in words (PT-05, PT-29)."""
    card, at = _card(faction, action.card), action.ability
    if at > len(card.ability):
        raise Refusal(say("There is no such ability on that card."), "PT-05", "ability")
    text, effect = tidied(action.text), tidied(action.movement_effect)
    written = made(AbilityText, action, name=tidy(action.name), text=text, movement_effect=effect)
    abilities = put(card.ability, at if at < len(card.ability) else None, written, MOST_ABILITIES)
    return _with(faction, action.card, replace(card, ability=abilities))


@building.edits(RemoveCard)
def remove(faction: Faction, action: RemoveCard) -> Faction:
    """Take a unit out of the faction, or an ability off it."""
    unit, _, ability = action.part.partition(".")
    at, card = int(unit), _card(faction, int(unit), "part")
    if not ability:
        return replace(faction, unit=but(faction.unit, at))
    if int(ability) >= len(card.ability):
        raise Refusal(say("There is no such ability on that card."), "PT-05", "part")
    return _with(faction, at, replace(card, ability=but(card.ability, int(ability))))


def _card(faction: Faction, at: int, field: str = "card") -> UnitCard:
    if at >= len(faction.unit):
        raise Refusal(say("There is no such unit in your faction."), "PT-02", field)
    return faction.unit[at]


def _with(faction: Faction, at: int | None, card: UnitCard) -> Faction:
    return replace(faction, unit=put(faction.unit, at, card, MOST_KINDS))


def _words(typed: str, field: str) -> tuple[str, ...]:
    words = tuple(word for part in typed.split(",") if (word := tidied(part)))
    if any(len(word) > MOST_LETTERS for word in words):
        text = say("Put commas between them: none has more than {most} letters.", most=MOST_LETTERS)
        raise Refusal(text, field=field)
    return words


def _stat(typed: str, field: str) -> str:
    """Read a skill as it is printed, ``2(4)/2`` or a dash; raise Refusal for what no card shows (PT-09, PT-94)."""
    plain = "".join(typed.split())
    if plain in {"", "-", "–", "—"}:
        return "0/0"
    printed = _PRINTED.fullmatch(plain)
    if printed is None:
        raise Refusal(say("Write offence and defence as on the card, such as 2/1 or 2(4)/2."), "PT-09", field)
    dice, kicker, saving, saving_kicker = (int(part or 0) for part in printed.groups())
    if max(kicker, saving_kicker) > MOST_KICKER:
        raise Refusal(say("A kicker, the number in brackets, is never above {most}.", most=MOST_KICKER), "PT-94", field)
    if max(dice, saving) > MOST_PRINTED:
        raise Refusal(say("There is room for nine dice."), "PT-09", field)
    return Printed("melee", Value(dice, kicker), Value(saving, saving_kicker)).stat

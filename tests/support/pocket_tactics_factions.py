"""Tables of Pocket-Tactics before the game: factions and bags brought, written and looked at."""

from __future__ import annotations

from typing import Any

from companion.games.pocket_tactics.bag import SetTile
from companion.games.pocket_tactics.cards import Bag, Faction, UnitCard
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.state import State
from companion.games.pocket_tactics.unit_editor import EditAbility, EditUnit
from companion.kit.action import Offer
from companion.kit.asking import Ask
from companion.kit.decks.offers import LoadDeck
from companion.kit.panels import Tracker
from tests.support.pocket_tactics_positions import P

SMALL = """
name = "River Guild"
[[unit]]
name = "Ferrymen"
types = ["human", "scout"]
affinities = ["agua", "Bosque"]
cost = 8
copies = 3
melee = "1/1"
ballistic = "0/1"
[[unit]]
name = "Golem"
affinities = ["village"]
cost = 16
melee = "3(2)/2"
third = "magetech"
third_skill = "2/2(5)"
reach = 2
reach_with = "third"
[[unit.ability]]
name = "Second Gear"
text = "After a stall it may move."
rerolls = 1
pool = "offence"
"""
CSV = """record,name,affinities,types,cost,copies,melee,third,third_skill,rerolls
roster,River Guild,,,,,,,,
unit,Ferrymen,water|Bosque,human|scout,8,3,1|1,,,
unit,Golem,aldea,,16,,3(2)/2,magetech,2|2(5),
ability,Second Gear,,,,,,,,1
"""
JSON = """{"name": "River Guild", "unit": [{"name": "Ferrymen", "affinities": ["water"], "cost": 8},
 {"name": "Golem", "affinities": ["aldea"], "cost": 16, "melee": "3(2)/2", "ability": [{"name": "Gear"}]}]}"""
FERRYMEN = EditUnit(
    name="Ferrymen",
    types="human, scout",
    affinities=("water", "forest"),
    cost=8,
    copies=3,
    melee="1/1",
    ballistic="0/1",
)
GEAR = EditAbility(card=0, ability=0, name="Gear", text="It moves on.", timing="assault", rerolls=1, pool="offence")


def begun(**options: Any) -> State:
    """A table at which nobody has a faction."""
    state: State = GAME.setup(Options(**options), Ask()).outcome
    return state


PREPARING = {
    "use_sample", "load_deck", "name_deck", "edit_unit", "set_copies", "edit_ability", "remove_card", "use_bag",
    "load_bag", "set_tile", "ready",
}  # fmt: skip


def preparing(state: State, seat: str) -> list[Offer]:
    """What a player may do with the faction and the bag."""
    return [offer for offer in GAME.offers(state, seat) if offer.action in PREPARING]


def edited(*actions: Any, state: State | None = None) -> Faction:
    """Blue's faction after some deeds of the editor."""
    state = state or begun()
    for action in actions:
        state = P.after(state, action, seat="blue")
    return state.factions["blue"]


def loaded(text: str = SMALL, **options: Any) -> Faction:
    return edited(LoadDeck(text), state=begun(**options))


def bagged(*actions: Any, state: State | None = None) -> Bag:
    """The bag after some deeds of Blue's."""
    state = state or begun()
    for action in actions:
        state = P.after(state, action, seat="blue")
    return state.bag


def standing(**fields: Any) -> State:
    """A table at which Blue has one kind of unit."""
    options = fields.pop("options", {})
    card = UnitCard(**({"name": "Golem", "affinities": ("village",), "cost": 10} | fields))
    return begun(**options).but(factions={"blue": Faction(name="x", unit=(card,))})


COMPLEX = SetTile(terrain="Complejo", count=2, grooves=("s", "n"))


def trackers(state: State, seat: str = "blue") -> dict[str, Tracker]:
    return {panel.id: panel for panel in GAME.view(state, seat).panels if isinstance(panel, Tracker)}


def rows(state: State, of: str, seat: str = "blue") -> list[tuple[str, ...]]:
    return [
        (row.id, P.english(row.name), P.english(row.value), P.english(row.note))
        for row in trackers(state, seat)[of].rows
    ]

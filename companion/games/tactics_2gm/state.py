"""What a table of 2GM Tactics has to remember: what lies on it, and how far the battle is (ledger 5.1)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm import cards
from companion.games.tactics_2gm.cards import HeadquartersCard, Roster, Scenario, SupportCard, TerrainDeck, UnitCard
from companion.games.tactics_2gm.options import SIDES, Options, Seat, Side, grid, seats, seats_of, side_of
from companion.kit.decks import unordered
from companion.kit.decks.entries import MOST_CARDS
from companion.kit.game import Frozen
from companion.kit.pieces import changed
from companion.kit.ruling import Refusal
from companion.kit.text import say

Place = Annotated[str, Meta(pattern=r"^[a-p][1-6]\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,19}\Z")]
Code = Annotated[str, Meta(pattern=r"^(\?|[0-9]{1,3}\.[0-9]{1,2})\Z")]
Codes = Annotated[tuple[Code, ...], Meta(max_length=MOST_CARDS)]
Count = Annotated[int, Meta(ge=0, le=9999)]
Turn = Annotated[int, Meta(ge=0, le=99_999)]
Phase = Literal["decks", "terrain", "mulligan", "headquarters", "movement", "deployment", "fire", "discard", "finished"]
BEFORE: tuple[Phase, ...] = ("decks", "terrain", "mulligan")
"""Phases before the first turn."""
TURN_PHASES: tuple[Phase, ...] = ("headquarters", "movement", "deployment", "fire", "discard")
"""Phases of a turn in which somebody has something to do; start, cards, flip and end follow by themselves (G2-77)."""
How = Literal["headquarters", "cards", "surrender", "goals", "turns", "time"]
"""How the battle ended."""


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """An equipment token: ``used`` is the turn in which it was flipped, None while its colour shows.

    ``works``: a flipped token without a weapon still does what it was used for (a smoke grenade).
    """

    slot: Name
    used: Turn | None = None
    works: bool = False


class Attached(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card that lies under or on a unit, and whose it is (G2-20, G2-21)."""

    code: Code
    seat: Seat


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that people noted on a unit by hand: what it adds, and whose next start phase ends it."""

    name: Annotated[str, Meta(max_length=40)]
    by: Seat
    aim: cards.Modifier = (0, 0)
    cover: cards.Modifier = (0, 0)
    armour: Annotated[int, Meta(ge=-9, le=9)] = 0
    lasting: bool = False


class Unit(Frozen, frozen=True, omit_defaults=True):
    """A unit in play. ``square`` is None for aircraft, and on a table whose battlefield is not mirrored.

    There ``inside`` names the terrain that it stands in. ``deployed`` is the turn of its deployment, ``came_from``
    where it began its move of this turn, ``assaulted`` whether it has assaulted in this turn, ``fired`` the weapons
    it has used in it (``w0`` is the first on its card, a slot the weapon of that token), ``shot_by`` who fired at it
    in this fire phase, ``suppressed`` whose next start phase ends that it is under suppressive fire (G2-A07).
    """

    id: Name
    seat: Seat
    code: Code
    square: Place | None = None
    inside: Name | None = None
    wounds: Count = 0
    tokens: tuple[Token, ...] = ()
    cards: tuple[Attached, ...] = ()
    marks: tuple[Mark, ...] = ()
    deployed: Turn = 0
    moved: bool = False
    came_from: Place | None = None
    assaulted: bool = False
    fired: tuple[Name, ...] = ()
    set_up: bool = False
    shot_by: tuple[Name, ...] = ()
    suppressed: Side | None = None

    @property
    def side(self) -> Side:
        """Return the side it fights for."""
        return side_of(self.seat)

    def token(self, slot: str) -> Token | None:
        """Return its token of that slot."""
        return next((token for token in self.tokens if token.slot == slot), None)


class Headquarters(Frozen, frozen=True, omit_defaults=True):
    """A headquarters (G2-27 to G2-36): its card, the impact points it has left, the general on it.

    ``board`` is the copy of the game that it lies on (G2-159).
    """

    id: Name
    side: Side
    card: HeadquartersCard
    pi: Count
    board: Annotated[int, Meta(ge=0, le=1)] = 0
    general: Annotated[str, Meta(max_length=40)] | None = None


class Ground(Frozen, frozen=True, omit_defaults=True):
    """A terrain card on the battlefield: ``kind`` is its place in the terrain deck, ``owner`` who laid it.

    ``square`` is None on a table whose battlefield is not mirrored. ``pi`` are the impact points that a building has
    left, ``ruin`` what it is without them (G2-133, G2-137).
    """

    id: Name
    kind: Annotated[int, Meta(ge=0, le=39)]
    owner: Side
    square: Place | None = None
    pi: Count = 0
    ruin: bool = False


Targeted = Unit | Headquarters | Ground
"""What lies on the table, and can be shot at."""


class Natural(msgspec.Struct, frozen=True, omit_defaults=True):
    """A natural feature of a square (G2-127, G2-129)."""

    feature: cards.Feature
    class_: cards.Class = msgspec.field(default="normal", name="class")


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's cards: ``pile`` and ``hand`` have no order; real cards are face down in both.

    A code is a card's number in the roster and a copy's number. ``out`` are copies that have left the hand.
    ``mulligan``: the hand was changed once, ``kept``: the player begins with it.
    """

    pile: Codes = ()
    hand: Codes = ()
    discard: Codes = ()
    out: Codes = ()
    mulligan: bool = False
    kept: bool = False

    @property
    def empty(self) -> bool:
        """Tell whether no card is left in deck and hand (G2-26)."""
        return not self.pile and not self.hand


class Last(msgspec.Struct, frozen=True):
    """The newest deed for those who look at the board."""

    from_square: Place | None
    to_square: Place | None


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """A table: what everybody at it has to know of the battle.

    ``marshal`` is who leads a side of two (G2-150). ``bids`` are what each side spent on the start, its ``budget`` is
    what is left of that for terrain; ``laying`` lists the sides that still lay terrain, in their order, ``laid`` the
    terrain cards that have left their deck (G2-126). ``turn`` counts the turns of both sides one by one, from 1.
    ``done`` are the seats that have ended the phase, ``ceded`` whether the marshal has given the one AP of this turn.
    ``lost`` counts the units that a side has lost, ``goals`` which goals of the scenario were said to be reached.
    ``began`` is when the battle began, in milliseconds of the epoch, where time is limited, and ``last_turns`` how many
    turns are left once it is up.
    """

    options: Options
    scenario: Scenario | None = None
    rosters: dict[Seat, Roster] = {}
    decks: dict[Seat, Deck] = {}
    marshal: dict[Side, Seat] = {}
    terrain_deck: TerrainDeck
    tiles: Annotated[tuple[Annotated[str, Meta(max_length=8)], ...], Meta(max_length=64)] = ()
    ready: tuple[Seat, ...] = ()
    bids: dict[Side, Count] = {}
    budget: dict[Side, Count] = {}
    laying: tuple[Side, ...] = ()
    first: Side = "allies"
    phase: Phase = "decks"
    turn: Turn = 0
    active: Side = "allies"
    done: tuple[Seat, ...] = ()
    ceded: bool = False
    ap: dict[Seat, Count] = {}
    headquarters: tuple[Headquarters, ...] = ()
    units: Annotated[tuple[Unit, ...], Meta(max_length=4 * MOST_CARDS)] = ()
    grounds: Annotated[tuple[Ground, ...], Meta(max_length=100)] = ()
    natural: dict[Place, Natural] = {}
    lost: dict[Side, Count] = {}
    laid: Annotated[tuple[Annotated[int, Meta(ge=0, le=39)], ...], Meta(max_length=4000)] = ()
    goals: tuple[Annotated[int, Meta(ge=0, le=11)], ...] = ()
    winner: Side | Literal["draw"] | None = None
    how: How | None = None
    began: int | None = None
    last_turns: Annotated[int, Meta(ge=0, le=2)] | None = None
    made: Count = 0
    last: Last | None = None

    def __post_init__(self) -> None:
        """Raise ValueError when the position can not be."""
        board, playing = grid(self.options), seats(self.options)
        known = {unit.id for unit in self.units}
        places = [unit.square for unit in self.units if unit.square is not None]
        if len(known) < len(self.units) or len(set(places)) < len(places):
            raise ValueError("two units of one name, or on one square")
        if any(place not in board for place in (*places, *self.natural)):
            raise ValueError("a unit stands beside the battlefield")
        if any(seat not in playing for seat in (*self.rosters, *self.decks, *self.ready, *self.done, *self.ap)):
            raise ValueError("a seat that does not play")
        for unit in self.units:
            if unit.seat not in playing or not isinstance(self.find_card(unit.seat, unit.code), UnitCard):
                raise ValueError("a unit without a card")
        laid = [ground.square for ground in self.grounds if ground.square is not None]
        if len(set(laid)) < len(laid) or any(place not in board for place in laid):
            raise ValueError("terrain lies one on a square, on the battlefield")
        if any(ground.kind >= len(self.terrain_deck.terrain) for ground in self.grounds):
            raise ValueError("terrain that is not in the deck")

    @property
    def mirrored(self) -> bool:
        """Tell whether Companion knows where the units stand."""
        return self.options.board == "mirrored"

    @property
    def real(self) -> bool:
        """Tell whether people hold the cards in their own hands."""
        return self.options.cards == "real"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """List the seats of the battle."""
        return seats(self.options)

    @property
    def begun(self) -> bool:
        """Tell whether the first turn has begun, and the battle is not over."""
        return self.phase in TURN_PHASES

    @property
    def acting(self) -> tuple[Seat, ...]:
        """List the seats whose turn it is."""
        return seats_of(self.options, self.active) if self.begun else ()

    @property
    def round(self) -> int:
        """Return which turn of each side this is, from 1."""
        return (self.turn + 1) // 2

    def leader(self, side: Side) -> Seat:
        """Return who decides for a side: its only player, or the field marshal (G2-150, G2-151)."""
        return self.marshal.get(side) or seats_of(self.options, side)[0]

    def partner(self, seat: Seat) -> Seat | None:
        """Return the other player of a side of two."""
        return next((player for player in seats_of(self.options, side_of(seat)) if player != seat), None)

    def find_card(self, seat: Seat, code: str) -> UnitCard | SupportCard | None:
        """Return the card of a code in a player's roster; None when there is none."""
        roster = self.rosters.get(seat)
        number = code.partition(".")[0]
        if roster is None or not number.isdecimal() or int(number) >= len(roster.cards):
            return None
        return roster.cards[int(number)]

    def card(self, unit: Unit) -> UnitCard:
        """Return the card of a unit."""
        card = self.find_card(unit.seat, unit.code)
        if not isinstance(card, UnitCard):
            raise TypeError(unit.code)
        return card

    def attached(self, unit: Unit) -> tuple[SupportCard, ...]:
        """List the support cards that lie under and on a unit."""
        laid = (self.find_card(attached.seat, attached.code) for attached in unit.cards)
        return tuple(card for card in laid if isinstance(card, SupportCard))

    def equipment(self, unit: Unit) -> tuple[tuple[Token, cards.Equipment], ...]:
        """List a unit's tokens with what they are."""
        options = {option.slot_id: option for option in self.card(unit).option}
        return tuple((token, options[token.slot]) for token in unit.tokens if token.slot in options)

    def weapons(self, unit: Unit) -> dict[str, cards.Weapon]:
        """Return a unit's weapons by the name that fire calls them: ``w0`` ... on its card, a slot for a token's."""
        printed = {f"w{at}": weapon for at, weapon in enumerate(self.card(unit).weapon)}
        return printed | {
            token.slot: equipped.weapon for token, equipped in self.equipment(unit) if equipped.weapon is not None
        }

    def find(self, name: str | None) -> Unit | None:
        """Return the unit of that id."""
        return next((unit for unit in self.units if unit.id == name), None)

    def unit(self, name: str, field: str = "unit") -> Unit:
        """Return the unit of that id; raise Refusal naming the field."""
        unit = self.find(name)
        if unit is None:
            raise Refusal(say("There is no unit called {name} in play.", name=name), field=field)
        return unit

    def of(self, side: Side) -> tuple[Unit, ...]:
        """List a side's units in play, its aircraft too."""
        return tuple(unit for unit in self.units if unit.side == side)

    def flies(self, unit: Unit) -> bool:
        """Tell whether a unit is an aircraft: it waits beside its headquarters (G2-139)."""
        return self.card(unit).family == "aircraft"

    def on_ground(self, *of: Side) -> tuple[Unit, ...]:
        """List the units on the battlefield, of those sides or of all."""
        return tuple(unit for unit in self.units if unit.side in (of or SIDES) and not self.flies(unit))

    def piece(self, name: str) -> Targeted | None:
        """Return the unit, the headquarters or the terrain of that id."""
        return self.find(name) or self.hq(name) or self.ground(name)

    def at(self, place: str | None) -> Unit | None:
        """Return the unit that stands on a square."""
        return next((unit for unit in self.units if place is not None and unit.square == place), None)

    def terrain(self, ground: Ground) -> cards.TerrainCard:
        """Return the card of a terrain on the battlefield."""
        return self.terrain_deck.terrain[ground.kind]

    def is_building(self, ground: Ground) -> bool:
        """Tell whether a terrain is a building that stands (G2-133, G2-137)."""
        return self.terrain(ground).building and not ground.ruin

    def ground(self, name: str | None) -> Ground | None:
        """Return the terrain card of that id."""
        return next((ground for ground in self.grounds if ground.id == name), None)

    def ground_at(self, place: str | None) -> Ground | None:
        """Return the terrain card that lies on a square."""
        return next((ground for ground in self.grounds if place is not None and ground.square == place), None)

    def ground_of(self, unit: Unit) -> Ground | None:
        """Return the terrain card that a unit stands in (G2-125)."""
        if unit.inside is not None:
            return self.ground(unit.inside)
        return self.ground_at(unit.square)

    def occupant(self, ground: Ground) -> Unit | None:
        """Return the unit that stands in a terrain."""
        return next((unit for unit in self.units if self.ground_of(unit) == ground), None)

    def hq(self, name: str) -> Headquarters | None:
        """Return the headquarters of that id."""
        return next((hq for hq in self.headquarters if hq.id == name), None)

    def deck(self, seat: Seat) -> Deck:
        """Return a player's cards."""
        return self.decks.get(seat, Deck())

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(units=changed(self.units, name, **changes))

    def with_units(self, *changed: Unit) -> State:
        """Return the state with several units changed at once."""
        now = {unit.id: unit for unit in changed}
        return self.but(units=tuple(now.get(unit.id, unit) for unit in self.units))

    def with_deck(self, seat: Seat, **changes: Any) -> State:
        """Return the state with a player's cards changed."""
        return self.but(decks={**self.decks, seat: unordered(self.deck(seat), "pile", "hand", **changes)})

    def with_ap(self, seat: Seat, ap: int) -> State:
        """Return the state with a player's AP changed."""
        return self.but(ap={**self.ap, seat: ap})

    def with_hq(self, name: str, **changes: Any) -> State:
        """Return the state with one headquarters changed."""
        return self.but(headquarters=changed(self.headquarters, name, **changes))

    def with_ground(self, name: str, **changes: Any) -> State:
        """Return the state with one terrain changed."""
        return self.but(grounds=changed(self.grounds, name, **changes))

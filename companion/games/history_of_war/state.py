"""What a table has to remember, and what is refused because of its phase (HW-27 to HW-32)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.games.history_of_war.cards import (
    CATEGORIES,
    ActionCard,
    BaseCard,
    Category,
    DepotCard,
    DevelopmentCard,
    Fielded,
    Roster,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import (
    SEATS,
    STEPS,
    Attack,
    Count,
    Deck,
    Last,
    Phase,
    Plan,
    Played,
    Seat,
    Territory,
    other,
)
from companion.kit.decks import kind_of, unordered
from companion.kit.game import Frozen
from companion.kit.pieces import changed
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

How = Literal["points", "no_territory", "conceded"]
"""How the game ended."""


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """What a table remembers.

    ``round`` counts from 1; ``attacker`` is who attacks first in it (HW-28). ``done`` are the seats that are content
    with the phase (HW-32), ``content`` those that are until they are needed, ``holding`` those that wish no phase to
    pass by itself. ``attacks`` are those declared in this half of the battle; ``struck``: its damage is dealt.
    ``points`` are victory points beside those of conquered territories, given or taken by hand. ``expanded`` is the
    round in which a player last put a base expansion (HW-38).
    ``made`` counts the cards that ever came into play: they are called by it.
    """

    options: Options
    rosters: dict[Seat, Roster] = {}
    ready: tuple[Seat, ...] = ()
    decks: dict[Seat, Deck] = {}
    territories: Annotated[tuple[Territory, ...], Meta(max_length=100)] = ()
    cards: Annotated[tuple[Played, ...], Meta(max_length=4000)] = ()
    phase: Phase = "decks"
    round: Count = 0
    attacker: Seat = "blue"
    done: tuple[Seat, ...] = ()
    content: tuple[Seat, ...] = ()
    holding: tuple[Seat, ...] = ()
    expanded: dict[Seat, Count] = {}
    plans: dict[Seat, Plan] = {}
    attacks: Annotated[tuple[Attack, ...], Meta(max_length=400)] = ()
    struck: bool = False
    points: dict[Seat, Annotated[int, Meta(ge=-99, le=99)]] = {}
    winner: Seat | Literal["draw"] | None = None
    how: How | None = None
    made: Count = 0
    last: Last | None = None

    def __post_init__(self) -> None:
        """Raise ValueError when the position can not be."""
        known = {card.id for card in self.cards}
        lying = {territory.id for territory in self.territories}
        if len(known) < len(self.cards) or len(lying) < len(self.territories):
            raise ValueError("two cards of one name")
        if any(int(name[1:]) > self.made for name in known):
            raise ValueError("a card that never came into play")
        for card in self.cards:
            if card.place[0] == "t" and card.place not in lying:
                raise ValueError("a card in a territory that is not there")
            if self.find_card(card.seat, card.code) is None:
                raise ValueError("a card that is in no deck")
        for territory in self.territories:
            roster = self.rosters.get(territory.seat)
            if roster is None or int(territory.card[1:]) >= len(roster.territory):
                raise ValueError("a territory that nobody has")

    @property
    def real(self) -> bool:
        """Tell whether people hold the cards in their own hands."""
        return self.options.cards == "real"

    @property
    def begun(self) -> bool:
        """Tell whether the first round has begun, and the game is not over."""
        return self.phase in STEPS

    @property
    def step_by_step(self) -> bool:
        """Tell whether no phase passes by itself: as was agreed on, or as somebody wishes now (HW-104, HW-A09)."""
        return self.options.step_by_step or bool(self.holding)

    @property
    def defender(self) -> Seat:
        """Return the defender of this round."""
        return other(self.attacker)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """List the seats that act in this phase (HW-29)."""
        return self.acting_in(self.phase)

    def acting_in(self, phase: Phase) -> tuple[Seat, ...]:
        """List the seats that act in a phase of this round."""
        step = STEPS.get(phase)
        if step is None:
            return ()
        return {"both": SEATS, "attacker": (self.attacker,), "defender": (self.defender,)}[step.acts]

    @property
    def striker(self) -> Seat | None:
        """Return who attacks in this half of the battle (HW-81); None outside of declarations and damage."""
        step = STEPS.get(self.phase)
        if step is None or step.half is None:
            return None
        return self.attacker if step.half == 1 else self.defender

    def find_card(self, seat: Seat, code: str) -> DepotCard | None:
        """Return the card of a code in a player's roster; None when there is none."""
        roster = self.rosters.get(seat)
        return None if roster is None else roster.find(code)

    def card(self, played: Played) -> DepotCard:
        """Return what is printed on a card in play, which is always one of its owner's deck."""
        return self.rosters[played.seat].numbered[kind_of(played.code)]

    def is_unit(self, played: Played) -> bool:
        """Tell whether a card in play is a unit."""
        return isinstance(self.card(played), UnitCard)

    def is_development(self, played: Played) -> bool:
        """Tell whether a card in play is a development."""
        return isinstance(self.card(played), DevelopmentCard)

    def find(self, name: str | None) -> Played | None:
        """Return the card in play of that id."""
        return next((card for card in self.cards if card.id == name), None)

    def played(self, name: str, field: str = "unit") -> Played:
        """Return the card in play of that id; raise Refusal naming the field."""
        card = self.find(name)
        if card is None:
            raise Refusal(say("There is no card called {name} in play.", name=name), field=field)
        return card

    def of(self, seat: Seat, place: str | None = None) -> tuple[Played, ...]:
        """List a player's cards that are in play, in one place or everywhere; those set aside are not (HW-A39)."""
        return tuple(card for card in self._in_play if card.seat == seat and place in (None, card.place))

    @cached_property
    def _in_play(self) -> tuple[Played, ...]:
        aside = {territory.id for territory in self.territories if territory.conqueror is not None}
        return tuple(card for card in self.cards if card.place not in aside)

    def units(self, seat: Seat, place: str | None = None) -> tuple[Played, ...]:
        """List a player's units that are in play, in one place or everywhere."""
        return tuple(card for card in self.of(seat, place) if self.is_unit(card))

    def territory(self, name: str | None) -> Territory | None:
        """Return the territory of that id."""
        return next((territory for territory in self.territories if territory.id == name), None)

    def land(self, territory: Territory) -> TerritoryCard:
        """Return what is printed on a territory."""
        return self.rosters[territory.seat].territory[int(territory.card[1:])]

    @property
    def open(self) -> tuple[Territory, ...]:
        """List the territories that are still to conquer (HW-24)."""
        return tuple(territory for territory in self.territories if territory.conqueror is None)

    def victory_points(self, seat: Seat) -> int:
        """Add up a player's victory points (HW-06, HW-100)."""
        conquered = (territory for territory in self.territories if territory.conqueror == seat)
        return sum(self.land(territory).victory_points for territory in conquered) + self.points.get(seat, 0)

    def deck(self, seat: Seat) -> Deck:
        """Return a player's cards."""
        return self.decks.get(seat, Deck())

    def plan(self, seat: Seat) -> Plan:
        """Return what a player builds (HW-43)."""
        return self.plans.get(seat, Plan())

    def upgrades(self, played: Played) -> tuple[UpgradeCard, ...]:
        """List the upgrades attached to a card (HW-10)."""
        cards = (self.find_card(played.seat, code) for code in played.upgrades)
        return tuple(card for card in cards if isinstance(card, UpgradeCard))

    def printed(self, played: Played, category: Category) -> int | None:
        """Return the attack value that is printed on a card, None for "-"."""
        card = self.card(played)
        return card.av[category] if isinstance(card, Fielded) else None

    def value(self, played: Played, category: Category) -> int | None:
        """Return a card's attack value against a category, None: it can not harm that (HW-63, HW-78, HW-A16).

        A value below 0 counts as 0; upgrades and what was added by hand only change a value that is printed, or that
        was given by hand because a card's text gives it.
        """
        printed = self.printed(played, category)
        if printed is None and category not in played.given:
            return None
        return max(0, (printed or 0) + sum(by for _, by in self.added(played, f"av_{category}")))

    def added(self, played: Played, name: str) -> Iterator[tuple[UpgradeCard | None, int]]:
        """Tell what changes a value from what is printed: each upgrade (HW-10), and None for what people added by hand.

        The value is called as the field of an upgrade is: ``av_ground``, ``dv``, ``flags``...
        """
        for upgrade in self.upgrades(played):
            if by := upgrade.added[name]:
                yield upgrade, by
        if by := getattr(played.bonus, name.removeprefix("av_")):
            yield None, by

    def values(self, played: Played) -> dict[Category, int]:
        """Return the attack values that a card has."""
        values = {category: self.value(played, category) for category in CATEGORIES}
        return {category: value for category, value in values.items() if value is not None}

    def dv(self, played: Played) -> int | None:
        """Return a card's defence value, None where it can not be struck (HW-A23, HW-A24)."""
        printed = self.printed_dv(played)
        return None if printed is None else printed + sum(by for _, by in self.added(played, "dv"))

    def printed_dv(self, played: Played) -> int | None:
        """Return the defence value that is printed on a card; that of a base is 1 where none is."""
        card = self.card(played)
        if isinstance(card, ActionCard | UpgradeCard):
            return None
        return card.dv if card.dv is not None or not isinstance(card, BaseCard) else 1

    def flags(self, played: Played) -> int:
        """Return a card's victory flags (HW-88)."""
        return max(0, self.printed_flags(played) + sum(by for _, by in self.added(played, "flags")))

    def printed_flags(self, played: Played) -> int:
        """Return the victory flags that are printed on a card."""
        card = self.card(played)
        return card.flags if isinstance(card, Fielded) else 0

    def category(self, played: Played) -> Category:
        """Return the category that a card is struck in (HW-A16, HW-A23)."""
        card = self.card(played)
        return card.category if isinstance(card, UnitCard | DevelopmentCard) else "ground"

    def can(self, played: Played, ability: str) -> bool:
        """Tell whether a card or an upgrade on it has an ability."""
        card = self.card(played)
        printed = card.abilities if isinstance(card, Fielded) else ()
        return ability in printed or any(ability in upgrade.abilities for upgrade in self.upgrades(played))

    def ta(self, played: Played) -> int:
        """Return the TA that a card yields when it is locked for it (HW-08, HW-40)."""
        card = self.card(played)
        return card.ta_provided if isinstance(card, BaseCard | Fielded) else 0

    def attack(self, unit: str) -> Attack | None:
        """Return the attack that a unit has declared."""
        return next((attack for attack in self.attacks if attack.unit == unit), None)

    def with_entering(self, seat: Seat, code: str, place: str, *, locked: bool = False) -> State:
        """Return the state with a card more in play, the last of ``cards``, by the smallest number that is free."""
        kind = kind_of(code)
        taken = {card.number for card in self.cards if card.seat == seat and kind_of(card.code) == kind}
        number = next(at for at in count(1) if at not in taken)
        entering = Played(f"c{self.made + 1}", seat, code, place, number, locked=locked)
        return self.but(cards=(*self.cards, entering), made=self.made + 1)

    def with_another_territory(self, seat: Seat, card: str) -> State:
        """Return the state with a territory more on the table, the last of ``territories``, by an id that none has."""
        taken = {territory.id for territory in self.territories}
        free = next(name for at in count(1) if (name := f"t{at}") not in taken)
        return self.but(territories=(*self.territories, Territory(free, seat, card)))

    def with_card(self, name: str, **changes: Any) -> State:
        """Return the state with one card in play changed."""
        return self.but(cards=changed(self.cards, name, **changes))

    def with_deck(self, seat: Seat, **changes: Any) -> State:
        """Return the state with a player's cards changed."""
        return self.but(decks={**self.decks, seat: unordered(self.deck(seat), "depot", "hand", **changes)})

    def with_plan(self, seat: Seat, **changes: Any) -> State:
        """Return the state with what a player builds changed."""
        return self.but(plans={**self.plans, seat: replace(self.plan(seat), **changes)})

    def with_territory(self, name: str, **changes: Any) -> State:
        """Return the state with one territory changed."""
        return self.but(territories=changed(self.territories, name, **changes))

    def with_attack(self, unit: str, **changes: Any) -> State:
        """Return the state with one declared attack changed."""
        return self.but(attacks=tuple(replace(each, **changes) if each.unit == unit else each for each in self.attacks))


NOT_BEGUN = Reason(say("The first round has not begun."), "HW-27")


def check_begun(state: State) -> None:
    """Refuse what belongs to the rounds before the first (HW-27)."""
    refuse(None if state.begun else NOT_BEGUN)


def check_shown(state: State, phase: Phase | None, number: int | None) -> None:
    """Refuse what an old page sends, which showed another phase or round; None where it does not say (HW-31)."""
    if phase not in (None, state.phase) or number not in (None, state.round):
        raise Refusal(say("That phase is over already."), "HW-31", "phase" if phase is not None else "round")


def phase_barred(state: State, seat: Seat, *phases: Phase) -> Reason | None:
    """Say that something belongs to another phase (HW-31), or to the other player in this one (HW-29); None: to now."""
    if not state.begun:
        return NOT_BEGUN
    if state.phase not in phases:
        wanted = next((phase for phase in phases if seat in state.acting_in(phase)), phases[0])
        return Reason(say("That is done in another phase: {phase}.", phase=Text(wanted)), "HW-31")
    if seat not in state.acting:
        return Reason(say("Only the other player acts in this phase."), "HW-29")
    return Reason(say("You have said that you are done with this phase."), "HW-32") if seat in state.done else None


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (HW-31), or to the other player in this one (HW-29)."""
    refuse(phase_barred(state, seat, *phases))

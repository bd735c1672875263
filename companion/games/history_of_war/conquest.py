"""The victory phase: who conquers which territory, and who stays to occupy it (HW-87 to HW-96)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.history_of_war import hands, speech
from companion.games.history_of_war.cards import Fielded
from companion.games.history_of_war.contests import Contest, added_up, cheapest, half, spared
from companion.games.history_of_war.pieces import SEATS, Name, Names, Played, Seat, Territory, other
from companion.games.history_of_war.state import State
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, listed, say

conquest = Chapter[State, Seat]()


class Occupy(Action, frozen=True, tag="occupy"):
    """Take a territory that you have conquered; ``keep`` are the units that stay to occupy it (HW-91)."""

    territory: Name
    keep: Names = ()


def _flags(state: State, cards: Iterable[Played]) -> int:
    return sum(state.flags(card) for card in cards)


def contest_in(state: State, territory: Territory) -> Contest:
    """Add up the flags that both players have in a territory (HW-88)."""
    land = state.land(territory)
    here = {seat: state.of(seat, territory.id) for seat in SEATS}
    return Contest(
        totals={seat: _flags(state, (card for card in here[seat] if not card.locked)) for seat in SEATS},
        locked={seat: _flags(state, (card for card in here[seat] if card.locked)) for seat in SEATS},
        force={seat: _flags(state, (card for card in here[seat] if _occupies(state, card))) for seat in SEATS},
        flags=land.flags,
        points=land.victory_points,
    )


def _occupies(state: State, card: Played) -> bool:
    """Tell whether a card's flags count for an occupation (HW-A27)."""
    return state.is_unit(card) or (state.options.developments_occupy and state.is_development(card))


def pending(state: State) -> dict[str, Seat]:
    """Return who conquers a territory in this victory phase and has still to occupy it (HW-90, HW-A30)."""
    if state.phase != "victory":
        return {}
    takers = {territory.id: contest_in(state, territory).conqueror for territory in state.open}
    return {name: taker for name, taker in takers.items() if taker is not None}


def tell_contests(state: State, ask: Ask) -> None:
    """Tell the flags in each territory in which somebody has one (HW-87 to HW-90)."""
    for territory in state.open:
        contest = contest_in(state, territory)
        if any(contest.totals.values()):
            reason = added_up(contest)
            text = say("{territory}: {what}", territory=speech.territory(state, territory), what=reason.text)
            ask.tell(text, reason.clause, reason.value, terms=reason.terms)


@conquest.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the conqueror of a territory to occupy it, filled in with the cheapest force that is enough (HW-91)."""
    takers = pending(state)
    for territory in state.open:
        if takers.get(territory.id) == seat:
            yield _occupation(state, seat, territory)


def _occupation(state: State, seat: Seat, territory: Territory) -> Offer:
    contest = contest_in(state, territory)
    units = state.units(seat, territory.id)
    said = "{unit}, {count} flag|{unit}, {count} flags"
    options = tuple(
        Option(unit.id, say(said, unit=speech.card(state, unit), count=state.flags(unit))) for unit in units
    )
    # Developments stay anyhow (HW-93); where they count, units need not bring all the flags.
    staying = contest.force[seat] - _flags(state, units)
    force = cheapest(
        ((unit.id, state.flags(unit), _worth(state, unit)) for unit in units), contest.occupation_needed - staying
    )
    hint = say(
        "At least {count} flag has to stay; the other units go home, locked.|"
        "At least {count} flags have to stay; the other units go home, locked.",
        count=contest.occupation_least - staying,
    )
    label, advice = say("Occupy: {territory}", territory=speech.territory(state, territory)), (added_up(contest),)
    keep = Field("keep", say("Units that stay"), "many", options, value=force, hint=hint)
    return Occupy.offer(label, keep, territory=territory.id, main=True, loose=True, clause="HW-91", advice=advice)


def _worth(state: State, unit: Played) -> int:
    """Return what a unit cost with its upgrades: it never comes back from an occupation (HW-A39)."""
    card = state.card(unit)
    printed = card.ta_cost if isinstance(card, Fielded) else 0
    return printed + sum(upgrade.ta_cost for upgrade in state.upgrades(unit))


def _conquers(before: State, after: State, seat: Seat, action: Occupy) -> Text:
    place, points = speech.place(before, action.territory), after.victory_points(seat) - before.victory_points(seat)
    return say("{seat} conquers {territory}: {count} VP", seat=Text(seat), territory=place, count=points)


@conquest.rule(Occupy, headline=_conquers)
def occupy(state: State, seat: Seat, action: Occupy, ask: Ask) -> State:
    """Occupy a conquered territory; raise Refusal where it is not, or with too small a force (HW-91)."""
    territory = _conquered(state, seat, action.territory)
    contest = contest_in(state, territory)
    keep = _staying(state, seat, territory, action.keep)
    reason = added_up(contest)
    ask.tell(reason.text, reason.clause, reason.value, terms=reason.terms)
    force = tuple(card for card in keep if _occupies(state, card))
    flags = _flags(state, force)
    if flags < contest.occupation_needed:
        text = say(
            "{count} flag would stay in {territory}, at least {least} must: half of {points} victory points is "
            "{half}.|{count} flags would stay in {territory}, at least {least} must: half of {points} victory points "
            "is {half}.",
            count=flags,
            least=contest.occupation_least,
            territory=speech.territory(state, territory),
            points=contest.points,
            half=half(contest.points),
        )
        raise Refusal(text, "HW-91", "keep")
    text = say(
        "{count} flag stays; half of {points} victory points is {half}|{count} flags stay; half of {points} "
        "victory points is {half}",
        count=flags,
        points=contest.points,
        half=half(contest.points),
    )
    terms = tuple(Reason(speech.card(state, card), value=state.flags(card)) for card in force)
    ask.tell(text, "HW-91", flags, terms=terms)
    _advise(state, contest, force, ask)
    for owner in SEATS:
        for card in state.of(owner, territory.id):
            if card not in keep:
                state = _leave(state, card, ask)
    state = state.with_territory(territory.id, conqueror=seat)
    return _set_aside(state, seat, territory, ask)


def _conquered(state: State, seat: Seat, name: str) -> Territory:
    """Return the territory that a player has conquered; raise Refusal when there is no such thing."""
    if state.phase != "victory":
        raise Refusal(say("Territories are conquered in the conquest phase."), "HW-87")
    territory = state.territory(name)
    if territory is None:
        raise Refusal(say("There is no territory called {name}.", name=name), "HW-24", "territory")
    called = speech.territory(state, territory)
    if territory.conqueror is not None:
        raise Refusal(say("{territory} is conquered already.", territory=called), "HW-95", "territory")
    contest = contest_in(state, territory)
    if contest.conqueror == seat:
        return territory
    if contest.leader == seat and contest.enough:
        text = say(
            "All your units in {territory} have {count} flag; half of {points} victory points is {half}: nobody "
            "conquers it.|All your units in {territory} have {count} flags; half of {points} victory points is "
            "{half}: nobody conquers it.",
            territory=called,
            count=contest.force[seat],
            points=contest.points,
            half=half(contest.points),
        )
        raise Refusal(text, "HW-A28", "territory")
    text = say(
        "You have {mine} unlocked flags in {territory}, the enemy has {theirs}; a conquest takes {needed} more.",
        mine=contest.totals[seat],
        territory=called,
        theirs=contest.totals[other(seat)],
        needed=contest.needed,
    )
    raise Refusal(text, "HW-A25" if contest.leader is None else "HW-90", "territory")


def _staying(state: State, seat: Seat, territory: Territory, names: tuple[str, ...]) -> tuple[Played, ...]:
    """List the cards that stay: the units named, and the conqueror's developments (HW-93); raise Refusal for others."""
    for name in names:
        card = state.find(name)
        if card is None or card.seat != seat or card.place != territory.id:
            raise Refusal(say("Only your own units in the territory can stay."), "HW-A27", "keep")
        if not _occupies(state, card):
            raise Refusal(say("Developments do not count for an occupation."), "HW-A27", "keep")
    return tuple(card for card in state.of(seat, territory.id) if card.id in names or state.is_development(card))


def _advise(state: State, contest: Contest, force: tuple[Played, ...], ask: Ask) -> None:
    """Name the units that could go home (HW-A29)."""
    units = {card.id: card for card in force if state.is_unit(card)}
    staying = _flags(state, (card for card in force if card.id not in units))
    surplus = spared(((name, state.flags(unit)) for name, unit in units.items()), contest.occupation_needed - staying)
    if surplus:
        names = listed([speech.card(state, units[name]) for name in surplus], say("nobody"))
        ask.tell(say("More than is needed: {units} could have gone home", units=names), "HW-A29")


def _leave(state: State, card: Played, ask: Ask) -> State:
    """Tell that a unit goes home, locked (HW-92), or a development is lost with the territory (HW-94)."""
    who = speech.unit(state, card)
    if state.is_unit(card):
        ask.tell(say("{unit}: to the deployment area, locked", unit=who), "HW-92", marks=((card.id, "target"),))
    else:
        ask.tell(say("{unit}: to the scrapyard", unit=who), "HW-94", harm=(speech.gone(state, card),))
    return _left(state, card)


def _left(state: State, card: Played) -> State:
    return state.with_card(card.id, place="deployment", locked=True) if state.is_unit(card) else hands.bury(state, card)


def vacated(state: State, place: str, seat: Seat) -> State:
    """Return the state in which the enemy of its conqueror has left a territory (HW-92, HW-94)."""
    for card in state.of(other(seat), place):
        state = _left(state, card)
    return state


def _set_aside(state: State, seat: Seat, territory: Territory, ask: Ask) -> State:
    """Tell that a territory is conquered, what it is worth and what is written on it (HW-06, HW-95, HW-96)."""
    land, called = state.land(territory), speech.territory(state, territory)
    ask.tell(say("{seat}: {territory} is conquered and set aside", seat=Text(seat), territory=called), "HW-95")
    points, total = land.victory_points, state.victory_points(seat)
    text = say(
        "{count} victory point, {total} in all|{count} victory points, {total} in all", count=points, total=total
    )
    ask.tell(text, "HW-06", points)
    if land.text:
        ask.tell(say("Whoever holds it may use what is written on it: {text}", text=speech.does(land.text)), "HW-96")
    return state

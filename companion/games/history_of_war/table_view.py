"""The five rows of cards between the players, and the flag board (HW-02, HW-16 to HW-19, HW-34, HW-88 to HW-91)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import conquest, damage, speech
from companion.games.history_of_war.cards import CATEGORIES, BaseCard, Fielded, UnitCard
from companion.games.history_of_war.pieces import SEATS, other
from companion.games.history_of_war.speech import NOTHING, numbers, written
from companion.kit.contest import Contest
from companion.kit.panels import Piece, Stat, Tableau, Zone
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war import contests
    from companion.games.history_of_war.cards import Category, DepotCard
    from companion.games.history_of_war.pieces import Attack, Laid, Played, Seat, Territory
    from companion.games.history_of_war.state import State


SIGNS: dict[Category, str] = {"ground": "tank", "air": "plane", "naval": "anchor"}
GLYPHS = {
    "territory": "flag",
    "base_expansion": "factory",
    "upgrade": "medal",
    "action": "bolt",
    "development": "castle",
}
UNITS: dict[Category, str] = {"ground": "tank", "air": "plane", "naval": "naval"}
LEGEND: tuple[tuple[str, Text], ...] = (
    ("flag", Text("flags")),
    ("tank", Text("av_ground")),
    ("plane", Text("av_air")),
    ("anchor", Text("av_naval")),
    ("shield", Text("dv")),
    ("nut", Text("ta_provided")),
)


def glyph(card: DepotCard) -> str:
    """Name the picture of a card."""
    return UNITS[card.category] if isinstance(card, UnitCard) else GLYPHS[card.kind]


def cost_of(state: State, seat: Seat, code: str) -> int:
    """Return the TA that a card costs (HW-42)."""
    card = state.find_card(seat, code)
    return 0 if card is None or isinstance(card, BaseCard) else card.ta_cost


def piece(state: State, played: Played) -> Piece:
    """Show a card in play: locked ones lie on their side (HW-33, HW-34)."""
    return Piece(
        played.id,
        played.seat,
        glyph(state.card(played)),
        speech.card(state, played),
        hits=played.damage,
        strength=state.dv(played) or 0,
        badges=_badges(state, played),
        spent=played.locked,
        down=played.locked,
        hint=_hint(state, played),
        suffered=say("damage {damage} of {dv}", damage=played.damage, dv=state.dv(played) or 0),
        stats=_stats(state, played),
    )


def face_down(state: State, seat: Seat, laid: Laid) -> Piece:
    """Show its owner a card that lies face down (HW-43)."""
    card = state.find_card(seat, laid.code)
    badges = [say("{count} TA", count=cost_of(state, seat, laid.code))]
    if (unit := state.find(laid.unit)) is not None:
        badges.append(say("for {unit}", unit=speech.card(state, unit)))
    return Piece(
        laid.code, seat, glyph(card) if card else "cards", speech.code(state, seat, laid.code), badges=tuple(badges)
    )


def _stats(state: State, played: Played) -> tuple[Stat, ...]:
    card = state.card(played)
    found = []
    if isinstance(card, Fielded):
        found.append(_stat("flag", state.flags(played), "flags"))
        values = state.values(played)
        found += [_stat(SIGNS[one], values[one], f"av_{one}") for one in CATEGORIES if one in values]
    dv = state.dv(played)
    if dv is not None and not (isinstance(card, BaseCard) and card.dv is None):
        found.append(_stat("shield", dv, "dv"))
    if state.ta(played):
        found.append(_stat("nut", state.ta(played), "ta_provided"))
    return tuple(found)


def _stat(sign: str, value: int, name: str) -> Stat:
    return Stat(sign, say("{count}", count=value), Text(name))


def _badges(state: State, played: Played) -> tuple[Text, ...]:
    """Say in short words what is with a card just now."""
    found = [Text("locked")] if played.locked else []
    if played.place == "laid":
        found.append(say("to be placed"))
    found += [_attacking(state, attack) for attack in state.attacks if attack.unit == played.id]
    for attack in state.attacks:
        if played.id in attack.blockers and (blocked := state.find(attack.unit)) is not None:
            found.append(say("blocks {unit}", unit=speech.card(state, blocked)))
    if played.markers:
        found.append(say("entrenched × {count}", count=played.markers) if played.markers > 1 else say("entrenched"))
    found += [speech.code(state, played.seat, code) for code in played.upgrades]
    return tuple(found)


def _attacking(state: State, attack: Attack) -> Text:
    target = state.find(attack.target)
    struck_down = target is None and attack.target not in ("hand", "depot", damage.NOTHING)
    if attack.blockers or attack.target is None or struck_down:
        return say("attacks the base") if attack.base else say("attacks")
    name = speech.card(state, target) if target is not None else damage.named(state, attack.target)
    return say("at {target}", target=name)


def _hint(state: State, played: Played) -> Text | None:
    """Say what is written on a card and on its upgrades."""
    card = state.card(played)
    parts = [*written(card), *(speech.does(one.text) for one in state.upgrades(played) if one.text)]
    return listed(parts, NOTHING) if parts else None


def reads(card: DepotCard) -> Text:
    """Say in a line what a card of the hand is: what it costs, its numbers, its text."""
    sort = Text(card.category) if isinstance(card, UnitCard) else Text(card.kind)
    return listed([*speech.cost(card), sort, *numbers(card), *written(card)], NOTHING)


def tableau(state: State, seat: Seat | None) -> tuple[Tableau, ...]:
    """Show what lies on the table, a player's own cards nearest; nothing before there are territories."""
    if not state.territories:
        return ()
    near = seat or "red"
    far = other(near)
    territories = tuple(_territory(state, one, near) for one in state.open)
    conquered = tuple(_conquered(state, one) for one in state.territories if one.conqueror is not None)
    folded = seat is not None
    rows: tuple[tuple[Zone, ...], ...] = (
        _laid(state, seat) if seat else (),
        (_base(state, far, folded=folded), _deployment(state, far, folded=folded)),
        territories,
        (_deployment(state, near), _base(state, near)),
    )
    rows = (*rows, conquered) if conquered else rows
    return (Tableau(say("The table"), tuple(row for row in rows if row), LEGEND),)


def _base(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    ta = sum(state.ta(card) for card in state.of(seat) if not card.locked)
    points = say("{have} / {most} VP", have=state.victory_points(seat), most=state.options.to_win)
    return Zone(
        f"base.{seat}",
        say("Base area"),
        _pieces(state, seat, "base"),
        seat,
        glyph="factory",
        value=say("{count} TA", count=ta),
        note=points,
        folded=folded,
    )


def _deployment(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    pieces = (*_pieces(state, seat, "deployment"), *_pieces(state, seat, "laid"))
    return Zone(
        f"deployment.{seat}", say("Deployment area"), pieces, seat, hidden=len(state.plan(seat).laid), folded=folded
    )


def _laid(state: State, seat: Seat) -> tuple[Zone, ...]:
    """Show a player what he has laid face down himself (HW-43)."""
    plan = state.plan(seat)
    if not plan.laid:
        return ()
    pieces = tuple(face_down(state, seat, laid) for laid in plan.laid)
    cost = sum(cost_of(state, seat, laid.code) for laid in plan.laid)
    return (
        Zone(
            "laid",
            say("Face down"),
            pieces,
            seat,
            note=say("only you see what it is"),
            value=say("{count} TA", count=cost),
        ),
    )


def _pieces(state: State, seat: Seat, place: str) -> tuple[Piece, ...]:
    return tuple(piece(state, card) for card in state.of(seat, place))


def _territory(state: State, one: Territory, near: Seat) -> Zone:
    pieces = (*_pieces(state, near, one.id), *_pieces(state, other(near), one.id))
    found = conquest.contest_in(state, one)
    land = state.land(one)
    note = say("{count} flag needed|{count} flags needed", count=found.needed)
    if land.text:
        note = say("{one}, {two}", one=note, two=speech.does(land.text))
    return Zone(
        one.id,
        speech.territory(state, one),
        pieces,
        glyph="flag",
        note=note,
        value=say("{count} VP", count=land.victory_points),
        contest=_contest(found, near),
    )


def _conquered(state: State, one: Territory) -> Zone:
    pieces = tuple(piece(state, card) for card in state.cards if card.place == one.id)
    name = say("{territory}: conquered", territory=speech.territory(state, one))
    return Zone(
        one.id,
        name,
        pieces,
        str(one.conqueror),
        glyph="flag",
        value=say("{count} VP", count=state.land(one).victory_points),
        folded=True,
    )


def _contest(found: contests.Contest, near: Seat) -> Contest:
    """Draw who leads, by how much, and what would flip it: the player's own side on the left."""
    far = other(near)
    return Contest(
        ((near, found.totals[near]), (far, found.totals[far])),
        found.needed,
        _says(found),
        (*_flips(found), *_locked(found, near)),
        (found.locked[near], found.locked[far]),
    )


def _says(found: contests.Contest) -> Text:
    if found.leader is None:
        return say("Level.")
    side = Text(found.leader)
    if found.conqueror is not None:
        return say("{side} conquers: ahead by {count}.", side=side, count=found.difference)
    if found.enough:
        return say("{side} is ahead by {count}, but has not the flags to occupy it.", side=side, count=found.difference)
    return say("{side} is ahead by {count}.", side=side, count=found.difference)


def _flips(found: contests.Contest) -> tuple[Text, ...]:
    """Say what would change who leads or who conquers, in flags."""
    if found.leader is None:
        return (
            say(
                "Whoever gets {count} flag more conquers it.|Whoever gets {count} flags more conquers it.",
                count=found.needed,
            ),
        )
    leader, behind = found.leader, other(found.leader)
    if found.conqueror is not None:
        return (say("{side}: +{count} stops it.", side=Text(behind), count=found.to_stop(behind)),)
    said = []
    if not found.enough:
        said.append(say("{side}: +{count} conquers.", side=Text(leader), count=found.to_conquer(leader)))
    said.append(
        say(
            "{side}: +{lead} takes the lead, +{count} conquers.",
            side=Text(behind),
            lead=found.to_lead(behind),
            count=found.to_conquer(behind),
        )
    )
    return tuple(said)


def _locked(found: contests.Contest, near: Seat) -> tuple[Text, ...]:
    """Say which flags do not count because their cards are locked (HW-88)."""
    order = (near, other(near))
    if not any(found.locked[seat] for seat in SEATS):
        return ()
    parts = [say("{side} {count}", side=Text(seat), count=found.locked[seat]) for seat in order if found.locked[seat]]
    both = parts[0] if len(parts) == 1 else say("{one}, {two}", one=parts[0], two=parts[1])
    return (say("Locked: {flags}.", flags=both),)

"""A card as it is shown: its picture, its numbers, and what is on it (HW-02, HW-34)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import aims, speech
from companion.games.history_of_war.cards import (
    CATEGORIES,
    BaseCard,
    Category,
    Fielded,
    UnitCard,
    kind_of,
)
from companion.games.history_of_war.describing import NOTHING, numbers, written
from companion.games.history_of_war.describing import cost as cost_of
from companion.kit.panels import Piece, Stat
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import DepotCard
    from companion.games.history_of_war.pieces import Attack, Laid, Played
    from companion.games.history_of_war.sides import Seat
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
    return UNITS[card.category] if isinstance(card, UnitCard) else GLYPHS[kind_of(card)]


def cost(state: State, seat: Seat, code: str) -> int:
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
    badges = [say("{count} TA", count=cost(state, seat, laid.code))]
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
    struck_down = target is None and attack.target not in ("hand", "depot", aims.NOTHING)
    if attack.blockers or attack.target is None or struck_down:
        return say("attacks the base") if attack.base else say("attacks")
    name = speech.card(state, target) if target is not None else aims.named(state, attack.target)
    return say("at {target}", target=name)


def _hint(state: State, played: Played) -> Text | None:
    """Say what is written on a card and on its upgrades."""
    card = state.card(played)
    parts = [*written(card), *(speech.does(one.text) for one in state.upgrades(played) if one.text)]
    return listed(parts, NOTHING) if parts else None


def reads(card: DepotCard) -> Text:
    """Say in a line what a card of the hand is: what it costs, its numbers, its text."""
    sort = Text(card.category) if isinstance(card, UnitCard) else Text(kind_of(card))
    return listed([*cost_of(card), sort, *numbers(card), *written(card)], NOTHING)

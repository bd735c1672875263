"""Who meets whom in a shot, an assault and in the air: what everybody sees of them, as the table draws them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.tactics_2gm import shooting, speech
from companion.games.tactics_2gm.cards import SupportCard, UnitCard
from companion.games.tactics_2gm.options import Seat
from companion.games.tactics_2gm.shooting import FACES, Shot
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Ground, Headquarters, State, Targeted, Unit
from companion.kit.asking import Ask
from companion.kit.clash import Clash, Combatant, Way
from companion.kit.counts import number, or_more
from companion.kit.text import Text, say

Stats = tuple[tuple[str, Text], ...]

GLYPHS = {"tank": "tank", "transport": "truck", "artillery": "gun", "aircraft": "plane"}
INFANTRY = {"heavy_infantry": "heavy", "special_unit": "special", "command_group": "command"}
BUILT = {"wall": "wall", "barrier": "fence", "trench": "trench"}


def glyph(card: UnitCard) -> str:
    """Name the sign of a unit card: its own, where somebody chose one."""
    if card.glyph:
        return card.glyph
    if card.subtype == "bomber":
        return "bomb"
    if card.paratrooper:
        return "parachute"
    if card.family == "infantry":
        return INFANTRY.get(card.subtype or "", "infantry")
    return GLYPHS[card.family]


def built(state: State, ground: Ground) -> str:
    """Name the picture of a terrain card on the battlefield."""
    card = state.terrain(ground)
    return "ruin" if ground.ruin else "house" if card.building else BUILT.get(card.name, "wall")


def impact(pi: int, most: int) -> Text:
    """Say how many impact points something has left, of those it began with."""
    return say("{pi} of {most} PI", pi=pi, most=most)


def clash(
    state: State, by: Unit, target: Targeted, *shots: Shot, way: Way = "shot", cancels: tuple[Text, ...] = ()
) -> Clash:
    """Say who meets whom with those shots; numbers to fight with stand there where it is one."""
    numbers, plates = (_numbers(shots[0]), _plates(shots[0])) if len(shots) == 1 else ((), ())
    vain = _vain(shots[0]) if len(shots) == 1 else ()
    return Clash(way, combatant(state, by, numbers), combatant(state, target, plates), (*cancels, *vain))


def played(state: State, seat: Seat, card: SupportCard, target: Unit) -> Clash:
    """Say which card harms which unit: it stands where a unit would (G2-18)."""
    harm = ("bomb", say("{count}", count=card.harm))
    return Clash(
        "shot",
        Combatant("card", seat, called(card.name), card.glyph or "bomb", stats=(harm,), photo=card.picture),
        combatant(state, target),
    )


def combatant(state: State, piece: Targeted, stats: Stats = ()) -> Combatant:
    """Show a unit, a headquarters or a building as it stands there."""
    match piece:
        case Unit():
            card, (kind, name) = state.card(piece), _stands_in(state, piece)
            what, picture = speech.card(state, piece), glyph(card)
            where = (piece.square, kind, name, piece.wounds, card.wounds)
            return Combatant(piece.id, piece.seat, what, picture, *where, stats, card.picture)
        case Headquarters():
            what, left = _headquarters(state, piece), impact(piece.pi, piece.card.pi)
            return Combatant(piece.id, state.leader(piece.side), what, "flag", note=left, stats=stats)
        case Ground():
            terrain, inside = state.terrain(piece), state.occupant(piece)
            # A building is whose unit is inside, whoever laid it.
            side, left = inside.seat if inside else "", impact(piece.pi, terrain.pi)
            picture = built(state, piece)
            return Combatant(piece.id, side, called(terrain.name), picture, piece.square, note=left, stats=stats)


def _headquarters(state: State, hq: Headquarters) -> Text:
    if state.options.two_copies:
        return say("Headquarters {number}", number=str(hq.board + 1))
    return say("Headquarters")


def _stands_in(state: State, unit: Unit) -> tuple[str, Text | None]:
    """Return the picture of what a unit stands in and its name: a terrain card goes before a natural feature."""
    if (ground := state.ground_of(unit)) is not None:
        return built(state, ground), Text("ruin") if ground.ruin else called(state.terrain(ground).name)
    natural = state.natural.get(unit.square) if unit.square is not None else None
    return (natural.feature, Text(natural.feature)) if natural is not None else ("", None)


def _numbers(shot: Shot) -> Stats:
    """List what a weapon takes and does in this shot; only a unit suffers criticals (G2-33, G2-134)."""
    need, weapon = shooting.numbers(shot), shot.weapon
    critical = (("skull", or_more(need.crit_on, FACES)),) if shot.target == "unit" else ()
    does = (("bolt", number(weapon.penetration)), ("hearts", number(weapon.damage)))
    return (("die", or_more(need.hit_on, FACES)), *critical, *does)


def _plates(shot: Shot) -> Stats:
    return (("shield", number(shooting.armour(shot))),)


def _vain(shot: Shot) -> tuple[Text, ...]:
    """Say why a shot does nothing whatever is thrown; nothing where some face does harm."""
    if shooting.numbers(shot).hit_on > FACES:
        return (shooting.hits_on(shot).text,)
    return () if shooting.goes_through(shot) else (shooting.penetrates(shot).text,)


def under_way(ask: Ask, meets: Clash) -> bool:
    """Tell whether the newest clash is between the same two, with the same that may save the one that is struck."""
    newest = next((reason.clash for reason in reversed(ask.reasons) if reason.clash is not None), None)
    return newest is not None and _who(newest) == _who(meets)


def _who(meets: Clash) -> tuple[str, str | None, Sequence[Text]]:
    return meets.by.id, meets.against.id if meets.against else None, meets.cancels

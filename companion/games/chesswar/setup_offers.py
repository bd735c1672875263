"""What a seat may do before the first turn: choose, raise, deploy and rearrange an army (CW-11 to CW-23)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import raising, speech
from companion.games.chesswar.armies import ARMIES, BOUGHT, Army
from companion.games.chesswar.deployment import may_redeploy
from companion.games.chesswar.sides import grid, home
from companion.games.chesswar.speech import name
from companion.kit.asking import Option
from companion.kit.offer import Budget, Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.chesswar.options import Options
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State

SURRENDER = Offer(
    "surrender", say("Surrender"), grave=True, clause="CW-164", asks=say("Do you surrender?"), button=say("I surrender")
)
TO_SQUARE = say("To square")


def squares(names: Iterable[str]) -> tuple[Option, ...]:
    """Make options of squares."""
    return tuple(Option(square, say("{square}", square=square), place=square) for square in names)


def before(state: State, side: Side) -> list[Offer]:
    """Offer to choose, raise and deploy an army (CW-11 to CW-20)."""
    if side in state.ready:
        return _terrain(state)
    if state.phase == "choosing":
        if side in state.armies:
            return []
        armies = tuple(
            Option(army.id, Text(army.id), note=_about(state.options, army), sheet=army.id) for army in ARMIES.values()
        )
        return [
            Offer(
                "choose_army",
                say("Choose my army"),
                fields=(Field("army", say("Army"), "choice", armies),),
                main=True,
                clause="CW-11",
            )
        ]
    mine = [unit for unit in state.units if unit.side == side]
    found = _raise_offers(state, side, raised=bool(mine))
    if mine:
        found.append(_ready(state, say("Ready: my army is deployed"), "CW-20", raising.spend_hint(state, side)))
        found += _deploy(state, side)
    return [*found, *_terrain(state), *_surrender_early(state)]


def _surrender_early(state: State) -> list[Offer]:
    return [SURRENDER] if len(state.sides) == 2 else []


def _about(options: Options, army: Army) -> Text:
    """Say in two sentences what an army is like, and what it can buy for how much."""
    units = speech.listed(tuple(Text(kind.id) for kind in army.unit if not kind.general))
    return say(
        "{about} {points} points: {units}.",
        about=Text(f"about.{army.id}"),
        points=raising.budget(options, army),
        units=units,
    )


def _raise_offers(state: State, side: Side, *, raised: bool) -> list[Offer]:
    known = state.armies.get(side)
    armies = [ARMIES[known]] if state.options.race == "declared" and known else list(ARMIES.values())
    label = say("Change my army") if raised else say("Raise my army")
    have = raising.bought(state, side)
    among = Field("army", say("Army"), "choice", tuple(Option(army.id, Text(army.id)) for army in armies))
    found = []
    for army in armies:
        fields = tuple(
            Field(
                piece,
                Text(kind.id),
                "number",
                value=have[piece] if army.id == known else 0,
                high=kind.max * raising.times(state.options),
                cost=kind.cost,
                hint=does(army, piece),
            )
            for piece in BOUGHT
            if (kind := army.of(piece)) is not None
        )
        found.append(
            Offer(
                "raise_army",
                label,
                {"army": army.id},
                fields,
                main=not raised,
                clause="CW-14",
                budget=Budget(raising.budget(state.options, army), say("Army")),
                keeps="army",
                among=_filled(among, army) if len(armies) > 1 else None,
                sheet=army.id,
                advice=(_general(state.options, army),),
            )
        )
    return found


def _general(options: Options, army: Army) -> Reason:
    """Say what the general can do, who comes with every army (CW-13, CW-180)."""
    general, does = Text(army.general.id), Text(f"does.{army.general.id}")
    if raising.times(options) > 1:
        return Reason(say("Two generals, free: {general}. {does}.", general=general, does=does), "CW-180")
    return Reason(say("{general}, free. {does}.", general=general, does=does), "CW-13")


def _filled(among: Field, army: Army) -> Field:
    return Field(among.name, among.label, among.kind, among.options, army.id, hint=Text(f"about.{army.id}"))


def does(army: Army, piece: str) -> Text | None:
    """Say in a line what a unit can do."""
    kind = army.of(piece)
    return Text(f"does.{kind.id}") if kind else None


def _deploy(state: State, side: Side) -> list[Offer]:
    if not state.mirrored:
        return []
    where = home(state.options, side)
    return [
        Offer(
            "deploy",
            say("Place: {unit}", unit=name(state, unit)),
            {"unit": unit.id},
            (Field("to", TO_SQUARE, "choice", squares(square for square in where if square != unit.square)),),
            on=unit.id,
            clause="CW-19",
        )
        for unit in state.standing(side)
    ]


def _terrain(state: State) -> list[Offer]:
    if not state.options.terrain or not state.mirrored:
        return []
    board = squares(grid(state.options).squares())
    kinds = tuple(Option(kind, Text(kind)) for kind in ("forest", "hill", "open"))
    fields = (Field("kind", say("Terrain"), "choice", kinds), Field("to", TO_SQUARE, "choice", board))
    return [Offer("place_terrain", say("Place terrain"), fields=fields, clause="CW-168")]


def redeploying(state: State, side: Side) -> list[Offer]:
    """Offer to rearrange an army that does not move first (CW-23)."""
    if not may_redeploy(state, side):
        return []
    ready = _ready(state, say("Ready: I keep this position"), "CW-23")
    return [ready, *_deploy(state, side), *_surrender_early(state)]


def _ready(state: State, label: Text, clause: str, advice: tuple[Reason, ...] = ()) -> Offer:
    return Offer("ready", label, {"phase": state.phase}, main=True, clause=clause, advice=advice)

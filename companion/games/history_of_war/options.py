"""What a table may agree on before it starts: cards, victory points, and the rulings on unclear points."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.kit.forms import seldom
from companion.kit.text import numbered

TO_WIN = 15
"""Victory points that win, as printed (HW-01, HW-100)."""


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the players agreed on; the defaults are the printed rules and the rulings adopted."""

    cards: Annotated[
        Literal["companion", "real"],
        Meta(
            title="The cards",
            description="Companion shuffles and deals: hands are on the phones. "
            "Real cards: you shuffle and hold them; Companion keeps what lies on the table, and you say which you "
            "play.",
        ),
    ] = "companion"
    to_win: Annotated[
        int,
        Meta(
            title="Victory points to win",
            description=numbered("[to_win] is the printed number.", to_win=TO_WIN).say,
            ge=1,
            le=60,
        ),
    ] = TO_WIN
    step_by_step: Annotated[
        bool,
        Meta(
            title="Step by step",
            description="Every phase waits for both players, as is advised for first games. "
            "Otherwise phases in which nobody can do what they are for pass by themselves; who wants to play an action "
            "card in one of those taps “Stop at every phase”.",
        ),
    ] = False
    mulligan: Annotated[
        Literal["any", "strict"],
        seldom(
            "Another first hand",
            "Once, for any reason; or only with fewer than two base expansions.",
            any="For any reason",
            strict="With fewer than two base expansions",
        ),
    ] = "any"
    territory_to_territory: Annotated[
        bool, seldom("From territory to territory", "Units may also deploy from one territory to another.")
    ] = False
    base_attack_from_deployment: Annotated[
        bool, seldom("Base attacks from the deployment area", "A unit need not be in a territory for a base attack.")
    ] = False
    unblocked_split: Annotated[
        bool,
        seldom("Unblocked damage is shared out", "An unblocked attacker may share its damage out among several cards."),
    ] = False
    base_attack_effect: Annotated[
        Literal["sample", "manual"],
        seldom(
            "What a base attack does",
            "Its rules are not printed. Ours: a base expansion, a random card of the hand or the top card "
            "of the depot. By hand: the table says what comes of it.",
            sample="Our ruling",
            manual="By hand",
        ),
    ] = "sample"
    developments_occupy: Annotated[
        bool, seldom("Developments occupy", "Flags of developments count for the occupation of a territory too.")
    ] = False
    tie_at_15: Annotated[
        Literal["draw", "play_on"],
        seldom(
            "Both win with as many points",
            "When both reach the victory points in one round with equal totals.",
            draw="A draw",
            play_on="Play on",
        ),
    ] = "draw"
    no_territory_left: Annotated[
        Literal["compare", "add_one_each"],
        seldom(
            "No territory left",
            "When all territories are conquered and nobody has won.",
            compare="More points win",
            add_one_each="Each adds another territory",
        ),
    ] = "compare"
    entrench_stack: Annotated[
        bool, seldom("Entrenchment markers add up", "A card with a marker gets another at the end of each round.")
    ] = False

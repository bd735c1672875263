"""The player aid: everything that both players want at hand, on one side of one sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import groupby

from companion.games.two_cities.combat import Facts, melee_terms, range_terms, shot_terms, total
from companion.games.two_cities.components import (
    BLACK,
    CARDS,
    KINDS,
    LAYOUT,
    SPECIALS,
    WHITE,
    Cover,
    UnitKind,
    card_does,
    card_face,
)
from companion.games.two_cities.fight import groups_alike
from companion.games.two_cities.state import Mode
from companion.kit import counts
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

NONE = say("–")


def aid() -> tuple[Sheet, ...]:
    """Put everything on one side of one sheet of paper."""
    parts = (
        _units(),
        _start(),
        Listing(title=say("The turn"), quotes=("TTC-17", "TTC-38", "TTC-77", "TTC-68")),
        _sector_cards(),
        _special_cards(),
        _reinforcements(),
        Listing(title=say("Movement"), quotes=("TTC-71", "TTC-72", "TTC-73")),
        _dice(),
        _ground(),
        Listing(title=say("Shooting"), quotes=("TTC-78", "TTC-93", "TTC-94", "TTC-95", "TTC-97", "TTC-98")),
        Listing(title=say("Protection"), quotes=("TTC-102", "TTC-103", "TTC-106")),
        Listing(title=say("Retreat"), quotes=("TTC-110", "TTC-112", "TTC-113", "TTC-116", "TTC-117")),
        Listing(title=say("Evasion"), quotes=("TTC-118", "TTC-121", "TTC-123", "TTC-124", "TTC-125", "TTC-126")),
        Listing(title=say("Victory"), quotes=("TTC-128",)),
    )
    return (Sheet(id="all", title=say("Units, cards, turn and combat"), listing=parts),)


def _units() -> Listing:
    columns = (
        Text("unit"),
        say("Strength"),
        say("Movement"),
        say("Range"),
        say("Dice still"),
        say("Dice moved"),
        say("Melee"),
    )
    return Listing(title=Text("units"), columns=columns, line=tuple(map(_unit, KINDS.values())), clause="TTC-03")


def _unit(kind: UnitKind) -> Line:
    numbers = (kind.movement, kind.range, kind.ranged_stationary, kind.ranged_moved, kind.melee)
    cells = (
        Text(f"short_{kind.id}"),
        counts.number(kind.strength),
        *(counts.number(n) if n else NONE for n in numbers),
    )
    return Line(cells=cells, piece=kind.piece)


def _start() -> Listing:
    """Show on which file each unit starts; sides that start alike share a row."""
    orders = ((WHITE, tuple(LAYOUT.white.values())), (BLACK, tuple(LAYOUT.black.values())))
    lines = (
        Line(cells=(_in_a_row([Text(side) for side, _ in alike]), *(Text(f"short_{kind}") for kind in kinds)))
        for kinds, alike in groupby(orders, key=lambda order: order[1])
    )
    files = (Text(square[0]) for square in LAYOUT.white)
    return Listing(
        title=say("Starting position"),
        columns=(say("File"), *files),
        line=tuple(lines),
        clause="TTC-09",
        quotes=("TTC-11",),
    )


def _cards(title: Text, lines: Iterable[Line], clause: str, quotes: tuple[str, ...]) -> Listing:
    columns = (Text("card"), say("What it does"))
    return Listing(title=title, columns=columns, line=tuple(lines), clause=clause, quotes=quotes)


def _sector_cards() -> Listing:
    sectors = [card for card in CARDS.values() if card.card_class == "sector"]
    lines = (
        Line(cells=(_in_a_row([Text(f"face.{card.code}") for card in alike]), card_does(alike[0].code)))
        for _, group in groupby(sectors, key=lambda card: card.clause)
        for alike in [list(group)]
    )
    return _cards(say("Sector cards"), lines, "TTC-26", ("TTC-27",))


def _special_cards() -> Listing:
    lines = (Line(cells=(card_face(code), card_does(code))) for code in SPECIALS)
    return _cards(say("Special cards"), lines, "TTC-40", ("TTC-54",))


def _reinforcements() -> Listing:
    bought = (code for code, card in CARDS.items() if card.buys is not None)
    lines = (Line(cells=(Text(f"face.{code}"), card_does(code))) for code in bought)
    return _cards(say("Reinforcements"), lines, "TTC-59", ("TTC-62", "TTC-63"))


def _in_a_row(words: list[Text]) -> Text:
    return reduce(lambda row, word: say("{row} {word}", row=row, word=word), words)


def _dice() -> Listing:
    lines = (
        Line(cells=(_faces(list(alike)), *effects))
        for effects, alike in groupby(range(1, 7), key=lambda face: (_effect(face, "melee"), _effect(face, "ranged")))
    )
    columns = (say("Die"), say("Melee"), say("Shot"))
    return Listing(title=say("Combat dice"), columns=columns, line=tuple(lines), clause="TTC-81")


def _faces(faces: list[int]) -> Text:
    if len(faces) == 1:
        return counts.number(faces[0])
    return say("{least} to {most}", least=faces[0], most=faces[-1])


def _effect(face: int, mode: Mode) -> Text:
    """Say what a face does, as the rule groups them."""
    struck, _, driven = groups_alike(Facts(mode=mode, attacker="archers", target="archers"), evaded=False)
    return Text("hit") if face in struck else Text("retreat_hit") if face in driven else NONE


def _ground() -> Listing:
    columns = (say("The attacker stands in"), say("Melee dice"), say("Shooting dice"), say("Range"))
    return Listing(title=say("Terrain"), columns=columns, line=tuple(_added()), clause="TTC-90", quotes=("TTC-51",))


def _added() -> Iterator[Line]:
    grounds: tuple[Cover, ...] = ("forest", "hill")
    for ground in grounds:
        melee, shot = (
            Facts(mode=mode, attacker="archers", target="archers", attacker_terrain=ground)
            for mode in ("melee", "ranged")
        )
        terms = melee_terms(melee), shot_terms(shot), range_terms(shot)
        yield Line(cells=(Text(f"the_{ground}"), *map(_sum_added, terms)))


def _sum_added(terms: tuple[Reason, ...]) -> Text:
    added = total(terms[1:])
    return counts.signed(added) if added else NONE

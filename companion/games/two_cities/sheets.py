"""The player aid: everything that both players want at hand, on one side of one sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import groupby

from companion.games.two_cities.combat import Facts, melee_terms, range_terms, shot_terms
from companion.games.two_cities.components import BLACK, CARDS, KINDS, LAYOUT, SPECIALS, WHITE, Cover, UnitKind
from companion.games.two_cities.fight import groups_alike
from companion.games.two_cities.state import Mode
from companion.kit import counts
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.ruling import total
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
    dice = (say("Dice still"), say("Dice moved"), say("Melee"))
    columns = (Text("unit"), say("Strength"), say("Movement"), say("Range"), *dice)
    return Listing(title=Text("units"), columns=columns, line=tuple(map(_unit, KINDS.values())), clause="TTC-03")


def _unit(kind: UnitKind) -> Line:
    dice = (kind.ranged_stationary, kind.ranged_moved, kind.melee)
    numbers = [counts.number(n) if n else NONE for n in (kind.strength, kind.movement, kind.range, *dice)]
    return Line(cells=(Text(f"short_{kind.id}"), *numbers), piece=kind.piece)


def _start() -> Listing:
    """Show on which file each unit starts; sides that start alike share a row."""
    orders = ((WHITE, tuple(LAYOUT.white.values())), (BLACK, tuple(LAYOUT.black.values())))
    lines = (
        Line(cells=(_in_a_row([Text(side) for side, _ in alike]), *(Text(f"short_{kind}") for kind in kinds)))
        for kinds, alike in groupby(orders, key=lambda order: order[1])
    )
    columns, quotes = (say("File"), *(Text(square[0]) for square in LAYOUT.white)), ("TTC-11",)
    return Listing(title=say("Starting position"), columns=columns, line=tuple(lines), clause="TTC-09", quotes=quotes)


def _cards(title: Text, lines: Iterable[Line], clause: str, quotes: tuple[str, ...]) -> Listing:
    columns = (Text("card"), say("What it does"))
    return Listing(title=title, columns=columns, line=tuple(lines), clause=clause, quotes=quotes)


def _sector_cards() -> Listing:
    sectors = [card for card in CARDS.values() if card.card_class == "sector"]
    alike = (list(group) for _, group in groupby(sectors, key=lambda card: card.clause))
    lines = (
        Line(cells=(_in_a_row([Text(f"face.{card.code}") for card in cards]), Text(f"does.{cards[0].code}")))
        for cards in alike
    )
    return _cards(say("Sector cards"), lines, "TTC-26", ("TTC-27",))


def _special_cards() -> Listing:
    lines = (Line(cells=(Text(code), Text(f"does.{code}"))) for code in SPECIALS)
    return _cards(say("Special cards"), lines, "TTC-40", ("TTC-54",))


def _reinforcements() -> Listing:
    bought = (code for code, card in CARDS.items() if card.buys is not None)
    lines = (Line(cells=(Text(f"face.{code}"), Text(f"does.{code}"))) for code in bought)
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
    least, most = faces[0], faces[-1]
    return counts.number(least) if least == most else say("{least} to {most}", least=least, most=most)


def _effect(face: int, mode: Mode) -> Text:
    struck, _, driven = groups_alike(Facts(mode=mode, attacker="archers", target="archers"), evaded=False)
    return Text("hit") if face in struck else Text("retreat_hit") if face in driven else NONE


def _ground() -> Listing:
    columns = (say("The attacker stands in"), say("Melee dice"), say("Shooting dice"), say("Range"))
    grounds: tuple[Cover, ...] = ("forest", "hill")
    lines = tuple(Line(cells=(Text(f"the_{ground}"), *_added(ground))) for ground in grounds)
    return Listing(title=say("Terrain"), columns=columns, line=lines, clause="TTC-90", quotes=("TTC-51",))


def _added(ground: Cover) -> Iterator[Text]:
    facts = Facts(mode="melee", attacker="archers", target="archers", attacker_terrain=ground)
    for terms in (melee_terms(facts), shot_terms(facts), range_terms(facts)):
        added = total(terms[1:])
        yield counts.signed(added) if added else NONE

"""The five rows of cards between the players, and the flag board (HW-02, HW-16 to HW-19, HW-34, HW-88 to HW-91)."""

from __future__ import annotations

from companion.games.history_of_war import construction, contests, damage, speech
from companion.games.history_of_war.card_corrections import MOST_MARKERS
from companion.games.history_of_war.cards import (
    ActionCard,
    BaseCard,
    Card,
    DepotCard,
    Fielded,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.conquest import contest_in
from companion.games.history_of_war.figures import SIGNS, YIELDS, glyph, stats, suffered
from companion.games.history_of_war.pieces import Attack, Laid, Played, Seat, Territory, other
from companion.games.history_of_war.speech import NOTHING, numbers, written
from companion.games.history_of_war.state import State
from companion.kit.card_numbers import CardNumbers
from companion.kit.contest import Contest
from companion.kit.counts import number
from companion.kit.once import once
from companion.kit.panels import Picture, Piece, PieceCorrections, Stat, Tableau, Weapon, Zone
from companion.kit.ruling import Reason, changed, total
from companion.kit.text import Text, listed, say, with_sign

LEGEND: tuple[tuple[str, Text], ...] = (
    ("flag", Text("flags")),
    ("tank", Text("av_ground")),
    ("plane", Text("av_air")),
    ("anchor", Text("av_naval")),
    ("shield", Text("dv")),
    (YIELDS, Text("ta_provided")),
    ("lock", Text("locked")),
)
POINTS = "command"
"""The sign of the victory points that a territory is worth."""
NUMBERS = CardNumbers("flag", "shield", tuple(SIGNS.values()))
"""Where a card has its flags, its defence and its attack values (HW-02)."""


@once
def piece(state: State, played: Played) -> Piece:
    """Show a card in play: locked ones lie on their side (HW-33, HW-34)."""
    card, dv = state.card(played), state.dv(played) or 0
    says = [*written(card), *(speech.does(upgrade.text) for upgrade in state.upgrades(played) if upgrade.text)]
    return Piece(
        played.id,
        played.seat,
        glyph(card),
        speech.card(state, played),
        hits=played.damage,
        strength=dv,
        badges=_badges(state, played),
        spent=played.locked,
        down=played.locked,
        signs=("lock",) if played.locked else (),
        hint=listed(says, NOTHING) if says else None,
        suffered=suffered(state, played),
        stats=stats(state, played),
        now=_now(state, played),
        weapons=_weapons(state, played),
        corrections=_corrections(state, played),
        photo=card.picture,
    )


def _corrections(state: State, played: Played) -> PieceCorrections | None:
    """Let damage be corrected in the phases in which it counts."""
    if not state.begun or state.phase not in damage.PHASES or played not in state.of(played.seat):
        return None
    return PieceCorrections(f"card.{played.id}.damage", played.damage, most=max(MOST_MARKERS, played.damage))


def face_down(state: State, seat: Seat, laid: Laid) -> Piece:
    """Show its owner a card that lies face down (HW-43)."""
    card, name = state.find_card(seat, laid.code), speech.code(state, seat, laid.code)
    badges = speech.cost(card) if card else []
    if (unit := state.find(laid.unit)) is not None:
        badges.append(say("for {unit}", unit=speech.card(state, unit)))
    if card is None:
        return Piece(laid.code, seat, "cards", name, badges=tuple(badges))
    return Piece(laid.code, seat, glyph(card), name, badges=tuple(badges), photo=card.picture)


def _weapons(state: State, played: Played) -> tuple[Weapon, ...]:
    """List the attack values of a card as they are now; those it has blocked or responded with are used (HW-72)."""
    used = say("used in this round")
    return tuple(
        Weapon(
            Text(f"av_{category}"),
            (Stat("fight", number(value), say("Value"), _terms(state, played, f"av_{category}", printed, value)),),
            spent=category in played.used,
            why=used if category in played.used else None,
        )
        for category, value in state.values(played).items()
        for printed in (state.printed(played, category) or 0,)
    )


def _now(state: State, played: Played) -> tuple[Reason, ...]:
    """List a card's flags and defence where upgrades or people change them (HW-10)."""
    flags = _terms(state, played, "flags", state.printed_flags(played), state.flags(played))
    defence = _terms(state, played, "dv", state.printed_dv(played) or 0, state.dv(played) or 0)
    return (*changed(Text("flags"), flags), *changed(Text("dv"), defence))


def _terms(state: State, played: Played, name: str, printed: int, now: int) -> tuple[Reason, ...]:
    """List what a value that is not the printed one is made of."""
    if now == printed:
        return ()
    by_hand = say("changed by hand")
    terms = [Reason(say("on its card"), None, printed)]
    for upgrade, by in state.added(played, name):
        terms.append(Reason(speech.called(upgrade.name), "HW-10", by) if upgrade else Reason(by_hand, None, by))
    if missing := now - total(terms):
        terms.append(Reason(say("never below 0"), None, missing))
    return tuple(terms)


def _badges(state: State, played: Played) -> tuple[Text, ...]:
    badges = [Text("locked")] if played.locked else []
    if played.place == "laid":
        badges.append(say("to be placed"))
    badges += [_attacking(state, attack) for attack in state.attacks if attack.unit == played.id]
    for attack in state.attacks:
        if played.id in attack.blockers and (blocked := state.find(attack.unit)) is not None:
            badges.append(say("blocks {unit}", unit=speech.card(state, blocked)))
    if played.markers:
        badges.append(say("entrenched × {count}", count=played.markers) if played.markers > 1 else say("entrenched"))
    badges += [speech.code(state, played.seat, code) for code in played.upgrades]
    return tuple(badges)


def _attacking(state: State, attack: Attack) -> Text:
    target = state.find(attack.target)
    struck_down = target is None and attack.target not in ("hand", "depot", damage.NOTHING)
    if attack.blockers or attack.target is None or struck_down:
        return say("attacks the base") if attack.base else say("attacks")
    name = speech.card(state, target) if target is not None else damage.named(state, attack.target)
    return say("at {target}", target=name)


def reads(card: DepotCard) -> Text:
    """Say in a line what a card of the hand is: what it costs, its numbers, its text."""
    sort = Text(card.category) if isinstance(card, UnitCard) else Text(card.kind)
    return listed([*speech.cost(card), sort, *numbers(card), *written(card)], NOTHING)


def picture(card: Card | None) -> Picture:
    """Draw what stands on a card: what it is and costs, and its numbers behind the same signs as in play."""
    if isinstance(card, TerritoryCard):
        of_land = (("flag", str(card.flags)), (POINTS, str(card.victory_points)))
        return Picture(glyphs=(card.glyph or "hill",), numbers=of_land, photo=card.picture)
    if not isinstance(card, DepotCard):
        return Picture(glyphs=("cards",))
    numbers: list[tuple[str, int | None]] = []
    if isinstance(card, Fielded | UpgradeCard):
        numbers = [("flag", card.flags), *((SIGNS[category], value) for category, value in card.av.items())]
    if not isinstance(card, ActionCard):
        numbers.append(("shield", card.dv))
    if isinstance(card, Fielded | BaseCard):
        numbers.append((YIELDS, card.ta_provided))
    said = with_sign if isinstance(card, UpgradeCard) else str
    printed = tuple((sign, said(count)) for sign, count in numbers if count)
    cost = "" if isinstance(card, BaseCard) else str(card.ta_cost)
    return Picture(glyphs=(glyph(card),), numbers=printed, corner=cost, photo=card.picture)


def tableau(state: State, seat: Seat | None) -> tuple[Tableau, ...]:
    """Show what lies on the table, a player's own cards nearest; nothing before there are territories."""
    if not state.territories:
        return ()
    near = seat or "red"
    far, folded = other(near), seat is not None
    rows: tuple[tuple[Zone, ...], ...] = (
        _laid(state, seat) if seat else (),
        (_base(state, far, folded=folded), _deployment(state, far, folded=folded)),
        tuple(_territory(state, territory, near, seat) for territory in state.open),
        (_deployment(state, near), _base(state, near)),
        tuple(_conquered(state, territory) for territory in state.territories if territory.conqueror is not None),
    )
    return (Tableau(say("The table"), tuple(row for row in rows if row), LEGEND, NUMBERS),)


def _base(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    pieces, name = _pieces(state, seat, "base"), say("Base area")
    value = say("{count} TA", count=sum(state.ta(card) for card in state.of(seat) if not card.locked))
    points = say("{have} / {most} VP", have=state.victory_points(seat), most=state.options.to_win)
    return Zone(f"base.{seat}", name, pieces, seat, glyph="factory", value=value, note=points, folded=folded)


def _deployment(state: State, seat: Seat, *, folded: bool = False) -> Zone:
    pieces = (*_pieces(state, seat, "deployment"), *_pieces(state, seat, "laid"))
    name, hidden = say("Deployment area"), len(state.plan(seat).laid)
    return Zone(f"deployment.{seat}", name, pieces, seat, hidden=hidden, folded=folded)


def _laid(state: State, seat: Seat) -> tuple[Zone, ...]:
    """Show a player what he has laid face down himself (HW-43)."""
    pieces = tuple(face_down(state, seat, laid) for laid in state.plan(seat).laid)
    if not pieces:
        return ()
    value = say("{count} TA", count=construction.cost(state, seat))
    return (Zone("laid", say("Face down"), pieces, seat, note=say("only you see what it is"), value=value),)


def _pieces(state: State, seat: Seat, place: str) -> tuple[Piece, ...]:
    return tuple(piece(state, card) for card in state.of(seat, place))


@once
def _territory(state: State, territory: Territory, near: Seat, seat: Seat | None) -> Zone:
    pieces = (*_pieces(state, near, territory.id), *_pieces(state, other(near), territory.id))
    contest, land = contest_in(state, territory), state.land(territory)
    note = say("{count} flag needed|{count} flags needed", count=contest.needed)
    if land.text:
        note = say("{one}, {two}", one=note, two=speech.does(land.text))
    name, value = speech.territory(state, territory), say("{count} VP", count=land.victory_points)
    drawn, bar = land.glyph or "flag", _contest(contest, near, seat)
    return Zone(territory.id, name, pieces, glyph=drawn, note=note, value=value, contest=bar, photo=land.picture)


def _conquered(state: State, territory: Territory) -> Zone:
    pieces = tuple(piece(state, card) for card in state.cards if card.place == territory.id)
    name, land = say("{territory}: conquered", territory=speech.territory(state, territory)), state.land(territory)
    value, drawn = say("{count} VP", count=land.victory_points), land.glyph or "flag"
    whose = territory.conqueror or ""
    return Zone(territory.id, name, pieces, whose, drawn, value, folded=True, photo=land.picture)


def _contest(contest: contests.Contest, near: Seat, seat: Seat | None) -> Contest:
    """Draw who leads, by how much, and what would flip it: the player's own side on the left."""
    far = other(near)
    return Contest(
        ((near, contest.totals[near]), (far, contest.totals[far])),
        contest.needed,
        _says(contest, seat),
        (*_flips(contest), *_locked(contest, near)),
        (contest.locked[near], contest.locked[far]),
    )


def _says(contest: contests.Contest, seat: Seat | None) -> Text:
    if contest.leader is None:
        return say("Level")
    side, ahead, own = Text(contest.leader), contest.difference, contest.leader == seat
    if contest.conqueror is not None:
        if own:
            return say("You conquer: ahead by {count}", count=ahead)
        return say("{side} conquers: ahead by {count}", side=side, count=ahead)
    if contest.enough:
        if own:
            return say("You lead by {count}, but lack the flags to occupy it", count=ahead)
        return say("{side} leads by {count}, but lacks the flags to occupy it", side=side, count=ahead)
    if own:
        return say("You lead by {count} of {needed}", count=ahead, needed=contest.needed)
    return say("{side} leads by {count} of {needed}", side=side, count=ahead, needed=contest.needed)


def _flips(contest: contests.Contest) -> tuple[Text, ...]:
    """Say what would change who leads or who conquers, in flags."""
    if contest.leader is None:
        return ()  # how many conquer it stands on the territory
    leader, behind = contest.leader, other(contest.leader)
    if contest.conqueror is not None:
        return (say("{side}: +{count} stops it.", side=Text(behind), count=contest.to_stop(behind)),)
    lead, conquer = contest.to_lead(behind), contest.to_conquer(behind)
    turns = say("{side}: +{lead} takes the lead, +{count} conquers.", side=Text(behind), lead=lead, count=conquer)
    if contest.enough:
        return (turns,)
    return (say("{side}: +{count} conquers.", side=Text(leader), count=contest.to_conquer(leader)), turns)


def _locked(contest: contests.Contest, near: Seat) -> tuple[Text, ...]:
    """Say which flags do not count because their cards are locked (HW-88)."""
    flags = {seat: contest.locked[seat] for seat in (near, other(near)) if contest.locked[seat]}
    parts = [say("{side} {count}", side=Text(seat), count=count) for seat, count in flags.items()]
    return (say("Locked: {flags}.", flags=listed(parts, NOTHING)),) if parts else ()

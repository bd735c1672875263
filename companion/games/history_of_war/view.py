"""What a seat sees, and nothing else: what to do now, the table, its own hand, what everybody counts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.history_of_war import conquest, construction, developments, final, hands, rounds, speech, start
from companion.games.history_of_war.battle import ATTACKS, BLOCKS
from companion.games.history_of_war.cards import (
    DECKS,
    LISTS,
    START_POINTS,
    ActionCard,
    BaseCard,
    Kind,
    Roster,
)
from companion.games.history_of_war.cards import Card as Written
from companion.games.history_of_war.damage import PHASES, undecided
from companion.games.history_of_war.decks import not_ready
from companion.games.history_of_war.figures import GLYPHS, glyph
from companion.games.history_of_war.movement import DEPLOYMENTS, RETREATS
from companion.games.history_of_war.pieces import BEFORE, ROUND, SEATS, STEPS, Phase, Seat, other, phase_number
from companion.games.history_of_war.speech import called
from companion.games.history_of_war.state import State
from companion.games.history_of_war.table_view import picture, reads, tableau
from companion.kit import decks
from companion.kit.counts import number
from companion.kit.decks import samples, tracker
from companion.kit.once import once
from companion.kit.panels import Card, Facts, Hand, Panel, Phases, Picture, Pile, Piles, Row, Tracker, View
from companion.kit.ruling import Reason
from companion.kit.text import Text, listed, numbered, say

TASKS: dict[Phase, Text] = {
    "draw": say("Cards are drawn. Continue when ready."),
    "base_expansion": say("Put a base expansion into play, if you have one."),
    **dict.fromkeys(DEPLOYMENTS, say("Tap the units that move to a territory.")),
    **dict.fromkeys(ATTACKS, say("Tap the units that attack.")),
    **dict.fromkeys(BLOCKS, say("Tap the units that block.")),
    **dict.fromkeys(RETREATS, say("Tap the units that go back to your deployment area: they are locked there.")),
    "final": numbered(
        "No more than [most_hand written] cards in the hand, and [most_units written] units in the deployment area.",
        most_hand=final.MOST_HAND,
        most_units=final.MOST_UNITS,
    ),
}
"""What a player who acts does in each phase."""


def _headline(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens now, for that seat."""
    match state.phase:
        case "finished":
            return over(state)
        case "decks":
            return _decks(state, seat)
        case "mulligan":
            if seat is None:
                return say("Both players look at their first hands.")
            if state.deck(seat).kept:
                return say("{side} still looks at the first hand.", side=Text(other(seat)))
            if not state.real:
                return say("Keep your hand, or change it once.")
            return numbered(
                "Shuffle, and draw [hand written] cards. Keep them, or change them all once.", hand=start.HAND
            )
        case _:
            return _round(state, seat)


def over(state: State) -> Text:
    """Say how the game ended."""
    if state.winner is None or state.winner == "draw":
        return say("The game ends in a draw.")
    if state.how == "conceded":
        return say("{side} wins: the enemy has given up.", side=Text(state.winner))
    points = state.victory_points(state.winner)
    return say("{side} wins with {count} victory points.", side=Text(state.winner), count=points)


def _decks(state: State, seat: Seat | None) -> Text:
    if state.ready == SEATS:
        return say("The decks are ready.")
    if seat is None:
        return say("The decks are being built.")
    if seat in state.ready:
        return say("{side} still prepares the deck.", side=Text(other(seat)))
    if seat not in state.rosters:
        return say("Take a deck: a ready one, a file, or one of your own.")
    if why := not_ready(state, seat):
        return say("{why} Change your deck, then say that you are ready.", why=why.text)
    return say("Your deck: change it as you like, then say that you are ready.")


def _round(state: State, seat: Seat | None) -> Text:
    waits = rounds.awaited(state)
    if seat is None or seat not in waits:
        return _waiting(state, seat, waits)
    match state.phase:
        case "base_expansion" if state.expanded.get(seat) == state.round:
            return say("Your base expansion is in play. Continue when ready.")
        case "draw" if state.real:
            return say("Draw the top card of your depot. Continue when ready.")
        case "base_expansion" if state.real and not state.step_by_step:
            return say("Draw a card. Then put a base expansion into play, if you have one.")
        case "construction":
            return _construction(state, seat)
        case "damage_1" | "damage_2":
            return _damage(state)
        case "victory":
            if seat in conquest.pending(state).values():
                return say("Conquered! Choose the units that stay to occupy it.")
            return say("You have seen the territories. Continue when ready.")
        case "final" if rounds.needed(state, seat):
            return _surplus(final.hand_surplus(state, seat), final.unit_surplus(state, seat))
        case phase if phase in rounds.CAN and seat in state.acting and not rounds.needed(state, seat):
            return say("{phase}: none of your units can do that now. Continue when ready.", phase=Text(phase))
        case phase if seat in state.acting:
            return TASKS[phase]
        case phase:
            return say("{side}: {phase}. Continue when ready.", side=Text(state.acting[0]), phase=Text(phase))


def _surplus(cards: int, units: int) -> Text:
    """Say what has to go to the scrapyard, and nothing of what has not (HW-97, HW-98)."""
    if not units:
        return say(
            "Tap what goes to the scrapyard: {count} card of your hand.|"
            "Tap what goes to the scrapyard: {count} cards of your hand.",
            count=cards,
        )
    if not cards:
        text = "Tap what goes to the scrapyard: {count} unit.|Tap what goes to the scrapyard: {count} units."
        return say(text, count=units)
    text = "Tap what goes to the scrapyard. Too many cards of the hand: {cards}, units: {units}."
    return say(text, cards=cards, units=units)


def _construction(state: State, seat: Seat) -> Text:
    if not state.plan(seat).built:
        left = construction.left(state, seat)
        return say("Lay face down what you build, then pay for it. You have {count} TA left.", count=left)
    if developments.to_place(state) == seat:
        return say("Tap your developments to put them into territories.")
    return say("All is built. Continue when ready.")


def _damage(state: State) -> Text:
    if state.attacks and not state.struck:
        return say("Choose what your attackers strike, then deal the damage.")
    if state.struck:
        return say("The damage is dealt. It wears off when the phase ends.")
    return say("Nobody attacks. Continue when ready.")


def _waiting(state: State, seat: Seat | None, waits: tuple[Seat, ...]) -> Text:
    phase, takers = Text(state.phase), set(conquest.pending(state).values())
    if len(takers) == 1:
        return say("Conquest: {side} chooses who occupies", side=Text(takers.pop()))
    if len(waits) == 1:
        said = "{side}: {phase}." if seat is None else "{phase}: waiting for {side}."
        return say(said, phase=phase, side=Text(waits[0]))
    return say("Both players: {phase}." if waits else "{phase}.", phase=phase)


def _note(state: State) -> Reason | None:
    """Say that action cards are not allowed just now (HW-54, HW-61)."""
    step = STEPS.get(state.phase)
    if step is None or step.no_cards is None:
        return None
    return Reason(say("No action cards in this phase."), step.no_cards)


def _reminders(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat that acts may want to know now."""
    if seat is None or seat not in state.acting or seat in state.done:
        return ()
    if state.phase in PHASES and seat == state.striker and (unsaid := undecided(state)):
        names = listed([speech.named(state, unit) for unit in unsaid], say("–"))
        return (Reason(say("Tap what still has no target: {units}", units=names), "HW-68"),)
    if state.phase in ATTACKS:
        return (Reason(say("A unit that attacks is locked: this round its flags do not count."), "HW-53"),)
    if state.phase in DEPLOYMENTS:
        return (
            Reason(say("A deployed unit is locked: this round it cannot fight and its flags do not count."), "HW-49"),
        )
    return ()


SORTS: dict[Kind, Text] = {
    "territory": say("Territories"),
    "unit": say("Units"),
    "development": say("Developments"),
    "base_expansion": say("Base expansions"),
    "upgrade": say("Upgrades"),
    "action": say("Action cards"),
}


def _decks_shown(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player the own deck before the game, and what everybody may know of the other's."""
    roster = state.rosters.get(seat)
    facts = Facts(say("The decks"), tuple(tracker.readiness(SEATS, state.ready)))
    if roster is None:
        return tracker.deck(None, (), sample=False), facts
    sorts = (_sort(letter, kind, roster) for letter, kind in LISTS.items())
    return (tracker.deck(called(roster.name), _whole(roster), sample=roster.sample), *sorts, facts)


def _whole(roster: Roster) -> tuple[Row, ...]:
    """Show how large the depot is, and whether two territories are worth enough (HW-20, HW-22)."""
    points = roster.best_pair
    note = say("the best two are worth {points} victory points; {least} are needed", points=points, least=START_POINTS)
    depot, name, lands = number(roster.size), say("Territory cards"), number(roster.territories)
    worth = Row("territories", name, lands, note=note, level=min(points, START_POINTS), most=START_POINTS)
    return Row("depot", say("Cards in the depot"), depot), worth


def _sort(letter: str, kind: Kind, roster: Roster) -> Tracker:
    """Show the cards of one sort; a new one of it is added below."""
    cards = roster.lists[kind]
    rows = tuple(_line(f"{letter}{at}", card) for at, card in enumerate(cards))
    note = say("{count} card|{count} cards", count=sum(card.count for card in cards))
    return Tracker(kind, SORTS[kind], rows, glyph=GLYPHS.get(kind, "tank"), note=note)


def _line(on: str, card: Written) -> Row:
    shown = _listed(on, card)
    return tracker.line(on, shown.name, card.count, shown.does, shown)


def _listed(on: str, card: Written) -> Card:
    """Show a card of a deck, with all that stands on it."""
    return Card(on, "", None, called(card.name), speech.whole(card), picture=picture(card))


def cards(state: State, seat: Seat, _tracker: str) -> Iterator[tuple[Card, int]]:
    """List the cards of a player's own deck, and how many there are of each."""
    roster = state.rosters.get(seat)
    lists = roster.lists if roster else {}
    for letter, kind in LISTS.items():
        for at, card in enumerate(lists.get(kind, ())):
            yield _listed(f"{letter}{at}", card), card.count


def not_playable(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not play a card of his hand now; None when he can."""
    card = state.find_card(seat, code)
    if isinstance(card, BaseCard):
        return hands.base_barred(state, seat)
    if isinstance(card, ActionCard):
        return hands.action_barred(state, seat, card)
    return construction.barred(state, seat, card) if card else None


def _hand(state: State, seat: Seat | None) -> tuple[Hand, ...]:
    """Show a player his own hand; with real cards what he may hold of his list."""
    if seat is None or seat not in state.decks or state.phase == "finished":
        return ()
    codes = hands.playable(state, seat)
    kinds = decks.one_each(codes)
    cards = tuple(_card(state, seat, code, why=code in kinds) for code in codes)
    title = say("What you may hold of your list" if state.real else "Your hand")
    first = state.phase == "mulligan" and not state.deck(seat).kept and not state.real
    return (Hand(title, cards, first=first),) if cards else ()


def _card(state: State, seat: Seat, code: str, *, why: bool) -> Card:
    """Show a card of the hand; of several of a kind the first says why it can not be played."""
    card = state.find_card(seat, code)
    barred = not_playable(state, seat, code) if state.begun and why else None
    name, does = speech.code(state, seat, code), reads(card) if card else say("–")
    return Card(code, "", None, name, does, barred=barred, picture=picture(card))


@once
def _piles(state: State) -> tuple[Piles, ...]:
    """Count depots and hands, and show the scrapyards, which lie open."""
    if not state.decks:
        return ()
    piles = []
    for seat in SEATS:
        deck = state.deck(seat)
        piles.append(Pile(say("{side}: depot", side=Text(seat)), len(deck.depot)))
        piles.append(Pile(say("{side}: hand", side=Text(seat)), len(deck.hand)))
        lost = tuple(_lost(state, seat, at, code) for at, code in enumerate(deck.scrapyard))
        top = lost[-1] if lost else None
        piles.append(Pile(say("{side}: scrapyard", side=Text(seat)), len(deck.scrapyard), lost, top))
    return (Piles(say("Depots and scrapyards"), tuple(piles)),)


def _lost(state: State, seat: Seat, at: int, code: str) -> Card:
    """Show a lost card to everybody by its place: its code would tell where it stands in its owner's list."""
    card = state.find_card(seat, code)
    drawn = Picture(glyphs=(glyph(card),), photo=card.picture) if card and card.picture else None
    return Card(str(at), "", None, speech.code(state, seat, code), say("–"), picture=drawn)


def _scores(state: State, seat: Seat | None) -> tuple[Tracker, ...]:
    """Show the victory points of both, of those that win (HW-01, HW-100)."""
    if not state.territories:
        return ()
    rows = tuple(_score(state, each) for each in ((seat, other(seat)) if seat else SEATS))
    return (Tracker("score", say("Victory points"), rows, glyph="flag", score=True),)


def _score(state: State, seat: Seat) -> Row:
    points, most = state.victory_points(seat), state.options.to_win
    role = say("attacks first") if seat == state.attacker else say("defends first")
    if seat in state.holding:
        role = say("{one}, {two}", one=role, two=say("stops at every phase"))
    value = say("{have} / {most}", have=points, most=most)
    note = role if state.begun else None
    return Row(f"points.{seat}", Text(seat), value, seat, note, min(max(points, 0), most), most)


def view(state: State, seat: Seat | None) -> View:
    """Show what a seat may see, and nothing else."""
    return View(
        _headline(state, seat),
        rounds.awaited(state),
        (
            *_phases(state),
            *(_decks_shown(state, seat) if seat and state.phase == "decks" else ()),
            *tableau(state, seat),
            *_scores(state, seat),
            *_hand(state, seat),
            *_piles(state),
        ),
        (*final.due(state), *_reminders(state, seat)),
        over=state.phase == "finished",
        note=_note(state),
        sheet=samples.sheet(state.rosters.get(seat) if seat else None, DECKS),
    )


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase in BEFORE:
        steps = tuple(Text(phase) for phase in BEFORE)
        return (Phases(say("Before the game"), steps, BEFORE.index(state.phase)),)
    if state.phase not in STEPS:
        return ()
    steps = tuple(Text(step.id) for step in ROUND)
    at = phase_number(state.phase)
    title = say("Round {round}: {number}/{count}", round=state.round, number=at, count=len(ROUND))
    return (Phases(title, steps, at - 1),)

"""What a seat sees, and nothing else: what lies there, what is counted, what to do next, what may be overlooked."""

from __future__ import annotations

from companion.games.tactics_2gm import deck_view, hand_view, income, players, speech, table_view, turn, victory
from companion.games.tactics_2gm.cards import DECKS, Goal
from companion.games.tactics_2gm.combatants import impact
from companion.games.tactics_2gm.decks import not_ready
from companion.games.tactics_2gm.options import SIDES, Seat, seats_of, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import BEFORE, TURN_PHASES, Headquarters, State
from companion.games.tactics_2gm.victory import MINUTE
from companion.kit.decks import samples
from companion.kit.once import once
from companion.kit.panels import Clock, Facts, Panel, Phases, Row, Tracker, View
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

STEPS = (say("Headquarters"), say("Movement"), say("Deployment"), say("Fire"), say("Discard"))


def view(state: State, seat: Seat | None) -> View:
    """Show what a seat may see, and nothing else."""
    return View(
        _next_step(state, seat),
        to_move(state),
        (
            *_phases(state),
            *(deck_view.deck_panels(state, seat) if seat and state.phase == "decks" else ()),
            *_field(state, seat),
            *_points(state),
            *hand_view.hand(state, seat),
            *table_view.piles(state),
            *_scenery(state),
        ),
        _advice(state, seat),
        over=state.phase == "finished",
        note=_note(state, seat),
        sheet=samples.sheet(state.rosters.get(seat) if seat else None, DECKS),
    )


def to_move(state: State) -> tuple[Seat, ...]:
    """List the seats that the game waits for."""
    match state.phase:
        case "finished":
            return ()
        case "decks":
            return tuple(seat for seat in state.seats if seat not in state.ready)
        case "terrain":
            return (state.leader(state.laying[0]),) if state.laying else ()
        case "mulligan":
            return tuple(seat for seat in state.seats if not state.deck(seat).kept)
        case _:
            return turn.awaited(state) or tuple(seat for seat in state.acting if seat not in state.done)


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase in BEFORE:
        steps = (say("Decks"), say("Terrain"), say("First hand"))
        return (Phases(say("Before the battle"), steps, BEFORE.index(state.phase)),)
    if state.phase not in TURN_PHASES:
        return ()
    side, turns = Text(state.active), state.scenario.turns if state.scenario else 0
    title = say("Round {round}: {side}", round=state.round, side=side)
    if turns:
        title = say("Round {round} of {turns}: {side}", round=state.round, turns=turns, side=side)
    return (Phases(title, STEPS, TURN_PHASES.index(state.phase)),)


def _field(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    if state.phase == "decks":
        return ()
    return (table_view.board(state, seat),) if state.mirrored else table_view.rosters(state, seat)


@once
def _points(state: State) -> tuple[Panel, ...]:
    """Show the AP of every player and the impact points of every headquarters (G2-28, G2-31, G2-34)."""
    if not state.headquarters:
        return ()
    rows = []
    for side in SIDES:
        rows += [_headquarters(state, hq) for hq in state.headquarters if hq.side == side]
        rows += [_action_points(state, seat) for seat in seats_of(state.options, side)]
    return (Tracker("points", say("Headquarters and action points"), tuple(rows), glyph="flag"),)


def _action_points(state: State, seat: Seat) -> Row:
    have, most = state.ap.get(seat, 0), players.cap(state, side_of(seat))
    value, note = say("{have} AP", have=have), say("action points, {most} at most", most=most)
    return Row(f"ap_{seat}", Text(seat), value, seat, note, min(have, most), most, current=seat in state.acting)


def _headquarters(state: State, hq: Headquarters) -> Row:
    note = say("armour {armour}, income {income}", armour=hq.card.armour, income=hq.card.income)
    if hq.general is not None:
        note = say("{one}, {two}", one=note, two=called(hq.general))
    name = speech.hq(state, hq)
    return Row(hq.id, name, say("{pi} PI", pi=hq.pi), state.leader(hq.side), note, hq.pi, hq.card.pi, spent=not hq.pi)


@once
def _scenery(state: State) -> tuple[Panel, ...]:
    """Show what everybody sees beside the battlefield and the cards."""
    return (*_clock(state), *_scenario(state), *_terrain_rows(state), *_losses(state), *_tiles(state))


def _clock(state: State) -> tuple[Panel, ...]:
    """Show the time left where the table has a limit (G2-A39)."""
    if not state.options.time_limit_minutes or state.began is None or state.phase == "finished":
        return ()
    clock = Clock(state.options.time_limit_minutes * MINUTE, state.began)
    return (Tracker("time", say("Time limit"), (Row("time_left", say("Time left"), clock=clock),), glyph="clock"),)


def _scenario(state: State) -> tuple[Panel, ...]:
    if state.scenario is None:
        return ()
    rows: list[tuple[Text, Text]] = []
    if state.scenario.text:
        text = Text(state.scenario.text) if state.scenario.sample else say("{text}", text=state.scenario.text)
        rows.append((say("The situation"), text))
    rows += [
        (say("Goal of the {side}", side=Text(goal.side)), _goal(state, at, goal))
        for at, goal in enumerate(state.scenario.goal)
    ]
    if state.scenario.turns:
        rows.append((say("Turns of each side"), say("{count}", count=state.scenario.turns)))
    name = Text(state.scenario.name) if state.scenario.sample else say("{name}", name=state.scenario.name)
    return (Facts(say("Scenario: {name}", name=name), tuple(rows)),)


def _goal(state: State, at: int, goal: Goal) -> Text:
    """Say what a goal is, and how far it is reached (G2-24)."""
    if at in state.goals:
        return say("{goal}: reached", goal=victory.goal_text(state, goal))
    if goal.kind == "destroy_units":
        return say("{goal} ({done} so far)", goal=victory.goal_text(state, goal), done=victory.so_far(state, goal))
    return victory.goal_text(state, goal)


def _terrain_rows(state: State) -> tuple[Panel, ...]:
    """List terrain cards where no board shows them (G2-125)."""
    if state.mirrored or not state.grounds:
        return ()
    rows = []
    for ground in state.grounds:
        card = state.terrain(ground)
        value = impact(ground.pi, card.pi) if state.is_building(ground) else None
        inside = state.occupant(ground)
        note = say("{unit} inside", unit=speech.unit(state, inside)) if inside else None
        rows.append(Row(ground.id, speech.ground(state, ground), value, "", note, ground.pi, card.pi if value else 0))
    return (Tracker("terrain", say("Terrain"), tuple(rows), glyph="house"),)


def _losses(state: State) -> tuple[Panel, ...]:
    rows = tuple(
        (say("Lost by the {side}", side=Text(side)), say("{count} unit|{count} units", count=count))
        for side, count in state.lost.items()
        if count
    )
    return (Facts(say("Losses"), rows),) if rows else ()


def _tiles(state: State) -> tuple[Panel, ...]:
    """Show how the tiles were laid (G2-41)."""
    if not state.tiles or state.begun:
        return ()
    rows = tuple((say("Tile {number}", number=at), say("{tile}", tile=tile)) for at, tile in enumerate(state.tiles, 1))
    return (Facts(say("The tiles, in the order in which they are laid"), rows),)


def _next_step(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens next, for that seat."""
    match state.phase:
        case "finished":
            return victory.said(state)
        case "decks" if len(state.ready) == len(state.seats):
            return say("The decks are ready.")
        case "decks" if seat is None or seat in state.ready:
            return say("The decks are being built.")
        case "decks" if seat not in state.rosters:
            return say("Take a deck: a ready one, a file, or one of your own.")
        case "decks" if seat is not None and (why := not_ready(state, seat)):
            return say("{why} Change your deck, then say that you are ready.", why=why.text)
        case "decks":
            return say("Your deck: change it as you like, then say that you are ready.")
        case "terrain":
            return _terrain(state, seat)
        case "mulligan" if seat is not None and not state.deck(seat).kept:
            return say("Keep your hand, or change it once.")
        case "mulligan":
            return say("Both players look at their first hands.")
        case _:
            return _turn(state, seat)


def _terrain(state: State, seat: Seat | None) -> Text:
    side = state.laying[0] if state.laying else state.first
    if seat is not None and state.laying and seat == state.leader(side):
        return say(
            "Lay terrain in your second and third line: {count} point left.|"
            "Lay terrain in your second and third line: {count} points left.",
            count=state.budget.get(side, 0),
        )
    return say("{side}: laying terrain.", side=Text(side))


def _turn(state: State, seat: Seat | None) -> Text:
    if seat is None or seat not in state.acting:
        return say("{side}: {phase} phase.", side=Text(state.active), phase=Text(state.phase))
    if seat in state.done:
        return say("Your partner is still busy.")
    match state.phase:
        case "headquarters":
            return say("Take your action points and draw.")
        case "movement":
            return say("Move your units.") if state.mirrored else say("Move your units on the battlefield.")
        case "deployment":
            return say("Deploy units and play cards: {ap} AP.", ap=state.ap.get(seat, 0))
        case "fire":
            return say("Fire: each weapon once.")
        case _ if too_many := turn.surplus(state, seat):
            return say("Discard {count} card.|Discard {count} cards.", count=too_many)
        case _:
            return say("Your partner is still busy.") if turn.awaited(state) else say("End the turn")


def _note(state: State, seat: Seat | None) -> Reason | None:
    """Say what the coming headquarters phase gives, to whoever may take it."""
    if state.phase != "headquarters" or seat not in state.acting or not state.mirrored:
        return None
    return income.forecast(state)


def _advice(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    reasons = list(victory.due(state))
    if seat is None or seat not in state.acting or seat in state.done:
        return tuple(reasons)
    if state.phase == "movement" and any(unit.set_up and unit.seat == seat for unit in state.units):
        reasons.append(Reason(say("Units with a heavy weapon set up do not move: pack it up first."), "G2-121"))
    if state.phase == "deployment" and side_of(seat) == state.active and not state.ap.get(seat, 0):
        reasons.append(Reason(say("No action points are left."), "G2-90"))
    return tuple(reasons)

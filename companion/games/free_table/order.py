"""Turn order: who acts after whom, by a score that is thrown or typed, round after round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.free_table import initiative
from companion.games.free_table.initiative import (
    LONGEST_DICE,
    MOST_ROUNDS,
    One,
    Order,
    Standing,
    called,
    find,
    here,
    seen,
    signed,
    whole,
)
from companion.games.free_table.look import LONGEST_NAMES, MOST, choice, look_fields, number, text, written
from companion.games.free_table.turns import (
    MOST_BONUS,
    Action,
    Add,
    Bonus,
    How,
    Leave,
    Move,
    Next,
    Roll,
    Round,
    Score,
    SetOrder,
    Stand,
    joined,
    sent,
    with_bonus,
)
from companion.kit.asking import Option
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

__all__ = ["Action", "SetOrder", "correct", "fields", "fresh", "offers", "panels", "rule", "tracked"]


def fields(old: Order | None) -> tuple[Field, ...]:
    """Ask for what makes a turn order."""
    shown = old or Order()
    name, colour, glyph = look_fields(old)
    names = written(with_bonus(one) for one in shown.line if one.name)
    hint = say("Separated by commas; with a sign, what is added to their throw: “Goblin 1 +2, Ogre −1”.")
    return (
        name,
        Field("players", say("The players take part"), "yes_no", value=shown.players),
        text("names", say("Others"), names, LONGEST_NAMES, hint),
        Field("dice", say("Dice"), "dice", value=shown.dice, high=LONGEST_DICE),
        colour,
        glyph,
    )


def fresh(tracker: Order) -> Order:
    """Return it as at the start of a game: who takes part, with their bonus."""
    bare = tuple(One(one.id, one.name, one.bonus) for one in tracker.line if one.name or one.bonus)
    return msgspec.structs.replace(tracker, line=bare, current="", round=0)


_SAID: dict[Standing, Text] = {
    "waits": say("waits with the turn"),
    "skips": say("is passed over once"),
    "out": say("out"),
}


def panels(state: State, tracker: Order, _seat: str) -> tuple[Panel, ...]:
    """Show who acts after whom."""
    rows = tuple(
        Row(
            f"{tracker.id}.{one.id}",
            called(state, one),
            None if one.score is None else say("{count}", count=one.score),
            side="" if one.name else one.id,
            note=_SAID.get(one.standing) or (say("bonus {count}", count=signed(one.bonus)) if one.bonus else None),
            current=tracker.round > 0 and one.id == tracker.current,
            spent=one.standing == "out",
        )
        for one in seen(state, tracker)
    )
    note = say("Round {now}", now=tracker.round) if tracker.round else None
    return (Tracker(tracker.id, tracker.title, rows, tracker.colour, tracker.glyph or "bolt", note),)


def offers(state: State, tracker: Order, _seat: str) -> tuple[Offer, ...]:
    """Offer to throw, to go on, to wait, and rarely wanted things aside."""
    ones, given, on = seen(state, tracker), {"tracker": tracker.id}, tracker.id
    found: list[Offer] = []
    for one in ones:
        found += _of_one(tracker, one)
    playing = tracker.round > 0
    following = initiative.step(state, tracker)
    ends = following is not None and following.round > tracker.round
    unscored = any(one.score is None and one.standing != "out" for one in ones)
    if unscored:
        found.append(Offer("roll_order", say("Roll for all"), given, on=on, main=not playing))
    if playing and following is not None:
        label = say("Next: {what}", what=called(state, find(state, following, following.current)))
        now = {**given, "round": tracker.round, "current": tracker.current}
        found.append(Offer("next_in_order", label, now, on=on, main=True))
    if initiative.new_round(state, tracker) is not None:
        stands, anew = ({**given, "round": tracker.round, "roll": roll} for roll in (False, True))
        if playing:
            found.append(Offer("round_in_order", say("New round"), stands, on=on, aside=True))
            found.append(Offer("round_in_order", say("New round, thrown anew"), anew, on=on, aside=not ends))
        else:
            found.append(Offer("round_in_order", say("Begin"), stands, on=on, main=not unscored))
    return (*found, *_aside(state, tracker, ones))


def _of_one(tracker: Order, one: One) -> list[Offer]:
    given, on = {"tracker": tracker.id, "who": one.id}, f"{tracker.id}.{one.id}"

    def stand(label: Text, how: How) -> Offer:
        return Offer("stand_in_order", label, {**given, "how": how}, on=on)

    if one.standing == "out":
        return [stand(say("Back in"), "in")]
    if one.score is None:
        score = number("score", say("Score"), None, -MOST, MOST)
        return [
            Offer("roll_order", say("Roll"), given, on=on),
            Offer("score_order", say("Type"), given, (score,), on=on),
        ]
    if tracker.round == 0:
        return []
    if one.standing == "waits":
        return [stand(say("Now"), "now")]
    if one.standing == "skips":
        return [stand(say("Back in"), "in")]
    first = stand(say("Wait"), "waits") if one.id == tracker.current else stand(say("Skip"), "skips")
    return [first, stand(say("Out"), "out")]


def _aside(state: State, tracker: Order, ones: tuple[One, ...]) -> tuple[Offer, ...]:
    given, on = {"tracker": tracker.id}, tracker.id
    hint = say("For example “Goblin 3 +2”.")
    found = [
        Offer(
            "add_to_order",
            say("Somebody joins"),
            given,
            (text("names", say("Names"), "", LONGEST_NAMES, hint),),
            on=on,
            loose=True,
            aside=True,
        ),
    ]
    if ones:
        who = _who(state, ones)
        ways = choice("way", say("Where to"), ("up", "down"), "up", {"up": "Up", "down": "Down"})
        score = number("score", say("Score"), None, -MOST, MOST)
        bonus = number("bonus", say("Bonus"), 0, -MOST_BONUS, MOST_BONUS)
        found += [
            Offer("move_in_order", say("Move by hand"), given, (who, ways), on=on, loose=True, aside=True),
            Offer("score_order", say("Type a score"), given, (who, score), on=on, aside=True),
            Offer("bonus_order", say("Bonus"), given, (who, bonus), on=on, aside=True),
        ]
    if named := tuple(one for one in ones if one.name):
        found.append(Offer("leave_order", say("Take off the list"), given, (_who(state, named),), on=on, aside=True))
    return tuple(found)


def _who(state: State, ones: tuple[One, ...]) -> Field:
    options = tuple(Option(one.id, called(state, one)) for one in ones)
    return Field("who", say("Who"), "choice", options, options[0].value)


def rule(state: State, tracker: Order, seat: str, action: Action, ask: Ask) -> Ruling[Order]:
    """Do what is said with the order; raise Refusal for what does not fit any more."""
    tracker = msgspec.structs.replace(tracker, line=whole(state, tracker))
    match action:
        case Next():
            if (action.round, action.current) != (tracker.round, tracker.current):
                raise Refusal(say("The table is already there: {what}", what=here(state, tracker)))
            return _turn(state, initiative.step(state, tracker))
        case Round():
            if action.round != tracker.round:
                raise Refusal(say("The table is already there: {what}", what=here(state, tracker)))
            ones = tuple(one for one in seen(state, tracker) if one.standing != "out") if action.roll else ()
            return _turn(state, initiative.new_round(state, initiative.thrown(state, tracker, ones, seat, ask)))
        case Roll():
            ones = _to_throw(state, tracker, action.who)
            after = initiative.thrown(state, tracker, ones, seat, ask)
            if len(ones) == 1:
                return _scored(state, after, ones[0])
            return Ruling(after, say("{what}: all have thrown", what=tracker.title))
        case Add():
            taken = {one.name for one in tracker.line}
            names = {name: bonus for name, bonus in sent(action.names).items() if name not in taken}
            if not names:
                raise Refusal(say("Give a name that is not on the list."), field="names")
            return Ruling(joined(tracker, names), say("{who} joins", who=written(names)))
        case _:
            return _about(state, tracker, find(state, tracker, action.who), action)


def _to_throw(state: State, tracker: Order, who: str | None) -> tuple[One, ...]:
    if who is not None:
        return (find(state, tracker, who),)
    ones = tuple(one for one in seen(state, tracker) if one.score is None and one.standing != "out")
    if not ones:
        raise Refusal(say("Everybody has a score."))
    return ones


def _turn(state: State, after: Order | None) -> Ruling[Order]:
    if after is None:
        raise Refusal(say("Nobody is left to act."))
    return Ruling(after, here(state, after))


def _scored(state: State, after: Order, one: One) -> Ruling[Order]:
    score = find(state, after, one.id).score or 0
    return Ruling(after, say("{what}: {who} has {count}", what=after.title, who=called(state, one), count=score))


def _about(state: State, tracker: Order, one: One, action: Leave | Score | Bonus | Move | Stand) -> Ruling[Order]:
    who = called(state, one)
    match action:
        case Score():
            return _scored(state, initiative.placed(tracker, msgspec.structs.replace(one, score=action.score)), one)
        case Bonus():
            after = initiative.put(tracker, msgspec.structs.replace(one, bonus=action.bonus))
            return Ruling(after, say("{who}: bonus {count}", who=who, count=signed(action.bonus)))
        case Move():
            after = initiative.moved(state, tracker, one, 1 if action.way == "down" else -1)
            return Ruling(after, say("Moved: {what}", what=who))
        case Leave():
            if not one.name:
                raise Refusal(say("Players stay on the list: they can be out."), field="who")
            after = initiative.gone(state, tracker, one)
            left = tuple(other for other in after.line if other.id != one.id)
            return Ruling(msgspec.structs.replace(after, line=left), say("{who} leaves", who=who))
        case Stand():
            return _stood(state, tracker, one, action.how)


def _stood(state: State, tracker: Order, one: One, how: How) -> Ruling[Order]:
    who = called(state, one)
    match how:
        case "waits":
            if not tracker.round or one.id != tracker.current:
                raise Refusal(say("It is not the turn of {who}.", who=who), field="who")
            after = initiative.step(state, initiative.put(tracker, msgspec.structs.replace(one, standing="waits")))
            return Ruling(after or tracker, say("{who} waits with the turn", who=who))
        case "now":
            if one.standing != "waits":
                raise Refusal(say("{who} does not wait.", who=who), field="who")
            return Ruling(initiative.stepped_in(tracker, one), say("{who} acts now", who=who))
        case "skips":
            after = initiative.put(tracker, msgspec.structs.replace(one, standing="skips"))
            return Ruling(after, say("{who} is passed over once", who=who))
        case "out":
            return Ruling(initiative.gone(state, tracker, one), say("{who} is out", who=who))
        case "in":
            after = initiative.put(tracker, msgspec.structs.replace(one, standing="in"))
            return Ruling(after, say("{who} is back in", who=who))


def tracked(state: State, tracker: Order) -> tuple[Tracked, ...]:
    """List the round, whose turn it is, and the scores."""
    ones = seen(state, tracker)
    round_ = number("value", say("Round"), tracker.round, 0, MOST_ROUNDS)
    found = [Tracked(f"{tracker.id}.round", tracker.title, round_)]
    if any(one.id == tracker.current for one in ones):
        turn = msgspec.structs.replace(_who(state, ones), name="value", label=say("Turn"), value=tracker.current)
        found.append(Tracked(f"{tracker.id}.current", tracker.title, turn))
    found += [
        Tracked(f"{tracker.id}.{one.id}", tracker.title, number("value", called(state, one), one.score, -MOST, MOST))
        for one in ones
        if one.score is not None
    ]
    return tuple(found)


def correct(state: State, tracker: Order, part: str, value: str, _ask: Ask) -> Order:
    """Set the round, whose turn it is, or a score where it stands."""
    match part:
        case "round":
            return msgspec.structs.replace(tracker, round=int(value))
        case "current":
            return msgspec.structs.replace(tracker, current=value)
        case _:
            return initiative.put(tracker, msgspec.structs.replace(find(state, tracker, part), score=int(value)))

"""Turn order: who acts after whom, by a score that is thrown or typed, round after round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.free_table.initiative import MOST_BONUS, MOST_ROUNDS, One, Order, Standing, signed, with_bonuses
from companion.games.free_table.kinds import Deed, Kind, Setting, Table
from companion.games.free_table.names import LONGEST_NAMES, MOST, Listed, fitting, read_dice, text
from companion.kit.action import Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.dice.notation import kinds
from companion.kit.panels import Panel, Row
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

LONGEST_DICE = 40
How = Literal["waits", "now", "skips", "out", "in"]


class SetOrder(Setting[Order], frozen=True, tag="set_order"):
    """Add a turn order, or change one."""

    players: Annotated[bool, Meta(title="The players take part")] = True
    names: Annotated[
        Listed,
        Meta(
            title="Others",
            description="Separated by commas; with a sign, what is added to their roll: “Goblin 1 +2, Ogre −1”.",
        ),
    ] = ""
    dice: Annotated[str, Meta(title="Dice", max_length=LONGEST_DICE, extra={"dice": True})] = "d20"

    def made(self, old: Order) -> Order:
        """Make the order: who is named again keeps score and place; raise Refusal for dice that give no number."""
        names = with_bonuses(self.names)
        stay = tuple(
            one.but(bonus=names[one.name]) if one.name else one for one in old.line if not one.name or one.name in names
        )
        order = self.onto(old, dice=_dice(self.dice), line=stay)
        known = {one.name for one in old.line}
        return order.joined({name: bonus for name, bonus in names.items() if name not in known})


def _dice(sent: str) -> str:
    """Write dice that give a number; raise Refusal at the field for others."""
    dice = read_dice(sent)
    if "names" in kinds(dice):
        raise Refusal(say("These dice give no number."), field="dice")
    return fitting(str(dice), "dice", LONGEST_DICE)


class Join(Deed, frozen=True, tag="add_to_order"):
    """Let more take part, named as they are typed."""

    names: Listed


class Leave(Deed, frozen=True, tag="leave_order"):
    """Take a typed name off the list."""

    who: str


class ThrowFor(Deed, frozen=True, tag="roll_order"):
    """Throw for one; None: for everybody who takes part and has no score."""

    who: str | None = None


class Score(Deed, frozen=True, tag="score_order"):
    """Type a score."""

    who: str
    score: Annotated[int, Meta(ge=-MOST, le=MOST)]


class Bonus(Deed, frozen=True, tag="bonus_order"):
    """Say what is added to the throws of one."""

    who: str
    bonus: Annotated[int, Meta(ge=-MOST_BONUS, le=MOST_BONUS)]


class Move(Deed, frozen=True, tag="move_in_order"):
    """Move one a place up or down by hand."""

    who: str
    way: Literal["up", "down"]


class Stand(Deed, frozen=True, tag="stand_in_order"):
    """Wait with one's turn, take it now, be passed over once, be out, or take part again."""

    who: str
    how: How


class NextTurn(Deed, frozen=True, tag="next_in_order"):
    """Go on to the next in turn; ``round`` and ``current`` say from where, so that two phones do not go on twice."""

    round: int
    current: str


class NewRound(Deed, frozen=True, tag="round_in_order"):
    """Begin the round after ``round``, with everybody's score thrown anew or as they stand."""

    round: int
    roll: bool = False


def _fresh(order: Order) -> Order:
    bare = tuple(One(one.id, one.name, one.bonus) for one in order.line if one.name or one.bonus)
    return order.but(line=bare, current="", round=0)


orders = Kind(
    Order, SetOrder, fresh=_fresh, typed=lambda order: {"names": ", ".join(one.typed for one in order.line if one.name)}
)

_SCORE = number_field("score", say("Score"), None, -MOST, MOST)
_SAID: dict[Standing, Text] = {
    "waits": say("waits with the turn"),
    "skips": say("is passed over once"),
    "out": say("out"),
}


@orders.panels_for_all
def panels(table: Table, order: Order) -> Iterator[Panel]:
    """Show who acts after whom."""
    rows = (
        Row(
            f"{order.id}.{one.id}",
            one.called(table),
            None if one.score is None else say("{count}", count=one.score),
            side="" if one.name else one.id,
            note=_SAID.get(one.standing) or (say("bonus {count}", count=signed(one.bonus)) if one.bonus else None),
            current=order.acts(one),
            spent=one.standing == "out",
        )
        for one in order.present(table)
    )
    yield order.panel(rows, "bolt", say("Round {now}", now=order.round) if order.round else None)


@orders.offers_to_all
def offers(table: Table, order: Order) -> Iterator[Offer]:
    """Offer to throw, to go on, to wait, and rarely wanted things aside."""
    ones, on = order.present(table), order.id
    for one in ones:
        yield from _of_one(order, one)
    playing, following = order.round > 0, order.step(table)
    unscored = any(one.to_throw for one in ones)
    if unscored:
        yield ThrowFor.offer(say("Roll for all"), on=on, main=not playing, tracker=on)
    if playing and following is not None:
        label = say("Next: {what}", what=following.find(table, following.current).called(table))
        after = partial(NextTurn.offer, on=on, tracker=on, round=order.round, current=order.current)
        yield after(label, main=True, ends=True)
    if order.new_round(table) is not None:
        begin = partial(NewRound.offer, on=on, tracker=on, round=order.round)
        if playing:
            ends = following is not None and following.round > order.round
            yield begin(say("New round"), aside=True, roll=False)
            yield begin(say("New round, rolled anew"), aside=not ends, roll=True)
        else:
            yield begin(say("Begin"), main=not unscored, roll=False)
    yield from _aside(table, order, ones)


def _of_one(order: Order, one: One) -> Iterator[Offer]:
    on = f"{order.id}.{one.id}"
    stand = partial(Stand.offer, on=on, tracker=order.id, who=one.id)
    if one.standing == "out":
        yield stand(say("Back in"), how="in")
    elif one.score is None:
        yield ThrowFor.offer(say("Roll"), on=on, tracker=order.id, who=one.id)
        yield Score.offer(say("Type"), _SCORE, on=on, tracker=order.id, who=one.id)
    elif order.round == 0:
        return
    elif one.standing == "waits":
        yield stand(say("Now"), how="now")
    elif one.standing == "skips":
        yield stand(say("Back in"), how="in")
    else:
        yield stand(say("Wait"), how="waits") if order.acts(one) else stand(say("Skip"), how="skips")
        yield stand(say("Out"), how="out")


def _aside(table: Table, order: Order, ones: tuple[One, ...]) -> Iterator[Offer]:
    on = order.id
    names = text("names", say("Names"), "", LONGEST_NAMES, say("For example “Goblin 3 +2”."))
    yield Join.offer(say("Somebody joins"), names, on=on, loose=True, aside=True, tracker=on)
    if ones:
        who = _who(table, ones)
        ways = (Option("up", say("Up")), Option("down", say("Down")))
        way = Field("way", say("Where to"), "choice", ways, "up")
        bonus = number_field("bonus", say("Bonus"), 0, -MOST_BONUS, MOST_BONUS)
        yield Move.offer(say("Move by hand"), who, way, on=on, loose=True, aside=True, tracker=on)
        yield Score.offer(say("Type a score"), who, _SCORE, on=on, aside=True, tracker=on)
        yield Bonus.offer(say("Bonus"), who, bonus, on=on, aside=True, tracker=on)
    if named := tuple(one for one in ones if one.name):
        yield Leave.offer(say("Take off the list"), _who(table, named), on=on, aside=True, tracker=on)


def _options(table: Table, ones: tuple[One, ...]) -> tuple[Option, ...]:
    return tuple(Option(one.id, one.called(table)) for one in ones)


def _who(table: Table, ones: tuple[One, ...]) -> Field:
    return Field("who", say("Who"), "choice", _options(table, ones), ones[0].id)


@orders.rule(NextTurn)
def go_on(table: Table, order: Order, _seat: str, action: NextTurn, _ask: Ask) -> Ruling[Order]:
    """Go on to the next in turn; raise Refusal when the table has done so already."""
    if (action.round, action.current) != (order.round, order.current):
        raise Refusal(say("The table is already there: {what}", what=order.here(table)))
    return _turn(table, order.step(table))


@orders.rule(NewRound)
def begin_round(table: Table, order: Order, seat: str, action: NewRound, ask: Ask) -> Ruling[Order]:
    """Begin the next round; raise Refusal when the table has done so already."""
    if action.round != order.round:
        raise Refusal(say("The table is already there: {what}", what=order.here(table)))
    ones = tuple(one for one in order.present(table) if one.standing != "out") if action.roll else ()
    return _turn(table, order.thrown(table, ones, seat, ask).new_round(table))


def _turn(table: Table, after: Order | None) -> Ruling[Order]:
    if after is None:
        raise Refusal(say("Nobody is left to act."))
    return Ruling(after, after.here(table))


@orders.rule(ThrowFor)
def throw(table: Table, order: Order, seat: str, action: ThrowFor, ask: Ask) -> Ruling[Order]:
    """Throw for one or for all; raise Refusal where everybody has a score."""
    ones = [one for one in order.present(table) if one.to_throw]
    if action.who is not None:
        ones = [order.find(table, action.who)]
    if not ones:
        raise Refusal(say("Everybody has a score."))
    after = order.thrown(table, ones, seat, ask)
    if len(ones) == 1:
        return _scored(table, after, ones[0])
    return Ruling(after, say("{what}: all have rolled", what=order.title))


@orders.rule(Score)
def score(table: Table, order: Order, _seat: str, action: Score, _ask: Ask) -> Ruling[Order]:
    """Put somebody where the typed score belongs."""
    one = order.find(table, action.who)
    return _scored(table, order.placed(one.but(score=action.score)), one)


def _scored(table: Table, after: Order, one: One) -> Ruling[Order]:
    count = after.find(table, one.id).score or 0
    return Ruling(after, say("{what}: {who} has {count}", what=after.title, who=one.called(table), count=count))


@orders.rule(Join)
def join(_table: Table, order: Order, _seat: str, action: Join, _ask: Ask) -> Ruling[Order]:
    """Let more take part; raise Refusal where all of them do."""
    known = {one.name for one in order.line}
    names = {name: bonus for name, bonus in with_bonuses(action.names).items() if name not in known}
    if not names:
        raise Refusal(say("Give a name that is not on the list."), field="names")
    return Ruling(order.joined(names), say("{who} joins", who=", ".join(names)))


@orders.rule(Leave)
def leave(table: Table, order: Order, _seat: str, action: Leave, _ask: Ask) -> Ruling[Order]:
    """Take a typed name off the list; raise Refusal for a player."""
    one = order.find(table, action.who)
    if not one.name:
        raise Refusal(say("Players stay on the list: they can be out."), field="who")
    after = order.gone(table, one)
    return Ruling(after.but(line=tuple(after.others(one))), say("{who} leaves", who=one.called(table)))


@orders.rule(Bonus)
def bonus(table: Table, order: Order, _seat: str, action: Bonus, _ask: Ask) -> Ruling[Order]:
    """Change what is added to the throws of one."""
    one = order.find(table, action.who)
    headline = say("{who}: bonus {count}", who=one.called(table), count=signed(action.bonus))
    return Ruling(order.put(one.but(bonus=action.bonus)), headline)


@orders.rule(Move)
def move(table: Table, order: Order, _seat: str, action: Move, _ask: Ask) -> Ruling[Order]:
    """Move one a place up or down."""
    one = order.find(table, action.who)
    after = order.moved(table, one, 1 if action.way == "down" else -1)
    return Ruling(after, say("Moved: {what}", what=one.called(table)))


@orders.rule(Stand)
def stand(table: Table, order: Order, _seat: str, action: Stand, _ask: Ask) -> Ruling[Order]:
    """Change how somebody takes part; raise Refusal for who can not wait, or does not."""
    one = order.find(table, action.who)
    who = one.called(table)
    match action.how:
        case "waits":
            if not order.acts(one):
                raise Refusal(say("It is not the turn of {who}.", who=who), field="who")
            after = order.put(one.but(standing="waits")).step(table)
            return Ruling(after or order, say("{who} waits with the turn", who=who))
        case "now":
            if one.standing != "waits":
                raise Refusal(say("{who} does not wait.", who=who), field="who")
            return Ruling(order.stepped_in(one), say("{who} acts now", who=who))
        case "skips":
            return Ruling(order.put(one.but(standing="skips")), say("{who} is passed over once", who=who))
        case "out":
            return Ruling(order.gone(table, one), say("{who} is out", who=who))
        case "in":
            return Ruling(order.put(one.but(standing="in")), say("{who} is back in", who=who))


@orders.corrections
def corrections(table: Table, order: Order) -> Iterator[Correction[Order]]:
    """List the round, whose turn it is, and the scores where they stand."""
    ones, group = order.present(table), order.corrections
    yield group.number("round", say("Round"), order.round, lambda round_: order.but(round=round_), high=MOST_ROUNDS)
    if any(one.id == order.current for one in ones):
        options = _options(table, ones)
        yield group.choice("current", say("Turn"), options, order.current, lambda who: order.but(current=who))
    for one in ones:
        if one.score is not None:
            put = partial(_with_score, order, one)
            yield group.number(one.id, one.called(table), one.score, put, low=-MOST, high=MOST)


def _with_score(order: Order, one: One, score: int) -> Order:
    return order.put(one.but(score=score))

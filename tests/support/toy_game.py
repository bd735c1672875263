"""Toy: a small game that throws, draws secret cards, chooses and bids together, to test the table with."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.correction import Tracked
from companion.kit.game import Lookup, Role, Start
from companion.kit.odds import Bar, Chart, Map
from companion.kit.panels import Facts, View
from companion.kit.questions import Choice, Choose, Faces, Option, Throw
from companion.kit.rulebook import Rulebook
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, Words, say
from tests.support.plain_games import PlainGame

SEATS = ("red", "blue")
CARDS = tuple(f"{rank}{suit}" for suit in "xyz" for rank in range(1, 5))


class Options(msgspec.Struct, frozen=True):
    goal: Annotated[int, Meta(ge=1, le=1000)] = 100
    mood: Literal["calm", "wild"] = "calm"


class State(msgspec.Struct, frozen=True):
    goal: int
    points: dict[str, int] = {}
    hands: dict[str, tuple[str, ...]] = {}
    pile: tuple[str, ...] = CARDS
    turn: str = "red"
    notes: tuple[str, ...] = ()
    over: bool = False


class Doing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="action"):
    pass


class Add(Doing, frozen=True, tag="add"):
    """Gain points; nothing is thrown."""

    points: Annotated[int, Meta(ge=0, le=9)] = 1
    note: str = ""


class Pass(Doing, frozen=True, tag="pass"):
    """Give the turn away."""


class Roll(Doing, frozen=True, tag="roll"):
    """Throw some dice for points."""

    dice: Annotated[int, Meta(ge=1, le=6)] = 2


class Draw(Doing, frozen=True, tag="draw"):
    """Draw cards in secret."""

    count: Annotated[int, Meta(ge=1, le=5)] = 1


class Hit(Doing, frozen=True, tag="hit"):
    """Hit the other, who may dodge: a choice of theirs, then dice of both."""


class Bid(Doing, frozen=True, tag="bid"):
    """Both bid in secret; what they may bid is their hand."""


class Peek(Doing, frozen=True, tag="peek"):
    """Look at the other's hand: a ruling that reveals without any question."""


class Race(Doing, frozen=True, tag="race"):
    """Run two rounds: a card is turned up and put back, then both throw at once."""


class Spell(Doing, frozen=True, tag="spell"):
    """Cast a spell, which the other may counter within five seconds; then dice are thrown."""


class Rush(Doing, frozen=True, tag="rush"):
    """Both may duck, in secret: red within five seconds, blue within eight, or (``calm``) whenever it wants."""

    calm: bool = False


class Shoot(Doing, frozen=True, tag="shoot"):
    """Shoot at a square, past which a shot may go."""

    at: str = "c3"


class Stop(Doing, frozen=True, tag="stop"):
    """End the game."""


def other(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


def gained(state: State, seat: str, points: int) -> State:
    total = {**state.points, seat: state.points.get(seat, 0) + points}
    return msgspec.structs.replace(state, points=total)


def hit(state: State, seat: str, ask: Ask) -> State:
    foe = other(seat)
    if ask.choose(foe, YES_NO, "dodge", say("Dodge?")) == "yes":
        faces = ask.throw(1, 6, "dodging", say("Dodge"), by=foe, clause="TOY-3")
        ask.tell(say("dodge"), "TOY-3", faces[0], faces=faces)
        if faces[0] >= 4:
            return state
    faces = ask.throw(3, 6, "hitting", say("Hit"), by=seat, clause="TOY-2")
    ask.tell(say("hits"), "TOY-2", sum(faces), faces=faces)
    return gained(state, seat, sum(faces))


def bid(state: State, ask: Ask) -> State:
    questions: dict[str, Any] = {}
    for seat in SEATS:
        options = tuple(Option(card, Text(card)) for card in (*state.hands.get(seat, ()), "none"))
        questions[seat] = choose(seat, options)
    answers = ask.together(questions, "bids", say("Bid"))
    for seat, answer in answers.items():
        assert isinstance(answer, Choice)
        ask.tell(say("{who} bids {card}", who=Text(seat), card=answer.value))
        if answer.value != "none":
            left = tuple(card for card in state.hands[seat] if card != answer.value)
            state = msgspec.structs.replace(gained(state, seat, 5), hands={**state.hands, seat: left})
    return state


YES_NO = (Option("yes", say("Yes")), Option("no", say("No")))


def spell(state: State, seat: str, ask: Ask) -> State:
    ask.tell(say("a spell"))
    if ask.choose(other(seat), YES_NO, "counter", say("Counter it?"), patience=5, silence="no") == "yes":
        return state
    faces = ask.throw(1, 6, "casting", say("Cast"), by=seat, clause="TOY-2")
    ask.tell(say("cast"), "TOY-2", sum(faces), faces=faces)
    return gained(state, seat, sum(faces))


def rush(state: State, ask: Ask, *, calm: bool) -> State:
    questions: dict[str, Any] = {
        seat: Choose("duck", say("Duck?"), seat, YES_NO, patience=patience, silence="no" if patience else None)
        for seat, patience in (("red", 5), ("blue", 0 if calm else 8))
    }
    for seat, answer in ask.together(questions, "ducks", say("Who ducks?")).items():
        assert isinstance(answer, Choice)
        ask.tell(say("{who} ducks: {answer}", who=Text(seat), answer=answer.value))
    return state


def race(state: State, ask: Ask) -> State:
    for lap in ("first", "second"):
        (card,) = ask.draw(CARDS, 1, f"{lap}_card", say("Turn up"), by="red")
        ask.tell(say("turned up {card}", card=card))
        throws = {seat: Throw(lap, say("Run"), seat, 1, 6, "TOY-4") for seat in SEATS}
        for seat, answer in ask.together(throws, lap, say("Race")).items():
            assert isinstance(answer, Faces)
            ask.tell(Text(seat), "TOY-4", faces=answer.faces)
            state = gained(state, seat, answer.faces[0])
    return state


def choose(seat: str, options: tuple[Option, ...]) -> Any:
    hand = ", ".join(option.value for option in options)
    return Choose("bid", say("What do you bid: {hand}?", hand=hand), seat, options)


def shot(at: str, size: int, *, turned: bool = False) -> Chart:
    """Where a shot comes down: on the square it is aimed at, on one beside it, or off the board."""
    files, ranks = "abcdefghijklmnop"[:size], tuple(str(rank) for rank in range(1, size + 1))
    file, rank = files.index(at[0]), int(at[1:])
    aim = Bar(say("on {square}", square=at), Fraction(1, 3), at)
    beside = [Bar(Text(place), Fraction(1, 12), place) for place in (f"{files[file + 1]}{rank}", f"{at[0]}{rank + 1}")]
    never = Bar(Text("a1"), Fraction(0), "a1")
    rest = 1 - sum(bar.chance for bar in (aim, *beside))
    return Chart(
        say("Where it lands"), (never, aim, *beside, Bar(say("off the board"), rest)), Map(tuple(files), ranks, turned)
    )


class Toy(PlainGame):
    slug = "toy"
    name = say("Toy")
    summary = say("A toy.")
    rulebook = Rulebook()
    words = Words()
    options = Options
    state = State
    actions = Add | Pass | Roll | Draw | Hit | Bid | Peek | Race | Spell | Rush | Shoot | Stop
    lookups: ClassVar[dict[str, Lookup]] = {}
    starts = (Start("short", say("Short"), say("A short one."), "die", {"goal": 3}),)

    def roles(self, options: Options) -> tuple[Role, ...]:
        return tuple(Role(seat, Text(seat)) for seat in SEATS)

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        state = State(options.goal, dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, ()))
        if options.mood == "wild":
            first = ask.throw(1, 2, "first", say("Who begins?"), by="red")
            state = msgspec.structs.replace(state, turn=SEATS[first[0] - 1])
        return Ruling(state, say("Ready"))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        if state.over or seat not in SEATS:
            return ()
        points = Field("points", say("Points"), "number", value=1, high=9)
        turn = (
            Offer("add", say("Add"), fields=(points,)),
            Offer("roll", say("Roll"), {"dice": 2}, chancy=True),
        )
        return (
            *(turn if state.turn == seat else ()),
            Offer("stop", say("Stop"), grave=True, asks=say("Does the game stop?")),
        )

    def rule(self, state: State, seat: str, action: Any, ask: Ask) -> Ruling[State]:
        if state.over:
            raise Refusal(say("It is over."), "TOY-9")
        if seat not in SEATS:
            raise Refusal(say("You do not play."), "TOY-1", "seat")
        if isinstance(action, Add | Pass | Roll | Draw) and state.turn != seat:
            raise Refusal(say("It is not your turn."), "TOY-1")
        return self.do(state, seat, action, ask)

    def do(self, state: State, seat: str, action: Any, ask: Ask) -> Ruling[State]:
        match action:
            case Add(points=points, note=note):
                notes = (*state.notes, note)[-400:] if note else state.notes
                after = msgspec.structs.replace(gained(state, seat, points), notes=notes)
            case Pass():
                after = msgspec.structs.replace(state, turn=other(seat))
            case Roll(dice=dice):
                faces = ask.throw(dice, 6, "roll", say("Roll"), by=seat, clause="TOY-2")
                ask.tell(say("points"), "TOY-2", sum(faces), faces=faces)
                after = gained(state, seat, sum(faces))
            case Draw(count=count):
                cards = ask.draw(state.pile, count, "cards", say("Draw"), by=seat, secret=True)
                ask.tell(say("{count} card drawn|{count} cards drawn", count=count))
                for card in cards:
                    ask.tell(say("You drew {card}", card=card), seat=seat)
                pile = tuple(card for card in state.pile if card not in cards)
                hands = {**state.hands, seat: tuple(sorted((*state.hands[seat], *cards)))}
                after = msgspec.structs.replace(state, pile=pile, hands=hands)
            case Hit():
                after = hit(state, seat, ask)
            case Bid():
                after = bid(state, ask)
            case Peek():
                for card in state.hands[other(seat)]:
                    ask.tell(say("They have {card}", card=card), seat=seat)
                return Ruling(state, say("A peek"), tuple(ask.reasons), reveals=True)
            case Race():
                after = race(state, ask)
            case Spell():
                after = spell(state, seat, ask)
            case Rush(calm=calm):
                after = rush(state, ask, calm=calm)
            case Shoot(at=at):
                faces = ask.throw(1, 6, "shot", say("Shoot"), by=seat)
                ask.tell(say("at {square}", square=at), faces=faces)
                after = gained(state, seat, faces[0])
            case Stop():
                after = msgspec.structs.replace(state, over=True)
        return Ruling(after, say("{who} acts", who=Text(seat)), tuple(ask.reasons))

    def view(self, state: State, seat: str) -> View:
        hand = " ".join(state.hands.get(seat, ()))
        rows = (
            (say("points"), say("{red} to {blue}", red=state.points["red"], blue=state.points["blue"])),
            (say("pile"), say("{count}", count=len(state.pile))),
            (say("hands"), say("{red}, {blue}", red=len(state.hands["red"]), blue=len(state.hands["blue"]))),
            (say("hand"), Text("{cards}", {"cards": hand})),
        )
        return View(say("Play"), () if state.over else (state.turn,), (Facts(say("Toy"), rows),), over=state.over)

    def foresee(self, state: State, seat: str, action: Any) -> tuple[Chart, ...]:
        match action:
            case Roll():
                return (Chart(Text(seat), (Bar(say("any"), Fraction(1)),)),)
            case Shoot(at=at):
                return (shot(at, 8, turned=seat == "blue"),)
        return ()

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        cards = tuple(Option(card, Text(card)) for card in CARDS)
        points = tuple(
            Tracked(
                f"points.{seat}",
                say("Points"),
                Field("value", Text(seat), "number", value=state.points[seat], high=999),
            )
            for seat in SEATS
        )
        hands = tuple(
            Tracked(
                f"hand.{seat}",
                say("Hand"),
                Field("value", Text(seat), "many", cards, state.hands[seat]),
                seat,
            )
            for seat in SEATS
        )
        turn = Field("value", say("turn"), "choice", tuple(Option(seat, Text(seat)) for seat in SEATS), state.turn)
        over = Field("value", say("over"), "yes_no", value=state.over)
        barred = (Option("x", say("x"), barred=Reason(say("Not x."), "TOY-8")), Option("y", say("y")))
        odd = Field("value", say("odd"), "choice", barred, "y")
        return (
            *points,
            *hands,
            Tracked("turn", say("Turn"), turn),
            Tracked("over", say("Turn"), over),
            Tracked("odd", say("Turn"), odd),
        )

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        part, _, seat = path.partition(".")
        match part:
            case "points":
                return msgspec.structs.replace(state, points={**state.points, seat: int(value)})
            case "hand":
                hand = tuple(card for card in value.split(",") if card)
                return msgspec.structs.replace(state, hands={**state.hands, seat: hand})
            case "turn":
                return msgspec.structs.replace(state, turn=msgspec.convert(value, Literal["red", "blue"]))
            case _:
                return msgspec.structs.replace(state, over=value == "true")


TOY: Any = Toy()


class Aim(msgspec.Struct, frozen=True):
    size: Literal[8, 16] = 8
    at: Literal["c3", "e5"] = "c3"


def aimed(facts: Aim, ask: Ask) -> Ruling[Aim]:
    faces = ask.throw(1, 6, "shot", say("Shoot"), by="red")
    ask.tell(say("at {square}", square=facts.at), faces=faces)
    return Ruling(facts, say("Shot"), tuple(ask.reasons))


class Range(Toy):
    """Toy with spells and shots on offer, and a look-up for where a shot lands."""

    slug = "range"
    lookups: ClassVar[dict[str, Lookup]] = {
        "shot": Lookup("shot", say("Shot"), Aim, aimed, lambda facts: (shot(facts.at, facts.size),))
    }

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        mine = (Offer("spell", say("Spell")), Offer("shoot", say("Shoot"), {"at": "c3"}, chancy=True))
        return (*super().offers(state, seat), *(mine if state.turn == seat else ()))


RANGE: Any = Range()

"""Play random legal games of any game and watch what has to hold for all of them.

``python -m tests.support.conformance N`` plays N of each.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import msgspec
from msgspec import inspect

from companion.games import discover
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask, Pending
from companion.kit.correction import Tracked, written
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Hand, View
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Instant, Moment, Question, Sealed, Throw
from companion.kit.ruling import Refusal, Ruling
from companion.table.views import readable
from tests.support.button_labels import Buttons
from tests.support.piece_corrections import begin_soundly
from tests.support.watch import Watch

NOON, HOUR = 1_800_000_000_000, 3_600_000
"""Milliseconds of the epoch; a table's clock can be set back."""


def random_options(game: Any, rng: random.Random) -> Any:
    """Any combination of a game's options."""
    described = inspect.type_info(game.options)
    assert isinstance(described, inspect.StructType)
    return game.options(**{field.name: random_value(field.type, rng) for field in described.fields})


def random_value(kind: inspect.Type, rng: random.Random) -> Any:
    match kind:
        case inspect.Metadata():
            return random_value(kind.type, rng)
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.LiteralType():
            return rng.choice(kind.values)
        case inspect.IntType():
            low = kind.ge if kind.ge is not None else 0
            return rng.randint(low, min(kind.le if kind.le is not None else low + 10, low + 10))
        case inspect.VarTupleType(item_type=inspect.LiteralType() as among):
            return tuple(value for value in among.values if rng.random() < 0.5)
        case inspect.StrType(pattern=str()):
            return ""
        case inspect.StrType():
            return "x"
    raise AssertionError(f"options of kind {kind} are not understood here")


def answer(question: Question, rng: random.Random) -> Answer:
    """Answer a question at random, legally."""
    match question:
        case Throw():
            return Faces(question.key, tuple(rng.randint(1, question.sides) for _ in range(question.count)), "app")
        case Draw():
            cards = tuple(rng.sample(question.pile, question.count))
            return Cards(question.key, cards, question.by if question.secret else None)
        case Choose():
            options = [option.value for option in question.options if option.barred is None]
            return Choice(question.key, rng.choice(options), question.seat)
        case Moment():
            return Instant(question.key, NOON + rng.randint(-HOUR, 100 * HOUR))
    answers: dict[str, Faces | Choice] = {}
    for seat, part in question.questions.items():
        given = answer(part, rng)
        assert isinstance(given, Faces | Choice)
        answers[seat] = given
    return Sealed(question.key, answers)


def settle(rule: Any, rng: random.Random, check: Watch | None = None) -> tuple[Ruling[Any], list[Answer]]:
    """Run a rule to its end, answering at random; returns the ruling and the answers given."""
    answers: list[Answer] = []
    while True:
        ask = Ask(answers)
        try:
            ruling = rule(ask)
        except Pending as pending:
            if check is not None:
                check.texts(pending.question)
                check.texts(pending.reasons)
                check.progress(pending.progress)
            answers.append(answer(pending.question, rng))
        else:
            ask.finish()
            return ruling, answers


class Redraw(Ask):
    """Give the answers that were given, but draw other cards in secret; remember what was asked of whom."""

    def __init__(self, answers: list[Answer], rng: random.Random | None) -> None:
        super().__init__(answers)
        self.rng = rng
        self.asked: list[Question] = []
        self.shown: list[Any] = []

    def progress(self, state: Any) -> None:
        self.shown.append(state)

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        given = super().answer(question)
        if self.rng is not None and isinstance(question, Draw) and question.secret:
            return answer(question, self.rng)
        return given


def filled(offer: Offer, rng: random.Random) -> dict[str, Any]:
    """An offered action with its choices made at random, within its budget."""
    values: dict[str, Any] = {}
    left = offer.budget.points if offer.budget else 0
    for field in offer.fields:
        most = min(field.high, left // field.cost) if field.cost else field.high
        values[field.name] = chosen(msgspec.structs.replace(field, high=most), rng)
        left -= field.cost * values[field.name] if field.cost else 0
    return {"action": offer.action, **offer.given, **values}


def any_value(field: Field, rng: random.Random) -> str:
    """Any value that fits a field, as a correction sends it."""
    match field.kind:
        case "number":
            return str(rng.randint(field.low, min(field.high, field.low + 20)))
        case "yes_no":
            return rng.choice(["true", "false"])
        case "many":
            values = [option.value for option in field.options]
            return ",".join(rng.sample(values, min(len(values), rng.randint(0, 4))))
        case "file":
            return written(field)
    return rng.choice([option.value for option in field.options])


def chosen(field: Field, rng: random.Random) -> Any:
    match field.kind:
        case "choice":
            return rng.choice([option.value for option in field.options if option.barred is None])
        case "many":
            return [option.value for option in field.options if option.barred is None and rng.random() < 0.5]
        case "number":
            return rng.randint(field.low, field.high)
        case "yes_no":
            return rng.random() < 0.5
        case "order":
            return rng.sample([option.value for option in field.options], len(field.options))
        case "file" | "picture":
            return field.value or ""
        case "dice":
            return rng.choice(["d6", "2d6+1d8-1", "4d6kh3", "3d10>=7", "d%", "5d6!", "4d6r1", "3d{1=hit 2=miss}"])
    return "words"


class Sitting:
    """One random game, watched."""

    def __init__(self, game: Any, seed: int, watch: Watch, options: Any = None) -> None:
        self.game, self.watch, self.buttons = game, watch, Buttons(game)
        self.rng = random.Random(seed)
        self.options = random_options(game, self.rng) if options is None else options
        self.roles = [role.id for role in game.roles(self.options)]
        ruling, answers = settle(lambda ask: game.setup(self.options, ask), self.rng, watch)
        assert game.setup(self.options, Ask(answers)) == ruling
        watch.texts(ruling)
        self.state = ruling.outcome
        self.stale: list[dict[str, Any]] = []

    def offers(self) -> list[tuple[str, Offer]]:
        return [(seat, offer) for seat in self.roles for offer in self.game.offers(self.state, seat)]

    def over(self) -> bool:
        return bool(self.game.view(self.state, SCREEN).over)

    def step(self, *, ending: bool = False) -> None:
        """Do one thing that is offered; it must not be refused, and replaying it must come to the same."""
        offered = self.offers()
        plain = [(seat, offer) for seat, offer in offered if offer.grave == ending] or offered
        near = [(seat, offer) for seat, offer in plain if not offer.aside]
        plain = near if near and self.rng.random() < 0.85 else plain
        eager = [(seat, offer) for seat, offer in plain if offer.chancy or offer.main]
        pool = eager if eager and self.rng.random() < 0.6 else plain
        assert pool, f"nobody has anything to do: {self.state}"
        seat, offer = self.rng.choice(pool)
        self.act(seat, filled(offer, self.rng), chancy=offer.chancy, loose=offer.loose)

    def act(self, seat: str, raw: dict[str, Any], *, chancy: bool, loose: bool) -> Ruling[Any] | None:
        """Do what is offered, twice with the same answers; the ruling, None where a loose offer was refused."""
        action = msgspec.convert(raw, self.game.actions, strict=False)
        assert msgspec.json.decode(msgspec.json.encode(action), type=self.game.actions) == action
        before, unchanged = self.state, msgspec.json.encode(self.state)
        try:
            if chancy:
                self.foresee(seat, action)
            ruling, answers = settle(lambda ask: self.game.rule(before, seat, action, ask), self.rng, self.watch)
        except Refusal as refusal:
            if not loose:
                raise
            self.watch.texts(refusal.text)
            return None
        finally:
            assert msgspec.json.encode(before) == unchanged, "a position is in memory: a rule makes a new one"
        again = msgspec.json.decode(msgspec.json.encode(answers), type=list[Answer])
        assert self.game.rule(before, seat, action, Ask(again)) == ruling
        self.watch.texts(ruling)
        self.redraw(seat, action, answers)
        self.state = ruling.outcome
        self.stale.append(raw)
        return ruling

    def redraw(self, seat: str, action: Any, answers: list[Answer]) -> None:
        """Let other cards be drawn in secret: nobody else is told, shown, offered or asked anything else."""
        owners = {given.seat for given in answers if isinstance(given, Cards) and given.seat is not None}
        if not owners:
            return
        one, two = Redraw(answers, None), Redraw(answers, self.rng)
        this, that = (self.game.rule(self.state, seat, action, ask) for ask in (one, two))
        for other in {*self.roles, RULEKEEPER, SCREEN} - owners:
            assert told(this, one, other) == told(that, two, other), f"{other} is told what was drawn"
            for here, there in zip((this.outcome, *one.shown), (that.outcome, *two.shown), strict=True):
                assert self.seen(here, other) == self.seen(there, other), f"{other} sees what was drawn"

    def foresee(self, seat: str, action: Any) -> None:
        charts = self.game.foresee(self.state, seat, action)
        assert charts
        self.watch.texts(charts)
        assert all(0 <= bar.chance <= 1 for chart in charts for bar in chart.bars)

    def look(self) -> None:
        """Look at everything that can be seen: who has something to do, words, clauses, round trips, hidden things."""
        state = self.state
        encoded = msgspec.json.encode(state)
        assert msgspec.json.decode(encoded, type=self.game.state) == state
        assert msgspec.json.encode(msgspec.json.decode(encoded, type=self.game.state)) == encoded
        for seat in (*self.roles, RULEKEEPER, SCREEN):
            view, offers = self.game.view(state, seat), self.game.offers(state, seat)
            self.watch.texts((view, offers))
            begin_soundly(self.game, state, view, seat)
            self.buttons.look(view, tuple(offers), seat, self.game.roles(self.options))
            for offer in offers:
                self.watch.clause(offer.clause)
                if offer.grave and not offer.fields:
                    assert offer.asks, f"{offer.action}: what is confirmed is asked by a whole question"
                if any(field.kind == "file" for field in offer.fields):
                    assert offer.loose, f"{offer.action}: a file is filled in on a page of its own, and checked whole"
                    asked_by_address = offer.chancy, offer.among, offer.keeps
                    assert asked_by_address == (False, None, None), f"{offer.action}: no address holds a file"
            if seat in view.to_move and not view.over:
                assert any(not offer.grave for offer in offers), f"{seat} is to move and can do nothing"
            assert seat != SCREEN or not offers
        assert msgspec.json.encode(state) == encoded, "a position is in memory: looking at it changes nothing"
        self.hidden()
        self.fuzz()

    def seen(self, state: Any, seat: str) -> bytes:
        return msgspec.json.encode((self.game.view(state, seat), self.game.offers(state, seat)))

    def hidden(self) -> None:
        """Change a secret by hand: nobody whose own secrets stay the same may notice."""
        tracked = self.game.tracked(self.state)
        if self.rng.random() < 0.2:
            self.watch.texts(tracked)
        for entry in tracked:
            if entry.field.kind == "number" and entry.field.value is not None:
                assert entry.field.low <= entry.field.value <= entry.field.high, f"{entry.path} is beyond its field"
            swaps = swapped(entry.field, self.rng) if entry.secret_of else None
            if swaps is None:
                continue
            changed = self.corrected(entry.path, swaps)
            now, then = secrets(tracked), secrets(self.game.tracked(changed))
            for seat in (*self.roles, RULEKEEPER, SCREEN):
                before, after = (looked_at(self.game.view(state, seat)) for state in (self.state, changed))
                if now.get(seat) == then.get(seat) and before == after:
                    assert self.seen(changed, seat) == self.seen(self.state, seat), f"{seat} sees {entry.path}"
            assert now[entry.secret_of] != then[entry.secret_of]

    def corrected(self, path: str, value: str) -> Any:
        """The state after a correction; only chance is asked."""
        corrected, answers = settle(lambda ask: self.game.correct(self.state, path, value, ask), self.rng)
        assert all(isinstance(answer, Cards | Faces | Instant) for answer in answers)
        return corrected

    def fuzz(self) -> None:
        """What is out of date or somebody else's is done or refused in words, and nothing else happens."""
        for raw in self.rng.sample(self.stale, min(4, len(self.stale))):
            action = msgspec.convert(raw, self.game.actions, strict=False)
            seat = self.rng.choice([*self.roles, SCREEN])
            try:
                settle(lambda ask, seat=seat, action=action: self.game.rule(self.state, seat, action, ask), self.rng)
            except Refusal as refusal:
                self.watch.texts(refusal.text)
                self.watch.clause(refusal.clause)


def told(ruling: Ruling[Any], ask: Redraw, seat: str) -> bytes:
    """What a seat gets of a ruling and of the questions on its way."""
    asked = [question for question in ask.asked if not isinstance(question, Draw)]
    return msgspec.json.encode((ruling.headline, readable(ruling.reasons, seat), ruling.reveals, asked))


def swapped(field: Field, rng: random.Random) -> str | None:
    """Another value for a secret: one card for another, one choice for another."""
    values = [option.value for option in field.options]
    if field.kind == "many" and isinstance(field.value, tuple):
        others = [value for value in values if value not in field.value]
        if not field.value or not others:
            return None
        gone = rng.choice(field.value)
        return ",".join([*(value for value in field.value if value != gone), rng.choice(others)])
    others = [value for value in values if value != field.value]
    return rng.choice(others) if others else None


def secrets(tracked: tuple[Tracked, ...]) -> dict[str, list[Any]]:
    """What each seat alone may know."""
    found: dict[str, list[Any]] = {}
    for entry in tracked:
        if entry.secret_of is not None:
            found.setdefault(entry.secret_of, []).append(entry.field.value)
    return found


def looked_at(view: View) -> list[str]:
    """The cards that a seat has before its eyes for a while, wherever they lie."""
    return [
        card.code
        for panel in view.panels
        if isinstance(panel, Hand) and panel.whose == "looked_at"
        for card in panel.cards
    ]


def play(game: Any, seed: int, watch: Watch, *, most: int, every: int) -> int:
    """Play one random game to its end: after ``most`` actions somebody gives up. Returns how many there were."""
    sitting = Sitting(game, seed, watch)
    for count in range(most):
        if sitting.over():
            return count
        if count % every == 0:
            sitting.look()
        sitting.step()
    for _ in range(most * 5):
        if sitting.over():
            break
        sitting.step(ending=True)
    assert sitting.over(), "the game does not end"
    sitting.look()
    assert not any(offer for _, offer in sitting.offers())
    return most


def main(games: int) -> None:
    for name, game in discover().items():
        watch = Watch(game)
        actions = sum(play(game, seed, watch, most=400, every=9) for seed in range(games))
        print(f"{name}: {games} games, {actions} actions, nothing refused")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

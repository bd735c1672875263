"""Stored games, played again: their actions, corrections and answers, and what each step came to when recorded."""

from __future__ import annotations

import lzma
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.kit.asking import Ask
from companion.kit.questions import Answer, Question
from companion.kit.ruling import Refusal
from tests.golden.documents import Came, digest, facts, lines, seats_of, seen, sentences, spoken, words
from tests.support.conformance import answer

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from companion.kit.ruling import Ruling

FOLDER = Path(__file__).resolve().parent / "data"
FULL = 3
"""So many games of a kind are kept to be read, too: in English, in Spanish, and in English again."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened: an action as it is stored, or a correction; what was answered; what it came to.

    ``foreseen`` says that its odds were looked at first.
    """

    facts: str
    words: str
    answers: tuple[Answer, ...] = ()
    seat: str = ""
    action: msgspec.Raw = msgspec.Raw()
    correct: tuple[str, str] | None = None
    foreseen: bool = False


class Playthrough(msgspec.Struct, frozen=True):
    """One game from its options on; ``said`` is the digest of all its sentences in both languages."""

    options: msgspec.Raw
    setup: Step
    steps: tuple[Step, ...]
    said: str


class Difference(msgspec.Struct, frozen=True):
    """Where a game played again came to something else: the step (0 is the set-up) and which of the two documents."""

    step: int
    what: Literal["facts", "words", "said", "error"]
    why: str = ""


class Told(Ask):
    """Give the answers that are known, others at random, and remember what was asked and shown."""

    def __init__(self, answers: tuple[Answer, ...], rng: random.Random | None = None) -> None:
        super().__init__(answers)
        self.rng = rng
        self.asked: list[Question] = []
        self.shown: list[Any] = []

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        if self.rng is not None and self.used == len(self.given):
            self.given = (*self.given, answer(question, self.rng))
        return super().answer(question)

    def progress(self, state: Any) -> None:
        super().progress(state)
        self.shown.append(state)


class Replay:
    """A game that is played step by step, from stored answers or, with ``rng``, from new ones."""

    def __init__(self, game: Any, options: bytes, rng: random.Random | None = None) -> None:
        self.game, self.rng = game, rng
        self.options = msgspec.json.decode(options, type=game.options)
        self.seats = seats_of(game, self.options)
        self.state: Any = None
        self.said: set[str] = set()

    def setup(self, answers: tuple[Answer, ...] = ()) -> Came:
        return self._run(lambda ask: self.game.setup(self.options, ask), answers)

    def act(self, seat: str, action: bytes, answers: tuple[Answer, ...] = (), *, foreseen: bool = False) -> Came:
        done = msgspec.json.decode(action, type=self.game.actions)
        try:
            charts = self.game.foresee(self.state, seat, done) if foreseen else ()
        except Refusal as refusal:
            return Came(self.state, refusal=refusal)
        came = self._run(lambda ask: self.game.rule(self.state, seat, done, ask), answers)
        return msgspec.structs.replace(came, charts=charts)

    def correct(self, path: str, value: str, answers: tuple[Answer, ...] = ()) -> Came:
        ask = Told(answers, self.rng)
        try:
            self.state = self.game.correct(self.state, path, value, ask)
        except Refusal as refusal:
            return self._came(ask, refusal=refusal)
        return self._came(ask)

    def again(self, step: Step) -> Came:
        if step.correct is not None:
            return self.correct(*step.correct, step.answers)
        if step.seat:
            return self.act(step.seat, bytes(step.action), step.answers, foreseen=step.foreseen)
        return self.setup(step.answers)

    def documents(self, came: Came) -> tuple[str, str]:
        """The digests of what a step came to; its sentences are remembered."""
        looks = seen(self.game, self.seats, came)
        tracked = self.game.tracked(came.state)
        read = words(looks, came, tracked)
        self.said |= sentences(read)
        return digest(facts(looks, came, tracked)), digest(read)

    def spoken(self) -> str:
        return digest(spoken(self.game, self.said))

    def _run(self, rule: Any, answers: tuple[Answer, ...]) -> Came:
        ask = Told(answers, self.rng)
        try:
            ruling = rule(ask)
        except Refusal as refusal:
            return self._came(ask, refusal=refusal)
        ask.finish()
        self.state = ruling.outcome
        return self._came(ask, ruling)

    def _came(self, ask: Told, ruling: Ruling[Any] | None = None, refusal: Refusal | None = None) -> Came:
        return Came(self.state, ruling, refusal, (), tuple(ask.asked), ask.given, tuple(ask.shown))


def stored(name: str) -> tuple[Playthrough, ...]:
    """The playthroughs of a game."""
    packed = (FOLDER / f"{name}.json.xz").read_bytes()
    return msgspec.json.decode(lzma.decompress(packed), type=tuple[Playthrough, ...])


def store(name: str, played: list[Playthrough]) -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json.xz").write_bytes(lzma.compress(msgspec.json.encode(played), preset=9))


def differences(game: Any, played: Playthrough) -> Iterator[Difference]:
    """Play a stored game again and tell where it comes to something else; after an error it can not go on."""
    replay = Replay(game, bytes(played.options))
    for number, step in enumerate((played.setup, *played.steps)):
        try:
            known, read = replay.documents(replay.again(step))
        except Exception as error:  # noqa: BLE001 - whatever is raised, the game went on here when it was recorded
            yield Difference(number, "error", f"{type(error).__name__}: {error}")
            return
        if known != step.facts:
            yield Difference(number, "facts")
        if read != step.words:
            yield Difference(number, "words")
    if replay.spoken() != played.said:
        yield Difference(len(played.steps), "said")


def reworded(game: Any, played: Playthrough) -> Playthrough:
    """Play a stored game again and take its words as they are now; raise ValueError where its facts are other ones."""
    replay, steps = Replay(game, bytes(played.options)), []
    for number, step in enumerate((played.setup, *played.steps)):
        known, read = replay.documents(replay.again(step))
        if known != step.facts:
            raise ValueError(f"{game.slug}: other facts at step {number}")
        steps.append(msgspec.structs.replace(step, words=read))
    return msgspec.structs.replace(played, setup=steps[0], steps=tuple(steps[1:]), said=replay.spoken())


def text(game: Any, played: Playthrough, language: str) -> str:
    """A stored game to read: what was done, what came of it, and what each seat then saw anew."""
    replay = Replay(game, bytes(played.options))
    told = [f"{game.slug} {bytes(played.options).decode()}"]
    before: dict[str, list[str]] = {seat: [] for seat in replay.seats}
    for number, step in enumerate((played.setup, *played.steps)):
        came = replay.again(step)
        done = " = ".join(step.correct) if step.correct else bytes(step.action).decode()
        told += ["", f"{number}. {step.seat} {done}".rstrip()]
        told += [f"   < {msgspec.json.encode(one).decode()}" for one in came.answers]
        ruled = came.ruling and (came.ruling.headline, came.ruling.reasons)
        said = (came.charts, came.refusal and came.refusal.reason, ruled)
        told += [f"   {line}" for line in lines(game, said, language)]
        for seat in replay.seats:
            now = [*lines(game, (game.view(replay.state, seat), game.offers(replay.state, seat)), language)]
            changed = list(unified_diff(before[seat], now, n=0, lineterm=""))[2:]
            told += [f"   {seat}: {line}" for line in changed if not line.startswith("@@")]
            before[seat] = now
    return "\n".join(told) + "\n"


def languages() -> tuple[str, ...]:
    return ("en", "es", "en")[:FULL]

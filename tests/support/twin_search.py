"""What a seat can do in secret, found by the game's own word, whatever game it is.

Secret is an action, an answer or a correction of which another value changes nothing but what is tracked as the secret
of a seat, or of which nothing is said and nothing stands on the shared screen.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.kit.action import Field, Offer
from companion.kit.asking import Ask, Pending
from companion.kit.correction import Tracked
from companion.kit.game import SCREEN
from companion.kit.questions import Answer, Choice, Choose, Together
from companion.kit.ruling import Refusal
from companion.table.views import readable
from tests.support.conformance import answer, any_value, filled, settle, swapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.kit.ruling import Ruling
    from companion.table.records import ActionWaiting

DULL = 10
"""How often an action is tried with two values that everybody sees before it counts as public."""
TAGS = 3
"""Actions that are tried at once in search of a secret."""
OTHER_WORDS = ("words", "other words", "no words", "more words")


class Secret(NamedTuple):
    """Something that a seat does in secret, in two ways that say the same to all who do not know.

    ``declared`` tells whether the game tracks what differs as somebody's secret.
    """

    kind: str
    seat: str
    path: str
    two: tuple[dict[str, Any], dict[str, Any]]
    knowing: frozenset[str]
    declared: bool


@dataclass
class Census:
    """Count what is secret in a game: what there was, what was found, and what twins differed in.

    Of what is ``listed`` only the choices are secret, and a correction is read by all: it differs where something else
    does first.
    """

    entries: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)
    found: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    twinned: Counter[str] = field(default_factory=Counter)
    planned: Counter[str] = field(default_factory=Counter)
    public: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    compared: int = 0

    def secret(self) -> bool:
        """Whether anything is secret at all."""
        return bool(self.entries or self.questions or self.found)

    def kinds(self) -> set[str]:
        """In what two tables differed."""
        return {*self.twinned, *(f"entry {shape}" for shape in self.reached)}

    def unreached(self) -> set[str]:
        """What is secret and in which no two tables ever differed."""
        missing = {f"entry {shape}" for shape in self.entries - self.reached}
        return missing | ({f"question {key}" for key in self.questions} | self.found) - set(self.twinned)


def shape(path: str, roles: Iterable[str]) -> str:
    """A path or key without the seats and numbers in it."""
    for role in sorted(roles, key=len, reverse=True):
        path = path.replace(role, "@")
    return ".".join("#" if any(map(str.isdigit, part)) else part for part in path.split("."))


def hidden(entry: Tracked) -> str | None:
    return entry.secret_of or entry.only


def public(tracked: Iterable[Tracked]) -> dict[str, Any]:
    """The tracked values that everybody may read."""
    return {entry.path: entry.field.value for entry in tracked if hidden(entry) is None}


def own(tracked: Iterable[Tracked]) -> dict[str, tuple[str, Any]]:
    """The tracked values that one seat alone may read, and whose they are; of some already what they could be."""
    return {
        entry.path: (owner, (entry.field.value, [option.value for option in entry.field.options if entry.only]))
        for entry in tracked
        if (owner := hidden(entry)) is not None
    }


def differing(one: Iterable[Tracked], two: Iterable[Tracked]) -> dict[str, str]:
    """The secrets in which two tables differ, and whose they are."""
    this, that = own(one), own(two)
    none = ("", None)
    return {
        path: this.get(path, none)[0] or that.get(path, none)[0]
        for path in {*this, *that}
        if this.get(path) != that.get(path)
    }


def sizes(tracked: Iterable[Tracked]) -> dict[str, int]:
    """How many cards and the like are hidden where: that is counted by everybody."""
    return {path: len(value[0]) for path, (_, value) in own(tracked).items() if isinstance(value[0], tuple)}


def ruled(game: Any, state: Any, seat: str, raw: Any, luck: int, given: Iterable[Answer] = ()) -> Ruling[Any] | None:
    """What comes of an action, with answers to its first questions and chance for the others; None where refused."""
    answers, rng = list(given), random.Random(luck)
    try:
        action = msgspec.convert(raw, game.actions, strict=False)
        while True:
            try:
                ruling: Ruling[Any] = game.rule(state, seat, action, Ask(answers))
            except Pending as pending:
                answers.append(answer(pending.question, rng))
            else:
                return ruling
    except (Refusal, msgspec.ValidationError):
        return None


class Search:
    """Look for what a seat can do in secret."""

    def __init__(self, game: Any, colours: dict[str, str], rng: random.Random, census: Census) -> None:
        """Search for the seats of a table; seats of one colour are partners."""
        self.game, self.colours, self.rng, self.census = game, colours, rng, census
        self.roles = list(colours)
        self.did: Counter[str] = Counter()
        self.kept: dict[bytes, tuple[Tracked, ...]] = {}

    def tracked(self, state: Any) -> tuple[Tracked, ...]:
        """What a game tracks in a state, worked out once."""
        key = msgspec.json.encode(state)
        if key not in self.kept:
            if len(self.kept) > 20:
                self.kept.clear()
            self.kept[key] = self.game.tracked(state)
        return self.kept[key]

    def differing(self, one: Any, two: Any) -> dict[str, str]:
        return differing(self.tracked(one), self.tracked(two))

    def alike(self, one: Any, two: Any) -> bool:
        """Whether what everybody may read of the tracked values is the same."""
        return public(self.tracked(one)) == public(self.tracked(two))

    def sized(self, one: Any, two: Any) -> bool:
        """Whether as many cards are hidden in each place."""
        return sizes(self.tracked(one)) == sizes(self.tracked(two))

    def forward(self, state: Any, *, eager: bool) -> list[tuple[str, Offer]]:
        """What is offered: what brings the game on first if ``eager``, else what was not done yet."""
        offered = [(seat, offer) for seat in self.roles for offer in self.game.offers(state, seat) if not offer.grave]
        self.rng.shuffle(offered)
        offered.sort(
            key=lambda one: (one[1].aside, eager and not (one[1].main or one[1].chancy), self.did[one[1].action])
        )
        if offered:
            self.did[offered[0][1].action] += 1
        return offered

    def seen(self, state: Any, seat: str) -> bytes:
        return msgspec.json.encode((self.game.view(state, seat), self.game.offers(state, seat)))

    def note(self, state: Any, held: ActionWaiting | None) -> bool:
        """Take down what is secret here; whether anything is."""
        tracked = self.tracked(state)
        entries = {shape(entry.path, self.roles) for entry in tracked if entry.secret_of}
        self.census.entries |= entries
        self.census.listed |= {shape(entry.path, self.roles) for entry in tracked if entry.only} - entries
        if held is None or not isinstance(held.question, Together):
            return bool(entries)
        chosen = [part for part in held.question.questions.values() if isinstance(part, Choose) and len(able(part)) > 1]
        if chosen:
            self.census.questions.add(shape(held.question.key, self.roles))
        return bool(entries or chosen)

    def secrets(self, state: Any, held: ActionWaiting | None) -> list[Secret]:
        """What can be done in secret now, what was done least first."""
        self.note(state, held)
        found = list(self.answers(state, held) if held else (*self.actions(state), *self.corrections(state)))
        self.census.found |= {one.kind for one in found}
        return sorted(found, key=lambda one: self.census.planned[one.kind])

    def actions(self, state: Any) -> Iterator[Secret]:
        offered: dict[tuple[str, str], list[Offer]] = {}
        for seat in self.roles:
            for offer in self.game.offers(state, seat):
                if not offer.grave and self.census.public[offer.action] < DULL:
                    offered.setdefault((seat, offer.action), []).append(offer)
        tags = self.rng.sample(sorted(offered), len(offered))
        tags.sort(key=lambda one: self.census.planned[f"action {one[1]}"])
        for seat, tag in tags[:TAGS]:
            two = self.varied(offered[seat, tag])
            outcomes = [ruled(self.game, state, seat, raw, 7) for raw in two or ()]
            if two is None or None in outcomes:
                continue
            found = self.judged(f"action {tag}", seat, "/actions", two, outcomes)
            self.census.public[tag] += found is None or -DULL
            if found is not None:
                yield found

    def varied(self, offers: list[Offer]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """An offered action with two values of one of its choices; None where there is but one."""
        for _ in range(6):
            offer, other = self.rng.choice(offers), self.rng.choice(offers)
            one, two = (self.worded(offer) for _ in range(2))
            if offer.fields:
                name = self.rng.choice(offer.fields).name
                two = {**one, name: two[name]}
            else:
                two = filled(other, self.rng)
            if sum(one.get(name) != two.get(name) for name in {*one, *two}) == 1:
                return one, two
        return None

    def worded(self, offer: Offer) -> dict[str, Any]:
        """An offered action with choices made at random, and other words than those there."""
        raw = filled(offer, self.rng)
        for asked in offer.fields:
            if asked.kind == "text":
                raw[asked.name] = self.rng.choice(OTHER_WORDS)
            elif asked.kind == "file" and isinstance(asked.value, str):
                raw[asked.name] = self.rewritten(asked.value)
        return raw

    def rewritten(self, text: str) -> str:
        """A text with another digit somewhere."""
        digits = [at for at, letter in enumerate(text) if letter.isdigit()]
        at = self.rng.choice(digits) if digits else len(text)
        return text[:at] + self.rng.choice("123456789") + text[at + 1 :] if digits else text

    def answers(self, state: Any, held: ActionWaiting) -> Iterator[Secret]:
        key = f"question {shape(held.question.key, self.roles)}"
        for seat, part in held.unanswered:
            values = able(part) if isinstance(part, Choose) else []
            if len(values) < 2:
                continue
            one, two = self.rng.sample(values, 2)
            both = {"value": one}, {"value": two}
            if isinstance(held.question, Together):
                if len(held.unanswered) > 1:
                    yield Secret(key, seat, "/answers", both, frozenset({seat}), declared=True)
                continue
            outcomes = [
                ruled(self.game, state, held.seat, held.action, 7, (*held.answers, Choice(part.key, value, seat)))
                for value in (one, two)
            ]
            found = None if None in outcomes else self.judged(key, seat, "/answers", both, outcomes)
            if found is not None:
                yield found

    def corrections(self, state: Any) -> Iterator[Secret]:
        entries = [entry for entry in self.tracked(state) if entry.secret_of in self.roles]
        self.rng.shuffle(entries)
        entries.sort(key=lambda entry: self.census.planned[f"correction {shape(entry.path, self.roles)}"])
        for entry in entries[:1]:
            after = {value: self.corrected(state, entry.path, value) for value in self.values(entry.field)}
            two = self.unlike([(value, found) for value, found in after.items() if found not in (None, state)])
            if two is None:
                continue
            one, other = (after[value] for value in two)
            sent = [{"path": entry.path, "value": value} for value in two]
            knowing = frozenset({str(entry.secret_of), *self.differing(one, other).values()})
            kind = f"correction {shape(entry.path, self.roles)}"
            yield Secret(kind, str(entry.secret_of), "/corrections", (sent[0], sent[1]), knowing, declared=True)

    def unlike(self, ways: list[tuple[str, Any]]) -> tuple[str, str] | None:
        """Two values after which the tables differ in nothing that everybody may read."""
        for (one, this), (two, that) in combinations(ways, 2):
            if this != that and self.alike(this, that) and self.sized(this, that):
                return one, two
        return None

    def values(self, asked: Field) -> list[str]:
        """Some values that a hidden place may be set to; of cards as many as there are."""
        if asked.kind == "many":
            return sorted({value for _ in range(4) if (value := swapped(asked, self.rng)) is not None})
        return sorted({any_value(asked, self.rng) for _ in range(4)})

    def corrected(self, state: Any, path: str, value: str) -> Any:
        try:
            after, _ = settle(lambda ask: self.game.correct(state, path, value, ask), random.Random(7))
        except (Refusal, msgspec.ValidationError):
            return None
        return after

    def partners(self, seat: str) -> list[str]:
        """Seats of the same colour: what the game does not track as one's own they may learn from each other."""
        colour = self.colours[seat]
        return [other for other in self.roles if colour and self.colours[other] == colour]

    def judged(self, kind: str, seat: str, path: str, two: tuple[Any, Any], outcomes: list[Any]) -> Secret | None:
        """The pair as a secret, if it is one by the game's own word."""
        one, other = outcomes
        this, that = one.outcome, other.outcome
        if this == that or not self.alike(this, that):
            return None
        mute, blank = said(one) == said(other), self.seen(this, SCREEN) == self.seen(that, SCREEN)
        owners = set(self.differing(this, that).values())
        if owners:
            # Two of the game's three words are enough: what is tracked, what is told, what is shown to all.
            if self.sized(this, that) and (mute or blank):
                return Secret(kind, seat, path, two, frozenset({seat, *owners}), declared=True)
            return None
        if not (mute and blank) or self.game.view(this, seat) == self.game.view(that, seat):
            return None
        knowing = {other for other in self.roles if self.seen(this, other) != self.seen(that, other)}
        knowing |= {seat, *self.partners(seat)}
        if knowing >= set(self.roles):
            return None
        return Secret(kind, seat, path, two, frozenset(knowing), declared=False)


def said(ruling: Ruling[Any]) -> bytes:
    """What a ruling tells everybody."""
    return msgspec.json.encode((ruling.headline, readable(ruling.reasons, SCREEN), ruling.reveals, ruling.quiet))


def able(part: Choose) -> list[str]:
    return [option.value for option in part.options if option.barred is None]

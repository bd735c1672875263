"""Play two tables at which a seat has done different things in secret: ``python -m tests.twins N SEED`` does it too.

Chance brings both the same. What is secret is found by the game's own word, whatever game it is: an action, an answer
or a correction of which another value changes nothing but what is tracked as the secret of a seat, or of which nothing
is said and nothing stands on the shared screen. From then on whoever may not know gets the same bytes from both, until
the game opens the difference: by a value that everybody may read, a public draw, sealed answers, or a ruling that
says that it reveals.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import msgspec

from companion.games import discover
from companion.kit.asking import Answer, Ask, Cards, Choice, Choose, Pending, Sealed, Together
from companion.kit.game import RULEKEEPER, SCREEN, Field, Offer, Tracked
from companion.kit.ruling import Refusal
from companion.table.looking import readable
from companion.table.store import Store
from companion.table.tables import Tables
from tests.conformance import answer, any_value, filled, looked_at, random_options, settle, swapped
from tests.twins import MOMENT, OF_THE_API, OF_THE_TABLE, PAGES, Luck, Twin, Twins, few

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from companion.kit.ruling import Ruling
    from companion.table.records import Held

LONGEST, IDLE = 60, 25
"""Actions within which a table is looked at for secrets, and after how many without any it is left."""
BATCH, BATCHES, LEAST = 6, 12, 4
"""Tables that are played at a time; how often, where something is not reached, and where nothing is secret."""
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


def laid(tables: Tables, table: str) -> tuple[Any, Any, Held | None]:
    """The state of a table, the one that is shown, and what waits for an answer."""
    with tables._look(table) as sitting:
        return sitting.state, sitting.shown, sitting.row.held


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

    def note(self, state: Any, held: Held | None) -> bool:
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

    def secrets(self, state: Any, held: Held | None) -> list[Secret]:
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

    def answers(self, state: Any, held: Held) -> Iterator[Secret]:
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


class Base:
    """One random table, up to where something can be done in secret."""

    def __init__(self, game: Any, tables: Tables, seed: int, census: Census) -> None:
        self.game, self.tables, self.keys = game, tables, count(1)
        self.rng, self.eager = random.Random(seed), 0.5
        options = few(random_options(game, self.rng))
        made = tables.create(game.slug, "", msgspec.to_builtins(options), {})
        self.id = made.table
        colours = {role.id: role.colour for role in game.roles(options)}
        self.roles = list(colours)
        self.tokens = {**made.tokens, **{seat: tables.join(made.table, seat, seat) for seat in self.roles}}
        self.search = Search(game, colours, self.rng, census)

    def secret(self, *, new: bool) -> Secret | None:
        """Play until something can be done in secret; of a kind that no table has been planned for if it is ``new``."""
        planned, idle = self.search.census.planned, 0
        first, self.eager = (self.rng.randrange(LONGEST), 0.9) if new else (0, 0.5)
        for number in range(LONGEST + IDLE):
            state, _, held = laid(self.tables, self.id)
            found = self.search.secrets(state, held) if number >= first else []
            if found and not (new and planned[found[0].kind]):
                planned[found[0].kind] += 1
                return found[0]
            idle = 0 if found or self.search.note(state, held) else idle + 1
            if idle > IDLE or not self.step(state, held):
                break
        return None

    def step(self, state: Any, held: Held | None) -> bool:
        """Do one thing that is offered; False when nothing is."""
        key = f"base-{next(self.keys)}"
        if held is not None:
            seat, part = held.unanswered[0]
            given = {"value": self.rng.choice(able(part))} if isinstance(part, Choose) else {"roll": True}
            self.tables.answer(self.id, seat, given, key)
            return True
        for seat, offer in self.search.forward(state, eager=self.rng.random() < self.eager)[:5]:
            try:
                self.tables.act(self.id, seat, filled(offer, self.rng), key)
            except Refusal:
                continue
            return True
        return False


class Apart(Twins):
    """Two tables that are the same but for what one seat did in secret."""

    def __init__(self, base: Base, both: list[Twin], secret: Secret, seed: int) -> None:
        self.game, self.both, self.roles = base.game, both, base.roles
        self.rng, self.keys, self.compared = random.Random(seed), count(1), 0
        self.search = Search(base.game, base.search.colours, self.rng, base.search.census)
        self.seats = (*self.roles, RULEKEEPER, SCREEN)
        self.knowing: set[str] = set()
        self.done: list[dict[str, Any]] = []
        self.open, self.declared, self.actor = False, True, ""
        for twin in both:
            twin.sit(base.id, base.tokens)
        self.begin(secret)

    def look(self, *, whole: bool) -> None:
        """Look at both tables from every seat that may see no difference, in some of all the ways."""
        pages, of_api = (PAGES, OF_THE_API) if whole else (PAGES[:2], OF_THE_API[:1])
        for seat in self.blind():
            tongue = self.rng.choice(("es", "en"))
            for path in self.rng.sample(pages, 4 if whole else 1):
                self.everywhere("page", seat, path, tongue)
            for path in self.rng.sample(of_api, 3 if whole else 1):
                self.everywhere("api", seat, path)
            if whole:
                self.everywhere("answered", seat, f"/t/{self.both[0].id}{self.rng.choice(OF_THE_TABLE)}")

    def versions(self) -> list[int]:
        return [twin.tables.version(twin.id) for twin in self.both]

    def laid(self) -> list[tuple[Any, Any, Held | None]]:
        return [laid(twin.tables, twin.id) for twin in self.both]

    def begin(self, secret: Secret) -> None:
        """Let the seat do one thing here and another thing there."""
        self.chance()
        key = f"apart-{next(self.keys)}"
        what = {"/actions": "action", "/answers": "answer"}.get(secret.path)
        for twin, sent in zip(self.both, secret.two, strict=True):
            body = {what: sent, "key": key} if what else {**sent, "key": key}
            told = twin.api(secret.seat, secret.path, body)
            assert told.startswith("200"), told
        self.secret = secret
        self.knowing |= secret.knowing
        self.declared = self.declared and secret.declared
        self.seen_at = self.versions()
        self.count()
        self.search.census.twinned[secret.kind] += 1
        if self.is_opened():
            self.open = True
            self.knowing |= set(self.seats)
        self.look(whole=True)
        self.pry_into(secret)

    def count(self) -> None:
        """Take down in which secrets the two differ now."""
        (_, one, _), (_, two, _) = self.laid()
        for path, owner in self.search.differing(one, two).items():
            self.search.census.reached.add(shape(path, self.roles))
            self.knowing.add(owner)

    def chance(self) -> None:
        seed = self.rng.randrange(10**9)
        for twin in self.both:
            twin.forget_chance(seed)

    def everywhere(self, method: str, seat: str, /, *what: Any, **form: str) -> None:
        self.actor = seat
        super().everywhere(method, seat, *what, **form)

    def look_who_knows(self) -> None:
        """Whoever may read a secret in which the two differ may see that, and everybody what was opened."""
        versions = self.versions()
        if versions == self.seen_at:
            return
        self.seen_at = versions
        refused = versions[0] != versions[1]
        if refused and self.actor not in self.knowing:
            return  # one table took what the other refused: that alone tells the difference to who may not know
        if refused or self.is_opened():
            self.open = True
            self.knowing |= set(self.seats)
            return
        self.count()
        (_, one, _), (_, two, _) = self.laid()
        for seat in (*self.roles, RULEKEEPER):
            if looked_at(self.game.view(one, seat)) != looked_at(self.game.view(two, seat)):
                self.knowing.add(seat)

    def is_opened(self) -> bool:
        """Whether the game says by now, in words that are not for one seat, what differs."""
        (_, one, held), (_, two, other) = self.laid()
        if not self.search.alike(one, two):
            return True
        if drawn(held.answers if held else ()) != drawn(other.answers if other else ()):
            return True
        told = [self.newest(twin) for twin in self.both]
        if any(reveals for reveals, _ in told) or told[0][1] != told[1][1]:
            return True
        # What the game does not track is open as soon as somebody else sees it, as a card that was laid open.
        others = () if self.declared else (SCREEN, *self.blind())
        return any(self.search.seen(one, seat) != self.search.seen(two, seat) for seat in others)

    def newest(self, twin: Twin) -> tuple[bool, Any]:
        """Whether the newest entry reveals by the game's word, and what was drawn or opened in it for all."""
        with twin.tables._store.read() as books:
            (entry,) = books.entries(twin.id, newest := twin.tables.seen(twin.id, SCREEN).log[0].seq, newest)
            if entry.kind != "action" or entry.action is None:
                return False, ()
            (base,) = books.entries(twin.id, entry.base, entry.base)
            before = msgspec.json.decode(base.state or "", type=self.game.state)
        action = msgspec.convert(entry.action, self.game.actions)
        ruling = self.game.rule(before, entry.seat, action, Ask(entry.answers))
        return ruling.reveals, drawn(entry.answers)

    def pry_into(self, secret: Secret) -> None:
        """Try from every other seat what was done in secret."""
        for seat in self.blind():
            for sent in secret.two:
                if seat not in self.knowing:
                    self.try_it(seat, secret.path, sent)

    def try_it(self, seat: str, path: str, sent: dict[str, Any]) -> None:
        key = f"pry-{next(self.keys)}"
        if path == "/actions":
            self.page_of(seat, sent)
        if seat == SCREEN:
            return
        what = {"/actions": "action", "/answers": "answer"}.get(path)
        self.chance()
        self.everywhere("api", seat, path, {what: sent, "key": key} if what else {**sent, "key": key})
        if path == "/corrections" and not self.open:
            self.everywhere("api", seat, "/undo", {"key": f"{key}-back"})

    def page_of(self, seat: str, sent: dict[str, Any]) -> None:
        do = urlencode({name: value for name, value in sent.items() if value is not None}, doseq=True)
        if len(do) < 2000:
            self.everywhere("page", seat, f"/plan?do={do}", "en")

    def step(self) -> bool:
        """Do the same at both tables, or another secret thing; False when nothing can be done at both."""
        (state, _, held), (other, _, waits) = self.laid()
        if (held is None) != (waits is None):
            return False
        for secret in self.search.secrets(state, held)[:1] if held or self.rng.random() < 0.5 else []:
            if not self.search.census.twinned[secret.kind] and self.fits(secret, other, waits):
                self.search.census.planned[secret.kind] += 1
                self.begin(secret)
                return True
        if held is not None and waits is not None:
            return self.reply(held, waits)
        return self.act_alike(state, other)

    def fits(self, secret: Secret, other: Any, waits: Held | None) -> bool:
        """Whether what was found at the first table can be done at the second."""
        sent = secret.two[1]
        if secret.path == "/actions":
            return ruled(self.game, other, secret.seat, sent, 7) is not None
        if secret.path == "/corrections":
            entry = next((one for one in self.search.tracked(other) if one.path == sent["path"]), None)
            options = {option.value for option in entry.field.options} if entry else set()
            able_there = entry is not None and (not options or options.issuperset(sent["value"].split(",")))
            return able_there and self.search.corrected(other, sent["path"], sent["value"]) is not None
        parts = dict(waits.unanswered) if waits else {}
        part = parts.get(secret.seat)
        return isinstance(part, Choose) and sent["value"] in able(part)

    def reply(self, held: Held, waits: Held) -> bool:
        there = dict(waits.unanswered)
        for seat, part in held.unanswered:
            if isinstance(part, Choose) and isinstance(same := there.get(seat), Choose):
                values = [value for value in able(part) if value in able(same)]
                if values:
                    self.alike(seat, "/answers", {"answer": {"value": self.rng.choice(values)}})
                    return True
        return False

    def act_alike(self, state: Any, other: Any) -> bool:
        """Do something at both tables that leaves the difference between them as it is."""
        for seat, offer in self.search.forward(state, eager=True)[:8]:
            raw = filled(offer, self.rng)
            this, that = (ruled(self.game, one, seat, raw, 7) for one in (state, other))
            if this and that and (this.outcome != that.outcome or state == other):
                self.alike(seat, "/actions", {"action": raw})
                return True
        return False

    def alike(self, seat: str, path: str, sent: dict[str, Any]) -> None:
        self.chance()
        self.everywhere("api", seat, path, {**sent, "key": f"alike-{next(self.keys)}"})

    def play(self, most: int) -> None:
        """Go on until the difference is opened, or nothing can be done at both tables."""
        for number in range(most):
            if self.open or not self.blind() or not self.step():
                break
            self.look(whole=number % 8 == 7)
        for path in ("/undo", "/consent", "/answer", "/rename"):
            for seat in self.blind():
                self.everywhere("posted", seat, path, key=f"key-{next(self.keys)}", name=seat, value="x")
        self.look(whole=True)
        self.search.census.compared += self.compared


def drawn(answers: Iterable[Answer]) -> list[Any]:
    """What was drawn and answered before everybody's eyes."""
    return [one for one in answers if (isinstance(one, Cards) and one.seat is None) or isinstance(one, Sealed)]


def play(game: Any, seed: int, folder: Path, census: Census, *, tables: int, most: int = 12) -> None:
    """Play some pairs of tables; the census takes down in what of the game's secrets they differed."""
    store = Store(folder / "1" / "tables.sqlite")
    made = Tables(store, {game.slug: game}, random.Random(seed), now=lambda: MOMENT)
    ready = []
    for number in range(tables):
        base = Base(game, made, seed + number, census)
        secret = base.secret(new=number % 2 == 1)
        if secret is not None:
            ready.append((base, secret))
    store.close()
    if not ready:
        return
    shutil.copytree(folder / "1", folder / "2")
    both = []
    for name in ("1", "2"):
        luck = Luck(seed)
        luck.swap, luck.soon, luck.late, luck.wait = {}, "", "", 0
        both.append(Twin(game, folder / name, ready[0][0].id, ready[0][0].tokens, luck))
    for number, (base, secret) in enumerate(ready):
        census.pairs += 1
        Apart(base, both, secret, seed + number).play(most)


def until(game: Any, seed: int, folder: Path, *, answers: int, kinds: Collection[str] = ()) -> Census:
    """Play pairs of tables until they differed in all that is secret and so many answers were compared."""
    census = Census()
    for batch in range(BATCHES):
        play(game, seed + batch * BATCH, folder / str(batch), census, tables=BATCH)
        if census.compared >= answers and not census.unreached() and census.kinds().issuperset(kinds):
            break
        if not census.secret() and batch + 1 >= LEAST:
            break
    return census


def main(games: int, seed: int) -> None:
    """Play six pairs of tables of each game as often as two tables with other cards."""
    for name, game in discover().items():
        census = Census()
        for batch in range(games):
            with tempfile.TemporaryDirectory() as folder:
                play(game, seed + batch * BATCH, Path(folder), census, tables=BATCH)
        kinds = ", ".join(f"{kind} {times}" for kind, times in sorted(census.twinned.items())) or "nothing is secret"
        unreached = census.unreached() | {f"choices of {shape}" for shape in census.listed - census.reached}
        missing = ", ".join(sorted(unreached)) or "nothing"
        print(f"{name}: {census.pairs} pairs of tables, {census.compared} answers compared, none differs; "
              f"secret: {kinds}; not reached: {missing}", flush=True)  # fmt: skip

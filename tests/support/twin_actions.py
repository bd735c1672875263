"""Play two tables at which a seat has done different things in secret; ``tests.support.twins`` does it by command too.

Chance brings both the same, and ``tests.support.twin_search`` finds what is secret. From then on whoever may not know
gets the same bytes from both, until the game opens the difference: by a value that everybody may read, a public draw,
sealed answers, or a ruling that says that it reveals.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from companion.games import discover
from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.questions import Answer, Cards, Choose, Sealed
from companion.kit.ruling import Refusal
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.conformance import filled, looked_at, random_options
from tests.support.twin_search import Census, Search, Secret, able, ruled, shape
from tests.support.twins import MOMENT, OF_THE_API, OF_THE_TABLE, PAGES, Luck, Twin, Twins, few

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from companion.table.records import ActionWaiting

LONGEST, IDLE = 60, 25
"""Actions within which a table is looked at for secrets, and after how many without any it is left."""
BATCH, BATCHES, LEAST = 6, 12, 4
"""Tables that are played at a time; how often, where something is not reached, and where nothing is secret."""


def laid(tables: Tables, table: str) -> tuple[Any, Any, ActionWaiting | None]:
    """The state of a table, the one that is shown, and what waits for an answer."""
    with tables._look(table) as sitting:
        return sitting.state, sitting.shown, sitting.row.held


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

    def step(self, state: Any, held: ActionWaiting | None) -> bool:
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

    def laid(self) -> list[tuple[Any, Any, ActionWaiting | None]]:
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

    def fits(self, secret: Secret, other: Any, waits: ActionWaiting | None) -> bool:
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

    def reply(self, held: ActionWaiting, waits: ActionWaiting) -> bool:
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


def play(game: Any, seed: int, folder: Path, census: Census, *, tables: int, most: int = 12) -> Iterator[Census]:
    """Play some pairs of tables; after each the census tells in what of the game's secrets any differed."""
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
        yield census


def until(game: Any, seed: int, folder: Path, *, answers: int, kinds: Collection[str] | None = None) -> Census:
    """Play pairs of tables until so many answers were compared; with ``kinds``, until they differed in those, too.

    With any ``kinds`` they also have to differ in all that is found to be secret.
    """
    census = Census()
    for batch in range(BATCHES):
        for _ in play(game, seed + batch * BATCH, folder / str(batch), census, tables=BATCH):
            reached = kinds is None or (not census.unreached() and census.kinds().issuperset(kinds))
            if census.compared >= answers and reached:
                return census
        if not census.secret() and batch + 1 >= LEAST:
            break
    return census


def main(games: int, seed: int) -> None:
    """Play six pairs of tables of each game as often as two tables with other cards."""
    for name, game in discover().items():
        census = Census()
        for batch in range(games):
            with tempfile.TemporaryDirectory() as folder:
                list(play(game, seed + batch * BATCH, Path(folder), census, tables=BATCH))
        kinds = ", ".join(f"{kind} {times}" for kind, times in sorted(census.twinned.items())) or "nothing is secret"
        unreached = census.unreached() | {f"choices of {shape}" for shape in census.listed - census.reached}
        missing = ", ".join(sorted(unreached)) or "nothing"
        print(
            f"{name}: {census.pairs} pairs of tables, {census.compared} answers compared, none differs; "
            f"secret: {kinds}; not reached: {missing}",
            flush=True,
        )

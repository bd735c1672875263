"""Play two tables that differ in nothing but what is hidden, side by side: ``python -m tests.support.twins N SEED``.

Both have the same code, seats, tokens, clock and dice; only two cards have changed places wherever chance draws in
secret. Whoever was shown neither of the two has to get the same bytes from both, whatever is asked and whatever is
tried: pages in both languages, the live stream, forms, logs, the report, the file, the API, answers and refusals.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from companion import create_app
from companion.games import discover
from companion.kit.action import Field, Offer
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.questions import Answer, Cards, Draw, Throw
from companion.table.store import Store
from companion.table.tables import Tables
from companion.web.state import NAME
from tests.support.conformance import Sitting, filled, looked_at

if TYPE_CHECKING:
    from collections.abc import Iterator

MOMENT = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
FORM_KEY = re.compile(r'(name="key" value=")[^"]*')
OF_A_SEAT = ("", "/live", "/log", "/corrections", "/stock-take", "/pack-up", "/settings", "/invite")
OF_THE_PAST = ("/recap", "/replay", "/replay?at=2", "/replay/marks")
PAGES = (*OF_A_SEAT, *OF_THE_PAST, "/plan?do=action%3Dnone")
STORIES = ("/replay.html", "/replay.json", "/replay.txt")
OF_THE_TABLE = ("", "/report", "/report.md", "/statistics", "/export.json")
OF_THE_API = ("", "/log", "/corrections", "/events", "/statistics", "/recap", "/recap?since=1")


class Luck(random.Random):
    """Chance for which two cards have changed places: one is dealt soon, the other stays in the pile while it can."""

    swap: dict[str, str]
    soon: str
    late: str
    wait: int

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        back = sorted(self.swap.get(one, one) for one in population)
        pile = [card for card in back if card != self.late]
        drawn = super().sample(pile if len(pile) >= k else back, k)
        if self.soon in back:
            self.wait -= 1
            if self.wait < 0 and self.soon not in drawn:
                drawn[0] = self.soon
        return [self.swap.get(one, one) for one in drawn]


class Twin:
    """One of the two tables, and a phone for each of its seats."""

    def __init__(self, game: Any, folder: Path, code: str, tokens: dict[str, str], luck: Luck) -> None:
        self.game = game
        self.app = create_app(folder, games={game.slug: game}, address="http://192.168.7.7:8000")
        self.tables: Tables = self.app.extensions[NAME].tables
        self.tables._luck, self.tables._now = luck, lambda: MOMENT
        self.sit(code, tokens)

    def sit(self, code: str, tokens: dict[str, str]) -> None:
        """Bring new phones to a table, one to each seat."""
        self.id, self.tokens = code, tokens
        self.phones = {seat: self.app.test_client() for seat in (*tokens, SCREEN)}
        for seat, token in tokens.items():
            self.phones[seat].get(f"/s/{code}/{seat}/{token}")

    def held(self, seat: str) -> set[str]:
        """What a seat alone may know."""
        own = [entry.field.value for entry in self.tables.tracked(self.id, seat) if entry.secret_of == seat]
        return set(strings(own)) | set(looked_at(self.tables.seen(self.id, seat).view))

    def opened(self) -> set[str]:
        """What the newest entry drew before everybody's eyes."""
        with self.tables._store.read() as books:
            entry = books.entries(self.id, newest := self.tables.seen(self.id, SCREEN).log[0].seq, newest)[0]
        return {
            card for answer in entry.answers if isinstance(answer, Cards) and not answer.seat for card in answer.cards
        }

    def forget_chance(self, seed: int) -> None:
        """Begin chance anew: what only one of the two tables drew must not change what both draw later."""
        luck = self.tables._luck
        assert isinstance(luck, Luck)
        luck.seed(seed)
        luck.wait = seed % 3
        with self.tables._store.write() as books:
            books._run("delete from fates", ())

    def answered(self, seat: str, address: str, **how: Any) -> str:
        """Everything that comes back: status, headers, body; what a form is named by is chance."""
        answer = self.phones[seat].open(address, **how)
        body = FORM_KEY.sub(r"\1", answer.text)
        return f"{answer.status}\n{answer.headers}\n{body}"

    def page(self, seat: str, path: str, tongue: str) -> str:
        return self.answered(seat, f"/t/{self.id}/{seat}{path}", headers={"Accept-Language": tongue})

    def posted(self, seat: str, path: str, /, **form: str) -> str:
        return self.answered(seat, f"/t/{self.id}/{seat}{path}", method="POST", data=form)

    def api(self, seat: str, path: str, sent: Any = None) -> str:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"} if seat in self.tokens else {}
        how: dict[str, Any] = {} if sent is None else {"method": "POST", "json": sent}
        return self.answered(seat, f"/api/tables/{self.id}{path}", headers=headers, **how)


class Spy:
    """Look for a pile out of which somebody draws in secret."""

    pile: tuple[str, ...] = ()

    def texts(self, value: Any) -> None:
        if isinstance(value, Draw) and value.secret and len(set(value.pile)) > 1:
            self.pile = value.pile

    def clause(self, clause: str | None) -> None:
        pass

    def progress(self, state: Any) -> None:
        pass


class Scout(Sitting):
    """A game played only to find that pile."""

    def redraw(self, seat: str, action: Any, answers: list[Answer]) -> None:
        pass


class Twins:
    """Two tables that are the same but for two cards, played side by side."""

    def __init__(self, game: Any, options: Any, pile: tuple[str, ...], folder: Path, seed: int) -> None:
        self.game, self.rng, self.keys, self.compared = game, random.Random(seed), count(1), 0
        self.universe = sorted(set(pile))
        one, other = self.rng.sample(self.universe, 2)
        self.two = {one, other}
        store = Store(folder / "1" / "tables.sqlite")
        tables = Tables(store, {game.slug: game}, random.Random(seed), now=lambda: MOMENT)
        made = tables.create(game.slug, "", msgspec.to_builtins(options), {})
        self.roles = [role.id for role in game.roles(options)]
        tokens = {**made.tokens, **{seat: tables.join(made.table, seat, seat) for seat in self.roles}}
        store.close()
        shutil.copytree(folder / "1", folder / "2")
        self.both: list[Twin] = []
        for name, swap in (("1", {}), ("2", {one: other, other: one})):
            luck = Luck(seed)
            luck.swap, luck.soon, luck.late, luck.wait = swap, one, other, seed % 3
            self.both.append(Twin(game, folder / name, made.table, tokens, luck))
        self.knowing: set[str] = set()
        self.looked: list[tuple[str, int]] = []
        self.done: list[dict[str, Any]] = []
        self.seats = (*self.roles, RULEKEEPER, SCREEN)

    def look_who_knows(self) -> None:
        """Whoever holds one of the two cards may see a difference from now on."""
        now = [(twin.id, twin.tables.version(twin.id)) for twin in self.both]
        if now == self.looked:
            return
        self.looked = now
        for twin in self.both:
            self.knowing |= {seat for seat in (*self.roles, RULEKEEPER) if twin.held(seat) & self.two}
            if twin.opened() & self.two:
                self.knowing |= set(self.seats)

    def blind(self) -> list[str]:
        return [seat for seat in self.seats if seat not in self.knowing]

    def same(self, what: str, one: str, two: str) -> None:
        self.compared += 1
        if one != two:
            at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
            raise AssertionError(f"{what} differs: {one[max(0, at - 60) :][:120]!r}, {two[max(0, at - 60) :][:120]!r}")

    def everywhere(self, method: str, seat: str, /, *what: Any, **form: str) -> None:
        """Ask both tables the same; a seat that knows neither card gets the same answer."""
        one, two = (getattr(twin, method)(seat, *what, **form) for twin in self.both)
        self.look_who_knows()
        if seat not in self.knowing:
            self.same(f"{seat} {method} {what} {form}", one, two)

    def look(self, *, whole: bool) -> None:
        """Look at both tables from every seat that may see no difference; of a game that is over stories tell all."""
        over = any(twin.tables.summary(twin.id).over for twin in self.both)
        for seat in self.blind():
            for tongue in ("es", "en") if whole else ("es",):
                for path in PAGES if whole else PAGES[:2]:
                    self.everywhere("page", seat, path, tongue)
            for path in STORIES if whole and not over else ():
                self.everywhere("page", seat, path, "es")
            for seq in (1, self.newest()) if whole and not over else ():
                self.everywhere("api", seat, f"/past/state?at={seq}")
            for path in OF_THE_API if whole else OF_THE_API[:2]:
                self.everywhere("api", seat, path)
            for seq in range(1, self.newest() + 1) if whole else ():
                self.everywhere("api", seat, f"/past?at={seq}")
            for path in OF_THE_TABLE if whole else ():
                self.everywhere("answered", seat, f"/t/{self.both[0].id}{path}")

    def newest(self) -> int:
        """The newest entry of the log, which both tables have."""
        return self.both[0].tables.log(self.both[0].id, SCREEN, limit=1)[0].seq

    def act(self) -> bool:
        """Do one thing at both tables that opens neither card; False when there is none."""
        seens = [{seat: twin.tables.seen(twin.id, seat) for seat in self.roles} for twin in self.both]
        for seat in self.roles:
            asked = seens[0][seat].asked
            if asked is not None:
                return self.answer(seat, asked.question, seens[1][seat].asked)
        offered = [(seat, offer) for seat in self.roles for offer in seens[0][seat].offers if not offer.grave]
        self.rng.shuffle(offered)
        offered.sort(key=lambda one: not (one[1].main or one[1].chancy) or self.rng.random() < 0.3)
        for seat, offer in offered:
            there = [(other.action, other.given) for other in seens[1][seat].offers]
            wanted = filled(offer, self.rng)
            if (offer.action, offer.given) in there and not self.two & set(strings(wanted)):
                self.everywhere("api", seat, "/actions", {"action": wanted, "key": f"key-{next(self.keys)}"})
                self.done.append(wanted)
                return True
        return False

    def meddle(self) -> None:
        """Try out of turn what was done before."""
        one = self.both[0]
        for seat in sorted(set(self.blind()).difference(one.tables.seen(one.id, SCREEN).view.to_move)):
            self.forge(seat, self.rng.choice(self.done))

    def answer(self, seat: str, question: Any, same: Any) -> bool:
        given: dict[str, Any] = {"roll": True}
        if not isinstance(question, Throw):
            there = [option.value for option in same.question.options if option.barred is None] if same else []
            able = [option.value for option in question.options if option.barred is None and option.value in there]
            able = [value for value in able if value not in self.two]
            if not able:
                return False
            given = {"value": self.rng.choice(able)}
        self.everywhere("api", seat, "/answers", {"answer": given, "key": f"key-{next(self.keys)}"})
        return True

    def pry(self) -> None:
        """Try what is not allowed, ask for what is hidden, set it by hand, take things back: it looks the same."""
        one = self.both[0]
        offers = [offer for seat in self.roles for offer in one.tables.seen(one.id, seat).offers]
        for seat in self.blind():
            for offer in self.rng.sample(offers, min(6, len(offers))):
                for wanted in self.forgeries(offer):
                    if seat not in self.knowing:
                        self.forge(seat, wanted)
        for seat in self.blind():
            for path in ("/undo", "/consent", "/answer", "/rename"):
                self.everywhere("posted", seat, path, key=f"key-{next(self.keys)}", name=seat, value="x")
        self.set_by_hand(secret=True)

    def set_by_hand(self, *, secret: bool) -> None:
        """Set every hidden or every open place that a card could come to, from every seat, and take it back."""
        one = self.both[0]
        for entry in one.tables.tracked(one.id, RULEKEEPER):
            options = {option.value for option in entry.field.options}
            if secret == (entry.secret_of is None) or not options & set(self.universe):
                continue
            for seat in [seat for seat in self.blind() if seat not in {SCREEN, entry.secret_of}]:
                for value in self.values(entry.field):
                    self.correct(seat, entry.path, value)

    def values(self, field: Field) -> Iterator[str]:
        """Each of the two cards and a third one, beside what lies there already or alone; both at once, or nothing."""
        there = list(field.value) if isinstance(field.value, tuple) else []
        for card in (*sorted(self.two), self.rng.choice(self.universe)):
            yield ",".join([*(one for one in there if one != card and self.rng.random() < 0.8), card])
        yield self.rng.choice([",".join(sorted(self.two)), "none", ""])

    def correct(self, seat: str, path: str, value: str) -> None:
        """Set a value by page or API, look at what comes of it, and take it back: nobody holds more after that."""
        seed, knowing = next(self.keys), set(self.knowing)
        for twin in self.both:
            twin.forget_chance(seed)
        one, sent = self.both[0], {"path": path, "key": f"key-{seed}"}
        before = one.tables.version(one.id)
        if self.rng.random() < 0.5:
            form = {f"v.{path}": value} if value else {f"none.{path}": "1"}
            self.everywhere("posted", seat, "/correct", key=sent["key"], **form)
        else:
            self.everywhere("api", seat, "/corrections", {**sent, "value": value})
        if one.tables.version(one.id) == before:
            return
        self.look(whole=False)
        self.everywhere("api", seat, "/undo", {"key": f"key-{next(self.keys)}"})
        if one.tables.seen(one.id, SCREEN).log[0].kind != "undo":
            agreeing = next(other for other in (RULEKEEPER, *self.roles) if other != seat)
            self.everywhere("api", agreeing, "/undo", {"consent": True, "key": f"key-{next(self.keys)}"})
        self.knowing = knowing

    def forge(self, seat: str, wanted: dict[str, Any]) -> None:
        do = urlencode({name: value for name, value in wanted.items() if value is not None}, doseq=True)
        self.everywhere("page", seat, f"/plan?do={do}", "en")
        if seat != SCREEN:
            self.everywhere("api", seat, "/actions", {"action": wanted, "key": f"key-{next(self.keys)}"})
        if seat not in {SCREEN, *self.knowing}:
            self.everywhere("posted", seat, "/act", do=do, key=f"key-{next(self.keys)}")

    def forgeries(self, offer: Offer) -> Iterator[dict[str, Any]]:
        """An offered action as it is, and with each of the two cards and a third one in it."""
        wanted = filled(offer, self.rng)
        yield wanted
        for card in (*sorted(self.two), self.rng.choice(self.universe)):
            forged = {name: self.swapped(value, card) for name, value in wanted.items()}
            if forged != wanted:
                yield forged

    def swapped(self, value: Any, card: str) -> Any:
        """A card instead of another one; in a list of cards instead of the first."""
        if isinstance(value, list | tuple) and value and value[0] in self.universe:
            return [card, *(one for one in value[1:] if one != card)]
        return card if isinstance(value, str) and value in self.universe else value


def strings(value: Any) -> Iterator[str]:
    """Every string in an action."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)


def few(options: Any) -> Any:
    """Three seats where people choose how many: more take longer and show nothing else."""
    seats = getattr(options, "seats", 0)
    return msgspec.structs.replace(options, seats=3) if seats > 3 else options


def play(game: Any, seed: int, folder: Path, *, most: int) -> int:
    """Play one pair of tables as far as it goes; returns how many answers were compared, 0 where nothing is secret."""
    spy = Spy()
    alone = Scout(game, seed, spy)
    for _ in range(30):
        if spy.pile or alone.over():
            break
        alone.step()
    if not spy.pile:
        return 0
    twins = Twins(game, few(alone.options), spy.pile, folder, seed)
    dealt = False
    for number in range(most):
        if not twins.act():
            break
        twins.look(whole=number % 8 == 7)
        if dealt != (dealt := any(map(twins.both[0].held, twins.roles))):
            twins.set_by_hand(secret=False)
        twins.meddle()
    twins.look(whole=True)
    twins.pry()
    twins.look(whole=True)
    return twins.compared


def main(games: int, first: int) -> None:
    for name, game in discover().items():
        compared = played = 0
        for seed in range(first, first + games):
            with tempfile.TemporaryDirectory() as folder:
                found = play(game, seed, Path(folder), most=60)
            compared, played = compared + found, played + bool(found)
        print(
            f"{name}: {played} pairs of tables with other cards, {compared} answers compared, none differs", flush=True
        )


if __name__ == "__main__":
    from tests.support import twin_actions

    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    main(*wanted)
    twin_actions.main(*wanted)

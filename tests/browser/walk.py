"""Walk random games in a real browser and measure each state: ``python -m tests.browser.walk two_cities 7 300``.

What one looks for is in sight, whole and uncovered, without scrolling: the question, its answers and faces, the button
of the dock that most people tap next, what a picked piece or card may do. There is one such button at most, and it does
not end what can still be done.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from playwright.sync_api import expect, sync_playwright

from companion.games import discover
from companion.kit.game import RULEKEEPER
from tests.browser.axe import violations
from tests.browser.phones import ARGUMENTS, PATIENCE, Phone, Sitting, installed, serving
from tests.support.answers import noted, unsaid
from tests.support.endings import still
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving

SMALL = (360, 640)
SIZES = (SMALL, (390, 664), (390, 844), (844, 390), (932, 430), (768, 1024), (1280, 800))
OFTEN = 6
"""Every state is looked at on the smallest phone, one of so many at each other size as well; axe looks at as many."""
AT_ONE, SKIPPED = 20, 60
"""So many states of a table at most, after fewer steps than that at which nobody looks."""
LET_GO = 0.7
"""How often what was picked is let go before others act."""
THUMB = 44
"""Pixels that what is tapped measures at least, each way."""

PICK = "(one, so) => { one.checked = so; one.dispatchEvent(new Event('change', { bubbles: true })); }"
PLACES = """
() => [
  ...document.querySelectorAll("#turn, .strip .back, #menu, .board:not(.many, .hexes) .squares"),
].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const moved = one.closest(".play-main")?.scrollTop ?? 0; // a piece that was out of sight is brought into it
  return [one.id || one.className, ...[left, top + moved, width, height].map(Math.round)];
})
"""
"""Where what must not move lies: first the head of the page, in the order of the page."""
HEAD = 3
WIDE = 900
LOW = 512
"""A window that is wider and higher than this has the stage beside the rest, and scrolls."""
MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")


class Break(msgspec.Struct):
    """What is not as it should be: the rule it breaks, what breaks it, and in which state."""

    rule: str
    what: str
    state: str = ""


class RandomTable(RandomGame):
    """A random game whose phones are served."""

    def __init__(self, served: Serving, game: Any, seed: int, **given: Any) -> None:
        super().__init__(served.tables, game, seed, **given)
        self.sitting = Sitting(served, self.table, self.tokens)


class Walk:
    """Random games on phones of every size; ``breaks`` are all that was found."""

    def __init__(self, served: Serving, browser: Browser, game: Any, seed: int) -> None:
        self.served, self.browser, self.game = served, browser, game
        self.rng = random.Random(seed)
        self.seed = seed
        self.phones: dict[tuple[str, tuple[int, int]], Phone] = {}
        self.heads: dict[Any, list[list[Any]]] = {}
        self.question: Any = None

    def states(self, most: int) -> Iterator[tuple[Phone, str, set[str]]]:
        """Play on, and give a phone that shows the newest state, and what it can still do, for so many states."""
        count = 0
        while count < most:
            self.leave()
            table = RandomTable(self.served, self.game, self.rng.getrandbits(32))
            table.play(self.rng.randrange(SKIPPED))
            until = min(most, count + AT_ONE)
            while count < until:
                acting = table.who_acts() or table.seats
                seat = self.rng.choice(acting if self.rng.random() < 0.8 else [*table.seats, RULEKEEPER])
                shown = table.tables.seen(table.sitting.table, RULEKEEPER if table.alone else seat)
                left = still(self.game.slug, shown.offers)
                self.question = shown.asked.question if shown.asked else None
                for size in SIZES:
                    if size == SMALL or self.rng.randrange(OFTEN) == 0:
                        yield (
                            self.phone(table, seat, size),
                            f"{self.game.slug} {self.seed}/{count} {seat} {size[0]}x{size[1]}",
                            left,
                        )
                count += 1
                if table.over() or not table.step():
                    break

    def phone(self, table: RandomTable, seat: str, size: tuple[int, int]) -> Phone:
        """Return the phone of a seat when it shows the newest version; the rulekeeper's where nobody else came."""
        seat = RULEKEEPER if table.alone else seat
        if (seat, size) not in self.phones:
            viewport, tongue = {"width": size[0], "height": size[1]}, self.rng.choice(("en", "es"))
            look = self.rng.choice(("light", "dark"))
            context = self.browser.new_context(
                viewport=viewport, locale=tongue, color_scheme=look, reduced_motion="reduce"
            )
            phone = Phone(context)
            phone.open(table.sitting.link(seat))
            self.phones[seat, size] = phone
        phone = self.phones[seat, size]
        phone.sees(table.sitting.version())
        phone.answered()
        return phone

    def leave(self) -> None:
        for phone in self.phones.values():
            phone.context.close()
        self.phones = {}

    def breaks(self, most: int) -> Iterator[tuple[Phone, Break]]:
        """Measure so many states, with nothing picked and with one of what can be picked."""
        for phone, state, left in self.states(most):
            expect(phone.at("form[inert]")).to_have_count(0)
            yield from measured(phone, state, left, noted(self.question))
            if silent := unsaid(self.game.slug, self.question):
                yield phone, Break("a choice shows what follows", f"{self.question.key}: {silent}", state)
            if self.rng.randrange(OFTEN) == 0:
                for wrong in violations(phone):
                    yield phone, Break("axe finds nothing wrong", wrong, state)
            places = phone.page.evaluate(PLACES)
            size = phone.page.viewport_size
            fixed = size["width"] < WIDE or size["height"] <= LOW
            if fixed:
                yield from self.moved(phone, state, places[:HEAD])
            names = phone.at(".pick:enabled, .pick-card:enabled").evaluate_all("(all) => all.map((one) => one.id)")
            held = phone.at(".pick-card:checked").count()  # a card that stayed picked lies down for another one
            if names:
                picked = phone.at(f"[id='{self.rng.choice(names)}']")
                picked.evaluate(PICK, arg=True)
                now = phone.page.evaluate(PLACES)
                if now != places and fixed and not held:
                    # Sizes may still have followed one another: what picking moves goes back when it is let go.
                    picked.evaluate(PICK, arg=False)
                    phone.drawn()
                    places = phone.page.evaluate(PLACES)
                    picked.evaluate(PICK, arg=True)
                    phone.drawn()
                    now = phone.page.evaluate(PLACES)
                if now != places and fixed and not held:
                    yield phone, Break("picking moves nothing", f"{places} {now}", state)
                yield from measured(phone, f"{state}, {picked.get_attribute('id')} picked", left)
                if self.rng.random() < LET_GO:
                    picked.evaluate(PICK, arg=False)

    def moved(self, phone: Phone, state: str, head: list[list[Any]]) -> Iterator[tuple[Phone, Break]]:
        """Compare where the head of a phone's page lies with where it lay in the states before."""
        size = tuple(phone.page.viewport_size.values())
        if self.heads.setdefault(size, head) != head:
            yield phone, Break("the head of the page keeps its places", f"{self.heads[size]} {head}", state)


def measured(phone: Phone, state: str, left: set[str], noted: Sequence[str] = ()) -> Iterator[tuple[Phone, Break]]:
    """Measure what a phone shows now: ``left`` is what its seat can still do, ``noted`` answers say what follows."""
    for found in phone.page.evaluate(MEASURE, [THUMB, bool(left), noted]):
        yield phone, Break(**found, state=state)


def main(slug: str, seed: int, most: int, shots: str = "") -> None:
    """Walk, count what is broken by its rule, and keep a picture of the first state that breaks each."""
    expect.set_options(timeout=PATIENCE)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        for phone, one in Walk(served, browser, discover()[slug], seed).breaks(most):
            if one.rule not in found:
                print(f"{one.rule}: {one.what} ({one.state})")
                if shots:
                    phone.page.screenshot(path=Path(shots) / f"{slug}-{seed}-{one.rule.replace(' ', '-')}.png")
            found[one.rule] += 1
        browser.close()
    print(slug, seed, most, dict(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])

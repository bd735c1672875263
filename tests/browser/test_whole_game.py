"""A whole game in the browser, from the QR to victory: each player looks only at a phone, and taps."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

MOST_TAPS = 600
CITY = re.compile(r"^\s*([a-h][1-8])\s+(.*(?:ciudad|city).*)$", re.MULTILINE | re.IGNORECASE)
ENEMY = {"white": re.compile("negr|black", re.IGNORECASE), "black": re.compile("blanc|white", re.IGNORECASE)}
# Both players move up before they begin, as they may, so that the game is a short one.
FORWARD = {"white": ("wd", "wc", "wf"), "black": ("bd", "bf", "bc")}
SHOWN = """
() => {
  const shown = (one) => one.checkVisibility();
  const does = (link) => new URL(link.href).searchParams.get("do");
  const led = (link) => {
    const [values, , words] = JSON.parse(link.dataset.named ?? "[[]]");
    const way = (value, words) => [`${does(link)}&${link.dataset.field}=${value}`, words];
    const squares = link.dataset.to?.split(" ") ?? [];
    return [...squares.map((to) => way(to, to)), ...values.map((value, at) => way(value, words[at]))];
  };
  const acts = "button[name=do]:not([value^='path='])";
  const buttons = document.querySelectorAll(`:is(#board .about, .hands, #dock) ${acts}`);
  const links = document.querySelectorAll("#board .about a[href*='do=']:not(.way)");
  return {
    version: Number(document.getElementById("state").dataset.version),
    over: Boolean(document.querySelector("#dock a[href$='/report']")),
    mine: document.getElementById("dock").classList.contains("is-mine"),
    answers: [...document.querySelectorAll("#dock form[action$='/answer'] button:not(:disabled)")]
      .filter(shown).map((one) => one.value),
    ways: [
      ...[...buttons].map((one) => [one.value, one.textContent]),
      ...[...links].map((one) => [does(one), one.textContent]),
      ...[...document.querySelectorAll("#board .way")].flatMap(led),
    ],
  };
}
"""


class Player:
    """Play by what a phone shows: attack where one can, the city before all others, else go towards it."""

    def __init__(self, phone: Phone, seat: str, luck: random.Random) -> None:
        self.phone = phone
        self.seat = seat
        self.goal = ""
        self.luck = luck

    def look(self) -> dict[str, Any]:
        return dict(self.phone.page.evaluate(SHOWN))

    def move_up(self) -> None:
        """Place the city and its guards as near to the middle as the page allows."""
        stand: list[str] = []
        for unit in FORWARD[self.seat]:
            seen = self.look()
            ways = [way for way, _ in seen["ways"] if f"action=place&unit={unit}&" in way and way[-2:] not in stand]
            best = min(ways, key=lambda way: self.off_centre(way[-2:]))
            stand.append(best[-2:])
            self.tap(best)
            expect(self.phone.at("#state")).not_to_have_attribute("data-version", str(seen["version"]))
            expect(self.phone.at(".pick:checked")).to_have_count(0)

    def off_centre(self, square: str) -> float:
        return abs(ord(square[0]) - ord("d") - 0.5) + abs(int(square[1]) - 4.5)

    def find_city(self) -> None:
        """Read on the board in words where the enemy's city stands."""
        words = "\n".join(self.phone.at("#board-words li").all_text_contents())
        self.goal = next(square for square, name in CITY.findall(words) if ENEMY[self.seat].search(name))

    def turn(self, seen: dict[str, Any]) -> None:
        """Do one thing."""
        answers, ways = seen["answers"], seen["ways"]
        if answers:
            self.phone.dock.locator("form[action$='/answer'] button:not(:disabled)").nth(
                self.luck.randrange(len(answers))
            ).click()
            return
        assert ways, "nothing to do, and it is this player's turn"
        best, _ = max(ways, key=lambda way: (self.worth(*way), self.luck.random()))
        self.tap(best)

    def worth(self, way: str, words: str) -> float:
        """Say how good a way looks: what it does, and the words on it."""
        said = {name: values[-1] for name, values in parse_qs(way).items()}
        match said["action"]:
            case "attack":
                return 30 if words.strip().endswith(self.goal) else 20
            case "move":
                far = abs(ord(said["to"][0]) - ord(self.goal[0])) + abs(int(said["to"][1:]) - int(self.goal[1:]))
                return 10 - far / 2
            case "play_card" | "throw_away" | "ready":
                return 9
            case "end_turn":
                return 1
        return 0

    def tap(self, way: str) -> None:
        """Pick what the way starts from, tap it, and where the odds come first, attack."""
        said = {name: values[-1] for name, values in parse_qs(way).items()}
        page = self.phone
        button = page.at(f"button[value='{way}']")
        if "card" in said:
            page.at(f"label[for^='card-'][for$='-{said['card']}']").first.click()
        elif "unit" in said and not button.first.is_visible():
            page.pick(said["unit"])
        if button.count():
            button.first.click()
            return
        for link in page.at("#board .targets a[data-sheet], #dock a[data-sheet]").all():
            if parse_qs(urlsplit(link.get_attribute("href") or "").query).get("do") == [way]:
                link.click()
                break
        page.at("#plan button.main").click()


def newest(players: list[Player]) -> int:
    """Return the newest version that a phone shows; what the other one still shows may be gone."""
    return max(int(player.look()["version"]) for player in players)


def test_two_phones_play_from_the_qr_to_victory(served: Serving, phones: Phones) -> None:
    ruth = phones("en").open(f"{served.address}/new/two_cities")
    ruth.at("label[for='seat-none']").click()
    ruth.at("form .button.main.big").click()
    address = ruth.at(".invite .address").inner_text().strip()
    luck = random.Random(7)
    players: list[Player] = []
    for tongue, seat, name in (("es", "white", "Ana"), ("en", "black", "Ben")):
        phone = phones(tongue).open(address)
        phone.at("#name").fill(name)
        phone.at(f"button[name='seat'][value='{seat}']").click()
        expect(phone.at("#state")).to_be_visible()
        players.append(Player(phone, seat, luck))
    for player in players:
        player.phone.sees(newest(players))
        player.move_up()
    for player in players:
        player.phone.sees(newest(players))
        player.find_city()
    taps = 0
    while True:
        for player in players:
            player.phone.answered()
        version = newest(players)
        for player in players:
            player.phone.sees(version)
        seen = [player.look() for player in players]
        if all(one["over"] for one in seen):
            break
        mover = next((at for at, one in enumerate(seen) if one["mine"]), None)
        assert mover is not None, f"nobody is to move: {seen}"
        players[mover].turn(seen[mover])
        taps += 1
        assert taps < MOST_TAPS, "nobody wins"
        expect(players[mover].phone.at("#state")).not_to_have_attribute("data-version", str(version))
    ana, ben = (player.phone for player in players)
    expect(ana.at("#last .headline")).to_contain_text(re.compile("gana", re.IGNORECASE))
    expect(ben.at("#last .headline")).to_contain_text(re.compile("wins", re.IGNORECASE))
    ana.save("victory-es")
    ben.save("victory-en")
    ben.at("#dock a[href$='/report']").click()
    expect(ben.at(".report > li").last).to_contain_text("wins")
    assert ben.at(".report > li").count() > 12
    ben.save("victory-report")

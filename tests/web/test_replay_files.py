"""The story of a table as files: all that everybody saw, and nothing else until the end; small, whole, readable."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Hand
from companion.kit.ruling import Reason
from companion.kit.text import say, speak
from companion.web.language import LANGUAGES, json_values, speaker
from companion.web.play import replay_story
from companion.web.play.replay_json import patch
from companion.web.play.report import arithmetic
from companion.web.state import NAME
from tests.support.played_out import play_out
from tests.support.replays import Nested, end, film, patched, played, positions

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from companion.kit.text import Text
    from companion.table.tables import Tables
    from tests.support.played_out import TableContest
    from tests.support.random_game import RandomGame

GAMES = [*discover()]
KINDS = ("html", "json", "txt")
WITH_HANDS = ("free_table", "history_of_war", "tactics_2gm", "two_cities")
LARGEST = 400_000
"""Bytes of the file of a game of 200 entries."""


def spoken(text: Text) -> str:
    return speak(text, str)


def test_a_sentence_begins_with_a_capital_but_for_a_die_and_a_square() -> None:
    assert replay_story.turn_words(say("white begins"), spoken) == "White begins"
    assert replay_story.turn_words(say("e5 burns"), spoken) == "e5 burns"
    die = Reason(say("points"), value=4, terms=(Reason(say("d6"), value=4),))
    guards = Reason(say("points"), value=4, terms=(Reason(say("guards"), value=4),))
    assert [arithmetic(reason, spoken) for reason in (die, guards)] == ["d6: 4 points", "Guards: 4 points"]


class Filed:
    """A random game, and the phones that ask for its files."""

    def __init__(self, folder: Path, name: str, entries: int) -> None:
        self.app: Flask = create_app(folder, games={name: discover()[name]})
        self.tables: Tables = self.app.extensions[NAME].tables
        self.game: RandomGame = played(self.tables, name, entries)
        self.table = self.game.table

    def get(self, kind: str, seat: str = SCREEN, tongue: str = "en") -> str:
        phone = self.app.test_client()
        if seat != SCREEN:
            phone.get(f"/s/{self.table}/{seat}/{self.game.tokens[seat]}")
        answer = phone.get(f"/t/{self.table}/{seat}/replay.{kind}", headers={"Accept-Language": tongue})
        assert answer.status_code == 200, answer.text[:400]
        assert "attachment" in answer.headers["Content-Disposition"]
        return answer.text

    def views(self, seat: str = SCREEN) -> list[Any]:
        """What a seat saw after each entry, asked for one by one."""
        last = self.tables.log(self.table, SCREEN, None, 1)[0].seq
        return [self.tables.look_back(self.table, SCREEN, seq, seat).view for seq in range(1, last + 1)]


@pytest.fixture(params=GAMES)
def filed(request: pytest.FixtureRequest, tmp_path: Path) -> Filed:
    return Filed(tmp_path, request.param, 30)


def test_before_the_end_every_seat_gets_what_the_shared_screen_saw(filed: Filed) -> None:
    for kind in KINDS:
        files = {filed.get(kind, seat, "es") for seat in (SCREEN, *filed.game.tokens)}
        assert len(files) == 1, kind


@pytest.mark.parametrize("name", WITH_HANDS)
def test_no_card_of_a_hand_is_in_a_file_before_the_end(name: str, tmp_path: Path) -> None:
    filed = Filed(tmp_path, name, 30)
    speak = speaker_of(filed)
    hands = {
        speak(card.name)
        for seat in filed.game.seats
        for panel in filed.tables.seen(filed.table, seat).view.panels
        if isinstance(panel, Hand) and panel.whose == "own"
        for card in panel.cards
    }
    assert hands
    public = " ".join([*log_of(filed, SCREEN), *(json.dumps(told(view, speak)) for view in filed.views())])
    secret = [card for card in hands if card not in public]
    for kind in KINDS:
        file = filed.get(kind)
        assert [card for card in secret if card in file] == []
    end(filed.tables, filed.table)
    for kind in ("html", "json"):
        file = filed.get(kind)
        assert [card for card in hands if card not in file.replace("&#39;", "'")] == [], kind


def speaker_of(filed: Filed) -> Any:
    with filed.app.app_context():
        return speaker(filed.tables.game_of(filed.table), "en")


def told(view: Any, speak: Any) -> Any:
    return json.loads(json.dumps(json_values(view, speak)))


def log_of(filed: Filed, seat: str) -> list[str]:
    speak = speaker_of(filed)
    return [json.dumps(json_values(line, speak)) for line in filed.tables.report(filed.table, seat)]


def test_the_data_hold_what_the_screen_saw_after_every_entry(filed: Filed) -> None:
    speak, data = speaker_of(filed), json.loads(filed.get("json"))
    shown = data["first"]
    assert data["open"] is data["over"]
    assert [entry["seq"] for entry in data["entries"]] == [*range(1, len(data["entries"]) + 1)]
    for entry, view in zip(data["entries"], filed.views(), strict=True):
        shown = patched(shown, entry["patch"])
        assert shown["screen"] == told(view, speak)
        assert data["open"] or set(shown) == {"screen"}


@pytest.mark.parametrize("name", WITH_HANDS)
def test_after_the_end_the_data_hold_what_each_seat_alone_had(name: str, tmp_path: Path) -> None:
    filed = Filed(tmp_path, name, 20)
    end(filed.tables, filed.table)
    speak, data = speaker_of(filed), json.loads(filed.get("json"))
    assert data["open"]
    views = {seat: filed.views(seat) for seat in filed.game.seats}
    shown, screens = data["first"], filed.views()
    for number, entry in enumerate(data["entries"]):
        shown = patched(shown, entry["patch"])
        for seat, seen in views.items():
            alone = [panel for panel in seen[number].panels if panel not in screens[number].panels]
            assert shown["seats"][seat] == [told(panel, speak) for panel in alone]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": [1, 2, 3]}, {"a": [1, 9, 3]}),
        ({"a": [1, 2, 3]}, {"a": [1]}),
        ({"a": [{"b/c~": 1}]}, {"a": [0, {"b/c~": 2}, 5]}),
        ({"a": 1, "b": None}, {"b": 0, "c": {}}),
        ([[1], [2]], [[2]]),
        ({"a": 1}, [1]),
    ],
)
def test_a_patch_makes_one_value_of_another(before: Any, after: Any) -> None:
    assert json.dumps(patched(before, [*patch(before, after)])) == json.dumps(after)


def test_the_file_is_whole_and_asks_for_nothing(filed: Filed) -> None:
    file = filed.get("html")
    read = Nested()
    read.feed(file)
    read.close()
    assert read.open == []
    assert len(set(read.ids)) == len(read.ids)
    assert read.loaded == []
    assert not re.search(r"url\((?!.?#)|@import|/static/|https?:", file)
    used = set(re.findall(r'href=\\?"#([\w-]+)', file)) - {f"e{seq}" for seq in film(file)["k"]}
    assert used <= set(read.ids)


def test_the_file_shows_the_last_position_without_scripts_and_has_all_before_it(filed: Filed) -> None:
    file = filed.get("html")
    read = film(file)
    steps = positions(read)
    lines = filed.tables.report(filed.table, SCREEN)
    assert read["k"] == [line.seq for line in lines]
    assert len(steps) == len(lines)
    ids = [int(found) for found in re.findall(r"<li id=e(\d+)>", file)]
    assert ids == read["k"]
    for number, filling in enumerate(steps[-1]):
        at = file.index(f'id="slot-{number}"')
        shown = file[at : file.index("</div>", at)] if filling else ""
        assert re.sub(r"</?ul>|</svg>$", "", shown).endswith(re.sub(r"</?ul>", "", filling))
    last = filed.views()[-1]
    for piece in [piece for panel in last.panels for piece in getattr(panel, "pieces", ()) if piece.square]:
        assert sum(f"<b>{piece.square}</b>" in slot for slot in steps[-1]) == 1


def test_the_story_is_told_in_both_languages_begun_in_the_readers(filed: Filed) -> None:
    files = {tongue: filed.get("html", tongue=tongue) for tongue in LANGUAGES}
    for tongue, file in files.items():
        assert f'<html lang="{tongue}">' in file
        assert f'id="tongue-{tongue}" checked' in file
    entries = re.compile(r'<section class="story">.*?</section>', re.DOTALL)
    (english, spanish) = (entries.search(file) for file in files.values())
    assert english
    assert spanish
    assert english[0] == spanish[0]
    assert english[0].count("<i lang=en>") == english[0].count("<i lang=es>") > 0


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("over", [False, True])
def test_two_hundred_entries_fit_into_a_small_file(name: str, over: bool, tmp_path: Path, full: bool) -> None:
    filed = Filed(tmp_path, name, wanted := 200 if full else 40)
    if over:
        end(filed.tables, filed.table)
    size, entries = len(filed.get("html").encode()), len(filed.tables.report(filed.table, SCREEN))
    assert entries >= wanted or filed.game.over()
    # What every file has, styles and pictures, is a fourth of one that has so many entries.
    assert size <= (LARGEST if full else 90_000 + entries * 3_000), size


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({*GAMES} - {"free_table"}))
def test_a_whole_game_fits_into_a_small_file(name: str, tmp_path: Path) -> None:
    app = create_app(tmp_path, games={name: discover()[name]})
    tables = app.extensions[NAME].tables
    contest = play_out(tables, name, 1)
    assert tables.seen(contest.table, SCREEN).view.over
    size = len(app.test_client().get(f"/t/{contest.table}/screen/replay.html").data)
    entries = len(tables.report(contest.table, SCREEN))
    assert size <= LARGEST * max(1, entries / 200), size


def test_the_text_tells_every_entry_turn_by_turn_in_the_language_asked_for(filed: Filed) -> None:
    lines = filed.tables.report(filed.table, SCREEN)
    texts = {tongue: filed.get("txt", tongue=tongue) for tongue in LANGUAGES}
    for text in texts.values():
        numbers = [int(found) for found in re.findall(r"(?m)^ *(\d+)\. \d\d:\d\d ", text)]
        assert numbers == [line.seq for line in lines]
        assert re.search(r"(?m)^== \S.* ==$", text) or filed.tables.game_of(filed.table) == "free_table"
        assert "<" not in text
    assert texts["en"] != texts["es"]


def test_what_was_undone_is_marked(tmp_path: Path) -> None:
    filed = Filed(tmp_path, "chesswar", 12)
    tables, game = filed.tables, filed.game
    tables.take_back(filed.table, game.actor, game.key())
    for seat in (*game.seats, RULEKEEPER):
        consent = tables.seen(filed.table, seat).consent
        if consent is not None and consent.mine_to_give:
            tables.consent(filed.table, seat, yes=True, key=game.key())
    undone = [line.seq for line in tables.report(filed.table, SCREEN) if line.undone]
    assert undone
    for seq in undone:
        assert re.search(rf"(?m)^ *{seq}\. .*\[undone\]$", filed.get("txt"))
        assert re.search(rf"<li id=e{seq}><a [^>]*>{seq}</a><div><p><s>", filed.get("html"))


def test_the_end_and_the_statistics_are_in_the_files(app: Flask, battle: TableContest) -> None:
    phone = app.test_client()
    for tongue, won, counted in (
        ("en", "White wins|Black wins", "Dice with 6 faces"),
        ("es", "[Gg]anan", "Dados de 6 caras"),
    ):
        headers = {"Accept-Language": tongue}
        files = {kind: phone.get(f"/t/{battle.table}/screen/replay.{kind}", headers=headers).text for kind in KINDS}
        assert re.search(won, files["html"])
        assert counted in files["html"]
        assert 'class="podium"' in files["html"]
        assert re.search(won, files["txt"])
        data = json.loads(files["json"])
        assert data["ending"]["winners"]
        assert data["statistics"]["dice"]


def test_the_report_leads_to_the_files(tmp_path: Path) -> None:
    filed = Filed(tmp_path, "two_cities", 8)
    page = filed.app.test_client().get(f"/t/{filed.table}/report").text
    for kind in KINDS:
        assert f'href="/t/{filed.table}/screen/replay.{kind}"' in page


def test_the_files_of_a_seat_are_for_who_holds_it(tmp_path: Path) -> None:
    filed = Filed(tmp_path, "two_cities", 8)
    for kind in KINDS:
        answer = filed.app.test_client().get(f"/t/{filed.table}/{RULEKEEPER}/replay.{kind}")
        assert answer.status_code in {303, 403}
        assert "attachment" not in answer.headers.get("Content-Disposition", "")
    assert filed.app.test_client().get(f"/t/none/{SCREEN}/replay.html").status_code == 404


def test_what_people_typed_is_text_in_the_file(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    tables, typed = app.extensions[NAME].tables, "</script><img src=x>"
    made = tables.create("free_table", typed, {}, {"rulekeeper": typed}, "app")
    tables.join(made.table, "player_1", typed)
    for key in ("one", "other"):
        tables.act(made.table, RULEKEEPER, {"action": "set_counter", "name": f"{typed} {key}"}, key)
    end(tables, made.table)
    file = app.test_client().get(f"/t/{made.table}/screen/replay.html").text
    assert "<img" not in file
    assert file.count("</script>") == 2, "those of the file itself"
    assert "&lt;img src=x&gt;" in file

"""Everything on one sheet: each game's units, cards, weapons and spells stand in it, in the words of its own data."""

from __future__ import annotations

import re
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from companion import create_app
from companion.games import discover
from companion.games.chesswar.armies import ARMIES, WEAPONS, Spell, Trait, UnitType
from companion.games.two_cities.combat import Facts
from companion.games.two_cities.components import CARDS, KINDS, LAYOUT
from companion.games.two_cities.fight import fight
from companion.games.two_cities.options import Options
from companion.kit.asking import Ask
from companion.kit.questions import Faces
from companion.kit.rulebook import Clause, Listing, Rulebook, read
from companion.kit.text import Text, Words, speak
from companion.web.rules.entries import LocalRulebook
from tests.support.duel_game import GAME as DUEL
from tests.support.duel_game import Duel
from tests.support.phones import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.testing import FlaskClient

GAMES = {slug: game for slug, game in discover().items() if game.rulebook.aid}
LANGUAGES = ("es", "en")

DATA = """
[credit]
es = "De nadie."
en = "Nobody's."

[[chapter]]
id = "all"
es = "Todo"
en = "All"

[[clause]]
id = "PLAIN-1"
chapter = "all"
role = "told"
sure = "stated"
es = "Quien llega gana."
en = "Whoever arrives wins."

[[aid]]
id = "all"
title = "All there is"

[[aid.listing]]
title = "Runners"
columns = ["Runner", { say = "Speed" }]
line = [{ cells = ["Hare", 9], more = "Sleeps." }]

[[aid.listing]]
title = "Victory"
quotes = ["PLAIN-1"]
"""


class Plain(Duel):
    """Duel, with a rulebook and an aid that are data and nothing else."""

    slug = "plain"
    rulebook = read(DATA, "rulebook.toml", Rulebook)
    words = Words({}, {"Hare": {"es": "Liebre"}, "Victory": {"es": "Victoria"}})


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={**discover(), "duel": DUEL, "plain": Plain()})
    app.testing = True
    return app.test_client()


def page(client: FlaskClient, slug: str, language: str) -> str:
    answer = client.get(f"/rules/{slug}/aid", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.text


def speaks(slug: str, language: str) -> Callable[[Text], str]:
    return lambda text: speak(text, lambda key: GAMES[slug].words.find(key, language) or key)


def listings(slug: str) -> dict[str, Listing]:
    english = speaks(slug, "en")
    return {english(part.title): part for side in GAMES[slug].rulebook.aid for part in side.listing}


def rows(slug: str, title: str) -> dict[str, tuple[str, ...]]:
    """Read a listing in English: each row by its first cell."""
    english = speaks(slug, "en")
    return {
        english(line.cells[0]): tuple(english(cell) for cell in (*line.cells[1:], *((line.more,) if line.more else ())))
        for line in listings(slug)[title].line
    }


def test_both_games_have_one() -> None:
    assert {"two_cities", "chesswar"} <= GAMES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", GAMES)
def test_a_sheet_is_shown_whole(client: FlaskClient, slug: str, language: str) -> None:
    game, speaking = GAMES[slug], speaks(slug, language)
    html = page(client, slug, language)
    shown, book = words(html), LocalRulebook(game.rulebook, "es" if language == "es" else "en")
    assert html.count('<article class="side"') == len(game.rulebook.aid)
    for part in chain.from_iterable(side.listing for side in game.rulebook.aid):
        cells = [cell for line in part.line for cell in (*line.cells, *((line.more,) if line.more else ()))]
        for text in (part.title, *part.columns, *cells, *((part.remark,) if part.remark else ())):
            assert " ".join(speaking(text).split()) in shown
        assert {len(line.cells) for line in part.line} <= {len(part.columns)}
        assert part.clause is None or part.clause in game.rulebook.ids()
        for quoted in part.quotes:
            clause = game.rulebook.look_up(quoted)
            assert isinstance(clause, Clause)
            told = " ".join("".join(piece for piece, _ in book.entry(clause).text).split())
            assert told.replace(" ", "") in shown.replace(" ", "")
    assert book.credit is not None
    assert book.credit in unescape(html)
    assert f"http://localhost/rules/{slug}" in html


@pytest.mark.parametrize("slug", discover())
def test_every_word_of_a_sheet_is_said_in_both_languages(slug: str) -> None:
    game = discover()[slug]

    def all_texts(found: Any) -> list[Text]:
        match found:
            case Text():
                return [found, *(text for place in found.places.values() for text in all_texts(place))]
            case tuple():
                return [text for one in found for text in all_texts(one)]
            case msgspec.Struct():
                return [text for name in found.__struct_fields__ for text in all_texts(getattr(found, name))]
        return []

    said = {text.say for text in all_texts((game.rulebook.aid, game.rulebook.sheet))} - {"{count}"}
    known = [*map(str, range(10)), *"abcdefghijklmnop"]
    unsaid = {one for one in said for tongue in LANGUAGES if game.words.find(one, tongue) is None}
    assert unsaid - set(known) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", GAMES)
def test_the_sheet_is_found_from_the_contents(client: FlaskClient, slug: str, language: str) -> None:
    contents = client.get(f"/rules/{slug}", headers={"Accept-Language": language}).text
    named = {"es": "Todo en una hoja", "en": "Everything on one sheet"}[language]
    assert re.search(rf'href="/rules/{slug}/aid">.*?{named}', contents)
    assert named in words(page(client, slug, language))


def test_a_game_without_one_has_no_such_page(client: FlaskClient) -> None:
    assert client.get("/rules/duel/aid").status_code == 404
    assert client.get("/rules/nothing/aid").status_code == 404
    assert "/aid" not in client.get("/rules/duel").text


def test_data_alone_make_one(client: FlaskClient) -> None:
    english, spanish = (words(page(client, "plain", language)) for language in ("en", "es"))
    assert "Runner Speed Hare 9 Sleeps." in english
    assert "Victory Whoever arrives wins. PLAIN-1" in english
    assert "Liebre" in spanish
    assert "Victoria Quien llega gana." in spanish
    assert "De nadie." in spanish


@pytest.mark.clause("TTC-03")
def test_two_cities_has_every_unit_with_its_values() -> None:
    shown = rows("two_cities", "Units")
    assert len(shown) == len(KINDS)
    english = speaks("two_cities", "en")
    for kind in KINDS.values():
        numbers = [0 if cell == "–" else int(cell) for cell in shown[english(Text(f"short_{kind.id}"))]]
        assert numbers == [
            kind.strength,
            kind.movement,
            kind.range,
            kind.ranged_stationary,
            kind.ranged_moved,
            kind.melee,
        ]


@pytest.mark.clause("TTC-09")
def test_two_cities_has_the_starting_position() -> None:
    shown = rows("two_cities", "Starting position")
    english = speaks("two_cities", "en")
    assert shown == {"White Black": tuple(english(Text(f"short_{kind}")) for kind in LAYOUT.white.values())}
    assert list(LAYOUT.white.values()) == list(LAYOUT.black.values())


@pytest.mark.clause("TTC-26")
def test_two_cities_has_every_card_and_what_it_does() -> None:
    tables = [rows("two_cities", title) for title in ("Sector cards", "Special cards", "Reinforcements")]
    english = speaks("two_cities", "en")
    for code, card in CARDS.items():
        face = english(Text(f"face.{code}"))
        found = [does for table in tables for cards, (does,) in table.items() if face in cards.split()]
        assert found == [card.does_en], code
    specials = [card.en for card in CARDS.values() if card.card_class == "special"]
    assert [name.split(" ", 1)[1] for name in tables[1]] == specials


@pytest.mark.clause("TTC-81", "TTC-82", "TTC-83", "TTC-84")
def test_two_cities_says_of_each_face_what_the_fight_makes_of_it() -> None:
    told = {
        face: effects
        for faces, effects in rows("two_cities", "Combat dice").items()
        for face in range(int(faces[0]), int(faces[-1]) + 1)
    }
    assert sorted(told) == [1, 2, 3, 4, 5, 6]
    says = {(1, 0): "hit", (0, 1): "retreat hit", (0, 0): "–"}
    for face, effects in told.items():
        for mode, effect in zip(("melee", "ranged"), effects, strict=True):
            facts = Facts(
                mode=mode,
                attacker="archers",
                target="heavy_infantry",
                moved=mode == "ranged",
                distance=1 if mode == "melee" else 2,
                behind=3,
            )
            faces = (face, 3) if mode == "melee" else (face,)
            result = fight(facts, Options(), Ask([Faces("attack", faces, "app")]))
            assert says[result.hits_taken, result.steps] == effect, (face, mode)


@pytest.mark.clause("TTC-88", "TTC-89", "TTC-96", "TTC-99")
def test_two_cities_says_what_the_ground_adds() -> None:
    assert rows("two_cities", "Terrain") == {"Forest": ("+1", "−1", "–"), "Hill": ("−1", "+1", "+1")}


@pytest.mark.clause("CW-05")
@pytest.mark.parametrize("army", ARMIES)
def test_chesswar_has_every_unit_of_every_army_with_its_values(army: str) -> None:
    english = speaks("chesswar", "en")
    title = f"{english(Text(army))}: initiative {ARMIES[army].initiative}, {ARMIES[army].points} points"
    shown = rows("chesswar", title)
    assert len(shown) == len(ARMIES[army].unit)
    for kind in ARMIES[army].unit:
        piece, most, cost, move, save, fights, *more = shown[english(Text(kind.id))]
        assert (piece, most, cost) == (kind.piece, str(kind.max), str(kind.cost or "–"))
        assert (move, save, int(fights.replace("−", "-"))) == (str(kind.move), f"{kind.save}+", kind.combat)
        able = [english(Text(one)) for one in abilities(kind)]
        assert all(one in "".join(more) for one in able)
        assert bool(more) == bool(able)


def abilities(kind: UnitType) -> list[str]:
    traits = ["undead_trait" if trait == "undead" else trait for trait in kind.traits]
    return [*([kind.weapon] if kind.weapon else []), *traits, *kind.spells]


def test_chesswar_has_every_weapon_attribute_and_spell() -> None:
    english = speaks("chesswar", "en")
    weapon_table = rows("chesswar", "Weapons")
    assert list(weapon_table) == [english(Text(name)) for name in WEAPONS]
    for name, weapon in WEAPONS.items():
        dice = tuple(0 if cell == "–" else int(cell) for cell in weapon_table[english(Text(name))][1:3])
        assert dice == (weapon.scatter, weapon.scatter_indirect)
    assert len(rows("chesswar", "Special attributes")) == len(get_args(Trait))
    assert set(rows("chesswar", "Spells")) == {english(Text(spell)) for spell in get_args(Spell)}
    assert {spell for army in ARMIES.values() for kind in army.unit for spell in kind.spells} <= set(get_args(Spell))

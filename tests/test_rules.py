"""The rulebooks' pages: every clause opens, in both languages, as a page and for a dialog; the search is safe."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import create_app
from companion.games import discover
from companion.kit.text import speak
from companion.web.reading import Reading
from tests.duel import GAME as DUEL
from tests.duel import RULEBOOK

LANGUAGES = ("es", "en")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={"duel": DUEL, **discover()})
    app.testing = True
    return app.test_client()


def page(client: FlaskClient, address: str, language: str = "es", **headers: str) -> str:
    answer = client.get(address, headers={"Accept-Language": language} | headers)
    assert answer.status_code == 200, address
    return answer.text


def links(html: str) -> list[str]:
    return re.findall(r'href="(/rules/[^"#]+)', html.partition("<main")[2])


def test_all_rulebooks_stand_on_the_shelf(client: FlaskClient) -> None:
    found = links(page(client, "/rules"))
    assert {f"/rules/{slug}" for slug in ("duel", *discover())} <= set(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rulebook_says_whose_game_it_is(client: FlaskClient, language: str) -> None:
    said = unescape(page(client, "/rules/chesswar", language))
    assert all(name in said for name in ("Kalle Marjola", "Jorge Alonso"))
    assert ("no commercial use" in said) == (language == "en")
    assert 'class="credit"' not in page(client, "/rules/duel", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_every_rulebook_can_be_reached_and_opens(client: FlaskClient, language: str) -> None:
    seen: set[str] = set()
    wanted = ["/rules"]
    while wanted:
        address = wanted.pop()
        if address not in seen:
            seen.add(address)
            wanted += links(page(client, address, language))
    for slug, game in {"duel": DUEL, **discover()}.items():
        assert {f"/rules/{slug}/{name}" for name in game.rulebook.ids()} <= seen


def test_a_clause_shows_its_text_its_ruling_and_its_examples(client: FlaskClient) -> None:
    html = page(client, "/rules/duel/DUEL-1")
    assert "Lanza un dado por cada &lt;espada&gt;" in html
    assert "¿Dos seises hieren dos veces?" in html
    assert "6 y 2: una herida." in html
    assert 'href="/rules/duel/DUEL-Q1"' in html
    assert 'href="/rules/duel/DUEL-E1"' in html
    assert "<espada>" not in html
    english = page(client, "/rules/duel/DUEL-1", "en")
    assert "Throw one die" in english
    assert "Do two sixes wound twice?" in english


def test_rulings_and_examples_lead_back_to_their_clauses(client: FlaskClient) -> None:
    for name in ("DUEL-Q1", "DUEL-E1"):
        assert "Lanza un dado por cada" in page(client, f"/rules/duel/{name}")


def test_an_identifier_opens_however_it_is_typed(client: FlaskClient) -> None:
    assert "Lanza un dado" in page(client, "/rules/duel/duel-1")


def test_a_dialog_gets_only_what_stands_in_it(client: FlaskClient) -> None:
    part = page(client, "/rules/duel/DUEL-1", **{"HX-Request": "true"})
    assert "Lanza un dado" in part
    assert "<html" not in part
    assert 'href="/rules/duel/DUEL-1"' in part


def test_the_rulebook_itself_is_told_apart_from_ours(client: FlaskClient) -> None:
    stated = page(client, "/rules/duel/DUEL-1", "en")
    ours = page(client, "/rules/duel/DUEL-2", "en")
    assert "stated in the rules" in stated
    assert "Companion works it out" in stated
    assert "our reading" in ours
    assert "Companion sees to it" in ours


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", sorted(discover()))
def test_table_options_that_change_a_ruling_are_named(client: FlaskClient, slug: str, language: str) -> None:
    rulebook = discover()[slug].rulebook
    html = page(client, f"/rules/{slug}/rulings", language)
    changed = [note for note in rulebook.ruling if note.options]
    said = ("Your table may agree otherwise", "Tu mesa puede acordar")[language == "es"]
    assert html.count(said) == len(changed)


@pytest.mark.parametrize("slug", sorted(discover()))
def test_identifiers_inside_a_text_are_links(client: FlaskClient, slug: str) -> None:
    rulebook = discover()[slug].rulebook
    naming = [
        (clause.id, other)
        for clause in rulebook.clause
        for other in re.findall(r"[A-Z]+-Q?\d+", clause.es)
        if other != clause.id
    ]
    for clause, other in naming:
        assert (
            f'href="/rules/{slug}/{other}"'
            in page(client, f"/rules/{slug}/{clause}").partition('class="reading-text"')[2]
        )


def test_a_clause_that_names_another_leads_to_it(client: FlaskClient) -> None:
    text = page(client, "/rules/two_cities/TTC-18").partition('class="reading-text"')[2]
    assert 'href="/rules/two_cities/TTC-41"' in text


def test_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    for address in (
        "/rules/chess", "/rules/chess/DUEL-1", "/rules/duel/DUEL-99", "/rules/duel/chapter/none",
        "/rules/chess/rulings", "/rules/chess/chapter/x", "/rules/chess/glossary",
        "/rules/duel/%00", "/rules/duel/chapter/%F0%9F%90%89",
    ):  # fmt: skip
        assert client.get(address).status_code == 404, address


def test_the_search_shows_what_was_found_and_where(client: FlaskClient) -> None:
    html = page(client, "/rules/search?q=dragon")
    assert "<mark>dragón</mark>" in html
    assert 'href="/rules/duel/DUEL-1"' in html
    assert "&lt;<mark>espada</mark>&gt;" in page(client, "/rules/search?q=espada")
    part = page(client, "/rules/search?q=dragon", **{"HX-Request": "true"})
    assert "<mark>dragón</mark>" in part
    assert "<html" not in part


def test_a_term_that_was_found_leads_to_the_glossary(client: FlaskClient) -> None:
    assert 'href="/rules/duel/glossary#sword"' in page(client, "/rules/search?q=espada")
    assert 'id="sword"' in page(client, "/rules/duel/glossary")


@pytest.mark.parametrize(
    "typed", ["", "<script>alert(1)</script>", "'\"--;", "🐉", "\x02\x03", "x" * 10_000, "un la de " * 20]
)
def test_odd_searches_are_answered(client: FlaskClient, typed: str) -> None:
    answer = client.get("/rules/search", query_string={"q": typed})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.text(max_size=60))
def test_any_text_can_be_searched(client: FlaskClient, typed: str) -> None:
    assert client.get("/rules/search", query_string={"q": typed}).status_code == 200


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.sampled_from(["duel", "DUEL-1", "chapter", "rulings", "%FF", "..", " ", "é"]), max_size=4))
def test_no_address_makes_it_fail(client: FlaskClient, parts: list[str]) -> None:
    assert client.get("/rules/" + "/".join(parts)).status_code < 500


def test_every_page_speaks_the_readers_language(client: FlaskClient) -> None:
    for address in (
        "/rules",
        "/rules/duel",
        "/rules/duel/chapter/fighting",
        "/rules/duel/examples",
        "/rules/duel/DUEL-1",
    ):
        spanish, english = (page(client, address, language).partition("<main")[2] for language in LANGUAGES)
        assert spanish != english


def test_reading_keeps_the_text_whole() -> None:
    book = Reading(RULEBOOK, "es")
    assert "".join(words for words, _ in book.linked("Véase DUEL-1, no DUEL-11.")) == "Véase DUEL-1, no DUEL-11."
    assert book.linked("Véase DUEL-1, no DUEL-11.") == (("Véase ", None), ("DUEL-1", "DUEL-1"), (", no DUEL-11.", None))
    assert book.linked("DUEL-1", "DUEL-1") == (("DUEL-1", None),)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", sorted(discover()))
def test_every_player_aid_is_shown_whole_and_cites_clauses_that_there_are(
    client: FlaskClient, slug: str, language: str
) -> None:
    game = discover()[slug]
    for sheet in game.rulebook.sheet:
        html = unescape(page(client, f"/rules/{slug}/sheet/{sheet.id}", language))
        assert html.count("<table") == len(sheet.listing)
        for part in sheet.listing:
            assert part.clause is None or part.clause in game.rulebook.ids()
            assert {len(line.cells) for line in part.line} == {len(part.columns)}
            texts = [part.title, *part.columns, *(cell for line in part.line for cell in line.cells)]
            for text in texts:
                assert speak(text, lambda key: game.words.find(key, language) or "?") in html


def test_there_is_no_player_aid_of_another_name(client: FlaskClient) -> None:
    assert client.get("/rules/duel/sheet/nothing").status_code == 404

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
from companion.web.rules.entries import LocalRulebook
from tests.support.duel_game import GAME as DUEL
from tests.support.duel_game import RULEBOOK
from tests.support.phones import tidy
from tests.support.sizes import first

LANGUAGES = ("es", "en")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={"duel": DUEL, **discover()})
    app.testing = True
    return app.test_client()


def page(client: FlaskClient, address: str, language: str = "es", **headers: str) -> str:
    answer = client.get(address, headers={"Accept-Language": language} | headers)
    assert answer.status_code == 200, address
    return tidy(answer.text)


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


@pytest.mark.parametrize("language", first(*LANGUAGES))
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
        "/rules/chess",
        "/rules/chess/DUEL-1",
        "/rules/duel/DUEL-99",
        "/rules/duel/chapter/none",
        "/rules/chess/rulings",
        "/rules/chess/chapter/x",
        "/rules/chess/glossary",
        "/rules/duel/%00",
        "/rules/duel/chapter/%F0%9F%90%89",
    ):
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
    book = LocalRulebook(RULEBOOK, "es")
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


def to_sheet(target: str) -> dict[str, str]:
    """Ask as the sheet does: for what stands in it, or for the hits in it."""
    return {"HX-Request": "true", "HX-Target": f"div#{target}"}


def test_every_page_leads_to_the_search(client: FlaskClient) -> None:
    for address in ("/", "/rules", "/rules/two_cities/TTC-81", "/quick", "/import", "/rules/search?q=dragon"):
        (link,) = re.findall(r'<a class="seek" href="([^"]+)"[^>]*>', page(client, address))
        assert page(client, link)
    (link,) = re.findall(r'<a class="seek" href="([^"]+)"', page(client, "/quick/chesswar/melee"))
    assert link == "/rules/search?first=chesswar"
    missing = client.get("/nothing/here").text
    assert 'class="seek" href="/rules/search"' in missing


def test_the_search_in_the_sheet_is_a_field_of_its_own_and_stays_there(client: FlaskClient) -> None:
    whole = page(client, "/rules/search?q=dragon&first=duel")
    sheet = page(client, "/rules/search?q=dragon&first=duel", **to_sheet("sheet-body"))
    hits = page(client, "/rules/search?q=dragon&first=duel", **to_sheet("hits-sheet"))
    assert 'id="hits"' in whole
    assert "data-sheet" not in whole.partition("<main")[2].partition("<dialog")[0]
    assert 'id="hits-sheet"' in sheet
    assert 'hx-target="#hits-sheet"' in sheet
    assert 'id="q"' not in sheet
    assert "<form" not in hits
    for part in (sheet, hits):
        assert "<html" not in part
        assert re.search(r'<a\s+href="/rules/duel/DUEL-1\?q=dragon&amp;first=duel" data-sheet', part)
    assert 'name="first" value="duel"' in sheet
    plain = page(client, "/rules/search?q=dragon", **to_sheet("hits"))
    assert "data-sheet" not in plain


def test_a_clause_in_the_sheet_leads_back_to_what_was_found(client: FlaskClient) -> None:
    part = page(client, "/rules/duel/DUEL-1?q=dragon&only=duel", **to_sheet("sheet-body"))
    assert re.search(r'data-sheet href="/rules/search\?q=dragon&amp;only=duel"', part)
    assert "Volver a lo encontrado" in part
    alone = page(client, "/rules/duel/DUEL-1", **to_sheet("sheet-body"))
    assert "/rules/search" not in alone


def test_what_leaves_the_sheet_opens_beside_the_table(client: FlaskClient) -> None:
    addresses = ("/rules/two_cities/TTC-104", "/rules/chesswar/CW-115", "/rules/search?q=bosque&first=two_cities")
    for address in addresses:
        part = page(client, address, **to_sheet("sheet-body"))
        leaving = [tag for tag in re.findall(r"<a [^>]+>", part) if "data-sheet" not in tag]
        assert leaving
        assert all("target=_blank" in tag or 'target="_blank"' in tag for tag in leaving)


def test_the_games_to_search_are_taps_the_readers_own_first(client: FlaskClient) -> None:
    html = page(client, "/rules/search?q=bosque&first=two_cities")
    assert re.findall(r'name="only" value="(\w*)"', html)[:2] == ["", "two_cities"]
    assert re.search(r'name="only" value="" checked', html)
    assert html.index("Palabra") < html.index('href="/rules/two_cities/') < html.index('href="/rules/chesswar/')
    only = page(client, "/rules/search?q=bosque&only=chesswar").partition('id="hits"')[2]
    assert 'href="/rules/chesswar/' in only
    assert 'href="/rules/two_cities/' not in only


@pytest.mark.parametrize("typed", ["TTC-81", "ttc81", "ttc 81"])
def test_an_identifier_is_the_first_hit(client: FlaskClient, typed: str) -> None:
    html = client.get("/rules/search", query_string={"q": typed, "first": "chesswar"}).text.partition('id="hits"')[2]
    assert re.findall(r'href="(/rules/[^"]+)"', html)[0] == "/rules/two_cities/TTC-81"


@pytest.mark.parametrize(("language", "said"), [("es", "¿Quisiste decir"), ("en", "Did you mean")])
def test_a_misspelt_search_says_what_it_took_it_for(client: FlaskClient, language: str, said: str) -> None:
    html = page(client, "/rules/search?q=dargon&only=duel", "es").partition("<main")[2]
    assert "¿Quisiste decir" in html
    assert "<mark>dragón</mark>" in html
    assert 'href="/rules/search?q=drag%C3%B3n&amp;only=duel"' in html
    typed = {"es": "catapluta", "en": "catapluts"}[language]
    assert said in page(client, f"/rules/search?q={typed}", language)
    assert said not in page(client, "/rules/search?q=zzzzzz", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clause_has_its_examples_to_try(client: FlaskClient, language: str) -> None:
    for headers in ({}, to_sheet("sheet-body")):
        html = page(client, "/rules/two_cities/TTC-104", language, **headers)
        filled, thrown, other = re.findall(r'href="(/quick/two_cities/melee\?[^"]+)"', html)
        assert ("Pruébalo" if language == "es" else "Try it") in html
        form = page(client, unescape(filled), language)
        assert re.search(r'name="neighbour" value="1" checked', form)
        assert re.search(r'name="target" value="light_infantry" checked', form)
        assert 'id="result"' not in form
        for address, outcome in ((thrown, ("1 impacto", "1 hit")), (other, ("retirada", "back"))):
            result = page(client, unescape(address), language).partition('class="quick-outcome"')[2].partition("</p>")
            assert outcome[language == "en"] in result[0]


def test_a_clause_without_an_example_can_be_tried(client: FlaskClient) -> None:
    html = page(client, "/rules/chesswar/CW-115", "en")
    (address,) = re.findall(r'href="(/quick/chesswar/regeneration\?[^"]+)"', html)
    assert "CW-115" in page(client, unescape(address), "en")
    assert "/quick/" not in page(client, "/rules/chesswar/CW-12", "en").partition("<main")[2]


@pytest.mark.parametrize("slug", sorted(discover()))
def test_whatever_can_be_tried_opens(client: FlaskClient, slug: str) -> None:
    game = discover()[slug]
    entries = [entry for part in (game.rulebook.clause, game.rulebook.example) for entry in part if entry.trial]
    for entry in entries:
        html = page(client, f"/rules/{slug}/{entry.id}").partition('class="beside"')[0]
        for address in re.findall(r'href="(/quick/[^"]+)"', html):
            answer = client.get(unescape(address))
            refused = {trial.refused for trial in entry.trial} - {None}
            assert answer.status_code == 200 or (
                answer.status_code == 422 and any(one in answer.text for one in refused)
            )


def test_a_unit_is_found_in_its_player_aid(client: FlaskClient) -> None:
    html = page(client, "/rules/search?q=gigantes&only=chesswar")
    assert re.search(
        r'href="/rules/chesswar/sheet/chaos"[^>]*>\s*<span class="grow">\s*<small>Hoja de ayuda Caóticos', html
    )
    assert page(client, "/rules/chesswar/sheet/chaos")


@pytest.mark.parametrize(("language", "said"), [("es", "Esto tiene algunas"), ("en", "This holds some of them")])
def test_a_search_that_asks_too_much_shows_what_holds_some_of_it(client: FlaskClient, language: str, said: str) -> None:
    html = page(client, "/rules/search?q=dragon+xyzzyx&only=duel", language)
    assert said not in page(client, "/rules/search?q=dragon&only=duel", language)
    assert said not in page(client, "/rules/search?q=xyzzyx&only=duel", language)
    assert said in html
    assert 'href="/rules/duel/DUEL-1"' in html

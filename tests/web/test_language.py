"""The words of the pages and the table: extracted, all translated, compiled, and spoken in the reader's language."""

from __future__ import annotations

import gettext
import re
from string import Formatter

import pytest
from flask import Flask

from companion import create_app
from companion.games import discover
from companion.kit.rulebook import shared_words
from companion.kit.text import say
from companion.web.assets import shipped
from companion.web.language import gettext as spoken
from companion.web.language import speaker, speaking
from companion.web.state import NAME
from tests.support import catalogue


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("words"))


def test_the_catalogue_holds_what_the_pages_say() -> None:
    fresh = {str(message.id) for message in catalogue.extracted() if message.id}
    kept = {str(message.id) for message in catalogue.committed() if message.id}
    assert fresh == kept, "run python -m tests.support.catalogue"


def test_everything_is_translated_and_nothing_is_doubtful() -> None:
    assert catalogue.missing(catalogue.committed()) == []


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_a_translation_has_the_places_of_its_sentence() -> None:
    wrong = []
    for message in catalogue.committed():
        ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
        strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if not ids[0] or "%(" in ids[-1]:
            continue
        wanted = places(ids[-1])
        wrong += [
            string for string in strings if {name for _, name, _, _ in Formatter().parse(string) if name} != wanted
        ]
        wrong += [string for string in strings if ("|" in string) != ("|" in ids[0])]
    assert wrong == []
    assert not [error for message in catalogue.committed() for error in message.check()]


def test_what_is_compiled_is_what_is_kept() -> None:
    with (catalogue.FOLDER / "messages.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue.committed():
        if message.id and not isinstance(message.id, tuple | list):
            assert compiled.gettext(message.id) == message.string, "run python -m tests.support.catalogue"


def test_the_folder_of_the_catalogue_is_the_one_that_is_read() -> None:
    assert catalogue.FOLDER.is_dir()
    assert (catalogue.ROOT / "companion" / "web" / "language.py").is_file()


def test_a_language_is_spoken_inside_its_block_only() -> None:
    with speaking("es"):
        assert spoken("New table") == "Mesa nueva"
    assert spoken("New table") == "New table"


def test_a_games_own_words_come_before_those_of_the_pages(app: Flask) -> None:
    with app.app_context():
        games = app.extensions[NAME].games
        slug, game = next(iter(games.items()))
        assert speaker(slug, "es")(game.name) == game.words.find(game.name.say, "es")
        assert speaker(slug, "es")(say("Nobody sits there.")) == "Ahí no se sienta nadie."
        assert speaker(None, "en")(say("{who} agrees.", who="Ana")) == "Ana agrees."


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        ({"headers": {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}}, "es"),
        ({"headers": {"Accept-Language": "de"}}, "en"),
        ({"headers": {"Accept-Language": "de,es;q=0.2"}}, "es"),
        ({"headers": {"Accept-Language": "es", "Cookie": "lang=en"}}, "en"),
        ({"headers": {"Cookie": "lang=xx", "Accept-Language": "es"}}, "es"),
        ({}, "en"),
    ],
)
def test_the_reader_is_spoken_to_in_a_language_that_they_read(
    app: Flask, asked: dict[str, dict[str, str]], heard: str
) -> None:
    page = app.test_client(use_cookies=False).get("/", **asked).text
    assert f'<html lang="{heard}"' in page


def test_a_language_is_switched_by_a_link_that_leads_back_to_the_page(app: Flask) -> None:
    phone = app.test_client()
    answer = phone.get("/rules/search?q=bosque&lang=es")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/rules/search?q=bosque")
    assert '<html lang="es"' in phone.get("/").text
    phone.get("/?theme=dark")
    assert 'data-theme="dark"' in phone.get("/").text
    phone.get("/?theme=auto")
    assert "data-theme" not in phone.get("/").text.split("<body")[0]


def test_a_language_is_switched_at_an_odd_address_too(app: Flask) -> None:
    answer = app.test_client().get("/%0d%0ax%3Fy?lang=es")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/%0D%0Ax%3Fy")


def test_a_switch_never_leads_to_another_host(app: Flask) -> None:
    answer = app.test_client().get("//evil.example/x?lang=es")
    assert answer.headers.get("Location", "/x").startswith("/")
    assert not answer.headers.get("Location", "/x").startswith("//")


def asked(sentence: str) -> int:
    return sentence.count("?")


def test_a_question_is_a_whole_sentence_in_both_languages() -> None:
    pairs = [
        (english, spanish)
        for message in catalogue.committed()
        if message.id
        for english, spanish in (
            zip(message.id, message.string, strict=True)
            if isinstance(message.id, tuple | list)
            else [(message.id, message.string)]
        )
    ]
    for words in (shared_words(), *(game.words for game in discover().values())):
        pairs += [(english, others["es"]) for english, others in words.sentences.items()]
    assert len(pairs) > 3000
    assert [pair for pair in pairs if asked(pair[1]) != pair[1].count("¿")] == []
    assert [(one, other) for one, other in pairs if ("?" in one) != ("?" in other)] == []
    appended = re.compile(r"\}\}[?!](?=[\s<])|(~|\+) *[\"'][?!] *[\"']")
    found = [
        f"{path.name}: {line.strip()}"
        for path in (
            *(catalogue.ROOT / "companion" / "web").rglob("*"),
            *shipped("templates").rglob("*"),
            *shipped("static").rglob("*"),
        )
        if path.suffix in {".html", ".py", ".js"} and "vendor" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if appended.search(line) and "urlencode" not in line
    ]
    assert found == [], "a question mark is a part of its sentence"

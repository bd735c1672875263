"""What is wrong with a request is said in one sentence, in both languages, by page and API; the table stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from tests.support.phones import Table, words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

GAME = "two_cities"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"))
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    """White has to play a card, on a board where its heavy infantry (c) stands before Black's (c)."""
    table = Table(app, GAME, "typed")
    for kind in ("forest", "hill"):
        for _ in range(2):
            correct(table, f"terrain.{kind}.1", "off")
    for place, square in (("forest.1", "a5"), ("forest.2", "a6"), ("hill.1", "h5"), ("hill.2", "h6")):
        correct(table, f"terrain.{place}", square)
    correct(table, "unit.wc.square", "d3")
    correct(table, "unit.bc.square", "d4")
    for side in ("white", "black"):
        table.act(side, action="ready")
    correct(table, "cards.white", "2H,AH,10S")
    return table


@pytest.fixture
def moving(table: Table) -> Table:
    """White has played its card."""
    table.act("white", action="play_card", card="AH")
    return table


@pytest.fixture
def thrown(moving: Table) -> Table:
    """White has attacked: the table waits for its dice."""
    moving.act("white", action="attack", unit="wc", target="bc")
    return moving


def correct(table: Table, path: str, value: str) -> None:
    table.tables.correct(table.id, "rulekeeper", path, value, f"{path}={value} {table.tables.version(table.id)}")


def sent(table: Table, seat: str, path: str, language: str, data: dict[str, Any]) -> TestResponse:
    headers = {"Accept-Language": language}
    return table.phones[seat].post(f"/t/{table.id}/{seat}{path}", data=data, headers=headers)


def asked(table: Table, seat: str, path: str, language: str, body: dict[str, Any]) -> TestResponse:
    headers = {"Accept-Language": language, "Authorization": f"Bearer {table.tokens[seat]}"}
    return client(table).post(f"/api/tables/{table.id}{path}", json=body, headers=headers)


def client(table: Table) -> FlaskClient:
    return table.app.test_client()


def check(table: Table, seat: str, action: dict[str, str], status: int, said: dict[str, str]) -> dict[str, Any]:
    """Send an action by form and by API, in both languages; return what the API said, with nothing changed."""
    before = table.tables.version(table.id)
    told: dict[str, Any] = {}
    for number, (language, sentence) in enumerate(said.items()):
        do = "&".join(f"{name}={value}" for name, value in action.items())
        page = sent(table, seat, "/act", language, {"do": do, "key": f"bad {do} {language}"})
        assert page.status_code == status, words(page.text)
        assert sentence in words(page.text)
        answer = asked(table, seat, "/actions", language, {"action": action, "key": f"bad {do} {number}"})
        told = answer.json or {}
        assert answer.status_code == status
        assert told["detail"] == sentence
    assert table.tables.version(table.id) == before
    return told


@pytest.mark.parametrize(
    ("seat", "action", "status", "field", "clause", "english", "spanish"),
    [
        ("black", {"action": "play_card", "card": "2H"}, 422, None, "TTC-16",
         "It is White's turn.", "Es el turno de blancas."),
        ("white", {"action": "play_card", "card": "99"}, 422, "card", "TTC-26",
         "Only the 24 cards of the game are used.", "Solo se usan las 24 cartas del juego."),
        ("white", {"action": "play_card"}, 400, "card", None, "Card: this is needed.", "Carta: hace falta."),
        ("white", {"action": "fly"}, 400, "action", None,
         "What to do: this is not what belongs here.", "Qué hacer: aquí va otra cosa."),
        ("white", {"action": "play_card", "card": "2H", "speed": "2"}, 400, "speed", None,
         "There is no field called speed.", "No hay ningún campo llamado speed."),
    ],
)  # fmt: skip
def test_a_wrong_action_is_said_on_the_page_and_in_the_api(
    table: Table,
    seat: str,
    action: dict[str, str],
    status: int,
    field: str | None,
    clause: str | None,
    english: str,
    spanish: str,
) -> None:
    told = check(table, seat, action, status, {"en": english, "es": spanish})
    assert (told["field"], told["clause"]) == (field, clause)


def refused(table: Table, action: dict[str, str], field: str, clause: str | None) -> None:
    """Check that White's action is refused by its field on the page and in the API, in both languages."""
    said = {}
    for language in ("en", "es"):
        told = asked(table, "white", "/actions", language, {"action": action, "key": f"wrong {language}"})
        assert (told.status_code, told.json["field"], told.json["clause"]) == (422, field, clause)
        page = sent(table, "white", "/act", language, {"do": "&".join(f"{a}={b}" for a, b in action.items())})
        assert told.json["detail"] in words(page.text)
        said[language] = told.json["detail"]
    assert said["en"] != said["es"]


def test_a_card_that_is_not_in_hand_is_refused(table: Table) -> None:
    refused(table, {"action": "play_card", "card": "QS"}, "card", "TTC-17")


@pytest.mark.parametrize(("unit", "clause"), [("bc", "TTC-25"), ("zz", None)])
def test_a_unit_of_the_other_side_is_refused(moving: Table, unit: str, clause: str | None) -> None:
    refused(moving, {"action": "move", "unit": unit, "to": "d5"}, "unit", clause)


@pytest.mark.parametrize(
    ("faces", "english", "spanish"),
    [
        ([1, 2], "Roll 5 dice, not 2.", "Tira 5 dados, no 2."),
        ([1, 2, 3, 4, 7], "A die shows 1 to 6, not 7.", "Un dado muestra de 1 a 6, no 7."),
    ],
)
def test_wrong_dice_are_said(thrown: Table, faces: list[int], english: str, spanish: str) -> None:
    before = thrown.tables.version(thrown.id)
    typed = {f"face.{number}": str(face) for number, face in enumerate(faces, 1)}
    for language, sentence in (("en", english), ("es", spanish)):
        page = sent(thrown, "white", "/answer", language, typed)
        assert page.status_code == 422
        assert sentence in words(page.text)
        told = asked(thrown, "white", "/answers", language, {"answer": {"faces": faces}, "key": f"{faces}{language}"})
        assert (told.status_code, told.json["field"], told.json["detail"]) == (422, "faces", sentence)
    assert thrown.tables.version(thrown.id) == before


@pytest.mark.parametrize(
    ("path", "english", "spanish"),
    [
        ("/t/ZZZZZZ", "There is no table ZZZZZZ.", "No hay ninguna mesa ZZZZZZ."),
        ("/go?code=zz", "There is no table ZZ.", "No hay ninguna mesa ZZ."),
        ("/new/chess", "There is no game called chess.", "No hay ningún juego llamado chess."),
        ("/nowhere", "There is nothing at this address.", "En esta dirección no hay nada."),
        ("/tables?show=x", "This request cannot be understood.", "Esta petición no se entiende."),
        ("/?after=x", "after: this has to be a whole number.", "after: tiene que ser un número entero."),
        ("/tables?after=x", "after: this has to be a whole number.", "after: tiene que ser un número entero."),
    ],
)
def test_a_wrong_address_is_said(table: Table, path: str, english: str, spanish: str) -> None:
    for language, sentence in (("en", english), ("es", spanish)):
        page = client(table).get(path, headers={"Accept-Language": language})
        assert 400 <= page.status_code < 500
        assert sentence in words(page.text)


@pytest.mark.parametrize(
    ("options", "field", "english", "spanish"),
    [
        (
            {"board": "round"},
            "options.board",
            "The board: that is not one of the choices.",
            "El tablero: eso no está entre las opciones.",
        ),
        ({"aim": 1}, "options.aim", "There is no field called aim.", "No hay ningún campo llamado aim."),
    ],
)
def test_a_wrong_option_is_called_as_on_the_form(
    table: Table, options: dict[str, Any], field: str, english: str, spanish: str
) -> None:
    for language, sentence in (("en", english), ("es", spanish)):
        body = {"game": GAME, "options": options}
        told = client(table).post("/api/tables", json=body, headers={"Accept-Language": language})
        assert (told.status_code, told.json["field"], told.json["detail"]) == (400, field, sentence)

"""Texts as long as a file: filled in on a page of their own, sent as form and JSON, corrected, and never in the log."""

from __future__ import annotations

import random
import re
from html import unescape
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion import create_app
from companion.kit import rosters
from companion.kit.game import SCREEN
from tests.support.conformance import any_value, filled, settle
from tests.support.muster_game import MOST, MUSTER, OURS, Company, Fighter
from tests.support.phones import Table, words

BRING = "action=bring"
PLAN = "/plan?do=action%3Dbring"
OTHERS = 'name = "Others"\n# okapi\n[[fighter]]\nname = "Zebra"\nstrength = 2\n'


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"muster": MUSTER})
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "muster")


def sent(text: str) -> dict[str, str]:
    return {"do": BRING, "planned": "1", "f.company": text}


def area(page: str) -> str:
    """What stands in the text of a page; a browser leaves out the first end of a line."""
    (found,) = re.findall(r'<textarea class="file"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return unescape(found)


def ours(table: Table, seat: str = "red") -> Company:
    (field,) = (field for offer in table.tables.seen(table.id, seat).offers for field in offer.fields)
    return rosters.read(str(field.value), Company, most=MOST)


def long(letter: str) -> str:
    """A company that is as long as may be."""
    begun = 'name = "Long"\n#'
    return begun + letter * (MOST - len(begun))


def test_it_is_filled_in_on_a_page_of_its_own_and_not_carried_by_that_of_the_table(table: Table) -> None:
    page = table.get("red").text
    assert PLAN in page
    assert "Guard" not in page
    planned = table.get("red", PLAN).text
    assert area(planned) == rosters.write(OURS)
    assert f'maxlength="{MOST}"' in planned
    assert '<label for="f-f.company">Our company</label>' in planned
    assert words(planned).count("Our company") == 3, (
        "the label, and whoever listens hears which file is opened or saved"
    )


@pytest.mark.parametrize(("language", "said"), [("en", ("Open a file", "Save a file")), ("es", ("Abrir", "Guardar"))])
def test_it_can_be_opened_and_saved_in_both_languages(table: Table, language: str, said: tuple[str, ...]) -> None:
    page = table.get("red", PLAN, headers={"Accept-Language": language}).text
    buttons = words(page.partition("of-file")[2].partition("</div>")[0])
    assert all(word in buttons for word in said)


def test_a_form_brings_it(table: Table) -> None:
    assert table.post("red", "/act", **sent(OTHERS)).status_code == 303
    assert ours(table) == Company("Others", (Fighter("Zebra", 2),))
    assert area(table.get("red", PLAN).text) == rosters.write(ours(table))


@pytest.mark.parametrize("letter", ["x", "é", "€", "\n"])
def test_a_hundred_thousand_letters_get_through_as_form_and_as_json(table: Table, letter: str) -> None:
    text = long(letter)
    assert len(text) == MOST
    assert table.post("red", "/act", **sent(text.replace("\n", "\r\n"))).status_code == 303
    assert ours(table).name == "Long"
    token, body = table.tokens["blue"], {"key": "k", "action": {"action": "bring", "company": text}}
    answer = table.app.test_client().post(
        f"/api/tables/{table.id}/actions", json=body, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 200
    assert ours(table, "blue").name == "Long"


def test_what_is_refused_is_shown_again_as_it_was_and_nothing_is_brought(table: Table) -> None:
    wrong = OTHERS.replace("strength = 2", "strength = 9") + "<b>&amp;"
    for text, said in (
        (wrong.removesuffix("<b>&amp;"), "fighter 1 (“Zebra”), field “strength”: a whole number from 1 to 6."),
        (wrong, "Line 6, column"),
    ):
        page = table.post("red", "/act", **sent(text))
        assert page.status_code == 422
        assert said in words(page.text)
        assert area(page.text) == text
        assert '<div class="field is-wrong">' in page.text
        assert ours(table) == OURS


def everything(table: Table, seat: str) -> str:
    """All that a seat can look at of a table."""
    answers = [table.get(seat, path).text for path in ("", "/log", "/report", "/statistics")]
    token = table.tokens.get(seat, "")
    for path in ("", "/log", "/statistics"):
        found = table.app.test_client().get(
            f"/api/tables/{table.id}{path}", headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        answers.append(found.text)
    assert all(answers)
    return "\n".join(answers)


def test_neither_the_log_nor_another_seat_shows_it(table: Table) -> None:
    table.post("red", "/act", **sent(OTHERS))
    assert table.post("rulekeeper", "/correct", **{"v.company.red": OTHERS.replace("Zebra", "Gnu")}).status_code == 303
    assert ours(table).fighter[0].name == "Gnu"
    assert "Others" in everything(table, "blue"), "the headline, which the game wrote"
    for seat in ("blue", SCREEN, "rulekeeper"):
        seen = everything(table, seat)
        for word in ("okapi", "Zebra", "Gnu"):
            assert word not in seen, f"{seat} sees {word}"
    assert "Zebra" not in "".join(table.get("red", path).text for path in ("", "/log", "/report"))


def test_it_is_corrected_in_words_that_do_not_repeat_it(table: Table) -> None:
    page = table.get("rulekeeper", "/corrections").text
    areas = [unescape(one) for one in re.findall(r'<textarea class="file"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)]
    assert areas == [rosters.write(OURS), ""], "that of blue is hidden"
    assert f"{len(rosters.write(OURS))} letters" in words(page)
    answer = table.post("rulekeeper", "/correct", **{"v.company.red": OTHERS.replace("\n", "\r\n")})
    assert answer.status_code == 303
    said = words(table.get("blue", "/log").text)
    assert "Our company: it is another one now." in said
    assert "→" not in said, "a headline with before and after has no room for it"
    refused = table.post("rulekeeper", "/correct", **{"v.company.red": "name = 3"})
    assert refused.status_code == 422
    assert "Field “name”: words, in quotation marks." in words(refused.text)
    assert "name = 3" in refused.text
    assert table.post("rulekeeper", "/correct", **{"v.company.blue": OTHERS}).status_code == 303
    said = words(table.get("red", "/log").text)
    assert said.count("it is another one now") == 1
    assert "what it was and is now stays hidden" in said


def test_a_correction_takes_as_many_letters_as_the_field(table: Table) -> None:
    def correct(text: str) -> Any:
        token = table.tokens["rulekeeper"]
        body = {"key": f"k{len(text)}{text[-1]}", "path": "company.red", "value": text}
        headers = {"Authorization": f"Bearer {token}"}
        return table.app.test_client().post(f"/api/tables/{table.id}/corrections", json=body, headers=headers)

    assert correct(long("x")).status_code == 200
    assert correct(long("y") + "y").status_code == 400
    assert ours(table).name == "Long"


def test_a_random_game_fills_it_in_with_what_it_was_filled_in_with_before() -> None:
    state = settle(lambda ask: MUSTER.setup(MUSTER.options(), ask), random.Random(1))[0].outcome
    (offer, _) = MUSTER.offers(state, "red")
    wanted = filled(offer, random.Random(1))
    assert wanted == {"action": "bring", "company": rosters.write(OURS)}
    (corrected, _) = MUSTER.tracked(state)
    assert any_value(corrected.field, random.Random(1)) == rosters.write(OURS)
    assert msgspec.json.decode(msgspec.json.encode(offer), type=type(offer)) == offer

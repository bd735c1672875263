"""Seats are people's, links that hand one over, swaps, the rulekeeper's seat, a PIN, and what nobody is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.web.guard import Guesses
from companion.web.state import NAME
from tests.support.phones import Table, words
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

ES = {"Accept-Language": "es"}


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY}, address="http://192.168.7.7:8000")
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "toy")


def link(table: Table, seat: str) -> str:
    """Let a seat be handed over; return the address that its page shows."""
    made = table.post(seat, "/hand-over", on="1")
    assert made.headers["Location"] == f"/t/{table.id}/{seat}/hand-over"
    found = re.search(
        rf'href="http://192\.168\.7\.7:8000(/t/{table.id}/take/[\w-]+)"', table.get(seat, "/hand-over").text
    )
    assert found is not None
    return found[1]


def wish(table: Table, seat: str) -> str:
    (one,) = table.tables.seen(table.id, seat).proposals
    return one.id


def host(table: Table) -> FlaskClient:
    laptop = table.app.test_client()
    laptop.get(f"/host/{table.app.extensions[NAME].host_key}")
    return laptop


def owner(table: Table, seat: str) -> str:
    return next(person.name for person in table.tables.summary(table.id).people if person.seat == seat)


def test_a_link_that_is_only_looked_at_takes_nothing(table: Table) -> None:
    where = link(table, "red")
    phone = table.app.test_client()
    page = phone.get(where)
    assert "Red gives you this seat" in words(page.text)
    assert "Set-Cookie" not in page.headers
    assert table.get("red").status_code == 200
    taken = phone.post(where, data={"name": "Eva", "key": "a key of twenty letters"})
    assert taken.headers["Location"] == f"/t/{table.id}/red"
    assert phone.get(f"/t/{table.id}/red").status_code == 200
    again = phone.post(where, data={"name": "Eva", "key": "a key of twenty letters"})
    assert again.headers["Location"] == f"/t/{table.id}/red", "a second tap is the first"
    assert table.get("red").headers["Location"] == f"/t/{table.id}"
    assert "red: your seat is on another phone now (Eva)" in words(table.phones["red"].get(f"/t/{table.id}").text)
    late = table.app.test_client()
    for answer in (late.get(where, headers=ES), late.post(where, data={"name": "Max"}, headers=ES)):
        assert answer.status_code == 409
        assert "Este enlace ya se ha usado. Ahora ahí se sienta: Eva." in words(answer.text)
        assert f'href="/t/{table.id}"' in answer.text, "a way on"
    assert owner(table, "red") == "Eva"


def test_what_can_be_no_name_is_said_and_the_link_is_still_good(table: Table) -> None:
    where = link(table, "red")
    refused = table.app.test_client().post(where, data={"name": "x" * 200})
    assert refused.status_code == 400
    assert "40 letters at most" in words(refused.text)
    assert 'name="name"' in refused.text
    assert owner(table, "red") == "Red"


def test_a_link_of_no_table_or_no_seat_is_a_guess(table: Table) -> None:
    phone = table.app.test_client()
    for wrong in (f"/t/{table.id}/take/nothing", f"/t/AAAAAA/take/{link(table, 'red').rpartition('/')[2]}"):
        assert phone.get(wrong).status_code == 404
        assert phone.post(wrong, data={"name": "Eva"}).status_code == 404
    for _ in range(20):
        last = phone.get(f"/t/{table.id}/take/guess")
    assert last.status_code == 429


def test_a_phone_that_scans_its_own_seat_is_told_so(table: Table) -> None:
    where = link(table, "red")
    page = table.phones["red"].get(where).text
    assert "This is your own seat" in words(page)
    assert 'name="name"' not in page


def test_a_seat_that_is_not_handed_over_has_no_such_page(table: Table) -> None:
    assert table.get("red", "/hand-over").headers["Location"] == f"/t/{table.id}/red/mine"
    link(table, "red")
    table.post("red", "/hand-over", on="0")
    assert table.get("red", "/hand-over").headers["Location"] == f"/t/{table.id}/red/mine"


def test_who_swaps_is_led_to_the_other_seat_by_every_phone(table: Table) -> None:
    second = table.phone("red")
    assert table.post("red", "/swap", other="blue").headers["Location"] == f"/t/{table.id}/red"
    yes = table.post("blue", "/wish", wish=wish(table, "blue"), yes="1")
    assert yes.headers["Location"] == f"/t/{table.id}/red"
    assert table.phones["blue"].get(f"/t/{table.id}/red").status_code == 200
    assert table.phones["blue"].get(f"/t/{table.id}/blue").headers["Location"] == f"/t/{table.id}/red"
    for phone in (table.phones["red"], second):
        assert phone.get(f"/t/{table.id}/red").headers["Location"] == f"/t/{table.id}/blue"
        assert phone.get(f"/t/{table.id}/blue").status_code == 200
        assert "seat is" not in words(phone.get(f"/t/{table.id}").text), "nothing was lost"
    third = table.app.test_client()
    old = third.get(f"/s/{table.id}/red/{table.tokens['red']}")
    assert old.headers["Location"] == f"/t/{table.id}/blue", "a link that was kept leads to where he sits"


def test_a_phone_that_slept_is_led_on_by_the_page_of_the_seats(table: Table) -> None:
    table.tables.change_seats(table.id, "red", "blue", "k1")
    table.tables.answer_wish(table.id, "blue", wish(table, "blue"), yes=True, key="k2")
    phone = table.phones["red"]
    page = phone.get(f"/t/{table.id}?seat=red", follow_redirects=True)
    assert page.request.path == f"/t/{table.id}"
    assert f'href="/t/{table.id}/blue"' in page.text
    assert phone.get(f"/t/{table.id}/blue").status_code == 200


def test_a_phone_that_holds_both_seats_swaps_with_itself(table: Table) -> None:
    both = table.phone("red", "blue")
    table.tables.change_seats(table.id, "red", "blue", "k1")
    both.post(f"/t/{table.id}/blue/wish", data={"wish": wish(table, "blue"), "yes": "1", "key": "k"})
    for seat in ("red", "blue"):
        assert both.get(f"/t/{table.id}/{seat}").status_code == 200


def test_a_second_tap_on_what_gives_a_seat_away_leads_on(table: Table) -> None:
    for _ in range(2):
        assert table.post("red", "/leave", key="same").headers["Location"] == f"/t/{table.id}"
    assert "your seat" not in words(table.phones["red"].get(f"/t/{table.id}").text)
    assert table.post("blue", "/swap", other="red").headers["Location"] == f"/t/{table.id}/red"
    table.phones["blue"].get(f"/t/{table.id}/red")
    assert table.post("blue", "/swap", other="red").headers["Location"] == f"/t/{table.id}/red"
    assert owner(table, "red") == "Blue"


@pytest.mark.parametrize(
    ("seat", "path", "sent", "status"),
    [
        ("rulekeeper", "/leave", {}, 409),
        ("rulekeeper", "/swap", {"other": "blue"}, 403),
        ("red", "/swap", {"other": "nobody"}, 404),
        ("red", "/swap", {"other": "red"}, 409),
        ("red", "/swap", {}, 404),
        ("red", "/propose", {"other": "rulekeeper"}, 403),
        ("rulekeeper", "/propose", {"other": "red"}, 403),
        ("red", "/wish", {"wish": "nothing", "yes": "1"}, 409),
        ("red", "/claim", {"wish": "nothing"}, 409),
        ("red", "/rename", {"name": "x" * 200}, 400),
    ],
)
def test_what_can_not_be_is_said_with_a_way_on(
    table: Table, seat: str, path: str, sent: dict[str, str], status: int
) -> None:
    answer = table.post(seat, path, **sent)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert f'href="/t/{table.id}' in answer.text
    for shown in ("screen", "red"):
        stranger = table.app.test_client().post(f"/t/{table.id}/{shown}{path}", data=sent)
        assert stranger.status_code in {303, 403}


def test_the_rulekeepers_seat_is_given_by_two_phones_and_taken_by_a_third(table: Table) -> None:
    table.post("red", "/propose", other="blue")
    both = table.phone("red", "blue")
    refused = both.post(f"/t/{table.id}/blue/wish", data={"wish": wish(table, "blue"), "yes": "1"})
    assert refused.status_code == 403
    assert "Another phone has to agree" in words(refused.text)
    table.post("blue", "/wish", wish=wish(table, "blue"), yes="1")
    claimed = [table.post("blue", "/claim", wish=one, key="same") for one in [wish(table, "blue")] * 1]
    assert claimed[0].headers["Location"] == f"/t/{table.id}/rulekeeper"
    assert table.phones["blue"].get(f"/t/{table.id}/rulekeeper/settings").status_code == 200
    old = table.phones["rulekeeper"]
    assert old.get(f"/t/{table.id}/rulekeeper").headers["Location"] == f"/t/{table.id}"
    assert "Rulekeeper: Blue has this seat now." in words(old.get(f"/t/{table.id}").text)


def test_a_claim_that_is_sent_twice_brings_the_seat_twice(table: Table) -> None:
    table.tables.give_rulekeeper(table.id, "red", "k")
    given = wish(table, "red")
    for _ in range(2):
        assert table.post("red", "/claim", wish=given, key="same").headers["Location"] == f"/t/{table.id}/rulekeeper"
        assert table.phones["red"].get(f"/t/{table.id}/rulekeeper").status_code == 200


def test_the_phone_of_a_rulekeeper_who_plays_is_told_on_its_other_page(table: Table) -> None:
    phone = table.phone("red", "rulekeeper")
    asking = f"/t/{table.id}/rulekeeper/knocks"
    table.tables.propose_rulekeeper(table.id, "blue", "blue", "k1")
    assert "give the rulekeeper's seat away" in words(phone.get(asking).text)
    table.tables.answer_wish(table.id, "red", wish(table, "red"), yes=True, key="k2", held={"red"})
    assert phone.get(asking).text == ""
    table.tables.claim(table.id, "blue", wish(table, "blue"))
    assert "Blue keeps the rules now" in words(phone.get(asking).text)


def test_only_the_laptop_gives_the_seat_at_once(table: Table) -> None:
    where = f"/t/{table.id}/give"
    for phone in (table.phones["red"], table.phones["rulekeeper"], table.app.test_client()):
        assert phone.post(where, data={"seat": "red"}).status_code == 403
        assert "/give" not in phone.get(f"/t/{table.id}").text
    laptop = host(table)
    assert where in laptop.get(f"/t/{table.id}").text
    assert laptop.post(where, data={"seat": "nobody"}).status_code == 404
    table.post("rulekeeper", "/release", seat="blue")
    assert laptop.post(where, data={"seat": "blue"}).status_code == 409
    assert laptop.post(where, data={"seat": "red"}).status_code == 303
    assert table.post("red", "/claim", wish=wish(table, "red")).status_code == 303
    assert table.phones["red"].get(f"/t/{table.id}/rulekeeper").status_code == 200


def test_a_locked_table_lets_in_who_types_its_pin_and_asks_nobody_who_sits_there(table: Table) -> None:
    table.post("rulekeeper", "/release", seat="blue")
    keeper, phone = table.phones["rulekeeper"], table.app.test_client()
    assert 'name="pin"' not in phone.get(f"/t/{table.id}").text
    for stranger in (phone, table.phones["red"]):
        assert stranger.post(f"/t/{table.id}/pin", data={"pin": "4815"}).status_code == 403
    for wrong in ("12", "", "abcd"):
        refused = keeper.post(f"/t/{table.id}/pin", data={"pin": wrong})
        assert refused.status_code == 400
        assert "A PIN has 4 to 8 digits." in words(refused.text)
    assert keeper.post(f"/t/{table.id}/pin", data={"pin": "4815"}).status_code == 303
    assert 'name="pin"' in phone.get(f"/t/{table.id}").text
    sat = {"seat": "blue", "name": "Eva"}
    for typed in ("", "4816"):
        refused = phone.post(f"/t/{table.id}/join", data=sat | {"pin": typed}, headers=ES)
        assert refused.status_code == 403
        assert "PIN" in words(refused.text)
        assert 'value="Eva"' in refused.text, "what was typed is kept"
    knocked = phone.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eva"})
    assert knocked.status_code == 403, "nor is a seat asked for"
    assert phone.post(f"/t/{table.id}/join", data=sat | {"pin": "4815"}).headers["Location"] == f"/t/{table.id}/blue"
    phone.post(f"/t/{table.id}/blue/leave")
    assert 'name="pin"' not in phone.get(f"/t/{table.id}").text, "once a phone"
    assert phone.post(f"/t/{table.id}/join", data=sat).status_code == 303
    sitting = table.phone("red")
    assert sitting.get(f"/t/{table.id}/red").status_code == 200, "a private link needs none"
    taking = table.app.test_client()
    assert taking.post(link(table, "red"), data={"name": "Max"}).status_code == 303, "nor does a seat that is given"
    assert table.app.test_client().get(f"/t/{table.id}/screen").status_code == 200
    assert keeper.post(f"/t/{table.id}/pin", data={"off": "1"}).status_code == 303
    assert 'name="pin"' not in table.app.test_client().get(f"/t/{table.id}").text


def test_too_many_wrong_pins_have_to_wait_and_keep_what_was_typed(table: Table) -> None:
    clock = [0.0]
    table.app.extensions[NAME].pin_guesses = Guesses(clock=lambda: clock[0])
    table.post("rulekeeper", "/release", seat="blue")
    table.tables.lock(table.id, "4815", "k")
    phone, sent = table.app.test_client(), {"seat": "blue", "name": "Eva", "pin": "0000"}
    assert [phone.post(f"/t/{table.id}/join", data=sent).status_code for _ in range(21)] == [403] * 20 + [429]
    right = phone.post(f"/t/{table.id}/join", data=sent | {"pin": "4815"})
    assert right.status_code == 429
    assert "Wait a minute" in words(right.text)
    assert 'value="Eva"' in right.text
    assert table.get("red").status_code == 200, "who sits there goes on"
    clock[0] = 61
    assert phone.post(f"/t/{table.id}/join", data=sent | {"pin": "4815"}).status_code == 303


def test_wrong_pins_of_one_moment_are_counted_before_they_are_tried(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is tried for a twentieth of a second: who sends many at once has no more of them."""
    table.post("rulekeeper", "/release", seat="blue")
    table.tables.lock(table.id, "4815", "k")
    guesses = table.app.extensions[NAME].pin_guesses = Guesses(most=2)
    admit, sent = table.tables.admit, {"seat": "blue", "name": "Eva", "pin": "0000"}
    answers = []

    def slowly(*asked: str) -> str:
        # Before this one is found wrong, the next one comes.
        answers.append(table.app.test_client().post(f"/t/{table.id}/join", data=sent).status_code)
        return admit(*asked)

    monkeypatch.setattr(table.tables, "admit", slowly)
    answers.append(table.app.test_client().post(f"/t/{table.id}/join", data=sent).status_code)
    assert answers == [429, 403, 403]
    assert guesses.spent("127.0.0.1")


def test_pins_that_are_right_or_missing_are_no_guesses(table: Table) -> None:
    table.post("rulekeeper", "/release", seat="blue")
    table.tables.lock(table.id, "4815", "k")
    guesses = table.app.extensions[NAME].pin_guesses = Guesses(most=1)
    sent = {"seat": "blue", "name": "Eva"}
    missing = [table.app.test_client().post(f"/t/{table.id}/join", data=sent).status_code for _ in range(3)]
    assert missing == [403] * 3
    assert table.app.test_client().post(f"/t/{table.id}/join", data=sent | {"pin": "4815"}).status_code == 303
    assert not guesses.spent("127.0.0.1")


def test_of_a_household_all_addresses_guess_the_pin_together(table: Table) -> None:
    table.post("rulekeeper", "/release", seat="blue")
    table.tables.lock(table.id, "4815", "k")
    phone, sent = table.app.test_client(), {"seat": "blue", "name": "Eva", "pin": "0000"}

    def guess(address: str) -> int:
        at = f"/t/{table.id}/join"
        return phone.post(at, data=sent, environ_overrides={"REMOTE_ADDR": address}).status_code

    assert [guess(f"2001:db8:1:1::{number:x}") for number in range(21)] == [403] * 20 + [429]
    assert guess("2001:db8:1:2::1") == 403


def test_the_laptop_locks_a_table_and_is_not_asked(table: Table) -> None:
    table.post("rulekeeper", "/release", seat="blue")
    laptop = host(table)
    refused = laptop.post(f"/t/{table.id}/pin", data={"pin": "1"})
    assert (refused.status_code, "4 to 8 digits" in words(refused.text)) == (400, True)
    assert laptop.post(f"/t/{table.id}/pin", data={"pin": "4815"}).status_code == 303
    assert laptop.post(f"/t/{table.id}/join", data={"seat": "blue", "name": "Eva"}).status_code == 303


def test_no_page_holds_what_opens_anothers_seat(table: Table) -> None:
    secret = link(table, "red").rpartition("/")[2]
    table.tables.lock(table.id, "48151623", "k1")
    admission = table.tables.admit(table.id, "48151623")
    table.tables.change_seats(table.id, "red", "blue", "k2")
    table.tables.propose_rulekeeper(table.id, "red", "blue", "k3")
    for seat in ("red", "blue", "rulekeeper", "screen"):
        hidden = {secret, admission, "48151623", *table.tokens.values()} - {table.tokens.get(seat, "")}
        for path in ("", "/mine", "/invite", "/settings", "/hand-over", "/live"):
            page = table.get(seat, path)
            told = [word for word in hidden if word in page.text and not (word == secret and seat == "red")]
            assert told == [], (seat, path)
    assert secret not in table.get("red").text, "it is on the page that was asked for"
    assert secret in table.get("red", "/hand-over").text
    assert "/take/" not in table.app.test_client().get(f"/t/{table.id}").text


def test_whoever_made_the_table_and_plays_goes_from_its_invitation_to_the_seat_that_is_called(table: Table) -> None:
    both, keeper = table.phone("red", "rulekeeper"), table.phone("rulekeeper")
    crumb = re.compile(r'<nav class="crumbs"><a href="([^"]*)"')
    invitation = f"/t/{table.id}/rulekeeper/invite"
    assert crumb.findall(both.get(invitation).text) == [f"/t/{table.id}/red"]
    assert crumb.findall(keeper.get(invitation).text) == [f"/t/{table.id}/rulekeeper"]


@pytest.mark.parametrize("path", ["mine", "cards", "print/deck", "corrections", "settings", "invite", "stock-take"])
def test_the_shared_screen_is_told_that_it_only_shows(table: Table, path: str) -> None:
    answer = table.app.test_client().get(f"/t/{table.id}/screen/{path}")
    assert answer.status_code == 403
    assert "The shared screen only shows what is public." in words(answer.text)


def test_whose_the_rulekeepers_seat_was_is_said_by_his_name_as_a_player(app: Flask) -> None:
    tables, ana = app.extensions[NAME].tables, app.test_client()
    made = tables.create("toy", "", {}, {})
    for seat, token in (("rulekeeper", made.tokens["rulekeeper"]), ("red", tables.join(made.table, "red", "Ana"))):
        ana.get(f"/s/{made.table}/{seat}/{token}")
    ana.post(f"/t/{made.table}/rulekeeper/hand-over", data={"on": "1", "key": "another key"})
    shown = ana.get(f"/t/{made.table}/rulekeeper/hand-over").text
    found = re.search(rf"/t/{made.table}/take/[\w-]+", shown)
    assert found is not None
    bea = app.test_client()
    assert "Ana te cede este asiento" in words(bea.get(found[0], headers=ES).text)
    bea.post(found[0], data={"name": "Bea", "key": "a key of twenty letters"})
    page = bea.get(f"/t/{made.table}/rulekeeper", headers=ES).text
    assert "Bea en lugar de Ana: Árbitro" in words(page)

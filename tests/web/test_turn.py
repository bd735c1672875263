"""Whose turn it is, in words: at the head of the play page and in the title of its tab, for all seats of all games."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.games import discover
from companion.kit.action import Offer
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Clock, Phases, Row, Tracker, View
from companion.kit.questions import Choose, Option, Throw
from companion.kit.text import Text, say
from companion.table.view_models import Asked, Consent, Person, Seen, Waiting
from companion.web.language import LANGUAGES, speaker, speaking
from companion.web.play.turn import WhoseTurn, spoken, spoken_details, whose_turn
from companion.web.state import NAME
from tests.support.phones import Table, words

if TYPE_CHECKING:
    from flask import Flask

    from companion.web.language import Language

SEATS = ("white", "black", "red", "blue")
STEPS = (say("Choose a card"), say("Move and fight"))
TURN = Phases(say("Turn {turn}: {side}", turn=9, side=Text("white")), STEPS, 0)
EVADE = Choose("evade", say("Evade?"), "white", (Option("yes", say("Yes")),))
DICE = Throw("dice", say("Attack dice"), "white", 2, 6)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"))
    app.testing = True
    return app


def people(*names: str | None) -> tuple[Person, ...]:
    """Seats by the names of who sits there; None: nobody does."""
    playing = (Person(seat, Text(seat), name or "", name is not None) for seat, name in zip(SEATS, names, strict=False))
    return (*playing, Person(RULEKEEPER, say("Rulekeeper"), "Ruth", taken=True))


ANA_AND_BEN = people("Ana", "Ben")


def seen(
    seat: str = "white", *to_move: str, panels: tuple[Any, ...] = (TURN,), over: bool = False, **rest: Any
) -> Seen:
    headline = say("{side} wins.", side=Text("white")) if over else say("Choose a card to play.")
    plain = {
        "table": "T", "game": "two_cities", "title": "", "version": 1, "dice": "app", "paused": False, "ended": False,
        "people": ANA_AND_BEN, "offers": (), "asked": None, "waiting": (), "story": (), "last": None, "log": (),
        "more_log": False, "take_back": None, "consent": None, "knocks": (),
    }  # fmt: skip
    return Seen(seat=seat, view=View(headline, to_move, panels, over=over), **(plain | rest))


def told(app: Flask, turn: WhoseTurn) -> tuple[str, ...]:
    """The sentence and what stands beside it, in English and in Spanish."""
    said = []
    for tongue in LANGUAGES:
        with app.test_request_context(), speaking(tongue):
            speak = speaker("two_cities")
            said += [spoken(turn, speak), spoken_details(turn, speak)]
    return tuple(said)


def order(**row: Any) -> Tracker:
    return Tracker(
        "t1", say("Turn order"), (Row("t1.n1", say("Goblin"), current=True, **row), Row("t1.n2", say("Ogre")))
    )


ASKED = Asked(EVADE, (), seat="white")
TYPED = Phases(say("{words}", words="Night"), (say("{words}", words="Raid"), say("{words}", words="Rest")), 1)

CASES: dict[str, tuple[Seen, str, str, str, str]] = {
    "my turn": (seen("white", "white"), "Your turn: choose a card", "Turn 9", "Te toca: elegir carta", "Turno 9"),
    "another's": (
        seen("black", "white"), "Ana's turn: choose a card", "Turn 9", "Turno de Ana: elegir carta", "Turno 9",
    ),
    "for the rulekeeper": (
        seen(RULEKEEPER, "white"), "Ana's turn: choose a card", "Turn 9", "Turno de Ana: elegir carta", "Turno 9",
    ),
    "for the shared screen": (
        seen(SCREEN, "white"), "Ana's turn: choose a card", "Turn 9", "Turno de Ana: elegir carta", "Turno 9",
    ),
    "a name that ends in s": (
        seen("black", "white", panels=(), people=people("James", "Ben")), "James' turn", "", "Turno de James", "",
    ),
    "two of the same name": (
        seen("black", "white", panels=(), people=people("Ana", "ana")), "White's turn", "", "Turno de blancas", "",
    ),
    "one who keeps the rules too": (
        seen("black", "white", panels=(), people=people("Ruth", "Ben")), "Ruth's turn", "", "Turno de Ruth", "",
    ),
    "a seat without a name": (
        seen("black", "white", panels=(), people=people("", "Ben")), "White's turn", "", "Turno de blancas", "",
    ),
    "a free seat": (
        seen("black", "white", panels=(), people=people(None, "Ben")),
        "White's turn", "seat free", "Turno de blancas", "asiento libre",
    ),
    "nobody has come": (
        seen(SCREEN, "white", panels=(), people=people(None, None)), "Waiting for players", "", "Faltan jugadores", "",
    ),
    "the rulekeeper plays for a free seat": (
        seen(RULEKEEPER, "white", people=people(None, "Ben"), offers=(Offer("go", say("Go")),)),
        "You play for White: choose a card", "Turn 9", "Juegas por blancas: elegir carta", "Turno 9",
    ),
    "the rulekeeper plays for two": (
        seen(RULEKEEPER, "white", "black", panels=(), people=people(None, None), offers=(Offer("go", say("Go")),)),
        "You play for White and Black", "", "Juegas por blancas y por negras", "",
    ),
    "the rulekeeper plays for many": (
        seen(RULEKEEPER, *SEATS, panels=(), people=people(*[None] * 4), offers=(Offer("go", say("Go")),)),
        "You play for 4 seats", "", "Juegas por 4 asientos", "",
    ),
    "two of us": (
        seen("white", "white", "black"),
        "Your turn, and Ben's: choose a card", "Turn 9", "Te toca a ti y a Ben: elegir carta", "Turno 9",
    ),
    "some of us": (
        seen("white", "white", "black", "red", panels=(), people=people("Ana", "Ben", "Cleo", "Dan")),
        "Your turn, and 2 others'", "", "Te toca a ti y a otros 2", "",
    ),
    "all of us": (
        seen("white", *SEATS, panels=(), people=people("Ana", "Ben", "Cleo", "Dan")),
        "Everyone's turn", "", "Turno de todos", "",
    ),
    "all of them": (
        seen(SCREEN, *SEATS, panels=(), people=people("Ana", "Ben", "Cleo", "Dan")),
        "Everyone's turn", "", "Turno de todos", "",
    ),
    "two of them": (
        seen(SCREEN, "white", "black", panels=(), people=people("Ana", "Inés", "Cleo")),
        "Ana and Inés' turn", "", "Turno de Ana y de Inés", "",
    ),
    "three of them": (
        seen("blue", "white", "black", "red", panels=(), people=people("Ana", "Ben", "Cleo", "Dan")),
        "3 players' turn", "", "Turno de 3 jugadores", "",
    ),
    "who sat down of two that wait": (
        seen("black", "white", "black", panels=(), people=people(None, "Ben")), "Your turn", "", "Te toca", "",
    ),
    "anyone": (seen("white", panels=()), "Anyone can act", "", "Cualquiera puede actuar", ""),
    "a typed name in an order": (seen("white", panels=(order(),)), "Goblin's turn", "", "Turno de Goblin", ""),
    "a typed name whose clock runs": (
        seen("white", panels=(order(clock=Clock(1, 5)),)), "Goblin's turn", "", "Turno de Goblin", "",
    ),
    "a typed name whose clock stands": (
        seen("white", panels=(order(clock=Clock(1)),)), "Anyone can act", "", "Cualquiera puede actuar", "",
    ),
    "a typed phase and who holds the order": (
        seen("black", "white", panels=(TYPED, order(side="white"))),
        "Ana's turn: Rest", "Night", "Turno de Ana: Rest", "Night",
    ),
    "a title that a tracker has": (
        seen("white", "white", panels=(TYPED, Tracker("t2", TYPED.title, (Row("t2.now", TYPED.title, current=True),)))),
        "Your turn: Rest", "", "Te toca: Rest", "",
    ),
    "a choice of mine": (
        seen("white", "black", asked=ASKED, waiting=(Waiting("white", EVADE.why),)),
        "Your answer", "Turn 9", "Te toca responder", "Turno 9",
    ),
    "dice of mine": (
        seen("white", "white", panels=(), asked=Asked(DICE, (), seat="white"), waiting=(Waiting("white", DICE.why),)),
        "Your roll", "", "Te toca tirar", "",
    ),
    "both at once": (
        seen("white", panels=(), asked=ASKED,
             waiting=(Waiting("white", EVADE.why), Waiting("black", EVADE.why))),
        "Your answer", "Ben is answering too", "Te toca responder", "falta también la respuesta de Ben",
    ),
    "many at once": (
        seen("white", panels=(), asked=ASKED, people=people("Ana", "Ben", "Cleo"),
             waiting=tuple(Waiting(seat, EVADE.why) for seat in SEATS[:3])),
        "Your answer", "2 others are answering too", "Te toca responder", "otros 2 también responden",
    ),
    "the rulekeeper answers for a free seat": (
        seen(RULEKEEPER, panels=(), people=people(None, "Ben"), asked=ASKED),
        "You answer for White", "", "Respondes por blancas", "",
    ),
    "the rulekeeper rolls for a free seat": (
        seen(RULEKEEPER, panels=(), people=people(None, "Ben"), asked=Asked(DICE, (), seat="white")),
        "You roll for White", "", "Tiras por blancas", "",
    ),
    "another answers": (
        seen("white", "white", waiting=(Waiting("black", EVADE.why),)),
        "Ben is answering", "Turn 9", "Respuesta de Ben", "Turno 9",
    ),
    "two others answer": (
        seen(SCREEN, panels=(), waiting=(Waiting("white", EVADE.why), Waiting("black", EVADE.why))),
        "Ana and Ben are answering", "", "Responden Ana · Ben", "",
    ),
    "many others answer": (
        seen(SCREEN, panels=(), waiting=tuple(Waiting(seat, EVADE.why) for seat in SEATS)),
        "4 players are answering", "", "Responden 4 jugadores", "",
    ),
    "a yes of mine to an undo": (
        seen("white", "black", panels=(), consent=Consent("black", 3, say("Played"), mine_to_give=True)),
        "Your answer", "", "Te toca responder", "",
    ),
    "a yes of somebody else": (
        seen("black", "black", panels=(), consent=Consent("black", 3, say("Played"), mine_to_give=False)),
        "Your turn", "", "Te toca", "",
    ),
    "paused": (
        seen("white", "white", paused=True),
        "Paused", "Turn 9", "En pausa", "Turno 9",
    ),
    "won": (seen("white", over=True), "End of the game", "", "Fin de la partida", ""),
    "ended": (seen("white", "white", ended=True), "End of the game", "", "Fin de la partida", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_head_of_the_page_says_whose_turn_it_is(app: Flask, case: str) -> None:
    looked, *expected = CASES[case]
    assert told(app, whose_turn(looked)) == tuple(expected)


MINE = {"my turn", "two of us", "some of us", "all of us", "who sat down of two that wait",
        "a title that a tracker has",
        "a choice of mine", "dice of mine", "both at once", "many at once", "a yes of mine to an undo",
        "a yes of somebody else", "the rulekeeper plays for a free seat", "the rulekeeper plays for two",
        "the rulekeeper plays for many", "the rulekeeper answers for a free seat",
        "the rulekeeper rolls for a free seat"}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_it_tells_whether_its_reader_is_waited_for(case: str) -> None:
    assert whose_turn(CASES[case][0]).mine == (case in MINE)


def test_its_token_is_that_of_the_one_it_waits_for_and_of_nobody_where_there_are_several() -> None:
    for case, seat in (("another's", "white"), ("a choice of mine", "white"), ("another answers", "black")):
        assert whose_turn(CASES[case][0]).seat == seat, case
    for case in ("two of them", "all of them", "anyone", "paused", "won", "two others answer", "nobody has come"):
        assert whose_turn(CASES[case][0]).seat == "", case


def test_the_phases_are_steps_of_which_one_is_now() -> None:
    turn = whose_turn(seen("white", "white"))
    assert (turn.steps, turn.current) == (STEPS, 0)
    odd = whose_turn(seen("white", "white", panels=(msgspec.structs.replace(TURN, current=7),)))
    assert (odd.about, odd.current) == (None, 7)


def test_the_strokes_of_its_phases_are_not_counted_in_figures_too(app: Flask) -> None:
    seventh = Phases(say("Round {round}: {number}/{count}", round=3, number=7, count=15), STEPS, 0)
    turn = whose_turn(seen("white", "white", panels=(seventh,)))
    for tongue, words_ in (("en", "Round 3"), ("es", "Ronda 3")):
        with app.test_request_context(), speaking(tongue):
            assert spoken_details(turn, speaker("history_of_war")) == words_


def test_a_phase_that_is_a_name_stays_as_it_is_written(app: Flask) -> None:
    with app.test_request_context(), speaking("es"):
        army = WhoseTurn(say("Your turn"), say("Headquarters"))
        assert spoken(army, speaker("tactics_2gm")) == "Te toca: Estado Mayor"


def strip(page: str) -> tuple[str, str]:
    """The sentence of the strip and the title of the tab, as a page has them."""
    (said,) = re.findall(r'<section class="(?:strip|turn)[^>]*id="turn".*?<h2[^>]*>(.*?)</h2>', page, re.DOTALL)
    said = re.sub("<[^>]*>", "", said)
    (title,) = re.findall(r"<title>(.*?)</title>", page)
    return unescape(re.sub("<svg.*</svg>", "", said, flags=re.DOTALL)), unescape(title)


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("slug", sorted(discover()))
def test_the_tab_says_it_and_where_of_every_game_for_every_seat_and_nothing_says_it_twice(
    app: Flask, slug: str, tongue: Language
) -> None:
    table = Table(app, slug)
    name = app.extensions[NAME].games[slug].name
    for seat in (*list(table.tokens)[:3], SCREEN):
        with app.test_request_context(), speaking(tongue):
            said = spoken(whose_turn(table.tables.seen(table.id, seat)), speaker(slug))
            title = f"{said} · {speaker(slug)(name)} {table.id}"
        page = table.get(seat, headers={"Accept-Language": tongue}).text
        assert strip(page) == (said, title)
        assert words(page).replace(" : ", ": ").count(said) == 1


def test_what_others_do_tells_whose_turn_it_is_now(app: Flask) -> None:
    table = Table(app, "two_cities")
    for seat, name in (("white", "Ana"), ("black", "Ben")):
        table.tables.rename(table.id, seat, name, f"name {seat}")
    assert strip(table.get("black").text)[0] == "Your turn, and Ana's: starting position"
    table.act("black", action="ready")
    live = table.get("black", "/live").text
    (told,) = re.findall('<h2 aria-live="polite" aria-atomic="true">(.*?)</h2>', live.replace("\ndata: ", " "))
    assert re.sub("<[^>]*>", "", told) == "Ana&#39;s turn: starting position"
    table.act("white", action="ready")
    said, title = strip(table.get("white").text)
    assert title == f"{said} · A Tale of Two Cities {table.id}"
    assert said in {"Your turn: choose a card", "Ben's turn: choose a card"}

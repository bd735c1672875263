"""Decks of cards at the free table: each action, who sees what, and that every card is always in exactly one place."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from threading import Barrier
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import create_app
from companion.games.free_table.deck_cards import MOST_CARDS, Own, read_list, write_list
from companion.games.free_table.deck_piles import Deck
from companion.games.free_table.decks import WHICH
from companion.games.free_table.game import GAME
from companion.games.free_table.start import Options
from companion.kit.asking import Ask
from companion.kit.decks import FACE_DOWN
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Hand, Piles, Tracker
from companion.kit.questions import Answer, Cards
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.conformance import filled, settle
from tests.support.free_tables import Free
from tests.support.phones import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.kit.ruling import Ruling

ANA, BEN, ZOE = "player_1", "player_2", "player_3"
EVERYBODY = (ANA, BEN, ZOE, RULEKEEPER, SCREEN)


class Room:
    """A table with one deck and three seats, of which chance is the test's own."""

    def __init__(self, seed: int = 0, **deck: Any) -> None:
        self.rng = random.Random(seed)
        self.state = GAME.setup(Options("nothing", 3), Ask()).outcome
        self.answers: list[Answer] = []
        self.do(ANA, "set_deck", **deck)

    def do(self, seat: str, action: str, **rest: Any) -> Ruling[Any]:
        given = {"action": action, **({} if action == "set_deck" else {"tracker": "t1"}), **rest}
        done = msgspec.convert(given, GAME.actions)
        before = self.state
        ruling, self.answers = settle(lambda ask: GAME.rule(before, seat, done, ask), self.rng)
        self.state = ruling.outcome
        return ruling

    def refuses(self, seat: str, action: str, **rest: Any) -> str:
        with pytest.raises(Refusal) as refused:
            self.do(seat, action, **rest)
        return refused.value.text.say

    def correct(self, part: str, *cards: str) -> None:
        before = self.state
        self.state, _ = settle(lambda ask: GAME.correct(before, f"t1.{part}", ",".join(cards), ask), self.rng)

    @property
    def deck(self) -> Deck:
        (deck,) = self.state.trackers
        assert isinstance(deck, Deck)
        return deck.ready(self.state)

    def hand(self, seat: str) -> tuple[str, ...]:
        return self.deck.hand(seat)

    def deal(self, count: int, *seats: str) -> None:
        self.do(ANA, "deal", count=count, to=seats or (ANA, BEN, ZOE))

    def bytes(self, seat: str) -> bytes:
        return msgspec.json.encode((GAME.view(self.state, seat), GAME.offers(self.state, seat)))

    def hands(self, seat: str) -> dict[str, tuple[str, ...]]:
        """The cards that a seat sees laid out, by what they are."""
        panels = [panel for panel in GAME.view(self.state, seat).panels if isinstance(panel, Hand)]
        return {panel.id: tuple(card.code for card in panel.cards) for panel in panels}

    def counts(self) -> dict[str, str]:
        (panel,) = [panel for panel in GAME.view(self.state, SCREEN).panels if isinstance(panel, Tracker)]
        return {row.id.partition(".")[2]: spoken(row.value) for row in panel.rows}

    def check(self) -> None:
        """Every card is in exactly one place, and the deck has as many places as cards."""
        deck = self.deck
        hands = [code for hand in deck.hands.values() for code in hand]
        places = [*deck.inside, *hands, *deck.table, *deck.discard, *deck.removed]
        assert sorted(places) == sorted(deck.pack.faces)
        assert deck.order.count(FACE_DOWN) == len(deck.loose)
        looked_at = {code for cards in deck.looking.values() for code in cards}
        assert looked_at <= set(deck.inside)


def spoken(text: Any) -> str:
    return speak(text, lambda key: GAME.words.find(key, "en") or key) if text else ""


def told(ruling: Ruling[Any], seat: str) -> list[str]:
    return [spoken(reason.text) for reason in ruling.reasons if reason.seat in {None, seat}]


# What a deck is


@pytest.mark.parametrize(
    ("deck", "count"),
    [
        ({}, 52),
        ({"jokers": 2}, 54),
        ({"copies": 2, "jokers": 3}, 110),
        ({"which": "32"}, 32),
        ({"which": "24"}, 24),
        ({"which": "24_cities"}, 24),
        ({"which": "40"}, 40),
        ({"which": "48", "copies": 2}, 96),
        ({"which": "own", "own": "Goblin,3,Bites\nDragon"}, 4),
    ],
)
def test_a_deck_has_so_many_cards_each_with_a_code_of_its_own(deck: dict[str, Any], count: int) -> None:
    room = Room(**deck)
    assert len(room.deck.pack.faces) == len(room.deck.order) == count
    assert room.counts()["deck"] == str(count)
    assert all(code.startswith("t1:") for code in room.deck.pack.faces)
    room.check()


@pytest.mark.parametrize("which", [which for which in WHICH if which != "own"])
def test_a_deck_has_as_many_cards_as_its_name_says(which: str) -> None:
    assert WHICH[which].split()[0] == str(len(Room(which=which).deck.pack.faces))


def test_cards_are_called_as_people_call_them() -> None:
    cards = Room(jokers=1).deck.pack.faces
    assert [spoken(cards[code].name) for code in ("t1:AS", "t1:10H", "t1:KD", "t1:joker1")] == [
        "ace of spades",
        "10 of hearts",
        "king of diamonds",
        "Joker",
    ]
    spanish = Room(which="40").deck.pack.faces
    names = [
        speak(spanish[code].name, lambda key: GAME.words.find(key, "es") or key)
        for code in ("t1:1coins", "t1:7cups", "t1:10swords", "t1:12batons")
    ]
    assert names == ["as de oros", "7 de copas", "sota de espadas", "rey de bastos"]


def test_too_many_cards_are_refused() -> None:
    assert Room().refuses(ANA, "set_deck", which="own", own="Goblin,99", copies=8) == "A deck has {most} cards at most."


def test_a_list_is_read_as_people_write_it() -> None:
    assert read_list("Goblin, Dragon, Shield") == (Own("Goblin"), Own("Dragon"), Own("Shield"))
    assert read_list("Goblin\n\n Dragon \n") == (Own("Goblin"), Own("Dragon"))
    assert read_list("Goblin,3,Bites, and runs\nDragon,1") == (Own("Goblin", 3, "Bites, and runs"), Own("Dragon"))
    assert read_list('nombre;cantidad;texto\n"Rey; viejo";2;"dice ""ay"""') == (Own("Rey; viejo", 2, 'dice "ay"'),)
    assert read_list("count,name\n4,Goblin\n,Dragon") == (Own("Goblin", 4), Own("Dragon"))
    assert read_list("Goblin\t2\tBites") == (Own("Goblin", 2, "Bites"),)


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        ("", None),
        (" \n,,\n", None),
        ("name,count\nGoblin,2\nDragon,many", 3),
        ("Goblin\nDragon,100", 2),
        ("Goblin,0", 1),
        ("name,count\n,2", 2),
        ("A\n" + "x" * 41, 2),
        ("\n".join(["Goblin,99"] * 5), None),
    ],
)
def test_a_list_that_can_not_be_is_refused_naming_its_line(sent: str, line: int | None) -> None:
    with pytest.raises(Refusal) as refused:
        read_list(sent)
    assert refused.value.field == "own"
    assert refused.value.text.places.get("line") == line


@given(st.text(max_size=200) | st.text(alphabet='ab2,;"\t\n \x00', max_size=60))
def test_any_text_gives_a_list_or_a_sentence(sent: str) -> None:
    try:
        cards = read_list(sent)
    except Refusal:
        return
    assert 0 < sum(card.count for card in cards) <= MOST_CARDS
    assert read_list(write_list(cards)) == cards


# Drawing and dealing


def test_a_draw_goes_into_the_own_hand_and_nobody_else_is_told() -> None:
    room = Room()
    ruling = room.do(ANA, "draw", count=2)
    assert len(room.hand(ANA)) == 2
    assert spoken(ruling.headline) == "player_1 draws 2 cards".replace("player_1", spoken(room.state.called(ANA)))
    assert ruling.reveals
    assert len(told(ruling, ANA)) == 1
    assert told(ruling, BEN) == told(ruling, SCREEN) == []
    assert set(room.hands(ANA)["t1.hand"]) == set(room.hand(ANA))
    for seat in (BEN, ZOE, RULEKEEPER, SCREEN):
        assert not [code for code in room.hand(ANA) if code.encode() in room.bytes(seat)]
    room.check()


def test_cards_are_dealt_around_even_to_seats_that_nobody_took() -> None:
    room = Room()
    room.deal(5)
    assert [len(room.hand(seat)) for seat in (ANA, BEN, ZOE)] == [5, 5, 5]
    assert room.counts()["deck"] == "37"
    assert room.refuses(ANA, "deal", count=13, to=(ANA, BEN, ZOE)) == (
        "Only one card is left in the deck.|Only {count} cards are left in the deck."
    )
    assert room.refuses(ANA, "deal", count=1, to=()) == "Say whom the cards are dealt to."
    assert room.refuses(ANA, "deal", count=1, to=("player_9",)) == "Say whom the cards are dealt to."
    room.check()


def test_known_cards_are_dealt_one_at_a_time() -> None:
    room = Room(peek="everyone")
    room.do(ANA, "peek", count=4)
    top = room.deck.order[:4]
    room.deal(2, BEN, ZOE)
    assert room.hand(BEN) == (top[0], top[2])
    assert room.hand(ZOE) == (top[1], top[3])
    assert room.hands(ANA) == {}, "what is in other hands is not looked at any more"


def test_the_top_card_is_turned_over_before_everybody() -> None:
    room = Room()
    ruling = room.do(RULEKEEPER, "turn_up")
    (card,) = room.deck.table
    assert room.hands(SCREEN) == {"t1.table": (card,)}
    assert ruling.reveals
    assert room.answers == [Cards("turn_up", (card,))]
    room.check()


def test_only_players_hold_cards() -> None:
    room = Room()
    assert room.refuses(RULEKEEPER, "draw") == "Only players hold cards: take a seat."
    room.do(ANA, "turn_up")
    assert room.refuses(RULEKEEPER, "put", to="hand", cards=room.deck.table) == "Only players hold cards: take a seat."


def test_an_empty_deck_is_filled_with_the_discards() -> None:
    room = Room(which="24")
    room.do(ANA, "draw", count=24)
    assert room.refuses(BEN, "draw") == "The deck is empty."
    room.do(ANA, "put", to="discard", cards=room.hand(ANA)[:20])
    room.do(BEN, "reshuffle")
    assert (len(room.deck.order), len(room.deck.discard)) == (20, 0)
    assert room.refuses(BEN, "reshuffle") == "The discard pile is empty."
    room.do(BEN, "draw")
    room.check()


# Putting cards somewhere


def test_cards_are_played_and_everybody_sees_who_played_what() -> None:
    room = Room()
    room.deal(5)
    one, two = room.hand(BEN)[:2]
    ruling = room.do(BEN, "put", to="table", cards=[one, two])
    assert ruling.reveals
    assert spoken(room.deck.pack.faces[one].short) in spoken(ruling.headline)
    (table,) = [panel for panel in GAME.view(room.state, SCREEN).panels if isinstance(panel, Hand)]
    assert [(card.code, card.side) for card in table.cards] == [(one, BEN), (two, BEN)]
    assert room.counts()["hand.player_2"] == "3"
    room.do(ZOE, "put", to="hand", cards=[two])
    assert two in room.hand(ZOE)
    room.do(ZOE, "sweep")
    assert room.deck.discard == (one,)
    assert room.refuses(ZOE, "sweep") == "No card lies on the table."
    room.check()


def test_the_discard_pile_shows_its_top_card_and_all_others() -> None:
    room = Room()
    room.deal(3)
    for card in room.hand(ANA):
        room.do(ANA, "put", to="discard", cards=[card])
    (piles,) = [panel for panel in GAME.view(room.state, BEN).panels if isinstance(panel, Piles)]
    assert [card.code for card in piles.piles[0].cards] == list(room.deck.discard[::-1])
    room.do(BEN, "put", to="hand", cards=room.deck.discard[-1:])
    assert room.counts()["discard"] == "2"
    room.do(BEN, "put", to="removed", cards=room.deck.discard)
    room.do(ANA, "gather")
    assert len(room.deck.removed) == 2
    assert room.counts()["deck"] == "50"
    room.check()


@pytest.mark.parametrize(("to", "at"), [("top", 0), ("bottom", -1)])
def test_a_card_goes_back_unseen_and_comes_from_where_it_was_put(to: str, at: int) -> None:
    room = Room()
    room.deal(3)
    card = room.hand(ANA)[0]
    ruling = room.do(ANA, "put", to=to, cards=[card])
    assert not ruling.reveals
    assert len(told(ruling, ANA)) == 1
    assert told(ruling, BEN) == []
    assert room.deck.order[at] == card
    for seat in (BEN, ZOE, RULEKEEPER, SCREEN):
        assert card.encode() not in room.bytes(seat)
    room.do(BEN, "draw", count=1 if to == "top" else len(room.deck.order))
    assert card in room.hand(BEN)
    room.check()


def test_after_a_shuffle_nobody_knows_where_a_card_is() -> None:
    room = Room()
    room.deal(3)
    room.do(ANA, "put", to="top", cards=room.hand(ANA))
    room.do(BEN, "shuffle")
    assert set(room.deck.order) == {FACE_DOWN}
    room.do(ANA, "draw")
    room.do(ANA, "put", to="shuffled", cards=room.hand(ANA))
    assert set(room.deck.order) == {FACE_DOWN}
    room.check()


def test_a_cut_lays_the_upper_part_below() -> None:
    room = Room()
    room.deal(2)
    one, two = room.hand(ANA)
    room.do(ANA, "put", to="top", cards=[one, two])
    room.do(BEN, "cut", count=1)
    assert room.deck.order[0] == two
    assert room.deck.order[-1] == one
    assert room.refuses(BEN, "cut", count=99).startswith("Only one card")
    room.check()


def test_cards_are_given_without_the_others_seeing_them() -> None:
    room = Room()
    room.deal(3)
    card = room.hand(ANA)[0]
    ruling = room.do(ANA, "give", to=BEN, cards=[card])
    assert card in room.hand(BEN)
    assert [len(told(ruling, seat)) for seat in (ANA, BEN, ZOE, SCREEN)] == [1, 1, 0, 0]
    assert room.refuses(ANA, "give", to=ANA, cards=room.hand(ANA)) == "Nobody plays on that seat."
    assert room.refuses(ANA, "give", to=ZOE, cards=[card]) == "A card is not there any more."
    room.check()


def test_a_card_in_another_hand_is_refused_as_one_in_the_deck() -> None:
    room = Room()
    room.deal(3)
    in_deck = room.deck.loose[0]
    for card in (room.hand(BEN)[0], in_deck, "t1:??", "t9:AS"):
        assert room.refuses(ANA, "put", to="table", cards=[card]) == "A card is not there any more."
    assert room.refuses(ANA, "put", to="table") == "Tap the cards first."
    assert room.refuses(ANA, "put", to="hand", cards=room.hand(ANA)[:1]) == "You hold that card already."
    room.check()


# Looking into the deck


def test_looking_is_for_those_who_may_and_everybody_is_told() -> None:
    assert Room().refuses(ANA, "peek", count=1) == "At this table you may not look into the deck."
    keeper = Room(peek="keeper")
    assert keeper.refuses(ANA, "search") == "At this table you may not look into the deck."
    assert keeper.do(RULEKEEPER, "peek", count=1).reveals
    room = Room(peek="everyone")
    ruling = room.do(ANA, "peek", count=3)
    assert "looks at the 3 top cards" in spoken(ruling.headline)
    assert room.hands(ANA) == {"t1.looking": room.deck.order[:3]}
    for seat in (BEN, ZOE, RULEKEEPER, SCREEN):
        assert "t1.looking" not in room.hands(seat)
        assert not [code for code in room.deck.order[:3] if code.encode() in room.bytes(seat)]
    under = room.deck.order[0]
    room.do(ANA, "put", to="bottom", cards=[under])
    assert room.deck.order[-1] == under
    room.do(ANA, "close")
    assert room.hands(ANA) == {}
    assert room.refuses(ANA, "close") == "You are not looking into the deck."
    room.check()


def test_what_was_looked_at_is_drawn_by_whoever_comes_next() -> None:
    room = Room(peek="everyone")
    room.do(ANA, "peek", count=2)
    first, second = room.deck.order[:2]
    room.do(BEN, "draw")
    assert room.hand(BEN) == (first,)
    assert room.hands(ANA) == {"t1.looking": (second,)}
    room.check()


def test_a_search_shows_the_whole_deck_and_ends_with_a_shuffle() -> None:
    room = Room(peek="everyone")
    room.deal(3)
    room.do(ANA, "put", to="top", cards=room.hand(ANA)[:1])
    assert room.do(BEN, "search").reveals
    assert set(room.hands(BEN)["t1.looking"]) == set(room.deck.inside)
    for action, rest in (("draw", {}), ("shuffle", {}), ("peek", {"count": 1}), ("deal", {"count": 1, "to": (ANA,)})):
        assert room.refuses(ZOE, action, **rest) == "{who} is searching the deck just now."
    assert room.refuses(ANA, "put", to="bottom", cards=room.hand(ANA)[:1]) == "{who} is searching the deck just now."
    wanted = room.deck.inside[7]
    room.do(BEN, "put", to="hand", cards=[wanted])
    assert wanted in room.hand(BEN)
    assert wanted.encode() not in room.bytes(ZOE)
    room.check()
    room.do(ZOE, "close")
    assert room.deck.looking == {}
    assert set(room.deck.order) == {FACE_DOWN}
    room.check()


def test_only_whoever_looks_has_the_cards_before_the_eyes() -> None:
    room = Room(peek="everyone")
    room.deal(3)
    for seat in (ANA, BEN):
        room.do(seat, "peek", count=2)
    room.do(ZOE, "search")
    assert [seat for seat in EVERYBODY if "t1.looking" in room.hands(seat)] == [ZOE]


# Open hands, real decks


def test_open_hands_are_seen_by_all() -> None:
    room = Room(open=True)
    room.deal(2)
    for seat in (ZOE, SCREEN):
        assert all(code.encode() in room.bytes(seat) for code in room.hand(ANA))
    assert not [entry for entry in GAME.tracked(room.state) if entry.secret_of]


def test_of_a_real_deck_only_what_people_say_is_known() -> None:
    room = Room(real=True)
    room.deal(5)
    assert room.answers == []
    assert room.counts()["deck"] == "37"
    assert room.hand(ANA) == (FACE_DOWN,) * 5
    room.do(ANA, "put", to="table", cards=["t1:AS"])
    assert room.deck.table == ("t1:AS",)
    assert len(room.hand(ANA)) == 4
    assert room.refuses(
        BEN, "put", to="table", cards=["t1:AS", "t1:KS", "t1:QS", "t1:JS", "t1:10S", "t1:9S", "t1:8S"]
    ) == ("You hold a card.|You hold {count} cards.")
    assert room.refuses(ZOE, "turn_up").startswith("Say which card it is")
    room.do(ZOE, "turn_up", card="t1:2S")
    room.do(BEN, "hand_over", count=2, to=ZOE)
    room.do(BEN, "hand_over", count=1)
    assert room.counts() | {"hand.player_2": "2", "hand.player_3": "7", "deck": "37"} == room.counts()
    assert not [offer for offer in GAME.offers(room.state, ANA) if offer.action in {"peek", "search"}]


def test_what_can_be_done_with_a_real_hand_is_offered_once() -> None:
    room = Room(real=True)
    room.deal(5)
    labels = [(offer.on, offer.label) for offer in GAME.offers(room.state, ANA)]
    assert [label for label in labels if labels.count(label) > 1] == []


def test_of_a_real_hand_any_card_can_be_named_beside_those_that_are_noted(tmp_path: Path) -> None:
    table = Table(create_app(tmp_path), "free_table", seats=2)
    table.act(ANA, action="set_deck", real=True)
    table.act(ANA, action="deal", tracker="t1", count=3, to=[ANA, BEN])
    table.act(ANA, action="mark", tracker="t1", cards=["t1:KH"])
    table.act(BEN, action="put", tracker="t1", to="discard", cards=["t1:2C"])
    do = "action=put&tracker=t1&to=table"
    page = table.get(ANA, "/plan", query_string={"do": do}).text
    assert 'value="t1:KH"' in page
    assert 'value="t1:9S"' in page
    assert 'value="t1:2C"' not in page
    picked: Any = {"f.cards": ["t1:KH", "t1:9S"]}
    table.post(ANA, "/act", do=do, **picked)
    (laid,) = [
        panel
        for panel in table.tables.seen(table.id, BEN).view.panels
        if isinstance(panel, Hand) and panel.whose == "open"
    ]
    assert [card.code for card in laid.cards] == ["t1:KH", "t1:9S"]


def test_own_notes_on_a_real_hand_are_nobody_elses() -> None:
    room = Room(real=True)
    room.deal(3)
    before = {seat: room.bytes(seat) for seat in EVERYBODY}
    assert room.do(ANA, "mark", cards=["t1:KH", "t1:QH"]).quiet
    assert {seat for seat in EVERYBODY if room.bytes(seat) != before[seat]} == {ANA}
    assert room.refuses(ANA, "mark", cards=["t1:KH", "t1:QH", "t1:JH", "t1:9H"]).startswith("You hold")
    room.do(BEN, "put", to="table", cards=["t1:KH"])
    assert room.deck.named(ANA) == ("t1:QH",), "a card that lies there was not in this hand"
    assert len(room.hand(ANA)) == 3
    room.do(ANA, "put", to="table", cards=["t1:QH"])
    assert room.hand(ANA) == (FACE_DOWN,) * 2


def test_two_people_may_note_the_same_card_of_a_real_deck_until_it_is_seen() -> None:
    room = Room(real=True)
    room.deal(3)
    for seat in (ANA, BEN):
        room.do(seat, "mark", cards=["t1:KH", "t1:QH"])
    assert all(room.bytes(seat) for seat in EVERYBODY)
    room.do(BEN, "put", to="table", cards=["t1:KH"])
    assert [room.deck.named(seat) for seat in (ANA, BEN)] == [("t1:QH",), ("t1:QH",)]


# Setting the deck by hand


def test_a_hand_is_set_by_hand_and_every_other_place_keeps_its_size() -> None:
    room = Room(peek="everyone")
    room.deal(5)
    room.do(ZOE, "peek", count=2)
    wanted = (*room.hand(BEN)[:2], *room.hand(ANA)[:2], room.deck.order[0])
    before = room.counts()
    seen = {seat: room.bytes(seat) for seat in (RULEKEEPER, SCREEN)}
    room.correct("hand.player_1", *wanted)
    assert set(room.hand(ANA)) == set(wanted)
    assert room.counts() == before
    assert {seat: room.bytes(seat) for seat in (RULEKEEPER, SCREEN)} == seen
    room.check()


def test_a_hand_grows_out_of_the_deck_and_shrinks_into_it() -> None:
    room = Room(which="24")
    room.deal(7)
    room.correct("hand.player_1", *room.hand(ANA), room.hand(BEN)[0], room.hand(BEN)[1])
    assert [len(room.hand(seat)) for seat in (ANA, BEN, ZOE)] == [9, 7, 7]
    room.check()
    with pytest.raises(Refusal, match="too few cards"):
        room.correct("hand.player_1", *room.hand(ANA), *room.hand(ZOE)[:2])
    room.correct("hand.player_1", room.hand(ANA)[0])
    assert len(room.deck.order) == 9
    room.correct("discard", room.hand(BEN)[0], *room.deck.inside[:2])
    assert [len(room.deck.order), len(room.hand(BEN))] == [6, 7]
    room.correct("table", *room.deck.discard)
    assert room.deck.discard == ()
    room.check()


def test_a_real_hand_is_set_by_its_size() -> None:
    room = Room(real=True)
    room.deal(2)
    room.do(ANA, "mark", cards=["t1:KH"])
    room.correct("hand.player_1", "5")
    assert [len(room.hand(ANA)), len(room.deck.order)] == [5, 43]
    room.correct("discard", "t1:KH")
    assert [room.deck.named(ANA), len(room.deck.order)] == [(), 42]


def test_another_deck_is_gathered_and_another_name_is_not() -> None:
    room = Room()
    room.deal(5)
    room.do(ANA, "set_deck", tracker="t1", name="Ours", peek="everyone")
    assert len(room.hand(ANA)) == 5
    room.do(ANA, "set_deck", tracker="t1", open=True)
    assert room.hand(ANA) == ()
    room.check()


# Whatever is done


DECKS: tuple[dict[str, Any], ...] = (
    {},
    {"which": "24"},
    {"copies": 2, "jokers": 2},
    {"open": True},
    {"which": "40", "peek": "everyone"},
    {"which": "own", "own": "Goblin,3\nDragon", "peek": "everyone"},
)


def any_correction(room: Room) -> None:
    entry = room.rng.choice(GAME.tracked(room.state))
    values = [option.value for option in entry.field.options]
    cards = room.rng.sample(values, min(len(values), room.rng.randint(0, 3)))
    with suppress(Refusal):
        room.correct(entry.path.partition(".")[2], *cards)


def any_offer(room: Room) -> None:
    """Do something that is offered with the cards; what is put together of several choices may be refused."""
    seat = room.rng.choice([ANA, BEN, ZOE, RULEKEEPER])
    offers = [offer for offer in GAME.offers(room.state, seat) if offer.given.get("tracker") == "t1"]
    offers = [offer for offer in offers if offer.action not in {"remove", "set_deck", "shift"}]
    if not offers:
        return
    offer = room.rng.choice(offers)
    wanted = {name: value for name, value in filled(offer, room.rng).items() if name not in {"action", "tracker"}}
    with suppress(Refusal) if offer.loose else nullcontext():
        room.do(seat, offer.action, tracker="t1", **wanted)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(DECKS))
def test_every_card_is_always_in_exactly_one_place(seed: int, deck: dict[str, Any]) -> None:
    room = Room(seed, **deck)
    for _ in range(40):
        do = any_correction if room.rng.random() < 0.1 else any_offer
        do(room)
        room.check()


def test_a_whole_deck_can_be_set_by_hand_at_once(tmp_path: Path) -> None:
    tables = Tables(Store(tmp_path / "tables.sqlite"), {"free_table": GAME})
    made = tables.create("free_table", "", {"begin": "cards"}, {})
    (discard,) = [one for one in tables.tracked(made.table, RULEKEEPER) if one.path == "t1.discard"]
    cards = ",".join(option.value for option in discard.field.options)
    assert len(cards) > 200
    tables.correct(made.table, RULEKEEPER, "t1.discard", cards, "all")
    (discard,) = [one for one in tables.tracked(made.table, RULEKEEPER) if one.path == "t1.discard"]
    assert discard.field.value == tuple(cards.split(","))


def test_a_hundred_phones_draw_from_one_deck_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    tables = Tables(store, {"free_table": GAME})
    made = tables.create("free_table", "", {"begin": "nothing", "seats": 100}, {})
    tables.act(made.table, RULEKEEPER, {"action": "set_deck", "copies": 2, "jokers": 2}, "deck")
    seats = [f"player_{number}" for number in range(1, 101)]
    for seat in seats:
        tables.join(made.table, seat, seat)
    start = Barrier(len(seats))

    def draw(seat: str) -> None:
        start.wait()
        for _ in range(2):  # a double tap: the same request twice
            tables.act(made.table, seat, {"action": "draw", "tracker": "t1", "count": 1}, f"draw-{seat}")

    with ThreadPoolExecutor(len(seats)) as phones:
        list(phones.map(draw, seats))
    held: list[str] = []
    for seat in seats:
        seen = tables.seen(made.table, seat)
        (hand,) = [panel for panel in seen.view.panels if isinstance(panel, Hand)]
        (card,) = [one.code for one in hand.cards]
        shown = [spoken(reason.text) for line in tables.report(made.table, seat) for reason in line.reasons]
        assert len(shown) == 1, "a seat is told of its own card only"
        assert sum(code in msgspec.json.encode(seen).decode() for code in (f'"{other}"' for other in held)) == 0
        held.append(card)
    assert len(set(held)) == 100
    (panel,) = [panel for panel in tables.seen(made.table, SCREEN).view.panels if isinstance(panel, Tracker)]
    assert [spoken(row.value) for row in panel.rows[:2]] == ["8", "0"], "of 108 cards none is lost"
    assert [spoken(row.value) for row in panel.rows[2:]] == ["1"] * 100
    drawn = [line for line in tables.report(made.table, SCREEN) if line.kind == "action"]
    assert len(drawn) == 101
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda deck: deck["loose"].__setitem__(0, ""),
        lambda deck: deck["loose"].pop(),
        lambda deck: deck["order"].pop(),
        lambda deck: deck["discard"].append(deck["discard"][0]),
        lambda deck: deck["hands"]["player_1"].append(deck["discard"][0]),
    ],
)
def test_a_deck_in_which_a_card_lies_nowhere_or_twice_is_not_shown(damage: Callable[[Any], Any]) -> None:
    table = Free("Ana", "Ben", begin="cards").do("player_1", "draw", tracker="t1", count=3)
    (hand,) = [one.field.value for one in GAME.tracked(table.state) if one.secret_of == "player_1"]
    table.do("player_1", "put", tracker="t1", cards=[hand[0]], to="discard")
    stored = msgspec.json.decode(msgspec.json.encode(table.state))
    assert GAME.view(msgspec.convert(stored, GAME.state), SCREEN).panels
    damage(stored["trackers"][0])
    with pytest.raises(ValueError, match="lies in one place"):
        GAME.view(msgspec.convert(stored, GAME.state), SCREEN)

"""What a player's list tells stays his: how it is ordered, and how many further copies there are of a card."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.history_of_war import battle, construction, damage, developments, final, hands, speech, strike
from companion.games.history_of_war.cards import DECKS, LISTS, Roster
from companion.games.history_of_war.state import State
from companion.kit.ruling import Reason
from tests.support.history_of_war_positions import GAME, Scripted, code, english, entered, game, lying, named

SEATS = ("blue", "red", "rulekeeper", "screen")
FIELD = (
    "b rifle_company t1, b rifle_company t1, b bomber_wing t1, b medium_tank, b steel_works, b power_plant, "
    "b power_plant, b field_workshop, r rifle_company t1, r medium_tank t1, "
    "r bomber_wing t1, r steel_works"
)
HANDS = {
    "blue": "steel_works medium_tank medium_tank rifle_company bunker_line veteran_crews sudden_storm destroyer "
    "heavy_tank fighter_wing power_plant railhead flak_battery railhead power_plant power_plant",
    "red": "rifle_company steel_works",
}
CODE = re.compile(rb'"[^"]*[udbga][0-9]{1,2}\.[0-9]{1,2}[^"]*"')


def other_list() -> Roster:
    """Blue's sample deck turned round, with as many cards: two further battleships, two motorised companies less."""
    deck = DECKS["blue_sample"]
    more = {"battleship": 2, "motorised_company": -2}
    lists: dict[str, Any] = {
        part: tuple(replace(card, count=card.count + more.get(card.name, 0)) for card in reversed(getattr(deck, part)))
        for part in LISTS.values()
    }
    return replace(deck, **lists)


def other_copies(state: State) -> State:
    """The table with the last copies of Blue's cards where the first ones were."""

    def turned(card: str) -> str:
        kind, _, copy = card.partition(".")
        return f"{kind}.{state.rosters['blue'].numbered[kind].count - 1 - int(copy)}"

    deck = state.deck("blue")
    state = state.with_deck("blue", depot=map(turned, deck.depot), hand=map(turned, deck.hand))
    return state.but(
        cards=tuple(replace(card, code=turned(card.code)) if card.seat == "blue" else card for card in state.cards)
    )


class Watched:
    """A table at which everything is written down that each seat but Blue is shown or told."""

    def __init__(self, *, other: bool = False) -> None:
        rosters = {"blue": other_list()} if other else {}
        self.state = game(FIELD, hands=HANDS, phase="base_expansion", step_by_step=True, rosters=rosters)
        self.state = other_copies(self.state) if other else self.state
        for seat in ("blue", "red"):
            self.state = self.state.with_deck(seat, hand=self.state.deck(seat).hand)
        self.shown: list[tuple[str, bytes]] = []
        self.look("at first")

    def look(self, when: str, *told: Any) -> None:
        for seat in SEATS[1:]:
            values = [
                entry if entry.secret_of in {None, seat} else replace(entry, field=replace(entry.field, value=None))
                for entry in GAME.tracked(self.state)
                if entry.only in {None, seat}
            ]
            heard = [one for one in told if not isinstance(one, Reason) or one.seat in {None, seat}]
            seen = GAME.view(self.state, seat), GAME.offers(self.state, seat)
            self.shown.append((f"{seat} {when}", msgspec.json.encode((seen, values, heard))))

    def act(self, seat: str, action: Any, **answers: Any) -> None:
        ask = Scripted(**answers)
        ruling = GAME.rule(self.state, seat, action, ask)
        self.state = ruling.outcome
        asked = [
            question
            for question in ask.asked
            if getattr(question, "seat", "") != "blue" and not hasattr(question, "pile")
        ]
        self.look(f"after {type(action).__name__} of {seat}", ruling.headline, *ruling.reasons, *asked)

    def correct(self, path: str, value: str) -> None:
        self.state = GAME.correct(self.state, path, value, Scripted())
        self.look(f"after {path}")

    def id(self, written: str) -> str:
        return named(self.state, written)

    def held(self, name: str) -> str:
        return code(self.state, "blue", name)

    def play(self) -> None:
        """Let Blue bring cards into play in every way, lose some in every way, and fight."""
        self.act("blue", hands.PlayBase(self.held("steel_works")))
        self.correct("game.phase", "construction")
        for name in ("rifle_company", "medium_tank", "bunker_line"):
            self.act("blue", construction.LayDown(self.held(name)))
        self.act("blue", construction.LayUpgrade(self.held("veteran_crews"), self.id("b medium_tank")))
        self.act("red", construction.Build())
        paying = ("b steel_works", "b steel_works 2", "b power_plant", "b power_plant 2", "b field_workshop")
        self.act("blue", construction.Build(tuple(map(self.id, paying))))
        self.act("blue", developments.Place(self.id("b bunker_line"), "t2"))
        self.correct("game.phase", "defender_deployment")
        for one in paying[:2]:
            self.state = self.state.with_card(self.id(one), locked=False)
        self.act("blue", hands.PlayAction(self.held("sudden_storm"), tuple(map(self.id, paying[:2]))))
        self.correct("game.phase", "attacker_attack")
        self.act("blue", battle.DeclareAttack(self.id("b rifle_company"), base=False))
        self.act("blue", battle.DeclareAttack(self.id("b bomber_wing"), base=True))
        self.correct("game.phase", "defender_block")
        self.act("red", battle.DeclareBlock(self.id("r medium_tank"), self.id("b rifle_company")))
        self.correct("game.phase", "damage_1")
        self.act("blue", damage.Aim(self.id("b bomber_wing"), "depot"))
        self.act("blue", strike.Strike())
        self.correct("game.phase", "defender_attack")
        self.act("red", battle.DeclareAttack(self.id("r bomber_wing"), base=True))
        self.correct("game.phase", "damage_2")
        self.act("red", damage.Aim(self.id("r bomber_wing"), "depot"))
        names = self.state.rosters["blue"].find
        lost = next(one for one in self.state.deck("blue").depot if getattr(names(one), "name", "") == "battleship")
        self.act("red", strike.Strike(), drawn=(lost,))
        self.correct("game.phase", "final")
        # As a page sends them: in the order of the hand.
        self.act("blue", final.Discard(tuple(sorted((self.held("heavy_tank"), self.held("destroyer"))))))
        self.correct("game.phase", "attacker_retreat")
        self.correct("cards.blue.back", "1")
        self.correct("cards.blue.enter", self.held("flak_battery"))
        self.correct("cards.blue.put", self.held("fighter_wing"))
        self.correct(f"card.{self.id('b flak_battery')}.place", "hand")
        self.correct("cards.blue.enter", self.held("flak_battery"))
        self.correct(f"card.{self.id('b medium_tank')}.upgrades", "")


@pytest.mark.clause("HW-20", "HW-43")
def test_neither_the_order_of_a_list_nor_its_further_copies_change_a_byte_that_others_are_sent() -> None:
    one, other = Watched(), Watched(other=True)
    one.play()
    other.play()
    assert {card.code for card in one.state.of("blue")} != {card.code for card in other.state.of("blue")}
    assert len(one.shown) > 60
    for (when, first), (_, second) in zip(one.shown, other.shown, strict=True):
        assert first == second, when


@pytest.mark.clause("HW-20")
def test_no_code_is_sent_but_to_whose_card_it_is() -> None:
    table = Watched()
    deck = table.state.deck("red")
    own = {f'"{card}"'.encode() for card in (*deck.hand, *deck.depot)}
    table.play()
    for when, sent in table.shown:
        assert not set(CODE.findall(sent)) - (own if when.startswith("red ") else set()), when


def called(state: State) -> list[str]:
    return [english(speech.card(state, card)) for card in state.of("blue")]


def test_a_card_keeps_its_name_and_its_number_as_long_as_it_is_in_play() -> None:
    state = game("b rifle_company, b medium_tank, b rifle_company, b rifle_company, r rifle_company")
    assert called(state) == ["rifle company 1", "medium tank", "rifle company 2", "rifle company 3"]
    first = lying(state, "b rifle_company")
    away = GAME.correct(state, f"card.{first.id}.place", "hand", Scripted())
    assert called(away) == ["medium tank", "rifle company 2", "rifle company 3"]
    back = GAME.correct(away, "cards.blue.enter", first.code, Scripted())
    assert called(back)[1:] == ["rifle company 2", "rifle company 3", "rifle company 1"]
    assert back.cards[-1].code == first.code
    assert back.cards[-1].id not in {card.id for card in state.cards}, "what was told of the first is not of this one"
    assert called(entered(back, "b rifle_company"))[-1] == "rifle company 4"
    with pytest.raises(ValueError, match="never came into play"):
        back.but(made=3)

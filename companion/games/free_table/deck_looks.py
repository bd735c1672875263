"""How the cards of a list look: a sign, or a picture of one's own, put on a card without gathering the deck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.free_table.deck_cards import IN_MEMORY, Own
from companion.games.free_table.deck_piles import Deck
from companion.games.free_table.kinds import Deed, Play, Table, check_composer, may_compose
from companion.games.free_table.names import typed
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.forms import declared
from companion.kit.pictures import Photo, Sign, check_room
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

looks = Play(Deck)


class SetLook(Deed, frozen=True, tag="set_look"):
    """Put a sign or a picture on a card of your own list; what is left out stays as it is."""

    card: str
    glyph: Sign = ""
    picture: Photo = ""


class ClearLook(Deed, frozen=True, tag="clear_look"):
    """Take the sign and the picture off a card of your own list."""

    card: str


@looks.offers
def offers(table: Table, deck: Deck, seat: str) -> Iterator[Offer]:
    """Offer whoever sets the trackers up to change how the cards of a list look."""
    if deck.which == "own" and may_compose(table, seat):
        yield from _offers(deck.id, deck.own)


@lru_cache(maxsize=IN_MEMORY)
def _offers(on: str, own: tuple[Own, ...]) -> tuple[Offer, ...]:
    cards = _cards(own)
    which = Field("card", say("Card"), "choice", tuple(cards.values()), "1")
    asked = (field for field in declared(SetLook) if field.name in {"glyph", "picture"})
    draw = SetLook.offer(say("Put a picture on a card"), which, *asked, on=on, loose=True, aside=True, tracker=on)
    drawn = tuple(option for option, card in zip(cards.values(), own, strict=True) if card.drawn)
    if not drawn:
        return (draw,)
    which = replace(which, options=drawn, value=drawn[0].value)
    return (draw, ClearLook.offer(say("Take the picture off a card"), which, on=on, loose=True, aside=True, tracker=on))


def _cards(own: tuple[Own, ...]) -> dict[str, Option]:
    return {str(at): Option(str(at), typed(card.name)) for at, card in enumerate(own, 1)}


@looks.rule(SetLook)
def set_look(table: Table, deck: Deck, seat: str, action: SetLook, _ask: Ask) -> Ruling[Deck]:
    """Put a sign, a picture or both on a card."""
    at = _place(table, deck, seat, action.card)
    if not (action.glyph or action.picture):
        raise Refusal(say("Choose a sign or a picture."), field="picture")
    card = deck.own[at]
    return _changed(deck, at, action.glyph or card.glyph, action.picture or card.picture)


@looks.rule(ClearLook)
def clear_look(table: Table, deck: Deck, seat: str, action: ClearLook, _ask: Ask) -> Ruling[Deck]:
    """Take both off a card."""
    return _changed(deck, _place(table, deck, seat, action.card), "", "")


def _place(table: Table, deck: Deck, seat: str, card: str) -> int:
    """Return the place of a card in its list; raise Refusal where there is none, or for who may not change it."""
    check_composer(table, seat)
    if deck.which != "own" or card not in _cards(deck.own):
        raise Refusal(say("There is no such card in the list."), field="card")
    return int(card) - 1


def _changed(deck: Deck, at: int, glyph: Sign, picture: str) -> Ruling[Deck]:
    made = replace(deck.own[at], glyph=glyph, picture=picture)
    own = (*deck.own[:at], made, *deck.own[at + 1 :])
    check_room(card.picture for card in own)
    return Ruling(deck.but(own=own), _said(deck))


def _said(deck: Deck) -> Text:
    """Say it without the card: not everybody knows what is in the list."""
    return say("{what}: a card looks different", what=deck.title)

"""A file says a phrase once that its fragments repeat; whatever somebody typed comes out again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.web.play.replay_film import FIRST, LAST, shortened

SAID = "<i lang=en>4 flags needed</i><i lang=es>pide 4 banderas</i>"
TAG = "<b class='whose side-red'></b>"
pieces = st.sampled_from(
    [SAID, TAG, "<ul>", "a", chr(FIRST), chr(LAST), f"<i lang=en>{chr(FIRST + 1)}</i><i lang=es></i>"]
)


def whole(fragments: list[str], phrases: list[str]) -> list[str]:
    """Put the phrases in again, once."""
    signs = {FIRST + place: phrase for place, phrase in enumerate(phrases)}
    return [fragment.translate(signs) for fragment in fragments]


@given(st.lists(st.lists(pieces).map("".join)))
def test_what_was_shortened_is_put_together_again(fragments: list[str]) -> None:
    assert whole(*shortened(fragments)) == fragments


def test_a_phrase_is_one_character_where_it_is_repeated() -> None:
    (one, other), phrases = shortened([f"{SAID}a", SAID])
    assert (one, other, phrases) == (f"{chr(FIRST)}a", chr(FIRST), [SAID])
    assert shortened([SAID]) == ([SAID], [])


def test_what_there_is_no_sign_for_stays_as_it_is() -> None:
    room = LAST + 1 - FIRST
    fragments = 2 * [f"<i lang=en>{number}</i><i lang=es></i>" for number in range(room + 1)]
    short, phrases = shortened(fragments)
    assert len(phrases) == room
    assert whole(short, phrases) == fragments

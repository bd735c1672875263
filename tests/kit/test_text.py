"""Sentences as data, and rulebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.kit.rulebook import Rulebook, Term, WrongData, load_words, read, shared_words
from companion.kit.text import Text, Words, fill_in, listed, numbered, numbers_of, parts, say, speak

if TYPE_CHECKING:
    from pathlib import Path

SPANISH = {
    "{count} hit|{count} hits": "{count} impacto|{count} impactos",
    "{unit} takes {hits}": "{unit} recibe {hits}",
    "archers": "arqueros",
}


def test_sentences_are_spoken_with_their_places() -> None:
    text = say("{unit} takes {hits}", unit=Text("archers"), hits=say("{count} hit|{count} hits", count=2))
    assert speak(text, lambda key: key) == "archers takes 2 hits"
    assert speak(text, lambda key: SPANISH[key]) == "arqueros recibe 2 impactos"
    assert speak(say("{count} hit|{count} hits", count=1), lambda key: SPANISH[key]) == "1 impacto"
    assert speak(say("100 %"), lambda key: key) == "100 %"


def test_a_word_that_is_small_in_a_sentence_has_its_capital_only_where_it_begins_one() -> None:
    said = {
        "black": "^negras",
        "{side}: {what}": "{side}: {what}",
        "{side} plays": "Juegan {side}",
        "{one} and {two}": "{one} y {two}",
        "{one}. {two}": "{one}. {two}",
        "Does {side} agree?": "¿{side} de acuerdo?",
        "{side} draws": "^las {side} roban",
    }

    def spoken(text: Text, *, within: bool = False) -> str:
        return speak(text, lambda key: said.get(key, key), within=within)

    black, both = Text("black"), say("{one} and {two}", one=Text("black"), two=Text("black"))
    assert (spoken(black), spoken(black, within=True)) == ("Negras", "negras")
    assert (spoken(both), spoken(both, within=True)) == ("Negras y negras", "negras y negras")
    assert spoken(say("{side} plays", side=both)) == "Juegan negras y negras"
    assert spoken(say("{side}: {what}", side=black, what=say("{side} plays", side=black))) == "Negras: Juegan negras"
    assert (
        spoken(say("{one}. {two}", one=say("{side} plays", side=black), two=both)) == "Juegan negras. Negras y negras"
    )
    assert spoken(say("Does {side} agree?", side=black)) == "¿Negras de acuerdo?"
    draws = say("{side} draws", side=black)
    assert spoken(draws) == "Las negras roban"
    assert spoken(say("{one} and {two}", one=draws, two=draws)) == "Las negras roban y las negras roban"
    assert spoken(say("{one}. {two}", one=draws, two=draws)) == "Las negras roban. Las negras roban"
    assert spoken(say("{name}", name="^Ana")) == "^Ana"


def test_what_was_said_in_a_row_is_said_one_by_one() -> None:
    said = [say("moves"), say("{what}: {list}", what="equipment", list=listed([say("mortar"), say("rifle")], say("–")))]
    assert parts(listed([*said, say("heals")], say("–"))) == (*said, say("heals"))
    assert parts(say("{one}, {two}", one=said[0], two=listed(said, say("–")))) == (said[0], *said)
    assert parts(listed([], say("–"))) == (say("–"),)


def test_a_number_of_a_rule_becomes_part_of_the_sentence() -> None:
    written = "{unit} heals within [reach|square|squares], [+save] on saves, [+worse] in a storm, on [needed]+"
    text = numbered(written, reach=2, save=1, worse=-2, needed=4, unit="Ana")
    assert text == say("{unit} heals within 2 squares, +1 on saves, −2 in a storm, on 4+", unit="Ana")
    assert numbered("[reach|square|squares]", reach=1) == say("1 square")
    said = "[hand Written] cards, [hand written|card|cards], [deck written], [one written|card|cards]"
    numbers = {"hand": 3, "deck": 52, "one": 1}
    assert numbered(said, **numbers).say == "Three cards, three cards, 52, 1 card"
    assert fill_in("[hand Written] cartas y [hand written]", numbers, "es") == "Tres cartas y tres"
    assert numbers_of(written) == {"reach", "save", "worse", "needed"}
    assert fill_in("[reach], [other], [1], [A]", {"reach": 0}) == "0, [other], [1], [A]"
    with pytest.raises(KeyError):
        numbered("within [reach]")


def test_words_know_names_and_sentences() -> None:
    words = Words({"archers": {"en": "archers", "es": "arqueros"}}, {"Yes": {"es": "Sí"}})
    assert words.find("archers", "es") == "arqueros"
    assert words.find("Yes", "en") == "Yes"
    assert words.find("Yes", "es") == "Sí"
    assert words.find("No", "es") is None
    assert words.find("archers", "fr") is None


def test_words_of_a_game_come_before_those_that_are_shared() -> None:
    shared = Words(
        {"red": {"en": "Red", "es": "Rojo"}, "draw": {"en": "Draw", "es": "Robo"}},
        {"A draw": {"es": "Empate"}, "Victory": {"es": "Victoria"}},
    )
    words = Words(
        {"red": {"en": "Scarlet", "es": "Grana"}}, {"draw": {"es": "empate"}, "A draw": {"es": "Tablas"}}, shared
    )
    assert [words.find("red", language) for language in ("en", "es")] == ["Scarlet", "Grana"]
    assert [words.find("draw", language) for language in ("en", "es")] == ["draw", "empate"]
    assert words.find("A draw", "es") == "Tablas"
    assert [words.find("Victory", language) for language in ("en", "es")] == ["Victory", "Victoria"]
    assert words.find("Defeat", "es") is None


def test_a_package_says_what_several_games_say_without_words_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "game_that_says_little" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").touch()
    (data / "words.toml").write_text('[sentences]\n"Attack" = "Al ataque"\n', encoding="utf-8")
    (data / "retired.toml").write_text('[sentences]\n"A draw" = "Tablas"\n', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    words = load_words("game_that_says_little", Rulebook(term=(Term(id="red", es="Grana", en="Scarlet"),)))
    assert [words.find(key, "es") for key in ("Victory", "blue")] == ["Victoria", "Azul"]
    assert [words.find(key, "es") for key in ("Attack", "A draw", "red")] == ["Al ataque", "Tablas", "Grana"]
    assert [shared_words().find(key, "es") for key in ("Attack", "A draw", "red")] == ["Ataque", "Empate", "Rojo"]


CLAUSE = '[[clause]]\nid = "X-1"\nchapter = "one"\nrole = "told"\nsure = "stated"\nes = "Uno"\nen = "One"\n'


def test_a_rulebook_is_read_and_looked_up() -> None:
    book = read(CLAUSE, "rulebook.toml", Rulebook)
    assert book.ids() == {"X-1"}
    assert book.look_up("X-1") == book.clause[0]
    with pytest.raises(KeyError):
        book.look_up("X-2")


def test_a_rulebook_and_words_say_the_numbers_that_the_game_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = read(
        CLAUSE.replace('"One"', '"One of [hand written|card|cards], [x]"').replace('"Uno"', '"[hand written]"'),
        "rulebook.toml",
        Rulebook,
        {"hand": 3},
    )
    assert (book.clause[0].en, book.clause[0].es) == ("One of three cards, [x]", "tres")
    data = tmp_path / "game_that_counts" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").touch()
    lines = (
        '[names]\nhand = {en = "[hand] cards", es = "[hand] cartas"}\n'
        '[sentences]\n"Draw [hand]" = "Roba [hand]"\n"At [hand written]" = "A las [hand written]"\n'
    )
    (data / "words.toml").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    words = load_words("game_that_counts", Rulebook(), {"hand": 3})
    assert (words.find("Draw 3", "en"), words.find("Draw 3", "es")) == ("Draw 3", "Roba 3")
    assert words.find("At three", "es") == "A las tres"
    assert (words.find("hand", "en"), words.find("hand", "es")) == ("3 cards", "3 cartas")
    assert load_words("game_that_counts", Rulebook()).find("Draw [hand]", "es") == "Roba [hand]"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("strange = 1\n" + CLAUSE, "rulebook.toml: there is no field called strange."),
        (CLAUSE + "colour = 1\n", "rulebook.toml: there is no field called clause[0].colour."),
        (CLAUSE.replace("told", "sung"), "rulebook.toml: clause[0].role is not what belongs there."),
        (CLAUSE.replace('"One"', "1"), "rulebook.toml: clause[0].en is not what belongs there."),
        (CLAUSE.replace("en = ", "# "), "rulebook.toml: clause[0].en is missing."),
        ("= 3", "rulebook.toml is not TOML: Invalid statement (at line 1, column 1)"),
    ],
)
def test_wrong_data_names_its_file_and_its_field(wrong: str, said: str) -> None:
    with pytest.raises(WrongData) as raised:
        read(wrong, "rulebook.toml", Rulebook)
    assert str(raised.value) == said

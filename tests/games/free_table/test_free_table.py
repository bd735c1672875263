"""The free table: trackers are put together, used, ordered, kept as a template; everybody acts for themselves."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.free_table.game import GAME
from companion.games.free_table.start import LARGEST, Options, template
from companion.games.free_table.tray import Roll
from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Phases
from companion.kit.ruling import Refusal
from companion.table.statistics import GameCount, game_count
from tests.support.free_tables import Free, english

if TYPE_CHECKING:
    from collections.abc import Callable


def counting(**more: object) -> Free:
    return Free("Ana", "Ben").do("player_1", "set_counter", name="Life", each="player", start=20, high=20, **more)


def test_a_counter_for_each_player_counts_between_its_bounds() -> None:
    table = counting().do("player_2", "count", tracker="t1", line="player_1", by=-3)
    assert table.rows("t1") == {"Ana": "17", "Ben": "20"}
    assert table.headline == "Life, Ana: 20 → 17"
    assert table.refused("player_2", "count", tracker="t1", line="player_2", by=1) == ("It goes from 0 to 20.", "by")
    assert table.refused("player_2", "count", tracker="t1", line="player_1", by=-18)[1] == "by"
    assert table.refused("player_2", "count", tracker="t1", line="player_7", by=-1)[1] == "line"


def test_its_rounds_are_counted_where_something_counts_them() -> None:
    assert game_count(GAME.view(counting().state, SCREEN)) is None
    for more in ({}, {"rounds": 6}, {"steps": "Move, Fire", "rounds": 6}):
        table = counting().do("player_1", "set_phases", name="Night", **more)
        for round_ in (1, 2, 3):
            assert game_count(GAME.view(table.state, SCREEN)) == GameCount("round", round_)
            for step in range(2 if "steps" in more else 1):
                table.do("player_1", "next", tracker="t2", round=round_, step=step)


def test_who_sits_down_later_has_a_line_too_and_who_leaves_has_none() -> None:
    table = counting().do("player_3", "sit", name="Eva")
    assert table.rows("t1") == {"Ana": "20", "Ben": "20", "Eva": "20"}
    assert table.do("player_2", "sit", name=None).rows("t1") == {"Ana": "20", "Eva": "20"}


def test_a_counter_can_have_one_line_or_one_for_each_name() -> None:
    table = Free("Ana").do("player_1", "set_counter", name="Tide")
    assert table.do("player_1", "count", tracker="t1", line="all", by=4).rows("t1") == {"Tide": "4"}
    assert table.headline == "Tide: 0 → 4"
    table.do("player_1", "set_counter", each="name", names="Goblin, Ogre,, Troll ")
    assert table.rows("t2") == {"Goblin": "0", "Ogre": "0", "Troll": "0"}
    assert table.do("player_1", "count", tracker="t2", line="1", by=2).rows("t2")["Ogre"] == "2"


def test_a_counter_goes_back_to_its_start_and_keeps_its_values_when_it_is_changed() -> None:
    table = counting().do("player_1", "count", tracker="t1", line="player_1", by=-15)
    table.do("player_1", "set_counter", tracker="t1", name="Vida", each="player", start=9, high=10, colour="red")
    assert table.rows("t1") == {"Ana": "5", "Ben": "9"}
    assert table.do("player_1", "reset", tracker="t1").rows("t1") == {"Ana": "9", "Ben": "9"}


def test_what_is_counted_follows_its_name() -> None:
    table = Free("Ana").do("player_1", "set_counter", each="name", names="Elf, Orc, Orc")
    for line in "012":
        table.do("player_1", "count", tracker="t1", line=line, by=int(line) + 1)
    change = partial(table.do, "player_1", "set_counter", tracker="t1", each="name")
    assert change(names="Troll, Orc, Elf, Orc").rows("t1")["Elf"] == "1"
    assert [row.value.places["count"] for row in table.lines("t1")] == [0, 2, 1, 3]
    assert change(names="Orc, Elf").rows("t1") == {"Orc": "2", "Elf": "1"}
    assert change(names="Orc, Troll").rows("t1") == {"Orc": "2", "Troll": "0"}


@pytest.mark.parametrize(
    ("action", "sent", "field"),
    [
        ("set_counter", {"start": 5, "high": 4}, "start"),
        ("set_counter", {"start": 0, "low": 1}, "start"),
        ("set_counter", {"each": "name"}, "names"),
        ("set_counter", {"each": "name", "names": ",".join(f"n{at}" for at in range(61))}, "names"),
        ("set_pool", {"start": 5, "cap": 4}, "start"),
        ("set_flags", {"places": " , "}, "places"),
        ("set_phases", {"remind": "night falls"}, "remind"),
        ("set_phases", {"steps": ": count"}, "steps"),
        ("set_phases", {"steps": "x" * 41}, "steps"),
        ("set_phases", {"steps": "Fire: " + "x" * 81}, "steps"),
        ("set_flags", {"places": "x" * 41 + " 2"}, "places"),
        ("set_counter", {"each": "name", "names": "x" * 41}, "names"),
        ("set_phases", {"remind": "0: night falls"}, "remind"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field(action: str, sent: dict[str, object], field: str) -> None:
    assert Free("Ana").refused("player_1", action, **sent)[1] == field


def test_what_is_changed_is_told_to_everybody() -> None:
    table = counting().do("player_1", "set_counter", tracker="t1", name="Life", each="player", start=20, high=30)
    assert table.headline == "Life · Highest: 20 → 30"
    table.do("player_1", "set_counter", tracker="t1", name="Hits", each="player", start=20, high=25, colour="red")
    assert table.headline == "Changed: Hits"
    assert [english(reason.text) for reason in table.ruling.reasons] == [
        "Name: Life → Hits",
        "Highest: 30 → 25",
        "Colour: none → red",
    ]
    decks = Free("Ana", begin="cards").do("player_1", "set_deck", tracker="t1", peek="everyone")
    assert "nobody → everybody" in decks.headline


def pool(**more: object) -> Free:
    return Free("Ana", "Ben").do("player_1", "set_pool", name="AP", start=3, income=4, cap=9, **more)


def test_points_are_spent_gained_and_come_in_up_to_the_cap() -> None:
    table = pool().do("player_1", "spend", tracker="t1", line="player_1", points=2)
    assert table.rows("t1") == {"Ana": "1", "Ben": "3"}
    assert table.do("player_1", "income", tracker="t1").rows("t1") == {"Ana": "5", "Ben": "7"}
    assert table.do("player_1", "income", tracker="t1", line="player_2").rows("t1") == {"Ana": "5", "Ben": "9"}
    assert table.do("player_1", "gain", tracker="t1", line="player_1", points=4).rows("t1")["Ana"] == "9"
    assert table.refused("player_1", "gain", tracker="t1", line="player_1", points=1) == (
        "It holds 9 at most.",
        "points",
    )
    assert table.refused("player_1", "spend", tracker="t1", line="player_2", points=10) == (
        "Only 9 are left.",
        "points",
    )


def test_what_is_left_can_be_lost_when_income_comes() -> None:
    assert pool(fresh=True).do("player_1", "income", tracker="t1").rows("t1") == {"Ana": "4", "Ben": "4"}


def test_one_pool_can_be_for_the_whole_table() -> None:
    table = pool(each="table").do("player_2", "spend", tracker="t1", line="all", points=1)
    assert (table.rows("t1"), table.headline) == ({"AP": "2"}, "AP: 3 → 2")


def test_places_are_claimed_and_added_up() -> None:
    table = Free("Ana", "Ben").do("player_1", "set_flags", name="Map", places="Mill, Old bridge 2, Farm")
    assert table.rows("t1") == {"Mill": "nobody", "Old bridge": "nobody", "Farm": "nobody"}
    for place in "01":
        table.do("player_2", "claim", tracker="t1", place=place, owner="player_2")
    assert table.headline == "Map, Old bridge: Ben"
    assert table.rows("t1")["together: Ben"] == "3"
    table.do("player_1", "set_flags", tracker="t1", name="Map", places="Old bridge 4, Mine")
    assert table.rows("t1") == {"Old bridge": "Ben", "Mine": "nobody", "together: Ben": "4"}
    assert table.do("player_1", "claim", tracker="t1", place="0", owner="nobody").rows("t1") == {
        "Old bridge": "nobody",
        "Mine": "nobody",
    }
    assert table.refused("player_1", "claim", tracker="t1", place="0", owner="player_99")[1] == "owner"
    assert table.refused("player_1", "claim", tracker="t1", place="2", owner="player_1")[1] == "place"


def phased() -> Free:
    return Free("Ana", "Ben").do(
        "player_1", "set_phases", name="Turn", steps="Move, Fire: count the shells", rounds=2, remind="2: night falls"
    )


def test_phases_follow_each_other_and_remind_of_what_is_not_to_be_forgotten() -> None:
    table = phased()
    seen = []
    while found := table.offers("player_1", "next"):
        table.do("player_1", "next", **found[0].given)
        seen.append((table.headline, [english(reason.text) for reason in table.ruling.reasons]))
    assert seen == [
        ("Round 1 of 2: Fire", ["count the shells"]),
        ("Round 2 of 2: Move", ["night falls"]),
        ("Round 2 of 2: Fire", ["count the shells"]),
    ]
    assert table.refused("player_1", "next", tracker="t1", round=2, step=1)[0] == "That was the last round."
    view = GAME.view(table.state, SCREEN)
    assert [panel.current for panel in view.panels if isinstance(panel, Phases)] == [1]
    assert english(view.note.text) == "count the shells"


def test_the_table_stays_in_its_phase_when_others_come_before_it_or_go() -> None:
    table = phased().do("player_1", "next", tracker="t1", round=1, step=0)
    for steps in ("Roll, Move, Fire", "Fire, Move", "Fire"):
        assert table.do("player_1", "set_phases", tracker="t1", steps=steps).state.trackers[0].round == 1
        table.do("player_1", "set_phases", tracker="t1", steps=f"{steps}, End")
        assert english(table.state.trackers[0].here) == "Round 1: Fire"
    table.do("player_1", "set_phases", tracker="t1", steps="Move")
    assert english(table.state.trackers[0].here) == "Round 1: Move"


def test_two_phones_that_go_on_at_once_go_on_once() -> None:
    table = phased().do("player_1", "next", tracker="t1", round=1, step=0)
    said = table.refused("player_2", "next", tracker="t1", round=1, step=0)[0]
    assert said == "The table is already there: Round 1 of 2: Fire"


def test_a_note_is_for_all_or_for_oneself_alone() -> None:
    table = Free("Ana", "Ben").do("player_1", "set_notes", name="Plan")
    table.do("player_1", "write", tracker="t1", words="Ana   pays the\npizza")
    before = {seat: (table.rows("t1", seat), table.offers(seat, "write")) for seat in ("player_2", SCREEN, RULEKEEPER)}
    assert before[SCREEN][0] == {"Plan": "Ana pays the pizza"} or "Ana pays the pizza" in str(before[SCREEN][0])
    table.do("player_1", "write", tracker="t1", words="attack at dawn", own=True)
    assert "attack at dawn" in str(table.rows("t1", "player_1"))
    assert table.ruling.quiet
    assert "attack" not in table.headline
    after = {seat: (table.rows("t1", seat), table.offers(seat, "write")) for seat in ("player_2", SCREEN, RULEKEEPER)}
    assert after == before
    assert table.refused(RULEKEEPER, "write", tracker="t1", words="x", own=True)[0].startswith("Only players")


def test_dice_are_thrown_for_all_to_see_and_favourites_are_kept() -> None:
    table = Free("Ana", "Ben", begin="dice").do("player_2", "roll", 2, 6, 1, 5, tracker="t1", dice="4d6kh3")
    assert table.rows("t1") == {"Ben": "4d6kh3: 13"}
    table.do("player_1", "keep", tracker="t1", dice="2d6 + 3", name="Sword")
    kept = [english(offer.label) for offer in table.offers("player_2", "roll")]
    assert kept[0] == "Sword"
    assert table.do("player_1", "roll", 1, 2, tracker="t1", dice="2d6+3").headline == "2d6+3: 6"
    said, field = table.refused("player_1", "roll", tracker="t1", dice="2d6+bananas")
    assert (field, bool(said)) == ("dice", True)
    table.do("player_1", "forget", tracker="t1", favourite="2d6+3")
    assert "Sword" not in [english(offer.label) for offer in table.offers("player_2", "roll")]
    assert table.refused("player_1", "forget", tracker="t1", favourite="2d6+3")[1] == "favourite"


def test_favourites_of_one_name_are_told_apart_by_their_dice() -> None:
    table = Free("Ana", begin="dice")
    for name, dice in (("Sword", "2d6"), ("Sword", "3d8"), ("d20", "2d20"), ("Bow", "1d8")):
        table.do("player_1", "keep", tracker="t1", dice=dice, name=name)
    assert [english(offer.label) for offer in table.offers("player_1", "roll")][:4] == [
        "Sword: 2d6",
        "Sword: 3d8",
        "d20: 2d20",
        "Bow",
    ]
    assert english(table.offers("player_1", "forget")[1].label) == "Forget: Sword: 3d8"


def test_the_odds_of_a_throw_are_shown_before() -> None:
    table = Free("Ana", begin="dice")
    (free,) = [offer for offer in table.offers("player_1", "roll") if offer.chancy]
    assert [field.kind for field in free.fields] == ["dice"]
    charts = GAME.foresee(table.state, "player_1", Roll("t1", "2d6"))
    assert sum(bar.chance for bar in charts[0].bars) >= 1


def three() -> Free:
    table = Free("Ana", "Ben")
    for name in ("One", "Two", "Three"):
        table.do("player_1", "set_counter", name=name)
    return table


def test_trackers_are_moved_put_in_order_and_taken_away() -> None:
    table = three()
    assert table.do("player_2", "shift", tracker="t3", way="up").order() == ["t1", "t3", "t2"]
    assert table.refused("player_1", "shift", tracker="t1", way="up")[1] == "way"
    assert table.do("player_1", "arrange", order=["t2", "t1"]).order() == ["t2", "t1", "t3"]
    assert table.refused("player_1", "arrange", order=["t2", "t9"])[1] == "tracker"
    assert table.do("player_1", "remove", tracker="t1").order() == ["t2", "t3"]
    assert table.refused("player_1", "count", tracker="t1", line="all", by=1)[1] == "tracker"
    assert table.do("player_1", "set_counter", name="Four").order() == ["t2", "t3", "t4"]


def test_a_tracker_takes_only_what_is_meant_for_its_kind() -> None:
    table = three().do("player_1", "set_notes")
    assert table.refused("player_1", "count", tracker="t4", line="all", by=1)[1] == "tracker"
    assert table.refused("player_1", "set_pool", tracker="t1")[1] == "tracker"


def test_there_are_not_more_trackers_than_a_table_holds() -> None:
    table = Free("Ana")
    for _ in range(40):
        table.do("player_1", "set_notes")
    assert table.refused("player_1", "set_notes")[0] == "40 trackers at most, please."
    assert not [offer for offer in GAME.offers(table.state, "player_1") if offer.action == "set_notes" and not offer.on]


def test_a_new_game_keeps_the_trackers_and_forgets_their_values() -> None:
    table = counting().do("player_1", "count", tracker="t1", line="player_1", by=-3).do("player_2", "renew")
    assert table.rows("t1") == {"Ana": "20", "Ben": "20"}


def test_the_rulekeeper_can_keep_the_trackers_to_himself_but_not_what_is_counted() -> None:
    empty = Free("Ana", compose="keeper").state
    said = {seat: english(GAME.view(empty, seat).headline) for seat in (RULEKEEPER, "player_1")}
    assert said == {
        RULEKEEPER: "An empty table: add what you want to keep track of.",
        "player_1": "An empty table: the rulekeeper adds what you keep track of.",
    }
    table = Free("Ana", compose="keeper").do(RULEKEEPER, "set_counter", name="Life", start=1)
    assert table.refused("player_1", "remove", tracker="t1")[0] == "At this table the rulekeeper sets the trackers up."
    assert not table.offers("player_1", "remove")
    assert table.do("player_1", "count", tracker="t1", line="all", by=1).rows("t1") == {"Life": "2"}


@pytest.mark.parametrize("seat", [SCREEN, "player_9", "white"])
def test_who_does_not_play_here_does_nothing(seat: str) -> None:
    table = counting()
    assert not GAME.offers(table.state, seat)
    for action, sent in (("count", {"tracker": "t1", "line": "player_1", "by": -1}), ("end", {}), ("set_notes", {})):
        assert table.refused(seat, action, **sent)[0] == "Only players and the rulekeeper act here."
    assert table.refused(RULEKEEPER, "sit", name="Eva")[0] == "Only players and the rulekeeper act here."


def test_after_the_end_nothing_is_done() -> None:
    table = counting().do("player_1", "end")
    assert GAME.view(table.state, "player_1").over
    assert not GAME.offers(table.state, "player_1")
    assert table.refused("player_1", "count", tracker="t1", line="player_1", by=-1)[0] == "The game is over."


def everything() -> Free:
    table = counting().do("player_1", "set_pool", name="AP").do("player_1", "set_flags", places="A, B 2")
    table.do("player_1", "set_phases", steps="Move, Fire: look").do("player_1", "set_tray", name="Dice")
    table.do("player_1", "keep", tracker="t5", dice="2d6", name="Sword").do("player_1", "set_notes", colour="blue")
    return table


def used(table: Free) -> Free:
    """Do something that a template must not tell."""
    table.do("player_1", "count", tracker="t1", line="player_1", by=-1)
    table.do("player_1", "claim", tracker="t3", place="0", owner="player_2")
    table.do("player_1", "roll", 3, 4, tracker="t5", dice="2d6")
    return table.do("player_1", "write", tracker="t6", words="a secret of Ana", own=True)


def blamed(do: Callable[[], object]) -> str | None:
    """Which field is to blame when something is refused; None when it is done."""
    try:
        do()
    except Refusal as refusal:
        return refusal.field
    return None


def test_a_template_has_the_trackers_and_nothing_that_happened() -> None:
    sent = template(used(everything()).state)
    assert sent == template(everything().state)
    again = Free(template=sent)
    assert template(again.state) == sent
    assert [type(one) for one in again.state.trackers] == [type(one) for one in everything().state.trackers]
    assert [offer.label for offer in again.offers("player_1", "roll")][:1] == [
        offer.label for offer in everything().offers("player_1", "roll")
    ][:1]


def test_a_template_comes_with_the_options_of_the_table() -> None:
    table = Free("Ana", compose="keeper", seats=5).do(RULEKEEPER, "set_notes")
    options = GAME.options_now(table.state)
    assert (options.begin, options.seats, options.compose) == ("nothing", 5, "keeper")
    assert template(GAME.setup(options, Ask()).outcome) == options.template


WRONG = (
    "[1]",
    '[{"kind": "nothing"}]',
    '[{"kind": "counter", "low": 5, "high": 1}]',
    '[{"kind": "counter", "high": 99999999}]',
    '[{"kind": "counter", "each": "name"}]',
    '[{"kind": "flags"}]',
    '[{"kind": "pool", "start": 5, "cap": 1}]',
    '[{"kind": "tray", "favourites": [["x", "2dx"]]}]',
    '[{"kind": "notes", "colour": "pink"}]',
    "[" + ",".join(['{"kind": "notes"}'] * 41) + "]",
    '[{"kind": "notes", "x": ' + "[" * 59_000 + "]" * 59_000 + "}]",
    '[{"kind": "notes"' + " " * LARGEST + "}]",
    '[{"kind": "deck", "which": "own", "own": [["x"]' + ', ["x"]' * 400 + "]}]",
)


def packed(plain: str) -> str:
    return urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")


def test_a_template_that_is_sound_is_read() -> None:
    assert len(Free(template=packed('[{"kind": "notes", "called": "no such word"}]')).state.trackers) == 1


@pytest.mark.parametrize("sent", ["AAAAAAAA", "_-_-_-_-_-_-", "x" * 1000, *map(packed, WRONG)])
def test_a_damaged_template_is_refused_at_its_field(sent: str) -> None:
    with pytest.raises(Refusal) as refusal:
        GAME.setup(Options(template=sent), Ask())
    assert refusal.value.field == "template"


@given(st.from_regex(r"\A[A-Za-z0-9_-]{8,60}\Z"))
def test_any_letters_are_a_template_or_refused(sent: str) -> None:
    assert blamed(lambda: GAME.setup(Options(template=sent), Ask())) in {None, "template"}


@given(st.text(max_size=200))
@example("0000 2 1")
@example("0" * 39 + " 0")
def test_whatever_is_typed_as_names_makes_lines_or_is_refused_at_its_field(typed: str) -> None:
    for action, field in (("set_counter", "names"), ("set_flags", "places"), ("set_phases", "steps")):
        table, more = Free("Ana"), {"each": "name"} if field == "names" else {}
        if blamed(partial(table.do, "player_1", action, **{field: typed}, **more)) == field:
            continue
        assert all(english(row.name) for row in table.lines("t1"))
        assert template(Free(template=template(table.state)).state) == template(table.state)


def test_a_correction_sets_what_is_tracked() -> None:
    table = used(everything())
    values = {one.path: one.field.value for one in GAME.tracked(table.state)}
    assert values["t1.player_1"] == 19
    state = GAME.correct(table.state, "t1.player_1", "7", Ask())
    state = GAME.correct(state, "t3.1", "player_1", Ask())
    state = GAME.correct(state, "t4.round", "3", Ask())
    state = GAME.correct(state, "t4.step", "2", Ask())
    state = GAME.correct(state, "t6.all", "Round three", Ask())
    after = {one.path: one.field.value for one in GAME.tracked(state)}
    assert {path: value for path, value in after.items() if values[path] != value} == {
        "t1.player_1": 7,
        "t3.1": "player_1",
        "t4.round": 3,
        "t4.step": 2,
        "t6.all": "Round three",
    }
    assert not [one for one in GAME.tracked(state) if "a secret of Ana" in str(one.field.value)]


@pytest.mark.parametrize("begin", ["cards", "dice", "scores", "wargame", "initiative"])
def test_a_table_can_begin_with_something(begin: str) -> None:
    assert Free(begin=begin).state.trackers


def test_every_start_is_said_in_spanish() -> None:
    said = [text.say for start in GAME.starts for text in (start.name, start.note)]
    assert len(said) == 8
    assert [words for words in said if GAME.words.find(words, "es") is None] == []


def headline(table: Free) -> str:
    return english(GAME.view(table.state, "player_1").headline)


def test_the_headline_is_told_by_what_has_gone_on_and_by_its_name_where_several_count_rounds() -> None:
    table = Free("Ana", begin="wargame").do("player_1", "set_phases", name="Battle", rounds=6)
    assert headline(table) == "Rounds: Round 1"
    battle = table.state.trackers[-1].id
    for round_ in (1, 2):
        table.do("player_1", "next", tracker=battle, round=round_, step=0)
    assert headline(table) == "Battle: Round 3 of 6"
    table.do("player_1", "remove", tracker=table.state.trackers[0].id)
    assert headline(table) == "Round 3 of 6"
    table.do("player_1", "set_order", name="Turns", names="Ogre")
    order = table.state.trackers[-1].id
    table.do("player_1", "round_in_order", tracker=order, round=0)
    assert headline(table) == "Battle: Round 3 of 6"
    table.do("player_1", "renew")
    assert headline(table) == "Round 1 of 6"


def test_people_of_one_name_are_told_apart_by_their_seats() -> None:
    table = Free("Ana", "Ben", "ana", seats=3, begin="scores")
    called = [english(table.state.called(seat)) for seat in table.state.roles]
    assert called == ["Ana (Player 1)", "Ben", "ana (Player 3)"]
    assert english(table.state.called("player_1")) in {
        english(row.name) for panel in GAME.view(table.state, "player_1").panels for row in getattr(panel, "rows", ())
    }
    table.do("player_3", "sit", name="Eva")
    assert english(table.state.called("player_1")) == "Ana"


def test_the_dice_of_a_throw_are_told_with_their_sides() -> None:
    table = Free("Ana", begin="dice")
    tray = table.state.trackers[0].id
    table.do("player_1", "roll", 4, tracker=tray, dice="d20")
    assert [(one.faces, one.sides) for one in table.ruling.reasons if one.faces] == [((4,), 20)]
    table.do("player_1", "roll", 5, 3, 2, tracker=tray, dice="2d6+1d4")
    assert [(one.faces, one.sides) for one in table.ruling.reasons if one.faces] == [((5, 3), 6), ((2,), 4)]

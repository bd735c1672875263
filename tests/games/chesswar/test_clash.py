"""Who meets whom in ChessWar, what the faces of every throw do, and what may still save the target."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from msgspec.structs import replace

from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.chesswar.magic import Answering
from companion.games.chesswar.options import Options
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.turn import EndPhase
from companion.kit.clash import effect_of
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board
from companion.kit.questions import Answer, Choose, Faces, Question, Throw
from companion.web.play.clash import clash_view
from tests.support.chesswar_positions import KINGS, acting, after, campaign, english, position, rule, ruled
from tests.support.plain_games import posed
from tests.support.toy_tables import Clock, Sitting, open_tables
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.games.chesswar.state import State
    from companion.kit.clash import Clash, Combatant
    from companion.kit.ruling import Reason, Ruling
    from companion.web.play.clash import ClashView

MELEE = "w1 hp d4, b1 op d5, w1>b1"


class Rolls(Plays):
    """Answer throws by key; every die that is not named shows a 6, every choice is the one named or the first."""

    def __init__(self, faces: dict[str, tuple[int, ...]], **choices: str) -> None:
        super().__init__(**choices)
        self.named = faces

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Throw):
            return Faces(question.key, self.named.get(question.key, (6,) * question.count))
        return super()._other(question)


class Came(NamedTuple):
    """A ruling with what it asked."""

    before: State
    ruling: Ruling[State]
    asked: list[Question]

    def throws(self, key: str) -> list[Throw]:
        return [one for one in self.asked if isinstance(one, Throw) and one.key == key]

    def became(self, name: str) -> str:
        """What became of a unit, in the words of the effects; empty where it stands."""
        unit = self.ruling.outcome.find(name)
        assert unit is not None
        return "" if unit.stands else "knocked over" if unit.on_board else "destroyed"


def played(state: State, action: Any, faces: dict[str, tuple[int, ...]] | None = None, **choices: str) -> Came:
    ask = Rolls(faces or {}, **choices)
    return Came(state, rule(state, acting(state), action, ask), ask.asked)


def word(throw: Throw, face: int) -> tuple[str, bool]:
    """What a face does, and whether that is not wanted; nothing where it does nothing."""
    effect = effect_of(face, throw.does)
    return ("", False) if effect is None else (english(effect.text), effect.harm)


def clashes(reasons: tuple[Reason, ...]) -> list[Clash]:
    return [reason.clash for reason in reasons if reason.clash is not None]


def the_clash(state: State, action: Any, faces: dict[str, tuple[int, ...]] | None = None, **choices: str) -> Clash:
    """The newest clash that an action tells."""
    return clashes(played(state, action, faces, **choices).ruling.reasons)[-1]


def cancels(clash: Clash) -> list[str]:
    return [english(text) for text in clash.cancels]


def stats(one: Combatant | None) -> dict[str, str]:
    assert one is not None
    return {sign: english(number) for sign, number in one.stats}


# What faces do

FIGHTS = {
    "even": position(f"{KINGS}, {MELEE}", phase="combat"),
    "brave defender": position(f"{KINGS}, w1 hp d4, b1 rb d5, w1>b1", phase="combat"),
    "dreadful defender": position("w1 hp d4, wk hk a1, bk ck d5, w1>bk", phase="combat"),
    "dreadful attacker": position("wk ck d4, b1 op d5, bk ok h8, wk>b1", phase="combat"),
    "charged": position(f"{KINGS}, w1 hn d4, b1 op d5, w1>b1", phase="combat").with_unit("w1", charged="movement"),
    "weak": position(f"{KINGS}, w1 hq d4, b1 dq d5, w1>b1", phase="combat"),
    "strong": position("wk dk d4, b1 uq d5, bk ok h8, wk>b1", phase="combat"),
    "regeneration": position(f"{KINGS}, w1 hp d4, b1 or d5, w1>b1", phase="combat"),
    "natural six only": position(
        "wk hk a1, w1 dk d4, b1 up d5, bk ok h8, w1>b1", phase="combat", dread_natural_six_only=True
    ),
    "at the table": position("w1 hp, b1 op, w1>b1", phase="combat", board="table"),
}


@pytest.mark.clause("CW-86", "CW-87", "CW-88", "CW-89", "CW-90", "CW-91", "CW-92", "CW-93", "CW-94", "CW-114")
@pytest.mark.parametrize("fight", FIGHTS)
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_an_attack_says_what_the_rule_then_does(fight: str, face: int) -> None:
    state = FIGHTS[fight]
    attacker = next(unit for unit in state.standing("white") if unit.engaged)
    (defender,) = attacker.engaged_with
    came = played(state, Attack(attacker.id, defender), {"attack": (face,)})
    own, others = len(came.throws(f"save_{attacker.id}")), len(came.throws(f"save_{defender}"))
    expected = ("own save", True) if own else (came.became(defender), False)
    if others:
        expected = ("1 save" if others == 1 else f"{others} saves", False)
    (throw,) = came.throws("attack")
    assert word(throw, face) == expected


@pytest.mark.clause("CW-171")
@pytest.mark.parametrize(("forest", "outright"), [("no", "5"), ("yes", "6")])
def test_the_faces_know_of_a_forest_that_the_table_was_asked_for(forest: str, outright: str) -> None:
    state = position("w1 hn, b1 op, w1>b1", phase="combat", board="table", terrain=True)
    came = played(state.with_unit("w1", charged="movement"), Attack("w1", "b1"), forest_b1=forest)
    (throw,) = came.throws("attack")
    assert next(str(face) for face in range(1, 7) if word(throw, face)[0] == "destroyed") == outright


SAVES = {
    "melee": (FIGHTS["even"], Attack("w1", "b1"), {"attack": (4,)}, "b1"),
    "own": (FIGHTS["even"], Attack("w1", "b1"), {"attack": (1,)}, "w1"),
    "regeneration": (FIGHTS["regeneration"], Attack("w1", "b1"), {"attack": (5,)}, "b1"),
    "protected": (
        position(f"{KINGS}, {MELEE}, b9 oq d6, protection b9", phase="combat"),
        Attack("w1", "b1"),
        {"attack": (4,)},
        "b1",
    ),
    "bow": (position("wk hk a1, w1 hb c3, bk uk h8, b1 up c5", phase="shooting"), Shoot("w1", "b1"), {}, "b1"),
    "strike": (
        position("wk hk a1, w1 uq d4, b1 hp d5, bk ok h8, w1>b1", phase="combat"),
        Cast("w1", "strike", "b1"),
        {},
        "b1",
    ),
    "hopeless strike": (
        position("wk hk a1, w1 uq d4, b1 hb d5, bk ok h8, w1>b1", phase="combat"),
        Cast("w1", "strike", "b1"),
        {},
        "b1",
    ),
    "zap": (position(f"{KINGS}, w1 hq c3, b1 op c5", phase="shooting"), Cast("w1", "zap", "b1"), {}, "b1"),
    "bomb": (position(f"{KINGS}, w1 rb c3, b1 op c5", phase="shooting"), Bombard("w1", "c5"), {}, "b1"),
    "plague": (position(f"{KINGS}, w1 hp d4, b1 cp d5, w1>b1", phase="combat"), Attack("w1", "b1"), {}, "w1"),
}


@pytest.mark.clause("CW-06", "CW-07", "CW-08", "CW-96", "CW-114")
@pytest.mark.parametrize("kind", SAVES)
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_a_save_says_what_becomes_of_the_unit(kind: str, face: int) -> None:
    state, action, faces, saver = SAVES[kind]
    key = f"save_plague_{saver}" if kind == "plague" else f"save_{saver}"
    came = played(state, action, {**faces, key: (face,)})
    fell = came.became(saver)
    assert word(came.throws(key)[0], face) == ((fell, True) if fell else ("saved", False))


SHOTS = {
    "near": (position(f"{KINGS}, w1 hb c3, b1 op c5", phase="shooting"), "b1"),
    "far": (position(f"{KINGS}, w1 hb c3, b1 op c6", phase="shooting"), "b1"),
    "easy": (position(f"{KINGS}, w1 eb c3, b1 op c4", phase="shooting"), "b1"),
    "hopeless": (
        position(f"{KINGS}, w1 hb e2, w2 hp e4, b1 op e6", phase="shooting").with_unit("w1", moved=True),
        "b1",
    ),
}


@pytest.mark.clause("CW-56", "CW-57", "CW-58", "CW-59", "CW-61")
@pytest.mark.parametrize("shot", SHOTS)
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_a_shot_says_whether_it_hits(shot: str, face: int) -> None:
    state, target = SHOTS[shot]
    came = played(state, Shoot("w1", target), {"hit": (face,)})
    (throw,) = came.throws("hit")
    assert word(throw, face) == (("hit" if came.throws(f"save_{target}") else ""), False)


@pytest.mark.clause("CW-52", "CW-53")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("way", ["bow", "catapult", "zap"])
def test_each_face_of_a_shot_into_a_melee_says_who_is_struck(way: str, face: int) -> None:
    shooter = {"bow": "w1 hb c3", "catapult": "w1 hr c1", "zap": "w1 hq c3"}[way]
    state = position(f"{KINGS}, {shooter}, w2 hp d5, b1 op c5, w2>b1", phase="shooting")
    action = {"bow": Shoot("w1", "b1"), "catapult": Bombard("w1", "c5"), "zap": Cast("w1", "zap", "b1")}[way]
    came = played(state, action, {"melee": (face,)})
    (throw,) = came.throws("melee")
    struck = (bool(came.throws("save_b1")), bool(came.throws("save_w2")))
    assert (
        word(throw, face)
        == {
            (True, False): ("target", False),
            (True, True): ("both", True),
            (False, True): ("opponent", True),
        }[struck]
    )


@pytest.mark.clause("CW-52")
def test_to_strike_only_foes_in_a_melee_harms_nobody_of_the_shooter() -> None:
    state = position("wk hk a1, w1 hb c3, b1 op c5, r1 op d5, b1>r1", phase="shooting", sides="three", massacre=True)
    (throw,) = played(state, Shoot("w1", "b1")).throws("melee")
    assert [effect.harm for effect in throw.does] == [False, False, False]


@pytest.mark.clause("CW-70", "CW-71")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("side", ["white", "black"])
def test_each_face_of_a_scatter_die_says_where_it_goes_as_the_shooter_sees_it(side: str, face: int) -> None:
    units = "w1 hr d1, b1 or d8, wk hk a1, bk ok h7"
    state = position(units.replace("b1 or", "b1 hr"), phase="shooting", active=int(side == "black"))
    came = played(state, Bombard(f"{side[0]}1", "d5"), {"scatter": (face, 6)})
    last = came.ruling.outcome.last
    assert last is not None
    north = "ahead" if side == "white" else "back"
    south, east, west = ("back", "right", "left") if side == "white" else ("ahead", "left", "right")
    where = {"d6": north, "d4": south, "e5": east, "c5": west, "d5": ""}
    (throw,) = came.throws("scatter")
    assert word(throw, face) == (where[last.to_square or ""], False)


DREAD = position("w1 hp d4, wk hk a1, b1 up d5, bk uk h8")


@pytest.mark.clause("CW-40", "CW-41")
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_a_save_against_dread_says_whether_it_charges(face: int) -> None:
    came = played(DREAD, Charge("w1", "b1"), {"save_w1": (face,)})
    charged = came.ruling.outcome.unit("w1").engaged
    assert word(came.throws("save_w1")[0], face) == (("charges", False) if charged else ("stays put", True))


@pytest.mark.clause("CW-141", "CW-145")
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_a_spell_that_is_rolled_for_says_whether_it_works(face: int) -> None:
    state = position(f"{KINGS}, {MELEE}, b2 uq e6", phase="combat")
    came = played(state, Attack("w1", "b1"), {"attack": (6,), "healing": (face,)}, heal_b1="b2", raise_b1="no")
    fell = bool(came.became("b1"))
    assert word(came.throws("healing")[0], face) == (f"Healing {'fails' if fell else 'works'}", fell)
    state = position(f"{KINGS}, w1 hq c3, b1 op c5, b2 oq e6", phase="shooting")
    came = played(state, Cast("w1", "zap", "b1"), {"counterspell": (face,)}, counter_w1="b2")
    countered = not came.throws("save_b1")
    said = f"Counterspell {'works' if countered else 'fails'}"
    assert word(came.throws("counterspell")[0], face) == (said, not countered)


@pytest.mark.clause("CW-116")
@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_of_regeneration_says_whether_it_stands_up(face: int) -> None:
    state = position(f"{KINGS}, w1 or d4", phase="combat").with_unit("w1", down=True)
    came = played(state, EndPhase(), {"regenerate_w1": (face,)})
    said = ("removed", True) if came.became("w1") else ("stands up", False)
    assert word(came.throws("regenerate_w1")[0], face) == said


# Who meets whom

MEETINGS: dict[str, tuple[State, Any, str, str, str]] = {
    "attack": (FIGHTS["even"], Attack("w1", "b1"), "melee", "w1", "b1"),
    "bow": (*SHOTS["near"][:1], Shoot("w1", "b1"), "shot", "w1", "b1"),
    "catapult": (
        position(f"{KINGS}, w1 hr c1, b1 op c5", phase="shooting"),
        Bombard("w1", "c5"),
        "shot",
        "w1",
        "b1",
    ),
    "zap": (SAVES["zap"][0], Cast("w1", "zap", "b1"), "spell", "w1", "b1"),
    "strike": (SAVES["strike"][0], Cast("w1", "strike", "b1"), "spell", "w1", "b1"),
    "charge": (DREAD, Charge("w1", "b1"), "charge", "w1", "b1"),
}


def shown(one: Combatant | None) -> tuple[Any, ...]:
    return () if one is None else (one.id, one.side, one.name, one.glyph, one.place)


def pieces(state: State) -> dict[str, tuple[Any, ...]]:
    """The pieces that the board shows to everybody."""
    boards = [panel for panel in CHESSWAR.view(state, None).panels if isinstance(panel, Board)]
    found = [piece for board in boards for piece in board.pieces]
    return {piece.id: (piece.id, piece.side, piece.name, piece.glyph, piece.square) for piece in found}


@pytest.mark.parametrize("meeting", MEETINGS)
def test_a_clash_shows_the_two_pieces_as_the_board_does(meeting: str) -> None:
    state, action, way, by, against = MEETINGS[meeting]
    (clash,) = clashes(played(state, action).ruling.reasons)
    board = pieces(state)
    assert clash.way == way
    assert shown(clash.by) == board[by]
    assert shown(clash.against) == board[against]


def test_units_show_what_they_fight_with() -> None:
    fight = the_clash(position(f"{KINGS}, w1 hq d4, b1 dp d5, w1>b1", phase="combat"), Attack("w1", "b1"))
    assert (stats(fight.by), stats(fight.against)) == (
        {"fight": "−1", "shield": "3+"},
        {"fight": "+1", "shield": "3+"},
    )
    state, *_ = SAVES["bow"]
    shot = the_clash(state, Shoot("w1", "b1"))
    assert (stats(shot.by), stats(shot.against)) == ({"bow": "3+"}, {"shield": "3+"})
    dread = the_clash(DREAD, Charge("w1", "b1"))
    assert (stats(dread.by), stats(dread.against)) == ({"shield": "4+"}, {})


@pytest.mark.clause("CW-170")
def test_a_unit_in_a_forest_is_shown_there_with_the_save_that_it_has_then() -> None:
    state = SHOTS["near"][0].but(terrain={"c5": "forest"})
    clash = the_clash(state, Shoot("w1", "b1"))
    assert clash.against is not None
    assert (clash.against.ground, english(clash.against.note)) == ("forest", "Forest")
    assert (clash.by.ground, clash.by.note) == ("", None)
    assert stats(clash.against)["shield"] == "2+"


def test_at_a_table_no_square_is_shown() -> None:
    clash = the_clash(FIGHTS["at the table"], Attack("w1", "b1"))
    assert clash.against is not None
    assert (clash.by.place, clash.against.place) == (None, None)
    assert (english(clash.by.name), english(clash.against.name)) == ("Infantry", "Orcs")


@pytest.mark.clause("CW-67", "CW-75")
def test_a_stone_at_an_empty_square_meets_whom_it_comes_down_on() -> None:
    state = position(f"{KINGS}, w1 hr c1, w2 hp d5", phase="shooting")
    none, struck = clashes(played(state, Bombard("w1", "c5"), {"scatter": (2, 6)}).ruling.reasons)
    assert (none.against, shown(struck.against)) == (None, pieces(state)["w2"])
    assert [clash.against for clash in clashes(played(state, Bombard("w1", "c5")).ruling.reasons)] == [None]


@pytest.mark.clause("CW-75")
def test_at_a_table_a_stone_meets_whom_the_players_name() -> None:
    state = position("w1 hr, w2 hp, b1 op, b2 op", phase="shooting", board="table")
    shot = Bombard("w1", distance=4, direct=True, target="b1")
    assert [shown(one.against)[0] for one in clashes(played(state, shot).ruling.reasons)] == ["b1"]
    came = played(state, shot, {"scatter": (1, 6)}, impact="w2")
    assert [shown(one.against)[0] for one in clashes(came.ruling.reasons)] == ["b1", "w2"]


def test_a_charge_that_nothing_holds_back_rolls_no_die_and_is_no_clash() -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5")
    assert clashes(ruled(state, Charge("w1", "b1")).reasons) == []


@pytest.mark.clause("CW-97", "CW-40")
def test_a_charge_after_a_victory_is_a_clash_of_its_own() -> None:
    state = position(f"{KINGS}, {MELEE}, b2 up e5", phase="combat")
    came = played(state, Attack("w1", "b1"), {"attack": (6,)}, continuation="b2")
    assert [(one.way, shown(one.against)[0]) for one in clashes(came.ruling.reasons)] == [
        ("melee", "b1"),
        ("charge", "b2"),
    ]


# What may still save the target


@pytest.mark.clause("CW-06", "CW-145", "CW-146")
def test_a_save_and_a_mage_who_could_heal_may_save_a_target() -> None:
    near, far = (position(f"{KINGS}, {MELEE}, b2 uq {square}", phase="combat") for square in ("e6", "h1"))
    attack = Attack("w1", "b1")
    assert cancels(the_clash(near, attack, heal_b1="no", raise_b1="no")) == ["save 3+ (67%)", "Healing: 4+ (50%)"]
    assert cancels(the_clash(far, attack, raise_b1="no")) == ["save 3+ (67%)"]
    assert cancels(the_clash(near.with_unit("b2", cast=True), attack)) == ["save 3+ (67%)"]


@pytest.mark.clause("CW-86", "CW-93")
def test_no_save_is_promised_to_whom_no_face_leaves_one() -> None:
    state = position("wk dk d4, b1 up d5, bk ok h8, wk>b1", phase="combat")
    assert cancels(the_clash(state, Attack("wk", "b1"))) == ["save 4+ (50%)"]
    weak = position("wk hk a1, w1 hq d4, bk dk d5, w1>bk", phase="combat")
    (throw,) = played(weak, Attack("w1", "bk")).throws("attack")
    promised = any("save" in word(throw, face)[0] and not word(throw, face)[1] for face in range(1, 7))
    assert bool(cancels(the_clash(weak, Attack("w1", "bk")))) == promised


@pytest.mark.clause("CW-79", "CW-81")
def test_terror_and_immunity_leave_no_save() -> None:
    terror = "wk uk a1, w1 ur c1, bk ok h8, b1 {} c5"
    aims = {kind: position(terror.format(kind), phase="shooting") for kind in ("op", "rb")}
    assert cancels(the_clash(aims["op"], Bombard("w1", "c5"))) == []
    assert cancels(the_clash(aims["rb"], Bombard("w1", "c5"))) == ["save 4+ (50%)"]
    bombs = {kind: position(f"{KINGS}, w1 rb c3, b1 {kind} c5", phase="shooting") for kind in ("op", "rb")}
    assert cancels(the_clash(bombs["op"], Bombard("w1", "c5"))) == ["save 2+ (83%)"]
    assert cancels(the_clash(bombs["rb"], Bombard("w1", "c5"))) == []


@pytest.mark.clause("CW-08", "CW-150")
def test_a_save_that_no_die_can_make_is_not_promised() -> None:
    state, action, *_ = SAVES["hopeless strike"]
    clash = the_clash(state, action)
    assert cancels(clash) == []
    assert stats(clash.against) == {}


@pytest.mark.clause("CW-141")
def test_a_spell_may_be_countered_by_an_enemy_mage_who_has_not_cast() -> None:
    state = position(f"{KINGS}, w1 hq c3, b1 op c5, b2 oq e6", phase="shooting")
    zap = Cast("w1", "zap", "b1")
    assert cancels(the_clash(state, zap, counter_w1="no")) == ["Counterspell: 4+ (50%)", "save 3+ (67%)"]
    assert cancels(the_clash(state.with_unit("b2", cast=True), zap)) == ["save 3+ (67%)"]


@pytest.mark.clause("CW-141", "CW-152")
def test_a_spell_that_strikes_nobody_is_a_scene_too_which_says_that_it_may_be_countered() -> None:
    state = position("wk ek a1, bk ok h8, w1 eq c3, b1 op c5, b2 oq e6", phase="movement")
    clash = the_clash(state, Cast("w1", "fear"), counter_w1="no")
    assert (clash.way, clash.by.id, english(clash.by.note), clash.against) == ("spell", "w1", "Fear", None)
    assert cancels(clash) == ["Counterspell: 4+ (50%)"]
    assert cancels(the_clash(state.with_unit("b2", cast=True), Cast("w1", "fear"))) == []


@pytest.mark.clause("CW-159")
def test_a_mage_meets_whom_he_lets_fly_and_nobody_saves_that_one() -> None:
    state = position("wk ok a1, bk hk h8, w1 oq c3, w2 op c4, b2 hq e6", phase="movement")
    clash = the_clash(state, Cast("w1", "flight", "w2", to="d5"), counter_w1="no")
    assert (clash.by.id, shown(clash.against)[0]) == ("w1", "w2")
    assert cancels(clash) == ["Counterspell: 4+ (50%)"]
    alone = the_clash(state, Cast("w1", "flight", to="d5"), counter_w1="no")
    assert (alone.by.id, alone.against) == ("w1", None)


# While questions wait


def drawn(table: Sitting) -> ClashView:
    """The clash that is under way, the same for everybody: only whoever is asked for a square has it folded away."""
    first, *others = (clash_view(table.seen(seat)) for seat in ("white", "black", RULEKEEPER, SCREEN))
    assert first is not None
    for view in others:
        assert view is not None
        assert replace(view, open=first.open) == first
    return first


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Any]:
    opened: list[Any] = []

    def sit(state: State) -> Sitting:
        context = open_tables(tmp_path, random.Random(1), clock=Clock(), chesswar=posed(CHESSWAR, state))
        opened.append(context)
        return campaign(context.__enter__(), "typed")

    yield sit
    for context in opened:
        context.__exit__(None, None, None)


@pytest.mark.parametrize("meeting", MEETINGS)
def test_the_clash_is_there_when_the_first_die_is_waited_for(meeting: str, sitting: Any) -> None:
    state, action, way, by, against = MEETINGS[meeting]
    table = sitting(state)
    fields = {name: getattr(action, name) for name in action.__struct_fields__}
    table.act("white", action.__struct_config__.tag, **{name: value for name, value in fields.items() if value})
    view = drawn(table)
    assert view.under_way
    assert view.open
    (met,) = view.met
    assert (view.clash.way, met.by.one.id, met.against and met.against.one.id) == (way, by, against)
    assert [die.face for group in view.groups for die in group.dice if group.asked]
    assert [bool(roll.does) for roll in view.rolls] == [True]


@pytest.mark.clause("CW-171")
def test_the_clash_is_there_when_the_table_is_asked_for_a_forest(sitting: Any) -> None:
    options = Options(board="table", terrain=True)
    state = position("w1 hn, b1 op, w1>b1", phase="combat", options=options).with_unit("w1", charged="movement")
    table = sitting(state)
    table.act("white", "attack", unit="w1", target="b1")
    asked = table.seen("black").asked
    assert asked is not None
    assert isinstance(asked.question, Choose)
    assert drawn(table).met[0].by.one.id == "w1"


@pytest.mark.clause("CW-69", "CW-157")
def test_scatter_dice_lie_where_they_come_from_before_they_are_thrown(sitting: Any) -> None:
    state = position("wk hk h1, bk ok h8, w1 hr c1, b1 op c8, w9 hq a1, storm w9", phase="shooting")
    table = sitting(state)
    table.act("white", "bombard", unit="w1", square="c8")
    groups = [(english(group.of), len(group.dice)) for group in drawn(table).groups]
    assert groups == [("it sees the square", 2), ("storm: one for every 2 of 7 squares", 3)]


@pytest.mark.clause("CW-96", "CW-114")
@pytest.mark.parametrize(
    ("foe", "dice", "fallen"),
    [("op", (6,), ("b1", "gone")), ("or", (5, 1), ("b1", "down")), ("op", (1, 1), ("w1", "gone"))],
)
def test_whoever_falls_is_marked_where_he_is_drawn(
    foe: str, dice: tuple[int, ...], fallen: tuple[str, str], sitting: Any
) -> None:
    table = sitting(position(f"{KINGS}, w1 hp d4, b1 {foe} d5, w1>b1", phase="combat"))
    table.act("white", "attack", unit="w1", target="b1")
    for face in dice:
        asked = next(waited.seat for waited in table.seen(SCREEN).waiting)
        table.answer(asked, faces=[face])
    (met,) = drawn(table).met
    assert met.against is not None
    assert [(one.one.id, one.fate) for one in (met.by, met.against) if one.fate] == [fallen]


@pytest.mark.clause("CW-126")
def test_nobody_learns_from_a_clash_who_never_wants_to_be_asked() -> None:
    state = position(f"{KINGS}, {MELEE}, b2 uq e6", phase="combat")
    silent = after(state, Answering("never"), seat="black")
    attack = Attack("w1", "b1")
    assert the_clash(silent, attack) == the_clash(state, attack, heal_b1="no", raise_b1="no")
    state = position(f"{KINGS}, w1 hq c3, b1 op c5, b2 oq e6", phase="shooting")
    silent = after(state, Answering("never"), seat="black")
    zap = Cast("w1", "zap", "b1")
    assert the_clash(silent, zap) == the_clash(state, zap, counter_w1="no")


def test_where_nobody_reads_no_clash_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a clash was worked out")

    monkeypatch.setattr("companion.games.chesswar.clashes.combatant", fail)
    for state, action, *_ in MEETINGS.values():
        assert CHESSWAR.foresee(state, acting(state), action)

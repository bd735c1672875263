"""ChessWar's lookups: rulings from typed-in facts, with odds that equal the printed tables worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from companion.games.chesswar.armies import TYPES, WEAPONS, UnitType
from companion.games.chesswar.facts import (
    BowFacts,
    ChargeFacts,
    CounterFacts,
    MeleeFacts,
    RegenerationFacts,
    SaveFacts,
    SpellFacts,
    StrikeFacts,
    ThrowFacts,
    ZapFacts,
)
from companion.games.chesswar.game import GAME
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import speak
from companion.web.quick.lookups import consult
from tests.support.sizes import some

SIXTH = Fraction(1, 6)


def ruled(slug: str, facts: Any, *dice: int) -> Ruling[Any]:
    """Rule on facts as the page and the API do, with dice typed in; neither too few nor too many."""
    said = consult(GAME.lookups[slug], facts, {}, dice, "refuse")
    assert said.ruling is not None
    return said.ruling


def charts(slug: str, facts: Any) -> dict[str, dict[str, Fraction]]:
    work_out = GAME.lookups[slug].charts
    assert work_out is not None
    return {
        speak(chart.title, str): {speak(bar.label, str): bar.chance for bar in chart.bars} for chart in work_out(facts)
    }


def fails(need: int) -> Fraction:
    """The chance that a saving roll fails (section 2.7): a 1 always does."""
    return Fraction(min(6, max(2, need) - 1), 6)


# Melee


def lines(attacker: UnitType, defender: UnitType, bonus: int) -> tuple[Fraction, Fraction]:
    """The chances that the defender and the attacker fall, by table 2.4 as it is printed."""
    beaten = lost = Fraction(0)
    for die in range(1, 7):
        total = die + attacker.combat + bonus - defender.combat
        line = 6 if die == 6 else max(1, min(6, total))
        if line == 6 and defender.dreadful and not attacker.brave:
            line = 5
        save = fails(defender.save)
        match line:
            case 6:
                beaten += SIXTH
            case 5:
                beaten += SIXTH * (save if defender.brave else 1 - (1 - save) ** 2)
            case 4:
                beaten += SIXTH * save
            case 1 if not attacker.dreadful or defender.brave:
                lost += SIXTH * fails(attacker.save)
    return beaten, lost


@pytest.mark.clause("CW-85", "CW-86", "CW-87", "CW-88", "CW-89", "CW-90", "CW-91", "CW-92", "CW-93", "CW-94", "CW-95")
@pytest.mark.clause("CW-05", "CW-107", "CW-108", "CW-109")
@pytest.mark.parametrize("attacker", some(TYPES, every=3))
def test_melee_equals_the_printed_table_for_every_pair(attacker: str) -> None:
    for defender, charged in product(TYPES, (False, True)):
        one, other = TYPES[attacker], TYPES[defender]
        facts = MeleeFacts(attacker=attacker, defender=defender, charged=charged)
        found = next(iter(charts("melee", facts).values()))
        beaten, lost = lines(one, other, int(charged and "aggressive" in one.traits))
        assert list(found.values()) == [beaten, lost, 1 - beaten - lost], defender


@pytest.mark.clause("CW-111", "CW-112", "CW-140")
def test_melee_with_the_plague() -> None:
    facts = MeleeFacts(attacker="human_knights", defender="chaos_beastmen")
    beaten, lost = lines(TYPES["human_knights"], TYPES["chaos_beastmen"], 0)
    whole = charts("melee", facts)["The attack, with the plague"]
    assert whole == {
        "Nobody falls": 1 - beaten - lost,
        "Destroyed: chaos_beastmen (defender)": beaten * Fraction(5, 6),
        "Destroyed: human_knights (attacker), chaos_beastmen (defender)": beaten * SIXTH,
        "Destroyed: human_knights (attacker)": lost,
    }
    assert list(charts("melee", MeleeFacts(attacker="orc_trolls", defender="chaos_beastmen"))) == [
        "The whole attack, dice and saves"
    ]
    for under in ("protection", "contagion"):
        immune = MeleeFacts(attacker="human_knights", defender="chaos_beastmen", attacker_under=(under,))
        assert list(charts("melee", immune)) == ["The whole attack, dice and saves"]
    spread = MeleeFacts(attacker="human_knights", defender="orc_infantry", defender_under=("contagion",))
    assert "The attack, with the plague" in charts("melee", spread)


@pytest.mark.clause("CW-152", "CW-153", "CW-171", "CW-174")
def test_what_changes_a_melee() -> None:
    plain = MeleeFacts(attacker="human_knights", defender="orc_infantry", charged=True)
    before = outcome(plain)
    assert outcome(change(plain, forest=True)) == outcome(change(plain, charged=False)) != before
    # A dreadful defender: a thrown 5 and 6 (totals 6 and 7) are read as 5, two saves on 3+.
    held = before[0] - 2 * SIXTH * (1 - Fraction(5, 9))
    assert outcome(change(plain, defender_under=("fear",)))[0] == held
    assert outcome(change(plain, attacker_under=("leaderless",)))[0] == held
    assert outcome(change(plain, attacker_under=("protection",), defender_under=("fear",)))[0] == before[0]
    # A dreadful attacker shrugs off a 1, which asks for no save.
    assert outcome(change(plain, charged=False, attacker_under=("fear",)))[1] == 0
    # Protected defenders are brave and save on 2+: 5 and 6 make 6 or more, 4 makes 5, 3 makes 4.
    assert outcome(change(plain, defender_under=("protection",)))[0] == SIXTH * (1 + 1 + SIXTH + SIXTH)


def outcome(facts: MeleeFacts) -> tuple[Fraction, Fraction]:
    beaten, lost, _ = next(iter(charts("melee", facts).values())).values()
    return beaten, lost


def change(facts: MeleeFacts, **changes: Any) -> MeleeFacts:
    return MeleeFacts(**{name: getattr(facts, name) for name in facts.__struct_fields__} | changes)


@pytest.mark.clause("CW-85", "CW-89", "CW-107")
def test_a_melee_is_ruled_on() -> None:
    ruling = ruled("melee", MeleeFacts(charged=True), 4, 3, 2)
    assert (ruling.outcome.total, ruling.outcome.line, ruling.outcome.destroyed) == (5, 5, ("defender",))
    assert speak(ruling.headline, str) == "Destroyed: orc_infantry (defender)"
    assert speak(ruled("melee", MeleeFacts(), 3).headline, str) == "The melee goes on"
    with pytest.raises(Refusal):
        ruled("melee", MeleeFacts(), 3, 3)


# Charges


@pytest.mark.clause("CW-40", "CW-108", "CW-109", "CW-110", "CW-152", "CW-153", "CW-159", "CW-174")
def test_a_charge() -> None:
    daring = {"It charges": Fraction(1, 2), "It stays where it is": Fraction(1, 2)}
    sure = {"It charges": Fraction(1), "It stays where it is": Fraction(0)}
    assert charts("charge", ChargeFacts())["The charge"] == daring
    assert charts("charge", ChargeFacts(unit_under=("flying",)))["The charge"] == sure
    assert charts("charge", ChargeFacts(unit_under=("protection",)))["The charge"] == sure
    assert charts("charge", ChargeFacts(target="orc_infantry"))["The charge"] == sure
    assert charts("charge", ChargeFacts(target="orc_infantry", target_under=("fear",)))["The charge"] == daring
    assert charts("charge", ChargeFacts(target="orc_infantry", unit_under=("leaderless",)))["The charge"] == daring
    assert (ruled("charge", ChargeFacts(), 4).outcome.engaged, ruled("charge", ChargeFacts(), 3).outcome.engaged) == (
        True,
        False,
    )
    assert ruled("charge", ChargeFacts(target="orc_infantry")).outcome.needed is None


# Shots


def chance(need: int) -> Fraction:
    """The chance of a die that needs a face, which may be beyond what a die has."""
    return Fraction(max(0, min(6, 7 - need)), 6)


@pytest.mark.clause(
    "CW-55", "CW-56", "CW-57", "CW-58", "CW-59", "CW-60", "CW-61", "CW-64", "CW-110", "CW-156", "CW-170"
)
def test_bows_equal_the_modifiers_by_hand() -> None:
    for name in ("elf_archers", "elf_elite_archers", "undead_archers", "dwarf_crossbowmen"):
        kind = TYPES[name]
        reach = {"bows": 4, "longbows": 5, "crossbows": 4}[kind.weapon or ""]
        for distance, moved, direct, storm, target, forest in product(
            range(1, 7), (False, True), (False, True), (False, True), ("orc_infantry", "undead_zombies"), (False, True)
        ):
            facts = BowFacts(
                unit=name, distance=distance, moved=moved, direct=direct, storm=storm, target=target, forest=forest
            )
            if distance > reach or (kind.weapon == "crossbows" and (moved or not direct)):
                with pytest.raises(Refusal) as refused:
                    charts("bow", facts)
                assert refused.value.clause in {"CW-55", "CW-63", "CW-64"}
                continue
            need = kind.skill + moved + 2 * (not direct) + (distance if storm else distance >= 3)
            falls = fails(TYPES[target].save - forest - (target == "undead_zombies"))
            found = charts("bow", facts)
            assert found["The shot"]["It hits"] == chance(need)
            assert found["Who falls"]["Nobody falls"] == 1 - chance(need) * falls


@pytest.mark.clause("CW-52", "CW-62", "CW-111", "CW-113", "CW-177")
def test_a_shot_into_a_melee() -> None:
    facts = BowFacts(unit="chaos_archers", target="human_knights", melee_with="chaos_beastmen")
    ruling = ruled("bow", facts, 4, 3, 4, 3, 1)  # example CW-E06
    assert ruling.outcome.destroyed == ("target", "opponent")
    target, opponent = Fraction(1, 3), Fraction(1, 2)
    third = Fraction(1, 3)
    whole = charts("bow", facts)["Who falls"]
    hit = Fraction(2, 3)
    assert whole["Nobody falls"] == 1 - hit * (
        third * target + third * (1 - (1 - target) * (1 - opponent)) + third * opponent
    )
    assert whole["Destroyed: human_knights (target), chaos_beastmen (opponent)"] == hit * (
        third * target * opponent + third * opponent * (1 - target) * SIXTH + third * opponent * SIXTH
    )
    with pytest.raises(Refusal) as refused:
        charts("bow", BowFacts(leaderless=True, direct=False))
    assert (refused.value.clause, refused.value.field) == ("CW-177", "direct")


@pytest.mark.clause("CW-66", "CW-69", "CW-71", "CW-74", "CW-157", "CW-158")
@pytest.mark.parametrize("edge", ["south", "north"])
def test_where_a_catapult_hits(edge: Any) -> None:
    way = 1 if edge == "south" else -1
    shifts = {1: (0, way), 2: (way, 0), 3: (0, -way), 4: (-way, 0), 5: (0, 0), 6: (0, 0)}
    for direct, storm, dice in ((True, False, 2), (False, False, 3), (True, True, 4)):
        facts = ThrowFacts(edge=edge, start="c3", square="c7", direct=direct, storm=storm, target="none")
        found: dict[str | None, Fraction] = {}
        for faces in product(range(1, 7), repeat=dice):
            file = 2 + sum(shifts[face][0] for face in faces)
            rank = 7 + sum(shifts[face][1] for face in faces)
            there = f"{'abcdefgh'[file]}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else None
            found[there] = found.get(there, Fraction(0)) + Fraction(1, 6**dice)
        work_out = GAME.lookups["catapult"].charts
        assert work_out is not None
        (chart,) = work_out(facts)
        assert {bar.place: bar.chance for bar in chart.bars} == found
        assert chart.map is not None
        assert chart.map.turned is (edge == "north")
    with pytest.raises(Refusal) as refused:
        charts("catapult", ThrowFacts(start="c3", square="d4"))
    assert (refused.value.clause, refused.value.field) == ("CW-66", "square")


@pytest.mark.clause("CW-70", "CW-73", "CW-75", "CW-76", "CW-77", "CW-79", "CW-80", "CW-81")
def test_whom_a_catapult_strikes() -> None:
    landed = ruled("catapult", ThrowFacts(start="d1", square="d6"), 1, 3, 2)
    assert (landed.outcome.square, landed.outcome.destroyed) == ("d6", ("target",))
    assert ruled("catapult", ThrowFacts(start="d4", square="d6"), 3, 3).outcome.result == "own_square"
    # Both dice 5 or 6, or two that cancel: 8 of 36.
    hit = Fraction(8, 36)
    plain = charts("catapult", ThrowFacts())
    assert plain["Where it comes down"]["orc_infantry (target)"] == hit
    assert plain["How likely each unit is to fall"]["Destroyed: orc_infantry (target)"] == hit * Fraction(1, 3)
    terror = charts("catapult", ThrowFacts(unit="undead_catapults"))["How likely each unit is to fall"]
    assert terror["Destroyed: orc_infantry (target)"] == hit
    brave = charts("catapult", ThrowFacts(unit="undead_catapults", target="chaos_knights", forest=True))
    assert brave["How likely each unit is to fall"]["Destroyed: chaos_knights (target)"] == hit * SIXTH
    bomb = {"unit": "rat_plague_monks", "start": "d4", "melee_with": "human_knights"}
    both = charts("catapult", ThrowFacts(**bomb))["How likely each unit is to fall"]
    assert both == {  # one die, 5 or 6; the orcs save on 2+, and the knights too
        "Destroyed: orc_infantry (target)": Fraction(1, 3) * SIXTH,
        "Destroyed: human_knights (opponent)": Fraction(1, 3) * SIXTH,
    }
    immune = ThrowFacts(**bomb, target_under=("contagion",), opponent_under=("protection",))
    assert list(charts("catapult", immune)) == ["Where it comes down"]
    rocks = charts("catapult", ThrowFacts(unit="orc_trolls", start="d4", direct=False))
    assert rocks["Where it comes down"]["orc_infantry (target)"] == Fraction(1, 3)


# Spells


@pytest.mark.clause("CW-162", "CW-163", "CW-52")
def test_a_zap() -> None:
    assert charts("zap", ZapFacts())["Who falls"]["Nobody falls"] == Fraction(2, 3)
    assert charts("zap", ZapFacts(target="undead_zombies"))["Who falls"]["Nobody falls"] == Fraction(1, 2)
    assert charts("zap", ZapFacts(forest=True))["Who falls"]["Nobody falls"] == Fraction(5, 6)
    melee = charts("zap", ZapFacts(melee_with="human_infantry", target_under=("protection",)))["Who falls"]
    assert melee["Destroyed: human_infantry (opponent)"] == 2 * SIXTH * Fraction(5, 12) + 2 * SIXTH * Fraction(1, 2)
    assert ruled("zap", ZapFacts(melee_with="human_infantry"), 4, 2, 3).outcome.destroyed == ("target", "opponent")
    with pytest.raises(Refusal) as refused:
        ruled("zap", ZapFacts(distance=5), 3)
    assert (refused.value.clause, refused.value.field) == ("CW-162", "target")


@pytest.mark.clause("CW-150", "CW-08", "CW-153")
def test_a_strike() -> None:
    falls = {"human_knights": 4, "human_general": 3, "elf_archers": 6, "human_infantry": 5}
    for target, faces in falls.items():
        whole = charts("strike", StrikeFacts(target=target))
        assert sum(value for label, value in whole[next(iter(whole))].items() if "target" in label) == Fraction(
            faces, 6
        )
    protected = charts("strike", StrikeFacts(target_under=("protection",)))
    assert list(protected["Who falls"].values()) == [Fraction(1, 2), Fraction(1, 2)]
    assert ruled("strike", StrikeFacts(), 4).outcome.destroyed == ("target",)


@pytest.mark.clause("CW-06", "CW-07", "CW-79", "CW-110", "CW-111", "CW-150", "CW-153", "CW-170")
def test_saves_equal_the_arithmetic() -> None:
    ranged = {"bow", "shot", "bomb"}
    for name, against, protection, forest in product(
        TYPES, ("melee", "bow", "shot", "plague", "bomb", "strike", "dread"), (False, True), (False, True)
    ):
        kind, more = TYPES[name], {"plague": 1, "bomb": 1, "strike": -2}.get(against, 0)
        more += protection + (forest and against in ranged) + ("undead" in kind.traits and against == "bow")
        facts = SaveFacts(unit=name, against=against, protection=protection, forest=forest)
        assert charts("save", facts)["The saving roll"]["Not saved"] == fails(kind.save - more)
        (told,) = ruled("save", facts, 1).reasons
        if told.terms:
            assert told.value == max(2, kind.save - more) == sum(term.value or 0 for term in told.terms)
            assert (told.terms[-1].clause == "CW-07") == (kind.save - more < 2), "why it is more than its sum"
    assert speak(ruled("save", SaveFacts(), 4).headline, str) == "Saved"
    assert speak(ruled("save", SaveFacts(), 3).headline, str) == "Not saved"


@pytest.mark.clause("CW-124", "CW-126", "CW-127", "CW-128", "CW-129", "CW-131", "CW-149", "CW-152", "CW-155", "CW-159")
@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("raise_dead", ["CW-126", "CW-131"]),
        ("contagion", ["CW-127", "CW-129", "CW-140"]),
        ("healing", ["CW-126", "CW-145", "CW-145"]),
        ("counterspell", ["CW-126", "CW-141", "CW-141"]),
        ("dispel", ["CW-127", "CW-149"]),
        ("strike", ["CW-128", "CW-150"]),
        ("fear", ["CW-127", "CW-129", "CW-152"]),
        ("protection", ["CW-127", "CW-129", "CW-153"]),
        ("storm", ["CW-127", "CW-129", "CW-156"]),
        ("flight", ["CW-127", "CW-159"]),
        ("zap", ["CW-128", "CW-162"]),
    ],
)
def test_what_a_spell_does(name: Any, clauses: list[str]) -> None:
    ruling = ruled("spell", SpellFacts(spell=name))
    assert [reason.clause for reason in ruling.reasons] == clauses
    assert ruling.outcome.temporary is ("CW-129" in clauses)
    rolls = name in {"healing", "counterspell"}
    assert ruling.outcome.needed == (4 if rolls else None)
    even = {"It works": Fraction(1, 2), "It has no effect": Fraction(1, 2)}
    assert charts("spell", SpellFacts(spell=name)) == ({name: even} if rolls else {})


@pytest.mark.clause("CW-141", "CW-142", "CW-143", "CW-144", "CW-145")
def test_a_chain_of_counterspells() -> None:
    half = Fraction(1, 2)

    def stands(foes: int, friends: int) -> Fraction:
        """The chance that a spell that works is not dispersed, by foes and friends who counter in turn."""
        if not foes:
            return Fraction(1)
        # A Counterspell that fails leaves the next mage to try; one that works can be countered itself.
        return half * stands(foes - 1, friends) + half * countered(foes - 1, friends)

    def countered(foes: int, friends: int) -> Fraction:
        """The chance that the spell stands after a Counterspell against it has worked."""
        if not friends:
            return Fraction(0)
        # The friend's Counterspell fails: the next friend tries. It works: the foes may counter it.
        return half * countered(foes, friends - 1) + half * saved(foes, friends - 1)

    def saved(foes: int, friends: int) -> Fraction:
        """The chance that the spell stands after a friend's Counterspell has worked."""
        if not foes:
            return Fraction(1)
        return half * saved(foes - 1, friends) + half * lost(foes - 1, friends)

    def lost(foes: int, friends: int) -> Fraction:
        """The chance that the spell stands after a foe's Counterspell against a friend's has worked."""
        if not friends:
            return countered(foes, 0)
        return half * lost(foes, friends - 1) + half * saved(foes, friends - 1)

    for foes, friends in ((0, 0), (1, 0), (2, 0), (1, 1), (4, 0), (1, 2)):
        for spell, works in (("storm", Fraction(1)), ("healing", half), ("counterspell", half)):
            found = charts("counterspell", CounterFacts(spell=spell, against=foes, support=friends))
            assert found[spell]["It works"] == works * stands(foes, friends), (foes, friends)
    ruling = ruled("counterspell", CounterFacts(against=1, support=1), 4, 5, 4)
    assert ruling.outcome.works
    assert not ruled("counterspell", CounterFacts(against=1, support=1), 4, 5, 3).outcome.works
    assert not ruled("counterspell", CounterFacts(against=1, support=1), 3).outcome.works


@pytest.mark.clause("CW-115", "CW-116")
def test_regeneration() -> None:
    assert charts("regeneration", RegenerationFacts())["At the end of the turn"] == {
        "It stands up again": Fraction(2, 3),
        "It is removed": Fraction(1, 3),
    }
    assert ruled("regeneration", RegenerationFacts(), 3).outcome.stands
    assert not ruled("regeneration", RegenerationFacts(), 2).outcome.stands
    gone = ruled("regeneration", RegenerationFacts(entered=True))
    assert not gone.outcome.stands
    assert [reason.clause for reason in gone.reasons] == ["CW-115"]


def test_the_forms_offer_every_unit_that_can() -> None:
    archers = [name for name, kind in TYPES.items() if kind.weapon and WEAPONS[kind.weapon].bow]
    for name in archers:
        assert charts("bow", BowFacts(unit=name))
    for name in TYPES:
        assert charts("melee", MeleeFacts(attacker=name, defender=name))
        assert charts("charge", ChargeFacts(unit=name, target=name))

"""Rosters as files: whatever people write becomes a struct, or a sentence says where it does not; nothing by halves."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from companion.kit import rosters
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say, speak

MOST = 60_000
Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    pass


class Weapon(Strict, frozen=True, kw_only=True):
    name: Annotated[Name, rosters.ONCE]
    hit: Annotated[int, Meta(ge=1, le=10)]
    damage: Annotated[int, Meta(ge=1)] = 1
    flips: bool = False


class Gear(Strict, frozen=True, kw_only=True):
    slot: Annotated[str, Meta(pattern=r"^[a-z]{1,9}\Z", description="Small letters.")]
    cover: tuple[Annotated[int, Meta(ge=-9, le=9)], Annotated[int, Meta(ge=-9, le=9)]] = (0, 0)
    weapon: Weapon | None = None


class Unit(Strict, frozen=True, kw_only=True):
    name: Annotated[Name, rosters.ONCE]
    family: Literal["tank", "infantry", "aircraft"]
    count: Annotated[int, Meta(ge=0, le=99)] = 1
    loves: tuple[Literal["mud", "snow"], ...] = ()
    says: tuple[Annotated[str, Meta(max_length=20)], ...] = ()
    shift: int | None = None
    gear: tuple[Gear, ...] = ()
    weapon: Annotated[tuple[Weapon, ...], Meta(max_length=3)] = ()

    def __post_init__(self) -> None:
        if self.family == "aircraft" and not self.weapon:
            raise Refusal(say("An aircraft has a weapon."), "X-7")


class Quarters(Strict, frozen=True, kw_only=True):
    points: int = 10


class Roster(Strict, frozen=True, kw_only=True):
    name: Name
    kind: Literal["a", "b"] | None = msgspec.field(default=None, name="class")
    sample: bool = False
    unit: tuple[Unit, ...] = ()
    headquarters: Quarters | None = None


FULL = Roster(
    name='The "Rats", 7th; é',
    kind="b",
    sample=True,
    unit=(
        Unit(
            name="M4 Sherman",
            family="tank",
            count=3,
            loves=("mud", "snow"),
            says=("forward | march", "go, go"),
            shift=-4,
            gear=(Gear(slot="prone", cover=(1, -2)), Gear(slot="bazooka", weapon=Weapon(name="bazooka", hit=6))),
            weapon=(Weapon(name="gun", hit=5, damage=4, flips=True), Weapon(name="mg", hit=3)),
        ),
        Unit(name="Rifles", family="infantry"),
    ),
    headquarters=Quarters(points=12),
)

TOML = """
name = "Rats"
[[unit]]
name = "M4 Sherman"
family = "tank"
[[unit.weapon]]
name = "gun"
hit = 5
[[unit]]
name = "Rifles"
family = "infantry"
[headquarters]
points = 12
"""
TABLE = """record,name,family,hit,points,cover,slot
roster,Rats
unit,M4 Sherman,tank
weapon,gun,,5
unit,Rifles,infantry
headquarters,,,,12
"""
RATS = Roster(
    name="Rats",
    unit=(
        Unit(name="M4 Sherman", family="tank", weapon=(Weapon(name="gun", hit=5),)),
        Unit(name="Rifles", family="infantry"),
    ),
    headquarters=Quarters(points=12),
)


def refused(text: str, kind: type[msgspec.Struct] = Roster, most: int = MOST) -> str:
    with pytest.raises(Refusal) as wrong:
        rosters.read(text, kind, most=most, field="deck")
    assert wrong.value.field == "deck"
    return speak(wrong.value.text, lambda sentence: sentence)


def as_json(roster: msgspec.Struct) -> str:
    return msgspec.json.encode(roster).decode()


def parted(table: str, separator: str) -> str:
    """A table as a spreadsheet of another country writes it."""
    found = StringIO(newline="")
    csv.writer(found, delimiter=separator).writerows(csv.reader(StringIO(table, newline="")))
    return found.getvalue()


def test_the_same_roster_is_read_from_each_kind_of_file() -> None:
    assert rosters.read(TOML, Roster, most=MOST) == RATS
    assert rosters.read(TABLE, Roster, most=MOST) == RATS
    assert rosters.read(as_json(RATS), Roster, most=MOST) == RATS
    assert rosters.read(json.dumps(json.loads(as_json(RATS)), indent=2), Roster, most=MOST) == RATS


@pytest.mark.parametrize("text", [TOML, TABLE, as_json(RATS)], ids=["toml", "csv", "json"])
def test_marks_ends_of_lines_and_blanks_of_other_programs_change_nothing(text: str) -> None:
    spaced = "".join(f"{line}  \n" for line in text.splitlines())
    for other in (
        "\ufeff" + text,
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        spaced,
        "\n\n" + text + "\n\n",
    ):
        assert rosters.read(other, Roster, most=MOST) == RATS


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_a_spreadsheet_of_any_country_is_read(separator: str) -> None:
    assert rosters.read(parted(TABLE, separator), Roster, most=MOST) == RATS
    assert rosters.read(parted(rosters.write_table(FULL), separator), Roster, most=MOST) == FULL
    padded = "\n".join(line + separator * 3 for line in parted(TABLE, separator).splitlines())
    assert rosters.read(padded, Roster, most=MOST) == RATS


def test_what_is_written_reads_back_the_same() -> None:
    assert rosters.read(rosters.write(FULL), Roster, most=MOST) == FULL
    assert rosters.read(rosters.write_table(FULL), Roster, most=MOST) == FULL
    assert rosters.read(as_json(FULL), Roster, most=MOST) == FULL
    assert "cover = [1, -2]" in rosters.write(FULL)
    assert "count" not in rosters.write(RATS)


def test_a_row_belongs_to_the_last_record_that_can_hold_it() -> None:
    table = """record,name,family,hit,slot
roster,x
unit,a,tank
weapon,first,,1
gear,,,,big
weapon,second,,2
gear,,,,small
unit.weapon,third,,3
"""
    (unit,) = rosters.read(table, Roster, most=MOST).unit
    assert [weapon.name for weapon in unit.weapon] == ["first", "third"]
    assert [gear.weapon and gear.weapon.name for gear in unit.gear] == ["second", None]


@pytest.mark.parametrize(
    ("cell", "ticked"),
    [
        ("yes", True),
        ("SÍ", True),
        ("true", True),
        ("1", True),
        ("VERDADERO", True),
        ("no", False),
        ("0", False),
        ("False", False),
        ("", False),
    ],
)
def test_ticks_are_written_as_people_do(cell: str, ticked: bool) -> None:
    assert rosters.read(f"record,name,sample\nroster,x,{cell}", Roster, most=MOST).sample is ticked


@pytest.mark.parametrize("cell", ["+1/-2", "1/-2", "1|-2", " +1 / −2 "])
def test_pairs_are_written_as_people_do(cell: str) -> None:
    table = f"record,name,family,slot,cover\nroster,x\nunit,a,tank\ngear,,,big,{cell}"
    assert rosters.read(table, Roster, most=MOST).unit[0].gear[0].cover == (1, -2)


M4 = "unit 1 (“M4 Sherman”)"
HIT = f"{M4}, weapon 1 (“gun”), field “hit”: a whole number from 1 to 10."
MANY = "there may be several of these: [[{}]] in TOML, a list of objects in JSON."
ONE = "this is a record of its own: [headquarters] in TOML, an object in JSON."
UNREAD = "this cannot be read. Is a quotation mark, a bracket or a comma missing?"
UNIT = 'name = "x"\n[[unit]]\nname = "M4 Sherman"\nfamily = "tank"\n'
WEAPON = UNIT + '[[unit.weapon]]\nname = "gun"\n'
HEAD = "record,name,family,hit,flips,cover,slot,loves,points\nroster,x\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WEAPON + "hit = 11", HIT),
        (WEAPON + "hit = 5.0", HIT),
        (WEAPON + "hit = true", HIT),
        (WEAPON + "hit = nan", HIT),
        (WEAPON + "hit = 1979-05-27", HIT),
        (WEAPON, f"{M4}, weapon 1 (“gun”), field “hit”: this is needed."),
        (WEAPON + "hit = 5\ndamage = 0", f"{M4}, weapon 1 (“gun”), field “damage”: a whole number, 1 or more."),
        (WEAPON + "hit = 5\nflips = 1", f"{M4}, weapon 1 (“gun”), field “flips”: true or false."),
        (UNIT + "shift = 99999999999999999999", f"{M4}, field “shift”: a whole number."),
        (UNIT + "conut = 2", f"{M4}, field “conut”: there is no such field here. Did you mean “count”?"),
        (UNIT + "zzz = 2", f"{M4}, field “zzz”: there is no such field here."),
        (UNIT + 'loves = ["sun"]', f"{M4}, field “loves”: one of these: mud, snow."),
        (UNIT + "loves = 'mud'", f"{M4}, field “loves”: a list, such as [1, 1]."),
        (UNIT + "says = [1]", f"{M4}, field “says”: words, in quotation marks."),
        (UNIT + f"says = ['{'x' * 21}']", f"{M4}, field “says”: 20 letters at most."),
        (UNIT + '[[unit.gear]]\nslot = "A!"', f"{M4}, gear 1 (“A!”), field “slot”: Small letters."),
        (UNIT + "gear = [{slot = 'a', cover = [1]}]", f"{M4}, gear 1 (“a”), field “cover”: 2 values, such as [1, 1]."),
        (UNIT + "gear = [7]", f"{M4}, field “gear”: {MANY.format('gear')}"),
        (UNIT + "weapon = [{}, {}, {}, {}]", f"{M4}, field “weapon”: from 0 to 3 of these."),
        (
            WEAPON + "hit = 5\n[[unit.weapon]]\nname = 'GUN'\nhit = 4",
            f"{M4}, weapon 2 (“GUN”), field “name”: “GUN” stands in this list already.",
        ),
        (UNIT + "[[unit]]\nname = 'jet'\nfamily = 'aircraft'", "unit 2 (“jet”): An aircraft has a weapon."),
        ("name = 'x'\n[unit]\nname = 'y'", f"Field “unit”: {MANY.format('unit')}"),
        ("name = 'x'\n[[headquarters]]\n", f"Field “headquarters”: {ONE}"),
        ("name = 'x'\nsamples = true", "Field “samples”: there is no such field here. Did you mean “sample”?"),
        ("name = ''", "Field “name”: this is needed."),
        ("", "There is nothing here yet."),
        (" \n", "There is nothing here yet."),
        (";;;\n;;;\n", "There is nothing here yet."),
        ('""', "Line 1, column 3: " + UNREAD),
        ("name = 'x'\n\n[[unit]", f"Line 3, column 7: {UNREAD}"),
        ("name = 'x'\nname = 'y'", "Line 2: this was written before."),
        (
            '{"name": "x", "unit": [{"name": "a", "family": "tnk"}]}',
            "unit 1 (“a”), field “family”: one of these: tank, infantry, aircraft.",
        ),
        ('{"name": "x",\n "unit": [', f"Line 2, column 11: {UNREAD}"),
        ('{"name": "x", "name": "y"}', "“name” is written twice in one place."),
        ('{"name": NaN}', "There is a number or a date here that cannot be."),
        ('[{"name": "x"}]', "In JSON the whole has to be one object, between braces."),
        ('{"name": null}', "Field “name”: words, in quotation marks."),
        (HEAD + "unit,M4,tank\nweapon,gun,,11", "Row 4 (weapon “gun”), column “hit”: a whole number from 1 to 10."),
        (
            HEAD + "unit,M4,tank\n\n\nweapon,gun,,5.5",
            "Row 6 (weapon “gun”), column “hit”: a whole number from 1 to 10.",
        ),
        (HEAD + "unit,M4,tank\nweapon,gun,,,maybe", "Row 4 (weapon “gun”), column “hit”: this is needed."),
        (HEAD + "unit,M4,tank\nweapon,gun,,5,maybe", "Row 4 (weapon “gun”), column “flips”: true or false."),
        (HEAD + "unit,M4,tank,5", "Row 3 (unit “M4”), column “hit”: there is no such field here."),
        (HEAD + "unit,M4,tonk", "Row 3 (unit “M4”), column “family”: one of these: tank, infantry, aircraft."),
        (HEAD + "unit,M4,tank\nunit,m4,tank", "Row 4 (unit “m4”), column “name”: “m4” stands in this list already."),
        (HEAD + "unit,jet,aircraft", "Row 3 (unit “jet”): An aircraft has a weapon."),
        (HEAD + "unit,M4,tank\ngear,,,,,1,big", "Row 4 (gear “big”), column “cover”: 2 values, such as 1|1."),
        (HEAD + "weapon,gun,,5", "Row 3: a “weapon” has to stand below its “gear / unit”."),
        (HEAD + "tnak,gun,,5", "Row 3: there is no “tnak” in this kind of list."),
        (HEAD + "unt,gun,,5", "Row 3: there is no “unt” in this kind of list. Did you mean “unit”?"),
        (HEAD + ",gun,,5", "Row 3: the column “record” is empty: it says what the row is."),
        (HEAD + "headquarters\nheadquarters", "Row 4: there may be only one “headquarters” here."),
        (HEAD + "roster,y", "Row 3: there may be only one “roster” here."),
        (HEAD + "unit,M4,tank,,,,,,,7", "Row 3: there are more cells than columns."),
        (HEAD + 'unit,"M4,tank', "Row 3: there is a quotation mark missing or too many."),
        ("record,name,naem\nroster,x", "Row 1: there is no column “naem”. Did you mean “name”?"),
        ("record,name,name\nroster,x", "Row 1: the column “name” stands there twice."),
        ("name,family\nM4,tank", "Row 1: there is no column “record”, which says what each row is."),
        ("record,family\nunit,tank", "Row “roster”, column “name”: this is needed."),
        ("name = 'x'\0", "This is no text. A spreadsheet has to be saved as CSV."),
        ("PK\x03\x04…", "This is no text. A spreadsheet has to be saved as CSV."),
        ("x" * (MOST + 1), "This has more than 60000 letters."),
        ('{"name":' * 7000, "Too much stands inside one another here."),
        ("name = " + "[" * 50_000, "Too much stands inside one another here."),
        ("[" + "a." * 29_990 + "a]", "Too much stands inside one another here."),
        ("a." * 29_000 + "a = 1", "Too much stands inside one another here."),
        ('"a"."b" . ' * 5_000 + "a = 1", "Too much stands inside one another here."),
        ("name = " + "9" * 9_000, "There is a number or a date here that cannot be."),
        ('{"name": ' + "9" * 9_000 + "}", "There is a number or a date here that cannot be."),
        ('name = "a\\u0007b"', "Field “name”: there are letters here that cannot be shown."),
        ('{"name": "\\ud800"}', "Field “name”: there are letters here that cannot be shown."),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    assert refused(text) == said


def test_a_refusal_of_a_record_keeps_its_clause() -> None:
    with pytest.raises(Refusal) as wrong:
        rosters.read(HEAD + "unit,jet,aircraft", Roster, most=MOST)
    assert wrong.value.clause == "X-7"


def test_a_field_that_belongs_elsewhere_is_said_where_with_its_clause() -> None:
    class Depot(msgspec.Struct, frozen=True):
        elsewhere: ClassVar = {"points": Reason(say("only castles have that."), "X-9")}
        name: str

    for text, place in (
        ('name = "x"\npoints = 3', "Field “points”: only castles have that."),
        ('{"name": "x", "points": 3}', "Field “points”: only castles have that."),
    ):
        with pytest.raises(Refusal) as refused:
            rosters.read(text, Depot, most=MOST)
        assert (speak(refused.value.text, str), refused.value.clause) == (place, "X-9")
    with pytest.raises(Refusal) as refused:
        rosters.read('name = "x"\npoint = 3', Depot, most=MOST)
    assert refused.value.clause is None


def test_what_does_not_fit_together_in_a_struct_is_said_without_its_own_words() -> None:
    class Fussy(msgspec.Struct, frozen=True):
        count: int

        def __post_init__(self) -> None:
            raise ValueError("the depths of a library")

    assert refused("count = 1", Fussy) == "this does not fit together."


def test_words_are_tidied_and_lose_what_nobody_sees() -> None:
    assert (
        rosters.read('name = "  two\\n words\\u200b \\u202e👩\\u200d🚀"', Roster, most=MOST).name
        == "two words 👩\u200d🚀"
    )


def test_many_choices_are_not_all_listed() -> None:
    class Wide(msgspec.Struct, frozen=True):
        month: Literal["jan", "feb", "march", "april", "may", "june", "july", "aug", "sep", "oct", "nov", "dec", "all"]

    assert refused("month = 'apirl'", Wide) == ("Field “month”: that is not one of the choices. Did you mean “april”?")
    assert refused("month = 'xx'", Wide) == "Field “month”: that is not one of the choices."


def test_what_no_file_can_fill_is_found_when_the_struct_is_declared() -> None:
    class Odd(msgspec.Struct, frozen=True):
        share: float

    class Reserved(msgspec.Struct, frozen=True):
        record: int

    class Nothing(msgspec.Struct, frozen=True):
        count: int | None = 3

    for kind in (Odd, Reserved, Nothing):
        with pytest.raises(TypeError):
            rosters.read("", kind, most=MOST)


WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
WEAPONS = st.builds(Weapon, name=WORDS, hit=st.integers(1, 10), damage=st.integers(1, 2**40), flips=st.booleans())
SHIFTS = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
GEAR = st.builds(Gear, slot=st.from_regex(r"^[a-z]{1,9}\Z"), cover=SHIFTS, weapon=st.none() | WEAPONS)


def lists(kind: Any, most: int = 3) -> Any:
    """Lists of records none of which is called like another."""
    return st.lists(kind, max_size=most, unique_by=lambda one: one.name.casefold()).map(tuple)


UNITS = st.builds(
    Unit,
    name=WORDS,
    family=st.sampled_from(["tank", "infantry"]),
    count=st.integers(0, 99),
    loves=st.lists(st.sampled_from(["mud", "snow"])).map(tuple),
    says=st.lists(WORDS, max_size=3).map(tuple),
    shift=st.none() | st.integers(-(2**50), 2**50),
    gear=st.lists(GEAR, max_size=3).map(tuple),
    weapon=lists(WEAPONS),
)
ROSTERS = st.builds(
    Roster,
    name=WORDS,
    kind=st.sampled_from(["a", "b", None]),
    sample=st.booleans(),
    unit=lists(UNITS),
    headquarters=st.none() | st.builds(Quarters, points=st.integers(-99, 99)),
)


@given(ROSTERS)
@settings(deadline=None)
def test_every_roster_reads_back_from_each_kind_of_file(roster: Roster) -> None:
    for text in (rosters.write(roster), rosters.write_table(roster), as_json(roster)):
        assert rosters.read(text, Roster, most=10**6) == roster


FRAGMENTS = st.sampled_from(
    [*TOML.split("\n"), *TABLE.split("\n"), *"[]{}\"'=,;:\t\n\r#.|/\\", "[[unit]]", "record", "roster,", "null", "nan",
     "1e9999", "\ufeff", "\0", "\ud800", "'''", '"""', "{" * 2000, "[" * 2000, "9" * 5000, "a." * 40],
)  # fmt: skip
ANYTHING = (
    st.text()
    | st.lists(FRAGMENTS | st.text(max_size=3)).map("".join)
    | st.text(alphabet="record,;\t\n\"'=[]{}#|. 1a")
    | st.lists(FRAGMENTS).map("\n".join)
    | st.lists(FRAGMENTS).map(lambda found: "record,name\n" + "\n".join(found))
    | st.lists(FRAGMENTS).map(lambda found: "{" + "".join(found))
)


@given(ANYTHING)
@settings(max_examples=6 * settings.default.max_examples)
def test_any_text_is_a_roster_or_is_refused(text: str) -> None:
    try:
        found = rosters.read(text, Roster, most=MOST)
    except Refusal as wrong:
        speak(wrong.text, lambda sentence: sentence).encode()
    else:
        assert msgspec.json.decode(msgspec.json.encode(found), type=Roster) == found


@given(ROSTERS, st.data())
@settings(max_examples=3 * settings.default.max_examples // 2)
def test_a_damaged_file_is_refused_or_another_roster_whole(roster: Roster, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([rosters.write(roster), rosters.write_table(roster), as_json(roster)]))
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(FRAGMENTS) + text[at + data.draw(st.integers(0, 9)) :]
    try:
        found = rosters.read(damaged, Roster, most=10**6)
    except Refusal as wrong:
        speak(wrong.text, lambda sentence: sentence).encode()
    else:
        assert msgspec.convert(msgspec.to_builtins(found), Roster) == found

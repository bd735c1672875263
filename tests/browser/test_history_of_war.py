"""History of War in the browser: a whole game of two phones and a flag board, and what each of them never shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.history_of_war.cards import DECKS
from companion.games.history_of_war.pieces import SEATS
from tests.browser.gathering import gathered
from tests.browser.phones import WIDE, Sitting
from tests.browser.test_axe import is_usable
from tests.browser.test_tactics_2gm import card, now, says, see, submit, tab
from tests.support.sizes import some

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from playwright.sync_api import Locator

    from companion.kit.action import Field
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

KINDS = {card.name: kind for kind, card in DECKS["blue_sample"].numbered.items()}
"""Both sample decks have the same kinds of cards in the same order."""
CHOSEN = {"blue": "t0,t2", "red": "t1,t3"}
"""Which of their territories players choose where a test does not say others: in play they are t1, t2 and t3, t4."""


def field(table: Sitting, seat: str, path: str) -> Field:
    return next(one.field for one in table.tables.tracked(table.table, seat) if one.path == path)


def by_hand(table: Sitting, seat: str, path: str, value: str) -> None:
    """Let a player correct what only he may see."""
    table.tables.correct(table.table, seat, path, value, table.serving.key())


def hold(table: Sitting, seat: str, *names: str) -> None:
    """Let a player hold these cards."""
    path = f"cards.{seat}.hand"
    left = [option.value for option in field(table, seat, path).options]
    codes: list[str] = []
    for name in names:
        codes.append(next(one for one in left if one.startswith(f"{KINDS[name]}.") and one not in codes))
    by_hand(table, seat, path, ",".join(codes))


def bring(table: Sitting, seat: str, name: str, place: str = "") -> str:
    """Put a card into play, unlocked, out of the hand if it is there, and return its id."""
    path, there = f"cards.{seat}.enter", in_play(table)
    codes = [option.value for option in field(table, seat, path).options]
    by_hand(table, seat, path, next(one for one in codes if one.startswith(f"{KINDS[name]}.")))
    (entered,) = in_play(table) - there
    if place:
        table.correct(f"card.{entered}.place", place)
    return entered


def in_play(table: Sitting) -> set[str]:
    """Return the ids of the cards in play."""
    paths = (path for path in table.tracked() if path.startswith("card."))
    return {path.removeprefix("card.").removesuffix(".place") for path in paths if path.endswith(".place")}


def lying(phone: Phone, which: str) -> Locator:
    """Return a card in play, by its id."""
    return phone.at(f"[id='lying-{which}']")


def tap(phone: Phone, which: str, *parts: str) -> None:
    """Open a card in play, and tap what it is to do; then it folds up again."""
    lying(phone, which).locator("summary").first.click()
    lying(phone, which).locator("".join(f"[value*='{part}']" for part in parts)).click()
    expect(phone.at(f"[id='lying-{which}'][open]")).to_have_count(0)


def plan(phone: Phone, *parts: str) -> None:
    """Open what is looked at first."""
    phone.planned(*parts).first.click()
    expect(phone.at("#plan button.main")).to_be_visible()


def play(phone: Phone, name: str) -> None:
    """Pick a card of the hand, and do with it what stands beneath."""
    card(phone, name).first.click()
    phone.at(".card-ways .button:visible").first.click()


def done(phone: Phone, until: str = "phase") -> None:
    """Be content with the phase, or until needed."""
    tail = "[value*='until=needed']" if until == "needed" else ":not([value*=until])"
    phone.at(f"[value^='action=done']{tail}").click()


def zone(phone: Phone, name: str) -> Locator:
    return phone.at(".zone").filter(has=phone.page.locator(":is(h2, summary)", has_text=name))


def sit(served: Serving, dice: str = "app", **options: Any) -> Sitting:
    """Set a table at which both sit."""
    made = served.tables.create("history_of_war", "", options, {"rulekeeper": "Ruth"}, dice)
    taken = {seat: served.tables.join(made.table, seat, seat.capitalize()) for seat in SEATS}
    return Sitting(served, made.table, {**made.tokens, **taken})


def agreed(served: Serving, **options: Any) -> Sitting:
    """Set a table at which both have said that their sample decks are ready: territories are to be chosen."""
    table = sit(served, **options)
    for seat in SEATS:
        table.act(seat, "use_sample", sample=f"{seat}_sample")
        table.act(seat, "ready")
    return table


def begun(served: Serving, phase: str = "base_expansion", **options: Any) -> Sitting:
    """Set a table in the first round, Blue its attacker, nobody with a card in play."""
    table = agreed(served, **options)
    for seat in SEATS:
        table.answer(seat, value=CHOSEN[seat])
    for seat in SEATS:
        table.act(seat, "keep")
    for path, value in (("game.attacker", "blue"), ("game.phase", phase)):
        if table.tracked()[path] != value:
            table.correct(path, value)
    return table


def test_what_happened_does_not_say_the_phase_of_the_strip_again(served: Serving, phones: Phones) -> None:
    table = begun(served, "damage_2", step_by_step=True)
    ana, ben = phones("en").open(table.link("blue")), phones("es").open(table.link("red"))
    for seat in SEATS:
        table.act(seat, "done")
    for phone, phase, done in (
        (ana, "attacker's retreat", "Red: done with this phase"),
        (ben, "retirada del atacante", "Rojo: fase terminada"),
    ):
        expect(phone.at("#turn .about-turn")).to_have_text(phase)
        says(phone, done)


ALL_FITS = """
() => [document.documentElement, document.querySelector(".play")].every((one) => one.scrollHeight <= one.clientHeight)
"""


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_small_phone_on_its_side_does_not_scroll(served: Serving, phones: Phones, tongue: str) -> None:
    war, cities = begun(served, "construction"), served.sit().begin()
    for link, primary in ((war.link("blue"), "#dock .button.main"), (cities.link("white"), ".board .squares")):
        phone = phones(tongue, viewport={"width": 568, "height": 320}).open(link)
        expect(phone.at(primary)).to_be_visible()
        phone.drawn()
        assert phone.page.evaluate(ALL_FITS)
        for place in ("#turn .who", "#dock > .now", primary):
            expect(phone.at(place)).to_be_in_viewport(ratio=0.99)
        phone.save(f"side-{tongue}-{phone.at('.board').count()}")


@pytest.mark.long
def test_two_phones_play_from_the_link_to_victory(served: Serving, phones: Phones) -> None:
    ruth = phones("en").open(f"{served.address}/new/history_of_war")
    ruth.at("label[for='dice-typed']").click()
    table, ana, ben, screen = gathered(served, phones, ruth)

    prepare(ana, ben)
    expand(table, ana, ben, screen)
    heavy = build(table, ana, ben, screen)
    units = attack(table, ana, ben, heavy)
    strike(table, ana, ben, screen, units)
    fight_back(table, ana, ben)
    conquer(table, ana, ben, screen, units)
    win(ana, ben, units)
    expect(ana.at(".won h2")).to_contain_text("Gana Azul con 15 puntos de victoria")
    for phone in (ben, screen):
        expect(phone.at(".won h2")).to_contain_text("Blue wins with 15 victory points")
    ben.at("#dock a[href$='/report']").click()
    expect(ben.at(".report > li").last).to_contain_text("Blue wins with 15 victory points")


def prepare(ana: Phone, ben: Phone) -> None:
    """Take a deck each, choose two territories in secret, throw for the first attack, and look at the first hands."""
    for phone, seat in ((ana, "blue"), (ben, "red")):
        phone.do("action=use_sample", f"sample={seat}_sample").first.click()
        expect(phone.do("action=ready")).to_be_visible()
        phone.page.evaluate("window.scrollTo(0, 900)")
    ben.do("action=ready").click()
    expect(ben.at("#turn h2")).to_contain_text("Ana's turn")
    ben.do("action=ready", "on=").click()
    now(ben, "Your deck")
    ben.do("action=ready").click()
    expect(ben.at("#turn h2")).to_contain_text("Ana's turn")
    ana.do("action=ready").click()
    ana.asked.get_by_text("provincia costera y cuenca industrial", exact=False).click()
    ana.reads("Esperando a")
    ben.asked.get_by_text("river line and capital region", exact=False).click()
    ana.throw(2)
    says(ben, "Blue attacks first")
    for phone in (ana, ben):
        expect(phone.at(".hands > .hand .card-face")).to_have_count(8)
        expect(phone.at(".hands > .hand .card-face").first).to_be_in_viewport()
    ben.do("action=mulligan").click()
    expect(ben.at("#turn h2")).to_contain_text("Ana's turn")
    ana.do("action=keep").click()
    now(ana, "Pon en juego una ampliación de base")


def expand(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Put a base expansion down, think again, and be content."""
    hold(table, "blue", "steel_works", "destroyer")
    hold(table, "red", "power_plant", "destroyer")
    see(table, ana, ben)
    expect(ana.at("#dock [value^='action=done'].main")).to_have_count(0)
    play(ana, "acería")
    says(ben, "Blue: steelworks in the base area")
    expect(zone(screen, "Base area").first).to_contain_text("steelworks")
    now(ana, "Turno de Ben")
    done(ana)
    now(ana, "Tu ampliación de base está en juego")
    done(ana)
    done(ben, "needed")
    now(ben, "Lay face down what you build, then pay for it. You have 0 TA left")


def build(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> str:
    """Lay cards face down, take one back, pay, and put a development into a territory; return who may deploy then."""
    heavy = bring(table, "blue", "heavy_tank")
    bring(table, "blue", "rifle_company")
    for _ in range(2):
        bring(table, "blue", "steel_works")
    hold(table, "blue", "rifle_company", "veteran_crews", "sudden_storm", "bunker_line", "medium_tank")
    see(table, ana, ben)
    now(ana, "Te quedan 6 TA")
    play(ana, "compañía de fusileros")
    now(ana, "Te quedan 5 TA")
    laid = zone(ana, "Boca abajo")
    laid.locator("summary").click()
    laid.locator("[value*='action=take_up']").click()
    now(ana, "Te quedan 6 TA")
    for name, left in (("tanque medio", 3), ("línea de búnkeres", 1)):
        play(ana, name)
        now(ana, f"Te quedan {left} TA")
    play(ana, "tripulaciones veteranas")
    ana.at("#plan label").get_by_text("compañía de fusileros", exact=False).click()
    submit(ana)
    now(ana, "Te quedan 0 TA")
    for phone in (ben, screen):
        expect(phone.at(".face-down")).to_contain_text("3 cards face down")
    plan(ana, "action%3Dbuild")
    expect(ana.at("#plan :checked")).to_have_count(3)
    submit(ana)
    now(ana, "Turno de Ben")
    ben.do("action=build").click()
    says(ben, "The cards are turned up")
    now(ana, "Toca tus desarrollos")
    bunker = zone(ana, "Zona de Despliegue").locator(".lying", has_text="búnkeres")
    bunker.locator("summary").click()
    bunker.locator("[value*='to=t1']").click()
    says(ben, "line of bunkers: coastal province")
    now(ana, "Toca las unidades que van a un territorio")
    expect(zone(screen, "Coastal province")).to_contain_text("Locked: Blue 1.")
    return heavy


def attack(table: Sitting, ana: Phone, ben: Phone, heavy: str) -> dict[str, str]:
    """Deploy, play an action card, and declare who attacks: in two territories, and the enemy base."""
    units = {
        "heavy": heavy,
        "bomber": bring(table, "blue", "bomber_wing", "t2"),
        "motorised": bring(table, "blue", "motorised_company", "t2"),
        "rifle": bring(table, "red", "rifle_company", "t1"),
        "flak": bring(table, "red", "flak_battery", "t1"),
        "target": bring(table, "red", "motorised_company", "t2"),
        "other": bring(table, "red", "field_workshop", "t2"),
    }
    bring(table, "blue", "power_plant")
    see(table, ana, ben)
    now(ana, "Toca las unidades que van a un territorio")
    tap(ana, units["heavy"], "action=deploy", "to=t1")
    says(ben, "heavy tank → coastal province")
    play(ana, "tormenta repentina")
    submit(ana)
    says(ben, "Blue plays sudden storm. By hand: Unlock one of your units.")
    table.correct(f"card.{units['heavy']}.locked", "false")
    see(table, ana, ben)
    done(ben, "needed")
    done(ana)
    now(ana, "Toca las unidades que atacan")
    tap(ana, units["heavy"], "action=attack")
    tap(ana, units["motorised"], "action=attack")
    tap(ana, units["bomber"], "action=attack", "base=")
    expect(lying(ana, units["bomber"]).locator(".badges")).to_contain_text("ataca la base")
    done(ana)
    return units


def strike(table: Sitting, ana: Phone, ben: Phone, screen: Phone, units: dict[str, str]) -> None:
    """Block with two units, share out among them, aim, deal the damage, and answer."""
    now(ben, "Tap the units that block")
    for name in ("rifle", "flak"):
        tap(ben, units[name], "action=block", f"attacker={units['heavy']}")
    says(ana, "batería antiaérea bloquea a tanque pesado")
    done(ben)
    now(ana, "aplica el daño")
    expect(ana.at("#dock .advice")).to_contain_text("ala de bombarderos")
    tap(ana, units["bomber"], "action=aim", "target=hand")
    tap(ana, units["motorised"], "action=aim", f"target={units['target']}")
    expect(ana.at("#dock .advice")).to_have_count(0)
    lying(ana, units["heavy"]).locator("summary").first.click()
    lying(ana, units["heavy"]).locator("a[data-sheet]").click()
    for at, amount in ((1, "3"), (2, "3")):
        ana.at(f"#plan [name='f.to_{at}']").fill(amount)
    submit(ana)
    plan(ana, "action%3Dstrike")
    expect(ana.at("#plan")).to_contain_text("destruida")
    submit(ana)
    ben.reads("does it answer?")
    ben.asked.first.click()
    says(ben, "Destroyed: rifle company (Red), anti-aircraft battery (Red)")
    for name in ("motorised", "target"):
        expect(lying(screen, units[name])).to_contain_text("damage 2 of 3")


def fight_back(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Let the defender deploy and attack, and the attacker block: both lose a fighter wing."""
    tank, plane = bring(table, "red", "medium_tank"), bring(table, "red", "fighter_wing", "t2")
    block, home = bring(table, "blue", "fighter_wing", "t2"), bring(table, "blue", "rifle_company", "t3")
    see(table, ana, ben)
    done(ana, "needed")
    done(ben)
    now(ben, "Tap the units that move to a territory")
    expect(ana.at(".suffered")).to_have_count(0)
    tap(ben, tank, "action=deploy", "to=t4")
    done(ben)
    tap(ben, plane, "action=attack")
    done(ben)
    now(ana, "Toca las unidades que bloquean")
    tap(ana, block, "action=block", f"attacker={plane}")
    done(ana)
    plan(ben, "action%3Dstrike")
    submit(ben)
    says(ana, "Destruido: ala de cazas (Rojo), ala de cazas (Azul)")
    done(ben, "needed")
    done(ana)
    now(ana, "Toca las unidades que vuelven")
    tap(ana, home, "action=retreat")
    says(ben, "rifle company 2 retreats")


def conquer(table: Sitting, ana: Phone, ben: Phone, screen: Phone, units: dict[str, str]) -> None:
    """See on the flag board who conquers, and what would stop it; then occupy the territory."""
    bring(table, "blue", "medium_tank", "t1")
    table.correct("game.points.blue", "11")
    for name in ("fighter_wing", "field_workshop"):
        bring(table, "blue", name)
    hold(table, "blue", *["rifle_company"] * 4, *["power_plant"] * 4, "destroyer")
    see(table, ana, screen)
    coast = zone(screen, "Coastal province")
    expect(coast).to_contain_text("Blue conquers: ahead by 3")
    expect(coast).to_contain_text("Red: +1 stops it.")
    expect(coast.locator(".meter.is-decided")).to_have_count(1)
    expect(zone(screen, "Capital region")).to_contain_text("Locked: Red 3.")
    expect(screen.at(".meter.is-decided")).to_have_count(1)
    done(ana)
    now(ben, "Tap the units that go back to your deployment area")
    tap(ben, units["other"], "action=retreat")
    done(ben)
    done(ana, "needed")
    now(ana, "¡Conquistado!")
    now(ben, "Ana's turn")
    plan(ana, "action%3Doccupy")
    expect(ana.at("#plan :checked")).to_have_count(1)
    submit(ana)
    says(ben, "Blue conquers coastal province: 4 VP")
    expect(zone(screen, "Coastal province")).to_contain_text("4 VP")


def win(ana: Phone, ben: Phone, units: dict[str, str]) -> None:
    """Give up what is too much at the end of the round; fifteen victory points win."""
    now(ben, "Ana's turn")
    play(ana, "destructor")
    says(ben, "Blue: 1 card discarded")
    now(ana, "Toca lo que va al Chatarrero: 1 unidad")
    tap(ana, units["heavy"], "action=scrap")


def never(phone: Phone, *secrets: str) -> None:
    """What is secret stands nowhere on a page."""
    made = phone.page.content().casefold()
    assert [word for word in secrets if word in made] == []


def test_what_is_chosen_and_built_in_secret_is_seen_by_its_player_alone(served: Serving, phones: Phones) -> None:
    table = sit(served)
    for seat in SEATS:
        table.act(seat, "use_sample", sample=f"{seat}_sample")
    table.act("blue", "edit_unit", card="u9", name="Zeppelin", category="air", dv=3, ta_cost=6)
    for seat in SEATS:
        table.act(seat, "ready")
    ana, ben = phones("en").open(table.link("blue")), phones("en").open(table.link("red"))
    screen = phones("en", viewport=WIDE).open(table.link("screen"))
    ana.asked.get_by_text("coastal province and industrial basin", exact=False).click()
    ana.reads("Waiting for")
    see(table, ben, screen)
    never(screen, "province", "basin")
    expect(screen.at(".tableau")).to_have_count(0)
    table.answer("red", value=CHOSEN["red"])
    for seat in SEATS:
        table.act(seat, "keep")
    if table.tracked()["game.attacker"] != "blue":
        table.correct("game.attacker", "blue")
    by_hand(table, "blue", "cards.blue.hand", "u9.0,u0.0")
    for _ in range(3):
        bring(table, "blue", "steel_works")
    table.correct("game.phase", "construction")
    see(table, ana, ben, screen)
    expect(card(ana, "Zeppelin")).to_be_visible()
    for phone in (ben, screen):
        never(phone, "zeppelin")

    play(ana, "Zeppelin")
    expect(zone(ana, "Face down")).to_contain_text("Zeppelin")
    see(table, ben, screen)
    for phone in (ben, screen):
        expect(phone.at(".face-down")).to_contain_text("1 card face down")
        never(phone, "zeppelin")
    plan(ana, "action%3Dbuild")
    submit(ana)
    expect(ana.at("#turn")).to_contain_text("Red's turn")
    see(table, ben, screen)
    for phone in (ben, screen):
        never(phone, "zeppelin")
        expect(phone.at(".lying.is-spent")).to_have_count(0)
    for line in ("/log", "/corrections"):
        never(phones("en").open(table.link("red")).open(table.page("red", line)), "zeppelin")
    ben.do("action=build").click()
    for phone in (ben, screen):
        expect(phone.at(".lying-name").filter(has_text="zeppelin")).to_have_count(1)


def test_the_look_up_of_a_battle_asks_for_blockers_only_where_there_are_some(served: Serving, phones: Phones) -> None:
    phone = phones("en").open(f"{served.address}/quick/history_of_war/battle")

    def asks(*names: str) -> None:
        for name in ("dv_1", "dv_2", "dv_3", "share", "to_1", "target_dv", "answers"):
            shown = expect(phone.at(f"[data-when]:has([name='f.{name}']), [data-when]:has([name='{name}'])").first)
            shown.to_be_visible() if name in names else shown.to_be_hidden()

    asks("dv_1")
    for count, names in (
        ("2", ("dv_1", "dv_2", "share")),
        ("3", ("dv_1", "dv_2", "dv_3", "share")),
        ("0", ("target_dv", "answers")),
    ):
        phone.at(f"label[for$='blockers-{count}']").click()
        asks(*names)


ABOVE = """
(id) => {
  const ways = [...document.getElementById(id).querySelectorAll("button")].map((way) => way.getBoundingClientRect());
  const dock = document.getElementById("dock").getBoundingClientRect();
  return ways.every((way) => way.top >= 0 && way.bottom <= dock.top);
}
"""
"""Whether nothing lies over what a card may do."""


def test_what_a_card_may_do_is_seen_above_the_dock_and_folds_up_when_it_is_done(
    served: Serving, phones: Phones
) -> None:
    table = begun(served)
    units = [bring(table, "blue", "rifle_company") for _ in range(4)]
    bring(table, "blue", "steel_works")
    hold(table, "blue", "sudden_storm", "destroyer")
    table.correct("game.phase", "attacker_deployment")
    ana = phones("es").open(table.link("blue"))
    for unit in units[:2]:
        lying(ana, unit).locator("summary").first.click()
        ways = lying(ana, unit).locator("button")
        expect(ways).to_have_count(4)
        ana.page.wait_for_function(ABOVE, arg=f"lying-{unit}")
        ways.last.click()
        expect(ana.at("#board, .lying > [open]")).to_have_count(0)


@pytest.mark.long
def test_a_round_is_played_without_scripts(served: Serving, phones: Phones) -> None:
    table = begun(served)
    hold(table, "blue", "steel_works", "rifle_company")
    unit = bring(table, "blue", "medium_tank")
    ana = phones("es", scripts=False).open(table.link("blue"))
    play(ana, "acería")
    expect(zone(ana, "Área de la Base").last).to_contain_text("acería")
    table.act("red", "done")
    table.act("red", "build")
    ana.open(table.link("blue"))
    play(ana, "compañía de fusileros")
    ana.planned("action%3Dbuild").click()
    ana.at("form button.main").last.click()
    now(ana, "Toca las unidades que van a un territorio")
    lying(ana, unit).locator("summary").first.click()
    lying(ana, unit).locator("[value*='to=t1']").click()
    expect(zone(ana, "provincia costera")).to_contain_text("tanque medio")


def test_a_unit_deploys_by_keyboard_alone(served: Serving, phones: Phones) -> None:
    table = begun(served)
    unit = bring(table, "blue", "medium_tank")
    table.correct("game.phase", "attacker_deployment")
    ana, ben = phones("en").open(table.link("blue")), phones("en").open(table.link("red"))
    tab(ana, f"[id='lying-{unit}'] > summary")
    ana.page.keyboard.press("Enter")
    tab(ana, f"[id='lying-{unit}'] [value*='to=t2']")
    ana.page.keyboard.press("Enter")
    says(ben, "medium tank → industrial basin")
    expect(ana.dock).to_be_focused()


def at_the_deck(served: Serving, phone: Phone) -> None:
    table = sit(served)
    table.act("blue", "use_sample", sample="blue_sample")
    phone.open(table.link("blue"))


def at_the_territories(served: Serving, phone: Phone) -> None:
    phone.open(agreed(served).link("blue"))
    expect(phone.asked).to_have_count(6)


def at_the_first_hand(served: Serving, phone: Phone) -> None:
    table = agreed(served)
    for seat in SEATS:
        table.answer(seat, value=CHOSEN[seat])
    phone.open(table.link("blue"))
    expect(phone.at(".hand .card-face")).to_have_count(8)


def at_the_construction(served: Serving, phone: Phone) -> None:
    table = begun(served)
    hold(table, "blue", "rifle_company", "heavy_tank", "veteran_crews", "sudden_storm")
    for name in ("steel_works", "power_plant", "field_workshop"):
        bring(table, "blue", name)
    table.correct("game.phase", "construction")
    table.act("blue", "lay_down", card=f"{KINDS['rifle_company']}.0")
    phone.open(table.link("blue"))
    expect(phone.at("#state")).to_be_visible()


def fighting(served: Serving) -> tuple[Sitting, str]:
    """Set a table at which damage is dealt: Blue's heavy tank is blocked by two, and his bomber attacks the base."""
    table = begun(served)
    heavy, bomber = bring(table, "blue", "heavy_tank", "t1"), bring(table, "blue", "bomber_wing", "t2")
    foes = [bring(table, "red", name, "t1") for name in ("rifle_company", "flak_battery")]
    bring(table, "red", "power_plant")
    bring(table, "red", "bunker_line", "t4")
    table.correct("game.phase", "attacker_attack")
    table.act("blue", "attack", unit=heavy)
    table.act("blue", "attack", unit=bomber, base=True)
    table.act("blue", "done")
    for foe in foes:
        table.act("red", "block", unit=foe, attacker=heavy)
    table.act("red", "done")
    return table, heavy


def at_the_damage(served: Serving, phone: Phone) -> None:
    table, heavy = fighting(served)
    phone.open(table.link("blue"))
    lying(phone, heavy).locator("summary").first.click()
    lying(phone, heavy).locator("a[data-sheet]").click()
    expect(phone.at("#plan")).to_be_visible()


def at_the_conquest(served: Serving, phone: Phone) -> None:
    table = begun(served)
    for name in ("medium_tank", "rifle_company"):
        bring(table, "blue", name, "t1")
    table.correct("game.phase", "victory")
    phone.open(table.link("blue"))
    plan(phone, "action%3Doccupy")


def at_the_flag_board(served: Serving, phone: Phone) -> None:
    phone.open(fighting(served)[0].link("screen"))
    expect(phone.at(".contest")).to_have_count(4)


SCENES: dict[str, tuple[Callable[[Serving, Phone], None], dict[str, tuple[str, ...]]]] = {
    "deck": (at_the_deck, {"es": ("Cartas del Depósito", "Listo: este es mi mazo"), "en": ("Cards in the depot",)}),
    "territories": (at_the_territories, {"es": ("¿Qué dos territorios tuyos",), "en": ("Which two of your",)}),
    "hand": (at_the_first_hand, {"es": ("Quedarme con esta mano",), "en": ("Change the whole hand, once",)}),
    "construction": (at_the_construction, {"es": ("Boca abajo", "Te quedan 3 TA"), "en": ("You have 3 TA left",)}),
    "damage": (at_the_damage, {"es": ("Repartir entre varios",), "en": ("Share out",)}),
    "conquest": (at_the_conquest, {"es": ("Unidades que se quedan",), "en": ("Units that stay",)}),
    "flag-board": (at_the_flag_board, {"es": ("Rojo lleva ventaja: 1 de 6",), "en": ("Red leads by 1 of 6",)}),
}


@pytest.mark.sized
@pytest.mark.parametrize("tongue", ["es", pytest.param("en", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", some(SCENES, every=4))
def test_a_page_speaks_both_languages_and_everybody_can_use_it(
    served: Serving, phones: Phones, name: str, tongue: str
) -> None:
    scene, words = SCENES[name]
    phone = phones(tongue)
    scene(served, phone)
    is_usable(phone, f"history-{name}-{tongue}", words[tongue])

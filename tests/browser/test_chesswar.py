"""ChessWar in the browser: a whole game of two phones from the link to victory, and a battle on a real board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE, Sitting
from tests.browser.test_axe import is_usable
from tests.browser.test_board import go, label, middle, square
from tests.browser.test_filling import step
from tests.browser.test_screen import are_on_pages
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

HUMANS = {"queen": 2, "rook": 1, "bishop": 4, "knight": 3, "pawn": 2}
ORCS = {"queen": 1, "rook": 2, "bishop": 3, "knight": 2, "pawn": 4}


def begin_raising(phone: Phone, army: str) -> None:
    """Open the army list, and choose whose army it is."""
    phone.planned("action%3Draise_army").first.click()
    phone.at(f"#plan [name='f.army'][value='{army}'] + label").click()
    expect(phone.at(f"#plan [name='f.army'][value='{army}']")).to_be_checked()


def buy(phone: Phone, counts: dict[str, int]) -> None:
    for piece, count in counts.items():
        for _ in range(count):
            step(phone, piece)


def bought(phone: Phone) -> dict[str, int]:
    boxes = phone.at("#plan .steps input").all()
    return {(box.get_attribute("name") or "")[2:]: int(box.input_value()) for box in boxes}


def submit(phone: Phone) -> None:
    phone.at("#plan button.main").click()


def says(phone: Phone, words: str) -> None:
    """Wait for the newest ruling."""
    expect(phone.at("#last .headline")).to_have_text(words)


def way(phone: Phone, words: str) -> Locator:
    """Return a button beneath the unit that is picked."""
    return phone.at(".pick:checked + label + .targets .buttons").get_by_text(words, exact=True)


def charge(phone: Phone, unit: str, target: str) -> None:
    """Charge with the unit that has just moved: it stays picked."""
    expect(phone.at(f"#pick-{unit}")).to_be_checked()
    phone.do("action=charge", f"unit={unit}&", f"target={target}").click()


def aim(phone: Phone, unit: str, goal: str, words: str) -> None:
    """Tap a unit and what it is to do something to, look at the odds, and do it."""
    label(phone, unit).click()
    phone.at(f".reach a[href*='%26{goal}']:visible").click()
    expect(phone.at("#plan button.main")).to_have_text(words)
    submit(phone)


def answer(phone: Phone, value: str) -> None:
    phone.dock.locator(f"form[action$='/answer'] button[value='{value}']").click()


def drag(phone: Phone, unit: str, place: str) -> None:
    mouse = phone.page.mouse
    label(phone, unit).click()
    expect(square(phone, place)).to_be_visible()
    goal, start = middle(square(phone, place)), middle(label(phone, unit))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0], start[1] - 20)
    mouse.move(*goal)
    mouse.up()


@pytest.mark.long
def test_two_phones_play_from_the_link_to_victory(served: Serving, phones: Phones) -> None:
    ruth = phones("en").open(f"{served.address}/new/chesswar")
    ruth.at("label[for='dice-typed']").click()
    ruth.at("[name='race'][value='secret'] + label").click()
    ruth.at("label[for='seat-none']").click()
    ruth.at("form .button.main.big").click()
    address = ruth.at(".invite .address").inner_text().strip()
    table = Sitting(served, address.rpartition("/")[2], {})
    screen = phones("en", viewport={"width": 1280, "height": 800})
    ana, ben = phones("es"), phones("en")
    for phone, seat, name in ((ana, "white", "Ana"), (ben, "black", "Ben")):
        phone.open(address)
        phone.at("#name").fill(name)
        phone.at(f"button[name='seat'][value='{seat}']").click()
        expect(phone.at("#state")).to_be_visible()
    screen.open(table.link("screen"))
    everybody = (ana, ben, screen)

    raise_armies(ana, ben)
    deploy(table, ana, ben, screen)
    move(table, ana)
    cast_and_shoot(table, ana, ben)
    for phone in everybody:
        phone.sees(table.version())
    win(table, ana, ben)
    expect(ana.at(".won h2")).to_contain_text("Victoria de blancas")
    for phone in (ben, screen):
        expect(phone.at(".won h2")).to_contain_text("Victory for White")
    for phone in everybody:
        phone.save(f"chesswar-victory-{everybody.index(phone)}")
    ben.at("#dock a[href$='/report']").click()
    expect(ben.at(".report > li").last).to_contain_text("Victory")


def raise_armies(ana: Phone, ben: Phone) -> None:
    """Raise two armies in secret; one costs too much at first, and is kept on its phone at last."""
    begin_raising(ana, "humans")
    dear = HUMANS | {"knight": 4, "bishop": 3}
    buy(ana, dear)
    submit(ana)
    expect(ana.at("#plan .foot .wrong")).to_contain_text("Eso cuesta 20 puntos, y el ejército (Humanos) tiene 19.")
    ana.save("chesswar-too-dear")
    assert bought(ana) == dear
    step(ana, "knight", -1)
    expect(ana.at("#plan .wrong")).to_have_count(0)
    step(ana, "bishop")
    expect(ana.at("#plan output")).to_have_text("quedan 0 de 19 puntos")
    ana.at("#keeping summary").click()
    ana.at("#kept-name").fill("Los míos")
    ana.at("[data-keep]").click()
    expect(ana.at("[data-use]")).to_have_text("Los míos")
    ana.save("chesswar-army")
    submit(ana)
    expect(ana.at("#sheet")).to_be_hidden()
    begin_raising(ben, "orcs")
    buy(ben, ORCS)
    ben.save("chesswar-army-en")
    submit(ben)
    expect(ben.at("#sheet")).to_be_hidden()


def deploy(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Deploy behind the screen: nobody else sees anything; then the second player rearranges."""
    go(ana, "wk1", "e1")
    expect(ana.at("#board-words li").filter(has_text="General")).to_contain_text("e1")
    ana.save("chesswar-deploy")
    for phone in (ben, screen):
        phone.sees(table.version())
        assert "wk1" not in phone.page.content()
        expect(phone.at("#board [id^='at-w']")).to_have_count(0)
    ben.save("chesswar-deploy-en")
    screen.save("chesswar-deploy-screen")
    ana.do("action=ready").click()
    expect(ana.at("#turn h2")).to_contain_text("Turno de Ben")
    ana.save("chesswar-waiting")
    ben.do("action=ready").click()
    for phone in (ben, screen):
        says(phone, "The armies are seen: the first turn is for White")
        expect(phone.at("#at-wk1")).to_be_visible()
        expect(phone.at("#board [id^='at-w']")).to_have_count(13)
    go(ben, "bk1", "g8")
    expect(ben.at("#board-words li").filter(has_text="Warlord")).to_contain_text("g8")
    ben.save("chesswar-rearrange")
    ben.do("action=ready").click()
    says(screen, "Now it is White's turn")


def move(table: Sitting, ana: Phone) -> None:
    """Move one unit after the other, take one back, and charge."""
    says(ana, "Turno de blancas")
    go(ana, "wp1", "d4")
    go(ana, "wp2", "e4")
    go(ana, "wn1", "c5")
    says(ana, "Caballeros c3 → c5")
    drag(ana, "wn2", "h5")
    says(ana, "Caballeros f3 → h5")
    ana.save("chesswar-moved")
    label(ana, "wn1").click()
    ana.save("chesswar-picked")
    way(ana, "Volver a c3").click()
    says(ana, "Caballeros c5 → c3")
    table.correct("unit.br1.square", "d5")
    ana.sees(table.version())
    square(ana, "c4").click()
    says(ana, "Caballeros c3 → c4")
    table_at = table.tracked()
    assert [table_at[f"unit.{unit}.square"] for unit in ("wp1", "wp2", "wn1", "wn2")] == ["d4", "e4", "c4", "h5"]
    charge(ana, "wn1", "br1")
    says(ana, "Caballeros c4: carga contra Troles d5")
    ana.save("chesswar-charged")
    ana.do("action=end_phase").click()


def cast_and_shoot(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Counter a spell, strike friend and foe in a melee, heal who would die of the plague, and let a troll stand up."""
    says(ana, "Fase de disparo")
    aim(ana, "wq2", "target%3Dbp4", "¡Zap!")
    ben.reads("Mage f2 cast Zap on Orcs f6")
    ben.reads("Mage f2 cast Zap: Counterspell?")
    ben.save("chesswar-counter")
    answer(ben, "bq1")
    ben.throw(4)
    ana.reads("Contrahechizo de Chamán f7: ¿lanzas Contrahechizo?")
    ana.save("chesswar-counter-counter")
    answer(ana, "no")
    says(ben, "Mage f2 cast Zap: nobody fell")
    aim(ana, "wr1", "square%3Dd5", "Disparar")
    ana.throw(5, 6, 5)
    ana.throw(3)
    ben.reads("Catapults e2, shot at d5: 3 dice")
    ben.throw(2)
    ana.throw(5)
    ana.throw(1)
    ana.reads("¿Lanzas Curación?")
    ana.save("chesswar-heal")
    answer(ana, "wq1")
    ana.throw(4)
    says(ben, "Knocked over: Trolls d5")
    ben.save("chesswar-down")
    ana.save("chesswar-down-es")
    ana.do("action=end_phase").click()
    ben.reads("Trolls d5: 3 or more to stand up again")
    ben.throw(4)
    says(ben, "Now it is Black's turn")
    assert "knocked" not in ben.at("#board-words").inner_text()


def win(table: Sitting, ana: Phone, ben: Phone) -> None:
    """End a turn in which nothing can be done, charge the enemy's general, and destroy him."""
    ben.do("action=end_phase").click()
    says(ben, "Shooting phase")
    version = table.version()
    ben.do("action=end_phase").click()
    expect(ben.at("#state")).not_to_have_attribute("data-version", str(version))
    table.correct("unit.bk1.square", "a5")
    ana.sees(table.version())
    go(ana, "wn3", "b4")
    charge(ana, "wn3", "bk1")
    says(ana, "Caballeros b4: carga contra Señor de la guerra a5")
    ana.do("action=end_phase").click()
    says(ana, "Fase de disparo")
    ana.do("action=end_phase").click()
    says(ana, "Fase de combate")
    aim(ana, "wn3", "target%3Dbk1", "Atacar")
    ana.throw(6)


def set_up(served: Serving, dice: str = "app", **options: str) -> Sitting:
    """Set a table at which White's humans have the first turn against Black's orcs."""
    sitting = served.sit(dice, "chesswar", race="secret", **options)
    for side, army, counts in (("white", "humans", HUMANS), ("black", "orcs", ORCS)):
        sitting.act(side, "raise_army", army=army, **counts)
        sitting.act(side, "ready")
    sitting.act("black", "ready")
    return sitting


@pytest.mark.long
def test_on_a_real_board_players_tell_who_charges_whom_and_attack(served: Serving, phones: Phones) -> None:
    sitting = set_up(served, "typed", board="table")
    ana, ben = phones("es").open(sitting.link("white")), phones("en").open(sitting.link("black"))
    knights = ana.at(".roster li").filter(has_text="Caballeros").first
    knights.locator("a", has_text="Cargar").click()
    ana.at("#plan label").filter(has_text="Jinetes lupinos ×2").click()
    ana.save("chesswar-table-charge")
    submit(ana)
    says(ben, "Knights 1 (White) charged Wolf riders 1 (Black)")
    ana.do("action=end_phase").click()
    says(ana, "Fase de disparo")
    ana.save("chesswar-table-shoot")
    ana.do("action=end_phase").click()
    says(ana, "Fase de combate")
    knights.locator("button", has_text="Atacar").click()
    ana.throw(2)
    ben.throw(1)
    answer(ana, "stay")
    says(ben, "Destroyed: Wolf riders 1 (Black)")
    expect(ben.at(".roster li").filter(has_text="Wolf riders")).to_have_count(1)
    ana.save("chesswar-table-es")
    ben.save("chesswar-table")


def at_the_army(served: Serving, phone: Phone) -> None:
    sitting = served.sit("app", "chesswar", race="secret")
    begin_raising(phone.open(sitting.link("white")), "undead")
    expect(phone.at("#plan")).to_contain_text("Alzar muertos")


def at_the_choice(served: Serving, phone: Phone) -> None:
    phone.open(served.sit("app", "chesswar").link("white"))
    phone.planned("action%3Dchoose_army").click()
    expect(phone.at("#plan .described")).to_have_count(7)


def at_the_deployment(served: Serving, phone: Phone) -> None:
    sitting = served.sit("app", "chesswar", race="secret")
    sitting.act("black", "raise_army", army="orcs", **ORCS)
    phone.open(sitting.link("black"))
    label(phone, "bk1").click()
    expect(square(phone, "e8")).to_be_visible()


def at_the_movement(served: Serving, phone: Phone) -> None:
    sitting = set_up(served)
    sitting.correct("unit.br1.square", "c4")
    phone.open(sitting.link("white"))
    label(phone, "wn1").click()
    expect(phone.do("action=charge", "target=br1")).to_be_visible()


def at_the_odds(served: Serving, phone: Phone) -> None:
    sitting = set_up(served)
    sitting.act("white", "end_phase")
    phone.open(sitting.link("white"))
    label(phone, "wr1").click()
    phone.at(".reach a[href*='square%3De6']").click()
    expect(phone.at("#sheet .chart").first).to_be_visible()


def at_the_question(served: Serving, phone: Phone) -> None:
    sitting = set_up(served)
    sitting.correct("unit.bp1.square", "c4")
    sitting.correct("unit.wn1.square", "c5")
    sitting.act("white", "end_phase")
    sitting.act("white", "cast", unit="wq1", spell="zap", target="bp1")
    phone.open(sitting.link("black"))
    expect(phone.asked.first).to_be_visible()


SCENES = {
    "choice": (at_the_choice, ("Una horda inmensa", "18 puntos: Mago, Hombres-árbol", "Hoja de ayuda")),
    "army": (at_the_army, ("Nigromantes", "3 puntos por unidad")),
    "deployment": (at_the_deployment, ("Coloca tus unidades", "Orcos")),
    "movement": (at_the_movement, ("Mueve y carga con tus unidades", "Mueve 3, se salva con 3+", "Cargar")),
    "odds": (at_the_odds, ("Disparar: Catapultas e2", "Quién cae")),
    "question": (at_the_question, ("¿lanzas Contrahechizo?", "Ningún hechizo")),
}


@pytest.mark.sized
@pytest.mark.parametrize("name", some(SCENES, every=4))
def test_a_page_speaks_the_tongue_of_its_phone_and_everybody_can_use_it(
    served: Serving, phones: Phones, name: str
) -> None:
    scene, words = SCENES[name]
    phone = phones("es")
    scene(served, phone)
    is_usable(phone, f"chesswar-{name}", words)


def test_a_forest_lies_on_the_square_that_was_tapped(served: Serving, phones: Phones) -> None:
    table = served.sit(game="chesswar", race="secret", terrain=True)
    phone = phones("es").open(table.link("white"))
    phone.at("#dock label[for^='pick-free-']").first.click()
    rows = "getComputedStyle(document.querySelector('.overlay')).gridTemplateRows.split(' ').length"
    target = phone.at(".reach a[href*='f5']")
    expect(target).to_be_visible()
    assert phone.page.evaluate(rows) == 8
    board = phone.at(".squares").bounding_box()
    assert board is not None
    x, y = middle(target)
    assert (int((x - board["x"]) / board["width"] * 8), int((y - board["y"]) / board["height"] * 8)) == (5, 3)


def test_a_charge_does_not_look_like_a_move(served: Serving, phones: Phones) -> None:
    table = served.sit(game="chesswar", race="secret")
    table.act("white", "raise_army", army="humans", pawn=1)
    table.act("black", "raise_army", army="orcs", pawn=1)
    for seat in ("white", "black", "black"):
        table.act(seat, "ready")
    table.correct("unit.wp1.square", "d4")
    table.correct("unit.bp1.square", "d5")
    phone = phones("en").open(table.link("white"))
    label(phone, "wp1").click()
    expect(phone.do("action=charge", "unit=wp1&", "target=bp1")).to_have_class(re.compile("fight"))
    expect(phone.do("action=move", "unit=wp1&", "to=c3")).to_have_class(re.compile("go"))


def deployed(table: Sitting) -> Sitting:
    """Let two small armies stand deployed in the turn of White, who has a catapult."""
    table.act("white", "choose_army", army="dwarves")
    table.act("black", "choose_army", army="orcs")
    table.act("white", "raise_army", army="dwarves", rook=1, pawn=1)
    table.act("black", "raise_army", army="orcs", pawn=2)
    for seat in ("white", "black"):
        table.act(seat, "ready")
    for seat in table.tables.seen(table.table, "screen").view.to_move:
        table.act(seat, "ready")
    while "white" not in table.tables.seen(table.table, "screen").view.to_move:
        table.act("black", "end_phase")
    return table


def test_squares_of_a_catapult_that_hold_an_enemy_stand_out_from_the_empty_ones(
    served: Serving, phones: Phones
) -> None:
    table = deployed(served.sit(game="chesswar"))
    for unit, place in (("wr1", "d1"), ("wp1", "a8"), ("bp1", "d5"), ("bp2", "f5"), ("bk1", "h8")):
        table.correct(f"unit.{unit}.square", place)
    table.act("white", "end_phase")
    phone = phones("en").open(table.link("white"))
    label(phone, "wr1").click()
    rings = phone.at(".reach .fight")
    expect(rings.first).to_be_visible()
    loud = phone.at(".reach .fight:not(.bare)")
    assert sorted(loud.all_text_contents()) == [
        "Black: Orcs d5: 2 dice to scatter2",
        "Black: Orcs f5: 2 dice to scatter2",
        "Black: Warlord h8: 3 dice to scatter3",
    ]
    assert rings.count() > 30
    ring = "(one) => parseFloat(getComputedStyle(one, '::before').width)"
    assert phone.at(".reach .bare").first.evaluate(ring) < loud.first.evaluate(ring) / 3


def beside_its_own(served: Serving) -> Sitting:
    """Let a catapult of White's stand with an own unit and an enemy in its range."""
    table = deployed(served.sit(game="chesswar"))
    for unit, place in (("wr1", "d1"), ("wp1", "d5"), ("bp1", "f5"), ("bp2", "a8"), ("bk1", "h8")):
        table.correct(f"unit.{unit}.square", place)
    table.act("white", "end_phase")
    return table


def test_a_tap_on_an_own_piece_picks_it_and_a_shot_at_it_is_chosen_from_a_list(served: Serving, phones: Phones) -> None:
    table = beside_its_own(served)
    phone = phones("en").open(table.link("white"))
    label(phone, "wr1").click()
    expect(phone.at(".reach a[href*='square%3Df5']")).to_be_visible()
    expect(phone.at(".reach [href*='square%3Dd5']")).to_have_count(0)
    label(phone, "wp1").click()
    expect(phone.at("#pick-wp1")).to_be_checked()
    expect(phone.at("#sheet")).to_be_hidden()
    label(phone, "wr1").click()
    phone.at(".pick:checked + label + .targets .way.apart").click()
    expect(phone.at("#sheet h2")).to_have_text("Catapults d1 → Shoot: own side")
    phone.save("chesswar-own-side")
    phone.at("#sheet .choose a").filter(has_text="Your own infantry d5").click()
    expect(phone.at("#plan .settled")).to_have_text("Target square: Your own infantry d5 2 dice to scatter")
    phone.save("chesswar-own-plan")


def test_a_shot_at_ones_own_is_chosen_by_keys_and_without_scripts(served: Serving, phones: Phones) -> None:
    table = beside_its_own(served)
    phone = phones("es").open(table.link("white"))
    phone.at("#pick-wr1").focus()
    phone.page.keyboard.press("Space")
    phone.at(".pick:checked + label + .targets .way.apart").press("Enter")
    chosen = phone.at("#sheet .choose a").filter(has_text="Tu propia infantería d5")
    expect(chosen).to_be_visible()
    chosen.press("Enter")
    expect(phone.at("#plan .settled")).to_have_text("Casilla objetivo: Tu propia infantería d5 2 dados de dispersión")
    plain = phones("en", scripts=False).open(table.link("white"))
    label(plain, "wr1").click()
    plain.at(".pick:checked + label + .targets .way.apart").click()
    plain.at("#plan select").select_option(label="Your own infantry d5")
    plain.at("#plan [data-plan]").click()
    expect(plain.at("#plan .chart").first).to_be_visible()


def test_units_that_are_placed_change_places_when_one_is_dragged_to_the_other(served: Serving, phones: Phones) -> None:
    table = served.sit(game="chesswar", race="secret")
    table.act("white", "raise_army", army="dwarves", rook=1, pawn=1)
    table.act("white", "deploy", unit="wp1", to="c3")
    table.act("white", "deploy", unit="wr1", to="e3")
    phone = phones("en").open(table.link("white"))
    label(phone, "wp1").click()
    label(phone, "wr1").click()
    expect(phone.at("#pick-wr1")).to_be_checked()
    start, goal = middle(label(phone, "wr1")), middle(label(phone, "wp1"))
    phone.page.mouse.move(*start)
    phone.page.mouse.down()
    phone.page.mouse.move(start[0], start[1] - 20)
    phone.page.mouse.move(*goal)
    phone.page.mouse.up()
    expect(phone.at("#pick-wr1")).to_have_class(re.compile("f3 r6"))
    expect(phone.at("#pick-wp1")).to_have_class(re.compile("f5 r6"))


def test_the_way_to_a_unit_of_ones_own_says_that_the_two_change_places(served: Serving, phones: Phones) -> None:
    table = served.sit(game="chesswar", race="secret")
    table.act("white", "raise_army", army="dwarves", rook=1, pawn=1)
    table.act("white", "deploy", unit="wp1", to="c3")
    table.act("white", "deploy", unit="wr1", to="e3")
    ways = ".pick:checked + label + .targets .way"
    phone = phones("en").open(table.link("white"))
    label(phone, "wr1").click()
    expect(phone.at(ways)).to_have_text(["Place", "Swap places"])
    phone.at(f"{ways}.apart").click()
    phone.at("#sheet button").get_by_text("Infantry c3").click()
    expect(phone.at("#pick-wr1")).to_have_class(re.compile("f3 r6"))
    plain = phones("es", scripts=False).open(table.link("white"))
    label(plain, "wp1").click()
    expect(plain.at(ways)).to_have_text(["Colocar", "Cambiar de sitio"])
    plain.at(f"{ways}.apart").click()
    plain.at("#plan label").get_by_text("Catapultas c3").click()
    plain.at("#plan button").last.click()
    expect(plain.at("#pick-wp1")).to_have_class(re.compile("f3 r6"))


def test_a_question_leads_to_its_mage_on_a_large_board_and_back_again(served: Serving, phones: Phones) -> None:
    table = served.sit(game="chesswar", size=14)
    for seat, army in (("white", "humans"), ("black", "undead")):
        table.act(seat, "choose_army", army=army)
    for seat, army in (("white", "humans"), ("black", "undead")):
        table.act(seat, "raise_army", army=army, queen=1, pawn=1)
    for seat in ("white", "black", "black"):
        table.act(seat, "ready")
    for unit, place in (("wq1", "b2"), ("bp1", "b5"), ("bq1", "n14"), ("bk1", "n12")):
        table.correct(f"unit.{unit}.square", place)
    table.act("white", "end_phase")
    ben = phones("en").open(table.link("black"))
    where = "(view) => [view.scrollLeft, view.scrollTop]"
    view = ben.at("#board-view")
    view.evaluate("(view) => view.scrollTo(9999, 0)")
    before = view.evaluate(where)
    table.act("white", "cast", unit="wq1", spell="zap", target="bp1")
    expect(ben.asked.first).to_be_visible()
    assert view.evaluate(where) != before
    table.answer("black", value="no")
    ben.sees(table.version())
    assert view.evaluate(where) == before


@pytest.mark.parametrize("viewport", first(WIDE, {"width": 1920, "height": 1080}))
def test_twenty_units_of_each_side_are_seen_whole_on_the_shared_screen(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    screen = phones("es", viewport=viewport)
    screen.open(deployed(served.sit(game="chesswar", board="table")).link("screen"))
    does = screen.at(".units > li .does")
    expect(does.first).to_contain_text("se salva con")
    screen.page.evaluate("""
    () => {
      document.querySelectorAll(".units").forEach((list) => {
        while (list.children.length < 20) list.append(list.children[0].cloneNode(true));
      });
      dispatchEvent(new Event("resize"));
    }
    """)
    rows = screen.at(".units > li")
    expect(rows).to_have_count(40)
    are_on_pages(screen, ".pieces", rows)


def test_an_army_is_counted_on_the_smallest_phone(served: Serving, phones: Phones) -> None:
    sitting = served.sit(game="chesswar", race="secret")
    ana = phones("es", viewport={"width": 360, "height": 640}).open(sitting.link("white"))
    begin_raising(ana, "elves")
    for more in ana.at("#plan [data-step='1']").all():
        box = more.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360

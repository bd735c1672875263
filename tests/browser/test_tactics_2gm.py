"""2GM Tactics in the browser: a whole battle of two phones from the link to victory, and partners who act at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.cards import DECKS, TERRAIN
from companion.games.tactics_2gm.options import Options, seats
from companion.kit import rosters
from tests.browser.phones import WIDE, Sitting
from tests.browser.test_axe import is_usable
from tests.browser.test_board import go, label
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

CARDS = [card.name for card in DECKS["allies_sample"].cards]
"""Both sample decks have the same kinds of cards in the same order, the tank apart."""


HOUSE = str(next(at for at, one in enumerate(TERRAIN.terrain) if one.name == "house"))


def hand(table: Sitting, seat: str, *names: str) -> None:
    """Let a player hold these cards, as he may correct it himself."""
    field = next(one.field for one in table.tables.tracked(table.table, seat) if one.path == f"cards.{seat}.hand")
    left = [option.value for option in field.options]
    codes: list[str] = []
    for name in names:
        kind = f"{CARDS.index(name)}."
        codes.append(next(code for code in left if code.startswith(kind) and code not in codes))
    table.tables.correct(table.table, seat, f"cards.{seat}.hand", ",".join(codes), table.serving.key())


def see(table: Sitting, *phones: Phone) -> None:
    """Wait until phones show the table as it is when all that they sent was answered."""
    for phone in phones:
        phone.answered()
    for phone in phones:
        phone.sees(table.version())


def says(phone: Phone, words: str) -> None:
    """Wait for the newest ruling."""
    expect(phone.at("#last .headline")).to_have_text(words)


def now(phone: Phone, words: str) -> None:
    """Wait for what is to be done now, or for whose turn it is."""
    phone.reads(words)


def counted(phone: Phone, row: str) -> Locator:
    """Return what the tracker of AP and headquarters says in a line."""
    return phone.at("#tracker-points li").filter(has_text=row)


def card(phone: Phone, name: str) -> Locator:
    return phone.at(".hand .card").filter(has=phone.page.locator(".card-name", has_text=name))


def submit(phone: Phone) -> None:
    phone.at("#plan button.main").click()
    expect(phone.at("#sheet")).to_be_hidden()


def put(phone: Phone, name: str, square: str) -> None:
    """Deploy a card of the hand by two taps: on the card, and on one of the squares that light up."""
    card(phone, name).click()
    lit(phone, square).click()
    phone.answered()


def lit(phone: Phone, square: str) -> Locator:
    """Find what is done on a square by what is picked."""
    reach = ".pick:checked + label + .targets .reach"
    return phone.at(f"{reach} :is([href*='to%3D{square}'], [value*='to={square}'])")


def deploy(phone: Phone, name: str, square: str, *equipment: str) -> None:
    """Deploy a card of the hand: which, with what, and to which square of the board."""
    card(phone, name).click()
    for slot in equipment:
        phone.at(f".card-ways:visible .extra [value='{slot}'] + label").click()
    lit(phone, square).click()
    phone.answered()


def aim(phone: Phone, unit: str, target: str) -> None:
    """Pick a unit, and tap its target."""
    label(phone, unit).click()
    phone.at(f".pick:checked + label + .targets .reach [href*='target%3D{target}']").click()
    expect(phone.at("#sheet .chart").first).to_be_visible()


def fire(phone: Phone, unit: str, target: str, face: int) -> None:
    aim(phone, unit, target)
    submit(phone)
    phone.throw(face)


def end(phone: Phone, words: str) -> None:
    """End a phase, and see what is to be done then; what a picked unit says is closed before."""
    phone.answered()
    if (close := phone.at(".pick:checked + label + .targets .let-go")).is_visible():
        close.click()
    phone.do("action=end_phase").click()
    now(phone, words)


@pytest.mark.long
def test_two_phones_play_from_the_link_to_victory(served: Serving, phones: Phones) -> None:
    ruth = phones("en").open(f"{served.address}/new/tactics_2gm")
    ruth.at("label[for='dice-typed']").click()
    ruth.at("label[for='seat-none']").click()
    ruth.at("form .button.main.big").click()
    address = ruth.at(".invite .address").inner_text().strip()
    table = Sitting(served, address.rpartition("/")[2], {})
    screen, ana, ben = phones("en", viewport=WIDE), phones("es"), phones("en")
    for phone, seat, name in ((ana, "allies", "Ana"), (ben, "axis", "Ben")):
        phone.open(address)
        phone.at("#name").fill(name)
        phone.at(f"button[name='seat'][value='{seat}']").click()
        expect(phone.at("#state")).to_be_visible()
    screen.open(table.link("screen"))

    take_decks(ana, ben)
    bid(table, ana, ben, screen)
    lay_terrain(ana, ben)
    look_at_hands(table, ana, ben)
    first_turns(table, ana, ben)
    shoot(table, ana, ben)
    win(table, ana, ben)
    ana.reads("Aliados")
    for phone in (ben, screen):
        phone.reads("Victory for the Allies")
    ben.at("#dock a[href$='/report']").click()
    expect(ben.at(".report > li").last).to_contain_text("Victory")


def take_decks(ana: Phone, ben: Phone) -> None:
    """Take a sample deck each; nobody sees the other's."""
    for phone in (ana, ben):
        phone.do("action=use_sample").click()
        expect(phone.do("action=ready")).to_be_visible()
    expect(ana.at("#tracker-deck")).to_contain_text("M4 Sherman")
    expect(ben.at("#tracker-deck")).to_contain_text("Tiger")
    assert "M4 Sherman" not in ben.page.content()
    assert "Tiger" not in ana.page.content()
    ana.do("action=ready").click()
    says(ben, "Allies: ready")
    ben.do("action=ready").click()


def bid(table: Sitting, ana: Phone, ben: Phone, screen: Phone) -> None:
    """Bid in secret, throw for the start, and let the winner choose; then the board is in sight."""
    for phone in (ana, ben):
        phone.page.evaluate("window.scrollTo(0, 1500)")
    ana.asked.filter(has_text=re.compile("^3 PA")).click()
    ana.reads("Esperando a")
    see(table, ben, screen)
    for phone in (ben, screen):
        expect(phone.at("#newest")).to_contain_text("the deck is ready")
        assert "AP spent" not in phone.page.content()
    ben.asked.filter(has_text=re.compile("^1 AP")).click()
    expect(ben.recap).to_contain_text("Allies: 3 AP spent on the start")
    ana.throw(4)
    ben.throw(6)
    expect(ben.recap).to_contain_text("tie")
    ana.throw(7)
    ben.throw(8)
    ben.reads("Allies: the higher total")
    ana.asked.get_by_text("Aliados", exact=True).click()
    says(ben, "First turn: Allies")


def lay_terrain(ana: Phone, ben: Phone) -> None:
    """Buy terrain for the bid: one card for all of it, and nothing, with a warning."""
    now(ana, "quedan 3 puntos")
    for phone in (ana, ben):
        expect(phone.at("#at-hq_axis")).to_be_in_viewport()
        expect(phone.at("#at-hq_allies")).to_be_in_viewport()
    ana.at("#dock label[for^='pick-free-']").first.click()
    ana.at(".reach a[href*='d2']:visible").click()
    ana.at("#plan label").get_by_text("casa", exact=False).click()
    submit(ana)
    now(ana, "quedan 0 puntos")
    ana.do("action=ready").click()
    now(ben, "1 point left")
    ben.planned("action%3Dready").click()
    expect(ben.at("#plan")).to_contain_text("lost: 1")
    submit(ben)


def look_at_hands(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Change the first hand, once, or keep it; a hand is seen on its own phone alone."""
    for phone in (ana, ben):
        expect(phone.at(".hand")).to_be_visible()
    ana.do("action=mulligan").click()
    says(ben, "Allies: another first hand")
    expect(ana.do("action=mulligan")).to_have_count(0)
    hand(table, "allies", "heavy_infantry", "light_infantry", "veterans", "medic", "m4_sherman")
    see(table, ana, ben)
    expect(card(ana, "Sherman")).to_be_visible()
    assert "M4 Sherman" not in ben.page.content()
    ben.do("action=keep").click()
    says(ben, "The battle begins: Allies")


def first_turns(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Take AP, deploy with equipment, play a support card; then the enemy does."""
    now(ana, "recibe tus Puntos de Acción")
    expect(ana.do("action=income")).to_have_text("Recibir 3 PA y robar")
    ana.do("action=income").click()
    now(ana, "5 PA")
    hand(table, "allies", "heavy_infantry", "light_infantry", "veterans", "medic", "m4_sherman", "light_infantry")
    see(table, ana)
    expect(card(ana, "Sherman")).to_be_visible()
    deploy(ana, "infantería ligera", "e1", "prone")
    says(ben, "Allies: light infantry deployed")
    now(ana, "3 PA")
    expect(ana.at(".card.is-barred").filter(has_text="Sherman")).to_be_visible()
    card(ana, "Sherman").click()
    expect(ana.at(".card-does:visible b")).to_contain_text("PA")
    card(ana, "veteranos").click()
    ana.at(".pick:checked + label + .targets .reach [value*='unit=u']").click()
    says(ben, "Allies: veterans played")
    now(ana, "1 PA")
    put(ana, "infantería ligera", "d1")
    now(ana, "0 PA")
    end(ana, "Dispara")
    end(ana, "Turno de")
    says(ben, "The turn passes to the Axis")
    hand(table, "axis", "light_infantry", "light_infantry", "light_infantry")
    see(table, ben)
    ben.do("action=income").click()
    now(ben, "7 AP")
    for square in ("d6", "e6"):
        deploy(ben, "light infantry", square)
    end(ben, "'s turn")
    says(ana, "Turno: Aliados")


def shoot(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Take AP for a supply line, move by tapping the board, and fire: a miss, and a hit; then the enemy discards."""
    for unit, square in (("u4", "d4"), ("u5", "e3")):
        table.correct(f"unit.{unit}.square", square)
    see(table, ana)
    expect(ana.do("action=income")).to_have_text("Recibir 4 PA y robar")
    ana.do("action=income").click()
    now(ana, "Mueve tus unidades")
    go(ana, "u3", "d2")
    says(ben, "light infantry moves to d2")
    end(ana, "Despliega")
    end(ana, "Dispara")
    aim(ana, "u2", "u5")
    submit(ana)
    expect(ben.at("#state")).to_contain_text("Light infantry e1 at light infantry e3: 4 or more to hit")
    expect(ben.at(".tint-target")).to_have_count(1)
    ana.throw(2)
    expect(ben.at(".tint-target")).to_have_count(1)
    says(ben, "light infantry e3: no effect from light infantry")
    fire(ana, "u3", "u4", 5)
    says(ben, "light infantry d4: 1 wound from light infantry")
    end(ana, "Turno de")
    hand(table, "axis", *["light_infantry"] * 6)
    see(table, ben)
    ben.do("action=income").click()
    for words in ("Deploy", "Fire", "Discard 1 card"):
        end(ben, words)
    card(ben, "light infantry").first.click()
    ben.at(".card-ways .button:visible").first.click()
    says(ana, "Turno: Aliados")


def win(table: Sitting, ana: Phone, ben: Phone) -> None:
    """Live on a longer supply line, destroy a unit by a critical, and the enemy headquarters by the last shot."""
    table.correct("game.ap.allies", "0")
    see(table, ana)
    expect(ana.do("action=income")).to_have_text("Recibir 5 PA y robar")
    ana.do("action=income").click()
    end(ana, "Despliega")
    end(ana, "Dispara")
    table.correct("unit.u2.square", "e6")
    table.correct("hq.hq_axis.pi", "1")
    see(table, ana)
    fire(ana, "u3", "u4", 10)
    says(ben, "light infantry d4: destroyed by light infantry")
    expect(ben.at("#at-u4")).to_have_count(0)
    fire(ana, "u2", "hq_axis", 9)


def sit(served: Serving, dice: str = "app", **options: Any) -> Sitting:
    """Set a table at which everybody sits."""
    made = served.tables.create("tactics_2gm", "", options, {"rulekeeper": "Ruth"}, dice)
    taken: dict[str, str] = {
        seat: served.tables.join(made.table, seat, seat.capitalize()) for seat in seats(Options(**options))
    }
    return Sitting(served, made.table, {**made.tokens, **taken})


def dealt(served: Serving, dice: str = "app", **options: Any) -> Sitting:
    """Set a table at which all look at their first hands; either side has spent one AP on the start."""
    table = sit(served, dice, **options)
    playing = seats(Options(**options))
    leaders = [next(seat for seat in playing if seat.startswith(side)) for side in ("allies", "axis")]
    for seat in playing:
        table.act(seat, "use_sample", sample=f"{seat.partition('_')[0]}_sample")
    for seat in playing:
        table.act(seat, "ready")
    for seat in leaders:
        table.answer(seat, value="1")
    for seat, face in zip(leaders, (9, 2), strict=True):
        table.answer(seat, faces=[face])
    table.answer(leaders[0], value="allies")
    for seat in leaders:
        table.act(seat, "ready", phase="terrain")
    return table


def begun(served: Serving, dice: str = "app", **options: Any) -> Sitting:
    """Set a table at which the Allies have the first turn."""
    table = dealt(served, dice, **options)
    for seat in seats(Options(**options)):
        table.act(seat, "keep")
    return table


def test_a_card_lights_its_squares_up_and_a_tap_deploys_it_with_what_is_ticked(served: Serving, phones: Phones) -> None:
    table = begun(served, "typed")
    table.act("allies", "income")
    hand(table, "allies", "heavy_infantry", "light_infantry", "m4_sherman")
    ana = phones("en").open(table.link("allies"))
    card(ana, "heavy infantry").click()
    expect(ana.at(".reach button:visible")).to_have_count(8)
    expect(ana.at(".card-does:visible")).to_contain_text("Deploy heavy infantry: 2 AP. Tap a marked square.")
    for slot in ("hmg", "mortar"):
        ana.at(f".extra [value='{slot}'] + label:visible").click()
    lit(ana, "c1").click()
    expect(ana.at("#told")).to_contain_text("Infantry takes one offensive equipment at most. G2-93")
    expect(ana.at(".extra :checked")).to_have_count(2)
    ana.at(".extra [value='mortar'] + label:visible").click()
    lit(ana, "c1").click()
    says(ana, "Allies: heavy infantry deployed")
    now(ana, "4 AP")
    expect(ana.at("#newest, #last")).to_contain_text("with heavy machine gun")
    expect(ana.at(".pick-card:checked, .extra :checked, .reach")).to_have_count(0)

    card(ana, "light infantry").click()
    expect(ana.at(".reach button:visible")).to_have_count(7)
    card(ana, "light infantry").click()
    expect(ana.at(".reach")).to_have_count(0)
    card(ana, "light infantry").click()
    ana.at(".overlay[action$='/act']").click(position={"x": 170, "y": 100})
    expect(ana.at(".pick-card:checked, .reach")).to_have_count(0)
    card(ana, "light infantry").click()
    label(ana, "u1").click()
    expect(ana.at(".pick-card:checked")).to_have_count(0)
    expect(ana.at(".pick:checked")).to_have_attribute("id", "pick-u1")
    label(ana, "u1").click()
    table.correct("game.ap.allies", "5")
    see(table, ana)
    card(ana, "Sherman").click()
    ana.at(".extra [value='smoke_grenade'] + label:visible").click()
    ana.at(".card-ways:visible [data-pick]").click()
    expect(ana.at("#plan .settled")).to_contain_text("smoke grenade")
    ana.at("#sheet-close, #sheet .close").first.click()
    table.correct("game.ap.allies", "4")
    see(table, ana)
    expect(ana.at(".extra [value='smoke_grenade']").last).to_be_disabled()
    lit(ana, "d1").click()
    says(ana, "Allies: M4 Sherman deployed")


def test_two_phones_of_one_side_act_in_the_same_phase(served: Serving, phones: Phones) -> None:
    table = begun(served, "typed", players="four")
    ana, ben = phones("es").open(table.link("allies_1")), phones("en").open(table.link("allies_2"))
    axis = phones("en").open(table.link("axis_1"))
    ana.do("action=income").click()
    now(ana, "4 PA")
    now(ben, "3 AP")
    for seat in ("allies_1", "allies_2"):
        hand(table, seat, "light_infantry", "heavy_infantry")
    see(table, ana, ben)
    ana.do("action=cede").click()
    says(ben, "Allies 1: one AP for the general")
    now(ana, "3 PA")
    now(ben, "4 AP")
    expect(ana.do("action=cede")).to_have_count(0)

    card(ben, "heavy infantry").click()
    ben.at(".card-ways:visible .extra [value='hmg'] + label").click()
    deploy(ana, "infantería ligera", "d1")
    ben.settled(table.version)
    expect(ben.at(".extra [value='hmg']:checked")).to_have_count(1)
    lit(ben, "e1").click()
    says(ana, "Aliados 2: despliegue de infantería pesada")
    see(table, ana, ben, axis)
    for phone in (ana, ben, axis):
        expect(phone.at("#board .pick + label:not(.away)")).to_have_count(4)
    now(ana, "2 PA")
    now(ben, "1 AP")
    end(ana, "Turno de")
    now(ben, "1 AP")
    expect(axis.at(".play-head")).to_contain_text("Deployment")
    end(ben, "'s turn: ")
    expect(ana.at("#turn h2")).to_contain_text("Turno de Axis_1 y de Axis_2")


def test_a_deck_from_a_file_is_taken_or_says_what_is_wrong(served: Serving, phones: Phones) -> None:
    table = sit(served)
    ana = phones("en").open(table.link("allies"))
    good = rosters.write(DECKS["allies_sample"]).replace('name = "allies_sample"', 'name = "Ana\'s own"')
    assert "count = 12" in good

    def bring(text: str) -> None:
        ana.planned("action%3Dload_deck").first.click()
        ana.at("#plan input[type=file]").set_input_files(
            {"name": "deck.toml", "mimeType": "application/toml", "buffer": text.encode()}
        )
        expect(ana.at("#plan textarea")).to_have_value(text)
        ana.at("#plan button.main").click()

    bring(good.replace("hit = 5", "hit = 55", 1))
    expect(ana.at("#plan .wrong")).to_contain_text("weapon 1 (“rifle”), field “hit”: a whole number from 1 to 10.")
    ana.at("#sheet-close, #sheet .close").first.click()
    expect(ana.at("#tracker-deck")).to_contain_text("0 / 120")
    expect(ana.at("#tracker-deck")).not_to_contain_text("Sherman")
    bring(good)
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.at("#tracker-deck h2")).to_contain_text("Ana's own")
    points = ana.at("#tracker-deck li").first
    expect(points).to_contain_text("120 / 120")

    light = ana.at("#tracker-deck li").filter(has_text="light infantry").first
    light.get_by_text("−1", exact=True).click()
    expect(light).to_contain_text("× 11")
    expect(points).to_contain_text("119 / 120")
    ana.at("#tracker-deck details summary").first.click()
    ana.planned("action%3Dedit_support").first.click()
    ana.at("#plan [name='f.name']").fill("Radio van")
    submit(ana)
    expect(ana.at("#tracker-deck li").filter(has_text="Radio van")).to_contain_text("× 1")
    expect(points).to_contain_text("120 / 120")
    expect(ana.do("action=ready")).to_be_visible()


@pytest.mark.long
def test_on_a_real_table_people_tell_the_lines_and_the_distance(served: Serving, phones: Phones) -> None:
    table = begun(served, "typed", board="table", cards="real")
    ana, ben = phones("es").open(table.link("allies")), phones("en").open(table.link("axis"))
    for phone, name, slot, left in ((ana, "infantería pesada", "hmg", "4 PA"), (ben, "heavy infantry", "hmg", "4 AP")):
        expect(phone.at(".hand .card")).to_have_count(1)
        phone.do("action=income").click()
        expect(phone.at(".hand .card-name")).to_have_count(len(CARDS))
        card(phone, name).click()
        phone.at(".card-ways .button:visible").first.click()
        phone.at(f"#plan [name='f.equipment'][value='{slot}'] + label").click()
        submit(phone)
        now(phone, left)
        end(phone, "Dispara" if phone is ana else "Fire")
        phone.settled(table.version)
        phone.do("action=end_phase").click()
        phone.settled(table.version)
        see(table, ana, ben)

    ana.at("#dock label").get_by_text("Línea 1", exact=True).click()
    ana.at("#dock form:has([name='f.lines']) button.main").click()
    now(ana, "Mueve tus unidades en el campo de batalla")
    expect(counted(ana, "Aliados").filter(has_text="8 PA")).to_have_count(1)
    end(ana, "Despliega")
    end(ana, "Dispara")
    ana.at(".roster").first.get_by_text("Disparar HMG", exact=True).click()
    ana.at("#plan label").get_by_text("infantería pesada").click()
    ana.at("#plan button.main").click()
    expect(ana.at("#plan")).to_be_visible()
    assert ana.at(".pad").count() == 0, "without a distance nothing is sent"
    expect(ana.at("#plan [name='f.distance']")).to_have_count(3)
    ana.at("#plan [name='f.distance'][value='3'] + label").click()
    submit(ana)
    ana.throw(5)
    says(ben, "heavy infantry (Axis): 2 wounds from heavy infantry")
    expect(ben.at(".roster").first.locator("li").first).to_contain_text("Heavy infantry")
    expect(ana.at(".roster").first).to_contain_text("HMG por el lado gris")


def at_the_editor(served: Serving, phone: Phone) -> None:
    table = sit(served)
    table.act("allies", "use_sample", sample="allies_sample")
    phone.open(table.link("allies"))
    phone.at("#tracker-deck li").filter(has_text="M4 Sherman").get_by_text("Cambiar", exact=True).click()
    expect(phone.at("#plan [name='f.name']")).to_be_visible()


def at_the_bid(served: Serving, phone: Phone) -> None:
    table = sit(served)
    for seat in ("allies", "axis"):
        table.act(seat, "use_sample", sample=f"{seat}_sample")
        table.act(seat, "ready")
    phone.open(table.link("allies"))
    expect(phone.asked).to_have_count(6)


def laying(served: Serving, points: str) -> Sitting:
    """Set a table at which the Allies lay terrain for some points."""
    table = sit(served, "typed")
    for seat in ("allies", "axis"):
        table.act(seat, "use_sample", sample=f"{seat}_sample")
        table.act(seat, "ready")
    for seat, value in (("allies", points), ("axis", "0")):
        table.answer(seat, value=value)
    for seat, face in (("allies", 9), ("axis", 2)):
        table.answer(seat, faces=[face])
    table.answer("allies", value="allies")
    return table


def at_the_terrain(served: Serving, phone: Phone) -> None:
    phone.open(laying(served, "5").link("allies"))
    phone.at("#dock label[for^='pick-free-']").first.click()
    phone.at(".reach a[href*='d2']:visible").click()
    expect(phone.at("#plan")).to_be_visible()


def at_the_deployment(served: Serving, phone: Phone) -> None:
    table = begun(served, "typed")
    table.act("allies", "income")
    hand(table, "allies", "heavy_infantry", "m4_sherman", "medic")
    phone.open(table.link("allies"))
    card(phone, "infantería pesada").click()
    expect(phone.at(".card-ways .button:visible")).to_have_count(1)
    expect(phone.at(".card.is-barred")).to_be_visible()


def at_the_fire(served: Serving, phone: Phone) -> None:
    phone.open(face_to_face(served).link("allies"))
    aim(phone, "u1", "u2")


def at_the_real_table(served: Serving, phone: Phone) -> None:
    table = begun(served, "typed", board="table", cards="real")
    table.act("allies", "income")
    table.act("allies", "deploy", card="1.0", equipment=["hmg"])
    phone.open(table.link("allies"))
    expect(phone.at(".roster li").first).to_contain_text("HMG")


def face_to_face(served: Serving) -> Sitting:
    """Set a table at which a tank of the Allies on d1 may fire at infantry of the Axis on d3."""
    table = begun(served, "typed")
    for seat, name, square in (("allies", "m4_sherman", "d1"), ("axis", "light_infantry", "d6")):
        table.act(seat, "income")
        hand(table, seat, name, "light_infantry")
        held = table.tracked(seat)[f"cards.{seat}.hand"]
        code = next(code for code in held if code.startswith(f"{CARDS.index(name)}."))
        table.act(seat, "deploy", card=code, to=square)
        table.act(seat, "end_phase")
    table.correct("unit.u2.square", "d3")
    table.act("allies", "income")
    table.act("allies", "end_phase")
    table.act("allies", "end_phase")
    return table


SCENES = {
    "editor": (at_the_editor, ("M4 Sherman", "Blindaje")),
    "bid": (at_the_bid, ("¿Cuántos de tus 5 PA gastas en la puja?", "5 PA")),
    "terrain": (at_the_terrain, ("casa (3)", "Casilla")),
    "deployment": (at_the_deployment, ("Desplegar infantería pesada: 2 PA", "M4 Sherman")),
    "fire": (at_the_fire, ("Crítico: lo destruye", "Fallo")),
    "table": (at_the_real_table, ("Despliega unidades y usa cartas", "Valores")),
}


@pytest.mark.sized
@pytest.mark.parametrize("name", some(SCENES, every=4))
def test_a_page_speaks_spanish_and_everybody_can_use_it(served: Serving, phones: Phones, name: str) -> None:
    scene, words = SCENES[name]
    phone = phones("es")
    scene(served, phone)
    is_usable(phone, f"tactics-{name}", words)


def test_a_house_and_who_is_inside_are_shot_at_by_buttons_that_say_which(served: Serving, phones: Phones) -> None:
    table = face_to_face(served)
    table.correct("laying.axis", HOUSE)
    table.correct(next(path for path in table.tracked() if re.fullmatch(r"ground\.g\d+\.square", path)), "d3")
    ana = phones("en").open(table.link("allies"))
    label(ana, "u1").click()
    on_board = ana.at(".pick:checked + label + .targets .reach button")
    expect(on_board).to_have_text(["Fire gun: light infantry inside the house d3, Fire gun: house d3"])
    on_board.click()
    expect(ana.at("#sheet h2")).to_have_text("M4 Sherman d1 → d3")
    ways = ana.at("#sheet .choose .button")
    expect(ways).to_have_count(2)
    expect(ways.nth(0)).to_contain_text("Fire gun: light infantry inside the house d3")
    expect(ways.nth(1)).to_contain_text("Fire gun: house d3")
    ways.nth(0).click()
    expect(ana.at("#plan .settled")).to_contain_text("Target: light infantry inside the house d3")


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_terrain_is_laid_piece_after_piece_by_the_same_tap(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    table = laying(served, "5")
    ana = phones("en", viewport={"width": size[0], "height": size[1]}).open(table.link("allies"))
    lay = ana.at("#dock label").filter(has_text="Lay terrain")
    expect(lay).to_be_visible()
    before = lay.bounding_box()
    table.act("allies", "place_terrain", terrain=int(HOUSE), to="d2")
    now(ana, "2 points left")
    assert lay.bounding_box() == before
    expect(ana.at("#dock label").filter(has_text="Take terrain back")).to_have_count(0)
    expect(ana.at("#aside")).to_contain_text("Take terrain back")


def test_a_pick_falls_when_its_action_is_no_longer_there(served: Serving, phones: Phones) -> None:
    table = laying(served, "3")
    ana = phones("en").open(table.link("allies"))
    ana.at("#dock label").filter(has_text="Lay terrain").click()
    ana.at(".reach a[href*='d2']:visible").click()
    ana.at("#plan label").get_by_text("house", exact=False).click()
    submit(ana)
    now(ana, "0 points left")
    back = ana.at("#dock label").filter(has_text="Take terrain back")
    expect(back).to_be_visible()
    expect(ana.at("#dock label").filter(has_text="Lay terrain")).to_have_count(0)
    expect(ana.at(".overlay .pick:checked")).to_have_count(0)
    expect(ana.at(".reach")).to_have_count(0)
    back.click()
    expect(ana.at(".reach [class*='go']")).to_have_count(1)


CONTRAST = """
() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const fill = (one) => getComputedStyle(one).fill;
  const middle = (one) => (({ x, y, width, height }) => [x + width / 2, y + height / 2])(one.getBoundingClientRect());
  const svg = document.querySelector(".squares > svg");
  const probe = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  const [box, sizes] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
  const grounds = [...svg.querySelectorAll(".ground > path:first-child")];
  const under = ([x, y]) => {
    const near = grounds.map((one) => [one, Math.max(...middle(one).map((at, n) => Math.abs(at - [x, y][n])))])
      .filter(([, far]) => far < (box.width / sizes.width) * 5).sort((one, other) => one[1] - other[1]);
    if (near.length) return fill(near[0][0]);
    const [file, rank] = [((x - box.x) / box.width) * sizes.width, ((y - box.y) / box.height) * sizes.height];
    const dark = (Math.floor(file / 10) + Math.floor(rank / 10)) % 2;
    probe.style.fill = `var(--sq-${dark ? "dark" : "light"})`;
    return fill(probe);
  };
  return [...svg.querySelectorAll(".coord, .caption text")].map((one) => {
    const [low, high] = [light(fill(one)), light(under(middle(one)))].sort((a, b) => a - b);
    return [one.textContent, (high + 0.05) / (low + 0.05)];
  });
}
"""


@pytest.mark.parametrize("look", first("light", "dark"))
def test_the_letters_and_numbers_of_a_board_stand_out_from_what_lies_under_them(
    served: Serving, phones: Phones, look: str
) -> None:
    tactics = begun(served, "typed")
    for square, feature in (("a1", "forest"), ("a2", "hedge")):
        tactics.correct("natural.new", square)
        if feature != "forest":
            tactics.correct(f"natural.{square}.feature", feature)
    tables = (tactics, served.sit(), served.sit(game="chesswar", race="secret", terrain=True))
    for table, seat in zip(tables, ("allies", "white", "white"), strict=True):
        phone = phones("en", color_scheme=look).open(table.link(seat))
        found = phone.page.evaluate(CONTRAST)
        assert len(found) > 10
        assert not [(words, round(ratio, 1)) for words, ratio in found if ratio < 4.5]


def tab(phone: Phone, selector: str) -> None:
    """Press Tab until something is reached."""
    for _ in range(120):
        if phone.page.evaluate("(what) => document.activeElement.matches(what)", selector):
            return
        phone.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


@pytest.mark.long
def test_units_are_deployed_and_fire_by_keyboard_alone(served: Serving, phones: Phones) -> None:
    table = begun(served, "typed")
    table.act("allies", "income")
    hand(table, "allies", "light_infantry")
    ana, ben = phones("en").open(table.link("allies")), phones("en").open(table.link("axis"))

    def press(selector: str, key: str = "Enter") -> None:
        tab(ana, selector)
        ana.page.keyboard.press(key)

    press(".pick-card", "Space")
    press(".card-ways a")
    expect(ana.at("#plan")).to_be_visible()
    press("#plan [name='f.to']", "Space")
    press("#plan button.main")
    says(ben, "Allies: light infantry deployed")
    expect(ana.at("#sheet")).to_be_hidden()

    table = face_to_face(served)
    for phone, seat in ((ana, "allies"), (ben, "axis")):
        phone.open(table.link(seat))
    press("#pick-u1", "Space")
    press(".reach a")
    expect(ana.at("#sheet .chart").first).to_be_visible()
    press("#plan button.main")
    expect(ana.at(".pad-faces button")).to_have_count(10)
    ana.settled(table.version)
    expect(ana.at(".typing:not([inert])")).to_be_visible()
    press(".pad-faces button[aria-label='8']")
    press(".typing > button")
    says(ben, "light infantry d3: 2 wounds from M4 Sherman")

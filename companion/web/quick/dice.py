"""Dice without a table: the throw stands in the address, the faces as well, nothing is stored."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, make_response, redirect, render_template, request
from msgspec.structs import replace
from werkzeug.wrappers import Response

from companion.kit.dice.notation import Dice, every_dice
from companion.kit.dice.odds import charts
from companion.kit.dice.parser import LONGEST, Misread, read
from companion.kit.dice.roll import DICE, MOST_THROWN, Notation
from companion.kit.dice.tray import SIDES, Contents, contents, tapped
from companion.kit.questions import Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.web import forms
from companion.web.address_qr import qr_response, share_page
from companion.web.quick.lookups import QR, DiceStep, Query, consult, query, thrown_by

NOTATION, TAP, BY, FACES, FACE = "n", "tap", "by", "dice", "face."
"""Names in the address: the notation, a tap that changes it, who throws, the faces so far, another face."""
AT_ONCE = {
    **{one: Text(one) for one in ("d20", "d6", "2d6", "3d6", "d100")},
    "2d20kh1": say("Advantage"),
    "2d20kl1": say("Disadvantage"),
}
"""What is thrown by one tap before anybody has favourites, and what its button says."""
MOST_TYPED = 60
"""Real dice that are typed one by one."""
LONGEST_ADDRESS = 6000
"""Letters of an address that every browser and server takes; more faces than fit are shown without one."""


class Step(DiceStep, frozen=True):
    """What is on the page: the notation as it was typed, and what follows from it."""

    notation: str
    contents: Contents = Contents({})
    no_odds: Text | None = None

    @property
    def query(self) -> Query:
        """Return what is asked for, as it stands in the address."""
        pairs: Query = ((NOTATION, self.notation),)
        if self.by and self.result:
            pairs += ((BY, self.by), (FACES, " ".join(map(str, self.result.faces))))
        return pairs

    @property
    def misread(self) -> int | None:
        """Return the place of the character at which the notation is none."""
        return self.refusal.at if isinstance(self.refusal, Misread) else None

    @property
    def thrown_dice(self) -> Dice | None:
        """Return the dice of the notation that the throw is of: their faces may have names."""
        if self.throw is None:
            return None
        groups = tuple(every_dice(read(self.notation)))
        return groups[int(self.throw.key.split(".")[1]) - 1]


dice = Blueprint("dice", __name__, url_prefix="/dice")


@dice.get("")
def tray() -> Response:
    """Show the tray: the dice, their odds before the throw, and what came of one."""
    sent = query()
    tap = sent.get(TAP, [""])[-1]
    step = _step(sent)
    if not tap or (step.refusal and step.notation.strip()):
        return _page(step)
    try:
        after = tapped(step.notation, tap)
    except Misread as misread:
        return _page(replace(step, refusal=Refusal(misread.text, field=NOTATION)))
    return redirect(f"{request.path}?{urlencode({NOTATION: after})}" if after else request.path, 303)


@dice.post("")
def roll() -> Response:
    """Throw, and go on to the address that holds the faces."""
    step = _step(request.form.to_dict(flat=False) | {BY: ["roll"]}, roll=True)
    address = f"{request.path}?{urlencode(step.query)}"
    if step.refusal is not None or len(address) > LONGEST_ADDRESS:
        return _page(step)
    return redirect(address, 303)


@dice.get(QR)
def qr_code() -> Response:
    """Draw the address of a throw as a QR code."""
    step = _step(query())
    return qr_response(None if step.refusal else share_page(request.path.removesuffix(QR), step.query))


def _page(step: Step) -> Response:
    page = render_template(
        "dice/tray.html",
        step=step,
        sides=SIDES,
        at_once=AT_ONCE,
        longest=LONGEST,
        shared=share_page(request.path, step.query),
    )
    return make_response(page, 422 if step.refusal else 200)


def _step(sent: forms.Sent, *, roll: bool = False) -> Step:
    notation = "".join(sent.get(NOTATION, ())[-1:])
    by = thrown_by(sent.get(BY))
    if not notation.strip():
        return Step("", refusal=Refusal(say("There are no dice yet: tap some."), field=NOTATION) if by else None)
    try:
        parsed = read(notation)
    except Misread as misread:
        return Step(notation, refusal=misread)
    step = Step(notation, contents(notation), by=by)
    try:
        step = replace(step, charts=charts(parsed))
    except Refusal as refusal:
        step = replace(step, no_odds=refusal.text)
    return _throw(step, sent, roll=roll) if by else step


def _throw(step: Step, sent: forms.Sent, *, roll: bool) -> Step:
    """Throw as far as the dice go; what is typed wrongly is typed again from the beginning."""
    facts = Notation(step.notation)
    try:
        faces = forms.all_faces(sent, FACES, FACE, MOST_THROWN, FACES)
        result = consult(DICE, facts, {}, faces, "roll" if roll else "ask")
    except Refusal as refusal:
        again = consult(DICE, facts, {}, (), "ask") if step.by == "type" and refusal.field == FACES else None
        return replace(step, refusal=refusal, result=again)
    if step.by == "type" and isinstance(result.question, Throw) and result.question.count > MOST_TYPED:
        many = say("So many dice are not typed one by one: at most {most}.", most=MOST_TYPED)
        return replace(step, refusal=Refusal(many, field=NOTATION))
    return replace(step, result=result)

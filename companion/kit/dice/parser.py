"""Read dice notation: any text is a throw, or is refused with a sentence that points at the character."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, cast, get_args

import msgspec

from companion.kit.dice.notation import (
    LARGEST_NUMBER,
    MOST_DICE,
    MOST_SIDES,
    Comparison,
    Dice,
    Keep,
    Keeping,
    Number,
    Sum,
    Target,
    Test,
    Throw,
    every_dice,
    kinds,
)
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

LONGEST, DEEPEST = 300, 20
"""Letters of a text, brackets in brackets."""
MOST_NAMED = 100
"""Faces that may be named."""

_SIGNS = str.maketrans("−–×·÷", "--**/")
_COMPARISONS: dict[str, Comparison] = {**{sign: sign for sign in get_args(Comparison)}, "≥": ">=", "≤": "<=", "==": "="}
_KEEPING: dict[str, Keeping] = {"kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "k": "kh", "d": "dl"}
_TOKEN = re.compile(
    r"(?P<space>[\s\u00a0\u2009\u202f]+)|(?P<number>[0-9]+)|(?P<word>kh|kl|dh|dl|ro|cs|cf|[kdrfx])"
    r"|(?P<compare>>=|<=|==|[≥≤=<>])|(?P<faces>\{[^{}]*\})|(?P<label>\[[^\[\]]*\])|(?P<sign>[-+*/()!%])",
    re.IGNORECASE | re.ASCII,
)


class Misread(Refusal):
    """A text that is no throw, and at which of its characters (``at``, from 0)."""

    def __init__(self, text: Text, at: int) -> None:
        super().__init__(text, field="notation")
        self.at = at


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str
    at: int
    end: int


def read(text: str) -> Throw:
    """Read a throw; raise Misread, which holds the place of the character, where it is none."""
    if len(text) > LONGEST:
        raise Misread(say("That is too long: at most {most} characters.", most=LONGEST), LONGEST)
    reader = _Reader(text)
    thrown = reader.throw()
    if reader.token.kind != "end":
        raise reader.wrong(_astray(reader.token))
    total = 0
    for dice in every_dice(thrown):
        total += dice.count
        if total > MOST_DICE:
            raise Misread(say("Roll at most {most} dice at once.", most=MOST_DICE), dice.at[0])
    if total == 0:
        raise Misread(say("There are no dice in this: write 2d6, say."), 0)
    return thrown


def _tokens(text: str) -> Iterator[_Token]:
    at, plain = 0, text.translate(_SIGNS)
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            raise Misread(_unread(plain[at]), at)
        kind, words = cast("str", match.lastgroup), match[0].lower()
        if kind != "space":
            yield _Token(kind, text[at : match.end()] if kind in ("faces", "label") else words, at, match.end())
        at = match.end()
    yield _Token("end", "", len(text), len(text))


def _unread(letter: str) -> Text:
    if letter in "{[":
        return say("This bracket is never closed.")
    return say("“{letter}” means nothing here.", letter=letter)


def _astray(token: _Token) -> Text:
    if token.kind == "end":
        return say("Something is missing at the end: dice such as 2d6, or a number.")
    if token.text == ")":
        return say("This bracket was never opened.")
    return say("“{letter}” is not expected here.", letter=token.text)


class _Reader:
    """A reader from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.next = 0
        self.depth = 0
        self.bracketed = (0, 0)
        """The newest pair of brackets: the places of the token that opens it, and of the one after it."""

    @property
    def token(self) -> _Token:
        return self.tokens[self.next]

    def wrong(self, text: Text) -> Misread:
        return Misread(text, self.token.at)

    def take(self, kind: str, *texts: str) -> _Token | None:
        """Take the next token if it is of this kind and, where given, one of these texts."""
        token = self.token
        if token.kind != kind or (texts and token.text not in texts):
            return None
        self.next += 1
        return token

    def throw(self) -> Throw:
        """Read a sum, and the target it is compared with, if any."""
        begin = self.next
        left = self.sum()
        closed = self.bracketed == (begin, self.next)
        compared = self.take("compare")
        if compared is None:
            return left
        if "names" in kinds(left):
            raise Misread(say("Named faces cannot be compared with a number."), compared.at)
        if "successes" in kinds(left) and not closed:
            raise Misread(
                say("This roll already counts successes; put what is to be compared in brackets."), compared.at
            )
        return Target(left, Test(_COMPARISONS[compared.text], self.signed()))

    def sum(self) -> Throw:
        return self._chain(self.product, "+", "-")

    def product(self) -> Throw:
        return self._chain(self.factor, "*", "/")

    def _chain(self, part: Callable[[], Throw], *signs: str) -> Throw:
        left = part()
        counted = kinds(left)
        while sign := self.take("sign", *signs):
            right = part()
            more = kinds(right)
            if sign.text != "+" and "names" in counted | more:
                raise Misread(say("Named faces can only be put together with +."), sign.at)
            if counted | more >= {"points", "successes"}:
                raise Misread(
                    say("Points and successes do not add up. To compare a sum, put it in brackets: (2d6+1d8)>=9."),
                    sign.at,
                )
            if sign.text == "/" and (not isinstance(right, Number) or right.value == 0):
                raise Misread(say("A roll can only be divided by a number, and not by 0."), sign.at)
            left = Sum(cast("Literal['+', '-', '*', '/']", sign.text), left, right)
            counted |= more
        return left

    def factor(self) -> Throw:
        sign = self.take("sign", "-", "+", "(")
        if sign is None:
            return self.number_or_dice()
        begin = self.next - 1
        self.depth += 1
        if self.depth > DEEPEST:
            raise Misread(say("That is nested too deeply."), sign.at)
        inner = self.throw() if sign.text == "(" else self.factor()
        if sign.text == "(":
            if not self.take("sign", ")"):
                missing = self.token.kind == "end"
                raise self.wrong(say("A closing bracket is missing here.") if missing else _astray(self.token))
            self.bracketed = (begin, self.next)
        self.depth -= 1
        if sign.text != "-":
            return inner
        if "names" in kinds(inner):
            raise Misread(say("Named faces can only be put together with +."), sign.at)
        return Sum("-", Number(0), inner)

    def number_or_dice(self) -> Throw:
        at = self.token.at
        number = self.number() if self.token.kind == "number" else None
        if self.take("word", "d"):
            return self.dice(at, 1 if number is None else number)
        if number is None:
            raise self.wrong(_astray(self.token))
        return Number(number)

    def number(self) -> int:
        token = self.take("number")
        if token is None:
            raise self.wrong(say("A number is missing here."))
        if len(token.text.lstrip("0")) > len(str(LARGEST_NUMBER)) or int(token.text) > LARGEST_NUMBER:
            raise Misread(say("That number is too large: at most {most}.", most=LARGEST_NUMBER), token.at)
        return int(token.text)

    def signed(self) -> int:
        return -self.number() if self.take("sign", "-") else self.number()

    def dice(self, at: int, count: int) -> Dice:
        """Read what follows the d: the faces, then whatever is done with the dice."""
        if not 1 <= count <= MOST_DICE:
            raise Misread(say("Roll 1 to {most} dice at once.", most=MOST_DICE), at)
        low, high, names = self._faces()
        dice = Dice(count, low, high, names)
        while (token := self.token).kind in ("word", "compare") or token.text == "!":
            if names:
                raise self.wrong(say("Dice with named faces can only be rolled."))
            self.next += 1
            dice = _sound(self._changed(dice, token), token.at)
        if dice.failure and not dice.success:
            raise self.wrong(say("Failures are taken off successes: say what a success is as well, such as >=7."))
        label = self.take("label")
        end = self.tokens[self.next - 1].end
        return msgspec.structs.replace(dice, label=label.text[1:-1].strip() if label else "", at=(at, end))

    def _faces(self) -> tuple[int, int, tuple[str, ...]]:
        if self.take("sign", "%"):
            return 1, 100, ()
        if self.take("word", "f"):
            return -1, 1, ()
        if words := self.take("faces"):
            names = _named_faces(words.text, words.at)
            return 1, len(names), names
        at = self.token.at
        if self.token.kind != "number":
            raise self.wrong(say("How many faces? Write a number after the d, such as d6."))
        sides = self.number()
        if not 2 <= sides <= MOST_SIDES:
            raise Misread(say("A die has 2 to {most} faces.", most=MOST_SIDES), at)
        return 1, sides, ()

    def _changed(self, dice: Dice, token: _Token) -> Dice:
        """Read one thing that is done with the dice, whose first token has been taken."""
        if token.kind == "compare":
            return _once(dice, "success", Test(_COMPARISONS[token.text], self.signed()), token)
        match token.text:
            case "kh" | "kl" | "dh" | "dl" | "k" | "d":
                number = self.number() if self.token.kind == "number" else 1
                return _once(dice, "keep", Keep(_KEEPING[token.text], number), token)
            case "r" | "ro":
                again = _once(dice, "again", self._test(dice.low), token)
                return msgspec.structs.replace(again, once=token.text == "ro")
            case "!" | "x":
                return _once(dice, "explode", self._test(dice.high), token)
            case "cs":
                return _once(dice, "success", self._test(dice.high), token)
            case _:
                return _once(dice, "failure", self._test(dice.low), token)

    def _test(self, otherwise: int) -> Test:
        """Read a test; a number alone is to be equalled, and nothing at all stands for the usual face."""
        if compared := self.take("compare"):
            return Test(_COMPARISONS[compared.text], self.signed())
        return Test("=", self.number() if self.token.kind == "number" else otherwise)


def _named_faces(text: str, at: int) -> tuple[str, ...]:
    """Read what the faces 1.. say: ``{1=hit 2=melee hit 6=retreat}``, which stands ``at`` a place."""
    inside = text[1:-1]
    marks = list(re.finditer(r"([0-9]{1,3})\s*=\s*", inside))
    if not marks or inside[: marks[0].start()].strip():
        raise Misread(say("Name the faces like this: 1=hit 2=melee hit 6=retreat."), at + 1)
    names: dict[int, str] = {}
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        face, place = int(mark[1]), at + 1 + mark.start()
        if not 1 <= face <= MOST_NAMED:
            raise Misread(say("Faces that are named run from 1 to {most}.", most=MOST_NAMED), place)
        if face in names:
            raise Misread(say("This face already has a name."), place)
        names[face] = inside[mark.end() : after.start() if after else len(inside)].strip(" \t\r\n,;")
    return tuple(names.get(face, "") for face in range(1, max(*names, 2) + 1))


def _once(dice: Dice, name: str, value: Test | Keep, token: _Token) -> Dice:
    if getattr(dice, name) is not None:
        raise Misread(say("That was already said of these dice."), token.at)
    return msgspec.structs.replace(dice, **{name: value})


def _sound(dice: Dice, at: int) -> Dice:
    """Refuse dice that would hardly ever stop, that leave nothing, or that count what they can not show."""
    again = dice.again.among(dice.faces) if dice.again else range(0)
    explode = dice.explode.among(dice.faces) if dice.explode else range(0)
    last = range(0) if dice.once else range(max(again.start, explode.start), min(again.stop, explode.stop))
    staying = dice.sides - (0 if dice.once else len(again))
    if 4 * len(again) > 3 * dice.sides and not dice.once:
        raise Misread(say("These dice would be rolled again and again: a quarter of the faces has to stay."), at)
    if 4 * (len(explode) - len(last)) > 3 * staying:
        raise Misread(say("These dice would explode again and again: a quarter of the faces must not."), at)
    if dice.keep and dice.keep.number > dice.count:
        raise Misread(say("There is only {count} die.|There are only {count} dice.", count=dice.count), at)
    if dice.keep and dice.keep.kept(dice.count) == 0:
        raise Misread(say("That leaves no die."), at)
    if dice.success and not dice.success.among(dice.faces):
        raise Misread(say("No face can do that. To compare the whole roll, put it in brackets: (2d6)>=9."), at)
    return dice

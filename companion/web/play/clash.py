"""A clash as it is drawn: who meets whom, the dice with where they come from and what they did, and who was harmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

import msgspec

from companion.kit.clash import Clash, Combatant, Effect, Meeting, Way, effect_of
from companion.kit.counts import DIE
from companion.kit.panels import Board
from companion.kit.questions import Throw
from companion.kit.ruling import Duel, Fate, Harm, Reason, total
from companion.kit.text import Text
from companion.table.view_models import Seen
from companion.table.views import addressed
from companion.web.play.board import PICTURES


class Die(msgspec.Struct, frozen=True):
    """A die in its place: the face that came up, None before it is thrown, and what that does (None: nothing)."""

    face: int | None = None
    does: Effect | None = None


class Group(msgspec.Struct, frozen=True):
    """Dice that come from the same: ``of`` says from what, or what came of them; ``sum`` is what was added to a die.

    A ``sentence`` says it at length. ``asked``: it is they that are waited for.
    """

    dice: tuple[Die, ...]
    sides: int
    of: Text | None = None
    sum: tuple[int, ...] = ()
    asked: bool = False
    sentence: bool = False


class Roll(msgspec.Struct, frozen=True):
    """The dice of one throw, and what its faces do: of one that ``fell`` those that came up, else all that may."""

    groups: tuple[Group, ...]
    does: tuple[Effect, ...] = ()
    fell: bool = False


class Fighting(msgspec.Struct, frozen=True):
    """Somebody in the clash, with the ``hits`` that came of it and what became of him (None: he was not harmed)."""

    one: Combatant
    hits: int = 0
    fate: Fate | None = None

    @property
    def marked(self) -> int:
        """Return the hits that are marked on it now, no more than it stands."""
        hits = self.one.hits + self.hits
        return min(hits, self.one.strength) if self.one.strength else hits

    @property
    def ground(self) -> str:
        """Name the picture of the ground that it stands on."""
        return PICTURES.get(self.one.ground, self.one.ground)


class MeetingView(msgspec.Struct, frozen=True):
    """Two that meet, and ``way`` how; ``against`` is None where nothing that has a picture is struck.

    One that ``joins`` in strikes the same piece as the first, which is not drawn again.
    """

    way: Way
    by: Fighting
    against: Fighting | None
    joins: bool = False

    @property
    def struck(self) -> bool:
        """Tell whether one of them was harmed."""
        return bool(self.by.fate or (self.against and self.against.fate))


class Fight(NamedTuple):
    """A clash and the lines that tell how it went, up to the next one."""

    clash: Clash
    lines: Sequence[Reason]


class ClashView(msgspec.Struct, frozen=True):
    """Hold all that is drawn of a clash. ``met`` are those who meet in it: first the two that its dice are about.

    While an answer is waited for it is ``under_way``, and ``open`` in the place of the board unless squares are asked.
    """

    clash: Clash
    met: tuple[MeetingView, ...]
    rolls: tuple[Roll, ...]
    duels: tuple[Duel, ...]
    under_way: bool
    open: bool

    @property
    def groups(self) -> tuple[Group, ...]:
        """List the dice of all throws."""
        return tuple(group for roll in self.rolls for group in roll.groups)

    @property
    def came_of(self) -> bool:
        """Tell whether dice fell or somebody was harmed: that is looked at by itself, what else is told when asked."""
        return bool(self.faces or self.duels or any(meeting.struck for meeting in self.met))

    @property
    def faces(self) -> str:
        """Return the faces that came up, to tell one roll from the next."""
        return " ".join(str(die.face) for group in self.groups for die in group.dice if die.face is not None)


def clash_view(seen: Seen) -> ClashView | None:
    """Draw the clash that is under way, else those of the newest ruling; None where there is none.

    Of several in a ruling the dice of the newest that came to something are drawn, and who met in the others beneath.
    It is drawn of what everybody may read. One whose answer is a square on the board leaves that in sight.
    """
    if not seen.under_way:
        return _drawn(seen.last.reasons) if seen.last else None
    throw = next((waited.throw for waited in seen.waiting if waited.throw is not None), None)
    drawn = _drawn(seen.story, throw, under_way=True)
    return drawn and msgspec.structs.replace(drawn, open=not _asks_for_square(seen))


def roll(seen: Seen) -> str:
    """Tell the newest roll that everybody sees from others, by its action and faces; empty where none was seen.

    What is under way lies half a step after the newest ruling.
    """
    faces = _rolled(seen.story) if seen.under_way else ""
    if faces:
        return f"{seen.last.seq if seen.last else 0}.5:{faces}"
    faces = _rolled(seen.last.reasons) if seen.last else ""
    return f"{seen.last.seq}:{faces}" if seen.last and faces else ""


def _rolled(lines: Sequence[Reason]) -> str:
    opposed = (pair for line in lines if line.duel for pair in line.duel.pairs)
    met = [face for pair in opposed for face in (pair.left, pair.right) if face is not None]
    return ".".join(map(str, [*(face for line in lines for face in line.faces), *met]))


def _asks_for_square(seen: Seen) -> bool:
    """Tell whether an answer lies on the board, and is not only given by a piece of who answers."""
    question = seen.asked.question if seen.asked else None
    if question is None or isinstance(question, Throw):
        return False
    boards = (panel for panel in seen.view.panels if isinstance(panel, Board))
    own = {piece.square for board in boards for piece in board.pieces if piece.side == question.seat}
    return any(option.place not in own for option in question.options if option.place and option.barred is None)


def _drawn(reasons: Sequence[Reason], throw: Throw | None = None, *, under_way: bool = False) -> ClashView | None:
    begun = [*_fights(reasons)]
    if not begun:
        return None
    clash, lines = drawn = begun[-1] if under_way else next(filter(_came_to, reversed(begun)), begun[-1])
    if addressed(lines):
        return None
    rolls = [Roll(tuple(_thrown(line)), line.does, fell=True) for line in lines if line.faces]
    others = [] if under_way else [one for one in begun if one is not drawn and _came_to(one)]
    duels = tuple(line.duel for line in lines if line.duel is not None)
    return ClashView(
        clash,
        tuple(_met([drawn, *(one for one in others if not addressed(one.lines))])),
        (*rolls, *_to_come(lines, throw)),
        duels,
        under_way,
        open=False,
    )


def _fights(reasons: Sequence[Reason]) -> Iterator[Fight]:
    """Part what is told at each line with which a clash begins; what comes before the first belongs to none."""
    begins = [at for at, reason in enumerate(reasons) if reason.clash is not None]
    for at, end in pairwise((*begins, len(reasons))):
        clash = reasons[at].clash
        assert clash is not None
        yield Fight(clash, reasons[at:end])


def _came_to(fight: Fight) -> bool:
    """Tell whether dice fell in a fight, or somebody was harmed."""
    return any(line.faces or line.duel or line.harm for line in fight.lines)


def _met(fights: Sequence[Fight]) -> Iterator[MeetingView]:
    """List who met in some fights, those of the first one first; two that nothing came of only once.

    The first two are drawn with all that they suffered, others with what whom they met did to them.
    """
    listed = set[tuple[str, str | None]]()
    for nth, (clash, lines) in enumerate(fights):
        harms = [harm for line in lines for harm in line.harm]
        for at, meeting in enumerate(clash.meetings):
            pair = meeting.by.id, meeting.against.id if meeting.against else None
            joins = nth == 0 < at and meeting.against == clash.against
            drawn = _meeting(clash.way, meeting, harms, whole=nth == at == 0, joins=joins)
            if drawn.struck or pair not in listed:
                yield drawn
            listed.add(pair)


def _meeting(way: Way, meeting: Meeting, harms: Sequence[Harm], *, whole: bool, joins: bool) -> MeetingView:
    """Draw two with the ``whole`` of what they suffered, or with what the other one, or nobody in particular, did."""
    one, other = meeting.by, meeting.against
    if other is None:
        return MeetingView(way, _fighting(one, harms), None)
    by_one, by_other = (
        [harm for harm in harms if whole or harm.by is None or harm.by.id == of.id] for of in (one, other)
    )
    return MeetingView(way, _fighting(one, by_other), _fighting(other, by_one), joins)


def _fighting(one: Combatant, harms: Iterable[Harm]) -> Fighting:
    suffered = [harm for harm in harms if harm.to.id == one.id]
    return Fighting(one, sum(harm.hits for harm in suffered), suffered[-1].fate if suffered else None)


def _thrown(line: Reason) -> Iterator[Group]:
    """Put the faces of a roll where its dice came from; where something is added to a die, the numbers of the sum."""
    dice = [Die(face, effect_of(face, line.does)) for face in line.faces]
    if line.terms and line.terms[0].text == DIE:
        added = [term.value for term in line.terms[1:] if term.value]
        yield Group(tuple(dice), line.sides, sum=(sum(line.faces), *added) if added else ())
    elif counted := _counted(line, len(dice)):
        for of, count in counted:
            yield Group(tuple(dice[:count]), line.sides, of)
            dice = dice[count:]
    else:
        said = line.text if line.of is None and line.value != len(dice) else None
        yield Group(tuple(dice), line.sides, line.of or said, sentence=said is not None)


def _to_come(lines: Sequence[Reason], throw: Throw | None) -> Iterator[Roll]:
    """List the dice that are still to be thrown: the newest that were counted are the next, others come after them."""
    newest_first = takewhile(lambda line: not line.faces, reversed(lines))
    counted = [line for line in newest_first if line.does]
    if throw is not None and not (counted and throw.count == counted[0].value and throw.does == counted[0].does):
        yield Roll((Group((Die(),) * throw.count, throw.sides, throw.of, asked=True),), throw.does)
    elif counted:
        line, asked = counted.pop(0), throw is not None
        yield Roll(tuple(_to_throw(line, throw.sides if throw else 6, asked=asked)), line.does)
    for line in counted:
        yield Roll(tuple(_to_throw(line, 6, asked=False)))


def _to_throw(line: Reason, sides: int, *, asked: bool) -> Iterator[Group]:
    count = line.value or 0
    for of, many in _counted(line, count):
        yield Group((Die(),) * many, sides, of, asked=asked)
    if not _counted(line, count):
        yield Group((Die(),) * count, sides, asked=asked)


def _counted(line: Reason, count: int) -> tuple[tuple[Text, int], ...]:
    """List what brings how many of so many dice; nothing where some of several are taken away.

    Those nobody can tell apart.
    """
    brings = tuple((term.text, term.value) for term in line.terms if term.value and term.value > 0)
    if total(line.terms) != count:
        return ()
    if len(brings) == 1 and count > 0:
        return ((brings[0][0], count),)
    return brings if sum(many for _, many in brings) == count else ()

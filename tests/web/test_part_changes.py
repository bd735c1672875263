"""What changed between two versions of a page: done to the old one, it makes the new one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.web.part_changes import Changes, compare, written
from companion.web.parts import SIGNS, PageOf, Part, take_apart

NAMES = [f"p{number}" for number in range(9)]


class Node:
    """An element of a page that is changed, as a browser holds it: its own words and elements between them."""

    def __init__(self, part: Part) -> None:
        self.id = part.id
        self.within: list[str | Node] = [part.texts[0]]
        for one, text in zip(part.parts, part.texts[1:], strict=True):
            self.within += [Node(one), text]
        self.within = [one for one in self.within if one != ""]

    def all(self) -> list[tuple[Node, Node]]:
        """Return all elements within with what they lie in."""
        found = [(self, one) for one in self.within if isinstance(one, Node)]
        return found + [pair for _, one in found for pair in one.all()]

    def holder(self, id_: str) -> tuple[Node, Node]:
        ((holder, one),) = [(holder, one) for holder, one in self.all() if one.id == id_]
        return holder, one

    def put(self, new: Node, where: str, beside: str) -> None:
        holder, one = self.holder(beside)
        holder.within.insert(holder.within.index(one) + (where in {"after", "afterend"}), new)

    def shown(self) -> list[object]:
        return [self.id, *(one.shown() if isinstance(one, Node) else one for one in self.within)]


def do(page: Node, changes: Changes) -> None:
    """Do to a page what changed, as a phone does: what goes and what is different is found before anything comes."""
    for id_, where, beside in changes.moved:
        holder, one = page.holder(id_)
        holder.within.remove(one)
        page.put(one, where, beside)
    going = [page.holder(id_) for id_ in changes.gone]
    different = [(page.holder(part.id), part) for part in changes.different]
    beside = [page.holder(added.beside) for added in changes.added]
    for added, (holder, one) in zip(changes.added, beside, strict=True):
        at = holder.within.index(one) + (added.where == "afterend")
        holder.within[at:at] = [Node(part) for part in added.parts]
    for holder, one in going:
        holder.within.remove(one)
    for (holder, one), part in different:
        holder.within[holder.within.index(one)] = Node(part)


class Tree:
    """An element of a page that is made up: its words, and the elements in it, side by side."""

    def __init__(self, id_: str, words: str, within: list[Tree]) -> None:
        self.id, self.words, self.within = id_, words, within

    def part(self) -> Part:
        between = [""] * (len(self.within) - 1)
        texts = (f"<{self.words}>", *between, "</>") if self.within else (f"<{self.words}></>",)
        return Part.of(self.id, texts, tuple(one.part() for one in self.within))

    def all(self) -> list[Tree]:
        return [self, *(tree for one in self.within for tree in one.all())]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Draw a page of three rows of elements, some with elements of their own."""
    names = iter(draw(st.permutations(NAMES)))
    rows = [Tree(f"row{number}", "r", [Tree(f"stays{number}", "s", [])]) for number in range(3)]
    for name in names:
        within = draw(st.sampled_from([one for row in rows for one in row.all() if not one.id.startswith("stays")]))
        within.within.append(Tree(name, draw(st.sampled_from("ab")), []))
    return Tree("", "page", rows)


@st.composite
def changed(draw: st.DrawFn) -> tuple[Part, Part]:
    """Draw a page, and what a few changes make of it: elements that come, go, move anywhere and say something else."""
    page = draw(trees())
    old = page.part()
    for number in range(draw(st.integers(1, 5))):
        movable = [one for one in page.all() if one.id.startswith("p")]
        rows = [one for one in page.all() if one.id and not one.id.startswith("stays")]
        how = draw(st.sampled_from(["come", "go", "move", "say"]))
        if how == "come":
            row = draw(st.sampled_from(rows))
            row.within.insert(draw(st.integers(0, len(row.within))), Tree(f"new{number}", "n", []))
        elif movable:
            one = draw(st.sampled_from(movable))
            holder = next(row for row in page.all() if one in row.within)
            if how == "say":
                one.words += "!"
                continue
            holder.within.remove(one)
            if how == "move":
                inside = {id(tree) for tree in one.all()}
                row = draw(st.sampled_from([row for row in rows if id(row) not in inside]))
                row.within.insert(draw(st.integers(0, len(row.within))), one)
    return old, page.part()


@settings(max_examples=300)
@given(changed())
def test_what_changed_makes_the_new_page_of_the_old_one(pages: tuple[Part, Part]) -> None:
    old, new = pages
    changes = compare(old, new)
    assert changes is not None, "the page itself is the same"
    page = Node(old)
    do(page, changes)
    assert page.shown() == Node(new).shown()


def test_what_goes_in_one_row_and_comes_in_another_moves_there() -> None:
    there = [Tree("za", "z", [Tree("a", "a", []), Tree("x", "x", [])]), Tree("zb", "z", [Tree("b", "b", [])])]
    here = [Tree("za", "z", [Tree("a", "a", [])]), Tree("zb", "z", [Tree("b", "b", []), Tree("x", "y", [])])]
    changes = compare(Tree("", "", there).part(), Tree("", "", here).part())
    assert changes is not None
    assert changes.moved == [("x", "after", "b")]
    assert (changes.added, changes.gone) == ([], [])
    assert [part.id for part in changes.different] == ["x"]


def row(*names: str, **more: str) -> Part:
    parts = tuple(Part.of(name, (f'<p id="{name}">{more.get(name, "")}</p>',), ()) for name in names)
    return Part.of("", ("<main>", *[""] * (len(names) - 1), "</main>"), parts)


def test_only_what_changed_is_written() -> None:
    changes = compare(row("a", "b", "c", "d"), row("c", "a", "e", "d", d="new"))
    assert changes is not None
    assert written(changes, 3, PageOf(4, "TABLE", "seat")).split("\n") == [
        '<!--from 3 to 4 [["c","before","a"]]-->',
        '<hx-partial id="a" hx-swap="afterend"><p id="e"></p></hx-partial>',
        '<hx-partial id="b" hx-swap="delete"></hx-partial>',
        '<hx-partial id="d" hx-swap="outerMorph"><p id="d">new</p></hx-partial>',
    ]


@pytest.mark.parametrize(("names", "moves"), [("bcda", 1), ("dabc", 1), ("acbd", 1), ("cdab", 2), ("dcba", 3)])
def test_what_changes_places_in_its_row_moves_and_the_others_stay(names: str, moves: int) -> None:
    old, new = row(*"abcd"), row(*names)
    changes = compare(old, new)
    assert changes is not None
    page = Node(old)
    do(page, changes)
    assert page.shown() == Node(new).shown()
    assert [len(some) for some in changes] == [moves, 0, 0, 0]


def test_the_same_page_has_no_changes() -> None:
    changes = compare(row("a", "b"), row("a", "b"))
    assert changes is not None
    assert not any(changes)


def test_a_page_that_is_another_one_itself_is_told_so() -> None:
    assert compare(row("a"), row("b")) is None
    assert compare(row("a", "b"), row("a", "a")) is None, "two of one name can not be told apart"
    assert compare(Part.of("", ("x",), ()), Part.of("", ("y",), ())) is None


def test_what_is_drawn_is_written_within_a_drawing() -> None:
    old, new = (Part.of("", ("", ""), (Part.of("a", (f'<g id="a">{n}</g>',), ()),)) for n in (1, 2))
    changes = compare(old, new)
    assert changes is not None
    assert '<hx-partial id="a" hx-swap="outerMorph strip:true"><svg><g id="a">2</g></svg></hx-partial>' in written(
        changes, 1, PageOf(2, "TABLE", "seat")
    )


def test_the_version_that_a_part_shows_is_no_change_of_it() -> None:
    page = take_apart(lambda: f"<p>{SIGNS.version}</p>\n  <a href='/t/{SIGNS.table}/{SIGNS.seat}'>b</a>  \n\n")
    assert page.parts == ()
    assert page.html(PageOf(7, "AB", "red")) == "<p>7</p>\n<a href='/t/AB/red'>b</a>"

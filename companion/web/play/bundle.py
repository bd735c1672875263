"""A bundle: one file of a table's set-up, of what people wrote for it, and of the lists that a phone keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Annotated, Any, Literal, TypeVar, get_args

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from msgspec import Meta
from werkzeug.wrappers import Response

from companion.kit.dice.parser import Misread
from companion.kit.dice.parser import read as read_notation
from companion.kit.game import Game
from companion.kit.ruling import Refusal
from companion.kit.text import say, tidied
from companion.table.pictures import Picture, check, named_in
from companion.table.problem import Problem
from companion.table.validation import field_problem
from companion.web import seat_cookies
from companion.web.language import speaker
from companion.web.pages import attachment
from companion.web.play import another_table
from companion.web.play.action_plan import LONGEST_LIST, StoredList
from companion.web.play.another_table import Template
from companion.web.problems import status_of
from companion.web.state import app_state

EDITION = 1
LARGEST = 24 * 1024 * 1024
"""Bytes of a bundle: all that a phone keeps (``guard.LARGEST_KEPT``), with all the pictures."""
MOST_PICTURES = 250
"""Pictures in a bundle: in base64 they have 13 MB at most."""
LONGEST_TEXT = 60_000
_MARK = re.compile(rb'\A\s*\{\s*"companion"\s*:\s*"bundle"')
Name = Annotated[str, Meta(min_length=1, max_length=80)]
K = TypeVar("K")

bundles = Blueprint("bundles", __name__, url_prefix="/t/<table>/<seat>/another")


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of the file: unknown fields are refused."""


class KeptFile(_Strict, frozen=True):
    """A file of a game, such as a deck, which an ``action`` of it takes."""

    game: Name
    action: Name
    name: Name
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class Favourite(_Strict, frozen=True):
    """A throw of dice that somebody has named."""

    name: Name
    n: Annotated[str, Meta(min_length=1, max_length=200)]


class BundledPicture(_Strict, frozen=True):
    """A picture that a file names: its SHA-256, and its bytes in base64."""

    digest: str
    data: bytes


class OfPhone(_Strict, frozen=True):
    """What a phone keeps: files of games, lists of their forms, favourite throws."""

    files: Annotated[tuple[KeptFile, ...], Meta(max_length=200)] = ()
    lists: Annotated[tuple[StoredList, ...], Meta(max_length=500)] = ()
    favourites: Annotated[tuple[Favourite, ...], Meta(max_length=500)] = ()


class Bundle(OfPhone, frozen=True, kw_only=True, omit_defaults=True):
    """What a bundle holds: the set-up of a table, and what a phone keeps, with the pictures that are named there."""

    companion: Literal["bundle"]
    edition: int = 0
    template: Template | None = None
    files: Annotated[tuple[KeptFile, ...], Meta(max_length=250)] = ()
    """Those of the phone, and those of the table."""
    pictures: Annotated[tuple[BundledPicture, ...], Meta(max_length=MOST_PICTURES)] = ()


@bundles.post("/bundle.json")
def send(table: str, seat: str) -> Response:
    """Send the bundle of a table, with what the phone says that it keeps."""
    held = seat_cookies.check_seat(table, seat)
    try:
        phone = _of_phone(request.form.get("kept", ""))
    except Problem as wrong:
        return make_response(another_table.page(table, seat, wrong), status_of(wrong))
    tables = app_state().tables
    game = tables.game_of(table)
    speak = speaker(game)
    theirs = tuple(
        KeptFile(game=game, action=file.action, name=tidied(speak(file.name))[:80] or "–", text=file.text)
        for file in tables.files(table, dict.fromkeys((seat, *held)))
    )
    files = (*theirs, *(file for file in phone.files if file not in theirs))
    bundle = Bundle(
        companion="bundle",
        edition=EDITION,
        template=another_table.template(table),
        files=files,
        lists=phone.lists,
        favourites=phone.favourites,
        pictures=tuple(_pictures(files)),
    )
    return attachment(msgspec.json.format(_written(bundle), indent=1), f"companion-{game}-{table}.json")


@bundles.get("/bundle.json")
def back_to_page(table: str, seat: str) -> Response:
    """Lead to the page from an address that only takes what is sent there."""
    return redirect(url_for("another_table.page", table=table, seat=seat), 303)


def _written(bundle: Bundle) -> bytes:
    """Write a bundle, with what says that it is one at its beginning."""
    fields = msgspec.to_builtins(bundle, builtin_types=(bytes,))
    return msgspec.json.encode({"companion": fields.pop("companion"), **fields})


def _pictures(files: Iterable[KeptFile]) -> Iterator[BundledPicture]:
    """Find the pictures that files name, as far as there are any here."""
    named = sorted({digest for file in files for digest in named_in(file.text.encode())})
    for digest in named[:MOST_PICTURES]:
        if (found := app_state().tables.picture(digest)) is not None:
            yield BundledPicture(digest=digest, data=found[1])


def _of_phone(sent: str) -> OfPhone:
    """Read what a phone says that it keeps, nothing where it runs no scripts; raise Problem (400) for anything else."""
    phone = _decoded(sent.encode(), OfPhone) if sent else OfPhone()
    _check(phone)
    return phone


def _decoded(data: bytes, kind: type[K]) -> K:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as wrong:
        raise field_problem(wrong) or _damaged() from wrong
    except (ValueError, RecursionError) as wrong:
        raise _damaged() from wrong


def _damaged() -> Problem:
    return Problem(400, say("This file is damaged: nothing was taken from it."), "file")


def _check(phone: OfPhone) -> None:
    """Look at lists and throws as at typed ones; raise Problem (400)."""
    for kept in phone.lists:
        if len(msgspec.json.encode(kept)) > LONGEST_LIST or not 0 < len(kept.name) <= 80:
            raise Problem(400, say("The list “{name}” cannot be read.", name=kept.name[:60]), "lists")
    for favourite in phone.favourites:
        try:
            read_notation(favourite.n)
        except Misread as wrong:
            said = say("The favourite “{name}” is no roll: {what}", name=favourite.name, what=wrong.text)
            raise Problem(400, said, "favourites") from wrong


def read(file: IO[bytes]) -> Bundle | None:
    """Read a bundle, and go back to the beginning of the file; None when it is none.

    Raises Problem (400; 413) for one that is damaged, newer, or too large.
    """
    begins = file.read(200)
    file.seek(0)
    if not _MARK.match(begins):
        return None
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Problem(413, say("This file is too large: {most} MB at most.", most=LARGEST >> 20), "file")
    bundle = _decoded(data, Bundle)
    if bundle.edition != EDITION:
        raise Problem(400, say("This file was written by a newer Companion: update this one."), "edition")
    _check(bundle)
    for kept in bundle.files:
        game = app_state().games.get(kept.game)
        if game is not None and not _takes(game, kept.action):
            raise Problem(400, say("“{name}” is no file that this game takes.", name=kept.name), "files")
    return bundle


def _takes(game: Game[Any], action: str) -> bool:
    """Tell whether an action of a game takes one thing, as a file is, and nothing else."""
    kinds = get_args(game.actions) or (game.actions,)
    return any(kind.__struct_config__.tag == action and len(kind.__struct_fields__) == 1 for kind in kinds)


def show(bundle: Bundle) -> Response:
    """Show what is in a bundle, to be taken by this phone; its pictures are kept here from now on."""
    games = app_state().games
    start = ""
    wrong: Refusal | Problem | None = None
    if bundle.template is not None:
        try:
            start = another_table.form_address(bundle.template)
        except (Refusal, Problem) as refused:
            wrong = refused  # the lists are of use all the same
    app_state().tables.keep_pictures(_checked(bundle))
    known = [kept for kept in bundle.files if kept.game in games]
    of_phone = OfPhone(files=tuple(known), lists=bundle.lists, favourites=bundle.favourites)
    page = render_template(
        "lobby/bundle.html",
        bundle=bundle,
        games=games,
        files=known,
        strange=sorted({*(kept.game for kept in bundle.files), *(kept.game for kept in bundle.lists)} - {*games}),
        start=start,
        kept=msgspec.json.encode(of_phone).decode(),
        wrong_about=wrong,
        game=None,
    )
    return make_response(page)


def _checked(bundle: Bundle) -> list[Picture]:
    """Look at the pictures of a bundle as at those that somebody brings; raise Problem (400, 413)."""
    named = {digest for file in bundle.files for digest in named_in(file.text.encode())}
    found = [check(picture.data, "pictures") for picture in bundle.pictures]
    if [picture.digest for picture in bundle.pictures] != [one.digest for one in found] or not named.issuperset(
        one.digest for one in found
    ):
        raise _damaged()
    return found

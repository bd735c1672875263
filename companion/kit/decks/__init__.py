"""Decks that people bring to a table, written card by card or taken from a file; and how their copies are held."""

from companion.kit.decks.copies import codes, draw, face_down, kind_of, leaving, left, next_copy, one_each, told_apart

__all__ = ["codes", "draw", "face_down", "kind_of", "leaving", "left", "next_copy", "one_each", "told_apart"]

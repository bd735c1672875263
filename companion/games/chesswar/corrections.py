"""Corrections."""

from __future__ import annotations


def tracked(state):
    return ()


def correct(state, path, value):
    return state

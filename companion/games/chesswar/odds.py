"""Odds."""

from __future__ import annotations


def foresee(state, side, action):
    return ()

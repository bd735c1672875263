"""Lookups."""

from __future__ import annotations

LOOKUPS = {}

"""Scenarios: worked examples of a rulebook as JSON, run through the real rules."""

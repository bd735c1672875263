"""Measure Companion on this machine: ``python -m bench``."""

"""Dice in the notation that people type: read it, throw it, and work its exact odds out."""

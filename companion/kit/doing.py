"""What all actions of a game are made of."""

from __future__ import annotations

import msgspec


class Doing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="action"):
    """Be an action; the field ``action`` says which."""

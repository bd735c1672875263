"""What is around this computer: its addresses, and the Wi-Fi that it is in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Lock
from time import monotonic

import msgspec

from companion.web.network.adapters import Address, read_addresses
from companion.web.network.wifi_names import current_wifi

NAME_HOLDS = 15.0
"""Seconds that the name of the Wi-Fi is not asked for again: that starts a program of the system."""


class Around(msgspec.Struct, frozen=True):
    """The addresses of this computer, the likeliest for phones first; the name of its Wi-Fi, and the system it runs."""

    addresses: tuple[Address, ...] = ()
    wifi: str = ""
    system: str = sys.platform


class Surroundings:
    """Look around this computer whenever somebody asks."""

    def __init__(
        self,
        addresses: Callable[[], tuple[Address, ...]] = read_addresses,
        wifi: Callable[[], str] = current_wifi,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.addresses, self.wifi, self.clock = addresses, wifi, clock
        self._lock = Lock()
        self._name, self._until = "", float("-inf")

    def __call__(self) -> Around:
        """Return what is around it now."""
        with self._lock:
            if self.clock() >= self._until:
                self._name, self._until = self.wifi(), self.clock() + NAME_HOLDS
            name = self._name
        return Around(self.addresses(), name)

"""What people may do with seats, each from their own phone, and what opens a table that is locked."""

from __future__ import annotations

from collections.abc import Collection

from companion.kit.game import RULEKEEPER
from companion.table import idempotency, pin, seat_changes
from companion.table.transactions import Transactions
from companion.table.view_models import Done, HandedOver, Offered


class Seating(Transactions):
    """Seats as those of people: every method is one of ``Tables``."""

    def hand_over(self, table: str, seat: str, on: bool, key: str, held: Collection[str] = ()) -> Done:
        """Offer one's own seat to whoever opens a link (``handed_over``); with ``on`` false, no more.

        ``held`` are all seats of the phone that says so: one of them may say whose this one was.
        """
        return self._once(table, seat, key, lambda session: seat_changes.hand_over(session, seat, held, on=on))

    def handed_over(self, table: str, seat: str) -> HandedOver | None:
        """Return how a seat is handed over just now, to whoever holds it; None where it is not."""
        with self._look(table, seat) as session:
            return seat_changes.handed_over(session, seat)

    def offered(self, table: str, secret: str) -> Offered:
        """Return which seat a link hands over; raise Problem where it gives none (404), or no more (409)."""
        with self._look(table) as session:
            return seat_changes.offered(session, secret)

    def take_over(self, table: str, secret: str, name: str, key: str | None = None) -> str:
        """Sit down on a seat that is handed over; returns its token. A ``key`` has to be long, as that of ``join``."""
        named = idempotency.named(key, "take over", secret, name)
        return self._sit(table, named, lambda session: seat_changes.take_over(session, secret, name))

    def leave(self, table: str, seat: str, key: str) -> Done:
        """Get up: one's own seat is free, and its link opens nothing any more."""
        return self._once(table, seat, key, lambda session: seat_changes.leave(session, seat))

    def change_seats(self, table: str, seat: str, other: str, key: str) -> Done:
        """Take a free seat in the place of one's own, or ask whoever sits there to swap.

        The token of the one seat opens the other then, as soon as that is so.
        """
        return self._once(table, seat, key, lambda session: seat_changes.change(session, seat, other))

    def propose_rulekeeper(self, table: str, seat: str, other: str, key: str) -> Done:
        """Propose that somebody else keeps the rules; another player has to agree."""
        return self._once(table, seat, key, lambda session: seat_changes.propose(session, seat, other))

    def answer_wish(self, table: str, seat: str, wish: str, yes: bool, key: str, held: Collection[str] = ()) -> Done:
        """Agree to a wish about seats, or end it; ``held`` are all seats of the phone that says so."""
        return self._once(
            table, seat, key, lambda session: seat_changes.answer(session, seat, wish, {seat, *held}, yes=yes)
        )

    def claim(self, table: str, seat: str, wish: str, key: str | None = None) -> str:
        """Take the rulekeeper's seat that was given to one's own; returns its token. A ``key`` as that of ``join``."""
        named = idempotency.named(key, "claim", seat, wish)
        return self._sit(table, named, lambda session: seat_changes.claim(session, seat, wish))

    def give_rulekeeper(self, table: str, other: str, key: str) -> Done:
        """Let a player take the rulekeeper's seat; for whoever runs Companion, which the caller has made sure."""
        return self._once(table, RULEKEEPER, key, lambda session: seat_changes.give(session, other))

    def lock(self, table: str, typed: str, key: str) -> Done:
        """Lock a table with a PIN, or with nothing typed let it have none.

        The caller has made sure that it is the rulekeeper, or whoever runs Companion.
        """
        wanted = pin.read(typed) if typed.strip() else ""
        return self._once(
            table, RULEKEEPER, key, lambda session: pin.lock(session, wanted) if wanted else pin.unlock(session)
        )

    def is_locked(self, table: str) -> bool:
        """Tell whether a table has a PIN."""
        with self._look(table) as session:
            return pin.is_locked(session)

    def lets_in(self, table: str, admission: str) -> bool:
        """Tell whether a phone may sit down that shows this ``admission``."""
        with self._look(table) as session:
            return pin.lets_in(session, admission)

    def admit(self, table: str, typed: str) -> str:
        """Return the admission of a phone that types the PIN; raise WrongPin (403) where it is another one."""
        with self._look(table) as session:
            return pin.admit(session, typed)

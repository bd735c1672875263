"""What older logs say in words alone, and newer ones beside them: how a change of settings is told there.

A sentence of a table that is rewritten comes here as it was, so that it keeps its words in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.text import say

if TYPE_CHECKING:
    from companion.table.records import Setting

SETTINGS_SAID: dict[str, Setting] = {
    say("The table is paused.").say: "paused",
    say("The table goes on.").say: "resumed",
    say("The table ends here.").say: "ended",
    say("The table is open again.").say: "reopened",
}
"""The sentences by which entries without a ``setting`` told it."""

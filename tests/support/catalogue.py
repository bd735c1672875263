"""The catalogue of the pages' and the table's words.

``python -m tests.support.catalogue`` extracts, merges and compiles it.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import companion
from companion.web.assets import shipped

ROOT = Path(companion.__file__).parents[1]
FOLDER = ROOT / "companion" / "web" / "locale" / "es" / "LC_MESSAGES"
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "say": None}
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
NOBODY: dict[str, Any] = {
    "creation_date": SINCE,
    "revision_date": SINCE,
    "last_translator": "Companion",
    "language_team": "es",
    "msgid_bugs_address": "",
}
"""What would change with every run, or name somebody, says the same for good."""
HEADER = "# The words of Companion's pages and tables in Spanish."


def extracted() -> Catalog:
    """Extract every sentence that a page or a table may say."""
    catalog = Catalog(project="Companion", version="1", header_comment=HEADER, locale="es", fuzzy=False, **NOBODY)
    found = [*(ROOT / "companion").rglob("*.py"), *shipped("templates").rglob("*.html")]
    for path in sorted(path for path in found if "games" not in path.relative_to(ROOT).parts):
        method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
        options = {} if path.suffix == ".py" else {"trimmed": "true", "silent": "false"}
        name = path.relative_to(ROOT).as_posix()
        for _, message, comments, context in extract_from_file(method, path, keywords=KEYWORDS, options=options):
            if message and message != ("", ""):
                catalog.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    return catalog


def committed() -> Catalog:
    """Read the catalogue as it is kept."""
    with (FOLDER / "messages.po").open("rb") as file:
        return read_po(file, locale="es")


def compiled(catalog: Catalog) -> bytes:
    """Compile a catalogue."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def main() -> None:
    """Merge what is extracted into the kept catalogue, and compile it."""
    fresh = extracted()
    kept = committed() if (FOLDER / "messages.po").exists() else Catalog(locale="es")
    for message in fresh:
        known = kept.get(message.id, message.context)
        if message.id and known is not None:
            message.string = known.string
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "messages.po").open("wb") as file:
        write_po(file, fresh, width=110, sort_output=True, include_lineno=False)
    (FOLDER / "messages.mo").write_bytes(compiled(fresh))
    for message in missing(fresh):
        print("untranslated:", message)


def missing(catalog: Catalog) -> list[str]:
    """List the sentences without a translation, or with a doubtful one."""
    return [
        str(message.id) for message in catalog if message.id and (message.fuzzy or not all(_strings(message.string)))
    ]


def _strings(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string or "",) if isinstance(string, str | None) else tuple(string)


if __name__ == "__main__":
    main()

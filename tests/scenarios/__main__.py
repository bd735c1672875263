"""Run scenario files: ``python -m tests.scenarios FILE...``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.scenarios.runner import run_file


def main(files: list[str]) -> int:
    if not files:
        print("usage: python -m tests.scenarios FILE...", file=sys.stderr)
        return 2
    passed = failed = 0
    for file in files:
        for outcome in run_file(Path(file)):
            if outcome.problems:
                failed += 1
                print(f"FAIL {outcome.name}: {'; '.join(outcome.problems)}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main(sys.argv[1:]))

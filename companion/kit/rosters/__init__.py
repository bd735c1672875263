"""Lists that people write or bring as a file: any text becomes a struct, or a sentence that says where it does not."""

from companion.kit.rosters.reader import read
from companion.kit.rosters.schema import ONCE
from companion.kit.rosters.writer import write, write_table

__all__ = ["ONCE", "read", "write", "write_table"]

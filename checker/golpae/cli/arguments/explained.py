"""Lists of what nothing has to show, with reasons: `NAME => reason`, one a line.

Input: the files that a call names. Output: the reasons by name.
Guarantee: a file that cannot be read, or holds something else, is a `UsageError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from golpae.mutate.explained import Unreadable, explained
from golpae.rule_names import UsageError
from golpae.trace import quoted


def read_explained(files: Sequence[str]) -> dict[str, str]:
    """Return the reasons in all files. Raises `UsageError`."""
    out: dict[str, str] = {}
    for file in files:
        try:
            out |= explained(Path(file))
        except (OSError, UnicodeDecodeError) as fault:
            reason = str(getattr(fault, "strerror", None) or fault).lower()
            raise UsageError(file, f"{quoted(file)} cannot be read: {reason}") from None
        except Unreadable as fault:
            raise UsageError(file, f"{quoted(file)}: {fault}") from None
    return out

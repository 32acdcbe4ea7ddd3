"""Render the results of properties as one JSON document, for programs.

Input: the results of a run.
Output: the document.
Guarantee: every field of every result is in it, in the order of the results.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from golpae import __version__
from golpae.report.proofs_detail import Again, command
from golpae.verify.result import PropertyResult
from golpae.verify.status import standings


def document(
    results: Sequence[PropertyResult],
    again: Again,
    status: int,
    disagreements: Sequence[str],
    interrupted: bool,
) -> str:
    """Return the document: the version of golpae, how the run ended, and every field of each result.

    `standing` is how a verdict compares with the expected one in the whole run, `again` the command that repeats it.
    """
    return json.dumps(
        {
            "golpae": __version__,
            "status": status,
            "interrupted": interrupted,
            "disagreements": list(disagreements),
            "findings": [
                f.record() | {"standing": standing, "again": command(f, again)}
                for f, standing in zip(results, standings(results), strict=True)
            ],
        },
        indent=1,
    )

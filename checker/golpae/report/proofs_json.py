"""Findings as one JSON document, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from golpae import __version__
from golpae.report.proofs_detail import Again, command
from golpae.verify.result import PropertyResult
from golpae.verify.status import status as status_of


def document(
    findings: Sequence[PropertyResult],
    again: Again,
    status: int,
    disagreements: Sequence[str],
    interrupted: bool,
) -> str:
    """The document: what it was made by, how the run ended, and every field of each finding, in their order.

    `standing` says how a verdict compares with the expected one, `again` is the command that repeats it.
    """
    return json.dumps(
        {
            "golpae": __version__,
            "status": status,
            "interrupted": interrupted,
            "disagreements": list(disagreements),
            "findings": [
                f.record() | {"standing": status_of(f), "again": command(f, again)} for f in findings
            ],
        },
        indent=1,
    )

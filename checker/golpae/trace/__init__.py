"""Traces: recorded games as JSON lines, and the verdicts on them.

`sources` lists trace files, `lines` reads one of them line by line, `read_header` reads a header, and an
`Outcome` is the verdict on one trace. Nothing here depends on a game or a rule set.
"""

from golpae.trace.decompress import Blocks, DamagedArchive, blocks
from golpae.trace.discover import InputFault, Source, sources
from golpae.trace.header import NO_HEADER, Header, identity, is_header, may_be_header, read_header
from golpae.trace.outcome import Conflicting, Outcome, Ruled, Verdict
from golpae.trace.quote import quoted
from golpae.trace.read import MAX_LINE, Unread, lines, lines_in

__all__ = [
    "MAX_LINE",
    "NO_HEADER",
    "Blocks",
    "Conflicting",
    "DamagedArchive",
    "Header",
    "InputFault",
    "Outcome",
    "Ruled",
    "Source",
    "Unread",
    "Verdict",
    "blocks",
    "identity",
    "is_header",
    "may_be_header",
    "lines",
    "lines_in",
    "quoted",
    "read_header",
    "sources",
]

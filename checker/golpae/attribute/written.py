"""Write which rule sets accept traces to a file, so that an interrupted run can go on.

Input: what other processes or this one send of traces. Output: lines of JSON, of which `results` makes results again.
Guarantee: what is made again is what was sent, so a run that went on answers as one that was not interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec

from golpae.attribute.compiled import Origin
from golpae.attribute.pieces import Cubes, Received, Refusal, SentResult
from golpae.attribute.traces import Attribution, TraceResult
from golpae.corpus.forms import TRACE
from golpae.corpus.results import JSON, encode
from golpae.families.family import Family
from golpae.trace import Outcome

ATTRIBUTED = {
    **TRACE,
    "game": "string",
    "smallest": JSON,
    "accepting": JSON,
    "refused": JSON,
}
"""The columns of a table: the keys of the JSON of a trace."""


class _Line(msgspec.Struct, omit_defaults=True):
    """What was sent of a trace. `faulty`: it has no answer because of faults in the text of its rules. `loaded` are the
    rules whose texts have faults that nobody has been told of.
    """

    file: str
    line: int
    id: str | int | None
    claimed: str | None
    ended: bool = False
    unknown: tuple[str, ...] = ()
    fault: Outcome | None = None
    faulty: bool = False
    base: str | None = None
    accepting: Cubes | None = None
    refused: tuple[Refusal, ...] = ()
    origin: Origin | None = None
    universe: Cubes | None = None
    loaded: tuple[str, ...] = ()


class AttributedForm:
    """The form of attributed traces. `written` is how a result stands in the file in the end; `behind` are the lines
    behind all of them.
    """

    columns: Mapping[str, str] = ATTRIBUTED

    def __init__(
        self,
        attribution: Attribution,
        written: Callable[[TraceResult], bytes],
        behind: Callable[[], Iterable[bytes]],
    ) -> None:
        self._attribution, self._written, self.behind = attribution, written, behind
        self._hashes: dict[str, dict[str, str | None]] = {}

    def lines(self, item: SentResult, counts: Counter[str], texts: dict[str, str | None]) -> bytes:
        """Return the result of a trace as a line of JSON. Counts its kind in `counts` and collects its texts in
        `texts`.
        """
        result = item.result
        counts["malformed" if result.fault is not None else "attributed"] += 1
        if item.base is not None:
            texts.update(self._texts(item.base))
        line = _Line(
            result.file,
            result.line,
            result.id,
            result.claimed,
            result.ended,
            result.unknown,
            result.fault,
            result.text_faults is not None,
            item.base,
            item.accepting,
            item.refused,
            item.origin,
            item.universe,
            tuple(rules for rules, _ in item.faults),
        )
        return encode(line) + b"\n"

    def _texts(self, base: str) -> dict[str, str | None]:
        """Return the hashes of the rule sets of a game with no switch on or one."""
        if base not in self._hashes:
            family, library = self._attribution.family(base), self._attribution.library
            names = (f"{base}+{name}" for name in family.names) if isinstance(family, Family) else ()
            rule_sets = {rules: library.rule_set(rules) for rules in (base, *names)}
            hashes = {rules: None if one is None else one.spec_hash for rules, one in rule_sets.items()}
            self._hashes[base] = hashes
        return self._hashes[base]

    def final(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of the file, of those that were written."""
        received, library = Received(self._attribution), self._attribution.library
        for line in lines:
            last_line = msgspec.json.decode(line, type=_Line)
            for rules in last_line.loaded:
                library.rule_set(rules)
            result = TraceResult(
                last_line.file,
                last_line.line,
                last_line.id,
                last_line.claimed,
                None,
                ended=last_line.ended,
                unknown=last_line.unknown,
                fault=last_line.fault,
            )
            if last_line.faulty and last_line.claimed is not None:
                result = replace(result, text_faults=library.text_faults(last_line.claimed.split("+")[0]))
            sent = SentResult(
                result,
                last_line.base,
                last_line.accepting,
                last_line.refused,
                last_line.origin,
                last_line.universe,
            )
            yield self._written(received.result(sent))

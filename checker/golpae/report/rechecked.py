"""What came of a certificate, for people and for programs.

Input: what `verify.certificates.recheck` found. Output: lines, or plain data.
Guarantee: decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

from golpae.diagnostics.amounts import many, options_in_words
from golpae.extras import how_to_install
from golpae.prove.solving.solver import has_cvc5
from golpae.verify.cache import solvers
from golpae.verify.certificates.recheck import Rechecked
from golpae.verify.certificates.recheck_table import CVC5, Z3, Checked
from golpae.verify.certificates.status import is_empty
from golpae.verify.options import Settings

WIDTH = 96  # characters of a line of names
MOST_SHOWN = 20  # findings of a table


def lines(outcome: Rechecked) -> Iterator[str]:
    """Yield the lines on a certificate that was checked again: its faults, its tables, and what each solver
    confirms.
    """
    manifest = outcome.manifest
    for finding in outcome.findings[:MOST_SHOWN]:
        yield f"{finding.where}: {finding.what}"
    if len(outcome.findings) > MOST_SHOWN:
        yield f"and {len(outcome.findings) - MOST_SHOWN} more of this kind"
    for table in outcome.tables:
        yield from _of_table(table)
    properties = sum(len(t.properties) for t in outcome.tables)
    obligations = sum(t.obligations for t in outcome.tables)
    trivial = sum(t.trivial for t in outcome.tables)
    whole = f"{many(properties, 'property')} of {many(len(manifest.tables), 'table')}"
    yield f"{whole}, {many(obligations, 'obligation')}, {trivial} of them answered by golpae itself"
    installed = solvers(Settings(crosscheck=True))
    for solver in (Z3, CVC5):
        if solver == CVC5 and not has_cvc5():
            how = how_to_install("crosscheck")
            yield f"cvc5 is not installed: nothing is confirmed by a second solver ({how})"
        else:
            confirmed = sum(t.confirmed[solver] for t in outcome.tables)
            yield f"{solver} {installed[solver]} confirms {confirmed} of {obligations}"
    wrong = len(outcome.all_findings)
    if not wrong and is_empty(outcome):
        yield "the certificate is about no property, so it shows nothing"
    else:
        yield "nothing is wrong with the certificate" if not wrong else _wrong(wrong)


def record(outcome: Rechecked, status: int) -> dict[str, Any]:
    """Return everything as plain data."""
    return {
        "golpae": outcome.manifest.golpae,
        "solvers": solvers(Settings(crosscheck=True)),
        "status": status,
        "findings": [asdict(f) for f in outcome.findings],
        "tables": [_table(t) for t in outcome.tables],
    }


def _of_table(table: Checked) -> Iterator[str]:
    head = ", ".join([table.rules, f"{table.players} players", *options_in_words(table.options)])
    state = "as the text yields" if not table.findings else _wrong(len(table.findings))
    yield f"{head}: {many(len(table.properties), 'property')}, {state}"
    yield from _listed(table.properties)
    if table.aside:
        yield "  measured, so not in the certificate:"
        yield from _listed(table.aside)
    for finding in table.findings[:MOST_SHOWN]:
        yield f"  {finding.where}: {finding.what}"
    if len(table.findings) > MOST_SHOWN:
        yield f"  and {len(table.findings) - MOST_SHOWN} more"


def _listed(names: Iterable[str]) -> Iterator[str]:
    line = ""
    for name in names:
        if line and len(line) + len(name) > WIDTH:
            yield f"  {line.rstrip()}"
            line = ""
        line += f"{name}; "
    yield f"  {line.removesuffix('; ')}"


def _table(table: Checked) -> dict[str, Any]:
    findings = [asdict(finding) for finding in table.findings]
    return {
        **asdict(replace(table, confirmed=Counter(), findings=[])),
        "confirmed": dict(table.confirmed),
        "findings": findings,
    }


def _wrong(number: int) -> str:
    return "1 thing is wrong" if number == 1 else f"{number} things are wrong"

"""Checks a certificate: its files, its obligations, the answers of two solvers, its invariants.

Input: a folder, and a function that gives the rules of a name. Output: `Rechecked`.
Guarantee: the folder is taken for the work of a stranger. If nothing is found, each property that the manifest names is
a property of the text, and both solvers have answered every obligation that golpae makes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from golpae import __version__
from golpae.ir.ruleset import RuleSet
from golpae.verify.certificates.folder import check_files, read_manifest
from golpae.verify.certificates.manifest import Manifest, TableEntry
from golpae.verify.certificates.recheck_table import (
    DIFFERS,
    Checked,
    Finding,
    TableJob,
    recheck_table,
)
from golpae.workers import Crash, OuterLimits, results

FILE, OTHER_VERSION, LOST = "file", "version", "lost"


@dataclass(slots=True)
class Rechecked:
    """What came of a certificate: what is wrong with it as a whole, and what came of each table."""

    manifest: Manifest
    findings: list[Finding] = field(default_factory=list)
    tables: list[Checked] = field(default_factory=list)

    @property
    def all_findings(self) -> list[Finding]:
        return [*self.findings, *(f for table in self.tables for f in table.findings)]


def recheck(
    folder: Path,
    load: Callable[[str], RuleSet],
    effort: float,
    megabytes: int,
    processes: int,
    on_table: Callable[[int, int], None],
) -> Rechecked:
    """Check the certificate in a folder. Raises `NoCertificate`, and `SpecError` if there are no such rules.

    `on_table` is called with how many tables are done, of how many.
    """
    manifest = read_manifest(folder)
    out = Rechecked(manifest)
    if manifest.golpae != __version__:
        what = f"golpae {manifest.golpae} wrote it, and this is golpae {__version__}"
        out.findings.append(Finding(OTHER_VERSION, "manifest.json", what))
        return out
    bad = {one.path: one.what for one in check_files(folder, manifest)}
    out.findings += [Finding(FILE, path, what) for path, what in bad.items()]
    listed = {entry.path: entry for entry in manifest.files}
    belong: set[str] = set()
    jobs = []
    for table in manifest.tables:
        mentioned = _files_of(table)
        belong |= mentioned
        good = {path: listed[path] for path in mentioned & {*listed} if path not in bad}
        jobs.append(TableJob(folder, table, good, load(table.rules), manifest.seed, effort))
    out.findings += [Finding(DIFFERS, p, "belongs to no obligation") for p in listed if p not in belong]
    out.findings += [Finding(DIFFERS, p, "has no hash in the manifest") for p in sorted(belong - {*listed})]
    done: dict[int, Checked] = {}
    on_table(0, len(jobs))
    for number, outcome in results(recheck_table, jobs, processes, limits=OuterLimits(None, megabytes)):
        if isinstance(outcome, Crash):
            table = jobs[number].table
            lost = Checked(table.rules, table.players, table.options, [p.name for p in table.properties])
            lost.findings.append(Finding(LOST, f"{table.rules}, {table.players} players", outcome.reason))
            done[number] = lost
        else:
            done[number] = outcome
        on_table(len(done), len(jobs))
    out.tables = [done[number] for number in sorted(done)]
    return out


def _files_of(table: TableEntry) -> set[str]:
    """Return the files that a table names."""
    named = {o.file for one in table.inductions for o in one.obligations}
    named |= {o.file for one in table.properties for o in one.obligations}
    return named | {p.game for p in table.properties if p.game is not None}

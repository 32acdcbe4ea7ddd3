"""Certificates of whole runs: each table in a worker process.

Input: results of `golpae prove` with their rule sets. Output: a folder, and what has no certificate.
Guarantee: the manifest lists every file; the order of the tables is that of the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from golpae import __version__
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import PROVED
from golpae.verify.cache import solvers
from golpae.verify.certificates.folder import put, written_beside
from golpae.verify.certificates.manifest import NAME, FileEntry, Manifest, TableEntry, encode
from golpae.verify.certificates.prove_table import Proved, certify
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import tables
from golpae.workers import Crash, OuterLimits, results


@dataclass(frozen=True, slots=True)
class _Job:
    folder: Path
    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    results: tuple[PropertyResult, ...]
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Done:
    table: TableEntry
    files: tuple[FileEntry, ...]
    without: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class WrittenCertificates:
    """What was written: how many properties and files; and the properties without a certificate, with the reason."""

    properties: int = 0
    files: int = 0
    without: list[str] = field(default_factory=list)


def write_certificate(
    folder: Path,
    proofs: Sequence[PropertyResult],
    rule_sets: Mapping[str, RuleSet],
    settings: Settings,
    processes: int,
    on_table: Callable[[int, int], None],
) -> WrittenCertificates:
    """Write the certificate of everything that these results prove. Raises `NoCertificate` and `OSError`.

    `on_table` is called with how many tables are done, of how many.
    """
    with written_beside(folder) as beside:
        jobs = _jobs(beside, proofs, rule_sets, settings)
        done: dict[int, _Done] = {}
        written = WrittenCertificates()
        limits = OuterLimits(None, settings.megabytes)
        on_table(0, len(jobs))
        for number, outcome in results(_certify, jobs, processes, limits=limits):
            on_table(len(done) + 1, len(jobs))
            if isinstance(outcome, Crash):
                names = ", ".join(r.name for r in jobs[number].results)
                written.without.append(f"{_table(jobs[number])}: {names}: {outcome.reason}")
            else:
                done[number] = outcome
        for number, one in sorted(done.items()):
            written.properties += len(one.table.properties)
            written.files += len(one.files)
            written.without += [f"{_table(jobs[number])}: {name}: {why}" for name, why in one.without]
        made = [one.table for _, one in sorted(done.items())]
        files = sorted((f for one in done.values() for f in one.files), key=lambda f: f.path)
        put(beside, NAME, encode(Manifest(1, __version__, solvers(Settings()), settings.seed, made, files)))
    return written


def _jobs(
    folder: Path, proofs: Sequence[PropertyResult], rule_sets: Mapping[str, RuleSet], settings: Settings
) -> list[_Job]:
    """Return one job for each table of which something is proved."""
    of_tables: dict[tuple[object, ...], list[PropertyResult]] = {}
    for result in proofs:
        if result.verdict == PROVED:
            table = (result.rules, result.players, *sorted(result.options.items()))
            of_tables.setdefault(table, []).append(result)
    out = []
    for of in of_tables.values():
        rule_set, options = rule_sets[of[0].rules], of[0].options
        players = (
            of[0].players or tables(rule_set, None, options)[0][0]
        )  # 0: the same at any number of players
        out.append(_Job(folder, rule_set, players, options, tuple(of), settings))
    return out


def _certify(job: _Job) -> _Done:
    props = {p.name: p for p in properties_of(job.rule_set)}
    proved = [Proved(props[r.name], r) for r in job.results]
    instance = instantiate(job.rule_set, job.players, job.options)
    made = certify(instance, proved, job.settings.seed, job.settings.effort)
    files = tuple(put(job.folder, path, content) for path, content in made.files.items())
    return _Done(made.entry, files, tuple(made.without))


def _table(job: _Job) -> str:
    return f"{job.rule_set.rules}, {job.players} players"

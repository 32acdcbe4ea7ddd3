"""Findings kept between runs, so that nothing is decided twice.

In: a rule set, a table and the settings. Out: the findings last kept for just these, by name of property. The
name of an entry is a hash over all that a verdict depends on: the rule set's meaning, the table, the settings,
golpae's own code and the solvers' versions. What is unknown is not kept: more time may decide it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from golpae import cache as kept
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import UNKNOWN
from golpae.verify.options import Settings
from golpae.verify.result import Finding

FORM = 1
PARTS = ("ir", "elaborate", "replay", "prove", "search", "verify")


def recall(
    rule_set: RuleSet, players: int, options: Mapping[str, int], settings: Settings
) -> dict[str, Finding]:
    """What is kept of this rule set at this table, by name of property; marked as kept."""
    found: list[Finding] = kept.recall_as(name(rule_set, players, options, settings), list[Finding]) or []
    return {f.name: replace(f, spec_hash=rule_set.spec_hash, kept=True) for f in found}


def keep(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    findings: Iterable[Finding],
) -> None:
    """Keep all that is decided of this rule set at this table; replaces what was kept."""
    decided = [replace(f, kept=False, witness_file=None) for f in findings if f.verdict != UNKNOWN]
    if decided:
        kept.keep_as(name(rule_set, players, options, settings), decided)


def name(rule_set: RuleSet, players: int, options: Mapping[str, int], settings: Settings) -> str:
    """A hash over everything that the verdicts depend on. Comments and layout of a text are no part of it,
    nor are the switches that are off.
    """
    about = [
        FORM,
        meaning_of(rule_set),
        players,
        sorted(options.items()),
        settings.milliseconds,
        settings.megabytes,
        settings.seed,
        settings.games,
        settings.crosscheck,
        code_of(PARTS),
        solvers(settings),
        sys.version_info[:2],
    ]
    return "proofs-" + hashlib.sha256(repr(about).encode()).hexdigest()


def solvers(settings: Settings) -> dict[str, str]:
    """The solvers that are asked, with their versions; loads none of them."""
    asked = {"z3": "z3-solver"} | ({"cvc5": "cvc5"} if settings.crosscheck else {})
    return {solver: _version(package) for solver, package in asked.items()}


def meaning_of(rule_set: RuleSet) -> RuleSet:
    """A rule set without what says nothing of its meaning: comments, layout, the switches that are off."""
    return replace(rule_set, spec_hash="", switches=(), sources=(), rules_by_id=())


def code_of(parts: Sequence[str]) -> str:
    """A hash over the source files of some packages, those that take part in a decision."""
    digest = hashlib.sha256()
    top = Path(__file__).resolve().parent.parent
    for part in parts:
        for file in sorted((top / part).rglob("*.py")):
            digest.update(
                f"{file.relative_to(top).as_posix()}\n".encode() + hashlib.sha256(file.read_bytes()).digest()
            )
    return digest.hexdigest()


def _version(package: str) -> str:
    """The version of an installed package, without loading it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"

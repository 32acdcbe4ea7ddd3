"""Checks the certificate of one table: its obligations, the answers of two solvers, and its invariants in games.

Input: a folder, the entry of a table, and the rules that its name has today. Output: findings and counts.
Guarantee: a solver reads only scripts that are, byte for byte, what the text yields; so everything that is counted as
confirmed is an obligation of the text, and none is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, assert_never

import msgspec

from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import PROVED
from golpae.prove.induction.obligations import Ask, Axioms
from golpae.prove.solving.obligation import Obligation
from golpae.prove.solving.solver import SAT, UNSAT, Limits, cvc5_status, has_cvc5, z3_status
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.theorem import Theorems
from golpae.verify.analysis import Analysis
from golpae.verify.certificates.certificate_table import CertificateTable, NoSuchInvariant
from golpae.verify.certificates.commands import refusal
from golpae.verify.certificates.folder import content_of
from golpae.verify.certificates.manifest import (
    FileEntry,
    InductionEntry,
    ObligationEntry,
    PropertyEntry,
    TableEntry,
    meaning_of,
    unpacked,
)
from golpae.verify.certificates.prove_table import (
    OF_GAMES,
    folder_of,
    induction_asks,
    is_statement,
    property_path,
)
from golpae.verify.certificates.statements import NotProved, statement
from golpae.verify.confirmation import FalseInvariant, confirm
from golpae.verify.deciders.all_games import decide_by_games
from golpae.verify.deciders.game_search import ends_in
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.sample_states import PlayedGames
from golpae.verify.shares import shares_at

Z3, CVC5 = "z3", "cvc5"
DIFFERS, UNANSWERED, DISAGREE, FALSE = "differs", "unanswered", "disagree", "false"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: of which kind, where, and what."""

    kind: str
    where: str
    what: str


@dataclass(slots=True)
class Checked:
    """What came of a table: `confirmed` counts the scripts that each solver answered as expected.

    `trivial` counts the obligations that golpae's evaluator answers by itself, `by_games` the properties that replay
    has shown anew. `aside` are claims that state a share of hands, which no certificate is about.
    """

    rules: str
    players: int
    options: dict[str, int]
    properties: list[str]
    obligations: int = 0
    trivial: int = 0
    by_games: int = 0
    aside: list[str] = field(default_factory=list)
    confirmed: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableJob:
    """A table to check. `files` are those that are as the manifest says."""

    folder: Path
    table: TableEntry
    files: Mapping[str, FileEntry]
    rule_set: RuleSet
    seed: int
    effort: float


def recheck_table(job: TableJob) -> Checked:
    """Check the certificate of a table."""
    checker = _Checker(job)
    checker.run()
    return checker.checked


class _Checker:
    def __init__(self, job: TableJob) -> None:
        self.job = job
        table = job.table
        self.checked = Checked(table.rules, table.players, table.options, [p.name for p in table.properties])
        self.used: set[str] = set()

    def _note(self, kind: str, where: str, what: str) -> None:
        self.checked.findings.append(Finding(kind, where, what))

    def run(self) -> None:
        entry = self.job.table
        where = f"{entry.rules}, {entry.players} players"
        if entry.meaning != meaning_of(self.job.rule_set):
            self._note(DIFFERS, where, "the text has changed since the certificate was written")
            return
        try:
            instance = instantiate(self.job.rule_set, entry.players, entry.options)
        except TableFault as fault:
            self._note(DIFFERS, where, str(fault))
            return
        shares = shares_at(self.job.rule_set, entry.players, entry.options)
        self.checked.aside = [share.name for share in shares]
        table = CertificateTable(instance, self.job.seed)
        for induction in entry.inductions:
            self._guarded(induction.name, partial(self._induction, table, induction))
        props = {p.name: p for p in properties_of(self.job.rule_set)}
        for one in entry.properties:
            place = f"{where}: {one.name}"
            if one.name not in props or props[one.name].kind != one.kind:
                self._note(DIFFERS, place, "the text has no such property")
            else:
                self._guarded(place, partial(self._property, table, one, props[one.name]))
        for path in sorted(self.job.files):
            if path.startswith(f"{folder_of(instance)}/") and path not in self.used:
                self._note(DIFFERS, path, "belongs to no obligation of the text")

    def _guarded(self, where: str, check: partial[None]) -> None:
        try:
            check()
        except NoSuchInvariant as fault:
            self._note(DIFFERS, where, f"the text yields no invariant `{fault}`")
        except NotProved:
            self._note(DIFFERS, where, "golpae does not prove it")
        except TooManySteps as fault:
            self._note(UNANSWERED, where, str(fault))
        except Unsupported as fault:
            self._note(DIFFERS, where, f"the prover does not support {fault}")
        except FalseInvariant as fault:
            self._note(FALSE, where, str(fault))

    # ------------------------------------------------------------------ obligations

    def _induction(self, table: CertificateTable, entry: InductionEntry) -> None:
        names = [i.name for i in entry.invariants]
        inductive = {i.name for i in entry.invariants if i.by == "induction"}
        if names != sorted(set(names)):
            self._note(DIFFERS, entry.name, "its invariants are not in order")
            return
        asks = induction_asks(table, entry.name, tuple(names), inductive)
        self._compare(table, entry.name, entry.obligations, asks)
        induction = table.induction.copied()
        induction.invariants = table.invariants(names)
        confirm(PlayedGames(table.machine, self.job.seed), induction)

    def _property(self, table: CertificateTable, entry: PropertyEntry, prop: PropertyDecl) -> None:
        if (
            prop.kind == "ends"
            and prop.within is not None
            and (entry.bound is None or entry.bound > prop.within)
        ):
            self._note(DIFFERS, entry.name, f"its bound is not within {prop.within}")
            return
        match entry.by:
            case "induction":
                self._by_induction(table, entry, prop)
            case "solver" | "evaluation":
                self._statement(table, entry, prop)
            case "all games":
                self._all_games(table, entry, prop)
            case "game":
                self._game(table, entry, prop)
            case _:
                assert_never(entry.by)

    def _by_induction(self, table: CertificateTable, entry: PropertyEntry, prop: PropertyDecl) -> None:
        inductions = {i.name: i for i in self.job.table.inductions}
        if entry.induction not in inductions:
            self._note(DIFFERS, entry.name, "its invariants are not in the manifest")
            return
        is_of_games = prop.name in OF_GAMES
        if not is_of_games and (prop.kind == "reachable" or is_statement(table.instance, prop)):
            self._note(DIFFERS, entry.name, "induction is no proof of it")
            return
        names = [i.name for i in inductions[entry.induction].invariants]
        proof = table.proof(prop.name, names)
        asks = table.of_property(proof, prop, entry.bound)
        paths = (property_path(table.instance, prop, number) for number in range(1, len(asks) + 1))
        self._compare(table, entry.name, entry.obligations, zip(paths, asks, strict=True))

    def _statement(self, table: CertificateTable, entry: PropertyEntry, prop: PropertyDecl) -> None:
        if prop.name in OF_GAMES or not is_statement(table.instance, prop):
            self._note(DIFFERS, entry.name, "it is no theorem")
            return
        theorems, obligations = statement(table.instance, prop, self.job.effort)
        asks: list[tuple[str, Ask]] = [
            (property_path(table.instance, prop, number), partial(_made, obligation))
            for number, obligation in enumerate(obligations, 1)
        ]
        self._compare(table, entry.name, entry.obligations, iter(asks), theorems)

    def _all_games(self, table: CertificateTable, entry: PropertyEntry, prop: PropertyDecl) -> None:
        analysis = Analysis(table.instance, Settings(effort=self.job.effort))
        answer = decide_by_games(analysis, prop)
        if answer is None or answer.verdict != PROVED:
            self._note(DIFFERS, entry.name, "going through all games does not prove it")
        elif (answer.positions, answer.bound) != (entry.positions, entry.bound):
            self._note(DIFFERS, entry.name, f"it takes {answer.story}")
        else:
            self.checked.by_games += 1

    def _game(self, table: CertificateTable, entry: PropertyEntry, prop: PropertyDecl) -> None:
        content = None
        if entry.game is not None and entry.game in self.job.files:
            self.used.add(entry.game)
            content = content_of(self.job.folder, self.job.files[entry.game])
        if content is None or prop.kind != "reachable":
            self._note(DIFFERS, entry.name, "it has no game")
            return
        try:
            lines = [msgspec.json.decode(line, type=dict[str, Any]) for line in content.splitlines()]
            shown = ends_in(table.machine, lines[1:], prop.expr, prop.after)
        except (msgspec.MsgspecError, RecursionError, LookupError, TypeError, ValueError):
            shown = False
        if shown:
            self.checked.by_games += 1
        else:
            self._note(DIFFERS, entry.name, "replay does not accept its game, or the game does not show it")

    def _compare(
        self,
        table: CertificateTable,
        where: str,
        entries: list[ObligationEntry],
        asks: Iterator[tuple[str, Ask]],
        theorems: Theorems | None = None,
    ) -> None:
        """Compare entries with all obligations that there have to be, and have each decided."""
        wanted = dict(asks)
        listed = {e.file: e for e in entries}
        for path in sorted({*wanted} - {*listed}):
            self._note(DIFFERS, where, f"lacks the obligation `{path}`")
        for path in sorted({*listed} - {*wanted}):
            self._note(DIFFERS, path, "is no obligation of the text")
        for path, ask in wanted.items():
            if path in listed:
                self._one(table, path, listed[path], ask(listed[path].axioms), theorems)

    def _one(
        self,
        table: CertificateTable,
        path: str,
        entry: ObligationEntry,
        obligation: Obligation,
        theorems: Theorems | None,
    ) -> None:
        """Compare a script with the obligation that the text yields, and have it decided."""
        self.used.add(path)
        self.checked.obligations += 1
        if path not in self.job.files:
            return  # and so it is not confirmed; whoever compared the files has said why
        script = content_of(self.job.folder, self.job.files[path])
        if script is None:
            self._note(DIFFERS, path, "is not what the manifest says")
            return
        refused = refusal(script)
        if refused is not None:
            self._note(DIFFERS, path, f"is no script of a certificate: {refused}")
            return
        numbers = unpacked(entry.hypotheses, len(obligation.hypotheses))
        listed = (entry.kind, entry.about, entry.trivial, entry.expected)
        yielded = (obligation.kind, obligation.about, obligation.trivial, obligation.expected)
        if numbers is None or listed != yielded:
            self._note(DIFFERS, path, "the manifest says something else of it than the text yields")
        elif obligation.expected == SAT and len(numbers) < len(obligation.hypotheses):
            self._note(DIFFERS, path, "lacks hypotheses that its model has to have")
        elif script != table.script(obligation, numbers, path, theorems):
            self._note(DIFFERS, path, "is not the obligation that the text yields")
        else:
            self.checked.trivial += obligation.trivial is not None
            self._decide(path, script.decode("ascii"), obligation.expected)

    def _decide(self, path: str, script: str, expected: str) -> None:
        answers = {Z3: z3_status(script, Limits(self.job.effort))}
        if has_cvc5():
            answers[CVC5] = cvc5_status(script, self.job.effort)
        for solver, answer in answers.items():
            if answer == expected:
                self.checked.confirmed[solver] += 1
            elif answer in (SAT, UNSAT):
                self._note(DISAGREE, path, f"{solver} says {answer}, the certificate says {expected}")
            else:
                self._note(UNANSWERED, path, f"{solver} has no answer: {answer}")


def _made(obligation: Obligation, _: Axioms) -> Obligation:
    return obligation

"""Makes the certificate of one table: obligations as scripts, each with the answer of z3.

Input: an instance and the proved properties. Output: a `TableEntry` and the content of its files, and for each property
without a certificate the reason.
Guarantee: z3 has answered each script as expected, from its text alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.induction.obligations import (
    CONSEQUENCE,
    EXACT,
    NO_AXIOMS,
    WEAK,
    Ask,
    Axioms,
    Illegal,
    InductionObligations,
)
from golpae.prove.solving.obligation import Obligation
from golpae.prove.solving.solver import UNSAT, Limits, Solver, z3_status
from golpae.prove.symbolic.terms import Unsupported
from golpae.search.witness import as_trace
from golpae.trace.written import trace_text
from golpae.verify.certificates.certificate_table import CertificateTable, NoSuchInvariant
from golpae.verify.certificates.manifest import (
    GAME,
    SCRIPT,
    InductionEntry,
    InvariantEntry,
    ObligationEntry,
    PropertyEntry,
    TableEntry,
    meaning_of,
    packed,
    slug,
)
from golpae.verify.certificates.reduce import Reducer
from golpae.verify.certificates.statements import NotProved, statement
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, is_about_rules
from golpae.verify.result import PropertyResult

ALL_GAMES: Literal["all games"] = "all games"
OF_GAMES = (CONSERVATION, DEADLOCK_FREEDOM)


class NotShown(Exception):
    """Something gets no certificate; the message says why."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A property that was proved, and its result."""

    prop: PropertyDecl
    result: PropertyResult


@dataclass(slots=True)
class TableCertificate:
    """The certificate of a table: its entry, the content of its files by path, and properties without one."""

    entry: TableEntry
    files: dict[str, bytes] = field(default_factory=dict)
    without: list[tuple[str, str]] = field(default_factory=list)


def certify(instance: Instance, proved: Sequence[Proved], seed: int, effort: float) -> TableCertificate:
    """Return the certificate of what was proved of a table."""
    return _Certifier(instance, seed, effort).run(proved)


class _Certifier:
    def __init__(self, instance: Instance, seed: int, effort: float) -> None:
        self.instance = instance
        self.table = CertificateTable(instance, seed)
        self.solver = Solver(Limits(effort))
        self.reducer = Reducer(self.solver, self.table.writer)
        self.folder = folder_of(instance)
        self.files: dict[str, bytes] = {}
        self.known: set[frozenset[str]] = (
            set()
        )  # invariants that hold together; one proof serves smaller sets
        self.inductions: dict[tuple[str, ...], InductionEntry | NotShown] = {}

    def run(self, proved: Sequence[Proved]) -> TableCertificate:
        properties: list[PropertyEntry] = []
        without: list[tuple[str, str]] = []
        names = [self._names(one) for one in proved if self._is_inductive(one)]
        self.known = {frozenset[str]().union(*names)}  # sets that hold by themselves hold together
        for one in proved:
            try:
                properties.append(self._property(one))
            except (NotShown, NotProved, Unsupported) as reason:
                without.append((one.prop.name, str(reason)))
        rules = self.instance.rule_set
        used = {p.induction for p in properties}
        entry = TableEntry(
            rules.rules,
            rules.spec_hash,
            meaning_of(rules),
            self.instance.players,
            dict(self.instance.options),
            [i for i in self.inductions.values() if isinstance(i, InductionEntry) and i.name in used],
            properties,
        )
        used_files = {o.file for one in entry.inductions for o in one.obligations}
        used_files |= {o.file for one in properties for o in one.obligations} | {
            p.game for p in properties if p.game
        }
        return TableCertificate(entry, {p: c for p, c in self.files.items() if p in used_files}, without)

    def _property(self, one: Proved) -> PropertyEntry:
        """Return the entry of a property. Raises `NotShown`, `NotProved` and `Unsupported`."""
        prop, result = one.prop, one.result
        if result.positions is not None:
            return PropertyEntry(
                prop.name, prop.kind, ALL_GAMES, result.story, bound=result.bound, positions=result.positions
            )
        if prop.kind == "reachable":
            return self._by_game(one)
        return self._by_induction(one) if self._is_inductive(one) else self._statement(one)

    def _is_inductive(self, one: Proved) -> bool:
        """Return whether induction has proved a property."""
        if one.result.positions is not None or one.prop.kind == "reachable":
            return False
        return one.prop.name in OF_GAMES or not is_statement(self.instance, one.prop)

    def _by_game(self, one: Proved) -> PropertyEntry:
        """Return the entry of a property that a game shows."""
        if one.result.witness is None:
            raise NotShown("there is no game that shows it")
        path = f"{self.folder}/{slug(one.prop.name)}{GAME}"
        lines = as_trace(self.table.machine, one.result.witness.events)
        self.files[path] = trace_text(lines)
        return PropertyEntry(one.prop.name, one.prop.kind, "game", one.result.story, game=path)

    def _statement(self, one: Proved) -> PropertyEntry:
        """Return the entry of a theorem."""
        prop = one.prop
        theorems, obligations = statement(self.instance, prop, self.solver.limits.effort)
        entries = []
        for number, obligation in enumerate(obligations, 1):
            path = property_path(self.instance, prop, number)
            every = range(len(obligation.hypotheses))
            self.files[path] = script = self.table.script(obligation, every, path, theorems)
            if z3_status(script.decode(), self.solver.limits) != obligation.expected:
                raise NotShown(f"z3 does not show it by itself: {obligation.about}")
            entries.append(_entry(path, obligation, every))
        by: Literal["evaluation", "solver"]
        by = "evaluation" if len(entries) == 1 and entries[0].trivial else "solver"
        return PropertyEntry(prop.name, prop.kind, by, one.result.story, obligations=entries)

    def _by_induction(self, one: Proved) -> PropertyEntry:
        """Return the entry of a property that induction proves. Raises `NotShown` and `Unsupported`."""
        prop = one.prop
        own = self._names(one)
        names = max((tuple(sorted(k)) for k in self.known if k >= own), key=lambda k: (len(k), k))
        if names not in self.inductions:
            try:
                self.inductions[names] = self._induction(names)
            except (NotShown, NoSuchInvariant, Unsupported) as reason:
                self.inductions[names] = NotShown(f"its invariants have no certificate: {reason}")
        induction = self.inductions[names]
        if isinstance(induction, NotShown):
            raise induction
        proof = self.table.proof(prop.name, names)
        obligations: list[ObligationEntry] = []
        for number, ask in enumerate(self.table.of_property(proof, prop, one.result.bound), 1):
            levels: tuple[Axioms, ...] = (
                (NO_AXIOMS, WEAK, EXACT) if prop.name == DEADLOCK_FREEDOM else (NO_AXIOMS,)
            )
            obligations.append(self._asked(ask, property_path(self.instance, prop, number), levels))
        story, bound = one.result.story, one.result.bound
        return PropertyEntry(prop.name, prop.kind, "induction", story, induction.name, obligations, bound)

    def _names(self, one: Proved) -> frozenset[str]:
        """Return the names of the invariants by which a property was proved."""
        return frozenset(
            (*one.result.lemmas, *([one.prop.name] if one.prop.name in self.table.stated else []))
        )

    def _asked(self, ask: Ask, path: str, levels: Sequence[Axioms]) -> ObligationEntry:
        """Return the entry of an obligation with the first of these axioms that suffice. Raises `NotShown`."""
        about = ""
        for axioms in levels:
            obligation = ask(axioms)
            entry = self._shown(obligation, path, axioms)
            if entry is not None:
                return entry
            about = obligation.about
        raise NotShown(f"z3 does not show it by itself: {about}")

    def _shown(self, obligation: Obligation, path: str, axioms: Axioms = NO_AXIOMS) -> ObligationEntry | None:
        """Write the script of an obligation and return its entry; None if z3 does not show it."""
        needed = self.reducer.needed(obligation)
        if needed is None:
            return None
        for chosen in (needed, tuple(range(len(obligation.hypotheses)))):
            script = self.table.script(obligation, chosen, path)
            if z3_status(script.decode(), self.solver.limits) == UNSAT:
                self.files[path] = script
                return _entry(path, obligation, chosen, axioms)
        return None

    # ------------------------------------------------------------------ invariants

    def _induction(self, names: tuple[str, ...]) -> InductionEntry:
        """Return which of these invariants hold by induction and which follow from the others. Raises `NotShown`."""
        name = f"{self.folder}/invariants-{len(self.inductions) + 1}"
        inductive = set(names)
        while (entries := self._preserved(names, inductive, name)) is None:
            pass  # fewer are left
        for path, ask in induction_asks(self.table, name, names, inductive):
            if path not in self.files:
                entries.append(self._asked(ask, path, (NO_AXIOMS, EXACT)))
        invariants = [InvariantEntry(n, "induction" if n in inductive else "consequence") for n in names]
        return InductionEntry(name, invariants, entries)

    def _preserved(
        self, names: tuple[str, ...], inductive: set[str], place: str
    ) -> list[ObligationEntry] | None:
        """Return the entries of the start and of each step, or None after some invariants turned out not inductive."""
        before = len(inductive)
        entries: list[ObligationEntry] = []
        for path, ask in induction_asks(self.table, place, names, inductive):
            obligation = ask(NO_AXIOMS)
            if obligation.kind == CONSEQUENCE:
                break
            entry = self._shown(obligation, path)
            if entry is not None:
                entries.append(entry)
                continue
            failing = {
                goal.words
                for goal in obligation.goals
                if self.reducer.needed(replace(obligation, goals=(goal,))) is None
            }
            if not failing:
                raise NotShown(f"z3 does not show it by itself: {obligation.about}")
            inductive -= failing
        return entries if len(inductive) == before else None


def _entry(
    path: str, obligation: Obligation, chosen: Sequence[int], axioms: Axioms = NO_AXIOMS
) -> ObligationEntry:
    return ObligationEntry(
        path,
        obligation.kind,
        obligation.about,
        obligation.expected,
        packed(chosen),
        axioms,
        obligation.trivial,
    )


def is_statement(instance: Instance, prop: PropertyDecl) -> bool:
    """Return whether a property reads nothing of a game under way, and is decided as a theorem."""
    return prop.name.endswith(BRINGS) or is_about_rules(instance.rule_set, prop)


def induction_asks(
    table: CertificateTable, place: str, names: Sequence[str], inductive: Collection[str]
) -> Iterator[tuple[str, Ask]]:
    """Yield every obligation of some invariants, of which these are inductive, with the path of its file.

    Raises `NoSuchInvariant` and `Unsupported`.
    """
    if not names:
        return
    proof = table.proof(place.rpartition("/")[2], names)
    yield f"{place}/start{SCRIPT}", lambda _: proof.start(inductive)
    for number, step in enumerate(proof.steps(), 1):
        yield f"{place}/step-{number:04d}{SCRIPT}", partial(_ignoring_axioms, step, inductive)
    for action, choices in table.illegal.items():
        yield f"{place}/illegal-{slug(action)}{SCRIPT}", partial(_illegal, proof, choices)
    for number, name in enumerate((n for n in names if n not in inductive), 1):
        yield f"{place}/consequence-{number:04d}{SCRIPT}", partial(proof.consequence, name, inductive)


def _ignoring_axioms(
    step: Callable[[Collection[str]], Obligation], inductive: Collection[str], _: Axioms
) -> Obligation:
    return step(inductive)


def _illegal(proof: InductionObligations, choices: Sequence[Illegal], _: Axioms) -> Obligation:
    return proof.illegal(choices)


def property_path(instance: Instance, prop: PropertyDecl, number: int) -> str:
    """Return the path of an obligation of a property."""
    return f"{folder_of(instance)}/{slug(prop.name)}/{number:04d}{SCRIPT}"


def folder_of(instance: Instance) -> str:
    """Return the folder of a table in a certificate."""
    rules = instance.rule_set
    options = "".join(f"-{slug(name)}={value}" for name, value in sorted(instance.options.items()))
    return f"{slug(rules.rules)}-{instance.players}p{options}"

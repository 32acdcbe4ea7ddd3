"""What `golpae prove` finds, as cases of continuous integration: a suite a rule set, a case a property and table.

Input: the results of a run.
Output: a `Run`.
Guarantee: a verdict that is unknown or not the expected one fails; only what nobody measured is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from golpae.diagnostics.amounts import options_in_words
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import UNKNOWN
from golpae.report.ci.findings import Case, FilePlace, Finding, Level, Rule, Run, run_of
from golpae.report.ci.places import TextPlaces
from golpae.report.families.proofs import more, verdict
from golpae.report.paint import unpainted
from golpae.report.proofs_detail import Again, detail_lines
from golpae.report.proofs_rows import ProofRow
from golpae.verify.families.results import FamilyResult
from golpae.verify.kept_files import Locked
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, DEVIATES, NOT_ASKED, meaningful, status, unanswered

WIDTH = 110


def proofs(
    results: Sequence[PropertyResult],
    again: Again,
    code: int,
    places: TextPlaces,
    rule_sets: Mapping[str, RuleSet],
    disagreements: Sequence[str] = (),
) -> Run:
    """Return the run that has these results and ends with the status `code`."""
    results = meaningful(results)
    cases = [_case(f, again, places, rule_sets.get(f.rules)) for f in results]
    for words in disagreements:
        rule = Rule("solvers", "two solvers disagree", "One of two solvers is wrong: report it.")
        cases.append(Case("solvers", "agree", Finding(rule, "error", "disagreement", words), words))
    facts = {f.rules: {"spec_hash": f.spec_hash, **f.solvers} for f in reversed(results)}
    return run_of("prove", cases, code, _counted(cases, "propert"), facts)


def proofs_of_families(results: Sequence[FamilyResult], code: int, places: TextPlaces) -> Run:
    """Return the run about what holds for which rule sets: a suite a family, a case a property and table."""
    cases = []
    for f in results:
        name = f"{f.name} ({', '.join([f'{f.players} players', *options_in_words(f.options)])})"
        whole = "\n".join((verdict(f), *more(f)))
        finding = None
        if f.unexpected is not None or not f.is_decided:
            kind = UNKNOWN if f.unexpected is None else "unexpected"
            short = verdict(f) if f.unexpected is None else f"not as expected: {f.unexpected}"
            base = f.rules.partition("+")[0]
            place = places.place(base, f"property {f.name}")
            level: Level = "warning" if f.unexpected is None else "error"
            finding = Finding(
                _rule(base, f.name, f.ids, None), level, kind, short, place, details=tuple(more(f)), key=name
            )
        cases.append(Case(f.rules, name, finding, whole))
    return run_of("prove", cases, code, _counted(cases, "propert"))


def locked_files(files: Sequence[Locked], code: int) -> Run:
    """Return the run that asked whether files of kept proofs belong to their texts."""
    cases = []
    for one in files:
        rule = Rule(
            "kept-proofs",
            "kept proofs that do not belong to their text",
            "`golpae prove --write` writes them.",
        )
        finding = (
            None
            if one.advice is None
            else Finding(
                rule, "error", "stale", one.words, FilePlace(one.at), details=(f"help: {one.advice}",)
            )
        )
        cases.append(Case("kept proofs", one.file, finding, one.words))
    return run_of("prove", cases, code, _counted(cases, "file"))


def _counted(cases: Sequence[Case], what: str) -> str:
    """Return how many cases there are, and how many fail."""
    ends = {"propert": ("y", "ies"), "file": ("", "s")}[what]
    bad = sum(case.fails for case in cases)
    words = f"{len(cases):,} {what}{ends[len(cases) != 1]}"
    return f"{words}, all as expected" if not bad else f"{words}, {bad:,} not as expected"


def _case(f: PropertyResult, again: Again, places: TextPlaces, rules: RuleSet | None) -> Case:
    name = f.name + (f" ({ProofRow((f,)).at})" if f.players or f.options else "")
    details = "\n".join(detail_lines(ProofRow((f,)), unpainted, again, WIDTH, whole=True))
    if not _fails(f):
        skipped = f.story if status(f) == NOT_ASKED else None
        return Case(f.rules, name, None, details, f.seconds, skipped)
    short = f"{f.verdict}, expected {f.expected}: {f.vacuous or f.story}"
    if status(f) == AS_EXPECTED:
        short = f"second solver: {f.checked}"
    finding = Finding(
        _rule(f.rules.partition("+")[0], f.name, f.ids, rules),
        "error" if status(f) == DEVIATES else "warning",
        f.verdict,
        f"{name}: {short}",
        places.place(f.rules, f"property {f.name}", spec_hash=f.spec_hash),
        tuple(_related(f)),
        f"{f.rules}.{f.name}",
        tuple(details.split("\n")),
        name,
    )
    return Case(f.rules, name, finding, details, f.seconds)


def _related(f: PropertyResult) -> Iterator[tuple[FilePlace, str]]:
    place = f.unsupported
    if place is not None and place.file is not None:
        yield FilePlace(place.file, place.line or 1), f"the prover does not support this: {place.words}"
    if f.witness_file is not None:
        yield FilePlace(f.witness_file), "the game that shows it"


def _rule(game: str, name: str, numbers: Sequence[str], rules: RuleSet | None) -> Rule:
    """Return the rule of a property: its own name, with the sources that it cites."""
    cited = []
    for number in numbers:
        rule = None if rules is None else rules.rule(number)
        cited.append(number if rule is None else f"{number} (source {rule.source}: {rule.gist})")
    return Rule(f"{game}/{name}", f"the property {name} of {game}", source=", ".join(cited))


def _fails(f: PropertyResult) -> bool:
    return status(f) not in (AS_EXPECTED, NOT_ASKED) or unanswered(f)

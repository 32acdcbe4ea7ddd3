"""Render results as JUnit XML, for continuous integration: a suite a rule set, a case a property and table.

Input: the results of a run.
Output: the XML document.
Guarantee: a verdict that is unknown or not the expected one is a failure; only what nobody measured is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from golpae.diagnostics.hidden import HIDDEN
from golpae.prove.answer import UNKNOWN
from golpae.report.families import more, verdict
from golpae.report.paint import unpainted
from golpae.report.proofs_detail import Again, detail_lines
from golpae.report.proofs_rows import Row
from golpae.verify.families.run import FamilyResult
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, NOT_ASKED, meaningful, status, unanswered

UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDTH = 110


def junit(results: Sequence[PropertyResult], again: Again, disagreements: Sequence[str] = ()) -> str:
    """Return the document."""
    results = meaningful(results)
    root = Tree.Element("testsuites", name="golpae prove")
    suites: dict[str, list[PropertyResult]] = {}
    for f in results:
        suites.setdefault(f.rules, []).append(f)
    for rules, of_rules in suites.items():
        suite = Tree.SubElement(root, "testsuite", name=_text(rules))
        properties = Tree.SubElement(suite, "properties")
        about = {"spec_hash": of_rules[0].spec_hash, **of_rules[0].solvers}
        for name, value in about.items():
            Tree.SubElement(properties, "property", name=_text(name), value=_text(value))
        for f in of_rules:
            _case(suite, f, again)
        failures, seconds = sum(_fails(f) for f in of_rules), sum(f.seconds for f in of_rules)
        _count(suite, len(of_rules), failures, _skipped(of_rules), seconds)
    if disagreements:
        suite = Tree.SubElement(root, "testsuite", name="solvers")
        for words in disagreements:
            case = Tree.SubElement(suite, "testcase", name="agree", classname="solvers", time="0")
            Tree.SubElement(case, "failure", message=_text(words), type="disagreement").text = _text(words)
        _count(suite, len(disagreements), len(disagreements), 0, 0.0)
    failures = sum(_fails(f) for f in results) + len(disagreements)
    seconds = sum(f.seconds for f in results)
    _count(root, len(results) + len(disagreements), failures, _skipped(results), seconds)
    return _document(root)


def junit_of_families(results: Sequence[FamilyResult]) -> str:
    """Return the document about what holds for which rule sets: a suite a family, a case a property and table."""
    root = Tree.Element("testsuites", name="golpae prove")
    suites: dict[str, list[FamilyResult]] = {}
    for f in results:
        suites.setdefault(f.rules, []).append(f)
    failed = [f for f in results if f.unexpected is not None or not f.is_decided]
    for rules, of_rules in suites.items():
        suite = Tree.SubElement(root, "testsuite", name=_text(rules))
        for f in of_rules:
            at = "".join(f", {name} {value}" for name, value in f.options.items())
            name = f"{f.name} ({f.players} players{at})"
            case = Tree.SubElement(suite, "testcase", name=_text(name), classname=_text(rules), time="0.000")
            whole = _text("\n".join((verdict(f), *more(f))))
            if f in failed:
                kind = UNKNOWN if f.unexpected is None else "unexpected"
                short = verdict(f) if f.unexpected is None else f"not as expected: {f.unexpected}"
                Tree.SubElement(case, "failure", message=_text(short), type=kind).text = whole
            else:
                Tree.SubElement(case, "system-out").text = whole
        _count(suite, len(of_rules), sum(f in failed for f in of_rules), 0, 0.0)
    _count(root, len(results), len(failed), 0, 0.0)
    return _document(root)


def _document(root: Tree.Element) -> str:
    Tree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Tree.tostring(root, encoding="unicode")


def _case(suite: Tree.Element, f: PropertyResult, again: Again) -> None:
    at = f" ({Row((f,)).at})" if f.players or f.options else ""
    case = Tree.SubElement(
        suite, "testcase", name=_text(f.name + at), classname=_text(f.rules), time=f"{f.seconds:.3f}"
    )
    whole = _text("\n".join(detail_lines(Row((f,)), unpainted, again, WIDTH, whole=True)))
    if _fails(f):
        short = f"{f.verdict}, expected {f.expected}: {f.vacuous or f.story}"
        if status(f) == AS_EXPECTED:
            short = f"second solver: {f.checked}"
        Tree.SubElement(case, "failure", message=_text(short), type=_text(f.verdict)).text = whole
    elif status(f) == NOT_ASKED:
        Tree.SubElement(case, "skipped", message=_text(f.story))
    else:
        Tree.SubElement(case, "system-out").text = whole


def _fails(f: PropertyResult) -> bool:
    return status(f) not in (AS_EXPECTED, NOT_ASKED) or unanswered(f)


def _count(element: Tree.Element, tests: int, failures: int, skipped: int, seconds: float) -> None:
    element.attrib |= {
        "tests": str(tests),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
        "time": f"{seconds:.3f}",
    }


def _skipped(results: Sequence[PropertyResult]) -> int:
    return sum(status(f) == NOT_ASKED for f in results)


def _text(text: str) -> str:
    """Return text without the characters that XML does not allow, or that nobody sees."""
    return UNWRITABLE.sub(" ", HIDDEN.sub(lambda found: found[0] if found[0] in "\n\t" else " ", text))

"""Findings as JUnit XML, which continuous integration shows: a suite a rule set, a case a property and table.

A verdict that is not the expected one is a failure, and so is one that is unknown: nothing is ever skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from golpae.report.paint import unpainted
from golpae.report.proofs_detail import Again, story
from golpae.report.proofs_rows import Row
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, meaningful, status, unanswered

UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDTH = 110


def junit(findings: Sequence[PropertyResult], again: Again, disagreements: Sequence[str] = ()) -> str:
    """The document."""
    findings = meaningful(findings)
    root = Tree.Element("testsuites", name="golpae prove")
    suites: dict[str, list[PropertyResult]] = {}
    for f in findings:
        suites.setdefault(f.rules, []).append(f)
    for rules, found in suites.items():
        suite = Tree.SubElement(root, "testsuite", name=_text(rules))
        properties = Tree.SubElement(suite, "properties")
        about = {"spec_hash": found[0].spec_hash, **found[0].solvers}
        for name, value in about.items():
            Tree.SubElement(properties, "property", name=_text(name), value=_text(value))
        for f in found:
            _case(suite, f, again)
        _count(suite, len(found), sum(_fails(f) for f in found), sum(f.seconds for f in found))
    if disagreements:
        suite = Tree.SubElement(root, "testsuite", name="solvers")
        for words in disagreements:
            case = Tree.SubElement(suite, "testcase", name="agree", classname="solvers", time="0")
            Tree.SubElement(case, "failure", message=_text(words), type="disagreement").text = _text(words)
        _count(suite, len(disagreements), len(disagreements), 0.0)
    failures = sum(_fails(f) for f in findings) + len(disagreements)
    _count(root, len(findings) + len(disagreements), failures, sum(f.seconds for f in findings))
    Tree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Tree.tostring(root, encoding="unicode")


def _case(suite: Tree.Element, f: PropertyResult, again: Again) -> None:
    at = f" ({Row((f,)).at})" if f.players or f.options else ""
    case = Tree.SubElement(
        suite, "testcase", name=_text(f.name + at), classname=_text(f.rules), time=f"{f.seconds:.3f}"
    )
    whole = _text("\n".join(story(Row((f,)), unpainted, again, WIDTH, whole=True)))
    if _fails(f):
        short = f"{f.verdict}, expected {f.expected}: {f.vacuous or f.story}"
        if status(f) == AS_EXPECTED:
            short = f"second solver: {f.checked}"
        Tree.SubElement(case, "failure", message=_text(short), type=_text(f.verdict)).text = whole
    else:
        Tree.SubElement(case, "system-out").text = whole


def _fails(f: PropertyResult) -> bool:
    return status(f) != AS_EXPECTED or unanswered(f)


def _count(element: Tree.Element, tests: int, failures: int, seconds: float) -> None:
    element.attrib |= {
        "tests": str(tests),
        "failures": str(failures),
        "errors": "0",
        "skipped": "0",
        "time": f"{seconds:.3f}",
    }


def _text(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return UNWRITABLE.sub(" ", text)

"""Render a run as JUnit XML: a suite for each file or rule set, a case for each thing that was decided.

Input: a `Run`.
Output: the XML document.
Guarantee: a case fails if its finding does; only what nobody asked is skipped. The document has no character that XML
does not allow, or that nobody sees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from golpae.diagnostics.hidden import hidden
from golpae.report.ci.findings import Case, Run

UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(run: Run) -> str:
    """Return the document."""
    root = Tree.Element("testsuites", name=_text(f"golpae {run.verb}"))
    for name, cases in run.suites.items():
        suite = Tree.SubElement(root, "testsuite", name=_text(name))
        if name in run.facts:
            properties = Tree.SubElement(suite, "properties")
            for key, value in run.facts[name].items():
                Tree.SubElement(properties, "property", name=_text(key), value=_text(value))
        for case in cases:
            _case(suite, case)
        _count(suite, cases)
        suite.attrib["skipped"] = str(sum(case.skipped is not None and not case.fails for case in cases))
    _count(root, run.cases)
    Tree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Tree.tostring(root, encoding="unicode")


def _case(suite: Tree.Element, case: Case) -> None:
    element = Tree.SubElement(
        suite,
        "testcase",
        name=_text(case.name),
        classname=_text(case.of or case.suite),
        time=f"{case.seconds:.3f}",
    )
    if case.finding is not None and case.finding.fails:
        kind, message = _text(case.finding.kind), _text(case.finding.message)
        Tree.SubElement(element, "failure", message=message, type=kind).text = _text(case.told)
    elif case.skipped is not None:
        Tree.SubElement(element, "skipped", message=_text(case.skipped))
    elif case.told:
        Tree.SubElement(element, "system-out").text = _text(case.told)


def _count(element: Tree.Element, cases: Sequence[Case]) -> None:
    element.attrib |= {
        "tests": str(len(cases)),
        "failures": str(sum(case.fails for case in cases)),
        "errors": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _text(text: str) -> str:
    """Return text without the characters that XML does not allow, or that nobody sees."""
    return UNWRITABLE.sub(" ", hidden().sub(lambda result: result[0] if result[0] in "\n\t" else " ", text))

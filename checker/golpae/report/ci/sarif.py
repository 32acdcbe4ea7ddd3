"""Render a run as SARIF 2.1.0, which code hosts show beside the lines of a change.

Input: a `Run`.
Output: the JSON document.
Guarantee: rules and fingerprints stay the same from run to run; text of traces and rules is never read as a link. Every
result has the place of a file: code scanning of GitHub refuses a whole document for one without.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from golpae import __version__, exit_codes
from golpae.diagnostics.hidden import hidden, on_one_line
from golpae.report.ci.findings import FilePlace, Finding, Rule, Run
from golpae.report.ci.places import in_repository

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
TOP = "%SRCROOT%"
NO_FILE = "no-file"  # where results are that belong to no file
FINGERPRINT = "golpaeFinding/v1"
LINK = re.compile(r"(?<!\\)\[([^\[\]]*)\](?=\()")
PLACEHOLDER = re.compile(r"\{(\d+)\}")


def sarif(run: Run) -> str:
    """Return the document."""
    rules: dict[str, Rule] = {}
    for finding in run.findings:
        rules.setdefault(finding.rule.id, finding.rule)
    numbers = {id_: number for number, id_ in enumerate(rules)}
    alike: Counter[str] = Counter()
    results = []
    for finding in run.findings:
        alike[finding.fingerprint] += 1
        print_ = f"{finding.fingerprint}:{alike[finding.fingerprint]}"
        results.append(_result(finding, numbers[finding.rule.id], print_))
    driver = {
        "name": "golpae",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules.values()],
    }
    whole = run.status not in (exit_codes.WRONG_INPUT, exit_codes.FAULT, exit_codes.INTERRUPTED)
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"golpae/{run.verb}/"},
                "invocations": [{"executionSuccessful": whole, "exitCode": run.status}],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return json.dumps(document, indent=1)


def _rule(rule: Rule) -> dict[str, Any]:
    text = ": ".join(part for part in (rule.source, rule.text or rule.title) if part)
    return {
        "id": rule.id,
        "shortDescription": {"text": _text(rule.title)},
        "fullDescription": {"text": _text(text)},
        "help": {"text": _text(text)},
    }


def _result(finding: Finding, number: int, fingerprint: str) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _place(finding.place or FilePlace(NO_FILE))}
    if finding.clause is not None:
        name = finding.clause.rpartition(".")[2]
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": finding.clause}]
    related = [
        {"id": at, "message": {"text": _text(words)}, "physicalLocation": _place(place)}
        for at, (place, words) in enumerate(finding.related, 1)
    ]
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": number,
        "level": finding.level,
        "message": {"text": _text("\n".join((finding.message, *finding.details)))},
        "locations": [location],
        **({"relatedLocations": related} if related else {}),
        **({"suppressions": [_suppression(finding.stands)]} if finding.stands is not None else {}),
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"kind": finding.kind},
    }


def _suppression(reason: str) -> dict[str, str]:
    """Return the suppression of a finding that somebody let stand: services do not show it as an open one."""
    return {"kind": "external", "status": "accepted", "justification": on_one_line(reason)}


def _place(place: FilePlace) -> dict[str, Any]:
    inside, file = in_repository(place.file), Path(place.file)
    if inside is not None:
        artifact = {"uri": quote(inside, errors="replace"), "uriBaseId": TOP}
    else:
        artifact = {"uri": file.absolute().as_uri() if file.exists() else quote(place.file, errors="replace")}
    region = {"startLine": place.line}
    if place.column is not None:
        region["startColumn"] = place.column
        if place.end is not None:
            region["endColumn"] = place.end
    return {"artifactLocation": artifact, "region": region}


def _text(text: str) -> str:
    """Return text for a message: what looks like a link or like a place for an argument is neither."""
    shown = hidden().sub(lambda result: "\n" if result[0] == "\n" else " ", text)
    return PLACEHOLDER.sub(r"{{\1}}", LINK.sub(r"\\[\1\\]", shown))

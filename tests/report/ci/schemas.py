"""Documents held against the schemas of their formats (`schemas/README.md` says whose they are)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import xmlschema

FOLDER = Path(__file__).parent / "schemas"


def valid_sarif(text: str) -> dict[str, Any]:
    """Return the one run of a SARIF document, which is valid."""
    document = json.loads(text)
    _sarif().validate(document)
    [run] = document["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        [location] = result[
            "locations"
        ]  # code scanning of GitHub refuses the whole document for a result without
        assert location["physicalLocation"]["artifactLocation"]["uri"]
    prints = [result["partialFingerprints"]["golpaeFinding/v1"] for result in run["results"]]
    assert len(prints) == len(set(prints))
    assert isinstance(run, dict)
    return run


def valid_junit(text: str) -> str:
    """Return a JUnit document, which is valid."""
    _junit().validate(text)
    return text


@cache
def _sarif() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads((FOLDER / "sarif-2.1.0.json").read_text(encoding="utf-8")))


@cache
def _junit() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(FOLDER / "junit-10.xsd"))

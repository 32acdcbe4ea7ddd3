"""What random texts found once: each small text in `found`, with games and their verdicts beside it.

The note in the header of a game is its verdict: `legal`, `incomplete`, `malformed at 3`, or `illegal at 2: turn` with
the number of the event and the condition. A text without games was wrong in some other way; all of them are played.
A file `.verdicts` beside a text has a line for each property that is proved, with the verdicts that it may have.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import bounds, instantiate
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.differential.against_judge import MALFORMED
from tests.differential.by_syntax import check_by_syntax
from tests.differential.checks import Limits, Report, check_text, rule_sets_of
from tests.differential.recorded_games import Ending, Recorded
from tests.differential.texts import RuleText

FOLDER = Path(__file__).parent / "found"
TEXTS = sorted(FOLDER.glob("*.golpae"))
VERDICTS = sorted(FOLDER.glob("*.verdicts"))
# They take three seconds and more. The random texts, which are changes of these, come upon the same faults.
LONG = {"names-of-a-witness", "many-orders-before"}
GAMES = sorted(FOLDER.glob("*.jsonl"))


def text_of(file: Path, seed: int = 0) -> RuleText:
    return RuleText(file.stem, file.with_suffix(".golpae").read_text(), seed)


def traces(file: Path) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return the games of a file: each header with its events."""
    out: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    for line in map(json.loads, file.read_text().splitlines()):
        if "golpae" in line:
            out.append((line, []))
        else:
            out[-1][1].append(line)
    return out


def said(ending: Ending) -> str:
    """Return a verdict as the notes write it."""
    if ending.name is None:
        return "legal" if ending.over else "incomplete"
    return (
        f"malformed at {ending.event}"
        if ending.name == MALFORMED
        else f"illegal at {ending.event}: {ending.name}"
    )


# The seeds of games.
SEEDS = [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.stem))
def test_a_text_that_was_wrong_once_has_no_findings(file: Path, seed: int) -> None:
    assert check_text(text_of(file, seed), Limits(steps=True)).findings == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "file", [file for file in TEXTS if text_of(file).switches], ids=lambda file: str(file.stem)
)
def test_a_text_that_was_compared_wrongly_with_its_variants_has_no_findings(file: Path, seed: int) -> None:
    report = Report()
    check_by_syntax(text_of(file, seed), report)
    assert report.findings == []
    assert report.counts["compared by syntax"] > 0


@pytest.mark.parametrize("file", GAMES, ids=lambda file: str(file.stem))
def test_a_game_that_was_judged_wrongly_once_has_its_verdict(file: Path) -> None:
    text = text_of(file)
    found: list[str] = []
    rule_sets = rule_sets_of(text, text.switches)
    readers = Recorded(
        text.name,
        rule_sets,
        {name: text.as_written(*name.split("+")[1:]) for name in rule_sets},
        random.Random(1),
        lambda kind, detail, _: found.append(f"{kind}: {detail}"),
        Counter(),
    )
    for header, events in traces(file):
        ending = readers.one(
            header["rules"], len(header["players"]), header.get("options", {}), header.get("stake", 1), events
        )
        assert said(ending) == header["note"], events
    assert found == []


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=[pytest.mark.slow] * (file.stem in LONG)) for file in VERDICTS],
    ids=lambda file: str(file.stem),
)
def test_a_property_that_was_judged_wrongly_once_has_its_verdict(file: Path) -> None:
    text = text_of(file)
    rules = rule_sets_of(text, ())[text.name]
    table = instantiate(rules, bounds(rules, {})[0], {})
    verifier = Verifier(table, Settings(effort=0.2))
    declared = {prop.name: prop for prop in properties_of(rules)}
    for line in file.read_text().splitlines():
        name, allowed = line.split(": ")
        result = verifier.verify(declared[name])
        assert result.fault is None
        assert result.verdict in allowed.split(" or "), f"{name}: {result.story}"

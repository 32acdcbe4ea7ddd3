"""Texts that only count hands, held against the judge: scores, proofs, comparisons.

Input: a text as `calculators` makes it. Output: findings and counts.
Guarantee: the judge goes through everything that can be given. These have to agree with it: what `golpae score` counts,
by the reference and on the compiled path; what `every way of` proves and refutes; whether `compare` finds a hand that
counts differently.

`python -m tests.differential.counting --seed S --texts N` checks so many texts.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from golpae.cli.main import main as golpae
from golpae.compare.games.alignment import aligned
from golpae.compare.scores.decide import decide_score
from golpae.compare.scores.differing import differing_scores
from golpae.corpus import paths
from golpae.elaborate.instance import Instance, instantiate
from golpae.ir.ruleset import ScoreDecl
from golpae.kernel.language.host import available
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.verify.options import Settings
from tests.differential.calculators import VARIANT, calculator
from tests.differential.texts import RuleText
from tests.differential.theorems import check_theorems
from tests.differential.tries import Event
from tests.differential.values import recorded
from tests.judge.evaluate import Scene
from tests.judge.every_way import all_values
from tests.judge.faults import Unclear
from tests.judge.match import start
from tests.judge.scores import can_be, score_value, ways
from tests.judge.values import Value

MOST_GIVEN = 30_000  # values of a score that the judge goes through
SCORED = 60  # hands of a text that `golpae score` scores, besides those that cannot be
SETTINGS = Settings(most=20_000_000, games=5)

Totals = dict[Any, int | None]


def check_calculator(text: RuleText) -> tuple[list[tuple[str, str]], Counter[str]]:
    """Return what is wrong on a text, and counts of what was looked at."""
    found: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    rng = random.Random(text.seed)

    def say(kind: str, detail: str, _: list[Event]) -> None:
        found.append((kind, detail))

    instances = [instantiate(text.rule_set(*switches), 2, {}) for switches in ((), (VARIANT,))]
    judged = [instantiate(text.as_written(*switches), 2, {}) for switches in ((), (VARIANT,))]
    try:
        totals = [_totals(instance) for instance in judged]
    except Unclear:
        counts["texts not judged"] += 1
        return found, counts
    counts["texts"] += 1
    lines = _check_scores(text, judged[0], totals[0], rng, say, counts)
    counts["hands scored on both paths"] += check_compiled(text, lines, say)
    check_theorems(instances[0], judged[0], SETTINGS, rng, say, counts)
    _check_comparison(instances, totals, say, counts)
    return found, counts


def _totals(instance: Instance) -> Totals:
    """Return what everything that can be given with a score comes to. Raises `Unclear`."""
    table, state = start(instance)
    scene, (score,) = Scene(table, state), instance.rule_set.scores
    out: Totals = {}
    for number, given in enumerate(all_values(score, scene)):
        if number > MOST_GIVEN:
            raise Unclear("so many values")
        if can_be(score, given, scene):
            counting = (way.total for way, _ in ways(score, given, scene) if way.counts)
            out[tuple(given.values())] = max(counting, default=None)
    return out


# ------------------------------------------------------------------ `golpae score`


def _check_scores(
    text: RuleText, instance: Instance, totals: Totals, rng: random.Random, say: Any, counts: Counter[str]
) -> list[dict[str, Any]]:
    """Score hands by the reference. Return them as lines of a file."""
    table, state = start(instance)
    (score,) = instance.rule_set.scores
    library = Library(lambda name: text.rule_set(*name.split("+")[1:]))
    given = [values for number, values in enumerate(all_values(score, Scene(table, state))) if number < 4_000]
    worth = [key for key, total in totals.items() if total is not None]
    cannot = [v for v in given if tuple(v.values()) not in totals]
    names = [param.name for param in score.params]
    chosen = [dict(zip(names, key, strict=True)) for key in _some(worth, rng)]
    chosen += [dict(zip(names, key, strict=True)) for key in _some([*totals], rng)]
    chosen += _some(cannot, rng)
    lines = []
    for values in chosen:
        line = _line(text, score, values, instance, rng)
        lines.append(line)
        scored = score_hand(line, library)
        counts["hands scored"] += 1
        key = tuple(values.values())
        if isinstance(scored, Fault) == (key in totals):
            say("calculator-refuses", f"{line}: judge {key in totals}, {scored}", [])
        elif isinstance(scored, Scored) and scored.points != totals[key]:
            say("calculator-score", f"{line}: judge {totals[key]}, score {scored.points}", [])
        elif isinstance(scored, Scored) and scored.ways and scored.ways[0].numbers:
            worth_of = score_value(score, values, Scene(table, state))
            counts["hands that count in numbers"] += 1
            if worth_of is None or dict(worth_of.numbers) != dict(scored.ways[0].numbers):
                say("calculator-numbers", f"{line}: judge {worth_of}, score {scored.ways[0].numbers}", [])
        elif isinstance(scored, Scored):
            counts["hands that count"] += scored.points is not None
        else:
            counts["hands refused"] += 1
    return lines


def _some(values: list[Any], rng: random.Random) -> list[Any]:
    return rng.sample(values, min(SCORED // 3, len(values)))


def _line(
    text: RuleText, score: ScoreDecl, values: Mapping[str, Value], instance: Instance, rng: random.Random
) -> dict[str, Any]:
    """Return a hand as `golpae score` reads it."""
    table, _ = start(instance)
    line: dict[str, Any] = {"rules": text.name, "players": 2}
    for param in score.params:
        line[param.name] = recorded(values[param.name], param.type, table, rng)
    return {key: value for key, value in line.items() if value is not None}


def check_compiled(text: RuleText, lines: list[dict[str, Any]], say: Any) -> int:
    """Score the same hands as a file, on both paths. Return how many these are."""
    if not available() or not lines:
        return 0
    with TemporaryDirectory() as folder:
        Path(folder, f"{text.name}.golpae").write_text(text.source)
        hands = Path(folder, "hands.jsonl")
        hands.write_text("".join(json.dumps(line) + "\n" for line in lines))
        outputs = []
        for least in (1 << 60, 0):
            out = StringIO()
            large = mock.patch.object(paths, "LARGE_HANDS", least)
            with large, redirect_stdout(out), redirect_stderr(StringIO()):
                golpae(["score", "--spec-path", folder, "--format", "json", str(hands)])
            outputs.append(out.getvalue().splitlines())
    for one, other in zip(*outputs, strict=True):
        if one != other:
            say("calculator-compiled", f"reference {one}, compiled {other}", [])
            break
    return len(lines)


# ------------------------------------------------------------------ comparisons


def _check_comparison(
    instances: list[Instance], totals: list[Totals], say: Any, counts: Counter[str]
) -> None:
    """Compare what the text and its variant count."""
    ours, theirs = instances
    other = instantiate(aligned(ours.rule_set, theirs.rule_set), 2, {})
    counted = [{key: total for key, total in own.items() if total is not None} for own in totals]
    same = counted[0] == counted[1]
    if not differing_scores(ours.rule_set, other.rule_set):
        if not same:
            say("calculator-compare", "the scores are the same by syntax, and count differently", [])
        return
    answer = decide_score(ours, other, "worth", SETTINGS)
    counts[f"scores compared: {answer.verdict}"] += 1
    if answer.verdict == UNKNOWN:
        return
    if (answer.verdict == PROVED) != same or (answer.verdict == REFUTED) == same:
        say("calculator-compare", f"judge {'same' if same else 'different'}: {answer}", [])


def main(words: list[str] | None = None) -> int:
    """Check texts, and print what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.counting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=int, default=100)
    given = parser.parse_args(words)
    counts: Counter[str] = Counter()
    wrong = 0
    for seed in range(given.seed, given.seed + given.texts):
        text = calculator(seed)
        if text is None:
            counts["texts with faults"] += 1
            continue
        found, own = check_calculator(text)
        counts += own
        wrong += len(found)
        sys.stdout.flush()
        for kind, detail in found[:3]:
            sys.stdout.write(f"{kind}: seed {seed}: {detail[:600]}\n")
    for name, number in sorted(counts.items()):
        sys.stdout.write(f"{number:9,} {name}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

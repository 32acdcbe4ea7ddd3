"""Which patterns of each score bring and exclude which, as golpae proves it: `python -m docs.generate.matrix`.

Input: the rule texts of `spec/`. Output: `docs/generate/matrix.json`, the matrix of every score with `brings`
lines, in each rule set; and for a page (games.py) its rows and its grid. Guarantee: a page takes no proof, because
it is made from that file. A slow test and `--check` compare the file with the proofs, which take some minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from docs.generate.files import TOP, renew
from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import Pattern

FILE = TOP / "docs" / "generate" / "matrix.json"
BRINGS_IT, EXCLUDES_IT, WITH_IT, ITSELF, NEVER = "b", "x", "·", "\\", " "  # cells of the grid
Score = tuple[Pattern, ...]


def load() -> dict[str, dict[str, Score]]:
    """Return the matrices of the file, by rule set and score."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        rules: {score: tuple(map(_pattern, rows.items())) for score, rows in scores.items()}
        for rules, scores in stored.items()
    }


def _pattern(row: tuple[str, Mapping[str, Sequence[str]] | None]) -> Pattern:
    name, others = row
    if others is None:
        return Pattern(name, True, (), ())
    return Pattern(name, False, tuple(others["brings"]), tuple(others["excludes"]))


def proved(rule_set: RuleSet) -> dict[str, Score]:
    """Return the matrix of each score of a rule set, proved with its fewest players."""
    from golpae.elaborate.instance import instantiate
    from golpae.verify.options import Settings
    from golpae.verify.properties import properties_of
    from golpae.verify.scheduler import tables
    from golpae.verify.verifier import Verifier

    out = {}
    players, options = tables(rule_set)[0]
    for prop in properties_of(rule_set):
        if prop.name.endswith(BRINGS):
            result = Verifier(instantiate(rule_set, players, options), Settings()).verify(prop)
            if result.verdict != "proved":
                raise SystemExit(f"{rule_set.rules} {prop.name}: {result.verdict}, {result.story}")
            out[prop.name.removesuffix(BRINGS)] = result.patterns
    return out


def rule_sets(games: Sequence[str]) -> Iterator[RuleSet]:
    """Yield every rule set, with no switch or one, of the games whose scores have `brings` lines."""
    for game in games:
        base = elaborate(game)
        if any(s.brings for s in base.scores):
            yield base
            yield from (elaborate(f"{game}+{s.name}") for s in base.switches)


def to_json(matrices: Mapping[str, Mapping[str, Score]]) -> str:
    """Return the text of the file. A pattern that never counts is null."""
    return (
        json.dumps(
            {
                rules: {
                    score: {
                        p.name: None if p.never else {"brings": p.brings, "excludes": p.excludes}
                        for p in patterns
                    }
                    for score, patterns in scores.items()
                }
                for rules, scores in matrices.items()
            },
            indent=1,
        )
        + "\n"
    )


# ------------------------------------------------------------------ for a page


def rows(patterns: Score) -> list[str]:
    """Return a row of a table for each pattern."""
    return [
        f"| `{p.name}` | *never counts* | |"
        if p.never
        else f"| `{p.name}` | {', '.join(p.brings)} | {', '.join(p.excludes)} |"
        for p in patterns
    ]


def changed_patterns(one: Score, other: Score) -> Score:
    """Return the patterns of `other` with a different row in `one`.

    That a pattern excludes one which never counts in `one` is no difference: the row of the latter shows it.
    """
    never = {p.name for p in one if p.never}
    counting = [replace(p, excludes=tuple(e for e in p.excludes if e not in never)) for p in other]
    return tuple(pattern for pattern, row in zip(other, counting, strict=True) if row not in one)


def grid(patterns: Score) -> list[str]:
    """Return the matrix as a grid: a row and a column for each pattern, which are numbered."""
    wide = max(len(p.name) for p in patterns)
    numbers = [f"{i:2}" for i in range(1, len(patterns) + 1)]
    digits = [" ".join(each) for each in zip(*numbers, strict=True)]
    lines = [f"{'':{wide + 3}} {each}" for each in digits if each.strip()]
    for number, row in enumerate(patterns, 1):
        cells = [_cell(row, column) for column in patterns]
        lines.append(f"{number:2} {row.name:{wide}} {' '.join(cells)}".rstrip())
    return lines


def _cell(row: Pattern, column: Pattern) -> str:
    if row.never or column.never:
        return NEVER
    if row is column:
        return ITSELF
    if column.name in row.brings:
        return BRINGS_IT
    return EXCLUDES_IT if column.name in row.excludes else WITH_IT


def main(arguments: Sequence[str]) -> int:
    """Prove the matrices and renew the file, or with `--check` only compare it. Return the exit status."""
    from docs.generate.games import games

    text = to_json({rule_set.rules: proved(rule_set) for rule_set in rule_sets(games())})
    return renew([(FILE, text)], "python -m docs.generate.matrix", check="--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

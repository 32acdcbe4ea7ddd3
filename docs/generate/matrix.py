"""Which patterns of each score bring and exclude which, as `golpae prove` finds: `python -m docs.generate.matrix`.

In: the rule texts of `spec/`. Out: `docs/generate/matrix.json`, the matrix of every score that says what its
patterns bring, in each rule set. It takes some minutes, so the pages are made from that file (games.py), and a slow
test holds the file to the proofs; `--check` does too. Here it is also written out: pattern by pattern, and as a grid.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import Pattern
from golpae.verify.properties import BRINGS

FILE = Path(__file__).resolve().parent / "matrix.json"
BRINGS_IT, EXCLUDES_IT, WITH_IT, ITSELF, NEVER = "b", "x", "·", "\\", " "  # cells of the grid
Score = tuple[Pattern, ...]


def known() -> dict[str, dict[str, Score]]:
    """What the file says, by rule set and score."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        rules: {score: tuple(map(_pattern, rows.items())) for score, rows in scores.items()}
        for rules, scores in kept.items()
    }


def _pattern(row: tuple[str, Mapping[str, Sequence[str]] | None]) -> Pattern:
    name, said = row
    if said is None:
        return Pattern(name, True, (), ())
    return Pattern(name, False, tuple(said["brings"]), tuple(said["excludes"]))


def proved(rule_set: RuleSet) -> dict[str, Score]:
    """The matrix of each score of a rule set, decided anew at its smallest table."""
    from golpae.elaborate.instance import instantiate
    from golpae.verify.options import Settings
    from golpae.verify.properties import properties_of
    from golpae.verify.scheduler import tables
    from golpae.verify.verifier import Verifier

    out = {}
    players, options = tables(rule_set)[0]
    for prop in properties_of(rule_set):
        if prop.name.endswith(BRINGS):
            found = Verifier(instantiate(rule_set, players, options), Settings()).verify(prop)
            if found.verdict != "proved":
                raise SystemExit(f"{rule_set.rules} {prop.name}: {found.verdict}, {found.story}")
            out[prop.name.removesuffix(BRINGS)] = found.patterns
    return out


def rule_sets(games: Sequence[str]) -> Iterator[RuleSet]:
    """Every rule set, with no switch or one, of the games whose scores say what their patterns bring."""
    for game in games:
        base = elaborate(game)
        if any(s.brings for s in base.scores):
            yield base
            yield from (elaborate(f"{game}+{s.name}") for s in base.switches)


def written(found: Mapping[str, Mapping[str, Score]]) -> str:
    """The text of the file. A pattern that no way that counts has is null."""
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
                for rules, scores in found.items()
            },
            indent=1,
        )
        + "\n"
    )


# ------------------------------------------------------------------ for a page


def rows(patterns: Score) -> list[str]:
    """A row of a table for each pattern."""
    return [
        f"| `{p.name}` | *never counts* | |"
        if p.never
        else f"| `{p.name}` | {', '.join(p.brings)} | {', '.join(p.excludes)} |"
        for p in patterns
    ]


def otherwise(one: Score, other: Score) -> Score:
    """The patterns that another matrix says something else of; what comes with none that never counted is said by
    the row of that one.
    """
    never = {p.name for p in one if p.never}
    kept = [replace(p, excludes=tuple(e for e in p.excludes if e not in never)) for p in other]
    return tuple(found for found, rest in zip(other, kept, strict=True) if rest not in one)


def grid(patterns: Score) -> list[str]:
    """The same as a grid: a row and a column for each pattern, which are numbered."""
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
    from docs.generate.games import games

    text = written({rule_set.rules: proved(rule_set) for rule_set in rule_sets(games())})
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print("docs/generate/matrix.json: stale")
        return 1
    FILE.write_text(text, encoding="utf-8")
    print("docs/generate/matrix.json: renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Whether the patterns of a score bring one another along just as the text says.

In: a score block and the theorems of its table. Out: an `Answer` with the whole matrix, pattern by pattern, and
each pair that is otherwise than the text says; with a hand where a hand shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir.ruleset import ScoreDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Pattern, Wrong
from golpae.prove.pattern_matrix import Matrix, matrix
from golpae.prove.scoring_ways import implied_patterns
from golpae.prove.theorem import Theorems


def brings(theorems: Theorems, score: ScoreDecl) -> Answer:
    """What `golpae prove` says of a score's `brings`. Raises `Unsupported`."""
    begin = theorems.solver.queries
    evaluator, all_ways = theorems.scoring.ways(score.name)
    found = matrix(theorems.solver, evaluator, score.name, [p.name for p in score.patterns], all_ways)
    queries = theorems.solver.queries - begin
    if found.unknown:
        many = f"{len(found.unknown)} question{'s' * (len(found.unknown) != 1)}"
        return Answer(
            UNKNOWN, f"the solver had no answer to {many}: {', '.join(found.unknown)}", queries=queries
        )
    patterns = tuple(_patterns(found))
    wrong = tuple(_wrong(theorems, score, found))
    if wrong:
        story = "; ".join(w.said for w in wrong)
        return Answer(REFUTED, story, queries=queries, patterns=patterns, wrong=wrong)
    pairs = sum(map(len, found.brings.values()))
    never = f"; {', '.join(sorted(found.never))} cannot be" if found.never else ""
    story = f"{pairs} of {len(found.brings) * (len(found.brings) - 1)} pairs{never}"
    return Answer(PROVED, story, queries=queries, patterns=patterns)


def _patterns(found: Matrix) -> Iterator[Pattern]:
    """The matrix, pattern by pattern, all in the order of the text."""

    def ordered(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(p for p in found.patterns if p in names)

    for name in found.patterns:
        if name in found.never:
            yield Pattern(name, True, (), ())
        else:
            yield Pattern(name, False, ordered(found.brings[name]), ordered(found.excludes[name]))


def _wrong(theorems: Theorems, score: ScoreDecl, found: Matrix) -> Iterator[Wrong]:
    """Each pair that is otherwise than the text says."""
    stated = implied_patterns(score)
    for name, always in found.brings.items():
        said = stated.get(name, set()) - found.never - {name}  # two may bring one another
        for other in found.patterns:
            if other in always - said:
                yield Wrong(f"{name} also brings {other}")
            elif other in said - always:
                way, model = found.counterexamples[name, other]
                yield Wrong(f"{name} does not bring {other}", tuple(theorems.scoring.describe(way, model)))

"""Whether the patterns of a score imply one another exactly as its `brings` lines say.

Input: a score and the theorems of its instance.
Output: an `Answer` with the whole matrix, pattern by pattern, and each pair that contradicts the text.
Guarantee: a pair that the text states and that does not hold comes with a counterexample hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir.ruleset import ScoreDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Pattern, Wrong
from golpae.prove.pattern_matrix import Matrix, matrix
from golpae.prove.scoring_ways import implied_patterns
from golpae.prove.theorem import Theorems


def brings(theorems: Theorems, score: ScoreDecl) -> Answer:
    """Decide the `brings` lines of a score. Raises `Unsupported`."""
    begin = theorems.solver.queries
    evaluator, all_ways = theorems.scoring.ways(score.name)
    actual = matrix(theorems.solver, evaluator, score.name, [p.name for p in score.patterns], all_ways)
    queries = theorems.solver.queries - begin
    if actual.unknown:
        many = f"{len(actual.unknown)} question{'s' * (len(actual.unknown) != 1)}"
        return Answer(
            UNKNOWN, f"the solver gave no answer to {many}: {', '.join(actual.unknown)}", queries=queries
        )
    patterns = tuple(_patterns(actual))
    wrong = tuple(_wrong(theorems, score, actual))
    if wrong:
        story = "; ".join(w.said for w in wrong)
        return Answer(REFUTED, story, queries=queries, patterns=patterns, wrong=wrong)
    pairs = sum(map(len, actual.brings.values()))
    never = f"; never: {', '.join(sorted(actual.never))}" if actual.never else ""
    story = f"{pairs} of {len(actual.brings) * (len(actual.brings) - 1)} pairs{never}"
    return Answer(PROVED, story, queries=queries, patterns=patterns)


def _patterns(actual: Matrix) -> Iterator[Pattern]:
    """Yield the matrix, pattern by pattern, in the order of the text."""

    def ordered(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(p for p in actual.patterns if p in names)

    for name in actual.patterns:
        if name in actual.never:
            yield Pattern(name, True, (), ())
        else:
            yield Pattern(name, False, ordered(actual.brings[name]), ordered(actual.excludes[name]))


def _wrong(theorems: Theorems, score: ScoreDecl, actual: Matrix) -> Iterator[Wrong]:
    """Yield each pair that contradicts the text."""
    stated = implied_patterns(score)
    for name, always in actual.brings.items():
        expected = stated.get(name, set()) - actual.never - {name}  # two patterns may imply each other
        for other in actual.patterns:
            if other in always - expected:
                yield Wrong(f"{name} also brings {other}")
            elif other in expected - always:
                way, model = actual.counterexamples[name, other]
                yield Wrong(f"{name} does not bring {other}", tuple(theorems.scoring.describe(way, model)))

"""Patterns that can never hold, because no arrangement of their score has the groups that they read, or as many; and
those that pass over hands in which groups of the same shape have another name, as one group or as several.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: a pattern that holds of some way is never noted. If a variant changes its arrangements, a score is passed
over.

    arrangement small: 1 run and 2 couples
    arrangement large: 3 runs
    pattern both 2: run in hand and size of runs = 3      no arrangement has `run` and `runs`
    pattern four 2: size of runs = 4                      `runs` are 3
    pattern none 2: size of run = 0                       a way without the group does not have the pattern at all
    pattern low 1 for each r in runs: 1m in r             for `small` the group is called `run`, which nothing reads
    pattern high 1: 9m in run                             for `large` the groups are called `runs`
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from golpae.diagnostics import Diagnostic, quoted_list
from golpae.lint.text_words import Vocabulary, words
from golpae.syntax import tree as t
from golpae.syntax.traverse import children, nodes

COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "/=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_Comparison = tuple[
    str, Callable[[int], bool], int
]  # a word, the sizes that it may have, and the number compared


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an arrangement: how many groups of a shape, and the numbers of tiles of one, if they are known."""

    shape: str
    count: int
    tiles: frozenset[int]

    def holds(self, fits: Callable[[int], bool], number: int) -> bool:
        """Return whether its size can be one that fits: the number of its groups, or of the tiles of its one group."""
        if self.count > 1:
            return fits(self.count)
        return any(fits(size) for size in self.tiles or range(1, number + 3))


_Groups = dict[str, _Part]  # the parts of an arrangement, by their words


def impossible_patterns(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each pattern that can never hold."""
    arrangements = {d.name.text: d for d in text.decls if isinstance(d, t.Arrangement)}
    changed = {delta.path[0].text for delta in text.changes}
    shapes = {d.name.text: d for d in text.decls if isinstance(d, t.Shape)}
    for score in text.own_decls:
        if not isinstance(score, t.Score):
            continue
        roots = [f.expr for f in score.fields if f.name.text == "as"]
        names = [word for root in roots for word in words(root)]
        if set(_members(names, arrangements)) & changed:
            continue
        defines = {d.name.text: d.expr for d in score.defines}
        hidden = {g.name.text for g in score.given} | {p.name for p in score.params} | set(defines)
        ways = [w for w in (_groups(arrangements[n], shapes) for n in _members(names, arrangements)) if w]
        parts: set[str] = set().union(*ways)
        known = parts - hidden
        alike = {name: name.removesuffix("s") for name in hidden - parts if name.removesuffix("s") in known}
        for pattern in score.patterns:
            test = _spelled_out(pattern, defines)
            for node in nodes(test):
                if isinstance(node, t.Name) and node.name in alike and node.name != alike[node.name]:
                    group = alike[node.name]
                    message = f"`{node.name}` is a value that is given: the groups are called `{group}`"
                    yield Diagnostic("W007", message, node.span, f"write `{group}`, or rename one of the two")
            used = {node.name for node in nodes(test) if isinstance(node, t.Name)} & known
            those = [way for way in ways if used <= set(way)]
            if used and not those:
                message = f"`{pattern.name.text}` never holds: no arrangement has {quoted_list(sorted(used))} together"
                yield Diagnostic("W007", message, pattern.name.span, "use the words of one arrangement")
            elif wrong := next(_miscounted(pattern, those), None):
                yield wrong
            else:
                yield from _passing_over(pattern, test, used, ways, _read_anywhere(score))


def _read_anywhere(score: t.Score) -> set[str]:
    """Return the names that the lines of a score read. A shape after `is` has a name of its own."""
    lines = [p.test for p in score.patterns] + [p.value for p in score.patterns]
    lines += [p.each[1] for p in score.patterns if p.each is not None]
    lines += [d.expr for d in score.defines] + [
        f.expr for f in score.fields if f.name.text in ("keep", "total")
    ]
    shapes = Counter(word for node in nodes(lines) if isinstance(node, t.Is) for word in words(node.word))
    return {*(Counter(name for line in lines for name in words(line)) - shapes)}


def _passing_over(
    pattern: t.Pattern, test: list[t.Expr], used: set[str], ways: list[_Groups], read: set[str]
) -> Iterator[Diagnostic]:
    """Yield a note if a pattern reads groups which have, in another arrangement, a name that nothing reads."""
    if any(isinstance(node, t.Is) and [*words(node.arg)] == ["arrangement"] for node in nodes(test)):
        return
    counted = [comparison for part in test for comparison in _comparisons(part, True)]
    shapes = {word: {way[word].shape for way in ways if word in way} for word in used}
    # DECISION: if an arrangement has nothing for another group of the pattern, no other name would make it hold there.
    alike = [
        way for way in ways if all(any(p.shape in shapes[w] for p in way.values()) for w in used - way.keys())
    ]
    for word in sorted(used):
        several = any(way[word].count > 1 for way in ways if word in way)
        for other, part in (item for way in alike if word not in way for item in way.items()):
            meant = several and any(name == word and not fits(part.count) for name, fits, _ in counted)
            if part.shape in shapes[word] and other not in read and not meant:
                where = f"hands with `{part.count} {other}`"
                there = f"there the group{' is' if part.count == 1 else 's are'} called `{other}`"
                message = f"`{pattern.name.text}` passes over {where}: {there}"
                advice = (
                    f"write another pattern for `{other}`, or `arrangement is ...` if other hands are meant"
                )
                yield Diagnostic("W007", message, pattern.name.span, advice)
                break


def _comparisons(expr: t.Node, truth: bool) -> Iterator[_Comparison]:
    """Yield the comparisons with the size of groups in an expression: at any place, with the opposite after `not`."""
    inner = truth is not (isinstance(expr, t.Unary) and expr.op == "not")
    own = _comparison(expr, truth)
    if own is not None:
        yield own
    for child in children(expr):
        yield from _comparisons(child, inner)


def _comparison(expr: t.Node, truth: bool) -> _Comparison | None:
    """Return the groups, the sizes for which a question about them is true, or false, and the number that it names."""
    match expr:
        case t.Binary(op=op, left=t.Unary(op="size of", arg=t.Name(name=word)), right=t.Number(value=number)):
            compare = COMPARED.get(op)
        case t.Binary(op=op, left=t.Number(value=number), right=t.Unary(op="size of", arg=t.Name(name=word))):
            compare = COMPARED.get(FLIPPED.get(op, op))
        case t.Is(arg=t.Name(name=word), word=t.Word(text="empty"), negated=negated):
            compare, number = COMPARED["/=" if negated else "="], 0
        case t.Quantified(
            kind="no" | "some", names=(member,), domain=t.Name(name=word), body=body, size=None
        ):
            if not _always(body, member.text, word):
                return None
            compare, number = COMPARED["=" if expr.kind == "no" else ">"], 0
        case _:
            return None
    if compare is None:
        return None
    known = compare
    return word, (lambda size: known(size, number) is truth), number


def _always(body: t.Expr, member: str, groups: str) -> bool:
    """Return whether each of some groups passes a test: `yes`, or that it has their shape."""
    match body:
        case t.Truth(value=value):
            return value
        case t.Is(arg=t.Name(name=name), word=word, negated=False):
            return name == member and groups in (word.text, f"{word.text}s")
        case _:
            return False


def _members(names: list[str], arrangements: dict[str, t.Arrangement]) -> list[str]:
    """Return these arrangements and all that they join."""
    out: dict[str, None] = {}
    waiting = [name for name in names if name in arrangements]
    while waiting:
        name = waiting.pop()
        if name not in out:
            out[name] = None
            waiting += [word.text for word in arrangements[name].union if word.text in arrangements]
    return list(out)


def _groups(arrangement: t.Arrangement, shapes: dict[str, t.Shape]) -> _Groups:
    out: _Groups = {}
    for part in arrangement.parts:
        word = shape = part.shape.text
        if word not in shapes:
            shape = word.removesuffix("s")
        out[word] = _Part(shape, part.count, _tiles(shapes.get(shape)))
    return out


def _tiles(shape: t.Shape | None) -> frozenset[int]:
    """Return the number of tiles of a shape, if its head says it."""
    if shape is None:
        return frozenset()
    if shape.size is not None and shape.most is not None:
        return frozenset() if shape.most == t.OR_MORE else frozenset(range(shape.size, shape.most + 1))
    size = shape.size if shape.size is not None else len(shape.names)
    return frozenset({size} if size else ())


def _spelled_out(pattern: t.Pattern, defines: dict[str, t.Expr]) -> list[t.Expr]:
    """Return the test of a pattern and all definitions of its score that it uses."""
    out: list[t.Expr] = [pattern.test, *(() if pattern.each is None else (pattern.each[1],))]
    done: set[str] = set()
    for part in out:
        for word in sorted(set(words(part)) & set(defines) - done):
            done.add(word)
            out.append(defines[word])
    return out


def _miscounted(pattern: t.Pattern, ways: list[_Groups]) -> Iterator[Diagnostic]:
    """Yield a note for each part of a pattern that all have to hold and of which one does for no size of its groups."""
    for expr, truth in _required(pattern.test, True):
        comparison = _comparison(expr, truth)
        if comparison is None:
            continue
        word, fits, number = comparison
        parts = [way[word] for way in ways if word in way]
        if not parts or any(part.holds(fits, number) for part in parts):
            continue
        if any(part.count > 1 for part in parts):
            counts = sorted({part.count for part in parts if part.count > 1})
            equal = isinstance(expr, t.Binary) and expr.op == "=" and truth
            what = f"there are {_either(counts)} `{word}`" + (f", not {number}" if equal else "")
            advice = "count the groups that the arrangement has"
        else:
            sizes = sorted({size for part in parts for size in part.tiles})
            what = f"`{word}` is one group" + (f" of {_either(sizes)} tiles" if sizes else "")
            advice = "`size of` counts the tiles of one group"
        if fits(0) and not fits(1):
            advice = f"name the arrangements without `{word}`: `arrangement is ...`"
        message = f"`{pattern.name.text}` never holds: {what}"
        yield Diagnostic("W007", message, pattern.name.span, advice)


def _either(numbers: list[int]) -> str:
    return " or ".join(map(str, numbers))


def _required(expr: t.Expr, truth: bool) -> Iterator[tuple[t.Expr, bool]]:
    """Yield the parts of a test that all have to be true, or false."""
    match expr:
        case t.Unary(op="not", arg=arg):
            yield from _required(arg, not truth)
        case t.Binary(op="and" | "or" as op, left=left, right=right) if (op == "and") is truth:
            yield from _required(left, truth)
            yield from _required(right, truth)
        case _:
            yield expr, truth

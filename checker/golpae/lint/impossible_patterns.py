"""Patterns that can never hold, because no arrangement of their score has the groups that they read; and those that
pass over hands in which the groups that they read are one group, with another name.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: a pattern that holds of some way is never noted. If a variant changes its arrangements, a score is passed
over.

    arrangement small: 1 run and 2 couples
    arrangement large: 3 runs
    pattern both 2: run in hand and size of runs = 3      no arrangement has `run` and `runs`
    pattern four 2: size of runs = 4                      `runs` are 3
    pattern low 1 for each r in runs: 1m in r             for `small` the group is called `run`, which nothing reads
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from golpae.diagnostics import Diagnostic, quoted_list
from golpae.lint.text_words import Vocabulary, words
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

Groups = dict[str, int]  # the words of an arrangement's parts, and how many groups each stands for


def impossible_patterns(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each pattern that can never hold."""
    arrangements = {d.name.text: d for d in text.decls if isinstance(d, t.Arrangement)}
    changed = {delta.path[0].text for delta in text.changes}
    for score in text.own_decls:
        if not isinstance(score, t.Score):
            continue
        roots = [f.expr for f in score.fields if f.name.text == "as"]
        names = [word for root in roots for word in words(root)]
        if set(_members(names, arrangements)) & changed:
            continue
        ways = [w for w in (_groups(arrangements[n]) for n in _members(names, arrangements)) if w]
        defines = {d.name.text: d.expr for d in score.defines}
        hidden = {g.name.text for g in score.given} | {p.name for p in score.params} | set(defines)
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
            elif wrong := _miscounted(pattern.test, those):
                word, number, there = wrong
                message = f"`{pattern.name.text}` never holds: there are {there} `{word}`, not {number}"
                advice = "count the groups that the arrangement has"
                yield Diagnostic("W007", message, pattern.name.span, advice)
            else:
                yield from _passing_over(pattern, test, used, ways, _read_anywhere(score))


def _read_anywhere(score: t.Score) -> set[str]:
    """Return the names that the lines of a score read. A shape after `is` has a name of its own."""
    lines = [p.test for p in score.patterns] + [p.value for p in score.patterns]
    lines += [p.each[1] for p in score.patterns if p.each is not None]
    lines += [d.expr for d in score.defines] + [f.expr for f in score.fields if f.name.text == "keep"]
    shapes = Counter(word for node in nodes(lines) if isinstance(node, t.Is) for word in words(node.word))
    return {*(Counter(name for line in lines for name in words(line)) - shapes)}


def _passing_over(
    pattern: t.Pattern, test: list[t.Expr], used: set[str], ways: list[Groups], read: set[str]
) -> Iterator[Diagnostic]:
    """Yield a note if a pattern goes through groups which, in another arrangement, are one that nothing reads."""
    if any(isinstance(node, t.Is) and [*words(node.arg)] == ["arrangement"] for node in nodes(test)):
        return
    for word in sorted(used):
        group = word.removesuffix("s")
        alone = [way for way in ways if way.get(group) == 1 and word not in way]
        if group != word and alone and group not in read and not _is_counted(test, word):
            message = f"`{pattern.name.text}` passes over hands with `1 {group}`: there the group is called `{group}`"
            advice = f"write another pattern for `{group}`, or `arrangement is ...` if other hands are meant"
            yield Diagnostic("W007", message, pattern.name.span, advice)


def _is_counted(test: list[t.Expr], word: str) -> bool:
    """Return whether a test compares the number of some groups, which says of which hands it is."""
    return any(
        isinstance(node, t.Binary)
        and any(
            isinstance(side, t.Unary) and side.op == "size of" and [*words(side.arg)] == [word]
            for side in (node.left, node.right)
        )
        for node in nodes(test)
    )


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


def _groups(arrangement: t.Arrangement) -> Groups:
    return {part.shape.text: part.count for part in arrangement.parts}


def _spelled_out(pattern: t.Pattern, defines: dict[str, t.Expr]) -> list[t.Expr]:
    """Return the test of a pattern and all definitions of its score that it uses."""
    out: list[t.Expr] = [pattern.test, *(() if pattern.each is None else (pattern.each[1],))]
    done: set[str] = set()
    for part in out:
        for word in sorted(set(words(part)) & set(defines) - done):
            done.add(word)
            out.append(defines[word])
    return out


def _miscounted(expr: t.Expr, ways: list[Groups]) -> tuple[str, int, int] | None:
    """Return a group that a condition counts wrongly, with both numbers."""
    match expr:
        case t.Binary(op="and", left=left, right=right):
            return _miscounted(left, ways) or _miscounted(right, ways)
        case t.Binary(
            op="=", left=t.Unary(op="size of", arg=t.Name(name=word)), right=t.Number(value=number)
        ):
            counts = {way[word] for way in ways if word in way}
            return (
                (word, number, max(counts)) if counts and number not in counts and max(counts) > 1 else None
            )
        case _:
            return None

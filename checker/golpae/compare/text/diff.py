"""What the text of one rule set says that the text of another does not, clause by clause.

In: two resolved texts, A and B. Out: a `TextComparison`: the clauses that were added, dropped or replaced, in the
reading order of A, those that only B has where B has them. Layout, comments and the order of declarations and
clauses are no difference, nor are the names of parameters that nobody outside a clause knows, nor which side of
`and`, `or`, `=` and `/=` comes first. What is said where a clause refuses, and the rule numbers behind it, are told
apart from what it asks.

Guarantees: two texts without a difference that `counts` have the same games and the same payments.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from golpae.compare.text.clauses import NOTHING, RULES, SOURCES, STATED, Block, Clause, blocks
from golpae.compare.text.effect_order import out_of_order
from golpae.compare.text.normal_form import Form, Reader, calls_by_name
from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.resolve import Resolved
from golpae.ir.ruleset import SourceRule
from golpae.syntax import tree as t

ADDED, DROPPED, REPLACED, REORDERED = "added", "dropped", "replaced", "reordered"
RENAMED, REWORDED, RECITED, EXPECTED = "renamed", "reworded", "recited", "expected"
KINDS = (ADDED, DROPPED, REPLACED, REORDERED, RENAMED, REWORDED, RECITED, EXPECTED)
COUNTS = (ADDED, DROPPED, REPLACED, REORDERED)  # kinds that can change a game
ONLY_USED = ("define", "shape", "arrangement")  # what no rule uses serves what is stated, and no game

Key = TypeVar("Key", bound=Hashable)
Place = tuple[object, ...]  # which clause of a block it is
Keyed = dict[Place, Clause]


@dataclass(frozen=True, slots=True)
class Side:
    """A clause as one text has it: its words, the same without its message, the rule numbers that it or its
    block names, file and line. `expected` is the verdict that a property should get.
    """

    path: str
    words: str
    bare: str
    ids: tuple[str, ...]
    file: str
    line: int
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """One clause that the texts do not share.

    `part` is rules, stated (a property, or what only properties use) or sources. `says_otherwise` is whether its
    message differs too.
    `switches` are those of A and of B that changed the clause, where they are not the same. `reaches` are the
    clauses that use what it defines, and None where it defines nothing.
    """

    path: str
    kind: str
    part: str
    what: str
    old: Side | None
    new: Side | None
    says_otherwise: bool = False
    switches: tuple[str | None, str | None] = (None, None)
    reaches: tuple[str, ...] | None = None

    @property
    def counts(self) -> bool:
        """Whether it can change a game."""
        return self.part == RULES and self.kind in COUNTS

    @property
    def ids(self) -> tuple[str, ...]:
        """The rule numbers of both sides."""
        sides = [side for side in (self.old, self.new) if side is not None]
        return tuple(dict.fromkeys(i for side in sides for i in side.ids))


@dataclass(frozen=True, slots=True)
class TextComparison:
    """The differences of two texts in reading order, and the sources of all rule numbers in them.

    `unused` are variants and readings that one of the texts offers and the other does not, or not like that, and
    that neither rule set has on: its name, and `a`, `b` or `both`. `hashes` are those of the two texts.
    """

    a: str
    b: str
    hashes: tuple[str, str]
    differences: tuple[Difference, ...]
    sources: Mapping[str, SourceRule | str]
    unused: tuple[tuple[str, str], ...]

    @property
    def same(self) -> bool:
        """Whether the texts have the same rules."""
        return not any(d.counts for d in self.differences)

    def of(self, part: str) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.part == part)


def compare_texts(a: Resolved, b: Resolved, shown: Callable[[str], str] = str) -> TextComparison:
    """The differences of B against A. `shown` gives the names that the files of both are reported by.

    Raises `SpecError` (S006) where a text is nested too deep.
    """
    try:
        return _compare(a, b, shown)
    except RecursionError:
        message = f"`{a.rules}` and `{b.rules}` are nested too deep to be compared"
        advice = "name parts of their longest lines with `define`"
        raise SpecError([Diagnostic("S006", message, None, advice)]) from None


def _compare(a: Resolved, b: Resolved, shown: Callable[[str], str]) -> TextComparison:
    by_name = {name for text in (a, b) for name in calls_by_name(text.decls)}
    one, other = _Text(a, by_name, shown), _Text(b, by_name, shown)
    found: list[Difference] = []
    for key in _merged(list(one.blocks), list(other.blocks)):
        found += _of_block(one, other, one.blocks.get(key), other.blocks.get(key))
    parts = (RULES, STATED, SOURCES)
    found.sort(key=lambda d: parts.index(d.part))
    used = dict.fromkeys(i for d in found for i in d.ids)
    known = other.sources | one.sources
    sources = {i: known[i] for i in used if i in known}
    hashes = (a.spec_hash, b.spec_hash)
    return TextComparison(a.rules, b.rules, hashes, tuple(found), sources, tuple(_unused(a, b)))


class _Text:
    """One of the two texts, by names."""

    def __init__(self, resolved: Resolved, by_name: set[str], shown: Callable[[str], str]) -> None:
        self.resolved = resolved
        self.shown = shown
        self.blocks = {block.key: block for block in blocks(resolved, by_name)}
        self.changed: dict[str, str] = {}
        for change in resolved.changes:
            if change.switch is not None:
                self.changed[change.path] = change.switch
        for variant in resolved.variants:
            if variant.name.text in resolved.active:
                self.changed |= dict.fromkeys((p.name.text for p in variant.properties), variant.name.text)
        self.sources: dict[str, SourceRule | str] = {}
        for node in resolved.decls:
            if isinstance(node, t.Source):
                number = node.number.text
                self.sources[number] = node.title
                for rule in node.rules:
                    self.sources[rule.name.text] = SourceRule(rule.name.text, number, rule.section, rule.gist)
        direct: dict[str, set[str]] = {}
        for block in self.blocks.values():
            if block.name is not None:
                direct.setdefault(block.name, set()).update(*(c.uses for c in block.all))
        self.uses = {name: _closure(name, direct) for name in direct}

    def side(self, clause: Clause) -> Side:
        line, _ = clause.span.text.place(clause.span.start)
        file = self.shown(clause.span.text.name)
        return Side(clause.path, clause.words, clause.bare, clause.ids, file, line, clause.expected)

    def reached(self, name: str) -> list[str]:
        """The clauses that use what is called so, directly or by definitions; of a score no more than its name."""
        out = (
            (block.key[1] if block.key[0] == "score" else clause.path)
            for block in self.blocks.values()
            if block.part == RULES and block.key[0] not in ONLY_USED and block.name != name
            for clause in block.all
            if any(used == name or name in self.uses.get(used, ()) for used in clause.uses)
        )
        return list(dict.fromkeys(out))


def _closure(name: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    """What a definition uses, and what that uses in turn."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for used in direct.get(waiting.pop(), ()):
            if used not in found:
                found.add(used)
                waiting.append(used)
    return frozenset(found)


def _merged(a: Iterable[Key], b: Iterable[Key]) -> list[Key]:
    """All keys in the order of A; one that only B has stands behind the one before it in B."""
    first = dict.fromkeys(a)
    behind: dict[Key | None, list[Key]] = {}
    before: Key | None = None
    for key in b:
        if key in first:
            before = key
        else:
            behind.setdefault(before, []).append(key)
    out = behind.get(None, [])
    for key in first:
        out += [key, *behind.get(key, ())]
    return out


# ---------------------------------------------------------------- one block


def _of_block(one: _Text, other: _Text, a: Block | None, b: Block | None) -> Iterator[Difference]:
    """What differs in one block; as a whole where only one text has it, or has it with clauses."""
    either = a or b
    assert either is not None
    pair = _Pair(one, other, either)
    if either.clauses and either.clauses[0].form == NOTHING:
        return _of_clauses(pair, a.clauses if a else (), b.clauses if b else ())
    if a is None or b is None or bool(a.clauses) != bool(b.clauses):
        found = pair.difference(None if a is None else a.whole, None if b is None else b.whole)
        return iter(() if found is None else (found,))
    if not a.clauses:
        found = pair.difference(a.whole, b.whole)
        return iter(() if found is None else (found,))
    return _of_clauses(pair, a.clauses, b.clauses)


def _of_clauses(pair: _Pair, a: Sequence[Clause], b: Sequence[Clause]) -> Iterator[Difference]:
    first, second = _matched(a, b)
    for key in _merged(first, second):
        found = pair.difference(first.get(key), second.get(key))
        if found is not None:
            yield found
    moved = out_of_order(list(_effects(first)), list(_effects(second)), pair.uses())
    if moved:
        yield pair.reordered(
            [c for k, c in first.items() if k in moved], [c for k, c in second.items() if k in moved]
        )


def _effects(clauses: Keyed) -> Iterator[tuple[Place, t.Clause]]:
    for key, clause in clauses.items():
        if clause.node is not None:
            yield key, clause.node


def _matched(a: Sequence[Clause], b: Sequence[Clause]) -> tuple[Keyed, Keyed]:
    """The clauses of both by keys that those have in common which belong together.

    Named ones belong together by their names, effects without a name where they are the same, then where they set or
    move the same; what is left, where only the name differs.
    """
    first, second = _keyed(a), _keyed(b)
    for alike in (_target, _but_for_its_name):
        left = _only(first, second, alike)
        right = _only(second, first, alike)
        both = {new: key for new, key in right.items() if new in left}
        renamed = {key: left[new] for new, key in both.items()}
        second = {renamed.get(key, key): clause for key, clause in second.items()}
    return first, second


def _keyed(clauses: Iterable[Clause]) -> Keyed:
    out: Keyed = {}
    for clause in clauses:
        unnamed = clause.node is not None and clause.node.name.text == "then"
        kind = "effect" if clause.node is not None else "line"
        key = _counted((kind, clause.path, clause.form) if unnamed else (kind, clause.path), out)
        out[key] = clause
    return out


def _counted(key: Place, known: Mapping[Place, object]) -> Place:
    """The key with a number behind it that makes it a new one."""
    at = 0
    while (*key, at) in known:
        at += 1
    return (*key, at)


def _only(here: Keyed, there: Keyed, alike: Callable[[Clause], Form | None]) -> dict[Place, Place]:
    """The keys that only the first one has, by what their clauses are alike in."""
    out: dict[Place, Place] = {}
    for key, clause in here.items():
        form = None if key in there else alike(clause)
        if form is not None:
            out[_counted(form, out)] = key
    return out


def _target(clause: Clause) -> Form | None:
    """What an effect without a name sets, or moves from where to where."""
    if clause.node is None or clause.node.name.text != "then":
        return None
    assert isinstance(clause.node.body, t.Effects)
    match clause.node.body.effects:
        case (t.Assign(target=target),):
            return ("sets", Reader().form(target, {}))
        case (t.Move(source=source, target=target),):
            return ("moves", Reader().form(source, {}), Reader().form(target, {}))
        case (effect,):
            return ("does", type(effect).__name__)
        case _:
            return None


def _but_for_its_name(clause: Clause) -> Form | None:
    return (clause.what, clause.form)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two texts and the block that is looked at."""

    one: _Text
    other: _Text
    block: Block

    def difference(self, a: Clause | None, b: Clause | None) -> Difference | None:
        either = a or b
        assert either is not None
        if a is None or b is None:
            if either.form == NOTHING:
                return None
            kind = ADDED if a is None else DROPPED
        elif a.form != b.form:
            kind = REPLACED
        elif a.expected != b.expected:
            kind = EXPECTED
        elif a.path != b.path:
            kind = RENAMED
        elif a.says != b.says:
            kind = REWORDED
        elif set(a.own) != set(b.own):
            kind = RECITED
        else:
            return None
        reaches = self._reaches() if kind in COUNTS else None
        part = STATED if reaches == () and self.block.key[0] in ONLY_USED else self.block.part
        return Difference(
            either.path,
            kind,
            part,
            either.what,
            None if a is None else self.one.side(a),
            None if b is None else self.other.side(b),
            a is not None and b is not None and a.says != b.says,
            self._switches(either.path),
            reaches,
        )

    def reordered(self, a: Sequence[Clause], b: Sequence[Clause]) -> Difference:
        """The effects that changed places."""
        name = self.block.whole.path
        old, new = self.one.side(_together(name, a)), self.other.side(_together(name, b))
        return Difference(name, REORDERED, self.block.part, "effects", old, new)

    def uses(self) -> dict[str, frozenset[str]]:
        """What definitions use, in one text or the other."""
        names = (*self.one.uses, *self.other.uses)
        return {n: self.one.uses.get(n, frozenset()) | self.other.uses.get(n, frozenset()) for n in names}

    def _switches(self, path: str) -> tuple[str | None, str | None]:
        """The switches of A and of B that made this clause what it is, where they differ."""
        a, b = self.one.changed.get(path), self.other.changed.get(path)
        return (None, None) if a == b else (a, b)

    def _reaches(self) -> tuple[str, ...] | None:
        name = self.block.name
        if name is None or self.block.part != RULES:
            return None
        return tuple(dict.fromkeys((*self.one.reached(name), *self.other.reached(name))))


def _together(path: str, clauses: Sequence[Clause]) -> Clause:
    """Several clauses as one."""
    words = "\n".join(c.words for c in clauses)
    ids = tuple(dict.fromkeys(i for c in clauses for i in c.ids))
    return replace(clauses[0], path=path, words=words, bare=words, ids=ids)


# ---------------------------------------------------------------- what is off


def _unused(a: Resolved, b: Resolved) -> Iterator[tuple[str, str]]:
    """Switches that neither has on, with the one that offers them (`a` or `b`), or `both` where they differ."""
    if a.game.name.text != b.game.name.text:
        return
    on = {*a.active, *b.active}
    one, other = ({v.name.text: _of_switch(v) for v in text.variants} for text in (a, b))
    for name in _merged(one, other):
        if name in on or one.get(name) == other.get(name):
            continue
        yield name, "both" if name in one and name in other else "a" if name in one else "b"


def _of_switch(variant: t.Variant) -> Form:
    reader = Reader()
    deltas = sorted((reader.form(delta, {}) for delta in variant.deltas), key=repr)
    return (*deltas, *(reader.form(prop, {}) for prop in variant.properties))

"""Compare the texts of two rule sets, clause by clause.

Input: two resolved texts, A and B.
Output: a `TextComparison`: the clauses that were added, dropped or replaced, in the reading order of A; a clause
that only B has comes where B has it.
Guarantee: two texts without a difference that `counts` have the same games and the same payments.

Layout, comments and the order of declarations and clauses are no difference. Nor are the names of parameters that only
their own clause uses, or which side of `and`, `or`, `=` and `/=` comes first; but it is one if a side of `and` or `or`
may pass a limit of numbers. The message of a condition and its rule numbers are compared separately from its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from golpae.compare.text.clause_model import NOTHING, RULES, SOURCES, STATED, Block, Clause
from golpae.compare.text.clauses import blocks
from golpae.compare.text.effect_order import follows_set, out_of_order
from golpae.compare.text.normal_form import Form, Normalizer, calls_by_name
from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.resolve import Resolved
from golpae.ir.dependencies import closure
from golpae.ir.ruleset import SourceRule
from golpae.syntax import tree as t

ADDED, DROPPED, REPLACED, REORDERED = "added", "dropped", "replaced", "reordered"
RENAMED, REWORDED, RECITED, EXPECTED = "renamed", "reworded", "recited", "expected"
KINDS = (ADDED, DROPPED, REPLACED, REORDERED, RENAMED, REWORDED, RECITED, EXPECTED)
COUNTS = (ADDED, DROPPED, REPLACED, REORDERED)  # kinds that can change a game
ONLY_USED = ("define", "shape", "arrangement")  # blocks that matter to a game only if a rule uses them

Key = TypeVar("Key", bound=Hashable)
Place = tuple[object, ...]  # which clause of a block it is
Keyed = dict[Place, Clause]


@dataclass(frozen=True, slots=True)
class ClauseSide:
    """A clause as one text has it.

    `words` is its text, `bare` the text without its message, `ids` the rule numbers of the clause or its block.
    `expected` is the verdict that a property states.
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
    message differs too. `switches` are the variants of A and of B that changed the clause, if they differ. `reaches`
    are the clauses that use its definition, or None if it defines nothing.
    """

    path: str
    kind: str
    part: str
    what: str
    old: ClauseSide | None
    new: ClauseSide | None
    says_otherwise: bool = False
    switches: tuple[str | None, str | None] = (None, None)
    reaches: tuple[str, ...] | None = None

    @property
    def counts(self) -> bool:
        """Return whether it can change a game."""
        return self.part == RULES and self.kind in COUNTS

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the rule numbers of both sides."""
        sides = [side for side in (self.old, self.new) if side is not None]
        return tuple(dict.fromkeys(i for side in sides for i in side.ids))


@dataclass(frozen=True, slots=True)
class TextComparison:
    """The differences of two texts in reading order, and the sources of all rule numbers in them.

    `unused` are variants and readings that neither rule set has on, and that only one text offers or the two offer
    differently: each name with `a`, `b` or `both`. `hashes` are those of the two texts.
    """

    a: str
    b: str
    hashes: tuple[str, str]
    differences: tuple[Difference, ...]
    sources: Mapping[str, SourceRule | str]
    unused: tuple[tuple[str, str], ...]

    @property
    def same(self) -> bool:
        """Return whether the texts have the same rules."""
        return not any(d.counts for d in self.differences)

    def of(self, part: str) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.part == part)


def compare_texts(a: Resolved, b: Resolved, shown: Callable[[str], str] = str) -> TextComparison:
    """Return the differences of B against A. `shown` maps the name of a file to the name in reports.

    Raises `SpecError` (S006) if a text is nested too deep.
    """
    try:
        return _compare(a, b, shown)
    except RecursionError:
        message = f"`{a.rules}` and `{b.rules}` are nested too deep to be compared"
        advice = "name parts of their longest lines with `define`"
        raise SpecError([Diagnostic("S006", message, None, advice)]) from None


def _compare(a: Resolved, b: Resolved, shown: Callable[[str], str]) -> TextComparison:
    by_name = {name for text in (a, b) for name in calls_by_name(text.decls)}
    set_order = any(follows_set(text.decls) for text in (a, b))
    one, other = (_Text(text, by_name, set_order, shown) for text in (a, b))
    differences: list[Difference] = []
    for key in _merged(list(one.blocks), list(other.blocks)):
        differences += _of_block(one, other, one.blocks.get(key), other.blocks.get(key))
    parts = (RULES, STATED, SOURCES)
    differences.sort(key=lambda d: parts.index(d.part))
    cited = dict.fromkeys(i for d in differences for i in d.ids)
    all_sources = other.sources | one.sources
    sources = {i: all_sources[i] for i in cited if i in all_sources}
    hashes = (a.spec_hash, b.spec_hash)
    return TextComparison(a.rules, b.rules, hashes, tuple(differences), sources, tuple(_unused(a, b)))


class _Text:
    """One of the two texts, its blocks, switches and sources by name."""

    def __init__(
        self,
        resolved: Resolved,
        by_name: set[str],
        set_order: bool,
        shown: Callable[[str], str],
    ) -> None:
        self.resolved = resolved
        self.shown = shown
        self.blocks = {block.key: block for block in blocks(resolved, by_name, set_order)}
        self.changed: dict[str, str] = {}
        for change in resolved.changes:
            if change.switch is not None:
                self.changed[change.path] = change.switch
                name = change.path.partition(".")[0]
                block = self.blocks.get(("define", name))
                if block is not None and change.path not in {clause.path for clause in block.all}:
                    self.changed.setdefault(name, change.switch)  # a row: its definition differs as a whole
        for variant in resolved.variants:
            if variant.name.text in resolved.active:
                self.changed |= dict.fromkeys((p.name.text for p in variant.properties), variant.name.text)
                self.changed |= dict.fromkeys(_added_within(variant), variant.name.text)
                for reword in variant.reworded:
                    path = ".".join(word.text for word in reword.path) or "game"  # of an aim
                    self.changed.setdefault(path, variant.name.text)
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
        self.uses = {
            name: frozenset(closure(used, lambda n: direct.get(n, ()))) for name, used in direct.items()
        }

    def side(self, clause: Clause) -> ClauseSide:
        line, _ = clause.span.text.position(clause.span.start)
        file = self.shown(clause.span.text.name)
        return ClauseSide(clause.path, clause.words, clause.bare, clause.ids, file, line, clause.expected)

    def reached(self, name: str) -> list[str]:
        """Return the clauses that use a definition, directly or through others; for a score only its name."""
        out = (
            (block.key[1] if block.key[0] == "score" else clause.path)
            for block in self.blocks.values()
            if block.part == RULES and block.key[0] not in ONLY_USED and block.name != name
            for clause in block.all
            if any(used == name or name in self.uses.get(used, ()) for used in clause.uses)
        )
        return list(dict.fromkeys(out))


def _merged(a: Iterable[Key], b: Iterable[Key]) -> list[Key]:
    """Return all keys in the order of A; a key that only B has follows the one before it in B."""
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
    """Yield the differences in one block; as a whole if only one text has it, or has it with clauses."""
    either = a or b
    assert either is not None
    pair = _Pair(one, other, either)
    if either.clauses and either.clauses[0].form == NOTHING:
        return _of_clauses(pair, a.clauses if a else (), b.clauses if b else ())
    if a is None or b is None or bool(a.clauses) != bool(b.clauses):
        difference = pair.difference(None if a is None else a.whole, None if b is None else b.whole)
        return iter(() if difference is None else (difference,))
    if not a.clauses:
        difference = pair.difference(a.whole, b.whole)
        return iter(() if difference is None else (difference,))
    return _of_clauses(pair, a.clauses, b.clauses)


def _of_clauses(pair: _Pair, a: Sequence[Clause], b: Sequence[Clause]) -> Iterator[Difference]:
    first, second = _matched(a, b)
    for key in _merged(first, second):
        difference = pair.difference(first.get(key), second.get(key))
        if difference is not None:
            yield difference
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
    """Return the clauses of both by keys, so that matching clauses have the same key.

    Named clauses match by name. Effects without a name match if they are equal, then if they set or move the same.
    The rest match if only their names differ.
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


def _counted(key: Place, taken: Mapping[Place, object]) -> Place:
    """Return the key with a number after it that makes it a new one."""
    at = 0
    while (*key, at) in taken:
        at += 1
    return (*key, at)


def _only(here: Keyed, there: Keyed, alike: Callable[[Clause], Form | None]) -> dict[Place, Place]:
    """Return the keys that only `here` has, by the form that `alike` gives their clauses."""
    out: dict[Place, Place] = {}
    for key, clause in here.items():
        form = None if key in there else alike(clause)
        if form is not None:
            out[_counted(form, out)] = key
    return out


def _target(clause: Clause) -> Form | None:
    """Return the state that an unnamed effect sets, the zones between which it moves tiles, or else the kind of effect;
    None for every other clause.
    """
    if clause.node is None or clause.node.name.text != "then":
        return None
    assert isinstance(clause.node.body, t.Effects)
    effects = clause.node.body.effects
    if len(effects) != 1:
        return None
    effect = effects[0]
    if isinstance(effect, t.Assign):
        return ("sets", Normalizer().form(effect.target, {}))
    if isinstance(effect, t.Move):
        return ("moves", Normalizer().form(effect.source, {}), Normalizer().form(effect.target, {}))
    return ("does", type(effect).__name__)


def _but_for_its_name(clause: Clause) -> Form | None:
    return (clause.what, clause.form)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two texts and one block that at least one of them has."""

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
        """Return the difference that effects changed places."""
        name = self.block.whole.path
        old, new = self.one.side(_together(name, a)), self.other.side(_together(name, b))
        return Difference(name, REORDERED, self.block.part, "effects", old, new)

    def uses(self) -> dict[str, frozenset[str]]:
        """Return the names that definitions use, in one text or the other."""
        names = (*self.one.uses, *self.other.uses)
        return {n: self.one.uses.get(n, frozenset()) | self.other.uses.get(n, frozenset()) for n in names}

    def _switches(self, path: str) -> tuple[str | None, str | None]:
        """Return the switches of A and of B that changed this clause, if they differ."""
        a, b = self.one.changed.get(path), self.other.changed.get(path)
        return (None, None) if a == b else (a, b)

    def _reaches(self) -> tuple[str, ...] | None:
        name = self.block.name
        if name is None or self.block.part != RULES:
            return None
        return tuple(dict.fromkeys((*self.one.reached(name), *self.other.reached(name))))


def _added_within(variant: t.Variant) -> Iterator[str]:
    """Yield the paths of what a variant declares within a block of several lines: zones, states and groups of tiles."""
    for part in variant.parts:
        match part:
            case t.Zones(zones=zones):
                yield from (f"zones.{zone.name.text}" for zone in zones)
            case t.State(vars=variables):
                yield from (f"state.{var.name.text}" for var in variables)
            case t.Tiles(groups=groups):
                yield from (f"tiles.{group.name.text}" for group in groups)
            case _:
                pass


def _together(path: str, clauses: Sequence[Clause]) -> Clause:
    """Return several clauses as one."""
    words = "\n".join(c.words for c in clauses)
    ids = tuple(dict.fromkeys(i for c in clauses for i in c.ids))
    return replace(clauses[0], path=path, words=words, bare=words, ids=ids)


# ---------------------------------------------------------------- what is off


def _unused(a: Resolved, b: Resolved) -> Iterator[tuple[str, str]]:
    """Yield the switches that neither has on, with the text that offers them (`a` or `b`), or `both` if they differ."""
    if a.game.name.text != b.game.name.text:
        return
    on = {*a.active, *b.active}
    one, other = ({v.name.text: _of_switch(v) for v in text.variants} for text in (a, b))
    for name in _merged(one, other):
        if name in on or one.get(name) == other.get(name):
            continue
        yield name, "both" if name in one and name in other else "a" if name in one else "b"


def _of_switch(variant: t.Variant) -> Form:
    normalizer = Normalizer()
    deltas = sorted((normalizer.form(delta, {}) for delta in variant.deltas), key=repr)
    return (*deltas, *(normalizer.form(part, {}) for part in (*variant.properties, *variant.parts)))

"""Split a rule set into named clauses, each with its normal form, its text and its rule numbers.

Input: a `Resolved` text.
Output: blocks in reading order. A block is a declaration that a reader knows by its name: one line (a zone, an option,
a definition of one value), or a head with clauses (an action, a definition of cases).
Guarantee: every declaration of the rules is in some block.

    action draw(tile) by p            block `draw`: its head `draw`, `draw.turn`, `draw.then`
      turn: p = mover "not now"
      then mover := p's right
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, assert_never

from golpae.compare.text.clause_model import NOTHING, RULES, SOURCES, STATED, Block, Clause
from golpae.compare.text.normal_form import Env, Form, Normalizer, bound
from golpae.diagnostics import Span
from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.properties import expected_of
from golpae.elaborate.resolve import Resolved
from golpae.elaborate.typecheck.parameters import NAMED_TYPES
from golpae.ir.dependencies import closure
from golpae.syntax import tree as t
from golpae.syntax.format import format_clause, format_decl, format_where


def blocks(
    resolved: Resolved,
    by_name: Collection[str] = (),
    set_order: bool = True,
) -> list[Block]:
    """Return the blocks of a rule set.

    `by_name` are definitions that calls give parameters by name. `set_order` is whether the order of the set can
    matter; if it cannot, neither can the order in which a type lists its words.
    """
    out = list(_game(resolved.game))
    extractor = _ClauseExtractor(by_name, set_order)
    for node in resolved.decls:
        out += extractor.extract(node)
    return out


def _game(game: t.Game) -> Iterator[Block]:
    says = ("title", game.title, *_said(game.aim))
    own = _texts(game.ids)
    words = format_decl(_plain(game))
    yield Block(
        ("game", ""),
        RULES,
        Clause("game", "game", ("game",), says, words, words, own, own, frozenset(), game.span),
    )


def _said(notes: Iterable[t.Note]) -> tuple[str, ...]:
    """Return the sentences of notes."""
    return tuple(note.text for note in notes)


class _ClauseExtractor:
    """Splits declarations into blocks. `set_order` is whether the order of the set can matter."""

    def __init__(self, by_name: Collection[str], set_order: bool) -> None:
        self.by_name = by_name
        self.set_order = set_order

    def _normalizer(self) -> Normalizer:
        return Normalizer(self.set_order)

    def extract(self, node: t.Decl) -> Iterator[Block]:
        """Yield the blocks of a declaration."""
        match node:
            case t.Players():
                yield self._line(("players", ""), "players", "players", node, node)
            case t.Option(normally=normally):
                option = replace(node, normally=node.low if normally is None else normally)
                yield self._line(("option", node.name.text), node.name.text, "option", option, node)
            case t.Order():
                yield self._line(("order", node.name.text), node.name.text, "order", node, node)
            case t.RowSlice():
                yield self._line(("zones", node.name.text), node.name.text, "part of a row", node, node)
            case t.Kind():
                yield self._line(("kind", node.name.text), node.name.text, "kind of value", node, node)
            case t.Tiles():
                yield from self._tiles(node)
            case t.Zones(zones=zones):
                for zone in zones:
                    words = format_decl(_plain(replace(node, zones=(zone,))))
                    yield self._piece("zones", zone.name, "zone", zone, _inside(words))
            case t.State(vars=vars_, scope=scope):
                for var in vars_:
                    words = f"{_inside(format_decl(_plain(replace(node, vars=(var,)))))} (of the {scope})"
                    yield self._piece("state", var.name, "state", var, words, (scope,))
            case t.Define():
                yield self._define(node)
            case t.Group():
                yield self._group(node)
            case t.Shape():
                yield _shape(self._normalizer(), node)
            case t.Arrangement():
                joined = replace(node, union=tuple(sorted(node.union, key=lambda w: w.text)))
                name = node.name.text
                yield replace(self._line(("arrangement", name), name, "arrangement", joined, node), name=name)
            case t.Score():
                yield self._score(node)
            case t.Action():
                yield self._action(node)
            case t.Property():
                claimed = replace(node, expected=None)
                block = self._line(("property", node.name.text), node.name.text, node.kind, claimed, node)
                says = self._normalizer().message(node.message, {})
                expected = expected_of(node)
                yield replace(block, part=STATED, whole=replace(block.whole, says=says, expected=expected))
            case t.Source():
                yield from _sources(node)
            case t.Game() | t.Include() | t.Delta() | t.Reword() | t.Variant():
                return  # the title is a block of its own; a resolved text has no other of these among its rules
            case _:
                assert_never(node)

    # ---------------------------------------------------------------- lines

    def _line(self, key: tuple[str, str], path: str, what: str, complete: t.Decl, node: t.Decl) -> Block:
        """Return a declaration of one line; `complete` is the same with its defaults filled in."""
        normalizer = self._normalizer()
        form = normalizer.form(_nameless(complete), {})
        own = _texts(getattr(node, "ids", ()))
        words = format_decl(_plain(node))
        clause = Clause(path, what, form, (), words, words, own, own, frozenset(normalizer.used), node.span)
        return Block(key, RULES, clause, (), key[1] if what == "option" else None)

    def _piece(
        self, family: str, name: t.Word, what: str, node: t.Zone | t.StateVar, words: str, more: Form = ()
    ) -> Block:
        """Return a line under `zones` or `state`."""
        normalizer = self._normalizer()
        shown: Form = ()  # what players are shown decides nothing
        untitled: t.Zone | t.StateVar = node
        if isinstance(node, t.StateVar):
            shown = (node.title, node.hidden) if node.title is not None or node.hidden else ()
            untitled = replace(node, title=None, hidden=False)
        elif node.shown is not None:
            shown = (node.shown.text,)
            untitled = replace(node, shown=None)
        form = (*more, normalizer.form(_nameless(untitled), {}))
        own = _texts(node.ids)
        path = f"{family}.{name.text}"
        clause = Clause(
            path, what, form, shown, words, words, own, own, frozenset(normalizer.used), node.span
        )
        return Block((family, name.text), RULES, clause)

    def _tiles(self, node: t.Tiles) -> Iterator[Block]:
        """Yield the groups of the set, their patterns, and what is withdrawn. The number of tiles follows."""
        own = _texts(node.ids)
        for at, group in enumerate(node.groups):
            normalizer = self._normalizer()
            words = _inside(format_decl(_plain(_only_tiles(node, groups=(group,)))))
            if isinstance(group.tiles, t.Template):
                form = normalizer.form((group.copies, group.tiles.pattern, group.tiles.ranges), {})
                form = form if group.tiles.like is None else (*form, group.tiles.like)
                says: Form = (group.tiles.spoken,)
            else:
                names = [f"{x.name} like {x.like.text}" if x.like else x.name for x in group.tiles]
                form = (group.copies, *(names if self.set_order else sorted(names)))
                says = tuple(sorted((tile.name, tile.spoken or tile.name) for tile in group.tiles))
            if self.set_order:
                form = (at, *form)
            path = f"tiles.{group.name.text}"
            mine = _texts(group.ids)
            uses = frozenset(normalizer.used)
            clause = Clause(path, "tiles", form, says, words, words, mine, mine or own, uses, group.span)
            yield Block(("tiles", group.name.text), RULES, clause, (), group.name.text)
        if node.written is not None:
            words = _inside(format_decl(_plain(_only_tiles(node, written=node.written))))
            form = node.written.patterns
            clause = Clause("tiles.written", "tiles", form, (), words, words, (), own, frozenset(), node.span)
            yield Block(("tiles", "written"), RULES, clause)
        for line in node.clauses:
            clause = self._clause(line, "tiles", {}, own, "condition", "tiles")
            yield Block(("tiles", line.name.text), RULES, clause)
        if node.drawn is not None:
            words = _inside(format_decl(_plain(_only_tiles(node, drawn=node.drawn))))
            pictures: Form = (node.drawn.name.text,)
            clause = Clause(
                "tiles.drawn", "tiles", (), pictures, words, words, (), own, frozenset(), node.drawn.span
            )
            yield Block(("tiles", "drawn"), SOURCES, clause)

    # ---------------------------------------------------------------- blocks

    def _define(self, node: t.Define) -> Block:
        name = node.name.text
        own = _texts(node.ids)
        named = name in self.by_name
        env = bound({}, (w for p in node.params for w in _names_of(p)))
        signature = (node.owner, _signature(node.params, named, self.set_order))
        env = bound(env, (w.name.text for w in node.wheres))
        if not node.cases:
            normalizer = self._normalizer()
            values = tuple(normalizer.form(w.expr, env) for w in node.wheres)
            form: Form = ("define", signature, normalizer.form(node.clauses[0].body, env), *values)
            words = format_decl(_plain(node))
            ids = own or _texts(node.clauses[0].ids)
            whole = Clause(
                name, "definition", form, (), words, words, ids, ids, frozenset(normalizer.used), node.span
            )
            return Block(("define", name), RULES, whole, (), name)
        head = _head(node, "definition", ("define", signature), (), own)
        cases = [self._where(w, name, env, own) for w in node.wheres]
        cases += [self._clause(c, name, env, own, "case") for c in node.clauses]
        return _block(("define", name), node, head, cases, name)

    def _group(self, node: t.Group) -> Block:
        name, own = node.name.text, _texts(node.ids)
        env = bound({}, (w for p in node.params for w in _names_of(p)))
        signature = (node.kind, _signature(node.params, name in self.by_name, self.set_order))
        head = _head(replace(node, clauses=()), "group", signature, (), own)
        clauses = [self._clause(c, name, env, own, _what(c), "group") for c in node.clauses]
        return _block(("group", name), node, head, clauses, name)

    def _where(self, node: t.Where, block: str, env: Env, own: tuple[str, ...]) -> Clause:
        """Return a name for a value, which is one of the names in `env`."""
        normalizer = self._normalizer()
        form = ("where", env[node.name.text], normalizer.form(node.expr, env))
        words = format_where(_plain(node))
        mine, path = _texts(node.ids), f"{block}.{node.name.text}"
        uses = frozenset(normalizer.used)
        return Clause(path, "name", form, (), words, words, mine, mine or own, uses, node.span)

    def _score(self, node: t.Score) -> Block:
        name = node.name.text
        own = _texts(node.ids)
        env: Env = {}
        signature = _signature(node.params, True, self.set_order)
        says = ("title", node.title)
        parts: list[Clause] = []
        for family, what in SCORE_PARTS:
            for item in getattr(node, family):
                words = _inside(format_decl(_plain(_only_score(node, **{family: (item,)}))))
                if family in ("given", "provided"):
                    words = _inside(words)
                parts.append(self._of_score(item, what, words, name, own, env))
        # of patterns that bring each other, the first in the text stays
        head = _head(_only_score(node), "score", ("score", signature, *_in_circles(node)), says, own)
        return _block(("score", name), node, head, parts, name)

    def _of_score(
        self, item: Any, what: str, words: str, name: str, own: tuple[str, ...], env: Env
    ) -> Clause:
        if isinstance(item, t.Clause):
            return self._clause(item, name, env, own, what)
        normalizer = self._normalizer()
        match item:
            case t.Brings(pattern=pattern):
                label = pattern.text + BRINGS
            case t.Counts():
                label = "counts"
            case _:
                label = item.name.text
        path = f"{name}.given.{label}" if isinstance(item, t.GivenParam) else f"{name}.{label}"
        inner = env
        form: Form
        if isinstance(item, t.Brings):
            brought = {w.text for w in item.brought}
            form = ("brings", *sorted(w.text for w in item.brought))
            normalizer.used |= brought
        elif isinstance(item, t.Pattern) and item.each is not None:
            word, domain = item.each
            inner = bound(env, (word.text,))
            head = (normalizer.form(domain, env), normalizer.form(item.value, inner), item.extra, item.alone)
            number = None if item.number is None else item.number.text
            form = ("pattern", *head, number, normalizer.form(item.test, inner))
        else:
            form = normalizer.form(_nameless(item), env)
        message = getattr(item, "message", None)
        says = self._normalizer().message(message, inner)
        mine = _texts(item.ids)
        bare = words
        if message is not None:
            bare = words.replace(f'"{message}"', "").rstrip()
        uses = frozenset(normalizer.used)
        return Clause(path, what, form, says, words, bare, mine, mine or own, uses, item.span)

    def _action(self, node: t.Action) -> Block:
        name = node.name.text
        own = _texts(node.ids)
        # traces use the names of parameters, but not those of who acts and of the tiles of a bag
        env: Env = {p.name: ("param", p.name) for p in node.params}
        env = bound(env, (w.text for p in node.params for w in p.parts or ()))
        if node.by is not None:
            env = bound(env, (node.by.text,))
        zone = None if node.zone is None else node.zone.text
        signature = (
            node.kind,
            _signature(node.params, True, self.set_order),
            node.by is None,
            zone,
            node.before_deal,
        )
        told = () if node.told is None else (node.told.text,)
        says: Form = ("title", node.title, *told, *_said(node.notes))
        env = bound(env, (w.name.text for w in node.wheres))
        clauses = [self._where(w, name, env, own) for w in node.wheres]
        clauses += [
            self._clause(c, name, env, own, _what(c), node.kind) for c in _one_effect_each(node.clauses)
        ]
        if node.kind in ("finish", "payout") and not node.params and node.title is None:
            signature = NOTHING
        head = _head(replace(node, clauses=(), wheres=()), "action", signature, says, own)
        return _block((node.kind, name), node, head, clauses, None)

    def _clause(
        self, node: t.Clause, block: str, env: Env, own: tuple[str, ...], what: str, kind: str = "action"
    ) -> Clause:
        normalizer = self._normalizer()
        later = isinstance(node.body, t.Condition) and node.body.afterwards
        form = (
            type(node.body).__name__,
            normalizer.form(node.body, env),
            *(("afterwards",) if later else ()),
        )
        message = node.body.message if isinstance(node.body, t.Condition | t.Hands) else None
        stripped: t.Clause = _plain(node)
        words = format_clause(stripped, kind)
        bare = words
        if message is not None and isinstance(stripped.body, t.Condition | t.Hands):
            bare = format_clause(replace(stripped, body=replace(stripped.body, message=None)), kind)
        mine = _texts(node.ids)
        return Clause(
            f"{block}.{node.name.text}",
            what,
            form,
            self._normalizer().message(message, env),
            words,
            bare,
            mine,
            mine or own,
            frozenset(normalizer.used),
            node.span,
            node if isinstance(node.body, t.Effects) else None,
        )


SCORE_PARTS = (
    ("given", "value"),
    ("provided", "condition"),
    ("counts", "line"),
    ("fields", "line"),
    ("defines", "definition"),
    ("patterns", "pattern"),
    ("brings", "line"),
)


def _in_circles(score: t.Score) -> list[str]:
    """Return the patterns that bring themselves, through others, in the order of the text."""
    brought: dict[str, list[str]] = {}
    for line in score.brings:
        brought.setdefault(line.pattern.text, []).extend(word.text for word in line.brought)
    names = [pattern.name.text for pattern in score.patterns]
    return [n for n in names if n in closure(brought.get(n, ()), lambda name: brought.get(name, ()))]


def _block(
    key: tuple[str, str], node: t.Decl, head: Clause, clauses: Iterable[Clause], name: str | None
) -> Block:
    """Return the block of a head and its clauses."""
    inner = (head, *clauses)
    form = tuple(c.form for c in inner)
    words = format_decl(_plain(node))
    ids = tuple(dict.fromkeys(i for c in inner for i in (*c.own, *c.ids)))
    uses = frozenset(n for c in inner for n in c.uses)
    whole = replace(head, form=form, words=words, bare=words, ids=ids, uses=uses)
    return Block(key, RULES, whole, inner, name)


def _sources(node: t.Source) -> Iterator[Block]:
    """Yield the source and its rules, whose gists are words for readers."""
    number = node.number.text
    words = format_decl(_plain(replace(node, rules=())))
    clause = Clause(
        number, "source", ("source",), ("title", node.title), words, words, (), (), frozenset(), node.span
    )
    yield Block(("source", number), SOURCES, clause)
    for rule in node.rules:
        words = _inside(format_decl(_plain(replace(node, rules=(rule,)))))
        says = ("rule", rule.section, rule.gist)
        form = ("rule", number)
        name = rule.name.text
        clause = Clause(name, "rule", form, says, words, words, (), (), frozenset(), rule.span)
        yield Block(("rule", name), SOURCES, clause)


def _what(clause: t.Clause) -> str:
    match clause.body:
        case t.Effects():
            return "effect"
        case t.Hands():
            return "number of tiles"
        case t.Condition() | t.Parts() | t.Names() | t.Requires():
            return "condition"
        case _:
            assert_never(clause.body)


def _one_effect_each(clauses: Iterable[t.Clause]) -> Iterator[t.Clause]:
    """Yield the clauses, with an unnamed `then` for each single effect."""
    for clause in clauses:
        if clause.name.text == "then" and isinstance(clause.body, t.Effects):
            for effect in clause.body.effects:
                yield replace(clause, body=replace(clause.body, effects=(effect,)), span=effect.span)
        else:
            yield clause


def _signature(params: tuple[t.Param, ...], named: bool, word_order: bool) -> Form:
    """Return the type of each parameter, spelled out, and its name if calls use it."""
    out: list[Form] = []
    following: Form | None = None
    normalizer = Normalizer(word_order)
    for param in reversed(params):
        if param.parts is not None:
            kind: Form = ("parts", len(param.parts))
        elif param.type is not None:
            kind = following = normalizer.form(param.type, {})
        elif following is None or param.name in NAMED_TYPES:
            kind = ("TypeName", param.name)
        else:
            kind = following
        out.append((param.name if named else None, param.optional, kind))
    return tuple(reversed(out))


def _names_of(param: t.Param) -> Iterator[str]:
    yield param.name
    yield from (w.text for w in param.parts or ())


def _joined(expr: t.Expr) -> tuple[t.Name, ...]:
    """Return the names that `or` joins; () if an operand is no name."""
    if isinstance(expr, t.Name):
        return (expr,)
    if isinstance(expr, t.Binary) and expr.op == "or":
        first, second = _joined(expr.left), _joined(expr.right)
        return (*first, *second) if first and second else ()
    return ()


def _only_tiles(node: t.Tiles, **parts: Any) -> t.Tiles:
    """Return the tiles with these parts alone."""
    none: dict[str, Any] = {"count": None, "kinds": None, "groups": (), "written": None, "withdrawn": None}
    none |= {"drawn": None, "wild": None, "wild_as": None}
    return replace(node, **(none | parts))


def _only_score(node: t.Score, **parts: Any) -> t.Score:
    none: dict[str, Any] = {family: () for family, _ in SCORE_PARTS}
    return replace(node, **(none | parts))


def _inside(words: str) -> str:
    """Return the lines below the first one, at the left edge."""
    lines = words.split("\n")[1:]
    return "\n".join(line.removeprefix("  ") for line in lines)


def _texts(words: Iterable[t.Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _nameless(node: Any) -> Any:
    """Return the node without its name, which is no part of its form."""
    return replace(node, name=t.Word(node.name.span, "")) if hasattr(node, "name") else node


def _plain(node: Any) -> Any:
    """Return the node without rule numbers and comments, at any depth."""
    if isinstance(node, tuple):
        return tuple(_plain(item) for item in node)
    if isinstance(node, t.Remarks):
        return t.NO_REMARKS
    if not is_dataclass(node) or isinstance(node, Span | type):
        return node
    changed: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == "span":
            continue
        new = () if field.name == "ids" else _plain(value)
        if new is not value:
            changed[field.name] = new
    return replace(node, **changed) if changed else node


def _head(node: t.Decl, what: str, form: Form, says: Form, own: tuple[str, ...]) -> Clause:
    """Return the first line of a block."""
    words = format_decl(_plain(node)).split("\n  ")[0].rstrip()
    name: str = node.name.text  # type: ignore[union-attr]
    title = getattr(node, "title", None)
    bare = words if title is None else words.replace(f' "{title}"', "")
    return Clause(name, what, form, says, words, bare, own, own, frozenset(), node.span)


def _shape(normalizer: Normalizer, node: t.Shape) -> Block:
    name = node.name.text
    own = _texts(node.ids)
    env = bound({}, (w.text for w in node.names))
    body = normalizer.form(node.body, env, isinstance(node.body, t.Bag))
    words = format_decl(_plain(node))
    form = ("shape", len(node.names), node.size, node.most, body)
    whole = Clause(name, "shape", form, (), words, words, own, own, frozenset(normalizer.used), node.span)
    members = () if node.names else _joined(node.body)
    if len(members) < 2:
        return Block(("shape", name), RULES, whole, (), name)
    head = replace(whole, form=("shape",), words=f"shape {name}", bare=f"shape {name}", uses=frozenset())
    inner = [
        Clause(
            f"{name}.{m.name}",
            "shape",
            (m.name,),
            (),
            m.name,
            m.name,
            (),
            own,
            frozenset({m.name}),
            m.span,
        )
        for m in members
    ]
    return Block(("shape", name), RULES, whole, (head, *inner), name)


__all__ = ["blocks"]

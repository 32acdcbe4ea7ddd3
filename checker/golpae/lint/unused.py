"""Declarations, keys and states that nothing in their text uses.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: what any word of the text may name is not noted; included texts are not noted either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from golpae.diagnostics import Diagnostic, Span
from golpae.elaborate.lifecycle import MAY_BE_LEFT_OUT
from golpae.lint.text_words import Vocabulary, read, words
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import flat, nodes

KINDS = {t.Define: "definition", t.Shape: "shape", t.Arrangement: "arrangement"}
Used = Mapping[int, set[str]]  # the words in each declaration, by its `id`
LONGEST = 40  # characters of a first value in a note
IN_PLAY = ("tile", "tiles", "meld", "melds")  # kinds of value of which a move asks where they lie


def unused(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each part of the text that nothing in it uses."""
    used = {id(decl): set(words(decl)) for decl in text.decls}
    users = Counter(word for words_used in used.values() for word in words_used)
    yield from _declarations(text, used, users)
    yield from _zones(text, used)
    yield from _options(text, used, users)
    yield from _states(text)
    yield from _patterns(text)
    for action in text.own_decls:
        if not isinstance(action, t.Action):
            continue
        yield from _keys(text, action)


def _note(name: str, what: str, span: Span, advice: str = "delete it, or use it") -> Diagnostic:
    return Diagnostic("W001", f"`{name}`: {what}", span, advice)


def _declarations(text: Vocabulary, used: Used, users: Counter[str]) -> Iterator[Diagnostic]:
    for decl in text.own_decls:
        if not isinstance(decl, t.Define | t.Shape | t.Arrangement):
            continue
        name = decl.name
        forms = {name.text, f"{name.text}s"} if isinstance(decl, t.Shape) else {name.text}  # `2 pairs`
        mine = used.get(id(decl), set())
        if not any(users[form] > (form in mine) for form in forms):
            yield _note(name.text, f"nothing uses this {KINDS[type(decl)]}", name.span)


def unused_groups(decls: Iterable[t.Decl]) -> Iterator[Diagnostic]:
    """Yield a note for each group that nothing uses, and for each name for a value that its block does not use."""
    decls = tuple(decls)
    called = {node.name for node in nodes(decls) if isinstance(node, t.Call)}
    changed = {word for node in nodes(decls) if isinstance(node, t.Delta) for word in words(node.body)}
    for decl in decls:
        if isinstance(decl, t.Group) and decl.name.text not in called:
            yield _note(decl.name.text, "nothing uses this group", decl.name.span)
        match decl:
            case t.Define(clauses=inner) | t.Action(clauses=inner):
                yield from _unused_values(decl.wheres, inner, changed)
            case t.Score(defines=defines):
                for define in defines:
                    yield from _unused_values(define.wheres, define.expr, changed)
            case _:
                pass


def _unused_values(wheres: tuple[t.Where, ...], inside: object, changed: set[str]) -> Iterator[Diagnostic]:
    for where in wheres:
        if isinstance(where.expr, t.Fold) and where.expr.kind == "the one":
            continue  # which is a condition, too
        others = tuple(w.expr for w in wheres if w is not where)
        if where.name.text not in {*words((inside, others)), *changed}:
            yield _note(where.name.text, "nothing uses this name for a value", where.name.span)


def _zones(text: Vocabulary, used: Used) -> Iterator[Diagnostic]:
    others = {word for decl in text.decls if not isinstance(decl, t.Zones) for word in used[id(decl)]}
    for decl in text.own_decls:
        if not isinstance(decl, t.Zones):
            continue
        for zone in decl.zones:
            if zone.name.text not in others | {"hand"} and not zone.holds_set:
                yield _note(zone.name.text, "nothing uses this zone", zone.name.span)
    for decl in text.own_decls:
        if isinstance(decl, t.RowSlice) and decl.name.text not in others:
            yield _note(decl.name.text, "nothing uses this part of a row", decl.name.span)


def _options(text: Vocabulary, used: Used, users: Counter[str]) -> Iterator[Diagnostic]:
    for option in text.own_decls:
        if isinstance(option, t.Option):
            name = option.name.text
            if users[name] == (name in used.get(id(option), ())):
                yield _note(name, "nothing asks for this option", option.name.span)


def _states(text: Vocabulary) -> Iterator[Diagnostic]:
    """Note states that nothing reads, and states that nothing sets."""
    read_names: set[str] = set()
    for decl in text.decls:
        if isinstance(decl, t.State):
            for var in decl.vars:
                read_names |= set(words((var.type, var.initial))) - {var.name.text}
        else:
            read_names |= set(read(decl))
    targets = {n.target for n in nodes(text.decls) if isinstance(n, t.Assign)}
    set_somewhere = {target.name for target in targets if isinstance(target, t.Name | t.Possessive)}
    for decl in text.own_decls:
        if not isinstance(decl, t.State):
            continue
        for var in decl.vars:
            if var.name.text not in read_names:
                advice = "delete it, or ask about it in a condition, an effect or a payment"
                yield _note(var.name.text, "nothing reads this state", var.name.span, advice)
            elif var.name.text not in set_somewhere:
                yield _note(var.name.text, _never_set(var), var.name.span, _how_to_set(var))


def _never_set(var: t.StateVar) -> str:
    """Return the consequence for a state that no effect sets, in words."""
    if var.initial is None:
        return "nothing sets this state, so it is always `none`"
    value = format_expression(var.initial)
    return "nothing sets this state, so it always has its first value" + (
        f", `{value}`" if len(value) <= LONGEST else ""
    )


def _how_to_set(var: t.StateVar) -> str:
    """Return how an effect sets a state."""
    value = (
        f"{var.name.text} + 1" if isinstance(var.type, t.TypeName) and var.type.name == "number" else "..."
    )
    if var.each_player:
        value = f"p's {value}" if value != "..." else value
        return (
            f"set it in an effect, `then p's {var.name.text} := {value}`, or write its value where it is read"
        )
    return f"set it in an effect, `then {var.name.text} := {value}`, or write its value where it is read"


def _patterns(text: Vocabulary) -> Iterator[Diagnostic]:
    for score in text.own_decls:
        if not isinstance(score, t.Score):
            continue
        for pattern in score.patterns:
            others = (score.fields, score.defines, score.brings, text.changes)
            properties = [d for d in text.decls if isinstance(d, t.Property | t.Variant)]
            worthless = isinstance(pattern.value, t.Number) and not pattern.value.value
            if worthless and pattern.name.text not in {*words(others), *words(tuple(properties))}:
                message = "this pattern counts 0, and nothing asks whether it holds"
                yield _note(pattern.name.text, message, pattern.name.span)
        usual = tuple(given.initial for given in score.given)  # may read values before it
        inside = {*words((score.provided, score.fields, score.patterns, score.defines, usual))}
        inside |= {word for d in text.changes if d.path[0].text == score.name.text for word in words(d.body)}
        for given in score.given:
            if given.name.text not in inside:
                yield _note(given.name.text, "nothing in this score reads this value", given.name.span)


# ---------------------------------------------------------------- keys


def _keys(text: Vocabulary, action: t.Action) -> Iterator[Diagnostic]:
    name = action.name.text
    changes = tuple(d for d in text.changes if d.path[0].text == name)
    bodies = (*(c.body for c in action.clauses), *(d.body for d in changes if d.body is not None))
    conditions = [b.expr for b in bodies if isinstance(b, t.Condition)]
    conditions += [e for b in bodies if isinstance(b, t.Hands) for e in (b.first, b.others)]
    asked = set(words(tuple(conditions)))
    effects = tuple(b for b in bodies if isinstance(b, t.Effects))
    moved = set(words(tuple(e for body in effects for e in _placed(body.effects))))
    after = {word for p in _properties(text) if p.after and p.after.text == name for word in words(p.expr)}
    everything = {*words(bodies)} | after
    kinds = _kinds(action.params)
    for param in action.params:
        if param.name in MAY_BE_LEFT_OUT.get(action.kind, ()):
            continue
        names = {param.name, *(w.text for w in param.parts or ())}
        kind = kinds[param.name]
        if not names & everything:
            yield _note(param.name, "nothing reads this key", _place(param), "leave it out, or ask about it")
        elif names & (asked | (moved if kind in IN_PLAY else set())):
            continue
        elif kind in ("number", "numbers"):
            advice = f"ask about it in a condition, or write `{param.name}: number from 1 to 3`"
            yield _note(
                param.name, "no condition asks about this key, so any number is legal", _place(param), advice
            )
        elif kind in IN_PLAY:
            message = "no condition asks about this key, so any tile in play is legal"
            yield _note(param.name, message, _place(param), f"ask where it lies: `{param.name} in p's hand`")


def _kinds(params: tuple[t.Param, ...]) -> dict[str, str]:
    """Return the word for the kind of value of each key, and nothing for a kind that takes several words."""
    out: dict[str, str] = {}
    following = ""
    for param in reversed(params):
        kind = "tiles" if param.parts is not None else ""
        written = param.type.item if isinstance(param.type, t.TypeOrNone) else param.type
        if isinstance(written, t.TypeName):
            kind = following = written.name
        elif written is not None:
            following = ""
        elif param.parts is None:
            kind = param.name if param.name in IN_PLAY else following
        out[param.name] = kind
    return out


def _placed(effects: Iterable[t.Effect]) -> Iterator[t.Expr]:
    """Yield the expressions that effects move or arrange."""
    for effect in flat(effects):
        if isinstance(effect, t.ForEach):
            yield effect.domain  # whose members the effects may move
        elif isinstance(effect, t.Move) and effect.what is not None:
            yield effect.what
        elif isinstance(effect, t.Arrange):
            yield effect.tiles


def _properties(text: Vocabulary) -> Iterator[t.Property]:
    for decl in text.decls:
        if isinstance(decl, t.Property):
            yield decl
        elif isinstance(decl, t.Variant):
            yield from decl.properties


def _place(param: t.Param) -> Span:
    end = param.span.start + len(param.span.words.split(":")[0].rstrip())
    return Span(param.span.text, end - len(param.name), end)

"""Apply switches: from a text with variants and readings to the text of one rule set.

Input: the declarations of a game and the names of the switches that are on. Output: the same declarations with
every delta applied, still as surface trees, and for each changed clause the switch that changed it.
Guarantee: deltas at the left edge of a text (a house rule on an included game) are applied first.

    draw.place: tile in bag        with `in-order` on:        draw.place: tile fits front of bag
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, near, quoted_list
from golpae.elaborate.blocks import (
    BRINGS,
    Block,
    clauses_of,
    name_of,
    nothing_to_change,
    with_clauses,
)
from golpae.elaborate.load import Loaded
from golpae.elaborate.switches.added import names_added, with_parts, with_pattern
from golpae.elaborate.switches.case_rows import by_cases
from golpae.elaborate.switches.words import with_words
from golpae.syntax import tree as t

WHAT = {
    t.Condition: "a condition",
    t.Hands: "a number of tiles",
    t.Effects: "an effect",
    t.Parts: "an arrangement",
    t.Names: "a list of patterns",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A clause (`block.name`) or property that a switch replaced, added or dropped, or whose verdict it changed."""

    path: str
    kind: str
    switch: str | None
    old: t.Clause | None


@dataclass(frozen=True, slots=True)
class Resolved:
    """One rule set as surface trees, in reading order."""

    rules: str
    game: t.Game
    decls: tuple[t.Decl, ...]
    variants: tuple[t.Variant, ...]
    active: tuple[str, ...]
    changes: tuple[Change, ...]
    spec_hash: str


MOST_VARIANTS = 500  # of one text


def split(rules: str) -> tuple[str, tuple[str, ...]]:
    """Return the base and the switches of `base+variant+...`."""
    base, *switches = rules.split("+")
    return base, tuple(switches)


def resolve(rules: str, loaded: Loaded, collected: list[Diagnostic] | None = None) -> Resolved:
    """Return the rule set `base+switch+...` of a loaded text. Raises `SpecError`.

    If there is a list, the faults of single deltas are `collected` in it and those deltas are left out.
    """
    variants = [d for d in loaded.decls if isinstance(d, t.Variant)]
    active = _active(rules, loaded, variants)
    faults: list[Diagnostic] = []
    stated = {d.name.text for d in loaded.decls if isinstance(d, t.Property)}
    stated -= {name_of(d) for d in loaded.decls if isinstance(d, Block)}
    unstated = _refuse_clashes(active, stated)
    decls: list[t.Decl] = [d for d in loaded.decls if not isinstance(d, t.Variant | t.Delta | t.Reword)]
    changes: list[Change] = []
    own: list[tuple[t.Delta, t.Variant | None]] = [(d, None) for d in loaded.decls if isinstance(d, t.Delta)]
    try:
        with_parts(decls, active)
    except SpecError as fault:
        faults.extend(fault.diagnostics)
    changes += [Change(name, "add", v.name.text, None) for v in active for name in names_added(v)]
    switched = [(d, v) for v in active for d in v.deltas]
    switched.sort(key=lambda one: not _drops_list(one[0]))  # what a switch adds to a list stays
    for delta, variant in (*own, *switched):
        if variant is not None and path_of(delta) in unstated:
            continue
        try:
            if not _apply_to_property(decls, delta, variant, changes):
                _apply_to_clause(decls, delta, variant, changes)
        except SpecError as fault:
            faults.extend(fault.diagnostics)
    for path, switch in unstated.items():
        _leave_unstated(decls, path, switch, changes)
    for variant in active:
        decls += [replace(prop, ids=prop.ids or variant.ids) for prop in variant.properties]
    game = loaded.game
    words = [d for d in loaded.decls if isinstance(d, t.Reword)]
    words += [replace(d, ids=d.ids or v.ids) for v in active for d in v.reworded]
    for reword in words:
        try:
            game = with_words(game, decls, reword)
        except SpecError as fault:
            faults.extend(fault.diagnostics)
    if collected is not None:
        collected.extend(faults)
    elif faults:
        raise SpecError(faults)
    return Resolved(
        rules,
        game,
        tuple(decls),
        tuple(variants),
        tuple(v.name.text for v in active),
        tuple(changes),
        loaded.spec_hash,
    )


def _active(rules: str, loaded: Loaded, variants: Sequence[t.Variant]) -> list[t.Variant]:
    """Return the switches that are on in `rules`, in the order of the text. Raises `SpecError`."""
    faults = list(_named_twice(variants))
    by_name = {v.name.text: v for v in variants}
    active: list[t.Variant] = []
    for name in split(rules)[1]:
        if name not in by_name:
            listed = f"its variants and readings are {quoted_list(sorted(by_name))}"
            advice = near(name, by_name) or listed if by_name else f"it has none: leave `+{name}` out"
            message = f"`{loaded.game.name.text}` has no variant or reading `{name}`"
            faults.append(Diagnostic("R001", message, None, advice))
        else:
            active.append(by_name[name])
    if len(variants) > MOST_VARIANTS:
        message = f"this text has more than {MOST_VARIANTS} variants and readings"
        place = variants[MOST_VARIANTS].name.span
        advice = "write some of them in a text that includes this one"
        faults.append(Diagnostic("S006", message, place, advice))
    if faults:
        raise SpecError(faults)
    return sorted(active, key=variants.index)


def path_of(delta: t.Delta) -> str:
    """Return the `block.clause` that a delta changes."""
    return ".".join(word.text for word in delta.path)


def _path_span(delta: t.Delta) -> Span:
    return delta.path[0].span.to(delta.path[-1].span)


def _named_twice(variants: Sequence[t.Variant]) -> Iterable[Diagnostic]:
    seen: dict[str, t.Variant] = {}
    for variant in variants:
        first = seen.setdefault(variant.name.text, variant)
        if first is not variant:
            yield Diagnostic(
                "N002",
                f"there are two switches `{variant.name.text}`",
                variant.name.span,
                "rename one of them",
                (Label(first.name.span, "the first one"),),
            )


def _refuse_clashes(active: Sequence[t.Variant], stated: Collection[str]) -> dict[str, str]:
    """Check that no two switches change one clause differently. (Both may drop it.)

    A property is not a rule of the game: if two switches change it differently, it is left out when both are on. Return
    these properties, each with the last switch that changes it.
    """
    faults = []
    unstated: dict[str, str] = {}
    touched: dict[str, list[tuple[t.Variant, t.Delta]]] = {}
    for variant in active:
        for delta in variant.deltas:
            path = path_of(delta)
            before = touched.setdefault(path, [])
            differing = [(v, d) for v, d in before if v is not variant and not _are_equivalent(d, delta)]
            differing += [(v, d) for v, d in _around(touched, path) if v is not variant]
            before.append((variant, delta))
            if differing and path in stated:
                unstated[path] = variant.name.text
                continue
            for other, earlier in differing[:1]:
                both = min(path, path_of(earlier), key=len)
                faults.append(
                    Diagnostic(
                        "R003",
                        f"`{other.name.text}` and `{variant.name.text}` both change `{both}`",
                        _path_span(delta),
                        "leave one of them out, or write a variant for both together",
                        (Label(_path_span(earlier), f"changed by `{other.name.text}` here"),),
                    )
                )
    if faults:
        raise SpecError(faults)
    return unstated


def _around(
    touched: dict[str, list[tuple[t.Variant, t.Delta]]], path: str
) -> Iterable[tuple[t.Variant, t.Delta]]:
    """Yield the changes of the whole of which a clause is a part, and those of the parts of a whole."""
    for other, deltas in touched.items():
        if path.startswith(f"{other}.") or other.startswith(f"{path}."):
            yield from deltas


def _leave_unstated(decls: list[t.Decl], path: str, switch: str, changes: list[Change]) -> None:
    """Leave out a property that two switches change differently."""
    for at, decl in enumerate(decls):
        if isinstance(decl, t.Property) and decl.name.text == path:
            clause = t.Clause(
                decl.span, decl.name, t.Condition(decl.expr.span, decl.expr, decl.message), decl.ids
            )
            changes.append(Change(path, "drop", switch, clause))
            del decls[at]
            return


def _drops_list(delta: t.Delta) -> bool:
    """Return whether a delta takes out the list of what a pattern brings."""
    return delta.kind == "drop" and delta.path[-1].text.endswith(BRINGS)


def _are_equivalent(one: t.Delta, other: t.Delta) -> bool:
    """Return whether both drop the clause, or expect the same verdict of the property; or whether they only add to what
    a pattern brings, or take out what the text lists.
    """
    if one.path[-1].text.endswith(BRINGS) and {one.kind, other.kind} <= {"add", "drop"}:
        return True
    return one.kind == other.kind and one.kind in ("drop", "expect") and one.verdict == other.verdict


def _apply_to_property(
    decls: list[t.Decl], delta: t.Delta, variant: t.Variant | None, changes: list[Change]
) -> bool:
    """Apply a delta to a property; return False if it is not about a property."""
    if delta.pattern is not None:
        return False
    path, name = path_of(delta), delta.path[0].text
    properties = {d.name.text: (i, d) for i, d in enumerate(decls) if isinstance(d, t.Property)}
    block = any(isinstance(d, Block) and name_of(d) == name for d in decls)
    if delta.kind == "expect" and path not in properties:
        advice = near(path, properties) or "name a `theorem`, `always`, `claim` or the like"
        raise SpecError([Diagnostic("R002", f"there is no property `{path}`", _path_span(delta), advice)])
    if delta.kind == "drop" and any(c.kind == "drop" and c.path == path for c in changes) and not block:
        return True  # another delta drops it too
    if name not in properties or (block and (delta.kind in ("replace", "add") or len(delta.path) > 1)):
        return False
    at, old = properties[name]
    if len(delta.path) > 1:
        advice = f"change it as a whole: `{delta.kind} {name}`"
        message = f"`{name}` is a property and has no clauses"
        raise SpecError([Diagnostic("R002", message, _path_span(delta), advice)])
    switch = None if variant is None else variant.name.text
    clause = t.Clause(old.span, old.name, t.Condition(old.expr.span, old.expr, old.message), old.ids)
    ids = delta.ids or (() if variant is None else variant.ids) or old.ids
    match delta.kind, delta.body:
        case "drop", _:
            changes.append(Change(path, "drop", switch, clause))
            del decls[at]
        case "expect", _:
            changes.append(Change(path, "expect", switch, None))
            decls[at] = replace(old, expected=delta.verdict, ids=ids)
        case "replace", t.Condition(expr=expr, message=words):
            changes.append(Change(path, "replace", switch, clause))
            decls[at] = replace(old, expr=expr, message=words or old.message, ids=ids)
        case "add", _:
            message = f"`{name}` is a property: nothing can be added to it"
            raise SpecError([Diagnostic("R005", message, _path_span(delta), "replace it, or write another")])
        case _:
            assert delta.body is not None
            message = f"`{name}` is a property and must stay one"
            raise SpecError([Diagnostic("R005", message, delta.body.span, "write a condition")])
    return True


def _apply_to_clause(
    decls: list[t.Decl], delta: t.Delta, variant: t.Variant | None, changes: list[Change]
) -> None:
    """Apply a delta to a clause of a block. Raises `SpecError`."""
    path = path_of(delta)
    index, block = _block(decls, delta)
    switch = None if variant is None else variant.name.text
    ids = delta.ids or (() if variant is None else variant.ids)
    if delta.pattern is not None:
        decls[index] = with_pattern(block, delta, ids)
        changes.append(Change(path, "add", switch, None))
        return
    clauses = list(clauses_of(block))
    at = _clause(block, clauses, delta)
    if delta.kind == "add":
        changes.append(_add(block, clauses, at, delta, ids, switch))
    elif at is None and (dropped := [c for c in changes if c.kind == "drop" and c.path == path]):
        if delta.kind != "drop":  # else, both drop it
            raise SpecError([_is_dropped(path, dropped[0].switch, delta)])
    elif at is None:
        block_name = name_of(block)
        clause_name = _clause_name(delta)
        similar = near(clause_name, [c.name.text for c in clauses])
        advice = similar.replace("`", f"`{block_name}.", 1) if similar else _its_clauses(block_name, clauses)
        message = f"`{block_name}` has no clause `{clause_name}`"
        raise SpecError([Diagnostic("R002", message, delta.path[-1].span, advice)])
    elif delta.kind == "drop":
        if len(delta.path) == 1:
            message = f"`{path}` is not a clause, and only clauses can be dropped"
            advice = f"replace it: `replace {path}: ...`"
            raise SpecError([Diagnostic("R002", message, _path_span(delta), advice)])
        changes.append(Change(path, "drop", switch, clauses[at]))
        del clauses[at]
    else:
        assert delta.body is not None
        old = clauses[at]
        if isinstance(block, t.Shape) and len(delta.path) == 2:
            _require_name(delta)
        changes.append(Change(path, "replace", switch, old))
        clauses[at] = replace(old, body=_merged(old, delta), ids=ids or old.ids, span=delta.span)
    decls[index] = with_clauses(block, tuple(clauses))


def _block(decls: Sequence[t.Decl], delta: t.Delta) -> tuple[int, Block]:
    """Return the block that a delta changes, and its place. Raises `SpecError`."""
    block_name = delta.path[0].text
    for place, decl in enumerate(decls):
        if isinstance(decl, Block) and name_of(decl) == block_name:
            return place, decl
    advice = "name an action, a definition, `deal`, `end`, `finish`, `payout` or a score"
    raise nothing_to_change(decls, delta.path[0], advice)


def _clause_name(delta: t.Delta) -> str:
    """Return the name of the clause that a delta is about; the one clause of a block is called as the block."""
    return delta.path[1].text if len(delta.path) == 2 else delta.path[0].text


def _clause(block: Block, clauses: Sequence[t.Clause], delta: t.Delta) -> int | None:
    """Return the place of the clause that a delta is about, or None if it is new. Raises `SpecError`."""
    block_name, clause_name = name_of(block), _clause_name(delta)
    if len(delta.path) > 2 or (len(delta.path) == 1 and not any(c.name.text == block_name for c in clauses)):
        if delta.kind == "add":
            advice = f"name the new clause: `add {block_name}.name: ...`"
        else:
            advice = _its_clauses(block_name, clauses)
        message = f"`{path_of(delta)}` is not a clause"
        raise SpecError([Diagnostic("R002", message, _path_span(delta), advice)])
    places = [i for i, c in enumerate(clauses) if c.name.text == clause_name]
    if len(places) > 1:
        message = f"`{block_name}` has several `{clause_name}`, and this may mean any of them"
        advice = f"give the one that you mean a name: `{clause_name} name: ...`"
        raise SpecError([Diagnostic("R002", message, delta.path[-1].span, advice)])
    return places[0] if places else None


def _add(
    block: Block,
    clauses: list[t.Clause],
    at: int | None,
    delta: t.Delta,
    ids: tuple[t.Word, ...],
    switch: str | None,
) -> Change:
    """Add a clause, or names to the list at this place, and return the change. Raises `SpecError`."""
    path = path_of(delta)
    body = _added_body(block, _clause_name(delta), delta)
    if at is not None and isinstance(body, t.Names):
        change = Change(path, "replace", switch, clauses[at])
        clauses[at] = _longer(clauses[at], body, ids)
        return change
    if at is not None:
        advice = "write `replace`, or give the new clause another name"
        label = Label(clauses[at].name.span, "the first one")
        raise SpecError([Diagnostic("R004", f"`{path}` already exists", _path_span(delta), advice, (label,))])
    # a condition is checked before anything happens
    happening = [i for i, c in enumerate(clauses) if isinstance(c.body, t.Effects)]
    place = happening[0] if happening and isinstance(body, t.Condition) else len(clauses)
    clauses.insert(place, t.Clause(delta.span, delta.path[-1], body, ids, delta.remarks))
    return Change(path, "add", switch, None)


def _added_body(block: Block, name: str, delta: t.Delta) -> t.Body:
    """Return the body of a clause that is added to a block. Raises `SpecError` if the block cannot have it."""
    cases = by_cases(block) if isinstance(block, t.Define) else None
    rows = cases is not None
    if cases is not None and cases.by is None:
        message = f"the rows of `{name_of(block)}` are questions, so that none can be added"
        advice = f"replace a row by its number, `{name_of(block)}.1`, or `{name_of(block)}` as a whole"
        raise SpecError([Diagnostic("R005", message, _path_span(delta), advice)])
    if isinstance(block, t.Tiles):
        return _of_set(name, delta)
    if not isinstance(block, t.Action | t.Define | t.Group | t.Score) or (
        isinstance(block, t.Define) and not block.cases and not rows
    ):
        message = f"no clause can be added to `{name_of(block)}`"
        if isinstance(block, t.Define):
            message = f"`{block.name.text}` is a single value: no case can be added to it"
        raise SpecError([Diagnostic("R005", message, _path_span(delta), "replace it, or write another")])
    if isinstance(block, t.Define) and not isinstance(delta.body, t.Condition):
        what = "values" if rows else "conditions"
        message = f"the cases of `{block.name.text}` are {what}, but this is not one"
        assert delta.body is not None
        advice = "write a value" if rows else "write a condition"
        raise SpecError([Diagnostic("R005", message, delta.body.span, advice)])
    assert delta.body is not None
    _refuse_afterwards(block, delta)
    if isinstance(block, t.Score):
        return _of_score(block, name, delta)
    if isinstance(delta.body, t.Names):
        message = "only a score has patterns that bring other patterns"
        raise SpecError([Diagnostic("R005", message, delta.body.span, "write a condition, or an effect")])
    return delta.body


def _of_set(name: str, delta: t.Delta) -> t.Body:
    """Return the body of a line that is added to the set. Raises `SpecError` if it is not one that a set can have."""
    if name not in t.LINES_OF_SET or not isinstance(delta.body, t.Condition):
        is_line = name in t.LINES_OF_SET
        message = f"`{name}` says which tiles" if is_line else f"the set has no line `{name}`"
        advice = "add `withdrawn`, `wild` or `wild-as`, each with tiles: `add tiles.withdrawn: {a, b}`"
        raise SpecError([Diagnostic("R005", message, _path_span(delta), advice)])
    return delta.body


def _refuse_afterwards(block: Block, delta: t.Delta) -> None:
    """Raise `SpecError` if a condition that is asked after the effects is no line of an action."""
    body = delta.body
    if isinstance(body, t.Condition) and body.afterwards and not isinstance(block, t.Action | t.Group):
        message = f"`{path_of(delta)}` happens at no event: nothing can be asked afterwards"
        raise SpecError([Diagnostic("R005", message, body.span, "leave `afterwards` out")])


def _require_name(delta: t.Delta) -> None:
    """Raise `SpecError` unless the new body of one of the shapes that a union joins is the name of a shape."""
    new, union = delta.body, delta.path[0].text
    assert new is not None
    if not (isinstance(new, t.Condition) and isinstance(new.expr, t.Name) and new.message is None):
        message = f"`{path_of(delta)}` is one of the shapes that `{union}` joins, and must stay one"
        advice = f"write the name of a shape, or replace `{union}`"
        raise SpecError([Diagnostic("R005", message, new.span, advice)])


def _merged(old: t.Clause, delta: t.Delta) -> t.Body:
    """Return the new body. A condition without a message keeps the old message."""
    new = delta.body
    assert new is not None
    match old.body, new:
        case t.Condition(), t.Condition():
            if new.message is None and old.body.message is not None:
                new = t.Condition(old.body.span, new.expr, old.body.message, afterwards=new.afterwards)
            return replace(new, afterwards=new.afterwards or old.body.afterwards)
        case (t.Hands(), t.Hands()) | (t.Effects(), t.Effects()) | (t.Parts(), t.Parts()):
            return new
        case t.Names(), t.Names() | t.Condition(expr=t.Name(), message=None):
            return _names(new)
        case _:
            whole = len(delta.path) == 1
            was = "a value" if whole and isinstance(old.body, t.Condition) else WHAT[type(old.body)]
            message = f"`{path_of(delta)}` is {was} and must stay one"
            advice = f"write {was}" if whole else f"write {was}, or `drop` it and `add` another"
            label = Label(old.name.span, "written here")
            raise SpecError([Diagnostic("R005", message, new.span, advice, (label,))])


def _longer(old: t.Clause, added: t.Names, ids: Sequence[t.Word]) -> t.Clause:
    """Return the list of names that a pattern brings with more names and rule numbers added to it."""
    assert isinstance(old.body, t.Names)
    listed, cited = {word.text for word in old.body.words}, {word.text for word in old.ids}
    words = (*old.body.words, *(word for word in added.words if word.text not in listed))
    more = (word for word in ids if word.text not in cited)
    return replace(old, body=t.Names(old.body.span, words), ids=(*old.ids, *more))


def _names(body: t.Body) -> t.Names:
    """Return the names in a body: several, or one alone, which reads like a condition."""
    if isinstance(body, t.Names):
        return body
    assert isinstance(body, t.Condition)
    name = body.expr
    assert isinstance(name, t.Name)
    return t.Names(body.span, (t.Word(name.span, name.name),))


def _of_score(block: t.Score, name: str, delta: t.Delta) -> t.Body:
    """Return the clause that is added to a score: names that a pattern brings along, or a condition on what is given.
    Raises `SpecError` for every other body.
    """
    body = delta.body
    if name.removesuffix(BRINGS) in (p.name.text for p in block.patterns) and name.endswith(BRINGS):
        if isinstance(body, t.Names) or (isinstance(body, t.Condition) and isinstance(body.expr, t.Name)):
            return _names(body)
    elif isinstance(body, t.Condition):
        return body
    assert body is not None
    message = f"this cannot be added to `{block.name.text}`"
    advice = f"write a condition on what is given, or `add {block.name.text}.pattern{BRINGS}: other`"
    raise SpecError([Diagnostic("R005", message, body.span, advice)])


def _is_dropped(path: str, switch: str | None, delta: t.Delta) -> Diagnostic:
    """Return the fault of a delta that changes a clause which is dropped."""
    where = "by a line of the text" if switch is None else f"by `{switch}`"
    advice = f"leave out `drop {path}`, or this line"
    return Diagnostic("R002", f"`{path}` is dropped {where}", _path_span(delta), advice)


def _its_clauses(block_name: str, clauses: Iterable[t.Clause]) -> str:
    names = dict.fromkeys(f"{block_name}.{c.name.text}" for c in clauses if c.name.text != block_name)
    return f"its clauses are {quoted_list(names)}" if names else "it has no clauses to change"

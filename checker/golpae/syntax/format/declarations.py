"""Declarations and whole rule texts as lines.

Input: a rule text or one of its declarations. Output: its lines, with blank lines between declarations.
Guarantee: `parse(format_text(tree)) == tree` for every tree that `parse` returns, comments included.
"""

from __future__ import annotations

from typing import assert_never

from golpae.diagnostics import Span
from golpae.syntax import tree as t
from golpae.syntax.format.clauses import (
    clause_lines,
    delta_lines,
    joined_parts,
    pattern_lines,
    where_lines,
)
from golpae.syntax.format.expressions import POSTFIX, SUM, bounds, format_expression
from golpae.syntax.format.lines import STEP, annotated, comments, filled, fits, indented, message, names
from golpae.syntax.format.wrapping import broken, labelled

COPIES = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def format_text(tree: t.RuleText) -> str:
    """Return a whole rule text, with a line end after its last line; empty for an empty tree."""
    out: list[str] = []
    previous: t.Decl | None = None
    alone = False  # whether `previous` is one line
    for node in tree.decls:
        lines = declaration_lines(node)
        above = len(node.remarks.above)
        now_alone = len(lines) - above == 1
        if previous is not None and not (
            alone and now_alone and not above and _family(previous) == _family(node)
        ):
            out.append("")
        out += lines
        previous, alone = node, now_alone
    if tree.rest:
        out += [""] if out else []
        out += comments("", tree.rest)
    return "".join(f"{line}\n" for line in out)


def format_decl(node: t.Decl) -> str:
    """Return one declaration with its block and comments, without a line end after it."""
    return "\n".join(declaration_lines(node))


def _family(node: t.Decl) -> object:
    """Return a value that one-line declarations share if they belong together."""
    if isinstance(node, t.Game | t.Include):
        return t.Include
    return node.kind if isinstance(node, t.Action) else type(node)


def declaration_lines(node: t.Decl) -> list[str]:
    """Return a declaration at the left edge, with its comments, as lines."""
    match node:
        case t.Game():
            inner = [line for note in node.aim for line in _note("aim", note)]
            return annotated(
                [f"game {node.name.text}{message(node.title)}"], "", node.ids, node.remarks, inner
            )
        case t.Include():
            return annotated([f"include {node.name.text}"], "", (), node.remarks)
        case t.Source():
            return _source(node)
        case t.Players():
            return annotated(_players(node), "", node.ids, node.remarks)
        case t.Option():
            normally = "" if node.normally is None else f", normally {format_expression(node.normally, SUM)}"
            words = f"option {node.name.text}: {bounds(node.low, node.high)}{normally}"
            return annotated([words], "", node.ids, node.remarks)
        case t.Kind():
            return _kind(node)
        case t.Order(items=items):
            head = f"{'circle' if node.circle else 'order'} {node.name.text}: "
            *some, end = map(format_expression, items)
            return annotated(filled(head, [*(f"{x}," for x in some), end], STEP), "", node.ids, node.remarks)
        case t.Tiles():
            return _tiles(node)
        case t.Zones():
            inner = [line for zone in node.zones for line in _zone(zone)]
            return annotated(["zones"], "", (), node.remarks, inner)
        case t.RowSlice(name=name, row=row):
            words = f"part {name.text}: {_slice(node)} of {row.text}"
            return annotated([words], "", node.ids, node.remarks)
        case t.State():
            inner = [line for var in node.vars for line in _variable(var, STEP)]
            return annotated([f"state of the {node.scope}"], "", (), node.remarks, inner)
        case t.Define():
            return _define(node)
        case t.Group():
            return _group(node)
        case t.Shape():
            return _shape(node)
        case t.Arrangement():
            return _arrangement(node)
        case t.Score():
            return _score(node)
        case t.Action():
            return _action(node)
        case t.Delta() | t.Reword():
            return delta_lines(node, "")
        case t.Variant():
            head = f"{node.kind} {node.name.text}{message(node.gist)}"
            changes: tuple[t.Delta | t.Reword, ...] = (*node.deltas, *node.reworded)
            deltas = [(change.span, delta_lines(change, STEP)) for change in changes]
            properties = [(prop.span, _property(prop, STEP)) for prop in node.properties]
            inner = _as_written(node, deltas + properties + _added(node.parts))
            return annotated([head], "", node.ids, node.remarks, inner)
        case t.Property():
            return _property(node, "")
        case _:
            assert_never(node)


def _players(node: t.Players) -> list[str]:
    teams = "" if node.team is None else f" in teams of {node.team.value}"
    line = f"players {bounds(node.low, node.high)}{teams}"
    if fits(line):
        return [line]
    *above, end = broken(node.low, "players ", STEP * 2, POSTFIX)
    return [*above, *broken(node.high, f"{end} to ", STEP * 2, POSTFIX, last=teams)]


def _slice(node: t.RowSlice) -> str:
    which = f"all but the {node.end}" if node.rest else node.end
    number = format_expression(node.number)
    return f"{which} {number if isinstance(node.number, t.Number | t.Name) else f'({number})'}"


def _added(parts: tuple[t.Added, ...]) -> list[tuple[Span, list[str]]]:
    """Return the declarations of a variant, each with its lines under the variant."""
    with indented(len(STEP)):
        made = [(part.span, declaration_lines(part)) for part in parts]
    return [(span, [STEP + line for line in lines]) for span, lines in made]


def _as_written(node: t.Decl, inner: list[tuple[Span, list[str]]]) -> list[str]:
    """Return the lines of a block in the order of their places; as given if some stand in no such block."""
    block = node.span
    if all(s.text == block.text and block.start <= s.start <= s.end <= block.end for s, _ in inner):
        inner = sorted(inner, key=lambda each: each[0].start)
    return [line for _, lines in inner for line in lines]


def _owner(each_player: bool) -> str:
    return "each player's " if each_player else ""


def _source(node: t.Source) -> list[str]:
    inner = []
    for rule in node.rules:
        section = "" if rule.section is None else f" in{message(rule.section)}"
        words = f"{STEP}{rule.name.text}{section}:{message(rule.gist)}"
        inner += annotated([words], STEP, (), rule.remarks)
    return annotated([f"source {node.number.text}{message(node.title)}"], "", (), node.remarks, inner)


def _like(tile: t.SpokenTile) -> str:
    return "" if tile.like is None else f" like {tile.like.text}"


def _tiles(node: t.Tiles) -> list[str]:
    count = "" if node.count is None else f" {node.count} of {node.kinds} kinds"
    inner: list[tuple[Span, list[str]]] = []
    for group in node.groups:
        copies = COPIES[group.copies - 1] if 1 <= group.copies <= len(COPIES) else str(group.copies)
        first = f"{STEP}{group.name.text}: {copies} of each "
        match group.tiles:
            case t.Template(pattern=pattern, spoken=spoken, ranges=ranges, like=other):
                called = "" if spoken is None else f' called "{spoken}"'
                like = "" if other is None else f' like "{other}"'
                first_range, *more = map(_range, ranges)
                parts = [f'"{pattern}"{called}{like}', f"for {first_range}{',' * bool(more)}"]
                parts += [f"{words}," for words in more[:-1]] + more[-1:]
            case tiles:
                parts = [tile.name + message(tile.spoken) + _like(tile) for tile in tiles]
        lines = annotated(filled(first, parts, STEP * 2), STEP, group.ids, group.remarks)
        inner.append((group.span, lines))
    if node.written is not None:
        first_pattern, *patterns = [f'"{pattern}"' for pattern in node.written.patterns]
        words = [first_pattern, *(f"or {pattern}" for pattern in patterns)]
        lines = annotated(filled(f"{STEP}written: ", words, STEP * 2), STEP, (), node.written.remarks)
        inner.append((node.written.span, lines))
    inner += [(clause.span, clause_lines(clause, STEP)) for clause in node.clauses]
    if node.drawn is not None:
        lines = annotated([f"{STEP}drawn as {node.drawn.name.text}"], STEP, (), node.drawn.remarks)
        inner.append((node.drawn.span, lines))
    return annotated([f"tiles{count}"], "", node.ids, node.remarks, _as_written(node, inner))


def _kind(node: t.Kind) -> list[str]:
    first = f"kind {node.name.text}"
    if node.in_order and isinstance(node.type, t.TypeChoice):
        *words, last = [word.text for word in node.type.words]
        lines = filled(f"{first} in order: ", [*(f"{word}," for word in words), last], STEP)
    else:
        lines = _typed(f"{first}: ", node.type, STEP)
    return annotated(lines, "", node.ids, node.remarks)


def _range(node: t.Range) -> str:
    """Return a range of a pattern of tiles: `size in 2 to 10, J, Q`."""
    parts = (
        format_expression(p.low, SUM, True) + message(p.written) if p.high is None else bounds(p.low, p.high)
        for p in node.parts
    )
    return f"{node.name.text} in {', '.join(parts)}"


def _zone(node: t.Zone) -> list[str]:
    first = f"{STEP}{_owner(node.each_player)}{node.name.text}: {node.kind.text} "
    parts = [
        f"seen by {node.seen_by}",
        *map(_sight, node.sights),
        *(["holds the set"] if node.holds_set else []),
        *([] if node.shown is None else [f"shown as {node.shown.text}"]),
    ]
    lines = filled(first, [*(f"{part}," for part in parts[:-1]), parts[-1]], STEP + STEP)
    return annotated(lines, STEP, node.ids, node.remarks)


def _sight(node: t.Sight) -> str:
    """Return who else sees a zone: `by everyone when opened`."""
    who = "everyone" if node.who is None else format_expression(node.who, SUM, node.test is not None)
    return f"by {who}" if node.test is None else f"by {who} when {format_expression(node.test)}"


def _variable(node: t.StateVar | t.GivenParam, indent: str) -> list[str]:
    owned = ""
    if isinstance(node, t.StateVar):
        owned = "hidden " * node.hidden
        owned += "each team's " if node.each_team else _owner(node.each_player)
    *above, words = _typed(f"{indent}{owned}{node.name.text}: ", node.type, indent + STEP)
    lines = [words] if node.initial is None else labelled(f"{words} = ", node.initial, indent=indent)
    if isinstance(node, t.StateVar):
        lines[-1] += message(node.title)
    return annotated([*above, *lines], indent, node.ids, node.remarks)


def _typed(first: str, node: t.Type, indent: str) -> list[str]:
    """Return a kind of value after `first`; the words of a choice fill lines."""
    choice = node.item if isinstance(node, t.TypeOrNone) else node
    if fits(first + _type(node)) or not isinstance(choice, t.TypeChoice):
        return [first + _type(node)]
    *words, last = [word.text for word in choice.words]
    end = [last, "or none"] if isinstance(node, t.TypeOrNone) else [last]
    return filled(f"{first}one of ", [*(f"{word}," for word in words), *end], indent)


def _define(node: t.Define) -> list[str]:
    owner = "" if node.owner is None else f"each {node.owner}'s "
    *above, head = _with_params(f"define {owner}{node.name.text}", node.params)
    if node.cases:
        cases = [(case.span, clause_lines(case, STEP)) for case in node.clauses]
        inner = _with_wheres(node, cases)
        return annotated([*above, head], "", node.ids, node.remarks, inner)
    [only] = node.clauses
    if not isinstance(only.body, t.Condition):
        raise TypeError(f"a definition is an expression: {only}")
    if isinstance(only.body.expr, t.Cases):
        return [*above, *_by_cases(head, only.body.expr, node, "")]
    lines = [*above, *labelled(f"{head}: ", only.body.expr)]
    return annotated(_with_tail(lines, node.wheres), "", node.ids, node.remarks)


def _group(node: t.Group) -> list[str]:
    head = _with_params(f"{node.kind} {node.name.text}", node.params)
    inner = [line for clause in node.clauses for line in clause_lines(clause, STEP, "group")]
    return annotated(head, "", node.ids, node.remarks, inner)


def _with_wheres(node: t.Define | t.Action, lines: list[tuple[Span, list[str]]]) -> list[str]:
    """Return the lines of a block, those that name values among them."""
    if not node.wheres:
        return [line for _, inner in lines for line in inner]
    return _as_written(node, [*((each.span, where_lines(each, STEP)) for each in node.wheres), *lines])


def _with_tail(lines: list[str], wheres: tuple[t.Where, ...], indent: str = "") -> list[str]:
    """Return the lines of a definition with the names for values after it: on its line, or one a line under it."""
    if not wheres:
        return lines
    parts = [f"{each.name.text} is {format_expression(each.expr)}" for each in wheres]
    flat = f"{lines[-1]} where {', '.join(parts)}"
    if len(lines) == 1 and fits(flat):
        return [flat]
    for number, each in enumerate(wheres, 1):
        first = f"{indent}{STEP}{'where' if number == 1 else '     '} {each.name.text} is "
        lines = [
            *lines,
            *broken(each.expr, first, indent + STEP * 4, last="," if number < len(wheres) else ""),
        ]
    return lines


def _by_cases(head: str, cases: t.Cases, node: t.Define | t.ScoreDefine, indent: str) -> list[str]:
    """Return a definition by cases: on one line if it is written so and fits, or else each case on its own."""
    ids, remarks, wheres = node.ids, node.remarks, node.wheres
    if cases.by is not None:
        head = f"{head} by {format_expression(cases.by, SUM, True)}"
        line = f"{head}: {', '.join(_short_row(row) for row in cases.rows)}"
        lines: tuple[t.CaseRow | t.Where, ...] = (*cases.rows, *wheres)
        plain = not any(row.ids or row.remarks != t.NO_REMARKS for row in lines)
        if cases.in_line and plain and fits(indent + line):
            return annotated(_with_tail([line], wheres, indent), indent, ids, remarks)
    inner = [line for where in wheres for line in where_lines(where, indent + STEP)]
    inner += [line for row in cases.rows for line in _row(row, cases.by is None, indent + STEP)]
    return annotated([head], indent, ids, remarks, inner)


def _row(row: t.CaseRow, tested: bool, indent: str) -> list[str]:
    if not row.keys:
        lines = labelled(f"{indent}otherwise: ", row.value, indent=indent)
    elif tested:
        [test] = row.keys
        above = broken(test, f"{indent}when ", indent + STEP, followed=True, last=":")
        *above, end = above
        lines = [*above, *labelled(f"{end} ", row.value, indent=indent)]
    else:
        lines = labelled(f"{indent}{' or '.join(map(_key, row.keys))}: ", row.value, indent=indent)
    return annotated(lines, indent, row.ids, row.remarks)


def _short_row(row: t.CaseRow) -> str:
    keys = " or ".join(map(_key, row.keys)) or "otherwise"
    return f"{keys} {format_expression(row.value)}"


def _key(key: t.Expr) -> str:
    return bounds(key.low, key.high) if isinstance(key, t.RangeBag) else format_expression(key)


def _shape(node: t.Shape) -> list[str]:
    size = "" if node.size is None else f" of {node.size}"
    if node.most is not None:
        size += " or more" if node.most == t.OR_MORE else f" to {node.most}"
    tiles = tuple(word.text for word in node.names)
    *above, head = _in_brackets(f"shape {node.name.text}", tiles) if tiles else [f"shape {node.name.text}"]
    head += size
    return annotated([*above, *labelled(f"{head}: ", node.body)], "", node.ids, node.remarks)


def _arrangement(node: t.Arrangement) -> list[str]:
    first, *others = [word.text for word in node.union] or [""]
    parts = joined_parts(node.parts) if node.parts else [first, *(f"or {other}" for other in others)]
    lines = filled(f"arrangement {node.name.text}: ", parts, STEP)
    return annotated(lines, "", node.ids, node.remarks)


def _score(node: t.Score) -> list[str]:
    *above, head = _with_params(f"score {node.name.text}", node.params)
    inner: list[tuple[Span, list[str]]] = []
    if node.given:
        given = [line for param in node.given for line in _variable(param, STEP * 2)]
        lines = annotated([f"{STEP}given"], STEP, (), node.given_remarks, given)
        inner.append((node.given[0].span, lines))
    if node.provided:
        provided = [line for condition in node.provided for line in clause_lines(condition, STEP * 2)]
        lines = annotated([f"{STEP}provided"], STEP, (), node.provided_remarks, provided)
        inner.append((node.provided[0].span, lines))
    inner += [(line.span, _counts(line)) for line in node.counts]
    for field in node.fields:
        label = "" if field.label is None else f" as {field.label.text}"
        labelled_field = field.label is not None
        wide = broken(field.expr, f"{STEP}{field.name.text}: ", STEP * 2, followed=labelled_field, last=label)
        inner.append((field.span, annotated(wide, STEP, field.ids, field.remarks)))
    own: tuple[t.ScoreDefine | t.Pattern | t.Brings, ...] = (*node.defines, *node.patterns, *node.brings)
    inner += [(each.span, _line_of_score(each, STEP)) for each in own]
    return annotated(
        [*above, head + message(node.title)], "", node.ids, node.remarks, _as_written(node, inner)
    )


def _counts(line: t.Counts) -> list[str]:
    return annotated([f"{STEP}counts: {names(line.names)}"], STEP, line.ids, line.remarks)


def format_line_of_score(node: t.ScoreDefine | t.Pattern | t.Brings) -> str:
    """Return a definition, a pattern or a `brings` line of a score, at the left edge."""
    return "\n".join(_line_of_score(node, ""))


def _line_of_score(node: t.ScoreDefine | t.Pattern | t.Brings, indent: str) -> list[str]:
    match node:
        case t.ScoreDefine(expr=t.Cases() as cases):
            *lines, head = _with_params(f"{indent}define {node.name.text}", node.params)
            return [*lines, *_by_cases(head, cases, node, indent)]
        case t.ScoreDefine():
            *lines, head = _with_params(f"{indent}define {node.name.text}", node.params)
            lines += labelled(f"{head}: ", node.expr, indent=indent)
            lines = _with_tail(lines, node.wheres, indent)
        case t.Pattern():
            lines = pattern_lines(node, f"{indent}pattern {node.name.text}", indent)
        case t.Brings():
            lines = [f"{indent}{node.pattern.text} brings {names(node.brought)}"]
        case _:
            assert_never(node)
    return annotated(lines, indent, node.ids, node.remarks)


def _note(word: str, node: t.Note) -> list[str]:
    return annotated([f"{STEP}{word}{message(node.text)}"], STEP, node.ids, node.remarks)


def _action(node: t.Action) -> list[str]:
    start = f"action {node.name.text}" if node.kind == "action" else node.kind
    after = "" if node.zone is None else f" from {node.zone.text}"
    after += "" if node.by is None else f" by {node.by.text}"
    after += " before the deal" if node.before_deal else ""
    *above, words = _with_params(start, node.params, after)
    clauses = [(clause.span, clause_lines(clause, STEP, node.kind)) for clause in node.clauses]
    inner = _with_wheres(node, clauses)
    inner = [*(line for note in node.notes for line in _note("note", note)), *inner]
    if node.told is not None:
        told = f'{STEP}told as "{node.told.text}"'
        inner = [*annotated([told], STEP, (), node.told.remarks), *inner]
    return annotated([*above, words + message(node.title)], "", node.ids, node.remarks, inner)


def _property(node: t.Property, indent: str) -> list[str]:
    expected = "" if node.expected is None else f" expected {node.expected}"
    within = "" if node.within is None else f" within {node.within} events"
    after = "" if node.after is None else f" after {node.after.text}"
    first = f"{indent}{node.kind} {node.name.text}{after}{expected}{within}: "
    return annotated(labelled(first, node.expr, node.message, indent), indent, node.ids, node.remarks)


# ---------------------------------------------------------------------- types


def _type(node: t.Type) -> str:
    match node:
        case t.TypeName(name=name):
            return name
        case t.TypeTruth():
            return "yes or no"
        case t.TypeChoice(words=words):
            return f"one of {names(words)}"
        case t.TypeRange(low=low, high=high):
            return f"number from {format_expression(low, SUM, True)} to {format_expression(high, SUM, True)}"
        case t.TypeList(item=item):
            return f"list of {_type(item)}"
        case t.TypeEach(item=item):
            return f"each player's {_type(item)}"
        case t.TypeOrNone(item=item):
            return f"{_type(item)} or none"
        case _:
            assert_never(node)


def _with_params(first: str, params: tuple[t.Param, ...], after: str = "") -> list[str]:
    return _in_brackets(first, tuple(map(_param, params)), after) if params else [first + after]


def _in_brackets(first: str, words: tuple[str, ...], after: str = "") -> list[str]:
    """Return a head with words in brackets and some after these, over lines if it is too wide without its title."""
    *others, last = words
    flat = f"{first}({', '.join(words)}){after}"
    return (
        [flat]
        if fits(flat)
        else filled(f"{first}(", [*(f"{word}," for word in others), f"{last}){after}"], STEP * 2)
    )


def _param(param: t.Param) -> str:
    name = f"optional {param.name}" if param.optional else param.name
    if param.parts is not None:
        return f"{name}: {{{names(param.parts)}}}"
    return name if param.type is None else f"{name}: {_type(param.type)}"

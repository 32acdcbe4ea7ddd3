"""Surface trees to rule texts: the one style.

In: a `RuleText`, or one node of it. Out: text that parses to an equal tree, comments included:
`parse(format_text(tree)) == tree` for every tree that `parse` yields. Before:

    action draw( tile ) by p
        left :  (reserve is not empty)   "the reserve is empty" [A1]

After:

    action draw(tile) by p
      left: reserve is not empty "the reserve is empty"                       [A1]

A clause that is too wide puts its message on a deeper line, then breaks at `and`, `or`, `implies` and behind
a quantifier's `:`. Rule numbers are notes in the margin and count towards no width.

INVARIANT: what is broken over lines has a `:` outside brackets, with words behind it, in its first line; no
other line is continued by deeper ones (syntax/layout.py).
"""

from __future__ import annotations

import re
from typing import assert_never

from golpae.syntax import tree as t

WIDTH = 100
MARGIN = 74  # where rule numbers start, counted from 0
STEP = "  "

# How tightly an expression binds; each is named after the loosest form at its level.
ANY, EITHER, BOTH, NEGATION, COMPARISON, OTHER, SUM, PRODUCT, POWER, UNARY, POSTFIX = range(11)

# The level of an operation, and the levels that its left and right sides have to have.
BINARY: dict[str, tuple[int, int, int]] = {
    "implies": (ANY, EITHER, ANY),
    "or": (EITHER, EITHER, BOTH),
    "and": (BOTH, BOTH, NEGATION),
    **dict.fromkeys(("=", "/=", "<", "<=", ">", ">=", "in", "not in"), (COMPARISON, OTHER, OTHER)),
    "fits": (COMPARISON, OTHER, POSTFIX),
    "otherwise": (OTHER, OTHER, SUM),
    **dict.fromkeys(("+", "-"), (SUM, SUM, PRODUCT)),
    **dict.fromkeys(("*", "div", "mod"), (PRODUCT, PRODUCT, POWER)),
    "^": (POWER, UNARY, POWER),
}

COPIES = ("one", "two", "three", "four", "five", "six", "seven", "eight")

# Names that would be read as a word of the language where a line or an effect starts, ...
EFFECT_WORDS = "move|nobody|shuffle|arrange|pass|when|for"
# ... between `then` and a clause's `:`, ...
THEN_WORDS = f"{EFFECT_WORDS}|yes|no|none|its"
# ... behind the name of the one who is paid.
PAY_WORDS = "and|as|at|div|else|fits|for|from|implies|in|is|lay out|mod|or|otherwise|pays|scores|then|to|wins"


def format_text(tree: t.RuleText) -> str:
    """A whole rule text, with a line end behind its last line; empty for an empty tree."""
    out: list[str] = []
    previous: t.Decl | None = None
    alone = False  # whether `previous` is one line
    for node in tree.decls:
        lines = _decl(node)
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
        out += _comments("", tree.rest)
    return "".join(f"{line}\n" for line in out)


def decl(node: t.Decl) -> str:
    """One declaration with its block and comments; no line end behind it."""
    return "\n".join(_decl(node))


def clause(node: t.Clause, kind: str = "action") -> str:
    """One clause of a block with its comments, at the left edge; `kind` is that of its action.

    Effects have a name and no `then` in a `payout`.
    """
    return "\n".join(_clause(node, "", kind))


def body(node: t.Body) -> str:
    """What stands behind a clause's `:` on one line, or its effects line by line where that cannot be."""
    match node:
        case t.Condition():
            return _guarded(expression(node.expr), EFFECT_WORDS) + _message(node.message)
        case t.Hands():
            return _hands(node) + _message(node.message)
        case t.Effects(effects=effects):
            return _inline(effects) if _single(effects) else "\n".join(_block(effects, ""))
        case t.Parts(parts=parts):
            return " ".join(_parts(parts))
        case t.Names(words=words):
            return _names(words)
        case _:
            assert_never(node)


def expression(expr: t.Expr) -> str:
    """An expression on one line, with no more brackets than a reader needs.

    Those are the brackets without which it would mean something else, and those round an `and` beside `or`
    and round a fold in a sum or product.
    """
    return _expr(expr)


# ---------------------------------------------------------------- expressions


def _expr(expr: t.Expr, level: int = ANY, followed: bool = False) -> str:
    """The expression where `level` is asked for; `followed`: words stand behind it that it could swallow."""
    if _bracketed(expr, level, followed):
        return f"({_bare(expr, False)})"
    return _bare(expr, followed)


def _bracketed(expr: t.Expr, level: int, followed: bool) -> bool:
    match expr:
        case t.Quantified() | t.Ways() | t.If() | t.Fold() if followed:
            return True
        case t.Fold() if level in (PRODUCT, POWER):
            return True
        case _:
            return _level(expr) < level


def _side(op: str, expr: t.Expr, level: int, followed: bool) -> str:
    """One side of an operation."""
    mixed = op == "or" and isinstance(expr, t.Binary) and expr.op == "and"
    return _expr(expr, NEGATION if mixed else level, followed)


def _level(expr: t.Expr) -> int:
    match expr:
        case t.Binary(op=op):
            return BINARY[op][0]
        case t.Quantified() | t.Ways() | t.If() | t.Unary(op="not"):
            return NEGATION
        case t.Is() | t.LayOut():
            return COMPARISON
        case t.Unary() | t.Fold() | t.RowEnd() | t.RowPlace():
            return UNARY
        case _:
            return POSTFIX


def _bare(expr: t.Expr, followed: bool) -> str:
    match expr:
        case t.Number(value=value):
            return str(value)
        case t.Truth(value=value):
            return "yes" if value else "no"
        case t.Nothing():
            return "none"
        case t.TileName(name=name):
            return name
        case t.Name(name=name):
            # `some in x` would be read as the start of `some a in x: ...`, `no and of` of `no a of 2 in x: ...`
            return f"({name})" if name in ("some", "every", "of") else name
        case t.Possessive(owner=owner, name=name):
            return f"its {name}" if owner == t.Name(expr.span, "it") else f"{_owner(owner)}'s {name}"
        case t.Call(name=name, args=args, names=()):
            return f"{name}({_items(args)})"
        case t.Call(name=name, args=args, names=words):
            pairs = zip(words, args, strict=True)
            return f"{name}({', '.join(f'{word.text}: {_expr(arg)}' for word, arg in pairs)})"
        case t.Bag(items=items):
            return f"{{{_items(items)}}}"
        case t.EachOf(item=item, name=word, domain=domain, test=test):
            head = f"{_expr(item, SUM, True)} for {word.text} in {_expr(domain, SUM, test is not None)}"
            return f"{{{head}}}" if test is None else f"{{{head}: {_expr(test)}}}"
        case t.RangeBag(low=low, high=high):
            return f"{{{_bounds(low, high)}}}"
        case t.Unary(op="not", arg=arg):
            return f"not {_expr(arg, NEGATION, followed)}"
        case t.Unary(op="-", arg=arg):
            return f"-{_expr(arg, UNARY, followed)}"
        case t.Unary(op=op, arg=arg):
            return f"{op} {_expr(arg, UNARY, followed)}"
        case t.RowEnd(end=end, row=row):
            return f"{end} of {_expr(row, POSTFIX)}"
        case t.RowPlace(row=row, number=number):
            return f"{_expr(row, POSTFIX)} at {_expr(number, POSTFIX)}"
        case t.Earlier(arg=arg):
            return f"earlier({_expr(arg)})"
        case t.Binary(op="fits", left=left, right=right):
            return f"{_expr(left, OTHER, True)} fits {_place(right)}"
        case t.Binary(op="not in", left=left, right=right):
            # `no not in x` would be read as the start of `no a in x: ...`
            return f"{_told_from_quantifier(left)} not in {_expr(right, OTHER, followed)}"
        case t.Binary(op=op, left=left, right=right):
            _, at_left, at_right = BINARY[op]
            return f"{_side(op, left, at_left, True)} {op} {_side(op, right, at_right, followed)}"
        case t.Is(arg=arg, word=word, negated=negated):
            # `no is of` would be read as the start of `no a of 2 in x: ...`
            text = _told_from_quantifier(arg) if word.text == "of" else _expr(arg, OTHER, True)
            return f"{text} is {'not ' if negated else ''}{word.text}"
        case t.LayOut(groups=groups, tiles=tiles, arrangement=word):
            return f"{_expr(groups, OTHER, True)} lay out {_expr(tiles, OTHER, True)} as {word.text}"
        case t.Quantified(body=body) | t.Ways(body=body):
            return f"{_quantifier(expr)} {_expr(body)}"
        case t.Fold(test=test):
            return _fold(expr) if test is None else f"{_fold(expr)} {_expr(test)}"
        case t.If(test=test, yes=yes, no=no):
            return f"if {_expr(test)} then {_expr(yes)} else {_expr(no)}"
        case _:
            assert_never(expr)


def _quantifier(expr: t.Quantified | t.Ways) -> str:
    match expr:
        case t.Quantified(kind=kind, names=names, domain=domain, size=size):
            together = "" if size is None else f" of {_expr(size, SUM, True)}"
            return f"{kind} {_names(names)}{together} in {_expr(domain, SUM, True)}:"
        case t.Ways(kind=kind, score=word):
            return f"{kind} way of {word.text}:"


def _told_from_quantifier(expr: t.Expr) -> str:
    """The left side of words that a `no` before them would be read with."""
    text = _expr(expr, OTHER, True)
    return f"({text})" if re.search(r"(?<![\w'-])no$", text) else text


def _fold(expr: t.Fold) -> str:
    """A fold up to its test."""
    tested = expr.test is not None
    item = "" if expr.item is None else f"{_expr(expr.item, SUM, True)} for "
    together = "" if expr.size is None else f" of {_expr(expr.size, SUM, True)}"
    domain = _expr(expr.domain, SUM, tested)
    return f"{expr.kind} {item}{_names(expr.names)}{together} in {domain}{':' if tested else ''}"


def _owner(owner: t.Expr) -> str:
    match owner:
        case t.Name(name=name):
            return name
        case t.Possessive(owner=inner, name=name):
            return f"{_owner(inner)}'s {name}"
        case _:
            raise TypeError(f"nothing but a name owns: {owner}")


def _place(expr: t.Expr) -> str:
    return _bare(expr, False) if isinstance(expr, t.RowEnd) else _expr(expr, POSTFIX)


def _names(words: tuple[t.Word, ...]) -> str:
    return ", ".join(word.text for word in words)


def _items(items: tuple[t.Expr, ...]) -> str:
    return ", ".join(map(_expr, items))


def _guarded(text: str, words: str) -> str:
    """The text of an expression, in brackets where its first name is one of the words."""
    return f"({text})" if _starts_with(text, words) else text


def _starts_with(text: str, words: str) -> bool:
    return re.match(rf"(?:{words})(?![\w'-])", text) is not None


def _broken(
    expr: t.Expr, first: str, indent: str, level: int = ANY, followed: bool = False, last: str = ""
) -> list[str]:
    """The expression between `first` and `last`, where it is too wide over lines that start with `indent`."""
    flat = f"{first}{_expr(expr, level, followed)}{last}"
    if len(flat) <= WIDTH:
        return [flat]
    if _bracketed(expr, level, followed):
        return _broken(expr, f"{first}(", indent, last=f"){last}")
    deeper = indent + STEP
    match expr:
        case t.Binary(op="and" | "or" | "implies" as op):
            lines: list[str] = []
            *sides, end = _chain(expr, op)
            level = {"and": NEGATION, "or": NEGATION, "implies": EITHER}[op]
            for side in sides:
                lines += _broken(side, f"{indent}{op} " if lines else first, deeper, level, True)
            return lines + _broken(end, f"{indent}{op} ", deeper, level, followed, last)
        case t.Binary(op=op, left=left, right=right) if op != "fits":
            _, at_left, at_right = BINARY[op]
            start = f"{first}{_expr(left, at_left, True)} {op} "
            return _broken(right, start, indent, at_right, followed, last)
        case t.Unary(op="not", arg=arg):
            return _broken(arg, f"{first}not ", indent, NEGATION, followed, last)
        case t.Quantified(body=body) | t.Ways(body=body):
            return [first + _quantifier(expr), *_broken(body, indent, deeper, last=last)]
        case t.Fold(test=test) if test is not None:
            return [first + _fold(expr), *_broken(test, indent, deeper, last=last)]
        case t.If(test=test, yes=yes, no=no):
            lines = _broken(test, f"{first}if ", deeper)
            lines += _broken(yes, f"{indent}then ", deeper)
            return lines + _broken(no, f"{indent}else ", deeper, last=last)
        case t.Call(name=name, args=args, names=names) if len(args) > 1:
            said = [_expr(a) for a in args]
            if names:
                said = [f"{word.text}: {value}" for word, value in zip(names, said, strict=True)]
            lines = [f"{first}{name}("]
            row = indent
            for value in (*(f"{x}," for x in said[:-1]), said[-1]):
                if row != indent and len(row) + 1 + len(value) > WIDTH:
                    lines.append(row)
                    row = indent
                row += value if row == indent else f" {value}"
            return [*lines, f"{row}){last}"]
        case _:
            return [flat]


def _chain(expr: t.Expr, op: str) -> list[t.Expr]:
    """What one operator joins: `a`, `b` and `c` of `a and b and c`."""
    match expr:
        case t.Binary(op="implies", left=left, right=right) if op == "implies":
            return [left, *_chain(right, op)]
        case t.Binary(op=other, left=left, right=right) if op == other:
            return [*_chain(left, op), right]
        case _:
            return [expr]


# -------------------------------------------------------------------- effects


def _single(effects: tuple[t.Effect, ...]) -> bool:
    """Whether one effect is all there is, under whatever `when` and `for each`."""
    if len(effects) != 1:
        return False
    effect = effects[0]
    return _single(effect.effects) if isinstance(effect, t.When | t.ForEach) else True


def _head(effect: t.When | t.ForEach) -> str:
    """The words before the `:`, with no `:` outside brackets among them."""
    match effect:
        case t.When(test=test):
            return f"when {_expr(test, ANY, True)}"
        case t.ForEach(name=name, domain=domain):
            return f"for each {name.text} in {_expr(domain, SUM, True)}"


def _phrase(effect: t.Effect) -> tuple[str, t.Expr | None]:
    """An effect on one line: its words, and the expression that ends it, where one does."""
    match effect:
        case t.Move(what=what, source=source, target=target, label=label):
            moved = "all" if what is None else _guarded(_expr(what, ANY, True), "all")
            called = "" if label is None else f" as {label.text}"
            return f"move {moved} from {_place(source)} to {_place(target)}{called}", None
        case t.Assign(target=target, value=value):
            return f"{_subject(target)} := ", value
        case t.Wins(seat=seat):
            return f"{'nobody' if seat is None else _subject(seat)} wins", None
        case t.Pays(payer=payer, payee=payee, amount=amount):
            paid = _expr(amount)
            said = _guarded(paid, PAY_WORDS)
            whom = _expr(payee, POSTFIX)
            if isinstance(payee, t.Name) and said.startswith("("):
                whom = f"({whom})"  # `q (1 + 2)` would be read as a call of q
            words = f"{_subject(payer)} pays {whom} "
            return (words, amount) if said == paid else (words + said, None)
        case t.Scores(seat=seat, amount=amount):
            return f"{_subject(seat)} scores ", amount
        case t.Shuffle(row=row):
            return f"shuffle {_expr(row, POSTFIX)}", None
        case t.Arrange(row=row, tiles=tiles):
            return f"arrange {_expr(row, POSTFIX)} as ", tiles
        case t.PassOn(zone=zone, side=side):
            return f"pass each player's {zone.text} to the {side.text}", None
        case t.When() | t.ForEach():
            return f"{_head(effect)}: {_inline(effect.effects)}", None
        case _:
            assert_never(effect)


def _subject(expr: t.Expr) -> str:
    return _guarded(_expr(expr, POSTFIX), EFFECT_WORDS)


def _inline(effects: tuple[t.Effect, ...]) -> str:
    """Effects on one line. A `;` goes on with the innermost effects, so only the last one may hold others."""
    if any(isinstance(effect, t.When | t.ForEach) for effect in effects[:-1]):
        raise ValueError("effects behind a `when` or `for each` on one line would be taken as its own")
    phrases = (_phrase(effect) for effect in effects)
    return "; ".join(words if end is None else words + _expr(end) for words, end in phrases)


def _block(effects: tuple[t.Effect, ...], indent: str) -> list[str]:
    """Effects as the lines of a block."""
    lines: list[str] = []
    for effect in effects:
        line = indent + _inline((effect,)) if _single((effect,)) else None
        match effect:
            case t.When() | t.ForEach() if line is None or len(line) > WIDTH:
                lines += [f"{indent}{_head(effect)}", *_block(effect.effects, indent + STEP)]
            case _:
                lines.append(line or "")
    return lines


def _behind_colon(effects: tuple[t.Effect, ...], first: str, indent: str) -> list[str]:
    """Effects behind the `:` of a clause that can have no block, over lines where they are too wide."""
    flat = first + _inline(effects)
    if len(flat) <= WIDTH:
        return [flat]
    lines: list[str] = []
    deeper = indent + STEP
    for number, effect in enumerate(effects, 1):
        start = indent if lines else first
        last = ";" if number < len(effects) else ""
        match effect:
            case t.When() | t.ForEach():
                lines += [f"{start}{_head(effect)}:", *_behind_colon(effect.effects, indent, deeper)]
            case _:
                words, end = _phrase(effect)
                start += words
                lines += [start + last] if end is None else _broken(end, start, deeper, last=last)
    return lines


# ---------------------------------------------------------------------- lines


def _comments(indent: str, comments: tuple[str, ...]) -> list[str]:
    return [f"{indent}# {comment}".rstrip() for comment in comments]


def _noted(
    lines: list[str], indent: str, ids: tuple[t.Word, ...] = (), remarks: t.Remarks = t.NO_REMARKS
) -> list[str]:
    """The lines with comments above them, and rule numbers and a comment behind the last."""
    last = lines[-1]
    if ids:
        last = f"{last:<{max(MARGIN, len(last) + 2)}}[{' '.join(word.text for word in ids)}]"
    if remarks.behind is not None:
        last = f"{last}  # {remarks.behind}".rstrip()
    return [*_comments(indent, remarks.above), *lines[:-1], last]


def _message(message: str | None) -> str:
    return "" if message is None else f' "{message}"'


def _said(
    first: str, expr: t.Expr, message: str | None = None, indent: str = "", words: str | None = None
) -> list[str]:
    """`first`, which ends with a `:` and words or nothing, the expression, and its message."""
    deeper = indent + STEP
    text = _expr(expr)
    guarded = words is not None and _starts_with(text, words)
    flat = first + (f"({text})" if guarded else text)
    if len(flat) + len(_message(message)) <= WIDTH:
        return [flat + _message(message)]
    lines = _broken(expr, f"{first}(", deeper, last=")") if guarded else _broken(expr, first, deeper)
    return lines if message is None else [*lines, f'{deeper}"{message}"']


def _filled(first: str, parts: list[str], indent: str) -> list[str]:
    """Parts behind `first`, as many on a line as fit."""
    lines: list[str] = []
    line = first + parts[0]
    for part in parts[1:]:
        if len(line) + 1 + len(part) > WIDTH:
            lines.append(line)
            line = indent + part
        else:
            line = f"{line} {part}"
    return [*lines, line]


# -------------------------------------------------------------------- clauses


def _clause(node: t.Clause, indent: str, kind: str = "action") -> list[str]:
    name = node.name.text
    match node.body:
        case t.Condition() | t.Hands() as said:
            lines = _stated(f"{indent}{name}: ", said, indent)
            return _noted(lines, indent, node.ids, node.remarks)
        case t.Effects(effects=effects):
            return _happening(node, effects, indent, kind)
        case t.Parts(parts=parts):
            return _noted(
                _filled(f"{indent}{name}: ", _parts(parts), indent + STEP), indent, node.ids, node.remarks
            )
        case t.Names(words=words):
            return _noted([f"{indent}{name}: {_names(words)}"], indent, node.ids, node.remarks)
        case _:
            assert_never(node.body)


def _stated(first: str, node: t.Condition | t.Hands, indent: str) -> list[str]:
    match node:
        case t.Condition(expr=expr, message=message):
            return _said(first, expr, message, indent, EFFECT_WORDS)
        case t.Hands(message=message):
            flat = first + _hands(node)
            if len(flat) + len(_message(message)) <= WIDTH:
                return [flat + _message(message)]
            return [flat] if message is None else [flat, f'{indent}{STEP}"{message}"']


def _hands(node: t.Hands) -> str:
    first = _guarded(_expr(node.first, ANY, True), EFFECT_WORDS)
    if node.first == node.others:
        return f"{first} for everyone"
    return f"{first} for first, {_expr(node.others, ANY, True)} for the others"


def _happening(node: t.Clause, effects: tuple[t.Effect, ...], indent: str, kind: str) -> list[str]:
    """A clause of effects: one line where it is one effect that fits, else a block."""
    name, deeper = node.name.text, indent + STEP
    unnamed = name == "then"
    unsayable = re.fullmatch(THEN_WORDS, name) is not None  # behind `then`
    without_then = not unnamed and (kind == "payout" or unsayable)
    first = f"{indent}{name}: " if without_then else f"{indent}then " if unnamed else f"{indent}then {name}: "
    inner: tuple[t.Effect, ...] = effects
    if _single(effects):
        line = first + _inline(effects)
        if len(line) <= WIDTH or not isinstance(effects[0], t.When | t.ForEach):
            lines = [line] if unnamed else _behind_colon(effects, first, deeper)
            return _noted(lines, indent, node.ids, node.remarks)
    if unsayable and node.ids:
        lines = _behind_colon(effects, first, deeper)
        return _noted(lines, indent, node.ids, node.remarks)
    match effects:
        case (t.When() | t.ForEach() as only,) if unnamed and not node.ids:
            head, inner = f"{indent}then {_head(only)}", only.effects
        case _ if unnamed:
            head = f"{indent}then"
        case _ if without_then and not node.ids:
            head = f"{indent}{name}:"
        case _:
            head = f"{indent}then {name}"
    return [*_noted([head], indent, node.ids, node.remarks), *_block(inner, deeper)]


def _delta(node: t.Delta, indent: str) -> list[str]:
    head = f"{indent}{node.kind} {'.'.join(word.text for word in node.path)}"
    match node.body:
        case None:
            lines = [head if node.verdict is None else f"{head} {node.verdict}"]
        case t.Condition() | t.Hands() as said:
            lines = _stated(f"{head}: ", said, indent)
        case t.Effects(effects=effects):
            lines = _behind_colon(effects, f"{head}: ", indent + STEP)
        case t.Parts(parts=parts):
            lines = _filled(f"{head}: ", _parts(parts), indent + STEP)
        case t.Names(words=words):
            lines = [f"{head}: {_names(words)}"]
        case _:
            assert_never(node.body)
    return _noted(lines, indent, node.ids, node.remarks)


# ---------------------------------------------------------------------- types


def _type(node: t.Type) -> str:
    match node:
        case t.TypeName(name=name):
            return name
        case t.TypeTruth():
            return "yes or no"
        case t.TypeChoice(words=words):
            return f"one of {_names(words)}"
        case t.TypeRange(low=low, high=high):
            return f"number from {_expr(low, SUM, True)} to {_expr(high, SUM, True)}"
        case t.TypeList(item=item):
            return f"list of {_type(item)}"
        case t.TypeEach(item=item):
            return f"each player's {_type(item)}"
        case t.TypeOrNone(item=item):
            return f"{_type(item)} or none"
        case _:
            assert_never(node)


def _params(params: tuple[t.Param, ...]) -> str:
    return f"({', '.join(map(_param, params))})" if params else ""


def _param(param: t.Param) -> str:
    name = f"optional {param.name}" if param.optional else param.name
    if param.parts is not None:
        return f"{name}: {{{_names(param.parts)}}}"
    return name if param.type is None else f"{name}: {_type(param.type)}"


# --------------------------------------------------------------- declarations


def _family(node: t.Decl) -> object:
    """One-line declarations of one family stand together."""
    match node:
        case t.Game() | t.Include():
            return t.Include
        case t.Action(kind=kind):
            return kind
        case _:
            return type(node)


def _decl(node: t.Decl) -> list[str]:
    """A declaration at the left edge, with its comments, as lines."""
    match node:
        case t.Game():
            return _noted([f"game {node.name.text}{_message(node.title)}"], "", node.ids, node.remarks)
        case t.Include():
            return _noted([f"include {node.name.text}"], "", (), node.remarks)
        case t.Source():
            return _source(node)
        case t.Players():
            words = f"players {_bounds(node.low, node.high)}"
            return _noted([words], "", node.ids, node.remarks)
        case t.Option():
            normally = "" if node.normally is None else f", normally {_expr(node.normally, SUM)}"
            words = f"option {node.name.text}: {_bounds(node.low, node.high)}{normally}"
            return _noted([words], "", node.ids, node.remarks)
        case t.Tiles():
            return _tiles(node)
        case t.Zones():
            lines = _noted(["zones"], "", (), node.remarks)
            return lines + [line for zone in node.zones for line in _zone(zone)]
        case t.State():
            lines = _noted([f"state of the {node.scope}"], "", (), node.remarks)
            return lines + [line for var in node.vars for line in _typed(var, STEP)]
        case t.Define():
            return _define(node)
        case t.Shape():
            return _shape(node)
        case t.Arrangement():
            return _arrangement(node)
        case t.Score():
            return _score(node)
        case t.Action():
            return _action(node)
        case t.Delta():
            return _delta(node, "")
        case t.Variant():
            head = f"{node.kind} {node.name.text}{_message(node.gist)}"
            lines = _noted([head], "", node.ids, node.remarks)
            lines += [line for delta in node.deltas for line in _delta(delta, STEP)]
            return lines + [line for prop in node.properties for line in _property(prop, STEP)]
        case t.Property():
            return _property(node, "")
        case _:
            assert_never(node)


def _bounds(low: t.Expr, high: t.Expr) -> str:
    return f"{_expr(low, SUM, True)} to {_expr(high, SUM, True)}"


def _owned(each_player: bool) -> str:
    return "each player's " if each_player else ""


def _source(node: t.Source) -> list[str]:
    lines = _noted([f"source {node.number.text}{_message(node.title)}"], "", (), node.remarks)
    for rule in node.rules:
        section = "" if rule.section is None else f" in{_message(rule.section)}"
        words = f"{STEP}{rule.name.text}{section}:{_message(rule.gist)}"
        lines += _noted([words], STEP, (), rule.remarks)
    return lines


def _tiles(node: t.Tiles) -> list[str]:
    count = "" if node.count is None else f" {node.count} of {node.kinds} kinds"
    lines = _noted([f"tiles{count}"], "", node.ids, node.remarks)
    for group in node.groups:
        copies = COPIES[group.copies - 1] if 1 <= group.copies <= len(COPIES) else str(group.copies)
        first = f"{STEP}{group.name.text}: {copies} of each "
        match group.tiles:
            case t.Template(pattern=pattern, spoken=spoken, ranges=ranges):
                called = "" if spoken is None else f' called "{spoken}"'
                over = ", ".join(f"{r.name.text} in {_bounds(r.low, r.high)}" for r in ranges)
                parts = [f'"{pattern}"{called}', f"for {over}"]
            case tiles:
                parts = [tile.name + _message(tile.spoken) for tile in tiles]
        lines += _noted(_filled(first, parts, STEP * 2), STEP, group.ids, group.remarks)
    if node.written is not None:
        words = " or ".join(f'"{pattern}"' for pattern in node.written.patterns)
        lines += _noted([f"{STEP}written: {words}"], STEP, (), node.written.remarks)
    if node.withdrawn is not None:
        lines += _clause(node.withdrawn, STEP)
    return lines


def _zone(node: t.Zone) -> list[str]:
    holds = ", holds the set" if node.holds_set else ""
    words = f"{_owned(node.each_player)}{node.name.text}: {node.kind.text} seen by {node.seen_by}{holds}"
    return _noted([STEP + words], STEP, node.ids, node.remarks)


def _typed(node: t.StateVar | t.GivenParam, indent: str) -> list[str]:
    owned = _owned(node.each_player) if isinstance(node, t.StateVar) else ""
    words = f"{indent}{owned}{node.name.text}: {_type(node.type)}"
    lines = [words] if node.initial is None else _said(f"{words} = ", node.initial, indent=indent)
    return _noted(lines, indent, node.ids, node.remarks)


def _define(node: t.Define) -> list[str]:
    owner = "" if node.owner is None else f"each {node.owner}'s "
    head = f"define {owner}{node.name.text}{_params(node.params)}"
    if node.cases:
        lines = _noted([head], "", node.ids, node.remarks)
        return lines + [line for case in node.clauses for line in _clause(case, STEP)]
    [only] = node.clauses
    if not isinstance(only.body, t.Condition):
        raise TypeError(f"a definition is an expression: {only}")
    return _noted(_said(f"{head}: ", only.body.expr), "", node.ids, node.remarks)


def _shape(node: t.Shape) -> list[str]:
    size = "" if node.size is None else f" of {node.size}"
    names = f"({_names(node.names)})" if node.names else size
    return _noted(_said(f"shape {node.name.text}{names}: ", node.body), "", node.ids, node.remarks)


def _arrangement(node: t.Arrangement) -> list[str]:
    first, *others = [word.text for word in node.union] or [""]
    parts = _parts(node.parts) if node.parts else [first, *(f"or {other}" for other in others)]
    lines = _filled(f"arrangement {node.name.text}: ", parts, STEP)
    return _noted(lines, "", node.ids, node.remarks)


def _parts(parts: tuple[t.Part, ...]) -> list[str]:
    """Parts of an arrangement, each with the `and` before it."""
    first, *others = [f"{p.count} {'different ' if p.different else ''}{p.shape.text}" for p in parts]
    return [first, *(f"and {other}" for other in others)]


def _score(node: t.Score) -> list[str]:
    head = f"score {node.name.text}{_params(node.params)}{_message(node.title)}"
    lines = _noted([head], "", node.ids, node.remarks)
    lines += [f"{STEP}given"] if node.given else []
    for given in node.given:
        lines += _typed(given, STEP * 2)
    lines += [f"{STEP}provided"] if node.provided else []
    for condition in node.provided:
        lines += _clause(condition, STEP * 2)
    for field in node.fields:
        expr = _expr(field.expr, ANY, field.label is not None)
        label = "" if field.label is None else f" as {field.label.text}"
        words = f"{STEP}{field.name.text}: {expr}{label}"
        lines += _noted([words], STEP, field.ids, field.remarks)
    for define in node.defines:
        said = _said(f"{STEP}define {define.name.text}: ", define.expr, indent=STEP)
        lines += _noted(said, STEP, define.ids, define.remarks)
    for pattern in node.patterns:
        each = ""
        if pattern.each is not None:
            word, domain = pattern.each
            each = f" for each {word.text} in {_expr(domain, SUM, True)}"
        extra = ", extra" if pattern.extra else ""
        first = f"{STEP}pattern {pattern.name.text} {_expr(pattern.value, SUM, True)}{each}{extra}: "
        said = _said(first, pattern.test, pattern.message, STEP)
        lines += _noted(said, STEP, pattern.ids, pattern.remarks)
    for line in node.brings:
        words = f"{STEP}{line.pattern.text} brings {_names(line.brought)}"
        lines += _noted([words], STEP, line.ids, line.remarks)
    return lines


def _action(node: t.Action) -> list[str]:
    words = f"action {node.name.text}" if node.kind == "action" else node.kind
    words += _params(node.params)
    if node.zone is not None:
        words += f" from {node.zone.text}"
    if node.by is not None:
        words += f" by {node.by.text}"
    if node.before_deal:
        words += " before the deal"
    lines = _noted([words + _message(node.title)], "", node.ids, node.remarks)
    return lines + [line for inner in node.clauses for line in _clause(inner, STEP, node.kind)]


def _property(node: t.Property, indent: str) -> list[str]:
    expected = "" if node.expected is None else f" expected {node.expected}"
    within = "" if node.within is None else f" within {node.within} events"
    after = "" if node.after is None else f" after {node.after.text}"
    first = f"{indent}{node.kind} {node.name.text}{after}{expected}{within}: "
    return _noted(_said(first, node.expr, node.message, indent), indent, node.ids, node.remarks)

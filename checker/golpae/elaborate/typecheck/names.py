"""Look up names, with advice for unknown ones.

Input: a name as written, the symbol table and the scope. Output: the IR of what it means, or a fault.
Guarantee: the innermost meaning is taken: a word of the choice that is needed, a local name, a name of the text, a word
of every game.

    stage          StateRead stage
    p's hand       ZoneRead hand of p
    acquire        Const acquire, if a word of that choice is needed
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from golpae.diagnostics import Span, quoted_list
from golpae.diagnostics.amounts import NUMERALS
from golpae.elaborate.typecheck.builtins import BUILTINS, TRUTHS
from golpae.elaborate.typecheck.overloads import without_none
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import (
    FACE,
    UNKNOWN,
    RefusedExpression,
    SymbolTable,
    advice_for,
    zone_type,
)
from golpae.elaborate.typecheck.type_errors import mismatched
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, MELD, MELDS, SEAT, TILE, TILES, Bag, Choice, Each, Opt, Type, fits
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker

OTHER_WORDS = {
    "true": "yes",
    "false": "no",
    "null": "none",
    "nothing": "none",
}  # what authors may write instead
EVERYBODY = ("everyone", "everybody", "all", "others", "each")
OTHER_OWNED = {  # what authors may write for a word of every player
    "next": "right",
    "previous": "left",
    "prev": "left",
    "points": "total",
    "score": "total",
}

# ---------------------------------------------------------------- names by themselves

SEAT_MARK = "@"  # and a number: a seat, which no text can write


def plain_name(symbols: SymbolTable, name: str, scope: Scope, choice: Choice | None) -> ir.Expr | None:
    """Return the typed expression of a name without an owner, or None if it is a definition or unknown.

    If a word of a choice is needed, `choice` is that choice.
    """
    if choice is not None and name in choice.words:
        return ir.Const(name, choice)
    if name in scope.locals:
        local = ir.Local(name, scope.locals[name])
        return faces_of(symbols, local) if name in scope.by_face else local
    if name.startswith(SEAT_MARK):
        return ir.Const(int(name.removeprefix(SEAT_MARK)), SEAT)
    if scope.lists.get(name):
        return ir.BagOf(tuple(ir.Local(part, TILE) for part in scope.lists[name]), TILES)
    if name in scope.lists:
        return None
    if name in symbols.vars and not symbols.vars[name].each_player:
        return ir.StateRead(name, None, symbols.vars[name].type)
    if name in symbols.zones and not symbols.zones[name].each_player:
        return ir.ZoneRead(name, None, zone_type(symbols.zones[name]))
    if name in symbols.options:
        return ir.OptionRead(name, INT)
    if name in symbols.groups:
        return ir.Group(name, TILES)
    if name in symbols.tile_names:
        return ir.Const(symbols.tile_names[name], TILE)
    if name in TRUTHS:
        return ir.Builtin("over", None, BOOL)
    if name in BUILTINS and not BUILTINS[name].of_player:
        return ir.Builtin(BUILTINS[name].name, None, BUILTINS[name].type)
    return symbols.wild if name == "wild" and name not in symbols.defines else None


def unknown_name(
    symbols: SymbolTable, expr: t.Name, scope: Scope, choice: Choice | None
) -> RefusedExpression:
    """Return the fault of a name that has no meaning here."""
    name = expr.name
    if choice == UNKNOWN:
        return RefusedExpression()
    if isinstance(refusal := scope.swallowed.get(name), RefusedExpression):
        return refusal
    if name in scope.lists:
        message = f"`{name}` cannot be used here: a name of one of its tiles has another meaning"
        return RefusedExpression("N002", message, expr.span, "give the inner name another name")
    if choice is not None:
        advice = advice_for(name, choice.words, "write one of these, or add it after `one of`")
        return RefusedExpression(
            "N001", f"`{name}` is not one of {quoted_list(choice.words)}", expr.span, advice
        )
    if name in symbols.owned_words(SEAT):
        return RefusedExpression("N001", f"each player has a `{name}`", expr.span, f"say whose: `p's {name}`")
    if name in symbols.owned_words(TILE):
        return RefusedExpression("N001", f"each tile has a `{name}`", expr.span, f"say whose: `t's {name}`")
    if expr.span.words == "its":
        owned = re.match(r"\s+([A-Za-z][\w-]*)", expr.span.text.content[expr.span.end :])
        whose = next((n for n, kind in reversed(scope.locals.items()) if kind in (SEAT, TILE)), "p")
        advice = f"say whose: `{whose}'s {owned[1] if owned else '...'}`"
        message = "`its` has a meaning only in `define each ...` and after `each player` or `each team`"
        return RefusedExpression("N001", message, expr.span, advice)
    words = [*scope.locals, *scope.lists, *symbols.plain_words()]
    otherwise = "use a name of this text, or define this one"
    if scope.locals.get("it") in (SEAT, TILE) and _owns(expr.span):
        otherwise = f"in `define each ...`, write `its` for `{name}'s`"
    advice = advice_for(name, words, otherwise)
    if name in NUMERALS:
        advice = f"write `{NUMERALS.index(name)}`, in digits"
    if name in OTHER_WORDS:
        advice = f"write `{OTHER_WORDS[name]}`"
    if name in EVERYBODY:
        advice = "write `for each q in players: ...`, with `q` in its place"
    if any(pattern.name.text == name for score in symbols.scores.values() for pattern in score.patterns):
        advice = f"`{name}` is a pattern: only patterns below it in its score can ask about it, and `keep`"
    if name in symbols.scores:
        given = ", ".join(f"{line.name.text}: ..." for line in symbols.scores[name].given[:2])
        advice = f"`{name}` is a score: `{name}({given})` asks it, and a state keeps a number for later"
    if name == "groups":
        advice = "go through tiles, as in `every t in kinds: ...`, or write the line once for each group"
    return RefusedExpression("N001", f"nothing here is called `{name}`", expr.span, advice)


def tile_name(symbols: SymbolTable, expr: t.TileName) -> ir.Expr:
    """Return the tile of a name such as `1-1`. Raises `RefusedExpression`."""
    name = symbols.tile_names.get(expr.name)
    if name is None and symbols.tiles_incomplete:
        raise RefusedExpression
    if name is None:
        advice = advice_for(expr.name, symbols.tile_names, "the tiles of the set are listed under `tiles`")
        same = next((n for n in symbols.tile_names if n.casefold() == expr.name.casefold()), None)
        if same is not None:
            advice = f"write `{same}`: capitals and small letters differ"
        raise RefusedExpression("N001", f"there is no tile `{expr.name}`", expr.span, advice)
    return ir.Const(name, TILE)


def is_value(symbols: SymbolTable, name: str, scope: Scope) -> bool:
    """Return whether a name means a value, rather than a word of a choice."""
    return name in scope.locals or name in scope.lists or name in set(symbols.plain_words())


def choice_of(symbols: SymbolTable, node: t.Expr, scope: Scope) -> Choice | None:
    """Return the words that a state or parameter is one of, or None if the expression names no such state."""
    kind: Type | None = None
    if isinstance(node, t.Name):
        kind = scope.locals.get(node.name) or (
            symbols.vars[node.name].type if node.name in symbols.vars else None
        )
    elif isinstance(node, t.Possessive) and node.name in symbols.vars:
        kind = symbols.vars[node.name].type
    kind = None if kind is None else without_none(kind)
    return kind if isinstance(kind, Choice) else None


# ---------------------------------------------------------------- names of a player or tile


def value_for_each(name: str, owner: ir.Expr, scope: Scope) -> ir.Expr | None:
    """Return one player's value, if the name is local and means a value for each player."""
    kind = scope.locals.get(name)
    if isinstance(kind, Opt) and scope.has(name):
        kind = kind.item
    if isinstance(kind, Each) and fits(owner.type, SEAT):
        return ir.OwnValue(ir.Local(name, kind), owner, kind.item)
    return None


def owned_name(symbols: SymbolTable, name: str, owner: ir.Expr) -> ir.Expr | None:
    """Return the typed expression of a name of a player or tile, or None if it is a definition or unknown."""
    if owner.type == TILE:
        if name in symbols.attributes or name == "group":
            groups = symbols.groups - symbols.lines_of_likes
            kind: Type = symbols.choice(sorted(groups)) if name == "group" else INT
            return ir.Attr(name, owner, kind)
        own = symbols.defines.get(FACE)
        if name == FACE and (own is None or own.owner != "tile"):
            return faces_of(symbols, owner)
        return None
    if name in symbols.vars and symbols.vars[name].each_player:
        return ir.StateRead(name, owner, symbols.vars[name].type)
    if name in symbols.zones and symbols.zones[name].each_player:
        return ir.ZoneRead(name, owner, zone_type(symbols.zones[name]))
    if name in BUILTINS and BUILTINS[name].of_player:
        return ir.Builtin(BUILTINS[name].name, owner, BUILTINS[name].type)
    return None


def unknown_owned_name(symbols: SymbolTable, name: str, span: Span, owner_type: Type) -> RefusedExpression:
    """Return the fault of a name that players, or tiles, do not have."""
    whose = "a tile" if owner_type == TILE else "a player"
    words = list(symbols.owned_words(owner_type))
    advice = advice_for(name, words, f"{whose} has {quoted_list(words)}")
    if name in symbols.plain_words():
        advice = f"write `{name}` alone: it has no owner"
    elif name in OTHER_OWNED and owner_type != TILE:
        advice = f"write `p's {OTHER_OWNED[name]}`"
    return RefusedExpression("N001", f"{whose} has no `{name}`", span, advice)


def faces_of(symbols: SymbolTable, value: ir.Expr) -> ir.Expr:
    """Return a tile, or what holds tiles, with the face of each tile; as it is if each tile is its own face."""
    return ir.Faces(value, value.type) if symbols.has_faces else value


def faces(checker: Checker, node: t.Expr, scope: Scope) -> ir.Expr:
    """Return `faces of` tiles, of a list of them or of melds. Raises `RefusedExpression`."""
    value = checker.infer(node, scope)
    if value.type == TILE:
        message = f"`{node.span.excerpt}` is one tile, and has one face"
        raise RefusedExpression(
            "T001", message, node.span, "write `t's face`, with the name of the tile for `t`"
        )
    if value.type not in (TILES, MELD, MELDS, Bag(TILES)):
        raise mismatched(node, value.type, TILES)
    return faces_of(checker.symbols, value)


# ---------------------------------------------------------------- shapes and arrangements


def require_value(expr: t.Name, scope: Scope) -> None:
    """Check that a name is more than what a text asks about with `is`. Raises `RefusedExpression`."""
    if expr.name in scope.asked:
        advice = f"ask which one it is: `{expr.name} is ...`"
        raise RefusedExpression("T001", f"`{expr.name}` is not a value", expr.span, advice)


def require_shape(symbols: SymbolTable, word: t.Word, scope: Scope) -> None:
    """Check that `is` can ask for this word: a shape, an arrangement or a label. Raises `RefusedExpression`."""
    words = [*symbols.shapes, *symbols.arrangements, *symbols.labels, "none", "empty"]
    if word.text not in words:
        advice = advice_for(word.text, words, "define it with `shape`")
        if word.text in OTHER_WORDS:
            advice = f"write `= {OTHER_WORDS[word.text]}`"
        if word.text in ("yes", "no") or is_value(symbols, word.text, scope):
            advice = f"write `{'in' if word.text in symbols.groups else '='} {word.text}`"
        raise RefusedExpression("N001", f"there is no shape `{word.text}`", word.span, advice)


def require_arrangement(symbols: SymbolTable, name: str, span: Span) -> None:
    """Check that there is an arrangement of this name. Raises `RefusedExpression`."""
    if name not in symbols.arrangements:
        advice = advice_for(name, symbols.arrangements, "define it with `arrangement`")
        raise RefusedExpression("N001", f"there is no arrangement `{name}`", span, advice)


def group_shape(symbols: SymbolTable, word: t.Word) -> str:
    """Return the shape of this name, which may be written with an `s` at its end. Raises `RefusedExpression`."""
    for name in (word.text, word.text.removesuffix("s")):
        if name in symbols.shapes:
            return name
    if word.text in symbols.arrangements:
        message = f"`{word.text}` is an arrangement of a whole hand, but groups are of one shape"
        raise RefusedExpression(
            "N001", message, word.span, "name a shape; `shape meld: run or set` joins several"
        )
    advice = advice_for(word.text, symbols.shapes, "define it with `shape`")
    raise RefusedExpression("N001", f"there is no shape `{word.text}`", word.span, advice)


def laid_out(checker: Checker, expr: t.LayOut | t.Beside | t.Parted, scope: Scope) -> ir.Expr:
    """Return the typed expression for tiles in groups: laid out, beside melds, or parted. Raises
    `RefusedExpression`.
    """
    if isinstance(expr, t.Parted):
        shape = group_shape(checker.symbols, expr.shape)
        return ir.Parted(expr.kind, shape, checker.check(expr.tiles, TILES, scope), Bag(TILES))
    name = expr.arrangement.text
    require_arrangement(checker.symbols, name, expr.arrangement.span)
    if isinstance(expr, t.LayOut):
        groups, whole = checker.check(expr.groups, Bag(TILES), scope), checker.check(expr.tiles, TILES, scope)
        as_they_lie = ir.LayOut(groups, whole, name, BOOL)
        if not checker.symbols.has_faces:
            return as_they_lie
        by_face = ir.LayOut(faces_of(checker.symbols, groups), faces_of(checker.symbols, whole), name, BOOL)
        return ir.Op("and", (as_they_lie, by_face), BOOL)
    tiles, melds = (
        faces_of(checker.symbols, checker.check(part, kind, scope))
        for part, kind in ((expr.tiles, TILES), (expr.melds, MELDS))
    )
    beside = ir.IsBeside(tiles, melds, name, BOOL)
    return ir.Op("not", (beside,), BOOL) if expr.negated else beside


def require_score(symbols: SymbolTable, word: t.Word) -> None:
    """Check that there is a score of this name. Raises `RefusedExpression`."""
    if word.text not in symbols.scores:
        advice = advice_for(word.text, symbols.scores, "define it with `score`")
        raise RefusedExpression("N001", f"there is no score `{word.text}`", word.span, advice)


def _owns(word: Span) -> bool:
    """Return whether `'s` follows a word."""
    return word.text.content.startswith("'s", word.end)

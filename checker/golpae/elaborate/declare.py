"""Enter the declarations of a text into the symbol table, before anything is checked.

Input: the declarations of a resolved text. Output: a filled `SymbolTable`, with faults for names used twice and for
tiles that do not fit together.
Guarantee: a name that is used twice keeps its first meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from golpae.diagnostics import Span, near, quoted_list
from golpae.elaborate.constant import NotConstant, StaticValues, constant_int
from golpae.elaborate.expand.tile_patterns import unknown_hole
from golpae.elaborate.instance import TableFault, holes, read_attributes, spell_out
from golpae.elaborate.typecheck.builtins import BUILTINS, EARLIER, STANDING_ALONE, TRUTHS
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.parameters import declare_kinds, type_of
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import ZONE_KINDS, SymbolTable
from golpae.ir import expr as ir
from golpae.ir.expr import Const, Expr
from golpae.ir.ruleset import ZONE_LOOKS, GroupDecl, Note, OptionDecl, RangeDecl, TileSet, VarDecl, ZoneDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import INT, TILE, TILES
from golpae.syntax import tree as t
from golpae.syntax.traverse import flat

TAKEN = f"choose another name; every game has {quoted_list((*BUILTINS, *TRUTHS, EARLIER, 'all'))}"


def declare(symbols: SymbolTable, decls: Iterable[t.Decl]) -> None:
    """Enter every declared name."""
    first: dict[str, Span] = {}  # names without an owner
    things: dict[str, Span] = {}  # zones, states and definitions, including those of a player (`p's hand`)
    labels: set[str] = set()
    parts: dict[str, Span] = {}  # parts that a game has once, and its actions
    decls = tuple(decls)
    declare_kinds(symbols, [decl for decl in decls if isinstance(decl, t.Kind)])
    for decl in decls:
        match decl:
            case t.Players():
                _one_part(symbols, t.Word(head_span(decl.span, "players"), "players"), parts)
            case t.Tiles():
                if _one_part(symbols, t.Word(head_span(decl.span, "tiles"), "tiles"), parts):
                    _declare_tiles(symbols, decl, first)
            case t.Zones():
                for zone in decl.zones:
                    _declare_zone(symbols, zone, things, first)
            case t.State():
                for var in decl.vars:
                    kind = type_of(symbols, var.type)
                    if _once(symbols, var.name, *((things,) if var.each_player else (things, first))):
                        name = var.name.text
                        symbols.vars[name] = VarDecl(name, var.each_player, kind, None, decl.scope)
                        symbols.var_spans[name] = var.name.span
            case t.Define():
                if _once(symbols, decl.name, *((things,) if decl.owner else (things, first))):
                    symbols.defines[decl.name.text] = decl
            case t.Option():
                if _once(symbols, decl.name, first):
                    symbols.options.add(decl.name.text)
            case t.Order():
                if _once(symbols, decl.name, first):
                    symbols.ordered.add(decl.name.text)
            case t.RowSlice():
                if _once(symbols, decl.name, first):
                    symbols.row_slices[decl.name.text] = decl
            case t.Shape():
                if _once(symbols, decl.name, first):
                    symbols.shapes[decl.name.text] = decl
            case t.Arrangement():
                if _once(symbols, decl.name, first):
                    symbols.arrangements[decl.name.text] = decl
            case t.Score():
                if _once(symbols, decl.name, first):
                    symbols.scores[decl.name.text] = decl
            case t.Action():
                _one_part(symbols, decl.name, parts, decl.kind == "action")
                labels |= _labels(decl)
            case (
                t.Game() | t.Include() | t.Source() | t.Kind() | t.Variant() | t.Delta() | t.Property()
                | t.Reword()
                | t.Group()
            ):  # fmt: skip
                pass
            case _:
                assert_never(decl)
    symbols.labels = labels
    symbols.places = first


def _declare_zone(
    symbols: SymbolTable, zone: t.Zone, things: dict[str, Span], first: dict[str, Span]
) -> None:
    """Enter a zone: among the `things`, and among the `first` names without an owner if no player has it."""
    if zone.kind.text not in ZONE_KINDS:
        advice = near(zone.kind.text, ZONE_KINDS) or f"a zone is {_or(ZONE_KINDS)}"
        symbols.fault("N004", f"there is no kind of zone `{zone.kind.text}`", zone.kind.span, advice)
    _known_look(symbols, zone)
    if _once(symbols, zone.name, *((things,) if zone.each_player else (things, first))):
        name, shown = zone.name.text, None if zone.shown is None else zone.shown.text
        symbols.zones[name] = ZoneDecl(
            name, zone.each_player, zone.kind.text, zone.seen_by, zone.holds_set, zone.also, shown
        )
        symbols.zone_spans[name] = zone.name.span


def _labels(action: t.Action) -> set[str]:
    """Return the labels that the effects of an action give to melds."""
    effects = (e for c in action.clauses if isinstance(c.body, t.Effects) for e in flat(c.body.effects))
    return {e.label.text for e in effects if isinstance(e, t.Move) and e.label is not None}


def _once(symbols: SymbolTable, word: t.Word, *spaces: dict[str, Span]) -> bool:
    """Enter a name and return True; enter a fault and return False if one of these spaces has the name already."""
    in_every_game = word.text in BUILTINS or word.text in TRUTHS or word.text == EARLIER
    if in_every_game or (len(spaces) > 1 and word.text in STANDING_ALONE):  # a value that stands alone
        message = f"`{word.text}` already has a meaning in every game"
        symbols.fault("N002", message, word.span, TAKEN)
        return False
    earlier = next((space[word.text] for space in spaces if word.text in space), None)
    if earlier is not None:
        message = f"the name `{word.text}` is already taken"
        symbols.twice(message, word.span, "choose another name", earlier)
        return False
    for space in spaces:
        space[word.text] = word.span
    return True


def _one_part(symbols: SymbolTable, word: t.Word, parts: dict[str, Span], action: bool = False) -> bool:
    """Enter an action, or a part that a game has once (`tiles`), and return True.

    If it is the second, enter a fault and return False.
    """
    if word.text not in parts:
        parts[word.text] = word.span
        return True
    if action:
        symbols.twice(
            f"there are two actions `{word.text}`", word.span, "rename one of them", parts[word.text]
        )
    else:
        advice = "keep one of the two"
        if word.text not in ("players", "tiles"):
            advice += "; its clauses can be changed with `replace`, `add` and `drop`"
        symbols.twice(
            f"this is a second `{word.text}`, but a game has one", word.span, advice, parts[word.text]
        )
    return False


def texts(words: Iterable[t.Word]) -> tuple[str, ...]:
    """Return the words without their places."""
    return tuple(word.text for word in words)


def notes_of(nodes: Iterable[t.Note]) -> tuple[Note, ...]:
    """Return sentences for players without their places."""
    return tuple(Note(node.text, texts(node.ids)) for node in nodes)


def head_span(span: Span, word: str) -> Span:
    """Return the place of the first word of a part."""
    return Span(span.text, span.start, span.start + len(word))


def _or(words: Iterable[str]) -> str:
    return " or ".join(f"`{word}`" for word in words)


GROUP_HOLE = "{group}"  # would hide the word for the group of a tile


def _known_look(symbols: SymbolTable, zone: t.Zone) -> None:
    """Check that a zone is shown in a way that there is."""
    if zone.shown is None or zone.shown.text in ZONE_LOOKS:
        return
    look = zone.shown.text
    advice = near(look, ZONE_LOOKS) or f"a zone is shown as {_or(ZONE_LOOKS)}"
    symbols.fault("N004", f"there is no way to show a zone as `{look}`", zone.shown.span, advice)


def _declare_tiles(symbols: SymbolTable, node: t.Tiles, first: dict[str, Span]) -> None:
    written = () if node.written is None else node.written.patterns
    for pattern in written:
        symbols.attributes |= set(holes(pattern))
    for named in (node.written, *(g.tiles for g in node.groups if isinstance(g.tiles, t.Template))):
        if named is not None and GROUP_HOLE in named.span.words:
            start = named.span.start + named.span.words.index(GROUP_HOLE) + 1
            place = Span(named.span.text, start, start + len(GROUP_HOLE) - 2)
            advice = "write the name of the group itself here, or choose another name"
            symbols.fault("N002", "every tile already has a `group`", place, advice)
    for group in node.groups:
        _once(symbols, group.name, first)
        symbols.groups.add(group.name.text)
        if isinstance(group.tiles, t.Template):
            symbols.attributes |= set(holes(group.tiles.pattern))
            continue
        for tile in group.tiles:
            span = tile.span if tile.numbers else head_span(tile.span, tile.name)
            other = symbols.tile_names.get(tile.name)
            if other == tile.name:
                symbols.fault("G006", f"`{tile.name}` is listed twice", span, "list each kind of tile once")
            elif other is not None:
                symbols.fault(
                    "G006", f"`{tile.name}` is another way to write `{other}`", span, "list one of the two"
                )
            if other is not None:
                continue
            symbols.tile_names[tile.name] = tile.name
            if tile.like is not None:
                symbols.likes[tile.name] = tile.like.text
                symbols.lines_of_likes.add(group.name.text)
                if not any(ch.isdigit() for ch in tile.name):
                    _once(symbols, t.Word(span, tile.name), first)
                continue
            values = dict(tile.numbers) or read_attributes(tile.name, written)
            symbols.attributes |= set(dict(tile.numbers))
            if not any(ch.isdigit() for ch in tile.name):
                _once(symbols, t.Word(span, tile.name), first)
            elif written and not values:
                advice = f"write it like {_or(written)}, or add its own pattern to `written`"
                symbols.fault(
                    "G006", f"`{tile.name}` is not written like the tiles of this set", span, advice
                )
            for pattern in written:
                alias = pattern
                for hole, value in values.items():
                    alias = alias.replace("{" + hole + "}", str(value))
                if values:
                    symbols.tile_names.setdefault(alias, tile.name)


def tile_set(checker: Checker, node: t.Tiles | None, options: tuple[OptionDecl, ...]) -> TileSet:
    """Return the set of tiles, its bounds and withdrawn tiles checked."""
    if node is None:
        return TileSet((), (), (), None)
    symbols = checker.symbols
    groups = []
    for group in node.groups:
        if isinstance(group.tiles, t.Template):
            scope = Scope({})
            symbols.once_each(
                (r.name for r in group.tiles.ranges), "there are two ranges", "give each its own name"
            )
            ranges = []
            for bound in group.tiles.ranges:
                assert bound.bounds is not None  # another range is written out
                low, high = (_bound(checker, end, scope) for end in bound.bounds)
                ranges.append(RangeDecl(bound.name.text, low, high))
                scope = scope.with_local(bound.name.text, INT)
            for hole in holes(group.tiles.pattern) + holes(group.tiles.spoken or ""):
                if hole not in scope.locals and hole != GROUP_HOLE.strip("{}"):
                    symbols.diagnostics.append(unknown_hole(group.tiles, hole, scope.locals))
            groups.append(
                GroupDecl(
                    group.name.text, group.copies, (), group.tiles.pattern, group.tiles.spoken, tuple(ranges)
                )
            )
        else:
            names = tuple((tile.name, tile.spoken or tile.name) for tile in group.tiles)
            numbers = tuple(tile.numbers for tile in group.tiles) if group.tiles[0].numbers else ()
            likes = tuple(tile.like.text for tile in group.tiles if tile.like is not None)
            groups.append(GroupDecl(group.name.text, group.copies, names, None, None, (), numbers, likes))
    tiles = TileSet(
        tuple(groups),
        () if node.written is None else node.written.patterns,
        tuple(sorted(symbols.attributes)),
        None,
        texts(node.ids),
        drawn=None if node.drawn is None else node.drawn.name.text,
    )
    _name_generated(symbols, tiles, options)
    tiles = replace(
        tiles, groups=tuple(_with_faces(symbols, g, w) for g, w in zip(groups, node.groups, strict=True))
    )
    ids = () if node.withdrawn is None else texts(node.withdrawn.ids) or tiles.ids
    if node.wild is None and node.wild_as is not None:
        advice = "say before it which tiles are wild: `wild: ...`"
        symbols.fault(
            "G006", "`wild-as` says what wild tiles count as, and none are", node.wild_as.name.span, advice
        )
    symbols.wild = _bag_of(checker, node.wild)
    wild_as = _bag_of(checker, node.wild_as)
    _note_wild(symbols, tiles, wild_as)
    withdrawn = _bag_of(checker, node.withdrawn)
    return replace(tiles, withdrawn=withdrawn, withdrawn_ids=ids, wild=symbols.wild, wild_as=wild_as)


def _note_wild(symbols: SymbolTable, tiles: TileSet, wild_as: ir.Expr | None) -> None:
    """Note which tiles are wild, and are none that a wild tile counts as."""
    listed = {group.name: {name for name, _ in group.names} for group in tiles.groups}

    def named(bag: ir.Expr | None) -> set[str]:
        parts = () if bag is None else nodes(bag)
        constants = [{str(part.value)} for part in parts if isinstance(part, ir.Const) and part.type == TILE]
        groups = () if bag is None else [part.name for part in nodes(bag) if isinstance(part, ir.Group)]
        return set().union(*constants, *(listed.get(group, set()) for group in groups))

    symbols.wild_tiles = named(symbols.wild) - named(wild_as)
    symbols.wild_groups = {group for group, names in listed.items() if names and names <= symbols.wild_tiles}


def _bag_of(checker: Checker, clause: t.Clause | None) -> ir.Expr | None:
    """Return the tiles of a line of the set; None if there is none."""
    if clause is None or not isinstance(clause.body, t.Condition):
        return None
    return checker.expect(clause.body.expr, TILES, Scope({}))


def _with_faces(symbols: SymbolTable, group: GroupDecl, node: t.TileGroup) -> GroupDecl:
    """Return a group with the names of the tiles that its own count as; a fault is entered for each that is none."""
    if not group.likes or isinstance(node.tiles, t.Template):
        return group
    faces = []
    for tile in node.tiles:
        if tile.like is None:
            message = f"`{tile.name}` is `like` no other tile, and others of `{group.name}` are"
            advice = "give the tiles that are `like` others a line of their own"
            symbols.fault("G006", message, head_span(tile.span, tile.name), advice)
            continue
        faces.append(_face(symbols, tile, tile.like))
    return replace(group, likes=tuple(faces))


def _face(symbols: SymbolTable, tile: t.SpokenTile, like: t.Word) -> str:
    """Return the name of the tile that a tile counts as; enter a fault if there is none."""
    face = symbols.tile_names.get(like.text)
    if face is None and not symbols.tiles_incomplete:
        advice = near(like.text, symbols.tile_names) or "name a tile of another line of the set"
        if like.text in {*symbols.groups, "any"}:
            any_of = "" if like.text == "any" else f", and `wild-as: {like.text}` under it"
            advice = f"if it may count as any of several, write `wild: {{{tile.name}}}`{any_of}"
        symbols.fault("N001", f"there is no tile `{like.text}`", like.span, advice)
    elif face in symbols.likes:
        other = symbols.likes[face]
        message = f"`{face}` is itself `like {other}`" if face != tile.name else f"`{face}` is like itself"
        advice = f"write `like {other}`" if face != tile.name else "name the tile that it counts as"
        symbols.fault("G006", message, like.span, advice)
    return face or like.text


def _bound(checker: Checker, end: t.Expr, scope: Scope) -> Expr:
    """Return an end of a range. A name that means nothing is the beginning of a list of words."""
    symbols = checker.symbols
    if isinstance(end, t.Name) and end.name not in {*scope.locals, *symbols.plain_words()}:
        message = f"nothing here is called `{end.name}`, and a range goes through whole numbers"
        advice = 'write numbers, or list these tiles one by one: `one of each c1 "one" c2 "two"`'
        symbols.fault("N001", message, end.span, advice)
        return Const(1, INT)
    return checker.expect(end, INT, scope)


def _name_generated(symbols: SymbolTable, tiles: TileSet, options: tuple[OptionDecl, ...]) -> None:
    """Enter the tiles that patterns generate.

    If they depend on an option, those of the smallest set are entered.
    """
    try:
        smallest = {o.name: constant_int(o.low, StaticValues(None, {}, (), {})) for o in options}
        kinds = spell_out(
            replace(tiles, groups=tuple(g for g in tiles.groups if g.pattern is not None)), smallest, {}
        )
    except (NotConstant, TableFault):
        symbols.tiles_incomplete = True
        return
    for kind in kinds:
        for name in (kind.name, *kind.aliases):
            symbols.tile_names.setdefault(name, kind.name)

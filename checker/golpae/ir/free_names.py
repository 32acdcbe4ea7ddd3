"""What expressions leave open."""

from __future__ import annotations

from functools import lru_cache

from golpae.ir import expr as ir


@lru_cache(maxsize=4096)
def free(expr: ir.Expr) -> frozenset[str]:
    """The names that an expression leaves open."""
    match expr:
        case ir.Local(name=name):
            return frozenset({name})
        case ir.Quant(names=names, domain=domain, body=body, size=size):
            chosen = free(domain) if size is None else free(domain) | free(size)
            return chosen | (free(body) - set(names))
        case ir.Fold(names=names, domain=domain, item=item, test=test, size=size):
            inner = [free(x) for x in (item, test) if x is not None]
            chosen = free(domain) if size is None else free(domain) | free(size)
            return chosen | (frozenset().union(*inner) - set(names))
        case ir.CallDef(args=args) | ir.Op(args=args) | ir.CallScore(args=args):
            return frozenset().union(*(free(a) for a in args))
        case ir.BagOf(items=items):
            return frozenset().union(*(free(i) for i in items))
        case ir.If(test=test, yes=yes, no=no):
            return free(test) | free(yes) | free(no)
        case ir.Fits(tile=tile, seat=seat):
            return free(tile) | (frozenset() if seat is None else free(seat))
        case ir.ZonePlace(number=number, seat=seat):
            return free(number) | (frozenset() if seat is None else free(seat))
        case ir.Earlier(expr=inner):
            return free(inner)
        case ir.Attr(tile=tile):
            return free(tile)
        case ir.FitsOrder(tiles=tiles, seat=seat):
            return free(tiles) | (frozenset() if seat is None else free(seat))
        case ir.FitsScore(patterns=patterns, score=score):
            return free(patterns) | free(score)
        case ir.LayOut(groups=groups, tiles=tiles):
            return free(groups) | free(tiles)
        case ir.OwnValue(values=values, seat=seat):
            return free(values) | free(seat)
        case ir.IsShape(arg=arg):
            return free(arg)
        case ir.StateRead(seat=seat) | ir.ZoneRead(seat=seat) | ir.ZoneEnd(seat=seat) | ir.Builtin(seat=seat):
            return frozenset() if seat is None else free(seat)
        case _:
            return frozenset()

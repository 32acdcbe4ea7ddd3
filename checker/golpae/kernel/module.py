"""One rule set at one table as a module.

Input: an `Instance`. Output: a `Compiled`: the module's bytes, and what in the rules it refers.
Guarantee: the same instance gives the same bytes. The module exports, all numbers of 64 bits:

    init()            fills the tables of definitions; once, before anything else
    new_game(stake)   a match before its first deal
    act(action)       1 if the event whose keys lie in memory is legal, and it has happened then; 0 if it is not legal
    stage()           the stage that the match is at
    check()           checks the traces that lie in memory, as `traces` describes it
    check_noted(signature)        the same for those that another module has noted
    learn, check_rows the same for packed games, as `rows` describes it

and, if it is to play,

    pick(wanted)      the action of a legal event, whose keys lie in memory then, as `emit.playing.listing` describes it
    begin, deal, play, games   games by chance, as `emit.playing.chance` describes them
    count(depth)      how many sequences of so many legal events can follow

and, if it is to stand alone, the same without `check`, `stage`, `games` and `count`, but with

    read, write, broken, asked    events as lines, and what is wrong with them, as `emit.telling.events` describes it
    scored(action)                an event that happens, and the scores that it asks for, as `emit.telling.scored`
                                  describes it
    state()                       the state as JSON, as `emit.telling.states` describes it
    pick_finish(wanted)           the same as `pick`, of the events that finish a match
    unlisted(action)              1 if an action may be legal, but has too many events to be listed
    dealers()                     the seats that can be dealt the first player's hand now, as bits
    rated()                       with aims: how the event of the last `play` is rated, as `emit.playing.greedy` says
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import ordered_rows
from golpae.ir.types import TILE
from golpae.kernel.emit.actions import Actions
from golpae.kernel.emit.parts import MOST_OF_FILLING, Parts
from golpae.kernel.emit.playing.chance import Asking, GameAddresses, Playing
from golpae.kernel.emit.playing.counting import counting
from golpae.kernel.emit.playing.listing import Listing
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.emit.rows import row_functions
from golpae.kernel.emit.telling.events import Events
from golpae.kernel.emit.telling.scored import scored_functions
from golpae.kernel.emit.telling.states import state_function
from golpae.kernel.emit.telling.text import ROOM, TextArea
from golpae.kernel.language.code import Expr, Function, Lit, Module
from golpae.kernel.language.inline import inlined
from golpae.kernel.language.threading import threaded
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, call, either, ge, load, mul, shl, shr
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.rows import Rows, place_in_image, rows_functions, rows_place
from golpae.kernel.scan.lines import any_header, header, in_turn, scanner
from golpae.kernel.traces import TraceAddresses, check_functions, place


@dataclass(frozen=True, slots=True)
class Plays:
    """Where a module that plays says how many legal events it has `seen`, what came of its games, and the set as it was
    `shuffled` for the last deal.
    """

    seen: int
    told: GameAddresses
    shuffled: int


@dataclass(frozen=True, slots=True)
class Texts:
    """Where a module that stands alone reads and writes texts, and how many bytes there can be."""

    start: int
    room: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """A module: its bytes, its layout, and reasons why something in the rules is referred.

    The number of the reason for which it stopped, from 1 on, lies at `why`, 0 for a reason of the game.
    `clauses` are the paths of clauses in which something is referred, each with why; the path is empty if no clause is
    known. `filled` are the tables and lists that `init` fills; the number of the one that it fills lies at `filling`.
    `places` are the clauses whose numbers the module notes.
    """

    wasm: bytes
    layout: Layout
    found: TraceAddresses | None
    refused: tuple[str, ...]
    why: int
    filled: tuple[str, ...]
    filling: int
    clauses: tuple[tuple[str, str], ...]
    plays: Plays | None = None
    texts: Texts | None = None
    rows: Rows | None = None
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """What a module is made for.

    Headers write its rule set as `rules`, or anyhow if that is None. With `counted`, an event whose loops have very
    many rounds is referred. With `plays`, the module lists legal events and plays by chance as well. With `alone`, it
    plays, and writes all its results as JSON. With `aims`, its seats play by these instead of at random; `asking` says
    what is asked of each hand. With `located`, the module notes at which clause it is.
    """

    rules: str | None
    counted: bool
    plays: bool = False
    alone: bool = False
    aims: Aims | None = None
    asking: Asking | None = None
    located: bool = False


def compiled(instance: Instance, request: ModuleRequest, left_out: Collection[str] = ()) -> Compiled:
    """Return the module of an instance. Raises `NotCompiled` if nothing of it can be compiled.

    Tables and lists of `left_out` are not filled: what needs them is worked out where it is asked for, or referred.
    """
    alone = request.alone
    if not alone:  # which shows every zone
        instance = without_orders(instance, request.asking.asked if request.asking else ())
    layout = Layout(instance, spare=int(alone), tells=alone)
    remembers = not (request.plays or alone or request.located)  # nothing puts an earlier position back
    parts = Parts(layout, request.counted, left_out, tells=alone, remembers=remembers)
    if request.located:
        parts.note_places()
    actions = Actions(parts)
    functions = [*actions.functions(), *row_functions(layout)]
    playing, plays, texts = _playing(parts, actions, request)
    functions += playing
    trace_addresses = None if alone else place(layout)
    functions += [act_function(parts), _stage(layout), fill(parts)]
    rows, at_images = None, dict[int, Function]()
    if trace_addresses is not None:
        rows = rows_place(layout, trace_addresses.notes)
        at_images = _at_images(parts, actions)
    functions = parts.counted([*functions, *at_images.values(), *parts.functions.values()])
    if trace_addresses is not None and rows is not None:
        rules = request.rules
        named = trace_addresses.named
        functions += check_functions(layout, trace_addresses)
        functions += [header(layout, rules, named), *any_header(rules, named)]
        functions += rows_functions(layout, rows, {n: function.name for n, function in at_images.items()})
    functions += scanner(layout, None if rows is None else rows.gaps)
    functions = [*map(threaded, functions)]
    if rows is not None:
        functions = _in_place(functions, [function.name for function in at_images.values()])
    for function in functions:
        function.exported = function.name in (ALONE if alone else EXPORTED)
    return Compiled(
        wasm(Module(functions, layout.end, layout.data)),
        layout,
        trace_addresses,
        tuple(parts.refused),
        parts.why,
        tuple(parts.prepared),
        parts.filling,
        tuple(parts.clauses),
        plays,
        texts,
        rows,
        tuple(parts.places or ()),
    )


def _playing(
    parts: Parts, actions: Actions, request: ModuleRequest
) -> tuple[list[Function], Plays | None, Texts | None]:
    """Return the functions that list events, play and write texts, and where their results lie; none if the module only
    checks.
    """
    if not (request.plays or request.alone):
        return [], None, None
    functions: list[Function] = []
    texts, area = None, None
    listing = Listing(actions)
    if request.alone:
        area = TextArea(parts)
        functions += [*area.functions(), *Events(area, actions, listing).functions(), state_function(area)]
        texts = Texts(area.start, ROOM)
    playing = Playing(listing, request.aims, request.asking)
    functions += [*listing.functions(), *playing.functions()]
    functions += [*listing.not_played(), playing.dealers()] if request.alone else [counting(listing)]
    plays = Plays(listing.seen, playing.told, playing.shuffled)
    if area is not None:
        functions += scored_functions(area)  # of all scores that the rest asks for
    return functions, plays, texts


def _at_images(parts: Parts, actions: Actions) -> dict[int, Function]:
    """Return the functions that play an event at its image, by the numbers of their actions."""
    return {
        number: function
        for number, action in enumerate(parts.rules.actions)
        if (function := actions.at_image(number, action, partial(place_in_image, parts.layout, action)))
        is not None
    }


def _in_place(functions: list[Function], at_images: Collection[str]) -> list[Function]:
    """Return functions in which `check_rows` does what those of `at_images` and each `act_x` do, and these what they do
    to rows, without calls.
    """
    named = {function.name: function for function in functions}
    acts = [*at_images, *(name for name in named if _ACT.fullmatch(name))]
    of_rows = {name: named[name] for name in IN_PLACE if name in named}
    named |= {name: inlined(named[name], of_rows) for name in acts}
    named["check_rows"] = inlined(named["check_rows"], {name: named[name] for name in acts})
    return [named[function.name] for function in functions if function.name not in at_images]


def without_orders(instance: Instance, exprs: Iterable[ir.Expr] = ()) -> Instance:
    """Return an instance in which rows are plain zones of tiles if no event depends on their order, nor what else is
    asked.
    """
    rules = instance.rule_set
    ordered = ordered_rows(rules, exprs)
    zones = tuple(
        replace(zone, kind="tiles") if zone.kind == "row" and zone.name not in ordered else zone
        for zone in rules.zones
    )
    return instance if zones == rules.zones else replace(instance, rule_set=replace(rules, zones=zones))


_ACT = re.compile(r"act_\d+")
IN_PLACE = ("row_put", "row_put_place", "row_take_end", "row_fits", "row_end")
EXPORTED = (
    *("init", "new_game", "act", "stage", "check", "check_noted", "learn", "check_rows"),
    *("pick", "begin", "deal", "play", "games", "count"),
)
ALONE = (
    *("init", "new_game", "act", "pick", "begin", "deal", "play"),
    *("read", "write", "broken", "asked", "scored", "state", "pick_finish", "unlisted", "dealers", "rated"),
)  # what a module that stands alone exports


def act_function(parts: Parts) -> Function:
    """Return `act(action)`."""
    writer = Writer("act", 1, 1)
    acts = [partial(_give_act, writer, number) for number in range(len(parts.rules.actions))]
    with writer.block() as none:
        in_turn(writer, writer.param(0), acts, none)
    writer.give(ZERO)
    return writer.function()


def _give_act(writer: Writer, number: int) -> None:
    writer.give(call(f"act_{number}"))


def _stage(layout: Layout) -> Function:
    writer = Writer("stage", 0, 1)
    writer.give(load(8, ZERO, layout.at))
    return writer.function()


def fill(parts: Parts, before: int = 0) -> Function:
    """`init()`: fill the tables of definitions and lists, one by one; what another one asks for comes before it. So
    many others have been filled `before`.
    """
    writer = Writer("init", 0, 0)
    parts.start(writer, MOST_OF_FILLING)
    layout = parts.layout
    kinds, words = len(layout.instance.kinds), layout.words(TILE)
    for number, name in enumerate(parts.prepared):
        writer.store(8, ZERO, Lit(before + number), parts.filling)
        if name not in parts.tables:
            parts.begin(writer)
            writer.call_into((), name)
            continue
        address, truths = parts.tables[name]
        two = len(parts.definitions[name].params) == 2
        for_row = words if truths else kinds
        first = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(first, Lit(kinds if two else 1)))
            parts.begin(writer)
            second = writer.var(0)
            with writer.block() as row_done, writer.loop() as row_again:
                writer.leave(row_done, ge(second, Lit(kinds)))
                value = call(f"d_{name}", *((first, second) if two else (second,)))
                row = mul(first, Lit(for_row * WORD))
                if truths:
                    value = writer.let(value)
                    _set_bit(writer, address, row, second, value)
                    if name in parts.columns:
                        _set_bit(writer, parts.columns[name], mul(second, Lit(words * WORD)), first, value)
                else:
                    writer.store(8, add(row, shl(second, Lit(3))), value, address)
                writer.set(second, add(second, ONE))
                writer.leave(row_again)
            writer.set(first, add(first, ONE))
            writer.leave(again)
    return writer.function()


def _set_bit(writer: Writer, address: int, row: Expr, place: Expr, truth: Expr) -> None:
    """Write that the bit at a place of a row of truths is set if a truth holds."""
    at = writer.let(add(row, shl(shr(place, Lit(6)), Lit(3))))
    writer.store(8, at, either(load(8, at, address), shl(truth, place)), address)

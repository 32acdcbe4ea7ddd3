"""Score a single hand, without a game.

Input: an object whose keys are the parameters of a score block.
Output: every arrangement that counts, best first; if the tile that completes the hand is left out, the score with
each tile that completes it; or a `Fault` in words.
Guarantee: no game is played: state and zones are those of a new match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any

from golpae.diagnostics import SpecError, quoted_list
from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import ParamDecl, ScoreDecl
from golpae.ir.scoring import as_given, numbers_in
from golpae.ir.traverse import free
from golpae.ir.types import Bag, Tile
from golpae.replay.codegen.events import decoder
from golpae.replay.decode import Bad
from golpae.replay.hands.examples import examples
from golpae.replay.hands.stated import reason_against, tiles_of
from golpae.replay.hands.usual import with_usual
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.runtime import Meld
from golpae.replay.scoring.score import FailedTest, Number, ScoredLayout
from golpae.trace import identity, quoted, read_header

SCORE = "score"  # the key that names one of several scores
OWN_KEYS = ("rules", "players", "id", "note", "time", "options")


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """How hands are scored: `rules` and `score` are those of hands that name none, `players` is how many play."""

    rules: str | None = None
    score: str | None = None
    players: int | None = None

    def given(self, hand: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a hand with the rules and the score that it does not name."""
        others = (("rules", self.rules), (SCORE, self.score))
        missing = {key: name for key, name in others if name is not None and key not in hand}
        return {**hand, **missing} if missing else hand


@dataclass(frozen=True, slots=True)
class Fault:
    """A hand that cannot be scored, and why. `text_faults` are those of the text of its `rules`, if that is why.

    `no_score` is whether no hand can be scored by its `rules`.
    `advice` is for a person who calls golpae with this one hand. `too_long` is whether golpae cannot go on with it.
    `unfit` is whether the rules forbid such a hand.
    """

    message: str
    rules: str = ""
    text_faults: SpecError | None = None
    no_score: bool = False
    advice: str | None = None
    too_long: bool = False
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """One arrangement: its groups as people write them and as lists, and the points of each pattern that counts.

    If patterns count in several numbers, these are the `numbers` by name; `counted_in` has the number of each pattern.
    """

    sets: tuple[str, ...]
    lists: tuple[tuple[str, ...], ...]
    patterns: Mapping[str, int]
    points: int
    numbers: Mapping[str, int] = field(default_factory=dict)
    counted_in: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, ...]:
        """What is compared to find the best: the points, then the numbers."""
        return (self.points, *self.numbers.values())

    @property
    def said(self) -> str:
        """The patterns in words; none if none holds."""
        return ", ".join(
            f"{name} {points}{f' {self.counted_in[name]}' if name in self.counted_in else ''}"
            for name, points in self.patterns.items()
        )


def way_of(
    score: ScoreDecl, lists: tuple[tuple[str, ...], ...], patterns: Mapping[str, int], points: int
) -> Way:
    """Return a way of a score, with its groups as lists of tiles."""
    counted_in = {p.name: p.number for p in score.patterns if p.number}
    sets = tuple(map(" ".join, lists))
    return Way(sets, lists, patterns, points, numbers_in(score, patterns), counted_in)


@dataclass(frozen=True, slots=True)
class Misfit:
    """The nearest arrangement to a hand that fits none: its groups, those it lacks by shape, the tiles left."""

    arrangement: str
    sets: tuple[tuple[str, ...], ...]
    lacks: Mapping[str, int]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand and what it counts; `points` is None if it does not count.

    Then `below` is the best arrangement of those that do not count, and `failed` are the conditions of `keep` that do
    not hold of it. If there is none either, `misfit` is what the hand lacks for the nearest arrangement.
    """

    rules: str
    hand: str
    points: int | None
    ways: tuple[Way, ...]
    adds: bool
    below: Way | None = None
    failed: tuple[FailedTest, ...] = ()
    misfit: Misfit | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the keys of the trace format: `points`, `numbers` if patterns count in several, `patterns` (if they
        add up) or `sets` of a best arrangement, `ok`; `lacks`, the points that are missing, if nothing else is, or
        else `fails`, the conditions of `keep` that do not hold; and `misfit`.
        """
        best = next((r for r in self.ways if r.points == self.points), self.below)
        out: dict[str, Any] = {"points": None if best is None else best.points}
        if best is not None and best.numbers:
            out["numbers"] = dict(best.numbers)
        if self.adds:
            out["patterns"] = {} if best is None else dict(best.patterns)
        else:
            out["sets"] = [] if best is None else [list(x) for x in best.lists]
        out["ok"] = self.points is not None
        out |= _lacking(self.failed)
        if self.misfit is not None:
            out["misfit"] = asdict(self.misfit)
        return out


def _lacking(failed: Sequence[FailedTest]) -> dict[str, Any]:
    """Return `lacks`, the points that are missing, if nothing else is; or else `fails`, the conditions that fail."""
    match failed:
        case (FailedTest(number=Number(_, asked, there), is_minimum=True),):
            return {"lacks": asked - there}
        case (_, *_):
            return {"fails": [test.words for test in failed]}
    return {}


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand, and a best arrangement with it; None if none counts.

    Then `below` is the best of those that do not count, and `failed` are the conditions of `keep` that do not hold.
    """

    tile: str
    best: Way | None
    below: Way | None = None
    failed: tuple[FailedTest, ...] = ()

    @property
    def points(self) -> int | None:
        return None if self.best is None else self.best.points


@dataclass(frozen=True, slots=True)
class Waiting:
    """A hand without the tile that completes it, which is the parameter `key`."""

    rules: str
    hand: str
    key: str
    waits: tuple[Wait, ...]

    @property
    def ok(self) -> bool:
        """Return whether some tile makes a hand that counts."""
        return any(wait.best is not None for wait in self.waits)

    def to_json(self) -> dict[str, Any]:
        """Return `waits`, each with its `tile`, its `points` and `patterns`, and if it does not count, without points,
        with `lacks` or `fails`; and `ok`.
        """
        waits = [
            {
                "tile": wait.tile,
                "points": wait.points,
                **(
                    {} if wait.best is None or not wait.best.numbers else {"numbers": dict(wait.best.numbers)}
                ),
                "patterns": {} if wait.best is None else dict(wait.best.patterns),
                **_lacking(wait.failed),
            }
            for wait in self.waits
        ]
        return {"points": None, "waits": waits, "ok": self.ok}


def score_hand(
    hand: Mapping[str, Any], library: Library, players: int | None = None, tiles: Sequence[str] = ()
) -> Scored | Waiting | Fault:
    """Score one hand. `tiles` are the value of its first parameter that is a bag of tiles."""
    try:
        return _scored(hand, library, players, tiles)
    except TooManySteps as limit:
        return Fault(str(limit), too_long=True)


def _scored(
    hand: Mapping[str, Any], library: Library, players: int | None, tiles: Sequence[str]
) -> Scored | Waiting | Fault:
    """Return the score of one hand. Raises `TooManySteps`."""
    rules = hand.get("rules")
    if not isinstance(rules, str):
        return Fault('a hand needs `rules`, such as `"rules":"base+variant"`')
    named = read_header({"golpae": 1, "rules": rules, "players": [""]})
    if isinstance(named, str):
        return Fault(named)
    if "id" in hand and identity(hand)[0] is None:
        return Fault("`id` must be a text or a whole number")
    machine = _machine(rules, hand, library, players)
    if isinstance(machine, Fault):
        return machine
    if not machine.rules.scores:
        return Fault(f"`{rules}` has no `score`: hands are not worth points in it", rules, no_score=True)
    score = _score(machine, rules, hand)
    if isinstance(score, Fault):
        return score
    values = {key: value for key, value in hand.items() if key != SCORE or _is_key(machine, SCORE)}
    first = next((p for p in score.params if p.type == Bag(Tile())), None)
    if tiles and first is not None:
        if first.name in values:
            return Fault(f"`{first.name}` is given twice: as tiles and by its key")
        values[first.name] = list(tiles)
    open_ = _completing(score)
    waiting = open_ is not None and open_.name not in values
    stated = _arguments(machine, score, values, open_.name if open_ is not None and waiting else None)
    if isinstance(stated, Fault):
        return stated
    names = with_usual(machine, score, stated)
    shown = "" if first is None else " ".join(machine.tile(t) for t in sorted(names[first.name]))
    if open_ is not None and waiting:
        waits = _waits(machine, score, stated, open_.name)
        if isinstance(waits, Fault):
            return waits
        return Waiting(rules, shown, open_.name, waits)
    unfit = reason_against(machine, score, names, tiles_of(machine, score, names))
    if unfit is not None:
        return Fault(unfit, unfit=True)
    ways = _ways(machine, score, names)
    adds = score.total != "highest"
    if ways:
        return Scored(rules, shown, ways[0].points, tuple(ways), adds)
    return Scored(
        rules, shown, None, (), adds, *_below(machine, score, names), _misfit(machine, score, names)
    )


def _ways(machine: Machine, score: ScoreDecl, names: Mapping[str, Any]) -> list[Way]:
    """Return every arrangement that counts, the best first, each once."""
    counting = machine.scorers[score.name].layouts(machine.first_state, *_in_order(score, names))
    return each_once(_way(machine, score, layout) for layout in counting)


def each_once(ways: Iterable[Way]) -> list[Way]:
    """Return ways, each once: the best first, by points and then by numbers; of several, the one whose patterns come
    first by their names, a higher number before a lower one, and that before none.
    """
    different: dict[object, Way] = {}
    for way in ways:
        different.setdefault((way.sets, frozenset(way.patterns.items()), way.points), way)
    names = sorted({name for way in different.values() for name in way.patterns})

    def place(way: Way) -> tuple[object, ...]:
        return [-number for number in way.place], [-way.patterns.get(name, -inf) for name in names], way.sets

    return sorted(different.values(), key=place)


def _way(machine: Machine, score: ScoreDecl, layout: ScoredLayout) -> Way:
    """Return a way. Of each part, melds on the table come first; all groups are in the order of the set otherwise."""
    groups = [
        sorted(g) for part in layout.groups for g in sorted(part, key=lambda g: (not isinstance(g, Meld), g))
    ]
    lists = tuple(tuple(machine.tile(t) for t in g) for g in groups)
    return way_of(score, lists, layout.patterns, layout.total)


def _below(
    machine: Machine, score: ScoreDecl, names: Mapping[str, Any]
) -> tuple[Way | None, tuple[FailedTest, ...]]:
    """Return the best arrangement of a hand that does not count, and the conditions of `keep` that fail."""
    shortfalls = machine.scorers[score.name].shortfalls(machine.first_state, *_in_order(score, names))
    best = max(shortfalls, key=lambda short: (short.layout.place, -len(short.failed)), default=None)
    if best is None:
        return None, ()
    return _way(machine, score, best.layout), best.failed


def _misfit(machine: Machine, score: ScoreDecl, names: Mapping[str, Any]) -> Misfit | None:
    near = machine.scorers[score.name].nearest(machine.first_state, *_in_order(score, names))
    if near is None:
        return None
    sets = tuple(tuple(machine.tile(t) for t in sorted(group)) for group in near.groups)
    return Misfit(near.arrangement, sets, dict(near.lacks), tuple(map(machine.tile, near.left)))


def _in_order(score: ScoreDecl, names: Mapping[str, Any]) -> list[Any]:
    return [names[param.name] for param in score.params]


# ------------------------------------------------------------------ without the tile that completes it


def _completing(score: ScoreDecl) -> ParamDecl | None:
    """Return the tile that completes a hand: the marked one, or else the only required one that is laid out with it."""
    laid_out = free(score.hand)
    tiles = [p for p in score.params if p.type == Tile() and p.initial is None and p.name in laid_out]
    if score.marking is not None:
        marked = as_given(score.marking[0])
        tiles = [p for p in tiles if isinstance(marked, ir.Local) and p.name == marked.name]
    return tiles[0] if len(tiles) == 1 else None


def _waits(
    machine: Machine, score: ScoreDecl, stated: Mapping[str, Any], key: str
) -> tuple[Wait, ...] | Fault:
    """Return the tiles that complete a hand to one that can be: not those of which it already has every copy."""
    names = with_usual(machine, score, stated)
    unfit = reason_against(machine, score, names, tiles_of(machine, score, names, key))
    if unfit is not None:
        return Fault(unfit)
    waits = []
    for number, kind in enumerate(machine.instance.kinds):
        whole = with_usual(machine, score, {**stated, key: number})
        counts = tiles_of(machine, score, whole)
        if reason_against(machine, score, whole, counts) is None and _is_complete(machine, score, whole):
            ways = _ways(machine, score, whole)
            below, failed = (None, ()) if ways else _below(machine, score, whole)
            waits.append(Wait(kind.name, ways[0] if ways else None, below, failed))
    return tuple(waits)


def _is_complete(machine: Machine, score: ScoreDecl, names: Mapping[str, Any]) -> bool:
    """Return whether a hand makes an arrangement of its score, even one that does not count."""
    state = machine.first_state
    hand = machine.value(score.hand, state, names)
    fixed = () if score.fixed is None else machine.value(score.fixed, state, names)
    layouts = (machine.shapes.arrange(hand, name, fixed) for name in score.arrangements)
    return any(next(iter(ways), None) is not None for ways in layouts)


# ------------------------------------------------------------------ what is given


def _score(machine: Machine, rules: str, hand: Mapping[str, Any]) -> ScoreDecl | Fault:
    """Return the score that a hand names, or the only one."""
    scores = {score.name: score for score in machine.rules.scores}
    named = None if _is_key(machine, SCORE) else hand.get(SCORE)
    if named is None and len(scores) == 1:
        return machine.rules.scores[0]
    if isinstance(named, str) and named in scores:
        return scores[named]
    known = quoted_list(scores)
    example = f"`golpae score {rules} {next(iter(scores))} ...`, or `{SCORE}` in each hand"
    if named is None:
        return Fault(f"`{rules}` has several scores: {known}", advice=f"name one: {example}")
    return Fault(
        f"`{rules}` has no score {quoted(str(named))}; its scores are {known}", advice=f"write {example}"
    )


def _is_key(machine: Machine, name: str) -> bool:
    """Return whether a score takes a value of this name."""
    return any(param.name == name for score in machine.rules.scores for param in score.params)


def _machine(rules: str, hand: Mapping[str, Any], library: Library, players: int | None) -> Machine | Fault:
    options = hand.get("options", {})
    if not isinstance(options, dict) or any(type(v) is not int for v in options.values()):
        return Fault('`options` must be an object such as `{"name":1}`')
    number = hand.get("players", players)
    if number is None:
        number = library.most_players(rules, options)
    if type(number) is not int:
        return Fault("`players` must be a whole number: how many play")
    machine = library.machine(rules, number, options)
    return Fault(machine, rules, library.text_faults(rules)) if isinstance(machine, str) else machine


def _arguments(
    machine: Machine, score: ScoreDecl, values: Mapping[str, Any], left_out: str | None
) -> dict[str, Any] | Fault:
    """Return the value of each parameter that a hand states."""
    names = [p.name for p in score.params]
    for key in values:
        if key not in names and key not in OWN_KEYS:
            from golpae.diagnostics import near

            advice = near(key, names)
            words = f"unknown key {quoted(key)} in the hand{'; ' + advice if advice else ''}"
            return Fault(words, advice=_keys(names))
    args: dict[str, Any] = {}
    for param in score.params:
        if param.name in values:
            value = _value(machine, param, values[param.name])
            if isinstance(value, Bad):
                return Fault(value.message)
            args[param.name] = value
        elif param.initial is None and not param.optional and param.name != left_out:
            return Fault(
                f"the hand lacks the key `{param.name}`", advice=_giving(machine, score, param, values)
            )
    return args


def _giving(machine: Machine, score: ScoreDecl, missing: ParamDecl, values: Mapping[str, Any]) -> str:
    """Return how a call gives the value of a key that is missing, and of all others that are."""
    tiles = [kind.name for kind in machine.instance.kinds[:2]]
    if missing is next((p for p in score.params if p.type == Bag(Tile())), None):
        return f"name the tiles of the hand after the rules, such as `{' '.join(tiles)}`"
    lacking = [p for p in score.params if p.name not in values and p.initial is None and not p.optional]
    given_values = examples(machine, score, values, [p for p in lacking if p.type != Bag(Tile())])
    call = " ".join(f"{name}={value}" for name, value in given_values.items())
    return f"{_values(missing)}; write `{call}` after the tiles, with values of your own"


def _values(param: ParamDecl) -> str:
    """Return which values a key may have."""
    match decoder(param.type):
        case ("choice", tuple(words)):
            return f"`{param.name}` is one of {quoted_list([str(word) for word in words])}"
        case ("tile",):
            return f"`{param.name}` is the name of a tile"
        case ("truth",):
            return f"`{param.name}` is `true` or `false`"
        case ("number",):
            return f"`{param.name}` is a whole number"
        case ("seat",):
            return f"`{param.name}` is the number of a player, from 0"
        case _:
            return f"`{param.name}` is written as JSON"


def _keys(names: Sequence[str]) -> str:
    return f"its keys are {quoted_list(names)}"


def _value(machine: Machine, param: ParamDecl, value: Any) -> Any:
    return machine.reader.decode(decoder(param.type), param.name, value)

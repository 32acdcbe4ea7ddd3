"""Decide the properties that rule texts state.

Input: rules, names of properties, tables, an effort.
Output: a `Proof` for each property at each table.
Guarantee: the verdicts are those of `golpae prove` with the same effort. What is kept beside a text is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from golpae.diagnostics import near, quoted_list
from golpae.elaborate.instance import bounds, options_of, wrong_number
from golpae.library.answers.playing import Share
from golpae.library.errors import RulesError, TableError, translated
from golpae.library.values import FrozenDict, ShortRepr, several, shown, written
from golpae.progress import Progress
from golpae.trace import quoted
from golpae.verify.kept_files import StoredProofs, kept_of
from golpae.verify.options import Settings
from golpae.verify.properties import nameable
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import jobs_of, run
from golpae.verify.shares import Measuring, has_result, results_of, wrong_table
from golpae.verify.status import status

if TYPE_CHECKING:
    from golpae.library.rules import Rules

NOTHING: FrozenDict[str, str] = FrozenDict({})
HARDEST = 30  # effort, with which a question is as large as the solver can count


@dataclass(frozen=True, slots=True)
class Effort:
    """What proving may cost."""

    processes: int
    effort: float
    seed: int
    seconds: float
    cached: bool
    hands: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Proof(ShortRepr):
    """The answer to one property at one table.

    Attributes:
        name: the property.
        kind: `theorem`, `claim`, `always`, `never`, `reachable`, `ends`, or `share` for a claim on a share of hands.
        rules: the rules.
        players: how many play; 0 if the answer is the same for any number.
        options: the values of options.
        verdict: `proved`, `refuted`, `bounded` (no counterexample in all games of up to `bound` events) or `unknown`;
            of a share `measured`, `refuted`, `unknown` or `unmeasured`.
        expected: the verdict that the text expects.
        status: `as expected`, `not as expected`, `undecided` or `not measured`.
        story: how it was decided, or why it was not.
        sources: the numbers of the rules that it is about.
        trace: the lines of a game that shows it, header first; none if no game does.
        values: values that show it, by their names in the text.
        vacuous: why it holds of nothing, if it does.
        bound: how many events all games were searched.
        share: what a claim on a share of hands comes to, if its hands were played.
        fault: what went wrong in golpae itself, if something did; the verdict is `unknown` then.
        alike: the lines of another game, if it takes two that look the same to a player to show it (`private`).
    """

    name: str
    kind: str
    rules: str
    players: int
    options: FrozenDict[str, int]
    verdict: str
    expected: str
    status: str
    story: str
    sources: tuple[str, ...]
    trace: tuple[str, ...] = ()
    values: FrozenDict[str, str] = NOTHING
    vacuous: str | None = None
    bound: int | None = None
    share: Share | None = None
    fault: str | None = None
    alike: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether the verdict is the one that the text expects, and not vacuous. Unknown never is."""
        return self.status == "as expected"


def proofs(
    rules: Rules, names: Sequence[str], players: int | None, options: Mapping[str, int], effort: Effort
) -> tuple[Proof, ...]:
    """Return the answers. Raises `RulesError` and `TableError`."""
    for name, value in (("effort", effort.effort), ("seconds", effort.seconds)):
        if type(value) not in (int, float):
            raise TypeError(f"`{name}` is a number, not {type(value).__name__}")
    if not 0 < effort.effort <= HARDEST:
        raise ValueError(f"`effort` is more than 0 and at most {HARDEST}, not {shown(effort.effort)}")
    if not effort.seconds > 0:
        raise ValueError(f"`seconds` is more than 0, not {shown(effort.seconds)}")
    if type(effort.processes) is not int or effort.processes < 1:
        raise ValueError(f"`processes` is a whole number above 0, not {shown(effort.processes)}")
    several(names, str, "properties are named by texts")
    if players is not None and type(players) is not int:
        raise TypeError(f"`players` is a number of players, not {type(players).__name__}")
    if effort.hands is not None and (type(effort.hands) is not int or effort.hands < 1):
        raise ValueError(f"`hands` is a whole number above 0, not {shown(effort.hands)}")
    known = {prop.name for prop in nameable(rules.rule_set)}
    known |= {share.name for share in rules.rule_set.shares}
    for name in names:
        if name not in known:
            advice = near(name, known) or f"its properties are {quoted_list(sorted(known))}"
            raise RulesError(f"`{rules.name}` has no property {quoted(name)}", advice)
    with translated():
        jobs = [job for name in names or (None,) for job in jobs_of(rules.rule_set, players, options, name)]
        if not jobs and players is not None:
            low, high = bounds(rules.rule_set, options_of(rules.rule_set, options))
            raise TableError(wrong_number(rules.name, low, high, players))
        for name in names:
            own = [job for job in jobs if job.only == name]
            if not any(map(has_result, own)):
                raise TableError(wrong_table(rules.name, own))
        settings = Settings(effort=effort.effort, seed=effort.seed, seconds=effort.seconds)
        stored_proofs = _kept(rules)
        asked = [job for job in jobs if job.properties]
        if settings == Settings(seconds=effort.seconds):
            asked = stored_proofs.with_kept(asked)
        result = run(asked, settings, effort.processes, effort.cached)
        playing = None if effort.hands is None else Measuring(effort.hands, effort.seed, effort.processes)
        shares = results_of(jobs, stored_proofs.shares, playing, Progress())
    if result.interrupted or shares.interrupted:
        raise KeyboardInterrupt
    return tuple(map(_proof, [*result.results, *shares.results]))


def _kept(rules: Rules) -> StoredProofs:
    """Return the proofs stored beside the file of rules; none for rules that were given as a text."""
    if rules.origin.text is not None:
        return StoredProofs()
    return kept_of({rules.game: rules.origin.places}, {}, "", lambda words: None)


def _proof(result: PropertyResult) -> Proof:
    witness, measured = result.witness, result.measured
    trace: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    if witness is not None and witness.events:
        header = {"golpae": 1, "rules": result.rules, "players": [f"P{n}" for n in range(result.players)]}
        if result.options:
            header["options"] = result.options
        trace = (written(header), *map(written, witness.events))
        alike = (written(header), *map(written, witness.alike)) if witness.alike else ()
    return Proof(
        result.name,
        result.kind,
        result.rules,
        result.players,
        FrozenDict(result.options),
        result.verdict,
        result.expected,
        status(result),
        result.story,
        result.ids,
        trace,
        FrozenDict({} if witness is None else dict(witness.values)),
        result.vacuous,
        result.bound,
        None if measured is None else Share(measured.count, measured.games, measured.low, measured.high),
        result.fault,
        alike,
    )

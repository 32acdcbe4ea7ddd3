"""What `compare` says of two texts without a solver, held against replay in all games of both, as far as they go.

Input: a text, a random generator. Output: findings and counts.
Guarantee: a part of a state that is not among those that may diverge is the same after each game that both allow; what
is proved by syntax is refuted by no game; the second text has the same games with its tiles, words and keys in the
order of the first; and going through all games says what a walk that merges nothing says.
A text is compared with several changes of itself, for this takes no solver; or they are compared with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress

from golpae.compare.games.alignment import Rewritten, aligned, same_games, why_incomparable, why_order_matters
from golpae.compare.games.all_games import AllGames, go_through
from golpae.compare.games.divergence import OVER, TOTAL, WINNER, StateDivergence
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.verdict import QUESTIONS
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.replay import simulate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import var_in, zone_in
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from tests.differential.against_judge import replayed
from tests.differential.both_sides import wrong_about_all
from tests.differential.changes import changed
from tests.differential.checks import Finding, Report, rule_sets_of
from tests.differential.texts import RuleText
from tests.differential.values import content, value_of

CHANGES = 6  # of a text
POSITIONS, EVENTS = 250, 2_500  # of both, at one table
TURNED = 0.5  # of the pairs, those in which the change comes first
LENGTH = 12  # events of a game by chance
LOOKED_AT = 30  # of these positions, whose events are tried on the other side
KINDS = {
    "clause dropped": 3,
    "effects swapped": 3,
    "mutant": 4,
}  # how often these changes are made, beside once each of the others


def check_by_syntax(text: RuleText, report: Report) -> None:
    """Compare a text with its variants and some changes of it, and enter what is wrong."""
    rng = random.Random(text.seed)
    for kind, other in _others(text, rng):
        a, b = text.rule_set(), other
        if why_incomparable(a, b) is not None:
            continue
        if rng.random() < TURNED:
            a, b = b, a
        options = options_of(a, {})
        if options != options_of(b, {}) or why_order_matters(a, b) is not None:
            continue
        players = max(bounds(a, options)[0], bounds(b, options)[0])
        if players > min(bounds(a, options)[1], bounds(b, options)[1]):
            continue
        report.counts["compared by syntax"] += 1
        same = aligned(a, b)
        for detail in (*_misread(b, same, players, options, rng), *_wrong(a, same, players, options)):
            report.findings.append(
                Finding("compare-by-syntax", text.name, players, f"{a.rules}, {b.rules}: {detail}; {kind}")
            )


def _others(text: RuleText, rng: random.Random) -> Iterator[tuple[str, RuleSet]]:
    """Yield rule sets to compare a text with, and how each came about: its variants, and random changes of it."""
    for name, rules in rule_sets_of(text, text.switches).items():
        if name != text.name:
            yield name, rules
    for _ in range(CHANGES):
        found = changed(text, rng, KINDS)
        if found is not None:
            yield f"{found[0]}\n{found[1].source}", found[1].rule_set()


def _misread(
    b: RuleSet, same: RuleSet, players: int, options: Mapping[str, int], rng: random.Random
) -> Iterator[str]:
    """Yield what tells two rule sets apart that should only list their tiles, words and keys in other orders."""
    ours, theirs = (Machine(instantiate(rules, players, options)) for rules in (b, same))
    sets = [Counter(map(m.tile, m.instance.whole)) for m in (ours, theirs)]
    if sets[0] != sets[1]:
        yield f"in the order of the other, the set is {sets[1]} instead of {sets[0]}"
    for one, other in ((ours, theirs), (theirs, ours)):
        played, read = one.new_state(), other.new_state()
        with suppress(simulate.DeadEnd, TooManySteps):
            for event in simulate.play(one, played, rng, longest=LENGTH):
                refused = replayed(other, read, event)
                if refused is not None:
                    yield f"in the order of the other, {refused} refuses {event}"
                    return


def _wrong(a: RuleSet, b: RuleSet, players: int, options: Mapping[str, int]) -> Iterator[str]:
    """Yield what is wrong with the answers about two rule sets that have their tiles and words in one order."""
    rewritten = Rewritten(a, b)
    settings = Settings()
    one = Analysis(instantiate(a, players, options), settings, "a ", b)
    two = Analysis(instantiate(b, players, options), settings, "b ", a)
    checker = RefinementChecker(one, two, rewritten)
    games = go_through(one.machine, two.machine, QUESTIONS, POSITIONS, EVENTS)
    for question in checker.by_syntax().keys() & games.refuted.keys():
        yield f"{question} is proved by syntax, and refuted by a game"
    yield from wrong_about_all((one.machine, two.machine), games)
    if games.refuted and same_games(rewritten):
        yield f"the same games by syntax, and {', '.join(games.refuted)} is refuted"
    divergence = StateDivergence(one.instance, two.instance, rewritten)
    divergence.close_by_syntax()
    yield from _apart(games, (one.machine, two.machine), divergence.diverged)
    yield from _refused(games, (one.machine, two.machine), divergence)


def _apart(games: AllGames, machines: tuple[Machine, Machine], diverged: set[str]) -> Iterator[str]:
    """Yield a part that differs in some position, and was not said to."""
    for position in games.positions:
        parts = [_parts(m, s) for m, s in zip(machines, position.states, strict=True)]
        differ = {name for name in parts[0].keys() & parts[1].keys() if parts[0][name] != parts[1][name]}
        if differ - diverged:
            yield f"{', '.join(sorted(differ - diverged))} differs after {position.depth} events"
            return


def _refused(
    games: AllGames, machines: tuple[Machine, Machine], divergence: StateDivergence
) -> Iterator[str]:
    """Yield a condition of one rule set that an event of the other one fails, and that was said to need no question."""
    for side, (ours, theirs) in enumerate((machines, machines[::-1])):
        legal = Legal(ours)
        for position in games.positions[:LOOKED_AT]:
            mine, other = position.states[side], position.states[1 - side]
            for event in legal.events(mine):
                action, asked = ours.actions[event.action], theirs.actions.get(event.action)
                if action.kind != "play" or asked is None:
                    continue
                failed, _ = theirs.first(event.action, other, event.args)
                if failed >= 0 and not divergence.must_check(asked.conditions[failed], action):
                    clause = f"{event.action}.{asked.conditions[failed].name}"
                    yield f"{clause} is said to hold after {position.depth} events"
                    return


def _parts(machine: Machine, state: State) -> dict[str, Hashable]:
    """Return what a state holds, by name: words, states of the text and zones."""
    out: dict[str, Hashable] = {OVER: machine.stage(state), WINNER: state.winner, TOTAL: tuple(state.total)}
    for var in machine.rules.vars:
        value = var_in(state, var.name)
        values = value if var.each_player else [value]
        out[var.name] = tuple(None if v is None else value_of(v, var.type) for v in values)
    for zone in machine.rules.zones:
        lying = zone_in(state, zone.name)
        out[zone.name] = tuple(map(content, lying)) if zone.each_player else content(lying)
    return out

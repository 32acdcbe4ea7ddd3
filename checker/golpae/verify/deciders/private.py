"""Decides whether the rules are private: what a player is offered, refused and told follows from what this player saw.

Input: the analysis of one instance.
Output: an answer.
Guarantee: a refuted one comes with two games. Replay accepts both, a player sees the same of both, and is offered or
told something else after them. A proved one rests on the flow of information through the rules, or on all games.
"""

from __future__ import annotations

from golpae.diagnostics.amounts import many
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.simulate.sight import Sight
from golpae.verify.analysis import Analysis
from golpae.verify.privacy.answers import Questions
from golpae.verify.privacy.beliefs import decide_by_beliefs
from golpae.verify.privacy.flow import Flow, Leak
from golpae.verify.privacy.pairs import COMPARED, PairOfGames, PairSearch

NAMED = 3  # clauses that an answer names
BY_FLOW = "what a player is offered, refused and told reads nothing that this player has not seen"


def decide_private(analysis: Analysis, _: PropertyDecl) -> Answer:
    """Decide whether every player is offered, refused and told only what follows from what this player saw."""
    leaks = Flow(analysis.instance).leaks()
    if not leaks:
        return Answer(PROVED, BY_FLOW)
    beliefs = decide_by_beliefs(analysis.machine)
    if beliefs is not None:
        if beliefs.pair is not None:
            return _refuted(analysis.machine, beliefs.pair)
        return Answer(PROVED, f"all {beliefs.states:,} states that a player can take for possible")
    settings = analysis.settings
    search = PairSearch(analysis.machine, settings.seed, {leak.path.split(".")[0] for leak in leaks})
    pair = search.find(settings.scaled(settings.games), settings.scaled(COMPARED))
    if pair is not None:
        return _refuted(analysis.machine, pair)
    return Answer(
        UNKNOWN,
        f"{_why_not(leaks)}; {many(search.compared, 'pair')} of games that look the same told nothing",
    )


def _refuted(machine: Machine, pair: PairOfGames) -> Answer:
    """Return the answer that two games show, which replay repeats."""
    questions = Questions(machine, Sight(machine), Legal(machine), pair.seat)
    one, other = (questions.eyes.seen(lines) for lines in (pair.one, pair.other))
    if one is None or other is None or one.views != other.views:
        raise AssertionError("two games do not look the same after all")
    if questions.difference(questions.asked(one.states[-1]), other.states[-1]) is None:
        raise AssertionError("after two games that look the same, a player is told the same after all")
    events = many(len(pair.one), "event")
    story = f"two games of {events} look the same to P{pair.seat}; {pair.difference.words}"
    lines = (tuple(map(dict, game)) for game in (pair.one, pair.other))
    return Answer(REFUTED, story, pair.difference.clauses, witness=Witness((), *lines))


def _why_not(leaks: list[Leak]) -> str:
    """Return which clauses may tell a player what this player has not seen."""
    said = []
    for leak in leaks[:NAMED]:
        what = f"the message of `{leak.path}`" if leak.in_message else f"`{leak.path}`"
        reads = " and ".join(f"`{name}`" for name in leak.reads)
        said.append(f"{what} reads {reads}" if reads else f"{what} turns on a tile that nobody has seen yet")
    more = f", and {len(leaks) - NAMED} more" if len(leaks) > NAMED else ""
    return f"not proved: {', '.join(said)}{more}"

"""Decides whether the rules are private: what a player is offered, refused and told follows from what this player saw.

Input: the analysis of one instance.
Output: an answer.
Guarantee: a refuted one comes with two games. Replay accepts both, a player sees the same of both, and is offered or
told something else after them. A proved one rests on the flow of information through the rules, or on all games; what
the flow takes for granted of who sees a zone, induction has proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from golpae.diagnostics.amounts import many
from golpae.diagnostics.diagnostic import quoted_list
from golpae.elaborate.instance import instantiate
from golpae.ir import expr as ir
from golpae.ir.ruleset import EVERYONE, OTHERS, OWNER, PropertyDecl, RuleSet
from golpae.ir.types import BOOL, SEAT, SEATS
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.simulate.sight import Sight
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.always import decide_always
from golpae.verify.privacy.answers import Questions
from golpae.verify.privacy.beliefs import decide_by_beliefs
from golpae.verify.privacy.flow import Flow, Leak, SeenZone, TheOne
from golpae.verify.privacy.pairs import COMPARED, PairOfGames, PairSearch

NAMED = 3  # clauses that an answer names
BY_FLOW = "what a player is offered, refused and told reads nothing that this player has not seen"


def decide_private(analysis: Analysis, _: PropertyDecl) -> Answer:
    """Decide whether every player is offered, refused and told only what follows from what this player saw.

    Raises `Unsupported`.
    """
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
    seeing = Flow(analysis.instance, assumes=True)
    left = seeing.leaks()
    if not left:
        proved = decide_if_taken(analysis, seeing)
        if proved is not None:
            return proved
    looked = f"{many(search.compared, 'pair')} of games that look the same told nothing"
    return Answer(UNKNOWN, f"{_why_not(left or leaks)}; {looked}")


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


def _why_not(leaks: Sequence[Leak]) -> str:
    """Return which clauses may tell a player what this player has not seen."""
    said = []
    for leak in leaks[:NAMED]:
        what = f"the message of `{leak.path}`" if leak.in_message else f"`{leak.path}`"
        reads = " and ".join(f"`{name}`" for name in leak.reads)
        said.append(f"{what} reads {reads}" if reads else f"{what} turns on a tile that nobody has seen yet")
    more = f", and {len(leaks) - NAMED} more" if len(leaks) > NAMED else ""
    return f"not proved: {', '.join(said)}{more}"


# ------------------------------------------------------------------ zones that others see at times


def decide_if_taken(analysis: Analysis, flow: Flow) -> Answer | None:
    """Return the answer that whoever acts sees some zones when conditions read them, and that states name the one of
    whom the text says so; None if that is not proved.

    What the text states may help, and takes time: it is tried without that first.
    """
    rules = analysis.instance.rule_set
    properties = taken(flow)
    for stated in ((), rules.properties):
        lemmas = _proved(analysis, replace(rules, properties=(*stated, *properties)), properties)
        if lemmas is not None:
            said = []
            if flow.seen:
                said.append(
                    f"whoever acts sees {quoted_list(sorted({each.zone for each in flow.seen}))} when it counts"
                )
            if flow.ones:
                names = quoted_list(sorted({each.state.name for each in flow.ones}))
                said.append(f"each player knows of {names} whether it is this one")
            return Answer(PROVED, f"{' and '.join(said)}, by induction", lemmas=lemmas)
    return None


def taken(flow: Flow) -> tuple[PropertyDecl, ...]:
    """Return the properties that a flow of information takes for granted."""
    return (*_seen_zones(flow.rules, flow.seen), *_the_ones(flow.ones))


def _proved(analysis: Analysis, rules: RuleSet, properties: Sequence[PropertyDecl]) -> tuple[str, ...] | None:
    """Return on which invariants properties rest that rules have besides, or None if one of them is not proved."""
    players, options = analysis.instance.players, analysis.instance.options
    aside = Analysis(instantiate(rules, players, options), replace(analysis.settings, kept=None))
    aside.solver = analysis.solver
    lemmas: set[str] = set()
    for prop in properties:
        try:
            with aside.apart(prop.name):
                answer = decide_always(aside, prop)
        except Unsupported:
            return None
        if answer.verdict != PROVED:
            return None
        lemmas.update(answer.lemmas)
    return tuple(sorted(lemmas))


def _the_ones(ones: Sequence[TheOne]) -> Iterator[PropertyDecl]:
    """Yield the properties that have to hold after events: a state names the one player of whom something is true."""
    for number, each in enumerate(dict.fromkeys(ones), 1):
        (name,), test = each.fold.names, each.fold.test
        assert test is not None
        is_one = ir.Op("eq", (each.state, ir.Local(name, SEAT)), BOOL)
        whole: ir.Expr = ir.Quant("every", (name,), each.fold.domain, ir.Op("eq", (is_one, test), BOOL), BOOL)
        for expr in reversed(each.fixed):
            whole = ir.Op("implies", (expr, whole), BOOL)
        yield PropertyDecl("always", f"the-one-{number}", whole, None, None, (), each.action)


def _seen_zones(rules: RuleSet, zones: Sequence[SeenZone]) -> Iterator[PropertyDecl]:
    """Yield the properties that have to hold in every state: if the conditions before it hold, whoever acts sees a
    zone.
    """
    for number, each in enumerate(zones, 1):
        test = _is_seen(rules, each)
        for expr in reversed(each.before):
            test = ir.Op("implies", (expr, test), BOOL)
        players = ir.Builtin("players", None, SEATS)
        whole = ir.Quant("every", (each.by,), players, test, BOOL)
        yield PropertyDecl("always", f"seen-by-whoever-acts-{number}", whole, None, None, ())


def _is_seen(rules: RuleSet, each: SeenZone) -> ir.Expr:
    zone, viewer = rules.zone(each.zone), ir.Local(each.by, each.seat.type)
    is_own: ir.Expr = ir.Op("eq", (each.seat, viewer), BOOL)
    always: dict[str, ir.Expr] = {EVERYONE: ir.Const(True, BOOL), OWNER: is_own}
    always[OTHERS] = ir.Op("not", (is_own,), BOOL)
    test = always.get(zone.seen_by, ir.Const(False, BOOL))
    if zone.also is None:
        return test
    return ir.Op("or", (test, ir.CallDef(zone.also, (each.seat, viewer), BOOL)), BOOL)

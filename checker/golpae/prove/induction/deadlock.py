"""Whether some event is legal in every state of a hand that has not ended.

Input: the `Induction` of one table. Output: None if some event is always legal, otherwise a `Failure`.
Guarantee: None means that no reachable state of a hand is a deadlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from golpae.ir.expr import Const
from golpae.ir.hand_questions import asks_about_hands, without
from golpae.ir.lifecycle import OVER, PLAYING
from golpae.ir.ruleset import Action
from golpae.ir.types import BOOL, Choice, Opt, Seat, Type
from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.houdini import QUICK
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import QUESTION, SAT, UNKNOWN, UNSAT, Reply, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, Value, cases, negate, same

MOST_REFUSED = 4  # conditions that are named
FIRST = 1  # the place of the first condition that a text states, behind that the hand is open
IN_A_HAND = ("play", "end")  # kinds of actions
WHATEVER_HANDS = (
    ", whatever hands are"  # ends the name of an action without what it asks about hands; no text has one
)
MOST_SEATS = 3  # shared states of which one is fixed to the seat that stands for all


def check_deadlock_freedom(induction: Induction, settled: set[int] | None = None) -> Failure | None:
    """Check that some event is legal in each state of a hand that has not ended. Return None if one is.

    `settled` are the numbers of the cases of which this is known by fewer invariants. They are not asked again, and
    those of which it becomes known are added. An action with a condition that has no encoding is taken for illegal: a
    failure names it, and has no position, because that action may be legal there.
    """
    settled = set() if settled is None else settled
    quick, broad = induction.session(), induction.session(broad=True)
    actions = _apart(induction.system)
    for number, (state, case) in enumerate(case_split(induction)):
        if number in settled:
            continue
        if quick.check("some event is legal", case, QUICK, is_first_try=True).status != UNSAT:
            reply, steps = _is_deadlocked(induction.system, state, case, broad, actions)
            if reply.status != UNSAT:
                if induction.system.taken_as_refused:
                    action, lack = next(iter(induction.system.taken_as_refused.items()))
                    return Failure("", reply.reason, lack, refused=(action,))
                refused = () if reply.model is None else _refusing(steps, reply.model)
                return Failure("", reply.reason, model=reply.model, refused=refused)
        settled.add(number)
    return None


def _is_deadlocked(
    system: TransitionSystem,
    state: SymbolicState,
    case: list[Truth],
    session: Session,
    actions: tuple[list[Action], list[Action]],
) -> tuple[Reply, list[Step]]:
    """Ask the solver whether nobody can act in some state of a case. Return what it says, and of which steps.

    First of events that have few choices of values, and of these of those that are legal whatever hands are worth: the
    conditions that ask about hands have large formulas.
    """
    abstraction, about = system.evaluator.abstraction, "some event is legal"
    reply, possible, formulas = Reply(UNKNOWN), list[Step](), list(case)
    system.taken_as_refused.clear()
    first, others = [0], range(1, system.players)  # most often the player whose turn it is can act
    plain, asking = actions
    kinds = [actions for actions in (plain, asking) if actions] or [plain]
    # and most often by an action that has few choices of values
    rounds = list(product((True, False), kinds, (first, others)))
    for number, (few, some, seats) in enumerate(rounds, 1):
        is_first_of_many = not few and rounds[number - 2][0]
        if is_first_of_many and possible and reply.status == UNKNOWN:  # rather than to make many steps
            reply = session.check(about, formulas, is_first_try=True)
            if reply.status == UNSAT:
                return reply, possible
        steps, is_last = steps_by(system, seats, state, few, some), number == len(rounds)
        if not steps and not is_last:
            continue
        possible += steps
        formulas += [f for s in steps for f in (*s.facts, *s.definitions)]
        formulas += [negate(s.guard) for s in steps]
        axioms = [] if few else abstraction.axioms_for(formulas, exact=False)
        units = QUESTION if is_last else QUICK
        reply = session.check(about, [*formulas, *axioms], units, is_first_try=not is_last)
        if reply.status == SAT and is_last:
            axioms = abstraction.axioms_for(formulas, exact=True)
            reply = session.check(about, [*formulas, *axioms]) if axioms else reply
        if reply.status == UNSAT:
            return reply, possible
    refused = system.taken_as_refused
    for name in [name for name in refused if name.endswith(WHATEVER_HANDS)]:
        del refused[name]
    return reply, [step for step in possible if not step.action.name.endswith(WHATEVER_HANDS)]


def _apart(system: TransitionSystem) -> tuple[list[Action], list[Action]]:
    """Return the actions that a hand can have, in which conditions that ask about whole hands are taken for as bad as
    they can be, and those that are others so.

    Such an action has a name of its own: what is known of an action of this name is not known of the other.
    """
    asks = asks_about_hands(system.rules)
    plain, asking = list[Action](), list[Action]()
    for action in system.rules.actions:
        if action.kind not in IN_A_HAND:
            continue
        stronger = tuple(replace(c, expr=without(c.expr, asks, False)) for c in action.conditions)
        if stronger == action.conditions:
            plain.append(action)
            continue
        asking.append(action)
        if all(c.expr != Const(False, BOOL) for c in stronger):
            plain.append(replace(action, name=action.name + WHATEVER_HANDS, conditions=stronger))
    return plain, asking


def _refusing(steps: Iterable[Step], model: Model) -> tuple[str, ...]:
    """Return the conditions that refuse events in a model of which all conditions before them hold.

    One for each action, of the event that meets the most conditions; not one that is the first of its action, unless
    there are no others.
    """
    furthest: dict[str, tuple[int, str]] = {}
    for step in steps:
        values = model.values([truth for _, truth in step.guards])
        met = next((i for i, value in enumerate(values) if value is not True), None)
        action = step.action.name
        if met is not None and met > furthest.get(action, (-1, ""))[0]:
            name = step.guards[met][0]
            is_stated = any(c.name == name and c.of_game is None for c in step.action.conditions)
            furthest[action] = met, f"{action}.{name}" if is_stated else action
    late = [path for met, path in furthest.values() if met > FIRST]
    return tuple(late or (path for _, path in furthest.values()))[:MOST_REFUSED]


def case_split(induction: Induction) -> Iterator[tuple[SymbolicState, list[Truth]]]:
    """Yield states that together stand for every state of a hand, each with the case in which the unknown state is it.

    If the seat and the choice that most conditions read are fixed, little of these conditions remains. One seat stands
    for all if the table can be turned.
    """
    system, unknown = induction.system, induction.state
    seats, choices = _most_read(system, Seat)[:MOST_SEATS], _most_read(system, Choice)[:1]
    rows: list[list[tuple[str, Value]]] = [[(name, None) for name in seats]]
    for i, name in enumerate(seats):
        rows += [
            [*((s, None) for s in seats[:i]), (name, p)] for p in range(1 if system.turns else system.players)
        ]
    words = [[(name, v) for _, v in cases(unknown.vars[name])] for name in choices]
    for stage, seated, chosen in product((PLAYING, OVER), rows, product(*words)):
        state = unknown.copy()
        state.at = stage
        case = [same(unknown.at, stage)]
        for name, value in (*seated, *chosen):
            state.vars[name] = value
            case.append(same(unknown.vars[name], value))
        yield state, case


def _most_read(system: TransitionSystem, kind: type) -> list[str]:
    """Return the shared states of a type, in descending order of how many actions read them in conditions."""
    shared = {v.name for v in system.rules.vars if not v.each_player and isinstance(_item(v.type), kind)}
    read: Counter[str] = Counter()
    for action in system.rules.actions:
        if action.kind == "play":
            names = system.evaluator.context.dependencies.reads(c.expr for c in action.conditions)
            read.update(names & shared)
    return sorted(read, key=lambda name: (-read[name], name))


def _item(kind: Type) -> Type:
    return kind.item if isinstance(kind, Opt) else kind


def steps_by(
    system: TransitionSystem,
    seats: Sequence[int],
    state: SymbolicState,
    few: bool,
    actions: Iterable[Action] | None = None,
) -> list[Step]:
    """Return the steps of some seats that may be legal during a hand, one for each choice of tiles.

    With `few`, return those of actions that have few choices of values, otherwise those of the other actions. What no
    player does belongs to seat 0.
    """
    most = len(system.evaluator.kinds)
    return [
        step
        for action in (system.rules.actions if actions is None else actions)
        if action.kind in IN_A_HAND and (system.parameter_choices.count(action) <= most) is few
        for seat in (seats if action.by is not None else [seat for seat in seats if seat == 0])
        for step in system.steps_by(seat, action, state, exhaustive=True)
    ]

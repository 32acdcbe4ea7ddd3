"""Proofs about the events of one action, shared by rule sets and properties that agree on what such a proof reads.

Input: an instance, with what is kept about it, if anything is; names of invariants and of candidates.
Output: which groups can lie in zones, which candidates the events of an action preserve, whether they conserve the
tiles, whether a property holds after them, whether some event is always legal.
Guarantee: a proof is made from a slice of the rules in a transition system of its own, and reads nothing else but the
`Frame`: so the name of its answer, a hash over both, stands for all that it depends on. What replay was asked about
scores is stored with the answer and asked again. An answer counts as many questions and units, and is the same, whether
it is loaded or found, and whatever was asked before it.

What is about all events of an action is first asked of a `loosened` slice, in which no condition asks about whole
hands, and properties only say what they say beside them: most proofs need no more, and most variants that differ in
hands agree then. It has more events, so what fails there is asked of the slice itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from golpae import cache
from golpae.elaborate.instance import Instance
from golpae.ir.hand_questions import asks_about_hands
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.traverse import names_in
from golpae.ir.types import Opt, Seat, Tile
from golpae.prove.encoding.reachable_melds import find_reachable_melds, makes_members
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction import invariant_templates as templates
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.conservation import check_conservation
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.prove.induction.houdini import checking
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import Solver
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.zones import Tracking
from golpae.replay.machine import Machine
from golpae.replay.steps import MOST_IN_ALL
from golpae.replay_bridge import Asked, ReplayShapes
from golpae.verify.cache import CODE, packages_of
from golpae.verify.kept_proofs import SEPARATOR
from golpae.verify.options import Settings
from golpae.verify.sharing.shared_games import counts_alike, frozen, plain
from golpae.verify.sharing.slices import WEAKENED, Slices, between, loosened
from golpae.verify.stated import postcondition, stated_candidates
from golpae.workers import tell_part

FORM = 4
MANY = 100  # groups and members
NO: Final = "no"
SINGLE = (Tile(), Seat(), Opt(Tile()), Opt(Seat()))  # types of keys that are no hand
Loosening = Literal["no", "scores", "hands"]
_Kept = tuple[Collection[str], Collection[str]]  # candidates that are preserved, and those that this needs
_Preserved = Callable[[str, list[str], list[str]], _Kept]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a state can be, which all rules decide together.

    What is tracked of rows, kinds, members, blank states, and how many tiles players can have.
    """

    tracking: Mapping[str, Tracking]
    named: Sequence[int]
    groups: Mapping[str, Sequence[Any]]
    blank: frozenset[str]
    most_tiles: Mapping[str, int]

    def key(self) -> object:
        """Return all of it as plain data in a fixed order."""
        groups = [(name, tuple(members)) for name, members in sorted(self.groups.items())]
        most = sorted(self.most_tiles.items())
        return sorted(self.tracking.items()), tuple(self.named), groups, sorted(self.blank), most


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer, what it took, and what replay answered about scores: the score, its parameters, its points."""

    answer: Any
    queries: int
    units: int
    fullest: tuple[float, str]
    asked: list[tuple[str, list[Any], int | None]]


class _NotByName(Exception):
    """A slice does not know a candidate by its name."""


class _Recorder:
    """The shapes and scores of a machine; what is asked about scores is recorded."""

    def __init__(self, shapes: ReplayShapes) -> None:
        self._shapes = shapes
        self.asked: Asked = {}

    def groups(self, shape: str) -> Collection[tuple[int, ...]]:
        return self._shapes.groups(shape)

    def holds(self, tiles: tuple[int, ...], label: str | None, shape: str) -> bool:
        return self._shapes.holds(tiles, label, shape)

    def best(self, score: str, args: tuple[Any, ...]) -> int | None:
        best = self.asked[score, args] = self._shapes.best(score, args)
        return best


class _Slice:
    """The transition system of a slice, and the induction over its steps, made when somebody needs them."""

    def __init__(self, rules: RuleSet, key: str, proofs: StepProofs, frame: Frame, loose: Loosening) -> None:
        self.rules = rules
        self.loose = loose
        self.key = key
        self.shapes = _Recorder(proofs.shapes)
        self._proofs = proofs
        self._frame = frame
        self._made: dict[bool, tuple[Induction, Callable[[], None]]] = {}  # with steps, and without

    def system(self) -> TransitionSystem:
        """Return a new transition system, in the frame."""
        instance = self._proofs.instance
        static = replace(instance.static, definitions={d.name: d for d in self.rules.definitions})
        evaluator = Evaluator(
            replace(instance, rule_set=self.rules, static=static), self.shapes, SymbolFactory("")
        )
        evaluator.context.named = [*self._frame.named]
        system = TransitionSystem(evaluator)
        system.skip_scores = (
            self.loose != NO
        )  # so that no order of a list is told from what conditions refuse
        system.states.tracking = dict(self._frame.tracking)
        system.states.groups = {name: [*members] for name, members in self._frame.groups.items()}
        system.states.blank = set(self._frame.blank)
        system.states.most_tiles = dict(self._frame.most_tiles)
        return system

    def induction(self, what: str, stepping: bool) -> Induction:
        """Return the induction over the steps of the slice, for a question that finds no trace of others.

        Raises `Unsupported`.
        """
        if stepping not in self._made:
            system = self.system()
            system.states.groups_complete = True
            made = Induction(system, self._proofs.solver, lazily=not stepping)
            self._made[stepping] = made, made.saved()
        induction, forget = self._made[stepping]
        forget()
        symbols = induction.system.symbols
        symbols.scope = f"{what}: "
        symbols.begin_anew(symbols.scope)
        return induction.copied()

    def candidates(self, induction: Induction, names: Iterable[str]) -> list[Candidate]:
        """Return the candidates of these names. Raises `_NotByName`."""
        names = list(names)
        system = induction.system
        known: dict[str, Candidate] = {}
        for candidate in (*stated_candidates(self.rules, system.evaluator), *templates.basics(system)):
            known.setdefault(candidate.name, candidate)
        for name in [name for name in known if name + WEAKENED in known]:
            weaker = known[name + WEAKENED]
            known[name] = Candidate(name, weaker.predicate, goal=known[name].predicate)
        missing = [name for name in names if name not in known]
        known |= templates.named(system, missing) if missing else {}
        try:
            return [known[name] for name in names]
        except KeyError as lack:
            raise _NotByName from lack


class StepProofs:
    """Proofs about the actions of one instance. It completes the groups of `system`, which is about all rules."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        machine: Machine,
        shapes: ReplayShapes,
        solver: Solver,
        system: TransitionSystem,
    ) -> None:
        self.instance = instance
        self.solver = solver
        self._settings = settings
        self._machine = machine
        self.shapes = shapes
        self._slices = Slices(instance.rule_set)
        self._stated = frozenset(() if settings.kept is None else settings.kept.stated)
        self._shares = settings.cached and settings.smt2 is None and cache.is_on()
        rules, asks = instance.rule_set, asks_about_hands(instance.rule_set)
        self._about_hands = frozenset(p.name for p in rules.properties if asks(p.expr))
        self._between = frozenset(p.name for p in rules.properties if between(p, rules, asks) is not None)
        self._asks_hands = frozenset(a.name for a in rules.actions if any(asks(c.expr) for c in a.conditions))
        without_lists = {a.name for a in rules.actions if not any(p.parts for p in a.params)}
        self._loosens = self._asks_hands | without_lists  # a loosened slice is the same without them
        self._made: dict[tuple[tuple[str, ...], frozenset[str], Loosening], _Slice] = {}
        self._frame = self._framed(system)
        self._find_groups(system)
        self._frame = self._framed(system)
        self._made.clear()

    def complete(self, system: TransitionSystem) -> None:
        """Complete the groups of another system that is about all rules, with those that were found."""
        states = system.states
        states.groups = {name: [*members] for name, members in self._frame.groups.items()}
        states.blank = set(self._frame.blank)
        states.groups_complete = True

    # ------------------------------------------------------------------ what is asked

    def dropped(self, known: Sequence[str], candidates: Sequence[str]) -> dict[str, str] | None:
        """Return the candidates that are not among the largest set that events preserve if what is known holds.

        For each of them the action that is in its way; None if a slice does not know some of them by name. Raises
        `Unsupported`.
        """
        firm = sorted(name for name in candidates if name in self._stated)
        others = sorted(
            name for name in candidates if name not in self._stated
        )  # most likely they do not hold
        try:
            dropped = self._largest(self._preserved, sorted(known), firm)
            known = sorted({*known, *firm}.difference(dropped))
            return dropped | self._largest(self._preserved, known, others)
        except _NotByName:
            return None

    def _largest(self, preserved: _Preserved, known: list[str], candidates: list[str]) -> dict[str, str]:
        """Return the candidates that are not in the largest set that is preserved, each with an action in its way."""
        left = candidates
        dropped: dict[str, str] = {}
        needed: dict[str, Collection[str]] = {}
        queue = deque(action.name for action in self.instance.rule_set.actions)
        while queue and left:
            action = queue.popleft()
            tell_part(checking(len(left), action))
            kept, needed[action] = preserved(action, known, left)
            new = [name for name in left if name not in kept]
            dropped |= dict.fromkeys(new, action)
            left = [name for name in left if name in kept]
            queue += (a for a, names in needed.items() if not {*names}.isdisjoint(new) and a not in queue)
        return dropped

    def _preserved(self, action: str, known: list[str], candidates: list[str]) -> _Kept:
        """Return which candidates the events of an action preserve, and which ones the proof needs.

        First without conditions that ask about hands, and with what candidates say beside hands: rule sets that differ
        in hands agree about most of it. Raises `_NotByName` and `Unsupported`.
        """
        preserved: Collection[str] = ()
        needed: Collection[str] = ()
        loose: Loosening = "hands" if action in self._loosens else NO
        few, plain = self._plain(known, loose), self._plain(candidates, loose)
        if plain and (loose != NO or (few, plain) != (known, candidates)):
            with suppress(Unsupported):
                preserved, needed = self._ask_preserved(action, few, plain, loose)
        left = [name for name in candidates if name not in preserved]
        if not left:
            return preserved, needed
        more, further = self._ask_preserved(action, sorted({*known, *preserved}), left)
        return [*preserved, *more], {*needed, *further, *preserved}

    def _ask_preserved(
        self, action: str, known: list[str], candidates: list[str], loose: Loosening = NO
    ) -> _Kept:
        """Return which candidates the events of an action preserve, and which ones the proof needs."""
        kept, needed = self._ask(
            "preserved", (action,), known, (candidates,), _preserved(known, candidates), loose
        )
        return kept, needed

    def _plain(self, names: Iterable[str], loose: Loosening = NO) -> list[str]:
        """Return those of some candidates that are not about a property that asks about hands.

        And, for a slice that is `loose`, those that lie between two that do not ask.
        """
        about, besides = self._about_hands, self._between if loose != NO else frozenset[str]()
        return [n for n in names if n in besides or about.isdisjoint((n, n.partition(SEPARATOR)[0]))]

    def violated(
        self, known: Sequence[str], candidates: Sequence[str], needs: Mapping[str, Collection[str]]
    ) -> set[str] | None:
        """Return the candidates that some event may violate although what they need holds before it; None as above."""
        candidates, known = sorted(candidates), sorted(known)
        needed = {name: sorted(needs[name]) for name in candidates}
        few, plain = self._plain(known), self._plain(candidates)
        less = {name: self._plain(needed[name]) for name in plain}
        out: set[str] = set()
        try:
            for action in (action.name for action in self.instance.rule_set.actions):
                if action in self._loosens and plain == candidates:
                    compute = _violated(few, plain, less)
                    with suppress(Unsupported):
                        if not self._ask("violated", (action,), few, (less,), compute, "hands"):
                            continue
                compute = _violated(known, candidates, needed)
                out.update(self._ask("violated", (action,), known, (needed,), compute))
        except _NotByName:
            return None
        return out

    def conserves(self, known: Sequence[str]) -> bool:
        """Return whether no event loses or makes a tile if what is known holds, as far as this shows it."""
        actions = [a.name for a in self.instance.rule_set.actions if a.kind != "deal"]
        return all(self._shows("conserves", action, known, _conserves) for action in actions)

    def holds_after(self, prop: PropertyDecl, known: Sequence[str]) -> bool:
        """Return whether a property holds after each event that it is about, if what is known holds before it.

        As far as this shows it.
        """
        assert prop.after is not None
        return self._shows(
            "after", prop.after, known, lambda names: _holds_after(prop.name, names), (prop.name,)
        )

    def _shows(
        self,
        what: str,
        action: str,
        known: Sequence[str],
        compute: Callable[[Sequence[str]], Callable[[_Slice], Any]],
        about: tuple[str, ...] = (),
    ) -> bool:
        """Return whether all events of an action do something, as far as what is known of states before them shows."""
        known = sorted(known)
        few = self._plain(known)
        loose: Loosening = "hands" if action in self._loosens else NO
        tries: list[tuple[Sequence[str], Loosening]] = [(known, NO)]
        if self._plain(about) == [*about] and (loose != NO or few != known):
            tries.insert(0, (few, loose))
        for names, how in tries:
            with suppress(_NotByName, Unsupported):
                if self._ask(what, (action,), names, (about,), compute(names), how):
                    return True
        return False

    def goes_on(self, known: Sequence[str]) -> bool:
        """Return whether some event is always legal in a hand if what is known holds, as far as this shows it."""
        actions = tuple(a.name for a in self.instance.rule_set.actions if a.kind in ("play", "end"))
        known = sorted(known)
        try:
            return bool(self._ask("goes on", actions, known, (), _goes_on(known)))
        except _NotByName:
            return False

    # ------------------------------------------------------------------ slices

    def _framed(self, system: TransitionSystem) -> Frame:
        states = system.states
        groups = {name: tuple(members) for name, members in states.groups.items()}
        return Frame(
            dict(states.tracking),
            tuple(system.evaluator.context.named),
            groups,
            frozenset(states.blank),
            dict(states.most_tiles),
        )

    def _slice(self, actions: tuple[str, ...], names: Collection[str], loose: Loosening = NO) -> _Slice:
        """Return the slice that has these actions, and the properties that candidates of these names are about.

        `loose` says what no condition asks about: what tiles score, or whole hands.
        """
        about = {name.partition(SEPARATOR)[0] for name in names} | {*names}
        properties = frozenset(p.name for p in self.instance.rule_set.properties if p.name in about)
        if (actions, properties, loose) not in self._made:
            rules = self._slices.of(actions, properties)
            if loose != NO:
                rules = loosened(rules, properties, loose == "hands")
            instance, limits = self.instance, self.solver.limits
            key = cache.digest(
                FORM,
                rules,
                loose,
                self._frame.key(),
                instance.players,
                sorted(instance.options.items()),
                instance.kinds,
                instance.wild,
                instance.wild_as,
                limits.effort,
                limits.most,
                limits.seed,
            )
            self._made[actions, properties, loose] = _Slice(rules, key, self, self._frame, loose)
        return self._made[actions, properties, loose]

    def _find_groups(self, system: TransitionSystem) -> None:
        """Complete the groups of a system, from those actions that make some."""
        makers = tuple(a.name for a in system.rules.actions if makes_members(a, system))
        states = system.states
        if makers:
            # what a condition asks about whole hands does not say which groups an event makes, unless it is about these
            loose: Loosening = "scores" if self._hands_of_keys(makers) else "hands"
            groups, blank = self._ask("groups", makers, (), (), _groups, loose)
            states.groups = {name: list(frozen(groups[name])) for name in states.groups}
            states.blank = set(blank)
            states.groups_complete = True
        else:
            find_reachable_melds(system)

    def _hands_of_keys(self, actions: Collection[str]) -> bool:
        """Return whether a condition of some actions asks about a whole hand of tiles or groups that an event names."""
        rules = self.instance.rule_set
        asks = asks_about_hands(rules)
        for action in (a for a in rules.actions if a.name in actions):
            several = [p for p in action.params if p.type not in SINGLE]
            lists = {name for p in several for name in (p.name, *p.parts)}
            if any(asks(c.expr) and lists & names_in(c.expr) for c in action.conditions):
                return True
        return False

    # ------------------------------------------------------------------ answers

    def _ask(
        self,
        what: str,
        actions: tuple[str, ...],
        known: Sequence[str],
        about: tuple[Iterable[str], ...],
        compute: Callable[[_Slice], Any],
        loose: Loosening = NO,
    ) -> Any:
        """Return an answer, which is plain data, and count what it took. Raises `_NotByName` and `Unsupported`."""
        names = {*known, *(name for names in about for name in names)}
        made = self._slice(actions, names, loose)
        solver, name = self.solver, None
        self._machine.limit_steps(MOST_IN_ALL)
        if self._shares:
            key = cache.digest(what, made.key, known, about)
            name = cache.fingerprint("steps", key, code=CODE, packages=packages_of(self._settings))
            stored = cache.load_as(name, Stored)
            if stored is not None and counts_alike(stored.asked, self.shapes):
                solver.queries += stored.queries
                solver.spent += stored.units
                solver.fullest = max(solver.fullest, stored.fullest)
                return stored.answer
        queries, units, fullest = solver.queries, solver.spent, solver.fullest
        solver.fullest = (0.0, "")
        try:
            with parts_apart():
                answer = compute(made)
        finally:
            own, solver.fullest = solver.fullest, max(fullest, solver.fullest)
        self._machine.limit_steps(MOST_IN_ALL)
        if name is not None:
            asked = [(score, plain(args), best) for (score, args), best in made.shapes.asked.items()]
            cache.store_as(name, Stored(answer, solver.queries - queries, solver.spent - units, own, asked))
        return answer


def pays(rules: RuleSet) -> bool:
    """Return whether to check what is kept of a rule set action by action.

    The steps of an action are made once for each slice, so this costs more than it saves where steps are cheap: it pays
    where events ask what tiles score.
    """
    return bool(rules.scores)


def has_long_steps(system: TransitionSystem) -> bool:
    """Return whether it pays to check action by action what is not kept, too.

    If a search needs more invariants than the text states, all steps are made at once after all. So steps have to take
    long, as where zones can have many groups, or states many members: each step is about each of them.
    """
    return sum(map(len, system.states.groups.values())) >= MANY


def _groups(made: _Slice) -> Any:
    system = made.system()
    find_reachable_melds(system)
    groups = {name: [plain(member) for member in members] for name, members in system.states.groups.items()}
    return groups, sorted(system.states.blank)


def _preserved(known: Sequence[str], candidates: Sequence[str]) -> Callable[[_Slice], Any]:
    def compute(made: _Slice) -> Any:
        induction = made.induction("preserved", True)
        induction.assume(made.candidates(induction, known))
        preserved, needed = induction.preserved(made.candidates(induction, candidates))
        return [name for name in candidates if name in preserved], sorted(needed)

    return compute


def _violated(
    known: Sequence[str], candidates: Sequence[str], needs: Mapping[str, Collection[str]]
) -> Callable[[_Slice], Any]:
    def compute(made: _Slice) -> Any:
        induction = made.induction("violated", True)
        induction.assume(made.candidates(induction, known))
        return sorted(induction.violated(made.candidates(induction, candidates), needs))

    return compute


def _conserves(known: Sequence[str]) -> Callable[[_Slice], Any]:
    def compute(made: _Slice) -> Any:
        induction = made.induction("conserves", True)
        induction.assume(made.candidates(induction, known))
        return check_conservation(induction) is None

    return compute


def _holds_after(name: str, known: Sequence[str]) -> Callable[[_Slice], Any]:
    def compute(made: _Slice) -> Any:
        induction = made.induction("after", True)
        induction.assume(made.candidates(induction, known))
        prop = next(p for p in made.rules.properties if p.name == name)
        assert prop.after is not None
        return induction.check_after(prop.after, lambda step: postcondition(induction, prop, step)) is None

    return compute


def _goes_on(known: Sequence[str]) -> Callable[[_Slice], Any]:
    def compute(made: _Slice) -> Any:
        induction = made.induction("goes on", False)
        induction.assume(made.candidates(induction, known))
        return check_deadlock_freedom(induction) is None

    return compute

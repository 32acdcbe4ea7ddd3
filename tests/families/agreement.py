"""What is decided for all rule sets of a game at once, beside what is decided for some of them one by one.

    python -m tests.families.agreement jjak --players 2 --samples 200 --log jjak.jsonl
    python -m tests.families.agreement jjak --players 3 --samples 2000 --games 5
    python -m tests.families.agreement jjak --players 3 --samples 50 --games 20 --switch relaxed

Each property of each sampled rule set is decided alone, as `golpae prove` decides it, with the help of what is kept of
single switches. Proved on one side and refuted on the other is a disagreement; what one side leaves open is counted.
With `--games`, games are played under each sampled rule set instead, by chance and greedily in turn, and no position
may contradict what is kept beside the text. `--log` keeps what was found of each rule set in a file, and the next call
with the same file goes on from there. With `--switch`, games are played with the switch and without it under sampled
settings of the others, and may only part in ways that `compare` tells; this keeps no log.
The exit status is 1 if there is a disagreement.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from golpae.bundled import spec_dir
from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.elaborate.names import find
from golpae.ir.ruleset import PropertyDecl
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd
from golpae.replay.simulate import play as play_by_chance
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.search.random_play import is_dead_end
from golpae.search.target import Target
from golpae.simulate.play import Ending, SimulatedGame, SimulatedTable
from golpae.simulate.policies import policies
from golpae.simulate.sight import Sight
from golpae.verify.families.kept import kept_families
from golpae.verify.families.results import FamilyResult
from golpae.verify.families.scheduler import FamilyCall, FamilyName, decide_family, groups
from golpae.verify.families.searches import target_of
from golpae.verify.kept_files import kept_of
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, is_about_rules, properties_of
from golpae.verify.scheduler import Job
from golpae.verify.switches.changes import SwitchCall, decide_switches
from golpae.verify.switches.of_switch import WHATS, What, having_both
from golpae.verify.switches.refusals import RefusedEvent, event_of, refusal
from golpae.verify.verifier import Verifier
from golpae.workers import Crash, results
from tests.families.loaded import members

DECIDED = (PROVED, REFUTED)
POLICIES = ("random", "greedy")
HANDS = (3, 1, 1, 3)  # of games, in turn
LONGEST = 400  # events of a hand
EACH = 5  # rule sets after which the counts are printed


def alone(job: tuple[FamilyName, str, int]) -> dict[str, str]:
    """Return the verdicts on the properties of one rule set."""
    name, rules, players = job
    rule_set = name.load(rules)
    kept = kept_of({rule_set.game: (spec_dir(),)}, {}, "", sys.stderr.write)
    (table,) = kept.with_kept([Job(rule_set, players, {})])
    verifier = Verifier(instantiate(rule_set, players, {}), Settings(kept=table.kept, cached=True))
    return {prop.name: verifier.verify(prop).verdict for prop in properties_of(rule_set)}


class Log:
    """What is found of rule sets, in a file if there is one: a line for each, as soon as it is known. `about` is what
    all lines of a call have in common. What an older text led to counts no more.
    """

    def __init__(self, file: Path | None, about: Mapping[str, int]) -> None:
        self._file, self._about = file, about
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else []
        self._lines = {self._key(line["rules"], line): line for line in map(json.loads, lines)}

    def load(self, rules: str, what: str) -> Any:
        """Return what the file says of a rule set; None if it does not."""
        return self._lines.get(self._key(rules, self._facts(rules)), {}).get(what)

    def add(self, rules: str, **found: object) -> None:
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"rules": rules, **self._facts(rules), **found}) + "\n")

    def _facts(self, rules: str) -> dict[str, object]:
        return {**self._about, "text": elaborate_cached(rules, ()).spec_hash}

    def _key(self, rules: str, facts: Mapping[str, object]) -> tuple[object, ...]:
        return rules, facts["text"], *(facts.get(name, 0) for name in self._about)


def verdicts_at(found: Sequence[FamilyResult], name: FamilyName, number: int) -> dict[str, str]:
    """Return the verdicts on the properties that one rule set states, as decided for all of them."""
    space = groups(name)[0].space
    return {
        result.name: part.verdict
        for result in found
        for part in result.parts
        if number in space.region(part.cubes)
    }


# ------------------------------------------------------------------ games that are played


class Playing:
    """Plays games under rule sets of a game at one table. Replay plays them, and says what holds in their positions."""

    def __init__(self, name: FamilyName, players: int, games: int) -> None:
        self._load, self._called = name.load, groups(name)[0].called
        self._players, self._games = players, games
        self.positions = 0

    def contradicted(self, number: int, kept: Mapping[str, str | None]) -> Iterator[str]:
        """Yield what is kept about a rule set, verdicts by property, and a game contradicts."""
        machine = Machine(instantiate(self._load(self._called(number)), self._players, {}))
        asked = {
            prop.name: prop for prop in properties_of(machine.rules) if is_contradicted(machine, prop, kept)
        }
        targets = {
            name: Target(machine, target_of(prop), prop.after)
            for name, prop in asked.items()
            if name != DEADLOCK_FREEDOM
        }
        found = {name for name, target in targets.items() if target.at_start(machine.new_state())}
        for game in self._played(machine, number):
            state = machine.new_state()
            for event in game.events:
                before = machine.copy(state)
                machine.apply(event.action, state, event.args)
                found |= {name for name, target in targets.items() if target.reached(state, event, before)}
                self.positions += 1
            seems_dead = bool(game.hands) and game.hands[-1].ending == Ending.DEAD_END
            if DEADLOCK_FREEDOM in asked and seems_dead and is_dead_end(machine, [*game.lines(machine)]):
                found.add(DEADLOCK_FREEDOM)
        yield from sorted(found)

    def _played(self, machine: Machine, seed: int) -> Iterator[SimulatedGame]:
        tables = [
            SimulatedTable(machine, policies((name,) * self._players, Sight(machine)), LONGEST, scored=False)
            for name in POLICIES
        ]
        for game in range(self._games):
            yield tables[game % len(tables)].play(seed, game, HANDS[game % len(HANDS)])


def is_contradicted(machine: Machine, prop: PropertyDecl, kept: Mapping[str, str | None]) -> bool:
    """Return whether positions of a game can contradict what is kept of a property."""
    claimed = REFUTED if prop.kind == "reachable" else PROVED
    never = prop.name == CONSERVATION or prop.name.endswith(BRINGS) or prop.kind == "ends"
    return kept.get(prop.name) == claimed and not never and not is_about_rules(machine.rules, prop)


def play(game: str, players: int, samples: int, seed: int, games: int, file: Path | None) -> int:
    """Play games under sampled rule sets, but not under those of which the file tells. Return the exit status."""
    name = FamilyName(game, (), (), ())
    family, _ = groups(name)
    text = find(game, ())
    assert text is not None
    tables = kept_families(game, text, name.load, family.names)
    table = next((one for one in tables if one.players == players), None)
    if table is None:
        print(f"nothing is kept about all rule sets of {game} with {players} players")
        return 2
    every = members(family)
    numbers = random.Random(seed).sample(every, min(samples, len(every)))
    playing = Playing(name, players, games)
    log = Log(file, {"players": players, "games": games, "most hands": max(HANDS)})
    wrong = known = 0
    for done, number in enumerate(numbers, 1):
        rules, on = family.called(number), frozenset(family.on(number))
        kept = {prop.name: prop.verdict_of(on) for prop in table.properties}
        found = log.load(rules, "contradicted") if log.load(rules, "kept") == kept else None
        if found is None:
            found = list(playing.contradicted(number, kept))
            log.add(rules, kept=kept, contradicted=found)
        else:
            known += 1
        for prop in found:
            print(f"{rules}, {prop}: a game contradicts it", flush=True)
            wrong += 1
        if done % EACH == 0 or done == len(numbers):
            before = f"{known} known before, " if known else ""
            seen = f"{playing.positions:,} positions, " if playing.positions else ""
            print(f"{done} of {len(every):,} rule sets: {before}{seen}{wrong} contradicted", flush=True)
    return 1 if wrong else 0


# ------------------------------------------------------------------ what a switch changes


def parted(one: Machine, other: Machine, what: What, games: int, rng: random.Random) -> set[What]:
    """Return how rule sets part in games by chance of the one: the other refuses an event, which is `what`, or goes on
    or pays otherwise.
    """
    found: set[What] = set()
    key = StateKey(one.rules, (*WORD_SLOTS, "total"))
    for _ in range(games):
        mine, theirs = one.new_state(), other.new_state()
        with suppress(DeadEnd):
            for line in play_by_chance(one, mine, rng, 2):
                event = event_of(other, line)
                refused = RefusedEvent("malformed") if event is None else refusal(other, theirs, event)
                if refused is not None:
                    found.add(what if refused.by == "condition" else "otherwise")
                    break
                if key(mine) != key(theirs):
                    found.add("otherwise")
                    break
    return found


def hold_switch(name: FamilyName, switch: str, players: int, samples: int, seed: int, games: int) -> int:
    """Play games with a switch and without it. Return the exit status."""
    family, _ = groups(name)
    bit = family.bits([switch])
    call = SwitchCall(name, (switch,), (players,), {}, Settings())
    (told,) = decide_switches(call, 1, True, Progress())
    regions = {"less": told.less, "more": told.more, "otherwise": told.otherwise, "unknown": told.unknown}
    every = sorted(having_both(family, switch).members())
    numbers = random.Random(seed).sample(every, min(samples, len(every)))
    counts: Counter[str] = Counter()
    for number in numbers:
        off, on = (
            Machine(instantiate(name.load(family.called(n)), players, {})) for n in (number, number | bit)
        )
        rng = random.Random(f"{seed}/{number}")
        found = parted(off, on, "less", games, rng) | parted(on, off, "more", games, rng)
        said = {what for what, cubes in regions.items() if number in family.space.region(cubes)}
        for what in WHATS:
            how = f"{'told' if what in said else 'not told'}, {'seen' if what in found else 'not seen'}"
            counts[how] += 1
            if what in found and not said & {what, "unknown"}:
                print(f"{family.called(number)}, {switch}: {what}, which is not told", flush=True)
                counts["disagreement"] += 1
    print(f"{switch}, {players} players, {len(numbers)} of {len(every):,} settings: {dict(counts)}")
    return 1 if counts["disagreement"] else 0


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.families.agreement")
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--switch")
    args = parser.parse_args(words)
    if args.switch:
        name = FamilyName(args.game, (), (), ())
        return hold_switch(name, args.switch, args.players, args.samples, args.seed, args.games or 20)
    if args.games:
        return play(args.game, args.players, args.samples, args.seed, args.games, args.log)
    name = FamilyName(args.game, (), (), ())
    family, _ = groups(name)
    call = FamilyCall(name, (args.players,), {}, Settings())
    found = list(decide_family(call, args.jobs, True, Progress()))
    every = members(family)
    numbers = random.Random(args.seed).sample(every, min(args.samples, len(every)))
    log = Log(args.log, {"players": args.players, "games": 0})
    rules_of = {family.called(number): number for number in numbers}
    known = {rules: own for rules in rules_of if (own := log.load(rules, "verdicts")) is not None}
    jobs = [(name, rules, args.players) for rules in rules_of if rules not in known]
    counts: Counter[str] = Counter()
    for rules, own in known.items():
        _compare(rules, own, verdicts_at(found, name, rules_of[rules]), counts)
    print(f"known before: {dict(counts)}", flush=True)
    for done, (place, own) in enumerate(results(alone, jobs, args.jobs), 1):
        rules = jobs[place][1]
        if isinstance(own, Crash):
            print(f"{rules}: {own.reason}", flush=True)
            counts["crashed"] += 1
            continue
        log.add(rules, verdicts=own)
        _compare(rules, own, verdicts_at(found, name, rules_of[rules]), counts)
        if done % EACH == 0:
            print(f"after {len(rules_of) - len(jobs) + done}: {dict(counts)}", flush=True)
    print(
        f"{len(numbers)} of {len(every):,} rule sets of {args.game} with {args.players} players:",
        dict(counts),
    )
    return 1 if counts["disagreement"] or counts["crashed"] else 0


def _compare(rules: str, own: dict[str, str], together: dict[str, str], counts: Counter[str]) -> None:
    """Count where the verdicts on one rule set agree, and print where they do not."""
    for prop in sorted(own.keys() | together.keys()):
        one, other = own.get(prop, "not stated"), together.get(prop, "not stated")
        if one == other:
            counts[f"both {one}"] += 1
        elif (one in DECIDED and other in DECIDED) or "not stated" in (one, other):
            counts["disagreement"] += 1
            print(f"{rules}, {prop}: alone {one}, together {other}", flush=True)
        else:
            counts[f"alone {one}, together {other}"] += 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

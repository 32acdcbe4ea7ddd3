"""What is decided for all rule sets of random texts at once, beside all games of each of them.

    python -m tests.families.random_texts --seed 1 --texts 200

Small random texts are made with two to four variants and readings, fewer where one of them changes nothing. Each
property is decided for all combinations together, without going through games; each rule set is then decided alone, by
going through all its games if these are few enough. Proved on one side and refuted on the other is a disagreement, and
so is an action that happens in a game and is noted as one that never does, and a game that is said to be the shortest
where one of all games is shorter. The exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from golpae.diagnostics import SpecError
from golpae.elaborate.instance import TableFault, bounds, instantiate, options_of
from golpae.elaborate.load import load
from golpae.lint.families import notes_of_family
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families import decide
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.family_table import RegionVerdict
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from golpae.workers import UNLIMITED
from tests.differential.texts import random_text
from tests.families.loaded import members

SETTINGS = Settings(effort=0.1, games=30)
DECIDED = {PROVED, REFUTED}


@contextmanager
def no_small_families() -> Iterator[None]:
    """Decide together what could be decided one by one."""
    with patch.object(decide, "MOST_ALONE", 0):
        yield


def check(seed: int, folder: Path, counts: Counter[str]) -> list[str]:
    """Check one text. Return what is wrong."""
    text = random_text(seed, small=True, switches=2 + seed % 3)
    if len(text.switches) < 2:
        counts["texts with fewer than two switches"] += 1
        return []
    (folder / f"{text.name}.golpae").write_text(text.source, encoding="utf-8")
    name = FamilyName(text.name, (), (), (folder,))
    try:
        family, made = groups(name)
        options = options_of(name.load(text.name), {})
        players = bounds(name.load(text.name), options)[0]
        together: dict[tuple[int, str], RegionVerdict] = {}
        for one in made:
            verifier = FamilyVerifier(one, name.load, players, options, SETTINGS)
            for prop in verifier.properties:
                for part in verifier.decide(prop):
                    together |= {(n, prop.name): part for n in members(family) if n in part.region}
        notes = notes_of_family(name, load(text.name, [folder]), SETTINGS, 1, Progress(), UNLIMITED)
    except (SpecError, TableFault):
        counts["texts that no table fits"] += 1
        return []
    counts[f"texts with {len(text.switches)} switches"] += 1
    wrong = []
    for number in members(family):
        rule_set = name.load(family.called(number))
        alone = Verifier(instantiate(rule_set, players, options), SETTINGS)
        games = alone.analysis.games
        whole = games is not None and games.whole
        counts["rule sets, all games" if whole else "rule sets, some games"] += 1
        for prop in properties_of(rule_set):
            result, found = alone.verify(prop), together.get((number, prop.name))
            own, other = result.verdict, "not stated" if found is None else found.verdict
            counts["the same" if own == other else f"alone {own}, together {other}"] += 1
            if {own, other} == DECIDED or found is None:
                wrong.append(f"{seed}, {rule_set.rules}, {prop.name}: alone {own}, together {other}")
            elif found.is_shortest and result.witness is not None:
                counts["shortest games"] += 1
                if is_longer(found, result):
                    wrong.append(
                        f"{seed}, {rule_set.rules}, {prop.name}: {found.story}; alone: {result.story}"
                    )
        happens = set() if games is None else {event.action for _, event, _ in games.events()}
        for note in notes:
            here = note.where is not None and number in family.space.region(note.where.cubes)
            if here and note.kind == "action" and not note.unknown and note.path in happens:
                wrong.append(f"{seed}, {rule_set.rules}: {note.message}")
            counts["notes on actions"] += here and note.kind == "action"
    return wrong


def is_longer(found: RegionVerdict, alone: PropertyResult) -> bool:
    """Return whether a game that is said to be the shortest has more events than the one of a rule set by itself."""
    assert found.witness is not None
    assert alone.witness is not None
    return len(found.witness.events) > len(alone.witness.events)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.families.random_texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=int, default=100)
    args = parser.parse_args(words)
    counts: Counter[str] = Counter()
    status = 0
    with tempfile.TemporaryDirectory() as folder, no_small_families():
        for number, seed in enumerate(range(args.seed, args.seed + args.texts), 1):
            for line in check(seed, Path(folder), counts):
                print(line, flush=True)
                status = 1
            if number % 10 == 0 or number == args.texts:
                print(f"after {number}: {dict(counts)}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write a rule book: one page, and in a folder beside it the pages of the games that show its properties.

Input: the name of a rule set, the folders of its texts, the name of the page.
Output: files.
Guarantee: a file is there as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, BinaryIO

from golpae.beside import write_whole
from golpae.diagnostics import SpecError
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import Instance, TableFault, bounds, instantiate, options_of
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.pages.book.claims import KeptVerdicts, add_everywhere, kept_everywhere, kept_verdicts
from golpae.pages.book.hands import examples_by_proof
from golpae.pages.book.page import Book, book_page
from golpae.pages.book.pictures import Example, examples_of
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.game import game_page
from golpae.pages.module import Modules
from golpae.pages.recording import Recorder, Recording
from golpae.pages.stale import remove_others
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.trace.header import usual_names
from golpae.trace.read import lines

_PAGE = re.compile(r"[a-z][\w-]*-\d+(\+[a-z][\w-]*)*\.html")


@dataclass(frozen=True, slots=True)
class Written:
    """How many games are beside a book, and why files of recorded games were of no use, by their names."""

    games: int
    useless: Mapping[str, str]


def write_book(
    rules: str,
    places: Sequence[Path],
    output: Path,
    recorded: Iterable[tuple[str, BinaryIO]] = (),
    progress: Progress | None = None,
) -> Written:
    """Write the book of a rule set, with hands of `recorded` games, each a file's name and its content. Raises OSError,
    and `SpecError`.
    """
    progress = progress or Progress()
    game, active = split(rules)
    loaded = load(game, places)
    base = resolve(game, loaded)
    switches = [variant.name.text for variant in base.variants]

    def rule_set(name: str) -> RuleSet:
        return elaborate_cached(name, places)

    def table(name: str, players: int | None = None) -> Instance:
        chosen = rule_set(name)
        options = options_of(chosen, {})
        return instantiate(chosen, players or bounds(chosen, options)[1], options)

    instance = table(game)

    def table_with(switch: str) -> Instance | None:
        try:
            return table(f"{game}+{switch}", instance.players)
        except (SpecError, TableFault):
            return None

    def rules_with(switch: str) -> RuleSet | None:
        try:
            return rule_set(f"{game}+{switch}")
        except SpecError:
            return None

    on = tuple(name for name in switches if name in active)
    named = "+".join([game, *on])
    kept = kept_verdicts(game, places, rule_set, [game, named, *(f"{game}+{name}" for name in switches)])
    add_everywhere(kept, kept_everywhere(game, places, rule_set, switches))
    library = Library(rule_set)
    examples = _Examples({game, *on})
    useless: dict[str, str] = {}
    for name, stream in recorded:
        used = [examples.add(one) for one in Recorder(name, library).recordings(lines(stream))]
        if not any(used):
            useless[name] = f"no game by the rules `{named}` in it" if used else "no trace in it"
    games = _games(named, kept, library, ClauseTexts(places), output, examples)
    switched = {name: resolve(f"{game}+{name}", loaded) for name in switches}
    clashes = tuple(_clashes(game, switches, loaded))
    found = examples.found
    try:
        chosen = table(named, instance.players)
    except TableFault:  # a variant is for another number of players
        chosen = table(named)
    for key, example in examples_by_proof(chosen, [*found], progress):
        found.setdefault(key, example)

    def examples_with(switch: str, patterns: Sequence[str]) -> dict[str, Example]:
        of_switch, names = table_with(switch), [key.partition(" ")[2] for key in patterns]
        return {} if of_switch is None else dict(examples_by_proof(of_switch, (), progress, names))

    alone = {name: own for name in switches if (own := rules_with(name)) is not None}
    book = Book(base, switched, on, clashes, instance, table_with, alone, kept, games, found, examples_with)
    write_whole(output, book_page(book))
    return Written(len(games), useless)


def _clashes(game: str, switches: Sequence[str], loaded: Loaded) -> list[tuple[str, str]]:
    """Return the pairs of switches that cannot be on together."""

    def fits(pair: tuple[str, str]) -> Resolved | None:
        try:
            return resolve("+".join([game, *pair]), loaded)
        except SpecError:
            return None

    return [pair for pair in combinations(switches, 2) if fits(pair) is None]


class _Examples:
    """For each pattern and arrangement the hand with the fewest patterns, from games of one rule set."""

    def __init__(self, rules: set[str]) -> None:
        self._rules = rules
        self.found: dict[str, Example] = {}

    def add(self, recording: Recording) -> bool:
        """Look for hands in a game. Return whether it was played by these rules."""
        if recording.header is None or {recording.header.base, *recording.header.variants} != self._rules:
            return False
        for name, example in examples_of(recording.steps, str(recording.header.rules)):
            if name not in self.found or example.patterns < self.found[name].patterns:
                self.found[name] = example
        return True


def _games(
    rules: str, kept: KeptVerdicts, library: Library, clauses: ClauseTexts, output: Path, examples: _Examples
) -> dict[tuple[str, str, int], str]:
    """Write the pages of the games that show properties. Return their addresses. Those of `rules` have their module in
    them; those of other rule sets do without, for each would have to be made.
    """
    modules = Modules()
    folder = output.with_name(f"{output.stem}-games")
    found: dict[tuple[str, str, int], str] = {}
    for (which, name, players), events in kept.games.items():
        header: dict[str, Any] = {"golpae": 1, "rules": which, "players": usual_names(players), "id": name}
        game = [header, *events]
        recorder = Recorder(f"{which}, {name}", library)
        recording = next(recorder.recordings((at, line, None) for at, line in enumerate(game, 1)), None)
        if recording is None or recording.instance is None:
            continue
        examples.add(recording)
        folder.mkdir(exist_ok=True)
        switches = "".join(f"+{switch}" for switch in split(which)[1])
        page = f"{name}-{players}{switches}.html"
        module = modules.of(recording.instance) if which == rules else None
        write_whole(folder / page, game_page(recording, module, clauses.of(which)))
        found[which, name, players] = f"{folder.name}/{page}"
    remove_others(folder, _PAGE, [Path(page).name for page in found.values()])
    return found

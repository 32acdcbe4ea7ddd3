"""Recorded games to learn from, read once, and the rule sets that they come nearest to.

Input: files, the game that is asked about. Output: its games, and those that teach nothing, each with the reason.
Guarantee: each file is opened once, so it may be a pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from golpae.attribute.corpus import Corpus
from golpae.attribute.traces import Attribution
from golpae.ir.ruleset import RuleSet
from golpae.mutate.recorded import Trace, games_in
from golpae.trace import Source

OTHER_GAME = "of another game"
NO_HEADER = "with a header that cannot be read"
UNSEEN = "with tiles that nobody saw"


@dataclass(slots=True)
class Read:
    """Games, and for each reason to leave games out the names of these. `empty`: files without any game."""

    games: list[Trace] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)

    def leave_out(self, name: str, reason: str) -> None:
        self.left_out.setdefault(reason, []).append(name)


def read(files: Sequence[Source], game: str) -> Read:
    """Read the games of some files. Raises OSError."""
    found = Read()
    for source in files:
        one = None
        for one in games_in(source):
            match one:
                case str():
                    found.leave_out(one, NO_HEADER)
                case Trace(name=name, header=header) if header.base != game:
                    found.leave_out(name, OTHER_GAME)
                case Trace(name=name, unseen=True):
                    found.leave_out(name, UNSEEN)
                case _:
                    found.games.append(one)
        if one is None:
            found.empty.append(source.name)
    return found


def _as_lines(games: Sequence[Trace]) -> Iterator[tuple[int, Mapping[str, object] | None, str | None]]:
    """Yield games as lines that were read."""
    at = 0
    for game in games:
        header = game.header
        at += 1
        yield (
            at,
            {
                "golpae": 1,
                "rules": header.rules,
                "players": [*header.players],
                "stake": header.stake,
                "options": dict(header.options),
            },
            None,
        )
        for event in game.events:
            at += 1
            yield at, event, None if event is not None else "the line cannot be read"


def nearest(rules: str, load: Callable[[str], RuleSet], games: Sequence[Trace]) -> list[str]:
    """Return the rule sets that make the most games legal with the fewest switches. Raises `SpecError`."""
    base = rules.partition("+")[0]
    attribution = Attribution(load, rules)
    family = attribution.family(base)
    if isinstance(family, str):
        return [rules]
    corpus = Corpus(family)
    for result in attribution.results(_as_lines(games), ""):
        if result.fault is None and result.family is not None:
            corpus.add(result)
    if corpus.traces == 0:
        return [rules]
    return [family.called(bits) for bits in corpus.answer().smallest]

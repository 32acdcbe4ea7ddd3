"""A switch is taken out of a text, and found again from games that were played with it.

Input: a game and one of its switches. Output: what was learned, and whether its games are those of the switch.
Guarantee: the same seed plays the same games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO

from golpae.elaborate.check import check
from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.answer import Learned, learned
from golpae.learn.replays import Replays
from golpae.mutate.recorded import Trace
from golpae.progress import Progress
from golpae.simulate.series import Series, simulate
from golpae.syntax import tree as t
from golpae.trace import Header, is_header, lines, read_header

MIXES = (("random",), ("greedy",), ("random", "greedy"), ("towards",))
"""Who plays: each seat in turn has the next policy."""

HANDS = 3  # of a game
MOST_TABLES = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What was learned. `same`: new games of each rule set are legal by the other, as many as `held`."""

    answer: Learned
    same: bool
    held: int


def find_again(loaded: Loaded, switch: str, games: int, seed: int) -> Found:
    """Play games with a switch, take it out of the text, and learn from the games."""
    game = loaded.game.name.text
    truth = check(resolve(f"{game}+{switch}", loaded))
    without = replace(loaded, decls=tuple(d for d in loaded.decls if not _is_switch(d)))
    answer = learned(without, game, [*played(truth, game, games, seed)])
    if answer.best is None or answer.best.variant is None:
        return Found(answer, False, 0)
    rules = check(resolve(f"{game}+{_name(answer.best.variant)}", with_variant(without, answer.best.variant)))
    held = [*played(truth, game, games // 2, seed + 1000)]
    back = [*played(rules, game, games // 2, seed + 2000)]
    same = all(one.legal for one in Replays(rules).outcomes(held)) and all(
        one.legal for one in Replays(truth).outcomes(back)
    )
    return Found(answer, same, len(held) + len(back))


def played(rules: RuleSet, name: str, games: int, seed: int) -> Iterator[Trace]:
    """Yield games at the tables of a rule set, by all mixes of policies."""
    tables = [n for n in range(2, 9) if _has_table(rules, n)][:MOST_TABLES]
    each = -(-games // (len(tables) * len(MIXES)))
    for players in tables:
        for number, mix in enumerate(MIXES):
            seats = tuple(mix[seat % len(mix)] for seat in range(players))
            written: list[bytes] = []
            series = Series(rules, players, {}, seats, seed + number, each, HANDS)
            simulate(series, 1, Progress("playing"), written.append)
            yield from _read(b"".join(written), name)


def _has_table(rules: RuleSet, players: int) -> bool:
    try:
        instantiate(rules, players, {})
    except TableFault:
        return False
    return True


def _read(content: bytes, name: str) -> Iterator[Trace]:
    header: Header | None = None
    events: list[dict[str, object] | None] = []
    number = 0
    for _, line, fault in lines(BytesIO(content)):
        assert line is not None
        assert fault is None
        if is_header(line):
            if header is not None:
                yield Trace(f"game {number}", header, tuple(events))
            number += 1
            read = read_header({**line, "rules": name})
            assert isinstance(read, Header)
            header, events = read, []
        else:
            events.append(dict(line))
    if header is not None:
        yield Trace(f"game {number}", header, tuple(events))


def _is_switch(decl: t.Decl) -> bool:
    return isinstance(decl, t.Variant)


def with_variant(loaded: Loaded, variant: str) -> Loaded:
    """Return a text with a variant, read as a text is read."""
    from golpae.diagnostics import Text
    from golpae.syntax.parse import parse

    whole = parse(Text.of("learned", f'game learned "learned"\n\n{variant}'))
    return replace(loaded, decls=(*loaded.decls, *(d for d in whole.decls if isinstance(d, t.Variant))))


def _name(variant: str) -> str:
    return variant.split()[1]

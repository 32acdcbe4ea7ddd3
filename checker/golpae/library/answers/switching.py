"""What one switch changes over all settings of the others.

Input: rules, a switch.
Output: a `ComparedSwitch` for each table.
Guarantee: the answers are those of `golpae compare --switch`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from golpae.diagnostics import near, quoted_list
from golpae.elaborate.instance import bounds, options_of, wrong_number
from golpae.elaborate.names import ENDING
from golpae.families.family import Family
from golpae.library.errors import RulesError, TableError, translated
from golpae.library.front import rules_of
from golpae.library.origin import PathLike
from golpae.library.rules import Rules
from golpae.library.values import FrozenDict, written
from golpae.progress import Progress
from golpae.report.families.switches import parts as parts_of
from golpae.trace import quoted
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import SECONDS_FOR_MANY, Settings
from golpae.verify.switches.changes import SwitchCall, decide_switches
from golpae.verify.switches.of_switch import Changes


@dataclass(frozen=True, slots=True)
class SwitchPart:
    """Settings of the other switches in which a switch changes the same.

    Attributes:
        where: which settings, in words.
        settings: how many.
        less: some game without it is refused with it.
        more: the other way round.
        otherwise: some game goes on, or is paid, otherwise.
        unknown: it is not decided.
    """

    where: str
    settings: int
    less: bool
    more: bool
    otherwise: bool
    unknown: bool


@dataclass(frozen=True, slots=True)
class SwitchGame:
    """A game after which rules and those with the other setting of a switch part.

    Attributes:
        rules: the rules that play it.
        other: the rules with the other setting.
        at: how these part from it at its last event: `refused`, `paid` otherwise, or goes on `otherwise`.
        clause: the clause that refuses the event.
        trace: its lines, header first.
    """

    rules: str
    other: str
    at: str
    clause: str | None
    trace: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparedSwitch:
    """What a switch changes at one table. It is true if it changes nothing, whatever the other switches are.

    Attributes:
        switch: the switch.
        players: how many play.
        options: the values of options.
        parts: all settings of the other switches, by what it changes there.
        games: games that show it.
        why_unknown: why something is not decided, if golpae knows.
    """

    switch: str
    players: int
    options: FrozenDict[str, int]
    parts: tuple[SwitchPart, ...]
    games: tuple[SwitchGame, ...]
    why_unknown: str | None = None

    def __bool__(self) -> bool:
        """Return whether it is proved that it changes nothing."""
        return not any(part.less or part.more or part.otherwise or part.unknown for part in self.parts)


def compare_switch(
    rules: Rules | PathLike,
    switch: str,
    *,
    players: int | None = None,
    options: Mapping[str, int] | None = None,
    processes: int = 1,
    effort: float = 1,
    seed: int = 1,
    cached: bool = True,
) -> tuple[ComparedSwitch, ...]:
    """Tell what a variant or reading changes over all settings of the others, at each table, as
    [`golpae compare --switch`](compare.md#one-switch-over-all-settings-of-the-others) does. It may take minutes.

    Args:
        rules: the rules. Switches that are on in them stay on.
        switch: the name of the variant or reading, which is off in them.
        players: only at tables with so many players.
        options: values of options.
        processes: how many processes work at the same time.
        effort: how hard to try.
        seed: the seed of random games.
        cached: use results that were found before, and keep those that are found.

    Raises:
        RulesError: there is no such switch.
        TableError: the rules do not allow this number of players, or these options.
    """
    rules = rules_of(rules)
    fixed = tuple(one.name for one in rules.switches if one.on)
    free = [one.name for one in rules.switches if not one.on]
    if switch not in free:
        advice = near(str(switch), free) or (f"these are off: {quoted_list(free)}" if free else None)
        raise RulesError(f"`{rules.name}` has no switch {quoted(str(switch))} that is off", advice)
    with translated():
        chosen = options_of(rules.rule_set, options or {})
        low, high = bounds(rules.rule_set, chosen)
        tables = tuple(n for n in range(low, high + 1) if players in (None, n))
        if not tables and players is not None:
            raise TableError(wrong_number(rules.name, low, high, players))
        with _places(rules) as places:
            name = FamilyName(rules.game, fixed, (), places)
            settings = Settings(effort=effort, seed=seed, seconds=SECONDS_FOR_MANY)
            call = SwitchCall(name, (switch,), tables, chosen, settings)
            found = [*decide_switches(call, processes, cached, Progress())]
            family, _ = groups(name)
    return tuple(_compared(changes, family, chosen) for changes in found)


def _compared(changes: Changes, family: Family, chosen: Mapping[str, int]) -> ComparedSwitch:
    """Return the changes that a switch makes at one table, as they are documented."""
    return ComparedSwitch(
        changes.switch,
        changes.players,
        FrozenDict(chosen),
        tuple(
            SwitchPart(part.where, part.region.size, part.less, part.more, part.otherwise, part.unknown)
            for part in parts_of(changes, family)
        ),
        tuple(
            SwitchGame(
                game.rules,
                game.other,
                game.at,
                game.clause,
                (written(_header(game.rules, changes.players, chosen)), *map(written, game.events)),
            )
            for game in changes.shown
        ),
        changes.why if changes.unknown else None,
    )


@contextmanager
def _places(rules: Rules) -> Iterator[tuple[Path, ...]]:
    """Yield where the text of rules lies. One that is in no file lies in a folder for as long as it is read."""
    origin = rules.origin
    if origin.text is None:
        yield origin.places
        return
    with TemporaryDirectory() as folder:
        Path(folder, f"{rules.game}{ENDING}").write_text(origin.text, "utf-8")
        yield (Path(folder), *origin.places)


def _header(rules: str, players: int, options: Mapping[str, int]) -> dict[str, object]:
    header: dict[str, object] = {"golpae": 1, "rules": rules, "players": [f"P{n}" for n in range(players)]}
    return {**header, "options": dict(options)} if options else header

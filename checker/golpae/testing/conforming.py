"""Compare an engine with the rules, from Python.

Input: rules, an adapter, how many games.
Output: a `Conformed`, whose text is what `golpae conform` prints.
Guarantee: the same games as those of the verb, and results that never change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from golpae.conform.answer import EngineFault
from golpae.conform.drive import Conformance, DriveSettings, drive, try_out
from golpae.conform.engine import Adapter, Engine, InPython, Scorer
from golpae.conform.program import Program
from golpae.conform.scores import Scoring, drive_scores, named_score
from golpae.conform.stated_hands import NoHands
from golpae.library.errors import GolpaeError, HandError, translated
from golpae.library.origin import PathLike
from golpae.library.values import FrozenDict, frozen
from golpae.report.games import conformance, scoring
from golpae.testing.tables import Given, tables_of


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A difference between an engine and the rules, with a short game that shows it.

    Attributes:
        kind: `refuses`, `takes`, `misses`, `lists`, `position`, `over`, `winner`, `pay`, `totals` or `fault`.
        message: the kind in words.
        where: what tells it from others of its kind: a clause, an action, a zone.
        clause: the clause that refuses the event; None if no event is at issue, or a legal one.
        by_rules: what the rules say; None if there is nothing to say.
        by_engine: what the engine says.
        games: how many games ran into it, without those that could not begin.
        lines: the game as the lines of a trace; its last event shows the difference.
    """

    kind: str
    message: str
    where: str | None
    clause: str | None
    by_rules: str | None
    by_engine: str
    games: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConformedTable:
    """A table at which an engine was asked to play.

    Attributes:
        players: the number of players.
        options: the options.
        games: how many games were played.
        refused: whether the engine does not play at it.
        why: why it does not, if it says so; or why the table was given up. None if all games were played.
    """

    players: int
    options: FrozenDict[str, int]
    games: int
    refused: bool
    why: str | None


@dataclass(frozen=True, slots=True)
class Conformed:
    """What came of driving an engine. It is true if something was compared and nothing differs; `str` of it says all.

    Attributes:
        agrees: the same as its truth.
        rules: the rules.
        games: how many games were played.
        tables: how many of them at each table, and why no more.
        compared: how many things of each kind were compared.
        disagreements: what differs.
        text: what `golpae conform` prints.
    """

    agrees: bool
    rules: str
    games: int
    tables: tuple[ConformedTable, ...]
    compared: FrozenDict[str, int]
    disagreements: tuple[Disagreement, ...]
    text: str

    def __bool__(self) -> bool:
        """Return whether the engine agrees."""
        return self.agrees

    def __str__(self) -> str:
        """Return the output of `golpae conform`."""
        return self.text


def conform(
    rules: Given,
    engine: Adapter | Sequence[str],
    *,
    players: int | None = None,
    options: Mapping[str, int] | None = None,
    games: int = 100,
    hands: int = 1,
    illegal: int = 3,
    seed: int = 1,
    time_limit: float = 10.0,
    spec_path: PathLike | Iterable[PathLike] = (),
) -> Conformed:
    """Drive an engine through games, and compare what it says with the rules.

    Args:
        rules: rules, by their name, as a file or loaded; or a table.
        engine: an adapter; or the command of a program, as a list of words.
        players: the number of players; each number that the rules allow if None.
        options: values of options.
        games: how many games are played at each table.
        hands: how many hands a game has at most.
        illegal: how many illegal events are tried before each event.
        seed: the same seed gives the same games.
        time_limit: how many seconds a program may take for an answer. An adapter is not watched.
        spec_path: where texts are looked for, if `rules` is a name.

    Raises:
        GolpaeError: there are no such rules or no such table, or the program cannot be started or does not answer.
        ValueError: a number is below what makes sense.
    """
    settings = DriveSettings(games, hands, illegal, seed)
    instances = [table.engine.machine.instance for table in tables_of(rules, players, options, spec_path)]
    driven: Engine
    if isinstance(engine, str):
        raise TypeError("the command of a program is a list of words")
    driven = Program(engine, time_limit) if isinstance(engine, Sequence) else InPython(engine)
    try:
        with translated():
            if isinstance(driven, Program):
                try_out(instances, driven)
            found = drive(instances, driven, settings)
    except EngineFault as fault:
        raise GolpaeError(f"the program does not answer as an engine does: {fault.words}") from None
    finally:
        driven.close()
    return _conformed(found)


def _conformed(conformance_result: Conformance) -> Conformed:
    """Return the result of a drive, as it is documented."""
    return Conformed(
        conformance_result.agrees,
        conformance_result.rules,
        conformance_result.games,
        tuple(
            ConformedTable(one.players, FrozenDict(dict(one.options)), one.games, one.refused, one.why)
            for one in conformance_result.tables
        ),
        FrozenDict({what: many for what, many in conformance_result.compared.items() if many}),
        tuple(
            Disagreement(
                one["kind"],
                one["message"],
                one["where"],
                one["clause"],
                one["by_rules"],
                one["by_engine"],
                one["games"],
                tuple(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in one["trace"]),
            )
            for one in conformance.document(conformance_result)["disagreements"]
        ),
        "\n".join(conformance.lines(conformance_result, None)),
    )


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """How an engine counts hands otherwise than the rules.

    Attributes:
        kind: `misses` (it counts nothing), `counts` (the rules count nothing), `otherwise` or `fault`.
        message: the kind in words.
        hand: the simplest hand of this kind, with the keys of the score.
        by_rules: what the rules count; None if nothing.
        by_engine: what the engine says.
        patterns: what the rules count in this hand.
        hands: how many hands of this kind were found.
        always: the patterns of which every hand differs, with the number of these hands.
    """

    kind: str
    message: str
    hand: FrozenDict[str, object]
    by_rules: int | None
    by_engine: str
    patterns: FrozenDict[str, int]
    hands: int
    always: FrozenDict[str, int]


@dataclass(frozen=True, slots=True)
class ScoresConformed:
    """What came of letting an engine count hands. It is true if something was compared and nothing differs.

    Attributes:
        agrees: the same as its truth.
        rules: the rules.
        score: the name of the score.
        hands: how many hands were compared.
        count: how many of them count by the rules.
        not_known: how many others the engine did not know.
        keys_without_hands: keys that may be left out, and that no compared hand had.
        patterns_without_hands: patterns that no compared hand had.
        differences: what differs.
        text: what `golpae conform --scores` prints.
    """

    agrees: bool
    rules: str
    score: str
    hands: int
    count: int
    not_known: int
    keys_without_hands: tuple[str, ...]
    patterns_without_hands: tuple[str, ...]
    differences: tuple[ScoreDifference, ...]
    text: str

    def __bool__(self) -> bool:
        """Return whether the engine agrees."""
        return self.agrees

    def __str__(self) -> str:
        """Return the output of `golpae conform --scores`."""
        return self.text


def conform_scores(
    rules: Given,
    engine: Scorer | Sequence[str],
    *,
    score: str | None = None,
    players: int | None = None,
    options: Mapping[str, int] | None = None,
    hands: int = 1000,
    seed: int = 1,
    time_limit: float = 10.0,
    spec_path: PathLike | Iterable[PathLike] = (),
) -> ScoresConformed:
    """Let an engine count hands, and compare the points with the rules.

    Args:
        rules: rules, by their name, as a file or loaded; or a table.
        engine: a function of a hand, a dict with the keys of the score, as `golpae score` reads them. It returns the
            points, None if the hand counts nothing, or False if the engine does not know such hands. Or the command of
            a program.
        score: which score, if the rules have several.
        players: the number of players; the fewest that the rules allow if None.
        options: values of options.
        hands: how many hands.
        seed: the same seed gives the same hands.
        time_limit: how many seconds a program may take for an answer.
        spec_path: where texts are looked for, if `rules` is a name.

    Raises:
        HandError: the rules have no such score, or its hands cannot be made.
        GolpaeError: there are no such rules or no such table, or the program cannot be started.
    """
    if isinstance(engine, str):
        raise TypeError("the command of a program is a list of words")
    instance = tables_of(rules, players, options, spec_path)[0].engine.machine.instance
    driven: Engine
    driven = Program(engine, time_limit) if isinstance(engine, Sequence) else InPython(scorer=engine)
    try:
        with translated():
            if isinstance(driven, Program):
                driven.start()
            found = drive_scores(instance, named_score(instance, score), driven, hands, seed)
    except NoHands as fault:
        raise HandError(str(fault)) from None
    except EngineFault as fault:
        raise GolpaeError(fault.words) from None
    finally:
        driven.close()
    return _scores_conformed(found)


def _scores_conformed(scoring_result: Scoring) -> ScoresConformed:
    """Return the result of counting hands, as it is documented."""
    differences = tuple(
        ScoreDifference(
            one.kind.name.lower(),
            str(one.kind),
            frozen(one.hand),
            one.by_rules,
            one.by_engine,
            FrozenDict(dict(one.patterns)),
            one.hands,
            FrozenDict(dict(one.always)),
        )
        for one in scoring_result.differences
    )
    return ScoresConformed(
        not scoring_result.status,
        scoring_result.rules,
        scoring_result.score,
        scoring_result.hands,
        scoring_result.complete,
        scoring_result.skipped,
        scoring_result.keys,
        scoring_result.patterns,
        differences,
        "\n".join(scoring.lines(scoring_result)),
    )

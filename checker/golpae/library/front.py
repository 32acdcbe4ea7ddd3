"""The functions of `import golpae`.

Input: what a caller names: rules, files, headers, hands.
Output: `Rules`, verdicts, live games, scores, comparisons.
Guarantee: a fault of the caller's is a `GolpaeError`, or a `TypeError` if a value has the wrong Python type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from golpae.library.checking import (
    Call,
    Checked,
    OnFault,
    Trace,
    check_files,
    check_one,
    count_files,
    files_in,
    files_of,
)
from golpae.library.errors import TraceError, translated
from golpae.library.game import Game
from golpae.library.origin import NewLibrary, Origin, PathLike, found, places_of
from golpae.library.rules import Rules
from golpae.library.values import FrozenDict, line_of, several
from golpae.trace import Source, Verdict, is_header, read_header


def load(rules: PathLike, spec_path: PathLike | Iterable[PathLike] = ()) -> Rules:
    """Return rules by their name, or from a file.

    Args:
        rules: the name of a game with its variants and readings (`game+variant`), or a file (`my/game.golpae+variant`).
        spec_path: folders of texts, or texts; names are looked up there before they are among golpae's own games. If
            None is given, other names are looked up in the current folder.

    Raises:
        RulesError: there are no such rules, or their text has faults.
    """
    if not isinstance(rules, str) and not hasattr(rules, "__fspath__"):
        raise TypeError(f"rules are named by a text or a path, not {type(rules).__name__}")
    return Rules(*found(rules, places_of(spec_path)))


def load_text(
    text: str, switches: str | Iterable[str] = (), spec_path: PathLike | Iterable[PathLike] = ()
) -> Rules:
    """Return rules from their text.

    Args:
        text: the text, with its `game` line.
        switches: the variants and readings that are on.
        spec_path: folders of texts that it may include.

    Raises:
        RulesError: the text has faults.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a `str`, not {type(text).__name__}")
    places = places_of(spec_path)
    origin = Origin(places, text)
    names = [
        name for given in several(switches, str, "`switches` are names") for name in given.split("+") if name
    ]
    with translated():
        from golpae.elaborate.load import load_text as loaded

        game = loaded(text, places).game.name.text
    return Rules(origin.loaded("+".join((game, *names))), origin)


def names(spec_path: PathLike | Iterable[PathLike] = ()) -> tuple[str, ...]:
    """Return the names of all games that `load` finds, sorted.

    Args:
        spec_path: folders of texts, or texts, besides golpae's own games.
    """
    from golpae.elaborate.load import game_names

    with translated():
        return tuple(game_names(places_of(spec_path, ())))


def check(
    trace: Trace,
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    *,
    cited: bool = False,
    rulings: PathLike | None = None,
) -> Checked:
    """Check a recorded game. A game that breaks rules is a verdict, not an exception.

    Args:
        trace: the path of its file, which may be a [log of another program](logs.md); its text, which begins with `{`;
            or its lines, each a dict or a text.
        rules: the rules to check it against; those that its header names if None.
        spec_path: folders of rule texts that its header may name.
        cited: give the verdict the hashes of the texts and of the game, so that [others can check it](verdicts.md).
        rulings: a file of [rulings](verdicts.md#rulings), which let events stand.

    Raises:
        TraceError: there is no such file, no game in it, or several; nothing needs a ruling.
        RulesError: the text of its rules has faults.
    """
    call = _call(rules, spec_path, files_in(trace), cited=cited, rulings=rulings)
    return check_one(trace, call)


def check_all(
    paths: PathLike | Iterable[PathLike],
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    on_fault: OnFault | None = None,
    processes: int = 1,
    *,
    cited: bool = False,
    rulings: PathLike | None = None,
) -> Iterator[Checked]:
    """Yield the verdict on each game of files and folders, in order. Memory does not grow with them.

    Args:
        paths: a file or folder of games, or several; they may be compressed (gzip, zstd), or [logs of other
            programs](logs.md).
        rules: the rules to check them against; those that their headers name if None.
        spec_path: folders of rule texts that headers may name.
        on_fault: is called with the `TraceError` of each file that cannot be read to its end; without it, the error is
            raised when the games before have been yielded.
        processes: how many processes check at the same time. The verdicts and their order are the same.
        cited: give verdicts the hashes of the texts and of the games.
        rulings: a file of [rulings](verdicts.md#rulings), which let events stand. It is not read as games, if it
            lies among them. A ruling that no game needs is a fault.

    Raises:
        TraceError: there is no such file or folder, or no file of games in it; or a file cannot be read to its end.
    """
    files = files_of(paths)
    return check_files(files, _call(rules, spec_path, files, on_fault, processes, cited, rulings))


def count_verdicts(
    paths: PathLike | Iterable[PathLike],
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    on_fault: OnFault | None = None,
    processes: int = 1,
    *,
    rulings: PathLike | None = None,
) -> FrozenDict[Verdict, int]:
    """Return how many games of files and folders have each verdict, which is faster than to look at each.

    The arguments and exceptions are those of `check_all`.
    """
    files = files_of(paths)
    call = _call(rules, spec_path, files, on_fault, processes, rulings=rulings)
    return FrozenDict(count_files(files, call))


def _call(
    rules: Rules | PathLike | None,
    spec_path: PathLike | Iterable[PathLike],
    files: Sequence[Source],
    on_fault: OnFault | None = None,
    processes: int = 1,
    cited: bool = False,
    rulings: PathLike | None = None,
) -> Call:
    if rules is not None:
        return rules_of(rules, spec_path).call(on_fault, processes, cited, rulings)
    new = NewLibrary(Origin(places_of(spec_path, files)))
    return Call(new, None, on_fault, processes, cited, rulings)


def live(
    header: Mapping[str, Any] | str,
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
) -> Game:
    """Return a new game from the header of its trace.

    Args:
        header: the header, as a dict or as a line of JSON.
        rules: the rules to play by; those that it names if None.
        spec_path: folders of rule texts that it may name.

    Raises:
        TraceError: the header is wrong.
        RulesError: there are no such rules, or their text has faults.
        TableError: the rules do not allow so many players, or these options.
    """
    line, fault = line_of(header, "a header")
    if line is None or fault is not None:
        raise TraceError(fault or "a header is a JSON object")
    if not is_header(line):
        advice = 'for example {"golpae":1,"rules":"game","players":["An","Bo"]}'
        raise TraceError("a header begins with `golpae`", advice)
    own = None if rules is None else rules_of(rules, spec_path)
    if own is not None:
        line = {**line, "rules": own.name}
    read = read_header(line)
    if isinstance(read, str):
        raise TraceError(read)
    chosen = load(read.rules, spec_path) if own is None else own
    return Game(chosen.at(len(read.players), read.options), line)


Params = ParamSpec("Params")
Result = TypeVar("Result")


def _of_rules(
    name: str, method: Callable[Concatenate[Rules, Params], Result], told: str
) -> Callable[Concatenate[Rules | PathLike, Params], Result]:
    """Return a method of `Rules` as a function of rules, which may be named. It takes what the method takes."""

    def function(rules: Rules | PathLike, /, *args: Params.args, **more: Params.kwargs) -> Result:
        return method(rules_of(rules), *args, **more)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = told
    taken = signature(method)
    first = Parameter("rules", Parameter.POSITIONAL_ONLY, annotation="Rules | PathLike")
    others = [*taken.parameters.values()][1:]
    function.__signature__ = taken.replace(parameters=[first, *others])  # type: ignore[attr-defined]
    return function


score = _of_rules("score", Rules.score, "Score a hand without a game, as `Rules.score` does.")
compare_rules = _of_rules(
    "compare_rules", Rules.compare, "Compare other rules with rules, as `Rules.compare` does."
)


def rules_of(rules: Rules | PathLike, spec_path: PathLike | Iterable[PathLike] = ()) -> Rules:
    """Return rules that are named, or loaded already."""
    return rules if isinstance(rules, Rules) else load(rules, spec_path)

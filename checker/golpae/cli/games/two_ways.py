"""Reports on games and hands that golpae's two ways to decide judge or play differently: files that can be sent in.

Input: the source that a game or hand lies in, and its line; or what was played.
Output: for each a file `golpae-report-HASH.json` in the working folder, and words that name it.
Guarantee: nothing else of the source goes into a report. A report that is there already stays as it is. What cannot be
read again, as standard input, or cannot be written is said.

    {"report": 1, "call": "check", "place": "games.jsonl:120", "golpae": "0.2.0", "wasmtime": "50.0.1", ...,
     "reference": {"verdict": "legal", ...}, "lines": ["{\"golpae\": 1, ...", ...]}
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golpae import __version__
from golpae.beside import write_whole
from golpae.cache import version_of
from golpae.corpus.reading import NotOpened, open_source
from golpae.kernel.disagreement import PathDisagreement
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace
from golpae.trace import DamagedArchive, Source, is_header, lines
from golpae.trace.ruling import Rulings
from golpae.unreadable import reason_of

if TYPE_CHECKING:
    from golpae.simulate.series import Series

FORMAT = 1
Judge = Callable[[bytes], Mapping[str, Any]]


def versions() -> dict[str, str]:
    """Return the versions of golpae, wasmtime, Python and the platform: verdicts may depend on them."""
    return {
        "golpae": __version__,
        "wasmtime": version_of("wasmtime"),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }


def spoken_versions() -> str:
    """Return the versions on one line."""
    own = versions()
    return f"golpae {own['golpae']}, wasmtime {own['wasmtime']}, Python {own['python']}, {own['platform']}"


def by_reference(library: Library, rules: str | None, rulings: Rulings = ()) -> Judge:
    """Return the judge of the reference: its verdict on a trace, as `golpae check --format json` prints it."""

    def judge(trace: bytes) -> dict[str, Any]:
        report = next(OneTrace("trace", library, rules, True, rulings).reports(BytesIO(trace)))
        return report.outcome.to_cited_json()

    return judge


def complaints(
    call: Mapping[str, Any], files: Sequence[Source], places: Sequence[str], judge: Judge | None = None
) -> Iterator[str]:
    """Write reports on what lies at some places (`FILE:LINE`), and yield for each what to tell the user. With a `judge`
    these are traces, otherwise hands.
    """
    of_traces = judge is not None
    numbers: dict[str, list[int]] = {}
    for place in places:
        shown, _, line = place.rpartition(":")
        numbers.setdefault(shown, []).append(int(line))
    what = "trace" if of_traces else "hand"
    fault = f"a fault in golpae: its two ways to {'check' if of_traces else 'score'} this {what} disagree"
    for shown, own in numbers.items():
        texts = dict.fromkeys(own, b"")
        source = next((file for file in files if file.shown == shown), None)
        if source is not None and not source.is_only_here:
            with suppress(NotOpened, OSError, DamagedArchive):  # it may have gone since it was read
                texts |= dict(_cut(source, sorted(own), of_traces))
        for number, text in texts.items():
            place = f"{shown}:{number}"
            if text:
                advice = _written({**call, "place": place}, text, judge, what)
            else:
                advice = f"please report it with this {what} ({spoken_versions()})"
            yield f"{place}: {fault}; what is shown is what the reference says; {advice}"


def of_game(call: Mapping[str, Any], series: Series, number: int) -> str:
    """Write a report on a game of a series that the two ways play differently, as the reference plays it. Return what
    to do with the report.
    """
    table = series.table()
    game = table.play(series.seed, number, series.hands)
    question = {
        "rules": series.rule_set.rules,
        "spec_hash": series.rule_set.spec_hash,
        "players": series.players,
        "options": dict(series.options),
        "policies": [one if isinstance(one, str) else one.name for one in series.policies],
        "seed": series.seed,
        "game": number,
        "hands": series.hands,
        "longest": series.longest,
    }
    own = [
        json.dumps(line, ensure_ascii=False) for line in (table.header(number), *game.lines(table.machine))
    ]
    return _saved({**call, **question, **versions(), "lines": own}, "game")


def of_fault(fault: PathDisagreement) -> str:
    """Write a report on what the two ways answer differently, and return what to do with it."""
    held = {"lines": _lines(fault.text)} if fault.text else {}
    return _saved({**fault.question, **versions(), **held}, "trace" if fault.text else "hand")


def _cut(source: Source, numbers: Sequence[int], of_traces: bool) -> Iterator[tuple[int, bytes]]:
    """Yield the traces or hands that begin at some lines, with these. Raises `NotOpened`, `DamagedArchive`
    and OSError.
    """
    waiting, begun, chunks, last = [*numbers], 0, list[bytes](), b""

    def see(line: bytes) -> None:
        nonlocal last
        last = line

    with open_source(source) as stream:
        for number, line, _ in lines(stream, see):
            if begun and (not of_traces or (line is not None and is_header(line))):
                yield begun, b"".join(chunks)
                begun, chunks = 0, []
                if not waiting:
                    return
            if waiting and number == waiting[0]:
                begun = waiting.pop(0)
            if begun:
                chunks.append(last.rstrip(b"\r\n") + b"\n")
    if begun:
        yield begun, b"".join(chunks)


def _written(call: Mapping[str, Any], text: bytes, judge: Judge | None, what: str) -> str:
    """Write a report, and return what to do with it."""
    verdict = {} if judge is None else {"reference": judge(text)}
    return _saved({**call, **versions(), **verdict, "lines": _lines(text)}, what)


def _lines(text: bytes) -> list[str]:
    # what is no UTF-8 stays as it is: `json.loads` and `encode("utf-8", "surrogateescape")` give it back
    return text.decode("utf-8", "surrogateescape").splitlines()


def _saved(held: Mapping[str, Any], what: str) -> str:
    """Write what a report holds, and return what to do with it."""
    words = json.dumps({"report": FORMAT, **held}, indent=2) + "\n"
    name = f"golpae-report-{hashlib.sha256(words.encode()).hexdigest()[:12]}.json"
    try:
        if not Path(name).exists():
            write_whole(Path(name), words)
    except OSError as fault:
        why = reason_of(fault)
        return f"please report it with this {what} ({spoken_versions()}); {name} cannot be written: {why}"
    return f"please report it: send {name}, which holds only this {what}, and the rules if they are your own"

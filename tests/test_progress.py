"""How far long work is: what is shown of it, when and where. The tests bring a clock of their own."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from golpae.progress import FIRST, OFF, Progress, Shown, duration

Step = Callable[[], object]


class Script:
    """A clock, and a wait during which the next step of the work happens. After the last step the work is over."""

    def __init__(self, *steps: Step) -> None:
        self.now = 0.0
        self.pauses: list[float] = []
        self._steps = list(steps)

    def clock(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        self.pauses.append(seconds)
        if not self._steps:
            return True
        self._steps.pop(0)()
        return False


class Screen(io.StringIO):
    """A terminal, and the lines that can be read on it."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        out = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):  # goes back to the start of the line
                text, clear = part.removeprefix("\x1b[K"), part.startswith("\x1b[K")
                shown = text if clear else text + shown[len(text) :]
            out.append(shown.rstrip())
        return out


class Full(io.StringIO):
    """A log on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


class Idle:
    """A thread that does nothing: the tests call `watch` themselves."""

    alive = 0

    def __init__(self, **_: object) -> None:
        pass

    def start(self) -> None:
        Idle.alive += 1

    def join(self) -> None:
        Idle.alive -= 1


@pytest.fixture(autouse=True)
def _shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OFF, "")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(threading, "Thread", Idle)


Streams = Callable[[io.StringIO, io.StringIO], None]


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Streams:
    """Sets standard output and standard error."""

    def to(out: io.StringIO, err: io.StringIO) -> None:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)

    return to


def nothing() -> None:
    """Do a step that notes nothing."""


def test_short_work_shows_nothing(streams: Streams) -> None:
    out, err = io.StringIO(), io.StringIO()
    streams(out, err)
    script = Script()
    Shown(Progress("proving"), clock=script.clock).watch(script.wait)
    assert script.pauses == [FIRST]
    assert FIRST <= 2
    assert (out.getvalue(), err.getvalue()) == ("", "")


def test_a_log_gets_a_line_soon_and_then_now_and_then(streams: Streams) -> None:
    out, err = io.StringIO(), io.StringIO()
    streams(out, err)
    progress = Progress("proving", 469, "properties")

    def prove() -> None:
        progress.done += 20

    script = Script(*[prove] * 9)
    Shown(progress, clock=script.clock).watch(script.wait)
    lines = err.getvalue().splitlines()
    assert lines[:2] == [
        "golpae: proving: 20 of 469 properties, 2 s",
        "golpae: proving: 40 of 469 properties, 12 s",
    ]
    assert lines[-1] == "golpae: proving: 180 of 469 properties, 3 min 2 s"
    assert script.pauses == [FIRST, *[10] * 6, *[60] * 3]
    assert out.getvalue() == ""


def test_a_log_tells_what_was_found_since_the_last_line(streams: Streams) -> None:
    out, err = io.StringIO(), io.StringIO()
    streams(out, err)
    progress = Progress("proving", 3, "properties")

    def decide(name: str) -> Step:
        return lambda: progress.found("put with 2 players", f"`{name}` is proved")

    def two() -> None:
        decide("b")()
        decide("c")()

    script = Script(decide("a"), nothing, two)
    Shown(progress, clock=script.clock).watch(script.wait)
    assert [line for line in err.getvalue().splitlines() if "proved" in line] == [
        "golpae: put with 2 players: `a` is proved",
        "golpae: put with 2 players: `b` is proved; `c` is proved",
    ]
    assert out.getvalue() == ""


def test_a_terminal_keeps_what_was_found_above_its_line(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    progress = Progress("proving")
    lines: list[list[str]] = []
    steps = (
        nothing,
        lambda: progress.found("put", "`a` is proved"),  # the first is told at once
        lambda: progress.found("put", "`b` is proved"),  # the next ones not more often than a log gets a line
        lambda: lines.append(screen.lines),
        *[nothing] * 20,
        lambda: lines.append(screen.lines),
    )
    script = Script(*steps)
    Shown(progress, clock=script.clock).watch(script.wait)
    first, later = lines
    assert first[:-1] == ["golpae: put: `a` is proved"]
    assert later[:-1] == ["golpae: put: `a` is proved", "golpae: put: `b` is proved"]
    assert later[-1].startswith("golpae: proving: ")


def test_a_part_says_what_it_is_at_while_it_is_under_way() -> None:
    progress = Progress("proving")
    progress.start("put with 2 players")
    progress.at("put with 2 players", "each-once, 20 questions")
    assert progress.words(3) == "golpae: proving: 3 s (put with 2 players: each-once, 20 questions)"
    progress.end("put with 2 players")
    assert progress.words(3) == "golpae: proving: 3 s"


def test_a_log_of_both_streams_keeps_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(tmp_path / "log", "a") as out, open(tmp_path / "log", "a") as err:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        shown = Shown(Progress("checking"))
        with shown:
            steps = (
                lambda: sys.stdout.write("first verdict\n"),
                lambda: sys.stdout.write("second "),
                lambda: sys.stdout.write("verdict\n"),
            )
            shown.watch(Script(*steps).wait)
    text = (tmp_path / "log").read_text()
    first, *rest = text.splitlines()
    assert first == "first verdict"
    assert [line.partition(",")[0].rstrip("0 s") for line in rest] == [
        "golpae: checking:",
        "second verdict",
        "golpae: checking:",
    ]


def test_a_terminal_has_one_line_that_changes(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    progress = Progress("comparing games", 12, "tables")
    seen: list[list[str]] = []

    def compare() -> None:
        seen.append(screen.lines)
        progress.done = 12
        progress.begin("done")

    script = Script(nothing, compare, lambda: seen.append(screen.lines))
    shown = Shown(progress, clock=script.clock)
    with shown:
        shown.watch(script.wait)
        assert Idle.alive == 1
    assert seen == [["golpae: comparing games: 0 of 12 tables, 2 s"], ["golpae: done: 2 s"]]
    assert screen.lines == [""]


def test_text_is_printed_above_the_line_of_a_terminal(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    seen: list[list[str]] = []
    steps = (
        nothing,
        lambda: sys.stdout.write("an illegal game\n"),
        lambda: sys.stderr.write("a note\n"),
        lambda: seen.append(screen.lines),
    )
    script = Script(*steps)
    shown = Shown(Progress("checking"), clock=script.clock)
    with shown:
        shown.watch(script.wait)
    assert seen == [["an illegal game", "a note", "golpae: checking: 3 s"]]
    assert screen.lines == ["an illegal game", "a note", ""]


def test_a_line_that_is_not_complete_is_not_broken(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    shown = Shown(Progress("checking"))
    with shown:
        shown.watch(Script(lambda: sys.stdout.write("an ill"), lambda: sys.stdout.write("egal ")).wait)
    assert screen.getvalue() == "an illegal "


def test_output_to_a_file_leaves_the_line_at_the_terminal(streams: Streams) -> None:
    out, screen = io.StringIO(), Screen()
    streams(out, screen)
    seen: list[list[str]] = []

    def write() -> None:
        sys.stdout.write("an illegal game\n")
        seen.append(screen.lines)

    script = Script(nothing, write)
    shown = Shown(Progress("checking"), clock=script.clock)
    with shown:
        shown.watch(script.wait)
    assert seen == [["golpae: checking: 2 s"]]
    assert (out.getvalue(), screen.lines) == ("an illegal game\n", [""])


def test_a_line_is_no_wider_than_the_terminal(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    progress = Progress("proving")
    for players in range(2, 9):
        progress.start(f"harbour with {players} players")
    Shown(progress).watch(Script(nothing).wait)
    assert len(screen.lines[0]) == 79


def test_a_dumb_terminal_gets_lines_like_a_log(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    screen = Screen()
    streams(screen, screen)
    script = Script(nothing, nothing)
    Shown(Progress("checking"), clock=script.clock).watch(script.wait)
    assert screen.getvalue() == "golpae: checking: 2 s\ngolpae: checking: 12 s\n"


def test_an_interrupt_leaves_the_terminal_clean(streams: Streams) -> None:
    screen = Screen()
    streams(screen, screen)
    shown = Shown(Progress("checking"))

    def interrupted() -> None:
        with shown:
            shown.watch(Script(nothing).wait)
            assert screen.lines != [""]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert screen.lines == [""]
    assert (sys.stdout, sys.stderr) == (screen, screen)
    assert Idle.alive == 0


def test_a_full_disk_stops_no_work(streams: Streams) -> None:
    out = io.StringIO()
    streams(out, Full())
    shown = Shown(Progress("checking"))
    with shown:
        shown.watch(Script(nothing, nothing).wait)
        sys.stdout.write("a legal game\n")
    assert out.getvalue() == "a legal game\n"


@pytest.mark.parametrize("silent", [False, True])
def test_it_can_be_turned_off(streams: Streams, monkeypatch: pytest.MonkeyPatch, silent: bool) -> None:
    monkeypatch.setenv(OFF, "" if silent else "off")
    out, err = io.StringIO(), io.StringIO()
    streams(out, err)
    with Shown(Progress("checking"), silent=silent):
        assert Idle.alive == 0
        assert (sys.stdout, sys.stderr) == (out, err)


def test_the_thread_takes_no_interrupt_from_the_work() -> None:
    program = (
        "import os, signal, sys\n"
        "from golpae.progress import Progress, Shown\n"
        "with Shown(Progress('checking')):\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print(signal.SIGINT in signal.sigpending())\n"
        "    sys.stdout.flush()\n"
        "    os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


# ------------------------------------------------------------------ in words


def test_finished_work_is_described_in_words() -> None:
    progress = Progress("checking", unit="traces", size=4_000)
    progress.read, progress.done = 1_000, 5_123
    assert progress.words(4) == "golpae: checking: 25%, 5,123 traces, 4 s"  # too soon to say more
    words = "golpae: checking: 25%, 5,123 traces, 14 s, 366 a second, about 42 s left"
    assert progress.words(14) == words
    progress.read, progress.done = 4_001, 1
    assert progress.words(14) == "golpae: checking: 100%, 1 trace, 14 s"
    progress.begin("playing at random", unit="hands", under_way="put and put+even")
    assert progress.words(15) == "golpae: playing at random: 0 hands, 15 s (put and put+even)"


def test_work_under_way_is_named() -> None:
    progress = Progress("proving", 9, "properties")
    for name in ("jjak with 2 players", "jjak with 3 players", "jjak with 3 players"):
        progress.start(name)
    progress.end("jjak with 3 players")
    progress.end("never begun")
    words = "golpae: proving: 0 of 9 properties, 0 s (jjak with 2 players; jjak with 3 players)"
    assert progress.words(0) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (1.8, "2 s"),
        (59.9, "1 min 0 s"),
        (84, "1 min 24 s"),
        (3599, "59 min 59 s"),
        (7384, "2 h 3 min"),
    ],
)
def test_a_time_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_reading_counts_and_does_not_wait_for_more() -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(min(size or 3, 3))

    progress = Progress("checking", size=8)
    stream = progress.watched(Slow(b"12345678"))
    assert (stream.read(100), progress.read) == (b"123", 3)
    assert (stream.read(100), progress.read) == (b"456", 6)
    assert progress.words(0) == "golpae: checking: 75%, 0 s"

"""Files, names and signals from strangers do no harm: the promises of SECURITY.md that belong to no single verb."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golpae.__main__ import main as command
from golpae.cli.terminal.streams import Clean
from golpae.diagnostics.colour import painted
from golpae.exit_codes import INTERRUPTED
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, LEGAL, PUT, text
from tests.committed import TOP

UGLY = PUT.replace("define bit0: 0", "define   bit0: 0")
LONG = "a" * 300
HIDDEN = "\x1b[31m\x1b[8m\x07\r\x9b\u202e\u2066\u200b\u2028"


@pytest.fixture
def rules(here: Path) -> Path:
    """A folder with a rule text that is not in the style."""
    (here / "own").mkdir()
    (here / "own" / "put.golpae").write_text(UGLY, encoding="utf-8")
    return here / "own"


def test_format_changes_the_text_that_a_link_leads_to(golpae: Golpae, rules: Path) -> None:
    link = rules / "link.golpae"
    link.symlink_to("put.golpae")
    assert golpae("format", str(link)).status == 0
    assert link.is_symlink()
    assert (rules / "put.golpae").read_text("utf-8") == golpae_style(golpae)


def test_format_changes_a_text_under_all_its_names(golpae: Golpae, rules: Path) -> None:
    other = rules / "other.golpae"
    os.link(rules / "put.golpae", other)
    assert golpae("format", str(other)).status == 0
    assert other.samefile(rules / "put.golpae")
    assert other.read_text("utf-8") == golpae_style(golpae)
    assert sorted(f.name for f in rules.iterdir()) == ["other.golpae", "put.golpae"]


def golpae_style(golpae: Golpae) -> str:
    """Return the text in the style."""
    return golpae("format", "-", stdin=UGLY.encode()).out


def test_a_name_that_begins_with_a_hyphen_may_follow_two(golpae: Golpae) -> None:
    Path("-x.jsonl").write_text(text(*LEGAL))
    assert golpae("check", "--", "-x.jsonl").out == "1 trace: 1 legal\n"


@pytest.mark.parametrize(
    "words",
    [
        ["check", LONG],
        ["legal", LONG],
        ["attribute", LONG],
        ["lint", LONG],
        ["lint", f"{LONG}.golpae"],
        ["show", LONG],
        ["score", LONG],
        ["score", "put", LONG],
        ["format", LONG],
        ["prove", LONG],
        ["compare", LONG, LONG],
        ["check", "--rules", LONG, LONG],
        ["check", "--spec-path", LONG, LONG],
        ["check", "x" * 5000],
        ["recheck", LONG],
        ["recheck", "a\0b"],
        ["recheck", "\ud800"],
        ["check", "a\0b"],
        ["prove", "a\0b"],
    ],
)
def test_a_name_that_no_file_can_have_gets_a_message(golpae: Golpae, words: list[str]) -> None:
    done = golpae(*words, own=False)
    assert done.status in (1, 2)
    assert "a fault in golpae" not in done.err
    assert done.out + done.err


@pytest.mark.parametrize("verb", ["show", "lint", "format", "score", "prove", "compare"])
def test_a_text_that_cannot_be_read_gets_its_reason_and_advice(golpae: Golpae, verb: str) -> None:
    Path("round.golpae").symlink_to("round.golpae")
    reasons = {
        f"{LONG}.golpae": ("cannot be read: file name too long", "give the file a shorter name"),
        f"rules/{LONG}/put.golpae": ("cannot be read: file name too long", "give the file a shorter name"),
        "round.golpae": ("cannot be read: too many levels of symbolic links", "name the file itself"),
        "none.golpae": ("there is no file", ""),
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo("pipe.golpae")
        reasons["pipe.golpae"] = ("is no file: it is a pipe or a device", "write its text to a file")
    if hasattr(os, "geteuid") and os.geteuid():
        Path("closed").mkdir(mode=0)
        reasons["closed/put.golpae"] = ("cannot be read: permission denied", "enter its folder")
    for name, (reason, advice) in reasons.items():
        done = golpae(verb, name, *(["three-dozen"] if verb == "compare" else []), own=False)
        assert done.status == 2
        assert reason in done.err
        assert advice in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize("verb", ["lint", "format"])
def test_a_pipe_in_a_folder_of_texts_costs_no_other_file(golpae: Golpae, verb: str) -> None:
    os.mkfifo("rules/pipe.golpae")
    done = golpae(verb, "rules", own=False)
    assert done.status == 2
    assert "`rules/pipe.golpae` is no file: it is a pipe or a device" in done.err
    assert "put" in done.out or verb == "format"  # which prints only what it changes


@pytest.fixture
def closed_text(rules: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text that may not be read."""
    opened = Path.open

    def refuse(path: Path, *words: Any, **options: Any) -> object:
        if path.name == "put.golpae":
            raise PermissionError(13, "Permission denied")
        return opened(path, *words, **options)

    monkeypatch.setattr(Path, "open", refuse)
    return rules / "put.golpae"


@pytest.mark.parametrize("words", [["show"], ["prove", "--all"], ["prove"]])
def test_a_game_that_cannot_be_read_is_not_left_out(
    golpae: Golpae, closed_text: Path, words: list[str]
) -> None:
    done = golpae(*words, "--spec-path", "own", own=False)
    assert (done.status, done.out) == (2, "")
    assert "`own/put.golpae` cannot be read: permission denied" in done.err


def test_a_game_after_a_byte_order_mark_is_not_left_out(golpae: Golpae, rules: Path) -> None:
    (rules / "put.golpae").write_text(PUT, encoding="utf-8-sig")
    assert "put: Put" in golpae("show", "--spec-path", "own", own=False).out


def test_lint_names_a_link_to_nothing(golpae: Golpae, rules: Path) -> None:
    (rules / "lost.golpae").symlink_to("nowhere")
    done = golpae("lint", "own", own=False)
    assert (done.status, done.out) == (2, "own/put.golpae: no faults\n")
    assert "there is no file `own/lost.golpae`" in done.err


def test_lint_says_that_a_folder_cannot_be_read(
    golpae: Golpae, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    done = golpae("lint", "own", own=False)
    assert (done.status, done.out, done.err) == (2, "", "golpae: `own` cannot be read: permission denied\n")


def test_format_reads_standard_input_within_bounds(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    done = golpae("format", "-", stdin=b"#" * (5 << 20))
    assert (done.status, "is longer than" in done.err) == (2, True)
    done = golpae("format", "-", stdin=b"# \xff")
    assert (done.status, "`<stdin>` is not a UTF-8 text" in done.err) == (2, True)
    monkeypatch.setattr(sys, "stdin", None)
    done = golpae("format", "-")
    assert (done.status, "`<stdin>` cannot be read" in done.err) == (2, True)


def test_a_folder_of_rules_that_cannot_be_read_is_no_reason_to_use_others(
    golpae: Golpae, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rules / "a.jsonl").write_text(text(*LEGAL))
    scandir = os.scandir

    def refuse(folder: Path | str = ".") -> object:
        if Path(folder) == Path("own"):
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    done = golpae("check", "--spec-path", "own", "own/a.jsonl", own=False)
    assert (done.status, done.out) == (2, "")
    assert done.err == "golpae: `own` cannot be read: permission denied\n"


class Screen(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("at_terminal", [False, True])
def test_no_hidden_character_reaches_standard_output(at_terminal: bool) -> None:
    stream = Screen() if at_terminal else io.StringIO()
    clean = Clean(stream)
    clean.write(f"a{HIDDEN}b\tc\n")
    clean.writelines([f"{HIDDEN}\n"])
    shown = stream.getvalue()
    assert shown.count("\n") == 2
    assert shown.replace("\n", "").replace("\t", "").isprintable()


def test_golpae_keeps_its_own_colours_at_a_terminal_only() -> None:
    for at_terminal in (False, True):
        stream = Screen() if at_terminal else io.StringIO()
        Clean(stream).write(painted("no", "31") + "\x1b]0;title\x07 a\r\x1b[Kb\x1b[8m")
        assert ("\x1b[31mno\x1b[0m" in stream.getvalue()) is at_terminal
        assert not any(wrong in stream.getvalue() for wrong in ("\x1b]", "\x1b[K", "\x1b[8m", "\r"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
def test_no_name_of_a_file_makes_a_line_of_its_own(golpae: Golpae, rules: Path, here: Path) -> None:
    forged = "own.jsonl:1  legal"
    folder = here / f"x\n{forged}"
    folder.mkdir()
    (folder / "put.golpae").write_text(UGLY.replace("holds the set", "hold the set"), encoding="utf-8")
    (folder / "ugly.golpae").write_text(UGLY, encoding="utf-8")
    (here / f"a\n{forged}.jsonl").write_text(text(*ILLEGAL), encoding="utf-8")
    (folder / "note.txt").write_text("")
    calls = [[verb, str(folder / "put.golpae")] for verb in ("lint", "show", "format", "prove")]
    calls += [
        ["lint", str(folder)],
        ["show", "--spec-path", str(folder), "putt"],
        ["format", "--check", str(folder / "ugly.golpae")],
        ["format", str(folder / "ugly.golpae")],
        ["check", f"a\n{forged}.json"],
        ["check", "--spec-path", "own", f"a\n{forged}.jsonl"],
        ["check", "--spec-path", str(folder), f"a\n{forged}.jsonl"],
        ["legal", "--spec-path", "own", f"a\n{forged}.jsonl"],
        ["legal", "--spec-path", "own", "--trace", "7", f"a\n{forged}.jsonl"],
        ["score", "own/put.golpae", f"a\n{forged}.jsonl"],
        ["score", "jjak", f"4-2\n{forged}"],
        ["attribute", "--spec-path", "own", f"a\n{forged}.jsonl"],
        ["compare", "jjak", str(folder / "put.golpae")],
        [f"a\n{forged}"],
    ]
    for words in calls:
        done = golpae(*words, own=False)
        lines = (done.out + done.err).splitlines()
        assert lines, words
        assert not any(line.startswith(forged) for line in lines), words


# ------------------------------------------------------------------ signals


def left_behind(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def heed(number: signal.Signals) -> None:
    """Let a new process receive a signal, even if this one ignores it."""
    signal.signal(number, signal.SIG_DFL)


def nobody_is_left(group: int) -> bool:
    """Return whether all processes of a group end."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_an_interrupt_between_loading_and_the_first_verb_gets_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted() -> int:
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr("golpae.cli.main.main", interrupted)
    try:
        assert command() == INTERRUPTED
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, before)


TWO_AT_ONCE = """
import os, signal
from golpae.signals import Ended, ends_when_asked

with ends_when_asked() as asked:
    both = {signal.SIGHUP, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, both)
    for number in both:
        os.kill(os.getpid(), number)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, both)
        for _ in range(1000):
            pass
    except Ended:
        print(asked.status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_two_signals_at_once_get_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWO_AT_ONCE], capture_output=True, text=True, check=False, cwd=TOP
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) in (128 + signal.SIGHUP, 128 + signal.SIGTERM)


WHERE_NOTHING_IS_RAISED = """
import os, signal, sys, time
from golpae.signals import ends_when_asked

class Formula:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(0)
        self.owner

with ends_when_asked() as asked:
    try:
        Formula()
        time.sleep(60)
    except KeyboardInterrupt:
        print(asked.status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_where_python_raises_nothing_is_heeded(number: signal.Signals) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHERE_NOTHING_IS_RAISED, str(number.value)],
        capture_output=True,
        text=True,
        check=False,
        cwd=TOP,
        timeout=50,
        preexec_fn=partial(heed, number),
    )
    status = None if number is signal.SIGINT else 128 + number
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{status}\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    "words",
    [
        ["check", "--format", "json", "-"],
        ["prove", "jjak", "--jobs", "2", "--no-cache"],
        ["lint", "--deep", "jjak"],
    ],
    ids=lambda words: words[0],
)
def test_a_signal_at_any_moment_leaves_no_traceback_no_process_and_no_file(
    here: Path, words: list[str], number: signal.Signals
) -> None:
    rng = random.Random(f"{words} {number}")
    temporary = here / "temporary"
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary), "GOLPAE_PROGRESS": "off"}
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-m", "golpae", *words],
            cwd=here,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            preexec_fn=partial(heed, number),  # noqa: PLW1509 - this process has no threads
        ) as process:
            time.sleep(0.15 + 1.5 * rng.random() ** 2)
            process.send_signal(number)
            _, err = process.communicate()
        assert b"Traceback" not in err, err
        assert process.returncode in (-number, 128 + number), err
        assert nobody_is_left(process.pid)
        assert left_behind(temporary) == []

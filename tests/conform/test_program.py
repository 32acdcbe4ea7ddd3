"""`golpae conform` tells what a program does that is no answer, and ends it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.conform.answer import EngineFault, Failing
from golpae.conform.drive import DriveSettings, drive
from golpae.conform.program import NoProgram, Program
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate, options_of
from golpae.report.games import conformance
from tests.conform.engines import files_of_the_page

pytestmark = pytest.mark.process
ALWAYS = "import sys\nfor line in sys.stdin: print('{\"ok\":true}', flush=True)"
SLEEPS = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
HEADER = {"golpae": 1, "rules": "three-dozen", "players": ["A", "B"]}
OK = 'print("{\\"ok\\":true}", flush=True)'


def _asked(source: str) -> EngineFault:
    """Return how a program fails that is asked again and again: a line too many may pass for an answer at first."""
    program = Program([sys.executable, "-S", "-c", f"import sys, time\nnext(sys.stdin)\n{source}"], 0.3)
    try:
        for _ in range(1000):
            program.new(HEADER)
    except EngineFault as fault:
        return fault
    finally:
        program.close()
    raise AssertionError("it has answered")


@pytest.mark.parametrize(
    ("source", "how", "words"),
    [
        ("time.sleep(60)", Failing.HANGS, "no answer in 0.3 s"),
        ("sys.stderr.write('boom\\n'); sys.exit(5)", Failing.ENDS, "exit status 5; its standard error ends: boom"),
        (f"{OK}; import os; os.kill(os.getpid(), 9)", Failing.ENDS, "it ended by signal 9"),
        ("import os; os.close(1); time.sleep(60)", Failing.ENDS, "closed its standard output and goes on"),
        ("print('hello', flush=True)", Failing.GARBAGE, "its answer is not JSON: `hello`"),
        ("print(7, flush=True)", Failing.GARBAGE, "its answer is no object with the key `ok`: `7`"),
        ("print('x' * 3000000, flush=True)", Failing.GARBAGE, "a line of more than 1 MiB"),
        ("sys.stdout.write('x' * 3000000); sys.stdout.flush(); time.sleep(60)", Failing.GARBAGE, "a line of more than"),
        ("\nwhile True: print('{\"ok\":true}', flush=True)", Failing.UNASKED, "a line that nobody had asked for"),
        ("\nwhile True: sys.stderr.write('x' * 99)", Failing.HANGS, "its standard error ends: xxx"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_told(source: str, how: Failing, words: str) -> None:
    fault = _asked(source)
    assert fault.how is how
    assert words in fault.words


def test_a_program_is_started_again_after_it_failed() -> None:
    source = f"import sys\nfor line in sys.stdin:\n  if 'event' in line: break\n  {OK}"
    program = Program([sys.executable, "-S", "-c", source], 5)
    try:
        assert program.new(HEADER).takes
        with pytest.raises(EngineFault):
            program.event({"do": "event"})
        assert program.new(HEADER).takes
    finally:
        program.close()


def test_a_program_that_answers_and_never_reads_does_not_block_golpae() -> None:
    source = "while True: print('{\"ok\":true}', flush=True)"
    program = Program([sys.executable, "-S", "-c", source], 0.3)
    try:
        with pytest.raises(EngineFault, match="nobody had asked for"):
            program.new({**HEADER, "note": "x" * 1_000_000})  # more than its input holds
    finally:
        program.close()


@pytest.mark.property
def test_a_line_too_many_is_no_answer_to_the_next_question() -> None:
    """It takes all events, so it would seem to take an illegal one, and writes another line a little later."""
    source = f"import sys, time\nfor line in sys.stdin:\n  {OK}\n  if 'lay' in line: time.sleep(0.05); {OK}"
    program = Program([sys.executable, "-S", "-c", source], 5)
    rules = elaborate_cached("three-dozen")
    instance = instantiate(rules, 2, options_of(rules, {}))
    try:
        found = drive([instance], program, DriveSettings(games=1, illegal=1))
    finally:
        program.close()
    assert Failing.UNASKED in {one.difference.where for one in found.disagreements}
    assert any("it wrote a line that nobody had asked for" in line for line in conformance.lines(found, None))


def test_a_program_that_there_is_not() -> None:
    with pytest.raises(NoProgram, match="no such file"):
        Program(["no-such-program"], 1).start()


def test_the_verb_drives_a_program_and_refuses_wrong_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files_of_the_page().items():
        Path(name).write_text(text, "utf-8")
    call = ["conform", "three-dozen", "--players", "2", "--games", "20", "--format", "json"]
    assert main([*call, "--", sys.executable, "adapter.py"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["kind"] for one in found["disagreements"]] == ["pay"]
    assert main(["check", "disagreements.jsonl"]) == 0
    shallow = [*call[:-2], "--games", "1", "-o", "no/where.jsonl", "--", sys.executable, "-S", "-c", ALWAYS]
    capsys.readouterr()
    assert main(shallow) == 2  # all the same it says what it found
    out, err = capsys.readouterr()
    assert '    {"golpae":1,' in out
    assert "`no/where.jsonl` cannot be written to: no such file or directory" in err
    assert main([*call, "--option", "double=7", "--", sys.executable, "adapter.py"]) == 3
    capsys.readouterr()
    for words, said in [
        (["three-dozen"], "the command of the program is missing"),
        (["three-dozen", "--", "no-such-program"], "`no-such-program`: it cannot be started: no such file"),
        (
            ["three-dozen", "--players", "2", "--", sys.executable, "-c", "print(1)"],
            "does not answer as an engine does",
        ),
        (
            ["jjak", "--players", "2", "--time-limit", "0.2", "--", *SLEEPS],
            "the program has to flush each line",
        ),
        (["three-dozen", "--players", "7", "--", "x"], "is for 2 to 5 players"),
        (["three-dozen", "--games", "0", "--", "x"], "`--games` must be more than 0"),
        (["three-dozen", "--illegal", "-1", "--", "x"], "`--illegal` must be from 0"),
        (["three-dozen", "x"], "unexpected argument `x`"),
        (["nothing", "--", "x"], "there are no rules called `nothing`"),
    ]:
        assert main(["conform", *words]) == 2
        assert said in capsys.readouterr().err

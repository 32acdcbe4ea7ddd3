"""The GitHub Action in repositories of strangers: names of branches and files, texts, and comments."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.action import TOP, Job, changed, git, job, repository, yaml
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import TAKE

__all__ = ["cache", "golpae", "here", "repository"]
COMPARE = "what the change does to the rules"
OUTPUT = "##[set-output name=comparison;]here"
LOOSER = ('turn: p = mover "no"', f'turn: p = mover or p /= mover "no `$(touch pwned)` <b> | & @an {OUTPUT}"')
BRANCHES = ("x|e;#", "a|b&c", "$(touch${IFS}pwned)", "`touch${IFS}pwned`;'\"", "100%0Aof")
# at the start of a line, or `##[...]` anywhere
COMMAND = re.compile(r"^\s*::([\w-]+)(?: [^:]*)?::|##\[([\w-]+)[^\]]*\]")
# What texts change is enough here: the games take seconds.
ONLY_TEXT = """#!/bin/sh
[ "$1" != compare ] || set -- "$@" --layer text
exec {golpae} "$@"
"""


def stranger(repository: Path, here: Path, base: str = "main", pull: str = "") -> Job:
    """Return a job whose comparisons are about texts alone."""
    run = job(repository, here / "runner", base, pull)
    program = shutil.which("golpae", path=run.environment["PATH"])
    (run.runner / "bin" / "golpae").write_text(ONLY_TEXT.format(golpae=program), encoding="utf-8")
    (run.runner / "bin" / "golpae").chmod(0o755)
    return run


def commands(run: Job) -> list[str]:
    """Return the commands that the service finds in what all steps printed."""
    lines = [line for printed in run.printed.values() for line in re.split(r"\r\n|\r|\n", printed)]
    return [match[1] or match[2] for line in lines for match in [COMMAND.search(line)] if match]


def page_of(run: Job) -> str:
    """Run the step that compares, and return its page."""
    run.run({"prove": "no", "traces": "", "comment": "false"})
    return (run.runner / "golpae-comparison.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_name_of_a_branch_is_shown_and_never_run(repository: Path, here: Path, branch: str) -> None:
    git(repository, "update-ref", f"refs/remotes/origin/{branch}", "HEAD")
    changed(repository, *LOOSER)
    run = stranger(repository, here, base=branch)
    page = page_of(run)
    assert run.failed == []
    assert commands(run) == []
    assert not list(here.rglob("pwned"))
    title = page.splitlines()[1].replace("\\", "")
    assert title == f"# rules/one.golpae against {branch}:rules/one.golpae"
    assert run.values["steps.compare.outputs.comparison"] == str(here / "runner" / "golpae-comparison.md")


def test_the_names_of_files_are_shown_and_never_run(repository: Path, here: Path) -> None:
    names = ["$(touch pwned)", "x\n::error::y%0A", "--spec-path=z|;touch pwned", f"q{OUTPUT}"]
    for name in names:
        (repository / "rules" / f"{name}.golpae").write_text(TAKE.lstrip(), encoding="utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "names")
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    for file in (repository / "rules").iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace(*LOOSER), encoding="utf-8")
    run = stranger(repository, here)
    page_of(run)
    assert run.failed == ["rule texts"]  # these are no names of rule texts, which is a finding of `lint`
    assert set(commands(run)) <= {"error", "warning", "notice"}
    told = [line for line in run.printed[COMPARE].splitlines() if line.startswith("::warning::")]
    assert len(told) == len(names)
    assert "::warning::golpae cannot compare rules/x%0A::error::y%250A.golpae with main: status 2" in told
    assert "\n::error::y" not in "".join(run.printed.values())
    assert not list(here.rglob("*pwned"))


def test_a_file_with_the_name_of_a_revision_does_not_take_its_place(repository: Path, here: Path) -> None:
    base = subprocess.check_output(["git", "rev-parse", "origin/main"], cwd=repository, text=True).strip()
    changed(repository, *LOOSER)
    shutil.copytree(repository / "rules", repository / f"{base}:." / "rules")
    run = stranger(repository, here)
    assert page_of(run) == "<!-- golpae -->\n"
    assert "golpae cannot compare rules/one.golpae with main: status a file is called" in run.printed[COMPARE]


def test_what_a_broken_text_says_is_no_command(repository: Path, here: Path) -> None:
    changed(repository, '"no"', f'"no {OUTPUT}')
    run = stranger(repository, here)
    page_of(run)
    assert OUTPUT.replace("##", "# #") in run.printed[COMPARE]
    assert set(commands(run)) == {"error", "warning"}
    assert "steps.compare.outputs.comparison" not in run.values


def test_a_comment_is_cut_between_lines_and_replaces_none_of_another_person(here: Path) -> None:
    [step] = [step for step in yaml("action.yml")["runs"]["steps"] if step.get("name") == "comment"]
    assert 'select(.user.type == "Bot"' in step["run"]
    run = job(here, here / "runner", pull="7")
    page = here / "page.md"
    run.environment |= {"PAGE": str(page), "PULL": "7"}
    run.values["steps.compare.outputs.comparison"] = str(page)
    line = "東" * 60
    page.write_text(
        "\n".join(["<!-- golpae -->", "# one", "", "  ````diff", *[line] * 2_000, "  ````", ""]), "utf-8"
    )
    run._step(step)
    assert run.failed == []
    short = Path(f"{page}.short").read_text(encoding="utf-8")
    assert short.splitlines()[-4:] == [line, "  ````", "", "The rest is in the summary of the job."]
    assert len(short) < 65_536
    page.write_text("<!-- golpae -->\n# one\n\n```diff\n- 東\n```\n", "utf-8")
    run._step(step)
    assert Path(f"{page}.short").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_recorded_games_may_stand_on_lines_of_their_own(repository: Path, here: Path) -> None:
    shutil.copytree(repository / "traces", repository / "more")
    run = job(repository, here / "runner")
    run.run({"prove": "no", "compare": "false", "traces": "traces\nmore\n"})
    assert run.printed["recorded games"].startswith("golpae check: 4 traces")


def test_no_value_of_an_event_is_written_into_a_command() -> None:
    """Values come from the environment, where a shell does not read them as code."""
    workflows = [yaml(file.relative_to(TOP)) for file in (TOP / ".github" / "workflows").iterdir()]
    jobs = [job for workflow in workflows for job in workflow["jobs"].values()]
    steps = [*yaml("action.yml")["runs"]["steps"], *(step for job in jobs for step in job["steps"])]
    assert len(steps) > 8
    for step in steps:
        assert "${{" not in step.get("run", "")
        for line in step.get("run", "").splitlines():
            assert not re.search(r"\b(eval|xargs|source)\b|\b(bash|sh) -c\b", line), line
            for call in re.findall(r"\bsed .*", line):  # a program that no value is part of
                assert not re.search(r'"[^"]*\$', call.split(">&")[0]), line


def test_hooks_take_names_of_files_behind_all_options() -> None:
    hooks = [hook for hook in yaml(".pre-commit-hooks.yaml") if hook.get("pass_filenames", True)]
    assert [hook["args"][-1] for hook in hooks] == ["--"] * 3
    shown = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
    assert "args: [--spec-path, rules, --expected, --]" in shown


def test_a_file_whose_name_is_an_option_is_a_file(golpae: Golpae, here: Path) -> None:
    (here / "--output=x.jsonl").write_text("{}\n", encoding="utf-8")
    (here / "--write-expected.jsonl").write_text("{}\n", encoding="utf-8")
    done = golpae("check", "--expected", "--", "--output=x.jsonl", "--write-expected.jsonl")
    assert done.status == 2
    assert sorted(file.name for file in here.iterdir()) == [
        "--output=x.jsonl",
        "--write-expected.jsonl",
        "rules",
    ]

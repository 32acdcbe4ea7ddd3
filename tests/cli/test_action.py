"""The GitHub Action, the hooks and the jobs of the page: their commands run, in repositories of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from tests.cli.action import TOP, Job, changed, job, repository, yaml
from tests.other_pythons import versions
from tests.report.ci.schemas import valid_sarif

__all__ = ["repository"]


def test_the_action_finds_nothing_where_nothing_is_wrong(repository: Path, here: Path) -> None:
    run = job(repository, here / "runner", base="main")
    run.run({"prove": "no", "comment": "false"})
    assert run.failed == []
    assert list(run.printed) == ["rule texts", "recorded games", "what the change does to the rules"]
    assert run.printed["what the change does to the rules"] == ""
    assert run.printed["recorded games"].splitlines() == [
        "golpae check: 2 traces: 1 legal, 1 illegal; all as expected"
    ]


@pytest.mark.slow
def test_the_action_tells_what_a_pull_request_breaks_and_changes(repository: Path, here: Path) -> None:
    changed(repository, 'turn: p = mover "no"', 'turn: p /= mover or size of p\'s hand = 0 "no"')
    run = job(repository, here / "runner", base="main", pull="7")
    run.run({"sarif": "found"})
    assert run.failed == ["recorded games", "proofs"]
    told = "::error file=traces/games.jsonl,line=6,title=legal%3A not-as-expected::legal, expected illegal"
    assert told in run.printed["recorded games"]
    assert "there are no kept proofs" in run.printed["proofs"]
    for verb in ("lint", "check", "prove"):
        valid_sarif((repository / "found" / f"golpae-{verb}.sarif").read_text(encoding="utf-8"))
    page = (here / "runner" / "golpae-comparison.md").read_text(encoding="utf-8")
    assert page.startswith("<!-- golpae -->\n# ")
    assert "+ turn: p /= mover or size of p's hand = 0" in page
    assert page in (here / "runner" / "summary.md").read_text(encoding="utf-8")
    assert "--method POST repos/someone/games/issues/7/comments -F body=@" in _asked(run)[-1]
    (here / "runner" / "mine").write_text("42\n", encoding="utf-8")
    again = Job(run.folder, run.runner, run.values, run.environment)
    again.run({"prove": "no", "traces": ""})
    assert "--method PATCH repos/someone/games/issues/comments/42 -F body=@" in _asked(again)[-1]


def _asked(run: Job) -> list[str]:
    return (run.runner / "gh.log").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_the_action_installs_golpae_from_its_own_folder(repository: Path, here: Path) -> None:
    for name in ("venv.py", "pip.py"):  # which Python would take for its own, if it looked here
        (repository / name).write_text("open('pwned', 'w')\n", encoding="utf-8")
    run = job(repository, here / "runner")
    run.run({"prove": "again"}, install=True)
    assert run.failed == []
    assert (here / "runner" / "golpae" / "bin" / "golpae").exists()
    assert not (repository / "pwned").exists()


def test_the_action_and_the_examples_are_what_their_services_read() -> None:
    _valid("github-actions", yaml("action.yml"))
    for schema, example in zip(("github-workflows", "gitlab-ci"), _examples(), strict=True):
        _valid(schema, YAML(typ="safe").load(example))


def test_the_workflow_tries_every_supported_python() -> None:
    workflow = yaml(".github/workflows/tests.yml")
    _valid("github-workflows", workflow)
    whole = workflow["jobs"]["whole"]
    assert whole["strategy"]["matrix"]["python"] == [f"3.{minor}" for minor in versions()]
    words = " ".join(step.get("run", "") for step in whole["steps"])
    assert "python -m tests" in words
    assert "check --expected traces" in words


def test_the_job_of_the_page_runs(repository: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of the GitLab job, golpae in this process."""
    script = YAML(typ="safe").load(_examples()[1])["golpae"]["script"]
    calls = [line for line in script if line.startswith("golpae ")]
    assert len(calls) == 3
    shown = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
    for hook in yaml(".pre-commit-hooks.yaml"):
        assert f"id: {hook['id']}" in shown
        assert hook["entry"].split()[0] == "golpae"
    from golpae.cli.main import main

    monkeypatch.chdir(repository)
    for call in calls:
        words = call.partition(" > ")[0].split()[1:]
        assert main(words) in ((0,) if "--locked" not in words else (1,)), words


def _examples() -> list[str]:
    """Return the files in YAML that the page shows: a workflow of GitHub, a job of GitLab."""
    page = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
    found = re.findall(r"```yaml\n(# \.github.*?|# \.gitlab.*?)```", page, re.DOTALL)
    assert len(found) == 2
    return found


def _valid(name: str, document: object) -> None:
    from importlib.resources import files

    schemas = files("check_jsonschema.builtin_schemas.vendor")
    schema = json.loads(schemas.joinpath(f"{name}.json").read_bytes())
    jsonschema.validators.validator_for(schema)(schema).validate(document)

"""Run the commands of `action.yml` as the service would, in a repository of its own.

The steps that use other actions are left out, and so is the installation, unless a test asks for it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import Golpae
from tests.cli.table import TAKE, text

TOP = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
NAME = re.compile(r"(?<!['\w])[a-z_]+(?:\.[a-z_]+)+")
INSTALL = "install golpae"
GAME = (
    {"golpae": 1, "rules": "one", "players": ["An", "Bo"]},
    {"do": "deal", "first": 0, "hands": [[], []]},
    {"do": "take", "by": 0, "tile": "1b"},
    {"do": "take", "by": 1, "tile": "1b"},
    {"do": "end", "winner": None, "pay": [0, 0]},
)
OUT_OF_TURN = (*GAME[:2], GAME[3], *GAME[3:])
GH = """#!/bin/sh
echo "$@" >> "$GH_LOG"
case "$*" in *--paginate*) cat "$GH_MINE" ;; esac
"""


def git(folder: Path, *words: str) -> None:
    me = ("-c", "user.name=An", "-c", "user.email=an@example.org")
    subprocess.run(["git", *me, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(here: Path, golpae: Golpae) -> Path:
    """A repository with a text, recorded games and their verdicts on its base branch, and a branch from it."""
    folder = here / "repository"
    (folder / "rules").mkdir(parents=True)
    (folder / "traces").mkdir()
    (folder / "rules" / "one.golpae").write_text(TAKE.lstrip(), encoding="utf-8")
    (folder / "traces" / "games.jsonl").write_text(text(*GAME, *OUT_OF_TURN), encoding="utf-8")
    golpae("check", "repository/traces", "--spec-path", "repository/rules", "--write-expected", own=False)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "games")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(folder, "switch", "--quiet", "--create", "change")
    return folder


def changed(repository: Path, old: str, new: str) -> None:
    """Change the text in a commit."""
    file = repository / "rules" / "one.golpae"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    git(repository, "commit", "--all", "--quiet", "--message", "change")


def yaml(file: str | Path) -> Any:
    """Return what a file in YAML holds."""
    return YAML(typ="safe").load((TOP / file).read_text(encoding="utf-8"))


@dataclass(slots=True)
class Job:
    """A job that runs the action. `values` are what expressions name; `environment` is that of its steps."""

    folder: Path
    runner: Path
    values: dict[str, str]
    environment: dict[str, str] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    """What each step that ran printed."""
    failed: list[str] = field(default_factory=list)

    def run(self, inputs: Mapping[str, str] | None = None, install: bool = False) -> None:
        """Run all steps that the action runs with these inputs."""
        action = yaml("action.yml")
        given = {name: str(value["default"]) for name, value in action["inputs"].items()} | dict(inputs or {})
        self.values |= {f"inputs.{name}": value for name, value in given.items()}
        for step in action["runs"]["steps"]:
            if "run" in step and (install or step["name"] != INSTALL) and self._is_on(step):
                self._step(step)

    def _step(self, step: Mapping[str, Any]) -> None:
        output, path = self.runner / "output", self.runner / "path"
        for file in (output, path, self.runner / "env"):
            file.write_text("", encoding="utf-8")
        environment = os.environ | self.environment
        environment |= {name: self._filled(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", self._filled(step["run"])],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.printed[step["name"]] = done.stdout + done.stderr
        if done.returncode:
            self.failed.append(step["name"])
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        for line in path.read_text(encoding="utf-8").splitlines():
            self.environment["PATH"] = f"{line}{os.pathsep}{self.environment['PATH']}"

    def _filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda found: self.values.get(found[1], ""), text)

    def _is_on(self, step: Mapping[str, Any]) -> bool:
        asked = EXPRESSION.sub(r"\1", str(step.get("if", "true"))).replace("!cancelled()", "true")
        words = NAME.sub(lambda found: repr(self.values.get(found[0], "")), asked)
        words = words.replace("&&", " and ").replace("true", "True").replace("'True'", "'true'")
        return bool(eval(words))


def job(folder: Path, runner: Path, base: str = "", pull: str = "") -> Job:
    """Return a job in a repository; `runner` is a folder outside it. With `base`, for a pull request to that branch."""
    runner.mkdir()
    (runner / "bin").mkdir()
    gh = runner / "bin" / "gh"
    gh.write_text(GH, encoding="utf-8")
    gh.chmod(0o755)
    (runner / "mine").write_text("", encoding="utf-8")
    values = {
        "github.action_path": str(TOP),
        "github.base_ref": base,
        "github.event.pull_request.number": pull,
    }
    environment = {
        "PATH": os.pathsep.join((str(runner / "bin"), str(Path(sys.executable).parent), os.environ["PATH"])),
        "RUNNER_TEMP": str(runner),
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_REPOSITORY": "someone/games",
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_PATH": str(runner / "path"),
        "GITHUB_ENV": str(runner / "env"),
        "GH_LOG": str(runner / "gh.log"),
        "GH_MINE": str(runner / "mine"),
    }
    return Job(folder, runner, values, environment)

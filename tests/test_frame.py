"""The project around the program: its packages, its commands, its start, its files."""

import os
import re
import sys
import tomllib
import venv
from pathlib import Path
from typing import get_args

import pytest

import golpae
from golpae import bundled
from golpae.extras import Extra, how_to_install
from tests.as_a_user import run, succeed
from tests.committed import TOP, committed_files, text_of

README_LINES = [
    "python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/golpae check --expected traces",
    "python3 -m venv .venv && .venv/bin/pip install --quiet -e '.[dev]' && .venv/bin/python -m tests",
]


def smallest_traces(count: int) -> list[Path]:
    traces = sorted((TOP / "traces" / "jjak").rglob("*.jsonl"), key=lambda path: (path.stat().st_size, path))
    assert traces, "traces/jjak holds no trace"
    return traces[:count]


def test_a_wheel_from_the_sdist_checks_traces_in_an_empty_environment(tmp_path: Path) -> None:
    succeed(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=TOP)
    [sdist] = tmp_path.glob("golpae-*.tar.gz")
    pip_wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    succeed(*pip_wheel, "--wheel-dir", tmp_path, sdist, cwd=tmp_path)
    [wheel] = tmp_path.glob("golpae-*.whl")

    # Made in this process: the standard library's own entry point prints and upgrades nothing this way.
    venv.create(tmp_path / "empty", with_pip=True)
    scripts = tmp_path / "empty" / ("Scripts" if sys.platform == "win32" else "bin")
    succeed(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)

    traces = smallest_traces(3)
    installed = run(scripts / "golpae", "check", "--format", "json", *traces, cwd=tmp_path)
    here = run(sys.executable, "-m", "golpae", "check", "--format", "json", *traces, cwd=tmp_path)
    assert installed.stdout.count('"verdict"') >= len(traces), installed.stderr
    assert (installed.stdout, installed.returncode) == (here.stdout, here.returncode)
    assert installed.returncode in {0, 1, 2}

    where = run(
        scripts / "python", "-c", "from golpae import bundled; print(bundled.spec_dir())", cwd=tmp_path
    )
    specs = Path(where.stdout.strip())
    assert specs.is_relative_to(tmp_path)
    assert sorted(path.name for path in specs.iterdir()) == sorted(
        path.name for path in bundled.spec_dir().iterdir()
    )


# No package index has golpae, and a stranger may give that name to something else. `--from .` and `--spec .` take the
# program from this folder.
FROM_AN_INDEX = re.compile(
    r"(?:\b(?:pip3?|pipx|tool) install|\buv add|\buvx(?! --from \. golpae\b)|\bpipx run(?! --spec \. golpae\b)) "
    r"(?:[^\n`#]*? )?['\"]?"
    r"golpae(?:\[[^]\n]*\])?['\"]?(?=[\s`,.;)'\"\\]|$)"
)
EXTRAS = re.compile(r"pip install [^\n`]*?\.\[([\w{},]+)\]")


def test_nothing_says_that_a_package_index_has_golpae() -> None:
    extras = set(
        tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    )
    assert set(get_args(Extra)) <= extras
    named = set()
    for file in committed_files():
        if file.name in ("CHANGELOG.md", "test_frame.py"):
            continue
        text = text_of(file) or ""
        assert not FROM_AN_INDEX.findall(text), file
        named |= {extra for words in EXTRAS.findall(text) for extra in words.split(",")}
    assert named - {"{extra}"} <= extras
    assert {"archive", "cluster", "crosscheck", "testing", "{extra}"} <= named


def test_a_message_says_how_to_install_an_extra_from_the_repository() -> None:
    assert how_to_install("archive") == "`pip install '.[archive]'` in the folder of golpae's repository"
    for words in (
        "pip install golpae",
        "pip install -q 'golpae[testing]'",
        "`pipx install golpae`",
        "uvx golpae x",
        "uvx --from golpae golpae x",
        "uvx --from 'golpae[testing]' pytest",
        "uvx --from .. golpae",
        "uvx --with . golpae",
        "pipx run golpae x",
        "pipx run --spec golpae golpae x",
        "pipx run --from . golpae",
        "uvx --from . golpae, or uvx golpae",
    ):
        assert FROM_AN_INDEX.search(words), words
    for words in ("uvx --from . golpae", "pipx run --spec . golpae check x"):
        assert not FROM_AN_INDEX.search(words), words
    assert not FROM_AN_INDEX.search("pip install ./golpae # a copy of golpae")


def test_the_version_is_printed() -> None:
    done = run(sys.executable, "-m", "golpae", "--version", cwd=TOP)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"golpae {golpae.__version__}\n", "")


HEAVY = {
    "z3",
    "cvc5",
    "numba",
    "numpy",
    "rich",
    "hypothesis",
    "pytest",
    "mahjong",
    "asyncio",
    "unittest",
    "pygments",
}
LOADED = """
import sys
from golpae.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print("loaded", *sys.modules)
"""


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["check", "TRACE"]], ids=lambda words: words[0])
def test_start_loads_nothing_heavy(words: list[str]) -> None:
    """How long a start takes is measured by `python -m benchmarks.replay`, beside `python -c pass`."""
    trace = str(smallest_traces(1)[0])
    done = run(sys.executable, "-c", LOADED, *[trace if word == "TRACE" else word for word in words], cwd=TOP)
    loaded = set(done.stdout.rpartition("loaded ")[2].split())
    assert "golpae.cli.main" in loaded, done.stderr
    assert not loaded & HEAVY


def test_bundled_texts_of_a_checkout_are_those_of_the_repository() -> None:
    assert bundled.spec_dir() == TOP / "spec"
    assert bundled.grammar_text() == (TOP / "grammar" / "golpae.lark").read_text(encoding="utf-8")


def test_the_readme_gives_the_two_commands() -> None:
    lines = [line.strip().removeprefix("$ ") for line in (TOP / "README.md").read_text("utf-8").splitlines()]
    for command in README_LINES:
        assert command in lines


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = TOP / ".ci" / "run"
    assert README_LINES[1] in script.read_text("utf-8").splitlines()
    assert os.access(script, os.X_OK)


def test_no_committed_file_names_a_machine_or_a_registry() -> None:
    # Put together here, so that this file does not name them.
    folders = ["work", "root"]
    hosts = ["pypi", "pythonhosted", "npmjs", "debian", "golang", "crates", "githubusercontent"]
    unwanted = re.compile(
        rf"(?<![\w.*-])/(?:{'|'.join(folders)})/|\b(?:[a-z]+\.)*(?:{'|'.join(hosts)})\.(?:org|com|io)\b"
    )
    found = [
        f"{path.relative_to(TOP)}:{number}: {line.strip()}"
        for path in committed_files()
        if (text := text_of(path)) is not None
        for number, line in enumerate(text.splitlines(), 1)
        if unwanted.search(line)
    ]
    assert not found

"""`golpae help`, the examples of every verb, and completion."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from golpae.cli.main import main, parser_of
from golpae.cli.verbs import EXAMPLES, PAGES, VERBS
from tests.committed import TOP


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_two_examples_that_it_understands(verb: str) -> None:
    assert len(EXAMPLES[verb]) == 2
    for call in EXAMPLES[verb]:
        name, *words = shlex.split(call)
        assert name == verb
        own = words[: words.index("--")] if "--" in words else words
        if verb != "help":
            _, unknown = parser_of(verb).parse_known_intermixed_args(own)
            assert unknown == []


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_help_of_a_verb_ends_with_examples_and_a_page(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", verb]) == 0
    text = capsys.readouterr().out
    assert f"\n  golpae {EXAMPLES[verb][1]}\n" in text
    assert (TOP / "docs" / f"{PAGES.get(verb, verb)}.md").is_file()
    if verb != "help":
        assert main([verb, "--help"]) == 0
        assert capsys.readouterr().out == text


def test_help_alone_lists_the_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n    {verb}" in listed for verb in VERBS)
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == listed


def test_help_of_no_verb_leads_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "chekc"]) == 2
    assert capsys.readouterr().err == "golpae: there is no verb `chekc`\n  help: did you mean `check`?\n"
    assert main(["help", "check", "more"]) == 2
    assert "unexpected argument `more`" in capsys.readouterr().err


def test_verbs_are_listed_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["xyzzy"]) == 2
    assert f"the verbs are {', '.join(sorted(VERBS))}\n" in capsys.readouterr().err


def test_completion_names_the_shells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fish"]) == 2
    assert "SHELL must be `bash` or `zsh`, not `fish`" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ch",), {"check"}),
        (("c",), {"check", "compare", "completion", "conform", "convert", "coverage"}),
        (("check", "--exp"), {"--expected"}),
        (("lint", "ga"), set()),
        (("help", "li"), {"lint"}),
        (("completion", ""), {"bash", "zsh", "--help"}),
    ],
)
def test_bash_completes_verbs_and_options(
    words: tuple[str, ...], offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(
        f"{capsys.readouterr().out}\nCOMP_WORDS=(golpae {shlex.join(words)})\nCOMP_CWORD={len(words)}\n"
        '_golpae\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    run = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == offered
    assert run.stderr == ""

"""`golpae help`, the examples of every verb, and completion."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from golpae.cli.about.topics import pages
from golpae.cli.main import main, parser_of
from golpae.cli.verbs import EXAMPLES, PAGES, VERBS
from golpae.diagnostics import CODES
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
        assert text.startswith(capsys.readouterr().out)


def test_help_alone_lists_the_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n    {verb}" in listed for verb in VERBS)
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == listed


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["chekc"], "did you mean `check`?"),
        (["replce"], "did you mean `replace`?"),
        (["varriants", "and", "readings"], "did you mean `variants and readings`?"),
        (["n999"], "a verb, a code such as `N001`"),
    ],
)
def test_help_on_nothing_leads_to_something(
    words: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"golpae help: there is no help on `{' '.join(words)}`\n  help: {advice}")


@pytest.mark.parametrize("topic", ["[", "`", "", "   ", "?!"])
def test_a_topic_without_a_word_is_refused(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 2
    told = capsys.readouterr()
    assert (told.out, f"there is no help on `{topic}`" in told.err) == ("", True)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_with_an_example(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", code.lower()]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{code}: {CODES[code].title}\n\n")
    assert f"[{code}]: " in told


def test_every_word_of_the_language_is_explained() -> None:
    language = pages()
    assert {"replace", "brings", "otherwise"} <= {*language.words}
    for word in language.words:
        told = language.about(word)
        assert told is not None
        assert told.count("\n") > 2, word
        assert "](" not in told
        assert "<!--" not in told


def test_a_section_is_shown_as_a_terminal_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "variants", "and", "readings"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Variants and readings\n\n    variant → (variant | reading) NAME")
    assert "\n- `drop` takes a clause out.\n" in told
    assert "```" not in told


def test_a_word_is_shown_with_the_lines_that_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "brings"]) == 0
    told = capsys.readouterr().out
    assert "brings → NAME brings NAME" in told
    assert "pattern guests" not in told
    assert "`golpae help scores` shows the whole section" in told


def test_a_verb_that_is_a_word_too_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "score"]) == 0
    assert "`score` is a word of the rules language, too: `golpae help scores`\n" in capsys.readouterr().out


def test_faults_and_notes_name_their_help_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        assert main(["new", name, "-o", str(tmp_path / f"{name}.golpae")]) == 0
        with (tmp_path / f"{name}.golpae").open("a", encoding="utf-8") as text:
            text.write("define spare: 1\n")
    capsys.readouterr()
    assert main(["lint", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert told.count("note[W001]") == 2
    assert f"  more: golpae help W001\n{tmp_path / 'one.golpae'}: no faults, 1 note\n" in told
    assert told.endswith(f"\n{tmp_path / 'two.golpae'}: no faults, 1 note\n")
    assert told.count("golpae help") == 1
    assert main(["lint", "--format", "json", str(tmp_path)]) == 1
    assert "golpae help" not in capsys.readouterr().out
    with (tmp_path / "one.golpae").open("a", encoding="utf-8") as text:
        text.write("define wrong: no-such\n")
    assert main(["show", str(tmp_path / "one.golpae")]) == 2
    assert capsys.readouterr().err.endswith("  more: golpae help N001\n")


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


@pytest.mark.parametrize(("columns", "width"), [("100", 98), ("0", 78), ("none", 78)])
def test_help_is_as_wide_as_the_terminal(
    columns: str, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["check", "--help"]) == 0
    longest = max(map(len, capsys.readouterr().out.splitlines()))
    assert width - 12 < longest <= width

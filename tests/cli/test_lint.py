"""`golpae lint`: faults of rule texts, named by game, by file or by folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.lint import uncompiled
from tests.cli.conftest import Golpae
from tests.cli.table import PUT
from tests.elaborate.faulty import GOLDEN

SLOW = """\
game slow "Slow"

players 2 to 2

tiles 104 of 104 kinds
  plain: one of each "{{rank}}s{{suit}}" for suit in 1 to 8, rank in 1 to 13

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: 14 for everyone
  then mover := first

action show(tiles: {{a, b, c}}) by p "show"
  turn: p = mover "it is not {{p}}'s turn"
  held: {{a, b, c}} in p's hand "{{p}} does not hold these"
  run: {test} "these are no run"
  then p wins

end
  due: over "the hand is not over"
"""


def write(name: str, content: str) -> str:
    Path("rules", name).write_text(content, encoding="utf-8")
    return str(Path("rules", name))


def test_a_text_without_faults_is_reported_as_such(golpae: Golpae) -> None:
    path = str(Path("rules/put.golpae"))
    for words in (["put", "--spec-path", "rules"], ["rules"], [path]):
        done = golpae("lint", *words)
        assert (done.status, done.err) == (0, "")
        assert done.out == f"{'put' if words[0] == 'put' else path}: no faults\n"


def test_faults_go_to_standard_output(golpae: Golpae) -> None:
    path = write("put.golpae", PUT.replace("p = mover", "p = moover").replace("bit3: 1", "bit9: 1"))
    done = golpae("lint", path)
    assert (done.status, done.err) == (2, "")
    assert "error[N001]: nothing here is called `moover`" in done.out
    assert "error[R002]: " in done.out


def test_a_text_without_a_game_line_may_be_part_of_other_texts(golpae: Golpae) -> None:
    path = write("bits.golpae", "define one: 1\n")
    done = golpae("lint", "rules")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"{path}: no faults (a part of other texts: it has no `game` line)",
        f"{Path('rules/put.golpae')}: no faults",
    ]
    write("bits.golpae", "define one: +\n")
    assert golpae("lint", path).status == 2


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.golpae", "", "error[L004]: `{}` has no `game` line\n"),
        ("bin.golpae", "\x00\x01\x02", "{}:1:1: error[S001]: "),
        ("other.golpae", 'game another "x"\n', "error[L004]: this file is called `other`, "),
        ("round.golpae", 'game round "x"\ninclude round\n', "{}:2:9: error[L002]: `round` includes itself\n"),
        ("deep.golpae", 'game deep "x"\ndefine a: ' + "not " * 5000 + "yes\n", "error[S006]: "),
        ("wide.golpae", 'game wide "x"\ndefine a: 1' + " + 1" * 5000 + "\n", "error[S006]: "),
        ("long.golpae", "#" * (5 << 20), "error[S006]: `{}` is longer than 1048576 characters\n"),
        ("many.golpae", "# \u00e9" + "\u00e9" * (1 << 20), "error[S006]: "),
    ],
)  # fmt: skip
def test_hostile_texts_are_refused_in_words(golpae: Golpae, name: str, content: str, told: str) -> None:
    path = write(name, content)
    done = golpae("lint", path)
    assert (done.status, done.err) == (2, "")
    assert told.format(path) in done.out


def test_a_chain_of_includes_is_bounded(golpae: Golpae) -> None:
    write("link0.golpae", 'game link0 "x"\ninclude link1\n')
    for i in range(1, 60):
        write(f"link{i}.golpae", f"include link{i + 1}\n")
    done = golpae("lint", str(Path("rules/link0.golpae")))
    assert done.status == 2
    assert "error[S006]: includes are nested more than 50 deep" in done.out


def test_a_file_that_is_no_text_is_refused(golpae: Golpae) -> None:
    path = Path("rules/x.golpae")
    path.write_bytes(b"game \xff")
    done = golpae("lint", str(path))
    assert done.status == 2
    assert done.out.startswith(f"error[L003]: `{path}` is not a UTF-8 text")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "rules/putt.golpae",
            "golpae: there is no file `rules/putt.golpae`\n  help: did you mean `put.golpae`?\n",
        ),
        (
            "jjak.golpae",
            "golpae: there is no file `jjak.golpae`\n  help: golpae's own game is called `jjak`\n",
        ),
        (
            "",
            (
                "golpae: the name of the rules is empty\n"
                "  help: write the name of a game; for a variant, add `+` and its name\n"
            ),
        ),
        ("none/put.golpae", "golpae: there is no file `none/put.golpae`\n"),
        ("../x", "golpae: there is no file `../x`\n"),
        ("bare", "golpae: no rule texts in folder `bare`\n  help: their names end in `.golpae`\n"),
        ("bare/d.golpae", "golpae: no rule texts in folder `bare/d.golpae`\n"),
        ("rules/2x.golpae", "golpae: `2x.golpae` cannot be the name of a rule text\n"),
    ],
)
def test_a_path_without_a_rule_text_gets_a_message(golpae: Golpae, text: str, told: str) -> None:
    Path("bare/d.golpae").mkdir(parents=True)
    Path("rules/2x.golpae").write_text("")
    done = golpae("lint", text)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)


def test_format_names_a_file_that_does_not_exist_as_other_verbs_do(golpae: Golpae) -> None:
    for verb in ("format", "lint"):
        done = golpae(verb, "rules/putt.golpae")
        told = "golpae: there is no file `rules/putt.golpae`\n  help: did you mean `put.golpae`?\n"
        assert (done.status, done.out, done.err) == (2, "", told)


def test_format_takes_a_folder(golpae: Golpae, here: Path) -> None:
    put = Path("rules/put.golpae")
    Path("rules/more.golpae").write_text(put.read_text().replace("game put", "game   more"), encoding="utf-8")
    done = golpae("format", "--check", "rules")
    assert (done.status, done.out.splitlines()[0]) == (1, "rules/more.golpae: not in the style")
    assert golpae("format", "rules").out == "rules/more.golpae: formatted\n"
    assert golpae("format", "--check", "rules").status == 0
    (here / "none").mkdir()
    done = golpae("format", "none")
    assert (done.status, done.err) == (
        2,
        "golpae: no rule texts in folder `none`\n  help: their names end in `.golpae`\n",
    )


def test_the_ending_of_a_text_does_not_make_its_name_alike(golpae: Golpae) -> None:
    assert golpae("lint", "rules/fair.golpae").err == "golpae: there is no file `rules/fair.golpae`\n"


def test_an_unknown_game_gets_a_message(golpae: Golpae) -> None:
    done = golpae("lint", "putt", "--spec-path", "rules")
    assert (done.status, done.err) == (2, "")
    assert done.out.startswith(
        "error[L001]: there are no rules called `putt`\n  help: did you mean `put`? golpae looked in `rules` "
    )


# ------------------------------------------------------------------ vacuous parts of a text


@pytest.mark.solver
def test_deep_notes_an_unused_definition(golpae: Golpae) -> None:
    path = write("put.golpae", PUT.split("variant", 1)[0] + "\ndefine spare: 1\n")
    at = PUT.split("variant", 1)[0].count("\n") + 2
    done = golpae("lint", "--deep", "--jobs", "1", path)
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith(f"{path}:{at}:8: note[W001]: `spare`: nothing uses this definition\n")


def test_notes_are_printed_and_counted(golpae: Golpae) -> None:
    path = write("put.golpae", PUT + "\ndefine spare: 1\n")
    done = golpae("lint", path)
    assert (done.status, done.err) == (1, "")
    assert "note[W001]: `spare`: nothing uses this definition\n" in done.out
    assert done.out.endswith(f"\n  more: golpae help W001\n{path}: no faults, 1 note\n")


def test_what_is_not_compiled_is_found_once_and_told_at_its_place(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(here / "cache"))
    text = (GOLDEN / "W" / "arrangements-of-many-groups.golpae").read_text(encoding="utf-8")
    path = write("arrangements-of-many-groups.golpae", text)
    first = golpae("lint", path)
    assert f"{path}:28:3: note[W008]: not compiled: " in first.out
    with monkeypatch.context() as patch:
        patch.delattr(uncompiled, "started")
        assert golpae("lint", path) == first
    write("arrangements-of-many-groups.golpae", f"# A line more\n{text}")
    assert f"{path}:29:3: note[W008]: not compiled: " in golpae("lint", path).out


def test_what_takes_many_steps_is_told_at_its_condition(golpae: Golpae) -> None:
    tried = "some x in tiles: some y in tiles: some z in tiles: some u in tiles: x = u and y = z and a = b and b = c"
    path = write("slow.golpae", SLOW.format(test=tried))
    out = golpae("lint", path).out
    at = 1 + SLOW[: SLOW.index("  run: ")].count("\n")
    assert f"{path}:{at}:3: note[W008]: not compiled: one event, or one hand, takes very many steps" in out


def test_notes_on_an_included_text_are_not_printed(golpae: Golpae) -> None:
    write("put.golpae", PUT + "\ndefine spare: 1\n")
    path = write("own.golpae", 'game own "Own"\ninclude put\n')
    done = golpae("lint", path, "--spec-path", "rules")
    assert (done.status, done.out) == (0, f"{path}: no faults\n")


@pytest.mark.solver
def test_deep_has_no_notes_on_a_text_whose_every_part_matters(golpae: Golpae) -> None:
    path = write("put.golpae", PUT.split("variant", 1)[0])
    done = golpae("lint", "--deep", "--jobs", "1", path)
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{path}: no faults, and nothing is vacuous\n"


@pytest.mark.solver
def test_deep_examines_the_named_rule_set_only(golpae: Golpae) -> None:
    done = golpae("lint", "--deep", "put+plus1", "--spec-path", "rules")
    assert (done.status, done.out) == (0, "put+plus1: no faults, and nothing is vacuous\n")
    done = golpae("lint", "--deep", "put+plus9", "--spec-path", "rules")
    assert done.status == 2
    assert "error[R001]: `put` has no variant or reading `plus9`" in done.out


def test_deep_reports_faults_before_any_note(golpae: Golpae) -> None:
    path = write("put.golpae", PUT.replace("p = mover", "p = moover"))
    done = golpae("lint", "--deep", path)
    assert done.status == 2
    assert "error[N001]" in done.out
    assert "note:" not in done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--jobs", "2"], "`--jobs` has an effect only with `--deep`"),
        (["--deep", "--jobs", "0"], "`--jobs` must be more than 0 and less than a million, not `0`"),
        (
            ["--deep", "--time-limit", "-1"],
            "`--time-limit` must be more than 0 and less than a million, not `-1`",
        ),
        (["--deep", "--effort", "99"], "`--effort` must be at most 30, not `99`"),
    ],
)
def test_the_limits_of_deep_are_checked(golpae: Golpae, words: list[str], told: str) -> None:
    done = golpae("lint", "rules", *words)
    assert (done.status, done.out, done.err) == (2, "", f"golpae: {told}\n")

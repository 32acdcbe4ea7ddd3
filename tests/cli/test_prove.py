"""`golpae prove`: the rule sets and properties that it proves, its output, its exit status and its files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from golpae.cli.arguments import proved_rules
from golpae.cli.rules import prove
from golpae.verify.scheduler import RunResult, run
from tests.cli.conftest import Golpae
from tests.cli.table import PUT
from tests.verify import made_up

GENERAL = ("tiles-are-kept", "some-event-is-legal")
TEXT = PUT.split("\nvariant")[0] + '\nvariant more "more of it"\n  replace bit0: 7\n'


@pytest.fixture(autouse=True)
def texts(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover whose verdicts follow from names, and rules without properties."""
    monkeypatch.setattr(prove, "verify_all", partial(run, verify=made_up.verify))
    monkeypatch.setenv("GOLPAE_CACHE", str(here / "cache"))
    stated()


def stated(*lines: str, name: str = "put") -> None:
    """Write the rules `put` with these properties: `NAME` or `NAME expected VERDICT`."""
    text = TEXT.replace("game put", f"game {name}", 1)
    text += "".join(f"\nalways {line}: size of tiles = 12\n" for line in lines)
    Path("rules", f"{name}.golpae").write_text(text, encoding="utf-8")


def rows(out: str) -> list[tuple[str, str]]:
    """Return rule set and property of each row of a table."""
    found = []
    rules = ""
    for line in out.split("\n\n", maxsplit=1)[0].splitlines()[1:]:
        if line[0] not in " !?":
            rules = line.split()[0]
        else:
            found.append((rules, line[2:].split()[0]))
    return found


def chosen(out: str) -> list[str]:
    return list(dict.fromkeys(rules for rules, _ in rows(out)))


HERE = ("--spec-path", "rules")


def test_a_game_is_proved_with_each_of_its_switches(golpae: Golpae) -> None:
    stated("holds")
    done = golpae("prove", "put", *HERE)
    assert (done.status, done.err) == (0, "")
    assert rows(done.out) == [(rules, name) for rules in ("put", "put+more") for name in ("holds", *GENERAL)]
    assert done.out.endswith("6 results on 2 rule sets: 6 proved; all as expected\n")
    assert made_up.calls() == ["put 2 None", "put 3 None", "put+more 2 None", "put+more 3 None"]


def test_a_named_rule_set_is_proved_alone(golpae: Golpae) -> None:
    done = golpae("prove", "put+more", *HERE)
    assert chosen(done.out) == ["put+more"]
    assert chosen(golpae("prove", "rules/put.golpae").out) == ["put", "put+more"]
    assert chosen(golpae("prove", "rules/put.golpae+more").out) == ["put+more"]


def test_all_proves_every_game(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proved_rules, "game_names", lambda places: ["put", "pat"])
    stated(name="pat")
    assert chosen(golpae("prove", "--all", *HERE).out) == ["put", "put+more", "pat", "pat+more"]


def test_without_a_name_nothing_is_proved(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proved_rules, "game_names", lambda places: ["put", "putt"])
    done = golpae("prove", *HERE)
    assert (done.status, done.out, made_up.calls()) == (2, "", [])
    first, help_, *examples = done.err.splitlines()
    assert first == "golpae: name what to prove"
    assert help_ == "  help: name rule sets or files, or `--all`, for example"
    assert [line.split("  ")[2] for line in examples] == [
        "golpae prove put",
        "golpae prove put PROPERTY",
        "golpae prove FOLDER/FILE.golpae",
        "golpae prove --all",
    ]
    assert examples[-1].endswith(proved_rules.HOW_LONG)


def test_all_and_a_name_exclude_each_other(golpae: Golpae) -> None:
    done = golpae("prove", "--all", "put", *HERE)
    assert (done.status, done.out, made_up.calls()) == (2, "", [])
    assert done.err == (
        "golpae: `--all` proves every rule set, so no other can be named: `put`\n  help: leave out one of the two\n"
    )


def test_players_and_options_choose_the_tables(golpae: Golpae) -> None:
    golpae("prove", "put+more", "--players", "3", *HERE)
    assert made_up.calls() == ["put+more 3 None"]
    done = golpae("prove", "put+more", "--option", "dealt=1", *HERE)
    assert "put+more (dealt 1)\n" in done.out


def test_a_result_is_repeated_with_the_file_that_the_call_names(golpae: Golpae) -> None:
    stated("is-refuted expected refuted")
    done = golpae("prove", "rules/put.golpae+more", "is-refuted", "--players", "2")
    again = "golpae prove rules/put.golpae+more is-refuted --players 2 --option dealt=2 --seed 1 --no-cache"
    assert f"  again: {again}\n" in done.out
    assert golpae(*again.split()[1:]).out.startswith("put+more, 2 players, dealt 2: always is-refuted\n")


def test_seeds_list_what_has_too_little_room(golpae: Golpae) -> None:
    stated("holds", "is-tight")
    done = golpae("prove", "put+more", *HERE, "--players", "2", "--seeds", "3")
    assert done.status == 1
    assert done.out.splitlines() == [
        "put+more, 2 players, is-tight: proved or unknown; 50% of the effort of `a step`",
        "1 of 4 properties need more than a third of their effort, depend on the seed or are unknown, over 3 seeds",
    ]
    assert made_up.calls() == ["put+more 2 None"] * 3
    again = golpae("prove", "put+more", *HERE, "--players", "2", "--seeds", "3")
    assert (again.out, made_up.calls()) == (done.out, ["put+more 2 is-tight"])  # once unknown
    stated("holds")
    assert golpae("prove", "put", *HERE, "--players", "2", "--seeds", "2").status == 0
    stated("holds", "is-unknown")
    done = golpae("prove", "put", *HERE, "--players", "2", "--seeds", "2")
    assert (done.status, done.out.splitlines()[0]) == (
        1,
        "put, 2 players, is-unknown: unknown; 10% of the effort of `another`",
    )


def test_a_named_property_is_shown_with_all_details(golpae: Golpae) -> None:
    stated("holds", "is-refuted expected refuted")
    done = golpae("prove", "put", "put+more", "is-refuted", *HERE, "--players", "2", "--effort", "2")
    assert done.status == 0
    assert done.out.startswith(
        "put, 2 players, dealt 2: always is-refuted\n  refuted, as expected\n  how: by 12 steps\n  shown by: p = P0\n"
    )
    assert "\n  solver: 3 questions in 0.2 s; z3 1.2\n" in done.out
    again = "golpae prove put is-refuted --players 2 --option dealt=2 --seed 1 --spec-path rules"
    again += " --effort 2 --no-cache"
    assert f"  again: {again}\n" in done.out
    assert made_up.calls() == ["put 2 is-refuted", "put+more 2 is-refuted"]
    assert golpae(*again.split()[1:]).out.startswith("put, 2 players, dealt 2: always is-refuted\n")


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((), 0),
        (("holds",), 0),
        (("is-refuted expected refuted",), 0),
        (("is-refuted",), 1),
        (("holds expected refuted",), 1),
        (("is-unknown",), 3),
        (("is-unknown", "is-refuted"), 1),
        (("is-fatal",), 4),
        (("is-a-fault", "is-refuted"), 4),
        (("is-disputed",), 4),
        (("is-refuted", "is-disputed"), 4),
    ],
)
@pytest.mark.parametrize("form", ["table", "json", "junit"])
def test_the_worst_result_decides_the_status(
    golpae: Golpae, lines: tuple[str, ...], status: int, form: str
) -> None:
    stated(*lines)
    done = golpae("prove", "put+more", "--players", "2", "--format", form, "--no-cache", *HERE)
    assert done.status == status
    match form:
        case "json":
            assert json.loads(done.out)["status"] == status
        case "junit":
            root = Tree.fromstring(done.out)
            assert (root.attrib["failures"] != "0") == (status != 0)
        case _:
            assert done.out.splitlines()[-1].endswith("all as expected") == (status == 0)


def test_deviations_are_marked_and_explained(golpae: Golpae) -> None:
    stated("is-refuted", "is-unknown")
    done = golpae("prove", "put+more", "--players", "2", *HERE)
    lines = done.out.splitlines()
    assert [line[0] for line in lines[2:6]] == ["!", "?", " ", " "]
    assert "put+more, 2 players, dealt 2: always is-refuted" in lines
    assert "put+more, 2 players, dealt 2: always is-unknown" in lines
    assert lines[-1] == (
        "4 results on 1 rule set: 2 proved, 1 refuted, 1 unknown; 1 not as expected, 1 undecided"
    )
    assert max(len(line) for line in lines if not line.startswith("  again: ")) <= 100


def test_witnesses_are_traces(golpae: Golpae) -> None:
    stated("is-refuted expected refuted")
    done = golpae("prove", "put", "is-refuted", "--witnesses", "shown", "--players", "2", *HERE)
    files = sorted(Path("shown").iterdir())
    assert [f.name for f in files] == ["put+more-2p-is-refuted.jsonl", "put-2p-is-refuted.jsonl"]
    assert f"  written to: {Path('shown/put-2p-is-refuted.jsonl')}\n" in done.out
    checked = golpae("check", "shown", "--format", "json")
    assert checked.verdicts == ["incomplete", "incomplete"]
    assert [found["rules"] for found in checked.json] == ["put+more", "put"]


def test_a_second_run_takes_its_results_from_the_cache(golpae: Golpae) -> None:
    stated("holds", "is-refuted")
    first = golpae("prove", "put", *HERE)
    assert made_up.calls()
    again = golpae("prove", "put", *HERE)
    assert made_up.calls() == []
    assert (again.status, again.out) == (first.status, first.out)
    golpae("prove", "put", "--no-cache", *HERE)
    assert len(made_up.calls()) == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["putt"], "error[L001]: there are no rules called `putt`\n  help: did you mean `put`? "),
        (["put+mre"], "error[R001]: `put` has no variant or reading `mre`\n"),
        (
            ["put", "hold"],
            "golpae: `put` has no property `hold`, and there is no rule set of that name\n",
        ),
        (
            ["put", "holds", "holds"],
            "golpae: `holds` is a property, and one call proves one property or all\n",
        ),
        (["none/put.golpae"], "golpae: there is no file `none/put.golpae`\n"),
        (
            ["put", "--players", "9"],
            "golpae: none of these rule sets is for 9 players\n  help: `put` is for 2 to 3 players, not for 9\n",
        ),
        (
            ["put", "--players", "0"],
            "golpae: `--players` must be more than 0 and less than a million, not `0`\n",
        ),
        (["put", "--players", "two"], "golpae prove: `--players` must be a whole number, not `two`\n"),
        (["put", "--jobs", "-1"], "golpae: `--jobs` must be more than 0 and less than a million, not `-1`\n"),
        (["put", "--time-limit", "x"], "golpae prove: `--time-limit` must be a number, not `x`\n"),
        (["put", "--time-limit", "nan"], "golpae: `--time-limit` must be more than 0 and "),
        (["put", "--effort", "31"], "golpae: `--effort` must be more than 0 and at most 30, not `31`\n"),
        (["put", "--option", "dealt"], "golpae: `--option` is NAME=NUMBER, not `dealt`\n"),
        (["put", "--option", "delt=1"], "golpae: the rules `put` have no option `delt`: "),
        (["put", "--option", "dealt=9"], "golpae: `dealt` must be a number from 1 to 3, not 9\n"),
        (
            ["put", "--format", "xml"],
            "golpae prove: `--format` must be `table`, `json`, `junit`, `sarif`, `github` or `markdown`, not `xml`\n",
        ),
        (["put", "--smt2", "rules/put.golpae"], "golpae: `rules/put.golpae` cannot be written to: "),
        (["put", "--witnesses", "rules/put.golpae"], "golpae: `rules/put.golpae` cannot be written to: "),
    ],
)
def test_a_wrong_call_gets_a_message(golpae: Golpae, words: list[str], told: str) -> None:
    stated("holds")
    done = golpae("prove", *words, *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)
    assert made_up.calls() == []


def test_a_missing_second_solver_gets_a_message(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "find_spec", lambda name: None)
    done = golpae("prove", "put", "--cross-check", *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "golpae: `--cross-check` needs a second solver, cvc5, which is not installed\n"
        "  help: install it: `pip install '.[crosscheck]'` in the folder of golpae's repository\n"
    )


def test_a_faulty_text_gets_its_faults_shown(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(PUT.replace("p = mover", "p = moover"), encoding="utf-8")
    done = golpae("prove", "put", *HERE)
    assert (done.status, done.out) == (2, "")
    assert "error[N001]" in done.err


def test_the_real_prover_proves_and_refutes_theorems(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "verify_all", run)
    text = (
        TEXT + "\ntheorem twelve: size of tiles = 12\ntheorem thirteen expected refuted: size of tiles = 13\n"
    )
    Path("rules/put.golpae").write_text(text, encoding="utf-8")
    done = golpae("prove", "put+more", "twelve", "--players", "2", "--smt2", "asked", *HERE)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("put+more, 2 players, dealt 2: theorem twelve\n  proved, as expected\n")
    assert golpae("prove", "put+more", "thirteen", "--players", "2", *HERE).status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_an_interrupt_shows_and_stores_the_results_so_far(here: Path) -> None:
    stated("holds", "is-slow")
    program = (
        "from functools import partial; from golpae.cli import main; "
        "from golpae.cli.rules import prove; from golpae.verify.scheduler import run; "
        "from tests.verify import made_up; prove.verify_all = partial(run, verify=made_up.verify); "
        "raise SystemExit(main.main(['prove', 'put', '--players', '2', '--jobs', '1', '--spec-path', 'rules']))"
    )
    top = str(Path(made_up.__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": top},
        start_new_session=True,
    )
    for _ in range(6_000):  # five minutes, so that a fault cannot hang the tests
        if list(Path("cache").glob("proofs-*")):
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (
        130,
        "golpae: interrupted; the results so far are shown and cached\n",
    )
    assert rows(out) == [("put", "holds")]


def test_an_interrupt_without_a_cache_promises_none(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "verify_all", lambda *_: RunResult([], interrupted=True))
    stated("holds")
    without = "golpae: interrupted; the results so far are shown\n"
    done = golpae("prove", "put", "--no-cache", *HERE)
    assert (done.status, done.err) == (130, without)
    done = golpae("prove", "put", *HERE)
    assert (done.status, done.err) == (130, without.replace("\n", " and cached\n"))
    monkeypatch.setenv("GOLPAE_CACHE", "off")
    assert golpae("prove", "put", *HERE).err == without


def test_all_proves_every_value_of_an_option(golpae: Golpae) -> None:
    stated("holds")
    done = golpae("prove", "put", "put+more", "holds", "--players", "2", "--option", "dealt=all", *HERE)
    assert done.out.startswith("put, 2 players, dealt 1–3: always holds\n  proved, as expected\n")
    assert "decided separately for each of 3 values of dealt" in done.out
    assert "again: golpae prove put holds --players 2 --option dealt=all " in done.out
    assert len(made_up.calls()) == 6
    done = golpae("prove", "put", "--option", "size=all", *HERE)
    assert (done.status, "have no option `size`" in done.err) == (2, True)
    done = golpae("prove", "put", "--option", "dealt=many", *HERE)
    assert (done.status, "`NAME=all` takes every value" in done.err) == (2, True)


def test_a_theorem_without_players_is_proved_once_for_each_value(golpae: Golpae) -> None:
    text = TEXT + "\ntheorem holds: size of tiles = 12\ntheorem seats: size of players < 9\n"
    Path("rules/put.golpae").write_text(text, encoding="utf-8")
    done = golpae("prove", "put+more", "holds", "--option", "dealt=all", *HERE)
    assert done.out.startswith("put+more, any number of players, dealt 1–3: theorem holds\n")
    assert made_up.calls() == ["put+more 2 holds"] * 3
    golpae("prove", "put+more", "seats", "--option", "dealt=all", *HERE)
    assert made_up.calls() == [f"put+more {n} seats" for n in (2, 2, 2, 3, 3, 3)]

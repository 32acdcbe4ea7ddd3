"""Both hosts say of a header what golpae says, and check no game of another table."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from golpae.build.files import write
from golpae.build.module import Built, build
from golpae.bundled import spec_dir
from golpae.elaborate.instance import instantiate
from golpae.kernel.language.host import available
from golpae.rule_names import named, named_rule_set
from golpae.trace.header import NO_HEADER, read_header
from tests.build.hosts import HOSTS, NODE, python_host

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")
GOOD = {"golpae": 1, "rules": "three-dozen", "players": ["An", "Bo"]}
FAULTY: list[dict[str, Any]] = [
    {"golpae": 1, "players": ["An", "Bo"]},
    {"golpae": 1, "rules": "three-dozen"},
    {**GOOD, "golpae": None},
    {**GOOD, "golpae": 2},
    {**GOOD, "rules": 5},
    {**GOOD, "players": "An"},
    {**GOOD, "players": []},
    {**GOOD, "players": ["An", 1]},
    {**GOOD, "stake": 0},
    {**GOOD, "stake": 1.5},
    {**GOOD, "stake": None},
    {**GOOD, "options": []},
    {**GOOD, "options": {"double": "8"}},
    {**GOOD, "option": {}},
    {**GOOD, "id": None},
    {"rules": "three-dozen", "players": ["An", "Bo"]},
    {"golape": 1, "rules": "three-dozen", "players": ["An", "Bo"]},
    {"golape": 1, "rule": "three-dozen", "players": ["An", "Bo"]},
    {"note": "n", "Golpae ": 1, "rules": "three-dozen", "players": ["An", "Bo"]},
    {"game": 1, "rules": "three-dozen", "players": ["An", "Bo"], "id": "x"},
]
SOUND: list[tuple[dict[str, Any], bool]] = [  # and whether it is of the table with the option `double` of 8
    (GOOD, False),
    ({**GOOD, "options": {"double": 6}}, False),
    ({**GOOD, "options": {"double": 8}}, True),
    ({**GOOD, "options": {"double": 8}, "id": "x", "stake": 3, "note": "n"}, True),
    ({**GOOD, "options": {"double": 8, "single": 1}}, False),
    ({**GOOD, "options": {"double": 8}, "players": ["An", "Bo", "Cho"]}, False),
    ({**GOOD, "rules": "jjak"}, False),
]
SCRIPT = """
import { readFileSync } from "node:fs";
const { Rules } = await import(`${process.argv[2]}/golpae_host.mjs`);
const { Lines } = await import(`${process.argv[2]}/golpae_lines.mjs`);
const rules = await Rules.load(readFileSync(process.argv[3]));
const lines = new Lines(rules.templates);
for (const header of JSON.parse(readFileSync(process.argv[4], "utf-8"))) {
  const fault = lines.headerFault(header);
  let thrown = null;
  try {
    rules.match(header.players, header.stake);
  } catch (error) {
    thrown = error.message;
  }
  console.log(JSON.stringify([fault, fault ? null : lines.isHere(header), thrown]));
}
"""
VALUES = """
import { readFileSync } from "node:fs";
const { Rules } = await import(`${process.argv[2]}/golpae_host.mjs`);
const { Lines } = await import(`${process.argv[2]}/golpae_lines.mjs`);
const rules = await Rules.load(readFileSync(process.argv[3]));
for (const header of [null, [1]]) console.log(new Lines(rules.templates).headerFault(header));
for (const [players, stake] of [[["An", undefined], 1], [["An", "Bo"], 1n]]) {
  try {
    rules.match(players, stake);
  } catch (error) {
    console.log(error.message);
  }
}
"""


@pytest.fixture(scope="module")
def built() -> Built:
    rule_set = named_rule_set(named("three-dozen", (spec_dir(),)))
    return build(instantiate(rule_set, 2, {"double": 8}))


def test_the_host_in_python_says_what_is_wrong_with_a_header(built: Built) -> None:
    host = python_host()
    headers = [*FAULTY, *(header for header, _ in SOUND)]
    said = [*host.check(host.Rules(built.wasm), map(json.dumps, headers))]
    expected = [f"malformed at line {n}: {read_header(header)}" for n, header in enumerate(FAULTY, 1)]
    expected += ["incomplete" if here else "not played at this table" for _, here in SOUND]
    assert said == [*enumerate(expected, 1)]


def test_a_line_before_any_header_is_said_once(built: Built) -> None:
    host = python_host()
    said = host.check(host.Rules(built.wasm), ["", '{"do":"deal"}', "{}", json.dumps(GOOD)])
    assert [*said] == [(2, f"malformed at line 2: {NO_HEADER}"), (4, "not played at this table")]


@pytest.mark.parametrize("line", ["nonsense", "5", "[]"])
def test_a_line_before_any_header_that_is_no_object_is_told(built: Built, line: str) -> None:
    host = python_host()
    assert [*host.check(host.Rules(built.wasm), [line])] == [
        (1, "malformed at line 1: this line must be a JSON object")
    ]


@pytest.mark.parametrize("line", ["{}", "[" * 100_000, "nonsense", "5"])
def test_a_line_that_is_no_event_ends_a_game(built: Built, line: str) -> None:
    host = python_host()
    [(number, said)] = host.check(host.Rules(built.wasm), [json.dumps(SOUND[2][0]), line])
    assert (number, said.partition(":")[0]) == (1, "malformed at line 2")


def test_a_very_large_stake_is_referred(built: Built) -> None:
    host = python_host()
    header = json.dumps({**SOUND[2][0], "stake": 10**15})
    [(_, said)] = host.check(host.Rules(built.wasm), [header])
    assert said == "referred at line 1: a very large stake"


@pytest.mark.parametrize("header", [None, [], 5, "jjak"])
def test_what_is_no_object_is_no_header(built: Built, header: Any) -> None:
    lines = python_host().Lines(python_host().Rules(built.wasm).templates)
    assert lines.header_fault(header) == "this line must be a JSON object"


def test_players_can_be_a_tuple_and_wrong_values_are_shown(built: Built) -> None:
    host = python_host()
    rules = host.Rules(built.wasm)
    assert rules.match(("An", "Bo")).words.names == ["An", "Bo"]
    with pytest.raises(ValueError, match=r'`stake` must be a whole number above 0, not `"\{1\}"`'):
        rules.match(["An", "Bo"], {1})


@pytest.mark.parametrize(
    ("seed", "game", "fault"),
    [
        (1.5, 0, "`seed` must be a whole number from 0 to 18446744073709551615, not `1.5`"),
        (1, True, "`game` must be a whole number from 0 to 18446744073709551615, not `true`"),
        (-1, 0, "`seed` must be a whole number from 0 to 18446744073709551615, not `-1`"),
        (
            1,
            1 << 64,
            "`game` must be a whole number from 0 to 18446744073709551615, not `18446744073709551616`",
        ),
    ],
)
def test_a_game_by_chance_that_there_is_not_is_told(built: Built, seed: Any, game: Any, fault: str) -> None:
    match = python_host().Rules(built.wasm).match(["An", "Bo"])
    with pytest.raises(ValueError, match=re.escape(fault)):
        match.begin(seed, game)
    match.begin((1 << 64) - 1, 0)


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_the_host_in_javascript_shows_values_that_no_json_has(built: Built, tmp_path: Path) -> None:
    module, script = tmp_path / "x.wasm", tmp_path / "values.mjs"
    write(module, built, None)
    script.write_text(VALUES, encoding="utf-8")
    done = subprocess.run(
        [str(NODE), script, HOSTS, module], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines() == [
        "this line must be a JSON object",
        "this line must be a JSON object",
        "`players` must be a list of names, but seat 1 is `undefined`",
        "`stake` must be a whole number above 0, not `1`",
    ]


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_the_host_in_javascript_says_the_same(built: Built, tmp_path: Path) -> None:
    headers = [*FAULTY, *(header for header, _ in SOUND), {**GOOD, "stake": 10**15}]
    module, script, held = tmp_path / "x.wasm", tmp_path / "headers.mjs", tmp_path / "headers.json"
    write(module, built, None)
    script.write_text(SCRIPT, encoding="utf-8")
    held.write_text(json.dumps(headers), encoding="utf-8")
    done = subprocess.run(
        [str(NODE), script, HOSTS, module, held], capture_output=True, text=True, encoding="utf-8", check=True
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [fault for fault, _, _ in said[: len(FAULTY)]] == [read_header(header) for header in FAULTY]
    assert [is_here for _, is_here, _ in said[len(FAULTY) : -1]] == [here for _, here in SOUND]
    of_players = [
        n for n, header in enumerate(FAULTY) if header.get("players") != GOOD["players"] or "stake" in header
    ]
    assert len(of_players) == 7
    assert [said[n][2] for n in of_players[1:]] == [read_header(FAULTY[n]) for n in of_players[1:]]
    assert said[of_players[0]][2] == "`players` must be a list of names, not `null`"
    assert said[-1] == [None, False, "a very large stake"]

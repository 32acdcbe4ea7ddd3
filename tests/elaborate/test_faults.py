"""Messages about mistakes in rule texts; `golden/` has the cases."""

from __future__ import annotations

import ast
import re
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from golpae.diagnostics import CODES
from tests.committed import TOP
from tests.elaborate.faulty import BASE, GOLDEN, Case, Said, answer, cases, said

CASES = cases()
PASSES = [TOP / "checker" / "golpae" / part for part in ("syntax", "elaborate", "lint")]

ENTERING = {"twice", "once_each", "no_zone", "no_row"}  # methods
REFUSING = {"mismatched", "no_members", "missing_argument", "_owner_missing", "_clash"}  # functions

# Words of those who write compilers, of Python and of lark.
FOREIGN = frozenset(
    """
    token tokens parse parser parsed parsing lexer ast node nodes syntax identifier identifiers expression
    expressions statement statements literal literals operand operands type types typed boolean bool int
    integer string str dict tuple float null nil true false variable variables function functions argument
    arguments parameter parameters scope exception error errors traceback assertion attribute object class
    method module byte bytes eof newline dedent lark terminal nonterminal poss span
    """.split()
)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for texts that no readable file can show."""
    return tmp_path_factory.mktemp("made")


def named(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", CASES, ids=named)
def test_golpae_prints_the_golden_answer(case: Case, folder: Path, renew: bool) -> None:
    found = answer(case, folder).text
    if renew:
        case.answer.write_text(found, encoding="utf-8")
    assert found == case.answer.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_faults_are_those_in_the_head_of_the_text(case: Case) -> None:
    assert case.faults, "say what is wrong: `# fault CODE: words`"
    golden = said(case.answer.read_text(encoding="utf-8"))
    assert [(fault.code, fault.underlined) for fault in golden] == list(case.faults)


def test_every_answer_belongs_to_a_case() -> None:
    assert set(GOLDEN.rglob("*.txt")) == {case.answer for case in CASES}


def test_every_case_is_in_the_folder_of_its_first_code() -> None:
    first_letters = {case: {code[0] for code, _ in case.faults[:1]} for case in CASES}
    assert [case.name for case in CASES if case.folder.name not in first_letters[case]] == []


def test_every_text_is_a_case_or_part_of_one() -> None:
    texts = {path for path in GOLDEN.rglob("*.golpae") if path.parent != BASE}
    assert texts == {case.folder / f"{case.name}.golpae" for case in CASES if case.make is None}


ELSEWHERE = {"W011"}  # only `lint --book` notes it: tests/lint/test_book.py


def test_every_code_has_a_case() -> None:
    assert {code for case in CASES for code, _ in case.faults} == set(CODES) - ELSEWHERE


def test_a_sound_text_has_no_faults(tmp_path: Path) -> None:
    def make(name: str, stack: ExitStack) -> None:
        Path(f"{name}.golpae").write_text(f'game {name} "Fine"\ninclude little\n', encoding="utf-8")

    assert answer(Case("fine", tmp_path, (), make=make), tmp_path).text == "fine.golpae: no faults\n"


# ---------------------------------------------------------------- style of the messages


@cache
def everything_said() -> list[tuple[str, Said]]:
    """Return what all golden answers say; golpae prints these answers."""
    return [(case.name, fault) for case in CASES for fault in said(case.answer.read_text(encoding="utf-8"))]


def outside_of_backticks(text: str) -> str:
    return " ".join(text.split("`")[::2])


def test_messages_are_lines_without_capital_and_full_stop() -> None:
    for name, fault in everything_said():
        for line in (fault.message, fault.help, *fault.labels):
            if line is not None:
                assert line == line.strip(), name
                assert not line[0].isupper(), f"{name}: {line}"
                assert not re.search(r"(?<!\.\.)[.!;:,]$", line), f"{name}: {line}"


def test_every_fault_comes_with_advice() -> None:
    assert [f"{name}: {fault.message}" for name, fault in everything_said() if not fault.help] == []


def test_backticks_surround_the_words_of_the_text() -> None:
    for name, fault in everything_said():
        for line in (fault.message, fault.help or "", *fault.labels):
            assert line.count("`") % 2 == 0, f"{name}: {line}"
            assert '"' not in outside_of_backticks(line), f"{name}: {line}"
        words = fault.underlined or ""
        if re.search(r"[A-Za-z]", words) and re.search(r"[^a-z]", words):
            assert words not in outside_of_backticks(fault.message), f"{name}: {fault.message}"


def test_messages_are_free_of_programmers_words() -> None:
    for name, fault in everything_said():
        for line in (fault.message, fault.help or "", *fault.labels):
            found = FOREIGN.intersection(re.findall(r"[a-z_]+", outside_of_backticks(line).lower()))
            assert not found, f"{name}: {line}"


# ---------------------------------------------------------------- nothing is left out


def places_that_raise() -> set[tuple[str, int, int]]:
    """Return file, first and last line of every call that takes a code or enters a fault with its own code."""
    found = set()
    for path in (path for part in PASSES for path in part.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            codes = [arg for arg in node.args if isinstance(arg, ast.Constant) and arg.value in CODES]
            enters = isinstance(node.func, ast.Attribute) and node.func.attr in ENTERING
            refuses = isinstance(node.func, ast.Name) and node.func.id in REFUSING
            if codes or enters or refuses:
                found.add((str(path), node.lineno, node.end_lineno or node.lineno))
    return found


def test_every_place_that_raises_a_fault_has_a_case(folder: Path) -> None:
    lines = {line for case in CASES for line in answer(case, folder).lines}
    missing = [
        f"{Path(path).relative_to(TOP)}:{first}"
        for path, first, last in sorted(places_that_raise())
        if not any((path, number) in lines for number in range(first, last + 1))
    ]
    assert not missing, "write a case in tests/elaborate/golden for each of these"

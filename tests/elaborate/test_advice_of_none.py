"""The advice of T002 for a value that may be none: a text that follows it has one fault less, and no other one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.check import elaborate
from tests.elaborate.faulty import BASE, ENDING, Case, cases

CODE = "T002"
CASES = [case for case in cases() if any(code == CODE for code, _ in case.faults)]
OTHERS = ("1-1", "mover", "{}", "0", "no", "low")  # a value of each kind; `low` is a word of a list
COLON = re.compile(r": |$", re.MULTILINE)
Edit = tuple[int, int, str]  # what stands between two places, instead


def faults(name: str, text: str, folder: Path) -> list[Diagnostic]:
    """Return the faults of a text."""
    (folder / f"{name}{ENDING}").write_text(text, encoding="utf-8")
    try:
        elaborate(name, (folder, BASE))
    except SpecError as fault:
        return list(fault.diagnostics)
    return []


def advised(text: str, fault: Diagnostic) -> Iterator[tuple[str, list[str]]]:
    """Yield each thing that the advice offers, with texts of which one follows it."""
    assert fault.span is not None
    assert fault.help is not None
    start, end = fault.span.start, fault.span.end
    words = fault.message.split("`")[1]  # in brackets, where the text has none
    for offer in re.findall(r"`([^`]*)`", fault.help) or [fault.help]:
        if offer.startswith(f"when {words} is not none: "):
            yield offer, [edited(text, edit) for edit in whens(text, start, words)]
        elif offer == f"{words} is not none":
            edits = [*whens(text, start, words), *checks(text, start, words)]
            edits.append((end, end, f" when {words} is not none"))  # of whoever sees a zone
            yield offer, [edited(text, edit) for edit in edits]
        elif offer == f"({words} otherwise ...)":
            yield offer, [edited(text, (start, end, f"({words} otherwise {other})")) for other in OTHERS]
        elif offer == f"if {words} is none then ... else ...":
            yield offer, [edited(text, edit) for edit in choices(text, start, words)]
        elif offer == "define":
            free = re.sub(r"\btile\b", "1-1", words)  # a definition has no keys
            named = f"{edited(text, (start, end, 'the-one'))}\ndefine the-one: {free}\n"
            yield offer, [edited(named, edit) for edit in whens(named, start, "the-one")]
        elif offer == "leave it out":
            yield offer, [edited(text, (text.rindex(",", 0, start), end, ""))]
        elif offer == f"optional {words}: tiles":
            yield offer, [text.replace(f"optional {words}: {{a, b}}", offer)]


def edited(text: str, edit: Edit) -> str:
    start, end, words = edit
    return text[:start] + words + text[end:]


def line_of(text: str, place: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, place) + 1
    return start, text.find("\n", place)


def whens(text: str, place: int, words: str) -> Iterator[Edit]:
    """Yield the effects round a place, each with a question before it."""
    start, end = line_of(text, place)
    before = re.match(r"\s*(then )?", text[start:end])
    assert before is not None
    for begin in (before.end(), *(colon.end() for colon in COLON.finditer(text[start:place]))):
        yield start + begin, start + begin, f"when {words} is not none: "


def checks(text: str, place: int, words: str) -> Iterator[Edit]:
    """Yield the conditions round a place, each with a question before it, and the values that are one or another."""
    start, end = line_of(text, place)
    for begin in starts(text, start, place):
        yield begin, end, f"{words} is not none and ({text[begin:end]})"
        for other in OTHERS:
            yield begin, end, f"if {words} is not none then {text[begin:end]} else {other}"
    within = text.rfind("(", start, place) + 1
    after = text.rfind(": ", start, place) + 2
    if within and after > 1:  # a question within it may have a name of the value
        yield within, within, f"{words} is not none and "
        yield after, after, f"{words} is not none and "


def choices(text: str, place: int, words: str) -> Iterator[Edit]:
    """Yield the values round a place, each with another one if there is none."""
    start, end = line_of(text, place)
    close = text.find("}", place, end)
    for begin in starts(text, start, place):
        for stop in {end, close} - {-1}:
            for other in OTHERS:
                yield begin, stop, f"if {words} is none then {other} else {text[begin:stop]}"


def starts(text: str, start: int, place: int) -> Iterator[int]:
    """Yield where a condition or a value that has a place in it may begin."""
    for found in re.finditer(r": |\{| and | or | implies ", text[start:place]):
        yield start + found.end()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_text_that_follows_the_advice_has_one_fault_less(case: Case, tmp_path: Path) -> None:
    text = (case.folder / f"{case.name}{ENDING}").read_text(encoding="utf-8")
    found = faults(case.name, text, tmp_path)
    for fault in found:
        if fault.code != CODE:
            continue
        left = Counter(each.message for each in found) - Counter([fault.message])
        offers = [*advised(text, fault)]
        assert offers, f"no advice was tried: {fault.help}"
        for offer, texts in offers:
            results = [faults(case.name, other, tmp_path) for other in texts]
            assert left in [Counter(each.message for each in result) for result in results], (fault, offer)

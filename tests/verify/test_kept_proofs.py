"""Kept proofs: what is written beside a text is checked again, and only what holds counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction import invariant_templates as templates
from golpae.prove.induction.scopes import stage_holds
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.verify.analysis import Analysis
from golpae.verify.kept_files import StoredProofs, put_aside, tell
from golpae.verify.kept_proofs import (
    KeptFile,
    KeptResult,
    KeptTable,
    UselessProofs,
    beside,
    hash_of,
    key_of,
    lemma_of,
    read,
    save,
    schema,
    table_of,
)
from golpae.verify.lemmas import Lemmas
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.sample_states import PlayedGames, sample_states
from golpae.verify.scheduler import Job
from golpae.verify.stated import predicate_of
from golpae.verify.verifier import verify
from tests.verify.shared import STUCK, made

# Two players take beads from a heap by turns, two at a time at most; whoever has to take the last ones loses.
TEXT = """
game heap "Heap"

players 2 to 2

tiles 24 of 12 kinds
  beads: two of each "{n}b" for n in 1 to 12

zones
  heap: tiles seen by nobody, holds the set
  tray: row seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  phase: one of taking, putting = taking
  rest: number = 24

deal from heap
  hands: 3 for everyone
  then mover := first
  then rest := 20

action take(tile) by p "take"
  turn: p = mover and phase = taking "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then rest := rest - 1
  then phase := putting

action put(tile) by p "put"
  turn: p = mover and phase = putting "no"
  held: tile in p's hand "no"
  then move tile from p's hand to back of tray
  then phase := taking
  then mover := p's right

end
  due: phase = taking and heap is empty "no"

payout
  none: for each q in players: q scores 0

finish

always one-more after take: size of p's hand = 4
always three: every p in players: size of p's hand <= 4
reachable some-put: size of tray = 1
never none-put: size of tray = 2
"""
SAME = ("verdict", "story", "lemmas", "unaided", "witness", "bound", "vacuous")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> tuple[RuleSet, Path]:
    folder = tmp_path_factory.mktemp("kept")
    (folder / "heap.golpae").write_text(TEXT, encoding="utf-8")
    return elaborate("heap", [folder]), folder


@pytest.fixture(scope="module")
def found(rules: tuple[RuleSet, Path]) -> list[PropertyResult]:
    return verify(rules[0], 2, {}, Settings())


def kept(rules: tuple[RuleSet, Path], found: list[PropertyResult]) -> KeptTable:
    return replace(table_of(rules[0], found, None), places=(rules[1],))


def again(
    rules: tuple[RuleSet, Path], table: KeptTable, only: str | None = None
) -> dict[str, PropertyResult]:
    return {r.name: r for r in verify(rules[0], 2, {}, Settings(kept=table), only)}


def test_what_is_kept_is_checked_and_says_the_same(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], tmp_path: Path
) -> None:
    file = tmp_path / "heap.proofs.json"
    key = key_of("heap", 2, {})
    save(file, KeptFile(tables={key: table_of(rules[0], found, None)}))
    held = read(file)
    assert held is not None
    assert held.tables[key] == table_of(rules[0], found, None)
    assert held.tables[key].text == hash_of(rules[0])
    results = again(rules, replace(held.tables[key], places=(rules[1],)))
    for one in found:
        assert [getattr(results[one.name], k) for k in SAME] == [getattr(one, k) for k in SAME]
        assert results[one.name].rechecked is (one.verdict in ("proved", "refuted"))
    assert {r.name: r.verdict for r in found} == {
        "one-more": "proved",
        "three": "proved",
        "some-put": "proved",
        "none-put": "refuted",
        "tiles-are-kept": "proved",
        "some-event-is-legal": "unknown",  # not kept, and looked for each time
    }
    assert any(r.lemmas != r.unaided for r in found)  # some proof needs what games suggest


def test_a_file_is_written_alike_and_one_line_holds_one_invariant(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], tmp_path: Path
) -> None:
    key = key_of("heap", 2, {})
    table = table_of(rules[0], found, None)
    for name in ("one", "other"):
        save(tmp_path / name, KeptFile(tables={key: table_of(rules[0], list(reversed(found)), table)}))
    text = (tmp_path / "one").read_text(encoding="utf-8")
    assert text == (tmp_path / "other").read_text(encoding="utf-8")
    assert json.loads(text)["format"] == 2
    lines = [line for line in text.splitlines() if line.startswith(' {"id"')]
    assert len(lines) == len(table.lemmas)
    assert "seconds" not in text


@pytest.mark.parametrize("reached", [("one-more",), ("tiles-are-kept", "three", "none-put"), ("some-put",)])
def test_a_part_of_the_results_leads_to_the_same_as_all_of_them(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], reached: tuple[str, ...]
) -> None:
    unreached = {r.name for r in found} - {*reached}
    part = table_of(rules[0], [r for r in found if r.name in reached], None, unreached)
    assert {r.name for r in part.results} == {*reached}
    assert set(part.unfinished) == unreached
    results = list(again(rules, replace(part, places=(rules[1],))).values())
    assert {r.name for r in results if r.rechecked} == {*reached}
    assert table_of(rules[0], results, part) == table_of(rules[0], found, None)


def test_what_an_interrupted_run_did_not_reach_stays_as_it_was(
    rules: tuple[RuleSet, Path], found: list[PropertyResult]
) -> None:
    whole = table_of(rules[0], found, None)
    some, others = found[:2], {r.name for r in found[2:]}
    assert table_of(rules[0], some, whole, others) == whole
    changed = table_of(rules[0], some, replace(whole, text="another"), others)
    assert changed == replace(whole, unfinished=tuple(sorted(others)))


def test_a_false_invariant_costs_time_only(rules: tuple[RuleSet, Path], found: list[PropertyResult]) -> None:
    table = kept(rules, found)
    false = ("playing: every p in players: size of p's hand = 3", "always: no", "never: yes", "x", "over: (")
    wrong = replace(table, lemmas=(*table.lemmas, *false), stated=(*table.stated, "none-put"))
    results = again(rules, wrong)
    for one in found:
        assert results[one.name].verdict == one.verdict
        assert not set(false) & set(results[one.name].lemmas)


def test_a_lemma_that_somebody_wrote_is_checked_too(
    rules: tuple[RuleSet, Path], found: list[PropertyResult]
) -> None:
    mine = "in a hand: (sum of size of p's hand for p in players) + size of tray <= size of tiles"
    table = kept(rules, found)
    named = tuple(msgspec.structs.replace(r, by=(*r.by, mine)) for r in table.results)
    results = again(rules, replace(table, lemmas=(*table.lemmas, mine), results=named), "one-more")
    assert results["one-more"].verdict == "proved"
    assert mine in results["one-more"].lemmas


@pytest.mark.parametrize("said", [(), ("three",), ("playing: every p in players: size of p's hand = 3",)])
def test_what_a_proof_is_said_to_need_is_not_believed(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], said: tuple[str, ...]
) -> None:
    table = kept(rules, found)
    lies = tuple(msgspec.structs.replace(r, by=said) for r in table.results)
    lemmas = tuple(dict.fromkeys((*table.lemmas, *(name for name in said if lemma_of(name)[1]))))
    results = again(rules, replace(table, lemmas=lemmas, results=lies, further=("three", "one-more")))
    assert {r.name: r.verdict for r in found} == {n: r.verdict for n, r in results.items()}
    assert "playing: every p in players: size of p's hand = 3" not in results["one-more"].lemmas


def test_a_kept_game_in_which_nobody_can_act_is_replayed() -> None:
    machine, _ = made(STUCK, 2)
    rule_set = machine.instance.rule_set
    [found] = verify(rule_set, 2, {}, Settings(), "some-event-is-legal")
    assert found.verdict == "refuted"
    table = table_of(rule_set, [found], None)
    [again] = verify(rule_set, 2, {}, Settings(kept=table), "some-event-is-legal")
    assert again.rechecked
    assert [getattr(again, key) for key in SAME] == [getattr(found, key) for key in SAME]


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("reachable at-first: every p in players: p's hand is empty", "proved"),
        ("always never-empty: some p in players: size of p's hand > 0", "refuted"),
        ("never none-yet: tray is empty", "refuted"),
    ],
)
def test_what_holds_before_the_first_event_is_kept_as_a_game_without_events(
    tmp_path: Path, stated: str, verdict: str
) -> None:
    (tmp_path / "heap.golpae").write_text(f"{TEXT}{stated}\n", encoding="utf-8")
    rule_set, name = elaborate("heap", [tmp_path]), stated.split()[1].rstrip(":")
    [found] = verify(rule_set, 2, {}, Settings(), name)
    assert (found.verdict, found.story.partition("; ")[0]) == (verdict, "before the first event")
    table = replace(table_of(rule_set, [found], None), places=(tmp_path,))
    [again] = verify(rule_set, 2, {}, Settings(kept=table), name)
    assert again.rechecked
    assert [getattr(again, key) for key in SAME] == [getattr(found, key) for key in SAME]


def test_a_game_without_events_shows_nothing_that_does_not_hold_before_them(
    rules: tuple[RuleSet, Path], found: list[PropertyResult]
) -> None:
    table = kept(rules, found)
    lies = {"three": "refuted", "some-put": "proved", "one-more": "refuted"}
    said = tuple(KeptResult(name, verdict, "before the first event") for name, verdict in lies.items())
    results = again(rules, replace(table, results=said))
    assert {name: results[name].verdict for name in lies} == dict.fromkeys(lies, "proved")
    assert not results["some-put"].rechecked


def test_the_schema_is_committed() -> None:
    file = Path(__file__).parents[2] / "docs" / "kept-proofs.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


def test_a_proof_names_only_what_it_needs(found: list[PropertyResult]) -> None:
    results = {r.name: r for r in found}
    assert len(results["one-more"].lemmas) < 10


@pytest.mark.parametrize(
    "events",
    [
        ({"do": "deal"},),
        ({"do": "take", "by": 7, "tile": "1b"},),
        ({"by": None},),
        ({"do": ["take"]}, {}),
        ({"do": "deal", "first": 0, "hands": [["1b", "1b", "1b"], ["2b", "2b", "3b"]]},),
    ],
)
def test_a_game_that_replay_refuses_shows_nothing(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], events: tuple[dict[str, object], ...]
) -> None:
    table = kept(rules, found)
    lies = tuple(
        KeptResult(r.name, "refuted", "a game", witness=events) if r.name in ("three", "none-put") else r
        for r in table.results
    )
    results = again(rules, replace(table, results=lies), "three")
    assert results["three"].verdict == "proved"


def test_another_text_falls_back_to_what_still_holds(
    rules: tuple[RuleSet, Path], found: list[PropertyResult], tmp_path: Path
) -> None:
    (tmp_path / "heap.golpae").write_text(TEXT.replace("hands: 3", "hands: 2"), encoding="utf-8")
    other = elaborate("heap", [tmp_path]), tmp_path
    table = kept(rules, found)
    assert table.text != hash_of(other[0])
    results = again(other, table)
    assert results["one-more"].verdict == "refuted"
    assert results["some-put"].verdict == "proved"
    assert results["three"].verdict == "proved"


# Only both switches together make the count rise.
BOTH = (
    TEXT.replace("  then phase := taking\n", "  then phase := taking\n  then risen := risen + this * that\n")
    .replace("state of the hand\n", "state of the hand\n  risen: number = 0\n")
    .replace("deal from", "define this: 0\n\ndefine that: 0\n\ndeal from")
    + """always small: risen <= 1

variant this-one "one of them"
  replace this: 1

variant that-one "the other"
  replace that: 1

variant soon "takes early"
  replace take.turn: p = mover and phase = taking and rest > 0 "no"
"""
)


def test_a_combination_takes_what_is_kept_of_its_parts_and_believes_none_of_it(tmp_path: Path) -> None:
    (tmp_path / "heap.golpae").write_text(BOTH, encoding="utf-8")
    kept, decided = StoredProofs(places={"heap": (tmp_path,)}), {}
    kept.held["heap"] = KeptFile()
    for name in ("heap", "heap+this-one", "heap+that-one"):
        rule_set = elaborate(name, [tmp_path])
        decided[name] = verify(rule_set, 2, {}, Settings())
        kept.held["heap"].tables[key_of(name, 2, {})] = table_of(rule_set, decided[name], None)
    for name, anew in (("heap+this-one+that-one", {"small"}), ("heap+soon", set())):
        (job,) = kept.with_kept([Job(elaborate(name, [tmp_path]), 2, {})])
        results = {r.name: r for r in verify(job.rule_set, 2, {}, Settings(kept=job.kept))}
        verdicts = {n: r.verdict for n, r in results.items()}
        assert verdicts == {r.name: r.verdict for r in verify(job.rule_set, 2, {}, Settings())}
        assert {n for n, r in results.items() if not r.rechecked} == {"some-event-is-legal", *anew}
        said: list[str] = []
        tell(
            replace(kept, files={"heap": tmp_path / "heap.proofs.json"}),
            [job],
            [*results.values()],
            said.append,
        )
        assert not said  # nothing is kept about this table
    (alone,) = kept.with_kept([Job(elaborate("heap", [tmp_path]), 3, {})])
    assert alone.kept is None  # another number of players


def test_comments_and_layout_do_not_change_the_hash(rules: tuple[RuleSet, Path], tmp_path: Path) -> None:
    (tmp_path / "heap.golpae").write_text(TEXT.replace("zones\n", "\nzones  # where\n"), encoding="utf-8")
    assert hash_of(elaborate("heap", [tmp_path])) == hash_of(rules[0])


def test_a_template_says_what_its_name_says(rules: tuple[RuleSet, Path]) -> None:
    rule_set, folder = rules
    analysis = Analysis(instantiate(rule_set, 2, {}), Settings())
    system = TransitionSystem(Evaluator(analysis.instance, analysis.shapes, SymbolFactory("")), None)
    states = list(sample_states(PlayedGames(analysis.machine, 1)))
    made = [*templates.candidates(system, states), *templates.basics(system)]
    meanings = Lemmas("heap", [folder]).meanings(rule_set, [lemma_of(c.name)[1] for c in made])
    named = templates.named(system, [c.name for c in made])
    assert len(made) > 30
    for candidate in made:
        at, holds = lemma_of(candidate.name)
        prop = meanings[holds]
        assert isinstance(prop, PropertyDecl), candidate.name
        means, inside = predicate_of(system.evaluator, prop, prop.expr, False), stage_holds(at)
        for state in states[::11]:
            if inside(state) is True:
                assert means(state) is candidate.predicate(state) is named[candidate.name].predicate(state)


def spoilt(spoil: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_bytes(spoil(file.read_bytes()))

    return write


def as_link(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to("elsewhere")


def as_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def as_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def enormous(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.truncate(1 << 30)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoilt(lambda content: content[:-9]), "it is not JSON"),
        (spoilt(lambda content: b""), "it is not JSON"),
        (spoilt(lambda content: b"\xff\xfe\x00"), "it is not JSON"),
        (spoilt(lambda content: b'{"a": ' + b"[" * 100_000), "it is not JSON"),
        (
            spoilt(lambda content: content.replace(b'"1"', b'"1-9999 ' + b"1-9999 " * 99 + b'"')),
            "it has more",
        ),
        (spoilt(lambda content: b"[]"), "it does not have the form of kept proofs"),
        (spoilt(lambda content: content.replace(b'"format": 2', b'"format": 99')), "its format is 99"),
        (spoilt(lambda content: content.replace(b'"players": 2', b'"players": "2"')), "it does not have"),
        (as_link, "it is a link"),
        (as_folder, "directory"),
        (as_pipe, "it is not a file"),
        (enormous, "it is larger than 16 MB"),
    ],
)
def test_a_file_that_holds_nothing_of_use_says_why(
    rules: tuple[RuleSet, Path],
    found: list[PropertyResult],
    tmp_path: Path,
    spoil: Callable[[Path], None],
    words: str,
) -> None:
    file = beside(tmp_path / "heap.golpae")
    save(file, KeptFile(tables={key_of("heap", 2, {}): table_of(rules[0], found, None)}))
    spoil(file)
    with pytest.raises(UselessProofs, match=words):
        read(file)


def test_hostile_numbers_of_tables_end(tmp_path: Path) -> None:
    file = tmp_path / "x.proofs.json"
    text = KeptFile(tables={key_of("x", 2, {}): KeptTable("", (), (), ("always: yes",), ())})
    save(file, text)
    for ranges in ("1-99999999999999", "1-1 " * 50_000, "-", "9" * 5_000, "a b"):
        said = msgspec.json.decode(file.read_bytes())
        said["invariants"][0]["tables"] = ranges
        other = tmp_path / "other"
        other.write_bytes(msgspec.json.encode(said))
        read(other)


def test_no_file_holds_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "none.proofs.json") is None


def test_what_is_no_file_of_kept_proofs_is_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "x.proofs.json"
    for number, name in enumerate(("x.proofs.json.old", "x.proofs.json.old1")):
        file.write_text(f"mine {number}", encoding="utf-8")
        assert put_aside(file).name == name
        assert (tmp_path / name).read_text("utf-8") == f"mine {number}"
    assert not file.exists()

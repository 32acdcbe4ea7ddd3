"""Attribution on the compiled path finds the same rule sets as the reference, and reads files in the same way."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from golpae.attribute import compiled
from golpae.attribute.compiled import CompiledAttribution, CompiledFamily, PathsDisagree
from golpae.attribute.traces import Attribution, TraceResult
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.families.family import Family
from golpae.families.region import Space
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd, header, play
from tests.attribute.attributed import Checked, Lines, won
from tests.attribute.guilds import GUILDS, spoilt
from tests.differential.texts import RuleText, random_text

pytestmark = [
    pytest.mark.property,
    pytest.mark.skipif(not available(), reason="modules do not run here"),
]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the compiled path from the second trace of a table on."""
    monkeypatch.setattr(compiled, "FIRST", 2)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return tmp_path


def written(traces: Sequence[Lines]) -> bytes:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for t in traces for line in t).encode()


def same(game: Checked, text: bytes) -> int:
    """Assert that both paths find the same. Return how many traces were decided on the compiled path."""
    reader = CompiledAttribution(beside(game), game.places)
    slow, fast = (list(map(told, r.traces(io.BytesIO(text), "t"))) for r in (game.attribution, reader))
    assert fast == slow
    return reader.decided


@cache
def beside(game: Checked) -> Attribution:
    """Return what the compiled path asks, apart from the reference that it is compared with."""
    return Attribution(game.load)


def told(result: TraceResult) -> object:
    accepting = None if result.accepting is None else sorted(map(bin, members(result)))
    place = (result.file, result.line, result.id, result.claimed, result.unknown)
    return place, accepting, result.ended, result.fault


def members(result: TraceResult) -> list[int]:
    assert result.accepting is not None
    return [s for s in range(1 << result.accepting.space.switches) if s in result.accepting]


def games(game: Checked, players: Sequence[int], many: int, seed: int) -> Iterator[Lines]:
    rng, among = random.Random(seed), game.all()
    while many:
        machine = game.machine(rng.choice(among), rng.choice(players))
        try:
            trace = [header(machine), *play(machine, machine.new_state(1), rng, longest=30)]
        except DeadEnd:
            continue
        yield trace if rng.random() < 0.6 else spoilt(trace, rng)
        many -= 1


@pytest.mark.parametrize(
    ("base", "players", "many"),
    [
        pytest.param("jjak", (2, 3), 12, marks=pytest.mark.slow),
        ("three-dozen", (3,), 12),
        ("guilds", (2, 3), 20),
    ],
)
def test_the_same_rule_sets_are_found(own: Path, base: str, players: Sequence[int], many: int) -> None:
    game = Checked(base, own)
    assert same(game, written([*games(game, players, many, 3)])) > many // 8


@pytest.mark.slow
@pytest.mark.parametrize(("base", "players"), [("jjak", (2, 3, 4)), ("ho-hpai", (3,)), ("guilds", (2, 3))])
def test_the_same_rule_sets_are_found_in_many_games(own: Path, base: str, players: Sequence[int]) -> None:
    game = Checked(base, own)
    assert same(game, written([*games(game, players, 60, 4)])) > 10


class OfText(Checked):
    """A random text with its variants."""

    def __init__(self, text: RuleText, folder: Path) -> None:
        (folder / f"{text.name}.golpae").write_text(text.source, encoding="utf-8")
        super().__init__(text.name, folder)


@pytest.mark.parametrize("seed", range(74_000_000, 74_000_012))
def test_the_same_rule_sets_of_random_texts_are_found(seed: int, tmp_path: Path) -> None:
    text = random_text(seed)
    if text.switches:
        same(OfText(text, tmp_path), written(short_games(text.rule_set(), seed)))


def short_games(rules: RuleSet, seed: int) -> list[Lines]:
    rng, out = random.Random(seed), []
    machine = Machine(instantiate(rules, bounds(rules, options_of(rules, {}))[0], {}))
    for _ in range(6):
        try:
            trace = [header(machine), *play(machine, machine.new_state(1), rng, longest=20)]
        except DeadEnd:
            continue
        out.append(trace if rng.random() < 0.5 else spoilt(trace, rng))
    return out


# ------------------------------------------------------------------ files


@cache
def checked() -> Checked:
    return Checked("jjak")


@cache
def _made(family: Family, players: int, options: tuple[tuple[str, int], ...]) -> CompiledFamily:
    return CompiledFamily(family, [], players, dict(options))


def made_once(family: Family, _: Sequence[Path], players: int, options: Mapping[str, int]) -> CompiledFamily:
    """Return the modules of a family; making them takes longer than these tests."""
    return _made(family, players, tuple(options.items()))


GAMES = written([won("jjak"), won("jjak+row"), won("jjak")])
SECOND = GAMES.index(b'{"golpae"', 1)


@pytest.mark.parametrize(
    "text",
    [
        GAMES,
        GAMES.rstrip(),
        b"\n\n" + GAMES,
        b"{}\n" + GAMES,
        b"\xef\xbb\xbf" + GAMES,
        GAMES.replace(b"\n", b"\r\n"),
        GAMES.replace(b'{"golpae"', b' {"golpae"', 2),
        GAMES.replace(b'{"golpae":1,', b"{", 1),
        GAMES[: SECOND + 20]
        + b"\n"
        + GAMES[SECOND:],  # a header that is cut short belongs to the trace before it
        GAMES[:SECOND] + b"no line\n" + GAMES[SECOND:],
        GAMES[:SECOND] + GAMES[SECOND:].replace(b"golpae", b"golape", 1),
        GAMES[:SECOND] + b'{"do":"finish","totals":[-1,1],"winners":[1]}\nno line\n' + GAMES[SECOND:],
        GAMES[:-20],
        GAMES + GAMES.replace(b"Bo", b"B\\u006f"),
        GAMES + GAMES.replace(b'"2-2"', b'"2-1"'),
        GAMES + GAMES.replace(b"jjak", b"three-dozen"),
        GAMES + GAMES.replace(b"jjak", b"nothing"),
        GAMES + GAMES.replace(b"jjak", b"jjak+nothing"),
        b"",
    ],
)
@pytest.mark.parametrize("window", [1 << 20, 100])
def test_files_are_read_as_the_reference_reads_them(
    text: bytes, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "WINDOW", window)
    monkeypatch.setattr(compiled, "CompiledFamily", made_once)
    same(checked(), text)


def test_a_damaged_archive_is_said(tmp_path: Path) -> None:
    import gzip

    packed = gzip.compress(GAMES * 30)[:-30]
    game = Checked("jjak")
    slow, fast = (
        Attribution(game.load).traces(io.BytesIO(packed), "t"),
        CompiledAttribution(Attribution(game.load), []).traces(io.BytesIO(packed), "t"),
    )
    found: list[list[object]] = [[], []]
    unread = []
    for place, results in enumerate((slow, fast)):
        while True:
            try:
                found[place].append(told(next(results)))
            except StopIteration as end:
                unread.append(end.value)
                break
    assert found[0] == found[1]
    assert unread[0] == unread[1]


def test_who_refuses_a_trace_is_told_in_full() -> None:
    game = Checked("jjak")
    reader = CompiledAttribution(Attribution(game.load), [])
    _, _, fast = reader.traces(io.BytesIO(GAMES), "t")
    _, _, slow = game.attribution.traces(io.BytesIO(GAMES), "t")
    assert (reader.decided, fast.refused) == (2, ())
    assert [(r.event, r.clause) for r in fast.whole().refused] == [(r.event, r.clause) for r in slow.refused]


def test_a_trace_that_the_paths_attribute_differently_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Checked("jjak")
    fast = CompiledAttribution(Attribution(game.load), [])
    everything = game.family.universe.canonical
    monkeypatch.setattr(compiled.CompiledFamily, "accepting", lambda *args: (everything, True))
    with pytest.raises(PathsDisagree, match="the trace in line 12 of t differently"):
        list(fast.traces(io.BytesIO(GAMES), "t"))


def test_equal_regions_are_one_region_however_they_came_about() -> None:
    space = Space(3)
    rng = random.Random(1)
    for _ in range(50):
        among = [s for s in range(8) if rng.random() < 0.5]
        ways = []
        for order in (among, rng.sample(among, len(among))):
            region = space.nothing
            for switches_on in order:
                region = region.union(space.region([(7, switches_on)]))
            ways.append(region)
        ways.append(space.everything)
        for switches_on in set(range(8)) - set(among):
            ways[-1] = ways[-1].subtract((7, switches_on))
        assert len({way.canonical for way in ways}) == 1
        assert [s for s in range(8) if s in ways[0].canonical] == among

"""The scanner recognises what recorded and random games write, and nothing that the strict reader refuses."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.kernel.language.host import available
from golpae.kernel.scan.names import SHORT, key, places
from golpae.replay.simulate import DeadEnd, header, play
from tests.kernel.scan_fuzz import TABLES, Sides, batches, recorded, rule_set
from tests.kernel.scan_harness import LINES
from tests.kernel.scan_lines import Lines

needs_host = pytest.mark.skipif(not available(), reason="modules cannot be run here")
EVERY_TABLE = pytest.mark.parametrize(
    "table", range(len(TABLES)), ids=lambda n: f"{TABLES[n][0]}-{TABLES[n][1]}"
)
KEYS_HEADER = b'{"golpae":1,"rules":"many-keys","players":["An","Bo","Cho"],"options":{"most":3,"least":1}}'
FUZZED = 4_000  # lines of each table
JJAK, _, _, THREE_DOZEN, _, MAHJONG, _, KEYS, MANY_PLAYERS = range(len(TABLES))


@cache
def sides(table: int) -> Sides:
    rules, players, options = TABLES[table]
    return Sides(instantiate(rule_set(rules), players, options), rules)


@pytest.fixture(scope="module", autouse=True)
def close_modules() -> Iterator[None]:
    """Let go of the modules before Python takes `wasmtime` apart."""
    yield
    sides.cache_clear()


def recognised(table: int, *lines: bytes) -> list[bool]:
    """Return which lines are recognised, as events or headers. No line may be read differently by the strict reader."""
    both = sides(table)
    assert both.compare(list(lines)) == []
    events, headers = both.scanner.events(list(lines)), both.scanner.headers(list(lines))
    return [event is not None or stake is not None for event, stake in zip(events, headers, strict=True)]


def event(**keys: Any) -> bytes:
    return json.dumps(keys, separators=(",", ":"), ensure_ascii=False).encode()


# ---------------------------------------------------------------- real games


@needs_host
@EVERY_TABLE
def test_recorded_lines_are_read_as_the_strict_reader_reads_them(table: int) -> None:
    lines = list(recorded(TABLES[table][0].split("+")[0]))
    for start in range(0, len(lines), LINES):
        assert sides(table).compare(lines[start : start + LINES]) == []


@needs_host
@pytest.mark.parametrize("table", [n for n in range(len(TABLES)) if TABLES[n][0] != "many-keys"])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["compact", "spaced"])
def test_every_line_of_legal_games_is_recognised(table: int, separators: tuple[str, str]) -> None:
    machine, rng = sides(table).machine, random.Random(table)
    lines: list[dict[str, Any]] = []
    while len(lines) < 150:
        try:
            lines += [header(machine, 3), *islice(play(machine, machine.new_state(3), rng), 100)]
        except DeadEnd:
            continue
    for kept in (lines, [dict(rng.sample(list(line.items()), len(line))) for line in lines]):
        assert all(recognised(table, *(json.dumps(line, separators=separators).encode() for line in kept)))


# ---------------------------------------------------------------- spoilt lines


@needs_host
@EVERY_TABLE
def test_no_spoilt_line_is_read_differently(table: int) -> None:
    both, rules = sides(table), TABLES[table][0]
    lines = Lines(both.instance, rules, recorded(rules.split("+")[0]), random.Random(f"test {table}"))
    tried = both.counts["lines"]
    while both.counts["lines"] < tried + FUZZED:
        assert both.compare(batches(lines, LINES), 20) == []


@needs_host
def test_a_name_is_compared_with_its_length() -> None:
    """NULs behind a name look like the empty bytes behind a shorter one."""
    line = b'{"do":"draw","by":0,"tile":"%s"}'
    names = [b"6-5", b"6-5\0", b"6-5\0\0\0\0", b"6-", b"6-55", b"", b"6-5\x7f", b"6-5 "]
    assert recognised(JJAK, *(line % name for name in names)) == [True] + 7 * [False]


@needs_host
def test_names_of_every_length_are_recognised() -> None:
    names = [
        "a",
        "bc",
        "defghij",
        "abcdefgh",
        "abcdefgh-i",
        "1é",
        "№1",
        "an odd name, 3",
        "abcdefghijklmnopqrstuvwxyz-abcd",
    ]
    lines = [event(do="only", tile=name) for name in names]
    assert all(recognised(KEYS, *lines))
    longer = [event(do="only", tile=name + end) for name in names for end in ("\0", "x", "1", " ")]
    assert not any(recognised(KEYS, *longer))
    assert not any(recognised(KEYS, event(do="only", tile="abcdefghijklmnopqrstuvwxyz-abcde")))  # 32 bytes
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    near = [f"abcdefghijklmnopqrstuvwxyz-a{x}{y}d" for x in letters for y in letters if x + y != "bc"]
    assert not any(recognised(KEYS, *(event(do="only", tile=name) for name in near)))


@needs_host
def test_actions_whose_names_begin_alike_are_told_apart() -> None:
    names = [
        "one",
        "one-more",
        "optional",
        "optional-too",
        "optional-to",
        "optional-",
        "optiona",
        "only",
        "onl",
    ]
    keys: dict[str, dict[str, Any]] = {
        "one-more": {"seat": 1},
        "optional-too": {"number": 1},
        "one": {"tile": "a", "number": 1, "truth": True, "word": "x"},
    }
    lines = [event(do=name, **({} if name == "only" else {"by": 1}), **keys.get(name, {})) for name in names]
    assert recognised(KEYS, *lines) == 4 * [True] + 3 * [False] + [True, False]


@needs_host
def test_keys_may_stand_in_any_order_but_not_twice() -> None:
    lines = [
        b'{"by":1,"tile":"6-5","do":"draw"}',
        b'{"tile":"6-5","note":"x","by":1,"time":3,"do":"draw"}',
        b'{"do":"draw","by":1,"tile":"6-5","by":1}',
        b'{"do":"draw","do":"draw","by":1,"tile":"6-5"}',
        b'{"do":"draw","by":1,"tile":"6-5","note":1,"note":1}',
        b'{"do":"draw","by":1}',
        b'{"by":1,"tile":"6-5"}',
        b'{"do":"draw","by":1,"tile":"6-5","x":1}',
        b'{"do":"draw","by":1,"tile":"6-5","golpae":1}',
    ]
    assert recognised(JJAK, *lines) == [True, True] + 7 * [False]


@needs_host
def test_one_space_may_stand_behind_a_comma_or_a_colon() -> None:
    lines = [
        b'{"do": "lay", "by": 1, "tiles": ["6-5", "6-5"]}',
        b'{"do":"lay","by": 1,"tiles":["6-5", "6-5"]}',
        b'{"do":"lay", "by":1,"tiles": ["6-5","6-5"], "note":"x"}',
        b'{"do":  "lay","by":1,"tiles":["6-5","6-5"]}',
        b'{"do":"lay","by":1 ,"tiles":["6-5","6-5"]}',
        b'{"do":"lay","by":1,"tiles":[ "6-5","6-5"]}',
        b'{ "do":"lay","by":1,"tiles":["6-5","6-5"]}',
        b'{"do":"lay","by":1,"tiles":["6-5","6-5"]} ',
        b'{"do":"lay","by":1,"tiles":["6-5","6-5"]}\r\r',
        b'{"do":"lay","by":1,"tiles":["6-5","6-5"]\r}',
        b'{"do":"lay","by":1,\t"tiles":["6-5","6-5"]}',
    ]
    assert recognised(JJAK, *lines) == 3 * [True] + 8 * [False]


@needs_host
def test_a_line_may_end_as_windows_ends_it() -> None:
    events = [b'{"do":"lay","by":1,"tiles":["6-5","6-5"]}\r', b'{"do":"draw","by":1,"tile":"6-5"}\r']
    assert recognised(JJAK, *events) == [True, True]


@needs_host
def test_texts_are_utf_8_without_escapes_and_control_characters() -> None:
    good = [
        "",
        "x",
        "\x7f",
        "é",
        "\u07ff",
        "\u0800",
        "\ud7ff",
        "\ue000",
        "\uffff",
        "\U00010000",
        "\U0010ffff",
        "한국어 😀 " * 9,
    ]
    bad = [
        b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80", b"\x80", b"\xbf", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xc3\xc3", b"\x00",
        b"\x1f", b"\\u0041", b"\\n", b"\xf0\x9f\x98\xc0", b"\xf0\x9f\xc0\x80", b"\xe2\x82x", b"\xf0\x9f\x98x",
    ]  # fmt: skip
    line = b'{"do":"draw","by":0,"tile":"6-5","note":"%s"}'
    for before in range(9):  # wherever they stand in a word of 8 bytes
        texts = [b"x" * before + text.encode() for text in good]
        assert all(recognised(JJAK, *(line % text for text in texts)))
        assert not any(recognised(JJAK, *(line % (b"x" * before + text) for text in bad)))


@needs_host
def test_numbers_have_at_most_15_digits() -> None:
    good = ["0", "-1", "9", "10", "-10", "123456789012345", "-999999999999999"]
    bad = [
        "-0",
        "00",
        "01",
        "-01",
        "+1",
        "1.0",
        "1e1",
        "1234567890123456",
        "-",
        "",
        "--1",
        '"1"',
        "true",
        "null",
        "0x1",
    ]
    line = '{"do":"optional","by":0,"number":%s}'
    assert all(recognised(KEYS, *((line % number).encode() for number in good)))
    assert not any(recognised(KEYS, *((line % number).encode() for number in bad)))


@needs_host
def test_seats_of_two_digits_are_recognised() -> None:
    lines = [
        b'{"do":"one-more","by":%s,"seat":0}' % seat
        for seat in (b"0", b"9", b"10", b"11", b"12", b"-1", b"00", b"110")
    ]
    assert recognised(MANY_PLAYERS, *lines) == 4 * [True] + 4 * [False]


@needs_host
def test_a_line_of_60_000_bytes_is_recognised_and_a_longer_one_is_not() -> None:
    for line in (
        b'{"do":"draw","by":0,"tile":"6-5","note":"%s"}',
        b'{"golpae":1,"rules":"jjak","players":["%s","",""]}',
    ):
        room = 60_000 - len(line % b"")
        assert recognised(JJAK, line % (b"x" * room), line % (b"x" * (room + 1))) == [True, False]


@needs_host
def test_a_list_of_another_length_is_left_to_the_reference() -> None:
    lines = [event(do="lay", by=0, tiles=tiles) for tiles in (["6-5"], ["6-5"] * 2, ["6-5"] * 3, [])]
    lines += [event(do="end", winner=None, pay=pay) for pay in ([0, 0], [0, 0, 0], [0, 0, 0, 0])]
    assert recognised(JJAK, *lines) == [False, True, False, False, False, True, False]


@needs_host
def test_more_copies_than_planes_are_left_to_the_reference() -> None:
    lines = [event(do="lists", tiles=["a"] * n, seats=[2] * n, truths=[], words=[]) for n in (3, 4, 5)]
    assert recognised(KEYS, *lines) == [True, False, False]
    lines = [event(do="lists", tiles=[], seats=[2] * n, truths=[True] * n, words=["r"] * n) for n in (4, 5)]
    assert recognised(KEYS, *lines) == [True, False]
    lines = [
        event(do="bags", by=0, bags=[["a"]] * n, pair=["a", "a"], three=["a", "bc", "a"]) for n in (0, 32, 33)
    ]
    assert recognised(KEYS, *lines) == [True, True, False]


@needs_host
def test_melds_are_read_with_their_labels() -> None:
    good = [
        ["a"],
        ["a", "bc"],
        ["twins", "a"],
        ["twins", "a", "bc"],
        ["triplets", ["a"]],
        ["triplets", []],
        ["single", "a"],
    ]
    bad = [
        [],
        "a",
        ["twins"],
        ["either", "a"],
        ["x", "a"],
        ["a", "twins"],
        ["twins", ["a"], "a"],
        ["twins", "a", ["a"]],
        [["a"]],
    ]
    lines = [
        event(do="melds", by=0, meld=meld, more=[meld] * n, other=None)
        for meld in (*good, *bad)
        for n in (0, 2, 8)
    ]
    assert recognised(KEYS, *lines) == 3 * len(good) * [True] + 3 * len(bad) * [False]
    many = [event(do="melds", by=0, meld=["a"], more=[["a"]] * n, other=["a"]) for n in (32, 33)]
    assert recognised(KEYS, *many) == [True, False]


@needs_host
def test_patterns_that_scores_have_are_read() -> None:
    line = '{"do":"win","by":0,"tile":"1m","from":null,"points":1,"patterns":%s}'
    good = ["{}", '{"ready":1}', '{"ready": -3, "all-pungs": 16}']
    bad = [
        '{"ready":1,"ready":1}',
        '{"ready":1,}',
        '{"ready":1.0}',
        '{"ready":true}',
        "[]",
        "null",
        '{"unknown":1}',
        '{"":1}',
    ]
    assert all(recognised(MAHJONG, *((line % patterns).encode() for patterns in good)))
    assert not any(recognised(MAHJONG, *((line % patterns).encode() for patterns in bad)))


@needs_host
def test_headers_of_other_tables_are_not_recognised() -> None:
    usual: dict[str, Any] = {"golpae": 1, "rules": "three-dozen", "players": ["An", "Bo"]}
    given: list[dict[str, Any]] = [
        {"options": {"double": 12}},
        {"options": {"double": 12}, "stake": 7, "id": "é", "time": 3},
    ]
    others: list[dict[str, Any]] = [
        {}, {"options": {}}, {"options": {"double": 6}}, {"options": {"double": 12, "x": 1}},
        {"options": {"double": 12}, "players": ["An"]}, {"options": {"double": 12}, "rules": "three-dozen+may-draw"},
        {"options": {"double": 12}, "stake": 0}, {"options": {"double": 12}, "golpae": 2},
        {"options": {"double": 12}, "x": 2},
    ]  # fmt: skip
    of_twelve = 4
    assert TABLES[of_twelve][2] == {"double": 12}
    lines = [event(**{**usual, **keys}) for keys in (*given, *others)]
    assert recognised(of_twelve, *lines) == [True, True] + [False] * len(others)
    players = {"players": ["An"] * TABLES[THREE_DOZEN][1]}
    spelled: list[dict[str, Any]] = [{}, {"options": {}}, {"options": {"double": 6}}]
    lines = [event(**{**usual, **players, **keys}) for keys in spelled]
    assert all(recognised(THREE_DOZEN, *lines))


@needs_host
def test_nothing_is_read_far_behind_the_last_line() -> None:
    """The harness writes the last line so that the memory ends 64 bytes behind it."""
    action = next(a for a in sides(KEYS).instance.rule_set.actions if len(a.name) > 64)
    long_keys = {param.name: "abcdefgh" for param in action.params}
    for line in (
        event(do=action.name, by=1, **long_keys),
        event(by=1, **long_keys, do=action.name),
        KEYS_HEADER,
    ):
        assert not any(recognised(KEYS, line[:end])[0] for end in range(len(line)))
    assert recognised(KEYS, event(do=action.name, by=1, **long_keys), KEYS_HEADER) == [True, True]


# ---------------------------------------------------------------- tables of names


@pytest.mark.parametrize("number", [0, 1, 2, 3, 42, 100, 101, 361, 10_000])
def test_every_name_has_a_place_of_its_own(number: int) -> None:
    keys = [key(b"%d-x" % name) for name in range(number)]
    place = places(keys)
    taken = {place.of(k) for k in keys}
    assert len(taken) == number
    assert all(0 <= at <= place.mask for at in taken)
    assert place == places(reversed(keys))


def test_the_key_of_a_name_has_its_length() -> None:
    names = [b"6-5", b"6-5\0", b"6", b"", b"1234567"]
    assert len({key(name) for name in names}) == len(names)
    assert all(key(name) < 1 << 8 * (SHORT + 1) for name in names)

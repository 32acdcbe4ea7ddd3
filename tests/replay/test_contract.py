"""`golpae check --format json` keeps to the trace format, version 1, to the letter."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from golpae.cli.main import main

KEYS = ["file", "line", "id", "rules", "verdict", "event", "at", "clause", "message"]
CITED = ["spec_hash", "trace_hash", "version"]  # behind those of the format

Lines = list[Any]  # JSON values; a text is a line as it is
Check = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks files of these lines; gives the exit status and the JSON objects printed."""
    monkeypatch.chdir(tmp_path)

    def run(*files: Lines, options: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
        names = [f"{chr(97 + i)}.jsonl" for i in range(len(files))]
        for name, lines in zip(names, files, strict=True):
            Path(name).write_text(text_of(lines), encoding="utf-8")
        status = main(["check", "--format", "json", *options, *names])
        return status, [as_in_format(json.loads(line)) for line in capsys.readouterr().out.splitlines()]

    return run


def as_in_format(found: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the keys that follow those of the format."""
    assert list(found)[len(KEYS) :] == CITED
    return {key: found[key] for key in KEYS}


def text_of(lines: Lines) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


HEADER: dict[str, Any] = {"golpae": 1, "rules": "jjak", "players": ["An", "Bo", "Cho"]}
HANDS = [
    ["5-5", "5-5", "3-1", "3-1", "5-2", "4-3"],
    ["6-6", "4-4", "6-3", "2-1", "1-1"],
    ["6-6", "4-4", "3-3", "6-2", "4-1"],
]
DEAL: dict[str, Any] = {"do": "deal", "first": 0, "hands": HANDS}
WON: Lines = [
    HEADER,
    DEAL,
    *({"do": "lay", "by": 0, "tiles": HANDS[0][i : i + 2]} for i in (0, 2, 4)),
    {"do": "end", "winner": 0, "pay": [2, -1, -1]},
]
UNDER_WAY = WON[:4]
ILLEGAL: Lines = [HEADER, DEAL, {"do": "draw", "by": 0, "tile": "6-1"}]
MALFORMED: Lines = [HEADER, DEAL, {"do": "dance", "by": 0}]


# ------------------------------------------------------------------ the JSON object


def test_a_legal_trace_has_the_verdict_legal(check: Check) -> None:
    status, found = check(WON)
    assert status == 0
    assert found == [
        dict.fromkeys(KEYS) | {"file": "a.jsonl", "line": 1, "rules": "jjak", "verdict": "legal"}
    ]
    assert list(found[0]) == KEYS


def test_an_incomplete_trace_has_the_verdict_incomplete(check: Check) -> None:
    status, found = check([UNDER_WAY[0] | {"id": "g-1"}, *UNDER_WAY[1:]])
    assert status == 0
    assert found == [
        dict.fromkeys(KEYS)
        | {"file": "a.jsonl", "line": 1, "id": "g-1", "rules": "jjak", "verdict": "incomplete"}
    ]
    assert list(found[0]) == KEYS


def test_an_illegal_trace_has_its_event_and_clause(check: Check) -> None:
    status, (found,) = check(["", HEADER | {"id": 7}, "", DEAL, "", *ILLEGAL[2:]])
    message = found.pop("message")
    assert isinstance(message, str)
    assert message
    assert status == 1
    assert list(found) == KEYS[:-1]
    assert found == {
        "file": "a.jsonl",
        "line": 2,
        "id": 7,
        "rules": "jjak",
        "verdict": "illegal",
        "event": 2,
        "at": 6,
        "clause": "jjak.draw.turn",
    }


def test_a_malformed_trace_has_its_event(check: Check) -> None:
    status, (found,) = check([*MALFORMED[:2], "", MALFORMED[2]])
    assert status == 2
    assert found.pop("message")
    assert list(found) == KEYS[:-1]
    assert found == {
        "file": "a.jsonl",
        "line": 1,
        "id": None,
        "rules": "jjak",
        "verdict": "malformed",
        "event": 2,
        "at": 4,
        "clause": None,
    }


def test_a_malformed_header_is_event_0(check: Check) -> None:
    status, (found,) = check([HEADER | {"rules": "jjak+cullin", "id": "x"}, DEAL, "not looked at"])
    assert status == 2
    assert found.pop("message")
    assert found == {
        "file": "a.jsonl",
        "line": 1,
        "id": "x",
        "rules": "jjak+cullin",
        "verdict": "malformed",
        "event": 0,
        "at": 1,
        "clause": None,
    }


def test_each_json_object_is_on_a_line_of_its_own_without_spaces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text_of([*WON, *UNDER_WAY]), encoding="utf-8")
    main(["check", "--format", "json", str(path)])
    lines = [line.partition(',"spec_hash":')[0] + "}" for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        f'{{"file":{json.dumps(str(path))},"line":{line},"id":null,"rules":"jjak","verdict":"{verdict}",'
        '"event":null,"at":null,"clause":null,"message":null}'
        for line, verdict in ((1, "legal"), (len(WON) + 1, "incomplete"))
    ]


def test_traces_come_in_input_order(check: Check) -> None:
    status, found = check([*WON, *ILLEGAL, *MALFORMED], [*UNDER_WAY, *WON])
    assert status == 2
    assert [(o["file"], o["line"], o["verdict"]) for o in found] == [
        ("a.jsonl", 1, "legal"),
        ("a.jsonl", 7, "illegal"),
        ("a.jsonl", 10, "malformed"),
        ("b.jsonl", 1, "incomplete"),
        ("b.jsonl", 5, "legal"),
    ]


# ------------------------------------------------------------------ exit status


@pytest.mark.parametrize(
    ("lines", "status", "complete"),
    [
        (WON, 0, 0),
        (UNDER_WAY, 0, 1),
        (ILLEGAL, 1, 1),
        (MALFORMED, 2, 2),
        ([*WON, *UNDER_WAY], 0, 1),
        ([*WON, *ILLEGAL, *WON], 1, 1),
        ([*ILLEGAL, *MALFORMED], 2, 2),
        ([*MALFORMED, *ILLEGAL, *WON], 2, 2),
        ([HEADER], 0, 1),
    ],
    ids=lambda value: f"{len(value)} lines" if isinstance(value, list) else str(value),
)
def test_the_exit_status_is_that_of_the_worst_trace(
    check: Check, lines: Lines, status: int, complete: int
) -> None:
    assert check(lines)[0] == status
    found, objects = check(lines, options=("--complete",))
    assert found == complete
    # `--complete` changes no verdict
    assert objects == check(lines)[1]


@pytest.mark.parametrize(
    "arguments", [["check"], ["check", "nowhere.jsonl"], ["check", "--format", "xml", "a.jsonl"], ["chek"]]
)
def test_a_wrong_call_has_exit_status_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err
    assert "Traceback" not in said.err


# ------------------------------------------------------------------ which lines belong to which trace


def test_a_header_without_a_deal_is_incomplete(check: Check) -> None:
    status, found = check([HEADER, HEADER, {"do": "lot", "by": 0, "tile": "6-6"}, HEADER, *WON])
    assert status == 0
    assert [o["verdict"] for o in found] == ["incomplete"] * 3 + ["legal"]
    assert [o["line"] for o in found] == [1, 2, 4, 5]


def test_reading_goes_on_at_the_next_header(check: Check) -> None:
    rest: Lines = ["nonsense", {"do": "dance"}, DEAL, {"do": "end"}]
    _, found = check(
        [*ILLEGAL, *rest, *WON, *MALFORMED, *rest, *UNDER_WAY, HEADER | {"seats": 3}, *rest, HEADER]
    )
    assert [(o["verdict"], o["event"]) for o in found] == [
        ("illegal", 2),
        ("legal", None),
        ("malformed", 2),
        ("incomplete", None),
        ("malformed", 0),
        ("incomplete", None),
    ]


@pytest.mark.parametrize(
    "line", ["An lays 5-5", "[1, 2]", '"deal"', "12", '{"do":"end",', "null", "{'do': 'end'}"]
)
def test_a_line_that_is_no_json_object_belongs_to_the_trace_before_it(check: Check, line: str) -> None:
    status, found = check([*WON, line, *WON])
    assert status == 2
    assert [(o["line"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (1, "malformed", 6, 7),
        (8, "legal", None, None),
    ]


FINISHED: Lines = [*WON, {"do": "finish", "totals": [2, -1, -1], "winners": [0]}]


@pytest.mark.parametrize(
    "line", ["An lays 5-5", "[1, 2]", '"deal"', "12", '{"do":"end",', "null", "{'do': 'end'}"]
)
def test_a_broken_line_after_a_finish_costs_no_trace_but_its_own(check: Check, line: str) -> None:
    wrong: Lines = [*WON, {"do": "finish", "totals": [3, -1, -1], "winners": [0]}]
    status, found = check(
        [*FINISHED, line, "", line, {"do": "dance"}, *FINISHED, line, *wrong, line, *FINISHED]
    )
    assert status == 2
    assert [(o["line"], o["rules"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (1, "jjak", "legal", None, None),
        (8, None, "malformed", 0, 8),
        (12, "jjak", "legal", None, None),
        (19, None, "malformed", 0, 19),
        (20, "jjak", "illegal", 6, 26),
        (27, None, "malformed", 0, 27),
        (28, "jjak", "legal", None, None),
    ]


def test_an_event_after_a_finish_belongs_to_the_trace_before_it(check: Check) -> None:
    _, found = check([*FINISHED, {"do": "end", "winner": 0, "pay": [2, -1, -1]}, *FINISHED, {"do": "dance"}])
    assert [(o["line"], o["verdict"], o["event"]) for o in found] == [(1, "illegal", 7), (9, "malformed", 7)]


def test_a_broken_line_behind_an_event_after_a_finish_is_a_trace_of_its_own(check: Check) -> None:
    _, found = check([*FINISHED, {"do": "dance"}, "{broken", *FINISHED, {"do": "end"}, "{broken"])
    assert [(o["line"], o["verdict"]) for o in found] == [
        (1, "malformed"), (9, "malformed"), (10, "malformed"), (18, "malformed"),
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["An lays 5-5", "[1, 2]", '{"golpae":1,', '{"do":"end"}'])
def test_a_broken_line_before_any_header_is_a_malformed_trace(check: Check, line: str) -> None:
    status, found = check(["", line, *WON])
    assert status == 2
    assert [(o["line"], o["rules"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (2, None, "malformed", 0, 2),
        (3, "jjak", "legal", None, None),
    ]


MISSPELT: dict[str, dict[str, Any]] = {
    "letters": {"golape": 1, "rules": "jjak", "players": ["An", "Bo"], "id": "two"},
    "capitals": {"Golpae": 1, "rules": "jjak", "players": ["An", "Bo"], "id": "two"},
    "left out": {"id": "two", "players": ["An", "Bo"], "rules": "jjak"},
    "wrong in other ways too": {"golpea": 2, "rules": "jjak", "players": 5, "id": "two", "x": 1},
}


@pytest.mark.parametrize("header", MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_header_is_a_trace_of_its_own(check: Check, header: dict[str, Any]) -> None:
    status, found = check(
        [*WON, header, *WON[1:], *WON], [header, *ILLEGAL], [*ILLEGAL, header, *FINISHED, header]
    )
    assert status == 2
    assert [(o["line"], o["id"], o["rules"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (1, None, "jjak", "legal", None, None),
        (7, "two", "jjak", "malformed", 0, 7),
        (13, None, "jjak", "legal", None, None),
        (1, "two", "jjak", "malformed", 0, 1),
        (2, None, "jjak", "illegal", 2, 4),
        (1, None, "jjak", "illegal", 2, 3),
        (4, "two", "jjak", "malformed", 0, 4),
        (5, None, "jjak", "legal", None, None),
        (12, "two", "jjak", "malformed", 0, 12),
    ]
    assert all("looks like a header" in o["message"] for o in found if o["id"] == "two")


@pytest.mark.parametrize(
    "header",
    [
        {"golape": 1, "rule": "jjak", "players": ["An", "Bo"], "id": "two"},
        {"Golpae": 1, "rules": "jjak", "player": ["An", "Bo"], "id": "two"},
        {"golpa": 1, "Rules": "jjak", "names": ["An", "Bo"], "id": "two"},
        {"id": "two", "rulse": "jjak", "Players": ["An", "Bo"]},
        {"golape": 1, "rules": "jjak", "id": "two"},
        {"golpea": 1, "game": "jjak", "seats": ["An", "Bo"], "id": "two"},
    ],
)
def test_a_header_with_several_slips_leaves_the_game_before_it_as_it_is(
    check: Check, header: dict[str, Any]
) -> None:
    _, found = check([*WON, header, *WON[1:], *WON])
    assert [(o["line"], o["id"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (1, None, "legal", None, None),
        (7, "two", "malformed", 0, 7),
        (13, None, "legal", None, None),
    ]


@pytest.mark.parametrize(
    "line",
    [
        {"do": "end", "rules": "jjak", "players": ["An", "Bo"]},
        {"do": "end", "golape": 1, "rule": "jjak"},
        {"players": ["An", "Bo"]},
        {"by": 0, "tile": "6-6", "note": "rules"},
    ],
)
def test_a_line_with_do_or_with_one_key_of_a_header_is_no_header(check: Check, line: dict[str, Any]) -> None:
    _, found = check([*WON, line, *WON])
    assert [(o["line"], o["verdict"], o["event"], o["at"]) for o in found] == [
        (1, "malformed", 6, 7),
        (8, "legal", None, None),
    ]


def test_a_file_without_traces_prints_nothing(check: Check) -> None:
    assert check(["", "  ", "\t"]) == (0, [])


def test_a_fault_in_a_header_that_can_be_read_does_not_touch_the_trace_before(check: Check) -> None:
    twice = '{"golpae":1,"rules":"jjak","rules":"jjak","players":["An","Bo"]}'
    _, found = check([*WON, twice, *WON])
    assert [(o["line"], o["verdict"], o["event"]) for o in found] == [
        (1, "legal", None),
        (7, "malformed", 0),
        (8, "legal", None),
    ]


@pytest.mark.parametrize(
    ("first", "second", "verdict", "event"),
    [
        (ILLEGAL[2], MALFORMED[2], "illegal", 2),
        (MALFORMED[2], ILLEGAL[2], "malformed", 2),
        (ILLEGAL[2], "nonsense", "illegal", 2),
        ("nonsense", ILLEGAL[2], "malformed", 2),
    ],
)
def test_the_first_fault_in_file_order_decides(
    check: Check, first: Any, second: Any, verdict: str, event: int
) -> None:
    _, (found,) = check([HEADER, DEAL, first, second])
    assert (found["verdict"], found["event"], found["at"]) == (verdict, event, 3)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress], ids=["gz", "zst"])
def test_archives_get_the_verdicts_of_their_text(
    pack: Callable[[bytes], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = text_of([*WON, *ILLEGAL, *MALFORMED, *UNDER_WAY]).encode()
    said = []
    for content in (data, pack(data)):
        (tmp_path / "a.jsonl").write_bytes(content)
        said.append((main(["check", "--format", "json", str(tmp_path / "a.jsonl")]), capsys.readouterr().out))
    assert said[0] == said[1]
    assert said[0][0] == 2


# ------------------------------------------------------------------ headers

HEADER_FAULTS: dict[str, Any] = {
    "one player": {"players": ["An"]},
    "five players": {"players": ["An", "Bo", "Cho", "Dae", "Eun"]},
    "no player": {"players": []},
    "players no list": {"players": 3},
    "a player no text": {"players": ["An", "Bo", 3]},
    "a player null": {"players": ["An", "Bo", None]},
    "unknown rules": {"rules": "jak"},
    "unknown variant": {"rules": "jjak+cullin"},
    "variant of another game": {"rules": "jjak+may-draw"},
    "variant twice": {"rules": "jjak+row+culin+row"},
    "variant without base": {"rules": "culin"},
    "rules empty": {"rules": ""},
    "rules null": {"rules": None},
    "rules a list": {"rules": ["jjak", "culin"]},
    "rules with an empty variant": {"rules": "jjak++culin"},
    "unknown option": {"options": {"double": 9}},
    "options no object": {"options": 9},
    "option a text": {"options": {"double": "9"}},
    "stake 0": {"stake": 0},
    "stake negative": {"stake": -1},
    "stake 1.0": {"stake": 1.0},
    "stake true": {"stake": True},
    "stake a text": {"stake": "1"},
    "stake null": {"stake": None},
    "unknown key": {"seats": 3},
    "a key of events": {"first": 0},
    "version 2": {"golpae": 2},
    "version 0": {"golpae": 0},
    "version 1.0": {"golpae": 1.0},
    "version true": {"golpae": True},
    "version a text": {"golpae": "1"},
    "version null": {"golpae": None},
}


def test_faulty_headers_are_malformed(check: Check) -> None:
    for name, change in HEADER_FAULTS.items():
        status, found = check([HEADER | change, *WON[1:], *WON])
        told = [(o["verdict"], o["event"], o["at"], o["clause"]) for o in found]
        assert (status, told) == (2, [("malformed", 0, 1, None), ("legal", None, None, None)]), name


@pytest.mark.parametrize("key", ["rules", "players"])
def test_a_header_without_a_needed_key_is_malformed(check: Check, key: str) -> None:
    status, (found,) = check([{k: v for k, v in HEADER.items() if k != key}])
    assert (status, found["verdict"], found["event"]) == (2, "malformed", 0)


def test_a_header_may_have_all_optional_keys(check: Check) -> None:
    extra = {"id": "a game", "stake": 2, "options": {}, "note": {"any": [1.5, None]}, "time": "noon"}
    pay = {"do": "end", "winner": 0, "pay": [4, -2, -2]}
    status, (found,) = check([HEADER | extra, *WON[1:-1], pay])
    assert (status, found["verdict"], found["id"]) == (0, "legal", "a game")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_three_and_four_players_are_allowed(check: Check, players: int) -> None:
    names = ["An", "Bo", "Cho", "Dae"][:players]
    _, (found,) = check([HEADER | {"players": names}])
    assert found["verdict"] == "incomplete"


@pytest.mark.parametrize("rules", ["jjak+culin+row", "jjak+row+culin"])
def test_variants_may_be_named_in_any_order(check: Check, rules: str) -> None:
    _, (found,) = check([HEADER | {"rules": rules}])
    assert (found["verdict"], found["rules"]) == ("incomplete", rules)


# ------------------------------------------------------------------ events

NO_SEATS: list[Any] = [-1, 3, 99, "0", "An", 0.0, 1.0, True, None, [0], {}]
NO_TILES: list[Any] = ["7-1", "0-0", "66", "6-6 ", "", "An", 66, 6.6, True, None, ["6-6"], {}]
NO_LISTS: list[Any] = [None, 6, "6-6", {}, True]
NO_NUMBERS: list[Any] = [1.0, 0.5, True, "1", None, [1], {}]

LOT = {"do": "lot", "by": 0, "tile": "6-6"}
DISCARDED: Lines = [HEADER | {"rules": "jjak+lay-optional"}, DEAL, {"do": "discard", "by": 0, "tile": "4-3"}]
# For each action: the events before it, a legal event, and values of the wrong type for each of its keys.
EVENTS: dict[str, tuple[Lines, dict[str, Any], dict[str, list[Any]]]] = {
    "lot": ([HEADER], LOT, {"by": NO_SEATS, "tile": NO_TILES}),
    "deal": (
        [HEADER],
        DEAL,
        {
            "first": NO_SEATS,
            "hands": [
                *(*NO_LISTS, {"An": HANDS[0]}),
                *([*HANDS[:2], wrong] for wrong in NO_LISTS if type(wrong) is not int),  # the size of a hand
                *([*HANDS[:2], [*HANDS[2][:4], wrong]] for wrong in NO_TILES),
            ],
            "reserve": [*NO_LISTS, *(["6-1", wrong] for wrong in NO_TILES)],
        },
    ),
    "draw": (DISCARDED, {"do": "draw", "by": 1, "tile": "6-1"}, {"by": NO_SEATS, "tile": NO_TILES}),
    "claim": (
        [*DISCARDED[:2], {"do": "discard", "by": 0, "tile": "5-2"}, {"do": "draw", "by": 1, "tile": "6-5"},
         {"do": "discard", "by": 1, "tile": "4-4"}],
        {"do": "claim", "by": 2, "tile": "4-4"},
        {"by": NO_SEATS, "tile": NO_TILES},
    ),
    "lay": (
        [HEADER, DEAL],
        {"do": "lay", "by": 0, "tiles": ["5-5", "5-5"]},
        {"by": NO_SEATS, "tiles": [*NO_LISTS, *(["5-5", wrong] for wrong in NO_TILES)]},
    ),
    "discard": (DISCARDED[:2], {"do": "discard", "by": 0, "tile": "4-3"}, {"by": NO_SEATS, "tile": NO_TILES}),
    "end": (
        WON[:-1],
        WON[-1],
        {
            "winner": [-1, 3, "0", "An", 0.0, True, False, [0], {}],
            "pay": [*NO_LISTS, *([2, -1, wrong] for wrong in NO_NUMBERS)],
        },
    ),
    "finish": (
        WON,
        {"do": "finish", "totals": [2, -1, -1], "winners": [0]},
        {
            "totals": [*NO_LISTS, *([2, -1, wrong] for wrong in NO_NUMBERS)],
            "winners": [*NO_LISTS, 0, *([wrong] for wrong in NO_SEATS)],
        },
    ),
}  # fmt: skip
OPTIONAL = {"reserve"}

actions = pytest.mark.parametrize("action", list(EVENTS))


def faulty(action: str) -> Iterator[tuple[str, Any]]:
    """Yield every way to spoil a key of an event, with a name."""
    _, event, wrong_values = EVENTS[action]
    assert event.keys() - {"do"} == wrong_values.keys() - OPTIONAL
    for key, wrong in wrong_values.items():
        if key not in OPTIONAL:
            yield f"without {key}", {k: v for k, v in event.items() if k != key}
        yield f"{key} twice", json.dumps(event | {key: event.get(key, [])})[:-1] + f',"{key}":[]}}'
        for value in wrong:
            yield f"{key} is {value!r}", event | {key: value}
    for key in ("By", "tiels", "points", "golpa", "", "rules"):
        yield f"with {key}", event | {key: 0}
    if "by" not in event:
        yield "with by", event | {"by": 0}
    for do in (None, 1, True, ["deal"], action.upper(), f"{action} ", "", "pung", "reshuffle"):
        yield f"do is {do!r}", event | {"do": do}
    yield "without do", {k: v for k, v in event.items() if k != "do"}


@actions
def test_a_malformed_event_is_reported(check: Check, action: str) -> None:
    before, _, _ = EVENTS[action]
    cases = list(faulty(action))
    status, found = check([line for _, event in cases for line in (*before, event)])
    assert status == 2
    told = {name: (o["verdict"], o["event"], o["clause"]) for (name, _), o in zip(cases, found, strict=True)}
    assert {n: t for n, t in told.items() if t != ("malformed", len(before), None)} == {}


@actions
def test_an_event_may_have_a_note_and_a_time(check: Check, action: str) -> None:
    before, event, _ = EVENTS[action]
    for extra in ({}, {"note": "why", "time": 12}, {"note": None, "time": [1.5, {"a": True}]}):
        status, (found,) = check([*before, event | extra])
        assert status == 0, found
        assert found["verdict"] in ("legal", "incomplete")


@pytest.mark.parametrize(
    ("before", "event", "clause"),
    [
        ([HEADER], DEAL | {"hands": HANDS[:2]}, "jjak.deal.hands"),
        ([HEADER], DEAL | {"hands": [*HANDS, HANDS[1]]}, "jjak.deal.hands"),
        ([HEADER], DEAL | {"hands": [HANDS[0][:5], *HANDS[1:]]}, "jjak.deal.hands"),
        ([HEADER], DEAL | {"hands": []}, "jjak.deal.hands"),
        ([HEADER], DEAL | {"hands": [["6-6"] * 6, *HANDS[1:]]}, "jjak.deal.set"),
        ([HEADER], DEAL | {"reserve": []}, "jjak.deal.rest"),
        ([HEADER, DEAL], {"do": "lay", "by": 0, "tiles": ["5-5"]}, "jjak.lay.tiles"),
        ([HEADER, DEAL], {"do": "lay", "by": 0, "tiles": ["5-5"] * 3}, "jjak.lay.tiles"),
        ([HEADER, DEAL], {"do": "lay", "by": 0, "tiles": []}, "jjak.lay.tiles"),
        (WON[:-1], WON[-1] | {"pay": [2, -2]}, "jjak.end.pay"),
        (WON[:-1], WON[-1] | {"pay": []}, "jjak.end.pay"),
        (WON[:-1], WON[-1] | {"winner": None}, "jjak.end.winner"),
        (WON, {"do": "finish", "totals": [2], "winners": [0]}, "jjak.finish.totals"),
        (WON, {"do": "finish", "totals": [2, -1, -1], "winners": []}, "jjak.finish.winners"),
        (WON, {"do": "finish", "totals": [2, -1, -1], "winners": [0, 0]}, "jjak.finish.winners"),
    ],
)
def test_lists_of_the_wrong_length_and_tiles_beyond_the_set_are_illegal(
    check: Check, before: Lines, event: dict[str, Any], clause: str
) -> None:
    status, (found,) = check([*before, event])
    assert (status, found["verdict"], found["event"], found["clause"]) == (1, "illegal", len(before), clause)


# ------------------------------------------------------------------ stages of the game


@pytest.mark.parametrize("action", [a for a in EVENTS if a not in ("lot", "deal")])
def test_only_lots_and_the_deal_are_legal_before_a_deal(check: Check, action: str) -> None:
    _, (found,) = check([HEADER, EVENTS[action][1]])
    assert (found["verdict"], found["event"], found["clause"]) == ("illegal", 1, f"jjak.{action}.open")


@pytest.mark.parametrize("action", [a for a in EVENTS if a != "end"])
def test_only_the_end_is_legal_after_a_hand_is_over(check: Check, action: str) -> None:
    _, (found,) = check([*WON[:-1], EVENTS[action][1]])
    assert (found["verdict"], found["event"], found["clause"]) == ("illegal", 5, f"jjak.{action}.open")


@pytest.mark.parametrize("action", [a for a in EVENTS if a not in ("deal", "finish")])
def test_only_a_deal_or_the_finish_is_legal_after_an_end(check: Check, action: str) -> None:
    _, (found,) = check([*WON, EVENTS[action][1]])
    assert (found["verdict"], found["event"], found["clause"]) == ("illegal", 6, f"jjak.{action}.open")


@actions
def test_nothing_is_legal_after_the_finish(check: Check, action: str) -> None:
    finish = EVENTS["finish"][1]
    assert check([*WON, finish])[1][0]["verdict"] == "legal"
    _, (found,) = check([*WON, finish, EVENTS[action][1]])
    assert (found["verdict"], found["event"], found["clause"]) == ("illegal", 7, f"jjak.{action}.open")


def test_a_tile_may_be_written_either_way_round(check: Check) -> None:
    turned = json.loads(json.dumps(WON))
    turned[1]["hands"] = [[tile[::-1] for tile in hand] for hand in HANDS]
    turned[4]["tiles"] = ["3-4", "5-2"]
    assert check(turned)[1][0]["verdict"] == "legal"


@pytest.mark.parametrize(
    ("winners", "verdict"), [([0, 1], "legal"), ([1, 0], "legal"), ([0], "illegal"), ([1], "illegal")]
)
def test_winners_may_be_named_in_any_order(check: Check, winners: list[int], verdict: str) -> None:
    for_two = [HEADER | {"players": ["An", "Bo"]}, DEAL | {"hands": HANDS[:2]}, *WON[2:5]]
    hands = [["2-1", "4-4", "3-3", "6-5", "6-1", "5-1"], ["4-2", "6-6", "6-6", "5-5", "5-5"]]
    second: Lines = [
        {"do": "end", "winner": 0, "pay": [1, -1]},
        {"do": "deal", "first": 0, "hands": hands},
        {"do": "discard", "by": 0, "tile": "2-1"},
        {"do": "claim", "by": 1, "tile": "2-1"},
        {"do": "lay", "by": 1, "tiles": ["4-2", "2-1"]},
        {"do": "lay", "by": 1, "tiles": ["6-6", "6-6"]},
        {"do": "lay", "by": 1, "tiles": ["5-5", "5-5"]},
        {"do": "end", "winner": 1, "pay": [-1, 1]},
    ]
    _, (found,) = check([*for_two, *second, {"do": "finish", "totals": [0, 0], "winners": winners}])
    assert found["verdict"] == verdict


def test_the_rules_option_replaces_the_rules_of_the_header(check: Check) -> None:
    status, (found,) = check(WON, options=("--rules", "jjak+doubling"))
    assert (status, found["rules"], found["clause"]) == (1, "jjak+doubling", "jjak.end.pay")

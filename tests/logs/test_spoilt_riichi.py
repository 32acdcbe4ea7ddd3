"""Recorded matches of riichi that are spoilt in one place are illegal there, by the rule that was broken."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from golpae.cli.main import main

LOGS = os.environ.get("GOLPAE_LOGS")  # a folder of records that may not be passed on
MOST = 4  # logs that each mistake is tried on

Spoil = Callable[[str], str | None]


def number_changed(tag: str, key: str, place: int, by: int, which: int = 0) -> Spoil:
    """Change a number in a list of one of the elements with this tag, the first one if `which` is 0."""

    def spoil(log: str) -> str | None:
        all_of = [*re.finditer(rf'<{tag} [^>]*?\b{key}="([^"]*)"', log)]
        if len(all_of) <= which:
            return None
        found = all_of[which]
        told = found[1].split(",")
        told[place] = str(int(told[place]) + by)
        return log[: found.start(1)] + ",".join(told) + log[found.end(1) :]

    return spoil


def drawn_twice(log: str) -> str | None:
    found = re.search(r"<T(\d+)/>(?=<D)", log)
    return None if found is None else log[: found.end()] + "<T135/>" + log[found.end() :]


def discarded_from_another_hand(log: str) -> str | None:
    """The dealer's first discard is a tile of another player: its kind is none of the dealer's."""
    deal = re.search(r'<INIT [^>]*oya="0"[^>]*hai0="([\d,]+)" hai1="([\d,]+)"[^>]*/><T(\d+)/><D\d+/>', log)
    if deal is None:
        return None
    kinds = {int(tile) // 4 for tile in [*deal[1].split(","), deal[3]]}
    other = next(tile for tile in deal[2].split(",") if int(tile) // 4 not in kinds)
    return log[: deal.end()].rpartition("<D")[0] + f"<D{other}/>" + log[deal.end() :]


def another_discard_in_riichi(log: str) -> str | None:
    """Whoever declared riichi discards a tile of the hand instead of the one drawn."""
    for reach in re.finditer(r'<REACH (?=[^>]*who="0")[^>]*step="2"[^>]*/>', log):
        turn = re.search(r"<T(\d+)/><D\1/>", log[reach.end() :])
        hand = re.findall(r'hai0="([\d,]+)"', log[: reach.start()])
        if turn is None or not hand or "<INIT" in log[reach.end() :][: turn.start()]:
            continue
        since = log[log.rindex("<INIT", 0, reach.start()) : reach.start()]
        held = [tile for tile in hand[-1].split(",") if f"<D{tile}/>" not in since]
        other = next(tile for tile in held if int(tile) // 4 != int(turn[1]) // 4)
        at = reach.end() + turn.start()
        return log[:at] + f"<T{turn[1]}/><D{other}/>" + log[reach.end() + turn.end() :]
    return None


def run_called_across(log: str) -> str | None:
    """Somebody who is not next takes a discard for a run."""
    for call in re.finditer(r'<N who="(\d)" m="(\d+)"\s*/>', log):
        if int(call[2]) & 0x4:
            return log[: call.start(1)] + str((int(call[1]) + 1) % 4) + log[call.end(1) :]
    return None


def yaku_left_out(log: str) -> str | None:
    """The first yaku of a win is said to be pinfu, or all simples if it was pinfu."""
    found = re.search(r'<AGARI [^>]*\byaku="(\d+),', log)
    if found is None:
        return None
    return log[: found.start(1)] + ("8" if found[1] == "7" else "7") + log[found.end(1) :]


def replaced(pattern: str, by: str) -> Spoil:
    """Replace the first match of a pattern."""

    def spoil(log: str) -> str | None:
        changed, found = re.subn(pattern, by, log, count=1, flags=re.DOTALL)
        return changed if found else None

    return spoil


def kept_though_drawn(log: str) -> str | None:
    """A tile that was discarded as it was drawn, and is no other one's like, is said to come from the hand."""
    lines = log.splitlines()
    for at, text in enumerate(lines):
        line = json.loads(text)
        begun = [json.loads(one) for one in lines[:at] if '"start_kyoku"' in one]
        if (
            line["type"] == "dahai"
            and line["tsumogiri"]
            and line["pai"] not in begun[-1]["tehais"][line["actor"]]
        ):
            lines[at] = json.dumps(line | {"tsumogiri": False})
            return "\n".join(lines)
    return None


SPOILT: dict[str, tuple[Spoil, set[str]]] = {
    "drawn twice": (drawn_twice, {"draw.turn"}),
    "discarded from another hand": (discarded_from_another_hand, {"discard.held"}),
    "another discard in riichi": (another_discard_in_riichi, {"discard.frozen"}),
    "a run called across": (run_called_across, {"chi.vow", "chi.held", "chi.turn", "chi.next"}),
    "another yaku": (yaku_left_out, {"count.patterns"}),
    "wrong points": (number_changed("AGARI", "ten", 1, 100), {"count.points"}),
    "wrong fu": (number_changed("AGARI", "ten", 0, 10), {"count.fu", "count.patterns"}),
    "wrong points of a later hand": (number_changed("INIT", "ten", 1, 10, which=1), {"deal.scores"}),
    "liable for a hand": (replaced(r'fromWho="', 'paoWho="1" fromWho="'), {"ron.fed-by", "tsumo.fed-by"}),
    "wrong payment": (number_changed("AGARI", "sc", 1, 1), {"end.pay"}),
    "wrong payment of an exhausted wall": (number_changed("RYUUKYOKU", "sc", 3, -5), {"end.pay"}),
}


FAULTY: dict[str, tuple[str, Spoil, str]] = {
    "wrong counters": ("mjlog", number_changed("AGARI", "ba", 0, 1), "lie there"),
    "wrong sticks": ("mjlog", number_changed("RYUUKYOKU", "ba", 1, 1), "lie there"),
    "wrong indicator": ("mjlog", number_changed("AGARI", "doraHai", 0, -4), "`doraHai` has"),
    "wrong limit": ("mjlog", number_changed("AGARI", "ten", 2, 1), "`ten` has limit"),
    "another tile of the winner": ("mjlog", number_changed("AGARI", "hai", 0, 4), "`hai` "),
    "another call of the winner": ("mjlog", number_changed("AGARI", "m", 0, 1), "`m` has other calls"),
    "another hand that waits": (
        "mjlog",
        replaced(r'(<RYUUKYOKU (?![^>]*type=)[^>]*\bhai\d=")(\d+,)', r"\g<1>"),
        "lacks",
    ),
    "wrong points beside a stick": ("mjlog", number_changed("REACH", "ten", 0, -10), "but the players have"),
    "two lists of tiles under indicators": (
        "mjlog",
        replaced(r'(doraHaiUra="\d+"[^<]*<AGARI [^>]*doraHaiUra=")\d+', r"\g<1>1"),
        "`doraHaiUra` has other tiles",
    ),
    "not the tile just drawn": (
        "mjai",
        replaced(r'("dahai"[^\n]*)"tsumogiri":false', r'\1"tsumogiri":true'),
        "`tsumogiri` says that",
    ),
    "the tile just drawn": ("mjai", kept_though_drawn, "keeps the tile just drawn"),
    "another limit": (
        "tenhou6",
        replaced("\u6e80\u8cab|\u8df3\u6e80", "\u500d\u6e80"),
        "`\u500d\u6e80` is a baiman",
    ),
}


def logs(format_: str = "mjlog") -> Iterator[Path]:
    folder = Path(LOGS or "") / ("riichi" if format_ == "mjlog" else format_)
    yield from sorted(folder.glob("*.*"))


def write_spoilt(spoil: Spoil, format_: str, folder: Path) -> None:
    """Write a few logs that are spoilt so to a folder."""
    spoilt = 0
    for log in logs(format_):
        text = spoil(log.read_text("utf-8"))
        if text is not None:
            (folder / log.name).write_text(text, "utf-8")
            spoilt += 1
        if spoilt == MOST:
            break
    assert spoilt


@pytest.mark.skipif(LOGS is None, reason="GOLPAE_LOGS names no folder of records")
@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_log_is_illegal_where_it_was_spoilt(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, clauses = SPOILT[name]
    write_spoilt(spoil, "mjlog", tmp_path)
    main(["check", "--format", "json", str(tmp_path)])
    for line in capsys.readouterr().out.splitlines():
        found = json.loads(line)
        assert found["verdict"] == "illegal", found
        assert found["clause"].removeprefix("riichi.") in clauses, found


@pytest.mark.skipif(LOGS is None, reason="GOLPAE_LOGS names no folder of records")
@pytest.mark.parametrize("name", FAULTY)
def test_a_log_that_contradicts_itself_is_malformed_there(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    format_, spoil, words = FAULTY[name]
    write_spoilt(spoil, format_, tmp_path)
    main(["check", "--format", "json", "--from", format_, str(tmp_path)])
    for line in capsys.readouterr().out.splitlines():
        found = json.loads(line)
        assert (found["verdict"], words in found["message"]) == ("malformed", True), found

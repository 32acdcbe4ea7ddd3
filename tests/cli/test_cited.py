"""The hashes by which a verdict of `golpae check --format json` can be cited."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from golpae import __version__
from golpae.corpus import paths
from golpae.elaborate.cache import elaborate_cached
from tests.cli.conftest import Golpae
from tests.cli.table import HEADER, ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, text, write


def found(golpae: Golpae, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in golpae("check", "--format", "json", *words).out.splitlines()]


def digest(*lines: Mapping[str, object] | str) -> str:
    """Return what the page says: the SHA-256 of the lines without white space around them, each with a line feed."""
    held = text(*lines).encode().split(b"\n")
    return hashlib.sha256(b"".join(line.strip() + b"\n" for line in held if line.strip())).hexdigest()


def test_a_verdict_names_the_lines_and_the_text_that_it_is_about(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL, *INCOMPLETE, *MALFORMED, "what", {**HEADER, "rules": "none"})
    cited = found(golpae, "a.jsonl")
    expected = [digest(*LEGAL), digest(*ILLEGAL[:3]), digest(*INCOMPLETE), digest(*MALFORMED[:3])]
    expected.append(digest({**HEADER, "rules": "none"}))
    assert [one["trace_hash"] for one in cited] == expected
    put = elaborate_cached("put", [Path("rules")]).spec_hash
    assert [one["spec_hash"] for one in cited] == [put] * 4 + [None]
    assert {one["version"] for one in cited} == {__version__}


def test_ends_of_lines_and_blank_lines_change_no_digest(golpae: Golpae) -> None:
    held = text(*LEGAL, *ILLEGAL, *LEGAL).encode()
    write("a.jsonl", *LEGAL, *ILLEGAL, *LEGAL)
    Path("b.jsonl").write_bytes(b"\xef\xbb\xbf" + held.replace(b"\n", b" \r\n\r\n")[:-4])
    a, b = found(golpae, "a.jsonl"), found(golpae, "b.jsonl")
    assert [one["trace_hash"] for one in a] == [one["trace_hash"] for one in b]


def test_all_ways_to_check_a_file_find_the_same_digests(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    held = text(*LEGAL * 5, *INCOMPLETE, *ILLEGAL, *LEGAL, " ", *LEGAL, *MALFORMED, *LEGAL)
    Path("a.jsonl").write_text(held, encoding="utf-8")
    with gzip.open("a.jsonl.gz", "wb") as file:
        file.write(held.encode())
    assert golpae("pack", "a.jsonl", "-o", "a.parquet").status == 0
    expected = [one | {"file": ""} for one in found(golpae, "a.jsonl")]
    assert [one | {"file": ""} for one in found(golpae, "a.parquet")] == expected
    monkeypatch.setattr(paths, "LARGE", 1)
    for name in ("a.jsonl", "a.jsonl.gz", "a.parquet"):
        assert [one | {"file": ""} for one in found(golpae, name)] == expected


def test_what_golpae_prints_may_be_kept_as_expected_verdicts(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL)
    Path("a.verdicts").write_text(golpae("check", "--format", "json", "a.jsonl").out, encoding="utf-8")
    done = golpae("check", "--expected", "a.jsonl")
    assert (done.status, done.err) == (0, "")

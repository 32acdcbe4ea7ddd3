"""Files checked on a Dask cluster: the output is that of one process, also if a worker dies."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.corpus import parts
from tests.corpus.games import games


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parts, "PART", 200_000)
    held = games("jjak", 3, 60)
    spoilt = held.replace(b'"by":1', b'"by":2', 1)
    Path("a.jsonl").write_bytes((held + spoilt) * 20)
    Path("b.jsonl").write_bytes(spoilt)
    return ["a.jsonl", "b.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_cluster_that_loses_a_worker_finds_the_same(
    archive: list[str], form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    distributed = pytest.importorskip("distributed")
    expected = main(["check", "--format", form, *archive]), capsys.readouterr().out
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        killer = threading.Thread(target=_kill_one, args=(distributed, cluster))
        killer.start()
        words = ["check", "--format", form, "--scheduler", cluster.scheduler_address, *archive]
        found = main(words), capsys.readouterr().out
        killer.join()
    assert found == expected


def _kill_one(distributed: Any, cluster: Any) -> None:
    """Kill a worker when some parts are done."""
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        pids = client.run(os.getpid)
        for _ in range(600):
            if sum(len(keys) for keys in client.has_what().values()):
                break
            time.sleep(0.02)
        os.kill(next(iter(pids.values())), signal.SIGKILL)


def test_a_wrong_call_is_refused(
    archive: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: str) -> str:
        assert main(["check", *words, *archive]) == 2
        return capsys.readouterr().err

    assert "does not go with `--view`" in refused("--scheduler", "tcp://127.0.0.1:1", "--view")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install '.[cluster]'" in refused("--scheduler", "tcp://127.0.0.1:1")


def test_nothing_at_an_address_is_a_fault_of_the_call(
    archive: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("golpae.corpus.cluster.PATIENCE", 0.2)
    for words in ([], ["-o", "v.jsonl"]):
        assert main(["check", "--scheduler", "tcp://127.0.0.1:1", *words, *archive]) == 2
        assert "there is no scheduler at `tcp://127.0.0.1:1`" in capsys.readouterr().err

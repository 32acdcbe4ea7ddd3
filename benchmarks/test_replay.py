"""The same measurements for pytest-benchmark: `python -m pytest benchmarks`."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.replay import Measured, write_games


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    return Measured(path, write_games(path, 10_000))


def test_json(benchmark: BenchmarkFixture, games: Measured) -> None:
    benchmark(games.json)


def test_lines(benchmark: BenchmarkFixture, games: Measured) -> None:
    benchmark(games.lines)


def test_replay(benchmark: BenchmarkFixture, games: Measured) -> None:
    benchmark(games.replayed)

"""Options of the test run."""

import os

import pytest

from golpae.progress import OFF

os.environ.setdefault(OFF, "off")  # on a slow machine it would stand between expected output


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written, not compared."""
    return bool(request.config.getoption("--renew"))

"""Options of the test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written, not compared."""
    return bool(request.config.getoption("--renew"))

"""One browser for all tests, and one playground that is served to it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.playground.fetch import NotFetched
from golpae.playground.serve import address, server
from golpae.playground.write import write
from tests.pages.browser import browser

__all__ = ["browser"]


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a playground."""
    folder: Path = tmp_path_factory.mktemp("playground")
    try:
        write(folder, "jjak", docs="../")
    except NotFetched as fault:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"what the playground needs cannot be downloaded: {fault}")
    with server(folder, 0) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield address(serving)
        serving.shutdown()

"""Named pipes, for tests of what opens no pipe. A test with one fails rather than waits if the pipe is opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

NO_PIPES = not hasattr(os, "mkfifo")


@contextmanager
def answering_pipe(path: Path, content: bytes) -> Iterator[None]:
    """Make a pipe that gives this content to the first who opens it."""
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(content,), daemon=True)
    writer.start()
    try:
        yield
    finally:
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # nobody else may have opened it
        writer.join()
        os.close(reader)

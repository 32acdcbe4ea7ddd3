"""Serve the folder of the playground to browsers of this computer.

Input: a folder, a port. Output: none; it serves until it is interrupted.
Guarantee: nobody but programs of this computer is served. Modules and WebAssembly have the types that browsers ask for.
"""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

HOST = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    extensions_map: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")  # a folder that is written anew is seen at once
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing of a request."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder; with port 0, at a free one. Raises OSError."""
    return ThreadingHTTPServer((HOST, port), partial(_Handler, directory=str(folder)))


def address(served: ThreadingHTTPServer) -> str:
    """Return the address of the page."""
    return f"http://{HOST}:{served.server_address[1]}/"

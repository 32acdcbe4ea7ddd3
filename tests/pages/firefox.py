"""Firefox without a window, by the protocol that it speaks itself (Marionette): no other program is needed."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("firefox-esr", "firefox")
PORT = "MarionetteActivePort"  # the file of a profile in which Firefox writes where it listens
STARTS = 600  # tenths of a second in which Firefox has to start
KEYS = {"TAB": "\ue004", "HOME": "\ue011", "RIGHT": "\ue014", "DELETE": "\ue017"}


def found() -> str | None:
    """Return Firefox on this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile, and end it."""
    settings = 'user_pref("marionette.port", 0);\nuser_pref("browser.shell.checkDefaultBrowser", false);'
    (profile / "user.js").write_text(settings, encoding="utf-8")
    call = (program, "--headless", "--marionette", "--no-remote", "--profile", str(profile))
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Firefox(_connected(profile / PORT, process))
    finally:
        process.terminate()
        process.wait()


def _connected(file: Path, process: subprocess.Popen[bytes]) -> socket.socket:
    """Return a connection, once Firefox has written where it listens."""
    for _ in range(STARTS):
        with suppress(OSError, ValueError):
            return socket.create_connection(("127.0.0.1", int(file.read_text("utf-8"))))
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    raise TimeoutError("Firefox does not start")


class Firefox:
    """What a reader does with a page, and what the page shows."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._read = b""
        self._calls = 0
        self._heard()  # which protocol it is
        self._call("WebDriver:NewSession", capabilities={})

    def visit(self, address: str) -> None:
        self._call("WebDriver:Navigate", url="about:blank")
        self._call("WebDriver:Navigate", url=address)

    def run(self, script: str) -> Any:
        """Return the value of an expression of a script in the page."""
        return self._call("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]

    def until(self, condition: str, seconds: int) -> None:
        """Wait until an expression of a script is true in the page."""
        script = f"""
        const [seconds, done] = arguments, end = performance.now() + 1000 * seconds;
        (function look() {{
          if ({condition}) done(true); else if (performance.now() > end) done(false); else setTimeout(look, 100);
        }})()"""
        self._call("WebDriver:SetTimeouts", script=1000 * (seconds + 10))
        assert self._call("WebDriver:ExecuteAsyncScript", script=script, args=[seconds])["value"], condition

    def click(self, selector: str) -> None:
        self._call("WebDriver:ElementClick", id=self._element(selector))

    def press(self, *keys: str) -> None:
        """Press keys: characters, or names such as `HOME`."""
        codes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]
        self._call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    @contextmanager
    def inside(self, selector: str) -> Iterator[None]:
        """Read a page in a frame."""
        self._call("WebDriver:SwitchToFrame", element=self._element(selector))
        yield
        self._call("WebDriver:SwitchToFrame")

    def _element(self, selector: str) -> str:
        found = self._call("WebDriver:FindElement", using="css selector", value=selector)["value"]
        return str(next(iter(found.values())))

    def _call(self, command: str, **arguments: Any) -> Any:
        self._calls += 1
        said = json.dumps([0, self._calls, command, arguments]).encode()
        self._connection.sendall(b"%d:%s" % (len(said), said))
        _, _, wrong, answer = self._heard()
        assert wrong is None, wrong
        return answer

    def _heard(self) -> Any:
        """Return what Firefox says next: its length, a colon, and JSON."""
        while b":" not in self._read:
            self._read += self._received()
        length, _, rest = self._read.partition(b":")
        while len(rest) < int(length):
            rest += self._received()
        self._read = rest[int(length) :]
        return json.loads(rest[: int(length)])

    def _received(self) -> bytes:
        received = self._connection.recv(1 << 16)
        assert received, "Firefox has gone"
        return received

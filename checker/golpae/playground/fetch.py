"""Download what is pinned.

Input: a `Pin`. Output: its bytes, or the files of its archive.
Guarantee: bytes have the hash of the pin. What was downloaded before comes from the cache.
"""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from golpae import cache
from golpae.playground.pins import Pin

SECONDS = 300  # for one file
FOLDER = "package/"  # in which archives of npm have their files


class NotFetched(Exception):
    """A file cannot be had, or is another one than the pinned one."""


def fetch(pin: Pin) -> bytes:
    """Return the file of a pin. Raises `NotFetched`."""
    name = cache.fingerprint("download", pin.url, pin.digest)
    cached = cache.load(name)
    if cached is not None and is_right(pin, cached):
        return cached
    content = _downloaded(pin.url)
    if not is_right(pin, content):
        raise NotFetched(f"`{pin.url}` is another file than the pinned one")
    cache.store(name, content)
    return content


def _downloaded(address: str) -> bytes:
    """Return a file by its address, from the index that npm or pip is set up for here. Raises `NotFetched`."""
    client, _, rest = address.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        if client == "npm":
            call = [shutil.which("npm") or "npm", "pack", "--silent", "--pack-destination", folder, rest]
        elif client == "pypi":
            package, _, file = rest.partition("/")
            _, abi, platform = file.removesuffix(".whl").rsplit("-", 3)[1:]
            wheel = ["--only-binary=:all:", "--python-version=3.14", f"--abi={abi}", f"--platform={platform}"]
            call = [
                sys.executable,
                "-P",
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                *wheel,
                "-d",
                folder,
                package,
            ]
        else:
            raise NotFetched(f"`{address}` cannot be downloaded: neither npm nor pip knows it")
        try:
            done = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise NotFetched(f"`{address}` cannot be downloaded: {fault}") from None
        files = sorted(Path(folder).iterdir())
        if done.returncode or len(files) != 1:
            output = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise NotFetched(f"`{address}` cannot be downloaded: {output[-1] if output else 'no file came'}")
        return files[0].read_bytes()


def is_right(pin: Pin, content: bytes) -> bool:
    """Return whether bytes have the hash of a pin."""
    kind, _, wanted = pin.digest.partition("-")
    digest = hashlib.new(kind, content).digest()
    return wanted in (digest.hex(), base64.b64encode(digest).decode())


def files(pin: Pin) -> dict[str, bytes]:
    """Return the files of a pinned archive that the page takes, and its licence. Raises `NotFetched`."""
    out = {}
    with tarfile.open(fileobj=io.BytesIO(fetch(pin))) as archive:
        names = set(archive.getnames())
        for wanted in (*pin.files, *(one for one in ("LICENSE", "README.md") if FOLDER + one in names)):
            member = archive.extractfile(FOLDER + wanted)
            if member is None:
                raise NotFetched(f"`{pin.url}` has no file `{wanted}`")
            out[wanted] = member.read()
    return out

"""Write the site: `python -m docs.site -o DIR`. It fails at the first warning of Sphinx."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from docs.generate.files import TOP
from docs.site.accessible import mend
from docs.site.stage import stage
from golpae.elaborate.load import game_names
from golpae.pages.book.write import write_book
from golpae.playground.write import write

CONF = TOP / "docs" / "site"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=Path, required=True, help="the folder to write to"
    )
    parser.add_argument(
        "--only-pages", action="store_true", help="write neither rule books nor the playground"
    )
    args = parser.parse_args(arguments)
    os.environ["COLUMNS"] = "100"  # of the help of verbs
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        call = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-c",
            str(CONF),
            folder,
            str(args.output),
        ]
        status = subprocess.run(call, cwd=TOP, check=False).returncode
    if status == 0:
        mend(args.output)
    if status or args.only_pages:
        return status
    books = args.output / "books"
    books.mkdir(exist_ok=True)
    for game in game_names(()):
        write_book(game, (), books / f"{game}.html")
    write(args.output / "playground", docs="../")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""`python -m golpae` is the command `golpae`."""

import sys

from golpae.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

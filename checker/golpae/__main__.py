"""`golpae` as a command, and `python -m golpae`.

Guarantee: Ctrl-C ends golpae without a traceback also while it still loads, and while it ends.
"""

import gc
import signal
import sys


def main() -> int:
    """Load golpae, run it, and return its exit status."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # modules hold no cycles that are worth a search
    from golpae.cli.main import main as run
    from golpae.exit_codes import INTERRUPTED

    gc.enable()
    try:
        try:
            if is_usual:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            return run()
        finally:
            if is_usual:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            # Ctrl-C in a text that Python runs (a dataclass is made of one) has it end itself by the signal, unless it
            # runs another one: then the status stands.
            exec("")
    except KeyboardInterrupt:  # just before `run` heeds it, or just after
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

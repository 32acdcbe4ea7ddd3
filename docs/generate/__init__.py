"""The programs that keep the pages true. `python -m docs.generate` runs them all."""

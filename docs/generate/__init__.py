"""The programs that keep the pages true. `python -m docs.generate` runs all of them except the proofs of matrix.py."""

"""Measurements, each run as a module: `python -m benchmarks.replay`."""

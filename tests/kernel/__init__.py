"""Tests of golpae.kernel."""

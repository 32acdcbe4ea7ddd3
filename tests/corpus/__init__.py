"""Tests of golpae.corpus."""

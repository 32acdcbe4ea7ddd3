"""Tests of what two rule sets count hands."""

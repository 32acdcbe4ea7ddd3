"""Findings shown: as a table, as the story of one property, as JSON, as JUnit XML. Decides nothing."""

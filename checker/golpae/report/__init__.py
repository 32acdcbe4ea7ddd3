"""Render results as text, tables, JSON, JUnit XML and Markdown. Nothing is decided here."""

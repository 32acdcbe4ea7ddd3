"""Logs with tiles that nobody saw, judged by all the ways to fill them in."""

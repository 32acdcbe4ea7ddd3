"""Logs of other programs, as golpae reads them: adapters, and how they are found.

This package and the pictures of tiles (`assets`) may speak of games; nothing below `cli` imports it.
"""

from golpae.logs.adapter import Adapter, Choice, Game, Log, LogFault, Place, Ways, event

__all__ = ["Adapter", "Choice", "Game", "Log", "LogFault", "Place", "Ways", "event"]

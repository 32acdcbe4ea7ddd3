"""Logs of other programs, as golpae reads them: adapters, and how they are found.

This package and the pictures of tiles (`assets`) may speak of games; nothing below `cli` imports it.
"""

from golpae.logs.adapter import Adapter, Game, Log, LogFault, Place, Ways

__all__ = ["Adapter", "Game", "Log", "LogFault", "Place", "Ways"]

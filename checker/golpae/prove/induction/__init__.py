"""Induction over events: invariants, rankings, freedom from deadlock, conservation of tiles."""

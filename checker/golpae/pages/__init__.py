"""Pages that show games: events and positions as data, and pages that draw them. Nothing is decided here."""

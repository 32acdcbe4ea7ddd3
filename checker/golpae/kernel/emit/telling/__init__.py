"""What a module says to whoever runs it without golpae: events, states and broken conditions, as JSON."""

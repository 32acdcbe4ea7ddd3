"""Whether a player is offered, refused and told only what follows from what this player has seen."""

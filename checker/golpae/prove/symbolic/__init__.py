"""Values, zones and states of which some parts are unknown."""

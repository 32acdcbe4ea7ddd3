"""What goes to a terminal."""

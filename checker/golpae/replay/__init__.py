"""The reference meaning: one event at a time, and why each refused one is refused."""

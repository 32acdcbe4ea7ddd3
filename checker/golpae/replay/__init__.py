"""The reference meaning: check and apply one event at a time, and explain each refusal."""

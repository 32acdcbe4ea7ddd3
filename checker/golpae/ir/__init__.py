"""The typed IR of a resolved rule set. Every backend takes its meaning from it."""

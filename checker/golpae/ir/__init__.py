"""The typed IR of a resolved rule set, from which every backend takes its meaning."""

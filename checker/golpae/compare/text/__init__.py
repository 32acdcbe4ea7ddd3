"""Compare the texts of two rule sets clause by clause."""

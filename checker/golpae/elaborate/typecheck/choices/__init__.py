"""What is typed as a choice between values: definitions by cases, orders, numbers next to others."""

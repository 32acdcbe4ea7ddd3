"""What is typed as a choice between values: definitions by cases, and words in order."""

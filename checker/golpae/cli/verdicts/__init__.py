"""Expected verdicts: files of them, compared and written."""

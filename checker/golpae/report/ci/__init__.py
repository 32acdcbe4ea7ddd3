"""What a verb found, in the formats that continuous integration reads: JUnit, SARIF, GitHub's commands, Markdown."""

"""What the pages docs/replication-*.md are made of: numbers drawn from runs, and their text."""

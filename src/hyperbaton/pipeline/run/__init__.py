"""The run directory: its record, its parts, and how they are read."""

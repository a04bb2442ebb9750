"""The study of metrics."""

"""The gate: what `check` says of a run beside thresholds, and beside an earlier run."""

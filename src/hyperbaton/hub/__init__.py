"""Models in the hub's format: one way to find their files, read their weights and name both."""

from hyperbaton.hub.loading import device_of, explained, load_model, quiet
from hyperbaton.hub.snapshot import Snapshot, Source, identity, resolve
from hyperbaton.hub.weights import read_weights, weight_files

__all__ = [
    "Snapshot",
    "Source",
    "device_of",
    "explained",
    "identity",
    "load_model",
    "quiet",
    "read_weights",
    "resolve",
    "weight_files",
]

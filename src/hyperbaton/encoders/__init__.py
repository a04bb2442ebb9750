"""Encoders and classifiers: text to a vector, or a text or two to a label."""

from hyperbaton.encoders.encoder import (
    CLASSIFIERS,
    ENCODERS,
    Classifier,
    Encoder,
    Input,
    OpenClassifier,
    OpenEncoder,
    Read,
    Reader,
    Vectors,
)

__all__ = [
    "CLASSIFIERS",
    "ENCODERS",
    "Classifier",
    "Encoder",
    "Input",
    "OpenClassifier",
    "OpenEncoder",
    "Read",
    "Reader",
    "Vectors",
]

"""Encoders: text to a vector."""

from hyperbaton.encoders.encoder import ENCODERS, Encoder, OpenEncoder, Read, Reader, Vectors

__all__ = ["ENCODERS", "Encoder", "OpenEncoder", "Read", "Reader", "Vectors"]

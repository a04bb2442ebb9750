"""Translators behind servers with a protocol of their own: any, by a template, or by name."""

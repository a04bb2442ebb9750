"""Translators that run on CTranslate2."""

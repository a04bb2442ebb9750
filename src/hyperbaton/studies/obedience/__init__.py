"""Obedience: does a translator translate a text, or do what the text says?"""

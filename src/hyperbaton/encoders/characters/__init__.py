"""`chars`: the encoder of characters that ships."""

"""Structure: does an encoder rely on what is near, or on where things stand? (Clouatre 2022)"""

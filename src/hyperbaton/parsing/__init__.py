"""From text to Sentence: parsers behind one interface."""

"""The playground: a page on this computer on which a word is moved and translators are watched."""

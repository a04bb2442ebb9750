"""What language is about: sentences, dependency schemes, noun units, contractions, dictionaries."""

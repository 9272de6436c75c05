"""A model asked about one phrase: its translations, out of all phrases of the other side."""

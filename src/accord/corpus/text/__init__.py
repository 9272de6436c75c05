"""Raw text to words and phrases."""

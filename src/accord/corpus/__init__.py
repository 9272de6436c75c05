"""Text as numbers: vocabularies, phrases, and how both are read."""

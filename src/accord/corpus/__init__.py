"""Text as numbers: vocabularies, phrases, and how they are loaded.

`text/` turns raw text into words and phrases.
"""

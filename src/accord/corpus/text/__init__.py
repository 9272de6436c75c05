"""Raw text to words and phrases.

languages     codes and names of languages
tokenisers    text to words, for every language; `language_support` lists them
tokens        files to numbered words
extraction    phrases and their counts, by the methods of the next three lines, or line by line
ngrams        frequent n-grams; `chunks` selects those that are phrases
links/        link texts of MediaWiki dumps and web pages
constituents  constituents of parse trees
concordance   snippets of the text in which given phrases occur
"""

from typing import Literal

# How phrases are extracted from text; see `extraction`.
ExtractionMethod = Literal["chunk", "ngram", "anchor", "constituent", "lines"]

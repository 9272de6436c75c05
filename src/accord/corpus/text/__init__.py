"""Raw text to words and phrases.

`languages` knows the codes and names of languages, `tokenisers` splits text into words, and
`extraction` finds phrases: n-grams (`ngrams`, `chunks`), link texts (`links/`), or constituents.
"""

from typing import Literal

# How phrases are extracted from text; see `extraction`.
ExtractionMethod = Literal["chunk", "ngram", "anchor", "constituent", "lines"]

"""File formats of other programs, one module per format.

A pair of words or phrases is a `Record` (`records`). To add a format:

- To write it, add a module with a function `write_NAME(path, records, languages)` that returns what
  it left out, by reason; `writing` has the parts it needs, `xml` those for XML. Then add it to
  `FORMATS` in `accord.runs.export`.
- To read it, add a function `read_NAME(path)` to the module, and the format to `READERS` in
  `readers`. A format with any number of languages has concepts (`concepts`), as TMX does.
- `annotations` turns the probabilities, word links and status of a pair into texts and back.

Dictionaries, which are only read, are in `dictionaries/`. `sentence_pairs` reads parallel text.
"""

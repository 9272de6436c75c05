"""Runs: from the inputs to the results, and everything that is done with the results afterwards.

`inputs` collects the data, `mine` extracts it from text, `learn` and `apply` run. `results` are the
lexicon and the phrase pairs in words; `quality` and `evaluation` say how good they are. A run is
kept in a `folder`: its model (`trained`), its record (`record`), its tables (`tsv`), its `trace`.
A model is carried over to other phrases by `transfer`. `export/` writes a run for other programs,
`query/` looks up single phrases.
"""

"""File formats of other programs, one module per format.

A pair of words or phrases is a `Record` (`records`). To add a format:

- To write it, add a module with a function `write_NAME(path, records, languages)` that returns what
  it left out, by reason; `writing` has the parts it needs, `xml` those for XML. Then add it to
  `FORMATS` in `accord.runs.export`, and its name to `ExportFormatName`.
- To read it, add a function `read_NAME(path)` to the module, the format to `READERS` in `readers`,
  and its name to `ImportFormatName`. A format with any number of languages yields concepts
  (`concepts`), as TMX does.
- `annotations` turns the probabilities, word links and status of a pair into texts and back.

Dictionaries, which are only read, are in `dictionaries/`. `sentence_pairs` reads parallel text.
"""

from typing import Literal

ImportFormatName = Literal["tmx", "tbx", "muse", "omegat", "csv", "moses"]
ExportFormatName = Literal[
    "moses",
    "moses-lex",
    "extract",
    "fast-align",
    "muse",
    "hunalign",
    "bicleaner",
    "eflomal",
    "bitextor",
    "tmx",
    "tbx",
    "omegat",
    "csv",
    "parquet",
    "seed",
]

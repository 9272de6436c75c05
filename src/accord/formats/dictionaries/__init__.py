"""Bilingual dictionaries, which are only read: CC-CEDICT, FreeDict, StarDict, and tables.

To add a format, write a module with a function that yields (word, gloss) pairs, and call it from
`read_dictionary` in `readers`, which recognises a format by the name or the first line of the file.
"""

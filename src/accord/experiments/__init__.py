"""Experiments with known answers.

`artificial` makes small corpora of two artificial languages. `synthesis/` makes experiments from
parallel text by the recipe of the paper, and `paper/` repeats the tables of the paper with them.
`demo/` learns from real strings of installed programs.
"""

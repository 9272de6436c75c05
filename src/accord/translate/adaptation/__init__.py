"""Domain adaptation, section 4.2 of the paper: a table of another domain and non-parallel text.

inputs       the files of an adaptation, and how they are read
methods      the phrase pairs that each method learns, iteration by iteration
evaluation   the paper's Table 4: how well the table of each iteration translates
"""

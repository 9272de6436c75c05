"""The paper's data recipe: parallel sentences to E, F, G and d.

sentences    sentence pairs out of TSV, TMX or two files
alignment    word alignment by eflomal, or out of Pharaoh files
extraction   symmetrised alignments, and all consistent phrase pairs with their scores
experiment   gold pairs, noise and seeds: what an experiment is made of
recipe       which pairs, which noise, which seeds
"""

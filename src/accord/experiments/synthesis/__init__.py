"""The paper's recipe for data: parallel sentences to E, F, G and d.

alignment    word alignment by eflomal, or from Pharaoh files
recipe       which phrase pairs are gold, which phrases are noise, which word pairs are seeds
experiment   gold pairs, noise and seeds: what an experiment consists of
pipeline     from raw sentence pairs to the folder of an experiment
"""

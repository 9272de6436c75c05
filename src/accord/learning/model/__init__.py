"""The parameters θ of P(f|e), and the state of a run.

lengths, translation, word_order   p(J|I), p(f|e), and the positions of words
parameters                         all of them, for one direction and for both
state                              the parameters and links after an iteration
"""

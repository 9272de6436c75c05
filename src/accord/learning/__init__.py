"""The algorithm of the paper: EM over the phrase alignments on which both directions agree.

em                   the loop, which names all other parts: start reading here
task, agreement      what is learned from, and the links that the E-step returns
viterbi, posterior   the E-step: the paper's methods, and posterior agreement
update               the M-step
matching             one-to-one matchings of phrases
confidence           how likely a matched pair is to be right
model/               the parameters θ, and the state after an iteration
search/              for every phrase its most probable translations
word_kernels         the loops over the words of phrase pairs, for all of these
"""

"""The demo: real strings of installed programs, whose translations are known but hidden.

languages    the language pairs
packages     strings and their translations from installed packages
cleaning     strings to phrases
seeds        the seed lexicon
experiment   what the learner is given, and what is hidden from it
samples      which results are shown
folder       the files of the demo, its run, and how much of the hidden pairs was found
"""

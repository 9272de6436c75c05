"""From two texts and a dictionary or a phrase table to a translation model, step by step.

pipeline           the steps in their order, and the results
steps              what each step does
folder             the files, and how an interrupted adaptation is resumed
inputs             the plan of an adaptation and its files
starting_pairs     the phrase table of another domain, and the dictionary
texts              language models, and the sentences that are translated
methods            posterior agreement, and the methods of the paper (section 4.2, Table 4)
back_off           candidates for words without a translation
back_translation   tables that are trained on translations of both texts
system, model      the tables and weights of both directions
evaluation         tuning, scores and samples
"""

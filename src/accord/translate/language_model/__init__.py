"""Back-off language models.

trie            a model: n-grams with their probabilities and back-off weights
training_text   the text that a model is trained on
ngram_counts    the n-grams of the text
kneser_ney      training: modified Kneser-Ney estimates from these counts
arpa            reading and writing ARPA files
"""

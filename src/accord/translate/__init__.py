"""Phrase-based translation with what was learned.

bleu, weights              scores of translations, and the features they are chosen by
phrase_table               the phrase pairs that given sentences need
decoder, moses_decoder     beam search here, or by Moses if it is installed
tuning                     weights with the best BLEU on a development set
phrase_extraction          phrase pairs and their scores from word-aligned sentences
table_training             a phrase table from phrase pairs with word links
adaptation/                the paper's domain adaptation, and its Table 4
language_model/            back-off language models and ARPA files
"""

"""Phrase-based translation with learned phrase tables, as in Moses.

model_files                the files of a model: table, language model and weights
sentence_translation       from sentences to their translations
raw_text                   from raw lines to words, and from translations to text
placeholders               addresses and markup, which are not translated
orthography                how the target language is written: capitals and spaces
phrase_table               phrase pairs and their scores, as far as given sentences need them
translation_options        the target phrases that the decoder may choose
decoder, moses_decoder     translation by beam search: our own, or Moses if it is installed
weights                    the features of a translation, and their weights
bleu, tuning               BLEU, and the weights with the best BLEU on a development set
phrase_extraction          phrase pairs and their scores from word-aligned sentences
table_training             a phrase table from phrase pairs with word links
word_alignment             word links between sentences and their translations by the decoder
adaptation/                the paper's domain adaptation and its Table 4, and back-translation
language_model/            back-off language models and ARPA files
"""

from typing import Literal

# What translates: the decoder here, or the program moses.
DecoderName = Literal["accord", "moses"]
# The files that an adaptation writes; RESULTS names its languages.
TABLE, BACK_OFF_TABLE, LANGUAGE_MODEL = "table.gz", "back-off.gz", "lm.arpa"
WEIGHTS, ORTHOGRAPHY, RESULTS = "weights.ini", "orthography.json", "results.json"

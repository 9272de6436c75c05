"""Evidence about word pairs and phrase pairs from other sources than the phrases themselves.

counts            sparse counts of word pairs, the form that all evidence takes
seed              the seed lexicon: entries of a dictionary, some of them accepted or rejected
seed_selection    `accord seed`: the most informative entries of a dictionary
seed_import       `accord import`: entries from translation memories, terminologies, glossaries
decisions         the decisions of reviewers, kept in SQLite
constraints       decisions as pairs of ids: certain links, and pairs that must not be learned
spelling          morphological variants and cognates
context           word pairs found by co-occurrence in phrases with the words of known pairs
cooccurrence      which words occur near each other in the sentences of a text
vectors           word vectors that the user brings
mapping           vectors from co-occurrence, and one space for both languages
similarity        comparing all words of two languages, block by block
similar_words     likely translations, by sentences and vectors
prior             the evidence about word pairs in one object, which EM adds to its counts

How a decision of a reviewer reaches the search:
1. `web/review` writes it with `decisions.DecisionLog.decide`.
2. The next run reads all of them with `decisions.read_decisions`, as a `seed.SeedLexicon` with
   accepted and rejected entries. `runs/inputs.py` merges it over the user's seed.
3. `constraints.Constraints.of` looks up the ids of these phrases, and `prior.Prior.of` those of the
   rejected words. `runs/learn.py` hands both to `learning/`.
4. `learning/viterbi.py` and `learning/posterior.py` make accepted pairs certain links, and leave
   rejected pairs out of the candidates of the search.
"""

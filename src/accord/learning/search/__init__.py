"""The exact search: for every target phrase its most probable source phrases, out of all.

queries      target phrases as queries
index        posting lists of source phrases
retrieval    the search itself; it returns rankings
ranking      the best source phrases of every query
pairs        the rankings of both directions, combined to candidate pairs
candidates   the same for posterior agreement, which also needs sums over all phrases
"""

"""Queries about a learned model: the translations of one phrase, and the pairs that support them.

`translator` answers. `direction` searches one direction of the model for the nearest phrases,
`posteriors` compares both directions, `supporting_pairs` finds evidence among the pairs of the run.
The compiled loops are in `query_kernels`: they read all phrases once and need no index.
"""

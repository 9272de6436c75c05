"""The page on which people accept, reject and correct the pairs of a run, and its server."""

PORT = 8411

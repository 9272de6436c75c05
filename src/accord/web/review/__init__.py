"""The page on which users accept, reject and correct the pairs of a run, and its server.

`pair_index` keeps the pairs in review order (`precision`), as columns that `filters` can search
fast. `review_state` combines it with the decisions. `app` answers the requests of the page (in
`page/`), `guard` admits only its user, `server` runs both. `decision_export` writes the decisions.
"""

PORT = 8411

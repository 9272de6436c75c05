"""Pages for a browser: the report of a run, the review page, and what both share."""

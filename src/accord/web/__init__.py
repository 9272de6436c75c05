"""Pages for a browser: the report of a run, and what it shares with the page for reviewing one."""

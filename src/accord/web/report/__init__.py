"""The report of a run, and the comparison of two runs: single HTML files that need nothing else.

`run` reads the run. `overview`, `charts`, `calibration`, `length_maps`, `pair_tables` and
`pair_details` prepare one part of the page each. `page` and `comparison` put the parts together,
with as many of the pairs (`sampling`) as the size of the file permits.
"""

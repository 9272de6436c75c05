"""Pages for a browser, made from the Jinja2 templates in `templates/`.

`report/` makes one HTML file about a run, `review/` serves the page on which pairs are reviewed.
Both show single pairs: `pair_view` looks one up in the model, `alignment_matrix` and `contexts`
prepare what the template `pair.html` draws. `templates` renders; `assets/` has styles and scripts.
"""

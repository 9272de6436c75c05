"""The documentation site. `make docs` builds it strictly, without network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import accord

project = "Accord"
author = "The Accord authors"
copyright = "The Accord authors"  # noqa: A001
release = accord.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "myst_nb",
    "sphinx_copybutton",
    "accord_site",
]
exclude_patterns = ["_build", "_ext"]
nitpicky = True
default_role = "code"

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "substitution"]
myst_heading_anchors = 4
# Notebooks are executed by the tests; the site shows the outputs that they store.
nb_execution_mode = "off"
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
napoleon_google_docstring = False
napoleon_use_ivar = True
# Types that are no part of the public interface, or of other packages.
nitpick_ignore_regex = [("py:(class|obj|data|exc)", r"(?!accord\.\w+$).*")]

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = "Accord"
html_static_path = ["_static"]
html_css_files = ["accord.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6e69",
        "color-brand-content": "#0b6e69",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc8bd",
        "color-brand-content": "#5cc8bd",
    },
}

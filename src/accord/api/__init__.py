"""A function for each command: `accord.mine`, `accord.learn`, `accord.export` and others.

They do what the commands do, and print nothing: messages go to the logger "accord".

preparation   phrases, seeds and languages
learning      from texts or phrases to a lexicon and phrase pairs
results       what a run has found
translation   language models, adaptation, sentences
experiments   the sample, the demo, and the paper's experiments
inputs        what the functions are given, as objects

Modules that load NumPy or Numba are imported inside functions, so that `import accord` is light.
"""

from accord.api.experiments import make_experiment, reproduce_paper, run_demo, write_sample
from accord.api.learning import apply, learn, load, mine
from accord.api.preparation import extract_phrases, import_seed, list_languages, select_seed
from accord.api.results import evaluate, export, query, report, review
from accord.api.translation import adapt, train_language_model, translate_sentences

__all__ = [
    "adapt",
    "apply",
    "evaluate",
    "export",
    "extract_phrases",
    "import_seed",
    "learn",
    "list_languages",
    "load",
    "make_experiment",
    "mine",
    "query",
    "report",
    "reproduce_paper",
    "review",
    "run_demo",
    "select_seed",
    "train_language_model",
    "translate_sentences",
    "write_sample",
]

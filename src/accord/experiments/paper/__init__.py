"""The paper's experiments repeated on public text: its tables and figures beside ours.

corpora       the two language pairs: parallel text to experiments
cached_runs   the runs of the learner in an experiment, kept on disk
tables        the tables and figures as rows, Markdown and CSV, with the numbers in the paper
findings      the paper's findings, with the figures for and against each
pictures      the figures as pictures
report        results.md
"""

from typing import Literal

PaperSection = Literal["seeds", "noise", "ratio", "test", "samples", "findings"]

"""The paper's experiments again, on public text: its tables and figures beside ours.

published     the numbers in the paper
corpora       the two language pairs: parallel text to experiments
runs          one run of the learner in an experiment, kept on disk
tables        the tables and figures as rows, Markdown and CSV
findings      the paper's findings, with the figures for and against each
pictures      the figures as pictures
report        results.md
"""

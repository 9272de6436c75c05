"""Text as numbers: words and phrases get numbers, and all other packages work on these.

vocabulary   the words of a language: how they are normalised and numbered
numbering    text to word numbers, and the order of phrases
phrases      a corpus of phrases as flat arrays
loading      phrases from files and lines; lines that are left out are counted
text/        raw text to words and phrases
"""

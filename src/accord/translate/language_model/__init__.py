"""Back-off language models: training text, n-gram counts, Kneser-Ney estimates and ARPA files."""

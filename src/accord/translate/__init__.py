"""Does it translate? A language model, a phrase-based decoder and the tuning of its weights."""

"""The algorithm: the model, the search, agreement, and the EM loop."""

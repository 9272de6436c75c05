"""A run from its inputs to its results, and what can be done with them afterwards."""

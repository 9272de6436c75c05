"""Queries about a learned model: the translations of one phrase, and the evidence for them."""

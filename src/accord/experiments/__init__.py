"""Synthetic data, the experiments of the paper, and the demo."""

"""Pairs of phrases, whatever their words."""

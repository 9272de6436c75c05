"""Words inside a pair of phrases: how probable the pair is by them, and which word is which's."""

"""Real text that is not parallel: what `accord mine` finds in it, and how much of it is right."""

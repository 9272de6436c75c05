"""Evidence about pairs besides the phrases: seed, decisions, spelling, context, vectors."""

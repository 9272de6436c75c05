"""The parameters θ of both directions, and the state of a run after an iteration."""

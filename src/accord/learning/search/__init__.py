"""For every target phrase its most probable source phrases, out of all."""

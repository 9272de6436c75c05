"""Language models as ARPA files."""

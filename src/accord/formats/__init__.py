"""The formats of the field, a file each."""

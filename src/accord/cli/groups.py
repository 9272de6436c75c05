"""The groups of the options of a command, in the order of `--help`."""

INPUT = "Input"
OUTPUT = "Output"
TEXT = "Text"
METHOD = "Method"
COMPUTE = "Compute"
GENERAL = "General"
ADVANCED = "Advanced"  # in --help-all only
GROUPS = (INPUT, OUTPUT, TEXT, METHOD, COMPUTE, GENERAL, ADVANCED)

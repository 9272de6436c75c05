"""The demo: real strings of installed programs, whose translations are known but hidden."""

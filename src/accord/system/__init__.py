"""What every other package stands on: files, memory, processes, and where work runs."""

"""The basis of all other packages: files, locks, memory, compiled kernels, processes, runners."""

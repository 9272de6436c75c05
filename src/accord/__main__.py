"""`python -m accord` is the command `accord`."""

from accord.cli import main

if __name__ == "__main__":
    main()

"""`python -m svod_tools`: the same as the command `svod`."""

from svod_tools.cli import main

if __name__ == "__main__":
    main()

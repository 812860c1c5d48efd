"""One module for each subcommand: a thin layer between the arguments and the stages; each returns an exit code."""

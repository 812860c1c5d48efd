"""The command line and the publisher: everything of Svod that reads files, prints and runs processes."""

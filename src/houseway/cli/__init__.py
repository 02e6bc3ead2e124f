"""The command line: thin, no rule and no arithmetic on money."""

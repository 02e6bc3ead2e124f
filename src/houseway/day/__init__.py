"""The books of a gaming day: a pure fold over the entries of the journal, and what follows from it."""

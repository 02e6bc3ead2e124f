"""Whole shoes dealt by the rules themselves: on threads, on a cluster or on a graphics processor, with the same tallies."""

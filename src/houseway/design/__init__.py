"""Pay tables found by an exact search: the tallies are integers and the edge is linear in the pays."""

"""EZ Pai Gow, solved: every deal counted, every set valued."""

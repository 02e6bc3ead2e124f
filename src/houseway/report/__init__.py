"""Reports: documents as values, of which every number is a figure, and what they are printed as."""

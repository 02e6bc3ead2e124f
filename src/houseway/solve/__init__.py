"""Decision games solved: the value of every choice, the best play, and the exact edge."""

"""What somebody who watches the cards can win, and what stops him."""

"""What a blackjack table can choose. The constants are the places of the switches in a rule's settings."""

from houseway.rulebook.game import Switch, switches

DECKS, SHUFFLER, R13, SOFT_17, DOUBLE, DOUBLE_AFTER_SPLIT, SPLIT, SPLIT_HANDS, SPLIT_ACES, SURRENDER, HOLE_CARD = range(11)

SHOE, CONTINUOUS = range(2)
REFILLED, INFINITE, BUFFER = range(3)
HITS_SOFT_17, STANDS_SOFT_17 = range(2)
DOUBLE_ANY, DOUBLE_9_TO_11, DOUBLE_10_TO_11 = range(3)
SPLIT_VALUES, SPLIT_RANKS = range(2)
ACES_ONE_CARD, ACES_PLAY_ON, ACES_RESPLIT = range(3)

SWITCHES = switches(
    Switch("decks", (6, 1, 2, 3, 4, 5, 7, 8), "BJ-1", "decks in the shoe"),
    Switch("shuffler", ("shoe", "continuous"), "BJ-1", "a shoe, or a continuous shuffler"),
    Switch("R13", ("refilled-each-round", "infinite", "buffer-16"), "LLB-11", "how a continuous shuffler is modelled"),
    Switch("soft-17", ("hits", "stands"), "BJ-3", "the dealer on a soft 17"),
    Switch("double", ("any", "9-11", "10-11"), "BJ-4", "two cards that may be doubled"),
    Switch("double-after-split", ("yes", "no"), "BJ-4", "doubling after a split"),
    Switch("split", ("values", "ranks"), "BJ-5", "cards that may be split"),
    Switch("split-hands", (4, 2, 3), "BJ-5", "hands a split may lead to"),
    Switch("split-aces", ("one-card", "play-on", "re-split"), "BJ-5", "split aces"),
    Switch("surrender", ("none", "late", "early"), "BJ-7", "giving up half the bet"),
    Switch("hole-card", ("peek", "none", "none-original-bets-only"), "BJ-8", "the dealer's second card"),
)

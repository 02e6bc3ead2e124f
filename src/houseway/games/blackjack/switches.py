"""What a blackjack table can choose. The constants are the places and codes that compiled rules see."""

from houseway.rulebook.game import Switch, switches

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
    Switch("lucky-card", ("up-card", "community"), "LLB-0", "the third card of Lucky Lucky"),
    Switch("R20", ("busted-or-one", "busted-and-one"), "BJ-8", "what a blackjack takes of a split of which a hand is bust"),
)

SHUFFLER, R13 = SWITCHES.place("shuffler"), SWITCHES.place("R13")
SOFT_17, DOUBLE, SPLIT = SWITCHES.place("soft-17"), SWITCHES.place("double"), SWITCHES.place("split")

CONTINUOUS = SWITCHES.code("shuffler", "continuous")
INFINITE = SWITCHES.code("R13", "infinite")
HITS_SOFT_17 = SWITCHES.code("soft-17", "hits")
DOUBLE_ANY, DOUBLE_10_TO_11 = SWITCHES.code("double", "any"), SWITCHES.code("double", "10-11")
SPLIT_VALUES = SWITCHES.code("split", "values")

"""The outcomes that the rules of EZ Pai Gow tell apart, in the order of the rules' constants."""

from houseway.rulebook.game import Outcome

BASE_OUTCOMES = (
    Outcome("win", "Both hands beat the dealer's"),
    Outcome("push", "One hand beats the dealer's"),
    Outcome("lose", "No hand beats the dealer's"),
    Outcome("queen-high-pai-gow", "The dealer has a Queen-high Pai Gow"),
)

DYNASTY_OUTCOMES = (
    Outcome("natural-wheel-aq", "Natural Luhn Tao wheel + suited A-Q", ("luhn-tao-wheel", "straight-flush")),
    Outcome("natural-7-card-straight-flush", "Natural 7-card straight flush"),
    Outcome("royal-flush-aq", "Royal flush + suited A-Q"),
    Outcome("7-card-straight-flush-with-joker", "7-card straight flush with joker"),
    Outcome("five-aces", "Five aces"),
    Outcome("luhn-tao-wheel", "Luhn Tao wheel", ("straight-flush",)),
    Outcome("royal-flush", "Royal flush"),
    Outcome("straight-flush", "Straight flush"),
    Outcome("four-of-a-kind", "Four of a kind"),
    Outcome("full-house", "Full house"),
    Outcome("flush", "Flush"),
    Outcome("three-of-a-kind", "Three of a kind"),
    Outcome("straight", "Straight"),
    Outcome("three-pair", "Three pair"),
    Outcome("other", "All other"),
)

PROTECTION_OUTCOMES = (
    Outcome("natural-a-5-straight-flush", "Natural A-5 straight flush"),
    Outcome("nine-high-pai-gow", "9-high pai gow"),
    Outcome("ten-high-pai-gow", "Ten-high pai gow"),
    Outcome("jack-high-pai-gow", "Jack-high pai gow"),
    Outcome("queen-high-pai-gow", "Queen-high pai gow"),
    Outcome("king-high-pai-gow", "King-high pai gow"),
    Outcome("ace-high-pai-gow", "Ace-high pai gow"),
    Outcome("other", "All other"),
)

COLOUR_OUTCOMES = (
    Outcome("seven-of-the-colour", "Seven cards of the chosen colour"),
    Outcome("six-of-the-colour", "Six cards of the chosen colour"),
    Outcome("five-of-the-colour", "Five cards of the chosen colour"),
    Outcome("four-of-the-colour", "Four cards of the chosen colour"),
    Outcome("other", "Three or fewer"),
)

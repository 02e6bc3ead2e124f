"""The outcomes that the rules of blackjack and Lucky Lucky tell apart, in the order of the rules' constants."""

from houseway.rulebook.game import Outcome

BLACKJACK_OUTCOMES = (
    Outcome("blackjack", "Blackjack"),
    Outcome("win", "Player wins"),
    Outcome("push", "Push"),
    Outcome("lose", "Dealer wins"),
    Outcome("surrender", "Player surrenders"),
    Outcome("even-money", "Blackjack taken as even money"),
)
INSURANCE_OUTCOMES = (
    Outcome("dealer-blackjack", "Dealer has blackjack"),
    Outcome("no-blackjack", "Dealer has no blackjack"),
)
LUCKY_OUTCOMES = (
    Outcome("suited-777", "Suited 777"),
    Outcome("suited-678", "Suited 678"),
    Outcome("777", "777"),
    Outcome("678", "678"),
    Outcome("suited-21", "Suited 21"),
    Outcome("21", "21"),
    Outcome("20", "20"),
    Outcome("19", "19"),
    Outcome("other", "Anything else"),
)

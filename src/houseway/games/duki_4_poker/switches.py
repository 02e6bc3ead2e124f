"""What a Duki table can choose. The constants are the places and codes that compiled rules see."""

from houseway.rulebook.game import Switch, switches

SWITCHES = switches(
    Switch("decks", (1,), "D4P-1", "decks in play"),
    Switch("dealer-bets", ("not-allowed", "allowed"), "D4P-11", "bets for the dealer"),
    Switch("R7", ("even-money",), "D4P-6", "a 3-card Duki against a dealer who does not qualify"),
    Switch("R8", ("ante-table", "even-money"), "D4P-8", "a 4-card Duki against the dealer's 3-card Duki"),
    Switch("R9", ("yes", "no"), "D4P-5", "A-2-3(-4) as a straight"),
    Switch("dealer-bet-wins", ("guest", "dealers"), "D4P-11", "whose the win of a bet for the dealer is", since="0.2"),
    Switch("second-deck", ("always", "with-shuffler", "never"), "D4P-12", "when two decks take turns", since="0.2"),
    Switch("card-check", ("none", "supervisor"), "D4P-14d", "who checks the cards after a fault of the shuffler", since="0.2"),
)

R8, R9 = SWITCHES.place("R8"), SWITCHES.place("R9")
EVEN_MONEY = SWITCHES.code("R8", "even-money")
LOW_STRAIGHT = SWITCHES.code("R9", "yes")
